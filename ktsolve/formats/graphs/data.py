"""The result of the readers of graphs: arrays, without an object for each edge; labels in lines of text.

A label is bare, or in double quotes with a backslash before ``"`` and itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of, shown, unquoted
from ktsolve.base.text import quoted as quoted_name
from ktsolve.graphs.graph import Graph

ANNOUNCED = 10_000  # vertices that a file may announce in a header without any text for them


@dataclass(frozen=True)
class GraphData:
    """A graph as a file lists it: loops and parallel edges are still there."""

    vertices: int  # their number
    edges: NDArray[np.int64]  # pairs of vertices, numbered from 0: array of shape (edges, 2)
    names: Sequence[str] | None = None  # names of the vertices; by default their numbers
    directed: bool = False  # whether pairs are arcs from the first vertex to the second
    weights: NDArray[np.int64] | None = None
    """A whole number for each edge; None for a graph without weights."""
    required: NDArray[np.int64] = field(default_factory=lambda: np.empty((0, 2), dtype=np.int64))
    """Edges that the file requires of a tour, as ``edges``."""
    comment: str = ""  # texts of the file in which a board may be stated

    def graph(self) -> Graph:
        """The simple graph; :attr:`Graph.dropped` counts loops and parallel edges.

        Raises BadInput for a graph without vertices, or a name that no vertex can have.
        """
        return Graph.from_arrays(
            self.vertices, self.edges, self.names, directed=self.directed, weights=self.weights
        )


def check_announced(vertices: int, text: str | bytes) -> int:
    """The number of vertices that a header announces, if the text is long enough for that number.

    The text of a vertex has a character or more, and a vertex without an edge refutes every tour. So a longer
    announcement is a mistake, and no memory is spent on it. Raises BadInput if the text is too short.
    """
    if vertices > max(ANNOUNCED, len(text)):
        raise BadInput(
            f"the header announces {number_of(vertices, 'vertex')}, and the text of {len(text):,} "
            "characters is too short for their edges"
        )
    return vertices


def check_ends(edges: NDArray[np.int64], vertices: int, first: int) -> None:
    """Raise BadInput for an edge that does not join two of the vertices, numbered from ``first``."""
    wrong = ((edges < first) | (edges >= first + vertices)).any(axis=1)
    if wrong.any():
        u, v = edges[int(np.argmax(wrong))].tolist()
        numbered = f"they are numbered {first} to {first + vertices - 1}" if vertices else "there is none"
        raise BadInput(f"edge {u} {v} ends in no vertex: {numbered}")


_LARGEST = 10**15  # weight

_NOT_WHOLE = (
    "is not a whole number of up to 15 digits: multiply all weights by a power of ten, or leave them out"
)


def whole_weights(weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Weights as whole numbers. Raises BadInput for one that is not whole, or has more than 15 digits."""
    wrong = ~((np.abs(weights) <= _LARGEST) & (np.rint(weights) == weights))
    if wrong.any():
        raise BadInput(f"the weight {weights[int(np.argmax(wrong))]} {_NOT_WHOLE}")
    return weights.astype(np.int64)


def numbered(vertices: int) -> list[str]:
    """The names of vertices that have numbers from 1."""
    return [str(number) for number in range(1, vertices + 1)]


def weight_read(text: str, line: int, what: str = "a number") -> int:
    """The weight of an edge. Raises BadInput with what to write for anything but a whole number."""
    try:
        weight = float(text)
    except ValueError:
        raise BadInput(f"line {line}: {shown(text, 24)} is not a weight: write {what}") from None
    if not weight.is_integer() or abs(weight) > _LARGEST:
        raise BadInput(f"line {line}: the weight {shown(text, 24)} {_NOT_WHOLE}")
    return int(weight)


def weight_of(given: object) -> float:
    """The weight in an attribute of an edge. Raises BadInput for anything but a number."""
    try:
        return float(given.strip('"') if isinstance(given, str) else given)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        what = (
            "an edge has no weight, and others have one"
            if given is None
            else f"{shown(given, 24)} is not a weight"
        )
        raise BadInput(f"{what}: write a whole number for each edge, or none") from None


def comment_of(text: str) -> str:
    """The comments in lines at the beginning of a text in GML or DOT."""
    return "\n".join(line for line in text[:4096].splitlines() if line.startswith(("#", "//")))


def weighted_edges(graph: Graph, form: str) -> list[tuple[int, int, str]]:
    """The edges, each with its weight in a form such as `` weight {}``, or an empty text without weights."""
    weights = [""] * len(graph.edges) if graph.weights is None else map(form.format, graph.weights.tolist())
    return [(u, v, text) for (u, v), text in zip(graph.edges.tolist(), weights, strict=True)]


_WORD = re.compile(r'"(?:[^"\\]|\\.)*"(?=[\s,;]|$)|[^\s,;"][^\s,;]*|(")')

_BARE = re.compile(r'(?!--$|//|\{)(?:(?!->)[^\s,;"#%*\\])+')


def words(line: str, number: int) -> list[str]:
    r"""The words of a line, separated by white space, commas or semicolons.

    >>> words('"New York" "San \\"J\\" Jose", 5', 1)
    ['New York', 'San "J" Jose', '5']
    """
    found = []
    for match in _WORD.finditer(line):
        if match[1]:
            raise BadInput(f"line {number}: {shown(line[match.start() :], 24)} has no closing quote")
        name = unquoted(match[0])
        found.append(match[0] if name is None else name)
    return found


def quoted(label: str) -> str:
    r"""A label as ``words`` reads it back.

    >>> print(quoted("a1"), quoted("New York"), quoted('say "no"'))
    a1 "New York" "say \"no\""
    """
    return label if _BARE.fullmatch(label) else quoted_name(label)


def is_number(word: str | bytes) -> bool:
    """Whether a word is a number."""
    try:
        float(word)
    except ValueError:
        return False
    return True
