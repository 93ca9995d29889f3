// Searches for Hamiltonian cycles edge by edge, with forced edges and a test of connectivity at each node.
#include "ktsolve/search/search.hpp"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <stdexcept>

#include "common/orders.hpp"
#include "graphs/cut_vertex.hpp"

namespace ktsolve {
namespace {

enum Decision : std::uint8_t { kUndecided, kIn, kOut };

// The anchored vertex on a path that is nearest to an end of it; without one, `vertex` < 0.
struct NearestAnchor {
    int vertex = -1;
    int distance = 0;
};

} // namespace

class Search::Tree {
  public:
    explicit Tree(SearchProblem problem)
        : problem_(std::move(problem)), graph_(problem_.graph), n_(graph_.vertices), cut_test_(n_) {
        graph_.validate();
        const int m = static_cast<int>(graph_.edges.size());
        state_.assign(m, kUndecided);
        link_of_.assign(m, -1);
        for (std::size_t c = 0; c < problem_.links.size(); ++c)
            for (const int e : problem_.links[c]) {
                if (e < 0 || e >= m) throw std::invalid_argument("a link names an edge that is not there");
                if (link_of_[e] >= 0)
                    throw std::invalid_argument("an edge belongs to one class of links only");
                link_of_[e] = static_cast<int>(c);
            }
        step_of_.assign(n_, -1);
        for (const auto& [vertex, step] : problem_.anchors) {
            if (vertex < 0 || vertex >= n_ || step < 0)
                throw std::invalid_argument("an anchor is off the graph");
            if (step_of_[vertex] >= 0 && step_of_[vertex] != step % n_) contradictory_ = true;
            step_of_[vertex] = step % n_;
        }
        make_incidence();
        // A node costs time in proportion to vertices and edges: the clock is read about every tenth of a
        // millisecond.
        turns_per_poll_ = 1 + (std::uint64_t{1} << 14) / (1 + n_ + m);
        chosen_.assign(n_, 0);
        open_.assign(n_, 0);
        for (const auto& [u, v] : graph_.edges) ++open_[u], ++open_[v];
        mate_.resize(n_);
        length_.assign(n_, 1);
        nearest_.resize(n_);
        for (int v = 0; v < n_; ++v) {
            mate_[v] = v;
            if (step_of_[v] >= 0) nearest_[v] = {v, 0};
        }
    }

    Status run(std::uint64_t most, bool keep, std::vector<std::int32_t>& cycles, const Limits& limits,
               Monitor* monitor, std::uint64_t most_nodes) {
        Watch watch(limits, monitor);
        const std::uint64_t target = most > UINT64_MAX - found_ ? UINT64_MAX : found_ + most;
        const std::uint64_t last = most_nodes > UINT64_MAX - nodes_ ? UINT64_MAX : nodes_ + most_nodes;
        if (!started_) {
            started_ = true;
            if (n_ < 3 || contradictory_ || !propagate_initially())
                finish();
            else
                descend_ = true;
        }
        while (!exhausted_ && found_ < target && nodes_ < last) {
            if (++turns_ >= turns_per_poll_) {
                turns_ = 0;
                const Status status = watch.poll({nodes_, 0, found_});
                if (status != Status::done) return status;
            }
            if (descend_) {
                ++nodes_;
                descend_ = false;
                if (chosen_edges_ == n_) {
                    if (anchors_hold()) {
                        ++found_;
                        if (keep) write(cycles);
                    }
                    continue; // the next turn backs up
                }
                if (!open()) continue;
                const int edge = pick();
                frames_.push_back({trail_.size(), edge});
                descend_ = decide(edge, kIn);
            } else if (frames_.empty()) {
                finish();
            } else {
                // The subtree with this edge in is done; the one with this edge out follows.
                const Frame frame = frames_.back();
                frames_.pop_back();
                undo(frame.trail);
                descend_ = decide(frame.edge, kOut);
            }
        }
        return Status::done;
    }

    TreeEstimate dive(std::uint64_t most_nodes, std::uint64_t seed) {
        if (started_) throw std::logic_error("dives come before the search");
        TreeEstimate sums;
        if (n_ < 3 || contradictory_ || !propagate_initially()) {
            undo(0);
            return sums;
        }
        const std::size_t root = trail_.size();
        std::mt19937_64 random(seed);
        for (std::uint64_t visited = 0; sums.dives == 0 || visited < most_nodes;) {
            visited += dive_once(sums, random);
            ++sums.dives;
            undo(root);
        }
        undo(0);
        sums.nodes /= static_cast<double>(sums.dives);
        sums.cycles /= static_cast<double>(sums.dives);
        return sums;
    }

    bool exhausted() const { return exhausted_; }
    std::uint64_t found() const { return found_; }
    std::uint64_t nodes() const { return nodes_; }
    std::uint64_t bytes() const {
        return trail_.capacity() * sizeof(Undo) + frames_.capacity() * sizeof(Frame) +
               n_ * (8 * sizeof(int) + sizeof(NearestAnchor)) + graph_.edges.size() * (sizeof(int) * 7 + 2);
    }

  private:
    struct Frame {
        std::size_t trail; // length of the trail before the decision
        int edge;
    };
    // One decided edge; for an edge that joined two paths, the data of their far ends before.
    struct Undo {
        int edge;
        int a, b; // -1 for an edge that joined nothing
        int length_a, length_b;
        NearestAnchor nearest_a, nearest_b;
    };

    // One dive from the root: at each node into one of the subtrees that are not refuted at once, each with
    // the same chance, and a node counts for as many as there were to choose from. Returns the nodes visited.
    std::uint64_t dive_once(TreeEstimate& sums, std::mt19937_64& random) {
        std::uint64_t visited = 1;
        double weight = 1;
        sums.nodes += weight;
        if (!open()) return visited;
        while (chosen_edges_ < n_) {
            const int edge = pick();
            const std::size_t mark = trail_.size();
            Decision live[2];
            int children = 0;
            for (const Decision decision : {kIn, kOut}) {
                if (decide(edge, decision)) {
                    ++visited;
                    sums.nodes += weight;
                    if (chosen_edges_ == n_ || open()) live[children++] = decision;
                }
                undo(mark);
            }
            if (children == 0) return visited;
            weight *= children;
            // In C++ the same bits give the same numbers everywhere; the same distribution does not.
            decide(edge, live[children == 2 ? static_cast<int>(random() >> 63) : 0]);
        }
        if (anchors_hold()) sums.cycles += weight;
        return visited;
    }

    // Whether the edges that are not out leave the graph connected and without a cut vertex.
    bool open() {
        return cut_test_.biconnected(incidence_, [&](int e) { return state_[e] != kOut; });
    }

    void make_incidence() {
        const int m = static_cast<int>(graph_.edges.size());
        std::mt19937_64 random(problem_.seed);
        incidence_ = incidence_of(graph_, problem_.seed == 0 ? numbers(m) : shuffled(m, random));
    }

    // Propagates the decisions that hold before any branch: required edges, vertices of degree two.
    bool propagate_initially() {
        queue_.clear();
        for (std::size_t e = 0; e < graph_.edges.size(); ++e)
            if (graph_.required[e]) queue_.push_back({static_cast<int>(e), kIn});
        for (int v = 0; v < n_; ++v) {
            if (open_[v] < 2) return false;
            if (open_[v] == 2) push_open_edges(v, kIn);
        }
        return propagate();
    }

    bool decide(int edge, Decision decision) {
        queue_.clear();
        queue_.push_back({edge, decision});
        return propagate();
    }

    bool propagate() {
        for (std::size_t i = 0; i < queue_.size(); ++i)
            if (!settle(queue_[i].first, queue_[i].second)) return false;
        return true;
    }

    bool settle(int e, Decision decision) {
        if (state_[e] != kUndecided) return state_[e] == decision;
        const auto [u, v] = graph_.edges[e];
        if (decision == kIn) {
            if (chosen_[u] == 2 || chosen_[v] == 2) return false;
            if (mate_[u] == v && chosen_edges_ + 1 < n_) return false; // would close too early
        }
        state_[e] = decision;
        --open_[u], --open_[v];
        trail_.push_back({e, -1, -1, 0, 0, {}, {}});
        if (decision == kIn && !take(e, u, v)) return false;
        if (link_of_[e] >= 0)
            for (const int f : problem_.links[link_of_[e]])
                if (f != e) queue_.push_back({f, decision});
        return force_around(u) && force_around(v);
    }

    // Joins the paths that end at u and v.
    bool take(int e, int u, int v) {
        ++chosen_[u], ++chosen_[v];
        ++chosen_edges_;
        if (chosen_edges_ == n_) return true; // closed: u and v were the ends of the one path
        const int a = mate_[u], b = mate_[v];
        Undo& undo = trail_.back();
        undo.a = a;
        undo.b = b;
        undo.length_a = length_[a];
        undo.length_b = length_[b];
        undo.nearest_a = nearest_[a];
        undo.nearest_b = nearest_[b];
        // length_[] and nearest_[] are kept at path ends; u and v are ends of theirs.
        const NearestAnchor near_u = nearest_[u], near_v = nearest_[v];
        const int length_u = length_[u], length_v = length_[v];
        if (near_u.vertex >= 0 && near_v.vertex >= 0 &&
            !apart(near_u.vertex, near_v.vertex, near_u.distance + 1 + near_v.distance))
            return false;
        mate_[a] = b;
        mate_[b] = a;
        length_[a] = length_[b] = length_u + length_v;
        if (nearest_[a].vertex < 0 && near_v.vertex >= 0)
            nearest_[a] = {near_v.vertex, near_v.distance + length_u};
        if (undo.nearest_b.vertex < 0 && near_u.vertex >= 0)
            nearest_[b] = {near_u.vertex, near_u.distance + length_v};
        const int closing = edge_between(a, b);
        if (chosen_edges_ == n_ - 1) {
            if (closing < 0) return false;
            queue_.push_back({closing, kIn});
        } else if (closing >= 0 && closing != e && state_[closing] == kUndecided) {
            queue_.push_back({closing, kOut});
        }
        return true;
    }

    // Whether two anchored vertices can be `distance` steps from each other on the cycle.
    bool apart(int p, int q, int distance) const {
        const int ahead = (step_of_[q] - step_of_[p] + n_) % n_;
        return ahead == distance || n_ - ahead == distance;
    }

    bool force_around(int v) {
        if (chosen_[v] == 2) {
            if (open_[v] > 0) push_open_edges(v, kOut);
            return true;
        }
        const int left = chosen_[v] + open_[v];
        if (left < 2) return false;
        if (left == 2 && open_[v] > 0) push_open_edges(v, kIn);
        return true;
    }

    void push_open_edges(int v, Decision decision) {
        for (int i = incidence_.first[v]; i < incidence_.first[v + 1]; ++i)
            if (state_[incidence_.edge[i]] == kUndecided) queue_.push_back({incidence_.edge[i], decision});
    }

    int edge_between(int a, int b) const {
        if (degree(b) < degree(a)) std::swap(a, b);
        for (int i = incidence_.first[a]; i < incidence_.first[a + 1]; ++i)
            if (incidence_.to[i] == b) return incidence_.edge[i];
        return -1;
    }
    int degree(int v) const { return incidence_.first[v + 1] - incidence_.first[v]; }

    void undo(std::size_t mark) {
        while (trail_.size() > mark) {
            const Undo& last = trail_.back();
            const auto [u, v] = graph_.edges[last.edge];
            if (state_[last.edge] == kIn) {
                --chosen_[u], --chosen_[v];
                --chosen_edges_;
                if (last.a >= 0) {
                    mate_[last.a] = u;
                    mate_[last.b] = v;
                    length_[last.a] = last.length_a;
                    length_[last.b] = last.length_b;
                    nearest_[last.a] = last.nearest_a;
                    nearest_[last.b] = last.nearest_b;
                }
            }
            ++open_[u], ++open_[v];
            state_[last.edge] = kUndecided;
            trail_.pop_back();
        }
    }

    // An undecided edge of the vertex with the fewest undecided edges, path ends first; towards the neighbour
    // with the fewest (Warnsdorff's rule, on edges).
    int pick() const {
        int best = -1, best_score = INT32_MAX;
        for (int v = 0; v < n_; ++v) {
            if (open_[v] == 0) continue;
            const int score = 2 * open_[v] + (chosen_[v] == 0 ? 1 + 2 * open_[v] : 0);
            if (score < best_score) best = v, best_score = score;
        }
        int edge = -1, fewest = INT32_MAX;
        for (int i = incidence_.first[best]; i < incidence_.first[best + 1]; ++i) {
            const int e = incidence_.edge[i];
            if (state_[e] != kUndecided) continue;
            const int w = incidence_.to[i];
            const int options = 2 * open_[w] + (chosen_[w] == 0);
            if (options < fewest) edge = e, fewest = options;
        }
        return edge;
    }

    void walk(std::vector<std::int32_t>& cycle) const {
        cycle.clear();
        int before = -1, here = 0;
        do {
            cycle.push_back(here);
            int next = -1;
            for (int i = incidence_.first[here]; i < incidence_.first[here + 1]; ++i)
                if (state_[incidence_.edge[i]] == kIn && incidence_.to[i] != before) {
                    next = incidence_.to[i];
                    break;
                }
            before = here;
            here = next;
        } while (here != 0);
    }

    bool anchors_hold() const {
        if (problem_.anchors.empty()) return true;
        std::vector<std::int32_t> cycle;
        walk(cycle);
        std::vector<int> at(n_);
        for (int i = 0; i < n_; ++i) at[cycle[i]] = i;
        const int origin = problem_.anchors.front().first;
        for (const int direction : {1, -1}) {
            bool fits = true;
            for (int v = 0; v < n_ && fits; ++v)
                if (step_of_[v] >= 0) {
                    const int offset = direction * (at[v] - at[origin]) + step_of_[origin] + n_;
                    fits = offset % n_ == step_of_[v];
                }
            if (fits) return true;
        }
        return false;
    }

    void write(std::vector<std::int32_t>& cycles) {
        std::vector<std::int32_t> cycle;
        walk(cycle);
        cycles.insert(cycles.end(), cycle.begin(), cycle.end());
    }

    void finish() {
        exhausted_ = true;
        descend_ = false;
    }

    SearchProblem problem_;
    const Graph& graph_;
    int n_;
    CutVertexTest cut_test_;
    Incidence incidence_;
    std::vector<std::uint8_t> state_; // Decision per edge
    std::vector<int> link_of_, step_of_;
    std::vector<int> chosen_, open_;     // edges in, edges undecided, per vertex
    std::vector<int> mate_, length_;     // valid at path ends: the other end; vertices on the path
    std::vector<NearestAnchor> nearest_; // likewise
    int chosen_edges_ = 0;
    std::vector<Undo> trail_;
    std::vector<Frame> frames_;
    std::vector<std::pair<int, Decision>> queue_;
    bool started_ = false, descend_ = false, exhausted_ = false, contradictory_ = false;
    std::uint64_t found_ = 0, nodes_ = 0;
    std::uint64_t turns_ = 0, turns_per_poll_ = 1;
};

Search::Search(SearchProblem problem) : tree_(std::make_unique<Tree>(std::move(problem))) {}
Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;
Status Search::run(std::uint64_t most, bool keep, std::vector<std::int32_t>& cycles, const Limits& limits,
                   Monitor* monitor, std::uint64_t most_nodes) {
    return tree_->run(most, keep, cycles, limits, monitor, most_nodes);
}
TreeEstimate Search::dive(std::uint64_t most_nodes, std::uint64_t seed) {
    return tree_->dive(most_nodes, seed);
}
bool Search::exhausted() const {
    return tree_->exhausted();
}
std::uint64_t Search::found() const {
    return tree_->found();
}
std::uint64_t Search::nodes() const {
    return tree_->nodes();
}
std::uint64_t Search::bytes() const {
    return tree_->bytes();
}

} // namespace ktsolve
