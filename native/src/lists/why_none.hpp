// Why a small graph has no Hamiltonian cycle or path, as far as colours, degrees and connectivity say.
#pragma once

#include <optional>
#include <utility>

#include "ktsolve/lists/graph_list.hpp"
#include "lists/small_graph.hpp"

namespace ktsolve {

// The numbers of vertices of the two colours of an undirected graph, if it has them.
std::optional<std::pair<int, int>> sides_of(const SmallGraph& graph);

// The first argument that applies to an undirected graph of 3 vertices or more; kEvidence numbers are
// written.
WhyNone why_none(const SmallGraph& graph, bool closed, std::int32_t* evidence);

} // namespace ktsolve
