"""Tables of tours: through each move, by moves of a set, by the step of a visit, up to symmetry; by length.

By Burnside's lemma the number of classes under symmetries is the mean, over the group, of the numbers of
tours that are invariant under a symmetry. All tours are invariant under the identity and are counted as
usual. Few are invariant under another symmetry; these are counted in the quotient if its order is a power of
2, and else visited one by one by the search that takes all edges of an orbit or none. On a bare graph the
symmetries are its automorphisms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import islice, zip_longest
from typing import TYPE_CHECKING

from ktsolve.base.errors import BadInput, Refused, WrongAnswer
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.auto import engine_for_all
from ktsolve.engines.frontier.engine import FrontierEngine
from ktsolve.engines.frontier.partial import PartialSweep
from ktsolve.engines.interface import Engine
from ktsolve.engines.quotient.engine import QuotientEngine
from ktsolve.engines.search.engine import SearchEngine
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph, Move, Vertex
from ktsolve.graphs.groups import (
    ConjugacyClass,
    Permutation,
    automorphism_group,
    burnside,
    conjugacy_classes,
    cycle_lengths,
    generate,
    generators_of,
    order_of,
)
from ktsolve.graphs.symmetry import SYMMETRIES, Symmetry, move_orbits
from ktsolve.problem.longest import LongestProblem
from ktsolve.problem.move_sets import MoveSet, read_move_sets
from ktsolve.problem.problem import CONDITIONS, TourProblem
from ktsolve.tasks.answer import refutation_of, simplified_for, timed
from ktsolve.tasks.count_answer import CountRow, CountTable
from ktsolve.tasks.count_total import count_tours, has_sets_of_ends, pairs_of_ends
from ktsolve.tasks.find import find_all

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@timed
def count_by_uses(
    problem: TourProblem, moves: str | Iterable[str | Move], engine: str, settings: Settings
) -> CountTable:
    """Count tours by how many moves of a set they use: for each set a row for each number of uses.

    Sets that are images of each other under a symmetry of the problem have the same numbers and are counted
    once. The numbers add up to the number of tours, which is counted for itself and compared, unless the
    engine lists the tours. Raises BadInput if the moves name no set.

    The number of moves used so far becomes a part of each state of the sweeps (engines ``join`` and
    ``frontier``), so the cost is that of a count times the number of uses that occur for a state: one slope
    of closed 8x8 takes 4.3 times the states of the count without symmetries, and 10 s on two cores.

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
    """Count the tours that use each move, for all moves at once: a row for each class of moves.

    The numbers are checked: their sum is the number of tours times the moves of a tour; at each cell they add
    up to twice the number of closed tours, or lack at most the tours that end there; moves that a symmetry of
    the problem maps to each other have equal numbers. The number of tours is counted for itself, unless the
    engine lists the tours.

    One pass forwards and one backwards over the states of a sweep: a move's number is the sum, over all
    states and all edge choices that use it, of the ways to reach the state times the ways to complete the
    state that the choice leads to.

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


@timed
def count_by_length(problem: TourProblem, engine: str, settings: Settings) -> CountTable:
    """Count all cycles, or paths of at least one edge, by their number of edges; they may leave out vertices.

    The number of those that visit all vertices is counted for itself, by another engine if ``auto`` chooses
    one, and compared.

    >>> problem = TourProblem(board=Graph.of([(0, 1), (1, 2), (2, 0), (2, 3)]), closed=False)
    >>> count_by_length(problem, "auto", Settings()).counts
    {1: 4, 2: 5, 3: 2}
    """
    if engine not in ("auto", FrontierEngine.name):
        raise Refused(f"engine {engine} counts tours only, not by length: use {FrontierEngine.name}")
    walks = LongestProblem(problem.ground, problem.closed, problem.start, problem.end)
    if walks.spanning != problem:
        raise BadInput(f"{problem} has conditions, and a count by length takes ends only: leave them out")
    clock = Clock(settings)
    counts = PartialSweep(walks, settings).by_length() if len(problem.ground) > 1 else []
    tours = dict(enumerate(counts)).get(len(problem.ground) - (not problem.closed), 0)
    if counts and (known := count_tours(problem, "auto", clock.within(settings)).count) != tours:
        raise WrongAnswer(
            f"engine {FrontierEngine.name}: {tours} of {walks} visit all, and the count is {known}"
        )
    rows = tuple(CountRow((length,), number) for length, number in enumerate(counts) if number)
    return CountTable(sum(counts), "length", rows, problem, engine=FrontierEngine.name)


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

    They are simplified for ``auto``. Pairs that arithmetic refutes are left out, but for one if all are.
    """
    if has_sets_of_ends(problem):
        parts = [part for part, _ in pairs_of_ends(problem)]
        parts = [part for part in parts if part.obstruction() is None] or parts[:1] or [problem]
    else:
        parts = [problem]
    return [simplified_for("tally", part, engine, Settings())[0] for part in parts]


def _check_total(problem: TourProblem, total: int, engine: Engine, settings: Settings, what: str) -> None:
    """Raise WrongAnswer if a sum is not the number of tours; engines that list tours are not checked."""
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
        raise wrong("the sum is not a multiple of the moves of a tour")
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


# -- by the step of a visit ----------------------------------------------------------------------------------

MOST_LISTED = 2_000_000
"""Most undirected tours that are listed to count them by steps; they take about a minute."""


@timed
def count_by_steps(problem: TourProblem, cell: str | Vertex, engine: str, settings: Settings) -> CountTable:
    """Count the tours that visit a cell at each step; each direction of a tour counts.

    The tours are listed: at most ``MOST_LISTED``, more are refused. The states of sweeps hold which cells
    are joined and not how many lie between them, so that no engine counts steps without a list. Raises
    BadInput for a closed tour without a start, which has no first step.

    >>> problem = TourProblem(board="5x5", closed=False, start="a1")
    >>> [row.count for row in count_by_steps(problem, "c3", "auto", Settings()).rows[20:]]
    [24, 0, 16, 0, 16]
    """
    ground = problem.ground
    place = ground.index[ground.cell(cell)]
    if problem.closed and not problem.known_steps:
        raise BadInput(f"closed tours have no first step: give a start, such as --start {ground.names[0]}")
    clock = Clock(settings)
    # One number is counted without a list, so that long lists are refused at once.
    counted = count_tours(problem, "auto", settings)
    if counted.count > MOST_LISTED:
        raise Refused(
            f"tours by the step of a visit are listed, at most {MOST_LISTED:,}, and there are "
            f"{counted.count:,}: use ktsolve survey --of visit:{ground.names[place]}"
        )
    counts = [0] * len(ground)
    name = counted.engine
    if counted.found:
        tours = find_all(problem, engine, clock.within(settings))
        name = tours.engine
        for tour in tours:
            for numbered in problem.labelings(tour):
                counts[numbered.indices.index(place)] += 1
    rows = tuple(CountRow((step,), number) for step, number in enumerate(counts, 1))
    return CountTable(
        counted.count,
        "steps",
        rows,
        problem,
        sum(counts),
        cell=ground.cells[place],
        engine=name,
        reason=counted.reason,
    )


# -- up to symmetry ------------------------------------------------------------------------------------------

MOST_AUTOMORPHISMS = 100_000
"""Largest number of automorphisms of a bare graph; all of them are listed. 50,000 take some 5 s."""

_AT_ONCE = 4096  # tours of a list that are compared with their images together


@timed
def count_by_symmetry(problem: TourProblem, engine: str, settings: Settings) -> CountTable:
    """Count undirected tours up to the symmetries that map the problem to itself.

    A row for each conjugacy class of symmetries has the tours invariant under each of them: the numbers of
    Burnside's lemma. Raises BadInput if the problem requires a symmetry, or for steps or sums, which depend
    on the labeling by steps.

    >>> table = count_by_symmetry(TourProblem(board="6x6", closed=True), "auto", Settings())
    >>> table.classes
    1245
    >>> [(*row.key, row.multiplicity, row.count) for row in table.rows]
    [('identity', 1, 9862), ('rot90', 2, 10), ('rot180', 1, 78), ('flip-h', 2, 0), ('transpose', 2, 0)]

    Source: W. Burnside, Theory of Groups of Finite Order, 1897 (Cauchy and Frobenius before).
    """
    if problem.symmetry is not None:
        raise BadInput("classes up to symmetry are those of all tours: leave out symmetry")
    if problem.step_indexed:
        raise BadInput("classes up to symmetry are those of moves made: leave out steps and sums")
    clock = Clock(settings)
    if isinstance(problem.ground, Board):
        group = {symmetry.images: symmetry for symmetry in problem.automorphisms}
        classes = conjugacy_classes(list(group))
    else:
        generators = graph_automorphisms(problem, clock)
        classes = conjugacy_classes(generators)
        group = _named(classes)
    if problem.features & CONDITIONS:
        return _listed(problem, classes, group, engine, clock.within(settings))
    found: dict[tuple[int, ...], CountRow] = {}
    # The identity last: a symmetry that cannot be counted is refused before the long count begins.
    for each in sorted(classes, key=lambda one: group[one.representative].name == "identity"):
        within = clock.within(settings, f"{len(found)} of {len(classes)} classes of symmetries counted")
        found[each.representative] = _invariant(problem, group[each.representative], each, engine, within)
    rows = tuple(found[images] for images in group if images in found)
    number = burnside(classes, lambda images: found[images].count)
    return CountTable(rows[0].count, "symmetry", rows, problem, classes=number, engine=rows[0].engine)


def _invariant(
    problem: TourProblem, symmetry: Symmetry, each: ConjugacyClass, engine: str, settings: Settings
) -> CountRow:
    # The same tours are invariant under a symmetry and its inverse, and one of them may have a name.
    name = "rot90" if symmetry.name == "rot270" else symmetry.name
    if name == "identity":
        answer = count_tours(problem, engine, settings)
    elif name in SYMMETRIES:
        answer = count_tours(problem.replace(symmetry=name), QuotientEngine.name, settings)
    else:
        order = order_of(symmetry.images)
        if not _may_be_invariant(problem, symmetry.images):
            return CountRow((symmetry.name,), 0, each.size, engine="arithmetic")
        counting = SearchEngine() if problem.ground.directed or order & (order - 1) else QuotientEngine()
        counted = counting.count_invariant(problem, symmetry.images, settings)
        return CountRow((symmetry.name,), counted.count, each.size, engine=counting.name)
    return CountRow((symmetry.name,), answer.count, each.size, engine=answer.engine)


def _listed(
    problem: TourProblem,
    classes: list[ConjugacyClass],
    group: dict[Permutation, Symmetry],
    engine: str,
    settings: Settings,
) -> CountTable:
    """The classes by a list of all tours: for conditions that the quotient does not take."""
    import numpy as np

    n, closed, directed = len(problem.ground), problem.closed, problem.ground.directed

    def moves_of(rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The moves of each tour as sorted numbers."""
        first, second = rows[:, :-1], rows[:, 1:]
        if closed:
            first, second = rows, np.roll(rows, -1, axis=1)
        if not directed:
            first, second = np.minimum(first, second), np.maximum(first, second)
        return np.sort(first * n + second, axis=1)

    numbers: Counter[Permutation] = Counter()
    tours = find_all(problem, engine, settings)
    while some := list(islice(tours, _AT_ONCE)):
        rows = np.array([tour.as_closed(closed).indices for tour in some], dtype=np.int64)
        moves = moves_of(rows)
        for each in classes:
            images = np.array(each.representative, dtype=np.int64)
            numbers[each.representative] += int((moves_of(images[rows]) == moves).all(axis=1).sum())
    used = tours.engine or "arithmetic"
    order = {images: place for place, images in enumerate(group)}
    found = tuple(
        CountRow((group[each.representative].name,), numbers[each.representative], each.size, engine=used)
        for each in sorted(classes, key=lambda one: order[one.representative])
    )
    number = burnside(classes, numbers.__getitem__)
    return CountTable(found[0].count, "symmetry", found, problem, classes=number, engine=used)


def graph_automorphisms(problem: TourProblem, clock: Clock) -> list[Permutation]:
    """Generators of the automorphisms of a bare graph that map the problem to itself."""
    ground, conditions = problem.ground, problem.conditions
    n = len(ground)
    edges = [(u, v) for u, v in ground.edges.tolist()]
    group = automorphism_group(n, edges, directed=ground.directed, clock=clock)
    identity = tuple(range(n))
    if group.order > MOST_AUTOMORPHISMS:
        raise Refused(
            f"the graph has {group.order:,} automorphisms: tours are counted up to symmetry for at most "
            f"{MOST_AUTOMORPHISMS:,}"
        )
    generators = list(group.generators) or [identity]
    if not conditions:
        return generators
    kept = [
        images
        for images in generate(generators)
        if all(each.image(ground, Symmetry("", images)) in conditions for each in conditions)
    ]
    return generators_of(kept)


def _named(classes: list[ConjugacyClass]) -> dict[Permutation, Symmetry]:
    """The representatives of conjugacy classes, the identity first, named by the lengths of their cycles.

    ``1^2 2^4`` has two fixed points and four cycles of length two.
    """
    named: dict[Permutation, Symmetry] = {}
    seen: Counter[str] = Counter()
    for each in classes:
        lengths = Counter(cycle_lengths(each.representative))
        name = " ".join(f"{length}^{lengths[length]}" for length in sorted(lengths))
        if set(lengths) == {1}:
            name = "identity"
        seen[name] += 1
        named[each.representative] = Symmetry(
            name if seen[name] == 1 else f"{name} #{seen[name]}", each.representative
        )
    return named


def _may_be_invariant(problem: TourProblem, images: Permutation) -> bool:
    """Whether the orbits of a symmetry other than the identity allow a tour that it maps to itself.

    It turns a closed tour, so that all orbits have the same length, or reverses a tour: then its order is 2.
    """
    lengths = set(cycle_lengths(images))
    fixed = sum(1 for v, image in enumerate(images) if v == image)
    turned = problem.closed and len(lengths) == 1
    reversed_ = not problem.ground.directed and max(lengths) == 2 and fixed <= (2 if problem.closed else 1)
    return turned or reversed_
