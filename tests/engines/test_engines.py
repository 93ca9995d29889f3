"""The same questions to every engine: they agree with each other and with the published values."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from known_tours import BEVERLEY
from marks import full, quick
from strategies import examples

from ktsolve.base.errors import BadInput, LimitReached, Refused, WrongAnswer
from ktsolve.base.limits import Settings
from ktsolve.engines.auto import choose, model_solver
from ktsolve.engines.interface import ALL_FEATURES, TASKS, Engine
from ktsolve.engines.registry import ENGINES, engine_named, engines_for
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour
from ktsolve.model.model import Model
from ktsolve.problem.problem import FEATURES, TourProblem
from ktsolve.tasks.count import count
from ktsolve.tasks.find import find, find_all
from ktsolve.tasks.solve import solve
from ktsolve.verify.published import endpoint_table, published

LISTING = ("search", "sat", "cpsat")
SMALL = [
    (entry.problem, entry.count)
    for entry in published()
    if entry.count <= 900 and len(entry.problem.board) <= 36 and not entry.problem.symmetry
]


def listed(engine: str, problem: TourProblem, **how: Any) -> set[tuple[int, ...]]:
    """All tours of an engine, normalised; each judged, none twice."""
    tours = list(engine_named(engine).enumerate(problem, Settings(**how)))
    for tour in tours:
        assert problem.check(tour) is None
    normalised = {tour.normalised().indices for tour in tours}
    assert len(normalised) == len(tours)
    return normalised


@pytest.mark.parametrize(
    ("problem", "expected"), quick(SMALL, lambda case: case[1] <= 500), ids=lambda value: str(value)
)
def test_every_engine_finds_the_published_number(problem: TourProblem, expected: int) -> None:
    sets = {
        name: listed(name, problem)
        for name in LISTING
        if engine_named(name).unsupported_feature("enumerate", problem) is None
    }
    assert {name: len(tours) for name, tours in sets.items()} == dict.fromkeys(sets, expected)
    assert len({frozenset(tours) for tours in sets.values()}) == 1
    for name in ("search", "frontier"):
        counted = engine_named(name).count(problem, Settings())
        assert (counted.count, counted.directed) == (expected, expected * problem.directions)


@pytest.mark.parametrize(
    ("size", "closed"),
    [
        full("6x8", True),
        ("5x10", True),
        ("3x16", True),
        ("6x6", False),
        full("6x7", False),
        ("4x12", False),
        ("5x8", False),
    ],
)
def test_the_frontier_reaches_published_values(size: str, closed: bool) -> None:
    problem = TourProblem(board=size, closed=closed)
    expected = next(entry.count for entry in published() if entry.problem == problem)
    assert count(problem, "frontier").count == expected


# -- random problems: every engine against every other ---------------------------------------


@st.composite
def random_problems(draw: st.DrawFn) -> TourProblem:
    """Small problems with holes, leapers, wraps, ends, moves, steps, symmetry."""
    rows, columns = draw(st.sampled_from([(3, 3), (3, 4), (2, 5), (4, 4), (3, 5), (4, 5), (1, 4), (2, 2)]))
    leaper = draw(st.sampled_from([(1, 2), (1, 2), (0, 1), (1, 1), (1, 3), (0, 2)]))
    wrap = draw(st.sampled_from(["none", "none", "x", "y", "xy"]))
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    removed = draw(st.sets(st.sampled_from(cells), max_size=min(4, len(cells) - 1)))
    board = Board(rows, columns, frozenset(removed), leaper, wrap)
    assume(len(board.moves) <= 26)
    options: dict[str, Any] = {}
    some_cell = st.sampled_from(board.cells)
    if draw(st.booleans()):
        options["start"] = draw(some_cell)
    if draw(st.integers(0, 3)) == 0:
        options["end"] = draw(some_cell)
    if board.moves:
        options["require"] = draw(st.sets(st.sampled_from(board.moves), max_size=2))
        options["forbid"] = draw(st.sets(st.sampled_from(board.moves), max_size=2))
    if draw(st.integers(0, 3)) == 0:
        options["at"] = draw(st.dictionaries(st.integers(1, len(board)), some_cell, min_size=1, max_size=2))
    if draw(st.integers(0, 4)) == 0:
        options["symmetry"] = draw(st.sampled_from(["rot180", "flip-h", "flip-v"]))
    try:
        return TourProblem(board=board, closed=draw(st.booleans()), **options)
    except BadInput:
        assume(False)
        raise


@examples(150)
@given(random_problems())
def test_engines_agree_on_random_problems(problem: TourProblem) -> None:
    assume(engine_named("search").count(problem, Settings()).count <= 200)
    answers = {name: listed(name, problem) for name in LISTING}
    assert answers["search"] == answers["sat"] == answers["cpsat"]
    expected = len(answers["search"])
    directed = sum(
        len(list(problem.labelings(Tour.from_indices(problem.board, indices, problem.closed))))
        for indices in answers["search"]
    )
    for name in ENGINES:
        if engine_named(name).unsupported_feature("count", problem) is None:
            counted = engine_named(name).count(problem, Settings())
            assert (name, counted.count, counted.directed) == (name, expected, directed)
    if problem.obstruction() is not None:
        assert expected == 0
    for name in LISTING:
        tour = engine_named(name).construct(problem, Settings())
        assert (tour is None) == (expected == 0)
        assert tour is None or problem.check(tour) is None


@pytest.mark.full
def test_magic_tours() -> None:
    """Equal sums: SAT adds in binary, CP-SAT linearly."""
    problem = TourProblem(board=Board.parse("4x4", wrap="x"), closed=False, magic=["columns"])
    assert listed("sat", problem) == listed("cpsat", problem)
    assert len(listed("sat", problem)) == 24


def test_beverley_is_completed_from_a_third_of_its_numbers() -> None:
    grid = [[int(word) for word in line.split()] for line in BEVERLEY.strip().splitlines()]
    steps = {step: (r, c) for r, row in enumerate(grid) for c, step in enumerate(row) if step % 3 == 1}
    problem = TourProblem(board="8x8", closed=False, at=steps, magic=["rows", "columns"])
    answer = find(problem, "cpsat", Settings(timeout=60))
    assert answer.tour is not None
    assert [[answer.tour.step_of[r, c] for c in range(8)] for r in range(8)] == grid


# -- counting ---------------------------------------


def grid_cycles(length: int) -> int:
    """Hamiltonian cycles of the 4 x n grid (OEIS A006864), by its recurrence."""
    values = [0, 0, 1, 2, 6]
    while len(values) <= length:
        values.append(2 * values[-1] + 2 * values[-2] - 2 * values[-3] + values[-4])
    return values[length]


@pytest.mark.parametrize("length", [2, 3, 10, 48, 49, 50, 51, 100, 300])
def test_counts_of_any_size_are_exact(length: int) -> None:
    """64 bits end between 48 and 51 columns, 256 between 100 and 300."""
    board = Board(4, length, leaper=(0, 1))
    counted = engine_named("frontier").count(TourProblem(board=board, closed=True), Settings())
    assert counted.count == grid_cycles(length)
    assert (counted.details["count_bits"] > 64) == (grid_cycles(length) >= 2**64)


def test_strips_obey_a_recurrence_beyond_64_bits() -> None:
    """Counts of 3xn, n even, obey a recurrence of order 21; found on short ones, it predicts long ones."""
    prime = 2**61 - 1
    engine = engine_named("frontier")
    values = [
        engine.count(TourProblem(board=Board(3, n), closed=True), Settings()).count for n in range(4, 130, 2)
    ]
    assert values[3:7] == [16, 176, 1536, 15424]
    assert values[-1] > 2**128
    coefficients = berlekamp_massey([v % prime for v in values[:52]], prime)
    assert len(coefficients) == 21
    for n in range(52, len(values)):
        predicted = sum(c * values[n - 1 - i] for i, c in enumerate(coefficients)) % prime
        assert predicted == values[n] % prime


def berlekamp_massey(sequence: list[int], prime: int) -> list[int]:
    """Shortest linear recurrence of a sequence modulo a prime: s[n] = sum of c[i] * s[n - 1 - i]."""
    connection, before = [1], [1]
    length, since, old_gap = 0, 1, 1
    for n in range(len(sequence)):
        gap = sum(c * sequence[n - i] for i, c in enumerate(connection[: length + 1])) % prime
        if gap == 0:
            since += 1
            continue
        scale = gap * pow(old_gap, -1, prime) % prime
        saved = list(connection)
        connection += [0] * (len(before) + since - len(connection))
        for i, c in enumerate(before):
            connection[i + since] = (connection[i + since] - scale * c) % prime
        if 2 * length <= n:
            length, before, old_gap, since = n + 1 - length, saved, gap, 1
        else:
            since += 1
    connection += [0] * (length + 1 - len(connection))
    return [-c % prime for c in connection[1 : length + 1]]


def test_classes_of_ends_are_those_published() -> None:
    answer = count(TourProblem(board="6x6", closed=False), by="ends")
    table = {frozenset(row.cells): row for row in endpoint_table("6x6")}
    assert len(answer.rows) == len(table) == 45
    group_images = answer.rows
    for each in group_images:
        row = table[frozenset(each.key)]  # both list the smallest pair of each class
        assert (each.multiplicity, each.count) == (row.multiplicity, row.count)
    assert answer.count == 3318960
    assert answer.directed == 2 * 3318960


@pytest.mark.parametrize("size", ["3x4", "5x5", "4x5", "5x6"])
def test_classes_add_up(size: str) -> None:
    problem = TourProblem(board=size, closed=False)
    total = count(problem).count
    for by in ("start", "ends"):
        answer = count(problem, "search", by=by)
        assert (answer.count, answer.directed) == (total, 2 * total)


def test_classes_of_a_constrained_problem_use_its_own_symmetries() -> None:
    problem = TourProblem(board="4x5", closed=False, forbid=["a1-b3"])
    assert len(problem.automorphisms) == 1
    total = count(problem, "search").count
    assert count(problem, by="start").count == count(problem, by="ends").count == total


# -- who can what ---------------------------------------


def test_capabilities_name_known_tasks_and_features() -> None:
    for name in ENGINES:
        engine = engine_named(name)
        assert engine.name == name
        assert set(engine.capabilities) <= set(TASKS)
        for features in engine.capabilities.values():
            assert features <= ALL_FEATURES == set(FEATURES)


def test_refusals_name_the_constraint_and_who_can() -> None:
    symmetric = TourProblem(board="6x6", closed=True, symmetry="rot180")
    with pytest.raises(
        Refused, match=r"engine join cannot count with symmetry.*use search, frontier, quotient"
    ):
        choose("join", "count", symmetric)
    with pytest.raises(Refused, match=r"engine join cannot construct tours: use search, quotient, sat"):
        choose("join", "construct", symmetric)
    magic = TourProblem(board="4x4", closed=False, magic=["rows"])
    with pytest.raises(Refused, match=r"engine frontier cannot enumerate with equal sums.*use search, sat"):
        choose("frontier", "enumerate", magic)
    with pytest.raises(BadInput, match="engine 'minizinc' is unknown: use auto, search"):
        choose("minizinc", "count", magic)
    assert engines_for("count", symmetric) == ["search", "frontier", "quotient", "sat", "cpsat"]
    plain = TourProblem(board="6x6", closed=True)
    with pytest.raises(Refused, match=r"quotient takes only problems with symmetry.*use search, frontier"):
        choose("quotient", "count", plain)


def test_auto_counts_literals_by_sat_and_weighs_them_by_cpsat() -> None:
    model = Model()
    a, b, c = model.booleans("abc")
    model.clause(a, b)
    for objective, engine in (
        (a + b, "sat"),
        (2 * a - 2 * b + 1, "sat"),
        (a + 2 * b, "sat"),
        (model.max([a, b, c]) - c, "cpsat"),
    ):
        model.minimise(objective)
        assert model_solver("auto", model).name == engine, objective
    weighted = model.copy()
    weighted.add(3 * a + 2 * b + c <= 5)
    weighted.minimise(a + 2 * b)
    assert model_solver("auto", weighted).name == "cpsat"
    model.minimise(a + b)
    model.then_minimise(b + c)
    assert model_solver("auto", model).name == "cpsat"
    answer = solve(model)
    assert [answer[a], answer[b], answer[c]] == [True, False, False]


def test_auto_gives_small_integers_to_sat_and_sums_of_them_to_cpsat() -> None:
    def chosen(state: Callable[[Model, Any], object]) -> str:
        model = Model()
        state(model, model.integers(6, 0, 9))
        return model_solver("auto", model).name

    assert chosen(lambda model, x: model.all_different(x)) == "sat"
    assert chosen(lambda model, x: model.add(x[1:] == abs(x[:-1] - 3))) == "sat"
    assert chosen(lambda model, x: model.minimise(model.max(x))) == "sat"
    assert chosen(lambda model, x: model.add(x.sum() == 20)) == "cpsat"
    assert chosen(lambda model, x: model.minimise(x[0] + x[1])) == "cpsat"
    assert chosen(lambda model, x: model.add(x[0] * x[1] == 6)) == "cpsat"
    assert chosen(lambda model, x: model.add((x[0] + 3 <= x[1]) | (x[1] + 3 <= x[0]))) == "cpsat"
    assert chosen(lambda model, x: model.no_overlap(x[:2], [3, 3])) == "cpsat"
    assert chosen(lambda model, x: model.when(x[0] == 1, x.sum() == 20)) == "cpsat"
    assert chosen(lambda model, _: model.exactly(30, model.booleans(60))) == "cpsat"
    assert chosen(lambda model, _: model.exactly(1, model.booleans(60))) == "sat"
    edges = [(a, b) for a in range(8) for b in range(a)]
    assert chosen(lambda model, _: _packing(model, edges)) == "cpsat"


def _packing(model: Model, edges: list[tuple[int, int]]) -> None:
    """A largest set of vertices without an edge between them."""
    chosen = model.booleans(8)
    for a, b in edges:
        model.clause(~chosen[a], ~chosen[b])
    model.maximise(chosen.sum())


def test_auto_always_finds_somebody() -> None:
    plain: tuple[dict[str, Any], ...] = ({}, {"symmetry": "rot180"})
    others: tuple[dict[str, Any], ...] = ({"at": {3: "c2"}}, {"magic": ["rows"]})
    for task in TASKS:
        for closed in (True, False):
            for options in plain if task == "rank" else plain + others:
                problem = TourProblem(board="4x4", closed=closed, **options)
                assert choose("auto", task, problem).unsupported_feature(task, problem) is None


ONE_ROW = """
import sys, types
from ktsolve.engines import interface, registry

class Dummy(interface.Engine):
    name = "dummy"
    summary = "takes everything"
    capabilities = dict.fromkeys(interface.TASKS, interface.ALL_FEATURES)

sys.modules["dummy_engine"] = module = types.ModuleType("dummy_engine")
module.Dummy = Dummy
registry.ENGINES["dummy"] = "dummy_engine:Dummy"

from ktsolve.cli.app import run
from ktsolve.verify.report import letters

print(list(letters()))
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.full
def test_one_row_in_the_registry_is_all_that_a_new_engine_needs() -> None:
    def answered(*arguments: str, status: int = 0) -> tuple[str, str]:
        ended = subprocess.run(
            [sys.executable, "-c", ONE_ROW, *arguments], capture_output=True, text=True, check=False
        )
        assert ended.returncode == status, ended
        return ended.stdout, ended.stderr

    engines_and_help, _ = answered("count", "--help")
    assert "'divide', 'dummy']" in engines_and_help
    assert re.search(r"auto,\s+search,[^.]*divide\s+or\s+dummy", engines_and_help)
    _, refusal = answered("count", "4x4", "--magic", "rows", "--engine", "join", status=2)
    assert refusal.endswith("use search, sat, cpsat, dummy\n")
    assert "divide, dummy" in answered("count", "4x4", "--engine", "nobody", status=2)[1]


# -- wrong answers, seeds, limits ---------------------------------------


class Liar(Engine):
    """Gives the cells in order, whatever is asked."""

    name = "liar"
    summary = "lies"
    capabilities = dict.fromkeys(TASKS, ALL_FEATURES)

    def construct(self, problem: TourProblem, settings: Settings) -> Tour:
        return Tour(problem.board, problem.board.cells, problem.closed)

    def enumerate(self, problem: TourProblem, settings: Settings) -> Any:
        return iter([self.construct(problem, settings)])


def test_no_wrong_tour_passes_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGINES, "liar", "test_engines:Liar")
    monkeypatch.setattr("ktsolve.engines.auto.AUTO", ("liar",))
    problem = TourProblem(board="5x6", closed=True)
    with pytest.raises(WrongAnswer, match="engine liar gave a wrong tour for closed 5x6: step 2: a5 to b5"):
        find(problem)
    with pytest.raises(WrongAnswer, match="liar"):
        list(find_all(problem))
    with pytest.raises(WrongAnswer, match="liar"):
        Liar().count(problem, Settings())


@pytest.mark.parametrize("engine", ["search", "sat"])
def test_seeds_vary_the_tour_and_repeat_it(engine: str) -> None:
    problem = TourProblem(board="8x8", closed=True)
    found = {}
    for seed in (1, 2, 3):
        first, again = (find(problem, engine, Settings(seed=seed)).tour for _ in range(2))
        assert first == again
        assert first is not None
        found[seed] = first.normalised()
    assert len(set(found.values())) == 3


def test_number_of_tours() -> None:
    problem = TourProblem(board="6x6", closed=True)
    for engine in LISTING:
        tours = find_all(problem, engine, number=5)
        assert len({tour.normalised() for tour in tours}) == 5
    with pytest.raises(BadInput, match="at least 1"):
        find_all(problem, number=0)


LISTED = """
import sys
from ktsolve import TourProblem, find_all
tours = find_all(TourProblem(board="5x5", closed=False), sys.argv[1])
print(len(next(iter(tours))))
"""


@pytest.mark.full
@pytest.mark.parametrize("engine", ["sat", "cpsat"])
def test_python_ends_with_a_list_that_was_not_read_to_its_end(engine: str) -> None:
    said = subprocess.run(
        [sys.executable, "-c", LISTED, engine], capture_output=True, text=True, check=False, timeout=60
    )
    assert (said.returncode, said.stdout, said.stderr) == (0, "25\n", "")


@pytest.mark.parametrize("engine", ["sat", full("cpsat"), "search", full("frontier")])
def test_time_limits_stop(engine: str) -> None:
    # Nobody can list all of these, and a SAT solver finds a magic tour only by long trials.
    magic = ["rows", "columns"] if engine == "sat" else []
    problem = TourProblem(board="8x8", closed=True, magic=magic)
    asked = engine_named(engine)
    import time

    started = time.monotonic()
    ask = asked.construct if engine == "sat" else asked.count
    with pytest.raises(LimitReached, match=r"time limit of 0\.2 s"):
        ask(problem, Settings(timeout=0.2))
    assert time.monotonic() - started < 15


@pytest.mark.full
def test_memory_limits_stop() -> None:
    problem = TourProblem(board="8x8", closed=True)
    with pytest.raises(LimitReached, match=r"memory limit of 32 MiB, \d+ of 64 cells done, [\d,]+ states"):
        engine_named("frontier").count(problem, Settings(memory=32 << 20))
    with pytest.raises(LimitReached, match="memory limit of 64 MiB"):
        engine_named("sat").construct(TourProblem(board="160x160", closed=True), Settings(memory=64 << 20))


def test_hopeless_counts_are_refused_with_an_estimate() -> None:
    with pytest.raises(LimitReached, match=r"needs a frontier of 4\d cells, about .* states and .* GiB"):
        count(TourProblem(board="20x20", closed=True))


def test_sat_keeps_what_it_found_when_time_is_up() -> None:
    problem = TourProblem(board="8x8", closed=True)
    found: list[Tour] = []
    for seconds in (0.5, 4, 32):  # the longer ones only where the machine is slow or busy
        found.clear()
        with pytest.raises(LimitReached) as stop:
            found.extend(engine_named("sat").enumerate(problem, Settings(timeout=seconds)))
        if len(found) > 1:
            break
    assert str(stop.value).startswith(f"stopped at the time limit of {seconds} s, {len(found):,} tours found")
    assert all(tour.valid for tour in found)


@pytest.mark.parametrize(
    "bad", [{"timeout": 0}, {"timeout": -1}, {"memory": 10}, {"threads": 0}, {"seed": -1}, {"seed": 2**31}]
)
def test_settings_are_checked(bad: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        Settings(**bad)


def test_unknown_sat_solver() -> None:
    with pytest.raises(BadInput, match="SAT solver 'chaff' is unknown"):
        find(TourProblem(board="6x6", closed=True), "sat", Settings(solver="chaff"))


@pytest.mark.parametrize("solver", ["cadical195", full("glucose4"), full("minisat22"), full("lingeling")])
def test_other_sat_solvers(solver: str) -> None:
    assert len(listed("sat", TourProblem(board="5x6", closed=True), solver=solver)) == 8


@pytest.mark.parametrize(("size", "limit"), [("30x30", 20), ("100x100", 60)])
def test_large_boards_by_sat(size: str, limit: float) -> None:
    tour = find(TourProblem(board=size, closed=True), "sat", Settings(timeout=limit)).tour
    assert tour is not None
    assert tour.valid


@pytest.mark.parametrize("size", ["1x1", "1x2", "2x2", "1x7"])
@pytest.mark.parametrize("closed", [True, False])
def test_tiny_boards(size: str, closed: bool) -> None:
    problem = TourProblem(board=size, closed=closed)
    expected = int(size == "1x1" and not closed)
    for name in engines_for("count", problem):
        assert engine_named(name).count(problem, Settings()).count == expected
    for name in (*LISTING, "walk"):
        assert (engine_named(name).construct(problem, Settings()) is not None) == bool(expected)
