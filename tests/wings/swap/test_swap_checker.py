"""Solutions of swap puzzles and their checker; arithmetic."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from ktsolve.graphs.board import Board
from ktsolve.wings.swap.planning import lower_bound, obstruction, parity
from ktsolve.wings.swap.puzzle import SwapPuzzle
from ktsolve.wings.swap.solution import SwapSolution, violation

GUARINI: dict[str, Any] = {"start": "W.W/.x./B.B", "goal": "B.B/.x./W.W"}

# -- the checker ---------------------------------------------------------------------------------------------

CORRIDOR = SwapPuzzle(start="A..B/....", goal="..AB/....", board=Board.parse("2x4", leaper=(0, 1)))


@pytest.mark.parametrize(
    ("changed", "moves", "expected"),
    [
        ({}, [(0, 1), (1, 2)], None),
        ({}, [(0, 1)], "in the end A stands on b2, not nothing"),
        ({}, [(0, 1), (1, 2), (2, 3)], "jump 3: B stands on d2"),
        ({}, [(0, 2)], "jump 1: a2-c2 is not a jump of A"),
        ({}, [(1, 2)], "jump 1: nothing stands on b2"),
        ({}, [(0,)], "jump 1: [0] is not a walk over the 8 cells"),
        ({}, [(0, 8)], "jump 1: [0, 8] is not a walk over the 8 cells"),
        ({}, [(0, 1, 2)], "jump 1: 2 jumps are too many"),
        ({"most": 1}, [(0, 1), (1, 2)], "2 jumps are more than 1"),
        ({"objective": "moves"}, [(0, 1, 2)], None),
        ({"objective": "moves"}, [(0, 4, 0, 1)], "move 1: a2-a1-a2-b2 visits a cell twice"),
        ({"objective": "moves", "longest": 1}, [(0, 1, 2)], "move 1: 2 jumps are too many"),
        ({"alternate": True}, [(0, 1), (1, 2)], "jump 2: A moves, but it is not its turn"),
        ({"alternate": True}, [(0, 1), (3, 7), (1, 2), (7, 3)], None),
        (
            {"peaceful": True, "goal": "A..B/...."},
            [(0, 1), (1, 2), (2, 1), (1, 0)],
            "jump 2: A on c2 attacks a piece of another colour",
        ),
    ],
)
def test_the_checker(changed: dict[str, Any], moves: list[tuple[int, ...]], expected: str | None) -> None:
    assert violation(replace(CORRIDOR, **changed), moves) == expected


def test_a_wrapped_board() -> None:
    puzzle = SwapPuzzle.of_parameters({"start": "A...", "goal": "...A", "leaper": [0, 1], "wrap": "x"})
    assert violation(puzzle, [(0, 3)]) is None
    assert violation(replace(puzzle, board=Board.parse("1x4", leaper=(0, 1))), [(0, 3)]) is not None


def test_a_solution_writes_itself() -> None:
    puzzle = replace(CORRIDOR, objective="moves")
    solution = SwapSolution(puzzle, ((0, 1, 2),))
    assert (str(solution), solution.line(), solution.jumps) == ("1. A a2-b2-c2", "a2-b2-c2", 2)
    assert solution.to_json() == [{"piece": "A", "path": [[0, 0], [0, 1], [0, 2]]}]
    assert solution.positions == ("A..B....", "..AB....")


# -- arithmetic ----------------------------------------------------------------------------------------------


def test_obstructions_say_why() -> None:
    ring = SwapPuzzle(start="W.W/.x./B.B", goal="W.B/.x./B.W")
    assert re.fullmatch(
        r"pieces on the ring [a-c1-3-]+ keep their order: WWBB cannot .*", str(obstruction(ring))
    )
    parts = SwapPuzzle(start="WB../....", goal="BW../....")
    why = "no jump leaves the 2 cells a2, c1: they have 1 W at the start, 0 at the goal"
    assert obstruction(parts) == why
    assert lower_bound(parts) is None
    # Two components: the second has too many B, the first too few.
    apart = SwapPuzzle.of_parameters({"start": "A.xBC", "goal": "ABx.C", "leaper": [0, 1]})
    why = "no jump leaves the 2 cells d1, e1: they have 1 B at the start, 0 at the goal"
    assert obstruction(apart) == why
    odd = SwapPuzzle(start="ABC/DEF/GH.", goal="ABC/DEF/HG.", board=Board.parse("3x3", leaper=(0, 1)))
    assert str(obstruction(odd)).startswith(
        "the pieces form an odd permutation, but the empty cell makes an even"
    )
    assert obstruction(replace(odd, goal="ABC/DEF/G.H")) is None
    assert obstruction(SwapPuzzle(**GUARINI)) is None


def test_bounds_and_parity() -> None:
    assert (lower_bound(SwapPuzzle(**GUARINI)), parity(SwapPuzzle(**GUARINI))) == (8, 0)
    assert parity(SwapPuzzle(**GUARINI, objective="moves")) is None
    eight = SwapPuzzle(start="..BB/.xBB/xCCx/xCCx", goal="..CC/.xCC/xBBx/xBBx", objective="moves", longest=2)
    assert lower_bound(eight) == 8
    # A ring of three cells has no colouring, hence no parity.
    assert (
        parity(SwapPuzzle.of_parameters({"start": "A..", "goal": ".A.", "leaper": [0, 1], "wrap": "x"}))
        is None
    )
