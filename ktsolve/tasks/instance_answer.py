"""Solve an instance file and compare the answer with the one that the file expects."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from typing import Any

from ktsolve.base.errors import BadInput, WrongAnswer
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.auto import model_solver
from ktsolve.engines.registry import engine_named
from ktsolve.model.constraints import Literal
from ktsolve.model.model import Model
from ktsolve.tasks.answer import BaseAnswer, timed
from ktsolve.tasks.best import best
from ktsolve.tasks.count import count
from ktsolve.tasks.counting.models import count_solutions
from ktsolve.tasks.explain import find_conflict, unsat_core
from ktsolve.tasks.find import find
from ktsolve.tasks.instance import Instance
from ktsolve.tasks.list import find_all
from ktsolve.tasks.solve import solutions, solve

__all__ = ["InstanceAnswer", "Wanted", "assumed", "solve_instance"]


@dataclass(frozen=True)
class InstanceAnswer(BaseAnswer):
    """The answer to an instance.

    Attributes
    ----------
    solved:
        Whether there is a solution.
    solution:
        The solution as the model decodes it; None if none exists or it was only counted.
    count:
        Number of solutions, where the file expects one.
    disagreement:
        The difference from the answer that the file expects; empty if none exists.
    value, bound:
        For a model with an objective: the value of the solution and the best bound proved. If they are equal,
        the solution is proved to be best.
    values, bounds:
        The same of all objectives, if there are several.
    solutions:
        The solutions that were asked for, as the model decodes them.
    core:
        Without a solution, if it was asked for: names of constraints that conflict.
    core_text:
        The same as a sentence.
    """

    solved: bool
    solution: Any
    count: int | None = None
    disagreement: str = ""
    value: int | None = None
    bound: int | None = None
    values: tuple[int, ...] = ()
    bounds: tuple[int | None, ...] = ()
    solutions: tuple[Any, ...] = ()
    core: tuple[str, ...] | None = None
    core_text: str = ""

    @property
    def found(self) -> bool:
        """Whether there is a solution."""
        return self.solved


@dataclass(frozen=True)
class Wanted:
    """What is asked of an instance besides one solution.

    Attributes
    ----------
    count:
        The number of solutions.
    number:
        So many solutions.
    core:
        Constraints that conflict, if there is no solution.
    assume:
        Values of variables: ``name``, ``not name`` or ``name=value``.
    """

    count: bool = False
    number: int | None = None
    core: bool = False
    assume: tuple[str, ...] = ()


@timed
def solve_instance(
    instance: Instance,
    engine: str = "auto",
    settings: Settings | None = None,
    wanted: Wanted | None = None,
) -> InstanceAnswer:
    """Solve an instance, and count its solutions if the file states their number.

    Parameters
    ----------
    instance:
        The instance.
    engine:
        Name of the engine, or ``auto``.
    settings:
        Limits and threads; the defaults if None.
    wanted:
        What is wanted besides one solution.

    Returns
    -------
    InstanceAnswer
        The answer.

    Raises
    ------
    Refused
        If the engine cannot take the instance.
    LimitReached
        If time or memory ran out first.

    Examples
    --------
    >>> from ktsolve.tasks.instance import load_instance
    >>> answer = solve_instance(load_instance("closed-6x6"))
    >>> answer.status, answer.count, answer.disagreement
    ('found', 9862, '')
    """
    answered = _solve_model if instance.built.problem is None else _solve_tour_problem
    answer = answered(instance, engine, Settings.of(settings), wanted or Wanted())
    return replace(answer, disagreement=_difference(instance, answer))


def _solve_tour_problem(
    instance: Instance, engine: str, settings: Settings, wanted: Wanted
) -> InstanceAnswer:
    problem, objective = instance.built.problem, instance.built.objective
    assert problem is not None
    clock = Clock(settings)
    if wanted.assume:
        raise BadInput(f"--assume is for models, but {instance.path} asks for tours: state conditions there")
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
    if counts_only or wanted.count or instance.expect.count is not None:
        counted = count(problem, engine, settings)
        number = counted.count
        names.append(counted.engine)
    solved = tour is not None or bool(number)
    made = InstanceAnswer(solved, tour, number, engine=", ".join(dict.fromkeys(names)), reason=reason)
    if wanted.number is not None and solved:
        listed = find_all(problem, engine, clock.within(settings), number=wanted.number)
        made = replace(made, solutions=tuple(listed))
    if wanted.core and not solved:
        conflict = find_conflict(problem, settings=clock.within(settings))
        made = replace(made, core=conflict.texts, core_text=str(conflict))
    return made


def _solve_model(instance: Instance, engine: str, settings: Settings, wanted: Wanted) -> InstanceAnswer:
    model, decode = instance.built.model, instance.built.decode
    clock = Clock(settings)
    if wanted.assume:
        model = model.copy()
        for text in wanted.assume:
            model.add(assumed(model, text), name=f"assume {text}")
    if model.objective is not None and (instance.expect.count is not None or wanted.number):
        what = "--number" if wanted.number else "expect.count"
        raise BadInput(f"{instance.path}: {what} makes no sense for a model with an objective")
    number, found, answer = None, [], None
    names: list[str] = []
    if wanted.number is not None:
        listed = solutions(model, engine, settings, number=wanted.number)
        found = [decode(each.assignment) for each in listed]
        names.append(model_solver(engine, model).name)
    else:
        answer = solve(model, "auto" if engine == "sharpsat" else engine, settings, keep=True)
        found = [] if answer.assignment is None else [decode(answer.assignment)]
        names.append(answer.engine)
    if wanted.count or instance.expect.count is not None:
        number = 0
        if found:
            counted = count_solutions(model, engine, clock.within(settings))
            number = counted.count
            names.append(counted.engine)
    made = InstanceAnswer(
        bool(found), found[0] if found else None, number, engine=", ".join(dict.fromkeys(names))
    )
    if wanted.number is not None:
        made = replace(made, solutions=tuple(found))
    if answer is not None:
        made = replace(made, value=answer.value, bound=answer.bound)
        if len(answer.values) > 1:
            made = replace(made, values=answer.values, bounds=answer.bounds)
    if wanted.core and not found:
        core = unsat_core(model, "auto" if engine == "sharpsat" else engine, clock.within(settings))
        if core is None:
            raise WrongAnswer(f"engine sat finds a solution of {model.name}, {made.engine} none")
        made = replace(made, core=core.names, core_text=str(core))
    return made


def assumed(model: Model, text: str) -> Any:
    """The condition that a text such as ``a``, ``not a`` or ``x=3`` states.

    Parameters
    ----------
    model:
        The model.
    text:
        The condition.

    Returns
    -------
    Any
        A literal or a comparison.

    Raises
    ------
    BadInput
        If the text is not understood.

    Examples
    --------
    >>> model = Model()
    >>> a, x = model.boolean("a"), model.integer("x", 0, 9)
    >>> assumed(model, "not a") == ~a, assumed(model, "x = 3")
    (True, x = 3)
    """
    name, negated = text.strip(), False
    if not model.has(name) and name.startswith("not "):
        name, negated = name[4:].strip(), True
    value = ""
    if not model.has(name) and "=" in name:
        name, _, value = (part.strip() for part in name.rpartition("="))
    if not model.has(name):
        close = difflib.get_close_matches(name, model.names, 1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise BadInput(f"--assume {text}: the model has no variable {name!r:.40}{hint}")
    variable = model[name]
    if isinstance(variable, Literal):
        truth = {"": True, "1": True, "true": True, "0": False, "false": False}.get(value.lower())
        if truth is None:
            raise BadInput(f"--assume {text}: {name} is a Boolean: give {name}, or not {name}")
        return variable if truth != negated else ~variable
    if negated or not re.fullmatch(r"[-+]?\d{1,18}", value):
        raise BadInput(
            f"--assume {text}: {name} is an integer: give {name}=VALUE, such as {name}={variable.low}"
        )
    return variable == int(value)


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
