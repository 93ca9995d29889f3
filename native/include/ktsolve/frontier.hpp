// Exact number of Hamiltonian cycles by a frontier (transfer-matrix) sweep, vertex by vertex, on any graph.
//
// After Sekine, Imai & Tani (1995), Kawahara et al. (Graphillion's frontier method) and Knuth's SIMPATH and
// DYNAHAM: vertices are eliminated in the order given (0, 1, 2, ...). What matters about the chosen edges is
// only, for each *frontier* vertex (not yet eliminated, joined to an eliminated one), whether it has degree
// 0, 1 or 2, and for those of degree 1 which other one is its *mate*, the far end of its path. Partial
// solutions that agree in this are merged and only their number is kept.
//
// Cost: time and memory grow with the number of states, which is exponential in the largest frontier; the
// order of the vertices decides everything. Unlike the two-sided join this engine has no idea of boards,
// which is its value: it checks the others.
#pragma once

#include <cstdint>
#include <vector>

#include "ktsolve/control.hpp"
#include "ktsolve/graph.hpp"

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

// Largest frontier that a state key can hold.
inline constexpr int kWidestFrontier = 40;

// Throws std::invalid_argument for a malformed graph, std::length_error for a frontier over kWidestFrontier.
FrontierReport count_cycles_by_frontier(const Graph& graph, const Limits& limits, Monitor* monitor = nullptr);

} // namespace ktsolve
