"""Engine ``cpsat``: models solved by OR-Tools' CP-SAT.

A circuit becomes ``AddCircuit``. An undirected edge becomes two arcs; the successor of node 0 must have a
smaller number than its predecessor, so that each undirected cycle is one solution. A path becomes the circuit
through an extra node.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ktsolve.engines.solver import ModelSolver, Solved, Unsolved
from ktsolve.errors import BadInput, KtsolveError, LimitReached
from ktsolve.model.constraints import (
    Assignment,
    Cardinality,
    Circuit,
    Clause,
    Implication,
    Linear,
    Literal,
    Path,
    Subcircuit,
)
from ktsolve.model.encode import as_circuit
from ktsolve.model.model import Model
from ktsolve.settings import Clock, Settings, out_of_time

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

__all__ = ["CpSatSolver"]


class CpSatSolver(ModelSolver):
    """Constructs, enumerates, optimises and proves with OR-Tools CP-SAT."""

    name = "cpsat"
    kinds = frozenset(
        {"clause", "implication", "cardinality", "linear", "circuit", "path", "subcircuit", "objective"}
    )

    def solve(self, model: Model, settings: Settings) -> Solved:
        """Return a solution; with an objective the best one, or the best found within the time limit."""
        run = self._started(model, settings, collect_all=False)
        run.wait(settings)
        return run.solved(settings)

    def _started(self, model: Model, settings: Settings, *, collect_all: bool) -> _Run:
        self.require(model)
        clock = Clock(settings.timeout)
        compiled = _Compiled(model)
        run = _Run(compiled, clock.within(settings), collect_all=collect_all)
        run.start()
        return run

    def solutions(self, model: Model, settings: Settings) -> Iterator[Assignment]:
        """Yield all solutions that differ in the model's shown Booleans, as they are found."""
        run = self._started(model, settings, collect_all=True)
        seen: set[tuple[bool, ...]] = set()
        shown = [literal.number for literal in model.shown]
        # The direction of a cycle is fixed at node 0: a subcircuit without node 0 is found in both
        # directions.
        unique = len(set(shown)) == len(model) and "subcircuit" not in model.kinds
        try:
            for assignment in run.stream(settings):
                if not unique:
                    key = tuple(assignment[i] for i in shown)
                    if key in seen:
                        continue
                    seen.add(key)
                yield assignment
        finally:
            run.stop()


class _Compiled:
    """A model compiled for CP-SAT."""

    def __init__(self, model: Model) -> None:
        from ortools.sat.python import cp_model

        self.model = model
        self.cp = cp_model.CpModel()
        self.variables = [self.cp.new_bool_var(name) for name in model.names]
        for constraint in model.constraints:
            self._add(constraint)
        for literal, value in model.suggested.items():
            self.cp.add_hint(self._literal(literal), value)
        if model.objective is not None:
            _check_weights(model.objective.total)
            total = sum(weight * self._literal(lit) for weight, lit in model.objective.total.terms)
            if model.objective.sense == "minimise":
                self.cp.minimize(total)
            else:
                self.cp.maximize(total)

    def _literal(self, literal: Literal) -> Any:
        variable = self.variables[literal.number]
        return variable if literal.positive else variable.negated()

    def _add(self, constraint: Any) -> None:
        cp, lit = self.cp, self._literal
        match constraint:
            case Clause():
                cp.add_bool_or([lit(x) for x in constraint.members])
            case Implication():
                cp.add_bool_or([*(lit(~p) for p in constraint.premises), lit(constraint.conclusion)])
            case Cardinality() if constraint.least == constraint.most == 1:
                cp.add_exactly_one(lit(x) for x in constraint.members)
            case Cardinality():
                self._bounded(sum(lit(x) for x in constraint.members), constraint.least, constraint.most)
            case Linear():
                _check_weights(constraint)
                total = sum(weight * lit(x) for weight, x in constraint.terms)
                self._bounded(total, constraint.least, constraint.most)
            case Circuit():
                arcs = [(u, v, lit(x)) for u, v, x in constraint.arcs]
                self._circuit(constraint.nodes, arcs, constraint.directed)
            case Path(nodes=1):
                cp.add_bool_or([lit(constraint.ends[0])])
            case Path():
                self._add(as_circuit(constraint))
            case Subcircuit():
                arcs = [(u, v, lit(x)) for u, v, x in constraint.arcs]
                self._subcircuit(arcs, [lit(~x) for x in constraint.present])

    def _bounded(self, total: Any, least: int | None, most: int | None) -> None:
        if isinstance(total, int):  # no terms at all
            if (least is not None and total < least) or (most is not None and total > most):
                self.cp.add_bool_or([])
            return
        if least is not None and least == most:
            self.cp.add(total == least)
            return
        if least is not None:
            self.cp.add(total >= least)
        if most is not None:
            self.cp.add(total <= most)

    def _circuit(self, nodes: int, arcs: list[tuple[int, int, Any]], directed: bool) -> None:
        cp = self.cp
        if nodes < (2 if directed else 3):
            cp.add_bool_or([])
            return
        if directed:
            self._closed_circuit(nodes, arcs)
            return
        both = self._both_ways(arcs)
        out = {v: arc for u, v, arc in both if u == 0}
        into = {u: arc for u, v, arc in both if v == 0}
        self._closed_circuit(nodes, both)
        for successor, literal in out.items():
            larger = [arc for predecessor, arc in into.items() if predecessor > successor]
            cp.add_bool_or([literal.negated(), *larger])

    def _both_ways(self, edges: list[tuple[int, int, Any]]) -> list[tuple[int, int, Any]]:
        """Return two arcs for each edge, of which a used edge uses one."""
        arcs = []
        for u, v, edge in edges:
            there, back = self.cp.new_bool_var(""), self.cp.new_bool_var("")
            self.cp.add(there + back == edge)
            arcs += [(u, v, there), (v, u, back)]
        return arcs

    def _subcircuit(self, edges: list[tuple[int, int, Any]], absent: list[Any]) -> None:
        # AddCircuit marks an absent node by a loop.
        loops = [(v, v, literal) for v, literal in enumerate(absent)]
        self.cp.add_circuit(self._both_ways(edges) + loops)
        self.cp.add(sum(literal.negated() for literal in absent) >= 3)

    def _closed_circuit(self, nodes: int, arcs: list[tuple[int, int, Any]]) -> None:
        touched = {u for u, _, _ in arcs} | {v for _, v, _ in arcs}
        if len(touched) < nodes:  # AddCircuit ignores nodes without arcs
            self.cp.add_bool_or([])
            return
        self.cp.add_circuit(arcs)


def _check_weights(total: Linear) -> None:
    bounds = [bound for bound in (total.least, total.most) if bound is not None]
    if max(sum(abs(weight) for weight, _ in total.terms), *map(abs, bounds), 0) >= 2**62:
        raise BadInput("engine cpsat cannot take sums of more than 62 bits: use sat, or smaller weights")


class _Run(threading.Thread):
    """A solve in its own thread, so that Ctrl-C and time limits interrupt the calling thread at once."""

    _END = object()

    def __init__(self, compiled: _Compiled, settings: Settings, *, collect_all: bool) -> None:
        super().__init__(daemon=True)
        from ortools.sat.python import cp_model

        self._compiled = compiled
        self._found: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._status: Any = None
        self._failure: BaseException | None = None
        self._solver = cp_model.CpSolver()
        self._best: list[bool] | None = None
        # Recorded by the callback: without a solution the bound in the solver's response may be wrong.
        self._bound: int | None = None
        self._solver.best_bound_callback = self._prove
        parameters = self._solver.parameters
        parameters.catch_sigint_signal = False
        # One worker enumerates: several would find some solutions twice. With a seed one worker constructs:
        # the first solution must not depend on which worker is faster.
        several_workers = compiled.model.objective is not None or settings.seed is None
        parameters.num_workers = settings.thread_budget if several_workers and not collect_all else 1
        parameters.enumerate_all_solutions = collect_all
        if compiled.model.objective is None:
            parameters.linearization_level = 0
        if settings.timeout is not None:
            parameters.max_time_in_seconds = settings.timeout
        if settings.memory is not None:
            parameters.max_memory_in_mb = max(64, settings.memory >> 20)
        if settings.seed is not None:
            parameters.random_seed = settings.seed
            parameters.randomize_search = not collect_all
            # A single worker finds the same first solution for all seeds without this.
            parameters.permute_variable_randomly = True
        self._callback = _collector(self) if collect_all else None

    def run(self) -> None:
        try:
            self._status = self._solver.solve(self._compiled.cp, self._callback)
            if self._callback is None and self._status_name() in ("OPTIMAL", "FEASIBLE"):
                self._best = [bool(self._solver.value(v)) for v in self._compiled.variables]
        except BaseException as failure:
            self._failure = failure
        finally:
            self._found.put(self._END)
            self._ended.set()

    def push(self, callback: cp_model.CpSolverSolutionCallback) -> None:
        self._found.put([bool(callback.value(variable)) for variable in self._compiled.variables])

    def _prove(self, bound: float) -> None:
        self._bound = round(bound)

    def _status_name(self) -> str:
        return str(self._solver.status_name(self._status))

    def stop(self) -> None:
        self._solver.stop_search()
        # Not join() alone: on Python 3.11 one that Ctrl-C interrupted takes the thread for ended.
        self._ended.wait()
        self.join()

    def wait(self, settings: Settings) -> None:
        """Wait until the solver ends; Ctrl-C interrupts the wait."""
        clock = Clock(None)
        late = False
        while True:
            try:
                while not self._ended.wait(0.05):
                    if settings.progress is not None:
                        settings.progress(None, f"CP-SAT, {clock.elapsed:.0f} s")
                return
            except LimitReached:
                # The time limit of the command. The first time, stop the solver and wait for its best answer.
                self._solver.stop_search()
                if late:
                    raise _unanswered("", settings, "no solution found", self._bound) from None
                late = True
            except BaseException:
                self.stop()
                raise

    def solved(self, settings: Settings) -> Solved:
        if self._failure is not None:
            raise self._failure
        status = self._status_name()
        if status == "INFEASIBLE":
            return Solved(None)
        if self._best is None:
            reached = f"no solution found after {self._solver.num_conflicts:,} conflicts"
            raise _unanswered(status, settings, reached, self._bound)
        if self._compiled.model.objective is None:
            return Solved(self._best)
        return Solved(
            self._best, round(self._solver.objective_value), round(self._solver.best_objective_bound)
        )

    def stream(self, settings: Settings) -> Iterator[list[bool]]:
        found = 0
        while True:
            try:
                item = self._found.get(timeout=0.05)
            except queue.Empty:
                continue
            if item is self._END:
                break
            found += 1
            if settings.progress is not None and found % 100 == 0:
                settings.progress(None, f"CP-SAT, {found:,} solutions")
            yield item
        if self._failure is not None:
            raise self._failure
        if self._status_name() not in ("OPTIMAL", "INFEASIBLE"):
            raise _unanswered(self._status_name(), settings, f"{found:,} solutions found")


def _unanswered(status: str, settings: Settings, reached: str, bound: int | None = None) -> KtsolveError:
    if status == "MODEL_INVALID":
        return BadInput("engine cpsat cannot take sums of more than 64 bits: use sat, or smaller weights")
    if settings.timeout is not None:
        return Unsolved(str(out_of_time(settings.timeout, reached)), bound)
    return Unsolved(f"CP-SAT stopped with status {status}, {reached}", bound)


def _collector(run: _Run) -> Any:
    from ortools.sat.python import cp_model

    class Collector(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            run.push(self)

    return Collector()
