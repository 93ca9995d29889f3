"""Diagrams of the frontier sweep: all Hamiltonian cycles of a graph, numbered in a fixed order.

The native part is ktsolve/frontier/diagram.hpp. Two engines use it: ``frontier`` on the cycle
graph, ``quotient`` on the quotient by a symmetry.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsolve import _native
from ktsolve.base.errors import BadInput, WrongAnswer
from ktsolve.base.limits import Clock, Settings, check_status, native_progress
from ktsolve.engines.frontier.order import EliminationOrder
from ktsolve.engines.frontier.sweep import sweep
from ktsolve.engines.prepared import Blob, PreparedFile, damaged, problem_key
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem

__all__ = ["VERSION", "Diagram", "order_name"]

VERSION = 1
"""Version of the order of the cycles and of the layers in prepared files."""


class Diagram:
    """All Hamiltonian cycles of a graph, numbered from 0.

    Parameters
    ----------
    graph:
        The graph.
    vertices:
        Its vertices in the order of the sweep.
    voltages:
        For each edge the voltages of the parallel edges that it stands for; None if each stands for itself.
    odd:
        Whether the voltages of a cycle add up to an odd number; if not, any cycle is one.

    Attributes
    ----------
    peak_bytes:
        Most memory held for tables while preparing.
    """

    def __init__(
        self,
        graph: CycleGraph,
        vertices: NDArray[np.int32],
        voltages: Sequence[Sequence[int]] | None = None,
        *,
        odd: bool = False,
    ) -> None:
        self.graph, self.vertices = graph, vertices
        parities = [[v % 2 if odd else 0 for v in each] for each in voltages or ()]
        self._native = _native.FrontierDiagram(*graph.arrays(vertices), parities, odd)
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
        """Make the layers.

        Raises
        ------
        LimitReached
            At the time or memory limit, with how far it got; or at once, when the frontier is too wide.
        """
        report = sweep("numbering", problem, order, settings, clock, self._native.build, passes=2)
        self.peak_bytes = report.peak_bytes

    # -- cycles ---------------------------------------------------------------------------------------------

    def unrank(
        self, indices: Sequence[int], settings: Settings
    ) -> tuple[NDArray[np.int32], NDArray[np.uint8] | None]:
        """The cycles with these numbers, and of each edge the number of the parallel edge that is used.

        Returns
        -------
        tuple
            Vertices, one row a cycle; and for each the number of the parallel edge to the next vertex, None
            where every edge stands for itself.

        Raises
        ------
        LimitReached
            At the time or memory limit.
        BadInput
            If the layers are those of a damaged file.
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
        status, cycles, numbers = self._called(
            lambda: self._native.unrank(
                limbs, settings.timeout, settings.memory_budget, native_progress(settings, "numbers to tours")
            )
        )
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

        Raises
        ------
        LimitReached
            At the time or memory limit.
        BadInput
            If the layers are those of a damaged file.
        WrongAnswer
            If the diagram does not have one of the cycles.
        """
        rows = np.ascontiguousarray(self._place[cycles])
        numbers = np.empty(0, dtype=np.uint8) if parallel is None else parallel
        status, limbs = self._called(
            lambda: self._native.rank(
                rows,
                np.ascontiguousarray(numbers).reshape(-1),
                settings.timeout,
                settings.memory_budget,
                native_progress(settings, "tours to numbers"),
            )
        )
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
        status, limbs = self._called(
            lambda: self._native.uses(
                settings.timeout, settings.memory_budget, native_progress(settings, _by_layer)
            )
        )
        check_status(status, settings, "counting uses of moves")
        numbers = iter(self._numbers(limbs))
        return [[next(numbers) for _ in range(each)] for each in self.parallel_edges]

    def tally(self, weights: Sequence[Sequence[int]], settings: Settings) -> list[int]:
        """Entry w: the number of cycles of weight w. The list ends with the last entry that is not 0.

        Parameters
        ----------
        weights:
            For each edge and each of its parallel edges a weight from 0 to 255.

        Raises
        ------
        LimitReached
            At the time or memory limit.
        """
        given = [weight for each in weights for weight in each]
        status, limbs = self._called(
            lambda: self._native.tally(
                given, settings.timeout, settings.memory_budget, native_progress(settings, _by_layer)
            )
        )
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
        """The diagram whose blobs are in a file. Its layers are read when they are needed.

        Raises
        ------
        BadInput
            If the file is damaged.
        """
        blobs: Mapping[str, Blob] = file.blobs
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
