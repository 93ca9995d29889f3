"""The SAT engine: construct, enumerate, prove.

The SAT solvers run in C, and Python cannot interrupt them. With a time or memory limit, or with a solver that
does not work in steps (:mod:`ktsolve.engines.sat.python_sat`), the loop therefore runs in a worker
process (:mod:`ktsolve.base.workers`). The parent kills it at the limit or at Ctrl-C, and keeps the solutions
found so far.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

from ktsolve.base.errors import LimitReached, Refused
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.workers import run_in_worker
from ktsolve.engines.sat.counts import counts_refute
from ktsolve.engines.sat.distinct_solutions import Moves, different, far_apart, first, has_initial_edges
from ktsolve.engines.sat.lazy import LazySolver
from ktsolve.engines.sat.optimise import improving
from ktsolve.engines.sat.python_sat import (
    LISTING_SOLVER,
    MAIN_SOLVER,
    MOST_CLAUSES_IN_STEPS,
    RESUMABLE,
    TRIAL_SOLVER,
    BudgetExhausted,
    SolverProgress,
    Statistics,
    check_encoding_name,
    check_optimises,
    no_progress,
)
from ktsolve.engines.solver import ModelSolver, Solved, Unsolved
from ktsolve.model.constraints import LOOP_KINDS, PLAIN_KINDS, Assignment, Literal
from ktsolve.model.encode import number, numbers
from ktsolve.model.loop_forms import LoopConstraint
from ktsolve.model.model import Model

__all__ = ["SatSolver"]

T = TypeVar("T")

_BRIEF = 1.0
"""Seconds of a limit that is kept without a worker process, which takes some tenths of a second to start."""

_SMALL = MOST_CLAUSES_IN_STEPS // 10
"""Most Booleans of a model solved in steps: models of plain boards have ten or more clauses for each."""


class SatSolver(ModelSolver):
    """Solves models by python-sat: degree clauses, and subtour cuts that are added lazily."""

    name = "sat"
    kinds = PLAIN_KINDS | LOOP_KINDS | {"objective"}
    lists_shown = True

    def satisfy(self, model: Model, settings: Settings, assumptions: Sequence[Literal] = ()) -> Solved:
        """Return a solution, or None if it is proved that none exists. Raises LimitReached."""
        self.require(model)
        if counts_refute(model):
            return Solved(None)
        clock = Clock(settings)
        if assumptions or not _worth_a_trial(model, settings):
            name = self._solver_name(settings, MAIN_SOLVER)
            work = partial(_one, _maker(model, name, settings), tuple(assumptions))
            with closing(_within_limits(work, model, settings, clock, name)) as answers:
                return next(answers)
        # With a memory limit the trial runs in the worker process too.
        tried = settings.memory is None
        with suppress(BudgetExhausted):
            if tried:
                return Solved(first(model, settings.seed, clock))
        several = partial(different, model, settings.seed, 1, skip_trial=tried)
        with closing(_within_limits(several, model, settings, clock, MAIN_SOLVER)) as found:
            return Solved(next(found, None))

    def improving(
        self, model: Model, settings: Settings, assumptions: Sequence[Literal] = ()
    ) -> Iterator[Solved]:
        """Yield better and better solutions and bounds; see :mod:`ktsolve.engines.sat.optimise`."""
        self.require(model)
        assert model.objective is not None
        clock = Clock(settings)
        name = self._solver_name(settings, MAIN_SOLVER)
        check_optimises(name)
        work = partial(improving, model, name, settings.seed, settings.encoding, tuple(assumptions))
        best: Solved | None = None
        bound: int | None = None
        try:
            with closing(_within_limits(work, model, settings, clock, name)) as steps:
                for step in steps:
                    bound = step.bound
                    if step.assignment is not None:
                        value = model.objective.total.value(step.assignment)
                        best = Solved(step.assignment, value, bound)
                    elif best is not None:
                        best = replace(best, bound=bound)
                    else:
                        best = Solved(None, core=step.core)
                    if settings.progress is not None:
                        settings.progress(None, f"{name}, value {best.value}, bound {bound}")
                    yield best
        except LimitReached as stop:
            if best is None:
                raise Unsolved(str(stop), bound) from None

    def solutions(
        self, model: Model, settings: Settings, assumptions: Sequence[Literal] = ()
    ) -> Iterator[Assignment]:
        """Yield all solutions that differ in the model's shown Booleans, as they are found."""
        self.require(model)
        name = self._solver_name(settings, LISTING_SOLVER)
        work = partial(_listed, _maker(model, name, settings), tuple(assumptions))
        return _within_limits(work, model, settings, Clock(settings), name)

    def several(
        self, model: Model, settings: Settings, most: int, moves: Moves | None = None
    ) -> Iterator[Assignment]:
        """Yield up to ``most`` solutions that differ in the shown Booleans, or are far apart in ``moves``.

        The search for each starts from different initial edges. Raises Refused if the settings name a SAT
        solver or an encoding.
        """
        self.require(model)
        if settings.solver is not None or settings.encoding != "lazy":
            given = settings.solver
            option = f"encoding {settings.encoding}" if given is None else f"solver {given}"
            raise Refused(f"tours far apart need a fixed SAT solver and encoding: leave out {option}")
        clock = Clock(settings)
        if moves is not None:
            far = partial(far_apart, model, settings.seed, most, moves)
            return _in_worker(far, settings, clock, TRIAL_SOLVER)
        work = partial(different, model, settings.seed, most)
        return _within_limits(work, model, settings, clock, MAIN_SOLVER)

    def _solver_name(self, settings: Settings, default: str) -> str:
        check_encoding_name(settings.encoding)
        return settings.solver or default


def _worth_a_trial(model: Model, settings: Settings) -> bool:
    """Return whether the model has initial edges, and the settings the default encoding."""
    default = settings.solver is None and settings.encoding == "lazy"
    return default and not model.suggested and has_initial_edges(model)


def _maker(model: Model, name: str, settings: Settings) -> partial[LazySolver]:
    return partial(LazySolver, model, name, settings.seed, encoding=settings.encoding)


def _one(
    make: partial[LazySolver], assumptions: Sequence[Literal], progress: SolverProgress = no_progress
) -> Iterator[Solved]:
    """Yield the answer of one solver, with a core if there is no solution."""
    with closing(make(join=not assumptions, progress=progress)) as solver:
        solver.prefer(solver.numbers_of(solver.model.suggested))
        found = solver.next_solution(assumptions=numbers(assumptions))
        core = set(solver.core)
        yield Solved(found, core=tuple(each for each in assumptions if number(each) in core))


def _listed(
    make: partial[LazySolver], assumptions: Sequence[Literal], progress: SolverProgress = no_progress
) -> Iterator[list[int]]:
    """Yield the solutions of one solver."""
    with closing(make(progress=progress)) as solver:
        yield from solver.solutions(numbers(assumptions))


def _eager_size(model: Model) -> int:
    """About the most clauses of the loops in an eager encoding: one-hot takes four for each node and arc."""
    return sum(
        4 * each.nodes * len(each.links()) for each in model.constraints if isinstance(each, LoopConstraint)
    )


_Work = Callable[[SolverProgress], Iterator[T]]


def _within_limits(
    work: _Work[T], model: Model, settings: Settings, clock: Clock, name: str
) -> Generator[T, None, None]:
    """Yield the solutions, from a worker process if there are limits or the steps are too long.

    A brief time limit is checked between the steps.
    """
    brief = settings.timeout is None or settings.timeout <= _BRIEF
    in_steps = name in RESUMABLE and len(model) <= _SMALL
    if settings.encoding != "lazy":
        in_steps &= _eager_size(model) <= MOST_CLAUSES_IN_STEPS
    if brief and settings.memory is None and in_steps:

        def stop(statistics: Statistics) -> None:
            clock.check(f"no solution found{statistics.after}")
            if settings.progress is not None:
                settings.progress(None, f"{name}{statistics.after}")

        return _counted(work(stop), settings, name, clock)
    return _in_worker(work, settings, clock, name)


def _in_worker(work: _Work[T], settings: Settings, clock: Clock, name: str) -> Generator[T, None, None]:
    return _counted(run_in_worker(work, settings, clock, _reached, "the SAT solver"), settings, name)


def _reached(found: int, statistics: Statistics | None) -> str:
    if found:
        return f"{found:,} solutions found"
    return f"no solution found{statistics.after if statistics else ''}"


def _counted(
    solutions: Iterator[T], settings: Settings, name: str, clock: Clock | None = None
) -> Generator[T, None, None]:
    """Yield the solutions, and check the time after each: a solution may take no step of the solver."""
    try:
        for reached, found in enumerate(solutions, 1):
            if settings.progress is not None:
                settings.progress(None, f"{name}, {reached:,} solutions")
            yield found
            if clock is not None:
                clock.check(_reached(reached, None))
    finally:
        if isinstance(solutions, Generator):
            solutions.close()
