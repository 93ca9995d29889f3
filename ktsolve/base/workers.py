"""Worker processes: started, given jobs, limited, watched and stopped in one way.

A job is a function that can be pickled. It takes a function to report progress to, and yields its results one
by one. Everything travels as pickled messages over one socket per worker.

- Ctrl-C stops the parent only, which then kills the workers. They never see SIGINT, not even while they
  import: it is blocked before they start.
- A worker dies with its parent. On Linux the kernel sees to that, since a SAT solver holds the interpreter
  lock for minutes; elsewhere a thread waits for the end of the socket.
- The memory of a worker counts towards the limit of its parent, if that is a command
  (:mod:`ktsolve.base.guard`). A worker with a limit of its own keeps it by itself too: the system refuses it
  more where it can, and its own guard ends it.
- What a worker prints goes to a file, of which the end is shown if the process dies.
- Only what a worker needs is imported there: the main module of the caller is not run again, as
  :mod:`multiprocessing` would.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from ktsolve.base.errors import InternalError, KtsolveError, LimitReached, OutOfMemory
from ktsolve.base.guard import add_worker, guarded, own_process, remove_worker
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.units import shown_bytes

__all__ = ["Event", "Job", "WorkerPool", "as_ktsolve_error", "run_in_worker"]

T = TypeVar("T")

Job = Callable[[Callable[[Any], None]], Iterator[T]]
"""Work for a worker process: takes a progress function, yields results."""

_PROGRESS_INTERVAL = 0.2  # seconds between two messages of progress
_NO_MEMORY = 77  # exit status of a worker that has not even the memory to send an error
_SHOWN = 20_000  # bytes of a dead worker's output that are kept

_OUT_OF_MEMORY_TEXTS = ("bad_alloc", "out of memory", "outofmemory", "memoryerror")
"""What solvers and Python print, in lower case, when an allocation fails and they abort."""

_RESERVED = 256 << 20
"""Bytes of data that a process may reserve beyond its limit: stacks of threads and arenas, which are mostly
unused. The guard limits what it occupies."""

_SCARCE = 64 << 20  # bytes of data: with less left, modules are not loaded and threads not started

_KILLED = {
    getattr(signal, name) for name in ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)
}
"""Signals that others send; all other signals come from a fault in the process itself."""


@dataclass(frozen=True)
class Event:
    """A message about a job.

    - ``ticket``: The number given to :meth:`WorkerPool.start`.
    - ``kind``: ``result``, ``progress``, ``done``, ``failed`` (an exception ended the job) or ``died`` (the
      process ended). The last three end the job.
    - ``value``: The result or progress; for ``failed`` and ``died`` the error: what the job raised,
      :class:`~ktsolve.base.errors.InternalError` with the traceback as a note, or
      :class:`~ktsolve.base.errors.OutOfMemory`, also if the system killed the process to free memory.
    """

    ticket: int
    kind: str
    value: Any = None


class WorkerPool:
    """Up to ``size`` worker processes, started when they are needed; one that died is replaced.

    ``memory`` are the bytes that each process may take; a job may set another limit.
    """

    def __init__(self, size: int, memory: int | None = None) -> None:
        self.size = size
        self._memory = memory
        self._idle: list[_Worker] = []
        self._busy: dict[Connection, _Worker] = {}

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    def free(self) -> int:
        """Number of workers without a job."""
        return self.size - len(self._busy)

    def start(self, ticket: int, job: Job[Any], memory: int | None = None) -> None:
        """Give a job to a free worker; with ``memory`` to a new one that may take that many bytes."""
        assert self.free
        data = pickle.dumps(job)
        if memory is None and self._idle:
            worker = self._idle.pop()
        else:
            worker = _Worker(self._memory if memory is None else memory)
        worker.ticket = ticket
        self._busy[worker.connection] = worker
        with contextlib.suppress(OSError):  # the process died while it was idle: wait() reports that
            # The worker reads at once, in a thread of its own, however long the job is.
            worker.connection.send_bytes(data)

    def wait(self, timeout: float | None) -> list[Event]:
        """The next messages; an empty list after ``timeout`` seconds without any."""
        events = []
        for connection in wait(list(self._busy), timeout):
            assert isinstance(connection, Connection)
            worker = self._busy[connection]
            try:
                kind, value = pickle.loads(connection.recv_bytes())
            except (EOFError, OSError):
                del self._busy[connection]
                kind, value = "died", worker.cause_of_death()
            if kind in ("done", "failed"):
                self._idle.append(self._busy.pop(connection))
            events.append(Event(worker.ticket, kind, value))
        return events

    def close(self) -> None:
        """Kill all workers."""
        for worker in (*self._idle, *self._busy.values()):
            worker.close()
        self._idle.clear()
        self._busy.clear()


def run_in_worker(
    job: Job[T], settings: Settings, clock: Clock, reached: Callable[[int, Any], str], name: str
) -> Generator[T, None, None]:
    """The results of one job in a worker process of its own, as they come.

    The memory limit of the settings, if there is one, is that of the process; in a command the rest of it.
    The process is killed when the clock runs out, or when the generator is closed. ``reached`` describes the
    state in a message about a limit, from the number of results and the last progress; ``name`` is what was
    at work. Raises LimitReached when time or memory runs out, InternalError when the process crashes.
    """
    results, progress = 0, None
    memory = None if settings.memory is None else settings.memory_budget
    with WorkerPool(1, memory) as pool:
        pool.start(0, job)
        while True:
            clock.check(reached(results, progress))
            if settings.progress is not None:
                settings.progress(None, f"{name}, {reached(results, progress)}")
            left = clock.left
            for event in pool.wait(0.1 if left is None else min(left, 0.1) + 1e-3):
                if event.kind == "result":
                    results += 1
                    yield event.value
                elif event.kind == "progress":
                    progress = event.value
                elif event.kind == "done":
                    return
                elif isinstance(event.value, OutOfMemory):
                    limited = settings.memory is not None
                    limit = f" at the memory limit of {shown_bytes(settings.memory_limit)}" * limited
                    cause = f": {event.value}" * (not limited)
                    raise LimitReached(f"{name} stopped{limit}{cause}, {reached(results, progress)}")
                else:
                    assert isinstance(event.value, KtsolveError)
                    raise event.value


class _Worker:
    """A worker process, as its parent sees it."""

    def __init__(self, memory: int | None) -> None:
        self.ticket = 0
        self._memory = memory
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the worker)
        self.connection, theirs = multiprocessing.Pipe()
        # The kernel ties a child to the thread that started it; only the main thread lives as long as we do.
        main = threading.current_thread() is threading.main_thread()
        start = (
            f"import sys; sys.path[:] = {sys.path!r}; "
            "from ktsolve.base.workers import main; "
            f"main({theirs.fileno()}, {os.getpid() if main else 0}, {memory})"
        )
        with theirs, _ctrl_c_blocked():
            self._process = subprocess.Popen(
                [sys.executable, "-c", start],
                stdin=subprocess.DEVNULL,
                stdout=self._output,
                stderr=subprocess.STDOUT,
                **_passing(theirs.fileno()),
            )
        add_worker(self._process.pid)

    def cause_of_death(self) -> KtsolveError:
        """The error for a process that ended by itself."""
        remove_worker(self._process.pid)
        code = self._process.wait()
        self._output.seek(max(0, self._output.seek(0, os.SEEK_END) - _SHOWN))
        output = self._output.read().decode("utf-8", "replace")
        self.close()
        if code == _NO_MEMORY:
            return OutOfMemory("out of memory")
        ending = f"exit status {code}"
        if code < 0:
            with contextlib.suppress(ValueError):
                ending = signal.Signals(-code).name
        if -code in _KILLED:
            return OutOfMemory(f"its worker process was killed ({ending})")
        # Limited address space ends in an allocation that fails; what does not print so is a crash.
        if self._memory is not None and any(text in output.lower() for text in _OUT_OF_MEMORY_TEXTS):
            return OutOfMemory(f"out of memory, {ending}")
        error = InternalError(f"a worker process crashed: {ending}")
        if output.strip():
            error.add_note(output.strip())
        return error

    def close(self) -> None:
        """Kill the process."""
        remove_worker(self._process.pid)
        self._process.kill()
        self._process.wait()
        self.connection.close()
        self._output.close()


@contextlib.contextmanager
def _ctrl_c_blocked() -> Iterator[None]:
    """Start processes that never get SIGINT, not even before their first line; on Windows see _passing."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _passing(connection: int) -> dict[str, Any]:
    """The arguments of Popen by which a process inherits a connection and nothing else."""
    if sys.platform != "win32":
        return {"pass_fds": [connection]}
    os.set_handle_inheritable(connection, True)
    info = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [connection]})
    return {"startupinfo": info, "creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}


# -- in the worker process ----------------------------------------------------------------------------------


def main(socket: int, parent: int, memory: int | None) -> None:
    """Do the jobs that come over a socket until the process is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _die_with(parent)
    own_process()
    import faulthandler

    faulthandler.enable()
    connection = _opened(socket)
    jobs: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def read() -> None:
        try:
            while True:
                jobs.put(connection.recv_bytes())
        except (EOFError, OSError):
            os._exit(0)  # the parent is gone

    def out_of_memory(_limit: str) -> OutOfMemory:
        return OutOfMemory("out of memory")

    threading.Thread(target=read, daemon=True).start()
    with guarded(None, memory, out_of_memory, _NO_MEMORY) if memory else contextlib.nullcontext():
        while True:
            data = jobs.get()
            try:
                message = _perform(data, connection, memory)
                connection.send_bytes(pickle.dumps(message))
            except MemoryError:
                os._exit(_NO_MEMORY)
            except BrokenPipeError:
                os._exit(0)


def _opened(socket: int) -> Connection:
    if sys.platform == "win32":
        from multiprocessing.connection import PipeConnection

        return PipeConnection(socket)
    return Connection(socket)


def _die_with(parent: int) -> None:
    """Have the kernel kill this process as soon as its parent has ended (Linux only)."""
    if not parent:
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


def _perform(data: bytes, connection: Connection, memory: int | None) -> tuple[str, Any]:
    """Do a job and send its results; returns the last message."""
    reported = time.monotonic() - _PROGRESS_INTERVAL

    def progress(value: Any) -> None:
        nonlocal reported
        if (now := time.monotonic()) >= reported + _PROGRESS_INTERVAL:
            reported = now
            connection.send_bytes(pickle.dumps(("progress", value)))

    try:
        job = pickle.loads(data)
        if memory is not None:
            _limit_data(memory)
        for result in job(progress):
            connection.send_bytes(pickle.dumps(("result", result)))
    except BrokenPipeError:
        raise
    except Exception as error:
        return "failed", as_ktsolve_error(error, memory)
    return "done", None


def _limit_data(memory: int) -> None:
    """Have the system refuse more memory, so that an allocation fails; the guard does without."""
    with contextlib.suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        bound = memory + _RESERVED
        resource.setrlimit(resource.RLIMIT_DATA, (bound, bound))


def as_ktsolve_error(error: Exception, memory: int | None = None) -> KtsolveError:
    """The error that is reported for an exception in a process that may take ``memory`` bytes.

    >>> as_ktsolve_error(MemoryError())
    OutOfMemory('out of memory')
    """
    if isinstance(error, KtsolveError):
        return error
    # Python and its modules turn some failed allocations into errors of other types.
    other_types = (ImportError, OSError, RuntimeError, SystemError)
    if isinstance(error, MemoryError) or (
        memory is not None and isinstance(error, other_types) and memory + _RESERVED - _data() < _SCARCE
    ):
        return OutOfMemory("out of memory")
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(frame.filename)}, line {frame.lineno}"
    crash = InternalError(f"a worker process crashed: {type(error).__name__}: {error} ({place})")
    crash.add_note("".join(traceback.format_exception(error)).strip())
    return crash


def _data() -> int:
    """Bytes of data and stacks that this process may write to; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as stream:
            return int(stream.read().split()[5]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
