"""Pictures of swap puzzles: start and goal, a solution that moves, shortest solutions in layers."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from ktsolve.base.text import number_of
from ktsolve.models._swap_statement import EMPTY
from ktsolve.render.boards.layout import BoardLayout, board_shapes, edge_shapes
from ktsolve.render.boards.marks import legend_shapes
from ktsolve.render.scene.knight import knight
from ktsolve.render.scene.shapes import Circle, Group, Motion, PathShape, Scene, Shape, Strand, Text
from ktsolve.render.scene.sheet import captioned
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.svg import scene_svg
from ktsolve.render.scene.theme import Theme, legible

if TYPE_CHECKING:
    import networkx

    from ktsolve.wings.swap.puzzle import SwapPuzzle
    from ktsolve.wings.swap.solution import SwapSolution

__all__ = ["animation_svg", "layers_scene", "puzzle_scene"]

_WHITE, _BLACK = "#ffffff", "#1c1c1c"
"""White and black pieces, in all themes."""

_CELL = 40  # side of a cell of a board
_GAP, _ABOVE, _AROUND = 52, 26, 10  # around the boards of start and goal: between them, above them, elsewhere
_STEP = 0.6  # seconds of a jump in an animation
_COLUMN, _ROW, _MARGIN = 60, 14, 20  # distances in the picture of layers

_FONT = 13.0

_SWEEPS = 8  # number of sweeps that improve the order within the layers; more change little


def puzzle_scene(puzzle: SwapPuzzle, style: Style | None = None) -> Scene:
    """Return the picture of a puzzle: its start, an arrow, and its goal.

    >>> from ktsolve.wings.swap.puzzle import SwapPuzzle
    >>> puzzle_scene(SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W")).description
    'Start: W.W/.x./B.B. Goal: B.B/.x./W.W.'
    """
    style = style or Style()
    theme = style.colours
    board, pieces = puzzle.board, _Pieces(puzzle, theme)
    left = BoardLayout(board, _CELL, _AROUND, _ABOVE)
    right = BoardLayout(board, _CELL, _AROUND + left.width + _GAP, _ABOVE)
    shapes: list[Shape] = []
    for layout, position, title in ((left, puzzle.first, "start"), (right, puzzle.last, "goal")):
        shapes += [*board_shapes(layout, theme), *edge_shapes(layout, theme)]
        shapes.append(Text(layout.left + layout.width / 2, 13, title, 13, theme.ink))
        standing = ((at, letter) for at, letter in zip(board.cells, position, strict=True) if letter != EMPTY)
        placed = [pieces.shapes(letter, *layout.centre(at), _CELL) for at, letter in standing]
        shapes.append(Group(title, [shape for piece in placed for shape in piece]))
    middle, x = _ABOVE + left.height / 2, _AROUND + left.width + 10
    tip = right.left - 10
    arrow = Strand((x, middle), ((tip, middle),))
    head = Strand((tip - 7, middle - 6), ((tip, middle), (tip - 7, middle + 6)))
    shapes.append(PathShape((arrow, head), stroke=theme.ink, stroke_width=2))
    width, height = right.left + right.width + _AROUND, _ABOVE + left.height + _AROUND
    description = f"Start: {puzzle.start}. Goal: {puzzle.goal}."
    pixels = min(max(width, height), 1200)
    title = f"Swap puzzle {puzzle}"
    scene = Scene(width, height, title, description, theme.background, tuple(shapes), pixels)
    return captioned(scene, style.caption, style.theme)


def animation_svg(solution: SwapSolution, style: Style | None = None) -> str:
    """An SVG in which the pieces make their moves in an endless loop (SMIL; browsers play it)."""
    style = style or Style()
    puzzle, colours = solution.puzzle, style.colours
    cells = puzzle.board.cells
    layout = BoardLayout(puzzle.board, _CELL, 2, 2)
    width, height = layout.width + 4, layout.height + 4
    drawn = _Pieces(puzzle, colours)
    # A pause of one second before and after all jumps.
    times = [0.0, *accumulate([1.0, *[_STEP] * solution.jumps])]
    pieces: list[Shape] = []
    for start, letter in enumerate(puzzle.first):
        if letter == EMPTY:
            continue
        stands, path = start, [start]
        for move in solution.moves:
            mine = move[0] == stands
            path.extend(move[1:] if mine else [stands] * (len(move) - 1))
            stands = path[-1]
        points = tuple(layout.centre(cells[cell]) for cell in (start, *path, stands))
        motion = Motion(points, (*times, times[-1] + 1.0))
        if not solution.jumps:
            motion = Motion(points[:1], (0.0,))
        pieces.append(Group(f"piece {letter}", drawn.shapes(letter, 0, 0, _CELL), motion))
    shapes = [*board_shapes(layout, colours), *edge_shapes(layout, colours), *pieces]
    described = f"{number_of(len(solution.moves), 'move')} with {number_of(solution.jumps, 'jump')}."
    page, title = (width, height), style.title or str(puzzle)
    scene = Scene(*page, title, described, colours.background, tuple(shapes), 1.5 * max(page))
    return scene_svg(captioned(scene, style.caption, style.theme))


class _Pieces:
    """The pieces of a puzzle. Pieces W are white and pieces B black.

    Knights are drawn as knights, unless pieces of one colour differ; these, and other leapers, are discs with
    their letters.

    >>> from ktsolve.render.scene.theme import THEMES
    >>> from ktsolve.wings.swap.puzzle import SwapPuzzle
    >>> _Pieces(SwapPuzzle(start="B.C/.x./C.B", goal="C.B/.x./B.C"), THEMES["light"]).fills
    {'B': '#1c1c1c', 'C': '#ffffff'}
    """

    def __init__(self, puzzle: SwapPuzzle, theme: Theme) -> None:
        self.fills = _fills(puzzle, theme)
        moves_as_knight = set(puzzle.leaper_of.values()) == {(1, 2)}
        self.knights = moves_as_knight and len(set(self.fills.values())) == len(self.fills)

    def shapes(self, letter: str, x: float, y: float, unit: float) -> list[Shape]:
        """A piece around a point, for cells of side ``unit``."""
        fill = self.fills[letter]
        edge = legible(fill, _BLACK, _WHITE)
        if self.knights:
            return knight(x, y, 0.92 * unit, fill, edge)
        return [Circle(x, y, 0.38 * unit, fill, edge, 1.5), Text(x, y, letter, 0.42 * unit, edge)]


def _fills(puzzle: SwapPuzzle, theme: Theme) -> dict[str, str]:
    """The colour of each letter: white for W, black for B, for the others what these leave."""
    groups = sorted(set(puzzle.colour_of.values()))
    given = {group: _WHITE for group in groups if set(group) & set("Ww0")}
    given |= {group: _BLACK for group in groups if group not in given and set(group) & set("Bb1")}
    left = [each for each in (_WHITE, _BLACK, *theme.categories) if each not in given.values()]
    for group in groups:
        if group not in given:
            given[group] = left.pop(0) if len(left) > 1 else left[0]
    return {letter: given[group] for letter, group in sorted(puzzle.colour_of.items())}


def layers_scene(
    network: networkx.DiGraph[str], title: str = "Shortest solutions", style: Style | None = None
) -> Scene:
    """The picture of :func:`ktsolve.wings.swap.network.shortest_network`, a column for each layer.

    Within its layer a vertex stands near the mean height of its neighbours, found by a few sweeps in both
    directions (Sugiyama, Tagawa & Toda 1981). Each vertex has its position as a tooltip. Cost: linear in the
    network, plus sorting.
    """
    style = style or Style()
    colours, places = style.colours, _places(network)
    width = max((x for x, _ in places.values()), default=0) + _MARGIN
    height = max((y for _, y in places.values()), default=0) + _MARGIN
    kinds = sorted({colour for _, _, colour in network.edges(data="colour")})
    line = {kind: colours.categories[i % len(colours.categories)] for i, kind in enumerate(kinds)}
    lines = {kind: list[Strand]() for kind in kinds}
    for here, there, kind in network.edges(data="colour"):
        lines[kind].append(Strand(places[here], (places[there],)))
    last = max((layer for _, layer in network.nodes(data="layer") if layer is not None), default=0)
    vertices: list[Shape] = []
    for vertex, data in network.nodes(data=True):
        x, y = places[vertex]
        radius, fill = (3.0, colours.ink) if data["kind"] == "position" else (1.0, colours.faint)
        if data.get("layer") in (0, last):
            radius, fill = 6.0, colours.start if data["layer"] == 0 else colours.end
        vertices.append(Circle(x, y, radius, fill, title=vertex))
    drawn = [PathShape(tuple(lines[kind]), stroke=line[kind], stroke_width=0.9) for kind in kinds]
    shapes: list[Shape] = [Group("lines", drawn), Group("positions", vertices)]
    items = [(line[kind], f"moves of {kind}") for kind in kinds]
    legend, below = legend_shapes(items, None, _MARGIN, height - 4, width - 2 * _MARGIN, _FONT, colours)
    page = width, height + below
    layers = number_of(last + 1, "layer")
    described = f"{number_of(len(network), 'vertex', 'vertices')} in {layers}, from the start to the goal."
    scene = Scene(*page, title, described, colours.background, (*shapes, *legend), max(page))
    return captioned(scene, style.caption, style.theme)


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
            beside = {v: near[v] or [v] for v in layers[layer]}
            mean = {v: sum(height[u] for u in near_v) / len(near_v) for v, near_v in beside.items()}
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
