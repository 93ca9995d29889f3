// Exact number of Hamiltonian cycles by a frontier (transfer-matrix) sweep, vertex by vertex, on any graph.
//
// After Sekine, Imai & Tani (1995), Kawahara et al. (Graphillion's frontier method) and Knuth's SIMPATH and
// DYNAHAM: vertices are eliminated in the order given (0, 1, 2, ...). A state records, for each *frontier*
// vertex (not yet eliminated, joined to an eliminated one), its degree 0, 1 or 2, and for those of degree 1
// the *mate*, the other end of its path. Partial solutions with the same state are merged; their number is
// kept. Done differently here: dead states are pruned by the degrees that neighbours can still get, and
// counts grow by a limb when they overflow, so that they have any size.
//
// Time and memory grow with the number of states, which is exponential in the largest frontier and depends on
// the order of the vertices. The caller chooses the order
// (ktsolve/frontier/order.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "ktsolve/common/control.hpp"
#include "ktsolve/common/graph.hpp"

namespace ktsolve {

struct FrontierReport {
    Status status = Status::done;
    std::vector<std::uint64_t> count; // limbs of the number of cycles, least significant first
    std::uint64_t peak_states = 0;    // most states after any vertex
    std::uint64_t total_states = 0;   // states summed over all vertices
    std::uint64_t transitions = 0;    // states generated before merging
    std::uint64_t peak_bytes = 0;     // most memory held by the two tables
    int eliminated = 0;               // vertices done when it stopped
    int widest = 0;                   // largest frontier
    int limbs = 1;                    // width that the counts needed
};

// A lightest cycle, of the sum of the weights of its edges.
struct LightestReport : FrontierReport {
    bool found = false;
    std::int64_t weight = 0;
    std::vector<std::int32_t> cycle; // its vertices
};

// Largest frontier that a state key can hold.
inline constexpr int kWidestFrontier = 40;

// Layers of many states are in parts, which `threads` share; the count and the numbers of states do not
// depend on them. Throws std::invalid_argument for a malformed graph, std::length_error for a frontier over
// kWidestFrontier.
FrontierReport count_cycles_by_frontier(const Graph& graph, const Limits& limits, Monitor* monitor = nullptr,
                                        int threads = 1);

// The lightest cycle of a graph with a weight for each edge: sums instead of counts, the least where states
// merge. Keeps eight bytes for each state of each layer, to trace the cycle back. Throws as above, and
// std::overflow_error if the weight of a cycle may not fit in 63 bits.
LightestReport lightest_cycle_by_frontier(const Graph& graph, const std::vector<std::int64_t>& weights,
                                          const Limits& limits, Monitor* monitor = nullptr);

} // namespace ktsolve
