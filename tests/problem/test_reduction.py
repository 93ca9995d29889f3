"""Reduction of graphs: cycles of the parts against all cycles, refutations against their definitions."""

from __future__ import annotations

import itertools
import math
import random
import time
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise, permutations
from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import full
from strategies import examples

from ktsolve.base.limits import Settings
from ktsolve.engines.registry import engine_named, engines_for
from ktsolve.graphs.graph import Graph, Vertex
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.reduction import GraphRefutation, Reduction, reduce
from ktsolve.tasks.count import count
from ktsolve.tasks.find import find, find_all

Edge = tuple[int, int]
Cycle = frozenset[Edge]


def cycles_of(graph: CycleGraph) -> set[Cycle]:
    """All Hamiltonian cycles through the required edges, as sets of edges, by plain backtracking."""
    around: list[list[int]] = [[] for _ in range(graph.vertices)]
    for u, v in graph.pairs:
        around[u].append(v)
        around[v].append(u)
    needed = {edge for edge, required in graph.needed.items() if required}
    found: set[Cycle] = set()
    walk, on = [0], {0}

    def extend() -> None:
        if len(walk) == graph.vertices:
            if 0 in around[walk[-1]] and len(walk) > 2:
                cycle = frozenset((min(p), max(p)) for p in pairwise([*walk, 0]))
                if needed <= cycle:
                    found.add(cycle)
            return
        for other in around[walk[-1]]:
            if other not in on:
                walk.append(other)
                on.add(other)
                extend()
                on.discard(walk.pop())

    if graph.vertices > 2:
        extend()
    return found


def graph_of(n: int, edges: Any, required: Any = ()) -> CycleGraph:
    pairs = sorted({(min(e), max(e)) for e in edges})
    return CycleGraph(n, np.array(pairs), np.array([pair in set(required) for pair in pairs]))


def in_order(cycle: Cycle) -> list[int]:
    around: dict[int, list[int]] = {}
    for u, v in cycle:
        around.setdefault(u, []).append(v)
        around.setdefault(v, []).append(u)
    walk = [*around][:1]
    while len(walk) < len(around):
        one, other = around[walk[-1]]
        walk.append(other if one in walk[-2:-1] else one)
    return walk


def lifted(reduction: Reduction) -> list[Cycle]:
    """The cycles of the parts, lifted in all combinations."""
    lists = [[in_order(cycle) for cycle in cycles_of(part.graph)] for part in reduction.parts]
    found = [cycle for chosen in itertools.product(*lists) for cycle in reduction.lifts(chosen)]
    return [frozenset((min(p), max(p)) for p in pairwise([*cycle, cycle[0]])) for cycle in found]


def confirm(graph: CycleGraph, reduction: Reduction, refutation: GraphRefutation) -> None:
    """Check the evidence: in the graph without deleted edges and with fixed ones required, or as given."""
    on = refutation.vertices
    for direct in [False, True][: 1 + refutation.direct]:
        pairs, required = graph.edges, graph.required
        if not direct:
            pairs, required = pairs[reduction.deleted == 0], (reduction.fixed != 0)[reduction.deleted == 0]
        left = networkx.Graph(pairs.tolist())
        left.add_nodes_from(range(graph.vertices))
        forced = networkx.Graph(pairs[required].tolist())
        forced.add_nodes_from(range(graph.vertices))
        if refutation.theorem == "size":
            assert graph.vertices < 3
        elif refutation.theorem == "degrees" and direct:
            assert left.degree(on[0]) < 2
        elif refutation.theorem == "forced edges" and direct:
            assert forced.degree(on[0]) > 2
        elif refutation.theorem == "forced cycle" and on:
            assert all(forced.has_edge(u, v) for u, v in pairwise([*on, on[0]]))
            assert 2 < len(on) < graph.vertices
        elif refutation.theorem in ("connectivity", "bridge", "cut vertex", "separator") or (
            refutation.theorem == "neighbours" and on
        ):
            separator = on[:1] if refutation.theorem == "bridge" else on
            if refutation.theorem == "bridge" and direct:
                assert on in set(networkx.bridges(left)) | {(v, u) for u, v in networkx.bridges(left)}
            inner = forced.subgraph(separator).number_of_edges() if separator else 0
            left.remove_nodes_from(separator)
            parts = {tuple(sorted(part)) for part in networkx.connected_components(left)}
            assert len(parts) > (len(separator) - inner if separator else 1)
            if not direct:
                assert parts == set(refutation.components)
    assert refutation.reason()


# -- random graphs -------------------------------------------------------------------------------------------


def glued(chance: random.Random) -> tuple[int, set[Edge]]:
    """A cycle with chords, to which small graphs are glued at two vertices, and sometimes at one."""
    n = chance.randrange(3, 7)
    order = chance.sample(range(n), n)
    edges = set(pairwise([*order, order[0]]))
    edges |= {(a, b) for a, b in combinations(range(n), 2) if chance.random() < 0.3}
    for _ in range(chance.randrange(4)):
        joints = chance.sample(range(n), chance.choice([2, 2, 2, 2, 1]))
        new = list(range(n, n + chance.randrange(1, 4)))
        n += len(new)
        inner = [pair for pair in combinations([*joints, *new], 2) if set(pair) != set(joints)]
        edges |= {pair for pair in inner if chance.random() < 0.8}
        if chance.random() < 0.5 and len(joints) == 2:
            edges -= {tuple(joints), tuple(reversed(joints))}
    return n, {(min(edge), max(edge)) for edge in edges}


def drawn(seed: int) -> CycleGraph:
    chance = random.Random(seed)
    kind = seed % 4
    if kind == 0:
        n, density = chance.randrange(3, 9), chance.random()
        edges = {pair for pair in combinations(range(n), 2) if chance.random() < density}
    elif kind == 1:  # sparse, with chains
        n = chance.randrange(4, 11)
        order = chance.sample(range(n), n)
        edges = set(pairwise([*order, order[0]]))
        edges |= {pair for pair in combinations(range(n), 2) if chance.random() < 2 / n}
    else:
        n, edges = glued(chance)
    required = chance.choice([0, 0, 0.05, 0.2])
    sorted_edges = sorted({(min(edge), max(edge)) for edge in edges})
    return graph_of(n, sorted_edges, {edge for edge in sorted_edges if chance.random() < required})


@pytest.mark.parametrize("number", [250, full(2000)])
def test_random_graphs_of_many_kinds(number: int) -> None:
    seen: dict[str, int] = {}
    for seed in range(number):
        graph = drawn(seed)
        right, found = cycles_of(graph), reduce(graph)
        if found.refutation is not None:
            assert not right, seed
            confirm(graph, found, found.refutation)
            what = found.refutation.theorem + (", direct" if found.refutation.direct else "")
        else:
            combined = lifted(found)
            assert len(combined) == len(set(combined)) == len(right), seed
            assert set(combined) == right, seed
            what = "split" if len(found.parts) > 1 else "reduced" if found.steps else "as it was"
            for cycle in right:
                fixed = zip(graph.pairs, found.fixed.tolist(), strict=True)
                assert all(edge in cycle for edge, flag in fixed if flag)
        seen[what] = seen.get(what, 0) + 1
    theorems = ("degrees", "forced edges", "forced cycle", "cut vertex", "separator")
    assert {what.removesuffix(", direct") for what in seen} == {*theorems, "split", "reduced", "as it was"}
    assert {f"{theorem}, direct" for theorem in theorems} - seen.keys() <= {"forced cycle, direct"}
    assert min(seen["split"], seen["reduced"], seen["as it was"]) >= number // 80


def test_required_edges_that_close_a_cycle() -> None:
    triangle = [(0, 1), (1, 2), (0, 2)]
    graph = graph_of(6, combinations(range(6), 2), triangle)
    found = reduce(graph)
    assert found.refutation is not None
    assert (found.refutation.theorem, found.refutation.direct) == ("forced cycle", True)
    assert sorted(found.refutation.vertices) == [0, 1, 2]
    confirm(graph, found, found.refutation)


def test_vertices_with_too_few_neighbours() -> None:
    herschel = [
        (0, 1),
        (0, 3),
        (0, 4),
        (1, 2),
        (1, 5),
        (1, 6),
        (2, 3),
        (2, 7),
        (3, 8),
        (3, 9),
        (4, 5),
        (4, 9),
    ]
    herschel += [(5, 10), (6, 7), (6, 10), (7, 8), (8, 10), (9, 10)]
    cases = [
        (11, herschel, []),
        (9, combinations_between(range(4), range(4, 9)), []),
        # Ten independent vertices and ten others that have edges among themselves, one of them required.
        (20, {*combinations(range(10), 2), *combinations_between(range(10), range(10, 20))}, [(0, 1)]),
    ]
    for n, edges, required in cases:
        graph = graph_of(n, edges, required)
        found = reduce(graph)
        assert found.refutation is not None
        assert found.refutation.theorem == "neighbours"
        assert len(found.refutation.components) > 4
        assert found.refutation.direct
        confirm(graph, found, found.refutation)
    balanced = graph_of(20, {*combinations(range(10), 2), *combinations_between(range(10), range(10, 20))})
    assert reduce(balanced).refutation is None


def combinations_between(some: Any, others: Any) -> set[Edge]:
    return set(itertools.product(some, others))


def test_graphs_in_two_pieces() -> None:
    pieces = networkx.disjoint_union(networkx.complete_graph(4), networkx.complete_graph(5))
    for joined, theorem in (((), "connectivity"), ([(0, 4)], "bridge"), ([(0, 4), (0, 5)], "cut vertex")):
        pieces.add_edges_from(joined)
        graph = graph_of(9, pieces.edges)
        found = reduce(graph)
        assert found.refutation is not None
        assert (found.refutation.theorem, found.refutation.direct) == (theorem, True)
        assert len(found.refutation.components) == 2
        confirm(graph, found, found.refutation)


def inflated(seed: int) -> CycleGraph:
    """A graph in which a few vertices of degree 3 have become small graphs."""
    chance = random.Random(seed)
    bases = [networkx.complete_graph(4), networkx.complete_bipartite_graph(3, 3), networkx.cubical_graph()]
    graph: networkx.Graph[int] = networkx.Graph(chance.choice(bases))
    for _ in range(chance.randrange(1, 3)):
        centre = chance.choice([v for v in graph if graph.degree(v) == 3])
        outer, low = list(graph.neighbors(centre)), max(graph) + 1
        inner = list(range(low, low + chance.randrange(3, 6)))
        graph.remove_node(centre)
        graph.add_edges_from(pairwise(inner))
        graph.add_edges_from(pair for pair in combinations(inner, 2) if chance.random() < 0.6)
        graph.add_edges_from(zip(outer, chance.sample(inner, 3), strict=True))
    edges = networkx.convert_node_labels_to_integers(graph).edges
    return graph_of(len(graph), edges, [e for e in edges if chance.random() < 0.02])


@pytest.mark.parametrize("number", [80, full(400)])
@pytest.mark.parametrize("counting", [False, True])
def test_cuts_of_three_edges(counting: bool, number: int) -> None:
    seen: set[str] = set()
    bundles = 0
    for seed in range(number):
        graph = inflated(seed)
        right, found = cycles_of(graph), reduce(graph, counting=counting)
        seen |= {step.partition(" at ")[2] for step in found.steps if "at cuts" in step}
        bundles += len(found.bundles)
        if found.refutation is not None:
            assert not right, seed
            confirm(graph, found, found.refutation)
            continue
        combined = lifted(found)
        assert len(combined) == len(right), seed
        assert set(combined) == right, seed
        if counting:
            assert found.factor * math.prod(len(cycles_of(each.graph)) for each in found.parts) == len(right)
    assert bundles > number // 4
    assert seen == {"cuts of three edges, which no path avoids", "cuts of three edges, which no path uses"}


def with_large_sides(seed: int) -> CycleGraph:
    """A cubic graph in which narrow graphs of 25 vertices or more take the place of some vertices."""
    chance = random.Random(seed)
    graph: networkx.Graph[int] = networkx.Graph(
        chance.choice([networkx.complete_graph(4), networkx.cubical_graph(), networkx.petersen_graph()])
    )
    for centre in chance.sample(sorted(graph), chance.randrange(1, 4)):
        outer, low = list(graph.neighbors(centre)), max(graph) + 1
        # Of the first one as many cycles avoid each edge of a vertex.
        drawn = chance.randrange(13, 19), chance.randrange(1, 4), chance.randrange(4)
        n, k, chords = chance.choice([(15, 2, 0), drawn])
        numbers = {v: low + v for v in range(2 * n)}
        piece = networkx.relabel_nodes(generalised_petersen(n, k), numbers)
        inner = list(piece.neighbors(low))
        piece.remove_node(low)
        for u in chance.sample(sorted(piece), chords):
            piece.add_edge(u, low + 1 + (u - low) % n)
        graph.remove_node(centre)
        graph.update(piece)
        graph.add_edges_from(zip(outer, inner, strict=True))
    edges = networkx.convert_node_labels_to_integers(graph).edges
    return graph_of(len(graph), (each for each in edges if each[0] != each[1]))


@pytest.mark.parametrize("number", [15, full(200)])
@pytest.mark.parametrize("counting", [False, True])
def test_cuts_of_three_edges_with_many_vertices_behind(counting: bool, number: int) -> None:
    sweep, large = engine_named("frontier"), 0
    for seed in range(number):
        graph = with_large_sides(seed)
        right, found = sweep.count(graph.problem(), Settings()).count, reduce(graph, counting=counting)
        large += any(len(each.part.vertices) > 25 for each in found.bundles)
        if found.refutation is not None:
            assert right == 0, seed
            continue
        cycles = [sweep.construct(each.graph.problem(), Settings()) for each in found.parts]
        assert all(cycles) == (right > 0), seed
        if right:
            order = found.lift([each.indices for each in cycles if each is not None])
            pairs = {tuple(sorted(pair)) for pair in zip(order, [*order[1:], order[0]], strict=True)}
            assert sorted(order) == list(range(graph.vertices))
            assert pairs <= set(map(tuple, graph.edges.tolist())), seed
        if counting:
            counts = (sweep.count(each.graph.problem(), Settings()).count for each in found.parts)
            assert found.factor * math.prod(counts) == right, seed
    assert large > (0 if counting else number // 3)


@pytest.mark.parametrize("numbers", ["4,45", full("17,279"), full("100,45,1")])
def test_graphs_put_together_at_vertices_come_apart(numbers: str) -> None:
    graph = named_graph(f"three-cycles:{numbers}")
    assert count(TourProblem(graph, closed=True)).count == 3
    found = find(TourProblem(graph, closed=True))
    assert found.tour is not None
    assert found.tour.valid


@st.composite
def graphs(draw: st.DrawFn) -> CycleGraph:
    n = draw(st.integers(1, 7))
    pairs = list(combinations(range(n), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, min_size=n)) if len(pairs) > n else pairs
    required = draw(st.lists(st.sampled_from(edges), unique=True, max_size=2)) if edges else []
    return graph_of(n, edges, required)


@given(graphs())
@examples(300)
def test_drawn_graphs(graph: CycleGraph) -> None:
    found = reduce(graph)
    right = cycles_of(graph)
    assert (set(lifted(found)) if found.refutation is None else set()) == right


# -- families ------------------------------------------------------------------------------------------------


def closed(given: networkx.Graph[Any]) -> TourProblem:
    return TourProblem(board=Graph.of(given), closed=True)


def generalised_petersen(n: int, k: int) -> networkx.Graph[Any]:
    graph: networkx.Graph[Any] = networkx.Graph()
    for i in range(n):
        graph.add_edges_from([(i, (i + 1) % n), (i, n + i), (n + i, n + (i + k) % n)])
    return graph


def outerplanar(n: int, chance: random.Random) -> networkx.Graph[Any]:
    """A cycle with chords that do not cross."""
    graph = networkx.cycle_graph(n)
    intervals = [(0, n - 1)]
    while intervals:
        low, high = intervals.pop()
        if high - low < 2:
            continue
        middle = chance.randrange(low + 1, high)
        for pair in ((low, middle), (middle, high)):
            if chance.random() < 0.9:
                graph.add_edge(*pair)
            intervals.append(pair)
    return graph


def series_parallel(steps: int, chance: random.Random) -> networkx.Graph[Any]:
    graph: networkx.Graph[Any] = networkx.Graph([(0, 1), (1, 2), (0, 2)])
    for new in range(3, steps):
        u, v = chance.choice(sorted(graph.edges))
        if chance.random() < 0.5:
            graph.remove_edge(u, v)
        graph.add_edges_from([(u, new), (new, v)])
    return graph


def halin(leaves: int, chance: random.Random) -> networkx.Graph[Any]:
    """A random tree without vertices of degree 2, its leaves joined in a cycle."""
    children: dict[int, list[int]] = {0: [1, 2, 3]}
    ends = [1, 2, 3]
    number = 4
    while len(ends) < leaves:
        grown = chance.randrange(len(ends))
        new = list(range(number, number + chance.randrange(2, 4)))
        number += len(new)
        children[ends[grown]] = new
        ends[grown : grown + 1] = new
    graph: networkx.Graph[Any] = networkx.Graph((v, child) for v, each in children.items() for child in each)
    graph.add_edges_from(pairwise([*ends, ends[0]]))
    return graph


def test_outerplanar_and_series_parallel_graphs_have_one_cycle_or_none_and_need_no_engine() -> None:
    chance = random.Random(5)
    numbers = set()
    for _ in range(40):
        for problem in map(closed, (outerplanar(40, chance), series_parallel(40, chance))):
            answer = count(problem)
            assert answer.engine in ("reduction", "arithmetic")
            assert answer.count in (0, 1)
            assert engine_named("frontier").count(problem, Settings()).count == answer.count
            numbers.add(answer.count)
    assert numbers == {0, 1}
    assert count(closed(outerplanar(5000, chance))).count == 1


def test_graphs_with_known_numbers() -> None:
    assert [count(closed(networkx.ladder_graph(n))).count for n in (2, 3, 10, 3000)] == [1, 1, 1, 1]
    assert [count(closed(networkx.circular_ladder_graph(n))).count for n in (3, 4, 5, 10)] == [3, 6, 5, 12]
    assert [count(closed(networkx.wheel_graph(n))).count for n in (4, 5, 9)] == [3, 4, 8]
    assert [count(closed(generalised_petersen(n, 2))).count for n in (7, 9, 11, 17)] == [7, 3, 0, 0]
    assert count(closed(networkx.tutte_graph())).count == 0


def test_halin_graphs() -> None:
    chance = random.Random(3)
    for leaves in (4, 8, 12, 40):
        problem = closed(halin(leaves, chance))
        assert find(problem).found
        found = count(problem).count
        assert found == engine_named("frontier").count(problem, Settings()).count > 0


def test_a_tree_is_refuted_however_it_is_pruned() -> None:
    # Caterpillars: with a second edge at every leaf, bridges and cut vertices are what remains.
    path = networkx.path_graph(30)
    caterpillar = path.copy()
    caterpillar.add_edges_from((v, 100 + v) for v in range(30))
    triangles = path.copy()
    triangles.add_edges_from(
        edge for v in range(30) for edge in ((v, 100 + v), (100 + v, 200 + v), (200 + v, v))
    )
    blocks = networkx.Graph(
        (5 * i + u, 5 * i + v) for i in range(6) for u, v in networkx.complete_graph(6).edges
    )
    for problem in map(closed, (path, caterpillar, triangles, blocks)):
        graph = CycleGraph.of(problem)
        found = reduce(graph)
        assert found.refutation is not None
        confirm(graph, found, found.refutation)
        assert not find(problem).found
    assert found.refutation is not None
    assert found.refutation.theorem == "cut vertex"


def necklace(pearls: int) -> networkx.Graph[Any]:
    """Complete graphs on five vertices in a ring, neighbours with a common vertex: 6 paths through each."""
    graph: networkx.Graph[Any] = networkx.Graph()
    for i in range(pearls):
        ends = [("joint", i), ("joint", (i + 1) % pearls)]
        graph.add_edges_from(combinations([*ends, (i, 0), (i, 1), (i, 2)], 2))
    return graph


@pytest.mark.parametrize("pearls", [3, 7, 200])
def test_numbers_of_parts_multiply(pearls: int) -> None:
    problem = closed(necklace(pearls))
    for engine in ("auto", "frontier", "search"):
        assert count(problem, engine).count == 6**pearls
    assert find(problem).found
    some = list(find_all(problem, number=10))
    assert len({tour.normalised().squares for tour in some}) == 10
    if pearls == 3:
        listed = [tour.normalised().squares for tour in find_all(problem)]
        assert len(listed) == len(set(listed)) == 6**3


def test_cycles_come_before_all_parts_are_listed() -> None:
    big = networkx.complete_graph(14)
    graph = networkx.Graph(big.edges)
    graph.add_edges_from((u + 100 if u > 1 else u, v + 100 if v > 1 else v) for u, v in big.edges)
    tours = find_all(closed(graph))
    assert len({next(tours).normalised().squares for _ in range(5)}) == 5


# -- through the tasks ---------------------------------------------------------------------------------------


def tours_by_definition(problem: TourProblem) -> Iterator[tuple[Vertex, ...]]:
    graph = problem.ground
    for order in permutations(graph.cells):
        steps = list(pairwise(order)) + ([(order[-1], order[0])] if problem.closed else [])
        if problem.closed and (len(order) < 3 or order[0] != graph.cells[0]):
            continue
        if not all(graph.adjacent(u, v) for u, v in steps):
            continue
        yield order


@st.composite
def questions(draw: st.DrawFn) -> TourProblem:
    n, directed = draw(st.integers(2, 6)), draw(st.booleans())
    pairs = list(permutations(range(n), 2)) if directed else list(combinations(range(n), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, min_size=min(len(pairs), n)))
    graph = Graph([f"v{i}" for i in range(n)], edges, directed=directed)
    conditions: dict[str, Any] = {}
    if draw(st.booleans()):
        conditions["require"] = [draw(st.sampled_from(graph.moves))]
    if draw(st.booleans()):
        conditions["start"] = draw(st.sampled_from(graph.cells))
    is_closed = draw(st.booleans())
    if not is_closed and draw(st.booleans()):
        conditions["end"] = draw(st.sampled_from([v for v in graph.cells if v != conditions.get("start")]))
    return TourProblem(board=graph, closed=is_closed, **conditions)


@given(questions())
@examples(250)
def test_open_and_directed_tours_against_all_orders_of_the_vertices(problem: TourProblem) -> None:
    from ktsolve.graphs.tour import Tour

    right = set()
    for order in tours_by_definition(problem):
        tour = Tour(problem.ground, order, problem.closed)
        if any(True for _ in problem.labelings(tour)):
            right.add(tour.normalised().squares)
    for engine in ("auto", "search", "sat"):
        listed = [tour.normalised().squares for tour in find_all(problem, engine)]
        assert len(listed) == len(right)
        assert set(listed) == right
    for engine in ("auto", *(set(engines_for("count", problem)) - {"cpsat"})):
        assert count(problem, engine).count == len(right), engine
    found = find(problem)
    assert found.found == bool(right)
    assert found.found or found.reason


def test_what_the_reduction_says() -> None:
    said: list[str] = []
    settings = Settings(remark=said.append)
    count(closed(necklace(3)), settings=settings)
    assert "reduction: split at 2 pairs of vertices that separate the graph" in said
    assert said[-1].startswith("search answered after")
    said.clear()
    answer = find(closed(networkx.complete_bipartite_graph(2, 3)), settings=settings)
    assert not answer.found
    graph = networkx.Graph([("hub", 0), ("hub", 1), (0, 1), ("hub", 2), ("hub", 3), (2, 3)])
    answer = find(closed(graph), settings=settings)
    assert (answer.engine, answer.reason) != ("", "")


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        # Made in the test: every process that collects tests evaluates its parameters.
        (lambda: networkx.random_regular_graph(3, 5000, seed=1), 0.3),
        full(lambda: networkx.gnm_random_graph(2000, 100_000, seed=1), 1.0),
        full(lambda: networkx.random_regular_graph(4, 50_000, seed=1), 1.5),
        (lambda: necklace(4000), 0.5),
        full(lambda: networkx.ladder_graph(50_000), 0.5),
    ],
    ids=["cubic", "dense", "four-regular", "necklace", "ladder"],
)
def test_large_graphs_take_little_time(given: Callable[[], networkx.Graph[Any]], seconds: float) -> None:
    graph = CycleGraph.of(closed(given()))
    started = time.process_time()
    assert reduce(graph).refutation is None
    assert time.process_time() - started < 3 * seconds  # the machine may be busy


@pytest.mark.full
def test_verbose_names_each_step() -> None:
    from command import process

    said = process("count", "graph:ladder:30", "--verbose")
    assert (said.status, said.out) == (0, "closed graph of 60 vertices and 88 edges: 1 undirected tour\n")
    lines = said.err.splitlines()
    assert "reduction: required 60 edges at vertices of degree 2" in lines
    assert "reduction: nothing is left: there is one cycle" in lines
    assert "reduction: " not in process("count", "graph:ladder:30").err


def test_one_vertex_that_is_both_ends_has_one_edge() -> None:
    for directed in (False, True):
        graph = Graph("a", [], directed=directed)
        problem = TourProblem(board=graph, closed=False, start="a", end="a")
        pairs = CycleGraph.of(problem).pairs
        assert len(pairs) == len(set(pairs))
        assert find(problem).found
    plain = CycleGraph.of(TourProblem(board=Graph("a", []), closed=False, start="a", end="a"))
    refutation = reduce(plain).refutation
    assert refutation is not None
    assert refutation.theorem == "size"


def test_reasons_about_directed_graphs_count_and_name_their_own_vertices() -> None:
    """The reduction sees each vertex twice, and for an open tour one more."""
    short = Graph("abcd", ["ab", "ac", "bc", "bd", "db"], directed=True)
    reason = find(TourProblem(board=short, closed=False)).reason
    assert " a cycle of 3 vertices through the entry of a before" in reason
    edges = [(0, 2), (0, 3), (0, 8), (1, 3), (1, 4), (1, 5), (1, 8), (2, 0), (2, 7), (3, 2), (3, 4), (3, 8)]
    edges += [(4, 2), (4, 8), (5, 3), (5, 6), (5, 8), (6, 0), (6, 1), (6, 4), (6, 7), (6, 8), (7, 2), (7, 5)]
    low = Graph("abcdefghi", [*edges, (7, 6), (7, 8), (8, 4)], directed=True)
    assert "the entry of a has fewer than two edges left" in find(TourProblem(board=low, closed=True)).reason
