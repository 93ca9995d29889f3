// Finds the order of elimination with the fewest predicted states, out of several kinds of orders.
#include "ktsolve/frontier/order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <unordered_map>

#include "common/integers.hpp"
#include "common/stopped.hpp"
#include "frontier/model.hpp"

namespace ktsolve {

using namespace frontier;

namespace {

// -- orders by levels
// -------------------------------------------------------------------------------------------

// Distances from a vertex; vertices of other components have the number of vertices.
std::vector<int> distances(const Adjacency& graph, int from) {
    std::vector<int> far(graph.size(), graph.size());
    std::vector<int> queue{from};
    far[from] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
        for (const int u : Around{graph, queue[i]})
            if (far[u] == graph.size()) {
                far[u] = far[queue[i]] + 1;
                queue.push_back(u);
            }
    return far;
}

// A vertex at the greatest distance found by repeated breadth-first searches (George & Liu 1979).
int peripheral(const Adjacency& graph, int start) {
    int best = -1;
    for (int round = 0; round < 8; ++round) {
        const std::vector<int> far = distances(graph, start);
        int end = start;
        for (int v = 0; v < graph.size(); ++v) {
            if (far[v] == graph.size()) continue;
            if (far[v] > far[end] || (far[v] == far[end] && graph.degree(v) < graph.degree(end))) end = v;
        }
        if (far[end] <= best) break;
        best = far[end];
        start = end;
    }
    return start;
}

// Breadth-first, neighbours by degree.
std::vector<int> cuthill_mckee(const Adjacency& graph, int start) {
    std::vector<char> seen(graph.size(), 0);
    std::vector<int> order, fresh;
    const auto enter = [&](int v) {
        seen[v] = 1;
        order.push_back(v);
    };
    enter(start);
    std::size_t next = 0;
    for (int other = 0; next < order.size() || other < graph.size();) {
        if (next == order.size()) {
            if (!seen[other]) enter(other);
            ++other;
            continue;
        }
        fresh.clear();
        for (const int u : Around{graph, order[next]})
            if (!seen[u]) {
                seen[u] = 1;
                fresh.push_back(u);
            }
        std::stable_sort(fresh.begin(), fresh.end(),
                         [&](int a, int b) { return graph.degree(a) < graph.degree(b); });
        order.insert(order.end(), fresh.begin(), fresh.end());
        ++next;
    }
    return order;
}

// Sloan's order: of the vertices at most two steps from a done one, always one of the highest priority, which
// grows with the distance to the end and falls with the number of vertices that would enter the frontier.
std::vector<int> sloan(const Adjacency& graph, int start, const std::vector<int>& to_end, int of_distance,
                       int of_degree) {
    const int n = graph.size();
    enum : char { inactive, preactive, active, done };
    std::vector<char> state(n, inactive);
    std::vector<int> priority(n), order;
    using Item = std::pair<int, int>; // priority, minus the vertex
    std::priority_queue<Item> queue;
    for (int v = 0; v < n; ++v) priority[v] = of_distance * to_end[v] - of_degree * (graph.degree(v) + 1);
    const auto raise = [&](int v) {
        priority[v] += of_degree;
        queue.emplace(priority[v], -v);
    };
    const auto put = [&](int v) {
        if (state[v] == inactive) {
            state[v] = preactive;
            queue.emplace(priority[v], -v);
        }
    };
    put(start);
    for (int other = 0; static_cast<int>(order.size()) < n;) {
        if (queue.empty()) {
            if (state[other] != done) put(other);
            ++other;
            continue;
        }
        const auto [value, minus] = queue.top();
        queue.pop();
        const int v = -minus;
        if (state[v] == done || value != priority[v]) continue;
        if (state[v] == preactive)
            for (const int u : Around{graph, v})
                if (state[u] != done) put(u), raise(u);
        order.push_back(v);
        state[v] = done;
        for (const int u : Around{graph, v}) {
            if (state[u] != preactive) continue;
            state[u] = active;
            raise(u);
            for (const int w : Around{graph, u})
                if (state[w] != done) put(w), raise(w);
        }
    }
    return order;
}

// Vertices sorted by an approximate Fiedler vector: power iteration on c - L, without its constant part, from
// the distances to two far ends.
std::vector<int> by_fiedler(const Adjacency& graph, const std::vector<int>& from,
                            const std::vector<int>& to) {
    constexpr int kRounds = 200;
    const int n = graph.size();
    std::vector<double> x(n), y(n);
    for (int v = 0; v < n; ++v) x[v] = from[v] - to[v];
    int most = 0;
    for (int v = 0; v < n; ++v) most = std::max(most, graph.degree(v));
    for (int round = 0; round < kRounds; ++round) {
        double mean = 0, norm = 0;
        for (const double each : x) mean += each;
        mean /= n;
        for (double& each : x) each -= mean, norm += each * each;
        if (norm < 1e-30) break;
        norm = 1 / std::sqrt(norm);
        for (double& each : x) each *= norm;
        for (int v = 0; v < n; ++v) {
            double sum = (2.0 * most - graph.degree(v)) * x[v];
            for (const int u : Around{graph, v}) sum += x[u];
            y[v] = sum;
        }
        x.swap(y);
    }
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return x[a] < x[b]; });
    return order;
}

// Vertices sorted by the difference of the distances to two vertices, and by the first: lines from side to
// side where these are neighbouring corners of a grid.
std::vector<int> by_difference(const std::vector<int>& one, const std::vector<int>& other) {
    std::vector<int> order(one.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return std::pair(one[a] - other[a], one[a]) < std::pair(one[b] - other[b], one[b]);
    });
    return order;
}

// -- beam search
// --------------------------------------------------------------------------------------------------

// Of all partial orders of one length the cheapest are kept, one for each set of eliminated vertices. The
// cost of a partial order is the sum of the predicted states.
class Beam {
  public:
    Beam(StateModel& model, const Adjacency& graph, int last, Watch& watch)
        : model_(model), graph_(graph), last_(last), watch_(watch) {
        u64 x = 0x9E3779B97F4A7C15ull;
        for (int v = 0; v < graph.size(); ++v) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            label_.push_back(x);
        }
    }

    // The best order that begins with one of `starts`, keeping `width` partial orders of each length; empty
    // if none is cheaper than `bound`.
    std::vector<int> run(const std::vector<int>& starts, int width, double bound) {
        const int n = graph_.size();
        const int length = n - (last_ >= 0);
        trail_.clear();
        std::vector<Node> beam(1), kept;
        beam[0].done.assign((n + 63) / 64, 0);
        beam[0].begun.assign((n + 63) / 64, 0);
        std::vector<Extension> longer;
        std::unordered_map<u64, std::size_t> by_set;
        for (int step = 0; step < length; ++step) {
            poll_or_throw(watch_, {static_cast<u64>(step), static_cast<u64>(length), 0});
            longer.clear();
            by_set.clear();
            for (std::size_t b = 0; b < beam.size(); ++b) extend(beam, b, starts, longer, by_set);
            const auto cheaper = [](const Extension& a, const Extension& b) {
                return a.cost != b.cost ? a.cost < b.cost : a.set < b.set;
            };
            if (longer.size() > static_cast<std::size_t>(width)) {
                std::nth_element(longer.begin(), longer.begin() + width, longer.end(), cheaper);
                longer.resize(width);
            }
            std::sort(longer.begin(), longer.end(), cheaper);
            while (!longer.empty() && longer.back().cost >= bound) longer.pop_back();
            if (longer.empty()) return {};
            kept.clear();
            for (const Extension& each : longer) kept.push_back(made(beam[each.of], each));
            beam.swap(kept);
        }
        std::vector<int> order;
        for (int at = beam[0].trail; at >= 0; at = trail_[at].before) order.push_back(trail_[at].vertex);
        std::reverse(order.begin(), order.end());
        if (last_ >= 0) order.push_back(last_);
        return order;
    }

  private:
    struct Node {
        std::vector<u64> done;     // bit set of eliminated vertices
        std::vector<u64> begun;    // bit set of those and the frontier
        std::vector<int> frontier; // without the last vertex
        Profile profile{};
        double cost = 0;
        u64 set = 0; // hash of `done`
        int trail = -1;
    };
    struct Extension {
        std::size_t of;
        int vertex;
        Profile profile;
        double cost;
        u64 set;
    };
    struct Mark {
        int vertex, before;
    };

    static bool has(const std::vector<u64>& set, int v) { return set[v >> 6] >> (v & 63) & 1; }

    int done_around(const Node& node, int v) const {
        int done = 0;
        for (const int u : Around{graph_, v}) done += has(node.done, u);
        return done;
    }

    // The profile once a vertex is eliminated.
    Profile extended(const Node& node, int v) const {
        const int done = done_around(node, v);
        Profile profile = node.profile;
        add_vertex(profile, done, graph_.degree(v) - done, -1);
        for (const int u : Around{graph_, v}) {
            if (has(node.done, u) || u == last_) continue;
            const int before = has(node.begun, u) ? done_around(node, u) : 0;
            add_vertex(profile, before, graph_.degree(u) - before, -1);
            add_vertex(profile, before + 1, graph_.degree(u) - before - 1, 1);
        }
        return profile;
    }
    Profile with_pairs(const Node& node, int v) const {
        Profile profile = node.profile;
        for (const bool after : {false, true})
            each_slot(graph_, v, [&](int slot) {
                if (slot == last_) return;
                const auto done = [&](int u) { return has(node.done, u) || (after && u == v); };
                const auto decided = [&](int u) {
                    const bool more = after && std::find(graph_.begin(v), graph_.end(v), u) != graph_.end(v);
                    return done_around(node, u) + more;
                };
                add_slot(profile, graph_, slot, done, decided, after ? 1 : -1);
            });
        return profile;
    }

    void extend(const std::vector<Node>& beam, std::size_t b, const std::vector<int>& starts,
                std::vector<Extension>& longer, std::unordered_map<u64, std::size_t>& by_set) {
        const Node& node = beam[b];
        const auto add = [&](int v) {
            const Profile profile = graph_.paired ? with_pairs(node, v) : extended(node, v);
            const Extension made{b, v, profile, node.cost + states_of(model_.bits(profile)),
                                 node.set ^ label_[v]};
            const auto [place, fresh] = by_set.try_emplace(made.set, longer.size());
            if (fresh)
                longer.push_back(made);
            else if (made.cost < longer[place->second].cost)
                longer[place->second] = made;
        };
        if (!node.frontier.empty()) {
            for (const int v : node.frontier) add(v);
            return;
        }
        bool any = false;
        if (node.trail < 0)
            for (const int v : starts)
                if (v != last_) add(v), any = true;
        for (int v = 0; !any && v < graph_.size(); ++v)
            if (!has(node.done, v) && v != last_) add(v), any = true;
    }

    Node made(const Node& from, const Extension& extension) {
        Node node = from;
        const int v = extension.vertex;
        node.done[v >> 6] |= u64{1} << (v & 63);
        node.begun[v >> 6] |= u64{1} << (v & 63);
        std::erase(node.frontier, v);
        const auto begin = [&](int u) {
            if (u < 0 || u == last_ || has(node.begun, u)) return;
            node.begun[u >> 6] |= u64{1} << (u & 63);
            node.frontier.push_back(u);
        };
        begin(graph_.partner[v]);
        for (const int u : Around{graph_, v}) begin(u), begin(graph_.partner[u]);
        node.profile = extension.profile;
        node.cost = extension.cost;
        node.set = extension.set;
        node.trail = static_cast<int>(trail_.size());
        trail_.push_back({v, from.trail});
        return node;
    }

    StateModel& model_;
    const Adjacency& graph_;
    int last_;
    Watch& watch_;
    std::vector<u64> label_;
    std::vector<Mark> trail_;
};

// -- the choice
// -----------------------------------------------------------------------------------------------------

StateModel::Kind kind_of(const Adjacency& graph, bool planar) {
    if (graph.directed()) return StateModel::Kind::directed;
    return planar ? StateModel::Kind::plane : StateModel::Kind::any;
}

class Chooser {
  public:
    Chooser(const Graph& graph, const OrderProblem& problem, Watch& watch)
        : graph_(graph, find_pairs(graph)),
          inner_(without(graph, problem.last), std::vector<int>(graph.vertices, -1)),
          model_(kind_of(graph_, problem.planar)), problem_(problem), watch_(watch) {}

    OrderAnswer answer() {
        for (const std::vector<int>& order : problem_.given) consider(order);
        simple_orders();
        beams();
        OrderAnswer answer;
        Frontier along = frontier_along(model_, graph_, best_);
        answer.order = best_;
        answer.bits = std::move(along.bits);
        answer.widths = std::move(along.widths);
        return answer;
    }

  private:
    void consider(std::vector<int> order) {
        poll_or_throw(watch_, {});
        if (problem_.last >= 0) {
            std::erase(order, problem_.last);
            order.push_back(problem_.last);
        }
        std::vector<double> bits = frontier_along(model_, graph_, order).bits;
        const double cost = cost_of(bits);
        if (!best_.empty() && cost >= cost_) return;
        best_ = std::move(order);
        bits_ = std::move(bits);
        cost_ = cost;
    }
    void both_ways(std::vector<int> order) {
        consider(order);
        std::reverse(order.begin(), order.end());
        consider(std::move(order));
    }

    void simple_orders() {
        const int n = graph_.size();
        std::vector<int> seeds{0};
        for (const int part : {3, 2}) seeds.push_back(n / part);
        for (const int seed : seeds) {
            const int start = peripheral(inner_, seed == problem_.last ? 0 : seed);
            if (std::find(starts_.begin(), starts_.end(), start) != starts_.end()) continue;
            starts_.push_back(start);
            both_ways(cuthill_mckee(inner_, start));
            // The other orders take minutes on a million vertices.
            if (*std::max_element(bits_.begin(), bits_.end()) > kLost) return;
            const std::vector<int> from = distances(inner_, start);
            int end = start;
            for (int v = 0; v < n; ++v)
                if (from[v] < n && from[v] > from[end]) end = v;
            const std::vector<int> to = distances(inner_, end);
            both_ways(sloan(inner_, start, to, 1, 2));
            both_ways(sloan(inner_, start, to, 16, 1));
            both_ways(by_fiedler(inner_, from, to));
            int side = start;
            for (int v = 0; v < n; ++v)
                if (from[v] < n && std::min(from[v], to[v]) > std::min(from[side], to[side])) side = v;
            const std::vector<int> aside = distances(inner_, side);
            both_ways(by_difference(from, aside));
            both_ways(by_difference(to, aside));
        }
    }

    void beams() {
        const int n = graph_.size();
        // A state costs some 100 ns, an extension of the beam some 200 ns.
        double work = std::min(cost_ * kShare, kMostWork) * problem_.effort;
        const double widest = std::max(1.0, *std::max_element(bits_.begin(), bits_.end()));
        if (work < n || widest > kHopeless) return;
        std::vector<int> starts = starts_;
        if (n <= kAllStarts) {
            starts.resize(n);
            std::iota(starts.begin(), starts.end(), 0);
        }
        Beam beam(model_, graph_, problem_.last, watch_);
        // Narrow beams first: their results bound the wider ones.
        for (int width = 2; work > 0; width *= 6) {
            const double each = static_cast<double>(width) * n * widest;
            if (each > work && width > 2) {
                width = static_cast<int>(work / (n * widest));
                if (width < 2) return;
            }
            const std::vector<int> found = beam.run(starts, width, cost_);
            if (!found.empty()) consider(found);
            work -= each;
            // Of graphs with pairs a narrow beam finds orders that are far better than the others.
            if (graph_.paired) work = std::min(work, cost_ * kShare * problem_.effort);
        }
    }

    static constexpr double kShare = 0.1;
    static constexpr double kMostWork = 3e6;
    static constexpr int kAllStarts = 400;
    // Bits of predicted states from which no order of a beam makes a count feasible.
    static constexpr double kHopeless = 80;
    // The same for any order, if the sweeps and breadth-first searches need so many.
    static constexpr double kLost = 250;

    static Graph without(const Graph& graph, int last) {
        Graph inner;
        inner.vertices = graph.vertices;
        for (const auto& edge : graph.edges)
            if (edge.first != last && edge.second != last) inner.edges.push_back(edge);
        return inner;
    }

    Adjacency graph_;
    Adjacency inner_; // without the last vertex, which is joined to most others, and without pairs
    StateModel model_;
    const OrderProblem& problem_;
    Watch& watch_;
    std::vector<int> starts_, best_;
    std::vector<double> bits_;
    double cost_ = 0;
};

void check_order(const Graph& graph, const std::vector<int>& order) {
    std::vector<char> seen(graph.vertices, 0);
    for (const int v : order)
        if (v < 0 || v >= graph.vertices || seen[v]++)
            throw std::invalid_argument("an order names each vertex once");
    if (static_cast<int>(order.size()) != graph.vertices)
        throw std::invalid_argument("an order names each vertex once");
}

} // namespace

OrderAnswer predicted_order(const Graph& graph, const std::vector<int>& order, bool planar) {
    graph.validate();
    check_order(graph, order);
    const Adjacency adjacency(graph, find_pairs(graph));
    StateModel model(kind_of(adjacency, planar));
    Frontier along = frontier_along(model, adjacency, order);
    return {Status::done, order, std::move(along.bits), std::move(along.widths)};
}

OrderAnswer best_frontier_order(const Graph& graph, const OrderProblem& problem, const Limits& limits,
                                Monitor* monitor) {
    graph.validate();
    for (const std::vector<int>& order : problem.given) check_order(graph, order);
    if (problem.last < -1 || problem.last >= graph.vertices)
        throw std::invalid_argument("the last vertex is a vertex");
    OrderAnswer answer;
    if (graph.vertices == 0) return answer;
    Watch watch(limits, monitor);
    answer.status = status_of([&] { answer = Chooser(graph, problem, watch).answer(); });
    return answer;
}

} // namespace ktsolve
