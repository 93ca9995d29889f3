"""Whole numbers from their residues: primes, and the Chinese remainder theorem."""

from __future__ import annotations

from collections.abc import Callable, Iterator

__all__ = ["from_residues", "primes_below"]


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
        if candidate % 2 and _is_prime(candidate):
            yield candidate


def _is_prime(n: int) -> bool:
    """Miller and Rabin's test; these bases decide all n below 3.3e24 (Sorenson and Webster 2015)."""
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41):
        if n == base:
            return True
        power = pow(base, odd, n)
        if power in (1, n - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % n
            if power == n - 1:
                break
        else:
            return False
    return True
