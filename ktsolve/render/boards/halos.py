"""Halos: where two moves cross, the lower one stops a little before the upper one and goes on behind it.

The upper move is the one that is drawn later. A halo consists of two parallelograms on the lower move, one on
each side of the upper move, in the colour of the ground there. So nothing but the lower move is covered. A
broad line below the upper move would cover the edges of cells, marks and joints of the path as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ktsolve.render.boards.path_geometry import PathGeometry, Run
from ktsolve.render.scene.shapes import PathShape, Point, Shape, Strand

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Crossing", "drawn_crossings", "haloed_path"]

_CURVE = 8  # number of straight lines that stand for a curve
_BATCH = 200_000  # number of pairs of pieces that are compared at a time

_LEAST_SINE = 0.3
"""Sine of the smallest angle between moves with a halo; at smaller angles it would be a long gap."""

_COVER = 0.12  # share of the width of a line by which its halo is broader, to cover its smooth edges


@dataclass(frozen=True)
class Crossing:
    """A crossing of two moves, with unit vectors: ``along`` the lower move, ``across`` along the upper."""

    lower: int
    upper: int
    point: Point
    along: Point
    across: Point

    @property
    def sine(self) -> float:
        """The sine of the angle between the moves."""
        return abs(self.along[0] * self.across[1] - self.along[1] * self.across[0])

    def sides(self, line: float, gap: float) -> Iterator[tuple[Point, Strand]]:
        """Yield the two parallelograms of the halo, each with its centre."""
        (x, y), (u, v), (p, q), sine = self.point, self.along, self.across, self.sine
        near, far = 0.4 * line / sine, (0.5 * line + gap) / sine
        half = (0.5 + _COVER) * line / sine
        for side in (-1, 1):
            corners = [
                (x + side * a * u + b * p, y + side * a * v + b * q)
                for a, b in ((near, -half), (far, -half), (far, half), (near, half))
            ]
            middle = side * (near + far) / 2
            yield (x + middle * u, y + middle * v), Strand(corners[0], tuple(corners[1:]), closed=True)


def drawn_crossings(geometry: PathGeometry, made: int) -> list[Crossing]:
    """Return the crossings of the first ``made`` moves as they are drawn, ordered by the upper move.

    Moves that meet in a cell do not cross there. Quadratic in the moves, with a small factor: at most some
    thousand moves are drawn with halos.

    >>> from ktsolve.graphs.board import Board
    >>> from ktsolve.graphs.tour import Tour
    >>> from ktsolve.render.boards.layout import BoardLayout
    >>> tour = Tour.from_names(Board.parse("3x4"), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> len(drawn_crossings(PathGeometry(tour, BoardLayout(tour.board, 40, 0, 0)), 11))
    20
    """
    import numpy as np

    owners: list[int] = []
    lines: list[list[Point]] = []
    for move in range(made):
        for piece in geometry.pieces(move, _CURVE if geometry.smooth else 1):
            owners.append(move)
            lines.append(piece)
    if not lines:
        return []
    owner = np.array(owners)
    points = np.array(lines, dtype=float)
    low, high = points.min(axis=1), points.max(axis=1)
    closing = geometry.moves - 1 if geometry.closes else -1
    found: list[Crossing] = []
    size = len(owner)
    rows = max(1, _BATCH // size)
    for begin in range(0, size, rows):
        part = slice(begin, min(begin + rows, size))
        meet = (low[part, None, :] < high[None, :, :]).all(axis=2)
        meet &= (high[part, None, :] > low[None, :, :]).all(axis=2)
        # Each pair once, and no moves with a common end.
        meet &= owner[part, None] + 1 < owner[None, :]
        if closing > 0:
            meet &= ~((owner[part, None] == 0) & (owner[None, :] == closing))
        first, second = np.nonzero(meet)
        found += _crossings_of(points, owner, first + begin, second)
    return sorted(found, key=lambda each: (each.upper, each.lower, each.point))


def _crossings_of(
    points: NDArray[np.float64], owner: NDArray[np.int64], first: NDArray[np.int64], second: NDArray[np.int64]
) -> Iterator[Crossing]:
    """The crossings of pairs of polylines."""
    import numpy as np

    steps = np.diff(points, axis=1)
    count = steps.shape[1]
    each = max(1, 10 * _BATCH // count**2)
    for begin in range(0, len(first), each):
        lower, upper = first[begin : begin + each], second[begin : begin + each]
        a, u = points[lower][:, :-1, None], steps[lower][:, :, None]
        b, v = points[upper][:, None, :-1], steps[upper][:, None, :]
        across = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
        between = b - a
        with np.errstate(divide="ignore", invalid="ignore"):
            s = (between[..., 0] * v[..., 1] - between[..., 1] * v[..., 0]) / across
            t = (between[..., 0] * u[..., 1] - between[..., 1] * u[..., 0]) / across
        inside = (np.abs(across) > 1e-9) & (s >= 0) & (s < 1) & (t >= 0) & (t < 1)
        for n, i, j in np.argwhere(inside).tolist():
            share = float(s[n, i, j])
            (x, y), along = points[lower[n], i].tolist(), steps[lower[n], i]
            other = steps[upper[n], j]
            dx, dy = (along / np.hypot(*along)).tolist()
            ex, ey = (other / np.hypot(*other)).tolist()
            point = x + share * float(along[0]), y + share * float(along[1])
            yield Crossing(int(owner[lower[n]]), int(owner[upper[n]]), point, (dx, dy), (ex, ey))


def haloed_path(
    geometry: PathGeometry,
    runs: Iterator[Run],
    made: int,
    line: float,
    gap: float,
    ground: Callable[[Crossing, Point], str],
) -> Iterator[Shape]:
    """Yield the runs of a path in painting order, with the halos of each move below it.

    ``gap`` is the width of a halo beside the line; ``ground`` gives the colour near a crossing at a point.
    """
    below: dict[int, list[Crossing]] = {}
    for crossing in drawn_crossings(geometry, made):
        if crossing.sine >= _LEAST_SINE:
            below.setdefault(crossing.upper, []).append(crossing)
    for first, stop, colour in runs:
        begin, waiting = first, list[Crossing]()
        for move in range(first, stop):
            here = below.get(move, [])
            # Halos are painted over the whole lower move: it belongs to an earlier part of the path.
            if any(crossing.lower >= begin for crossing in here):
                yield from _halos(waiting, line, gap, ground)
                yield from geometry.shapes((begin, move, colour), line)
                begin, waiting = move, []
            waiting += here
        yield from _halos(waiting, line, gap, ground)
        yield from geometry.shapes((begin, stop, colour), line)


def _halos(
    crossings: list[Crossing], line: float, gap: float, ground: Callable[[Crossing, Point], str]
) -> Iterator[Shape]:
    """The halos of some crossings, one shape for each colour."""
    by_colour: dict[str, list[Strand]] = {}
    for crossing in crossings:
        for middle, side in crossing.sides(line, gap):
            by_colour.setdefault(ground(crossing, middle), []).append(side)
    for colour, sides in by_colour.items():
        yield PathShape(tuple(sides), fill=colour)
