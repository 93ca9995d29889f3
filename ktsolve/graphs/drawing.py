"""Drawing of graphs, boards and tours, by a module that registers itself: the ground imports no pictures.

``import ktsolve`` imports this file, and this file no other: see ``__main__.py``.
"""

from __future__ import annotations

from importlib import import_module

# Without importing typing, which is half of the time of ``import ktsolve``; type checkers take it for true.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Drawn", "register", "renderer"]

_registered: list[str] = []


def register(module: str) -> None:
    """Name the module that draws (``svg``, ``plot``, ``html`` ...); done by ``ktsolve``."""
    _registered[:] = [module]


def renderer() -> Any:
    """The registered module, imported at the first drawing.

    >>> renderer().__name__
    'ktsolve.render.values'
    """
    return import_module(_registered[0])


class Drawn:
    """A graph, a board, a tour or a puzzle, which draws itself, also in notebooks."""

    def svg(self, **style: Any) -> str:
        """The graph, board, tour or puzzle as an SVG file.

        Parameters
        ----------
        **style:
            Fields of :class:`ktsolve.render.scene.style.Style`: ``theme``, ``coordinates``, ``path``, ...

        Raises
        ------
        BadInput
            If the style names something that this graph, board or tour does not have or cannot show.

        Examples
        --------
        >>> from ktsolve.graphs.board import Board
        >>> Board.parse("3x4", without="a1").svg(theme="print").splitlines()[1]
        '<title>Board 3x4 without a1</title>'
        """
        return str(renderer().svg(self, **style))

    def _repr_svg_(self) -> str | None:
        return None if renderer().too_large(self) else self.svg(theme="auto")

    def _repr_html_(self) -> str | None:
        """A card of a subject that is too large to be drawn: its text may have millions of characters."""
        return str(renderer().html(renderer().large_card(self))) if renderer().too_large(self) else None
