"""Strips: boards of one width and any length."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput
from ktsolve.base.text import check_kind, shown, small_number
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.named_graphs import PREFIX, named_graph
from ktsolve.problem.problem import TourProblem

__all__ = ["StripShape", "shape_of"]

_SIDE = r"(\d+|[nN?])"
_STRIP = re.compile(rf"(?:{PREFIX}(grid|king|knight):)?{_SIDE}\s*[xX×]\s*{_SIDE}", re.ASCII)

MOST_WIDTH = 40
"""Rows of the widest strip: more do not fit into a state of the sweep."""

_ORDERS = {5: (0, 4, 2, 1, 3), 6: (0, 2, 1, 3, 5, 4)}
"""Orders of the rows in a column other than from the top: for knights a quarter fewer transitions."""


@dataclass(frozen=True)
class StripShape:
    """Boards of one width and any length: what they have in common.

    - ``width``: Rows of a column.
    - ``wrapped``: Whether the first row is joined to the last one: a cylinder.
    - ``graph``: ``grid``, ``king`` or ``knight``: the strip is the named graph of this family rather than a
      board.
    - ``turned``: Whether the length is the number of rows, and the width that of columns.

    >>> strip = StripShape.parse("5xN", closed=True)
    >>> print(strip, strip.board(6))
    closed 5xN 5x6
    >>> print(StripShape.parse("graph:king:?x3", closed=False))
    open graph:king:Nx3
    """

    width: int
    closed: bool = True
    leaper: tuple[int, int] = (1, 2)
    wrapped: bool = False
    graph: str | None = None
    turned: bool = False

    @classmethod
    def parse(
        cls, text: str, *, closed: bool, leaper: str | tuple[int, int] = (1, 2), wrap: str = "none"
    ) -> StripShape:
        """Read ``5xN``, ``Nx5``, ``5x?`` or ``graph:king:5xN``.

        Raises BadInput if the text does not state a strip, or the wrap joins its ends.
        """
        check_kind(text, str, "a strip: write its width and N for its length, such as '5xN'")
        match = _STRIP.fullmatch(text.strip())
        open_sides = [] if match is None else [side for side in match.groups()[1:] if not side.isdigit()]
        if match is None or len(open_sides) != 1:
            raise BadInput(
                f"{shown(text)} is not a strip: write its width and N for its length, such as 5xN or Nx5, "
                "or graph:king:5xN"
            )
        graph, first, second = match.groups()
        turned = not first.isdigit()
        width = small_number(second if turned else first)
        if not 1 <= width <= MOST_WIDTH:
            raise BadInput(f"the strip {shown(text)} is {width} wide: write a width from 1 to {MOST_WIDTH}")
        given = Board.parse((1, 1), leaper=leaper, wrap=wrap)  # reads and checks both
        if graph is not None:
            if given.leaper != (1, 2) or wrap != "none":
                raise BadInput(f"--leaper and --wrap are about boards, and {shown(text)} is a graph")
            return cls(width, closed, graph=graph, turned=turned)
        along, across = "yx" if turned else "xy"
        if along in wrap:
            raise BadInput(
                f"wrap {wrap} joins the two ends of the strip {shown(text)}: "
                f"--wrap {across} joins its long sides"
            )
        return cls(width, closed, given.leaper, wrap != "none", turned=turned)

    def board(self, length: int) -> Graph:
        """The strip of this length, with rows and columns as they were given."""
        rows, columns = (length, self.width) if self.turned else (self.width, length)
        if self.graph is not None:
            return named_graph(f"{PREFIX}{self.graph}:{rows}x{columns}")
        wrap = "none" if not self.wrapped else "x" if self.turned else "y"
        return Board(rows, columns, leaper=self.leaper, wrap=wrap)

    def problem(self, length: int) -> TourProblem:
        """The question about the strip of this length."""
        return TourProblem(board=self.board(length), closed=self.closed)

    @property
    def order(self) -> tuple[int, ...]:
        """The rows in the order in which the sweep takes the cells of a column."""
        return _ORDERS.get(self.width, tuple(range(self.width)))

    def edges(self) -> NDArray[np.int32]:
        """The edges that begin in a column: row, row in the other column, columns ahead.

        A row is given by its place in :attr:`order`.
        """
        of_graphs = {"grid": [(0, 1)], "king": [(0, 1), (1, 1)], "knight": [(1, 2)]}
        leapers = [self.leaper] if self.graph is None else of_graphs[self.graph]
        rows = self.width
        place = {row: i for i, row in enumerate(self.order)}
        found = set()
        for leaper in leapers:
            length = 2 * max(leaper) + 1
            strip = Board(rows, length, leaper=leaper, wrap="y" if self.wrapped else "none")
            for u, v in strip.edges.tolist():
                (row, column), (other, ahead) = divmod(u, length), divmod(v, length)
                first, second = place[row], place[other]
                if min(column, ahead) == 0:
                    found.add((first, second, ahead) if column == 0 else (second, first, column))
        return np.array(sorted(found), dtype=np.int32).reshape(-1, 3)

    def symmetries(self) -> list[list[int]]:
        """Permutations of the rows, given as in :meth:`edges`, under which all columns stay the same."""
        rows, order = self.width, self.order
        turns = range(rows) if self.wrapped else range(1)
        images = [[(turn + row) % rows for row in range(rows)] for turn in turns]
        images += [image[::-1] for image in images]
        unique = dict.fromkeys(tuple(order.index(image[row]) for row in order) for image in images)
        return [list(image) for image in unique if image != tuple(range(rows))]

    def __str__(self) -> str:
        size = f"Nx{self.width}" if self.turned else f"{self.width}xN"
        text = f"{'closed' if self.closed else 'open'} "
        text += size if self.graph is None else f"{PREFIX}{self.graph}:{size}"
        if self.leaper != (1, 2):
            text += f" leaper {self.leaper[0]},{self.leaper[1]}"
        if self.wrapped:
            text += " wrap " + ("x" if self.turned else "y")
        return text


def shape_of(problem: TourProblem) -> tuple[StripShape, int]:
    """The strip that a board without holes and conditions is, and its length.

    The shorter side is the width, unless the board is a cylinder.

    >>> [(str(shape), length) for shape, length in [shape_of(TourProblem(board="9x4", closed=False))]]
    [('open Nx4', 9)]
    """
    board = problem.board
    turned = board.wrap == "x" if board.wrap != "none" else board.columns < board.rows
    width, length = (board.columns, board.rows) if turned else (board.rows, board.columns)
    return StripShape(width, problem.closed, board.leaper, board.wrap != "none", None, turned), length
