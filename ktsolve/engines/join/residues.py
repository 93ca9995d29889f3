"""Whole numbers from their residues, by the Chinese remainder theorem, and from multiples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isqrt

__all__ = ["from_residues", "primes_below", "unfolded"]


def from_residues(residue_of: Callable[[int], int], bound: int, most: int) -> int:
    """The number from 0 to ``bound`` with the given residues modulo primes below ``most``.

    ``residue_of`` is called for primes until their product passes the bound.

    >>> from_residues(lambda prime: 123456789 % prime, 10**9, 1000)
    123456789
    """
    number, modulus = 0, 1
    for prime in primes_below(most):
        # Garner's step: the number below modulus * prime that has both residues.
        step = (residue_of(prime) - number) * pow(modulus, -1, prime) % prime
        number, modulus = number + modulus * step, modulus * prime
        if modulus > bound:
            return number
    raise ValueError(f"the primes below {most} do not suffice for a bound of {bound}")


def primes_below(most: int) -> Iterator[int]:
    """Primes, largest first.

    >>> from itertools import islice
    >>> list(islice(primes_below(30), 3))
    [29, 23, 19]
    """
    for candidate in range(most - 1, 2, -1):
        if candidate % 2 and all(candidate % odd for odd in range(3, isqrt(candidate) + 1, 2)):
            yield candidate


def unfolded(count: int, divisor: int) -> int:
    """The quotient of a count in folded tables, which is a multiple of the divisor.

    >>> unfolded(12, 4)
    3
    """
    quotient, rest = divmod(count, divisor)
    if rest:
        raise AssertionError(f"a folded count, {count}, is not a multiple of {divisor}")
    return quotient
