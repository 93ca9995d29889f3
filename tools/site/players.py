"""Pages of the player for the site."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from drawing import found

from ktsolve.render.player import player_html


def _tour() -> str:
    return player_html([found("8x8", symmetry="rot180")], title="A symmetric tour")


def _two() -> str:
    tours = [found("8x8", symmetry="rot180"), found("8x8")]
    return player_html(tours, names=["symmetric", "any"], title="Two tours")


PLAYERS: dict[str, Callable[[], str]] = {"tour": _tour, "two": _two, "landing": _tour}
"""The pages that ``<!-- player: NAME text -->`` shows in frames."""


def write(folder: Path) -> None:
    """Write all of them into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PLAYERS.items():
        (folder / f"{name}.html").write_text(page(), "utf-8")
