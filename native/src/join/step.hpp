// One vertex: the layer after it from the layer before it, by merging.
//
// Every way adds one constant to the pattern, so the results of a way come in pattern order when the sources
// are walked in pattern order. One cursor per way walks the old layer; the smallest new pattern among them is
// the next group, and all cursors that stand on it add their entries, through the tables, to one accumulator.
// No hashing and no sorting; memory is read and written in order. Threads take ranges of new patterns.
//
// Hashing states one by one took twenty times as long in a trial of the same plan.
#pragma once

#include "join/restriction.hpp"
#include "join/ways.hpp"
#include "join/workshop.hpp"

namespace ktsolve::join {

Layer take_step(const Layer& old, const std::vector<Way>& ways, const Restriction& restriction,
                Workshop& shop);

// Adds to each group the mirror image of its mirror pattern, and keeps one of the two. With `whole`, groups
// that are their own mirror image get theirs as well, so that afterwards all counts are doubled ones.
Layer fold(const Layer& old, const FieldPermutation& mirror, bool whole, Workshop& shop);

// Where to cut the new patterns so that each range means about equal work.
struct Ranges {
    std::vector<u64> cuts; // range i is cuts[i] <= pattern < cuts[i + 1]
    u64 size() const { return cuts.size() - 1; }
};
Ranges ranges_for(const Layer& old, const std::vector<Way>& ways);

} // namespace ktsolve::join
