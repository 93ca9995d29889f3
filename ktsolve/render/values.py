"""Drawings of single boards, graphs, tours and puzzles: what their methods return and notebooks show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from os import PathLike, fspath
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.files import new_file
from ktsolve.formats.table import format_of_suffix, formats_of
from ktsolve.formats.tours.files import tour_chunks
from ktsolve.graphs.board import Board
from ktsolve.graphs.card import Card
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.render.card import Image, card_html
from ktsolve.render.files import picture_file
from ktsolve.render.picture import tour_scene
from ktsolve.render.player import Player, player_html
from ktsolve.render.scene.plot import plot as plot_scene
from ktsolve.render.scene.shapes import Scene
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.svg import scene_svg
from ktsolve.render.subject import PICTURE_FORMATS, PictureOptions, Subject
from ktsolve.render.subjects import DrawnTours

__all__ = ["html", "large_card", "play", "plot", "save", "svg", "too_large"]

_MOST_CELLS = 10_000
"""Largest board that a notebook draws without being asked: 100x100."""

_MOST_VERTICES, _MOST_EDGES = 1_000, 5_000
"""Largest bare graph; the places of its vertices take time, too."""

_MOST_PIXELS = 480
"""Longer side of the image of a tour with more cells."""


def svg(value: Any, **style: Any) -> str:
    """The SVG file of a board, graph, tour or puzzle; ``style`` are fields of :class:`Style`.

    >>> from ktsolve.graphs.board import Board
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


def save(tour: Tour, path: str | PathLike[str], **style: Any) -> None:
    """Write a tour to a file, in the format of its suffix: a picture, or one that is read back."""
    name = fspath(path)
    form = format_of_suffix(name, formats_of("tour"))
    drawn = format_of_suffix(name, PICTURE_FORMATS)
    if form is None and drawn is None:
        suffixes = [suffix for each in formats_of("tour", "picture") for suffix in each.suffixes]
        raise BadInput(f"{name}: the suffix of a file is one of {', '.join(dict.fromkeys(suffixes))}")
    if form is not None and form.holds == "tour" and (drawn is None or not style):
        chunks: Iterable[bytes] = tour_chunks(tour, form)
    else:
        assert drawn is not None
        chunks = [picture_file(DrawnTours((tour,)), Style(**style), PictureOptions(form=drawn))]
    with new_file(name) as stream:
        for chunk in chunks:
            stream.write(chunk)


def too_large(value: Any) -> bool:
    """Whether a notebook does not draw the value: pictures are kept in the file of the notebook."""
    ground = _subject(value).ground()
    if ground is None:
        return False
    if isinstance(ground, Board):
        return ground.rows * ground.columns > _MOST_CELLS
    return len(ground) > _MOST_VERTICES or len(ground.edges) > _MOST_EDGES


def html(card: Card) -> str:
    """A card as HTML, with its pictures as images."""
    # Of several pictures each is small.
    images = (_image(each, small=len(card.pictures) > 1) for each in card.pictures)
    return card_html(card, [image for image in images if image is not None])


def large_card(value: Any) -> Card:
    """The card of what :func:`too_large` finds."""
    if not isinstance(value, Tour):
        text = f"board {value}" if isinstance(value, Board) else str(value)
        return Card(text[0].upper() + text[1:])
    kind = "Closed" if value.closed else "Open"
    facts = [("steps", f"{len(value):,}")]
    if value.squares:
        ends = (value.squares[0], value.squares[-1])
        facts.append(("from, to", ", ".join(value.ground.name(each) for each in ends)))
    return Card(f"{kind} tour of {value.ground}", tuple(facts), (value,))


def _image(value: Any, *, small: bool) -> Image | None:
    """The picture of a part of a card; None if it is too large."""
    if too_large(value):
        return _visits(value) if isinstance(value, Tour) else None
    details = False if small else None
    subject = _subject(value)
    (scene,) = subject.scenes(Style(theme="auto", numbers=details, coordinates=details))
    scene = replace(scene, title=subject.heading() or scene.title)
    return Image("svg+xml", scene_svg(scene).encode(), scene.title)


def _visits(tour: Tour) -> Image | None:
    """The step of each visit in colours, for tours of whole rectangles."""
    from ktsolve.render.boards.downsampled import visits_png

    board = tour.ground
    if not isinstance(board, Board) or len(tour) < board.rows * board.columns or not tour.valid:
        return None
    file = visits_png(tour.steps, pixels=_MOST_PIXELS)
    return Image("png", file, f"The step of each visit of a tour of {board} in colours")


def _subject(value: Any) -> Subject:
    """A value as the subject of a picture: itself, or a tour, or a graph as a tour without steps."""
    if isinstance(value, Subject):
        return value
    return DrawnTours((value if isinstance(value, Tour) else Tour(value, ()),))


def _scene(value: Any, style: Style) -> Scene:
    if isinstance(value, Tour):  # also one without steps, which as a subject is its board
        return tour_scene(value, style)
    (scene,) = _subject(value).scenes(style)
    return scene
