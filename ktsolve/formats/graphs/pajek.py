"""Networks of Pajek: numbered vertices with labels, then edges (``*Edges``) or arcs (``*Arcs``).

Read here and not by networkx, which takes all lines after ``*Edges`` as edges and merges equal labels.
"""

from __future__ import annotations

import io
import re
from array import array

import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of, quoted, shown, small_number
from ktsolve.formats.graphs.data import (
    GraphData,
    check_announced,
    check_ends,
    numbered,
    weight_read,
    words,
)
from ktsolve.formats.tours.common import board_comment
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph

_SECTIONS = ("network", "vertices", "edges", "arcs", "edgeslist", "arcslist", "matrix")


def read_net(text: str) -> GraphData:
    r"""The graph of a network.

    >>> data = read_net('*Vertices 3\n1 "New York"\n*Edges\n1 2 5\n2 3 4\n')
    >>> data.names, data.edges.tolist(), data.weights.tolist()
    (['New York', '2', '3'], [[0, 1], [1, 2]], [5, 4])
    """
    vertices = -1
    names: list[str] = []
    ends, weights = array("q"), array("q")
    section, directed, line_of_matrix, comment = "", set(), 0, ""
    for at, line in enumerate(io.StringIO(text), 1):
        stripped = line.strip().lstrip("\ufeff")
        if not stripped or stripped[0] == "%":
            continue
        if stripped[0] == "*":
            section = stripped[1:].split()[0].lower().rstrip(":") if len(stripped) > 1 else ""
            if section not in _SECTIONS:
                raise BadInput(f"line {at}: {shown(stripped, 24)} is not a section of a Pajek network")
            if section == "network":
                comment = stripped
            elif section == "vertices":
                vertices = _vertices(stripped, at, vertices, text)
                names = numbered(vertices)
            elif vertices < 0:
                raise BadInput(f"line {at}: *{section} stands before *Vertices: the file has no vertices")
            continue
        if section == "vertices":
            found = words(stripped, at)
            number = small_number(found[0]) if found[0].isascii() and found[0].isdigit() else 0
            if not 1 <= number <= vertices:
                raise BadInput(f"line {at}: {shown(found[0], 24)} is not a vertex: they are 1 to {vertices}")
            if len(found) > 1:
                names[number - 1] = found[1]
        elif section in ("edges", "arcs", "edgeslist", "arcslist"):
            numbers = re.findall(r"[^\s,]+", stripped)
            several = section.endswith("list")
            others = numbers[1:] if several else numbers[1:2]
            if not others or not all(each.isascii() and each.isdigit() for each in [numbers[0], *others]):
                raise BadInput(
                    f"line {at}: {shown(stripped, 24)} is not an edge: write 1 2, and perhaps a weight"
                )
            directed.add(section.startswith("arcs"))
            for other in others:
                ends.extend((small_number(numbers[0]), small_number(other)))
                weights.append(1 if several or len(numbers) < 3 else weight_read(numbers[2], at))
        elif section == "matrix":
            row = stripped.split()
            line_of_matrix += 1
            if len(row) != vertices or line_of_matrix > vertices:
                raise BadInput(
                    f"line {at} of the matrix has {number_of(len(row), 'number')}: a row has {vertices}"
                )
            directed.add(True)
            for column, word in enumerate(row, 1):
                if (value := weight_read(word, at)) != 0:
                    ends.extend((line_of_matrix, column))
                    weights.append(value)
    if vertices < 0:
        raise BadInput("the file does not state its number of vertices: Pajek begins with *Vertices 5")
    if section == "matrix" and line_of_matrix != vertices:
        raise BadInput(
            f"the matrix has {number_of(line_of_matrix, 'row')}, not {vertices}: the file is cut off"
        )
    if section == "vertices" and vertices > 1:
        raise BadInput("the file ends after its vertices, without *Edges or *Arcs: it is cut off")
    return _data(vertices, names, ends, weights, directed, comment)


def _data(
    vertices: int, names: list[str], ends: array[int], weights: array[int], kinds: set[bool], comment: str
) -> GraphData:
    edges = np.array(ends, dtype=np.int64).reshape(-1, 2)
    check_ends(edges, vertices, 1)
    edges -= 1
    values = np.array(weights, dtype=np.int64)
    if kinds == {True, False}:
        raise BadInput("the network has *Edges and *Arcs: a graph is directed, or it is not")
    directed = kinds == {True}
    weighted = bool((values != 1).any())
    return GraphData(vertices, edges, names, directed, values if weighted else None, comment=comment)


def _vertices(line: str, at: int, before: int, text: str) -> int:
    found = re.match(r"\*vertices:?\s+(\d+)", line, re.IGNORECASE | re.ASCII)
    if found is None or before >= 0:
        raise BadInput(f"line {at}: {shown(line, 24)}: Pajek states the vertices once, as *Vertices 5")
    return check_announced(small_number(found[1]), text)


def write_net(graph: Graph) -> str:
    """The graph with its names, and of a board the places of the cells as shares of the longer side."""
    if isinstance(graph, Board):
        longest = max(graph.rows, graph.columns)
        places = [(0.5 + column, 0.5 + row) for row, column in graph.cells]
        ends = [f" {x / longest:.6f} {y / longest:.6f} ellipse" for x, y in places]
        head = board_comment(graph)
    else:
        ends, head = [""] * len(graph), str(graph)
    lines = [f"*Network {head}", f"*Vertices {len(graph)}"]
    lines += [
        f"{i} {quoted(name)}{end}" for i, (name, end) in enumerate(zip(graph.names, ends, strict=True), 1)
    ]
    lines.append("*Arcs" if graph.directed else "*Edges")
    weights = [1] * len(graph.edges) if graph.weights is None else graph.weights.tolist()
    lines += [f"{u + 1} {v + 1} {w}" for (u, v), w in zip(graph.edges.tolist(), weights, strict=True)]
    return "\n".join(lines) + "\n"
