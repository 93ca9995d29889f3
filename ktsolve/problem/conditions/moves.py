"""Conditions on moves: required and forbidden ones, and cells in one run, between which enough are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeVar

from ktsolve.base.errors import BadInput
from ktsolve.graphs.graph import Graph, Move, Vertex, components
from ktsolve.graphs.tour import Tour, Violation
from ktsolve.problem.conditions.condition import Condition, Contradiction, Key, Known, TourBooleans

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.graphs.tour_rows import TourRows

__all__ = ["Forbid", "Require", "Run"]

_Single = TypeVar("_Single", bound="_SingleMove")


@dataclass(frozen=True)
class _SingleMove(Condition):
    """A condition on one move, in either direction."""

    move: Move

    step_indexed: ClassVar[bool] = False
    theorem: ClassVar[str] = "required moves"

    @classmethod
    def parse(cls: type[_Single], key: str, text: str, ground: Graph) -> Iterator[_Single]:
        """``a1-b3``, or several moves of named cells: ``a1-b3 c1-d3``."""
        yield from (cls(ground.move(part)) for part in ground.split_list(text))

    def text(self, ground: Graph) -> str:
        return ground.move_name(self.move)

    def sort_key(self, ground: Graph) -> Move:
        return self.move


@dataclass(frozen=True)
class Require(_SingleMove):
    """The tour makes a move."""

    place = 20
    features: ClassVar = {"require": "required moves"}
    graph_features: ClassVar = frozenset(features)
    keys: ClassVar = (Key("require", "Move to make, such as a1-b3.", "MOVE", "a1-b3"),)

    def violation(self, tour: Tour) -> Violation | None:
        if tour.makes(self.move):
            return None
        return Violation(0, f"the required move {self.text(tour.ground)} is not made")

    def holds_in(self, rows: TourRows) -> NDArray[np.bool_]:
        return rows.makes(self.move)

    def simplified(self, known: Known) -> Iterable[Condition]:
        """It says nothing if every tour makes the move anyway."""
        return () if known.always[known.place(self.move)] else (self,)

    def state(self, booleans: TourBooleans) -> None:
        """One of its directions is taken."""
        booleans.model.clause(*booleans.made(self.move))


@dataclass(frozen=True)
class Forbid(_SingleMove):
    """The tour does not make a move."""

    place = 21
    features: ClassVar = {"forbid": "forbidden moves"}
    graph_features: ClassVar = frozenset(features)
    keys: ClassVar = (Key("forbid", "Move not to make.", "MOVE", "b1-d2"),)

    def violation(self, tour: Tour) -> Violation | None:
        if not tour.makes(self.move):
            return None
        step = min(tour.step_of[cell] for cell in self.move)
        return Violation(step, f"the forbidden move {self.text(tour.ground)} is made")

    def holds_in(self, rows: TourRows) -> NDArray[np.bool_]:
        return ~rows.makes(self.move)

    def simplified(self, known: Known) -> Iterable[Condition]:
        """It says nothing if no tour makes the move anyway."""
        return () if known.never[known.place(self.move)] else (self,)

    def state(self, booleans: TourBooleans) -> None:
        """No statement: a forbidden move does not have a Boolean."""


@dataclass(frozen=True)
class Run(Condition):
    """Cells are visited in one run; that of a closed tour may pass from the last step to the first.

    A tour visits a set of k cells in one run exactly if it makes at least k - 1 moves between them.
    """

    cells: frozenset[Vertex]

    place = 74
    features: ClassVar = {"runs": "cells in one run"}
    keys: ClassVar = (Key("run", "Cells visited in one run: a1,b3,c1.", "CELLS", "a1,b3,c1,d3"),)
    step_indexed: ClassVar[bool] = False

    @classmethod
    def parse(cls, key: str, text: str, ground: Graph) -> Iterator[Run]:
        """``a1,b3,c1``, or ``a1:c2``."""
        yield cls(ground.read_cells(text))

    def text(self, ground: Graph) -> str:
        return ",".join(map(ground.name, sorted(self.cells)))

    def validate(self, ground: Graph) -> None:
        super().validate(ground)
        if len(self.cells) < 2:
            raise BadInput("a run needs at least two cells, such as a1,b3")

    def _inside(self, ground: Graph) -> Iterator[Move]:
        """The moves between the cells."""
        for cell in sorted(self.cells):
            yield from (
                (cell, other)
                for other in ground.neighbours[cell]
                if other in self.cells and (ground.directed or cell < other)
            )

    def violation(self, tour: Tour) -> Violation | None:
        made = sum(1 for move in self._inside(tour.ground) if move in tour.moves)
        if made >= len(self.cells) - 1:
            return None
        runs = len(self.cells) - made
        return Violation(0, f"the cells {self.text(tour.ground)} are visited in {runs} runs, not in one")

    def holds_in(self, rows: TourRows) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = rows.uses(self._inside(rows.ground)) >= len(self.cells) - 1
        return found

    def refuted(self, ground: Graph, closed: bool) -> str | None:
        """Moves between the cells must connect them."""
        around = {
            cell: self.cells.intersection(ground.neighbours[cell] + ground.predecessors[cell])
            for cell in sorted(self.cells)
        }
        reached = next(components(around))
        if reached == self.cells:
            return None
        first, apart = ground.name(min(self.cells)), ground.name(min(self.cells - reached))
        return f"no moves between the cells {self.text(ground)} lead from {first} to {apart}"

    def simplified(self, known: Known) -> Iterable[Condition]:
        """It says nothing if enough moves are known; if no move can be left out, all are required."""
        ground, needed = known.ground, len(self.cells) - 1
        others = len(ground) - len(self.cells)
        if others == 0 or (known.closed and others == 1):
            return ()
        inside = [(move, known.place(move)) for move in self._inside(ground)]
        usable = [move for move, place in inside if not known.excluded[place]]
        if sum(bool(known.required[place]) for _, place in inside) >= needed:
            return ()
        if len(usable) < needed:
            raise Contradiction(f"run {self.text(ground)}: {len(usable)} moves between the cells are left")
        return map(Require, usable) if len(usable) == needed else (self,)

    def state(self, booleans: TourBooleans) -> None:
        """One linear constraint on the moves between the cells."""
        inside = [literal for move in self._inside(booleans.ground) for literal in booleans.made(move)]
        booleans.model.linear(dict.fromkeys(inside, 1), least=len(self.cells) - 1)
