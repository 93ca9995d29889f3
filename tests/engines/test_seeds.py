"""Seeds: the same one gives the same tour, others give others, and the question is answered all the same."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from ktsolve.models.tour import TourModel
from marks import full
from strategies import examples, small_problems

import ktsolve.engines.sat.distinct_solutions as several
from ktsolve import Board, Settings, TourProblem, find
from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Clock
from ktsolve.engines.registry import engine_named
from ktsolve.engines.sat.lazy import LazySolver
from ktsolve.engines.sat.python_sat import BudgetExhausted, ConflictBudget


def found(problem: TourProblem, engine: str, seed: int | None) -> tuple[int, ...]:
    tour = find(problem, engine, Settings(seed=seed)).tour
    assert tour is not None
    return tour.normalised().indices


@pytest.mark.parametrize(
    ("engine", "problem"),
    [
        ("sat", TourProblem(board="8x8", closed=True)),
        ("sat", TourProblem(board="30x30", closed=True)),
        ("sat", TourProblem(board="13x11", closed=False, start="a1")),
        full("sat", TourProblem(board="10x10", closed=True, require=["c3-d5"])),
        full("sat", TourProblem(board="6x6", closed=False, at={7: "c3"})),
        full("cpsat", TourProblem(board="8x8", closed=True)),
        ("search", TourProblem(board="8x8", closed=True)),
        ("auto", TourProblem(board="6x6", closed=True)),
    ],
    ids=str,
)
def test_another_seed_another_tour(engine: str, problem: TourProblem) -> None:
    seeds = range(1, 9)
    tours = [found(problem, engine, seed) for seed in seeds]
    assert [found(problem, engine, seed) for seed in seeds] == tours
    assert len(set(tours)) == len(tours)


@examples(60)
@given(small_problems(), st.integers(0, 2**31 - 1))
def test_a_seed_changes_no_answer(problem: TourProblem, seed: int) -> None:
    assume(len(problem.board) <= 16)
    known = engine_named("search").construct(problem, Settings(timeout=60))
    assume(known is not None)
    tour = engine_named("sat").construct(problem, Settings(seed=seed))
    assert tour is not None
    assert problem.check(tour) is None


# -- where the SAT engine starts from ---------------------------------------------------------------------


def large() -> Iterator[TourProblem]:
    board = Board.parse("60x60")
    inner = [m for m in board.moves if all(2 <= x < 58 for cell in m for x in cell)]
    yield TourProblem(board=board, closed=True)
    yield TourProblem(board=board, closed=True, require=["c59-e60"])
    yield TourProblem(board=board, closed=True, forbid=random.Random(2).sample(inner, len(board.moves) // 50))
    yield TourProblem(board=board, closed=False, start="aa30")


@pytest.mark.parametrize("problem", list(large()), ids=lambda problem: str(problem)[:30])
@pytest.mark.parametrize("seed", [None, full(5)])
@pytest.mark.parametrize("name", ["gluecard4", full("minicard"), full("cadical153")])
def test_large_boards_take_one_call(problem: TourProblem, seed: int | None, name: str) -> None:
    compiled = TourModel(problem)
    solver = LazySolver(compiled.model, name, seed, join=True)
    try:
        solution = solver.next_solution()
        assert solution is not None
        assert problem.check(compiled.decode(solution)) is None
        # Random edges may leave a part or two that cannot be joined.
        assert solver.rounds == 1 if seed is None else solver.rounds <= 5
        assert solver.cuts == 0 or seed is not None
    finally:
        solver.close()


def test_a_solver_that_exhausts_its_budget_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = TourProblem(board="10x10", closed=True, symmetry="rot180")
    asked: list[str] = []
    loops = LazySolver.__init__

    def watched(self: LazySolver, model: object, solver: str, *rest: object, **options: object) -> None:
        asked.append(solver)
        loops(self, model, solver, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(LazySolver, "__init__", watched)
    monkeypatch.setattr(several, "_TRIAL_BUDGET", 0)
    assert find(problem, "sat").tour is not None
    assert asked == ["minicard", "cadical153"]


def test_conflict_budget() -> None:
    model = TourModel(TourProblem(board="10x10", closed=True, symmetry="rot90")).model
    solver = LazySolver(model, "minicard", join=True)
    with pytest.raises(BudgetExhausted):
        solver.next_solution(ConflictBudget(0))
    with pytest.raises(LimitReached, match=r"time limit of 1e-09 s"):
        solver.next_solution(ConflictBudget(10**6, lambda _conflicts: Clock(1e-9).check("")))
    solver.close()


def test_no_tour_is_none_with_any_solver() -> None:
    # The corner keeps one move: no two of them.
    problem = TourProblem(board="6x6", closed=True, forbid=["a1-b3"])
    assert engine_named("sat").construct(problem, Settings()) is None
    assert engine_named("sat").construct(problem, Settings(solver="minicard")) is None
    # Two parts that nothing joins.
    board = Board.from_picture(["..#..", "..#.."], leaper=(0, 1))
    apart = TourProblem(board=board, closed=True)
    assert engine_named("sat").construct(apart, Settings()) is None
