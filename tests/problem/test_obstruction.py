"""Arithmetic that refutes: every argument is a proof, and each fires."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import assume, given
from marks import full
from strategies import (
    KNIGHT,
    LEAPERS,
    WAZIR,
    all_tours,
    examples,
    problems,
    random_problem,
)

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Settings
from ktsolve.engines.registry import engine_named
from ktsolve.graphs.board import WRAPS, Board
from ktsolve.problem.conditions import Condition, Order, StepRange, parse_condition
from ktsolve.problem.obstruction import Obstruction
from ktsolve.problem.problem import TourProblem

SEARCH = engine_named("search")


def searched(problem: TourProblem) -> TourProblem:
    """What exhaustive search takes of a problem."""
    return problem.replace(magic=(), conditions=(), starts=(), ends=())


@pytest.mark.parametrize("number", [500, full(2000)])
def test_obstructions_of_random_problems_are_proofs(number: int) -> None:
    chance = random.Random(2024)
    fired: Counter[str] = Counter()
    for _ in range(number):
        rows, columns = chance.randint(1, 4), chance.randint(1, 5)
        cells = [(r, c) for r in range(rows) for c in range(columns)]
        removed = chance.sample(cells, chance.randint(0, len(cells) // 3)) if chance.random() < 0.2 else []
        leaper = chance.choice([KNIGHT, WAZIR, chance.choice(LEAPERS)])
        wrap = "none" if chance.random() < 0.3 else chance.choice(WRAPS)
        board = Board(rows, columns, frozenset(removed), leaper, wrap)
        problem = random_problem(chance, board, chance.random() < 0.5, None)
        if problem is None:
            continue
        obstruction = problem.obstruction()
        if obstruction is None:
            continue
        fired[obstruction.theorem] += 1
        if obstruction.theorem not in ("sums", "bounds", "orders"):
            # These play no part in the other arguments, and the search does not know them.
            tour = SEARCH.construct(searched(problem), Settings(timeout=20))
            assert tour is None, (problem, obstruction)
    assert sum(fired.values()) > number // 5
    common = {"colours", "degrees", "connectivity", "required moves", "steps", "symmetry", "size", "sums"}
    assert all(fired[theorem] >= number // 600 for theorem in common), fired


@given(problems())
@examples(200)
def test_obstructions_of_any_problem_are_proofs(problem: TourProblem) -> None:
    obstruction = problem.obstruction()
    assume(obstruction is not None)
    assert obstruction is not None
    if obstruction.theorem not in ("sums", "bounds", "orders"):
        with suppress(LimitReached):
            assert SEARCH.construct(searched(problem), Settings(timeout=5)) is None


def test_colours_and_schwenk_settle_every_small_rectangle() -> None:
    for rows in range(1, 9):
        for columns in range(1, 9):
            if rows * columns <= 40:
                problem = TourProblem(board=Board(rows, columns), closed=True)
                tour = SEARCH.construct(problem, Settings())
                assert (problem.obstruction() is None) == (tour is not None), problem


@pytest.mark.parametrize(
    ("problem", "theorem", "reason"),
    [
        (
            TourProblem(board="1x2", closed=True),
            "size",
            "a closed tour needs at least 3 cells, not 2",
        ),
        (
            TourProblem(board="5x5", closed=True),
            "colours",
            "a closed tour alternates between the two colours, "
            "but the board has 13 cells of one and 12 of the other",
        ),
        (
            TourProblem(board=Board.parse("5x6", without="a1 c1"), closed=False),
            "colours",
            "an open tour alternates between the two colours, "
            "but the board has 15 cells of one and 13 of the other",
        ),
        (
            TourProblem(board="5x5", closed=False, start="a2"),
            "colours",
            "a2 cannot be at step 1: cells of its colour, the less frequent one, are at even steps only",
        ),
        (
            TourProblem(board="5x5", closed=False, at={4: "c3"}),
            "colours",
            "c3 cannot be at step 4: cells of its colour, the more frequent one, are at odd steps only",
        ),
        (
            TourProblem(board="6x6", closed=False, start="a1", end="b2"),
            "colours",
            "a1 at step 1 and b2 at step 36 do not fit: they have the same colour",
        ),
        (
            TourProblem(board="6x6", closed=True, at={3: "a1", 5: "a2"}),
            "colours",
            "a1 at step 3 and a2 at step 5 do not fit: they have different colours",
        ),
        (
            TourProblem(board="4x6", closed=True),
            "Schwenk 1991",
            "no closed tour exists on a rectangle with a side of 1, 2 or 4",
        ),
        (
            TourProblem(board="8x3", closed=True),
            "Schwenk 1991",
            "no closed tour exists on 3x4, 3x6 and 3x8",
        ),
        (
            TourProblem(board="3x10", closed=True, forbid=["a1-b3"]),
            "degrees",
            "a1 has one move left; a closed tour needs two",
        ),
        (
            TourProblem(board="3x10", closed=True, forbid=["a1-b3", "a1-c2"]),
            "degrees",
            "a1 has no move left",
        ),
        (
            TourProblem(board="6x6", closed=False, forbid=["a1-b3", "a6-b4", "f1-e3"]),
            "degrees",
            "3 cells have one move left (a6, a1, f1, ...); only the two ends may",
        ),
        (
            TourProblem(board="6x6", closed=False, start="a6", end="a1", forbid=["f1-e3"]),
            "degrees",
            "f1 has one move left but is not an end",
        ),
        (
            TourProblem(board=Board(4, 4, leaper=(1, 1), wrap="x"), closed=False),
            "connectivity",
            "no moves lead from a4 to b4",
        ),
        (
            TourProblem(board=Board(2, 4, leaper=WAZIR), closed=False, forbid=["b1-c1", "b2-c2"]),
            "connectivity",
            "no moves lead from a2 to c2",
        ),
        (
            TourProblem(board="6x6", closed=True, require=["a1-b3", "b3-d4", "b3-c5"]),
            "required moves",
            "3 required moves meet at b3; a cell has 2",
        ),
        (
            TourProblem(board="6x6", closed=False, start="b3", require=["a1-b3", "b3-d4"]),
            "required moves",
            "2 required moves meet at b3; an end of the tour has 1",
        ),
        (
            TourProblem(
                board="6x6", closed=True, require=["a1-b3", "b3-d2", "d2-c4", "c4-a3", "a3-b1", "b1-d2"]
            ),
            "required moves",
            "3 required moves meet at d2; a cell has 2",
        ),
        (
            TourProblem(board="6x6", closed=True, require=["b3-d4", "d4-e2", "c1-e2", "b3-c1"]),
            "required moves",
            "the required moves through d4 close a cycle of 4 cells",
        ),
        (
            TourProblem(
                board=Board(2, 2, leaper=WAZIR), closed=False, require=["a1-a2", "a2-b2", "b1-b2", "a1-b1"]
            ),
            "required moves",
            "the required moves through a2 close a cycle of 4 cells",
        ),
        (
            TourProblem(board="6x6", closed=True, at={5: "a1", 6: "a2"}),
            "steps",
            "a2 cannot be reached from a1 in 1 move, as steps 5 and 6 require",
        ),
        (
            TourProblem(board="8x8", closed=False, at={5: "a1", 9: "h8"}),
            "steps",
            "h8 cannot be reached from a1 in 4 moves, as steps 5 and 9 require",
        ),
        (
            TourProblem(board="6x6", closed=True, start="a1", end="b1"),
            "steps",
            "a1 cannot be reached from b1 in 1 move, as steps 36 and 1 require",
        ),
        (
            TourProblem(board="6x6", closed=True, start="a1", end="b3", forbid=["a1-b3", "c1-d3"]),
            "degrees",
            "a1 has one move left; a closed tour needs two",
        ),
        (
            TourProblem(board="6x6", closed=True, start="c1", end="d3", forbid=["c1-d3"]),
            "steps",
            "c1 cannot be reached from d3 in 1 move, as steps 36 and 1 require",
        ),
        (
            TourProblem(board="4x5", closed=False, magic=["columns", "rows"]),
            "sums",
            "4 equal sums of rows cannot add up to 210 = 1 + 2 + ... + 20",
        ),
        (
            TourProblem(board="3x10", closed=True, magic=["columns"]),
            "sums",
            "10 equal sums of columns cannot add up to 465 = 1 + 2 + ... + 30",
        ),
        (
            TourProblem(board="6x6", closed=False, symmetry="rot90"),
            "symmetry",
            "a path has no symmetry of order 4: its ends can only be exchanged",
        ),
        (
            TourProblem(board=Board(4, 5, leaper=WAZIR), closed=True, symmetry="flip-h"),
            "symmetry",
            "a symmetry of a closed tour fixes at most 2 cells; flip-h fixes 4 of this board",
        ),
        (
            TourProblem(board="5x5", closed=False, symmetry="flip-v"),
            "symmetry",
            "a symmetry of an open tour fixes at most 1 cell; flip-v fixes 5 of this board",
        ),
        (
            TourProblem(board="8x8", closed=True, symmetry="rot90"),
            "quarter-turn theorem",
            "a square of side divisible by 4 has no closed tour with a quarter turn",
        ),
        (
            TourProblem(board=Board(4, 4, leaper=WAZIR), closed=True, symmetry="rot90"),
            "symmetry",
            "rot90 would move every cell by 4 steps or an odd multiple of that of a closed tour, an even",
        ),
        (
            TourProblem(board="5x8", closed=True, symmetry="flip-h"),
            "symmetry",
            "flip-h would move every cell by 20 steps of a closed tour, an even number, but exchanges",
        ),
        (
            TourProblem(board="6x6", closed=False, symmetry="rot180"),
            "symmetry",
            "the middle of an open tour stays in place, a cell or a move; rot180 leaves none",
        ),
        (
            TourProblem(board=Board.parse("3x3", wrap="xy"), closed=True, symmetry="rot90"),
            "symmetry",
            "rot90 leaves a cell in place, so it would reverse a closed tour, but has order 4",
        ),
        (
            TourProblem(
                board=Board(3, 3, leaper=WAZIR, wrap="xy"),
                closed=True,
                symmetry="rot180",
                forbid=["b1-b3", "a2-c2"],
            ),
            "symmetry",
            "rot180 leaves a cell in place, so it would reverse a closed tour, but leaves no other",
        ),
    ],
    ids=lambda value: str(value) if isinstance(value, TourProblem) else "",
)
def test_each_argument_fires_with_its_reason(problem: TourProblem, theorem: str, reason: str) -> None:
    obstruction = problem.obstruction()
    assert obstruction is not None
    assert obstruction.theorem == theorem
    assert obstruction.reason.startswith(reason)
    assert str(obstruction) == f"{obstruction.reason} ({theorem})"
    assert str(obstruction).isprintable()
    assert obstruction == Obstruction(theorem, obstruction.reason)


@pytest.mark.parametrize(
    "problem",
    [
        TourProblem(board="6x6", closed=True),
        TourProblem(board="5x5", closed=False, start="a1", end="e5"),
        TourProblem(board="5x5", closed=False, start="b2", at={25: "c3"}),
        TourProblem(board="3x4", closed=False),
        TourProblem(board="1x1", closed=False),
        TourProblem(board="1x1", closed=False, symmetry="rot90"),
        TourProblem(board=Board(2, 2, leaper=WAZIR), closed=True, symmetry="rot90"),
        TourProblem(
            board=Board(2, 2, leaper=WAZIR), closed=True, require=["a1-a2", "a2-b2", "b1-b2", "a1-b1"]
        ),
        TourProblem(board=Board.parse("3x3", without="b2"), closed=True, symmetry="rot90"),
        TourProblem(board=Board(6, 6, leaper=WAZIR), closed=True, symmetry="rot90"),
        TourProblem(board="3x10", closed=True, symmetry="flip-h"),
        TourProblem(board="5x5", closed=False, symmetry="rot180"),
        TourProblem(board=Board.parse("4x4", wrap="xy"), closed=True),
        TourProblem(board="8x8", closed=False, magic=["rows", "columns", "diagonals"]),
        TourProblem(board="6x6", closed=True, structured=True, symmetry="rot180"),
        TourProblem(board="6x6", closed=True, symmetry="rot90"),
        TourProblem(board=Board(10, 10, wrap="xy"), closed=True, symmetry="rot90"),
        TourProblem(board="6x6", closed=True, at={36: "a1", 2: "e1"}),
    ],
    ids=str,
)
def test_arithmetic_is_silent_where_it_has_nothing_to_say(problem: TourProblem) -> None:
    assert problem.obstruction() is None


@pytest.mark.parametrize("number", [25, full(150)])
def test_orders_and_ranges_are_refuted_only_if_no_tour_keeps_to_them(number: int) -> None:
    chance = random.Random(11)
    refuted = 0
    for size, closed in (("3x4", False), ("5x6", True), ("4x5", False)):
        board = Board.parse(size)
        tours, n = all_tours(board, closed), len(board)
        for _ in range(number):
            cells = chance.sample(board.cells, 4)
            conditions: list[Condition] = [Order(tuple(cells[:2])), Order(tuple(cells[1:3]))]
            if chance.random() < 0.2:
                conditions.append(Order((cells[2], cells[0])))
            for cell in cells[2:]:
                least = chance.randint(1, n)
                conditions.append(StepRange(cell, least, min(n, least + chance.randint(0, 5))))
            starts = chance.sample(board.cells, 3) if chance.random() < 0.5 else []
            problem = TourProblem(board=board, closed=closed, starts=starts, conditions=conditions)
            found = problem.obstruction()
            if found is not None and found.theorem == "orders":
                refuted += 1
                few = tours if closed else chance.sample(tours, min(len(tours), 400))
                assert not any(list(problem.labelings(tour)) for tour in few), problem
    assert refuted > number // 4


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ({"order": ["a1,b1", "b1,c1", "c1,a1"]}, "the orders form a cycle: "),
        ({"order": ["c1,a1"], "range": ["a1=..3", "c1=2.."]}, "no step for"),
        ({"range": ["a1=5..5", "b3=5..5"]}, "step 5 cannot be both b3 and a1"),
    ],
)
def test_what_is_said_of_orders(stated: dict[str, list[str]], said: str) -> None:
    board = Board.parse("6x6")
    given = [
        each for key, texts in stated.items() for text in texts for each in parse_condition(key, text, board)
    ]
    found = TourProblem(board=board, closed=False, conditions=given).obstruction()
    assert found is not None
    assert found.theorem == "orders"
    assert said in found.reason
