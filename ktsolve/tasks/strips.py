"""Counts of strips: boards of one width, for all lengths."""

from __future__ import annotations

from collections.abc import Callable

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.sequences.recurrence import GeneratingFunction, derived
from ktsolve.engines.strip.shape import StripShape
from ktsolve.engines.strip.transfer import Transfer

__all__ = [
    "GeneratingFunction",
    "StripShape",
    "Transfer",
    "check_upto",
    "generating_function",
    "strip_counts",
]

MOST_LENGTHS = 10**9
"""Largest ``upto``: time and memory are used up long before."""


def check_upto(upto: int) -> None:
    """Check the number of lengths.

    Parameters
    ----------
    upto:
        The greatest length.

    Raises
    ------
    BadInput
        If it is less than 1 or too large.
    """
    if not 1 <= upto <= MOST_LENGTHS:
        raise BadInput(f"the greatest length is {upto}: it must be from 1 to {MOST_LENGTHS}")


def strip_counts(
    strip: str | StripShape,
    upto: int,
    *,
    closed: bool = True,
    leaper: str | tuple[int, int] = (1, 2),
    wrap: str = "none",
    settings: Settings | None = None,
    known: Callable[[int, int], None] | None = None,
) -> list[int]:
    """The numbers of undirected tours of a strip of the lengths 1 to ``upto``.

    Parameters
    ----------
    strip:
        ``5xN``, ``Nx5``, ``graph:king:5xN``; or the strip itself.
    upto:
        The greatest length.
    closed, leaper, wrap:
        As of a board.
    settings:
        Limits.
    known:
        Called with each length and its count as soon as it is known.

    Returns
    -------
    list[int]
        The count of each length, from 1.

    Raises
    ------
    LimitReached
        At the time or memory limit.

    Notes
    -----
    The transfer of one column is compiled once; then each length costs one product of a sparse matrix with a
    vector of long numbers (docs/strips.md).

    Examples
    --------
    >>> strip_counts("3xN", 14)
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 176, 0, 1536]
    """
    check_upto(upto)
    shape = _shape(strip, closed, leaper, wrap)
    settings = Settings.of(settings)
    clock = Clock(settings)
    transfer = Transfer(shape, settings)
    counts: list[int] = []
    for count in transfer.counts(upto, clock.within(settings)):
        counts.append(count)
        if known is not None:
            known(len(counts), count)
    return counts


def generating_function(
    strip: str | StripShape,
    *,
    closed: bool = True,
    leaper: str | tuple[int, int] = (1, 2),
    wrap: str = "none",
    settings: Settings | None = None,
) -> GeneratingFunction:
    """The generating function of the numbers of tours of a strip, proved, in lowest terms.

    Parameters
    ----------
    strip:
        ``5xN``, ``Nx5``, ``graph:king:5xN``; or the strip itself.
    closed, leaper, wrap:
        As of a board.
    settings:
        Limits.

    Returns
    -------
    GeneratingFunction
        The function with its proof.

    Raises
    ------
    LimitReached
        At the time or memory limit. The work grows with the third power of the dimension of the transfer.

    Examples
    --------
    >>> function = generating_function("3xN")
    >>> print(function.proof)
    recurrence of order 42 (21 in steps of 2), proved: dimension 54, 98 terms
    >>> function.terms(12)[9:]
    [16, 0, 176]
    >>> print(generating_function("4xN", leaper=(0, 1)).text())
    (x^2) / (1 - 2 x - 2 x^2 + 2 x^3 - x^4)
    """
    settings = Settings.of(settings)
    clock = Clock(settings)
    shape = _shape(strip, closed, leaper, wrap)
    return derived(Transfer(shape, settings), clock.within(settings))


def _shape(strip: str | StripShape, closed: bool, leaper: str | tuple[int, int], wrap: str) -> StripShape:
    if isinstance(strip, StripShape):
        return strip
    return StripShape.parse(strip, closed=closed, leaper=leaper, wrap=wrap)
