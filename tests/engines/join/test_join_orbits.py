"""Counts of the join by orbits of a group of symmetries, against other engines and published numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import full
from strategies import examples

from ktsolve import Board, Graph, TourProblem
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.join.fitting import _divided_by_group
from ktsolve.engines.join.orbits import group_plans
from ktsolve.engines.join.passes import blocks_of, singles_of, with_blocks
from ktsolve.engines.join.plan import JoinPlan
from ktsolve.engines.join.planning import best_plan
from ktsolve.engines.join.run import count_along, residue_along
from ktsolve.engines.registry import engine_named
from ktsolve.graphs.groups import generate
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.problem.cycle_graph import CycleGraph

QUICK = Settings(timeout=60, threads=2)


def cube(dimensions: int, **conditions: Any) -> TourProblem:
    return TourProblem(board=named_graph(f"hypercube:{dimensions}"), **conditions)


def grouped(problem: TourProblem) -> list[JoinPlan]:
    """All plans of a problem that use a group."""
    return list(group_plans(CycleGraph.of(problem), problem.ground.nouns, -1, (), None))


def count(problem: TourProblem, plan: JoinPlan, settings: Settings = QUICK) -> int:
    return count_along(problem, plan, settings, Clock(60)).count


def frontier(problem: TourProblem) -> int:
    return engine_named("frontier").count(problem, QUICK).count


@pytest.mark.parametrize(("dimensions", "number"), [(3, 6), (4, 1344), (5, 906545760)])
def test_cycles_of_cubes(dimensions: int, number: int) -> None:
    plans = grouped(cube(dimensions, closed=True))
    assert [plan.elements for plan in plans] == [(6, 24, 120)[dimensions - 3]] * (dimensions - 1)
    assert [count(cube(dimensions, closed=True), plan) for plan in plans] == [number] * len(plans)
    assert [bool(plan.flip) for plan in plans] == [2 * i == dimensions for i in range(1, dimensions)]


# OEIS A091299 has the paths of the 5-cube; those between two vertices by their distance were counted by the
# frontier sweep.
@pytest.mark.parametrize(
    ("end", "number"),
    [("00001", 362618304), full("00111", 367657776), full("11111", 369695040), (None, 5859364320)],
)
def test_paths_of_the_cube(end: str | None, number: int) -> None:
    problem = cube(5, closed=False, start="00000", end=end)
    plan = min(grouped(problem), key=lambda plan: plan.cost.made)
    assert plan.elements > 4
    assert count(problem, plan) == number


@pytest.mark.parametrize(
    "problem",
    [
        cube(4, closed=False),
        TourProblem(board=named_graph("petersen"), closed=False),
        TourProblem(board=Board.parse("4x4", wrap="torus"), closed=True),
        TourProblem(board=Board.parse("4x5", wrap="torus", leaper=(0, 1)), closed=False),
        full(TourProblem(board=Board.parse("4x6", wrap="torus"), closed=True)),
        full(TourProblem(board=Board.parse("5x5", leaper=(0, 1)), closed=False, start="c3")),
        full(TourProblem(board=named_graph("grid:5x5"), closed=False)),
    ],
    ids=str,
)
def test_other_graphs(problem: TourProblem) -> None:
    plans = grouped(problem)
    assert plans
    expected = frontier(problem)
    assert [count(problem, plan) for plan in plans] == [expected] * len(plans)


@examples(40)
@given(
    st.integers(8, 16).flatmap(
        lambda n: st.tuples(st.just(n), st.sets(st.integers(1, n // 2), min_size=2, max_size=3))
    ),
    st.booleans(),
    st.data(),
)
def test_vertex_transitive_graphs(shape: tuple[int, set[int]], closed: bool, data: st.DataObject) -> None:
    n, steps = shape
    edges = {tuple(sorted((v, (v + step) % n))) for v in range(n) for step in steps}
    problem = TourProblem(board=Graph([str(v) for v in range(n)], [(str(u), str(v)) for u, v in edges]))
    start = None if closed else data.draw(st.sampled_from([None, "0"]))
    problem = problem.replace(closed=closed, start=start)
    expected = frontier(problem)
    for plan in grouped(problem):
        assert len(generate(plan.group)) == plan.elements > 1
        assert count(problem, plan) == expected
        for sets in range(2, len(plan.separator)):
            passing = with_blocks(plan, sets)
            assert passing is not None
            assert count(problem, passing) == expected, f"in blocks by {sets} vertices"


def test_blocks_and_parts(tmp_path: Path) -> None:
    for problem in (cube(4, closed=True), cube(4, closed=False, start="0000")):
        expected = frontier(problem)
        plan = next(plan for plan in grouped(problem) if len(plan.top) == 5)
        for sets in (1, 4):
            passing = with_blocks(plan, sets)
            assert passing is not None
            blocks, whole = list(blocks_of(passing, upper=True)), with_blocks(plan, 6)
            assert whole is not None
            begun = [block[:sets] for block in blocks_of(whole, upper=True)]
            assert all(block in blocks for block in begun), "each pattern is in one block"
            kept = replace(QUICK, spill=str(tmp_path))
            assert count(problem, passing, kept) == expected
            parts = [count_along(problem, passing, QUICK, Clock(60), (i, 3)).count for i in range(3)]
            assert sum(parts) == expected
            again = count_along(problem, passing, kept, Clock(60))
            assert again.count == expected
            assert again.details["transitions"] == 0, "half tables were found on disk"
        parts = [count_along(problem, plan, QUICK, Clock(60), (i, 3)).count for i in range(3)]
        assert sum(parts) == expected
        assert parts[0] < expected


def ranked_cube(dimensions: int, *weights: int) -> TourProblem:
    """Cycles of a cube with one more vertex, if any, joined to all of these weights."""
    cube = range(1 << dimensions)
    edges = [(v, v | 1 << bit) for v in cube for bit in range(dimensions) if not v >> bit & 1]
    edges += [(v, len(cube)) for v in cube if v.bit_count() in weights]
    names = [f"{v:0{dimensions}b}" for v in cube] + ["end"] * bool(weights)
    required = [(names[0], "end")] if 0 in weights else []
    return TourProblem(board=Graph(names, edges), closed=True, require=required)


# The cycles are the paths between vertices of two weights, by distance: see benchmarks/gray_codes.py.
@pytest.mark.parametrize(
    ("weights", "number"),
    [
        ((), 906545760),
        ((0, 3), 10 * 367657776),
        ((0, 5), 369695040),
        ((3, 4), 20 * 362618304 + 30 * 367657776),
        full((2, 3), 30 * 362618304 + 60 * 367657776 + 10 * 369695040),
    ],
)
@pytest.mark.parametrize("single_pairs", [full(3), 4, 5])
def test_single_patterns(weights: tuple[int, ...], number: int, single_pairs: int, tmp_path: Path) -> None:
    problem = ranked_cube(5, *weights)
    # An added vertex that is joined to both halves is one of the separator.
    width = 11 if weights == (0, 5) else 10
    plan = next(
        p for p in grouped(problem) if len(p.separator) == width and p.elements == 120 and 31 in p.bottom
    )
    assert (32 in plan.separator) == (width == 11)
    passing = with_blocks(plan, 3, single_pairs=single_pairs)
    assert passing is not None
    blocks = list(blocks_of(passing, upper=True))
    singles = singles_of(passing, blocks)
    assert all(block.count(1) >= 2 * single_pairs for block in singles)
    # Each has one complement: the sum of the degrees that a half leaves is known on both sides.
    assert len(singles) == len(singles_of(passing, blocks_of(passing, upper=False)))
    others = [block for block in blocks if block not in singles]
    assert {len(block) for block in others} == {3}
    assert count(problem, passing, replace(QUICK, spill=str(tmp_path))) == number
    assert residue_along(problem, passing, QUICK, Clock(60), 2**31 - 1) == number % (2**31 - 1)


# Edges within the separator: to the added vertex, or to the one for the free ends of a path. The group keeps
# no set of them alone, and the other order makes other degrees final first.
@pytest.mark.parametrize(
    ("problem", "number"),
    [
        (ranked_cube(4, 0, 3), 3024),
        (cube(4, closed=False), 45696),
        (ranked_cube(5, 0, 3), 3676577760),
        full(cube(5, closed=False), 93749829120),
    ],
    ids=str,
)
def test_edges_within_the_separator(problem: TourProblem, number: int) -> None:
    plans = [plan for plan in grouped(problem) if len(plan.top_preapplied) + len(plan.bottom_preapplied) > 3]
    for plan in sorted(plans, key=lambda plan: plan.cost.made)[:3]:
        other = replace(
            plan, top_preapplied=plan.top_preapplied[::-1], bottom_preapplied=plan.bottom_preapplied[::-1]
        )
        for each in (plan, other):
            passing = with_blocks(each, 3, single_pairs=3 if number < 10**6 else 4)
            assert passing is not None
            assert count(problem, each) == count(problem, passing) == number


@pytest.mark.parametrize(("weights", "width"), [((), 20), ((4, 5), 20), ((0, 5), 21), ((0, 3), 21)])
def test_plans_for_the_cube_of_6_dimensions(weights: tuple[int, ...], width: int) -> None:
    problem = ranked_cube(6, *weights)
    plan = best_plan(problem, CycleGraph.of(problem))
    assert (len(plan.separator), plan.elements) == (width, 720)
    (passing,) = (p for p in _divided_by_group(plan, "folder") if p.single_pairs >= 0)
    above, below = (list(blocks_of(passing, upper=upper)) for upper in (True, False))
    to_both_halves = weights == (0, 5)
    singles = [len(singles_of(passing, blocks)) for blocks in (above, below)]
    assert singles == ([13, 13] if to_both_halves else [4, 4])
    if not to_both_halves:
        assert len(above) == 122  # docs/counting.md


def test_vertices_that_the_group_fixes_may_part_the_others() -> None:
    # From a in threes to h, and from i to m: without h and i the last ones are out of reach.
    edges = ["ab", "ac", "ad", "be", "cf", "dg", "eh", "fh", "gh", "hi", "ij", "ik", "il", "jm", "km", "lm"]
    problem = TourProblem(board=Graph("abcdefghijklm", edges), closed=True)
    plans = grouped(problem)
    assert plans
    for plan in plans:
        assert sorted((*plan.top, *plan.separator, *plan.bottom)) == list(range(13))
        assert count(problem, plan) == 0


def test_the_planner_uses_the_group_where_it_has_fewer_states() -> None:
    problem = cube(6, closed=True)
    plan = best_plan(problem, CycleGraph.of(problem))
    assert str(plan) == (
        "distances 22+20+22: 22 + 20 + 22 vertices, one table for both sides, 720 symmetries, "
        "separator edges 0 + 0"
    )
    small = cube(4, closed=True)
    assert not best_plan(small, CycleGraph.of(small)).group
