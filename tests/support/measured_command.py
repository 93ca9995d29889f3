"""A command measured from outside: seconds, memory of all its processes, and what it leaves behind.

Memory is the resident set size (RSS): of each process, the pages that are in memory now. The sum over the
processes of the command counts pages that several of them share (libraries) once for each, so it is never
less than what they take together. It is sampled every few milliseconds, and the high-water mark that the
kernel keeps for each process fills the gaps between samples. Needs the ``/proc`` of Linux.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["KTSOLVE", "Measured", "Running", "measured", "processes_of", "tree"]

KTSOLVE = (sys.executable, "-m", "ktsolve")

_INTERVAL = 0.01
"""Seconds between two samples."""

_MARK = "KTSOLVE_MEASURED"
"""Environment variable by which the processes of a command are found, whoever their parent is now."""

_FIELDS = ("VmRSS", "VmHWM", "VmSize")


@dataclass(frozen=True)
class Measured:
    """How a command ended.

    Attributes
    ----------
    status:
        Exit status; minus the number of the signal that killed it.
    seconds:
        Wall-clock time from its start to the end of the main process.
    waited:
        Most of these seconds that one thread was ready and had no processor.
    after_signal:
        Seconds from the signal that ``measured`` sent to the end; 0 if it sent none.
    peak:
        Most bytes of RSS at one time, summed over all processes of the command, without those that last less
        than two samples.
    out, err:
        What it wrote.
    processes:
        Command lines of processes that still ran two seconds after its end. They are killed.
    files:
        Files and folders in its folder for temporary files, and new ones in its current folder.
    """

    status: int
    seconds: float
    waited: float
    after_signal: float
    peak: int
    out: bytes
    err: bytes
    processes: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def complaint(self) -> str:
        """Standard error, as text."""
        return self.err.decode("utf-8", "replace").strip()

    @property
    def mebibytes(self) -> float:
        """The peak in MiB."""
        return self.peak / 2**20


@dataclass
class Running:
    """A command that runs: passed to the condition on which a signal is sent."""

    process: subprocess.Popen[bytes]
    mark: str
    folder: Path
    temporary: Path
    output: Path

    @property
    def children(self) -> list[int]:
        """Process ids of all processes below the main one."""
        return tree(self.process.pid)[1:]

    @property
    def writes(self) -> bool:
        """Whether it has written to a file in its folder, which may have no name yet."""
        opened = f"/proc/{self.process.pid}/fd"
        with contextlib.suppress(OSError):
            for name in os.listdir(opened):
                with contextlib.suppress(OSError):  # it is closed by now
                    place = f"{opened}/{name}"
                    if os.readlink(place).startswith(str(self.folder)) and os.stat(place).st_size:
                        return True
        return False

    @property
    def out(self) -> bytes:
        """What it has written so far."""
        return self.output.read_bytes()


def measured(
    arguments: Sequence[str],
    *,
    given: bytes = b"",
    cwd: Path | None = None,
    timeout: float = 120,
    send: int = signal.SIGINT,
    when: Callable[[Running], bool] | None = None,
    environment: dict[str, str] | None = None,
) -> Measured:
    """Run a command and measure it.

    Parameters
    ----------
    arguments:
        The command; ``[*KTSOLVE, "count", "5x6"]``.
    given:
        Standard input.
    cwd:
        Its current folder; an empty one by default.
    timeout:
        Seconds after which all its processes are killed and the test fails.
    when, send:
        The signal ``send`` is sent to the main process as soon as the condition ``when`` holds.
    environment:
        Environment variables besides those of this process.

    Examples
    --------
    >>> seen = measured([sys.executable, "-c", "x = bytearray(200 << 20); print('done')"])
    >>> seen.status, seen.out, seen.processes, seen.files, 200 < seen.mebibytes < 260
    (0, b'done\\n', (), (), True)
    """
    mark = secrets.token_hex(8)
    with tempfile.TemporaryDirectory(prefix="measured-") as scratch:
        temporary, current = Path(scratch) / "temporary", cwd or Path(scratch) / "current"
        temporary.mkdir()
        current.mkdir(exist_ok=True)
        before = set(_names(current))
        paths = {name: Path(scratch) / name for name in ("stdin", "stdout", "stderr")}
        paths["stdin"].write_bytes(given)
        with (
            paths["stdin"].open("rb") as stdin,
            paths["stdout"].open("wb") as stdout,
            paths["stderr"].open("wb") as stderr,
        ):
            started = time.monotonic()
            process = subprocess.Popen(
                list(arguments),
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                cwd=current,
                env={**os.environ, **(environment or {}), "TMPDIR": str(temporary), _MARK: mark},
            )
        running = Running(process, mark, current, temporary, paths["stdout"])
        try:
            peak, waited, sent = _watch(running, started + timeout, send, when)
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            ended = time.monotonic()
            left = _left_over(mark)
        files = sorted(
            [*(f"temporary/{name}" for name in _names(temporary)), *(set(_names(current)) - before)]
        )
        return Measured(
            process.returncode,
            ended - started,
            waited,
            ended - sent if sent else 0.0,
            peak,
            paths["stdout"].read_bytes(),
            paths["stderr"].read_bytes(),
            left,
            tuple(files),
        )


def _watch(
    running: Running, deadline: float, send: int, when: Callable[[Running], bool] | None
) -> tuple[int, float, float]:
    """The peak, the longest wait for a processor, and when the signal was sent (0: it was not)."""
    process = running.process
    peak, waited, sent = 0, 0.0, 0.0
    before: set[int] = {process.pid}
    while process.poll() is None:
        found = set(tree(process.pid))
        # One between ``vfork`` and ``exec`` has the memory of its parent, which would count twice: a process
        # counts from the second sample on.
        processes = found & before
        before = found
        taken = {_memory(each) for each in processes}
        waited = max(waited, *map(_waited, processes))
        peak = max(peak, sum(now for now, _, _ in taken), *(high for _, high, _ in taken))
        if time.monotonic() > deadline:
            raise AssertionError(f"{process.args!r} did not end in time")
        if when is not None and not sent and when(running):
            sent = time.monotonic()
            process.send_signal(send)
        time.sleep(_INTERVAL)
    if when is not None and not sent:
        raise AssertionError(f"{process.args!r} ended before the signal could be sent")
    return peak, waited, sent


def tree(root: int) -> list[int]:
    """A process and all below it."""
    found = [root]
    for each in found:
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{each}/task"):
                with contextlib.suppress(OSError):
                    found += map(int, Path(f"/proc/{each}/task/{task}/children").read_text().split())
    return found


def _memory(process: int) -> tuple[int, int, int]:
    """Bytes of RSS now, the most so far, and the size of the address space.

    A process between ``vfork`` and ``exec`` has those of its parent: all three are equal then.
    """
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0, 0, 0
    values = {name: int(rest.split()[0]) << 10 for name, _, rest in map(_parted, lines) if name in _FIELDS}
    rss, high, size = (values.get(name, 0) for name in _FIELDS)
    return rss, high, size


def _waited(process: int) -> float:
    """Seconds that one of its threads was ready and had no processor, the most of them."""
    most = 0
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{process}/task"):
            with contextlib.suppress(OSError):
                most = max(most, int(Path(f"/proc/{process}/task/{task}/schedstat").read_text().split()[1]))
    return most / 1e9


def _parted(line: str) -> tuple[str, str, str]:
    return line.partition(":")


def processes_of(mark: str) -> dict[int, str]:
    """The processes whose environment has the mark, with their command lines."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdecimal():
            continue
        with contextlib.suppress(OSError):
            if f"{_MARK}={mark}".encode() in Path(f"/proc/{name}/environ").read_bytes().split(b"\0"):
                line = Path(f"/proc/{name}/cmdline").read_bytes().replace(b"\0", b" ")
                found[int(name)] = line.decode("utf-8", "replace").strip()
    return found


def _left_over(mark: str) -> tuple[str, ...]:
    """Command lines of the processes that do not end within two seconds; kills them."""
    until = time.monotonic() + 2
    while (left := processes_of(mark)) and time.monotonic() < until:
        time.sleep(0.02)
    for each in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)
    return tuple(left.values())


def _names(folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in folder.rglob("*")]
