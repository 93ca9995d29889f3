"""Names in the comments of exported files."""

from __future__ import annotations

__all__ = ["on_one_line"]


def on_one_line(text: str) -> str:
    """Return a name on one line, for use in a comment."""
    return " ".join(text.split())
