"""Calls of the native core by a plan, and what they cost."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from ktsolve import _native
from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Clock, Settings, check_status, native_progress
from ktsolve.base.units import shown_bytes
from ktsolve.engines.join.fitting import SHARE_OF_CORE, disk_budget, disk_left
from ktsolve.engines.join.passes import Block, BlockPair, plan_key
from ktsolve.engines.join.plan import JoinPlan
from ktsolve.problem.problem import TourProblem

__all__ = [
    "Cost",
    "Work",
    "make_tables",
    "native_limits",
    "reached_by",
    "reported",
    "run_pass",
    "step_of",
    "step_settings",
]


class Work(NamedTuple):
    """A count by a plan, with or without blocks, or one of its summands."""

    problem: TourProblem
    plan: JoinPlan
    settings: Settings
    clock: Clock
    part: tuple[int, int]


class Cost(NamedTuple):
    """What native calls cost: the most of any for what is held, the sum for what is done."""

    peak_bytes: int = 0
    peak_states: int = 0
    states: int = 0
    groups: int = 0
    table_bytes: int = 0
    transitions: int = 0
    patterns: int = 0
    extended: int = 0
    runs: int = 0
    halves_seconds: float = 0.0
    join_seconds: float = 0.0

    @classmethod
    def of(cls, report: _native.JoinReport) -> Cost:
        """The cost of one call."""
        tables = [half[-1] for half in (report.top, report.bottom) if half]  # those that were joined
        return cls(
            report.peak_bytes,
            max((layer.states for layer in (*report.top, *report.bottom)), default=0),
            sum(table.kept for table in tables),
            sum(table.groups for table in tables),
            sum(table.bytes for table in tables),
            report.transitions,
            report.patterns,
            report.extended,
            1,
            report.seconds_top + report.seconds_bottom,
            report.seconds_join,
        )

    def with_more(self, other: Cost) -> Cost:
        """The cost of these calls and others."""
        held = self._fields.index("transitions")
        return Cost._make(
            max(pair) if place < held else sum(pair)
            for place, pair in enumerate(zip(self, other, strict=True))
        )


def native_limits(
    settings: Settings, clock: Clock, modulus: int, describe: Callable[[int, int, int], tuple[float, str]]
) -> dict[str, Any]:
    """The arguments of native calls that all of them take."""
    return {
        "threads": settings.thread_budget,
        "modulus": modulus,
        "seconds": clock.left,
        "bytes": int(settings.memory_budget * SHARE_OF_CORE),
        "progress": native_progress(settings, describe),
    }


def run_pass(work: Work, modulus: int, each: BlockPair, spill: str) -> _native.JoinReport:
    """Join blocks of the top with blocks of the bottom; tables not in the folder are made.

    Raises LimitReached.
    """
    _, plan, settings, clock, part = work
    return reported(
        settings,
        lambda: _native.join_count(
            *plan.graph.arrays(),
            plan.native(),
            part=part,
            blocks=(each.top, each.bottom),
            spill=spill,
            key=plan_key(plan, modulus) if spill else "",
            # Tables that did not fit on the disk before the passes are made again in each.
            disk=0 if each.top else disk_budget(settings, spill) if spill else None,
            **native_limits(settings, clock, modulus, step_of(plan)),
        ),
        lambda report: reached_by(report, plan),
    )


def make_tables(
    plan: JoinPlan,
    settings: Settings,
    clock: Clock,
    modulus: int,
    blocks: tuple[list[Block], list[Block]],
    folder: str,
) -> _native.JoinReport:
    """Make the tables of all blocks, and keep them on disk while there is room. Raises LimitReached."""
    stages = (*plan.top_stages, *plan.bottom_stages)
    tables = len(blocks[0]) + len(blocks[1]) + sum(len(stage.sums) for stage in stages)

    def describe(step: int, total: int, states: int) -> tuple[float, str]:
        done = step / max(1, total)
        return done, f"table {min(tables, int(done * tables) + 1)} of {tables}, {states:,} states"

    key = plan_key(plan, modulus)
    limits = {**native_limits(settings, clock, modulus, describe), "disk": disk_left(settings, folder, key)}
    return reported(
        settings,
        lambda: _native.join_files(*plan.graph.arrays(), plan.native(), blocks, folder, key, **limits),
        lambda report: f"{len(report.file_bytes)} tables of {len(blocks[0]) + len(blocks[1])} made",
    )


_Report = TypeVar("_Report", "_native.JoinReport", "_native.MovesReport")


def reported(settings: Settings, call: Callable[[], _Report], reached: Callable[[_Report], str]) -> _Report:
    """The report of a native call that has done its work. Raises LimitReached."""
    try:
        report = call()
    except OverflowError as error:  # std::length_error: more slots than the core has
        raise LimitReached(f"the board is too large for engine join: {error}") from None
    except OSError as error:  # a file could not be written or read
        raise LimitReached(f"half table on disk: {error}") from None
    check_status(report.status, settings, reached(report))
    return report


def reached_by(report: _native.JoinReport | _native.RankingReport, plan: JoinPlan) -> str:
    """How far a native call got, as text for an error message."""
    done = len(report.top) + len(report.bottom)
    steps = len(plan.top) + (0 if plan.flip else len(plan.bottom))
    states = max((layer.states for layer in [*report.top, *report.bottom]), default=0)
    return (
        f"{min(done, steps)} of {steps} {plan.nouns.cells} of the halves done, {states:,} states "
        f"in {shown_bytes(report.peak_bytes)}"
    )


def step_settings(settings: Settings, number: int, of: int, text: str = "") -> Settings:
    """The settings of one of several steps of equal length, for their progress."""
    if settings.progress is None:
        return settings
    progress = settings.progress

    def report(fraction: float | None, details: str) -> None:
        progress(None if fraction is None else (number + fraction) / of, text + details)

    return replace(settings, progress=report)


def step_of(plan: JoinPlan) -> Callable[[int, int, int], tuple[float, str]]:
    """The progress of a native call that makes the halves of a plan and joins them."""
    joining = 1000  # steps that the core gives to joining
    # Work at a cell grows geometrically along a half; joining takes about as long as both halves.
    halves = (len(plan.top), 0 if plan.flip else len(plan.bottom))
    done = [0.0, *itertools.accumulate(1.35**i for cells in halves for i in range(cells))]

    def describe(step: int, total: int, states: int) -> tuple[float, str]:
        if step < sum(halves) and step < total - joining:
            half = "top" if step < halves[0] else "bottom"
            place = f"{plan.nouns.cell} {step + 1} of {sum(halves)}"
            return done[step] / done[-1] / 2, f"{half}: {place}, {states:,} states"
        share = max(0, step - (total - joining)) / joining
        return 0.5 + 0.5 * share, f"joining, {states:,} states a side"

    return describe
