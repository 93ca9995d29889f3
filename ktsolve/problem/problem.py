"""Tour problems: questions about tours, the check of an answer, and the labelings of a tour that answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour, Violation
from ktsolve.problem.question import CONDITIONS, FEATURES, TourQuestion
from ktsolve.problem.refutations.obstruction import Obstruction, find_obstruction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.graphs.move_test import IsMove

__all__ = ["CONDITIONS", "FEATURES", "TourProblem"]

_RIGHT = "give a TourProblem, a board such as '8x8', or a graph"

_CHECKED_AT_ONCE = 1 << 20
"""Cells of tours that are checked together."""


class TourProblem(TourQuestion):
    """A question about tours. Frozen and hashable; equal questions are equal.

    Everything asked of a tour is a condition; the keyword arguments from ``start`` to ``ends`` are a short
    way to state the most common ones.

    Parameters
    ----------
    board:
        A :class:`Board`, its size such as ``"6x6"``, a bare :class:`~ktsolve.graphs.graph.Graph`, or its name
        such as ``"graph:petersen"`` (see :func:`~ktsolve.graphs.named_graphs.named_graph`).
    closed:
        Ask for a closed tour (a Hamiltonian cycle) or an open one (a Hamiltonian path; those whose ends are
        a move apart included).
    start, end:
        First and last cell, or a list of cells of which one is the first or the last. A closed tour may
        begin anywhere, so ``start`` only fixes the numbering, and ``end`` is the cell from which it returns.
    require, forbid:
        Moves that the tour must make, in either direction, or must not make.
    at:
        Cells at given steps, counted from 1: ``{5: "c3"}``.
    symmetry:
        ``rot180``, ``rot90``, ``flip-h`` or ``flip-v``: the moves made, as a set, are invariant.
    structured:
        Whether all four corners must be structured (see :func:`~ktsolve.graphs.figures.corner_moves`).
    corners:
        Corners that must be structured, of ``tl``, ``tr``, ``bl``, ``br``.
    magic:
        Kinds of lines (``rows``, ``columns``, ``diagonals``) in each of which all lines have equal sums of
        step numbers; the diagonals' equal those of the rows, on square boards.
    starts, ends:
        Cells of which one must be the first, or the last; empty for any. A single one is ``start`` or
        ``end``.
    conditions:
        Conditions as objects (see :mod:`ktsolve.problem.conditions`).
    **texts:
        ``without``, ``leaper`` and ``wrap``, as for :meth:`Board.parse`, where the board is a size.
        Other conditions by the name that they have as options and in instance files, as text or a list of
        texts, or a dictionary for what has an equals sign: ``order="a1,f6"``, ``most={"obtuse": 9}``,
        ``range={"c3": (5, 10)}``.

    Raises
    ------
    BadInput
        For anything that makes no sense on this board, with what would.

    Examples
    --------
    >>> problem = TourProblem(board="3x10", closed=True, require=["a1-b3"])
    >>> problem
    TourProblem(board=Board.parse('3x10'), closed=True, require=['a1-b3'])
    >>> problem.obstruction() is None
    True
    >>> TourProblem("6x6", order="a1,f6", most={"obtuse": 9}).listed_conditions[0]
    Order(cells=((5, 0), (0, 5)))
    >>> print(TourProblem(board="7x7", closed=True).obstruction().reason)
    a closed tour alternates between the two colours, but the board has 25 cells of one and 24 of the other
    """

    @classmethod
    def of(cls, given: TourProblem | Graph | str | Any, **stated: Any) -> TourProblem:
        """The problem that a task is given: as one, or as its board with conditions.

        Parameters
        ----------
        given:
            A problem; or a board, its size such as ``"8x8"``, a graph, its name such as ``"graph:petersen"``,
            or a graph as :meth:`Graph.of` takes it, of networkx for example.
        **stated:
            Where no problem is given: ``closed``, by default true, and conditions, as for the constructor.

        Raises
        ------
        BadInput
            For anything else, with what would be right.

        Examples
        --------
        >>> TourProblem.of("6x6", start="a1")
        TourProblem(board=Board.parse('6x6'), closed=True, start='a1')
        """
        if isinstance(given, TourProblem):
            if stated:
                raise BadInput(
                    "a TourProblem states closed and all conditions: give them there, or use replace(...)"
                )
            return given
        if isinstance(given, str | Graph) or (
            isinstance(given, tuple) and list(map(type, given)) == [int, int]
        ):
            return cls(given, **stated)
        from ktsolve.graphs.graph_input import is_matrix, is_networkx  # with NumPy

        if not isinstance(given, Iterable) and not is_networkx(given) and not is_matrix(given):
            right = "ktsolve.solve(model) solves it" if type(given).__name__ == "Model" else _RIGHT
            raise BadInput(f"{_kind(given)} is no problem: {right}")
        if isinstance(given, Tour):
            raise BadInput("a tour is no problem: give its board, or TourProblem(tour.board).check(tour)")
        return cls(Graph.of(given), **stated)

    # -- checking ---------------------------------------------------------------------------------------

    def check(self, tour: Tour) -> Violation | None:
        """Check a tour as numbered: None if it answers the question, else the first violation.

        Shares no code with any engine. A tour marked open answers a closed problem if it closes, and the
        other way round. Complexity: linear in cells and conditions.
        """
        if tour.ground != self.ground:
            return Violation(0, f"the tour is on {tour.ground}, the problem on {self.ground}")
        tour = tour.as_closed(self.closed)
        if tour.violation is not None:
            return tour.violation
        found = (each.violation(tour) for each in self.listed_conditions)
        return next((violation for violation in found if violation is not None), None)

    def check_rows(self, rows: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Of each of many tours, rows of cell numbers, whether it answers the question as numbered.

        As :meth:`check`, in whole arrays for the conditions that engines take without a model: 100,000 tours
        of 8x8 take a fraction of a second.
        """
        import numpy as np

        from ktsolve.graphs.tour_rows import TourRows

        answers = np.zeros(len(rows), dtype=np.bool_)
        at_once = max(1, _CHECKED_AT_ONCE // max(1, len(self.ground)))
        for first in range(0, len(rows), at_once):
            given = rows[first : first + at_once]
            tours = TourRows(self.ground, given, closed=self.closed, is_move=self._is_move)
            valid = tours.valid
            if self.conditions and not valid.all():
                tours = TourRows(self.ground, given[valid], closed=self.closed, is_move=self._is_move)
            held = np.ones(int(valid.sum()), dtype=np.bool_)
            for condition in self.listed_conditions:
                held &= condition.holds_in(tours)
            answers[first : first + at_once][valid] = held
        return answers

    @cached_property
    def _is_move(self) -> IsMove:
        from ktsolve.graphs.move_test import move_test

        return move_test(self.ground)

    def obstruction(self) -> Obstruction | None:
        """Why arithmetic alone shows that there is no such tour, or None if it does not."""
        return find_obstruction(self)

    def labelings(self, tour: Tour) -> Iterator[Tour]:
        """All labelings of an undirected tour that answer the question, one per direction at most.

        For a closed tour the first cell is free unless the problem fixes it; of several that fit in one
        direction the first found is given.
        """
        whole = tour.as_closed(self.closed)
        one_way = len(whole) == 1 or self.ground.directed
        directions = [whole] if one_way else [whole, whole.reversed()]
        for direction in directions:
            for candidate in self._rotations(direction):
                if self.check(candidate) is None:
                    yield candidate
                    break

    def labeled_to_fit(self, tour: Tour) -> Tour:
        """An undirected tour numbered to answer the question, or as it is if no numbering does.

        A question that fixes no end and no step takes any numbering; then nothing is checked here.
        """
        fixed = self.step_indexed or self.starts or self.ends or {self.start, self.end} != {None}
        return next(self.labelings(tour), tour) if fixed else tour

    def _rotations(self, tour: Tour) -> Iterator[Tour]:
        if not self.closed:
            yield tour
        elif self.known_steps:
            step, cell = self.known_steps[0]
            if cell not in tour.step_of:
                return
            at = tour.step_of[cell] - step
            yield tour.starting_at(tour.squares[at % len(tour)])
        elif self.step_indexed or self.starts or self.ends:
            for cell in tour.squares:
                if not self.starts or cell in self.starts:
                    yield tour.starting_at(cell)
        else:
            yield tour


def _kind(given: object) -> str:
    """What a value is, in a message: numbers as they are, other values by their type."""
    if isinstance(given, int | float) or given is None:
        return shown(given)
    return f"a value of type {type(given).__name__}"
