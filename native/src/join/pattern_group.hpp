// A group of permutations of the slots of a separator, and the patterns that lead their orbits.
//
// Patterns are compared slot by slot, in a given order of the slots: of the images of a pattern under the
// group the *leading* one has the largest degrees. A sweep keeps the states of leading patterns only. The
// slots come in the order in which their degrees become final, so that most patterns are dropped as soon as
// the first few degrees show that some image is larger.
//
// An element h of the group reads the slots h(t_1), h(t_2), ... where t_1, t_2, ... is the order. These
// sequences are kept as a tree: elements that begin alike are compared together.
#pragma once

#include <vector>

#include "join/pattern.hpp"

namespace ktsolve::join {

class PatternGroup {
  public:
    static constexpr std::size_t kMost = 200'000; // elements

    // The group that some permutations of the slots generate; to[s] is the slot that slot s goes to. All
    // slots stand in `order`. Throws std::length_error if the group is too large.
    PatternGroup(const std::vector<std::vector<u8>>& generators, std::vector<u8> order);

    u64 size() const { return size_; }
    const std::vector<u8>& order() const { return order_; }

    // Whether the pattern may be leading, as far as its first `known` slots tell; the degrees of the others
    // may grow.
    bool may_lead(u64 pattern, std::size_t known) const;

    // The leading image of a pattern.
    struct Leading {
        u64 pattern = 0;
        u64 stabilizer = 1;            // elements of the group that keep the pattern
        std::array<u8, kMostSlots> to; // where the slots go
    };
    Leading leading(u64 pattern) const;
    // Where the slots go by each element that keeps the pattern.
    std::vector<std::array<u8, kMostSlots>> keepers(u64 pattern) const;

  private:
    // Nodes of the tree, level by level: the children of a node lie side by side.
    struct Node {
        u32 first, end; // its children, or its elements beyond the last level
        u8 slot;
    };

    static int value(u64 pattern, int slot) { return static_cast<int>((pattern >> (2 * slot)) & 3); }
    bool may_lead(u64 pattern, std::size_t known, std::size_t depth, u32 first, u32 end) const;

    std::vector<u8> order_;
    std::array<u8, kMostSlots> place_{}; // of a slot in the order
    u64 size_ = 0;
    std::vector<std::vector<Node>> levels_; // one for each slot
    std::vector<u8> elements_;              // sorted; order_.size() slots each
};

} // namespace ktsolve::join
