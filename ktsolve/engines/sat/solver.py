"""The SAT engine: construct, enumerate, prove.

The SAT solvers run in C and cannot be interrupted from Python. With a time or memory limit, or with a solver
that does not work in steps (:mod:`ktsolve.engines.sat.conflict_budget`), the whole loop therefore runs in a
worker process (:mod:`ktsolve.workers`), which is killed at the limit or at Ctrl-C; what it found until then
is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
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

_SMALL = MOST_CLAUSES_IN_STEPS // 10
"""Booleans of a model whose clauses are so few: those of a plain board have ten or more for each."""


class SatSolver(ModelSolver):
    """Degree constraints as clauses plus lazily added cut clauses, on python-sat."""

    name = "sat"
    kinds = frozenset({"clause", "implication", "cardinality", "linear", "circuit", "path"})

    def solve(self, model: Model, settings: Settings) -> Solved:
        """One solution, or the proof by exhaustion that there is none."""
        self.require(model)
        clock = Clock(settings.timeout)
        if _worth_a_trial(model, settings):
            # With a memory limit all of it takes a worker process.
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
        """All solutions, told apart by the model's shown Booleans, as they are found."""
        return self._run(model, settings, Clock(settings.timeout), all_solutions=True)

    def several(
        self, model: Model, settings: Settings, most: int, moves: Moves | None = None
    ) -> Iterator[Assignment]:
        """Up to ``most`` solutions that differ in the shown Booleans, each found from another place.

        Parameters
        ----------
        moves:
            If given, the solutions lie far apart, measured in these (see :mod:`.several`).

        Raises
        ------
        Refused
            If a SAT solver or an encoding is asked for by name: this takes a solver of its own.
        """
        self.require(model)
        if settings.solver is not None or settings.encoding != "lazy":
            asked = (
                f"encoding {settings.encoding}" if settings.solver is None else f"solver {settings.solver}"
            )
            raise Refused(f"tours far apart are found with a SAT solver of their own: leave out {asked}")
        if moves is None:
            work = partial(different, model, settings.seed, most)
        else:
            work = partial(far_apart, model, settings.seed, most, moves)
            return _in_worker(work, settings, Clock(settings.timeout), TRIAL_SOLVER)
        return _within_limits(work, model, settings, Clock(settings.timeout), MAIN_SOLVER)

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
    """Is there a circuit or path of undirected edges, for which there is a place to start from?"""
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
    """The loop of one solver."""
    solver = LazySolver(model, name, seed, join=not all_solutions, encoding=encoding, progress=progress)
    try:
        yield from solver.solutions() if all_solutions else islice(solver.solutions(), 1)
    finally:
        solver.close()


_Work = Callable[[SolverProgress], Iterator[list[bool]]]


def _within_limits(
    work: _Work, model: Model, settings: Settings, clock: Clock, name: str
) -> Generator[Assignment, None, None]:
    """The solutions, found in a worker process if there are limits to keep or steps are too long."""
    limited = settings.timeout is not None or settings.memory is not None
    if not limited and name in RESUMABLE and settings.encoding == "lazy" and len(model) <= _SMALL:
        return _counted(work(no_progress), settings, name)
    return _in_worker(work, settings, clock, name)


def _in_worker(work: _Work, settings: Settings, clock: Clock, name: str) -> Generator[Assignment, None, None]:
    return _counted(run_in_worker(work, settings.memory, clock, _reached, "the SAT solver"), settings, name)


def _reached(found: int, statistics: Statistics | None) -> str:
    return (
        f"{found:,} solutions found"
        if found
        else f"no solution found{(statistics.after if statistics else '')}"
    )


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
