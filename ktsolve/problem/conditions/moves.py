"""Conditions on single moves: required and forbidden ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeVar

from ktsolve.graphs.graph import Graph, Move
from ktsolve.graphs.tour import Tour, Violation
from ktsolve.problem.conditions.booleans import TourBooleans
from ktsolve.problem.conditions.condition import Condition, Key, Known

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.graphs.tour_rows import TourRows

__all__ = ["Forbid", "Require"]

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
