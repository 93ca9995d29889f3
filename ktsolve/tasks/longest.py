"""Find a longest cycle or path, which need not visit all vertices.

A tour is looked for first, for a moment: where one exists, it is longest. Then a frontier sweep answers
where few states are predicted, and else the solvers of models find longer and longer walks and prove bounds
on the way. A bound by colours and connectivity ends them sooner. Non-crossing walks have a search of their
own.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ktsolve.base.errors import BadInput, LimitReached, WrongAnswer
from ktsolve.base.limits import Clock, Settings, check_status, native_progress, takes_settings
from ktsolve.engines.auto import briefly
from ktsolve.engines.frontier.engine import FrontierEngine
from ktsolve.engines.frontier.partial import PartialSweep
from ktsolve.engines.interface import checked
from ktsolve.engines.race import Optimum, improving
from ktsolve.engines.search.engine import SearchEngine
from ktsolve.engines.solver import Solved, Unsolved
from ktsolve.engines.through_model import CpSatEngine, SatEngine
from ktsolve.graphs.board import without_vertices
from ktsolve.graphs.card import Card, Carded
from ktsolve.graphs.geometry import crossing_pairs
from ktsolve.graphs.graph import Graph, Vertex
from ktsolve.graphs.symmetry import cell_orbits, symmetry_group
from ktsolve.graphs.tour import Tour
from ktsolve.problem.longest import LongestProblem
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import BaseAnswer, timed
from ktsolve.tasks.find import find
from ktsolve.tasks.solve import solve

__all__ = ["Longest", "longest"]

_SWEPT = 3e5
"""Predicted states of a sweep of all tours with which that of all walks takes seconds; it runs alone then."""

_INDUCED = 300.0  # how many times more states are predicted for a sweep of induced walks than it has
_RACED = 100.0  # times more states with which the sweep runs beside other engines
_ALONE = 20.0  # times more states with which a sweep of induced walks runs alone: others hardly prove them

_MOMENT = 2.0  # seconds in which a tour of all vertices, or all but one, is looked for
_LEFT_OUT = 3  # vertices that are tried to be left out

METHODS = {
    False: (FrontierEngine.name, SatEngine.name, CpSatEngine.name),
    True: (SearchEngine.name, CpSatEngine.name),
}
"""The engines for walks, and for non-crossing ones."""


@dataclass(frozen=True)
class Longest(Carded, BaseAnswer):
    """A longest cycle or path: the best found, with the best bound known.

    Attributes
    ----------
    walk:
        The walk, over some of the vertices, as a :class:`~ktsolve.graphs.tour.Tour`; None if none exists.
    length:
        Number of its edges, or the sum of their weights.
    bound:
        No walk is longer; None if nothing is known.
    problem:
        The question.
    bound_reason:
        Why, where arithmetic gives the bound; empty otherwise.
    nodes:
        Walks tried, if the method counts them.
    """

    walk: Tour | None
    length: int
    bound: int | None
    problem: LongestProblem = field(repr=False)
    bound_reason: str = ""
    nodes: int | None = None

    @property
    def found(self) -> bool:
        """Whether there is a walk."""
        return self.walk is not None

    @property
    def optimal(self) -> bool:
        """Whether it is proved that no walk is longer."""
        return self.bound == self.length

    @property
    def status(self) -> str:
        """``optimal``, ``found`` or ``impossible``."""
        return "optimal" if self.found and self.optimal else super().status

    def _card(self) -> Card:
        name = self.problem.kind
        if self.walk is None:
            return Card(f"No {name}", self._facts)
        proof = "proved longest" if self.optimal else f"at most {self.bound}"
        return Card(f"Longest {name}", (("length", f"{self.length}, {proof}"), *self._facts), (self.walk,))


@takes_settings
def longest(
    G: Any,  # noqa: N803 (networkx calls a graph G)
    engine: str = "auto",
    settings: Settings | None = None,
    *,
    closed: bool = True,
    source: Hashable = None,
    target: Hashable = None,
    induced: bool = False,
    weighted: bool = False,
) -> Longest:
    """Find a longest cycle of a graph or a board, or a longest path; it need not visit all vertices.

    The length of a longest cycle is the circumference of the graph, that of a longest path its detour
    number. When time runs out, the longest so far is given, with the best bound known.

    Parameters
    ----------
    G:
        A graph as :meth:`Graph.of` takes it, or a board such as ``"8x8"``.
    engine:
        ``frontier``, ``sat``, ``cpsat`` or ``auto``.
    settings:
        Limits and threads; the defaults if None.
    closed:
        Whether a cycle is wanted; otherwise a path.
    source, target:
        The first and the last vertex of a path; by default any.
    induced:
        Whether no edge of the graph may join two vertices of the walk unless it is one of its edges.
    weighted:
        Whether the length is the sum of the weights of the edges, not their number.

    Returns
    -------
    Longest
        The walk, its length and the best bound known.

    Raises
    ------
    BadInput
        For anything but a graph, an end that is not in it, ends of a cycle, and weights that it has not.
    Refused
        If the engine cannot take the graph: ``frontier`` takes undirected ones.
    LimitReached
        If time or memory ran out before any walk was found.
    WrongAnswer
        If the engine gave a walk that does not answer the problem.

    Notes
    -----
    The problem is NP-hard. Every walk is checked before it is returned. A cycle has three vertices or more; a
    vertex is a path of length 0.

    Examples
    --------
    >>> import networkx
    >>> found = longest(networkx.petersen_graph())
    >>> found.length, found.optimal
    (9, True)
    >>> longest("5x5", closed=False, induced=True).length
    14
    >>> list(longest(networkx.star_graph(3), closed=False, source=0).walk)
    [0, 1]
    """
    given = {"start": source, "end": target}
    asked = TourProblem.of(G, closed=closed, **{k: v for k, v in given.items() if v is not None})
    problem = LongestProblem(asked.ground, closed, asked.start, asked.end, induced, weighted=weighted)
    return longest_walk(problem, engine, settings)


@timed
def longest_walk(
    problem: LongestProblem, engine: str = "auto", settings: Settings | None = None, *, keep: bool = False
) -> Longest:
    """A longest walk of a problem; as :func:`longest`.

    With ``keep`` the longest walk so far is returned at Ctrl-C, as at a limit.

    >>> from ktsolve.graphs.board import Board
    >>> problem = LongestProblem(Board.parse("5x5"), closed=False, non_crossing=True)
    >>> found = longest_walk(problem)
    >>> found.length, found.optimal
    (10, True)
    """
    methods = METHODS[problem.non_crossing]
    if engine not in ("auto", *methods):
        kind = problem.kind.rsplit(" ", 1)[0] if " " in problem.kind else "longest"
        raise BadInput(f"engine {engine!r:.40} finds no {kind} walks: use auto, {', '.join(methods)}")
    settings = Settings.of(settings)
    if problem.non_crossing and engine in ("auto", SearchEngine.name):
        return _by_search(problem, settings, keep)
    most, reason = problem.most
    short = _without_edges(problem)
    if most == 0 or len(problem.ground) == 1:
        return Longest(short, 0, 0, problem, reason, engine="arithmetic")
    clock = Clock(settings)
    if engine == "auto" and not (problem.induced or problem.weighted):
        whole = len(problem.ground) - (not problem.closed)
        tour, name, none = _tour_without(problem, None, clock.within(settings))
        if none and most == whole:
            most, reason = most - 1, f"a longer one would visit all {problem.ground.nouns.cells}"
        for removed in () if tour or most != whole - 1 else _first_left_out(problem):
            if tour is None:
                tour, name, _ = _tour_without(problem, removed, clock.within(settings))
        if tour is not None:
            length = problem.length(checked(name, problem, tour))
            return Longest(tour, length, length, problem, reason * (length < whole), engine=name)
    names = _chosen(problem, clock.within(settings)) if engine == "auto" else [engine]
    known = Optimum[Tour](names[0], bound=None if problem.weighted else most)
    try:
        for each in improving(_Walks(problem), names, clock.within(settings), known, tried=1):
            known = each
    except KeyboardInterrupt:
        if known.best is None or not keep:
            raise
    if known.best is None or known.value is None or (short is not None and known.value < 0):
        return Longest(short, 0, 0, problem, engine=known.engine)
    by_arithmetic = reason if known.bound == most and not problem.weighted else ""
    return Longest(known.best, known.value, known.bound, problem, by_arithmetic, engine=known.engine)


def _tour_without(
    problem: LongestProblem, removed: Vertex | None, settings: Settings
) -> tuple[Tour | None, str, bool]:
    """A walk through all vertices, or all but one, found in a moment; its engine; whether none exists."""
    ground = problem.ground if removed is None else without_vertices(problem.ground, {removed})
    asked = TourProblem(board=ground, closed=problem.closed, start=problem.start, end=problem.end)
    with suppress(LimitReached):
        found = find(asked, settings=briefly(settings, _MOMENT))
        tour = None if found.tour is None else Tour(problem.ground, found.tour.squares, problem.closed)
        return tour, found.engine, tour is None
    return None, "", False


def _first_left_out(problem: LongestProblem) -> list[Vertex]:
    """The vertices that are first tried to be left out: of the colour that has more, of least degree."""
    ground = problem.ground
    colour = ground.colouring or dict.fromkeys(ground.cells, 0)
    more = sum(colour.values()) * 2 > len(ground)
    left = [v for v in ground.cells if colour[v] == more and v not in (problem.start, problem.end)]
    return sorted(left, key=lambda v: len(ground.neighbours[v]))[:_LEFT_OUT]


def cycle_of_length(graph: Graph, length: int, settings: Settings) -> Tour | None:
    """A cycle of a graph of this length, 3 or more, or None if none exists. Raises LimitReached.

    >>> cycle_of_length(Graph.of([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]), 3, Settings()).closed
    True
    """
    from ktsolve.models.longest import LongestModel

    problem = LongestProblem(graph, closed=True)
    compiled = LongestModel(problem)
    compiled.model.forget_objectives()
    compiled.model.exactly(length, compiled.visited.values())
    solved = solve(compiled.model, SatEngine.name, settings)
    if solved.assignment is None:
        return None
    cycle = checked(solved.engine, problem, compiled.decode(solved.assignment))
    if len(cycle) != length:
        raise WrongAnswer(f"engine {solved.engine} gave a cycle of {len(cycle)} vertices, not {length}")
    return cycle


def _without_edges(problem: LongestProblem) -> Tour | None:
    """The path of one vertex; None for cycles, and where both ends are given and differ."""
    given = {each for each in (problem.start, problem.end) if each is not None}
    if problem.closed or len(given) > 1:
        return None
    return Tour(problem.ground, [*given, *problem.ground.cells][:1])


def _chosen(problem: LongestProblem, settings: Settings) -> list[str]:
    """The engines that are to race, or the sweep alone."""
    solvers = [SatEngine.name, CpSatEngine.name]
    if problem.ground.directed:
        return solvers
    states = PartialSweep(problem, settings).states / (_INDUCED if problem.induced else 1)
    if states < _SWEPT * (_ALONE if problem.induced else 1):
        return [FrontierEngine.name]
    return [FrontierEngine.name, *solvers] if states < _RACED * _SWEPT else solvers


@dataclass(frozen=True)
class _Walks:
    """The longest walk as an :class:`~ktsolve.engines.race.Optimisation`: solutions are indices of cells."""

    problem: LongestProblem
    least: bool = False

    def __str__(self) -> str:
        return str(self.problem)

    def read(self, name: str, solution: Sequence[int]) -> tuple[Tour, int]:
        """The walk after its check, and its length."""
        walk = Tour.from_indices(self.problem.ground, solution, self.problem.closed)
        checked(name, self.problem, walk)
        return walk, self.problem.length(walk)

    def improving(self, name: str, settings: Settings, start: Sequence[int] | None) -> Iterator[Solved]:
        """Longer and longer walks, the last with the best bound. Raises LimitReached before the first."""
        if name == FrontierEngine.name:
            walk = PartialSweep(self.problem, settings).longest()
            short = None if walk is None else list(walk.indices)
            yield Solved(short, bound=None if walk is None else self.problem.length(walk))
            return
        from ktsolve.engines.registry import solver_named
        from ktsolve.models.longest import LongestModel

        clock = Clock(settings)
        compiled = LongestModel(self.problem)
        last, indices = None, None
        try:
            for solved in solver_named(name).improving(compiled.model, clock.within(settings)):
                if solved.assignment is not None and solved.assignment is not last:
                    last, indices = solved.assignment, list(compiled.decode(solved.assignment).indices)
                yield Solved(None if solved.assignment is None else indices, bound=solved.bound)
        except Unsolved as stop:
            if indices is None:
                raise
            yield Solved(indices, bound=stop.bound)


def _by_search(problem: LongestProblem, settings: Settings, keep: bool) -> Longest:
    """A longest non-crossing walk by the native exhaustive search."""
    from ktsolve._native import NonCrossingTask
    from ktsolve._native import longest_non_crossing as search

    board = problem.board
    task = NonCrossingTask()
    task.vertices = len(board)
    task.edges = [(board.index[a], board.index[b]) for a, b in board.moves]
    number = {move: at for at, move in enumerate(board.moves)}
    task.crossings = [(number[a], number[b]) for a, b in crossing_pairs(board.moves)]
    orbits = cell_orbits(board, symmetry_group(board))
    task.starts = [board.index[orbit.representative[0]] for orbit in orbits]
    task.closed = problem.closed

    def describe(nodes: int, _total: int, longest: int) -> tuple[None, str]:
        return None, f"{nodes:,} walks, longest {longest}"

    report = search(task, settings.timeout, native_progress(settings, describe), keep)
    walk = Tour.from_indices(board, report.walk, problem.closed) if report.walk else None
    bound = report.length
    if report.status != "done":
        if walk is None:
            check_status(report.status, settings, f"{report.nodes:,} walks tried")
        bound = len(board) - (not problem.closed)
    name = SearchEngine.name
    if walk is not None and problem.length(checked(name, problem, walk)) != report.length:
        raise WrongAnswer(f"engine {name} gave length {report.length} for another walk")
    return Longest(walk, report.length, bound, problem, nodes=report.nodes, engine=name)
