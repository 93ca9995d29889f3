"""All tours as one sequence: the k-th, the place of one, slices, samples, what is refused, faults noticed."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from listed_ranking import ListedEngine
from marks import full
from strategies import examples, refusal

import ktsolve
from ktsolve.base.errors import BadInput, IndexOutOfRange, Refused, WrongAnswer
from ktsolve.engines import registry
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.tours import Tours, _different, _length, tours


@pytest.fixture(autouse=True)
def _listed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(registry.ENGINES, "listed", "listed_ranking:ListedEngine")
    yield
    registry.engine_named.cache_clear()


def listed(problem: TourProblem) -> set[tuple[int, ...]]:
    found = ktsolve.find_all(problem, "sat" if problem.starts or problem.ends else "search")
    return {tour.normalised().indices for tour in found}


PROBLEMS = [
    TourProblem(board="5x6", closed=True),
    TourProblem(board="3x4", closed=False),
    TourProblem(board="3x4", closed=False, start="a1"),
    TourProblem(board="3x4", closed=False, starts=["a1", "d3", "a3"]),
    TourProblem(board="3x4", closed=False, starts=["a1", "d3"], ends=["d3", "a2", "d1"]),
    TourProblem(board="3x10", closed=True, require=["a1-b3"]),
    TourProblem(board="3x10", closed=True, start="d2"),
    TourProblem(board="6x6", closed=True, symmetry="rot90"),
    TourProblem(board=Board.parse("3x3", without="b2"), closed=True),
    TourProblem(board="graph:petersen", closed=False),
    TourProblem(board=ktsolve.Graph("abcd", ["ab", "bc", "cd", "da", "ac"], directed=True), closed=False),
    TourProblem(
        board=ktsolve.Graph("abcd", ["ab", "ba", "bc", "cb", "cd", "dc", "da", "ad", "ac"], directed=True),
        closed=False,
        starts=["a", "b"],
    ),
    TourProblem(board="4x4", closed=True),
    TourProblem(board="1x1", closed=False),
]


@pytest.mark.parametrize("engine", [full("listed"), "auto"])
@pytest.mark.parametrize("problem", PROBLEMS, ids=str)
def test_indices_and_tours_are_one_to_one(problem: TourProblem, engine: str) -> None:
    if not registry.engines_for("rank", problem.replace(starts=(), ends=()))[int(engine == "auto") :]:
        pytest.skip("no other engine ranks it")
    found = tours(problem, engine=engine, check=True)
    assert found.count == len(found) == ktsolve.count(problem).count
    everything = list(found)
    assert {tour.normalised().indices for tour in everything} == listed(problem)
    assert [problem.check(tour) for tour in everything] == [None] * found.count
    assert [found.index(tour) for tour in everything] == list(range(found.count))
    assert found.ranks([tour.reversed() for tour in everything if not problem.ground.directed]) in (
        list(range(found.count)),
        [],
    )
    assert list(reversed(found)) == everything[::-1]
    assert bool(found) == bool(everything)
    assert found.arrays(range(found.count)).tolist() == [list(tour.indices) for tour in everything]


@pytest.fixture(scope="module")
def found() -> Tours:
    """The 32 tours of a board from a corner."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(registry.ENGINES, "listed", "listed_ranking:ListedEngine")
        return tours(TourProblem(board="4x5", closed=False, start="a1"), engine="listed")


# -- a sequence ----------------------------------------------------------------------------------------------


@given(data=st.data())
@examples(60)
def test_places_and_slices_are_those_of_a_list(data: st.DataObject, found: Tours) -> None:
    everything = list(found)
    n = found.count
    bounds = st.none() | st.integers(-n - 3, n + 3)
    part = data.draw(
        st.slices(n) | st.builds(slice, bounds, bounds, st.sampled_from([None, 1, 2, 7, -1, -3]))
    )
    view, wanted = found[part], everything[part]
    assert isinstance(view, Tours)
    assert (view.count, len(view), list(view)) == (len(wanted), len(wanted), wanted)
    assert list(reversed(view)) == wanted[::-1]
    assert (view.order, bool(view)) == (found.order, bool(wanted))
    inner = data.draw(st.builds(slice, bounds, bounds, st.sampled_from([None, 2, -1])))
    assert list(view[inner]) == wanted[inner]
    for place in data.draw(st.lists(st.integers(-n - 2, n + 2), max_size=5)):
        if -len(wanted) <= place < len(wanted):
            assert view[place] == wanted[place]
            assert view.index(wanted[place]) == place % len(wanted)
        else:
            with pytest.raises(IndexError, match="out of range"):
                view[place]
    tour = everything[data.draw(st.integers(0, n - 1))]
    assert (tour in view) == (tour in wanted)
    if tour not in wanted:
        with pytest.raises(ValueError, match=r"not in the slice|not from 0"):
            view.index(tour)


def test_it_is_a_sequence(found: Tours) -> None:
    assert isinstance(found, Sequence)
    assert repr(found) == f"<{found.count} tours of open 4x5 start a1, order {found.order}>"
    assert found[int(np.int64(3))] == found[np.int64(3)] == found[3]  # type: ignore[call-overload]
    assert found.index(found[7], 5, 9) == 7
    with pytest.raises(BadInput, match="the tour is at place 7, which is not from 8 to 9"):
        found.index(found[7], 8, 10)
    with pytest.raises(TypeError):
        found["a1"]  # type: ignore[call-overload]
    assert found.arrays([]).shape == (0, 20)
    assert found.ranks([]) == []
    assert found[0] != found[1]


def test_numbers_beyond_the_largest_length() -> None:
    for places in (range(10**30), range(5, 10**30, 7), range(10**30, 3, -9), range(3), range(3, 0), range(0)):
        slow = 0 if not places else abs(places[-1] - places[0]) // abs(places.step) + 1
        assert _length(places) == slow


def test_a_tour_counts_whatever_its_start_and_direction() -> None:
    closed = tours("5x6", engine="listed")
    tour = closed[5]
    assert closed.index(tour.reversed()) == 5
    assert closed.index(tour.starting_at("c3")) == 5
    assert closed.index(tour.as_closed(False)) == 5
    assert tour.starting_at("d2").reversed() in closed
    assert closed.ranks(np.array([np.roll(tour.indices, 3), tour.indices], dtype=np.uint8)) == [5, 5]
    fixed = tours(TourProblem(board="5x6", closed=True, start="d2"), engine="listed")
    assert fixed.ranks([tour, tour.reversed()]) == [5, 5]
    assert fixed[5].squares[0] == (3, 3)


def test_what_a_sequence_is_made_of() -> None:
    assert tours("3x4", closed=False, engine="listed").count == 8
    assert tours(Board.parse("3x4"), closed=False, start="a1", engine="listed").count == 2
    cycle = tours(networkx.complete_graph("abcd"), engine="listed")
    assert {tour.labels[0] for tour in cycle} == {"a"}
    assert cycle.count == 3
    assert tours("graph:petersen", closed=False, engine="listed").count == 120
    message = "a TourProblem states closed and all conditions: give them there, or use replace(...)"
    assert refusal(tours, PROBLEMS[0], closed=True) == message
    assert refusal(tours, PROBLEMS[0], start="a1") == message
    assert "5 is not a problem: give a TourProblem" in refusal(tours, 5)


# -- samples -------------------------------------------------------------------------------------------------


def test_samples_are_the_tours_at_uniform_numbers(found: Tours) -> None:
    from ktsolve.base.uniform import uniform_integers

    places = list(found.sample_places(50, seed=7))
    assert places == uniform_integers(found.count, 50, 7)
    assert found.ranks(found.sample(50, seed=7)) == places
    assert found.sample_arrays(50, seed=7).tolist() == found.arrays(places).tolist()
    assert found.sample(20, seed=7) == found.sample(50, seed=7)[:20]
    assert list(found.at(found.sample_places(3, seed=8))) == found.sample(3, seed=8)
    assert list(found.sample_places(50, seed=8)) != places
    assert list(found.sample_places(50)) != list(found.sample_places(50))
    assert found.sample(0) == []
    view = found[3:9]
    assert {found.index(tour) for tour in view.sample(200, seed=1)} == set(range(3, 9))


def test_samples_without_replacement(found: Tours) -> None:
    n = found.count
    for number in (1, n // 3, n - 1, n):
        places = list(found.sample_places(number, seed=5, distinct=True))
        assert len(set(places)) == number
        assert set(places) <= set(range(n))
        assert places == list(found.sample_places(n, seed=5, distinct=True))[:number]
    assert refusal(found.sample, n + 1, distinct=True).endswith(
        f"has {n} tours, and {n + 1} distinct ones were asked for"
    )
    assert len(set(itertools.islice(_different(10**30, 3), 1000))) == 1000


@pytest.mark.full
def test_every_order_is_equally_likely() -> None:
    orders = Counter(tuple(_different(4, seed)) for seed in range(24_000))
    assert len(orders) == 24
    # Chi-square with 23 degrees of freedom: above 49.7 with probability 0.001; the seeds are fixed.
    assert sum((seen - 1000) ** 2 / 1000 for seen in orders.values()) < 49.7


def test_no_sample_of_nothing() -> None:
    none = tours("4x4", engine="listed")
    assert (none.count, none.order, none.engine) == (0, "none", "arithmetic")
    assert "side of 1, 2 or 4" in none.reason
    assert none.sample(0) == []
    assert refusal(none.sample, 1) == f"closed 4x4 has no tours to draw from: {none.reason}"
    assert refusal(none.arrays, [0]) == "index 0 is out of range: closed 4x4 has none"
    for number, name in ((-1, "-1"), (1.5, "1.5"), (True, "True"), ("3", "'3'")):
        assert (
            refusal(none.sample, number) == f"the number of tours must be a whole number from 0, not {name}"
        )
        assert f"the seed must be a whole number from 0, not {name}" in refusal(none.sample, 0, number)


# -- bad input -----------------------------------------------------------------------------------------------


def test_indices_that_are_none(found: Tours) -> None:
    last = found.count - 1
    for index in (found.count, -found.count - 1, 10**40):
        message = f"index {index} is out of range: open 4x5 start a1 has 0 to {last}"
        assert refusal(found.arrays, [0, index]) == message
        with pytest.raises(IndexOutOfRange):
            found[index]
    for wrong in (0.0, "1", None, False):
        assert "is not a whole number" in refusal(found.arrays, [wrong])


def test_tours_that_are_none(found: Tours) -> None:
    tour = found[0]
    swapped = Tour(tour.ground, (tour.squares[1], tour.squares[0], *tour.squares[2:]))
    other = ktsolve.find(TourProblem(board="4x5", closed=False, start="e4")).tour
    assert other is not None
    small = ktsolve.find(TourProblem(board="3x4", closed=False)).tour
    assert small is not None
    for wrong, why in (
        (swapped, "not a move of the piece"),
        (other, "step 1 is e4, not a1"),
        (small, "the tour is on 3x4, the problem on 4x5"),
        (Tour(tour.ground, tour.squares[:-1]), "never visited"),
        (Tour(tour.ground, (*tour.squares[:-1], tour.squares[0])), "was visited before"),
    ):
        assert wrong not in found
        message = refusal(found.index, wrong)
        assert message.startswith("the tour is not one of open 4x5 start a1: ")
        assert why in message
        assert refusal(found.ranks, [tour, wrong]).startswith("tour 2 is not one of ")
    assert "tours are rows of 20 cell numbers, not of float64" in refusal(found.ranks, np.zeros((2, 20)))
    assert "step 1: there is no cell -1" in refusal(found.ranks, np.full((1, 20), -1))
    assert None not in found


def test_conditions_that_no_engine_ranks() -> None:
    message = refusal(tours, TourProblem(board="6x6", closed=True, magic=["rows"]))
    assert message == "no engine can rank tours with equal sums of lines (magic)"
    message = refusal(tours, TourProblem(board="6x6", closed=True), engine="sat")
    assert message.startswith("engine sat cannot rank tours: use ")
    with pytest.raises(Refused):
        tours(TourProblem(board="6x6", closed=False, starts=["a1", "b2"], magic=["rows"]))


# -- prepared files ------------------------------------------------------------------------------------------


def test_prepared_files(tmp_path: Path) -> None:
    file = tmp_path / "tables"
    made = tours("5x6", engine="listed", prepared=file)
    assert (made.restored, file.exists()) == (False, True)
    again = tours("5x6", engine="listed", prepared=str(file))
    assert (again.restored, again.order, list(again)) == (True, made.order, list(made))
    before = file.read_bytes()
    assert "prepared for another problem" in refusal(tours, "3x10", engine="listed", prepared=file)
    assert file.read_bytes() == before
    file.write_text("not a table")
    assert "not a prepared file" in refusal(tours, "5x6", engine="listed", prepared=file)
    assert file.read_text() == "not a table"
    none = tours("4x4", engine="listed", prepared=tmp_path / "none")
    assert (none.count, (tmp_path / "none").exists()) == (0, False)


@pytest.mark.parametrize("problem", PROBLEMS[3:5], ids=str)
def test_prepared_files_of_sums(problem: TourProblem, tmp_path: Path) -> None:
    file = tmp_path / "tables"
    made = tours(problem, engine="listed", prepared=file)
    again = tours(problem, engine="listed", prepared=file, order=made.order)
    assert (made.restored, again.restored, list(again)) == (False, True, list(made))
    assert made.order.startswith("ends:1:")
    parts = sorted(tmp_path.iterdir())[1:]
    assert len(parts) > 1
    other = problem.replace(starts=["a1", "d3", "d1"])
    assert "was prepared for" in refusal(tours, other, engine="listed", prepared=file)
    parts[0].rename(tmp_path / "away")
    assert "cannot be read" in refusal(tours, problem, engine="listed", prepared=file)
    (tmp_path / "away").unlink()
    parts[0].write_bytes(parts[1].read_bytes())
    assert "prepared for another problem" in refusal(tours, problem, engine="listed", prepared=file)
    before = parts[0].read_bytes()
    file.unlink()
    message = refusal(tours, problem, engine="listed", prepared=file)
    assert message == f"{parts[0]} is there already: remove it, or give another name than {file}"
    assert parts[0].read_bytes() == before


# -- faults --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "unranked", "ranked"),
    [
        (
            "off by one",
            "gave tour 2 of closed 5x6, and ranks it 3",
            "ranks a tour of closed 5x6 2, and gives another",
        ),
        ("no tour", "gave a wrong tour for closed 5x6: step 3: .* is not a move", ""),
        (
            "other place",
            "gave tour 2 of closed 5x6, and ranks it 0",
            "ranks a tour of closed 5x6 0, and gives another",
        ),
    ],
)
def test_faults_of_an_engine_are_noticed(
    fault: str, unranked: str, ranked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = tours("5x6", engine="listed")
    tour = right[2]
    monkeypatch.setattr(ListedEngine, "fault", fault)
    wrong = tours("5x6", engine="listed")
    with pytest.raises(WrongAnswer, match=unranked):
        wrong[2]
    with pytest.raises(WrongAnswer, match=unranked):
        wrong.arrays([2, 4, 5, 6])
    if ranked:
        with pytest.raises(WrongAnswer, match=ranked):
            wrong.index(tour)


# -- many tours checked at once ------------------------------------------------------------------------------

_TWO_WAYS = ktsolve.Graph("abcde", map("".join, itertools.permutations("abcde", 2)), directed=True)

CHECKED = [
    TourProblem(board="6x6", closed=True),
    TourProblem(board="6x6", closed=True, require=["a1-b3", "c3-d5"], forbid=["d4-e2"]),
    TourProblem(board="6x6", closed=True, symmetry="rot180"),
    TourProblem(board="6x6", closed=True, corners=["tl"]),
    TourProblem(board="6x6", closed=False, start="a1"),
    TourProblem(board="6x6", closed=False, starts=["a6", "a1"], ends=["b3", "c2"]),
    TourProblem(board="6x6", closed=False, at={5: "c3"}),
    TourProblem(board=Board.parse("4x5", wrap="xy"), closed=True, end="b2"),
    TourProblem(board=Board.parse("5x6", without="c3 d3", leaper=(0, 1)), closed=True),
    TourProblem(board=_TWO_WAYS, closed=True, forbid=["a->b"]),
]


@pytest.mark.parametrize("problem", CHECKED, ids=str)
def test_many_tours_are_checked_as_each_is(problem: TourProblem) -> None:
    plain = TourProblem(board=problem.ground, closed=problem.closed)
    some = [list(t.indices) for t in itertools.islice(ktsolve.find_all(plain, "search"), 400)]
    some += [list(t.indices) for t in itertools.islice(ktsolve.find_all(problem, "sat"), 3)]
    chance = random.Random(1)
    n = len(problem.ground)
    for row in chance.choices(some, k=20):
        some.append(row[::-1])
        some.append(row[7 % n :] + row[: 7 % n])
        i, j = chance.sample(range(n), 2)
        some.append(row.copy())
        some[-1][i], some[-1][j] = row[j], row[i]
        some.append(row.copy())
        some[-1][i] = row[j]
    wanted = [problem.check(Tour.from_indices(problem.ground, row, problem.closed)) is None for row in some]
    assert problem.check_rows(np.array(some)).tolist() == wanted
    assert any(wanted)
    assert not all(wanted)
    off = np.array(some[:1] * 2)
    off[0, 0], off[1, 1] = -1, n
    assert problem.check_rows(off).tolist() == [False, False]
    assert problem.check_rows(off[:, :-1]).tolist() == [False, False]
    assert problem.check_rows(off[:0]).tolist() == []
