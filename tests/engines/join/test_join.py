"""The two-sided join: against the frontier sweep, published values, and itself with other separators."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import networkx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from marks import full, quick
from strategies import examples, small_problems

from ktsolve import Board, Graph, TourProblem
from ktsolve.base.errors import BadInput, LimitReached, Refused
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.auto import choose
from ktsolve.engines.frontier.order import frontier_widths
from ktsolve.engines.join import summing
from ktsolve.engines.join.calls import Work, run_pass
from ktsolve.engines.join.engine import JoinEngine
from ktsolve.engines.join.passes import WHOLE, blocks_of, with_blocks
from ktsolve.engines.join.plan import half_cost
from ktsolve.engines.join.planning import best_plan, plans_for
from ktsolve.engines.join.run import count_along
from ktsolve.engines.join.separators import WIDEST_SEPARATOR, narrow_lines
from ktsolve.engines.registry import engine_named
from ktsolve.graphs.edge_arrays import component_labels
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.verify.published import endpoint_table, published

TWO_THREADS = Settings(timeout=3600, threads=2)


def join(problem: TourProblem) -> int:
    return engine_named("join").count(problem, TWO_THREADS).count


def frontier(problem: TourProblem) -> int:
    return engine_named("frontier").count(problem, TWO_THREADS).count


@examples(250)
@given(small_problems())
def test_join_and_frontier_agree(problem: TourProblem) -> None:
    assert join(problem) == frontier(problem)


RECTANGLES = [(r, c) for r in range(3, 7) for c in range(r, 9)]


@pytest.mark.parametrize(("rows", "columns"), quick(RECTANGLES, lambda size: size != (6, 8)))
def test_all_rectangles_closed(rows: int, columns: int) -> None:
    problem = TourProblem(board=f"{rows}x{columns}", closed=True)
    assert join(problem) == frontier(problem)


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        *quick(RECTANGLES[:-1], lambda size: size[0] * size[1] < 40),
        pytest.param(*RECTANGLES[-1], marks=pytest.mark.slow),
    ],
)
def test_all_rectangles_open(rows: int, columns: int) -> None:
    problem = TourProblem(board=f"{rows}x{columns}", closed=False)
    assert join(problem) == frontier(problem)


@pytest.mark.parametrize(
    ("size", "closed"),
    [
        ("7x8", True),
        full("8x8", True),
        ("6x10", True),
        ("5x12", True),
        full("7x7", False),
        pytest.param("7x8", False, marks=pytest.mark.slow),
        pytest.param("7x10", True, marks=pytest.mark.slow),
        pytest.param("8x9", True, marks=pytest.mark.slow),
        pytest.param("8x10", True, marks=pytest.mark.slow),
        pytest.param("8x8", False, marks=pytest.mark.slow),
    ],
)
def test_published_values(size: str, closed: bool) -> None:
    problem = TourProblem(board=size, closed=closed)
    known = next(entry.count for entry in published() if entry.problem == problem)
    assert join(problem) == known


@pytest.mark.full
def test_endpoint_classes_of_6x6() -> None:
    for row in endpoint_table("6x6"):
        start, end = row.cells
        assert join(TourProblem(board="6x6", closed=False, start=start, end=end)) == row.count


@pytest.mark.full
def test_some_endpoint_classes_of_7x7() -> None:
    for row in endpoint_table("7x7")[::10]:
        start, end = row.cells
        assert join(TourProblem(board="7x7", closed=False, start=start, end=end)) == row.count


@pytest.mark.parametrize(
    "problem",
    [
        full(TourProblem(board="6x7", closed=True)),
        TourProblem(board="5x6", closed=False),
        full(TourProblem(board="6x6", closed=False, start="b2")),
        TourProblem(board="6x6", closed=False, start="b2", end="e3"),
        full(TourProblem(board=Board.parse("6x6", wrap="x"), closed=True, forbid=["a1-b3", "c3-d5"])),
    ],
    ids=str,
)
def test_every_plan_gives_the_same(problem: TourProblem) -> None:
    graph = CycleGraph.of(problem)
    plans = plans_for(problem, graph) + plans_for(problem, graph, outside_in=True)
    assert len({(plan.top, plan.bottom) for plan in plans}) > len(plans) / 2
    expected = frontier(problem)
    for plan in plans:
        if plan.cost.bits < 24:
            assert count_along(problem, plan, TWO_THREADS, Clock(60)).count == expected, plan


@given(small_problems(), st.randoms(use_true_random=False))
def test_the_order_of_a_line_is_the_narrowest(problem: TourProblem, randoms: random.Random) -> None:
    graph = CycleGraph.of(problem)
    vertices = list(range(graph.vertices))
    randoms.shuffle(vertices)
    first, line = vertices[:2], [vertices[2:4], vertices[4:5], vertices[5:7], vertices[7:8]]
    line = [cells for cells in line if cells]

    def weight(order: Iterable[Sequence[int]]) -> int:
        widths = frontier_widths(graph, [*first, *(v for cells in order for v in cells)])
        return sum(3**width >> width for width in widths[len(first) :].tolist())

    before, found = narrow_lines(graph, [[first], line])
    assert before == first
    assert weight([found]) == min(map(weight, itertools.permutations(line)))
    for cells in line:
        assert found[found.index(cells[0]) :][: len(cells)] == cells


def test_every_use_of_symmetry_gives_the_same() -> None:
    """A plan stays right when symmetries are left unused, one after the other."""
    for problem in (TourProblem(board="6x6", closed=True), TourProblem(board="6x6", closed=False)):
        plan = best_plan(problem, CycleGraph.of(problem))
        assert plan.flip
        assert plan.mirror_joins
        expected = frontier(problem)
        for poorer in (
            replace(plan, mirror_joins=False),
            replace(plan, top_mirror=(), bottom_mirror=(), mirror_joins=False),
            replace(plan, flip=()),
            replace(plan, flip=(), mirror_joins=False),
            replace(plan, flip=(), top_mirror=(), bottom_mirror=(), mirror_joins=False),
            replace(plan, flip=(), top_mirror=(), mirror_joins=False),
        ):
            assert count_along(problem, poorer, TWO_THREADS, Clock(60)).count == expected, poorer


@st.composite
def mirrored_problems(draw: st.DrawFn) -> TourProblem:
    """Open tours with free ends on boards that a turn by half keeps, with moves that it keeps, too."""
    rows, columns = draw(st.integers(3, 6)), draw(st.integers(3, 6))
    turned = [(r, c, rows - 1 - r, columns - 1 - c) for r in range(rows) for c in range(columns)]
    removed = draw(st.lists(st.sampled_from(turned), max_size=2))
    leaper = draw(st.sampled_from([(1, 2), (1, 2), (0, 1), (1, 1), (1, 3)]))
    holes = frozenset(cell for a, b, c, d in removed for cell in ((a, b), (c, d)))
    try:
        board = Board(rows, columns, removed=holes, leaper=leaper)
        words: dict[str, Any] = {}
        fixed: bool = draw(st.booleans())
        if fixed and board.moves:
            (a, b), (c, d) = draw(st.sampled_from(list(board.moves)))
            image = ((rows - 1 - a, columns - 1 - b), (rows - 1 - c, columns - 1 - d))
            words[draw(st.sampled_from(["require", "forbid"]))] = frozenset([((a, b), (c, d)), image])
        problem = TourProblem(board=board, closed=False, **words)
    except BadInput:
        assume(False)
        raise
    assume(len(board.moves) <= 90)
    return problem


@examples(150)
@given(mirrored_problems(), st.booleans())
def test_where_ends_are_turned_each_tour_counts_once(problem: TourProblem, divided: bool) -> None:
    """Tours with more ends in the bottom are counted as their images; in blocks, and not turned, too."""
    graph = CycleGraph.of(problem)
    assume(not graph.impossible and not component_labels(graph.vertices, graph.edges).any())
    plans = [plan for plan in plans_for(problem, graph) if plan.turned >= 0]
    assume(bool(plans))
    expected = frontier(problem)
    for plan in plans:
        assert count_along(problem, plan, TWO_THREADS, Clock(60)).count == expected, plan
    found = with_blocks(plans[0], 2) if divided else replace(plans[0], turned=-1)
    assume(found is not None)
    assert found is not None
    assert count_along(problem, found, TWO_THREADS, Clock(60)).count == expected, found


def test_of_the_ends_that_are_turned_one_is_in_the_bottom() -> None:
    problem = TourProblem(board="5x7", closed=False)
    plan = best_plan(problem, CycleGraph.of(problem))
    assert plan.turned == 35
    assert "ends turned" in str(plan)
    divided = with_blocks(plan, 1)
    assert divided is not None
    assert divided.blocks == ((35,),)
    assert list(blocks_of(divided, upper=True)) == [(1,), (2,)]
    assert list(blocks_of(divided, upper=False)) == [(0,), (1,)]
    # A given end is not where its image is.
    given = problem.replace(start="a1")
    assert best_plan(given, CycleGraph.of(given)).turned < 0


@pytest.mark.parametrize("parts", [2, 7])
def test_parts_add_up(parts: int) -> None:
    engine = engine_named("join")
    assert isinstance(engine, JoinEngine)
    for problem in (TourProblem(board="6x7", closed=True), TourProblem(board="5x6", closed=False)):
        each = [engine.count_part(problem, TWO_THREADS, (i, parts)).count for i in range(parts)]
        assert sum(each) == frontier(problem)
        assert max(each) < sum(each)


def test_one_thread_and_many_agree() -> None:
    problem = TourProblem(board="6x8", closed=True)
    for threads in (1, 2, 5):
        assert engine_named("join").count(problem, Settings(threads=threads)).count == 55488142


# The sums of the states of a pattern of 6x26 pass 63 bits: they are joined in words. Counts of single states
# of 5x60 do: it is counted modulo primes.
@pytest.mark.full
@pytest.mark.parametrize(("board", "once"), [("6x26", True), ("5x60", False)])
def test_totals_beyond_128_bits_are_exact(board: str, once: bool) -> None:
    problem = TourProblem(board=board, closed=True)
    counted = engine_named("join").count(problem, Settings(timeout=120))
    assert counted.count == frontier(problem)
    assert counted.count > 2**128
    assert (counted.details["runs"] == 1) == once


@pytest.mark.full
def test_limits() -> None:
    engine = engine_named("join")
    with pytest.raises(LimitReached, match=r"time limit of 0.05 s, \d+ of \d+ cells of the halves done"):
        engine.count(TourProblem(board="8x9", closed=True), Settings(timeout=0.05))
    with pytest.raises(LimitReached, match=r"needs about .*, and .* in passes; the memory limit is 12 MiB"):
        engine.count(TourProblem(board="8x8", closed=True), Settings(memory=12 << 20))


def test_hopeless_boards_are_refused_at_once() -> None:
    with pytest.raises(LimitReached, match=r"counting closed 12x12 by halves .* needs about .* in passes"):
        engine_named("join").count(TourProblem(board="12x12", closed=True), Settings(memory=8 << 30))


def test_what_auto_takes() -> None:
    for size, name in (("4x5", "search"), ("6x7", "join"), ("8x8", "join"), ("3x100", "strip")):
        assert choose("auto", "count", TourProblem(board=size, closed=True)).name == name
    symmetric = TourProblem(board="8x8", closed=True, symmetry="rot180")
    assert choose("auto", "count", symmetric).name == "quotient"


def test_auto_refuses_a_hopeless_board_at_once() -> None:
    """None could count it: whichever is taken says so before it starts."""
    problem = TourProblem(board="12x12", closed=True)
    with pytest.raises(LimitReached, match=r"counting closed 12x12 .*needs .* the memory limit is 8 GiB"):
        choose("auto", "count", problem).count(problem, Settings(memory=8 << 30))


def test_plans_in_words() -> None:
    def words(problem: TourProblem) -> str:
        return str(best_plan(problem, CycleGraph.of(problem)))

    assert words(TourProblem(board="8x9", closed=True)).startswith(
        "columns 3+2+4: 24 + 16 + 32 cells, two tables"
    )
    assert "ends in the separator 8 + 8" in words(TourProblem(board="8x8", closed=False))
    assert words(TourProblem(board=Board.parse("5x5", wrap="xy"), closed=True)).startswith("order ")


@pytest.mark.parametrize(
    "size",
    [
        "5x12",
        "6x8",
        "6x12",
        "7x8",
        full("7x10"),
        full("8x8"),
    ],
)
def test_states_are_estimated_within_a_factor_of_about_two(size: str) -> None:
    problem = TourProblem(board=size, closed=True)
    plan = best_plan(problem, CycleGraph.of(problem))
    # One part of very many: the halves are made, and next to nothing is joined.
    layers = run_pass(Work(problem, plan, TWO_THREADS, Clock(60), (0, 10**6)), 0, WHOLE, "").top
    expected = half_cost(plan.graph, plan.top) * (0.5 if plan.top_mirror else 1.0)
    for estimate, states in (
        (expected.last, layers[-1].kept),
        (expected.at_once, max(layer.states for layer in layers)),
        (expected.made, sum(layer.states for layer in layers)),
    ):
        assert 0.5 < estimate / states < 2.1


@pytest.mark.parametrize("modulus", [2, 3, 97, 2**31 - 1, 2**37 - 25, 2**40 - 1])
def test_counts_modulo_a_number(modulus: int) -> None:
    problem = TourProblem(board="6x8", closed=True)
    plan = best_plan(problem, CycleGraph.of(problem))
    report = run_pass(Work(problem, plan, TWO_THREADS, Clock(60), (0, 1)), modulus, WHOLE, "")
    assert report.count == 55488142 * report.divisor % modulus


@pytest.mark.parametrize("most", [1 << 37, 1 << 31])
def test_where_the_first_moduli_are_too_large_the_second_are_taken(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = []
    native = run_pass

    def overflowing(work: Any, modulus: int, *rest: Any) -> Any:
        report: Any = native(work, modulus, *rest)
        given.append(modulus)
        if modulus == 0 or modulus > most:
            report = SimpleNamespace(overflow=True)
        return report

    monkeypatch.setattr(summing, "run_pass", overflowing)
    problem = TourProblem(board="6x8", closed=True)
    assert engine_named("join").count(problem, TWO_THREADS).count == 55488142
    assert given[0] == 0
    assert given[-1] < most


@examples(100)
@given(small_problems())
def test_no_more_cycles_than_the_bound(problem: TourProblem) -> None:
    assert frontier(problem) <= CycleGraph.of(problem).most_cycles


def test_the_bound_of_a_complete_graph() -> None:
    """(n - 1)! / 2 cycles; the bound is ((2n - 2)!)^(n / (2n - 2)) / 2^n, rounded up to a power of two."""
    for n in range(3, 30):
        problem = TourProblem(board=Graph.from_networkx(networkx.complete_graph(n)), closed=True)
        cycles, most = math.factorial(n - 1) // 2, CycleGraph.of(problem).most_cycles
        assert cycles <= most <= 8 * n * cycles


def test_a_long_strip_goes_in_one() -> None:
    """From some eight columns on a strip of width eight has no more states."""
    join = engine_named("join")
    long, longer = (
        join.estimate(TourProblem(board=board, closed=True), Settings(memory=16 << 30, threads=2))
        for board in ("8x16", "8x20")
    )
    assert long is not None
    assert longer is not None
    assert long.states == longer.states < 1e9
    assert long.bytes < 8 << 30
    assert "passes" not in long.plan + longer.plan
    assert "modulo" not in long.plan
    assert "modulo 6 primes" in longer.plan
    # Of 5+2+10 columns the longer half decides: 8x17 took 596 s of CPU, five primes.
    uneven = join.estimate(TourProblem(board="8x17", closed=True), Settings(memory=16 << 30, threads=2))
    assert uneven is not None
    assert "5+2+10: 40 + 16 + 80 cells" in uneven.plan
    assert "modulo 5 primes" in uneven.plan
    assert 300 < uneven.seconds < 1200


@pytest.mark.parametrize("words", ["1x1", "2x2", "1x30", "3x3", "4x4"])
def test_estimates_of_odd_boards(words: str) -> None:
    for closed in (True, False):
        problem = TourProblem(board=words, closed=closed)
        expected = engine_named("join").estimate(problem, TWO_THREADS)
        assert expected is None or expected.bytes > 0
    torus = TourProblem(board=Board.parse("1x3", wrap="x", leaper=(0, 1)), closed=False)
    assert engine_named("join").estimate(torus, TWO_THREADS) is None
    assert join(torus) == frontier(torus)


def test_an_estimate_says_what_would_be_refused() -> None:
    """Its time is that of the same plan with all the memory that it needs."""
    join, problem = engine_named("join"), TourProblem(board="10x10", closed=True)
    refused = join.estimate(problem, Settings(memory=2 << 30, threads=2))
    counted = join.estimate(problem, Settings(memory=1 << 40, threads=2))
    assert refused is not None
    assert counted is not None
    assert refused.plan == f"{counted.plan}, refused: too large even in passes"
    assert (refused.refused, counted.refused) == (True, False)
    assert refused.seconds == counted.seconds


def test_the_core_and_the_planner_agree_on_the_widest_separator() -> None:
    from ktsolve import _native

    assert _native.WIDEST_SEPARATOR == WIDEST_SEPARATOR


def test_joins_of_bare_graphs_agree_with_the_sweep() -> None:
    chance = random.Random(20)
    graphs = [
        networkx.gnp_random_graph(chance.randint(1, 9), chance.choice((0.5, 0.8, 1.0)), seed=i)
        for i in range(40)
    ]
    graphs += [
        networkx.random_regular_graph(3, 40, 1),
        networkx.random_regular_graph(4, 30, 1),
        networkx.grid_2d_graph(6, 12),
        networkx.hypercube_graph(4),
    ]
    for graph in graphs:
        problem = TourProblem(board=Graph.of(graph), closed=chance.random() < 0.6)
        assert join(problem) == frontier(problem)
    cube = TourProblem(board=Graph.of(networkx.hypercube_graph(5)), closed=True)
    assert join(cube) == 906545760


def test_texts_about_bare_graphs_speak_of_vertices() -> None:
    cube = TourProblem(board="graph:hypercube:4", closed=True)
    plan = str(plans_for(cube, CycleGraph.of(cube))[0])
    assert re.search(r": \d+ \+ \d+ \+ \d+ vertices, .*, separator edges \d+ \+ \d+$", plan), plan
    dense = TourProblem(board="graph:complete:30,30", closed=True)
    with pytest.raises(Refused, match=r"separator of closed graph .* with at most 20 vertices: use another"):
        engine_named("join").count(dense, TWO_THREADS)
