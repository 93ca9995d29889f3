"""The interface of contenders, and the engines of ktsolve as contenders.

A :class:`Contender` loads its libraries, then counts, lists or constructs tours. ``worker.py`` runs it in a
separate process and measures the work without the loading. This module imports ktsolve and its rivals late:
the process that starts the others must stay small (see ``measure.py``).
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.engines.interface import Engine
    from ktsolve.graphs.tour import Tour
    from ktsolve.problem.problem import TourProblem

__all__ = ["OURS", "Contender", "Ours", "Question", "Walk", "size", "unavailable"]

Walk = list[int]
"""A tour as cell numbers in order; cell (r, c) of a board with C columns has number r*C + c."""


@dataclass(frozen=True)
class Question:
    """A tour problem as plain data.

    Attributes
    ----------
    board:
        ``ROWSxCOLUMNS``.
    closed:
        Whether tours are closed.
    options:
        Further arguments of :class:`ktsolve.TourProblem`; rivals get no question with options.
    """

    board: str
    closed: bool
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = ["closed" if self.closed else "open", self.board]
        for key, value in self.options.items():
            parts += [key, ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)]
        return " ".join(parts)

    @property
    def name(self) -> str:
        """The name in names of cases: ``closed-6x6``."""
        return str(self).replace(" ", "-")

    def to_json(self) -> dict[str, Any]:
        """Return the question as JSON data, for another process."""
        return {"board": self.board, "closed": self.closed, "options": dict(self.options)}

    def problem(self) -> TourProblem:
        """Return the question as a TourProblem."""
        from ktsolve.problem.problem import TourProblem

        options = dict(self.options)
        board: Any = self.board
        if options:
            from ktsolve.graphs.board import Board

            geometry = {key: options.pop(key) for key in ("leaper", "wrap", "without") if key in options}
            if "leaper" in geometry:
                geometry["leaper"] = tuple(geometry["leaper"])
            board = Board.parse(self.board, **geometry)
        return TourProblem(board=board, closed=self.closed, **options)


def size(board: str) -> tuple[int, int]:
    """Return rows and columns of ``ROWSxCOLUMNS``."""
    rows, _, columns = board.partition("x")
    return int(rows), int(columns)


def unavailable(module: str, install: str) -> str:
    """Import a module. Return why it cannot be used; empty if it can."""
    if importlib.util.find_spec(module) is None:
        return f"not installed (pip install {install})"
    try:
        importlib.import_module(module)
    except Exception as error:
        return f"does not load: {type(error).__name__}: {error}"
    return ""


class Contender:
    """A program that answers questions and is measured.

    Attributes
    ----------
    name:
        Name in tables and for ``--only``.
    package:
        Distribution whose version the tables show.
    environment:
        Environment variables of its process.
    phases:
        Seconds spent in named parts of the work, measured by the contender.
    """

    name: ClassVar[str]
    package: ClassVar[str]
    environment: ClassVar[Mapping[str, str]] = {}

    def __init__(self, memory: int) -> None:
        self.memory = memory
        self.phases: dict[str, float] = {}

    def version(self) -> str:
        """Return the version of the package."""
        from importlib.metadata import version  # not in each worker: it imports the email package

        return version(self.package)

    def available(self) -> str:
        """Return why the contender cannot be used; empty if it can."""
        return ""

    def load(self, action: str) -> None:
        """Import the modules that the action needs; this time is not part of the work."""

    def count(self, question: Question) -> tuple[int, dict[str, int]]:
        """Return the number of undirected tours, and the contender's statistics."""
        raise NotImplementedError(f"{self.name} does not count")

    def construct(self, question: Question) -> Any:
        """Return one tour, in any form that :meth:`walks` takes."""
        raise NotImplementedError(f"{self.name} does not construct")

    def enumerate(self, question: Question) -> list[Any]:
        """Return all undirected tours, in any form that :meth:`walks` takes."""
        raise NotImplementedError(f"{self.name} does not enumerate")

    def walks(self, found: list[Any]) -> list[Walk]:
        """Return tours as cell numbers, for the check; this time is not part of the work."""
        return found

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Measure the time of a part of the work."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.phases[name] = self.phases.get(name, 0.0) + time.perf_counter() - started


_GROUND = (
    "numpy",
    "numpy.ma",  # loaded by the first numpy.unique
    "ktsolve.engines.through_model",
    "ktsolve.problem.problem",
)
"""Modules that the engines or the classes of this module import."""


class Ours(Contender):
    """An engine of ktsolve, called as the modules of :mod:`ktsolve.tasks` call it, without the check."""

    package = "ktsolve"

    def load(self, action: str) -> None:
        """Import the engine and its library."""
        from ktsolve.engines.registry import engine_named

        self.engine: Engine = engine_named(self.name)
        modules = {
            "sat": ("pysat.solvers", "ktsolve.engines.sat.solver", "ktsolve.models.tour"),
            "cpsat": ("ortools.sat.python.cp_model", "ktsolve.engines.cpsat", "ktsolve.models.tour"),
        }
        for module in (*_GROUND, *modules.get(self.name, ("ktsolve._native",))):
            importlib.import_module(module)

    def _settings(self) -> Settings:
        from ktsolve.base.limits import Settings

        # measure.py limits the process; with limits in Settings the SAT engine would start another process.
        return Settings(memory=self.memory) if self.name in ("frontier", "join") else Settings()

    def count(self, question: Question) -> tuple[int, dict[str, int]]:
        """Call the engine's ``count``."""
        problem, settings = question.problem(), self._settings()
        counted = self.engine.count(problem, settings)
        details = dict(counted.details)
        if self.name == "join" and (expected := self.engine.estimate(problem, settings)) is not None:
            details["expected_ms"] = round(1000 * expected.seconds)
            details["expected_bytes"] = round(expected.bytes)
        if counted.peak_bytes is not None:
            details["peak_bytes"] = counted.peak_bytes
        return counted.count, details

    def construct(self, question: Question) -> Any:
        """Call the engine's ``construct``; of engines for models, measure three phases."""
        from ktsolve.engines.through_model import ThroughModel

        if not isinstance(self.engine, ThroughModel):
            with self.phase("state"):
                problem = question.problem()
            with self.phase("solve"):
                return self.engine.construct(problem, self._settings())
        from ktsolve.models.tour import TourModel

        with self.phase("state"):
            compiled = TourModel(question.problem())
        with self.phase("solve"):
            solved = self.engine.solver().solve(compiled.model, self._settings())
        if solved.assignment is None:
            return None
        with self.phase("decode"):
            return compiled.decode(solved.assignment)

    def enumerate(self, question: Question) -> list[Any]:
        """Call the engine's ``enumerate``."""
        return list(self.engine.enumerate(question.problem(), self._settings()))

    def walks(self, found: list[Any]) -> list[Walk]:
        """Return the cell numbers of ktsolve's tours."""
        tours: list[Tour] = found
        columns = tours[0].board.columns if tours else 0
        return [[r * columns + c for r, c in tour.squares] for tour in tours]


class _Ordered(Contender):
    """The native sweep with a given order of cells, and the estimate of its states."""

    package = "ktsolve"

    def load(self, action: str) -> None:
        """Import the native core."""
        for module in (*_GROUND, "ktsolve._native", "ktsolve.engines.frontier.order"):
            importlib.import_module(module)

    def order(self, problem: TourProblem, graph: Any) -> list[int]:
        """Return the elimination order of the vertices."""
        raise NotImplementedError

    def count(self, question: Question) -> tuple[int, dict[str, int]]:
        """Count; the statistics contain the estimated and the actual number of states."""
        from ktsolve import _native
        from ktsolve.engines.frontier.order import predicted
        from ktsolve.problem.cycle_graph import CycleGraph

        problem = question.problem()
        graph = CycleGraph.of(problem)
        with self.phase("order"):
            order = predicted(graph, self.order(problem, graph))
        with self.phase("sweep"):
            report = _native.frontier_count(*graph.arrays(order.vertices), None, self.memory)
        if report.status != "done":
            raise MemoryError(f"{report.status} limit, {report.peak_states} states")
        return report.count, {
            "widest": order.width,
            "estimate": round(order.states),
            "peak_states": report.peak_states,
            "total_states": report.total_states,
            "transitions": report.transitions,
            "peak_bytes": report.peak_bytes,
        }


class RowSweep(_Ordered):
    """The sweep line by line, with lines along the shorter side; the extra vertex of an open tour is last."""

    name = "row sweep"

    def order(self, problem: TourProblem, graph: Any) -> list[int]:
        """Return the cells sorted by the coordinate along the longer side first."""
        cells, board = problem.board.cells, problem.board
        turned = board.rows < board.columns
        order = sorted(range(len(cells)), key=lambda i: cells[i][::-1] if turned else cells[i])
        return order if graph.extra is None else [*order, graph.extra]


class UsedOrder(_Ordered):
    """The order of the frontier engine."""

    name = "order used"

    def order(self, problem: TourProblem, graph: Any) -> list[int]:
        """Return the order of ``best_order``."""
        from ktsolve.engines.frontier.order import best_order

        order: list[int] = best_order(problem, graph).vertices.tolist()
        return order


_ENGINES = ("search", "join", "frontier", "sat", "cpsat", "quotient", "strip", "walk", "divide")

OURS: tuple[type[Contender], ...] = (
    *(type(f"Ours_{name}", (Ours,), {"name": name}) for name in _ENGINES),
    RowSweep,
    UsedOrder,
)
