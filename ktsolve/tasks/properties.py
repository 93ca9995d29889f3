"""Properties of one graph about its Hamiltonian cycles and paths, each with the walks that prove it.

Every walk is checked by the task that finds it. For many graphs the same properties, without walks, are
columns of :func:`~ktsolve.tasks.graph_list.graph_table`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, groupby, permutations
from typing import Any

import numpy as np

from ktsolve.base.errors import LimitReached, WrongAnswer
from ktsolve.base.limits import Clock, Settings, takes_settings
from ktsolve.base.text import number_of, unknown
from ktsolve.engines.interface import checked
from ktsolve.engines.through_model import SatEngine
from ktsolve.graphs.board import without_vertices
from ktsolve.graphs.card import Card, Carded
from ktsolve.graphs.components import components
from ktsolve.graphs.graph import Graph, Move, Vertex
from ktsolve.graphs.properties import PROPERTIES
from ktsolve.graphs.tour import Tour
from ktsolve.model.model import Model
from ktsolve.problem.longest import LongestProblem
from ktsolve.problem.problem import TourProblem
from ktsolve.proof.problem_graph import read_problem
from ktsolve.proof.separators import lowest_ratio
from ktsolve.tasks.answer import BaseAnswer, timed
from ktsolve.tasks.find import find, find_all
from ktsolve.tasks.longest import cycle_of_length
from ktsolve.tasks.solve import solve

__all__ = ["GraphProperties", "GraphProperty", "properties"]


@dataclass(frozen=True)
class GraphProperty:
    """Whether a graph has a property: true or false as a condition, with what proves it.

    Attributes
    ----------
    name:
        The name, one of :data:`ktsolve.graphs.properties.PROPERTIES`.
    holds:
        Whether the graph has it; for edges, whether there are any; for a cover number, whether one path, or
        cycle, suffices; for edge-disjoint walks, whether they use all edges; for the toughness, whether it
        allows a Hamiltonian cycle.
    walks:
        The cycles or paths that prove a yes; two cycles where exactly one is asked for; the walks found
        before the one that does not exist.
    reason:
        Why not; empty if it holds.
    edges:
        The edges in every Hamiltonian cycle, or in none.
    number:
        The path cover number: the fewest paths, without common vertices, that visit all vertices; the cycle
        cover number, None without such cycles; the most Hamiltonian cycles, or paths, without common edges.
        ``walks`` has them. Or the least ratio found of some vertices to the components without them, two or
        more: the toughness is not larger, and None of a complete graph.
    vertices:
        The vertices of this ratio.
    """

    name: str
    holds: bool
    walks: tuple[Tour, ...] = field(default=(), repr=False)
    reason: str = ""
    edges: tuple[Move, ...] = ()
    number: int | Fraction | None = None
    vertices: tuple[Vertex, ...] = ()

    def __bool__(self) -> bool:
        return self.holds


@dataclass(frozen=True)
class GraphProperties(Carded, BaseAnswer):
    """The properties of a graph, by name: ``found["hamiltonian"]``.

    Attributes
    ----------
    graph:
        The graph.
    each:
        A :class:`GraphProperty` for each name.
    """

    graph: Graph
    each: dict[str, GraphProperty]

    def __getitem__(self, name: str) -> GraphProperty:
        return self.each[name]

    @property
    def found(self) -> bool:
        """Whether the graph has one of the properties."""
        return any(self.each.values())

    def to_json(self) -> dict[str, Any]:
        """Return the properties as ``ktsolve properties --json`` prints them.

        >>> import networkx
        >>> properties(networkx.cycle_graph(3), "uniquely-hamiltonian").to_json()["properties"]
        {'uniquely-hamiltonian': {'holds': True, 'walks': [['0', '1', '2']]}}
        """
        graph = self.graph

        def entry(each: GraphProperty) -> dict[str, Any]:
            edges = {"edges": [graph.move_name(move) for move in each.edges]}
            walks = {"walks": [[graph.name(v) for v in walk] for walk in each.walks]}
            reason = {"reason": each.reason} if each.reason else {}
            number = {} if each.number is None else {"number": _plain(each.number)}
            vertices = {"vertices": list(map(graph.name, each.vertices))} if each.vertices else {}
            return {
                "holds": each.holds,
                **number,
                **reason,
                **(edges if each.name.startswith("edges-") else {}),
                **vertices,
                **walks,
            }

        named = {name: entry(each) for name, each in self.each.items()}
        return {"board": graph.to_json(), "properties": named, **self.work}

    def lines(self) -> list[tuple[str, str, str]]:
        """Return a row for each property: its name, yes, no or a number, and what proves it in short."""
        answers = {True: "yes", False: "no"}
        return [
            (name, answers[each.holds] if each.number is None else str(each.number), self._proof(each))
            for name, each in self.each.items()
        ]

    def _proof(self, each: GraphProperty) -> str:
        if each.vertices and each.number:
            names = " ".join(map(self.graph.name, each.vertices))
            return f"without {names} it has {len(each.vertices) / each.number} components"
        if each.number is not None and each.walks:
            return ", ".join(walk.names() for walk in each.walks)
        if each.edges:
            return " ".join(map(self.graph.move_name, each.edges))
        if each.reason:
            return each.reason
        if not each.walks:
            return ""
        first = each.walks[0]
        several = f"{len(each.walks)} {'cycles' if first.closed else 'paths'}, such as "
        return several * (len(each.walks) > 1) + first.names()

    def _card(self) -> Card:
        facts = [(name, f"{answer}: {proof}" if proof else answer) for name, answer, proof in self.lines()]
        return Card(f"Properties of a {self.graph}", (*facts, *self._facts))


def _plain(number: int | Fraction) -> int | str:
    return number if isinstance(number, int) else str(number)


@takes_settings
@timed
def properties(
    G: Any,  # noqa: N803 (networkx calls a graph G)
    names: str | Sequence[str] | None = None,
    settings: Settings | None = None,
) -> GraphProperties:
    """Decide properties of a graph about its Hamiltonian cycles and paths, with the walks that prove them.

    Parameters
    ----------
    G:
        A graph as :meth:`Graph.of` takes it, or a board such as ``"6x6"``.
    names:
        One or several of :data:`ktsolve.graphs.properties.PROPERTIES`; all if None.
    settings:
        Limits and threads; the defaults if None.

    Returns
    -------
    GraphProperties
        A :class:`GraphProperty` for each name: true or false as a condition, ``walks``, ``reason``.

    Raises
    ------
    BadInput
        For a graph without vertices, anything but a graph, and an unknown name.
    LimitReached
        If time or memory ran out first; the message has the property.

    Notes
    -----
    One vertex has a path and no cycle, so it is traceable and Hamilton-connected; two vertices have no cycle.
    Hypohamiltonian and hypotraceable graphs have three vertices or more.

    Examples
    --------
    >>> import networkx
    >>> found = properties(networkx.petersen_graph(), ["hamiltonian", "hypohamiltonian"])
    >>> bool(found["hamiltonian"]), bool(found["hypohamiltonian"]), len(found["hypohamiltonian"].walks)
    (False, True, 10)
    >>> properties(networkx.cycle_graph(4), "pancyclic")["pancyclic"].reason
    'no cycle of length 3'
    """
    graph = TourProblem.of(G, closed=True).ground
    wanted = PROPERTIES if names is None else (names,) if isinstance(names, str) else tuple(names)
    clock, settings = Clock(settings), Settings.of(settings)
    each = {}
    for name in wanted:
        try:
            each[name] = property_of(name, graph, clock.within(settings))
        except LimitReached as stop:
            raise type(stop)(f"{name}: {stop}") from None
    return GraphProperties(graph, each, engine="auto")


def property_of(name: str, graph: Graph, settings: Settings) -> GraphProperty:
    """One property of a graph. Raises LimitReached, and BadInput for an unknown name."""
    if name not in _DECIDE:
        raise unknown("property", name, PROPERTIES)
    return _DECIDE[name](_Question(name, graph, settings))


class _Question:
    """The question for a property of a graph, and the walks found for it."""

    def __init__(self, name: str, graph: Graph, settings: Settings) -> None:
        self.name, self.graph, self._settings, self._clock = name, graph, settings, Clock(settings)
        self._walks: list[Tour] = []

    @property
    def settings(self) -> Settings:
        """The settings with the time that is left."""
        return self._clock.within(self._settings)

    def tour(self, graph: Graph, closed: bool, **conditions: Any) -> tuple[Tour | None, str]:
        """A tour, kept as a witness; or the reason why none exists."""
        answer = find(TourProblem(graph, closed=closed, **conditions), settings=self.settings)
        if answer.tour is not None:
            self._walks.append(answer.tour)
        return answer.tour, answer.reason

    def keep(self, walk: Tour) -> None:
        """Keep a witness."""
        self._walks.append(walk)

    def answer(self, holds: bool, reason: str = "", edges: Iterable[Move] = ()) -> GraphProperty:
        """The answer, with the witnesses kept so far."""
        found = tuple(self.graph.moves_in_order(edges))
        return GraphProperty(self.name, holds, tuple(self._walks), reason, found)

    def without(self, text: str) -> GraphProperty:
        """The answer no."""
        return self.answer(False, text)


def _spanned(question: _Question, closed: bool) -> GraphProperty:
    tour, reason = question.tour(question.graph, closed)
    return question.answer(tour is not None, reason)


def _critical(question: _Question, closed: bool) -> GraphProperty:
    """Without a tour, but with one after the removal of any one vertex."""
    graph, what = question.graph, "cycle" if closed else "path"
    if len(graph) < 3:
        return question.without(f"fewer than 3 {graph.nouns.cells}")
    if question.tour(graph, closed)[0] is not None:
        return question.without(f"it has a Hamiltonian {what}")
    for v in graph.cells:
        if question.tour(without_vertices(graph, {v}), closed)[0] is None:
            return question.without(f"without {graph.name(v)} it has no Hamiltonian {what}")
    return question.answer(True)


def _connected(question: _Question) -> GraphProperty:
    graph = question.graph
    for u, v in (permutations if graph.directed else combinations)(graph.cells, 2):
        if question.tour(graph, False, start=u, end=v)[0] is None:
            return question.without(f"no Hamiltonian path leads from {graph.name(u)} to {graph.name(v)}")
    return question.answer(True)


def _homogeneous(question: _Question) -> GraphProperty:
    graph = question.graph
    for v in graph.cells:
        if question.tour(graph, False, start=v)[0] is None:
            return question.without(f"no Hamiltonian path starts at {graph.name(v)}")
    return question.answer(True)


def _unique(question: _Question) -> GraphProperty:
    cycles = list(find_all(TourProblem(question.graph, closed=True), "auto", question.settings, 2))
    for tour in cycles:
        question.keep(tour)
    return question.answer(len(cycles) == 1, ("it has no Hamiltonian cycle", "", "it has two")[len(cycles)])


def _pancyclic(question: _Question) -> GraphProperty:
    graph, size = question.graph, len(question.graph)
    if size < 3:
        return question.without(f"fewer than 3 {graph.nouns.cells}")
    if question.tour(graph, True)[0] is None:
        return question.without("it has no Hamiltonian cycle")
    for length in range(3, size):
        cycle = cycle_of_length(graph, length, question.settings)
        if cycle is None:
            return question.without(f"no cycle of length {length}")
        question.keep(cycle)
    return question.answer(True)


def _edges(question: _Question, *, in_every: bool) -> GraphProperty:
    """The edges in every Hamiltonian cycle, or in none: each that is open is forbidden, or required, once."""
    graph = question.graph
    tour, _ = question.tour(graph, True)
    if tour is None:
        return question.without("it has no Hamiltonian cycle")
    left = set(tour.moves) if in_every else set(graph.moves) - tour.moves
    condition, proved = "forbid" if in_every else "require", set()
    while left:
        move = graph.moves_in_order(left)[0]
        tour, _ = question.tour(graph, True, **{condition: [move]})
        left.discard(move)
        if tour is None:
            proved.add(move)
        elif in_every:
            left &= tour.moves
        else:
            left -= tour.moves
    what = "some cycle leaves out each edge" if in_every else "each edge is in some cycle"
    return question.answer(bool(proved), "" if proved else what, proved)


def _path_cover(question: _Question) -> GraphProperty:
    """The fewest paths that cover the graph.

    With k paths it has a Hamiltonian cycle through k further vertices, each joined to all others but these.
    """
    graph, size = question.graph, len(question.graph)
    if question.tour(graph, False)[0] is not None:
        return replace(question.answer(True), number=1)
    edges = graph.edges.tolist()
    for number in range(max(2, _least_cover(graph)), size + 1):
        hubs = range(size, size + number)
        joined = [(v, hub) for hub in hubs for v in range(size)]
        both = [(hub, v) for v, hub in joined] if graph.directed else []
        wider = Graph.from_arrays(size + number, [*edges, *joined, *both], directed=graph.directed)
        answer = find(TourProblem(wider, closed=True), settings=question.settings)
        if answer.tour is None:
            continue
        places = answer.tour.indices
        first = next(at for at, v in enumerate(places) if v >= size)
        paths = groupby([*places[first:], *places[:first]], key=lambda v: v >= size)
        for path in (list(each) for is_hub, each in paths if not is_hub):
            question.keep(
                checked(answer.engine, LongestProblem(graph, closed=False), Tour.from_indices(graph, path))
            )
        found = question.answer(False, "no path visits all")
        assert len(found.walks) == number, "each further vertex is between two paths"
        return replace(found, number=number)
    raise AssertionError("as many paths as vertices cover a graph")


def _least_cover(graph: Graph) -> int:
    """The paths that components need: as many as one colour has vertices more than the other, or one."""
    if graph.directed:
        return 1
    colour = graph.colouring
    ones = ([v for v in part if colour and colour[v]] for part in components(graph.neighbours))
    parts = zip(components(graph.neighbours), ones, strict=True)
    return sum(max(1, abs(len(part) - 2 * len(one)) if colour else 1) for part, one in parts)


def _cycle_cover(question: _Question) -> GraphProperty:
    """The fewest cycles that cover the graph: those of any cover by cycles are the first bound."""
    import networkx

    from ktsolve.models.longest import DisjointWalks

    graph = question.graph
    if question.tour(graph, True)[0] is not None:
        return replace(question.answer(True), number=1)
    problem = LongestProblem(graph, closed=True)
    model = Model("cover by cycles")
    moves = {move: model.boolean(graph.move_name(move)) for move in graph.moves}
    for v in graph.cells:
        if graph.directed:
            for side in (0, 1):
                model.exactly_one(literal for move, literal in moves.items() if move[side] == v)
        else:
            model.exactly(2, (literal for move, literal in moves.items() if v in move))
    for (a, b), literal in moves.items() if graph.directed else ():
        if (b, a) in moves:
            model.at_most_one((literal, moves[b, a]))
    assignment = solve(model, SatEngine.name, question.settings).assignment
    if assignment is None:
        return question.without("no cycles cover it")
    chosen = [move for move, literal in moves.items() if literal.holds(assignment)]
    most = networkx.number_connected_components(networkx.Graph(chosen))
    covers = (DisjointWalks(problem, number, cover=True) for number in range(2, most + 1))
    solved = ((each, solve(each.model, SatEngine.name, question.settings).assignment) for each in covers)
    cycles = next((each.decode(found) for each, found in solved if found is not None), [])
    for cycle in cycles:
        question.keep(checked(SatEngine.name, problem, cycle))
    if sorted(v for cycle in cycles for v in cycle.indices) != list(range(len(graph))):
        raise WrongAnswer(f"engine {SatEngine.name} gave cycles that do not cover {graph}")
    return replace(question.answer(False, "no cycle visits all"), number=len(cycles))


def _edge_disjoint(question: _Question, closed: bool) -> GraphProperty:
    """The most Hamiltonian cycles or paths without common edges: one more is looked for, up to a bound."""
    from ktsolve.models.longest import DisjointWalks

    graph, problem = question.graph, TourProblem(question.graph, closed=closed)
    tour, reason = question.tour(graph, closed)
    if tour is None:
        return replace(question.without(reason), number=0)
    walks = [tour]
    while _fits(graph, len(walks) + 1, closed):
        compiled = DisjointWalks(LongestProblem(graph, closed), len(walks) + 1, cover=False)
        assignment = solve(compiled.model, SatEngine.name, question.settings).assignment
        if assignment is None:
            break
        walks = [checked(SatEngine.name, problem, walk) for walk in compiled.decode(assignment)]
    used = [move for walk in walks for move in walk.moves]
    if len(set(used)) < len(used):
        raise WrongAnswer(f"engine {SatEngine.name} gave walks of {graph} with common edges")
    left = len(graph.edges) - len(used)
    text = f"{number_of(left, 'edge')} in none of them" if left else ""
    return GraphProperty(question.name, not left, tuple(walks), text, number=len(walks))


def _fits(graph: Graph, number: int, closed: bool) -> bool:
    """Whether degrees and edges allow so many Hamiltonian cycles or paths without common edges."""
    ends = (graph.edges[:, 0], graph.edges[:, 1]) if graph.directed else (graph.edges.ravel(),)
    needed = number if graph.directed else 2 * number
    lacking = (np.maximum(0, needed - np.bincount(side, minlength=len(graph))).sum() for side in ends)
    enough = number * (len(graph) - (not closed)) <= len(graph.edges)
    return len(graph) > 1 and enough and all(each <= (0 if closed else needed) for each in lacking)


def _toughness(question: _Question) -> GraphProperty:
    graph = question.graph
    if graph.directed:
        return question.without("defined for undirected graphs")
    ground = read_problem(TourProblem(graph, closed=True))
    found = lowest_ratio(ground, lambda: question.settings.timeout)
    if found is None:
        return question.answer(True, "no vertices separate it")
    ratio, nodes = found
    vertices = tuple(ground.cells[node] for node in nodes)
    return replace(question.answer(ratio >= 1), number=ratio, vertices=vertices)


_DECIDE: dict[str, Callable[[_Question], GraphProperty]] = {
    "hamiltonian": lambda question: _spanned(question, closed=True),
    "traceable": lambda question: _spanned(question, closed=False),
    "hypohamiltonian": lambda question: _critical(question, closed=True),
    "hypotraceable": lambda question: _critical(question, closed=False),
    "hamilton-connected": _connected,
    "homogeneously-traceable": _homogeneous,
    "uniquely-hamiltonian": _unique,
    "pancyclic": _pancyclic,
    "edges-in-every-cycle": lambda question: _edges(question, in_every=True),
    "edges-in-no-cycle": lambda question: _edges(question, in_every=False),
    "path-cover-number": _path_cover,
    "cycle-cover-number": _cycle_cover,
    "edge-disjoint-cycles": lambda question: _edge_disjoint(question, closed=True),
    "edge-disjoint-paths": lambda question: _edge_disjoint(question, closed=False),
    "toughness-bound": _toughness,
}
