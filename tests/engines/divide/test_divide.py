"""Divide and conquer: every board that has a tour, given ends, quarters, limits; and the base boards."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import answered
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ktsolve.base.errors import BadInput, LimitReached, Refused
from ktsolve.base.limits import Settings
from ktsolve.engines.auto import choose
from ktsolve.engines.divide import bases, construct
from ktsolve.engines.divide.construct import tour_steps
from ktsolve.engines.divide.quarters import quarters
from ktsolve.engines.registry import engine_named
from ktsolve.engines.search.engine import SearchEngine
from ktsolve.engines.through_model import SatEngine
from ktsolve.formats.tours.files import read_tour
from ktsolve.formats.tours.recognition import split_tours
from ktsolve.graphs.board import Board
from ktsolve.graphs.geometry import CORNERS
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour
from ktsolve.graphs.tour_arrays import Steps
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.rectangles import why_none
from ktsolve.tasks.base_boards import shipped_bases
from ktsolve.tasks.find import find
from ktsolve.verify.existence_jobs import divide_jobs
from ktsolve.verify.jobs import Context

NINE = Path(shipped_bases()["nine-boards"]).read_text()


def check(steps: Steps, *, closed: bool) -> None:
    """Check an array twice: as objects by its problem, and by the check of arrays."""
    tour = Tour.from_steps(steps, closed=closed)
    objects = Tour(tour.board, tour.squares, closed)
    assert TourProblem(board=tour.board, closed=closed).check(objects) is None
    assert tour.valid


# -- every board ---------------------------------------------------------------------------------------------


@pytest.mark.full
def test_every_board_up_to_20_that_has_a_tour() -> None:
    built = 0
    for rows, columns in itertools.product(range(1, 21), repeat=2):
        for closed in (True, False):
            if why_none(rows, columns, closed=closed) is None:
                steps = tour_steps(rows, columns, closed=closed)
                assert steps.shape == (rows, columns)
                assert Tour.from_steps(steps, closed=closed).valid, (rows, columns, closed)
                built += 1
    assert built == 204 + 319  # by the theorems: closed, open


@pytest.mark.parametrize("closed", [True, False])
def test_theorems_agree_with_a_search_through_everything(closed: bool) -> None:
    """The exhaustive search on boards up to 30 cells, without the obstructions of the problem."""
    search = choose("search", "construct", TourProblem(board="3x3", closed=True))
    for rows, columns in itertools.combinations_with_replacement(range(1, 9), 2):
        if rows * columns <= 30:
            problem = TourProblem(board=Board(rows, columns), closed=closed)
            found = search.construct(problem, Settings())
            assert (found is None) == (why_none(rows, columns, closed=closed) is not None), problem


@given(st.integers(3, 60), st.integers(3, 60), st.booleans(), st.integers(0, 3), st.data())
@examples(60)
def test_any_board_any_start(rows: int, columns: int, closed: bool, seed: int, data: st.DataObject) -> None:
    if why_none(rows, columns, closed=closed) is not None:
        with pytest.raises(BadInput, match=r"no such tour"):
            tour_steps(rows, columns, closed=closed)
        return
    settings = Settings(seed=seed, threads=data.draw(st.integers(1, 3)))
    check(tour_steps(rows, columns, closed=closed, settings=settings), closed=closed)
    if why_none(rows, columns, closed=True) is None:
        start = data.draw(st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1)))
        name = data.draw(st.sampled_from(["start", "end"]))
        steps = tour_steps(rows, columns, closed=closed, settings=settings, **{name: start})
        check(steps, closed=closed)
        assert steps[start] == (1 if name == "start" else rows * columns)


def test_a_seed_varies_the_tour_and_nothing_else() -> None:
    for size in ((16, 16), (15, 20), (3, 40), (13, 13)):
        closed = size[0] * size[1] % 2 == 0
        found = [tour_steps(*size, closed=closed, settings=Settings(seed=seed)) for seed in (1, 1, 2)]
        assert (found[0] == found[1]).all()
        assert (found[0] != found[2]).any()


# -- given ends ----------------------------------------------------------------------------------------------


@given(st.integers(6, 45), st.integers(6, 45), st.data())
@examples(150)
def test_from_any_start_to_any_end(rows: int, columns: int, data: st.DataObject) -> None:
    cells = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    corners = st.sampled_from([(0, 0), (0, columns - 1), (rows - 1, 0), (rows - 1, columns - 1)])
    start, end = data.draw(cells | corners), data.draw(cells | corners)
    if start == end or why_none(rows, columns, closed=False, start=start, end=end):
        return
    steps = tour_steps(rows, columns, closed=False, start=start, end=end)
    check(steps, closed=False)
    assert (steps[start], steps[end]) == (1, rows * columns)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(6, 6), (6, 7), (7, 7), (6, 13), (13, 14), (13, 13)])
def test_every_pair_of_ends(size: tuple[int, int]) -> None:
    cells = list(itertools.product(range(size[0]), range(size[1])))
    for start, end in itertools.combinations(cells, 2):
        if why_none(*size, closed=False, start=start, end=end) is None:
            steps = tour_steps(*size, closed=False, start=start, end=end)
            assert Tour.from_steps(steps, closed=False).valid
            assert (steps[start], steps[end]) == (1, steps.size)


def test_a_board_of_one_block_is_searched_through() -> None:
    """Search confirms each answer of divide that no tour has given ends of the right colours."""
    search, divide = (engine_named(name) for name in ("search", "divide"))
    cells = [(r, c) for r in range(5) for c in range(5)]
    none = 0
    for start, end in itertools.combinations(cells[:9], 2):
        if why_none(5, 5, closed=False, start=start, end=end) is None:
            problem = TourProblem(board=Board(5, 5), closed=False, start=start, end=end)
            found = divide.construct(problem, Settings())
            assert (found is None) == (search.construct(problem, Settings()) is None)
            none += found is None
    assert none > 0
    said = answered("tour", "5x5", "--open", "--engine", "divide", "--start", "c5", "--end", "d4", status=1)
    assert said.out.startswith("no tour: the engine searched everything")


def test_a_closed_tour_with_both_ends_given() -> None:
    steps = tour_steps(20, 21, start=(3, 3), end=(5, 4))
    check(steps, closed=True)
    assert (steps[3, 3], steps[5, 4]) == (1, 420)
    with pytest.raises(BadInput, match="a move from its start"):
        tour_steps(20, 21, start=(3, 3), end=(5, 5))


@pytest.mark.parametrize(
    ("size", "start", "end", "reason"),
    [
        ((8, 8), (0, 0), (7, 7), "an open tour of 64 cells ends on the other colour, but a8 and h1"),
        ((7, 9), (0, 1), None, "an open tour of 63 cells begins and ends on the colour of the corners"),
        ((7, 9), None, (1, 0), "which a6 has not"),
        ((3, 5), None, None, "no open tour exists on 3x3, 3x5, 3x6 and 4x4"),
        ((2, 900), None, None, "no open tour exists on a rectangle with a side of 1 or 2"),
    ],
)
def test_ends_that_cannot_be(
    size: tuple[int, int], start: Cell | None, end: Cell | None, reason: str
) -> None:
    with pytest.raises(BadInput, match=re.escape(reason)):
        tour_steps(*size, closed=False, start=start, end=end)


@pytest.mark.parametrize(
    ("size", "ends", "message"),
    [
        ((6.0, 6), {}, "not 6.0 and 6"),
        (("6", 6), {}, "not '6' and 6"),
        ((6, 6), {"start": (1,)}, "start (1,) is not a cell"),
        ((6, 6), {"end": 5}, "end 5 is not a cell"),
        ((6, 6), {"start": "a9"}, "cell 'a9' is off the 6x6 board"),
    ],
)
def test_what_is_no_size_and_no_cell(size: Any, ends: Any, message: str) -> None:
    with pytest.raises(BadInput, match=re.escape(message)):
        tour_steps(*size, **ends)


def test_what_it_does_not_take() -> None:
    with pytest.raises(Refused, match=r"start and end .* sides from 5"):
        tour_steps(4, 9, closed=False, start=(0, 0), end=(0, 1))
    with pytest.raises(Refused, match="strips without a closed tour"):
        tour_steps(4, 9, closed=False, start=(0, 0))
    with pytest.raises(BadInput, match="start 0,9 is off the 4x9 board"):
        tour_steps(4, 9, closed=False, start=(0, 9))
    with pytest.raises(BadInput, match="not 0 and 9"):
        tour_steps(0, 9)
    with pytest.raises(LimitReached, match=r"take 42.* MiB; the limit is 10 MiB of memory"):
        tour_steps(10_000, 1000, settings=Settings(memory=10 << 20))
    with pytest.raises(LimitReached, match=r"cells"):
        tour_steps(50_000, 50_000, settings=Settings(memory=1 << 40))
    assert tour_steps(1, 1, closed=False).tolist() == [[1]]


# -- limits of base boards -----------------------------------------------------------------------------------


@pytest.fixture
def no_bases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty caches, so that base boards have to be made."""
    monkeypatch.setattr(bases, "_made", {})
    monkeypatch.setattr(construct, "_found", {})


@pytest.mark.parametrize(
    ("size", "closed", "ends"),
    [
        ((7, 8), True, {}),
        ((7, 7), False, {}),
        ((20, 21), False, {"start": (0, 0), "end": (19, 20)}),
        ((3, 10), True, {}),
        ((4, 17), False, {}),
    ],
)
@pytest.mark.usefixtures("no_bases")
def test_no_time_left_for_base_boards(size: tuple[int, int], closed: bool, ends: dict[str, Any]) -> None:
    with pytest.raises(LimitReached, match="time limit of 1e-09 s"):
        tour_steps(*size, closed=closed, **ends, settings=Settings(timeout=1e-9))
    assert not bases._made
    assert not construct._found
    check(tour_steps(*size, closed=closed, **ends), closed=closed)


@pytest.mark.usefixtures("no_bases")
def test_base_boards_are_made_within_the_limits_of_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engines that make a base get the caller's memory, threads and seed, and no more than its time."""
    given: dict[str, Settings] = {}

    def search(_self: object, _problem: TourProblem, settings: Settings) -> None:
        given["search"] = settings
        raise LimitReached("too hard")

    def sat(_self: object, _problem: TourProblem, settings: Settings) -> None:
        given["sat"] = settings
        raise LimitReached("too hard")

    monkeypatch.setattr(SearchEngine, "construct", search)
    monkeypatch.setattr(SatEngine, "construct", sat)
    limits = Settings(timeout=600, memory=1 << 30, threads=1, seed=7)
    with pytest.raises(LimitReached, match="too hard"):
        tour_steps(7, 8, settings=limits)
    for settings in given.values():
        assert (settings.memory, settings.threads, settings.seed) == (1 << 30, 1, 7)
        assert settings.timeout is not None
        assert 0 < settings.timeout <= 600
    assert list(given) == ["search", "sat"]
    assert not bases._made


@pytest.mark.usefixtures("no_bases")
def test_cached_base_boards_do_not_depend_on_limits() -> None:
    limited = tour_steps(20, 21, settings=Settings(timeout=600, memory=1 << 32, threads=1))
    bases._made.clear()
    assert (limited == tour_steps(20, 21)).all()


# -- the construction of the course paper --------------------------------------------------------------------


PRINTED = [(6, 6), (8, 10), (12, 10), (12, 12), (14, 16), (16, 16), (22, 24), (24, 22), (26, 26), (94, 94)]


class AsPrinted:
    """The program of the course paper as printed: links per cell, recursion, and a walk along the links."""

    def __init__(self, rows: int, columns: int) -> None:
        self.size = rows, columns
        self.link: dict[Cell, list[Cell]] = {}
        self.base = {tuple(map(int, read_tour(part.text).board.size.split("x"))): read_tour(part.text).squares
                     for part in split_tours(NINE)}  # fmt: skip
        self.compute(rows, columns, 0, 0)

    def compute(self, rows: int, columns: int, x: int, y: int) -> None:
        if rows < 12 or columns < 12:
            squares = self.base[rows, columns]
            for i, (r, c) in enumerate(squares):
                after, before = squares[(i + 1) % len(squares)], squares[i - 1]
                self.link[x + r, y + c] = [(x + after[0], y + after[1]), (x + before[0], y + before[1])]
            return
        row = rows // 2 - (rows % 4 > 0)
        column = columns // 2 - (columns % 4 > 0)
        for down, right in itertools.product((0, 1), (0, 1)):
            self.compute(
                rows - row if down else row,
                columns - column if right else column,
                x + row * down,
                y + column * right,
            )
        points = [(x + row - 1, y + column - 3)]
        for step in ((-1, 2), (-1, 2), (2, -1), (1, 2), (1, -2), (1, -2), (-2, 1)):
            points.append((points[-1][0] + step[0], points[-1][1] + step[1]))
        for i in (1, 3, 5, 7):
            here, there = points[i], points[(i + 1) % 8]
            self.link[here][self.link[here].index(points[i - 1])] = there
            self.link[there][self.link[there].index(points[(i + 2) % 8])] = here

    def grid(self) -> Steps:
        steps = np.zeros(self.size, dtype=np.int32)
        cell = (0, 0)
        for step in range(1, steps.size + 1):
            steps[cell] = step
            first, second = self.link[cell]
            cell = second if steps[first] else first
        return steps


@pytest.mark.parametrize(
    "size",
    [
        (6, 6),
        (8, 10),
        (12, 10),
        (12, 12),
        (14, 16),
        (16, 16),
        (22, 24),
        (24, 22),
        (26, 26),
        (50, 48),
        (94, 94),
    ],
)
def test_quarters_are_those_of_the_printed_program(size: tuple[int, int]) -> None:
    steps = tour_steps(*size)
    assert (steps == AsPrinted(*size).grid()).all()
    check(steps, closed=True)


def test_quarters_take_all_boards_of_the_printed_program() -> None:
    for rows, columns in itertools.product(range(4, 60), repeat=2):
        asked = rows % 2 == columns % 2 == 0 and abs(rows - columns) <= 2 and min(rows, columns) >= 6
        assert quarters(rows, columns) == asked
        if asked:
            assert Tour.from_steps(tour_steps(rows, columns), closed=True).valid


@pytest.mark.parametrize("size", [(5, 6), (6, 6), (16, 16), (22, 24), (7, 30), (40, 13), (60, 200), (64, 66)])
def test_what_is_built_is_structured_again(size: tuple[int, int]) -> None:
    board = Board(*size)
    problem = TourProblem(board=board, closed=True, corners=CORNERS)
    for seed in (0, 1):
        tour = Tour.from_steps(tour_steps(*size, settings=Settings(seed=seed)), closed=True)
        assert problem.check(tour) is None


def test_four_that_were_built_are_quarters_of_a_larger_one() -> None:
    """Quarters other than base boards, joined by the four moves of figure 4: a tour of 26x32."""
    rows, columns = 13, 16
    tour = Tour.from_steps(tour_steps(rows, columns, settings=Settings(seed=5)), closed=True)
    moves = {
        frozenset((a + down, b + right) for a, b in move)
        for down, right in itertools.product((0, rows), (0, columns))
        for move in tour.moves
    }
    points = [(rows + r, columns + c) for r, c in
              ((-1, -3), (-2, -1), (-3, 1), (-1, 0), (0, 2), (1, 0), (2, -2), (0, -1))]  # fmt: skip
    for i in range(8):
        moves ^= {frozenset((points[i], points[(i + 1) % 8]))}
    assert len(moves) == 4 * rows * columns
    around: dict[Cell, list[Cell]] = {}
    for a, b in map(sorted, moves):
        around.setdefault(a, []).append(b)
        around.setdefault(b, []).append(a)
    walk = [(0, 0), around[0, 0][0]]
    while walk[-1] != walk[0]:
        walk.append(next(cell for cell in around[walk[-1]] if cell != walk[-2]))
    assert len(walk) - 1 == 4 * rows * columns


# -- through the front door ----------------------------------------------------------------------------------


@pytest.mark.full
def test_auto_builds_large_boards() -> None:
    answer = find(TourProblem(board="60x61", closed=True, start="c3"))
    assert answer.engine == "divide"
    assert answer.tour is not None
    assert answer.tour.squares[0] == answer.tour.board.cell("c3")
    assert find(TourProblem(board="3x1001", closed=False, start="a1")).engine != "divide"
    assert find(TourProblem(board="4x1000", closed=False)).engine == "divide"
    assert Tour.from_steps(tour_steps(60, 60)).closed


@pytest.mark.parametrize(
    ("board", "problem", "built"),
    [
        ("3x1000", {"closed": True, "start": "a1"}, True),
        ("5x1000", {"closed": False, "start": "a1"}, True),
        ("6x1000", {"closed": False, "start": "a1", "end": "b1"}, True),
        ("5x1000", {"closed": False, "start": "a1", "end": "b1"}, False),
        ("3x1001", {"closed": False, "start": "a1"}, False),
        ("4x1000", {"closed": False, "end": "a1"}, False),
        ("8x8", {"closed": True}, False),
    ],
)
def test_what_is_built_rather_than_searched(board: str, problem: dict[str, Any], built: bool) -> None:
    """A start of a closed tour costs nothing, however thin the board is."""
    divide = engine_named("divide")
    assert (divide.estimate(TourProblem(board=board, **problem), Settings()) is not None) == built


# -- verify --------------------------------------------------------------------------------------------------


def test_the_cross_check_holds_and_notices_a_broken_engine() -> None:
    jobs = {job.name: job for job in divide_jobs("quick")}
    assert sum(job.level == "quick" for job in jobs.values()) == 20
    for name in ("shipped base boards", "divide 22x24", "divide 3x31", "existence 5x5 to 5x8"):
        assert not jobs[name](Context()).disagreement
        assert jobs[name](Context(faulty="divide")).disagreement
    assert jobs["existence 5x5 to 5x8"](Context()).left == "6 of 8 exist"
    assert {job.name for job in divide_jobs("full")} >= {"existence 12x12 to 12x12", "divide 10000x10000"}
