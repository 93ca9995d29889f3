"""Jobs of the cross-check about tours in a fixed order: bijections, random indices, uniform samples.

They call engines directly, without the checks of :mod:`ktsolve.tasks.tours`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.uniform import uniform_integers
from ktsolve.engines.auto import choose, ranked
from ktsolve.engines.protocols import Ranking, RanksTours
from ktsolve.engines.registry import engine_named, engines_for
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.verify.engine_jobs import answer, engine_for
from ktsolve.verify.jobs import Context, Job, Sides

__all__ = ["bijection", "chi_square_bound", "sequence_jobs", "shares"]

_SEED = 7


def _ranking(context: Context, engine: str, problem: TourProblem) -> Ranking:
    ranking_engine = engine_for(context, engine, "rank", problem)
    assert isinstance(ranking_engine, RanksTours)
    return ranking_engine.ranking(problem, context.settings)


def _normal(problem: TourProblem, row: Sequence[int]) -> str:
    tour = Tour.from_indices(problem.ground, row, problem.closed)
    return "".join(map(chr, tour.normalised().indices))


def _faults(problem: TourProblem, ranking: Ranking, context: Context, places: list[int]) -> Iterator[str]:
    """What is wrong with the tours at some places, and with their ranks."""
    rows = ranking.unrank(places, context.settings)
    answers = problem.check_rows(rows)
    if not answers.all():
        yield f"tour {places[int(np.argmin(answers))]} is none"
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
    wrong = list(_faults(problem, ranking, context, places))
    tours = [_normal(problem, row) for row in ranking.unrank(places, context.settings).tolist()]
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
        list(_faults(problem, ranking, context, places)), f"{number} of {ranking.count} tours ranked back"
    )


def chi_square_bound(freedom: int, deviations: float = 4.0) -> float:
    """A value that chi-square exceeds as seldom as a normal variable exceeds so many standard deviations.

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
    seen: dict[str, int] = {}
    for row in ranking.unrank(places, context.settings).tolist():
        key = _normal(problem, row)
        seen[key] = seen.get(key, 0) + 1
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
        exact = _uses(problem, np.array([list(map(ord, tour)) for tour in sorted(listed)]))
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


# -- the jobs ------------------------------------------------------------------------------------------------

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
