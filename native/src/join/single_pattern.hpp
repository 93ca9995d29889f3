// The states of one pattern, made by themselves.
//
// A pattern of many ends has so many matchings that the states of a block it belongs to would not fit. Its
// states alone are far fewer, and are folded as well, by the elements of the plan's group that keep it: the
// half is swept from its vertices farthest from the separator to the nearest. Where those elements map what
// has been eliminated to itself, the count T of a state is that of its images. So each state may be replaced
// by any of its images: that of the leading pattern on the frontier. A table N is kept with
//
//     |H| T = sum of the images of N under all elements h of H,
//
// as eliminating the other vertices is linear and commutes with the elements. For the join it is enough to
// take the images of one of the two tables (single_join.hpp).
#pragma once

#include "join/half.hpp"

namespace ktsolve::join {

// Whether a block gives the degree of each vertex of the separator of a plan with a group.
inline bool is_single(const HalfTask& task) {
    return task.group != nullptr && task.block_sums.size() == task.separator.size();
}

// The table N of the block's pattern, which must lead its orbit.
Layer make_single(const HalfTask& task, Context& context, std::vector<LayerReport>& log);

} // namespace ktsolve::join
