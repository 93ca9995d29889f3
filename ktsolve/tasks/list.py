"""List tours: all of them, several different ones, or several that have few moves in common."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.engines.auto import choose
from ktsolve.engines.interface import checked
from ktsolve.engines.protocols import FindsSeveral
from ktsolve.engines.race import Listing
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import simplified_for
from ktsolve.tasks.graph_parts import Parts, joined_names

__all__ = ["FoundTours", "find_all"]


class FoundTours(Iterator[Tour]):
    """Tours one by one, as an engine finds them.

    Attributes
    ----------
    engine:
        Name of the engine that lists them, or ``arithmetic`` if it proves that none exist. Of several
        side by side, all their names until one of them has listed all.
    """

    def __init__(self, engine: str | Callable[[], str], tours: Iterator[Tour]) -> None:
        self._engine = engine
        self._tours = tours

    @property
    def engine(self) -> str:
        """Name of the engine."""
        return self._engine if isinstance(self._engine, str) else self._engine()

    def __next__(self) -> Tour:
        return next(self._tours)


def find_all(
    problem: TourProblem | Graph | str | Any,
    engine: str = "auto",
    settings: Settings | None = None,
    number: int | None = None,
    diverse: bool = False,
    **conditions: Any,
) -> FoundTours:
    """List all undirected tours, or up to ``number`` different ones, one by one as they are found.

    Parameters
    ----------
    problem:
        A problem; or a board, its size such as ``"8x8"``, a graph, or its name: see :meth:`TourProblem.of`.
    engine:
        Name of the engine, or ``auto``.
    settings:
        Limits and threads; the defaults if None.
    number:
        The largest number of tours; None for all.
    diverse:
        Each tour has as few moves as possible in common with those before it. Needs a number.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`.

    Returns
    -------
    FoundTours
        An iterator, with the name of the engine.

    Raises
    ------
    Refused
        If the engine cannot take the problem, or cannot find diverse tours.
    LimitReached
        While iterating, when time or memory runs out.
    BadInput
        If the number does not fit.

    Examples
    --------
    >>> tours = find_all(TourProblem(board="3x10", closed=True))
    >>> tours.engine, len(list(tours))
    ('search', 16)
    """
    problem = TourProblem.of(problem, **conditions)
    settings = Settings.of(settings)
    if number is not None and number < 1:
        raise BadInput(f"the number of tours must be at least 1, not {number}")
    if diverse and number is None:
        raise BadInput("diverse tours need a number: give it, such as 5")
    task = "diversify" if diverse else "enumerate"
    question, refutation = simplified_for(task, problem, engine, settings)
    if refutation is not None:
        return FoundTours(refutation["engine"], iter(()))
    if diverse:
        chosen = choose(engine, task, question)
        assert isinstance(chosen, FindsSeveral)
        assert number is not None
        far = chosen.several(question, settings, number, far_apart=True)
        return FoundTours(chosen.name, (checked(chosen.name, problem, tour) for tour in far))
    parts = Parts(question, task, engine, settings)
    if parts.refutation is not None:
        return FoundTours(parts.refutation["engine"], iter(()))
    listings = {each: Listing(each, engine, settings, number) for each in parts.questions}

    def name() -> str:
        return joined_names(each.engine for each in listings.values())

    found = parts.listed(lambda each: iter(listings[each]))
    tours = (checked(name(), problem, tour) for tour in found)
    return FoundTours(name, itertools.islice(tours, number))
