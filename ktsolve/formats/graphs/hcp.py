"""TSPLIB graphs (Reinelt 1991): Hamiltonian cycle problems, and distances between all pairs of vertices.

A problem of type HCP lists edges (``EDGE_LIST``) or neighbours (``ADJ_LIST``), or is a matrix of 0 and 1. One
of type TSP is a complete graph with a matrix of weights, or with coordinates (EUC_2D, CEIL_2D, ATT, GEO), of
which the weights are computed as TSPLIB says. Fixed edges are required of the tour.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput
from ktsolve.base.integers import as_bytes, read_numbers
from ktsolve.base.text import number_of, shown, small_number
from ktsolve.formats.graphs.data import GraphData, check_announced, check_ends, numbered, whole_weights
from ktsolve.formats.tours.common import ground_comment
from ktsolve.graphs.graph import Graph
from ktsolve.model.io import hcp_file

_SECTION = re.compile(r"^[ \t]*([A-Z_]+_SECTION)[ \t]*:?[ \t]*\r?$", re.MULTILINE)

_TRIANGLES = ("UPPER_ROW", "LOWER_ROW", "UPPER_DIAG_ROW", "LOWER_DIAG_ROW")
"""Layouts of half a matrix. By columns, upper and lower change places."""


_OTHER_TYPES = {
    "HPP": "it is about a path; write TYPE : HCP, and look for a path with --open",
    "SOP": "it has an order of vertices, which a graph does not state; graphs are of type HCP or TSP",
}

_FARTHEST = 1e12  # coordinate

_MOST_POINTS = 2_000  # vertices with coordinates: every two of them have an edge


def read_hcp(text: str) -> GraphData:
    r"""The graph of a TSPLIB problem.

    >>> text = "TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n2 3\n-1\nEOF"
    >>> read_hcp(text).edges.tolist()
    [[0, 1], [1, 2]]
    """
    places = list(_SECTION.finditer(text))
    head = text[: places[0].start()] if places else text
    values = dict(re.findall(r"^[ \t]*([A-Z_]+)[ \t]*:[ \t]*(.*?)[ \t]*\r?$", head, re.MULTILINE))
    size = values.get("DIMENSION", "")
    if not (size.isascii() and size.isdigit()):
        raise BadInput("the file does not state its number of vertices: write DIMENSION : 5")
    vertices = check_announced(small_number(size), text)
    kind = (values.get("TYPE", "").split() or ["HCP"])[0].upper()
    if kind not in ("HCP", "TSP", "ATSP"):
        why = _OTHER_TYPES.get(kind, "graphs are of type HCP or TSP")
        raise BadInput(f"the TSPLIB file is of type {shown(kind, 20)}: {why}")
    sections = {}
    ends = [*(place.start() for place in places[1:]), len(text)]
    for place, end in zip(places, ends, strict=False):  # without a section there is no end
        body = text[place.end() : end]
        sections[place[1]] = (body, text.count("\n", 0, place.end()))
    names = numbered(vertices)
    required = _edge_list(*sections.get("FIXED_EDGES_SECTION", ("-1", 0)), vertices, "FIXED_EDGES_SECTION")
    measure = values.get("EDGE_WEIGHT_TYPE", "EXPLICIT").upper()
    if "EDGE_DATA_SECTION" in sections:
        if "EDGE_WEIGHT_SECTION" in sections:
            raise BadInput(
                "the TSPLIB file has a list of edges and a matrix of weights: leave one of them out"
            )
        layout = values.get("EDGE_DATA_FORMAT", "EDGE_LIST").upper()
        if layout not in ("EDGE_LIST", "ADJ_LIST"):
            raise BadInput(f"EDGE_DATA_FORMAT is {shown(layout, 20)}: EDGE_LIST and ADJ_LIST are read")
        read = _edge_list if layout == "EDGE_LIST" else _neighbour_lists
        edges = read(*sections["EDGE_DATA_SECTION"], vertices, "EDGE_DATA_SECTION")
        return GraphData(vertices, edges, names, directed=kind == "ATSP", required=required, comment=head)
    if "NODE_COORD_SECTION" in sections and measure in _MEASURES and kind == "TSP":
        points = _points(*sections["NODE_COORD_SECTION"], vertices)
        first, second = np.triu_indices(vertices, 1)
        computed = whole_weights(_MEASURES[measure](points[first], points[second]))
        return GraphData(vertices, np.stack((first, second), axis=1), names, False, computed, required, head)
    if measure != "EXPLICIT":
        known = ", ".join(_MEASURES)
        raise BadInput(
            f"EDGE_WEIGHT_TYPE is {shown(measure, 20)}: EXPLICIT is read, and with TYPE : TSP and a "
            f"NODE_COORD_SECTION {known}"
        )
    if "EDGE_WEIGHT_SECTION" not in sections:
        found = "no section of edges" if not places else f"only {shown(places[0][1])}"
        raise BadInput(f"the TSPLIB file has {found}: graphs have an EDGE_DATA_SECTION or a weight matrix")
    layout = values.get("EDGE_WEIGHT_FORMAT", "FULL_MATRIX").upper()
    matrix = _matrix(*sections["EDGE_WEIGHT_SECTION"], vertices, layout)
    directed = kind == "ATSP" or not bool((matrix == matrix.T).all())
    used = matrix != 0 if kind == "HCP" else ~np.eye(vertices, dtype=bool)
    np.fill_diagonal(used, val=False)
    edges = np.argwhere(used if directed else np.triu(used))
    weights = None if kind == "HCP" else matrix[edges[:, 0], edges[:, 1]]
    return GraphData(vertices, edges, names, directed, weights, required, head)


def _points(body: str, line: int, vertices: int) -> NDArray[np.float64]:
    """The coordinates of the vertices, in their order."""
    if vertices > _MOST_POINTS:
        raise BadInput(
            f"the file has coordinates of {vertices:,} vertices: their complete graph is read up to "
            f"{_MOST_POINTS:,}"
        )
    points = np.full((vertices, 2), np.nan)
    for at, text in enumerate(body.removesuffix("\n").split("\n"), line + 1):
        words = text.split()
        if not words or words == ["EOF"]:
            continue
        number = small_number(words[0]) if words[0].isascii() and words[0].isdigit() else 0
        try:
            place = [float(word) for word in words[1:]]
        except ValueError:
            place = []
        if not 1 <= number <= vertices or len(place) != 2 or not max(map(abs, place)) <= _FARTHEST:
            raise BadInput(
                f"line {at}: {shown(text.strip(), 24)} is not a vertex with its place: write 1 3.5 4"
            )
        if not np.isnan(points[number - 1, 0]):
            raise BadInput(f"line {at}: vertex {number} has a place already")
        points[number - 1] = place
    if np.isnan(points).any():
        missing = int(np.argmax(np.isnan(points[:, 0]))) + 1
        raise BadInput(f"NODE_COORD_SECTION has no place of vertex {missing}: the file is cut off")
    return points


def _distances(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    distances: NDArray[np.float64] = np.sqrt(((a - b) ** 2).sum(axis=1))
    return distances


def _geo(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Kilometres between places in degrees and minutes, with the constants of TSPLIB."""

    def radians(x: NDArray[np.float64]) -> NDArray[np.float64]:
        return 3.141592 * (np.trunc(x) + 5 * (x - np.trunc(x)) / 3) / 180

    (north, east), (north2, east2) = radians(a).T, radians(b).T
    q1, q2, q3 = np.cos(east - east2), np.cos(north - north2), np.cos(north + north2)
    angle: NDArray[np.float64] = np.arccos(np.clip(0.5 * ((1 + q1) * q2 - (1 - q1) * q3), -1, 1))
    return np.floor(6378.388 * angle + 1)


_MEASURES: dict[str, Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]] = {
    "EUC_2D": lambda a, b: np.floor(_distances(a, b) + 0.5),
    "CEIL_2D": lambda a, b: np.ceil(_distances(a, b)),
    "ATT": lambda a, b: np.ceil(np.sqrt(((a - b) ** 2).sum(axis=1) / 10)),
    "GEO": _geo,
}
"""Whole weights of edges between two arrays of places."""


def _section_numbers(body: str, line: int, section: str) -> tuple[NDArray[np.int64], bool]:
    """The numbers of a section, and whether EOF follows them."""
    stripped = body.rstrip()
    ended = stripped.endswith("EOF")
    data, what = as_bytes(stripped.removesuffix("EOF")), f"a number of {section}"
    return read_numbers(data, what, signed=True, first_line=line).values, ended


def _edge_list(body: str, line: int, vertices: int, section: str) -> NDArray[np.int64]:
    values, ended = _section_numbers(body, line, section)
    ends = np.flatnonzero(values == -1)
    if len(ends):
        if len(ends) > 1 or int(ends[0]) != len(values) - 1:
            raise BadInput(f"{section} goes on after its -1: a list of edges ends with the first -1")
        values = values[:-1]
    elif not ended:
        raise BadInput(f"{section} has no -1 at its end: the file is cut off")
    if len(values) % 2:
        raise BadInput(
            f"{section} has {number_of(len(values), 'number')}, and an edge takes two: the file is cut off"
        )
    edges = values.reshape(-1, 2)
    check_ends(edges, vertices, 1)
    return edges - 1


def _neighbour_lists(body: str, line: int, vertices: int, section: str) -> NDArray[np.int64]:
    """A vertex and its neighbours up to a -1, and again, up to a second -1."""
    values, ended = _section_numbers(body, line, section)
    if not (len(values) and values[-1] == -1 and (ended or len(values) < 2 or values[-2] == -1)):
        raise BadInput(f"{section} has no -1 -1 at its end: the file is cut off")
    ends = values == -1
    start = np.concatenate(([True], ends[:-1])) & ~ends
    owner = np.maximum.accumulate(np.where(start, np.arange(len(values)), 0))
    others = ~ends & ~start
    edges = np.stack((values[owner[others]], values[others]), axis=1)
    check_ends(edges, vertices, 1)
    # An edge is listed at one of its ends or at both.
    return np.unique(np.sort(edges - 1, axis=1), axis=0)


def _matrix(body: str, line: int, vertices: int, layout: str) -> NDArray[np.int64]:
    if "_COL" in layout:  # half a matrix by columns is the other half by rows
        half, _, rest = layout.replace("_COL", "_ROW").partition("_")
        layout = f"{ {'UPPER': 'LOWER', 'LOWER': 'UPPER'}.get(half, half) }_{rest}"
    diagonal = vertices if "DIAG" in layout else 0
    sizes = dict.fromkeys(_TRIANGLES, vertices * (vertices - 1) // 2 + diagonal)
    wanted = {"FULL_MATRIX": vertices * vertices, **sizes}.get(layout)
    if wanted is None:
        raise BadInput(f"EDGE_WEIGHT_FORMAT is {shown(layout, 20)}: FULL_MATRIX and {_TRIANGLES[0]} are read")
    values = _section_numbers(body, line, "EDGE_WEIGHT_SECTION")[0]
    if len(values) != wanted:
        cut = "the file is cut off" if len(values) < wanted else "DIMENSION is wrong"
        raise BadInput(
            f"a {layout} of {number_of(vertices, 'vertex')} has {number_of(wanted, 'number')}, "
            f"not {len(values):,}: {cut}"
        )
    if layout == "FULL_MATRIX":
        return values.reshape(vertices, vertices)
    matrix = np.zeros((vertices, vertices), dtype=np.int64)
    offset = 0 if diagonal else 1
    upper = layout.startswith("UPPER")
    rows, columns = np.triu_indices(vertices, offset) if upper else np.tril_indices(vertices, -offset)
    matrix[rows, columns] = values
    matrix[columns, rows] = values
    return matrix


def write_hcp(graph: Graph) -> str:
    """The problem of a Hamiltonian cycle; a board is stated, names of other vertices are not."""
    if len(graph) < 3:
        raise BadInput(f"TSPLIB HCP needs at least 3 nodes, not {len(graph)}")
    if graph.directed:
        raise BadInput("TSPLIB HCP is undirected, and this graph is directed: use edges, d6 or graphml")
    lines = [f"{u + 1} {v + 1}" for u, v in graph.edges.tolist()]
    return hcp_file(str(graph), len(graph), lines, comment=ground_comment(graph).strip())
