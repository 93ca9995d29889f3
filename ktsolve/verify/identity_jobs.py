"""Jobs of the cross-check: identities, best values, endpoint tables, conflicts, instance files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from ktsolve.engines.auto import choose
from ktsolve.engines.protocols import CountsPairs
from ktsolve.engines.registry import engine_named
from ktsolve.engines.through_model import ThroughModel
from ktsolve.graphs.board import Board
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.graphs.symmetry import move_orbits
from ktsolve.graphs.tour_rows import TourRows
from ktsolve.problem.conditions import parse_condition
from ktsolve.problem.longest import LongestProblem
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import parse_objective
from ktsolve.tasks.best import best
from ktsolve.tasks.count import generating_function
from ktsolve.tasks.explain import find_conflict
from ktsolve.tasks.find import find, find_all
from ktsolve.tasks.instance import load_instance, shipped_instances, solve_instance
from ktsolve.tasks.longest import longest_walk
from ktsolve.verify.engine_jobs import engine_for
from ktsolve.verify.jobs import Context, Job, Sides
from ktsolve.verify.published import class_sizes, endpoint_table


def _count(context: Context, engine: str, problem: TourProblem) -> int:
    return engine_for(context, engine, "count", problem).count(problem, context.settings).count


def adjacent_ends(context: Context, size: str, engine: str) -> Sides:
    """Open tours whose ends are a move apart number cells x closed tours."""
    closed = TourProblem(board=size, closed=True)
    total = 0
    for orbit in move_orbits(closed.board):
        start, end = orbit.representative
        problem = TourProblem(board=size, closed=False, start=start, end=end)
        total += orbit.multiplicity * _count(context, engine, problem)
    return Sides(str(total), str(len(closed.board) * _count(context, engine, closed)))


def _classes(context: Context, size: str, engine: str) -> Sides:
    """Closed tours up to symmetry, listed, and the published classes."""
    closed = TourProblem(board=size, closed=True)
    tours = engine_for(context, engine, "enumerate", closed).enumerate(closed, context.settings)
    sizes = Counter(tour.canonical().indices for tour in tours)
    spectrum = dict(sorted(Counter(sizes.values()).items()))
    known = class_sizes(size)
    return Sides(f"{len(sizes)} classes {spectrum}", f"{sum(known.values())} classes {known}")


def _burnside(context: Context, size: str, engine: str) -> Sides:
    """The number of classes by Burnside's lemma, from the numbers of tours invariant under each symmetry."""
    plain = TourProblem(board=size, closed=True)
    half, quarter, mirror = (
        _count(context, engine, plain.replace(symmetry=name)) for name in ("rot180", "rot90", "flip-h")
    )
    # A reflection in a diagonal fixes more than two cells, a symmetry of a tour at most two.
    if choose(engine, "count", plain.replace(symmetry="rot180")).needs:
        whole = choose("auto", "count", plain).count(plain, context.settings).count
    else:
        whole = _count(context, engine, plain)
    invariant = whole + half + 2 * quarter + 2 * mirror
    classes = sum(class_sizes(size).values())
    return Sides(f"{invariant} = 8 x {invariant // 8}", f"{8 * classes} = 8 x {classes}")


def _congruence(context: Context, size: str, engine: str) -> Sides:
    """Closed tours of a square and those invariant under the half turn are together a multiple of 8.

    This is Burnside's lemma on squares where no tour has a quarter turn or a reflection.
    """
    sizes = class_sizes(size)
    half_turn = sum(members * number for members, number in sizes.items() if members < 8)
    found = _count(context, engine, TourProblem(board=size, closed=True))
    quotient, rest = divmod(found + half_turn, 8)
    tours = sum(members * number for members, number in sizes.items())
    return Sides(
        f"{found} + {half_turn} = 8 x {quotient} + {rest}",
        f"{tours} + {half_turn} = 8 x {sum(sizes.values())} + 0",
    )


def _endpoints(context: Context, size: str, engine: str, step: int = 1, shared: bool = False) -> Sides:
    """Every ``step``-th row of the published table of endpoint classes, and the total of the rows.

    ``shared`` counts all pairs of ends in one call of the engine.
    """
    table = endpoint_table(size)[::step]
    problem = TourProblem(board=size, closed=False)
    counts = {}
    if shared:
        sharing = engine_named(engine)
        assert isinstance(sharing, CountsPairs)
        for pair, counted in sharing.count_pairs(problem, [row.cells for row in table], context.settings):
            counts[pair] = counted.count + (engine == context.faulty)
    else:
        for row in table:
            start, end = row.cells
            counts[row.cells] = _count(context, engine, problem.replace(start=start, end=end))
    wrong = [
        f"{row.cells[0]}-{row.cells[1]}: {counts[row.cells]}, published {row.count}"
        for row in table
        if counts[row.cells] != row.count
    ]
    total = sum(row.multiplicity * counts[row.cells] for row in table)
    if step > 1 or shared:
        whole = sum(row.multiplicity * row.count for row in table)
    else:
        whole = _count(context, engine, problem)
    left = f"{len(table) - len(wrong)} of {len(table)} classes, total {total}"
    if wrong:
        left += f" ({'; '.join(wrong[:3])})"
    return Sides(left, f"{len(table)} of {len(table)} classes, total {whole}")


def _recurrence(context: Context, size: str, engine: str) -> Sides:
    """A far term of the proved recurrence of a strip, and the count of the board."""
    rows, columns = map(int, size.split("x"))
    closed = rows != 4  # boards with a side of 4 have no closed tours
    function = generating_function(f"{rows}xN", closed=closed, settings=context.settings)
    counted = _count(context, engine, TourProblem(board=size, closed=closed))
    return Sides(str(counted), str(function.terms(columns)[-1]))


_IDENTITIES = (
    ("adjacent ends", adjacent_ends, ("5x6", "search"), "quick"),
    ("adjacent ends", adjacent_ends, ("6x6", "frontier"), "quick"),
    ("classes", _classes, ("6x6", "search"), "quick"),
    ("burnside", _burnside, ("6x6", "sat"), "quick"),
    ("burnside", _burnside, ("6x6", "quotient"), "quick"),
    ("endpoints", _endpoints, ("6x6", "frontier"), "quick"),
    ("endpoints", _endpoints, ("6x6", "join"), "quick"),
    ("shared endpoints", _endpoints, ("6x6", "join", 1, True), "quick"),
    ("recurrence", _recurrence, ("3x120", "frontier"), "quick"),
    ("recurrence", _recurrence, ("4x60", "frontier"), "quick"),
    ("recurrence", _recurrence, ("4x60", "strip"), "quick"),
    ("endpoints", _endpoints, ("7x7", "join"), "standard"),
    ("shared endpoints", _endpoints, ("7x7", "join", 1, True), "standard"),
    ("congruence", _congruence, ("8x8", "join"), "standard"),
    ("burnside", _burnside, ("8x8", "quotient"), "standard"),
    ("some endpoints", _endpoints, ("8x8", "join", 17), "full"),
    ("shared endpoints", _endpoints, ("8x8", "join", 1, True), "full"),
)


def identity_jobs(_level: str) -> Iterator[Job]:
    """Jobs of identities."""
    for name, work, arguments, level in _IDENTITIES:
        size, engine, *_ = arguments
        limited = not isinstance(engine_named(str(engine)), ThroughModel)
        yield Job(f"{name} {size} ({engine})", work, arguments, level, seconds=4.0, limited=limited)


def _instance(context: Context, path: str, expected: str) -> Sides:
    """The solution of a shipped instance and the answer that the file expects."""
    answer = solve_instance(load_instance(path), "auto", context.settings)
    return Sides(expected, expected, answer.disagreement)


def instance_jobs(_level: str) -> Iterator[Job]:
    """A job per shipped instance with an expected answer."""
    for path in shipped_instances():
        expect = load_instance(path).expect
        if expect.status is not None:
            expected = expect.status if expect.count is None else f"{expect.status}, {expect.count}"
            yield Job(f"instance {Path(path).stem}", _instance, (path, expected), section="instances")


_BEST = (
    ("6x6", "minimise", "obtuse", "quick"),
    ("6x6", "maximise", "straight", "quick"),
    ("5x6", "minimise", "crossings", "quick"),
    ("6x6", "minimise", "turns", "standard"),
    ("6x6", "maximise", "acute", "standard"),
    ("6x6", "maximise", "obtuse", "standard"),
    ("6x6", "maximise", "right", "full"),
    ("6x6", "minimise", "crossings", "full"),
)

# Side, closed, published length (OEIS A003192, A157416), engines, level.
_NON_CROSSING = (
    (4, False, 5, ("search", "cpsat"), "quick"),
    (4, True, 4, ("search", "cpsat"), "quick"),
    (5, False, 10, ("search",), "quick"),
    (5, True, 8, ("search", "cpsat"), "standard"),
    (6, False, 17, ("search",), "quick"),
    (6, True, 12, ("search",), "quick"),
    (7, True, 24, ("search",), "standard"),
    (7, False, 24, ("search",), "full"),
)


# Graph, whether the cycle is induced, published length (OEIS A165143, A357501), level.
_LONGEST = (
    ("petersen", False, 9, "quick"),
    ("knight:4x4", True, 10, "quick"),
    ("king:5x5", True, 12, "standard"),
)


def _best(context: Context, size: str, sense: str, statistic: str) -> Sides:
    """The best value over all closed tours: by CP-SAT, by SAT step by step, and from the list of tours."""
    problem = TourProblem(board=size, closed=True)
    objective = parse_objective(sense, statistic, problem.board)
    listed = [tour.indices for tour in find_all(problem, "search", context.settings)]
    of_all = objective.statistic.values(TourRows(problem.ground, np.array(listed), closed=True))
    values = []
    for engine in ("cpsat", "sat"):
        found = best(problem, objective, engine, context.settings)
        value = (found.value or 0) + (engine == context.faulty)
        values.append(str(value) if found.optimal else f"{value}, not proved")
    left = values[0] if values[0] == values[1] else " by cpsat, ".join(values) + " by sat"
    return Sides(left, str(of_all.min() if sense == "minimise" else of_all.max()))


def _non_crossing(context: Context, side: int, closed: bool, length: int, engines: tuple[str, ...]) -> Sides:
    """The longest non-crossing walk of a square by each engine, and the published length."""
    problem = LongestProblem(Board(side, side), closed, non_crossing=True)
    lengths = set()
    for engine in engines:
        found = longest_walk(problem, engine, context.settings)
        moves = f"{found.length + (engine == context.faulty)} moves"
        lengths.add(moves if found.optimal else f"{moves}, not proved")
    return Sides(" and ".join(sorted(lengths)), f"{length} moves")


def _longest(context: Context, name: str, induced: bool, length: int) -> Sides:
    """The longest cycle of a graph by each engine, and the published length."""
    problem = LongestProblem(named_graph(name), closed=True, induced=induced)
    lengths = set()
    for engine in ("frontier", "sat", "cpsat"):
        found = longest_walk(problem, engine, context.settings)
        edges = f"{found.length + (engine == context.faulty)} edges"
        lengths.add(edges if found.optimal else f"{edges}, not proved")
    return Sides(" and ".join(sorted(lengths)), f"{length} edges")


def _fewest_obtuse(context: Context) -> Sides:
    """Closed tours of the chessboard with at most three obtuse angles, and with four (Knuth 2025)."""
    board = Board.parse("8x8")
    three, four = (
        TourProblem(board=board, closed=True, conditions=parse_condition("most", f"obtuse={most}", board))
        for most in (3, 4)
    )
    none = find(three, "sat", context.settings).tour is None
    tours = list(find_all(four, "sat", context.settings))[context.faulty == "sat" :]
    classes = len({tour.canonical() for tour in tours})
    left = f"{'none' if none else 'some'} with 3; {len(tours)} with 4, {classes} up to symmetry"
    return Sides(left, "none with 3; 4 with 4, 1 up to symmetry")


def _conflict(context: Context) -> Sides:
    """The conditions named in a conflict, and those that conflict."""
    problem = TourProblem(
        board="6x6", closed=False, start="a1", end="c3", require=["b1-d2"], forbid=["d4-f5"]
    )
    return Sides("; ".join(find_conflict(problem, 20.0, context.settings).texts), "start a1; end c3")


_job = partial(Job, seconds=3.0, limited=True)


def condition_jobs(_level: str) -> Iterator[Job]:
    """Jobs of conditions."""
    for size, sense, statistic, level in _BEST:
        yield _job(f"{sense} {statistic} {size}", _best, (size, sense, statistic), level)
    for side, closed, length, engines, level in _NON_CROSSING:
        name = f"non-crossing {'cycle' if closed else 'path'} {side}x{side}"
        yield _job(name, _non_crossing, (side, closed, length, engines), level)
    for graph, induced, length, level in _LONGEST:
        yield _job(f"longest{' induced' * induced} cycle {graph}", _longest, (graph, induced, length), level)
    yield _job("fewest obtuse angles 8x8", _fewest_obtuse)
    yield _job("conflicting conditions 6x6", _conflict)
