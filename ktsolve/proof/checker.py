"""The checker of certificates. It imports no engine, no model and no encoding.

The trusted code is: the graph of the problem (:mod:`ktsolve.proof.problem_graph`), the clauses that state it
(:mod:`ktsolve.proof.statement`), the arguments by components, degrees, symmetry, sums
(:mod:`ktsolve.proof.arguments`) and an order (:mod:`ktsolve.proof.elimination`), and the check of lemmas
(native/src/proof/refutation.cpp). Any other checker of DRUP or LRAT can replace the latter:
:mod:`ktsolve.proof.clause_proof` writes its files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, assert_never

from ktsolve.base.limits import Clock, Limit, Settings, check_status, takes_settings
from ktsolve.base.text import check_kind, number_of
from ktsolve.graphs.board import Board
from ktsolve.proof.arguments import (
    Components,
    count_components,
    count_degrees,
    refuted_by_sums,
    symmetry_obstruction,
)
from ktsolve.proof.certificate import (
    Argument,
    Certificate,
    Clauses,
    Count,
    Degrees,
    Elimination,
    Invariance,
    Multiples,
    Removal,
)
from ktsolve.proof.elimination import Tally, sweep, tally
from ktsolve.proof.problem_graph import ProblemGraph, read_problem, with_forced_edges
from ktsolve.proof.statement import Statement, cut_clause, state_graph

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "all_clauses",
    "check_argument",
    "check_certificate",
    "check_lemmas",
    "hints",
    "summary",
    "trim",
]


@takes_settings
def check_certificate(certificate: Certificate, settings: Settings | None = None) -> str | None:
    """Return why a certificate does not prove its claim, or None if it does.

    Complexity: linear in the statement, plus the check of the lemmas.

    Parameters
    ----------
    certificate:
        The certificate, read or made.
    settings:
        Limits of time and memory; none if None.

    Returns
    -------
    str or None
        What is wrong with the certificate; None if it proves its claim.

    Raises
    ------
    Refused
        If the problem has a condition that certificates do not support.
    LimitReached
        If the check takes longer than the time limit, or the clauses of the problem or the states of an
        order do not fit into the memory limit.

    Examples
    --------
    >>> from ktsolve.problem.problem import TourProblem
    >>> problem = TourProblem(board="3x3", closed=False)
    >>> check_certificate(Certificate(problem, Removal((), outside=True)))
    >>> check_certificate(Certificate(problem, Removal((), outside=False)))
    'the removal of 0 nodes leaves 1 component, and a cycle allows 1'
    """
    check_kind(certificate, Certificate, "a certificate: ktsolve.read_certificate reads one")
    settings = Settings.of(settings)
    memory = None if settings.memory is None else settings.memory_use
    graph = read_problem(certificate.problem)
    return check_argument(certificate.argument, graph, settings.timeout, memory)


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
        case Count(count, order, layers):
            return _check_count(tally(graph, order, seconds, memory), count, layers)
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
        case Count(order=order, layers=layers):
            most = max((states for states, _, _ in layers), default=0)
            nodes = number_of(len(order), "node")
            return (
                f"the sweep over {nodes} in the given order counts them, with up to {most:,} states at once"
            )
        case Invariance():
            return str(symmetry_obstruction(read_problem(certificate.problem)))
        case Multiples(numbers):
            taken = sum(1 for number in numbers if number)
            if taken == 1:
                return "a required sum has a parity that the colours of its cells exclude"
            excluded = "a total whose remainder modulo 4 the colours of their cells exclude"
            return f"{taken} of the required sums have {excluded}"
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


def _check_count(found: Tally | str, count: int, layers: Sequence[tuple[int, int, str]]) -> str | None:
    if isinstance(found, str):
        return found
    if found.count != count:
        return f"the sweep counts {found.count} tours, not {count}"
    if len(found.layers) != len(layers):
        return f"the sweep has {len(found.layers)} layers, the table {len(layers)}"
    different = (
        at for at, (one, other) in enumerate(zip(found.layers, layers, strict=True), 1) if one != other
    )
    at = next(different, None)
    return None if at is None else f"layer {at} of the sweep is {found.layers[at - 1]}, not {layers[at - 1]}"


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
    names, stated = statement.names, statement.clauses
    for number, name in argument.variables:
        if not (0 < number <= len(names) and names[number - 1] == name):
            return f"variable {number} is not {name}"
    for number, clause in enumerate(argument.stated, 1):
        if tuple(sorted(set(clause))) not in stated:
            return f"clause {number} is not among those that state the problem"
    return None


def all_clauses(argument: Clauses, graph: ProblemGraph) -> list[tuple[int, ...]]:
    """Return the refuted clauses: those that state the problem, then those of the cuts."""
    return [*argument.stated, *(cut_clause(graph, (graph.node[c] for c in cut)) for cut in argument.cuts)]


def check_lemmas(
    clauses: Iterable[Sequence[int]], lemmas: Collection[Sequence[int]], seconds: float | None = None
) -> str | None:
    """Return why lemmas do not refute clauses, or None if they do. Literals are those of DIMACS.

    Every lemma must follow from the clauses and the lemmas before it by reverse unit propagation (Goldberg &
    Novikov 2003), and the last one must be the empty clause. Raises LimitReached after that number of
    seconds.

    >>> check_lemmas([[1, 2], [-1, 2], [-2]], [[2], []])
    >>> check_lemmas([[1, 2], [-1, 2]], [[2], [-1]])
    'lemma 2 does not follow'
    """
    from ktsolve import _native

    given, derived = _flat(clauses, lemmas)
    report = _native.refutation_check(given, derived, seconds)
    check_status(report.status, seconds, f"{report.checked:,} of {len(lemmas):,} lemmas checked")
    if report.unfounded:
        return f"lemma {report.checked + 1} does not follow"
    return None if report.refuted else "the lemmas do not derive the empty clause"


def trim(
    clauses: Sequence[Sequence[int]], lemmas: Sequence[Sequence[int]], seconds: float | None = None
) -> tuple[list[int], list[int]] | None:
    """Return the numbers, from 0, of the clauses and lemmas that a refutation uses; None if it is not valid.

    The final empty clause is not included. The result is a refutation, not necessarily a minimal one. Raises
    LimitReached after that number of seconds.

    >>> trim([[1, 2], [3, 4], [-1, 2], [-2]], [[2], [3, 4, 5], []])
    ([0, 2, 3], [])
    """
    import numpy as np

    from ktsolve import _native

    given, derived = _flat(clauses, lemmas)
    report, of_clauses, of_lemmas = _native.refutation_trim(given, derived, seconds)
    check_status(report.status, seconds, f"{report.checked:,} of {len(lemmas):,} lemmas checked")
    if not report.refuted:
        return None
    return np.flatnonzero(of_clauses).tolist(), np.flatnonzero(of_lemmas).tolist()


def hints(clauses: Sequence[Sequence[int]], lemmas: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return why each lemma follows, as in LRAT; the last entry is about the empty clause.

    The numbers are those of clauses and lemmas, in one row from 1. When the literals of the lemma are false,
    each is a unit, after those before it, and the last has no literal that may be true. Lemmas after unit
    propagation alone refutes the clauses have none. Raises ValueError if the lemmas do not refute them.

    >>> hints([[1, 2], [-1, 2], [1, -2], [-1, -2]], [[2], []])
    [[1, 2], [5, 3, 4]]
    """
    from ktsolve import _native

    given, derived = _flat(clauses, lemmas)
    report, flat = _native.refutation_hints(given, derived)
    if not report.refuted:
        raise ValueError("the lemmas do not refute the clauses")
    found: list[list[int]] = [[]]
    for number in flat.tolist():
        if number:
            found[-1].append(number)
        else:
            found.append([])
    return found[:-1]


def _flat(*texts: Iterable[Sequence[int]]) -> list[NDArray[np.int32]]:
    """Clauses and lemmas as arrays, a 0 after each.

    The checker takes memory for every number up to the largest variable. Where there are fewer literals than
    that, the variables are numbered again.
    """
    import numpy as np

    flat = [np.fromiter(chain.from_iterable([*each, 0] for each in text), np.int32) for text in texts]
    whole = np.concatenate(flat)
    if not len(whole) or int(np.abs(whole).max()) <= len(whole):
        return flat
    known = np.unique(np.abs(np.append(whole, 0)))
    return [np.sign(each) * np.searchsorted(known, np.abs(each)).astype(np.int32) for each in flat]
