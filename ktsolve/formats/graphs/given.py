"""The graph that a command is given: of a file, by a name, or a board."""

from __future__ import annotations

from dataclasses import dataclass

from ktsolve.graphs.graph import Graph, Move

__all__ = ["ReadGraph"]


@dataclass(frozen=True)
class ReadGraph:
    """A graph of a file."""

    ground: Graph  # the graph, or the board that the file states
    required: tuple[Move, ...] = ()  # edges that the file requires of a tour
