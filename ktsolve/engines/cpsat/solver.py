"""Runs CP-SAT on a compiled model, in a thread of its own."""

from __future__ import annotations

import _thread
import atexit
import queue
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Literal, Self

from ktsolve.base.errors import BadInput, KtsolveError, LimitReached, WrongAnswer
from ktsolve.base.limits import Clock, Limit, Settings, out_of_time
from ktsolve.engines.cpsat.limits import is_small
from ktsolve.engines.cpsat.translate import Compiled
from ktsolve.engines.solver import ModelSolver, Solved, Unsolved
from ktsolve.model.constraints import LOOP_KINDS, PLAIN_KINDS, Assignment
from ktsolve.model.constraints import Literal as ModelLiteral
from ktsolve.model.model import Model

__all__ = ["CpSatSolver"]

Wanted = Literal["one", "best", "all"]  # which solutions a run gives


class CpSatSolver(ModelSolver):
    """Constructs, enumerates, optimises and proves with OR-Tools CP-SAT."""

    name = "cpsat"
    kinds = PLAIN_KINDS | LOOP_KINDS | {"objective"}
    adds = True

    def within_limits(self, model: Model) -> bool:
        """Whether the integers and the sums of the model have at most 62 bits."""
        return is_small(model)

    def satisfy(self, model: Model, settings: Settings, assumptions: Sequence[ModelLiteral] = ()) -> Solved:
        """Return a solution, or None if it is proved that none exists. Raises LimitReached."""
        *_, answer = self._answers(model, settings, assumptions, "one")
        return answer

    def improving(
        self, model: Model, settings: Settings, assumptions: Sequence[ModelLiteral] = ()
    ) -> Iterator[Solved]:
        """Yield better and better solutions, as they are found."""
        return self._answers(model, settings, assumptions, "best")

    def _answers(
        self, model: Model, settings: Settings, assumptions: Sequence[ModelLiteral], wanted: Wanted
    ) -> Iterator[Solved]:
        clock = Clock(settings)
        with self._started(model, settings, assumptions, wanted) as run:
            yield from run.improving(settings)
            last = run.solved(settings)
        yield self._with_core(last, model, settings, clock, assumptions)

    @contextmanager
    def _started(
        self, model: Model, settings: Settings, assumptions: Sequence[ModelLiteral], wanted: Wanted
    ) -> Iterator[_Run]:
        self.require(model)
        clock = Clock(settings)
        compiled = Compiled(model, objective=wanted == "best", listing=wanted == "all")
        for each in assumptions:
            compiled.cp.add_bool_or([compiled.literal(each)])
        with _Run(compiled, clock.within(settings), wanted) as run:
            yield run

    def _with_core(
        self, solved: Solved, model: Model, settings: Settings, clock: Clock, given: Sequence[ModelLiteral]
    ) -> Solved:
        """Return the answer; without a solution, with the assumptions that conflict."""
        if solved.assignment is not None or not given:
            return solved
        # Assumptions are constraints in the first run, as CP-SAT simplifies more with those.
        compiled = Compiled(model, objective=False)
        by_index = {compiled.literal(each).index: each for each in given}
        compiled.cp.add_assumptions([compiled.literal(each) for each in by_index.values()])
        with _Run(compiled, clock.within(settings), "one") as run:
            for _ in run.improving(settings):
                pass
        try:
            if run.solved(settings).assignment is not None:
                raise WrongAnswer("engine cpsat finds a solution where it proved that there is none")
        except LimitReached:
            return Solved(None, core=tuple(by_index.values()))
        core = run.solver.sufficient_assumptions_for_infeasibility()
        return Solved(None, core=tuple(by_index[index] for index in core))

    def solutions(
        self, model: Model, settings: Settings, assumptions: Sequence[ModelLiteral] = ()
    ) -> Iterator[Assignment]:
        """Yield all solutions that differ in the model's shown Booleans, as they are found."""
        seen: set[tuple[bool, ...]] = set()
        shown = [literal.number for literal in model.shown]
        with self._started(model, settings, assumptions, "all") as run:
            unique = len(set(shown)) == len(model) and not run.repeats
            for assignment in run.stream(settings):
                if not unique:
                    key = tuple(assignment[i] for i in shown)
                    if key in seen:
                        continue
                    seen.add(key)
                yield assignment


class _Run:
    """A solve in its own thread, so that Ctrl-C and time limits interrupt the calling thread at once.

    A bare thread, and bare locks: see :func:`ktsolve.model.clauses.free`.
    """

    _END = object()
    _running: ClassVar[set[_Run]] = set()

    def __init__(self, compiled: Compiled, settings: Settings, wanted: Wanted) -> None:
        from ortools.sat.python import cp_model

        self._compiled = compiled
        self.repeats = compiled.repeats
        self._found: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._ended = _thread.allocate_lock()
        self._ended.acquire()
        self._over = False
        self._status: Any = None
        self._failure: BaseException | None = None
        self.solver = cp_model.CpSolver()
        self._best: list[int] | None = None
        # Recorded by the callback: without a solution the bound in the solver's response may be wrong.
        self._bound: int | None = None
        self.solver.best_bound_callback = self._prove
        parameters = self.solver.parameters
        parameters.catch_sigint_signal = False
        # One worker enumerates: several would find some solutions twice. With a seed one worker constructs:
        # the first solution must not depend on which worker is faster.
        several_workers = wanted == "best" or (wanted == "one" and settings.seed is None)
        parameters.num_workers = settings.thread_budget if several_workers else 1
        parameters.enumerate_all_solutions = wanted == "all"
        if wanted == "all":  # a relaxation for each of many solutions takes more time than it saves
            parameters.linearization_level = 0
        if settings.timeout is not None:
            parameters.max_time_in_seconds = settings.timeout
        if settings.memory is not None:
            given = settings.memory
            parameters.max_memory_in_mb = max(64, (given.left if isinstance(given, Limit) else given) >> 20)
        if settings.seed is not None:
            parameters.random_seed = settings.seed
            parameters.randomize_search = wanted != "all"
            # A single worker finds the same first solution for all seeds without this.
            parameters.permute_variable_randomly = True
        self._wanted = wanted
        self._callback = None if wanted == "one" else _collector(compiled, self._found)

    def _work(self) -> None:
        self._running.add(self)
        try:
            self._status = self.solver.solve(self._compiled.cp, self._callback)
            if self._wanted != "all" and self._status_name() in ("OPTIMAL", "FEASIBLE"):
                self._best = self._compiled.assignment(self.solver.value)
        except BaseException as failure:
            self._failure = failure
        finally:
            self._found.put(self._END)
            self._running.discard(self)
            self._over = True
            self._ended.release()

    def _prove(self, bound: float) -> None:
        self._bound = round(bound)

    def _status_name(self) -> str:
        return str(self.solver.status_name(self._status))

    def __enter__(self) -> Self:
        _thread.start_new_thread(self._work, ())
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()

    def stop(self) -> None:
        while not self._over:  # the lock alone does not tell: a wait for it may have been interrupted
            self.solver.stop_search()  # nothing before the search has begun
            self._ended.acquire(timeout=0.05)

    @classmethod
    def stop_all(cls) -> None:
        """Stop the solvers of lists that were not read to their end: without Python they cannot call."""
        for run in [*cls._running]:
            run.stop()

    def _items(self, progress: Callable[[], None]) -> Iterator[list[int]]:
        """Yield the solutions that the callback finds, until the solver ends; Ctrl-C interrupts the wait.

        At the time limit of the command the solver stops first, and gives its best answer.
        """
        late = False
        while True:
            try:
                item = self._found.get(timeout=0.05)
            except queue.Empty:
                if not late:
                    progress()
            except LimitReached:
                self.solver.stop_search()
                if late:
                    raise
                late = True
            else:
                if item is self._END:
                    return
                yield item

    def solved(self, settings: Settings) -> Solved:
        if self._failure is not None:
            raise self._failure
        status = self._status_name()
        if status == "INFEASIBLE":
            return Solved(None)
        if self._best is None:
            reached = f"no solution found after {self.solver.num_conflicts:,} conflicts"
            raise _unanswered(status, settings, reached, self._bound)
        if self._wanted != "best":
            return Solved(self._best)
        value = self._value(self._best)
        # The bound is a floating-point number, not exact above 2^53.
        proved = value if status == "OPTIMAL" else round(self.solver.best_objective_bound)
        return Solved(self._best, value, proved)

    def _value(self, assignment: list[int]) -> int:
        objective = self._compiled.model.objective
        assert objective is not None
        return objective.total.value(assignment)

    def improving(self, settings: Settings) -> Iterator[Solved]:
        """Yield each solution that is better than the one before, with the bound at that time."""
        clock, value = Clock(None), ""

        def progress() -> None:
            bound = "" if self._bound is None else f", bound {self._bound}"
            if settings.progress is not None:
                settings.progress(None, f"CP-SAT{value or f', {clock.elapsed:.0f} s'}{bound}")

        for item in self._items(progress):
            value = f", value {self._value(item)}"
            yield Solved(item, self._value(item), self._bound)

    def stream(self, settings: Settings) -> Iterator[list[int]]:
        found = 0

        def progress() -> None:
            if settings.progress is not None:
                settings.progress(None, f"CP-SAT, {found:,} solutions")

        for item in self._items(progress):
            found += 1
            if found % 100 == 0:
                progress()
            yield item
        if self._failure is not None:
            raise self._failure
        if self._status_name() not in ("OPTIMAL", "INFEASIBLE"):
            raise _unanswered(self._status_name(), settings, f"{found:,} solutions found")


atexit.register(_Run.stop_all)


def _unanswered(status: str, settings: Settings, reached: str, bound: int | None = None) -> KtsolveError:
    if status == "MODEL_INVALID":
        return BadInput("engine cpsat cannot take sums of more than 64 bits: use sat, or smaller weights")
    if settings.timeout is not None:
        return Unsolved(str(out_of_time(settings, reached)), bound)
    return Unsolved(f"CP-SAT stopped with status {status}, {reached}", bound)


def _collector(compiled: Compiled, found: queue.SimpleQueue[Any]) -> Any:
    """Return the callback that puts each solution into a queue."""
    from ortools.sat.python import cp_model

    class Collector(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found.put(compiled.assignment(self.value))

    return Collector()
