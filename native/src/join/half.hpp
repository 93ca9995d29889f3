// One half: from nothing to the table of states on the middle cells, vertex by vertex.
#pragma once

#include <string>

#include "join/groups.hpp"
#include "join/step.hpp"
#include "ktsolve/graph.hpp"
#include "ktsolve/join.hpp"

namespace ktsolve::join {

// What a half is made from. Vertices are those of the graph.
struct HalfTask {
    const Graph& graph;
    const std::vector<int>& eliminate; // in this order
    const std::vector<int>& middle;    // slot i at the end holds middle[i]
    const std::vector<std::vector<int>>&
        absorb;                     // then these sets of edges between middle cells, in one step each
    const std::vector<int>& mirror; // image of every vertex, or empty
    const std::vector<int>& colour; // 0 or 1 of every vertex, for a split vertex
    int split;                      // the split vertex, the last of the middle, or -1
    bool mirror_swaps;              // the mirror exchanges the colours
    const std::vector<std::vector<int>>& class_cells; // sets of middle cells
    const std::vector<int>& class_sums;               // what their degrees sum to, or empty: no restriction
    std::string files; // beginning of the names of files to keep layers in, or empty
};

struct Half {
    Layer layer;
    bool folded = false;     // counts are twice the true ones, mirror patterns are left out
    FieldPermutation mirror; // of the middle slots, when folded
};

// Slots of all vertices while the half is made: vertices take turns, those of the middle keep theirs.
std::vector<int> assign_slots(const HalfTask& task);

Half make_half(const HalfTask& task, Workshop& shop, std::vector<LayerReport>& log);

} // namespace ktsolve::join
