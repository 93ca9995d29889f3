"""Pictures of bare graphs: every vertex once, the tour on its edges, names, no crossing where planar."""

from __future__ import annotations

import json
from itertools import islice, pairwise
from math import dist
from pathlib import Path
from xml.etree.ElementTree import Element

import networkx
import numpy as np
import pytest
from command import answered, refused
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, refusal
from svg_reading import SVG, group, parsed, strands, walk_of

import ktsolve
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.render.graphs.positions import LAYOUTS, crossing_free, distances, positions
from ktsolve.render.picture import tour_scene
from ktsolve.render.player import player_html
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.theme import THEMES
from ktsolve.render.subject import PictureOptions, picture_file, picture_format
from ktsolve.render.subjects import DrawnTours

Place = tuple[float, float]

PETERSEN = Graph.from_networkx(networkx.petersen_graph())
DODECAHEDRON = Graph.from_networkx(networkx.dodecahedral_graph())
CITIES = Graph(
    ["New York", "Rome", "Oslo", "a-b"],
    [("New York", "Rome"), ("Rome", "Oslo"), ("Oslo", "a-b"), ("a-b", "New York"), ("Rome", "a-b")],
)


def walked(graph: Graph, *, closed: bool = True) -> Tour:
    tour = ktsolve.find(TourProblem(board=graph, closed=closed)).tour
    assert tour is not None
    return tour


def nodes_of(root: Element) -> list[Place]:
    """The centres of the vertices, in order."""
    found = []
    for node in group(root, "nodes"):
        if node.tag == f"{SVG}circle":
            found.append((float(node.get("cx", "")), float(node.get("cy", ""))))
        else:
            corner = float(node.get("x", "0")), float(node.get("y", "0"))
            size = float(node.get("width", "")), float(node.get("height", ""))
            found.append((round(corner[0] + size[0] / 2, 2), round(corner[1] + size[1] / 2, 2)))
    return found


def vertex_at(places: list[Place], point: Place) -> int:
    """The number of the vertex whose centre is there, within the rounding of files."""
    near = min(range(len(places)), key=lambda i: dist(places[i], point))
    assert dist(places[near], point) < 0.03
    return near


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Graphs of 1 to 14 vertices, perhaps in several components, with a tour 0, 1, 2, ... or without."""
    number = draw(st.integers(1, 14))
    pairs = st.tuples(st.integers(0, number - 1), st.integers(0, number - 1)).filter(
        lambda pair: pair[0] != pair[1]
    )
    edges = draw(st.lists(pairs, max_size=30)) if number > 1 else []
    return Graph.from_arrays(number, np.array(edges).reshape(-1, 2).astype(int))


@given(
    graphs(), st.sampled_from(sorted(THEMES)), st.sampled_from([each for each in LAYOUTS if each != "planar"])
)
@examples(60)
def test_every_vertex_and_edge_is_drawn_once(graph: Graph, theme: str, layout: str) -> None:
    root = parsed(graph.svg(theme=theme, layout=layout))
    places = nodes_of(root)
    assert len(places) == len(set(places)) == len(graph)
    lines = [strand for path in group(root, "edges") for strand in strands(path.get("d", ""))]
    drawn = sorted(tuple(sorted(vertex_at(places, point) for point in line)) for line in lines)
    assert drawn == [tuple(edge) for edge in graph.edges.tolist()]
    assert root.findtext(f"{SVG}title") == f"G{str(graph)[1:]}"


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("path", ["straight", "none"])
def test_the_tour_is_thick_and_the_other_edges_are_thin(closed: bool, path: str) -> None:
    tour = walked(DODECAHEDRON, closed=closed)
    root = parsed(tour.svg(path=path))
    places = nodes_of(root)
    (walk,) = walk_of(root) if path == "straight" else [[]]
    squares = [*tour.squares, *(tour.squares[:1] if closed else ())]
    assert [vertex_at(places, point) for point in walk] == (squares if path == "straight" else [])
    (thin,) = group(root, "edges")
    others = {frozenset(vertex_at(places, point) for point in line) for line in strands(thin.get("d", ""))}
    assert others == {frozenset(move) for move in DODECAHEDRON.moves} - {
        frozenset(p) for p in pairwise(squares)
    }
    for line in group(root, "path"):
        assert float(line.get("stroke-width", "")) > 2 * float(thin.get("stroke-width", ""))
    # The start is round, the end of an open tour is a box with small corners; both have colours of their own.
    theme = THEMES["light"]
    fills = [node.get("fill") for node in group(root, "nodes")]
    assert fills.count(theme.start) == 1
    assert fills.count(theme.end) == (not closed)
    assert fills.index(theme.start) == tour.squares[0]


@pytest.mark.full
def test_names_are_drawn_where_they_fit_and_steps_on_request() -> None:
    def texts(tour: Tour, kind: str, **style: object) -> list[str | None]:
        return [text.text for text in group(parsed(tour.svg(**style)), kind)]

    tour = walked(CITIES)
    assert texts(tour, "names") == ["New York", "Rome", "Oslo", "a-b"]
    assert texts(tour, "names", coordinates=False) == []
    assert texts(tour, "numbers", numbers=True) == [str(tour.squares.index(v) + 1) for v in CITIES.cells]
    long = Graph([letter * 25 for letter in "abcd"], CITIES.edges.tolist())
    assert texts(walked(long), "names") == []
    many = Graph.from_networkx(networkx.grid_2d_graph(24, 24))
    assert texts(walked(many), "names") == []
    assert len(nodes_of(parsed(walked(many).svg()))) == 576
    # Boxes of names do not overlap.
    boxes = [
        tuple(float(node.get(key, "0")) for key in ("x", "y", "width", "height"))
        for node in group(parsed(walked(DODECAHEDRON).svg()), "nodes")
    ]
    for i, (x, y, width, height) in enumerate(boxes):
        assert all(abs(x - u) >= width or abs(y - v) >= height for u, v, _, _ in boxes[:i])


def test_arcs_have_heads_at_their_tips() -> None:
    graph = Graph("abcd", ["ab", "bc", "cd", "da", "ac", "ba"], directed=True)
    root = parsed(Tour(graph, "abcd", closed=True).svg())
    places = nodes_of(root)

    def tips(paths: list[Element]) -> list[int]:
        """For each triangle the vertex that is next to its first corner, which points to it."""
        found = []
        for path in paths:
            for triangle in strands(path.get("d", "")) if path.get("fill") not in (None, "none") else ():
                near = min(range(4), key=lambda i: dist(places[i], triangle[0]))
                assert dist(places[near], triangle[0]) < dist(places[near], triangle[1])
                found.append(near)
        return found

    assert tips(group(root, "path")) == [1, 2, 3, 0]
    assert sorted(tips(group(root, "edges"))) == [0, 2]


def test_the_part_of_a_tour_has_a_marker() -> None:
    tour = walked(DODECAHEDRON)
    root = parsed(tour.svg(after=8, accessibility=True))
    assert len(walk_of(root)[0]) == 8
    assert len(group(root, "walker")) == 1
    free = {v for v in range(20) if v not in tour.squares[:8]}
    said = [text.text for text in group(root, "names")]
    assert len(said) == len(free)
    assert f"The first 8 of 20 steps, from {tour.squares[0]} to {tour.squares[7]}" in (
        root.findtext(f"{SVG}desc") or ""
    )


def test_conditions_are_marked() -> None:
    problem = TourProblem(board=DODECAHEDRON, closed=True, require=["0-1"], forbid=["0-10"])
    tour = ktsolve.find(problem).tour
    assert tour is not None
    root = parsed(tour.svg(problem=problem))
    places = nodes_of(root)
    (band,) = group(root, "required")
    assert {vertex_at(places, point) for point in strands(band.get("d", ""))[0]} == {0, 1}
    broken, cross = group(root, "forbidden")
    assert {vertex_at(places, point) for point in strands(broken.get("d", ""))[0]} == {0, 10}
    assert len(strands(cross.get("d", ""))) == 2


@pytest.mark.parametrize("graph", [DODECAHEDRON, PETERSEN, CITIES], ids=str)
def test_the_same_graph_gives_the_same_bytes(graph: Graph) -> None:
    again = Graph.from_json(graph.to_json())
    assert graph.svg() == again.svg()
    tour = Tour(graph, graph.cells)
    assert tour.svg(theme="dark") == Tour(again, again.cells).svg(theme="dark")
    assert player_html([walked(DODECAHEDRON)]) == player_html([walked(DODECAHEDRON)])


# -- positions -----------------------------------------------------------------------------------------------


def planar_examples() -> dict[str, networkx.Graph]:
    wheel_of_cycles = networkx.Graph([(0, i) for i in range(1, 8)])
    networkx.add_cycle(wheel_of_cycles, range(1, 8))
    theta = networkx.Graph()
    for length in (2, 3, 4, 5):
        networkx.add_path(theta, ["a", *((length, i) for i in range(length)), "b"])
    return {
        "grid": networkx.grid_2d_graph(7, 9),
        "hexagons": networkx.hexagonal_lattice_graph(3, 4),
        "triangles": networkx.triangular_lattice_graph(5, 6),
        "dodecahedron": networkx.dodecahedral_graph(),
        "icosahedron": networkx.icosahedral_graph(),
        "Tutte": networkx.tutte_graph(),
        "Frucht": networkx.frucht_graph(),
        "wheel": wheel_of_cycles,
        "two poles": theta,
        "cycle": networkx.cycle_graph(30),
        "ladder": networkx.ladder_graph(12),
        "prism": networkx.circular_ladder_graph(12),
        "K4": networkx.complete_graph(4),
    }


@pytest.mark.parametrize("name", sorted(planar_examples()))
@pytest.mark.parametrize("layout", ["auto", "planar"])
def test_planar_graphs_have_no_crossings(name: str, layout: str) -> None:
    given_graph = networkx.convert_node_labels_to_integers(planar_examples()[name])
    for node in given_graph:
        given_graph.nodes[node].pop("pos", None)
    graph = Graph.from_networkx(given_graph)
    assert crossing_free(positions(graph, layout), graph.edges)


def test_crossings_are_seen() -> None:
    square = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
    assert crossing_free(square, np.array([[0, 1], [1, 2], [2, 3], [0, 3], [0, 2]]))
    assert not crossing_free(square, np.array([[0, 2], [1, 3]]))
    line = np.array([[0.0, 0], [1, 0], [2, 0], [0, 1]])
    assert not crossing_free(line, np.array([[0, 2], [1, 3]])), "an edge through a vertex"
    assert not crossing_free(np.zeros((3, 2)), np.array([[0, 1]])), "vertices at one point"


@given(graphs())
@examples(60)
def test_distances_are_those_of_networkx(graph: Graph) -> None:
    wanted = dict(networkx.all_pairs_shortest_path_length(graph.to_networkx()))
    far = distances(len(graph), graph.edges, range(len(graph)))
    assert far.tolist() == [[wanted[u].get(v, np.inf) for v in graph.cells] for u in graph.cells]


def test_a_grid_is_drawn_as_a_grid() -> None:
    graph = Graph.from_networkx(networkx.grid_2d_graph(8, 8))
    points = positions(graph)
    lengths = [dist(points[u], points[v]) for u, v in graph.edges.tolist()]
    assert max(lengths) < 1.5 * min(lengths)


@pytest.mark.parametrize(
    ("name", "order"),
    [("petersen", 5), ("desargues", 10), ("pappus", 6), ("moebius_kantor", 8), ("heawood", 7)],
)
def test_small_symmetric_graphs_are_drawn_with_a_rotation(name: str, order: int) -> None:
    graph = Graph.from_networkx(getattr(networkx, f"{name}_graph")())
    points = positions(graph)
    points = points - points.mean(axis=0)
    turn = 2 * np.pi / order
    turned = points @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    far = np.linalg.norm(turned[:, None] - points, axis=2)
    image = far.argmin(axis=1)
    assert far.min(axis=1).max() < 1e-9
    assert sorted(image.tolist()) == list(range(len(graph)))
    assert {frozenset(image[[u, v]].tolist()) for u, v in graph.edges.tolist()} == set(
        map(frozenset, graph.edges.tolist())
    )
    assert len(np.unique(points.round(6), axis=0)) == len(graph)


def test_larger_graphs_whose_vertices_are_alike_are_drawn_on_a_circle_in_the_order_of_the_tour() -> None:
    tour = walked(Graph.from_networkx(networkx.hypercube_graph(6)))
    points = positions(tour.ground, "auto", tour.indices)
    assert np.allclose(np.linalg.norm(points, axis=1), 1)
    steps = [dist(points[u], points[v]) for u, v in pairwise(tour.indices)]
    assert max(steps) < min(steps) + 1e-9
    assert np.allclose(positions(tour.ground, "tour", tour.indices), points)


def test_positions_of_the_user_win() -> None:
    given_graph = networkx.cycle_graph(4)
    networkx.set_node_attributes(given_graph, {0: (0, 0), 1: (3, 0), 2: (3, 1), 3: (0, 1)}, "pos")
    graph = Graph.from_networkx(given_graph)
    assert graph.positions is not None
    again = Graph.from_json(json.loads(json.dumps(graph.to_json())))
    assert again.svg() == graph.svg()
    assert graph.to_networkx().nodes[1]["pos"] == (3, 0)
    places = nodes_of(parsed(graph.svg()))
    assert places[0][0] == places[3][0] < places[1][0] == places[2][0]
    assert places[2][1] == places[3][1] < places[0][1] == places[1][1], "y upwards"
    assert dist(places[0], places[1]) == pytest.approx(3 * dist(places[1], places[2]), rel=1e-3)
    assert graph.svg(layout="circle") != graph.svg(), (
        "a layout that is named wins over positions of the graph"
    )
    turned = graph.svg(positions={0: (0, 0), 1: (0, 1), 2: (1, 1), 3: (1, 0)})
    assert nodes_of(parsed(turned))[1][1] < nodes_of(parsed(turned))[0][1]
    assert "the positions lack 2" in refusal(graph.svg, positions={0: (0, 0), 1: (1, 0)})
    assert "the position of 1 is 'x'" in refusal(graph.svg, positions={0: (0, 0), 1: "x"})
    bad = {**graph.to_json(), "positions": [[0, 0]]}
    assert "positions is a list of [x, y] for each vertex" in refusal(Graph.from_json, bad)


@pytest.mark.full
@pytest.mark.parametrize("number", [500, 2000])
def test_two_thousand_vertices_take_seconds(number: int) -> None:
    import time

    began = time.process_time()
    cubic = Graph.from_networkx(networkx.random_regular_graph(3, number, seed=1))
    root = parsed(Tour(cubic, range(number)).svg())
    assert len(set(nodes_of(root))) == number
    assert time.process_time() - began < 20


# -- refusals and commands -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("style", "said"),
    [
        ({"crossings": True}, "a picture with crossings needs a board"),
        ({"angles": True}, "a picture with angles needs a board"),
        ({"symmetry": True}, "a picture with symmetries needs a board"),
        ({"path": "smooth"}, "a picture with a smooth path needs a board"),
        ({"layout": "spiral"}, f"layout 'spiral' is unknown: use {', '.join(LAYOUTS)}"),
        ({"layout": "planar"}, "the graph is not planar"),
    ],
)
def test_what_needs_a_board_is_refused(style: dict[str, object], said: str) -> None:
    assert said in refusal(PETERSEN.svg, **style)


def test_what_is_too_large_is_refused_and_notebooks_show_text() -> None:
    huge = Graph.from_arrays(10_001, [[0, 1]])
    assert "a graph is drawn with at most 10,000 vertices and 100,000 edges" in refusal(huge.svg)
    assert huge._repr_svg_() is None
    assert DODECAHEDRON._repr_svg_() == DODECAHEDRON.svg(theme="auto")


def test_tours_of_one_graph_on_a_sheet_have_the_same_positions(tmp_path: Path) -> None:
    tours = tuple(islice(ktsolve.find_all(TourProblem(board=PETERSEN, closed=False)), 3))
    sheet = picture_file(DrawnTours(tours), Style(), PictureOptions(form=picture_format("x.svg"))).decode()
    roots = [each for each in parsed(sheet).iter(f"{SVG}g") if each.get("transform")]
    places = [nodes_of(root) for root in roots]
    assert len(places) == 3
    assert places[0] == places[1] == places[2]
    assert parsed(sheet).findtext(f"{SVG}title") == "3 open tours of a graph of 10 vertices and 15 edges"


@pytest.mark.parametrize("suffix", ["svg", "png", "gif", "apng", "html"])
def test_every_format_draws_a_graph(suffix: str) -> None:
    pytest.importorskip("PIL")
    subject = DrawnTours((walked(DODECAHEDRON),))
    options = PictureOptions(
        form=picture_format(f"x.{suffix}"), frames=4 if suffix in ("gif", "apng") else None
    )
    assert len(picture_file(subject, Style(), options)) > 1000
    assert "heat visit needs a board" in refusal(picture_file, subject, Style(), options, heat="visit")


def tour_file(folder: Path) -> str:
    """A file with a tour of the dodecahedron, as a command prints it."""
    source = folder / "tour.json"
    source.write_text(answered("tour", "graph:dodecahedral", "--json", "-q").out)
    return str(source)


def test_commands_draw_and_play_tours_and_graphs(tmp_path: Path) -> None:
    source, target = tour_file(tmp_path), tmp_path / "out"
    for suffix in ("svg", "html", "png", "gif"):
        file = target.with_suffix(f".{suffix}")
        answered("draw", source, "-o", str(file), *(["--frames", "3"] if suffix == "gif" else []))
        assert file.stat().st_size > 1000
    for page in (answered("play", source).out, target.with_suffix(".html").read_text()):
        assert "<title>Closed tour of the Dodecahedron</title>" in page
    graph = tmp_path / "graph.svg"
    answered("draw", "graph:petersen", "--theme", "dark", "-o", str(graph))
    assert parsed(graph.read_text()).findtext(f"{SVG}title") == "Petersen graph"
    many = tmp_path / "many.g6"
    many.write_text("C~\nDhc\nIheA@GUAo\n")
    answered("draw", str(many), "-o", str(graph))
    assert parsed(graph.read_text()).findtext(f"{SVG}title") == "3 graphs"


def test_commands_refuse_what_needs_a_board(tmp_path: Path) -> None:
    source, out = tour_file(tmp_path), str(tmp_path / "x.svg")
    assert "a drawing in characters (give -o FILE.svg) needs a board" in refused("draw", str(source))
    assert "heat visit needs a board" in refused("draw", str(source), "--heat", "visit", "-o", out)
    assert "a picture with crossings needs a board" in refused("draw", str(source), "--crossings", "-o", out)
    assert "--up-to-symmetry in a picture needs a board" in refused(
        "draw", str(source), "--up-to-symmetry", "-o", out
    )
    assert "layout 'star' is unknown" in refused("draw", str(source), "--layout", "star", "-o", out)


@pytest.mark.full
def test_pictures_on_the_axes_of_matplotlib() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    axes = walked(DODECAHEDRON).plot()
    assert axes.get_gid() == "Closed tour of a graph of 20 vertices and 30 edges"
    assert tour_scene(walked(DODECAHEDRON)).title == axes.get_gid()
