"""Graphs: written by ktsolve, by networkx, and after the public descriptions of the formats.

Descriptions: formats.txt of nauty (graph6, sparse6, digraph6), TSPLIB 95 of Reinelt, the graph format of the
second DIMACS challenge, the reference manual of Pajek, the Matrix Market exchange formats, the manuals of
Graphviz, GML and GEXF.
"""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import networkx as nx
from command import ktsolve as command

from fuzz.meaning.writers import Kind, Writer, Written
from fuzz.target import file_of
from ktsolve.base.errors import BadInput, KtsolveError
from ktsolve.formats.graphs.files import GRAPH_FORMATS, graph_file
from ktsolve.formats.sources import read_graph
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph

__all__ = ["GRAPHS", "graph_of", "meant_graph", "plain", "random_graph"]

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


def _same(found: Plain, meant: Plain) -> bool:
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


def _read(data: bytes, form: str, way: str, packed: str, _: Any) -> Plain:
    suffix = next((each.suffixes[0] for each in GRAPH_FORMATS if each.name == form), form)
    if way == "name of the format":
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise BadInput("compressed") from None
        return plain(read_graph(io.StringIO(text), form))
    if way == "suffix":
        with file_of(data, f".{suffix}{packed}") as path:
            return plain(read_graph(path))
    if way == "other suffix":
        with file_of(data, f".dat{packed}") as path:
            return plain(read_graph(path))
    said = command("convert", "-", "--format", "json", given=data)
    if said.status:
        raise BadInput(said.complaint)
    value = json.loads(said.out)
    if len(value.get("squares", "")) == 1 or "tours" in value:
        raise BadInput("tours of one cell")
    weights = value.get("weights") or [None] * len(value["edges"])
    edges = [[*edge[:2], *(edge[2:] or [w])] for edge, w in zip(value["edges"], weights, strict=True)]
    return {"names": value["vertices"], "edges": edges, "directed": bool(value.get("directed"))}


# -- what formats hold ------------------------------------------------------------------------------------

_NUMBERED = {"hcp": 1, "col": 1, "nm": 1, "mtx": 1, "g6": 0, "s6": 0, "d6": 0, "matrix": 0}
"""The first number of formats whose vertices have no names."""

_UNWEIGHTED = ("hcp", "col", "g6", "s6", "d6")


def _held(graph: Plain, form: str) -> Plain:
    meant = meant_graph(graph, _NUMBERED.get(form), weights=form not in _UNWEIGHTED, arcs=form == "d6")
    if form in ("matrix", "mtx"):
        weights = {(u, v): w for u, v, w in meant["edges"]}
        if graph["directed"] and all(weights.get((v, u), 0) == w for (u, v), w in weights.items()):
            half = [[u, v, w] for (u, v), w in weights.items() if u < v]
            meant = {**meant, "edges": half, "directed": False}  # a symmetric matrix
    return meant


def _whole(graph: Plain) -> bool:
    return all(w is None or isinstance(w, int) for _, _, w in graph["edges"])


def _ours(form: str) -> Writer:
    def write(chance: random.Random, graph: Plain) -> Written | None:
        try:
            if chance.random() < 0.15:
                board = Board.parse(
                    chance.choice(("3x3", "3x4", "2x5", "4x4")),
                    without=chance.choice(("", "b2", "a1")),
                    wrap=chance.choice(("none", "x", "xy")),
                )
                graph = plain(board)
                place = {name: i for i, name in enumerate(graph["names"])}
                graph = {**graph, "edges": [[place[u], place[v], w] for u, v, w in graph["edges"]]}
                text = graph_file(board, form)
                named = form in _NUMBERED and form not in ("hcp", "col", "nm", "mtx")
                meant = _held(graph, form) if named else meant_graph(graph)
                return text, meant
            if not _whole(graph):
                return None
            return graph_file(graph_of(graph), form), _held(graph, form)
        except KtsolveError:
            return None

    return Writer(form, "ktsolve", write)


# -- networkx ---------------------------------------------------------------------------------------------


def _networkx(graph: Plain, numbers: bool = False) -> Any:
    found: Any = nx.DiGraph() if graph["directed"] else nx.Graph()
    nodes = range(len(graph["names"])) if numbers else graph["names"]
    found.add_nodes_from(nodes)
    for u, v, w in graph["edges"]:
        found.add_edge(nodes[u], nodes[v], **({} if w is None else {"weight": w}))
    return found


def _words(graph: Plain) -> bool:
    """Whether names are words of letters and digits, which no format quotes and none begins with."""
    return all(name.isascii() and name.isalnum() and name not in _DOT_WORDS for name in graph["names"])


def _no_vertex_alone(graph: Plain) -> bool:
    return {end for edge in graph["edges"] for end in edge[:2]} == set(range(len(graph["names"])))


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _nx_bytes(
    form: str, by: str, write: Callable[[Any, bool], bytes], *, header: bool = False, directed: bool = False
) -> Writer:
    def made(_: random.Random, graph: Plain) -> Written | None:
        if graph["directed"] != directed:
            return None
        return write(_networkx(graph, numbers=True), header).decode(), _held(graph, form)

    return Writer(form, f"networkx, {by}", made)


def _nx_text(
    form: str,
    by: str,
    write: Callable[[Any], Iterable[str] | str],
    *,
    words: bool = False,
    alone: bool = True,
    directed: bool = True,
    weights: bool = True,
    sure: bool = True,
) -> Writer:
    """A writer of networkx; whether it takes words only, keeps vertices without edges, and the weights."""

    def made(_: random.Random, graph: Plain) -> Written | None:
        if (words and not _words(graph)) or (not alone and not _no_vertex_alone(graph)):
            return None
        if (graph["directed"] and not directed) or (sure and not _whole(graph)):
            return None
        if not (sure or graph["edges"]):  # a vertex and the number of its neighbours, 0, is an edge
            return None
        text = write(_networkx(graph))
        return text if isinstance(text, str) else _lines(text), meant_graph(graph, weights=weights)

    return Writer(form, f"networkx, {by}", made, sure)


def _nx_weighted_edges(_: random.Random, graph: Plain) -> Written | None:
    if graph["directed"] or not (_words(graph) and _no_vertex_alone(graph)) or graph["edges"][0][2] is None:
        return None
    return _lines(nx.generate_edgelist(_networkx(graph), data=["weight"])), meant_graph(graph)


_DOT_WORDS = {"graph", "node", "edge", "strict", "digraph", "subgraph"}
"""Words of DOT, which people quote as names."""


def _nx_dot(_: random.Random, graph: Plain) -> Written | None:
    if not (_words(graph) and _whole(graph)):
        return None
    return str(nx.nx_pydot.to_pydot(_networkx(graph)).to_string()), meant_graph(graph)


def _nx_matrix(_: random.Random, graph: Plain) -> Written | None:
    if len(graph["names"]) < 3 or not _whole(graph):
        return None
    rows = nx.to_numpy_array(_networkx(graph, numbers=True), nodelist=range(len(graph["names"])))
    return _lines(" ".join(f"{value:.18e}" for value in row) for row in rows), _held(graph, "matrix")


def _nx_json(graph: Any, edges: str) -> str:
    return json.dumps(nx.node_link_data(graph, edges=edges))


# -- by the descriptions ----------------------------------------------------------------------------------


def _dimacs(chance: random.Random, graph: Plain) -> Written | None:
    if graph["directed"]:
        return None
    word = chance.choice(("edge", "col", "edge"))
    edges = [(u + 1, v + 1) for u, v, _ in graph["edges"]]
    if chance.random() < 0.3:  # as the files of the challenge, with each edge in both directions
        edges += [(v, u) for u, v in edges]
    lines = [f"p {word} {len(graph['names'])} {len(edges)}", *(f"e {u} {v}" for u, v in edges)]
    return _lines(["c FILE: some.col", *lines]), _held(graph, "col")


def _hcp_head(chance: random.Random, n: int, kind: str) -> list[str]:
    lines = [f"TYPE : {kind}", f"DIMENSION : {n}"]
    if chance.random() < 0.5:
        chance.shuffle(lines)
    mark = chance.choice((" : ", ": ", " :", ":\t"))
    return [f"NAME{mark}some", *(line.replace(" : ", mark) for line in lines)]


def _hcp_edges(chance: random.Random, graph: Plain) -> Written | None:
    if graph["directed"] or len(graph["names"]) < 3:
        return None
    lines = _hcp_head(chance, len(graph["names"]), "HCP")
    edges = [f"{u + 1} {v + 1}" for u, v, _ in graph["edges"]]
    lines += ["EDGE_DATA_FORMAT : EDGE_LIST", "EDGE_DATA_SECTION", *edges, "-1"]
    return _lines([*lines, *["EOF"] * chance.randint(0, 1)]), _held(graph, "hcp")


def _hcp_neighbours(chance: random.Random, graph: Plain) -> Written | None:
    if graph["directed"] or len(graph["names"]) < 3 or not _no_vertex_alone(graph):
        return None
    near: dict[int, list[int]] = {}
    both = chance.random() < 0.5
    for u, v, _ in graph["edges"]:
        near.setdefault(u, []).append(v)
        if both:
            near.setdefault(v, []).append(u)
    rows = [f"{u + 1} {' '.join(str(v + 1) for v in row)} -1" for u, row in near.items()]
    lines = [*_hcp_head(chance, len(graph["names"]), "HCP"), "EDGE_DATA_FORMAT: ADJ_LIST"]
    return _lines([*lines, "EDGE_DATA_SECTION", *rows, "-1", "EOF"]), _held(graph, "hcp")


_LAYOUTS = ("UPPER_ROW", "LOWER_ROW", "UPPER_DIAG_ROW", "LOWER_DIAG_ROW", "UPPER_COL", "LOWER_COL")


def _tsp_matrix(chance: random.Random, graph: Plain) -> Written | None:
    """A complete graph with distances, of type TSP or ATSP, in any layout of the description."""
    n = len(graph["names"])
    if n < 3:
        return None
    directed = graph["directed"]
    distance = {(u, v): chance.randint(0, 30) for u in range(n) for v in range(n) if u < v or directed}
    if directed and all(distance[u, v] == distance[v, u] for u in range(n) for v in range(u)):
        return None
    layout = "FULL_MATRIX" if directed else chance.choice((*_LAYOUTS, "FULL_MATRIX"))
    diagonal = layout == "FULL_MATRIX" or "DIAG" in layout
    cells = [(u, v) for u in range(n) for v in range(n) if u != v or diagonal]
    if layout.startswith(("UPPER", "LOWER")):
        by_column = layout.endswith("COL")
        upper = layout.startswith("UPPER")
        cells = [(u, v) for u, v in cells if (u <= v if upper else u >= v)]
        cells.sort(key=lambda cell: cell[::-1] if by_column else cell)
    values = [
        str(distance[(u, v) if directed or u < v else (v, u)]) if u != v else str(chance.choice((0, 9999)))
        for u, v in cells
    ]
    width = chance.choice((1, 3, 10, n))  # lines mean nothing
    rows = [" ".join(values[at : at + width]) for at in range(0, len(values), width)]
    lines = _hcp_head(chance, n, "ATSP" if directed else "TSP")
    lines += [
        "EDGE_WEIGHT_TYPE: EXPLICIT",
        f"EDGE_WEIGHT_FORMAT: {layout}",
        "EDGE_WEIGHT_SECTION",
        *rows,
        "EOF",
    ]
    edges = [[u, v, distance[u, v]] for u, v in distance if u != v]
    return _lines(lines), meant_graph({**graph, "edges": edges}, 1)


def _tsp_places(chance: random.Random, graph: Plain) -> Written | None:
    """Nodes at places in the plane, with distances rounded as TSPLIB says."""
    n = len(graph["names"])
    if n < 3:
        return None
    places = [(chance.randint(0, 40), chance.randint(0, 40)) for _ in range(n)]
    kind = chance.choice(("EUC_2D", "CEIL_2D"))

    def distance(u: int, v: int) -> int:
        exact = ((places[u][0] - places[v][0]) ** 2 + (places[u][1] - places[v][1]) ** 2) ** 0.5
        return int(exact + 0.5) if kind == "EUC_2D" else int(-(-exact // 1))

    lines = [*_hcp_head(chance, n, "TSP"), f"EDGE_WEIGHT_TYPE : {kind}", "NODE_COORD_SECTION"]
    lines += [f"{i} {x} {y}" for i, (x, y) in enumerate(places, 1)]
    edges = [[u, v, distance(u, v)] for u in range(n) for v in range(u + 1, n)]
    return _lines([*lines, "EOF"]), meant_graph({**graph, "edges": edges, "directed": False}, 1)


def _bits(n: int) -> list[int]:
    return [n >> shift & 1 for shift in range(5, -1, -1)] if n < 63 else []


def _six(bits: list[int], fill: int = 0) -> str:
    bits = bits + [fill] * (-len(bits) % 6)
    return "".join(chr(63 + int("".join(map(str, bits[at : at + 6])), 2)) for at in range(0, len(bits), 6))


def _by_formats_txt(form: str) -> Writer:
    """graph6 and digraph6, bit by bit."""

    def write(_: random.Random, graph: Plain) -> Written | None:
        if graph["directed"] and form == "g6":
            return None
        n = len(graph["names"])
        pairs = {(u, v) for u, v, _ in graph["edges"]}
        if not graph["directed"]:
            pairs |= {(v, u) for u, v in pairs}
        if form == "g6":
            bits = [int((i, j) in pairs) for j in range(n) for i in range(j)]
        else:
            bits = [int((i, j) in pairs) for i in range(n) for j in range(n)]
        return f"{'&' if form == 'd6' else ''}{_six(_bits(n))}{_six(bits)}\n", _held(graph, form)

    return Writer(form, "formats.txt of nauty", write)


def _edge_lines(chance: random.Random, graph: Plain) -> Written | None:
    """A table with a comma, semicolon or tab, with a heading or without."""
    if graph["directed"] or not _no_vertex_alone(graph) or not _whole(graph):
        return None
    file = io.StringIO()
    out = csv.writer(file, delimiter=chance.choice(",;\t"), lineterminator="\n")
    weighted = graph["edges"][0][2] is not None
    if chance.random() < 0.5:
        heading = chance.choice((["source", "target"], ["Source", "Target"], ["from", "to"]))
        out.writerow([*heading, *["weight"] * weighted])
    names = graph["names"]
    if any(set(name) & set('"\\#%') or name != name.strip() for name in names):
        return None
    out.writerows([names[u], names[v], *([w] * weighted)] for u, v, w in graph["edges"])
    return file.getvalue(), meant_graph(graph)


def _with_sizes(first: int) -> Writer:
    """A line of two numbers, those of vertices and edges, before the edges: files of contests."""

    def write(_: random.Random, graph: Plain) -> Written | None:
        if graph["directed"] or not graph["edges"] or not _whole(graph):
            return None
        lines = [f"{len(graph['names'])} {len(graph['edges'])}"]
        weighted = graph["edges"][0][2] is not None
        lines += [f"{u + first} {v + first}" + f" {w}" * weighted for u, v, w in graph["edges"]]
        return _lines(lines), meant_graph(graph, first)

    return Writer("nm", f"sizes and edges, vertices from {first}", write, sure=False)


def _joined(mark: str, around: str = "") -> Writer:
    """Pairs such as 1-2 and (0,1)."""

    def write(_: random.Random, graph: Plain) -> Written | None:
        if graph["directed"] or not (_words(graph) and _no_vertex_alone(graph)):
            return None
        before, after = around[:1], around[1:]
        lines = [f"{before}{graph['names'][u]}{mark}{graph['names'][v]}{after}" for u, v, _ in graph["edges"]]
        return _lines(lines), meant_graph(graph, weights=False)

    return Writer("edges", f"pairs {around[:1]}a{mark}b{around[1:]}", write, sure=mark == " -> ")


def _arrows(_: random.Random, graph: Plain) -> Written | None:
    if not (graph["directed"] and _words(graph) and _no_vertex_alone(graph) and _whole(graph)):
        return None
    weighted = graph["edges"][0][2] is not None
    names = graph["names"]
    lines = [f"{names[u]} -> {names[v]}" + f" {w}" * weighted for u, v, w in graph["edges"]]
    return _lines(lines), meant_graph(graph)


def _neighbours(mark: str) -> Writer:
    """A line for each vertex with its neighbours, all of them. Lists of arcs do not say that they are."""

    def write(chance: random.Random, graph: Plain) -> Written | None:
        if graph["directed"] or not _words(graph):
            return None
        names = graph["names"]
        near: dict[int, list[int]] = {u: [] for u in range(len(names))}
        for u, v, _ in graph["edges"]:
            near[u].append(v)
            near[v].append(u)
        lines = [f"{names[u]}{mark}{' '.join(names[v] for v in row)}" for u, row in near.items()]
        chance.shuffle(lines)
        return _lines(line.rstrip() for line in lines), meant_graph(graph, weights=False)

    return Writer("adjlist", f"neighbours after {mark!r}", write, sure=False)


def _adjacency(_: random.Random, graph: Plain) -> Written | None:
    """A mapping of vertices to neighbours as JSON."""
    if graph["directed"]:
        return None
    near: dict[str, list[str]] = {name: [] for name in graph["names"]}
    for u, v, _w in graph["edges"]:
        near[graph["names"][u]].append(graph["names"][v])
        near[graph["names"][v]].append(graph["names"][u])
    return json.dumps(near), meant_graph(graph, weights=False)


def _numbered_json(chance: random.Random, graph: Plain) -> Written | None:
    """Nodes with names, and links between places in their list, as older programs for D3 write them."""
    nodes = [{"name": name, "group": chance.randint(0, 3)} for name in graph["names"]]
    links = [{"source": u, "target": v, **({} if w is None else {"weight": w})} for u, v, w in graph["edges"]]
    value = {"directed": graph["directed"], "nodes": nodes, "links": links}
    return json.dumps(value, indent=chance.choice((None, 1))), meant_graph(graph)


def _numbers_as_nodes(chance: random.Random, graph: Plain) -> Written | None:
    """Nodes that are numbers, in any order, and edges between them."""
    if not all(name.isdigit() and str(int(name)) == name for name in graph["names"]):
        return None
    numbers = [int(name) for name in graph["names"]]
    edges = [[numbers[u], numbers[v], *([] if w is None else [w])] for u, v, w in graph["edges"]]
    value = {"vertices": numbers, "edges": edges, "directed": graph["directed"]}
    return json.dumps(value, indent=chance.choice((None, 2))), meant_graph(graph)


def _digits(chance: random.Random, graph: Plain) -> Written | None:
    """A matrix of 0 and 1 without blanks, in brackets, or with its size before it."""
    n = len(graph["names"])
    if n < 3:
        return None
    rows = [[0] * n for _ in range(n)]
    for u, v, _ in graph["edges"]:
        rows[u][v] = 1
        if not graph["directed"]:
            rows[v][u] = 1
    plain_graph = {**graph, "edges": [[u, v, None] for u, v, _ in graph["edges"]]}
    way = chance.randrange(4)
    if way == 0:
        text = _lines("".join(map(str, row)) for row in rows)
    elif way == 1:
        text = _lines(",".join(map(str, row)) for row in rows)
    elif way == 2:
        text = json.dumps(rows).replace("], ", "],\n") + "\n"
    else:
        text = _lines(" ".join(map(str, row)) for row in rows)
    return text, _held(plain_graph, "matrix")


def _sized_matrix(chance: random.Random, graph: Plain) -> Written | None:
    written = _digits(chance, graph)
    if written is None or "[" in str(written[0]):
        return None
    return f"{len(graph['names'])}\n{written[0]!s}", written[1]


def _matrix_market(chance: random.Random, graph: Plain) -> Written | None:
    if not graph["edges"] or not _whole(graph):
        return None
    weighted = graph["edges"][0][2] is not None
    n = len(graph["names"])
    kind = "integer" if weighted else "pattern"
    symmetry = "general" if graph["directed"] else "symmetric"
    edges = [(u, v, w) if graph["directed"] or u > v else (v, u, w) for u, v, w in graph["edges"]]
    lines = [f"%%MatrixMarket matrix coordinate {kind} {symmetry}", "% some graph", f"{n} {n} {len(edges)}"]
    lines += [f"{u + 1} {v + 1}" + f" {w}" * weighted for u, v, w in edges]
    held = _held(graph, "matrix")
    by_number = {str(i): str(i + chance.choice((1,))) for i in range(n)}
    edges_of = [[by_number[u], by_number[v], w] for u, v, w in held["edges"]]
    return _lines(lines), {**held, "names": list(by_number.values()), "edges": edges_of}


def _pajek(chance: random.Random, graph: Plain) -> Written | None:
    """Edges, lists of neighbours, or a matrix."""
    names, directed = graph["names"], graph["directed"]
    if not graph["edges"] or any('"' in name or "\\" in name for name in names) or not _whole(graph):
        return None
    lines = [f"*Vertices {len(names)}", *(f'{i} "{name}"' for i, name in enumerate(names, 1))]
    way = chance.randrange(3)
    if way == 0:
        lines.append("*Arcs" if directed else "*Edges")
        lines += [f"{u + 1} {v + 1}" + ("" if w is None else f" {w}") for u, v, w in graph["edges"]]
        return _lines(lines), meant_graph(graph)
    if way == 1:
        lines.append("*Arcslist" if directed else "*Edgeslist")
        lines += [f"{u + 1} {v + 1}" for u, v, _ in graph["edges"]]
        return _lines(lines), meant_graph(graph, weights=False)
    rows = [["0"] * len(names) for _ in names]
    for u, v, w in graph["edges"]:
        rows[u][v] = str(1 if w is None else w)
    if not directed:
        return None
    return _lines([*lines, "*Matrix", *(" ".join(row) for row in rows)]), meant_graph(graph)


def _graphviz(chance: random.Random, graph: Plain) -> Written | None:
    """As people write it: bare names, chains, attributes."""
    if not (_words(graph) and _whole(graph)) or any(
        not (name.isdigit() or name.isalpha()) for name in graph["names"]
    ):
        return None
    names, arrow = graph["names"], "->" if graph["directed"] else "--"
    opening = chance.choice(("", "strict ")) + ("digraph" if graph["directed"] else "graph")
    end = chance.choice((";", ""))
    lines = [f"{opening} {chance.choice(('', 'G ', 'some '))}{{"]
    if chance.random() < 0.4:
        lines.append(f"  node [shape=circle]{end}")
    lines += [f"  {name}{end}" for name in names]
    lines += [
        f"  {names[u]} {arrow} {names[v]}" + ("" if w is None else f" [weight={w}]") + end
        for u, v, w in graph["edges"]
    ]
    if chance.random() < 0.3:
        lines = [lines[0], "  subgraph cluster_0 {", *lines[1:], "  }"]
    return _lines([*lines, "}"]), meant_graph(graph)


def _gml(chance: random.Random, graph: Plain) -> Written | None:
    """Ids that are not 0 to n-1, and attributes of other programs."""
    names = graph["names"]
    if any(not name.isascii() or set(name) & set('"&') for name in names) or not _whole(graph):
        return None
    ids = chance.sample(range(3, 60), len(names))
    lines = ['Creator "some program"', "graph", "[", f"  directed {int(graph['directed'])}"]
    lines += [f'  node\n  [\n    id {i}\n    label "{name}"\n  ]' for i, name in zip(ids, names, strict=True)]
    lines += [
        f"  edge\n  [\n    source {ids[u]}\n    target {ids[v]}\n"
        + ("" if w is None else f"    weight {w}\n")
        + "  ]"
        for u, v, w in graph["edges"]
    ]
    return _lines([*lines, "]"]), meant_graph(graph)


GRAPHS = Kind(
    name="graph",
    formats=tuple(form.name for form in GRAPH_FORMATS if form.can("read")),
    draw=random_graph,
    writers=(
        *(_ours(form.name) for form in GRAPH_FORMATS if form.can("write")),
        _nx_bytes("g6", "graph6", lambda graph, _: nx.to_graph6_bytes(graph, header=False)),
        _nx_bytes("g6", "graph6 with a header", lambda graph, _: nx.to_graph6_bytes(graph, header=True)),
        _nx_bytes("s6", "sparse6", lambda graph, _: nx.to_sparse6_bytes(graph, header=False)),
        _nx_bytes("s6", "sparse6 with a header", lambda graph, _: nx.to_sparse6_bytes(graph, header=True)),
        _nx_text("edges", "edges", lambda g: nx.generate_edgelist(g, data=False), words=True, alone=False,
                 directed=False, weights=False),
        _nx_text("edges", "edges with data", nx.generate_edgelist, words=True, alone=False, directed=False),
        Writer("edges", "networkx, edges with weights", _nx_weighted_edges),
        _nx_text("adjlist", "neighbours", nx.generate_adjlist, words=True, directed=False, weights=False,
                 sure=False),
        _nx_text("adjlist", "neighbours in lines", nx.generate_multiline_adjlist, words=True, directed=False,
                 sure=False),
        Writer("matrix", "numpy.savetxt", _nx_matrix),
        _nx_text("graphml", "GraphML", nx.generate_graphml),
        _nx_text("gml", "GML", nx.generate_gml),
        _nx_text("net", "Pajek", nx.generate_pajek, words=True),
        Writer("dot", "networkx, pydot", _nx_dot),
        _nx_text("json", "links", lambda g: _nx_json(g, "links")),
        _nx_text("json", "edges", lambda g: _nx_json(g, "edges")),
        _nx_text("json", "adjacency", lambda g: json.dumps(nx.adjacency_data(g)), sure=False),
        _nx_text("json", "cytoscape", lambda g: json.dumps(nx.cytoscape_data(g)), sure=False),
        _nx_text("gexf", "GEXF", nx.generate_gexf, sure=False),
        Writer("col", "DIMACS", _dimacs),
        Writer("hcp", "TSPLIB, edges", _hcp_edges),
        Writer("hcp", "TSPLIB, neighbours", _hcp_neighbours),
        Writer("hcp", "TSPLIB, matrix of distances", _tsp_matrix),
        Writer("hcp", "TSPLIB, coordinates", _tsp_places, sure=False),
        _by_formats_txt("g6"),
        _by_formats_txt("d6"),
        Writer("edges", "table", _edge_lines, sure=False),
        _with_sizes(0),
        _with_sizes(1),
        _joined("-"),
        _joined(",", "()"),
        _joined(" -- "),
        Writer("edges", "arrows", _arrows),
        _neighbours(": "),
        _neighbours(" "),
        Writer("json", "neighbours", _adjacency, sure=False),
        Writer("json", "links between places", _numbered_json, sure=False),
        Writer("json", "numbers", _numbers_as_nodes),
        Writer("matrix", "digits", _digits),
        Writer("matrix", "digits after the size", _sized_matrix, sure=False),
        Writer("mtx", "MatrixMarket", _matrix_market, sure=False),
        Writer("net", "Pajek", _pajek),
        Writer("dot", "Graphviz", _graphviz),
        Writer("gml", "GML", _gml),
    ),
    ways=("suffix", "name of the format", "other suffix", "standard input"),
    read=_read,
    same=_same,
    comments={
        "edges": ("# {}", "% {}"),
        "nm": ("# {}",),
        "adjlist": ("# {}",),
        "mtx": ("% {}",),
        "gexf": ("<!-- {} -->",),
        "col": ("c {}",),
        "matrix": ("# {}", "% {}"),
        "hcp": ("COMMENT : {}",),
        "gml": ("# {}",),
        "net": ("% {}",),
        "dot": ("// {}", "# {}", "/* {} */"),
        "graphml": ("<!-- {} -->",),
    },
    variants={
        "hcp": (
            (r"EDGE_DATA_SECTION", "EDGE_DATA_SECTION :"),
            (r"\nEOF\n", "\n"),
            (r"^", "COMMENT : some graph\n"),
            (r" : ", ": "),
        ),
        "col": ((r"p (edge|col) ", r"p  \1  "), (r"p edge", "p col"), (r"p col", "p edges")),
        "g6": ((r"\A(?!>>)", ">>graph6<<"), (r"\A(?!>>)", ">>graph6<<\n")),
        "s6": ((r"\A(?!>>)", ">>sparse6<<"), (r"\A(?!>>)", ">>sparse6<<\n")),
        "d6": ((r"\A(?!>>)", ">>digraph6<<"), (r"\A(?!>>)", ">>digraph6<<\n")),
        "gml": (
            (r"\Agraph \[", 'Creator "some program"\nVersion 1\ngraph ['),
            (r"\Agraph \[", "graph\n["),
        ),
        "net": ((r"\*Vertices", "*vertices"), (r"(?m)^\*Network.*\n", ""), (r"\*(?=[A-Z])", "* ")),
        "dot": ((r"(?m);$", ""), (r"\A(di)?graph \{", r"strict \1graph some {"), (r" \{", "\n{")),
        "graphml": ((r"\A<\?xml.*\n", ""),),
        "json": ((r'(?<=["\]}]), (?=["\[{])', ","), (r"\A", "\n")),
        "edges": ((r"\A", "source target\n"), (r"\A", "from to\n")),
        "matrix": ((r" ", ","), (r" ", ";")),
    },
)  # fmt: skip
"""Graphs and digraphs, with weights or without."""
