"""Count tours up to symmetry.

By Burnside's lemma the number of classes is the mean, over the group, of the numbers of tours that are
invariant under a symmetry. All tours are invariant under the identity and are counted as usual. Few are
invariant under another symmetry; these are counted in the quotient if its order is a power of 2, and else
visited one by one by the search that takes all edges of an orbit or none. On a bare graph the symmetries are
its automorphisms.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from ktsolve.base.errors import BadInput, Refused
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.quotient.engine import QuotientEngine
from ktsolve.engines.search.engine import SearchEngine
from ktsolve.graphs.board import Board
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
from ktsolve.graphs.symmetry import SYMMETRIES, Symmetry
from ktsolve.problem.problem import CONDITIONS, TourProblem
from ktsolve.tasks.answer import timed
from ktsolve.tasks.counting.answer import CountRow, CountTable
from ktsolve.tasks.counting.total import count_tours
from ktsolve.tasks.list import find_all

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["MOST_AUTOMORPHISMS", "count_by_symmetry"]


MOST_AUTOMORPHISMS = 100_000
"""Largest number of automorphisms of a bare graph; all of them are listed. 50,000 take some 5 s."""

_AT_ONCE = 4096
"""Tours of a list that are compared with their images together."""


@timed
def count_by_symmetry(problem: TourProblem, engine: str, settings: Settings) -> CountTable:
    """Count undirected tours up to the symmetries that map the problem to itself.

    Parameters
    ----------
    problem:
        The problem.
    engine:
        Counts all tours. Tours invariant under a symmetry are counted in the quotient or visited.
    settings:
        Limits and threads.

    Returns
    -------
    CountTable
        A row for each conjugacy class of symmetries with the tours invariant under each of them: the numbers
        of Burnside's lemma. ``classes`` is the number of tours up to symmetry.

    Raises
    ------
    BadInput
        If the problem requires a symmetry, or for steps or sums, which depend on the labeling by steps.
    Refused
        If a bare graph has more than :data:`MOST_AUTOMORPHISMS`, or an engine cannot take the problem.
    LimitReached
        If time or memory runs out first.

    Examples
    --------
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
        generators = _automorphisms(problem, clock)
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


def _automorphisms(problem: TourProblem, clock: Clock) -> list[Permutation]:
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
