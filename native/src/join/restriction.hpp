// Sweeping only the states of one class: those in which the degrees of certain middle cells have given sums.
//
// Degrees only grow, and by what is still to come at most, so that most of what lies outside the class is
// dropped long before the end. The classes of a half together are the whole, each in a fraction of the
// memory.
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
