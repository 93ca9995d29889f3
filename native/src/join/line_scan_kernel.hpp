// The loops of line_scan.hpp. line_scan_plain.cpp, line_scan_v3.cpp and line_scan_v4.cpp compile them, each
// for one level, defining KTSOLVE_KERNEL; contraction_kernel.hpp says what such files must not use.
//
// Numbers that are not 0 are moved side by side by one instruction where the processor has it (AVX-512), else
// by a shuffle that is looked up by which numbers are 0 (AVX2, SSE4.1), else one by one without branches.
#include "join/line_scan.hpp"

#if !defined(KTSOLVE_PORTABLE) && defined(__GNUC__) && defined(__SSE4_1__)
#include <immintrin.h>
#define KTSOLVE_SHUFFLES 1
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
#define KTSOLVE_COMPRESSES 1
#endif
#endif

namespace ktsolve::join {

namespace {

#if defined(KTSOLVE_SHUFFLES)
// The numbers of the bits set, in order.
struct BitPlaces {
    u8 at[256][8]{};
    constexpr BitPlaces() {
        for (int bits = 0; bits < 256; ++bits)
            for (int bit = 0, n = 0; bit < 8; ++bit)
                if ((bits >> bit & 1) != 0) at[bits][n++] = static_cast<u8>(bit);
    }
};
constexpr BitPlaces kBits;

// The bytes of the numbers whose bits are set, in order: four numbers of four bytes.
struct BytePlaces {
    u8 at[16][16]{};
    constexpr BytePlaces() {
        for (int bits = 0; bits < 16; ++bits)
            for (int n = 0; n < 16; ++n) at[bits][n] = static_cast<u8>(4 * kBits.at[bits][n / 4] + n % 4);
    }
};
constexpr BytePlaces kBytes;
#endif

#if defined(KTSOLVE_COMPRESSES)
struct Totals {
    __m512i any = _mm512_setzero_si512(), sum = _mm512_setzero_si512();
};
template <class Number> void add_up(const Totals& totals, Scanned& scanned) {
    Number any[kLine<Number>], sum[kLine<Number>];
    _mm512_storeu_si512(any, totals.any);
    _mm512_storeu_si512(sum, totals.sum);
    for (u64 i = 0; i < kLine<Number>; ++i) {
        scanned.any |= any[i];
        scanned.sum += sum[i];
    }
}
inline u64 take(u32* at, u32 first, u32* places, u32* found, Totals& totals) {
    const __m512i numbers = _mm512_loadu_si512(at);
    const __mmask16 used = _mm512_test_epi32_mask(numbers, numbers);
    const __m512i all =
        _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(first)),
                         _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    _mm512_storeu_si512(places, _mm512_maskz_compress_epi32(used, all));
    _mm512_storeu_si512(found, _mm512_maskz_compress_epi32(used, numbers));
    _mm512_storeu_si512(at, _mm512_setzero_si512());
    totals.any = _mm512_or_si512(totals.any, numbers);
    totals.sum = _mm512_add_epi32(totals.sum, numbers);
    return static_cast<u64>(__builtin_popcount(used));
}
inline u64 take(u64* at, u32 first, u32* places, u64* found, Totals& totals) {
    const __m512i numbers = _mm512_loadu_si512(at);
    const __mmask8 used = _mm512_test_epi64_mask(numbers, numbers);
    const __m256i all = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(first)),
                                         _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(places), _mm256_maskz_compress_epi32(used, all));
    _mm512_storeu_si512(found, _mm512_maskz_compress_epi64(used, numbers));
    _mm512_storeu_si512(at, _mm512_setzero_si512());
    totals.any = _mm512_or_si512(totals.any, numbers);
    totals.sum = _mm512_add_epi64(totals.sum, numbers);
    return static_cast<u64>(__builtin_popcount(used));
}
#else
struct Totals {
    u64 any = 0, sum = 0;
};
template <class Number> void add_up(const Totals& totals, Scanned& scanned) {
    scanned.any = totals.any;
    scanned.sum = totals.sum;
}
template <class Number> u64 take_each(Number* at, u32 first, u32* places, Number* found, Totals& totals) {
    u64 many = 0;
    for (u32 i = 0; i < kLine<Number>; ++i) {
        const Number number = at[i];
        places[many] = first + i;
        found[many] = number;
        many += number != 0;
        totals.any |= number;
        totals.sum += number;
        at[i] = 0;
    }
    return many;
}
inline u64 take(u64* at, u32 first, u32* places, u64* found, Totals& totals) {
    return take_each(at, first, places, found, totals);
}
#if defined(KTSOLVE_SHUFFLES)
inline u64 take(u32* at, u32 first, u32* places, u32* found, Totals& totals) {
    u64 many = 0;
#if defined(__AVX2__)
    __m256i any = _mm256_setzero_si256(), sum = any;
    for (u32 i = 0; i < 16; i += 8) {
        const __m256i numbers = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + i));
        const __m256i empty = _mm256_cmpeq_epi32(numbers, _mm256_setzero_si256());
        const u32 used = static_cast<u32>(_mm256_movemask_ps(_mm256_castsi256_ps(empty))) ^ 255u;
        const __m256i which =
            _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(kBits.at[used])));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(places + many),
                            _mm256_add_epi32(which, _mm256_set1_epi32(static_cast<int>(first + i))));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(found + many),
                            _mm256_permutevar8x32_epi32(numbers, which));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(at + i), _mm256_setzero_si256());
        any = _mm256_or_si256(any, numbers);
        sum = _mm256_add_epi32(sum, numbers);
        many += static_cast<u64>(__builtin_popcount(used));
    }
    u32 any_of[8], sum_of[8];
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(any_of), any);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sum_of), sum);
#else
    __m128i any = _mm_setzero_si128(), sum = any;
    for (u32 i = 0; i < 16; i += 4) {
        const __m128i numbers = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + i));
        const __m128i empty = _mm_cmpeq_epi32(numbers, _mm_setzero_si128());
        const u32 used = static_cast<u32>(_mm_movemask_ps(_mm_castsi128_ps(empty))) ^ 15u;
        const __m128i which = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kBytes.at[used]));
        const __m128i all =
            _mm_add_epi32(_mm_set1_epi32(static_cast<int>(first + i)), _mm_setr_epi32(0, 1, 2, 3));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(places + many), _mm_shuffle_epi8(all, which));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(found + many), _mm_shuffle_epi8(numbers, which));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(at + i), _mm_setzero_si128());
        any = _mm_or_si128(any, numbers);
        sum = _mm_add_epi32(sum, numbers);
        many += static_cast<u64>(__builtin_popcount(used));
    }
    u32 any_of[4], sum_of[4];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(any_of), any);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(sum_of), sum);
#endif
    for (const u32 bits : any_of) totals.any |= bits;
    for (const u32 part : sum_of) totals.sum += part;
    return many;
}
#else
inline u64 take(u32* at, u32 first, u32* places, u32* found, Totals& totals) {
    return take_each(at, first, places, found, totals);
}
#endif
#endif

template <class Number> Scanned scan(Number* numbers, u8* marks, u64 lines, u32* places, Number* found) {
    Scanned scanned;
    Totals totals;
    const auto line = [&](u64 n) {
        scanned.many += take(numbers + n * kLine<Number>, static_cast<u32>(n * kLine<Number>),
                             places + scanned.many, found + scanned.many, totals);
    };
    if (marks == nullptr) {
        for (u64 n = 0; n < lines; ++n) line(n);
    } else {
        for (u64 n = 0; n < lines; ++n) {
            if (n % 8 == 0) {
                u32 any = 0;
                for (u64 i = 0; i < 8; ++i) any |= marks[n + i];
                if (any == 0) {
                    n += 7;
                    continue;
                }
            }
            if (marks[n] == 0) continue;
            marks[n] = 0;
            line(n);
        }
    }
    add_up<Number>(totals, scanned);
    return scanned;
}

} // namespace

extern const ScanKernel KTSOLVE_KERNEL;
const ScanKernel KTSOLVE_KERNEL = {scan<u32>, scan<u64>};

} // namespace ktsolve::join
