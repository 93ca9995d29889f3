"""Solve an instance file and hold the answer against what the file expects."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from ktsolve.engines.registry import engine_named
from ktsolve.engines.solver import ModelSolver, Solved
from ktsolve.engines.through_model import ThroughModel
from ktsolve.errors import BadInput, Refused, WrongAnswer
from ktsolve.model.constraints import Assignment
from ktsolve.model.model import Model
from ktsolve.problem.statistic import Objective
from ktsolve.settings import Settings
from ktsolve.tasks.dispatch import count, find
from ktsolve.tasks.instance import Instance
from ktsolve.tasks.optimise import best

__all__ = ["InstanceAnswer", "model_solver", "solve_instance", "solve_model"]


@dataclass(frozen=True)
class InstanceAnswer:
    """What was found for an instance.

    Attributes
    ----------
    status:
        ``found`` or ``impossible``.
    solution:
        What the model's decoder made of the solution, None if there is none or it was only counted.
    count:
        Number of solutions, where the file expects one.
    engine, seconds:
        Who found out, and how long it took.
    reason:
        Why there is no solution, if arithmetic told.
    disagreement:
        How the answer differs from what the file expects; empty if it does not.
    value, bound:
        For a model with an objective: the value of the solution and the best bound proved. If they are equal,
        the solution is proved to be best.
    """

    status: str
    solution: Any
    count: int | None
    engine: str
    seconds: float
    reason: str = ""
    disagreement: str = ""
    value: int | None = None
    bound: int | None = None


def model_solver(name: str, model: Model) -> ModelSolver:
    """The solver of models of that name; for ``auto`` SAT, or CP-SAT where SAT does not do.

    Raises
    ------
    Refused
        If the engine does not solve models, or not this one.
    """
    names = ("sat", "cpsat") if name == "auto" else (name,)
    for each in names:
        engine = engine_named(each)
        if not isinstance(engine, ThroughModel):
            raise Refused(f"engine {each} reads tour problems only, not models: use sat, cpsat")
        solver = engine.solver()
        if name != "auto" or model.kinds <= solver.kinds:
            solver.require(model)
            return solver
    raise Refused(f"no engine takes all of {', '.join(sorted(model.kinds))}")


def solve_model(model: Model, engine: str = "auto", settings: Settings | None = None) -> Solved:
    """A solution of any model, checked against every constraint.

    Examples
    --------
    >>> model = Model("one of two")
    >>> a, b = model.boolean("a"), model.boolean("b")
    >>> model.exactly(1, [a, b]); model.implies(a, b)
    >>> solve_model(model).assignment
    [False, True]
    """
    solver = model_solver(engine, model)
    solved = solver.solve(model, settings or Settings())
    if solved.assignment is not None:
        _checked(model, solver.name, solved.assignment)
    return solved


def _checked(model: Model, engine: str, assignment: Assignment) -> Assignment:
    broken = model.broken(assignment)
    if broken is not None:
        raise WrongAnswer(
            f"engine {engine} broke a constraint of {model.name}: {broken.text(model.name_of):.200}"
        )
    return assignment


def solve_instance(
    instance: Instance, engine: str = "auto", settings: Settings | None = None
) -> InstanceAnswer:
    """Solve an instance, and count its solutions if the file says how many there are.

    Examples
    --------
    >>> from ktsolve.tasks.instance import load_instance
    >>> answer = solve_instance(load_instance("closed-6x6"))
    >>> answer.status, answer.count, answer.disagreement
    ('found', 9862, '')
    """
    settings = settings or Settings()
    if instance.built.problem is not None:
        return _solve_tour_problem(instance, engine, settings)
    return _solve_model_instance(instance, engine, settings)


def _solve_tour_problem(instance: Instance, engine: str, settings: Settings) -> InstanceAnswer:
    problem = instance.built.problem
    assert problem is not None
    started = time.perf_counter()
    tour, number, reason, names = None, None, "", []
    if instance.built.objective is not None:
        return _solve_for_the_best(instance, instance.built.objective, engine, settings)
    counts_only = engine != "auto" and "construct" not in engine_named(engine).abilities
    if not counts_only:
        answer = find(problem, engine, settings)
        tour, reason = answer.tour, answer.reason
        names.append(answer.engine)
    if counts_only or instance.expect.count is not None:
        counted = count(problem, engine, settings)
        number = counted.count
        names.append(counted.engine)
    status = "found" if tour is not None or number else "impossible"
    return _held_against(
        instance,
        InstanceAnswer(
            status, tour, number, ", ".join(dict.fromkeys(names)), time.perf_counter() - started, reason
        ),
    )


def _solve_for_the_best(
    instance: Instance, objective: Objective, engine: str, settings: Settings
) -> InstanceAnswer:
    problem = instance.built.problem
    assert problem is not None
    if instance.expect.count is not None:
        raise BadInput(f"{instance.path}: expect.count makes no sense with an objective")
    found = best(problem, objective, engine, settings)
    answer = InstanceAnswer(
        "impossible" if found.tour is None else "found",
        found.tour,
        None,
        found.engine,
        found.seconds,
        found.reason,
        value=found.value,
        bound=found.bound,
    )
    return _held_against(instance, answer)


def _solve_model_instance(instance: Instance, engine: str, settings: Settings) -> InstanceAnswer:
    model, decode = instance.built.model, instance.built.decode
    started = time.perf_counter()
    solver = model_solver(engine, model)
    solution, number, value, bound = None, None, None, None
    if instance.expect.count is not None:
        if model.objective is not None:
            raise BadInput(f"{instance.path}: expect.count makes no sense for a model with an objective")
        number = 0
        for assignment in solver.solutions(model, settings):
            _checked(model, solver.name, assignment)
            solution = decode(assignment) if solution is None else solution
            number += 1
        found = number > 0
    else:
        solved = solve_model(model, solver.name, settings)
        found = solved.assignment is not None
        value, bound = solved.value, solved.bound
        solution = decode(solved.assignment) if solved.assignment is not None else None
    status = "found" if found else "impossible"
    seconds = time.perf_counter() - started
    answer = InstanceAnswer(status, solution, number, solver.name, seconds, value=value, bound=bound)
    return _held_against(instance, answer)


def _held_against(instance: Instance, answer: InstanceAnswer) -> InstanceAnswer:
    expect = instance.expect
    differences = []
    if expect.status is not None and answer.status != expect.status:
        differences.append(f"expected {expect.status}, got {answer.status}")
    if expect.count is not None and answer.count != expect.count:
        differences.append(f"expected {expect.count} solutions, got {answer.count}")
    if expect.value is not None and answer.value != expect.value:
        differences.append(f"expected the value {expect.value}, got {answer.value}")
    return replace(answer, disagreement="; ".join(differences))
