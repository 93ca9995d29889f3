// The join of patterns that were made by themselves (single_pattern.hpp).
//
// The tables A and B of a pattern and of its complement stand for averages over the elements that keep both:
// the number of pairs that close one cycle is the average, over the elements h, of that of A and h(B). For
// each mate x of the first end, all h(B) are contracted by (0, x) into one array, as thin_join.hpp does with
// a list. Entries of A are first moved to images in which x is as small as can be: so few x occur.
#pragma once

#include "join/orbit_join.hpp"

namespace ktsolve::join {

// The totals are by the number of pairs of ends. All tables are of single patterns, of at least two pairs
// each.
JoinResult run_single_join(const OrbitJoin& step);

} // namespace ktsolve::join
