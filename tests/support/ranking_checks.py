"""What holds of every ranking that can be listed in full, and the order of ``frontier`` by its definition."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ktsolve.base.limits import Settings
from ktsolve.engines.interface import Engine, listed_move_counts, listed_tally
from ktsolve.engines.protocols import Ranking, RanksTours
from ktsolve.engines.search.engine import SearchEngine
from ktsolve.graphs.tour import Tour
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem

NOW = Settings()

Moves = frozenset[tuple[int, int]]


def moves_of(problem: TourProblem, row: Sequence[int]) -> Moves:
    """The moves of a tour by numbers of cells."""
    after = [*row[1:], row[0]] if problem.closed else row[1:]
    pairs = zip(row, after, strict=False)
    return frozenset((a, b) if problem.ground.directed else (min(a, b), max(a, b)) for a, b in pairs)


def tours_by_search(problem: TourProblem) -> list[Tour]:
    return list(SearchEngine().enumerate(problem, NOW))


def check_in_full(engine: Engine, problem: TourProblem) -> list[list[int]]:
    """Rank and unrank are inverse bijections of all tours, which are those that ``search`` lists.

    Returns the tours in order.
    """
    assert isinstance(engine, RanksTours)
    ranking = engine.ranking(problem, NOW)
    rows = ranking.unrank(range(ranking.count), NOW)
    assert rows.shape == (ranking.count, len(problem.ground))
    assert problem.check_rows(rows).all()
    listed = tours_by_search(problem)
    found = [moves_of(problem, row) for row in rows.tolist()]
    assert len(set(found)) == ranking.count == len(listed)
    assert set(found) == {moves_of(problem, tour.indices) for tour in listed}
    assert ranking.rank(rows, NOW) == list(range(ranking.count))
    check_other_labelings(problem, ranking, rows)
    # One at a time, repeated, and in any order.
    some = [ranking.count - 1, 0, ranking.count // 2, 0] if ranking.count else []
    assert np.array_equal(ranking.unrank(some, NOW), rows[some])
    for index in set(some):
        assert np.array_equal(ranking.unrank([index], NOW), rows[[index]])
    # Uses of moves.
    places = list(range(0, len(problem.ground.edges), 3))
    assert engine.move_counts(problem, NOW) == listed_move_counts(problem, listed)
    assert engine.tally(problem, places, NOW) == listed_tally(problem, listed, places)
    whole: list[list[int]] = rows.tolist()
    return whole


def check_other_labelings(problem: TourProblem, ranking: Ranking, rows: np.ndarray) -> None:
    """A tour has one index, in either direction and from any cell of a closed one."""
    expected = list(range(len(rows)))
    if problem.closed:
        assert ranking.rank(np.roll(rows, 1, axis=1), NOW) == expected
    if not problem.ground.directed:
        assert ranking.rank(np.ascontiguousarray(rows[:, ::-1]), NOW) == expected


def choices(
    graph: CycleGraph, order: Sequence[int], problem: TourProblem, row: Sequence[int]
) -> list[list[int]]:
    """The choices of a tour in the order of the sweep, from the definition.

    Each vertex has the places, among its edges to later vertices, of those that the tour uses.
    """
    place = {vertex: i for i, vertex in enumerate(order)}
    walk = [*row]
    if graph.doubled:
        walk = [2 * v + i for v in row for i in range(2)]
    if graph.extra is not None:
        walk.append(graph.extra)
    used = {frozenset(pair) for pair in zip(walk, [*walk[1:], walk[0]], strict=True)}
    later: list[list[int]] = [[] for _ in order]
    made: list[list[int]] = [[] for _ in order]
    for u, v in graph.pairs:
        first = min(place[u], place[v])
        if {u, v} in used:
            made[first].append(len(later[first]))
        later[first].append(1)
    return [[*each, -1, -1][:2] for each in made]
