"""Conditions on the steps at which cells are visited: given steps, ranges, orders, and sums of steps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from ktsolve.base.errors import BadInput
from ktsolve.base.text import quoted, shown, split_outside_quotes, unknown
from ktsolve.graphs.board import Board, needs_board
from ktsolve.graphs.geometry import LINES, magic_lines
from ktsolve.graphs.graph import Graph, Vertex
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.symmetry import Symmetry
from ktsolve.graphs.tour import Tour, Violation
from ktsolve.problem.conditions.condition import (
    Condition,
    Contradiction,
    Key,
    Known,
    TourBooleans,
    moved_cell,
    number_in,
    split_text,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.graphs.tour_rows import TourRows
    from ktsolve.problem.step_table import StepTable

__all__ = ["At", "CellSum", "EqualSums", "Order", "StepRange"]


@dataclass(frozen=True)
class At(Condition):
    """A cell is visited at a step, counted from 1."""

    step: int
    cell: Vertex

    place = 30
    features: ClassVar = {"steps": "a cell at a given step"}
    graph_features: ClassVar = frozenset(features)
    keys: ClassVar = (Key("at", "Cell at a step: 5=c3.", "STEP=CELL", "4=b2", kind=dict, cells="right"),)

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

    def sort_key(self, ground: Graph) -> tuple[int, int]:
        return self.step, ground.place(self.cell)

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
    keys: ClassVar = (
        Key("range", "Range of a cell's step: c3=5..10.", "CELL=A..B", "c1=2..5", cells="left"),
    )

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
        """Redundant if all possible steps are in the range; a range of one step is that step."""
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
    keys: ClassVar = (Key("order", "Cells visited in this order: a1,c3.", "A,B", "a1,c2,e4", cells="all"),)

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


@dataclass(frozen=True)
class EqualSums(Condition):
    """All lines of a kind have equal sums of steps; the diagonals' equal those of the rows."""

    kind: str

    place = 60
    features: ClassVar = {"magic": "equal sums of lines"}
    keys: ClassVar = (Key("magic", "Equal sums of lines: rows,columns.", ",".join(LINES), "columns"),)
    theorem: ClassVar[str] = "sums"
    geometry = "a sum of rows, columns or diagonals"

    @classmethod
    def parse(cls, key: str, text: str, ground: Graph) -> Iterator[EqualSums]:
        """``rows,columns``."""
        yield from map(cls, filter(None, re.split(r"[\s,]+", text.strip())))

    def text(self, ground: Graph) -> str:
        return self.kind

    def sort_key(self, ground: Graph) -> int:
        return LINES.index(self.kind)

    def validate(self, ground: Graph) -> None:
        if self.kind not in LINES:
            raise unknown("lines", self.kind, LINES, wrong="cannot be magic")
        board = self.board(ground)
        if self.kind == "diagonals":
            _check_square(board)
        if board.removed:
            raise BadInput("equal sums of lines need a board without holes")

    def lines(self, ground: Graph) -> list[list[Cell]]:
        """The lines, each as its cells."""
        return magic_lines(self.board(ground), self.kind)

    def total(self, ground: Graph) -> tuple[int, int]:
        """The sum of each line, and the remainder of the sum of all steps: 0 if equal sums are possible."""
        n = len(ground)
        return divmod(n * (n + 1) // 2, self._number(ground))

    def _number(self, ground: Graph) -> int:
        """The number of equal sums that make up the sum of all steps."""
        board = self.board(ground)
        return board.columns if self.kind == "columns" else board.rows

    def violation(self, tour: Tour) -> Violation | None:
        total, rest = self.total(tour.ground)
        for which, line in enumerate(self.lines(tour.ground), 1):
            found = sum(tour.step_of[cell] for cell in line)
            if rest or found != total:
                share = total + rest / self._number(tour.ground)
                return Violation(0, f"{self.kind[:-1]} {which} adds up to {found}, not {share:g}")
        return None

    def holds_in(self, rows: TourRows) -> NDArray[np.bool_]:
        import numpy as np

        (total, rest), index = self.total(rows.ground), rows.ground.index
        held = np.full(len(rows), not rest, dtype=np.bool_)
        for line in self.lines(rows.ground):
            held &= rows.steps[:, [index[cell] for cell in line]].sum(axis=1) == total
        return held

    def image(self, ground: Graph, symmetry: Symmetry) -> EqualSums | None:
        """Rows and columns may change places; a shift of a wrapped board may keep lines or not."""
        images = {
            frozenset(moved_cell(ground, symmetry, cell) for cell in line) for line in self.lines(ground)
        }
        # Two kinds may have the same lines: this one is tried first.
        for kind in (self.kind, *LINES):
            if {frozenset(line) for line in EqualSums(kind).lines(ground)} == images:
                return EqualSums(kind)
        return None

    def refuted(self, ground: Graph, closed: bool) -> str | None:
        """The sum of all steps must be divisible by the number of lines."""
        if not self.total(ground)[1]:
            return None
        number, n = self._number(ground), len(ground)
        return f"{number} equal sums of {self.kind} cannot add up to {n * (n + 1) // 2} = 1 + 2 + ... + {n}"

    def simplified(self, known: Known) -> Iterable[Condition]:
        """One line holds all steps, so that its sum is known."""
        ((_, rest), number) = self.total(known.ground), self._number(known.ground)
        return () if number == 1 and not rest else (self,)

    def state(self, booleans: TourBooleans) -> None:
        """One linear equation per line."""
        total, rest = self.total(booleans.ground)
        if rest:
            booleans.model.clause()
            return
        for line in self.lines(booleans.ground):
            _state_sum(booleans, line, total)


@dataclass(frozen=True)
class CellSum(Condition):
    """The step numbers of some cells add up to a total."""

    cells: frozenset[Vertex]
    total: int

    place = 73
    features: ClassVar = {"sums": "given sums of cells"}
    keys: ClassVar = (
        Key("sum", "Steps add up to N: a1:h1=260, rows=260.", "CELLS=N", "a1,e4=21", cells="left"),
    )
    theorem: ClassVar[str] = "sums"

    @classmethod
    def parse(cls, key: str, text: str, ground: Graph) -> Iterator[CellSum]:
        """``a1:h1=260``; ``rows=260`` states one condition for each row."""
        example = "CELLS=TOTAL such as a1:h1=260, or rows=260"
        cells, total = split_text(text, example)
        value = number_in(total, text, example)
        if cells in LINES:
            board = needs_board(ground, f"a sum of {cells}")
            if cells == "diagonals":
                _check_square(board)
            for line in magic_lines(board, cells):
                yield cls(frozenset(line), value)
        else:
            yield cls(ground.read_cells(cells), value)

    def text(self, ground: Graph) -> str:
        cells = ",".join(map(ground.name, ground.in_order(self.cells)))
        return f"{quoted(cells) if cells in LINES else cells}={self.total}"  # a vertex may have a line's name

    def validate(self, ground: Graph) -> None:
        super().validate(ground)
        if not self.cells:
            raise BadInput("a sum needs at least one cell")

    def violation(self, tour: Tour) -> Violation | None:
        found = sum(tour.step_of[cell] for cell in self.cells)
        if found == self.total:
            return None
        names = [tour.ground.name(cell) for cell in tour.ground.in_order(self.cells)]
        named = " ".join(names) if len(names) <= 8 else f"the {len(names)} cells {' '.join(names[:3])} ..."
        return Violation(0, f"{named} add up to {found}, not {self.total}")

    def holds_in(self, rows: TourRows) -> NDArray[np.bool_]:
        places = [rows.ground.index[cell] for cell in self.cells]
        found: NDArray[np.bool_] = rows.steps[:, places].sum(axis=1) == self.total
        return found

    def refuted(self, ground: Graph, closed: bool) -> str | None:
        """Different steps have a least and a greatest sum."""
        number, n = len(self.cells), len(ground)
        least, most = number * (number + 1) // 2, number * (2 * n - number + 1) // 2
        if least <= self.total <= most:
            return None
        return f"{number} of {n} steps add up to {least} at least and {most} at most, not to {self.total}"

    def simplified(self, known: Known) -> Iterable[Condition]:
        """Known steps are subtracted; one cell that is left has a known step."""
        ground, n = known.ground, len(known.ground)
        left = frozenset(cell for cell in self.cells if cell not in known.steps)
        total = self.total - sum(known.steps[cell] for cell in self.cells - left)
        if len(left) == n - len(known.steps):
            rest = n * (n + 1) // 2 - sum(known.steps.values())
            if total == rest:
                return ()
        if not left and not total:
            return ()
        least, most = len(left) * (len(left) + 1) // 2, len(left) * (2 * n - len(left) + 1) // 2
        if not least <= total <= most or len(left) == n - len(known.steps):
            raise Contradiction(f"sum {self.text(ground)}: the known steps leave {total} for the other cells")
        if len(left) == 1:
            return (At(total, *left),)
        return (CellSum(left, total),)

    def state(self, booleans: TourBooleans) -> None:
        """One linear equation."""
        _state_sum(booleans, booleans.ground.in_order(self.cells), self.total)


def _check_square(board: Board) -> None:
    if board.rows != board.columns:
        raise BadInput(f"sums of diagonals need a square board, not {board.size}")


def _state_sum(booleans: TourBooleans, cells: Iterable[Vertex], total: int) -> None:
    terms = {literal: step for cell in cells for step, literal in booleans.at(cell).items()}
    booleans.model.linear(terms, least=total, most=total)
