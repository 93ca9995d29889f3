"""Refutation of clauses and lazily added subtour cuts by a SAT solver that writes a proof.

The loop is that of engine ``sat`` (:mod:`ktsolve.engines.sat.lazy`): solve, cut off the subtours of the
solution, repeat. The clauses are those of the checker, because a certificate must start from them. Lemmas
that the solver wrote before a cut was added remain valid after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.workers import run_in_worker
from ktsolve.engines.sat.python_sat import (
    MOST_CLAUSES_IN_STEPS,
    RESUMABLE,
    SolverProgress,
    Statistics,
    decide,
    no_progress,
)

__all__ = ["PROVERS", "ClauseProblem", "Refuted", "refute", "refute_within"]

PROVERS = ("cadical153", "cadical195", "glucose4", "lingeling")
"""Solvers of python-sat whose proofs are DRUP; the first one is the default."""


@dataclass(frozen=True)
class ClauseProblem:
    """Clauses to refute, possibly with a Hamiltonian cycle among the conditions."""

    clauses: Sequence[Sequence[int]]  # literals as in DIMACS
    nodes: int = 0  # of the graph of the cycle; 0 for no graph
    edges: Sequence[tuple[int, int]] = ()  # variable i + 1 chooses edge i
    # For each edge whether it occurs only in clauses of degrees, so that joining subtours may exchange it.
    free: Sequence[bool] = ()
    directed: bool = False
    """Whether the edges are arcs, the tail first; then some arc leaves each set of nodes."""


@dataclass(frozen=True)
class Refuted:
    """A refutation, or a solution."""

    chosen: tuple[int, ...] | None
    """None for a refutation, or the numbers of the edges of a solution; empty without a graph."""
    cuts: tuple[tuple[int, ...], ...] = ()  # sets of nodes that were cut off, in order
    lemmas: tuple[tuple[int, ...], ...] = ()  # the refutation of clauses and cuts, without deletions


def refute_within(problem: ClauseProblem, settings: Settings, clock: Clock) -> Refuted:
    """Call :func:`refute` within the limits of the settings, in a worker process if there are any.

    Raises LimitReached at the time or memory limit; BadInput if the solver is unknown or writes no proofs.
    """
    name = settings.solver or PROVERS[0]
    if name not in PROVERS:
        raise BadInput(f"SAT solver {name!r} writes no DRUP proof: use {', '.join(PROVERS)}")
    limited = settings.timeout is not None or settings.memory is not None
    if not limited and name in RESUMABLE and len(problem.clauses) <= MOST_CLAUSES_IN_STEPS:
        return refute(problem, name)
    work = partial(_refuted, problem, name)
    found = run_in_worker(work, settings, clock, _unfinished, "the SAT solver")
    try:
        return next(found)
    finally:
        found.close()


def _refuted(problem: ClauseProblem, name: str, progress: SolverProgress) -> Iterator[Refuted]:
    yield refute(problem, name, progress)


def _unfinished(_found: int, statistics: Statistics | None) -> str:
    return f"the refutation is not complete{statistics.after if statistics else ''}"


def refute(
    problem: ClauseProblem, solver: str = PROVERS[0], progress: SolverProgress = no_progress
) -> Refuted:
    """Refute clauses and cuts, or find a solution. Without limit; only a signal stops it."""
    from pysat.solvers import Solver

    if any(not clause for clause in problem.clauses):
        return Refuted(None, (), ((),))
    cuts: list[tuple[int, ...]] = []
    cycle = _Cycle(problem)
    with Solver(name=solver, bootstrap_with=problem.clauses, with_proof=True) as running:
        while decide(running, solver, [], progress, len(cuts)):
            chosen, components = cycle.components(running.get_model())
            if len(components) < 2:
                return Refuted(tuple(chosen.tolist()))
            for component in cycle.cut_off(components):
                cuts.append(component)
                leaving = cycle.leaving(component)
                if not leaving:
                    return Refuted(None, tuple(cuts), ((),))
                running.add_clause(leaving)
        return Refuted(None, tuple(cuts), tuple(_lemmas(running.get_proof())))


def _lemmas(lines: list[Any]) -> list[tuple[int, ...]]:
    """The lemmas of a proof, without deletions, which only make checking faster."""
    added = (line for line in map(str, lines) if not line.startswith("d"))
    lemmas = [tuple(int(word) for word in line.split()[:-1]) for line in added]
    # Some solvers write nothing if unit propagation refutes the clauses.
    return lemmas if lemmas[-1:] == [()] else [*lemmas, ()]


class _Cycle:
    """The graph of a problem, and the components of solutions in it."""

    def __init__(self, problem: ClauseProblem) -> None:
        self._nodes = problem.nodes
        self._edges = np.array(problem.edges, dtype=np.int32).reshape(-1, 2)
        self._free = np.array(problem.free, dtype=np.uint8)
        self._directed = problem.directed

    def components(self, model: list[int]) -> tuple[np.ndarray[Any, Any], list[tuple[int, ...]]]:
        """The chosen edges after joining subtours, and the nodes of each remaining subtour."""
        from ktsolve import _native

        if self._nodes < 3:
            return np.zeros(0, dtype=np.int64), []
        values = np.array(model, dtype=np.int64)
        used = np.zeros(len(self._edges) + 1, dtype=np.uint8)
        used[values[(values > 0) & (values <= len(self._edges))]] = 1
        component, toggled = _native.find_subtours(self._nodes, self._edges, used[1:], self._free)
        used[1:][toggled] ^= 1
        number = int(component.max()) + 1
        components = [tuple(np.flatnonzero(component == i).tolist()) for i in range(number)]
        return np.flatnonzero(used[1:]), components

    def cut_off(self, components: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """The components of which cuts are to be added."""
        if self._directed:
            # Without that of the last node, which may be the one that joins the ends of an open tour.
            return [component for component in components if component[-1] < self._nodes - 1]
        # The cuts of two components are the same clause.
        return components if len(components) > 2 else components[:1]

    def leaving(self, component: tuple[int, ...]) -> list[int]:
        """The clause that some edge leaves this component."""
        inside = np.zeros(self._nodes, dtype=np.bool_)
        inside[list(component)] = True
        tails, heads = inside[self._edges[:, 0]], inside[self._edges[:, 1]]
        leaving = tails & ~heads if self._directed else tails != heads
        return list((np.flatnonzero(leaving) + 1).tolist())
