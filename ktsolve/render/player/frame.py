"""The page of the player in a frame, for notebooks and other pages of HTML."""

from __future__ import annotations

import html
from dataclasses import dataclass

__all__ = ["HEIGHT", "Player"]

HEIGHT = 480
"""Height of a frame in pixels, if no other is given."""


@dataclass(frozen=True)
class Player:
    """A page of the player, which a notebook shows in a frame.

    >>> Player("<!doctype html>", "A tour", height=300).frame()[:52]
    '<iframe title="A tour" width="100%" height="300" sty'
    """

    page: str  # the page, as :func:`player_html` makes it
    title: str  # name of the frame, for screen readers
    height: int = HEIGHT  # height of the frame in pixels. The boards fit it

    def frame(self) -> str:
        """Return the frame as an element of HTML. It contains the page, and loads nothing."""
        return (
            f'<iframe title="{html.escape(self.title)}" width="100%" height="{self.height}" '
            f'style="border:0" allowfullscreen srcdoc="{html.escape(self.page)}"></iframe>'
        )

    def _repr_html_(self) -> str:
        return self.frame()

    def __repr__(self) -> str:
        return f"<player of {self.title}: show it in a notebook, or write .page to a file>"
