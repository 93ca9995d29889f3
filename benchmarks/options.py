"""The options that the benchmarks share, the facts of a run, and the place of tables in a page."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

__all__ = ["at_least_one", "facts_text", "parser_of", "positive", "write_between"]


def parser_of(
    script: str, description: str, *, only: str, runs: int, limit: float, memory: float = 4.0
) -> argparse.ArgumentParser:
    """Return a parser with the shared options; ``only`` says what names there are."""
    parser = argparse.ArgumentParser(prog=script, description=description)
    parser.add_argument("--only", metavar="NAME", nargs="+", default=[], help=only)
    parser.add_argument(
        "--runs", metavar="N", type=at_least_one, default=runs, help=f"runs of each contender, default {runs}"
    )
    parser.add_argument(
        "--limit",
        metavar="SECONDS",
        type=positive,
        default=limit,
        help=f"time limit of each run, default {limit:g}",
    )
    parser.add_argument(
        "--memory",
        metavar="GIB",
        type=positive,
        default=memory,
        help=f"address space of each run, default {memory:g}",
    )
    parser.add_argument(
        "--markdown",
        metavar="FILE",
        type=Path,
        help="also write the tables to FILE, between its begin and end marks if it has them",
    )
    parser.add_argument("--list", action="store_true", help="print all names and the available contenders")
    return parser


def positive(text: str) -> float:
    """Read a finite number above 0, for argparse."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} must be more than 0")
    return value


def at_least_one(text: str) -> int:
    """Read a number of at least 1, for argparse."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} must be at least 1")
    return value


def facts_text(facts: Mapping[str, str], *, changed: bool, interrupted: bool) -> str:
    """Return a list of the facts of a run, with warnings."""
    lines = [f"- {key}: {value}" for key, value in facts.items()]
    if changed:
        lines.append("- **ktsolve changed during this run: the rows may belong to different versions**")
    if interrupted:
        lines.append("- **interrupted: some cases did not run**")
    return "\n".join(lines)


def write_between(file: Path, marks: tuple[str, str], text: str) -> None:
    """Write a text to a file, between its two marks if it has them."""
    old = file.read_text("utf-8") if file.exists() else ""
    before, begin, rest = old.partition(marks[0])
    _, end, after = rest.partition(marks[1])
    new = f"{before}{begin}\n\n{text}\n\n{end}{after}" if begin and end else f"{text}\n"
    file.write_text(new, "utf-8")
