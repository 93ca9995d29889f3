// Vertices without which a graph has several components, if possible more than a Hamiltonian cycle allows.
//
// Without k of its vertices a cycle has at most k components, and at most k - m if m of its edges join two of
// them (Chvatal 1973, with required edges). Such vertices are looked for by chance: all are taken out, and
// put back in a random order. A vertex that is put back and joins c components changes their number less that
// of the vertices that are out by 2 - c, so those with the smallest c come first, and c above 2 stays out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ktsolve/common/graph.hpp"

namespace ktsolve {

struct Separator {
    std::vector<int> vertices; // sorted
    int components = 0;        // of the other vertices, at least two
    int most = 0;              // components that a cycle allows

    bool refutes() const { return components > most; }
};

// The first that refutes in so many attempts, each nearly linear in vertices and edges; if none does, one
// with the fewest vertices to a component; nothing if none leaves two components.
std::optional<Separator> find_separator(const Graph& graph, int attempts, std::uint64_t seed);

} // namespace ktsolve
