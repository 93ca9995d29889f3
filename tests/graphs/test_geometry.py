"""Angles and crossings of drawn tours, held against exact arithmetic done in another way."""

from __future__ import annotations

from itertools import combinations
from math import atan2, degrees

import pytest
from hypothesis import given
from hypothesis import strategies as st
from segments import meet

from ktsolve import Board, TourProblem
from ktsolve.base.errors import BadInput
from ktsolve.graphs.board import Move
from ktsolve.graphs.geometry import angle, angles, bends, crosses, crossing_pairs, crossings, turns
from ktsolve.graphs.symmetry import symmetry_group
from ktsolve.graphs.tour import Tour
from ktsolve.tasks.find import find, find_all

points = st.tuples(st.integers(0, 6), st.integers(0, 6))
moves = st.tuples(points, points).filter(lambda m: m[0] != m[1])


@given(points, points, points)
def test_angles_are_those_of_a_protractor(
    before: tuple[int, int], here: tuple[int, int], after: tuple[int, int]
) -> None:
    if here in (before, after):
        return
    (a, b), (c, d) = ((p[0] - here[0], p[1] - here[1]) for p in (before, after))
    size = degrees(abs(atan2(a * d - b * c, a * c + b * d)))
    kind = angle(before, here, after)
    expected = (
        "right"
        if abs(size - 90) < 1e-6
        else "straight"
        if abs(size - 180) < 1e-6
        else "acute"
        if size < 90
        else "obtuse"
    )
    assert kind == expected


@given(moves, moves)
def test_crossings_are_common_points_that_are_not_ends_of_both(first: Move, second: Move) -> None:
    assert crosses(first, second) == meet(first, second) == crosses(second, first)


@given(st.sets(moves.map(lambda m: tuple(sorted(m))), max_size=12))
def test_no_crossing_pair_is_missed(some: set[Move]) -> None:
    expected = sorted(pair for pair in combinations(sorted(some), 2) if crosses(*pair))
    assert crossing_pairs(some) == expected


@pytest.fixture(scope="module")
def tours() -> list[Tour]:
    return list(find_all(TourProblem(board="6x6", closed=True), "search", number=200))


@given(st.integers(0, 199), st.integers(0, 7))
def test_figures_of_a_tour_do_not_change_when_the_board_is_turned(
    tours: list[Tour], number: int, image: int
) -> None:
    tour = tours[number]
    turned = tour.transformed(symmetry_group(tour.board)[image])
    assert {k: len(v) for k, v in angles(tour).items()} == {k: len(v) for k, v in angles(turned).items()}
    assert turns(tour) == turns(turned)
    assert len(crossings(tour)) == len(crossings(turned))


def test_known_figures() -> None:
    # The square of side 3 without its centre: an octagram, every angle acute, each move crossed four times.
    tour = find(TourProblem(board=Board.parse("3x3", without="b2"), closed=True), "search").tour
    assert tour is not None
    assert {kind: len(cells) for kind, cells in angles(tour).items()} == {
        "acute": 8,
        "right": 0,
        "obtuse": 0,
        "straight": 0,
    }
    assert turns(tour) == 8
    assert len(crossings(tour)) == 16
    assert sum(1 for *_, kind in bends(Board.parse("3x3")) if kind == "acute") == 8


def test_a_wrapped_board_has_no_flat_drawing() -> None:
    tour = find(TourProblem(board=Board.parse("4x4", wrap="xy"), closed=True), "search").tour
    assert tour is not None
    with pytest.raises(BadInput, match="not wrapped"):
        angles(tour)
    with pytest.raises(BadInput, match="not wrapped"):
        crossings(tour)
