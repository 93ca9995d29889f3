"""Parameters of tests that ``make test`` leaves to ``make test-all``, or to ``make test-slow``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

__all__ = ["full", "quick", "slow"]


def full(*values: Any) -> Any:
    """The values of one case, with the mark ``full``."""
    return pytest.param(*values, marks=pytest.mark.full)


def slow(*values: Any) -> Any:
    """The values of one case, with the mark ``slow``."""
    return pytest.param(*values, marks=pytest.mark.slow)


def quick(
    values: Iterable[Any], few: Callable[[Any], bool], many: Callable[[int], bool] = lambda _: True
) -> list[Any]:
    """The cases, a tuple for several parameters; those for which ``few`` is false have the mark ``full``.

    Of these, those for whose numbers, from 0, ``many`` is false have the mark ``slow``.
    """
    cases, number = [], 0
    for case in values:
        if few(case):
            cases.append(case)
            continue
        mark = full if many(number) else slow
        cases.append(mark(*case) if type(case) is tuple else mark(case))
        number += 1
    return cases
