"""What is drawn beside wrapped edges: faint copies of cells, to which the moves across the edges go on.

A move across an edge is seen on the board as two stubs. Each stub goes on to a copy of the cell at its other
end, with the number or the name of that cell, so that the two stubs of a move can be paired.
"""

from __future__ import annotations

from collections.abc import Sequence

from ktsolve.graphs.notation import Cell
from ktsolve.render.boards.layout import Around, BoardLayout
from ktsolve.render.boards.path_geometry import PathGeometry
from ktsolve.render.scene.lettering import fitting
from ktsolve.render.scene.shapes import Circle, PathShape, Point, Shape, Strand, Text, grouped
from ktsolve.render.scene.theme import Theme, blend

__all__ = ["beyond_shapes"]

_CELLS, _LINES = 0.45, 0.6
"""How much of their colours cells and lines keep beside the board."""

_NODE = 0.22
"""Radius of the disc behind a number or a name, in cells."""


def beyond_shapes(
    geometry: PathGeometry, around: Around, made: int, colours: Sequence[str], numbers: bool, theme: Theme
) -> list[Shape]:
    """Return copies of cells beside the board, and the parts of moves that lie there.

    - ``made``: number of drawn moves
    - ``colours``: the colour of each drawn move
    - ``numbers``: whether the copies at the ends of moves have the numbers of their steps, and not their
      names
    """
    layout, tour = geometry.layout, geometry.tour
    assert isinstance(layout, BoardLayout)
    lines: list[Shape] = []
    copies: dict[Point, int] = {}
    for move in sorted(geometry.wrapped_moves):
        if move >= made:
            break
        (start, out), (into, stop) = geometry.across_edges(move)
        strands = [_outside(layout, out, start), _outside(layout, into, stop)]
        faint = blend((theme.background, colours[move]), _LINES)
        lines.append(
            PathShape(
                tuple(Strand(a, (b,)) for a, b in strands),
                stroke=faint,
                stroke_width=0.06 * layout.unit,
            )
        )
        copies[out], copies[into] = (move + 1) % len(tour), move
    nodes: list[Shape] = []
    texts: list[Shape] = []
    for (x, y), step in sorted(copies.items()):
        text = str(step + 1) if numbers else tour.ground.name(tour.squares[step])
        nodes.append(Circle(x, y, _NODE * layout.unit, _faint(layout, (x, y), theme)))
        size = fitting(text, 0.27 * layout.unit, 1.8 * _NODE * layout.unit)
        texts.append(Text(x, y, text, size, theme.faint))
    shapes = grouped("copies", _cells(layout, around, theme))
    return shapes + grouped("beyond", lines) + grouped("beyond-nodes", [*nodes, *texts])


def _outside(layout: BoardLayout, out: Point, inside: Point) -> tuple[Point, Point]:
    """The part of a line from a point beside the board to the edge that it meets first."""
    (x, y), (u, v) = out, inside
    share = 0.0
    for at, to, low, high in (
        (x, u, layout.left, layout.left + layout.width),
        (y, v, layout.top, layout.top + layout.height),
    ):
        if not low <= at <= high:
            edge = low if at < low else high
            share = max(share, (edge - at) / (to - at))
    return out, (x + share * (u - x), y + share * (v - y))


def _copied(layout: BoardLayout, cell: Cell) -> Cell:
    """The cell of the board that a cell beside it is a copy of."""
    return cell[0] % layout.board.rows, cell[1] % layout.board.columns


def _faint(layout: BoardLayout, point: Point, theme: Theme) -> str:
    """The colour of the cell at a point beside the board."""
    cell = int((point[1] - layout.top) // layout.unit), int((point[0] - layout.left) // layout.unit)
    kind = theme.dark if sum(_copied(layout, cell)) % 2 else theme.light
    return blend((theme.background, kind), _CELLS)


def _cells(layout: BoardLayout, around: Around, theme: Theme) -> list[Shape]:
    """The copies of cells on all wrapped sides, in two colours."""
    board, unit = layout.board, layout.unit
    down, across = around.down // unit, around.across // unit
    strands: dict[str, list[Strand]] = {}
    for r in range(-down, board.rows + down):
        for c in range(-across, board.columns + across):
            if 0 <= r < board.rows and 0 <= c < board.columns:
                continue
            if _copied(layout, (r, c)) in board:
                x, y = layout.corner((r, c))
                square = Strand((x, y), ((x + unit, y), (x + unit, y + unit), (x, y + unit)), closed=True)
                strands.setdefault(_faint(layout, (x, y), theme), []).append(square)
    return [PathShape(tuple(each), fill=colour) for colour, each in strands.items()]
