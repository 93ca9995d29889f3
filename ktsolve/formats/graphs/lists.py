"""Lists of graphs as streams: pieces of whole lines of graph6, sparse6 and digraph6, also from planar code.

Planar code is that of plantri: for each vertex its neighbours in their order around it, as bytes. The order
is dropped, and each graph becomes a line of graph6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.formats.files import check_is_text, check_length
from ktsolve.formats.graphs.graph6 import write_d6, write_g6, write_s6
from ktsolve.formats.table import format_named, formats_of
from ktsolve.graphs.graph import Graph

__all__ = ["PLANAR", "graph_line", "lines_of_graphs", "whole_lines"]

PLANAR = b">>planar_code"  # how planar code begins
_LONGEST_HEADER = 32
_LONGEST_PLANAR = 4 << 20  # bytes of one graph in planar code
_DENSE = 256  # vertices up to which a graph is written with a bit for every pair
_AT_ONCE = 1024  # graphs of an iterable in a piece


def whole_lines(pieces: Iterable[bytes], name: str, settings: Settings) -> Iterator[bytes]:
    r"""The pieces of a stream, each cut after its last whole line; of planar code its graphs in graph6.

    Raises BadInput for what is not text, OutOfMemory for a line that is too long for the memory limit; the
    messages begin with the name of the stream.

    >>> list(whole_lines([b"Bw\nC", b"~\nD", b"hc"], "list", Settings()))
    [b'Bw\n', b'C~\n', b'Dhc']
    """
    stream = iter(pieces)
    first = next(stream, b"")
    while (
        len(first) < _LONGEST_HEADER
        and PLANAR.startswith(first[: len(PLANAR)])
        and (more := next(stream, b""))
    ):
        first += more
    if first.startswith(PLANAR):
        yield from _planar_lines(first, stream, name)
        return
    check_is_text(first, f"{name} is not text: a list of graphs is graph6, sparse6, digraph6 or planar code")
    longest = format_named("g6", formats_of("graph")).expansion
    held: list[bytes] = []
    size = 0
    for piece in chain([first.removeprefix(b"\xef\xbb\xbf")], stream):
        end = piece.rfind(b"\n") + 1
        if end:
            yield b"".join((*held, piece[:end]))
            held, size = [], 0
        held.append(piece[end:])
        size += len(piece) - end
        check_length(size, longest, f"a line of {name}", settings)
    if size:
        yield b"".join(held)


def _planar_lines(first: bytes, stream: Iterator[bytes], name: str) -> Iterator[bytes]:
    from ktsolve import _native

    header, closed, rest = first.partition(b"<<")
    kind = header.removeprefix(PLANAR).strip()
    if not closed or kind not in (b"", b"le", b"be"):
        raise BadInput(f"{name}: the header of planar code is >>planar_code<<, or with le or be before <<")
    while True:
        try:
            lines, used = _native.planar_code_lines(rest, kind == b"le")
        except ValueError as error:
            raise BadInput(f"{name}: {error}") from None
        if lines:
            yield lines
        rest = rest[used:]
        piece = next(stream, b"")
        if rest and (not piece or len(rest) > _LONGEST_PLANAR):
            raise BadInput(f"{name}: the last graph in planar code does not end: it is cut off")
        if not piece:
            return
        rest += piece


def lines_of_graphs(graphs: Iterable[Any]) -> Iterator[bytes]:
    r"""Pieces of lines for graphs, each a line of graph6 or what :meth:`Graph.of` takes.

    >>> list(lines_of_graphs(["Bw", b"C~", Graph("ab", ["ab"])]))
    [b'Bw\nC~\nA_\n']
    """
    rest = iter(graphs)
    while some := list(islice(rest, _AT_ONCE)):
        yield b"".join(map(_line, some))


def _line(given: Any) -> bytes:
    if isinstance(given, bytes | str):
        line = given.encode() if isinstance(given, str) else given
        if b"\n" in line.strip():
            raise BadInput("an entry of a list of graphs is one line of graph6, and this one has several")
        return line.strip() + b"\n"
    return graph_line(Graph.of(given)).encode()


def graph_line(graph: Graph) -> str:
    """The line of a graph: graph6, digraph6, or sparse6 for many vertices."""
    if graph.directed:
        return write_d6(graph)
    return write_g6(graph) if len(graph) <= _DENSE else write_s6(graph)
