"""How long a solver may try before another is asked."""

from __future__ import annotations

from typing import Any

from ktsolve.engines.base import Clock

__all__ = ["Patience", "Undecided"]


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
        self._clock.check()
        if self._left <= 0:
            raise Undecided
        before = solver.accum_stats()["conflicts"]
        solver.conf_budget(self._AT_ONCE)
        found: bool | None = solver.solve_limited(assumptions=assumptions)
        self._left -= self._ROUND + solver.accum_stats()["conflicts"] - before
        return found
