"""What is known of every tour of a problem: moves in all or in none of them, and the steps of vertices.

Conditions read it when they simplify themselves (:meth:`Condition.simplified`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ktsolve.graphs.graph import Graph, Move, Vertex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.problem.simplify.step_table import StepTable

__all__ = ["Contradiction", "Known"]


class Contradiction(Exception):
    """No tour satisfies all conditions; the argument is the reason."""


@dataclass(frozen=True)
class Known:
    """What the other conditions of a problem imply.

    Attributes
    ----------
    ground, closed:
        As in the problem.
    required, excluded:
        For each edge of the ground whether every tour makes it, and whether none does.
    always, never:
        The same, without the conditions on moves and inner steps.
    steps:
        The step of each vertex that has a known one.
    table:
        The possible steps without ranges, orders and figures; None if they are not known.
    first, last:
        The vertices that may be first and last; None for any.
    """

    ground: Graph
    closed: bool
    required: NDArray[np.bool_]
    excluded: NDArray[np.bool_]
    always: NDArray[np.bool_]
    never: NDArray[np.bool_]
    steps: dict[Vertex, int]
    table: StepTable | None
    first: frozenset[Vertex] | None
    last: frozenset[Vertex] | None

    def place(self, move: Move) -> int:
        """The place of a move among the edges of the ground."""
        index = self.ground.index
        return int(self.ground.places_of([(index[move[0]], index[move[1]])])[0])

    def window(self, cell: Vertex) -> tuple[int, int]:
        """The first and the last step that a vertex can have."""
        if cell in self.steps:
            return self.steps[cell], self.steps[cell]
        return (1, len(self.ground)) if self.table is None else self.table.window(self.ground.index[cell])

    def cells_at(self, step: int) -> frozenset[Vertex] | None:
        """The vertices that can have a step; None for any."""
        if self.table is None:
            found = {cell for cell, known in self.steps.items() if known == step}
            return frozenset(found) or None
        places = self.table.possible[step - 1].nonzero()[0].tolist()
        return frozenset(self.ground.cells_of(places))
