"""Commands that get a signal while they work."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from command import COMMAND, Said
from measured_command import tree

__all__ = ["interrupted", "interrupted_calls"]

_LONGEST = 120.0  # seconds; a test may take 300


def _busy_seconds(root: int) -> float:
    """Seconds that a process and all below it have computed; a guess where the system does not say."""
    if not Path("/proc/self/stat").exists():
        return 1e9
    ticks = 0
    for each in tree(root):
        with contextlib.suppress(OSError):  # it has ended
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def interrupted(
    arguments: list[str],
    busy: float = 0.8,
    first_line: bool = False,
    environment: dict[str, str] | None = None,
) -> tuple[Said, float]:
    """Interrupt a command at work; return what it prints, and how many seconds it takes to end.

    It is interrupted when it has printed a line, or when it and its workers have computed for ``busy``
    seconds: then it is surely at work, however busy the machine is. If it hangs, it says where.
    """
    with subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONFAULTHANDLER": "1", **(environment or {})},
    ) as running:
        assert running.stdout is not None
        hung = threading.Timer(_LONGEST, running.send_signal, (signal.SIGABRT,))
        hung.start()
        try:
            head = running.stdout.readline() if first_line else ""
            until = time.monotonic() + 60
            while not first_line and time.monotonic() < until and _busy_seconds(running.pid) < busy:
                time.sleep(0.05)
            time.sleep(0.3)
            assert running.poll() is None, "it ended before it could be interrupted"
            running.send_signal(signal.SIGINT)
            started = time.monotonic()
            assert running.stderr is not None
            # Not communicate(), which would lose what readline() has read ahead.
            out, err = running.stdout.read(), running.stderr.read()
            said = Said(running.wait(20), head + out, err)
            assert said.status != -signal.SIGABRT, f"it hung:\n{err}"
            return said, time.monotonic() - started
        finally:
            hung.cancel()
            with contextlib.suppress(ProcessLookupError):
                running.kill()


def interrupted_calls(work: Callable[[], object], calls: int, longest: float) -> int:
    """Call a function again and again, each time with Ctrl-C after at most so many seconds or never.

    Returns how many calls it reached.
    """
    armed, reached, moments = False, 0, random.Random(1)

    def strike(_number: int, _frame: FrameType | None) -> None:
        nonlocal armed
        if armed:
            armed = False
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, strike)
    try:
        for _ in range(calls):
            try:
                armed = True
                signal.setitimer(signal.ITIMER_REAL, moments.uniform(1e-6, longest))
                work()
                armed = False
            except KeyboardInterrupt:
                reached += 1
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return reached
