// Plans of joins for the tests: boards cut along rows.
#pragma once

#include "check.hpp"
#include "ktsolve/join.hpp"

// `first` rows above, two in the middle; middle edges are given to the sides by turns.
inline ktsolve::JoinPlan rows_plan(const ktsolve::Graph& graph, int rows, int columns, int first) {
    ktsolve::JoinPlan plan;
    for (int row = 0; row < first; ++row)
        for (int c = 0; c < columns; ++c) plan.top.push_back(row * columns + c);
    for (int row = first; row < first + 2; ++row)
        for (int c = 0; c < columns; ++c) plan.separator.push_back(row * columns + c);
    for (int row = rows - 1; row >= first + 2; --row)
        for (int c = 0; c < columns; ++c) plan.bottom.push_back(row * columns + c);
    std::set<int> separator(plan.separator.begin(), plan.separator.end());
    int n = 0;
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
        if (separator.count(graph.edges[e].first) > 0 && separator.count(graph.edges[e].second) > 0)
            (n++ % 2 == 0 ? plan.top_deferred : plan.bottom_deferred).push_back(static_cast<int>(e));
    return plan;
}

// 6x6 along its middle rows, with the flip of rows and the mirror of columns.
inline ktsolve::JoinPlan symmetric_plan(const ktsolve::Graph& graph, bool mirrored) {
    ktsolve::JoinPlan plan = rows_plan(graph, 6, 6, 2);
    for (int v = 0; v < 36; ++v) {
        plan.flip.push_back(6 * (5 - v / 6) + v % 6);
        if (mirrored) plan.top_mirror.push_back(6 * (v / 6) + 5 - v % 6);
    }
    plan.bottom_mirror = plan.top_mirror;
    plan.mirror_joins = mirrored;
    plan.top_deferred.clear();
    plan.bottom_deferred.clear();
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto [u, v] = graph.edges[e];
        if (u / 6 != 2 || v / 6 != 3) continue;
        // Mirror images of each other: one leads to the right from columns 0 and 1, the other to the left.
        const bool right = v % 6 > u % 6;
        const bool upper = right ? u % 6 < 2 : u % 6 > 3;
        (upper ? plan.top_deferred : plan.bottom_deferred).push_back(static_cast<int>(e));
    }
    return plan;
}
