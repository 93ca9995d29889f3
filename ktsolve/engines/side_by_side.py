"""Jobs of several engines at the same time, each in a worker process.

An engine that fails leaves. One that runs out of its share of the memory starts again when the others have
left it more.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ktsolve.base.errors import InternalError, KtsolveError, LimitReached, OutOfMemory, WrongAnswer
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.text import number_of
from ktsolve.base.units import shown_bytes

__all__ = ["IDLE", "Result", "Work", "side_by_side"]

_PROCESS = 1 << 30
"""Bytes of address space of a process besides the tables of a native engine: modules, stacks."""

Work = Callable[[Settings], Iterator[Any]]
"""The work of an engine under settings: yields results. It can be pickled."""


@dataclass(frozen=True)
class Result:
    """What the work of an engine yielded, or that it is done: the last result has no value."""

    name: str
    value: Any = None
    last: bool = False


IDLE = Result("")
"""Said when no engine has a new result."""


@dataclass
class _Runner:
    name: str
    memory: int


def side_by_side(
    works: Mapping[str, Work], settings: Settings, shares: Mapping[str, int], *, polled: bool = False
) -> Generator[Result, None, None]:
    """Yield the results of several engines as they come; closing the generator stops all of them.

    If ``polled``, the generator does not wait: it yields :data:`IDLE` where nothing new has come.

    With more engines than threads the operating system gives each a share of the time. An engine that keeps
    tables has more than one of the ``shares`` of the memory. Raises WrongAnswer as soon as one engine does;
    if no engine finishes, InternalError if one crashed, or LimitReached. At the time limit this says why
    other engines stopped before.
    """
    from ktsolve.base.workers import WorkerPool  # late: most questions start no process

    clock = Clock(settings)
    names = list(works)
    cores = min(settings.thread_budget, os.cpu_count() or 1)
    settings.say(f"race of {', '.join(names)} on {number_of(cores, 'core')}")
    budget = settings.memory_budget
    share = budget // sum(shares[name] for name in names)
    runners = [_Runner(name, share * shares[name]) for name in names]
    running: dict[int, _Runner] = {}
    hungry: list[_Runner] = []
    failures: dict[str, KtsolveError] = {}  # the last of each engine
    finished = False
    with WorkerPool(len(names)) as pool:

        def start(runner: _Runner) -> None:
            ticket = names.index(runner.name)
            running[ticket] = runner
            memory = None if settings.memory is None and shares[runner.name] == 1 else runner.memory
            own = replace(settings, timeout=None, memory=memory, threads=cores, progress=None, remark=None)
            job = partial(_work, works[runner.name], own, cores)
            # Native engines keep to their memory by themselves; the limit of the process stops the others.
            limit = None if settings.memory is None else runner.memory + _PROCESS
            pool.start(ticket, job, limit)

        for runner in runners:
            start(runner)
        while running:
            clock.check(_waiting([each.name for each in running.values()], failures))
            left = clock.left
            if polled:
                yield IDLE
            for event in pool.wait(0 if polled else 0.1 if left is None else min(left, 0.1) + 1e-3):
                runner_of = running.get(event.ticket)
                if runner_of is None:
                    continue
                if event.kind == "progress":
                    if settings.progress is not None:
                        settings.progress(None, f"{runner_of.name}: {event.value}")
                elif event.kind == "result":
                    yield Result(runner_of.name, event.value)
                elif event.kind == "done":
                    del running[event.ticket]
                    finished = True
                    yield Result(runner_of.name, last=True)
                else:
                    del running[event.ticket]
                    assert isinstance(event.value, KtsolveError)
                    if isinstance(event.value, WrongAnswer):
                        raise event.value
                    settings.say(f"{runner_of.name} left the race: {event.value}")
                    failures[runner_of.name] = event.value
                    if isinstance(event.value, OutOfMemory):
                        hungry.append(runner_of)
            if hungry:
                free = budget - sum(each.memory for each in running.values())
                most = max(hungry, key=lambda each: each.memory)
                if free > 1.25 * most.memory:
                    hungry.remove(most)
                    settings.say(f"{most.name} starts again with {shown_bytes(free)}")
                    start(_Runner(most.name, free))
    if not finished:
        raise _gravest(failures, settings)


def _waiting(names: Sequence[str], failures: Mapping[str, KtsolveError]) -> str:
    """Return which engines still run, and why others do not."""
    left = [f"; {name} stopped: {failures[name]}" for name in failures if name not in names]
    return f"no answer of {', '.join(names)} yet{''.join(left)}"


def _gravest(failures: Mapping[str, KtsolveError], settings: Settings) -> KtsolveError:
    """Return a crash if there is one, else a limit, else the last error."""
    errors = list(failures.values())
    if settings.memory is not None and all(isinstance(each, OutOfMemory) for each in errors):
        # Each knows its share of the memory only, or that it was killed.
        limit = shown_bytes(settings.memory_limit)
        return OutOfMemory(f"stopped at the memory limit of {limit}, each of {', '.join(sorted(failures))}")
    order = (InternalError, LimitReached)
    found = [each for kind in order for each in errors if isinstance(each, kind)]
    return [*found, errors[-1]][0]


def _work(work: Work, settings: Settings, cores: int, progress: Callable[[Any], None]) -> Iterator[Any]:
    """The results of work in a worker process."""
    if hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])

    def report(_fraction: float | None, text: str) -> None:
        progress(text)

    yield from work(replace(settings, progress=report))
