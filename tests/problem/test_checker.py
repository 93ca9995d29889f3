"""The check of tours: against one written for the tests, by hand, and labelings by steps."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from known_tours import BEVERLEY
from marks import quick
from segments import meet
from strategies import (
    TOUR_BOARDS,
    all_tours,
    examples,
    ordered,
    problems,
    random_problem,
)

from ktsolve.base.limits import Settings
from ktsolve.engines.registry import engine_named
from ktsolve.formats.tours.files import read_tour
from ktsolve.graphs.board import Board, Move
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour, Violation
from ktsolve.problem.conditions import (
    At,
    Bound,
    CellSum,
    Condition,
    Corner,
    End,
    EqualSums,
    Forbid,
    Order,
    Require,
    Start,
    StepRange,
    Symmetric,
)
from ktsolve.problem.conditions.figure import Figure
from ktsolve.problem.conditions.moves import Run
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import Statistic

SEARCH = engine_named("search")


OPEN_3X4 = "1 4 7 10\n8 11 2 5\n3 6 9 12"


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


# -- a checker of its own ------------------------------------------------------------------------------------


CUT_CORNERS = {"tl": (False, False), "tr": (False, True), "bl": (True, False), "br": (True, True)}


def turned(name: str, cell: Cell, rows: int, columns: int) -> Cell:
    """Where a symmetry takes a cell, by its name."""
    r, c = cell
    if name == "rot90":
        return c, rows - 1 - r
    down = rows - 1 - r if name in ("rot180", "flip-v") else r
    across = columns - 1 - c if name in ("rot180", "flip-h") else c
    return down, across


def satisfies(
    condition: Condition, board: Board, squares: tuple[Cell, ...], made: frozenset[Move], closed: bool
) -> bool:
    """Does a numbered tour satisfy a condition?"""
    at = dict(enumerate(squares, 1))
    match condition:
        case StepRange(cell, least, most):
            return cell in [at[step] for step in range(least, most + 1)]
        case Order(cells):
            return [cell for cell in squares if cell in cells] == list(cells)
        case CellSum(cells, total):
            return sum(step for step, cell in at.items() if cell in cells) == total
        case Figure(steps, "cells", cells):
            return all(at[step] in cells for step in steps)
        case Figure(steps, "row" | "column" as line):
            return len({at[step][line == "column"] for step in steps}) == 1
        case Figure(steps, shape):
            around = [*steps, steps[0]] if shape == "circuit" else list(steps)
            return all(board.adjacent(at[a], at[b]) for a, b in pairwise(around))
        case Run(cells):
            inside = [cell in cells for cell in squares]
            before = [closed and inside[-1], *inside[:-1]]
            return sum(here and not there for here, there in zip(inside, before, strict=True)) <= 1
        case Bound(statistic, least, most):
            value = valued(statistic, squares, made, closed)
            return (least is None or value >= least) and (most is None or value <= most)
    raise AssertionError(condition)


@cache
def valued(statistic: Statistic, squares: tuple[Cell, ...], made: frozenset[Move], closed: bool) -> int:
    """A statistic of a tour, by complex numbers."""
    if statistic.name == "moves":
        return sum(1 for move in made if move in statistic.moves)
    if statistic.name == "crossings":
        return sum(1 for one, other in combinations(made, 2) if meet(one, other))
    walk = [complex(*cell) for cell in squares]
    if closed:
        walk = [walk[-1], *walk, walk[0]]
    turned_by = [(c - b) / (b - a) for a, b, c in zip(walk, walk[1:], walk[2:], strict=False)]
    # Turned by z: straight on for a positive number, and back the way it came for an acute angle.
    straight = sum(1 for z in turned_by if abs(z.imag) < 1e-9 and z.real > 0)
    right = sum(1 for z in turned_by if abs(z.real) < 1e-9)
    acute = sum(1 for z in turned_by if z.real < -1e-9)
    return {
        "straight": straight,
        "turns": len(turned_by) - straight,
        "right": right,
        "acute": acute,
        "obtuse": len(turned_by) - right - acute,
    }[statistic.name]


WITHIN = (Start, End, Require, Forbid, At, Symmetric, Corner, EqualSums)
"""Conditions that ``answers`` checks by itself."""


def answers(problem: TourProblem, squares: tuple[Cell, ...], made: frozenset[Move]) -> bool:
    """Does a tour, numbered like this, with these moves, answer the problem?"""
    board, size = problem.board, len(squares)
    rows, columns = board.rows, board.columns
    if problem.start not in (None, squares[0]) or problem.end not in (None, squares[-1]):
        return False
    if any(squares[step - 1] != cell for step, cell in problem.at):
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
    if problem.starts and squares[0] not in problem.starts:
        return False
    if problem.ends and squares[-1] not in problem.ends:
        return False
    others = [each for each in problem.conditions if not isinstance(each, WITHIN)]
    if not all(satisfies(each, board, squares, made, problem.closed) for each in others):
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


@pytest.mark.parametrize(
    ("board", "closed"),
    quick(((board, closed) for board, closed, _ in TOUR_BOARDS), lambda case: len(case[0]) < 13),
    ids=str,
)
def test_random_problems_against_every_tour_of_the_board(board: Board, closed: bool) -> None:
    every = numbered(board, closed)
    chance = random.Random(1)
    answered = 0
    for problem in random_problems(board, closed, 40):
        right = {index for index, (_, squares, made) in enumerate(every) if answers(problem, squares, made)}
        answered += bool(right)
        # The checker agrees.
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
            found = list(problem.labelings(Tour(board, whole[which], closed)))
            assert all(problem.check(tour) is None for tour in found)
            assert len(found) == len(directions & {which, -which}), problem
            if found and not problem.step_indexed and not problem.starts and not problem.ends:
                assert len(found) == problem.directions
        # Exhaustive search finds just as many.
        if SEARCH.unsupported_feature("count", problem) is None:
            counted = SEARCH.count(problem, Settings())
            assert counted.count == len({abs(which) for which in directions}), problem
            assert counted.directed == len(directions), problem
        # Board symmetries that keep the problem carry answers to answers.
        for symmetry in problem.automorphisms:
            for index in sorted(right)[:3]:
                image = Tour(board, every[index][1], closed).transformed(symmetry)
                assert next(problem.labelings(image), None) is not None, (problem, symmetry.name)
    assert answered > 3


# -- the checker ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "asked", "fault"),
    [
        (OPEN_3X4, {}, None),
        (OPEN_3X4, {"start": "a3", "end": "d1"}, None),
        (OPEN_3X4, {"start": "a1"}, Violation(1, "step 1 is a3, not a1")),
        (OPEN_3X4, {"end": "a3"}, Violation(12, "step 12 is d1, not a3")),
        (OPEN_3X4, {"at": {3: "a1", 5: "d2"}}, None),
        (OPEN_3X4, {"at": {3: "a1", 5: "d3"}}, Violation(5, "step 5 is d2, not d3")),
        (OPEN_3X4, {"require": ["c2-a3", "d1-b2"]}, None),
        (OPEN_3X4, {"require": ["c3-d1"]}, Violation(0, "the required move c3-d1 is not made")),
        (OPEN_3X4, {"forbid": ["c3-d1"]}, None),
        (OPEN_3X4, {"forbid": ["b1-d2"]}, Violation(5, "the forbidden move b1-d2 is made")),
        (OPEN_3X4, {"symmetry": "rot180"}, None),
        (
            OPEN_3X4,
            {"symmetry": "flip-h"},
            Violation(0, "not symmetric under flip-h: a1-b3 is made, c3-d1 is not"),
        ),
        (
            OPEN_3X4,
            {"closed": True},
            Violation(12, "step 12: the last cell d1 is not a move from the first a3"),
        ),
        (OPEN_3X4, {"board": "4x3"}, Violation(0, "the tour is on 3x4, the problem on 4x3")),
        (OPEN_3X4.replace("12", "."), {}, Violation(0, "the tour is on 3x4 without d1, the problem on 3x4")),
        (RING, {"closed": True, "symmetry": "rot90"}, None),
        (RING, {"closed": True, "symmetry": "rot180"}, None),
        (RING, {"closed": True, "symmetry": "flip-h"}, None),
        (RING, {"closed": True, "symmetry": "flip-v"}, None),
        (RING, {"closed": True, "start": "a3", "end": "a1"}, Violation(8, "step 8 is c2, not a1")),
        (RING, {"closed": True, "require": ["a3-c2"]}, None),
        (RING, {"closed": False, "require": ["a3-c2"]}, Violation(0, "the required move a3-c2 is not made")),
        (RING, {"closed": True, "forbid": ["a3-c2"]}, Violation(1, "the forbidden move a3-c2 is made")),
        (RING, {"closed": False, "forbid": ["a3-c2"]}, None),
        (
            RING,
            {"closed": False, "symmetry": "rot90"},
            Violation(0, "not symmetric under rot90: a1-b3 is made, a3-c2 is not"),
        ),
        (STRUCTURED_6X6, {"closed": True, "structured": True}, None),
        (QUARTER_TURN_6X6, {"closed": True, "corners": ["tr", "br"]}, None),
        (BEVERLEY, {"corners": ["tl", "tr"]}, None),
        (QUARTER_TURN_6X6, {"closed": True, "symmetry": "rot90"}, None),
        (QUARTER_TURN_6X6, {"closed": True, "symmetry": "rot180"}, None),
        (
            QUARTER_TURN_6X6,
            {"closed": True, "symmetry": "flip-v"},
            Violation(0, "not symmetric under flip-v: "),
        ),
        (
            BEVERLEY,
            {"structured": True},
            Violation(0, "corner bl is not structured: a3-b1 is not made"),
        ),
        (
            STRUCTURED_6X6,
            {"closed": True, "symmetry": "rot180"},
            Violation(0, "not symmetric under rot180: "),
        ),
        (STRUCTURED_6X6, {"closed": True, "symmetry": "rot90"}, Violation(0, "not symmetric under rot90: ")),
        (BEVERLEY, {"magic": ["rows"]}, None),
        (BEVERLEY, {"magic": ["columns", "rows"]}, None),
        (BEVERLEY, {"magic": ["diagonals"]}, Violation(0, "diagonal 1 adds up to 282, not 260")),
        (STRUCTURED_6X6, {"magic": ["rows"]}, Violation(0, "row 1 adds up to 107, not 111")),
        (STRUCTURED_6X6, {"magic": ["columns"]}, Violation(0, "column 1 adds up to 97, not 111")),
        (OPEN_3X4, {"magic": ["rows"]}, Violation(0, "row 1 adds up to 22, not 26")),
        (OPEN_3X4, {"magic": ["columns"]}, Violation(0, "column 1 adds up to 12, not 19.5")),
    ],
)
def test_hand_made_tours_are_checked(text: str, asked: dict[str, Any], fault: Violation | None) -> None:
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
    assert TourProblem(board=board, closed=True, magic=wrong).check(tour) == Violation(0, reason)
    assert list(TourProblem(board=board, closed=True, magic=wrong, start="b2").labelings(tour)) == []


@given(problems(), st.data())
@examples(100)
def test_what_is_no_tour_answers_nothing(problem: TourProblem, data: st.DataObject) -> None:
    cells = data.draw(st.lists(st.sampled_from(problem.board.cells), max_size=len(problem.board) + 1))
    walk = Tour(problem.board, tuple(cells), problem.closed)
    assume(not walk.valid)
    assert problem.check(walk) == walk.violation
    assert list(problem.labelings(walk)) == []


def test_a_tour_on_another_board_has_no_labelings() -> None:
    problem = TourProblem(board="3x4", closed=False)
    assert list(problem.labelings(read_tour(BEVERLEY))) == []
    assert list(TourProblem(board="4x6", closed=True, start="a1").labelings(read_tour(OPEN_3X4))) == []


def test_numberings_turn_a_closed_tour_to_what_is_asked() -> None:
    tour = read_tour(STRUCTURED_6X6)
    problem = TourProblem(board="6x6", closed=True, at={3: tour.squares[30], 4: tour.squares[31]})
    (found,) = problem.labelings(tour.reversed())
    assert found == tour.starting_at(tour.squares[28])
    both = list(TourProblem(board="6x6", closed=True, start="c3").labelings(tour))
    assert [numbering.squares[0] for numbering in both] == [(3, 2), (3, 2)]
    assert both[0].squares[1:] == both[1].squares[:0:-1]
