"""Lists of neighbours: a line with a vertex and its neighbours, ``a b c`` as in networkx or ``a: b, c``.

An edge stands at both of its ends. Without a colon it may stand at the first end only, as networkx writes it.
``a -> b c`` are arcs. Edges at one end are refused where they may be arcs.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.base.text import quoted as quoted_name
from ktsolve.base.text import shown
from ktsolve.formats.graphs.data import GraphData, quoted, words
from ktsolve.formats.graphs.plain_text import NEIGHBOURS, lines_of, rows
from ktsolve.formats.tours.common import ground_comment
from ktsolve.graphs.graph import Graph

_BRACKETS = ("[]", "{}", "()")


def read_adjlist(text: str) -> GraphData:
    r"""The graph of a list of neighbours.

    Whole numbers as labels are sorted, others are in the order of the file.

    >>> data = read_adjlist("a: b, c\nb: a\nc: a\n")
    >>> data.names, data.edges.tolist()
    (['a', 'b', 'c'], [[0, 1], [0, 2]])
    """
    matches = [(at, NEIGHBOURS.match(line), line) for at, line in lines_of(text)]
    if not any(match for _, match, _ in matches):
        listed = [(f"line {at}: ", found[0], found[1:], arrow) for at, found, arrow in rows(text)]
        directed = any(arrow == "->" for *_, arrow in listed)
        for where, head, others, arrow in listed:
            if directed and others and arrow != "->":
                raise BadInput(f"{where}{shown(head, 24)} has no arrow ->, and other lines have one")
        data = neighbours((each[:3] for each in listed), directed=directed, both=False)
    else:
        found = []
        for at, match, line in matches:
            if match is None:
                raise BadInput(f"line {at}: {shown(line.strip(), 30)} has no colon after its first label")
            tail = match[2].strip()
            tail = tail[1:-1] if tail[:1] + tail[-1:] in _BRACKETS else tail
            found.append((f"line {at}: ", " ".join(words(match[1], at)), words(tail, at)))
        data = neighbours(found, directed=False, both=True)
    return GraphData(data.vertices, data.edges, data.names, data.directed, comment=text[:4096])


def neighbours(lists: Iterable[tuple[str, str, list[str]]], *, directed: bool, both: bool) -> GraphData:
    """The graph of vertices and their neighbours; the first of each three begins messages about them.

    - ``both``: whether an edge has to stand at both of its ends

    Raises BadInput for a vertex that is listed twice, or an edge at one end that may be an arc.
    """
    number: dict[str, int] = {}
    place: dict[str, int] = {}
    ends: dict[tuple[str, str], str] = {}
    for where, head, others in lists:
        if head in place:
            raise BadInput(f"{where}the neighbours of {shown(head, 24)} stand in a line before")
        place[head] = len(place)
        for label in (head, *others):
            number.setdefault(label, len(number))
        ends |= {(head, other): where for other in others}
    if not directed:
        one_sided = [pair for pair in ends if pair[::-1] not in ends]
        alone = len(one_sided) == len(ends) - sum(u == v for u, v in ends)
        later = all(place.get(v, len(place)) > place[u] for u, v in one_sided)
        if one_sided and (both or not alone or not later):
            u, v = one_sided[0]
            raise BadInput(
                f"{ends[u, v]}{shown(u, 24)} lists {shown(v, 24)}, which does not list "
                f"{shown(u, 24)}: list every edge at both ends, or write arcs as a -> b c"
            )
    if all(name.isascii() and name.isdigit() and str(int(name[:18])) == name for name in number):
        number = {name: i for i, name in enumerate(sorted(number, key=int))}
    pairs = [
        (number[u], number[v]) for u, v in ends if directed or (v, u) not in ends or number[u] <= number[v]
    ]
    edges = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return GraphData(len(number), edges, list(number), directed)


def write_adjlist(graph: Graph) -> str:
    """Every vertex with its neighbours, or with those that its arcs lead to; a board is stated."""
    if graph.weights is not None and bool((graph.weights != 1).any()):
        raise BadInput("a list of neighbours has no place for weights: use edges or graphml")
    names = [quoted_name(name) if set("[]{}():") & set(name) else quoted(name) for name in graph.names]
    between = " -> " if graph.directed else ": "
    around: list[list[str]] = [[] for _ in names]
    for u, v in graph.edges.tolist():
        around[u].append(names[v])
        if not graph.directed:
            around[v].append(names[u])
    lines = [
        f"{name}{between}{' '.join(others)}".rstrip() if others or not graph.directed else name
        for name, others in zip(names, around, strict=True)
    ]
    return ground_comment(graph, "# ") + "".join(f"{line}\n" for line in lines)
