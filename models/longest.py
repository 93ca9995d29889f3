"""The longest path or cycle: not all vertices are visited.

One Boolean per move, one per vertex that is true if it is visited; for a path an extra node that both its
ends are joined to. An induced walk makes every move between two of its vertices; of two moves that cross a
non-crossing one makes one at most. The number of moves, or the sum of their weights, is the objective.

Parameters of an instance: ``board``, ``without``, ``leaper``, ``closed``, for a cycle, ``induced``, and
``least``: with it any walk of so many moves or more is a solution, and a refutation shows that none is.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from ktsolve.models import Built

from ktsolve.graphs.geometry import crossing_pairs
from ktsolve.graphs.graph import Graph, Move, Vertex
from ktsolve.graphs.tour import Tour
from ktsolve.model.constraints import Assignment, Literal
from ktsolve.model.model import Model
from ktsolve.problem.longest import LongestProblem
from ktsolve.problem.parameters import check_keys, tour_problem

__all__ = ["DisjointWalks", "LongestModel", "build"]


def build(parameters: Mapping[str, Any], *, non_crossing: bool = False) -> Built:
    """The model of an instance."""
    keys: dict[str, Any] = {
        "board": str,
        "shape": str,
        "without": (str, list),
        "leaper": list,
        "closed": bool,
    }
    if not non_crossing:
        keys |= {"board": (str, dict, Graph), "induced": bool, "least": int, "start": str, "end": str}
    check_keys(parameters, keys, "parameters")
    given = dict(parameters)
    induced, least = given.pop("induced", False), given.pop("least", 0)
    asked = tour_problem(given)
    compiled = LongestModel(
        LongestProblem(asked.ground, asked.closed, asked.start, asked.end, induced, non_crossing)
    )
    if least:  # a decision, which clauses can refute
        compiled.model.forget_objectives()
        compiled.model.at_least(least + (not asked.closed), compiled.visited.values())
    return Built(model=compiled.model, decode=compiled.decode)


class DisjointWalks:
    """Several cycles, or paths, that cover the vertices, or each visit all of them without common edges.

    >>> square = LongestProblem(Graph.of([(0, 1), (1, 2), (2, 3), (3, 0)]), closed=False)
    >>> DisjointWalks(square, 2, cover=True).model
    <Model 2 disjoint walks: 26 Booleans, 9 constraints>
    """

    def __init__(self, problem: LongestProblem, number: int, *, cover: bool) -> None:
        self.model = model = Model(f"{number} disjoint walks")
        self.walks = walks = [LongestModel(problem, model, f"{k}.") for k in range(1, number + 1)]
        for cell in problem.ground.cells:
            visits = [each.visited[cell] for each in walks]
            if cover:
                model.exactly_one(visits)
            else:
                model.exactly(number, visits)
        if cover:  # which walk is called the first is open: the one of the first vertex
            for least, cell in enumerate(problem.ground.cells[:number], 1):
                for each in walks[least:]:
                    model.fix(~each.visited[cell])
        else:
            for move in problem.ground.moves:
                model.at_most_one(each.moves[move] for each in walks)
            self._order_walks(problem.ground)

    def _order_walks(self, ground: Graph) -> None:
        """Which walk is called the first is open: they come in the order of their first edges at a vertex."""
        places = ground.edges.ravel()
        fewest = ground.cells[int(np.bincount(places, minlength=len(ground)).argmin())]
        at = [move for move in ground.moves if fewest in move]
        for before, each in pairwise(self.walks):
            for place, move in enumerate(at):
                self.model.clause(~each.moves[move], *(before.moves[other] for other in at[:place]))

    def decode(self, assignment: Assignment) -> list[Tour]:
        """The walks."""
        return [each.decode(assignment) for each in self.walks]


class LongestModel:
    """The question for a longest walk compiled to a Model, or to a part of one, without objective.

    >>> from ktsolve.graphs.board import Board
    >>> LongestModel(LongestProblem(Board.parse("3x3"), closed=False, non_crossing=True)).model
    <Model non-crossing path on 3x3: 27 Booleans, 19 constraints>
    """

    def __init__(self, problem: LongestProblem, whole: Model | None = None, prefix: str = "") -> None:
        ground = problem.ground
        self.problem, self._prefix = problem, prefix
        self.model = model = Model(str(problem)) if whole is None else whole
        index = ground.index
        self.moves = {move: model.boolean(prefix + ground.move_name(move)) for move in ground.moves}
        self.visited = {cell: model.boolean(f"{prefix}visited[{ground.name(cell)}]") for cell in ground.cells}
        visited = list(self.visited.values())
        labels = [ground.name(cell) for cell in ground.cells]
        arcs = [(index[a], index[b], literal) for (a, b), literal in self.moves.items()]
        if problem.closed:
            if ground.directed:
                self._forbid_two()
        else:
            arcs += self._ends(labels)
            visited.append(model.boolean(f"{prefix}visited[outside]"))
            labels.append("outside")
            model.fix(visited[-1])
        if whole is None:
            model.show(literal for _, _, literal in arcs)
        model.subcircuit(len(visited), arcs, visited, directed=ground.directed, labels=labels)
        if problem.induced:
            for (a, b), literal in self.moves.items():
                model.clause(~self.visited[a], ~self.visited[b], literal)
        if problem.non_crossing:
            for first, second in crossing_pairs(ground.moves):
                model.clause(~self.moves[first], ~self.moves[second])
        if whole is not None:
            return
        if problem.weighted and ground.weights is not None:
            weights = ground.weights.tolist()
            model.maximise(dict(zip(self.moves.values(), weights, strict=True)))
        else:
            # Few vertices are left out where most moves are: bounds on their number are proved sooner.
            model.maximise(sum(self.visited.values()) - (not problem.closed))
            self._balance_colours()

    def _ends(self, labels: list[str]) -> list[tuple[int, int, Literal]]:
        """Arcs between the extra node and the vertices where a path may begin and end."""
        problem, model, outside = self.problem, self.model, len(labels)
        given = (problem.start, problem.end)
        first, last = (range(outside) if v is None else [problem.ground.place(v)] for v in given)
        if problem.ground.directed:
            starts = [(outside, v, model.boolean(f"{self._prefix}start[{labels[v]}]")) for v in first]
            return [*starts, *((v, outside, model.boolean(f"{self._prefix}end[{labels[v]}]")) for v in last)]
        # One end that is given: the other is any vertex.
        both = None not in given
        ends = {
            v: model.boolean(f"{self._prefix}end[{labels[v]}]")
            for v in ([*first, *last] if both else range(outside))
        }
        for v in given:
            if v is not None:
                model.fix(ends[problem.ground.place(v)])
        return [(v, outside, literal) for v, literal in ends.items()]

    def _forbid_two(self) -> None:
        """A cycle has three vertices at least."""
        for (a, b), literal in self.moves.items():
            back = self.moves.get((b, a))
            if back is not None and self.problem.ground.place(a) < self.problem.ground.place(b):
                self.model.clause(~literal, ~back)

    def _balance_colours(self) -> None:
        """No walk has more edges than colours and connectivity allow: implied, but hard for solvers."""
        most, _ = self.problem.most
        if most < len(self.visited) - (not self.problem.closed):
            literals = list(self.visited.values())
            self.model.at_most(most + (not self.problem.closed), literals)

    def decode(self, assignment: Assignment) -> Tour:
        """The walk, as a tour over some of the vertices."""
        problem = self.problem
        after: dict[Vertex, list[Vertex]] = {}
        entered: set[Vertex] = set()

        def make(a: Vertex, b: Vertex) -> None:
            after.setdefault(a, []).append(b)
            entered.add(b)

        chosen: list[Move] = [move for move, literal in self.moves.items() if literal.holds(assignment)]
        for a, b in chosen:
            make(a, b)
            if not problem.ground.directed:
                make(b, a)
        on = problem.ground.in_order(v for v, literal in self.visited.items() if literal.holds(assignment))
        ends = [v for v in on if (v not in entered if problem.ground.directed else len(after.get(v, ())) < 2)]
        if problem.end is not None and not problem.ground.directed:
            ends = [v for v in ends if v != problem.end or len(ends) == 1]
        start = problem.start if problem.start is not None else (ends or on)[0]
        walk, before = [start], start
        while True:
            onward = [v for v in after.get(walk[-1], ()) if v not in (before, start)]
            if not onward:
                return Tour(problem.ground, tuple(walk), problem.closed)
            before = walk[-1]
            walk.append(problem.ground.in_order(onward)[0])
