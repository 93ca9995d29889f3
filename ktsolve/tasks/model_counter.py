"""The model counter: pyganak counts the solutions of a model without listing them.

It has no output until it ends. Where it takes longer than a first time, its time is predicted: the choices
of random descents (:mod:`ktsolve.engines.sat.descents`) are made up to some place, and it counts what they
leave. The time grows about exponentially with what is left, so that a line through its logarithms gives that
of the whole to some orders of magnitude.
"""

from __future__ import annotations

import importlib.util
import math
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from statistics import median

import numpy as np

from ktsolve.base.errors import BadInput, LimitReached, Refused
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.units import shown_seconds
from ktsolve.base.workers import run_in_worker
from ktsolve.engines.sat.descents import Choice, choices, literals_of
from ktsolve.engines.sat.lazy import LazySolver
from ktsolve.engines.sat.python_sat import LISTING_SOLVER, BudgetExhausted, ConflictBudget
from ktsolve.model.encode import encode
from ktsolve.model.model import Model

__all__ = ["CounterPrediction"]

_FIRST = 60.0  # seconds after which the time is predicted
_PART, _ALL_PARTS = 10.0, 150.0  # seconds for a part of the solutions, and for all that are counted
_DESCENTS, _PLACES = 3, 16  # descents, and places of each up to which choices are made
_SHORT = 0.05  # times in which most goes into the start of the counter
_BUDGET = 200_000  # conflicts of the descents, where a call without conflicts counts for ten
_FOREVER = 3e7  # a count that takes longer, in seconds, is refused


@dataclass(frozen=True)
class CounterPrediction:
    """The seconds that the counter takes, and the number of solutions, as parts of them tell."""

    seconds: float
    number: int

    def __str__(self) -> str:
        return (
            f"there are about {Decimal(self.number):.1e} solutions, and the model counter would take "
            f"about {shown_seconds(self.seconds)}, as its times for small parts of them grow"
        )


def has_counter() -> bool:
    """Return whether pyganak is installed."""
    return importlib.util.find_spec("pyganak") is not None


def count_by_counter(part: Model, settings: Settings, *, always: bool = False) -> int:
    """Return the number of solutions of a model by pyganak.

    Unless it must count ``always``, LimitReached is raised where it would take years. Raises Refused if it is
    not installed.
    """
    if not has_counter():
        raise Refused("engine sharpsat needs pyganak: pip install 'ktsolve[sharpsat]', or use sat or cpsat")
    clock = Clock(settings)
    brief = clock.left is not None and clock.left <= _FIRST
    if always or brief:
        return _counted(part, (), settings, clock)[0]
    first = Clock(_FIRST)
    try:
        return _counted(part, (), settings, first)[0]
    except LimitReached:
        if first.left:  # not a limit of time
            raise
    found = predicted(part, settings, clock)
    if found is not None and found.seconds > _FOREVER:
        raise LimitReached(f"stopped after {shown_seconds(clock.elapsed)}: {found}; engine sharpsat goes on")
    return _counted(part, (), clock.within(settings), clock)[0]


def predicted(part: Model, settings: Settings, clock: Clock) -> CounterPrediction | None:
    """Predict the time of the counter and the number of solutions; None where parts do not suffice."""
    paths = _paths(part, settings.seed or 0, clock)
    times: list[tuple[float, float]] = []
    number, whole = 0, Clock(_ALL_PARTS)
    for place in range(_PLACES - 1, 0, -1) if paths else ():
        counted = []
        for path in paths:
            clock.check("no count")
            made = path[: len(path) * place // _PLACES]
            with suppress(LimitReached):
                found, seconds = _counted(part, made, settings, Clock(_PART))
                weight = math.prod((each.weight for each in made), start=Fraction(1))
                counted.append((weight * found, seconds))
        ended = len(counted) == len(paths)
        seconds = median([*(each for _, each in counted), *[_PART] * (len(paths) - len(counted))])
        times.append((1 - place / _PLACES, seconds))
        if not ended or whole.left == 0:
            break
        number = round(sum(weight for weight, _ in counted) / len(counted))
    total = extrapolated(times)
    return None if total is None or not number else CounterPrediction(total, number)


def extrapolated(times: Sequence[tuple[float, float]]) -> float | None:
    """Return the time of the whole, given those of shares of it; None if too few are long.

    >>> extrapolated([(0.25, 1.0), (0.5, 10.0)])
    1000.0
    """
    long = [(share, seconds) for share, seconds in times if seconds >= _SHORT]
    if len(long) < 2:
        return None
    slope, start = np.polyfit([share for share, _ in long], [math.log(seconds) for _, seconds in long], 1)
    return round(math.exp(min(slope + start, 700.0)), 6)


def _paths(part: Model, seed: int, clock: Clock) -> list[list[Choice]]:
    """The choices of some descents; none where they take too long, or numbers are too large for clauses."""
    budget = ConflictBudget(_BUDGET, lambda _conflicts: clock.check("no count"), _BUDGET)
    generator = random.Random(seed)
    with suppress(BudgetExhausted, BadInput), closing(LazySolver(part, LISTING_SOLVER)) as solver:
        return [list(choices(solver, generator, budget)) for _ in range(_DESCENTS)]
    return []


def _counted(part: Model, made: Sequence[Choice], settings: Settings, clock: Clock) -> tuple[int, float]:
    """The number of solutions with some choices made, and the CPU seconds it took."""
    work = run_in_worker(
        partial(_by_pyganak, part, made), settings, clock, lambda *_: "no count", "the model counter"
    )
    with closing(work) as results:
        return next(results)


def _by_pyganak(model: Model, made: Sequence[Choice], _progress: object) -> Iterator[tuple[int, float]]:
    """The work of a worker process."""
    import pyganak

    encoder = encode(model)
    counter = pyganak.Counter()
    counter.new_vars(encoder.variables)
    counter.add_clauses(encoder.clauses)
    for each in made:
        literal = literals_of(encoder, each.variable)[each.place]
        counter.add_clause([literal if each.positive else -literal])
    projected = {literal for variable in model.shown for literal in literals_of(encoder, variable)}
    counter.set_sampling_set(sorted(projected))
    started = time.process_time()
    number = int(counter.count())
    yield number, time.process_time() - started
