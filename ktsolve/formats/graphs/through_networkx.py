"""GraphML, GEXF, GML and DOT: read by networkx, and by pydot or pygraphviz for DOT; written as text.

Nodes become vertices in their order. A vertex is named by the attribute ``name`` or ``label`` if all nodes
have different ones, else by the node itself.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import warnings
from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import networkx as nx
import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.formats.graphs.data import GraphData, weighted_edges, whole_weights
from ktsolve.formats.tours.common import board_comment, ground_comment
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph


def data_of(found: nx.Graph[Any], comment: str = "") -> GraphData:
    """The arrays of a graph of networkx.

    >>> data_of(nx.path_graph("abc")).edges.tolist()
    [[0, 1], [1, 2]]
    """
    number = {node: i for i, node in enumerate(found)}
    ends = [number[end] for edge in found.edges() for end in edge]
    weights = [weight for _, _, weight in found.edges(data="weight")]
    whole = None
    if any(weight is not None for weight in weights):
        whole = whole_weights(np.array([_weight(each) for each in weights]))
    edges = np.array(ends, dtype=np.int64).reshape(-1, 2)
    return GraphData(len(found), edges, _names(found), found.is_directed(), whole, comment=comment)


def _weight(given: object) -> float:
    try:
        return float(given.strip('"') if isinstance(given, str) else given)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        what = (
            "an edge has no weight, and others have one"
            if given is None
            else f"{shown(given, 24)} is not a weight"
        )
        raise BadInput(f"{what}: write a whole number for each edge, or none") from None


def _names(found: nx.Graph[Any]) -> list[str]:
    for key in ("name", "label"):
        labels = [str(data[key]) for _, data in found.nodes(data=True) if key in data]
        if len(labels) == len(set(labels)) == len(found) and all(labels):
            return labels
    return [node if isinstance(node, str) else repr(node) for node in found]


def _parsed(what: str, parse: Callable[[], Any]) -> nx.Graph[Any]:
    """The result of a parser of networkx; the parsers raise exceptions of many classes."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of missing keys, of networkx; they do not concern users
            found: nx.Graph[Any] = parse()
    except MemoryError:
        raise
    except Exception as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise BadInput(f"this is not {what}: {shown(why, 80)}") from None
    return found


def read_graphml(text: str) -> GraphData:
    """The first graph of a text in GraphML."""
    found = _parsed("graphml", lambda: nx.parse_graphml(text))
    return data_of(found, str(found.graph.get("board", "")))


def write_graphml(graph: Graph) -> str:
    """The graph with names and weights, and of a board its text and the places of the cells."""
    keys = [("name", "node", "string")]
    if isinstance(graph, Board):
        keys += [("row", "node", "long"), ("column", "node", "long"), ("board", "graph", "string")]
    if graph.weights is not None:
        keys.append(("weight", "edge", "long"))
    lines = [
        "<?xml version='1.0' encoding='utf-8'?>",
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ]
    lines += [
        f'  <key id="{key}" for="{domain}" attr.name="{key}" attr.type="{kind}"/>'
        for key, domain, kind in keys
    ]
    lines.append(f'  <graph edgedefault="{"directed" if graph.directed else "undirected"}">')
    if isinstance(graph, Board):
        lines.append(f'    <data key="board">{escape(board_comment(graph))}</data>')
    for number, name in enumerate(graph.names):
        values = f'<data key="name">{escape(name)}</data>'
        if isinstance(graph, Board):
            row, column = graph.cells[number]
            values += f'<data key="row">{row}</data><data key="column">{column}</data>'
        lines.append(f'    <node id="{number}">{values}</node>')
    lines += [
        f'    <edge source="{u}" target="{v}"{tail or "/>"}'
        for u, v, tail in weighted_edges(graph, '><data key="weight">{}</data></edge>')
    ]
    return "\n".join([*lines, "  </graph>", "</graphml>"]) + "\n"


def read_gexf(text: str) -> GraphData:
    """The graph of a text in GEXF."""
    found = _parsed("gexf", lambda: nx.read_gexf(io.BytesIO(text.encode())))
    return data_of(found, text[:4096])


def write_gexf(graph: Graph) -> str:
    """The graph with names and weights; a board is stated in a comment."""
    lines = [
        "<?xml version='1.0' encoding='utf-8'?>",
        f"<!-- {board_comment(graph) if isinstance(graph, Board) else 'a graph'} -->",
        '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">',
        f'  <graph defaultedgetype="{"directed" if graph.directed else "undirected"}">',
        "    <nodes>",
    ]
    lines += [f'      <node id="{i}" label={quoteattr(name)}/>' for i, name in enumerate(graph.names)]
    lines += ["    </nodes>", "    <edges>"]
    lines += [
        f'      <edge id="{number}" source="{u}" target="{v}"{weight}/>'
        for number, (u, v, weight) in enumerate(weighted_edges(graph, ' weight="{}"'))
    ]
    return "\n".join([*lines, "    </edges>", "  </graph>", "</gexf>"]) + "\n"


def read_gml(text: str) -> GraphData:
    """The graph of a text in GML."""
    return data_of(_parsed("gml", lambda: nx.parse_gml(text, label="id")), _comment_of(text))


def _comment_of(text: str) -> str:
    return "\n".join(line for line in text[:4096].splitlines() if line.startswith(("#", "//")))


def write_gml(graph: Graph) -> str:
    """The graph with names and weights; a board is stated in a comment."""
    lines = ["graph [", *(["  directed 1"] if graph.directed else [])]
    lines += [f"  node [ id {i} label {_gml_text(name)} ]" for i, name in enumerate(graph.names)]
    lines += [
        f"  edge [ source {u} target {v}{weight} ]" for u, v, weight in weighted_edges(graph, " weight {}")
    ]
    return ground_comment(graph, "# ") + "\n".join([*lines, "]"]) + "\n"


def _gml_text(name: str) -> str:
    """A text in quotes: GML takes characters beyond ASCII as entities of XML."""
    text = escape(name, {'"': "&quot;"})
    return f'"{text.encode("ascii", "xmlcharrefreplace").decode()}"'


def read_dot(text: str) -> GraphData:
    """The graph of a text in DOT, where pydot or pygraphviz is installed."""
    if _is_installed("pydot"):
        found = _parsed("dot", lambda: _by_pydot(text))
    elif _is_installed("pygraphviz"):
        import pygraphviz

        found = _parsed("dot", lambda: nx.nx_agraph.from_agraph(pygraphviz.AGraph(string=text)))
    else:
        raise BadInput("DOT is read with pydot or pygraphviz, and neither is installed: pip install pydot")
    return data_of(found, _comment_of(text))


def _is_installed(package: str) -> bool:
    found = importlib.util.find_spec(package)
    return found is not None and found.origin is not None  # a folder of that name has no origin


def _by_pydot(text: str) -> nx.Graph[Any]:
    import pydot

    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):  # it prints errors
        graphs = pydot.graph_from_dot_data(text)
    if not graphs:
        raise ValueError(said.getvalue() or "the parser found no graph")
    found: nx.Graph[Any] = nx.nx_pydot.from_pydot(graphs[0])
    # networkx takes these names for default attributes, also in quotes.
    listed = {node.get_name() for node in graphs[0].get_node_list()}
    found.add_nodes_from(word for word in ("graph", "node", "edge") if f'"{word}"' in listed)
    # pydot keeps the quotes of names, and takes an empty statement as a node.
    found.remove_nodes_from([node for node in ("\\n", "\\r\\n") if node in found])
    return nx.relabel_nodes(found, {node: _unquoted(node) for node in found})


def _unquoted(node: str) -> str:
    """The name of a node of pydot; networkx strips all quotes around it, also one that belongs to it."""
    if (len(node) - len(node.rstrip("\\"))) % 2:
        node += '"'
    return node.replace('\\"', '"')


def write_dot(graph: Graph) -> str:
    """The graph for Graphviz, with names and weights; a board is stated in a comment."""
    names = [_dot_text(name) for name in graph.names]
    arrow = "->" if graph.directed else "--"
    lines = [f"{'digraph' if graph.directed else 'graph'} {{"]
    lines += [f"  {name};" for name in names]
    lines += [
        f"  {names[u]} {arrow} {names[v]}{weight};" for u, v, weight in weighted_edges(graph, " [weight={}]")
    ]
    return ground_comment(graph, "// ") + "\n".join([*lines, "}"]) + "\n"


def _dot_text(name: str) -> str:
    """A name in quotes: DOT escapes quotes and nothing else."""
    if name.endswith("\\"):
        raise BadInput(f"DOT cannot hold the name {shown(name)}, which ends with a backslash: use edges")
    escaped = name.replace('"', '\\"')
    return f'"{escaped}"'
