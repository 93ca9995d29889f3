"""Tours in characters: in boxes, or for terminals as boards in colours, as paths, and as heat maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import Cell, file_name
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.heat import Heat, accessibility
from ktsolve.render.boards.layout import BoardLayout
from ktsolve.render.boards.path_geometry import PathGeometry
from ktsolve.render.scene.style import MOST_DETAILS, Style
from ktsolve.render.scene.theme import THEMES, blend, channels, legible
from ktsolve.render.text_table import drawing_in

__all__ = ["board_text", "heat_text", "path_text", "terminal_drawing", "text_drawing", "tour_text"]

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


def tiles_text(rows: Sequence[Sequence[tuple[str, bool, bool]]], colours: int) -> str:
    r"""Return rows of cells in the two colours of boards: each a text, whether it is light, and bold.

    >>> tiles_text([[("1", True, False), ("2", False, True)]], 16)
    '\x1b[30;47m 1 \x1b[30;43;1m 2 \x1b[0m'
    """
    lines = []
    for row in rows:
        cells = (
            f"\033[{_codes(_LIGHT if light else _DARK, colours)}{';1' * bold}m {text} "
            for text, light, bold in row
        )
        lines.append("".join(cells) + _RESET)
    return "\n".join(lines)


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
    known = _CODES.get(colours, {}).get(fill)
    return known or f"{_colour(legible(fill), colours, 30)};{_colour(fill, colours, 40)}"


_BASIC = ("#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5")


def _colour(colour: str, colours: int, layer: int) -> str:
    """The code of the nearest colour that a terminal has, for characters (30) or their background (40)."""
    red, green, blue = channels(colour)
    if colours > 256:
        return f"{layer + 8};2;{red};{green};{blue}"
    if colours == 256:
        levels = [max(0, round((each - 55) / 40)) for each in (red, green, blue)]
        return f"{layer + 8};5;{16 + 36 * levels[0] + 6 * levels[1] + levels[2]}"
    parts = [tuple(channels(each)) for each in _BASIC]
    nearest = min(
        parts, key=lambda each: sum((a - b) ** 2 for a, b in zip(each, (red, green, blue), strict=True))
    )
    return str(layer + parts.index(nearest))


def heat_text(board: Board, heat: Heat, colours: int, width: int, caption: str = "") -> str | None:
    r"""Return values of cells as coloured blocks, with numbers where they fit; None if the board is too wide.

    >>> heat = Heat({(0, 0): 4, (0, 1): 9, (1, 0): 16}, "tours")
    >>> import re
    >>> re.sub("\033[^m]*m", "", heat_text(Board.parse("2x2"), heat, 256, 80)).split("\n")
    ['2   4   9 ', '1  16     ', '    a   b', 'tours: 4 to 16']
    """
    fills = {cell: heat.colour(cell, _THEME) for cell in heat.values}
    marks = {cell: str(value) for cell, value in heat.values.items()}
    lines = board_text(board, marks, colours, width, fills) or board_text(board, {}, colours, width, fills)
    if lines is None:
        if board.columns > width:
            return None
        # Two rows of cells in a line: the colour of the character is that of the upper one.
        blank = _THEME.background
        rows = []
        for r in range(0, board.rows, 2):
            cells = [(fills.get((r, c), blank), fills.get((r + 1, c), blank)) for c in range(board.columns)]
            rows.append(
                "".join(f"\033[{_colour(a, colours, 30)};{_colour(b, colours, 40)}m▀" for a, b in cells)
                + _RESET
            )
        lines = "\n".join(rows)
    legend = f"{heat.caption}: {heat.least} to {heat.most}"
    return "\n".join([*([caption] if caption else []), lines, legend])


_PITCH = (3, 8)  # least and greatest distance of two cells, in dots; two dots are a character wide, four high


def path_text(tour: Tour, colours: int, width: int) -> str | None:
    """Return the path of a tour in Braille dots, for boards that are too wide for numbers; None if too wide.

    >>> print(path_text(Tour.from_names(Board.parse("3x4"), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1"), 0, 8))
    ⠀⠤⣠⣤⣤⣄⣤⠄
    ⠀⢶⣏⣿⣿⣭⡿⠄
    ⠀⠟⠋⠟⠛⠏⠒⠄
    """
    board = tour.board
    pitch = min(2 * width // board.columns, _PITCH[1])
    if pitch < _PITCH[0] or len(tour) > MOST_DETAILS or not tour.squares:
        return None
    geometry = PathGeometry(tour, BoardLayout(board, pitch, 0, 0))
    across, down = -(-board.columns * pitch // 2), -(-board.rows * pitch // 4)
    dots = [[0] * across for _ in range(down)]
    shades = [[0] * across for _ in range(down)]
    for move in range(geometry.moves):
        for piece in geometry.pieces(move, 4 * pitch):
            for x, y in piece:
                column = min(max(int(x), 0), 2 * across - 1)
                row = min(max(int(y), 0), 4 * down - 1)
                dots[row // 4][column // 2] |= _DOTS[row % 4][column % 2]
                shades[row // 4][column // 2] = move
    if not colours:
        return "\n".join("".join(chr(0x2800 + each) for each in line).rstrip("\u2800") for line in dots)
    path = _THEME.cycle if tour.closed else _THEME.path
    ground = _colour(_LIGHT, colours, 40)
    lines = []
    for line, moves in zip(dots, shades, strict=True):
        text, last = "", -1
        for each, move in zip(line, moves, strict=True):
            shade = 32 * move // max(geometry.moves, 1)
            if shade != last:
                text += f"\033[{_colour(blend(path, shade / 31), colours, 30)};{ground}m"
                last = shade
            text += chr(0x2800 + each)
        lines.append(text + _RESET)
    return "\n".join(lines)


def terminal_drawing(tour: Tour, style: Style, colours: int, width: int) -> str:
    """Return :func:`text_drawing` in at most ``width`` columns; values are coloured blocks."""
    heat = style.heat if colours else None
    if heat and heat.values and (text := heat_text(tour.board, heat, colours, width, style.caption)):
        return text
    text = text_drawing(tour, style)
    shown = drawing_in(width, text)
    return text if shown == text else (style.heat is None and path_text(tour, colours, width)) or shown


_DOTS = ((1, 8), (2, 16), (4, 32), (64, 128))
"""The bits of a Braille character by the row and the column of its dots."""
