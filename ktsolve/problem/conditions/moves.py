"""Conditions on the ends and the moves of a tour, and on cells in one run, between which enough are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, TypeVar

from ktsolve.base.errors import BadInput
from ktsolve.graphs.components import components
from ktsolve.graphs.graph import Graph, Move, Vertex
from ktsolve.graphs.tour import Tour, Violation
from ktsolve.problem.conditions.condition import Condition, Contradiction, Key, Known, TourBooleans

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.graphs.tour_rows import TourRows
    from ktsolve.problem.step_table import StepTable

__all__ = ["End", "Forbid", "Require", "Run", "Start"]

_Ends = TypeVar("_Ends", bound="_Endpoint")


@dataclass(frozen=True)
class _Endpoint(Condition):
    """One of some vertices has the first or the last step."""

    cells: frozenset[Vertex]

    step_indexed: ClassVar[bool] = False
    last: ClassVar[bool]

    @property
    def feature(self) -> str:
        """One vertex or several: engines that search a graph take one."""
        one, several = self.features
        return one if len(self.cells) == 1 else several

    @property
    def key(self) -> str:
        """``start`` for one vertex, ``starts`` for several; likewise ``end`` and ``ends``."""
        return self.feature

    @classmethod
    def parse(cls: type[_Ends], key: str, text: str, ground: Graph) -> Iterator[_Ends]:
        """``a1``; ``a1 b3`` or ``a1:b3`` for one of several."""
        if ground.split_list(text, also=":") == [text.strip()]:
            yield cls(frozenset({ground.cell(text.strip())}))
        else:
            yield cls(frozenset(map(ground.cell, ground.read_cells(text))))

    def text(self, ground: Graph) -> str:
        return ",".join(self.values(ground))

    def values(self, ground: Graph) -> list[str]:
        return list(map(ground.name, ground.in_order(self.cells)))

    def validate(self, ground: Graph) -> None:
        super().validate(ground)
        if not self.cells:
            raise BadInput(f"a set of {tuple(self.features)[-1]} needs a cell")

    def violation(self, tour: Tour) -> Violation | None:
        step = len(tour) if self.last else 1
        cell, name = tour[step - 1], tour.ground.name
        if cell in self.cells:
            return None
        if len(self.cells) == 1:
            return Violation(step, f"step {step} is {name(cell)}, not {self.text(tour.ground)}")
        what = "ends" if self.last else "begins"
        return Violation(0, f"the tour {what} at {name(cell)}, which is not among the cells allowed")

    def simplified(self, known: Known) -> Iterable[Condition]:
        """The vertices that can have the step; nothing if all can, or if it is known and stated."""
        step = len(known.ground) if self.last else 1
        if len(self.cells) == len(known.ground) or step in known.steps.values():
            return ()
        possible, allowed = known.cells_at(step), known.last if self.last else known.first
        left = self.cells if possible is None else self.cells & possible
        left = left if allowed is None else left & allowed
        if not left:
            raise Contradiction(f"{self.label(known.ground)}: no {known.ground.nouns.cell} is left for it")
        return (replace(self, cells=left),)

    def narrow(self, table: StepTable) -> None:
        index = table.ground.index
        table.only(len(table.ground) if self.last else 1, (index[cell] for cell in self.cells))

    def state(self, booleans: TourBooleans) -> None:
        """State both ends, unless the start did."""
        if booleans.first is None or not self.last:
            _state_ends(booleans)

    def holds_in(self, rows: TourRows) -> NDArray[np.bool_]:
        import numpy as np

        ends = rows.rows[:, -1 if self.last else 0]
        return np.isin(ends, [rows.ground.index[cell] for cell in self.cells])


@dataclass(frozen=True)
class Start(_Endpoint):
    """The tour begins at one of some vertices."""

    place = 10
    features: ClassVar = {"start": "a given start", "starts": "a set of starts"}
    graph_features: ClassVar = frozenset({"start"})
    keys: ClassVar = (
        Key("start", "First cell: b3, or 2,1.", "CELL", "a1", kind=str),
        Key("starts", example="a1 b1", option=None),
    )
    last = False


@dataclass(frozen=True)
class End(_Endpoint):
    """The tour ends at one of some vertices."""

    place = 11
    features: ClassVar = {"end": "a given end", "ends": "a set of ends"}
    graph_features: ClassVar = frozenset({"end"})
    keys: ClassVar = (
        Key("end", "Last cell.", "CELL", "e4", kind=str),
        Key("ends", example="e4 d4", option=None),
    )
    last = True


def _state_ends(booleans: TourBooleans) -> None:
    """One end of the tour is among the starts, the other among the ends.

    Step-indexed models leave out the Booleans of the first and last step of other vertices instead.
    """
    model, ground = booleans.model, booleans.ground
    if booleans.steps:
        return
    everywhere = frozenset(ground.cells)
    starts = everywhere if booleans.first is None else booleans.first
    ends = everywhere if booleans.last is None else booleans.last
    if len(ground) == 1:
        if not starts & ends:
            model.clause()
        return
    if booleans.closed:  # the move from the last vertex to the first
        if everywhere in (starts, ends):
            return
        between = [
            (a, b)
            for a, b in ground.moves
            if (a in ends and b in starts) or (b in ends and a in starts and not ground.directed)
        ]
        model.clause(*(literal for move in between for literal in booleans.made(move)))
        return
    if ground.directed:
        for literals, allowed in ((booleans.starts, starts), (booleans.stops, ends)):
            for cell, literal in zip(ground.cells, literals, strict=True):
                if cell not in allowed:
                    model.fix(~literal)
        return
    single = [cells for cells in (starts, ends) if len(cells) == 1]
    for (cell,) in single:
        model.fix(booleans.ends(cell)[0])
    if all(len(cells) == 1 or cells == everywhere for cells in (starts, ends)):
        return
    for cell in ground.cells:
        # Of the two ends one is a start and the other an end: the other is what this one is not.
        other = (ends if cell in starts else frozenset()) | (starts if cell in ends else frozenset())
        if other != everywhere:
            (here,) = booleans.ends(cell)
            model.clause(~here, *(booleans.ends(each)[0] for each in ground.in_order(other - {cell})))


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

    def sort_key(self, ground: Graph) -> tuple[int, int]:
        return ground.place(self.move[0]), ground.place(self.move[1])


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
        """Redundant if every tour makes the move anyway."""
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
        """Redundant if no tour makes the move anyway."""
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
    keys: ClassVar = (Key("run", "Cells visited in one run: a1,b3,c1.", "CELLS", "a1,b3,c1,d3", cells="all"),)
    step_indexed: ClassVar[bool] = False

    @classmethod
    def parse(cls, key: str, text: str, ground: Graph) -> Iterator[Run]:
        """``a1,b3,c1``, or ``a1:c2``."""
        yield cls(ground.read_cells(text))

    def text(self, ground: Graph) -> str:
        return ",".join(map(ground.name, ground.in_order(self.cells)))

    def validate(self, ground: Graph) -> None:
        super().validate(ground)
        if len(self.cells) < 2:
            raise BadInput("a run needs at least two cells, such as a1,b3")

    def _inside(self, ground: Graph) -> Iterator[Move]:
        """The moves between the cells."""
        for cell in ground.in_order(self.cells):
            yield from (
                (cell, other)
                for other in ground.neighbours[cell]
                if other in self.cells and ground.edge(cell, other)[0] == cell
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
            for cell in ground.in_order(self.cells)
        }
        reached = next(components(around))
        if reached == self.cells:
            return None
        first, apart = (ground.name(ground.in_order(each)[0]) for each in (self.cells, self.cells - reached))
        return f"no moves between the cells {self.text(ground)} lead from {first} to {apart}"

    def simplified(self, known: Known) -> Iterable[Condition]:
        """Redundant if enough moves are known; if no move can be left out, all are required."""
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
