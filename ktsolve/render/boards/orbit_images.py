"""Shapes and text that show the symmetry of a tour: images of its moves, axes, centre."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from ktsolve.graphs.symmetry import Symmetry
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.layout import BoardLayout
from ktsolve.render.scene.shapes import PathShape, Point, Shape, Strand, grouped
from ktsolve.render.scene.theme import Theme

__all__ = ["axis_shapes", "image_numbers", "symmetry_text"]

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
        mark = PathShape((centre,), fill=theme.ink, stroke=theme.background, stroke_width=unit / 20)
        shapes.append(mark)
    return grouped("symmetry", shapes)
