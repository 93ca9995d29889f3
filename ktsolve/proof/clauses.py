"""A list of clauses in the making: variables with names, and counts written as clauses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb

from ktsolve.errors import LimitReached
from ktsolve.settings import shown_bytes

__all__ = ["Clause", "ClauseList"]

Clause = tuple[int, ...]
"""Literals in the numbering of DIMACS, sorted."""

_WRITTEN_OUT = 600
"""Most clauses for which a count is written out; longer ones are counted by variables of their own."""


_BYTES = 500
"""What a clause takes: about 200 bytes here, as much again where it is solved or followed."""


class ClauseList:
    """Clauses over named variables.

    Parameters
    ----------
    memory:
        Bytes that they may take; LimitReached is raised when they would take more.

    Examples
    --------
    >>> clauses = ClauseList()
    >>> three = [clauses.new(name) for name in "abc"]
    >>> clauses.at_most(1, three, "letters")
    >>> clauses.clauses
    ((-2, -1), (-3, -1), (-3, -2))
    """

    def __init__(self, memory: int | None = None) -> None:
        self._memory = memory
        self._names: list[str] = []
        self._clauses: dict[Clause, None] = {}
        self._defined: dict[str, int] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Variable i is called ``names[i - 1]``."""
        return tuple(self._names)

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """As they were stated, without repetition."""
        return tuple(self._clauses)

    def new(self, name: str) -> int:
        """A new variable."""
        self._names.append(name)
        return len(self._names)

    def add(self, literals: Iterable[int]) -> None:
        """One of these literals is true."""
        self._clauses[tuple(sorted(set(literals)))] = None
        if self._memory is not None and len(self._clauses) * _BYTES > self._memory:
            raise LimitReached(
                f"{len(self._clauses):,} clauses and more state the problem: "
                f"they do not fit into the memory limit of {shown_bytes(self._memory)}"
            )

    def one_of(self, members: Sequence[int], what: str) -> None:
        """Exactly one of the members is true."""
        self.add(members)
        self.at_most(1, members, what)

    def at_most(self, bound: int, members: Sequence[int], what: str) -> None:
        """At most so many of the members are true: of any one more, one is false."""
        if len(members) <= bound:
            return
        if bound < 0:
            self.add([])
        elif comb(len(members), bound + 1) <= _WRITTEN_OUT:
            for some in combinations(members, bound + 1):
                self.add([-member for member in some])
        else:
            self.add([-self._counted(members, bound + 1, what)])

    def at_least(self, bound: int, members: Sequence[int], what: str) -> None:
        """At least so many of the members are true: of all but one less, one is."""
        if bound <= 0:
            return
        if len(members) < bound:
            self.add([])
        elif comb(len(members), bound - 1) <= _WRITTEN_OUT:
            for some in combinations(members, len(members) - bound + 1):
                self.add(some)
        else:
            self.add([self._counted(members, bound, what)])

    def _counted(self, members: Sequence[int], bound: int, what: str) -> int:
        """A variable that tells whether at least ``bound`` of the members are true.

        At least j of the first i are, if and only if j of those before are, or j - 1 of them and this one.
        """
        before: list[int] = []  # number j - 1 tells of at least j
        for number, member in enumerate(members, 1):
            now = []
            for j in range(1, min(bound, number) + 1):
                name = f"{what}>={j} of {number}"
                enough, short = before[j - 1 : j], before[j - 2 : j - 1] if j > 1 else []
                now.append(self._defined.get(name) or self._define(name, enough, short, member))
            before = now
        return before[bound - 1]

    def _define(self, name: str, enough: list[int], short: list[int], member: int) -> int:
        """A variable for "enough, or short and this member"; what is missing is never, or always, so."""
        count = self._defined[name] = self.new(name)
        for literal in enough:
            self.add([-literal, count])
        self.add([*(-literal for literal in short), -member, count])
        for literal in (*short, member):
            self.add([-count, *enough, literal])
        return count
