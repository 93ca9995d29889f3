"""Hamiltonian cycles and paths of users' graphs, tours of least weight, and tasks on bare graphs."""

from __future__ import annotations

import json
import random
from collections.abc import Hashable
from itertools import pairwise
from pathlib import Path

import networkx
import numpy as np
import pytest
from command import ktsolve as ktsolve_command
from marks import full
from random_graphs import orders, random_graph
from strategies import refusal

import ktsolve
from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.engines.registry import engines_for
from ktsolve.graphs.graph import Graph
from ktsolve.problem.conditions import parse_condition
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import Statistic, parse_objective
from ktsolve.tasks.best import best
from ktsolve.tasks.count import count
from ktsolve.tasks.explain import find_conflict
from ktsolve.tasks.find import find_all

KINDS = (networkx.Graph, networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph)


def drawn(chance: random.Random) -> networkx.Graph[Hashable]:
    """A random graph of networkx with nodes of several kinds."""
    kind = chance.choice(KINDS)
    n = chance.randint(1, 6)
    nodes = chance.sample(["a", "b c", 3, (1, 2), frozenset({1}), "1", 1, -7.5, "None"], n)
    graph = kind()
    graph.add_nodes_from(nodes)
    for u in nodes:
        graph.add_edges_from((u, v) for v in nodes if chance.random() < 0.5)
    return graph


@pytest.mark.parametrize(("seed", "number"), [(0, 20), full(0, 80), full(1, 80)])
def test_cycles_and_paths_of_random_graphs_of_networkx(seed: int, number: int) -> None:
    chance = random.Random(seed)
    found = 0
    for _ in range(number):
        given = drawn(chance)
        graph = Graph.of(given)
        nodes = list(given.nodes)
        cycles = {order[0] for order in orders(graph, closed=True)}
        paths = list(orders(graph, closed=False))
        cycle, answer = ktsolve.hamiltonian_cycle(given), ktsolve.is_hamiltonian(given)
        assert bool(answer) == (cycle is not None) == bool(cycles)
        if cycle is not None:
            found += 1
            assert sorted(map(repr, cycle)) == sorted(map(repr, nodes))
            assert all(given.has_edge(u, v) for u, v in pairwise([*cycle, cycle[0]]))
        else:
            assert answer.reason
        once = 1 if given.is_directed() or len(nodes) == 1 else 2
        number = sum(1 for order in orders(graph, closed=True) if order[0] == nodes[0])
        assert ktsolve.count_hamiltonian_cycles(given) == number // once
        assert ktsolve.count_hamiltonian_paths(given) == len(paths) // once
        source, target = chance.choice(nodes), chance.choice(nodes)
        for ends in ({}, {"source": source}, {"target": target}, {"source": source, "target": target}):
            right = [
                path
                for path in paths
                if path[0] == ends.get("source", path[0]) and path[-1] == ends.get("target", path[-1])
            ]
            path = ktsolve.hamiltonian_path(given, **ends)
            assert path is None if not right else tuple(path or ()) in right
            assert ktsolve.count_hamiltonian_paths(given, **ends) == (len(right) // (1 if ends else once))
    assert found > number // 8


@pytest.mark.parametrize(
    ("given", "cycle", "paths"),
    [
        (networkx.empty_graph(1), None, 1),
        (networkx.complete_graph(2), None, 1),
        (networkx.complete_graph(2, create_using=networkx.DiGraph), None, 2),
        (networkx.empty_graph(2), None, 0),
        (networkx.Graph([("a", "a")]), None, 1),
        (networkx.DiGraph([("a", "a"), ("a", "b")]), None, 1),
        (networkx.complete_graph(3), 3, 3),
        (networkx.cycle_graph(3, create_using=networkx.DiGraph), 3, 3),
        (networkx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 0), (2, 2)]), 3, 3),
        (np.ones((3, 3)), 3, 3),
        ([(1, 2), (2, 3)], None, 1),
    ],
)
def test_tiny_graphs(given: object, cycle: int | None, paths: int) -> None:
    found = ktsolve.hamiltonian_cycle(given)
    assert (found and len(found)) == cycle
    assert ktsolve.count_hamiltonian_cycles(given) == (cycle is not None)
    assert ktsolve.count_hamiltonian_paths(given) == paths
    assert (ktsolve.hamiltonian_path(given) is not None) == (paths > 0)


def test_refusals() -> None:
    triangle = networkx.complete_graph(3)
    assert "at least one vertex" in refusal(ktsolve.hamiltonian_cycle, networkx.empty_graph(0))
    assert "'x' is not a node" in refusal(ktsolve.hamiltonian_path, triangle, source="x")
    assert "is not a node" in refusal(ktsolve.count_hamiltonian_paths, triangle, target=[])
    assert ktsolve.hamiltonian_path(triangle, 1, 1) is None
    assert ktsolve.count_hamiltonian_paths(triangle, 1, 1) == 0
    with pytest.raises(BadInput, match="the proof is the cycle"):
        ktsolve.is_hamiltonian(triangle).certificate()


@pytest.mark.parametrize(
    "given",
    [
        networkx.petersen_graph(),
        networkx.complete_bipartite_graph(3, 4),
        networkx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 2)]),
    ],
)
def test_a_graph_without_a_cycle_has_a_certificate(given: networkx.Graph[int]) -> None:
    answer = ktsolve.is_hamiltonian(given)
    assert not answer
    assert ktsolve.check_certificate(answer.certificate()) is None


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2))
def test_tours_of_least_and_greatest_weight(seed: int) -> None:
    chance = random.Random(seed)
    answered = 0
    for _ in range(25):
        graph = random_graph(chance, 6, weighted=True)
        assert graph.weights is not None
        weight = dict(zip(graph.moves, graph.weights.tolist(), strict=True))
        first = graph.name(graph.cells[0])
        conditions = (
            parse_condition("range", f"{first}=1..2", graph)
            if chance.random() < 0.3 and len(graph) > 1
            else ()
        )
        problem = TourProblem(board=graph, closed=chance.random() < 0.5, conditions=conditions)
        values = {}
        for order in orders(graph, problem.closed):
            tour = ktsolve.Tour(graph, order, problem.closed)
            value = sum(weight[move] for move in tour.moves)
            assert Statistic("weight").of(tour) == value
            if problem.check(tour) is None:
                values[tour.normalised().squares] = value
        for sense, choose in (("minimise", min), ("maximise", max)):
            for engine in ("cpsat", "sat"):
                found = best(problem, parse_objective(sense, "weight", graph), engine)
                assert (found.tour is None) == (not values)
                assert not values or found.value == found.bound == choose(values.values())
        if not values:
            continue
        answered += 1
        some = chance.choice(list(values.values()))
        for key, number in (
            ("most", sum(value <= some for value in values.values())),
            ("least", sum(value >= some for value in values.values())),
            ("exactly", sum(value == some for value in values.values())),
        ):
            bounded = problem.replace(
                conditions=[*conditions, *parse_condition(key, f"weight={some}", graph)]
            )
            assert {count(bounded, engine).count for engine in engines_for("count", bounded)} == {number}
    assert answered > 5


def test_a_travelling_salesman_between_given_ends_is_proved() -> None:
    chance = np.random.default_rng(3)
    points = chance.integers(0, 1000, (12, 2))
    away = np.rint(np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))).astype(int)
    graph = Graph.from_adjacency(away, weighted=True)
    found = best(TourProblem(board=graph, closed=True), parse_objective("minimise", "weight", graph))
    assert found.optimal
    # Held & Karp's recursion.
    size = len(away)
    least = {(1 << v, v): int(away[0, v]) for v in range(1, size)}
    for seen in range(2, 1 << size, 2):
        for last in range(1, size):
            if seen >> last & 1 and (value := least.get((seen, last))) is not None:
                for v in range(1, size):
                    if not seen >> v & 1:
                        key, longer = (seen | 1 << v, v), value + int(away[last, v])
                        least[key] = min(least.get(key, longer), longer)
    everything = (1 << size) - 2
    assert found.value == min(least[everything, v] + int(away[v, 0]) for v in range(1, size))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: parse_objective("minimise", "weight", Graph("ab", ["ab"])),
            "needs a graph whose edges have",
        ),
        (
            lambda: parse_objective("minimise", "weight", ktsolve.Board.parse("3x4")),
            "have weights, not a 3x4",
        ),
        (lambda: Graph.from_edges([(0, 1, 1.5)]), "not 1.5: multiply and round them"),
        (lambda: parse_condition("most", "weight=x", Graph("ab", ["ab"], weights=[1])), "not understood"),
    ],
)
def test_weights_that_are_none_are_refused(call: object, said: str) -> None:
    assert callable(call)
    assert said in refusal(call)


@pytest.mark.parametrize("directed", [False, full(True)])
def test_tasks_on_a_bare_graph(directed: bool) -> None:
    kind = networkx.DiGraph if directed else networkx.Graph
    given = networkx.gnp_random_graph(7, 0.55, seed=1, directed=directed)
    graph = Graph.of(kind(given))
    problem = TourProblem(board=graph, closed=False)
    number = count(problem).count
    for by in ("start", "ends"):
        classes = count(problem, by=by)
        assert (classes.count, classes.directed) == (number, number * (2 - directed))
    paths = [tuple(tour.squares) for tour in find_all(problem)]
    starts, ends = [0, 1, 2], [2, 3]
    right = [
        path
        for path in paths
        if (path[0] in starts and path[-1] in ends)
        or (not directed and path[-1] in starts and path[0] in ends)
    ]
    between = problem.replace(starts=starts, ends=ends)
    for engine in engines_for("count", problem):
        assert count(between, engine).count == len(right), engine
    several = list(find_all(problem, number=3, diverse=True))
    assert len({tour.normalised().squares for tour in several}) == 3
    assert {tour.normalised().squares for tour in several} <= {
        ktsolve.Tour(graph, path).normalised().squares for path in paths
    }


def test_the_conflict_of_arcs_is_minimal() -> None:
    graph = Graph("abcd", ["ab", "bc", "cd", "da", "ac", "ca", "db"], directed=True)
    problem = TourProblem(board=graph, closed=False, start="b", require=["a->b", "c->d"], at={3: "c"})
    conflict = find_conflict(problem)
    assert (conflict.texts, conflict.minimal) == (("start b", "require a->b"), True)


def test_reasons_are_in_the_terms_of_graphs() -> None:
    arcs = Graph("abcd", ["ab", "bc", "ca", "cd"], directed=True)
    parts = Graph("abcd", ["ab", "ba", "bc", "cd", "dc"], directed=True)
    reasons = {
        "no arc leads out of vertex d (degrees)": TourProblem(board=arcs, closed=True),
        "an open tour cannot end at vertex a: no arcs lead from vertex c to vertex a": TourProblem(
            board=parts, closed=False, end="a"
        ),
        "no arc leads out of vertex d, which is not the last vertex": TourProblem(
            board=arcs, closed=False, end="a"
        ),
        "no arcs lead from vertex c to vertex a": TourProblem(board=parts, closed=True),
        "a required arc leads into vertex b, the first one": TourProblem(
            board=parts, closed=False, start="b", require=["a->b"]
        ),
        "a closed tour needs at least 3 vertices, not 2 (size)": TourProblem(
            board=Graph("ab", ["ab", "ba"], directed=True), closed=True
        ),
        "no edges lead from vertex a to vertex d": TourProblem(
            board=Graph("abcdef", ["ab", "bc", "ca", "de", "ef", "fd"]), closed=False
        ),
        "vertex c has no edge left (degrees)": TourProblem(board=Graph("abc", ["ab"]), closed=False),
    }
    for said, problem in reasons.items():
        assert said in str(problem.obstruction()), said
        assert all(count(problem, engine, Settings()).count == 0 for engine in engines_for("count", problem))


def test_counts_of_digraphs_are_called_directed(tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(Graph("abc", ["ab", "bc", "ca", "ac", "cb"], directed=True).to_json()))
    for arguments, number in ((["--open"], 4), (["--open", "--directed"], 4), ([], 1)):
        for by in ([], ["--by", "endpoints"], ["--by", "start"]) if number > 1 else ([],):
            said = ktsolve_command("count", str(file), *arguments, *by)
            total = said.out.splitlines()[-1]
            assert total.endswith(f": {number} directed tour{'s' if number > 1 else ''}"), said
            data = ktsolve_command("count", str(file), *arguments, *by, "--json").json
            assert (data["count"], data["directed"]) == (str(number), True)
            if by:
                assert sum(int(each["count"]) * each["multiplicity"] for each in data["classes"]) == number
