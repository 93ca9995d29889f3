"""Conditions through the solvers: the same tours as the checker picks from a list of all of them."""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from known_tours import BEVERLEY
from marks import full, slow
from strategies import all_tours, random_problem

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Settings
from ktsolve.engines.registry import engine_named
from ktsolve.formats.tours.files import read_tour
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour_rows import TourRows
from ktsolve.problem.conditions import (
    Bound,
    CellSum,
    Condition,
    Order,
    StepRange,
    parse_condition,
    parse_value,
)
from ktsolve.problem.conditions.figure import Figure, step_list
from ktsolve.problem.problem import CONDITIONS, TourProblem
from ktsolve.problem.statistics import UNWEIGHTED, Statistic, TourObjective, parse_objective
from ktsolve.tasks.best import Best, best
from ktsolve.tasks.count import count
from ktsolve.tasks.explain import find_conflict
from ktsolve.tasks.find import find, find_all

SMALL = [("3x4", False), full("5x6", True), full("3x10", True), ("4x5", False)]


@pytest.mark.parametrize("engine", ["sat", "cpsat"])
@pytest.mark.parametrize(("size", "closed"), SMALL)
@pytest.mark.usefixtures("thread_workers")
def test_solvers_list_what_the_checker_picks(size: str, closed: bool, engine: str) -> None:
    chance = random.Random(f"{size} {closed}")
    tours = all_tours(Board.parse(size), closed)
    wanted, seen = 6, 0
    while seen < wanted:
        model = chance.choice(tours)
        if closed:
            model = model.starting_at(chance.choice(model.squares))
        problem = random_problem(chance, model.board, closed, model)
        if problem is None or not problem.features & CONDITIONS:
            continue
        seen += 1
        right = {tour.normalised().indices for tour in tours if next(problem.labelings(tour), None)}
        found = list(engine_named(engine).enumerate(problem, Settings(timeout=60)))
        assert {tour.normalised().indices for tour in found} == right, problem
        assert len(found) == len(right)
        assert all(problem.check(tour) is None for tour in found)
        first = engine_named(engine).construct(problem, Settings(timeout=60))
        assert (first is None) == (not right)


# -- statistics and objectives -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def values() -> dict[str, list[int]]:
    tours = list(find_all(TourProblem(board="6x6", closed=True), "search"))
    assert len(tours) == 9862
    board = tours[0].board
    names = [name for name in UNWEIGHTED if name != "moves"]
    rows = TourRows(board, np.array([tour.indices for tour in tours]), closed=True)
    return {name: Statistic.parse(name, board).values(rows).tolist() for name in names}


@pytest.mark.parametrize("engine", ["cpsat", "sat"])
@pytest.mark.parametrize(
    ("sense", "name"),
    [
        full("minimise", "obtuse"),
        ("maximise", "straight"),
        ("minimise", "turns"),
        full("maximise", "acute"),
        full("minimise", "right"),
    ],
)
def test_the_best_of_all_tours(values: dict[str, list[int]], sense: str, name: str, engine: str) -> None:
    problem = TourProblem(board="6x6", closed=True)
    found = best(problem, parse_objective(sense, name, problem.board), engine)
    assert found.value == found.bound == (min if sense == "minimise" else max)(values[name])
    assert found.status == "optimal"
    assert found.gap == 0
    assert found.tour is not None
    assert problem.check(found.tour) is None


@pytest.mark.parametrize(
    ("sense", "name", "limit", "engine"),
    [
        ("minimise", "obtuse", 0, "sat"),
        slow("minimise", "obtuse", 0, "cpsat"),
        full("maximise", "acute", 900, "sat"),
        slow("maximise", "acute", 900, "cpsat"),
    ],
)
def test_a_bound_is_known_before_any_is_proved(sense: str, name: str, limit: int, engine: str) -> None:
    problem = TourProblem(board="30x30", closed=True)
    found = best_in_time(problem, parse_objective(sense, name, problem.board), engine)
    assert found.value is not None
    assert found.bound is not None
    # The solver may have proved a tighter bound than the one known beforehand.
    ordered = [limit, found.bound, found.value]
    assert ordered == sorted(ordered, reverse=sense == "maximise")
    assert found.gap == abs(found.value - found.bound)
    assert found.status == ("found" if found.gap else "optimal")


def best_in_time(problem: TourProblem, objective: TourObjective, engine: str) -> Best:
    """The best tour found in some seconds, in more where the machine is too slow or busy to find one."""
    for seconds in (1, 6):
        with contextlib.suppress(LimitReached):
            return best(problem, objective, engine, Settings(timeout=seconds))
    return best(problem, objective, engine, Settings(timeout=60))


@pytest.mark.parametrize("engine", ["sat", full("cpsat")])
def test_without_any_tour_the_effort_is_told(engine: str) -> None:
    problem = TourProblem(board="8x8", closed=True, magic=["rows", "columns", "diagonals"])  # it has no tour
    said = "no solution found|the problem is stated|after stating"
    for seconds in (0.5, 5, 50):  # the longer ones only where the machine is slow or busy
        with pytest.raises(LimitReached, match=f"stopped at the time limit of {seconds} s") as stop:
            best(problem, TourObjective("minimise", Statistic("turns")), engine, Settings(timeout=seconds))
        if re.search(said, str(stop.value)):
            break
    assert re.search(said, str(stop.value))


def test_what_cannot_be_bettered_is_not_asked_for() -> None:
    board = Board.parse("6x6")
    problem = TourProblem(board=board, closed=True, conditions=parse_condition("most", "turns=36", board))
    for engine in ("sat", "cpsat"):
        found = best(
            problem, TourObjective("maximise", Statistic("moves", frozenset({((0, 0), (1, 2))}))), engine
        )
        assert (found.value, found.bound, found.optimal) == (1, 1, True)


@pytest.mark.full
def test_bounds_pick_as_many_as_there_are(values: dict[str, list[int]]) -> None:
    # All pairs of moves that cross make a large sum: on 6x6 it takes sat 4 s.
    small = Board.parse("3x12")
    rows = [tour.indices for tour in find_all(TourProblem(board=small, closed=True), "search")]
    crossings = Statistic.parse("crossings", small).values(TourRows(small, np.array(rows), closed=True))
    for size, key, name, fitting, numbers in (
        ("6x6", "most", "obtuse", range(10), values["obtuse"]),
        ("6x6", "least", "acute", range(20, 99), values["acute"]),
        ("6x6", "exactly", "straight", range(4, 5), values["straight"]),
        ("3x12", "least", "crossings", range(67, 99), crossings.tolist()),
    ):
        board = Board.parse(size)
        value = fitting[-1] if key == "most" else fitting[0]
        stated = parse_condition(key, f"{name}={value}", board)
        counted = count(TourProblem(board=board, closed=True, conditions=stated), "sat").count
        assert counted == sum(1 for each in numbers if each in fitting) > 0


def test_objectives_of_given_moves_and_of_numbered_problems() -> None:
    board = Board.parse("5x5")
    problem = TourProblem(board=board, closed=False, start="a1", conditions=[Order(((2, 2), (0, 4)))])
    objective = parse_objective("maximise", "moves:c3-d5,c3-e4,b1-c3,d1-c3", board)
    tours = list(find_all(TourProblem(board=board, closed=False, start="a1"), "search"))
    right = [tour for tour in tours if problem.check(tour) is None]
    expected = max(objective.statistic.of(tour) for tour in right)
    for engine in ("cpsat", "sat"):
        assert best(problem, objective, engine).value == expected


@pytest.mark.full
def test_an_objective_without_a_tour_and_out_of_time() -> None:
    nothing = best(TourProblem(board="4x4", closed=True), TourObjective("minimise", Statistic("turns")))
    assert (nothing.status, nothing.engine) == ("impossible", "arithmetic")
    problem = TourProblem(board="9x10", closed=True)
    objective = TourObjective("maximise", Statistic("crossings"))
    some = best_in_time(problem, objective, "sat")
    assert some.status == "found"
    assert some.tour is not None
    assert problem.check(some.tour) is None
    value = objective.statistic.of(some.tour)
    assert some.value == value
    # Nothing bounds crossings beforehand: there is a bound, and a gap, once the solver has proved one.
    assert some.gap == (None if some.bound is None else some.bound - value)
    assert some.gap is None or some.gap > 0


@pytest.mark.full
def test_no_closed_tour_of_the_chessboard_has_fewer_than_four_obtuse_angles() -> None:
    # Announced by D. E. Knuth, December 2025.
    fewer = TourProblem(board="8x8", closed=True, conditions=[Bound(Statistic("obtuse"), most=3)])
    assert find(fewer, "sat").tour is None
    tours = list(find_all(fewer.replace(conditions=[Bound(Statistic("obtuse"), most=4)]), "sat"))
    assert len({tour.canonical() for tour in tours}) == 1
    assert len(tours) == 4


# -- sums and figures ------------------------------------------------------------------------------------


def test_beverleys_tour_from_every_third_step() -> None:
    tour = read_tour(BEVERLEY)
    steps = {step: cell for step, cell in enumerate(tour.squares, 1) if step % 3 == 1}
    problem = TourProblem(board="8x8", closed=False, at=steps, magic=["rows", "columns"])
    assert problem.check(tour) is None
    assert list(find_all(problem, "sat")) == [tour]
    by_sums = TourProblem(
        board="8x8",
        closed=False,
        at=steps,
        conditions=[
            *parse_condition("sum", "rows=260", tour.board),
            *parse_condition("sum", "columns=260", tour.board),
        ],
    )
    assert list(find_all(by_sums, "cpsat")) == [tour]


def test_sums_that_parity_rules_out() -> None:
    # No magic tour on odd sides, nor on sides that are twice an odd number.
    for side in (5, 6, 7, 9, 10, 14):
        for closed in (False, True):
            problem = TourProblem(board=f"{side}x{side}", closed=closed, magic=["rows", "columns"])
            assert problem.obstruction() is not None
    for size, lines in (("6x6", ["rows"]), ("8x8", ["rows", "columns"]), ("12x12", ["rows", "columns"])):
        assert TourProblem(board=size, closed=False, magic=lines).obstruction() is None
    board = Board.parse("4x5")
    tours = all_tours(board, False)
    sums = {sum(tour.step_of[0, c] for c in range(5)) for tour in tours}
    sums |= {sum(tour.reversed().step_of[0, c] for c in range(5)) for tour in tours}
    for total in range(15, 91):
        stated = parse_condition("sum", f"a4:e4={total}", board)
        if TourProblem(board=board, closed=False, conditions=stated).obstruction() is not None:
            assert total not in sums
    given = TourProblem(
        board="6x6", closed=True, start="a1", conditions=parse_condition("sum", "a1,b1=8", Board.parse("6x6"))
    )
    assert "does not fit the colours" in str(given.obstruction())


@pytest.mark.full
def test_figured_tours() -> None:
    board = Board.parse("6x6")
    squares = step_list("squares", 36)
    for shape in ("row", "path"):
        tour = find(TourProblem(board=board, closed=False, conditions=[Figure(squares, shape)]), "sat").tour
        assert tour is not None
        at = [tour.squares[step - 1] for step in squares]
        if shape == "path":
            assert all(board.adjacent(a, b) for a, b in pairwise(at))
        else:
            assert len({cell[shape == "column"] for cell in at}) == 1
    seven = TourProblem(board=board, closed=False, conditions=[Figure((1, 2, 3, 4, 5, 6, 7), "row")])
    assert "7 steps do not fit on a row, 6 at most" in str(seven.obstruction())
    odd = TourProblem(board=board, closed=False, conditions=[Figure((1, 3, 5, 7), "row")])
    assert "4 odd and 0 even steps" in str(odd.obstruction())


# -- sets of ends ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("starts", "ends"),
    [
        (["a1", "c3"], []),
        ([], ["a1", "e5", "b2"]),
        full(["a1", "b2", "e5"], ["e5", "c3", "a1"]),
        (["a2"], ["a1", "e5"]),
    ],
)
def test_sets_of_ends_are_counted_from_pairs(starts: list[str], ends: list[str]) -> None:
    problem = TourProblem(board="5x5", closed=False, starts=starts, ends=ends)
    every = all_tours(problem.board, False)
    labelings = [len(list(problem.labelings(tour))) for tour in every]
    for engine in ("auto", "frontier", "search", "sat"):
        counted = count(problem, engine)
        assert (counted.count, counted.directed) == (
            sum(1 for n in labelings if n),
            sum(labelings),
        ), engine


# -- conflicts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({"closed": False, "start": "a1", "end": "b2", "require": ["c3-d5"]}, {"start a1", "end b2"}),
        full({"closed": True, "forbid": ["a1-b3", "c3-d5"], "symmetry": "rot180"}, {"forbid a1-b3"}),
        ({"closed": False, "at": {1: "a1", 3: "f6", 9: "c1"}, "start": "a1"}, {"at 3=f6", "at 1=a1"}),
        (
            {
                "closed": False,
                "start": "a1",
                "conditions": [StepRange((0, 0), 2, 2), Order(((0, 0), (5, 5)))],
            },
            {"range a6=2..2"},
        ),
    ],
)
def test_a_conflict_is_named(stated: dict[str, Any], words: set[str]) -> None:
    problem = TourProblem(board="6x6", **stated)
    found = find_conflict(problem, seconds=20)
    assert found.minimal
    assert words & set(found.texts) or set(found.texts) <= {"start a1", "at 3=f6", "range a6=2..2"}, found
    assert find(stating(problem, found.conditions)).tour is None
    for part in found.conditions:
        fewer = [each for each in found.conditions if each is not part]
        assert find(stating(problem, fewer)).tour is not None


def stating(problem: TourProblem, conditions: Iterable[Condition]) -> TourProblem:
    return TourProblem(board=problem.board, closed=problem.closed, conditions=conditions)


@pytest.mark.parametrize(
    ("stated", "smallest"),
    [
        (["at 8=d4", "range d4=9..12", "order a1,b1", "order b1,c1", "order c1,a1"], 2),
        (["order a1,b1", "order b1,c1", "order c1,a1", "range f6=3..9"], 3),
        # Arithmetic refutes none of these.
        full(["most turns=33", "least turns=34", "least straight=3", "most obtuse=7", "require a1-b3"], 2),
        full(["order a1,b3,c1", "range c1=..4", "range a1=..2", "order b3,f6", "forbid a1-b3"], 3),
    ],
)
def test_the_smallest_conflict_is_found(stated: list[str], smallest: int) -> None:
    board, given = Board.parse("6x6"), [each.split(" ") for each in stated]
    problem = TourProblem(
        board=board,
        closed=False,
        at={int(text.split("=")[0]): text.split("=")[1] for key, text in given if key == "at"},
        require=[text for key, text in given if key == "require"],
        forbid=[text for key, text in given if key == "forbid"],
        conditions=[
            each
            for key, text in given
            if key not in ("at", "require", "forbid")
            for each in parse_condition(key, text, board)
        ],
    )
    found = find_conflict(problem, seconds=30)
    assert found.minimal
    assert len(found.conditions) == smallest, found
    assert find(stating(problem, found.conditions), "sat").tour is None


def test_the_texts_of_conditions_state_them() -> None:
    chance = random.Random(7)
    model = all_tours(Board.parse("3x4"), False)[0]
    for _ in range(200):
        problem = random_problem(chance, model.board, False, model)
        if problem is not None:
            stated = problem.to_json()
            board, closed = stated.pop("board"), stated.pop("closed")
            again = [each for key, value in stated.items() for each in parse_value(key, value, problem.board)]
            assert TourProblem(board=Board.from_json(board), closed=closed, conditions=again) == problem


def test_the_board_itself_is_to_blame() -> None:
    found = find_conflict(TourProblem(board="4x4", closed=True, start="a1"))
    assert found.conditions == ()
    assert "the board has no such tour" in str(found)


# -- bad input ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        ("range", "c3", "'c3' is not understood: write CELL=LEAST..MOST"),
        ("range", "c3=5", "write CELL=LEAST..MOST, such as c3=5..10"),
        ("range", "c3=9..5", "c3 cannot be at a step from 9 to 5"),
        ("range", "c3=5..99", "the steps of the tour are 1 to 36"),
        ("range", "z9=5..6", "cell 'z9' is off the 6x6 board"),
        ("order", "a1", "an order needs at least two cells"),
        ("order", "a1,a1", "an order names each cell once"),
        ("figure", "squares", "write STEPS=row|column|path|circuit|CELLS"),
        ("figure", "1,99=row", "step 99 is not among the 36 steps"),
        ("figure", "cubes=row", "'cubes' is not a list of steps: write squares, triangles, primes"),
        ("figure", "3+0=row", "the progression '3+0' has no gap"),
        ("figure", "squares=diagonal", "'diagonal' is not a list of cells"),
        ("sum", "a1:f1", "write CELLS=TOTAL such as a1:h1=260, or rows=260"),
        ("sum", "=5", "write CELLS=TOTAL"),
        ("sum", "a1=x", "write CELLS=TOTAL"),
        ("most", "obtuse", "write STATISTIC=NUMBER, such as turns=20"),
        (
            "least",
            "angles=3",
            "'angles' is not a statistic: use acute, right, obtuse, straight, turns, crossings",
        ),
        ("exactly", "moves=3", "'moves' is not a statistic"),
        ("most", "moves:a1-a2=3", "a1-a2 is not a move of a 1,2 leaper on 6x6"),
    ],
)
def test_conditions_that_make_no_sense_are_refused(key: str, text: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_condition(key, text, Board.parse("6x6"))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_angles_need_a_flat_board() -> None:
    with pytest.raises(BadInput, match="not wrapped"):
        parse_condition("most", "obtuse=3", Board.parse("6x6", wrap="x"))
    with pytest.raises(BadInput, match="not wrapped"):
        TourProblem(
            board=Board.parse("6x6", wrap="x"), closed=True, conditions=[Bound(Statistic("turns"), most=3)]
        )


def test_a_sum_of_different_steps_has_its_limits() -> None:
    cells = frozenset({(0, 0), (0, 1)})
    for total, possible in ((2, False), (3, True), (71, True), (72, False)):
        problem = TourProblem(board="6x6", closed=False, conditions=[CellSum(cells, total)])
        assert (problem.obstruction() is None) == possible
