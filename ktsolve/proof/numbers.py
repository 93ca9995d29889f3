"""Conditions on step numbers as clauses: part of :mod:`ktsolve.proof.statement`."""

from __future__ import annotations

from itertools import pairwise

from ktsolve.base.errors import Refused
from ktsolve.problem.conditions import Bound, CellSum, Condition, Figure, Order, StepRange
from ktsolve.proof.clauses import ClauseList
from ktsolve.proof.problem_graph import ProblemGraph

__all__ = ["state_numbers"]


def state_numbers(graph: ProblemGraph, clauses: ClauseList) -> None:
    """State that each cell has one step and each step one cell, that moves join steps, and the conditions."""
    _Numbers(graph, clauses).state()


class _Numbers:
    """Variables ``at[v][t]``: cell number v is visited at step t."""

    def __init__(self, graph: ProblemGraph, clauses: ClauseList) -> None:
        self._graph = graph
        self._clauses = clauses
        self._n = len(graph.cells)
        self._steps = range(1, self._n + 1)
        self._names = [graph.ground.name(cell) for cell in graph.cells]
        self._at = [{t: clauses.new(f"{name} at {t}") for t in self._steps} for name in self._names]

    def state(self) -> None:
        at = self._at
        for v, name in enumerate(self._names):
            self._clauses.one_of([at[v][t] for t in self._steps], f"steps of {name}")
        for t in self._steps:
            self._clauses.one_of([at[v][t] for v in range(self._n)], f"cells at {t}")
        self._state_moves()
        for step, nodes in self._graph.steps:
            self._clauses.add(at[v][step] for v in nodes)
        for nodes, total in self._graph.sums:
            self._state_sum(nodes, total)
        for condition in self._graph.conditions:
            self._state_condition(condition)

    def _state_condition(self, condition: Condition) -> None:
        at, add = self._at, self._clauses.add
        if isinstance(condition, CellSum):
            self._state_sum(tuple(sorted(self._graph.node[c] for c in condition.cells)), condition.total)
        elif isinstance(condition, StepRange):
            node = self._graph.node[condition.cell]
            add(at[node][t] for t in range(condition.least, condition.most + 1))
        elif isinstance(condition, Order):
            ordered = [self._graph.node[cell] for cell in condition.cells]
            for first, second in pairwise(ordered):
                for t in self._steps:
                    add([-at[second][t], *(at[first][s] for s in range(1, t))])
        elif isinstance(condition, Figure):
            self._state_figure(condition)
        elif not isinstance(condition, Bound):  # stated on moves
            raise Refused(f"no certificate can state {condition.feature}")

    def _state_moves(self) -> None:
        if self._graph.directed:
            self._state_arcs()
            return
        at, add, n = self._at, self._clauses.add, self._n
        around: list[list[tuple[int, int]]] = [[] for _ in range(n)]
        for (u, v), variable in self._graph.variable.items():
            if v < n:
                around[u].append((v, variable))
                around[v].append((u, variable))
            else:  # an end of an open tour
                add([-variable, at[u][1], at[u][n]])
                add([-at[u][1], variable])
                add([-at[u][n], variable])
        for u in range(n):
            for t in self._steps:
                beside = [s for s in (t - 1, t + 1) if 1 <= s <= n]
                if self._graph.closed and t in (1, n):
                    beside.append(n + 1 - t)
                for s in beside:
                    add([-at[u][t], *(at[v][s] for v, _ in around[u])])
                for v, variable in around[u]:
                    add([-variable, -at[u][t], *(at[v][s] for s in beside)])
                    for s in beside:
                        add([-at[u][t], -at[v][s], variable])

    def _state_arcs(self) -> None:
        at, add, n = self._at, self._clauses.add, self._n
        following: list[list[tuple[int, int]]] = [[] for _ in range(n)]
        preceding: list[list[int]] = [[] for _ in range(n)]
        for (u, v), variable in self._graph.variable.items():
            if u < n and v < n:
                following[u].append((v, variable))
                preceding[v].append(u)
            else:  # an end of an open tour
                end = at[v][1] if u == n else at[u][n]
                add([-variable, end])
                add([-end, variable])
        for u in range(n):
            for t in self._steps:
                after = t % n + 1
                if t == n and not self._graph.closed:
                    for _, variable in following[u]:
                        add([-variable, -at[u][t]])
                    continue
                add([-at[u][t], *(at[v][after] for v, _ in following[u])])
                add([-at[u][after], *(at[v][t] for v in preceding[u])])
                for v, variable in following[u]:
                    add([-variable, -at[u][t], at[v][after]])
                    add([-at[u][t], -at[v][after], variable])

    def _state_sum(self, nodes: tuple[int, ...], total: int | None) -> None:
        """State that the steps of some cells have a sum. Variables state the sums of the first few cells."""
        before: dict[int, list[int]] = {0: []}  # for each sum, the premises: its variable, or nothing
        for number, node in enumerate(nodes, 1):
            what = "+".join(self._names[v] for v in nodes[:number])
            left = len(nodes) - number
            now: dict[int, list[int]] = {}
            for so_far, premise in before.items():
                for step, at in self._at[node].items():
                    found = so_far + step
                    # The other cells have different steps: 1, 2, ... at least, n, n - 1, ... at most.
                    least, most = left * (left + 1) // 2, left * (2 * self._n - left + 1) // 2
                    possible = total is not None and least <= total - found <= most
                    if possible and left and found not in now:
                        now[found] = [self._clauses.new(f"{what} = {found}")]
                    if left or not possible:
                        conclusion = now[found] if possible else []
                        self._clauses.add([*(-each for each in premise), -at, *conclusion])
            before = now

    def _state_figure(self, figure: Figure) -> None:
        """State that the steps are on the cells, in one of the lines, or a move from each other."""
        at, add, cells = self._at, self._clauses.add, self._graph.cells
        if figure.shape in ("path", "circuit"):
            links = list(pairwise(figure.steps))
            if figure.shape == "circuit":
                links.append((figure.steps[-1], figure.steps[0]))
            for s, t in links:
                for u, near in enumerate(self._graph.near):
                    add([-at[u][s], *(at[v][t] for v in near)])
            return
        if figure.shape == "cells":
            for t in figure.steps:
                add(at[v][t] for v, cell in enumerate(cells) if cell in figure.cells)
            return
        which = {"row": 0, "column": 1}[figure.shape]
        chosen = {}
        for line in range(self._graph.board.rows if which == 0 else self._graph.board.columns):
            chosen[line] = self._clauses.new(f"{figure.text(self._graph.board)} number {line + 1}")
            for t in figure.steps:
                add([-chosen[line], *(at[v][t] for v, cell in enumerate(cells) if cell[which] == line)])
        add(chosen.values())
