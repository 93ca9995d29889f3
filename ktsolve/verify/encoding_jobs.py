"""The jobs of the cross-check about eager encodings: the tours they list, against those of search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ktsolve.ground.board import Board
from ktsolve.model.encode import EAGER
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Settings
from ktsolve.verify.jobs import EngineJob, IdentitySays

__all__ = ["EncodingJob", "encoding_jobs"]

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


@dataclass(frozen=True)
class EncodingJob:
    """List the tours of some problems in an encoding, have each judged, and compare them as sets."""

    encoding: str
    problems: tuple[TourProblem, ...]
    settings: Settings
    sabotaged: str | None = None

    def __call__(self) -> IdentitySays:
        """What each problem's tours are in this encoding, and what they are by search."""
        said, expected = [], []
        for problem in self.problems:
            eager = replace(self.settings, encoding=self.encoding)
            here = EngineJob(problem, "sat", eager, self.sabotaged)()
            there = EngineJob(problem, "search", self.settings, self.sabotaged)()
            others = len((here.tours or frozenset()) - (there.tours or frozenset()))
            what = here.fault or (f"of which {others} are others" if others else "")
            said.append(f"{here.count} {what}".rstrip())
            expected.append(str(there.count))
        return IdentitySays(", ".join(said) + " tours", ", ".join(expected) + " tours")


def encoding_jobs(level: str, settings: Settings, sabotaged: str | None) -> Iterator[tuple[str, EncodingJob]]:
    """Names and jobs of a level and of those below it."""
    for encoding in EAGER:
        yield f"encoding {encoding}", EncodingJob(encoding, _SMALL, settings, sabotaged)
        if level != "quick":
            yield f"encoding {encoding}, larger", EncodingJob(encoding, _LARGER, settings, sabotaged)
