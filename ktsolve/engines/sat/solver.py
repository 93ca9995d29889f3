"""The SAT engine: construct, enumerate, prove.

The SAT solvers run in C, and Python cannot interrupt them. With a time or memory limit, or with a solver that
does not work in steps (:mod:`ktsolve.engines.sat.conflict_budget`), the loop therefore runs in a worker
process (:mod:`ktsolve.workers`). The parent kills it at the limit or at Ctrl-C, and keeps the solutions found
so far.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from functools import partial
from itertools import islice

from ktsolve.engines.sat.conflict_budget import (
    MOST_CLAUSES_IN_STEPS,
    RESUMABLE,
    BudgetExhausted,
    SolverProgress,
    Statistics,
    no_progress,
)
from ktsolve.engines.sat.lazy import LazySolver
from ktsolve.engines.sat.names import (
    LISTING_SOLVER,
    MAIN_SOLVER,
    TRIAL_SOLVER,
    check_encoding_name,
    check_solver_name,
)
from ktsolve.engines.sat.several import Moves, different, far_apart, first
from ktsolve.engines.solver import ModelSolver, Solved
from ktsolve.errors import Refused
from ktsolve.model.constraints import Assignment, Circuit, Path
from ktsolve.model.model import Model
from ktsolve.settings import Clock, Settings
from ktsolve.workers import run_in_worker

__all__ = ["SatSolver"]

_BRIEF = 1.0
"""Seconds of a limit that is kept without a worker process, which takes some tenths of a second to start."""

_SMALL = MOST_CLAUSES_IN_STEPS // 10
"""Most Booleans of a model solved in steps: models of plain boards have ten or more clauses for each."""


class SatSolver(ModelSolver):
    """Solves models by python-sat: degree clauses, and subtour cuts that are added lazily."""

    name = "sat"
    kinds = frozenset({"clause", "implication", "cardinality", "linear", "circuit", "path"})

    def solve(self, model: Model, settings: Settings) -> Solved:
        """Return a solution, or None if it is proved that there is none. Raises LimitReached."""
        self.require(model)
        clock = Clock(settings.timeout)
        if _worth_a_trial(model, settings):
            # With a memory limit the trial runs in the worker process too.
            tried = settings.memory is None
            try:
                if tried:
                    return Solved(first(model, settings.seed, clock))
            except BudgetExhausted:
                pass
            work = partial(different, model, settings.seed, 1, skip_trial=tried)
            found = _within_limits(work, model, settings, clock, MAIN_SOLVER)
        else:
            found = self._run(model, settings, clock, all_solutions=False)
        try:
            return Solved(next(found, None))
        finally:
            found.close()

    def solutions(self, model: Model, settings: Settings) -> Iterator[Assignment]:
        """Yield all solutions that differ in the model's shown Booleans, as they are found."""
        return self._run(model, settings, Clock(settings.timeout), all_solutions=True)

    def several(
        self, model: Model, settings: Settings, most: int, moves: Moves | None = None
    ) -> Iterator[Assignment]:
        """Yield up to ``most`` solutions that differ in the shown Booleans.

        The search for each starts from different initial edges.

        Parameters
        ----------
        moves:
            If given, the solutions are far apart, measured in these moves (see :mod:`.several`).

        Raises
        ------
        Refused
            If the settings name a SAT solver or an encoding.
        """
        self.require(model)
        if settings.solver is not None or settings.encoding != "lazy":
            given = settings.solver
            option = f"encoding {settings.encoding}" if given is None else f"solver {given}"
            raise Refused(f"tours far apart need a fixed SAT solver and encoding: leave out {option}")
        clock = Clock(settings.timeout)
        if moves is not None:
            far = partial(far_apart, model, settings.seed, most, moves)
            return _in_worker(far, settings, clock, TRIAL_SOLVER)
        work = partial(different, model, settings.seed, most)
        return _within_limits(work, model, settings, clock, MAIN_SOLVER)

    def _run(
        self, model: Model, settings: Settings, clock: Clock, *, all_solutions: bool
    ) -> Generator[Assignment, None, None]:
        self.require(model)
        name = settings.solver or (LISTING_SOLVER if all_solutions else MAIN_SOLVER)
        check_solver_name(name)
        check_encoding_name(settings.encoding)
        work = partial(_listed, model, name, settings.seed, settings.encoding, all_solutions)
        return _within_limits(work, model, settings, clock, name)


def _worth_a_trial(model: Model, settings: Settings) -> bool:
    """Return whether the model has initial edges: undirected circuits or paths, and the default encoding."""
    if settings.solver is not None or settings.encoding != "lazy":
        return False
    circuits = [constraint for constraint in model.constraints if isinstance(constraint, Circuit | Path)]
    return bool(circuits) and not any(circuit.directed for circuit in circuits)


def _listed(
    model: Model,
    name: str,
    seed: int | None,
    encoding: str,
    all_solutions: bool,
    progress: SolverProgress = no_progress,
) -> Iterator[list[bool]]:
    """Yield the solutions of one solver."""
    solver = LazySolver(model, name, seed, join=not all_solutions, encoding=encoding, progress=progress)
    with closing(solver):
        yield from solver.solutions() if all_solutions else islice(solver.solutions(), 1)


_Work = Callable[[SolverProgress], Iterator[list[bool]]]


def _within_limits(
    work: _Work, model: Model, settings: Settings, clock: Clock, name: str
) -> Generator[Assignment, None, None]:
    """Yield the solutions, from a worker process if there are limits or the steps are too long.

    A brief time limit is checked between the steps.
    """
    brief = settings.timeout is None or settings.timeout <= _BRIEF
    in_steps = name in RESUMABLE and settings.encoding == "lazy" and len(model) <= _SMALL
    if brief and settings.memory is None and in_steps:

        def stop(statistics: Statistics) -> None:
            clock.check(f"no solution found{statistics.after}")

        return _counted(_in_time(work(stop), clock), settings, name)
    return _in_worker(work, settings, clock, name)


def _in_time(solutions: Iterator[list[bool]], clock: Clock) -> Iterator[list[bool]]:
    """Yield the solutions, and check the time limit after each: a solution may take no step of the solver."""
    for number, found in enumerate(solutions, 1):
        yield found
        clock.check(_reached(number, None))


def _in_worker(work: _Work, settings: Settings, clock: Clock, name: str) -> Generator[Assignment, None, None]:
    return _counted(run_in_worker(work, settings, clock, _reached, "the SAT solver"), settings, name)


def _reached(found: int, statistics: Statistics | None) -> str:
    if found:
        return f"{found:,} solutions found"
    return f"no solution found{statistics.after if statistics else ''}"


def _counted(
    solutions: Iterator[list[bool]], settings: Settings, name: str
) -> Generator[Assignment, None, None]:
    try:
        for number, found in enumerate(solutions, 1):
            if settings.progress is not None:
                settings.progress(None, f"{name}, {number:,} solutions")
            yield found
    finally:
        if isinstance(solutions, Generator):
            solutions.close()
