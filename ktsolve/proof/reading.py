"""A tour problem as a graph with a cycle to be found, read once more, for the checker alone.

Everything the solvers know of a problem comes through other code: the move graph of the board, models, the
graph of the native engines. A checker that used them would repeat their mistakes, so the definitions are
written down here a second time, as plainly as they can be. What a board or a condition *is* (the classes
:class:`Board` and :class:`TourProblem`, and how they are read from text) is common ground.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ktsolve.errors import Refused
from ktsolve.ground.board import Board
from ktsolve.ground.notation import Cell
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

__all__ = ["READABLE", "Edge", "Reading", "read_problem"]

Edge = tuple[int, int]
"""Two nodes, the smaller first."""

_READ = (Start, End, Require, Forbid, At, Symmetric, Corner, EqualSums)
_STATED = (StepRange, Order, CellSum, Figure, Bound)

READABLE = frozenset({"closed", "open", "holes", "leaper", "wrap"}).union(
    *(each.features for each in (*_READ, *_STATED))
)
"""The features of problems (see :data:`FEATURES`) that certificates can state.

They are those of the conditions read here, and of those that :mod:`ktsolve.proof.statement` and
:mod:`ktsolve.proof.numbers` state. A class of conditions that is not listed here is refused.
"""

_TURNS: dict[str, Callable[[int, int, int, int], Cell]] = {
    "rot180": lambda r, c, rows, columns: (rows - 1 - r, columns - 1 - c),
    "rot90": lambda r, c, rows, columns: (c, rows - 1 - r),
    "flip-h": lambda r, c, rows, columns: (r, columns - 1 - c),
    "flip-v": lambda r, c, rows, columns: (rows - 1 - r, c),
}


@dataclass(frozen=True)
class Reading:
    """The question: is there a cycle through all nodes that uses only these edges, the needed ones included?

    An open tour is a cycle through the cells and one more node, *outside*, which is joined to its two ends.

    Attributes
    ----------
    cells:
        Nodes 0, 1, ..., row by row; *outside*, if any, is the last node.
    nodes:
        How many there are.
    edges:
        Pairs of nodes, the smaller first, sorted: the moves that may be made, then the possible ends.
    needed:
        Edges that the cycle must use. One that is no edge makes a contradiction.
    some:
        Sets of edges, of each of which the cycle must use one.
    images:
        Where a symmetry that the tour must have takes each node; None without one.
    numbered:
        Whether a condition depends on step numbers other than those of the ends.
    steps:
        If so: nodes of which one must have a given step.
    sums:
        Nodes whose steps add up to a number; None for a number that is not whole.
    conditions:
        The other conditions, in a fixed order.
    near:
        The cells a move away from each cell, whether or not that move is forbidden.
    """

    cells: tuple[Cell, ...]
    nodes: int
    edges: tuple[Edge, ...]
    needed: frozenset[Edge]
    some: tuple[tuple[Edge, ...], ...]
    images: tuple[int, ...] | None
    numbered: bool
    steps: tuple[tuple[int, tuple[int, ...]], ...]
    sums: tuple[tuple[tuple[int, ...], int | None], ...]
    conditions: tuple[Condition, ...]
    near: tuple[tuple[int, ...], ...]
    closed: bool


def read_problem(problem: TourProblem) -> Reading:
    """Read a problem from its definition. Linear in cells and conditions.

    Raises
    ------
    Refused
        If it asks for something that certificates cannot speak of.

    Examples
    --------
    >>> reading = read_problem(TourProblem(board="3x3", closed=False, start="a1"))
    >>> reading.nodes, len(reading.edges), reading.needed
    (10, 17, frozenset({(6, 9)}))
    """
    for feature in sorted(problem.features - READABLE):
        raise Refused(
            f"no certificate can state {FEATURES[feature]} ({feature}); it can state "
            f"{', '.join(name for name in FEATURES if name in READABLE)}"
        )
    board = problem.board
    cells = tuple(
        (r, c) for r in range(board.rows) for c in range(board.columns) if (r, c) not in board.removed
    )
    node = {cell: i for i, cell in enumerate(cells)}
    n = len(cells)

    def edge(a: Cell, b: Cell) -> Edge:
        return min(node[a], node[b]), max(node[a], node[b])

    moves = list(_moves(board, cells, node))
    near: list[list[int]] = [[] for _ in cells]
    for u, v in moves:
        near[u].append(v)
        near[v].append(u)
    forbidden = {edge(a, b) for a, b in problem.forbid}
    edges = [move for move in moves if move not in forbidden]
    needed = {edge(a, b) for a, b in problem.require}
    for corner in problem.corners:
        needed |= {edge(a, b) for a, b in _cut_off(board, corner)}

    # What may stand first and last, as nodes; None for anything.
    inner = dict(problem.steps)
    first = _allowed(node, problem.start, problem.starts, inner.get(1))
    last = _allowed(node, problem.end, problem.ends, inner.get(n))
    stated = [each for each in problem.conditions if isinstance(each, _STATED)]
    numbered = bool(problem.magic) or any(each.step_indexed for each in stated)
    numbered = numbered or any(1 < t < n for t in inner)
    if problem.closed:
        # Without numbers it may begin anywhere; where it begins and where it ends is one move.
        numbered = numbered or bool(inner)
        some = _linking(first, last)
    else:
        ends = set(range(n)) if first is None or last is None else {*first, *last}
        edges += [(v, n) for v in sorted(ends)]
        some = [tuple((v, n) for v in side) for side in (first, last) if side is not None]
    needed |= {alone[0] for alone in some if len(alone) == 1}
    steps: dict[int, tuple[int, ...]] = {t: (node[cell],) for t, cell in inner.items()}
    steps |= {t: side for t, side in ((1, first), (n, last)) if side is not None}
    return Reading(
        cells=cells,
        nodes=n + (not problem.closed),
        edges=tuple(edges),
        needed=frozenset(needed),
        some=tuple(each for each in some if len(each) != 1),
        images=None if problem.symmetry is None else _images(board, problem.symmetry, node),
        numbered=numbered,
        steps=tuple(sorted(steps.items())) if numbered else (),
        sums=tuple(_equal_sums(problem, node)),
        conditions=tuple(sorted(stated, key=lambda each: (each.key, each.text(board)))),
        near=tuple(map(tuple, near)),
        closed=problem.closed,
    )


def _allowed(
    node: dict[Cell, int], one: Cell | None, several: frozenset[Cell], step: Cell | None
) -> tuple[int, ...] | None:
    """The nodes that may have a step, by all that is said of it; None if nothing is."""
    said = [{cell} for cell in (one, step) if cell is not None] + ([set(several)] if several else [])
    return tuple(sorted(node[cell] for cell in set.intersection(*said))) if said else None


def _equal_sums(problem: TourProblem, node: dict[Cell, int]) -> Iterator[tuple[tuple[int, ...], int | None]]:
    """The lines that are asked to have equal sums; all of one direction together have all steps."""
    rows, columns, n = problem.board.rows, problem.board.columns, len(node)
    for kind in sorted(problem.magic):
        total, rest = divmod(n * (n + 1) // 2, columns if kind == "columns" else rows)
        lines = {
            "rows": [[(r, c) for c in range(columns)] for r in range(rows)],
            "columns": [[(r, c) for r in range(rows)] for c in range(columns)],
            "diagonals": [[(i, i) for i in range(rows)], [(i, rows - 1 - i) for i in range(rows)]],
        }[kind]
        for line in lines:
            yield tuple(node[cell] for cell in line), None if rest else total


def _linking(first: tuple[int, ...] | None, last: tuple[int, ...] | None) -> list[tuple[Edge, ...]]:
    if first is None or last is None:
        return []
    pairs = {(min(u, v), max(u, v)) for u in first for v in last if u != v}
    return [tuple(sorted(pairs))]


def _moves(board: Board, cells: tuple[Cell, ...], node: dict[Cell, int]) -> Iterator[Edge]:
    """All moves in order, cell by cell: sorting millions at once would be deaf to the time limit."""
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
