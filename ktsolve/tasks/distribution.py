"""The distribution of a statistic: numbers of tours by value, means and quantiles with intervals, bins.

The mean's interval is that of the normal distribution, with the standard deviation of the sample. A
quantile's interval lies between two values of the sorted sample: how many values fall below the true quantile
is binomial, whatever the distribution is, so the exact binomial distribution gives their places. For a
statistic with few values the interval has the true quantile more often than 95 % of the time.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import ceil, floor, log10, sqrt
from typing import Any

import numpy as np

__all__ = ["Bin", "Distribution", "Quantile"]

CONFIDENCE = 0.95
"""How often an interval has the true value, at least."""

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Shares of the quantiles that are printed."""

_NORMAL = 1.959963984540054  # the two-sided quantile of the normal distribution for ``CONFIDENCE``

Number = int | float


@dataclass(frozen=True)
class Quantile:
    """A quantile of a sample.

    Attributes
    ----------
    share:
        The share of the tours up to it.
    value:
        The least value that has this share of the sample up to it.
    low, high:
        The interval; None on a side where the sample is too small for a bound.
    """

    share: float
    value: Number
    low: Number | None
    high: Number | None


@dataclass(frozen=True)
class Bin:
    """Values from ``first`` to ``last``; of a statistic that is not whole, below ``last``.

    Attributes
    ----------
    samples:
        How many of the sample.
    tours:
        How many of all tours, if that is known.
    """

    first: Number
    last: Number
    samples: int
    tours: int | None


@dataclass(frozen=True)
class Distribution:
    """The values of a statistic in a sample, and of all tours where they are known.

    Attributes
    ----------
    name:
        The statistic.
    samples:
        How many tours of the sample have each value, by value.
    exact:
        How many of all tours have each value; None if that is not known.

    Examples
    --------
    >>> found = Distribution("turns", {3: 10, 4: 30, 6: 60}, {3: 1, 4: 3, 6: 6})
    >>> found.number, found.mean, found.exact_mean, found.quantile(0.5).value
    (100, 5.1, 5.1, 6)
    >>> [(each.first, each.last, each.samples, each.tours) for each in found.bins(3)]
    [(2, 3, 10, 1), (4, 5, 30, 3), (6, 7, 60, 6)]
    """

    name: str
    samples: Mapping[Number, int]
    exact: Mapping[Number, int] | None = None

    @cached_property
    def number(self) -> int:
        """Size of the sample."""
        return sum(self.samples.values())

    @property
    def least(self) -> Number:
        """The least value of the sample."""
        return min(self.samples)

    @property
    def greatest(self) -> Number:
        """The greatest value of the sample."""
        return max(self.samples)

    @cached_property
    def mean(self) -> float:
        """The mean of the sample."""
        return _mean(self.samples)

    @cached_property
    def deviation(self) -> float:
        """The standard deviation, estimated from the sample; 0 for a sample of one."""
        return _deviation(self.samples, 1)

    @property
    def mean_interval(self) -> tuple[float, float]:
        """The interval of the mean."""
        half = _NORMAL * self.deviation / sqrt(self.number)
        return self.mean - half, self.mean + half

    @property
    def exact_mean(self) -> float | None:
        """The mean over all tours, if it is known."""
        return _mean(self.exact) if self.exact else None

    @property
    def exact_deviation(self) -> float | None:
        """The standard deviation over all tours, if it is known."""
        return _deviation(self.exact, 0) if self.exact else None

    def quantile(self, share: float) -> Quantile:
        """The quantile of a share, with its interval."""
        at = min(self.number, max(1, ceil(Fraction(str(share)) * self.number)))
        low, high = (
            None if place is None else _value_at(self._cumulative, place)
            for place in order_places(self.number, share)
        )
        return Quantile(share, _value_at(self._cumulative, at), low, high)

    def exact_quantile(self, share: float) -> Number | None:
        """The least value that has this share of all tours up to it, if it is known."""
        if not self.exact:
            return None
        return _value_at(_cumulated(self.exact), Fraction(str(share)) * sum(self.exact.values()))

    @cached_property
    def _cumulative(self) -> _Cumulated:
        return _cumulated(self.samples)

    def bins(self, most: int) -> list[Bin]:
        """Neighbouring bins of equal widths over all values, at most ``most``; widths are round numbers.

        Values that are known to exist beyond the sample have bins, too.
        """
        values = [*self.samples, *(self.exact or ())]
        whole = all(isinstance(value, int) for value in values)
        low, high = min(values), max(values)
        width = _width(low, high, most, whole=whole)

        def bin_of(value: Number) -> int:
            # Whole numbers beyond 2^53 are divided without rounding.
            return int(value // width) if whole else floor(value / width)

        def binned(counts: Mapping[Number, int]) -> Counter[int]:
            found = Counter[int]()
            for value, count in counts.items():
                found[bin_of(value)] += count
            return found

        def end(k: int, less: int = 0) -> Number:
            return int(k * width) - less if whole else float(k * width)

        samples, tours = binned(self.samples), None if self.exact is None else binned(self.exact)
        return [
            Bin(end(k), end(k + 1, 1), samples[k], None if tours is None else tours[k])
            for k in range(bin_of(low), bin_of(high) + 1)
        ]

    def to_json(self, most: int = 60) -> dict[str, Any]:
        """All numbers as a JSON object; numbers of tours are decimal strings."""
        exact = None
        if self.exact is not None:
            exact = {
                "mean": self.exact_mean,
                "deviation": self.exact_deviation,
                "quantiles": [{"share": each, "value": self.exact_quantile(each)} for each in QUANTILES],
                "values": [[value, str(self.exact[value])] for value in sorted(self.exact)],
            }
        return {
            "name": self.name,
            "mean": self.mean,
            "mean_interval": list(self.mean_interval),
            "deviation": self.deviation,
            "least": self.least,
            "greatest": self.greatest,
            "quantiles": [
                {"share": each.share, "value": each.value, "interval": [each.low, each.high]}
                for each in map(self.quantile, QUANTILES)
            ],
            "bins": [
                {"from": each.first, "to": each.last, "samples": each.samples} for each in self.bins(most)
            ],
            "values": [[value, self.samples[value]] for value in sorted(self.samples)],
            "exact": exact,
        }


_Cumulated = tuple[list[Number], list[int]]


def _cumulated(counts: Mapping[Number, int]) -> _Cumulated:
    """The values in ascending order, and how many are up to each."""
    values = sorted(counts)
    return values, list(accumulate(counts[value] for value in values))


def _value_at(cumulated: _Cumulated, place: int | Fraction) -> Number:
    """The value at a place, from 1, in ascending order."""
    values, upto = cumulated
    return values[bisect_left(upto, place)]


def _mean(counts: Mapping[Number, int]) -> float:
    return float(_sum(counts, 1) / sum(counts.values()))


def _sum(counts: Mapping[Number, int], power: int) -> Fraction:
    """The sum of powers of the values, without rounding."""
    return sum((Fraction(value) ** power * count for value, count in counts.items()), Fraction(0))


def _deviation(counts: Mapping[Number, int], less: int) -> float:
    number = sum(counts.values())
    if number <= less:
        return 0.0
    squares = _sum(counts, 2) - _sum(counts, 1) ** 2 / number
    return sqrt(squares / (number - less))


def _width(low: Number, high: Number, most: int, *, whole: bool) -> Fraction | int:
    """The least width of 1, 2 or 5 times a power of ten with which ``most`` bins hold all values."""
    exponent = 0 if whole or low == high else floor(log10((high - low) / most))
    while True:
        for factor in (1, 2, 5):
            width = factor * Fraction(10) ** exponent
            if floor(Fraction(high) / width) - floor(Fraction(low) / width) < most:
                return int(width) if whole else width
        exponent += 1


def order_places(number: int, share: float) -> tuple[int | None, int | None]:
    """The places, from 1, of a sorted sample between which a quantile lies in at least 95 % of all samples.

    ``share`` of the values lie below the quantile; their number in a sample is binomial. None: there is no
    such place on that side.

    >>> order_places(100, 0.5), order_places(5, 0.5), order_places(10, 0.05)
    ((40, 61), (None, None), (None, 3))
    """
    spread = 40 * sqrt(number * share * (1 - share)) + 40
    first, last = max(0, floor(number * share - spread)), min(number, ceil(number * share + spread))
    k = np.arange(first, last)
    steps = np.log((number - k) / (k + 1)) + np.log(share / (1 - share))
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    chances = np.exp(logs - logs.max())
    chances /= chances.sum()
    tail = (1 - CONFIDENCE) / 2
    # Place l is too high if fewer than l values lie below; place u is too low if u or more do.
    below = np.cumsum(chances)
    above = np.cumsum(chances[::-1])[::-1]
    few = np.flatnonzero(below <= tail)
    many = np.flatnonzero(above <= tail)
    low = first + int(few[-1]) + 1 if len(few) else None
    high = first + int(many[0]) if len(many) else None
    return low, high


def shown_number(value: Number, places: int = 4) -> str:
    """A number with a limited number of places after the point.

    >>> shown_number(12), shown_number(12.5), shown_number(1 / 3)
    ('12', '12.5', '0.3333')
    """
    if isinstance(value, int):
        return str(value)
    return f"{value:.{places}f}".rstrip("0").rstrip(".") if abs(value) >= 10**-places else f"{value:.3g}"


def bin_name(each: Bin) -> str:
    """The value of a bin as text, or the first and the last.

    >>> bin_name(Bin(3, 3, 0, None)), bin_name(Bin(3, 5, 0, None))
    ('3', '3 to 5')
    """
    if isinstance(each.first, int):
        return str(each.first) if each.first == each.last else f"{each.first} to {each.last}"
    return f"{shown_number(each.first)} to {shown_number(each.last)}"
