"""What commands read: files and standard input, as text."""

from __future__ import annotations

import sys
from pathlib import Path

from ktsolve.errors import BadInput

__all__ = ["as_text", "read_bytes", "read_text", "starts_with"]

_LARGEST_FILE = 1 << 30


def starts_with(file: str, mark: bytes) -> bool:
    """Does an ordinary file that can be read begin with these bytes? Pipes are left alone."""
    try:
        if file == "-" or not Path(file).is_file():
            return False
        with Path(file).open("rb") as stream:
            return stream.read(len(mark)) == mark
    except (OSError, ValueError):
        return False


def read_bytes(file: str) -> bytes:
    """The bytes of a file, or of standard input for ``-``. Raises BadInput as :func:`read_text`."""
    try:
        if file == "-":
            data = sys.stdin.buffer.read(_LARGEST_FILE + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(_LARGEST_FILE + 1)
    except OSError as error:
        raise BadInput(f"{file}: cannot be read: {error.strerror}") from None
    except ValueError as error:  # a NUL in the name
        raise BadInput(f"{file}: cannot be read: {error}") from None
    if len(data) > _LARGEST_FILE:
        raise BadInput(f"{_name(file)} is larger than 1 GiB")
    return data


def _name(file: str) -> str:
    return "standard input" if file == "-" else file


def read_text(file: str, what: str) -> str:
    """The text of a file, or of standard input for ``-``.

    Parameters
    ----------
    file:
        Its path.
    what:
        What it ought to be, for the error: ``a tour is a grid of numbers``.

    Raises
    ------
    BadInput
        If it cannot be read, is no text, or is larger than 1 GiB.
    """
    return as_text(read_bytes(file), file, what)


def as_text(data: bytes, file: str, what: str) -> str:
    """The bytes of a file as text. Raises BadInput as :func:`read_text`."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"{_name(file)} is not text: {what}") from None
