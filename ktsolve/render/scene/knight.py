"""The knight: one outline, for pictures of boards, the player, the icon and the logo of the site."""

from __future__ import annotations

import re
from functools import cache

from ktsolve.render.scene.shapes import Curve, PathShape, Point, Shape, Strand

__all__ = ["KNIGHT", "icon_svg", "knight"]

KNIGHT = (
    # Chest, jaw, muzzle; bridge of the nose, ear; mane; foot.
    "M24 84C24 73 30 65 39 58.5C45 54 48.5 50 49 44.5C44.5 49.5 39 50.5 33.5 52.5C30 54 28.5 58 25 60.8"
    "C22 63.2 17 63 14 60C11 57 10.5 53 12.5 49.5C16.5 43 20 38 22.5 32"
    "C24.5 27 28 22.5 32.6 19.8L32.4 7C38 9 42.3 12 45 15.8C66 17 84 36 84 66C84 73.5 83.2 79 82 84"
    "C86 84.6 88 87 88 90.5L88 94L16 94L16 90.5C16 87 19 84.6 24 84Z"
    # The eye and the line along the mane are holes: they have the other direction.
    "M32 35C34.6 37.6 39.4 36 40 32.6C38 31 34 31.6 32 35Z"
    "M55 25C69 32 76 47 75 76C80 52 74 32 55 25Z"
)
"""A knight's head looking left, on a square of side 100, as SVG path data of absolute M, L, C and Z.

Drawn for ktsolve. It has one outline and, in it, an eye and a line along the mane.
"""

_EDGE = 5
"""Width of the line around the knight on the square of side 100; half of it is covered by the knight."""


def knight(x: float, y: float, size: float, fill: str, edge: str) -> list[Shape]:
    """Return a knight's head in a square of that size around ``(x, y)``, with an edge of another colour."""
    scale = size / 100

    def at(point: Point) -> Point:
        return x + (point[0] - 50) * scale, y + (point[1] - 50) * scale

    def step(points: list[Point]) -> Point | Curve:
        placed = [at(point) for point in points]
        return (placed[0], placed[1], placed[2]) if len(placed) == 3 else placed[0]

    head, *holes = (
        Strand(at(start), tuple(map(step, steps)), closed=True) for ((start,), *steps) in _strands()
    )
    outline = PathShape((head,), edge, edge, _EDGE * scale)
    return [outline, PathShape((head,), fill), PathShape(tuple(holes), edge)]


@cache
def _strands() -> list[list[list[Point]]]:
    """The outline and the holes, each as its start and the points of its steps."""
    return [
        [
            [(float(a), float(b)) for a, b in re.findall(r"([\d.]+) ([\d.]+)", piece)]
            for piece in re.findall(r"[MLC][^MLC]*", part)
        ]
        for part in KNIGHT.split("Z")[:-1]
    ]


def icon_svg(light: str, dark: str, title: str = "ktsolve") -> str:
    """Return the knight as an SVG file, in one colour on light and in another on dark backgrounds.

    >>> icon_svg("#1f4e79", "#6fb1ff").count("<path")
    1
    """
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="64" height="64" role="img">\n'
        f"<title>{title}</title>\n"
        f"<style>path{{fill:{light}}}@media (prefers-color-scheme:dark){{path{{fill:{dark}}}}}</style>\n"
        f'<path d="{KNIGHT}"/>\n</svg>\n'
    )
