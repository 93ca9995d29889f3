"""Who holds a claim: a process, and whether it still lives.

A run that is killed cannot give its claims back. On the machine where it ran it can be told at once that its
process is gone; from another place (a container that shares the folder) only its silence tells, after a
while.
"""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path

__all__ = ["LEASE", "Claimant"]

LEASE = 60.0
"""Seconds of silence after which a run in another place is taken to be dead."""


@dataclass(frozen=True)
class Claimant:
    """A process that counts.

    Attributes
    ----------
    place:
        Where process numbers mean what they say: host, boot and process namespace.
    pid:
        Process number.
    born:
        When the process began, in ticks since boot: numbers are used again, this pair is not. Empty where
        the system does not tell.
    """

    place: str
    pid: int
    born: str

    @classmethod
    def this_process(cls) -> Claimant:
        """The process that runs this code."""
        return cls(_place(), os.getpid(), _born(os.getpid()) or "")

    def alive(self, silence: float) -> bool:
        """Does it still live, after so many seconds of silence?

        >>> me = Claimant.this_process()
        >>> me.alive(silence=1e6), Claimant(me.place, me.pid, "0").alive(silence=0)
        (True, False)
        >>> Claimant("elsewhere", 1, "").alive(silence=30), Claimant("elsewhere", 1, "").alive(silence=300)
        (True, False)
        """
        if self.place != _place():
            return silence < LEASE
        if self.born:
            return _born(self.pid) == self.born
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


def _place() -> str:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        boot = space = ""
    return f"{platform.node()} {boot} {space}".strip()


def _born(pid: int) -> str | None:
    """When a process began; None if it is gone (or waits as a zombie to be buried) or nothing tells."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]
