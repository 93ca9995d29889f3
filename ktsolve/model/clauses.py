"""Clauses in DIMACS numbering, auxiliary variables, and cardinality constraints as clauses.

The encodings of circuits (:mod:`ktsolve.model.cycle_encodings`) and of whole models
(:mod:`ktsolve.model.encode`) both write into a :class:`ClauseWriter`.
"""

from __future__ import annotations

import _thread
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from math import comb
from sys import is_finalizing
from typing import Any

from ktsolve.base.text import unknown

__all__ = ["CARDINALITIES", "TRUE", "ClauseWriter", "free", "suppress_sigint"]

CARDINALITIES = ("seqcounter", "sortnetwrk", "cardnetwrk", "totalizer", "mtotalizer", "kmtotalizer")
"""Names of python-sat's cardinality encodings, for constraints that need more than 100 plain clauses."""

_MOST_PLAIN_CLAUSES = 100
_MOST_PLAIN_LITERALS = 1000
"""Largest plain encoding of a cardinality constraint, one without auxiliary variables. A constraint that is a
single clause is always encoded plainly."""

TRUE = 1 << 62
"""A literal that is true, and its negative one that is false, as long as no clause is written."""


class ClauseWriter:
    """A list of clauses that grows, and the number of its variables; auxiliary ones follow those that exist.

    >>> clauses = ClauseWriter(3)
    >>> clauses.at_least(2, [1, 2, 3])
    >>> clauses.clauses, clauses.fresh()
    ([[1, 2], [1, 3], [2, 3]], 4)
    """

    def __init__(self, variables: int, cardinality: str = "seqcounter") -> None:
        if cardinality not in CARDINALITIES:
            raise unknown("cardinality encoding", cardinality, CARDINALITIES)
        self.variables = variables
        self.clauses: list[list[int]] = []
        self._cardinality = cardinality
        self._true: int | None = None

    def fresh(self) -> int:
        """A new auxiliary variable."""
        self.variables += 1
        return self.variables

    def true(self) -> int:
        """A variable that is always true."""
        if self._true is None:
            self._true = self.fresh()
            self.clauses.append([self._true])
        return self._true

    @contextmanager
    def lifted_by(self, literals: Sequence[int]) -> Iterator[None]:
        """Return a context in which each clause that is added holds only where no literal is true.

        >>> clauses = ClauseWriter(3)
        >>> with clauses.lifted_by([-3]):
        ...     clauses.at_least(1, [1, 2])
        >>> clauses.clauses[-1]
        [-3, 1, 2]
        """
        if not literals:
            yield
            return
        self.true()
        start = len(self.clauses)
        yield
        self.clauses[start:] = [[*literals, *clause] for clause in self.clauses[start:]]

    def emit(self, *literals: int) -> None:
        """Add a clause that may contain TRUE or its negation."""
        if TRUE not in literals:
            self.clauses.append([literal for literal in literals if literal != -TRUE])

    def any_of(self, literals: Iterable[int]) -> int:
        """Return a literal that is true exactly if one of the literals is."""
        members = {literal for literal in literals if literal != -TRUE}
        if TRUE in members or any(-literal in members for literal in members):
            return TRUE
        if len(members) <= 1:
            return members.pop() if members else -TRUE
        result = self.fresh()
        self.clauses.append([-result, *members])
        self.clauses.extend([result, -literal] for literal in members)
        return result

    def all_of(self, literals: Iterable[int]) -> int:
        """Return a literal that is true exactly if all the literals are."""
        return -self.any_of(-literal for literal in literals)

    def at_least(self, bound: int, members: Sequence[int]) -> None:
        """Add that at least ``bound`` of the members are true."""
        n = len(members)
        if bound <= 0:
            return
        if bound > n:
            self.clauses.append([])
            return
        # Of any n - bound + 1 members one is true.
        size = n - bound + 1
        # There are n clauses or more, unless one.
        number = comb(n, size) if size == n or n <= _MOST_PLAIN_CLAUSES else n
        if number == 1 or (number <= _MOST_PLAIN_CLAUSES and number * size <= _MOST_PLAIN_LITERALS):
            self.clauses.extend(map(list, combinations(members, size)))
            return
        from pysat.card import CardEnc, EncType

        with suppress_sigint():
            encoded = CardEnc.atleast(
                lits=list(members),
                bound=bound,
                top_id=self.variables,
                encoding=getattr(EncType, self._cardinality),
            )
        self.variables = max(self.variables, encoded.nv)
        self.clauses.extend(encoded.clauses)

    def between(
        self, members: Sequence[int], least: int | None, most: int | None, unless: Sequence[int] = ()
    ) -> None:
        """Add that the number of true members lies between two bounds, which each of ``unless`` lifts.

        Literals may be TRUE or its negation.

        >>> clauses = ClauseWriter(3)
        >>> clauses.between([1, TRUE, 2], None, 1, [-3])
        >>> clauses.clauses
        [[-3, -1], [-3, -2]]
        """
        if TRUE in unless:
            return
        shift = members.count(TRUE)
        free = [member for member in members if abs(member) != TRUE]
        start = len(self.clauses)
        if least is not None:
            self.at_least(least - shift, free)
        if most is not None:
            self.at_least(len(free) - most + shift, [-member for member in free])
        lifting = [literal for literal in unless if literal != -TRUE]
        if lifting:
            self.clauses[start:] = [[*lifting, *clause] for clause in self.clauses[start:]]

    def exactly_one(self, members: Sequence[int]) -> None:
        """Add that exactly one of the members is true."""
        self.clauses.append(list(members))
        self.at_least(len(members) - 1, [-m for m in members])

    def both(self, a: int, b: int) -> int:
        """A variable that is true exactly if both variables are."""
        c = self.fresh()
        self.clauses += [[-c, a], [-c, b], [c, -a, -b]]
        return c

    def either(self, a: int, b: int) -> int:
        """A variable that is true exactly if one of the two variables is (exclusive or)."""
        c = self.fresh()
        self.clauses += [[-c, a, b], [-c, -a, -b], [c, -a, b], [c, a, -b]]
        return c

    def majority(self, a: int, b: int, c: int) -> int:
        """A variable that is true exactly if at least two of the three are."""
        m = self.fresh()
        self.clauses += [[-m, a, b], [-m, a, c], [-m, b, c], [m, -a, -b], [m, -a, -c], [m, -b, -c]]
        return m

    def weighted(
        self,
        terms: Iterable[tuple[int, int]],
        least: int | None,
        most: int | None,
        unless: Sequence[int] = (),
    ) -> None:
        """Add that the sum of the weights of true variables lies between two bounds.

        By a network of adders and bitwise comparison (Eén & Sörensson 2006). Each of the literals ``unless``
        lifts the bounds.
        """
        by_weight, shift = _positive(terms)
        total = sum(weight for weight, _ in by_weight)
        least = None if least is None else least - shift
        most = None if most is None else most - shift
        if (least is not None and least > total) or (most is not None and most < 0):
            self.clauses.append([*unless])
            return
        digits = self.digits_of(by_weight)
        if least is not None and least > 0:
            self.compare(digits, least, unless, larger=True)
        if most is not None and most < total:
            self.compare(digits, most, unless, larger=False)

    def weighted_differs(self, terms: Iterable[tuple[int, int]], value: int) -> list[int]:
        """Return literals of which one is true exactly if the sum of the weights is not the value."""
        by_weight, shift = _positive(terms)
        total = sum(weight for weight, _ in by_weight)
        if not 0 <= value - shift <= total:
            return [self.true()]
        digits = self.digits_of(by_weight)
        return [-digit if value - shift >> i & 1 else digit for i, digit in enumerate(digits)]

    def digits_of(self, by_weight: Sequence[tuple[int, int]]) -> list[int]:
        """Return the binary digits of a sum with positive weights, the least significant digit first."""
        total = sum(weight for weight, _ in by_weight)
        buckets: list[list[int]] = [[] for _ in range(total.bit_length() + 1)]
        for weight, literal_number in by_weight:
            for bit in range(weight.bit_length()):
                if weight >> bit & 1:
                    buckets[bit].append(literal_number)
        digits = []
        for i, bucket in enumerate(buckets):
            while len(bucket) > 1:
                a, b = bucket.pop(), bucket.pop()
                if bucket:
                    c = bucket.pop()
                    half = self.either(a, b)
                    digit = self.either(half, c)
                    carry = self.majority(a, b, c)
                else:
                    digit, carry = self.either(a, b), self.both(a, b)
                bucket.insert(0, digit)
                if i + 1 < len(buckets):
                    buckets[i + 1].append(carry)
            digits.append(bucket[0] if bucket else -self.true())
        return digits

    def compare(self, digits: Sequence[int], bound: int, unless: Sequence[int], *, larger: bool) -> None:
        """Add that a binary number, least significant digit first, is at least or at most a bound."""
        bits = [bound >> i & 1 for i in range(len(digits))]
        for i, digit in enumerate(digits):
            wrong = 1 if larger else 0
            if bits[i] != wrong:
                continue
            above = [(-d if b else d) for d, b in zip(digits[i + 1 :], bits[i + 1 :], strict=True)]
            # If all higher digits equal those of the bound, this digit must not violate the bound.
            self.clauses.append([*unless, *above, digit if larger else -digit])


def _positive(terms: Iterable[tuple[int, int]]) -> tuple[list[tuple[int, int]], int]:
    """Return terms with positive weights, and a constant: w*x with w < 0 is w + |w| * (not x)."""
    terms = list(terms)
    by_weight = [(abs(weight), literal if weight > 0 else -literal) for weight, literal in terms if weight]
    return by_weight, sum(weight for weight, _ in terms if weight < 0)


class _AnotherThread:
    """Replaces python-sat's check for the main thread."""

    @staticmethod
    def check() -> bool:
        return False


@contextmanager
def suppress_sigint() -> Iterator[None]:
    """Return a context in which calls of python-sat leave Ctrl-C to Python.

    In the main thread python-sat installs a signal handler around every long call into C. At Ctrl-C the
    handler leaves the call by ``longjmp``. If the jump interrupts ``malloc``, the lock of the allocator stays
    locked and the process hangs (seen in one of 150 interrupted listings). In other threads python-sat
    installs no handler. This function makes it take the main thread for another thread, so that Python
    handles Ctrl-C after the call. Callers must therefore keep each call short.
    """
    from pysat import _utils, card, solvers

    solvers.MainThread = card.MainThread = _AnotherThread
    try:
        yield
    finally:
        solvers.MainThread = card.MainThread = _utils.MainThread


def free(solver: Any) -> None:
    """Free the memory of an object of python-sat.

    Its ``delete`` frees and then forgets. The handler of a signal, as at a limit, may raise in between; the
    garbage collector would then delete once more and end the process. Handlers run in the main thread only,
    so another thread deletes. While Python ends, no thread can begin, and the system takes the memory.

    A bare thread: those of ``threading`` start and are waited for under locks in Python, which stay locked if
    a handler raises just then. The thread then hangs, and with it the process at its end (seen after one of
    sixty such moments).
    """
    if is_finalizing():
        return
    deleted = _thread.allocate_lock()
    deleted.acquire()

    def delete() -> None:
        try:
            solver.delete()
        finally:
            deleted.release()

    _thread.start_new_thread(delete, ())
    deleted.acquire()
