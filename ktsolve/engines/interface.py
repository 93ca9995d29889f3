"""The interface of engines.

For each task in :data:`TASKS` that an engine can do, :attr:`Engine.capabilities` lists the features of
problems that it takes; :mod:`ktsolve.engines.registry` refuses any other request and names the engines that
take it. Engines do not apply the arithmetic of :mod:`ktsolve.problem.obstruction`, so that
theorems and searches check each other. The exception is ``divide``: it constructs wherever no theorem rules
a tour out, and it does not search for base boards that arithmetic refutes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Protocol

from ktsolve.base.errors import Refused, WrongAnswer
from ktsolve.base.limits import Settings
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import CONDITIONS, FEATURES, TourProblem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "ALL_FEATURES",
    "PLAIN_FEATURES",
    "TASKS",
    "Counted",
    "Engine",
    "Estimate",
    "Trial",
    "checked",
    "listed_move_counts",
    "listed_tally",
    "model_size",
    "refuse_wrong",
    "rows_of",
]

TASKS = ("construct", "enumerate", "count", "optimise", "diversify", "rank", "tally")
"""What an engine may be able to do: find a tour, list all, count them, find the best for an objective, find
several that have few moves in common, number them in a fixed order, count them by the moves that they use."""

ALL_FEATURES = frozenset(FEATURES)

PLAIN_FEATURES = ALL_FEATURES - CONDITIONS
"""Features that an engine can take that works on the move graph; the others need a Boolean model."""


@dataclass(frozen=True)
class Counted:
    """An exact number of undirected tours, and what it cost.

    - ``count``: Undirected tours that answer the problem; on a directed graph, directed ones.
    - ``directed``: Directed ones: each direction of a tour that answers the problem counts.
    - ``peak_bytes``, ``details``: Most memory used for states, None if unknown; statistics of the engine.
    """

    count: int
    directed: int
    peak_bytes: int | None = None
    details: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Estimate:
    """Predicted cost of a task.

    - ``states``: Most states held at once; 0 for an engine without states.
    - ``bytes``, ``disk``: Memory, and disk if the tables do not fit into memory.
    - ``seconds``: Wall-clock time.
    - ``factor``: How far off the seconds may be: the true time is mostly between their quotient by this
      factor and their product.
    - ``refused``: Whether the engine would refuse the task for want of memory or disk.
    """

    plan: str
    states: float
    bytes: float
    seconds: float
    disk: float = 0.0
    factor: float = 3.0
    refused: bool = False


Range = tuple[float, float]
"""The least and the greatest value."""

_ANY: Range = (0.0, math.inf)


def model_size(problem: TourProblem) -> int:
    """The Booleans of a model of the problem, about: its moves, and the steps of cells where they matter."""
    return len(problem.ground.edges) + len(problem.ground) ** 2 * problem.step_indexed


@dataclass(frozen=True, kw_only=True)
class Trial:
    """When ``auto`` runs an engine without comparing predictions, and for how long.

    - ``task``, ``ground``: The task, and the kind of ground: ``graph`` for bare graphs without conditions
      that need a model, ``board`` for all other problems.
    - ``place``: Trials run in the order of their places.
    - ``seconds``, ``seconds_per_cell``: The time limit is the greater of the two. Infinite: the engine runs
      to its end, side by side with all others whose time is infinite.
    - ``early``: Whether the trial comes before all predictions.
    - ``cells``, ``size``, ``states``: The number of cells, the size of a model, and the predicted states of
      the engine, for which the trial is worth its time.
    - ``work``: Most predicted states times cells.
    - ``others``: Predicted states of other engines, from which this one may be faster: then it is tried if it
      is predicted to be faster, and to answer within the limit.
    - ``in_memory_limit``: Whether the engine is tried under a memory limit.
    """

    task: str
    ground: str
    place: int
    seconds: float
    seconds_per_cell: float = 0.0
    early: bool = False
    cells: Range = _ANY
    size: Range = _ANY
    states: Range = _ANY
    work: float = math.inf
    others: float = 0.0
    in_memory_limit: bool = True

    def fits(self, task: str, ground: str, problem: TourProblem) -> bool:
        """Whether the trial is for the task, the kind of ground, and its size."""
        if (self.task, self.ground) != (task, ground):
            return False
        least, most = self.cells
        if not least <= len(problem.ground) <= most:
            return False
        least, most = self.size
        return self.size == _ANY or least <= model_size(problem) <= most

    @property
    def predicts(self) -> bool:
        """Whether the trial depends on the estimate of the engine."""
        return self.states != _ANY or self.work < math.inf or self.others > 0


class Engine:
    """One method of answering tour problems.

    - ``capabilities``: For each task it can do, the features (see :data:`FEATURES`) that a problem may have.
    - ``needs``: Features that a problem must have.
    - ``rough_milliseconds``: Rough time of a count for each tour; None if it depends on the size of the
      problem only.
    - ``reads_sides``: Shorter side of a full rectangle up to which the engine works with the two sides alone,
      and lists no cells: the board may be longer than memory holds.
    - ``predicted_in``: Seconds of a prediction. This engine predicts nothing where another answers in that
      time, or surely in ten times that time. No engine has less than the default.
    - ``trials``: When ``auto`` runs the engine without comparing predictions.
    - ``builds``: Whether the engine constructs in linear time what it takes: no trial comes before its
      prediction.
    - ``memory_shares``: Shares of the memory beside other engines: more than 1 for an engine that keeps
      tables.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    capabilities: ClassVar[Mapping[str, frozenset[str]]]
    needs: ClassVar[frozenset[str]] = frozenset()
    rough_milliseconds: ClassVar[float | None] = 1.0
    reads_sides: ClassVar[int] = 0
    predicted_in: ClassVar[float] = 0.02
    trials: ClassVar[Sequence[Trial]] = ()
    builds: ClassVar[bool] = False
    memory_shares: ClassVar[int] = 1

    def unsupported_feature(self, task: str, problem: TourProblem) -> str | None:
        """The first feature that rules the engine out, or the task if it cannot do it, or None.

        A feature rules out the engine if the problem has it and the engine does not take it, or if the engine
        needs it and the problem does not have it.
        """
        if task not in self.capabilities:
            return task
        missing = (problem.features - self.capabilities[task]) or (self.needs - problem.features)
        return min(missing, key=list(FEATURES).index) if missing else None

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        """A tour, or None if it is proved that none exists; by default the first. Raises LimitReached."""
        return next(self.enumerate(problem, settings), None)

    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        """Every undirected tour once, numbered to answer the problem. Raises LimitReached."""
        raise Refused(f"engine {self.name} cannot enumerate tours")

    def estimate(self, problem: TourProblem, settings: Settings, task: str = "count") -> Estimate | None:
        """Predicted cost of a task; None if this engine makes no prediction. Takes some tenths of a second.

        A prediction does not depend on the machine, but for the memory and threads that settings leave open.
        """
        return None

    def rough_estimate(
        self, problem: TourProblem, settings: Settings, task: str = "count"
    ) -> Estimate | None:
        """The cost by which engines are chosen, in hundredths of a second; by default the estimate."""
        return self.estimate(problem, settings, task)

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        """The number of tours; by default the engine lists them, and each is checked. Raises LimitReached."""
        count = directed = 0
        if problem.numbered:
            for tour in self.enumerate(problem, settings):
                count += 1
                directed += sum(1 for _ in problem.labelings(tour))
            return Counted(count, directed)
        for rows in rows_of(self.enumerate(problem, settings)):
            wrong = rows[~problem.check_rows(rows)]
            if len(wrong):
                checked(self.name, problem, Tour.from_indices(problem.ground, wrong[0], problem.closed))
            count += len(rows)
        return Counted(count, count * problem.directions)

    def tally(self, problem: TourProblem, moves: Sequence[int], settings: Settings) -> list[int]:
        """Entry j: the number of tours that use exactly j of some moves. Raises LimitReached.

        ``moves`` are places in ``problem.ground.edges``. The list ends with the last entry that is not 0; it
        is empty if there is no tour. By default the engine lists the tours.
        """
        return listed_tally(problem, self.enumerate(problem, settings), moves)

    def move_counts(self, problem: TourProblem, settings: Settings) -> list[int]:
        """The number of tours that use each move, along the edges of the ground; by default of a list."""
        return listed_move_counts(problem, self.enumerate(problem, settings))

    def rough_seconds(self, problem: TourProblem, tours: int) -> float:
        """A rough time of a count, by which long jobs are started first; from cases of ``verify``."""
        if self.rough_milliseconds is None:
            return 3e-4 * len(problem.ground) ** 2
        return tours * self.rough_milliseconds / 1000


class _Checks(Protocol):
    def check(self, tour: Tour) -> object | None: ...


def checked(engine: str, problem: _Checks, tour: Tour) -> Tour:
    """The tour, after the check that it answers the problem. Raises WrongAnswer, which names the engine."""
    refuse_wrong(engine, "tour for", problem, problem.check(tour))
    return tour


def refuse_wrong(engine: str, kind: str, problem: object, violation: object | None) -> None:
    """Raise WrongAnswer, which names the engine, if the check of its answer found a violation."""
    if violation is not None:
        raise WrongAnswer(f"engine {engine} gave a wrong {kind} {problem}: {violation}")


_BATCH = 4096  # tours looked at together


def listed_tally(problem: TourProblem, tours: Iterable[Tour], moves: Sequence[int]) -> list[int]:
    """Entry j: the number of these tours that use exactly j of the moves, places in ``ground.edges``."""
    import numpy as np

    chosen = np.zeros(len(problem.ground.edges), dtype=np.int64)
    chosen[np.asarray(moves, dtype=np.int64)] = 1
    total = np.zeros(len(problem.ground) + 1, dtype=np.int64)
    for places in _places(problem, tours):
        total += np.bincount(chosen[places].sum(axis=1), minlength=len(total))
    most = np.flatnonzero(total)
    return total[: most[-1] + 1].tolist() if len(most) else []


def listed_move_counts(problem: TourProblem, tours: Iterable[Tour]) -> list[int]:
    """The number of these tours that use each move, along ``ground.edges``."""
    import numpy as np

    total = np.zeros(len(problem.ground.edges), dtype=np.int64)
    for places in _places(problem, tours):
        total += np.bincount(places.ravel(), minlength=len(total))
    return total.tolist()


def rows_of(tours: Iterable[Tour]) -> Iterator[NDArray[np.int64]]:
    """Rows of the places of cells of each tour, many tours at a time."""
    import numpy as np

    reader = iter(tours)
    while batch := list(islice(reader, _BATCH)):
        yield np.array([tour.indices for tour in batch], dtype=np.int64)


def _places(problem: TourProblem, tours: Iterable[Tour]) -> Iterator[NDArray[np.int64]]:
    """Rows of places of the moves of each tour, many tours at a time."""
    import numpy as np

    for rows in rows_of(tours):
        ends = np.roll(rows, -1, axis=1)
        if not problem.closed:
            rows, ends = rows[:, :-1], ends[:, :-1]
        yield problem.ground.places_of(np.stack([rows, ends], axis=2)).reshape(rows.shape)
