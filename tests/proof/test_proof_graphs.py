"""Certificates about bare graphs: theorems, random graphs against plain search, and changed certificates."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, pairwise, permutations, product
from typing import Any

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import full, quick
from proof_cases import verdict
from strategies import examples

from ktsolve.base.errors import BadInput, LimitReached, Refused
from ktsolve.base.limits import Limit
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.proof.arguments import count_components, count_degrees, find_degrees
from ktsolve.proof.certificate import (
    Certificate,
    Clauses,
    Degrees,
    Elimination,
    Removal,
    digest,
    read_certificate,
)
from ktsolve.proof.checker import check_certificate, summary
from ktsolve.proof.elimination import MOST_STATES, sweep
from ktsolve.proof.maker import prove
from ktsolve.proof.problem_graph import ProblemGraph, read_problem, with_forced_edges
from ktsolve.proof.separators import needed_cycles
from ktsolve.proof.statement import cut_clause

Nodes = Any
"""A graph of networkx."""


def graph_of(given: Nodes) -> Graph:
    number = {node: i for i, node in enumerate(given)}
    return Graph([f"v{i}" for i in number.values()], [(number[u], number[v]) for u, v in given.edges])


def generalized_petersen(n: int, k: int) -> Nodes:
    graph: Nodes = networkx.Graph()
    for i in range(n):
        graph.add_edges_from(
            [(("o", i), ("o", (i + 1) % n)), (("o", i), ("i", i)), (("i", i), ("i", (i + k) % n))]
        )
    return graph


def coxeter() -> Nodes:
    lines = [(0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5)]
    others = [three for three in combinations(range(7), 3) if three not in lines]
    graph: Nodes = networkx.Graph()
    graph.add_edges_from((a, b) for a, b in combinations(others, 2) if not {*a} & {*b})
    return graph


def flower_snark(k: int) -> Nodes:
    """The flower snark J_k (Isaacs 1975): hypohamiltonian for odd k from 5 on."""
    graph: Nodes = networkx.Graph()
    for i in range(k):
        graph.add_edges_from((("a", i), (name, i)) for name in "bcd")
        graph.add_edge(("b", i), ("b", (i + 1) % k))
    longer = [("c", i) for i in range(k)] + [("d", i) for i in range(k)]
    networkx.add_cycle(graph, longer)
    return graph


def herschel() -> Nodes:
    """The smallest non-Hamiltonian polyhedron: 11 vertices, 18 edges, two colours."""
    around = {"a": "bcde", "f": "bcgh", "i": "degh", "j": "bdg", "k": "ceh"}
    graph: Nodes = networkx.Graph()
    graph.add_edges_from((vertex, other) for vertex, others in around.items() for other in others)
    return graph


def named() -> Iterator[tuple[str, Nodes, bool, dict[str, str], type]]:
    """Graphs without a Hamiltonian cycle, or path between two vertices, and the argument that is found."""
    yield "Petersen", networkx.petersen_graph(), True, {}, Elimination
    yield "Herschel", herschel(), True, {}, Removal
    yield "Coxeter", coxeter(), True, {}, Elimination
    yield "Tutte", networkx.tutte_graph(), True, {}, Elimination
    for m, n in ((3, 4), (10, 12), (30, 50)):
        yield f"K({m},{n})", networkx.complete_bipartite_graph(m, n), True, {}, Removal
    yield "K(1,2,5)", networkx.complete_multipartite_graph(1, 2, 5), True, {}, Removal
    yield "K(10,10,25)", networkx.complete_multipartite_graph(10, 10, 25), True, {}, Removal
    for n in (5, 11, 17, 101, 1001):
        yield f"GP({n},2)", generalized_petersen(n, 2), True, {}, Elimination
    for k in (5, 7, 9, 21):
        yield f"J{k}", flower_snark(k), True, {}, Elimination
    corners = {"start": "v0", "end": "v79"}
    yield "8x10", networkx.grid_2d_graph(8, 10), False, corners, Removal
    # Three vertices of degree two around one: too many edges at it, though nothing falls apart.
    crowded: Nodes = networkx.Graph([("x", i) for i in range(3)] + [(i, i + 3) for i in range(3)])
    crowded.add_edges_from(combinations((3, 4, 5, 6, 7), 2))
    yield "crowded", crowded, True, {}, Degrees
    yield "pendant", networkx.lollipop_graph(5, 1), True, {}, Removal
    yield "cut vertex", networkx.barbell_graph(4, 1), True, {}, Removal
    yield "apart", networkx.disjoint_union(*[networkx.complete_graph(4)] * 2), True, {}, Removal
    yield "two vertices", networkx.complete_graph(2), True, {}, Clauses
    yield "point", networkx.empty_graph(1), True, {}, Clauses


CASES = {name: (given, closed, ends, kind) for name, given, closed, ends, kind in named()}


def problem_of(name: str) -> TourProblem:
    given, closed, ends, _ = CASES[name]
    return TourProblem(board=graph_of(given), closed=closed, start=ends.get("start"), end=ends.get("end"))


@pytest.mark.parametrize("name", quick(CASES, lambda name: name != "GP(1001,2)"))
def test_named_graphs(name: str) -> None:
    found = prove(problem_of(name))
    assert isinstance(found, Certificate)
    assert isinstance(found.argument, CASES[name][-1])
    again = read_certificate(found.to_text())
    assert again == found
    assert check_certificate(again) is None
    assert summary(again)


@pytest.mark.parametrize("argument", ["order", "clauses"])
@pytest.mark.parametrize(
    "name", ["Petersen", "Herschel", "Coxeter", "Tutte", "K(3,4)", "GP(11,2)", "J5", "8x10"]
)
def test_complete_arguments(name: str, argument: str) -> None:
    if (name, argument) in {("Tutte", "clauses"), ("8x10", "clauses")}:
        return  # these take the solver too long
    found = prove(problem_of(name), argument=argument)
    assert isinstance(found, Certificate)
    assert found.to_json()["certificate"]["argument"] == argument


@pytest.mark.parametrize(
    "made", [networkx.petersen_graph, full(coxeter), full(lambda: flower_snark(5))], ids=["P", "C", "J5"]
)
def test_hypohamiltonian_graphs_lose_their_certificates_with_any_vertex(
    made: Callable[[], networkx.Graph[Any]],
) -> None:
    whole = made()
    for vertex in list(whole)[:10]:
        less = whole.copy()
        less.remove_node(vertex)
        assert isinstance(prove(TourProblem(board=graph_of(less), closed=True)), Tour)


# -- random graphs against plain search ----------------------------------------------------------------------


@st.composite
def questions(draw: st.DrawFn) -> TourProblem:
    n = draw(st.integers(1, 7))
    pairs = list(combinations(range(n), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, min_size=len(pairs) // 3)) if pairs else []
    directed = draw(st.booleans())
    if directed:
        edges = [draw(st.sampled_from([edge, edge[::-1]])) for edge in edges]
        edges += draw(st.lists(st.sampled_from([edge[::-1] for edge in edges]), unique=True)) if edges else []
        edges = list(dict.fromkeys(edges))
    names = [f"v{i}" for i in range(n)]
    names[0] = draw(st.sampled_from(["v0", "outside", "New York", 'a"b', "1-2"]))
    graph = Graph(names, edges, directed=directed)
    some = st.lists(st.sampled_from(graph.names), unique=True, max_size=3)
    moves = [(names[u], names[v]) for u, v in edges]
    required = draw(st.lists(st.sampled_from(moves), unique=True, max_size=2)) if edges else []
    forbidden = draw(st.lists(st.sampled_from(moves), unique=True, max_size=2)) if edges else []
    starts, ends = draw(some), draw(some)
    if n > 1 and len(starts) == len(ends) == 1 and starts == ends:
        ends = []
    return TourProblem(
        board=graph,
        closed=draw(st.booleans()),
        starts=starts,
        ends=ends,
        require=required,
        forbid=[edge for edge in forbidden if edge not in required],
    )


def has_tour(problem: TourProblem) -> bool:
    """By trying all orders of the vertices."""
    graph, closed = problem.ground, problem.closed
    for order in permutations(graph.cells):
        steps = [*pairwise(order), (order[-1], order[0])] if closed else list(pairwise(order))
        walks = all(graph.adjacent(a, b) for a, b in steps) and (not closed or len(order) > 2)
        if walks and problem.check(Tour(graph, order, closed)) is None:
            return True
    return False


@given(questions(), st.randoms(use_true_random=False))
@examples(300)
def test_sweeps_find_what_plain_search_finds(problem: TourProblem, chance: random.Random) -> None:
    """In any order of the nodes, with required and forbidden edges and sets of ends."""
    graph = read_problem(problem)
    order = list(range(graph.nodes))
    chance.shuffle(order)
    fault = sweep(graph, order).fault
    if len(problem.ground) < (3 if problem.closed else 1 if graph.directed else 2):
        assert fault == "an order proves nothing about fewer than three nodes"
    else:
        assert fault == ("there is a cycle" if has_tour(problem) else None)


@given(questions())
@examples(120)
def test_every_argument_is_sound_and_two_are_complete(problem: TourProblem) -> None:
    exists = has_tour(problem)
    for argument in ("auto", "parts", "degrees", "order", "clauses"):
        try:
            found = prove(problem, argument=argument)
        except Refused:
            assert argument not in ("auto", "clauses")
            if argument == "order" and len(problem.ground) > 2:
                assert exists
            continue
        assert isinstance(found, Tour) == exists, argument
        if isinstance(found, Certificate):
            assert check_certificate(read_certificate(found.to_text())) is None


@given(questions(), st.data())
@examples(200)
def test_counts_of_degrees_and_components_refute_nothing_true(
    problem: TourProblem, data: st.DataObject
) -> None:
    graph = read_problem(problem)
    sets = st.lists(st.integers(0, graph.nodes - 1), unique=True)
    if count_degrees(graph, data.draw(sets), data.draw(sets)).refutes:
        assert not has_tour(problem)
    removed = data.draw(sets)
    forced = with_forced_edges(graph)
    if count_components(graph, removed).refutes or count_components(forced, removed).refutes:
        assert not has_tour(problem)
    # Forced edges change neither the cycles nor what a sweep finds.
    order = data.draw(st.permutations(range(graph.nodes)))
    assert sweep(forced, order).fault == sweep(graph, order).fault
    for nodes in needed_cycles(forced):
        if len(nodes) < graph.nodes and len(graph.cells) > 2:
            assert count_components(forced, nodes).refutes
            assert not has_tour(problem)


@given(questions())
@examples(150)
def test_degrees_are_found_where_no_weights_of_edges_sum_to_two(problem: TourProblem) -> None:
    """Against linear programming: weights from 0 to 1, those of needed edges 1."""
    graph = read_problem(problem)
    if graph.nodes < 3 or not graph.needed <= set(graph.edges):
        return
    found = find_degrees(graph)
    assert found is None or count_degrees(graph, *found).refutes
    assert (found is None) == has_weights(graph)


def has_weights(graph: ProblemGraph) -> bool:
    from ortools.linear_solver import pywraplp

    solver = pywraplp.Solver.CreateSolver("GLOP")
    weights = {edge: solver.NumVar(float(edge in graph.needed), 1.0, "") for edge in graph.edges}
    for node in range(graph.nodes):
        if graph.directed:
            for end in (0, 1):
                solver.Add(solver.Sum([weights[edge] for edge in weights if edge[end] == node]) == 1)
        else:
            solver.Add(solver.Sum([weights[edge] for edge in weights if node in edge]) == 2)
    return bool(solver.Solve() == pywraplp.Solver.OPTIMAL)


@pytest.mark.parametrize("directed", [False, True])
def test_every_cycle_leaves_every_set_of_vertices(directed: bool) -> None:
    """By each of the edges of a complete graph: a cut has them all."""
    pairs = list((permutations if directed else combinations)(range(5), 2))
    ground = Graph("abcde", pairs, directed=directed)
    graph = read_problem(TourProblem(board=ground, closed=True))
    for order, size in product(permutations(range(5)), range(1, 5)):
        u, v = order[size - 1], order[size]
        leaving = (u, v) if directed or u < v else (v, u)
        assert 1 + graph.edges.index(leaving) in cut_clause(graph, order[:size])


# -- changed and forged certificates -------------------------------------------------------------------------

FORGED = ("Petersen", "K(3,4)", "crowded", "J5")


def forged(body: dict[str, Any]) -> str:
    return json.dumps({"schema": "ktsolve/1", "certificate": body, "sha256": digest(body)})


@cache
def body_of(name: str) -> dict[str, Any]:
    found = prove(problem_of(name))
    assert isinstance(found, Certificate)
    return json.loads(found.to_text())["certificate"]  # type: ignore[no-any-return]


@given(st.sampled_from(FORGED), st.randoms(use_true_random=False))
@examples(150)
def test_certificates_about_other_graphs_are_rejected_if_false(name: str, chance: random.Random) -> None:
    """Edges are added to the graph and values of the argument changed, with the digest."""
    body = json.loads(json.dumps(body_of(name)))
    board = body["problem"]["board"]
    for _ in range(chance.randrange(3)):
        a, b = sorted(chance.sample(range(len(board["vertices"])), 2))
        pair = [board["vertices"][a], board["vertices"][b]]
        board["edges"] = sorted(
            board["edges"] + [pair] * (pair not in board["edges"]), key=lambda e: [int(x[1:]) for x in e]
        )
    count = len(board["edges"])
    body["claim"] = f"no tour: closed graph of {len(board['vertices'])} vertices and {count} edges"
    for key in ("order", "needing", "giving"):
        if body.get(key) and chance.random() < 0.5:
            i, j = (chance.randrange(len(body[key])) for _ in range(2))
            body[key][i] = chance.choice(
                [body[key][j], 0, -1, 10**30, len(board["vertices"]), 1.5, None, True, "v1"]
            )
    if "without" in body and chance.random() < 0.5:
        names = body["without"].split()
        names[chance.randrange(len(names))] = chance.choice([*board["vertices"], "outside", ""])
        body["without"] = " ".join(names)
    accepted = verdict(forged(body))
    if accepted is not None:
        assert isinstance(prove(accepted.problem, argument="clauses"), Certificate)


def test_reasons() -> None:
    def fault(name: str, change: dict[str, Any]) -> str:
        try:
            return str(check_certificate(read_certificate(forged({**body_of(name), **change}))))
        except BadInput as error:
            return str(error)

    assert fault("Petersen", {}) == "None"
    ten = "certificate.order must be a list of"
    assert fault("Petersen", {"order": list(range(9))}) == "the order does not list each of the 10 nodes once"
    assert fault("Petersen", {"order": [0, *range(9)]}) == f"{ten} different numbers, and has 10"
    assert fault("Petersen", {"order": [*range(10), 10]}) == f"{ten} numbers from 0 to 9"
    assert fault("Petersen", {"order": [0] * 10**6}) == f"{ten} different numbers, and has 1,000,000"
    assert fault("Petersen", {"order": [-1, *range(1, 10)]}) == f"{ten} numbers from 0 to 9"
    assert fault("Petersen", {"order": [True, *range(1, 10)]}) == f"{ten} numbers from 0 to 9"
    assert fault("Petersen", {"order": "0 1 2"}) == "certificate.order must be a list, not '0 1 2'"
    assert fault("crowded", {"needing": []}) == "the nodes need 0 edges, and 2 are available"
    boards: tuple[Any, ...] = (
        [],
        {},
        {"vertices": []},
        {"vertices": ["a"], "edges": [["a", "b"]]},
        {"vertices": 3, "edges": []},
    )
    for board in boards:
        problem = {"board": board, "closed": True}
        assert fault("Petersen", {"problem": problem}).startswith("parameters.board")
    other = {**body_of("Petersen")["problem"], "leaper": [1, 3]}
    assert (
        fault("Petersen", {"problem": other})
        == "parameters.leaper is about boards: leave it out, the board is a graph"
    )


def test_an_order_of_a_graph_with_a_cycle_proves_nothing() -> None:
    for whole in (networkx.dodecahedral_graph(), networkx.complete_graph(6), generalized_petersen(13, 2)):
        graph = read_problem(TourProblem(board=graph_of(whole), closed=True))
        assert sweep(graph, range(graph.nodes)).fault == "there is a cycle"


@pytest.mark.full
def test_limits_of_an_order() -> None:
    wide = read_problem(
        TourProblem(board=graph_of(networkx.random_regular_graph(3, 100, seed=1)), closed=True)
    )
    order = random.Random(1).sample(range(100), 100)
    with pytest.raises(LimitReached, match="do not fit into the memory limit of 1 MiB"):
        sweep(wide, order, memory=Limit(0, 1 << 20))
    with pytest.raises(LimitReached, match="stopped at the time limit"):
        sweep(wide, order, seconds=0.2)
    dense = read_problem(TourProblem(board=graph_of(networkx.complete_graph(300)), closed=True))
    assert sweep(dense, range(300)).fault == "the order needs 300 slots at once, and at most 250 are checked"
    assert MOST_STATES > 10**6
