// Test whether a graph is connected and has no cut vertex (Tarjan 1972, low points, without recursion).
//
// Both are necessary for a Hamiltonian cycle. The graph is given by adjacency in compressed form and a filter
// of the edges that still exist, so that the search can test the edges that are not out.
#pragma once

#include <algorithm>
#include <vector>

#include "graphs/incidence.hpp"

namespace ktsolve {

class CutVertexTest {
  public:
    explicit CutVertexTest(int vertices)
        : seen_at_(vertices), low_(vertices), parent_(vertices), place_(vertices) {
        stack_.reserve(vertices);
    }

    // Linear in vertices + edges.
    template <class Exists> bool biconnected(const Incidence& graph, Exists exists) {
        const int n = static_cast<int>(seen_at_.size());
        std::fill(seen_at_.begin(), seen_at_.end(), 0);
        stack_.clear();
        int clock = 1, children_of_root = 0;
        open(0, -1, clock, graph);
        while (!stack_.empty()) {
            const int v = stack_.back();
            if (place_[v] < graph.first[v + 1]) {
                const int at = place_[v]++;
                if (!exists(graph.edge[at])) continue;
                const int w = graph.to[at];
                if (seen_at_[w] == 0) {
                    if (v == 0 && ++children_of_root > 1) return false;
                    open(w, v, clock, graph);
                } else if (w != parent_[v]) {
                    low_[v] = std::min(low_[v], seen_at_[w]);
                }
                continue;
            }
            stack_.pop_back();
            const int up = parent_[v];
            if (up < 0) continue;
            if (up != 0 && low_[v] >= seen_at_[up]) return false;
            low_[up] = std::min(low_[up], low_[v]);
        }
        return clock == n + 1;
    }

  private:
    void open(int v, int parent, int& clock, const Incidence& graph) {
        seen_at_[v] = low_[v] = clock++;
        parent_[v] = parent;
        place_[v] = graph.first[v];
        stack_.push_back(v);
    }

    std::vector<int> seen_at_, low_, parent_, place_, stack_;
};

} // namespace ktsolve
