"""The compiled transfer of a strip (ktsolve/strip/strip.hpp), and counts of all lengths by it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ktsolve import _native
from ktsolve.base.errors import LimitReached, OutOfMemory
from ktsolve.base.limits import Clock, Settings, check_status, native_progress
from ktsolve.base.units import shown_bytes
from ktsolve.engines.frontier.engine import FrontierEngine
from ktsolve.engines.strip.shape import StripShape

__all__ = ["Transfer", "first_counts"]

_BYTES_OF_A_COUNT = 32  # memory for each count beside its digits

_WIDE = 6  # width from which compiling takes more than a moment
_MOMENT = 1.0  # seconds in which short boards are counted before


class Transfer:
    """The transfer of one column of a strip.

    - ``first``: The first length that the transfer counts, one more than the columns that a move spans at
      most. Engine ``frontier`` counts shorter ones.
    - ``states``, ``transitions``: States at the boundary of a column, up to symmetry, and transitions of one
      column.
    - ``dimension``, ``terms``: Classes of states and additions in one column that are left after lumping. The
      counts satisfy a linear recurrence whose order is at most the dimension.
    """

    def __init__(self, shape: StripShape, settings: Settings) -> None:
        """Compile. Raises LimitReached."""
        self.shape = shape
        self._short: dict[int, int] = {}
        self._strip = _native.Strip(shape.width, shape.edges(), not shape.closed, shape.symmetries())
        compiling = native_progress(
            settings, lambda _step, _total, states: (None, f"compiling a column, {states:,} states")
        )
        budget = settings.memory_budget
        try:
            status = self._strip.compile(Clock(settings).left, budget, compiling)
        except ValueError as error:  # one slot too many
            raise LimitReached(f"counting {shape}: {error}") from None
        check_status(status, settings, f"the transfer of a column of {shape} is not compiled")
        self.first: int = self._strip.first
        self.states: int = self._strip.states
        self.transitions: int = self._strip.transitions
        self.dimension: int = self._strip.dimension
        self.terms: int = self._strip.terms
        self.peak_bytes: int = self._strip.peak_bytes

    def __str__(self) -> str:
        return str(self.shape)

    def counts(self, upto: int, settings: Settings) -> Iterator[int]:
        """The counts of the lengths 1 to ``upto``, each as soon as it is known.

        Raises LimitReached; a later call goes on from there.
        """
        clock = Clock(settings)
        budget = settings.memory_budget
        held = 0  # bytes of the counts, which the core keeps
        for length in range(1, upto + 1):
            if length < self.first:
                yield self._counted(length, settings)
                continue
            number = length - self.first
            if number >= self._strip.known:
                left = budget - held
                if left <= 0:
                    raise OutOfMemory(
                        f"stopped at the memory limit of {shown_bytes(settings.memory_limit)}: the counts of "
                        f"{length - 1:,} lengths take {shown_bytes(held)}"
                    )
                report = native_progress(
                    settings, lambda step, _total, _states: (step / upto, f"length {step + 1} of {upto}")
                )
                status = self._strip.extend(number + 1, settings.thread_budget, clock.left, left, report)
                check_status(status, settings, f"length {length} of {upto}")
            count = self._strip.at(number)
            held += count.bit_length() // 8 + _BYTES_OF_A_COUNT
            yield count

    def count(self, length: int, settings: Settings) -> int:
        """The count of one length, without those of others: half of the columns from each end.

        Raises LimitReached.
        """
        if length < self.first:
            return self._counted(length, settings)
        progress = native_progress(
            settings, lambda step, total, _: (step / total if total else None, f"column {step} of {total}")
        )
        limits = settings.thread_budget, Clock(settings).left, settings.memory_budget
        status, count = self._strip.count(length, *limits, progress)
        size = shown_bytes(self.bits(length) / 8)
        reached = f"{self.terms:,} additions for each of {length:,} columns, counts of about {size}"
        check_status(status, settings, reached if length > 10_000 else "")
        return int(count)

    def bits(self, length: int) -> int:
        """An upper bound on the bits of the count of one length, by the growth of 64 columns."""
        constant, each = self._strip.growth
        return int(constant + each * length) + 2

    def _counted(self, length: int, settings: Settings) -> int:
        if length not in self._short:
            problem = self.shape.problem(length)
            self._short[length] = FrontierEngine().count(problem, settings).count
        return self._short[length]


def first_counts(shape: StripShape, upto: int, settings: Settings) -> Iterator[int]:
    """The counts of the lengths from 1 whose boards are counted in a moment, before a wide strip is compiled.

    A tenth of the time limit at most, or a second.
    """
    clock = Clock(settings)
    moment = Clock(max(_MOMENT, (clock.left or 0.0) / 10))
    for length in range(1, upto + 1 if shape.width >= _WIDE else 1):
        limits = replace(settings, timeout=moment.left or 1e-3)
        try:
            count = FrontierEngine().count(shape.problem(length), limits).count
        except LimitReached:
            clock.check()
            return
        yield count
