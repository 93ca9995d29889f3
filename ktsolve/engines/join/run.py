"""Counting along a plan: in one go or in passes, directly or modulo primes."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ktsolve.engines.interface import Counted, Estimate
from ktsolve.engines.join.cost import arrays_needed
from ktsolve.engines.join.passes import WHOLE, Pass, in_passes, passes_of, plan_key, sets_needed
from ktsolve.engines.join.plan import JoinPlan
from ktsolve.engines.join.residues import from_residues
from ktsolve.errors import LimitReached
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock, Settings, out_of_time, shown_bytes

if TYPE_CHECKING:
    from ktsolve import _native

__all__ = ["count_along", "estimate", "memory_needed"]

_HOPELESS = 5.0
"""A count is refused unseen when its passes would need this many times the memory there is. The estimate is
rough; anything less is tried."""

_MOST_SETS = 4
"""Most sets of cells that tell classes: with more there would be too many passes."""

_LARGEST_MODULUS = 1 << 31
"""So that sums over the largest groups of residues fit 63 bits."""


class OutOfMemory(LimitReached):
    """The tables did not fit; more passes may."""


def memory_needed(plan: JoinPlan) -> float:
    """Bytes that a plan needs in one go, about: within a factor of two or so on boards that were tried."""
    return arrays_needed(len(plan.middle)) + 1.3 * float(2 ** min(plan.bits, 1000))


def _fitted(plan: JoinPlan, budget: int, more: int = 0) -> tuple[JoinPlan | None, float]:
    """The plan with classes so that a pass fits, or None, and the memory a pass needs, about.

    ``more`` sets of cells than thought necessary tell the classes.
    """
    sets = min(_MOST_SETS, sets_needed(memory_needed(plan), budget) + more)
    needed = memory_needed(plan) / 2**sets
    passing = plan if sets == 0 else in_passes(plan, sets)
    return (None if needed > _HOPELESS * budget else passing), needed


def estimate(plan: JoinPlan, settings: Settings) -> Estimate:
    """What a plan will take: states, memory, disk if it goes in passes, and time.

    From the estimated number of states that the sweep makes, with rates measured on 7x8 to 8x10.
    """
    made = float(2 ** min(plan.bits, 1000))
    passing, needed = _fitted(plan, settings.memory_budget)
    words = str(plan)
    if passing is None:
        words += ", refused: too large even in passes"
    elif passing.classes:
        words += f", in {len(list(passes_of(passing)))} passes"
    in_one_go = passing is plan
    return Estimate(
        plan=words,
        states=made / 7,
        bytes=needed,
        disk=0.0 if in_one_go else _disk_needed(plan),
        seconds=0.2 + made * (4.4e-8 if in_one_go else 5e-8) / min(settings.thread_budget, 16),
    )


def _disk_needed(plan: JoinPlan) -> float:
    """Bytes of disk that the tables of all classes take, about."""
    return 0.4 * float(2 ** min(plan.bits, 1000))


def count_along(
    problem: TourProblem,
    plan: JoinPlan,
    settings: Settings,
    clock: Clock,
    part: tuple[int, int] = (0, 1),
) -> Counted:
    """The count along a given plan, or its summand i of n for ``part`` = (i, n).

    When the tables would not fit into the memory limit the join goes in passes over classes of states, with
    the half tables on disk (``settings.spill``, or a temporary folder).

    Raises
    ------
    LimitReached
        At the time or memory limit, telling how far it got; before anything is begun, when the memory or the
        disk is clearly too small.
    """
    if not 0 <= part[0] < part[1]:
        raise ValueError(f"part {part[0]} of {part[1]}: parts are numbered from 0")
    budget = settings.memory_budget
    more = 0
    while True:
        passing, needed = (plan, 0.0) if plan.classes else _fitted(plan, budget, more)
        if passing is None:
            raise LimitReached(
                f"counting {problem} by halves ({plan.name}) needs about {shown_bytes(memory_needed(plan))}, "
                f"and {shown_bytes(needed)} in passes; the memory limit is {shown_bytes(budget)}"
            )
        if settings.progress is not None:
            settings.progress(0.0, str(passing))
        try:
            if passing.classes:
                return _in_passes(problem, passing, settings, clock, part)
            total, reports = _exact(passing, settings, clock, part, spill=settings.spill or "")
            return _counted(problem, total, reports)
        except OutOfMemory:
            if plan.classes or len(passing.classes) >= _MOST_SETS:
                raise
            more += 1


def _in_passes(
    problem: TourProblem, plan: JoinPlan, settings: Settings, clock: Clock, part: tuple[int, int]
) -> Counted:
    # A part is told by patterns, not by passes: how many passes there are depends on the memory at hand, and
    # the parts of a count may be done on different machines.
    passes = list(passes_of(plan))
    with ExitStack() as stack:
        folder = settings.spill or stack.enter_context(tempfile.TemporaryDirectory(prefix="ktsolve-"))
        try:
            free = shutil.disk_usage(folder).free
        except OSError as error:
            raise LimitReached(f"{folder}: {error.strerror or error}") from None
        if settings.spill is None and _disk_needed(plan) > free:
            raise LimitReached(
                f"counting {problem} in {len(passes)} passes needs about "
                f"{shown_bytes(_disk_needed(plan))} of disk; {folder} has {shown_bytes(free)}"
            )
        total, reports = 0, []
        for number, each in enumerate(passes):
            own = _with_progress(settings, number, len(passes))
            summand, more = _exact(plan, own, clock, part, each, folder)
            total += each.weight * summand
            reports += more
    return _counted(problem, total, reports)


def _with_progress(settings: Settings, number: int, passes: int) -> Settings:
    if settings.progress is None:
        return settings
    progress = settings.progress

    def report(fraction: float | None, words: str) -> None:
        done = None if fraction is None else (number + fraction) / passes
        progress(done, f"pass {number + 1} of {passes}, {words}")

    return replace(settings, progress=report)


def _counted(problem: TourProblem, total: int, reports: list[_native.JoinReport]) -> Counted:
    halves = [half for r in reports for half in (r.top, r.bottom) if half]
    details = {
        "peak_states": max((layer.states for half in halves for layer in half), default=0),
        "states": max((sum(half[-1].kept for half in (r.top, r.bottom) if half) for r in reports), default=0),
        "groups": max(
            (sum(half[-1].groups for half in (r.top, r.bottom) if half) for r in reports), default=0
        ),
        "table_bytes": max(
            (sum(half[-1].bytes for half in (r.top, r.bottom) if half) for r in reports), default=0
        ),
        "transitions": sum(r.transitions for r in reports),
        "patterns": sum(r.patterns for r in reports),
        "extended": sum(r.extended for r in reports),
        "runs": len(reports),
        "halves_ms": round(1000 * sum(r.seconds_top + r.seconds_bottom for r in reports)),
        "join_ms": round(1000 * sum(r.seconds_join for r in reports)),
    }
    peak = max((report.peak_bytes for report in reports), default=0)
    return Counted(total, total * problem.directions, peak, details)


def _exact(
    plan: JoinPlan,
    settings: Settings,
    clock: Clock,
    part: tuple[int, int],
    each: Pass = WHOLE,
    spill: str = "",
) -> tuple[int, list[_native.JoinReport]]:
    """The count as a whole number: directly if it fits, else from its residues."""
    report = _run(plan, settings, clock, part, 0, each, spill)
    if not report.overflow:
        quotient, rest = divmod(report.count, report.divisor)
        if rest:
            raise AssertionError(f"a folded count, {report.count}, is not a multiple of {report.divisor}")
        return quotient, [report]
    reports = []

    def residue_of(prime: int) -> int:
        report = _run(plan, settings, clock, part, prime, each, spill)
        if report.overflow:
            raise LimitReached(f"counting modulo {prime} does not fit either: the groups are too large")
        reports.append(report)
        return report.count

    # A tour has, at every vertex, one pair of its edges; folding multiplies by 4 at most.
    bound = 4
    for others in plan.graph.around:
        bound *= max(1, len(others) * (len(others) - 1) // 2)
    quotient, rest = divmod(from_residues(residue_of, bound, _LARGEST_MODULUS), reports[-1].divisor)
    if rest:
        raise AssertionError("the number put together from residues is not a multiple of what folding makes")
    return quotient, reports


def _run(
    plan: JoinPlan,
    settings: Settings,
    clock: Clock,
    part: tuple[int, int],
    modulus: int,
    each: Pass,
    spill: str,
) -> _native.JoinReport:
    from ktsolve import _native

    budget = settings.memory_budget
    edges = np.array(plan.graph.edges, dtype=np.int32).reshape(-1, 2)
    required = np.array(plan.graph.required, dtype=np.uint8)
    try:
        report = _native.join_count(
            plan.graph.vertices,
            edges,
            required,
            plan.native(),
            threads=settings.thread_budget,
            modulus=modulus,
            part=part,
            classes=(list(each.top), list(each.bottom)),
            spill=spill,
            key=plan_key(plan, modulus) if spill else "",
            seconds=clock.left,
            bytes=budget,
            progress=_reporter(settings, plan),
        )
    except OverflowError as error:  # std::length_error: more slots than the core has
        raise LimitReached(f"the join cannot hold this board: {error}") from None
    except OSError as error:  # a file could not be written or read
        raise LimitReached(f"half table on disk: {error}") from None
    if report.status == "done":
        return report
    done = len(report.top) + len(report.bottom)
    steps = len(plan.top) + (0 if plan.flip else len(plan.bottom))
    states = max((layer.states for layer in [*report.top, *report.bottom]), default=0)
    reached = (
        f"{min(done, steps)} of {steps} cells of the half boards done, {states:,} states "
        f"in {shown_bytes(report.peak_bytes)}"
    )
    if report.status == "time":
        raise out_of_time(settings.timeout, reached)
    if report.status == "memory":
        raise OutOfMemory(f"stopped at the memory limit of {budget / 2**20:,.0f} MiB, {reached}")
    raise LimitReached(f"stopped at request, {reached}")


def _reporter(settings: Settings, plan: JoinPlan) -> object | None:
    if settings.progress is None:
        return None
    progress = settings.progress
    joining = 1000  # steps that the core gives to joining
    sweep = len(plan.top) + (0 if plan.flip else len(plan.bottom))
    # Work at a cell grows geometrically along a half; joining takes about as long as both halves.
    top = [1.35**i for i in range(len(plan.top))]
    bottom = [] if plan.flip else [1.35**i for i in range(len(plan.bottom))]
    weights = top + bottom
    whole = 2 * sum(weights)
    done = [0.0]
    for weight in weights:
        done.append(done[-1] + weight)

    def report(step: int, total: int, states: int) -> None:
        if step < sweep and step < total - joining:
            half = "top" if step < len(top) or not bottom else "bottom"
            progress(done[step] / whole, f"{half}: cell {step + 1} of {sweep}, {states:,} states")
        else:
            share = max(0, step - (total - joining)) / joining
            progress(0.5 + 0.5 * share, f"joining, {states:,} states a side")

    return report
