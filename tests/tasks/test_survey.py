"""Surveys: statistics of many tours, samples against exact distributions, intervals, the command."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections import Counter
from fractions import Fraction
from itertools import accumulate, pairwise
from math import comb
from pathlib import Path
from random import Random

import numpy as np
import pytest
from chi_square import likely
from command import ktsolve as command
from hypothesis import given
from hypothesis import strategies as st
from marks import quick

import ktsolve
from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Settings
from ktsolve.graphs.board import Board
from ktsolve.graphs.geometry import angles, crossings, turns
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.graphs.tour_rows import TourRows
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import STATISTICS, Statistic
from ktsolve.tasks.distribution import Distribution, order_places
from ktsolve.tasks.survey import read_measures, survey

# -- statistics of many tours -------------------------------------------------------------------------------

BOARDS = ["3x4", "5x5", "6x6", "4x7", "30x33"]


def random_rows(board: Board, seed: int, number: int, *, closed: bool) -> np.ndarray:
    """Walks over all cells by moves where that goes on, else by jumps: statistics need no tours."""
    random = Random(seed)
    rows = []
    for _ in range(number):
        row = [random.randrange(len(board))]
        left = set(range(len(board))) - set(row)
        while left:
            near = [board.index[cell] for cell in board.neighbours[board.cells[row[-1]]]]
            row.append(random.choice(sorted(left & set(near)) or sorted(left)))
            left.discard(row[-1])
        rows.append(row)
    return np.array(rows, np.int32)


def by_definition(name: str, tour: Tour) -> int:
    kinds = {kind: len(cells) for kind, cells in angles(tour).items()}
    plain = {
        "acute": kinds["acute"],
        "right": kinds["right"],
        "straight": kinds["straight"],
        "obtuse": kinds["obtuse"] + kinds["straight"],
        "turns": turns(tour),
        "crossings": len(crossings(tour)),
    }
    return plain[name]


TOURS = {
    (size, closed): list(ktsolve.tours(size, closed=closed).sample(20, seed=3))
    for size, closed in (("5x6", True), ("6x6", True), ("5x5", False), ("4x7", False), ("3x10", True))
}


@pytest.mark.parametrize(("size", "closed"), TOURS)
@pytest.mark.parametrize("name", ["acute", "right", "straight", "obtuse", "turns", "crossings"])
def test_statistics_of_rows_are_those_of_tours(size: str, closed: bool, name: str) -> None:
    tours = TOURS[size, closed]
    board = tours[0].board
    rows = TourRows(board, np.array([tour.indices for tour in tours]), closed=closed)
    statistic = Statistic.parse(name, board)
    expected = [by_definition(name, tour) for tour in tours]
    assert statistic.values(rows).tolist() == expected
    assert [statistic.of(tour) for tour in tours] == expected


@given(st.sampled_from(["4x5", "6x6", "3x9"]), st.integers(0, 10**6), st.booleans())
def test_moves_steps_and_angles_of_any_sequences(size: str, seed: int, closed: bool) -> None:
    board = Board.parse(size)
    rows = random_rows(board, seed, 3, closed=closed)
    random = Random(seed)
    moves = frozenset(random.sample(board.moves, 7))
    cell = random.randrange(len(board))
    many = TourRows(board, rows, closed=closed)
    tours = [Tour.from_indices(board, row, closed) for row in rows.tolist()]
    assert many.uses(moves).tolist() == [len(moves & tour.moves) for tour in tours]
    assert many.step_of(cell).tolist() == [row.index(cell) + 1 for row in rows.tolist()]
    for kind, counted in many.angles.items():
        assert counted.tolist() == [len(angles(tour)[kind]) for tour in tours]


def test_a_board_beyond_the_tables() -> None:
    board = Board.parse("34x34")
    tour = ktsolve.find(TourProblem(board=board, closed=True)).tour
    assert tour is not None
    rows = TourRows(board, np.array([tour.indices, tour.reversed().indices]), closed=True)
    assert rows.crossings.tolist() == [len(crossings(tour))] * 2
    assert rows.uses(board.moves[:500]).tolist() == [len(tour.moves & set(board.moves[:500]))] * 2
    assert Statistic.parse("turns", board).values(rows).tolist() == [turns(tour)] * 2


def test_weights() -> None:
    graph = Graph("abcd", ["ab", "bc", "cd", "da", "ac"], weights=[1, 20, 300, 4000, 50000])
    rows = TourRows(graph, np.array([[0, 1, 2, 3], [3, 2, 1, 0]]), closed=True)
    assert Statistic.made("weight", graph).values(rows).tolist() == [4321, 4321]
    open_rows = TourRows(graph, np.array([[0, 1, 2, 3], [1, 0, 2, 3]]), closed=False)
    assert Statistic.made("weight", graph).values(open_rows).tolist() == [321, 50301]


# -- samples against exact distributions --------------------------------------------------------------------


def fits(found: Distribution) -> bool:
    assert found.exact is not None
    return likely(dict(found.samples), dict(found.exact))


EXACT = [
    ("6x6", {"closed": True}, "turns,crossings,acute,right,obtuse,straight,uses:c3-d5,uses:corners"),
    ("5x5", {"closed": False}, "turns,crossings,uses:slopes,moves:a1-b3,c1-d3"),
    ("5x5", {"closed": False, "start": "a1"}, "visit:c3,visit:e5,turns"),
    ("5x6", {"closed": False, "ends": ["a1", "b2"], "start": "c2"}, "crossings,visit:f5"),
    ("6x6", {"closed": True, "start": "a1", "forbid": ["c3-d5"]}, "visit:f6,crossings"),
]


@pytest.mark.parametrize(("size", "conditions", "of"), quick(EXACT, EXACT[1:3].__contains__))
def test_samples_fit_all_tours(size: str, conditions: dict[str, object], of: str) -> None:
    """The numbers of all tours, listed by another engine, against the survey's sample and its exact ones."""
    problem = TourProblem(board=size, **conditions)  # type: ignore[arg-type]
    listed = list(ktsolve.find_all(problem, engine="sat" if problem.ends else "search"))
    found = survey(problem, of, 10_000, seed=5)
    assert found.count == len(listed)
    assert found.number == 10_000
    rows = np.array([problem.labeled_to_fit(tour).indices for tour in listed])
    many = TourRows(problem.ground, rows, closed=problem.closed)
    for measure, each in zip(read_measures(of, problem), found.distributions, strict=True):
        assert each.exact is not None
        assert each.exact == Counter(measure.values(many).tolist())
        assert each.number == 10_000
        assert fits(each)
        values = [value for value, count in each.exact.items() for _ in range(count)]
        assert each.exact_mean == pytest.approx(np.mean(values))
        assert each.exact_deviation == pytest.approx(np.std(values))
        # Fixed seeds, so that this holds each time; five half widths, since there are many statistics.
        low, high = each.mean_interval
        assert abs(each.mean - (each.exact_mean or 0)) <= 2.5 * (high - low) + 1e-12


@pytest.mark.full
def test_exact_uses_by_tallies() -> None:
    """More tours than samples: with ``exact`` the tallies stand beside."""
    found = survey("6x6", "uses:corners,uses:slope:1,2,turns", 500, seed=1, exact=True)
    listed = survey("6x6", "uses:corners,uses:slope:1,2", 9862, seed=1)
    assert [each.exact for each in found.distributions[:2]] == [each.exact for each in listed.distributions]
    assert found["turns"].exact is None
    assert survey(ktsolve.tours("6x6")[:100], "uses:corners", 50, exact=True).distributions[0].exact is None


def test_slices_and_seeds() -> None:
    tours = ktsolve.tours("6x6")
    some = survey(tours[100:110], "crossings", 300, seed=2)
    assert some.count == 10
    assert some["crossings"].exact == Counter(len(crossings(tour)) for tour in tours[100:110])
    one, other = (survey(tours, "crossings", 300, seed=2)["crossings"].samples for _ in range(2))
    drawn = Counter(len(crossings(tour)) for tour in tours.sample(300, seed=2))
    assert one == other == drawn


def test_functions_of_a_tour() -> None:
    def first_column(tour: Tour) -> int:
        return int(tour.squares[0][1])

    found = survey("5x6", ["turns", first_column, lambda tour: Fraction(1, 3) + turns(tour)], 200, seed=1)
    assert [each.name for each in found.distributions] == ["turns", "first_column", "<lambda>"]
    shifted = found["<lambda>"]
    assert shifted.mean == pytest.approx(found["turns"].mean + 1 / 3)
    assert sum(each.samples for each in shifted.bins(10)) == 200
    with pytest.raises(BadInput, match=r"gave 'many' for a tour"):
        survey("5x6", lambda _: "many", 5)
    with pytest.raises(BadInput, match=r"gave nan"):
        survey("5x6", lambda _: float("nan"), 5)


def test_graphs() -> None:
    found = survey(TourProblem(board="graph:dodecahedral", closed=True), "uses:0-1", 500, seed=1)
    assert found.distributions[0].exact == {0: 10, 1: 20}
    assert fits(found.distributions[0])
    with pytest.raises(BadInput, match="board"):
        survey(TourProblem(board="graph:dodecahedral", closed=True), "turns", 500)


# -- intervals ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2, 5, 10, 37, 100, 1000])
@pytest.mark.parametrize("share", [0.05, 0.25, 0.5, 0.95])
def test_places_of_quantiles_by_the_binomial_sum(number: int, share: float) -> None:
    p = Fraction(str(share))
    above, below = p.numerator, p.denominator - p.numerator
    ways = [comb(number, j) * above**j * below ** (number - j) for j in range(number + 1)]
    upto, all_of_them = [0, *accumulate(ways)], p.denominator**number
    low, high = order_places(number, share)
    lows = [place for place in range(1, number + 1) if 40 * upto[place] <= all_of_them]
    highs = [place for place in range(1, number + 1) if 40 * (all_of_them - upto[place]) <= all_of_them]
    assert low == (max(lows) if lows else None)
    assert high == (min(highs) if highs else None)


@pytest.mark.full
def test_intervals_cover_in_95_of_100_samples() -> None:
    tours = ktsolve.tours("6x6")
    exact = survey(tours, "crossings", tours.count, seed=0)["crossings"]
    mean, median = exact.exact_mean, exact.exact_quantile(0.5)
    assert mean is not None
    assert median is not None
    means = medians = 0
    for seed in range(200):
        found = survey(tours, "crossings", 100, seed=seed)["crossings"]
        low, high = found.mean_interval
        means += low <= mean <= high
        middle = found.quantile(0.5)
        medians += (middle.low or 0) <= median <= (middle.high or 0)
    assert 180 <= means <= 199
    assert medians >= 185


@given(st.dictionaries(st.integers(-50, 10**6), st.integers(1, 50), min_size=1), st.integers(2, 60))
def test_bins_hold_everything_in_order(counts: dict[int | float, int], most: int) -> None:
    found = Distribution("any", counts, counts)
    bins = found.bins(most)
    assert len(bins) <= most
    assert sum(each.samples for each in bins) == sum(each.tours or 0 for each in bins) == found.number
    for each, following in pairwise(bins):
        assert each.last + 1 == following.first
    for each in bins:
        assert each.samples == sum(n for value, n in counts.items() if each.first <= value <= each.last)
    values = sorted(value for value, n in counts.items() for _ in range(n))
    assert found.mean == pytest.approx(sum(values) / len(values))
    assert found.quantile(0.5).value == values[(len(values) + 1) // 2 - 1]


# -- limits, bad input, output ------------------------------------------------------------------------------


def test_limits_keep_what_was_drawn() -> None:
    tours = ktsolve.tours("6x6")
    found = survey(tours, "turns", 10**8, seed=1, settings=Settings(timeout=0.5))
    assert 0 < found.number < 10**8
    assert not found.complete
    assert "time limit" in found.reason
    assert found["turns"].number == found.number
    with pytest.raises(LimitReached):
        survey("8x8", "turns", 10, settings=Settings(timeout=0.01))


BAD = {
    "": ("is not a statistic",),
    "turn": ("'turn'", "turns"),
    "turns,turns": ("'turns'", "twice"),
    "uses:a1-a2": ("a1-a2",),
    "uses:": ("names no moves",),
    "visit:z9": ("z9",),
    "visit:d4": ("visit:d4", "start"),
    "weight": ("weight",),
    "turns:3": ("'turns:3'",),
}


@pytest.mark.parametrize("of", BAD)
def test_bad_statistics_are_one_line(of: str) -> None:
    said = command("survey", "6x6", "--of", of)
    assert (said.status, said.out) == (2, "")
    for part in BAD[of]:
        assert part in said.complaint


def test_other_bad_input(tmp_path: Path) -> None:
    assert (
        "a survey is written as .txt, .json, .csv, .svg, .pdf"
        in command("survey", "6x6", "--of", "turns", "-o", str(tmp_path / "x.gif")).complaint
    )
    assert command("survey", "6x6", "--of", "turns", "--json", "--csv").status == 2
    assert command("survey", "6x6", "--of", "turns", "--samples", "0").status == 2
    assert command("survey", "6x6", "--of", "turns", "--theme", "pink").status == 2
    none = command("survey", "5x5", "--of", "turns", "--json")
    assert (none.status, none.json["status"]) == (1, "impossible")
    with pytest.raises(BadInput, match="no tour to draw"):
        survey("5x5", "turns")
    with pytest.raises(BadInput, match="1 to 1,000,000,000"):
        survey("6x6", "turns", 0)


@pytest.mark.full
def test_the_command(tmp_path: Path) -> None:
    arguments = ("survey", "6x6", "--of", "turns,uses:corners", "--samples", "500", "--seed", "4")
    text = command(*arguments, "-q").out
    assert all(len(line) <= 80 for line in text.splitlines())
    assert text.startswith("closed 6x6: 500 uniform samples of 9,862 tours\n\nturns\nmean ")
    data = command(*arguments, "--json").json
    found = survey("6x6", "turns,uses:corners", 500, seed=4)
    assert data["statistics"] == json.loads(json.dumps([each.to_json() for each in found.distributions]))
    assert (data["count"], data["samples"], data["seed"], data["complete"]) == ("9862", 500, 4, True)
    lines = command(*arguments, "--csv").out.splitlines()
    assert lines[0] == "statistic,value,samples,tours"
    assert sum(int(line.split(",")[2]) for line in lines if line.startswith("turns,")) == 500
    for suffix in ("svg", "json", "csv"):
        assert command(*arguments, "-o", str(tmp_path / f"x.{suffix}")).status == 0
    assert json.loads((tmp_path / "x.json").read_text("utf-8"))["statistics"] == data["statistics"]
    assert (tmp_path / "x.csv").read_text("utf-8").splitlines() == lines
    picture = ElementTree.fromstring((tmp_path / "x.svg").read_text("utf-8"))
    words = [each.text for each in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert {"turns", "uses:corners"} <= set(words)
    assert picture.find("{http://www.w3.org/2000/svg}title") is not None
    stopped = command("survey", "6x6", "--of", "turns", "--samples", "900000000", "--timeout", "1", "--json")
    assert (stopped.status, stopped.json["complete"]) == (3, False)
    assert stopped.json["samples"] > 0


def test_bars_of_the_picture_have_the_heights_of_the_shares() -> None:
    found = survey("5x6", "turns", 300, seed=1)
    picture = ElementTree.fromstring(found.svg("dark"))
    (bars,) = [
        group
        for group in picture.iter("{http://www.w3.org/2000/svg}g")
        if (group.get("class") or group.get("id") or "").startswith("bars")
    ] or [picture]
    heights = [
        float(each.get("height", "0"))
        for each in bars.iter("{http://www.w3.org/2000/svg}rect")
        if each.get("x") is not None
    ]
    counts = [each.samples for each in found["turns"].bins(60) if each.samples]
    assert len(heights) >= len(counts)
    ratio = [height / count for height, count in zip(heights, counts, strict=False)]
    assert max(ratio) == pytest.approx(min(ratio), rel=0.02)


def test_every_statistic_can_be_surveyed() -> None:
    names = [name for name, kind in STATISTICS.items() if name != "moves" and not kind.weighted]
    found = survey("5x6", names, 10, seed=1)
    assert [each.name for each in found.distributions] == names
    assert "uniform samples" in str(found)


def test_large_values_and_quoted_names() -> None:
    large = 2**60
    found = Distribution("large", {large: 1, large + 1: 2})
    assert [(each.first, each.last, each.samples) for each in found.bins(5)] == [
        (large, large, 1),
        (large + 1, large + 1, 2),
    ]
    ring = Graph.of([("New York", "b"), ("b", "c"), ("c", "New York")])
    text = survey(ring, 'uses:"New York"-b', 3).csv()
    assert text.splitlines()[1:] == ['"uses:""New York""-b",1,3,1']
