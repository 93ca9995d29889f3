"""No false certificate: arguments on problems that have tours, and changed certificates."""

from __future__ import annotations

import functools

import pytest
from fuzz.certificates import Forger, count_forged, has_tour, walks
from marks import full
from strategies import TOUR_BOARDS

from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem


@functools.cache
def forger(tries: int) -> Forger:
    return Forger(21, tries)


def test_the_search_by_the_definition_finds_all_tours() -> None:
    for board, closed, number in TOUR_BOARDS:
        if len(board) <= 16 and number <= 300:
            found = {Tour(board, walk, closed).moves for walk in walks(board, closed, 10**6)}
            assert len(found) == number


@pytest.mark.parametrize(
    ("size", "closed", "expected"),
    [("3x4", False, True), ("4x4", True, False), ("4x6", True, False), ("30x30", True, None)],
)
def test_what_the_search_decides(size: str, closed: bool, expected: bool | None) -> None:
    assert has_tour(TourProblem(board=size, closed=closed)) is expected


@pytest.mark.full
def test_arguments_on_problems_with_tours_are_rejected() -> None:
    problems, arguments = forger(14).sources
    assert problems > 60
    assert arguments > 60
    found = count_forged(forger(14), range(4000), texts=0.0)
    assert not found.false
    assert found.rejected.total() == 4000
    assert {
        "Clauses",
        "Degrees",
        "Elimination",
        "Invariance",
        "Multiples",
        "Removal",
    } <= found.rejected.keys()


@pytest.mark.parametrize(("number", "tries"), [(60, 2), full(500, 14)])
def test_changed_certificates_that_are_accepted_are_true(number: int, tries: int) -> None:
    found = count_forged(forger(tries), range(number), texts=1.0)
    assert not found.false
    assert found.true > number // 50
    assert found.rejected.total() > number // 2
    assert found.total == number


@pytest.mark.slow
def test_many_forged_certificates() -> None:
    """``make fuzz`` goes on with others."""
    found = count_forged(forger(60), range(300_000), texts=0.06)
    assert not found.false
    assert found.total == 300_000
