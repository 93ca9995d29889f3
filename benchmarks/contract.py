"""What a contender looks like, ours or a rival's, and how ours fit in.

Whoever is measured is a :class:`Contender`: it loads what it needs, then counts, lists or constructs tours of
a question given in plain words. ``worker.py`` has it do so in a process of its own and times the work apart
from the loading. Nothing here imports ktsolve or a rival before it is needed: the process that starts the
others has to stay small (see ``measure.py``).
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import importlib.util
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from ktsolve.engines.interface import Engine
    from ktsolve.ground.tour import Tour
    from ktsolve.problem.problem import TourProblem
    from ktsolve.settings import Settings

__all__ = ["OURS", "Contender", "Ours", "Question", "Walk", "size", "unavailable"]

Walk = list[int]
"""A tour as cell numbers in order; cell (r, c) of a board with C columns has number r*C + c."""


@dataclass(frozen=True)
class Question:
    """A tour problem in plain words.

    Attributes
    ----------
    board:
        ``ROWSxCOLUMNS``.
    closed:
        Closed tours or open ones.
    options:
        Further arguments of :class:`ktsolve.TourProblem`; only our own engines get questions with any.
    """

    board: str
    closed: bool
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        words = ["closed" if self.closed else "open", self.board]
        for key, value in self.options.items():
            words += [key, ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)]
        return " ".join(words)

    @property
    def name(self) -> str:
        """As used in names of cases: ``closed-6x6``."""
        return str(self).replace(" ", "-")

    def to_json(self) -> dict[str, Any]:
        """In terms of JSON, for another process."""
        return {"board": self.board, "closed": self.closed, "options": dict(self.options)}

    def problem(self) -> TourProblem:
        """As ktsolve states it."""
        from ktsolve.problem.problem import TourProblem

        options = dict(self.options)
        board: Any = self.board
        if options:
            from ktsolve.ground.board import Board

            words = {key: options.pop(key) for key in ("leaper", "wrap", "without") if key in options}
            if "leaper" in words:
                words["leaper"] = tuple(words["leaper"])
            board = Board.parse(self.board, **words)
        return TourProblem(board=board, closed=self.closed, **options)


def size(board: str) -> tuple[int, int]:
    """Rows and columns of ``ROWSxCOLUMNS``."""
    rows, _, columns = board.partition("x")
    return int(rows), int(columns)


def unavailable(module: str, install: str) -> str:
    """Why a module cannot be used, or nothing if it can; imports it to find out."""
    if importlib.util.find_spec(module) is None:
        return f"not installed (pip install {install})"
    try:
        importlib.import_module(module)
    except Exception as error:
        return f"does not load: {type(error).__name__}: {error}"
    return ""


class Contender:
    """Somebody who can answer.

    Attributes
    ----------
    name:
        As shown in tables and given to ``--only``.
    package:
        Distribution whose version counts.
    environment:
        Environment variables of its process.
    phases:
        Seconds spent in named parts of the work, as the contender tells.
    """

    name: ClassVar[str]
    package: ClassVar[str]
    environment: ClassVar[Mapping[str, str]] = {}

    def __init__(self, memory: int) -> None:
        self.memory = memory
        self.phases: dict[str, float] = {}

    def version(self) -> str:
        """Version of what is measured."""
        return importlib.metadata.version(self.package)

    def available(self) -> str:
        """Empty if it can be used here; if not, the reason."""
        return ""

    def load(self, action: str) -> None:
        """Import whatever the action needs; this is not counted as work."""

    def count(self, question: Question) -> tuple[int, dict[str, int]]:
        """Number of undirected tours, and the contender's own figures."""
        raise NotImplementedError(f"{self.name} does not count")

    def construct(self, question: Question) -> Any:
        """One tour, in any form that :meth:`walks` understands."""
        raise NotImplementedError(f"{self.name} does not construct")

    def enumerate(self, question: Question) -> list[Any]:
        """All undirected tours, in any form that :meth:`walks` understands."""
        raise NotImplementedError(f"{self.name} does not enumerate")

    def walks(self, found: list[Any]) -> list[Walk]:
        """Tours as cell numbers, for the judge; not counted as work."""
        return found

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Time a part of the work."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.phases[name] = self.phases.get(name, 0.0) + time.perf_counter() - started


_GROUND = (
    "numpy",
    "numpy.ma",  # loaded by the first numpy.unique
    "ktsolve.engines.through_model",
    "ktsolve.problem.checker",
    "ktsolve.problem.problem",
)
"""What is loaded, sooner or later, by our engines or by the classes here."""


class Ours(Contender):
    """An engine of ktsolve, called as :mod:`ktsolve.tasks.dispatch` calls it, without the check."""

    package = "ktsolve"

    def load(self, action: str) -> None:
        """The engine and the library behind it."""
        from ktsolve.engines.registry import engine_named

        self.engine: Engine = engine_named(self.name)
        modules = {
            "sat": ("pysat.solvers", "ktsolve.engines.sat.solver", "ktsolve.models.tour"),
            "cpsat": ("ortools.sat.python.cp_model", "ktsolve.engines.cpsat", "ktsolve.models.tour"),
        }
        for module in (*_GROUND, *modules.get(self.name, ("ktsolve._native",))):
            importlib.import_module(module)

    def _settings(self) -> Settings:
        from ktsolve.settings import Settings

        # Limited from outside; with limits of its own the SAT engine starts one more process.
        return Settings(memory=self.memory) if self.name in ("frontier", "join") else Settings()

    def count(self, question: Question) -> tuple[int, dict[str, int]]:
        """Through the engine's ``count``."""
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
        """Through the engine's ``construct``; the Boolean engines' three steps are timed apart."""
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
        """Through the engine's ``enumerate``."""
        return list(self.engine.enumerate(question.problem(), self._settings()))

    def walks(self, found: list[Any]) -> list[Walk]:
        """Cell numbers of ktsolve's tours."""
        tours: list[Tour] = found
        columns = tours[0].board.columns if tours else 0
        return [[r * columns + c for r, c in tour.squares] for tour in tours]


class Search(Ours):
    """Exhaustive backtracking."""

    name = "search"


class Join(Ours):
    """Two-sided join."""

    name = "join"


class Frontier(Ours):
    """Frontier counting."""

    name = "frontier"


class Sat(Ours):
    """SAT with lazy cuts."""

    name = "sat"


class CpSat(Ours):
    """CP-SAT through the model layer."""

    name = "cpsat"


class Quotient(Ours):
    """Symmetric tours, on the board folded by the symmetry."""

    name = "quotient"


class ByWarnsdorff(Ours):
    """Warnsdorff's rule, repaired by reversals."""

    name = "walk"


class Divide(Ours):
    """The engine ``divide``."""

    name = "divide"


class _Ordered(Contender):
    """The native sweep with an order of cells of our choice, and what was foretold about it."""

    package = "ktsolve"

    def load(self, action: str) -> None:
        """The native core."""
        for module in (*_GROUND, "ktsolve._native", "ktsolve.engines.frontier_order"):
            importlib.import_module(module)

    def order(self, problem: TourProblem, graph: Any) -> list[int]:
        """The order to eliminate the vertices in."""
        raise NotImplementedError

    def count(self, question: Question) -> tuple[int, dict[str, int]]:
        """Count, and put the estimate beside what was met."""
        from ktsolve import _native
        from ktsolve.engines.cycle_graph import CycleGraph
        from ktsolve.engines.frontier_order import estimated_states, frontier_widths

        problem = question.problem()
        graph = CycleGraph.of(problem)
        with self.phase("order"):
            order = self.order(problem, graph)
        widths = frontier_widths(graph, order)
        with self.phase("sweep"):
            report = _native.frontier_count(*graph.arrays(order), None, self.memory)
        if report.status != "done":
            raise MemoryError(f"{report.status} limit, {report.peak_states} states")
        return report.count, {
            "widest": max(widths),
            "estimate": round(estimated_states(widths)),
            "peak_states": report.peak_states,
            "total_states": report.total_states,
            "transitions": report.transitions,
            "peak_bytes": report.peak_bytes,
        }


class RowSweep(_Ordered):
    """Line by line, the lines along the shorter side; the extra vertex of an open tour last."""

    name = "row sweep"

    def order(self, problem: TourProblem, graph: Any) -> list[int]:
        """Cells sorted by the coordinate along the longer side first."""
        cells, board = problem.board.cells, problem.board
        turned = board.rows < board.columns
        order = sorted(range(len(cells)), key=lambda i: cells[i][::-1] if turned else cells[i])
        return order if graph.extra is None else [*order, graph.extra]


class UsedOrder(_Ordered):
    """The order that the frontier engine uses."""

    name = "order used"

    def order(self, problem: TourProblem, graph: Any) -> list[int]:
        """What ``best_order`` finds."""
        from ktsolve.engines.frontier_order import best_order

        return best_order(problem, graph)


class BeamAlways(_Ordered):
    """The order that the frontier engine would use if it never thought a plain sweep cheap enough."""

    name = "beam always"

    def available(self) -> str:
        """Not if the engine no longer decides that way."""
        from ktsolve.engines import frontier_order

        return "" if hasattr(frontier_order, "_CHEAP") else "frontier_order has no threshold to take away"

    def order(self, problem: TourProblem, graph: Any) -> list[int]:
        """``best_order`` without its threshold."""
        from ktsolve.engines import frontier_order

        vars(frontier_order)["_CHEAP"] = 0.0
        return frontier_order.best_order(problem, graph)


OURS: tuple[type[Contender], ...] = (
    Search,
    Join,
    Frontier,
    Sat,
    CpSat,
    Quotient,
    ByWarnsdorff,
    Divide,
    RowSweep,
    UsedOrder,
    BeamAlways,
)
