"""The rivals, one class each, all under the contract of ``contract.py``.

Graphillion counts Hamiltonian cycles with zero-suppressed decision diagrams and comes from PyPI. The other
two are written here: what one would write without ktsolve.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, ClassVar

from contract import OURS, Contender, Question, Walk, size, unavailable

__all__ = ["CONTENDERS", "RIVALS", "Graphillion", "GraphillionOneThread", "PlainCpSat", "Warnsdorff"]

_LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def knight_edges(rows: int, columns: int) -> list[tuple[int, int]]:
    """Moves u < v between cell numbers, in row-major order."""
    return sorted(
        (r * columns + c, x * columns + y)
        for r in range(rows)
        for c in range(columns)
        for x, y in ((r + dr, c + dc) for dr, dc in _LEAPS if dr > 0)
        if x < rows and 0 <= y < columns
    )


class Graphillion(Contender):
    """Graphillion as its documentation shows it: default order of edges, as many threads as there are cores.

    ``GraphSet.cycles(is_hamilton=True)`` builds a decision diagram of all Hamiltonian cycles, which can tell
    more than how many there are. Open tours are cycles through one extra vertex, as for our own engines.
    """

    name = "graphillion"
    package = "graphillion"

    def available(self) -> str:
        """Not if it is not installed: it is in the extra ``bench``."""
        return unavailable("graphillion", "'ktsolve[bench]'")

    def count(self, question: Question) -> tuple[int, dict[str, int]]:
        """Number of Hamiltonian cycles."""
        from graphillion import GraphSet

        rows, columns = size(question.board)
        with self.phase("state"):
            # Vertices from 1: as in its own examples.
            edges = [(u + 1, v + 1) for u, v in knight_edges(rows, columns)]
            if not question.closed:
                edges += [(u, rows * columns + 1) for u in range(1, rows * columns + 1)]
            GraphSet.set_universe(edges)
        with self.phase("solve"):
            return int(GraphSet.cycles(is_hamilton=True).len()), {}


class GraphillionOneThread(Graphillion):
    """The same with one thread, like our own counting engines.

    Its threads wait for each other by spinning, which costs a lot when something else wants the cores.
    """

    name = "graphillion-1"
    environment: ClassVar[Mapping[str, str]] = {"OMP_NUM_THREADS": "1"}


class Warnsdorff(Contender):
    """The naive baseline: go where fewest moves lead on (Warnsdorff 1823), back up when stuck; plain Python.

    Ties are broken at random, from a fixed seed; after two steps for each cell of the board it starts again.
    For a closed tour it backs up as soon as no cell next to the first one is free. What was tried: closed
    tours from the middle of the board are found far sooner than from a corner (30x30: 23 tries, not 530),
    open ones from a corner; ten steps for each cell are no better than two.
    """

    name = "warnsdorff"
    package = "ktsolve"

    def version(self) -> str:
        """It has no version of its own."""
        return "in benchmarks/rivals.py"

    def construct(self, question: Question) -> Any:
        """The first tour met."""
        rows, columns = size(question.board)
        n = rows * columns
        around: list[list[int]] = [[] for _ in range(n)]
        for u, v in knight_edges(rows, columns):
            around[u].append(v)
            around[v].append(u)
        start = rows // 2 * columns + columns // 2 if question.closed else 0
        dice = random.Random(1)
        while True:
            walk = _one_try(around, dice, start, 2 * n, question.closed)
            if walk is not None:
                return walk


def _one_try(
    around: list[list[int]], dice: random.Random, start: int, steps: int, closed: bool
) -> Walk | None:
    n = len(around)
    free = [True] * n
    onward = [len(others) for others in around]
    home = set(around[start])
    home_free = len(home)
    walk: Walk = []
    choices: list[list[int]] = []

    def enter(u: int) -> None:
        nonlocal home_free
        walk.append(u)
        free[u] = False
        home_free -= u in home
        for v in around[u]:
            onward[v] -= 1
        # Best last: choices are taken from the end.
        choices.append(
            sorted((v for v in around[u] if free[v]), key=lambda v: (onward[v], dice.random()), reverse=True)
        )

    enter(start)
    for _ in range(steps):
        if len(walk) == n and (not closed or walk[-1] in home):
            return walk
        stuck = closed and home_free == 0 and len(walk) < n
        if choices[-1] and not stuck:
            enter(choices[-1].pop())
            continue
        u = walk.pop()
        choices.pop()
        if not walk:
            return None
        free[u] = True
        home_free += u in home
        for v in around[u]:
            onward[v] += 1
    return None


class PlainCpSat(Contender):
    """OR-Tools the textbook way: one Boolean per directed move, ``AddCircuit``, default parameters.

    Against ``cpsat``, the same solver behind our model layer, it shows what that layer costs and what its
    settings gain. Listing finds every tour twice, once in each direction.
    """

    name = "ortools"
    package = "ortools"

    def available(self) -> str:
        """Always where ktsolve is: it depends on ortools."""
        return unavailable("ortools", "ortools")

    def load(self, action: str) -> None:
        """CP-SAT's Python face."""
        from ortools.sat.python import cp_model

        assert cp_model

    def _model(self, question: Question) -> tuple[Any, list[tuple[int, int, Any]], int]:
        from ortools.sat.python import cp_model

        rows, columns = size(question.board)
        n = rows * columns
        model = cp_model.CpModel()
        pairs = knight_edges(rows, columns)
        if not question.closed:
            pairs += [(u, n) for u in range(n)]
        arcs = [(a, b, model.new_bool_var(f"{a}>{b}")) for u, v in pairs for a, b in ((u, v), (v, u))]
        model.add_circuit(arcs)
        return model, arcs, n

    def construct(self, question: Question) -> Any:
        """One solution."""
        from ortools.sat.python import cp_model

        with self.phase("state"):
            model, arcs, n = self._model(question)
        with self.phase("solve"):
            solver = cp_model.CpSolver()
            status = solver.solve(model)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None
        with self.phase("decode"):
            return _follow({u: v for u, v, arc in arcs if solver.boolean_value(arc)}, n)

    def enumerate(self, question: Question) -> list[Any]:
        """All solutions, each a map from cell to next cell."""
        from ortools.sat.python import cp_model

        model, arcs, n = self._model(question)
        found: list[Walk] = []

        class Collector(cp_model.CpSolverSolutionCallback):
            def on_solution_callback(self) -> None:
                found.append(_follow({u: v for u, v, arc in arcs if self.boolean_value(arc)}, n))

        solver = cp_model.CpSolver()
        solver.parameters.enumerate_all_solutions = True
        solver.solve(model, Collector())
        return found

    def walks(self, found: list[Any]) -> list[Walk]:
        """One direction of each tour."""
        return [walk for walk in found if walk[1] < walk[-1]] if len(found) > 1 else found


def _follow(successor: dict[int, int], n: int) -> Walk:
    """The walk from cell 0, or through the extra node n from the cell after it."""
    here = successor.get(n, 0)
    walk = []
    for _ in range(n):
        walk.append(here)
        here = successor[here]
    return walk


RIVALS: tuple[type[Contender], ...] = (Graphillion, GraphillionOneThread, Warnsdorff, PlainCpSat)

CONTENDERS: dict[str, type[Contender]] = {each.name: each for each in (*OURS, *RIVALS)}
