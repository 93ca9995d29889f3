"""The Booleans of a model that describe a tour; conditions and statistics are stated on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ktsolve.graphs.graph import Graph, Move, Vertex

if TYPE_CHECKING:
    from ktsolve.model.constraints import Literal
    from ktsolve.model.model import Model

__all__ = ["TourBooleans"]


@dataclass
class TourBooleans:
    """The Booleans of moves and steps, as :mod:`ktsolve.problem.tour_booleans` makes them.

    Attributes
    ----------
    ground, closed:
        As in the problem.
    first, last:
        The vertices that may be first and last; None for any.
    model:
        The model that they belong to.
    moves:
        The Boolean of each edge that is not forbidden, by places of vertices: ``u < v``, or both directions
        if there are steps; of each arc of a directed graph.
    end:
        Of an open tour without a direction: of each vertex whether it is an end.
    starts, stops:
        Of an open tour with a direction: of each vertex whether it is the first, and the last.
    steps:
        For each vertex the Booleans of its possible steps; empty if no step numbers are stated.
    """

    ground: Graph
    closed: bool
    first: frozenset[Vertex] | None
    last: frozenset[Vertex] | None
    model: Model
    moves: Mapping[tuple[int, int], Literal]
    end: Sequence[Literal] = ()
    starts: Sequence[Literal] = ()
    stops: Sequence[Literal] = ()
    steps: list[dict[int, Literal]] = field(default_factory=list)
    _edges: dict[tuple[int, int], Literal] = field(default_factory=dict)

    @property
    def has_direction(self) -> bool:
        """Whether a Boolean of a move states its direction."""
        return self.ground.directed or bool(self.steps)

    def made(self, move: Move) -> tuple[Literal, ...]:
        """The Booleans of which one is true if a move is made; none if it is forbidden or no edge."""
        u, v = self.ground.place(move[0]), self.ground.place(move[1])
        if self.ground.directed:
            pairs: tuple[tuple[int, int], ...] = ((u, v),)
        else:
            pairs = ((u, v), (v, u)) if self.steps else ((min(u, v), max(u, v)),)
        return tuple(self.moves[pair] for pair in pairs if pair in self.moves)

    def edge(self, move: Move) -> Literal | None:
        """One Boolean that is true exactly if a move is made; None if it is forbidden."""
        made = self.made(move)
        if len(made) < 2:
            return made[0] if made else None
        u, v = sorted((self.ground.place(move[0]), self.ground.place(move[1])))
        if (u, v) not in self._edges:
            either = self.model.boolean(self.ground.move_name(move))
            for literal in made:
                self.model.implies(literal, either)
            self.model.clause(~either, *made)
            self._edges[u, v] = either
        return self._edges[u, v]

    def ends(self, cell: Vertex) -> list[Literal]:
        """The Booleans of which one is true if the tour begins or ends at a vertex."""
        if self.closed:
            return []
        if not self.steps and self.ground.directed:
            return [self.first_at(cell), self.last_at(cell)]
        if not self.steps:
            return [self.end[self.ground.place(cell)]]
        at = self.at(cell)
        return [at[step] for step in {1, len(self.ground)} if step in at]

    def first_at(self, cell: Vertex) -> Literal:
        """The Boolean that is true if an open tour begins at a vertex, in a model of arcs."""
        return self.starts[self.ground.place(cell)]

    def last_at(self, cell: Vertex) -> Literal:
        """The Boolean that is true if an open tour ends at a vertex, in a model of arcs."""
        return self.stops[self.ground.place(cell)]

    def at(self, cell: Vertex) -> dict[int, Literal]:
        """The Booleans of a vertex's possible steps."""
        return self.steps[self.ground.place(cell)]

    def visited_at(self, step: int) -> dict[Vertex, Literal]:
        """The Booleans of the vertices that may be at a step."""
        return {
            cell: steps[step]
            for cell, steps in zip(self.ground.cells, self.steps, strict=True)
            if step in steps
        }

    def named(self, name: str) -> Literal:
        """A new Boolean of that name, numbered if conditions before have one of this name."""
        number, free = 1, name
        while self.model.has(free):
            number += 1
            free = f"{name}#{number}"
        return self.model.boolean(free)
