"""The measurement of a command from outside, on commands whose needs are known."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from measured_command import Running, measured

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the /proc of Linux")

PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {child!r}], start_new_session=True)
taken = bytearray(100 << 20)
{end}
"""


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_memory_is_that_of_all_processes() -> None:
    child = "import time; taken = bytearray(150 << 20); print('child', flush=True); time.sleep(60)"
    end = "import signal\nsignal.signal(signal.SIGUSR1, lambda *_: child.kill())\nprint('parent', flush=True)"
    looks = []

    def both_were_seen(running: Running) -> bool:
        # The first look at the output may come after the memory was read.
        looks.append(b"child" in running.out and b"parent" in running.out)
        return looks.count(True) > 1

    command = python(PARENT.format(child=child, end=f"{end}\nchild.wait()"))
    seen = measured(command, send=signal.SIGUSR1, when=both_were_seen)
    assert 250 < seen.mebibytes < 300
    assert (seen.status, seen.processes, seen.files) == (0, (), ())


@pytest.mark.full
def test_what_is_left_behind_is_named() -> None:
    child = "import os, time; open('half', 'w'); open(os.environ['TMPDIR'] + '/table', 'w'); time.sleep(60)"
    end = "import pathlib\nwhile not pathlib.Path('half').exists(): pass"
    seen = measured(python(PARENT.format(child=child, end=end)))
    assert seen.status == 0
    assert [child in line for line in seen.processes] == [True]
    assert seen.files in (("half",), ("half", "temporary/table"))


def test_a_signal_is_sent_on_an_event() -> None:
    code = "import time; print('begun', flush=True); time.sleep(60)"
    seen = measured(python(code), send=signal.SIGTERM, when=lambda running: running.out == b"begun\n")
    assert (seen.status, seen.out) == (-signal.SIGTERM, b"begun\n")
    assert seen.after_signal < 30


def test_a_command_that_does_not_end_is_killed() -> None:
    with pytest.raises(AssertionError, match="did not end in time"):
        measured(python("import time; time.sleep(60)"), timeout=0.5)
