"""Jobs of the cross-check about eager encodings: the tours that they list, and those of search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ktsolve.ground.board import Board
from ktsolve.model.encode import EAGER
from ktsolve.problem.problem import TourProblem
from ktsolve.verify.engine_jobs import answer
from ktsolve.verify.jobs import Context, Job, Sides

__all__ = ["encoding_jobs", "listed_in_encoding"]

_SMALL = (
    TourProblem(board="3x10", closed=True),
    TourProblem(board="5x6", closed=True),
    TourProblem(board="4x4", closed=True),
    TourProblem(board="3x8", closed=True),
    TourProblem(board="3x7", closed=False),
    TourProblem(board="4x5", closed=False, start="a1"),
    TourProblem(board=Board.parse("4x4", without="a1 a4 d1 d4"), closed=False),
    TourProblem(board=Board.parse("4x5", wrap="x"), closed=True, require=["a1-b3"]),
    TourProblem(board=Board.parse("4x4", leaper=(0, 1)), closed=True),
)
"""With and without tours, closed and open, whole, with holes, wrapped, for another piece."""

_LARGER = (
    TourProblem(board="6x6", closed=True),
    TourProblem(board="5x5", closed=False, start="a1"),
)


def listed_in_encoding(context: Context, encoding: str, problems: tuple[TourProblem, ...]) -> Sides:
    """The numbers of tours of each problem in an encoding and by search; the tours are compared as sets."""
    eager = replace(context, settings=replace(context.settings, encoding=encoding))
    left, right = [], []
    for problem in problems:
        here, there = answer(eager, problem, "sat"), answer(context, problem, "search")
        others = len((here.tours or frozenset()) - (there.tours or frozenset()))
        fault = here.fault or (f"of which {others} are not by search" if others else "")
        left.append(f"{here.count} {fault}".rstrip())
        right.append(str(there.count))
    return Sides(", ".join(left) + " tours", ", ".join(right) + " tours")


def encoding_jobs(_level: str) -> Iterator[Job]:
    """Jobs of encodings."""
    for encoding in EAGER:
        yield Job(f"encoding {encoding}", listed_in_encoding, (encoding, _SMALL), seconds=2.0)
        name = f"encoding {encoding}, larger"
        yield Job(name, listed_in_encoding, (encoding, _LARGER), "standard", seconds=2.0)
