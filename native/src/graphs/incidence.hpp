// The edges at each vertex of a graph, in compressed form.
#pragma once

#include <vector>

#include "ktsolve/common/graph.hpp"

namespace ktsolve {

struct Incidence {
    std::vector<int> first; // vertex v has the places first[v] .. first[v + 1] - 1
    std::vector<int> edge;  // edge number
    std::vector<int> to;    // the other end
};

// At each vertex in the given order of all edges, by number.
inline Incidence incidence_of(const Graph& graph, const std::vector<int>& order) {
    Incidence found{std::vector<int>(graph.vertices + 1), std::vector<int>(2 * order.size()),
                    std::vector<int>(2 * order.size())};
    for (const auto& [u, v] : graph.edges) ++found.first[u + 1], ++found.first[v + 1];
    for (int v = 0; v < graph.vertices; ++v) found.first[v + 1] += found.first[v];
    std::vector<int> place(found.first.begin(), found.first.end() - 1);
    for (const int e : order) {
        const auto [u, v] = graph.edges[e];
        found.edge[place[u]] = found.edge[place[v]] = e;
        found.to[place[u]++] = v;
        found.to[place[v]++] = u;
    }
    return found;
}

} // namespace ktsolve
