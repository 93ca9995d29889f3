"""Count tours or the solutions of a model exactly: the number, or a table of numbers by something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Clock, Settings, takes_settings
from ktsolve.base.text import as_tuple, shown
from ktsolve.engines.auto import choose, engine_for_pairs
from ktsolve.engines.interface import Estimate
from ktsolve.engines.protocols import EstimatesPairs
from ktsolve.graphs.graph import Graph
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import Parts, joined_names, simplified_for
from ktsolve.tasks.count_answer import CountAnswer, CountRow, CountTable
from ktsolve.tasks.count_total import count_by_ends, count_tours, endpoint_classes, ends_to_count

if TYPE_CHECKING:
    from ktsolve.engines.integer_sequences import GeneratingFunction
    from ktsolve.engines.strip.joined import JoinedStrip
    from ktsolve.engines.strip.shape import StripShape
    from ktsolve.engines.strip.transfer import Transfer
    from ktsolve.model.model import Model
    from ktsolve.tasks.count_models import ModelCount

__all__ = [
    "CountAnswer",
    "CountRow",
    "CountTable",
    "count",
    "estimate",
    "generating_function",
    "strip_counts",
]

_BY = "start, ends, moves, uses:MOVES, steps:CELL, length or symmetry"


@overload
def count(problem: Model, engine: str = "auto", settings: Settings | None = None) -> ModelCount: ...


@overload
def count(
    problem: TourProblem | Graph | str | Any,
    engine: str = "auto",
    settings: Settings | None = None,
    *,
    by: str | tuple[str, Any],
    **conditions: Any,
) -> CountTable: ...


@overload
def count(
    problem: TourProblem | Graph | str | Any,
    engine: str = "auto",
    settings: Settings | None = None,
    **conditions: Any,
) -> CountAnswer: ...


@takes_settings
def count(
    problem: Any,
    engine: str = "auto",
    settings: Settings | None = None,
    *,
    by: str | tuple[str, Any] | None = None,
    **conditions: Any,
) -> CountAnswer | CountTable | ModelCount:
    """Count tours, or the solutions of a model, exactly.

    Parameters
    ----------
    problem:
        A problem; or a board, its size such as ``"8x8"``, a graph, or its name: see :meth:`TourProblem.of`.
        Or a :class:`ktsolve.Model`, whose solutions are counted.
    engine:
        Name of the engine, or ``auto``.
    settings:
        Limits and threads; the defaults if None.
    by:
        What a table of numbers is ordered by; None for the number alone.

        - ``"start"``, ``"ends"``: open tours by the class of their start, or of both ends.
        - ``"moves"``: the tours through each move.
        - ``"uses:MOVES"``: by how many moves of a set a tour uses, such as ``"uses:slopes"`` or
          ``"uses:a1-b3,c2-d4"`` (:data:`ktsolve.problem.move_sets.MOVE_SETS`); or ``("uses", moves)``.
        - ``"steps:CELL"``: by the step at which a tour visits the cell; or ``("steps", cell)``.
        - ``"length"``: all cycles, or paths of at least one edge, by their number of edges; they may leave
          out vertices.
        - ``"symmetry"``: tours up to symmetry, by Burnside's lemma.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`. For a model,
        ``assumptions``.

    Returns
    -------
    CountAnswer or CountTable or ModelCount
        The number of tours; the table, if ``by`` is given; the number of solutions of a model.

    Raises
    ------
    BadInput
        For an unknown ``by``, and a table that the problem does not have.
    Refused
        If the engine cannot take the problem.
    LimitReached
        If time or memory runs out first.
    WrongAnswer
        If the numbers of a table do not add up.

    Examples
    --------
    >>> answer = count("6x6")
    >>> answer.count, answer.directed
    (9862, 19724)
    >>> table = count("5x5", by="start", closed=False)
    >>> table.count, table.counts[0, 0]
    (864, 304)
    >>> count("6x6", by="symmetry").classes
    1245
    """
    if not isinstance(problem, TourProblem | Graph | str):
        from ktsolve.model.model import Model

        if isinstance(problem, Model):
            from ktsolve.tasks.count_models import count_solutions

            if by is not None:
                raise BadInput("the solutions of a model are one number: leave out by")
            return count_solutions(problem, engine, settings, **conditions)
    problem = TourProblem.of(problem, **conditions)
    settings = Settings.of(settings)
    if by is None:
        return count_tours(problem, engine, settings)
    return _table(problem, by, engine, settings)


def _table(problem: TourProblem, by: str | tuple[str, Any], engine: str, settings: Settings) -> CountTable:
    of: Any = None
    if isinstance(by, str):
        name, colon, text = by.partition(":")
        of = text if colon else None
    elif len(pair := as_tuple(by)) == 2:
        name, of = pair
    else:
        raise BadInput(f"counts by {shown(str(by))} are unknown: use {_BY}")
    if (of is None) == (name in ("uses", "steps")):
        raise BadInput(f"counts by {shown(str(by))} are unknown: use {_BY}")
    if name in ("start", "ends"):
        return count_by_ends(problem, name, engine, settings)
    from ktsolve.tasks import count_tables

    if name == "uses":
        return count_tables.count_by_uses(problem, of, engine, settings)
    if name == "steps":
        return count_tables.count_by_steps(problem, of, engine, settings)
    if name == "length":
        return count_tables.count_by_length(problem, engine, settings)
    if name == "moves":
        return count_tables.count_by_moves(problem, engine, settings)
    if name == "symmetry":
        return count_tables.count_by_symmetry(problem, engine, settings)
    raise BadInput(f"counts by {shown(str(by))} are unknown: use {_BY}")


@takes_settings
def estimate(
    problem: TourProblem | Graph | str | Any,
    engine: str = "auto",
    settings: Settings | None = None,
    by: str | None = None,
    **conditions: Any,
) -> tuple[str, Estimate | None]:
    """Predict the cost of a count, and the engine that would count.

    A bare graph is reduced first, and ``auto`` may run several engines side by side: this is the one that it
    would take alone.

    Parameters
    ----------
    problem:
        A problem; or a board, its size such as ``"8x8"``, a graph, or its name: see :meth:`TourProblem.of`.
    engine:
        Name of the engine, or ``auto``.
    settings:
        Limits and threads, on which the plan depends; the defaults if None.
    by:
        ``start`` or ``ends``: the cost of all classes of :func:`ktsolve.count`; None for the number alone.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`.

    Returns
    -------
    engine : str
        The engine that would count.
    cost : Estimate or None
        The predicted cost, None if the engine makes no prediction.

    Raises
    ------
    BadInput
        For an unknown ``by``, or a problem without such classes.
    Refused
        If the engine cannot take the problem.

    Examples
    --------
    >>> engine, expected = estimate(TourProblem(board="8x8", closed=True))
    >>> engine, expected.plan
    ('join', 'rows 3+2+3: 24 + 16 + 24 cells, one table for both sides, mirrored, separator moves 6 + 6')
    """
    problem = TourProblem.of(problem, **conditions)
    settings = Settings.of(settings)
    if by is None:
        # Of the parts of a reduced graph the one of most time.
        quiet = replace(settings, remark=None)
        question, _ = simplified_for("count", problem, engine, quiet)
        parts = Parts(question, "count", engine, quiet).questions
        engines = [choose(engine, "count", part) for part in parts]
        costs = [chosen.estimate(part, quiet) for chosen, part in zip(engines, parts, strict=True)]
        most = max((cost for cost in costs if cost is not None), key=lambda cost: cost.seconds, default=None)
        return joined_names(chosen.name for chosen in engines), most
    questions = {ends: each for ends, (each, _) in endpoint_classes(problem, by, settings).items()}
    if not (pairs := ends_to_count(questions)):
        return choose(engine, "count", next(iter(questions.values()), problem)).name, None
    chosen = engine_for_pairs(engine, problem, questions[pairs[0]], pairs, settings)
    together = chosen.estimate_pairs(problem, pairs, settings) if isinstance(chosen, EstimatesPairs) else None
    return chosen.name, together


MOST_LENGTHS = 10**9
"""Largest ``upto``: time and memory are used up long before."""


def check_upto(upto: int) -> None:
    """Raise BadInput for a greatest length that is less than 1 or too large."""
    if not 1 <= upto <= MOST_LENGTHS:
        raise BadInput(f"the greatest length is {upto}: it must be from 1 to {MOST_LENGTHS}")


@takes_settings
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
    vector of long numbers. Closed strips 7 to 9 wide are counted by half tables instead, which one sweep
    makes for all lengths (docs/strips.md).

    Examples
    --------
    >>> strip_counts("3xN", 14)
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 176, 0, 1536]
    """
    check_upto(upto)
    shape, settings = _shape(strip, closed, leaper, wrap), Settings.of(settings)
    clock = Clock(settings)
    counts: list[int] = []
    counter, early = strip_counter(shape, 0 if known is None else upto, settings, known or (lambda *_: None))
    for count in counter.counts(upto, clock.within(settings)):
        counts.append(count)
        if known is not None and len(counts) > early:
            known(len(counts), count)
    return counts


def strip_counter(
    shape: StripShape,
    upto: int,
    settings: Settings,
    known: Callable[[int, int], None],
    *,
    compiled: bool = False,
) -> tuple[Transfer | JoinedStrip, int]:
    """What counts a strip of all lengths, and the number of lengths that were counted before.

    Before the transfer of a wide strip is compiled ``known`` is called with short lengths, at most ``upto``,
    and their counts. ``compiled`` demands the transfer also where half tables would count.

    Raises LimitReached.
    """
    from ktsolve.engines.strip.joined import JoinedStrip, are_joined
    from ktsolve.engines.strip.transfer import Transfer, first_counts

    if are_joined(shape) and not compiled:
        return JoinedStrip(shape), 0
    clock = Clock(settings)
    early = 0
    for early, count in enumerate(first_counts(shape, upto, settings), 1):
        known(early, count)
    return Transfer(shape, clock.within(settings)), early


@takes_settings
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
    from ktsolve.engines.integer_sequences import derived
    from ktsolve.engines.strip.transfer import Transfer

    settings = Settings.of(settings)
    clock = Clock(settings)
    shape = _shape(strip, closed, leaper, wrap)
    return derived(Transfer(shape, settings), clock.within(settings))


def _shape(strip: str | StripShape, closed: bool, leaper: str | tuple[int, int], wrap: str) -> StripShape:
    from ktsolve.engines.strip.shape import StripShape

    if isinstance(strip, StripShape):
        return strip
    return StripShape.parse(strip, closed=closed, leaper=leaper, wrap=wrap)
