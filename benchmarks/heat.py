"""Heat maps of square boards, as text and as SVG."""

from __future__ import annotations

from collections.abc import Mapping

from ktsolve import Board
from ktsolve.graphs.notation import Cell
from ktsolve.render.boards.heat import Heat

__all__ = ["heat_svg", "heat_text"]


def heat_text(side: int, values: Mapping[Cell, float]) -> str:
    """Return one mark per cell: ``#`` for 1, else the first decimal; a dot for a cell without a value."""

    def mark(cell: Cell) -> str:
        value = values.get(cell)
        return "." if value is None else "#" if value >= 1 else str(int(10 * value))

    return "\n".join(" ".join(mark((row, column)) for column in range(side)) for row in range(side))


def heat_svg(side: int, values: Mapping[Cell, float], title: str) -> str:
    """Return an SVG of the board in the colours of all pictures, by shares in per cent."""
    shares = {cell: round(100 * value) for cell, value in values.items()}
    heat = Heat(shares, "found, per cent")
    return Board(side, side).svg(heat=heat, caption=title, numbers=False, theme="auto")
