"""Ask a question, get a checked answer.

Arithmetic is tried first, then an engine; every tour an engine gives is judged by :meth:`TourProblem.check`
before anyone sees it.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ktsolve.engines.counting import CountsPairs, EstimatesPairs
from ktsolve.engines.interface import Counted, Engine, Estimate
from ktsolve.engines.registry import choose
from ktsolve.engines.several import FindsSeveral
from ktsolve.errors import BadInput, Refused, WrongAnswer
from ktsolve.ground.notation import Cell
from ktsolve.ground.symmetry import cell_orbits, pair_orbits
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock, Settings
from ktsolve.tasks.end_sets import can_be_split, pairs_of_ends

__all__ = [
    "Answer",
    "ClassCount",
    "CountAnswer",
    "Tours",
    "WrongAnswer",
    "count",
    "count_classes",
    "estimate",
    "find",
    "find_all",
    "judged",
]


@dataclass(frozen=True)
class Answer:
    """A tour, or the proof that there is none.

    Attributes
    ----------
    tour:
        The tour, None if there is none.
    engine:
        Who found out: an engine, or ``arithmetic``.
    seconds:
        Wall-clock time.
    reason:
        Why there is none.
    """

    tour: Tour | None
    engine: str
    seconds: float
    reason: str = ""

    @property
    def status(self) -> str:
        """``found`` or ``impossible``."""
        return "impossible" if self.tour is None else "found"


@dataclass(frozen=True)
class ClassCount:
    """Tours of one class of ends.

    Attributes
    ----------
    cells:
        Representative start, or pair of ends.
    multiplicity:
        Number of starts or pairs in the class.
    count:
        Undirected tours with exactly this start or these ends.
    """

    cells: tuple[Cell, ...]
    multiplicity: int
    count: int


@dataclass(frozen=True)
class CountAnswer:
    """An exact number of tours.

    Attributes
    ----------
    count:
        Undirected tours.
    directed:
        Directed ones.
    engine, seconds:
        Who counted, and how long it took.
    peak_bytes:
        Most memory held for states, None if the engine does not say.
    reason:
        Why there are none, when arithmetic told.
    classes:
        By start or by ends, when asked for.
    """

    count: int
    directed: int
    engine: str
    seconds: float
    peak_bytes: int | None = None
    reason: str = ""
    details: dict[str, int] = field(default_factory=dict)
    classes: tuple[ClassCount, ...] = ()


class Tours(Iterator[Tour]):
    """Tours one by one, as an engine finds them.

    Attributes
    ----------
    engine:
        Who lists them: an engine, or ``arithmetic`` if it is clear that there are none.
    """

    def __init__(self, engine: str, tours: Iterator[Tour]) -> None:
        self.engine = engine
        self._tours = tours

    def __next__(self) -> Tour:
        return next(self._tours)


def find(problem: TourProblem, engine: str = "auto", settings: Settings | None = None) -> Answer:
    """One tour, or the proof that there is none.

    Raises
    ------
    Refused
        If the engine cannot take the problem.
    LimitReached
        If time or memory ran out first.

    Examples
    --------
    >>> find(TourProblem(board="5x6", closed=True)).tour.valid
    True
    >>> find(TourProblem(board="4x4", closed=True)).reason
    'no closed tour exists on a rectangle with a side of 1, 2 or 4 (Schwenk 1991)'
    """
    settings = settings or Settings()
    started = time.perf_counter()
    chosen = choose(engine, "construct", problem)
    obstruction = problem.obstruction()
    if obstruction is not None:
        return Answer(None, "arithmetic", time.perf_counter() - started, str(obstruction))
    tour = chosen.construct(problem, settings)
    seconds = time.perf_counter() - started
    if tour is None:
        return Answer(None, chosen.name, seconds, "the engine searched everything")
    return Answer(judged(chosen, problem, tour), chosen.name, seconds)


def find_all(
    problem: TourProblem,
    engine: str = "auto",
    settings: Settings | None = None,
    number: int | None = None,
    diverse: bool = False,
) -> Tours:
    """All undirected tours, or up to ``number`` different ones, one by one as they are found.

    Parameters
    ----------
    diverse:
        Each tour is to have as few moves as possible in common with those before it; takes a number.

    Raises
    ------
    Refused
        If the engine cannot take the problem, or cannot look for diverse tours.
    LimitReached
        While iterating, when time or memory runs out.

    Examples
    --------
    >>> tours = find_all(TourProblem(board="3x10", closed=True))
    >>> tours.engine, len(list(tours))
    ('search', 16)
    """
    settings = settings or Settings()
    if number is not None and number < 1:
        raise BadInput(f"the number of tours must be at least 1, not {number}")
    if diverse and number is None:
        raise BadInput("diverse tours are so many that are far apart: give their number, such as 5")
    chosen = choose("sat" if diverse and engine == "auto" else engine, "enumerate", problem)
    if diverse and not isinstance(chosen, FindsSeveral):
        raise Refused(f"engine {chosen.name} cannot look for diverse tours: use sat")
    if problem.obstruction() is not None:
        return Tours("arithmetic", iter(()))
    if number is not None and isinstance(chosen, FindsSeveral):
        found = chosen.several(problem, settings, number, far_apart=diverse)
    else:
        found = chosen.enumerate(problem, settings)
    tours = (judged(chosen, problem, tour) for tour in found)
    return Tours(chosen.name, itertools.islice(tours, number))


def count(problem: TourProblem, engine: str = "auto", settings: Settings | None = None) -> CountAnswer:
    """The exact number of tours.

    Examples
    --------
    >>> answer = count(TourProblem(board="6x6", closed=True))
    >>> answer.count, answer.directed
    (9862, 19724)
    """
    settings = settings or Settings()
    started = time.perf_counter()
    if can_be_split(problem):
        return _count_by_ends(problem, engine, settings)
    chosen = choose(engine, "count", problem)
    obstruction = problem.obstruction()
    if obstruction is not None:
        seconds = time.perf_counter() - started
        return CountAnswer(0, 0, "arithmetic", seconds, None, str(obstruction))
    found = chosen.count(problem, settings)
    return _count_answer(found, chosen, time.perf_counter() - started)


def _count_by_ends(problem: TourProblem, engine: str, settings: Settings) -> CountAnswer:
    """The count for sets of ends: a sum over pairs, together where the engine can do that."""
    started = time.perf_counter()
    directions = {}
    asked = {}
    for part, ways in pairs_of_ends(problem):
        ends = tuple(cell for cell in (part.start, part.end) if cell is not None)
        directions[ends] = ways
        asked[ends] = _Asked(part, 1, part.obstruction() is None)
    free = problem.replace(start=None, end=None, starts=(), ends=())
    found = dict(_each_class(free, asked, engine, settings))
    name, peak = _summary(found.values())
    return CountAnswer(
        sum(each.count for each in found.values()),
        sum(each.count * directions[ends] for ends, each in found.items()),
        name,
        time.perf_counter() - started,
        peak,
    )


def estimate(
    problem: TourProblem, engine: str = "auto", settings: Settings | None = None, by: str | None = None
) -> tuple[str, Estimate | None]:
    """The engine that would count, and what it would take; None if it cannot tell without counting.

    With ``by`` the classes that :func:`count_classes` would count.

    Examples
    --------
    >>> engine, expected = estimate(TourProblem(board="8x8", closed=True))
    >>> engine, expected.plan
    ('join', 'rows 3+2+3: 24 + 16 + 24 cells, one table for both sides, mirrored, middle moves 6 + 6')
    """
    settings = settings or Settings()
    if by is None:
        chosen = choose(engine, "count", problem)
        return chosen.name, chosen.estimate(problem, settings)
    asked = _classes(problem, by)
    chosen = choose(engine, "count", next((each.problem for each in asked.values()), problem))
    together = None
    if isinstance(chosen, EstimatesPairs) and (pairs := _pairs(asked)):
        together = chosen.estimate_pairs(problem, pairs, settings)
    return chosen.name, together


def _count_answer(found: Counted, engine: Engine, seconds: float) -> CountAnswer:
    return CountAnswer(
        found.count, found.directed, engine.name, seconds, found.peak_bytes, "", dict(found.details)
    )


def count_classes(
    problem: TourProblem, by: str, engine: str = "auto", settings: Settings | None = None
) -> CountAnswer:
    """Open tours by class of start (``by="start"``) or of both ends (``by="endpoints"``).

    Classes are those under the symmetries that map the problem to itself; classes that colours rule out are
    left out. The total follows from multiplicities. Classes of ends are counted together by engines that can
    share work between them (:class:`~ktsolve.engines.counting.CountsPairs`), others each by itself.

    Examples
    --------
    >>> answer = count_classes(TourProblem(board="3x4", closed=False), by="endpoints")
    >>> [(c.cells, c.multiplicity, c.count) for c in answer.classes if c.count]
    [(((0, 0), (1, 0)), 4, 1), (((0, 0), (2, 3)), 2, 1), (((1, 0), (1, 3)), 1, 2)]
    """
    settings = settings or Settings()
    started = time.perf_counter()
    asked = _classes(problem, by)
    if len(problem.board) == 1:
        answer = count(problem, engine, settings)
        ends = problem.board.cells * (1 if by == "start" else 2)
        return replace(answer, classes=(ClassCount(ends, 1, answer.count),))
    found = dict(_each_class(problem, asked, engine, settings))
    classes = [ClassCount(cells, each.multiplicity, found[cells].count) for cells, each in asked.items()]
    total = sum(one.multiplicity * one.count for one in classes)
    chosen, peak = _summary(found.values())
    # A tour has two ends: it is counted under both starts, but under one pair.
    undirected, directed = (total // 2, total) if by == "start" else (total, 2 * total)
    seconds = time.perf_counter() - started
    return CountAnswer(undirected, directed, chosen, seconds, peak, classes=tuple(classes))


def _summary(answers: Iterable[CountAnswer]) -> tuple[str, int | None]:
    """Who counted, and the most memory held, of several counts."""
    listed = list(answers)
    name = next((answer.engine for answer in listed if answer.engine != "arithmetic"), "arithmetic")
    return name, max((a.peak_bytes for a in listed if a.peak_bytes is not None), default=None)


@dataclass(frozen=True)
class _Asked:
    """The question about one class."""

    problem: TourProblem
    multiplicity: int
    possible: bool  # as far as arithmetic knows


def _classes(problem: TourProblem, by: str) -> dict[tuple[Cell, ...], _Asked]:
    """The classes that colours allow, each told by its smallest start or pair of ends."""
    if by not in ("start", "endpoints"):
        raise BadInput(f"classes by {by!r} are unknown: use start or endpoints")
    if problem.closed:
        raise BadInput("classes by start or endpoints are those of open tours; a closed tour has no ends")
    if problem.start is not None or problem.end is not None:
        raise BadInput(f"classes by {by} need both ends free: leave out start and end")
    if problem.numbered:
        raise BadInput(
            f"classes by {by} need conditions that hold in both directions: leave out steps and sums"
        )
    asked = {}
    for orbit in (cell_orbits if by == "start" else pair_orbits)(problem.board, problem.automorphisms):
        cells = orbit.representative
        each = problem.replace(start=cells[0], end=cells[1] if by == "endpoints" else None)
        obstruction = each.obstruction()
        if obstruction is None or obstruction.theorem != "colours":
            asked[cells] = _Asked(each, orbit.multiplicity, obstruction is None)
    return asked


def _pairs(asked: Mapping[tuple[Cell, ...], _Asked]) -> list[tuple[Cell, Cell]]:
    """The pairs of ends among the classes that an engine has to count."""
    return [(cells[0], cells[1]) for cells, each in asked.items() if each.possible and len(cells) == 2]


def _each_class(
    problem: TourProblem, asked: Mapping[tuple[Cell, ...], _Asked], engine: str, settings: Settings
) -> Iterator[tuple[tuple[Cell, ...], CountAnswer]]:
    """Each class with its answer: together where the engine can do that."""
    clock = Clock(settings.timeout)
    rest = dict(asked)
    if pairs := _pairs(asked):
        chosen = choose(engine, "count", asked[pairs[0]].problem)
        if isinstance(chosen, CountsPairs):
            for pair, counted in chosen.count_pairs(problem, pairs, settings):
                del rest[pair]
                yield pair, _count_answer(counted, chosen, 0.0)
    for number, (cells, each) in enumerate(rest.items()):
        yield cells, count(each.problem, engine, clock.within(settings, f"{number} classes counted"))


def judged(engine: Engine, problem: TourProblem, tour: Tour) -> Tour:
    """The tour, made sure that it answers the problem. Raises WrongAnswer."""
    fault = problem.check(tour)
    if fault is not None:
        raise WrongAnswer(f"engine {engine.name} gave a wrong tour for {problem}: {fault}")
    return tour
