"""Pages of the player for the site."""

from __future__ import annotations

from pathlib import Path

import ktsolve
from ktsolve.render.player import player_html


def write(folder: Path) -> None:
    """Write the pages that ``docs/`` shows in frames."""
    folder.mkdir(parents=True, exist_ok=True)
    tours = []
    for conditions in ({"symmetry": "rot180"}, {}):
        tour = ktsolve.find(ktsolve.TourProblem(board="8x8", closed=True, **conditions)).tour  # type: ignore[arg-type]
        assert tour is not None
        tours.append(tour)
    (folder / "tour.html").write_text(player_html(tours[:1], title="A symmetric tour"), "utf-8")
    names = ["symmetric", "any"]
    (folder / "two.html").write_text(player_html(tours, names=names, title="Two tours"), "utf-8")
