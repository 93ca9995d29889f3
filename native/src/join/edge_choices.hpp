// Edge choices, compiled to patterns: a test, a constant to add, and the edges as look-ups.
//
// Eliminating a vertex of degree d means choosing 2 - d of its remaining edges; adding edges between frontier
// vertices means choosing a subset. Each choice applies to the patterns that pass a mask test, adds one
// constant to them, and acts on the matching as a few *runs*. A run is a path of chosen edges whose inner
// vertices are full afterwards; it acts like one edge between its two ends.
#pragma once

#include <vector>

#include "join/pattern.hpp"

namespace ktsolve::join {

struct Run {
    int p, q; // slots
};

struct EdgeChoice {
    u64 test = 0, value = 0; // applies to patterns with (pattern & test) == value
    u64 delta = 0;           // pattern after = pattern + delta (mod 2^64)
    std::vector<Run> runs;
    std::vector<int> chosen; // the edges, by their places in the list, in order
    // The test on the result: which patterns this choice can lead to.
    u64 need_some = 0, need_full = 0; // low bits: fields that must be 1 or 2; that must be 2

    bool applies(u64 pattern) const { return (pattern & test) == value; }
    bool leads_to(u64 after) const {
        const u64 low = after & kLow, high = (after >> 1) & kLow;
        return ((low | high) & need_some) == need_some && (high & need_full) == need_full;
    }
};

// One end of an edge: its slot, and what the edge adds to the slot's field.
struct Port {
    int slot;
    u64 increment; // 1, or 2 for a white end at a split vertex
};

struct PortEdge {
    Port p, q;
    bool required;
    bool tallied = false; // adds 1 to the uses in the pattern
};

// Choices that eliminate the vertex in `slot`, by its edges to later vertices, whose ports are `p` (`q` is
// the vertex). `split_slot` is that of a split vertex, or -1.
std::vector<EdgeChoice> elimination_choices(int slot, const std::vector<PortEdge>& edges, int split_slot);

// Subsets of edges between frontier vertices.
std::vector<EdgeChoice> subset_choices(const std::vector<PortEdge>& edges, int split_slot);

// Of subsets of edges at the vertex that stands for the ends of a tour, in `slot`, those that are counted in
// a plan with ends turned (JoinPlan::turned), and twice those that count twice.
std::vector<EdgeChoice> turned_choices(const std::vector<EdgeChoice>& subsets, int slot, int split_slot);

} // namespace ktsolve::join
