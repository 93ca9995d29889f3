"""Engine sat on sparse graphs: it begins with cycles that local search finds, and lists what search lists."""

from __future__ import annotations

import random
from collections.abc import Callable

import networkx
import pytest
from ktsolve.models.tour import TourModel
from marks import full

from ktsolve.base.limits import Settings
from ktsolve.engines.registry import engine_named
from ktsolve.engines.sat.lazy import LazySolver
from ktsolve.engines.sat.python_sat import TRIAL_SOLVER
from ktsolve.graphs.graph import Graph
from ktsolve.model.model import Model
from ktsolve.problem.problem import TourProblem


def solved(model: Model, solver_name: str = TRIAL_SOLVER) -> tuple[list[int] | None, LazySolver]:
    solver = LazySolver(model, solver_name, join=True)
    try:
        return solver.next_solution(), solver
    finally:
        solver.close()


def directed_graph(n: int, more: int, seed: int) -> Graph:
    """Return a random directed graph with a cycle through all vertices."""
    source = random.Random(seed)
    order = source.sample(range(n), n)
    arcs = {(order[i - 1], order[i]) for i in range(n)}
    arcs |= {(u, v) for u, v in (source.sample(range(n), 2) for _ in range(more))}
    return Graph.from_edges(sorted(arcs), range(n), directed=True)


@pytest.mark.parametrize(
    "given",
    [
        # Made in the test: every process that collects tests evaluates its parameters.
        lambda: Graph.of(networkx.random_regular_graph(3, 2000, seed=1)),
        lambda: Graph.of(networkx.line_graph(networkx.random_regular_graph(3, 500, seed=1))),
        lambda: Graph.of(networkx.generalized_petersen_graph(301, 4)),
        lambda: directed_graph(1000, 4000, 1),
    ],
    ids=["cubic", "line graph", "generalized Petersen", "directed"],
)
@pytest.mark.parametrize("closed", [True, False])
def test_large_sparse_graphs_need_no_cuts(given: Callable[[], Graph], closed: bool) -> None:
    graph = given()
    problem = TourProblem(board=graph, closed=closed)
    compiled = TourModel(problem)
    found, solver = solved(compiled.model, TRIAL_SOLVER if not graph.directed else "cadical153")
    assert found is not None
    assert problem.check(compiled.decode(found)) is None
    if graph.directed and not closed:
        # Local search may fail: over the extra node everything is two arcs away.
        assert solver.rounds < 20
    else:
        assert (solver.rounds, solver.cuts) == (1, 0)


def test_required_and_forbidden_edges_are_kept() -> None:
    graph = Graph.of(networkx.random_regular_graph(3, 400, seed=4))
    tour = engine_named("walk").construct(TourProblem(board=graph, closed=True), Settings())
    assert tour is not None
    used = sorted(tour.moves)
    unused = sorted(set(graph.moves) - tour.moves)
    problem = TourProblem(board=graph, closed=True, require=used[::10], forbid=unused[::10])
    found = engine_named("sat").construct(problem, Settings())
    assert found is not None
    assert problem.check(found) is None


@pytest.mark.parametrize("number", [15, full(60)])
@pytest.mark.parametrize("directed", [False, True])
def test_lists_of_random_sparse_graphs(directed: bool, number: int) -> None:
    source = random.Random(9)
    some = 0
    for _ in range(number):
        n = source.randint(4, 9)
        pairs = [(u, v) for u in range(n) for v in range(n) if (u != v if directed else u < v)]
        share = 2.5 if directed else 1.8
        edges = source.sample(pairs, min(len(pairs), round(share * n)))
        graph = Graph.from_edges(edges, range(n), directed=directed)
        problem = TourProblem(board=graph, closed=source.random() < 0.5)
        expected = [frozenset(tour.moves) for tour in engine_named("search").enumerate(problem, Settings())]
        listed = [frozenset(tour.moves) for tour in engine_named("sat").enumerate(problem, Settings())]
        assert len(listed) == len(expected)
        assert set(listed) == set(expected)
        first = engine_named("sat").construct(problem, Settings())
        assert (first is not None) == bool(expected)
        some += bool(expected)
    assert some > number // 6
