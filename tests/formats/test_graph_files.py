"""Files of graphs: read as networkx reads them, read back as written, and refused in one line if damaged."""

from __future__ import annotations

import json
import random
import tracemalloc
from collections.abc import Callable
from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import full
from strategies import answer_or_refusal, boards, examples, hostile_text, one_line, refusal

from ktsolve.base.errors import BadInput
from ktsolve.formats.graphs.data import ANNOUNCED
from ktsolve.formats.graphs.files import GRAPH_FORMATS, graph_file, graph_format, graphs_in, read_graph
from ktsolve.formats.table import GRAPH_TOUR_FORMATS, format_named
from ktsolve.formats.tours.files import read_tour, read_tours, tour_file
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour

NAMES = [each.name for each in GRAPH_FORMATS]

UNNAMED = {"g6": 0, "s6": 0, "d6": 0, "matrix": 0, "hcp": 1, "col": 1, "nm": 1, "mtx": 1}
"""Formats without names of vertices, and the number of the first one."""

UNDIRECTED = ("hcp", "col", "g6", "s6")
UNWEIGHTED = ("hcp", "col", "g6", "s6", "d6")


def as_networkx(graph: Graph) -> networkx.Graph[Any]:
    made = networkx.DiGraph() if graph.directed else networkx.Graph()
    made.add_nodes_from(range(len(graph)))
    made.add_edges_from(graph.edges.tolist())
    return made


MANY = 500
"""Edges up to which networkx reads or writes GML, GraphML and Pajek, which take it 0.2 s for 2,000.

Each edge is a line by itself there. Sparse graphs have as many vertices as dense ones.
"""


labels = st.text(min_size=1, max_size=6).filter(str.isprintable)


@st.composite
def graphs(draw: st.DrawFn, *, directed: bool | None = None, plain: bool = False) -> Graph:
    """Any graph: of up to 12 vertices, or a sparse or dense one of 61 to 66: for graph6, 63 is large."""
    n = draw(st.one_of(st.integers(1, 12), st.integers(61, 66)))
    directed = draw(st.booleans()) if directed is None else directed
    rng = random.Random(draw(st.integers(0, 10**6)))
    share = draw(st.sampled_from([0.02, 0.2, 0.6, 1.0]))
    pairs = [
        (u, v) for u in range(n) for v in range(n) if (u != v if directed else u < v) and rng.random() < share
    ]
    names = weights = None
    if not plain:
        if draw(st.booleans()):
            names = draw(st.lists(labels, min_size=n, max_size=n, unique=True)) if n < 13 else None
        if draw(st.booleans()) and pairs:
            weights = [rng.randint(-5, 9) or 1 for _ in pairs]
    edges = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return Graph.from_arrays(n, edges, names, directed=directed, weights=weights)


def relabelled(graph: Graph) -> tuple[set[str], set[tuple[str, str, int | None]], bool]:
    """Names, and edges by name with weights: the order of vertices does not count."""
    names = graph.names
    weights = [None] * len(graph.edges) if graph.weights is None else graph.weights.tolist()
    edges = set()
    for (u, v), weight in zip(graph.edges.tolist(), weights, strict=True):
        ends = (names[u], names[v]) if graph.directed else tuple(sorted((names[u], names[v])))
        edges.add((ends[0], ends[1], weight))
    return set(names), edges, graph.directed


@given(graphs(), st.sampled_from(NAMES))
@examples(250)
def test_every_writer_is_read_back(graph: Graph, name: str) -> None:
    if name == "hcp" and len(graph) < 3:
        assert "at least 3 nodes" in refusal(graph_file, graph, name)
        return
    if graph.directed and name in UNDIRECTED:
        assert "directed" in refusal(graph_file, graph, name)
        return
    weighted = graph.weights is not None and bool((graph.weights != 1).any())
    if name == "adjlist" and weighted:
        assert "no place for weights" in refusal(graph_file, graph, name)
        return
    if name == "nm" and len(graph) - 1 not in graph.edges:
        assert "the last one has none" in refusal(graph_file, graph, name)
        return
    if name == "dot" and any("\\" in each for each in graph.names):
        answer_or_refusal(graph_file, graph, name)
        return
    text = graph_file(graph, name)
    read = read_graph(text, name)
    # By the contents too; single labels in lines may be anything.
    if name == "edges" or (name == "adjlist" and len(graph.edges)):
        assert read_graph(text) == read
    wanted = graph
    if name in UNNAMED:
        names = [str(i + UNNAMED[name]) for i in range(len(graph))]
        weights = None if name in UNWEIGHTED else graph.weights
        wanted = Graph.from_arrays(len(graph), graph.edges, names, directed=graph.directed, weights=weights)
    read_names, edges, directed = relabelled(read)
    wanted_names, wanted_edges, wanted_directed = relabelled(wanted)
    assert read_names == wanted_names
    if name == "d6" and not graph.directed:
        assert directed
        assert {(u, v) for u, v, _ in edges} == {
            (a, b) for u, v, _ in wanted_edges for a, b in ((u, v), (v, u))
        }
        return
    if not len(graph.edges) or (name in ("matrix", "mtx") and is_symmetric(graph)):
        directed = wanted_directed  # a text without arcs, or a symmetric matrix, does not state it
        if name in ("matrix", "mtx") and graph.directed:
            return
    assert directed == wanted_directed
    if all(weight in (None, 1) for _, _, weight in wanted_edges):
        # A weight of 1 everywhere is none in some formats.
        assert {(u, v) for u, v, _ in edges} == {(u, v) for u, v, _ in wanted_edges}
    else:
        assert edges == wanted_edges
    shown = graph_format(text)
    assert shown is None or shown.name == name or (name in ("s6", "d6") and shown.name == "g6")


def is_symmetric(graph: Graph) -> bool:
    pairs = {(u, v) for u, v in graph.edges.tolist()}
    return graph.directed and pairs == {(v, u) for u, v in pairs}


@given(boards(largest=6), st.sampled_from(NAMES))
@examples(60)
def test_a_board_is_stated_and_read_back(board: Board, name: str) -> None:
    if (name == "hcp" and len(board) < 3) or (name == "nm" and len(board) - 1 not in board.edges):
        return
    read = read_graph(graph_file(board, name), name)
    if name in ("g6", "s6", "matrix"):
        assert np.array_equal(read.edges, board.edges)
    elif name != "d6":
        assert read == board


@given(st.lists(labels, min_size=3, max_size=7, unique=True), st.booleans(), st.randoms(), st.booleans())
@examples(200)
def test_tours_of_graphs_are_read_back(
    names: list[str], closed: bool, rng: random.Random, directed: bool
) -> None:
    n = len(names)
    pairs = [(u, v) for u in range(n) for v in range(n) if u != v]
    graph = Graph.from_arrays(n, np.array(pairs), names, directed=directed)
    order = rng.sample(names, n)
    tour = Tour(graph, order, closed)
    for form in GRAPH_TOUR_FORMATS:
        text = tour_file([tour], form).decode()
        read = read_tour(text, graph, closed)
        assert (read.squares, read.closed) == (tour.squares, closed), form.name
        if form.several:
            several = tour_file([tour, tour], form).decode()
            assert [each.squares for each in read_tours(several, graph, closed)] == [tour.squares] * 2


# -- against networkx ---------------------------------------------------------------------------------------


def written(write: Callable[..., Any], *given: Any, **named: Any) -> str:
    data: bytes = write(*given, **named)
    return data.decode()


@given(graphs(directed=False, plain=True))
@examples(80)
def test_what_networkx_writes_is_read(graph: Graph) -> None:
    nx = as_networkx(graph)
    wanted = {tuple(sorted(edge)) for edge in nx.edges}
    texts = {
        "g6": written(networkx.to_graph6_bytes, nx),
        "s6": written(networkx.to_sparse6_bytes, nx),
        "matrix": "\n".join(
            " ".join(map(str, row)) for row in networkx.to_numpy_array(nx, dtype=int).tolist()
        ),
        "edges": "\n".join(networkx.generate_edgelist(nx)),
        "json": json.dumps(networkx.node_link_data(nx, edges="links")),
    }
    if len(wanted) <= MANY:
        texts |= {
            "graphml": "\n".join(networkx.generate_graphml(nx)),
            "gml": "\n".join(networkx.generate_gml(nx)),
            "net": "\n".join(networkx.generate_pajek(nx)),
        }
    for name, text in texts.items():
        if name == "edges" and not wanted:
            continue
        read = read_graph(text, name)
        assert {tuple(sorted((int(read.names[u]), int(read.names[v])))) for u, v in read.edges.tolist()} == (
            wanted
        ), name
        if name != "edges":  # a list of edges has no isolated vertices
            assert len(read) == len(graph), name


@given(graphs(directed=False, plain=True))
@examples(80)
def test_networkx_reads_what_is_written(graph: Graph) -> None:
    wanted = {tuple(sorted(edge)) for edge in as_networkx(graph).edges}
    for name, read in (("g6", networkx.from_graph6_bytes), ("s6", networkx.from_sparse6_bytes)):
        found = read(graph_file(graph, name).strip().encode())
        assert {tuple(sorted(edge)) for edge in found.edges} == wanted
        assert sorted(found) == list(range(len(graph)))
    if len(wanted) > MANY:
        return
    for name, parse in (
        ("graphml", networkx.parse_graphml),
        ("gml", lambda text: networkx.parse_gml(text, label="id")),
        ("json", lambda text: None),
    ):
        found = parse(graph_file(graph, name))
        if found is not None:
            assert {tuple(sorted((int(u), int(v)))) for u, v in found.edges} == wanted, name
    pajek = networkx.Graph(networkx.parse_pajek(graph_file(graph, "net").splitlines()))
    assert {tuple(sorted((int(u), int(v)))) for u, v in pajek.edges} == wanted


@pytest.mark.parametrize("n", [62, 63, 64, 100, 300])
def test_large_numbers_of_vertices_in_graph6(n: int) -> None:
    nx = networkx.gnp_random_graph(n, 0.1, seed=n)
    for text in (written(networkx.to_graph6_bytes, nx), written(networkx.to_sparse6_bytes, nx)):
        assert {tuple(edge) for edge in read_graph(text, "g6").edges.tolist()} == {
            tuple(sorted(edge)) for edge in nx.edges
        }


def test_digraph6_as_nauty_writes_it() -> None:
    # The example of formats.txt: 0->2, 0->4, 3->1, 3->4.
    read = read_graph("&DI?AO?")
    assert read.directed
    assert read.edges.tolist() == [[0, 2], [0, 4], [3, 1], [3, 4]]


def test_sparse6_as_nauty_writes_it() -> None:
    # The example of formats.txt: 0-1, 0-2, 1-2, 5-6.
    assert read_graph(":Fa@x^").edges.tolist() == [[0, 1], [0, 2], [1, 2], [5, 6]]


# -- texts of other programs --------------------------------------------------------------------------------

TRIANGLE = {("1", "2"), ("1", "3"), ("2", "3")}


@pytest.mark.parametrize(
    ("text", "name", "names", "edges"),
    [
        ("Rome Oslo\nOslo Bonn # a comment\n% another\n", "edges", "Bonn Oslo Rome", "Rome-Oslo Bonn-Oslo"),
        ("New York, San Jose\nSan Jose, Bonn\n", "edges", None, None),
        ("source,target,weight\na,b,3\nb,c,4\n", "edges", "a b c", "a-b b-c"),
        ("1\t2\n2\t3\n", "edges", "1 2 3", "1-2 2-3"),
        ("7 3 {'weight': 5}\n3 9 {'weight': 6}\n", "edges", "3 7 9", "3-7 3-9"),
        ("10 9\n9 8\nlonely\n", "edges", "10 8 9 lonely", "10-9 8-9"),
        ("0 1 2\n1 0 0\n2 0 0\n", None, "0 1 2", "0-1 0-2"),
        ("011\n101\n110\n", None, "0 1 2", "0-1 0-2 1-2"),
        ("c queen\np col 3 2\ne 1 2\ne 3 2\n", None, "1 2 3", "1-2 2-3"),
        ("p edge 3 1\r\nn 1 2\r\nd 1 1\r\ne 1 3\r\n", None, "1 2 3", "1-3"),
        (
            "NAME : x\nTYPE : HCP\nDIMENSION : 4\nEDGE_DATA_FORMAT : ADJ_LIST\nEDGE_DATA_SECTION\n"
            "1 2 3 -1\n2 1 4 -1\n3 4 -1\n-1\nEOF\n",
            None,
            "1 2 3 4",
            "1-2 1-3 2-4 3-4",
        ),
        (
            "TYPE: HCP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\n"
            "EDGE_WEIGHT_SECTION\n0 1 1\n1 0 0\n1 0 0\nEOF\n",
            None,
            "1 2 3",
            "1-2 1-3",
        ),
        (
            '*Network x\n*Vertices 3\n1 "a b" 0.1 0.2\n2 c\n*Arcs\n*Edges\n1 2\n2 3 1\n',
            None,
            "3 a\\ b c",
            "a\\ b-c 3-c",
        ),
        ('{"nodes": [{"id": 1}, {"id": "b"}], "edges": [{"source": 1, "target": "b"}]}', None, "1 b", "1-b"),
        ('graph [ node [ id 5 label "x" ] node [ id 6 ] edge [ source 5 target 6 ] ]', None, "5 6", "5-6"),
    ],
)
def test_texts_of_other_programs(text: str, name: str | None, names: str | None, edges: str | None) -> None:
    read = read_graph(text, name)
    if names is None:
        assert read.names == ("New York", "San Jose", "Bonn")
        return
    assert edges is not None
    spelled = [each.replace("\\", " ") for each in names.replace("\\ ", "\\").split()]
    assert sorted(read.names) == spelled
    found = {"-".join(sorted((read.names[u], read.names[v]))) for u, v in read.edges.tolist()}
    wanted = {each.replace("\\", " ") for each in edges.replace("\\ ", "\\").split()}
    assert found == {"-".join(sorted(each.split("-"))) for each in wanted}


def test_weights_and_directions() -> None:
    read = read_graph("a -> b 3\nb -> a 4\n")
    assert read.directed
    assert read.weights is not None
    assert read.weights.tolist() == [3, 4]
    assert read_graph("1 -> 2\n2 -> 3\n").edges.tolist() == [[0, 1], [1, 2]]
    tsp = (
        "TYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EXPLICIT\n"
        "EDGE_WEIGHT_FORMAT : {}\nEDGE_WEIGHT_SECTION\n"
        "{}\nEOF"
    )
    for layout, numbers in (
        ("FULL_MATRIX", "0 5 6 5 0 7 6 7 0"),
        ("UPPER_ROW", "5 6 7"),
        ("LOWER_DIAG_ROW", "0 5 0 6 7 0"),
        ("LOWER_COL", "5 6 7"),
        ("UPPER_DIAG_COL", "0 5 0 6 7 0"),
    ):
        weights = read_graph(tsp.format(layout, numbers)).weights
        assert weights is not None
        assert weights.tolist() == [5, 6, 7], layout
    assert read_graph("0 2 1\n1 0 1\n1 1 0\n", "matrix").directed


def test_weights_of_tsplib_coordinates() -> None:
    """Distances between three places, computed by hand from the formulas of TSPLIB 95."""
    text = (
        "TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: {}\nNODE_COORD_SECTION\n1 0 0\n2 1e1 10.0\n3 0 5\nEOF\n"
    )
    for kind, weights in (("EUC_2D", [14, 5, 11]), ("CEIL_2D", [15, 5, 12]), ("ATT", [5, 2, 4])):
        read = read_graph(text.format(kind))
        assert read.weights is not None
        assert read.weights.tolist() == weights, kind
    for change, said in (
        (("EUC_2D", "XRAY1"), "EDGE_WEIGHT_TYPE is 'XRAY1'"),
        (("3 0 5", "4 0 5"), "line 7: '4 0 5' is not a vertex with its place"),
        (("3 0 5", "1 0 5"), "line 7: vertex 1 has a place already"),
        (("3 0 5\n", ""), "no place of vertex 3: the file is cut off"),
        (("DIMENSION: 3", "DIMENSION: 9000"), "read up to 2,000"),
        (("1e1", "1e300"), "line 6: '2 1e300 10.0' is not a vertex with its place"),
        (("1e1", "x"), "line 6: '2 x 10.0' is not a vertex with its place"),
    ):
        assert said in refusal(read_graph, text.format("EUC_2D").replace(*change))


BURMA = [
    "16.47",
    "96.10",
    "16.47",
    "94.44",
    "20.09",
    "92.54",
    "22.39",
    "93.37",
    "25.23",
    "97.24",
    "22.00",
    "96.05",
    "20.47",
    "97.02",
    "17.20",
    "96.29",
    "16.30",
    "97.38",
    "14.05",
    "98.12",
    "16.53",
    "97.38",
    "21.52",
    "95.59",
    "19.41",
    "97.13",
    "20.09",
    "94.55",
]


def test_burma14_has_the_published_length() -> None:
    """The optimal tour of burma14, of length 3323 (Reinelt)."""
    places = [f"{i // 2 + 1} {BURMA[i]} {BURMA[i + 1]}" for i in range(0, 28, 2)]
    head = "NAME: burma14\nTYPE: TSP\nDIMENSION: 14\nEDGE_WEIGHT_TYPE: GEO\nNODE_COORD_SECTION\n"
    read = read_graph(head + "\n".join(places) + "\nEOF\n")
    assert read.weights is not None
    weight = dict(zip(map(tuple, read.edges.tolist()), read.weights.tolist(), strict=True))
    tour = [0, 1, 13, 2, 3, 4, 5, 11, 6, 12, 7, 10, 8, 9]
    assert sum(weight[min(u, v), max(u, v)] for u, v in zip(tour, [*tour[1:], 0], strict=True)) == 3323


def test_fixed_edges_are_required() -> None:
    text = (
        "TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n2 3\n1 3\n-1\n"
        "FIXED_EDGES_SECTION\n2 3\n-1\nEOF\n"
    )
    (read,) = graphs_in(text, format_named("hcp", GRAPH_FORMATS))
    assert read.required == (("2", "3"),)
    assert "fixed edge 1 3 is not an edge" in refusal(
        read_graph, text.replace("1 3\n-1\nF", "-1\nF").replace("\n2 3\n-1\nEOF", "\n1 3\n-1\nEOF")
    )


def test_loops_and_parallel_edges_are_counted() -> None:
    for text, name in (
        ("1 1\n1 2\n2 1\n", "edges"),
        ("p edge 2 3\ne 1 1\ne 1 2\ne 2 1\n", "col"),
        ('{"vertices": ["1", "2"], "edges": [["1", "1"], ["1", "2"], ["2", "1"]]}', "json"),
        ("*Vertices 2\n*Edges\n1 1\n1 2\n2 1\n", "net"),
        ("a a\na b\nb a\n", "edges"),
    ):
        read = read_graph(text, name)
        assert dict(read.dropped) == {"loops": 1, "parallel": 1}, name
        assert len(read.edges) == 1


def test_several_graphs_in_a_file() -> None:
    text = "".join(graph_file(Graph.from_networkx(networkx.cycle_graph(n)), "g6") for n in (3, 4, 5))
    text = ">>graph6<<" + text + graph_file(Graph.from_networkx(networkx.cycle_graph(6)), "s6")
    assert [len(each.ground) for each in graphs_in(text, format_named("g6", GRAPH_FORMATS))] == [3, 4, 5, 6]
    assert "holds 4 graphs" in refusal(read_graph, text)
    assert "line 2: " in refusal(lambda: list(graphs_in("Bw\nC\n", format_named("g6", GRAPH_FORMATS))))


# -- bad input ----------------------------------------------------------------------------------------------

HCP = "TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n2 3\n"

BAD = [
    ("", "col", "it is empty"),
    ("e 1 2\n", "col", "does not state its number of vertices"),
    ("p edge 3 1\ne 1 4\n", "col", "edge 1 4 ends in no vertex: they are numbered 1 to 3"),
    ("p edge 3 2\ne 1 2\n", "col", "announces 2 edges, and the file has 1 edge: it is cut off"),
    ("p edge 3 0\ne 1 2\n", "col", "announces 0 edges, and the file has 1 edge: it is wrong"),
    ("p edge 0 0\n", "col", "no vertices"),
    ("p sat 3 1\n1 2 0\n", "col", "states a problem 'sat'"),
    ("p edge 3 1\nf 1 2\n", "col", "line 2: 'f 1 2' is not a DIMACS edge"),
    ("p edge 3 1\ne 1\n", "col", "line 2 has 1 number"),
    ("p edge 3 1\ne 1 x\n", "col", "line 2: 'x' is not two numbers"),
    ("p edge 3 " + "9" * 5000 + "\ne 1 2\n", "col", "and the file has 1 edge: it is cut off"),
    ("2 -> 1\n1 -> 2\n", "nm", "nm begins with the numbers of vertices and of edges"),
    ("p edge 999999999 0\n", "col", "announces 999,999,999 vertices"),
    ("p edge 3 1\ne 1 " + "9" * 400 + "\n", "col", "line 2"),
    ("TYPE : HCP\n", "hcp", "does not state its number of vertices"),
    (HCP, "hcp", "no -1 at its end: the file is cut off"),
    (HCP + "1\n-1\n", "hcp", "an edge takes two: the file is cut off"),
    (HCP + "-1\n4 5\n", "hcp", "goes on after its -1"),
    (HCP + "1 4\n-1\n", "hcp", "edge 1 4 ends in no vertex"),
    (HCP.replace("3\nE", "999999999999\nE") + "-1\n", "hcp", "the header announces"),
    (HCP.replace("EDGE_LIST", "CRYSTAL"), "hcp", "EDGE_DATA_FORMAT is 'CRYSTAL'"),
    (HCP.replace("HCP", "SOP"), "hcp", "of type 'SOP'"),
    ("TYPE : TSP\nDIMENSION : 3\nNODE_COORD_SECTION\n1 0 0\n", "hcp", "only 'NODE_COORD_SECTION'"),
    (
        "TYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_FORMAT : FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1\nEOF",
        "hcp",
        "has 9 numbers, not 2: the file is cut off",
    ),
    ("<graphml", "graphml", "this is not graphml"),
    ("<graphml><graph>", "graphml", "this is not graphml"),
    ("graph [ node [ id 1", "gml", "this is not gml"),
    ("*Vertices 2\n1 a\n", "net", "ends after its vertices"),
    ("*Vertices 2\n1 a\n3 b\n*Edges\n", "net", "'3' is not a vertex: they are 1 to 2"),
    ("*Vertices 2\n*Edges\n1 3\n", "net", "edge 1 3 ends in no vertex"),
    ("*Vertices 2\n*Edges\n1 2\n*Arcs\n2 1\n", "net", "*Edges and *Arcs"),
    ("*Edges\n1 2\n", "net", "stands before *Vertices"),
    ("*Vertices 999999999\n*Edges\n1 2\n", "net", "announces 999,999,999 vertices"),
    ("*Vertices 2\n*Matrix\n0 1\n", "net", "1 row, not 2: the file is cut off"),
    ("~~~", "g6", "ends within its number of vertices: it is cut off"),
    ("C", "g6", "has 1 character after its number of vertices, this one 0: it is cut off"),
    ("C~~", "g6", "it is too long"),
    ("C!", "g6", "character 2 of the graph6 line is '!': the characters are ? to ~"),
    ("C\u00e9", "g6", "character 2"),
    ("~~~~~~~~", "g6", "has 393,530,540,"),
    (":~~~~~~~~", "s6", "the header announces 68,719,476,735 vertices"),
    ("&~~~~~~~~", "d6", "it is cut off"),
    ("?", "g6", "no vertices"),
    ("1 2\n3\n2 1 5\n", "edges", "line 3 has 3 words, the lines before 2"),
    ("1 2 3 4\n", "edges", "line 1 has 4 words"),
    ("a b\nb\n", "edges", "line 2 has one label, of a vertex with edges: the file is cut off?"),
    ('"a b c\n', "edges", "has no closing quote"),
    ("a b heavy\n", "edges", "'heavy' is not a weight"),
    ("a -> b\nb c\n", "edges", "some edges have an arrow"),
    ("# nothing\n", "edges", "no vertices"),
    ("0 1\n1 0\n1 1\n", "matrix", "3 rows and 2 columns"),
    ("0 1 1\n1 0\n", "matrix", "line 2 has 2 numbers"),
    ("0 x\n1 0\n", "matrix", "'x' is not a number of a matrix"),
    ("[1, 2", "json", "is not JSON"),
    ("[1, 2]", "json", "is an object with vertices and edges"),
    ('{"vertices": ["a"]}', "json", "lists of vertices and edges"),
    ('{"vertices": ["a", "a"], "edges": []}', "json", "'a' is named twice"),
    ('{"vertices": ["a"], "edges": [["a", "b"]]}', "json", "'b', which is not a vertex"),
    ('{"vertices": ["a\\nb"], "edges": []}', "json", "cannot name a vertex"),
    ('{"vertices": [], "edges": []}', "json", "no vertices"),
    ('{"nodes": [{"id": null}], "links": []}', "json", "is not a vertex"),
    ('{"nodes": [1], "links": [[1, 2]]}', "json", "is not a link"),
    (
        '{"vertices": ["a", "b"], "edges": [["a", "b"]], "weights": [1, 2]}',
        "json",
        "not a number for each edge",
    ),
    ("", "xyz", "format 'xyz' is unknown: use hcp, col, g6"),
]


@pytest.mark.parametrize(("text", "name", "said"), BAD)
def test_damaged_files_are_refused(text: str, name: str, said: str) -> None:
    assert said in refusal(read_graph, text, name)


@given(hostile_text(), st.sampled_from(NAMES))
@examples(200)
def test_no_text_makes_a_reader_fall_over(text: str, name: str) -> None:
    graph = answer_or_refusal(read_graph, text, name)
    assert graph is None or len(graph) >= 1


@given(graphs(plain=True), st.sampled_from(NAMES), st.data())
@examples(200)
def test_files_cut_off_or_changed_are_read_or_refused(graph: Graph, name: str, data: st.DataObject) -> None:
    if (graph.directed and name in UNDIRECTED) or (name == "hcp" and len(graph) < 3):
        return
    text = answer_or_refusal(graph_file, graph, name)
    if text is None:  # without edges nm does not show how vertices are numbered
        return
    at = data.draw(st.integers(0, len(text)))
    answer_or_refusal(read_graph, text[:at], name)
    answer_or_refusal(read_graph, text[:at] + data.draw(st.characters()) + text[at + 1 :], name)


GIANTS = [
    ("p edge 900000000 1\ne 1 2\n", "col"),
    ("TYPE : HCP\nDIMENSION : 900000000\nEDGE_DATA_SECTION\n1 2\n-1\n", "hcp"),
    ("TYPE : TSP\nDIMENSION : 9000\nEDGE_WEIGHT_FORMAT : UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2\nEOF\n", "hcp"),
    ("*Vertices 900000000\n*Edges\n1 2\n", "net"),
    ("~~?^zzzz??", "g6"),
    (":~~?^zzzz??", "s6"),
    ("&~~?^zzzz??", "d6"),
    ("~zzz??", "g6"),
]


@pytest.mark.parametrize(("text", "name"), GIANTS)
def test_an_announcement_takes_no_memory(text: str, name: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(BadInput) as caught:
            read_graph(text, name)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    one_line(caught.value)
    assert peak < 5_000_000


def test_a_few_isolated_vertices_may_be_announced() -> None:
    assert len(read_graph(f"p edge {ANNOUNCED} 1\ne 1 2\n")) == ANNOUNCED


@pytest.mark.parametrize("m", [40_000, full(200_000), pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_many_edges_are_arrays(m: int) -> None:
    """Reading takes a few dozen bytes for each edge, where an object for each would take hundreds."""
    n = m // 5
    edges = np.random.default_rng(1).integers(1, n + 1, (m, 2))
    text = f"p edge {n} {m}\n" + "".join(f"e {u} {v}\n" for u, v in edges.tolist())
    listed = text.partition("\n")[2].replace("e ", "")
    for contents, name in ((text, "col"), (listed, "edges")):
        tracemalloc.start()
        try:
            read = read_graph(contents, name)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert len(read.edges) + sum(read.dropped.values()) == m
        assert peak < 250 * m, name
