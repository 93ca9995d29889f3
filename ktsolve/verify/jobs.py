"""The jobs of the cross-check: what one engine says about one case, and the identities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ktsolve.engines.interface import Counted, Engine
from ktsolve.engines.protocols import CountsPairs
from ktsolve.engines.registry import choose, engine_named
from ktsolve.ground.notation import Cell
from ktsolve.ground.symmetry import move_orbits
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Settings
from ktsolve.tasks.instance import load_instance
from ktsolve.tasks.solve import solve_instance
from ktsolve.verify.catalogue import EndpointClass, class_sizes, endpoint_table

__all__ = ["EngineJob", "EngineSays", "IdentityJob", "IdentitySays", "InstanceJob", "Saboteur"]


@dataclass(frozen=True)
class EngineSays:
    """An engine's answer: the number of tours and, if it lists them, the tours themselves.

    Tours are packed as strings of cell numbers of their normalised form, so that sets can be compared.
    """

    count: int
    tours: frozenset[str] | None
    fault: str = ""


class Saboteur(Engine):
    """An engine broken on purpose: it loses one tour, or makes one up where there are none to lose."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.name = engine.name  # type: ignore[misc]
        self.capabilities = engine.capabilities  # type: ignore[misc]

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        """Finds what there is not, and nothing else."""
        found = self._engine.construct(problem, settings)
        return self._made_up(problem) if found is None else None

    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        """Loses the first tour, or makes one up."""
        tours = self._engine.enumerate(problem, settings)
        return iter([self._made_up(problem)]) if next(tours, None) is None else tours

    @staticmethod
    def _made_up(problem: TourProblem) -> Tour:
        return Tour(problem.board, problem.board.cells, problem.closed)

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        """Counts one tour too many."""
        counted = self._engine.count(problem, settings)
        return Counted(counted.count + 1, counted.directed + 2, counted.peak_bytes)


def _engine(name: str, task: str, problem: TourProblem, sabotaged: str | None) -> Engine:
    engine = choose(name, task, problem)
    return Saboteur(engine) if name == sabotaged else engine


@dataclass(frozen=True)
class EngineJob:
    """Ask one engine about one problem, going round arithmetic: list, judge every tour, and construct one.

    Without ``listing`` an engine that can count tours without writing them down does so.
    """

    problem: TourProblem
    engine: str
    settings: Settings
    sabotaged: str | None = None
    listing: bool = True

    def __call__(self) -> EngineSays:
        """The engine's answer. Raises LimitReached."""
        if not self.listing or "enumerate" not in choose(self.engine, "count", self.problem).capabilities:
            engine = _engine(self.engine, "count", self.problem, self.sabotaged)
            return EngineSays(engine.count(self.problem, self.settings).count, None)
        engine = _engine(self.engine, "enumerate", self.problem, self.sabotaged)
        tours: set[str] = set()
        number, fault = 0, ""
        for tour in engine.enumerate(self.problem, self.settings):
            number += 1
            wrong = self.problem.check(tour)
            if wrong is not None and not fault:
                fault = f"a tour that is none: {wrong}"
            tours.add("".join(map(chr, tour.normalised().indices)))
        if len(tours) != number and not fault:
            fault = f"{number - len(tours)} tours twice"
        if not fault:
            fault = self._construct(found=number > 0)
        return EngineSays(number, frozenset(tours), fault)

    def _construct(self, *, found: bool) -> str:
        """What is wrong with the one tour that the engine constructs."""
        engine = _engine(self.engine, "construct", self.problem, self.sabotaged)
        tour = engine.construct(self.problem, self.settings)
        if tour is None:
            return "tours, but constructs none" if found else ""
        wrong = self.problem.check(tour)
        return "" if wrong is None else f"rightly, but constructs a tour that is none: {wrong}"


@dataclass(frozen=True)
class IdentitySays:
    """Both sides of an identity."""

    left: str
    right: str

    @property
    def holds(self) -> bool:
        """Are they equal?"""
        return self.left == self.right


@dataclass(frozen=True)
class IdentityJob:
    """Compute both sides of an identity that tours obey.

    Attributes
    ----------
    kind:
        ``adjacent ends``: open tours whose ends are a move apart number cells x closed tours.
        ``classes``: closed tours up to symmetry, listed, against the known classes.
        ``burnside``: the classes again, from the numbers of tours invariant under each symmetry.
        ``endpoints``: the published table of open tours by ends, line by line, and its total.
        ``some endpoints``: every 17th line of that table.
        ``shared endpoints``: the table from the half tables that an engine shares between pairs of ends.
        ``congruence``: closed tours of a square and those invariant under the half turn, together a multiple
        of 8 (Burnside, where no tour has a quarter turn or a reflection).
    """

    kind: str
    size: str
    engine: str
    settings: Settings
    sabotaged: str | None = None

    def _count(self, problem: TourProblem) -> int:
        return _engine(self.engine, "count", problem, self.sabotaged).count(problem, self.settings).count

    def __call__(self) -> IdentitySays:
        """Both sides. Raises LimitReached."""
        if self.kind == "adjacent ends":
            return self._adjacent_ends()
        if self.kind == "classes":
            return self._classes()
        if self.kind == "burnside":
            return self._burnside()
        if self.kind == "congruence":
            return self._congruence()
        table = endpoint_table(self.size)[:: 17 if self.kind == "some endpoints" else 1]
        return self._endpoints(table)

    def _adjacent_ends(self) -> IdentitySays:
        closed = TourProblem(board=self.size, closed=True)
        total = 0
        for orbit in move_orbits(closed.board):
            start, end = orbit.representative
            total += orbit.multiplicity * self._count(
                TourProblem(board=self.size, closed=False, start=start, end=end)
            )
        return IdentitySays(str(total), str(len(closed.board) * self._count(closed)))

    def _classes(self) -> IdentitySays:
        closed = TourProblem(board=self.size, closed=True)
        engine = _engine(self.engine, "enumerate", closed, self.sabotaged)
        sizes: dict[tuple[int, ...], int] = {}
        for tour in engine.enumerate(closed, self.settings):
            least = tour.canonical().indices
            sizes[least] = sizes.get(least, 0) + 1
        spectrum = {size: list(sizes.values()).count(size) for size in sorted(set(sizes.values()))}
        known = class_sizes(self.size)
        right = f"{sum(known.values())} classes {known}"
        return IdentitySays(f"{len(sizes)} classes {spectrum}", right)

    def _burnside(self) -> IdentitySays:
        """The mean number of tours that a symmetry of the square leaves as they are."""
        plain = TourProblem(board=self.size, closed=True)
        half, quarter, mirror = (
            self._count(plain.replace(symmetry=name)) for name in ("rot180", "rot90", "flip-h")
        )
        # A mirror through the diagonals fixes more than two cells, a tour's symmetry no more than two.
        able = choose(self.engine, "count", plain.replace(symmetry="rot180"))
        everyone = choose("auto", "count", plain) if able.needs else None
        whole = everyone.count(plain, self.settings).count if everyone else self._count(plain)
        invariant = whole + half + 2 * quarter + 2 * mirror
        classes = sum(class_sizes(self.size).values())
        return IdentitySays(f"{invariant} = 8 x {invariant // 8}", f"{8 * classes} = 8 x {classes}")

    def _congruence(self) -> IdentitySays:
        sizes = class_sizes(self.size)
        half_turn = sum(size * number for size, number in sizes.items() if size < 8)
        found = self._count(TourProblem(board=self.size, closed=True))
        rest = (found + half_turn) % 8
        return IdentitySays(
            f"{found} + {half_turn} = 8 x {(found + half_turn) // 8} + {rest}", _eightfold(sizes)
        )

    def _endpoints(self, table: Sequence[EndpointClass]) -> IdentitySays:
        wrong = []
        total = 0
        counts = dict(self._by_ends([(row.cells[0], row.cells[1]) for row in table]))
        for row in table:
            found = counts[row.cells]
            total += row.multiplicity * found
            if found != row.count:
                wrong.append(f"{row.cells[0]}-{row.cells[1]}: {found}, published {row.count}")
        if self.kind == "endpoints":
            whole = self._count(TourProblem(board=self.size, closed=False))
        else:
            whole = sum(row.multiplicity * row.count for row in table)
        left = f"{len(table) - len(wrong)} of {len(table)} classes, total {total}"
        if wrong:
            left += f" ({'; '.join(wrong[:3])})"
        return IdentitySays(left, f"{len(table)} of {len(table)} classes, total {whole}")

    def _by_ends(self, pairs: Sequence[tuple[Cell, Cell]]) -> Iterator[tuple[tuple[Cell, Cell], int]]:
        problem = TourProblem(board=self.size, closed=False)
        if self.kind != "shared endpoints":
            for start, end in pairs:
                yield (start, end), self._count(problem.replace(start=start, end=end))
            return
        engine = engine_named(self.engine)
        assert isinstance(engine, CountsPairs)
        for pair, counted in engine.count_pairs(problem, pairs, self.settings):
            yield pair, counted.count + (self.engine == self.sabotaged)


def _eightfold(sizes: dict[int, int]) -> str:
    """What the congruence says when the classes are right."""
    tours = sum(size * number for size, number in sizes.items())
    half_turn = sum(size * number for size, number in sizes.items() if size < 8)
    return f"{tours} + {half_turn} = 8 x {sum(sizes.values())} + 0"


@dataclass(frozen=True)
class InstanceJob:
    """Solve a shipped instance and hold the answer against what it expects."""

    path: str
    settings: Settings

    def __call__(self) -> str:
        """How the answer differs from what the file expects; empty if it does not."""
        return solve_instance(load_instance(self.path), "auto", self.settings).disagreement
