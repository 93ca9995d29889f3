// The number of Hamiltonian cycles through each edge, in one pass forwards and one backwards.
//
// The states of the top half are counted forwards, layer by layer, and all layers are kept: the *ways* to
// reach a state. The join gives the *completions* of each state of the last layer, the number of ways to make
// a cycle of it; backwards, the completions of a state are the sum over its edge choices of the completions
// of the state that the choice leads to. The cycles through an edge are the sum, over all states before it is
// decided and all choices that take it, of the ways to reach the state times the completions of the state it
// leads to. (This is the forward-backward algorithm of hidden Markov models, in whole numbers.)
//
// Rejected: a count for each class of edges with one of them required. The 21 classes of 8x8 take ten times
// as long.
#pragma once

#include "ktsolve/join/count.hpp"

namespace ktsolve {

struct MovesReport {
    Status status = Status::done;
    bool overflow = false; // numbers did not fit: give a modulus
    // For each edge of the top half and each edge inside the separator that is given to the top, limbs of the
    // number of cycles that use it, or of its residue; 0 for the others.
    std::vector<std::vector<std::uint64_t>> counts;
    std::vector<std::uint64_t> total; // of all cycles
    std::vector<LayerReport> top, bottom;
    std::uint64_t peak_bytes = 0;
    double seconds_halves = 0, seconds_join = 0, seconds_back = 0;
};

// The plan's mirrors are not used, and with its flip the bottom is made as a top. `modulus` is below 2^31, or
// 0, for which the number of cycles must be known to be below 2^62. Throws as count_cycles_by_join.
MovesReport count_moves_by_join(const Graph& graph, const JoinPlan& plan, int threads, std::uint64_t modulus,
                                const Limits& limits, Monitor* monitor = nullptr);

} // namespace ktsolve
