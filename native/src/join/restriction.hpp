// A sweep restricted to one block of states: those in which the degrees of given sets of separator vertices
// have given sums.
//
// Degrees grow at most by the number of edges that are still to come, so most states outside the block are
// dropped long before the end. The blocks of a half are disjoint and together are the whole table; each takes
// a fraction of the memory. With a group of symmetries only the patterns that lead their orbits are kept
// (pattern_group.hpp).
#pragma once

#include <bit>
#include <vector>

#include "join/leading_patterns.hpp"
#include "join/pattern_group.hpp"

namespace ktsolve::join {

class Restriction {
  public:
    // The sum of the fields in the slots must lie between `least` and `most`.
    void require(const std::vector<int>& slots, int least, int most) {
        Bound bound{0, least, most};
        for (const int slot : slots) bound.low |= field(slot, 1);
        bounds_.push_back(bound);
    }
    // Only patterns that may lead their orbits, as far as the first `known` slots tell. Of the others those
    // in `slots` hold vertices of the separator. The group must outlive this.
    void lead(const PatternGroup& group, std::size_t known, const std::vector<int>& slots) {
        group_ = &group;
        known_ = known;
        for (const int slot : slots) fields_ |= field(slot, 3);
    }
    // Only patterns of which one of these may still come, which must outlive this.
    void come_to(const LeadingPatterns& leading, const LeadingPatterns::AllProgress& progress) {
        leading_ = &leading;
        progress_ = progress;
    }
    // At most so many of the slots hold ends.
    void end(const std::vector<int>& slots, int most) {
        most_ends_ = most;
        for (const int slot : slots) may_end_ |= field(slot, 1);
    }
    bool admits(u64 pattern) const {
        for (const Bound& bound : bounds_) {
            const int sum =
                std::popcount(pattern & bound.low) + 2 * std::popcount((pattern >> 1) & bound.low);
            if (sum < bound.least || sum > bound.most) return false;
        }
        if (may_end_ != 0 && std::popcount(pattern & ~(pattern >> 1) & may_end_) > most_ends_) return false;
        if (leading_ != nullptr) return leading_->may_come_of(pattern, progress_);
        return group_ == nullptr || group_->may_lead(pattern & fields_, known_);
    }

  private:
    struct Bound {
        u64 low;
        int least, most;
    };
    std::vector<Bound> bounds_;
    const PatternGroup* group_ = nullptr;
    std::size_t known_ = 0;
    u64 fields_ = 0, may_end_ = 0;
    int most_ends_ = 0;
    const LeadingPatterns* leading_ = nullptr;
    LeadingPatterns::AllProgress progress_{};
};

} // namespace ktsolve::join
