"""All tours of a problem in the order of the frontier sweep: the ranking of the engine ``frontier``.

A tour is a sequence of choices: in the order of the sweep, each cell chooses its moves to later cells. Tours
are in the lexicographic order of these sequences (ktsolve/frontier/diagram.hpp).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.cycle_rows import cycles_of_rows, rows_of_cycles
from ktsolve.engines.frontier.diagram import VERSION, Diagram, order_name
from ktsolve.engines.frontier.order import best_order
from ktsolve.engines.prepared import damaged, read_prepared, write_prepared
from ktsolve.engines.ranking import Ranking
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem

__all__ = ["FrontierRanking"]

_ENGINE = "frontier"


class FrontierRanking(Ranking):
    """The tours of a problem, by the choices that they make in the sweep.

    Parameters
    ----------
    problem, graph:
        The problem and its cycle graph.
    diagram:
        The diagram of the graph; None without a tour, or for one cell.

    Examples
    --------
    >>> ranking = FrontierRanking.built(TourProblem(board="3x4", closed=False, start="a1"), Settings())
    >>> ranking.count, ranking.unrank([1], Settings()).tolist()
    (2, [[8, 6, 0, 9, 7, 1, 10, 3, 5, 11, 2, 4]])
    """

    def __init__(self, problem: TourProblem, graph: CycleGraph, diagram: Diagram | None) -> None:
        self.problem, self._graph, self._diagram = problem, graph, diagram
        if diagram is None:
            self.count = int(len(problem.ground) == 1 and not problem.closed)
        else:
            self.count = diagram.count
        cells = len(problem.ground) if diagram is None else graph.vertices
        orders = [] if diagram is None else [diagram.vertices]
        self.order = order_name(_ENGINE, f"{cells}-vertices", problem, orders)
        self.peak_bytes = 0 if diagram is None else diagram.peak_bytes

    @classmethod
    def built(cls, problem: TourProblem, settings: Settings) -> FrontierRanking:
        """The ranking, whose diagram is made here. Raises LimitReached."""
        clock = Clock(settings)
        graph = CycleGraph.of(problem)
        if not _has_tables(problem, graph):
            return cls(problem, graph, None)
        order = best_order(problem, graph, clock)
        diagram = Diagram(graph, order.vertices)
        diagram.build(problem, order, settings, clock)
        return cls(problem, graph, diagram)

    @classmethod
    def restored(cls, problem: TourProblem, path: Path) -> FrontierRanking:
        """The ranking in a prepared file. Raises BadInput if it is damaged or not of this problem."""
        file = read_prepared(path, _ENGINE, VERSION, problem)
        graph = CycleGraph.of(problem)
        try:
            count, peak_bytes = int(file.header["count"], 0), int(file.header["peak_bytes"])
            order = file.header["order"]
        except (KeyError, TypeError, ValueError):
            raise damaged(path) from None
        diagram = None
        if _has_tables(problem, graph):
            diagram = Diagram.restored(file, graph, count=count, peak_bytes=peak_bytes)
        found = cls(problem, graph, diagram)
        if (found.order, found.count) != (order, count):
            raise damaged(path)
        return found

    def unrank(self, indices: Sequence[int], settings: Settings) -> NDArray[np.int32]:
        """The tours with these indices. Time in proportion to cells times tours. Raises LimitReached."""
        if self._diagram is None or not len(indices):
            return np.zeros((len(indices), len(self.problem.ground)), dtype=np.int32)
        cycles, _ = self._diagram.unrank(indices, settings)
        return rows_of_cycles(self.problem, self._graph, cycles)

    def rank(self, tours: NDArray[np.int32], settings: Settings) -> list[int]:
        """The indices of tours. Time in proportion to cells times tours. Raises LimitReached."""
        if self._diagram is None or not len(tours):
            return [0] * len(tours)
        return self._diagram.rank(cycles_of_rows(self._graph, tours), None, settings)

    def save(self, path: Path) -> None:
        """Write a prepared file. Raises BadInput if that fails."""
        header = {"order": self.order, "count": hex(self.count), "peak_bytes": self.peak_bytes}
        blobs = self._diagram.blobs() if self._diagram is not None else iter(())
        write_prepared(path, _ENGINE, VERSION, self.problem, header, blobs)

    def move_counts(self, settings: Settings) -> list[int]:
        """The number of tours that use each move of the ground. Raises LimitReached."""
        counts = [0] * len(self.problem.ground.edges)
        if self._diagram is not None:
            uses = self._diagram.uses(settings)
            for place, (number,) in zip(self._graph.moves(self.problem).tolist(), uses, strict=True):
                if place >= 0:
                    counts[place] = number
        return counts

    def tally(self, moves: Sequence[int], settings: Settings) -> list[int]:
        """Entry j: the number of tours that use exactly j of some moves. Raises LimitReached."""
        if self._diagram is None:
            return [1] if self.count else []
        chosen = np.isin(self._graph.moves(self.problem), np.array(moves, dtype=np.int64))
        return self._diagram.tally([[int(each)] for each in chosen.tolist()], settings)


def _has_tables(problem: TourProblem, graph: CycleGraph) -> bool:
    return len(problem.ground) > 1 and not graph.impossible
