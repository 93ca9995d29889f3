"""GraphML, GEXF and GML: read by networkx, written as text.

Nodes become vertices in their order. A vertex is named by the attribute ``name`` or ``label`` if all nodes
have different ones, else by the node itself.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import networkx as nx
import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.formats.graphs.data import GraphData, comment_of, weight_of, weighted_edges, whole_weights
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
        whole = whole_weights(np.array([weight_of(each) for each in weights]))
    edges = np.array(ends, dtype=np.int64).reshape(-1, 2)
    return GraphData(len(found), edges, _names(found), found.is_directed(), whole, comment=comment)


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
    return data_of(_parsed("gml", lambda: nx.parse_gml(text, label="id")), comment_of(text))


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
