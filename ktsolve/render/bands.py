"""Scenes of sudoku bands and grids."""

from __future__ import annotations

from ktsolve.base.errors import BadInput
from ktsolve.grids.box import Box
from ktsolve.render.scene.lettering import fitting
from ktsolve.render.scene.shapes import Group, Path, Rect, Scene, Shape, Strand, Text
from ktsolve.render.scene.theme import named_theme

__all__ = ["digits_scene"]

_UNIT = 28


def digits_scene(digits: str, box: Box, *, theme: str = "light", caption: str = "") -> Scene:
    """Return the picture of some rows of a sudoku grid, with thick lines around boxes.

    Parameters
    ----------
    digits:
        The cells row by row; ``.`` is an empty cell.

    Raises
    ------
    BadInput
        If the digits do not fill whole rows.

    Examples
    --------
    >>> digits_scene("123456456123", Box.parse("2x3"), caption="class 0").title
    'Sudoku 2x6: class 0'
    """
    colours = named_theme(theme)
    side = box.rows * box.columns
    if not digits or len(digits) % side:
        raise BadInput(f"{len(digits)} digits do not fill whole rows of {side} cells")
    rows = len(digits) // side
    margin, top = 10, 34 if caption else 10
    width, height = side * _UNIT, rows * _UNIT
    shapes: list[Shape] = [Rect(margin, top, width, height, colours.light)]
    texts: list[Shape] = []
    for number, digit in enumerate(digits):
        r, c = divmod(number, side)
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
        colour, thickness = (colours.ink, 2) if strong else (colours.frame, 0.8)
        if lines:
            shapes.append(Path(tuple(lines), stroke=colour, stroke_width=thickness))
    shapes.append(Group("digits", texts))
    if caption:
        size = fitting(caption, 15.0, width)
        shapes.append(Text(margin, 18, caption, size, colours.faint, anchor="start"))
    title = f"Sudoku {rows}x{side}" + (f": {caption}" if caption else "")
    page = (width + 2 * margin, top + height + margin)
    return Scene(*page, title, f"{rows} rows of {side} digits.", colours.background, tuple(shapes), max(page))
