"""Heat maps of boards, as text and as SVG."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from ktsolve.ground.notation import Cell

__all__ = ["heat_svg", "heat_text"]

CELL = 30
"""Side of a cell in a drawing."""

_COLD, _HOT = (249, 235, 200), (139, 26, 26)


def heat_text(side: int, values: Mapping[Cell, float]) -> str:
    """Return one mark per cell: ``#`` for 1, else the first decimal; a dot for a cell without a value."""

    def mark(cell: Cell) -> str:
        value = values.get(cell)
        return "." if value is None else "#" if value >= 1 else str(int(10 * value))

    return "\n".join(" ".join(mark((row, column)) for column in range(side)) for row in range(side))


def heat_svg(side: int, values: Mapping[Cell, float], title: str) -> str:
    """Return an SVG of the board; cells with a value have a colour from light (0) to dark (1)."""
    size = side * CELL
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size + 2}" height="{size + 2}" '
        f'viewBox="-1 -1 {size + 2} {size + 2}" role="img">',
        f"<title>{title}</title>",
    ]
    # Adjacent cells of one colour share a rectangle.
    for row in range(side):
        column = 0
        for shade, same in groupby(_shade(values.get((row, column))) for column in range(side)):
            width = len(list(same))
            if shade:
                lines.append(
                    f'<rect x="{column * CELL}" y="{row * CELL}" width="{width * CELL}" height="{CELL}" '
                    f'fill="{shade}"/>'
                )
            column += width
    lines.append(f'<rect width="{size}" height="{size}" fill="none" stroke="#a08c6a"/>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _shade(value: float | None) -> str:
    if value is None:
        return ""
    return "#" + "".join(f"{round(a + (b - a) * value):02x}" for a, b in zip(_COLD, _HOT, strict=True))
