"""The longest non-crossing path or cycle: not all cells are visited, no two moves cross.

One Boolean per move, one per cell that is true if it is visited; for a path an extra node that both its
ends are joined to. Of two moves that cross one is not made. The number of moves is the objective.

Parameters of an instance: ``board``, ``without``, ``leaper``, and ``closed``, for a cycle.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ktsolve.models import Built

from ktsolve.graphs.geometry import crossing_pairs
from ktsolve.graphs.tour import Tour
from ktsolve.model.constraints import Assignment
from ktsolve.model.model import Model
from ktsolve.problem.non_crossing import NonCrossingProblem
from ktsolve.problem.parameters import check_keys, tour_problem

__all__ = ["NonCrossingModel", "build"]


def build(parameters: Mapping[str, Any]) -> Built:
    """The model of an instance."""
    check_keys(
        parameters,
        {"board": str, "shape": str, "without": (str, list), "leaper": list, "closed": bool},
        "parameters",
    )
    asked = tour_problem(parameters)
    compiled = NonCrossingModel(NonCrossingProblem(asked.board, asked.closed))
    return Built(model=compiled.model, decode=compiled.decode)


class NonCrossingModel:
    """The question for a non-crossing walk compiled to a Model.

    >>> from ktsolve.graphs.board import Board
    >>> NonCrossingModel(NonCrossingProblem(Board.parse("3x3"), closed=False)).model
    <Model non-crossing path on 3x3: 27 Booleans, 18 constraints>
    """

    def __init__(self, problem: NonCrossingProblem) -> None:
        board = problem.board
        self.problem = problem
        self.model = model = Model(str(problem))
        index = board.index
        self._moves = {move: model.boolean(board.move_name(move)) for move in board.moves}
        visited = [model.boolean(f"visited[{board.name(cell)}]") for cell in board.cells]
        labels = [board.name(cell) for cell in board.cells]
        arcs = [(index[a], index[b], literal) for (a, b), literal in self._moves.items()]
        if not problem.closed:
            arcs += [(v, len(labels), model.boolean(f"end[{label}]")) for v, label in enumerate(labels)]
            visited.append(model.boolean("visited[outside]"))
            labels.append("outside")
            model.fix(visited[-1])
        model.show(literal for _, _, literal in arcs)
        model.subcircuit(len(visited), arcs, visited, labels=labels)
        for first, second in crossing_pairs(board.moves):
            model.clause(~self._moves[first], ~self._moves[second])
        model.maximise(dict.fromkeys(self._moves.values(), 1))

    def decode(self, assignment: Assignment) -> Tour:
        """The walk, as a tour over some of the cells."""
        around: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for (a, b), literal in self._moves.items():
            if literal.holds(assignment):
                around.setdefault(a, []).append(b)
                around.setdefault(b, []).append(a)
        start = min((cell for cell, others in around.items() if len(others) == 1), default=min(around))
        walk, before = [start], start
        while True:
            onward = [cell for cell in around[walk[-1]] if cell != before and cell != start]
            if not onward:
                break
            before = walk[-1]
            walk.append(min(onward))
        return Tour(self.problem.board, tuple(walk), self.problem.closed)
