"""Sums and products of arrays of expressions, against numpy on the values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ktsolve import Model

SHAPES = st.lists(st.integers(1, 3), min_size=1, max_size=3).map(tuple)


def value(what: Any, values: list[int]) -> Any:
    """The values of an expression or of an array, under an assignment."""
    if isinstance(what, np.ndarray):
        return np.array([value(each, values) for each in what.ravel()], dtype=int).reshape(what.shape)
    return what if isinstance(what, int) else what.value(values)


def stated(shape: tuple[int, ...], data: st.DataObject) -> tuple[Any, Any, list[int]]:
    """An array of integers, Booleans and sums of them, with its values and the assignment."""
    model = Model()
    x, b = model.integers(shape, -5, 5), model.booleans(shape)
    values = [data.draw(st.integers(-5, 5)) for _ in range(x.size)]
    values += [data.draw(st.integers(0, 1)) for _ in range(x.size)]
    array = data.draw(st.sampled_from([x, b, x + 3, x - 2 * b, ~b, x == 2]))
    return array, value(array, values), values


@given(SHAPES, st.data())
def test_sums_along_axes_are_those_of_the_values(shape: tuple[int, ...], data: st.DataObject) -> None:
    array, numbers, values = stated(shape, data)
    assert value(array.sum(), values) == numbers.sum()
    for axis in range(-len(shape), len(shape)):
        total = array.sum(axis=axis)
        assert np.array_equal(value(total, values), numbers.sum(axis=axis))
        assert np.shape(total) == numbers.sum(axis=axis).shape
    assert value(array.sum(axis=0, keepdims=True), values).shape == numbers.sum(axis=0, keepdims=True).shape
    with pytest.raises(np.exceptions.AxisError):
        array.sum(axis=len(shape))


@given(st.integers(1, 3), st.integers(1, 3), st.booleans(), st.data())
def test_products_with_weights_are_those_of_the_values(
    rows: int, columns: int, flat: bool, data: st.DataObject
) -> None:
    shape = (columns,) if flat else (rows, columns)
    array, numbers, values = stated(shape, data)
    draw = np.random.default_rng(data.draw(st.integers(0, 99)))
    after = draw.integers(-4, 5, columns)
    assert np.array_equal(value(array @ after, values), numbers @ after)
    assert np.array_equal(value(array @ after.tolist(), values), numbers @ after)
    for before in (draw.integers(-4, 5, shape[0]), draw.integers(-4, 5, (2, shape[0]))):
        assert np.array_equal(value(before @ array, values), before @ numbers)
        assert np.array_equal(value(before.tolist() @ array, values), before @ numbers)
    with pytest.raises(ValueError, match="mismatch"):
        array @ np.ones(columns + 1, dtype=int)
