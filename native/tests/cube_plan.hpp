// Plans of joins for the tests: hypercubes cut at the vertices of one weight, with the group that keeps it.
#pragma once

#include <bit>

#include "check.hpp"
#include "ktsolve/join/count.hpp"

inline ktsolve::Graph cube_graph(int dimensions) {
    ktsolve::Graph graph;
    graph.vertices = 1 << dimensions;
    for (int v = 0; v < graph.vertices; ++v)
        for (int bit = 0; bit < dimensions; ++bit)
            if ((v >> bit & 1) == 0) graph.edges.emplace_back(v, v | 1 << bit);
    graph.required.assign(graph.edges.size(), 0);
    return graph;
}

// Generators of the permutations of the bits; with `weight` in the middle also the complement as a flip.
inline ktsolve::JoinPlan cube_plan(int dimensions, int weight, bool flipped = false) {
    ktsolve::JoinPlan plan;
    const int all = (1 << dimensions) - 1;
    std::vector<int> exchange, turn;
    for (int v = 0; v <= all; ++v) {
        const int bits = std::popcount(static_cast<unsigned>(v));
        (bits < weight ? plan.top : bits == weight ? plan.separator : plan.bottom).push_back(v);
        exchange.push_back((v & ~3) | (v & 1) << 1 | (v >> 1 & 1));
        turn.push_back((v << 1 & all) | v >> (dimensions - 1));
        if (flipped) plan.flip.push_back(all - v);
    }
    std::reverse(plan.bottom.begin(), plan.bottom.end());
    plan.group = {exchange, turn};
    return plan;
}
