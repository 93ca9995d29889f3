"""Uniform whole numbers: the range, the stream of a seed, and equal shares."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import islice

import pytest
from chi_square import likely
from hypothesis import given
from hypothesis import strategies as st

from ktsolve.base.uniform import uniform_integers, uniform_stream


@given(st.integers(1, 2**200), st.integers(0, 2**31 - 1))
def test_numbers_are_below_the_bound_and_continue(below: int, seed: int) -> None:
    longer = uniform_integers(below, 20, seed)
    assert all(0 <= each < below for each in longer)
    assert uniform_integers(below, 7, seed) == longer[:7]
    assert list(islice(uniform_stream(below, seed), 20)) == longer


def test_the_stream_is_the_documented_one() -> None:
    """Taken apart by hand: three bytes each, the lowest four bits dropped, what is too large drawn again."""
    below, size, excess = 600_000, 3, 4
    stream = b"".join(hashlib.shake_256(f"ktsolve:1:5:{i}".encode()).digest(4096) for i in range(3))
    drawn = [
        int.from_bytes(stream[at : at + size], "big") >> excess
        for at in range(0, len(stream) - size + 1, size)
    ]
    kept = [each for each in drawn if each < below]
    assert uniform_integers(below, len(kept), 5) == kept
    assert 0 < len(kept) < len(drawn)


@pytest.mark.parametrize("below", [2, 3, 5, 200, 257])
@pytest.mark.parametrize("seed", [0, None])
def test_all_numbers_are_equally_likely(below: int, seed: int | None) -> None:
    number = 400 * below
    counts = Counter(uniform_integers(below, number, seed))
    assert likely(counts, dict.fromkeys(range(below), 1.0))


def test_large_bounds_and_small_ones() -> None:
    assert uniform_integers(1, 5, 3) == [0] * 5
    assert uniform_integers(10, 0, 3) == []
    large = uniform_integers(10**20_000, 3, 3)
    assert max(large) > 10**19_990
    assert uniform_integers(10**9, 5) != uniform_integers(10**9, 5)
    with pytest.raises(ValueError, match="no whole number from 0 to -1"):
        uniform_integers(0, 1)
