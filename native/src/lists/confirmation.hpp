// The second method: cycles of small graphs by sets of vertices, or by the frontier sweep.
//
// Bellman, Held & Karp (1962): for each set of vertices, the vertices at which a path from vertex 0 through
// the set may end. It shares nothing with the search but the graph.
#pragma once

#include <optional>
#include <vector>

#include "lists/small_graph.hpp"

namespace ktsolve {

class Confirmation {
  public:
    static constexpr int kMostForSets = 16;

    // Whether an undirected graph of 3 vertices or more has a Hamiltonian cycle; nothing if that takes too
    // long.
    std::optional<bool> has_cycle(const SmallGraph& graph);
    // The number of these cycles; nothing if that takes too long, or 64 bits are not enough.
    std::optional<u64> cycles(const SmallGraph& graph);
    // Bit k is set if there is a cycle of k vertices, 3 or more, also of a directed graph; nothing for more
    // vertices than kMostForSets.
    std::optional<u64> cycle_lengths(const SmallGraph& graph);

  private:
    std::vector<u16> ends_;   // of each set of the vertices 1, 2, ...
    std::vector<u64> counts_; // of each set and each end
};

} // namespace ktsolve
