"""The runner: inputs one after the other, the guards around each, and the record of what failed."""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import hashlib
import multiprocessing
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from fuzz.target import ROOT, Target
from fuzz.targets import TARGETS, target_named
from ktsolve.base.errors import InternalError, KtsolveError

__all__ = ["CORPUS", "Failure", "Run", "fuzz", "violation"]

CORPUS = Path(__file__).resolve().parents[2] / "data" / "fuzz"
"""Inputs that once failed: a folder for each target. The ordinary suite reads them all."""

_SECONDS = 8.0
"""CPU seconds for an input; commands in the targets have limits of their own, and smaller ones."""

_BYTES = 1 << 30
"""Memory that an input may add to the process."""

_LONGEST = 600
"""Length of a message of an error."""


class TookTooLong(BaseException):
    """An input that takes more than its CPU time. No reader may catch it as an error of its input."""


@dataclass(frozen=True)
class Failure:
    """An input that broke a rule."""

    target: str
    data: bytes
    reason: str


@dataclass
class Run:
    """What a run did."""

    inputs: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    slowest: dict[str, tuple[float, bytes]] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """Stop what takes too long by CPU time, which does not depend on what else the machine does."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TookTooLong

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, _SECONDS, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextlib.contextmanager
def within_memory() -> Iterator[None]:
    """A bound on the memory that the process may add; what needs more gets a MemoryError and fails."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except (ImportError, OSError):
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + _BYTES, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def violation(target: Target, data: bytes) -> str | None:
    """Return the rule that a target breaks on an input; None if it reads it, or refuses it as it should.

    Errors of ktsolve are one printable line that names no exception of Python. Nothing else is raised.
    """
    try:
        with limited(), within_memory():
            target.run(data)
    except TookTooLong:
        return f"takes more than {_SECONDS:g} s"
    except InternalError as error:
        return f"internal error: {error}"
    except KtsolveError as error:
        text = str(error)
        if not text or not text.isprintable():
            return f"the message is not one printable line: {text!r:.300}"
        if len(text) > _LONGEST:
            return f"the message has {len(text)} characters: {text:.100}"
        if any(f"{name}Error" in text.replace(" ", "") for name in _PYTHON) and b"Error" not in data:
            return f"the message names an exception of Python: {text:.300}"
        return ""
    except Exception as error:
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        where = f" in {Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}" if place else ""
        return f"{type(error).__name__}: {error!s:.1500}{where}"
    return None


_PYTHON = (
    "Value",
    "Type",
    "Key",
    "Index",
    "Attribute",
    "Overflow",
    "Recursion",
    "Memory",
    "UnicodeDecode",
    "OS",
)


def fuzz(
    targets: Sequence[Target],
    seed: int,
    *,
    inputs: int | None = None,
    seconds: float | None = None,
    current: Path | None = None,
) -> Run:
    """Run changed inputs until there were so many, or the time is over.

    Parameters
    ----------
    current:
        A file that has the input that is being read, for a crash of the process.
    """
    done = Run()
    ends = None if seconds is None else time.monotonic() + seconds
    prepared = [(each, each.seeds()) for each in targets]
    weights = [each.weight for each in targets]
    number = 0
    seen: set[tuple[str, str]] = set()
    while (inputs is None or number < inputs) and (ends is None or time.monotonic() < ends):
        number += 1
        chance = random.Random(f"{seed} {number}")
        ((target, seeds),) = chance.choices(prepared, weights)
        data = target.change(chance, seeds)
        if current is not None:
            current.write_bytes(target.name.encode() + b"\n" + data)
        started = time.process_time()
        broken = violation(target, data)
        took = time.process_time() - started
        done.inputs[target.name] += 1
        done.accepted[target.name] += broken is None
        if took > done.slowest.get(target.name, (0.0, b""))[0]:
            done.slowest[target.name] = took, data
        if broken and (target.name, broken[:60]) not in seen:
            seen.add((target.name, broken[:60]))
            done.failures.append(Failure(target.name, data, broken))
    return done


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz from the command line; 1 if something failed, whose inputs are then in the corpus of the tests."""
    parser = argparse.ArgumentParser(prog="python tests/support/fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="time (default: 60)")
    parser.add_argument("--inputs", type=int, help="number of inputs, in place of a time")
    parser.add_argument(
        "--seed", type=int, help="the same seed makes the same inputs (default: by the clock)"
    )
    parser.add_argument(
        "--processes", type=int, default=1, help="runs at the same time, with seeds one after the other"
    )
    parser.add_argument(
        "--keep", type=Path, default=CORPUS, help=f"folder for what failed (default: {CORPUS})"
    )
    parser.add_argument("--file", type=Path, help="read this input only; it needs one TARGET")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(each.name for each in TARGETS))
    given = parser.parse_args(arguments)
    targets = [target_named(name) for name in given.targets] or list(TARGETS)
    faulthandler.enable()
    if given.file is not None:
        found = violation(targets[0], given.file.read_bytes())
        print(found or "read" if found != "" else "refused")
        return 1 if found else 0
    seed = int(time.time()) if given.seed is None else given.seed
    _BUILD.mkdir(parents=True, exist_ok=True)
    processes = multiprocessing.get_context("fork")
    numbers = range(seed, seed + given.processes)
    print(f"fuzzing with seed {', '.join(map(str, numbers))}", flush=True)
    runs = [processes.Process(target=_run, args=(targets, number, given)) for number in numbers]
    for run in runs:
        run.start()
    for number, run in zip(numbers, runs, strict=True):
        run.join()
        if run.exitcode not in (0, 1):
            name, _, data = _current(number).read_bytes().partition(b"\n")
            _keep(Failure(name.decode(), data, f"the process ended with {run.exitcode}"), given.keep)
    return 1 if any(run.exitcode for run in runs) else 0


_BUILD = ROOT / "build" / "fuzz"
"""A folder for the inputs that are being read, and for slow ones."""


def _current(seed: int) -> Path:
    return _BUILD / f"current-{seed}"


def _run(targets: Sequence[Target], seed: int, given: argparse.Namespace) -> None:
    """One run, in a process of its own; the exit status is 1 if something failed."""
    seconds = None if given.inputs is not None else given.seconds
    done = fuzz(targets, seed, inputs=given.inputs, seconds=seconds, current=_current(seed))
    _current(seed).unlink(missing_ok=True)
    for name, number in sorted(done.inputs.items()):
        took, data = done.slowest[name]
        print(f"{name:18} {number:8,} inputs {done.accepted[name]:8,} accepted  slowest {took:.2f} s")
        if took > 1:
            (_BUILD / f"slow-{name}").write_bytes(data)
    for failure in done.failures:
        _keep(failure, given.keep)
    print(f"seed {seed}: {done.inputs.total():,} inputs, {len(done.failures)} failures", flush=True)
    sys.exit(1 if done.failures else 0)


def _keep(failure: Failure, folder: Path) -> None:
    """Write what failed to the corpus, which the tests read, and say how to repeat it."""
    path = folder / failure.target / hashlib.sha256(failure.data).hexdigest()[:8]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(failure.data)
    print(f"FAILED {failure.target}: {failure.reason}")
    print(f"  repeat: .venv/bin/python tests/support/fuzz --file {path} {failure.target}", flush=True)
