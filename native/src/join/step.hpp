// Elimination of one vertex: the layer after it is merged from the layer before it.
//
// Each edge choice adds one constant to the pattern, so its results come in pattern order when the sources
// are read in pattern order. There is one cursor per choice in the old layer. The smallest new pattern among
// the cursors is the next group, and all cursors that yield it add their entries, through the tables, to one
// accumulator. Nothing is hashed or sorted; memory is read and written in order. Threads take ranges of new
// patterns.
//
// Rejected: hashing states one by one, which took twenty times as long for the same plan.
#pragma once

#include <algorithm>

#include "join/context.hpp"
#include "join/edge_choices.hpp"
#include "join/restriction.hpp"

namespace ktsolve::join {

Layer take_step(const Layer& old, const std::vector<EdgeChoice>& choices, const Restriction& restriction,
                Context& context);
// The same; the memory of the old layer is used for the new one as soon as it is read.
Layer take_step(Layer&& old, const std::vector<EdgeChoice>& choices, const Restriction& restriction,
                Context& context);

// What a step leads to, from some of the groups: states that become equal are counted each by itself.
class StatesAfter {
  public:
    StatesAfter(const Layer& old, const std::vector<EdgeChoice>& choices, const Restriction& restriction);

    double growth() const { return growth_; } // states by states before
    // The largest share of the states that have one degree in a slot.
    double largest_part(int slot) const;

  private:
    double growth_ = 0;
    std::array<std::array<u64, 4>, kMostSlots> states_{}; // by slot and field
};

// The sum of two layers, whose memory is used for it as they are read.
Layer sum(Layer&& one, Layer&& other, Context& context);

// Adds to each group the mirror image of the group of its mirror pattern, and keeps one of the two. The
// memory of the old layer is used for the new one as it is read.
Layer fold(Layer&& old, const FieldPermutation& mirror, Context& context);

// The states with their fields in other slots.
Layer renumbered(const Layer& old, const FieldPermutation& slots, Context& context);

// Ranges of new patterns with about equal work each.
struct Ranges {
    std::vector<u64> cuts; // range i is cuts[i] <= pattern < cuts[i + 1]
    u64 size() const { return cuts.size() - 1; }
    u64 of(u64 pattern) const {
        return static_cast<u64>(std::upper_bound(cuts.begin(), cuts.end(), pattern) - cuts.begin()) - 1;
    }
};
Ranges ranges_for(std::initializer_list<const Layer*> old, const std::vector<EdgeChoice>& choices,
                  int threads);
// The same where each group gets another pattern.
Ranges ranges_for(const Layer& old, const FieldPermutation& slots, int threads);

} // namespace ktsolve::join
