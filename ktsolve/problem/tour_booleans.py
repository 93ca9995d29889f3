"""The Booleans of a tour problem in a model: moves in arrays, possible steps, and tours as their values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.model.constraints import Arc, Arcs, Assignment, Deferred, Literal, Literals
from ktsolve.model.model import Model
from ktsolve.problem.conditions.condition import TourBooleans
from ktsolve.problem.problem import TourProblem

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MoveLiterals", "arcs_of", "booleans_of", "labels_of", "tour_of", "values_of"]


def booleans_of(
    problem: TourProblem,
    model: Model,
    possible: Sequence[int] | None = None,
    check: Callable[[], None] = lambda: None,
) -> TourBooleans:
    """Add the Booleans of a problem's moves, ends and steps to a model; solutions differ in moves or steps.

    Where only moves matter there is one Boolean for each edge, else one for each direction. Steps that are
    too far from a known one, or of the wrong colour, get no Boolean.

    - ``possible``: The steps that each vertex may have, where more is known: bit t of a number stands for
      step t + 1.
    - ``check``: Called after each vertex; it may raise LimitReached.
    """
    ground, labeled = problem.ground, possible is not None or problem.step_indexed
    made = TourBooleans(ground, problem.closed, problem.first, problem.last, model, {})
    if not (labeled or ground.directed):
        # In arrays: a large board has a million moves.
        edges = problem.allowed_edges
        numbers = model.add_booleans(Deferred(len(edges), lambda: _move_names(problem)))
        made.moves = MoveLiterals(ground, edges, numbers)
        model.show(Literals(numbers))
        if not problem.closed:
            ends = Deferred(len(ground), lambda: (f"end[{label}]" for label in labels_of(ground)))
            made.end = Literals(model.add_booleans(ends))
        return made
    labels = list(labels_of(ground))
    made.moves = {
        (a, b): model.boolean(f"{labels[a]}>{labels[b]}")
        for u, v in problem.allowed_edges.tolist()
        for a, b in (((u, v),) if ground.directed else ((u, v), (v, u)))
    }
    if labeled:
        known = _known_distances(problem) if possible is None else ()
        for u, label in enumerate(labels):
            steps = _possible_steps(problem, u, known)
            if possible is not None:
                steps = [step for step in steps if possible[u] >> (step - 1) & 1]
            made.steps.append({step: model.boolean(f"at[{label},{step}]") for step in steps})
            check()
        model.show(literal for steps in made.steps for literal in steps.values())
    else:
        model.show(made.moves.values())
    if not problem.closed:
        made.starts = [model.boolean(f"first[{label}]") for label in labels]
        made.stops = [model.boolean(f"last[{label}]") for label in labels]
    return made


def labels_of(ground: Graph) -> Sequence[str]:
    """The names of the vertices, made when one is needed."""
    return Deferred(len(ground), lambda: map(ground.name, ground.cells))


def arcs_of(booleans: TourBooleans) -> Sequence[Arc]:
    """The moves with their Booleans, for a circuit or a path."""
    if isinstance(booleans.moves, MoveLiterals):
        return Arcs(booleans.moves.edges, booleans.moves.numbers)
    return [(u, v, literal) for (u, v), literal in booleans.moves.items()]


def values_of(booleans: TourBooleans, tour: Tour) -> dict[Literal, bool]:
    """The values of the Booleans of moves and steps for a tour."""
    ground = booleans.ground
    values: dict[Literal, bool] = {}
    if booleans.steps:
        after = list(zip(tour.squares, tour.squares[1:], strict=False))
        if tour.closed:
            after.append((tour.squares[-1], tour.squares[0]))
        made = {(ground.index[a], ground.index[b]) for a, b in after}
        for cell, steps in zip(ground.cells, booleans.steps, strict=True):
            values |= {literal: step == tour.step_of[cell] for step, literal in steps.items()}
    else:
        made = {(ground.index[a], ground.index[b]) for a, b in tour.moves}
    return values | {literal: move in made for move, literal in booleans.moves.items()}


def tour_of(booleans: TourBooleans, problem: TourProblem, assignment: Assignment) -> Tour:
    """The tour that an assignment describes, labeled as the problem asks."""
    ground, n, closed = problem.ground, len(problem.ground), problem.closed
    if booleans.steps:
        order = sorted(
            (step, u)
            for u, steps in enumerate(booleans.steps)
            for step, literal in steps.items()
            if literal.holds(assignment)
        )
        return Tour.from_indices(ground, (u for _, u in order), closed)
    if isinstance(booleans.moves, MoveLiterals):
        made = np.asarray(assignment, dtype=np.bool_)[booleans.moves.numbers - 1]
        tour = Tour.from_indices(ground, _walk(n, booleans.moves.edges[made]), closed)
    else:
        after = {u: v for (u, v), literal in booleans.moves.items() if literal.holds(assignment)}
        walk = [next(iter(set(range(n)) - set(after.values())), 0)]
        while len(walk) < n:
            walk.append(after[walk[-1]])
        tour = Tour.from_indices(ground, walk, closed)
    return problem.labeled_to_fit(tour)


class MoveLiterals(Mapping[tuple[int, int], Literal]):
    """The literal of each move, by the places of its cells: a dictionary that is made when all are needed.

    It is given the moves as pairs of places, sorted, and the numbers of their literals.
    """

    def __init__(self, ground: Graph, edges: NDArray[np.int32], numbers: NDArray[np.int64]) -> None:
        self.edges, self.numbers = edges, numbers
        self._cells = len(ground)

    @cached_property
    def _keys(self) -> NDArray[np.int64]:
        return self.edges[:, 0].astype(np.int64) * self._cells + self.edges[:, 1]

    @cached_property
    def _all(self) -> dict[tuple[int, int], Literal]:
        tails, heads = self.edges.T.tolist()
        return dict(zip(zip(tails, heads, strict=True), Literals(self.numbers), strict=True))

    def __getitem__(self, pair: tuple[int, int]) -> Literal:
        if "_all" in self.__dict__:
            return self._all[pair]
        key = pair[0] * self._cells + pair[1]
        place = int(np.searchsorted(self._keys, key))
        if place == len(self._keys) or self._keys[place] != key:
            raise KeyError(pair)
        return Literal(int(self.numbers[place]) - 1)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self.edges)


class _Distances(NamedTuple):
    """The distances from the cell of a known step and to it; ``alternating`` if every move changes colour."""

    step: int
    away: Sequence[int]
    back: Sequence[int]
    alternating: bool

    def fits(self, u: int, step: int, closed: bool) -> bool:
        """Whether cell number u can have a step."""
        n = len(self.away)
        ahead, behind = step - self.step, self.step - step
        gaps = (
            (ahead % n if closed else ahead, self.away[u]),
            (behind % n if closed else behind, self.back[u]),
        )
        return (self.away[u] == 0) == (ahead == 0) and all(
            gap >= away and (not self.alternating or (gap - away) % 2 == 0) for gap, away in gaps if gap > 0
        )


def _possible_steps(problem: TourProblem, u: int, known: Sequence[_Distances]) -> list[int]:
    """Steps that cell number u may have, by its distance from and to every cell with a known step."""
    n, cell = len(problem.ground), problem.ground.cells[u]
    return [
        step
        for step in range(1, n + 1)
        if not (step == 1 and problem.starts and cell not in problem.starts)
        and not (step == n and problem.ends and cell not in problem.ends)
        and all(each.fits(u, step, problem.closed) for each in known)
    ]


def _known_distances(problem: TourProblem) -> list[_Distances]:
    """The distances from and to the cell of each known step."""
    import networkx

    ground = problem.ground
    ways = [ground.graph, ground.graph.reverse()] if ground.directed else [ground.graph]
    found = []
    for step, cell in problem.known_steps:
        lengths = [networkx.single_source_shortest_path_length(way, cell) for way in ways]
        away = [[each.get(other, len(ground) + 1) for other in ground.cells] for each in lengths]
        found.append(_Distances(step, away[0], away[-1], ground.colours is not None))
    return found


def _move_names(problem: TourProblem) -> Sequence[str]:
    """The names of the moves that are not forbidden."""
    board = problem.ground
    if not problem.forbid:
        return board.move_names
    kept = board.places_of(problem.allowed_edges).tolist()
    return [board.move_names[place] for place in kept]


def _walk(n: int, edges: NDArray[np.int32]) -> NDArray[np.int64]:
    """The vertices in the order of the path or cycle that edges form, from an end or from vertex 0."""
    ends, others = edges.T.ravel(), edges[:, ::-1].T.ravel()
    # From one neighbour the sum of both gives the other.
    sums = np.bincount(ends, others, n).astype(np.int64).tolist()
    if len(edges) < n:
        here, before = int(np.argmin(np.bincount(ends, minlength=n))), 0
    else:
        here = 0
        before = sums[0] - int(others[np.argmax(ends == 0)])
    walk = [here]
    for _ in range(n - 1):
        here, before = sums[here] - before, here
        walk.append(here)
    return np.array(walk, dtype=np.int64)
