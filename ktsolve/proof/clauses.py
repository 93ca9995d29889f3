"""Lists of clauses over named variables, with bounds on numbers of true variables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Limit
from ktsolve.base.units import shown_bytes

__all__ = ["Clause", "ClauseList"]

Clause = tuple[int, ...]
"""Literals as in DIMACS, sorted."""

_MOST_DIRECT = 600
"""Largest number of clauses that state a bound without further variables."""

_BYTES = 500
"""Memory for a clause: about 200 bytes here, and as much in the solver or the checker of lemmas."""

_BYTES_OF_A_VARIABLE = 200
"""Memory for the name of a variable and its places in tables."""


class ClauseList:
    """Clauses over named variables.

    - ``memory``: LimitReached is raised when the variables or the clauses do not fit into it

    >>> clauses = ClauseList()
    >>> three = [clauses.new(name) for name in "abc"]
    >>> clauses.at_most(1, three, "letters")
    >>> clauses.clauses
    ((-2, -1), (-3, -1), (-3, -2))
    """

    def __init__(self, memory: Limit | None = None) -> None:
        self._memory = memory
        self._names: list[str] = []
        self._clauses: dict[Clause, None] = {}
        self._defined: dict[str, int] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The name of variable i is ``names[i - 1]``."""
        return tuple(self._names)

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses in the order of their statement, without repetition."""
        return tuple(self._clauses)

    def new(self, name: str) -> int:
        """Return a new variable."""
        self._names.append(name)
        self._check_memory(len(self._names), _BYTES_OF_A_VARIABLE, "variables")
        return len(self._names)

    def add(self, literals: Iterable[int]) -> None:
        """State that one of these literals is true."""
        self._clauses[tuple(sorted(set(literals)))] = None
        self._check_memory(len(self._clauses), _BYTES, "clauses")

    def _check_memory(self, number: int, each: int, what: str) -> None:
        if self._memory is not None and number * each > self._memory.left:
            raise LimitReached(
                f"the problem has more than {number - 1:,} {what}, which do not fit into the "
                f"memory limit of {shown_bytes(self._memory.total)}"
            )

    def one_of(self, members: Sequence[int], what: str) -> None:
        """State that exactly one of the members is true."""
        self.add(members)
        self.at_most(1, members, what)

    def at_most(self, bound: int, members: Sequence[int], what: str) -> None:
        """State that at most ``bound`` of the members are true."""
        if len(members) <= bound:
            return
        if bound < 0:
            self.add([])
        elif comb(len(members), bound + 1) <= _MOST_DIRECT:
            for some in combinations(members, bound + 1):
                self.add([-member for member in some])
        else:
            self.add([-self._counter(members, bound + 1, what)])

    def at_least(self, bound: int, members: Sequence[int], what: str) -> None:
        """State that at least ``bound`` of the members are true."""
        if bound <= 0:
            return
        if len(members) < bound:
            self.add([])
        elif comb(len(members), bound - 1) <= _MOST_DIRECT:
            for some in combinations(members, len(members) - bound + 1):
                self.add(some)
        else:
            self.add([self._counter(members, bound, what)])

    def _counter(self, members: Sequence[int], bound: int, what: str) -> int:
        """A variable that is true if and only if at least ``bound`` of the members are.

        At least j of the first i are true if and only if j of the first i - 1 are, or j - 1 of them and
        member i (the sequential counter of Sinz 2005, in both directions).
        """
        before: list[int] = []  # the variable for "at least j" has index j - 1
        for number, member in enumerate(members, 1):
            now = []
            for j in range(1, min(bound, number) + 1):
                name = f"{what}>={j} of {number}"
                enough, short = before[j - 1 : j], before[j - 2 : j - 1] if j > 1 else []
                now.append(self._defined.get(name) or self._define(name, enough, short, member))
            before = now
        return before[bound - 1]

    def _define(self, name: str, enough: list[int], short: list[int], member: int) -> int:
        """A variable for "enough, or short and member"; no ``enough`` is false, no ``short`` is true."""
        count = self._defined[name] = self.new(name)
        for literal in enough:
            self.add([-literal, count])
        self.add([*(-literal for literal in short), -member, count])
        for literal in (*short, member):
            self.add([-count, *enough, literal])
        return count
