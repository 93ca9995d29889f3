"""Marks on a picture of a tour: ends, given cells, required and forbidden moves, crossings, angles."""

from __future__ import annotations

from collections.abc import Iterable
from math import atan2, cos, dist, pi, sin, tan

from ktsolve.graphs.geometry import ANGLES, angle, corners_of, crossings, needs_plane
from ktsolve.graphs.graph import Move, Vertex
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.heat import Heat
from ktsolve.render.boards.layout import BoardLayout, Layout, midpoint, squares
from ktsolve.render.boards.path_geometry import segments
from ktsolve.render.scene.knight import knight
from ktsolve.render.scene.shapes import Circle, Curve, Group, PathShape, Point, Rect, Shape, Strand, grouped
from ktsolve.render.scene.theme import Theme

__all__ = [
    "angle_shapes",
    "clue_shapes",
    "crossing_shapes",
    "end_shapes",
    "forbidden_shapes",
    "heat_move_shapes",
    "knight",
    "required_shapes",
]


def end_shapes(tour: Tour, layout: Layout, theme: Theme, radius: float) -> list[Shape]:
    """Return a disc on the first cell and a square on the last cell of an open tour."""
    shapes: list[Shape] = []
    if tour.squares:
        x, y = layout.centre(tour.squares[0])
        shapes.append(Circle(x, y, radius, theme.start))
    if len(tour) > 1 and not tour.closed:
        x, y = layout.centre(tour.squares[-1])
        side = 1.95 * radius
        shapes.append(
            Rect(x - side / 2, y - side / 2, side, side, theme.end, radius=side / 8 if layout.detailed else 0)
        )
    return grouped("ends", shapes)


def clue_shapes(cells: Iterable[Vertex], layout: Layout, theme: Theme) -> list[Shape]:
    """Return given cells as coloured squares, given vertices of a bare graph as coloured discs."""
    given = sorted(set(cells))
    if not isinstance(layout, BoardLayout):
        return grouped("clues", [Circle(*layout.centre(v), 0.44 * layout.unit, theme.clue) for v in given])
    return grouped("clues", [squares(layout, given, theme.clue, layout.unit / 14)] if given else [])


def required_shapes(moves: Iterable[Move], layout: Layout, theme: Theme, width: float) -> list[Shape]:
    """Return required moves as broad bands, to be painted below the path."""
    strands = tuple(Strand(a, (b,)) for move in sorted(moves) for a, b in segments(layout, move))
    return grouped(
        "required", [PathShape(strands, stroke=theme.require, stroke_width=width)] if strands else []
    )


def heat_move_shapes(heat: Heat, layout: Layout, theme: Theme, width: float) -> list[Shape]:
    """Return moves as lines in the colours of a heat map, the greatest values on top and broadest."""
    by_colour: dict[str, list[Strand]] = {}
    broad: dict[str, float] = {}
    for move, value in sorted(heat.moves.items(), key=lambda item: (item[1], item[0])):
        colour = heat.shade(value, theme)
        by_colour.setdefault(colour, []).extend(Strand(a, (b,)) for a, b in segments(layout, move))
        broad[colour] = width * (0.5 + heat.share(value))
    lines = [
        PathShape(tuple(strands), stroke=colour, stroke_width=broad[colour])
        for colour, strands in by_colour.items()
    ]
    return grouped("heat-moves", lines)


def forbidden_shapes(moves: Iterable[Move], layout: Layout, theme: Theme, width: float) -> list[Shape]:
    """Return forbidden moves as broken lines with a cross at the midpoint."""
    lines: list[Strand] = []
    crosses: list[Strand] = []
    arm = 2.6 * width
    for move in sorted(moves):
        pieces = segments(layout, move)
        lines.extend(Strand(a, (b,)) for a, b in pieces)
        x, y = midpoint(*max(pieces, key=lambda piece: dist(*piece)))
        crosses.append(Strand((x - arm, y - arm), ((x + arm, y + arm),)))
        crosses.append(Strand((x - arm, y + arm), ((x + arm, y - arm),)))
    if not lines:
        return []
    broken = PathShape(tuple(lines), stroke=theme.end, stroke_width=width, dash=(2 * width, 2.5 * width))
    return [
        Group("forbidden", [broken, PathShape(tuple(crosses), stroke=theme.end, stroke_width=1.4 * width)])
    ]


def crossing_shapes(tour: Tour, layout: BoardLayout, theme: Theme) -> tuple[list[Shape], int]:
    """Return a ring at each crossing, and the number of pairs of moves that cross.

    Raises BadInput on wrapped boards.
    """
    pairs = crossings(tour)
    places = sorted({_crossing_point(first, second) for first, second in pairs})
    unit, radius = layout.unit, layout.unit / 16
    rings: list[Shape] = []
    for r, c in places:
        x, y = layout.left + (c + 0.5) * unit, layout.top + (r + 0.5) * unit
        rings.append(Circle(x, y, radius, theme.background, theme.crossing, radius / 2))
    return grouped("crossings", rings), len(pairs)


def _crossing_point(first: Move, second: Move) -> tuple[float, float]:
    """The point, as row and column, in which two moves cross; the midpoint of the overlap on one line."""
    (a, b), (c, d) = first, second
    u, v = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
    across = u[0] * v[1] - u[1] * v[0]
    if across == 0:
        inner = sorted([a, b, c, d])[1:3]
        return (inner[0][0] + inner[1][0]) / 2, (inner[0][1] + inner[1][1]) / 2
    share = ((c[0] - a[0]) * v[1] - (c[1] - a[1]) * v[0]) / across
    return a[0] + share * u[0], a[1] + share * u[1]


def angle_shapes(tour: Tour, layout: BoardLayout, theme: Theme) -> tuple[list[Shape], dict[str, int]]:
    """Return a sector between the two moves at each cell, in the colour of its angle, and the number of each.

    Raises BadInput on wrapped boards.
    """
    needs_plane(tour.board)
    wedges: dict[str, list[Strand]] = {kind: [] for kind in ANGLES}
    for before, here, after in corners_of(tour):
        wedges[angle(before, here, after)].append(_wedge(layout, before, here, after))
    groups: list[Shape] = [
        PathShape(tuple(strands), fill=colour)
        for (_, strands), colour in zip(wedges.items(), theme.angles, strict=True)
        if strands
    ]
    return grouped("angles", groups), {kind: len(strands) for kind, strands in wedges.items()}


def _wedge(layout: BoardLayout, before: Cell, here: Cell, after: Cell) -> Strand:
    """A sector of a circle around a cell, between two moves, of at most 180 degrees."""
    x, y = layout.centre(here)
    radius = 0.44 * layout.unit
    first, last = (atan2(cell[0] - here[0], cell[1] - here[1]) for cell in (before, after))
    sweep = (last - first + pi) % (2 * pi) - pi
    curves = 3
    turn = sweep / curves
    # At this distance of the control points a cubic curve approximates the arc best.
    pull = 4 / 3 * tan(turn / 4) * radius

    def on_arc(at: float) -> Point:
        return x + radius * cos(at), y + radius * sin(at)

    def control(at: float, length: float) -> Point:
        px, py = on_arc(at)
        return px - length * sin(at), py + length * cos(at)

    steps: list[Point | Curve] = [on_arc(first)]
    for k in range(curves):
        here_at, there_at = first + k * turn, first + (k + 1) * turn
        steps.append((control(here_at, pull), control(there_at, -pull), on_arc(there_at)))
    return Strand((x, y), tuple(steps), closed=True)
