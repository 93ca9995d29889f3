"""Figured tours: given steps, such as the squares, lie in a figure.

Source: T. R. Dawson's and G. P. Jelliss's figured tours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isqrt
from typing import TYPE_CHECKING, ClassVar

from ktsolve.base.errors import BadInput
from ktsolve.base.text import quoted, shown
from ktsolve.graphs.geometry import magic_lines
from ktsolve.graphs.graph import Graph, Vertex
from ktsolve.graphs.symmetry import Symmetry
from ktsolve.graphs.tour import Tour, Violation
from ktsolve.problem.conditions.condition import Condition, Key, Known, TourBooleans, moved_cell
from ktsolve.problem.conditions.steps import check_step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.graphs.tour_rows import TourRows
    from ktsolve.problem.step_table import StepTable

__all__ = ["SHAPES", "Figure", "step_list", "step_list_name"]

SHAPES = ("row", "column", "cells", "path", "circuit")
"""Figures: all in one row, in one column, on given cells; or each a move from the next, and back."""

_NAMED: dict[str, Callable[[int], list[int]]] = {
    "squares": lambda most: [i * i for i in range(1, isqrt(most) + 1)],
    "triangles": lambda most: [i * (i + 1) // 2 for i in range(1, (isqrt(8 * most + 1) + 1) // 2)],
    "primes": lambda most: [p for p in range(2, most + 1) if all(p % d for d in range(2, isqrt(p) + 1))],
}
"""Lists of steps up to the number of cells."""


def step_list(text: str, most: int) -> tuple[int, ...]:
    """Steps up to ``most`` from a text: ``squares``, ``triangles``, ``primes``, ``1+3``, or ``1,4,9``.

    ``A+K`` is the arithmetic progression A, A + K, A + 2 K, ...

    >>> step_list("squares", 36), step_list("1+9", 36), step_list("9,1,4", 36)
    ((1, 4, 9, 16, 25, 36), (1, 10, 19, 28), (1, 4, 9))
    """
    text = text.strip()
    if text in _NAMED:
        return tuple(_NAMED[text](most))
    if match := re.fullmatch(r"(\d{1,9})\s*\+\s*(\d{1,9})", text, re.ASCII):
        first, gap = int(match[1]), int(match[2])
        if gap == 0:
            raise BadInput(f"the progression {shown(text)} has no gap: write FIRST+GAP, such as 1+3")
        return tuple(range(first, most + 1, gap))
    parts = [part for part in re.split(r"[\s,]+", text) if part]
    if not parts or not all(re.fullmatch(r"\d{1,9}", part, re.ASCII) for part in parts):
        raise BadInput(
            f"{shown(text)} is not a list of steps: "
            f"write {', '.join(_NAMED)}, FIRST+GAP such as 1+3, or 1,4,9"
        )
    return tuple(sorted({int(part) for part in parts}))


def step_list_name(steps: tuple[int, ...], most: int) -> str:
    """The shortest text for a list of steps.

    >>> step_list_name((1, 4, 9, 16, 25, 36), 36), step_list_name((2, 5, 8), 9), step_list_name((1, 3), 9)
    ('squares', '2+3', '1,3')
    """
    for name, listed in _NAMED.items():
        if tuple(listed(most)) == steps:
            return name
    if len(steps) > 2 and tuple(range(steps[0], most + 1, steps[1] - steps[0])) == steps:
        return f"{steps[0]}+{steps[1] - steps[0]}"
    return ",".join(map(str, steps))


@dataclass(frozen=True)
class Figure(Condition):
    """Given steps stand in a figure.

    - ``steps``: The steps, ascending.
    - ``shape``: One of :data:`SHAPES`. On a path each is a move from the next, on a circuit also the last
      from the first.
    - ``cells``: The cells, if the shape is ``cells``.

    >>> from ktsolve.graphs.board import Board
    >>> board = Board.parse("6x6")
    >>> Figure(step_list("squares", 36), "row").text(board)
    'squares=row'
    """

    steps: tuple[int, ...]
    shape: str
    cells: frozenset[Vertex] = frozenset()

    place = 72
    features: ClassVar = {"figures": "steps in a figure"}
    keys: ClassVar = (
        Key("figure", "Figure of steps: squares=row, 1+8=path.", "STEPS=SHAPE", "1,20=a1:e1", cells="right"),
    )

    @property
    def geometry(self) -> str:  # type: ignore[override]
        """Rows and columns are those of a board."""
        return f"a figure in one {self.shape}" if self.shape in ("row", "column") else ""

    @classmethod
    def parse(cls, key: str, text: str, ground: Graph) -> Iterator[Figure]:
        """``squares=row``, ``1+8=path``, ``1,4,9=a1:c1``."""
        left, _, right = text.partition("=")
        if not (left.strip() and right.strip()):
            raise BadInput(f"{shown(text)} is not understood: write STEPS=row|column|path|circuit|CELLS")
        where = right.strip()
        steps = step_list(left, len(ground))
        if where in SHAPES and where != "cells":
            yield cls(steps, where)
        else:
            yield cls(steps, "cells", ground.read_cells(where))

    def text(self, ground: Graph) -> str:
        where = ",".join(map(ground.name, ground.in_order(self.cells))) if self.cells else self.shape
        if self.cells and where in SHAPES:  # a vertex of that name
            where = quoted(where)
        return f"{step_list_name(self.steps, len(ground))}={where}"

    def validate(self, ground: Graph) -> None:
        if self.shape not in SHAPES:
            raise BadInput(
                f"the figure {shown(self.shape)} is unknown: use row, column, path, circuit, or cells"
            )
        super().validate(ground)
        if (self.shape == "cells") != bool(self.cells):
            raise BadInput("a figure of shape cells, and no other, needs its cells")
        if not self.steps:
            raise BadInput("a figure needs steps: there is none up to the number of cells")
        if list(self.steps) != sorted(set(self.steps)):
            raise BadInput("the steps of a figure are given in ascending order, each once")
        for step in (self.steps[0], self.steps[-1]):
            check_step(step, ground)

    def lines(self, ground: Graph) -> list[frozenset[Vertex]]:
        """The sets of cells of which one holds all the steps, for figures in lines or on cells."""
        if self.shape == "cells":
            return [self.cells]
        there = set(ground.cells)
        drawn = magic_lines(self.board(ground), f"{self.shape}s")
        return [frozenset(line) & there for line in drawn]

    def links(self) -> Iterator[tuple[int, int]]:
        """Steps that must be a move apart, for paths and circuits."""
        yield from pairwise(self.steps)
        if self.shape == "circuit":
            yield self.steps[-1], self.steps[0]

    def violation(self, tour: Tour) -> Violation | None:
        at = {step: tour.squares[step - 1] for step in self.steps}
        if self.shape in ("path", "circuit"):
            for step, next_step in self.links():
                if not tour.ground.adjacent(at[step], at[next_step]):
                    return Violation(
                        step, f"steps {step} and {next_step} are not a move apart, as a {self.shape} requires"
                    )
            return None
        if any(set(at.values()) <= line for line in self.lines(tour.ground)):
            return None
        if self.shape == "cells":
            step = next(step for step, cell in at.items() if cell not in self.cells)
            name = tour.ground.name(at[step])
            return Violation(step, f"step {step} is at {name}, not on one of the given cells")
        return Violation(0, f"the steps {step_list_name(self.steps, len(tour))} are not in one {self.shape}")

    def holds_in(self, rows: TourRows) -> NDArray[np.bool_]:
        import numpy as np

        if self.shape in ("path", "circuit"):
            held = np.ones(len(rows), dtype=np.bool_)
            for step, after in self.links():
                held &= rows.adjacent(step, after)
            return held
        cells = rows.rows[:, [step - 1 for step in self.steps]]
        held = np.zeros(len(rows), dtype=np.bool_)
        for line in self.lines(rows.ground):
            held |= np.isin(cells, [rows.ground.index[cell] for cell in line]).all(axis=1)
        return held

    def image(self, ground: Graph, symmetry: Symmetry) -> Condition | None:
        """Cells go along; rows and columns may change places."""
        if self.shape not in ("row", "column"):
            return super().image(ground, symmetry)
        images = {frozenset(moved_cell(ground, symmetry, c) for c in line) for line in self.lines(ground)}
        for shape in (self.shape, "row", "column"):
            figure = replace(self, shape=shape)
            if set(figure.lines(ground)) == images:
                return figure
        return None

    def refuted(self, ground: Graph, closed: bool) -> str | None:
        """Steps need as many cells, and as many of either colour."""
        if self.shape in ("path", "circuit"):
            return None
        number, lines = len(self.steps), self.lines(ground)
        where = "the given cells" if self.shape == "cells" else f"a {self.shape}"
        room = max(len(line) for line in lines)
        if number > room:
            return f"{number} steps do not fit on {where}, {room} at most"
        colour = ground.colouring
        if colour is None:
            return None
        odd = sum(1 for step in self.steps if step % 2)
        for line in lines:
            first = sum(1 for cell in line if colour[cell] == 0)
            second = len(line) - first
            if (odd <= first and number - odd <= second) or (odd <= second and number - odd <= first):
                return None
        return (
            f"{odd} odd and {number - odd} even steps need as many cells of either colour: {where} has fewer"
        )

    def simplified(self, known: Known) -> Iterable[Condition]:
        """Consecutive steps are a move apart anyway; steps may be known, or confined to the cells."""
        ground = known.ground
        cells = {cell: step for cell, step in known.steps.items() if step in self.steps}
        if self.shape in ("path", "circuit"):
            at = {step: cell for cell, step in cells.items()}
            for step, after in self.links():
                if after == step + 1 or (step == after + 1 and not ground.directed):
                    continue
                if known.closed and (step, after) == (len(ground), 1):
                    continue
                if not (step in at and after in at and ground.adjacent(at[step], at[after])):
                    return (self,)
            return ()
        if self.shape != "cells":
            whole = any(line.issuperset(cells) for line in self.lines(ground))
            return () if whole and len(cells) == len(self.steps) else (self,)
        possible = [known.cells_at(step) for step in self.steps]
        return () if all(each is not None and each <= self.cells for each in possible) else (self,)

    def narrow(self, table: StepTable) -> None:
        if self.shape in ("path", "circuit"):
            return
        lines = [line for line in self.lines(table.ground) if len(line) >= len(self.steps)]
        index = table.ground.index
        places = [index[cell] for cell in frozenset().union(*lines)]
        for step in self.steps:
            table.only(step, places)

    def state(self, booleans: TourBooleans) -> None:
        """Consecutive steps of a path are a move apart; else a chosen line holds all steps."""
        model, ground = booleans.model, booleans.ground
        if self.shape in ("path", "circuit"):
            for step, after in self.links():
                for one, other, around in (
                    (step, after, ground.neighbours),
                    (after, step, ground.predecessors),
                ):
                    there = booleans.visited_at(other)
                    for cell, literal in booleans.visited_at(one).items():
                        near = [there[each] for each in around[cell] if each in there]
                        model.clause(~literal, *near)
            return
        lines = self.lines(ground)
        chosen = [
            model.boolean(f"figure[{self.text(ground)}/{number}]") for number in range(1, len(lines) + 1)
        ]
        model.at_least(1, chosen)
        for literal, line in zip(chosen, lines, strict=True):
            for step in self.steps:
                visited = booleans.visited_at(step)
                model.clause(~literal, *(visited[cell] for cell in ground.in_order(line) if cell in visited))
