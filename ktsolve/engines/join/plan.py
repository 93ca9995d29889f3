"""A plan for the two-sided join: where to cut a graph, and what belongs to which side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ktsolve.engines.cycle_graph import CycleGraph

if TYPE_CHECKING:
    from ktsolve import _native

__all__ = ["Edge", "JoinPlan", "image_of"]

Edge = tuple[int, int]


@dataclass(frozen=True)
class JoinPlan:
    """A cut of a graph into top, middle and bottom.

    Attributes
    ----------
    graph:
        The graph, without edges that no cycle can use.
    top, bottom, middle:
        Vertices, in order.
    top_pulled, bottom_pulled:
        Middle edges added while joining.
    top_absorbed, bottom_absorbed:
        Middle edges added to the tables, in groups of edges at one vertex.
    top_mirror, bottom_mirror:
        Symmetries of a half under which its table is folded: images of the vertices, or empty.
    flip:
        A symmetry that exchanges the sides, so that one table serves both, or empty.
    mirror_joins:
        Whether there is one mirror that keeps the sides of the middle edges as well.
    split, colour:
        The vertex that stands for one end of either colour, or -1, and the colours.
    classes:
        Sets of middle cells whose degrees tell the classes of states that are joined one pair at a time.
    name:
        A few words, such as ``rows 3+2+3``.
    bits:
        Binary logarithm of the estimated number of states.
    """

    graph: CycleGraph
    top: tuple[int, ...]
    bottom: tuple[int, ...]
    middle: tuple[int, ...]
    name: str
    top_pulled: tuple[Edge, ...] = ()
    bottom_pulled: tuple[Edge, ...] = ()
    top_absorbed: tuple[tuple[Edge, ...], ...] = ()
    bottom_absorbed: tuple[tuple[Edge, ...], ...] = ()
    top_mirror: tuple[int, ...] = ()
    bottom_mirror: tuple[int, ...] = ()
    flip: tuple[int, ...] = ()
    mirror_joins: bool = False
    split: int = -1
    colour: tuple[int, ...] = ()
    classes: tuple[tuple[int, ...], ...] = ()
    bits: float = field(default=math.inf, compare=False)

    def native(self) -> _native.JoinPlan:
        """The plan as the native core takes it."""
        from ktsolve import _native

        number = {edge: i for i, edge in enumerate(self.graph.edges)}
        plan = _native.JoinPlan()
        plan.top, plan.bottom, plan.middle = list(self.top), list(self.bottom), list(self.middle)
        plan.top_pulled = [number[edge] for edge in self.top_pulled]
        plan.bottom_pulled = [number[edge] for edge in self.bottom_pulled]
        plan.top_absorbed = [[number[edge] for edge in group] for group in self.top_absorbed]
        plan.bottom_absorbed = [[number[edge] for edge in group] for group in self.bottom_absorbed]
        plan.top_mirror, plan.bottom_mirror = list(self.top_mirror), list(self.bottom_mirror)
        plan.flip, plan.mirror_joins = list(self.flip), self.mirror_joins
        plan.split, plan.colour = self.split, list(self.colour)
        plan.classes = [list(cells) for cells in self.classes]
        return plan

    def __str__(self) -> str:
        """In words: where the cut is, which symmetries are used, how the middle edges are shared out.

        >>> from ktsolve import TourProblem
        >>> from ktsolve.engines.join.planning import best_plan
        >>> problem = TourProblem(board="8x8", closed=True)
        >>> print(best_plan(problem, CycleGraph.of(problem)))
        rows 3+2+3: 24 + 16 + 24 cells, one table for both sides, mirrored, middle moves 6 + 6
        """
        absorbed = [
            sum(len(group) for group in groups) for groups in (self.top_absorbed, self.bottom_absorbed)
        ]
        words = [f"{self.name}: {len(self.top)} + {len(self.middle)} + {len(self.bottom)} cells"]
        words.append("one table for both sides" if self.flip else "two tables")
        if self.mirror_joins:
            words.append("mirrored")
        elif self.top_mirror and self.bottom_mirror:
            words.append("mirrored halves")
        elif self.top_mirror or self.bottom_mirror:
            words.append(f"{'top' if self.top_mirror else 'bottom'} mirrored")
        words.append(f"middle moves {len(self.top_pulled)} + {len(self.bottom_pulled)}")
        if any(absorbed):
            words.append(f"ends in the middle {absorbed[0]} + {absorbed[1]}")
        return ", ".join(words)


def image_of(images: Sequence[int], edge: Edge) -> Edge:
    """The image of an edge, its ends in order."""
    u, v = images[edge[0]], images[edge[1]]
    return (u, v) if u < v else (v, u)
