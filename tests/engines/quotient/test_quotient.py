"""The engine quotient, compared with other engines and with published values."""

from __future__ import annotations

import time
from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from marks import full
from strategies import examples
from symmetric_counting import symmetric_tours

from ktsolve import _native
from ktsolve.base.errors import BadInput, LimitReached, Refused
from ktsolve.base.limits import Settings
from ktsolve.engines.auto import choose
from ktsolve.engines.quotient.engine import QuotientEngine
from ktsolve.engines.quotient.shapes import VoltageGraph, shapes_of
from ktsolve.engines.registry import engine_named
from ktsolve.graphs.board import Board
from ktsolve.graphs.symmetry import named_symmetry, symmetry_group
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.count import count
from ktsolve.tasks.find import find, find_all
from ktsolve.verify.published import published_value

WAZIR = (0, 1)

TWO_WAYS = ("quotient", "frontier")
"""The board folded, and the whole board with moves of an orbit together."""


def sets_of(problem: TourProblem, engine: str) -> set[tuple[int, ...]]:
    """All tours of an engine, normalised; each checked, none twice."""
    tours = list(engine_named(engine).enumerate(problem, Settings()))
    assert all(problem.check(tour) is None for tour in tours)
    normalised = {tour.normalised().indices for tour in tours}
    assert len(normalised) == len(tours)
    return normalised


# -- published values ---------------------------------------


@pytest.mark.parametrize(
    ("size", "closed", "symmetry", "expected"),
    [
        ("6x6", True, "rot180", 78),
        ("6x6", True, "rot90", 10),
        ("8x8", True, "rot180", 2432932),
        ("8x8", True, "rot90", 0),
        ("10x10", True, "rot90", 831804),
        ("5x5", False, "rot180", 32),
    ],
)
def test_published_numbers_of_symmetric_tours(size: str, closed: bool, symmetry: str, expected: int) -> None:
    problem = TourProblem(board=size, closed=closed, symmetry=symmetry)
    counted = engine_named("quotient").count(problem, Settings())
    assert (counted.count, counted.directed) == (expected, 2 * expected)


@pytest.mark.parametrize(
    ("rows", "columns", "closed", "symmetry"),
    [
        full(3, 14, True, "rot180"),
        (3, 14, True, "flip-h"),
        full(5, 10, True, "rot180"),
        full(5, 10, True, "flip-h"),
        (5, 8, True, "rot180"),
        (6, 6, True, "rot180"),
        (6, 6, True, "rot90"),
        full(6, 7, True, "rot180"),
        (6, 7, True, "flip-v"),
        full(6, 8, True, "rot180"),
        full(8, 8, True, "rot90"),
        (5, 5, False, "rot180"),
        (4, 7, False, "rot180"),
        (5, 6, False, "rot180"),
    ],
)
def test_a_plain_sweep_of_the_whole_board_counts_as_many(
    rows: int, columns: int, closed: bool, symmetry: str
) -> None:
    problem = TourProblem(board=f"{rows}x{columns}", closed=closed, symmetry=symmetry)
    counted = {engine: engine_named(engine).count(problem, Settings()).count for engine in TWO_WAYS}
    assert counted == dict.fromkeys(TWO_WAYS, symmetric_tours(rows, columns, closed, symmetry))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "columns", "symmetry", "expected"),
    [(10, 10, "rot90", 831804), (6, 10, "rot180", 394128), (6, 12, "rot180", 25316492)],
)
def test_a_plain_sweep_of_larger_boards(rows: int, columns: int, symmetry: str, expected: int) -> None:
    assert symmetric_tours(rows, columns, True, symmetry) == expected


@pytest.mark.parametrize(
    ("size", "closed", "symmetry", "expected"),
    [
        ("3x18", True, "flip-h", 276),
        full("5x12", True, "rot180", 8858),
        full("6x9", True, "rot180", 25934),
        full("6x9", True, "flip-v", 20582),
        full("6x10", True, "rot180", 394128),
        full("7x8", True, "rot180", 21968),
        ("5x9", False, "rot180", 12984),
        ("6x7", False, "rot180", 5950),
    ],
)
def test_search_counts_the_value_of_the_table(size: str, closed: bool, symmetry: str, expected: int) -> None:
    problem = TourProblem(board=size, closed=closed, symmetry=symmetry)
    for engine in (*TWO_WAYS, "search"):
        assert engine_named(engine).count(problem, Settings()).count == expected


@pytest.mark.full
@pytest.mark.parametrize(
    ("size", "closed", "symmetry", "expected"),
    [
        ("8x8", True, "rot180", 2432932),
        ("8x9", True, "rot180", 17072474),
        ("5x14", True, "rot180", 621954),
        ("5x14", True, "flip-h", 722396),
        ("7x9", False, "rot180", 45628804),
        ("10x10", True, "rot90", 831804),
        ("3x58", True, "flip-h", 2058092298080),
        ("4x51", False, "rot180", 25242472592385778),
    ],
)
def test_a_sweep_of_the_whole_board_confirms_the_table(
    size: str, closed: bool, symmetry: str, expected: int
) -> None:
    problem = TourProblem(board=size, closed=closed, symmetry=symmetry)
    counted = engine_named("frontier").count(problem, Settings())
    assert (counted.count, counted.directed) == (expected, 2 * expected)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "closed", "expected"),
    [
        ("7x10", True, 16330492 + 3346312),
        ("8x10", True, 1625945864),
        ("8x9", False, 1210796482),
        ("7x12", True, 452675596),
    ],
)
def test_a_sweep_of_the_whole_board_confirms_the_large_counts(size: str, closed: bool, expected: int) -> None:
    problem = TourProblem(board=size, closed=closed, symmetry="rot180")
    assert engine_named("frontier").count(problem, Settings()).count == expected


def test_a_sweep_of_the_whole_board_stops_at_limits() -> None:
    problem = TourProblem(board="10x10", closed=True, symmetry="rot180")
    with pytest.raises(LimitReached, match="memory limit of 16 MiB"):
        count(problem, "frontier", Settings(memory=16 << 20))
    with pytest.raises(LimitReached, match="time limit"):
        count(problem, "frontier", Settings(timeout=0.2))
    expected = engine_named("frontier").estimate(problem, Settings())
    assert expected is not None
    assert expected.plan.startswith("50 cells")


@pytest.mark.parametrize(
    ("size", "invariant"),
    [
        ("5x10", 1706 + 2266),
        ("5x12", 8858),
        ("6x7", 564 + 530),
        ("6x8", 5634),
        ("6x9", 25934 + 20582),
        ("6x10", 394128),
        ("7x8", 21968),
        ("7x10", 16330492 + 3346312 + 18480426),
        ("8x9", 17072474),
        ("8x10", 1625945864),
    ],
)
def test_counts_of_the_table_obey_burnside(size: str, invariant: int) -> None:
    """With the published number of all tours they make a whole number of classes."""
    published = published_value(TourProblem(board=size, closed=True))
    assert published is not None
    assert (published.count + invariant) % 4 == 0


def test_what_a_half_turn_keeps_falls_into_orbits_of_the_others() -> None:
    # On 10x10 four turns and reflections are left, of which only the quarter turn keeps any tour.
    assert (8075814890272 - 831804) % 4 == 0
    assert 2432932 % 4 == 0


@pytest.mark.parametrize(
    ("size", "closed", "classes", "order"),
    [
        ("5x6", True, 3, 4),
        full("3x10", True, 6, 4),
        full("5x8", True, 11056, 4),
        ("6x6", True, 1245, 8),
        full("6x8", True, 13873444, 4),
        full("8x8", True, 1658420855433, 8),
        ("5x5", False, 112, 8),
        full("6x6", False, 414870, 8),
    ],
)
def test_published_numbers_of_classes(size: str, closed: bool, classes: int, order: int) -> None:
    found = count(TourProblem(board=size, closed=closed), by="symmetry")
    assert (found.classes, found.order) == (classes, order)


# -- the quotient itself ---------------------------------------


def hamiltonian_cycles_by_voltage(
    vertices: int, links: list[tuple[int, int, int]]
) -> tuple[int, int]:  # by the definition
    """Cycles of even and of odd voltage, by trying all orders of the vertices."""
    between: dict[tuple[int, int], list[int]] = {}
    for x, y, voltage in links:
        between.setdefault((x, y), []).append(voltage)
    found = Counter[int]()
    for order in permutations(range(1, vertices)):
        if order[0] > order[-1]:
            continue
        walk = (0, *order)
        ways = Counter({0: 1})
        for x, y in zip(walk, (*order, 0), strict=True):
            more = Counter[int]()
            for voltage in between.get((min(x, y), max(x, y)), []):
                for total, number in ways.items():
                    more[(total + voltage) % 2] += number
            ways = more
        found += ways
    return found[0], found[1]


@examples(150)
@given(st.data())
def test_native_count_by_voltage_follows_the_definition(data: st.DataObject) -> None:
    vertices = data.draw(st.integers(3, 6))
    pairs = [(x, y) for x in range(vertices) for y in range(x + 1, vertices)]
    chosen = data.draw(
        st.dictionaries(
            st.sampled_from(pairs), st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=vertices
        )
    )
    chosen = {pair: ways for pair, ways in chosen.items() if sum(ways)}
    assume(chosen)
    edges = sorted(chosen)
    report = _native.voltage_count(
        vertices,
        np.array(edges, dtype=np.int32),
        np.zeros(len(edges), dtype=np.uint8),
        np.array([chosen[edge] for edge in edges], dtype=np.uint8),
    )
    links = [
        (*edge, parity) for edge in edges for parity, times in enumerate(chosen[edge]) for _ in range(times)
    ]
    assert (report.even, report.odd) == hamiltonian_cycles_by_voltage(vertices, links)


def test_native_count_refuses_what_is_no_voltage_graph() -> None:
    edges = np.array([[0, 1], [1, 2], [0, 2]], dtype=np.int32)
    flags = np.zeros(3, dtype=np.uint8)
    ones = np.array([[1, 0], [0, 1], [0, 1]], dtype=np.uint8)
    assert _native.voltage_count(3, edges, flags, ones).even == 1
    with pytest.raises(ValueError, match="one number of parallel edges per edge"):
        _native.voltage_count(3, edges, flags, ones[:2])
    with pytest.raises(ValueError, match="stands for at least one"):
        _native.voltage_count(3, edges, flags, np.zeros((3, 2), dtype=np.uint8))


@pytest.mark.parametrize(("rows", "columns"), [(4, 5), (4, 100), (6, 30)])
def test_counts_pass_64_bits(rows: int, columns: int) -> None:
    """Counts that overflow go on with wider numbers, both parities alike: with one even and one odd edge in
    place of each, a cycle of n edges becomes 2**n cycles, half of them odd.
    """
    board = Board(rows, columns, leaper=WAZIR)
    place = np.argsort(np.argsort([c * rows + r for r, c in board.cells]))
    edges = np.array(np.sort(place[board.edges], axis=1), dtype=np.int32)
    flags = np.zeros(len(edges), dtype=np.uint8)
    plain = _native.frontier_count(len(board), edges, flags).count
    doubled = _native.voltage_count(len(board), edges, flags, np.ones((len(edges), 2), dtype=np.uint8))
    assert doubled.even == doubled.odd == plain << (len(board) - 1)
    alone = np.array([[1, 0]] * len(edges), dtype=np.uint8)
    single = _native.voltage_count(len(board), edges, flags, alone)
    assert (single.even, single.odd) == (plain, 0)
    assert (doubled.limbs > 1) == (columns > 5)


@examples(200)
@given(st.data())
def test_what_is_folded_unwinds(data: st.DataObject) -> None:
    """The links represent exactly the edges of the graph."""
    size = data.draw(st.integers(2, 6))
    name = data.draw(st.sampled_from(["rot90", "rot180", "flip-h"]))
    leaper = data.draw(st.sampled_from([(1, 2), (0, 1), (1, 3), (1, 1)]))
    board = Board(size, size, leaper=leaper)
    edges = {(u, v) for u, v in board.edges.tolist()}
    quotient = VoltageGraph.of(named_symmetry(board, name).images, edges)
    unfolded: set[tuple[int, ...]] = set()

    def member(x: int, level: int) -> int:
        return quotient.orbits[x][level % len(quotient.orbits[x])]

    labels = [(x, y, v) for (x, y), voltages in quotient.links.items() for v in voltages]
    labels += [(x, x, v) for x, voltages in quotient.loops.items() for v in voltages]
    for x, y, v in labels:
        orbit = {tuple(sorted((member(x, i), member(y, i + v)))) for i in range(quotient.order)}
        assert not orbit & unfolded
        unfolded |= orbit
    assert unfolded == edges


def test_orbits_of_other_sizes_have_no_quotient() -> None:
    with pytest.raises(ValueError, match="an orbit of 2 vertices under a symmetry of order 4"):
        VoltageGraph.of((1, 2, 3, 0, 5, 4), [])


def test_shapes() -> None:
    """A half turn of an odd board by an even one turns or reverses; elsewhere only one can be."""

    def kinds(size: str, closed: bool, name: str) -> list[str]:
        problem = TourProblem(board=size, closed=closed)
        return [each.kind for each in shapes_of(problem, named_symmetry(problem.board, name).images)]

    assert kinds("3x10", True, "rot180") == ["turned", "reversed"]
    assert kinds("6x6", True, "rot180") == kinds("6x6", True, "rot90") == ["turned"]
    assert kinds("5x6", True, "flip-h") == ["turned"]
    assert kinds("5x6", True, "flip-v") == []  # six cells stay
    assert kinds("5x5", False, "rot180") == kinds("4x5", False, "rot180") == ["halved"]
    assert kinds("6x6", False, "rot180") == kinds("5x5", False, "rot90") == []
    assert kinds("1x5", False, "flip-v") == ["whole"]


# -- compared with other engines -----------------------------------------------


@st.composite
def symmetric_problems(draw: st.DrawFn) -> TourProblem:
    """Small symmetric problems with holes, leapers, wraps, ends and moves."""
    name = draw(st.sampled_from(["rot180", "rot180", "rot90", "flip-h", "flip-v"]))
    rows = draw(st.integers(1, 5))
    columns = rows if name == "rot90" else draw(st.integers(1, 5))
    wraps = ["none", "none", "xy"] if name == "rot90" else ["none", "none", "x", "y", "xy"]
    leaper = draw(st.sampled_from([(1, 2), (1, 2), WAZIR, (1, 1), (1, 3), (0, 2)]))
    whole = Board(rows, columns, leaper=leaper, wrap=draw(st.sampled_from(wraps)))
    symmetry = named_symmetry(whole, name)
    removed = set()
    for cell in draw(st.sets(st.integers(0, len(whole) - 1), max_size=2)):
        while whole.cells[cell] not in removed:
            removed.add(whole.cells[cell])
            cell = symmetry(cell)
    assume(len(removed) < len(whole))
    board = Board(rows, columns, frozenset(removed), leaper, whole.wrap)
    assume(len(board.moves) <= 30)
    options: dict[str, Any] = {"symmetry": name}
    if draw(st.integers(0, 3)) == 0:
        options["start"] = draw(st.sampled_from(board.cells))
    if draw(st.integers(0, 5)) == 0:
        options["end"] = draw(st.sampled_from(board.cells))
    if board.moves:
        options["require"] = draw(st.sets(st.sampled_from(board.moves), max_size=1))
        options["forbid"] = draw(st.sets(st.sampled_from(board.moves), max_size=1))
    try:
        return TourProblem(board=board, closed=draw(st.booleans()), **options)
    except BadInput:
        assume(False)
        raise


@examples(250)
@given(symmetric_problems())
def test_the_same_tours_as_search(problem: TourProblem) -> None:
    expected = sets_of(problem, "search")
    assert sets_of(problem, "quotient") == expected
    directed = engine_named("search").count(problem, Settings()).directed
    for engine in TWO_WAYS:
        counted = engine_named(engine).count(problem, Settings())
        assert (engine, counted.count, counted.directed) == (engine, len(expected), directed)
    tour = engine_named("quotient").construct(problem, Settings())
    assert (tour is None) == (not expected)
    if problem.obstruction() is not None:
        assert not expected


@pytest.mark.parametrize(
    "problem",
    [
        TourProblem(board="6x6", closed=True, symmetry="rot180"),
        TourProblem(board="6x6", closed=True, symmetry="rot90"),
        TourProblem(board="3x10", closed=True, symmetry="rot180"),
        TourProblem(board="3x10", closed=True, symmetry="flip-h"),
        TourProblem(board="5x6", closed=True, symmetry="flip-h"),
        TourProblem(board="5x8", closed=True, symmetry="rot180"),
        TourProblem(board="5x5", closed=False, symmetry="rot180"),
        TourProblem(board="4x5", closed=False, symmetry="rot180"),
        TourProblem(board="3x8", closed=False, symmetry="rot180"),
        TourProblem(board=Board.parse("3x3", without="b2"), closed=True, symmetry="rot90"),
        TourProblem(board=Board.parse("7x7", without="d4 a1 a7 g1 g7"), closed=True, symmetry="rot90"),
        TourProblem(board=Board(6, 6, leaper=WAZIR), closed=True, symmetry="rot90"),
        TourProblem(board=Board(4, 4, wrap="x"), closed=True, symmetry="flip-h"),
        TourProblem(board="6x6", closed=True, symmetry="rot180", require=["c3-d5"], forbid=["a3-b5"]),
        TourProblem(board="5x5", closed=False, symmetry="rot180", start="a1"),
    ],
    ids=str,
)
def test_the_same_tours_as_sat(problem: TourProblem) -> None:
    assert sets_of(problem, "quotient") == sets_of(problem, "sat") == sets_of(problem, "search")


def test_a_given_start_gives_the_other_end() -> None:
    free = count(TourProblem(board="5x5", closed=False, symmetry="rot180"))
    by_start = [
        count(TourProblem(board="5x5", closed=False, symmetry="rot180", start=cell)).count
        for cell in Board.parse("5x5").cells
    ]
    assert sum(by_start) == free.directed == 64
    both = TourProblem(board="5x5", closed=False, symmetry="rot180", start="a1", end="e5")
    assert count(both).count == count(both.replace(end=None)).count == by_start[0]
    assert engine_named("quotient").count(both.replace(end="a5"), Settings()).count == 0


# -- up to symmetry ---------------------------------------


@examples(60)
@given(st.data())
def test_classes_are_those_of_listed_tours(data: st.DataObject) -> None:
    """Burnside's mean against the orbits of the tours themselves, on boards with holes and on tori."""
    rows, columns = data.draw(
        st.sampled_from([(3, 3), (3, 4), (4, 4), (2, 4), (4, 5), (1, 4), (2, 2), (3, 10)])
    )
    wrap = data.draw(st.sampled_from(["none", "none", "x", "y", "xy"]))
    leaper = data.draw(st.sampled_from([(1, 2), WAZIR, (1, 1)]))
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    removed = data.draw(st.sets(st.sampled_from(cells), max_size=2))
    board = Board(rows, columns, frozenset(removed), leaper, wrap)
    assume(len(board.moves) <= (26 if rows * columns < 30 else 60))
    problem = TourProblem(board=board, closed=data.draw(st.booleans()))
    group = [symmetry.images for symmetry in symmetry_group(board)]
    assume(count(problem).count <= 2000)  # a cylinder has millions, more than fit into memory as sets
    listed = {
        frozenset(frozenset((board.index[a], board.index[b])) for a, b in tour.moves)
        for tour in find_all(problem)
    }
    orbits = set()
    for tour in listed:
        images = [frozenset(frozenset(one[i] for i in move) for move in tour) for one in group]
        orbits.add(frozenset(images))
    found = count(problem, by="symmetry")
    assert (found.classes, found.count) == (len(orbits), len(listed))
    for row in found.rows:
        assert row.count <= found.count


def test_classes_of_problems_that_name_moves_use_their_own_symmetries() -> None:
    """The moves into a corner are mirrored at its diagonal; every closed tour makes both."""
    problem = TourProblem(board="6x6", closed=True, require=["a1-b3", "a1-c2"])
    found = count(problem, by="symmetry")
    assert [(*row.key, row.count) for row in found.rows] == [
        ("identity", 9862),
        ("anti-transpose", 0),
    ]
    assert found.classes == 4931
    with pytest.raises(BadInput, match="leave out symmetry"):
        count(TourProblem(board="6x6", closed=True, symmetry="rot90"), by="symmetry")
    with pytest.raises(BadInput, match="leave out steps"):
        count(TourProblem(board="6x6", closed=True, at={3: "c3"}), by="symmetry")


# -- as an engine ---------------------------------------


def test_auto_takes_the_quotient_for_symmetric_tours() -> None:
    problem = TourProblem(board="6x10", closed=True, symmetry="rot180")
    for task in ("construct", "enumerate", "count"):
        assert choose("auto", task, problem).name == "quotient"
    assert choose("auto", "construct", problem.replace(at={3: "c3"})).name != "quotient"
    with pytest.raises(Refused, match=r"takes only problems with symmetry of the tour.*use search, frontier"):
        choose("quotient", "count", TourProblem(board="6x6", closed=True))
    with pytest.raises(Refused, match=r"quotient cannot count with a cell at a given step.*use search"):
        choose("quotient", "count", problem.replace(at={3: "c3"}))


@pytest.mark.parametrize(
    ("size", "closed", "symmetry"),
    [
        ("10x10", True, "rot90"),
        full("30x30", True, "rot90"),
        full("31x40", True, "rot180"),
        full("60x60", True, "rot180"),
        ("25x42", True, "flip-h"),
        full("41x41", False, "rot180"),
    ],
)
def test_large_symmetric_tours_are_found(size: str, closed: bool, symmetry: str) -> None:
    problem = TourProblem(board=size, closed=closed, symmetry=symmetry)
    # With a seed no engines race: which one answers does not depend on the load of the machine.
    answer = find(problem, settings=Settings(timeout=60, seed=1))
    assert answer.engine in ("quotient", "search", "sat")
    assert answer.tour is not None
    assert problem.check(answer.tour) is None


def test_seeds_and_numbers() -> None:
    problem = TourProblem(board="10x10", closed=True, symmetry="rot90")
    tours = [find(problem, settings=Settings(seed=seed)).tour for seed in (1, 2, 3, 1)]
    assert tours[0] == tours[3]
    assert len(set(tours)) == 3
    assert len({tour.normalised() for tour in find_all(problem, number=50)}) == 50


def test_limits() -> None:
    listing = TourProblem(board="10x10", closed=True, symmetry="rot180")
    started = time.monotonic()
    with pytest.raises(LimitReached, match=r"limit of 0\.02 s"):
        count(listing, "quotient", Settings(timeout=0.02))
    with pytest.raises(LimitReached, match=r"limit of 0\.2 s, (\d+ of 50 cells done|ordering)"):
        count(listing, "quotient", Settings(timeout=0.2))
    with pytest.raises(LimitReached, match=r"limit of 0\.2 s, [\d,]+ tours found, [\d,]+ cycles of the quot"):
        for _ in find_all(listing, "quotient", Settings(timeout=0.2)):
            pass
    assert time.monotonic() - started < 30
    with pytest.raises(LimitReached, match="memory limit of 16 MiB"):
        count(listing, "quotient", Settings(memory=16 << 20))
    with pytest.raises(LimitReached, match="needs a frontier of"):
        count(TourProblem(board="20x20", closed=True, symmetry="rot180"), "quotient")


def test_estimates() -> None:
    expected = QuotientEngine().estimate(TourProblem(board="8x8", closed=True, symmetry="rot180"), Settings())
    assert expected is not None
    assert expected.plan.startswith("32 cells")
    none = TourProblem(board="6x6", closed=False, symmetry="rot180")
    assert QuotientEngine().estimate(none, Settings()) is None
