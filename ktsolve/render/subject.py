"""Texts that are read as the subject of a picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ktsolve.graphs.graph import Graph

if TYPE_CHECKING:
    from ktsolve.render.scene.shapes import Scene
    from ktsolve.render.scene.style import Style

__all__ = ["Drawable", "Reader", "Source"]


class Drawable(Protocol):
    """A subject of pictures that makes its own scenes."""

    def scenes(self, style: Style) -> list[Scene]:
        """The pictures of the subject, one or several for a sheet."""


@dataclass(frozen=True)
class Source:
    """A text that is read as the subject of a picture, and what was given beside it.

    Attributes
    ----------
    text, data:
        The text; the JSON object in it, empty if it is something else.
    board, closed:
        The board, and the kind of tours.
    refused:
        Whether the text was read as tours, and refused. Before that a reader leaves alone what may be meant
        as a tour.
    """

    text: str
    data: dict[str, Any]
    board: Graph | None = None
    closed: bool | None = None
    refused: bool = False


Reader = Callable[[Source], Any]
"""A function that reads a subject of pictures; it returns None for other texts."""
