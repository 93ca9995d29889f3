"""What every engine looks like from outside.

An engine answers three kinds of request about a tour problem: *construct* one tour, *enumerate* all, *count*
them. What it can do is data (:attr:`Engine.abilities`); a request outside is refused by naming the constraint
and the engines that can take it. An engine never looks for arithmetical obstructions: it has to find out by
itself, so that obstructions and engines check each other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import CONDITIONS, FEATURES, TourProblem
from ktsolve.settings import Settings

__all__ = [
    "ALL_FEATURES",
    "PLAIN_FEATURES",
    "TASKS",
    "Counted",
    "Engine",
    "Estimate",
]

TASKS = ("construct", "enumerate", "count")

ALL_FEATURES = frozenset(FEATURES)

PLAIN_FEATURES = ALL_FEATURES - CONDITIONS
"""What a walk over the board itself can take; the rest wants a model."""


@dataclass(frozen=True)
class Counted:
    """An exact number of undirected tours, and what it cost.

    Attributes
    ----------
    count:
        Undirected tours that answer the problem.
    directed:
        Directions in which they can be walked so as to answer it.
    peak_bytes:
        Most memory used for states, None if unknown.
    details:
        Engine's own figures: states, transitions, nodes, ...
    """

    count: int
    directed: int
    peak_bytes: int | None = None
    details: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Estimate:
    """What a count is expected to take, before it is begun.

    Attributes
    ----------
    plan:
        How it would be done, in words.
    states:
        Most states held at once.
    bytes, disk:
        Memory, and disk if the tables do not fit into memory.
    seconds:
        Wall-clock time.
    """

    plan: str
    states: float
    bytes: float
    seconds: float
    disk: float = 0.0


class Engine(ABC):
    """One way to answer.

    Attributes
    ----------
    name:
        As given to ``--engine``.
    summary:
        One line about the method.
    abilities:
        For each task it can do, the features (see :data:`FEATURES`) that a problem may have.
    needs:
        Features that a problem must have.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    abilities: ClassVar[Mapping[str, frozenset[str]]]
    needs: ClassVar[frozenset[str]] = frozenset()

    def lacks(self, task: str, problem: TourProblem) -> str | None:
        """The task if this engine cannot do it; or the first feature that it cannot take, or needs and lacks.

        None if it can answer.
        """
        if task not in self.abilities:
            return task
        missing = (problem.features - self.abilities[task]) or (self.needs - problem.features)
        return min(missing, key=list(FEATURES).index) if missing else None

    @abstractmethod
    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        """A tour, or None if it is proved that there is none. Raises LimitReached."""

    @abstractmethod
    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        """Every undirected tour once, numbered to answer the problem. Raises LimitReached."""

    def estimate(self, problem: TourProblem, settings: Settings) -> Estimate | None:
        """What counting would take; None if this engine cannot tell without doing it."""
        return None

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        """The number of tours. Raises LimitReached.

        Engines without a better way list the tours and count them.
        """
        count = directed = 0
        for tour in self.enumerate(problem, settings):
            count += 1
            directed += sum(1 for _ in problem.numberings(tour))
        return Counted(count, directed)
