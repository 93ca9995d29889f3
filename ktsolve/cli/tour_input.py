"""Input of commands that read tours: options for what a file leaves open, and the file itself."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ktsolve.base.errors import BadInput, NotATour
from ktsolve.cli import options as opt
from ktsolve.cli.input import begins_with, name_of, read_bytes, read_text
from ktsolve.cli.problem_options import ProblemSpec, check_lines, is_instance
from ktsolve.formats.files import as_text, check_is_text
from ktsolve.formats.table import GRAPH_TOUR_FORMATS, formats_of, listed
from ktsolve.graphs.named_graphs import PREFIX
from ktsolve.graphs.notation import is_size

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.formats.table import Format
    from ktsolve.formats.tours.files import Change
    from ktsolve.graphs.board import Board
    from ktsolve.graphs.graph import Graph
    from ktsolve.graphs.tour import Tour

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

_SMALL = 10_000
"""Cells up to which commands that need one tour only read an array by way of its text, as any other tour."""


def given_board(spec: ProblemSpec, settings: Settings) -> Graph | None:
    """The board or the graph of ``--board``, None without the option."""
    return spec.as_usual.graph(settings).ground if spec.board else None


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


@contextlib.contextmanager
def naming(file: str, board: str | None = "") -> Iterator[None]:
    """Begin errors about what a file holds with its name, unless ``board`` shows that it is the only one."""
    name, needed = name_of(file), board is not None and not is_size(board)
    try:
        yield
    except BadInput as error:
        if not needed or str(error).startswith(name):
            raise
        raise type(error)(f"{name}: {error}") from None


def named_board(file: str, spec: ProblemSpec, settings: Settings) -> Graph | None:
    """The board whose size, or the graph whose name is given in place of a file, None if a file is given."""
    if not is_instance(file) and (not (is_size(file) or file.startswith(PREFIX)) or Path(file).exists()):
        return None
    if spec.board:
        raise BadInput(f"{file} is a board or graph, and so is --board {spec.board}: give one of them")
    return given_board(replace(spec, board=file), settings)


def read_tour_file(file: str, settings: Settings, most: int = 10**6, *, on_graph: bool = False) -> str | Tour:
    """The text of a file, or of standard input for ``-``; a tour with more than ``most`` cells as an array.

    A tour ``on_graph`` is one of a bare graph, which is not an array.
    """
    if on_graph:
        return read_text(file, f"a tour of a graph is {listed(GRAPH_TOUR_FORMATS)}", settings)
    return _read(file, settings, most, graphs=False)[1]


def read_graph_or_tour(file: str, spec: ProblemSpec, settings: Settings) -> tuple[Format | None, str | Tour]:
    """The contents of a file, and their format if they hold graphs, for commands that need one tour only.

    Where a board is stated, they hold tours.
    """
    if spec.board:
        return None, read_tour_file(file, settings, _SMALL, on_graph=spec.is_graph)
    return _read(file, settings, _SMALL, graphs=True)


def _read(file: str, settings: Settings, most: int, *, graphs: bool) -> tuple[Format | None, str | Tour]:
    from ktsolve.formats.graphs.files import graph_format
    from ktsolve.formats.tours.files import NPY_OPENING, load
    from ktsolve.formats.tours.recognition import format_of_head

    name = name_of(file)

    def loaded(data: bytes, path: str) -> str | Tour:
        try:
            return load(data, path, most, settings)
        except NotATour:
            raise
        except BadInput as error:
            raise BadInput(f"{name}: {error}") from None

    def graphs_of(head: bytes) -> Format | None:
        return graph_format(head.decode("utf-8", "replace"), file) if graphs else None

    def expansion(head: bytes) -> int:
        form = graphs_of(head) or format_of_head(head)
        if not form.binary:
            check_is_text(head, f"{name}: this is not text: a tour is {listed(formats_of('tour'))}")
        return form.read_expansion

    if begins_with(file, NPY_OPENING):
        return None, loaded(NPY_OPENING, file)
    data = read_bytes(file, settings, expansion)
    form = graphs_of(data if data.lstrip()[:1] == b"0" else data[: 1 << 17])  # a matrix is known as a whole
    if form is None:
        return None, loaded(data, "")
    check_lines(data, form, name, settings)
    return form, as_text(data, f"{name} is not text: it does not hold {form.name}")


def checked_array(
    tour: Tour,
    file: str,
    board: Graph | None = None,
    closed: bool | None = None,
    *,
    most: int | None = None,
    why: str = "",
) -> Tour:
    """A large tour that was read, checked, also against the board and the kind that the options state.

    With more than ``most`` cells it is refused, for the reason ``why``.
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
