// The cycle that the choices of all steps make.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "frontier/plan.hpp"
#include "frontier/states.hpp"

namespace ktsolve::frontier {

// Appends the vertices of the cycle, from the lowest one towards its lower neighbour. `choices` may end with
// the step at which the cycle closed.
inline void append_cycle(const Graph& graph, const Plan& plan, const std::vector<Choice>& choices,
                         std::vector<std::int32_t>& cycles) {
    std::vector<std::array<std::int32_t, 2>> beside(graph.vertices, {-1, -1});
    const auto link = [&](int edge) {
        const auto [u, v] = graph.edges[static_cast<std::size_t>(edge)];
        beside[u][beside[u][0] >= 0] = v;
        beside[v][beside[v][0] >= 0] = u;
    };
    for (const int edge : plan.pairs) link(edge);
    for (std::size_t s = 0; s < choices.size(); ++s)
        for (const int place : {choices[s].first, choices[s].second})
            if (place >= 0) link(plan.steps[s].later[static_cast<std::size_t>(place)].edge);
    std::int32_t before = -1, first = 0;
    while (beside[first][0] < 0) ++first;
    std::int32_t at = first;
    do {
        cycles.push_back(at);
        const auto& [a, b] = beside[at];
        const std::int32_t next = before < 0 ? (a < b ? a : b) : (a == before ? b : a);
        before = at;
        at = next;
    } while (at != first);
}

} // namespace ktsolve::frontier
