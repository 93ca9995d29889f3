"""Cards: the view of answers in notebooks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ktsolve.graphs.drawing import renderer

__all__ = ["Card", "Carded"]


@dataclass(frozen=True)
class Card:
    """What a notebook shows of an answer.

    Attributes
    ----------
    title:
        A line of text.
    facts:
        Names and values, a row each.
    pictures:
        What is drawn beside them: graphs, boards, tours, heat maps.
    head, rows:
        A table: its titles and its rows.
    more:
        Number of further rows, which are not shown.
    """

    title: str
    facts: tuple[tuple[str, str], ...] = ()
    pictures: tuple[Any, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    more: int = 0


class Carded:
    """An answer or another value that a notebook shows as a card."""

    def _card(self) -> Card:
        """What is shown."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return str(renderer().html(self._card()))
