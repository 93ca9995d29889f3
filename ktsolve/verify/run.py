"""The cross-check: run the jobs of a level, compare the answers, report."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from ktsolve import _native
from ktsolve.base.errors import InternalError, LimitReached
from ktsolve.base.guard import stand_down
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.text import number_of, unknown
from ktsolve.engines.registry import ENGINES, engine_named
from ktsolve.engines.through_model import ThroughModel
from ktsolve.problem.problem import TourProblem
from ktsolve.verify.cases import Case, cases
from ktsolve.verify.engine_jobs import EngineAnswer, answer, encoding_jobs
from ktsolve.verify.existence_jobs import divide_jobs, proof_jobs, walk_jobs
from ktsolve.verify.graph_jobs import graph_jobs
from ktsolve.verify.identity_jobs import condition_jobs, identity_jobs, instance_jobs
from ktsolve.verify.jobs import LEVELS, Context, Job, Outcome, Sides, Stopped, run_all
from ktsolve.verify.model_jobs import model_jobs
from ktsolve.verify.picture_jobs import picture_jobs
from ktsolve.verify.published import Published, published_value
from ktsolve.verify.sequence_jobs import sequence_jobs, survey_jobs, tally_jobs
from ktsolve.wings import WINGS, loaded

CHECKS: tuple[Callable[[str], Iterator[Job]], ...] = (
    identity_jobs,
    condition_jobs,
    proof_jobs,
    encoding_jobs,
    walk_jobs,
    picture_jobs,
    divide_jobs,
    graph_jobs,
    sequence_jobs,
    tally_jobs,
    survey_jobs,
    instance_jobs,
    model_jobs,
)


def checks() -> tuple[Callable[[str], Iterator[Job]], ...]:
    """Return the functions that yield jobs, given the level; jobs of later levels are left out."""
    return (*CHECKS, *loaded("checks"))


@dataclass
class CaseResult:
    """A problem, the answer of each engine, and the published value."""

    problem: TourProblem
    published: Published | None
    answers: dict[str, Outcome] = field(default_factory=dict)

    @property
    def believed(self) -> int | None:
        """The published count, else the most common answer; None without an answer."""
        if self.published is not None:
            return self.published.count
        counts = [outcome.value.count for outcome in self.answers.values() if outcome.error is None]
        return max(counts, key=counts.count, default=None)

    @property
    def wrong(self) -> dict[str, list[str]]:
        """What is wrong with each engine that disagrees, each in words that follow its name."""
        found: dict[str, list[str]] = {}
        given: dict[str, EngineAnswer] = {}
        for name, outcome in self.answers.items():
            if outcome.error is None:
                given[name] = outcome.value
            elif not outcome.limit and not outcome.crash:
                found.setdefault(name, []).append(f": {outcome.error}")
        lists = [each.tours for each in given.values() if each.tours is not None]
        agreed = max(lists, key=lists.count, default=frozenset())
        believed = self.believed
        for name, each in given.items():
            if each.mistake:
                found.setdefault(name, []).append(f" lists {each.mistake}")
            if each.count != believed:
                against = "published" if self.published else "most engines"
                found.setdefault(name, []).append(f" counts {each.count}, {against} {believed}")
            if each.tours is not None and each.tours != agreed:
                missing, more = len(agreed - each.tours), len(each.tours - agreed)
                found.setdefault(name, []).append(
                    f" misses {number_of(missing, 'tour')} of the others and has {more:,} more"
                )
        return found

    def disagreements(self) -> list[str]:
        """All that is wrong, a line each."""
        return [f"{self.problem}: {name}{each}" for name, wrong in self.wrong.items() for each in wrong]


@dataclass
class LineResult:
    """A job that is one line of the report."""

    name: str
    section: str
    outcome: Outcome = field(default_factory=lambda: Outcome(None, 0.0))

    @property
    def disagreement(self) -> str:
        """The disagreement, if there is one."""
        if self.outcome.error is None:
            sides: Sides = self.outcome.value
            return sides.disagreement
        return "" if self.outcome.limit or self.outcome.crash else str(self.outcome.error)

    @property
    def detail(self) -> str:
        """The disagreement, the error, or the value that agrees."""
        return self.disagreement or str(self.outcome.error or self.outcome.value.left)


@dataclass
class Report:
    """The results of a cross-check."""

    level: str
    cases: list[CaseResult]
    lines: list[LineResult]
    seconds: float = 0.0
    vectors: str = ""  # the level of vector instructions in use, and those of this machine

    def section(self, name: str) -> list[LineResult]:
        """The lines of a section."""
        return [line for line in self.lines if line.section == name]

    @property
    def disagreements(self) -> list[str]:
        """All disagreements, one line each."""
        lines = [line for case in self.cases for line in case.disagreements()]
        return lines + [f"{line.name}: {line.disagreement}" for line in self.lines if line.disagreement]

    @property
    def unanswered(self) -> list[str]:
        """The jobs that a time or memory limit or Ctrl-C ended, one line each."""
        return [f"{name}: {each.error}" for name, each in self._outcomes() if each.limit]

    @property
    def limited(self) -> list[str]:
        """Those of the unanswered jobs that ended at a limit of their own."""
        outcomes = self._outcomes()
        return [f"{name}: {each.error}" for name, each in outcomes if each.limit and not each.stopped]

    @property
    def stopped(self) -> str:
        """Why the cross-check was stopped before its end; empty if it was not."""
        return next((str(outcome.error) for _, outcome in self._outcomes() if outcome.stopped), "")

    @property
    def crashes(self) -> list[InternalError]:
        """The crashes of worker processes."""
        found = []
        for name, outcome in self._outcomes():
            if isinstance(outcome.error, InternalError):
                crash = InternalError(f"{name}: {outcome.error}")
                crash.__notes__ = getattr(outcome.error, "__notes__", [])
                found.append(crash)
        return found

    @property
    def comparisons(self) -> int:
        """Number of answers compared."""
        return len(list(self._outcomes()))

    def _outcomes(self) -> Iterator[tuple[str, Outcome]]:
        for case in self.cases:
            for name, outcome in case.answers.items():
                yield f"{case.problem}: {name}", outcome
        for line in self.lines:
            yield line.name, line.outcome


_MOST_LISTED = 100_000  # cases with more tours than this are counted without listing them, if the engine can

_UNPUBLISHED, _SMALL = 1000, 48
"""Number of tours assumed of a case without a published value, up to this number of cells; larger boards are
counted only."""


def case_jobs(case: Case) -> Iterator[tuple[str, Job]]:
    """The engines of a case, each with its job."""
    published = published_value(case.problem)
    if published is not None:
        tours = published.count
    else:
        tours = _UNPUBLISHED if len(case.problem.ground) <= _SMALL else _MOST_LISTED
    for name in case.engines:
        engine = engine_named(name)
        lists = tours < _MOST_LISTED and engine.unsupported_feature("enumerate", case.problem) is None
        seconds, limited = engine.rough_seconds(case.problem, tours), not isinstance(engine, ThroughModel)
        arguments = (case.problem, name, lists)
        yield name, Job(f"{case.problem}: {name}", answer, arguments, case.level, "cases", seconds, limited)


def verify(
    level: str = "quick",
    settings: Settings | None = None,
    *,
    faulty: str | None = None,
    on_progress: Callable[[int, int, str], None] | None = None,
) -> Report:
    """The report of the cross-check at a level, one of ``LEVELS``.

    The ``timeout`` limits the whole check; ``threads`` is the number of jobs at once. The report of a check
    that is stopped, also by Ctrl-C, has the answers until then. Into the engine named ``faulty`` a fault is
    injected, to test the cross-check. ``on_progress`` is called at the start and after each job with the
    number of jobs done, of all jobs, and the name of the last one.
    """
    settings = settings or Settings()
    clock = Clock(settings)
    if level not in LEVELS:
        raise unknown("level", level, LEVELS)
    if faulty is not None and not any(faulty in wing.engines for wing in WINGS):
        engine_named(faulty)
    started = time.perf_counter()
    workers = settings.thread_budget
    unlimited = Context(Settings(threads=1), faulty)
    limited = replace(
        unlimited, settings=Settings(threads=1, memory=settings.memory or settings.memory_budget // workers)
    )
    vectors = f"{_native.vector_level()} of {', '.join(_native.vector_levels())}"
    report = Report(level, [], [], vectors=vectors)
    jobs: list[tuple[Job, Callable[[Outcome], None]]] = []
    for case in cases(level):
        result = CaseResult(case.problem, published_value(case.problem))
        report.cases.append(result)
        jobs += [(job, partial(result.answers.__setitem__, name)) for name, job in case_jobs(case)]
    for job in (job for source in checks() for job in source(level)):
        if LEVELS.index(job.level) <= LEVELS.index(level):
            line = LineResult(job.name, job.section)
            report.lines.append(line)
            jobs.append((job, partial(setattr, line, "outcome")))

    # The longest first, to end early; where not all can end in time, the shortest, for most answers.
    left = clock.left
    hurried = left is not None and sum(job.seconds for job, _ in jobs) > workers * left
    jobs.sort(key=lambda pair: pair[0].seconds if hurried else -pair[0].seconds)
    work = [partial(job, limited if job.limited else unlimited) for job, _ in jobs]
    if on_progress is not None:
        on_progress(0, len(jobs), "")
    waiting = dict(enumerate(jobs))
    try:
        for number, outcome in run_all(work, workers, clock.left):
            job, keep = waiting[number]
            keep(outcome)
            del waiting[number]
            if on_progress is not None:
                on_progress(len(jobs) - len(waiting), len(jobs), job.name)
    except (KeyboardInterrupt, LimitReached) as stop:
        for _, keep in waiting.values():
            keep(Outcome(None, 0.0, Stopped(str(stop) or "interrupted")))
    stand_down()
    for result in report.cases:
        result.answers = {name: result.answers[name] for name in ENGINES if name in result.answers}
    report.seconds = time.perf_counter() - started
    return report
