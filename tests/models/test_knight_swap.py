"""The model of leapers that change places: its solutions are those of the rules, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ktsolve.models.knight_swap import SwapModel, build

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.engines.sat.solver import SatSolver
from ktsolve.graphs.board import Board
from ktsolve.wings.swap.puzzle import SwapPuzzle, goals, starts, steps
from ktsolve.wings.swap.solution import violation

DIAGONAL = SwapPuzzle(start="W.B/.x./B.W", goal="B.W/.x./W.B", objective="moves")
CORRIDOR = SwapPuzzle(start="A..B/....", goal="..AB/....", board=Board.parse("2x4", leaper=(0, 1)))


def number_of_solutions(puzzle: SwapPuzzle, most: int) -> int:
    """The number of sequences of at most ``most`` moves, by counting on from position to position."""
    layer = dict.fromkeys(starts(puzzle), 1)
    number = int(puzzle.first == puzzle.last)
    for _ in range(most):
        following: dict[tuple[str, str], int] = {}
        for state, paths in layer.items():
            for _, reached in steps(puzzle, state):
                following[reached] = following.get(reached, 0) + paths
        layer = following
        number += sum(layer.get(goal, 0) for goal in goals(puzzle))
    return number


@pytest.mark.parametrize(
    ("puzzle", "most"),
    [
        (replace(DIAGONAL, longest=2), 6),
        (CORRIDOR, 4),
        (replace(CORRIDOR, objective="moves"), 2),
        (replace(CORRIDOR, objective="moves", longest=2, peaceful=True, goal="A..B/...."), 3),
        (replace(CORRIDOR, alternate=True), 5),
        (replace(CORRIDOR, leapers=(("B", (1, 2)),)), 4),
    ],
    ids=str,
)
def test_it_has_a_solution_for_each_sequence_of_at_most_so_many_moves(puzzle: SwapPuzzle, most: int) -> None:
    stated = SwapModel(puzzle, most)
    found = [stated.moves(assignment) for assignment in SatSolver().solutions(stated.model, Settings())]
    assert len(found) == len(set(found)) == number_of_solutions(puzzle, most) > 0
    assert all(violation(puzzle, moves) is None for moves in found)


def test_an_instance_prints_its_moves() -> None:
    parameters = {"start": "A./../..", "goal": "../../.A", "most": 1}
    built = build(parameters)
    (only,) = SatSolver().solutions(built.model, Settings())
    assert built.decode(only) == "1. A a3-b1"
    with pytest.raises(BadInput, match=r"parameters\.most is missing: give the number of steps"):
        build({key: value for key, value in parameters.items() if key != "most"})
