"""The HTML page of the player: one file with data, styles and script, which loads nothing from the network.

The script consists of the files ``ground.js`` (boards and graphs), ``metrics.js`` (angles and crossings),
``walk.js`` (state of a walk), ``pen.js`` (SVG files), ``drawing.js`` (what is seen), ``gestures.js`` (wheel,
pinch and drag), ``surroundings.js`` (the page around a frame), ``panel.js`` (one board with its facts) and
``page.js`` (layout, buttons, keys, clock). The content security policy of the page forbids network access.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

from ktsolve.base.errors import BadInput
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.longest import LongestProblem
from ktsolve.render.boards.composition import in_title, in_words
from ktsolve.render.graphs.picture import picture_layout
from ktsolve.render.player.trace import Trace
from ktsolve.render.scene.knight import KNIGHT
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.svg import legal
from ktsolve.render.scene.theme import THEMES, css_variables

__all__ = ["HEIGHT", "KNIGHT", "LONGEST", "Player", "player_html"]

LONGEST = 1_000_000
"""Largest number of cells of all boards, or of events of all traces, of a page: about ten megabytes."""

_SCRIPTS = (
    *("ground.js", "metrics.js", "walk.js", "pen.js", "drawing.js", "gestures.js"),
    *("surroundings.js", "panel.js", "page.js"),
)


def player_html(
    tours: Sequence[Tour] = (),
    traces: Sequence[Trace] = (),
    *,
    walks: Sequence[tuple[Tour, LongestProblem]] = (),
    names: Sequence[str] = (),
    title: str | None = None,
    step: int | None = None,
    studio: str | None = None,
) -> str:
    """Return a page that plays tours, traces and walks over some vertices; the same for the same input.

    Two walks are shown side by side with their differences. Of more, the user chooses one, or two. In a frame
    the page fits the frame, has the theme of the page around it, and starts in the middle of the walk.

    - ``names``: names of the tours, traces and walks, in this order; by default their boards
    - ``step``: number of steps that are made when the page opens; by default one, in a frame two fifths of
      the walk
    - ``studio``: the address of a page of ``ktsolve studio``, in which tours of boards can be opened

    Raises BadInput if there is nothing to play, a tour or walk is invalid, the walks together
    are longer than :data:`LONGEST`, the step is negative, or the address has a scheme other than http, https
    and file.

    >>> from ktsolve import Board
    >>> tour = Tour.from_names(Board.parse("3x4"), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> page = player_html([tour])
    >>> page.startswith("<!doctype html>"), '"cells":[0,6,8,1' in page
    (True, True)
    """
    shown: list[Tour | Trace] = [*tours, *traces, *(walk for walk, _ in walks)]
    if not shown:
        raise BadInput("there is nothing to play: give a tour or a trace")
    if step is not None and step < 0:
        raise BadInput(f"the page opens at step 0 or later, not {step}")
    if studio is not None and (scheme := urlsplit(studio).scheme) not in ("", "http", "https", "file"):
        raise BadInput(f"the studio is a page, such as studio.html or https://...: not {scheme}:")
    _check_size(shown)
    grounds = [_in_words(walk.board if isinstance(walk, Trace) else walk.ground) for walk in shown]
    default = [f"{i}: {ground}" if len(shown) > 1 else ground for i, ground in enumerate(grounds, 1)]
    called = [legal(name) for name in [*names, *default[len(names) :]]]
    played: list[dict[str, Any]] = []
    problems = [None] * (len(tours) + len(traces)) + [problem for _, problem in walks]
    graphs: dict[Graph, int] = {}
    drawn: list[dict[str, Any]] = []
    for name, walk, problem in zip(called, shown, problems, strict=False):
        if isinstance(walk, Trace):
            data = _trace_data(walk, name)
        else:
            data = _walk_data(walk, name, problem)
            if not isinstance(walk.ground, Board):
                if walk.ground not in graphs:
                    graphs[walk.ground] = len(drawn)
                    drawn.append(_graph_data(walk))
                data["graph"] = graphs[walk.ground]
        played.append({"name": name, **data})
    title = legal(title or _title(shown, called, problems[0]))
    given = {"title": title, "step": step, "graphs": drawn, "walks": played, "studio": studio}
    text = json.dumps(given, separators=(",", ":"))
    parts = {
        "TITLE": html.escape(title),
        "THEME": css_variables(THEMES["light"], THEMES["dark"]),
        "STYLE": _file("player.css"),
        "SCRIPT": "\n".join(map(_file, _SCRIPTS)),
        "KNIGHT": KNIGHT,
        "HEAD": KNIGHT.split("Z")[0] + "Z",
        # "</script>" and "<!--" inside a name would end or change the script element.
        "DATA": text.replace("<", "\\u003c"),
    }
    return re.sub("@([A-Z]+)@", lambda mark: parts[mark[1]], _file("player.html"))


def _in_words(ground: Graph) -> str:
    """The name of a board or graph for a reader: ``Torus 8x8``, ``Graph of 20 vertices and 30 edges``."""
    if not isinstance(ground, Board) or ground.wrap == "none":
        return in_words(ground)
    return f"{'Torus' if ground.wrap == 'xy' else 'Cylinder'} {replace(ground, wrap='none')}"


def _in_title(ground: Graph) -> str:
    is_wrapped = isinstance(ground, Board) and ground.wrap != "none"
    return f"the {_in_words(ground).lower()}" if is_wrapped else in_title(ground)


def _title(shown: Sequence[Tour | Trace], names: Sequence[str], first: LongestProblem | None) -> str:
    if len(shown) > 1:
        return f"{names[0]} beside {names[1]}" if len(shown) == 2 else _title_of_many(shown)
    walk = shown[0]
    if isinstance(walk, Trace):
        return f"Search for {'a closed' if walk.closed else 'an open'} tour of {walk.board}"
    if first is not None:
        return f"{first.kind.capitalize()} on {_in_title(walk.ground)}"
    return f"{'Closed' if walk.closed else 'Open'} tour of {_in_title(walk.ground)}"


def _title_of_many(shown: Sequence[Tour | Trace]) -> str:
    tours = [walk for walk in shown if isinstance(walk, Tour) and len(walk) == len(walk.ground)]
    if len(tours) < len(shown):
        return f"{len(shown):,} walks"
    kinds, grounds = {tour.closed for tour in tours}, {tour.ground for tour in tours}
    kind = "" if len(kinds) > 1 else "closed " if tours[0].closed else "open "
    return f"{len(shown):,} {kind}tours" + (f" of {_in_title(tours[0].ground)}" if len(grounds) == 1 else "")


def _walk_data(tour: Tour, name: str, problem: LongestProblem | None) -> dict[str, Any]:
    violation = tour.violation if problem is None else problem.check(tour)
    what = "a tour" if problem is None else problem.noun
    if violation is not None:
        raise BadInput(f"{name}: not {what}: {violation}")
    kind = {"kind": "tour"} if problem is None else {"kind": "walk", "what": problem.noun.partition(" ")[2]}
    data: dict[str, Any] = {**kind, "closed": tour.closed, "cells": list(tour.indices)}
    if isinstance(tour.ground, Board):
        data["board"] = tour.ground.to_json()
    return data


def _graph_data(tour: Tour) -> dict[str, Any]:
    """The graph of a tour: names, ends of edges, positions in units of the room around a vertex."""
    graph, style = tour.ground, Style()
    style.check_graph(graph)
    layout = picture_layout(tour, style)
    unit = layout.unit
    # Half a unit of room around all vertices: markers are that large.
    places = (layout.points - layout.points.min(axis=0)) / unit + 0.6
    wide, high = (float(value) for value in places.max(axis=0) + 0.6)
    return {
        "names": [legal(name) for name in graph.names],
        "x": [round(value, 3) for value in places[:, 0].tolist()],
        "y": [round(value, 3) for value in places[:, 1].tolist()],
        "wide": round(wide, 3),
        "high": round(high, 3),
        "edges": graph.edges.ravel().tolist(),
        "directed": graph.directed,
    }


def _trace_data(trace: Trace, name: str) -> dict[str, Any]:
    if not trace.events:
        raise BadInput(f"{name}: the trace has no events")
    data = {key: value for key, value in trace.to_json().items() if key != "start"}
    return {"kind": "trace", **data, "rule": trace.rule or "unknown rule"}


def _check_size(shown: Sequence[Tour | Trace]) -> None:
    events = sum(len(walk.events) for walk in shown if isinstance(walk, Trace))
    if events > LONGEST:
        raise BadInput(f"the player takes at most {LONGEST:,} events, not {events:,}")
    cells = sum(len(walk.board if isinstance(walk, Trace) else walk.ground) for walk in shown)
    if cells > LONGEST:
        together = " together" if len(shown) > 1 else ""
        raise BadInput(f"the player takes at most {LONGEST:,} cells{together}, not {cells:,}")


def _file(name: str) -> str:
    return resources.files("ktsolve.render.player").joinpath(name).read_text("utf-8")


HEIGHT = 480  # height of a frame in pixels, if no other is given


@dataclass(frozen=True)
class Player:
    """A page of the player, which a notebook shows in a frame.

    >>> Player("<!doctype html>", "A tour", height=300).frame()[:52]
    '<iframe title="A tour" width="100%" height="300" sty'
    """

    page: str  # the page, as :func:`player_html` makes it
    title: str  # name of the frame, for screen readers
    height: int = HEIGHT  # height of the frame in pixels. The boards fit it

    def frame(self) -> str:
        """Return the frame as an element of HTML. It contains the page, and loads nothing."""
        return (
            f'<iframe title="{html.escape(self.title)}" width="100%" height="{self.height}" '
            f'style="border:0" allowfullscreen srcdoc="{html.escape(self.page)}"></iframe>'
        )

    def _repr_html_(self) -> str:
        return self.frame()

    def __repr__(self) -> str:
        return f"<player of {self.title}: show it in a notebook, or write .page to a file>"
