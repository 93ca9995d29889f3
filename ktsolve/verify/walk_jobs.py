"""The jobs of the cross-check about walks: judged tours by every rule, and starts that have none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ktsolve.engines.registry import engine_named
from ktsolve.engines.walk.rules import RULES
from ktsolve.engines.walk.walk import repaired_walk, walk
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Settings
from ktsolve.verify.jobs import IdentitySays

__all__ = ["StartsJob", "WalksJob", "walk_jobs"]

_REPAIRED = (
    ("quick", ("5x6", "3x20", "20x20", "31x50")),
    ("standard", ("3x200", "100x101", "200x200")),
    ("full", ("1000x1000",)),
)

_LEVELS = ("quick", "standard", "full")


@dataclass(frozen=True)
class WalksJob:
    """Walk over boards by every rule, and have every tour judged.

    Attributes
    ----------
    sizes:
        Squares for walks with backtracking, any boards for repaired ones, open and closed.
    repaired:
        Which of the two.
    """

    sizes: tuple[str, ...]
    repaired: bool
    settings: Settings
    sabotaged: bool = False

    def __call__(self) -> IdentitySays:
        """Tours asked for, and tours found and right."""
        asked = right = 0
        wrong = []
        for size in self.sizes:
            for closed in (True, False):
                for rule in RULES if not self.repaired else ("home", "random"):
                    problem = TourProblem(board=size, closed=closed)
                    if closed and problem.obstruction() is not None:
                        continue
                    asked += 1
                    tour = self._tour(problem, rule)
                    fault = "no tour" if tour is None else problem.check(tour)
                    right += fault is None
                    if fault is not None:
                        wrong.append(f"{problem} by {rule}: {fault}")
        said = f"{asked} tours by {2 if self.repaired else len(RULES)} rules"
        return IdentitySays(f"{said}, {right} right: {'; '.join(wrong[:3])}" if wrong else said, said)

    def _tour(self, problem: TourProblem, rule: str) -> Tour | None:
        if self.repaired:
            tour = repaired_walk(problem, rule, settings=self.settings, attempts=200).tour
        else:
            tour = walk(problem, rule, settings=self.settings, most_nodes=1_000_000).tour
        if tour is not None and self.sabotaged:
            first, second, *rest = tour.squares
            return Tour(tour.board, (second, first, *rest), tour.closed)
        return tour


@dataclass(frozen=True)
class StartsJob:
    """From which cells do open tours begin? Every walk tried from each, against the engine ``search``."""

    size: str
    settings: Settings
    sabotaged: bool = False

    def __call__(self) -> IdentitySays:
        """The starts by either."""
        board = TourProblem(board=self.size, closed=False).board
        search = engine_named("search")
        walked, searched = [], []
        for cell in board.cells:
            problem = TourProblem(board=board, closed=False, start=cell)
            found = walk(problem, settings=self.settings)
            if found.tour is not None or not found.exhausted:
                walked.append(board.name(cell))
            if search.construct(problem, self.settings) is not None:
                searched.append(board.name(cell))
        if self.sabotaged:
            walked = walked[1:]
        sides = [f"{len(starts)} of {len(board)} starts: {' '.join(starts)}" for starts in (walked, searched)]
        return IdentitySays(*(text if sides[0] != sides[1] else text.partition(":")[0] for text in sides))


def walk_jobs(
    level: str, settings: Settings, sabotaged: str | None
) -> Iterator[tuple[str, Callable[[], IdentitySays]]]:
    """Names and jobs of a level and of those below it."""
    broken = sabotaged == "walk"
    for size in ("3x4", "4x5", "5x5"):
        yield f"starts of open tours {size} (walk)", StartsJob(size, settings, broken)
    yield "walks 6x6 to 10x10 (walk)", WalksJob(("6x6", "8x8", "9x9", "10x10"), False, settings, broken)
    for at, sizes in _REPAIRED:
        if _LEVELS.index(at) <= _LEVELS.index(level):
            for size in sizes:
                yield f"repaired walks {size} (walk)", WalksJob((size,), True, settings, broken)
