"""Marks on a picture of a tour: ends, given cells, required and forbidden moves, crossings, angles."""

from __future__ import annotations

from collections.abc import Iterable
from math import atan2, cos, dist, pi, sin, tan

from ktsolve.ground.board import Move
from ktsolve.ground.geometry import ANGLES, angle, corners_of, crossings, needs_plane
from ktsolve.ground.notation import Cell
from ktsolve.ground.tour import Tour
from ktsolve.render.layout import Layout, middle, squares
from ktsolve.render.path_geometry import segments
from ktsolve.render.scene import Circle, Curve, Group, Path, Point, Rect, Shape, Strand
from ktsolve.render.theme import Theme

__all__ = [
    "angle_shapes",
    "clue_shapes",
    "crossing_shapes",
    "end_shapes",
    "forbidden_shapes",
    "knight",
    "required_shapes",
]

# A knight's head looking left, on a square from -1 to 1: forehead, ears, mane, foot, chest, muzzle.
_KNIGHT: tuple[Point, ...] = (
    (0.02, -0.92), (0.12, -0.66), (0.4, -0.56), (0.62, -0.32), (0.74, 0.02), (0.78, 0.42), (0.8, 0.86),
    (-0.52, 0.86), (-0.5, 0.68), (-0.3, 0.44), (-0.02, 0.22), (0.04, 0.02), (-0.16, 0.1), (-0.38, 0.16),
    (-0.5, 0.34), (-0.64, 0.36), (-0.78, 0.22), (-0.74, 0.06), (-0.56, -0.2), (-0.42, -0.46), (-0.24, -0.64),
    (-0.2, -0.9),
)  # fmt: skip


def knight(x: float, y: float, size: float, fill: str, edge: str) -> list[Shape]:
    """A knight's head in a square of that size around ``(x, y)``."""
    half = size / 2
    head = [(x + half * a, y + half * b) for a, b in _KNIGHT]
    eye = Circle(x - 0.24 * half, y - 0.36 * half, 0.08 * half, edge)
    return [Path((Strand(head[0], tuple(head[1:]), closed=True),), fill, edge, size / 28), eye]


def end_shapes(tour: Tour, layout: Layout, theme: Theme, radius: float) -> list[Shape]:
    """The first cell as a disc and the last one of an open tour as a square, so that no colour is needed."""
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
    return [Group("ends", shapes)] if shapes else []


def clue_shapes(cells: Iterable[Cell], layout: Layout, theme: Theme) -> list[Shape]:
    """Given cells, as coloured squares."""
    given = sorted(set(cells))
    return [Group("clues", [squares(layout, given, theme.clue, layout.unit / 14)])] if given else []


def required_shapes(moves: Iterable[Move], layout: Layout, theme: Theme, width: float) -> list[Shape]:
    """Required moves as broad bands, to lie under the path."""
    strands = tuple(Strand(a, (b,)) for move in sorted(moves) for a, b in segments(layout, move))
    return [Group("required", [Path(strands, stroke=theme.require, stroke_width=width)])] if strands else []


def forbidden_shapes(moves: Iterable[Move], layout: Layout, theme: Theme, width: float) -> list[Shape]:
    """Forbidden moves as broken lines with a cross in the middle."""
    lines: list[Strand] = []
    crosses: list[Strand] = []
    arm = 2.6 * width
    for move in sorted(moves):
        pieces = segments(layout, move)
        lines.extend(Strand(a, (b,)) for a, b in pieces)
        x, y = middle(*max(pieces, key=lambda piece: dist(*piece)))
        crosses.append(Strand((x - arm, y - arm), ((x + arm, y + arm),)))
        crosses.append(Strand((x - arm, y + arm), ((x + arm, y - arm),)))
    if not lines:
        return []
    broken = Path(tuple(lines), stroke=theme.forbid, stroke_width=width, dash=(2 * width, 2.5 * width))
    return [Group("forbidden", [broken, Path(tuple(crosses), stroke=theme.forbid, stroke_width=1.4 * width)])]


def crossing_shapes(tour: Tour, layout: Layout, theme: Theme) -> tuple[list[Shape], int]:
    """A ring wherever two moves cross, and how many pairs do. Raises BadInput on wrapped boards."""
    pairs = crossings(tour)
    places = sorted({_meeting(first, second) for first, second in pairs})
    half, radius = layout.unit / 2, layout.unit / 16
    rings: list[Shape] = [
        Circle(
            layout.left + c * layout.unit + half,
            layout.top + r * layout.unit + half,
            radius,
            theme.background,
            theme.crossing,
            radius / 2,
        )
        for r, c in places
    ]
    return [Group("crossings", rings)] if rings else [], len(pairs)


def _meeting(first: Move, second: Move) -> tuple[float, float]:
    """Where two moves cross, as row and column; the middle of what they share if they lie on one line."""
    (a, b), (c, d) = first, second
    u, v = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
    across = u[0] * v[1] - u[1] * v[0]
    if across == 0:
        inner = sorted([a, b, c, d])[1:3]
        return (inner[0][0] + inner[1][0]) / 2, (inner[0][1] + inner[1][1]) / 2
    share = ((c[0] - a[0]) * v[1] - (c[1] - a[1]) * v[0]) / across
    return a[0] + share * u[0], a[1] + share * u[1]


def angle_shapes(tour: Tour, layout: Layout, theme: Theme) -> tuple[list[Shape], dict[str, int]]:
    """A sector at each cell between its two moves, coloured by the kind of angle, and how many of each kind.

    Raises BadInput on wrapped boards.
    """
    needs_plane(tour.board)
    wedges: dict[str, list[Strand]] = {kind: [] for kind in ANGLES}
    for before, here, after in corners_of(tour):
        wedges[angle(before, here, after)].append(_wedge(layout, before, here, after))
    groups: list[Shape] = [
        Path(tuple(strands), fill=colour)
        for (_, strands), colour in zip(wedges.items(), theme.angles, strict=True)
        if strands
    ]
    shapes: list[Shape] = [Group("angles", groups)] if groups else []
    return shapes, {kind: len(strands) for kind, strands in wedges.items()}


def _wedge(layout: Layout, before: Cell, here: Cell, after: Cell) -> Strand:
    """A sector of a circle around a cell, from one move to the other the shorter way round."""
    x, y = layout.centre(here)
    radius = 0.44 * layout.unit
    first, last = (atan2(cell[0] - here[0], cell[1] - here[1]) for cell in (before, after))
    sweep = (last - first + pi) % (2 * pi) - pi
    parts = 3
    turn = sweep / parts
    # Control points at this distance make a cubic curve as good as an arc.
    pull = 4 / 3 * tan(turn / 4) * radius

    def on(at: float) -> Point:
        return x + radius * cos(at), y + radius * sin(at)

    def beside(at: float, length: float) -> Point:
        px, py = on(at)
        return px - length * sin(at), py + length * cos(at)

    steps: list[Point | Curve] = [on(first)]
    for part in range(parts):
        here_at, there_at = first + part * turn, first + (part + 1) * turn
        steps.append((beside(here_at, pull), beside(there_at, -pull), on(there_at)))
    return Strand((x, y), tuple(steps), closed=True)
