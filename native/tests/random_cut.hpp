// Random graphs that a separator cuts, with the plan of a join: any separation, edges of the separator
// deferred and pre-applied on both sides.
#pragma once

#include <array>

#include "check.hpp"
#include "ktsolve/join/count.hpp"

struct RandomCut {
    ktsolve::Graph graph; // without edges from the top to the bottom
    ktsolve::JoinPlan plan;
    std::vector<int> chosen; // half of the edges
};

inline RandomCut random_cut(std::mt19937& random, int vertices, double density, double required) {
    const ktsolve::Graph whole = random_graph(random, vertices, density, required);
    std::vector<int> side(static_cast<std::size_t>(vertices));
    for (int& s : side) s = static_cast<int>(random() % 3);
    side[0] = 0;
    side[1] = 1;
    side[2] = 2;
    RandomCut cut;
    ktsolve::JoinPlan& plan = cut.plan;
    for (int v = 0; v < vertices; ++v)
        std::array{&plan.top, &plan.bottom,
                   &plan.separator}[static_cast<std::size_t>(side[static_cast<std::size_t>(v)])]
            ->push_back(v);
    cut.graph.vertices = vertices;
    for (std::size_t e = 0; e < whole.edges.size(); ++e) {
        const auto [u, v] = whole.edges[e];
        const int a = side[static_cast<std::size_t>(u)], b = side[static_cast<std::size_t>(v)];
        if (a + b == 1) continue;
        const int number = static_cast<int>(cut.graph.edges.size());
        if (a == 2 && b == 2) {
            const auto way = random() % 4;
            if (way < 2)
                (way == 0 ? plan.top_deferred : plan.bottom_deferred).push_back(number);
            else
                (way == 2 ? plan.top_preapplied : plan.bottom_preapplied).push_back({number});
        }
        if (random() % 2 == 0) cut.chosen.push_back(number);
        cut.graph.edges.push_back(whole.edges[e]);
        cut.graph.required.push_back(whole.required[e]);
    }
    return cut;
}
