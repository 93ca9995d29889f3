"""Questions about bare graphs: every engine that takes them, against known numbers and plain search."""

from __future__ import annotations

import json
import random

import networkx
import pytest
from marks import full
from random_graphs import compare_engines, random_question, tours_by_definition
from strategies import refusal

from ktsolve.base.errors import Refused
from ktsolve.engines.registry import engines_for
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import parse_condition
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import CONDITIONS, TourProblem
from ktsolve.problem.statistics import parse_objective
from ktsolve.tasks.best import best
from ktsolve.tasks.count import count
from ktsolve.tasks.find import find, find_all


def graph_of(given: networkx.Graph[object]) -> Graph:
    number = {node: i for i, node in enumerate(given)}
    return Graph([f"v{i}" for i in number.values()], [(number[u], number[v]) for u, v in given.edges])


NAMED = {
    # The numbers of Hamiltonian cycles and paths: known, or counted by plain search in this file.
    "K4": (networkx.complete_graph(4), 3, 12),
    "K5": (networkx.complete_graph(5), 12, 60),
    "K33": (networkx.complete_bipartite_graph(3, 3), 6, 36),
    "cube": (networkx.hypercube_graph(3), 6, 72),
    "petersen": (networkx.petersen_graph(), 0, 120),
    "dodecahedron": (networkx.dodecahedral_graph(), 30, None),
    "octahedron": (networkx.octahedral_graph(), 16, 120),
    "star": (networkx.star_graph(3), 0, 0),
    "path": (networkx.path_graph(5), 0, 1),
    "two triangles": (networkx.disjoint_union(networkx.cycle_graph(3), networkx.cycle_graph(3)), 0, 0),
    "point": (networkx.empty_graph(1), 0, 1),
}


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("closed", [True, False])
def test_known_graphs_through_every_engine(name: str, closed: bool) -> None:
    given, cycles, paths = NAMED[name]
    expected = cycles if closed else paths
    problem = TourProblem(board=graph_of(given), closed=closed)
    if expected is None:
        return
    engines = engines_for("count", problem)
    assert {"search", "frontier", "sat", "cpsat"} <= set(engines)
    for engine in engines:
        assert count(problem, engine).count == expected, engine
    listed = {tour.normalised().squares for tour in find_all(problem, "search")}
    assert len(listed) == expected
    assert listed == {tour.normalised().squares for tour in find_all(problem, "sat")}
    assert (find(problem).tour is None) == (expected == 0)
    assert count(problem).count == expected


@pytest.mark.parametrize(
    ("seed", "number"),
    [(0, 20), full(0, 150), *(pytest.param(seed, 150, marks=pytest.mark.slow) for seed in range(1, 60))],
)
def test_random_graphs_with_conditions_against_all_orders_of_their_vertices(seed: int, number: int) -> None:
    chance = random.Random(seed)
    numbers = [compare_engines(random_question(chance)) for _ in range(number)]
    assert number // 5 < sum(map(bool, numbers)) < number * 4 // 5


@pytest.mark.parametrize("number", [20, full(60)])
def test_cycle_graphs_have_the_tours_as_their_cycles(number: int) -> None:
    chance, compared = random.Random(0), 0
    while compared < number:
        problem = random_question(chance)
        graph = CycleGraph.of(problem)
        if len(problem.ground) == 1 or problem.features & (CONDITIONS | {"steps"}):
            continue
        right = tours_by_definition(problem)
        if graph.impossible:
            assert not right
            continue
        compared += 1
        cycles = list(find_all(graph.problem(), "cpsat")) if graph.vertices > 2 else []
        tours = [graph.tour(problem, cycle.indices) for cycle in cycles]
        assert len(tours) == len(right)
        assert {problem.labeled_to_fit(tour).normalised().squares for tour in tours} == right


@pytest.mark.parametrize(("board", "closed"), [("3x4", False), ("5x6", True), ("3x10", True), ("5x5", False)])
def test_a_board_and_its_bare_graph_have_the_same_tours(board: str, closed: bool) -> None:
    ground = Board.parse(board)
    bare = Graph(ground.names, ground.edges.tolist())
    assert bare.move_names != ()
    assert bare.colouring is not None
    of_board, of_graph = (TourProblem(board=each, closed=closed) for each in (ground, bare))
    found = {tour.normalised().indices for tour in find_all(of_graph, "search")}
    assert found == {tour.normalised().indices for tour in find_all(of_board, "search")}
    assert count(of_graph, "frontier").count == count(of_board).count == len(found)


@pytest.mark.parametrize(
    ("key", "text", "named"),
    [
        ("symmetry", "rot180", "named symmetry"),
        ("corners", "tl", "corner"),
        ("structured", "", "corner"),
        ("magic", "rows", "rows"),
        ("sum", "rows=10", "rows"),
        ("figure", "1,2=row", "row"),
        ("most", "turns=3", "turn"),
        ("most", "acute=3", "angle"),
        ("least", "crossings=3", "crossing"),
    ],
)
def test_what_needs_geometry_is_refused_by_name(key: str, text: str, named: str) -> None:
    graph = graph_of(networkx.complete_graph(5))
    with pytest.raises(Refused, match=f"{named}.* needs a board .* not a graph of 5 vertices and 10 edges"):
        parse_condition(key, text, graph)


def test_what_asks_for_a_board_is_refused() -> None:
    problem = TourProblem(board=graph_of(networkx.complete_graph(5)), closed=True)
    with pytest.raises(Refused, match="needs a board"):
        _ = problem.board
    tour = find(problem).tour
    assert tour is not None
    for ask in (tour.grid, tour.canonical):
        with pytest.raises(Refused, match="needs a board"):
            ask()
    for engine in ("divide", "quotient"):
        with pytest.raises(Refused, match="use "):
            find(problem, engine)


def test_a_graph_is_a_value() -> None:
    graph = graph_of(networkx.petersen_graph())
    again = Graph.from_json(json.loads(json.dumps(graph.to_json())))
    assert again == graph
    assert hash(again) == hash(graph)
    assert eval(repr(graph), {"Graph": Graph}) == graph
    assert graph != Board.parse("2x5")
    problem = TourProblem(board=graph, closed=False, start="v0", require=["v0-v1"], at={4: "v7"})
    assert eval(repr(problem), {"Graph": Graph, "TourProblem": TourProblem}) == problem
    assert problem.to_json()["board"] == graph.to_json()
    assert str(problem) == ("open graph of 10 vertices and 15 edges start v0 require v0-v1 at 4=v7")
    tour = find(problem).tour
    assert tour is not None
    assert eval(repr(tour), {"Graph": Graph, "Tour": Tour}) == tour
    assert tour.to_json()["squares"] == tour.names().split() == str(tour).split()


def test_ends_and_objectives_on_a_graph() -> None:
    graph = graph_of(networkx.petersen_graph())
    by_ends = count(TourProblem(board=graph, closed=False), by="ends")
    assert by_ends.count == 120
    assert {each.multiplicity for each in by_ends.rows} == {1}
    objective = parse_objective("maximise", "moves:v0-v1,v5-v7", graph)
    assert best(TourProblem(board=graph, closed=False), objective).value == 2


@pytest.mark.parametrize(
    ("names", "edges", "said"),
    [
        ([], [], "at least one vertex"),
        (["a", "a"], [], "'a' is named twice"),
        (["a\nb"], [], "'a\\nb' cannot name a vertex"),
        ([""], [], "'' cannot name a vertex"),
        (["a"], [("a", "b")], "'b' is not a vertex"),
        (["a", "b"], [(0, 2)], "2 is not a vertex"),
        (["a", "b"], [("a",)], "is not an edge"),
    ],
)
def test_what_is_no_graph_is_refused(names: list[str], edges: list[tuple[str, ...]], said: str) -> None:
    assert said in refusal(Graph, names, edges)


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ({"start": "x"}, "'x' is not a vertex"),
        ({"require": ["a-c"]}, "a-c is not an edge"),
        ({"forbid": ["a"]}, "'a' is not an edge: write two vertices, such as a-b"),
        ({"at": {9: "a"}}, "step 9 is not among the 3 steps"),
    ],
)
def test_what_a_graph_does_not_have_is_refused(stated: dict[str, object], said: str) -> None:
    graph = Graph("abc", ["ab", "bc"])
    assert said in refusal(TourProblem, board=graph, closed=False, **stated)


def test_texts_count_their_nouns() -> None:
    assert str(Graph("a")) == "graph of 1 vertex and 0 edges"
    assert str(Graph("ab", ["ab"])) == "graph of 2 vertices and 1 edge"
    assert str(Graph("ab", ["ab"], directed=True)) == "directed graph of 2 vertices and 1 arc"


def test_walks() -> None:
    path = Graph("abc", ["ab", "bc"])
    assert path.all_adjacent("abc")
    assert path.all_adjacent("c")
    assert not path.all_adjacent("ac")
    assert not Graph("ab", ["ab"], directed=True).all_adjacent("ba")
    assert Board(3, 4).all_adjacent([(0, 0), (1, 2), (2, 0)])
    assert not Board(3, 4).all_adjacent([(0, 0), (1, 1)])
