"""Graphs in a line of text, to compare them in tests."""

from __future__ import annotations

from ktsolve.graphs.graph import Graph


def in_short(graph: Graph) -> str:
    """The edges by name, arcs with ``>``, weights after ``=``."""
    mark = ">" if graph.directed else ""
    weights = [""] * len(graph.edges) if graph.weights is None else [f"={w}" for w in graph.weights.tolist()]
    ends = [[graph.names[end] for end in edge] for edge in graph.edges.tolist()]
    pairs = [pair if graph.directed else sorted(pair) for pair in ends]
    return " ".join(sorted(f"{u}{mark}{v}{w}" for (u, v), w in zip(pairs, weights, strict=True)))
