"""Conditions on the steps at which cells are visited: given steps, ranges of steps, orders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown, split_outside_quotes
from ktsolve.graphs.graph import Graph, Vertex
from ktsolve.graphs.tour import Tour, Violation
from ktsolve.problem.conditions.condition import (
    Condition,
    Contradiction,
    Key,
    Known,
    TourBooleans,
    number_in,
    split_text,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.graphs.tour_rows import TourRows
    from ktsolve.problem.step_table import StepTable

__all__ = ["At", "Order", "StepRange"]


@dataclass(frozen=True)
class At(Condition):
    """A cell is visited at a step, counted from 1."""

    step: int
    cell: Vertex

    place = 30
    features: ClassVar = {"steps": "a cell at a given step"}
    graph_features: ClassVar = frozenset(features)
    keys: ClassVar = (Key("at", "Cell at a step: 5=c3.", "STEP=CELL", "4=b2", kind=dict),)

    @classmethod
    def parse(cls, key: str, text: str, ground: Graph) -> Iterator[At]:
        """``5=c3``, or several: ``1=a1,5=c3``."""
        for part in split_outside_quotes(text.strip(), r"[\s;,]+(?=\d+\s*=)"):
            match = re.fullmatch(r"\s*(\d{1,9})\s*=\s*(.+?)\s*", part, re.ASCII)
            if match is None:
                raise BadInput(f"{shown(part)} is not understood: write STEP=CELL, such as 5=c3")
            yield cls(int(match[1]), ground.cell(match[2]))

    def text(self, ground: Graph) -> str:
        return f"{self.step}={ground.name(self.cell)}"

    def sort_key(self, ground: Graph) -> tuple[int, Vertex]:
        return self.step, self.cell

    def validate(self, ground: Graph) -> None:
        super().validate(ground)
        check_step(self.step, ground)

    def violation(self, tour: Tour) -> Violation | None:
        found, name = tour.squares[self.step - 1], tour.ground.name
        if found == self.cell:
            return None
        return Violation(self.step, f"step {self.step} is {name(found)}, not {name(self.cell)}")

    def holds_in(self, rows: TourRows) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = rows.rows[:, self.step - 1] == rows.ground.index[self.cell]
        return found

    def simplified(self, known: Known) -> Iterable[Condition]:
        """Nothing: known steps are stated together, some of them by moves."""
        return ()

    def narrow(self, table: StepTable) -> None:
        table.only(self.step, [table.ground.index[self.cell]])

    def state(self, booleans: TourBooleans) -> None:
        """The cell's Boolean of that step is true; no cell has one if that step is out of reach."""
        at = booleans.at(self.cell).get(self.step)
        booleans.model.clause(*(() if at is None else (at,)))


@dataclass(frozen=True)
class StepRange(Condition):
    """A cell is visited at a step from ``least`` to ``most``."""

    cell: Vertex
    least: int
    most: int

    place = 70
    features: ClassVar = {"ranges": "a range of steps for a cell"}
    keys: ClassVar = (Key("range", "Range of a cell's step: c3=5..10.", "CELL=A..B", "c1=2..5"),)

    @classmethod
    def parse(cls, key: str, text: str, ground: Graph) -> Iterator[StepRange]:
        """``c3=5..10``; either number may be left out."""
        example = "CELL=LEAST..MOST, such as c3=5..10"
        cell, steps = split_text(text, example)
        ends = steps.split("..")
        if len(ends) != 2:
            raise BadInput(f"{shown(text)} is not understood: write {example}")
        least = number_in(ends[0], text, example) if ends[0].strip() else 1
        most = number_in(ends[1], text, example) if ends[1].strip() else len(ground)
        yield cls(ground.cell(cell), least, most)

    def text(self, ground: Graph) -> str:
        return f"{ground.name(self.cell)}={self.least}..{self.most}"

    def validate(self, ground: Graph) -> None:
        super().validate(ground)
        if not 1 <= self.least <= self.most <= len(ground):
            raise BadInput(
                f"{ground.name(self.cell)} cannot be at a step from {self.least} to {self.most}: "
                f"the steps of the tour are 1 to {len(ground)}"
            )

    def violation(self, tour: Tour) -> Violation | None:
        step = tour.step_of[self.cell]
        if self.least <= step <= self.most:
            return None
        name = tour.ground.name(self.cell)
        return Violation(step, f"{name} is at step {step}, not at one from {self.least} to {self.most}")

    def holds_in(self, rows: TourRows) -> NDArray[np.bool_]:
        step = rows.steps[:, rows.ground.index[self.cell]]
        found: NDArray[np.bool_] = (self.least <= step) & (step <= self.most)
        return found

    def simplified(self, known: Known) -> Iterable[Condition]:
        """It says nothing if all possible steps are in the range; a range of one step is that step."""
        least, most = known.window(self.cell)
        if self.least <= least and most <= self.most:
            return ()
        if self.least > most or self.most < least:
            name = known.ground.title(self.cell)
            raise Contradiction(f"{name} has no step from {self.least} to {self.most}")
        return (At(self.least, self.cell) if self.least == self.most else self,)

    def narrow(self, table: StepTable) -> None:
        table.within(table.ground.index[self.cell], self.least, self.most)

    def state(self, booleans: TourBooleans) -> None:
        """The cell's Booleans of other steps are false."""
        for step, literal in booleans.at(self.cell).items():
            if not self.least <= step <= self.most:
                booleans.model.fix(~literal)


@dataclass(frozen=True)
class Order(Condition):
    """Cells are visited in this order, one before the next, others in between."""

    cells: tuple[Vertex, ...]

    place = 71
    features: ClassVar = {"order": "an order of cells"}
    keys: ClassVar = (Key("order", "Cells visited in this order: a1,c3.", "A,B", "a1,c2,e4"),)

    @classmethod
    def parse(cls, key: str, text: str, ground: Graph) -> Iterator[Order]:
        """``a1,c3``."""
        yield cls(tuple(map(ground.cell, ground.split_list(text, also="<"))))

    def text(self, ground: Graph) -> str:
        return ",".join(map(ground.name, self.cells))

    def validate(self, ground: Graph) -> None:
        super().validate(ground)
        if len(self.cells) < 2:
            raise BadInput("an order needs at least two cells, such as a1,c3")
        if len(set(self.cells)) < len(self.cells):
            raise BadInput(f"an order names each cell once, not as in {self.text(ground)}")

    def violation(self, tour: Tour) -> Violation | None:
        steps = [tour.step_of[cell] for cell in self.cells]
        for at, (earlier, later) in enumerate(pairwise(steps)):
            if earlier > later:
                first, second = map(tour.ground.name, self.cells[at : at + 2])
                return Violation(later, f"{first} (step {earlier}) is not before {second} (step {later})")
        return None

    def holds_in(self, rows: TourRows) -> NDArray[np.bool_]:
        import numpy as np

        steps = rows.steps[:, [rows.ground.index[cell] for cell in self.cells]]
        later: NDArray[np.bool_] = np.logical_and.reduce(steps[:, 1:] > steps[:, :-1], axis=1)
        return later

    def simplified(self, known: Known) -> Iterable[Condition]:
        """Two cells whose possible steps do not overlap are in order anyway, or never."""
        part = [self.cells[0]]
        for earlier, later in pairwise(self.cells):
            (first, before), (after, last) = known.window(earlier), known.window(later)
            if first >= last:
                names = " and ".join(map(known.ground.name, (earlier, later)))
                raise Contradiction(f"{names} are not visited in this order: possible steps exclude it")
            if before < after:
                if len(part) > 1:
                    yield Order(tuple(part))
                part = []
            part.append(later)
        if len(part) > 1:
            yield Order(tuple(part))

    def narrow(self, table: StepTable) -> None:
        places = [table.ground.index[cell] for cell in self.cells]
        for earlier, later in pairwise(places):
            table.within(later, table.window(earlier)[0] + 1, len(table.ground))
        for earlier, later in pairwise(places[::-1]):
            table.within(later, 1, table.window(earlier)[1] - 1)

    def state(self, booleans: TourBooleans) -> None:
        """A cell's step implies a smaller one for the cell before and a larger one for the cell after."""
        model = booleans.model
        for first, second in pairwise(self.cells):
            earlier, later = booleans.at(first), booleans.at(second)
            for step, here in earlier.items():
                model.clause(~here, *(there for other, there in later.items() if other > step))
            for step, there in later.items():
                model.clause(~there, *(here for other, here in earlier.items() if other < step))


def check_step(step: object, ground: Graph) -> None:
    """Raise BadInput for a number that is not a step of a tour."""
    n = len(ground)
    if not isinstance(step, int) or not 1 <= step <= n:
        raise BadInput(f"step {shown(step)} is not among the {n} steps of the tour (1 to {n})")
