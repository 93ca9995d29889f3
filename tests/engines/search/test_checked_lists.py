"""Engine search with conditions that the checker filters: all tours of small boards in all labelings."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import TOUR_BOARDS, all_rows, all_tours, examples, random_condition, random_problem

from ktsolve.base.limits import Settings
from ktsolve.engines.registry import engine_named
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour_rows import TourRows
from ktsolve.problem.conditions import parse_condition
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import Statistic, TourObjective
from ktsolve.tasks.best import best
from ktsolve.tasks.count import count


def directed_answers(problem: TourProblem) -> set[tuple[int, ...]]:
    """The tours in each direction in which some numbering answers; closed ones from cell 0 on.

    Every numbering is checked by itself, none in an array.
    """
    found = set()
    for row in all_rows(problem.ground, problem.closed).tolist():
        tour = next(TourRows(problem.ground, np.array([row]), closed=problem.closed).tours())
        if problem.check(tour) is None:
            at = row.index(0) if problem.closed else 0
            found.add(tuple(row[at:] + row[:at]))
    return found


def undirected(row: tuple[int, ...], *, closed: bool) -> tuple[int, ...]:
    return min(row, (row[0], *row[:0:-1]) if closed else row[::-1])


@examples(150)
@given(st.sampled_from(TOUR_BOARDS), st.integers(0, 2**32))
def test_many_tours_are_checked_as_one_by_one(board: tuple[Board, bool, int], seed: int) -> None:
    ground, closed, number = board
    assume(number and len(ground) > 1)
    chance = random.Random(seed)
    rows = all_rows(ground, closed)[[chance.randrange(len(all_rows(ground, closed))) for _ in range(40)]]
    many = TourRows(ground, rows, closed=closed)
    tours = list(many.tours())
    for model in tours[:8]:
        condition = random_condition(chance, ground, closed, model)
        problem = TourProblem(board=ground, closed=closed, conditions=[condition])
        assert problem.check_rows(rows).tolist() == [problem.check(tour) is None for tour in tours]


SMALL = [kind for kind in TOUR_BOARDS if kind[2] <= 180 and len(kind[0]) <= 20]


@examples(80)
@given(st.sampled_from(SMALL), st.integers(0, 2**32))
def test_every_condition_by_listing(board: tuple[Board, bool, int], seed: int) -> None:
    ground, closed, number = board
    chance = random.Random(seed)
    model = chance.choice(all_tours(ground, closed)) if number else None
    problem = random_problem(chance, ground, closed, model)
    assume(problem is not None)
    assert problem is not None
    expected = directed_answers(problem)
    engine = engine_named("search")
    counted = engine.count(problem, Settings())
    assert (counted.count, counted.directed) == (
        len({undirected(row, closed=closed) for row in expected}),
        len(expected),
    )
    listed = list(engine.enumerate(problem, Settings()))
    assert all(problem.check(tour) is None for tour in listed)
    assert len({tour.normalised().indices for tour in listed}) == len(listed) == counted.count
    assert (engine.construct(problem, Settings(seed=seed % 5)) is None) == (not expected)


@pytest.mark.parametrize("name", ["turns", "crossings", "moves:c3-d5"])
@pytest.mark.parametrize("sense", ["minimise", "maximise"])
def test_the_best_of_all(sense: str, name: str) -> None:
    board = Board.parse("5x6")
    conditions = parse_condition("range", "c3=5..20", board)
    problem = TourProblem(board=board, closed=True, start="a1", conditions=conditions)
    objective = TourObjective(sense, Statistic.parse(name, board))
    found = best(problem, objective, "search")
    rows = all_rows(board, True)
    rows = rows[problem.check_rows(rows)]
    values = objective.statistic.values(TourRows(board, rows, closed=True))
    assert found.optimal
    assert found.value == (values.min() if sense == "minimise" else values.max())


@pytest.mark.full
def test_magic_rows_of_6x6() -> None:
    """SAT and CP-SAT list for minutes what is listed and filtered in seconds; their numbers agree."""
    found = count(TourProblem(board="6x6", closed=True, magic=["rows"]), "search")
    assert (found.count, found.directed) == (14, 28)
