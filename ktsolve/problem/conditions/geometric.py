"""Conditions that need the geometry of a board: named symmetries, and structured corners."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ktsolve.base.errors import BadInput
from ktsolve.base.text import unknown
from ktsolve.graphs.geometry import CORNERS, corner_moves
from ktsolve.graphs.graph import Graph, Move
from ktsolve.graphs.symmetry import SYMMETRIES, Symmetry, named_symmetry
from ktsolve.graphs.tour import Tour, Violation
from ktsolve.problem.conditions.condition import Condition, Key, Known, TourBooleans, moved_cell, moved_move

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.graphs.tour_rows import TourRows

__all__ = ["Corner", "Symmetric"]


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

    def violation(self, tour: Tour) -> Violation | None:
        board = tour.board
        symmetry = named_symmetry(board, self.name)
        for move in sorted(tour.moves):
            a, b = sorted(moved_cell(board, symmetry, cell) for cell in move)
            if (a, b) not in tour.moves:
                made, missing = board.move_name(move), board.move_name((a, b))
                return Violation(0, f"not symmetric under {self.name}: {made} is made, {missing} is not")
        return None

    def holds_in(self, rows: TourRows) -> NDArray[np.bool_]:
        return rows.invariant_under(named_symmetry(self.board(rows.ground), self.name).images)

    def image(self, ground: Graph, symmetry: Symmetry) -> Symmetric | None:
        """The conjugate, if it or its inverse has a name."""
        board = self.board(ground)
        own = named_symmetry(board, self.name)
        conjugate = symmetry.after(own).after(symmetry.inverse())
        same = (conjugate.images, conjugate.inverse().images)
        for name in (self.name, *SYMMETRIES):
            with suppress(BadInput):  # the board lacks that symmetry
                if named_symmetry(board, name).images in same:
                    return Symmetric(name)
        return None

    def simplified(self, known: Known) -> Iterable[Condition]:
        """Redundant if the symmetry is the identity, such as a reflection of a single row."""
        images = named_symmetry(self.board(known.ground), self.name).images
        return () if images == tuple(range(len(images))) else (self,)

    def state(self, booleans: TourBooleans) -> None:
        """A move that is made has its image made, in one of its directions."""
        model, ground = booleans.model, booleans.ground
        symmetry = named_symmetry(self.board(ground), self.name)
        cells = ground.cells
        for (u, v), literal in booleans.moves.items():
            image = booleans.made((cells[symmetry(u)], cells[symmetry(v)]))
            if image != (literal,):
                model.clause(~literal, *image)


@dataclass(frozen=True)
class Corner(Condition):
    """The two moves that cut a corner off are made: :func:`~ktsolve.graphs.geometry.corner_moves`."""

    name: str

    place = 50
    features: ClassVar = {"structured": "structured corners"}
    graph_features: ClassVar = frozenset(features)
    keys: ClassVar = (
        Key("corners", "Structured corners: tl,br.", ",".join(CORNERS), "tl,br"),
        Key("structured", "All four corners structured.", kind=bool),
    )
    step_indexed: ClassVar[bool] = False
    geometry = "a structured corner"

    @classmethod
    def parse(cls, key: str, text: str, ground: Graph) -> Iterator[Corner]:
        """``tl,br``; any text under the key ``structured`` states all four."""
        names = CORNERS if key == "structured" else re.split(r"[\s,]+", text.strip())
        yield from map(cls, filter(None, names))

    def text(self, ground: Graph) -> str:
        return self.name

    def label(self, ground: Graph) -> str:
        return f"corner {self.name}"

    def sort_key(self, ground: Graph) -> int:
        return CORNERS.index(self.name)

    def validate(self, ground: Graph) -> None:
        super().validate(ground)
        if self.name not in CORNERS:
            raise unknown("corner", self.name, CORNERS)
        self.moves(ground)

    def moves(self, ground: Graph) -> frozenset[Move]:
        """The two moves."""
        return corner_moves(self.board(ground), self.name)

    def violation(self, tour: Tour) -> Violation | None:
        for move in sorted(self.moves(tour.ground) - tour.moves):
            missing = tour.ground.move_name(move)
            return Violation(0, f"corner {self.name} is not structured: {missing} is not made")
        return None

    def holds_in(self, rows: TourRows) -> NDArray[np.bool_]:
        import numpy as np

        one, other = (rows.makes(move) for move in sorted(self.moves(rows.ground)))
        return np.logical_and(one, other)

    def image(self, ground: Graph, symmetry: Symmetry) -> Corner | None:
        """The corner whose moves are the images; none under a shift of a wrapped board."""
        images = {moved_move(ground, symmetry, move) for move in self.moves(ground)}
        for corner in map(Corner, CORNERS):
            with suppress(BadInput):  # a hole at that corner
                if corner.moves(ground) == images:
                    return corner
        return None

    def simplified(self, known: Known) -> Iterable[Condition]:
        """Redundant if every tour makes both moves anyway."""
        moves = self.moves(known.ground)
        return () if all(known.always[known.place(move)] for move in moves) else (self,)

    def state(self, booleans: TourBooleans) -> None:
        """Both moves are made."""
        for move in sorted(self.moves(booleans.ground)):
            booleans.model.clause(*booleans.made(move))
