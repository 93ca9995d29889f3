"""Solve an instance file and compare the answer with the one that the file expects."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ktsolve.engines.registry import engine_named, model_solver
from ktsolve.errors import BadInput
from ktsolve.settings import Settings
from ktsolve.tasks.answer import BaseAnswer, timed
from ktsolve.tasks.count import count
from ktsolve.tasks.find import find
from ktsolve.tasks.instance import Instance
from ktsolve.tasks.models import checked_solution, solve
from ktsolve.tasks.optimise import best

__all__ = ["InstanceAnswer", "solve_instance", "solve_model"]


@dataclass(frozen=True)
class InstanceAnswer(BaseAnswer):
    """The answer to an instance.

    Attributes
    ----------
    solved:
        Whether there is a solution.
    solution:
        The solution as the model decodes it; None if there is none or it was only counted.
    count:
        Number of solutions, where the file expects one.
    disagreement:
        The difference from the answer that the file expects; empty if there is none.
    value, bound:
        For a model with an objective: the value of the solution and the best bound proved. If they are equal,
        the solution is proved to be best.
    """

    solved: bool
    solution: Any
    count: int | None = None
    disagreement: str = ""
    value: int | None = None
    bound: int | None = None

    @property
    def found(self) -> bool:
        """Whether there is a solution."""
        return self.solved


solve_model = solve
"""Its name before it was one of ``import ktsolve``."""


@timed
def solve_instance(
    instance: Instance, engine: str = "auto", settings: Settings | None = None
) -> InstanceAnswer:
    """Solve an instance, and count its solutions if the file states their number.

    Examples
    --------
    >>> from ktsolve.tasks.instance import load_instance
    >>> answer = solve_instance(load_instance("closed-6x6"))
    >>> answer.status, answer.count, answer.disagreement
    ('found', 9862, '')
    """
    answered = _solve_model if instance.built.problem is None else _solve_tour_problem
    answer = answered(instance, engine, settings or Settings())
    return replace(answer, disagreement=_difference(instance, answer))


def _solve_tour_problem(instance: Instance, engine: str, settings: Settings) -> InstanceAnswer:
    problem, objective = instance.built.problem, instance.built.objective
    assert problem is not None
    if objective is not None:
        if instance.expect.count is not None:
            raise BadInput(f"{instance.path}: expect.count makes no sense with an objective")
        found = best(problem, objective, engine, settings)
        answer = InstanceAnswer(found.found, found.tour, engine=found.engine, reason=found.reason)
        return replace(answer, value=found.value, bound=found.bound)
    tour, number, reason, names = None, None, "", []
    counts_only = engine != "auto" and "construct" not in engine_named(engine).capabilities
    if not counts_only:
        one = find(problem, engine, settings)
        tour, reason = one.tour, one.reason
        names.append(one.engine)
    if counts_only or instance.expect.count is not None:
        counted = count(problem, engine, settings)
        number = counted.count
        names.append(counted.engine)
    solved = tour is not None or bool(number)
    return InstanceAnswer(solved, tour, number, engine=", ".join(dict.fromkeys(names)), reason=reason)


def _solve_model(instance: Instance, engine: str, settings: Settings) -> InstanceAnswer:
    model, decode = instance.built.model, instance.built.decode
    solver = model_solver(engine, model)
    if instance.expect.count is None:
        solved = solve(model, solver.name, settings)
        found = solved.assignment is not None
        solution = decode(solved.assignment) if solved.assignment is not None else None
        return InstanceAnswer(found, solution, value=solved.value, bound=solved.bound, engine=solver.name)
    if model.objective is not None:
        raise BadInput(f"{instance.path}: expect.count makes no sense for a model with an objective")
    solution, number = None, 0
    for assignment in solver.solutions(model, settings):
        checked_solution(model, solver.name, assignment)
        solution = decode(assignment) if solution is None else solution
        number += 1
    return InstanceAnswer(number > 0, solution, number, engine=solver.name)


def _difference(instance: Instance, answer: InstanceAnswer) -> str:
    expect = instance.expect
    differences = []
    if expect.status is not None and answer.status != expect.status:
        differences.append(f"expected {expect.status}, got {answer.status}")
    if expect.count is not None and answer.count != expect.count:
        differences.append(f"expected {expect.count} solutions, got {answer.count}")
    if expect.value is not None and answer.value != expect.value:
        differences.append(f"expected the value {expect.value}, got {answer.value}")
    return "; ".join(differences)
