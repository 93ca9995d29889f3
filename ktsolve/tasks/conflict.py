"""Which conditions of an impossible problem clash: as few of them as can be found in the time given.

Arithmetic is asked first, alone and about single conditions and pairs, since that costs next to nothing.
Then one condition after the other is left out, as for minimal unsatisfiable sets in SAT. What is left may not
be the smallest set: smaller ones are tried as long as there is time, without those that some tour found on
the way satisfies (after Ignatiev, Previti, Liffiton & Marques-Silva, Smallest MUS extraction with minimal
hitting set dualization, 2015).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ktsolve.errors import LimitReached
from ktsolve.ground.figures import CORNERS
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock, Settings
from ktsolve.tasks.dispatch import find

__all__ = ["Conflict", "Part", "conditions_of", "find_conflict", "with_conditions"]

_PAIRED = 24
"""Conditions up to which arithmetic is asked about every pair."""

_RENUMBERED = 400
"""Cells up to which known tours are numbered from every cell."""


@dataclass(frozen=True)
class Part:
    """One condition of a problem.

    Attributes
    ----------
    words:
        As the user states it: ``require a1-b3``.
    field, value:
        The argument of :class:`TourProblem` that states it; values of one field add up.
    """

    words: str
    field: str
    value: Any


@dataclass(frozen=True)
class Conflict:
    """Conditions that cannot hold together.

    Attributes
    ----------
    parts:
        The conditions; none at all if the board itself has no tour.
    minimal:
        Whether it is proved that without any one of them there is a tour.
    """

    parts: tuple[Part, ...]
    minimal: bool

    @property
    def words(self) -> list[str]:
        """The conditions as the user states them."""
        return [part.words for part in self.parts]

    def __str__(self) -> str:
        if not self.parts:
            return "no condition is to blame: the board has no such tour at all"
        listed = "; ".join(self.words)
        if len(self.parts) == 1:
            return f"it is this condition that no tour satisfies: {listed}"
        how = "none of them can be left out" if self.minimal else "perhaps not all of them are needed"
        return f"these conditions clash ({how}): {listed}"


def conditions_of(problem: TourProblem) -> list[Part]:
    """The conditions of a problem, one by one.

    >>> [part.words for part in conditions_of(TourProblem(board="6x6", closed=False, start="a1", end="b3"))]
    ['start a1', 'end b3']
    """
    board = problem.board
    parts = [
        Part(f"{key} {board.name(cell)}", key, cell)
        for key, cell in (("start", problem.start), ("end", problem.end))
        if cell is not None
    ]
    for key in ("starts", "ends"):
        if cells := getattr(problem, key):
            named = ",".join(board.name(cell) for cell in sorted(cells))
            parts.append(Part(f"{key[:-1]} {named}", key, sorted(cells)))
    for key, moves in (("require", problem.require), ("forbid", problem.forbid)):
        parts += [Part(f"{key} {board.move_name(move)}", key, [move]) for move in sorted(moves)]
    parts += [Part(f"at {step}={board.name(cell)}", "steps", [(step, cell)]) for step, cell in problem.steps]
    if problem.symmetry is not None:
        parts.append(Part(f"symmetry {problem.symmetry}", "symmetry", problem.symmetry))
    parts += [Part(f"corner {each}", "corners", [each]) for each in CORNERS if each in problem.corners]
    parts += [Part(f"magic {lines}", "magic", [lines]) for lines in sorted(problem.magic)]
    for each in sorted(problem.conditions, key=repr):
        parts.append(Part(f"{each.key} {each.text(board)}", "conditions", [each]))
    return parts


def with_conditions(problem: TourProblem, parts: Iterable[Part]) -> TourProblem:
    """The question about the same board with these conditions only.

    >>> problem = TourProblem(board="6x6", closed=False, start="a1", end="b3")
    >>> with_conditions(problem, conditions_of(problem)) == problem
    True
    """
    stated: dict[str, Any] = {}
    for part in parts:
        if isinstance(part.value, list):
            stated.setdefault(part.field, []).extend(part.value)
        else:
            stated[part.field] = part.value
    return TourProblem(board=problem.board, closed=problem.closed, **stated)


def find_conflict(problem: TourProblem, seconds: float = 1.0, settings: Settings | None = None) -> Conflict:
    """Conditions of a problem without a tour that clash, as few as are found in the time given.

    The problem is taken to be impossible: ask only where that is proved.

    Examples
    --------
    >>> problem = TourProblem(
    ...     board="6x6", closed=False, start="a1", end="c3", require=["b1-d2"], steps={3: "c5"}
    ... )
    >>> print(find_conflict(problem))
    these conditions clash (none of them can be left out): start a1; end c3
    """
    clock = Clock(seconds)
    settings = settings or Settings()
    everything = conditions_of(problem)

    tours: list[Tour] = []
    possible: list[frozenset[str]] = []  # sets of conditions, in words, each of which some tour satisfies

    def impossible(parts: Sequence[Part]) -> bool | None:
        """None if that is not known in time."""
        words = frozenset(part.words for part in parts)
        if any(words <= each for each in possible):
            return False
        asked = with_conditions(problem, parts)
        if asked.obstruction() is not None:
            return True
        # A tour that is known may do, perhaps numbered from another cell.
        known = tours if len(problem.board) <= _RENUMBERED else []
        tour = next((numbered for each in known for numbered in asked.numberings(each)), None)
        if tour is None:
            try:
                tour = find(asked, settings=clock.within(settings)).tour
            except LimitReached:
                return None
            if tour is None:
                return True
            tours.append(tour)
        # It satisfies others as well, numbered as it is.
        others = [part for part in everything if with_conditions(problem, [part]).check(tour) is None]
        possible.append(words.union(part.words for part in others))
        return False

    def refuted(parts: Sequence[Part]) -> bool:
        return with_conditions(problem, parts).obstruction() is not None

    if impossible([]):
        return Conflict((), minimal=True)
    sizes = (1, 2) if len(everything) <= _PAIRED else (1,)
    for size in sizes:
        for few in combinations(everything, size):
            if clock.left and refuted(few):
                # Single conditions were asked first, but by arithmetic only.
                return _reduced(list(few), impossible)
    found = _reduced(everything, impossible)
    return _smaller(everything, len(found.parts), impossible) or found


def _smaller(
    everything: list[Part], size: int, impossible: Callable[[Sequence[Part]], bool | None]
) -> Conflict | None:
    """A smallest set of fewer conditions that clash; None if there is none, or time runs out."""
    for fewer in range(1, size):
        for few in combinations(everything, fewer):
            clash = impossible(few)
            if clash is None:
                return None
            if clash:  # no smaller set does
                return Conflict(few, minimal=True)
    return None


def _reduced(parts: list[Part], impossible: Callable[[Sequence[Part]], bool | None]) -> Conflict:
    kept, minimal = list(parts), True
    for part in parts:
        fewer = [each for each in kept if each is not part]
        without = impossible(fewer)
        if without:
            kept = fewer
        elif without is None:
            minimal = False
    return Conflict(tuple(kept), minimal)
