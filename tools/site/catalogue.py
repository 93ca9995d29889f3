"""The page of published values, from the catalogue that ``ktsolve verify`` checks."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib import resources
from typing import Any

from ktsolve.verify.published import linked

HEAD = """# Published values

Values from publications, with which `ktsolve verify` compares the results of the engines. None of them was
computed by ktsolve. Tours and cycles are undirected; rotations and reflections count as different. This page
is made from `ktsolve/data/published.toml`.
"""

SECTIONS = {
    "classes": "Closed tours up to symmetry",
    "graph": "Hamiltonian cycles of graphs",
    "sudoku": "Sudoku grids",
}
"""Headings of the other sections of the file."""

_NUMBER = re.compile(r"\b\d{4,}\b")


def page() -> str:
    """Return the page as Markdown: tables of tours, and one table for each other section of the file."""
    text = resources.files("ktsolve.data").joinpath("published.toml").read_text("utf-8")
    data = tomllib.loads(text)
    values = data.pop("value")
    plain = {
        closed: [each for each in values if each["problem"] == {"closed": closed}] for closed in (True, False)
    }
    others = [each for each in values if len(each["problem"]) > 1]
    lines = [HEAD]
    for closed, entries in plain.items():
        lines += [
            f"## {'Closed' if closed else 'Open'} tours\n",
            *_table("board|tours:|source", _tours(entries)),
            *_notes(entries),
            "",
        ]
    lines += ["## Tours with conditions\n", *_table("problem|board|tours:|source", _conditioned(others)), ""]
    for name, entries in data.items():
        head, rows = _ROWS[name]
        lines += [f"## {SECTIONS[name]}\n", *_table(head, rows(entries)), ""]
    return "\n".join(lines)


def _table(head: str, rows: Iterable[tuple[str, ...]]) -> list[str]:
    """The lines of a table; columns whose title ends with a colon are aligned right."""
    titles = head.split("|")
    sides = ["---:" if title.endswith(":") else "---" for title in titles]
    cells = [[title.rstrip(":") for title in titles], sides, *rows]
    return [f"| {' | '.join(row)} |" for row in cells]


def _tours(entries: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    for entry in entries:
        for board, number in entry["counts"].items():
            yield board, f"{int(number):,}", _source(entry)


def _conditioned(entries: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    for entry in entries:
        for row in _tours([entry]):
            yield _problem(entry["problem"]), *row


def _classes(entries: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    for entry in entries:
        for size, number in entry["sizes"].items():
            yield entry["board"], size, f"{int(number):,}", _source(entry)


def _graphs(entries: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    for entry in entries:
        for graph, number in entry["cycles"].items():
            classes = entry.get("classes", {}).get(graph)
            up_to = "" if classes is None else f"{int(classes):,}"
            yield f"`graph:{graph}`", f"{int(number):,}", up_to, _source(entry)


def _sudoku(entries: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    for entry in entries:
        numbers = (entry.get(key) for key in ("grids", "different", "without_transposition"))
        shown = ["" if number is None else f"{int(number):,}" for number in numbers]
        stages = (
            f"; from bands to classes: {', '.join(map(str, entry['stages']))}" if "stages" in entry else ""
        )
        yield entry["box"], *shown, _source(entry) + _separated(stages.replace(", ", "; "))


_ROWS = {
    "classes": ("board|tours in a class:|classes:|source", _classes),
    "graph": ("graph|cycles:|up to automorphism:|source", _graphs),
    "sudoku": ("box|grids:|up to symmetry:|without transposition:|source", _sudoku),
}


def _source(entry: dict[str, Any]) -> str:
    return linked(_separated(entry["source"]))


def _notes(entries: list[dict[str, Any]]) -> list[str]:
    """What to be careful about, below the table."""
    notes = [f"- {_source(entry)}: {_separated(entry['note'])}." for entry in entries if "note" in entry]
    return ["", *notes] if notes else []


def _separated(text: str) -> str:
    """The text with separated thousands; what may be a year is left as it is."""

    def shown(found: re.Match[str]) -> str:
        number = int(found[0])
        return found[0] if 1500 <= number < 2100 else f"{number:,}"

    return _NUMBER.sub(shown, text)


def _problem(problem: dict[str, Any]) -> str:
    parts = ["closed" if problem["closed"] else "open"]
    for key, value in problem.items():
        if key != "closed":
            parts.append(f"{key} {','.join(map(str, value)) if isinstance(value, list) else value}")
    return ", ".join(parts)
