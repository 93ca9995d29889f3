"""Recognition of the format of a tour by its contents, whatever the name of the file."""

from __future__ import annotations

import re

from ktsolve.base.errors import BadInput
from ktsolve.formats.table import GRAPH_TOUR_FORMATS, Format, format_named, formats_of
from ktsolve.formats.tours.common import COMMENT, json_object, parse_json
from ktsolve.formats.tours.rows import looks_like_rows
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph

__all__ = [
    "BLANKS",
    "NON_CROSSING",
    "TOUR_FORMATS",
    "format_of_head",
    "format_of_text",
    "states_non_crossing",
]

TOUR_FORMATS = formats_of("tour")

_GRID, _CELLS, _EDGES, _JSON = (
    format_named(name, TOUR_FORMATS) for name in ("grid", "cells", "edges", "json")
)

BLANKS = "\ufeff \t\r\n"
"""Text that may precede or follow a tour."""

NON_CROSSING = "non-crossing"
"""The kind of walk that a file states of a non-crossing one."""

_HEAD = 1 << 16
"""Bytes of a file that show its format."""


def format_of_text(text: str, board: Graph | None = None) -> Format:
    """The format of a text, or of its beginning: a grid or a list of cells if nothing else."""
    if board is None or isinstance(board, Board):
        found = next((each for each in TOUR_FORMATS if each.opens(text)), None)
        return found or (_GRID if looks_like_rows(text[:_HEAD]) else _CELLS)
    found = next((each for each in GRAPH_TOUR_FORMATS if each is not _CELLS and each.opens(text)), None)
    if found is _JSON and not _is_json(text):
        found = None  # the name of a vertex begins with a bracket
    return found or (_EDGES if _is_edges(text, board) else _CELLS)


def _is_json(text: str) -> bool:
    try:
        parse_json(text, "")
    except BadInput:
        return False
    return True


def _is_edges(text: str, graph: Graph) -> bool:
    """Whether each of several lines has two names: of more than two vertices, all in one line is a tour."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return len(lines) > 1 and all(len(graph.split_list(line.replace("->", " "))) == 2 for line in lines)


def format_of_head(head: bytes) -> Format:
    """The format of a file that begins with these bytes: a grid if nothing else.

    >>> format_of_head(b"moves 3x4 open 0,0 25").name, format_of_head(b"1 2").name
    ('moves', 'grid')
    """
    return format_of_text(head[:_HEAD].removeprefix(b"\xef\xbb\xbf").decode("latin-1").lstrip())


def states_non_crossing(text: str) -> bool:
    """Whether a text states that it is a non-crossing walk, and no tour: by JSON, or in a comment.

    >>> states_non_crossing('{"walk": "non-crossing", "squares": []}'), states_non_crossing("1 4 7")
    (True, False)
    """
    if json_object(text).get("walk") == NON_CROSSING:
        return True
    return re.search(rf'\b{COMMENT} \{{.*"walk": "{NON_CROSSING}"', text[:_HEAD]) is not None
