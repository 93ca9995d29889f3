"""Tours up to symmetry: how many classes there are of tours that symmetries carry into each other.

By Burnside's lemma the number of classes is the mean, over the group, of the numbers of tours that a symmetry
leaves as they are. The identity leaves all: they are counted like any others, with ``join`` for instance. The
others leave few, and these are counted in the quotient.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from ktsolve.engines.quotient import QuotientEngine
from ktsolve.errors import BadInput
from ktsolve.ground.symmetry import SYMMETRIES, Symmetry
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock, Settings
from ktsolve.symmetry.groups import ConjugacyClass, burnside, conjugacy_classes
from ktsolve.tasks.dispatch import count

__all__ = ["Invariant", "SymmetryClasses", "count_up_to_symmetry"]


@dataclass(frozen=True)
class Invariant:
    """How many tours a symmetry leaves as they are.

    Attributes
    ----------
    symmetry:
        Name of the symmetry; it stands for a class of symmetries that do the same in other places.
    elements:
        Number of symmetries in the class.
    count:
        Undirected tours that each of them leaves as they are.
    engine:
        Who counted them.
    """

    symmetry: str
    elements: int
    count: int
    engine: str


@dataclass(frozen=True)
class SymmetryClasses:
    """A number of tours up to symmetry.

    Attributes
    ----------
    classes:
        Number of classes.
    count:
        Undirected tours in all.
    invariant:
        What the number follows from, class by class of the group, the identity first.
    seconds:
        Wall-clock time.
    """

    classes: int
    count: int
    invariant: tuple[Invariant, ...]
    seconds: float

    @property
    def order(self) -> int:
        """Number of symmetries."""
        return sum(each.elements for each in self.invariant)


def count_up_to_symmetry(
    problem: TourProblem, engine: str = "auto", settings: Settings | None = None
) -> SymmetryClasses:
    """The number of undirected tours up to the symmetries that map the problem to itself.

    Parameters
    ----------
    engine:
        Counts all tours; what single symmetries leave is counted in the quotient.

    Raises
    ------
    BadInput
        If the problem asks for a symmetry, or for steps or sums, which belong to numbered tours.
    Refused
        If a symmetry has an order that is no power of 2, as those of wrapped boards may.
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
    started = time.perf_counter()
    settings = settings or Settings()
    if problem.symmetry is not None:
        raise BadInput("classes up to symmetry are those of all tours: leave out symmetry")
    if problem.numbered:
        raise BadInput("classes up to symmetry are those of moves made: leave out steps and sums")
    clock = Clock(settings.timeout)
    group = {symmetry.images: symmetry for symmetry in problem.automorphisms}
    invariant: list[Invariant] = []
    by_images: dict[tuple[int, ...], int] = {}
    classes = conjugacy_classes(list(group))
    # Those of few tours first: what cannot be counted at all is refused before the long count begins.
    for each in sorted(classes, key=lambda one: group[one.representative].name == "identity"):
        within = clock.within(settings, f"{len(invariant)} of {len(classes)} classes of symmetries counted")
        found = _invariant(problem, group[each.representative], each, engine, within)
        by_images[each.representative] = found.count
        invariant.append(found)
    names = [symmetry.name for symmetry in group.values()]
    invariant.sort(key=lambda one: names.index(one.symmetry))
    return SymmetryClasses(
        burnside(classes, by_images.__getitem__),
        invariant[0].count,
        tuple(invariant),
        time.perf_counter() - started,
    )


def _invariant(
    problem: TourProblem, symmetry: Symmetry, each: ConjugacyClass, engine: str, settings: Settings
) -> Invariant:
    if symmetry.name == "identity":
        answer = count(problem, engine, settings)
        return Invariant(symmetry.name, each.size, answer.count, answer.engine)
    # A symmetry and the one that undoes it leave the same tours, and one of them may have a name.
    name = "rot90" if symmetry.name == "rot270" else symmetry.name
    if name in SYMMETRIES:
        answer = count(problem.replace(symmetry=name), "quotient", settings)
        return Invariant(symmetry.name, each.size, answer.count, answer.engine)
    counted = QuotientEngine().count_invariant(problem, symmetry.images, settings)
    return Invariant(symmetry.name, each.size, counted.count, QuotientEngine.name)
