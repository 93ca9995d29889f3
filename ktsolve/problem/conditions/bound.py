"""Bounds on statistics of a tour: angles, turns, crossings, moves from a set, weights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from ktsolve.base.errors import BadInput
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.symmetry import Symmetry
from ktsolve.graphs.tour import Tour, Violation
from ktsolve.problem.conditions.condition import (
    Condition,
    Contradiction,
    Key,
    Known,
    TourBooleans,
    moved_move,
    number_in,
    split_text,
)
from ktsolve.problem.conditions.moves import Forbid, Require
from ktsolve.problem.statistics import Statistic

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.graphs.tour_rows import TourRows

__all__ = ["Bound"]


@dataclass(frozen=True)
class Bound(Condition):
    """A statistic lies between ``least`` and ``most``; None for no bound.

    >>> from ktsolve.graphs.board import Board
    >>> board = Board.parse("6x6")
    >>> Bound(Statistic("obtuse"), most=3).text(board), Bound(Statistic("turns"), least=30).key
    ('obtuse=3', 'least')
    """

    statistic: Statistic
    least: int | None = None
    most: int | None = None

    place = 80
    features: ClassVar = {"bounds": "bounds on angles, turns, crossings, moves or weights"}
    keys: ClassVar = (
        Key("least", "At least N of a statistic: turns=30.", "WHAT=N", "acute=5"),
        Key("most", "At most N: obtuse=9.", "WHAT=N", "turns=17"),
        Key("exactly", "Exactly N: moves:a1-b3,c1-d3=1.", "WHAT=N", "moves:a1-b3,c1-d3=1"),
    )
    step_indexed: ClassVar[bool] = False

    @property
    def key(self) -> str:
        """``least``, ``most`` or, for an exact value, ``exactly``."""
        return "most" if self.least is None else "least" if self.most is None else "exactly"

    def label(self, ground: Graph) -> str:
        return f"{self.key} {self.text(ground)}"

    @classmethod
    def parse(cls, key: str, text: str, ground: Graph) -> Iterator[Bound]:
        """``turns=20``."""
        example = "STATISTIC=NUMBER, such as turns=20"
        name, number = split_text(text, example)
        statistic = Statistic.parse(name, ground)
        sign = -1 if statistic.name == "weight" and number.startswith("-") else 1  # of weights below 0
        value = sign * number_in(number.removeprefix("-") if sign < 0 else number, text, example)
        yield cls(statistic, None if key == "most" else value, None if key == "least" else value)

    def text(self, ground: Graph) -> str:
        return f"{self.statistic.text(ground)}={self.least if self.most is None else self.most}"

    def on(self, ground: Graph) -> Bound:
        statistic = Statistic.made(self.statistic.name, ground, self.statistic.moves)
        own = replace(self, statistic=statistic)
        own.validate(ground)
        return own

    def validate(self, ground: Graph) -> None:
        if self.least is None and self.most is None:
            raise BadInput(f"a bound on {self.statistic.text(ground)} needs least or most")
        if self.least is not None and self.most is not None and self.least != self.most:
            raise BadInput(
                f"{self.statistic.text(ground)} from {self.least} to {self.most}: give one bound with least, "
                "one with most"
            )

    def violation(self, tour: Tour) -> Violation | None:
        value = self.statistic.of(tour)
        name = self.statistic.text(tour.ground)
        if self.least is not None and value < self.least:
            return Violation(0, f"{name}: {value}, fewer than {self.least}")
        if self.most is not None and value > self.most:
            return Violation(0, f"{name}: {value}, more than {self.most}")
        return None

    def holds_in(self, rows: TourRows) -> NDArray[np.bool_]:
        import numpy as np

        values = self.statistic.values(rows)
        held = np.ones(len(rows), dtype=np.bool_)
        if self.least is not None:
            held &= values >= self.least
        if self.most is not None:
            held &= values <= self.most
        return held

    def image(self, ground: Graph, symmetry: Symmetry) -> Bound:
        """Angles and crossings stay; given moves go along."""
        moves = frozenset(moved_move(ground, symmetry, move) for move in self.statistic.moves)
        return replace(self, statistic=replace(self.statistic, moves=moves))

    def refuted(self, ground: Graph, closed: bool) -> str | None:
        """Only weights can be negative, and the angles, moves and edges of a tour are limited in number."""
        name, least = self.statistic.text(ground), self.statistic.least(ground, closed)
        if self.most is not None and self.most < least:
            return f"{name} cannot be {self.most}: it is {least} at least"
        greatest = self.statistic.greatest(ground, closed)
        if self.least is not None and greatest is not None and self.least > greatest:
            return f"{name} cannot be {self.least}: it is {greatest} at most"
        return None

    def simplified(self, known: Known) -> Iterable[Condition]:
        """A bound that always holds is redundant; of a set of moves, those of known use are counted."""
        if self.statistic.name == "moves":
            return self._of_moves(known)
        least, most = self.least, self.most
        lowest = self.statistic.least(known.ground, known.closed)
        highest = self.statistic.greatest(known.ground, known.closed)
        if least is not None and least <= lowest:
            least = None
        if most is not None and highest is not None and most >= highest:
            most = None
        return () if least is most is None else (replace(self, least=least, most=most),)

    def _of_moves(self, known: Known) -> Iterable[Condition]:
        places = {move: known.place(move) for move in self.statistic.moves}
        made = sum(bool(known.required[place]) for place in places.values())
        free = known.ground.moves_in_order(
            move for move, place in places.items() if not (known.required[place] or known.excluded[place])
        )
        least, most = (None if bound is None else bound - made for bound in (self.least, self.most))
        if (least is not None and least > len(free)) or (most is not None and most < 0):
            raise Contradiction(
                f"{self.label(known.ground)}: the other conditions leave {made} to {made + len(free)}"
            )
        if least is not None and least <= 0:
            least = None
        if most is not None and most >= len(free):
            most = None
        if least is most is None:
            return ()
        if least == len(free):
            return map(Require, free)
        if most == 0:
            return map(Forbid, free)
        return (Bound(replace(self.statistic, moves=frozenset(free)), least, most),)

    def state(self, booleans: TourBooleans) -> None:
        """One linear constraint."""
        terms, constant = self.statistic.terms(booleans)
        least, most = (None if bound is None else bound - constant for bound in (self.least, self.most))
        booleans.model.linear(terms, least=least, most=most)
