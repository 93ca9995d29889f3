"""Jobs of the cross-check about certificates: every board has a tour or a certificate, as theorems state."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ktsolve.base.limits import Settings
from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import Bound
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import Statistic
from ktsolve.proof.certificate import read_certificate
from ktsolve.proof.checker import check_certificate
from ktsolve.proof.maker import prove
from ktsolve.verify.jobs import Context, Job, Sides

__all__ = ["boards", "certified", "proof_jobs", "settled"]


def _has_tour(rows: int, columns: int, closed: bool) -> bool:
    """Schwenk (1991) on closed tours; Conrad, Hindrichs, Morsy & Wegener (1994) on open ones."""
    short, long = sorted((rows, columns))
    if closed:
        return not (rows * columns % 2 or short in (1, 2, 4) or (short == 3 and long in (4, 6, 8)))
    return long == 1 or not (short <= 2 or (short, long) in ((3, 3), (3, 5), (3, 6), (4, 4)))


def settled(problem: TourProblem, argument: str, settings: Settings) -> bool | None:
    """Is there a tour? None if neither a valid tour nor a valid certificate was found."""
    found = prove(problem, settings, argument=argument)
    if isinstance(found, Tour):
        return True if problem.check(found) is None else None
    read = read_certificate(found.to_text())
    return False if read.problem == problem and check_certificate(read) is None else None


def boards(context: Context, closed: bool, cells: int, argument: str) -> Sides:
    """Boards of at most a given number of cells without tours: as certified, and as theorems state.

    ``argument`` is that of :func:`~ktsolve.proof.maker.prove`; ``clauses`` avoids arguments by colours.
    """
    sizes = [(a, b) for a in range(1, cells + 1) for b in range(a, cells // a + 1)]
    wrong, without = [], 0
    for rows, columns in sizes:
        problem = TourProblem(board=f"{rows}x{columns}", closed=closed)
        expected = _has_tour(rows, columns, closed)
        without += not expected
        if settled(problem, argument, context.settings) != expected:
            wrong.append(problem.board.size)
    return Sides.unless(wrong, f"{without} of {len(sizes)} boards without tours certified")


def certified(context: Context, problem: TourProblem, argument: str) -> Sides:
    """A problem without tours: its settled answer, and that it is certified."""
    texts = {True: "there is a tour", False: "certified", None: "neither tour nor certificate holds"}
    return Sides(texts[settled(problem, argument, context.settings)], texts[False])


_job = partial(Job, seconds=3.0)


def proof_jobs(level: str) -> Iterator[Job]:
    """Jobs of certificates."""
    most = 36 if level == "quick" else 60
    for closed, cells, argument in (
        *((True, most, "auto"), (False, most, "auto")),
        *((True, 24, "clauses"), (False, 24, "clauses")),
    ):
        kind = "closed" if closed else "open"
        yield _job(
            f"proofs of {kind} boards to {cells} cells ({argument})", boards, (closed, cells, argument)
        )
    chessboard = TourProblem(board="8x8", closed=True)
    obtuse = Bound(Statistic.made("obtuse", chessboard.board), most=3)
    quarter = chessboard.replace(symmetry="rot90")
    for problem, argument, at in (
        (chessboard.replace(conditions=[obtuse]), "clauses", "quick"),
        (quarter, "symmetry", "quick"),
        (TourProblem(board="6x6", closed=True, magic=["rows", "columns"]), "sums", "quick"),
        (quarter, "clauses", "standard"),
    ):
        yield _job(f"proof of no {problem} ({argument})", certified, (problem, argument), at)
