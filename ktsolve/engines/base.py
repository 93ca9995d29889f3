"""What every engine looks like from outside.

An engine answers three kinds of request about a tour problem: *construct* one tour, *enumerate* all, *count*
them. What it can do is data (:attr:`Engine.abilities`); a request outside is refused by naming the constraint
and the engines that can take it. An engine never looks for arithmetical obstructions: it has to find out by
itself, so that obstructions and engines check each other.
"""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from ktsolve.errors import BadInput, LimitReached
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import CONDITIONS, FEATURES, TourProblem

__all__ = [
    "ALL_FEATURES",
    "PLAIN_FEATURES",
    "TASKS",
    "Clock",
    "Counted",
    "Engine",
    "Estimate",
    "Settings",
    "available_memory",
    "out_of_time",
]

TASKS = ("construct", "enumerate", "count")

ALL_FEATURES = frozenset(FEATURES)

PLAIN_FEATURES = ALL_FEATURES - CONDITIONS
"""What a walk over the board itself can take; the rest wants a model."""

Progress = Callable[[float | None, str], None]
"""Called with the fraction done (None: unknown) and a few words."""


@dataclass(frozen=True)
class Settings:
    """How an engine is to work; what is asked is in the problem.

    Attributes
    ----------
    timeout:
        Seconds of wall-clock time, None for no limit.
    memory:
        Bytes, None for three quarters of what the machine has available.
    threads:
        Threads to use, None for all cores (engines that use one use one).
    seed:
        Varies which tour is found first; None is the default order.
    solver:
        Name of the SAT solver (python-sat's), for the SAT engine; None for its own choice, ``cadical153``, or
        ``cadical195`` to list tours.
    encoding:
        How the SAT engine states that there is one cycle: ``lazy``, by cuts as they are needed, or one of
        :data:`ktsolve.model.encode.EAGER`, at once.
    spill:
        Folder in which an engine may keep what does not fit into memory, and finds it again the next time;
        None for a temporary one.
    progress:
        Called some twenty times a second during long work.
    """

    timeout: float | None = None
    memory: int | None = None
    threads: int | None = None
    seed: int | None = None
    solver: str | None = None
    encoding: str = "lazy"
    spill: str | None = None
    progress: Progress | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.timeout is not None and not self.timeout > 0:
            raise BadInput(f"the time limit must be more than 0 seconds, not {self.timeout:g}")
        if self.memory is not None and self.memory < 1 << 20:
            raise BadInput("the memory limit must be at least 1 MiB")
        if self.threads is not None and not 1 <= self.threads <= 1024:
            raise BadInput(f"the number of threads must be from 1 to 1024, not {self.threads}")
        if self.encoding != "lazy":
            object.__setattr__(self, "encoding", _eager(self.encoding))
        if self.seed is not None and not 0 <= self.seed < 2**31:
            raise BadInput(f"the seed must be a number from 0 to {2**31 - 1}, not {self.seed}")

    @property
    def memory_budget(self) -> int:
        """Bytes that may be used."""
        return min(self.memory, 2**62) if self.memory is not None else available_memory() * 3 // 4

    @property
    def thread_budget(self) -> int:
        """Threads that may be used."""
        return self.threads if self.threads is not None else (os.cpu_count() or 1)


def _eager(encoding: str) -> str:
    from ktsolve.model.hamiltonian import encoding_named

    try:
        return encoding_named(encoding)
    except BadInput as error:
        raise BadInput(f"{error}, or lazy") from None


def available_memory() -> int:
    """Bytes of memory that could be had now without swapping; 4 GiB where the system does not tell."""
    try:
        with open("/proc/meminfo", encoding="ascii") as stream:
            for line in stream:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return 4 << 30


class _Left(float):
    """Seconds that are left of a time limit. Who runs out of them names the limit as it was given."""

    def __new__(cls, seconds: float, limit: float = 0.0) -> _Left:
        left = super().__new__(cls, seconds)
        left.limit = limit
        return left

    limit: float


class Clock:
    """Counts down a time limit."""

    def __init__(self, timeout: float | None) -> None:
        self._started = time.monotonic()
        self._timeout = timeout

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._started

    @property
    def left(self) -> float | None:
        """Seconds left, None without a limit; never below zero."""
        return None if self._timeout is None else max(0.0, self._timeout - self.elapsed)

    def check(self, reached: str = "") -> None:
        """Raise LimitReached when no time is left."""
        if self.left == 0:
            raise out_of_time(self._timeout, reached)

    def within(self, settings: Settings, reached: str = "") -> Settings:
        """The settings for what is still to be done, with the time that is left. Raises LimitReached."""
        self.check(reached)
        if self._timeout is None:
            return replace(settings, timeout=None)
        # Never none at all: that would be bad input.
        return replace(settings, timeout=_Left(max(self.left or 0.0, 1e-3), _whole(self._timeout)))


def _whole(timeout: float) -> float:
    return timeout.limit if isinstance(timeout, _Left) else timeout


def out_of_time(timeout: float | None, reached: str = "") -> LimitReached:
    """The error for a time limit."""
    limit = "the time limit" if timeout is None else f"the time limit of {_whole(timeout):g} s"
    return LimitReached(f"stopped at {limit}{', ' + reached if reached else ''}")


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
