"""The argument by parts: some nodes are removed, and more parts are left than a cycle can hold together.

A cycle without k of its nodes falls into at most k pieces, and into k - m if m of its edges join two of the
k. Each part that is left of the graph holds a piece at least. This is Chvátal's condition (Tough graphs
and Hamiltonian circuits, 1973), with edges that must be used taken into account. Most theorems on boards
without tours are cases of it: on a board with more white cells than black ones remove the black ones; on one
of four rows, the white cells of the two inner rows (L. Pósa's argument, in other words).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ktsolve.proof.reading import Reading

__all__ = ["Parts", "count_parts"]


@dataclass(frozen=True)
class Parts:
    """What is left without some nodes.

    Attributes
    ----------
    removed:
        How many nodes are removed.
    inner:
        Edges between two of them that the cycle must use.
    parts:
        How many parts are left.
    """

    removed: int
    inner: int
    parts: int

    @property
    def most(self) -> int:
        """The most parts that a cycle can hold together."""
        return self.removed - self.inner if self.removed else 1

    @property
    def refutes(self) -> bool:
        """Are they too many? Nothing follows if all nodes are removed."""
        return self.parts > 0 and self.parts > self.most


def count_parts(reading: Reading, removed: Iterable[int]) -> Parts:
    """Count the parts that are left without some nodes. Linear in nodes and edges.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.reading import read_problem
    >>> four_rows = read_problem(TourProblem(board="4x3", closed=True))
    >>> count_parts(four_rows, [4, 6, 8])  # c3, a2, b2: of one colour, in the two inner rows
    Parts(removed=3, inner=0, parts=4)
    """
    gone = set(removed)
    around: list[list[int]] = [[] for _ in range(reading.nodes)]
    for u, v in reading.edges:
        around[u].append(v)
        around[v].append(u)
    seen = set(gone)
    parts = 0
    for root in range(reading.nodes):
        if root in seen:
            continue
        parts += 1
        seen.add(root)
        waiting = [root]
        while waiting:
            for other in around[waiting.pop()]:
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
    inner = sum(1 for u, v in reading.needed if u in gone and v in gone)
    return Parts(len(gone), inner, parts)
