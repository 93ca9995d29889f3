"""The condition that a tour is invariant under a symmetry of its board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ktsolve.errors import BadInput
from ktsolve.ground.graph import Graph
from ktsolve.ground.symmetry import SYMMETRIES, Symmetry, named_symmetry
from ktsolve.ground.tour import Fault, Tour
from ktsolve.problem.conditions.booleans import TourBooleans
from ktsolve.problem.conditions.condition import Condition, Key, moved_cell

__all__ = ["Symmetric"]


@dataclass(frozen=True)
class Symmetric(Condition):
    """The moves made, as a set, are invariant under a named symmetry."""

    name: str

    place = 40
    features: ClassVar = {"symmetry": "symmetry of the tour"}
    graph_features: ClassVar = frozenset(features)
    keys: ClassVar = (
        Key("symmetry", "Symmetry of the tour: rot180.", "|".join(SYMMETRIES), "rot180", kind=str),
    )
    step_indexed: ClassVar[bool] = False
    theorem: ClassVar[str] = "symmetry"
    geometry = "a named symmetry"

    @classmethod
    def parse(cls, key: str, text: str, ground: Graph) -> Iterator[Symmetric]:
        """``rot180``, ``rot90``, ``flip-h`` or ``flip-v``."""
        yield cls(text)

    def text(self, ground: Graph) -> str:
        return self.name

    def validate(self, ground: Graph) -> None:
        named_symmetry(self.board(ground), self.name)

    def violation(self, tour: Tour) -> Fault | None:
        board = tour.board
        symmetry = named_symmetry(board, self.name)
        for move in sorted(tour.moves):
            a, b = sorted(moved_cell(board, symmetry, cell) for cell in move)
            if (a, b) not in tour.moves:
                made, missing = board.move_name(move), board.move_name((a, b))
                return Fault(0, f"not symmetric under {self.name}: {made} is made, {missing} is not")
        return None

    def image(self, ground: Graph, symmetry: Symmetry) -> Symmetric | None:
        """The conjugate, if it or its inverse has a name."""
        board = self.board(ground)
        own = named_symmetry(board, self.name)
        conjugate = symmetry.after(own).after(symmetry.inverse())
        same = (conjugate.images, conjugate.inverse().images)
        for name in (self.name, *SYMMETRIES):
            try:
                if named_symmetry(board, name).images in same:
                    return Symmetric(name)
            except BadInput:  # the board lacks that symmetry
                continue
        return None

    def state(self, booleans: TourBooleans) -> None:
        """A move that is made has its image made, in one of its directions."""
        model, ground = booleans.model, booleans.ground
        symmetry = named_symmetry(self.board(ground), self.name)
        cells = ground.cells
        for (u, v), literal in booleans.moves.items():
            image = booleans.made((cells[symmetry(u)], cells[symmetry(v)]))
            if image != (literal,):
                model.clause(~literal, *image)
