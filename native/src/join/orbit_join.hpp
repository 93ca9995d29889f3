// The join of two tables that hold the leading patterns of a group's orbits only (pattern_group.hpp).
//
// The group maps each pair of patterns, a top's and its complement, to one with the same number of cycles. So
// one pattern of each orbit is joined, and weighted by the size of the orbit. The complement need not lead
// its orbit below: the entries of its leading image are renamed to the ends of the top's pattern.
#pragma once

#include "join/join_step.hpp"
#include "join/pattern_group.hpp"

namespace ktsolve::join {

struct OrbitJoin {
    const Layer &top, &bottom;
    const PatternGroup &top_group, &bottom_group;
    const FieldPermutation* flip; // of separator slots, when the bottom's table is made as a top, or nullptr
    bool same;                    // with a flip: both are the same table
    u64 full;                     // the sum of complementary patterns
    Context& context;
    u64 part, parts;
};

// A group of a table, by its pattern.
struct GroupOfOrbit {
    u64 pattern = 0;
    GroupRef group;
};
std::vector<GroupOfOrbit> groups_of(const Layer& layer, Workers& workers);

// The leading image below of a top's complement: to[i] is the end of the top's that its end i is.
struct Opposite {
    u64 pattern = 0;
    std::array<u8, kMostEnds> to{};
    const GroupOfOrbit* found = nullptr; // its group, if it has one
};
Opposite opposite_of(const OrbitJoin& step, const std::vector<GroupOfOrbit>& bottoms, u64 top);

// The totals are by the number of pairs of ends in the pattern.
JoinResult run_orbit_join(const OrbitJoin& step);

} // namespace ktsolve::join
