"""Count tours up to symmetry.

By Burnside's lemma the number of classes is the mean, over the group, of the numbers of tours that are
invariant under a symmetry. All tours are invariant under the identity and are counted as usual. Few are
invariant under another symmetry; these are counted in the quotient.
"""

from __future__ import annotations

from dataclasses import dataclass

from ktsolve.engines.quotient import QuotientEngine
from ktsolve.errors import BadInput
from ktsolve.ground.symmetry import SYMMETRIES, Symmetry
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock, Settings
from ktsolve.symmetry.groups import ConjugacyClass, burnside, conjugacy_classes
from ktsolve.tasks.answer import BaseAnswer, timed
from ktsolve.tasks.count import count

__all__ = ["Invariant", "SymmetryClasses", "count_up_to_symmetry"]


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


@timed
def count_up_to_symmetry(
    problem: TourProblem, engine: str = "auto", settings: Settings | None = None
) -> SymmetryClasses:
    """The number of undirected tours up to the symmetries that map the problem to itself.

    Parameters
    ----------
    engine:
        Counts all tours. Tours invariant under a symmetry are counted in the quotient.

    Raises
    ------
    BadInput
        If the problem requires a symmetry, or for steps or sums, which depend on the numbering.
    Refused
        If the order of a symmetry is not a power of 2, which happens on wrapped boards.
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
    settings = settings or Settings()
    if problem.symmetry is not None:
        raise BadInput("classes up to symmetry are those of all tours: leave out symmetry")
    if problem.step_indexed:
        raise BadInput("classes up to symmetry are those of moves made: leave out steps and sums")
    clock = Clock(settings.timeout)
    group = {symmetry.images: symmetry for symmetry in problem.automorphisms}
    found: dict[tuple[int, ...], Invariant] = {}
    classes = conjugacy_classes(list(group))
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
        counted = QuotientEngine().count_invariant(problem, symmetry.images, settings)
        return Invariant(symmetry.name, each.size, counted.count, QuotientEngine.name)
    return Invariant(symmetry.name, each.size, answer.count, answer.engine)
