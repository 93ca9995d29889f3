"""Closed strips of all lengths by half tables: one sweep along the strip makes those after each column.

The table after i columns and that after j columns, turned round, are the halves of the strip that has these
columns and, between them, as many as a move spans: so the engine ``join`` counts one board. Here each table
is made from the one before it, and joined with itself and with that one: the tables of c columns count all
lengths up to 2 c and more. Where counts of states have more than 63 bits, all are taken modulo primes, with
one sweep for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ktsolve import _native
from ktsolve.base.errors import LimitReached, Refused
from ktsolve.base.limits import Clock, NativeProgress, Settings, check_status, native_progress
from ktsolve.engines.frontier.engine import FrontierEngine
from ktsolve.engines.integer_sequences import numbers_of_residues, unfolded
from ktsolve.engines.join.fitting import MODULI
from ktsolve.engines.join.planning import plans_for
from ktsolve.engines.join.separators import WIDEST_SEPARATOR, line_separators
from ktsolve.engines.strip.shape import StripShape
from ktsolve.problem.cycle_graph import CycleGraph

__all__ = ["JoinedStrip", "are_joined"]

_NARROWEST = 7
"""Columns from which half tables are made: the transfer of fewer cells is compiled in seconds."""


def are_joined(shape: StripShape) -> bool:
    """Whether a strip is too wide for the transfer of a column, and can be counted by half tables."""
    separator = shape.width * max(shape.leaper)
    return shape.closed and shape.graph is None and shape.width >= _NARROWEST and separator < WIDEST_SEPARATOR


class _CountsTooLarge(Exception):
    """Counts do not fit: exact ones, or sums of residues."""


@dataclass(frozen=True)
class _Separator:
    """The columns between two halves; slot ``i * width + row`` is a cell of the i-th of them.

    - ``deferred``: The moves between its cells that belong to either half, as seen from there.
    - ``flip``, ``mirror``: Images of the slots under symmetries; the mirror is empty if it does not keep the
      moves of a half.
    """

    deferred: tuple[tuple[int, int, bool], ...]
    flip: tuple[int, ...]
    mirror: tuple[int, ...]


class JoinedStrip:
    """The closed tours of the strips of one width.

    - ``peak_bytes``: Memory that the tables took at most, so far.
    """

    def __init__(self, shape: StripShape) -> None:
        """Raises Refused for a strip without such halves."""
        self.name = str(shape)
        self.shape = replace(shape, turned=True)  # cells are numbered column by column
        self.reach = max(shape.leaper)
        self.peak_bytes = 0
        self._separator = self._found_separator()

    def __str__(self) -> str:
        return self.name

    def counts(self, upto: int, settings: Settings) -> Iterator[int]:
        """The counts of the lengths 1 to ``upto``, each as soon as it is known. Raises LimitReached."""
        clock = Clock(settings)
        known = min(upto, self.reach + 1)
        for length in range(1, known + 1):
            yield FrontierEngine().count(self.shape.problem(length), clock.within(settings)).count
        if known == upto:
            return
        try:
            for length, number, divisor in self.sweep(upto, clock.within(settings)):
                yield unfolded(number, divisor)
                known = length
        except _CountsTooLarge:
            yield from self._by_residues(known, upto, settings, clock)

    def _by_residues(self, known: int, upto: int, settings: Settings, clock: Clock) -> Iterator[int]:
        """The counts of the lengths after ``known``: as soon as the primes suffice for one."""

        def residues_of(prime: int) -> list[int]:
            left = range(known + 1, upto + 1)
            residues = dict.fromkeys(range(first, upto + 1), 0)
            swept = self.sweep(upto, clock.within(settings), prime, first=left.start)
            for length, number, divisor in swept:
                residues[length] = number * pow(divisor, -1, prime) % prime
            return list(residues.values())

        first = known + 1
        for most in MODULI:
            try:
                for numbers, modulus in numbers_of_residues(residues_of, most):
                    while known < upto and self._bound(known + 1) < modulus:
                        known += 1
                        yield numbers[known - first]
                    if known == upto:
                        return
            except _CountsTooLarge:
                first = known + 1
        raise LimitReached(f"counting {self}: the groups of length {known + 1} are too large")

    def _bound(self, length: int) -> int:
        """A number that the count of that length does not exceed."""
        return CycleGraph.of(self.shape.problem(length)).most_cycles

    def sweep(
        self, upto: int, settings: Settings, modulus: int = 0, *, first: int = 1, apart: int = 0
    ) -> Iterator[tuple[int, int, int]]:
        """For each length from ``first``, in order: length, its count times a divisor, divisor.

        With a modulus the residue of that product. The halves of a strip differ by ``apart`` or ``apart + 1``
        columns: another number is another cut, and so a check. Raises LimitReached.
        """
        width, separator = self.shape.width, self._separator
        columns = (upto - self.reach + apart + 1) // 2
        order, edges = self._columns(columns)
        cells = (columns + self.reach) * width
        mirror = [v - v % width + width - 1 - v % width for v in range(cells)] + [cells]
        native = _native.JoinTables(
            width * self.reach, settings.thread_budget, settings.memory_budget, modulus
        )
        tables: dict[int, int] = {}
        clock = Clock(settings)
        for made in range(1, columns + 1):
            half = _native.HalfPlan()
            half.eliminate = order[: made * width]
            half.separator = [*range(made * width, (made + self.reach) * width), cells]
            half.mirror = mirror
            half.grown_from = tables.get(made - 1, -1)
            inside = edges[edges[:, 0] < made * width]
            required = np.zeros(len(inside), dtype=np.uint8)
            progress = self._progress(settings, made, columns, modulus)
            report = native.make(cells + 1, inside, required, half, clock.left, progress)
            self._check(report, settings, native, made, columns)
            tables[made] = report.table
            for other in (made - apart - 1, made - apart):
                length = other + self.reach + made
                if other < 1 or not first <= length <= upto:
                    continue
                deferred = list(separator.deferred)
                joined = native.join(
                    [(tables[other], deferred)],
                    (tables[made], deferred),
                    clock.left,
                    self._progress(settings, made, columns, modulus, length),
                    list(separator.flip),
                    list(separator.mirror),
                )
                self._check(joined, settings, native, made, columns)
                yield length, joined.counts[0], joined.divisors[0]
            if made - apart - 1 in tables:
                native.drop(tables.pop(made - apart - 1))

    def _check(
        self,
        report: _native.TableReport | _native.TablesReport,
        settings: Settings,
        native: _native.JoinTables,
        made: int,
        columns: int,
    ) -> None:
        self.peak_bytes = max(self.peak_bytes, native.peak_bytes)
        if report.overflow:
            raise _CountsTooLarge
        check_status(report.status, settings, f"{made - 1} of {columns} columns of tables are made")

    def _progress(
        self, settings: Settings, made: int, columns: int, modulus: int, length: int = 0
    ) -> NativeProgress | None:
        text = f"joining length {length}" if length else f"column {made} of {columns}"
        if modulus:
            text += f", modulo {modulus:,}"

        def describe(step: int, total: int, states: int) -> tuple[float, str]:
            done = made - 1 + (1 if length else step / max(1, total))
            return done / columns, f"{text}, {states:,} states" if states else text

        return native_progress(settings, describe)

    def _columns(self, columns: int) -> tuple[list[int], np.ndarray[tuple[int, int], np.dtype[np.int32]]]:
        """The cells of so many columns in the order of their elimination, and the edges of these cells."""
        problem = self.shape.problem(columns + self.reach + 1)
        graph = CycleGraph.of(problem)
        done = columns * self.shape.width
        order = next(
            list(top)
            for top, _, separator, _ in line_separators(problem, graph)
            if set(top) == set(range(done)) and min(separator) == done
        )
        edges = np.asarray(self.shape.board(columns + self.reach).edges, dtype=np.int32)
        return order, edges[np.lexsort((edges[:, 1], edges[:, 0]))]

    def _found_separator(self) -> _Separator:
        """How the engine ``join`` divides the moves of a separator in the midst of a strip."""
        half = 2 * self.reach + 1
        problem = self.shape.problem(2 * half + self.reach)
        start, end = half * self.shape.width, (half + self.reach) * self.shape.width
        for plan in plans_for(problem, CycleGraph.of(problem)):
            if plan.flip and sorted(plan.separator) == list(range(start, end)):
                mirror = plan.top_mirror if plan.mirror_joins else ()
                return _Separator(
                    tuple((u - start, v - start, False) for u, v in plan.top_deferred),
                    tuple(plan.flip[v] - start for v in range(start, end)),
                    tuple(mirror[v] - start for v in range(start, end)) if mirror else (),
                )
        raise Refused(f"{self} has no halves that are joined over {self.reach} columns")
