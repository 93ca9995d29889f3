"""Find the conditions of an impossible problem that conflict: a small unsatisfiable subset of them.

Arithmetic is tried first, on single conditions and on pairs, because it is cheap. Then one condition after
the other is left out, which gives a minimal unsatisfiable subset (MUS). A MUS need not be a minimum: smaller
subsets are tried as long as there is time, except those that a tour found on the way satisfies (after
Ignatiev, Previti, Liffiton & Marques-Silva, Smallest MUS extraction with minimal hitting set dualization,
2015).
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
from ktsolve.tasks.find import find

__all__ = ["Conflict", "Part", "conditions_of", "find_conflict", "with_conditions"]

_PAIRED = 24
"""Conditions up to which arithmetic is applied to every pair."""

_RENUMBERED = 400
"""Cells up to which known tours are renumbered from every cell."""


@dataclass(frozen=True)
class Part:
    """One condition of a problem.

    Attributes
    ----------
    text:
        As the user states it: ``require a1-b3``.
    field, value:
        The argument of :class:`TourProblem` that states it; lists for one field are joined.
    """

    text: str
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
        Whether it is proved that without any one of them there is a tour (a MUS).
    """

    parts: tuple[Part, ...]
    minimal: bool

    @property
    def texts(self) -> list[str]:
        """The conditions as the user states them."""
        return [part.text for part in self.parts]

    def __str__(self) -> str:
        if not self.parts:
            return "the board has no such tour, even without the conditions"
        listed = "; ".join(self.texts)
        if len(self.parts) == 1:
            return f"no tour satisfies this condition: {listed}"
        how = "none of them can be left out" if self.minimal else "some may be superfluous"
        return f"these conditions conflict ({how}): {listed}"


def conditions_of(problem: TourProblem) -> list[Part]:
    """The conditions of a problem, one by one.

    >>> [part.text for part in conditions_of(TourProblem(board="6x6", closed=False, start="a1", end="b3"))]
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
    """The problem on the same board with these conditions only.

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
    """Conditions of an impossible problem that conflict, as few as are found in the time given.

    The problem must be proved impossible before.

    Examples
    --------
    >>> problem = TourProblem(
    ...     board="6x6", closed=False, start="a1", end="c3", require=["b1-d2"], steps={3: "c5"}
    ... )
    >>> print(find_conflict(problem))
    these conditions conflict (none of them can be left out): start a1; end c3
    """
    clock = Clock(seconds)
    settings = settings or Settings()
    everything = conditions_of(problem)

    tours: list[Tour] = []
    possible: list[frozenset[str]] = []  # sets of conditions, as texts, each of which some tour satisfies

    def impossible(parts: Sequence[Part]) -> bool | None:
        """Whether no tour satisfies the conditions; None if that is not known in time."""
        texts = frozenset(part.text for part in parts)
        if any(texts <= each for each in possible):
            return False
        asked = with_conditions(problem, parts)
        if asked.obstruction() is not None:
            return True
        # A known tour may satisfy them, perhaps numbered from another cell.
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
        # With this numbering it satisfies other conditions as well.
        others = [part for part in everything if with_conditions(problem, [part]).check(tour) is None]
        possible.append(texts.union(part.text for part in others))
        return False

    def refuted(parts: Sequence[Part]) -> bool:
        return with_conditions(problem, parts).obstruction() is not None

    if impossible([]):
        return Conflict((), minimal=True)
    sizes = (1, 2) if len(everything) <= _PAIRED else (1,)
    for size in sizes:
        for few in combinations(everything, size):
            if clock.left and refuted(few):
                # Arithmetic does not refute single conditions of a pair, but an engine may.
                return _reduced(list(few), impossible)
    found = _reduced(everything, impossible)
    return _smaller(everything, len(found.parts), impossible) or found


def _smaller(
    everything: list[Part], size: int, impossible: Callable[[Sequence[Part]], bool | None]
) -> Conflict | None:
    """A minimum of conditions that conflict; None if it has ``size`` or more, or time runs out."""
    for fewer in range(1, size):
        for few in combinations(everything, fewer):
            conflict = impossible(few)
            if conflict is None:
                return None
            if conflict:  # no smaller set does
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
