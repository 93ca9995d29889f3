"""The argument by sums: the required sums of steps contradict each other modulo 4.

Moves alternate between two colours, so the odd steps are on one colour. Take integer multiples of the
required sums and add them: the total contains the step of each cell with a coefficient. If the coefficients
of all cells of a colour are even, or all are odd, the total is known modulo 4: 2 x even is 0, 2 x odd is 2,
and the sum of all odd steps, and that of all even steps, is known. If it differs from the required total
whichever colour the odd steps have, there is no tour. A single sum of a wrong parity is the case of one
multiple, 2. That 6x6 is not magic is the case of every second row and column with multiple 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ktsolve.problem.conditions import CellSum
from ktsolve.proof.problem_graph import ProblemGraph

__all__ = ["find_multiples", "refuted_by_sums", "sums_of"]

Sum = tuple[tuple[int, ...], int]
"""Nodes, and the required sum of their steps."""


def sums_of(graph: ProblemGraph) -> list[Sum] | None:
    """Return the required sums in a fixed order; None if one of them is not an integer."""
    found: list[Sum] = []
    for nodes, total in graph.sums:
        if total is None:
            return None
        found.append((nodes, total))
    given = [each for each in graph.conditions if isinstance(each, CellSum)]
    return found + [(tuple(sorted(graph.node[cell] for cell in each.cells)), each.total) for each in given]


def refuted_by_sums(graph: ProblemGraph, multiples: Sequence[int]) -> bool:
    """Return whether these multiples, one for each of :func:`sums_of`, contradict each other.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.problem_graph import read_problem
    >>> graph = read_problem(TourProblem(board="6x6", closed=True, magic=["rows", "columns"]))
    >>> refuted_by_sums(graph, [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0])
    True
    >>> refuted_by_sums(graph, [1] * 6 + [0] * 6)
    False
    """
    sums, colour = sums_of(graph), graph.colours
    if sums is None or colour is None or len(sums) != len(multiples):
        return False
    n = len(graph.cells)
    coefficient, required = [0] * n, 0
    for times, (nodes, total) in zip(multiples, sums, strict=True):
        required += times * total
        for node in nodes:
            coefficient[node] += times
    halves = []
    for which in (0, 1):
        cells = [coefficient[i] for i in range(n) if colour[i] == which]
        parities = {times % 2 for times in cells}
        if len(parities) > 1:
            return False
        # Each coefficient is odd + 2 t: the number of cells, odd, and the sum of the t.
        odd = parities == {1}
        halves.append((len(cells), odd, sum((times - odd) // 2 for times in cells)))
    return all(
        (_share(halves[first], 1) + _share(halves[1 - first], 2) - required) % 4
        for first in (0, 1)
        if halves[first][0] == (n + 1) // 2
    )


def _share(half: tuple[int, bool, int], first: int) -> int:
    """The share of a colour in the total, modulo 4, if its steps are first, first + 2, ..."""
    number, odd, twos = half
    steps = number * (first + number - 1)
    return odd * steps + 2 * twos * (first % 2)


def find_multiples(graph: ProblemGraph) -> tuple[int, ...] | None:
    """Return multiples that contradict each other, or None if none of a few candidates do."""
    sums = sums_of(graph)
    if not sums or graph.colours is None:
        return None
    return next((each for each in _candidates(graph, len(sums)) if refuted_by_sums(graph, each)), None)


def _candidates(graph: ProblemGraph, number: int) -> Iterator[tuple[int, ...]]:
    for which in range(number):
        yield tuple(2 * (i == which) for i in range(number))
    # Every second one of the magic lines: rows and columns are in order.
    yield tuple((i + 1) % 2 if i < len(graph.sums) else 0 for i in range(number))
