"""The symmetry of a tour, shown: its parts, each carried into the others, its axes and its centre."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from ktsolve.ground.symmetry import Symmetry
from ktsolve.ground.tour import Tour
from ktsolve.render.layout import Layout
from ktsolve.render.scene import Group, Path, Point, Shape, Strand
from ktsolve.render.theme import Theme

__all__ = ["axis_shapes", "parts_of_moves", "symmetry_words"]

_WORDS = {
    "rot180": "the half turn",
    "rot90": "the quarter turn",
    "flip-h": "the mirror that exchanges left and right",
    "flip-v": "the mirror that exchanges top and bottom",
    "transpose": "the mirror in the falling diagonal",
    "anti-transpose": "the mirror in the rising diagonal",
}


def parts_of_moves(tour: Tour, group: Sequence[Symmetry]) -> list[int]:
    """For each move in order, to which image of the first part it belongs. Linear in moves times group.

    The first part is made of the first move of each orbit; a symmetry of the group carries it to its image.

    >>> from ktsolve.ground.board import Board
    >>> ring = Tour.from_names(Board.parse("3x3", without="b2"), "a1 b3 c1 a2 c3 b1 a3 c2", closed=True)
    >>> parts_of_moves(ring, [s for s in ring.stabiliser() if s.name in ("identity", "rot180")])
    [0, 0, 0, 0, 1, 1, 1, 1]
    """
    walk = list(tour.indices)
    if tour.closed and len(walk) > 2:
        walk.append(walk[0])
    moves = [(min(a, b), max(a, b)) for a, b in pairwise(walk)]
    part: dict[tuple[int, int], int] = {}
    for a, b in moves:
        if (a, b) in part:
            continue
        for number, symmetry in enumerate(group):
            u, v = symmetry(a), symmetry(b)
            part.setdefault((min(u, v), max(u, v)), number)
    return [part[move] for move in moves]


def symmetry_words(group: Iterable[Symmetry]) -> str:
    """The symmetries of a tour in words: ``symmetric under the half turn``, or that there is none."""
    names = {symmetry.name for symmetry in group} - {"identity", "rot270"}
    if "rot90" in names:
        names -= {"rot180"}
    known = [words for name, words in _WORDS.items() if name in names]
    if others := len(names) - len(known):
        known.append(f"{others} shift{'s' if others > 1 else ''} of the wrapped board")
    return f"symmetric under {' and '.join(known)}" if known else "without symmetry"


def axis_shapes(group: Iterable[Symmetry], layout: Layout, theme: Theme) -> list[Shape]:
    """Mirrors as broken lines, a centre of half turns as a lens, of quarter turns as a square."""
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
        shapes.append(Path(lines, stroke=theme.ink, stroke_width=unit / 16, dash=(unit / 4, unit / 5)))
    size = 0.24 * unit
    if "rot90" in names:
        around = ((x + size, y), (x, y + size), (x - size, y))
        shapes.append(_mark(Strand((x, y - size), around, closed=True), theme, unit))
    elif "rot180" in names:
        lens = Strand(
            (x - size, y),
            (
                ((x - size / 3, y - 0.9 * size), (x + size / 3, y - 0.9 * size), (x + size, y)),
                ((x + size / 3, y + 0.9 * size), (x - size / 3, y + 0.9 * size), (x - size, y)),
            ),
            closed=True,
        )
        shapes.append(_mark(lens, theme, unit))
    return [Group("symmetry", shapes)] if shapes else []


def _mark(strand: Strand, theme: Theme, unit: int) -> Path:
    return Path((strand,), fill=theme.ink, stroke=theme.background, stroke_width=unit / 20)
