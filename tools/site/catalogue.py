"""The page of published values, from the catalogue that ``ktsolve verify`` checks."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

HEAD = """# Published values

Published values with which `ktsolve verify` compares the results of the engines. Tours are undirected;
rotations and reflections count as different. None of the values was computed by ktsolve. This page is made
from `ktsolve/data/published.toml`.
"""


def page() -> str:
    """Return the page as Markdown: a table of tours, and one table for each other section of the file."""
    text = resources.files("ktsolve.data").joinpath("published.toml").read_text("utf-8")
    data = tomllib.loads(text)
    parts = [HEAD, "## Tours\n", "| problem | board | tours | source |", "| --- | --- | ---: | --- |"]
    for entry in data.pop("value"):
        problem = _problem(entry["problem"])
        source = entry["source"] + (f" ({entry['note']})" if "note" in entry else "")
        parts += [f"| {problem} | {board} | {int(n)} | {source} |" for board, n in entry["counts"].items()]
    for name, entries in data.items():
        parts += [
            "",
            f"## {name.capitalize()}\n",
            *_table(entries if isinstance(entries, list) else [entries]),
        ]
    return "\n".join(parts) + "\n"


def _problem(problem: dict[str, Any]) -> str:
    parts = ["closed" if problem["closed"] else "open"]
    parts += [f"{key} {_shown(value)}" for key, value in problem.items() if key != "closed"]
    return ", ".join(parts)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_shown(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    return str(value)


def _table(entries: list[dict[str, Any]]) -> list[str]:
    keys = list(dict.fromkeys(key for entry in entries for key in entry))
    lines = [f"| {' | '.join(keys)} |".replace("_", " "), f"|{' --- |' * len(keys)}"]
    return lines + [f"| {' | '.join(_shown(entry.get(key, '')) for key in keys)} |" for entry in entries]
