"""Subjects of pictures, read from files: tours, counts by start, bands of sudoku."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.formats.tours.common import json_object
from ktsolve.formats.tours.files import Change, read_tour, read_tours, states_non_crossing
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.symmetry import Symmetry
from ktsolve.graphs.tour import Tour
from ktsolve.problem.non_crossing import NonCrossingProblem
from ktsolve.render.boards.heat import Heat, counted_heat, moves_heat
from ktsolve.render.puzzle_subjects import read_sudoku
from ktsolve.render.subject import Reader, Source

if TYPE_CHECKING:
    from ktsolve.graphs.step_arrays import Steps

__all__ = [
    "Counts",
    "Tours",
    "Visits",
    "read_counts",
    "read_non_crossing",
    "read_subject",
    "subject_of_result",
]


@dataclass(frozen=True)
class Tours:
    """One tour or several, all valid; or one non-crossing walk over some of the cells."""

    tours: tuple[Tour, ...]
    non_crossing: bool = False


@dataclass(frozen=True, eq=False)
class Visits:
    """A large tour as step numbers; the picture shows when each cell is visited."""

    steps: Steps


@dataclass(frozen=True)
class Counts:
    """Numbers of tours that begin or end in each cell of a board, or that use each move."""

    board: Board
    heat: Heat
    title: str


def read_subject(
    text: str,
    board: Graph | None = None,
    closed: bool | None = None,
    change: Change | None = None,
    readers: Iterable[Reader] = (),
) -> Any:
    r"""Read the subject of a picture.

    Parameters
    ----------
    text:
        One tour or several, as for :func:`ktsolve.formats.tours.files.read_tours`; or the JSON that
        ``count --by``, ``non-crossing`` and ``census report`` print; or what a reader reads.
    board, closed, change:
        As for :func:`ktsolve.formats.tours.files.read_tour`.
    readers:
        Readers of other subjects, those of wings. They are called again if the text has no valid tour.

    Raises
    ------
    BadInput
        If a tour is none, with its first violation, or there is nothing to draw.

    Examples
    --------
    >>> subject = read_subject("1 6 3\n4 . 8\n7 2 5\n\n3 6 1\n8 . 4\n5 2 7\n")
    >>> [tour.names() for tour in subject.tours]
    ['a3 b1 c3 a2 c1 b3 a1 c2', 'c3 b1 a3 c2 a1 b3 c1 a2']
    """
    if (walk := read_non_crossing(text, board, closed, change)) is not None:
        return Tours((walk,), non_crossing=True)
    source = Source(text, json_object(text), board, closed)
    every = (*readers, read_counts)
    if (subject := _read(every, source)) is not None:
        return subject
    try:
        return Tours(tuple(read_tours(text, board, closed, change)))
    except BadInput:
        if (subject := _read(every, replace(source, refused=True))) is not None:
            return subject
        raise


def _read(readers: Iterable[Reader], source: Source) -> Any:
    """The subject by the first reader that reads the source; None if no reader does."""
    try:
        return next((found for reader in readers if (found := reader(source)) is not None), None)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, BadInput) or not source.data:
            raise
        raise BadInput(
            f"the JSON is not what ktsolve prints: {type(error).__name__}: {shown(str(error))}"
        ) from None


def read_non_crossing(
    text: str, board: Graph | None = None, closed: bool | None = None, change: Change | None = None
) -> Tour | None:
    """The walk that ``ktsolve non-crossing`` wrote, in any format, or None if the text is something else.

    Raises
    ------
    BadInput
        If the text states that it is such a walk and it is none, with the first violation.

    Examples
    --------
    >>> text = '{"walk": "non-crossing", "board": "3x3", "closed": false, "squares": [[0, 0], [1, 2]]}'
    >>> read_non_crossing(text).names(), read_non_crossing("a1 b3") is None
    ('a3 c2', True)
    """
    if not states_non_crossing(text):
        return None
    walk = read_tour(text, board, closed, change)
    violation = NonCrossingProblem(walk.board, walk.closed).check(walk)
    if violation is not None:
        raise BadInput(f"not a non-crossing walk: {violation}")
    return walk


def subject_of_result(data: dict[str, Any]) -> Any:
    """The counts or digits in the JSON of a command.

    Raises
    ------
    BadInput
        If it has none.
    """
    found = _read((read_counts, read_sudoku), Source("", json.loads(json.dumps(data))))
    if found is None:
        raise BadInput("there is nothing to draw in the answer")
    return found


def read_counts(source: Source) -> Counts | None:
    """Read the counts in the JSON that a command printed; None for anything else."""
    data = source.data
    if data.get("tours") == [] and "squares" not in data:
        raise BadInput("the input holds no tour")
    if isinstance(data.get("problem"), dict) and "count" in data:
        return _counts(data)
    return None


def _counts(data: dict[str, Any]) -> Counts:
    if data.get("complete") is False:
        raise BadInput(f"the census is not done: {data['counted']} of {data['total']} jobs are counted")
    if "by_moves" in data:
        return _move_counts(data)
    # A census has a job for each class of ends.
    listed = [each for each in data.get("classes", data.get("jobs", ())) if "cells" in each]
    if not listed:
        raise BadInput(
            "the input is one number, which has no picture: count with --by start or --by endpoints"
        )
    board, group = _board_and_group(data["problem"])
    classes = [(tuple((int(r), int(c)) for r, c in each["cells"]), int(each["count"])) for each in listed]
    heat = counted_heat(board, classes, group)
    return Counts(board, heat, f"Open tours of {board} by their ends")


def _move_counts(data: dict[str, Any]) -> Counts:
    board, _ = _board_and_group(data["problem"])
    counts = {}
    for each in data["by_moves"]:
        for ends in each["moves"]:
            a, b = (board.cell((int(r), int(c))) for r, c in ends)
            counts[board.move((a, b))] = int(each["count"])
    kind = "Closed" if data.get("kind") == "closed" else "Open"
    return Counts(board, moves_heat(counts), f"{kind} tours of {board} by their moves")


def _board_and_group(problem: dict[str, Any]) -> tuple[Board, tuple[Symmetry, ...]]:
    """The board of a problem in JSON, and the symmetries up to which its classes are counted."""
    from ktsolve.problem.problem import TourProblem

    conditions = dict(problem)
    board = Board.from_json(conditions.pop("board"))
    if isinstance(at := conditions.get("at"), dict):
        conditions["at"] = {int(step): cell for step, cell in at.items()}
    return board, TourProblem(board=board, **conditions).automorphisms
