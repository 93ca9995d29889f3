// Computes slots, neighbours and vertices that may run out of edges, before a sweep starts.
#include "frontier/plan.hpp"

#include <algorithm>

namespace ktsolve::frontier {

namespace {

struct Edge {
    int to;
    int number;
    bool required;
    bool chord;
};

class Planner {
  public:
    Planner(const Graph& graph, const std::vector<Parallel>& parallel, std::vector<int> partner)
        : graph_(graph), parallel_(parallel), partner_(std::move(partner)), around_(graph.vertices),
          slot_of_(graph.vertices, -1) {
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            const auto [u, v] = graph.edges[e];
            const int number = static_cast<int>(e);
            const bool chord = graph.induced && may_skip(u) && may_skip(v);
            if (partner_[u] == v) {
                plan_.pairs.push_back(number);
                continue;
            }
            around_[u].push_back({v, number, graph.required[e] != 0, chord});
            around_[v].push_back({u, number, graph.required[e] != 0, chord});
            // Required edges between two vertices neither of which is eliminated before `u`.
            required_from_[u] += graph.required[e] != 0;
        }
        for (int v = graph.vertices - 1; v >= 0; --v) required_from_[v] += required_from_[v + 1];
        for (int v = 0; v < graph.vertices; ++v) unseen_ += !may_skip(v);
        // A state is told from an empty place of a table, although all vertices may be left out so far.
        if (!graph.optional.empty()) vertex_in_.push_back(graph.vertices);
    }

    void eliminate(int v) {
        Step& step = plan_.steps.emplace_back();
        enter(v);
        step.here = port(v);
        for (const Edge& edge : around_[v])
            if (edge.to > v) {
                enter(edge.to);
                step.later.push_back(neighbour(edge));
            }
        step.releases = partner_[v] < v;
        if (step.releases) vertex_in_[slot_of_[v]] = -1;
        for (const Edge& edge : around_[v])
            if (edge.to > v) step.touched.push_back(touched(edge.to, v));
        occupy(step);
        step.may_close = unseen_ == 0 && required_from_[v + 1] == 0;
        step.may_skip = may_skip(v);

        const auto changed = [&](int vertex) {
            return std::any_of(around_[v].begin(), around_[v].end(),
                               [&](const Edge& edge) { return edge.to == vertex; });
        };
        for (const int s : step.occupied) {
            const int w = vertex_in_[s];
            if (w == graph_.vertices) continue;
            for (const int each : {w, partner_[w]})
                if (each > v) look_ahead(step, each, v, changed);
        }
    }

    Plan finish() {
        plan_.slots = static_cast<int>(vertex_in_.size());
        return std::move(plan_);
    }

  private:
    bool may_skip(int vertex) const { return !graph_.optional.empty() && graph_.optional[vertex] != 0; }

    // Adds a vertex whose remaining neighbours may run out after step `v`.
    template <class Changed> void look_ahead(Step& step, int w, int v, const Changed& changed) const {
        // Only vertices with few edges left are checked: others are rarely short of edges.
        constexpr int kLookAhead = 4;
        int left = 0;
        for (const Edge& edge : around_[w]) left += edge.to > v;
        if (left > kLookAhead) return;
        Scarce scarce{port(w), 0, {}};
        bool affected = changed(w);
        for (const Edge& edge : around_[w]) {
            if (edge.to <= v) continue;
            if (slot_of_[edge.to] < 0)
                ++scarce.outside;
            else {
                scarce.inside.push_back(port(edge.to));
                affected = affected || changed(edge.to);
            }
        }
        if (affected && scarce.outside < (scarce.paired ? 1 : 2)) step.scarce.push_back(scarce);
    }

    Port port(int vertex) const {
        const int partner = partner_[vertex];
        return {slot_of_[vertex], partner >= 0 && partner < vertex, partner >= 0};
    }

    void enter(int vertex) {
        if (slot_of_[vertex] >= 0) return;
        unseen_ -= !may_skip(vertex) + (partner_[vertex] >= 0);
        const auto free = std::find(vertex_in_.begin(), vertex_in_.end(), -1);
        slot_of_[vertex] = static_cast<int>(free - vertex_in_.begin());
        if (free == vertex_in_.end())
            vertex_in_.push_back(vertex);
        else
            *free = vertex;
        if (partner_[vertex] >= 0) slot_of_[partner_[vertex]] = slot_of_[vertex];
    }

    Neighbour neighbour(const Edge& edge) const {
        return {port(edge.to), edge.number, edge.required, edge.chord,
                parallel_.empty() ? Parallel{} : parallel_[edge.number]};
    }

    // The edges that `vertex` has left once the vertices up to `last` are eliminated.
    Touched touched(int vertex, int last) const {
        Touched left{port(vertex), 0, 0};
        for (const Edge& edge : around_[vertex])
            if (edge.to > last) {
                ++left.future;
                left.future_required += edge.required;
            }
        return left;
    }

    void occupy(Step& step) {
        for (std::size_t s = 0; s < vertex_in_.size(); ++s)
            if (vertex_in_[s] >= 0) step.occupied.push_back(static_cast<int>(s));
        plan_.widest = std::max(plan_.widest, static_cast<int>(step.occupied.size()));
        if (graph_.optional.empty()) return;
        step.marked = 0;
        for (const int s : step.occupied) {
            const int w = vertex_in_[s];
            if (w == graph_.vertices) continue;
            if (may_skip(w)) step.optional.push_back(s);
            for (const Edge& edge : around_[w])
                if (edge.chord && edge.to > w && slot_of_[edge.to] >= 0)
                    step.chords.emplace_back(s, slot_of_[edge.to]);
        }
    }

    const Graph& graph_;
    const std::vector<Parallel>& parallel_;
    std::vector<int> partner_;
    std::vector<std::vector<Edge>> around_;
    std::vector<int> required_from_ = std::vector<int>(graph_.vertices + 1, 0);
    std::vector<int> slot_of_;
    std::vector<int> vertex_in_;
    int unseen_ = 0; // vertices, of those that may not be left out, that are not yet in the frontier
    Plan plan_;
};

} // namespace

std::vector<int> find_pairs(const Graph& graph) {
    const std::vector<int> none(graph.vertices, -1);
    if (!graph.optional.empty()) return none;
    std::vector<int> partner = none, required(graph.vertices, 0);
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
        if (graph.required[e] != 0) ++required[graph.edges[e].first], ++required[graph.edges[e].second];
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto [u, v] = graph.edges[e];
        if (graph.required[e] != 0 && required[u] == 1 && required[v] == 1) partner[u] = v, partner[v] = u;
    }
    // Codes of pairs take one bit more, which a few pairs do not save.
    const auto alone = std::count(partner.begin(), partner.end(), -1);
    return 2 * alone > graph.vertices ? none : partner;
}

Plan make_plan(const Graph& graph, const std::vector<Parallel>& parallel, bool paired) {
    graph.validate();
    paired = paired && parallel.empty();
    Planner planner(graph, parallel, paired ? find_pairs(graph) : std::vector<int>(graph.vertices, -1));
    for (int v = 0; v < graph.vertices; ++v) planner.eliminate(v);
    return planner.finish();
}

} // namespace ktsolve::frontier
