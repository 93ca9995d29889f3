"""The format of a tour by its contents, not by the name of the file; a text with several tours in parts."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from ktsolve.base.errors import BadInput
from ktsolve.formats.table import GRAPH_TOUR_FORMATS, Format, format_named, formats_of
from ktsolve.formats.tours.common import COMMENT, is_read, json_object, parse_json
from ktsolve.formats.tours.json import value_of
from ktsolve.formats.tours.rows import is_blank, is_comment, is_row, looks_like_rows
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph

TOUR_FORMATS = formats_of("tour")

_GRID, _CELLS, _EDGES, _JSON, _CSV, _TSPLIB = (
    format_named(name, TOUR_FORMATS) for name in ("grid", "cells", "edges", "json", "csv", "tsplib")
)

BLANKS = "\ufeff \t\r\n"  # text that may precede or follow a tour
NON_CROSSING, LONGEST = "non-crossing", "longest"  # the kinds of walks that files state
_HEAD = 1 << 16  # bytes of a file that show its format


def format_of_text(text: str, board: Graph | None = None) -> Format:
    """The format of a text, or of its beginning: a grid or a list of cells if nothing else."""
    if board is None or isinstance(board, Board):
        found = next((each for each in TOUR_FORMATS if each.opens(text)), None)
        return found or (_GRID if looks_like_rows(text[:_HEAD]) else _CELLS)
    found = next((each for each in GRAPH_TOUR_FORMATS if each is not _CELLS and each.opens(text)), None)
    if found is _JSON and not is_read(lambda: parse_json(text, "")):
        found = None  # the name of a vertex begins with a bracket
    return found or (_EDGES if _is_edges(text, board) else _CELLS)


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


def stated_walk(text: str) -> str:
    """The kind of walk that a text states, by JSON or in a comment; empty for a tour.

    >>> stated_walk('{"walk": "non-crossing", "squares": []}'), stated_walk("1 4 7")
    ('non-crossing', '')
    """
    if (stated := json_object(text).get("walk")) in (NON_CROSSING, LONGEST):
        return str(stated)
    found = re.search(rf'\b{COMMENT} \{{.*"walk": "{NON_CROSSING}"', text[:_HEAD])
    return "" if found is None else NON_CROSSING


_EDGE = re.compile(r"\s*[a-z]+\d+ [a-z]+\d+\s*", re.IGNORECASE)


@dataclass(frozen=True)
class SplitTour:
    """One tour of several."""

    line: int  # its first line in the whole text, from 1
    title: str  # the comment lines right before it, without their ``#``
    text: str  # the tour, to be read by ``read_tour``


def split_tours(text: str, board: Graph | None = None) -> list[SplitTour]:
    r"""The tours of a text, none of them read yet. Linear.

    A line that holds no grid row (a list of cells, an object of JSON) is a tour by itself, except where the
    whole text is one object of JSON; ``"tours"`` in one are as many tours. A header of CSV begins a tour that
    ends with its lines of values, one of TSPLIB a tour that ends at ``EOF``; a list of edges with its comment
    goes on as long as lines are edges. On a bare graph every other line is a tour.

    >>> [(part.line, part.title) for part in split_tours("# small\n1 4 7 10\n8 11 2 5\n3 6 9 12\n\na1 b3")]
    [(2, 'small'), (6, '')]
    """
    stripped = text.strip(BLANKS)
    bare = board is not None and not isinstance(board, Board)
    if _JSON.opens(stripped):
        if (several := _split_json(stripped)) is not None:
            return several
        # Neither a line of JSON nor a list of vertices, the first of which may be named "{".
        if _split_json(stripped.partition("\n")[0]) is None and not bare:
            return [SplitTour(1, "", text)]
    parts: list[SplitTour] = []
    title: list[str] = []
    rows: list[str] = []
    in_force: list[str] = []  # the comment above lists of cells
    first = 0

    def finish() -> None:
        if not rows:
            return
        marks = [said for said in title if said.startswith(f"{COMMENT} {{")]  # they state the board
        if marks or len(rows) > 1 or is_row(rows[0]):
            in_force[:] = marks
        said = " ".join(said for said in title if said not in marks)
        parts.append(SplitTour(first, said, "\n".join([*(f"# {mark}" for mark in in_force), *rows])))
        title.clear()
        rows.clear()

    lines = text.lstrip("\ufeff").splitlines()
    whole = 0  # lines up to here belong to a part already
    for number, line in enumerate(lines, 1):
        if number <= whole:
            continue
        if (csv := _CSV.opens(line)) or _TSPLIB.opens(line):
            finish()
            whole = (_end_of_csv if csv else _end_of_tsplib)(lines, number)
            marks = [said for said in title if said.startswith(f"{COMMENT} {{")]  # they state the board
            said = " ".join(said for said in title if said not in marks)
            text_of = [*(f"# {mark}" for mark in marks), *lines[number - 1 : whole]]
            parts.append(SplitTour(number, said, "\n".join(text_of)))
            title.clear()
        elif _EDGES.opens("\n".join(lines[number - 1 : number + 1])):
            finish()
            others = (i for i in range(number, len(lines)) if not _EDGE.fullmatch(lines[i]))
            whole = next(others, len(lines))
            parts.append(SplitTour(number, " ".join(title), "\n".join(lines[number - 1 : whole])))
            title.clear()
        elif is_blank(line) or is_comment(line):
            finish()
            if not is_blank(line):
                title.append(line[1:].strip())
        else:
            first = first if rows else number
            rows.append(line)
            # A line that is not a row is a tour by itself; after a row it is a damaged one.
            if len(rows) == 1 and (bare or not looks_like_rows(line)):
                finish()
    finish()
    return parts


def _end_of_csv(lines: list[str], after: int) -> int:
    """The number of the last line of the CSV whose header is line ``after``."""
    for number in range(after, len(lines)):
        line = lines[number]
        if not any(mark in line for mark in ",;\t") or line.startswith("#") or _CSV.opens(line):
            return number
    return len(lines)


def _end_of_tsplib(lines: list[str], after: int) -> int:
    """The number of the last line of the TSPLIB file that begins in line ``after``: its ``EOF``.

    Without one it ends where the next begins, or at a blank line after its -1.
    """
    ended = False
    for number in range(after, len(lines)):
        word = lines[number].strip()
        if word == "EOF":
            return number + 1
        if ended and (not word or _TSPLIB.opens(word)):
            return number
        ended = ended or word == "-1"
    return len(lines)


def _split_json(text: str) -> list[SplitTour] | None:
    """The parts of one object or list; None if the text is not one."""
    try:
        data = value_of(text)
    except BadInput:
        return None
    if isinstance(data, dict) and isinstance(data.get("tours"), list):
        common = {key: data[key] for key in ("board", "closed") if key in data}
        return [
            SplitTour(1, "", json.dumps(tour if isinstance(tour, dict) else {**common, "squares": tour}))
            for tour in data["tours"]
        ]
    if isinstance(data, list) and data and all(isinstance(each, dict) or _is_nested(each) for each in data):
        return [SplitTour(1, "", json.dumps(each)) for each in data]
    return [SplitTour(1, "", text)]


def _is_nested(data: object) -> bool:
    """Whether this is a list of lists: one of several tours in a list."""
    return isinstance(data, list) and bool(data) and all(isinstance(each, list) for each in data)
