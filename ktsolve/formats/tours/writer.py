"""Tours as files in any format, one or several."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from ktsolve.base.errors import BadInput
from ktsolve.formats.table import Format, format_named, listed
from ktsolve.formats.tours.common import board_comment
from ktsolve.formats.tours.recognition import NON_CROSSING, TOUR_FORMATS
from ktsolve.graphs.tour import Tour

__all__ = ["TourWriter", "tour_chunks", "tour_file"]

_JSON, _GRID = (format_named(name, TOUR_FORMATS) for name in ("json", "grid"))

_MOST_OBJECTS = 4_000_000
"""Cells of a tour that is written with an object for each."""


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
        raise BadInput(f"a file of {form.name} holds one tour, and there are {len(tours)}: use {able}")
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
        """The text of the next tour, with a final newline.

        Raises BadInput if the format cannot hold it.
        """
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
        return json.dumps({"schema": data.pop("schema"), "walk": NON_CROSSING, **data}) + "\n"
    comment = board_comment(tour.board, tour.closed)
    marked = f'{comment[:-1]}, "walk": "{NON_CROSSING}"}}'
    return text.replace(comment, marked, 1) if comment in text else f"# {marked}\n{text}"
