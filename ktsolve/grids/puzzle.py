"""Puzzles on a grid of cells with clues, and their solutions: lines, shaded cells, numbers.

What the clues mean is the matter of a model (``models/slitherlink.py`` and others) and of a kind of puzzle.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import entries, shown
from ktsolve.graphs.notation import Cell

__all__ = [
    "EMPTY",
    "Edge",
    "GridPuzzle",
    "GridSolution",
    "crossings_text",
    "edge",
    "grid_edges",
    "numbers_text",
    "row_like_comment",
    "sides_text",
]

EMPTY = "."
"""A cell without a clue."""

_ALSO_EMPTY = frozenset({EMPTY, "_", "-"})

MOST_CELLS = 10_000
"""Cells of a puzzle at most."""

Edge = tuple[Cell, Cell]
"""Two neighbouring cells or dots, the smaller one first."""


def edge(first: Cell, second: Cell) -> Edge:
    """The edge between two cells.

    >>> edge((1, 0), (0, 0))
    ((0, 0), (1, 0))
    """
    return (first, second) if first < second else (second, first)


def grid_edges(rows: int, columns: int) -> list[Edge]:
    """The edges between neighbours of a grid, row by row.

    >>> grid_edges(1, 3)
    [((0, 0), (0, 1)), ((0, 1), (0, 2))]
    """
    edges: list[Edge] = []
    for r in range(rows):
        for c in range(columns):
            if c + 1 < columns:
                edges.append(((r, c), (r, c + 1)))
            if r + 1 < rows:
                edges.append(((r, c), (r + 1, c)))
    return edges


@dataclass(frozen=True)
class GridPuzzle:
    r"""A grid of cells, some of which have clues.

    - ``rows``, ``columns``: Its size.
    - ``clues``: Cells with their clues, row by row. A clue is a text without spaces.

    >>> puzzle = GridPuzzle.read("3 . 2\n. 0 .")
    >>> puzzle.rows, puzzle.columns, puzzle.clue[1, 1]
    (2, 3, '0')
    >>> print(puzzle)
    3 . 2
    . 0 .
    """

    rows: int
    columns: int
    clues: tuple[tuple[Cell, str], ...] = ()

    def __post_init__(self) -> None:
        check_size(self.rows, self.columns)
        object.__setattr__(self, "clues", tuple(sorted(self.clues)))
        for (r, c), _ in self.clues:
            if not (0 <= r < self.rows and 0 <= c < self.columns):
                raise BadInput(
                    f"a clue lies in row {r + 1}, column {c + 1}, outside of {self.rows}x{self.columns}"
                )
        if len(self.clue) != len(self.clues):
            raise BadInput("two clues lie in one cell: give each cell one clue at most")

    @classmethod
    def of(cls, rows: int, columns: int, clues: Mapping[Cell, str]) -> GridPuzzle:
        """The puzzle with these clues."""
        return cls(rows, columns, tuple(clues.items()))

    @classmethod
    def read(cls, text: str) -> GridPuzzle:
        """The puzzle of a drawing, one line per row, ``.`` (or ``_``, ``-``) for a cell without a clue.

        Clues are separated by spaces or ``|``. If no line has one, each character is a cell.
        """
        rows = entries(text, "puzzle", characters=True)
        if not rows:
            raise BadInput("the puzzle is empty: write a line for each row, with . for cells without a clue")
        check_size(len(rows), len(rows[0]))
        clues = {
            (r, c): mark
            for r, row in enumerate(rows)
            for c, mark in enumerate(row)
            if mark not in _ALSO_EMPTY
        }
        return cls.of(len(rows), len(rows[0]), clues)

    @cached_property
    def clue(self) -> dict[Cell, str]:
        """The clue of each cell that has one."""
        return dict(self.clues)

    @property
    def cells(self) -> list[Cell]:
        """All cells, row by row."""
        return [(r, c) for r in range(self.rows) for c in range(self.columns)]

    @property
    def size(self) -> str:
        """``ROWSxCOLUMNS``."""
        return f"{self.rows}x{self.columns}"

    def without(self, cells: Iterable[Cell]) -> GridPuzzle:
        """The puzzle without the clues of these cells."""
        gone = set(cells)
        kept = tuple((cell, mark) for cell, mark in self.clues if cell not in gone)
        return GridPuzzle(self.rows, self.columns, kept)

    def where(self, cell: Cell) -> str:
        """A cell in messages: ``row 1, column 3``."""
        return f"row {cell[0] + 1}, column {cell[1] + 1}"

    def check_clues(self, known: str, allowed: Iterable[str]) -> None:
        """Raise BadInput for the first clue that is not allowed."""
        marks = set(allowed)
        for cell, mark in self.clues:
            if mark not in marks:
                raise BadInput(f"{self.where(cell)} of the puzzle: {shown(mark, 20)} is not a clue: {known}")

    def __str__(self) -> str:
        lines = numbers_text(self, self.clue).splitlines()
        # In one column nothing else would say that the digits of a number are one clue.
        one_column = self.columns == 1 and any(len(mark) > 1 for _, mark in self.clues)
        framed = one_column or row_like_comment(lines) is not None
        return "\n".join(f"|{line}|" if framed else line for line in lines)


def row_like_comment(rows: Iterable[str]) -> str | None:
    """A row of ``#`` and numbers only, which might be a comment since the rows have ``#`` nowhere else."""
    stripped = [row.strip() for row in rows]
    found = next((row for row in stripped if re.fullmatch(r"#[\s\d-]*", row)), None)
    return None if any("#" in row[1:] for row in stripped) else found


def check_size(rows: int, columns: int) -> None:
    """Raise BadInput if a grid of this size is not a puzzle."""
    if rows < 1 or columns < 1:
        raise BadInput(f"a puzzle has at least 1 row and 1 column, not {rows}x{columns}")
    if rows * columns > MOST_CELLS:
        raise BadInput(f"a puzzle has at most {MOST_CELLS:,} cells, and {rows}x{columns} has more")


@dataclass(frozen=True)
class GridSolution:
    """A solution of a puzzle.

    - ``lines``: The edges that are drawn: between cells, or between the dots at the corners of cells.
    - ``shaded``: The cells that are shaded.
    - ``numbers``: Cells with their numbers, row by row.
    """

    lines: frozenset[Edge] = frozenset()
    shaded: frozenset[Cell] = frozenset()
    numbers: tuple[tuple[Cell, int], ...] = ()

    @classmethod
    def of(cls, marks: Iterable[tuple[Any, ...]]) -> GridSolution:
        """The solution with these marks, as :attr:`marks` has them."""
        lines, shaded, numbers = [], [], []
        for kind, *mark in marks:
            if kind == "line":
                lines.append((mark[0], mark[1]))
            elif kind == "shaded":
                shaded.append(mark[0])
            else:
                numbers.append((mark[0], mark[1]))
        return cls(frozenset(lines), frozenset(shaded), tuple(sorted(numbers)))

    @classmethod
    def from_json(cls, data: Any) -> GridSolution:
        """The solution of :meth:`to_json`. Raises BadInput for anything else."""
        try:
            lines = (edge((int(a), int(b)), (int(c), int(d))) for (a, b), (c, d) in data.get("lines", ()))
            shaded = ((int(r), int(c)) for r, c in data.get("shaded", ()))
            numbers = (((int(r), int(c)), int(number)) for (r, c), number in data.get("numbers", ()))
            return cls(frozenset(lines), frozenset(shaded), tuple(sorted(numbers)))
        except (TypeError, ValueError, AttributeError, OverflowError):
            raise BadInput("the solution in the JSON is not what ktsolve puzzle prints") from None

    @cached_property
    def marks(self) -> frozenset[tuple[Any, ...]]:
        """Everything that is drawn, as a set: two solutions are equal exactly if these are."""
        shaded = (("shaded", cell) for cell in self.shaded)
        numbers = (("number", cell, number) for cell, number in self.numbers)
        return frozenset({("line", *each) for each in self.lines}.union(shaded, numbers))

    @property
    def number(self) -> dict[Cell, int]:
        """The number of each cell that has one."""
        return dict(self.numbers)

    @property
    def degrees(self) -> Counter[Cell]:
        """The number of lines at each cell or dot that has one."""
        return Counter(cell for each in self.lines for cell in each)

    def to_json(self) -> dict[str, Any]:
        """The parts that are not empty, as JSON."""
        data: dict[str, Any] = {}
        if self.lines:
            data["lines"] = sorted([list(a), list(b)] for a, b in self.lines)
        if self.shaded:
            data["shaded"] = sorted(map(list, self.shaded))
        if self.numbers:
            data["numbers"] = [[list(cell), number] for cell, number in self.numbers]
        return data


def numbers_text(puzzle: GridPuzzle, marks: Mapping[Cell, Any]) -> str:
    """A grid of marks, ``.`` where there is none.

    >>> print(numbers_text(GridPuzzle(1, 3), {(0, 1): 12}))
     . 12  .
    """
    texts = {cell: str(mark) for cell, mark in marks.items()}
    width = max((len(text) for text in texts.values()), default=1)
    rows = (
        " ".join(texts.get((r, c), EMPTY).rjust(width) for c in range(puzzle.columns))
        for r in range(puzzle.rows)
    )
    return "\n".join(rows)


_GLYPHS = {
    0b0000: "·",
    0b0101: "─",
    0b1010: "│",
    0b0011: "┌",
    0b0110: "┐",
    0b1001: "└",
    0b1100: "┘",
    0b0001: "╶",
    0b0010: "╷",
    0b0100: "╴",
    0b1000: "╵",
    0b0111: "┬",
    0b1011: "├",
    0b1101: "┴",
    0b1110: "┤",
    0b1111: "┼",
}
"""Lines to the right, down, to the left and up, from the lowest bit."""

_DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def crossings_text(puzzle: GridPuzzle, solution: GridSolution, marks: Mapping[Cell, str]) -> str:
    """The lines between the centres of cells; ``marks`` stand in place of lines.

    >>> ring = frozenset({((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 1), (1, 1)), ((1, 0), (1, 1))})
    >>> print(crossings_text(GridPuzzle(2, 3), GridSolution(ring), {(0, 2): "x"}))
    ┌─┐ x
    └─┘ ·
    """
    wide = max((len(mark) for mark in marks.values()), default=1)

    def shown_cell(cell: Cell) -> str:
        r, c = cell
        bits = sum(
            (edge(cell, (r + dr, c + dc)) in solution.lines) << i for i, (dr, dc) in enumerate(_DIRECTIONS)
        )
        mark = marks.get(cell, "█" if cell in solution.shaded else _GLYPHS[bits])
        return mark.ljust(wide, "─" if bits & 1 else " ") + ("─" if bits & 1 else " ")

    rows = ("".join(shown_cell((r, c)) for c in range(puzzle.columns)) for r in range(puzzle.rows))
    return "\n".join(row.rstrip() for row in rows)


def sides_text(puzzle: GridPuzzle, solution: GridSolution) -> str:
    """The lines between dots at the corners of cells, around the clues.

    >>> ring = frozenset({((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 1), (1, 1)), ((1, 0), (1, 1))})
    >>> print(sides_text(GridPuzzle.read("4."), GridSolution(ring)))
    ┌───┐   ·
    │ 4 │
    └───┘   ·
    """
    text: list[str] = []
    dots = GridPuzzle(puzzle.rows + 1, puzzle.columns + 1)
    for r, corners in enumerate(crossings_text(dots, solution, {}).splitlines()):
        text.append("".join(mark if i % 2 == 0 else mark * 3 for i, mark in enumerate(corners)))
        if r < puzzle.rows:
            row = ""
            for c in range(puzzle.columns + 1):
                row += "│" if ((r, c), (r + 1, c)) in solution.lines else " "
                row += f" {puzzle.clue.get((r, c), ' ')} "
            text.append(row.rstrip())
    return "\n".join(text)
