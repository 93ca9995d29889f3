"""The guard of limits: one that ends is not interrupted half way, by its own signal or that of another."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import os, signal, time
from ktsolve import _native
from ktsolve.base import guard
from ktsolve.base.errors import LimitReached

class SignalAtBothEnds:
    def __init__(self, number, **rules):
        self.guard, self.number = Guard(number, **rules), number
        if len(guard._guards) == 1:
            time.sleep(0.2)
            signal.raise_signal(number)
    reason = property(lambda self: self.guard.reason)
    def close(self):
        signal.raise_signal(self.number)
        self.guard.close()

Guard, _native.ProcessGuard = _native.ProcessGuard, SignalAtBothEnds
guard._GRACE = 0.0
threads = len(os.listdir("/proc/self/task"))
for _ in range(3):
    try:
        with guard.guarded(0.1, None, LimitReached), guard.guarded(0.1, None, LimitReached):
            guard.guarded(0.2, None, LimitReached).__enter__()  # whose end a signal has kept from running
            time.sleep(60)
    except LimitReached:
        restored = signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
        print(len(os.listdir("/proc/self/task")) - threads, restored)
time.sleep(0.6)  # a guard that was left would send its signal again, and end this process
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc")
def test_two_limits_at_the_same_time_leave_no_guard() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "0 True\n" * 3, "")


LOADING = """
import signal, time
from importlib.machinery import ExtensionFileLoader
from ktsolve.base import guard
from ktsolve.base.errors import LimitReached

class Extension:
    '''What the loader asks for the name of, while it loads.'''
    @property
    def name(self):
        signalled()
        print("not interrupted")
        raise ImportError("initialization failed")

def load():
    try:
        ExtensionFileLoader("x", "x").create_module(Extension())
    except ImportError as error:
        print(error)
    end = time.monotonic() + 30
    while time.monotonic() < end:
        time.sleep(0.01)

guard._GRACE = 0.0
"""

BY_LIMIT = """
def signalled():
    while not guard._guards[0].guard.reason:
        time.sleep(0.01)
    time.sleep(0.2)  # the signal comes several times

try:
    with guard.guarded(0.1, None, LimitReached):
        load()
except LimitReached as error:
    print("stopped:", error)
"""

BY_USER = """
def signalled():
    signal.raise_signal(signal.SIGTERM)

try:
    with guard.ends_by_signals():
        load()
except KeyboardInterrupt as error:
    print("stopped:", error)
"""


@pytest.mark.parametrize(("program", "said"), [(BY_LIMIT, "time"), (BY_USER, "terminated")])
def test_a_signal_does_not_interrupt_the_loading_of_an_extension(program: str, said: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LOADING + program], capture_output=True, text=True, timeout=60, check=False
    )
    expected = f"not interrupted\ninitialization failed\nstopped: {said}\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, expected, "")
