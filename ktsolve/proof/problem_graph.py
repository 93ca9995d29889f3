"""A tour problem as a graph in which a Hamiltonian cycle is to be found, for certificates.

The checker shares with the solvers the classes :class:`Graph`, :class:`Board` and :class:`TourProblem`, and
how they are read from text. The moves, the images under a symmetry and the meaning of the conditions are
defined here again, independently of the move graph of the board, of models and of the native engines. The
edges of a bare graph are read from the names in the certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from ktsolve.base.errors import Refused
from ktsolve.graphs.board import Board, needs_board
from ktsolve.graphs.graph import Graph, Vertex
from ktsolve.graphs.notation import Cell
from ktsolve.problem.conditions import (
    At,
    Bound,
    CellSum,
    Condition,
    Corner,
    End,
    EqualSums,
    Figure,
    Forbid,
    Order,
    Require,
    Start,
    StepRange,
    Symmetric,
)
from ktsolve.problem.problem import FEATURES, TourProblem

__all__ = ["STATABLE", "Edge", "ProblemGraph", "read_problem", "with_forced_edges"]

Edge = tuple[int, int]  # two nodes: the smaller first, or in a directed graph the tail first

_IN_GRAPH = (Start, End, Require, Forbid, At, Symmetric, Corner, EqualSums)
_IN_CLAUSES = (StepRange, Order, CellSum, Figure, Bound)

STATABLE = frozenset({"closed", "open", "holes", "leaper", "wrap", "graph", "digraph"}).union(
    *(each.features for each in (*_IN_GRAPH, *_IN_CLAUSES))
)
"""The features of problems (see :data:`FEATURES`) that certificates can state.

They are those of the conditions read here, and of those that :mod:`ktsolve.proof.statement` states. A class
of conditions that is not listed here is refused.
"""

_TURNS: dict[str, Callable[[int, int, int, int], Cell]] = {
    "rot180": lambda r, c, rows, columns: (rows - 1 - r, columns - 1 - c),
    "rot90": lambda r, c, rows, columns: (c, rows - 1 - r),
    "flip-h": lambda r, c, rows, columns: (r, columns - 1 - c),
    "flip-v": lambda r, c, rows, columns: (rows - 1 - r, c),
}


@dataclass(frozen=True)
class ProblemGraph:
    """A graph whose Hamiltonian cycles through the needed edges are the tours, apart from other conditions.

    An open tour is a cycle through the cells and one more node, *outside*, which is joined to its two ends.
    The cells of a bare graph are its vertices.
    """

    ground: Graph  # the board or graph, for the names of cells and moves
    directed: bool  # whether the edges are arcs, and the tour has to follow them
    closed: bool  # whether the tour is closed; then there is no node *outside*
    cells: tuple[Vertex, ...]
    """Nodes 0, 1, ..., row by row or in the order of the graph; *outside*, if any, is the last node."""
    nodes: int  # number of nodes
    edges: tuple[Edge, ...]
    """The allowed moves, sorted; then the possible ends, in a directed graph first those from *outside*."""
    needed: frozenset[Edge]  # edges that the cycle must use. One that is not an edge makes a contradiction
    some: tuple[tuple[Edge, ...], ...]  # sets of edges; the cycle must use one of each
    images: tuple[int, ...] | None  # the image of each node under the required symmetry; None without one
    step_indexed: bool  # whether a condition depends on step numbers other than those of the ends
    steps: tuple[tuple[int, tuple[int, ...]], ...]  # if so: steps, each with the nodes that may have it
    sums: tuple[tuple[tuple[int, ...], int | None], ...]
    """Nodes whose steps have a required sum; None for a sum that is not an integer."""
    conditions: tuple[Condition, ...]  # the other conditions, in a fixed order
    near: tuple[tuple[int, ...], ...]
    """The cells to which a move leads from each cell, by forbidden moves too."""

    @cached_property
    def node(self) -> dict[Vertex, int]:
        """The node of each cell."""
        return {cell: i for i, cell in enumerate(self.cells)}

    @cached_property
    def variable(self) -> dict[Edge, int]:
        """The variable of each edge in the clauses of the problem."""
        return {edge: i for i, edge in enumerate(self.edges, 1)}

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """The nodes joined to each node by an edge in either direction; *outside* comes last."""
        around: list[list[int]] = [[] for _ in range(self.nodes)]
        for u, v in self.edges:
            around[u].append(v)
            around[v].append(u)
        return [sorted(set(others)) for others in around] if self.directed else around

    @cached_property
    def board(self) -> Board:
        """The ground as a board. Raises Refused for a bare graph."""
        return needs_board(self.ground, "what is asked")

    @cached_property
    def colours(self) -> list[int] | None:
        """Colours 0 and 1 of the cells such that every edge joins different colours; None if none exist.

        In each component of the board the first cell has colour 0. Linear in cells and moves.
        """
        n = len(self.cells)
        colour = [-1] * n
        for root in range(n):
            if colour[root] >= 0:
                continue
            colour[root], stack = 0, [root]
            while stack:
                here = stack.pop()
                for other in self.neighbours[here]:
                    if other == n:
                        continue
                    if colour[other] < 0:
                        colour[other] = 1 - colour[here]
                        stack.append(other)
                    elif colour[other] == colour[here]:
                        return None
        return colour


def read_problem(problem: TourProblem) -> ProblemGraph:
    """Return the graph of a problem. Linear in cells and conditions.

    Raises Refused if the problem has a condition that certificates do not support.

    >>> graph = read_problem(TourProblem(board="3x3", closed=False, start="a1"))
    >>> graph.nodes, len(graph.edges), graph.needed
    (10, 17, frozenset({(6, 9)}))
    """
    _check_statable(problem)
    ground = problem.ground
    cells, moves, directed = _board(ground) if isinstance(ground, Board) else _graph(ground)
    node: dict[Vertex, int] = {cell: i for i, cell in enumerate(cells)}
    n = len(cells)

    def edge(a: Vertex, b: Vertex) -> Edge:
        u, v = node[a], node[b]
        return (u, v) if directed or u < v else (v, u)

    near: list[list[int]] = [[] for _ in cells]
    for u, v in moves:
        near[u].append(v)
        if not directed:
            near[v].append(u)
    forbidden = {edge(a, b) for a, b in problem.forbid}
    edges = [move for move in moves if move not in forbidden]
    needed = {edge(a, b) for a, b in problem.require}
    for corner in problem.corners:
        needed |= {edge(a, b) for a, b in _cut_off(problem.board, corner)}

    inner = dict(problem.at)
    first = _allowed(node, problem.start, problem.starts, inner.get(1))
    last = _allowed(node, problem.end, problem.ends, inner.get(n))
    stated = [each for each in problem.conditions if isinstance(each, _IN_CLAUSES)]
    step_indexed = (
        bool(problem.magic)
        or any(each.step_indexed for each in stated)
        or any(1 < t < n for t in inner)
        or (problem.closed and bool(inner))
    )
    some: list[tuple[Edge, ...]] = []
    if not problem.closed and directed:
        begun = tuple((n, v) for v in (range(n) if first is None else first))
        ended = tuple((v, n) for v in (range(n) if last is None else last))
        edges += [*begun, *ended]
        some = [each for each in (begun, ended) if len(each) == 1]  # the others follow from the degrees
    elif not problem.closed:
        ends = set(range(n)) if first is None or last is None else {*first, *last}
        edges += [(v, n) for v in sorted(ends)]
        some = [tuple((v, n) for v in side) for side in (first, last) if side is not None]
    elif first is not None and last is not None:
        # A closed tour without given steps may begin anywhere: its last and first cell are joined by a move.
        joining = {(v, u) if directed else (min(u, v), max(u, v)) for u in first for v in last if u != v}
        some = [tuple(sorted(joining))]
    needed |= {alone[0] for alone in some if len(alone) == 1}
    steps: dict[int, tuple[int, ...]] = {t: (node[cell],) for t, cell in inner.items()}
    steps |= {t: side for t, side in ((1, first), (n, last)) if side is not None}
    return ProblemGraph(
        ground=ground,
        directed=directed,
        closed=problem.closed,
        cells=cells,
        nodes=n + (not problem.closed),
        edges=tuple(edges),
        needed=frozenset(needed),
        some=tuple(each for each in some if len(each) != 1),
        images=None if problem.symmetry is None else _images(problem.board, problem.symmetry, node),
        step_indexed=step_indexed,
        steps=tuple(sorted(steps.items())) if step_indexed else (),
        sums=tuple(_equal_sums(problem, node)),
        conditions=tuple(sorted(stated, key=lambda each: (each.key, each.text(ground)))),
        near=tuple(map(tuple, near)),
    )


def _check_statable(problem: TourProblem) -> None:
    for feature in sorted(problem.features - STATABLE):
        raise Refused(
            f"no certificate can state {FEATURES[feature]} ({feature}); it can state "
            f"{', '.join(name for name in FEATURES if name in STATABLE)}"
        )
    for condition in problem.conditions:
        if type(condition) not in (*_IN_GRAPH, *_IN_CLAUSES):
            raise Refused(f"no certificate can state {type(condition).__name__} ({condition.feature})")


def _allowed(
    node: dict[Vertex, int], one: Vertex | None, several: frozenset[Vertex], step: Vertex | None
) -> tuple[int, ...] | None:
    """The nodes that may have the first or the last step; None if any node may."""
    given = [{cell} for cell in (one, step) if cell is not None] + ([set(several)] if several else [])
    return tuple(sorted(node[cell] for cell in set.intersection(*given))) if given else None


def _equal_sums(
    problem: TourProblem, node: dict[Vertex, int]
) -> Iterator[tuple[tuple[int, ...], int | None]]:
    """The lines with required equal sums; all lines of one direction together have all steps."""
    n = len(node)
    for kind in sorted(problem.magic):
        rows, columns = problem.board.rows, problem.board.columns
        total, rest = divmod(n * (n + 1) // 2, columns if kind == "columns" else rows)
        lines = {
            "rows": [[(r, c) for c in range(columns)] for r in range(rows)],
            "columns": [[(r, c) for r in range(rows)] for c in range(columns)],
            "diagonals": [[(i, i) for i in range(rows)], [(i, rows - 1 - i) for i in range(rows)]],
        }[kind]
        for line in lines:
            yield tuple(node[cell] for cell in line), None if rest else total


def _board(board: Board) -> tuple[tuple[Cell, ...], list[Edge], bool]:
    """The cells of a board, its moves, and that they have no direction."""
    cells = tuple(
        (r, c) for r in range(board.rows) for c in range(board.columns) if (r, c) not in board.removed
    )
    return cells, list(_moves(board, cells, {cell: i for i, cell in enumerate(cells)})), False


def _graph(graph: Graph) -> tuple[tuple[Vertex, ...], list[Edge], bool]:
    """The vertices of a graph, its edges, and whether they are arcs."""
    data = graph.to_json()
    number = {name: i for i, name in enumerate(data["vertices"])}
    directed = data.get("directed", False)
    edges = set()
    for a, b in data["edges"]:
        u, v = number[a], number[b]
        edges.add((u, v) if directed or u < v else (v, u))
    return graph.cells, sorted(edges), directed


def _moves(board: Board, cells: tuple[Cell, ...], node: dict[Cell, int]) -> Iterator[Edge]:
    """All moves in order, cell by cell: a sort of millions of moves could not be interrupted."""
    a, b = board.leaper
    leaps = {(x * p, y * q) for p, q in ((a, b), (b, a)) for x in (1, -1) for y in (1, -1)}
    for here, (r, c) in enumerate(cells):
        later = set()
        for down, right in leaps:
            row = (r + down) % board.rows if "y" in board.wrap else r + down
            column = (c + right) % board.columns if "x" in board.wrap else c + right
            there = node.get((row, column), -1)
            if there > here:
                later.add(there)
        for there in sorted(later):
            yield here, there


def _cut_off(board: Board, corner: str) -> list[tuple[Cell, Cell]]:
    """The two moves that cut a corner off: (0,1)-(2,0) and (0,2)-(1,0), seen from that corner."""
    top, left = corner[0] == "t", corner[1] == "l"

    def seen(r: int, c: int) -> Cell:
        return (r if top else board.rows - 1 - r), (c if left else board.columns - 1 - c)

    return [(seen(0, 1), seen(2, 0)), (seen(0, 2), seen(1, 0))]


def _images(board: Board, name: str, node: dict[Cell, int]) -> tuple[int, ...]:
    turn = _TURNS[name]
    found = [node[turn(r, c, board.rows, board.columns)] for r, c in node]
    return (*found, len(node))


def with_forced_edges(graph: ProblemGraph) -> ProblemGraph:
    """Return the graph with more needed edges and fewer other ones; it has the same cycles.

    A node with two edges needs both. A node with two needed edges has no others. In a directed graph the same
    holds for the one arc to a node and the one from it. These rules are repeated until nothing changes.

    Complexity: linear in nodes and edges, times the largest degree.

    >>> from ktsolve.graphs.graph import Graph
    >>> from ktsolve.problem.problem import TourProblem
    >>> square = Graph("abcd", ["ab", "bc", "cd", "da", "ac"])
    >>> forced = with_forced_edges(read_problem(TourProblem(board=square, closed=True)))
    >>> sorted(forced.needed), forced.edges
    ([(0, 1), (0, 3), (1, 2), (2, 3)], ((0, 1), (0, 3), (1, 2), (2, 3)))
    """
    if graph.nodes < 3:
        return graph
    each = 1 if graph.directed else 2
    # The edges of a node; in a directed graph those to it and those from it.
    groups: list[list[Edge]] = [[] for _ in range(graph.nodes * (2 if graph.directed else 1))]
    shift = graph.nodes if graph.directed else 0
    for edge in graph.edges:
        groups[edge[0]].append(edge)
        groups[edge[1] + shift].append(edge)
    left, needed = set(graph.edges), set(graph.needed)
    waiting = list(range(len(groups)))
    while waiting:
        here = [edge for edge in groups[waiting.pop()] if edge in left]
        must = [edge for edge in here if edge in needed]
        changed: list[Edge] = []
        if len(here) <= each:
            changed = [edge for edge in here if edge not in needed]
            needed.update(changed)
        elif len(must) >= each:
            changed = [edge for edge in here if edge not in needed]
            left.difference_update(changed)
        for u, v in changed:
            waiting += [u, v + shift]
    if left == set(graph.edges) and needed == graph.needed:
        return graph
    edges = tuple(edge for edge in graph.edges if edge in left)
    return replace(graph, edges=edges, needed=frozenset(needed))
