// See frontier_plan.hpp.
#include "frontier_plan.hpp"

#include <algorithm>

namespace ktsolve::frontier {

Plan make_plan(const Graph& graph, const std::vector<Parallel>& parallel) {
    graph.validate();
    const int n = graph.vertices;
    struct Edge {
        int to;
        bool required;
        Parallel parallel;
    };
    std::vector<std::vector<Edge>> later(n);
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto [u, v] = graph.edges[e];
        later[u].push_back({v, graph.required[e] != 0, parallel.empty() ? Parallel{} : parallel[e]});
    }
    std::vector<std::vector<Edge>> around(n);
    for (int u = 0; u < n; ++u)
        for (const Edge& edge : later[u]) {
            around[u].push_back(edge);
            around[edge.to].push_back({u, edge.required, edge.parallel});
        }
    // Required edges between two vertices neither of which is eliminated before `v`.
    std::vector<int> required_from(n + 1, 0);
    for (int u = n - 1; u >= 0; --u) {
        required_from[u] = required_from[u + 1];
        for (const Edge& edge : later[u]) required_from[u] += edge.required;
    }

    Plan plan;
    plan.steps.resize(n);
    std::vector<int> slot_of(n, -1);
    std::vector<int> vertex_in;
    auto enter = [&](int vertex) {
        if (slot_of[vertex] >= 0) return;
        const auto free = std::find(vertex_in.begin(), vertex_in.end(), -1);
        slot_of[vertex] = static_cast<int>(free - vertex_in.begin());
        if (free == vertex_in.end())
            vertex_in.push_back(vertex);
        else
            *free = vertex;
    };
    int seen = 0; // vertices eliminated or in the frontier
    for (int v = 0; v < n; ++v) {
        Step& step = plan.steps[v];
        if (slot_of[v] < 0) ++seen;
        enter(v);
        step.slot = slot_of[v];
        for (const Edge& edge : later[v]) {
            if (slot_of[edge.to] < 0) ++seen;
            enter(edge.to);
        }
        for (const Edge& edge : later[v]) {
            Neighbour neighbour{slot_of[edge.to], 0, 0, edge.required, edge.parallel};
            for (const Edge& beyond : around[edge.to])
                if (beyond.to > v) {
                    ++neighbour.future;
                    neighbour.future_required += beyond.required;
                }
            step.later.push_back(neighbour);
        }
        vertex_in[slot_of[v]] = -1;
        for (std::size_t s = 0; s < vertex_in.size(); ++s)
            if (vertex_in[s] >= 0) step.occupied.push_back(static_cast<int>(s));
        step.may_close = seen == n && required_from[v + 1] == 0;

        auto touched = [&](int vertex) {
            return std::any_of(later[v].begin(), later[v].end(),
                               [&](const Edge& edge) { return edge.to == vertex; });
        };
        for (const int s : step.occupied) {
            const int w = vertex_in[s];
            Scarce scarce{s, 0, {}};
            bool affected = touched(w);
            for (const Edge& edge : around[w]) {
                if (edge.to <= v) continue;
                if (slot_of[edge.to] < 0)
                    ++scarce.outside;
                else {
                    scarce.inside.push_back(slot_of[edge.to]);
                    affected = affected || touched(edge.to);
                }
            }
            // Only vertices with few edges left are checked: others are rarely short of edges.
            constexpr int kLookAhead = 4;
            const int left = scarce.outside + static_cast<int>(scarce.inside.size());
            if (affected && scarce.outside < 2 && left <= kLookAhead) step.scarce.push_back(scarce);
        }
        plan.widest = std::max(plan.widest, static_cast<int>(step.occupied.size()));
    }
    plan.slots = static_cast<int>(vertex_in.size());
    return plan;
}

} // namespace ktsolve::frontier
