// A sweep restricted to one block of states: those in which the degrees of given sets of separator vertices
// have given sums.
//
// Degrees grow at most by the number of edges that are still to come, so most states outside the block are
// dropped long before the end. The blocks of a half are disjoint and together are the whole table; each takes
// a fraction of the memory.
#pragma once

#include <bit>
#include <vector>

#include "join/pattern.hpp"

namespace ktsolve::join {

class Restriction {
  public:
    // The sum of the fields in the slots must lie between `least` and `most`.
    void require(const std::vector<int>& slots, int least, int most) {
        Bound bound{0, least, most};
        for (const int slot : slots) bound.low |= field(slot, 1);
        bounds_.push_back(bound);
    }
    bool admits(u64 pattern) const {
        for (const Bound& bound : bounds_) {
            const int sum =
                std::popcount(pattern & bound.low) + 2 * std::popcount((pattern >> 1) & bound.low);
            if (sum < bound.least || sum > bound.most) return false;
        }
        return true;
    }

  private:
    struct Bound {
        u64 low;
        int least, most;
    };
    std::vector<Bound> bounds_;
};

} // namespace ktsolve::join
