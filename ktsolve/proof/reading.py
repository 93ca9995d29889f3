"""A tour problem as a graph with a cycle to be found, read once more, for the checker alone.

Everything the solvers know of a problem comes through other code: the move graph of the board, models, the
graph of the native engines. A checker that used them would repeat their mistakes, so the definitions are
written down here a second time, as plainly as they can be. What a board or a condition *is* (the classes
:class:`Board` and :class:`TourProblem`, and how they are read from text) is common ground.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ktsolve.errors import Refused
from ktsolve.ground.board import Board
from ktsolve.ground.notation import Cell
from ktsolve.problem.problem import FEATURES, TourProblem

__all__ = ["READABLE", "Reading", "read_problem"]

READABLE = frozenset(
    {"closed", "open", "start", "end", "require", "forbid", "holes", "leaper", "wrap", "steps", "symmetry"}
    | {"structured"}
)
"""The features of problems (see :data:`FEATURES`) that certificates can speak of."""

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
    images:
        Where a symmetry that the tour must have takes each node; None without one.
    steps:
        Cells, as nodes, at given steps other than the ends of an open tour.
    """

    cells: tuple[Cell, ...]
    nodes: int
    edges: tuple[tuple[int, int], ...]
    needed: frozenset[tuple[int, int]]
    images: tuple[int, ...] | None
    steps: tuple[tuple[int, int], ...]
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
            f"no certificate can speak of {FEATURES[feature]} ({feature}); it can of "
            f"{', '.join(name for name in FEATURES if name in READABLE)}"
        )
    board = problem.board
    cells = tuple(
        (r, c) for r in range(board.rows) for c in range(board.columns) if (r, c) not in board.removed
    )
    node = {cell: i for i, cell in enumerate(cells)}
    n = len(cells)

    def edge(a: Cell, b: Cell) -> tuple[int, int]:
        return min(node[a], node[b]), max(node[a], node[b])

    forbidden = {edge(a, b) for a, b in problem.forbid}
    edges = sorted(_moves(board, cells, node) - forbidden)
    needed = {edge(a, b) for a, b in problem.require}
    for corner in problem.corners:
        needed |= {edge(a, b) for a, b in _cut_off(board, corner)}
    steps = dict(problem.steps)
    if problem.closed:
        if problem.start is not None and problem.end is not None:
            needed.add(edge(problem.start, problem.end))
        if steps:  # without them the numbers of a closed tour may begin anywhere
            steps |= {t: c for t, c in ((1, problem.start), (n, problem.end)) if c is not None}
    else:
        first = steps.pop(1, None) if problem.start is None else problem.start
        last = steps.pop(n, None) if problem.end is None else problem.end
        ends = [cell for cell in (first, last) if cell is not None]
        possible = ends if len(ends) == 2 else cells
        edges += sorted((node[cell], n) for cell in possible)
        needed |= {(node[cell], n) for cell in ends}
        if steps:
            steps |= {t: c for t, c in ((1, first), (n, last)) if c is not None}
    return Reading(
        cells=cells,
        nodes=n + (not problem.closed),
        edges=tuple(edges),
        needed=frozenset(needed),
        images=None if problem.symmetry is None else _images(board, problem.symmetry, node),
        steps=tuple(sorted((step, node[cell]) for step, cell in steps.items())),
        closed=problem.closed,
    )


def _moves(board: Board, cells: tuple[Cell, ...], node: dict[Cell, int]) -> set[tuple[int, int]]:
    a, b = board.leaper
    leaps = {(x * p, y * q) for p, q in ((a, b), (b, a)) for x in (1, -1) for y in (1, -1)}
    found = set()
    for r, c in cells:
        for down, right in leaps:
            row = (r + down) % board.rows if "y" in board.wrap else r + down
            column = (c + right) % board.columns if "x" in board.wrap else c + right
            if (row, column) in node and (r, c) < (row, column):
                found.add((node[r, c], node[row, column]))
    return found


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
