"""The frontier sweep on graphs: formulas, lists and weights against other ways, orders, limits."""

from __future__ import annotations

import itertools
import math
import random
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from marks import full
from random_graphs import orders, random_graph

from ktsolve import Graph, TourProblem, _native
from ktsolve.base.errors import BadInput, LimitReached, OutOfMemory
from ktsolve.base.limits import Settings
from ktsolve.engines.frontier.engine import FrontierEngine
from ktsolve.engines.frontier.order import best_order, frontier_widths, predicted
from ktsolve.engines.registry import engine_named
from ktsolve.graphs.graph import Vertex
from ktsolve.problem.conditions import Forbid, Require
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.statistics import Statistic, TourObjective
from ktsolve.tasks.best import best

ENGINE = FrontierEngine()
QUICK = Settings(timeout=60)


def cycles(graph: nx.Graph) -> int:
    return ENGINE.count(TourProblem(board=Graph.of(graph), closed=True), QUICK).count


def generalised_petersen(n: int, k: int) -> nx.Graph:
    graph = nx.Graph()
    for i in range(n):
        graph.add_edges_from([(i, (i + 1) % n), (i, n + i), (n + i, n + (i + k) % n)])
    return graph


def fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@pytest.mark.parametrize("n", [*range(5, 32), 200, 301])
def test_generalised_petersen_graphs_by_their_formula(n: int) -> None:
    # Schwenk 1989.
    by_rest = {1: n, 3: 3, 5: 0}
    half = n // 2
    even = 2 * (fibonacci(half + 1) + fibonacci(half - 1) - 1) + (n if n % 6 == 4 else 0)
    assert cycles(generalised_petersen(n, 2)) == by_rest.get(n % 6, even)


def multipartite(*sizes: int) -> int:
    """Hamiltonian cycles of a complete multipartite graph, by inclusion and exclusion over blocks."""
    total = 0
    for blocks in itertools.product(*(range(1, size + 1) for size in sizes)):
        term = math.factorial(sum(blocks) - 1)
        for size, k in zip(sizes, blocks, strict=True):
            ways = math.comb(size - 1, k - 1) * math.factorial(size) // math.factorial(k)
            term *= (-1) ** (size - k) * ways
        total += term
    return total // 2


def test_complete_graphs_by_their_formulas() -> None:
    for n in range(3, 12):
        assert cycles(nx.complete_graph(n)) == math.factorial(n - 1) // 2
    for sizes in ((2, 2), (3, 4), (5, 5), (1, 2, 3), (2, 2, 2, 2), (3, 3, 3), (4, 5, 6)):
        assert cycles(nx.complete_multipartite_graph(*sizes)) == multipartite(*sizes)


@pytest.mark.full
def test_published_numbers() -> None:
    assert [cycles(nx.hypercube_graph(n)) for n in (2, 3, 4, 5)] == [1, 6, 1344, 906545760]
    # OEIS A003763 and A140519.
    grids = [cycles(nx.grid_2d_graph(n, n)) for n in (2, 4, 6, 8, 10)]
    assert grids == [1, 6, 1072, 4638576, 467260456608]
    kings = [cycles(nx.strong_product(nx.path_graph(n), nx.path_graph(n))) for n in (2, 3, 4, 5, 6)]
    assert kings == [3, 16, 2830, 2462064, 22853860116]
    assert cycles(nx.dodecahedral_graph()) == 30
    for graph in (nx.petersen_graph(), nx.tutte_graph(), nx.complete_bipartite_graph(4, 5)):
        assert cycles(graph) == 0


def test_counts_of_thousands_of_bits() -> None:
    # OEIS A006864; the number has 1.1 bits for each column.
    values = [0, 0, 1, 2, 6]
    for _ in range(5, 1001):
        values.append(2 * values[-1] + 2 * values[-2] - 2 * values[-3] + values[-4])
    graph = Graph.of(nx.grid_2d_graph(4, 1000))
    counted = ENGINE.count(TourProblem(board=graph, closed=True), QUICK)
    assert counted.count == values[1000] > 1 << 1000
    assert counted.count.bit_length() <= counted.details["count_bits"] < counted.count.bit_length() + 192


def test_lists_equal_those_of_search_on_random_graphs() -> None:
    chance = random.Random(15)
    search = engine_named("search")
    listed = 0
    for _ in range(150):
        graph = random_graph(chance, 8)
        conditions = [
            kind(edge) for kind in (Require, Forbid) for edge in graph.moves if chance.random() < 0.1
        ]
        try:
            problem = TourProblem(board=graph, closed=chance.random() < 0.5, conditions=conditions)
        except BadInput:
            continue
        ours = [tour.normalised() for tour in ENGINE.enumerate(problem, QUICK)]
        theirs = {tour.normalised() for tour in search.enumerate(problem, QUICK)}
        assert len(ours) == len(set(ours))
        assert set(ours) == theirs
        assert ENGINE.count(problem, QUICK).count == len(ours)
        first = ENGINE.construct(problem, QUICK)
        assert (first is None) == (not ours)
        listed += len(ours)
    assert listed > 500


@pytest.mark.full
def test_seeds_change_the_order_of_a_list_only() -> None:
    problem = TourProblem(board="6x6", closed=True)
    lists = [[*ENGINE.enumerate(problem, Settings(seed=seed))] for seed in (0, 1, 1)]
    assert lists[1] == lists[2] != lists[0]
    assert {tour.normalised() for tour in lists[0]} == {tour.normalised() for tour in lists[1]}
    assert len(lists[0]) == 9862


def weight_of(graph: Graph, closed: bool, order: tuple[Vertex, ...]) -> int:
    assert graph.weights is not None
    weigh = dict(zip(graph.moves, graph.weights.tolist(), strict=True))
    steps = [*pairwise(order), *([(order[-1], order[0])] if closed else [])]
    return sum(weigh[graph.edge(*step)] for step in steps)


@pytest.mark.parametrize("number", [30, full(150)])
def test_weights_against_the_definition(number: int) -> None:
    chance = random.Random(7)
    found = 0
    for _ in range(number):
        graph = random_graph(chance, 6, weighted=True)
        closed = chance.random() < 0.5

        problem = TourProblem(board=graph, closed=closed)
        sums = [weight_of(graph, closed, tuple(order)) for order in orders(graph, closed)]
        for heaviest, expected in ((False, min(sums, default=None)), (True, max(sums, default=None))):
            tour = ENGINE.lightest(problem, QUICK, heaviest=heaviest)
            assert (tour is None) == (expected is None)
            if tour is None:
                continue
            assert next(iter(problem.labelings(tour)), None) is not None
            assert Statistic("weight").of(tour) == expected
            found += 1
            answer = best(problem, TourObjective("maximise" if heaviest else "minimise", Statistic("weight")))
            assert (answer.value, answer.bound, answer.optimal) == (expected, expected, True)
    assert found > number // 2


def test_graphs_without_weights_are_refused() -> None:
    triangle = [(0, 1), (1, 2), (0, 2)]
    plain = TourProblem(board=Graph.from_edges(triangle), closed=True)
    with pytest.raises(BadInput, match="no weights"):
        ENGINE.lightest(plain, QUICK)


def test_orders_are_permutations_and_predictions_belong_to_them() -> None:
    chance = random.Random(3)
    for _ in range(60):
        problem = TourProblem(board=random_graph(chance, 9), closed=chance.random() < 0.5)
        graph = CycleGraph.of(problem)
        order = best_order(problem, graph)
        assert sorted(order.vertices.tolist()) == list(range(graph.vertices))
        again = predicted(graph, order.vertices)
        assert np.array_equal(again.bits, order.bits)
        assert np.array_equal(again.widths, order.widths)
        # By the definition: the two vertices of one of a directed graph are one of the frontier, until both
        # are done.
        place = [v // 2 if graph.doubled and v != graph.extra else -v - 1 for v in range(graph.vertices)]
        done: set[int] = set()
        for width, vertex in zip(order.widths.tolist(), order.vertices.tolist(), strict=True):
            done.add(vertex)
            reached = {place[u] for v in done for u in (v, *graph.around[v])}
            assert width == len(reached & {place[v] for v in range(graph.vertices) if v not in done})


def mixed(graph: nx.Graph) -> Graph:
    nodes = list(graph)
    random.Random(1).shuffle(nodes)
    in_that_order = nx.Graph()
    in_that_order.add_nodes_from(nodes)
    in_that_order.add_edges_from(graph.edges)
    return Graph.of(in_that_order)


def test_long_graphs_are_swept_along_in_whatever_order_they_are_given() -> None:
    problem = TourProblem(board=mixed(nx.grid_2d_graph(6, 200)), closed=True)
    cycle_graph = CycleGraph.of(problem)
    order = best_order(problem, cycle_graph)
    assert order.width <= 7
    assert frontier_widths(cycle_graph, range(cycle_graph.vertices)).max() > 100


def test_square_grids_are_swept_line_by_line() -> None:
    # Their paths do not cross: along the diagonals, where other graphs are narrow, there are more states.
    problem = TourProblem(board=mixed(nx.grid_2d_graph(12, 12)), closed=True)
    answer = ENGINE.count(problem, QUICK)
    assert answer.count == 1076226888605605706  # A003763
    assert answer.details["peak_states"] < 12_000  # 41,106 with the order that was found before


@pytest.mark.parametrize(
    "graph",
    [
        nx.random_regular_graph(3, 70, 1),
        generalised_petersen(60, 4),
        nx.grid_2d_graph(8, 30),
        nx.grid_2d_graph(14, 14),
        nx.hypercube_graph(4),
        nx.strong_product(nx.path_graph(5), nx.path_graph(9)),
        nx.complete_graph(11),
    ],
    ids=["cubic", "petersen", "grid", "square", "hypercube", "kings", "complete"],
)
def test_estimates_are_right_within_a_factor_of_sixteen(graph: nx.Graph) -> None:
    problem = TourProblem(board=Graph.of(graph), closed=True)
    estimate = ENGINE.estimate(problem, QUICK)
    assert estimate is not None
    peak = ENGINE.count(problem, QUICK).details["peak_states"]
    assert 1 / 16 < estimate.states / peak < 16


def test_limits_of_lists_and_weights() -> None:
    graph = Graph.of(nx.random_regular_graph(3, 300, 2))
    problem = TourProblem(board=graph, closed=True)
    with pytest.raises(LimitReached):
        list(ENGINE.enumerate(problem, Settings(timeout=0.3)))
    # No Hamiltonian cycle, and many dead states: the list runs out of memory, the count does not.
    none = TourProblem(board="5x9", closed=True)
    with pytest.raises(OutOfMemory, match=r"memory limit of 2 MiB, 0 tours found, [\d,]+ dead states"):
        list(ENGINE.enumerate(none, Settings(memory=2 << 20)))
    assert ENGINE.construct(none, Settings(memory=2 << 20)) is None
    wide = Graph.of(nx.complete_graph(60))
    with pytest.raises(LimitReached, match="needs a frontier of 59 vertices"):
        ENGINE.construct(TourProblem(board=wide, closed=True), QUICK)


def test_the_native_list_can_be_paused() -> None:
    graph = CycleGraph.of(TourProblem(board="6x6", closed=True))
    listing = _native.FrontierList(*graph.arrays())
    found = 0
    while not listing.exhausted:
        _, rows = listing.run(100)
        found += len(rows)
    assert found == listing.found == 9862


@pytest.mark.parametrize(
    ("ground", "closed"),
    [("6x7", True), full("graph:king:7x7", True), full("graph:king:7x7", False), ("5x8", False)],
)
def test_estimates_have_the_states_of_a_sweep_that_ends_soon(ground: str, closed: bool) -> None:
    problem = TourProblem(ground, closed=closed)
    expected = FrontierEngine().estimate(problem, Settings())
    assert expected is not None
    counted = FrontierEngine().count(problem, Settings())
    assert round(expected.states) == counted.details["peak_states"]


@pytest.mark.parametrize(
    ("ground", "closed"),
    [
        ("6x8", True),
        ("5x12", True),
        ("5x8", False),
        ("graph:king:7x7", True),
        ("graph:hypercube:5", True),
        full("6x10", True),
        full("7x8", True),
        full("graph:king:8x8", False),
        full("graph:grid:3x4x5", True),
        full("graph:random-regular:4,44,2", True),
        full("graph:kneser:7,3", True),
    ],
)
@pytest.mark.parametrize("probed", [1 << 19, 1 << 22])
def test_estimates_by_a_short_beginning_are_right_within_a_factor_of_six(
    ground: str, closed: bool, probed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On boards a hundredth of the predicted states come up at first: the rest does not follow them."""
    monkeypatch.setattr("ktsolve.engines.frontier.sweep._PROBED", probed)
    problem = TourProblem(ground, closed=closed)
    expected = ENGINE.estimate(problem, Settings(threads=1))
    counted = ENGINE.count(problem, Settings(threads=1)).details
    assert expected is not None
    assert 1 / 6 < expected.states / counted["peak_states"] < 6


def test_estimates_of_longer_sweeps_follow_their_beginning() -> None:
    problem = TourProblem("graph:king:8x8", closed=False)
    engine = FrontierEngine()
    begun, modelled = engine.estimate(problem, Settings()), engine.rough_estimate(problem, Settings())
    assert begun is not None
    assert modelled is not None
    assert 29_000 < modelled.states < 200_000 < begun.states < 1_200_000  # it has 400,000
