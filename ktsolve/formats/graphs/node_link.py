"""Graphs in JSON: ktsolve's own, or nodes and links as networkx writes them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.formats.graphs.adjacency import neighbours
from ktsolve.formats.graphs.data import GraphData, quoted, whole_weights
from ktsolve.formats.graphs.edge_list import read_edges
from ktsolve.formats.graphs.matrix import looks_like_a_matrix, read_matrix
from ktsolve.formats.tours.common import COMMENT, is_read, parse_json
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph


def read_json(text: str) -> GraphData:
    """The graph of an object with ``vertices`` and ``edges``, or with ``nodes`` and ``links`` or ``edges``.

    An object of lists has the neighbours of each vertex; a list of lists is what it can only be.

    >>> read_json('{"vertices": ["a", "b"], "edges": [["a", "b"]]}').edges.tolist()
    [[0, 1]]
    """
    data = parse_json(text, "the graph is not JSON")
    if isinstance(data, dict) and isinstance(data.get("board"), dict) and "vertices" not in data:
        data = data["board"]
    if isinstance(data, list) and data and all(isinstance(each, list) for each in data):
        return _lists(data)
    if not isinstance(data, dict):
        raise BadInput(f"a graph in JSON is an object with vertices and edges, not {shown(data, 30)}")
    if "nodes" in data:
        return _node_link(data)
    if not {"vertices", "edges"} & data.keys() and all(isinstance(each, list) for each in data.values()):
        lists = [("", head, [_name(each) for each in others]) for head, others in data.items()]
        return neighbours(lists, directed=False, both=True)
    vertices, edges = data.get("vertices"), data.get("edges")
    if not isinstance(vertices, list) or not isinstance(edges, list):
        raise BadInput("a graph in JSON is an object with lists of vertices and edges, or of nodes and links")
    names = [_name(each) for each in vertices]
    number = {name: i for i, name in enumerate(names)}
    ends, weights = [], []
    for edge in edges:
        if not isinstance(edge, list) or len(edge) not in (2, 3):
            raise BadInput(f"{shown(edge, 30)} is not an edge: write two vertices, and perhaps a weight")
        ends += [_end(end, number) for end in edge[:2]]
        weights += edge[2:]
    weights = data.get("weights", weights)
    comment = f"{COMMENT} {json.dumps(data['board'])}" if isinstance(data.get("board"), dict) else ""
    return _data(names, ends, weights, data.get("directed"), comment)


def _lists(data: list[list[Any]]) -> GraphData:
    """The graph of the edges, of the neighbours of 0, 1, 2 and so on, or of the rows of a matrix."""
    count = {len(each) for each in data}
    names = [[_name(each) for each in others] for others in data]
    listed = [("", str(number), others) for number, others in enumerate(names)]
    near = is_read(lambda: neighbours(listed, directed=False, both=True).graph())
    near = near and {name for others in names for name in others} <= {str(i) for i in range(len(data))}
    text = "\n".join(" ".join(map(quoted, others)) for others in names)
    matrix = looks_like_a_matrix(text)
    edges = len(count) == 1 and count <= {2, 3} and not matrix
    if near + matrix + edges != 1:
        may = "may be edges, neighbours or a matrix" if near + matrix + edges else "is not a graph"
        raise BadInput(f"the list of lists {shown(data, 30)} {may}: write an object with vertices and edges")
    if near:
        return neighbours(listed, directed=False, both=True)
    return read_matrix(text) if matrix else read_edges(text)


def _node_link(data: dict[str, Any]) -> GraphData:
    nodes = data["nodes"]
    links = data.get("links", data.get("edges"))
    if not isinstance(nodes, list) or not isinstance(links, list):
        raise BadInput("a graph in node-link JSON has lists of nodes and of links (or edges)")
    names, number = [], {}
    for node in nodes:
        identity = node.get("id") if isinstance(node, dict) else node
        names.append(_name(identity))
        number[names[-1]] = len(names) - 1
    ends, weights = [], []
    for link in links:
        if not isinstance(link, dict) or not {"source", "target"} <= link.keys():
            raise BadInput(f"{shown(link, 30)} is not a link: write an object with source and target")
        ends += [_end(link[key], number) for key in ("source", "target")]
        if "weight" in link:
            weights.append(link["weight"])
    return _data(names, ends, weights, data.get("directed"))


def _name(node: object) -> str:
    """The name of a node: a text, a number, or a list of these as networkx writes a tuple."""
    if isinstance(node, bool) or not isinstance(node, str | int | float | list):
        raise BadInput(f"{shown(node, 30)} is not a vertex: write a text or a number")
    return node if isinstance(node, str) else json.dumps(node)


def _end(end: object, number: dict[str, int]) -> int:
    found = number.get(_name(end))
    if found is None:
        raise BadInput(f"an edge ends in {shown(end, 30)}, which is not a vertex of the graph")
    return found


def _data(names: list[str], ends: list[int], weights: Any, directed: Any, comment: str = "") -> GraphData:
    whole = None
    edges = np.array(ends, dtype=np.int64).reshape(-1, 2)
    if weights:
        numbers = isinstance(weights, list) and all(
            isinstance(each, int | float) and not isinstance(each, bool) for each in weights
        )
        if not numbers or len(weights) != len(edges):
            raise BadInput("the weights in JSON are not a number for each edge")
        try:
            whole = whole_weights(np.array(weights, dtype=np.float64))
        except OverflowError:
            raise BadInput("a weight in JSON has more than 15 digits") from None
    return GraphData(len(names), edges, names, bool(directed), whole, comment=comment)


def write_json(graph: Graph) -> str:
    """The graph as one object in a line; a board is stated beside its vertices and edges."""
    data = Graph.to_json(graph)
    if isinstance(graph, Board):
        data["board"] = graph.to_json()
    return json.dumps(data) + "\n"
