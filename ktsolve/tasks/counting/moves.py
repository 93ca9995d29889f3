"""Tables of tours by the moves they use: tours through each move, tours by their number of moves of a set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import zip_longest

from ktsolve.base.errors import WrongAnswer
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.auto import engine_for_all
from ktsolve.engines.interface import Engine
from ktsolve.graphs.graph import Graph, Move
from ktsolve.graphs.symmetry import move_orbits
from ktsolve.problem.move_sets import MoveSet, read_move_sets
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import refutation_of, simplified_for, timed
from ktsolve.tasks.counting.answer import CountRow, CountTable
from ktsolve.tasks.counting.total import count_tours, pairs_of_ends

__all__ = ["count_by_moves", "count_by_uses"]


@timed
def count_by_uses(
    problem: TourProblem, moves: str | Iterable[str | Move], engine: str, settings: Settings
) -> CountTable:
    """Count tours by how many moves of a set they use.

    Sets that are images of each other under a symmetry of the problem have the same numbers and are counted
    once. The numbers add up to the number of tours, which is counted for itself and compared, unless the
    engine lists the tours.

    Parameters
    ----------
    problem:
        The problem.
    moves:
        A name of :data:`ktsolve.problem.move_sets.MOVE_SETS`, a list of moves such as ``a1-b3,c2-d4``, or the
        moves themselves. ``slopes`` and ``black-to-white`` are several sets.
    engine:
        Name of the engine, or ``auto``.
    settings:
        Limits and threads.

    Returns
    -------
    CountTable
        For each set a row for each number of uses, up to the largest that occurs.

    Raises
    ------
    BadInput
        If the moves name no set.
    Refused
        If the engine cannot take the problem.
    LimitReached
        If time or memory runs out first.
    WrongAnswer
        If the numbers do not add up to the number of tours.

    Notes
    -----
    The number of moves used so far becomes a part of each state of the sweeps (engines ``join`` and
    ``frontier``), so the cost is that of a count times the number of uses that occur for a state: one slope
    of closed 8x8 takes 4.3 times the states of the count without symmetries, and 10 s on two cores.

    Examples
    --------
    >>> table = count_by_uses(TourProblem(board="6x6", closed=True), "corners c3-d5", "auto", Settings())
    >>> table.count, [row.count for row in table.rows]
    (9862, [0, 0, 0, 0, 0, 0, 0, 0, 9242, 620])
    >>> {name: float(round(mean, 3)) for name, mean in table.means.items()}
    {'corners c3-d5': 8.063}
    """
    sets = read_move_sets(problem.ground, moves)
    parts = _subproblems(problem, engine)
    chosen = engine_for_all(engine, "tally", parts)
    if (refutation := refutation_of(problem)) is not None:
        return CountTable(0, "uses", (), problem, sets=sets, **refutation)
    clock = Clock(settings)
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    rows: list[CountRow] = []
    for number, each in enumerate(sets):
        key = _class_of(problem, each)
        if key not in found:
            here = clock.within(_with_title(settings, each.name, number, len(sets)))
            counts = _tally(parts, each.places(problem.ground), chosen, here)
            _check_total(problem, sum(counts), chosen, clock.within(settings), f"uses of {each.name}")
            found[key] = counts
        rows += (CountRow((each.name, uses), count) for uses, count in enumerate(found[key]))
    total = sum(next(iter(found.values())))
    return CountTable(total, "uses", tuple(rows), problem, sets=sets, engine=chosen.name)


@timed
def count_by_moves(problem: TourProblem, engine: str, settings: Settings) -> CountTable:
    """Count the tours that use each move, for all moves at once.

    The numbers are checked: their sum is the number of tours times the moves of a tour; at each cell they add
    up to twice the number of closed tours, or lack at most the tours that end there; moves that a symmetry of
    the problem maps to each other have equal numbers. The number of tours is counted for itself, unless the
    engine lists the tours.

    Parameters
    ----------
    problem:
        The problem.
    engine:
        Name of the engine, or ``auto``.
    settings:
        Limits and threads.

    Returns
    -------
    CountTable
        A row for each class of moves under the symmetries of the problem.

    Raises
    ------
    Refused
        If the engine cannot take the problem.
    LimitReached
        If time or memory runs out first.
    WrongAnswer
        If a check fails.

    Notes
    -----
    One pass forwards and one backwards over the states of a sweep: a move's number is the sum, over all
    states and all edge choices that use it, of the ways to reach the state times the ways to complete the
    state that the choice leads to.

    Examples
    --------
    >>> table = count_by_moves(TourProblem(board="6x6", closed=True), "auto", Settings())
    >>> table.count, table.counts[(2, 2), (3, 4)]
    (9862, 620)
    >>> [(row.multiplicity, row.count) for row in table.rows][:3]
    [(8, 9862), (8, 6195), (8, 8611)]
    """
    ground = problem.ground
    parts = _subproblems(problem, engine)
    chosen = engine_for_all(engine, "tally", parts)
    if (refutation := refutation_of(problem)) is not None:
        none = _rows(problem, dict.fromkeys(ground.moves, 0))
        return CountTable(0, "moves", none, problem, **refutation)
    clock = Clock(settings)
    total = [0] * len(ground.edges)
    for part in parts:
        counts = chosen.move_counts(part, clock.within(settings))
        total = [a + b for a, b in zip(total, counts, strict=True)]
    moves = dict(zip(ground.moves, total, strict=True))
    in_tour = len(ground) if problem.closed else len(ground) - 1
    number, rest = divmod(sum(total), max(1, in_tour))
    if len(ground) == 1:
        number = int(not problem.closed)
    rows = _rows(problem, moves)
    _check_moves(problem, chosen.name, number, rest, moves, rows)
    _check_total(problem, number, chosen, clock.within(settings), "numbers of tours through moves")
    return CountTable(number, "moves", rows, problem, engine=chosen.name)


def _with_title(settings: Settings, name: str, number: int, sets: int) -> Settings:
    if settings.progress is None or sets == 1:
        return settings
    report: Callable[[float | None, str], None] = settings.progress
    return replace(
        settings, progress=lambda done, text: report(done, f"{name} ({number + 1} of {sets}): {text}")
    )


def _class_of(problem: TourProblem, moves: MoveSet) -> tuple[int, ...]:
    """A key that sets have in common which a symmetry of the problem maps to each other."""
    ground = problem.ground
    edges = ground.edges[moves.places(ground)]
    images = (
        tuple(sorted(ground.places_of([[symmetry(u), symmetry(v)] for u, v in edges.tolist()]).tolist()))
        for symmetry in problem.automorphisms
    )
    return min(images)


def _tally(
    parts: Iterable[TourProblem], moves: list[int], engine: Engine, settings: Settings
) -> tuple[int, ...]:
    clock = Clock(settings)
    total: list[int] = []
    for part in parts:
        counts = engine.tally(part, moves, clock.within(settings))
        total = [a + b for a, b in zip_longest(total, counts, fillvalue=0)]
    return tuple(total)


def _subproblems(problem: TourProblem, engine: str) -> list[TourProblem]:
    """Problems whose undirected tours are those of the problem: one for each pair of ends of given sets.

    They are simplified for ``auto``, as in :func:`ktsolve.tasks.answer.simplified_for`.

    Pairs that arithmetic refutes are left out, but for one if there are no others.
    """
    if (problem.starts or problem.ends) and not problem.closed and not problem.step_indexed:
        parts = [part for part, _ in pairs_of_ends(problem)]
        parts = [part for part in parts if part.obstruction() is None] or parts[:1] or [problem]
    else:
        parts = [problem]
    return [simplified_for("tally", part, engine, Settings())[0] for part in parts]


def _check_total(problem: TourProblem, total: int, engine: Engine, settings: Settings, what: str) -> None:
    """Compare a sum with the number of tours, which is counted for itself unless the engine lists the tours.

    Raises
    ------
    WrongAnswer
        If they differ.
    """
    if type(engine).tally is Engine.tally:
        return
    counted = count_tours(problem, engine.name, settings)
    if counted.count != total:
        raise WrongAnswer(
            f"engine {engine.name}: the {what} for {problem} sum to {total}, and the count is {counted.count}"
        )


def _rows(problem: TourProblem, moves: Mapping[Move, int]) -> tuple[CountRow, ...]:
    """A row for each class of moves."""
    rows = []
    for orbit in move_orbits(problem.ground, problem.automorphisms):
        a, b = orbit.representative
        members = tuple((u, v) for u, v in orbit.members)
        rows.append(CountRow((a, b), moves[a, b], len(members), members))
    return tuple(rows)


def _check_moves(
    problem: TourProblem,
    engine: str,
    number: int,
    rest: int,
    moves: Mapping[Move, int],
    rows: Iterable[CountRow],
) -> None:
    """Raise WrongAnswer if the numbers cannot be those of tours."""
    ground = problem.ground

    def wrong(what: str) -> WrongAnswer:
        return WrongAnswer(f"engine {engine}: in the numbers of tours of {problem} through each move, {what}")

    if rest:
        raise wrong("the sum is no multiple of the moves of a tour")
    for row in rows:
        for move in row.members:
            if moves[move] != row.count:
                raise wrong(f"{ground.move_name(move)} differs from its mirror image")
    lacking = 0
    for cell, sides in _at_each_cell(ground, moves).items():
        for side in sides:
            missing = (1 if ground.directed else 2) * number - side
            if missing < 0 or (problem.closed and missing):
                raise wrong(f"those at {ground.name(cell)} sum to {side}")
            lacking += missing
    if not problem.closed and len(ground) > 1 and lacking != 2 * number:
        raise wrong(f"{lacking} are missing at the ends, and {number} tours have two ends each")


def _at_each_cell(ground: Graph, moves: Mapping[Move, int]) -> dict[object, tuple[int, ...]]:
    """For each cell the sum over its moves; of a directed graph over arcs that leave it and that enter."""
    leaving, entering = Counter[object](), Counter[object]()
    for (a, b), count in moves.items():
        leaving[a] += count
        entering[b] += count
    if ground.directed:
        return {cell: (leaving[cell], entering[cell]) for cell in ground.cells}
    return {cell: (leaving[cell] + entering[cell],) for cell in ground.cells}
