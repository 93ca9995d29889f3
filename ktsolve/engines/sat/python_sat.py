"""The solvers of python-sat: names, calls in steps with Ctrl-C between them, conflict budgets, statistics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of
from ktsolve.model.clauses import suppress_sigint
from ktsolve.model.cycle_encodings import encoding_named

__all__ = ["BudgetExhausted", "ConflictBudget", "SolverProgress", "Statistics", "decide"]


@dataclass(frozen=True)
class Statistics:
    """Statistics of a solver.

    >>> Statistics(2000, 1).after, Statistics(0, 0).after
    (' after 2,000 conflicts and 1 cut', '')
    """

    conflicts: int
    cuts: int

    @property
    def after(self) -> str:
        """Text to append to a message; empty if both numbers are 0."""
        counted = (self.conflicts, "conflict"), (self.cuts, "cut")
        parts = [number_of(number, noun) for number, noun in counted if number]
        return f" after {' and '.join(parts)}" if parts else ""


SolverProgress = Callable[[Statistics], None]  # called between the steps of a solver


def no_progress(_statistics: Statistics) -> None:
    """Ignore the statistics."""


RESUMABLE = ("cadical153", "cadical195")
"""Solvers that resume where they stopped when a conflict budget is exhausted. Minisat and similar solvers
restart their schedules and may never finish; lingeling has no budgets."""

_STEP = 20_000
"""Conflicts of a step, some tenths of a second for thousands of clauses. Shorter steps keep CaDiCaL from its
long stable phases: 16x16 by elimination takes 1.8 s in these steps or without steps, 14 s in steps of 500, 17
s in steps of 2000; 20x20 by remainders 0.25 s, 8.7 s and more than 45 s."""

FIRST_STEP = 2_000
"""Conflicts of the first step, after which another engine may have a trial."""

MOST_CLAUSES_IN_STEPS = 20_000
"""Largest formula whose steps are short enough for Ctrl-C; larger ones are solved in a worker process."""


def decide(
    solver: Any, name: str, assumptions: list[int], progress: SolverProgress = no_progress, cuts: int = 0
) -> bool:
    """Return whether there is a solution, without any limit. Ctrl-C acts between steps of a resumable solver.

    ``progress`` is called before each step, with the solver's conflicts and the given number of cuts.
    """
    progress(Statistics(_conflicts(solver), cuts))
    if name not in RESUMABLE:
        with suppress_sigint():
            return bool(solver.solve(assumptions=assumptions))
    step = FIRST_STEP
    while (found := _step(solver, step, assumptions)) is None:
        step = _STEP
        progress(Statistics(_conflicts(solver), cuts))
    return found


def _conflicts(solver: Any) -> int:
    return int(solver.accum_stats()["conflicts"])


def _step(solver: Any, conflicts: int, assumptions: list[int]) -> bool | None:
    """Return whether there is a solution; None if the conflicts do not suffice."""
    solver.conf_budget(conflicts)
    with suppress_sigint():
        found: bool | None = solver.solve_limited(assumptions=assumptions)
    return found


class BudgetExhausted(Exception):
    """There is no answer within the conflict budget."""


class ConflictBudget:
    """A limit on the conflicts of a solver, which does not depend on the machine.

    A step has ``at_once`` conflicts; by default as many as those of :func:`decide`, or those that are left.
    Before each step ``check`` is called with the conflicts of the solver; it may raise LimitReached.
    """

    _ROUND = 10
    """Conflicts that each round counts for, so that rounds without conflicts exhaust the budget too."""

    def __init__(
        self, conflicts: int, check: Callable[[int], None] = lambda _conflicts: None, at_once: int = 0
    ) -> None:
        self._left, self._check, self._at_once = conflicts, check, at_once
        self._whole: ConflictBudget | None = None

    def part(self, share: int) -> ConflictBudget:
        """One of ``share`` parts; what it uses counts for the whole, too."""
        made = ConflictBudget(max(1, self._left // share), self._check, self._at_once)
        made._whole = self
        return made

    def step(self, solver: Any, assumptions: list[int]) -> bool | None:
        """Solve within some conflicts; None if they do not suffice. Raises BudgetExhausted."""
        before = _conflicts(solver)
        self._check(before)
        if self._left <= 0:
            raise BudgetExhausted
        found = _step(solver, self._at_once or min(self._left, _STEP), assumptions)
        self._use(self._ROUND + _conflicts(solver) - before)
        return found

    def _use(self, conflicts: int) -> None:
        self._left -= conflicts
        if self._whole is not None:
            self._whole._use(conflicts)


TRIAL_SOLVER = "minicard"
"""A solver with native cardinality bounds. Others need 64 clauses for a cell with eight moves: a board of
100x100 is loaded in 0.06 s instead of 0.8 s. Gluecard has such bounds too, but checks its conflict budget
only at restarts, once in 100,000 conflicts."""

MAIN_SOLVER = "cadical153"  # the solver for models on which :data:`TRIAL_SOLVER` exhausts its conflict budget

LISTING_SOLVER = "cadical195"
"""Listing is thousands of short calls, each after one more clause, and this solver starts again where it was.
CPU seconds for the 9862 closed tours of 6x6 and the 18784 open ones of 5x6: cadical195 0.5 and 1.4, minisat22
0.5 and 2.3, glucose4 1.4 and 4.0, cadical153 1.4 and 5.6, lingeling 4.0 and 16.6."""


_NO_BUDGET = ("cadical103", "lingeling")


def check_optimises(name: str) -> None:
    """Raise BadInput for a solver without conflict budgets, which the search for an optimum needs."""
    if name in _NO_BUDGET:
        raise BadInput(
            f"SAT solver {name} takes no conflict budget, and so finds no optimum: use {MAIN_SOLVER}"
        )


def check_encoding_name(name: str) -> None:
    """Raise BadInput for a name that is neither ``lazy`` nor an eager encoding."""
    if name != "lazy":
        try:
            encoding_named(name)
        except BadInput as error:
            raise BadInput(f"{error}, or lazy") from None
