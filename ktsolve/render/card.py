"""Cards: the view of answers in notebooks, as HTML without scripts, in the colours of the notebook."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from ktsolve.graphs.card import Card
from ktsolve.render.scene.svg import legal

__all__ = ["Image", "card_html"]

_MOST_CHARACTERS = 600
"""Longest text of one fact or cell; a problem may have thousands of conditions."""

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
