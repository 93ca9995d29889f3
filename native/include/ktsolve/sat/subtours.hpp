// The subtours of a union of disjoint cycles, and joining them where that is easy.
//
// Solutions of degree constraints fall into several cycles. Two of them, one through an edge a-b and the
// other through c-d, become one when a-b and c-d are exchanged for a-c and b-d; on knight boards most
// cycles find such a pair, parallel moves one move apart. Subtours that cannot be joined are cut by the
// caller.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace ktsolve {

struct Subtours {
    int parts = 0;
    std::vector<std::int32_t> part;    // of every node, numbered by their first nodes
    std::vector<std::int32_t> toggled; // arcs that were exchanged to join cycles, in any order
};

// `used` flags the arcs of the solution. Where `free` is not empty, cycles are joined by exchanging used and
// unused arcs that are free: only if every node has two used arcs. Linear in the arcs times their number at
// a node, for each pass over the nodes; passes end when nothing joins. Throws std::invalid_argument.
Subtours find_subtours(int nodes, const std::vector<std::pair<int, int>>& arcs,
                       const std::vector<std::uint8_t>& used, const std::vector<std::uint8_t>& free);

} // namespace ktsolve
