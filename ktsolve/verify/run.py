"""The cross-check itself: run the jobs of a level, compare, report."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ktsolve.engines.registry import ENGINES, engine_named
from ktsolve.errors import BadInput
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Settings
from ktsolve.swap.answer import SWAP_ENGINES
from ktsolve.tasks.instance import load_instance, shipped_instances
from ktsolve.verify.cases import LEVELS, Case, cases
from ktsolve.verify.catalogue import Published, published_value
from ktsolve.verify.condition_jobs import condition_jobs
from ktsolve.verify.divide_jobs import divide_jobs
from ktsolve.verify.encoding_jobs import encoding_jobs
from ktsolve.verify.jobs import EngineJob, EngineSays, IdentityJob, InstanceJob
from ktsolve.verify.picture_jobs import picture_jobs
from ktsolve.verify.pool import Outcome, run_all
from ktsolve.verify.proof_jobs import proof_jobs
from ktsolve.verify.sudoku_jobs import sudoku_jobs
from ktsolve.verify.swap_jobs import swap_jobs
from ktsolve.verify.walk_jobs import walk_jobs

__all__ = ["CaseResult", "LineResult", "Report", "verify"]


@dataclass
class CaseResult:
    """One problem: what each engine said, what is published, and what does not agree."""

    problem: TourProblem
    published: Published | None
    says: dict[str, Outcome] = field(default_factory=dict)

    @property
    def expected(self) -> int:
        """About how many tours there are: as published, else a guess."""
        return 1000 if self.published is None else self.published.count

    def disagreements(self) -> list[str]:
        """Every reason to distrust somebody, each naming the engine."""
        found = []
        counts: dict[str, int] = {}
        listed: dict[str, frozenset[str]] = {}
        for name, outcome in self.says.items():
            if outcome.error:
                if not outcome.limit:
                    found.append(f"{self.problem}: {name}: {outcome.error}")
                continue
            says: EngineSays = outcome.value
            if says.fault:
                found.append(f"{self.problem}: {name} lists {says.fault}")
            counts[name] = says.count
            if says.tours is not None:
                listed[name] = says.tours
        believed = _most_common(list(counts.values())) if self.published is None else self.published.count
        for name, count in counts.items():
            if count != believed:
                against = f"published {believed}" if self.published else f"the others say {believed}"
                found.append(f"{self.problem}: {name} says {count}, {against}")
        agreed = _most_common(list(listed.values()))
        for name, tours in listed.items():
            if tours != agreed:
                lacks, extra = len(agreed - tours), len(tours - agreed)
                found.append(
                    f"{self.problem}: {name} lacks {lacks} tours that others list and has {extra} more"
                )
        return found


@dataclass
class LineResult:
    """An identity or an instance: what was checked, and why it fails, if it does."""

    name: str
    detail: str
    seconds: float
    fault: str = ""
    limit: str = ""


@dataclass
class Report:
    """Everything that was checked."""

    level: str
    cases: list[CaseResult]
    identities: list[LineResult]
    instances: list[LineResult]
    puzzles: list[LineResult] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def lines(self) -> list[LineResult]:
        """Everything that is one line: identities, instances, puzzles."""
        return [*self.identities, *self.instances, *self.puzzles]

    @property
    def disagreements(self) -> list[str]:
        """All disagreements, one line each."""
        lines = [line for case in self.cases for line in case.disagreements()]
        lines += [f"{line.name}: {line.fault}" for line in self.lines if line.fault]
        return lines

    @property
    def unanswered(self) -> list[str]:
        """What a time or memory limit left unanswered, one line each."""
        lines = [
            f"{case.problem}: {name}: {outcome.error}"
            for case in self.cases
            for name, outcome in case.says.items()
            if outcome.limit
        ]
        return lines + [f"{line.name}: {line.limit}" for line in self.lines if line.limit]

    @property
    def comparisons(self) -> int:
        """Number of answers compared."""
        return sum(len(case.says) for case in self.cases) + len(self.lines)


def _most_common(values: list[Any]) -> Any:
    return max(values, key=lambda value: (values.count(value), -values.index(value))) if values else None


_MOST_LISTED = 100_000
"""Cases with more tours than this are counted without listing them, where the engine can."""

_SWEEPS = ("frontier", "join", "quotient")
"""Engines whose cost does not grow with the number of tours, and which keep the memory limit themselves."""


def verify(
    level: str = "quick",
    settings: Settings | None = None,
    *,
    sabotaged: str | None = None,
    on_progress: Callable[[int, int, str], None] | None = None,
) -> Report:
    """Run the cross-check of a level.

    Parameters
    ----------
    level:
        ``quick``, ``standard`` or ``full``; each includes those before it.
    settings:
        ``timeout`` limits the whole check; ``threads`` is how many jobs run at once.
    sabotaged:
        Name of an engine to break on purpose, to see that the check notices.
    on_progress:
        Called with jobs done, jobs in all, and the last one's name.

    Examples
    --------
    See ``ktsolve verify``; the quick level takes most of a minute.
    """
    settings = settings or Settings()
    if level not in LEVELS:
        raise BadInput(f"level {level!r} is unknown: use {', '.join(LEVELS)}")
    if sabotaged is not None and sabotaged not in SWAP_ENGINES:
        engine_named(sabotaged)
    started = time.perf_counter()
    workers = settings.thread_budget
    own = Settings(threads=1, memory=settings.memory or settings.memory_budget // workers)
    # SAT and CP-SAT keep their limits in processes of their own; here the job is that process.
    unlimited = Settings(threads=1)

    jobs: list[tuple[float, Callable[[], Any], Callable[[Outcome], None], str]] = []
    results: list[CaseResult] = []
    identities: list[LineResult] = []
    instances: list[LineResult] = []

    def keep_says(result: CaseResult, name: str) -> Callable[[Outcome], None]:
        return lambda outcome: result.says.__setitem__(name, outcome)

    for case in cases(level):
        result = CaseResult(case.problem, published_value(case.problem))
        results.append(result)
        for name in case.engines:
            how = own if name in _SWEEPS else unlimited
            job = EngineJob(case.problem, name, how, sabotaged, result.expected < _MOST_LISTED)
            jobs.append((_cost(case, name, result), job, keep_says(result, name), f"{case.problem}: {name}"))

    def keep_identity(line: LineResult) -> Callable[[Outcome], None]:
        def keep(outcome: Outcome) -> None:
            line.seconds = outcome.seconds
            if outcome.limit:
                line.limit = outcome.error
            elif outcome.error:
                line.fault = outcome.error
            elif outcome.value.holds:
                line.detail = outcome.value.left
            else:
                line.fault = f"{outcome.value.left} is not {outcome.value.right}"

        return keep

    for kind, size, engine in _identities(level):
        line = LineResult(f"{kind} {size} ({engine})", "", 0.0)
        identities.append(line)
        job_settings = own if engine in _SWEEPS else unlimited
        identity = IdentityJob(kind, size, engine, job_settings, sabotaged)
        jobs.append((4.0, identity, keep_identity(line), line.name))

    for sudoku in sudoku_jobs(level, unlimited, sabotaged):
        line = LineResult(sudoku.name, "", 0.0)
        identities.append(line)
        jobs.append((5.0, sudoku, keep_identity(line), line.name))

    for name, line_job in (*condition_jobs(level, own, sabotaged), *proof_jobs(level, unlimited)):
        line = LineResult(name, "", 0.0)
        identities.append(line)
        jobs.append((3.0, line_job, keep_identity(line), name))

    for name, encoding_job in encoding_jobs(level, unlimited, sabotaged):
        line = LineResult(name, "", 0.0)
        identities.append(line)
        jobs.append((2.0, encoding_job, keep_identity(line), name))

    for name, walk_job in walk_jobs(level, unlimited, sabotaged):
        line = LineResult(name, "", 0.0)
        identities.append(line)
        jobs.append((1.0, walk_job, keep_identity(line), name))

    for name, picture_job in picture_jobs(unlimited):
        line = LineResult(name, "", 0.0)
        identities.append(line)
        jobs.append((1.0, picture_job, keep_identity(line), name))

    def keep_instance(line: LineResult) -> Callable[[Outcome], None]:
        def keep(outcome: Outcome) -> None:
            line.seconds = outcome.seconds
            if outcome.limit:
                line.limit = outcome.error
            else:
                line.fault = outcome.error or outcome.value

        return keep

    for path in shipped_instances():
        expect = load_instance(path).expect
        if expect.status is None:
            continue
        expected = expect.status if expect.count is None else f"{expect.status}, {expect.count}"
        line = LineResult(f"instance {Path(path).stem}", expected, 0.0)
        instances.append(line)
        jobs.append((1.0, InstanceJob(path, unlimited), keep_instance(line), line.name))

    puzzles: list[LineResult] = []
    for name, swap_job in swap_jobs(level, own, sabotaged):
        line = LineResult(name, "", 0.0)
        puzzles.append(line)
        jobs.append((2.0, swap_job, keep_identity(line), name))

    for name, divide_job in divide_jobs(level, unlimited, sabotaged):
        line = LineResult(name, "", 0.0)
        identities.append(line)
        jobs.append((1.0, divide_job, keep_identity(line), name))

    report = Report(level, results, identities, instances, puzzles)
    jobs.sort(key=lambda job: -job[0])
    outcomes = _until_ctrl_c(run_all([job for _, job, _, _ in jobs], workers, settings.timeout), len(jobs))
    for done, (number, outcome) in enumerate(outcomes, 1):
        _, _, keep, name = jobs[number]
        keep(outcome)
        if on_progress is not None:
            on_progress(done, len(jobs), name)
    for result in results:
        result.says = {name: result.says[name] for name in ENGINES if name in result.says}
    report.seconds = time.perf_counter() - started
    return report


def _until_ctrl_c(outcomes: Iterator[tuple[int, Outcome]], total: int) -> Iterator[tuple[int, Outcome]]:
    """The outcomes; after Ctrl-C the jobs that have none end with a limit, so that the rest is reported."""
    missing = set(range(total))
    try:
        for number, outcome in outcomes:
            missing.discard(number)
            yield number, outcome
    except KeyboardInterrupt:
        for number in sorted(missing):
            yield number, Outcome(None, 0.0, "interrupted", limit=True)


def _identities(level: str) -> list[tuple[str, str, str]]:
    found = [
        ("adjacent ends", "5x6", "search"),
        ("adjacent ends", "6x6", "frontier"),
        ("classes", "6x6", "search"),
        ("burnside", "6x6", "sat"),
        ("burnside", "6x6", "quotient"),
        ("endpoints", "6x6", "frontier"),
        ("endpoints", "6x6", "join"),
        ("shared endpoints", "6x6", "join"),
    ]
    if level != "quick":
        found += [
            ("endpoints", "7x7", "join"),
            ("shared endpoints", "7x7", "join"),
            ("congruence", "8x8", "join"),
            ("burnside", "8x8", "quotient"),
        ]
    if level == "full":
        found += [("some endpoints", "8x8", "join"), ("shared endpoints", "8x8", "join")]
    return found


def _cost(case: Case, engine: str, result: CaseResult) -> float:
    """A rough guess of the seconds of a job, so that the long ones start first."""
    return engine_named(engine).rough_seconds(case.problem, result.expected)
