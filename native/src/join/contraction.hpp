// The number of pairs of matchings that form one cycle, weighted, without trying pairs.
//
// Given two vectors a, b over the matchings of the same 2k ends, wanted is
//
//     J_k(a, b) = sum of a[m] * b[n] over all m, n whose union is one cycle through all ends.
//
// Ranks sort a by the mate x of the first end: block x of a is a vector over the matchings of the other 2k-2
// ends. For each x, *contract* (0, x) in all of b at once: a matching of b in which 0 and x are mates closes
// a cycle too early and drops out; in every other one their mates become mates. So
//
//     J_k(a, b) = sum over x of J_{k-1}(block x of a, b contracted by (0, x)),
//
// and each contracted value is the sum of 2k-2 values of b at places that do not depend on anything but k
// and x. All of it takes about (2k-1)!! * k * (k-1) additions instead of (2k-1)!!^2 / 2 products; pair by
// pair 8x8 takes fifty times as long. At k = 3 each of the 15 matchings is completed by 8 others, which are
// listed; so are those at k = 2.
//
// V is what stands at one place: 8 counts of 8 different patterns side by side, or one.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "join/transitions.hpp"

namespace ktsolve::join {

typedef u32 Narrow8 __attribute__((vector_size(32)));
typedef u64 Wide8 __attribute__((vector_size(64)));

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
    void prepare(int pairs); // makes the lists of up to so many pairs

  private:
    std::array<std::vector<u32>, kMostListed + 1> lists_;
    std::array<u8, 15 * 8> three_{};
};

// Working memory of one thread.
template <class V> struct ContractionSpace {
    std::array<std::vector<V>, 10> level;
    std::function<void()> pause; // called now and then in large contractions; may throw
};

// Sets `total` to J_k(a, b). `Total` is Wide8 for vectors (the caller has bounded the sum), u128 for single
// counts. Beyond kMostListed pairs only single counts are taken.
template <class V, class Total>
void join_groups(int pairs, const V* a, const V* b, const ContractionLists& lists, Transitions& transitions,
                 ContractionSpace<V>& space, Total& total);

extern template void join_groups<Narrow8, Wide8>(int, const Narrow8*, const Narrow8*, const ContractionLists&,
                                                 Transitions&, ContractionSpace<Narrow8>&, Wide8&);
extern template void join_groups<Wide8, Wide8>(int, const Wide8*, const Wide8*, const ContractionLists&,
                                               Transitions&, ContractionSpace<Wide8>&, Wide8&);
extern template void join_groups<u64, u128>(int, const u64*, const u64*, const ContractionLists&,
                                            Transitions&, ContractionSpace<u64>&, u128&);

} // namespace ktsolve::join
