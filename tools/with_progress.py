#!/usr/bin/env python3
"""Run a command that builds with CMake, and say how far it is: with_progress.py TITLE LOG COMMAND...

The whole output goes to the file LOG. Every ten seconds a line says how many steps of the build are done; on
a terminal one line is rewritten each second. If the command fails, the end of LOG follows.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

STEP = re.compile(r"\[\s*(\d+)/(\d+)\]|\[\s*(\d+)(%)\]")
"""A line of Ninja or of make, as CMake writes it."""

LAST_LINES = 40


def main(title: str, log: Path, command: list[str]) -> int:
    """Return the exit status of the command."""
    began = shown = time.monotonic()
    live = sys.stdout.isatty()
    log.parent.mkdir(parents=True, exist_ok=True)
    with (
        log.open("w", encoding="utf-8") as kept,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        ) as run,
    ):
        assert run.stdout is not None
        for line in run.stdout:
            kept.write(line)
            kept.flush()
            now = time.monotonic()
            if (step := STEP.search(line)) and now - shown >= (1 if live else 10):
                shown = now
                done = f"{step[1]} of {step[2]} steps" if step[1] else f"{step[3]} %"
                print(f"{title}: {done}, {now - began:.0f} s", end="   \r" if live else "\n", flush=True)
    seconds = time.monotonic() - began
    if run.returncode:
        lines = log.read_text("utf-8", errors="replace").splitlines()
        print(*lines[-LAST_LINES:], sep="\n", file=sys.stderr)
        print(f"{title}: failed after {seconds:.0f} s; the whole output is in {log}", file=sys.stderr)
    else:
        print(f"{title}: done, {seconds:.0f} s   ", flush=True)
    return run.returncode


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:]))
    except KeyboardInterrupt:
        sys.exit(130)
