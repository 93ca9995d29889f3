"""Settings of a run: limits, threads, memory, seed, progress; and the clock that enforces a time limit."""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import wraps
from numbers import Real
from typing import Any, Generic, ParamSpec, TypeVar, overload

from ktsolve.base.errors import BadInput, InternalError, LimitReached, OutOfMemory
from ktsolve.base.guard import guarded, held_memory, is_owned
from ktsolve.base.sat_solvers import sat_solver
from ktsolve.base.units import parse_bytes, parse_seconds, shown_bytes

__all__ = [
    "Clock",
    "Limit",
    "NativeProgress",
    "Progress",
    "Remark",
    "Settings",
    "available_memory",
    "check_status",
    "limit_reached",
    "native_progress",
    "out_of_time",
    "takes_settings",
]

Progress = Callable[[float | None, str], None]
"""Called with the fraction done (None: unknown) and a short text."""

NativeProgress = Callable[[int, int, int], None]
"""Called by the native core some twenty times a second: step, number of steps (0: unknown), and the number of
states held or of results found."""

Remark = Callable[[str], None]
"""Called with a line about how a question is answered."""


@dataclass(frozen=True)
class Limit:
    """A number of bytes of which a part is used; messages name the total.

    - ``held_counts``: Whether ``used`` counts what this process holds.

    >>> Limit(2 << 30, 8 << 30).left == 6 << 30
    True
    """

    used: int
    total: int
    held_counts: bool = True

    @property
    def left(self) -> int:
        """The part that may be used."""
        return self.total - self.used


_Number = TypeVar("_Number", int | Limit, int, float)


class _Field(Generic[_Number]):
    """A field that takes a number, a text with a unit, or None, and holds a number or None."""

    def __init__(self, read: Callable[[str], Any], wanted: str) -> None:
        self._read = read
        self._wanted = wanted

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, settings: None, owner: type) -> None: ...
    @overload
    def __get__(self, settings: object, owner: type) -> _Number | None: ...
    def __get__(self, settings: object | None, owner: type) -> _Number | None:
        found: _Number | None = None if settings is None else settings.__dict__[self._name]
        return found

    def __set__(self, settings: object, value: _Number | str | None) -> None:
        try:
            number = self._read(value) if isinstance(value, str) else value
        except BadInput as error:
            raise BadInput(f"{self._name}: {error}") from None
        if not (number is None or isinstance(number, Limit) or _is_number(number)):
            raise BadInput(f"{self._name} must be {self._wanted}, not {number!r:.40}")
        if self._read is parse_bytes and isinstance(number, float):
            number = int(number)
        # The only way in a frozen dataclass.
        settings.__dict__[self._name] = number


def _is_number(value: Any) -> bool:
    return (
        hasattr(value, "__float__") and not isinstance(value, bool | str) and getattr(value, "ndim", 0) == 0
    )


@dataclass(frozen=True)
class Settings:
    """Limits and options of an engine. The question is in the problem.

    Attributes
    ----------
    timeout:
        Seconds of wall-clock time, or a text such as ``"5m"``; None for no limit.
    memory:
        Bytes, or a text such as ``"2G"``; None for three quarters of what the machine has available. For a
        command all memory of its processes counts, for a program that uses ktsolve as a library only what an
        engine takes; there ``cpsat`` passes it by what its solver needs to read a large model.
    threads:
        Threads to use, None for all cores (engines that use one use one).
    seed:
        Varies which tour is found first; None is the default order.
    solver:
        Name of python-sat's solver that the SAT engine uses, also a short one; None for the choice of the
        engine (see :mod:`ktsolve.engines.sat.python_sat`).
    encoding:
        Statement of "one cycle" in the SAT engine: ``lazy`` adds cuts as they are needed; those of
        :data:`ktsolve.model.encode.EAGER` state it completely at the start.
    spill:
        Folder for tables that do not fit into memory; a later run reuses them. None for a temporary one.
    disk:
        Bytes that such tables of a count may take, or a text such as ``"20G"``; those without room are made
        again. None for what is free, less a reserve.
    progress:
        Called some twenty times a second during long work.
    remark:
        Called with what the reduction of a graph did and which engines were chosen, and why.
    total_timeout:
        The whole limit, which messages name, where ``timeout`` is the rest of it.

    Raises
    ------
    BadInput
        For an invalid value, with an example of a valid one.

    Examples
    --------
    >>> Settings(timeout="5m", memory="2G").timeout
    300.0
    >>> Settings(memory="much")
    Traceback (most recent call last):
    ktsolve.base.errors.BadInput: memory: 'much' is not a size: write 500M or 4G
    """

    timeout: _Field[float] = _Field(parse_seconds, 'seconds, such as 30, or a text such as "5m"')
    memory: _Field[int | Limit] = _Field(parse_bytes, 'bytes, such as 2**30, or a text such as "2G"')
    threads: int | None = None
    seed: int | None = None
    solver: str | None = None
    encoding: str = "lazy"
    spill: str | None = None
    disk: _Field[int] = _Field(parse_bytes, 'bytes, such as 2**30, or a text such as "20G"')
    progress: Progress | None = field(default=None, compare=False)
    remark: Remark | None = field(default=None, compare=False)
    total_timeout: float | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.timeout is not None and not isinstance(self.timeout, Real):
            raise BadInput(
                f"the time limit must be a number of seconds, such as 10, not {self.timeout!r:.40}"
            )
        if self.timeout is not None and not self.timeout > 0:
            raise BadInput(f"the time limit must be more than 0 seconds, not {self.timeout:g}")
        if isinstance(self.memory, int) and self.memory < 1 << 20:
            raise BadInput("the memory limit must be at least 1 MiB")
        for name in ("threads", "seed"):
            if (value := getattr(self, name)) is not None and not hasattr(value, "__index__"):
                raise BadInput(f"{name} must be a whole number, such as 2, not {value!r:.40}")
        for name in ("progress", "remark"):
            if (value := getattr(self, name)) is not None and not callable(value):
                raise BadInput(f"{name} must be a function that is called, such as print, not {value!r:.40}")
        if self.solver is not None:
            object.__setattr__(self, "solver", sat_solver(self.solver))
        if self.threads is not None and not 1 <= self.threads <= 1024:
            raise BadInput(f"the number of threads must be from 1 to 1024, not {self.threads}")
        if self.seed is not None and not 0 <= self.seed < 2**31:
            raise BadInput(f"the seed must be a number from 0 to {2**31 - 1}, not {self.seed}")

    @classmethod
    def of(cls, given: Settings | None) -> Settings:
        """The settings that are given to a task, or the usual ones for None.

        Parameters
        ----------
        given:
            The settings, or None.

        Returns
        -------
        Settings
            The settings; the defaults for None.

        Raises
        ------
        BadInput
            For anything else.

        Examples
        --------
        >>> Settings.of(None) == Settings()
        True
        """
        if given is None:
            return cls()
        if not isinstance(given, Settings):
            raise BadInput(f"settings must be Settings, such as Settings(timeout=10), not {given!r:.40}")
        return given

    def say(self, text: str) -> None:
        """Call :attr:`remark`, if there is one.

        Parameters
        ----------
        text:
            The remark.
        """
        if self.remark is not None:
            self.remark(text)

    @property
    def memory_limit(self) -> int:
        """Bytes that may be used in all; in a command by this process and its workers together."""
        if isinstance(self.memory, Limit):
            return self.memory.total
        if self.memory is not None:
            return min(self.memory, 2**62)
        return (available_memory() + held_memory()) * 3 // 4

    @property
    def memory_budget(self) -> int:
        """Bytes that may be used from now on: the limit, in a command less what its processes hold now."""
        if not isinstance(self.memory, Limit):
            return max(self.memory_limit - held_memory(), 1 << 20)
        held = 0 if self.memory.held_counts else held_memory()
        return max(self.memory.left - held, 1 << 20)

    @property
    def memory_use(self) -> Limit:
        """The limit, of which all but the budget is used."""
        limit = self.memory_limit
        return Limit(limit - self.memory_budget, limit)

    def within_memory(self, budget: int, *, held_counts: bool = True) -> Settings:
        """The settings with a smaller budget from now on; messages name the limit as before.

        Parameters
        ----------
        budget:
            The new budget in bytes.
        held_counts:
            False for a worker process, whose budget does not yet count what it holds.

        Returns
        -------
        Settings
            The same settings with that budget.

        Examples
        --------
        >>> part = Settings(memory=8 << 30).within_memory(1 << 30)
        >>> shown_bytes(part.memory_budget), shown_bytes(part.memory_limit)
        ('1 GiB', '8 GiB')
        """
        limit = self.memory_limit
        return replace(self, memory=Limit(limit - budget, limit, held_counts))

    @property
    def thread_budget(self) -> int:
        """Threads that may be used."""
        return self.threads if self.threads is not None else (os.cpu_count() or 1)


def available_memory() -> int:
    """Bytes of memory available now without swapping.

    Where the system does not report it: half of the memory of the machine, or 4 GiB if that is unknown too.
    """
    try:
        with open("/proc/meminfo", encoding="ascii") as stream:
            for line in stream:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    if sys.platform == "win32":
        return _available_on_windows()
    with contextlib.suppress(AttributeError, ValueError, OSError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return 4 << 30


def _available_on_windows() -> int:
    import ctypes
    import struct

    # MEMORYSTATUSEX: its length, the load in percent, and seven sizes, of which the second is available.
    status = ctypes.create_string_buffer(struct.pack("<II7Q", 64, *(0,) * 8), 64)
    if not getattr(ctypes, "windll").kernel32.GlobalMemoryStatusEx(status):  # noqa: B009 (Windows only)
        return 4 << 30
    return int(struct.unpack("<II7Q", status.raw)[3])


_P = ParamSpec("_P")
_R = TypeVar("_R")


def takes_settings(task: Callable[_P, _R]) -> Callable[_P, _R]:
    """Wrap a public function: its time limit is kept at any place, and settings outside Settings are refused.

    Engines check the clock and say what they reached; other code is stopped (:mod:`ktsolve.base.guard`). A
    command and its workers have limits of their own.
    """
    names = list(inspect.signature(task).parameters)

    @wraps(task)
    def limited(*args: _P.args, **given: _P.kwargs) -> _R:
        for name in given.keys() - names:
            if name in Settings.__dataclass_fields__:
                value = "..." if callable(given[name]) else f"{given[name]!r:.40}"
                raise BadInput(f"{name} is one of the settings: write settings=Settings({name}={value})")
            if (british := name.replace("ize", "ise")) in names:
                raise BadInput(f"{name} is written {british}")
        for name, each in zip(names, args, strict=False):
            if isinstance(each, Settings) and name != "settings":
                raise BadInput(f"{name} is Settings: write settings=Settings(...)")
        settings = next((each for each in (*args, *given.values()) if isinstance(each, Settings)), None)
        if settings is None or settings.timeout is None or is_owned():
            return task(*args, **given)
        with guarded(settings.timeout, None, lambda _which: out_of_time(settings)):
            return task(*args, **given)

    return limited


class Clock:
    """Counts down the time limit of settings, or a number of seconds."""

    def __init__(self, limits: Settings | float | None) -> None:
        self._started = time.monotonic()
        self._timeout = limits.timeout if isinstance(limits, Settings) else limits
        self._total = _total(limits)

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._started

    @property
    def left(self) -> float | None:
        """Seconds left, None without a limit; never below zero."""
        return None if self._timeout is None else max(0.0, self._timeout - self.elapsed)

    def check(self, reached: str = "") -> None:
        """Raise LimitReached when no time is left."""
        if self.left == 0:
            raise out_of_time(self._total, reached)

    def within(self, settings: Settings, reached: str = "") -> Settings:
        """The settings with the time that is left. Raises LimitReached if none is."""
        self.check(reached)
        left = None if self.left is None else max(self.left, 1e-3)  # 0 would be bad input
        return replace(settings, timeout=left, total_timeout=self._total)


def _total(limits: Settings | Clock | float | None) -> float | None:
    if isinstance(limits, Clock):
        return limits._total
    return limits.total_timeout or limits.timeout if isinstance(limits, Settings) else limits


def out_of_time(limits: Settings | Clock | float | None, reached: str = "") -> LimitReached:
    """The error for a time limit that is used up; ``reached`` states the progress of the work."""
    total = _total(limits)
    limit = "the time limit" if total is None else f"the time limit of {total:g} s"
    return LimitReached(f"stopped at {limit}{', ' + reached if reached else ''}")


def limit_reached(
    status: str, limits: Settings | Clock | float | None, reached: str = ""
) -> LimitReached | None:
    """The exception for the status of a native call, None for ``done``.

    The status may also be ``time``, ``memory`` or ``interrupted``; the limits are settings, a clock
    or seconds; ``reached`` says how far the call got.

    >>> limit_reached("time", 2.5, "3 of 8 cells done")
    LimitReached('stopped at the time limit of 2.5 s, 3 of 8 cells done')
    >>> limit_reached("memory", Settings(memory=1 << 30))
    OutOfMemory('stopped at the memory limit of 1 GiB')
    >>> limit_reached("interrupted", None)
    LimitReached('interrupted')
    """
    if status == "done":
        return None
    if status == "time":
        return out_of_time(limits, reached)
    tail = f", {reached}" if reached else ""
    if status == "interrupted":
        return LimitReached(f"interrupted{tail}")
    if status != "memory":
        raise InternalError(f"the native core returned an unknown status, {status!r}")
    budget = f" of {shown_bytes(limits.memory_limit)}" if isinstance(limits, Settings) else ""
    return OutOfMemory(f"stopped at the memory limit{budget}{tail}")


def check_status(status: str, limits: Settings | Clock | float | None, reached: str = "") -> None:
    """Raise the exception of :func:`limit_reached` unless the status of a native call is ``done``."""
    error = limit_reached(status, limits, reached)
    if error is not None:
        try:
            raise error
        finally:
            del error  # it names this frame, which would keep it, and the tables of its callers, alive


def native_progress(
    settings: Settings, describe: str | Callable[[int, int, int], tuple[float | None, str]]
) -> NativeProgress | None:
    """The callback of a native call that reports to ``settings.progress``; None without one.

    ``describe`` gives the fraction done (None: unknown) and a text for the arguments of the callback; a text
    stands for itself and the number of steps.
    """
    progress = settings.progress
    if progress is None:
        return None

    def report(step: int, total: int, states: int) -> None:
        if isinstance(describe, str):
            progress(step / total if total else None, f"{describe}, {states:,} steps")
        else:
            progress(*describe(step, total, states))

    return report
