"""Tours: immutable walks over a board, and the first violation in an invalid one."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, starmap
from os import PathLike
from typing import TYPE_CHECKING, Any, overload

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.base.text import shown, split_outside_quotes
from ktsolve.graphs.board import Board, needs_board
from ktsolve.graphs.drawing import Drawn, renderer
from ktsolve.graphs.graph import Graph, Move, Vertex
from ktsolve.graphs.symmetry import Symmetry, symmetry_group

if TYPE_CHECKING:
    import networkx
    import numpy as np
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from ktsolve.graphs.tour_arrays import Steps

__all__ = ["Tour", "Violation", "difference", "least_difference", "least_labeling"]

_LARGE = 2000  # cells from which a tour is checked in arrays first


@dataclass(frozen=True)
class Violation:
    """The first violation in a tour.

    Attributes
    ----------
    step:
        Number of the first bad step, from 1; 0 when the violation belongs to no step.
    reason:
        What is wrong there, in words.
    """

    step: int
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True, init=False, repr=False)
class Tour(Drawn, Sequence[Vertex]):
    """A sequence of cells claimed to visit every cell of a board once, by moves of its leaper.

    On a graph the cells are its vertices, the user's nodes.

    A Tour may hold any cells of its board; :attr:`violation` says whether it is a tour. Step numbers start at
    1, places in the sequence at 0: ``tour[0]`` is the cell of step 1. ``len``, iteration, slices, ``in``,
    ``index`` and ``reversed`` are those of the tuple :attr:`squares`; ``in`` and ``index`` take names of
    cells, too. ``numpy.asarray(tour)`` is the grid of step numbers.

    Parameters
    ----------
    board:
        The board, or a graph as :meth:`Graph.of` takes it.
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
    >>> tour[0], tour[-1], tour[:2], "a1" in tour, tour.index("a1"), len(list(tour))
    ((0, 0), (2, 3), ((0, 0), (1, 2)), True, 2, 12)
    """

    ground: Graph
    squares: tuple[Vertex, ...]
    closed: bool = False

    def __init__(self, board: Graph | Any, squares: Iterable[Vertex], closed: bool = False) -> None:
        board = Graph.of(board)
        if isinstance(board, Board):
            squares = ((int(r), int(c)) for r, c in squares)
        given = tuple(squares)
        for step, cell in enumerate(given, 1):
            if cell not in board:
                if not isinstance(board, Board):
                    raise BadInput(f"step {step}: {shown(cell)} is not a vertex of the {board}")
                why = "is removed from" if cell in board.removed else "is off"
                raise BadInput(f"step {step}: cell {cell[0]},{cell[1]} {why} the board {board}")
        own = given if isinstance(board, Board) else tuple(map(board.cell, given))
        self.__dict__.update(ground=board, squares=own, closed=closed)

    @property
    def board(self) -> Board:
        """The board. Raises Refused for a tour of a bare graph."""
        return needs_board(self.ground, "a tour as a grid")

    @classmethod
    def from_indices(
        cls, board: Graph | Any, indices: Iterable[int] | NDArray[np.integer], closed: bool = False
    ) -> Tour:
        """Make a tour from cell numbers (see :attr:`Board.cells`).

        Those of an array are kept; the cells are then made when they are first needed.

        Parameters
        ----------
        board:
            The board or graph.
        indices:
            Places of cells, in the order of the tour.
        closed:
            Whether the tour is closed.

        Returns
        -------
        Tour
            The tour.
        """
        board = Graph.of(board)
        if not hasattr(indices, "dtype"):
            cells = board.cells
            return cls._trusted(board, tuple([cells[i] for i in indices]), closed)
        import numpy as np

        tour = object.__new__(cls)
        tour.__dict__.update(ground=board, closed=closed, places=np.asarray(indices, dtype=np.int64))
        return tour

    @classmethod
    def _trusted(cls, board: Graph, squares: tuple[Vertex, ...], closed: bool) -> Tour:
        """A tour over cells that are known to be on the board: lists of tours are made by the thousand."""
        tour = object.__new__(cls)
        tour.__dict__.update(ground=board, squares=squares, closed=closed)
        return tour

    @classmethod
    def from_names(cls, board: Graph | Any, names: str | Iterable[str], closed: bool = False) -> Tour:
        """Make a tour from names of cells, algebraic or ``row,column``; or from one text of them.

        Parameters
        ----------
        board:
            The board or graph.
        names:
            Names separated by spaces, or a list of names.
        closed:
            Whether the tour is closed.

        Returns
        -------
        Tour
            The tour.

        Examples
        --------
        >>> Tour.from_names(Board.parse("3x4"), "a3 c2 a1").squares
        ((0, 0), (1, 2), (2, 0))
        """
        board = Graph.of(board)
        listed = split_outside_quotes(names.strip(), r"\s+") if isinstance(names, str) else names
        return cls(board, tuple(board.cell(name) for name in listed), closed)

    @classmethod
    def from_array(cls, steps: ArrayLike, closed: bool | None = None, board: Board | None = None) -> Tour:
        """Make a tour from a grid of step numbers, as :meth:`array` gives it.

        Parameters
        ----------
        steps:
            Rows of step numbers from 1; 0 stands for a cell that is not there.
        closed:
            Whether it is meant to be closed; by default whether the ends are a move apart.
        board:
            The board, where it is not a knight's with exactly these cells.

        Returns
        -------
        Tour
            The tour.

        Raises
        ------
        BadInput
            If a step is there twice or not at all, or the grid does not fit the board.

        Examples
        --------
        >>> tour = Tour.from_array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]])
        >>> tour.board, tour.closed, tour.array().tolist()[0]
        (Board.parse('3x4'), False, [1, 4, 7, 10])
        """
        import numpy as np

        try:
            grid = np.asarray(steps)
        except ValueError:  # rows of unequal length
            grid = np.empty(0)
        if grid.ndim != 2 or not grid.size or not np.issubdtype(grid.dtype, np.integer):
            raise BadInput("steps must be rows of whole numbers, all of one length, such as [[1, 6, 3], ...]")
        cells = [(int(r), int(c)) for r, c in np.argwhere(grid > 0)]
        found = sorted(int(grid[cell]) for cell in cells)
        wrong = next((place for place, step in enumerate(found, 1) if place != step), None)
        if wrong is not None or grid.min() < 0:
            raise BadInput(f"steps must be 1 to {len(found)}, each once: {wrong or grid.min()} is not so")
        if board is None:
            holes = frozenset((int(r), int(c)) for r, c in np.argwhere(grid == 0))
            board = Board(grid.shape[0], grid.shape[1], removed=holes)
        elif board.size != (size := f"{grid.shape[0]}x{grid.shape[1]}"):
            raise BadInput(f"the grid is {size}, the board is {board.size}")
        tour = cls(board, sorted(cells, key=lambda cell: int(grid[cell])))
        return tour.as_closed(tour.closes if closed is None else closed)

    @classmethod
    def from_steps(cls, steps: ArrayLike, closed: bool | None = None, board: Board | None = None) -> Tour:
        """Make a tour of a whole board from an array of step numbers, which is kept: 4 bytes a cell.

        A knight's tour is not checked here: :attr:`violation` names the first number that is wrong. Cells are
        made as objects, of some hundred bytes, when they are first needed.

        Parameters
        ----------
        steps:
            Rows of step numbers from 1.
        closed:
            Whether it is meant to be closed; by default whether the ends are a move apart.
        board:
            The board, where it is not a knight's.

        Returns
        -------
        Tour
            The tour.

        Raises
        ------
        BadInput
            If this is not an array of whole numbers in rows and columns, or the board has another size or
            holes; for another board than a knight's also if the numbers are not a permutation of 1, 2, ...

        Examples
        --------
        >>> tour = Tour.from_steps([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]])
        >>> tour.closed, tour.valid, tour[-1], tour.is_array
        (False, True, (2, 3), True)
        >>> print(Tour.from_steps([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 9]]).violation)
        line 3, entry 4: step 9 occurs twice (also in line 3, entry 3)
        """
        from ktsolve.graphs.tour_arrays import as_steps

        grid = as_steps(steps)
        rows, columns = grid.shape
        board = board or Board(rows, columns)
        if (rows, columns) != (board.rows, board.columns) or board.removed:
            raise BadInput(f"the step numbers are those of {rows}x{columns}, the board is {board}")
        tour = object.__new__(cls)
        tour.__dict__.update(ground=board, _steps=grid, closed=closed)
        if closed is None:
            tour.__dict__["closed"] = tour.closes
        return tour if board.plain else cls.from_indices(board, tour.places, tour.closed)

    if not TYPE_CHECKING:  # for the type checker the attributes are those above

        def __getattr__(self, name: str) -> Any:
            if name != "squares" or self.__dict__.keys().isdisjoint(("places", "_steps")):
                raise AttributeError(f"a tour has no attribute {name!r}")
            cells = self.ground.cells
            squares = self.__dict__["squares"] = tuple([cells[place] for place in self.places.tolist()])
            return squares

    # -- validity ---------------------------------------------------------------------------------------

    @property
    def step_violation(self) -> Violation | None:
        """The first step that repeats a cell or is not a move, or None. Linear in the number of steps."""
        if self._is_walk:
            return None
        board, name = self.ground, self.ground.name
        seen: dict[Vertex, int] = {}
        for step, cell in enumerate(self.squares, 1):
            if cell in seen:
                return Violation(step, f"step {step}: {name(cell)} was visited before, at step {seen[cell]}")
            seen[cell] = step
            before = self.squares[step - 2]
            if step > 1 and not board.adjacent(before, cell):
                return Violation(step, f"step {step}: {name(before)} to {name(cell)} is {self._not_a_move}")
        return None

    @property
    def _is_walk(self) -> bool:
        """Whether each step is a move to another cell, if that is quickly seen: large tours in arrays."""
        if len(self) < _LARGE:
            return len(set(self.squares)) == len(self) and self.ground.all_adjacent(self.squares)
        if len(self) != len(self.ground):
            return False
        from ktsolve.graphs.tour_arrays import is_walk

        return is_walk(self.ground, self.places)

    @cached_property
    def violation(self) -> Violation | None:
        """The first violation, or None for a valid tour. Linear in the number of cells."""
        return self.first_violation()

    def first_violation(self, settings: Settings | None = None) -> Violation | None:
        """As :attr:`violation`; of an array within the time and with the threads of the settings.

        Parameters
        ----------
        settings:
            Limits and threads.

        Returns
        -------
        Violation or None
            The first violation; None for a tour.

        Raises
        ------
        LimitReached
            If time ran out.
        """
        if self.is_array:
            from ktsolve.graphs.tour_arrays import first_violation

            found = first_violation(self.steps, closed=self.closed, settings=settings or Settings())
            return None if found is None else Violation(*found)
        if (fault := self.step_violation) is not None:
            return fault
        name = self.ground.name
        if (absent := len(self.ground) - len(self)) > 0:
            missing = next(cell for cell in self.ground.each_cell() if cell not in self.step_of)
            others = f" and {absent - 1:,} more" if absent > 1 else ""
            return Violation(0, f"{name(missing)}{others} never visited")
        if self.closed and not self.closes:
            first, last = name(self.squares[0]), name(self.squares[-1])
            if isinstance(self.ground, Board):
                reason = f"step {len(self)}: the last cell {last} is not a move from the first {first}"
            else:
                reason = f"step {len(self)}: {last} back to the first vertex {first} is {self._not_a_move}"
            return Violation(len(self), reason)
        return None

    @property
    def _not_a_move(self) -> str:
        if isinstance(self.ground, Board):
            return "not a move of the piece"
        return f"not an {self.ground.nouns.move} of the graph"

    @property
    def valid(self) -> bool:
        """Whether this is a tour: every cell once, every step a move (and the return, if closed)."""
        return self.violation is None

    @property
    def closes(self) -> bool:
        """Whether a move leads from the last cell to the first, with at least three cells in all."""
        if len(self) < 3:
            return False
        try:
            return self.ground.adjacent(self[-1], self[0])
        except BadInput:  # an array without the first or the last step
            return False

    # -- a sequence of cells ----------------------------------------------------------------------------

    def __len__(self) -> int:
        if self.is_array:
            return self.steps.size
        return len(self.squares if "squares" in self.__dict__ else self.places)

    def __iter__(self) -> Iterator[Vertex]:
        return iter(self.squares)

    @overload
    def __getitem__(self, place: int) -> Vertex: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Vertex, ...]: ...
    def __getitem__(self, place: int | slice) -> Vertex | tuple[Vertex, ...]:
        if "squares" in self.__dict__ or isinstance(place, slice):
            return self.squares[place]
        if not self.is_array:
            return self.ground.cells_of([int(self.places[place])])[0]
        step = range(1, len(self) + 1)[place]
        found = int((self.steps == step).argmax())
        if self.steps.flat[found] != step:
            raise BadInput(f"step {step} is missing")
        return divmod(found, self.board.columns)

    def __contains__(self, cell: object) -> bool:
        """Whether the tour visits a cell, given as ``(row, column)`` or by name."""
        try:
            return self.ground.cell(cell) in self.step_of
        except (BadInput, TypeError):
            return False

    def index(self, cell: Vertex | str, start: int = 0, stop: int = sys.maxsize) -> int:
        """The place of a cell, from 0, as :meth:`list.index` gives it; its step number is one more.

        Parameters
        ----------
        cell:
            The cell or its name.
        start, stop:
            The places to look at, as of :meth:`list.index`.

        Returns
        -------
        int
            The place.

        Raises
        ------
        BadInput
            If the tour does not visit the cell. It is a ValueError, too.
        """
        try:
            return self.squares.index(self.ground.cell(cell), start, stop)
        except (ValueError, TypeError):
            raise BadInput(f"the tour does not visit {shown(cell)}") from None

    # -- parts ------------------------------------------------------------------------------------------

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """Cell numbers in order, as an array."""
        import numpy as np

        if self.is_array:
            from ktsolve.graphs.tour_arrays import cells_in_order

            return cells_in_order(self.steps).astype(np.int64)
        return np.fromiter(map(self.ground.place, self.squares), dtype=np.int64, count=len(self.squares))

    @cached_property
    def indices(self) -> tuple[int, ...]:
        """Cell numbers in order."""
        if "places" in self.__dict__:
            return tuple(self.places.tolist())
        return tuple(map(self.ground.index.__getitem__, self.squares))

    @cached_property
    def moves(self) -> frozenset[Move]:
        """The moves made, the closing one included if the tour is closed; undirected unless the graph is."""
        steps = list(pairwise(self.squares))
        if self.closed and len(self.squares) > 2:
            steps.append((self.squares[-1], self.squares[0]))
        if self.ground.directed:
            return frozenset(steps)
        if not self.ground.is_ascending:
            return frozenset(starmap(self.ground.edge, steps))
        return frozenset((a, b) if a < b else (b, a) for a, b in steps)

    def makes(self, move: Move) -> bool:
        """Whether the tour makes a move, in either direction unless the graph is directed.

        Parameters
        ----------
        move:
            Two cells.

        Returns
        -------
        bool
            True if the tour makes the move.
        """
        first, second = (self.step_of.get(self.ground.cell(cell)) for cell in move)
        if first is None or second is None:
            return False
        ahead = second - first
        if self.closed and len(self) > 2:
            ahead = (ahead + 1) % len(self) - 1
        return ahead == 1 or (ahead == -1 and not self.ground.directed)

    @property
    def labels(self) -> tuple[Vertex, ...]:
        """The same as :attr:`squares`: the user's objects for the vertices, in order."""
        return self.squares

    @cached_property
    def step_of(self) -> dict[Vertex, int]:
        """Step number of each cell, from 1."""
        return {cell: step for step, cell in enumerate(self.squares, 1)}

    # -- in other forms ---------------------------------------------------------------------------------

    @property
    def is_array(self) -> bool:
        """Whether the tour is held as an array of step numbers (see :meth:`from_steps`)."""
        return "_steps" in self.__dict__

    @property
    def steps(self) -> Steps:
        """The step numbers on a board, in 32 bits; the array that the tour holds, if it does."""
        if self.is_array:
            held: Steps = self.__dict__["_steps"]
            return held
        from ktsolve.graphs.tour_arrays import as_steps

        return as_steps(self.array())

    def array(self) -> NDArray[np.int64]:
        """The step numbers as an array of NumPy: of a board its rows, with 0 for cells without a step.

        Of a bare graph, the array has an entry for each vertex, in the order of :attr:`Graph.cells`.

        Examples
        --------
        >>> Tour.from_names(Board.parse("3x4"), "a3 c2 a1").array()
        array([[1, 0, 0, 0],
               [0, 0, 2, 0],
               [3, 0, 0, 0]])
        """
        import numpy as np

        if self.is_array:
            return self.steps.astype(np.int64)
        if not isinstance(self.ground, Board):
            steps = np.zeros(len(self.ground), dtype=np.int64)
            steps[list(self.indices)] = np.arange(1, len(self) + 1)
            return steps
        grid = np.zeros((self.ground.rows, self.ground.columns), dtype=np.int64)
        if "places" in self.__dict__:
            row, column = self.ground.coordinates
            grid[row[self.places], column[self.places]] = np.arange(1, len(self) + 1)
        elif self.squares:
            rows, columns = zip(*self.squares, strict=True)
            grid[rows, columns] = np.arange(1, len(self) + 1)
        return grid

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """The same, for ``numpy.asarray(tour)``."""
        if copy is False:
            raise ValueError("a tour as an array is always a new one: leave out copy=False")
        grid = self.array()
        return grid if dtype is None else grid.astype(dtype)

    def to_networkx(self) -> networkx.Graph[Any]:
        """The tour as a graph of networkx: its cells in order, joined by its moves.

        Nodes are the cells; each has its step number as ``step``, and on a board its place in a drawing as
        ``pos``. A tour of a directed graph is a ``DiGraph``.

        Examples
        --------
        >>> graph = Tour.from_names(Board.parse("3x4"), "a3 c2 a1").to_networkx()
        >>> sorted(graph.edges), graph.nodes[(1, 2)]["step"]
        ([((0, 0), (1, 2)), ((1, 2), (2, 0))], 2)
        """
        import networkx

        graph = networkx.DiGraph() if self.ground.directed else networkx.Graph()
        for step, node in enumerate(self.squares, 1):
            graph.add_node(node, step=step)
        if isinstance(self.ground, Board):
            for row, column in self.squares:
                graph.nodes[row, column]["pos"] = (column, -row)
        networkx.add_path(graph, self.squares)
        if self.closed and len(self) > 2:
            graph.add_edge(self[-1], self[0])
        return graph

    def records(self) -> list[dict[str, Any]]:
        """A row for each step, for tables such as ``pandas.DataFrame(tour.records())``.

        The cell of a board has its name, row and column; a vertex of a bare graph is the node itself.

        Examples
        --------
        >>> Tour.from_names(Board.parse("3x4"), "a3 c2 a1").records()[1]
        {'step': 2, 'cell': 'c2', 'row': 1, 'column': 2}
        """
        if not isinstance(self.ground, Board):
            return [{"step": step, "cell": cell} for step, cell in enumerate(self.squares, 1)]
        name = self.ground.name
        return [
            {"step": step, "cell": name(cell), "row": cell[0], "column": cell[1]}
            for step, cell in enumerate(self.squares, 1)
        ]

    # -- other tours ------------------------------------------------------------------------------------

    def reversed(self) -> Tour:
        """The same cells in the opposite order; on a directed graph that is seldom a tour."""
        return Tour._trusted(self.ground, self.squares[::-1], self.closed)

    def starting_at(self, start: Vertex | str) -> Tour:
        """A closed tour renumbered to begin at another cell.

        Parameters
        ----------
        start:
            The new first cell, or its name.

        Returns
        -------
        Tour
            The same closed tour.

        Raises
        ------
        BadInput
            If the tour is open or does not visit the cell.
        """
        if not self.closed:
            raise BadInput("only a closed tour can begin anywhere")
        cell = self.ground.cell(start)
        if cell not in self.step_of:
            raise BadInput(f"the tour does not visit {self.ground.name(cell)}")
        at = self.step_of[cell] - 1
        return Tour._trusted(self.ground, self.squares[at:] + self.squares[:at], self.closed)

    def transformed(self, symmetry: Symmetry) -> Tour:
        """The image of the tour under a symmetry of its board, labeling carried along.

        Parameters
        ----------
        symmetry:
            A symmetry of the board.

        Returns
        -------
        Tour
            The image.
        """
        return Tour.from_indices(self.ground, (symmetry(i) for i in self.indices), self.closed)

    def normalised(self) -> Tour:
        """The one labeling that stands for the undirected tour.

        Closed tours begin at the first cell of the board and go on to the smaller of its two neighbours; open
        ones begin at the smaller end. On a directed graph the direction stays. Two tours make the same moves
        exactly if this is equal.
        """
        least = least_labeling(self.indices, self.closed, self.ground.directed)
        return Tour.from_indices(self.ground, least, self.closed)

    def canonical(self, group: Iterable[Symmetry] | None = None) -> Tour:
        """The least normalised image under the board's symmetries (or those given).

        Two tours are the same up to symmetry, start and direction exactly if this is equal. Source: minimal
        images under a group, as in McKay's canonical forms. Cost: group order x cells.

        Parameters
        ----------
        group:
            The symmetries; all of the board if None.

        Returns
        -------
        Tour
            The least image.
        """
        group = symmetry_group(self.board) if group is None else group
        images = ([symmetry(i) for i in self.indices] for symmetry in group)
        least = min(least_labeling(image, self.closed, self.ground.directed) for image in images)
        return Tour.from_indices(self.ground, least, self.closed)

    def as_closed(self, closed: bool) -> Tour:
        """The same labeled cells as a closed or an open tour.

        Parameters
        ----------
        closed:
            Whether the tour is closed.

        Returns
        -------
        Tour
            The tour.
        """
        if closed == self.closed:
            return self
        tour = object.__new__(Tour)
        tour.__dict__.update(ground=self.ground, closed=closed)
        for name in ("squares", "places", "_steps"):
            if name in self.__dict__:
                tour.__dict__[name] = self.__dict__[name]
        return tour

    def stabiliser(self, group: Iterable[Symmetry] | None = None) -> tuple[Symmetry, ...]:
        """The symmetries of the board that leave the undirected tour as it is.

        Parameters
        ----------
        group:
            The symmetries to try; all of the board if None.

        Returns
        -------
        tuple[Symmetry, ...]
            Those of them that leave the tour as it is.
        """
        group = symmetry_group(self.board) if group is None else group
        kind = self.closed, self.ground.directed
        own = least_labeling(self.indices, *kind)
        return tuple(s for s in group if least_labeling([s(i) for i in self.indices], *kind) == own)

    # -- words ------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        names = self.names()
        split = "" if '"' in names else ".split()"
        return f"Tour.from_names({self.ground!r}, {names!r}{split}, closed={self.closed})"

    def __str__(self) -> str:
        return self.grid() if isinstance(self.ground, Board) else self.names()

    def grid(self) -> str:
        """Step numbers as a grid, ``.`` for cells that are not there or not visited.

        Examples
        --------
        >>> print(Tour.from_names(Board.parse("3x4"), "a3 c2 a1").grid())
        1 . . .
        . . 2 .
        3 . . .
        """
        width = len(str(len(self)))
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
            "squares": [self.ground.names[place] for place in self.indices]
            if bare
            else list(map(list, self.squares)),
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

        Returns
        -------
        Any
            The axes.
        """
        return renderer().plot(self, axes, **style)

    def save(self, path: str | PathLike[str], **style: Any) -> None:
        """Write the tour to a file, in the format of its suffix.

        Parameters
        ----------
        path:
            The file: ``.svg``, ``.png``, ``.pdf``, ``.gif``, ``.html`` (the player) ... are pictures;
            ``.txt``, ``.json``, ``.csv``, ``.npy``, ``.tour`` are read back by :func:`ktsolve.read_tour`.
        **style:
            Of a picture, as for :meth:`svg`.

        Raises
        ------
        BadInput
            For another suffix, with those that there are.
        """
        renderer().save(self, path, **style)

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
        >>> from ktsolve.graphs.board import Board
        >>> tour = Tour.from_names(Board.parse("3x4"), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
        >>> tour.play()
        <player of tour of 3x4: show it in a notebook, or write .page to a file>
        """
        return renderer().play(self, title=title, step=step, height=height)


def least_labeling(indices: Sequence[int], closed: bool, directed: bool) -> tuple[int, ...]:
    """The labeling, as places of cells, that stands for an undirected tour (:meth:`Tour.normalised`)."""
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


def difference(first: Tour, second: Tour) -> int:
    """The number of moves of one tour that the other does not make, independent of step numbers.

    It is symmetric if both tours are closed or both are open: then they have equally many moves.

    >>> from ktsolve.graphs.board import Board
    >>> board = Board.parse("3x4")
    >>> tour = Tour.from_names(board, "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1".split())
    >>> other = Tour.from_names(board, "a3 c2 a1 b3 d2 b1 d1 b2 d3 c1 a2 c3".split())
    >>> difference(tour, tour.reversed()), difference(tour, other)
    (0, 1)
    """
    return len(first.moves - second.moves)


def least_difference(tours: Sequence[Tour]) -> int:
    """The difference of the two tours that are closest; 0 if there are fewer than two. Quadratic in tours."""
    return min((difference(a, b) for a, b in combinations(tours, 2)), default=0)
