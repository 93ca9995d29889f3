"""Validate base boards of divide-and-conquer constructions, and make new ones.

A base is a closed tour of a rectangle with structured corners, at which it is joined to others. New bases are
made by one solver of models and confirmed by the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from ktsolve.base.errors import BadInput, LimitReached, NotATour, WrongAnswer
from ktsolve.base.limits import Clock, Settings, out_of_time
from ktsolve.engines.divide.bases import JOINTS
from ktsolve.engines.divide.joining import LEFT, UP, corner_move
from ktsolve.engines.interface import checked
from ktsolve.engines.registry import MODEL_ENGINES, engine_named, other_solver
from ktsolve.formats.tours.files import read_tour
from ktsolve.formats.tours.recognition import SplitTour, split_tours
from ktsolve.graphs.board import Board
from ktsolve.graphs.geometry import CORNERS, corner_moves
from ktsolve.graphs.notation import parse_size
from ktsolve.graphs.tour import Tour
from ktsolve.models.structured import structured_problem
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import Answer, refutation_of, timed

__all__ = ["BaseBoard", "Verdict"]

QUARTERS = {"tl": "br", "tr": "bl", "bl": "tr", "br": "tl"}
"""For each quarter of a larger board the corner at which it meets the others."""


@dataclass(frozen=True)
class Verdict:
    """The validation of one board of a file.

    Attributes
    ----------
    line, title:
        Line in which it begins, and the comment before it.
    tour:
        The tour, None if the numbers are not a tour.
    fault:
        The first violation that shows that it is not a closed tour; empty for a closed tour.
    corners:
        Its structured corners, of ``tl``, ``tr``, ``bl``, ``br``.
    lacks:
        The moves missing at its other corners, by corner.
    """

    line: int
    title: str
    tour: Tour | None
    fault: str
    corners: tuple[str, ...] = ()
    lacks: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def quarters(self) -> tuple[str, ...]:
        """The quarters of a larger board that it can be; none for anything but a closed tour."""
        if self.fault:
            return ()
        return tuple(quarter for quarter, corner in QUARTERS.items() if corner in self.corners)

    @property
    def usable(self) -> bool:
        """Whether it can be any quarter, so that the merged board is structured again."""
        return not self.fault and len(self.corners) == len(CORNERS)

    def to_json(self) -> dict[str, Any]:
        """The verdict in terms of JSON."""
        return {
            "line": self.line,
            "title": self.title,
            "board": None if self.tour is None else self.tour.board.to_json(),
            "fault": self.fault or None,
            "corners": list(self.corners),
            "lacks": {corner: list(moves) for corner, moves in self.lacks},
            "quarters": list(self.quarters),
            "usable": self.usable,
        }


def shipped_bases() -> dict[str, str]:
    """Names of the files of base boards that come with ktsolve, and their paths.

    >>> list(shipped_bases())
    ['nine-boards']
    """
    folder = resources.files("ktsolve.instances").joinpath("base")
    paths = sorted(str(item) for item in folder.iterdir() if item.name.endswith(".txt"))
    return {Path(path).stem: path for path in paths}


def validate_bases(text: str) -> list[Verdict]:
    r"""The validation of every board of a text, as ``split_tours`` takes it, in linear time.

    Raises BadInput if the text has no board.

    >>> [verdict] = validate_bases("1 4 7 10\n8 11 2 5\n3 6 9 12")
    >>> verdict.fault, verdict.usable
    ('step 12: the last cell d1 is not a move from the first a3', False)
    >>> verdict.corners, verdict.lacks[0]
    (('tl', 'br'), ('tr', ('c3-d1',)))
    """
    parts = split_tours(text)
    if not parts:
        raise BadInput("there is no board in the input: give grids of step numbers, with blank lines between")
    return [_verdict(part) for part in parts]


def _verdict(part: SplitTour) -> Verdict:
    try:
        tour = read_tour(part.text, closed=True)
    except NotATour as error:
        return Verdict(part.line, part.title, None, str(error))
    except BadInput as error:
        raise BadInput(f"the board in line {part.line}: {error}") from None
    fault = "" if tour.violation is None else tour.violation.reason
    if not tour.board.plain:
        fault = f"a base is a whole rectangle for the knight, not {tour.board}"
    if min(tour.board.rows, tour.board.columns) < 3:
        return Verdict(part.line, part.title, tour, fault)
    whole = Board(tour.board.rows, tour.board.columns)
    missing = {corner: sorted(corner_moves(whole, corner) - tour.moves) for corner in CORNERS}
    has = tuple(corner for corner, moves in missing.items() if not moves)
    lacks = tuple((corner, tuple(map(whole.move_name, moves))) for corner, moves in missing.items() if moves)
    return Verdict(part.line, part.title, tour, fault, has, lacks)


# -- making --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BaseBoard(Answer):
    """A base, or the proof that none exists.

    Attributes
    ----------
    problem:
        The question.
    confirmed:
        The engine that confirmed the answer; ``arithmetic`` if a theorem gave it; empty if it was stopped.
    """

    problem: TourProblem
    confirmed: str


def base_problem(
    size: str,
    corners: tuple[str, ...] = CORNERS,
    *,
    symmetry: str | None = None,
    joints: bool = False,
    closed: bool = True,
) -> TourProblem:
    """The problem of finding a base, with these structured corners and this symmetry.

    With ``joints``, a closed base has the moves by which the engine ``divide`` joins it to the blocks to its
    left and above, an open base those at its corners by which the blocks to its right and below join it. The
    ends of an open base lie anywhere. Raises BadInput if the board is too small.

    >>> sorted(base_problem("6x7", joints=True).require)
    [((0, 3), (1, 1)), ((1, 1), (3, 0))]
    >>> sorted(base_problem("5x5", closed=False, joints=True).require)
    [((0, 4), (2, 3)), ((3, 2), (4, 0))]
    """
    rows, columns = parse_size(size)
    if joints and min(rows, columns) < (thinnest := 4 if closed else 3):
        raise BadInput(f"the moves of --joints need at least {thinnest} rows and columns, not {size}")
    if closed:
        problem = structured_problem(size, corners, symmetry=symmetry)
        return problem.replace(require=JOINTS) if joints else problem
    moves = [corner_move(joint, rows, columns) for joint in (LEFT, UP)] if joints else []
    return TourProblem(board=size, closed=False, require=moves, symmetry=symmetry)


@timed
def make_base(
    problem: TourProblem,
    engine: str = MODEL_ENGINES[0],
    settings: Settings | None = None,
    *,
    keep: bool = False,
) -> BaseBoard:
    """A base made by one solver of models and confirmed by the other.

    The other one solves the model with the moves of the base given, or finds that there is no base either.
    No engine runs if arithmetic refutes the problem. Raises WrongAnswer if they disagree. With ``keep``, a
    base is also returned if a limit or Ctrl-C stops the other one; the reason says so.

    >>> made = make_base(base_problem("6x6"))
    >>> made.tour.valid, made.engine, made.confirmed
    (True, 'sat', 'cpsat')
    >>> make_base(base_problem("5x5")).tour is None
    True
    """
    if engine not in MODEL_ENGINES:
        raise BadInput(f"engine {engine!r:.40} makes no bases: use {' or '.join(MODEL_ENGINES)}")
    settings = settings or Settings()
    clock = Clock(settings)
    if (refutation := refutation_of(problem)) is not None:
        return BaseBoard(None, problem, refutation["engine"], **refutation)
    other = other_solver(engine)
    tour = engine_named(engine).construct(problem, settings)
    asked = problem if tour is None else problem.replace(require=tour.moves)
    if tour is not None:
        checked(engine, problem, tour)
    reached = f"{engine} {'made a base' if tour else 'found that there is none'}, {other} did not confirm it"
    try:
        again = engine_named(other).construct(asked, clock.within(settings, reached))
    except (LimitReached, KeyboardInterrupt) as stop:
        if isinstance(stop, LimitReached) and clock.left == 0:
            # The other engine had only the time that was left.
            stop = out_of_time(settings, reached)
        if tour is None or not keep:
            raise stop from None
        return BaseBoard(tour, problem, "", engine=engine, reason=str(stop) or f"interrupted, {reached}")
    if (again is None) != (tour is None) or (tour and again and tour.moves != again.moves):
        raise WrongAnswer(f"engines {engine} and {other} do not agree about {problem}")
    reason = "" if tour is not None else f"{engine} and {other} searched everything"
    return BaseBoard(tour, problem, other, engine=engine, reason=reason)
