"""Programs that draw closed tours at random, and the steps of ktsolve that are measured alone, as contenders.

``contract.py`` has the interface. The actions are ``sample`` (a number of tours), and of ktsolve ``numbered``
(prepare, then draw, unrank, rank), ``listed`` (all tours in order), ``moves`` (how many tours use each move)
and ``uses`` (how many tours use how many moves of one slope).
"""

from __future__ import annotations

import contextlib
import importlib
import random
import resource
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from contract import Contender, Question, Walk, size
from rivals import GraphillionOneThread, knight_edges, neighbours, one_try

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.problem.problem import TourProblem

__all__ = ["SAMPLERS", "Draw", "slope"]

_SINGLE, _BACK = 30, 1000
"""Tours that are unranked one by one; tours that are ranked back."""


@dataclass(frozen=True)
class Draw:
    """A question about random tours.

    Attributes
    ----------
    question:
        The problem.
    number:
        How many tours to draw.
    seconds:
        Time after which a contender that draws one by one stops with fewer.
    """

    question: Question
    number: int
    seconds: float


def slope(problem: TourProblem) -> list[int]:
    """Return the places, among the moves of a board, of those one column right and two rows down."""
    cells = problem.board.cells
    return [
        place
        for place, (u, v) in enumerate(problem.ground.edges.tolist())
        if (cells[v][0] - cells[u][0], cells[v][1] - cells[u][1]) == (2, 1)
    ]


class OurSequence(Contender):
    """``ktsolve.tours``, with its checks, and the methods of the engine that it chooses."""

    name = "ktsolve"
    package = "ktsolve"

    def load(self, action: str) -> None:
        """Import what the tasks import."""
        for module in ("numpy", "ktsolve._native", "ktsolve.tasks.tours", "ktsolve.engines.join.engine"):
            importlib.import_module(module)

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Measure the CPU time as well."""
        started = time.process_time()
        with super().phase(name):
            yield
        self.phases[f"{name}, CPU"] = time.process_time() - started

    def _settings(self) -> Settings:
        from ktsolve.base.limits import Settings

        # The process needs more address space than tables.
        return Settings(memory=min(self.memory, 6 << 30))

    def _engine(self, problem: TourProblem) -> Any:
        from ktsolve.engines.auto import choose

        return choose("auto", "tally", problem)

    def sample(self, draw: Draw) -> Any:
        """Draw tours."""
        from ktsolve.tasks.tours import tours

        with self.phase("prepare"):
            found = tours(draw.question.problem(), settings=self._settings())
        with self.phase("draw"):
            return found.sample_arrays(draw.number, seed=1)

    def numbered(self, draw: Draw) -> Any:
        """Prepare, draw, unrank one by one, and rank back."""
        import numpy as np

        from ktsolve.tasks.tours import tours

        with self.phase("prepare"):
            found = tours(draw.question.problem(), settings=self._settings())
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        with self.phase("draw"):
            rows = found.sample_arrays(draw.number, seed=1)
        dice = random.Random(1)
        places = [dice.randrange(found.count) for _ in range(_SINGLE)]
        with self.phase("single"):
            single = [found.arrays([place])[0] for place in places]
        for name in ("single", "single, CPU"):
            self.phases[name] /= _SINGLE
        with self.phase("rank"):
            ranks = found.ranks(rows[:_BACK])
        return {
            "count": str(found.count),
            "order": found.order,
            "bytes": peak,
            "agree": ranks == list(found.sample_places(draw.number, seed=1))[:_BACK]
            and found.ranks(np.array(single)) == places,
            "tours": rows[:_BACK].tolist(),
        }

    def listed(self, draw: Draw) -> Any:
        """List all tours in order, as objects."""
        from ktsolve.tasks.tours import tours

        with self.phase("prepare"):
            found = tours(draw.question.problem(), settings=self._settings())
        with self.phase("list"):
            listed = list(found)
        return {"count": str(found.count), "tours": [list(tour.indices) for tour in listed]}

    def moves(self, draw: Draw) -> Any:
        """Count the tours that use each move."""
        problem = draw.question.problem()
        return [str(count) for count in self._engine(problem).move_counts(problem, self._settings())]

    def uses(self, draw: Draw) -> Any:
        """Count the tours by how many moves of one slope they use."""
        problem = draw.question.problem()
        found = self._engine(problem).tally(problem, slope(problem), self._settings())
        return [str(count) for count in found]

    def walks(self, found: Any) -> Any:
        """Return what the check takes."""
        return found if isinstance(found, list | dict) else found.tolist()


class RandomWarnsdorff(Contender):
    """Warnsdorff's rule with random ties and backtracking, from random cells: not uniform."""

    name = "warnsdorff"
    package = "ktsolve"

    def version(self) -> str:
        """Return where the program is."""
        return "in benchmarks/rivals.py"

    def sample(self, draw: Draw) -> list[Walk]:
        """Draw tours until there are enough or the time is over."""
        rows, columns = size(draw.question.board)
        around, cells = neighbours(rows, columns), rows * columns
        dice, found = random.Random(1), list[Walk]()
        until = time.perf_counter() + draw.seconds
        with self.phase("draw"):
            while len(found) < draw.number and time.perf_counter() < until:
                walk = one_try(around, dice, dice.randrange(cells), 2 * cells, draw.question.closed)
                if walk is not None:
                    found.append(walk)
        return found


class GraphillionSample(GraphillionOneThread):
    """Graphillion: a decision diagram of all Hamiltonian cycles, and ``rand_iter``, which draws from it."""

    def sample(self, draw: Draw) -> list[Any]:
        """Draw tours until there are enough or the time is over."""
        from graphillion import GraphSet

        with self.phase("prepare"):
            GraphSet.set_universe([(u + 1, v + 1) for u, v in knight_edges(*size(draw.question.board))])
            cycles = GraphSet.cycles(is_hamilton=True)
        found: list[Any] = []
        until = time.perf_counter() + draw.seconds
        with self.phase("draw"):
            while len(found) < draw.number and time.perf_counter() < until:
                found.append(next(cycles.rand_iter()))  # one iterator draws nothing twice
        return found

    def walks(self, found: list[Any]) -> list[Walk]:
        """Return the cells of each cycle in order."""
        return [_walk([(u - 1, v - 1) for u, v in edges]) for edges in found]


def _walk(edges: list[tuple[int, int]]) -> Walk:
    around: dict[int, list[int]] = {}
    for u, v in edges:
        around.setdefault(u, []).append(v)
        around.setdefault(v, []).append(u)
    walk = [edges[0][0], edges[0][1]]
    while len(walk) < len(around):
        walk.append(next(v for v in around[walk[-1]] if v != walk[-2]))
    return walk


SAMPLERS: dict[str, type[Contender]] = {
    kind.name: kind for kind in (OurSequence, RandomWarnsdorff, GraphillionSample)
}
"""The contenders by name."""
