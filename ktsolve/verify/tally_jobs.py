"""Jobs of the cross-check about tours by the moves that they use: engines against lists, and identities.

They call engines directly, without the checks of :mod:`ktsolve.tasks.counting.tables`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from ktsolve.engines.auto import ranked
from ktsolve.engines.interface import Engine, listed_move_counts, listed_tally
from ktsolve.engines.registry import engine_named, engines_for
from ktsolve.graphs.board import Board
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.problem.move_sets import read_move_sets
from ktsolve.problem.problem import TourProblem
from ktsolve.verify.engine_jobs import engine_for
from ktsolve.verify.jobs import Context, Job, Sides

__all__ = ["moves_add_up", "moves_of_list", "tally_jobs", "tally_of_list"]


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


_SMALL = (
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

_job = partial(Job, section="sequence", limited=True)


def tally_jobs(_level: str) -> Iterator[Job]:
    """Jobs of tours by the moves that they use, by every engine that tallies without a list."""
    for problem, sets in _SMALL:
        for engine in engines_for("tally", problem):
            if type(engine_named(engine)).tally is Engine.tally:
                continue
            yield _job(f"uses of {sets} {problem} ({engine})", tally_of_list, (problem, engine, sets))
            yield _job(f"moves of {problem} ({engine})", moves_of_list, (problem, engine))
    square = TourProblem(board="6x6", closed=True)
    for engine in engines_for("tally", square):
        if type(engine_named(engine)).tally is Engine.tally:
            continue
        name = f"moves add up {square} ({engine})"
        yield _job(name, moves_add_up, (square, engine, ("slopes", "corners", "frame")), seconds=2.0)
    for size, level, seconds in (("6x8", "standard", 5.0), ("7x8", "standard", 10.0), ("8x8", "full", 60.0)):
        problem = TourProblem(board=size, closed=True)
        engine = next(ranked("tally", problem))
        name = f"moves add up {problem} ({engine})"
        yield _job(name, moves_add_up, (problem, engine, ("slope:1,2",)), level, seconds=seconds)
