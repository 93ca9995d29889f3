"""Boards: which cells there are, and how the piece moves between them.

A board is its sides, holes, leaper and wrap, and may have any size. Lists and arrays of its cells and moves
are made when they are first needed, if they fit into memory.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, compress, repeat, starmap
from numbers import Integral
from operator import sub
from typing import TYPE_CHECKING, Any, TypeGuard

from ktsolve.base.errors import BadInput, OutOfMemory, Refused
from ktsolve.base.limits import Settings, available_memory
from ktsolve.base.text import as_tuple, check_kind, number_of, shown, unknown
from ktsolve.base.units import shown_bytes
from ktsolve.graphs.graph import Graph, Move, Nouns, Vertex
from ktsolve.graphs.notation import (
    LARGEST_SIDE,
    Cell,
    cell_name,
    parse_cell,
    parse_cells,
    parse_leaper,
    parse_move,
    parse_size,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["BYTES_PER_CELL", "WRAPS", "Board", "Move", "check_cells", "needs_board", "without_vertices"]

WRAPS = ("none", "x", "y", "xy")

_WRAPS_BY_NAME = {"cylinder": "x", "torus": "xy"}  # as options and instance files have them

_MANY = 10**6  # cells from which lists of them are compared with the memory there is

BYTES_PER_CELL = 2_000
"""Size of a board as Python objects: cells, moves, neighbours, numbers. Models take ten times as much."""

_BYTES_OF_CELL = 100  # of a cell in a list of all: a pair of whole numbers
_BYTES_OF_COORDINATES = 17  # of a cell in the arrays of all: whether it is there, row and column
_BYTES_OF_MOVES = 200  # of the moves from a cell, while the array of all is made


def _whole(value: object) -> bool:
    # NumPy integers are accepted, booleans are not.
    return type(value) is int or (isinstance(value, (int, Integral)) and not isinstance(value, bool))


def _is_cell(value: object) -> TypeGuard[Cell]:
    return isinstance(value, tuple) and len(value) == 2 and _whole(value[0]) and _whole(value[1])


@dataclass(frozen=True, repr=False)
class Board(Graph):
    """A rectangle of cells, perhaps with holes or wrapped round, and a leaper that moves on it.

    Parameters
    ----------
    rows, columns:
        Size of the rectangle, each at least 1.
    removed:
        Cells that are not there.
    leaper:
        ``(r, s)``: the piece moves r cells one way and s the other, in every direction. ``(1, 2)`` is the
        knight, ``(0, 1)`` the wazir, ``(1, 3)`` the camel, ``(2, 3)`` the zebra.
    wrap:
        ``"x"`` joins the left edge to the right one, ``"y"`` the top to the bottom, ``"xy"`` both. The
        move graph stays simple: moves that coincide are one edge, moves from a cell to itself are dropped.

    Raises
    ------
    BadInput
        For a board that is empty, too large, or has cells removed that it never had.

    Examples
    --------
    >>> board = Board.parse("3x4", without="a1")
    >>> board
    Board.parse('3x4', without='a1')
    >>> len(board), board.moves[0]
    (11, ((0, 0), (1, 2)))
    >>> board.name((0, 3))
    'd3'
    """

    rows: int
    columns: int
    removed: frozenset[Cell] = frozenset()
    leaper: tuple[int, int] = (1, 2)
    wrap: str = "none"

    def __post_init__(self) -> None:
        for side in (self.rows, self.columns):
            if not _whole(side) or not 1 <= side <= LARGEST_SIDE:
                raise BadInput(f"a board needs 1 to {LARGEST_SIDE} rows and columns, not {shown(side)}")
        if self.wrap not in WRAPS:
            raise unknown("wrap", self.wrap, (*WRAPS, *_WRAPS_BY_NAME))
        leaper = as_tuple(self.leaper)
        if len(leaper) != 2 or not all(_whole(x) and 0 <= x <= LARGEST_SIDE for x in leaper):
            raise BadInput(
                f"leaper {shown(self.leaper)} is not understood: "
                f"give two whole numbers from 0 to {LARGEST_SIDE}, such as 1,2"
            )
        if max(leaper) == 0:
            raise BadInput("leaper 0,0 does not move: give two numbers from 0, not both 0, such as 1,2")
        for cell in self.removed:
            if not _is_cell(cell):
                raise BadInput(f"removed cell {shown(cell)} is not a cell: give (row, column)")
            if not (0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns):
                raise BadInput(
                    f"removed cell {cell[0]},{cell[1]} is off the {self.rows}x{self.columns} board"
                )
        values = {
            "rows": int(self.rows),
            "columns": int(self.columns),
            "leaper": (int(min(leaper)), int(max(leaper))),
            "removed": frozenset((int(r), int(c)) for r, c in self.removed),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        if len(self.removed) == self.rows * self.columns:
            raise BadInput("every cell of the board is removed: leave at least one")

    @classmethod
    def parse(
        cls,
        size: str | tuple[int, int],
        *,
        without: str = "",
        leaper: str | tuple[int, int] = (1, 2),
        wrap: str = "none",
    ) -> Board:
        """Make a board from the texts of the options on the command line.

        Parameters
        ----------
        size:
            ``ROWSxCOLUMNS``, or the pair itself.
        without:
            Removed cells, as read by :func:`ktsolve.graphs.notation.parse_cells`.
        leaper:
            ``R,S``, the pair itself, or a name such as ``zebra``.
        wrap:
            ``none``, ``x`` or ``cylinder``, ``y``, ``xy`` or ``torus``.

        Returns
        -------
        Board
            The board.

        Raises
        ------
        BadInput
            If a text is not understood, or names a cell off the board.

        Examples
        --------
        >>> Board.parse("3x4", without="a1", leaper="1,3").name((0, 0))
        'a3'
        """
        if not isinstance(size, str) and not (isinstance(size, tuple) and len(size) == 2):
            raise BadInput(f"{shown(size)} is not the size of a board: write '3x10', or (3, 10)")
        rows, columns = parse_size(size) if isinstance(size, str) else size
        check_kind(without, str, "a text of cells to leave out: write without='a1 b2'")
        if isinstance(leaper, str):
            leaper = parse_leaper(leaper)
        wrap = _WRAPS_BY_NAME.get(wrap, wrap)
        return cls(rows, columns, parse_cells(without, rows, columns), leaper, wrap)

    @classmethod
    def from_picture(
        cls, lines: Iterable[str], *, leaper: tuple[int, int] = (1, 2), wrap: str = "none"
    ) -> Board:
        """Make a board of any shape from a drawing: ``.`` is a cell, ``#`` a hole; lines, or one text.

        Parameters
        ----------
        lines:
            The lines of the drawing, or one text with all of them.
        leaper:
            The two lengths of a leap.
        wrap:
            ``none``, ``x``, ``y`` or ``xy``.

        Returns
        -------
        Board
            The board.

        Raises
        ------
        BadInput
            If the lines differ in length or have another sign.

        Examples
        --------
        >>> len(Board.from_picture(["...", ".#.", "..."]))
        8
        """
        drawn = [line.strip() for line in (lines.split() if isinstance(lines, str) else lines)]
        if not drawn or len({len(line) for line in drawn}) != 1 or not drawn[0]:
            raise BadInput("a drawn board needs lines of one length, '.' for a cell and '#' for a hole")
        if strange := sorted(set("".join(drawn)) - set(".#")):
            raise BadInput(f"a drawn board has '.' for a cell and '#' for a hole, not {strange[0]!r}")
        removed = {(r, c) for r, line in enumerate(drawn) for c, mark in enumerate(line) if mark == "#"}
        return cls(len(drawn), len(drawn[0]), frozenset(removed), leaper, wrap)

    # -- words ------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        options = []
        if self.removed:
            options.append(f"without={' '.join(self.name(cell) for cell in sorted(self.removed))!r}")
        if self.leaper != (1, 2):
            options.append(f"leaper={self.leaper!r}")
        if self.wrap != "none":
            options.append(f"wrap={self.wrap!r}")
        return f"Board.parse({', '.join([repr(self.size), *options])})"

    def __str__(self) -> str:
        text = self.size
        if self.removed:
            named = " ".join(self.name(cell) for cell in sorted(self.removed))
            text += f" without {named}" if len(self.removed) <= 6 else f" without {len(self.removed)} cells"
        if self.leaper != (1, 2):
            text += f" leaper {self.leaper[0]},{self.leaper[1]}"
        if self.wrap != "none":
            text += f" wrap {self.wrap}"
        return text

    @property
    def size(self) -> str:
        """``ROWSxCOLUMNS``."""
        return f"{self.rows}x{self.columns}"

    def name(self, cell: Cell) -> str:
        return cell_name(cell, self.rows)

    title = name

    def move_name(self, move: Move) -> str:
        # The cell further left is named first, or the lower one in a column.
        first, second = sorted(move, key=lambda cell: (cell[1], -cell[0]))
        return f"{self.name(first)}-{self.name(second)}"

    def cell(self, given: str | Cell) -> Cell:
        cell = parse_cell(given, self.rows, self.columns) if isinstance(given, str) else as_tuple(given)
        if not _is_cell(cell):
            raise BadInput(f"{shown(given)} is not a cell: write b3, or row,column such as 2,1")
        if not (0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns):
            raise BadInput(f"cell {cell[0]},{cell[1]} is off the {self.size} board")
        if cell in self.removed:
            raise BadInput(f"cell {self.name(cell)} is removed from the board")
        return int(cell[0]), int(cell[1])

    def move(self, text: str | Move) -> Move:
        pair = parse_move(text, self.rows, self.columns) if isinstance(text, str) else as_tuple(text)
        if len(pair) != 2:
            raise BadInput(f"{shown(text)} is not a move: write two cells, such as a1-b3 or 7,0-5,1")
        first, second = self.cell(pair[0]), self.cell(pair[1])
        if not self.adjacent(first, second):
            raise BadInput(
                f"{self.name(first)}-{self.name(second)} is not a move of a "
                f"{self.leaper[0]},{self.leaper[1]} leaper on {self}"
            )
        return (first, second) if first < second else (second, first)

    def split_list(self, text: str, also: str = "") -> list[str]:
        # A comma within row,column does not separate.
        return [part for part in re.split(rf"[\s;{also}]+|,(?=\s*[a-zA-Z(])", text.strip()) if part]

    def read_cells(self, text: str) -> frozenset[Cell]:
        return parse_cells(text, self.rows, self.columns)

    # -- cells and moves --------------------------------------------------------------------------------

    @property
    def features(self) -> frozenset[str]:
        """Features that engines must support: those of ``holes``, ``leaper`` and ``wrap`` that it has."""
        present = {"holes": self.removed, "leaper": self.leaper != (1, 2), "wrap": self.wrap != "none"}
        return frozenset(name for name, found in present.items() if found)

    @property
    def nouns(self) -> Nouns:
        return Nouns("board", "cell", "cells", "move", "moves")

    def __len__(self) -> int:
        return self.rows * self.columns - len(self.removed)

    def __contains__(self, cell: object) -> bool:
        return (
            _is_cell(cell)
            and 0 <= cell[0] < self.rows
            and 0 <= cell[1] < self.columns
            and cell not in self.removed
        )

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row; a cell's *index* is its place here. Raises LimitReached as :attr:`edges`."""
        self._fits(_BYTES_OF_CELL)
        return tuple(self.each_cell())

    def each_cell(self) -> Iterator[Cell]:
        # Row by row: itertools.product would make a tuple of each side.
        every = chain.from_iterable(zip(repeat(row), range(self.columns)) for row in range(self.rows))
        return (cell for cell in every if cell not in self.removed) if self.removed else every

    def _found_at(self, places: Iterable[int]) -> list[Cell]:
        """The cells at some places, without a list of all.

        >>> Board.parse("20000x20000", without="b20000 d20000").cells_of([0, 1, 2, 20000])
        ((0, 0), (0, 2), (0, 4), (1, 2))
        """
        # The place of each hole, if the holes before it are left out.
        holes = [number - i for i, number in enumerate(self._holes)]
        return [divmod(place + bisect_right(holes, place), self.columns) for place in places]

    @cached_property
    def _holes(self) -> tuple[int, ...]:
        """The removed cells, numbered as if none were removed."""
        return tuple(sorted([row * self.columns + column for row, column in self.removed]))

    def place(self, cell: Cell) -> int:
        number = cell[0] * self.columns + cell[1]
        return number - bisect_right(self._holes, number)

    def _fits(self, bytes_of_cell: int) -> None:
        """Raise OutOfMemory if a list of all cells takes more memory than is free."""
        if len(self) > _MANY and (needed := len(self) * bytes_of_cell) > (limit := available_memory()):
            raise OutOfMemory(
                f"a list of the {len(self):,} cells or moves of a board takes {shown_bytes(needed)}, and "
                f"{shown_bytes(limit)} are available"
            )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Algebraic names of all cells, in the order of :attr:`cells`. Raises LimitReached likewise."""
        return tuple(map(self.name, self.cells))

    @property
    def is_ascending(self) -> bool:
        return True

    @cached_property
    def offsets(self) -> tuple[tuple[int, int], ...]:
        """Distinct displacements of the leaper, at most eight."""
        r, s = self.leaper
        found = {(a * x, b * y) for x, y in ((r, s), (s, r)) for a in (1, -1) for b in (1, -1)}
        return tuple(sorted(found))

    @cached_property
    def _leaps(self) -> frozenset[tuple[int, int]]:
        """The displacements of moves, on wrapped sides modulo their length: a long leap may go round."""
        found = {self._unwrapped(down, right) for down, right in self.offsets}
        return frozenset(found - {(0, 0)})

    def _unwrapped(self, down: int, right: int) -> tuple[int, int]:
        if "y" in self.wrap:
            down %= self.rows
        return down, right % self.columns if "x" in self.wrap else right

    def adjacent(self, first: Cell, second: Cell) -> bool:
        return self._unwrapped(second[0] - first[0], second[1] - first[1]) in self._leaps

    def all_adjacent(self, cells: Sequence[Cell]) -> bool:
        if len(cells) < 2:
            return True
        rows, columns = zip(*cells, strict=True)
        down, right = map(sub, rows[1:], rows), map(sub, columns[1:], columns)
        steps = zip(down, right, strict=True)
        return self._leaps.issuperset(starmap(self._unwrapped, steps) if self.wrap != "none" else steps)

    @cached_property
    def coordinates(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Row and column of each cell, in the order of :attr:`cells`."""
        import numpy as np

        self._fits(_BYTES_OF_COORDINATES)
        here = np.ones((self.rows, self.columns), dtype=bool)
        here.ravel()[list(self._holes)] = False
        row, column = np.nonzero(here)
        return row, column

    @cached_property
    def edges(self) -> NDArray[np.int32]:
        """The move graph: array of shape (moves, 2) of cell indices, ``u < v``, sorted.

        Linear in the number of cells. Raises LimitReached if they take more memory than there is.
        """
        import numpy as np

        self._fits(_BYTES_OF_MOVES)
        row, column = self.coordinates
        index = np.full((self.rows, self.columns), -1, dtype=np.int64)
        index[row, column] = np.arange(len(self))
        found = []
        for down, right in self.offsets:
            to_row, to_column = row + down, column + right
            if "y" in self.wrap:
                to_row = to_row % self.rows
            if "x" in self.wrap:
                to_column = to_column % self.columns
            inside = (to_row >= 0) & (to_row < self.rows) & (to_column >= 0) & (to_column < self.columns)
            start = index[row[inside], column[inside]]
            stop = index[to_row[inside], to_column[inside]]
            kept = (start >= 0) & (start < stop)
            found.append(start[kept] * len(self) + stop[kept])
        # A pair is one number, and runs are merged: numpy.unique takes a hundred times as long.
        pairs = np.sort(np.concatenate(found), kind="stable")
        pairs = pairs[np.append(True, pairs[1:] != pairs[:-1])[: len(pairs)]]
        return np.stack(np.divmod(pairs, len(self)), axis=1).astype(np.int32)

    @cached_property
    def move_names(self) -> tuple[str, ...]:
        """Names of all moves (see :meth:`move_name`), in the order of :attr:`edges`.

        >>> board = Board.parse("3x4")
        >>> board.move_names[:2] == tuple(board.move_name(move) for move in board.moves[:2])
        True
        """
        cells, names = self.cells, self.names
        return tuple(
            [
                # Edges come with the upper cell first: in a column the lower one is named first.
                f"{names[u]}-{names[v]}" if cells[u][1] < cells[v][1] else f"{names[v]}-{names[u]}"
                for u, v in self.edges.tolist()
            ]
        )

    @property
    def plain(self) -> bool:
        """A full rectangle with a knight and no wrap: the boards of the theorems."""
        return not self.removed and self.leaper == (1, 2) and self.wrap == "none"

    def to_json(self) -> dict[str, Any]:
        """The board in terms of JSON: ``rows``, ``columns``, ``without``, ``leaper``, ``wrap``."""
        return {
            "rows": self.rows,
            "columns": self.columns,
            "without": [list(cell) for cell in sorted(self.removed)],
            "leaper": list(self.leaper),
            "wrap": self.wrap,
        }

    @classmethod
    def from_json(cls, data: Any) -> Board:
        if not isinstance(data, dict):
            raise BadInput("a board in JSON is an object with rows and columns")
        for key in ("rows", "columns"):
            if key not in data:
                raise BadInput(f"the board in JSON has no {key}: write its rows and columns")
        without, leaper = data.get("without", []), data.get("leaper", (1, 2))
        if not isinstance(without, list):
            raise BadInput(f"without, of the board in JSON, is a list of [row, column], not {shown(without)}")
        for each in without:
            if not isinstance(each, list | tuple) or not _is_cell(tuple(each)):
                raise BadInput(
                    f"without, of the board in JSON: {shown(each)} is not a cell: write [row, column]"
                )
        if not isinstance(leaper, list | tuple):
            raise BadInput(f"leaper, of the board in JSON, is two whole numbers, not {shown(leaper)}")
        removed = frozenset(map(tuple, without))
        return cls(data["rows"], data["columns"], removed, tuple(leaper), data.get("wrap", "none"))


def check_cells(cells: int, bytes_of_cell: int, settings: Settings) -> None:
    """Raise OutOfMemory if a board of that size takes more memory than the limit."""
    if (needed := cells * bytes_of_cell) > settings.memory_budget:
        raise OutOfMemory(
            f"a board of {cells:,} cells takes at least {shown_bytes(needed)}; the memory limit is "
            f"{shown_bytes(settings.memory_limit)}"
        )


def needs_board(ground: Graph, what: str) -> Board:
    """The ground as a board. Raises Refused for a bare graph, naming what needs rows and columns."""
    if isinstance(ground, Board):
        return ground
    raise Refused(f"{what} needs a board with rows and columns, not a {ground}")


def without_vertices(graph: Graph, removed: Collection[Vertex]) -> Graph:
    """The graph, or the board, without some vertices and their edges. Linear.

    The other vertices keep their names and their order, edges their weights.

    >>> graph = Graph("abcd", ["ab", "bc", "cd", "da"])
    >>> without_vertices(graph, {"a"}).moves
    (('b', 'c'), ('c', 'd'))
    """
    import numpy as np

    if not removed:
        return graph
    if isinstance(graph, Board):
        return replace(graph, removed=graph.removed | set(removed))
    kept = np.ones(len(graph), dtype=bool)
    kept[[graph.index[vertex] for vertex in removed]] = False
    if not kept.any():
        raise BadInput(f"all {number_of(len(graph), 'vertex')} are removed: a graph needs one or more")
    place = np.cumsum(kept) - 1
    edges = kept[graph.edges].all(axis=1)
    names, labels = (list(compress(each, kept.tolist())) for each in (graph.names, graph.cells))
    weights = None if graph.weights is None else graph.weights[edges]
    pairs = place[graph.edges[edges]].tolist()
    return Graph(names, pairs, directed=graph.directed, labels=labels, weights=weights)
