"""Tours: immutable walks over a board, and the first violation in an invalid one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ktsolve.errors import BadInput
from ktsolve.ground.board import Board, needs_board
from ktsolve.ground.drawing import Drawn, renderer
from ktsolve.ground.graph import Graph, Move, Vertex
from ktsolve.ground.notation import shown, split_outside_quotes
from ktsolve.ground.symmetry import Symmetry, symmetry_group

__all__ = ["Fault", "Tour"]


@dataclass(frozen=True)
class Fault:
    """The first violation in a tour.

    Attributes
    ----------
    step:
        Number of the first bad step, from 1; 0 when the fault belongs to no step.
    reason:
        What is wrong there, in words.
    """

    step: int
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True, init=False, repr=False)
class Tour(Drawn):
    """A sequence of cells claimed to visit every cell of a board once, by moves of its leaper.

    A Tour may hold any cells of its board; :attr:`fault` tells whether it is a tour. Step numbers start at 1.

    Parameters
    ----------
    board:
        The board.
    squares:
        The cells in order.
    closed:
        Whether the walk is meant to return from the last cell to the first.

    Raises
    ------
    BadInput
        If a cell is not on the board.

    Examples
    --------
    >>> board = Board.parse("3x4")
    >>> tour = Tour.from_names(board, "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1".split())
    >>> tour.valid, tour.closes
    (True, False)
    >>> print(tour.grid())
     1  4  7 10
     8 11  2  5
     3  6  9 12
    >>> tour.reversed().squares[0], len(tour.moves)
    ((2, 3), 11)
    """

    ground: Graph
    squares: tuple[Vertex, ...]
    closed: bool = False

    def __init__(self, board: Graph, squares: Iterable[Vertex], closed: bool = False) -> None:
        if isinstance(board, Board):
            squares = ((int(r), int(c)) for r, c in squares)
        self.__dict__.update(ground=board, squares=tuple(squares), closed=closed)
        for step, cell in enumerate(self.squares, 1):
            if cell not in board:
                if not isinstance(board, Board):
                    raise BadInput(f"step {step}: {shown(cell)} is no vertex of the {board}")
                why = "is removed from" if cell in board.removed else "is off"
                raise BadInput(f"step {step}: cell {cell[0]},{cell[1]} {why} the board {board}")

    @property
    def board(self) -> Board:
        """The board. Raises Refused for a tour of a bare graph."""
        return needs_board(self.ground, "a tour as a grid")

    @classmethod
    def from_indices(cls, board: Graph, indices: Iterable[int], closed: bool = False) -> Tour:
        """Make a tour from cell numbers (see :attr:`Board.cells`)."""
        cells = board.cells
        return cls._trusted(board, tuple([cells[i] for i in indices]), closed)

    @classmethod
    def _trusted(cls, board: Graph, squares: tuple[Vertex, ...], closed: bool) -> Tour:
        """A tour over cells that are known to be on the board: lists of tours are made by the thousand."""
        tour = object.__new__(cls)
        tour.__dict__.update(ground=board, squares=squares, closed=closed)
        return tour

    @classmethod
    def from_names(cls, board: Graph, names: str | Iterable[str], closed: bool = False) -> Tour:
        """Make a tour from names of cells, algebraic or ``row,column``; or from one text of them."""
        listed = split_outside_quotes(names.strip(), r"\s+") if isinstance(names, str) else names
        return cls(board, tuple(board.cell(name) for name in listed), closed)

    # -- validity ---------------------------------------------------------------------------------------

    @property
    def step_fault(self) -> Fault | None:
        """The first step that repeats a cell or is no move, or None. Linear in the number of steps."""
        board, name = self.ground, self.ground.name
        if not isinstance(board, Board) and len(self) == len(self.step_of) and board.walks(self.squares):
            return None
        seen: dict[Vertex, int] = {}
        # On a board that is not wrapped the displacement decides, without a call.
        flat = isinstance(board, Board) and board.wrap == "none"
        leaps = frozenset(board.offsets) if isinstance(board, Board) else frozenset()
        before: Vertex | None = None
        for step, cell in enumerate(self.squares, 1):
            if cell in seen:
                return Fault(step, f"step {step}: {name(cell)} was visited before, at step {seen[cell]}")
            seen[cell] = step
            if (
                before is not None
                and not (flat and (cell[0] - before[0], cell[1] - before[1]) in leaps)
                and not board.adjacent(before, cell)
            ):
                return Fault(step, f"step {step}: {name(before)} to {name(cell)} is {self._no_move}")
            before = cell
        return None

    @cached_property
    def fault(self) -> Fault | None:
        """The first fault, or None for a valid tour. Linear in the number of cells."""
        if (fault := self.step_fault) is not None:
            return fault
        name = self.ground.name
        if (absent := len(self.ground) - len(self)) > 0:
            missing = next(cell for cell in self.ground.each_cell() if cell not in self.step_of)
            others = f" and {absent - 1:,} more" if absent > 1 else ""
            return Fault(0, f"{name(missing)}{others} never visited")
        if self.closed and not self.closes:
            first, last = name(self.squares[0]), name(self.squares[-1])
            if isinstance(self.ground, Board):
                reason = f"step {len(self)}: the last cell {last} is no move from the first {first}"
            else:
                reason = f"step {len(self)}: {last} back to the first vertex {first} is {self._no_move}"
            return Fault(len(self), reason)
        return None

    @property
    def _no_move(self) -> str:
        if isinstance(self.ground, Board):
            return "no move of the piece"
        return f"no {'arc' if self.ground.directed else 'edge'} of the graph"

    @property
    def valid(self) -> bool:
        """Whether this is a tour: every cell once, every step a move (and the return, if closed)."""
        return self.fault is None

    @property
    def closes(self) -> bool:
        """Whether a move leads from the last cell to the first, with at least three cells in all."""
        return len(self.squares) > 2 and self.ground.adjacent(self.squares[-1], self.squares[0])

    # -- parts ------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.squares)

    @cached_property
    def indices(self) -> tuple[int, ...]:
        """Cell numbers in order."""
        index = self.ground.index
        return tuple(index[cell] for cell in self.squares)

    @cached_property
    def moves(self) -> frozenset[Move]:
        """The moves made, the closing one included if the tour is closed; undirected unless the graph is."""
        steps = list(zip(self.squares, self.squares[1:], strict=False))
        if self.closed and len(self.squares) > 2:
            steps.append((self.squares[-1], self.squares[0]))
        if self.ground.directed:
            return frozenset(steps)
        return frozenset((a, b) if a < b else (b, a) for a, b in steps)

    @cached_property
    def labels(self) -> tuple[Hashable, ...]:
        """The user's objects for the vertices, in order; of a board its cells."""
        labels = self.ground.labels
        return tuple([labels[place] for place in self.indices])

    @cached_property
    def step_of(self) -> dict[Vertex, int]:
        """Step number of each cell, from 1."""
        return {cell: step for step, cell in enumerate(self.squares, 1)}

    # -- other tours ------------------------------------------------------------------------------------

    def reversed(self) -> Tour:
        """The same cells in the opposite order; on a directed graph that is seldom a tour."""
        return Tour._trusted(self.ground, self.squares[::-1], self.closed)

    def starting_at(self, start: Vertex | str) -> Tour:
        """A closed tour renumbered to begin at another cell."""
        if not self.closed:
            raise BadInput("only a closed tour can begin anywhere")
        cell = self.ground.cell(start)
        if cell not in self.step_of:
            raise BadInput(f"the tour does not visit {self.ground.name(cell)}")
        at = self.step_of[cell] - 1
        return Tour._trusted(self.ground, self.squares[at:] + self.squares[:at], self.closed)

    def transformed(self, symmetry: Symmetry) -> Tour:
        """The image of the tour under a symmetry of its board, numbering carried along."""
        return Tour.from_indices(self.ground, (symmetry(i) for i in self.indices), self.closed)

    def normalised(self) -> Tour:
        """The one numbering that stands for the undirected tour.

        Closed tours begin at the first cell of the board and go on to the smaller of its two neighbours; open
        ones begin at the smaller end. On a directed graph the direction stays. Two tours make the same moves
        exactly if this is equal.
        """
        least = _least_numbering(self.indices, self.closed, self.ground.directed)
        return Tour.from_indices(self.ground, least, self.closed)

    def canonical(self, group: Iterable[Symmetry] | None = None) -> Tour:
        """The least normalised image under the board's symmetries (or those given).

        Two tours are the same up to symmetry, start and direction exactly if this is equal. Source: minimal
        images under a group, as in McKay's canonical forms. Cost: group order x cells.
        """
        group = symmetry_group(self.board) if group is None else group
        images = ([symmetry(i) for i in self.indices] for symmetry in group)
        least = min(_least_numbering(image, self.closed, self.ground.directed) for image in images)
        return Tour.from_indices(self.ground, least, self.closed)

    def as_closed(self, closed: bool) -> Tour:
        """The same numbered cells, meant to be closed or open."""
        return self if closed == self.closed else Tour._trusted(self.ground, self.squares, closed)

    def stabiliser(self, group: Iterable[Symmetry] | None = None) -> tuple[Symmetry, ...]:
        """The symmetries of the board that leave the undirected tour as it is."""
        group = symmetry_group(self.board) if group is None else group
        kind = self.closed, self.ground.directed
        own = _least_numbering(self.indices, *kind)
        return tuple(s for s in group if _least_numbering([s(i) for i in self.indices], *kind) == own)

    # -- words ------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        names = self.names()
        split = "" if '"' in names else ".split()"
        return f"Tour.from_names({self.ground!r}, {names!r}{split}, closed={self.closed})"

    def __str__(self) -> str:
        return self.grid() if isinstance(self.ground, Board) else self.names()

    def grid(self) -> str:
        """Step numbers as a grid, ``.`` for cells that are not there or not visited."""
        width = len(str(len(self.squares)))
        marks = self.step_of
        return "\n".join(
            " ".join(str(marks.get((r, c), ".")).rjust(width) for c in range(self.board.columns))
            for r in range(self.board.rows)
        )

    def names(self) -> str:
        """The cells by name, in order, separated by spaces."""
        return " ".join(map(self.ground.name, self.squares))

    def to_json(self) -> dict[str, Any]:
        """The tour in terms of JSON: ``board``, ``closed``, ``squares``."""
        bare = not isinstance(self.ground, Board)
        return {
            "board": self.ground.to_json(),
            "closed": self.closed,
            "squares": [self.ground.names[cell] if bare else list(cell) for cell in self.squares],
        }

    # -- pictures ---------------------------------------------------------------------------------------

    def plot(self, axes: Any = None, **style: Any) -> Any:
        """Draw the tour on axes of matplotlib (the extra ``pictures``), and return them.

        Parameters
        ----------
        axes:
            Axes to draw on; by default those of a new figure.
        **style:
            As for :meth:`svg`.
        """
        return renderer().plot(self, axes, **style)

    def play(self, *, title: str | None = None, step: int | None = None, height: int = 480) -> Any:
        """Return the tour in the player, which a notebook shows in a frame.

        Parameters
        ----------
        title:
            Heading of the page.
        step:
            Step at which it opens; by default two fifths of the tour.
        height:
            Height of the frame in pixels.

        Returns
        -------
        ktsolve.render.player.Player
            Its attribute ``page`` is the whole page, which loads nothing from the network.

        Raises
        ------
        BadInput
            If the tour is invalid or longer than 1,000,000 cells.

        Examples
        --------
        >>> from ktsolve.ground.board import Board
        >>> tour = Tour.from_names(Board.parse("3x4"), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
        >>> tour.play()
        <player of tour of 3x4: show it in a notebook, or write .page to a file>
        """
        return renderer().play(self, title=title, step=step, height=height)


def _least_numbering(indices: Sequence[int], closed: bool, directed: bool = False) -> tuple[int, ...]:
    walk = tuple(indices)
    if not walk:
        return walk
    if not closed:
        return walk if directed or walk[0] <= walk[-1] else walk[::-1]
    at = walk.index(min(walk))
    walk = walk[at:] + walk[:at]
    if len(walk) > 2 and walk[-1] < walk[1] and not directed:
        walk = (walk[0], *walk[:0:-1])
    return walk
