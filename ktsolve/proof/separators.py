"""Finding nodes without which a graph falls into more parts than a cycle holds together.

First what is often right and costs next to nothing: no node, one colour, and the neighbours of cells of one
colour that have as few neighbours together as they are many themselves. Those come from a largest matching:
where cells of one colour point to the partners of their neighbours, they are the sets that no arrow leaves
(Dulmage & Mendelsohn 1958). On small boards then a model for CP-SAT: every node is removed, a part by itself,
or in one of a few larger parts, and no edge joins two parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ktsolve.proof.colours import colours_of
from ktsolve.proof.components import count_parts
from ktsolve.proof.reading import Reading

if TYPE_CHECKING:
    import networkx

__all__ = ["find_removal"]

_LARGER_PARTS = 2
"""Parts of more than one node that the model may use; one more would be one symmetry more to search."""

_MOST_NODES = 40
"""Where the model is tried. Clauses refute boards of that size as well, but parts are seen at a glance."""

_EFFORT = 0.05
"""What CP-SAT may spend, in its own deterministic seconds."""


def find_removal(reading: Reading, seconds: float | None = None) -> tuple[int, ...] | None:
    """Nodes whose removal proves that there is no cycle, or None if none are found.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.reading import read_problem
    >>> find_removal(read_problem(TourProblem(board="3x3", closed=True)))
    ()
    """
    for nodes in _guesses(reading):
        if count_parts(reading, nodes).refutes:
            return nodes
    if not 3 <= reading.nodes <= _MOST_NODES:
        return None
    found = _solved(reading, seconds)
    return found if found is not None and count_parts(reading, found).refutes else None


def _guesses(reading: Reading) -> Iterator[tuple[int, ...]]:
    outside = () if reading.closed else (len(reading.cells),)
    for cells in _guessed_cells(reading):
        yield cells
        if outside:
            yield cells + outside


def _guessed_cells(reading: Reading) -> Iterator[tuple[int, ...]]:
    yield ()
    colour_of = colours_of(reading)
    if colour_of is None:
        return
    colours = [{i for i, colour in enumerate(colour_of) if colour == which} for which in (0, 1)]
    for colour in colours:
        yield tuple(sorted(colour))
    # What costs most is asked last.
    graph = _graph(reading)
    for colour in colours:
        yield from _neighbours_of_few(graph, colour)


def _graph(reading: Reading) -> networkx.Graph[int]:
    import networkx

    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(range(len(reading.cells)))
    graph.add_edges_from(edge for edge in reading.edges if edge[1] < len(reading.cells))
    return graph


def _neighbours_of_few(graph: networkx.Graph[int], colour: set[int]) -> list[tuple[int, ...]]:
    """Neighbours of sets of cells of a colour that have no more neighbours than cells; small ones first."""
    import networkx

    partner = networkx.bipartite.hopcroft_karp_matching(graph, colour)
    arrows = networkx.DiGraph()
    arrows.add_nodes_from(colour)
    for cell in colour:
        # From a neighbour without a partner there is no way on: the cell is in no such set.
        arrows.add_edges_from((cell, partner.get(other, -1)) for other in graph[cell])
    closed = networkx.condensation(arrows)
    found = []
    for part in closed:
        members = closed.nodes[part]["members"]
        lonely = all(cell not in partner for cell in members)
        if -1 not in members and (closed.out_degree(part) == 0 or lonely):
            within = members | networkx.descendants(arrows, next(iter(members)))
            found.append(tuple(sorted({other for cell in within - {-1} for other in graph[cell]})))
    return sorted(set(found), key=lambda cells: (len(cells), cells))


def _solved(reading: Reading, seconds: float | None) -> tuple[int, ...] | None:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    gone = [model.new_bool_var("") for _ in range(reading.nodes)]
    alone = [model.new_bool_var("") for _ in range(reading.nodes)]
    larger = [[model.new_bool_var("") for _ in range(reading.nodes)] for _ in range(_LARGER_PARTS)]
    there = [model.new_bool_var("") for _ in larger]
    for node in range(reading.nodes):
        model.add_exactly_one(gone[node], alone[node], *(part[node] for part in larger))
    for u, v in reading.edges:
        for a, b in ((u, v), (v, u)):
            model.add_implication(alone[a], gone[b])
            for part in larger:
                model.add_bool_or(~part[a], part[b], gone[b])
    for part, present in zip(larger, there, strict=True):
        model.add_bool_or(~present, *part)
    inner: list[Any] = []
    for u, v in reading.needed:
        both = model.new_bool_var("")
        model.add_implication(both, gone[u])
        model.add_implication(both, gone[v])
        inner.append(both)
    model.add_bool_or(gone)
    model.add(sum(alone) + sum(there) + sum(inner) >= sum(gone) + 1)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = _EFFORT
    if seconds is not None:
        solver.parameters.max_time_in_seconds = seconds
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return tuple(node for node in range(reading.nodes) if solver.boolean_value(gone[node]))
