"""Simplified problems: the same answers, nothing left to simplify, and what each condition becomes."""

from __future__ import annotations

import random
from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from ktsolve.errors import BadInput
from ktsolve.ground.board import Board
from ktsolve.ground.graph import Graph
from ktsolve.problem.conditions import CellSum, Order, StepRange
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.simplify import simplified
from tests.strategies import TOUR_BOARDS, all_rows, all_tours, boards, examples, random_problem


def answers(problem: TourProblem) -> set[bytes]:
    rows = all_rows(problem.ground, problem.closed)
    return {row.tobytes() for row in rows[problem.check_rows(rows)]}


def check_simplified(problem: TourProblem) -> None:
    found = simplified(problem)
    expected = answers(problem)
    if found.refutation is not None:
        assert not expected, found.refutation
        return
    assert answers(found.problem) == expected, found
    again = simplified(found.problem)
    assert again.problem == found.problem
    assert (again.dropped, again.added, again.refutation) == ((), (), None)
    assert (found.problem == problem) == (not found.dropped and not found.added)


@examples(200)
@given(st.sampled_from(TOUR_BOARDS), st.integers(0, 2**32))
def test_answers_stay(board: tuple[Board, bool, int], seed: int) -> None:
    ground, closed, number = board
    chance = random.Random(seed)
    model = chance.choice(all_tours(ground, closed)) if number else None
    if model is not None and closed:
        model = model.starting_at(chance.choice(ground.cells))
    problem = random_problem(chance, ground, closed, model)
    assume(problem is not None)
    assert problem is not None
    check_simplified(problem)


@examples(200)
@given(boards(4), st.booleans(), st.integers(0, 2**32))
def test_answers_stay_on_boards_of_all_kinds(board: Board, closed: bool, seed: int) -> None:
    assume(len(board.moves) <= 24)
    tours = all_tours(board, closed)
    chance = random.Random(seed)
    problem = random_problem(chance, board, closed, chance.choice(tours) if tours else None)
    assume(problem is not None)
    assert problem is not None
    check_simplified(problem)


@examples(200)
@given(st.integers(0, 2**32), st.booleans(), st.booleans())
def test_answers_stay_on_graphs(seed: int, closed: bool, directed: bool) -> None:
    chance = random.Random(seed)
    n = chance.randint(3, 7)
    pairs = [(a, b) for a in range(n) for b in range(n) if a < b or (directed and a != b)]
    ground = Graph(map(str, range(n)), chance.sample(pairs, chance.randint(n, len(pairs))), directed=directed)
    rows = all_rows(ground, closed)
    row = [int(v) for v in rows[chance.randrange(len(rows))]] if len(rows) else chance.sample(range(n), n)
    steps = {step: row[step - 1] for step in chance.sample(range(1, n + 1), chance.randint(0, n))}
    links = [move for move in pairwise(row) if ground.adjacent(*move)]
    conditions = []
    if chance.random() < 0.3:
        conditions.append(Order(tuple(chance.sample(row, 3))))
    if chance.random() < 0.3:
        conditions.append(StepRange(row[n // 2], max(1, n // 2 - 1), n // 2 + 1))
    if chance.random() < 0.3:
        conditions.append(CellSum(frozenset(row[:2]), 3))
    try:
        problem = TourProblem(
            board=ground,
            closed=closed,
            steps=steps if chance.random() < 0.7 else {},
            start=row[0] if chance.random() < 0.3 else None,
            starts=[],
            ends=row[-2:] if chance.random() < 0.3 else (),
            require=chance.sample(links, chance.randint(0, min(2, len(links)))),
            forbid=[ground.moves[chance.randrange(len(ground.moves))]] if chance.random() < 0.3 else (),
            conditions=conditions,
        )
    except BadInput:
        assume(False)
        raise
    check_simplified(problem)
