"""Hamiltonian cycles and paths of graphs as users have them, with their own node objects.

Conventions, beside those of networkx: a graph without nodes is refused (networkx raises
``NetworkXPointlessConcept`` for questions about it). One node is a path and no cycle, also with a loop. Two
nodes have no cycle, even if an arc leads each way (``networkx.simple_cycles`` lists such a cycle, and loops).
A cycle is listed without its first node at the end, as ``networkx.simple_cycles`` does; paths and cycles of
undirected graphs are counted once, not once for each direction.
"""

# ruff: noqa: N803 (networkx calls a graph G)

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings, takes_settings
from ktsolve.base.text import shown
from ktsolve.graphs.card import Card, Carded
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import BaseAnswer, timed
from ktsolve.tasks.count import count
from ktsolve.tasks.find import find

if TYPE_CHECKING:
    from ktsolve.proof.certificate import Certificate

__all__ = [
    "Hamiltonicity",
    "count_hamiltonian_cycles",
    "count_hamiltonian_paths",
    "hamiltonian_cycle",
    "hamiltonian_path",
    "is_hamiltonian",
]


@dataclass(frozen=True)
class Hamiltonicity(Carded, BaseAnswer):
    """Whether a graph is Hamiltonian: true or false as a condition, with the cycle or the reason.

    Attributes
    ----------
    problem:
        The question, as a problem on the graph.
    cycle:
        The nodes of a Hamiltonian cycle in order, None if none exists.
    """

    problem: TourProblem
    cycle: list[Hashable] | None

    @property
    def found(self) -> bool:
        """Whether there is a cycle."""
        return self.cycle is not None

    def __bool__(self) -> bool:
        return self.found

    def _card(self) -> Card:
        graph = self.problem.ground
        if self.cycle is None:
            return Card(f"No Hamiltonian cycle in a {graph}", self._facts, (graph,))
        tour = Tour(graph, self.cycle, closed=True)
        return Card(f"Hamiltonian cycle of a {graph}", self._facts, (tour,))

    def certificate(self, settings: Settings | None = None) -> Certificate:
        """A proof that there is no cycle, which :func:`ktsolve.check_certificate` checks.

        Raises
        ------
        BadInput
            If there is a cycle.
        Refused
            For a graph for which no argument of certificates is known.
        LimitReached
            If time or memory ran out first.
        """
        from ktsolve.proof.certificate import Certificate
        from ktsolve.proof.maker import prove

        if self.cycle is not None:
            raise BadInput("the graph is Hamiltonian: the proof is the cycle")
        made = prove(self.problem, settings=settings)
        assert isinstance(made, Certificate), "the engine searched everything, and the proof found a tour"
        return made


@takes_settings
def hamiltonian_cycle(
    G: Any, *, engine: str = "auto", settings: Settings | None = None
) -> list[Hashable] | None:
    """A Hamiltonian cycle of a graph: its nodes in order, or None if it is proved that none exists.

    Parameters
    ----------
    G:
        A graph, digraph or multigraph of networkx, an adjacency matrix (NumPy, or SciPy sparse), a list of
        edges, or a :class:`~ktsolve.graphs.graph.Graph`. Loops and parallel edges do not matter.
    engine:
        An engine; by default several are tried, and then race.
    settings:
        Limits of time and memory, threads, seed.

    Returns
    -------
    list or None
        Each node once; an edge joins the last to the first. On a directed graph each arc leads forwards.

    Raises
    ------
    BadInput
        For a graph without nodes, and for anything but a graph.
    LimitReached
        If time or memory ran out first.

    Notes
    -----
    The problem is NP-complete. Every cycle is checked before it is returned. One node or two have no cycle.

    Examples
    --------
    >>> import networkx
    >>> hamiltonian_cycle(networkx.cycle_graph("abc"))
    ['a', 'b', 'c']
    >>> hamiltonian_cycle([("Rome", "Oslo"), ("Oslo", "Bonn")]) is None
    True

    References
    ----------
    R. M. Karp, Reducibility among combinatorial problems, 1972.
    """
    return is_hamiltonian(G, engine=engine, settings=settings).cycle


@takes_settings
def hamiltonian_path(
    G: Any,
    source: Hashable = None,
    target: Hashable = None,
    *,
    engine: str = "auto",
    settings: Settings | None = None,
) -> list[Hashable] | None:
    """A Hamiltonian path of a graph: its nodes in order, or None if it is proved that none exists.

    Parameters
    ----------
    G:
        As for :func:`hamiltonian_cycle`.
    source, target:
        The first and the last node; by default any.
    engine, settings:
        As for :func:`hamiltonian_cycle`.

    Returns
    -------
    list or None
        Each node once, from ``source`` to ``target``.

    Raises
    ------
    BadInput
        For a graph without nodes, anything but a graph, and a source or target that is not in it.
    LimitReached
        If time or memory ran out first.

    Notes
    -----
    The problem is NP-complete. Every path is checked before it is returned. One node is a path. With
    ``source`` equal to ``target`` only one node has a path.

    Examples
    --------
    >>> import networkx
    >>> path = hamiltonian_path(networkx.grid_2d_graph(3, 3), source=(0, 0), target=(2, 2))
    >>> path[0], path[-1], len(path)
    ((0, 0), (2, 2), 9)
    >>> hamiltonian_path(networkx.path_graph(3, create_using=networkx.DiGraph), source=1) is None
    True
    """
    problem = _path_problem(G, source, target)
    tour = None if problem is None else find(problem, engine, settings).tour
    return None if tour is None else list(tour)


@takes_settings
def count_hamiltonian_cycles(G: Any, *, engine: str = "auto", settings: Settings | None = None) -> int:
    """The exact number of Hamiltonian cycles of a graph.

    Parameters
    ----------
    G, engine, settings:
        As for :func:`hamiltonian_cycle`.

    Returns
    -------
    int
        A cycle of an undirected graph counts once, whatever its first node and direction; on a directed
        graph, cycles along the arcs are counted.

    Raises
    ------
    BadInput
        For a graph without nodes, and for anything but a graph.
    LimitReached
        If time or memory ran out first.

    Notes
    -----
    The problem is #P-complete. A sweep counts graphs of small pathwidth, with thousands of nodes, exactly.

    Examples
    --------
    >>> import networkx
    >>> count_hamiltonian_cycles(networkx.dodecahedral_graph())
    30
    >>> count_hamiltonian_cycles(networkx.complete_graph(4, create_using=networkx.DiGraph))
    6

    References
    ----------
    L. G. Valiant, The complexity of enumeration and reliability problems, 1979.
    """
    return count(Graph.of(G), engine, settings, closed=True).count


@takes_settings
def count_hamiltonian_paths(
    G: Any,
    source: Hashable = None,
    target: Hashable = None,
    *,
    engine: str = "auto",
    settings: Settings | None = None,
) -> int:
    """The exact number of Hamiltonian paths of a graph.

    Parameters
    ----------
    G, source, target, engine, settings:
        As for :func:`hamiltonian_path`.

    Returns
    -------
    int
        A path of an undirected graph counts once, not once for each direction; on a directed graph, paths
        along the arcs are counted.

    Raises
    ------
    BadInput
        For a graph without nodes, anything but a graph, and a source or target that is not in it.
    LimitReached
        If time or memory ran out first.

    Examples
    --------
    >>> import networkx
    >>> count_hamiltonian_paths(networkx.petersen_graph())
    120
    >>> count_hamiltonian_paths(networkx.petersen_graph(), source=0, target=2)
    4
    """
    problem = _path_problem(G, source, target)
    return 0 if problem is None else count(problem, engine, settings).count


@takes_settings
@timed
def is_hamiltonian(G: Any, *, engine: str = "auto", settings: Settings | None = None) -> Hamiltonicity:
    """Whether a graph has a Hamiltonian cycle, with the cycle, or the reason why none exists.

    Parameters
    ----------
    G, engine, settings:
        As for :func:`hamiltonian_cycle`.

    Returns
    -------
    Hamiltonicity
        True or false as a condition. ``cycle`` has the nodes, ``reason`` the argument, and ``certificate()``
        makes a proof that can be checked by itself.

    Raises
    ------
    BadInput
        For a graph without nodes, and for anything but a graph.
    LimitReached
        If time or memory ran out first.

    Examples
    --------
    >>> import networkx
    >>> answer = is_hamiltonian(networkx.lollipop_graph(3, 1))
    >>> bool(answer), answer.reason
    (False, 'vertex 3 has one edge left; a closed tour needs two (degrees)')
    >>> is_hamiltonian(networkx.complete_graph(3)).cycle
    [0, 1, 2]
    """
    problem = TourProblem(board=Graph.of(G), closed=True)
    answer = find(problem, engine, settings)
    cycle = None if answer.tour is None else list(answer.tour)
    return Hamiltonicity(problem, cycle, engine=answer.engine, reason=answer.reason)


def _path_problem(given: Any, source: Hashable, target: Hashable) -> TourProblem | None:
    """The problem of a path between two nodes; None if they are one of several."""
    graph = Graph.of(given)
    for node in (source, target):
        if node is not None and node not in graph:
            raise BadInput(f"{shown(node)} is not a node of the {graph}")
    if source is not None and source == target and len(graph) > 1:
        return None
    return TourProblem(board=graph, closed=False, start=source, end=target)
