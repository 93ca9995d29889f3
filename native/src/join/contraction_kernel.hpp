// The loops of contraction.hpp over eight patterns side by side. contraction_plain.cpp, contraction_v3.cpp
// and contraction_v4.cpp compile them, each for one level of vector instructions
// (ktsolve/common/vectors.hpp). Each defines KTSOLVE_KERNEL, the name of the table of its functions.
//
// The linker keeps one of several equal inline functions, and were it one that is compiled for a higher
// level, other processors would stop at it. So the functions here call only each other and no standard
// library, and have no names outside of this file; tests/engines/test_native_portability.py sees to it.
//
// Eight numbers of 32 bits fill one register from v3 on; eight of 64 bits do with v4.
#include "join/contraction_places.hpp"

namespace ktsolve::join {

namespace {

// Numbers of matchings.
constexpr u64 kMany[8] = {1, 1, 3, 15, 105, 945, 10395, 135135};

// As the lists of ContractionPlaces, for three pairs.
constexpr u8 kThree[5][3][4] = {{{3, 6, 11, 14}, {4, 8, 9, 13}, {5, 7, 10, 12}},
                                {{0, 6, 10, 13}, {1, 7, 9, 14}, {2, 8, 11, 12}},
                                {{0, 3, 9, 12}, {2, 4, 10, 14}, {1, 5, 11, 13}},
                                {{1, 4, 6, 12}, {2, 3, 7, 13}, {0, 5, 8, 14}},
                                {{2, 5, 6, 9}, {1, 3, 8, 10}, {0, 4, 7, 11}}};

template <class V> void close_two(const V* b, V* closed) {
    closed[0] = b[1] + b[2];
    closed[1] = b[0] + b[2];
    closed[2] = b[0] + b[1];
}

// All places are known to the compiler, so that values stay in registers.
template <int X, class V> void close_three(const V* b, V* closed) {
    if constexpr (X < 5) {
        constexpr const u8(&n)[3][4] = kThree[X];
        const V contracted[3] = {(b[n[0][0]] + b[n[0][1]]) + (b[n[0][2]] + b[n[0][3]]),
                                 (b[n[1][0]] + b[n[1][1]]) + (b[n[1][2]] + b[n[1][3]]),
                                 (b[n[2][0]] + b[n[2][1]]) + (b[n[2][2]] + b[n[2][3]])};
        close_two(contracted, closed + 3 * X);
        close_three<X + 1>(b, closed);
    }
}

template <int K, class V, class Place> void contract(int x, const V* b, const Place* places, V* contracted) {
    constexpr u64 block = kMany[K - 1];
    constexpr u64 many = 2 * K - 2;
    const Place* n = places + static_cast<u64>(x - 1) * block * many;
    for (u64 r = 0; r < block; ++r, n += many) {
        V sum = b[n[0]];
        for (u64 i = 1; i < many; ++i) sum += b[n[i]];
        contracted[r] = sum;
    }
}

template <int K, class V> void close(const V* b, V* closed, const ContractionPlaces& places, V* scratch) {
    if constexpr (K == 1) {
        closed[0] = b[0];
    } else if constexpr (K == 2) {
        close_two(b, closed);
    } else if constexpr (K == 3) {
        close_three<0>(b, closed);
    } else {
        constexpr u64 block = kMany[K - 1];
        for (int x = 1; x < 2 * K; ++x) {
            if constexpr (K == 4)
                contract<K>(x, b, places.four, scratch);
            else if constexpr (K == 5)
                contract<K>(x, b, places.five, scratch);
            else if constexpr (K == 6)
                contract<K>(x, b, places.six, scratch);
            else
                contract<K>(x, b, places.seven, scratch);
            close<K - 1>(scratch, closed + static_cast<u64>(x - 1) * block, places, scratch + block);
        }
    }
}

template <class V>
void close_any(int pairs, const V* b, V* closed, const ContractionPlaces& places, V* scratch) {
    switch (pairs) {
    case 1:
        return close<1>(b, closed, places, scratch);
    case 2:
        return close<2>(b, closed, places, scratch);
    case 3:
        return close<3>(b, closed, places, scratch);
    case 4:
        return close<4>(b, closed, places, scratch);
    case 5:
        return close<5>(b, closed, places, scratch);
    case 6:
        return close<6>(b, closed, places, scratch);
    default:
        return close<7>(b, closed, places, scratch);
    }
}

template <class V, class N> void rows_of(const N* columns, u64 stride, u64 many, V* rows, u64 first = 0) {
    for (u64 r = first; r < many; ++r) {
        V row;
        for (u64 lane = 0; lane < 8; ++lane) row[lane] = columns[lane * stride + r];
        rows[r] = row;
    }
}

void narrow_rows_of(const u32* columns, u64 stride, u64 many, Narrow8* rows) {
    u64 r = 0;
#if defined(__has_builtin) && !defined(KTSOLVE_PORTABLE)
#if __has_builtin(__builtin_shufflevector)
    typedef u32 Four __attribute__((vector_size(16)));
    for (; r + 4 <= many; r += 4)
        for (u64 lane = 0; lane < 8; lane += 4) {
            Four column[4];
            for (u64 i = 0; i < 4; ++i)
                __builtin_memcpy(&column[i], columns + (lane + i) * stride + r, sizeof(Four));
            const Four upper[2] = {__builtin_shufflevector(column[0], column[1], 0, 4, 1, 5),
                                   __builtin_shufflevector(column[2], column[3], 0, 4, 1, 5)};
            const Four lower[2] = {__builtin_shufflevector(column[0], column[1], 2, 6, 3, 7),
                                   __builtin_shufflevector(column[2], column[3], 2, 6, 3, 7)};
            const Four row[4] = {__builtin_shufflevector(upper[0], upper[1], 0, 1, 4, 5),
                                 __builtin_shufflevector(upper[0], upper[1], 2, 3, 6, 7),
                                 __builtin_shufflevector(lower[0], lower[1], 0, 1, 4, 5),
                                 __builtin_shufflevector(lower[0], lower[1], 2, 3, 6, 7)};
            for (u64 i = 0; i < 4; ++i)
                __builtin_memcpy(reinterpret_cast<u32*>(rows + r + i) + lane, &row[i], sizeof(Four));
        }
#endif
#endif
    rows_of(columns, stride, many, rows, r);
}

void wide_rows_of(const u64* columns, u64 stride, u64 many, Wide8* rows) {
    rows_of(columns, stride, many, rows);
}

} // namespace

extern const ContractionKernel KTSOLVE_KERNEL;
const ContractionKernel KTSOLVE_KERNEL = {close_any<Narrow8>, close_any<Wide8>, narrow_rows_of, wide_rows_of};

} // namespace ktsolve::join
