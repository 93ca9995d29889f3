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
