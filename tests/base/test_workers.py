"""Worker processes: results, limits, faults injected into them, the death of either side.

Workers import this module for the jobs in it, so it imports little.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from marks import full

from ktsolve.base import workers
from ktsolve.base.errors import BadInput, InternalError, LimitReached, OutOfMemory
from ktsolve.base.limits import Clock, Settings, available_memory
from ktsolve.base.workers import Event, WorkerPool, run_in_worker

Progress = Callable[[Any], None]


def numbers(last: int, progress: Progress) -> Iterator[int]:
    progress("begun")
    yield from range(last)
    os.write(2, b"printed\n")


def endless(progress: Progress) -> Iterator[int]:
    yield os.getpid()
    time.sleep(600)


def hungry(progress: Progress) -> Iterator[int]:
    yield len(bytearray(1 << 40))


def faulty(progress: Progress) -> Iterator[int]:
    yield 1
    raise ZeroDivisionError("fault injected")


def refusing(progress: Progress) -> Iterator[int]:
    yield 1
    raise BadInput("not this")


def killed(number: int, progress: Progress) -> Iterator[int]:
    yield 1
    os.kill(os.getpid(), number)


def ended(progress: Progress) -> Iterator[int]:
    yield 1
    os._exit(5)


def in_worker(job: Any, memory: int | None = None, timeout: float | None = 60) -> list[int]:
    return list(
        run_in_worker(
            job, Settings(memory=memory), Clock(timeout), lambda found, at: f"{found} found {at}", "the job"
        )
    )


def test_results_and_progress() -> None:
    assert in_worker(partial(numbers, 1000)) == list(range(1000))
    with WorkerPool(1) as pool:
        for ticket in (1, 2):  # the same process does both
            pool.start(ticket, partial(numbers, 2))
            events: list[Event] = []
            while not events or events[-1].kind != "done":
                events += pool.wait(10)
            assert [(event.kind, event.value) for event in events] == [
                *([("progress", "begun"), ("result", 0), ("result", 1)]),
                ("done", None),
            ]
            assert {event.ticket for event in events} == {ticket}


def test_a_fault_is_reported_with_its_place_and_traceback() -> None:
    with pytest.raises(
        InternalError, match=r"ZeroDivisionError: fault injected \(test_workers.py, line"
    ) as e:
        in_worker(faulty, memory=1 << 30)
    assert "Traceback" in e.value.__notes__[0]
    with pytest.raises(BadInput, match="not this"):
        in_worker(refusing)


@pytest.mark.full
@pytest.mark.parametrize("memory", [None, 1 << 30])
def test_a_fatal_signal_is_a_crash_and_a_kill_is_a_limit(memory: int | None) -> None:
    for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE):
        with pytest.raises(InternalError, match=number.name) as e:
            in_worker(partial(killed, int(number)), memory)
        assert "test_workers.py" in e.value.__notes__[0]  # the stack, by faulthandler
    with pytest.raises(InternalError, match="exit status 5"):
        in_worker(ended, memory)
    with pytest.raises(LimitReached, match=r"the job stopped.*, 1 found None"):
        in_worker(partial(killed, int(signal.SIGKILL)), memory)


def test_limits() -> None:
    with pytest.raises(LimitReached, match="the job stopped at the memory limit of 200 MiB, 0 found None"):
        in_worker(hungry, memory=200 << 20)
    with pytest.raises(LimitReached, match="the job stopped: out of memory"):
        in_worker(hungry)
    for seconds in (0.8, 8, 40):  # the longer ones only where the machine is slow or busy
        with pytest.raises(LimitReached, match=rf"time limit of {seconds} s, ") as stop:
            in_worker(endless, timeout=seconds)
        if "1 found" in str(stop.value):
            break
    assert "1 found" in str(stop.value)
    with WorkerPool(1) as pool:
        pool.start(1, hungry)
        (event,) = pool.wait(60)
        assert (event.kind, type(event.value)) == ("failed", OutOfMemory)


def alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def test_a_worker_dies_with_its_pool() -> None:
    found = run_in_worker(endless, Settings(), Clock(None), lambda *_: "", "the job")
    process = next(found)
    assert alive(process)
    found.close()
    assert not alive(process)


PARENT = """
import sys
from functools import partial
from test_workers import {job}
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.workers import run_in_worker

for process in run_in_worker({job}, Settings(), Clock(None), lambda *_: "", "the job"):
    print(process, flush=True)
"""


def solving(progress: Progress) -> Iterator[int]:
    """A SAT solver at work, which holds the interpreter lock."""
    from itertools import combinations

    from pysat.solvers import Solver

    holes = 12
    clauses = [[holes * i + j + 1 for j in range(holes)] for i in range(holes + 1)]
    clauses += [[-a, -b] for hole in zip(*clauses, strict=True) for a, b in combinations(hole, 2)]
    yield os.getpid()
    Solver(name="glucose4", bootstrap_with=clauses).solve()


def dies_with_its_parent(program: str, seconds: float) -> bool:
    """Whether the worker that a program starts is gone so many seconds after the program was killed."""
    here = Path(__file__).parent
    env = {**os.environ, "PYTHONPATH": f"{here}{os.pathsep}{here.parent / 'support'}"}
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=env
    ) as parent:
        assert parent.stdout is not None
        process = int(parent.stdout.readline())
        assert alive(process)
        parent.kill()
    until = time.monotonic() + seconds
    while alive(process) and time.monotonic() < until:
        time.sleep(0.05)
    return not alive(process)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel of Linux does it")
@pytest.mark.parametrize("job", ["endless", full("solving")])
def test_a_worker_dies_with_its_parent(job: str) -> None:
    assert dies_with_its_parent(PARENT.format(job=job), 10)


IN_A_THREAD = (
    PARENT.replace("for process in", "def work():\n  for process in").replace(
        "    print(process", "      print(process"
    )
    + """
import threading
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""
)


@pytest.mark.full
def test_a_worker_dies_with_its_parent_without_help_of_the_kernel() -> None:
    # The kernel ties a worker to the main thread only; elsewhere, and on other systems, its socket ends.
    assert dies_with_its_parent(IN_A_THREAD.format(job="endless"), 30)


def test_a_system_without_signal_masks_resource_limits_and_death_signals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(signal, "pthread_sigmask")
    assert in_worker(partial(numbers, 3), memory=1 << 30) == [0, 1, 2]
    monkeypatch.setitem(sys.modules, "resource", None)
    workers._limit_data(1 << 20)

    def no_library(_name: object) -> None:
        raise OSError

    monkeypatch.setattr("ctypes.CDLL", no_library)
    workers._die_with(os.getppid())


def test_a_system_without_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    def hidden(path: Any, *arguments: Any, **how: Any) -> Any:
        if str(path).startswith("/proc"):
            raise FileNotFoundError(path)
        return open(path, *arguments, **how)

    monkeypatch.setattr("builtins.open", hidden)
    assert available_memory() > 1 << 28
    assert workers._data() == 0
    monkeypatch.delattr(os, "sysconf")
    assert available_memory() == 4 << 30


# -- what the user sees -------------------------------------------------------------------------------------


def broken(*_: Any) -> Iterator[Any]:
    raise ZeroDivisionError("fault injected")


def segmentation_fault(*_: Any) -> Iterator[Any]:
    os.kill(os.getpid(), signal.SIGSEGV)
    return iter(())


@pytest.mark.full
@pytest.mark.parametrize("limit", [["--timeout", "60"], ["--memory", "1G"]])
@pytest.mark.parametrize(
    ("arguments", "work"),
    [
        (["count", "5x6", "--engine", "sat"], "ktsolve.engines.sat.solver._listed"),
        (["prove", "8x8", "--symmetry", "rot90", "--argument", "clauses"], "ktsolve.proof.loop._refuted"),
    ],
)
def test_the_command_reports_a_crash(
    arguments: list[str], work: str, limit: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from command import ktsolve

    monkeypatch.setattr(work, broken)
    said = ktsolve(*arguments, *limit)
    assert (said.status, said.err.count("\n")) == (4, 1)
    assert "a worker process crashed: ZeroDivisionError: fault injected (test_workers.py, line" in said.err
    said = ktsolve(*arguments, *limit, "--verbose")
    assert said.status == 4
    assert "in broken" in said.err
    monkeypatch.setattr(work, segmentation_fault)
    said = ktsolve(*arguments, *limit)
    assert (said.status, said.err.count("\n")) == (4, 1)
    assert "a worker process crashed: SIGSEGV" in said.err
    monkeypatch.setenv("KTSOLVE_TRACEBACK", "1")
    said = ktsolve(*arguments, *limit)
    assert said.status == 4
    assert "in segmentation_fault" in said.err
