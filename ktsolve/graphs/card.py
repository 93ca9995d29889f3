"""Cards: the view of answers in notebooks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ktsolve.graphs.drawing import renderer

__all__ = ["Card", "Carded"]


@dataclass(frozen=True)
class Card:
    """What a notebook shows of an answer: a title, and facts, a name and a value each.

    Beside them are pictures (graphs, boards, tours, heat maps), below them a table with its head, its rows
    and the number of further rows that are not shown.
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
