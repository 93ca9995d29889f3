"""The ranking of ``quotient``: bijections in full, random indices of larger boards, files."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranking_checks import NOW, check_in_full
from strategies import examples, small_problems

from ktsolve import BadInput, TourProblem
from ktsolve.base.errors import OutOfMemory
from ktsolve.base.limits import Settings
from ktsolve.engines.quotient.engine import QuotientEngine
from ktsolve.engines.quotient.ranking import QuotientRanking, ShapeRows
from ktsolve.engines.quotient.shapes import images_of, shapes_of
from ktsolve.graphs.board import Board
from ktsolve.graphs.symmetry import symmetry_group
from ktsolve.tasks.count import count

ENGINE = QuotientEngine()
WAZIR = (0, 1)


def boards() -> Iterator[tuple[Board | str, bool, str]]:
    yield "6x6", True, "rot90"
    yield "6x6", True, "rot180"
    yield "3x10", True, "rot180"
    yield "5x5", False, "rot180"
    yield "4x5", False, "rot180"
    yield Board.parse("5x5", without="c3"), True, "rot90"
    # Tours of one and two orbits.
    yield Board.parse("3x3", without="b2"), True, "rot180"
    yield Board.parse("3x3", without="b2"), True, "rot90"
    yield Board.parse("2x2", leaper=WAZIR), True, "rot90"
    yield Board.parse("2x2", leaper=WAZIR), True, "flip-h"
    # Reversed tours with two moves, two cells, and one of each.
    yield Board.parse("4x4", leaper=WAZIR), True, "flip-h"
    yield Board.parse("4x6", leaper=WAZIR), True, "flip-h"
    yield Board.parse("5x4", leaper=WAZIR, wrap="xy"), True, "flip-h"
    yield Board.parse("4x5", leaper=WAZIR, wrap="xy"), True, "flip-v"
    yield Board.parse("3x5", leaper=WAZIR, wrap="xy"), True, "rot180"
    yield Board.parse("3x3", leaper=WAZIR, wrap="xy"), True, "flip-h"
    yield Board.parse("4x5", leaper=WAZIR, wrap="x"), False, "rot180"
    yield Board.parse("5x3", leaper=WAZIR), False, "rot180"
    yield Board.parse("4x3", leaper=WAZIR), False, "flip-h"
    # The identity, a single cell, and none.
    yield Board.parse("1x4", leaper=WAZIR), False, "flip-v"
    yield Board.parse("1x4", leaper=WAZIR), False, "flip-h"
    yield "1x1", False, "rot90"
    yield "1x1", True, "rot90"
    yield "4x4", True, "rot90"


@pytest.mark.parametrize(("ground", "closed", "symmetry"), list(boards()), ids=str)
def test_all_symmetric_tours_in_full(ground: Board | str, closed: bool, symmetry: str) -> None:
    problem = TourProblem(board=ground, closed=closed, symmetry=symmetry)
    assert len(check_in_full(ENGINE, problem)) == count(problem, engine="quotient").count


def test_ends_and_moves() -> None:
    board = Board.parse("4x5", leaper=WAZIR, wrap="x")
    for options in ({"start": "a1"}, {"end": "c2"}, {"require": ["a1-a2"]}, {"forbid": ["b2-c2"]}):
        check_in_full(ENGINE, TourProblem(board=board, closed=False, symmetry="rot180", **options))
    for options in ({"start": "c3"}, {"end": "c3"}, {"require": ["a1-b3"]}, {"start": "a1", "end": "b3"}):
        check_in_full(ENGINE, TourProblem(board="6x6", closed=True, symmetry="rot180", **options))


@examples(60)
@given(small_problems(), st.randoms(use_true_random=False))
def test_random_problems_in_full(problem: TourProblem, chance: random.Random) -> None:
    names = [
        each.name
        for each in symmetry_group(problem.board)
        if each.name in ("rot90", "rot180", "flip-h", "flip-v")
    ]
    if names and len(problem.ground) <= 20:
        check_in_full(ENGINE, problem.replace(symmetry=chance.choice(names)))


@pytest.mark.parametrize(
    ("size", "symmetry", "number"),
    [("10x10", "rot90", 831804), ("6x10", "rot180", None), ("8x8", "rot180", 2432932)],
)
def test_random_indices_round_trip(size: str, symmetry: str, number: int | None, tmp_path: Path) -> None:
    problem = TourProblem(board=size, closed=True, symmetry=symmetry)
    ranking = ENGINE.ranking(problem, NOW)
    assert ranking.count == count(problem, engine="quotient").count
    assert number is None or ranking.count == number
    chance = random.Random(4)
    indices = [0, ranking.count - 1] + [chance.randrange(ranking.count) for _ in range(500)]
    rows = ranking.unrank(indices, NOW)
    assert problem.check_rows(rows).all()
    assert ranking.rank(rows, NOW) == indices
    ranking.save(tmp_path / "t")
    restored = ENGINE.restored(problem, tmp_path / "t", NOW)
    assert (restored.count, restored.order) == (ranking.count, ranking.order)
    assert np.array_equal(restored.unrank(indices, NOW), rows)
    assert isinstance(ranking, QuotientRanking)
    counts = ranking.move_counts(NOW)
    assert sum(counts) == len(problem.ground) * ranking.count
    places = list(range(0, len(counts), 2))
    tally = ranking.tally(places, NOW)
    assert sum(tally) == ranking.count
    assert sum(j * each for j, each in enumerate(tally)) == sum(counts[place] for place in places)


def test_damaged_files(tmp_path: Path) -> None:
    problem = TourProblem(board="6x6", closed=True, symmetry="rot180")
    path = tmp_path / "t"
    ENGINE.ranking(problem, NOW).save(path)
    whole = bytearray(path.read_bytes())
    for at in (3, 30, len(whole) - 5, len(whole) - 100):
        damaged = bytearray(whole)
        damaged[at] ^= 4
        path.write_bytes(damaged)
        with pytest.raises(BadInput, match=r"damaged|not a prepared file"):
            ENGINE.restored(problem, path, NOW)
    path.write_bytes(whole)
    with pytest.raises(BadInput, match="not for closed 6x6 symmetry rot90"):
        ENGINE.restored(problem.replace(symmetry="rot90"), path, NOW)


def test_memory() -> None:
    with pytest.raises(OutOfMemory, match="memory limit"):
        ENGINE.ranking(TourProblem(board="8x8", closed=True, symmetry="rot180"), Settings(memory=2 << 20))


def test_lifts_are_those_of_one_cycle_at_a_time() -> None:
    """Whole arrays and :meth:`Shape.tours` agree."""
    problem = TourProblem(board="6x6", closed=True, symmetry="rot180")
    (shape,) = shapes_of(problem, images_of(problem))
    rows = ENGINE.ranking(problem, NOW).unrank(range(78), NOW)
    cycles, parallel = ShapeRows(shape, images_of(problem)).cycles(rows)
    for row, cycle, numbers in zip(rows.tolist(), cycles.tolist(), parallel.tolist(), strict=True):
        again = ShapeRows(shape, images_of(problem)).rows(
            np.array([cycle], np.int32), np.array([numbers], np.uint8)
        )
        assert again[0].tolist() == row
        assert row in list(shape.tours(cycle))
