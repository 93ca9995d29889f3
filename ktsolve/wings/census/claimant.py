"""The process that holds a claim, and whether it is alive.

A run that is killed cannot release its claims. On the same machine its death shows at once in the process
table. From another place (a container that shares the folder) a run counts as dead when its last heartbeat is
older than the lease.
"""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path

__all__ = ["LEASE", "Claimant"]

LEASE = 60.0
"""Seconds without a heartbeat after which a run in another place counts as dead."""


@dataclass(frozen=True)
class Claimant:
    """A process that runs a census."""

    place: str  # the scope of process numbers: host, boot and process namespace
    pid: int  # process number
    born: str
    """Start of the process in ticks since boot, since process numbers are used again. Empty if unknown."""

    @classmethod
    def this_process(cls) -> Claimant:
        """The process that runs this code."""
        return cls(_place(), os.getpid(), _born(os.getpid()) or "")

    def alive(self, silence: float) -> bool:
        """Is the process alive, if its last heartbeat has this age in seconds?

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
    """Start of a process in ticks since boot; None if it has ended (a zombie too) or it is unknown."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]
