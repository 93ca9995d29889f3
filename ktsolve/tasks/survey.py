"""Distributions of statistics over all tours of a problem, from exactly uniform samples.

The tours are drawn by number (:mod:`ktsolve.tasks.tours`), so that each has the same chance, and measured in
whole arrays. Numbers of tours by value are kept, not the tours: a sample of any size takes the memory of one
batch.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from numbers import Rational, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Clock, Settings, takes_settings
from ktsolve.base.text import csv_text, number_of, shown, unknown
from ktsolve.base.uniform import uniform_stream
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.graphs.tour_arrays import move_test
from ktsolve.graphs.tour_rows import TourRows
from ktsolve.problem.move_sets import MoveSet, read_move_sets
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import STATISTICS, Statistic
from ktsolve.render.scene.histogram import Bar, Panel, histogram_scene
from ktsolve.render.scene.shapes import Scene
from ktsolve.render.scene.svg import scene_svg
from ktsolve.render.text_table import Column, fitted, wrapped
from ktsolve.tasks.answer import EXHAUSTED
from ktsolve.tasks.count_tables import count_by_uses
from ktsolve.tasks.distribution import QUANTILES, Distribution, Number, bin_name, shown_number
from ktsolve.tasks.tours import Tours, tours

__all__ = ["Survey", "read_measures", "survey"]

MOST_SAMPLES = 10**9
"""Largest size of a sample: a day's work."""

_FIRST_CELLS = 1 << 18
_MOST_CELLS = 1 << 23
"""Cells of the tours that are drawn together, at first and at most: many are cheaper together."""

_MEASURED_CELLS = 1 << 20  # cells of the tours that are measured together, at some 100 bytes each
_BATCH_SECONDS = 2.0  # batches do not grow beyond this: between them the clock is read
_BATCHES = 256  # batches that are kept apart, so that an interrupt between two statistics loses none
_BAR = 30  # characters of the longest bar of a histogram
_ROWS = 24  # most bins of a histogram as text
_Batch = list[dict[Number, int]]  # for each statistic how many of some tours have each value

Values = NDArray[np.int64] | NDArray[np.float64]
Given = str | tuple[str, Any] | Callable[[Tour], Any]


@dataclass(frozen=True)
class Measure:
    """A statistic: its name, its values for many tours, and the set of moves whose uses it counts, if any."""

    name: str
    values: Callable[[TourRows], Values]
    moves: MoveSet | None = None


def read_measures(of: Given | Iterable[Given], problem: TourProblem) -> list[Measure]:
    """The statistics of a text such as ``turns,crossings,uses:a1-b3,visit:d4``, or of functions.

    Parameters
    ----------
    of:
        Names of :data:`ktsolve.problem.statistics.STATISTICS`; ``uses:MOVES`` with moves or a name of
        :data:`ktsolve.problem.move_sets.MOVE_SETS`; ``visit:CELL``, the step at which a tour is at a cell;
        ``("uses", moves)`` and ``("visit", cell)``; functions from a :class:`Tour` to a number; or several.
    problem:
        The problem whose tours are measured.

    Returns
    -------
    list[Measure]
        The statistics, in order.

    Raises
    ------
    BadInput
        For anything else, or a step where tours have no first step.

    Examples
    --------
    >>> problem = TourProblem(board="6x6", closed=True)
    >>> [each.name for each in read_measures("turns,uses:a1-b3,c1-d3,acute", problem)]
    ['turns', 'uses:a1-b3 c1-d3', 'acute']
    """
    listed: list[Any] = [of] if isinstance(of, str) or callable(of) or _is_pair(of) else list(of)
    measures: list[Measure] = []
    for given in listed:
        if callable(given):
            measures.append(_function(given))
        elif isinstance(given, str):
            for text in _separate(given):
                name, colon, rest = text.partition(":")
                measures += _measures(name, colon, rest.strip(), problem)
        elif _is_pair(given):
            measures += _measures(given[0], ":", given[1], problem)
        else:
            raise BadInput(
                f"{shown(given)} is not a statistic: give a name such as turns, or a function of a tour"
            )
    if not measures:
        raise BadInput(f"there is no statistic to survey: give some of {', '.join(_KNOWN)}")
    for name, times in Counter(each.name for each in measures).items():
        if times > 1:
            raise BadInput(f"{shown(name)} occurs twice: give each statistic once")
    return measures


_KNOWN = [name for name, kind in STATISTICS.items() if name != "moves" and not kind.weighted]


def _separate(text: str) -> list[str]:
    """The statistics of a list. Moves after ``uses:`` have commas between them, too."""
    found: list[str] = []
    for part in text.split(","):
        name = part.strip().partition(":")[0]
        if found and found[-1].startswith(("uses:", "moves:")) and name not in (*STATISTICS, "uses", "visit"):
            found[-1] += f",{part.strip()}"
        else:
            found.append(part.strip())
    return found


def _is_pair(given: Any) -> bool:
    """Whether this is a statistic with its moves or its cell as objects."""
    return isinstance(given, tuple) and len(given) == 2 and given[0] in ("uses", "moves", "visit")


def _measures(name: str, colon: str, rest: Any, problem: TourProblem) -> Iterator[Measure]:
    ground = problem.ground
    if name == "uses" or (name == "moves" and colon):
        for each in read_move_sets(ground, rest):
            statistic = Statistic("moves", each.moves)
            yield Measure(f"uses:{each.name}", statistic.values, each)
    elif name == "visit" and colon:
        yield _visit(rest, problem)
    elif name in STATISTICS and not colon:
        yield Measure(name, Statistic.made(name, ground).values)
    else:
        raise unknown(
            "", name + colon + str(rest), _KNOWN, ", uses:a1-b3,c1-d3 or visit:d4", "is not a statistic"
        )


def _visit(given: Any, problem: TourProblem) -> Measure:
    """The step at which a tour is at a cell: from the given start, or to the given end."""
    ground = problem.ground
    cell = ground.index[ground.cell(given)]
    name = f"visit:{ground.name(ground.cells[cell])}"
    cells = frozenset(ground.cells)
    first, last = problem.first or cells, problem.last or cells
    # An open tour can be numbered from either end if both may be first and last.
    if len(first) > 1 if problem.closed else len(first & last) > 1 and not ground.directed:
        wanted = "a start" if problem.closed else "a start or an end"
        raise BadInput(f"{name} needs a first step: give the problem {wanted}, such as --start a1")
    if not problem.closed or ground.directed:
        return Measure(name, lambda rows: rows.step_of(cell))
    # A closed tour has two directions: the one in which the cell comes earlier counts.
    n = len(ground)

    def earlier(rows: TourRows) -> Values:
        step = rows.step_of(cell)
        return np.minimum(step, (n + 1 - step) % n + 1)

    return Measure(name, earlier)


def _function(given: Callable[[Tour], Any]) -> Measure:
    name = getattr(given, "__name__", type(given).__name__)

    def values(rows: TourRows) -> Values:
        found = [_number(name, given(tour)) for tour in rows.tours()]
        if all(isinstance(each, int) and abs(each) < 2**62 for each in found):
            return np.array(found, dtype=np.int64)
        return np.array(found, dtype=np.float64)

    return Measure(name, values)


def _number(name: str, value: Any) -> Number:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Rational) and value.denominator == 1:
        return Fraction(value).numerator
    if not isinstance(value, Real) or not math.isfinite(value):
        raise BadInput(f"{name} gave {shown(value)} for a tour: a statistic is a number")
    return float(value)


@dataclass(frozen=True)
class Survey:
    """Distributions of statistics in a uniform sample of the tours of a problem.

    Attributes
    ----------
    problem:
        The problem.
    count:
        Number of all tours.
    order, engine:
        The order in which the tours are numbered, and the engine that numbers them.
    number:
        Size of the sample: how many tours were drawn, each with the same chance, perhaps some twice.
    wanted:
        How many were asked for.
    seed:
        The seed of the sample; None for numbers of the operating system.
    distributions:
        The statistics.
    reason:
        Why fewer tours were drawn than wanted, or that there is no tour; else empty.
    seconds:
        Wall-clock time, with that to prepare the tours.
    """

    problem: TourProblem
    count: int
    order: str
    engine: str
    number: int
    wanted: int
    seed: int | None
    distributions: tuple[Distribution, ...]
    reason: str
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether the sample has the size that was asked for."""
        return self.number == self.wanted

    def __getitem__(self, name: str) -> Distribution:
        """The distribution of a statistic by name. Raises KeyError."""
        named = {each.name: each for each in self.distributions}
        if name not in named:
            raise KeyError(f"{name}: the survey has {', '.join(named)}")
        return named[name]

    @property
    def title(self) -> str:
        """The sample in one line."""
        return (
            f"{self.problem}: {number_of(self.number, 'uniform sample')} of {number_of(self.count, 'tour')}"
        )

    def to_json(self) -> dict[str, Any]:
        """The numbers as a JSON object."""
        return {
            "count": str(self.count),
            "order": self.order,
            "engine": self.engine,
            "samples": self.number,
            "wanted": self.wanted,
            "seed": self.seed,
            "complete": self.complete,
            "reason": self.reason or None,
            "intervals": {"confidence": 0.95, "mean": "normal", "quantiles": "order statistics, binomial"},
            "statistics": [each.to_json() for each in self.distributions],
            "seconds": round(self.seconds, 6),
        }

    def csv(self) -> str:
        """The values as CSV: how many tours of the sample have each, and how many of all, if known."""
        heads = ("statistic", "value", "samples", "tours")
        return csv_text(heads, (row.values() for row in self.records()))

    def records(self) -> list[dict[str, Any]]:
        """A row for each statistic and value, for tables such as ``pandas.DataFrame``.

        >>> survey("5x6", "turns", samples=100, seed=1).records()[0]
        {'statistic': 'turns', 'value': 28, 'samples': 21, 'tours': 2}
        """
        return [
            {
                "statistic": each.name,
                "value": value,
                "samples": each.samples.get(value, 0),
                "tours": None if each.exact is None else each.exact.get(value, 0),
            }
            for each in self.distributions
            for value in sorted({*each.samples, *(each.exact or {})})
        ]

    def svg(self, theme: str = "light") -> str:
        """The histograms as an SVG file: a panel for each statistic."""
        return scene_svg(self.scene(theme))

    def scene(self, theme: str = "light", caption: str = "") -> Scene:
        """The histograms as a scene, for any format of pictures, below a caption in place of the title."""
        return histogram_scene([_panel(each) for each in self.distributions], caption or self.title, theme)

    def _repr_svg_(self) -> str:
        """The picture in a notebook."""
        return self.svg()

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int | None = None) -> str:
        """A histogram and a table of quantiles for each statistic, in lines of limited length."""
        title = "\n".join(wrapped(self.title, width))
        return "\n\n".join([title, *(_text(each, width) for each in self.distributions)])


def _panel(found: Distribution) -> Panel:
    low, high = found.mean_interval
    exact = found.exact_mean
    caption = f"mean {shown_number(found.mean)} ± {shown_number((high - low) / 2)}"
    if exact is not None:
        caption += f", exact {shown_number(exact)}"
    bins = found.bins(60)
    total = sum(found.exact.values()) if found.exact else 1
    bars = tuple(
        Bar(
            float(each.first),
            float(each.last + 1 if isinstance(each.last, int) else each.last),
            each.samples / found.number,
            None if each.tours is None else each.tours / total,
            bin_name(each),
        )
        for each in bins
    )
    whole = isinstance(bins[0].first, int)
    return Panel(found.name, caption, bars, found.mean + (0.5 if whole else 0), whole)


def _text(found: Distribution, width: int | None) -> str:
    low, high = found.mean_interval
    lines = [
        *wrapped(found.name, width),
        *wrapped(
            f"mean {shown_number(found.mean)}, 95 % interval {shown_number(low)} to {shown_number(high)}, "
            f"standard deviation {shown_number(found.deviation)}",
            width,
        ),
    ]
    if found.exact_mean is not None and found.exact_deviation is not None:
        lines += wrapped(
            f"of all tours: mean {shown_number(found.exact_mean)}, standard deviation "
            f"{shown_number(found.exact_deviation)}",
            width,
        )
    bins = found.bins(_ROWS)
    most = max(each.samples for each in bins)
    total = sum(found.exact.values()) if found.exact else 1
    rows = []
    for each in bins:
        exact = [] if each.tours is None else [f"{100 * each.tours / total:.3f} %"]
        share = f"{100 * each.samples / found.number:.3f} %"
        rows.append([bin_name(each), str(each.samples), share, *exact])
    of_all = [Column("of all", "r")] if found.exact else []
    table = fitted([Column("value", "r"), Column("samples", "r"), Column("share", "r"), *of_all], rows, width)
    numbers = max(map(len, table))
    longest = _BAR if width is None else min(_BAR, max(width - numbers - 2, 0))
    bars = ["", *(_bar(each.samples / most, longest) for each in bins)]
    drawn = (f"{line:{numbers}}  {bar}".rstrip() for line, bar in zip(table, bars, strict=True))
    lines += ["", *drawn, ""]
    quantiles = []
    for part in QUANTILES:
        at = found.quantile(part)
        sides = ["none" if side is None else shown_number(side) for side in (at.low, at.high)]
        exact = [] if found.exact is None else [shown_number(found.exact_quantile(part) or 0)]
        quantiles.append([f"{100 * part:g} %", shown_number(at.value), f"{sides[0]} to {sides[1]}", *exact])
    columns = [Column("quantile", "r"), Column("value", "r"), Column("95 % interval", dropped=1), *of_all]
    return "\n".join([*lines, *fitted(columns, quantiles, width)])


def _bar(share: float, longest: int) -> str:
    """A bar in eighths of a character, of limited length."""
    eighths = round(8 * longest * share) or int(bool(share and longest))
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


@takes_settings
def survey(
    problem: TourProblem | str | Graph | Any,
    of: Given | Iterable[Given],
    samples: int = 10_000,
    *,
    seed: int | None = None,
    exact: bool = False,
    settings: Settings | None = None,
    **conditions: Any,
) -> Survey:
    """Return distributions of statistics over all tours of a problem, from exactly uniform samples.

    Parameters
    ----------
    problem:
        A problem; or a board, its size such as ``"8x8"``, a graph, or its name: see :meth:`TourProblem.of`.
        Or a sequence of tours, such as ``ktsolve.tours("8x8", prepared="tables")``, which may be a slice.
    of:
        The statistics, as :func:`read_measures` reads them: text, functions of a tour, or a list of these.
    samples:
        How many tours are drawn, independently of each other.
    seed:
        The same seed draws the same tours; None takes the operating system's numbers.
    exact:
        Count the tours by uses exactly, too (:func:`ktsolve.count` by uses), where a
        statistic counts the uses of moves. Without it, exact numbers are given where there are no more tours
        than samples: all of them are measured then.
    settings:
        Limits and threads; the defaults if None.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`.

    Returns
    -------
    Survey
        At a time or memory limit, with the samples drawn so far; :attr:`Survey.reason` says so.

    Raises
    ------
    BadInput
        For an unknown statistic, a sample of no tours, or a problem without tours.
    Refused
        If no engine numbers the tours of the problem.
    LimitReached
        If a limit is reached before any tour is drawn.

    Examples
    --------
    >>> found = survey("6x6", "turns,uses:c3-d5", samples=10_000, seed=1)
    >>> found.count, found["uses:c3-d5"].exact
    (9862, {0: 9242, 1: 620})
    >>> 35.0 < found["turns"].mean < 35.2
    True
    >>> survey("6x6", lambda tour: tour.squares[0][0], samples=10).number
    10

    Notes
    -----
    The interval of a mean is that of the normal distribution. That of a quantile are two values of the sorted
    sample, at places given by the binomial distribution (order statistics).
    """
    clock = Clock(Settings.of(settings))
    if isinstance(problem, Tours):
        found = problem
        if conditions:
            raise BadInput("a sequence of tours has its conditions: give them to ktsolve.tours")
    else:
        found = tours(problem, settings=settings, **conditions)
    if not found:
        raise BadInput(f"{found.problem} has no tour to draw: {found.reason or EXHAUSTED}")
    return survey_tours(found, of, samples, seed=seed, exact=exact, clock=clock)


def survey_tours(
    found: Tours,
    of: Given | Iterable[Given],
    samples: int,
    *,
    seed: int | None = None,
    exact: bool = False,
    clock: Clock,
    keep_interrupted: bool = False,
) -> Survey:
    """As :func:`survey`, of a sequence of tours that is not empty, in the time left.

    ``keep_interrupted`` returns the samples drawn so far at Ctrl-C, as at a limit.
    """
    started = time.perf_counter() - clock.elapsed
    if isinstance(samples, bool) or not isinstance(samples, int) or not 1 <= samples <= MOST_SAMPLES:
        raise BadInput(f"a sample has 1 to {MOST_SAMPLES:,} tours, not {shown(samples)}")
    measures = read_measures(of, found.problem)
    batches: list[_Batch] = []
    reason = ""
    try:
        for batch in _measured(found, measures, uniform_stream(found.count, seed), samples, clock):
            batches.append(batch)  # kept at a limit; a batch has all statistics or none
            if len(batches) == _BATCHES:
                batches = [_added(batches)]
    except LimitReached as stop:
        reason = str(stop)
    except KeyboardInterrupt:
        if not keep_interrupted:
            raise
        reason = "interrupted"
    if not batches:
        raise LimitReached(f"{reason}: no sample was drawn")
    exacts: Sequence[Mapping[Number, int] | None] = [None] * len(measures)
    if not reason:
        try:
            exacts = _exact(found, measures, samples, clock, tally=exact)
        except LimitReached as stop:
            reason = f"{stop}, before the exact numbers were complete"
    distributions = tuple(
        Distribution(measure.name, drawn, known)
        for measure, drawn, known in zip(measures, _added(batches), exacts, strict=True)
    )
    return Survey(
        found.problem,
        found.count,
        found.order,
        found.engine,
        distributions[0].number,
        samples,
        seed,
        distributions,
        reason,
        time.perf_counter() - started,
    )


def _measured(
    found: Tours, measures: Sequence[Measure], places: Iterable[int], wanted: int, clock: Clock
) -> Iterator[_Batch]:
    """Measure tours in batches. Raises LimitReached."""
    problem, progress = found.problem, found.settings.progress
    cells = max(1, len(problem.ground))
    batch, part = max(1, _FIRST_CELLS // cells), max(1, _MEASURED_CELLS // cells)
    is_move = move_test(problem.ground)
    rest, done = iter(places), 0
    while done < wanted:
        reached = f"{done:,} of {wanted:,} tours measured"
        clock.check(reached)
        if progress is not None:
            progress(done / wanted, reached)
        started = time.monotonic()
        rows = found.arrays(islice(rest, min(batch, wanted - done)))
        for first in range(0, len(rows), part):
            some = TourRows(
                problem.ground, rows[first : first + part], closed=problem.closed, is_move=is_move
            )
            yield [_counted(each.values(some)) for each in measures]
        done += len(rows)
        if time.monotonic() - started < _BATCH_SECONDS / 2:
            batch = min(2 * batch, max(1, _MOST_CELLS // cells))


def _added(batches: Iterable[_Batch]) -> list[dict[Number, int]]:
    """The numbers of all batches by value, sorted, for each statistic."""
    totals: list[Counter[Number]] = []
    for batch in batches:
        totals = totals or [Counter() for _ in batch]
        for total, numbers in zip(totals, batch, strict=True):
            total.update(numbers)
    return [dict(sorted(total.items())) for total in totals]


def _counted(values: Values) -> dict[Number, int]:
    different, numbers = np.unique(values, return_counts=True)
    return dict(zip(different.tolist(), numbers.tolist(), strict=True))


def _exact(
    found: Tours, measures: Sequence[Measure], samples: int, clock: Clock, *, tally: bool
) -> Sequence[Mapping[Number, int] | None]:
    """For each statistic how many of all tours have each value, where that is known. Raises LimitReached."""
    if found.count <= samples:
        return _added(_measured(found, measures, range(found.count), found.count, clock))
    exacts: list[Mapping[Number, int] | None] = [None] * len(measures)
    for number, each in enumerate(measures):
        if tally and each.moves is not None:
            within = clock.within(replace(found.settings, seed=None))
            table = count_by_uses(found.problem, each.moves.moves, "auto", within)
            if table.count == found.count:  # the sequence is not a slice
                exacts[number] = {row.key[1]: row.count for row in table.rows if row.count}
    return exacts
