"""Engine walk on graphs without a board: local search for one Hamiltonian cycle."""

from __future__ import annotations

import random
import time

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import full, quick
from strategies import examples

from ktsolve.base.errors import LimitReached, Refused
from ktsolve.base.limits import Settings
from ktsolve.engines.registry import engine_named
from ktsolve.engines.walk.engine import hamiltonian_cycle
from ktsolve.graphs.graph import Graph
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.find import find

FAMILIES = {
    "random cubic": lambda: networkx.random_regular_graph(3, 1000, seed=1),
    "random, degree 40": lambda: networkx.random_regular_graph(40, 1000, seed=1),
    "random": lambda: networkx.gnm_random_graph(2000, 20_000, seed=1),
    "generalized Petersen": lambda: networkx.generalized_petersen_graph(300, 4),
    "line graph": lambda: networkx.line_graph(networkx.random_regular_graph(3, 400, seed=1)),
    "grid": lambda: networkx.grid_2d_graph(40, 50),
    "triangular lattice": lambda: networkx.triangular_lattice_graph(30, 30),
    "hexagonal torus": lambda: networkx.hexagonal_lattice_graph(20, 20, periodic=True),
    "hypercube": lambda: networkx.hypercube_graph(9),
    "Kneser": lambda: networkx.kneser_graph(9, 4),
    "prism": lambda: networkx.circular_ladder_graph(500),
    "complete": lambda: networkx.complete_graph(100),
    "cycle": lambda: networkx.cycle_graph(1000),
}


@pytest.mark.parametrize("family", quick(FAMILIES, ("random cubic", "prism", "complete").__contains__))
@pytest.mark.parametrize("closed", [True, full(False)])
def test_families_of_graphs(family: str, closed: bool) -> None:
    problem = TourProblem(board=Graph.of(FAMILIES[family]()), closed=closed)
    answer = find(problem, "walk", Settings(seed=3))
    assert answer.tour is not None
    assert problem.check(answer.tour) is None
    assert find(problem, "walk", Settings(seed=3)).tour == answer.tour


@pytest.mark.parametrize("seed", range(4))
def test_directed_graphs(seed: int) -> None:
    # A random directed graph with a cycle through all vertices.
    source, n = random.Random(seed), 200
    order = source.sample(range(n), n)
    arcs = {(order[i - 1], order[i]) for i in range(n)}
    arcs |= {(u, v) for u, v in (source.sample(range(n), 2) for _ in range(5 * n))}
    graph = Graph.from_edges(sorted(arcs), range(n), directed=True)
    for problem in (
        TourProblem(board=graph, closed=True),
        TourProblem(board=graph, closed=False),
        TourProblem(board=graph, closed=False, start=order[0], end=order[-1]),
    ):
        answer = find(problem, "walk")
        assert answer.tour is not None
        assert problem.check(answer.tour) is None


@st.composite
def small_graph_problems(draw: st.DrawFn) -> TourProblem:
    n = draw(st.integers(1, 9))
    directed = draw(st.booleans())
    pairs = [(u, v) for u in range(n) for v in range(n) if (u != v if directed else u < v)]
    edges = draw(st.sets(st.sampled_from(pairs), min_size=min(n, len(pairs)))) if pairs else ()
    graph = Graph.from_edges(sorted(edges), range(n), directed=directed)
    chosen = st.sets(st.sampled_from(sorted(edges)), max_size=2) if edges else st.just(set())
    vertex = st.none() | st.integers(0, n - 1)
    start, end = draw(vertex), draw(vertex)
    return TourProblem(
        board=graph,
        closed=draw(st.booleans()),
        start=start,
        end=end if end != start else None,
        require=(required := draw(chosen)),
        forbid=draw(chosen) - required,
    )


@given(small_graph_problems(), st.integers(0, 3))
@examples(150)
def test_walk_agrees_with_search(problem: TourProblem, seed: int) -> None:
    exists = engine_named("search").construct(problem, Settings()) is not None
    try:
        tour = engine_named("walk").construct(problem, Settings(seed=seed))
    except LimitReached:
        return
    assert (tour is not None) == exists
    assert tour is None or problem.check(tour) is None


def test_required_and_forbidden_edges_of_a_large_graph() -> None:
    graph = Graph.of(networkx.random_regular_graph(6, 2000, seed=2))
    # A matching, so that no vertex has three required edges.
    matching = sorted(networkx.maximal_matching(graph.to_networkx()))
    rest = sorted(set(graph.moves) - {graph.edge(*e) for e in matching})
    source = random.Random(1)
    required, forbidden = source.sample(matching, 300), source.sample(rest, 300)
    problem = TourProblem(board=graph, closed=True, require=required, forbid=forbidden)
    answer = find(problem, "walk")
    assert answer.tour is not None
    assert problem.check(answer.tour) is None


def test_a_failure_proves_nothing_and_evident_contradictions_do() -> None:
    petersen = TourProblem(board=Graph.of(networkx.petersen_graph()), closed=True)
    with pytest.raises(
        LimitReached, match=r"10 attempts of local search with [\d,]+ exchanges; a tour may exist"
    ):
        find(petersen, "walk")
    star = TourProblem(board=Graph.of(networkx.star_graph(5)), closed=True)
    assert engine_named("walk").construct(star, Settings()) is None
    complete = Graph.of(networkx.complete_graph(6))
    three = TourProblem(board=complete, closed=True, require=[(0, 1), (0, 2), (0, 3)])
    assert engine_named("walk").construct(three, Settings()) is None
    triangle = TourProblem(board=complete, closed=True, require=[(0, 1), (1, 2), (0, 2)])
    assert engine_named("walk").construct(triangle, Settings()) is None
    with pytest.raises(Refused, match="engine walk cannot construct with a cell at a given step"):
        find(TourProblem(board=complete, closed=True, at={3: 1}), "walk")


def test_boards_with_conditions_are_graphs_too() -> None:
    problem = TourProblem(board="20x20", closed=False, start="a1", end="t1", require=["c3-e4"])
    tour = find(problem, "walk").tour
    assert tour is not None
    assert problem.check(tour) is None


def large(vertices: int, edges: int) -> CycleGraph:
    """Return a random graph with a Hamiltonian cycle and about the given number of edges."""
    source = np.random.default_rng(1)
    pairs = source.integers(vertices, size=(edges, 2), dtype=np.int32)
    order = source.permutation(vertices).astype(np.int32)
    pairs = np.sort(np.concatenate([pairs, np.stack([order, np.roll(order, 1)], axis=1)]), axis=1)
    keys = np.unique(pairs[:, 0].astype(np.int64) * vertices + pairs[:, 1])
    chosen = np.stack([keys // vertices, keys % vertices], axis=1).astype(np.int32)
    chosen = chosen[chosen[:, 0] < chosen[:, 1]]
    return CycleGraph(vertices, chosen, np.zeros(len(chosen), dtype=np.bool_))


@pytest.mark.full
def test_200_000_edges() -> None:
    graph = large(10_000, 200_000)
    began = time.process_time()
    cycle = hamiltonian_cycle(graph)
    assert time.process_time() - began < 1
    assert cycle is not None
    pairs = np.sort(np.stack([cycle, np.roll(cycle, 1)], axis=1), axis=1)
    assert sorted(cycle.tolist()) == list(range(10_000))
    assert set(map(tuple, pairs.tolist())) <= set(graph.pairs)


@pytest.mark.full
def test_the_time_limit_holds_on_a_million_edges() -> None:
    # Two parts that share one vertex: there is no cycle, and nothing ends the search but the limit.
    half = large(50_001, 500_000)
    edges = np.concatenate([half.edges, 100_000 - half.edges[:, ::-1]])
    graph = CycleGraph(100_001, edges, np.zeros(len(edges), dtype=np.bool_))
    began = time.monotonic()
    with pytest.raises(LimitReached, match=r"time limit of 1 s, .*a tour may exist"):
        hamiltonian_cycle(graph, Settings(timeout=1))
    assert time.monotonic() - began < 15  # the limit, a second, and the load of other tests
