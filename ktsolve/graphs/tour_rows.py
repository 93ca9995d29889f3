"""Many tours of one ground as rows of an array, checked and measured together without an object for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from ktsolve.graphs.board import Board, needs_board
from ktsolve.graphs.geometry import ANGLES, angle, crossing_pairs, needs_plane
from ktsolve.graphs.graph import Graph, Move
from ktsolve.graphs.tour import Tour
from ktsolve.graphs.tour_arrays import TABLED, IsMove, move_test

__all__ = ["TourRows"]


class TourRows:
    """Sequences of cell numbers, a row each, meant to be open or closed tours of a board or graph.

    ``is_move`` is the :func:`move_test` of the ground; it is made here if it is not given.

    >>> board = Board.parse("3x4")
    >>> tour = Tour.from_names(board, "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> rows = TourRows(board, np.array([tour.indices, range(12)]), closed=False)
    >>> rows.valid.tolist(), rows.makes(board.move("a3-c2")).tolist()
    ([True, False], [True, False])
    """

    def __init__(
        self, ground: Graph, rows: NDArray[np.integer], *, closed: bool, is_move: IsMove | None = None
    ) -> None:
        self.ground, self.closed = ground, closed
        self.rows: NDArray[np.int64] = np.asarray(rows, dtype=np.int64)
        if is_move is not None:
            self.__dict__["_is_move"] = is_move

    def __len__(self) -> int:
        return len(self.rows)

    def tours(self) -> Iterator[Tour]:
        """The tours as objects."""
        for row in self.rows.tolist():
            yield Tour.from_indices(self.ground, row, self.closed)

    @cached_property
    def _is_move(self) -> IsMove:
        return move_test(self.ground)

    @cached_property
    def _heads(self) -> NDArray[np.int64]:
        return np.roll(self.rows, -1, axis=1) if self._returns else self.rows[:, 1:]

    @cached_property
    def _tails(self) -> NDArray[np.int64]:
        return self.rows if self._returns else self.rows[:, :-1]

    @property
    def _returns(self) -> bool:
        return self.closed and self.rows.shape[1] > 2

    @cached_property
    def valid(self) -> NDArray[np.bool_]:
        """Of each whether it is a tour: every cell once, every step a move, and the return if closed.

        Linear.
        """
        n = len(self.ground)
        number, length = self.rows.shape
        if length != n or (self.closed and n < 3):
            return np.zeros(number, dtype=np.bool_)
        on_ground = ((self.rows >= 0) & (self.rows < n)).all(axis=1)
        if not on_ground.all():
            valid = np.zeros(number, dtype=np.bool_)
            some = TourRows(self.ground, self.rows[on_ground], closed=self.closed, is_move=self._is_move)
            valid[on_ground] = some.valid
            return valid
        seen = np.zeros(number * n, dtype=np.bool_)
        seen[(np.arange(number, dtype=np.int64) * n)[:, None] + self.rows] = True
        every_cell = seen.reshape(number, n).all(axis=1)
        moves = self._is_move(self._tails, self._heads).all(axis=1)
        both: NDArray[np.bool_] = np.logical_and(every_cell, moves)
        return both

    @cached_property
    def normalised(self) -> NDArray[np.int64]:
        """Of each the one labeling that stands for the undirected tour, as :meth:`Tour.normalised`.

        >>> rows = np.array([[2, 0, 1, 3], [0, 2, 3, 1]])
        >>> TourRows(Board.parse("2x2", leaper=(0, 1)), rows, closed=True).normalised.tolist()
        [[0, 1, 3, 2], [0, 1, 3, 2]]
        """
        rows, n = self.rows, self.rows.shape[1]
        if self.closed and n:
            places = rows.argmin(axis=1)[:, None] + np.arange(n)
            rows = np.take_along_axis(rows, places % n, axis=1)
        if self.ground.directed or n < 2 or (self.closed and n < 3):
            return rows
        rows = rows.copy()
        turned = rows[:, -1] < rows[:, 1 if self.closed else 0]
        rows[turned] = np.roll(rows[turned, ::-1], 1, axis=1) if self.closed else rows[turned, ::-1]
        return rows

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """A number for each move made; undirected unless the graph is directed."""
        return self._keys_of(self._tails, self._heads)

    def _keys_of(self, tails: NDArray[np.int64], heads: NDArray[np.int64]) -> NDArray[np.int64]:
        n = len(self.ground)
        if self.ground.directed:
            return tails * n + heads
        return np.minimum(tails, heads) * n + np.maximum(tails, heads)

    def makes(self, move: Move) -> NDArray[np.bool_]:
        """Of each tour whether it makes a move."""
        tail, head = (np.array(self.ground.index[cell], dtype=np.int64) for cell in move)
        made: NDArray[np.bool_] = (self.keys == self._keys_of(tail, head)).any(axis=1)
        return made

    def invariant_under(self, images: Sequence[int]) -> NDArray[np.bool_]:
        """Of each tour whether a symmetry, given by the image of each cell, maps its moves to its moves."""
        image = np.asarray(images, dtype=np.int64)
        moved = np.sort(self._keys_of(image[self._tails], image[self._heads]), axis=1)
        same: NDArray[np.bool_] = (moved == np.sort(self.keys, axis=1)).all(axis=1)
        return same

    def uses(self, moves: Iterable[Move]) -> NDArray[np.int64]:
        """How many moves of a set each tour makes, in either direction unless the graph is directed."""
        index = self.ground.index
        pairs = np.array([(index[a], index[b]) for a, b in moves], dtype=np.int64).reshape(-1, 2)
        wanted = np.unique(self._keys_of(pairs[:, 0], pairs[:, 1]))
        if len(self.ground) > TABLED:
            used = np.isin(self.keys, wanted)
        else:
            flags = np.zeros(len(self.ground) ** 2, dtype=np.bool_)
            flags[wanted] = True
            used = flags[self.keys]
        found: NDArray[np.int64] = used.sum(axis=1, dtype=np.int64)
        return found

    def weight(self) -> NDArray[np.int64]:
        """The sum of the weights of the edges of each tour."""
        assert self.ground.weights is not None
        keys, inverse = np.unique(self.keys, return_inverse=True)
        n = len(self.ground)
        weights = self.ground.weights[self.ground.places_of(np.stack([keys // n, keys % n], axis=1))]
        found: NDArray[np.int64] = weights[inverse.reshape(self.keys.shape)].sum(axis=1, dtype=np.int64)
        return found

    def step_of(self, cell: int) -> NDArray[np.int64]:
        """The step, from 1, at which each tour is at a cell, by number; 0 if it never is."""
        here = self.rows == cell
        step: NDArray[np.int64] = np.where(here.any(axis=1), here.argmax(axis=1) + 1, 0)
        return step

    @cached_property
    def steps(self) -> NDArray[np.int64]:
        """For each tour the step of each cell, from 1; the rows must be valid."""
        found = np.empty_like(self.rows)
        np.put_along_axis(found, self.rows, np.arange(1, self.rows.shape[1] + 1)[None, :], axis=1)
        return found

    def adjacent(self, step: int, after: int) -> NDArray[np.bool_]:
        """Of each tour whether a move leads from its cell of one step to that of another."""
        return self._is_move(self.rows[:, step - 1], self.rows[:, after - 1])

    # -- the drawn tours ----------------------------------------------------------------------------------

    @cached_property
    def angles(self) -> dict[str, NDArray[np.int64]]:
        """How many angles of each kind each tour makes; as :func:`ktsolve.graphs.geometry.angles`.

        Raises BadInput on wrapped boards and bare graphs.
        """
        board = needs_board(self.ground, "an angle")
        needs_plane(board)
        row, column = board.coordinates
        wide = 2 * board.columns
        shift = (row[self._heads] - row[self._tails]) * wide + column[self._heads] - column[self._tails]
        lowest = int(shift.min(initial=0))
        present = np.zeros(int(shift.max(initial=0)) - lowest + 1, dtype=np.bool_)
        present[shift - lowest] = True
        shifts = np.flatnonzero(present) + lowest
        number = (np.cumsum(present) - 1)[shift - lowest]
        # From a shift back to rows and columns: columns are less than half a row of shifts apart.
        down = (shifts + board.columns - 1) // wide
        kinds = _angle_table(tuple(zip(down.tolist(), (shifts - down * wide).tolist(), strict=True)))
        following = np.roll(number, -1, axis=1) if self._returns else number[:, 1:]
        before = number if self._returns else number[:, :-1]
        found = kinds[before, following]
        return {kind: (found == k).sum(axis=1, dtype=np.int64) for k, kind in enumerate(ANGLES)}

    @cached_property
    def crossings(self) -> NDArray[np.int64]:
        """How many pairs of moves of each tour cross; as :func:`ktsolve.graphs.geometry.crossings`.

        For each move a line of flags says which tours make it. The tours' flags of the moves that cross a
        move are added, and count where the move is made: as many additions of lines as pairs of moves cross.
        A million tours of 8x8 take a second; the product with a matrix of crossings takes two to four.
        Raises BadInput on wrapped boards and bare graphs.
        """
        board = needs_board(self.ground, "a crossing")
        needs_plane(board)
        number = len(self)
        keys = _present(self.keys, len(board) ** 2)
        place = np.searchsorted(keys, self.keys) if len(board) > TABLED else _numbered(keys, self.keys)
        made = np.zeros((len(keys), number), dtype=np.uint8)
        made[place, np.arange(number)[:, None]] = 1
        total = np.zeros(number, dtype=np.int64)
        for one, others in _crossing_lists(board, keys.tobytes()):
            total += made[one] * made[others].sum(axis=0, dtype=np.uint16)
        return total


@lru_cache(maxsize=64)
def _angle_table(offsets: tuple[tuple[int, int], ...]) -> NDArray[np.int8]:
    """The kind of the angle, by its place in ANGLES, between a move by each offset and one by each other."""
    table = [[ANGLES.index(angle((-a, -b), (0, 0), after)) for after in offsets] for a, b in offsets]
    return np.array(table, dtype=np.int8).reshape(len(offsets), len(offsets))


def _present(keys: NDArray[np.int64], below: int) -> NDArray[np.int64]:
    """The different keys, sorted."""
    if below > TABLED**2:
        return np.unique(keys)
    flags = np.zeros(below, dtype=np.bool_)
    flags[keys] = True
    return np.flatnonzero(flags)


def _numbered(keys: NDArray[np.int64], given: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of each given key among sorted keys."""
    table = np.zeros(int(keys.max(initial=0)) + 1, dtype=np.int64)
    table[keys] = np.arange(len(keys))
    places: NDArray[np.int64] = table[given]
    return places


@lru_cache(maxsize=8)
def _crossing_lists(board: Board, keys: bytes) -> list[tuple[int, list[int]]]:
    """For each of some moves, by their keys, the later ones that it crosses, by place among them."""
    n, cells = len(board), board.cells
    ends = [divmod(key, n) for key in np.frombuffer(keys, dtype=np.int64).tolist()]
    place = {board.move((cells[a], cells[b])): i for i, (a, b) in enumerate(ends)}
    lists: dict[int, list[int]] = {}
    for first, second in crossing_pairs(place):
        one, other = sorted((place[first], place[second]))
        lists.setdefault(one, []).append(other)
    return list(lists.items())
