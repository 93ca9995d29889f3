"""Several tours: different ones, all if there are no more, and tours far apart."""

from __future__ import annotations

import pytest
from command import ktsolve
from hypothesis import given
from hypothesis import strategies as st
from ktsolve.models.tour import build
from marks import full
from strategies import examples, refusal, small_problems

import ktsolve.engines.sat.distinct_solutions as several
from ktsolve import Board, Settings, TourProblem, find, find_all
from ktsolve.base.errors import LimitReached, Refused
from ktsolve.engines.registry import engine_named
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.graphs.tour import Tour, difference, least_difference


def undirected(tours: list[Tour]) -> set[frozenset[object]]:
    return {tour.moves for tour in tours}


@pytest.mark.parametrize("diverse", [False, True])
@pytest.mark.parametrize(
    "problem",
    [
        TourProblem(board="5x6", closed=True),
        full(TourProblem(board="3x10", closed=True, forbid=["c1-d3"])),
        TourProblem(board="3x4", closed=False),
        TourProblem(board="3x4", closed=False, at={4: "b3"}),
        TourProblem(board=Board.parse("4x4", without="a1 a4 d1 d4"), closed=True),
        TourProblem(board="4x4", closed=True),
        full(TourProblem(board="5x5", closed=False, symmetry="rot180", start="a1")),
    ],
    ids=str,
)
@pytest.mark.usefixtures("thread_workers")
def test_all_tours_are_found_if_fewer_exist(problem: TourProblem, diverse: bool) -> None:
    known = list(engine_named("search").enumerate(problem, Settings()))
    tours = list(find_all(problem, "sat", Settings(seed=3), 100, diverse))
    assert undirected(tours) == undirected(known)
    assert len(tours) == len(known)


@examples(40)
@given(small_problems(), st.integers(1, 6), st.booleans(), st.integers(0, 99))
@pytest.mark.usefixtures("thread_workers")
def test_as_many_as_there_are_up_to_the_number(
    problem: TourProblem, number: int, diverse: bool, seed: int
) -> None:
    known = list(find_all(problem, "search", Settings(timeout=60), number))
    if len(known) < number and len(problem.board) > 16:
        return  # refuting by clauses that there is another one can take for ever
    tours = list(find_all(problem, "sat", Settings(seed=seed), number, diverse))
    assert len(undirected(tours)) == len(tours) == len(known)
    assert all(problem.check(tour) is None for tour in tours)


@pytest.mark.full
@pytest.mark.parametrize("seed", [None, 2])
@pytest.mark.usefixtures("thread_workers")
def test_the_second_tour_lies_as_far_from_the_first_as_any(seed: int | None) -> None:
    problem = TourProblem(board="6x6", closed=True)
    first, second = find_all(problem, "auto", Settings(seed=seed), 2, diverse=True)
    farthest = max(difference(first, each) for each in find_all(problem, "search"))
    assert difference(first, second) == farthest


@pytest.mark.usefixtures("thread_workers")
def test_diverse_tours_lie_further_apart_than_others() -> None:
    problem = TourProblem(board="10x10", closed=True)
    plain = list(find_all(problem, "sat", None, 3))
    diverse = list(find_all(problem, "sat", None, 3, diverse=True))
    assert 0 < least_difference(plain) < least_difference(diverse)
    assert least_difference(diverse) > 60, least_difference(diverse)
    assert diverse == list(find_all(problem, "sat", None, 3, diverse=True))


@pytest.mark.parametrize("engine", ["sat", full("auto")])
@pytest.mark.usefixtures("thread_workers")
def test_several_tours_of_a_large_board(engine: str) -> None:
    problem = TourProblem(board="40x40", closed=True, require=["c39-d37"])
    tours = list(find_all(problem, engine, Settings(seed=7), 5))
    assert len(undirected(tours)) == 5
    assert tours == list(find_all(problem, engine, Settings(seed=7), 5))
    assert tours[0] == find(problem, engine, Settings(seed=7)).tour
    # Each from another place: not the first one with a corner changed.
    assert least_difference(tours) > 100


@pytest.mark.full
@pytest.mark.parametrize("limits", [{"timeout": 60.0}, {"memory": 2 << 30}])
def test_limits_are_kept_in_a_process_of_its_own(limits: dict[str, float]) -> None:
    problem = TourProblem(board="5x6", closed=True)
    found = list(find_all(problem, "sat", Settings(**limits), 6, diverse=True))  # type: ignore[arg-type]
    assert found == list(find_all(problem, "sat", None, 6, diverse=True))
    with pytest.raises(LimitReached, match=r"time limit of 0\.5 s"):
        list(find_all(TourProblem(board="6x6", closed=True), "sat", Settings(timeout=0.5), 9000))


def test_a_solver_that_lost_patience_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(several, "_TRIAL_BUDGET", 0)
    problem = TourProblem(board="5x6", closed=True)
    assert len(undirected(list(find_all(problem, "sat", None, 9)))) == 8


# -- refusals --------------------------------------------------------------------------------------------


def test_refusals_of_diverse() -> None:
    problem = TourProblem(board="6x6", closed=True)
    assert "number" in refusal(find_all, problem, diverse=True)
    for engine in ("search", "cpsat"):
        with pytest.raises(Refused, match=f"engine {engine} cannot diversify tours: use sat"):
            find_all(problem, engine, None, 3, diverse=True)
    with pytest.raises(Refused, match="leave out solver minisat22"):
        list(find_all(problem, "sat", Settings(solver="minisat22"), 3, diverse=True))
    with pytest.raises(Refused, match="leave out encoding binary"):
        list(find_all(problem, "sat", Settings(encoding="binary"), 3, diverse=True))


@pytest.mark.full
def test_on_the_command_line() -> None:
    said = ktsolve("tour", "8x8", "--number", "3", "--diverse", "--json")
    assert said.status == 0
    board = Board.parse("8x8")
    tours = [Tour(board, tuple((r, c) for r, c in squares), closed=True) for squares in said.json["tours"]]
    assert all(tour.valid for tour in tours)
    assert said.json["least_difference"] == least_difference(tours) > 25
    said = ktsolve("tour", "8x8", "--number", "3", "--diverse", "--format", "cells")
    assert said.err.startswith(f"3 tours, any two differ in {least_difference(tours)} of 64 moves or more")
    for wrong in (["--diverse"], ["--diverse", "--all"], ["--diverse", "--number", "1"]):
        said = ktsolve("tour", "8x8", *wrong)
        assert (said.status, said.complaint) == (
            2,
            "--diverse is about several tours: give --number, 2 or more",
        )


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("petersen", False),
        ("three-sat:4,6,1", True),
        ("flower-snark:17,1,3", True),
        ("flower-snark:5", False),
    ],
)
def test_solvers_in_turns_find_a_tour_or_none(
    name: str, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Turns of few conflicts: both solvers have many, and keep what they learn."""
    monkeypatch.setattr(several, "_FIRST_TURN", 1)
    monkeypatch.setattr(several, "FIRST_STEP", 1)
    problem = TourProblem(board=named_graph(name), closed=True)
    built = build({"board": problem.ground, "closed": True})
    calls: list[object] = []
    solutions = list(several.different(built.model, None, 1, calls.append, skip_trial=True))
    assert len(solutions) == found
    assert calls
    for each in solutions:
        assert problem.check(built.decode(each)) is None
