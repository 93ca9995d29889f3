"""Edges in the format of the DIMACS challenges: ``p edge 3 2``, ``e 1 2``; vertices are numbered from 1."""

from __future__ import annotations

import re

import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.base.integers import as_bytes, read_numbers
from ktsolve.base.text import number_of, shown, small_number
from ktsolve.formats.graphs.data import GraphData, check_announced, check_ends, numbered
from ktsolve.formats.tours.common import ground_comment
from ktsolve.graphs.graph import Graph

_PROBLEM = re.compile(rb"^p[ \t]+(\S+)[ \t]+(\d+)[ \t]+(\d+)[ \t]*\r?$", re.MULTILINE)

_COMMENT = re.compile(rb"^c(?:[ \t][^\n]*|\r?)$", re.MULTILINE)

_IGNORED = re.compile(rb"^[ndvx][ \t][^\n]*$", re.MULTILINE)
"""Colours, weights and places of vertices, and parameters."""


def read_col(text: str) -> GraphData:
    r"""The graph of DIMACS edges.

    >>> read_col("c a path\np edge 3 2\ne 1 2\ne 2 3\n").edges.tolist()
    [[0, 1], [1, 2]]
    """
    data = as_bytes(text)
    found = _PROBLEM.search(data)
    if found is None:
        raise BadInput("the file does not state its number of vertices: DIMACS edges begin with p edge 3 2")
    kind = found[1].decode("utf-8", "replace")
    if kind not in ("edge", "edges", "col"):
        raise BadInput(f"the DIMACS file states a problem {shown(kind, 20)}: edges are p edge or p col")
    vertices = check_announced(small_number(found[2].decode()), data)
    head, body = data[: found.start()], data[found.end() :]
    if not body.startswith(b"\n"):
        body = b"\n"
    before = head.count(b"\n")
    if b"\nc" in body:
        body = _COMMENT.sub(b"", body)
    if re.search(rb"\n[ndvx]", body):
        body = _IGNORED.sub(b"", body)
    array = np.frombuffer(body, dtype=np.uint8).copy()
    starts = np.flatnonzero(array[:-1] == 10) + 1
    starts = starts[array[starts] > 32]
    wrong = array[starts] != ord("e")
    if wrong.any():
        at = int(starts[int(np.argmax(wrong))])
        line = body[at:].split(b"\n", 1)[0].decode("utf-8", "replace").rstrip("\r")
        number = before + body.count(b"\n", 0, at) + 1
        raise BadInput(f"line {number}: {shown(line, 24)} is not a DIMACS edge: write e 1 2")
    array[starts] = 32
    what = "two numbers of vertices, as in e 1 2"
    numbers = read_numbers(array.tobytes(), what, first_line=before)
    columns = 3 if numbers.columns() == 3 else 2
    rows = numbers.rows(columns, what)
    if len(rows) != (stated := small_number(found[3].decode())):
        edges = number_of(len(rows), "edge")
        raise BadInput(
            f"the header announces {number_of(stated, 'edge')}, and the file has {edges}: it is "
            f"{'cut off, or ' if len(rows) < stated else ''}wrong in its line p"
        )
    check_ends(rows[:, :2], vertices, 1)
    weights = rows[:, 2].copy() if columns == 3 else None
    comment = head.decode("utf-8", "replace")
    return GraphData(vertices, rows[:, :2] - 1, numbered(vertices), weights=weights, comment=comment)


def write_col(graph: Graph) -> str:
    """The graph as DIMACS edges; a board is stated, names of other vertices are not."""
    if graph.directed:
        raise BadInput("DIMACS edges are undirected, and this graph is directed: use edges, d6 or graphml")
    head = f"c {graph}\n{ground_comment(graph, 'c ')}p edge {len(graph)} {len(graph.edges)}\n"
    return head + "".join(f"e {u + 1} {v + 1}\n" for u, v in graph.edges.tolist())
