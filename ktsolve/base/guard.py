"""Limits of this process and the workers it started: time, memory, and what to remove when it ends.

A native thread keeps the limits (ktsolve/common/process_guard.hpp). It samples the resident memory of
all these processes, whatever they do. At a limit the main thread gets a signal, whose handler raises
LimitReached there; if that does not help in time, the thread ends the process.

Only a command owns its process (:func:`own_process`): then all memory of the process counts towards the
limit. In a program that uses ktsolve as a library, the limit of the settings is that of an engine alone.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from importlib.machinery import ExtensionFileLoader
from types import CodeType, FrameType
from typing import Any

__all__ = [
    "add_worker",
    "ends_by_signals",
    "guarded",
    "held_memory",
    "is_owned",
    "own_process",
    "raise_now",
    "remove_worker",
    "removed_at_end",
    "stand_down",
    "standing_down",
    "uninterrupted",
]

_SIGNAL: int | None = getattr(signal, "SIGALRM", None) or getattr(signal, "SIGBREAK", None)
"""The signal that stops the main thread; on Windows Ctrl-Break, which Python can raise there."""

_GRACE = 1.0  # seconds after the time limit in which an engine may stop by itself and report what it reached

_LAST = 0.6
"""Seconds after that in which the exception must have reached the end of the command, of processor time too
unless the machine gives the process none."""

_PAUSE = 0.02  # seconds after which a signal that was put off is sent again
_HARD = 1.03  # share of the memory limit at which the process ends at once
_owned: float | None = None  # when this process began, None unless it is a command or a worker process
_guards: list[guarded] = []  # the limits that are kept now; the first one counts the memory
_before: Any = None  # the handler of the signal before the first of them

_put_off: list[BaseException] | None = None


def own_process(started: float | None = None) -> None:
    """Count all memory of this process towards limits, and its time from ``started`` (monotonic) on.

    It also sets OPENBLAS_NUM_THREADS to 1, unless it is set: the threads of numpy's linear algebra, which has
    little to do here, wait by spinning, some tenth of a second at each start. So it comes before numpy.
    """
    global _owned
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _owned = time.monotonic() if started is None else started


def is_owned() -> bool:
    """Whether this process is a command or a worker process."""
    return _owned is not None


def held_memory() -> int:
    """Bytes that this process and its workers occupy; 0 if it is not ours, or the system does not say."""
    if _owned is None:
        return 0
    if _guards:
        return _guards[0].guard.held
    from ktsolve import _native

    return _native.resident_bytes()


class guarded:  # noqa: N801 (used as a function)
    """Keep limits while the body runs in the main thread; in other threads nothing is limited.

    Within the body of another one only the time is limited, beside the limits that are kept already.

    The time of a process that is ours counts from its start, and only in such a process the memory limit is
    kept, for it and its workers. ``error`` makes the exception that is raised in the body, for ``time`` or
    ``memory``; its text is printed if the process must be ended, with ``exit_status``.

    A class, not a generator: one that is not resumed, because a signal raised just before, would keep its
    limit.
    """

    def __init__(
        self,
        time_limit: float | None,
        memory_limit: int | None,
        error: Callable[[str], BaseException],
        exit_status: int = 3,
    ) -> None:
        self._limits, self._error, self._exit_status = (time_limit, memory_limit), error, exit_status
        self._stopping: list[BaseException] = []

    def __enter__(self) -> None:
        global _before
        if _SIGNAL is None or threading.current_thread() is not threading.main_thread():
            return
        from ktsolve import _native

        time_limit, memory_limit = self._limits
        if _owned is None or _guards:
            memory_limit = None
        # The time of a process counts from its start, and its imports use up the grace before the limit.
        spent = 0.0 if _owned is None or _guards else time.monotonic() - _owned
        soft = None if time_limit is None else min(time_limit, 10.0**9) + max(_GRACE - spent, _GRACE / 3)
        if not _guards:
            _before = signal.signal(_SIGNAL, _stop)
        try:
            self.guard = _native.ProcessGuard(
                _SIGNAL,
                seconds=soft,
                last_seconds=None if soft is None or _owned is None else soft + _LAST,
                bytes=memory_limit,
                last_bytes=None if memory_limit is None else int(memory_limit * _HARD),
                time_message=str(self._error("time")),
                memory_message=str(self._error("memory")),
                exit_status=self._exit_status,
            )
            _guards.append(self)
        except BaseException:
            _restore()
            raise

    def __exit__(self, *_: object) -> None:
        if self not in _guards:
            return
        ended = _guards[_guards.index(self) :]  # also those within that a second signal kept from their end
        try:
            del _guards[-len(ended) :]
        finally:
            for each in ended:
                each.guard.close()
            _restore()

    def stop(self) -> None:
        """Raise the exception of the limit that is reached, unless it is on its way."""
        if not _on_its_way(self._stopping):
            self._stopping.append(self._error(self.guard.reason))
            raise_now(self._stopping[-1])


_STARTS_OR_ENDS = (guarded.__enter__.__code__, guarded.__exit__.__code__)

_LOADS = (ExtensionFileLoader.create_module.__code__, ExtensionFileLoader.exec_module.__code__)
"""What loads an extension: many turn an exception within into an ImportError, and cannot be loaded again."""


def _within(codes: tuple[CodeType, ...], frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code in codes:
            return True
        frame = frame.f_back
    return False


def _stop(number: int, frame: FrameType | None) -> None:
    """Raise what a guard asks for, unless a guard starts or ends, or an extension is loaded.

    Then the signal comes again.
    """
    if _within((*_STARTS_OR_ENDS, *_LOADS), frame):
        return
    reached = next((each for each in _guards if each.guard.reason), None)
    if reached is not None:
        reached.stop()
    elif callable(_before):
        _before(number, frame)


def _restore() -> None:
    if not _guards and _SIGNAL is not None:
        signal.signal(_SIGNAL, _before)


def _on_its_way(stopping: list[BaseException]) -> bool:
    """Whether the code that is interrupted now runs because of the exception: it handles it, or cleans up."""
    found = sys.exception()
    while found is not None:
        if any(found is each for each in stopping):
            return True
        found = found.__context__
    return False


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Put off what a limit or a signal raises until the body has ended; a second one is not put off."""
    global _put_off
    if threading.current_thread() is not threading.main_thread() or _put_off is not None:
        yield
        return
    waiting: list[BaseException] = []
    _put_off = waiting
    try:
        yield
    finally:
        _put_off = None
    if waiting:
        raise waiting[0]


def raise_now(error: BaseException) -> None:
    """Raise an exception in a signal handler, or put it off."""
    if _put_off is not None and not _put_off:
        _put_off.append(error)
        return
    raise error


@contextlib.contextmanager
def ends_by_signals() -> Iterator[None]:
    """Raise KeyboardInterrupt in the body for Ctrl-C, SIGTERM, and SIGHUP unless this is ignored (nohup).

    While an extension is loaded, a signal is put off.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        if _within(_LOADS, frame):
            threading.Timer(_PAUSE, _send, (number,)).start()
            return
        raise_now(KeyboardInterrupt("terminated") if number != signal.SIGINT else KeyboardInterrupt())

    before: dict[int, Any] = {}
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            before[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _send(number: int) -> None:
    """Send a signal to the main thread."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        interrupt_main(signal.Signals(number))


def stand_down() -> None:
    """Lift the limits but the hard one of memory: the work is done, and results are being written."""
    for each in _guards:
        each.guard.stand_down()


@contextlib.contextmanager
def standing_down() -> Iterator[None]:
    """Lift these limits while the body writes a part of the results."""
    lifted = [each.guard for each in _guards if not each.guard.stands_down]
    for guard in lifted:
        guard.stand_down()
    try:
        yield
    finally:
        for guard in lifted:
            guard.stand_down(down=False)


def add_worker(process: int) -> None:
    """Count the memory of a process that was started."""
    for each in _guards[:1]:
        each.guard.add_worker(process)


def remove_worker(process: int) -> None:
    """Forget a process, before its end is collected: the system may then give its number to another."""
    for each in _guards[:1]:
        each.guard.remove_worker(process)


@contextlib.contextmanager
def removed_at_end(path: str) -> Iterator[None]:
    """Remove a file or folder if the process must be ended while the body runs."""
    guards = [each.guard for each in _guards]
    for guard in guards:
        guard.add_temporary(path)
    try:
        yield
    finally:
        for guard in guards:
            guard.remove_temporary(path)
