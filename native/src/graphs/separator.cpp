// Looks for vertices without which a graph has several components, by chance and a greedy order.
#include "ktsolve/graphs/separator.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include "common/orders.hpp"
#include "graphs/incidence.hpp"

namespace ktsolve {

namespace {

class SeparatorSearch {
  public:
    SeparatorSearch(const Graph& graph, std::uint64_t seed)
        : graph_(graph), random_(seed), is_back_(graph.vertices),
          adjacent_(incidence_of(graph, numbers(static_cast<int>(graph.edges.size())))) {}

    std::optional<Separator> attempt() {
        above_ = numbers(graph_.vertices);
        std::fill(is_back_.begin(), is_back_.end(), 0);
        std::vector<int> waiting = shuffled(graph_.vertices, random_);
        Separator found;
        for (const std::size_t most : {0, 1, 2, 2})
            std::erase_if(waiting, [&](int v) { return put_back(v, most, found.components); });
        // No vertex out and several components: the graph is not connected, and a cycle has one.
        found.most = waiting.empty() ? 1 : static_cast<int>(waiting.size());
        for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
            const auto [u, v] = graph_.edges[e];
            found.most -= graph_.required[e] && !is_back_[u] && !is_back_[v];
        }
        if (found.components < 2) return std::nullopt;
        std::sort(waiting.begin(), waiting.end());
        found.vertices = std::move(waiting);
        return found;
    }

  private:
    // The vertex joins the components next to it, if they are few enough.
    bool put_back(int v, std::size_t most, int& components) {
        joined_.clear();
        for (int at = adjacent_.first[v]; at < adjacent_.first[v + 1]; ++at) {
            const int w = adjacent_.to[at];
            if (!is_back_[w]) continue;
            const int root = root_of(w);
            if (std::find(joined_.begin(), joined_.end(), root) != joined_.end()) continue;
            if (joined_.size() == most) return false;
            joined_.push_back(root);
        }
        is_back_[v] = 1;
        for (const int root : joined_) above_[root] = v;
        components += 1 - static_cast<int>(joined_.size());
        return true;
    }

    int root_of(int v) {
        while (above_[v] != v) v = above_[v] = above_[above_[v]];
        return v;
    }

    const Graph& graph_;
    std::mt19937_64 random_;
    std::vector<int> above_; // a forest: the root of each component of vertices that are back
    std::vector<std::uint8_t> is_back_;
    Incidence adjacent_;
    std::vector<int> joined_;
};

} // namespace

std::optional<Separator> find_separator(const Graph& graph, int attempts, std::uint64_t seed) {
    SeparatorSearch search(graph, seed);
    std::optional<Separator> best;
    for (; attempts > 0 && !(best && best->refutes()); --attempts) {
        auto found = search.attempt();
        if (found && (!best || found->refutes() ||
                      found->vertices.size() * static_cast<std::size_t>(best->components) <
                          best->vertices.size() * static_cast<std::size_t>(found->components)))
            best = std::move(found);
    }
    return best;
}

} // namespace ktsolve
