// One half: the sweep, vertex by vertex, from the empty state to the table of states on the separator.
#pragma once

#include <string>

#include "join/groups.hpp"
#include "join/step.hpp"
#include "ktsolve/graph.hpp"
#include "ktsolve/join.hpp"

namespace ktsolve::join {

// How a half is made. Vertices are those of the graph.
struct HalfTask {
    const Graph& graph;
    const std::vector<int>& eliminate;                // in this order
    const std::vector<int>& separator;                // slot i at the end holds separator[i]
    const std::vector<std::vector<int>>& preapplied;  // then these sets of separator edges, in one step each
    const std::vector<int>& mirror;                   // image of every vertex, or empty
    const std::vector<int>& colour;                   // 0 or 1 of every vertex, for a split vertex
    int split;                                        // the split vertex, the last of the separator, or -1
    bool mirror_swaps;                                // the mirror exchanges the colours
    const std::vector<std::vector<int>>& block_cells; // sets of separator vertices
    const std::vector<int>& block_sums;               // the sums of their degrees, or empty: no restriction
    std::string files; // beginning of the names of files to keep layers in, or empty
};

struct Half {
    Layer layer;
    bool folded = false;     // counts are twice the true ones, mirror patterns are left out
    FieldPermutation mirror; // of the separator slots, when folded
};

// Slots of all vertices while the half is made. Eliminated vertices share slots one after the other; those of
// the separator keep theirs.
std::vector<int> assign_slots(const HalfTask& task);

Half make_half(const HalfTask& task, Context& context, std::vector<LayerReport>& log);

} // namespace ktsolve::join
