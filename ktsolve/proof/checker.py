"""Checks of certificates. Nothing here, or below, knows an engine, a model or an encoding.

What is believed: the reading of the problem (:mod:`ktsolve.proof.reading`), the clauses stated from it
(:mod:`ktsolve.proof.statement`), the arguments by components, by symmetry and by sums
(:mod:`ktsolve.proof.components`, :mod:`ktsolve.proof.invariance`, :mod:`ktsolve.proof.sums`) and the
follower of lemmas (native/src/refutation.cpp), for which any other checker of DRUP proofs may be put.
"""

from __future__ import annotations

from ktsolve.proof.certificate import Certificate, Clauses, Invariance, Multiples, Removal
from ktsolve.proof.components import count_parts
from ktsolve.proof.invariance import why_not_invariant
from ktsolve.proof.reading import Reading, read_problem
from ktsolve.proof.refutation import fault_of_lemmas
from ktsolve.proof.statement import cut_clause, state
from ktsolve.proof.sums import refuted_by_sums

__all__ = ["all_clauses", "check_certificate", "in_words"]


def check_certificate(
    certificate: Certificate, seconds: float | None = None, memory: int | None = None
) -> str | None:
    """Why a certificate does not prove its claim, or None if it does.

    Complexity: linear in the statement, and as long as following the lemmas takes.

    Raises
    ------
    Refused
        If the problem asks for something that certificates cannot speak of.
    LimitReached
        When following the lemmas takes longer than ``seconds``, or stating the problem more bytes than
        ``memory``.

    Examples
    --------
    >>> from ktsolve.problem.problem import TourProblem
    >>> problem = TourProblem(board="3x3", closed=False)
    >>> check_certificate(Certificate(problem, Removal((), outside=True)))
    >>> check_certificate(Certificate(problem, Removal((), outside=False)))
    'without 0 nodes 1 part is left, which a tour can well hold together'
    """
    if isinstance(certificate.argument, Removal):
        return _fault_of_removal(read_problem(certificate.problem), certificate.argument)
    if isinstance(certificate.argument, Invariance):
        reason = why_not_invariant(read_problem(certificate.problem))
        return None if reason else "the symmetry by itself does not rule out a tour"
    if isinstance(certificate.argument, Multiples):
        holds = refuted_by_sums(read_problem(certificate.problem), certificate.argument.numbers)
        return None if holds else "these multiples of the sums do not contradict each other"
    return _fault_of_clauses(certificate, certificate.argument, seconds, memory)


def in_words(certificate: Certificate) -> str:
    """The argument of a certificate that holds, in a sentence.

    >>> from ktsolve.problem.problem import TourProblem
    >>> print(in_words(Certificate(TourProblem(board="3x3", closed=True), Removal((), outside=False))))
    the moves leave 2 parts of the board unconnected
    """
    argument = certificate.argument
    if isinstance(argument, Clauses):
        stated, cuts, lemmas = len(argument.stated), len(argument.cuts), len(argument.lemmas)
        return (
            f"{stated:,} {'clause states' if stated == 1 else 'clauses state'} the problem, "
            f"{f'{cuts:,} cut' if cuts == 1 else f'{cuts:,} cuts'} added, "
            f"{lemmas:,} {'lemma refutes' if lemmas == 1 else 'lemmas refute'} them"
        )
    reading = read_problem(certificate.problem)
    if isinstance(argument, Invariance):
        return str(why_not_invariant(reading))
    if isinstance(argument, Multiples):
        taken = sum(1 for number in argument.numbers if number)
        if taken == 1:
            return "a sum that is asked for has another parity than the colours of its cells tell"
        return (
            f"{taken} of the sums that are asked for add up to a number that has another remainder modulo 4 "
            "than the colours of their cells tell"
        )
    found = count_parts(reading, _nodes(reading, argument))
    if not argument.cells:
        return f"the moves leave {found.parts} parts of the board unconnected"
    inner = f", {found.inner} of whose moves or ends are given," if found.inner else ""
    kind = "a closed tour" if reading.closed else "an open tour"
    return (
        f"without {len(argument.cells)} {'cell' if len(argument.cells) == 1 else 'cells'}{inner} "
        f"{found.parts} parts of the board are left; {kind} falls into {found.most} at most"
    )


def _nodes(reading: Reading, removal: Removal) -> list[int]:
    node = {cell: i for i, cell in enumerate(reading.cells)}
    return [node[cell] for cell in removal.cells] + [len(reading.cells)] * removal.outside


def _fault_of_removal(reading: Reading, removal: Removal) -> str | None:
    found = count_parts(reading, _nodes(reading, removal))
    if found.refutes:
        return None
    return (
        f"without {found.removed} {'node' if found.removed == 1 else 'nodes'} {found.parts} "
        f"{'part is' if found.parts == 1 else 'parts are'} left, which a tour can well hold together"
    )


def _fault_of_clauses(
    certificate: Certificate, argument: Clauses, seconds: float | None, memory: int | None
) -> str | None:
    statement = state(certificate.problem, memory)
    names = statement.names
    for number, name in argument.variables:
        if not (0 < number <= len(names) and names[number - 1] == name):
            return f"variable {number} is not {name}"
    stated = set(statement.clauses)
    for number, clause in enumerate(argument.stated, 1):
        if tuple(sorted(set(clause))) not in stated:
            return f"clause {number} is none of those that state the problem"
    reading = statement.reading
    for number, cells in enumerate(argument.cuts, 1):
        # Where a tour has no outside, an edge leaves only some of the cells, not all of them.
        if not 0 < len(set(cells)) < reading.nodes:
            return f"cut {number} is no part of the board"
    return fault_of_lemmas(all_clauses(argument, reading), argument.lemmas, seconds)


def all_clauses(argument: Clauses, reading: Reading) -> list[tuple[int, ...]]:
    """The clauses that are refuted: those that state the problem, then the cuts."""
    node = {cell: i for i, cell in enumerate(reading.cells)}
    return [*argument.stated, *(cut_clause(reading, (node[c] for c in cut)) for cut in argument.cuts)]
