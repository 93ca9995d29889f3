"""Jobs of the cross-check: identities between numbers of tours, endpoint tables, instance files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ktsolve.engines.auto import choose
from ktsolve.engines.protocols import CountsPairs
from ktsolve.engines.registry import engine_named
from ktsolve.engines.through_model import ThroughModel
from ktsolve.graphs.symmetry import move_orbits
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.count import generating_function
from ktsolve.tasks.instance import load_instance, shipped_instances, solve_instance
from ktsolve.verify.engine_jobs import engine_for
from ktsolve.verify.jobs import Context, Job, Sides
from ktsolve.verify.published import class_sizes, endpoint_table

__all__ = ["adjacent_ends", "identity_jobs", "instance_jobs"]


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
    sizes: dict[tuple[int, ...], int] = {}
    for tour in engine_for(context, engine, "enumerate", closed).enumerate(closed, context.settings):
        least = tour.canonical().indices
        sizes[least] = sizes.get(least, 0) + 1
    spectrum = {number: list(sizes.values()).count(number) for number in sorted(set(sizes.values()))}
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
    return Sides(
        expected, expected, solve_instance(load_instance(path), "auto", context.settings).disagreement
    )


def instance_jobs(_level: str) -> Iterator[Job]:
    """A job per shipped instance with an expected answer."""
    for path in shipped_instances():
        expect = load_instance(path).expect
        if expect.status is not None:
            expected = expect.status if expect.count is None else f"{expect.status}, {expect.count}"
            yield Job(f"instance {Path(path).stem}", _instance, (path, expected), section="instances")
