"""Subtours joined before they are cut off: still solutions, and far fewer rounds."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from ktsolve.models.tour import TourModel
from random_models import models, solutions
from strategies import examples, small_problems

from ktsolve import TourProblem
from ktsolve.base.limits import Settings
from ktsolve.engines.registry import engine_named
from ktsolve.engines.sat.lazy import LazySolver
from ktsolve.model.model import Model


def first(model: Model, *, join: bool) -> tuple[list[int] | None, LazySolver]:
    solver = LazySolver(model, "cadical153", join=join)
    try:
        return solver.next_solution(), solver
    finally:
        solver.close()


@examples(300)
@given(models())
def test_what_is_joined_solves_the_model(model: Model) -> None:
    found, _ = first(model, join=True)
    known = solutions(model)
    assert (found is None) == (not known)
    assert found is None or tuple(found) in known


@examples(120)
@given(small_problems())
def test_joined_tours_answer_the_problem(problem: TourProblem) -> None:
    assume(len(problem.board) <= 16)
    # Refuting a board with more cells of one colour by clauses alone can take for ever: search does it.
    known = engine_named("search").construct(problem, Settings(timeout=60))
    assume(known is not None)
    compiled = TourModel(problem)
    found, _ = first(compiled.model, join=True)
    assert found is not None
    assert compiled.model.holds(found)
    assert problem.check(compiled.decode(found)) is None


@examples(20)
@given(st.data())
def test_required_and_forbidden_moves_stay(data: st.DataObject) -> None:
    plain = TourProblem(board="8x8", closed=True)
    tour = engine_named("search").construct(plain, Settings(timeout=60, seed=data.draw(st.integers(0, 99))))
    assert tour is not None
    # There is a tour: the one they are taken from.
    required = [move for move in plain.board.moves if move in tour.moves]
    others = [move for move in plain.board.moves if move not in tour.moves]
    assert len(required) == 64
    problem = plain.replace(
        require=data.draw(st.lists(st.sampled_from(required), max_size=6, unique=True)),
        forbid=data.draw(st.lists(st.sampled_from(others), max_size=6, unique=True)),
    )
    compiled = TourModel(problem)
    found, _ = first(compiled.model, join=True)
    assert found is not None
    assert problem.check(compiled.decode(found)) is None


@pytest.mark.full
@pytest.mark.parametrize("closed", [True, False])
def test_large_boards_need_no_cuts(closed: bool) -> None:
    compiled = TourModel(TourProblem(board="60x60", closed=closed))
    found, solver = first(compiled.model, join=True)
    assert found is not None
    assert compiled.model.holds(found)
    _, plain = first(compiled.model, join=False)
    assert solver.cuts == 0
    assert solver.rounds == 1 < plain.rounds
