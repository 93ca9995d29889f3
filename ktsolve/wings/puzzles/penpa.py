"""Drawings of penpa-edit, the puzzle editor at https://swaroopg92.github.io/penpa-edit.

Its addresses end with ``#m=edit&p=DATA``: lines of text, compressed by raw deflate, in base64. The first line
has the sort of grid and its size, the second one the rows and columns outside of it, the fourth one what is
drawn, and the eighteenth one the genre tags, if the author gave some. Only these name a kind of puzzle.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from typing import Any, NamedTuple
from urllib.parse import unquote

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.formats.tours.common import parse_json
from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import check_size
from ktsolve.models.masyu import BLACK, WHITE

__all__ = ["DRAWING", "Drawing", "read_drawing"]

DRAWING = re.compile(r"[#?&]m=(?:edit|solve)&p=([\w+/=%-]+)", re.ASCII)
"""What addresses of drawings have."""

_LONGEST = 1 << 20  # characters of a drawing; one of 100x100 cells that all have a number has 170,000
_OUTSIDE = 2  # rows and columns around the grid that its numbers of cells count
_IGNORED = ("zR", "zU", "z8")  # the history of changes
_NAMES = {  # what is drawn, by the abbreviations in the file
    "zS": "shaded cells",
    "zL": "lines",
    "zE": "edges",
    "zW": "walls",
    "zC": "cages",
    "z1": "small numbers",
    "zF": "free lines",
    "z2": "free edges",
    "zT": "thermometers",
    "z3": "arrows",
    "zD": "directions",
    "z0": "frames",
    "z5": "polygons",
    "z4": "deleted edges",
    "z6": "killer cages",
    "z7": "thermometers",
}
_PEARLS = {("circle_L", 1): WHITE, ("circle_L", 2): BLACK}
_ARROWS = {"0": "^", "1": "<", "2": ">", "3": "v"}
_WRITTEN = ("1", "5", "6", "10")  # a text in the centre of a cell, of any size
_WITH_ARROW = "2"


class Drawing(NamedTuple):
    """A grid with clues, and the genre tags of the drawing."""

    rows: int
    columns: int
    clues: dict[Cell, str]
    tags: frozenset[str]


def read_drawing(data: str) -> Drawing:
    """The drawing of the data in an address. Raises BadInput if it has more than numbers and circles."""
    lines = _inflated(data)
    try:
        sort, width, height, *_ = lines[0].split(",")
        above, below, left, right = (int(x) for x in json.loads(lines[1]))
        columns, rows = int(width) - left - right, int(height) - above - below
        tags = json.loads(lines[17]) if len(lines) > 17 else []
        if min(above, below, left, right) < 0 or not isinstance(tags, list):
            raise ValueError
        drawn = re.sub(r"z[\w_]", lambda name: "null" if name[0] == "zO" else f'"{name[0]}"', lines[3])
    except (ArithmeticError, ValueError, TypeError, IndexError, RecursionError):
        raise BadInput("the drawing of penpa-edit cannot be read: its first lines have no grid") from None
    if sort not in ("square", "sudoku"):
        raise BadInput(
            f"the drawing of penpa-edit has a grid {shown(sort, 20)}, and only square ones are read"
        )
    check_size(rows, columns)
    items = parse_json(drawn, "the drawing of penpa-edit cannot be read")
    if not (isinstance(items, dict) and all(isinstance(items.get(name, {}), dict) for name in _READ)):
        raise BadInput("the drawing of penpa-edit cannot be read: it has no cells")
    for name, found in items.items():
        if found and name not in (*_IGNORED, *_READ):
            raise BadInput(
                f"the drawing of penpa-edit has {_NAMES.get(name, shown(name, 20))}: only numbers, also with "
                "arrows, and large circles are read as clues"
            )
    clues: dict[Cell, str] = {}
    for name, mark_of in _READ.items():
        for place, entry in items.get(name, {}).items():
            number = int(place) if place.isascii() and place.isdigit() and len(place) < 7 else -1
            r, c = divmod(number, columns + left + right + 2 * _OUTSIDE)
            cell = r - _OUTSIDE - above, c - _OUTSIDE - left
            if not (0 <= cell[0] < rows and 0 <= cell[1] < columns) or cell in clues:
                raise BadInput("the drawing of penpa-edit has clues outside of cells, or two in one cell")
            clues[cell] = mark_of(entry)
    return Drawing(rows, columns, clues, frozenset(tag for tag in tags if isinstance(tag, str)))


def _inflated(data: str) -> list[str]:
    """The lines of the data of an address."""
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        packed = b64decode(unquote(data).replace(" ", "+"), validate=True)
        text = unpacker.decompress(packed, _LONGEST)
        if unpacker.unconsumed_tail:
            raise BadInput(f"the drawing of penpa-edit has more than {_LONGEST:,} characters")
        if not unpacker.eof:
            raise ValueError
        return text.decode("utf-8").split("\n")
    except BadInput:
        raise
    except (ValueError, zlib.error):
        raise BadInput("the address of penpa-edit is not complete: copy all of it") from None


def _number(entry: Any) -> str:
    """The clue of a number: its text, its colour, and how it is written."""
    match entry:
        case [str() | int() as text, _, str() as way, *_] if way in _WRITTEN:
            return str(text)
        case [str() as text, _, str() as way, *_] if way == _WITH_ARROW:
            number, _, arrow = text.partition("_")
            return number + _ARROWS.get(arrow, "") if number != "?" else number
    raise BadInput(f"the drawing of penpa-edit has the text {shown(entry, 30)}, which is not a clue")


def _pearl(entry: Any) -> str:
    """The clue of a symbol: its style, its name, and whether lines run above it."""
    match entry:
        case [int() as style, str() as name, *_] if (name, style) in _PEARLS:
            return _PEARLS[name, style]
    raise BadInput(f"the drawing of penpa-edit has the symbol {shown(entry, 30)}, which is not a pearl")


_READ = {"zN": _number, "zY": _pearl}
"""What is read as clues, by its abbreviation."""
