"""Run a contender or a command in a separate process and measure time and memory.

Wall-clock time is measured from the start of the process to its end. CPU time and peak memory come from the
kernel (``wait4``) and include the child processes that the process waited for. A process inherits the peak
memory of its parent. The process of this module therefore imports neither ktsolve nor a rival, and leaves
answers in files; the remaining floor is printed by ``run.py``.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Limits", "Measured", "Sample", "ask", "run_command", "run_contender"]

WORKER = Path(__file__).with_name("worker.py")


@dataclass(frozen=True)
class Limits:
    """Limits of a run: seconds of wall-clock time, bytes of address space."""

    seconds: float
    memory: int


@dataclass
class Sample:
    """Measurements of one run.

    Attributes
    ----------
    status:
        ``ok``, or why there is no answer: ``time limit``, ``memory limit``, ``unavailable``, ``failed``;
        ``wrong`` if the check rejects the answer.
    reason:
        Details of a failure.
    wall, cpu, peak_bytes:
        Times and memory of the whole process.
    work, work_cpu:
        Times from the question to the answer, without loading; None if unknown.
    phases, details:
        Phases and statistics that the contender measured.
    answer:
        File with the answer.
    verdict, tours:
        Result of the check, and the number of tours in the answer; None before the check.
    """

    status: str
    reason: str = ""
    wall: float = 0.0
    cpu: float = 0.0
    peak_bytes: int = 0
    work: float | None = None
    work_cpu: float | None = None
    phases: dict[str, float] = field(default_factory=dict)
    details: dict[str, int] = field(default_factory=dict)
    answer: Path | None = None
    verdict: str | None = None
    tours: int | None = None


@dataclass
class Measured:
    """All runs of one contender in one case."""

    samples: list[Sample] = field(default_factory=list)

    @property
    def good(self) -> list[Sample]:
        """The runs with an answer."""
        return [sample for sample in self.samples if sample.status == "ok"]

    @property
    def failure(self) -> Sample | None:
        """The first run that failed."""
        return next((sample for sample in self.samples if sample.status != "ok"), None)

    def values(self, of: Callable[[Sample], float | None]) -> list[float]:
        """Return a measurement of all runs with an answer that have it."""
        return [value for sample in self.good if (value := of(sample)) is not None]

    def median(self, of: Callable[[Sample], float | None]) -> float | None:
        """Return the median over the runs; None if there are none or some run failed."""
        values = self.values(of)
        return statistics.median(values) if values and self.failure is None else None


@dataclass(frozen=True)
class _Ended:
    code: int
    timed_out: bool
    wall: float
    cpu: float
    peak_bytes: int
    errors: str


def _run(command: Sequence[str], seconds: float, answer: Path, environment: Mapping[str, str]) -> _Ended:
    with answer.open("wb") as output, tempfile.TemporaryFile() as errors:
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env={**os.environ, **environment},
            start_new_session=True,
        )
        ended = False
        try:
            handle = os.pidfd_open(process.pid)
            try:
                poll = select.poll()
                poll.register(handle, select.POLLIN)
                ended = bool(poll.poll(seconds * 1000))
            finally:
                os.close(handle)
        finally:
            # Kill its children too. The process is not reaped yet, so that its id is still valid.
            wall = time.perf_counter() - started
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        return _Ended(
            process.returncode,
            not ended,
            wall,
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss * 1024,
            errors.read().decode("utf-8", "replace"),
        )


def _sample(ended: _Ended, limits: Limits) -> Sample:
    sample = Sample("ok", "", ended.wall, ended.cpu, ended.peak_bytes)
    if ended.timed_out:
        sample.status, sample.reason = "time limit", f"killed after {limits.seconds:g} s"
    elif ended.code != 0:
        last = (ended.errors.strip().splitlines() or ["no message"])[-1]
        sample.status, sample.reason = "failed", f"exit status {ended.code}: {last[-200:]}"
        if "bad_alloc" in ended.errors or "MemoryError" in ended.errors or ended.code == -signal.SIGKILL:
            sample.status, sample.reason = "memory limit", f"more than {limits.memory / 2**30:g} GiB"
    return sample


def run_contender(
    job: Mapping[str, Any],
    limits: Limits,
    answer: Path,
    environment: Mapping[str, str],
    worker: Path = WORKER,
) -> Sample:
    """Run a job in a worker. Only the first line of its output is read; the second is the answer."""
    command = [sys.executable, str(worker), json.dumps({**job, "memory": limits.memory})]
    ended = _run(command, limits.seconds, answer, environment)
    sample = _sample(ended, limits)
    if sample.status != "ok":
        return sample
    with answer.open(encoding="utf-8") as stream:
        said = json.loads(stream.readline())
    sample.status, sample.reason = said["status"], said.get("reason", "")
    sample.work, sample.work_cpu = said.get("work"), said.get("work_cpu")
    sample.phases = said.get("phases", {})
    sample.details = said.get("details", {})
    sample.answer = answer
    return sample


def run_command(command: Sequence[str], limits: Limits, answer: Path) -> Sample:
    """Run a command as a user would. Its output is the answer."""
    sample = _sample(_run(command, limits.seconds, answer, {}), limits)
    sample.answer = answer
    return sample


def ask(job: Mapping[str, Any], worker: Path = WORKER) -> Any:
    """Run a job in a worker without measurement; the job is its standard input."""
    done = subprocess.run(
        [sys.executable, str(worker)], input=json.dumps(job), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"benchmarks/{worker.name} failed: {done.stderr.strip()[-500:]}")
    return json.loads(done.stdout)
