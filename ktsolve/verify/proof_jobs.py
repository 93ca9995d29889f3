"""The cross-check of certificates: boards have one, or a tour, as theorems say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ktsolve.ground.tour import Tour
from ktsolve.problem.conditions import Bound
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistic import Quantity
from ktsolve.proof.certificate import read_certificate
from ktsolve.proof.checker import check_certificate
from ktsolve.proof.maker import prove
from ktsolve.settings import Settings
from ktsolve.verify.jobs import IdentitySays

__all__ = ["BoardsJob", "ProofJob", "proof_jobs"]


def _has_tour(rows: int, columns: int, closed: bool) -> bool:
    """Schwenk (1991) on closed tours; Conrad, Hindrichs, Morsy & Wegener (1994) on open ones."""
    short, long = sorted((rows, columns))
    if closed:
        return not (rows * columns % 2 or short in (1, 2, 4) or (short == 3 and long in (4, 6, 8)))
    return long == 1 or not (short <= 2 or (short, long) in ((3, 3), (3, 5), (3, 6), (4, 4)))


def _settled(problem: TourProblem, argument: str, settings: Settings) -> bool | None:
    """Is there a tour? By a tour, or by a certificate that is written, read and checked; None for neither."""
    found = prove(problem, settings, argument=argument)
    if isinstance(found, Tour):
        return True if problem.check(found) is None else None
    read = read_certificate(found.to_text())
    return False if read.problem == problem and check_certificate(read) is None else None


@dataclass(frozen=True)
class BoardsJob:
    """All boards of so many cells, no more rows than columns: those without tours are certified.

    Attributes
    ----------
    argument:
        How; ``clauses`` goes round colours, which clauses cannot count.
    """

    closed: bool
    cells: int
    argument: str
    settings: Settings

    @property
    def name(self) -> str:
        """As shown in the report."""
        kind = "closed" if self.closed else "open"
        return f"proofs of {kind} boards to {self.cells} cells ({self.argument})"

    def __call__(self) -> IdentitySays:
        """Boards with and without tours, as found and as theorems say."""
        sizes = [(a, b) for a in range(1, self.cells + 1) for b in range(a, self.cells // a + 1)]
        wrong, without = [], 0
        for rows, columns in sizes:
            problem = TourProblem(board=f"{rows}x{columns}", closed=self.closed)
            expected = _has_tour(rows, columns, self.closed)
            without += not expected
            if _settled(problem, self.argument, self.settings) != expected:
                wrong.append(problem.board.size)
        right = f"{without} of {len(sizes)} boards without tours certified"
        return IdentitySays(f"{right}, but {', '.join(wrong)} wrong" if wrong else right, right)


@dataclass(frozen=True)
class ProofJob:
    """One problem, which has no tour."""

    problem: TourProblem
    argument: str
    settings: Settings

    @property
    def name(self) -> str:
        """As shown in the report."""
        return f"proof of no {self.problem} ({self.argument})"

    def __call__(self) -> IdentitySays:
        """What was settled, and what should be."""
        says = {True: "there is a tour", False: "certified", None: "neither tour nor certificate holds"}
        return IdentitySays(says[_settled(self.problem, self.argument, self.settings)], says[False])


def proof_jobs(level: str, settings: Settings) -> Iterator[tuple[str, Callable[[], IdentitySays]]]:
    """Names and jobs of a level and of those below it."""
    chessboard = TourProblem(board="8x8", closed=True)
    obtuse = Bound(Quantity.made("obtuse", chessboard.board), most=3)
    quarter = chessboard.replace(symmetry="rot90")
    most = 36 if level == "quick" else 60
    jobs: list[BoardsJob | ProofJob] = [
        BoardsJob(True, most, "auto", settings),
        BoardsJob(False, most, "auto", settings),
        BoardsJob(True, 24, "clauses", settings),
        BoardsJob(False, 24, "clauses", settings),
        ProofJob(chessboard.replace(conditions=[obtuse]), "clauses", settings),
        ProofJob(quarter, "symmetry", settings),
        ProofJob(TourProblem(board="6x6", closed=True, magic=["rows", "columns"]), "sums", settings),
    ]
    if level != "quick":
        jobs.append(ProofJob(quarter, "clauses", settings))
    yield from ((job.name, job) for job in jobs)
