"""Every argument and every answer on a graph is the user's node: relabelling the graph relabels answers."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import networkx
import pytest
from marks import quick

import ktsolve
from ktsolve.problem.conditions import CONDITION_CLASSES, KEYS, Condition
from ktsolve.proof.certificate import Certificate

LABELS: dict[str, Sequence[Hashable]] = {
    "numbers in order": range(6),
    "numbers": [3, 1, 5, 0, 4, 2],
    "numbers from 1": [2, 1, 6, 5, 4, 3],
    "tuples": [(1, 0), (0, 1), (0, 0), (2, 1), (1, 1), (2, 0)],
    "digits": ["3", "1", "5", "0", "4", "2"],
    "text": ["New York", "b-c", "rows", "a,b", "path", "x=3"],
    "sets": [frozenset({3}), frozenset({1, 2}), frozenset(), frozenset({1}), frozenset({2}), frozenset({4})],
    "mixed": [3, "3", (3,), frozenset({3}), 0.5, b"3"],
    "negative": [-1, -2.5, 10**30, 7, "-1", "7"],
}
"""Nodes by kind. The vertices have the same order, so that every engine goes the same way."""


@dataclass(frozen=True)
class Given:
    """A graph of networkx with nodes of one kind."""

    nodes: Sequence[Hashable]
    seed: int
    directed: bool

    @cached_property
    def graph(self) -> networkx.Graph[Any]:
        chance, nodes = random.Random(self.seed), self.nodes
        graph = networkx.DiGraph() if self.directed else networkx.Graph()
        graph.add_nodes_from(nodes)
        pairs = [(a, b) for a, b in combinations(range(len(nodes)), 2) if b == a + 1 or chance.random() < 0.7]
        pairs += [(b, a) for a, b in pairs if chance.random() < 0.8] if self.directed else []
        for a, b in dict.fromkeys([*pairs, (len(nodes) - 1, 0)]):
            graph.add_edge(nodes[a], nodes[b], weight=chance.randrange(20))
        return graph

    @cached_property
    def edge(self) -> tuple[Any, Any]:
        """An edge, which some tour makes."""
        return self.nodes[1], self.nodes[2]

    def place(self, node: object) -> int:
        """The place of a node, which has to be the object that the user gave."""
        (found,) = [i for i, each in enumerate(self.nodes) if type(each) is type(node) and each == node]
        return found

    def walk(self, nodes: Iterable[object] | None) -> list[int] | None:
        return None if nodes is None else [self.place(node) for node in nodes]

    def moves(self, moves: Iterable[Sequence[object]]) -> list[list[int] | None]:
        return sorted(map(self.walk, moves))  # type: ignore[type-var]

    def problem(self, **conditions: Any) -> ktsolve.TourProblem:
        return ktsolve.TourProblem(self.graph, closed=False, **conditions)

    def tour(self) -> ktsolve.Tour:
        return ktsolve.Tour(self.graph, self.nodes, closed=True)


def impossible(given: Given) -> networkx.Graph[Any]:
    """A star with one more edge."""
    nodes = given.nodes
    star = networkx.DiGraph() if given.directed else networkx.Graph()
    star.add_nodes_from(nodes)
    star.add_edges_from((nodes[2], node) for node in nodes if node != nodes[2])
    return star


def of_tour(given: Given, tour: ktsolve.Tour | None) -> Any:
    """All that a tour says about its nodes."""
    if tour is None:
        return None
    nodes = given.nodes
    assert [tour[i] for i in range(len(tour))] == list(tour) == list(tour.squares) == list(tour.labels)
    assert all(node in tour and tour[tour.index(node)] == node for node in nodes)
    assert "no such node" not in tour
    assert ktsolve.Tour.from_names(given.graph, tour.names(), tour.closed) == tour
    assert all(tour.makes((tour[i], tour[i + 1])) for i in range(len(tour) - 1))
    assert given.walk(tour.reversed()) == given.walk(list(tour)[::-1])
    assert list(ktsolve.Tour.from_indices(given.graph, tour.places)) == list(tour)
    if tour.closed:
        assert tour.starting_at(nodes[4])[0] == nodes[4]
    return (
        given.walk(tour),
        given.moves(tour.moves),
        {given.place(node): step for node, step in tour.step_of.items()},
        [(each["step"], given.place(each["cell"])) for each in tour.records()],
        given.moves(tour.to_networkx().edges),
        given.walk(tour.normalised()),
        tour.array().tolist(),
    )


def of_table(given: Given, by: Any, **conditions: Any) -> Any:
    table = ktsolve.count(given.graph, by=by, closed=False, **conditions)
    if by == "moves":
        assert [(each["move"], each["count"]) for each in table.records()] == [
            (move, table.counts[move]) for move in table.problem.ground.moves
        ]
        return {tuple(given.walk(move) or ()): number for move, number in table.counts.items()}
    if by == "start":
        assert [each["start"] for each in table.records()] == list(table.counts)
        return {given.place(node): number for node, number in table.counts.items()}
    if by == "ends":
        return {tuple(given.walk(pair) or ()): number for pair, number in table.counts.items()}
    return [row.count for row in table.rows]


def of_proof(given: Given) -> Any:
    made = ktsolve.prove(impossible(given))
    assert isinstance(made, Certificate)
    again = ktsolve.read_certificate(made.to_text())
    assert ktsolve.check_certificate(made) is None
    assert ktsolve.check_certificate(again) is None
    cells = getattr(made.argument, "cells", ())
    return given.walk(cells), type(made.argument).__name__


def of_problem(given: Given) -> Any:
    nodes = given.nodes
    problem = given.problem(start=nodes[2], ends=[nodes[4], nodes[0]], require=[given.edge], at={3: nodes[1]})
    again = problem.replace(start=nodes[5])
    assert list(problem.labelings(ktsolve.Tour(given.graph, nodes))) is not None
    return (
        given.walk([problem.start, again.start, problem.known_steps[0][1], problem.at[0][1]]),
        sorted(map(given.place, problem.ends)),
        given.moves(problem.require),
        {given.place(node): given.walk(others) for node, others in problem.neighbours.items()},
    )


def of_graph(given: Given) -> Any:
    graph = ktsolve.Graph.of(given.graph)
    assert networkx.utils.graphs_equal(graph.to_networkx(), given.graph)
    assert all(graph.cell(graph.name(node)) == node == graph.cell(node) for node in given.nodes)
    assert ktsolve.Graph.from_json(graph.to_json()).cells in (graph.cells, graph.names)
    return (
        given.walk(graph.cells),
        given.moves(graph.moves),
        {given.place(node): given.walk(others) for node, others in graph.neighbours.items()},
        graph.edges.tolist(),
    )


def of_files(given: Given) -> Any:
    tour = given.tour()
    text = " ".join(map(tour.ground.name, tour))
    assert ktsolve.read_tour(text, given.graph, closed=True) == tour
    assert ktsolve.read_tours(text, given.graph, closed=False)[0].squares == tour.squares
    assert sorted(ktsolve.read_graph(ktsolve.graph_file(given.graph, "json")).names) == sorted(
        tour.ground.names
    )
    return None


def of_conflict(given: Given) -> Any:
    nodes = given.nodes
    problem = given.problem(start=nodes[0], order=[nodes[1], nodes[0]])
    found = ktsolve.find_conflict(problem)
    cells = [sorted(map(given.place, each.cells)) for each in found.conditions if hasattr(each, "cells")]
    return cells, found.minimal


def of_survey(given: Given) -> Any:
    nodes = given.nodes
    measured: list[Any] = [("visit", nodes[3]), ("uses", [given.edge]), lambda tour: given.place(tour[1])]
    found = ktsolve.survey(given.graph, measured, closed=False, start=nodes[0], samples=20, seed=1)
    return [each.samples for each in found.distributions]


def of_tours(given: Given) -> Any:
    found = ktsolve.tours(given.graph, closed=False, start=given.nodes[1])
    assert all(found.index(tour) == place for place, tour in enumerate(found))
    return [given.walk(tour) for tour in found], [given.walk(tour) for tour in found.sample(3, seed=4)]


FUNCTIONS: dict[str, Callable[[Given], Any]] = {
    "Graph": of_graph,
    "graph_table": lambda given: ktsolve.graph_table([given.graph], ["traceable", "paths"]).tolist(),
    "Tour": lambda given: of_tour(given, given.tour()),
    "TourProblem": of_problem,
    "best": lambda given: [
        of_tour(given, ktsolve.best(given.graph, minimise="weight").tour),
        ktsolve.best(given.graph, maximise="weight", closed=False).value,
        of_tour(given, ktsolve.best(given.graph, maximise=("moves", [given.edge]), closed=False).tour),
    ],
    "check_certificate": of_proof,
    "count": lambda given: [
        of_table(given, by)
        for by in ("start", "ends", "moves", "symmetry", ("steps", given.nodes[2]), ("uses", [given.edge]))
    ],
    "count_hamiltonian_cycles": lambda given: ktsolve.count_hamiltonian_cycles(given.graph),
    "count_hamiltonian_paths": lambda given: [
        ktsolve.count_hamiltonian_paths(given.graph, source, target) for source, target in given.graph.edges
    ],
    "estimate": lambda given: ktsolve.estimate(given.graph, start=given.nodes[1], closed=False)[0],
    "find": lambda given: [
        of_tour(given, ktsolve.find(given.graph).tour),
        of_tour(given, ktsolve.find(given.graph, closed=False, start=given.nodes[3]).tour),
    ],
    "find_all": lambda given: [
        sorted(given.walk(tour) or () for tour in ktsolve.find_all(given.graph, engine))
        for engine in ("search", "sat", "frontier")
    ],
    "find_conflict": of_conflict,
    "graph_file": of_files,
    "hamiltonian_cycle": lambda given: given.walk(ktsolve.hamiltonian_cycle(given.graph)),
    "hamiltonian_path": lambda given: [
        given.walk(ktsolve.hamiltonian_path(given.graph, source, target))
        for source, target in combinations(given.nodes[:4], 2)
    ],
    "is_hamiltonian": lambda given: given.walk(ktsolve.is_hamiltonian(given.graph).cycle),
    "longest": lambda given: [
        given.walk(ktsolve.longest(given.graph, engine, closed=closed, weighted=True).walk)
        for engine, closed in (("auto", True), ("sat", False), ("cpsat", False))
    ],
    "properties": lambda given: [
        sorted(given.walk(walk) or [] for walk in each.walks)
        for each in ktsolve.properties(given.graph, ["traceable", "homogeneously-traceable"]).each.values()
    ],
    "prove": of_proof,
    "read_certificate": of_proof,
    "read_graph": of_files,
    "read_tour": of_files,
    "read_tours": of_files,
    "survey": of_survey,
    "tours": of_tours,
}
"""The public functions and classes that take a graph: what each answers, in places of nodes."""

WITHOUT_A_GRAPH = {
    "BadInput", "Board", "KtsolveError", "LimitReached", "Model", "Refused", "Settings", "Solver",
    "SwapPuzzle", "Symmetry", "explain_steps", "generating_function", "load_instance", "maximal_subsets",
    "named_graph", "read_model", "solutions", "solve", "solve_swap", "strip_counts", "symmetry_group",
    "tour_steps", "unsat_core", "unsat_cores",
}  # fmt: skip

CONDITIONS: dict[str, Callable[[Given, Sequence[Any]], Any]] = {
    "start": lambda given, nodes: nodes[3],
    "starts": lambda given, nodes: [nodes[3], nodes[1]],
    "end": lambda given, nodes: nodes[2],
    "ends": lambda given, nodes: {nodes[2], nodes[4]},
    "require": lambda given, nodes: [given.edge],
    "forbid": lambda given, nodes: [given.edge],
    "at": lambda given, nodes: {2: nodes[4]},
    "range": lambda given, nodes: {nodes[3]: (2, 4)},
    "order": lambda given, nodes: [nodes[4], nodes[1], nodes[3]],
    "figure": lambda given, nodes: {"1,3": [nodes[4], nodes[1], nodes[2]]},
    "sum": lambda given, nodes: {(nodes[4], nodes[1]): 7},
    "run": lambda given, nodes: {nodes[4], nodes[1], nodes[3]},
    "least": lambda given, nodes: {("moves", (given.edge,)): 1},
    "most": lambda given, nodes: {("moves", (given.edge,)): 0, "weight": 70},
    "exactly": lambda given, nodes: {("moves", (given.edge,)): 1},
}
"""A value with nodes for each key of a condition."""

GEOMETRY = {"symmetry", "corners", "structured", "magic"}
"""Conditions that need a board."""

CASES = quick(
    [(kind, number % 3, directed) for number, kind in enumerate(LABELS) for directed in (False, True)],
    lambda case: case[::2] in (("mixed", True), ("numbers", False)),
    lambda number: number % 2 == 0,
)


def numbered(seed: int, directed: bool) -> Given:
    return Given(range(6), seed, directed)


def test_every_public_name_and_every_key_is_here() -> None:
    assert set(FUNCTIONS) | WITHOUT_A_GRAPH == set(vars(ktsolve)["__all__"]) - {"__version__"}
    assert set(CONDITIONS) | GEOMETRY == set(KEYS)


@pytest.mark.parametrize(("kind", "seed", "directed"), CASES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_relabelling_a_graph_relabels_every_answer(name: str, kind: str, seed: int, directed: bool) -> None:
    answer = FUNCTIONS[name]
    assert answer(Given(LABELS[kind], seed, directed)) == answer(numbered(seed, directed))


def answers(given: Given, key: str) -> Any:
    """The tours under a condition, listed by a model, and as many as the checker chooses of all tours."""
    value = CONDITIONS[key](given, given.nodes)
    problem = given.problem(**{key: value})
    texts = problem.to_json()[key]
    assert given.problem(**{key: texts}) == problem
    for condition in problem.conditions:
        assert isinstance(condition, Condition)
        assert eval_again(condition) == condition
    listed = [given.walk(tour) or [] for tour in ktsolve.find_all(problem, "cpsat")]
    every = [*ktsolve.find_all(given.graph, closed=False)]
    fitting = [given.walk(tour) for tour in every if any(True for _ in problem.labelings(tour))]
    assert len(fitting) == len(listed)
    found = problem.obstruction()
    # Its text has the names of nodes, which differ.
    return sorted(listed), found and found.theorem


def eval_again(condition: Condition) -> Condition:
    """The condition that its own fields make."""
    return type(condition)(**vars(condition))


@pytest.mark.parametrize(("kind", "seed", "directed"), CASES)
@pytest.mark.parametrize("key", CONDITIONS)
def test_relabelling_a_graph_relabels_the_tours_of_every_condition(
    key: str, kind: str, seed: int, directed: bool
) -> None:
    given, plain = Given(LABELS[kind], seed, directed), numbered(seed, directed)
    assert answers(given, key) == answers(plain, key)


def test_every_class_of_conditions_is_tried() -> None:
    given = numbered(0, directed=False)
    tried = {
        type(each)
        for key in CONDITIONS
        for each in given.problem(**{key: CONDITIONS[key](given, range(6))}).conditions
    }
    assert tried == {each for each in CONDITION_CLASSES if not {key.name for key in each.keys} <= GEOMETRY}
