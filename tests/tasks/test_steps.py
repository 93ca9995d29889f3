"""Explanations in steps: each follows from its reason, which is small; together they tell all."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from integer_models import assignments, random_model

import ktsolve
from ktsolve.base.errors import BadInput
from ktsolve.model.model import Model
from ktsolve.tasks.steps import explain_steps


def follows(model: Model, constraints: Iterable[Any], known: Iterable[Any], facts: Iterable[Any]) -> bool:
    """Whether facts are true in all assignments that satisfy the constraints and the known facts."""
    stated, wanted = [*constraints, *known], list(facts)
    satisfying = (each for each in assignments(model) if all(one.holds(each) for one in stated))
    return all(fact.holds(each) for each in satisfying for fact in wanted)


@given(st.integers(0, 10**6), st.booleans())
def test_steps_follow_from_small_reasons_and_are_complete(seed: int, named: bool) -> None:
    model = random_model(seed)[0]
    if named:
        for number in range(1, len(model.constraints)):
            model._group_of[number] = f"constraint {number}"
    solutions = [each for each in assignments(model) if model.holds(each)]
    if not solutions:
        with pytest.raises(BadInput, match="has no solution: unsat_core"):
            list(explain_steps(model))
        return
    groups = model.groups or {each.text(model.name_of): [each] for each in model.constraints}
    if not model.groups and len(groups) < len(model.constraints):
        return  # two have the same text
    unnamed = [] if not model.groups else model.constraints[:1]
    known: list[Any] = []
    for step in explain_steps(model):
        reason = [each for name in step.names for each in groups[name]]
        assert all(any(fact.key == old.key for old in known) for fact in step.given)
        assert follows(model, [*unnamed, *reason], step.given, step.facts)
        for name in step.names:
            less = [each for other in step.names if other != name for each in groups[other]]
            assert not follows(model, [*unnamed, *less], step.given, step.facts), (name, str(step))
        for fact in step.given:
            less = [other for other in step.given if other is not fact]
            assert not follows(model, [*unnamed, *reason], less, step.facts), str(step)
        known += step.facts
    for number, values in enumerate(zip(*solutions, strict=True)):
        told = [fact for fact in known if next(iter(fact.variables())).number == number]
        left = [each[number] for each in assignments(model) if all(fact.holds(each) for fact in told)]
        assert set(left) == set(values)


def test_the_next_step_has_the_smallest_reason() -> None:
    model = Model("three houses")
    red, green, blue = (model.integer(name, 1, 3) for name in ("red", "green", "blue"))
    model.add(red != 1, red != 3, name="red is not at an end")
    model.all_different([red, green, blue])
    model.add(abs(green - blue) >= 2, green < blue, name="green is far left of blue")
    assert [str(step) for step in ktsolve.explain_steps(model)] == [
        "red = 2, by red is not at an end",
        "green = 1, blue = 3, by green is far left of blue",
    ]


def test_a_reason_of_several_constraints_is_a_smallest_one() -> None:
    model = Model("sums")
    x = model.integers(4, 0, 3)
    model.add(x[0] + x[1] == 2, name="first")
    model.add(x[1] + x[2] == 2, name="second")
    model.add(x[0] + x[2] + x[3] == 5, name="third")
    model.add(x[0] == x[3] + 1, name="fourth")
    first, *_ = explain_steps(model)
    assert first.names == ("first", "third", "fourth")
    for pair in combinations(model.constraints, 2):
        solutions = [each for each in assignments(model) if all(one.holds(each) for one in pair)]
        assert all(len(set(values)) > 1 for values in zip(*solutions, strict=True))


def test_common_values_of_several_solutions() -> None:
    model = Model("not unique")
    x, b = model.integer("x", 0, 5), model.boolean("b")
    model.add((x == 1) | (x == 4), name="x")
    model.add(b | (x > 5), name="b")
    assert [str(step) for step in explain_steps(model)] == [
        "x != 0, x != 2, x != 3, x != 5, by x",
        "b, by b",
    ]
