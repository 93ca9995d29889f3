"""Conditions on a tour that are objects of their own: what each means, and how a tour is judged by it.

A condition that speaks of step numbers is *numbered*: whether a tour satisfies it depends on where the
numbering begins and which way it runs. The others depend on the moves made only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

from ktsolve.errors import BadInput
from ktsolve.ground.board import Board
from ktsolve.ground.notation import Cell
from ktsolve.ground.symmetry import Symmetry
from ktsolve.ground.tour import Fault, Tour
from ktsolve.problem.statistic import Quantity

__all__ = ["Bound", "CellSum", "Condition", "Order", "StepRange"]

CellMap = Callable[[Cell], Cell]


class Condition(ABC):
    """One condition.

    Attributes
    ----------
    feature:
        Its name among :data:`ktsolve.problem.problem.FEATURES`.
    key:
        The option, and the key of an instance file, that states it.
    numbered:
        Whether it speaks of step numbers.
    """

    feature: ClassVar[str]
    numbered: ClassVar[bool] = True

    @property
    @abstractmethod
    def key(self) -> str:
        """The option and the key of an instance file that state it."""

    @abstractmethod
    def validate(self, board: Board) -> None:
        """Raise BadInput if it makes no sense on this board."""

    @abstractmethod
    def fault(self, tour: Tour) -> Fault | None:
        """The first reason why a valid tour does not satisfy it, or None."""

    @abstractmethod
    def text(self, board: Board) -> str:
        """What the option states, as it is read."""

    @abstractmethod
    def moved(self, board: Board, symmetry: Symmetry) -> Condition | None:
        """The condition that the image of a tour satisfies; None if there is none of this kind."""

    def refuted(self, board: Board, closed: bool) -> str | None:
        """Why no tour of the board satisfies it, if arithmetic alone tells."""
        return None


def cell_map(board: Board, symmetry: Symmetry) -> CellMap:
    return lambda cell: board.cells[symmetry(board.index[cell])]


def check_cells(board: Board, cells: tuple[Cell, ...] | frozenset[Cell]) -> None:
    for cell in cells:
        board.cell(cell)


@dataclass(frozen=True)
class StepRange(Condition):
    """A cell is visited at a step from ``least`` to ``most``."""

    feature: ClassVar[str] = "ranges"
    key: ClassVar[str] = "range"
    cell: Cell
    least: int
    most: int

    def validate(self, board: Board) -> None:
        """The cell must be there, and some step must be left."""
        check_cells(board, (self.cell,))
        if not 1 <= self.least <= self.most <= len(board):
            raise BadInput(
                f"{board.name(self.cell)} cannot be at a step from {self.least} to {self.most}: "
                f"the steps of the tour are 1 to {len(board)}"
            )

    def fault(self, tour: Tour) -> Fault | None:
        """Is the cell's step in the range?"""
        step = tour.step_of[self.cell]
        if self.least <= step <= self.most:
            return None
        name = tour.board.name(self.cell)
        return Fault(step, f"{name} is at step {step}, not at one from {self.least} to {self.most}")

    def text(self, board: Board) -> str:
        """``c3=5..10``."""
        return f"{board.name(self.cell)}={self.least}..{self.most}"

    def moved(self, board: Board, symmetry: Symmetry) -> Condition:
        """The cell goes along."""
        return replace(self, cell=cell_map(board, symmetry)(self.cell))


@dataclass(frozen=True)
class Order(Condition):
    """Cells are visited in this order, one before the next, others in between."""

    feature: ClassVar[str] = "order"
    key: ClassVar[str] = "order"
    cells: tuple[Cell, ...]

    def validate(self, board: Board) -> None:
        """At least two different cells."""
        check_cells(board, self.cells)
        if len(self.cells) < 2:
            raise BadInput("an order needs at least two cells, such as a1,c3")
        if len(set(self.cells)) < len(self.cells):
            raise BadInput(f"an order names each cell once, not as in {self.text(board)}")

    def fault(self, tour: Tour) -> Fault | None:
        """Are the steps increasing?"""
        steps = [tour.step_of[cell] for cell in self.cells]
        for at, (earlier, later) in enumerate(pairwise(steps)):
            if earlier > later:
                first, second = (tour.board.name(cell) for cell in self.cells[at : at + 2])
                return Fault(later, f"{first} (step {earlier}) is not before {second} (step {later})")
        return None

    def text(self, board: Board) -> str:
        """``a1,c3``."""
        return ",".join(board.name(cell) for cell in self.cells)

    def moved(self, board: Board, symmetry: Symmetry) -> Condition:
        """The cells go along."""
        return Order(tuple(map(cell_map(board, symmetry), self.cells)))


@dataclass(frozen=True)
class CellSum(Condition):
    """The step numbers of some cells add up to a total."""

    feature: ClassVar[str] = "sums"
    key: ClassVar[str] = "sum"
    cells: frozenset[Cell]
    total: int

    def validate(self, board: Board) -> None:
        """At least one cell."""
        check_cells(board, self.cells)
        if not self.cells:
            raise BadInput("a sum needs at least one cell")

    def fault(self, tour: Tour) -> Fault | None:
        """Do they add up?"""
        found = sum(tour.step_of[cell] for cell in self.cells)
        if found == self.total:
            return None
        return Fault(0, f"{self._named(tour.board)} add up to {found}, not {self.total}")

    def _named(self, board: Board) -> str:
        names = [board.name(cell) for cell in sorted(self.cells)]
        return " ".join(names) if len(names) <= 8 else f"the {len(names)} cells {' '.join(names[:3])} ..."

    def text(self, board: Board) -> str:
        """``a1,b1=30``."""
        return ",".join(board.name(cell) for cell in sorted(self.cells)) + f"={self.total}"

    def moved(self, board: Board, symmetry: Symmetry) -> Condition:
        """The cells go along."""
        return replace(self, cells=frozenset(map(cell_map(board, symmetry), self.cells)))

    def refuted(self, board: Board, closed: bool) -> str | None:
        """Different steps have a least and a greatest sum."""
        number, n = len(self.cells), len(board)
        least, most = number * (number + 1) // 2, number * (2 * n - number + 1) // 2
        if least <= self.total <= most:
            return None
        return f"{number} of {n} steps add up to {least} at least and {most} at most, not to {self.total}"


@dataclass(frozen=True)
class Bound(Condition):
    """A quantity lies between ``least`` and ``most``; None is no bound.

    >>> board = Board.parse("6x6")
    >>> Bound(Quantity("obtuse"), most=3).text(board), Bound(Quantity("turns"), least=30).key
    ('obtuse=3', 'least')
    """

    feature: ClassVar[str] = "bounds"
    numbered: ClassVar[bool] = False
    quantity: Quantity
    least: int | None = None
    most: int | None = None

    @property
    def key(self) -> str:
        """``least``, ``most`` or, for an exact value, ``exactly``."""
        return "most" if self.least is None else "least" if self.most is None else "exactly"

    def validate(self, board: Board) -> None:
        """One bound, or two that are equal, and a quantity that the board has."""
        Quantity.made(self.quantity.name, board, self.quantity.moves)
        if self.least is None and self.most is None:
            raise BadInput(f"a bound on {self.quantity.text(board)} needs least or most")
        if self.least is not None and self.most is not None and self.least != self.most:
            raise BadInput(
                f"{self.quantity.text(board)} from {self.least} to {self.most}: give one bound with least, "
                "one with most"
            )

    def fault(self, tour: Tour) -> Fault | None:
        """Does the quantity keep to it?"""
        value = self.quantity.of(tour)
        name = self.quantity.text(tour.board)
        if self.least is not None and value < self.least:
            return Fault(0, f"{name}: {value}, fewer than {self.least}")
        if self.most is not None and value > self.most:
            return Fault(0, f"{name}: {value}, more than {self.most}")
        return None

    def text(self, board: Board) -> str:
        """``obtuse=3``."""
        return f"{self.quantity.text(board)}={self.least if self.most is None else self.most}"

    def moved(self, board: Board, symmetry: Symmetry) -> Condition:
        """Angles and crossings stay what they are; given moves go along."""
        there = cell_map(board, symmetry)
        moves = frozenset(board.move((there(a), there(b))) for a, b in self.quantity.moves)
        return replace(self, quantity=replace(self.quantity, moves=moves))

    def refuted(self, board: Board, closed: bool) -> str | None:
        """No quantity is negative, and a tour has only so many angles and moves."""
        name = self.quantity.text(board)
        if self.most is not None and self.most < 0:
            return f"{name} cannot be {self.most}: no quantity is below 0"
        greatest = self.quantity.greatest(board, closed)
        if self.least is not None and greatest is not None and self.least > greatest:
            return f"{name} cannot be {self.least}: it is {greatest} at most"
        return None
