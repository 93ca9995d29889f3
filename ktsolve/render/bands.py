"""Bands and grids of sudoku as scenes."""

from __future__ import annotations

from ktsolve.errors import BadInput
from ktsolve.ground.box import Box
from ktsolve.render.scene import Group, Path, Rect, Scene, Shape, Strand, Text
from ktsolve.render.theme import named_theme

__all__ = ["digits_scene"]

_UNIT = 28


def digits_scene(digits: str, box: Box, *, theme: str = "light", caption: str = "") -> Scene:
    """Some rows of a sudoku grid, row by row, ``.`` for an empty cell; boxes have strong edges.

    Raises
    ------
    BadInput
        If the text is not whole rows of boxes of that shape.

    Examples
    --------
    >>> digits_scene("123456456123", Box.parse("2x3"), caption="class 0").title
    'Sudoku 2x6: class 0'
    """
    colours = named_theme(theme)
    side = box.rows * box.columns
    if not digits or len(digits) % side:
        raise BadInput(f"{len(digits)} digits are no whole rows of {side}")
    rows = len(digits) // side
    margin, top = 10, 34 if caption else 10
    width, height = side * _UNIT, rows * _UNIT
    shapes: list[Shape] = [Rect(margin, top, width, height, colours.light)]
    texts: list[Shape] = []
    for place, digit in enumerate(digits):
        r, c = divmod(place, side)
        if digit != ".":
            x, y = margin + (c + 0.5) * _UNIT, top + (r + 0.5) * _UNIT
            texts.append(Text(x, y, digit, 0.6 * _UNIT, colours.ink))
    for strong in (False, True):
        lines = [
            Strand((margin, top + r * _UNIT), ((margin + width, top + r * _UNIT),))
            for r in range(rows + 1)
            if (r % box.rows == 0 or r == rows) == strong
        ]
        lines += [
            Strand((margin + c * _UNIT, top), ((margin + c * _UNIT, top + height),))
            for c in range(side + 1)
            if (c % box.columns == 0) == strong
        ]
        colour, thick = (colours.ink, 2) if strong else (colours.frame, 0.8)
        if lines:
            shapes.append(Path(tuple(lines), stroke=colour, stroke_width=thick))
    shapes.append(Group("digits", texts))
    if caption:
        size = min(15.0, width / (0.54 * len(caption)))
        shapes.append(Text(margin, 18, caption, size, colours.faint, anchor="start"))
    title = f"Sudoku {rows}x{side}" + (f": {caption}" if caption else "")
    whole = (width + 2 * margin, top + height + margin)
    return Scene(
        *whole, title, f"{rows} rows of {side} digits.", colours.background, tuple(shapes), max(whole)
    )
