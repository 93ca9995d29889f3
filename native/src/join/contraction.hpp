// The number of cycles that each matching closes with a weighted set of others, without trying pairs.
//
// Given a vector b over the matchings of 2k ends, compute for every matching m
//
//     C_k(b)[m] = sum of b[n] over all n whose union with m is one cycle through all ends,
//
// so that the weighted number of pairs of a and b is the scalar product a * C_k(b). Ranks sort m by the mate
// x of the first end. For each x, *contract* (0, x) in all of b at once: a matching of b in which 0 and x are
// mates closes a cycle too early and is dropped; in every other one the mates of 0 and of x become mates. So
//
//     block x of C_k(b) = C_{k-1}(b contracted by (0, x)),
//
// and each contracted value is the sum of 2k-2 values of b at places that do not depend on anything but k
// and x. In total this takes about (2k-1)!! * k * (k-1) additions instead of (2k-1)!!^2 / 2 products; pair by
// pair 8x8 takes fifty times as long. At k = 3 each of the 15 matchings is completed by 8 others, which are
// listed; so are those at k = 2. C(b) does not depend on a: it serves each table that is joined with b.
//
// V is the value of one matching: 8 counts of 8 different patterns side by side, or one count. The loops over
// eight are compiled for each level of vector instructions (contraction_kernel.hpp).
#pragma once

#include <functional>
#include <tuple>
#include <type_traits>
#include <vector>

#include "common/eight.hpp"
#include "common/pages.hpp"
#include "common/workers.hpp"
#include "join/contraction_places.hpp"
#include "join/matching.hpp"

namespace ktsolve::join {

template <class V> constexpr int kLanes = std::is_same_v<V, u64> ? 1 : 8;
template <class V> using Number = std::conditional_t<std::is_same_v<V, Narrow8>, u32, u64>;

// Words of memory in which many rows have a place, and the first of them: vectors of 64 bytes must be
// aligned.
template <class V> constexpr std::size_t words_of_rows(u64 many) {
    return many * (sizeof(V) / sizeof(u64)) + 8;
}
template <class V> V* rows_in(PagedVector<u64>& memory) {
    const auto at = reinterpret_cast<std::uintptr_t>(memory.data());
    return reinterpret_cast<V*>((at + 63) / 64 * 64);
}

class ContractionLists {
  public:
    static constexpr int kMostListed = 7;
    ContractionLists();
    ContractionLists(const ContractionLists&) = delete; // its places are its own
    ContractionLists& operator=(const ContractionLists&) = delete;
    const ContractionPlaces& places() const { return places_; }
    const u8* completions(int rank) const { return &three_[static_cast<std::size_t>(8 * rank)]; }
    // Bytes of the lists, and of the working memory of threads that use them.
    u64 bytes(int threads) const;
    // Makes the lists for at most a given number of pairs.
    void prepare(int pairs, Workers& workers);

  private:
    std::array<std::vector<u16>, 3> short_; // of 4, 5 and 6 pairs
    PagedVector<u32> long_;                 // of 7
    ContractionPlaces places_;
    std::array<u8, 15 * 8> three_{};
};

inline constexpr int kMostClosed = 9; // pairs; the ends on a separator of 19

// Working memory of one thread.
struct ContractionSpace {
    PagedVector<u64> scratch;              // rows
    std::function<void()> pause;           // called now and then with more than 7 pairs; may throw
    std::array<PagedVector<u64>, 2> level; // of single counts of 7 and 8 pairs
    std::vector<std::pair<Mates, u64>> entries;
    PagedVector<u64> rows, done;
};

// Writes C_k(b) to `closed`, kMatchings[k] values. Sums of b must fit. Beyond kMostListed pairs only
// single counts are taken, beyond kMostClosed none.
template <class V>
void close_cycles(int pairs, const V* b, V* closed, const ContractionLists& lists, ContractionSpace& space);

extern template void close_cycles<Narrow8>(int, const Narrow8*, Narrow8*, const ContractionLists&,
                                           ContractionSpace&);
extern template void close_cycles<Wide8>(int, const Wide8*, Wide8*, const ContractionLists&,
                                         ContractionSpace&);
extern template void close_cycles<u64>(int, const u64*, u64*, const ContractionLists&, ContractionSpace&);

// Writes `many` rows; column c begins at columns[c * stride].
void rows_of_columns(const u32* columns, u64 stride, u64 many, Narrow8* rows);
void rows_of_columns(const u64* columns, u64 stride, u64 many, Wide8* rows);

} // namespace ktsolve::join
