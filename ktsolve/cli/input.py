"""What commands read: files and standard input, as text."""

from __future__ import annotations

import sys
from pathlib import Path

from ktsolve.errors import BadInput

__all__ = ["read_text"]

_LARGEST_FILE = 1 << 30


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
    name = "standard input" if file == "-" else file
    if len(data) > _LARGEST_FILE:
        raise BadInput(f"{name} is larger than 1 GiB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"{name} is not text: {what}") from None
