"""A checker of LRAT from the description of the format, with nothing of ktsolve's.

Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, Efficient Certified RAT Verification, 2017. Only reverse
unit propagation and deletions: refutations of ktsolve need no other steps. As strict as verified checkers:
each hint must be a unit, or without a literal that may be true, and the last must be the latter.
"""

from __future__ import annotations


def lrat_fault(dimacs: str, proof: str) -> str | None:
    """The first step that does not hold, or None for a refutation."""
    words = [line.split() for line in dimacs.splitlines() if line and line[0] not in "cp"]
    clauses = {i: {int(word) for word in line[:-1]} for i, line in enumerate(words, 1)}
    latest = len(clauses)
    for line in proof.splitlines():
        number, *rest = line.split()
        if rest[0] == "d":
            for each in rest[1:-1]:
                del clauses[int(each)]
            continue
        literals = [int(word) for word in rest]
        end = literals.index(0)
        lemma, hints = literals[:end], literals[end + 1 : -1]
        if int(number) <= latest or literals[-1] != 0:
            return f"line {number}: numbers grow, and 0 ends a line"
        latest = int(number)
        true = {-literal for literal in lemma}
        if (fault := _fault(clauses, true, hints)) is not None:
            return f"line {number}: {fault}"
        clauses[latest] = set(lemma)
        if not lemma:
            return None
    return "the empty clause is missing"


def _fault(clauses: dict[int, set[int]], true: set[int], hints: list[int]) -> str | None:
    for place, hint in enumerate(hints):
        if hint not in clauses:
            return f"hint {hint} does not exist"
        left = {literal for literal in clauses[hint] if -literal not in true}
        if not left:
            return None if place == len(hints) - 1 else f"hint {hint} is false before the last"
        if len(left) > 1 or left <= true:
            return f"hint {hint} is not a unit"
        true |= left
    return "no hint is false"
