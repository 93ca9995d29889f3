"""Counts of strips: boards of one width, for all lengths or for one that is too long for a board."""

from __future__ import annotations

from collections.abc import Callable

from ktsolve.base.errors import BadInput, Refused
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.registry import engine_named
from ktsolve.engines.sequences.recurrence import GeneratingFunction, derived
from ktsolve.engines.strip.engine import StripEngine, strip_count
from ktsolve.engines.strip.shape import StripShape
from ktsolve.engines.strip.transfer import Transfer
from ktsolve.problem.refutations.rectangles import closed_reason, open_reason
from ktsolve.tasks.answer import timed
from ktsolve.tasks.counting.answer import CountAnswer
from ktsolve.tasks.large import RectangleProblem

__all__ = [
    "GeneratingFunction",
    "StripShape",
    "Transfer",
    "check_upto",
    "count_rectangle",
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


@timed
def count_rectangle(
    problem: RectangleProblem, engine: str = "auto", settings: Settings | None = None
) -> CountAnswer:
    """The number of tours of a whole rectangle that is too long for a :class:`Board`.

    Parameters
    ----------
    problem:
        The problem.
    engine:
        ``strip`` or ``auto``.
    settings:
        Limits.

    Returns
    -------
    CountAnswer
        The number of tours.

    Raises
    ------
    Refused
        If ends are given, or another engine than ``strip`` is named.
    LimitReached
        At the time or memory limit.

    Examples
    --------
    >>> answer = count_rectangle(RectangleProblem.parse("3x50000", closed=True))
    >>> answer.count.bit_length(), answer.engine
    (82054, 'strip')
    """
    settings = Settings.of(settings)
    clock = Clock(settings)
    rows, columns = problem.board.rows, problem.board.columns
    if problem.start is not None or problem.end is not None:
        raise Refused(f"{problem} is too long to count with given ends: leave them out")
    if engine not in ("auto", StripEngine.name):
        engine_named(engine)  # a name that is unknown
        raise Refused(f"engine {engine} cannot count on a board as long as {problem.board}: use strip")
    reason = (closed_reason if problem.closed else open_reason)(rows, columns)
    if reason is not None:
        return CountAnswer(0, 0, engine="arithmetic", reason=reason)
    turned = columns < rows
    shape = StripShape.parse(f"Nx{columns}" if turned else f"{rows}xN", closed=problem.closed)
    transfer = Transfer(shape, settings)
    found = strip_count(transfer, max(rows, columns), clock.within(settings))
    return CountAnswer(
        found.count, found.directed, found.peak_bytes, dict(found.details), engine=StripEngine.name
    )
