"""Graphs as plain data: drawn at random, made graphs of ktsolve and back, compared."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from ktsolve.graphs.graph import Graph

__all__ = [
    "NUMBERED",
    "Plain",
    "graph_of",
    "has_words",
    "lines_of",
    "meant_graph",
    "no_vertex_alone",
    "plain",
    "random_graph",
    "same",
    "what_it_holds",
    "whole",
]

Plain = dict[str, Any]
"""``names``; ``edges``: pairs of places in these with a weight or None; ``directed``."""

_NAMES: tuple[tuple[str, ...], ...] = (
    tuple(map(str, range(7))),
    tuple(map(str, range(1, 8))),
    ("3", "1", "2", "0", "4", "6", "5"),
    ("10", "20", "7", "300", "5", "1", "41"),
    tuple("abcdefg"),
    ("a1", "b3", "c2", "d4", "e1", "f3", "g5"),
    ("Rome", "Oslo", "Bern", "Riga", "Kyiv", "Bonn", "Nice"),
)
_ODD_NAMES: tuple[tuple[str, ...], ...] = (
    ("New York", "San Jose", "Oslo", "St. Gallen", "a b c", "x y", "Bonn"),
    ("01", "1", "001", "0", "10", "00", "2"),
    ("é", "ü", "\u20ac", "ß", "\u4e2d", "n", "ø"),
    ("(0, 1)", "(1, 0)", "(0, 0)", "(1, 1)", "(2, 0)", "(2, 1)", "(0, 2)"),
    ("-1", "-2", "3", "0", "1.5", "+5", "1e3"),
    ('"', 'say "no"', "it's", "a,b", "c;d", "e:f", "g"),
    ("graph", "node", "edge", "strict", "source", "target", "path"),
    ("<a>", "b&c", "d#e", "%f", "g/h", "[i]", "{j}"),
)


def random_graph(chance: random.Random) -> Plain:
    n, directed = chance.choice((1, 2, 3, 4, 4, 5, 5, 6, 7)), chance.random() < 0.3
    share = chance.choice((0.3, 0.5, 0.8, 1.0))
    pairs = [(u, v) for u in range(n) for v in range(n) if u != v and (directed or u < v)]
    kept = [pair for pair in pairs if chance.random() < share]
    # The order and the direction of edges mean nothing.
    kept = [pair if directed or chance.random() < 0.5 else pair[::-1] for pair in kept]
    chance.shuffle(kept)
    names = list(chance.choice(_NAMES if chance.random() < 0.7 else _ODD_NAMES)[:n])
    if chance.random() < 0.5:
        chance.shuffle(names)
    weighted = chance.random()
    edges: list[list[Any]] = [
        [u, v, chance.choice((1, 2, 3, 7, 20, -4)) if weighted < 0.3 else None] for u, v in kept
    ]
    if weighted < 0.03:
        edges = [[u, v, chance.choice((0.5, 1.25, 2.0, 3.75))] for u, v in kept]
    return {"names": names, "edges": edges, "directed": directed}


def meant_graph(graph: Plain, first: int | None = None, *, weights: bool = True, arcs: bool = False) -> Plain:
    """The graph as a reader must find it, with edges between names; ``first`` numbers the vertices."""
    names = [str(first + i) for i in range(len(graph["names"]))] if first is not None else graph["names"]
    edges = [[names[u], names[v], w if weights else None] for u, v, w in graph["edges"]]
    if arcs and not graph["directed"]:
        edges += [[v, u, w] for u, v, w in edges]
    return {"names": names, "edges": edges, "directed": arcs or graph["directed"]}


def graph_of(graph: Plain) -> Graph:
    """The graph of ktsolve."""
    weights = [w for _, _, w in graph["edges"]]
    return Graph(
        graph["names"],
        [(graph["names"][u], graph["names"][v]) for u, v, _ in graph["edges"]],
        directed=graph["directed"],
        weights=weights if weights and weights[0] is not None else None,
    )


def plain(graph: Graph) -> Plain:
    """The value of a graph that was read."""
    names = list(graph.names)
    weights = [None] * len(graph.edges) if graph.weights is None else graph.weights.tolist()
    edges = [[names[u], names[v], w] for (u, v), w in zip(graph.edges.tolist(), weights, strict=True)]
    return {"names": names, "edges": edges, "directed": graph.directed}


def _edges_of(graph: Plain) -> dict[Any, Fraction]:
    """The weight of each edge. A graph without weights has 1 everywhere."""
    pair: Callable[[Iterable[Any]], Any] = tuple if graph["directed"] else frozenset
    edges = {pair((u, v)): Fraction(1 if w is None else w) for u, v, w in graph["edges"]}
    assert len(edges) == len(graph["edges"])
    return edges


def same(found: Plain, meant: Plain) -> bool:
    if sorted(found["names"]) != sorted(meant["names"]):
        return False
    if found["directed"] != meant["directed"]:
        return not found["edges"] and not meant["edges"]
    left, right = _edges_of(found), _edges_of(meant)
    if left.keys() != right.keys():
        return False
    if any(weight.denominator > 1 for weight in right.values()):  # whole multiples keep the best tour
        return len({left[each] / right[each] for each in left}) == 1
    return left == right


NUMBERED = {"hcp": 1, "col": 1, "nm": 1, "mtx": 1, "g6": 0, "s6": 0, "d6": 0, "matrix": 0}
"""The first number of formats whose vertices have no names."""

_UNWEIGHTED = ("hcp", "col", "g6", "s6", "d6")


def what_it_holds(graph: Plain, form: str) -> Plain:
    meant = meant_graph(graph, NUMBERED.get(form), weights=form not in _UNWEIGHTED, arcs=form == "d6")
    if form in ("matrix", "mtx"):
        weights = {(u, v): w for u, v, w in meant["edges"]}
        if graph["directed"] and all(weights.get((v, u), 0) == w for (u, v), w in weights.items()):
            half = [[u, v, w] for (u, v), w in weights.items() if u < v]
            meant = {**meant, "edges": half, "directed": False}  # a symmetric matrix
    return meant


def whole(graph: Plain) -> bool:
    return all(w is None or isinstance(w, int) for _, _, w in graph["edges"])


_DOT_WORDS = {"graph", "node", "edge", "strict", "digraph", "subgraph"}
"""Words of DOT, which people quote as names."""


def has_words(graph: Plain) -> bool:
    """Whether names are words of letters and digits, which no format quotes and none begins with."""
    return all(name.isascii() and name.isalnum() and name not in _DOT_WORDS for name in graph["names"])


def no_vertex_alone(graph: Plain) -> bool:
    return {end for edge in graph["edges"] for end in edge[:2]} == set(range(len(graph["names"])))


def lines_of(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
