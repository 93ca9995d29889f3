"""Tour problems: what they accept, who answers them, and arithmetic that is never wrong."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import (
    KNIGHT,
    LEAPERS,
    TOUR_BOARDS,
    WAZIR,
    all_tours,
    answer_or_refusal,
    examples,
    hostile_text,
    json_values,
    ordered,
    problems,
    random_problem,
    refusal,
)

from ktsolve.engines.base import Settings
from ktsolve.engines.registry import engine_named
from ktsolve.errors import LimitReached
from ktsolve.ground.board import WRAPS, Board, Move
from ktsolve.ground.figures import CORNERS, LINES, corner_moves, magic_lines
from ktsolve.ground.formats import read_tour
from ktsolve.ground.notation import Cell
from ktsolve.ground.symmetry import symmetry_group
from ktsolve.ground.tour import Fault, Tour
from ktsolve.problem.obstruction import Obstruction
from ktsolve.problem.parameters import check_keys, tour_problem
from ktsolve.problem.problem import FEATURES, TourProblem

SEARCH = engine_named("search")

OPEN_3X4 = "1 4 7 10\n8 11 2 5\n3 6 9 12"

# W. Beverley, 1848: the first tour whose rows and columns have equal sums.
BEVERLEY = """
 1 30 47 52  5 28 43 54
48 51  2 29 44 53  6 27
31 46 49  4 25  8 55 42
50  3 32 45 56 41 26  7
33 62 15 20  9 24 39 58
16 19 34 61 40 57 10 23
63 14 17 36 21 12 59 38
18 35 64 13 60 37 22 11"""

# Structured at all four corners: a base board of divide-and-conquer.
STRUCTURED_6X6 = """
 1 30 33 16  3 24
32 17  2 23 34 15
29 36 31 14 25  4
18  9  6 35 22 13
 7 28 11 20  5 26
10 19  8 27 12 21"""

QUARTER_TURN_6X6 = """
 1 16 31 24  3 10
30 23  2  9 32 25
15 36 17 26 11  4
22 29  8 35 18 33
 7 14 27 20  5 12
28 21  6 13 34 19"""

RING = "1 6 3\n4 . 8\n7 2 5"  # 3x3 without its centre: one closed tour, with every symmetry


# -- a judge of its own -------------------------------------------------------------------------------------

CUT_CORNERS = {"tl": (False, False), "tr": (False, True), "bl": (True, False), "br": (True, True)}


def turned(name: str, cell: Cell, rows: int, columns: int) -> Cell:
    """Where a symmetry takes a cell, by its name."""
    r, c = cell
    if name == "rot90":
        return c, rows - 1 - r
    down = rows - 1 - r if name in ("rot180", "flip-v") else r
    across = columns - 1 - c if name in ("rot180", "flip-h") else c
    return down, across


def answers(problem: TourProblem, squares: tuple[Cell, ...], made: frozenset[Move]) -> bool:
    """Does a tour, numbered like this, with these moves, answer the problem?"""
    board, size = problem.board, len(squares)
    rows, columns = board.rows, board.columns
    if problem.start not in (None, squares[0]) or problem.end not in (None, squares[-1]):
        return False
    if any(squares[step - 1] != cell for step, cell in problem.steps):
        return False
    if not problem.require <= made or problem.forbid & made:
        return False
    for corner in problem.corners:
        below, right = CUT_CORNERS[corner]
        for pair in (((0, 1), (2, 0)), ((0, 2), (1, 0))):
            placed = [(rows - 1 - r if below else r, columns - 1 - c if right else c) for r, c in pair]
            if ordered(placed[0], placed[1]) not in made:
                return False
    name = problem.symmetry
    if (
        name
        and {ordered(turned(name, a, rows, columns), turned(name, b, rows, columns)) for a, b in made} != made
    ):
        return False
    step = {cell: number for number, cell in enumerate(squares, 1)}
    sums: dict[str, set[int]] = {
        "rows": {sum(step[r, c] for c in range(columns)) for r in range(rows)} if problem.magic else set(),
        "columns": {sum(step[r, c] for r in range(rows)) for c in range(columns)} if problem.magic else set(),
    }
    if "diagonals" in problem.magic:
        main, other = sum(step[i, i] for i in range(rows)), sum(step[i, rows - 1 - i] for i in range(rows))
        # The sum of a row if all rows are equal.
        return all(len(sums[kind]) == 1 for kind in problem.magic - {"diagonals"}) and (
            main == other and 2 * rows * main == size * (size + 1)
        )
    return all(len(sums[kind]) == 1 for kind in problem.magic)


@cache
def numbered(board: Board, closed: bool) -> list[tuple[int, tuple[Cell, ...], frozenset[Move]]]:
    """Every tour in every numbering: its number, negative for the reverse, its cells and its moves."""
    found: list[tuple[int, tuple[Cell, ...], frozenset[Move]]] = []
    for which, tour in enumerate(all_tours(board, closed), 1):
        steps = [*pairwise(tour.squares), *([(tour.squares[-1], tour.squares[0])] if closed else [])]
        made = frozenset(ordered(a, b) for a, b in steps)
        for sign in (1, -1) if len(tour) > 1 else (1,):
            walk = tour.squares[::sign]
            starts = range(len(walk) if closed else 1)
            found.extend((sign * which, walk[at:] + walk[:at], made) for at in starts)
    return found


def random_problems(board: Board, closed: bool, number: int) -> Iterator[TourProblem]:
    """That many problems on a board, the same in every run."""
    chance = random.Random(f"{board!r} {closed}")
    tours = all_tours(board, closed)
    while number:
        model = chance.choice(tours)
        if closed:
            model = model.starting_at(chance.choice(board.cells))
        problem = random_problem(chance, board, closed, model)
        if problem is not None:
            number -= 1
            yield problem


@pytest.mark.parametrize(("board", "closed"), [(board, closed) for board, closed, _ in TOUR_BOARDS], ids=str)
def test_random_problems_against_every_tour_of_the_board(board: Board, closed: bool) -> None:
    every = numbered(board, closed)
    chance = random.Random(1)
    answered = 0
    for problem in random_problems(board, closed, 40):
        right = {index for index, (_, squares, made) in enumerate(every) if answers(problem, squares, made)}
        answered += bool(right)
        # The judge agrees.
        sample = {*chance.sample(range(len(every)), min(30, len(every))), *sorted(right)[:30]}
        for index in sorted(sample):
            assert (problem.check(Tour(board, every[index][1], closed)) is None) == (index in right), problem
        # An obstruction is a proof.
        if problem.obstruction() is not None:
            assert not right, (problem, problem.obstruction())
        # One numbering for each direction in which a tour answers.
        directions = {every[index][0] for index in right}
        whole = dict(
            zip((abs(which) for which, _, _ in every), (squares for _, squares, _ in every), strict=True)
        )
        for which in sorted(whole)[:60]:
            found = list(problem.numberings(Tour(board, whole[which], closed)))
            assert all(problem.check(tour) is None for tour in found)
            assert len(found) == len(directions & {which, -which}), problem
            if found and not problem.steps and not problem.magic:
                assert len(found) == problem.directions
        # Exhaustive search finds just as many.
        if not problem.magic:
            counted = SEARCH.count(problem, Settings())
            assert counted.count == len({abs(which) for which in directions}), problem
            assert counted.directed == len(directions), problem
        # Board symmetries that keep the problem carry answers to answers.
        for symmetry in problem.automorphisms:
            for index in sorted(right)[:3]:
                image = Tour(board, every[index][1], closed).transformed(symmetry)
                assert next(problem.numberings(image), None) is not None, (problem, symmetry.name)
    assert answered > 3


# -- obstructions -------------------------------------------------------------------------------------------


def test_obstructions_of_random_problems_are_proofs() -> None:
    chance = random.Random(2024)
    fired: Counter[str] = Counter()
    for _ in range(2000):
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
        if obstruction.theorem != "sums":
            # Sums play no part in the other arguments, and the search does not know them.
            tour = SEARCH.construct(problem.replace(magic=()), Settings(timeout=20))
            assert tour is None, (problem, obstruction)
    assert sum(fired.values()) > 400
    common = {"colours", "degrees", "connectivity", "required moves", "steps", "symmetry", "size", "sums"}
    assert all(fired[theorem] >= 3 for theorem in common), fired


@given(problems())
@examples(200)
def test_obstructions_of_any_problem_are_proofs(problem: TourProblem) -> None:
    obstruction = problem.obstruction()
    assume(obstruction is not None)
    assert obstruction is not None
    if obstruction.theorem != "sums":
        with suppress(LimitReached):
            assert SEARCH.construct(problem.replace(magic=()), Settings(timeout=5)) is None


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
            "a2 cannot be at step 1: cells of its colour, the less frequent one, stand at even steps only",
        ),
        (
            TourProblem(board="5x5", closed=False, steps={4: "c3"}),
            "colours",
            "c3 cannot be at step 4: cells of its colour, the more frequent one, stand at odd steps only",
        ),
        (
            TourProblem(board="6x6", closed=False, start="a1", end="b2"),
            "colours",
            "a1 at step 1 and b2 at step 36 do not fit: they have the same colour",
        ),
        (
            TourProblem(board="6x6", closed=True, steps={3: "a1", 5: "a2"}),
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
            TourProblem(board="6x6", closed=True, steps={5: "a1", 6: "a2"}),
            "steps",
            "a2 cannot be reached from a1 in 1 move, as steps 5 and 6 ask",
        ),
        (
            TourProblem(board="8x8", closed=False, steps={5: "a1", 9: "h8"}),
            "steps",
            "h8 cannot be reached from a1 in 4 moves, as steps 5 and 9 ask",
        ),
        (
            TourProblem(board="6x6", closed=True, start="a1", end="b1"),
            "steps",
            "a1 cannot be reached from b1 in 1 move, as steps 36 and 1 ask",
        ),
        (
            TourProblem(board="6x6", closed=True, start="a1", end="b3", forbid=["a1-b3", "c1-d3"]),
            "degrees",
            "a1 has one move left; a closed tour needs two",
        ),
        (
            TourProblem(board="6x6", closed=True, start="c1", end="d3", forbid=["c1-d3"]),
            "steps",
            "c1 cannot be reached from d3 in 1 move, as steps 36 and 1 ask",
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
        TourProblem(board="5x5", closed=False, start="b2", steps={25: "c3"}),
        TourProblem(board="3x4", closed=False),
        TourProblem(board="1x1", closed=False),
        TourProblem(board="1x1", closed=False, symmetry="rot90"),
        TourProblem(board=Board(2, 2, leaper=WAZIR), closed=True, symmetry="rot90"),
        TourProblem(
            board=Board(2, 2, leaper=WAZIR), closed=True, require=["a1-a2", "a2-b2", "b1-b2", "a1-b1"]
        ),
        TourProblem(board=Board.parse("3x3", without="b2"), closed=True, symmetry="rot90"),
        TourProblem(board=Board(4, 4, leaper=WAZIR), closed=True, symmetry="rot90"),
        TourProblem(board=Board.parse("4x4", wrap="xy"), closed=True),
        TourProblem(board="8x8", closed=False, magic=["rows", "columns", "diagonals"]),
        TourProblem(board="6x6", closed=True, corners=True, symmetry="rot180"),
        TourProblem(board="6x6", closed=True, symmetry="rot90"),
        TourProblem(board=Board(8, 8, wrap="xy"), closed=True, symmetry="rot90"),
        TourProblem(board="6x6", closed=True, steps={36: "a1", 2: "e1"}),
    ],
    ids=str,
)
def test_arithmetic_is_silent_where_it_has_nothing_to_say(problem: TourProblem) -> None:
    assert problem.obstruction() is None


# -- the judge ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "asked", "fault"),
    [
        (OPEN_3X4, {}, None),
        (OPEN_3X4, {"start": "a3", "end": "d1"}, None),
        (OPEN_3X4, {"start": "a1"}, Fault(1, "step 1 is a3, not a1 as asked")),
        (OPEN_3X4, {"end": "a3"}, Fault(12, "step 12 is d1, not a3 as asked")),
        (OPEN_3X4, {"steps": {3: "a1", 5: "d2"}}, None),
        (OPEN_3X4, {"steps": {3: "a1", 5: "d3"}}, Fault(5, "step 5 is d2, not d3 as asked")),
        (OPEN_3X4, {"require": ["c2-a3", "d1-b2"]}, None),
        (OPEN_3X4, {"require": ["c3-d1"]}, Fault(0, "the required move c3-d1 is not made")),
        (OPEN_3X4, {"forbid": ["c3-d1"]}, None),
        (OPEN_3X4, {"forbid": ["b1-d2"]}, Fault(5, "the forbidden move b1-d2 is made")),
        (OPEN_3X4, {"symmetry": "rot180"}, None),
        (
            OPEN_3X4,
            {"symmetry": "flip-h"},
            Fault(0, "not symmetric under flip-h: a1-b3 is made, c3-d1 is not"),
        ),
        (OPEN_3X4, {"closed": True}, Fault(12, "step 12: the last cell d1 is no move from the first a3")),
        (OPEN_3X4, {"board": "4x3"}, Fault(0, "the tour is on 3x4, the problem on 4x3")),
        (OPEN_3X4.replace("12", "."), {}, Fault(0, "the tour is on 3x4 without d1, the problem on 3x4")),
        (RING, {"closed": True, "symmetry": "rot90"}, None),
        (RING, {"closed": True, "symmetry": "rot180"}, None),
        (RING, {"closed": True, "symmetry": "flip-h"}, None),
        (RING, {"closed": True, "symmetry": "flip-v"}, None),
        (RING, {"closed": True, "start": "a3", "end": "a1"}, Fault(8, "step 8 is c2, not a1 as asked")),
        (RING, {"closed": True, "require": ["a3-c2"]}, None),
        (RING, {"closed": False, "require": ["a3-c2"]}, Fault(0, "the required move a3-c2 is not made")),
        (RING, {"closed": True, "forbid": ["a3-c2"]}, Fault(1, "the forbidden move a3-c2 is made")),
        (RING, {"closed": False, "forbid": ["a3-c2"]}, None),
        (
            RING,
            {"closed": False, "symmetry": "rot90"},
            Fault(0, "not symmetric under rot90: a1-b3 is made, a3-c2 is not"),
        ),
        (STRUCTURED_6X6, {"closed": True, "corners": True}, None),
        (QUARTER_TURN_6X6, {"closed": True, "corners": ["tr", "br"]}, None),
        (BEVERLEY, {"corners": ["tl", "tr"]}, None),
        (QUARTER_TURN_6X6, {"closed": True, "symmetry": "rot90"}, None),
        (QUARTER_TURN_6X6, {"closed": True, "symmetry": "rot180"}, None),
        (QUARTER_TURN_6X6, {"closed": True, "symmetry": "flip-v"}, Fault(0, "not symmetric under flip-v: ")),
        (
            BEVERLEY,
            {"corners": True},
            Fault(0, "corner bl is not structured: a3-b1 is not made"),
        ),
        (STRUCTURED_6X6, {"closed": True, "symmetry": "rot180"}, Fault(0, "not symmetric under rot180: ")),
        (STRUCTURED_6X6, {"closed": True, "symmetry": "rot90"}, Fault(0, "not symmetric under rot90: ")),
        (BEVERLEY, {"magic": ["rows"]}, None),
        (BEVERLEY, {"magic": ["columns", "rows"]}, None),
        (BEVERLEY, {"magic": ["diagonals"]}, Fault(0, "diagonal 1 adds up to 282, not 260")),
        (STRUCTURED_6X6, {"magic": ["rows"]}, Fault(0, "row 1 adds up to 107, not 111")),
        (STRUCTURED_6X6, {"magic": ["columns"]}, Fault(0, "column 1 adds up to 97, not 111")),
        (OPEN_3X4, {"magic": ["rows"]}, Fault(0, "row 1 adds up to 22, not 26")),
        (OPEN_3X4, {"magic": ["columns"]}, Fault(0, "column 1 adds up to 12, not 19.5")),
    ],
)
def test_hand_made_tours_are_judged(text: str, asked: dict[str, Any], fault: Fault | None) -> None:
    tour = read_tour(text)
    problem = TourProblem(
        **{"board": tour.board if "." not in text or text == RING else "3x4", "closed": False, **asked}
    )
    found = problem.check(tour)
    if fault is None:
        assert found is None
    else:
        assert found is not None
        assert found.step == fault.step
        assert found.reason.startswith(fault.reason)
    # Whether the tour itself is marked closed plays no part.
    assert problem.check(tour.as_closed(not tour.closed)) == found


@pytest.mark.parametrize(
    ("grid", "right", "wrong", "reason"),
    [
        ("4 7 1\n8 5 3\n2 9 6", [], ["diagonals"], "diagonal 2 adds up to 8, not 15"),
        ("1 5 7\n4 2 9\n6 8 3", [], ["diagonals"], "diagonal 1 adds up to 6, not 15"),
        ("4 8 1\n7 5 3\n9 2 6", ["diagonals"], ["diagonals", "rows"], "row 1 adds up to 13, not 15"),
        ("4 2 9\n7 5 3\n1 8 6", ["diagonals", "rows"], ["columns"], "column 1 adds up to 12, not 15"),
        ("4 7 1\n2 5 8\n9 3 6", ["diagonals", "columns"], ["rows"], "row 1 adds up to 12, not 15"),
    ],
)
def test_sums_of_closed_tours_on_a_torus(grid: str, right: list[str], wrong: list[str], reason: str) -> None:
    board = Board(3, 3, wrap="xy")
    tour = read_tour(grid, board)
    assert tour.valid
    assert TourProblem(board=board, closed=True, magic=right).check(tour) is None
    assert TourProblem(board=board, closed=True, magic=wrong).check(tour) == Fault(0, reason)
    assert list(TourProblem(board=board, closed=True, magic=wrong, start="b2").numberings(tour)) == []


@given(problems(), st.data())
@examples(100)
def test_what_is_no_tour_answers_nothing(problem: TourProblem, data: st.DataObject) -> None:
    cells = data.draw(st.lists(st.sampled_from(problem.board.cells), max_size=len(problem.board) + 1))
    walk = Tour(problem.board, tuple(cells), problem.closed)
    assume(not walk.valid)
    assert problem.check(walk) == walk.fault
    assert list(problem.numberings(walk)) == []


def test_a_tour_on_another_board_has_no_numberings() -> None:
    problem = TourProblem(board="3x4", closed=False)
    assert list(problem.numberings(read_tour(BEVERLEY))) == []
    assert list(TourProblem(board="4x6", closed=True, start="a1").numberings(read_tour(OPEN_3X4))) == []


def test_numberings_turn_a_closed_tour_to_what_is_asked() -> None:
    tour = read_tour(STRUCTURED_6X6)
    problem = TourProblem(board="6x6", closed=True, steps={3: tour.squares[30], 4: tour.squares[31]})
    (found,) = problem.numberings(tour.reversed())
    assert found == tour.starting_at(tour.squares[28])
    both = list(TourProblem(board="6x6", closed=True, start="c3").numberings(tour))
    assert [numbering.squares[0] for numbering in both] == [(3, 2), (3, 2)]
    assert both[0].squares[1:] == both[1].squares[:0:-1]


# -- what a problem accepts ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        ({"board": "3y4"}, "write ROWSxCOLUMNS"),
        ({"start": "z9"}, "'z9' is off the 6x6 board"),
        ({"start": (6, 0)}, "cell 6,0 is off the 6x6 board"),
        ({"end": "a"}, "'a' is not a cell"),
        ({"board": Board.parse("6x6", without="a1"), "start": "a1"}, "cell a1 is removed from the board"),
        ({"start": "a1", "end": "a1"}, "start and end are the same cell, a1"),
        ({"require": ["a1-a2"]}, "a1-a2 is no move of a 1,2 leaper on 6x6"),
        ({"forbid": ["a1-b9"]}, "'b9' is off the 6x6 board"),
        ({"forbid": ["a1"]}, "'a1' is not a move"),
        ({"require": "a1-b3"}, "require must be a list of moves, such as ['a1-b3']"),
        ({"require": ["a1-b3"], "forbid": ["b3-a1"]}, "move a1-b3 is both required and forbidden"),
        ({"corners": ["bl"], "forbid": ["a2-c1"]}, "move a2-c1 is both required and forbidden"),
        ({"steps": {0: "a1"}}, "step 0 is not among the 36 steps of the tour (1 to 36)"),
        ({"steps": {37: "a1"}}, "step 37 is not among the 36 steps"),
        ({"steps": {-1: "a1"}}, "step -1 is not among the 36 steps"),
        ({"steps": {10**5000: "a1"}}, "is not among the 36 steps"),
        ({"steps": {"5": "a1"}}, "'5' is not a step number"),
        ({"steps": {1.5: "a1"}}, "1.5 is not a step number"),
        ({"steps": {True: "a1"}}, "True is not a step number"),
        ({"steps": {5: "g1"}}, "'g1' is off the 6x6 board"),
        ({"steps": [(5, "a1"), (5, "a2")]}, "step 5 cannot be both"),
        ({"steps": {5: "a1", 7: "a1"}}, "a1 cannot be at both step 5 and step 7"),
        ({"start": "a1", "steps": {1: "a2"}}, "step 1 cannot be both a1 and a2"),
        ({"end": "a1", "steps": {36: "a2"}}, "step 36 cannot be both a1 and a2"),
        ({"start": "a1", "steps": {5: "a1"}}, "a1 cannot be at both step 1 and step 5"),
        ({"symmetry": "rot45"}, "use rot180, rot90, flip-h, flip-v"),
        ({"board": "6x7", "symmetry": "rot90"}, "rot90 needs a square board"),
        ({"board": Board.parse("6x6", without="a1"), "symmetry": "rot180"}, "a cell falls into a hole"),
        ({"corners": ["xx"]}, "corner 'xx' is unknown: use tl, tr, bl, br"),
        ({"corners": "tl"}, "is unknown: use tl, tr, bl, br"),
        ({"board": "2x9", "corners": True}, "at least 3 rows and 3 columns, not 2x9"),
        ({"board": Board.parse("6x6", without="a2"), "corners": ["bl"]}, "cell a2 is removed from the board"),
        ({"board": Board(6, 6, leaper=(1, 3)), "corners": ["tl"]}, "is no move of a 1,3 leaper"),
        ({"magic": ["files"]}, "'files' cannot be magic: use rows, columns, diagonals"),
        ({"magic": "rows"}, "cannot be magic: use rows, columns, diagonals"),
        ({"board": "6x7", "magic": ["diagonals"]}, "need a square board, not 6x7"),
        ({"board": Board.parse("6x6", without="a1"), "magic": ["rows"]}, "a board without holes"),
    ],
    ids=lambda value: value if isinstance(value, str) else ",".join(value),
)
def test_what_makes_no_sense_is_refused_in_one_line(conditions: dict[str, Any], said: str) -> None:
    for closed in (True, False):
        assert said in refusal(TourProblem, **{"board": "6x6", "closed": closed, **conditions})


def test_conditions_may_be_said_twice_if_they_agree() -> None:
    problem = TourProblem(board="6x6", closed=False, start="a1", steps={1: "a1", 2: "b3"}, end="a2")
    assert problem.known_steps == ((1, (5, 0)), (2, (3, 1)), (36, (4, 0)))
    assert TourProblem(board="1x1", closed=False, start="a1", end="a1").known_steps == ((1, (0, 0)),)
    corners = TourProblem(board="6x6", closed=True, corners=["bl"], require=["a2-c1", "b3-a1"])
    assert {corners.board.move_name(move) for move in corners.required_moves} == {"a2-c1", "a3-b1", "a1-b3"}
    assert {corners.board.move_name(move) for move in corners.require} == {"a2-c1", "a1-b3"}


def test_words_and_cells_state_the_same_problem() -> None:
    words = TourProblem(
        board="6x6",
        closed=True,
        start="a1",
        end="b3",
        require=["a1-b3", "c1->d3"],
        forbid=["3,4 - 1,5"],
        steps={5: "c3"},
        symmetry="rot180",
        corners=True,
        magic=["rows", "columns"],
    )
    cells = TourProblem(
        board=Board(6, 6),
        closed=True,
        start=(5, 0),
        end=(3, 1),
        require=iter([((3, 1), (5, 0)), ((5, 2), (3, 3)), ((5, 0), (3, 1))]),
        forbid={((1, 5), (3, 4))},
        steps=[(5, (3, 2)), (5, "c3")],
        symmetry="rot180",
        corners=["br", "bl", "tr", "tl", "tl"],
        magic=("columns", "rows"),
    )
    assert words == cells
    assert hash(words) == hash(cells)
    changes: list[dict[str, Any]] = [
        {"board": "8x8"},
        {"closed": False},
        {"start": None},
        {"end": None},
        {"require": ()},
        {"forbid": ()},
        {"steps": ()},
        {"symmetry": None},
        {"corners": ["tl"]},
        {"magic": ["rows"]},
    ]
    base = TourProblem(
        board="6x6",
        closed=True,
        start="a1",
        end="b3",
        require=["c1-d3"],
        forbid=["b1-c3"],
        steps={5: "c5"},
        symmetry="rot180",
        corners=True,
        magic=["columns"],
    )
    others = [base.replace(**change) for change in changes]
    assert len({base, *others}) == len(changes) + 1
    assert all(
        base.features - other.features <= {next(iter(change)), "closed", "structured"}
        for change, other in zip(changes, others, strict=True)
    )


@given(problems())
@examples(250)
def test_words_lead_back_to_the_problem(problem: TourProblem) -> None:
    again = eval(repr(problem), {"Board": Board, "TourProblem": TourProblem})
    assert again == problem
    assert hash(again) == hash(problem)
    assert again.replace() == problem
    assert "\n" not in repr(problem)
    assert str(problem).isprintable()
    data = json.loads(json.dumps(problem.to_json()))
    assert data.pop("closed") is problem.closed
    assert Board.from_json(data.pop("board")) == problem.board
    names = {"start", "end", "require", "forbid", "steps", "symmetry", "corners", "magic"}
    assert set(data) == {name for name in names if getattr(problem, name)}
    steps = {int(step): cell for step, cell in data.pop("steps", {}).items()}
    assert TourProblem(board=problem.board, closed=problem.closed, steps=steps, **data) == problem


def test_a_problem_says_what_it_is() -> None:
    problem = TourProblem(board="6x6", closed=True, start="a1", steps={5: "c3"}, corners=True, magic=["rows"])
    assert str(problem) == "closed 6x6 start a1 steps 5=c3 structured magic rows"
    assert repr(problem) == (
        "TourProblem(board=Board.parse('6x6'), closed=True, start='a1', steps={5: 'c3'}, "
        "corners=['tl', 'tr', 'bl', 'br'], magic=['rows'])"
    )
    board = Board(6, 6)
    many = TourProblem(board=board, closed=False, forbid=board.moves[:6], corners=["br"])
    assert str(many) == "open 6x6 forbid a6-c5,a6-b4,b6-d5,a4-b6,... (6) structured br"


@pytest.mark.parametrize(
    ("conditions", "features"),
    [
        ({}, set()),
        ({"start": "a1"}, {"start"}),
        ({"end": "a1"}, {"end"}),
        ({"require": ["a1-b3"]}, {"require"}),
        ({"forbid": ["a1-b3"]}, {"forbid"}),
        ({"board": Board.parse("6x6", without="a1")}, {"holes"}),
        ({"board": Board(6, 6, leaper=(0, 1))}, {"leaper"}),
        ({"board": Board(6, 6, wrap="y")}, {"wrap"}),
        ({"steps": {1: "a1"}}, {"steps"}),
        ({"symmetry": "rot180"}, {"symmetry"}),
        ({"corners": ["tl"]}, {"structured"}),
        ({"magic": ["rows"]}, {"magic"}),
    ],
)
def test_features_are_what_is_asked(conditions: dict[str, Any], features: set[str]) -> None:
    for closed in (True, False):
        problem = TourProblem(**{"board": "6x6", "closed": closed, **conditions})
        assert problem.features == features | {"closed" if closed else "open"}
        assert problem.features <= set(FEATURES)


def test_corner_moves_are_mirror_images() -> None:
    board = Board(5, 7)
    named = {corner: {board.move_name(move) for move in corner_moves(board, corner)} for corner in CORNERS}
    assert named == {
        "tl": {"a3-b5", "a4-c5"},
        "tr": {"f5-g3", "e5-g4"},
        "bl": {"a3-b1", "a2-c1"},
        "br": {"f1-g3", "e1-g2"},
    }


def test_magic_lines_are_the_lines_of_the_board() -> None:
    board = Board(3, 3)
    for kind, lines in {
        "rows": ["abc", "def", "ghi"],
        "columns": ["adg", "beh", "cfi"],
        "diagonals": ["aei", "ceg"],
    }.items():
        words = [
            "".join("abcdefghi"[board.index[cell]] for cell in line) for line in magic_lines(board, kind)
        ]
        assert words == lines
    assert [len(magic_lines(Board(2, 5), kind)) for kind in LINES[:2]] == [2, 5]


# -- symmetries of a problem --------------------------------------------------------------------------------


@given(problems())
@examples(150)
def test_automorphisms_are_a_subgroup(problem: TourProblem) -> None:
    whole = symmetry_group(problem.board)
    kept = problem.automorphisms
    images = {symmetry.images for symmetry in kept}
    assert kept[0].images == tuple(range(len(problem.board)))
    assert set(kept) <= set(whole)
    assert {a.after(b).images for a in kept for b in kept} == images
    assert {a.inverse().images for a in kept} == images
    bare = TourProblem(board=problem.board, closed=problem.closed)
    assert bare.automorphisms == whole


@pytest.mark.parametrize(
    ("conditions", "names"),
    [
        ({}, "identity rot90 rot180 rot270 flip-h flip-v transpose anti-transpose"),
        ({"start": "a1"}, "identity anti-transpose"),
        ({"start": "a1", "end": "a6"}, "identity"),
        ({"steps": {7: "a1", 9: "f6"}}, "identity anti-transpose"),
        ({"require": ["c3-d5"]}, "identity"),
        ({"require": ["c3-d5", "d4-c2"]}, "identity rot180"),
        ({"forbid": ["a1-b3", "a1-c2"]}, "identity anti-transpose"),
        ({"require": ["a1-b3"], "forbid": ["a1-c2"]}, "identity"),
        ({"corners": True}, "identity rot90 rot180 rot270 flip-h flip-v transpose anti-transpose"),
        ({"corners": ["tl"]}, "identity transpose"),
        ({"corners": ["tl", "br"]}, "identity rot180 transpose anti-transpose"),
        ({"symmetry": "rot90"}, "identity rot90 rot180 rot270 flip-h flip-v transpose anti-transpose"),
        ({"symmetry": "flip-h"}, "identity rot180 flip-h flip-v"),
        ({"magic": ["rows"]}, "identity rot180 flip-h flip-v"),
        ({"magic": ["columns"]}, "identity rot180 flip-h flip-v"),
        (
            {"magic": ["rows", "columns", "diagonals"]},
            "identity rot90 rot180 rot270 flip-h flip-v transpose anti-transpose",
        ),
        ({"magic": ["diagonals"]}, "identity rot90 rot180 rot270 flip-h flip-v transpose anti-transpose"),
    ],
    ids=lambda value: f"{value!s:.50}",
)
def test_automorphisms_of_a_square(conditions: dict[str, Any], names: str) -> None:
    problem = TourProblem(board="6x6", closed=True, **conditions)
    assert [symmetry.name for symmetry in problem.automorphisms] == names.split()


def test_automorphisms_of_sums_on_a_torus_do_not_depend_on_names() -> None:
    # Two columns on: a flip is a shift as well, and a shift of whole columns keeps the sums of rows.
    board = Board(4, 4, wrap="xy")
    for magic, order in (
        (["rows"], 64),
        (["rows", "columns"], 128),
        (["rows", "diagonals"], 8),
        (["diagonals"], 16),
    ):
        problem = TourProblem(board=board, closed=True, magic=magic)
        images = {symmetry.images for symmetry in problem.automorphisms}
        assert len(images) == order
        assert {a.after(b).images for a in problem.automorphisms for b in problem.automorphisms} == images


# -- parameters of instance files ---------------------------------------------------------------------------


def test_parameters_state_a_problem() -> None:
    found = tour_problem(
        {
            "board": "6x6",
            "without": ["f6", "e6"],
            "leaper": [2, 1],
            "wrap": "x",
            "closed": False,
            "start": "a1",
            "end": "c3",
            "require": ["a1-b3"],
            "forbid": ["b1-c3"],
            "steps": {"5": "d4", "06": "e2"},
            "corners": ["bl"],
        }
    )
    assert found == TourProblem(
        board=Board.parse("6x6", without="e6 f6", wrap="x"),
        closed=False,
        start="a1",
        end="c3",
        require=["a1-b3"],
        forbid=["b1-c3"],
        steps={5: "d4", 6: "e2"},
        corners=["bl"],
    )
    drawn = tour_problem({"shape": "\n...\n.#.\n...\n", "closed": True, "symmetry": "rot90"})
    assert drawn == TourProblem(board=Board.parse("3x3", without="b2"), closed=True, symmetry="rot90")
    whole = tour_problem({"board": "8x8", "closed": True, "structured": True, "magic": ["rows"]})
    assert whole == TourProblem(board="8x8", closed=True, corners=True, magic=["rows"])
    assert tour_problem({"board": "8x8", "closed": True, "structured": False}).corners == frozenset()
    assert len(tour_problem({"board": "8x8", "without": "a1 b1", "closed": False}).board) == 62


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"closed": None}, "parameters.closed must be true or false"),
        ({"closed": 1}, "parameters.closed must be true or false, not 1"),
        ({"board": 8}, "parameters.board must be text, not 8"),
        ({"board": "8"}, "parameters.board: '8' is not a board"),
        ({"without": 7}, "parameters.without must be text or a list, not 7"),
        ({"without": [7]}, "parameters.without must be a list of texts"),
        ({"without": ["z9"]}, "parameters.without: cell 'z9' is off the 6x6 board"),
        ({"leaper": [1]}, "leaper must be two whole numbers, such as [1, 2], not [1]"),
        ({"leaper": [1, True]}, "leaper must be two whole numbers"),
        ({"leaper": [1.0, 2]}, "leaper must be two whole numbers"),
        ({"leaper": "1,2"}, "parameters.leaper must be a list"),
        ({"wrap": "z"}, "wrap 'z' is unknown"),
        ({"start": "a7"}, "parameters.start: cell 'a7' is off the 6x6 board"),
        ({"require": "a1-b3"}, "parameters.require must be a list"),
        ({"forbid": [1]}, "parameters.forbid must be a list of texts"),
        ({"steps": ["a1"]}, "parameters.steps must be a table"),
        ({"steps": {"x": "a1"}}, 'write 5 = "c3" for c3 at step 5'),
        ({"steps": {"5": 3}}, 'write 5 = "c3" for c3 at step 5'),
        ({"steps": {"²": "a1"}}, 'write 5 = "c3" for c3 at step 5'),
        ({"steps": {"9" * 5000: "a1"}}, 'write 5 = "c3" for c3 at step 5'),
        ({"steps": {"line\nbreak": "a1"}}, 'write 5 = "c3" for c3 at step 5'),
        ({"steps": {"5": "a1", "05": "a2"}}, "step 5 cannot be both"),
        ({"corners": ["xx"]}, "parameters.corners: 'xx' is unknown"),
        ({"corners": True}, "parameters.corners must be a list"),
        ({"structured": ["tl"]}, "parameters.structured must be true or false"),
        ({"magic": ["files"]}, "parameters.magic: 'files' is unknown"),
        ({"shape": "..."}, "leave out board and without"),
        ({"colour": "white"}, "parameters.colour is unknown: expected one of board, closed"),
        ({"line\nbreak": 1}, "is unknown: expected one of board, closed"),
        ({"x" * 1000: 1}, "is unknown: expected one of board, closed"),
    ],
    ids=lambda value: f"{value!r:.50}" if isinstance(value, str) else "",
)
def test_wrong_parameters_are_refused_by_name(parameters: dict[str, Any], said: str) -> None:
    assert said in refusal(tour_problem, {"board": "6x6", "closed": True, **parameters})


def test_missing_parameters_are_named() -> None:
    assert "parameters.closed is missing" in refusal(tour_problem, {"board": "6x6"})
    assert "board is missing" in refusal(tour_problem, {"closed": True})
    assert "not 'o'" in refusal(tour_problem, {"closed": True, "shape": "..o"})


def test_keys_are_checked_with_their_table() -> None:
    check_keys({"a": 1, "b": "x"}, {"a": int, "b": (str, int)}, "")
    assert refusal(check_keys, {"c": 1}, {"a": int, "b": int}, "") == "c is unknown: expected one of a, b"
    assert refusal(check_keys, {"a": True}, {"a": (int, str)}, "part") == (
        "part.a must be a whole number or text, not True"
    )


KEYS = (
    *("board", "shape", "without", "leaper", "wrap", "closed", "start", "end", "require", "forbid", "steps"),
    *("symmetry", "corners", "structured", "magic"),
)


@given(st.dictionaries(st.sampled_from(KEYS), st.one_of(json_values(), hostile_text()), max_size=4))
@examples(300)
def test_no_parameters_make_the_reader_fall_over(parameters: dict[str, Any]) -> None:
    answer_or_refusal(tour_problem, parameters)
    answer_or_refusal(tour_problem, {"board": "3x4", "closed": False, **parameters})


@given(st.sampled_from(KEYS), hostile_text())
@examples(200)
def test_no_words_make_a_problem_fall_over(key: str, text: str) -> None:
    value: Any = text
    if key in ("without", "require", "forbid", "corners", "magic"):
        value = [text]
    elif key == "steps":
        value = {"3": text, text: "a1"}
    answer_or_refusal(tour_problem, {"board": "3x4", "closed": False, key: value})
