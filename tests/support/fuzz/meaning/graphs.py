"""Graphs: written by ktsolve, by networkx, and after the public descriptions of the formats."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterable
from typing import Any

import networkx as nx
from command import ktsolve as command

from fuzz.meaning.described_graphs import (
    adjacency,
    arrows,
    by_formats_txt,
    digits,
    dimacs,
    edge_lines,
    gml,
    graphviz,
    hcp_edges,
    hcp_neighbours,
    joined,
    matrix_market,
    neighbours,
    numbered_json,
    numbers_as_nodes,
    pajek,
    sized_matrix,
    tsp_matrix,
    tsp_places,
    with_sizes,
)
from fuzz.meaning.plain_graphs import (
    NUMBERED,
    Plain,
    graph_of,
    has_words,
    lines_of,
    meant_graph,
    no_vertex_alone,
    plain,
    random_graph,
    same,
    what_it_holds,
    whole,
)
from fuzz.meaning.writers import Kind, Writer, Written
from fuzz.target import file_of
from ktsolve.base.errors import BadInput, KtsolveError
from ktsolve.formats.graphs.files import GRAPH_FORMATS, graph_file
from ktsolve.formats.sources import read_graph
from ktsolve.graphs.board import Board

__all__ = ["GRAPHS"]


def _read(data: bytes, form: str, way: str, packed: str, _: Any) -> Plain:
    suffix = next((each.suffixes[0] for each in GRAPH_FORMATS if each.name == form), form)
    if way == "name of the format":
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise BadInput("compressed") from None
        return plain(read_graph(io.StringIO(text), form))
    if way == "suffix":
        with file_of(data, f".{suffix}{packed}") as path:
            return plain(read_graph(path))
    if way == "other suffix":
        with file_of(data, f".dat{packed}") as path:
            return plain(read_graph(path))
    said = command("convert", "-", "--format", "json", given=data)
    if said.status:
        raise BadInput(said.complaint)
    value = json.loads(said.out)
    if len(value.get("squares", "")) == 1 or "tours" in value:
        raise BadInput("tours of one cell")
    weights = value.get("weights") or [None] * len(value["edges"])
    edges = [[*edge[:2], *(edge[2:] or [w])] for edge, w in zip(value["edges"], weights, strict=True)]
    return {"names": value["vertices"], "edges": edges, "directed": bool(value.get("directed"))}


def _ours(form: str) -> Writer:
    def write(chance: random.Random, graph: Plain) -> Written | None:
        try:
            if chance.random() < 0.15:
                board = Board.parse(
                    chance.choice(("3x3", "3x4", "2x5", "4x4")),
                    without=chance.choice(("", "b2", "a1")),
                    wrap=chance.choice(("none", "x", "xy")),
                )
                graph = plain(board)
                place = {name: i for i, name in enumerate(graph["names"])}
                graph = {**graph, "edges": [[place[u], place[v], w] for u, v, w in graph["edges"]]}
                text = graph_file(board, form)
                named = form in NUMBERED and form not in ("hcp", "col", "nm", "mtx")
                meant = what_it_holds(graph, form) if named else meant_graph(graph)
                return text, meant
            if not whole(graph):
                return None
            return graph_file(graph_of(graph), form), what_it_holds(graph, form)
        except KtsolveError:
            return None

    return Writer(form, "ktsolve", write)


# -- networkx ---------------------------------------------------------------------------------------------


def _networkx(graph: Plain, numbers: bool = False) -> Any:
    found: Any = nx.DiGraph() if graph["directed"] else nx.Graph()
    nodes = range(len(graph["names"])) if numbers else graph["names"]
    found.add_nodes_from(nodes)
    for u, v, w in graph["edges"]:
        found.add_edge(nodes[u], nodes[v], **({} if w is None else {"weight": w}))
    return found


def _nx_bytes(
    form: str, by: str, write: Callable[[Any, bool], bytes], *, header: bool = False, directed: bool = False
) -> Writer:
    def made(_: random.Random, graph: Plain) -> Written | None:
        if graph["directed"] != directed:
            return None
        return write(_networkx(graph, numbers=True), header).decode(), what_it_holds(graph, form)

    return Writer(form, f"networkx, {by}", made)


def _nx_text(
    form: str,
    by: str,
    write: Callable[[Any], Iterable[str] | str],
    *,
    words: bool = False,
    alone: bool = True,
    directed: bool = True,
    weights: bool = True,
    sure: bool = True,
) -> Writer:
    """A writer of networkx; whether it takes words only, keeps vertices without edges, and the weights."""

    def made(_: random.Random, graph: Plain) -> Written | None:
        if (words and not has_words(graph)) or (not alone and not no_vertex_alone(graph)):
            return None
        if (graph["directed"] and not directed) or (sure and not whole(graph)):
            return None
        if not (sure or graph["edges"]):  # a vertex and the number of its neighbours, 0, is an edge
            return None
        text = write(_networkx(graph))
        return text if isinstance(text, str) else lines_of(text), meant_graph(graph, weights=weights)

    return Writer(form, f"networkx, {by}", made, sure)


def _nx_weighted_edges(_: random.Random, graph: Plain) -> Written | None:
    if graph["directed"] or not (has_words(graph) and no_vertex_alone(graph)) or graph["edges"][0][2] is None:
        return None
    return lines_of(nx.generate_edgelist(_networkx(graph), data=["weight"])), meant_graph(graph)


def _nx_dot(_: random.Random, graph: Plain) -> Written | None:
    if not (has_words(graph) and whole(graph)):
        return None
    return str(nx.nx_pydot.to_pydot(_networkx(graph)).to_string()), meant_graph(graph)


def _nx_matrix(_: random.Random, graph: Plain) -> Written | None:
    if len(graph["names"]) < 3 or not whole(graph):
        return None
    rows = nx.to_numpy_array(_networkx(graph, numbers=True), nodelist=range(len(graph["names"])))
    return lines_of(" ".join(f"{value:.18e}" for value in row) for row in rows), what_it_holds(
        graph, "matrix"
    )


def _nx_json(graph: Any, edges: str) -> str:
    return json.dumps(nx.node_link_data(graph, edges=edges))


GRAPHS = Kind(
    name="graph",
    formats=tuple(form.name for form in GRAPH_FORMATS if form.can("read")),
    draw=random_graph,
    writers=(
        *(_ours(form.name) for form in GRAPH_FORMATS if form.can("write")),
        _nx_bytes("g6", "graph6", lambda graph, _: nx.to_graph6_bytes(graph, header=False)),
        _nx_bytes("g6", "graph6 with a header", lambda graph, _: nx.to_graph6_bytes(graph, header=True)),
        _nx_bytes("s6", "sparse6", lambda graph, _: nx.to_sparse6_bytes(graph, header=False)),
        _nx_bytes("s6", "sparse6 with a header", lambda graph, _: nx.to_sparse6_bytes(graph, header=True)),
        _nx_text("edges", "edges", lambda g: nx.generate_edgelist(g, data=False), words=True, alone=False,
                 directed=False, weights=False),
        _nx_text("edges", "edges with data", nx.generate_edgelist, words=True, alone=False, directed=False),
        Writer("edges", "networkx, edges with weights", _nx_weighted_edges),
        _nx_text("adjlist", "neighbours", nx.generate_adjlist, words=True, directed=False, weights=False,
                 sure=False),
        _nx_text("adjlist", "neighbours in lines", nx.generate_multiline_adjlist, words=True, directed=False,
                 sure=False),
        Writer("matrix", "numpy.savetxt", _nx_matrix),
        _nx_text("graphml", "GraphML", nx.generate_graphml),
        _nx_text("gml", "GML", nx.generate_gml),
        _nx_text("net", "Pajek", nx.generate_pajek, words=True),
        Writer("dot", "networkx, pydot", _nx_dot),
        _nx_text("json", "links", lambda g: _nx_json(g, "links")),
        _nx_text("json", "edges", lambda g: _nx_json(g, "edges")),
        _nx_text("json", "adjacency", lambda g: json.dumps(nx.adjacency_data(g)), sure=False),
        _nx_text("json", "cytoscape", lambda g: json.dumps(nx.cytoscape_data(g)), sure=False),
        _nx_text("gexf", "GEXF", nx.generate_gexf, sure=False),
        Writer("col", "DIMACS", dimacs),
        Writer("hcp", "TSPLIB, edges", hcp_edges),
        Writer("hcp", "TSPLIB, neighbours", hcp_neighbours),
        Writer("hcp", "TSPLIB, matrix of distances", tsp_matrix),
        Writer("hcp", "TSPLIB, coordinates", tsp_places, sure=False),
        by_formats_txt("g6"),
        by_formats_txt("d6"),
        Writer("edges", "table", edge_lines, sure=False),
        with_sizes(0),
        with_sizes(1),
        joined("-"),
        joined(",", "()"),
        joined(" -- "),
        Writer("edges", "arrows", arrows),
        neighbours(": "),
        neighbours(" "),
        Writer("json", "neighbours", adjacency, sure=False),
        Writer("json", "links between places", numbered_json, sure=False),
        Writer("json", "numbers", numbers_as_nodes),
        Writer("matrix", "digits", digits),
        Writer("matrix", "digits after the size", sized_matrix, sure=False),
        Writer("mtx", "MatrixMarket", matrix_market, sure=False),
        Writer("net", "Pajek", pajek),
        Writer("dot", "Graphviz", graphviz),
        Writer("gml", "GML", gml),
    ),
    ways=("suffix", "name of the format", "other suffix", "standard input"),
    read=_read,
    same=same,
    comments={
        "edges": ("# {}", "% {}"),
        "nm": ("# {}",),
        "adjlist": ("# {}",),
        "mtx": ("% {}",),
        "gexf": ("<!-- {} -->",),
        "col": ("c {}",),
        "matrix": ("# {}", "% {}"),
        "hcp": ("COMMENT : {}",),
        "gml": ("# {}",),
        "net": ("% {}",),
        "dot": ("// {}", "# {}", "/* {} */"),
        "graphml": ("<!-- {} -->",),
    },
    variants={
        "hcp": (
            (r"EDGE_DATA_SECTION", "EDGE_DATA_SECTION :"),
            (r"\nEOF\n", "\n"),
            (r"^", "COMMENT : some graph\n"),
            (r" : ", ": "),
        ),
        "col": ((r"p (edge|col) ", r"p  \1  "), (r"p edge", "p col"), (r"p col", "p edges")),
        "g6": ((r"\A(?!>>)", ">>graph6<<"), (r"\A(?!>>)", ">>graph6<<\n")),
        "s6": ((r"\A(?!>>)", ">>sparse6<<"), (r"\A(?!>>)", ">>sparse6<<\n")),
        "d6": ((r"\A(?!>>)", ">>digraph6<<"), (r"\A(?!>>)", ">>digraph6<<\n")),
        "gml": (
            (r"\Agraph \[", 'Creator "some program"\nVersion 1\ngraph ['),
            (r"\Agraph \[", "graph\n["),
        ),
        "net": ((r"\*Vertices", "*vertices"), (r"(?m)^\*Network.*\n", ""), (r"\*(?=[A-Z])", "* ")),
        "dot": ((r"(?m);$", ""), (r"\A(di)?graph \{", r"strict \1graph some {"), (r" \{", "\n{")),
        "graphml": ((r"\A<\?xml.*\n", ""),),
        "json": ((r'(?<=["\]}]), (?=["\[{])', ","), (r"\A", "\n")),
        "edges": ((r"\A", "source target\n"), (r"\A", "from to\n")),
        "matrix": ((r" ", ","), (r" ", ";")),
    },
)  # fmt: skip
"""Graphs and digraphs, with weights or without."""
