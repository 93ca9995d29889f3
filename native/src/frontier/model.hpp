// How many states a sweep is predicted to have: the model behind the choice of orders, cuts and estimates.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "ktsolve/common/graph.hpp"

namespace ktsolve::frontier {

// Vertices of the frontier by the number of degrees that they can have: 1, 2 or 3.
using Profile = std::array<int, 3>;

// Adds a vertex with `done` decided edges and `left` others, `times` times.
inline void add_vertex(Profile& profile, int done, int left, int times) {
    if (done == 0) return;
    profile[std::clamp(std::min(done, 2) - std::max(0, 2 - left), 0, 2)] += times;
}

// Predicted number of states of a frontier. Each vertex is an end of a path or not, and the k ends are
// matched in (k - 1)!! ways, of which some do not occur: in the exponent the double factorial has the factor
// kMatchings, and a further degree (0 besides 2) kOtherDegree, fitted on the widest layers of cubic graphs,
// generalised Petersen graphs, grids, hypercubes, complete graphs, king's and knight's boards. There the
// standard deviation is 1.2 bits; it was 1.7 to 2.7 bits for a constant factor per vertex.
class StateModel {
  public:
    StateModel() : known_((kMost + 1) * (kMost + 1) * (kMost + 1), -1.0F) {
        double bits = 0;
        for (int k = 0; k <= kMost; ++k) {
            if (k >= 3 && k % 2 == 0) bits += std::log2(k - 1);
            matchings_[k] = k % 2 != 0 || k == 0 ? 0.0 : std::exp2(kMatchings * bits - kDetermined);
        }
    }

    // Binary logarithm of the states, at least 0.
    double bits(Profile profile) {
        // Beyond the table each vertex multiplies the states by a constant.
        double more = 0;
        for (int excess = profile[0] + profile[1] + profile[2] - kMost, i = 2; excess > 0 && i >= 0; --i) {
            const int cut = std::min(excess, profile[i]);
            profile[i] -= cut;
            excess -= cut;
            more += cut * (1.0 + i);
        }
        float& known = known_[static_cast<std::size_t>((profile[0] * (kMost + 1) + profile[1]) * (kMost + 1) +
                                                       profile[2])];
        if (known < 0) known = static_cast<float>(computed(profile));
        return known + more;
    }

  private:
    static constexpr int kMost = 48;
    static constexpr double kMatchings = 0.7, kOtherDegree = 0.8, kDetermined = 0.5;

    double computed(const Profile& profile) const {
        double sum = 0, two = 1;
        for (int i = 0; i <= profile[1]; ++i) {
            double three = two * std::exp2(kOtherDegree * profile[2]);
            for (int j = 0; j <= profile[2]; ++j) {
                sum += three * matchings_[profile[0] + i + j];
                three *= (profile[2] - j) / ((j + 1) * std::exp2(kOtherDegree));
            }
            two *= (profile[1] - i) / (i + 1.0);
        }
        return sum > 1 ? std::log2(sum) : 0;
    }

    std::array<double, kMost + 1> matchings_{};
    std::vector<float> known_;
};

// Neighbours in compressed form.
struct Adjacency {
    explicit Adjacency(const Graph& graph) : first(graph.vertices + 1, 0), to(2 * graph.edges.size()) {
        for (const auto& [u, v] : graph.edges) ++first[u + 1], ++first[v + 1];
        std::partial_sum(first.begin(), first.end(), first.begin());
        std::vector<int> place(first.begin(), first.end() - 1);
        for (const auto& [u, v] : graph.edges) to[place[u]++] = v, to[place[v]++] = u;
    }
    int degree(int v) const { return first[v + 1] - first[v]; }
    const int* begin(int v) const { return to.data() + first[v]; }
    const int* end(int v) const { return to.data() + first[v + 1]; }
    int size() const { return static_cast<int>(first.size()) - 1; }

    std::vector<int> first, to;
};

struct Around {
    const Adjacency& graph;
    int v;
    const int* begin() const { return graph.begin(v); }
    const int* end() const { return graph.end(v); }
};

// Binary logarithm of the predicted states after each vertex of an order.
inline std::vector<double> bits_along(StateModel& model, const Adjacency& graph,
                                      const std::vector<int>& order) {
    std::vector<int> done(graph.size(), 0);
    std::vector<char> out(graph.size(), 0);
    std::vector<double> bits;
    bits.reserve(order.size());
    Profile profile{};
    for (const int v : order) {
        add_vertex(profile, done[v], graph.degree(v) - done[v], -1);
        out[v] = 1;
        for (const int u : Around{graph, v}) {
            if (out[u]) continue;
            add_vertex(profile, done[u], graph.degree(u) - done[u], -1);
            ++done[u];
            add_vertex(profile, done[u], graph.degree(u) - done[u], 1);
        }
        bits.push_back(model.bits(profile));
    }
    return bits;
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
