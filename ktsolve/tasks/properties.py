"""Properties of one graph about its Hamiltonian cycles and paths, each with the walks that prove it.

Every walk is checked by the task that finds it. For many graphs the same properties, without walks, are
columns of :func:`~ktsolve.tasks.graph_list.graph_table`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import Any

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Clock, Settings, takes_settings
from ktsolve.base.text import unknown
from ktsolve.graphs.board import without_vertices
from ktsolve.graphs.card import Card, Carded
from ktsolve.graphs.graph import Graph, Move
from ktsolve.graphs.properties import PROPERTIES
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import BaseAnswer, timed
from ktsolve.tasks.find import find, find_all
from ktsolve.tasks.longest import cycle_of_length

__all__ = ["GraphProperties", "GraphProperty", "properties"]


@dataclass(frozen=True)
class GraphProperty:
    """Whether a graph has a property: true or false as a condition, with what proves it.

    Attributes
    ----------
    name:
        The name, one of :data:`ktsolve.graphs.properties.PROPERTIES`.
    holds:
        Whether the graph has it; for edges, whether there are any.
    walks:
        The cycles or paths that prove a yes; two cycles where exactly one is asked for; the walks found
        before the one that does not exist.
    reason:
        Why not; empty if it holds.
    edges:
        The edges in every Hamiltonian cycle, or in none.
    """

    name: str
    holds: bool
    walks: tuple[Tour, ...] = field(default=(), repr=False)
    reason: str = ""
    edges: tuple[Move, ...] = ()

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
            return {"holds": each.holds, **reason, **(edges if "edges" in each.name else {}), **walks}

        named = {name: entry(each) for name, each in self.each.items()}
        return {"board": graph.to_json(), "properties": named, **self.work}

    def lines(self) -> list[tuple[str, str, str]]:
        """Return a row for each property: its name, yes or no, and what proves it in short."""
        return [(each.name, "yes" if each else "no", self._proof(each)) for each in self.each.values()]

    def _proof(self, each: GraphProperty) -> str:
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
}
