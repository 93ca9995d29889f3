"""Tours as arrays: how ``tour`` writes them, and ``check`` reads those too large for objects."""

from __future__ import annotations

import io
import re
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ktsolve.cli.input import as_text, read_bytes, starts_with
from ktsolve.cli.output import emit, remark, writing_bytes
from ktsolve.cli.problem_options import ProblemSpec
from ktsolve.cli.tour_file import TOUR_WORDS
from ktsolve.errors import BadInput, WrongAnswer
from ktsolve.ground.board import Board
from ktsolve.ground.notation import LARGEST_SIDE, LONGEST_SIDE, parse_size

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ktsolve.ground.arrays import Steps
    from ktsolve.ground.notation import Cell
    from ktsolve.ground.tour import Fault
    from ktsolve.settings import Settings

__all__ = [
    "ARRAYS",
    "Large",
    "Rectangle",
    "build",
    "check_large",
    "emit_steps",
    "read_tour_file",
    "takes_array",
]

ARRAYS = ("grid", "cells", "moves", "npy")
"""Formats that are written from an array, cell by cell and not all at once."""

_LARGE_TEXT = 8 << 20
"""Bytes of a grid from which no object is made for each of its cells."""

_MODERATE_TEXT = 32 << 20
"""Bytes up to which a grid that the fast reader does not take is read as any other, for its holes, comments
and messages."""

_LARGE = 10**6
"""Cells from which no object is made for each."""

_LISTED = "a list of cells is read up to 32 MiB: write the tour as grid, moves or npy"

_WHAT = f"{TOUR_WORDS}; or a move string, or NumPy's .npy"


# -- tour ----------------------------------------------------------------------------------------------------


def takes_array(spec: ProblemSpec, engine: str) -> bool:
    """Is this a question that divide answers with an array: a plain board, at most ends given?"""
    from ktsolve.engines.registry import built_by_divide

    ends = [text for text in (spec.start, spec.end) if text is not None]
    if any(len(text.split()) > 1 or ":" in text or ";" in text for text in ends):
        return False  # a set of cells
    if not spec.at_most_ends:
        return False
    size = parse_size(spec.board, LONGEST_SIDE)
    built = built_by_divide(*size, ends=bool(ends)) or max(size) > LARGEST_SIDE
    return engine == "divide" or (engine == "auto" and built)


def build(spec: ProblemSpec, style: str, settings: Settings, output: str | None, quiet: bool) -> int:
    """Build a tour as an array, have it checked, and write it."""
    from ktsolve.engines.divide.construct import NoTour, tour_steps, why_none
    from ktsolve.ground.arrays import steps_fault

    rows, columns = parse_size(spec.board, LONGEST_SIDE)
    start, end = _ends(spec, rows, columns)
    started = time.perf_counter()
    if start is not None and start == end and rows * columns > 1:
        raise BadInput(f"start and end are the same cell, {spec.start}")
    reason = why_none(rows, columns, closed=spec.closed, start=start, end=end)
    if reason is not None:
        emit(f"no tour: {reason}", None)
        return 1
    try:
        steps = tour_steps(rows, columns, closed=spec.closed, start=start, end=end, settings=settings)
    except NoTour as none:
        emit(f"no tour: {none}", None)
        return 1
    built = time.perf_counter()
    threads = settings.thread_budget
    fault = steps_fault(steps, closed=spec.closed, threads=threads, timeout=settings.timeout)
    fault = fault or _misplaced(steps, start, end)
    if fault is not None:
        raise WrongAnswer(f"engine divide gave a wrong tour of {rows}x{columns}: {fault}")
    checked = time.perf_counter()
    emit_steps(steps, spec.closed, style, output)
    remark(f"divide, {built - started:.3f} s, checked in {checked - built:.3f} s", quiet=quiet)
    return 0


def _ends(spec: ProblemSpec, rows: int, columns: int) -> tuple[Cell | None, Cell | None]:
    from ktsolve.ground.notation import parse_cell

    return (
        None if spec.start is None else parse_cell(spec.start, rows, columns),
        None if spec.end is None else parse_cell(spec.end, rows, columns),
    )


def _misplaced(steps: Steps, start: Cell | None, end: Cell | None) -> Fault | None:
    from ktsolve.ground.notation import cell_name
    from ktsolve.ground.tour import Fault

    for cell, step in ((start, 1), (end, steps.size)):
        if cell is not None and steps[cell] != step:
            found = cell_name(divmod(int((steps == step).argmax()), steps.shape[1]), steps.shape[0])
            return Fault(step, f"step {step} is {found}, not {cell_name(cell, steps.shape[0])} as asked")
    return None


def emit_steps(steps: Steps, closed: bool, style: str, output: str | None) -> None:
    """Write a tour in one of the formats of :data:`ARRAYS`."""
    import numpy as np

    from ktsolve.ground.arrays import grid_chunks, moves_line, name_chunks

    if style == "npy":
        whole = np.ascontiguousarray(steps)
        header = np.lib.format.header_data_from_array_1_0(whole)
        with writing_bytes(output) as stream:
            # Not np.save: it asks where in the stream it is, which a pipe does not know.
            np.lib.format.write_array_header_1_0(stream, header)
            stream.write(whole.data.cast("B"))
    elif style == "moves":
        _emit_chunks([moves_line(steps, closed=closed), b"\n"], output)
    else:
        _emit_chunks(grid_chunks(steps) if style == "grid" else name_chunks(steps), output)


def _emit_chunks(chunks: Iterable[bytes], output: str | None) -> None:
    if output is None or output == "-":
        for chunk in chunks:
            sys.stdout.write(chunk.decode("ascii"))
        return
    with writing_bytes(output) as stream:
        stream.writelines(chunks)


# -- check ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rectangle:
    """A plain board of any size, as text and in JSON: sides of a :class:`Board` have a limit."""

    rows: int
    columns: int

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"

    def to_json(self) -> dict[str, Any]:
        """As :meth:`Board.to_json`."""
        return Board(1, 1).to_json() | {"rows": self.rows, "columns": self.columns}


@dataclass(frozen=True)
class Large:
    """A tour too large for objects, as it was read.

    Attributes
    ----------
    steps:
        Its step numbers, None if the text has none.
    closed:
        Whether it says that it is closed; None if it does not say.
    fault:
        What is wrong with it already.
    """

    steps: Steps | None
    closed: bool | None
    fault: Fault | None

    @property
    def rectangle(self) -> Rectangle | None:
        """Its board."""
        return None if self.steps is None else Rectangle(*self.steps.shape)


def read_tour_file(file: str, moderate: int = _LARGE) -> str | Large:
    """The text of a tour, arrays of moderate size as text as well; or a large one as an array.

    Parameters
    ----------
    file:
        Its name, ``-`` for standard input.
    moderate:
        Cells up to which an array is handed on as text; with holes it is up to a million.

    Raises
    ------
    BadInput
        If the file cannot be read, or is neither text nor an array.
    """
    from ktsolve.ground import arrays

    try:
        if starts_with(file, arrays.NPY_MAGIC):
            return _moderate(Large(arrays.read_npy(file), None, None), moderate)
        data = read_bytes(file)
        if data.startswith(arrays.NPY_MAGIC):
            return _moderate(Large(arrays.read_npy(io.BytesIO(data)), None, None), moderate)
    except BadInput as error:
        raise BadInput(f"{file}: {error}") if file not in str(error) else error from None
    if data.startswith(arrays.MOVES_HEADER) and (len(data) > _LARGE or _is_long(data)):
        return Large(*arrays.read_moves(data))
    if len(data) > _LARGE_TEXT or _is_long(data):
        try:
            steps, fault = arrays.read_grid(data)
            return Large(steps, None, fault)
        except BadInput as error:
            if len(data) > _MODERATE_TEXT:
                listed = re.match(rb"\s*[a-z]+\d", data, re.IGNORECASE)
                raise BadInput(f"{file}: {_LISTED if listed else error}") from None
    return as_text(data, file, _WHAT)


def _is_long(data: bytes) -> bool:
    """May this be a tour with a side that no board of objects has? Each entry takes a byte and a space."""
    first = data[: data.find(b"\n") + 1] or data
    return len(first) > 2 * LARGEST_SIDE or data.count(b"\n") > LARGEST_SIDE


def _moderate(large: Large, most: int) -> str | Large:
    from ktsolve.ground.arrays import grid_chunks

    if large.steps is None or large.steps.size > _LARGE or max(large.steps.shape) > LARGEST_SIDE:
        return large
    if large.steps.size > most and int(large.steps.min()) > 0:
        return large
    return b"".join(grid_chunks(large.steps)).decode("ascii")


def check_large(spec: ProblemSpec, large: Large) -> tuple[bool, Fault | None, bool]:
    """Judge a large tour: whether it is closed, the first fault, and whether it is a tour all the same.

    Raises
    ------
    BadInput
        If more is asked than a board, the ends, and whether it is closed.
    """
    from ktsolve.ground.arrays import closes, steps_fault
    from ktsolve.settings import Settings

    steps = large.steps
    if steps is None:
        return bool(spec.closed), large.fault, False
    rows, columns = steps.shape
    if not spec.at_most_ends:
        taken = "--board, --closed, --open, --start and --end"
        raise BadInput(f"a tour of {steps.size:,} cells is checked with {taken} only")
    if spec.board and parse_size(spec.board, LONGEST_SIDE) != (rows, columns):
        raise BadInput(f"the tour has {rows}x{columns} cells, the board is {spec.board}")
    start, end = _ends(spec, rows, columns)
    closed = spec.closed
    if closed is None:
        closed = closes(steps) if large.closed is None else large.closed
    fault = large.fault or steps_fault(steps, closed=closed, threads=Settings().thread_budget)
    if fault is not None:
        return closed, fault, False
    fault = _misplaced(steps, start, end)
    return closed, fault, True
