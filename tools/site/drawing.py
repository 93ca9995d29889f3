"""Cells, moves and text as lines of SVG, for the pictures of the site."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

import ktsolve
from ktsolve.ground.board import Board, Move
from ktsolve.ground.notation import Cell
from ktsolve.ground.tour import Tour

CELL = 30
"""Side of a cell in a drawing."""

COLOURS = ("#1f4e79", "#b45309", "#0e7490", "#be123c", "#4d7c0f", "#7e22ce", "#374151", "#a16207")
FAINT = "#9a8f7d"


def found(board: str | Board, **conditions: object) -> Tour:
    """Return a tour of a problem, the same at every build."""
    problem = ktsolve.TourProblem(board=board, **{"closed": True, **conditions})  # type: ignore[arg-type]
    tour = ktsolve.find(problem).tour
    assert tour is not None, problem
    return tour


def drawing(columns: float, rows: float, title: str, lines: Iterable[str]) -> str:
    """Return an SVG file of that many cells from lines of SVG."""
    width, height = columns * CELL, rows * CELL
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{1.4 * width:g}" height="{1.4 * height:g}" '
            f'viewBox="-2 -2 {width + 4:g} {height + 4:g}" role="img">',
            f"<title>{escape(title)}</title>",
            *lines,
            "</svg>\n",
        ]
    )


def board_svg(board: Board) -> list[str]:
    """Return the cells of a board."""
    return [
        f'<rect x="{c * CELL}" y="{r * CELL}" width="{CELL}" height="{CELL}" stroke="#a08c6a" '
        f'stroke-width="0.5" fill="{"#f3ead8" if (r + c) % 2 == 0 else "#d5c1a0"}"/>'
        for r, c in board.cells
    ]


def centre(cell: Cell) -> tuple[float, float]:
    """Return the centre of a cell."""
    return (cell[1] + 0.5) * CELL, (cell[0] + 0.5) * CELL


def line(move: Move, colour: str, width: float = 2.2, more: str = "") -> str:
    """Return a move as a line."""
    (x1, y1), (x2, y2) = map(centre, move)
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}" stroke-width="{width:g}" '
        f'stroke-linecap="round" {more}/>'
    )


def dot(cell: Cell, colour: str, radius: float = 4, fill: bool = True) -> str:
    """Return a disc or a ring on a cell."""
    x, y = centre(cell)
    paint = f'fill="{colour}"' if fill else f'fill="none" stroke="{colour}" stroke-width="2"'
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {paint}/>'


def shade(cells: Iterable[Cell], colour: str, strength: float = 0.3) -> list[str]:
    """Return coloured squares over cells."""
    return [
        f'<rect x="{c * CELL}" y="{r * CELL}" width="{CELL}" height="{CELL}" fill="{colour}" '
        f'opacity="{strength:g}"/>'
        for r, c in cells
    ]


def text(x: float, y: float, content: str, size: float = 11) -> str:
    """Return text centred at a point given in cells."""
    return (
        f'<text x="{x * CELL:g}" y="{y * CELL:g}" font-family="sans-serif" font-size="{size:g}" fill="#333" '
        f'text-anchor="middle" dominant-baseline="central">{escape(content)}</text>'
    )


def along(position: float) -> str:
    """Return the colour at a position from 0 to 1 between blue, teal, amber and red."""
    stops = [(30, 58, 138), (14, 116, 144), (180, 83, 9), (190, 18, 60)]
    at = min(int(position * 3), 2)
    mixed = (round(a + (b - a) * (position * 3 - at)) for a, b in zip(stops[at], stops[at + 1], strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)
