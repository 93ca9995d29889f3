"""The page of the studio: one HTML file with the core as a WebAssembly module, which loads nothing.

A Web Worker runs ``core.js`` (the functions of the core), ``problem.js`` (fields of the page, conditions, the
graph of a problem, checks), ``graph.js`` (pasted graphs), ``shape.js`` (symmetries and crossings),
``puzzle.js`` (knight's puzzles) and ``worker.js`` (the tasks). The page draws with files of the player, and
has ``client.js`` (a worker that is replaced when it is stopped), ``puzzle_screen.js`` and ``studio.js`` (the
other screens, links, saving). ``make wasm`` makes ``core.wasm.gz`` and ``plans.json.gz``.
"""

from __future__ import annotations

import base64
import re
from importlib import resources

from ktsolve.render.scene.knight import KNIGHT
from ktsolve.render.scene.theme import THEMES, css_variables

__all__ = ["WORK", "studio_html"]

WORK = (
    *("player/ground.js", "player/metrics.js", "player/walk.js", "core.js", "problem.js", "graph.js"),
    *("shape.js", "puzzle.js", "worker.js"),
)
"""The files of the worker."""

_PAGE = (
    *("player/ground.js", "player/metrics.js", "player/walk.js", "player/pen.js", "player/drawing.js"),
    *("problem.js", "graph.js", "client.js", "puzzle_screen.js", "studio.js"),
)


def studio_html() -> str:
    """The page. The same version of ktsolve makes the same text.

    >>> page = studio_html()
    >>> page.startswith("<!doctype html>"), len(page) < 660_000
    (True, True)
    """
    parts = {
        "THEME": css_variables(THEMES["light"], THEMES["dark"]),
        "STYLE": _text("studio.css"),
        "KNIGHT": KNIGHT,
        "HEAD": KNIGHT.split("Z")[0] + "Z",
        "CORE": _encoded("core.wasm.gz"),
        "PLANS": _encoded("plans.json.gz"),
        "WORK": "\n".join(map(_text, WORK)),
        "SCRIPT": "\n".join(map(_text, _PAGE)),
    }
    return re.sub("@([A-Z]+)@", lambda mark: parts[mark[1]], _text("studio.html"))


def _bytes(name: str) -> bytes:
    folder, _, file = name.rpartition("/")
    package = "ktsolve.render.player" if folder else "ktsolve.wings.studio"
    return resources.files(package).joinpath(file).read_bytes()


def _text(name: str) -> str:
    return _bytes(name).decode()


def _encoded(name: str) -> str:
    return base64.b64encode(_bytes(name)).decode()
