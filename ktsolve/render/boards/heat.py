"""Heat maps: the step of each visit, accessibility on arrival, or the number of tours with an end there.

The accessibility of a cell is the number of free cells one move away from it. Hui Yan and Pan Yu (2011) show
these numbers during a walk; Warnsdorff's rule moves to a cell of least accessibility.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from math import log

from ktsolve.base.errors import BadInput
from ktsolve.base.text import unknown
from ktsolve.graphs.board import Board, Move
from ktsolve.graphs.graph import Graph, Vertex
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.symmetry import Symmetry, symmetry_group
from ktsolve.graphs.tour import Tour
from ktsolve.render.scene.theme import Theme, blend

__all__ = [
    "HEATS",
    "PUBLISHED_STARTS",
    "Heat",
    "accessibility",
    "accessibility_on_arrival",
    "counted_heat",
    "moves_heat",
    "named_heat",
    "published_starts",
    "short_number",
]

HEATS = ("visit", "accessibility", "starts")  # names of heat maps (:func:`named_heat`)

PUBLISHED_STARTS = ("6x6", "7x7", "8x8")
"""Boards whose numbers of open tours by ends are shipped with ktsolve."""

_WIDE = 8  # smallest ratio of the greatest to the least value for which the scale of colours is logarithmic


@dataclass(frozen=True)
class Heat:
    """Values of cells or of moves, and a caption that names the values.

    >>> heat = Heat({(0, 0): 1, (0, 1): 1000}, "tours")
    >>> heat.logarithmic, heat.share(1), heat.share(1000)
    (True, 0.0, 1.0)
    """

    values: Mapping[Cell, int]
    caption: str
    moves: Mapping[Move, int] = field(default_factory=dict)

    @property
    def least(self) -> int:
        """The least value."""
        return min([*self.values.values(), *self.moves.values()], default=0)

    @property
    def most(self) -> int:
        """The greatest value."""
        return max([*self.values.values(), *self.moves.values()], default=0)

    @property
    def logarithmic(self) -> bool:
        """Whether the scale of colours is logarithmic."""
        return self.least > 0 and self.most >= _WIDE * self.least and not self.caption.startswith("step")

    def share(self, value: int) -> float:
        """The position of a value on the scale: 0 for the least, 1 for the greatest."""
        low, high = self.least, self.most
        if low == high:
            return 0.5
        if self.logarithmic:
            return (log(value) - log(low)) / (log(high) - log(low))
        return (value - low) / (high - low)

    def colour(self, cell: Cell, theme: Theme) -> str:
        """The colour of a cell, one of 64 shades, so that a picture has at most 64 groups of cells."""
        return self.shade(self.values[cell], theme)

    def shade(self, value: int, theme: Theme) -> str:
        """The colour of a value, one of 64 shades."""
        return blend(theme.heat, round(self.share(value) * 63) / 63)


def counted_heat(
    board: Board, classes: Iterable[tuple[tuple[Cell, ...], int]], group: Iterable[Symmetry] | None = None
) -> Heat:
    """Return the heat map of open tours by their ends, from a count by start or by endpoints.

    - ``classes``: for each a representative (one cell, or two ends) and the undirected tours of each member
    - ``group``: the symmetries up to which these are classes; by default all symmetries of the board

    >>> board = Board.parse("5x5")
    >>> starts = [(((0, 0),), 304), (((0, 2),), 56), (((1, 1),), 56), (((2, 2),), 64)]
    >>> heat = counted_heat(board, starts)
    >>> sum(heat.values.values()) == 2 * 864
    True
    """
    symmetries = tuple(symmetry_group(board) if group is None else group)
    index, cells = board.index, board.cells
    values = dict.fromkeys(cells, 0)
    for representative, count in classes:
        numbers = [index[cell] for cell in representative]
        members = {tuple(sorted(symmetry(i) for i in numbers)) for symmetry in symmetries}
        for member in members:
            for i in member:
                values[cells[i]] += count
    # Cells without tours keep the colour of the board.
    return Heat({cell: value for cell, value in values.items() if value}, "open tours with an end here")


def moves_heat(counts: Mapping[Move, int]) -> Heat:
    """Return the heat map of moves by the number of tours that use them; moves of no tour are left out.

    >>> moves_heat({((0, 0), (1, 2)): 8, ((0, 1), (2, 0)): 0}).moves
    {((0, 0), (1, 2)): 8}
    """
    return Heat({}, "tours through a move", {move: count for move, count in counts.items() if count})


def published_starts(board: Board) -> Heat:
    """Return the heat map of open tours of 6x6, 7x7 or 8x8 by their ends from shipped tables.

    Raises BadInput for another board.

    >>> heat = published_starts(Board.parse("6x6"))
    >>> sum(heat.values.values()) // 2
    3318960
    """
    if not board.plain or board.size not in PUBLISHED_STARTS:
        raise BadInput(
            f"counts by start are shipped for {', '.join(PUBLISHED_STARTS)}, not {board}: "
            "count them by ktsolve count BOARD --open --by start --json, and draw that"
        )
    table = resources.files("ktsolve.data") / f"open-tours-{board.size}-by-endpoints.csv"
    lines = [line for line in table.read_text("utf-8").splitlines() if not line.startswith("#")]
    classes = []
    for row in csv.DictReader(lines):
        ends = (int(row["row1"]), int(row["col1"])), (int(row["row2"]), int(row["col2"]))
        classes.append((ends, int(row["undirected_tours"])))
    return counted_heat(board, classes)


def named_heat(name: str, tour: Tour) -> Heat:
    """Return the heat map of that name, one of ``HEATS``; ``starts`` depends on the board alone.

    Raises BadInput if the name is unknown, or the heat map needs a tour and the walk is empty.
    """
    if name not in HEATS:
        raise unknown("heat", name, HEATS)
    if name == "starts":
        return published_starts(tour.board)
    if not tour.squares:
        raise BadInput(f"heat {name} needs a tour, and the input is an empty board: give a file with a tour")
    if name == "visit":
        return Heat(dict(tour.step_of), "step of the visit")
    numbers = accessibility_on_arrival(tour)
    return Heat(dict(zip(tour.squares, numbers, strict=True)), "free cells in reach on arrival")


def short_number(value: int, most: int | None = None) -> str:
    """Return a number rounded to fit into a cell, in the unit that ``thousands`` gives for ``most``.

    >>> short_number(304), short_number(13267364410532), short_number(52, 9_999_999)
    ('304', '13.3', '0.052')
    """
    scale = thousands(value if most is None else most)
    if scale == 0:
        return str(value)
    text = f"{value / 1000**scale:.3g}"
    return text if "e" not in text else f"{value / 1000**scale:.0f}"


def thousands(value: int) -> int:
    """Return the power of 1000 by which a number is divided to leave two to four digits; 0 up to 9999.

    >>> thousands(9999), thousands(1_234_567), thousands(1_217_811_000_000_000)
    (0, 1, 4)
    """
    return 0 if value < 10_000 else (len(str(value)) - 2) // 3


def accessibility(board: Graph, visited: Collection[Vertex] = ()) -> dict[Vertex, int]:
    """Return for each cell that is not visited the number of such cells one move away. Linear in the moves.

    >>> from ktsolve.graphs.board import Board
    >>> board = Board.parse("8x8")
    >>> numbers = accessibility(board)
    >>> numbers[0, 0], numbers[3, 3]
    (2, 8)
    >>> accessibility(board, {(1, 2)})[0, 0]
    1
    """
    taken = visited if isinstance(visited, (set, frozenset)) else frozenset(visited)
    neighbours = board.neighbours
    free = (cell for cell in board.cells if cell not in taken)
    return {cell: sum(other not in taken for other in neighbours[cell]) for cell in free}


def accessibility_on_arrival(tour: Tour) -> tuple[int, ...]:
    """Return for each step of a walk the accessibility of its cell when the piece arrives there.

    A tour by Warnsdorff's rule has small numbers; the last step of a tour has 0. Linear in the number of
    moves of the board.

    >>> from ktsolve.graphs.board import Board
    >>> tour = Tour.from_names(Board.parse("3x4"), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> accessibility_on_arrival(tour)
    (2, 1, 1, 2, 1, 1, 2, 1, 1, 1, 1, 0)
    """
    neighbours = tour.board.neighbours
    seen: set[Vertex] = set()
    numbers = []
    for cell in tour.squares:
        seen.add(cell)
        numbers.append(sum(other not in seen for other in neighbours[cell]))
    return tuple(numbers)
