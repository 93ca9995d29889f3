"""Drawings of single boards, graphs and tours: what their methods ``svg``, ``plot`` and ``play`` return."""

from __future__ import annotations

from typing import Any

from ktsolve.ground.graph import Graph
from ktsolve.ground.tour import Tour
from ktsolve.render.picture import ground_scene, tour_scene
from ktsolve.render.player import Player, player_html
from ktsolve.render.plot import plot as plot_scene
from ktsolve.render.scene import Scene
from ktsolve.render.style import Style
from ktsolve.render.svg import scene_svg

__all__ = ["play", "plot", "svg"]


def svg(value: Graph | Tour, **style: Any) -> str:
    """The SVG file of a board, graph or tour; ``style`` are fields of :class:`Style`.

    >>> from ktsolve.ground.board import Board
    >>> svg(Board.parse("3x4", without="a1"), theme="print").splitlines()[1]
    '<title>Board 3x4 without a1</title>'
    """
    return scene_svg(_scene(value, Style(**style)))


def plot(value: Graph | Tour, axes: Any = None, **style: Any) -> Any:
    """Draw a board, graph or tour on axes of matplotlib, by default on a new figure, and return the axes."""
    return plot_scene(_scene(value, Style(**style)), axes)


def play(tour: Tour, *, title: str | None, step: int | None, height: int) -> Player:
    """A page that plays a tour, in a frame for notebooks."""
    name = title or f"tour of {tour.ground}"
    return Player(player_html([tour], title=title, step=step), name, height)


def _scene(value: Graph | Tour, style: Style) -> Scene:
    return ground_scene(value, style) if isinstance(value, Graph) else tour_scene(value, style)
