// The number of cycles by how many tallied edges they use.
//
// The uses of a state are a part of its pattern (the bits from kUsesShift on), so that an edge choice adds
// its uses to the pattern with its degrees: the sweep, the folding and the files are those of a count. A
// state is stored once for each number of uses that occurs, with the number of ways that have it; on 8x8 with
// the moves of one slope these are 2.9 times the states of the count, and their counts are smaller.
//
// The join takes one pattern at a time. The bottom's groups of v, v + 1, ..., v + 7 uses lie in eight vector
// lanes; one contraction closes all eight, and each entry of the top, which has u uses, is looked up once for
// all lanes: lane i adds to the cycles of u + v + i uses.
//
// Rejected: values of the generating function modulo primes at as many points as a cycle can have uses, and
// one more, with interpolation. On 8x8 each slope takes 2 primes and 33 points or more; one of these 66
// sweeps and joins takes more than half of the time of the whole tally.
#pragma once

#include "join/lanes.hpp"

namespace ktsolve::join {

class TallyWorkspace : Lanes {
  public:
    TallyWorkspace(const JoinStep& step, const ContractionLists& lists, int worker);

    JoinResult result; // totals[u]: cycles of u uses

    void take(u64 pattern, u64 opposite, u64 weight);

  private:
    template <class V> void work(u64 pattern, u64 opposite, int pairs, u64 weight);
    template <class V, class Total> void weigh(const V* closed, const V* mirrored, u32 from, u64 weight);

    SourceSearch search_;
    std::vector<Source> bottom_, top_;
    u32 least_ = 0, greatest_ = 0; // uses of the bottom's sources
    bool wide_totals_ = false;     // totals may pass 64 bits
};

} // namespace ktsolve::join
