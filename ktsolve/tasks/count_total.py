"""Totals of tours, and tables by start and by ends.

A count with sets of starts or ends is a sum of counts with both ends given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations, product

from ktsolve.base.errors import BadInput, OutOfMemory
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.units import shown_bytes
from ktsolve.engines.auto import engine_for_pairs, fitting
from ktsolve.engines.interface import Counted
from ktsolve.engines.protocols import CountsPairs
from ktsolve.engines.race import answer_to
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.symmetry import cell_orbits, pair_orbits
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import PROPAGATION, REDUCTION, Parts, joined_names, simplified_for, timed
from ktsolve.tasks.count_answer import CountAnswer, CountRow, CountTable

__all__ = ["Ends"]

Ends = tuple[Cell, ...]
"""One end of open tours, or both."""


@timed
def count_tours(problem: TourProblem, engine: str, settings: Settings) -> CountAnswer:
    """Count all tours.

    >>> count_tours(TourProblem(board="5x6", closed=True), "auto", Settings()).count
    8
    """
    return replace(_counted(problem, engine, settings), problem=problem)


def _counted(problem: TourProblem, engine: str, settings: Settings) -> CountAnswer:
    # Undirected tours are counted by their two ends where the condition does not fix the direction.
    if has_sets_of_ends(problem):
        return _sum_over_ends(problem, engine, settings)
    clock = Clock(settings)
    engine = fitting(engine, "count", problem, settings)
    question, refutation = simplified_for("count", problem, engine, settings)
    if refutation is not None:
        return CountAnswer(0, 0, **refutation)
    if engine == "auto" and has_sets_of_ends(question):
        return _sum_over_ends(question, engine, clock.within(settings))
    parts = Parts(question, "count", engine, settings)
    if parts.refutation is not None:
        return CountAnswer(0, 0, **parts.refutation)
    counts, names = [], []
    for part in parts.questions:
        name, counted = answer_to("count", part, engine, clock.within(settings))
        if not counted.count:
            return _answer(counted, name)
        counts.append(counted)
        names.append(name)
    return _answer(parts.counted(counts), joined_names(names))


def _answer(found: Counted, engine: str) -> CountAnswer:
    return CountAnswer(found.count, found.directed, found.peak_bytes, dict(found.details), engine=engine)


# -- many pairs of ends --------------------------------------------------------------------------------------


def ends_to_count(questions: Mapping[Ends, TourProblem]) -> list[tuple[Cell, Cell]]:
    """The pairs of ends whose problems arithmetic does not refute; problems with one end are left out."""
    pairs = ((ends, each) for ends, each in questions.items() if len(ends) == 2)
    return [(ends[0], ends[1]) for ends, each in pairs if each.obstruction() is None]


def count_each(
    problem: TourProblem, questions: Mapping[Ends, TourProblem], engine: str, settings: Settings
) -> Iterator[tuple[Ends, CountAnswer]]:
    """Count problems that differ in their ends, and yield each with its answer.

    ``questions`` has the problem with some ends given, by these ends. Pairs of ends are counted together by
    engines that can share work between them (:class:`~ktsolve.engines.protocols.CountsPairs`), others one by
    one.

    >>> problem = TourProblem(board="3x4", closed=False)
    >>> questions = {((2, 0),): problem.replace(start=(2, 0))}
    >>> [(ends, answer.count) for ends, answer in count_each(problem, questions, "auto", Settings())]
    [(((2, 0),), 2)]
    """
    clock = Clock(settings)
    rest = dict(questions)
    if pairs := ends_to_count(questions):
        chosen = engine_for_pairs(engine, problem, questions[pairs[0]], pairs, settings)
        if isinstance(chosen, CountsPairs):
            for pair, counted in chosen.count_pairs(problem, pairs, settings):
                del rest[pair]
                yield pair, _answer(counted, chosen.name)
    for number, (ends, each) in enumerate(rest.items()):
        yield ends, count_tours(each, engine, clock.within(settings, f"{number} classes counted"))


_NO_ENGINE = ("arithmetic", PROPAGATION, REDUCTION)  # what answers without an engine


def summary(answers: Iterable[CountAnswer]) -> tuple[str, int | None]:
    """The first engine of several counts, ``arithmetic`` if none ran, and the most memory that one held.

    >>> summary([CountAnswer(0, 0, engine="arithmetic"), CountAnswer(8, 16, 512, engine="search")])
    ('search', 512)
    """
    listed = list(answers)
    name = next((answer.engine for answer in listed if answer.engine not in _NO_ENGINE), "arithmetic")
    return name, max((a.peak_bytes for a in listed if a.peak_bytes is not None), default=None)


# -- sets of starts and ends ---------------------------------------------------------------------------------


def has_sets_of_ends(problem: TourProblem) -> bool:
    """Whether the count is a sum of counts with both ends given."""
    return bool(problem.starts or problem.ends) and not problem.closed and not problem.step_indexed


def _sum_over_ends(problem: TourProblem, engine: str, settings: Settings) -> CountAnswer:
    questions, directions = {}, {}
    for part, ways in pairs_of_ends(problem):
        ends = tuple(cell for cell in (part.start, part.end) if cell is not None)
        questions[ends], directions[ends] = part, ways
    free = problem.replace(start=None, end=None, starts=(), ends=())
    found = dict(count_each(free, questions, engine, settings))
    name, peak = summary(found.values())
    total = sum(each.count for each in found.values())
    directed = sum(each.count * directions[ends] for ends, each in found.items())
    return CountAnswer(total, directed, peak, engine=name)


def pairs_of_ends(problem: TourProblem) -> Iterator[tuple[TourProblem, int]]:
    """Split an open problem into problems with both ends given, whose counts add up to the undirected count.

    Yield each problem, and the number of directions in which its tours count. Every undirected tour has one
    unordered pair of ends; it counts if one of them is a start and the other an end, and twice as a directed
    tour if that holds both ways.

    >>> problem = TourProblem(board="3x4", closed=False, starts=["a1", "d3"], ends=["d3", "a2"])
    >>> [(str(part), directions) for part, directions in pairs_of_ends(problem)]
    [('open 3x4 start d3 end a2', 1), ('open 3x4 start a1 end d3', 1), ('open 3x4 start a1 end a2', 1)]
    """
    everywhere = frozenset(problem.ground.cells)
    starts, ends = problem.first or everywhere, problem.last or everywhere
    free = problem.replace(start=None, end=None, starts=(), ends=())
    if len(problem.ground) == 1:
        if starts & ends:
            yield free, 1
        return
    if problem.ground.directed:
        firsts, lasts = map(problem.ground.in_order, (problem.starts, problem.ends))
        pairs = product(firsts or [problem.start], lasts or [problem.end])
        for first, last in pairs:
            if first != last or first is None:
                yield free.replace(start=first, end=last), 1
        return
    for a, b in combinations(problem.ground.in_order(starts | ends), 2):
        directions = (a in starts and b in ends) + (b in starts and a in ends)
        if directions:
            first, second = (a, b) if a in starts and b in ends else (b, a)
            yield free.replace(start=first, end=second), directions


_BYTES_PER_PAIR = 150  # of a pair of ends, while the classes of pairs are made

# -- tables by start and by ends -----------------------------------------------------------------------------


@timed
def count_by_ends(
    problem: TourProblem,
    by: str,
    engine: str,
    settings: Settings,
    counted: Callable[[CountRow], object] = lambda _: None,
) -> CountTable:
    """Count open tours by class of start (``start``) or of both ends (``ends``): a row for each class.

    The total follows from multiplicities. ``counted`` gets each row as soon as it is known.

    >>> table = count_by_ends(TourProblem(board="3x4", closed=False), "ends", "auto", Settings())
    >>> [(row.key, row.multiplicity, row.count) for row in table.rows if row.count]
    [(((0, 0), (1, 0)), 4, 1), (((0, 0), (2, 3)), 2, 1), (((1, 0), (1, 3)), 1, 2)]
    """
    classes = endpoint_classes(problem, by, settings)
    if len(problem.ground) == 1:
        answer = count_tours(problem, engine, settings)
        alone = CountRow(problem.ground.cells * (1 if by == "start" else 2), answer.count)
        return CountTable(
            answer.count, by, (alone,), problem, answer.directed, engine=answer.engine, reason=answer.reason
        )
    questions = {cells: each for cells, (each, _) in classes.items()}
    found = {}
    for cells, answer in count_each(problem, questions, engine, settings):
        found[cells] = answer
        counted(CountRow(cells, answer.count, classes[cells][1]))
    rows = tuple(CountRow(cells, found[cells].count, members) for cells, (_, members) in classes.items())
    total = directed = sum(row.multiplicity * row.count for row in rows)
    if not problem.ground.directed:
        # An undirected tour has two ends: it is counted under both starts, but under one pair.
        total, directed = (total // 2, total) if by == "start" else (total, 2 * total)
    chosen, peak = summary(found.values())
    return CountTable(total, by, rows, problem, directed, peak, engine=chosen)


def endpoint_classes(
    problem: TourProblem, by: str, settings: Settings | None = None
) -> dict[Ends, tuple[TourProblem, int]]:
    """Classes of starts or of pairs of ends by their smallest member: the problem with it, their size.

    Classes are those under the symmetries that map the problem to itself, without those that colours rule
    out. Raises BadInput for closed tours, given ends, steps or sums, and another ``by``; OutOfMemory if there
    are too many pairs.

    >>> classes = endpoint_classes(TourProblem(board="3x4", closed=False), "start")
    >>> [(str(each), members) for each, members in classes.values()]
    [('open 3x4 start a3', 4), ('open 3x4 start b3', 4), ('open 3x4 start a2', 2), ('open 3x4 start b2', 2)]
    """
    if by not in ("start", "ends"):
        raise BadInput(f"classes by {by!r} are unknown: use start or ends")
    if problem.closed:
        raise BadInput("classes by start or ends are those of open tours; a closed tour has no ends")
    if problem.start is not None or problem.end is not None:
        raise BadInput(f"classes by {by} need both ends free: leave out start and end")
    if problem.step_indexed:
        raise BadInput(
            f"classes by {by} need conditions that hold in both directions: leave out steps and sums"
        )
    pairs, settings = math.comb(len(problem.ground), 2), settings or Settings()
    if by == "ends" and (needed := pairs * _BYTES_PER_PAIR) > settings.memory_budget:
        raise OutOfMemory(
            f"the {pairs:,} pairs of ends of {problem} take at least {shown_bytes(needed)}; the memory limit "
            f"is {shown_bytes(settings.memory_limit)}"
        )
    classes = {}
    for orbit in (cell_orbits if by == "start" else pair_orbits)(problem.ground, problem.automorphisms):
        cells = orbit.representative
        each = problem.replace(start=cells[0], end=cells[1] if by == "ends" else None)
        obstruction = each.obstruction()
        if obstruction is None or obstruction.theorem != "colours":
            classes[cells] = each, orbit.multiplicity
    return classes
