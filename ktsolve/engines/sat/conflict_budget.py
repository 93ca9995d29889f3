"""How long a solver may try before another is asked, and before Ctrl-C is heard; and how far it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ktsolve.model.python_sat import suppress_sigint
from ktsolve.settings import Clock

__all__ = ["NOTHING", "SHORT", "STEPPED", "Effort", "Patience", "Report", "Undecided", "decide", "unheeded"]


@dataclass(frozen=True)
class Effort:
    """What a solver has done so far.

    >>> Effort(2000, 1).after, Effort(0, 0).after
    (' after 2,000 conflicts and 1 cut', '')
    """

    conflicts: int
    cuts: int

    @property
    def after(self) -> str:
        """In words that may follow others; none if there is nothing to tell."""
        said = [
            f"{number:,} {what if number == 1 else what + 's'}"
            for number, what in ((self.conflicts, "conflict"), (self.cuts, "cut"))
            if number
        ]
        return f" after {' and '.join(said)}" if said else ""


NOTHING = Effort(0, 0)

Report = Callable[[Effort], None]
"""Told now and then how far a solver is."""


def unheeded(_effort: Effort) -> None:
    """For those who need not know."""


STEPPED = ("cadical153", "cadical195")
"""Solvers that go on where they were when a budget of conflicts is used up. Minisat and its kin begin their
restarts and their forgetting anew and may come to no end; lingeling takes no budget."""

_STEP = 20_000
"""Conflicts of a step, some tenths of a second for thousands of clauses. Shorter ones keep CaDiCaL from its
long stable phases: 16x16 by elimination takes 1.8 s in such steps or at once, 14 s in steps of 500, 17 s of
2000; 20x20 by remainders 0.25 s, 8.7 s and more than 45 s."""

SHORT = 20_000
"""Clauses up to which a step is short enough to wait for at Ctrl-C; others take a process of their own."""


def decide(solver: Any, name: str, assumptions: list[int], report: Report = unheeded, cuts: int = 0) -> bool:
    """Is there a solution? However long it takes; Ctrl-C is heard between steps, if the solver takes any.

    The effort, with the cuts made so far, is reported between steps as well.
    """
    report(Effort(_conflicts(solver), cuts))
    if name not in STEPPED:
        with suppress_sigint():
            return bool(solver.solve(assumptions=assumptions))
    while (found := _step(solver, _STEP, assumptions)) is None:
        report(Effort(_conflicts(solver), cuts))
    return found


def _conflicts(solver: Any) -> int:
    return int(solver.accum_stats()["conflicts"])


def _step(solver: Any, conflicts: int, assumptions: list[int]) -> bool | None:
    """The answer, or None if it takes more conflicts."""
    solver.conf_budget(conflicts)
    with suppress_sigint():
        found: bool | None = solver.solve_limited(assumptions=assumptions)
    return found


class Undecided(Exception):
    """No answer within the conflicts that were allowed."""


class Patience:
    """How long a solver may try: so many conflicts, the same on every machine, and not past a clock."""

    _AT_ONCE = 100
    _ROUND = 10
    """A round counts as so many conflicts, so that rounds without any come to an end."""

    def __init__(self, conflicts: int, clock: Clock) -> None:
        self._left = conflicts
        self._clock = clock

    def step(self, solver: Any, assumptions: list[int]) -> bool | None:
        """Let a solver of python-sat try for a moment. Raises Undecided; LimitReached at the time limit."""
        self._clock.check("no solution found")
        if self._left <= 0:
            raise Undecided
        before = _conflicts(solver)
        found = _step(solver, self._AT_ONCE, assumptions)
        self._left -= self._ROUND + _conflicts(solver) - before
        return found
