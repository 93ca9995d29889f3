"""Files and standard input, as bytes and as text."""

from __future__ import annotations

import sys
from pathlib import Path

from ktsolve.errors import BadInput

__all__ = ["begins_with", "name_of", "read_bytes", "read_text"]

_LARGEST_FILE = 1 << 30


def begins_with(file: str, mark: bytes) -> bool:
    """Whether an ordinary file that can be read begins with these bytes; False for pipes."""
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
        raise BadInput(f"{name_of(file)} is larger than 1 GiB")
    return data


def name_of(file: str) -> str:
    """The name of a file in messages."""
    return "standard input" if file == "-" else file


def read_text(file: str, what: str) -> str:
    """The text of a file, or of standard input for ``-``.

    Parameters
    ----------
    file:
        Its path.
    what:
        What it should be, for the error: ``a tour is a grid of numbers``.

    Raises
    ------
    BadInput
        If it cannot be read, is no text, or is larger than 1 GiB.
    """
    try:
        return read_bytes(file).decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"{name_of(file)} is not text: {what}") from None
