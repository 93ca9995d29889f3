"""Graphs from networkx, matrices, lists and arrays and back; labels and names of any kind; large graphs."""

from __future__ import annotations

import json
import pickle
from types import SimpleNamespace

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import full
from random_graphs import NAMES
from strategies import examples, refusal

from ktsolve.base.errors import BadInput
from ktsolve.base.text import text_of_name
from ktsolve.graphs.edge_arrays import component_labels, strong_components
from ktsolve.graphs.graph import Graph, names_of
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import parse_condition
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.parameters import tour_problem
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.hamiltonian import hamiltonian_cycle, hamiltonian_path

LABELS = st.one_of(
    st.integers(),
    st.text(max_size=4),
    st.tuples(st.integers(0, 3), st.integers(0, 3)),
    st.frozensets(st.integers(0, 3)),
    st.none(),
)


@st.composite
def graphs_of_networkx(draw: st.DrawFn) -> networkx.Graph[object]:
    kind = draw(
        st.sampled_from([networkx.Graph, networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph])
    )
    graph = kind()
    # 1 and True, or 0.0 and 0, are one node.
    nodes = draw(st.lists(LABELS.filter(lambda node: node is not None), min_size=1, max_size=7, unique=True))
    graph.add_nodes_from(nodes)
    ends = st.sampled_from(nodes)
    for u, v, weight in draw(st.lists(st.tuples(ends, ends, st.integers(-9, 9)), max_size=15)):
        graph.add_edge(u, v, weight=weight)
    return graph


def simple(graph: networkx.Graph[object]) -> networkx.Graph[object]:
    plain = networkx.DiGraph(graph) if graph.is_directed() else networkx.Graph(graph)
    plain.remove_edges_from(list(networkx.selfloop_edges(plain)))
    return plain


def same(one: networkx.Graph[object], other: networkx.Graph[object]) -> bool:
    return (
        type(one) is type(other)
        and list(one.nodes) == list(other.nodes)
        and networkx.utils.graphs_equal(networkx.create_empty_copy(one), networkx.create_empty_copy(other))
        and all(set(one[node]) == set(other[node]) for node in one)
    )


@given(graphs_of_networkx())
@examples(150)
def test_networkx_and_back(given: networkx.Graph[object]) -> None:
    graph = Graph.of(given)
    assert same(graph.to_networkx(), simple(given))
    assert graph.labels == tuple(given.nodes)
    loops = networkx.number_of_selfloops(given)
    parallel = given.number_of_edges() - loops - len(graph.edges)
    assert graph.dropped == {"loops": loops, "parallel": parallel}
    assert Graph.of(graph) is graph
    assert Graph.of(graph.to_networkx()) == graph


@given(graphs_of_networkx())
@examples(150)
def test_json_repr_pickle_and_text_and_back(given: networkx.Graph[object]) -> None:
    graph = Graph.from_networkx(given, weight="weight")
    weights = graph.weights
    assert weights is not None
    for again in (
        Graph.from_json(json.loads(json.dumps(graph.to_json()))),
        eval(repr(graph), {"Graph": Graph}),
        pickle.loads(pickle.dumps(graph)),
    ):
        assert again == graph
        assert hash(again) == hash(graph)
        assert again.names == graph.names
        assert again.weights is not None
        assert np.array_equal(again.weights, weights)
    least: dict[tuple[int, int], int] = {}  # of parallel edges
    for a, b, weight in given.edges(data="weight"):
        edge = graph.edge(a, b)
        least[edge] = min(weight, least.get(edge, weight))
    assert weights.tolist() == [least[move] for move in graph.moves]
    for place, (cell, name) in enumerate(zip(given.nodes, graph.names, strict=True)):
        assert graph.cell(cell) is graph.cells[place]
        assert graph.cell(graph.name(cell)) == cell
        assert graph.read_cells(graph.name(cell)) == {cell}
        assert (graph.place(cell), graph.labels[place]) == (place, cell)
        assert name.isprintable()
    listed = ", ".join(map(graph.name, graph.cells))
    assert graph.split_list(listed) == [graph.name(cell) for cell in graph.cells]
    for move in graph.moves:
        assert graph.move(graph.move_name(move)) == move
        backwards = (move[1], move[0])
        again = (
            -1
            if graph.directed and backwards not in graph.moves
            else graph.moves.index(graph.edge(*backwards))
        )
        pair = [graph.place(cell) for cell in move]
        assert graph.places_of([pair, pair[::-1]]).tolist() == [graph.moves.index(move), again]


@given(st.integers(1, 7), st.integers(0, 2**49 - 1), st.booleans())
@examples(80)
def test_matrices_and_back(n: int, bits: int, sparse: bool) -> None:
    matrix = np.array([bits >> i & 1 for i in range(n * n)], dtype=np.int8).reshape(n, n)
    expected = networkx.from_numpy_array(
        matrix, create_using=networkx.Graph if (matrix == matrix.T).all() else networkx.DiGraph
    )
    rows, columns = np.nonzero(matrix)
    coordinates = SimpleNamespace(row=rows, col=columns, data=matrix[rows, columns], shape=matrix.shape)
    given = SimpleNamespace(tocoo=lambda: coordinates, shape=matrix.shape) if sparse else matrix
    graph = Graph.of(given)
    assert same(graph.to_networkx(), simple(expected))
    assert graph == Graph.from_arrays(n, expected.edges, directed=graph.directed) if expected.edges else True
    back = np.zeros((n, n), dtype=np.int8)
    back[tuple(graph.edges.T)] = 1
    back |= 0 if graph.directed else back.T
    assert (back == np.where(np.eye(n), 0, matrix)).all()


def test_sparse_matrices_of_scipy() -> None:
    scipy_sparse = pytest.importorskip("scipy.sparse")
    matrix = networkx.to_scipy_sparse_array(networkx.petersen_graph())
    assert len(Graph.of(scipy_sparse.csr_matrix(matrix)).edges) == 15


def test_weighted_matrices() -> None:
    matrix = np.array([[0.0, 2.0, 3.0], [2.0, 0.0, 5.0], [3.0, 5.0, 0.0]])
    graph = Graph.from_adjacency(matrix, weighted=True)
    assert graph.weights is not None
    assert (graph.directed, graph.weights.tolist()) == (False, [2, 3, 5])
    matrix[0, 1] = 9
    graph = Graph.from_adjacency(matrix, weighted=True)
    assert graph.weights is not None
    assert (graph.directed, graph.weights.tolist()) == (True, [9, 3, 2, 5, 3, 5])
    assert not Graph.from_adjacency(matrix).directed
    assert Graph.from_adjacency(matrix, directed=True).directed


def test_of_parallel_edges_the_least_weight_counts() -> None:
    graph = Graph.from_edges([("a", "b", 4), ("b", "a", 1), ("b", "b", 7)])
    assert graph.weights is not None
    assert (graph.weights.tolist(), dict(graph.dropped)) == ([1], {"loops": 1, "parallel": 1})
    graph = Graph.from_edges([("a", "b", -4), ("b", "a", 1), ("a", "b", 3)], directed=True)
    assert graph.weights is not None
    assert graph.weights.tolist() == [-4, 1]


def test_a_copy_by_pickle_keeps_positions() -> None:
    given = networkx.random_geometric_graph(12, 0.6, seed=3)  # with an attribute pos
    graph = Graph.from_networkx(given)
    assert graph.positions is not None
    again = pickle.loads(pickle.dumps(graph))
    assert again.positions.tolist() == graph.positions.tolist()
    assert pickle.loads(pickle.dumps(Graph("ab", ["ab"]))).positions is None


def test_labels_of_any_kind_have_names() -> None:
    labels = [1, "1", (0, 1), frozenset({2}), "a\nb", "", 'say "x"', "New York", 2.5, b"1"]
    names = names_of(labels)
    assert names[:4] == ("1#1", "1", "(0, 1)", "frozenset({2})")
    assert len(set(names)) == len(labels)
    assert all(name.isprintable() and name for name in names)

    class Same:
        def __str__(self) -> str:
            return "same"

        __repr__ = __str__

    assert names_of([Same(), Same(), "same#2", Same()]) == ("same#1", "same#3", "same#2", "same#4")


@given(st.permutations(range(len(NAMES))), st.booleans())
@examples(40)
def test_names_that_need_quotes_are_read_back(order: list[int], directed: bool) -> None:
    n = len(order)
    graph = Graph(NAMES, list(zip(order, order[1:] + order[:1], strict=True)), directed=directed)
    assert all(
        (graph.name(v) == name) == (not set(name) & set(' ,;-=><:"'))
        for v, name in zip(graph.cells, NAMES, strict=True)
    )
    walk = [NAMES[i] for i in order]
    texts = {
        "require": graph.move_names[3],
        "starts": " ".join(map(graph.name, walk[:3])),
        "order": ",".join(map(graph.name, walk[:3])),
        "sum": f"{graph.name(NAMES[7])}=11",
        "range": f"{graph.name(NAMES[8])}=2..5",
        "at": f"3={graph.name(walk[2])}",
        "figure": f"2={graph.name(walk[1])}",
        "most": f"moves:{','.join(graph.move_names[:3])}=2",
        "run": ",".join(map(graph.name, walk[:4])),
    }
    stated = [each for key, text in texts.items() for each in parse_condition(key, text, graph)]
    for each in stated:
        assert parse_condition(each.key, each.text(graph), graph) == (each,)
    problem = TourProblem(board=graph, closed=True, conditions=stated)
    names = {"Graph": Graph, "TourProblem": TourProblem}
    plain = problem.replace(conditions=())
    assert eval(repr(plain), names) == plain
    data = json.loads(json.dumps(problem.to_json()))
    again = Graph.from_json(data["board"])
    assert tour_problem({**data, "board": again}) == problem
    tour = Tour(graph, walk, closed=True)
    assert tour.valid
    assert eval(repr(tour), {"Graph": Graph, "Tour": Tour}) == tour
    assert Tour.from_names(graph, tour.names(), closed=True) == tour
    assert len(tour) == n


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (3, "a graph is one of networkx, a matrix, a dictionary of neighbours, or a list of edges, not 3"),
        ("petersen", "not 'petersen'"),
        (networkx.empty_graph(0), "at least one vertex"),
        ([], "at least one vertex"),
        (np.zeros((0, 0)), "at least one vertex"),
        (np.zeros((2, 3)), "is square, not of shape (2, 3)"),
        (np.array([["a"]]), "holds numbers"),
        ([(1, 2, 3, 4)], "is not an edge"),
        ([(1, 2), (1, 2, 3)], "is not an edge"),
        ([(1, 2, 3), (1, 2)], "is not an edge"),
        ([1, 2], "pairs of nodes"),
        ([([], 2)], "can be hashed"),
        ([(1, 2, 0.5)], "weights are whole numbers, not 0.5"),
        ([(1, 2, "x")], "weights are whole numbers"),
        ([(1, 2, float("nan"))], "weights are whole numbers, not nan"),
        ([(1, 2, 10**30)], "too large"),
        ([(1, 2, float("inf"))], "too large"),
    ],
)
def test_what_is_no_graph_is_refused(given: object, said: str) -> None:
    assert said in refusal(Graph.of, given)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: Graph.from_arrays(3, [[0, 3]]), "3 is not a vertex of the graph: they are 0 to 2"),
        (lambda: Graph.from_arrays(3, [[-1, 0]]), "-1 is not a vertex"),
        (lambda: Graph.from_arrays(3, [0, 1]), "two columns"),
        (lambda: Graph.from_arrays(3, [[0.0, 1.0]]), "whole numbers"),
        (lambda: Graph.from_arrays(0, []), "at least one vertex"),
        (lambda: Graph.from_arrays(2**40, []), "2147483647"),
        (lambda: Graph.from_arrays(2, [[0, 1]], names=["a"]), "2 vertices, but 1 names"),
        (lambda: Graph.from_arrays(2, [[0, 1]], weights=[1, 2]), "1 edge, but 2 weights"),
        (lambda: Graph("ab", ["ab"], labels=[1]), "as many labels"),
        (lambda: Graph("ab", ["ab"], labels=[1, 1]), "all different"),
        (lambda: Graph.from_edges([(1, 2)], nodes=[1, 1]), "node 1 is given twice"),
        (lambda: Graph.from_adjacency(np.array([[0, 1], [0, 0]]), directed=False), "symmetric"),
        (lambda: Graph.from_json({"vertices": ["a"], "edges": [], "directed": 1}), "true or false"),
        (lambda: Graph.from_json({"vertices": ["a"], "edges": [3]}), "a list of two vertices"),
        (lambda: Graph("ab", ["ab"]).cell(0), "0 is not a vertex of the graph of 2"),
        (lambda: Graph("ab", ["ab"], directed=True).move("b-a"), "b->a is not an arc of the directed graph"),
        (lambda: Graph(["a b", "c"], [(0, 1)]).move("c"), 'such as "a b"-c'),
    ],
)
def test_faults_of_graphs_are_named(call: object, said: str) -> None:
    assert callable(call)
    assert said in refusal(call)


@given(st.integers(1, 12), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=25))
@examples(150)
def test_components(n: int, drawn: list[tuple[int, int]]) -> None:
    edges = [(u % n, v % n) for u, v in drawn]
    array = np.array(edges, dtype=np.int64).reshape(-1, 2)
    graph, digraph = networkx.empty_graph(n), networkx.empty_graph(n, create_using=networkx.DiGraph)
    graph.add_edges_from(edges)
    digraph.add_edges_from(edges)
    labels = component_labels(n, array)
    assert all(labels[v] == min(part) for part in networkx.connected_components(graph) for v in part)
    parts = strong_components(n, array)
    assert sorted(map(sorted, networkx.strongly_connected_components(digraph))) == sorted(parts)
    place = {v: i for i, part in enumerate(parts) for v in part}
    assert all(place[u] <= place[v] for u, v in edges)
    bare = Graph.from_arrays(n, array, directed=True)
    plain = simple(graph)
    assert (bare.colouring is not None) == networkx.is_bipartite(plain)
    if bare.colouring is not None:
        assert all(bare.colouring[u] != bare.colouring[v] for u, v in plain.edges)


@pytest.mark.parametrize("n", [10_000, full(50_000), pytest.param(500_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("directed", [False, True])
def test_many_edges_take_no_object_each(directed: bool, n: int) -> None:
    chance = np.random.default_rng(1)
    order = chance.permutation(n)
    around = np.stack([order, np.roll(order, -1)], axis=1)
    edges = np.concatenate([around, chance.integers(0, n, (n, 2))])
    graph = Graph.from_arrays(n, edges, directed=directed)
    problem = TourProblem(board=graph, closed=True)
    cycle_graph = CycleGraph.of(problem)
    assert len(cycle_graph.edges) == len(graph.edges) + (n if directed else 0) > 1.99 * n
    assert problem.obstruction() is None
    tour = Tour.from_indices(graph, order.tolist(), closed=True)
    assert problem.check(tour) is None
    made = graph.__dict__.keys() | problem.__dict__.keys() | cycle_graph.__dict__.keys()
    assert not made & {"moves", "neighbours", "predecessors", "pairs", "around", "needed", "move_names"}


@pytest.mark.parametrize("name", ["starts", "ends"])
def test_a_text_is_no_list_of_vertices(name: str) -> None:
    """Its characters may be names of other vertices: 12 is not 1 and 2."""
    graph = Graph.from_arrays(13, np.array([[i, i + 1] for i in range(12)]))
    with pytest.raises(BadInput, match=rf"{name} must be a list of vertices, such as \['12'\]"):
        TourProblem(board=graph, closed=False, **{name: "12"})  # type: ignore[arg-type]


def test_a_matrix_of_lists_is_no_list_of_edges() -> None:
    with pytest.raises(BadInput, match="give a matrix as an array"):
        Graph.of([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    assert len(Graph.of([[0, 1], [1, 2], [2, 0]]).edges) == 3
    assert Graph.of([(0, 1, 1), (1, 0, 1), (1, 1, 0)]).dropped == {"loops": 1, "parallel": 1}
    assert Graph.of({0: [1], 1: [0, 1], 2: []}).dropped == {"loops": 1, "parallel": 0}


@pytest.mark.parametrize(
    ("name", "vertices", "girth", "diameter", "bipartite"),
    [("herschel", 11, 4, 4, True), ("coxeter", 28, 7, 4, False), ("flower-snark:5", 20, 5, 4, False)],
)
def test_graphs_of_theorems(name: str, vertices: int, girth: int, diameter: int, bipartite: bool) -> None:
    """None is Hamiltonian; the numbers are those of the books."""
    graph = named_graph(name)
    made = graph.to_networkx()
    assert len(graph) == vertices
    assert (networkx.girth(made), networkx.diameter(made)) == (girth, diameter)
    assert networkx.is_bipartite(made) == bipartite
    assert hamiltonian_cycle(graph) is None
    assert hamiltonian_path(graph) is not None


def test_edges_of_networkx_with_their_data() -> None:
    ring = networkx.cycle_graph("abc")
    assert Graph.of(list(ring.edges(data=True))) == Graph.of(list(ring.edges))


def test_names_that_begin_like_a_comment_are_quoted() -> None:
    assert [text_of_name(name) for name in ("#1", "1#")] == ['"#1"', "1#"]


class OfIgraph:
    """A graph with what igraph's graphs have: numbered vertices, a list of edges, and a way to networkx."""

    def __init__(self, graph: networkx.Graph[object]) -> None:
        self.graph = graph

    def get_edgelist(self) -> list[tuple[int, int]]:
        place = {node: i for i, node in enumerate(self.graph)}
        return [(place[u], place[v]) for u, v in self.graph.edges]

    def to_networkx(self) -> networkx.Graph[object]:
        return self.graph


@given(graphs_of_networkx().map(simple))
@examples(100)
def test_a_graph_in_every_form_of_python_is_the_same(given: networkx.Graph[object]) -> None:
    pandas = pytest.importorskip("pandas")
    graph, directed = Graph.of(given), given.is_directed()
    assert Graph.of(OfIgraph(given)) == graph
    bare = networkx.create_empty_copy(given)
    bare.add_edges_from(given.edges)  # without the weights
    plain = Graph.of(bare)
    lists = {node: list(given[node]) for node in given}
    assert Graph.from_adjacency(lists, directed=directed) == plain
    if not directed:
        assert Graph.of(lists) == plain
        assert Graph.of({node: dict(given[node]) for node in given}) == graph
        matrix = networkx.to_numpy_array(given, weight=None, dtype=int)
        assert Graph.of(pandas.DataFrame(matrix, list(given), list(given))) == plain


def test_a_table_of_pandas_needs_the_same_rows_and_columns() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(BadInput, match="its rows and columns need the same nodes in the same order"):
        Graph.of(pandas.DataFrame([[0, 1], [1, 0]], ["a", "b"], ["b", "a"]))
