"""Search for certificates: arguments are tried in order of cost, and every certificate is checked."""

from __future__ import annotations

from ktsolve.errors import Refused, WrongAnswer
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.proof.certificate import Certificate, Clauses, Invariance, Multiples, Removal
from ktsolve.proof.checker import check_certificate
from ktsolve.proof.invariance import symmetry_obstruction
from ktsolve.proof.loop import Question, Refuted, refute_within
from ktsolve.proof.problem_graph import ProblemGraph, read_problem
from ktsolve.proof.refutation import trim
from ktsolve.proof.separators import find_removal
from ktsolve.proof.statement import Statement, cut_clause, state
from ktsolve.proof.sums import find_multiples
from ktsolve.settings import Clock, Settings

__all__ = ["ARGUMENTS", "prove"]

ARGUMENTS = ("auto", "parts", "symmetry", "sums", "clauses")
"""Names of arguments; ``auto`` tries the others in this order."""

_TRIMMINGS = 3
"""Largest number of times that a refutation is trimmed; each time removes less than the one before."""


def prove(
    problem: TourProblem, settings: Settings | None = None, *, argument: str = "auto"
) -> Certificate | Tour:
    """Return a certificate that a problem has no tour, or a tour.

    Parameters
    ----------
    argument:
        One of :data:`ARGUMENTS`.

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
    settings = settings or Settings()
    if argument not in ARGUMENTS:
        raise Refused(f"argument {argument!r} is unknown: use {', '.join(ARGUMENTS)}")
    clock = Clock(settings.timeout)
    graph = read_problem(problem)
    if argument in ("auto", "parts") and (removal := _removal(graph, clock)) is not None:
        return _checked(Certificate(problem, removal), clock)
    if argument in ("auto", "symmetry") and symmetry_obstruction(graph):
        return _checked(Certificate(problem, Invariance()), clock)
    if argument in ("auto", "sums") and (multiples := find_multiples(graph)) is not None:
        return _checked(Certificate(problem, Multiples(multiples)), clock)
    if argument in ("parts", "symmetry", "sums"):
        raise Refused(f"no argument by {argument} is found: use --argument auto or clauses")
    statement = state(problem, settings.memory_budget)
    question = Question(statement.clauses, graph.nodes, graph.edges, _free(graph))
    found = refute_within(question, settings, clock)
    if found.chosen is not None:
        return _tour(problem, graph, found.chosen)
    return _checked(Certificate(problem, _clauses(statement, found, clock)), clock)


def _checked(certificate: Certificate, clock: Clock) -> Certificate:
    violation = check_certificate(certificate, clock.left)
    if violation is not None:
        raise WrongAnswer(f"the new certificate is invalid: {violation}")
    return certificate


def _removal(graph: ProblemGraph, clock: Clock) -> Removal | None:
    nodes = find_removal(graph, clock.left)
    if nodes is None:
        return None
    n = len(graph.cells)
    return Removal(tuple(sorted(graph.cells[i] for i in nodes if i < n)), outside=n in nodes)


def _free(graph: ProblemGraph) -> list[bool]:
    """For each edge whether only the clauses of degrees contain it."""
    degrees_only = graph.images is None and not graph.step_indexed and not graph.conditions
    constrained = graph.needed.union(*graph.some)
    return [degrees_only and edge not in constrained for edge in graph.edges]


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
        cuts=tuple(tuple(sorted(cells[i] for i in cut)) for cut in cuts),
        lemmas=tuple(lemmas),
    )


def _tour(problem: TourProblem, graph: ProblemGraph, chosen: tuple[int, ...]) -> Tour:
    """The tour of the chosen edges."""
    around: list[list[int]] = [[] for _ in range(graph.nodes)]
    for u, v in (graph.edges[i] for i in chosen):
        around[u].append(v)
        around[v].append(u)
    n = len(graph.cells)
    here = 0 if graph.closed or not around[n] else around[n][0]
    walk, before = [here], None if graph.closed else n
    while len(walk) < n:
        here, before = next(v for v in around[here] if v != before), here
        walk.append(here)
    tour = Tour.from_indices(problem.board, walk, problem.closed)
    answer = next(problem.numberings(tour), None)
    if answer is None:
        raise WrongAnswer(f"the clauses are weaker than the problem: {problem.check(tour)}")
    return answer
