"""Count tours up to symmetry.

By Burnside's lemma the number of classes is the mean, over the group, of the numbers of tours that are
invariant under a symmetry. All tours are invariant under the identity and are counted as usual. Few are
invariant under another symmetry; these are counted in the quotient if its order is a power of 2, and else
visited one by one by the search that takes all edges of an orbit or none. On a bare graph the symmetries are
its automorphisms.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from ktsolve.base.errors import BadInput, Refused
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.quotient.engine import QuotientEngine
from ktsolve.engines.search.engine import SearchEngine
from ktsolve.graphs.automorphisms import automorphism_group
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.groups import (
    ConjugacyClass,
    Permutation,
    burnside,
    conjugacy_classes,
    cycle_lengths,
    generate,
    generators_of,
    order_of,
)
from ktsolve.graphs.symmetry import SYMMETRIES, Symmetry
from ktsolve.problem.problem import CONDITIONS, TourProblem
from ktsolve.tasks.answer import BaseAnswer, timed
from ktsolve.tasks.count import count
from ktsolve.tasks.list import find_all

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["MOST_AUTOMORPHISMS", "Invariant", "SymmetryClasses", "count_up_to_symmetry"]


MOST_AUTOMORPHISMS = 100_000
"""Largest number of automorphisms of a bare graph; all of them are listed. 50,000 take some 5 s."""

_AT_ONCE = 4096
"""Tours of a list that are compared with their images together."""


@dataclass(frozen=True)
class Invariant:
    """The number of tours invariant under a symmetry.

    Attributes
    ----------
    symmetry:
        Name of the symmetry, which represents its conjugacy class.
    elements:
        Number of symmetries in the class.
    count:
        Undirected tours invariant under each of them.
    engine:
        Name of the engine that counted them.
    """

    symmetry: str
    elements: int
    count: int
    engine: str


@dataclass(frozen=True)
class SymmetryClasses(BaseAnswer):
    """A number of tours up to symmetry. The engine is the one that counted all tours.

    Attributes
    ----------
    classes:
        Number of classes.
    count:
        Undirected tours in all.
    invariant:
        The numbers of Burnside's lemma, by conjugacy class of the group, the identity first.
    """

    classes: int
    count: int
    invariant: tuple[Invariant, ...]

    @property
    def found(self) -> bool:
        """Whether there are tours."""
        return self.count > 0

    @property
    def order(self) -> int:
        """Number of symmetries."""
        return sum(each.elements for each in self.invariant)

    def records(self) -> list[dict[str, Any]]:
        """A row for each conjugacy class of symmetries, for tables such as ``pandas.DataFrame``.

        >>> count_up_to_symmetry("6x6").records()[1]
        {'symmetry': 'rot90', 'elements': 2, 'count': 10, 'engine': 'quotient'}
        """
        return [asdict(each) for each in self.invariant]


@timed
def count_up_to_symmetry(
    problem: TourProblem | Graph | str | Any,
    engine: str = "auto",
    settings: Settings | None = None,
    **conditions: Any,
) -> SymmetryClasses:
    """The number of undirected tours up to the symmetries that map the problem to itself.

    Parameters
    ----------
    problem:
        A problem; or a board, its size such as ``"8x8"``, a graph, or its name: see :meth:`TourProblem.of`.
    engine:
        Counts all tours. Tours invariant under a symmetry are counted in the quotient or visited.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`.

    Raises
    ------
    BadInput
        If the problem requires a symmetry, or for steps or sums, which depend on the numbering.
    Refused
        If a bare graph has more than :data:`MOST_AUTOMORPHISMS`.
    LimitReached
        If time or memory runs out.

    Examples
    --------
    >>> found = count_up_to_symmetry(TourProblem(board="6x6", closed=True))
    >>> found.classes
    1245
    >>> [(each.symmetry, each.elements, each.count) for each in found.invariant]
    [('identity', 1, 9862), ('rot90', 2, 10), ('rot180', 1, 78), ('flip-h', 2, 0), ('transpose', 2, 0)]

    Source: W. Burnside, Theory of Groups of Finite Order, 1897 (Cauchy and Frobenius before).
    """
    problem = TourProblem.of(problem, **conditions)
    settings = Settings.of(settings)
    if problem.symmetry is not None:
        raise BadInput("classes up to symmetry are those of all tours: leave out symmetry")
    if problem.step_indexed:
        raise BadInput("classes up to symmetry are those of moves made: leave out steps and sums")
    clock = Clock(settings.timeout)
    if isinstance(problem.ground, Board):
        group = {symmetry.images: symmetry for symmetry in problem.automorphisms}
        classes = conjugacy_classes(list(group))
    else:
        generators = _automorphisms(problem, clock)
        classes = conjugacy_classes(generators)
        group = _named(classes)
    if problem.features & CONDITIONS:
        return _listed(problem, classes, group, engine, clock.within(settings))
    found: dict[tuple[int, ...], Invariant] = {}
    # The identity last: a symmetry that cannot be counted is refused before the long count begins.
    for each in sorted(classes, key=lambda one: group[one.representative].name == "identity"):
        within = clock.within(settings, f"{len(found)} of {len(classes)} classes of symmetries counted")
        found[each.representative] = _invariant(problem, group[each.representative], each, engine, within)
    invariant = tuple(found[images] for images in group if images in found)
    number = burnside(classes, lambda images: found[images].count)
    return SymmetryClasses(number, invariant[0].count, invariant, engine=invariant[0].engine)


def _invariant(
    problem: TourProblem, symmetry: Symmetry, each: ConjugacyClass, engine: str, settings: Settings
) -> Invariant:
    # The same tours are invariant under a symmetry and its inverse, and one of them may have a name.
    name = "rot90" if symmetry.name == "rot270" else symmetry.name
    if name == "identity":
        answer = count(problem, engine, settings)
    elif name in SYMMETRIES:
        answer = count(problem.replace(symmetry=name), QuotientEngine.name, settings)
    else:
        order = order_of(symmetry.images)
        if not _may_be_invariant(problem, symmetry.images):
            return Invariant(symmetry.name, each.size, 0, "arithmetic")
        counting = SearchEngine() if problem.ground.directed or order & (order - 1) else QuotientEngine()
        counted = counting.count_invariant(problem, symmetry.images, settings)
        return Invariant(symmetry.name, each.size, counted.count, counting.name)
    return Invariant(symmetry.name, each.size, answer.count, answer.engine)


def _listed(
    problem: TourProblem,
    classes: list[ConjugacyClass],
    group: dict[Permutation, Symmetry],
    engine: str,
    settings: Settings,
) -> SymmetryClasses:
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
    invariant = tuple(
        Invariant(group[each.representative].name, each.size, numbers[each.representative], used)
        for each in sorted(classes, key=lambda one: order[one.representative])
    )
    number = burnside(classes, numbers.__getitem__)
    return SymmetryClasses(number, invariant[0].count, invariant, engine=used)


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
