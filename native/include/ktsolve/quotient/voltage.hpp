// Number of Hamiltonian cycles of a graph with parallel edges whose *voltages* add up to an odd number.
//
// A graph with a symmetry of order 2^m is folded into its quotient: a vertex for every orbit of vertices, an
// edge for every orbit of edges, labelled with the power of the symmetry that it winds by (Gross & Tucker,
// Topological Graph Theory, 1987). A Hamiltonian cycle of the quotient unwinds into one Hamiltonian cycle of
// the graph if its voltage generates the cyclic group of order 2^m, that is, if it is odd, and into several
// shorter cycles if it is not. So neither the direction of a path nor its voltage is part of a state: each
// state has two counts, the partial solutions of even sum and those of odd sum. Rejected: the voltage of each
// path in the key, with up to 4^7 times the states for seven paths.
//
// A pair of vertices is joined by one edge of `graph`, which stands for all parallel ones.
#pragma once

#include <cstdint>
#include <vector>

#include "ktsolve/common/control.hpp"
#include "ktsolve/common/graph.hpp"
#include "ktsolve/frontier/count.hpp"

namespace ktsolve {

// How many parallel edges have an even voltage, and how many an odd one.
struct Parallel {
    std::uint8_t even = 1;
    std::uint8_t odd = 0;
};

struct VoltageReport : FrontierReport {
    std::vector<std::uint64_t> odd; // limbs of the cycles of odd voltage; `count` has those of even voltage
};

// The cycles with at least three vertices; one parallel edge of each required edge must be used. Threads as
// in ktsolve/frontier/count.hpp. Throws std::invalid_argument for a malformed graph, for an edge that stands
// for none, and unless `parallel` has one entry per edge; std::length_error for a frontier over
// kWidestFrontier.
VoltageReport count_cycles_by_voltage(const Graph& graph, const std::vector<Parallel>& parallel,
                                      const Limits& limits, Monitor* monitor = nullptr, int threads = 1);

} // namespace ktsolve
