"""Puzzles in files, with their solutions: any layout of ``grids/sudoku_text.py``, and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.formats.tours.common import is_read, parse_json
from ktsolve.grids.box import Box, Grid
from ktsolve.grids.sudoku_text import PUZZLE_NAMES, SOLUTION_NAMES, read_grids
from ktsolve.wings.sudoku.puzzle import Puzzle

__all__ = ["Given", "read_sudokus"]

_LISTS = ("puzzles", "grids", "list", "newboard")
"""Names of lists of puzzles in JSON."""


@dataclass(frozen=True)
class Given:
    """A puzzle, and the solution that its file gives."""

    puzzle: Puzzle
    solution: Grid | None = None

    def fault(self) -> str:
        """Why the given solution is wrong; empty if it is right, or not given."""
        return "" if self.solution is None else self.puzzle.violation(self.solution)


def read_sudokus(text: str, box: Box | None = None, digits: str | None = None) -> list[Given]:
    r"""The puzzles of a text or of JSON, in their order.

    >>> [str(given.puzzle.box) for given in read_sudokus('["1.....2..3.....4", "1..............."]')]
    ['2x2', '2x2']
    """
    stripped = text.strip("\ufeff \t\r\n")
    values = _json_values(stripped)
    if values is None:
        found = read_grids([(text, "")], box, digits)
    else:
        boxes = {Box.parse(each) for each in _named("box", values)} | ({box} if box else set())
        signs = _named("digits", values) | ({digits} if digits else set())
        if len(boxes) > 1 or len(signs) > 1:
            several = sorted(map(str, boxes)) if len(boxes) > 1 else sorted(signs)
            raise BadInput(f"the puzzles are of {' and '.join(several)}: give one of these")
        texts = [each for value in values for each in _of_json(value)]
        found = read_grids(texts, next(iter(boxes), None), next(iter(signs), None), places=False)
    given = []
    for number, each in enumerate(found, 1):
        try:
            given.append(Given(Puzzle(each.box, each.grid, each.digits), each.solution))
        except BadInput as error:
            raise BadInput(f"puzzle {number}: {error}" if len(found) > 1 else str(error)) from None
    return given


def _named(key: str, values: list[Any]) -> set[str]:
    """The texts that JSON objects have at a key."""
    return {each[key] for each in values if isinstance(each, dict) and isinstance(each.get(key), str)}


def _json_values(text: str) -> list[Any] | None:
    """The values of JSON or JSON lines; None for other texts, such as lists of Python."""
    if not text.startswith(("[", "{")):
        return None
    if is_read(lambda: parse_json(text, "")):
        return [json.loads(text)]
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and all(is_read(lambda line=line: parse_json(line, "")) for line in lines):  # type: ignore[misc]
        return [json.loads(line) for line in lines]
    if text.startswith("{"):
        parse_json(text, "the puzzle looks like JSON but is not")
    return None


def _of_json(value: Any) -> Iterator[tuple[str, str]]:
    """The text of each puzzle in JSON, and that of its solution."""
    if isinstance(value, dict):
        names = {name.lower(): name for name in value}
        puzzle = next((value[names[name]] for name in PUZZLE_NAMES if name in names), None)
        solutions = (value[names[name]] for name in SOLUTION_NAMES if name in names)
        if puzzle is not None:
            # What ``ktsolve sudoku solve`` prints has the solution as its grid.
            own = value["grid"] if "grid" in value and "puzzle" in value else None
            yield _as_text(puzzle), _as_text(next(solutions, own) or "")
            return
        for name in _LISTS:
            if name in names:
                yield from _of_json(value[names[name]])
                return
        raise BadInput(
            f"the JSON has no puzzle among the keys {shown(list(value))}: "
            'give "puzzle", a text or a list of rows'
        )
    if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
        for each in value:
            yield from _of_json(each)
        return
    yield _as_text(value), ""


def _as_text(value: Any) -> str:
    """Lists of JSON as lines: each innermost list is one, with commas."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        raise BadInput(f"the JSON has no puzzle: {shown(value)} is not a list of rows or a text")
    if any(isinstance(each, list) or (isinstance(each, str) and len(each) > 3) for each in value):
        return "\n".join(map(_as_text, value))
    if any(isinstance(each, bool | dict) for each in value):
        raise BadInput(f"the JSON has no puzzle: {shown(value)} are not cells")
    return ",".join("" if each is None else str(each) for each in value)
