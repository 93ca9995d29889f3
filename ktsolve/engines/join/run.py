"""Counts by a plan: in one go or in passes, directly or modulo primes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from ktsolve import _native
from ktsolve.base.errors import LimitReached, OutOfMemory, WrongAnswer
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.integer_sequences import from_residues, unfolded
from ktsolve.engines.interface import Counted
from ktsolve.engines.join.calls import Cost, Work, native_limits, reported
from ktsolve.engines.join.fitting import (
    MODULI,
    fits,
    moduli_for,
    most_of,
    refusal,
)
from ktsolve.engines.join.passes import plan_key
from ktsolve.engines.join.plan import JoinPlan, image_of
from ktsolve.engines.join.summing import BlocksTooLarge, sum_along
from ktsolve.problem.cycle_graph import Edge
from ktsolve.problem.problem import TourProblem

__all__ = [
    "count_along",
    "moves_along",
    "residue_along",
    "tally_along",
]


_Numbers = tuple[list[int], Cost]

_SMALLEST_MODULI = MODULI[-1]


def count_along(
    problem: TourProblem, plan: JoinPlan, settings: Settings, clock: Clock, part: tuple[int, int] = (0, 1)
) -> Counted:
    """The count by a given plan, or its summand i of n for ``part`` = (i, n).

    Raises as :func:`tally_along`.
    """
    numbers, cost = _numbers_along(problem, plan, settings, clock, part)
    return _counted(problem, numbers[0], cost)


def tally_along(problem: TourProblem, plan: JoinPlan, settings: Settings, clock: Clock) -> list[int]:
    """Entry j: the number of tours that use j of the plan's tallied edges, up to the last that is not 0.

    When the tables would not fit into the memory limit the join goes in passes over blocks of states, with
    the half tables on disk (``settings.spill``, or a temporary folder). Raises LimitReached; at once, if the
    estimate far exceeds memory or disk.
    """
    return _numbers_along(problem, plan, settings, clock, (0, 1))[0]


def moves_along(plan: JoinPlan, cycles: int, settings: Settings, clock: Clock) -> dict[Edge, int]:
    """The number of cycles that use each edge of the plan's graph; there are ``cycles``.

    All layers of one half are kept in memory, or of each half in turn if the plan has no flip. Raises
    LimitReached, and WrongAnswer if the sweep has another number of cycles.
    """
    counts: dict[Edge, int] = {}
    plan = replace(plan, turned=-1)  # each tour by itself
    settings = settings.within_memory(settings.memory_budget)
    for side in (plan,) if plan.flip else (plan, plan.turned_over()):
        numbers = _moves_of_top(side, cycles, settings, clock)
        counts.update((edge, numbers[edge]) for edge in side.edges_of_top())
    if plan.flip:
        counts.update((image_of(plan.flip, edge), count) for edge, count in list(counts.items()))
    return counts


def _moves_of_top(plan: JoinPlan, cycles: int, settings: Settings, clock: Clock) -> dict[Edge, int]:
    """The number of cycles that use each edge; 0 for edges that are not given to the top."""

    def describe(step: int, of: int, states: int) -> tuple[float, str]:
        return step / max(1, of), f"forwards and backwards, {states:,} states"

    def residues_of(modulus: int) -> list[int]:
        report = reported(
            settings,
            lambda: _native.join_moves(
                *plan.graph.arrays(), plan.native(), **native_limits(settings, clock, modulus, describe)
            ),
            # The report may begin with the state before the first cell.
            lambda report: f"{min(len(report.top), len(plan.top))} of {len(plan.top)} cells of the half done",
        )
        if report.overflow:
            raise LimitReached("the numbers of tours through moves do not fit: the groups are too large")
        return [*report.counts, report.total]

    # No number is greater than that of all cycles.
    *numbers, total = (
        residues_of(0) if cycles >> 62 == 0 else from_residues(residues_of, cycles, _SMALLEST_MODULI)
    )
    if total != cycles:
        raise WrongAnswer(
            f"engine join: a sweep forwards and backwards has {total} tours, the count {cycles}"
        )
    return dict(zip(plan.graph.pairs, numbers, strict=True))


def _numbers_along(
    problem: TourProblem, plan: JoinPlan, settings: Settings, clock: Clock, part: tuple[int, int]
) -> _Numbers:
    """The count as a list of one number, or the numbers of a tally."""
    if not 0 <= part[0] < part[1]:
        raise ValueError(f"part {part[0]} of {part[1]}: parts are numbered from 0")
    return _in_memory(Work(problem, plan, settings, clock, part), _exact)


def residue_along(
    problem: TourProblem, plan: JoinPlan, settings: Settings, clock: Clock, modulus: int
) -> int:
    """The remainder of the number of tours by an odd modulus below 2^40, by a given plan.

    With another separator than that of :func:`count_along` it shares no table with it. Raises as
    :func:`tally_along`.
    """
    found = _in_memory(Work(problem, plan, settings, clock, (0, 1)), partial(sum_along, modulus=modulus))
    if found.overflow:
        raise LimitReached(f"sums modulo {modulus} do not fit: give a smaller modulus")
    return found.numbers[0] * pow(found.divisor, -1, modulus) % modulus


def _in_memory(work: Work, count: Callable[[Work], _Found]) -> _Found:
    """Count in the fastest way that is estimated to fit into memory; if it does not, in the next one."""
    plan = work.plan
    # Taken once: while the tables of a pass are held, the settings have less left.
    settings = work.settings.within_memory(work.settings.memory_budget)
    short: OutOfMemory | None = None
    tried = ""
    for fit in fits(plan, settings):
        if settings.progress is not None:
            settings.progress(0.0, str(fit))
        if short is not None:
            settings.say(f"join: met the memory limit; next: {fit}")
        key = plan_key(fit.plan, 0)
        if isinstance(short, BlocksTooLarge) and key != tried:
            short.remove_tables()
        own, tried = replace(settings, threads=fit.threads), key
        try:
            return count(work._replace(plan=fit.plan, settings=own))
        except OutOfMemory as error:
            short = error  # the next has smaller blocks, or fewer threads
    raise refusal(work.problem, plan, settings, tried=short is not None) from short


_Found = TypeVar("_Found")


def _counted(problem: TourProblem, total: int, cost: Cost) -> Counted:
    details = cost._asdict()
    peak = details.pop("peak_bytes")
    for name in ("halves", "join"):
        details[f"{name}_ms"] = round(1000 * details.pop(f"{name}_seconds"))
    return Counted(total, total * problem.directions, peak, details)


class _TooWide(Exception):
    """Raised where residues, or sums of them, do not fit either."""


def _exact(work: Work) -> _Numbers:
    """The numbers as whole ones: directly if they fit, else from their residues."""
    plan = work.plan
    found = sum_along(work, 0)
    if not found.overflow:
        return [unfolded(number, found.divisor) for number in found.numbers], found.cost
    cost = Cost()
    divisor = 1

    def residues_of(prime: int) -> list[int]:
        nonlocal divisor, cost
        found = sum_along(work, prime)
        if found.overflow:
            raise _TooWide(f"counting modulo {prime} does not fit either")
        cost = cost.with_more(found.cost)
        divisor = found.divisor
        return found.numbers

    for most in moduli_for(plan):
        try:
            numbers = from_residues(residues_of, most_of(plan), most)
            break
        except _TooWide as error:
            if most == MODULI[-1]:
                raise LimitReached(f"{error}: the groups are too large") from None
            cost = Cost()
    while plan.tallied and numbers and numbers[-1] == 0:
        numbers.pop()
    return [unfolded(number, divisor) for number in numbers], cost
