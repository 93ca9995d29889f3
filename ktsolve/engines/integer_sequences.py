"""Linear recurrences of sequences of whole numbers: proofs, generating functions and far terms.

The terms are end * T^n * start with a matrix T of dimension D (:class:`Transferred`): the counts of tours of
strips, for example. By the theorem of Cayley and Hamilton they satisfy a linear recurrence of order at most
D, and so does every fixed linear combination of neighbours. If q(0) a(n) + q(1) a(n-1) + ... is 0 for D
consecutive n, it is therefore 0 for all later n: a recurrence that is found in any way is proved by D terms,
with whole numbers.

It is found by the algorithm of Berlekamp and Massey modulo several primes, and lifted by the Chinese
remainder theorem. The order modulo a prime is at most the true one, so that no shorter recurrence exists, and
the generating function is in lowest terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import zip_longest
from math import gcd
from typing import Protocol

import numpy as np

from ktsolve import _native
from ktsolve.base.errors import InternalError
from ktsolve.base.limits import Clock, Settings, check_status, native_progress

__all__ = [
    "GeneratingFunction",
    "Transferred",
    "derived",
    "from_residues",
    "numbers_of_residues",
    "primes_below",
    "unfolded",
]


def from_residues(residues_of: Callable[[int], Sequence[int]], bound: int, most: int) -> list[int]:
    """The numbers from 0 to ``bound`` with the given residues modulo primes below ``most``.

    ``residues_of`` is called for primes until their product passes the bound. Lists of residues that are
    shorter than others are continued by 0.

    >>> from_residues(lambda prime: [0, 123456789 % prime, 997 % prime], 10**9, 1000)
    [0, 123456789, 997]
    """
    for numbers, modulus in numbers_of_residues(residues_of, most):
        if modulus > bound:
            return numbers
    raise ValueError(f"the primes below {most} do not suffice for a bound of {bound}")


def numbers_of_residues(
    residues_of: Callable[[int], Sequence[int]], most: int
) -> Iterator[tuple[list[int], int]]:
    """After each prime below ``most``, the numbers with the residues so far and the product of the primes."""
    numbers: list[int] = []
    modulus = 1
    for prime in primes_below(most):
        # Garner's step: the number below modulus * prime that has both residues.
        inverse = pow(modulus, -1, prime)
        pairs = zip_longest(numbers, residues_of(prime), fillvalue=0)
        numbers = [number + modulus * ((residue - number) * inverse % prime) for number, residue in pairs]
        modulus *= prime
        yield numbers, modulus


def primes_below(most: int) -> Iterator[int]:
    """Primes, largest first.

    >>> from itertools import islice
    >>> list(islice(primes_below(30), 3))
    [29, 23, 19]
    """
    for candidate in range(most - 1, 2, -1):
        if candidate % 2 and _is_prime(candidate):
            yield candidate


_SMALL_PRIMES = (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


def _is_prime(odd: int) -> bool:
    """Whether an odd number from 3 to 2^64 is a prime: these bases suffice (Sorenson and Webster 2015)."""
    if any(odd % prime == 0 for prime in _SMALL_PRIMES):
        return odd in _SMALL_PRIMES
    halvings = (odd - 1 & 1 - odd).bit_length() - 1
    for base in (2, *_SMALL_PRIMES):
        power = pow(base, odd - 1 >> halvings, odd)
        if power in (1, odd - 1):
            continue
        for _ in range(halvings - 1):
            power = power * power % odd
            if power == odd - 1:
                break
        else:
            return False
    return True


def unfolded(count: int, divisor: int) -> int:
    """The quotient of a count in folded tables, which is a multiple of the divisor.

    >>> unfolded(12, 4)
    3
    """
    quotient, rest = divmod(count, divisor)
    if rest:
        raise AssertionError(f"a folded count, {count}, is not a multiple of {divisor}")
    return quotient


_FIRST = 64  # terms in which a recurrence is looked for first
_SURE = 16  # terms more than twice the order that a candidate must explain before it is proved
_CHECKS = 2  # primes that must change nothing before a lifted recurrence is proved


class Transferred(Protocol):
    """A sequence a(1), a(2), ... whose terms from the first that it transfers are end * T^n * start.

    - ``first``: The place of the first such term.
    - ``dimension``: The dimension of T.
    """

    first: int
    dimension: int

    def counts(self, upto: int, settings: Settings) -> Iterable[int]:
        """The terms a(1) to a(upto). Raises LimitReached; a later call continues from there."""

    def __str__(self) -> str:
        """The name of the sequence in messages."""


@dataclass(frozen=True)
class GeneratingFunction:
    """The sum of a(n) x^n over all n from 1, as a quotient of polynomials in lowest terms.

    - ``numerator``, ``denominator``: Coefficients, constant term first; the denominator begins with 1.
    - ``dimension``: Bound on the order of any recurrence: the dimension of the matrix.
    - ``checked``: Terms that the proof used.
    """

    numerator: tuple[int, ...]
    denominator: tuple[int, ...]
    dimension: int
    checked: int

    @property
    def order(self) -> int:
        """Order of the recurrence."""
        return len(self.denominator) - 1

    @property
    def step(self) -> int:
        """Greatest number that divides all exponents of the denominator: a(n) depends on a(n - step), ..."""
        return reduce(gcd, (i for i, each in enumerate(self.denominator) if each), 0) or 1

    @property
    def proof(self) -> str:
        """How the recurrence is proved, in one line.

        >>> print(GeneratingFunction((0, 1), (1, 0, -2), 7, 12).proof)
        recurrence of order 2 (1 in steps of 2), proved: dimension 7, 12 terms
        """
        steps = f" ({self.order // self.step} in steps of {self.step})" if self.step > 1 else ""
        return (
            f"recurrence of order {self.order}{steps}, proved: dimension {self.dimension}, "
            f"{self.checked} terms"
        )

    def terms(self, upto: int) -> list[int]:
        """The coefficients of x to x^upto.

        >>> GeneratingFunction((0, 1, 1), (1, 0, -2), 7, 12).terms(6)
        [1, 1, 2, 2, 4, 4]
        """
        taps = [(i, each) for i, each in enumerate(self.denominator) if each and i]
        found = [0] * (upto + 1)
        for n in range(upto + 1):
            value = self.numerator[n] if n < len(self.numerator) else 0
            found[n] = value - sum(each * found[n - i] for i, each in taps if i <= n)
        return found[1:]

    def term(self, n: int, bits: int, settings: Settings) -> int:
        """The coefficient of x^n, which is not negative and has at most this many bits.

        Computed modulo enough primes, from both polynomials in O(log n) products.

        Raises
        ------
        LimitReached
            At the time limit.

        >>> GeneratingFunction((0, 1, 1), (1, 0, -2), 7, 12).term(401, 210, Settings()) == 2**200
        True
        """
        clock = Clock(settings)
        bound = 1 << bits
        most = _native.LARGEST_PRIME
        primes = []
        for number, prime in enumerate(primes_below(most)):
            primes.append(prime)
            # Each is more than half of the largest.
            if (number + 1) * (most.bit_length() - 2) > bits:
                break
            if number % 256 == 0:
                clock.check("choosing primes")

        def residues(polynomial: Sequence[int]) -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
            return np.array([[each % prime for each in polynomial] for prime in primes], dtype=np.uint64)

        status, found = _native.far_terms(
            residues(self.numerator),
            residues(self.denominator),
            np.array(primes, dtype=np.uint64),
            n,
            settings.thread_budget,
            clock.left,
            native_progress(settings, lambda step, total, _: (step / total, f"prime {step} of {total}")),
        )
        check_status(status, settings, f"a term modulo {len(primes)} primes")
        known = dict(zip(primes, found.tolist(), strict=True))
        return from_residues(lambda prime: [known[prime]], bound, most)[0]

    def text(self) -> str:
        """The quotient as text.

        >>> GeneratingFunction((0, 1, 1), (1, 0, -2), 7, 12).text()
        '(x + x^2) / (1 - 2 x^2)'
        """
        return f"({_polynomial(self.numerator)}) / ({_polynomial(self.denominator)})"


def _polynomial(coefficients: Sequence[int]) -> str:
    parts: list[str] = []
    for power, each in enumerate(coefficients):
        if not each:
            continue
        variable = "" if power == 0 else "x" if power == 1 else f"x^{power}"
        size = str(abs(each)) if abs(each) != 1 or not variable else ""
        term = f"{size} {variable}".strip()
        sign = "-" if each < 0 else "+"
        parts.append(f"{sign} {term}" if parts else f"-{term}" if each < 0 else term)
    return " ".join(parts) or "0"


def derived(transfer: Transferred, settings: Settings) -> GeneratingFunction:
    """The generating function of a sequence, proved.

    Raises
    ------
    LimitReached
        At the time or memory limit, with the order so far.
    """
    clock = Clock(settings)
    terms: list[int] = []

    def known(most: int) -> list[int]:
        if len(terms) < most:
            terms[:] = transfer.counts(most, clock.within(settings, _state(transfer, len(terms))))
        return terms[:most]

    prime = next(primes_below(_native.LARGEST_PRIME))
    most = _FIRST
    while True:
        order, _ = _shortest(known(most), prime)
        if 2 * order + _SURE <= most:
            break
        if most > 2 * (transfer.dimension + transfer.first) + _SURE:
            raise InternalError(f"the counts of {transfer} satisfy no recurrence of their dimension")
        most *= 2
    found = most
    while True:
        denominator = _lifted(known(found), order, clock)
        first = max(order, len(denominator) - 1 + transfer.first - 1)
        needed = first + transfer.dimension
        numerator = _proved(known(needed), denominator, order, clock)
        if numerator is not None:
            return GeneratingFunction((0, *numerator), denominator, transfer.dimension, needed)
        # Chance, modulo the first prime or in the first terms: all terms of the proof decide.
        if found >= needed:
            raise InternalError(f"the recurrence of {transfer} does not hold for all terms")
        found = needed
        order, _ = _shortest(known(found), prime)


def _state(transfer: Transferred, terms: int) -> str:
    return f"{terms:,} terms known; the order is at most {transfer.dimension:,}"


def _shortest(terms: Sequence[int], prime: int) -> tuple[int, list[int]]:
    residues = np.array([term % prime for term in terms], dtype=np.uint64)
    order, coefficients = _native.shortest_recurrence(residues, prime)
    return order, coefficients.tolist()


def _lifted(terms: Sequence[int], order: int, clock: Clock) -> tuple[int, ...]:
    """The coefficients as whole numbers, from those modulo primes, until further primes change nothing."""
    lifted: list[int] = []
    modulus, agreed = 1, 0
    used = terms[: 2 * order + _SURE]
    for prime in primes_below(_native.LARGEST_PRIME):
        clock.check(f"lifting a recurrence of order {order:,}")
        found, coefficients = _shortest(used, prime)
        if found < order:
            continue  # the prime divides a determinant
        coefficients += [0] * (order + 1 - len(coefficients))
        if not lifted:
            lifted = [0] * (order + 1)
        inverse = pow(modulus, -1, prime)
        steps = [(c - each) * inverse % prime for each, c in zip(lifted, coefficients, strict=True)]
        # Between minus and plus half of the modulus.
        steps = [step - prime if 2 * step > prime else step for step in steps]
        agreed = 0 if any(steps) else agreed + 1
        lifted = [each + modulus * step for each, step in zip(lifted, steps, strict=True)]
        modulus *= prime
        if agreed == _CHECKS:
            break
    while len(lifted) > 1 and lifted[-1] == 0:
        lifted.pop()
    return tuple(lifted)


def _proved(
    terms: Sequence[int], denominator: tuple[int, ...], order: int, clock: Clock
) -> tuple[int, ...] | None:
    """The numerator, if the recurrence holds for all terms from the order on; else None."""
    taps = [(i, each) for i, each in enumerate(denominator) if each]
    numerator = [
        sum(each * terms[n - i] for i, each in taps if i <= n) for n in range(min(order, len(terms)))
    ]
    for n in range(order, len(terms)):
        if n % 64 == 0:
            clock.check(f"proving a recurrence of order {order:,}")
        if sum(each * terms[n - i] for i, each in taps):
            return None
    while numerator and numerator[-1] == 0:
        numerator.pop()
    return tuple(numerator)
