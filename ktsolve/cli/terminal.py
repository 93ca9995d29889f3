"""Properties of the terminal: its width, and whether the output is coloured."""

from __future__ import annotations

import os
import shutil
import sys
from contextvars import ContextVar
from typing import TextIO

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown

__all__ = ["COLOUR", "COMPLETE", "check_colour", "colour_depth", "columns", "styled", "width_of"]

COLOUR: ContextVar[str] = ContextVar("colour", default="auto")
"""The value of ``--color``."""

COMPLETE = "_KTSOLVE_COMPLETE"
"""The environment variable in which a shell says which completions it asks for."""

_CHOICES = ("auto", "always", "never")

_PLAIN_TERMINALS = ("", "dumb", "unknown")


def check_colour(choice: str) -> str:
    """Return the value of ``--color``. Raises BadInput for an unknown value."""
    if choice not in _CHOICES:
        raise BadInput(f"--color {shown(choice)} is unknown: use {', '.join(_CHOICES)}")
    return choice


def columns() -> int:
    """Return the columns of the terminal, 80 without a terminal."""
    return shutil.get_terminal_size().columns


def width_of(output: str | None) -> int | None:
    """Return the columns of the terminal that the output goes to, None if it goes to a file or a pipe."""
    return columns() if output in (None, "-") and sys.stdout.isatty() else None


def colour_depth(output: str | None = None, stream: TextIO | None = None) -> int:
    """Return how many colours the output can have: 0, 16, 256 or 2**24.

    A file has none. Standard output, or the stream, has colours if it is a terminal, unless ``NO_COLOR`` is
    set (https://no-color.org) or the terminal has none; ``--color`` overrides all this.
    """
    choice = COLOUR.get()
    if output not in (None, "-") or choice == "never":
        return 0
    stream = stream or sys.stdout
    terminal = os.environ.get("TERM", "" if sys.platform != "win32" else "windows")
    if choice == "auto" and (
        not stream.isatty() or os.environ.get("NO_COLOR") or terminal in _PLAIN_TERMINALS
    ):
        return 0
    if os.environ.get("COLORTERM", "") in ("truecolor", "24bit") or "direct" in terminal:
        return 2**24
    named = os.environ.get("WT_SESSION") or "256" in terminal or choice == "always"
    return 256 if named else 16


def styled(text: str, codes: str) -> str:
    """Return the text in a style of ANSI codes, such as ``1`` for bold; without codes as it is."""
    return f"\033[{codes}m{text}\033[0m" if text and codes else text
