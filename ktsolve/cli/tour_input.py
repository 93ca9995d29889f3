"""Input of commands that read tours: options for what a file leaves open, and the file itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ktsolve.base.errors import BadInput, NotATour
from ktsolve.cli import options as opt
from ktsolve.cli.input import begins_with, name_of, read_bytes, read_text
from ktsolve.cli.problem_options import ProblemSpec, check_lines, is_board, is_instance
from ktsolve.formats.files import as_text, check_is_text
from ktsolve.formats.table import GRAPH_TOUR_FORMATS, formats_of, listed
from ktsolve.graphs.named_graphs import PREFIX

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.formats.table import Format
    from ktsolve.formats.tours.files import Change
    from ktsolve.graphs.board import Board
    from ktsolve.graphs.graph import Graph
    from ktsolve.graphs.tour import Tour

__all__ = [
    "SMALL",
    "UNSTATED",
    "board_change",
    "checked_array",
    "given_board",
    "named_board",
    "read_graph_or_tour",
    "read_tour_file",
]

UNSTATED: dict[str, Any] = {
    "board": (
        Annotated[
            str | None, opt.problem_option("--board", "The board, if the file does not state it.", "BOARD")
        ],
        None,
    ),
    "closed": (
        Annotated[bool | None, opt.problem_option("--closed/--open", "Must be closed, or may be open.")],
        None,
    ),
    "leaper": (Annotated[str | None, opt.LEAPER], None),
    "wrap": (Annotated[str | None, opt.WRAP], None),
}
"""For ``takes_problem``: options that are None where they are left to the file."""

NO_TEXT = f"this is not text: a tour is {listed(formats_of('tour'))}"
"""The refusal of bytes that are not tour in any format."""

SMALL = 10_000
"""Cells up to which commands that need one tour only read an array by way of its text, as any other tour."""


def given_board(spec: ProblemSpec, settings: Settings) -> Graph | None:
    """The board or the graph of ``--board``, None without the option."""
    if not spec.board:
        return None
    return spec.as_usual.graph(settings).ground


def board_change(spec: ProblemSpec) -> Change | None:
    """What ``--leaper``, ``--wrap`` and ``--without`` change on the board of a file; None without them."""
    if spec.board or not (spec.without or spec.leaper or spec.wrap):
        return None

    def changed(board: Board) -> Board:
        from ktsolve.graphs.board import Board

        found = Board.parse(
            board.size,
            without=" ".join(spec.without or []),
            leaper=spec.leaper or board.leaper,
            wrap=spec.wrap or board.wrap,
        )
        return found if spec.without else replace(found, removed=board.removed)

    return changed


def named_board(file: str, spec: ProblemSpec, settings: Settings) -> Graph | None:
    """The board whose size, or the graph whose name is given in place of a file, None if a file is given.

    Raises
    ------
    BadInput
        If ``--board`` is given as well.
    """
    if not is_instance(file) and (not (is_board(file) or file.startswith(PREFIX)) or Path(file).exists()):
        return None
    if spec.board:
        raise BadInput(f"{file} is a board or graph, and so is --board {spec.board}: give one of them")
    return given_board(replace(spec, board=file), settings)


def read_tour_file(file: str, settings: Settings, most: int = 10**6, *, on_graph: bool = False) -> str | Tour:
    """The text of a file, or of standard input for ``-``; a tour with more cells as an array.

    Parameters
    ----------
    file:
        Its name.
    settings:
        Whose memory limit holds for reading.
    most:
        Cells up to which an array is given as text.
    on_graph:
        Whether the tour is one of a bare graph, which is not an array.

    Raises
    ------
    NotATour, BadInput, OutOfMemory
        As :func:`ktsolve.formats.tours.files.load`, and if the file cannot be read.
    """
    from ktsolve.formats.tours.files import NPY_OPENING, format_of_head

    if on_graph:
        return read_text(file, f"a tour of a graph is {listed(GRAPH_TOUR_FORMATS)}", settings)
    if begins_with(file, NPY_OPENING):
        return _loaded(file, NPY_OPENING, file, most, settings)

    def expansion(head: bytes) -> int:
        form = format_of_head(head)
        if not form.binary:
            check_is_text(head, f"{name_of(file)}: {NO_TEXT}")
        return form.read_expansion

    return _loaded(file, read_bytes(file, settings, expansion), "", most, settings)


def _loaded(file: str, data: bytes, path: str, most: int, settings: Settings) -> str | Tour:
    from ktsolve.formats.tours.files import load

    try:
        return load(data, path, most, settings)
    except NotATour:
        raise
    except BadInput as error:
        raise BadInput(f"{name_of(file)}: {error}") from None


def read_graph_or_tour(file: str, settings: Settings, most: int = 10**6) -> tuple[Format | None, str | Tour]:
    """The contents of a file, and their format if they hold graphs.

    Raises
    ------
    NotATour, BadInput, OutOfMemory
        As :func:`read_tour_file`.
    """
    from ktsolve.formats.graphs.files import graph_format
    from ktsolve.formats.tours.files import NPY_OPENING, format_of_head

    if begins_with(file, NPY_OPENING):
        return None, read_tour_file(file, settings, most)

    def expansion(head: bytes) -> int:
        form = graph_format(head.decode("utf-8", "replace"), file) or format_of_head(head)
        if not form.binary:
            check_is_text(head, f"{name_of(file)}: {NO_TEXT}")
        return form.read_expansion

    data = read_bytes(file, settings, expansion)
    head = data if data.lstrip()[:1] == b"0" else data[: 1 << 17]  # a matrix is known as a whole
    form = graph_format(head.decode("utf-8", "replace"), file)
    if form is None:
        return None, _loaded(file, data, "", most, settings)
    check_lines(data, form, name_of(file), settings)
    return form, as_text(data, f"{name_of(file)} is not text: it does not hold {form.name}")


def checked_array(
    tour: Tour,
    file: str,
    board: Graph | None = None,
    closed: bool | None = None,
    *,
    most: int | None = None,
    why: str = "",
) -> Tour:
    """A large tour that was read, checked.

    Parameters
    ----------
    board, closed:
        What the options state.
    most, why:
        So many cells at most, and the reason for the error.

    Raises
    ------
    BadInput
        If it is not a tour, has more cells, or the board is another, or no whole rectangle for the knight.
    """
    from ktsolve.graphs.board import Board

    if most is not None and len(tour) > most:
        raise BadInput(f"{file} is a tour of {tour.board}: {why}")
    if board is not None and not isinstance(board, Board):
        raise BadInput(f"{file}: a grid of steps is a tour of a board, not of a {board}: list its vertices")
    if board is not None and board.size != tour.board.size:
        raise BadInput(f"{file}: the tour has {tour.board} cells, the board is {board}")
    if board is not None and not board.plain:
        cells = f"{len(tour):,} cells"
        raise BadInput(f"{file}: a tour of {cells} is read for the knight on a whole board, not {board}")
    tour = tour if closed is None else tour.as_closed(closed)
    if tour.violation is not None:
        raise BadInput(f"{file}: not a tour: {tour.violation}")
    return tour
