"""Plain drawings of boards, and of a tour for notebooks."""

from __future__ import annotations

from ktsolve.ground.board import Board
from ktsolve.ground.tour import Tour

__all__ = ["CELL", "board_svg", "tour_svg"]

CELL = 30
"""Side of a cell in a drawing."""


def board_svg(board: Board) -> list[str]:
    """The cells of a board as SVG elements, a line each."""
    lines = []
    for row, column in board.cells:
        shade = "#f3ead8" if (row + column) % 2 == 0 else "#d5c1a0"
        lines.append(
            f'<rect x="{column * CELL}" y="{row * CELL}" width="{CELL}" height="{CELL}" '
            f'fill="{shade}" stroke="#a08c6a" stroke-width="0.5"/>'
        )
    return lines


def tour_svg(tour: Tour) -> str:
    """Draw the board, the path and the first cell as SVG; the same tour gives the same text.

    Moves across a wrapped edge are drawn straight, as if there were no edge.
    """
    board = tour.board
    width, height = board.columns * CELL, board.rows * CELL
    kind = "Closed" if tour.closed else "Open"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 2}" height="{height + 2}" '
        f'viewBox="-1 -1 {width + 2} {height + 2}" role="img">',
        f"<title>{kind} tour of {board}</title>",
    ]
    lines += board_svg(board)
    if tour.squares:
        points = [f"{c * CELL + CELL // 2},{r * CELL + CELL // 2}" for r, c in tour.squares]
        shape = "polygon" if tour.closed else "polyline"
        lines.append(
            f'<{shape} points="{" ".join(points)}" fill="none" stroke="#1f4e79" stroke-width="2" '
            'stroke-linejoin="round"/>'
        )
        ends = points[:1] if tour.closed else [points[0], points[-1]]
        for x, y in (end.split(",") for end in ends):
            lines.append(f'<circle cx="{x}" cy="{y}" r="5" fill="#c0392b"/>')
    lines.append("</svg>")
    return "\n".join(lines) + "\n"
