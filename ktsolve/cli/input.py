"""Files and standard input, as bytes and as text."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ktsolve.base.errors import BadInput
from ktsolve.formats.files import EXPANSION, as_text, check_is_text, read_path, read_stream
from ktsolve.graphs.notation import is_size

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings


_NAME = re.compile(r"[/\\]|\.[a-z]\w{1,9}$", re.IGNORECASE)


def names_file(text: str) -> bool:
    """Whether a text is meant as the name of a file: one exists, or it has a folder or a suffix in it.

    >>> names_file("hearth.png"), names_file("a1:b2"), names_file("53..7...")
    (True, False, False)
    """
    try:
        return _NAME.search(text) is not None or (bool(text) and Path(text).exists())
    except (OSError, ValueError):
        return False


def begins_with(file: str, mark: bytes) -> bool:
    """Whether an ordinary file that can be read begins with these bytes; False for pipes."""
    try:
        if file == "-" or not Path(file).is_file():
            return False
        with Path(file).open("rb") as stream:
            return stream.read(len(mark)) == mark
    except (OSError, ValueError):
        return False


def read_bytes(file: str, settings: Settings, expansion: int | Callable[[bytes], int] = EXPANSION) -> bytes:
    """The bytes of a file, or of standard input for ``-``, within the memory limit of the settings.

    ``expansion`` is as for :func:`ktsolve.formats.files.read_stream`.
    """
    try:
        if file == "-":
            return read_stream(sys.stdin.buffer, name_of(file), settings, expansion)
        return read_path(file, file, settings, expansion)
    except OSError as error:
        board = f"; it is the size of a board: ktsolve tour {file} finds a tour" if is_size(file) else ""
        raise BadInput(f"{file}: cannot be read: {error.strerror}{board}") from None
    except BadInput:
        raise
    except ValueError as error:  # a NUL in the name
        raise BadInput(f"{file}: cannot be read: {error}") from None


def name_of(file: str) -> str:
    """The name of a file in messages."""
    return "standard input" if file == "-" else file


def read_text(
    file: str, what: str, settings: Settings, expansion: int | Callable[[bytes], int] = EXPANSION
) -> str:
    """The text of a file, as :func:`read_bytes`; ``what`` says in the error what it should be."""
    refusal = f"{name_of(file)} is not text: {what}"

    def factor(head: bytes) -> int:
        check_is_text(head, refusal)
        return expansion if isinstance(expansion, int) else expansion(head)

    return as_text(read_bytes(file, settings, factor), refusal)
