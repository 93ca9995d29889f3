"""Engine join numbers tours: bijections against other engines, one order on all machines, prepared files."""

from __future__ import annotations

import numpy as np
import pytest

from ktsolve.engines.join.engine import JoinEngine
from ktsolve.engines.ranking import Ranking
from ktsolve.engines.search import SearchEngine
from ktsolve.ground.board import Board
from ktsolve.ground.graph import Graph
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Settings

ONE = Settings(threads=1)
COUNT_8X8 = 13267364410532


def ranked(problem: TourProblem, limits: Settings = ONE) -> Ranking:
    return JoinEngine().ranking(problem, limits)


def normal(rows: np.ndarray, closed: bool) -> np.ndarray:
    """Tours in one direction and, if closed, from cell 0."""
    if closed:
        at = np.argmin(rows, axis=1)
        rows = np.take_along_axis(rows, (at[:, None] + np.arange(rows.shape[1])) % rows.shape[1], axis=1)
        back = np.concatenate([rows[:, :1], rows[:, :0:-1]], axis=1)
        turned = rows[:, 1] > rows[:, -1]
    else:
        back = rows[:, ::-1]
        turned = rows[:, 0] > rows[:, -1]
    return np.where(turned[:, None], back, rows)


def check_bijection(problem: TourProblem, limits: Settings = ONE) -> np.ndarray:
    """Index and tour are inverse to each other, and the tours are those of the search. Returns the rows."""
    ranking = ranked(problem, limits)
    listed = [tour.indices for tour in SearchEngine().enumerate(problem, Settings())]
    assert ranking.count == len(listed)
    indices = range(ranking.count)
    rows = ranking.unrank(indices, limits)
    assert rows.shape == (len(listed), len(problem.ground))
    if not listed:
        return rows
    assert problem.check_rows(rows).all()
    expected = normal(np.array(listed, dtype=np.int32), problem.closed)
    found = normal(rows, problem.closed)
    assert {row.tobytes() for row in found} == {row.tobytes() for row in expected}
    assert ranking.rank(rows, limits) == list(indices)
    if problem.closed:
        rolled = np.ascontiguousarray(np.roll(rows, 3, axis=1)[:, ::-1])
        assert ranking.rank(rolled, limits) == list(indices)
    else:
        assert ranking.rank(np.ascontiguousarray(rows[:, ::-1]), limits) == list(indices)
    return rows


PROBLEMS = {
    "6x6 closed": TourProblem(board="6x6", closed=True),
    "3x10 closed": TourProblem(board="3x10", closed=True),
    "5x6 closed": TourProblem(board="5x6", closed=True),
    "3x12 closed, two tables": TourProblem(board="3x12", closed=True, forbid=["a1-b3"]),
    "5x6 open": TourProblem(board="5x6", closed=False),
    "5x5 open": TourProblem(board="5x5", closed=False),
    "4x5 open": TourProblem(board="4x5", closed=False),
    "3x7 open": TourProblem(board="3x7", closed=False),
    "ends": TourProblem(board="5x6", closed=False, start="a1", end="b1"),
    "start": TourProblem(board="5x5", closed=False, start="c3"),
    "end": TourProblem(board="5x6", closed=False, end="f5"),
    "start of a closed tour": TourProblem(board="5x6", closed=True, start="c3"),
    "end of a closed tour": TourProblem(board="5x6", closed=True, end="c3"),
    "both of a closed tour": TourProblem(board="6x6", closed=True, start="c3", end="d5"),
    "required and forbidden": TourProblem(board="6x6", closed=True, require=["c3-d5"], forbid=["b1-c3"]),
    "required, open": TourProblem(board="5x6", closed=False, require=["a1-b3", "c3-d5"]),
    "hole": TourProblem(board=Board.parse("6x6", without="c3,d3"), closed=True),
    "holes, open": TourProblem(board=Board.parse("5x6", without="a1,f5"), closed=False),
    "torus": TourProblem(board=Board.parse("4x4", wrap="xy"), closed=True),
    "cylinder": TourProblem(board=Board.parse("3x6", wrap="x"), closed=True),
    "zebra": TourProblem(board=Board.parse("5x6", leaper=(2, 3)), closed=False),
    "wazir": TourProblem(board=Board.parse("4x6", leaper=(0, 1)), closed=True),
    "wazir, open": TourProblem(board=Board.parse("4x4", leaper=(0, 1)), closed=False),
    "one row": TourProblem(board=Board.parse("1x6", leaper=(0, 1)), closed=False),
    "no tour": TourProblem(board="4x4", closed=True),
    "petersen, open": TourProblem(board="graph:petersen", closed=False),
    "dodecahedron": TourProblem(board="graph:dodecahedral", closed=True),
    "cube": TourProblem(board="graph:hypercube:3", closed=True),
    "one cell, open": TourProblem(board="1x1", closed=False),
    "one cell, closed": TourProblem(board="1x1", closed=True),
    "complete graph": TourProblem(
        board=Graph("abcde", ["ab", "ac", "ad", "ae", "bc", "bd", "be", "cd", "ce", "de"]), closed=True
    ),
    "triangle, open": TourProblem(board=Graph("abc", ["ab", "bc", "ca"]), closed=False),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_tour_once(name: str) -> None:
    check_bijection(PROBLEMS[name])
