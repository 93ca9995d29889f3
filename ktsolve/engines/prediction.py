"""The choice between engines by predicted cost.

Each engine predicts what a task costs (:meth:`~ktsolve.engines.interface.Engine.rough_estimate`), in some
hundredths of a second. The engine of least predicted time is the favourite. Where the ranges of two
predictions overlap, the choice is unsure, and a task may run both side by side (:mod:`ktsolve.engines.race`).

The budgets of predictions are amounts of work, not times: the choice does not depend on the load of the
machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ktsolve.base.errors import LimitReached, Refused
from ktsolve.base.limits import Settings
from ktsolve.base.units import shown_seconds
from ktsolve.engines.interface import Engine, Estimate
from ktsolve.problem.problem import TourProblem

__all__ = ["Prediction", "lacks_memory", "predictions", "rivals"]

_CHEAP = 0.06  # seconds up to which nothing else is predicted: another prediction would take as long
_SURE = 1.5  # factor of a prediction that was as good as an answer

_SOON_PREDICTED = 1000
"""Cells up to which an engine predicts in the time that it states; on larger boards in proportion."""

_LEAST = 0.3  # seconds that make no difference: starting another process takes longer
_ORDERED_IN = 10.0  # seconds for a prediction, beyond any that a board of usual size takes
_FOREVER = 3e7  # predictions above one year, in seconds, count as hopeless
_LONG, _FAR = 600.0, 100.0  # seconds, and the factor of their time, from which more memory is asked for
_HOPELESS = 4.0  # multiple of the memory limit from which an engine is taken only if all are as bad


@dataclass(frozen=True)
class Prediction:
    """The predicted cost of a task for an engine, which is hopeless if it lacks memory or is refused."""

    engine: Engine
    estimate: Estimate | None
    hopeless: bool = False

    @property
    def refused(self) -> bool:
        """Whether the engine would say at once that it lacks memory or disk."""
        return self.estimate is not None and self.estimate.refused

    @property
    def seconds(self) -> float:
        """The predicted time; without an estimate infinite."""
        return math.inf if self.estimate is None else self.estimate.seconds

    @property
    def least(self) -> float:
        """The time below which it hardly is."""
        return math.inf if self.estimate is None else self.estimate.seconds / self.estimate.factor

    @property
    def most(self) -> float:
        """The time above which it hardly is."""
        return math.inf if self.estimate is None else self.estimate.seconds * self.estimate.factor

    def worth_skipping(self, predicted_in: float) -> bool:
        """Whether a prediction of that duration, in seconds, takes about as long as this engine's answer."""
        if self.hopeless or self.estimate is None:
            return False
        sure = self.estimate.factor <= _SURE
        return self.seconds <= predicted_in * (10 if sure else 1)

    def __str__(self) -> str:
        if self.estimate is None:
            return f"{self.engine.name} (no prediction)"
        vague = " roughly" if self.estimate.factor >= 10 else ""
        memory = ", too much memory" if self.hopeless else ""
        time = "more than a year" if self.seconds > _FOREVER else f"{shown_seconds(self.seconds)}{vague}"
        return f"{self.engine.name} ({time}{memory})"


def predictions(
    task: str, problem: TourProblem, engines: Iterable[Engine], settings: Settings
) -> list[Prediction]:
    """The predictions of engines that take a task, the least time first.

    Engines predict in the given order, those whose predictions cost least first. Once one is sure to be fast,
    the others predict nothing and are left out.

    >>> from ktsolve.engines.frontier.engine import FrontierEngine
    >>> from ktsolve.engines.search.engine import SearchEngine
    >>> engines = [SearchEngine(), FrontierEngine()]
    >>> for board in ("5x6", "6x7"):
    ...     problem = TourProblem(board=board, closed=True)
    ...     print([each.engine.name for each in predictions("count", problem, engines, Settings())])
    ['search']
    ['frontier', 'search']
    """
    found: list[Prediction] = []
    larger = max(1.0, len(problem.ground) / _SOON_PREDICTED)
    for engine in engines:
        if not any(each.worth_skipping(engine.predicted_in * larger) for each in found):
            found.append(_predicted(task, problem, engine, settings))
        last = found[-1] if found else None
        if last and (last.worth_skipping(Engine.predicted_in) or (not last.hopeless and last.most <= _CHEAP)):
            break
    # Among equals the order of the engines decides.
    found.sort(key=lambda each: (each.hopeless, each.seconds))
    if found and found[0].least > _FOREVER:
        # Rather one that refuses at once than one that runs for years.
        found.sort(key=lambda each: (not each.hopeless or each.estimate is None, each.seconds))
    refused = [each for each in found if each.refused and each.seconds <= _FOREVER]
    if refused and (found[0].hopeless or refused[0].seconds * _FAR < found[0].seconds > _LONG):
        # One that says what memory it needs for a far faster answer.
        found.sort(key=lambda each: not each.refused)
    return found


def _predicted(task: str, problem: TourProblem, engine: Engine, settings: Settings) -> Prediction:
    left = settings.timeout
    limited = replace(settings, timeout=_ORDERED_IN if left is None else min(left, _ORDERED_IN), remark=None)
    try:
        estimate = engine.rough_estimate(problem, limited, task)
    except (LimitReached, Refused):
        return Prediction(engine, None, hopeless=True)
    if estimate is None:
        return Prediction(engine, None)
    return Prediction(engine, estimate, lacks_memory(estimate, settings))


def lacks_memory(estimate: Estimate, settings: Settings) -> bool:
    """Whether an engine refuses, or needs so much that it is taken only if all others are as bad."""
    return estimate.refused or estimate.bytes > _HOPELESS * settings.memory_budget


def rivals(found: list[Prediction], most: int = 3) -> list[Prediction]:
    """The favourite and the others that may be faster, up to ``most``; the favourite alone if it is sure."""
    favourite = found[0]
    if favourite.most <= _LEAST or favourite.hopeless:
        return [favourite]
    # Without an estimate the least time is infinite.
    near = [each for each in found[1:] if not each.hopeless and each.least < favourite.most]
    return [favourite, *near[: most - 1]]
