"""Many questions about a model by one solver.

The solver keeps what it has learned. Clauses that it learns and subtour cuts that it adds stay valid, since
all of them follow from the model alone. Assumptions hold for one question. What is to hold sometimes only is
stated under a literal of its own, which is then assumed or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Self

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Clock, Settings, takes_settings
from ktsolve.engines.registry import solver_named
from ktsolve.engines.sat.lazy import LazySolver
from ktsolve.engines.sat.python_sat import LISTING_SOLVER, Statistics
from ktsolve.engines.through_model import SatEngine
from ktsolve.model.constraints import Assignment, Literal
from ktsolve.model.encode import number, numbers
from ktsolve.model.model import Model
from ktsolve.tasks.answer import EXHAUSTED, timed
from ktsolve.tasks.solve import ModelAnswer, Solution, checked_assumptions, checked_solution

__all__ = ["Solver"]

_RESERVED = 1000
"""Variables reserved for Booleans that the model gets later, if it has fewer now; else as many as it has."""


class Solver:
    """Answers many questions about a model by one SAT solver, which keeps what it learns.

    The model may get Booleans and constraints between questions; the next question takes them into account.
    An objective is ignored: :func:`ktsolve.solve` optimises.

    Parameters
    ----------
    model:
        The model.
    settings:
        ``timeout`` limits each question, checked between steps of the solver; ``solver`` names it. A memory
        limit is not kept here.

    Examples
    --------
    Which clues does a unique solution need? Each clue is stated under a literal of its own.

    >>> model = Model("digits")
    >>> cell = [model.booleans(f"{i}:{v}" for v in range(3)) for i in range(3)]
    >>> for i in range(3):
    ...     model.exactly(1, cell[i]); model.exactly(1, [row[i] for row in cell])
    >>> clues = model.booleans(["first is 0", "second is 1", "third is 2"])
    >>> for i, clue in enumerate(clues):
    ...     model.implies(clue, cell[i][i])
    >>> model.show([x for row in cell for x in row])
    >>> with Solver(model) as solver:
    ...     solution = solver.solve(clues)
    ...     other = solver.solve(clues, other_than=solution)
    ...     alone = solver.solve(clues[:1], other_than=solution)
    >>> other.found, len(other.core), alone.found
    (False, 2, True)
    """

    engine = SatEngine.name

    @takes_settings
    def __init__(self, model: Model, settings: Settings | None = None) -> None:
        self.model = model
        self._settings = Settings.of(settings)
        self._name = self._settings.solver or LISTING_SOLVER
        self._clock = Clock(None)
        self._lazy: LazySolver | None = None
        self._switches: dict[tuple[object, ...], int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def add(self, *constraints: Any, name: str | None = None) -> None:
        """Add constraints to the model, of which the next question takes account: :meth:`Model.add`.

        Parameters
        ----------
        *constraints, name:
            The constraints, and the name of their group.

        Examples
        --------
        >>> model = Model("either")
        >>> a, b = model.booleans("ab")
        >>> with Solver(model) as solver:
        ...     solver.add(a | b); first = solver.solve([~a])
        ...     solver.add(~b); second = solver.solve([~a])
        >>> first[b], second.found
        (True, False)
        """
        self.model.add(*constraints, name=name)

    def limit(self, settings: Settings) -> None:
        """Limit the time of the next calls to that of these settings.

        Parameters
        ----------
        settings:
            Limits.
        """
        self._settings = replace(
            self._settings, timeout=settings.timeout, total_timeout=settings.total_timeout
        )

    def close(self) -> None:
        """Free the memory of the SAT solver. A later question starts a new one."""
        if self._lazy is not None:
            self._lazy.close()
            self._lazy = None
        self._switches.clear()

    @timed
    def solve(
        self,
        assumptions: Iterable[Literal] = (),
        *,
        other_than: Solution | ModelAnswer | Assignment | None = None,
    ) -> ModelAnswer:
        """A solution that makes the assumptions true, or the proof that none exists.

        Without a solution, ``core`` of the answer has those of the assumptions that the proof needs. So, if
        there is no other solution than one, the assumptions of the core alone make it unique.

        Parameters
        ----------
        assumptions:
            Literals that the solution makes true.
        other_than:
            A solution, from which this one must differ in a Boolean that is shown (:meth:`Model.show`).

        Returns
        -------
        ModelAnswer
            The solution, or the core of the refutation.

        Raises
        ------
        LimitReached
            If time ran out first.
        """
        given = checked_assumptions(self.model, assumptions)
        lazy = self._started()
        wanted = numbers(given)
        if other_than is not None:
            wanted.append(self._switch(lazy, other_than))
        found = lazy.next_solution(assumptions=wanted)
        core = set(lazy.core)
        if found is not None:
            checked_solution(self.model, self.engine, found)
        return ModelAnswer(
            found,
            core=tuple(each for each in given if number(each) in core),
            model=self.model,
            engine=self.engine,
            reason="" if found is not None else EXHAUSTED,
        )

    def solutions(
        self, assumptions: Iterable[Literal] = (), *, number: int | None = None
    ) -> Iterator[Solution]:
        """All solutions that make the assumptions true and differ in shown Booleans, or up to ``number``.

        The model may not be changed before the iteration ends. Later calls can find the same solutions again.

        Parameters
        ----------
        assumptions:
            Literals that all solutions make true.
        number:
            The largest number of solutions; None for all.

        Returns
        -------
        iterator of Solution
            The solutions.
        """
        given = checked_assumptions(self.model, assumptions)
        lazy = self._started()
        switch = lazy.encoder.fresh()
        found = lazy.solutions([*numbers(given), switch], switch)
        try:
            for assignment in islice(found, number):
                yield Solution(checked_solution(self.model, self.engine, assignment), self.model)
        finally:
            lazy.add_clauses([[-switch]])

    def _started(self) -> LazySolver:
        """The SAT solver, with all that the model has now."""
        self._clock = Clock(self._settings)
        if self._lazy is not None and self._lazy.full:
            self.close()
        if self._lazy is None:
            solver_named(self.engine).require(self.model)
            self._lazy = LazySolver(
                self.model,
                self._name,
                self._settings.seed,
                progress=self._step,
                reserved=max(_RESERVED, len(self.model)),
            )
        else:
            self._lazy.extend()
        return self._lazy

    def _step(self, statistics: Statistics) -> None:
        self._clock.check(f"no answer{statistics.after}")
        if self._settings.progress is not None:
            self._settings.progress(None, f"{self._name}{statistics.after}")

    def _switch(self, lazy: LazySolver, other_than: Solution | ModelAnswer | Assignment) -> int:
        """A variable that excludes a solution where it is true."""
        solution = other_than if isinstance(other_than, Sequence) else other_than.assignment
        shown = [each.number for each in self.model.shown]
        if solution is None or len(solution) <= max(shown, default=-1):
            values = "no values" if solution is None else f"{len(solution)} values"
            raise BadInput(f"other_than has {values}, but the model has {len(self.model)} variables")
        key = tuple((each, solution[each]) for each in shown)
        if key not in self._switches:
            self._switches[key] = lazy.encoder.fresh()
            lazy.block(solution, self._switches[key])
        return self._switches[key]
