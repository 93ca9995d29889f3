"""Pages of the player for the site."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from drawing import found

import ktsolve
from ktsolve.render.player import player_html
from ktsolve.wings.studio.page import studio_html

NUMBERED = 129
"""Number of tours of the chessboard on the start page, evenly spaced from the first to the last."""


def numbers(count: int) -> list[int]:
    """Return evenly spaced numbers of ``count`` tours, the first and the last among them."""
    return [(count - 1) * i // (NUMBERED - 1) for i in range(NUMBERED)]


def _numbered() -> str:
    tours = ktsolve.tours("8x8")
    chosen = numbers(tours.count)
    names = [f"Tour {number:,}" for number in chosen]
    return player_html(
        [tours[number] for number in chosen], names=names, title="Closed tours of 8x8 by number"
    )


def _tour() -> str:
    return player_html([found("8x8", symmetry="rot180")], title="A symmetric tour")


def _two() -> str:
    tours = [found("8x8", symmetry="rot180"), found("8x8")]
    return player_html(tours, names=["symmetric", "any"], title="Two tours")


PLAYERS: dict[str, Callable[[], str]] = {
    "tour": _tour,
    "two": _two,
    "numbers": _numbered,
    "studio": studio_html,
}
"""The pages that ``<!-- player: NAME text -->`` shows in frames."""


def write(folder: Path) -> None:
    """Write all of them into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PLAYERS.items():
        (folder / f"{name}.html").write_text(page(), "utf-8")
