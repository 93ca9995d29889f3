"""Networks of swap puzzles: their size, their shortest paths, files and drawings."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import networkx
import pytest
from marks import quick
from svg_reading import group, strands

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Settings
from ktsolve.graphs.board import Board
from ktsolve.render.scene.svg import scene_svg
from ktsolve.render.scene.theme import THEMES, legible
from ktsolve.wings.swap.answer import all_shortest, solve_swap
from ktsolve.wings.swap.commands import NETWORK_FORMATS
from ktsolve.wings.swap.network import (
    count_shortest,
    network_file,
    shortest_network,
    swap_network,
    unit,
)
from ktsolve.wings.swap.picture import animation_svg, layers_scene
from ktsolve.wings.swap.puzzle import SwapPuzzle

EIGHT = SwapPuzzle(start="..BB/.xBB/xCCx/xCCx", goal="..CC/.xCC/xBBx/xBBx")
GUARINI = SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W")
TURNS = replace(GUARINI, objective="moves", longest=2, alternate=True)


@pytest.fixture(scope="module")
def jumps() -> networkx.Graph[str]:
    return swap_network(EIGHT)


@pytest.fixture(scope="module")
def moves() -> networkx.Graph[str]:
    return swap_network(replace(EIGHT, objective="moves", longest=3))


@pytest.mark.full
def test_the_jumps_of_the_eight_knights(jumps: networkx.Graph[str]) -> None:
    assert (len(jumps), jumps.number_of_edges()) == (11550, 30240)
    assert networkx.number_connected_components(jumps) == 1
    assert networkx.shortest_path_length(jumps, "..BB.BBCCCC", "..CC.CCBBBB") == 18
    assert count_shortest(jumps, EIGHT) == (18, 1162562)
    assert {data["weight"] for *_, data in jumps.edges(data=True)} == {1}
    assert {data["colour"] for *_, data in jumps.edges(data=True)} == {"B", "C"}
    # Each jump is of the piece that stands on one of the two cells that differ.
    for here, there, data in jumps.edges(data=True):
        differ = {mark for a, b in zip(here, there, strict=True) if a != b for mark in (a, b)}
        assert differ == {".", data["piece"]}


@pytest.mark.full
def test_the_moves_of_the_eight_knights(moves: networkx.Graph[str]) -> None:
    puzzle = replace(EIGHT, objective="moves", longest=3)
    assert count_shortest(moves, puzzle) == (12, 214)
    assert unit(puzzle) == 6
    assert {data["weight"] for *_, data in moves.edges(data=True)} == {6, 3, 2}
    # The jumps are in it as they were, and each longer walk has vertices of its own.
    positions = [vertex for vertex, kind in moves.nodes(data="kind") if kind == "position"]
    assert len(positions) == 11550
    assert sum(weight == 6 for *_, weight in moves.edges(data="weight")) == 30240
    for vertex, kind in moves.nodes(data="kind"):
        if kind == "between":
            weights = [data["weight"] for data in moves[vertex].values()]
            assert weights in ([3, 3], [2, 2])
    two = replace(puzzle, longest=2)
    assert count_shortest(swap_network(two), two) == (12, 2)


@pytest.mark.parametrize(
    "puzzle",
    [
        GUARINI,
        replace(GUARINI, objective="moves"),
        TURNS,
        replace(GUARINI, alternate=True, peaceful=True),
        replace(GUARINI, objective="moves", peaceful=True),
        replace(EIGHT, objective="moves", longest=2),
    ],
    ids=str,
)
def test_shortest_paths_of_networks_are_shortest_solutions(puzzle: SwapPuzzle) -> None:
    answer = solve_swap(puzzle, count=True)
    if puzzle.positions < 1000:
        assert count_shortest(swap_network(puzzle), puzzle) == (answer.length, answer.count)
    part = shortest_network(puzzle)
    assert count_shortest(part, puzzle) == (answer.length, answer.count)
    layers = dict(part.nodes(data="layer"))
    assert {layer for layer in layers.values() if layer is not None} == set(
        range(len(answer.solution or ()) + 1)
    )
    assert networkx.is_directed_acyclic_graph(part)
    # Nothing in it is beside the way: its positions are those of the solutions, listed.
    if answer.count is not None and answer.count < 1000:
        listed = {position for solution in all_shortest(puzzle) for position in solution.positions}
        assert {vertex.split()[0] for vertex, layer in layers.items() if layer is not None} == listed


def test_networks_that_are_refused() -> None:
    unreachable = replace(GUARINI, goal="W.B/.x./B.W")
    assert count_shortest(swap_network(unreachable), unreachable) == (None, 0)
    with pytest.raises(BadInput, match="there is no solution, and so no network of shortest ones"):
        shortest_network(unreachable)
    with pytest.raises(LimitReached, match=r"a network of 11,550 positions takes about 22 MiB; the memory"):
        swap_network(EIGHT, Settings(memory=1 << 20))
    moves = replace(SwapPuzzle(start="B../.../..W", goal="W../.../..B"), objective="moves")
    with pytest.raises(
        LimitReached, match=r"stopped at the memory limit of 1 MiB, [\d,]+ vertices and [\d,]+ lines"
    ):
        swap_network(moves, Settings(memory=1 << 20))
    with pytest.raises(LimitReached, match=r"stopped at the time limit of 0\.05 s, [\d,]+ vertices made"):
        swap_network(EIGHT, Settings(timeout=0.05))


# -- files ---------------------------------------------------------------------------------------------------


def like(network: networkx.Graph[str], other: networkx.Graph[str]) -> None:
    """The same vertices, lines and weights, whatever the types that a format makes of them."""

    def lines(each: networkx.Graph[str], ends: list[str]) -> list[tuple[object, ...]]:
        directed = each.is_directed()
        return sorted(
            (
                *((u, v) if directed else sorted((u, v))),
                float(data["weight"]),
                *(str(data[end]) for end in ends),
            )
            for u, v, data in each.edges(data=True)
        )

    assert other.is_directed() == network.is_directed()
    assert set(other) == set(network)
    ends = ["piece"] if all("piece" in data for *_, data in other.edges(data=True)) else []
    assert lines(other, ends) == lines(network, ends)


NETWORKS = {
    "jumps": lambda: swap_network(GUARINI),
    "moves": lambda: swap_network(replace(GUARINI, objective="moves", longest=3)),
    "turns": lambda: swap_network(TURNS),
    "shortest": lambda: shortest_network(replace(GUARINI, objective="moves")),
}
"""Made in the test: every process that collects tests evaluates its parameters."""


@pytest.mark.parametrize("name", quick(NETWORKS, lambda name: name == "shortest"))
def test_files_are_read_back(name: str, tmp_path: Path) -> None:
    network = NETWORKS[name]()
    for form in NETWORK_FORMATS:
        (tmp_path / f"n.{form.name}").write_text(network_file(network, form.name), encoding="utf-8")
    like(network, networkx.read_graphml(tmp_path / "n.graphml"))
    data = json.loads((tmp_path / "n.json").read_text())
    like(network, networkx.node_link_graph(data, edges="edges"))
    pajek = networkx.read_pajek(tmp_path / "n.net")
    like(network, networkx.DiGraph(pajek) if pajek.is_directed() else networkx.Graph(pajek))
    # Letters and colours are read from Pajek's own attributes.
    for here, there, data in pajek.edges(data=True):
        assert data["l"] == network.edges[here, there]["piece"]
        assert data["c"] in ("Red", "Blue")
    sign = "->" if network.is_directed() else "--"
    read = re.findall(
        rf'"([^"]+)" {sign} "([^"]+)" \[weight=(\d+), label="(.)"', (tmp_path / "n.dot").read_text()
    )
    assert sorted((u, v, int(w), who) for u, v, w, who in read) == sorted(
        (u, v, data["weight"], data["piece"]) for u, v, data in network.edges(data=True)
    )


def test_pajek_by_the_letter() -> None:
    puzzle = SwapPuzzle(start="AB.", goal="A.B", board=Board.parse("1x3", leaper=(0, 1)))
    assert network_file(shortest_network(puzzle), "net") == (
        '*Vertices 2\n1 "AB."\n2 "A.B"\n*Arcs\n1 2 1 l "B" c Red\n'
    )


# -- drawings ------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def test_a_drawing_has_every_vertex_and_line_once() -> None:
    for puzzle in (replace(EIGHT, objective="moves", longest=2), replace(EIGHT, objective="moves"), TURNS):
        network = shortest_network(puzzle)
        text = scene_svg(layers_scene(network))
        assert text == scene_svg(layers_scene(network))
        drawing = ET.fromstring(text)
        circles = group(drawing, "positions")
        assert {circle.findtext(f"{SVG}title") for circle in circles} == set(network)
        assert len(circles) == len(network)
        lines = [strands(path.get("d", "")) for path in group(drawing, "lines")]
        assert sum(map(len, lines)) == network.number_of_edges()
        # Lines have the colours of pictures, one for each colour of pieces.
        kinds = {colour for _, _, colour in network.edges(data="colour")}
        colours = {path.get("stroke") for path in group(drawing, "lines")}
        assert colours == set(THEMES["light"].categories[: len(kinds)])
        at = {circle.findtext(f"{SVG}title"): float(circle.get("cx", "")) for circle in circles}
        columns = {(layer, at[vertex]) for vertex, layer in network.nodes(data="layer") if layer is not None}
        # Layers are columns, one to the right of the other.
        assert len(columns) == len({layer for layer, _ in columns}) == len({x for _, x in columns})
        assert sorted(columns) == sorted(columns, key=lambda column: column[1])
        width, height = (float(drawing.get(side, "")) for side in ("width", "height"))
        for circle in circles:
            assert 0 <= float(circle.get("cx", "")) <= width
            assert 0 <= float(circle.get("cy", "")) <= height


def test_an_animation_moves_each_piece_where_it_goes() -> None:
    for puzzle in (GUARINI, replace(EIGHT, objective="moves")):
        solution = solve_swap(puzzle).solution
        assert solution is not None
        drawing = ET.fromstring(animation_svg(solution))
        moving = drawing.findall(f"{SVG}g/{SVG}animateTransform")
        assert len(moving) == len(puzzle.first.replace(".", ""))
        ends: dict[str, set[str]] = {letter: set() for letter in puzzle.letters}
        for piece in drawing.findall(f"{SVG}g[@transform]"):
            animation = piece.find(f"{SVG}animateTransform")
            letter = piece.get("class", "").removeprefix("piece ")
            # White pieces are white with a dark edge, black pieces are black with a light one.
            around, head, _ = piece.findall(f"{SVG}path")
            wanted = "#ffffff" if letter in "WC" else "#1c1c1c"
            assert (head.get("fill"), around.get("stroke")) == (wanted, legible(wanted))
            assert animation is not None
            values = animation.get("values", "").split(";")
            times = [float(time) for time in animation.get("keyTimes", "").split(";")]
            assert len(values) == len(times) == solution.jumps + 3
            assert (times[0], times[-1]) == (0, 1)
            assert times == sorted(times)
            assert piece.get("transform") == f"translate({values[0]})"
            ends[letter].add(values[-1])
        for letter in puzzle.letters:
            cells = [
                cell for cell, mark in zip(puzzle.board.cells, puzzle.last, strict=True) if mark == letter
            ]
            assert ends[letter] == {f"{column * 40 + 22} {row * 40 + 22}" for row, column in cells}


def test_a_solution_without_jumps_does_not_move() -> None:
    still = solve_swap(replace(GUARINI, goal=GUARINI.start)).solution
    assert still is not None
    assert "animateTransform" not in animation_svg(still)
