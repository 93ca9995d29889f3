"""Writers of graphs after the public descriptions of the formats.

These are formats.txt of nauty (graph6, sparse6, digraph6), TSPLIB 95 of Reinelt, the graph format of the
second DIMACS challenge, the reference manual of Pajek, the Matrix Market exchange formats, the manuals of
Graphviz, GML and GEXF.
"""

from __future__ import annotations

import csv
import io
import json
import random

from fuzz.meaning.plain_graphs import (
    Plain,
    has_words,
    lines_of,
    meant_graph,
    no_vertex_alone,
    what_it_holds,
    whole,
)
from fuzz.meaning.writers import Writer, Written

__all__ = [
    "adjacency",
    "arrows",
    "by_formats_txt",
    "digits",
    "dimacs",
    "edge_lines",
    "gml",
    "graphviz",
    "hcp_edges",
    "hcp_neighbours",
    "joined",
    "matrix_market",
    "neighbours",
    "numbered_json",
    "numbers_as_nodes",
    "pajek",
    "sized_matrix",
    "tsp_matrix",
    "tsp_places",
    "with_sizes",
]


def dimacs(chance: random.Random, graph: Plain) -> Written | None:
    if graph["directed"]:
        return None
    word = chance.choice(("edge", "col", "edge"))
    edges = [(u + 1, v + 1) for u, v, _ in graph["edges"]]
    if chance.random() < 0.3:  # as the files of the challenge, with each edge in both directions
        edges += [(v, u) for u, v in edges]
    lines = [f"p {word} {len(graph['names'])} {len(edges)}", *(f"e {u} {v}" for u, v in edges)]
    return lines_of(["c FILE: some.col", *lines]), what_it_holds(graph, "col")


def _hcp_head(chance: random.Random, n: int, kind: str) -> list[str]:
    lines = [f"TYPE : {kind}", f"DIMENSION : {n}"]
    if chance.random() < 0.5:
        chance.shuffle(lines)
    mark = chance.choice((" : ", ": ", " :", ":\t"))
    return [f"NAME{mark}some", *(line.replace(" : ", mark) for line in lines)]


def hcp_edges(chance: random.Random, graph: Plain) -> Written | None:
    if graph["directed"] or len(graph["names"]) < 3:
        return None
    lines = _hcp_head(chance, len(graph["names"]), "HCP")
    edges = [f"{u + 1} {v + 1}" for u, v, _ in graph["edges"]]
    lines += ["EDGE_DATA_FORMAT : EDGE_LIST", "EDGE_DATA_SECTION", *edges, "-1"]
    return lines_of([*lines, *["EOF"] * chance.randint(0, 1)]), what_it_holds(graph, "hcp")


def hcp_neighbours(chance: random.Random, graph: Plain) -> Written | None:
    if graph["directed"] or len(graph["names"]) < 3 or not no_vertex_alone(graph):
        return None
    near: dict[int, list[int]] = {}
    both = chance.random() < 0.5
    for u, v, _ in graph["edges"]:
        near.setdefault(u, []).append(v)
        if both:
            near.setdefault(v, []).append(u)
    rows = [f"{u + 1} {' '.join(str(v + 1) for v in row)} -1" for u, row in near.items()]
    lines = [*_hcp_head(chance, len(graph["names"]), "HCP"), "EDGE_DATA_FORMAT: ADJ_LIST"]
    return lines_of([*lines, "EDGE_DATA_SECTION", *rows, "-1", "EOF"]), what_it_holds(graph, "hcp")


_LAYOUTS = ("UPPER_ROW", "LOWER_ROW", "UPPER_DIAG_ROW", "LOWER_DIAG_ROW", "UPPER_COL", "LOWER_COL")


def tsp_matrix(chance: random.Random, graph: Plain) -> Written | None:
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
    return lines_of(lines), meant_graph({**graph, "edges": edges}, 1)


def tsp_places(chance: random.Random, graph: Plain) -> Written | None:
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
    return lines_of([*lines, "EOF"]), meant_graph({**graph, "edges": edges, "directed": False}, 1)


def _bits(n: int) -> list[int]:
    return [n >> shift & 1 for shift in range(5, -1, -1)] if n < 63 else []


def _six(bits: list[int], fill: int = 0) -> str:
    bits = bits + [fill] * (-len(bits) % 6)
    return "".join(chr(63 + int("".join(map(str, bits[at : at + 6])), 2)) for at in range(0, len(bits), 6))


def by_formats_txt(form: str) -> Writer:
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
        return f"{'&' if form == 'd6' else ''}{_six(_bits(n))}{_six(bits)}\n", what_it_holds(graph, form)

    return Writer(form, "formats.txt of nauty", write)


def edge_lines(chance: random.Random, graph: Plain) -> Written | None:
    """A table with a comma, semicolon or tab, with a heading or without."""
    if graph["directed"] or not no_vertex_alone(graph) or not whole(graph):
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


def with_sizes(first: int) -> Writer:
    """A line of two numbers, those of vertices and edges, before the edges: files of contests."""

    def write(_: random.Random, graph: Plain) -> Written | None:
        if graph["directed"] or not graph["edges"] or not whole(graph):
            return None
        lines = [f"{len(graph['names'])} {len(graph['edges'])}"]
        weighted = graph["edges"][0][2] is not None
        lines += [f"{u + first} {v + first}" + f" {w}" * weighted for u, v, w in graph["edges"]]
        return lines_of(lines), meant_graph(graph, first)

    return Writer("nm", f"sizes and edges, vertices from {first}", write, sure=False)


def joined(mark: str, around: str = "") -> Writer:
    """Pairs such as 1-2 and (0,1)."""

    def write(_: random.Random, graph: Plain) -> Written | None:
        if graph["directed"] or not (has_words(graph) and no_vertex_alone(graph)):
            return None
        before, after = around[:1], around[1:]
        lines = [f"{before}{graph['names'][u]}{mark}{graph['names'][v]}{after}" for u, v, _ in graph["edges"]]
        return lines_of(lines), meant_graph(graph, weights=False)

    return Writer("edges", f"pairs {around[:1]}a{mark}b{around[1:]}", write, sure=mark == " -> ")


def arrows(_: random.Random, graph: Plain) -> Written | None:
    if not (graph["directed"] and has_words(graph) and no_vertex_alone(graph) and whole(graph)):
        return None
    weighted = graph["edges"][0][2] is not None
    names = graph["names"]
    lines = [f"{names[u]} -> {names[v]}" + f" {w}" * weighted for u, v, w in graph["edges"]]
    return lines_of(lines), meant_graph(graph)


def neighbours(mark: str) -> Writer:
    """A line for each vertex with its neighbours, all of them. Lists of arcs do not say that they are."""

    def write(chance: random.Random, graph: Plain) -> Written | None:
        if graph["directed"] or not has_words(graph):
            return None
        names = graph["names"]
        near: dict[int, list[int]] = {u: [] for u in range(len(names))}
        for u, v, _ in graph["edges"]:
            near[u].append(v)
            near[v].append(u)
        lines = [f"{names[u]}{mark}{' '.join(names[v] for v in row)}" for u, row in near.items()]
        chance.shuffle(lines)
        return lines_of(line.rstrip() for line in lines), meant_graph(graph, weights=False)

    return Writer("adjlist", f"neighbours after {mark!r}", write, sure=False)


def adjacency(_: random.Random, graph: Plain) -> Written | None:
    """A mapping of vertices to neighbours as JSON."""
    if graph["directed"]:
        return None
    near: dict[str, list[str]] = {name: [] for name in graph["names"]}
    for u, v, _w in graph["edges"]:
        near[graph["names"][u]].append(graph["names"][v])
        near[graph["names"][v]].append(graph["names"][u])
    return json.dumps(near), meant_graph(graph, weights=False)


def numbered_json(chance: random.Random, graph: Plain) -> Written | None:
    """Nodes with names, and links between places in their list, as older programs for D3 write them."""
    nodes = [{"name": name, "group": chance.randint(0, 3)} for name in graph["names"]]
    links = [{"source": u, "target": v, **({} if w is None else {"weight": w})} for u, v, w in graph["edges"]]
    value = {"directed": graph["directed"], "nodes": nodes, "links": links}
    return json.dumps(value, indent=chance.choice((None, 1))), meant_graph(graph)


def numbers_as_nodes(chance: random.Random, graph: Plain) -> Written | None:
    """Nodes that are numbers, in any order, and edges between them."""
    if not all(name.isdigit() and str(int(name)) == name for name in graph["names"]):
        return None
    numbers = [int(name) for name in graph["names"]]
    edges = [[numbers[u], numbers[v], *([] if w is None else [w])] for u, v, w in graph["edges"]]
    value = {"vertices": numbers, "edges": edges, "directed": graph["directed"]}
    return json.dumps(value, indent=chance.choice((None, 2))), meant_graph(graph)


def digits(chance: random.Random, graph: Plain) -> Written | None:
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
        text = lines_of("".join(map(str, row)) for row in rows)
    elif way == 1:
        text = lines_of(",".join(map(str, row)) for row in rows)
    elif way == 2:
        text = json.dumps(rows).replace("], ", "],\n") + "\n"
    else:
        text = lines_of(" ".join(map(str, row)) for row in rows)
    return text, what_it_holds(plain_graph, "matrix")


def sized_matrix(chance: random.Random, graph: Plain) -> Written | None:
    written = digits(chance, graph)
    if written is None or "[" in str(written[0]):
        return None
    return f"{len(graph['names'])}\n{written[0]!s}", written[1]


def matrix_market(chance: random.Random, graph: Plain) -> Written | None:
    if not graph["edges"] or not whole(graph):
        return None
    weighted = graph["edges"][0][2] is not None
    n = len(graph["names"])
    kind = "integer" if weighted else "pattern"
    symmetry = "general" if graph["directed"] else "symmetric"
    edges = [(u, v, w) if graph["directed"] or u > v else (v, u, w) for u, v, w in graph["edges"]]
    lines = [f"%%MatrixMarket matrix coordinate {kind} {symmetry}", "% some graph", f"{n} {n} {len(edges)}"]
    lines += [f"{u + 1} {v + 1}" + f" {w}" * weighted for u, v, w in edges]
    held = what_it_holds(graph, "matrix")
    by_number = {str(i): str(i + chance.choice((1,))) for i in range(n)}
    edges_of = [[by_number[u], by_number[v], w] for u, v, w in held["edges"]]
    return lines_of(lines), {**held, "names": list(by_number.values()), "edges": edges_of}


def pajek(chance: random.Random, graph: Plain) -> Written | None:
    """Edges, lists of neighbours, or a matrix."""
    names, directed = graph["names"], graph["directed"]
    if not graph["edges"] or any('"' in name or "\\" in name for name in names) or not whole(graph):
        return None
    lines = [f"*Vertices {len(names)}", *(f'{i} "{name}"' for i, name in enumerate(names, 1))]
    way = chance.randrange(3)
    if way == 0:
        lines.append("*Arcs" if directed else "*Edges")
        lines += [f"{u + 1} {v + 1}" + ("" if w is None else f" {w}") for u, v, w in graph["edges"]]
        return lines_of(lines), meant_graph(graph)
    if way == 1:
        lines.append("*Arcslist" if directed else "*Edgeslist")
        lines += [f"{u + 1} {v + 1}" for u, v, _ in graph["edges"]]
        return lines_of(lines), meant_graph(graph, weights=False)
    rows = [["0"] * len(names) for _ in names]
    for u, v, w in graph["edges"]:
        rows[u][v] = str(1 if w is None else w)
    if not directed:
        return None
    return lines_of([*lines, "*Matrix", *(" ".join(row) for row in rows)]), meant_graph(graph)


def graphviz(chance: random.Random, graph: Plain) -> Written | None:
    """As people write it: bare names, chains, attributes."""
    if not (has_words(graph) and whole(graph)) or any(
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
    return lines_of([*lines, "}"]), meant_graph(graph)


def gml(chance: random.Random, graph: Plain) -> Written | None:
    """Ids that are not 0 to n-1, and attributes of other programs."""
    names = graph["names"]
    if any(not name.isascii() or set(name) & set('"&') for name in names) or not whole(graph):
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
    return lines_of([*lines, "]"]), meant_graph(graph)
