"""Search for certificates: arguments are tried in order of cost, and every certificate is checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ktsolve.base.errors import LimitReached, Refused, WrongAnswer
from ktsolve.base.limits import Clock, Settings, takes_settings
from ktsolve.base.text import unknown
from ktsolve.engines.frontier.engine import FrontierEngine
from ktsolve.engines.frontier.order import best_order
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.reduction import reduce
from ktsolve.proof.arguments import count_components, find_degrees, find_multiples, symmetry_obstruction
from ktsolve.proof.certificate import (
    MOST_DIGITS,
    Certificate,
    Clauses,
    Count,
    Degrees,
    Elimination,
    Invariance,
    Multiples,
    Removal,
)
from ktsolve.proof.checker import check_certificate, trim
from ktsolve.proof.elimination import MOST_SLOTS, tally
from ktsolve.proof.loop import ClauseProblem, Refuted, refute_within
from ktsolve.proof.problem_graph import ProblemGraph, read_problem, with_forced_edges
from ktsolve.proof.separators import find_removal, needed_cycles
from ktsolve.proof.statement import Statement, cut_clause, state

__all__ = ["ARGUMENTS", "certify_count", "check_countable", "prove"]

ARGUMENTS = ("auto", "parts", "degrees", "symmetry", "sums", "order", "clauses")
"""Names of arguments; ``auto`` tries the others in this order, ``degrees`` and ``order`` on bare graphs."""

_FEW_STATES = 300_000
"""Largest number of states, over all nodes, of an order that ``auto`` takes: some 2 s of the check."""

_TRIMMINGS = 3
"""Largest number of times that a refutation is trimmed; each time removes less than the one before."""


@takes_settings
def prove(
    problem: TourProblem | Graph | str | Any,
    settings: Settings | None = None,
    *,
    argument: str = "auto",
    **conditions: Any,
) -> Certificate | Tour:
    """Prove that a problem has no tour, or find a tour.

    Parameters
    ----------
    problem:
        A problem; or a board, its size such as ``"8x8"``, a graph, or its name: see :meth:`TourProblem.of`.
    settings:
        Limits and threads; the defaults if None.
    argument:
        One of :data:`ARGUMENTS`.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`.

    Returns
    -------
    Certificate or Tour
        The certificate, if there is no tour.

    Raises
    ------
    Refused
        If the problem has a condition that certificates do not support, the argument is unknown, or it
        neither proves nor refutes the claim.
    LimitReached
        At the time or memory limit.

    Examples
    --------
    >>> certificate = prove(TourProblem(board="4x6", closed=True))
    >>> certificate.argument.cells
    ((1, 0), (1, 2), (1, 4), (2, 1), (2, 3), (2, 5))
    >>> check_certificate(certificate) is None
    True
    >>> prove(TourProblem(board="3x10", closed=True)).valid
    True
    """
    problem = TourProblem.of(problem, **conditions)
    settings = Settings.of(settings)
    if argument not in ARGUMENTS:
        raise Refused(str(unknown("argument", argument, ARGUMENTS)))
    clock = Clock(settings)
    graph = read_problem(problem)
    if argument in ("auto", "parts") and (removal := _removal(graph, clock)) is not None:
        return _checked(Certificate(problem, removal), clock)
    bare = not isinstance(problem.ground, Board)
    if argument == "degrees" or (argument == "auto" and bare):
        sets = find_degrees(graph)
        if sets is not None:
            return _checked(Certificate(problem, Degrees(*sets)), clock)
    if argument in ("auto", "parts") and bare and (removal := _forced_removal(problem, graph, clock)):
        return _checked(Certificate(problem, removal), clock)
    if argument in ("auto", "symmetry") and symmetry_obstruction(graph):
        return _checked(Certificate(problem, Invariance()), clock)
    if argument in ("auto", "sums") and (multiples := find_multiples(graph)) is not None:
        return _checked(Certificate(problem, Multiples(multiples)), clock)
    if argument == "order" or (argument == "auto" and bare):
        found = _order(problem, graph, settings, clock, small=argument == "auto")
        if found is not None:
            return found
    if argument not in ("auto", "clauses"):
        raise Refused(f"no argument by {argument} is found: use --argument auto or clauses")
    statement = state(problem, settings.memory_use)
    clauses = ClauseProblem([*statement.clauses], graph.nodes, graph.edges, _free(graph), graph.directed)
    refuted = refute_within(clauses, settings, clock)
    if refuted.chosen is not None:
        return _tour(problem, graph, refuted.chosen)
    return _checked(Certificate(problem, _clauses(statement, refuted, clock)), clock)


def _checked(certificate: Certificate, clock: Clock) -> Certificate:
    violation = check_certificate(certificate, clock.within(Settings()))
    if violation is not None:
        raise WrongAnswer(f"the new certificate is invalid: {violation}")
    return certificate


def _removal(graph: ProblemGraph, clock: Clock) -> Removal | None:
    nodes = find_removal(graph, clock.left)
    return None if nodes is None else _as_removal(graph, nodes)


def _forced_removal(problem: TourProblem, graph: ProblemGraph, clock: Clock) -> Removal | None:
    """An argument by components in the graph with the edges that every cycle has.

    Candidates are what the reduction of graphs found, and cycles of such edges.
    """
    forced = with_forced_edges(graph)
    candidates = list(needed_cycles(forced))
    plain = CycleGraph.of(problem)
    if len(problem.ground) > 1 and not plain.doubled and not plain.impossible:
        refutation = reduce(plain, clock).refutation
        candidates += [] if refutation is None else [refutation.vertices, refutation.vertices[:1]]
    for nodes in candidates:
        if any(count_components(each, nodes).refutes for each in (graph, forced)):
            return _as_removal(graph, nodes)
    found = None if forced is graph else find_removal(forced, clock.left)
    return None if found is None else _as_removal(graph, found)


def _as_removal(graph: ProblemGraph, nodes: Sequence[int]) -> Removal:
    n = len(graph.cells)
    return Removal(tuple(graph.cells[i] for i in sorted(nodes) if i < n), outside=n in nodes)


def _order(
    problem: TourProblem, graph: ProblemGraph, settings: Settings, clock: Clock, *, small: bool
) -> Certificate | Tour | None:
    """A certificate by an order of the nodes, or a tour; None for neither.

    The sweep may take long unless it has to be ``small``. The engine ``frontier`` makes it first, so that the
    slower one of the checker is not in vain.
    """
    # What the sweep of the checker takes too: it states no symmetry.
    takes = FrontierEngine.capabilities["construct"]
    conditions = [each for each in problem.conditions if each.feature in takes]
    relaxed = TourProblem(board=problem.ground, closed=problem.closed, conditions=conditions)
    tiny = graph.nodes < 3 or (graph.closed and len(graph.cells) < 3)
    if tiny or not relaxed.features <= takes:
        return None
    plain = CycleGraph.of(relaxed)
    found = best_order(relaxed, plain, clock)
    if found.width > MOST_SLOTS or (small and found.states > _FEW_STATES):
        return None
    order = _nodes_in_order(plain, found.vertices.tolist())
    try:
        counted = FrontierEngine().count(relaxed, clock.within(settings))
    except LimitReached:
        if small:
            return None
        raise
    if counted.count and relaxed == problem:
        tour = FrontierEngine().construct(problem, clock.within(settings))
        return None if tour is None else next(problem.labelings(tour), None)
    # Sets of ends are stated by the checker's sweep only.
    several = problem.starts or problem.ends
    if (counted.count and not several) or (small and counted.details.get("total_states", 0) > _FEW_STATES):
        return None
    certificate = Certificate(problem, Elimination(order))
    limits = clock.within(settings).within_memory(settings.memory_budget)
    violation = check_certificate(certificate, limits)
    if violation is not None and not counted.count:
        raise WrongAnswer(f"the new certificate is invalid: {violation}")
    return None if violation else certificate


def _nodes_in_order(plain: CycleGraph, vertices: Sequence[int]) -> tuple[int, ...]:
    """The nodes in the order of the vertices of a graph in which two stand for a node of a directed one."""
    if not plain.doubled:
        return tuple(vertices)
    last = max(v // 2 for v in vertices if v != plain.extra) + 1
    return tuple(dict.fromkeys(last if v == plain.extra else v // 2 for v in vertices))


def check_countable(problem: TourProblem) -> ProblemGraph:
    """Return the graph of a problem whose number of tours a certificate can state. Raises Refused."""
    if not problem.features <= FrontierEngine.capabilities["count"]:
        raise Refused(f"a certificate of a count states ends, required and forbidden moves, not {problem}")
    return read_problem(problem)


def certify_count(problem: TourProblem, count: int, settings: Settings) -> Certificate:
    """Return a certificate of the number of tours that an engine gave.

    Raises Refused for a problem that the sweep of the checker does not state, WrongAnswer if its number is
    another, LimitReached if it has too many states: the graph must be narrow.

    >>> certify_count(TourProblem(board="3x10", closed=True), 16, Settings()).claim
    '16 tours: closed 3x10'
    """
    clock, graph = Clock(settings), check_countable(problem)
    if count >= 10**MOST_DIGITS:
        raise Refused(f"a certificate has counts of up to {MOST_DIGITS:,} digits")
    plain = CycleGraph.of(problem)
    order = _nodes_in_order(plain, best_order(problem, plain, clock).vertices.tolist())
    found = tally(graph, order, clock.left, settings.memory_use)
    if isinstance(found, str):
        raise Refused(f"a certificate of this count cannot be made: {found}")
    if found.count != count:
        raise WrongAnswer(f"the sweep of the checker counts {found.count} tours of {problem}, not {count}")
    return Certificate(problem, Count(count, order, found.layers))


def _free(graph: ProblemGraph) -> list[bool]:
    """For each edge whether only the clauses of degrees contain it."""
    restricted = graph.directed or graph.images is not None or graph.step_indexed or graph.conditions
    constrained = graph.needed.union(*graph.some)
    return [not restricted and edge not in constrained for edge in graph.edges]


def _clauses(statement: Statement, found: Refuted, clock: Clock) -> Clauses:
    """The argument, without clauses, cuts and lemmas that the refutation does not use."""
    graph = statement.graph
    nodes, n = range(graph.nodes), len(graph.cells)
    # A set of nodes and its complement have the same cut. One of the two has no node outside.
    cuts = [cut if n not in cut else tuple(set(nodes) - set(cut)) for cut in found.cuts]
    stated, lemmas = list(statement.clauses), list(found.lemmas)
    for _ in range(_TRIMMINGS):
        given = stated + [cut_clause(graph, cut) for cut in cuts]
        needed = trim(given, lemmas, clock.left)
        if needed is None:
            raise WrongAnswer("the refutation of the SAT solver does not pass the check")
        before = len(stated) + len(cuts) + len(lemmas)
        cuts = [cuts[i - len(stated)] for i in needed[0] if i >= len(stated)]
        stated = [stated[i] for i in needed[0] if i < len(stated)]
        lemmas = [*(lemmas[i] for i in needed[1]), ()]
        if len(stated) + len(cuts) + len(lemmas) > before * 0.95:
            break
    cells = graph.cells
    used = {abs(literal) for clause in stated for literal in clause}
    used |= {variable for cut in cuts for variable in cut_clause(graph, cut)}
    return Clauses(
        variables=tuple((number, statement.names[number - 1]) for number in sorted(used)),
        stated=tuple(stated),
        cuts=tuple(tuple(cells[i] for i in sorted(cut)) for cut in cuts),
        lemmas=tuple(lemmas),
    )


def _tour(problem: TourProblem, graph: ProblemGraph, chosen: tuple[int, ...]) -> Tour:
    """The tour of the chosen edges."""
    around: list[list[int]] = [[] for _ in range(graph.nodes)]
    for u, v in (graph.edges[i] for i in chosen):
        around[u].append(v)
        if not graph.directed:
            around[v].append(u)
    n = len(graph.cells)
    here = 0 if graph.closed or not around[n] else around[n][0]
    walk, before = [here], None if graph.closed else n
    while len(walk) < n:
        # In a directed graph the first neighbour is the head of the arc that leaves the node.
        here, before = next(v for v in around[here] if graph.directed or v != before), here
        walk.append(here)
    tour = Tour.from_indices(problem.ground, walk, problem.closed)
    answer = next(problem.labelings(tour), None)
    if answer is None:
        raise WrongAnswer(f"the clauses are weaker than the problem: {problem.check(tour)}")
    return answer
