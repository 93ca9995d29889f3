"""Whether a sample fits exact shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def likely(counts: Mapping[Any, int], shares: Mapping[Any, float]) -> bool:
    """Whether chi-square is within five standard deviations of its mean, and some for the long tail.

    ``counts`` says how often each value was drawn, ``shares`` the share of each, up to a common factor.
    """
    assert set(counts) <= set(shares)
    number, total, freedom = sum(counts.values()), sum(shares.values()), len(shares) - 1
    expected = {value: number * share / total for value, share in shares.items()}
    square = sum((counts.get(value, 0) - each) ** 2 / each for value, each in expected.items())
    return bool(square < freedom + 5 * (2 * freedom) ** 0.5 + 15)
