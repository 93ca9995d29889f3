// Plans of joins for the tests: boards cut along rows.
#pragma once

#include "check.hpp"
#include "ktsolve/join/count.hpp"

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

// 10x5 along its middle rows, in blocks by two cells of the separator, the halves with a stage after two
// rows.
inline ktsolve::JoinPlan plan_in_stages(const ktsolve::Graph& graph) {
    ktsolve::JoinPlan plan = rows_plan(graph, 10, 5, 4);
    plan.blocks = {{20}, {27}};
    std::vector<std::vector<int>> sums;
    for (int a = 0; a <= 2; ++a)
        for (int b = 0; b <= 2; ++b) sums.push_back({a, b});
    plan.top_stages = {{10, {{10}, {17}}, sums}};
    plan.bottom_stages = {{10, {{39}, {32}}, sums}};
    return plan;
}

// The settings that join all blocks of the top with some of the bottom: every second one, from 0 or 1 on.
inline ktsolve::JoinSettings in_blocks(const ktsolve::JoinPlan& plan, std::size_t from, int threads) {
    ktsolve::JoinSettings settings;
    settings.threads = threads;
    const auto& sums = plan.top_stages[0].sums;
    settings.top_blocks = sums;
    for (std::size_t b = from; b < sums.size(); b += 2) settings.bottom_blocks.push_back(sums[b]);
    return settings;
}
