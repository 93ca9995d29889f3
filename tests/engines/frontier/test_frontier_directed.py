"""Directed graphs by the sweep: against the definition, another sweep, symmetries and known numbers."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from brute_force import Condition, answers
from hypothesis import given
from hypothesis import strategies as st
from marks import full
from plain_problems import Network, all_walks, moves_of, problem_of
from strategies import examples

from ktsolve import Board, Graph, TourProblem
from ktsolve.base.limits import Settings
from ktsolve.engines.frontier.engine import FrontierEngine
from ktsolve.engines.frontier.order import best_order
from ktsolve.problem.cycle_graph import CycleGraph

ENGINE = FrontierEngine()
QUICK = Settings(timeout=60)

Arc = tuple[int, int]


def problem_on(vertices: int, arcs: Sequence[Arc], **conditions: object) -> TourProblem:
    names = list(map(str, range(vertices)))
    graph = Graph(names, [(names[a], names[b]) for a, b in arcs], directed=True)
    return TourProblem(board=graph, **conditions)  # type: ignore[arg-type]


def count(vertices: int, arcs: Sequence[Arc], **conditions: object) -> int:
    return ENGINE.count(problem_on(vertices, arcs, **conditions), QUICK).count


def cycles_arc_by_arc(vertices: int, arcs: Sequence[Arc]) -> int:
    """Hamiltonian cycles by a sweep over the arcs, each taken or left; a state is the paths so far."""
    last = {v: place for place, arc in enumerate(arcs) for v in arc}
    states: dict[tuple[Arc, ...], int] = {(): 1}
    seen: set[int] = set()
    total = 0
    for place, (u, v) in enumerate(arcs):
        fresh = tuple((w, w) for w in (u, v) if w not in seen)
        seen.update((u, v))
        gone = {w for w in (u, v) if last[w] == place}
        after: dict[tuple[Arc, ...], int] = {}
        for known, ways in states.items():
            paths = {*known, *fresh}
            made = [paths]
            before = next((path for path in paths if path[1] == u), None)
            behind = next((path for path in paths if path[0] == v), None)
            if before is not None and before == behind:
                total += ways if len(paths) == 1 and len(seen) == vertices else 0
            elif before is not None and behind is not None:
                made.append((paths - {before, behind}) | {(before[0], behind[1])})
            for each in made:
                if not gone & {end for path in each for end in path}:
                    key = tuple(sorted(each))
                    after[key] = after.get(key, 0) + ways
        states = after
    return total


def torus(rows: int, columns: int) -> list[Arc]:
    """The arcs of a torus on which steps lead down, to the right, and down to the right."""

    def number(row: int, column: int) -> int:
        return row % rows * columns + column % columns

    steps = ((1, 0), (0, 1), (1, 1))
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    found = {(number(r, c), number(r + down, c + right)) for r, c in cells for down, right in steps}
    return sorted((a, b) for a, b in found if a != b)


@st.composite
def digraphs(draw: st.DrawFn) -> tuple[int, list[Arc]]:
    """A number of vertices, and arcs between them: most of those that there are."""
    vertices = draw(st.integers(3, 6))
    pairs = [(a, b) for a in range(vertices) for b in range(vertices) if a != b]
    missing = draw(st.sets(st.sampled_from(pairs), max_size=len(pairs) // 2))
    return vertices, [pair for pair in pairs if pair not in missing]


@examples(30)
@given(digraphs(), st.data())
def test_counts_are_those_of_a_sweep_over_arcs_and_of_the_reversed_graph(
    graph: tuple[int, list[Arc]], data: st.DataObject
) -> None:
    vertices, arcs = graph
    found = count(vertices, arcs, closed=True)
    assert found == cycles_arc_by_arc(vertices, arcs)
    back = [(b, a) for a, b in arcs]
    assert count(vertices, back, closed=True) == found
    turn = data.draw(st.permutations(range(vertices)))
    assert count(vertices, [(turn[a], turn[b]) for a, b in arcs], closed=True) == found
    first, last = map(str, turn[:2])
    paths = count(vertices, arcs, closed=False, start=first, end=last)
    assert count(vertices, back, closed=False, start=last, end=first) == paths
    # A path from one vertex to another, closed by a required arc.
    closing = (turn[1], turn[0])
    whole = sorted({*arcs, closing})
    assert count(vertices, whole, closed=True, require=[tuple(map(str, closing))]) == paths


@examples(30)
@given(st.data())
def test_conditions_are_those_of_the_definition(data: st.DataObject) -> None:
    vertices, arcs = data.draw(digraphs())
    network = Network(tuple("abcdef"[:vertices]), tuple(("abcdef"[a], "abcdef"[b], 1) for a, b in arcs), True)
    closed = data.draw(st.booleans())
    moves = data.draw(
        st.lists(st.sampled_from([(a, b) for a, b, _ in network.edges]), max_size=3, unique=True)
    )
    cells = data.draw(st.permutations(network.names))
    conditions: list[Condition] = [
        (data.draw(st.sampled_from(["Require", "Forbid"])), *move) for move in moves
    ]
    conditions += [("Start", cells[0])] * data.draw(st.booleans())
    conditions += [("End", cells[1])] * data.draw(st.booleans())
    problem = problem_of(network, closed, conditions)
    right = answers(all_walks(network, closed), conditions)
    assert ENGINE.count(problem, QUICK).count == right.count
    assert {moves_of(tour) for tour in ENGINE.enumerate(problem, QUICK)} == right.tours
    ranking = ENGINE.ranking(problem, QUICK)
    rows = ranking.unrank(list(range(ranking.count)), QUICK)
    assert ranking.rank(rows, QUICK) == list(range(right.count))
    uses = [sum(move in tour for tour in right.tours) for move in map(tuple, arcs_by_name(problem))]
    assert ENGINE.move_counts(problem, QUICK) == uses
    tally = ENGINE.tally(problem, [0, 1], QUICK)
    two = set(map(tuple, arcs_by_name(problem)[:2]))
    by_uses = [sum(len(two & tour) == number for tour in right.tours) for number in range(len(tally))]
    assert tally == by_uses
    assert sum(tally) == right.count


def arcs_by_name(problem: TourProblem) -> list[tuple[str, str]]:
    names = problem.ground.names
    return [(names[a], names[b]) for a, b in problem.ground.edges.tolist()]


@pytest.mark.parametrize("board", ["5x6", "3x10", full("6x6")])
def test_an_undirected_graph_with_both_arcs_has_each_tour_twice(board: str) -> None:
    ground = Board.parse(board)
    arcs = [(a, b) for u, v in ground.edges.tolist() for a, b in ((u, v), (v, u))]
    undirected = ENGINE.count(TourProblem(board=ground, closed=True), QUICK).count
    assert count(len(ground), arcs, closed=True) == 2 * undirected > 0


def test_a_vertex_is_one_slot() -> None:
    # Between two rows of a torus the frontier has the row behind and the first one.
    for rows, columns in ((6, 6), (30, 4)):
        problem = problem_on(rows * columns, torus(rows, columns), closed=True)
        graph = CycleGraph.of(problem)
        order = best_order(problem, graph)
        assert graph.vertices == 2 * rows * columns
        assert order.width <= 2 * min(rows, columns) + 3
        assert np.array_equal(np.sort(order.vertices), np.arange(graph.vertices))


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (4, 3), full(4, 5)])
def test_tori_are_counted_as_by_a_sweep_over_arcs(rows: int, columns: int) -> None:
    arcs = torus(rows, columns)
    found = count(rows * columns, arcs, closed=True)
    assert (
        found
        == cycles_arc_by_arc(rows * columns, arcs)
        == count(rows * columns, torus(columns, rows), closed=True)
    )


def test_estimates_of_tori_grow_with_the_lines() -> None:
    expected = ENGINE.estimate(problem_on(120, torus(12, 10), closed=True), QUICK)
    assert expected is not None
    assert 0.5 < expected.states / 1_453_809 < 2  # as counted


def published_tori() -> list[Any]:
    """The rows of docs/counts/directed-torus.csv that were swept, by the time that they take."""
    with (Path(__file__).parents[3] / "docs/counts/directed-torus.csv").open(encoding="utf-8") as table:
        rows = [row for row in csv.DictReader(table) if row["sweep"] != "no"]
    marks = {6: [], 7: [pytest.mark.full]}
    each = [(int(row["n"]), int(row["k"]), int(row["cycles"])) for row in rows]
    return [pytest.param(*row, marks=marks.get(row[1], [pytest.mark.slow])) for row in each if row[1] < 10]


@pytest.mark.parametrize(("rows", "columns", "number"), published_tori())
def test_tori_of_oeis_a391478(rows: int, columns: int, number: int) -> None:
    assert count(rows * columns, torus(rows, columns), closed=True) == number
