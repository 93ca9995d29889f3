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
from ktsolve.engines.join.orbits import group_plans
from ktsolve.engines.join.passes import blocks_of, leading_blocks, with_blocks
from ktsolve.engines.join.plan import JoinPlan
from ktsolve.engines.join.planning import best_plan
from ktsolve.engines.join.run import count_along
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


def test_blocks_and_parts(tmp_path: Path) -> None:
    for problem in (cube(4, closed=True), cube(4, closed=False, start="0000")):
        expected = frontier(problem)
        plan = next(plan for plan in grouped(problem) if len(plan.top) == 5)
        for sets in (1, 4):
            passing = with_blocks(plan, sets)
            assert passing is not None
            assert set(blocks_of(passing, upper=True)) == set(leading_blocks(plan, sets, upper=True)[1])
            kept = replace(QUICK, spill=str(tmp_path))
            assert count(problem, passing, kept) == expected
            again = count_along(problem, passing, kept, Clock(60))
            assert again.count == expected
            assert again.details["transitions"] == 0, "half tables were found on disk"
        parts = [count_along(problem, plan, QUICK, Clock(60), (i, 3)).count for i in range(3)]
        assert sum(parts) == expected
        assert parts[0] < expected


def test_the_planner_uses_the_group_where_it_has_fewer_states() -> None:
    problem = cube(6, closed=True)
    plan = best_plan(problem, CycleGraph.of(problem))
    assert str(plan) == (
        "distances 22+20+22: 22 + 20 + 22 vertices, one table for both sides, 720 symmetries, "
        "separator edges 0 + 0"
    )
    small = cube(4, closed=True)
    assert not best_plan(small, CycleGraph.of(small)).group
