// The two sides meet: which patterns, and how often each counts.
#pragma once

#include "join/contraction.hpp"
#include "join/extension.hpp"

namespace ktsolve::join {

struct Meeting {
    // Tables that the bottom meets, each by itself; those that are folded have the same mirror. More than one
    // only without `same` and `mirror`.
    std::vector<const Side*> tops;
    const Side& bottom;
    const FieldPermutation* flip; // of middle slots, when the bottom is a table made from the top, or nullptr
    bool same; // with a flip: both sides are the same table, so that the flip maps pairs to pairs
    const FieldPermutation* mirror; // when it keeps the sides of middle edges, or nullptr
    const Numbering& numbering;
    Workshop& shop;
    u64 part, parts;
    // Slots behind those of the numbering: what all tops bring there, and what is wanted.
    u64 beyond = 0, full_beyond = 0;
};

struct Met {
    std::vector<u128> totals; // or their residues, one per top
    u64 patterns = 0;
    u64 extended = 0;
    bool overflow = false;
};

Met meet(const Meeting& meeting);

} // namespace ktsolve::join
