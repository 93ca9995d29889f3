"""The jobs of the cross-check about conditions: best values and uncrossed walks, each found in two ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ktsolve.ground.board import Board
from ktsolve.problem.conditions import parse_condition
from ktsolve.problem.non_crossing import UncrossedProblem
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistic import parse_objective
from ktsolve.settings import Settings
from ktsolve.tasks.clues import make_clues, solutions
from ktsolve.tasks.conflict import find_conflict
from ktsolve.tasks.enumerate import find_all
from ktsolve.tasks.find import find
from ktsolve.tasks.non_crossing import longest_non_crossing
from ktsolve.tasks.optimise import best
from ktsolve.verify.jobs import IdentitySays

__all__ = ["condition_jobs"]

_BEST = (
    ("6x6", "minimise", "obtuse", "quick"),
    ("6x6", "maximise", "straight", "quick"),
    ("5x6", "minimise", "crossings", "quick"),
    ("6x6", "minimise", "turns", "standard"),
    ("6x6", "maximise", "acute", "standard"),
    ("6x6", "maximise", "obtuse", "standard"),
    ("6x6", "maximise", "right", "full"),
    ("6x6", "minimise", "crossings", "full"),
)

# Side, closed, published length (OEIS A003192, A157416), engines, level.
_UNCROSSED = (
    (4, False, 5, ("search", "cpsat"), "quick"),
    (4, True, 4, ("search", "cpsat"), "quick"),
    (5, False, 10, ("search",), "quick"),
    (5, True, 8, ("search", "cpsat"), "standard"),
    (6, False, 17, ("search",), "quick"),
    (6, True, 12, ("search",), "quick"),
    (7, True, 24, ("search",), "standard"),
    (7, False, 24, ("search",), "full"),
)

_OFF = 1
"""What a sabotaged engine is off by."""


@dataclass(frozen=True)
class BestJob:
    """The best value over all closed tours: by CP-SAT, by SAT step by step, and from the list of them."""

    size: str
    sense: str
    quantity: str
    settings: Settings
    sabotaged: str | None = None

    def __call__(self) -> IdentitySays:
        """What the solvers say, and what the best of all tours is."""
        problem = TourProblem(board=self.size, closed=True)
        objective = parse_objective(self.sense, self.quantity, problem.board)
        listed = [objective.quantity.of(tour) for tour in find_all(problem, "search", self.settings)]
        expected = str((min if self.sense == "minimise" else max)(listed))
        said = []
        for engine in ("cpsat", "sat"):
            found = best(problem, objective, engine, self.settings)
            value = (found.value or 0) + (_OFF if engine == self.sabotaged else 0)
            said.append(str(value) if found.optimal else f"{value}, not proved")
        return IdentitySays(said[0] if said[0] == said[1] else " by cpsat, ".join(said) + " by sat", expected)


@dataclass(frozen=True)
class UncrossedJob:
    """The longest uncrossed walk of a square, against the published length."""

    side: int
    closed: bool
    length: int
    engines: tuple[str, ...]
    settings: Settings
    sabotaged: str | None = None

    def __call__(self) -> IdentitySays:
        """The lengths that the engines prove."""
        problem = UncrossedProblem(Board(self.side, self.side), self.closed)
        said = set()
        for engine in self.engines:
            found = longest_non_crossing(problem, engine, self.settings)
            length = found.length + (_OFF if engine == self.sabotaged else 0)
            said.add(f"{length} moves" if found.optimal else f"{length} moves, not proved")
        return IdentitySays(" and ".join(sorted(said)), f"{self.length} moves")


@dataclass(frozen=True)
class FewestObtuseJob:
    """Closed tours of the chessboard with fewer than four obtuse angles, and with four (Knuth 2025)."""

    settings: Settings
    sabotaged: str | None = None

    def __call__(self) -> IdentitySays:
        """None, and four tours that are one up to symmetry."""
        board = Board.parse("8x8")
        fewer, four = (
            TourProblem(board=board, closed=True, conditions=parse_condition("most", f"obtuse={most}", board))
            for most in (3, 4)
        )
        none = find(fewer, "sat", self.settings).tour is None
        tours = list(find_all(four, "sat", self.settings))[_OFF if self.sabotaged == "sat" else 0 :]
        classes = len({tour.canonical() for tour in tours})
        said = f"{'none' if none else 'some'} with 3; {len(tours)} with 4, {classes} up to symmetry"
        return IdentitySays(said, "none with 3; 4 with 4, 1 up to symmetry")


@dataclass(frozen=True)
class CluesJob:
    """A made puzzle has the one solution it was made from, whoever solves it."""

    size: str
    closed: bool
    settings: Settings
    sabotaged: str | None = None

    def __call__(self) -> IdentitySays:
        """How many solutions each engine finds."""
        made = make_clues(self.size, self.closed, seed=1)
        said = set()
        for engine in ("search", "sat", "cpsat"):
            found = list(solutions(made.problem, engine, self.settings))
            found = found * 2 if engine == self.sabotaged else found
            same = [tour.squares for tour in found] == [made.solution.squares]
            said.add("its own solution" if same else f"{len(found)} solutions by {engine}")
        return IdentitySays(" and ".join(sorted(said)), "its own solution")


@dataclass(frozen=True)
class ConflictJob:
    """Of clashing conditions those that clash are named, and no others."""

    settings: Settings

    def __call__(self) -> IdentitySays:
        """The conditions named."""
        problem = TourProblem(
            board="6x6", closed=False, start="a1", end="c3", require=["b1-d2"], forbid=["d4-f5"]
        )
        return IdentitySays("; ".join(find_conflict(problem, 20.0, self.settings).texts), "start a1; end c3")


def condition_jobs(
    level: str, settings: Settings, sabotaged: str | None
) -> Iterator[tuple[str, Callable[[], IdentitySays]]]:
    """Names and jobs of a level and of those below it."""
    levels = ("quick", "standard", "full")

    def asked(of: str) -> bool:
        return levels.index(of) <= levels.index(level)

    for size, sense, quantity, of in _BEST:
        if asked(of):
            yield f"{sense} {quantity} {size}", BestJob(size, sense, quantity, settings, sabotaged)
    for side, closed, length, engines, of in _UNCROSSED:
        if asked(of):
            kind = "cycle" if closed else "path"
            job = UncrossedJob(side, closed, length, engines, settings, sabotaged)
            yield f"uncrossed {kind} {side}x{side}", job
    yield "fewest obtuse angles 8x8", FewestObtuseJob(settings, sabotaged)
    yield "clues 5x6", CluesJob("5x6", True, settings, sabotaged)
    yield "clashing conditions 6x6", ConflictJob(settings)
