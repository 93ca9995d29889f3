"""Reading and writing of tour files for all commands, in every format.

A format is recognised from the contents themselves (:attr:`~ktsolve.formats.table.Format.opening`). Reading
checks nothing: cells visited twice and impossible moves are read as written, and :attr:`Tour.violation`
names them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

from ktsolve.base.errors import BadInput, NotATour
from ktsolve.base.limits import Settings
from ktsolve.formats.files import as_text, check_length
from ktsolve.formats.table import format_named, listed
from ktsolve.formats.tours.json import rows_of_list, value_of
from ktsolve.formats.tours.recognition import (
    BLANKS,
    TOUR_FORMATS,
    format_of_head,
    format_of_text,
    states_non_crossing,
)
from ktsolve.formats.tours.rows import begins_at_zero, rows_of_text
from ktsolve.formats.tours.splitting import SplitTour, split_tours
from ktsolve.formats.tours.writer import TourWriter, tour_chunks, tour_file
from ktsolve.graphs.board import Board, needs_board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.notation import LISTED_SIDE
from ktsolve.graphs.tour import Tour

__all__ = [
    "NPY_OPENING",
    "TOUR_FORMATS",
    "Change",
    "ReadPart",
    "SplitTour",
    "TourWriter",
    "counts_from_zero",
    "format_of_head",
    "load",
    "read_parts",
    "read_tour",
    "read_tours",
    "split_tours",
    "states_non_crossing",
    "tour_chunks",
    "tour_file",
]

_GRID, _JSON, _MOVES, _NPY = (format_named(name, TOUR_FORMATS) for name in ("grid", "json", "moves", "npy"))

NPY_OPENING = b"\x93NUMPY"
"""The first bytes of an array on disk, which is mapped into memory and not read."""

_LARGE_TEXT = 8 << 20
"""Bytes of a text from which no object is made for each of its cells, where its format allows that."""

_LARGEST_TEXT = 32 << 20
"""Bytes of a text in a format that is read with an object for each cell."""

_LARGE = 10**6
"""Cells of an array from which no object is made for each."""

Change = Callable[[Board], Board]
"""A function that gives a board another leaper, wrap or holes."""


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
            "the text begins as an array file of NumPy, which is no text: give the file, or its bytes"
        )
    # Lines are counted from the beginning of the text.
    body = stripped if form is _MOVES else text.lstrip("\ufeff").rstrip("\ufeff \r\n")
    tour: Tour = form.function("read")(body, board, closed)
    if board is None and change is not None:
        tour = form.function("read")(body, change(needs_board(tour.ground, "another piece or wrap")), closed)
    return tour


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
        """The tour, if it is valid.

        Raises BadInput if it is not, with its name if it is one of several.
        """
        if self.error is not None:
            fault = str(self.error)
            inside = fault if fault.startswith("line ") else f"in line {self.line}: {fault}"
            raise type(self.error)(f"{name}, {inside}" if name else fault)
        assert self.tour is not None
        if self.tour.violation is not None:
            where = f"{name}, in line {self.line}, is no tour" if name else "not a tour"
            raise BadInput(f"{where}: {self.tour.violation}")
        return self.tour


def read_parts(
    text: str, board: Graph | None = None, closed: bool | None = None, change: Change | None = None
) -> list[ReadPart]:
    """Read one tour or several (see :func:`split_tours`), valid or not. Parameters as for :func:`read_tour`.

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
    except BadInput as refused:
        error = refused
    comments = itertools.takewhile(lambda line: line.startswith("# "), part.text.split("\n"))
    if above := part.line - 1 - len(list(comments)):
        try:  # once more, to get the line in the whole text
            read_tour("\n" * above + part.text, board, closed, change)
        except BadInput as refused:
            error = refused
    return ReadPart(None, error, part.line, part.text)


def read_tours(
    text: str, board: Graph | None = None, closed: bool | None = None, change: Change | None = None
) -> list[Tour]:
    r"""Read one tour or several (see :func:`split_tours`), all of which have to be valid.

    Parameters as for :func:`read_tour`. Raises BadInput if one is not a tour, with its first violation.

    >>> [tour.names() for tour in read_tours("1 6 3\n4 . 8\n7 2 5\n\n3 6 1\n8 . 4\n5 2 7\n")]
    ['a3 b1 c3 a2 c1 b3 a1 c2', 'c3 b1 a3 c2 a1 b3 c1 a2']
    """
    parts = read_parts(text, board, closed, change)
    if len(parts) == 1:
        return [parts[0].require()]
    return [part.require(f"tour {number}") for number, part in enumerate(parts, 1)]


def load(data: bytes, path: str = "", most: int = _LARGE, settings: Settings | None = None) -> str | Tour:
    """The text of a file; or the tour in it as an array, where objects for all cells would take too much.

    - ``data``: the contents; of an array in a file with a name its beginning is enough
    - ``path``: its name where it has one, so that an array stays on disk
    - ``most``: cells up to which an array is given as the text of its grid; with holes it is up to a million
    - ``settings``: whose memory limit holds, if there is one

    Raises NotATour if a large tour has a row of another length, or a move string is none; BadInput if the
    contents are neither text nor an array, or too large for their format; OutOfMemory if making objects of
    them takes more memory than there may be.
    """
    form = format_of_head(data)
    if not form.can("read"):
        return _moderate(form.function("read_array")(path or data), most)
    # A line of this length, or this number of lines, exceeds every board of objects.
    long = len(data.partition(b"\n")[0]) > 2 * LISTED_SIDE or data.count(b"\n") > LISTED_SIDE
    if form.can("read_array") and (long or len(data) > (_LARGE_TEXT if form is _GRID else _LARGE)):
        try:
            tour: Tour = form.function("read_array")(data)
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


def _moderate(tour: Tour, most: int) -> str | Tour:
    steps = tour.steps
    if steps.size > _LARGE or max(steps.shape) > LISTED_SIDE or (steps.size > most and int(steps.min()) > 0):
        return tour
    return b"".join(_GRID.function("write_array")(tour)).decode("ascii")
