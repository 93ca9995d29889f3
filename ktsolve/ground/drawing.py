"""Drawing of graphs, boards and tours, by a module that registers itself: the ground imports no pictures."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ktsolve.errors import BadInput

__all__ = ["Drawn", "register", "renderer"]

_registered: list[str] = []


def register(module: str) -> None:
    """Name the module whose functions ``svg`` and ``plot`` draw boards and tours; done by ``ktsolve``."""
    _registered[:] = [module]


def renderer() -> Any:
    """The registered module, imported at the first drawing.

    >>> renderer().__name__
    'ktsolve.render.values'
    """
    return import_module(_registered[0])


class Drawn:
    """A graph, a board or a tour, which draws itself, also in notebooks."""

    def svg(self, **style: Any) -> str:
        """The graph, board or tour as an SVG file.

        Parameters
        ----------
        **style:
            Fields of :class:`ktsolve.render.style.Style`: ``theme``, ``coordinates``, ``path``, ...

        Raises
        ------
        BadInput
            If the style names something that this graph, board or tour does not have or cannot show.

        Examples
        --------
        >>> from ktsolve.ground.board import Board
        >>> Board.parse("3x4", without="a1").svg(theme="print").splitlines()[1]
        '<title>Board 3x4 without a1</title>'
        """
        return str(renderer().svg(self, **style))

    def _repr_svg_(self) -> str | None:
        try:
            return self.svg()
        except BadInput:  # a graph too large to be drawn: the notebook shows its text
            return None
