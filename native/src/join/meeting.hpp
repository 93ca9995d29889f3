// The two sides meet: one pattern of every orbit, eight at a time.
#pragma once

#include "join/contraction.hpp"
#include "join/extension.hpp"

namespace ktsolve::join {

struct Meeting {
    const Side& top;
    const Side& bottom;             // the same as top with a flip
    const FieldPermutation* flip;   // of middle slots, or nullptr
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
