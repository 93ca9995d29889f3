// Number of Hamiltonian cycles that a symmetry of a graph maps to themselves, by a frontier sweep of the
// whole graph.
//
// The sweep is that of ktsolve/frontier/count.hpp with one rule more: the edges that the symmetry maps to
// each other are taken together or not at all. Vertices are eliminated orbit by orbit, so that the partial
// solutions of every layer are invariant, too: the degrees and mates of one vertex of each orbit determine
// those of the others, and only these are stored. The mate may be any vertex of the frontier. There is no
// quotient graph, no voltage and no case for the way in which the symmetry acts: ktsolve/quotient/voltage.hpp
// has these, and fewer states.
#pragma once

#include <vector>

#include "ktsolve/common/control.hpp"
#include "ktsolve/common/graph.hpp"
#include "ktsolve/frontier/count.hpp"

namespace ktsolve {

// `images` is a permutation of the vertices, of any order. Orbits are eliminated in the order of their first
// vertices. Edges whose images are not all edges of the graph are not used; a required edge requires its
// images. Threads as in ktsolve/frontier/count.hpp. Throws std::invalid_argument for a malformed graph or
// permutation, std::length_error for a frontier that no key can hold.
FrontierReport count_invariant_cycles(const Graph& graph, const std::vector<int>& images,
                                      const Limits& limits, Monitor* monitor = nullptr, int threads = 1);

} // namespace ktsolve
