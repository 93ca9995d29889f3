"""Solve models: one solution, the best one, or all, checked against every constraint."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from ktsolve.base.errors import BadInput, LimitReached, WrongAnswer
from ktsolve.base.limits import Clock, Settings, takes_settings
from ktsolve.base.text import check_kind
from ktsolve.engines.auto import model_solver, model_solvers
from ktsolve.engines.race import Beside, Optimum, improving
from ktsolve.engines.registry import solver_named
from ktsolve.engines.solver import ModelSolver, Solved
from ktsolve.graphs.card import Card, Carded
from ktsolve.model.constraints import Assignment, Literal
from ktsolve.model.expressions import Formula, Sum
from ktsolve.model.model import Model
from ktsolve.model.variables import all_literals
from ktsolve.tasks.answer import EXHAUSTED, BaseAnswer, timed

__all__ = ["ModelAnswer", "Solution", "solutions", "solve"]

_TRIED = 20_000  # variables and constraints of a model up to which a second engine has a trial
_MOST_SHOWN = 12  # variables whose values the representation of an answer shows


class _Values:
    """Values of a model's variables, by variable, expression, array or name."""

    assignment: Assignment | None
    model: Model

    def __getitem__(self, what: Any) -> Any:
        """Return the value of a variable, an expression, the name of a variable, or a list of such things.

        A list, a tuple or an array gives a list, a tuple or an array of the same shape, a dictionary one with
        the same keys.

        Raises
        ------
        BadInput
            If there is no solution, or something has no value.
        """
        if self.assignment is None:
            raise BadInput("there is no solution, so nothing has a value: look at .found first")
        return _value(what, self.model, self.assignment)

    def _shown(self, most: int | None = None) -> str:
        """The true Booleans that are shown, and the values of other variables, as text."""
        assignment = self.assignment
        assert assignment is not None
        parts = []
        for each in self.model.shown:
            value = assignment[each.number]
            name = self.model.names[each.number]
            if isinstance(value, bool):
                parts += [name] * value
            else:
                parts.append(f"{name}={value}")
        more = 0 if most is None else max(0, len(parts) - most)
        kept = ", ".join(parts[: len(parts) - more]) or "all false"
        return f"{kept} and {more:,} more" if more else kept


def _value(what: Any, model: Model, assignment: Assignment) -> Any:
    if isinstance(what, Literal):
        if not 0 <= what.number < len(assignment):
            raise BadInput(
                f"Boolean number {what.number} is not one of the model's {len(assignment)} variables"
            )
        return what.holds(assignment)
    if isinstance(what, str):
        return _value(model[what], model, assignment)
    if isinstance(what, int):  # as the value of a constant in an expression
        return what
    if isinstance(what, Formula):
        return what.holds(assignment)
    for method in ("value", "holds"):
        if callable(found := getattr(what, method, None)):
            return found(assignment)
    if isinstance(what, Mapping):
        return {key: _value(each, model, assignment) for key, each in what.items()}
    if isinstance(what, list | tuple):
        return type(what)(_value(each, model, assignment) for each in what)
    if hasattr(what, "shape") and hasattr(what, "flat"):
        import numpy as np

        members = what.ravel().tolist()
        if all_literals(members) and all(0 <= number < len(assignment) for number, _ in members):
            values = [bool(assignment[number]) is positive for number, positive in members]
        else:
            values = [_value(each, model, assignment) for each in members]
        return np.array(values).reshape(what.shape)
    raise BadInput(
        f"{what!r:.60} has no value: give a variable of the model, an expression, or a list of such"
    )


@dataclass(frozen=True, repr=False)
class Solution(_Values):
    """A solution of a model.

    Attributes
    ----------
    assignment:
        The value of each variable.
    model:
        The model.

    Examples
    --------
    >>> model = Model()
    >>> a, b = model.booleans(["a", "b"])
    >>> model.implies(a, b)
    >>> for each in solutions(model, "cpsat"):
    ...     print(each, each[a], each[[a, ~b]])
    all false False [False, True]
    b False [False, False]
    a, b True [True, False]
    """

    assignment: Assignment
    model: Model

    def __str__(self) -> str:
        return self._shown()

    def __repr__(self) -> str:
        return f"<Solution: {self._shown(_MOST_SHOWN)}>"


@dataclass(frozen=True, repr=False)
class ModelAnswer(_Values, Carded, BaseAnswer):
    """A solution of a model, or the proof that none exists.

    Attributes
    ----------
    assignment:
        The value of each variable; None if there is no solution. ``answer[x]`` is the value of a variable,
        an expression, or an array of these.
    value, bound:
        With an objective: the value of the solution and the best bound proved.
    values, bounds:
        The same of all objectives, the first one first; a bound is None where nothing is known.
    core:
        Without a solution: those of the assumptions that no solution satisfies together; empty if there is
        no solution without assumptions either.
    model:
        The model.
    """

    assignment: Assignment | None
    value: int | None = None
    bound: int | None = None
    core: tuple[Literal, ...] = ()
    values: tuple[int, ...] = ()
    bounds: tuple[int | None, ...] = ()
    model: Model = field(kw_only=True)

    @property
    def found(self) -> bool:
        """Whether there is a solution."""
        return self.assignment is not None

    @property
    def optimal(self) -> bool:
        """Whether there is an objective and it is proved that no solution is better."""
        return bool(self.values) and self.values == self.bounds

    @property
    def gap(self) -> int | None:
        """The difference of value and bound; None if there is no bound."""
        return None if self.value is None or self.bound is None else abs(self.value - self.bound)

    @property
    def status(self) -> str:
        """``optimal``, ``found`` or ``impossible``."""
        return "optimal" if self.optimal else super().status

    def __str__(self) -> str:
        if self.assignment is not None:
            return self._shown()
        if not self.core:
            return "no solution"
        return f"no solution with {' and '.join(map(self.model.name_of, self.core))}"

    def __repr__(self) -> str:
        shown = str(self) if self.assignment is None else self._shown(_MOST_SHOWN)
        value = "".join(f" {each}" for each in self.values)
        return f"<{self.status}{value}: {shown}; {self.work_text}>"

    def _card(self) -> Card:
        facts = []
        if self.assignment is not None:
            facts.append(("solution", self._shown(_MOST_SHOWN)))
        elif self.core:
            facts.append(("conflict", ", ".join(map(self.model.name_of, self.core))))
        named = ("value", *(f"value {place}" for place in range(2, len(self.values) + 1)))
        for name, value, bound in zip(named, self.values, self.bounds, strict=False):
            proof = "proved best" if value == bound else f"bound {bound}"
            facts.append((name, f"{value}, {proof}"))
        title = "Solution" if self.found else "No solution"
        return Card(f"{title} of {self.model.name}", (*facts, *self._facts))


def checked_solution(
    model: Model, engine: str, assignment: Assignment, assumptions: Iterable[Literal] = ()
) -> Assignment:
    """The assignment after a check of constraints and assumptions. Raises WrongAnswer with the engine."""
    broken = model.broken(assignment)
    if broken is not None:
        raise WrongAnswer(
            f"engine {engine} broke a constraint of {model.name}: {broken.text(model.name_of):.200}"
        )
    if not all(each.holds(assignment) for each in assumptions):
        raise WrongAnswer(f"engine {engine} gave a solution that contradicts an assumption")
    return assignment


def checked_assumptions(model: Model, assumptions: Iterable[Literal]) -> tuple[Literal, ...]:
    """The assumptions, each once. Raises BadInput if one is not a literal of the model."""
    given = tuple(dict.fromkeys(assumptions))
    for each in given:
        if not isinstance(each, Literal):
            raise BadInput(
                f"an assumption is {each!r:.60}, but must be a Boolean of the model or its negation"
            )
        if not 0 <= each.number < len(model):
            raise BadInput(f"an assumption is Boolean number {each.number}, but the model has {len(model)}")
    return given


@takes_settings
@timed
def solve(
    model: Model,
    engine: str = "auto",
    settings: Settings | None = None,
    *,
    assumptions: Iterable[Literal] = (),
    keep: bool = False,
    on_solution: Callable[[ModelAnswer], object] | None = None,
    on_bound: Callable[[int], object] | None = None,
) -> ModelAnswer:
    """Find a solution of a model, or prove that none exists; with an objective, the best solution.

    The solution is checked against every constraint. When time runs out before a solution is proved best, the
    best so far is given, with the best bound known.

    Parameters
    ----------
    model:
        The model.
    engine:
        ``sat``, ``cpsat`` or ``auto``.
    settings:
        Limits and threads; the defaults if None.
    assumptions:
        Literals that the solution makes true. If there is none, :attr:`ModelAnswer.core` has those of them
        that are in conflict.
    keep:
        With an objective: return the best solution so far at Ctrl-C, as at a limit, instead of raising
        KeyboardInterrupt.
    on_solution:
        Called with each better solution as soon as it is found and checked; its ``value`` and ``bound`` are
        those known then. If it returns True, the search ends with this solution.
    on_bound:
        Called with each better bound that is proved for the objective; for the next objective after the one
        before is settled. If it returns True, the search ends with the best solution so far, if there is one.

    Returns
    -------
    ModelAnswer
        The values, or that there are none.

    Raises
    ------
    Refused
        If the engine does not take a constraint of the model.
    LimitReached
        If time or memory ran out before any solution was found.

    Examples
    --------
    >>> model = Model("one of two")
    >>> a, b = model.booleans("ab")
    >>> model.exactly(1, [a, b]); model.implies(a, b)
    >>> answer = solve(model)
    >>> answer.status, answer[a], answer[b]
    ('found', False, True)
    >>> solve(model, assumptions=[a]).core == (a,)
    True
    >>> x = model.integer("x", 0, 100)
    >>> model.maximise(x)
    >>> solve(model, "cpsat", on_solution=lambda better: better.value >= 1).value >= 1
    True
    """
    check_kind(model, Model, "a ktsolve.Model: ktsolve.find and ktsolve.count take boards and graphs")
    given = checked_assumptions(model, assumptions)
    solvers = model_solvers(engine, model)
    settings = Settings.of(settings)
    callbacks = _Callbacks(model, given, on_solution, on_bound)
    name, solved, bounds = _best(callbacks, solvers, settings, keep)
    return _answered(model, name, solved, given, bounds)


def _answered(
    model: Model,
    name: str,
    solved: Solved,
    given: tuple[Literal, ...],
    bounds: tuple[int | None, ...] = (),
) -> ModelAnswer:
    """The answer, checked, with the values of all objectives."""
    values: tuple[int, ...] = ()
    if solved.assignment is not None:
        checked_solution(model, name, solved.assignment, given)
        values = tuple(each.total.value(solved.assignment) for each in model.objectives)
    return ModelAnswer(
        solved.assignment,
        value=values[0] if values else None,
        bound=bounds[0] if values else None,
        core=solved.core,
        values=values,
        bounds=bounds if values else (),
        model=model,
        engine=name,
        reason="" if solved.assignment is not None else EXHAUSTED,
    )


@dataclass
class _Callbacks:
    """A search for the best solution, and the callbacks for each better solution and bound."""

    model: Model
    given: tuple[Literal, ...]
    on_solution: Callable[[ModelAnswer], object] | None
    on_bound: Callable[[int], object] | None
    best: Assignment | None = None
    bound: int | None = None

    def stops(self, name: str, best: Assignment | None, bounds: list[int | None], place: int) -> bool:
        """Call back with a better solution or bound of an objective; whether a callback stops the search."""
        stopped = False
        if best is not None and best is not self.best and self.on_solution is not None:
            answer = _answered(self.model, name, Solved(best), self.given, tuple(bounds))
            stopped = self.on_solution(answer) is True
        bound = bounds[place]
        if bound is not None and bound != self.bound and self.on_bound is not None:
            stopped |= self.on_bound(bound) is True and best is not None
        self.best, self.bound = best, bound
        return stopped


@dataclass(frozen=True)
class _ModelOptimisation:
    """The best solution of a model as an :class:`~ktsolve.engines.race.Optimisation`."""

    model: Model
    assumptions: tuple[Literal, ...]

    def __str__(self) -> str:
        return self.model.name

    @property
    def least(self) -> bool:
        """Whether the least value is wanted."""
        objective = self.model.objective
        return objective is None or objective.sense == "minimise"

    def read(self, _name: str, solution: Assignment) -> tuple[Assignment, int]:
        """The solution and its value, 0 without an objective; only the last one is checked."""
        objective = self.model.objective
        return solution, 0 if objective is None else objective.total.value(solution)

    def improving(self, name: str, settings: Settings, start: Assignment | None) -> Iterator[Solved]:
        """Better and better solutions of a solver; without an objective one, with the bound 0."""
        model = self.model
        if model.objective is None:
            yield replace(solver_named(name).satisfy(model, settings, self.assumptions), bound=0)
            return
        if start is not None:
            model = model.copy()
            model.suggest({model.variable(number): start[number] for number in range(len(model))})
        yield from solver_named(name).improving(model, settings, self.assumptions)


def _best(
    callbacks: _Callbacks, solvers: list[ModelSolver], settings: Settings, keep: bool
) -> tuple[str, Solved, tuple[int | None, ...]]:
    """The engine, the best solution by all objectives, one after the other, and the bounds of each."""
    model, clock = callbacks.model, Clock(settings)
    # With a seed the solution does not depend on a race.
    raced = solvers[: None if settings.seed is None else 1]
    names, small = [each.name for each in raced], len(model) + len(model.constraints) <= _TRIED
    objectives = model.objectives
    bounds: list[int | None] = [None] * max(1, len(objectives))
    stage, best, name = model, None, names[0]

    for place, objective in enumerate(objectives or (None,)):
        if len(objectives) > 1 and objective is not None:
            stage = stage.copy()
            stage.keep_only(objective)

        def stops(known: Optimum[Assignment], place: int = place) -> bool:
            bounds[place] = known.bound if objectives else None
            return callbacks.stops(known.engine, known.best, bounds, place)

        wanted = _ModelOptimisation(stage, callbacks.given)
        value = None if best is None else wanted.read(name, best)[1]
        known = start = Optimum[Assignment](name, best, value, raw=best)
        callbacks.bound = None
        tried = [each.name for each in raced[1:] if each.adds and small]
        limits = clock.within(settings)
        try:
            found = improving(wanted, names, limits, start, beside=Beside(tried, stops))
            with closing(found):
                for known in found:
                    best, name = known.best, known.engine
                    if stops(known):
                        return name, Solved(best), tuple(bounds)
        except LimitReached:
            if best is None:
                raise
        except KeyboardInterrupt:
            if best is None or not keep:
                raise
            break
        if known.impossible:
            if place:
                raise WrongAnswer(f"engine {name} finds no solution where it found one before")
            return name, Solved(None, core=known.core), tuple(bounds)
        if known.value is None or known.value != known.bound:
            break
        if objective is not None and place + 1 < len(bounds):
            total = Sum(list(objective.total.terms), objective.total.constant)
            stage.add(total <= known.value if wanted.least else total >= known.value)
    return name, Solved(best), tuple(bounds)


@takes_settings
def solutions(
    model: Model,
    engine: str = "auto",
    settings: Settings | None = None,
    *,
    assumptions: Iterable[Literal] = (),
    number: int | None = None,
) -> Iterator[Solution]:
    """List all solutions of a model, or up to ``number``, one by one as they are found.

    Solutions that differ only in variables that are not shown (:meth:`Model.show`) are given once. An
    objective is ignored.

    Parameters
    ----------
    model:
        The model.
    engine:
        ``sat``, ``cpsat`` or ``auto``.
    settings:
        Limits and threads; the defaults if None.
    assumptions:
        Literals that all solutions make true.
    number:
        The largest number of solutions; None for all.

    Returns
    -------
    iterator of Solution
        The solutions.

    Raises
    ------
    Refused
        If the engine does not take a constraint of the model.
    LimitReached
        While iterating, when time or memory runs out.
    BadInput
        If the number is below 1, or an assumption is not a literal of the model.

    Examples
    --------
    >>> model = Model()
    >>> x = model.booleans("abc")
    >>> model.exactly(2, x)
    >>> sorted(str(each) for each in solutions(model))
    ['a, b', 'a, c', 'b, c']
    >>> len(list(solutions(model, assumptions=[x[0]])))
    2
    """
    check_kind(model, Model, "a ktsolve.Model: ktsolve.tours takes boards and graphs")
    if number is not None and number < 1:
        raise BadInput(f"the number of solutions must be at least 1, not {number}")
    given = checked_assumptions(model, assumptions)
    solver = model_solver(engine, model)
    found = solver.solutions(model, Settings.of(settings), given)

    checked = (Solution(checked_solution(model, solver.name, each, given), model) for each in found)
    return islice(checked, number)
