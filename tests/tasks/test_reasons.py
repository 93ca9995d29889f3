"""Refusals and reasons, from the user's side."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest
from command import answered, refused

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Settings
from ktsolve.engines.sat.solver import SatSolver
from ktsolve.engines.solver import Unsolved
from ktsolve.engines.through_model import SatEngine
from ktsolve.graphs.tour import Tour
from ktsolve.model.constraints import Assignment
from ktsolve.model.model import Model
from ktsolve.problem.conditions import parse_condition
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.count import count
from ktsolve.tasks.find import find, find_all


@pytest.mark.parametrize("command", ["tour", "prove"])
@pytest.mark.parametrize(
    "board", [("7x7",), ("8x8", "--without", "a1,c1"), ("5x5", "--open", "--start", "b1")]
)
def test_colours_are_the_first_reason(command: str, board: tuple[str, ...]) -> None:
    said = answered(command, *board, status=1 if command == "tour" else 0).out.splitlines()[0]
    assert said.startswith("no tour: ")
    assert said.endswith("(colours)")


@pytest.mark.parametrize(
    ("size", "closed"), [("12x12", True), ("7x10", True), ("8x9", False), ("7x7", False)]
)
def test_what_divide_builds_may_be_asked_for(size: str, closed: bool) -> None:
    problem = TourProblem(board=size, closed=closed, structured=True)
    answer = find(problem, "divide")
    assert answer.tour is not None
    assert problem.check(answer.tour) is None
    said = refused("tour", "5x7", "--open", "--structured", "--engine", "divide")
    assert "engine divide cannot construct with structured corners" in said


@pytest.mark.parametrize("text", ["turns=1", "obtuse=8"])
def test_classes_under_a_condition_are_those_of_the_definition(text: str) -> None:
    plain = TourProblem(board="5x6", closed=True)
    problem = plain.replace(conditions=parse_condition("least", text, plain.board))
    found = count(problem, by="symmetry")
    tours = list(find_all(problem))
    assert (found.classes, found.count) == (len({tour.canonical() for tour in tours}), len(tours))
    if text == "turns=1":  # it says nothing
        without = count(plain, by="symmetry")
        assert [row.count for row in found.rows] == [row.count for row in without.rows]
    assert count(problem, "sat", by="symmetry").classes == found.classes


def test_limits_of_listings_count_tours(monkeypatch: pytest.MonkeyPatch) -> None:
    solutions = SatSolver.solutions

    def stopped(self: SatSolver, model: Model, settings: Settings) -> Iterator[Assignment]:
        yield from islice(solutions(self, model, settings), 5)
        raise Unsolved("stopped at the time limit of 9 s, 5 solutions found")

    monkeypatch.setattr(SatSolver, "solutions", stopped)
    plain = TourProblem(board="3x4", closed=False)
    problem = plain.replace(conditions=parse_condition("order", "b3,c3", plain.board))
    found: list[Tour] = []
    with pytest.raises(LimitReached) as limit:
        found.extend(SatEngine().enumerate(problem, Settings()))  # keeps those before the limit
    assert str(limit.value) == f"stopped at the time limit of 9 s, {len(found)} tours found"
    assert 1 < len(found) <= 5


def test_conditions_that_say_nothing_cost_nothing() -> None:
    board = TourProblem(board="6x6", closed=False).board
    vacuous = parse_condition("order", "a1,f6", board)
    given = TourProblem(board=board, closed=False, start="a1", conditions=vacuous)
    answer = count(given, "join")  # which takes no orders
    assert answer.count == 524_486


def test_many_required_moves_are_propagated_before_the_cost_is_predicted() -> None:
    tour = find(TourProblem(board="12x12", closed=True)).tour
    assert tour is not None
    moves = random.Random(1).sample(sorted(tour.moves), 120)
    problem = TourProblem(board="12x12", closed=True, require=moves)
    answer = count(problem)
    assert answer.count == sum(1 for _ in find_all(problem, "sat"))


def test_small_boards_are_listed_natively_under_any_condition() -> None:
    answer = count(TourProblem(board="3x10", closed=False, start="a1", magic=["columns"]))
    assert answer.engine in ("search", "propagation", "arithmetic")
    assert (
        answer.count
        == count(TourProblem(board="3x10", closed=False, start="a1", magic=["columns"]), "sat").count
    )
