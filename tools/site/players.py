"""Pages of the player for the site."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

from drawing import found

import ktsolve
from ktsolve.graphs.tour import Tour
from ktsolve.render.picture import tour_scene
from ktsolve.render.player import player_html
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.svg import scene_svg
from ktsolve.wings.studio.page import studio_html

NUMBERED = 6_633_682_205_265
"""Number of the tour of the chessboard with which the start page begins."""


@cache
def _numbered() -> Tour:
    return ktsolve.tours("8x8", engine="join")[NUMBERED]


def numbered_link() -> str:
    """The address of the studio in the site, in the form for a frame, with that tour."""
    given = {"show": "number", "board": "8x8", "k": NUMBERED, "tour": _numbered().names(), "view": "tour"}
    return f"players/studio.html#{urlencode(given)}"


def numbered_picture() -> str:
    """The picture in place of the frame."""
    return scene_svg(tour_scene(_numbered(), Style(theme="auto", path="smooth", coordinates=False)))


def _tour() -> str:
    return player_html([found("8x8", symmetry="rot180")], title="A symmetric tour", studio="studio.html")


def _two() -> str:
    tours = [found("8x8", symmetry="rot180"), found("8x8")]
    return player_html(tours, names=["symmetric", "any"], title="Two tours", studio="studio.html")


PLAYERS: dict[str, Callable[[], str]] = {
    "tour": _tour,
    "two": _two,
    "studio": studio_html,
}
"""The pages that ``<!-- player: NAME text -->`` shows in frames."""


def write(folder: Path) -> None:
    """Write all of them into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PLAYERS.items():
        (folder / f"{name}.html").write_text(page(), "utf-8")
