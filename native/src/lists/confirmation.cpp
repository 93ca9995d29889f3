// Cycles by sets of vertices (Bellman, Held & Karp 1962), or by the frontier sweep in a good order.
#include "lists/confirmation.hpp"

#include <bit>
#include <numeric>

#include "ktsolve/frontier/count.hpp"
#include "ktsolve/frontier/order.hpp"

namespace ktsolve {

namespace {

Limits sweep_limits() {
    Limits limits;
    limits.seconds = 2;
    limits.bytes = u64{64} << 20;
    return limits;
}

std::optional<u64> swept(const SmallGraph& small) {
    Graph graph;
    graph.vertices = small.vertices;
    for (int u = 0; u < small.vertices; ++u)
        for (int v = u + 1; v < small.vertices; ++v)
            if ((small.next[u] & bit(v)) != 0) graph.edges.emplace_back(u, v);
    graph.required.assign(graph.edges.size(), 0);
    OrderProblem problem;
    problem.effort = 0.1;
    const OrderAnswer best = best_frontier_order(graph, problem, sweep_limits());
    if (best.status != Status::done) return std::nullopt;
    std::vector<int> place(best.order.size());
    for (std::size_t i = 0; i < best.order.size(); ++i) place[best.order[i]] = static_cast<int>(i);
    for (auto& [u, v] : graph.edges) {
        u = place[u], v = place[v];
        if (u > v) std::swap(u, v);
    }
    try {
        const FrontierReport report = count_cycles_by_frontier(graph, sweep_limits());
        if (report.status != Status::done || report.count.size() > 1) return std::nullopt;
        return report.count.empty() ? 0 : report.count[0];
    } catch (const std::length_error&) { // a frontier that is too wide
        return std::nullopt;
    }
}

} // namespace

std::optional<bool> Confirmation::has_cycle(const SmallGraph& graph) {
    const int n = graph.vertices;
    if (n > kMostForSets) {
        const std::optional<u64> found = swept(graph);
        return found ? std::optional(*found != 0) : std::nullopt;
    }
    const u32 sets = u32{1} << (n - 1);
    ends_.assign(sets, 0);
    std::array<u32, kMostForSets> next{};
    for (int v = 0; v < n; ++v) next[v] = static_cast<u32>(graph.next[v]);
    for (u32 set = 1; set < sets; ++set) {
        u32 found = 0;
        for (u64 left = set; left != 0;) {
            const int v = take(left); // vertex v + 1
            const u32 before = set & ~(u32{1} << v);
            const u32 from = before == 0 ? next[v + 1] & 1 : next[v + 1] >> 1 & ends_[before];
            if (from != 0) found |= u32{1} << v;
        }
        ends_[set] = static_cast<u16>(found);
    }
    return (ends_[sets - 1] & next[0] >> 1) != 0;
}

std::optional<u64> Confirmation::cycle_lengths(const SmallGraph& graph) {
    const int n = graph.vertices;
    if (n > kMostForSets) return std::nullopt;
    std::array<u32, kMostForSets> before{};
    for (int v = 0; v < n; ++v)
        for (u64 next = graph.next[v]; next != 0;) before[take(next)] |= u32{1} << v;
    // Of each set the vertices at which a path from its lowest vertex through all others may end.
    const u32 sets = u32{1} << n;
    ends_.assign(sets, 0);
    u64 lengths = 0;
    for (u32 set = 1; set < sets; ++set) {
        const u32 lowest = set & (~set + 1);
        u32 found = set == lowest ? lowest : 0;
        for (u64 left = set & ~lowest; left != 0;) {
            const int v = take(left);
            if ((ends_[set & ~(u32{1} << v)] & before[v]) != 0) found |= u32{1} << v;
        }
        ends_[set] = static_cast<u16>(found);
        const int size = std::popcount(set);
        if (size > 2 && (found & before[std::countr_zero(lowest)]) != 0) lengths |= bit(size);
    }
    return lengths;
}

std::optional<u64> Confirmation::cycles(const SmallGraph& graph) {
    const int n = graph.vertices;
    if (n > kMostForSets) return swept(graph);
    const u32 sets = u32{1} << (n - 1);
    const u32 width = static_cast<u32>(n - 1);
    counts_.assign(std::size_t{sets} * width, 0);
    for (u32 set = 1; set < sets; ++set)
        for (u64 left = set; left != 0;) {
            const int v = take(left);
            const u32 before = set & ~(u32{1} << v);
            u64 number = before == 0 ? graph.next[v + 1] & 1 : 0;
            for (u64 from = graph.next[v + 1] >> 1 & before; from != 0;)
                number += counts_[std::size_t{before} * width + static_cast<u32>(take(from))];
            counts_[std::size_t{set} * width + static_cast<u32>(v)] = number;
        }
    u64 twice = 0; // once in each direction: at most 15!
    for (u64 last = graph.next[0] >> 1; last != 0;)
        twice += counts_[std::size_t{sets - 1} * width + static_cast<u32>(take(last))];
    return twice / 2;
}

} // namespace ktsolve
