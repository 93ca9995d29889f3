// The two sides meet: one pattern of every orbit, eight at a time.
#pragma once

#include "join/contraction.hpp"
#include "join/extension.hpp"

namespace ktsolve::join {

struct Meeting {
    const Side& top;
    const Side& bottom;
    const FieldPermutation* flip; // of middle slots, when the bottom is a table made from the top, or nullptr
    bool same; // with a flip: both sides are the same table, so that the flip maps pairs to pairs
    const FieldPermutation* mirror; // when it keeps the sides of middle edges, or nullptr
    const Numbering& numbering;
    Workshop& shop;
    u64 part, parts;
};

struct Met {
    u128 total = 0; // or its residue
    u64 patterns = 0;
    u64 extended = 0;
    bool overflow = false;
};

Met meet(const Meeting& meeting);

} // namespace ktsolve::join
