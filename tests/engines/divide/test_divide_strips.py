"""Strips that repeat: wherever a tour crosses two lines alike, not only where the engine makes use of it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from marks import full

from ktsolve import _native
from ktsolve.base.limits import Settings
from ktsolve.engines.auto import choose
from ktsolve.engines.divide.construct import crossing, tour_steps
from ktsolve.engines.divide.tiles import NO_MOVE, Tile, tile_of_tour
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem


@pytest.mark.parametrize(
    ("rows", "columns"), [(3, 997), (4, 998), (999, 3), (5, 1000), (7, 1001), (201, 103)]
)
def test_long_and_thin(rows: int, columns: int) -> None:
    steps = tour_steps(rows, columns, closed=False)
    assert Tour.from_steps(steps, closed=False).valid


@pytest.mark.parametrize(
    ("rows", "columns", "closed"),
    [
        full(3, 16, True),
        (3, 13, False),
        full(4, 12, False),
    ],
)
def test_whatever_is_crossed_alike_can_be_repeated(rows: int, columns: int, closed: bool) -> None:
    problem = TourProblem(board=Board(rows, columns), closed=closed)
    repeated = apart = 0
    for tour in itertools.islice(choose("search", "enumerate", problem).enumerate(problem, Settings()), 1500):
        ways = [crossing(tour, cut) for cut in range(1, columns)]
        tile = tile_of_tour(rows, columns, tour.squares, closed=closed)
        for i, j in itertools.combinations(range(columns - 1), 2):
            moves_alike = {way for way in ways[i] if isinstance(way, tuple)} == {
                way for way in ways[j] if isinstance(way, tuple)
            }
            if j - i < 2 or not moves_alike:
                continue
            valid = all(_is_tour_with(tile, i + 1, j + 1, times, closed) for times in (0, 2, 3))
            if ways[i] == ways[j]:
                assert valid
                repeated += 1
            elif not valid:
                apart += 1
    assert repeated > 2
    assert apart > 0  # so it matters how the moves are connected


def _is_tour_with(tile: Tile, first: int, second: int, times: int, closed: bool) -> bool:
    left, middle, right = np.split(tile, [first, second], axis=1)
    parts = [left, *[middle] * times, right]
    whole = np.ascontiguousarray(np.concatenate(parts, axis=1))
    ends = np.argwhere((whole == NO_MOVE).any(axis=2))
    start = ends[0] if len(ends) else np.array([0, 0])
    move = int(whole[tuple(start)].min())
    try:
        _, steps = _native.number_mosaic(
            [whole.shape[0]],
            [whole.shape[1]],
            [whole],
            np.zeros((1, 1), np.int32),
            int(start[0]),
            int(start[1]),
            move,
        )
    except ValueError:
        return False
    assert steps is not None
    return Tour.from_steps(np.asarray(steps), closed=closed).valid
