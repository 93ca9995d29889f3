"""Targets: the readers of graphs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from fuzz.target import Target, text_of
from ktsolve.base.errors import KtsolveError
from ktsolve.formats.graphs.files import GRAPH_FORMATS, graph_file, graph_format, graphs_in
from ktsolve.formats.table import Format
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.named_graphs import named_graph

__all__ = ["TARGETS"]


def _grounds() -> list[Graph]:
    named = ["petersen", "path:2", "complete:4", "hypercube:3", "grid:3x3"]
    plain = [Graph.from_edges([(1, 2), (2, 3), (3, 1)]), Graph("abc", ["ab", "bc"], weights=[3, -2])]
    arcs = Graph(("a", "b c", "é"), [("a", "b c"), ("b c", "é"), ("é", "a")], directed=True)
    board = Board.parse("3x4", without="b2")
    return [*map(named_graph, named), *plain, arcs, board, Board.parse("3x3", wrap="x")]


def _graph_seeds(form: Format) -> Callable[[], Sequence[bytes]]:
    def seeds() -> list[bytes]:
        found = []
        for ground in _grounds():
            with contextlib.suppress(KtsolveError):
                found.append(graph_file(ground, form.name).encode())
        return found

    return seeds


def _read_graph(form: Format) -> Callable[[bytes], None]:
    def run(data: bytes) -> None:
        text = text_of(data)
        graph_format(text)
        for number, read in enumerate(graphs_in(text, form)):
            graph = read.ground
            assert all(graph.adjacent(*move) for move in read.required)
            if number < 3 and len(graph) <= 200:
                _same_graph(graph, form)

    return run


def _same_graph(graph: Graph, form: Format) -> None:
    try:
        text = graph_file(graph, form.name)
    except KtsolveError:
        return  # the format has no place for directions, names or weights
    (again,) = graphs_in(text, form)
    if form.name == "matrix" and graph.directed and not again.ground.directed:
        return  # a symmetric matrix is that of an undirected graph
    if form.name == "d6" and not graph.directed:
        graph = Graph(graph.names, [*graph.edges.tolist(), *graph.edges[:, ::-1].tolist()], directed=True)
    if len(graph.edges):  # a text without arcs does not state it
        assert again.ground.directed == graph.directed
    keep = set(again.ground.names) == set(graph.names)
    assert _edges(again.ground, keep) == _edges(graph, keep), f"{form.name}: other edges than in {graph}"


def _edges(graph: Graph, keep: bool) -> set[frozenset[Any] | tuple[Any, Any]]:
    """The edges by names, if the format kept them, or else by numbers; a list of edges has its own order."""
    names: Sequence[Any] = graph.names if keep else range(len(graph))
    pairs = [(names[u], names[v]) for u, v in graph.edges.tolist()]
    return set(pairs) if graph.directed else set(map(frozenset, pairs))


def _recognise(data: bytes) -> None:
    """Recognition of the format of a graph, and reading in that format."""
    text = text_of(data)
    form = graph_format(text, guess=True)
    assert form is not None
    list(graphs_in(text, form))


def _all_graph_seeds() -> list[bytes]:
    seeds = [seed for form in GRAPH_FORMATS for seed in _graph_seeds(form)()]
    # What may be a matrix, two edges, or sizes before an edge is refused.
    unsure = ([b"0", b"1", b"1", b"0"], [b"2", b"1", b"1", b"2"])
    return [seed for seed in seeds if seed.split() not in unsure]


TARGETS: tuple[Target, ...] = (
    *(Target(f"graph-{form.name}", _graph_seeds(form), _read_graph(form)) for form in GRAPH_FORMATS),
    Target("graph-format", _all_graph_seeds, _recognise),
)
"""The targets of this file."""
