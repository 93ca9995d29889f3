// The leading patterns that a half can leave, as a tree of their degrees in the order of the group's slots.
//
// A state is of use only if some of them can still come of it: each degree grows at most by the number of
// edges to come. Where few patterns lead, this drops more states than bounds for single degrees and their
// sum: of a part of the 6-cube with 328 patterns two thirds.
#pragma once

#include <array>
#include <vector>

#include "join/pattern.hpp"

namespace ktsolve::join {

struct HalfTask;

class LeadingPatterns {
  public:
    // Those of the task's block. None are known where they are too many, or with a split vertex.
    explicit LeadingPatterns(const HalfTask& task);

    bool known() const { return !nodes_.empty(); }

    // What a half has done at a vertex of the separator: the slot's bits, if the vertex is in the frontier,
    // and the number of edges to come.
    struct Progress {
        int shift = -1;
        int to_come = 0;
    };
    using AllProgress = std::array<Progress, kMostSlots>; // by the group's order
    bool may_come_of(u64 pattern, const AllProgress& progress) const {
        return may_come_of(pattern, progress, 0, 0);
    }

  private:
    using Node = std::array<u32, 3>; // the children by degree; 0: none

    bool may_come_of(u64 pattern, const AllProgress& progress, std::size_t depth, u32 node) const;

    std::size_t slots_;
    std::vector<Node> nodes_; // the first is the root
};

} // namespace ktsolve::join
