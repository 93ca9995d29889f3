"""Bounds on differences against all values of the integers, and the models of CP-SAT that use them."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ktsolve import Model, solutions
from ktsolve.model.constraints import AllDifferent, Increasing
from ktsolve.model.differences import DifferenceBounds

SIGNS = ("<", "<=", "==", ">", ">=", "!=")


@st.composite
def ordered_models(draw: st.DrawFn) -> tuple[Model, Any]:
    """Four integers, with comparisons of two of them and perhaps a chain."""
    model = Model()
    lows = draw(st.lists(st.integers(-2, 1), min_size=4, max_size=4))
    x = [model.integer(f"x{i}", low, low + 2) for i, low in enumerate(lows)]
    pairs = st.tuples(st.sampled_from(x), st.sampled_from(x), st.sampled_from(SIGNS), st.integers(-2, 2))
    for one, other, sign, shift in draw(st.lists(pairs, max_size=4)):
        compared = {
            "<": one + shift < other,
            "<=": one + shift <= other,
            "==": (one + shift) - other == 0,
            ">": one + shift > other,
            ">=": one >= other + shift,
            "!=": (one + shift) - other != 0,
        }
        model.add(compared[sign])
    if draw(st.booleans()):
        model.add(Increasing(draw(st.permutations(x))[:3], strict=draw(st.booleans())))
    return model, x


@settings(deadline=None)
@given(ordered_models(), st.integers(-3, 3))
def test_differences_of_all_solutions_are_within_their_bounds(stated: tuple[Model, Any], shift: int) -> None:
    model, x = stated
    domains = [range(each.low, each.high + 1) for each in x]
    found = [values for values in product(*domains) if model.holds(values)]
    differences = DifferenceBounds(model)
    for one, other in product(x, repeat=2):
        if one is not other:
            low, high = differences.bounds(one - other + shift)
            for values in found:
                assert low <= values[one.number] - values[other.number] + shift <= high


def test_differences_along_a_chain_are_exact() -> None:
    model = Model()
    x = model.integers(4, 0, 9)
    model.add(x[:-1] + 2 <= x[1:])
    found = [values for values in product(range(10), repeat=4) if model.holds(values)]
    differences = [values[3] - values[0] for values in found]
    assert DifferenceBounds(model).bounds(x[3] - x[0]) == (min(differences), max(differences))
    assert DifferenceBounds(model).bounds(x[0] - x[3]) == (-max(differences), -min(differences))
    assert DifferenceBounds(model).bounds(2 * x[0] - x[3]) == (2 * x[0] - x[3]).bounds


@settings(deadline=None)
@given(ordered_models())
def test_cpsat_lists_all_solutions_with_bounded_differences(stated: tuple[Model, Any]) -> None:
    model, x = stated
    model.add(AllDifferent([x[1] - x[0], x[2] - x[1], x[3] - x[2]]))
    expected = {
        values for values in product(*(range(each.low, each.high + 1) for each in x)) if model.holds(values)
    }
    found = [tuple(each.assignment) for each in solutions(model, "cpsat")]
    assert len(found) == len(expected)
    assert set(found) == expected


@pytest.mark.parametrize("closed", [False, True])
def test_values_of_integers_are_choices_of_one_where_all_are_counted(closed: bool) -> None:
    model = Model()
    x, n = model.integers(3, 0, 2), model.integers(3, 0, 3, "n")
    model.global_cardinality(x, dict(enumerate(n)), closed=closed)
    found = {tuple(each.assignment) for each in solutions(model, "cpsat")}
    expected = {(*values, *map(values.count, range(3))) for values in product(range(3), repeat=3)}
    assert found == expected
