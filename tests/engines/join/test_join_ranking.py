"""Engine join numbers tours: bijections against other engines, one order on all machines, prepared files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from marks import full, quick
from strategies import examples, small_problems

from ktsolve.base.errors import BadInput, LimitReached, OutOfMemory
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.uniform import uniform_integers
from ktsolve.engines.join.engine import JoinEngine
from ktsolve.engines.join.plan import JoinPlan
from ktsolve.engines.join.planning import best_plan, plans_for
from ktsolve.engines.join.ranking import JoinRanking, order_name
from ktsolve.engines.protocols import Ranking
from ktsolve.engines.search.engine import SearchEngine
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem

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
    "3x12 closed, two tables": TourProblem(board="3x12", closed=True, forbid=["e1-f3"]),
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
    "holes, open": TourProblem(board=Board.parse("5x6", without="b1,e5"), closed=False),
    "torus": TourProblem(board=Board.parse("4x4", wrap="xy"), closed=True),
    "cylinder": TourProblem(board=Board.parse("3x6", wrap="x"), closed=True),
    "zebra": TourProblem(board=Board.parse("4x5", leaper=(2, 3), wrap="x"), closed=False),
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


@pytest.mark.parametrize("name", quick(PROBLEMS, {"5x5 open", *list(PROBLEMS)[6::3]}.__contains__))
def test_every_tour_once(name: str) -> None:
    check_bijection(PROBLEMS[name])


@examples(25)
@given(small_problems())
def test_every_tour_of_any_problem_once(problem: TourProblem) -> None:
    assume(JoinEngine().unsupported_feature("rank", problem) is None)
    assume(JoinEngine().count(problem, ONE).count <= 2000)
    check_bijection(problem)


@pytest.mark.parametrize("name", ["6x6 closed", "5x6 open", "3x12 closed, two tables", "hole"])
def test_the_order_is_that_of_the_plan_alone(name: str, tmp_path: Path) -> None:
    problem = PROBLEMS[name]
    first = ranked(problem)
    indices = range(0, first.count, 7)
    expected = first.unrank(indices, ONE)
    many = Settings(threads=3)
    assert np.array_equal(ranked(problem, many).unrank(indices, many), expected)
    on_disk = Settings(threads=2, spill=str(tmp_path))
    assert np.array_equal(ranked(problem, on_disk).unrank(indices, on_disk), expected)
    # One by one, and in another order.
    back = first.unrank(list(indices)[::-1], ONE)
    assert np.array_equal(back[::-1], expected)
    last = indices[-1]
    assert np.array_equal(first.unrank([last, 0, last], ONE), expected[[-1, 0, -1]])


@pytest.mark.parametrize("name", ["6x6 closed", full("5x6 open")])
@pytest.mark.parametrize("gap", [full(2), 4])
def test_layers_that_are_missing_are_made_up_for(name: str, gap: int, tmp_path: Path) -> None:
    """They are dropped for want of memory; here from the start, and small layers go to disk as well."""
    problem = PROBLEMS[name]
    whole = JoinRanking.prepared(problem, plan_of(problem), ONE, Clock(None))
    sparse = JoinRanking(problem, plan_of(problem), ONE)
    report = sparse._native.prepare(folder=str(tmp_path), gap=gap)
    assert not list(tmp_path.iterdir())  # files of layers have no name once they are mapped
    assert report.count == whole.count
    assert sparse.kept[1] < whole.kept[1] / gap + 2
    indices = range(0, whole.count, 13)
    rows = whole.unrank(indices, ONE)
    assert np.array_equal(sparse.unrank(indices, ONE), rows)
    assert sparse.rank(rows, ONE) == list(indices)


@pytest.mark.full
def test_a_memory_limit_drops_layers() -> None:
    problem = TourProblem(board="7x8", closed=True)
    whole = JoinRanking.prepared(problem, plan_of(problem), ONE, Clock(None))
    limits = (Settings(threads=1, memory=limit << 20) for limit in range(16, 400))
    least = next(ranking for each in limits if (ranking := within(problem, each)) is not None)
    assert least.kept[1] < whole.kept[1]
    indices = uniform_integers(whole.count, 300, seed=1)
    rows = whole.unrank(indices, ONE)
    assert np.array_equal(least.unrank(indices, ONE), rows)
    assert least.rank(rows, ONE) == indices


def plan_of(problem: TourProblem) -> JoinPlan:
    return best_plan(problem, CycleGraph.of(problem))


def within(problem: TourProblem, limits: Settings) -> JoinRanking | None:
    try:
        return JoinRanking.prepared(problem, plan_of(problem), limits, Clock(None))
    except OutOfMemory:
        return None


@pytest.mark.parametrize("name", ["6x6 closed", "5x6 open"])
def test_every_plan_has_an_order_of_its_own(name: str) -> None:
    problem = PROBLEMS[name]
    names = set()
    for plan in plans_for(problem, CycleGraph.of(problem))[:4]:
        ranking = JoinRanking.prepared(problem, plan, ONE, Clock(None))
        indices = range(0, ranking.count, 11)
        assert ranking.rank(ranking.unrank(indices, ONE), ONE) == list(indices)
        names.add(ranking.order)
    assert len(names) == len(plans_for(problem, CycleGraph.of(problem))[:4])


@pytest.mark.full
def test_random_tours_of_the_chessboard() -> None:
    problem = TourProblem(board="8x8", closed=True)
    ranking = ranked(problem, Settings(threads=2))
    assert ranking.count == COUNT_8X8
    check_random_tours(ranking, 2000)


@pytest.mark.slow
@pytest.mark.parametrize(("board", "closed"), [("8x8", True), ("7x8", False), ("8x9", True)])
def test_a_hundred_thousand_random_tours(board: str, closed: bool) -> None:
    limits = Settings()
    check_random_tours(ranked(TourProblem(board=board, closed=closed), limits), 100_000)


def check_random_tours(ranking: Ranking, number: int) -> None:
    """Round trips of random indices; the frequencies of moves against the symmetries of the board."""
    problem = ranking.problem
    indices = uniform_integers(ranking.count, number, seed=5)
    indices[:2] = [0, ranking.count - 1]
    rows = ranking.unrank(indices, Settings())
    assert problem.check_rows(rows).all()
    assert len(np.unique(normal(rows, problem.closed), axis=0)) == len(set(indices))
    assert ranking.rank(rows, Settings()) == indices
    # By symmetry each move has as many tours as its image.
    uses = np.zeros(len(problem.ground.edges), dtype=np.int64)
    pairs = np.stack([rows, np.roll(rows, -1, axis=1)], axis=2)
    if not problem.closed:
        pairs = pairs[:, :-1]
    np.add.at(uses, problem.ground.places_of(pairs.reshape(-1, 2)), 1)
    table = problem.ground.places_of
    for symmetry in problem.automorphisms:
        images = np.array(symmetry.images)[problem.ground.edges]
        # Both are binomial with the same probability; 6 standard deviations of their difference.
        difference = np.abs(uses - uses[table(images)])
        assert (difference <= 6 * np.sqrt(uses + uses[table(images)]) + 6).all()


def test_samples_are_uniform() -> None:
    """Chi-square of the moves of uniform samples against all tours of 6x6, and of the indices' places."""
    problem = TourProblem(board="6x6", closed=True)
    ranking = ranked(problem)
    rows = ranking.unrank(range(ranking.count), ONE)
    drawn = uniform_integers(ranking.count, 20_000, seed=11)
    sample = ranking.unrank(drawn, ONE)
    ground = problem.ground

    def uses(of: np.ndarray) -> np.ndarray:
        places = ground.places_of(np.stack([of, np.roll(of, -1, axis=1)], axis=2).reshape(-1, 2))
        return np.bincount(places, minlength=len(ground.edges))

    expected = uses(rows) / len(rows) * len(sample)
    found = uses(sample)
    variance = expected * (1 - expected / len(sample))
    scores = np.divide((found - expected) ** 2, variance, where=variance > 0, out=np.zeros(len(found)))
    assert scores.max() < 16  # four standard deviations, of 80 moves
    assert (found[variance == 0] == expected[variance == 0]).all()


def test_limits() -> None:
    problem = TourProblem(board="8x8", closed=True)
    with pytest.raises(LimitReached, match=r"about .* memory limit is 12 MiB: give more, or a folder"):
        ranked(problem, Settings(memory=12 << 20))
    with pytest.raises(OutOfMemory, match="stopped at the memory limit of 16 MiB"):
        ranked(TourProblem(board="7x8", closed=True), Settings(threads=1, memory=16 << 20))
    with pytest.raises(LimitReached, match=r"time limit of 0\.02 s"):
        ranked(problem, Settings(timeout=0.02))
    with pytest.raises(LimitReached, match="half table on disk: /no/such/folder"):
        ranked(problem, Settings(spill="/no/such/folder"))
    with pytest.raises(LimitReached, match=r"has more tours than .*: use --engine frontier"):
        ranked(TourProblem(board="5x80", closed=True))


# -- prepared files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", [full("6x6 closed"), full("5x6 open"), "complete graph", "no tour", "one cell, open"]
)
def test_a_prepared_file_gives_the_same_tours(name: str, tmp_path: Path) -> None:
    problem = PROBLEMS[name]
    made = ranked(problem)
    path = tmp_path / "tables"
    made.save(path)
    restored = JoinEngine().restored(problem, path, ONE)
    assert (restored.count, restored.order) == (made.count, made.order)
    indices = range(made.count)
    rows = made.unrank(indices, ONE)
    assert np.array_equal(restored.unrank(indices, ONE), rows)
    assert restored.rank(rows, ONE) == list(indices)
    restored.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


def test_a_prepared_file_of_many_blocks(tmp_path: Path) -> None:
    problem, path = TourProblem(board="7x8", closed=True), tmp_path / "tables"
    made = ranked(problem)
    made.save(path)
    restored = JoinEngine().restored(problem, path, ONE)
    indices = uniform_integers(made.count, 300, seed=2)
    rows = restored.unrank(indices, ONE)
    assert np.array_equal(made.unrank(indices, ONE), rows)
    assert restored.rank(rows, ONE) == indices


def refusal(read: Callable[[], np.ndarray], expected: np.ndarray) -> str:
    """The message of BadInput; empty if the expected rows are read."""
    try:
        rows = read()
    except BadInput as error:
        return str(error)
    assert np.array_equal(rows, expected)
    return ""


@pytest.mark.parametrize("number", [30, full(250)])
def test_a_damaged_file_is_refused(number: int, tmp_path: Path) -> None:
    """Any byte: the file is refused at once or when it is read, or the byte is between tables."""
    problem = PROBLEMS["3x10 closed"]
    made = ranked(problem)
    path, bad = tmp_path / "tables", tmp_path / "bad"
    made.save(path)
    whole = path.read_bytes()
    indices = range(made.count)
    rows = made.unrank(indices, ONE)
    random = np.random.default_rng(3)
    places = [*range(48), *random.integers(0, len(whole), number).tolist(), len(whole) - 1]
    refused = 0
    for place in places:
        bad.write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
        message = refusal(lambda: JoinEngine().restored(problem, bad, ONE).unrank(indices, ONE), rows)
        refused += message != ""
        assert message == "" or (str(bad) in message and "\n" not in message)
    assert refused > len(places) // 2
    for length in [0, 1, 40, 100, len(whole) // 2, len(whole) - 1]:
        bad.write_bytes(whole[:length])
        with pytest.raises(BadInput):
            JoinEngine().restored(problem, bad, ONE)


def test_a_file_of_another_question_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tables"
    ranked(PROBLEMS["3x10 closed"]).save(path)
    for other in ("6x6 closed", "complete graph", "one cell, open", "5x6 open"):
        with pytest.raises(BadInput, match="was prepared for closed 3x10, not for"):
            JoinEngine().restored(PROBLEMS[other], path, ONE)


def test_a_file_of_another_plan_is_refused(tmp_path: Path) -> None:
    problem, path = PROBLEMS["6x6 closed"], tmp_path / "tables"
    other = plans_for(problem, CycleGraph.of(problem))[1]
    JoinRanking.prepared(problem, other, ONE, Clock(None)).save(path)
    with pytest.raises(BadInput, match=r"holds the order 'join:1:.*', not join:1:.*: prepare another file"):
        JoinEngine().restored(problem, path, ONE)


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot write"):
        ranked(PROBLEMS["3x10 closed"]).save(tmp_path / "none" / "tables")


def test_the_names_of_orders_stay() -> None:
    """A name and an index mean the same tour in every version, whatever counts are planned by."""
    sizes = ["3x10", "4x5", "4x9", "5x6", "5x12", "6x6", "6x7", "6x10", "7x8", "8x8", "8x9", "9x10"]
    questions: list[dict[str, Any]] = [
        {"closed": True},
        {"closed": False},
        {"closed": False, "start": "a1"},
        {"closed": False, "start": "a1", "end": "c2"},
    ]
    names = []
    for size in sizes:
        for question in questions:
            problem = TourProblem(board=size, **question)
            names.append(order_name(best_plan(problem, CycleGraph.of(problem), outside_in=True)))
    assert hashlib.sha256(" ".join(names).encode()).hexdigest()[:16] == "663f5b777e7cf21f"
