"""All tours of a problem in the order of the two-sided join: tables in the core, indices and rows here.

See ktsolve/join/ranking.hpp for the order.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsolve import _native
from ktsolve.base.errors import BadInput, InternalError, LimitReached
from ktsolve.base.limits import Clock, Settings, check_status, native_progress
from ktsolve.base.text import shown
from ktsolve.base.units import shown_bytes
from ktsolve.engines.cycle_rows import rows_to_fit
from ktsolve.engines.join.calls import reached_by, step_of
from ktsolve.engines.join.fitting import check_ranking_memory
from ktsolve.engines.join.plan import JoinPlan
from ktsolve.engines.prepared import PreparedFile, damaged, read_prepared, write_prepared
from ktsolve.engines.protocols import Ranking
from ktsolve.graphs.tour import least_labeling
from ktsolve.problem.problem import TourProblem

__all__ = ["FewTours", "JoinRanking"]

_ORDER = 1  # version of the order
_PREPARED = 2  # version of files: changes with the order and with what tables hold

_HALF = (1 << 64) - 1


class JoinRanking(Ranking):
    """All tours in the order of a join along a plan; made by :meth:`prepared` or :meth:`restored`."""

    def __init__(self, problem: TourProblem, plan: JoinPlan, settings: Settings) -> None:
        self.problem, self.plan = problem, plan
        self.order = order_name(plan)
        self.count, self.peak_bytes = 0, 0
        self._path: Path | None = None  # of the file that was restored
        self._file: PreparedFile | None = None  # the core reads its bytes
        try:
            self._native = _native.JoinRanking(
                *plan.graph.arrays(), plan.native(), settings.thread_budget, settings.memory_budget
            )
        except OverflowError as error:  # std::length_error: more slots than the core has
            raise LimitReached(f"the board is too large for engine join: {error}") from None

    @classmethod
    def prepared(cls, problem: TourProblem, plan: JoinPlan, settings: Settings, clock: Clock) -> JoinRanking:
        """The ranking with its tables made. Raises LimitReached; at once, if it needs far more memory."""
        check_ranking_memory(problem, plan, settings)
        if settings.progress is not None:
            settings.progress(0.0, str(plan))
        ranking = cls(problem, plan, settings)
        try:
            report = ranking._native.prepare(
                settings.spill or "", clock.left, native_progress(settings, step_of(plan))
            )
        except OSError as error:
            raise LimitReached(f"half table on disk: {error}") from None
        check_status(report.status, settings, reached_by(report, plan))
        if report.overflow:
            raise LimitReached(
                f"{problem} has more tours than engine join numbers (63 bits for each half, 127 in all): "
                "use --engine frontier"
            )
        ranking.count, ranking.peak_bytes = report.count, report.peak_bytes
        return ranking

    @classmethod
    def restored(cls, problem: TourProblem, plan: JoinPlan, path: Path, settings: Settings) -> JoinRanking:
        """The ranking with its tables in a file. Raises BadInput if the file is not of this plan."""
        file = read_prepared(path, "join", _PREPARED, problem)
        ranking = cls(problem, plan, settings)
        blobs = {name: (blob.data, blob.sums) for name, blob in file.blobs.items()}
        try:
            order, count, layers = file.header["order"], int(file.header["count"]), file.header["layers"]
            if order != ranking.order:
                raise BadInput(
                    f"{path} holds the order {shown(order, 80)}, not {ranking.order}: prepare another file"
                )
            directory = file.blobs["directory"].checked().view(np.uint64)
            ranking._native.restore(
                directory, [blobs[name] for name in layers], blobs["patterns"], blobs["totals"]
            )
            if count != ranking._native.count:
                raise damaged(path)
        except (_native.DamagedBytes, KeyError, TypeError, ValueError) as error:
            if isinstance(error, BadInput):
                raise
            raise damaged(path) from None
        ranking._file, ranking._path = file, path
        ranking.count = count
        return ranking

    @property
    def kept(self) -> tuple[int, int]:
        """Bytes of the layers of the half tables that are kept, and their number."""
        return self._native.kept

    def unrank(self, indices: Sequence[int], settings: Settings) -> NDArray[np.int32]:
        """As :meth:`Ranking.unrank`; about 50 microseconds each on 8x8 when there are many."""
        graph = self.plan.graph
        given = np.array(
            [(index & _HALF, index >> 64) for index in map(int, indices)], dtype=np.uint64
        ).reshape(-1, 2)
        start = 0 if graph.extra is None else graph.extra
        limits = settings.thread_budget, settings.timeout
        report = native_progress(settings, "tours from their indices")
        rows = self._asked(
            lambda: self._native.unrank(graph.vertices, given, start, *limits, report), settings
        )
        return rows_to_fit(self.problem, rows if graph.extra is None else rows[:, 1:])

    def rank(self, tours: NDArray[np.int32], settings: Settings) -> list[int]:
        """As :meth:`Ranking.rank`."""
        graph = self.plan.graph
        rows = np.ascontiguousarray(tours, dtype=np.int32).reshape(-1, len(self.problem.ground))
        if graph.extra is not None:
            rows = np.insert(rows, 0, graph.extra, axis=1)
        limits = settings.thread_budget, settings.timeout
        report = native_progress(settings, "indices of tours")
        halves = self._asked(lambda: self._native.rank(graph.vertices, rows, *limits, report), settings)
        return [low | high << 64 for low, high in halves.reshape(-1, 2).tolist()]

    def _asked(self, ask: Callable[[], tuple[str, NDArray[Any]]], settings: Settings) -> NDArray[Any]:
        try:
            status, answer = ask()
        except _native.DamagedBytes:
            if self._path is None:
                raise
            raise damaged(self._path) from None
        except (RuntimeError, ValueError) as error:
            if self._path is None:
                raise InternalError(f"engine join: {error}") from None
            raise damaged(self._path) from None  # sound blocks that do not fit together
        check_status(status, settings)
        return answer

    def save(self, path: Path) -> None:
        """Write the tables to a file, of about the size of :attr:`kept`. Raises BadInput if it cannot be."""
        try:
            free = shutil.disk_usage(path.absolute().parent).free
        except OSError as error:
            raise BadInput(f"cannot write {path}: {error.strerror or error}") from None
        if self.kept[0] > free:
            raise LimitReached(
                f"{path} would take about {shown_bytes(self.kept[0])} of disk; {shown_bytes(free)} are free"
            )
        directory = self._native.directory()
        names = [
            (f"{'top' if upper else 'bottom'}-{number}", upper, number)
            for upper, number in kept_layers(directory.tolist())
        ]

        def blobs() -> Iterator[tuple[str, NDArray[Any]]]:
            yield "directory", directory
            yield from zip(("patterns", "totals"), self._native.totals(), strict=True)
            for name, upper, number in names:
                yield name, self._native.packed_layer(upper, number)

        header = {"order": self.order, "count": str(self.count), "layers": [name for name, *_ in names]}
        write_prepared(path, "join", _PREPARED, self.problem, header, blobs())


def kept_layers(directory: Sequence[int]) -> Iterator[tuple[bool, int]]:
    """Side and number of each layer that a directory (JoinRanking::directory in the core) has."""
    place = 0
    for upper in (True, False):
        layers, place = directory[place], place + 1
        for number in range(layers):
            kept, place = directory[place], place + 1
            if kept:
                yield upper, number
                place += 1 + 5 * directory[place]


def order_name(plan: JoinPlan) -> str:
    """The name of the order of a plan: equal names mean equal orders, on any machine.

    >>> from ktsolve.problem.cycle_graph import CycleGraph
    >>> from ktsolve.engines.join.planning import best_plan
    >>> problem = TourProblem(board="6x6", closed=True)
    >>> order_name(best_plan(problem, CycleGraph.of(problem), outside_in=True))
    'join:1:rows-2+2+2:e63cfdbb'
    """
    mirror = plan.top_mirror if plan.mirror_joins else ()  # the mirrors of halves only are not used
    depends_on = (
        *(plan.graph.vertices, plan.graph.pairs, tuple(plan.graph.required.tolist())),
        *(plan.top, plan.bottom, plan.separator, plan.top_deferred, plan.bottom_deferred),
        *(plan.top_preapplied, plan.bottom_preapplied, mirror, plan.flip, plan.split, plan.colour),
    )
    digest = hashlib.sha256(repr(depends_on).encode()).hexdigest()[:8]
    return f"join:{_ORDER}:{plan.name.replace(' ', '-')}:{digest}"


class FewTours(Ranking):
    """Tours in a list of rows, for graphs that are too small for a separator."""

    def __init__(self, problem: TourProblem, rows: Sequence[Sequence[int]]) -> None:
        self.problem = problem
        self._rows = np.array(rows, dtype=np.int32).reshape(len(rows), len(problem.ground))
        self._place = {self._normal(row): n for n, row in enumerate(self._rows.tolist())}
        self.count, self.peak_bytes = len(rows), self._rows.nbytes
        digest = hashlib.sha256(self._rows.astype("<i4").tobytes()).hexdigest()[:8]
        self.order = f"join:{_ORDER}:list:{digest}"

    def unrank(self, indices: Sequence[int], settings: Settings) -> NDArray[np.int32]:
        """As :meth:`Ranking.unrank`."""
        return rows_to_fit(self.problem, self._rows[np.asarray(indices, dtype=np.int64)])

    def rank(self, tours: NDArray[np.int32], settings: Settings) -> list[int]:
        """As :meth:`Ranking.rank`."""
        return [self._place[self._normal(row)] for row in tours.tolist()]

    def _normal(self, row: Sequence[int]) -> tuple[int, ...]:
        return least_labeling(row, self.problem.closed, False)

    def save(self, path: Path) -> None:
        """Write the name of the order: the tours are listed again."""
        header = {"order": self.order, "count": str(self.count)}
        write_prepared(path, "join", _PREPARED, self.problem, header, ())

    @classmethod
    def restored(cls, problem: TourProblem, rows: Sequence[Sequence[int]], path: Path) -> FewTours:
        """The ranking of these tours. Raises BadInput unless the file was saved for it."""
        found = cls(problem, rows)
        header = read_prepared(path, "join", _PREPARED, problem).header
        if (header.get("order"), header.get("count")) != (found.order, str(found.count)):
            raise damaged(path)
        return found
