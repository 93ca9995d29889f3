// A checker of DRUP proofs, which shares no code with a SAT solver.
//
// Every clause of the proof, a *lemma*, must follow by *reverse unit propagation* (Goldberg & Novikov 2003):
// its literals set to false, the clauses and earlier lemmas must come to a contradiction by unit clauses
// alone. The clauses are refuted when that holds for the empty clause. Deletions, which proofs contain to
// make checking faster, are ignored: a lemma that followed once still follows.
#pragma once

#include <cstdint>
#include <vector>

#include "ktsolve/common/control.hpp"

namespace ktsolve {

// Clauses and lemmas as in DIMACS: literals are numbers, negated ones negative, a 0 ends each clause.
struct Refutation {
    std::vector<std::int32_t> clauses;
    std::vector<std::int32_t> lemmas;
};

struct RefutationReport {
    Status status = Status::done;
    bool refuted = false;
    std::uint64_t checked = 0; // lemmas that follow
    bool unfounded = false;    // the next one does not
};

// Memory is that of the clauses and lemmas, whatever their literals. Throws std::invalid_argument for text
// that does not end with a 0, or a literal of more than 2^30.
RefutationReport check_refutation(const Refutation& refutation, const Limits& limits,
                                  Monitor* monitor = nullptr);

// What of a refutation is needed: one flag for each clause and each lemma, if it is one. Every lemma is
// followed, and the clauses that it was seen to follow from are noted; then those are marked from which the
// contradiction comes, from the last lemma back. The empty clause at the end is not among them.
struct Trimmed {
    RefutationReport report;
    std::vector<std::uint8_t> clauses;
    std::vector<std::uint8_t> lemmas;
};

// As check_refutation, which uses less memory.
Trimmed trim_refutation(const Refutation& refutation, const Limits& limits, Monitor* monitor = nullptr);

// Why each lemma follows, as in LRAT (Cruz-Filipe et al. 2017): the numbers of clauses and lemmas, counted
// from 1 in one row, that are units one after the other when the literals of the lemma are false, the last of
// them without a true literal; a 0 after each lemma. The last entry is that of the empty clause, after the
// lemma with which unit propagation alone comes to a contradiction: later lemmas have none.
struct Hints {
    RefutationReport report;
    std::vector<std::int32_t> hints; // empty unless the clauses are refuted
};

Hints find_hints(const Refutation& refutation, const Limits& limits, Monitor* monitor = nullptr);

} // namespace ktsolve
