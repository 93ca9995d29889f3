"""Commands that get a signal while they work."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

from command import COMMAND, Said
from measured_command import tree

__all__ = ["interrupted"]


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
    seconds: then it is surely at work, however busy the machine is.
    """
    with subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
    ) as running:
        assert running.stdout is not None
        head = running.stdout.readline() if first_line else ""
        try:
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
            return Said(running.wait(20), head + out, err), time.monotonic() - started
        finally:
            with contextlib.suppress(ProcessLookupError):
                running.kill()
