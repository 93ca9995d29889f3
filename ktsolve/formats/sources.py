"""Tours and graphs from what a user of Python has: the path of a file, an open file, or text."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import IO, Any, TypeVar

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.base.text import shown
from ktsolve.formats import models
from ktsolve.formats.files import EXPANSION, as_text, is_compressed, pieces_of, read_path, read_stream
from ktsolve.formats.graphs import files as graphs
from ktsolve.formats.graphs.files import GRAPH_FORMATS
from ktsolve.formats.graphs.lists import lines_of_graphs, whole_lines
from ktsolve.formats.table import Format, format_of_suffix, listed, uncompressed
from ktsolve.formats.tours import files as tours
from ktsolve.formats.tours.recognition import TOUR_FORMATS
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.model.model import Model
from ktsolve.problem.problem import TourProblem

__all__ = ["Source", "graph_lines", "read_graph", "read_model", "read_tour", "read_tours"]

Source = str | os.PathLike[str] | IO[Any] | bytes
"""A path, an open file, or the contents. Text of one line without blanks that is the name of a file, or ends
as one in a known format, is a path."""

_Read = TypeVar("_Read")

_LONGEST_NAME = 4096


def read_tour(source: Source, board: Graph | str | Any = None, closed: bool | None = None) -> Tour:
    r"""Read a tour from a file or from text, in any format of tours.

    Parameters
    ----------
    source:
        A path, also of a file compressed by gzip, xz or bzip2; an open file, or text.
    board:
        Its board, or the size of that; or its graph, as :meth:`Graph.of` takes it, whose nodes the tour then
        visits. By default the one that the source states; for a grid the grid's own cells; for a list of
        cells the smallest rectangle from the corner a1 that holds them.
    closed:
        Whether it is meant to be closed; by default what the source states, else whether the ends are a move
        apart.

    Returns
    -------
    Tour
        The tour, valid or not.

    Raises
    ------
    BadInput
        If there is no such file, or it holds no tour in any format, or one that does not fit the board.
        An invalid tour is read: :attr:`Tour.violation` names its first violation.

    Examples
    --------
    >>> tour = read_tour("1 4 7 10\n8 11 2 5\n3 6 9 12")
    >>> tour.board, tour.closed, tour.valid
    (Board.parse('3x4'), False, True)
    >>> read_tour("no-such-file.txt")
    Traceback (most recent call last):
    ktsolve.base.errors.BadInput: no-such-file.txt: there is no such file
    """
    data, name = _contents(source, TOUR_FORMATS, "a tour")
    return _named(name, lambda: _tour(data, name, _ground(board), closed))


def read_tours(source: Source, board: Graph | str | Any = None, closed: bool | None = None) -> list[Tour]:
    r"""Read one tour or several from a file or from text; all of them have to be valid.

    Parameters
    ----------
    source, board, closed:
        As for :func:`read_tour`.

    Returns
    -------
    list of Tour
        The tours, in the order of the source.

    Raises
    ------
    BadInput
        If the file does not exist, or one of its tours is not valid, with its first violation.

    Examples
    --------
    >>> [tour.names() for tour in read_tours("1 6 3\n4 . 8\n7 2 5\n\n3 6 1\n8 . 4\n5 2 7\n")]
    ['a3 b1 c3 a2 c1 b3 a1 c2', 'c3 b1 a3 c2 a1 b3 c1 a2']
    """
    data, name = _contents(source, TOUR_FORMATS, "a tour")
    if data.startswith(tours.NPY_OPENING):
        return [_named(name, lambda: _tour(data, name, _ground(board), closed))]
    return _named(name, lambda: tours.read_tours(_text(data, name), _ground(board), closed))


def read_graph(source: Source, name: str | None = None) -> Graph:
    r"""Read a graph from a file or from text; the board, if the source states one.

    Parameters
    ----------
    source:
        A path, also of a file compressed by gzip, xz or bzip2; an open file, or text.
    name:
        Name of the format; by default the one that the suffix or the contents show.

    Returns
    -------
    Graph
        The graph or board.

    Raises
    ------
    BadInput
        If there is no such file, or it holds no graph, or several.

    Examples
    --------
    >>> read_graph("p edge 3 2\ne 1 2\ne 2 3\n").moves
    (('1', '2'), ('2', '3'))
    """
    data, path = _contents(source, GRAPH_FORMATS, "a graph")
    return _named(path, lambda: graphs.read_graph(_text(data, path), name, path))


def read_model(source: Source, name: str | None = None) -> Model:
    r"""Read a model from a file or from text in DIMACS CNF, WCNF, OPB or FlatZinc.

    Names in comments (``c 1 a``, ``* x1 a``) come back; other variables are ``x1``, ``x2``. Soft clauses and
    soft constraints become the objective: the weight of those that are violated.

    Parameters
    ----------
    source:
        A path, also of a file compressed by gzip, xz or bzip2; an open file, or text.
    name:
        Name of the format; by default the one that the contents show, or else the suffix.

    Returns
    -------
    Model
        The model.

    Raises
    ------
    BadInput
        If there is no such file, or it holds no model, with the line.

    Examples
    --------
    >>> print(read_model("c 1 a\nc 2 b\np cnf 2 2\n1 2 0\n-1 -2 0\n"))
    model cnf: 2 Booleans, 1 constraint
      2 clauses: a or b; not a or not b
    """
    if isinstance(source, os.PathLike) or (isinstance(source, str) and _is_path(source, models.MODEL_FILES)):
        return models.load_model(os.fspath(source), name=name)
    data, path = _contents(source, models.MODEL_FILES, "a model")
    return _named(path, lambda: models.read_model(_text(data, path), name))


def graph_lines(
    source: Source | Iterable[Any], settings: Settings, name: str = "the list"
) -> Iterator[bytes]:
    """Pieces of whole lines of a list of graphs: a file, text, or an iterable of lines or graphs.

    What is not a path has the given name in messages.
    """
    if isinstance(source, str) and not _is_path(source, GRAPH_FORMATS):
        source = source.encode()
    if isinstance(source, str | os.PathLike):
        name = os.fspath(source)
        with _opening(name), open(name, "rb") as stream:
            yield from whole_lines(pieces_of(stream, name), name, settings)
    elif isinstance(source, bytes) or hasattr(source, "read"):
        yield from whole_lines(pieces_of(_binary(source), name), name, settings)
    elif isinstance(source, Iterable):
        yield from lines_of_graphs(source)
    else:
        raise BadInput(f"a list of graphs is a path, an open file or an iterable, not {shown(source)}")


def _binary(source: Any) -> Any:
    """A stream of bytes for bytes, or for an open file of bytes or of text."""
    if isinstance(source, bytes):
        return BytesIO(source)
    start = source.read(0)
    return source if isinstance(start, bytes) else BytesIO(source.read().encode())


@contextlib.contextmanager
def _opening(name: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise BadInput(f"{name}: there is no such file") from None
    except BadInput:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadInput(f"{name} cannot be read: {reason}") from None


def _contents(source: Source, formats: tuple[Format, ...], what: str) -> tuple[bytes, str]:
    """The bytes of a source, and the name of its file, empty without a name."""
    if hasattr(source, "read"):
        source = source.read()
        source = source if isinstance(source, bytes) else str(source).encode()
    if isinstance(source, bytes):
        return read_stream(BytesIO(source), what, Settings(), EXPANSION) if is_compressed(
            source
        ) else source, ""
    if not isinstance(source, str | os.PathLike):
        raise BadInput(f"{what} is read from a path, an open file or text, not {shown(source)}")
    if isinstance(source, str) and not _is_path(source, formats):
        return source.encode(), ""
    name = os.fspath(source)
    with _opening(name):
        return read_path(name, name, Settings(), EXPANSION), name


def _is_path(text: str, formats: tuple[Format, ...]) -> bool:
    if not text or len(text) > _LONGEST_NAME or "\n" in text or "\0" in text:
        return False
    if not set(" \t,;").isdisjoint(text):
        return Path(text).is_file()
    return format_of_suffix(uncompressed(text), formats) is not None or Path(text).exists()


def _text(data: bytes, name: str) -> str:
    start = f"{name}: " if name else ""
    return as_text(data, f"{start}this is not text: a tour is {listed(TOUR_FORMATS)}")


def _tour(data: bytes, name: str, board: Graph | None, closed: bool | None) -> Tour:
    loaded = (
        _text(data, name) if board is not None and not isinstance(board, Board) else tours.load(data, name)
    )
    if not isinstance(loaded, str):
        if board is not None and loaded.board != board:
            raise BadInput(
                f"a tour of {len(loaded):,} cells is read for the knight on {loaded.board}, not {board}"
            )
        return loaded if closed is None else loaded.as_closed(closed)
    parts = tours.read_parts(loaded, board, closed)
    if len(parts) == 1 and parts[0].tour is not None:
        return parts[0].tour
    if any(part.tour is not None and part.tour.valid for part in parts):
        raise BadInput(f"the source holds {len(parts)} tours: read_tours reads them all")
    return tours.read_tour(loaded, board, closed)


def _ground(board: Any) -> Graph | None:
    return None if board is None else TourProblem(board).ground


def _named(name: str, read: Callable[[], _Read]) -> _Read:
    """The result of ``read``; the message of its BadInput gets the name of the file."""
    if not name:
        return read()
    try:
        return read()
    except BadInput as error:
        if str(error).startswith(name):
            raise
        raise type(error)(f"{name}: {error}") from None
