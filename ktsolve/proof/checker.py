"""The checker of certificates. It imports no engine, no model and no encoding.

The trusted code is: the graph of the problem (:mod:`ktsolve.proof.problem_graph`), the clauses that state it
(:mod:`ktsolve.proof.statement`), the arguments by components, degrees, an order, symmetry and sums
(:mod:`ktsolve.proof.components`, :mod:`ktsolve.proof.degrees`, :mod:`ktsolve.proof.elimination`,
:mod:`ktsolve.proof.invariance`, :mod:`ktsolve.proof.sums`) and the check of lemmas
(native/src/proof/refutation.cpp). Any other checker of DRUP proofs can replace the latter.
"""

from __future__ import annotations

from typing import assert_never

from ktsolve.base.limits import Clock, Limit
from ktsolve.base.text import number_of
from ktsolve.graphs.board import Board
from ktsolve.proof.certificate import (
    Argument,
    Certificate,
    Clauses,
    Degrees,
    Elimination,
    Invariance,
    Multiples,
    Removal,
)
from ktsolve.proof.components import Components, count_components
from ktsolve.proof.degrees import count_degrees
from ktsolve.proof.elimination import sweep
from ktsolve.proof.invariance import symmetry_obstruction
from ktsolve.proof.problem_graph import ProblemGraph, read_problem, with_forced_edges
from ktsolve.proof.refutation import check_lemmas
from ktsolve.proof.statement import Statement, cut_clause, state_graph
from ktsolve.proof.sums import refuted_by_sums

__all__ = ["all_clauses", "check_argument", "check_certificate", "summary"]


def check_certificate(
    certificate: Certificate, seconds: float | None = None, memory: Limit | None = None
) -> str | None:
    """Return why a certificate does not prove its claim, or None if it does.

    Complexity: linear in the statement, plus the check of the lemmas.

    Parameters
    ----------
    certificate:
        The certificate, read or made.
    seconds:
        Time limit; None for no limit.
    memory:
        Memory limit in bytes; None for no limit.

    Returns
    -------
    str or None
        What is wrong with the certificate; None if it proves its claim.

    Raises
    ------
    Refused
        If the problem has a condition that certificates do not support.
    LimitReached
        If the check takes longer than ``seconds``, or the clauses of the problem or the states of an order
        do not fit into ``memory``.

    Examples
    --------
    >>> from ktsolve.problem.problem import TourProblem
    >>> problem = TourProblem(board="3x3", closed=False)
    >>> check_certificate(Certificate(problem, Removal((), outside=True)))
    >>> check_certificate(Certificate(problem, Removal((), outside=False)))
    'the removal of 0 nodes leaves 1 component, and a cycle allows 1'
    """
    return check_argument(certificate.argument, read_problem(certificate.problem), seconds, memory)


def check_argument(
    argument: Argument,
    graph: ProblemGraph,
    seconds: float | None = None,
    memory: Limit | None = None,
    statement: Statement | None = None,
) -> str | None:
    """Return why an argument does not refute a problem that was read, as :func:`check_certificate` does.

    - ``statement``: the clauses of the problem, if they are known already
    """
    match argument:
        case Removal() as removal:
            found = _components(graph, removal)
            if found.refutes:
                return None
            return (
                f"the removal of {number_of(found.removed, 'node')} leaves "
                f"{number_of(found.number, 'component')}, and a cycle allows {found.most}"
            )
        case Degrees(needing, giving):
            shortage = count_degrees(graph, needing, giving)
            if shortage.refutes:
                return None
            needed = number_of(shortage.needed, "edge")
            return f"the nodes need {needed}, and {shortage.available:,} are available"
        case Elimination(order):
            return sweep(graph, order, seconds, memory).fault
        case Invariance():
            reason = symmetry_obstruction(graph)
            return None if reason else "the symmetry alone does not exclude a tour"
        case Multiples(numbers):
            holds = refuted_by_sums(graph, numbers)
            return None if holds else "these multiples of the sums do not contradict each other"
        case Clauses() as clauses:
            return _check_clauses(clauses, graph, seconds, memory, statement)
        case other:
            assert_never(other)


def summary(certificate: Certificate) -> str:
    """Return the argument of a valid certificate as a sentence.

    >>> from ktsolve.problem.problem import TourProblem
    >>> print(summary(Certificate(TourProblem(board="3x3", closed=True), Removal((), outside=False))))
    the board has 2 components
    """
    match certificate.argument:
        case Clauses(stated=stated, cuts=cuts, lemmas=lemmas):
            return (
                f"{len(stated):,} {'clause states' if len(stated) == 1 else 'clauses state'} the problem, "
                f"{number_of(len(cuts), 'cut')} added, "
                f"{len(lemmas):,} {'lemma refutes' if len(lemmas) == 1 else 'lemmas refute'} them"
            )
        case Degrees(needing, giving):
            return _degrees(certificate, needing, giving)
        case Elimination(order):
            return f"the sweep over {number_of(len(order), 'node')} in the given order leaves no state"
        case Invariance():
            return str(symmetry_obstruction(read_problem(certificate.problem)))
        case Multiples(numbers):
            taken = sum(1 for number in numbers if number)
            if taken == 1:
                return "a required sum has a parity that the colours of its cells exclude"
            return (
                f"{taken} of the required sums have a total whose remainder modulo 4 the colours of their "
                "cells exclude"
            )
        case Removal() as removal:
            graph = read_problem(certificate.problem)
            found = _components(graph, removal)
            what = "board" if isinstance(graph.ground, Board) else "graph"
            if not removal.cells:
                return f"the {what} has {found.number} components"
            given = "given" if count_components(graph, _nodes(graph, removal)).refutes else "given or forced"
            inner = f", {found.inner} of whose moves or ends are {given}," if found.inner else ""
            kind = "a closed tour" if graph.closed else "an open tour"
            cell = "cell" if isinstance(graph.ground, Board) else "vertex"
            return (
                f"without {number_of(len(removal.cells), cell)}{inner} the {what} has {found.number} "
                f"components; {kind} allows at most {found.most}"
            )
        case other:
            assert_never(other)


def _degrees(certificate: Certificate, needing: tuple[int, ...], giving: tuple[int, ...]) -> str:
    graph = read_problem(certificate.problem)
    shortage = count_degrees(graph, needing, giving)
    given = " besides the required ones" if graph.needed else ""
    what = f"arcs from them{given}" if graph.directed else f"edges{given}"
    who = f"{number_of(len(needing), 'node')} {'needs' if len(needing) == 1 else 'need'}"
    return f"{who} {shortage.needed:,} {what}, and {shortage.available:,} are available"


def _nodes(graph: ProblemGraph, removal: Removal) -> list[int]:
    return [graph.node[cell] for cell in removal.cells] + [len(graph.cells)] * removal.outside


def _components(graph: ProblemGraph, removal: Removal) -> Components:
    """The components in the graph or, if they do not refute, with the edges that every cycle has."""
    found = count_components(graph, _nodes(graph, removal))
    if found.refutes:
        return found
    forced = count_components(with_forced_edges(graph), _nodes(graph, removal))
    return forced if forced.refutes else found


def _check_clauses(
    argument: Clauses,
    graph: ProblemGraph,
    seconds: float | None,
    memory: Limit | None,
    statement: Statement | None,
) -> str | None:
    # What is linear in the certificate comes first: the clauses of the problem may be far more.
    if () not in argument.lemmas[-1:]:
        return "the lemmas do not derive the empty clause"
    for number, cells in enumerate(argument.cuts, 1):
        # In a closed tour no edge leaves the set of all cells. In an open one the ends do.
        if not 0 < len(set(cells)) < graph.nodes:
            return f"cut {number} is not a proper subset of the nodes"
    clock = Clock(seconds)
    violation = check_lemmas(all_clauses(argument, graph), argument.lemmas, seconds)
    if violation is not None:
        return violation
    clock.check("the lemmas are checked, the clauses are not")
    statement = statement or state_graph(graph, memory)
    names, stated = statement.names, statement.stated
    for number, name in argument.variables:
        if not (0 < number <= len(names) and names[number - 1] == name):
            return f"variable {number} is not {name}"
    for number, clause in enumerate(argument.stated, 1):
        if tuple(sorted(set(clause))) not in stated:
            return f"clause {number} is none of those that state the problem"
    return None


def all_clauses(argument: Clauses, graph: ProblemGraph) -> list[tuple[int, ...]]:
    """Return the refuted clauses: those that state the problem, then those of the cuts."""
    return [*argument.stated, *(cut_clause(graph, (graph.node[c] for c in cut)) for cut in argument.cuts)]
