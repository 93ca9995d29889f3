"""Engine ``strip``: one column's transfer, compiled once, and the linear recurrence of narrow strips."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.interface import Counted, Engine, Estimate
from ktsolve.engines.strip.shape import MOST_WIDTH, shape_of
from ktsolve.problem.problem import TourProblem

if TYPE_CHECKING:
    from ktsolve.engines.strip.transfer import Transfer

__all__ = ["StripEngine"]

_MOST_FRONTIER = 14
"""Cells at the boundary of a column beyond which only knights are counted: columns of farther leapers have
too many states, and boards on which one sweeps have fewer."""

_MOST_DERIVED = 1500  # largest dimension for which the recurrence is derived: a second or two

_DERIVED_FROM = 8
"""Lengths over the dimension from which deriving the recurrence takes less time than all columns."""

_DERIVED_WIDTH = 4  # widest strips whose recurrence is derived, for they have such a dimension

_WIDEST = {True: 6, False: 5}  # widest strips whose transfer is compiled in seconds: closed and open

_LENGTHS = 5
"""Lengths, as multiples of the width, from which compiling the transfer takes less time than sweeping."""


class StripEngine(Engine):
    """Counts the tours of long boards by the transfer of one column, in C++."""

    name = "strip"
    summary = "transfer of one column, compiled once; recurrences of narrow strips; native"
    capabilities: ClassVar = {"count": frozenset({"closed", "open", "leaper", "wrap"})}
    reads_sides = MOST_WIDTH
    rough_milliseconds = None

    def unsupported_feature(self, task: str, problem: TourProblem) -> str | None:
        """As for every engine; no torus, no wide ring of few columns, and no long leaps on a wide board."""
        found = super().unsupported_feature(task, problem)
        if found is not None:
            return found
        if problem.board.wrap == "xy":
            return "wrap"
        shape, length = shape_of(problem)
        if shape.wrapped and shape.width > max(length, _WIDEST[problem.closed]):
            return "wrap"
        far = shape.width * max(shape.leaper) > _MOST_FRONTIER and shape.leaper != (1, 2)
        return "leaper" if far else None

    def estimate(self, problem: TourProblem, settings: Settings, task: str = "count") -> Estimate | None:
        """Return the time of compiling the transfer; None where this takes longer than sweeping the board."""
        shape, length = shape_of(problem)
        widest = _WIDEST[problem.closed] - (problem.board.leaper != (1, 2))
        if shape.width > widest or length < _LENGTHS * shape.width:
            return None
        # An end anywhere makes 8 times the states at width 5, and fewer at smaller widths.
        states = 10.0 ** (shape.width - 1) * (1.0 if problem.closed else 10.0 ** max(0, shape.width - 4))
        # Long narrow strips have a recurrence instead of columns; the numbers of others grow with the length.
        columns = min(length, 0.6 * 10.0**shape.width) if shape.width <= _DERIVED_WIDTH else length
        return Estimate(
            f"the transfer of a column of {shape.width} cells",
            states=states,
            bytes=1e3 * states,
            seconds=states * (2e-5 + columns * (1.5e-7 + 2.2e-10 * columns)),
        )

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        """Number of tours. Raises LimitReached; at once, when the board is too wide."""
        from ktsolve.engines.strip.transfer import Transfer

        shape, length = shape_of(problem)
        return _strip_count(Transfer(shape, settings), length, settings)


def _strip_count(transfer: Transfer, length: int, settings: Settings) -> Counted:
    """The number of tours of a strip of this length, by the recurrence if that is faster."""
    clock = Clock(settings)
    details = {
        "states": transfer.states,
        "transitions": transfer.transitions,
        "dimension": transfer.dimension,
        "additions": transfer.terms,
    }
    if transfer.dimension <= _MOST_DERIVED and length > _DERIVED_FROM * transfer.dimension:
        from ktsolve.engines.integer_sequences import derived

        function = derived(transfer, clock.within(settings))
        count = function.term(length, transfer.bits(length), clock.within(settings))
        details["order"] = function.order
    else:
        count = transfer.count(length, clock.within(settings))
    one_cell = transfer.shape.width * length == 1
    directed = count if one_cell else 2 * count
    return Counted(count, directed, transfer.peak_bytes, details)
