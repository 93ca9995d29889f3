"""Tours in characters: in boxes, or as chequered boards in colours for terminals."""

from __future__ import annotations

from collections.abc import Mapping

from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import Cell, file_name
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.heat import accessibility
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.theme import THEMES, blend, channels, legible

__all__ = ["board_text", "text_drawing", "tour_text"]

_HOLE = "░"


def text_drawing(tour: Tour, style: Style | None = None) -> str:
    """Return the tour as text: steps, values, accessibility, coordinates, caption and ``after`` of a style.

    >>> from ktsolve.graphs.board import Board
    >>> ring = Tour.from_names(Board.parse("3x3", without="b2"), "a1 b3 c1 a2 c3 b1 a3 c2", closed=True)
    >>> print(text_drawing(ring))
      ┌───┬───┬───┐
    3 │ 7 │ 2 │ 5 │
      ├───┼───┼───┤
    2 │ 4 │░░░│ 8 │
      ├───┼───┼───┤
    1 │ 1 │ 6 │ 3 │
      └───┴───┴───┘
        a   b   c
    """
    style = style or Style()
    board = tour.board
    style.check_size(board.rows * board.columns, characters=True)
    marks = _marks(tour, style)
    coordinates = style.coordinates is not False
    width = max([1, *map(len, marks.values())])
    if coordinates:
        width = max(width, len(file_name(board.columns - 1)))
    ranks = len(str(board.rows)) if coordinates else 0

    def rule(left: str, between: str, right: str) -> str:
        indent = " " * (ranks + 1) if coordinates else ""
        return indent + left + between.join(["─" * (width + 2)] * board.columns) + right

    lines = [*([style.caption] if style.caption else []), rule("┌", "┬", "┐")]
    for r in range(board.rows):
        cells = [
            _HOLE * (width + 2) if (r, c) in board.removed else f" {marks.get((r, c), ''):>{width}} "
            for c in range(board.columns)
        ]
        rank = f"{board.rows - r:>{ranks}} " if coordinates else ""
        lines.append(rank + "│" + "│".join(cells) + "│")
        if r < board.rows - 1:
            lines.append(rule("├", "┼", "┤"))
    lines.append(rule("└", "┴", "┘"))
    if coordinates:
        files = [f" {file_name(c):^{width}} " for c in range(board.columns)]
        lines.append((" " * (ranks + 1) + " " + " ".join(files)).rstrip())
    return "\n".join(lines)


def _marks(tour: Tour, style: Style) -> dict[Cell, str]:
    """The text in each cell."""
    steps = len(tour) if style.after is None else min(style.after, len(tour))
    walk = tour.squares[:steps]
    marks: dict[Cell, str] = {}
    if style.accessibility:
        numbers = accessibility(tour.board, frozenset(walk))
        marks.update((cell, f"({number})") for cell, number in numbers.items())
    if style.heat is not None:
        marks.update((cell, str(value)) for cell, value in style.heat.values.items())
    else:
        marks.update((cell, str(step)) for step, cell in enumerate(walk, 1))
    return marks


_THEME = THEMES["light"]

_LIGHT = _THEME.light
_DARK = blend((_THEME.dark, _THEME.frame), 0.5)
"""Darker than in pictures: cells without lines between them, in few colours, must differ more."""

_CODES = {
    256: {
        _LIGHT: "38;5;235;48;5;230",
        _DARK: "38;5;235;48;5;180",
        _THEME.start: "38;5;16;48;5;35",
        _THEME.end: "38;5;231;48;5;160",
    },
    16: {_LIGHT: "30;47", _DARK: "30;43", _THEME.start: "30;42", _THEME.end: "97;41"},
}
"""Characters and background where there are few colours; of sixteen each terminal chooses the shades."""

_FAINT, _RESET = "\033[2m", "\033[0m"


def tour_text(tour: Tour, colours: int, width: int) -> str | None:
    r"""Return a tour as a board with step numbers and coloured ends, as :func:`board_text` does.

    >>> tour = Tour.from_names(Board.parse("3x4"), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> import re
    >>> for line in tour_text(tour, 256, 80).splitlines():
    ...     print(re.sub("\033[^m]*m", "", line).rstrip())
    3   1   4   7  10
    2   8  11   2   5
    1   3   6   9  12
        a   b   c   d
    """
    marks = {cell: str(step) for cell, step in tour.step_of.items()}
    ends = {tour.squares[-1]: _THEME.end, tour.squares[0]: _THEME.start}
    return board_text(tour.board, marks, colours, width, ends)


def board_text(
    board: Board, marks: Mapping[Cell, str], colours: int, width: int, fills: Mapping[Cell, str] | None = None
) -> str | None:
    """Return a chequered board with texts in its cells, None if it has more than ``width`` columns.

    - ``colours``: how many colours the terminal has: 16, 256 or 2**24
    - ``fills``: cells with another colour of the theme ``light``
    """
    fills = fills or {}
    inside = max(map(len, (file_name(board.columns - 1), *marks.values())))
    ranks = len(str(board.rows))
    space = next((n for n in (2, 1) if ranks + 1 + board.columns * (inside + n) <= width), None)
    if space is None:
        return None
    before = " " * (space - 1)
    lines = []
    for r in range(board.rows):
        line = f"{_FAINT}{board.rows - r:>{ranks}}{_RESET} "
        for c in range(board.columns):
            text = f"{before}{marks.get((r, c), ''):>{inside}} "
            if (r, c) in board.removed:
                line += _RESET + text
            else:
                usual = _LIGHT if (r + c) % 2 == 0 else _DARK
                line += f"\033[{_codes(fills.get((r, c), usual), colours)}m{text}"
        lines.append(line + _RESET)
    files = "".join(f"{before}{file_name(c):>{inside}} " for c in range(board.columns))
    lines.append(f"{' ' * ranks} {_FAINT}{files.rstrip()}{_RESET}")
    return "\n".join(lines)


def _codes(fill: str, colours: int) -> str:
    """The codes of a background, and of characters that are legible on it."""
    if colours in _CODES:
        return _CODES[colours][fill]
    return "38;2;{};{};{};48;2;{};{};{}".format(*channels(legible(fill)), *channels(fill))
