"""Jobs of the cross-check about tours in a fixed order, samples of them, and tours by their moves.

They call engines directly, without the checks of :mod:`ktsolve.tasks.tours`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.uniform import uniform_integers
from ktsolve.engines.auto import choose, ranked
from ktsolve.engines.interface import Engine, listed_move_counts, listed_tally
from ktsolve.engines.protocols import Ranking, RanksTours
from ktsolve.engines.registry import engine_named, engines_for
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.graphs.tour_rows import TourRows
from ktsolve.problem.move_sets import read_move_sets
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.distribution import Number
from ktsolve.tasks.find import find_all
from ktsolve.tasks.survey import read_measures, survey
from ktsolve.tasks.tours import labeled_rows, tours
from ktsolve.verify.engine_jobs import LABEL, answer, engine_for, labels_of
from ktsolve.verify.jobs import Context, Job, Sides

_SEED = 7


def _ranking(context: Context, engine: str, problem: TourProblem) -> Ranking:
    ranking_engine = engine_for(context, engine, "rank", problem)
    assert isinstance(ranking_engine, RanksTours)
    return ranking_engine.ranking(problem, context.settings)


def _mistakes(problem: TourProblem, ranking: Ranking, context: Context, places: list[int]) -> Iterator[str]:
    """What is wrong with the tours at some places, and with their ranks."""
    rows = ranking.unrank(places, context.settings)
    answers = problem.check_rows(rows)
    if not answers.all():
        yield f"tour {places[int(np.argmin(answers))]} is not a tour"
        return
    backwards = rows if problem.ground.directed or problem.directions == 1 else rows[:, ::-1]
    for given in (rows, np.ascontiguousarray(backwards)):
        for place, rank in zip(places, ranking.rank(given, context.settings), strict=True):
            if rank != place:
                yield f"tour {place} is ranked {rank}"
                return


def bijection(context: Context, problem: TourProblem, engine: str) -> Sides:
    """All tours of an engine's order, compared as a set with those of search; each ranked back."""
    ranking = _ranking(context, engine, problem)
    listed = answer(context, problem, "search").tours or frozenset()
    places = list(range(ranking.count))
    wrong = list(_mistakes(problem, ranking, context, places))
    tours = list(labels_of(problem, ranking.unrank(places, context.settings)))
    if len(set(tours)) != len(tours):
        wrong.append(f"{len(tours) - len(set(tours))} tours twice")
    if set(tours) != listed:
        wrong.append(f"{len(listed - set(tours))} tours of search missing")
    return Sides.unless(wrong, f"{len(listed)} tours, each with its own number")


def round_trip(context: Context, problem: TourProblem, engine: str, number: int) -> Sides:
    """Tours at random places, checked and ranked back."""
    ranking = _ranking(context, engine, problem)
    places = uniform_integers(ranking.count, number, _SEED)
    return Sides.unless(
        list(_mistakes(problem, ranking, context, places)), f"{number} of {ranking.count} tours ranked back"
    )


def chi_square_bound(freedom: int, deviations: float = 4.0) -> float:
    """A value that chi-square exceeds as seldom as a normal variable exceeds a number of standard deviations.

    Source: E. B. Wilson, M. M. Hilferty, The distribution of chi-square, 1931.

    >>> round(chi_square_bound(10, 3.09), 1)  # 29.6 in tables, for 0.001
    29.8
    """
    share = 2 / (9 * freedom)
    return float(freedom * (1 - share + deviations * math.sqrt(share)) ** 3)


def shares(context: Context, problem: TourProblem, engine: str, draws: int) -> Sides:
    """A sample, in which every tour must be about equally often: chi-square."""
    ranking = _ranking(context, engine, problem)
    places = uniform_integers(ranking.count, draws, _SEED)
    seen = Counter(labels_of(problem, ranking.unrank(places, context.settings)))
    tours = answer(context, problem, "search").count
    if tours != ranking.count:
        return Sides(f"{ranking.count} tours", f"{tours} tours")
    expected = draws / tours
    missing = tours - len(seen)
    square = sum((each - expected) ** 2 for each in seen.values()) / expected + missing * expected
    bound = chi_square_bound(tours - 1)
    wrong = [f"chi-square {square:.1f} is over {bound:.1f}"] if square > bound else []
    return Sides.unless(wrong, f"{draws} draws of {tours} tours, equally often")


def frequencies(context: Context, problem: TourProblem, engine: str, draws: int) -> Sides:
    """How often each move is in a sample, compared with exact numbers of another way.

    The exact numbers are those of the engine that counts them, or of a list by search.
    """
    ranking = _ranking(context, engine, problem)
    rows = ranking.unrank(uniform_integers(ranking.count, draws, _SEED), context.settings)
    seen = _uses(problem, rows)
    if ranking.count <= 10_000:
        listed = answer(context, problem, "search").tours or frozenset()
        exact = _uses(problem, np.array([np.frombuffer(tour, LABEL) for tour in sorted(listed)]))
    else:
        tallying = choose("auto", "tally", problem)
        exact = np.array([float(each) for each in tallying.move_counts(problem, context.settings)])
    total = len(problem.ground) - (not problem.closed)
    wrong = []
    chance = exact / (exact.sum() / total)
    spread = np.sqrt(np.maximum(draws * chance * (1 - chance), 0.0))
    for place in np.flatnonzero(np.abs(seen - draws * chance) > 5 * spread + 1e-6).tolist():
        u, v = (problem.ground.cells[each] for each in problem.ground.edges[place])
        wrong.append(
            f"{problem.ground.move_name((u, v))} in {int(seen[place])} of {draws * chance[place]:.0f}"
        )
    return Sides.unless(wrong, f"{len(exact)} moves as often as expected in {draws} tours")


def _uses(problem: TourProblem, rows: NDArray[np.integer]) -> NDArray[np.float64]:
    """How many of some tours use each move, along the edges of the ground."""
    heads = np.roll(rows, -1, axis=1) if problem.closed else rows[:, 1:]
    tails = rows if problem.closed else rows[:, :-1]
    places = problem.ground.places_of(np.stack([tails.ravel(), heads.ravel()], axis=1))
    return np.bincount(places, minlength=len(problem.ground.edges)).astype(np.float64)


_ONE_WAY = Graph.from_arrays(
    5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 2), (2, 4), (4, 1), (1, 3), (3, 0)], directed=True
)

_SMALL = (
    TourProblem(board="5x6", closed=True),
    TourProblem(board="3x7", closed=False),
    TourProblem(board="5x5", closed=False, start="a1"),
    TourProblem(board="5x6", closed=False, start="a1", end="b1"),
    TourProblem(board=Board.parse("3x3", without="b2"), closed=False),
    TourProblem(board=Board.parse("6x6", without="a1 f1"), closed=True, require=["c3-d5"], forbid=["b2-d3"]),
    TourProblem(board=Board.parse("4x5", wrap="x"), closed=True),
    TourProblem(board=Board.parse("4x6", leaper=(0, 1)), closed=True),
    TourProblem(board="6x6", closed=True, symmetry="rot180"),
    TourProblem(board="6x6", closed=True, symmetry="rot90"),
    TourProblem(board=named_graph("petersen"), closed=False),
    TourProblem(board=named_graph("cubical"), closed=True),
    TourProblem(board=_ONE_WAY, closed=True),
    TourProblem(board=_ONE_WAY, closed=False, start="0"),
    TourProblem(board="4x4", closed=True),
)

_LARGER = (TourProblem(board="6x6", closed=True), TourProblem(board="5x8", closed=True))

_job = partial(Job, section="sequence", limited=True)


def sequence_jobs(_level: str) -> Iterator[Job]:
    """Jobs of tours in a fixed order, by every engine that ranks them."""
    for problem in _SMALL:
        for engine in engines_for("rank", problem):
            yield _job(f"order of {problem} ({engine})", bijection, (problem, engine), seconds=0.5)
    for problem in _LARGER:
        for engine in engines_for("rank", problem):
            name = f"order of {problem} ({engine})"
            yield _job(name, bijection, (problem, engine), "standard", seconds=10.0)
    ring, square = TourProblem(board="5x6", closed=True), TourProblem(board="6x6", closed=True)
    for engine in engines_for("rank", ring):
        yield _job(f"equal shares {ring} ({engine})", shares, (ring, engine, 8000))
        yield _job(f"sampled moves {square} ({engine})", frequencies, (square, engine, 20_000), seconds=2.0)
    chess = TourProblem(board="8x8", closed=True)
    engine = next(ranked("rank", chess), "")
    if engine:
        name = f"random places {chess} ({engine})"
        yield _job(name, round_trip, (chess, engine, 1000), "standard", seconds=10.0)
        name = f"random places {chess}, many ({engine})"
        yield _job(name, round_trip, (chess, engine, 100_000), "full", seconds=60.0)
    tallying = next(ranked("tally", chess), None)
    if engine and tallying is not None and engine_named(tallying).rough_milliseconds is None:
        name = f"sampled moves {chess} ({engine})"
        yield _job(name, frequencies, (chess, engine, 100_000), "standard", seconds=30.0)


# -- tours by the moves that they use ------------------------------------------------------------------------


def tally_of_list(context: Context, problem: TourProblem, engine: str, sets: str) -> Sides:
    """An engine's numbers of tours by uses of each set, and those of the list of all tours."""
    tallying = engine_for(context, engine, "tally", problem)
    wrong = []
    total = 0
    for each in read_move_sets(problem.ground, sets):
        places = each.places(problem.ground)
        listed = listed_tally(problem, engine_named("search").enumerate(problem, context.settings), places)
        total = sum(listed)
        if tallying.tally(problem, places, context.settings) != listed:
            wrong.append(each.name)
    return Sides.unless(wrong, f"{total} tours by uses of {sets}")


def moves_of_list(context: Context, problem: TourProblem, engine: str) -> Sides:
    """An engine's numbers of tours through each move, and those of the list of all tours."""
    found = engine_for(context, engine, "tally", problem).move_counts(problem, context.settings)
    listed = listed_move_counts(problem, engine_named("search").enumerate(problem, context.settings))
    places = [place for place, pair in enumerate(zip(found, listed, strict=True)) if pair[0] != pair[1]]
    wrong = [f"{problem.ground.move_names[place]}: {found[place]}, not {listed[place]}" for place in places]
    return Sides.unless(wrong, f"{len(listed)} moves, {sum(listed)} uses")


def moves_add_up(context: Context, problem: TourProblem, engine: str, sets: Sequence[str]) -> Sides:
    """Numbers of tours through moves add up to those by uses, to two at each cell, and to the count.

    The three are counted by different passes over different tables.
    """
    ground = problem.ground
    tallying = engine_for(context, engine, "tally", problem)
    counts = tallying.move_counts(problem, context.settings)
    total = engine_for(context, engine, "count", problem).count(problem, context.settings).count
    wrong = []
    if sum(counts) != len(ground) * total:
        wrong.append(f"{sum(counts)} moves of {total} tours")
    sums = [0] * len(ground)
    for (u, v), count in zip(ground.edges.tolist(), counts, strict=True):
        sums[u] += count
        sums[v] += count
    wrong += [
        f"{each} at {ground.name(cell)}"
        for cell, each in zip(ground.cells, sums, strict=True)
        if each != 2 * total
    ]
    for text in sets:
        for each in read_move_sets(ground, text):
            places = each.places(ground)
            uses = tallying.tally(problem, places, context.settings)
            if sum(uses) != total:
                wrong.append(f"{sum(uses)} tours by uses of {each.name}")
            if sum(j * count for j, count in enumerate(uses)) != sum(counts[place] for place in places):
                wrong.append(f"the mean of {each.name}")
    return Sides.unless(wrong, f"{total} tours, {len(counts)} moves")


_TALLIED = (
    (TourProblem(board="5x6", closed=True), "slopes"),
    (TourProblem(board="5x5", closed=False), "black-to-white"),
    (TourProblem(board="5x5", closed=False, start="a1"), "white-on-top"),
    (TourProblem(board="4x5", closed=False, start="a1", end="b1"), "frame"),
    (TourProblem(board=Board.parse("6x6", without="a1 f1"), closed=True, require=["c3-d5"]), "slope:1,2"),
    (TourProblem(board=Board.parse("4x5", wrap="x"), closed=True), "slopes"),
    (TourProblem(board=Board.parse("4x5", leaper=(0, 1)), closed=False), "border"),
    (TourProblem(board=named_graph("petersen"), closed=False), "0-1 1-2 0-5"),
    (TourProblem(board=named_graph("cubical"), closed=True), "0-1"),
    (TourProblem(board="6x6", closed=True, symmetry="rot180"), "slopes"),
    (TourProblem(board="3x6", closed=True), "corners"),
)


def tally_jobs(_level: str) -> Iterator[Job]:
    """Jobs of tours by the moves that they use, by every engine that tallies without a list."""

    def tallying(problem: TourProblem) -> list[str]:
        named = engines_for("tally", problem)
        return [name for name in named if type(engine_named(name)).tally is not Engine.tally]

    for problem, sets in _TALLIED:
        for engine in tallying(problem):
            yield _job(f"uses of {sets} {problem} ({engine})", tally_of_list, (problem, engine, sets))
            yield _job(f"moves of {problem} ({engine})", moves_of_list, (problem, engine))
    square = TourProblem(board="6x6", closed=True)
    for engine in tallying(square):
        name = f"moves add up {square} ({engine})"
        yield _job(name, moves_add_up, (square, engine, ("slopes", "corners", "frame")), seconds=2.0)
    for size, level, seconds in (("6x8", "standard", 5.0), ("7x8", "standard", 10.0), ("8x8", "full", 60.0)):
        problem = TourProblem(board=size, closed=True)
        engine = next(ranked("tally", problem))
        name = f"moves add up {problem} ({engine})"
        yield _job(name, moves_add_up, (problem, engine, ("slope:1,2",)), level, seconds=seconds)


# -- surveys -------------------------------------------------------------------------------------------------

_RARE = 5  # values expected less often than this in a sample are one class: chi-square is rough for them

_SURVEYED = (
    (TourProblem(board="6x6", closed=True), "turns,crossings,obtuse,uses:corners"),
    (TourProblem(board="5x5", closed=False, start="a1"), "turns,visit:c3"),
)


def _survey(context: Context, problem: TourProblem, of: str, engine: str) -> Sides:
    """Chi-square of a sample, and the exact numbers beside it, against the statistics of a list by search."""
    found = survey(
        tours(problem, engine=engine, settings=context.settings),
        of,
        10_000,
        seed=_SEED,
        settings=context.settings,
    )
    listed = find_all(problem, "search", context.settings)
    rows = TourRows(problem.ground, labeled_rows(problem, listed), closed=problem.closed)
    wrong = []
    for measure, each in zip(read_measures(of, problem), found.distributions, strict=True):
        exact: Counter[Number] = Counter(measure.values(rows).tolist())
        if each.exact != exact:
            wrong.append(f"{each.name} differs from the list")
        expected = {value: each.number * count / exact.total() for value, count in exact.items()}
        seen: dict[Number | None, int] = {}
        due: dict[Number | None, float] = {}
        for value, one in expected.items():
            place = value if one >= _RARE else None
            due[place] = due.get(place, 0.0) + one
            seen[place] = seen.get(place, 0) + each.samples.get(value, 0)
        square = sum((seen[place] - one) ** 2 / one for place, one in due.items())
        if square > chi_square_bound(max(1, len(due) - 1)) or each.samples.keys() - exact.keys():
            wrong.append(f"chi-square {square:.1f} of {each.name} is over the bound")
    return Sides.unless(wrong, f"{len(found.distributions)} statistics of {found.number} samples")


def survey_jobs(_level: str) -> Iterator[Job]:
    """Each problem by each engine that ranks its tours."""
    for problem, of in _SURVEYED:
        for engine in engines_for("rank", problem):
            yield Job(f"survey {problem} ({engine})", _survey, (problem, of, engine), section="sequence")
