// The join of two sides: which pairs of patterns are joined, and with which weights.
#pragma once

#include "join/contraction.hpp"
#include "join/extension.hpp"

namespace ktsolve::join {

struct JoinStep {
    // Each of these is joined with the bottom; those that are folded have the same mirror. More than one only
    // without `same` and `mirror`.
    std::vector<const Side*> tops;
    const Side& bottom;
    const FieldPermutation* flip; // of separator slots, when the bottom's table is made as a top, or nullptr
    bool same; // with a flip: both sides are the same table, so that the flip maps pairs to pairs
    const FieldPermutation* mirror; // when each side's deferred edges are kept by it, or nullptr
    const Numbering& numbering;
    Context& context;
    u64 part, parts;
    // Fields behind those of the numbering: what each top has there, and the sum with the bottom's.
    u64 beyond = 0, full_beyond = 0;
};

struct JoinResult {
    std::vector<u128> totals; // or their residues, one per top
    u64 patterns = 0;
    u64 extended = 0;
    bool overflow = false;
};

JoinResult run_join_step(const JoinStep& step);

} // namespace ktsolve::join
