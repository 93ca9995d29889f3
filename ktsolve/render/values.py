"""Drawings of single boards, graphs, tours and puzzles: what their methods return and notebooks show.

Cards are the view of answers in notebooks, as HTML without scripts, in the colours of the notebook.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
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
from ktsolve.render.picture import tour_scene
from ktsolve.render.player import Player, player_html
from ktsolve.render.scene.plot import plot as plot_scene
from ktsolve.render.scene.shapes import Scene
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.svg import legal, scene_svg
from ktsolve.render.subject import PICTURE_FORMATS, PictureOptions, Subject, picture_file
from ktsolve.render.subjects import DrawnTours

__all__ = ["Image", "card_html", "html", "large_card", "play", "plot", "save", "svg", "too_large"]

_MOST_CELLS = 10_000  # largest board that a notebook draws without being asked: 100x100
_MOST_VERTICES, _MOST_EDGES = 1_000, 5_000  # largest bare graph; the places of its vertices take time, too
_MOST_PIXELS = 480  # longer side of the image of a tour with more cells


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
    from ktsolve.render.scene.raster import visits_png

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


_MOST_CHARACTERS = 600  # longest text of one fact or cell; a problem may have thousands of conditions

_LINE = "border-top:1px solid rgba(128,128,128,.35)"


@dataclass(frozen=True)
class Image:
    """An image: ``svg+xml`` or ``png``, its bytes, and its description."""

    kind: str
    content: bytes
    description: str


def card_html(card: Card, images: Sequence[Image] = ()) -> str:
    """Return a card as one element of HTML, which is XML too: images, then the title, facts and the table.

    Images are in addresses (``data:``), so that their styles and names do not meet those of the page.

    >>> card_html(Card("4 tours < 5", (("engine", "join"),))).count("&lt;")
    1
    """
    lines = [
        '<div class="ktsolve-card" style="display:flex;flex-wrap:wrap;gap:1.2em;align-items:flex-start">',
        *(_picture(image, 24 if len(images) == 1 else 13) for image in images),
        '<div style="min-width:0;max-width:100%;overflow-x:auto">',
        f'<p style="font-weight:600;margin:0 0 .4em">{_text(card.title)}</p>',
    ]
    if card.facts:
        lines.append(_table((), card.facts))
    if card.rows:
        lines.append(_table(card.head, card.rows))
    if card.more:
        lines.append(f'<p style="margin:.4em 0 0">and {card.more:,} more</p>')
    return "\n".join([*lines, "</div>", "</div>"])


def _picture(image: Image, most: int) -> str:
    address = f"data:image/{image.kind};base64,{b64encode(image.content).decode()}"
    style = f"max-width:min(100%,{most}em);max-height:{most}em;height:auto;margin:0"
    return f'<img src="{address}" alt="{_text(image.description)}" style="{style}"/>'


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; its first column names the rows, and the other cells below a head are numbers."""
    cell = "padding:.15em 1.2em .15em 0;vertical-align:top;text-align"
    side = "right" if head else "left"
    style = "border-collapse:collapse;margin:0 0 .6em;font-size:inherit"
    lines = [f'<table class="ktsolve-facts" style="{style}">']
    if head:
        sides = ["left", *[side] * len(head)]
        titles = zip(sides, head, strict=False)
        cells = "".join(f'<th scope="col" style="{cell}:{at}">{_text(title)}</th>' for at, title in titles)
        lines.append(f"<thead><tr>{cells}</tr></thead>")
    lines.append("<tbody>")
    for name, *values in rows:
        first = f'<th scope="row" style="{cell}:left;{_LINE};font-weight:400">{_text(name)}</th>'
        shown = "".join(f'<td style="{cell}:{side};{_LINE}">{_text(value)}</td>' for value in values)
        lines.append(f"<tr>{first}{shown}</tr>")
    return "".join([*lines, "</tbody></table>"])


def _text(text: str) -> str:
    if len(text) > _MOST_CHARACTERS:
        text = text[:_MOST_CHARACTERS] + "\N{HORIZONTAL ELLIPSIS}"
    return escape(legal(text))
