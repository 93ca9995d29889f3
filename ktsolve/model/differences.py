"""Bounds on the differences of two integers that follow from comparisons of integers.

A ruler has marks in ascending order, so that each difference of two marks is at least 1; the domains of the
marks alone allow negative differences too.
"""

from __future__ import annotations

from collections import defaultdict

from ktsolve.model.constraints import Increasing
from ktsolve.model.expressions import Comparison, Sum
from ktsolve.model.model import Model
from ktsolve.model.variables import Integer

__all__ = ["DifferenceBounds"]

_MOST_STEPS = 20_000  # edges times nodes of the graph of comparisons


class DifferenceBounds:
    """The least and the greatest differences of integers of a model.

    >>> model = Model()
    >>> x = model.integers(3, 0, 9)
    >>> model.add(x[:-1] < x[1:])
    >>> DifferenceBounds(model).bounds(x[2] - x[0])
    (2, 9)
    """

    def __init__(self, model: Model) -> None:
        # For x - y <= most: an edge from y to x.
        self._edges: dict[tuple[int, int], int] = {}
        for constraint in model.constraints:
            if isinstance(constraint, Comparison) and constraint.sign != "!=":
                self._compared(constraint)
            elif isinstance(constraint, Increasing):
                for each in constraint.decomposed():
                    self._compared(each)
        nodes = {node for edge in self._edges for node in edge}
        if len(nodes) * len(self._edges) > _MOST_STEPS:
            self._edges.clear()
        self._from: dict[int, dict[int, int]] = {}

    def _compared(self, comparison: Comparison) -> None:
        if len(comparison.left.terms) + len(comparison.right.terms) != 2:
            return
        terms, least, most, _ = comparison.normal()
        if len(terms) != 2 or {weight for weight, _ in terms} != {1, -1}:
            return
        greater, less = sorted(terms, key=lambda term: -term[0])
        for one, other, bound in ((greater, less, most), (less, greater, None if least is None else -least)):
            if bound is not None and isinstance(one[1], Integer) and isinstance(other[1], Integer):
                edge = other[1].number, one[1].number
                self._edges[edge] = min(bound, self._edges.get(edge, bound))

    def bounds(self, total: Sum) -> tuple[int, int]:
        """Return the least and the greatest value of a sum, in which each atom occurs once."""
        low, high = total.bounds
        terms = sorted(total.terms, key=lambda term: -term[0])
        if not self._edges or [weight for weight, _ in terms] != [1, -1]:
            return low, high
        (_, greater), (_, less) = terms
        if not isinstance(greater, Integer) or not isinstance(less, Integer):
            return low, high
        most = self._distances(less.number).get(greater.number)
        least = self._distances(greater.number).get(less.number)
        lowest = low if least is None else max(low, total.constant - least)
        highest = high if most is None else min(high, total.constant + most)
        return (lowest, highest) if lowest <= highest else (low, high)

    def _distances(self, source: int) -> dict[int, int]:
        """Return how much greater than the source integers are at most, by Bellman and Ford."""
        if source not in self._from:
            found: dict[int, int] = defaultdict(lambda: 1 << 80, {source: 0})
            for _ in range(len(self._edges)):
                changed = False
                for (before, after), most in self._edges.items():
                    if before in found and found[before] + most < found[after]:
                        found[after] = found[before] + most
                        changed = True
                if not changed:
                    break
            self._from[source] = dict(found)
        return self._from[source]
