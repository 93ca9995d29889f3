"""Explain impossibility of tours: conditions of a problem that cannot hold together.

Arithmetic is tried first, on single conditions and pairs, since it costs next to nothing. Then one condition
after the other is left out. The result may not be a minimum: smaller sets are tried as long as there is time,
without those that some tour found on the way satisfies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Clock, Settings, takes_settings
from ktsolve.base.text import check_kind
from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import Condition
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.find import find

__all__ = ["Conflict", "find_conflict"]

_PAIRED = 24  # conditions up to which arithmetic is tried on every pair
_RENUMBERED = 400  # cells up to which known tours are renumbered from every cell


@dataclass(frozen=True)
class Conflict:
    """Conditions that cannot hold together.

    Attributes
    ----------
    conditions:
        The conditions; empty if the board itself has no tour.
    texts:
        The conditions as the user states them.
    minimal:
        Whether it is proved that without any one of them there is a tour (a MUS).
    ground:
        What the problem is about: ``board`` or ``graph``.
    """

    conditions: tuple[Condition, ...]
    texts: tuple[str, ...]
    minimal: bool
    ground: str = "board"

    def __str__(self) -> str:
        if not self.conditions:
            return f"the {self.ground} has no such tour, even without the conditions"
        listed = "; ".join(self.texts)
        if len(self.conditions) == 1:
            return f"no tour satisfies this condition: {listed}"
        how = "none of them can be left out" if self.minimal else "some may be superfluous"
        return f"these conditions conflict ({how}): {listed}"


def open_tour_exists(problem: TourProblem, settings: Settings | None = None, seconds: float = 1.0) -> bool:
    """Whether the problem is about closed tours, and an open one is found in the given time."""
    if not problem.closed:
        return False
    try:
        asked = TourProblem(board=problem.ground, closed=False, conditions=problem.conditions)
        hurried = replace(Clock(seconds).within(Settings.of(settings)), progress=None)
        return find(asked, settings=hurried).tour is not None
    except (BadInput, LimitReached):
        return False


@takes_settings
def find_conflict(problem: TourProblem, seconds: float = 1.0, settings: Settings | None = None) -> Conflict:
    """Find a conflict among the conditions of an impossible problem, as small as possible in the given time.

    The problem must be proved impossible before.

    Parameters
    ----------
    problem:
        The problem, which has no tour.
    seconds:
        Time for making the conflict smaller.
    settings:
        Limits and threads; the defaults if None.

    Returns
    -------
    Conflict
        Conditions that no tour satisfies together.

    Raises
    ------
    Refused
        If no engine takes some of the conditions.

    Examples
    --------
    >>> problem = TourProblem(
    ...     board="6x6", closed=False, start="a1", end="c3", require=["b1-d2"], at={3: "c5"}
    ... )
    >>> print(find_conflict(problem))
    these conditions conflict (none of them can be left out): start a1; end c3
    """
    check_kind(problem, TourProblem, "a TourProblem, whose conditions may conflict")
    clock = Clock(seconds)
    settings = Settings.of(settings)
    everything = problem.listed_conditions

    tours: list[Tour] = []
    possible: list[frozenset[Condition]] = []  # sets of conditions, each of which some tour satisfies

    def stated(conditions: Sequence[Condition]) -> TourProblem:
        return TourProblem(board=problem.ground, closed=problem.closed, conditions=conditions)

    def impossible(conditions: Sequence[Condition]) -> bool | None:
        """Whether no tour satisfies the conditions; None if that is not proved in time."""
        if any(each.issuperset(conditions) for each in possible):
            return False
        asked = stated(conditions)
        if asked.obstruction() is not None:
            return True
        # A tour that is known may do, perhaps numbered from another cell.
        known = tours if len(problem.ground) <= _RENUMBERED else []
        tour = next((numbered for each in known for numbered in asked.labelings(each)), None)
        if tour is None:
            try:
                tour = find(asked, settings=clock.within(settings)).tour
            except LimitReached:
                return None
            if tour is None:
                return True
            tours.append(tour)
        # It satisfies others as well, numbered as it is.
        possible.append(frozenset(conditions).union(each for each in everything if each.holds(tour)))
        return False

    def conflict(conditions: Sequence[Condition], minimal: bool) -> Conflict:
        texts = tuple(each.label(problem.ground) for each in conditions)
        return Conflict(tuple(conditions), texts, minimal, problem.ground.nouns.ground)

    if impossible([]):
        return conflict((), minimal=True)
    sizes = (1, 2) if len(everything) <= _PAIRED else (1,)
    for size in sizes:
        for few in combinations(everything, size):
            if clock.left and stated(few).obstruction() is not None:
                # Single conditions were tried before, but by arithmetic only.
                return conflict(*_reduced(few, impossible))
    found = _reduced(everything, impossible)
    smallest = _smaller(everything, len(found[0]), impossible)
    return conflict(*found) if smallest is None else conflict(smallest, minimal=True)


_Impossible = Callable[[Sequence[Condition]], bool | None]


def _smaller(
    everything: Sequence[Condition], size: int, impossible: _Impossible
) -> Sequence[Condition] | None:
    """A smallest set of fewer conditions in conflict; None if none exists, or time runs out."""
    for fewer in range(1, size):
        for few in combinations(everything, fewer):
            found = impossible(few)
            if found is None:
                return None
            if found:  # no smaller set is
                return few
    return None


def _reduced(conditions: Sequence[Condition], impossible: _Impossible) -> tuple[Sequence[Condition], bool]:
    """A part of the conditions that is still in conflict, and whether each of them is proved to be needed."""
    kept, minimal = list(conditions), True
    for condition in conditions:
        fewer = [each for each in kept if each is not condition]
        without = impossible(fewer)
        if without:
            kept = fewer
        elif without is None:
            minimal = False
    return kept, minimal
