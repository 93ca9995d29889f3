"""The drawn tour: angles at its cells, changes of direction, crossings of its moves, corners and lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations, product

from ktsolve.base.errors import BadInput
from ktsolve.graphs.board import Board, Move
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour

__all__ = [
    "ANGLES",
    "CORNERS",
    "LINES",
    "angle",
    "angles",
    "bends",
    "corner_moves",
    "corners_of",
    "crosses",
    "crossing_pairs",
    "crossings",
    "magic_lines",
    "needs_plane",
    "turns",
]

ANGLES = ("acute", "right", "obtuse", "straight")
"""Kinds of angles. ``straight`` (no change of direction) is a case of obtuse in published counts."""


def needs_plane(board: Board) -> None:
    """Angles and crossings are those of a flat drawing: a wrapped board has none."""
    if board.wrap != "none":
        raise BadInput(f"angles and crossings need a board that is not wrapped, not {board}")


def angle(before: Cell, here: Cell, after: Cell) -> str:
    """The kind of angle between two moves that meet at a cell, one of :data:`ANGLES`.

    >>> angle((2, 0), (0, 1), (2, 2)), angle((2, 0), (0, 1), (1, 3)), angle((4, 0), (2, 1), (0, 2))
    ('acute', 'right', 'straight')
    """
    (a, b), (c, d) = ((cell[0] - here[0], cell[1] - here[1]) for cell in (before, after))
    dot = a * c + b * d
    if dot >= 0:
        return "acute" if dot else "right"
    return "straight" if a * d == b * c else "obtuse"


def corners_of(tour: Tour) -> Iterator[tuple[Cell, Cell, Cell]]:
    """Each cell of a tour that has one before and one after, between these two."""
    walk = tour.squares
    if tour.closed and len(walk) > 2:
        walk = (walk[-1], *walk, walk[0])
    yield from zip(walk, walk[1:], walk[2:], strict=False)


def angles(tour: Tour) -> dict[str, list[Cell]]:
    """The cells at which a tour makes each kind of angle, in the order of the walk.

    Every kind of :data:`ANGLES` is present, ``obtuse`` without ``straight``; ends of open tours make none.
    Raises BadInput on wrapped boards.

    >>> tour = Tour.from_names(Board.parse("3x4"), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> {kind: len(cells) for kind, cells in angles(tour).items()}
    {'acute': 8, 'right': 2, 'obtuse': 0, 'straight': 0}
    """
    needs_plane(tour.board)
    found: dict[str, list[Cell]] = {kind: [] for kind in ANGLES}
    for before, here, after in corners_of(tour):
        found[angle(before, here, after)].append(here)
    return found


def turns(tour: Tour) -> int:
    """The number of cells at which a tour changes its direction."""
    return sum(len(cells) for kind, cells in angles(tour).items() if kind != "straight")


def bends(board: Board) -> Iterator[tuple[Cell, Cell, Cell, str]]:
    """All pairs of moves that meet at a cell: the cell between two others, and the kind of angle."""
    needs_plane(board)
    for here, others in board.neighbours.items():
        for before, after in combinations(others, 2):
            yield before, here, after, angle(before, here, after)


def _side(a: Cell, b: Cell, p: Cell) -> int:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def _between(a: Cell, b: Cell, p: Cell) -> bool:
    return min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])


def crosses(first: Move, second: Move) -> bool:
    """Whether two different moves, drawn as straight lines, share a point that is not an end of both.

    >>> crosses(((0, 0), (1, 2)), ((0, 1), (2, 0))), crosses(((0, 0), (1, 2)), ((1, 2), (3, 1)))
    (True, False)
    """
    (a, b), (c, d) = first, second
    if common := {a, b} & {c, d}:
        if len(common) == 2:
            return False
        (shared,) = common
        (p,), (q,) = {a, b} - common, {c, d} - common
        return _side(shared, p, q) == 0 and angle(p, shared, q) == "acute"
    sides = _side(a, b, c), _side(a, b, d), _side(c, d, a), _side(c, d, b)
    if 0 not in sides:
        return (sides[0] > 0) != (sides[1] > 0) and (sides[2] > 0) != (sides[3] > 0)
    touching = ((a, b, c), (a, b, d), (c, d, a), (c, d, b))
    return any(side == 0 and _between(*points) for side, points in zip(sides, touching, strict=True))


def crossing_pairs(moves: Iterable[Move]) -> list[tuple[Move, Move]]:
    """The pairs of moves that cross, sorted.

    Lines that meet have bounding boxes with a common cell, so only moves that share one are compared: linear
    in the number of moves of a given leaper.

    >>> crossing_pairs([((0, 0), (1, 2)), ((0, 1), (2, 0)), ((5, 5), (6, 7))])
    [(((0, 0), (1, 2)), ((0, 1), (2, 0)))]
    """
    near: dict[Cell, list[Move]] = defaultdict(list)
    for move in moves:
        (a, b), (c, d) = move
        for cell in product(range(min(a, c), max(a, c) + 1), range(min(b, d), max(b, d) + 1)):
            near[cell].append(move)
    pairs = {tuple(sorted(pair)) for group in near.values() for pair in combinations(group, 2)}
    return sorted((first, second) for first, second in pairs if crosses(first, second))


def crossings(tour: Tour) -> list[tuple[Move, Move]]:
    """The pairs of moves of a tour that cross when drawn, sorted. Raises BadInput on wrapped boards."""
    needs_plane(tour.board)
    return crossing_pairs(tour.moves)


CORNERS = ("tl", "tr", "bl", "br")
"""Corners of a board: top-left, top-right, bottom-left, bottom-right."""

LINES = ("rows", "columns", "diagonals")
"""Kinds of lines whose sums of step numbers can be required to be equal."""


def magic_lines(board: Board, kind: str) -> list[list[Cell]]:
    """The lines of a kind (see :data:`LINES`), each as its cells.

    >>> magic_lines(Board.parse("2x2"), "diagonals")
    [[(0, 0), (1, 1)], [(0, 1), (1, 0)]]
    """
    rows, columns = range(board.rows), range(board.columns)
    if kind == "rows":
        return [[(r, c) for c in columns] for r in rows]
    if kind == "columns":
        return [[(r, c) for r in rows] for c in columns]
    return [[(i, i) for i in rows], [(i, board.rows - 1 - i) for i in rows]]


def corner_moves(board: Board, corner: str) -> frozenset[Move]:
    """The two moves that cut a corner off, as four boards need them that are merged into one.

    At the top-left these are (0,1)-(2,0) and (0,2)-(1,0); at the other corners their mirror images.
    Divide-and-conquer merges four boards along them (Parberry 1997).

    >>> board = Board.parse("6x6")
    >>> sorted(board.move_name(m) for m in corner_moves(board, "bl"))
    ['a2-c1', 'a3-b1']
    """
    if board.rows < 3 or board.columns < 3:
        raise BadInput(f"structured corners need at least 3 rows and 3 columns, not {board.size}")

    def place(r: int, c: int) -> Cell:
        row = r if corner[0] == "t" else board.rows - 1 - r
        column = c if corner[1] == "l" else board.columns - 1 - c
        return row, column

    pairs = [(place(0, 1), place(2, 0)), (place(0, 2), place(1, 0))]
    return frozenset(board.move(pair) for pair in pairs)
