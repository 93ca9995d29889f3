// How many states a sweep is predicted to have: the model behind the choice of orders, cuts and estimates.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "frontier/plan.hpp"
#include "ktsolve/common/graph.hpp"

namespace ktsolve::frontier {

// Slots of the frontier: vertices by the number of degrees that they can have, 1, 2 or 3, and pairs
// (frontier/plan.hpp) of which either vertex may be open, or both, or none. Other pairs are like vertices.
using Profile = std::array<int, 4>;
inline constexpr int kBothMayBeOpen = 3;

// Adds a vertex with `done` decided edges and `left` others, `times` times.
inline void add_vertex(Profile& profile, int done, int left, int times) {
    if (done == 0) return;
    profile[std::clamp(std::min(done, 2) - std::max(0, 2 - left), 0, 2)] += times;
}

// Whether a vertex of a pair can be open, and whether it can have its edge.
struct Openness {
    bool may_be_open, may_have_edge;
};

inline void add_pair(Profile& profile, Openness a, Openness b, int times) {
    const int unsure = (a.may_be_open && a.may_have_edge) + (b.may_be_open && b.may_have_edge);
    // Neither vertex was reached, or both have their edges.
    if (unsure == 0 && a.may_be_open == b.may_be_open) return;
    profile[unsure == 2 ? kBothMayBeOpen : unsure] += times;
}

// Predicted number of states of a frontier. Each vertex is an end of a path or not, and the k ends are
// matched in (k - 1)!! ways, of which some do not occur: in the exponent the double factorial has the factor
// kMatchings, and a further degree (0 besides 2) kOtherDegree, fitted on the widest layers of cubic graphs,
// generalised Petersen graphs, grids, hypercubes, complete graphs, king's and knight's boards. There the
// standard deviation is 1.2 bits; it was 1.7 to 2.7 bits for a constant factor per vertex.
//
// In a directed graph a path leads from one of k / 2 entries to one of k / 2 exits, in (k / 2)! ways. With
// kArcMatchings, kArcDetermined and kEitherOpen the standard deviation is 1.4 bits on one-way tori, on
// knight's boards and grids with both arcs, and on random directed graphs of 2 to 11 arcs at each vertex.
//
// In a plane graph paths do not cross where the vertices eliminated are connected, and so are the others: the
// k ends are matched in a Catalan number of ways. With kPlane, kPlaneDegree and kPlaneDetermined the standard
// deviation is 0.5 bits on grids and triangular grids of 6 to 14 rows, in rows or from a corner. The factor
// of grids is lower by a bit: the ends of two colours balance.
class StateModel {
  public:
    enum class Kind { any, directed, plane };

    explicit StateModel(Kind kind)
        : other_degree_(kind == Kind::plane ? kPlaneDegree : kOtherDegree),
          known_((kMost + 1) * (kMost + 1) * (kMost + 1), -1.0F) {
        double bits = 0;
        for (int k = 2; k <= kMost; k += 2) {
            switch (kind) {
            case Kind::any:
                bits += std::log2(k - 1);
                matchings_[k] = std::exp2(kMatchings * bits - kDetermined);
                break;
            case Kind::directed:
                bits += std::log2(k / 2);
                matchings_[k] = std::exp2(kArcMatchings * bits - kArcDetermined);
                break;
            case Kind::plane:
                bits += std::log2((2.0 * k - 2) / (k / 2 + 1));
                matchings_[k] = std::exp2(kPlane * bits - kPlaneDetermined);
            }
        }
    }

    // Binary logarithm of the states, at least 0.
    double bits(Profile profile) {
        // Beyond the table each vertex multiplies the states by a constant.
        double more = 0;
        for (int excess = std::accumulate(profile.begin(), profile.end(), -kMost), i = 3;
             excess > 0 && i >= 0; --i) {
            const int cut = std::min(excess, profile[i]);
            profile[i] -= cut;
            excess -= cut;
            more += cut * (1.0 + i);
        }
        const auto place =
            static_cast<std::size_t>((profile[0] * (kMost + 1) + profile[1]) * (kMost + 1) + profile[2]);
        float& known =
            profile[3] == 0
                ? known_[place]
                : known_with_pairs_
                      .try_emplace(place * (kMost + 1) + static_cast<std::size_t>(profile[3]), -1.0F)
                      .first->second;
        if (known < 0) known = static_cast<float>(computed(profile));
        return known + more;
    }

  private:
    static constexpr int kMost = 48;
    static constexpr double kMatchings = 0.7, kOtherDegree = 0.8, kDetermined = 0.5;
    static constexpr double kPlane = 0.9, kPlaneDegree = 1.0, kPlaneDetermined = 0.7;
    static constexpr double kArcMatchings = 0.6, kArcDetermined = 2.5, kEitherOpen = 1.5;

    double computed(const Profile& profile) const {
        const double other = std::exp2(other_degree_), others = std::exp2(other_degree_ * profile[2]);
        double sum = 0, four = std::exp2(other_degree_ * profile[3]);
        for (int l = 0; l <= profile[3]; ++l) {
            double two = four;
            for (int i = 0; i <= profile[1]; ++i) {
                double three = two * others;
                for (int j = 0; j <= profile[2]; ++j) {
                    sum += three * matchings_[profile[0] + i + j + l];
                    three *= (profile[2] - j) / ((j + 1) * other);
                }
                two *= (profile[1] - i) / (i + 1.0);
            }
            four *= kEitherOpen * (profile[3] - l) / ((l + 1) * other);
        }
        return sum > 1 ? std::log2(sum) : 0;
    }

    double other_degree_;
    std::array<double, kMost + 1> matchings_{};
    std::vector<float> known_;
    std::unordered_map<std::size_t, float> known_with_pairs_;
};

// Neighbours in compressed form, and the other one of each pair, which is not among them.
struct Adjacency {
    Adjacency(const Graph& graph, std::vector<int> pairs)
        : partner(std::move(pairs)), first(graph.vertices + 1, 0), to(2 * graph.edges.size()) {
        for (const auto& [u, v] : graph.edges)
            if (partner[u] != v) ++first[u + 1], ++first[v + 1];
        std::partial_sum(first.begin(), first.end(), first.begin());
        std::vector<int> place(first.begin(), first.end() - 1);
        for (const auto& [u, v] : graph.edges)
            if (partner[u] != v) to[place[u]++] = v, to[place[v]++] = u;
        for (const int each : partner) paired = paired || each >= 0;
    }
    int degree(int v) const { return first[v + 1] - first[v]; }
    const int* begin(int v) const { return to.data() + first[v]; }
    const int* end(int v) const { return to.data() + first[v + 1]; }
    int size() const { return static_cast<int>(first.size()) - 1; }
    bool directed() const;

    std::vector<int> partner;
    std::vector<int> first, to;
    bool paired = false;
};

struct Around {
    const Adjacency& graph;
    int v;
    const int* begin() const { return graph.begin(v); }
    const int* end() const { return graph.end(v); }
};

// Whether the pairs are the vertices of a directed graph: their vertices have two colours, each of a pair
// another, and edges join different colours. At most one vertex is by itself.
inline bool Adjacency::directed() const {
    if (!paired || std::count(partner.begin(), partner.end(), -1) > 1) return false;
    std::vector<int> colour(static_cast<std::size_t>(size()), -1), queue;
    for (int start = 0; start < size(); ++start) {
        if (partner[start] < 0 || colour[start] >= 0) continue;
        colour[start] = 0;
        queue.assign(1, start);
        while (!queue.empty()) {
            const int v = queue.back();
            queue.pop_back();
            const auto other = [&](int u) {
                if (colour[u] < 0) {
                    colour[u] = 1 - colour[v];
                    queue.push_back(u);
                }
                return colour[u] != colour[v];
            };
            if (!other(partner[v])) return false;
            for (const int u : Around{*this, v})
                if (partner[u] >= 0 && !other(u)) return false;
        }
    }
    return true;
}

// Adds the slot of a vertex, `times` times. `done(u)` is whether a vertex is eliminated, `around(u)` the
// number of its decided edges.
template <class Done, class Decided>
void add_slot(Profile& profile, const Adjacency& graph, int v, Done&& done, Decided&& around, int times) {
    if (graph.partner[v] < 0) {
        if (!done(v)) add_vertex(profile, around(v), graph.degree(v) - around(v), times);
        return;
    }
    const auto openness = [&](int u) {
        const int decided = around(u);
        if (done(u)) return Openness{false, true};
        return Openness{decided == 0 || decided < graph.degree(u), decided > 0};
    };
    add_pair(profile, openness(v), openness(graph.partner[v]), times);
}

// Calls visit(u) once for each slot that the elimination of a vertex changes, with a vertex of the slot.
template <class Visit> void each_slot(const Adjacency& graph, int v, Visit&& visit) {
    visit(v);
    for (const int* u = graph.begin(v); u != graph.end(v); ++u) {
        const int partner = graph.partner[*u];
        // The first neighbour of a pair stands for it.
        if (partner < 0 || std::find(graph.begin(v), u, partner) == u) visit(*u);
    }
}

// The frontier along an order.
struct Frontier {
    std::vector<double> bits; // binary logarithm of the predicted states after each vertex
    std::vector<int> widths;  // slots in use after each vertex
};

inline Frontier frontier_along(StateModel& model, const Adjacency& graph, const std::vector<int>& order) {
    std::vector<int> decided(graph.size(), 0);
    std::vector<char> out(graph.size(), 0);
    Frontier along;
    along.bits.reserve(order.size());
    along.widths.reserve(order.size());
    Profile profile{};
    int width = 0;
    const auto used = [&](int v) {
        const auto in_use = [&](int u) { return u >= 0 && (decided[u] > 0 || out[u] != 0); };
        const int partner = graph.partner[v];
        const bool left = out[v] == 0 || (partner >= 0 && out[partner] == 0);
        return left && (in_use(v) || in_use(partner));
    };
    for (const int v : order) {
        const auto add = [&](int times) {
            each_slot(graph, v, [&](int u) {
                add_slot(
                    profile, graph, u, [&](int w) { return out[w] != 0; }, [&](int w) { return decided[w]; },
                    times);
                width += times * used(u);
            });
        };
        add(-1);
        out[v] = 1;
        for (const int u : Around{graph, v}) ++decided[u];
        add(1);
        along.bits.push_back(model.bits(profile));
        along.widths.push_back(width);
    }
    return along;
}

inline double states_of(double bits) {
    return std::exp2(std::min(bits, 1000.0));
}

inline double cost_of(const std::vector<double>& bits) {
    double sum = 0;
    for (const double each : bits) sum += states_of(each);
    return sum;
}

} // namespace ktsolve::frontier
