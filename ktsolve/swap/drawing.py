"""Drawings of swap puzzles as SVG: shortest solutions as a network in layers, and a solution that moves."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from ktsolve.formats.networks import line_colours
from ktsolve.problem.swap import EMPTY
from ktsolve.problem.swap_solution import SwapSolution
from ktsolve.render.layout import BoardLayout, board_shapes, edge_shapes
from ktsolve.render.svg import elements
from ktsolve.render.theme import THEMES

if TYPE_CHECKING:
    import networkx

__all__ = ["animation_svg", "layers_svg"]

_COLUMN, _ROW, _MARGIN = 60, 14, 20

_SWEEPS = 8
"""Number of sweeps that improve the order within the layers; more change little."""

_PIECE_FILLS = ("#ffffff", "#303030", "#c0392b", "#1f4e79", "#2e7d32", "#8e5ea2", "#d68910", "#117a65")

_CELL = 30
"""Side of a cell in an animation."""

_STEP = 0.6
"""Seconds of a jump in an animation."""


def layers_svg(network: networkx.DiGraph[str], title: str = "Shortest solutions") -> str:
    """An SVG of the network of :func:`ktsolve.swap.network.shortest_network`, a column for each layer.

    Within its layer a vertex stands near the mean height of its neighbours, found by a few sweeps in both
    directions (Sugiyama, Tagawa & Toda 1981). Each vertex has its position as a tooltip. Cost: linear in the
    network, plus sorting.
    """
    places = _places(network)
    width = max((x for x, _ in places.values()), default=0) + _MARGIN
    height = max((y for _, y in places.values()), default=0) + _MARGIN
    colours = line_colours(network)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img">',
        f"<title>{escape(title)}</title>",
    ]
    for here, there, colour in network.edges(data="colour"):
        (x1, y1), (x2, y2) = places[here], places[there]
        lines.append(
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colours[colour].lower()}" '
            'stroke-width="0.7"/>'
        )
    for vertex, kind in network.nodes(data="kind"):
        x, y = places[vertex]
        radius = 3 if kind == "position" else 1
        lines.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius}"><title>{escape(vertex)}</title></circle>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _places(network: networkx.DiGraph[str]) -> dict[str, tuple[float, float]]:
    """The place of each vertex; vertices within a move stand near the line between its ends."""
    layers: dict[int, list[str]] = {}
    for vertex, layer in network.nodes(data="layer"):
        if layer is not None:
            layers.setdefault(layer, []).append(vertex)
    walks = list(_walks(network))
    after: dict[str, list[str]] = {vertex: [] for layer in layers.values() for vertex in layer}
    before: dict[str, list[str]] = {vertex: [] for vertex in after}
    for walk in walks:
        after[walk[0]].append(walk[-1])
        before[walk[-1]].append(walk[0])
    tallest = max(map(len, layers.values()), default=0)
    height: dict[str, float] = {}

    def spread(order: list[str]) -> None:
        gap = tallest / len(order)
        height.update((vertex, (i + 0.5) * gap) for i, vertex in enumerate(order))

    for order in layers.values():
        spread(order)
    for sweep in range(_SWEEPS):
        forth = sweep % 2 == 0
        near = before if forth else after
        for layer in sorted(layers, reverse=not forth):
            mean = {
                v: sum(height[u] for u in near[v]) / len(near[v]) if near[v] else height[v]
                for v in layers[layer]
            }
            layers[layer].sort(key=lambda vertex: (mean[vertex], vertex))
            spread(layers[layer])
    places = {
        vertex: (_MARGIN + _COLUMN * float(layer), _MARGIN + _ROW * height[vertex])
        for layer, order in layers.items()
        for vertex in order
    }
    for number, walk in enumerate(walks):
        (x1, y1), (x2, y2) = places[walk[0]], places[walk[-1]]
        for i, vertex in enumerate(walk[1:-1], 1):
            # An offset separates walks with the same ends.
            part, offset = i / (len(walk) - 1), (number % 5 - 2) * 1.5
            places[vertex] = (x1 + (x2 - x1) * part, y1 + (y2 - y1) * part + offset)
    return places


def _walks(network: networkx.DiGraph[str]) -> list[list[str]]:
    """Every move as its vertices, from position to position."""
    found = []
    for vertex, layer in network.nodes(data="layer"):
        for first in network.successors(vertex) if layer is not None else ():
            walk = [vertex, first]
            while network.nodes[walk[-1]]["kind"] != "position":
                walk.extend(network.successors(walk[-1]))
            found.append(walk)
    return found


def animation_svg(solution: SwapSolution) -> str:
    """An SVG in which the pieces make their moves in an endless loop (SMIL; browsers play it)."""
    puzzle = solution.puzzle
    board, cells = puzzle.board, puzzle.board.cells
    layout, theme = BoardLayout(board, _CELL, 0, 0), THEMES["light"]
    width, height = layout.width, layout.height
    colours = sorted(set(puzzle.colour_of.values()))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * width + 4}" height="{2 * height + 4}" '
        f'viewBox="-1 -1 {width + 2} {height + 2}" role="img">',
        f"<title>{escape(str(puzzle))}</title>",
        *elements([*board_shapes(layout, theme), *edge_shapes(layout, theme)]),
    ]
    # A pause of one second before and after all jumps.
    times = [0.0, *accumulate([1.0, *[_STEP] * solution.jumps])]
    total = times[-1] + 1.0
    for start, letter in enumerate(puzzle.first):
        if letter == EMPTY:
            continue
        stands, path = start, [start]
        for move in solution.moves:
            mine = move[0] == stands
            path.extend(move[1:] if mine else [stands] * (len(move) - 1))
            stands = path[-1]
        points = [layout.centre(cells[cell]) for cell in (start, *path, stands)]
        values = ";".join(f"{x} {y}" for x, y in points)
        key_times = ";".join(f"{time / total:.5f}" for time in (*times, total))
        fill = _PIECE_FILLS[colours.index(puzzle.colour_of[letter]) % len(_PIECE_FILLS)]
        ink = "#303030" if fill == "#ffffff" else "#ffffff"
        lines += [
            f'<g transform="translate({points[0][0]} {points[0][1]})">',
            f'<circle r="{_CELL * 2 // 5}" fill="{fill}" stroke="#303030"/>',
            f'<text text-anchor="middle" dominant-baseline="central" fill="{ink}">{letter}</text>',
        ]
        if solution.jumps:
            lines.append(
                f'<animateTransform attributeName="transform" type="translate" dur="{total:g}s" '
                f'repeatCount="indefinite" values="{values}" keyTimes="{key_times}"/>'
            )
        lines.append("</g>")
    return "\n".join([*lines, "</svg>"]) + "\n"
