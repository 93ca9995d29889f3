"""Uniform whole numbers of any size, from a seed or from the operating system.

A seed's stream of bytes is SHAKE-256, the extendable hash of FIPS 202: block i, of 4096 bytes, is the hash of
the text ``ktsolve:1:SEED:i``. Without a seed the bytes come from the operating system. A number below n takes
as many bytes as n - 1 needs, the first byte highest; the lowest bits that n - 1 does not need are dropped,
and a number that is not below n is drawn again. Where all bytes are equally likely, so are all numbers. A
seed gives the same numbers on every machine and with every version of Python.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from itertools import count, islice

__all__ = ["uniform_integers", "uniform_stream"]

_BLOCK = 4096


def uniform_integers(below: int, number: int, seed: int | None = None) -> list[int]:
    """Independent uniform whole numbers from 0 to ``below`` - 1, from a seed or the operating system.

    A longer list from the same seed begins with the shorter one.

    >>> uniform_integers(13267364410532, 3, seed=7)
    [2324570547004, 13075489949018, 9072443925251]
    >>> uniform_integers(10**40, 1, seed=7)
    [1438839477140068333252590844237194813966]
    """
    return list(islice(uniform_stream(below, seed), number))


def uniform_stream(below: int, seed: int | None = None) -> Iterator[int]:
    """An endless iterator over the numbers of :func:`uniform_integers`; ``below`` is positive."""
    if below < 1:
        raise ValueError(f"there is no whole number from 0 to {below - 1}")
    return _drawn(below, seed)


def _drawn(below: int, seed: int | None) -> Iterator[int]:
    bits = (below - 1).bit_length()
    size = max(1, -(-bits // 8))
    excess = 8 * size - bits
    kept = b""
    for block in _blocks(seed):
        kept += block
        used = len(kept) - len(kept) % size
        for start in range(0, used, size):
            drawn = int.from_bytes(kept[start : start + size]) >> excess
            if drawn < below:
                yield drawn
        kept = kept[used:]


def _blocks(seed: int | None) -> Iterator[bytes]:
    for number in count():
        if seed is None:
            yield secrets.token_bytes(_BLOCK)
        else:
            yield hashlib.shake_256(f"ktsolve:1:{seed}:{number}".encode()).digest(_BLOCK)
