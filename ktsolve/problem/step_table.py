"""The table of possible steps: for each step the vertices that may have it, narrowed until nothing changes.

A vertex can have a step only if one of its neighbours can have the step before, and one the step after. This
gives distances and colours: with a given start, the vertices of step 7 are those that six moves reach.
A step that one vertex alone can have is closed to other vertices, and the other way round. A required move
puts its ends at consecutive steps.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

import numpy as np
from numpy.typing import NDArray

from ktsolve.graphs.graph import Graph

__all__ = ["StepTable"]


class StepTable:
    """Which vertex can have which step: ``possible[t, v]`` says whether vertex number v can have step t + 1.

    In a closed tour the last step is followed by the first. ``excluded`` and ``required`` say for each edge
    of the ground whether no tour makes it, and whether every tour does.

    >>> from ktsolve.graphs.board import Board
    >>> board = Board.parse("3x4")
    >>> none = np.zeros(len(board.edges), dtype=np.bool_)
    >>> table = StepTable(board, closed=False, excluded=none, required=none)
    >>> table.only(1, [board.index[board.cell("a1")]])
    >>> table.settle()
    True
    >>> board.cells_of(np.flatnonzero(table.possible[1]).tolist()), table.window(0)
    (((0, 1), (1, 2)), (3, 11))
    """

    def __init__(
        self, ground: Graph, *, closed: bool, excluded: NDArray[np.bool_], required: NDArray[np.bool_]
    ) -> None:
        n = len(ground)
        self.ground, self.closed = ground, closed
        self.possible = np.ones((n, n), dtype=np.bool_)
        self._edges = ground.edges
        kept = ground.edges[~excluded]
        self._tails, self._heads = kept[:, 0], kept[:, 1]
        if not ground.directed:
            self._tails, self._heads = np.concatenate([kept, kept[:, ::-1]]).T
        self._required: list[tuple[int, int]] = [(u, v) for u, v in ground.edges[required].tolist()]

    def copy(self) -> StepTable:
        """A table that changes by itself."""
        other = copy(self)
        other.possible = self.possible.copy()
        return other

    def only(self, step: int, vertices: Iterable[int]) -> None:
        """Leave a step to some vertices."""
        kept = np.zeros(len(self.ground), dtype=np.bool_)
        kept[list(vertices)] = True
        self.possible[step - 1] &= kept

    def within(self, vertex: int, least: int, most: int) -> None:
        """Leave a range of steps to a vertex."""
        self.possible[: max(least - 1, 0), vertex] = False
        self.possible[max(most, 0) :, vertex] = False

    def window(self, vertex: int) -> tuple[int, int]:
        """The first and the last step that a vertex can have; (1, 0) if there is none."""
        steps = np.flatnonzero(self.possible[:, vertex])
        return (int(steps[0]) + 1, int(steps[-1]) + 1) if len(steps) else (1, 0)

    def singles(self) -> dict[int, int]:
        """The steps that one vertex alone can have, each with that vertex."""
        steps = np.flatnonzero(self.possible.sum(axis=1) == 1)
        return {int(step) + 1: int(self.possible[step].argmax()) for step in steps}

    def settle(self) -> bool:
        """Narrow the table until nothing changes; False if a step or a vertex has nothing left.

        Each round takes O(n m) for n vertices and m edges. Few rounds change anything.
        """
        left = -1
        while (now := int(self.possible.sum())) != left:
            left = now
            self._spread(self._tails, self._heads, forwards=True)
            self._spread(self._heads, self._tails, forwards=False)
            self._follow_required()
            for table in (self.possible, self.possible.T):
                rows = np.flatnonzero(table.sum(axis=1) == 1)
                columns = table[rows].argmax(axis=1)
                if len(set(columns.tolist())) < len(columns):
                    return False
                table[:, columns] = False
                table[rows, columns] = True
            if not (self.possible.any(axis=0).all() and self.possible.any(axis=1).all()):
                return False
        return True

    def _spread(self, tails: NDArray[np.int32], heads: NDArray[np.int32], *, forwards: bool) -> None:
        """A step's vertices are heads of edges whose tails are vertices of the step before."""
        n, table = len(self.ground), self.possible
        order = range(n) if forwards else range(n - 1, -1, -1)
        before = order[-1] if self.closed else None
        for step in order:
            if before is not None:
                reached = np.zeros(n, dtype=np.bool_)
                reached[heads[table[before][tails]]] = True
                table[step] &= reached
            before = step

    def _follow_required(self) -> None:
        table = self.possible
        for u, v in self._required:
            if self.ground.directed:
                table[:, u] &= self._moved(table[:, v], -1)
                table[:, v] &= self._moved(table[:, u], 1)
            else:
                for one, other in ((u, v), (v, u)):
                    table[:, one] &= self._moved(table[:, other], -1) | self._moved(table[:, other], 1)

    def _moved(self, column: NDArray[np.bool_], by: int) -> NDArray[np.bool_]:
        """The steps that come a given distance after those of a column."""
        moved = np.roll(column, by)
        if not self.closed:
            moved[0 if by == 1 else -1] = False
        return moved

    def unused(self) -> NDArray[np.bool_]:
        """For each edge whether no two consecutive steps can be at its ends, in any direction allowed."""
        table = self.possible
        later = np.roll(table, -1, axis=0)
        if not self.closed:
            later[-1] = False
        u, v = self._edges[:, 0], self._edges[:, 1]
        used = (table[:, u] & later[:, v]).any(axis=0)
        if not self.ground.directed:
            used |= (table[:, v] & later[:, u]).any(axis=0)
        return np.logical_not(used)
