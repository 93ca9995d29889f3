"""Conditions on sums of step numbers: equal sums of lines, and given sums of cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ktsolve.base.errors import BadInput
from ktsolve.base.text import quoted, shown
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
from ktsolve.problem.conditions.steps import At

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.graphs.tour_rows import TourRows

__all__ = ["CellSum", "EqualSums"]


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
            raise BadInput(f"lines {shown(self.kind)} cannot be magic: use {', '.join(LINES)}")
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
    keys: ClassVar = (Key("sum", "Steps add up to N: a1:h1=260, rows=260.", "CELLS=N", "a1,e4=21"),)
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
        cells = ",".join(map(ground.name, sorted(self.cells)))
        return f"{quoted(cells) if cells in LINES else cells}={self.total}"  # a vertex may have a line's name

    def validate(self, ground: Graph) -> None:
        super().validate(ground)
        if not self.cells:
            raise BadInput("a sum needs at least one cell")

    def violation(self, tour: Tour) -> Violation | None:
        found = sum(tour.step_of[cell] for cell in self.cells)
        if found == self.total:
            return None
        names = [tour.ground.name(cell) for cell in sorted(self.cells)]
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
        _state_sum(booleans, sorted(self.cells), self.total)


def _check_square(board: Board) -> None:
    if board.rows != board.columns:
        raise BadInput(f"sums of diagonals need a square board, not {board.size}")


def _state_sum(booleans: TourBooleans, cells: Iterable[Vertex], total: int) -> None:
    terms = {literal: step for cell in cells for step, literal in booleans.at(cell).items()}
    booleans.model.linear(terms, least=total, most=total)
