"""Simplified problems: the same answers, nothing left to simplify, and what each condition becomes."""

from __future__ import annotations

import random
import time
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import TOUR_BOARDS, all_rows, all_tours, boards, examples, random_problem

from ktsolve.base.errors import BadInput
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.problem.conditions import CellSum, Condition, Order, StepRange, parse_condition
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.simplification import simplified


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
    places = rows[chance.randrange(len(rows))].tolist() if len(rows) else chance.sample(range(n), n)
    row = ground.cells_of(places)
    steps = {step: row[step - 1] for step in chance.sample(range(1, n + 1), chance.randint(0, n))}
    links = [move for move in pairwise(row) if ground.adjacent(*move)]
    conditions: list[Condition] = []
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
            at=steps if chance.random() < 0.7 else {},
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


def told(board: str, *options: str, closed: bool = True, wrap: str = "none") -> tuple[str, ...] | str:
    """What is left of a problem: options as text; or why there is no tour."""
    ground = Board.parse(board, wrap=wrap)
    given = [each.partition(" ") for each in options]
    stated = [each for key, _, text in given for each in parse_condition(key, text, ground)]
    found = simplified(TourProblem(board=ground, closed=closed, conditions=stated))
    if found.refutation is not None:
        return found.refutation
    return tuple(each.label(ground) for each in found.problem.listed_conditions)


@pytest.mark.parametrize(
    ("board", "closed", "options", "left"),
    [
        ("6x6", True, ["require a1-b3"], ()),  # every closed tour has it
        ("6x6", False, ["start a1", "order a1,f6"], ("start a1",)),
        ("6x6", True, ["start a1", "order a1,f6", "range c3=1..36"], ("start a1",)),
        ("6x6", True, ["least obtuse=0", "most turns=36", "least crossings=0"], ()),
        ("6x6", True, ["order a1,c3", "range c3=9..9", "at 3=a1"], ("at 3=a1", "at 9=c3")),
        ("6x6", False, ["sum a1,b3=3", "start a1"], ("start a1", "require a1-b3")),
        ("6x6", True, ["figure 1,2,3=path"], ()),
        ("6x6", True, ["exactly moves:a1-b3,a1-c2=2"], ()),
        ("5x5", False, ["run a1,b3"], ("require a1-b3",)),
        ("6x6", True, ["starts " + " ".join(Board.parse("6x6").names)], ()),
    ],
)
def test_what_each_condition_becomes(
    board: str, closed: bool, options: list[str], left: tuple[str, ...]
) -> None:
    found = told(board, *options, closed=closed)
    assert isinstance(found, tuple), found
    assert tuple(each for each in found if not each.startswith("forbid")) == left


def test_reasons() -> None:
    assert "step" in told("6x6", "at 1=a1", "at 4=c3", closed=False)
    assert "c5" in told("6x6", "require b3-c5", "require c5-d3", "require c5-e4")
    assert "without a step" in told("6x6", "start a1", "order c3,a1")


def test_a_path_of_steps_is_a_path_of_moves() -> None:
    found = told(
        "8x8", *(f"at {i}={c}" for i, c in enumerate(["a1", "b3", "a5", "b7", "d8"], 1)), closed=False
    )
    kept = [each for each in found if not each.startswith("forbid")]
    assert kept == ["start a1", "require b7-d8", "require a5-b7", "require a5-b3", "require a1-b3"]


def test_a_plain_problem_stays_as_it_is() -> None:
    for problem in (
        TourProblem(board="8x8", closed=True),
        TourProblem(board="8x8", closed=False, start="a1", end="b1"),
        TourProblem(board="6x6", closed=True, symmetry="rot180"),
        TourProblem(board="1x1", closed=False),
        TourProblem(board="1x1", closed=True, start="a1"),
        TourProblem(board=Board.parse("1x2", leaper=(0, 1)), closed=False),
    ):
        assert simplified(problem).problem is problem


def test_time_grows_slowly() -> None:
    """A hundred times the cells take at most some hundred times the time of a small board."""
    seconds = []
    for size in (10, 100):
        board = Board(size, size)
        start, end = board.cells[0], board.neighbours[board.cells[0]][0]
        problem = TourProblem(board=board, closed=False, start=start, require=[board.move((start, end))])
        assert problem.neighbours  # made before
        started = time.process_time()
        assert simplified(problem).refutation is None
        seconds.append(time.process_time() - started)
    assert seconds[1] < 400 * seconds[0] + 1
