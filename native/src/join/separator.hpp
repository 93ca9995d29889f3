// The separator of a plan as the join sees it: slots, ports and symmetries.
#pragma once

#include "join/edge_choices.hpp"
#include "ktsolve/common/graph.hpp"
#include "ktsolve/join/count.hpp"

namespace ktsolve::join {

// Whether the symmetry (or none) exchanges the colours of a split plan. Throws std::invalid_argument if it
// neither keeps nor exchanges them.
bool swaps_colours(const JoinPlan& plan, const std::vector<int>& image);

// The edges as ports in slots of the separator; `tallied` has a flag for each edge, or is empty.
std::vector<PortEdge> separator_ports(const Graph& graph, const JoinPlan& plan, const std::vector<int>& edges,
                                      const std::vector<char>& tallied = {});

// What the symmetry does to patterns on the separator.
FieldPermutation separator_permutation(const JoinPlan& plan, const std::vector<int>& image);

} // namespace ktsolve::join
