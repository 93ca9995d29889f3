"""Whole numbers from their residues, by the Chinese remainder theorem, and from multiples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

__all__ = ["from_residues", "primes_below", "unfolded"]


def from_residues(residues_of: Callable[[int], Sequence[int]], bound: int, most: int) -> list[int]:
    """The numbers from 0 to ``bound`` with the given residues modulo primes below ``most``.

    ``residues_of`` is called for primes until their product passes the bound. Lists of residues that are
    shorter than others are continued by 0.

    >>> from_residues(lambda prime: [0, 123456789 % prime, 997 % prime], 10**9, 1000)
    [0, 123456789, 997]
    """
    numbers: list[int] = []
    modulus = 1
    for prime in primes_below(most):
        # Garner's step: the number below modulus * prime that has both residues.
        inverse = pow(modulus, -1, prime)
        pairs = zip_longest(numbers, residues_of(prime), fillvalue=0)
        numbers = [number + modulus * ((residue - number) * inverse % prime) for number, residue in pairs]
        modulus *= prime
        if modulus > bound:
            return numbers
    raise ValueError(f"the primes below {most} do not suffice for a bound of {bound}")


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
