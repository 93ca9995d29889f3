"""Input as bytes and as text, piece by piece: never more of it than the memory limit allows.

Reading takes some times the bytes of the input (:attr:`~ktsolve.formats.table.Format.expansion`). The first
bytes show the format. An input that is too long for it is refused before the rest is read: an ordinary file
by its size, a pipe or what is decompressed as soon as it has given too much. Input compressed by gzip, xz or
bzip2 is known by its first bytes, whatever it holds.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import lzma
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from ktsolve.base.errors import BadInput, OutOfMemory
from ktsolve.base.limits import Settings
from ktsolve.base.units import shown_bytes

EXPANSION = 100  # bytes of memory for a byte of an input, where no format says less or more
_LARGEST = 1 << 30  # bytes of the largest input

_PIECE = 1 << 16
_MOST_AT_ONCE = 1 << 20  # bytes of a list that are decided together

_OPENERS = {b"\x1f\x8b": gzip.open, b"\xfd7zXZ\0": lzma.open, b"\x5d\0\0": lzma.open, b"BZh": bz2.open}
"""What decompresses an input, by the bytes with which it begins."""


def is_compressed(head: bytes) -> bool:
    """Whether an input that begins with these bytes is compressed by gzip, xz or bzip2."""
    return head.startswith(tuple(_OPENERS))


def read_path(path: str, name: str, settings: Settings, expansion: int | Callable[[bytes], int]) -> bytes:
    """The bytes of a file, as ``read_stream``; OSError and ValueError are left to the caller."""
    with open(path, "rb") as stream:
        return read_stream(stream, name, settings, expansion)


def read_stream(
    stream: BinaryIO, name: str, settings: Settings, expansion: int | Callable[[bytes], int] = EXPANSION
) -> bytes:
    """All bytes of a stream, decompressed, if they can be read within the memory limit.

    - ``expansion``: bytes of memory for a byte of it; or a function of its beginning that gives them

    Raises OutOfMemory if it has more bytes than that; BadInput if it has more than 1 GiB or cannot be
    decompressed, and what the function of its beginning raises.
    """
    first = stream.read(_PIECE)
    opener = _opener(first)
    if opener is None:
        return _read(first, stream, name, settings, expansion)
    with _decompressing(name):
        unpacked = opener(_Joined(first, stream))
        return _read(unpacked.read(_PIECE), unpacked, name, settings, expansion)


def pieces_of(stream: BinaryIO, name: str) -> Iterator[bytes]:
    """The bytes of a stream, decompressed, as they come: of a pipe what it has, up to 1 MB at once.

    Raises BadInput if it cannot be decompressed.
    """
    read = getattr(stream, "read1", stream.read)
    piece = read(_MOST_AT_ONCE)
    while any(mark.startswith(piece) and mark != piece for mark in _OPENERS) and (more := read(_PIECE)):
        piece += more
    opener = _opener(piece)
    with _decompressing(name):
        if opener is not None:
            read = opener(_Joined(piece, stream)).read1
            piece = read(_MOST_AT_ONCE)
        while piece:
            yield piece
            piece = read(_MOST_AT_ONCE)


def _opener(first: bytes) -> Any:
    """What decompresses an input that begins with these bytes; None if it is not compressed."""
    return next((opener for mark, opener in _OPENERS.items() if first.startswith(mark)), None)


@contextlib.contextmanager
def _decompressing(name: str) -> Iterator[None]:
    try:
        yield
    except (EOFError, zlib.error, lzma.LZMAError, OSError) as error:
        if getattr(error, "strerror", None):  # an error of the system
            raise
        raise BadInput(f"{name}: cannot be decompressed: {error}") from None


class _Joined:
    """A stream with the piece that was read of it."""

    def __init__(self, first: bytes, rest: BinaryIO) -> None:
        self.first, self.rest = first, rest

    def read(self, size: int) -> bytes:
        """Up to ``size`` bytes."""
        piece, self.first = self.first[:size], self.first[size:]
        return piece or self.rest.read(size)


def _read(
    first: bytes, stream: BinaryIO, name: str, settings: Settings, expansion: int | Callable[[bytes], int]
) -> bytes:
    pieces = [first]
    factor = expansion if isinstance(expansion, int) else expansion(pieces[0])
    most = min(_LARGEST, settings.memory_budget // factor)
    size = max(_size(stream), len(pieces[0]))
    while size <= most and pieces[-1]:
        # Larger pieces of long inputs: else there would be too many. But no more than one byte too much.
        pieces.append(stream.read(min(max(_PIECE, size >> 3), most + 1 - sum(map(len, pieces)))))
        size = max(size, sum(map(len, pieces)))
    if size > _LARGEST:
        raise BadInput(f"{name} is larger than 1 GiB")
    check_length(size, factor, name, settings)
    return b"".join(pieces)


def check_length(length: int, expansion: int, name: str, settings: Settings) -> None:
    """Raise OutOfMemory if reading this number of bytes or characters takes more memory than the limit."""
    if length > (most := settings.memory_budget // expansion):
        shown = f"{most // 1000} kB" if most < 1 << 20 else shown_bytes(most)
        raise OutOfMemory(
            f"{name} has more than {shown}, and reading takes up to {expansion} "
            f"times as much: the memory limit is {shown_bytes(settings.memory_limit)}"
        )


def _size(stream: BinaryIO) -> int:
    """The size of an ordinary file; 0 for a pipe."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, AttributeError):
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def check_is_text(head: bytes, refusal: str) -> None:
    """Raise BadInput for the beginning of a file that is not text in UTF-8: UTF-16, or zeros.

    >>> check_is_text("a1".encode("utf-16"), "a.txt is not text: a tour is grid, json")
    Traceback (most recent call last):
    ...
    ktsolve.base.errors.BadInput: a.txt is not text: a tour is grid, json (it is UTF-16: write UTF-8)
    """
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadInput(f"{refusal} (it is UTF-16: write UTF-8)")
    if b"\0" in head:
        raise BadInput(f"{refusal} (byte {head.index(0) + 1} is zero)")


def as_text(data: bytes, refusal: str) -> str:
    """The text of bytes in UTF-8, with ends of lines as newlines. Raises BadInput with this message else."""
    check_is_text(data, refusal)
    try:
        text = data.decode("utf-8")
        return text.replace("\r\n", "\n").replace("\r", "\n") if b"\r" in data else text
    except UnicodeDecodeError as error:
        raise BadInput(f"{refusal} (byte {error.start + 1} is not UTF-8)") from None
