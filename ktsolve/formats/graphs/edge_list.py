"""Plain lists of edges: two labels in a line, and perhaps a weight.

Labels are separated by white space, or in the whole file by commas, semicolons or tabs, and then hold spaces.
``a -> b`` is an arc. ``#`` and ``%`` begin comments. A label by itself is a vertex without edges. Files of
whole numbers, with or without weights, are read by numpy; others line by line, into numbers of vertices.
"""

from __future__ import annotations

import io
import re
from array import array

import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.base.integers import as_bytes, is_numbers, read_numbers
from ktsolve.base.text import shown
from ktsolve.formats.graphs.data import (
    GraphData,
    number_read,
    quoted,
    weighted_edges,
    weights_if_whole,
    words,
)
from ktsolve.formats.tours.common import ground_comment
from ktsolve.graphs.graph import Graph

_WHAT = "an edge: write two labels, and perhaps a weight"

_COMMENT = re.compile(rb"[#%][^\n]*")

_PADDED = re.compile(rb"(?<![^\s,;])(?:[+-]?0\d|\+|-0(?!\d))")
"""A label that is not a spelling of a whole number as Python writes it: 01 and 1 are two vertices."""

_HEADING = ({"source", "target"}, {"from", "to"})
"""First words of a line of headings, as tables of Gephi have it."""


def read_edges(text: str) -> GraphData:
    r"""The graph of a list of edges.

    Whole numbers as labels are sorted; others, 007 among them, are in the order of the file.

    >>> data = read_edges('# two edges\n"New York" Boston 4\nBoston Portland 2\n')
    >>> data.names, data.edges.tolist(), data.weights.tolist()
    (['New York', 'Boston', 'Portland'], [[0, 1], [1, 2]], [4, 2])
    """
    data = as_bytes(text)
    plain = data if b'"' in data else _COMMENT.sub(b"", data)
    directed = False
    if b"->" in plain and plain.count(b"->") == len(re.findall(rb"(?m)^[^\n]*\S", plain)):
        plain, directed = plain.replace(b"->", b"  "), True
    if is_numbers(plain) and not _PADDED.search(plain):
        numbers = read_numbers(plain, _WHAT)
        columns = numbers.columns()
        if columns in (2, 3):
            rows = numbers.rows(columns, _WHAT)
            labels, ends = np.unique(rows[:, :2], return_inverse=True)
            names = [str(label) for label in labels.tolist()]
            weights = rows[:, 2].copy() if columns == 3 else None
            edges = ends.reshape(-1, 2).astype(np.int64)
            return GraphData(len(labels), edges, names, directed, weights, comment=text[:4096])
    return _line_by_line(text)


def _line_by_line(text: str) -> GraphData:
    number: dict[str, int] = {}
    ends, weights = array("q"), array("d")
    alone: dict[int, int] = {}
    arrows = columns = 0
    separator = _separator(text)
    for at, line in enumerate(io.StringIO(text), 1):
        if not line.strip() or line.lstrip()[0] in "#%" or line.lstrip().startswith("//"):
            continue
        found, arrow = _fields(line, at, separator)
        if not ends and not alone and {word.lower() for word in found[:2]} in _HEADING:
            continue
        arrows += arrow
        if len(found) == 1:
            alone.setdefault(number.setdefault(found[0], len(number)), at)
            continue
        if len(found) not in (2, 3):
            raise BadInput(f"line {at} has {len(found)} words: {shown(line.strip(), 30)} is not {_WHAT}")
        if columns not in (0, len(found)):
            raise BadInput(
                f"line {at} has {len(found)} words, the lines before {columns}: the file is cut off?"
            )
        columns = len(found)
        ends.extend(number.setdefault(label, len(number)) for label in found[:2])
        if columns == 3:
            weights.append(number_read(found[2], at, "a number after the two labels"))
    if arrows and 2 * arrows != len(ends):
        raise BadInput("some edges have an arrow -> and others have none: a graph is directed, or it is not")
    edges = np.frombuffer(ends, dtype=np.int64).reshape(-1, 2) if ends else np.empty((0, 2), dtype=np.int64)
    for vertex in np.intersect1d(np.fromiter(alone, dtype=np.int64), edges).tolist():
        raise BadInput(f"line {alone[vertex]} has one label, of a vertex with edges: the file is cut off?")
    whole = weights_if_whole(np.array(weights)) if columns == 3 else None
    return GraphData(len(number), edges, list(number), bool(arrows), whole, comment=text[:4096])


def _separator(text: str) -> str:
    """The character between fields that may hold spaces; empty for white space."""
    for line in io.StringIO(text):
        if line.strip() and line.lstrip()[0] not in "#%":
            outside = re.sub(r'"(?:[^"\\]|\\.)*"', "", line)
            return next((mark for mark in ",;\t" if mark in outside), "")
    return ""


def _fields(line: str, at: int, separator: str) -> tuple[list[str], bool]:
    """The labels and the weight of a line, and whether it has an arrow."""
    if separator and separator in line:
        fields = [" ".join(words(field.strip(), at)) for field in _split(line, separator)]
        while fields and not fields[-1]:
            fields.pop()
        if not all(fields[:2]):
            raise BadInput(f"line {at}: {shown(line.strip(), 30)} has an empty label")
        return fields, False
    body, brace, attributes = line.partition(" {")  # networkx writes a dictionary after each edge
    plain = not {'"', ",", ";"}.intersection(body)
    found = body.split() if plain else words(body, at)
    if plain and len(found) == 1 and all(sides := found[0].split("->")) and len(sides) == 2:
        found = [sides[0], "->", sides[1]]
    arrow = len(found) > 2 and found[1] in ("->", "--")
    directed = arrow and found[1] == "->"
    if arrow:
        del found[1]
    if (
        comment := next((i for i, word in enumerate(found) if word.startswith(("#", "%"))), None)
    ) is not None:
        found = found[:comment] if '"' not in body else found
    if brace and (weight := re.search(r"'weight': ([-+.\deE]+)", attributes)):
        found.append(weight[1])
    return found, directed


def _split(line: str, separator: str) -> list[str]:
    return re.findall(rf'((?:"(?:[^"\\]|\\.)*"|[^"{separator}])*)(?:{separator}|$)', line.strip())[:4]


def write_edges(graph: Graph) -> str:
    """The edges by name, with weights where the graph has them; a board is stated in a comment."""
    names = [quoted(name) for name in graph.names]
    between = " -> " if graph.directed else " "
    lines = [f"{names[u]}{between}{names[v]}{tail}" for u, v, tail in weighted_edges(graph, " {}")]
    present = set(graph.edges.ravel().tolist())
    lines += [name for vertex, name in enumerate(names) if vertex not in present]
    return ground_comment(graph, "# ") + "".join(f"{line}\n" for line in lines)
