"""Count the solutions of models exactly.

A model whose constraints fall into parts without common variables has the product of the counts of its parts.
A part is counted by listing its solutions, or by projected model counting with pyganak where it is installed.
Where there are too many to list, they are estimated and the count is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.text import number_of, separated
from ktsolve.base.units import shown_seconds
from ktsolve.engines.auto import model_solver
from ktsolve.engines.sat.descents import descents
from ktsolve.graphs.card import Card
from ktsolve.model.constraints import Literal, variables_of
from ktsolve.model.model import Model
from ktsolve.tasks.answer import timed
from ktsolve.tasks.count_answer import ExactCount
from ktsolve.tasks.model_counter import count_by_counter, has_counter
from ktsolve.tasks.solve import checked_assumptions, checked_solution, solve

__all__ = ["ModelCount"]

MOST_LISTED = 1_000_000
"""Solutions of a part that are counted by listing them."""

_LISTED_FIRST = 2000  # solutions of a part that are listed before a counter is tried, or an estimate is made
_SECONDS_FIRST = 60  # an estimate is made after these, too
_FOREVER = 3e7  # a list that would take longer, in seconds, is refused


@dataclass(frozen=True)
class ModelCount(ExactCount):
    """The exact number of solutions of a model.

    Attributes
    ----------
    count:
        Solutions that differ in the shown variables (:meth:`Model.show`).
    model:
        The model.
    """

    model: Model

    def __repr__(self) -> str:
        return f"<{separated(self.count)} solutions of {self.model.name}; {self.work_text}>"

    def _card(self) -> Card:
        return Card(f"{separated(self.count)} solutions of {self.model.name}", self._facts)


@timed
def count_solutions(
    model: Model,
    engine: str = "auto",
    settings: Settings | None = None,
    *,
    assumptions: Iterable[Literal] = (),
) -> ModelCount:
    """Count the solutions of a model exactly, whatever its objective; those that differ in shown variables.

    ``sat`` or ``cpsat`` lists the solutions, ``sharpsat`` counts by pyganak (an extra). ``auto`` lists few
    solutions by ``sat``, and counts many by pyganak if it is installed. Raises LimitReached if there are more
    than ``MOST_LISTED`` solutions and no counter, with an estimate of their number: soon, if random descents
    (:mod:`ktsolve.engines.sat.descents`) leave no doubt; or if the counter would take years by its times for
    parts of them (:mod:`ktsolve.tasks.model_counter`).

    >>> model = Model()
    >>> x = model.integers(3, 1, 50)
    >>> model.add(x[0] < x[1])
    >>> count_solutions(model).count == 50 * (50 * 49 // 2)
    True
    """
    settings = Settings.of(settings)
    clock = Clock(settings)
    stated = model.copy()
    stated.forget_objectives()
    for literal in checked_assumptions(model, assumptions):
        stated.fix(literal)
    total, names = 1, []
    for part, shown in _parts(stated):
        if not part.constraints:
            for variable in shown:
                low, high = variable.bounds
                total *= high - low + 1
            continue
        number, name = _count_part(part, bool(shown), engine, clock.within(settings))
        total *= number
        names.append(name)
        if not number:
            break
    return ModelCount(total, model, engine=", ".join(dict.fromkeys(names)) or "arithmetic")


def _parts(model: Model) -> Iterator[tuple[Model, list[Any]]]:
    """Parts of a model without common variables, with their shown variables; first that of free variables."""
    leader: dict[int, int] = {}

    def root(variable: int) -> int:
        while (up := leader.setdefault(variable, variable)) != variable:
            leader[variable] = leader[up]
            variable = leader[up]
        return variable

    first: list[int] = []
    empty = False
    for constraint in model.constraints:
        numbers = [each.number for each in variables_of(constraint)]
        empty |= not numbers
        first.append(numbers[0] if numbers else -1)
        for each in numbers[1:]:
            leader[root(each)] = root(numbers[0])
    constrained = set(leader) | {each for each in first if each >= 0}
    shown: dict[int, list[Any]] = {}
    for variable in {each.number: each for each in model.shown}.values():
        place = root(variable.number) if variable.number in constrained else -1
        shown.setdefault(place, []).append(variable)

    def part(roots: set[int]) -> Model:
        made = model.copy()
        chosen = zip(model.constraints, first, strict=True)
        made.constraints = [each for each, at in chosen if (root(at) if at >= 0 else -2) in roots]
        made.show([variable for at in roots for variable in shown.get(at, [])])
        return made

    free = shown.pop(-1, [])
    nothing = model.copy()
    nothing.constraints = []
    yield nothing, free
    roots = {root(each) for each in first if each >= 0}
    # Parts without shown variables need one solution each: all of them together.
    hidden = {each for each in roots if each not in shown} | ({-2} if empty else set())
    if hidden:
        yield part(hidden), []
    for each in sorted(roots - hidden):
        yield part({each}), shown[each]


def _count_part(part: Model, shown: bool, engine: str, settings: Settings) -> tuple[int, str]:
    """The number of solutions of a part, and what counted them."""
    if not shown:
        answer = solve(part, "auto" if engine == "sharpsat" else engine, settings)
        return int(answer.found), answer.engine
    if engine == "sharpsat":
        return count_by_counter(part, settings, always=True), engine
    clock = Clock(settings)
    counter = engine == "auto" and has_counter()
    # Where all variables are listed, those of other parts are fixed.
    solver = model_solver(engine, part, listing=True)
    if not solver.lists_shown:
        inside = {each.number for constraint in part.constraints for each in variables_of(constraint)}
        for variable in map(part.variable, set(range(len(part))) - inside):
            part.add(~variable if isinstance(variable, Literal) else variable == variable.low)
    number, estimated = 0, False
    for assignment in solver.solutions(part, settings):
        checked_solution(part, solver.name, assignment)
        number += 1
        first = number > _LISTED_FIRST or clock.elapsed > _SECONDS_FIRST
        if counter and first:
            return count_by_counter(part, clock.within(settings)), "sharpsat"
        if (first and not estimated) or number > MOST_LISTED:
            estimated = True
            _refuse_long_list(part, number, clock)
    return number, solver.name


def _refuse_long_list(part: Model, number: int, clock: Clock) -> None:
    """Raise LimitReached if there are too many solutions to list; a number of them has been listed."""
    pace = clock.elapsed / number
    found = None
    with suppress(BadInput):  # numbers too large for clauses
        found = descents(part, clock)
    most = min(MOST_LISTED, _FOREVER / pace)
    if number <= MOST_LISTED and (found is None or found.least <= most):
        return
    how_many = "there are too many to list"
    if found is not None:
        tries = number_of(len(found.weights), "random descent")
        how_many = (
            f"there are about {Decimal(found.mean):.1e}, the mean of {tries} (more than "
            f"{Decimal(found.least):.1e} but for one case in 1,000), and a list takes "
            f"{shown_seconds(pace * found.mean)}"
        )
    raise LimitReached(
        f"stopped at {number:,} solutions: {how_many}; engine sharpsat counts without listing "
        "(pip install 'ktsolve[sharpsat]')"
    )
