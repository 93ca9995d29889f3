"""Reading and writing of tour files for all commands, in every format.

A format is recognised from the contents themselves (:attr:`~ktsolve.formats.table.Format.opening`). Reading
checks nothing: cells visited twice and impossible moves are read as written, and :attr:`Tour.violation`
names them.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ktsolve.base.errors import BadInput, NotATour
from ktsolve.base.limits import Settings
from ktsolve.formats.files import as_text, check_length
from ktsolve.formats.table import JSON_HEAD, Format, format_named, listed
from ktsolve.formats.tours.common import board_comment, json_object
from ktsolve.formats.tours.json import rows_of_list, value_of
from ktsolve.formats.tours.recognition import (
    BLANKS,
    NON_CROSSING,
    TOUR_FORMATS,
    SplitTour,
    format_of_head,
    format_of_text,
    split_tours,
    stated_walk,
)
from ktsolve.formats.tours.rows import begins_at_zero, rows_of_text
from ktsolve.graphs.board import Board, needs_board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.notation import LISTED_SIDE
from ktsolve.graphs.tour import Tour
from ktsolve.problem.longest import LongestProblem

_GRID, _JSON, _MOVES, _NPY = (format_named(name, TOUR_FORMATS) for name in ("grid", "json", "moves", "npy"))

CHOOSE_ONE = "choose one, as ktsolve convert FILE --tour 1 does"  # the end of a refusal of several tours

NPY_OPENING = b"\x93NUMPY"  # the first bytes of an array on disk, which is mapped into memory and not read

_BETWEEN = {_GRID: re.compile(rb"\n[ \t\r]*\n"), _MOVES: re.compile(rb"\nmoves ")}
"""The end of the first of several tours; large tours are read as arrays, and each from a file of its own."""

_LINE = re.compile(r"(?<!['\"])\bline (\d+)")  # a line in a message, but not in a text that it quotes

_LARGE_TEXT = 8 << 20
"""Bytes of a text from which no object is made for each of its cells, where its format allows that."""

_LARGEST_TEXT = 32 << 20  # bytes of a text in a format that is read with an object for each cell
_LARGE = 10**6  # cells of an array from which no object is made for each
Change = Callable[[Board], Board]  # a function that gives a board another leaper, wrap or holes


def read_tour(
    text: str, board: Graph | None = None, closed: bool | None = None, change: Change | None = None
) -> Tour:
    r"""Read a tour in any format of text.

    - ``board``: its board. By default the one that the text states; for a grid the grid's own cells; for a
      list of cells the smallest rectangle from the corner a1 (or from row 0, column 0) that holds them
    - ``closed``: whether it is meant to be closed; by default what the text states, else whether the ends are
      a move apart
    - ``change``: where no board is given: changes the one that the text states or shows

    Raises NotATour if a grid has a step twice, misses one, or has rows of unequal length; BadInput if the
    text is not a tour in any format, or does not fit the board.

    >>> tour = read_tour("1 4 7 10\n8 11 2 5\n3 6 9 12")
    >>> tour.board, tour.closed, tour.valid
    (Board.parse('3x4'), False, True)
    >>> read_tour(tour.names(), tour.board) == tour
    True
    """
    stripped = text.strip(BLANKS)
    if not stripped:
        raise BadInput("there is no tour in the input: it is empty")
    form = format_of_text(stripped, board)
    if form is _NPY:
        raise BadInput(
            "the text begins as an array file of NumPy, which is not text: give the file, or its bytes"
        )
    # Lines are counted from the beginning of the text.
    body = stripped if form is _MOVES else text.lstrip("\ufeff").rstrip("\ufeff \r\n")
    read = form.function("read")
    tour: Tour = read(body, board, closed)
    if board is None and change is not None:
        tour = read(body, change(needs_board(tour.ground, "another piece or wrap")), closed)
    return tour


def read_walk(
    text: str, board: Graph | None = None, closed: bool | None = None, change: Change | None = None
) -> tuple[Tour, LongestProblem] | None:
    """The walk that ``ktsolve longest`` or ``ktsolve non-crossing`` wrote, valid or not, and its problem.

    Parameters are as for ``read_tour``. None if the text is something else.

    >>> text = '{"walk": "non-crossing", "board": "3x3", "closed": false, "squares": [[0, 0], [1, 2]]}'
    >>> read_walk(text)[0].names(), str(read_walk(text)[1]), read_walk("a1 b3") is None
    ('a3 c2', 'non-crossing path on 3x3', True)
    """
    kind = stated_walk(text)
    if not kind:
        return None
    walk = read_tour(text, board, closed, change)
    if kind == NON_CROSSING:
        return walk, LongestProblem(walk.board, walk.closed, non_crossing=True)
    data = json_object(text)
    ends = (data.get(end) for end in ("start", "end"))
    start, end = (walk.ground.cell(name) if isinstance(name, str) else None for name in ends)
    return walk, LongestProblem(walk.ground, walk.closed, start, end, data.get("induced") is True)


def counts_from_zero(text: str, tour: Tour) -> bool:
    r"""Whether the first step of the tour that was read from a text has the number 0 in it.

    >>> text = "0 3 6 9\n7 10 1 4\n2 5 8 11"
    >>> counts_from_zero(text, read_tour(text)), counts_from_zero("1 6 3\n4 0 8\n7 2 5", read_tour("a1"))
    (True, False)
    """
    stripped = text.strip(BLANKS)
    form = format_of_text(stripped)
    if form is _JSON:
        rows = rows_of_list(value_of(stripped))
        return rows is not None and begins_at_zero(rows, tour)
    return form is _GRID and begins_at_zero(rows_of_text(stripped), tour)


@dataclass(frozen=True)
class ReadPart:
    """One tour of a text, as it was read."""

    tour: Tour | None  # the tour, which need not be valid; None if it could not be read
    error: BadInput | None  # why it could not be read, with the line
    line: int  # its first line, from 1
    text: str  # its text

    def require(self, name: str = "") -> Tour:
        """The tour, if it is valid. Raises BadInput if it is not, with its name if it is one of several."""
        if self.error is not None:
            fault = str(self.error)
            inside = fault if fault.startswith("line ") else f"in line {self.line}: {fault}"
            raise type(self.error)(f"{name}, {inside}" if name else fault)
        assert self.tour is not None
        if self.tour.violation is not None:
            where = f"{name}, in line {self.line}, is not a tour" if name else "not a tour"
            raise BadInput(f"{where}: {self.tour.violation}")
        return self.tour


def read_parts(
    text: str, board: Graph | None = None, closed: bool | None = None, change: Change | None = None
) -> list[ReadPart]:
    """Read one tour or several (see ``split_tours``), valid or not. Parameters as for ``read_tour``.

    The text is one tour if it is a valid one, or if no part of it is.
    """
    whole = _read_part(SplitTour(1, "", text), board, closed, change)
    if whole.tour is not None and whole.tour.violation is None:
        return [whole]
    parts = split_tours(text, board)
    if len(parts) < 2:
        return [whole]
    read = [_read_part(part, board, closed, change) for part in parts]
    one = whole.tour is not None and len(whole.tour) <= len(whole.tour.ground)
    if one and all(part.tour is None or part.tour.violation is not None for part in read):
        return [whole]
    return read


def _read_part(part: SplitTour, board: Graph | None, closed: bool | None, change: Change | None) -> ReadPart:
    try:
        return ReadPart(read_tour(part.text, board, closed, change), None, part.line, part.text)
    except BadInput as error:
        comments = itertools.takewhile(lambda line: line.startswith("# "), part.text.split("\n"))
        above = part.line - 1 - len(list(comments))
        # Lines of the part become lines of the whole text.
        said = (
            _LINE.sub(lambda match: f"line {int(match[1]) + above}", str(error)) if above > 0 else str(error)
        )
        return ReadPart(None, type(error)(said), part.line, part.text)


def read_tours(
    text: str, board: Graph | None = None, closed: bool | None = None, change: Change | None = None
) -> list[Tour]:
    r"""Read one tour or several (see ``split_tours``), all of which have to be valid.

    Parameters as for ``read_tour``. Raises BadInput if one is not a tour, with its first violation.

    >>> [tour.names() for tour in read_tours("1 6 3\n4 . 8\n7 2 5\n\n3 6 1\n8 . 4\n5 2 7\n")]
    ['a3 b1 c3 a2 c1 b3 a1 c2', 'c3 b1 a3 c2 a1 b3 c1 a2']
    """
    parts = read_parts(text, board, closed, change)
    return [part.require(f"tour {number}" if len(parts) > 1 else "") for number, part in enumerate(parts, 1)]


def load(data: bytes, path: str = "", most: int = _LARGE, settings: Settings | None = None) -> str | Tour:
    """The text of a file; or the tour in it as an array, where objects for all cells would take too much.

    - ``data``: the contents; of an array in a file with a name its beginning is enough
    - ``path``: its name where it has one, so that an array stays on disk
    - ``most``: cells up to which an array is given as the text of its grid; with holes it is up to a million
    - ``settings``: whose memory limit holds, if there is one

    Raises NotATour if a large tour has a row of another length, or a move string is wrong; BadInput if the
    contents are neither text nor an array, or too large for their format; OutOfMemory if making objects of
    them takes more memory than there may be.
    """
    form = format_of_head(data)
    if not form.can("read"):
        return _moderate(form.function("read_array")(path or data), most)
    # A line of this length, or this number of lines, exceeds every board of objects.
    long = len(data.partition(b"\n")[0]) > 2 * LISTED_SIDE or data.count(b"\n") > LISTED_SIDE
    large = form.can("read_array") and (long or len(data) > (_LARGE_TEXT if form is _GRID else _LARGE))
    several = large and form in _BETWEEN and _BETWEEN[form].search(data.strip()) is not None
    if large and not several:
        try:
            tour: Tour = form.function("read_array")(data)
            return tour
        except NotATour:
            raise
        except BadInput:
            if len(data) > _LARGEST_TEXT or form is not _GRID:
                raise
    if several and len(data) > _LARGEST_TEXT:
        raise BadInput(f"several tours as {form.name} are read up to 32 MiB: give them in several files")
    if len(data) > _LARGEST_TEXT:
        able = listed(each for each in TOUR_FORMATS if each.can("read_array"))
        raise BadInput(f"a tour as {form.name} is read up to 32 MiB: write it as {able}")
    if settings is not None:
        check_length(len(data), form.expansion, f"the tour as {form.name}", settings)
    return as_text(data, f"this is not text: a tour is {listed(TOUR_FORMATS)}")


def _moderate(tour: Tour, most: int) -> str | Tour:
    steps = tour.steps
    if steps.size > _LARGE or max(steps.shape) > LISTED_SIDE or (steps.size > most and int(steps.min()) > 0):
        return tour
    # A single 0 can be the first step, -1 is a hole.
    return "\n".join(" ".join(map(str, row)) for row in steps.tolist())


_MOST_OBJECTS = 4_000_000  # cells of a tour that is written with an object for each


def tour_chunks(tour: Tour, form: Format, *, non_crossing: bool = False) -> Iterable[bytes]:
    """One tour in a format; an array in pieces of some megabytes where the format allows that.

    Raises BadInput if the tour is too large for the format, or the format cannot hold it.
    """
    if not tour.is_array or non_crossing:
        return [tour_file([tour], form, non_crossing=non_crossing)]
    if form.can("write_array"):
        chunks: Iterable[bytes] = form.function("write_array")(tour)
        return chunks
    if len(tour) > _MOST_OBJECTS:
        able = listed(each for each in TOUR_FORMATS if each.can("write_array"))
        raise BadInput(
            f"{form.name} is written of at most {_MOST_OBJECTS:,} cells, not {tour.board}: use {able}"
        )
    return [tour_file([tour], form)]


def tour_file(tours: Sequence[Tour], form: Format, *, non_crossing: bool = False) -> bytes:
    """One tour or several in a format, or non-crossing walks. Linear in their cells.

    Raises BadInput for several tours in a format that holds one, or a tour that the format cannot hold.

    >>> from ktsolve import Board
    >>> tour = Tour.from_names(Board(3, 4), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> tour_file([tour, tour.reversed()], format_named("cells", TOUR_FORMATS)).decode().splitlines()[1]
    'd1 b2 d3 c1 a2 c3 b1 d2 b3 a1 c2 a3'
    """
    if len(tours) != 1 and not form.several:
        able = listed(each for each in TOUR_FORMATS if each.several)
        raise BadInput(
            f"a file of {form.name} holds one tour, and there are {len(tours)}: use {able}, or {CHOOSE_ONE}"
        )
    written: str | bytes
    if len(tours) != 1 and form.can("write_several"):
        written = form.function("write_several")(tours)
    elif form.binary and not non_crossing:
        written = form.function("write")(tours[0])
    else:
        writer = TourWriter(form, non_crossing=non_crossing)
        written = (form.separator or "").join(map(writer.text, tours))
    return written.encode() if isinstance(written, str) else written


class TourWriter:
    """Writes tours in a format of text, one after the other.

    A comment states what a grid or a list of cells does not show. That of a list holds for the lists in the
    lines below it.

    - ``non_crossing``: whether these are non-crossing walks, which leave cells out
    """

    def __init__(self, form: Format, *, non_crossing: bool = False) -> None:
        self._form, self._non_crossing, self._stated = form, non_crossing, ""

    def text(self, tour: Tour) -> str:
        """The text of the next tour, with a final newline. Raises BadInput if the format cannot hold it."""
        form = self._form
        if self._non_crossing and not (form.bare or form is _GRID):
            raise BadInput(f"{form.name} holds tours of all cells, and a non-crossing walk leaves some out")
        text: str = form.function("write")(tour)
        if self._non_crossing:
            return _as_non_crossing(text, tour, form)
        if not form.can("comment"):
            return text
        comment = form.function("comment")(tour)
        if form.separator == "" and self._stated:
            comment = board_comment(tour.board, tour.closed)
            if comment == self._stated:
                return text
        if comment:
            self._stated = comment
        return f"# {comment}\n{text}" if comment else text


def _as_non_crossing(text: str, tour: Tour, form: Format) -> str:
    """A text with a comment that states that this is a non-crossing walk."""
    if form is _JSON:
        data = json.loads(text)
        return json.dumps({**JSON_HEAD, "walk": NON_CROSSING, **data, **JSON_HEAD}) + "\n"
    comment = board_comment(tour.board, tour.closed)
    marked = f'{comment[:-1]}, "walk": "{NON_CROSSING}"}}'
    return text.replace(comment, marked, 1) if comment in text else f"# {marked}\n{text}"
