"""Drawings of single boards and tours: what their methods ``svg`` and ``plot`` return."""

from __future__ import annotations

from typing import Any

from ktsolve.ground.board import Board
from ktsolve.ground.tour import Tour
from ktsolve.render.picture import board_scene, tour_scene
from ktsolve.render.plot import plot as plot_scene
from ktsolve.render.scene import Scene
from ktsolve.render.style import Style
from ktsolve.render.svg import scene_svg

__all__ = ["plot", "svg"]


def svg(value: Board | Tour, **style: Any) -> str:
    """The SVG file of a board or tour; ``style`` are fields of :class:`Style`.

    >>> svg(Board.parse("3x4", without="a1"), theme="print").splitlines()[1]
    '<title>Board 3x4 without a1</title>'
    """
    return scene_svg(_scene(value, Style(**style)))


def plot(value: Board | Tour, axes: Any = None, **style: Any) -> Any:
    """Draw a board or tour on axes of matplotlib, by default on a new figure, and return the axes."""
    return plot_scene(_scene(value, Style(**style)), axes)


def _scene(value: Board | Tour, style: Style) -> Scene:
    return board_scene(value, style) if isinstance(value, Board) else tour_scene(value, style)
