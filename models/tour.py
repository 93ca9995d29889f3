"""Knight's tours: a TourProblem as a Model, and solutions of the Model back as tours.

Three forms. Where only *moves* matter (ends, required and forbidden moves, symmetry, corners) there is one
Boolean per undirected move, ``a1-b3``, and a circuit, or a path with Booleans ``end[a1]``, over them. On a
directed graph there is one per arc, ``a>b``, and Booleans ``first[a]`` and ``last[a]`` for open tours. Where
*step numbers* matter (cells at given steps, sums, orders, figures) moves are directed too, and
``at[a1,5]`` is true if a1 is the fifth cell; steps that are too far from a known one, or of the wrong colour,
get no Boolean. Each condition states itself on these Booleans (``ktsolve/problem/conditions/``).

Parameters of an instance: those of :class:`ktsolve.problem.problem.TourProblem`; see docs/instances.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ktsolve.models import Built

from ktsolve.base.limits import Clock
from ktsolve.graphs.tour import Tour
from ktsolve.model.constraints import Assignment, Literal
from ktsolve.model.encode import number
from ktsolve.model.model import Model
from ktsolve.problem.parameters import tour_objective, tour_problem
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import TourObjective
from ktsolve.problem.tour_booleans import arcs_of, booleans_of, labels_of, tour_of, values_of

__all__ = ["TourModel", "build"]


def build(parameters: Mapping[str, Any]) -> Built:
    """The model of an instance whose ``[parameters]`` state a tour problem."""
    problem = tour_problem(parameters)
    objective = tour_objective(parameters, problem)
    compiled = TourModel(problem, objective)
    return Built(compiled.model, compiled.decode, problem, objective)


class TourModel:
    """A tour problem compiled to a Model.

    ``possible`` has the steps that each vertex may have (:func:`.tour_booleans.booleans_of`). With an
    objective, the statistic is the model's value and ``constant``. Raises LimitReached when the clock runs
    out.

    >>> compiled = TourModel(TourProblem(board="3x3", closed=True, forbid=["a1-b3"]))
    >>> compiled.model
    <Model closed 3x3 forbid a1-b3: 7 Booleans, 1 constraint>
    """

    def __init__(
        self,
        problem: TourProblem,
        objective: TourObjective | None = None,
        possible: Sequence[int] | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.problem = problem
        self._clock = clock or Clock(None)
        self.model = model = Model(str(problem))
        self._booleans = booleans = booleans_of(problem, model, possible, self._check)
        n, arcs, labels = len(problem.ground), arcs_of(booleans), labels_of(problem.ground)
        if not booleans.has_direction and problem.closed:
            model.circuit(n, arcs, labels=labels)
        elif not booleans.has_direction:
            model.path(n, arcs, booleans.end, labels=labels)
        elif problem.closed:
            if n < 3:  # there and back is a directed circuit, but no tour
                model.clause()
            model.circuit(n, arcs, directed=True, labels=labels)
        else:
            # The extra node n is before the first step and after the last.
            begins = [(n, v, literal) for v, literal in enumerate(booleans.starts)]
            ends = [(v, n, literal) for v, literal in enumerate(booleans.stops)]
            model.circuit(n + 1, [*arcs, *begins, *ends], directed=True, labels=[*labels, "outside"])
        if booleans.steps:
            self._state_steps()
        for condition in problem.listed_conditions:
            condition.state(booleans)
            self._check()
        self.constant = 0
        if objective is not None:
            terms, self.constant = objective.statistic.terms(booleans)
            (model.minimise if objective.sense == "minimise" else model.maximise)(terms)

    def _check(self) -> None:
        self._clock.check("while the model was stated")

    def _state_steps(self) -> None:
        """State that each vertex has a step, each step a vertex, and moves join consecutive steps."""
        model, booleans, n = self.model, self._booleans, len(self.problem.ground)
        for steps, *ends in zip(booleans.steps, booleans.starts, booleans.stops, strict=False):
            for literal, step in zip(ends, (1, n), strict=True):
                if step in steps:
                    model.equal(literal, steps[step])
                else:
                    model.fix(~literal)
        for steps in booleans.steps:
            model.exactly(1, steps.values())
            self._check()
        for step in range(1, n + 1):
            model.exactly(1, [steps[step] for steps in booleans.steps if step in steps])
            self._check()
        # If a move is made and its cell has a step, the next cell has the next step; and if they have these
        # steps, the move is made.
        at = [{step: number(literal) for step, literal in each.items()} for each in booleans.steps]
        clauses: list[tuple[int, ...]] = []
        for (u, v), literal in booleans.moves.items():
            made = number(literal)
            for step, here in at[u].items():
                there = at[v].get(step % n + 1)
                if there is None or (step == n and not self.problem.closed):
                    clauses.append((-made, -here))
                else:
                    clauses += [(-made, -here, there), (-here, -there, made)]
            self._check()
        model.add_clauses(clauses)

    @property
    def moves(self) -> list[tuple[Literal, ...]]:
        """The literals of each undirected move: it is made if one of them is true, and at most one is."""
        moves = self._booleans.moves
        if self.problem.ground.directed or not self._booleans.steps:
            return [(literal,) for literal in moves.values()]
        return [(there, moves[v, u]) for (u, v), there in moves.items() if u < v]

    def exclude(self, tour: Tour) -> None:
        """State that a tour is not an answer: as numbered where steps matter, else as a set of moves."""
        true = (literal for literal, value in values_of(self._booleans, tour).items() if value)
        self.model.clause(*(~literal for literal in true))

    def suggest(self, tour: Tour) -> None:
        """Let an engine that optimises begin with a tour."""
        self.model.suggest(values_of(self._booleans, tour))

    def decode(self, assignment: Assignment) -> Tour:
        """The tour that a solution of the model describes, labeled as the problem asks."""
        return tour_of(self._booleans, self.problem, assignment)
