"""A plain drawing of a tour, for notebooks."""

from __future__ import annotations

from ktsolve.ground.tour import Tour

__all__ = ["tour_svg"]

_CELL = 30


def tour_svg(tour: Tour) -> str:
    """Draw the board, the path and the first cell as SVG; the same tour gives the same text.

    Moves across a wrapped edge are drawn straight, as if there were no edge.
    """
    board = tour.board
    width, height = board.columns * _CELL, board.rows * _CELL
    kind = "Closed" if tour.closed else "Open"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 2}" height="{height + 2}" '
        f'viewBox="-1 -1 {width + 2} {height + 2}" role="img">',
        f"<title>{kind} tour of {board}</title>",
    ]
    for row, column in board.cells:
        shade = "#f3ead8" if (row + column) % 2 == 0 else "#d5c1a0"
        lines.append(
            f'<rect x="{column * _CELL}" y="{row * _CELL}" width="{_CELL}" height="{_CELL}" '
            f'fill="{shade}" stroke="#a08c6a" stroke-width="0.5"/>'
        )
    if tour.squares:
        points = [f"{c * _CELL + _CELL // 2},{r * _CELL + _CELL // 2}" for r, c in tour.squares]
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
