// Orders in which a frontier sweep eliminates the vertices of a graph, and the number of states predicted.
//
// The least largest frontier over all orders is the pathwidth of the graph, which is NP-hard to find. Orders
// are made in several ways: Cuthill & McKee (1969) from pseudo-peripheral vertices (George & Liu 1979), Sloan
// (1986), a Fiedler vector, and a beam search. All are deterministic.
#pragma once

#include <cstdint>
#include <vector>

#include "ktsolve/common/control.hpp"
#include "ktsolve/common/graph.hpp"

namespace ktsolve {

struct OrderProblem {
    std::vector<std::vector<int>> given; // orders of all vertices to compare with
    int last = -1;                       // a vertex that is to be eliminated last, or -1
    double effort = 1.0;                 // factor of the work of the beam search
    bool planar = false;                 // of a plane graph, perhaps but for `last`: paths do not cross
};

struct OrderAnswer {
    Status status = Status::done;
    std::vector<int> order;
    std::vector<double> bits; // binary logarithm of the predicted states after each vertex of the order
    std::vector<int> widths;  // vertices in the frontier after each; a pair (frontier/plan.hpp) is one
};

// An order with the prediction of its states. Linear in the edges. Throws std::invalid_argument for a
// malformed graph or order.
OrderAnswer predicted_order(const Graph& graph, const std::vector<int>& order, bool planar = false);

// The order of the fewest predicted states, in sum. The beam search, which costs most, does work in
// proportion to what the sweep itself would do along the best of the other orders. Throws
// std::invalid_argument for a malformed graph and for a given order that is not a permutation of the
// vertices.
OrderAnswer best_frontier_order(const Graph& graph, const OrderProblem& problem, const Limits& limits,
                                Monitor* monitor = nullptr);

} // namespace ktsolve
