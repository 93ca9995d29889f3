"""The rivals of ktsolve as contenders (see ``contract.py``).

Graphillion counts Hamiltonian cycles with zero-suppressed decision diagrams. The other two are programs that
a user could write without ktsolve.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, ClassVar

from contract import OURS, Contender, Question, Walk, size, unavailable

__all__ = [
    "CONTENDERS",
    "RIVALS",
    "Graphillion",
    "GraphillionOneThread",
    "PlainCpSat",
    "Warnsdorff",
    "knight_edges",
    "neighbours",
    "one_try",
]

_LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def knight_edges(rows: int, columns: int) -> list[tuple[int, int]]:
    """Return the knight's moves u < v between cell numbers, in row-major order."""
    return sorted(
        (r * columns + c, x * columns + y)
        for r in range(rows)
        for c in range(columns)
        for x, y in ((r + dr, c + dc) for dr, dc in _LEAPS if dr > 0)
        if x < rows and 0 <= y < columns
    )


def neighbours(rows: int, columns: int) -> list[list[int]]:
    """Return the cells a knight's move away from each cell."""
    around: list[list[int]] = [[] for _ in range(rows * columns)]
    for u, v in knight_edges(rows, columns):
        around[u].append(v)
        around[v].append(u)
    return around


class Graphillion(Contender):
    """Graphillion as in its documentation: default order of edges, as many threads as cores.

    ``GraphSet.cycles(is_hamilton=True)`` builds a decision diagram of all Hamiltonian cycles, which answers
    more than their number. Open tours are cycles through one extra vertex, as for the engines of ktsolve.
    """

    name = "graphillion"
    package = "graphillion"

    def available(self) -> str:
        """Return why it cannot be used: it belongs to the extra ``bench``."""
        return unavailable("graphillion", "'ktsolve[bench]'")

    def count(self, question: Question) -> tuple[int, dict[str, int]]:
        """Return the number of Hamiltonian cycles."""
        from graphillion import GraphSet

        rows, columns = size(question.board)
        with self.phase("state"):
            # Graphillion numbers vertices from 1.
            edges = [(u + 1, v + 1) for u, v in knight_edges(rows, columns)]
            if not question.closed:
                edges += [(u, rows * columns + 1) for u in range(1, rows * columns + 1)]
            GraphSet.set_universe(edges)
        with self.phase("solve"):
            return int(GraphSet.cycles(is_hamilton=True).len()), {}


class GraphillionOneThread(Graphillion):
    """Graphillion with one thread.

    Its threads wait for each other by spinning, which is slow when other processes use the cores.
    """

    name = "graphillion-1"
    environment: ClassVar[Mapping[str, str]] = {"OMP_NUM_THREADS": "1"}


class Warnsdorff(Contender):
    """The naive baseline in plain Python: Warnsdorff's rule (1823) with backtracking.

    Ties are broken at random, from a fixed seed. After two steps per cell of the board a new try starts. A
    closed walk goes back as soon as no cell next to its start is free. Tuning: closed walks begin in the
    middle of the board, because they succeed sooner than from a corner (30x30: 23 tries, not 530); open walks
    begin in a corner; ten steps per cell are no better than two.
    """

    name = "warnsdorff"
    package = "ktsolve"

    def version(self) -> str:
        """Return where the program is."""
        return "in benchmarks/rivals.py"

    def construct(self, question: Question) -> Any:
        """Return the first tour found."""
        rows, columns = size(question.board)
        n = rows * columns
        around = neighbours(rows, columns)
        start = rows // 2 * columns + columns // 2 if question.closed else 0
        dice = random.Random(1)
        while True:
            walk = one_try(around, dice, start, 2 * n, question.closed)
            if walk is not None:
                return walk


def one_try(
    around: list[list[int]], dice: random.Random, start: int, steps: int, closed: bool
) -> Walk | None:
    """Return a tour by Warnsdorff's rule with backtracking; None if it takes more than so many steps."""
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
        # The best choice is last, since pop() takes the last one.
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
    """OR-Tools as in a textbook: one Boolean per directed move, ``AddCircuit``, default parameters.

    The comparison with ``cpsat``, which uses the same solver, shows the cost of the model layer and the gain
    of its settings. Enumeration finds every tour twice, once in each direction.
    """

    name = "ortools"
    package = "ortools"

    def available(self) -> str:
        """Return why it cannot be used; ktsolve itself depends on ortools."""
        return unavailable("ortools", "ortools")

    def load(self, action: str) -> None:
        """Import the Python interface of CP-SAT."""
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
        """Return one solution."""
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
        """Return all solutions as walks, in both directions."""
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
        """Return one direction of each tour."""
        return [walk for walk in found if walk[1] < walk[-1]] if len(found) > 1 else found


def _follow(successor: dict[int, int], n: int) -> Walk:
    """Return the walk from cell 0, or from the successor of the extra node n."""
    here = successor.get(n, 0)
    walk = []
    for _ in range(n):
        walk.append(here)
        here = successor[here]
    return walk


RIVALS: tuple[type[Contender], ...] = (Graphillion, GraphillionOneThread, Warnsdorff, PlainCpSat)

CONTENDERS: dict[str, type[Contender]] = {each.name: each for each in (*OURS, *RIVALS)}
