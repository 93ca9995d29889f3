"""Knight's tours: a TourProblem as a Model, and solutions of the Model back as tours.

Three forms. Where only *moves* matter (ends, required and forbidden moves, symmetry, corners) there is one
Boolean per undirected move, ``a1-b3``, and a circuit, or a path with Booleans ``end[a1]``, over them. On a
directed graph there is one per arc, ``a>b``, and Booleans ``first[a]`` and ``last[a]`` for open tours. Where
*step numbers* matter (cells at given steps, sums, orders, figures) moves are directed too, and
``at[a1,5]`` tells that a1 is the fifth cell; steps that are too far from a known one, or of the wrong colour,
get no Boolean. Each condition states itself on these Booleans (``ktsolve/problem/conditions/``).

Parameters of an instance: those of :class:`ktsolve.problem.problem.TourProblem`; see docs/instances.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from ktsolve.models import Built

from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.model.constraints import Arcs, Assignment, Deferred, Literal, Literals
from ktsolve.model.model import Model
from ktsolve.problem.conditions.booleans import TourBooleans
from ktsolve.problem.parameters import tour_objective, tour_problem
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import Objective

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["TourModel", "build"]


def build(parameters: Mapping[str, Any]) -> Built:
    """The model of an instance whose ``[parameters]`` state a tour problem."""
    problem = tour_problem(parameters)
    objective = tour_objective(parameters, problem)
    compiled = TourModel(problem, objective)
    return Built(compiled.model, compiled.decode, problem, objective)


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


class _MoveLiterals(Mapping[tuple[int, int], Literal]):
    """The literal of each move, by the places of its cells: a dictionary that is made when all are needed.

    Parameters
    ----------
    edges:
        The moves as pairs of places, sorted.
    numbers:
        The numbers of their literals.
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


class TourModel:
    """A tour problem compiled to a Model.

    Attributes
    ----------
    problem:
        The question.
    model:
        Its Booleans and constraints.
    constant:
        With an objective: what is to be added to the model's value to have the statistic.

    Examples
    --------
    >>> compiled = TourModel(TourProblem(board="3x3", closed=True, forbid=["a1-b3"]))
    >>> compiled.model
    <Model closed 3x3 forbid a1-b3: 7 Booleans, 1 constraint>
    """

    def __init__(self, problem: TourProblem, objective: Objective | None = None) -> None:
        self.problem = problem
        self.model = Model(str(problem))
        self._moves: Mapping[tuple[int, int], Literal] = {}
        self._ends: Sequence[Literal] = ()
        self._steps: list[dict[int, Literal]] = []
        self._step_indexed = problem.step_indexed
        self._has_arcs = self._step_indexed or problem.ground.directed
        if self._has_arcs:
            self._state_arcs()
        else:
            self._state_moves()
        booleans = TourBooleans(
            ground=problem.ground,
            closed=problem.closed,
            first=problem.first,
            last=problem.last,
            model=self.model,
            moves=self._moves,
            end=self._ends,
            steps=self._steps,
        )
        for condition in problem.listed_conditions:
            condition.state(booleans)
        self.constant = 0
        if objective is not None:
            terms, self.constant = objective.statistic.terms(booleans)
            (self.model.minimise if objective.sense == "minimise" else self.model.maximise)(terms)

    # -- moves only -------------------------------------------------------------------------------------

    def _state_moves(self) -> None:
        # In arrays: a large board has a million moves.
        problem, model, board = self.problem, self.model, self.problem.ground
        n, edges = len(board), problem.allowed_edges
        labels = Deferred(n, lambda: map(board.name, board.cells))
        numbers = model.add_booleans(Deferred(len(edges), lambda: _move_names(problem)))
        moves = _MoveLiterals(board, edges, numbers)
        self._moves, arcs = moves, Arcs(edges, numbers)
        model.show(Literals(numbers))
        if problem.closed:
            model.circuit(n, arcs, labels=labels)
        else:
            ends = model.add_booleans(Deferred(n, lambda: (f"end[{label}]" for label in labels)))
            self._ends = Literals(ends)
            model.path(n, arcs, self._ends, labels=labels)

    # -- arcs -------------------------------------------------------------------------------------------

    def _state_arcs(self) -> None:
        problem, model, board = self.problem, self.model, self.problem.ground
        n, labels = len(board), list(map(board.name, board.cells))
        moves: dict[tuple[int, int], Literal] = {}
        arcs: list[tuple[int, int, Literal]] = []
        for (u, v), move in zip(board.edges.tolist(), board.moves, strict=True):
            if move in problem.forbid:
                continue
            for a, b in ((u, v),) if board.directed else ((u, v), (v, u)):
                moves[a, b] = model.boolean(f"{labels[a]}>{labels[b]}")
                arcs.append((a, b, moves[a, b]))
        self._moves = moves
        if self._step_indexed:
            known = self._known_distances()
            for u, label in enumerate(labels):
                allowed = self._possible_steps(u, known)
                self._steps.append({t: model.boolean(f"at[{label},{t}]") for t in allowed})
            model.show(literal for steps in self._steps for literal in steps.values())
        else:
            model.show(self._moves.values())
        first: list[Literal] = []
        last: list[Literal] = []
        if problem.closed:
            if n < 3:  # there and back is a directed circuit, but no tour
                model.clause()
            model.circuit(n, arcs, directed=True, labels=labels)
        else:
            # The extra node n is before the first step and after the last.
            first = [model.boolean(f"first[{label}]") for label in labels]
            last = [model.boolean(f"last[{label}]") for label in labels]
            arcs += [(n, v, first[v]) for v in range(n)] + [(v, n, last[v]) for v in range(n)]
            model.circuit(n + 1, arcs, directed=True, labels=[*labels, "outside"])
        if self._step_indexed:
            self._state_steps(first, last)

    # -- step numbers -----------------------------------------------------------------------------------

    def _state_steps(self, first: Sequence[Literal], last: Sequence[Literal]) -> None:
        """State that vertices of consecutive steps are joined; ``first`` and ``last`` for open tours."""
        model, n, closed = self.model, len(self.problem.ground), self.problem.closed
        for steps, *ends in zip(self._steps, first, last, strict=False):
            for literal, step in zip(ends, (1, n), strict=True):
                if step in steps:
                    model.equal(literal, steps[step])
                else:
                    model.fix(~literal)
        for steps in self._steps:
            model.exactly(1, steps.values())
        for step in range(1, n + 1):
            model.exactly(1, [steps[step] for steps in self._steps if step in steps])
        for (u, v), literal in self._moves.items():
            for step, here in self._steps[u].items():
                after = step % n + 1
                if after == 1 and not closed:
                    model.clause(~literal, ~here)
                elif after in self._steps[v]:
                    there = self._steps[v][after]
                    model.implies((literal, here), there)
                    model.implies((here, there), literal)
                else:
                    model.clause(~literal, ~here)

    def _possible_steps(self, u: int, known: Sequence[_Distances]) -> list[int]:
        """Steps that cell number u may have, by its distance from and to every cell with a known step."""
        problem, n = self.problem, len(self.problem.ground)
        cell = problem.ground.cells[u]
        allowed = []
        for step in range(1, n + 1):
            if (step == 1 and problem.starts and cell not in problem.starts) or (
                step == n and problem.ends and cell not in problem.ends
            ):
                continue
            if all(each.fits(u, step, problem.closed) for each in known):
                allowed.append(step)
        return allowed

    def _known_distances(self) -> list[_Distances]:
        """The distances from and to the cell of each known step."""
        import networkx

        ground = self.problem.ground
        ways = [ground.graph, ground.graph.reverse()] if ground.directed else [ground.graph]
        found = []
        for step, cell in self.problem.known_steps:
            lengths = [networkx.single_source_shortest_path_length(way, cell) for way in ways]
            away = [[each.get(other, len(ground) + 1) for other in ground.cells] for each in lengths]
            found.append(_Distances(step, away[0], away[-1], ground.colours is not None))
        return found

    @property
    def moves(self) -> list[tuple[Literal, ...]]:
        """The literals of each undirected move: it is made if one of them is true, and at most one is."""
        if not self._has_arcs or self.problem.ground.directed:
            return [(literal,) for literal in self._moves.values()]
        return [(there, self._moves[v, u]) for (u, v), there in self._moves.items() if u < v]

    def exclude(self, tour: Tour) -> None:
        """State that a tour is no answer: as numbered where steps matter, else as a set of moves."""
        true = (literal for literal, value in self._assigned(tour).items() if value)
        self.model.clause(*(~literal for literal in true))

    def suggest(self, tour: Tour) -> None:
        """Let an engine that optimises begin with a tour."""
        self.model.suggest(self._assigned(tour))

    def _assigned(self, tour: Tour) -> dict[Literal, bool]:
        """The values of the Booleans of moves and steps for a tour."""
        values: dict[Literal, bool] = {}
        index = self.problem.ground.index
        if self._step_indexed:
            after = list(zip(tour.squares, tour.squares[1:], strict=False))
            if tour.closed:
                after.append((tour.squares[-1], tour.squares[0]))
            made = {(index[a], index[b]) for a, b in after}
            for u, steps in enumerate(self._steps):
                step = tour.step_of[self.problem.ground.cells[u]]
                values |= {literal: t == step for t, literal in steps.items()}
        else:
            made = {(index[a], index[b]) for a, b in tour.moves}
        return values | {literal: move in made for move, literal in self._moves.items()}

    # -- back -------------------------------------------------------------------------------------------

    def decode(self, assignment: Assignment) -> Tour:
        """The tour that a solution of the model describes, numbered as the problem asks."""
        board, n = self.problem.ground, len(self.problem.ground)
        if self._step_indexed:
            order = sorted(
                (step, u)
                for u, steps in enumerate(self._steps)
                for step, literal in steps.items()
                if literal.holds(assignment)
            )
            return Tour.from_indices(board, (u for _, u in order), self.problem.closed)
        if self._has_arcs:
            after = {u: v for (u, v), literal in self._moves.items() if literal.holds(assignment)}
            here = next(iter(set(range(n)) - set(after.values())), 0)
            walk = [here]
            while len(walk) < n:
                walk.append(after[walk[-1]])
            return self.problem.labeled_to_fit(Tour.from_indices(board, walk, self.problem.closed))
        assert isinstance(self._moves, _MoveLiterals)
        made = np.asarray(assignment, dtype=np.bool_)[self._moves.numbers - 1]
        tour = Tour.from_places(board, _walk(n, self._moves.edges[made]), self.problem.closed)
        return self.problem.labeled_to_fit(tour)


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
