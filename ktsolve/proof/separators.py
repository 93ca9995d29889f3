"""Search for separators: nodes whose removal leaves more components than a cycle allows.

Cheap candidates are tried first: no node, one colour, and the neighbours of a set of cells of one colour
that has no more neighbours than cells. These sets come from a maximum matching: in the graph with an arc
from each cell to the partner of each of its neighbours, they are the sets that no arc leaves (Dulmage &
Mendelsohn 1958). On bare graphs single vertices follow, and a random greedy search: it removes all nodes and
puts back those that join at most two components. On small boards CP-SAT then solves a model in which every
node is removed, a component of its own, or in one of a few larger components, and no edge joins two
components.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

from ktsolve.graphs.board import Board
from ktsolve.proof.arguments import count_components
from ktsolve.proof.problem_graph import ProblemGraph

__all__ = ["find_removal", "lowest_ratio", "needed_cycles"]

_LARGER_COMPONENTS = 2  # components of more than one node in the model; each adds a symmetry to the search

_MOST_NODES = 40
"""Largest number of nodes for the model. Clauses refute such boards too, with much longer certificates."""

_DETERMINISTIC_SECONDS = 0.05
"""Limit of CP-SAT in its deterministic time, so that the result does not depend on the machine."""


_GREEDY_WORK = 8_000_000  # nodes and edges that the greedy search looks at in all its attempts
_MOST_ATTEMPTS, _LEAST_ATTEMPTS = 300, 20  # numbers of attempts; with fewer it is left out


def find_removal(graph: ProblemGraph, seconds: float | None = None) -> tuple[int, ...] | None:
    """Return nodes whose removal proves that there is no cycle, or None if none are found.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.problem_graph import read_problem
    >>> find_removal(read_problem(TourProblem(board="3x3", closed=True)))
    ()
    """
    candidates = _candidates(graph, seconds)
    return next((nodes for nodes in candidates if count_components(graph, nodes).refutes), None)


def lowest_ratio(
    graph: ProblemGraph, seconds: Callable[[], float | None]
) -> tuple[Fraction, tuple[int, ...]] | None:
    """Return the lowest ratio found of removed nodes to the two or more components left, and these nodes.

    Without required edges, no ratio is below the toughness of the graph (Chvátal 1973). None if no such nodes
    exist. The model of graphs of up to 40 nodes makes it the toughness, unless its limit of time comes first.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.problem_graph import read_problem
    >>> lowest_ratio(read_problem(TourProblem("graph:petersen")), lambda: None)[0]
    Fraction(4, 3)
    """
    around = (tuple(others) for others in graph.neighbours)
    cheap = [*_candidate_cells(graph), *_cut_vertex(graph), *around, *_greedy(graph)]
    parts = ((nodes, count_components(graph, nodes).number) for nodes in cheap)
    rated = ((Fraction(len(nodes), number), nodes) for nodes, number in parts if number > 1)
    best = min(rated, default=None)
    while best is not None and best[0] and graph.nodes <= _MOST_NODES:
        below = next(_solved(graph, seconds(), best[0], graph.nodes // 2), None)
        if below is None:
            break
        best = Fraction(len(below), count_components(graph, below).number), below
    return best


def needed_cycles(graph: ProblemGraph) -> Iterator[tuple[int, ...]]:
    """Yield the nodes of each cycle of needed edges. Linear in nodes and edges.

    If a cycle does not contain all nodes, its removal refutes: as many edges as nodes are removed.
    """
    import networkx

    needed: networkx.MultiGraph[int] = networkx.MultiGraph()
    needed.add_edges_from(graph.needed)
    for component in networkx.connected_components(needed):
        if all(needed.degree(node) == 2 for node in component):
            yield tuple(sorted(component))


def _candidates(graph: ProblemGraph, seconds: float | None) -> Iterator[tuple[int, ...]]:
    for cells in _candidate_cells(graph):
        yield cells
        if not graph.closed:
            yield (*cells, len(graph.cells))
    if not isinstance(graph.ground, Board):
        yield from _cut_vertex(graph)
        yield from _greedy(graph)
    if 3 <= graph.nodes <= _MOST_NODES:
        yield from _solved(graph, seconds)


def _candidate_cells(graph: ProblemGraph) -> Iterator[tuple[int, ...]]:
    yield ()
    if graph.colours is None:
        return
    colours = [{i for i, colour in enumerate(graph.colours) if colour == which} for which in (0, 1)]
    for colour in colours:
        yield tuple(sorted(colour))
    # The candidates that cost most come last.
    for colour in colours:
        yield from _small_neighbourhoods(graph, colour)


def _small_neighbourhoods(graph: ProblemGraph, colour: set[int]) -> list[tuple[int, ...]]:
    """The neighbours of sets of cells of a colour with no more neighbours than cells; smallest first."""
    import networkx

    n = len(graph.cells)
    moves: networkx.Graph[int] = networkx.Graph()
    moves.add_nodes_from(range(n))
    moves.add_edges_from(edge for edge in graph.edges if edge[1] < n)
    partner = networkx.bipartite.hopcroft_karp_matching(moves, colour)
    arcs = networkx.DiGraph()
    arcs.add_nodes_from(colour)
    for cell in colour:
        # A cell with an unmatched neighbour is in none of these sets: -1 marks it.
        arcs.add_edges_from((cell, partner.get(other, -1)) for other in moves[cell])
    components = networkx.condensation(arcs)
    found = []
    for component in components:
        members = components.nodes[component]["members"]
        unmatched = all(cell not in partner for cell in members)
        if -1 not in members and (components.out_degree(component) == 0 or unmatched):
            within = members | networkx.descendants(arcs, next(iter(members)))
            found.append(tuple(sorted({other for cell in within - {-1} for other in moves[cell]})))
    return sorted(set(found), key=lambda cells: (len(cells), cells))


def _cut_vertex(graph: ProblemGraph) -> Iterator[tuple[int]]:
    """Return a node whose removal leaves several components, if there is one. Linear in nodes and edges."""
    import networkx

    whole: networkx.Graph[int] = networkx.Graph()
    whole.add_nodes_from(range(graph.nodes))
    whole.add_edges_from(graph.edges)
    return ((node,) for node in islice(networkx.articulation_points(whole), 1))


def _greedy(graph: ProblemGraph) -> Iterator[tuple[int, ...]]:
    """Yield the set of nodes that the core finds by chance: one that refutes, or leaves many components."""
    import numpy as np

    from ktsolve._native import find_separator

    attempts = min(_MOST_ATTEMPTS, _GREEDY_WORK // (graph.nodes + len(graph.edges) + 1))
    if attempts < _LEAST_ATTEMPTS:
        return  # to sort the edges of a large graph would take longer than the search
    edges = sorted({(min(edge), max(edge)) for edge in graph.edges})
    needed = {(min(edge), max(edge)) for edge in graph.needed}
    required = np.array([edge in needed for edge in edges], dtype=np.uint8)
    pairs = np.array(edges, dtype=np.int32).reshape(-1, 2)
    found = find_separator(graph.nodes, pairs, required, attempts, graph.nodes)
    if found is not None:
        yield tuple(found)


def _solved(
    graph: ProblemGraph,
    seconds: float | None,
    below: Fraction = Fraction(1),
    larger_components: int = _LARGER_COMPONENTS,
) -> Iterator[tuple[int, ...]]:
    """Yield nodes, if any, that are fewer than this ratio times the components that they leave."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    gone = [model.new_bool_var("") for _ in range(graph.nodes)]
    alone = [model.new_bool_var("") for _ in range(graph.nodes)]
    larger = [[model.new_bool_var("") for _ in range(graph.nodes)] for _ in range(larger_components)]
    used = [model.new_bool_var("") for _ in larger]
    for node in range(graph.nodes):
        model.add_exactly_one(gone[node], alone[node], *(component[node] for component in larger))
    for u, v in graph.edges:
        for a, b in ((u, v), (v, u)):
            model.add_implication(alone[a], gone[b])
            for component in larger:
                model.add_bool_or(~component[a], component[b], gone[b])
    for component, nonempty in zip(larger, used, strict=True):
        model.add_bool_or(~nonempty, *component)
    inner: list[Any] = []
    for u, v in graph.needed:
        both = model.new_bool_var("")
        model.add_implication(both, gone[u])
        model.add_implication(both, gone[v])
        inner.append(both)
    model.add_bool_or(gone)
    left = sum(alone) + sum(used) + sum(inner)
    model.add(below.numerator * left >= below.denominator * sum(gone) + 1)
    if below > 1:
        model.add(left >= 2)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.catch_sigint_signal = False
    solver.parameters.max_deterministic_time = _DETERMINISTIC_SECONDS
    if seconds is not None:
        solver.parameters.max_time_in_seconds = seconds
    if solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        yield tuple(node for node in range(graph.nodes) if solver.boolean_value(gone[node]))
