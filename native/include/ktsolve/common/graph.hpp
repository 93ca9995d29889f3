// A simple undirected graph in which some edges must be used.
//
// The search, the sweeps and the join find or count Hamiltonian *cycles* of such a graph. An open tour is a
// cycle too: the caller adds one extra vertex joined to every cell where a tour may end. Forbidden moves are
// edges that the graph lacks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ktsolve {

struct Graph {
    int vertices = 0;
    std::vector<std::pair<int, int>> edges; // first < second, all different
    std::vector<std::uint8_t> required;     // one flag per edge
    // One flag per vertex: a cycle may leave it out. Empty where every cycle visits all vertices.
    std::vector<std::uint8_t> optional = {};
    // Whether a cycle leaves out an edge between two of its vertices only if one is not optional.
    bool induced = false;

    // Throws std::invalid_argument for anything that is not such a graph.
    void validate() const {
        if (vertices < 0) throw std::invalid_argument("a graph cannot have fewer than 0 vertices");
        if (required.size() != edges.size())
            throw std::invalid_argument("there is one 'required' flag per edge");
        if (!optional.empty() && optional.size() != static_cast<std::size_t>(vertices))
            throw std::invalid_argument("there is one 'optional' flag per vertex");
        std::vector<std::pair<int, int>> sorted = edges;
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            const auto [u, v] = sorted[i];
            if (u < 0 || u >= v || v >= vertices)
                throw std::invalid_argument("an edge is a pair u < v of vertices");
            if (i > 0 && sorted[i] == sorted[i - 1])
                throw std::invalid_argument("the same edge was given twice");
        }
    }
};

} // namespace ktsolve
