"""Tours of bare graphs up to automorphism: against lists of tours, and known numbers of classes."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, refusal

from ktsolve.engines.registry import engines_for
from ktsolve.graphs.graph import Graph, Move
from ktsolve.graphs.groups import automorphism_group, burnside, conjugacy_classes, generate, generators_of
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.count import count
from ktsolve.tasks.count_tables import MOST_AUTOMORPHISMS
from ktsolve.tasks.find import find_all

KNOWN = {
    # Hamiltonian cycles in all, and up to automorphism.
    "K4": (networkx.complete_graph(4), 3, 1),
    "K7": (networkx.complete_graph(7), 360, 1),
    "K(4,4)": (networkx.complete_bipartite_graph(4, 4), 72, 1),
    "cube": (networkx.hypercube_graph(3), 6, 1),
    "4-cube": (networkx.hypercube_graph(4), 1344, 9),  # OEIS A159344
    "5-cube": (networkx.hypercube_graph(5), 906545760, 237675),
    "dodecahedron": (networkx.dodecahedral_graph(), 30, 1),  # Hamilton's game
    "Petersen": (networkx.petersen_graph(), 0, 0),
    "cycle": (networkx.cycle_graph(30), 1, 1),
}


@pytest.mark.parametrize("name", list(KNOWN))
def test_known_numbers(name: str) -> None:
    whole, number, classes = KNOWN[name]
    found = count(TourProblem(board=Graph.of(whole), closed=True), by="symmetry")
    assert (found.count, found.classes) == (number, classes)


def test_paths_and_directions() -> None:
    # A Hamiltonian path of a complete graph is any order of its vertices, in one of two directions.
    found = count(TourProblem(board=Graph.of(networkx.complete_graph(6)), closed=False), by="symmetry")
    assert (found.count, found.classes, found.order) == (360, 1, 720)
    ring = networkx.DiGraph((i, (i + step) % 8) for i in range(8) for step in (1, 3))
    found = count(TourProblem(board=Graph.of(ring), closed=True), by="symmetry")
    assert found.order % 8 == 0
    assert found.classes == classes_by_listing(TourProblem(board=Graph.of(ring), closed=True))


def order_of_group(graph: Graph) -> int:
    edges = [(u, v) for u, v in graph.edges.tolist()]
    return automorphism_group(len(graph), edges, directed=graph.directed).order


def group_of(graph: Graph) -> list[tuple[int, ...]]:
    edges = [(u, v) for u, v in graph.edges.tolist()]
    group = automorphism_group(len(graph), edges, directed=graph.directed)
    return generate(list(group.generators) or [tuple(range(len(graph)))])


def classes_by_listing(problem: TourProblem) -> int:
    """The number of orbits of the set of listed tours, each as its set of moves."""
    graph = problem.ground
    group = [
        images
        for images in _networkx_automorphisms(graph)
        if all(map_moves(images, graph, moves) == moves for moves in (problem.require, problem.forbid))
        and all(
            images[graph.place(v)] == graph.place(v) for v in (problem.start, problem.end) if v is not None
        )
    ]
    left = {tour.moves for tour in find_all(problem, "search")}
    number = 0
    while left:
        number += 1
        one = next(iter(left))
        left -= {map_moves(images, graph, one) for images in group}
    return number


def map_moves(images: tuple[int, ...], graph: Graph, moves: frozenset[Move]) -> frozenset[Move]:
    to = dict(zip(graph.cells, graph.cells_of(images), strict=True))
    return frozenset(graph.edge(to[u], to[v]) for u, v in moves)


def _networkx_automorphisms(graph: Graph) -> list[tuple[int, ...]]:
    whole: Any = networkx.DiGraph() if graph.directed else networkx.Graph()
    whole.add_nodes_from(graph.cells)
    whole.add_edges_from(graph.moves)
    kind = networkx.isomorphism.DiGraphMatcher if graph.directed else networkx.isomorphism.GraphMatcher
    found = kind(whole, whole).isomorphisms_iter()
    return [tuple(graph.place(each[v]) for v in graph.cells) for each in found]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Graphs with symmetries: circulants, products, unions and random ones."""
    n = draw(st.integers(3, 8))
    directed = draw(st.booleans())
    pairs: set[tuple[int, int]] = set()
    if draw(st.booleans()):
        for step in draw(st.lists(st.integers(1, n - 1), unique=True, min_size=1, max_size=3)):
            pairs |= {(i, (i + step) % n) for i in range(n)}
    pairs |= set(draw(st.lists(st.sampled_from(list(combinations(range(n), 2))), max_size=n)))
    number = draw(st.permutations(range(n)))
    return Graph([f"v{i}" for i in range(n)], [(number[a], number[b]) for a, b in pairs], directed=directed)


@given(graphs())
@examples(150)
def test_automorphisms_are_those_of_networkx(graph: Graph) -> None:
    ours = group_of(graph) if order_of_group(graph) <= 200 else []
    if not ours:
        return
    assert sorted(ours) == sorted(_networkx_automorphisms(graph))
    edges = [(u, v) for u, v in graph.edges.tolist()]
    assert automorphism_group(len(graph), edges, directed=graph.directed).order == len(ours)
    some = generators_of(ours)
    assert sorted(generate(some)) == sorted(ours)
    assert conjugacy_classes(some) == conjugacy_classes(ours)


@given(graphs(), st.booleans(), st.data())
@examples(80)
def test_classes_are_those_of_the_listed_tours(graph: Graph, closed: bool, data: st.DataObject) -> None:
    if order_of_group(graph) > 300 or not graph.moves:
        return
    require = data.draw(st.lists(st.sampled_from(graph.move_names), unique=True, max_size=2))
    start = data.draw(st.sampled_from([None, *graph.names]))
    problem = TourProblem(board=graph, closed=closed, require=require, start=None if closed else start)
    found = count(problem, by="symmetry")
    assert found.classes == classes_by_listing(problem)
    assert found.order == sum(row.multiplicity for row in found.rows)
    assert len({row.key for row in found.rows}) == len(found.rows)


def test_too_many_automorphisms_are_refused() -> None:
    problem = TourProblem(board=Graph.of(networkx.complete_graph(12)), closed=True)
    assert refusal(count, problem, by="symmetry") == (
        "the graph has 479,001,600 automorphisms: tours are counted up to symmetry for at most 100,000"
    )
    assert MOST_AUTOMORPHISMS == 100_000


def test_nauty_finds_the_same_groups() -> None:
    pynauty = pytest.importorskip("pynauty", reason="the extra nauty is not installed")
    chance = random.Random(3)
    for _ in range(30):
        whole = networkx.gnm_random_graph(12, chance.randrange(8, 30), seed=chance.randrange(10**6))
        around = {v: list(whole[v]) for v in whole}
        _, mantissa, exponent, _, _ = pynauty.autgrp(pynauty.Graph(12, adjacency_dict=around))
        assert automorphism_group(12, list(whole.edges)).order == round(mantissa * 10**exponent)


def test_every_engine_counts_the_identity() -> None:
    problem = TourProblem(board=Graph.of(networkx.octahedral_graph()), closed=True)
    numbers = {count(problem, engine, by="symmetry").classes for engine in engines_for("count", problem)}
    assert numbers == {2}
    lengths = burnside(
        conjugacy_classes(group_of(problem.ground)),
        lambda images: sum(v == image for v, image in enumerate(images)),
    )
    assert lengths == 1  # one orbit of vertices
