"""Marks on a picture of a tour: ends, given cells and moves, crossings, angles, symmetry; and the legend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import atan2, cos, dist, pi, sin, tan

from ktsolve.graphs.geometry import ANGLES, angle, corners_of, crossings, needs_plane
from ktsolve.graphs.graph import Move, Vertex
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.symmetry import Symmetry
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.heat import Heat, short_number, thousands
from ktsolve.render.boards.layout import BoardLayout, Layout, midpoint, squares
from ktsolve.render.boards.path_geometry import segments
from ktsolve.render.scene.lettering import fitting, text_width
from ktsolve.render.scene.shapes import (
    Circle,
    Curve,
    Group,
    PathShape,
    Point,
    Rect,
    Shape,
    Strand,
    Text,
    grouped,
)
from ktsolve.render.scene.theme import Theme, blend

__all__ = [
    "Item",
    "angle_shapes",
    "axis_shapes",
    "clue_shapes",
    "crossing_shapes",
    "end_shapes",
    "forbidden_shapes",
    "heat_move_shapes",
    "image_numbers",
    "legend_shapes",
    "required_shapes",
    "symmetry_text",
]


def end_shapes(tour: Tour, layout: Layout, theme: Theme, radius: float) -> list[Shape]:
    """Return a disc on the first cell and a square on the last cell of an open tour."""
    shapes: list[Shape] = []
    if tour.squares:
        x, y = layout.centre(tour.squares[0])
        shapes.append(Circle(x, y, radius, theme.start))
    if len(tour) > 1 and not tour.closed:
        (x, y), side = layout.centre(tour.squares[-1]), 1.95 * radius
        corner = side / 8 if layout.detailed else 0
        shapes.append(Rect(x - side / 2, y - side / 2, side, side, theme.end, radius=corner))
    return grouped("ends", shapes)


def clue_shapes(given: Sequence[Vertex], layout: Layout, theme: Theme) -> list[Shape]:
    """Return given cells as coloured squares, given vertices of a bare graph as coloured discs."""
    if not isinstance(layout, BoardLayout):
        return grouped("clues", [Circle(*layout.centre(v), 0.44 * layout.unit, theme.clue) for v in given])
    return grouped("clues", [squares(layout, given, theme.clue, layout.unit / 14)] if given else [])


def required_shapes(moves: Iterable[Move], layout: Layout, theme: Theme, width: float) -> list[Shape]:
    """Return required moves as broad bands, to be painted below the path."""
    strands = tuple(Strand(a, (b,)) for move in moves for a, b in segments(layout, move))
    band = PathShape(strands, stroke=theme.require, stroke_width=width)
    return grouped("required", [band] if strands else [])


def heat_move_shapes(heat: Heat, layout: Layout, theme: Theme, width: float) -> list[Shape]:
    """Return moves as lines in the colours of a heat map, the greatest values on top and broadest."""
    by_colour: dict[str, list[Strand]] = {}
    broad: dict[str, float] = {}
    for move, value in sorted(heat.moves.items(), key=lambda item: (item[1], item[0])):
        colour = heat.shade(value, theme)
        by_colour.setdefault(colour, []).extend(Strand(a, (b,)) for a, b in segments(layout, move))
        broad[colour] = width * (0.5 + heat.share(value))
    drawn = ((tuple(strands), colour) for colour, strands in by_colour.items())
    return grouped("heat-moves", [PathShape(s, stroke=c, stroke_width=broad[c]) for s, c in drawn])


def forbidden_shapes(moves: Iterable[Move], layout: Layout, theme: Theme, width: float) -> list[Shape]:
    """Return forbidden moves as broken lines with a cross at the midpoint."""
    lines: list[Strand] = []
    crosses: list[Strand] = []
    arm = 2.6 * width
    for move in moves:
        pieces = segments(layout, move)
        lines.extend(Strand(a, (b,)) for a, b in pieces)
        x, y = midpoint(*max(pieces, key=lambda piece: dist(*piece)))
        crosses.append(Strand((x - arm, y - arm), ((x + arm, y + arm),)))
        crosses.append(Strand((x - arm, y + arm), ((x + arm, y - arm),)))
    if not lines:
        return []
    broken = PathShape(tuple(lines), stroke=theme.end, stroke_width=width, dash=(2 * width, 2.5 * width))
    crossed = PathShape(tuple(crosses), stroke=theme.end, stroke_width=1.4 * width)
    return [Group("forbidden", [broken, crossed])]


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


Item = tuple[str, str]  # a colour and its meaning; the colour may be empty

_SHADES = 48  # number of colours of the scale


def legend_shapes(
    items: Sequence[Item], heat: Heat | None, left: float, top: float, width: float, size: float, theme: Theme
) -> tuple[list[Shape], float]:
    """Return the shapes of a legend in lines of at most ``width`` if possible, and its height."""
    shapes: list[Shape] = []
    y = top
    if heat is not None and (heat.values or heat.moves):
        y += size * 0.5
        bar, high = _bar(heat, left, y, width, size, theme)
        shapes.extend(bar)
        y += high
    x = left
    for colour, text in items:
        mark = 1.3 * size if colour else 0
        letters = fitting(text, size, width - mark)
        needed = mark + letters * text_width(text)
        if x > left and x + needed > left + width:
            x, y = left, y + 1.55 * size
        if colour:
            shapes.append(Circle(x + 0.45 * size, y + 0.8 * size, 0.4 * size, colour))
        shapes.append(Text(x + mark, y + 0.8 * size, text, letters, theme.faint, anchor="start"))
        x += needed + 1.2 * size
    if items:
        y += 1.7 * size
    return grouped("legend", shapes), y - top


def _bar(
    heat: Heat, left: float, y: float, width: float, size: float, theme: Theme
) -> tuple[list[Shape], float]:
    """The scale of a heat map with its least and greatest value and its caption; and its height."""
    step, last = width / _SHADES, _SHADES - 1
    shades: list[Shape] = [
        # Neighbouring rectangles overlap: without, viewers show thin gaps between them.
        Rect(left + i * step, y, step * (1.3 if i < last else 1), size, blend(theme.heat, i / last))
        for i in range(_SHADES)
    ]
    power = 3 * thousands(heat.most)
    caption = heat.caption + (f", in 10^{power}" if power else "")
    if heat.logarithmic:
        caption += ", logarithmic"
    least, most = short_number(heat.least, heat.most), short_number(heat.most, heat.most)
    first = second = y + 1.9 * size
    if size * (text_width(least + caption + most) + 2.4) > width:
        second += 1.4 * size
    texts: list[Shape] = [
        Text(left, first, least, size, theme.faint, anchor="start"),
        Text(left + width, first, most, size, theme.faint, anchor="end"),
        Text(left + width / 2, second, caption, fitting(caption, size, width), theme.faint),
    ]
    return [Group("scale", shades), *texts], second - y + 1.4 * size


_NAMES = {
    "rot180": "the half turn",
    "rot90": "the quarter turn",
    "flip-h": "the mirror that exchanges left and right",
    "flip-v": "the mirror that exchanges top and bottom",
    "transpose": "the mirror in the falling diagonal",
    "anti-transpose": "the mirror in the rising diagonal",
}


def image_numbers(tour: Tour, group: Sequence[Symmetry]) -> list[int]:
    """Return for each move the number of the symmetry that maps the first move of its orbit to it.

    The moves with one number are an image of the moves with number 0. Linear in moves times group.

    >>> from ktsolve.graphs.board import Board
    >>> ring = Tour.from_names(Board.parse("3x3", without="b2"), "a1 b3 c1 a2 c3 b1 a3 c2", closed=True)
    >>> image_numbers(ring, [s for s in ring.stabiliser() if s.name in ("identity", "rot180")])
    [0, 0, 0, 0, 1, 1, 1, 1]
    """
    walk = list(tour.indices)
    if tour.closed and len(walk) > 2:
        walk.append(walk[0])
    moves = [(min(a, b), max(a, b)) for a, b in pairwise(walk)]
    image: dict[tuple[int, int], int] = {}
    for a, b in moves:
        if (a, b) in image:
            continue
        for number, symmetry in enumerate(group):
            u, v = symmetry(a), symmetry(b)
            image.setdefault((min(u, v), max(u, v)), number)
    return [image[move] for move in moves]


def symmetry_text(group: Iterable[Symmetry]) -> str:
    """Return the symmetries of a tour as text: ``symmetric under the half turn``, or ``without symmetry``."""
    names = {symmetry.name for symmetry in group} - {"identity", "rot270"}
    if "rot90" in names:
        names -= {"rot180"}
    known = [text for name, text in _NAMES.items() if name in names]
    if others := len(names) - len(known):
        known.append(f"{others} shift{'s' if others > 1 else ''} of the wrapped board")
    return f"symmetric under {' and '.join(known)}" if known else "without symmetry"


def axis_shapes(group: Iterable[Symmetry], layout: BoardLayout, theme: Theme) -> list[Shape]:
    """Return mirrors as broken lines, the centre of half turns as a lens, of quarter turns as a square."""
    names = {symmetry.name for symmetry in group}
    left, top, unit = layout.left, layout.top, layout.unit
    right, bottom = left + layout.width, top + layout.height
    x, y = (left + right) / 2, (top + bottom) / 2
    ends: dict[str, tuple[Point, Point]] = {
        "flip-h": ((x, top), (x, bottom)),
        "flip-v": ((left, y), (right, y)),
        "transpose": ((left, top), (right, bottom)),
        "anti-transpose": ((left, bottom), (right, top)),
    }
    lines = tuple(Strand(first, (last,)) for name, (first, last) in ends.items() if name in names)
    shapes: list[Shape] = []
    if lines:
        shapes.append(PathShape(lines, stroke=theme.ink, stroke_width=unit / 16, dash=(unit / 4, unit / 5)))
    size = 0.24 * unit
    centre = None
    if "rot90" in names:
        centre = Strand((x, y - size), ((x + size, y), (x, y + size), (x - size, y)), closed=True)
    elif "rot180" in names:
        centre = Strand(
            (x - size, y),
            (
                ((x - size / 3, y - 0.9 * size), (x + size / 3, y - 0.9 * size), (x + size, y)),
                ((x + size / 3, y + 0.9 * size), (x - size / 3, y + 0.9 * size), (x - size, y)),
            ),
            closed=True,
        )
    if centre is not None:
        shapes.append(PathShape((centre,), theme.ink, theme.background, unit / 20))
    return grouped("symmetry", shapes)
