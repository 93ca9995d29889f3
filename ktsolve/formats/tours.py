"""Tours in files: the one door by which all commands read and write them, whatever the format.

A format is recognised from the contents themselves (:attr:`~ktsolve.formats.table.Format.opening`). Reading
checks nothing: cells visited twice or moves that are none are read as they stand, and :attr:`Tour.fault`
names them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ktsolve.errors import BadInput, NotATour
from ktsolve.formats.common import COMMENT, parse_json
from ktsolve.formats.files import as_text, check_length
from ktsolve.formats.table import GRAPH_TOUR_FORMATS, Format, format_named, formats_of, listed
from ktsolve.ground.arrays import ArrayTour
from ktsolve.ground.board import Board
from ktsolve.ground.graph import Graph
from ktsolve.ground.notation import LARGEST_SIDE
from ktsolve.ground.tour import Tour
from ktsolve.settings import Settings

__all__ = [
    "NPY_OPENING",
    "TOUR_FORMATS",
    "Part",
    "format_of_head",
    "load",
    "read_tour",
    "read_tours",
    "split_tours",
    "tour_chunks",
    "tour_file",
]

TOUR_FORMATS = formats_of("tour")

_CSV, _TSPLIB, _GRID, _CELLS, _EDGES, _JSON = (
    format_named(name, TOUR_FORMATS) for name in ("csv", "tsplib", "grid", "cells", "edges", "json")
)

NPY_OPENING = b"\x93NUMPY"
"""The first bytes of an array on disk, which is mapped into memory and not read."""

_HEAD = 1 << 16
"""Bytes of a file that show its format."""

_LARGE_TEXT = 8 << 20
"""Bytes of a text from which no object is made for each of its cells, where its format allows that."""

_LARGEST_TEXT = 32 << 20
"""Bytes of a text in a format that is read with an object for each cell."""

_LARGE = 10**6
"""Cells of an array from which no object is made for each."""

_MOST_OBJECTS = 4_000_000
"""Cells of a tour that is written with an object for each."""

_BLANKS = "\ufeff \t\r\n"

_EDGE = re.compile(r"\s*[a-z]+\d+ [a-z]+\d+\s*", re.IGNORECASE)

_GRID_LINE = re.compile(r"[|\s]*(?:\d+|[.-])(?:[|\s]+(?:\d+|[.-]))*[|\s]*")


def _format_of(text: str, board: Graph | None = None) -> Format:
    """The format of a text, or of its beginning: a grid, or on a bare graph names, if nothing else."""
    if board is None or isinstance(board, Board):
        return next((each for each in TOUR_FORMATS if each.opens(text)), _GRID)
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


def read_tour(text: str, board: Graph | None = None, closed: bool | None = None) -> Tour:
    r"""Read a tour in any format of text.

    Parameters
    ----------
    text:
        The tour.
    board:
        Its board. By default the one that the text states; for a grid the grid's own cells; for a list of
        cells the smallest rectangle from the corner a1 (or from row 0, column 0) that holds them.
    closed:
        Whether it is meant to be closed; by default what the text states, else whether the ends are a move
        apart.

    Raises
    ------
    NotATour
        If a grid has a step twice, misses one, or has rows of unequal length.
    BadInput
        If the text is no tour in any format, or does not fit the board.

    Examples
    --------
    >>> tour = read_tour("1 4 7 10\n8 11 2 5\n3 6 9 12")
    >>> tour.board, tour.closed, tour.valid
    (Board.parse('3x4'), False, True)
    >>> read_tour(tour.names(), tour.board) == tour
    True
    """
    stripped = text.strip(_BLANKS)
    if not stripped:
        raise BadInput("there is no tour in the input: it is empty")
    tour: Tour = _format_of(stripped, board).function("read")(stripped, board, closed)
    return tour


def read_tours(text: str, board: Graph | None = None, closed: bool | None = None) -> list[Tour]:
    r"""Read one tour or several (see :func:`split_tours`), all of which have to be valid.

    Raises
    ------
    BadInput
        If one is no tour, with its first violation.

    Examples
    --------
    >>> [tour.names() for tour in read_tours("1 6 3\n4 . 8\n7 2 5\n\n3 6 1\n8 . 4\n5 2 7\n")]
    ['a3 b1 c3 a2 c1 b3 a1 c2', 'c3 b1 a3 c2 a1 b3 c1 a2']
    """
    try:
        tour = read_tour(text, board, closed)
        if tour.fault is None:
            return [tour]
        error = BadInput(f"not a tour: {tour.fault}")
    except BadInput as refused:
        error = refused
    parts = split_tours(text, board)
    if len(parts) < 2:
        raise error
    tours = []
    for number, part in enumerate(parts, 1):
        try:
            tours.append(read_tour(part.text, board, closed))
        except BadInput as refused:
            raise BadInput(f"tour {number}, in line {part.line}: {refused}") from None
        if tours[-1].fault is not None:
            raise BadInput(f"tour {number}, in line {part.line}, is no tour: {tours[-1].fault}")
    return tours


def format_of_head(head: bytes) -> Format:
    """The format of a file that begins with these bytes: a grid if nothing else.

    >>> format_of_head(b"moves 3x4 open 0,0 25").name, format_of_head(b"1 2").name
    ('moves', 'grid')
    """
    return _format_of(head[:_HEAD].removeprefix(b"\xef\xbb\xbf").decode("latin-1").lstrip())


def load(
    data: bytes, path: str = "", most: int = _LARGE, settings: Settings | None = None
) -> str | ArrayTour:
    """The text of a file; or the tour in it as an array, where objects for all cells would take too much.

    Parameters
    ----------
    data:
        The contents; of an array in a file with a name its beginning is enough.
    path:
        Its name where it has one, so that an array stays on disk.
    most:
        Cells up to which an array is given as the text of its grid; with holes it is up to a million.
    settings:
        Whose memory limit holds, if there is one.

    Raises
    ------
    NotATour
        If a large tour has a row of another length, or a move string is none.
    BadInput
        If the contents are neither text nor an array, or too large for their format.
    OutOfMemory
        If making objects of them takes more memory than there may be.
    """
    form = format_of_head(data)
    if not form.can("read"):
        return _moderate(form.function("read_array")(path or data), most)
    # No board of objects has so long a line, or so many.
    long = len(data.partition(b"\n")[0]) > 2 * LARGEST_SIDE or data.count(b"\n") > LARGEST_SIDE
    if form.can("read_array") and (long or len(data) > (_LARGE_TEXT if form is _GRID else _LARGE)):
        try:
            tour: ArrayTour = form.function("read_array")(data)
            return tour
        except NotATour:
            raise
        except BadInput:
            if len(data) > _LARGEST_TEXT or form is not _GRID:
                raise
    if len(data) > _LARGEST_TEXT:
        able = listed(each for each in TOUR_FORMATS if each.can("read_array"))
        raise BadInput(f"a tour as {form.name} is read up to 32 MiB: write it as {able}")
    if settings is not None:
        check_length(len(data), form.expansion, f"the tour as {form.name}", settings)
    return as_text(data, f"this is not text: a tour is {listed(TOUR_FORMATS)}")


def _moderate(tour: ArrayTour, most: int) -> str | ArrayTour:
    steps = tour.steps
    if steps.size > _LARGE or max(steps.shape) > LARGEST_SIDE or (steps.size > most and int(steps.min()) > 0):
        return tour
    return b"".join(_GRID.function("write_array")(tour)).decode("ascii")


def tour_chunks(tour: Tour | ArrayTour, form: Format) -> Iterable[bytes]:
    """One tour in a format; a large one in pieces of some megabytes where the format allows that.

    Raises
    ------
    BadInput
        If the tour is too large for the format, or the format cannot hold it.
    """
    if isinstance(tour, Tour):
        return [tour_file([tour], form)]
    if form.can("write_array"):
        chunks: Iterable[bytes] = form.function("write_array")(tour)
        return chunks
    if tour.board.cells > _MOST_OBJECTS:
        able = listed(each for each in TOUR_FORMATS if each.can("write_array"))
        raise BadInput(
            f"{form.name} is written of at most {_MOST_OBJECTS:,} cells, not {tour.board}: use {able}"
        )
    return [tour_file([tour.tour()], form)]


def tour_file(tours: Sequence[Tour], form: Format) -> bytes:
    r"""One tour or several in a format. Linear in their cells.

    Raises
    ------
    BadInput
        For several tours in a format that holds one, or a tour that the format cannot hold.

    Examples
    --------
    >>> tour = read_tour("1 6 3\n4 . 8\n7 2 5")
    >>> names = ("grid", "json", "csv", "tsplib")
    >>> files = [tour_file([tour], format_named(name, TOUR_FORMATS)).decode() for name in names]
    >>> all(read_tour(file) == tour for file in files)
    True
    """
    if len(tours) != 1 and not form.several:
        able = listed(each for each in TOUR_FORMATS if each.several)
        raise BadInput(f"a file of {form.name} holds one tour, and there are {len(tours)}: use {able}")
    written: str | bytes
    if len(tours) != 1 and form.can("write_several"):
        written = form.function("write_several")(tours)
    elif form.binary:
        written = form.function("write")(tours[0])
    else:
        write = Tour.svg if form.holds == "picture" else form.function("write")
        written = (form.separator or "").join(write(tour) for tour in tours)
    return written.encode() if isinstance(written, str) else written


@dataclass(frozen=True)
class Part:
    """One tour of several.

    Attributes
    ----------
    line:
        Its first line in the whole text, from 1.
    title:
        The comment lines right before it, without their ``#``.
    text:
        The tour, to be read by :func:`read_tour`.
    """

    line: int
    title: str
    text: str


def split_tours(text: str, board: Graph | None = None) -> list[Part]:
    r"""The tours of a text, none of them read yet. Linear.

    A line that holds no grid row (a list of cells, an object of JSON) is a tour by itself, except where the
    whole text is one object of JSON; ``"tours"`` in one are as many tours. A header of CSV begins a tour that
    ends with its lines of values, one of TSPLIB a tour that ends at ``EOF``; a list of edges with its comment
    goes on as long as lines are edges. On a bare graph every other line is a tour.

    >>> [(part.line, part.title) for part in split_tours("# small\n1 4 7 10\n8 11 2 5\n3 6 9 12\n\na1 b3")]
    [(2, 'small'), (6, '')]
    """
    stripped = text.strip(_BLANKS)
    if stripped[:1] in ("{", "[") and (several := _split_json(stripped)) is not None:
        return several
    bare = board is not None and not isinstance(board, Board)
    parts: list[Part] = []
    title: list[str] = []
    rows: list[str] = []
    first = 0

    def finish() -> None:
        if rows:
            parts.append(Part(first, " ".join(title), "\n".join(rows)))
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
            parts.append(Part(number, said, "\n".join(text_of)))
            title.clear()
        elif _EDGES.opens("\n".join(lines[number - 1 : number + 1])):
            finish()
            others = (i for i in range(number, len(lines)) if not _EDGE.fullmatch(lines[i]))
            whole = next(others, len(lines))
            parts.append(Part(number, " ".join(title), "\n".join(lines[number - 1 : whole])))
            title.clear()
        elif line.startswith("# ") or line.strip() in ("", "#"):
            finish()
            if line.strip():
                title.append(line[1:].strip())
        else:
            first = first if rows else number
            rows.append(line)
            # A line that is no row is a tour by itself; after a row it is a damaged one.
            if len(rows) == 1 and (bare or not _GRID_LINE.fullmatch(line)):
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


def _split_json(text: str) -> list[Part] | None:
    """The parts of one object or list; None if the text is not one."""
    try:
        data = parse_json(text, "")
    except BadInput:
        return None
    if isinstance(data, dict) and isinstance(data.get("tours"), list):
        common = {key: data[key] for key in ("board", "closed") if key in data}
        return [
            Part(1, "", json.dumps(tour if isinstance(tour, dict) else {**common, "squares": tour}))
            for tour in data["tours"]
        ]
    return [Part(1, "", text)]
