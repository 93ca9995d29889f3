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
// V is the value of one matching: 8 counts of 8 different patterns side by side, or one count.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "common/eight.hpp"
#include "join/transitions.hpp"

namespace ktsolve::join {

// Places in b that are summed up: for k pairs and mate x, for each matching of 2k-2 ends, 2k-2 ranks.
class ContractionLists {
  public:
    static constexpr int kMostListed = 7;
    ContractionLists();
    const u32* places(int pairs, int x) const {
        return lists_[static_cast<std::size_t>(pairs)].data() +
               static_cast<std::size_t>(x - 1) * kMatchings[pairs - 1] * static_cast<u64>(2 * pairs - 2);
    }
    const u8* completions(int rank) const { return &three_[static_cast<std::size_t>(8 * rank)]; }
    u64 bytes() const;
    void prepare(int pairs); // makes the lists for at most so many pairs

  private:
    std::array<std::vector<u32>, kMostListed + 1> lists_;
    std::array<u8, 15 * 8> three_{};
};

inline constexpr int kMostClosed = 9; // pairs; the ends on a separator of 19

// Working memory of one thread.
template <class V> struct ContractionSpace {
    std::array<std::vector<V>, 10> level;
    std::function<void()> pause; // called now and then in large contractions; may throw
};

// Writes C_k(b) to `closed`, kMatchings[k] values. Sums of b must fit. Beyond kMostListed pairs only
// single counts are taken, beyond kMostClosed none.
template <class V>
void close_cycles(int pairs, const V* b, V* closed, const ContractionLists& lists, Transitions& transitions,
                  ContractionSpace<V>& space);

extern template void close_cycles<Narrow8>(int, const Narrow8*, Narrow8*, const ContractionLists&,
                                           Transitions&, ContractionSpace<Narrow8>&);
extern template void close_cycles<Wide8>(int, const Wide8*, Wide8*, const ContractionLists&, Transitions&,
                                         ContractionSpace<Wide8>&);
extern template void close_cycles<u64>(int, const u64*, u64*, const ContractionLists&, Transitions&,
                                       ContractionSpace<u64>&);

} // namespace ktsolve::join
