"""Diagrams of the frontier sweep, which number all Hamiltonian cycles of a graph; the ranking by one.

The native part is ktsolve/frontier/diagram.hpp. Two engines use diagrams: ``frontier`` on the cycle graph,
``quotient`` on the quotient by a symmetry.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsolve import _native
from ktsolve.base.errors import BadInput, WrongAnswer
from ktsolve.base.limits import Clock, Settings, check_status, native_progress
from ktsolve.engines.cycle_rows import cycles_of_rows, rows_of_cycles
from ktsolve.engines.frontier.order import EliminationOrder, best_order
from ktsolve.engines.frontier.sweep import sweep
from ktsolve.engines.prepared import PreparedFile, damaged, problem_key, read_prepared, write_prepared
from ktsolve.engines.protocols import Ranking
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem

__all__ = ["VERSION", "Diagram", "FrontierRanking", "order_name"]

VERSION = 1
"""Version of the order of the cycles and of the layers in prepared files."""


class Diagram:
    """All Hamiltonian cycles of a graph, numbered from 0.

    - ``vertices``: The vertices in the order of the sweep.
    - ``voltages``: For each edge the voltages of the parallel edges that it stands for; None if each stands
      for itself.
    - ``odd``: Whether the voltages of a cycle add up to an odd number; if not, any cycle is one.
    - ``optional``: Flags of vertices, in the order of the sweep, that a cycle may leave out, for numbers of
      cycles only; ``induced``: then a cycle has no chord between such vertices.
    """

    def __init__(
        self,
        graph: CycleGraph,
        vertices: NDArray[np.int32],
        voltages: Sequence[Sequence[int]] | None = None,
        *,
        odd: bool = False,
        optional: NDArray[np.uint8] | None = None,
        induced: bool = False,
    ) -> None:
        self.graph, self.vertices = graph, vertices
        parities = [[v % 2 if odd else 0 for v in each] for each in voltages or ()]
        self._native = _native.FrontierDiagram(*graph.arrays(vertices), parities, odd, optional, induced)
        self.parallel_edges = [len(each) for each in parities] or [1] * len(graph.edges)
        self.peak_bytes = 0
        self._place = np.empty(graph.vertices, dtype=np.int32)
        self._place[vertices] = np.arange(graph.vertices, dtype=np.int32)
        self._with_parallel = voltages is not None
        self._file: PreparedFile | None = None

    @property
    def count(self) -> int:
        """Number of cycles."""
        return int(self._native.count)

    def build(self, problem: TourProblem, order: EliminationOrder, settings: Settings, clock: Clock) -> None:
        """Make the layers. Raises LimitReached."""
        report = sweep("numbering", problem, order, settings, clock, self._native.build, passes=2)
        self.peak_bytes = report.peak_bytes

    # -- cycles ---------------------------------------------------------------------------------------------

    def unrank(
        self, indices: Sequence[int], settings: Settings
    ) -> tuple[NDArray[np.int32], NDArray[np.uint8] | None]:
        """The cycles with these numbers, one row each, and which parallel edge leads from each to the next.

        The second is None where every edge stands for itself. Raises LimitReached, and BadInput if the layers
        are those of a damaged file.
        """
        size = 8 * self._native.limbs
        if size == 8:
            given = np.array(indices, dtype=np.uint64)
            turn = np.argsort(given, kind="stable")
            limbs = given[turn]
        else:
            turn = np.array(sorted(range(len(indices)), key=indices.__getitem__), dtype=np.int64)
            text = b"".join(int(indices[i]).to_bytes(size, "little") for i in turn.tolist())
            limbs = np.frombuffer(text, dtype="<u8").astype(np.uint64)
        n = self.graph.vertices
        limits = settings.timeout, settings.memory_budget, native_progress(settings, "numbers to tours")
        status, cycles, numbers = self._called(lambda: self._native.unrank(limbs, *limits))
        check_status(status, settings, "finding tours by number")
        rows = np.empty((len(turn), n), dtype=np.int32)
        rows[turn] = self.vertices[cycles.reshape(-1, n)]
        if not self._with_parallel:
            return rows, None
        parallel = np.empty((len(turn), n), dtype=np.uint8)
        parallel[turn] = numbers.reshape(-1, n)
        return rows, parallel

    def rank(
        self, cycles: NDArray[np.int32], parallel: NDArray[np.uint8] | None, settings: Settings
    ) -> list[int]:
        """The numbers of cycles that are given as :meth:`unrank` returns them, from any vertex on.

        Raises as :meth:`unrank`, and WrongAnswer if the diagram does not have one of the cycles.
        """
        rows = np.ascontiguousarray(self._place[cycles])
        numbers = np.empty(0, dtype=np.uint8) if parallel is None else parallel
        numbers = np.ascontiguousarray(numbers).reshape(-1)
        limits = settings.timeout, settings.memory_budget, native_progress(settings, "tours to numbers")
        status, limbs = self._called(lambda: self._native.rank(rows, numbers, *limits))
        check_status(status, settings, "finding the numbers of tours")
        found = self._numbers(limbs)
        if found and max(found) >= self.count:
            raise WrongAnswer("a tour that was checked has no number: internal error, please report")
        return found

    # -- edges ----------------------------------------------------------------------------------------------

    def uses(self, settings: Settings) -> list[list[int]]:
        """For each edge and each of its parallel edges, the number of cycles that use it.

        Raises LimitReached.
        """
        limits = settings.timeout, settings.memory_budget, native_progress(settings, _by_layer)
        status, limbs = self._called(lambda: self._native.uses(*limits))
        check_status(status, settings, "counting uses of moves")
        numbers = iter(self._numbers(limbs))
        return [[next(numbers) for _ in range(each)] for each in self.parallel_edges]

    def tally(self, weights: Sequence[Sequence[int]], settings: Settings) -> list[int]:
        """Entry w: the number of cycles of weight w. The list ends with the last entry that is not 0.

        Each edge and each of its parallel edges has a weight from 0 to 255. Raises LimitReached.
        """
        given = [weight for each in weights for weight in each]
        limits = settings.timeout, settings.memory_budget, native_progress(settings, _by_layer)
        status, limbs = self._called(lambda: self._native.tally(given, *limits))
        check_status(status, settings, "counting tours by their moves")
        return self._numbers(limbs)

    # -- files ----------------------------------------------------------------------------------------------

    def blobs(self, prefix: str = "") -> Iterator[tuple[str, NDArray[Any]]]:
        """What a prepared file holds of the diagram: its order, the shape of the layers, and the layers."""
        shape = self._native.shape
        yield f"{prefix}order", self.vertices
        yield f"{prefix}shape", np.array(shape, dtype=np.int64).reshape(-1, 4)
        for number in range(len(shape)):
            # The layers of a diagram that was read lie in its file.
            name = f"{prefix}layer {number}"
            yield name, self._native.layer(number) if self._file is None else self._file.blobs[name].data

    @classmethod
    def restored(
        cls,
        file: PreparedFile,
        graph: CycleGraph,
        voltages: Sequence[Sequence[int]] | None = None,
        *,
        odd: bool = False,
        prefix: str = "",
        count: int,
        peak_bytes: int = 0,
    ) -> Diagram:
        """The diagram whose blobs are in a file. Layers are read when they are needed. Raises BadInput."""
        blobs = file.blobs
        try:
            vertices = blobs[f"{prefix}order"].checked().view(np.int32)
            shape = blobs[f"{prefix}shape"].checked().view(np.int64).reshape(-1, 4).tolist()
            layers = [blobs[f"{prefix}layer {number}"] for number in range(len(shape))]
            if not np.array_equal(np.sort(vertices), np.arange(graph.vertices)) or count < 0:
                raise damaged(file.path)
            limbs = -(-count.bit_length() // 64) or 1
            found = cls(graph, vertices, voltages, odd=odd)
            found._native.restore(
                np.frombuffer(count.to_bytes(8 * limbs, "little"), dtype="<u8").tolist(),
                [(records, choice, link, number) for records, choice, link, number in shape],
                [(blob.data, blob.sums) for blob in layers],
            )
        except (KeyError, ValueError, TypeError, OverflowError) as error:
            if isinstance(error, BadInput):
                raise
            raise damaged(file.path) from None
        found._file = file
        found.peak_bytes = peak_bytes
        return found

    def _called(self, call: Any) -> Any:
        """The result of a native call. Raises BadInput if it found damage in the file."""
        try:
            return call()
        except _native.DamagedBytes:
            assert self._file is not None, "a diagram that was just made is consistent"
            raise damaged(self._file.path) from None

    def _numbers(self, limbs: NDArray[np.uint64]) -> list[int]:
        width = self._native.limbs
        if width == 1:
            found: list[int] = limbs.tolist()
            return found
        text = limbs.astype("<u8").tobytes()
        return [int.from_bytes(text[at : at + 8 * width], "little") for at in range(0, len(text), 8 * width)]


def order_name(engine: str, plan: str, problem: TourProblem, orders: Sequence[NDArray[np.int32]]) -> str:
    """The name of an order of tours, see :attr:`Ranking.order`.

    The order depends on the problem and on the orders of the vertices in the sweeps.
    """
    digest = hashlib.sha256(f"{VERSION}:{problem_key(problem)}".encode())
    for vertices in orders:
        digest.update(b":" + np.ascontiguousarray(vertices, dtype="<i4").tobytes())
    return f"{engine}:{VERSION}:{plan}:{digest.hexdigest()[:8]}"


def _by_layer(step: int, total: int, states: int) -> tuple[float, str]:
    return step / max(total, 1), f"layer {step + 1} of {total}, {states:,} states"


_ENGINE = "frontier"


class FrontierRanking(Ranking):
    """The tours of a problem, by the choices that they make in the sweep of its cycle graph.

    In the order of the sweep, each cell chooses its moves to later cells; tours are in the lexicographic
    order of these sequences. Without a tour, or for one cell, there is no diagram.

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
