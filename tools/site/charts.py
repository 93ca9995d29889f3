"""Bar charts of the tables of ``docs/benchmarks.md``: ktsolve beside the best rival, for each task."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from drawing import FAINT, FIRST, INK, SECOND, at, drawing, stroke

from ktsolve.render.scene.shapes import Rect, Shape, Text

PAGE = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"

RIVALS = ("ortools", "elkai", "clingo", "networkx", "graphillion", "graphillion-1", "warnsdorff")
"""The columns and rows of the tables that are not engines of ktsolve."""

LEAST = 0.001
"""Where the axis begins, in seconds: shorter bars would show the noise of the clock."""

LEFT, WIDTH, RIGHT = 7.0, 9.5, 5.5
"""The room for names, bars and what is written behind them, in cells."""


class Row(NamedTuple):
    """A case, the time of ktsolve, and the best rival with its time; None if all failed."""

    case: str
    ours: float | None
    rival: str
    theirs: float | None


def _table(heading: str) -> Iterator[dict[str, str]]:
    """The rows of the first table below a heading."""
    section = PAGE.read_text("utf-8").partition(f"\n### {heading}\n")[2]
    lines = re.findall(r"^\|(.*)\|$", section.lstrip().partition("\n\n")[0], re.MULTILINE)
    head, _, *rows = ([cell.strip(" *`") for cell in line.split("|")] for line in lines)
    yield from (dict(zip(head, row, strict=True)) for row in rows)


def _seconds(cell: str) -> float | None:
    """The median in a cell; None for a failure."""
    found = re.match(r"[\d.]+", cell)
    return float(found[0]) if found else None


def _best(times: dict[str, float | None]) -> tuple[str, float | None]:
    return min(times.items(), key=lambda item: math.inf if item[1] is None else item[1])


def _wide(heading: str) -> list[Row]:
    """The rows of a table with a column for each program: ktsolve is its column ``auto``."""
    return [
        Row(
            row["graph"],
            _seconds(row["auto"]),
            *_best({name: _seconds(row[name]) for name in RIVALS if name in row}),
        )
        for row in _table(heading)
    ]


def _long(heading: str) -> list[Row]:
    """The rows of a table with a row for each program: ktsolve is its best engine."""
    times: dict[str, dict[str, float | None]] = {}
    for row in _table(heading):
        case = row.get("tours") or row["tour"]
        times.setdefault(case, {})[row["engine"]] = _seconds(row["work s"])
    rows = []
    for case, found in times.items():
        ours = _best({name: time for name, time in found.items() if name not in RIVALS})[1]
        theirs = {name: time for name, time in found.items() if name in RIVALS}
        if theirs:
            rows.append(Row(case, ours, *_best(theirs)))
    return rows


def _chart(title: str, rows: list[Row], limit: float) -> str:
    """Two bars for each row, on a logarithmic axis from a millisecond to the limit."""

    def x(seconds: float) -> float:
        return LEFT + WIDTH * math.log(max(seconds, LEAST) / LEAST) / math.log(limit / LEAST)

    shapes: list[Shape] = [
        Text(*at(LEFT, 0.5), f"{title}: ktsolve", 11, FIRST, "start", bold=True),
        Text(*at(LEFT + WIDTH + RIGHT - 0.2, 0.5), "best rival", 11, SECOND, "end", bold=True),
    ]
    bottom = 1.2 + len(rows)
    for power in range(-3, 2):
        if (seconds := 10.0**power) <= limit:
            shapes.append(stroke([at(x(seconds), 1), at(x(seconds), bottom)], FAINT, 0.5, (2, 3)))
            shapes.append(Text(*at(x(seconds), bottom + 0.35), f"{seconds:g} s", 9, FAINT))
    for number, row in enumerate(rows):
        top = 1.15 + number
        shapes.append(Text(*at(LEFT - 0.2, top + 0.38), row.case, 9, INK, "end"))
        for place, (time, name, colour) in enumerate(
            ((row.ours, "", FIRST), (row.theirs, row.rival, SECOND))
        ):
            y = top + 0.4 * place
            end = limit if time is None else time
            wide = max(0.08, x(end) - LEFT)
            (left, high), (right, low) = at(LEFT, y), at(LEFT + wide, y + 0.34)
            shapes.append(Rect(left, high, right - left, low - high, colour))
            said = (
                f"{name} {end:g} s"
                if time is not None
                else f"{'none' if name else 'not'} within {limit:g} s and 4 GiB"
            )
            shapes.append(Text(*at(LEFT + wide + 0.15, y + 0.17), said.strip(), 8.5, INK, "start"))
    return drawing(
        LEFT + WIDTH + RIGHT, bottom + 0.7, f"{title}: times of ktsolve and of the best other program", shapes
    )


CHARTS: dict[str, Callable[[], str]] = {
    "bars-finding": lambda: _chart("Finding a cycle of a graph", _wide("Finding a cycle"), 4),
    "bars-counting": lambda: _chart("Counting all cycles of a graph", _wide("Counting all cycles"), 4),
    "bars-refuting": lambda: _chart("Showing that a graph has no cycle", _wide("Refuting"), 4),
    "bars-counted": lambda: _chart("Counting the tours of a board", _long("Counting"), 60),
    "bars-listed": lambda: _chart("Listing the tours of a board", _long("Listing all tours"), 60),
    "bars-constructed": lambda: _chart("Constructing one tour", _long("Constructing one tour"), 60),
}
"""The charts by the names of their files; the last number is the time limit of the table, in seconds."""
