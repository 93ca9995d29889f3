"""Plain lists of edges: two labels in a line, and perhaps a weight.

Labels are separated by white space, or in the whole file by commas, semicolons or tabs, and then hold spaces.
``a -> b`` is an arc. ``#`` and ``%`` begin comments. A label by itself is a vertex without edges. Files of
whole numbers, with or without weights, are read by numpy; others line by line, into numbers of vertices.
With the numbers of vertices and of edges in the first line the format is ``nm``.
"""

from __future__ import annotations

from array import array

import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of, shown, small_number
from ktsolve.formats.graphs.data import (
    GraphData,
    check_announced,
    check_ends,
    quoted,
    weight_read,
    weighted_edges,
)
from ktsolve.formats.graphs.plain_text import (
    EDGE,
    LabelRow,
    check_labels,
    is_marked,
    numbers_of,
    plain_format,
    rows,
)
from ktsolve.formats.tours.common import COMMENT, ground_comment
from ktsolve.graphs.graph import Graph

_MARK = f"# {COMMENT} edges\n"
"""First line of a list of edges that looks like something else; the opening of the format."""


def read_edges(text: str) -> GraphData:
    r"""The graph of a list of edges.

    Whole numbers as labels are sorted; others, 007 among them, are in the order of the file.

    >>> data = read_edges('# two edges\n"New York" Boston 4\nBoston Portland 2\n')
    >>> data.names, data.edges.tolist(), data.weights.tolist()
    (['New York', 'Boston', 'Portland'], [[0, 1], [1, 2]], [4, 2])
    """
    numbers, directed = numbers_of(text)
    columns = 0 if numbers is None else numbers.columns()
    if numbers is None or columns not in (2, 3):
        return _line_by_line(text)
    listed = numbers.rows(columns, EDGE)
    labels, ends = np.unique(listed[:, :2], return_inverse=True)
    names = [str(label) for label in labels.tolist()]
    weights = listed[:, 2].copy() if columns == 3 else None
    edges = ends.reshape(-1, 2).astype(np.int64)
    return GraphData(len(labels), edges, names, directed, weights, comment=text[:4096])


def _line_by_line(text: str) -> GraphData:
    found = rows(text)
    if not is_marked(text):
        check_labels(found, text)
    return _listed(found, text)


def _listed(found: list[LabelRow], text: str) -> GraphData:
    """The graph of the lines of edges of a text."""
    number: dict[str, int] = {}
    ends, weights = array("q"), array("q")
    alone: dict[int, int] = {}
    arrows = columns = 0
    for at, labels, arrow in found:
        arrows += arrow == "->"
        if len(labels) == 1 and not arrow:
            alone.setdefault(number.setdefault(labels[0], len(number)), at)
            continue
        if len(labels) not in (2, 3):
            count = number_of(len(labels), "word")
            raise BadInput(f"line {at} has {count}: {shown(' '.join(labels), 30)} is not {EDGE}")
        if columns not in (0, len(labels)):
            raise BadInput(
                f"line {at} has {len(labels)} words, the lines before {columns}: the file is cut off?"
            )
        columns = len(labels)
        ends.extend(number.setdefault(label, len(number)) for label in labels[:2])
        if columns == 3:
            weights.append(weight_read(labels[2], at, "a number after the two labels"))
    if arrows and 2 * arrows != len(ends):
        raise BadInput("some edges have an arrow -> and others have none: a graph is directed, or it is not")
    edges = np.frombuffer(ends, dtype=np.int64).reshape(-1, 2) if ends else np.empty((0, 2), dtype=np.int64)
    for vertex in np.intersect1d(np.fromiter(alone, dtype=np.int64), edges).tolist():
        raise BadInput(f"line {alone[vertex]} has one label, of a vertex with edges: the file is cut off?")
    whole = np.array(weights) if columns == 3 else None
    return GraphData(len(number), edges, list(number), bool(arrows), whole, comment=text[:4096])


def write_edges(graph: Graph) -> str:
    """The edges by name, with weights where the graph has them; a board is stated in a comment."""
    names = [quoted(name) for name in graph.names]
    between = " -> " if graph.directed else " "
    lines = [f"{names[u]}{between}{names[v]}{tail}" for u, v, tail in weighted_edges(graph, " {}")]
    present = set(graph.edges.ravel().tolist())
    lines += [name for vertex, name in enumerate(names) if vertex not in present]
    text = "".join(f"{line}\n" for line in lines)
    if comment := ground_comment(graph, "# "):
        return comment + text
    try:
        return text if plain_format(text) == "edges" else _MARK + text
    except BadInput:
        return _MARK + text


def read_nm(text: str) -> GraphData:
    r"""The graph of a list of edges after a line with the numbers of vertices and of edges.

    Vertices are numbered from 0 if an edge ends in 0, or from 1 if one ends in the last number.

    >>> data = read_nm("4 3\n0 1\n1 2\n2 3\n")
    >>> data.names, data.edges.tolist()
    (['0', '1', '2', '3'], [[0, 1], [1, 2], [2, 3]])
    """
    found = rows(text)
    digits = all(
        len(row.labels) > 1 and all(label.isascii() and label.isdigit() for label in row.labels[:2])
        for row in found
    )
    if not found or not digits or len(found[0].labels) != 2 or found[0].arrow:
        raise BadInput("nm begins with the numbers of vertices and of edges, such as 6 9, and has edges 1 2")
    (at, (stated, edges), _), rest = found[0], found[1:]
    vertices = check_announced(small_number(stated), text)
    if small_number(edges) != len(rest):
        raise BadInput(
            f"line {at} states {number_of(small_number(edges), 'edge')}, and {len(rest):,} follow: "
            f"{'the file is cut off' if len(rest) < small_number(edges) else 'it is wrong'}"
        )
    data = _listed(rest, text)
    labels = np.array([small_number(name) for name in data.names or ()], dtype=np.int64)
    first = 0 if 0 in labels else 1
    ends = labels[data.edges]
    check_ends(ends, vertices, first)
    if first and vertices and vertices not in labels:
        raise BadInput(
            f"no edge ends in 0 or in {vertices}, so vertices may be numbered from 0 or from 1: write the "
            "edges without the line before them, or as p edge"
        )
    names = [str(number) for number in range(first, first + vertices)]
    return GraphData(vertices, ends - first, names, data.directed, data.weights, comment=text[:4096])


def write_nm(graph: Graph) -> str:
    """The numbers of vertices and edges, then the edges, numbered from 1; a board is stated."""
    if len(graph) - 1 not in graph.edges:
        raise BadInput(
            "nm shows by the edges how vertices are numbered, and the last one has none: use edges or col"
        )
    between = " -> " if graph.directed else " "
    lines = [f"{u + 1}{between}{v + 1}{weight}" for u, v, weight in weighted_edges(graph, " {}")]
    head = f"{ground_comment(graph, '# ')}{len(graph)} {len(lines)}\n"
    return head + "".join(f"{line}\n" for line in lines)
