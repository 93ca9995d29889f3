"""The argument by components: the removal of some nodes leaves more components than a cycle allows.

A cycle without k of its nodes has at most k components, and at most k - m if m of its edges join two of these
nodes. Each component of the rest of the graph contains at least one of them. This is Chvátal's condition
(Tough graphs and Hamiltonian circuits, 1973), extended to required edges. Most theorems on boards without
tours are cases of it: on a board with more white cells than black ones remove the black ones; on a board of
four rows remove the white cells of the two inner rows (L. Pósa).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ktsolve.proof.problem_graph import ProblemGraph

__all__ = ["Components", "count_components"]


@dataclass(frozen=True)
class Components:
    """The components that the removal of some nodes leaves."""

    removed: int  # number of removed nodes
    inner: int  # number of required edges between removed nodes
    number: int  # number of components of the rest

    @property
    def most(self) -> int:
        """The largest number of components that a cycle allows."""
        return self.removed - self.inner if self.removed else 1

    @property
    def refutes(self) -> bool:
        """Whether there are more components than a cycle allows. With all nodes removed, nothing follows."""
        return self.number > 0 and self.number > self.most


def count_components(graph: ProblemGraph, removed: Iterable[int]) -> Components:
    """Count the components that the removal of some nodes leaves. Linear in nodes and edges.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.problem_graph import read_problem
    >>> four_rows = read_problem(TourProblem(board="4x3", closed=True))
    >>> count_components(four_rows, [4, 6, 8])  # b3, a2, c2: of one colour, in the two inner rows
    Components(removed=3, inner=0, number=4)
    """
    gone = set(removed)
    seen = set(gone)
    number = 0
    for root in range(graph.nodes):
        if root in seen:
            continue
        number += 1
        seen.add(root)
        stack = [root]
        while stack:
            for other in graph.neighbours[stack.pop()]:
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
    inner = sum(1 for u, v in graph.needed if u in gone and v in gone)
    return Components(len(gone), inner, number)
