"""Tours as files: grids of numbers, lists of cells, JSON, CSV, TSPLIB, move strings and NumPy's ``.npy``.

All are read by ``read_tour`` but the last, which is no text: see :mod:`ktsolve.ground.arrays`.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence

from ktsolve.errors import BadInput
from ktsolve.formats.csv import as_csv
from ktsolve.formats.tsplib import as_tsplib
from ktsolve.ground.tour import Tour

__all__ = ["TOUR_ENDINGS", "TOUR_FORMATS", "tour_file", "tours_bytes", "tours_file"]


def _grid(tour: Tour) -> str:
    return tour.grid() + "\n"


def _cells(tour: Tour) -> str:
    return tour.names() + "\n"


def _json(tour: Tour) -> str:
    return json.dumps({"schema": "ktsolve/1", **tour.to_json()}) + "\n"


def _moves(tour: Tour) -> str:
    from ktsolve.ground.arrays import moves_line, steps_of_tour

    if not tour.board.plain or not tour.valid:
        raise BadInput(f"a move string is a knight's tour of a whole board, not {tour.board}: use .json")
    return moves_line(steps_of_tour(tour), closed=tour.closed).decode("ascii") + "\n"


TOUR_FORMATS: Mapping[str, Callable[[Tour], str]] = {
    "txt": _grid,
    "cells": _cells,
    "json": _json,
    "csv": as_csv,
    "tour": as_tsplib,
    "moves": _moves,
}
"""Endings of files of text, and what writes them. Grids and lists of cells do not tell leaper and wrap."""

_SEVERAL = "use .txt, .cells, .moves or .json"

TOUR_ENDINGS = (*TOUR_FORMATS, "npy")
"""Endings of all files of tours."""


def tour_file(tour: Tour, ending: str) -> str:
    r"""The tour in the format of that file ending. Linear in its cells.

    Raises
    ------
    BadInput
        For another ending.

    Examples
    --------
    >>> from ktsolve.formats.reading import read_tour
    >>> tour = read_tour("1 6 3\n4 . 8\n7 2 5")
    >>> all(read_tour(tour_file(tour, each)).moves == tour.moves for each in ("txt", "json", "csv", "tour"))
    True
    """
    if ending not in TOUR_FORMATS:
        listed = ", ".join(f".{each}" for each in TOUR_FORMATS)
        raise BadInput(f"a tour is written as {listed}, not .{ending}")
    return TOUR_FORMATS[ending](tour)


def tours_file(tours: Sequence[Tour], ending: str) -> str:
    """Several tours in one file: grids with blank lines between them, a line of cells each, or JSON.

    Raises
    ------
    BadInput
        For formats that hold one tour.
    """
    if len(tours) == 1:
        return tour_file(tours[0], ending)
    match ending:
        case "txt":
            return "\n".join(tour_file(tour, ending) for tour in tours)
        case "cells" | "moves":
            return "".join(tour_file(tour, ending) for tour in tours)
        case "json":
            kinds = {(tour.board, tour.closed) for tour in tours}
            if len(kinds) != 1:
                raise BadInput("tours of several boards or kinds do not go into one JSON: give one kind")
            first = tours[0].to_json()
            squares = [tour.to_json()["squares"] for tour in tours]
            head = {"schema": "ktsolve/1", "board": first["board"], "closed": first["closed"]}
            return json.dumps({**head, "tours": squares}) + "\n"
    raise BadInput(f"a .{ending} holds one tour, and there are {len(tours)}: {_SEVERAL}")


def tours_bytes(tours: Sequence[Tour], ending: str) -> bytes:
    r"""As :func:`tours_file`, for all of :data:`TOUR_ENDINGS`; a ``.npy`` has step numbers and 0 for holes.

    Examples
    --------
    >>> from ktsolve.ground.arrays import read_npy
    >>> from ktsolve.formats.reading import read_tour
    >>> ring = read_tour("1 6 3\n4 . 8\n7 2 5")
    >>> read_npy(io.BytesIO(tours_bytes([ring], "npy"))).tolist()
    [[1, 6, 3], [4, 0, 8], [7, 2, 5]]
    """
    if ending != "npy":
        return tours_file(tours, ending).encode()
    import numpy as np

    from ktsolve.ground.arrays import steps_of_tour

    if len(tours) != 1:
        raise BadInput(f"a .npy holds one tour, and there are {len(tours)}: {_SEVERAL}")
    if len(set(tours[0].squares)) != len(tours[0].squares):
        raise BadInput("a .npy has one number for a cell, and the walk visits one twice: use .cells or .json")
    file = io.BytesIO()
    np.save(file, steps_of_tour(tours[0]))
    return file.getvalue()
