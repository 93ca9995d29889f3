"""Questions in plain data, for ``brute_force.py``, drawn at random, and the same questions to ktsolve."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import brute_force
from brute_force import Condition, Ground, Walk

from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem import conditions as named
from ktsolve.problem.conditions.figure import Figure
from ktsolve.problem.conditions.moves import Run
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import Statistic


@dataclass(frozen=True)
class Shape:
    """A board by its sides, leaper, wrap and holes."""

    rows: int
    columns: int
    leaper: tuple[int, int] = (1, 2)
    wrap: str = "none"
    holes: tuple[tuple[int, int], ...] = ()

    def plain(self) -> Ground:
        return brute_force.board(self.rows, self.columns, self.leaper, self.wrap, self.holes)

    def ground(self) -> Graph:
        return Board(self.rows, self.columns, frozenset(self.holes), self.leaper, self.wrap)


@dataclass(frozen=True)
class Network:
    """A graph by its names and weighted edges, or arcs."""

    names: tuple[str, ...]
    edges: tuple[tuple[str, str, int], ...]
    directed: bool

    def plain(self) -> Ground:
        weights = {(a, b): weight for a, b, weight in self.edges}
        return brute_force.graph(self.names, weights, directed=self.directed)

    def ground(self) -> Graph:
        pairs = [(a, b) for a, b, _ in self.edges]
        return Graph(self.names, pairs, directed=self.directed, weights=[w for *_, w in self.edges])


@lru_cache(maxsize=64)
def all_walks(shape: Shape | Network, closed: bool) -> tuple[Walk, ...]:
    """All tours of a ground, found once as long as it is one of the last that were asked for."""
    return tuple(brute_force.tours(shape.plain(), closed))


def stated(condition: Condition, ground: Graph) -> named.Condition:
    """A condition in plain data as ktsolve states it."""
    name, *given = condition
    kind: Callable[..., named.Condition] = {"Figure": Figure, "Run": Run}.get(name) or getattr(named, name)
    cell = ground.cell
    if name in ("Start", "End"):
        return kind(frozenset(map(cell, given)))
    if name in ("Require", "Forbid"):
        return kind(ground.move((cell(given[0]), cell(given[1]))))
    if name == "Order":
        return kind(tuple(map(cell, given)))
    if name == "Run":
        return kind(frozenset(map(cell, given[0])))
    if name == "Figure":
        return kind(given[0], given[1], frozenset(map(cell, given[2])))
    if name == "CellSum":
        return kind(frozenset(map(cell, given[1:])), given[0])
    if name == "At":
        return kind(given[0], cell(given[1]))
    if name == "StepRange":
        return kind(cell(given[0]), *given[1:])
    if name == "Bound":
        statistic, least, most, *moves = given
        made = [ground.move((cell(a), cell(b))) for a, b in moves]
        return kind(Statistic.made(statistic, ground, made), least, most)
    return kind(*given)


def problem_of(shape: Shape | Network, closed: bool, conditions: Iterable[Condition]) -> TourProblem:
    """The question as ktsolve states it. Raises BadInput where it refuses the question."""
    ground = shape.ground()
    return TourProblem(board=ground, closed=closed, conditions=[stated(each, ground) for each in conditions])


def moves_of(tour: Tour) -> frozenset[Any]:
    """The moves that a tour makes, as ``brute_force.py`` writes them."""
    cells = tour.squares if isinstance(tour.ground, Board) else tour.labels
    pairs = [*pairwise(cells), *([(cells[-1], cells[0])] if tour.closed else [])]
    return frozenset(pair if tour.ground.directed else frozenset(pair) for pair in pairs)


def kinds_on(ground: Ground) -> list[tuple[str, ...]]:
    """The conditions, bounds with their statistics, that a ground takes."""
    kinds: list[tuple[str, ...]] = []
    for name in brute_force.CONDITIONS:
        if name == "Bound":
            for statistic in brute_force.STATISTICS:
                if statistic == "weight" and not ground.weights:
                    continue
                if statistic in ("moves", "weight") or (ground.rows and ground.flat):
                    kinds.append((name, statistic))
        elif name == "Figure":
            shapes = ("row", "column") if ground.rows else ()
            kinds += [(name, shape) for shape in (*shapes, "cells", "path", "circuit")]
        elif name == "EqualSums":
            if len(ground.after) == ground.rows * ground.columns:
                kinds += [(name, "rows"), (name, "columns")]
                kinds += [(name, "diagonals")] if ground.rows == ground.columns else []
        elif name not in ("Symmetric", "Corner") or ground.rows:
            kinds.append((name,))
    return kinds


def drawn(
    chance: random.Random, ground: Ground, model: Walk | None, closed: bool, kind: tuple[str, ...]
) -> Condition:
    """A condition of a kind, true for the model, or for a random order of the cells if there is none."""
    cells = list(model.cells) if model else chance.sample(ground.cells, len(ground.after))
    walk = model or Walk(ground, tuple(cells), closed)
    size, step_of = len(cells), walk.step_of
    some = chance.sample(cells, min(size, chance.choice((1, 2, 2, 3, 4))))
    all_moves = [(a, b) for a in ground.cells for b in ground.after[a] if ground.directed or a < b]
    name = kind[0]
    if name in ("Start", "End"):
        end = cells[0] if name == "Start" else cells[-1]
        return name, *{end, *(some if chance.random() < 0.5 else ())}
    if name == "Require":
        return name, *chance.choice(walk.steps if model and chance.random() < 0.8 else all_moves)
    if name == "Forbid":
        return name, *chance.choice(all_moves)
    if name == "Symmetric":
        return name, chance.choice(("rot180", "rot180", "flip-h", "flip-v", "rot90"))
    if name == "Corner":
        return name, chance.choice(("tl", "tr", "bl", "br"))
    if name == "Run":
        at, long = chance.randrange(size), min(size, chance.choice((2, 3, 3, 4, 5)))
        # Elsewhere than in one stretch at times, so that some tours fail; a closed tour's may pass its end.
        stretch = (cells * 2)[at : at + long] if closed or at + long <= size else cells[:long]
        return name, tuple(sorted(stretch if chance.random() < 0.8 else {*stretch[:1], *some}))
    if name == "Bound":
        moves = chance.sample(all_moves, min(len(all_moves), 3)) if kind[1] == "moves" else []
        value = brute_force.STATISTICS[kind[1]](walk, tuple(moves)) if model else chance.randrange(size + 1)
        bounds = chance.choice(((value, None), (None, value), (value, value)))
        return name, kind[1], *bounds, *moves
    if name == "At":
        return name, step_of[some[0]], some[0]
    if name == "EqualSums":
        return kind
    if name == "StepRange":
        step = step_of[some[0]]
        return name, some[0], max(1, step - chance.randrange(3)), min(size, step + chance.randrange(3))
    if name == "Order":
        return name, *sorted(some, key=step_of.__getitem__)
    if name == "Figure":
        return figure(chance, walk, kind[1], some)
    assert name == "CellSum", f"draw parameters for the condition {name}"
    return name, sum(step_of[cell] for cell in some), *some


def figure(chance: random.Random, walk: Walk, shape: str, some: Sequence[Any]) -> Condition:
    """A figure that the walk may show: two or three of its steps."""
    step_of = walk.step_of
    if shape in ("row", "column"):
        axis = int(shape == "column")
        line = [cell for cell in walk.cells if cell[axis] == some[0][axis]]
        steps = sorted(
            step_of[cell] for cell in chance.sample(line, min(len(line), chance.choice((2, 2, 3))))
        )
        return "Figure", tuple(steps), shape, ()
    if shape == "cells":
        more = chance.sample(walk.cells, min(len(walk.cells), 3))
        return "Figure", tuple(sorted(step_of[cell] for cell in some)), shape, tuple({*some, *more})
    first = chance.choice(walk.cells)
    near = [step_of[cell] for cell in walk.ground.after[first]]
    steps = sorted({step_of[first], *chance.sample(near, min(len(near), 1 if shape == "circuit" else 2))})
    return "Figure", tuple(steps), shape, ()
