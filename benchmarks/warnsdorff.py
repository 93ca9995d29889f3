"""Tables and maps of docs/warnsdorff.md: the best start of a walk by Warnsdorff's rule.

``python benchmarks/warnsdorff.py [--only STUDY ...] [--boards SIDES] [--csv FILE] [--maps FOLDER]`` prints
tables. All of them take about ten minutes on one core; the results do not depend on the machine.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from heat import heat_svg, heat_text
from walks import ZONES, Field, Tally, sampled

from ktsolve.engines.walk.rules import RULES
from ktsolve.graphs.notation import Cell
from ktsolve.render.text_table import Column, fitted

__all__ = ["main"]

EVEN = (6, 8, 10, 12, 16, 20, 30, 50, 100)
ODD = (7, 9, 15, 21, 51)
MOST_STARTS = 400
MAPPED = 20
TEXT_COLUMNS = ("board", "rule", "start", "home", "aim")

Row = list[str]
Kept = dict[tuple[int, str, str, Cell], Tally]
"""Statistics of single starts, by side of the board, rule, closed or open, and start."""


@dataclass
class Study:
    """A table: its columns, its boards, and a function that returns the rows of a board."""

    head: Sequence[str]
    boards: Sequence[int]
    rows: Callable[[Field, Kept], Iterable[Row]]


def _seeds(field: Field, rule: str) -> range:
    """Return the seeds of the walks from a start: more on small boards, one for the rule ``first``."""
    if rule == "first":
        return range(1)
    return range(1, 1 + max(1, 4000 // len(field.cells)))


def _starts(field: Field) -> list[Cell]:
    return sampled(field, MOST_STARTS // 2 if field.side >= 100 else MOST_STARTS)


def _by_zone(field: Field, tallies: dict[Cell, Tally]) -> Row:
    zones = [
        [tally for cell, tally in tallies.items() if field.zone(cell) == zone] for zone in range(len(ZONES))
    ]
    return [Tally.total(zone).rate if zone else "-" for zone in zones]


def _starts_table(closed: bool) -> Study:
    """Return the table of the tours found for every start and rule, by the zone of the start."""
    kind = "closed" if closed else "open"

    def rows(field: Field, kept: Kept) -> Iterator[Row]:
        for rule in RULES:
            tallies: dict[Cell, Tally] = {}
            for start in _starts(field):
                if field.side % 2 and sum(start) % 2:
                    continue  # no tour begins on the less frequent colour
                walker = field.walker(rule, start)
                walk = field.closed if closed else field.open
                tallies[start] = Tally.of(walk(walker, start, _seeds(field, rule)), len(field.cells))
                kept[field.side, rule, kind, start] = tallies[start]
            total = Tally.total(tallies.values())
            last = [total.median] if closed else [f"{total.reached:.2f}"]
            yield [f"{field.side}x{field.side}", rule, total.rate, *_by_zone(field, tallies), *last]

    last = "steps back" if closed else "reached"
    return Study(("board", "rule", "all", *ZONES, last), EVEN if closed else sorted(EVEN + ODD), rows)


def _homes(field: Field, _: object) -> Iterator[Row]:
    """Yield the tours found, by start and by the required end."""
    corner, inner = (0, 0), (field.middle[0], field.middle[0])
    for rule in ("centre", "random"):
        walker = field.walker(rule)
        for start, home in ((corner, corner), (corner, inner), (inner, corner), (inner, inner)):
            tally = Tally.of(field.closed(walker, start, range(1, 101), home), len(field.cells))
            names = ["corner" if cell == corner else "middle" for cell in (start, home)]
            yield [f"{field.side}x{field.side}", rule, *names, tally.rate, tally.median]


def _aims(field: Field, kept: Kept) -> Iterator[Row]:
    """Yield the tours found, by start, where ties go to the cell farther from a chosen cell."""
    quarter = field.side // 4
    places = {
        "corner": (0, 0),
        "quarter": (quarter, quarter),
        "middle": field.middle,
        "far quarter": (field.side - 1 - quarter,) * 2,
    }
    for aim in ("corner", "quarter", "middle"):
        walker = field.walker("aim", places[aim])
        rates = [
            Tally.of(field.closed(walker, start, range(1, 101)), len(field.cells)).rate
            for start in places.values()
        ]
        yield [f"{field.side}x{field.side}", aim, *rates]
        if field.side == MAPPED:
            for start in field.cells:
                reports = field.closed(walker, start, _seeds(field, aim))
                kept[field.side, f"aim-{aim}", "closed", start] = Tally.of(reports, len(field.cells))


def _ends(field: Field, _: object) -> Iterator[Row]:
    """Yield where complete walks end, and when they visit each zone."""
    rings = np.array([field.ring(cell) for cell in field.cells]) / field.ring(field.middle)
    zones = np.array([field.zone(cell) for cell in field.cells])
    for rule in ("centre", "random"):
        for name, start in (("corner", (0, 0)), ("middle", field.middle)):
            walker = field.walker(rule)
            whole = [report.path for report in field.open(walker, start, range(1, 101)) if report.found]
            row = [f"{field.side}x{field.side}", rule, name, f"{len(whole) / 100:.2f}"]
            if not whole:
                yield [*row, *["-"] * 7]
                continue
            when = np.zeros(len(field.cells))
            for path in whole:
                when[path] += np.arange(len(path)) / len(path) / len(whole)
            tenth = len(field.cells) // 10
            first = np.mean([rings[path[:tenth]].mean() for path in whole])
            last = np.mean([rings[path[-1]] for path in whole])
            yield [*row, f"{first:.2f}", f"{last:.2f}", *(f"{when[zones == z].mean():.2f}" for z in range(5))]


def _ways(field: Field, _: object) -> Iterator[Row]:
    """Yield the tours found from the middle with eight, four and two allowed moves there."""
    inner = field.middle
    moves = [move for move in field.problem.board.moves if inner in move]
    for rule in ("centre", "random"):
        for left in (8, 4, 2):
            fewer = Field(field.side, forbid=moves[left:])
            tally = Tally.of(fewer.closed(fewer.walker(rule), inner, range(1, 101)), len(field.cells))
            yield [f"{field.side}x{field.side}", rule, str(left), tally.rate, tally.median]


def _colours(field: Field, _: object) -> Iterator[Row]:
    """Yield the tours found on odd boards, by the colour of the start."""
    for rule in ("centre", "random"):
        tallies: dict[int, list[Tally]] = {0: [], 1: []}
        for start in _starts(field):
            reports = field.open(field.walker(rule), start, _seeds(field, rule))
            tallies[sum(start) % 2].append(Tally.of(reports, len(field.cells)))
        both = [Tally.total(tallies[colour]) for colour in (0, 1)]
        reached = [f"{tally.reached:.2f}" for tally in both]
        yield [f"{field.side}x{field.side}", rule, both[0].rate, both[1].rate, *reached]


def _shifts(field: Field, _: object) -> Iterator[Row]:
    """Yield the tours found from random cells, and from the middle with renumbering."""
    chosen = sampled(field, 100)
    ways = {
        "centre, there": ("centre", False),
        "centre, shifted": ("centre", True),
        "roth, shifted": ("roth", True),
        "home, there": ("home", False),
    }
    row = [f"{field.side}x{field.side}"]
    for rule, shifted in ways.values():
        tallies = []
        for seed, cell in enumerate(chosen, 1):
            start = field.middle if shifted else cell
            reports = field.closed(field.walker(rule, start), start, [seed])
            tallies.append(Tally.of(reports, len(field.cells)))
        total = Tally.total(tallies)
        row += [total.rate, total.median]
    yield row


STUDIES = {
    "closed": _starts_table(closed=True),
    "open": _starts_table(closed=False),
    "homes": Study(("board", "rule", "start", "home", "found", "steps back"), (12, 20, 30, 50), _homes),
    "aims": Study(
        ("board", "aim", "from corner", "quarter", "middle", "far quarter"), (12, 20, 30, 50), _aims
    ),
    "ends": Study(
        ("board", "rule", "start", "whole", "first tenth", "last cell", *ZONES), (12, 20, 30, 50), _ends
    ),
    "ways": Study(("board", "rule", "ways", "found", "steps back"), (12, 20, 30, 50), _ways),
    "colours": Study(("board", "rule", "frequent", "rare", "reached", "reached, rare"), ODD, _colours),
    "shifts": Study(
        (
            *("board", "centre, there", "steps back", "centre, shifted", "steps back"),
            *("roth, shifted", "steps back", "home, there", "steps back"),
        ),
        EVEN,
        _shifts,
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the studies. Return the exit status."""
    parser = argparse.ArgumentParser(prog="warnsdorff.py", description="Walks by Warnsdorff's rule, studied.")
    parser.add_argument("--only", nargs="+", choices=STUDIES, default=list(STUDIES), metavar="STUDY")
    parser.add_argument(
        "--boards", type=int, nargs="+", metavar="SIDE", help="only squares of these sides, such as 30"
    )
    parser.add_argument("--csv", metavar="FILE", help="write the statistics of every start")
    parser.add_argument("--maps", metavar="FOLDER", help="write heat maps of the tours found from each start")
    options = parser.parse_args(arguments)
    kept: Kept = {}
    for name in options.only:
        study = STUDIES[name]
        boards = [side for side in study.boards if options.boards is None or side in options.boards]
        rows = [row for side in boards for row in study.rows(Field(side), kept)]
        columns = [Column(head, "l" if head in TEXT_COLUMNS else "r") for head in study.head]
        print(f"{name}\n", *fitted(columns, rows), "", sep="\n", flush=True)
    if options.csv:
        _write_csv(Path(options.csv), kept)
    if options.maps:
        _write_maps(Path(options.maps), kept)
    return 0


def _write_csv(path: Path, kept: Kept) -> None:
    with path.open("w", encoding="ascii", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("side", "rule", "kind", "row", "column", "runs", "found", "median_back", "reached"))
        for (side, rule, kind, cell), tally in kept.items():
            figures = (tally.runs, tally.found, tally.median, f"{tally.reached:.4f}")
            writer.writerow((side, rule, kind, *cell, *figures))


def _write_maps(folder: Path, kept: Kept) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for side, rule, kind in sorted({key[:3] for key in kept}):
        values = {
            key[3]: tally.found / tally.runs for key, tally in kept.items() if key[:3] == (side, rule, kind)
        }
        title = f"Share of {kind} tours found on {side}x{side} by the rule {rule}, by start"
        stem = folder / f"{kind}-{side}-{rule}"
        stem.with_suffix(".txt").write_text(f"{title}\n\n{heat_text(side, values)}\n", encoding="ascii")
        stem.with_suffix(".svg").write_text(heat_svg(side, values, title), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
