"""The argument by sums: what is asked of sums of steps contradicts itself modulo 4.

Moves alternate between two colours, so the odd steps stand on one colour. Take any whole multiples of the
sums that are asked for, and add them up: each step is counted as often as its cell says. Where that number is
even for all cells of a colour, or odd for all, the total is known modulo 4: 2 x even is 0, 2 x odd is 2, and
all odd steps together, or all even ones, are a number that is known. If it is another than what is asked for,
whichever colour the odd steps have, there is no tour. Single sums of a wrong parity are the case of one
multiple, 2; that 6x6 is not magic is the case of every second row and column, taken once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ktsolve.problem.conditions import CellSum
from ktsolve.proof.colours import colours_of
from ktsolve.proof.reading import Reading

__all__ = ["find_multiples", "refuted_by_sums", "sums_of"]

Sum = tuple[tuple[int, ...], int]
"""Nodes, and what their steps add up to."""


def sums_of(reading: Reading) -> list[Sum] | None:
    """The sums that are asked for, in a fixed order; None if one of them is no whole number."""
    node = {cell: i for i, cell in enumerate(reading.cells)}
    found: list[Sum] = []
    for nodes, total in reading.sums:
        if total is None:
            return None
        found.append((nodes, total))
    given = [each for each in reading.conditions if isinstance(each, CellSum)]
    return found + [(tuple(sorted(node[cell] for cell in each.cells)), each.total) for each in given]


def refuted_by_sums(reading: Reading, multiples: Sequence[int]) -> bool:
    """Do these multiples of the sums contradict each other? One for each of :func:`sums_of`.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.reading import read_problem
    >>> reading = read_problem(TourProblem(board="6x6", closed=True, magic=["rows", "columns"]))
    >>> refuted_by_sums(reading, [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0])
    True
    >>> refuted_by_sums(reading, [1] * 6 + [0] * 6)
    False
    """
    sums, colour = sums_of(reading), colours_of(reading)
    if sums is None or colour is None or len(sums) != len(multiples):
        return False
    n = len(reading.cells)
    often, asked = [0] * n, 0
    for times, (nodes, total) in zip(multiples, sums, strict=True):
        asked += times * total
        for node in nodes:
            often[node] += times
    halves = []
    for which in (0, 1):
        cells = [often[i] for i in range(n) if colour[i] == which]
        odd = {times % 2 for times in cells}
        if len(odd) > 1:
            return False
        # How many cells, whether each counts once, and how often 2 must be added, for odd steps.
        once = odd == {1}
        halves.append((len(cells), once, sum((times - once) // 2 for times in cells)))
    return all(
        (_of_colour(halves[first], 1) + _of_colour(halves[1 - first], 2) - asked) % 4
        for first in (0, 1)
        if halves[first][0] == (n + 1) // 2
    )


def _of_colour(half: tuple[int, bool, int], first: int) -> int:
    """What the cells of a colour add to the total, modulo 4, if their steps are first, first + 2, ..."""
    number, once, twos = half
    together = number * (first + number - 1)
    return once * together + 2 * twos * (first % 2)


def find_multiples(reading: Reading) -> tuple[int, ...] | None:
    """Multiples that contradict each other, or None if none are found among a few."""
    sums = sums_of(reading)
    if not sums or colours_of(reading) is None:
        return None
    return next((each for each in _guesses(reading, len(sums)) if refuted_by_sums(reading, each)), None)


def _guesses(reading: Reading, number: int) -> Iterator[tuple[int, ...]]:
    for which in range(number):
        yield tuple(2 * (i == which) for i in range(number))
    # Every second line, of all that are magic: rows and columns come one after the other.
    yield tuple((i + 1) % 2 if i < len(reading.sums) else 0 for i in range(number))
