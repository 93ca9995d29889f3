"""Integers with a literal for each value, and literals that their conditions imply or are implied by.

The solutions of the clauses for solving, as values of the variables, are those that brute force finds.
"""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from integer_models import assignments, random_model
from pysat.solvers import Solver

from ktsolve import Model, solutions
from ktsolve.model.by_value import integers_by_value
from ktsolve.model.encode import Encoder
from ktsolve.model.order import Chosen


def projected(model: Model) -> set[tuple[int, ...]]:
    """The solutions of the clauses for solving, as values of the model's variables."""
    import numpy as np

    encoder = Encoder(model, solving=True)
    for constraint in model.constraints:
        encoder.add(constraint)
    if not all(encoder.clauses):
        return set()
    found = set()
    with Solver(
        name="cadical195", bootstrap_with=[*encoder.clauses, [encoder.variables, -encoder.variables]]
    ) as solver:
        while solver.solve():
            true = np.zeros(encoder.variables + 1, dtype=np.bool_)
            true[[x for x in solver.get_model() if x > 0]] = True
            values = encoder.assignment(true)
            assert bool((encoder.truth(values)[1 : len(model) + 1] == true[1 : len(model) + 1]).all())
            found.add(tuple(values))
            assert len(found) < 2000
            solver.add_clause(
                [
                    literal
                    for number, value in enumerate(values)
                    for literal in encoder.other_value(model.variable(number), value)
                ]
            )
    return found


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**20))
def test_clauses_for_solving_have_the_solutions_of_the_model(seed: int) -> None:
    model, holds = random_model(seed)
    expected = {tuple(each) for each in assignments(model) if holds(each)}
    if len(expected) <= 300:
        assert projected(model) == expected


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_integers_used_by_their_values_are_choices(data: st.DataObject) -> None:
    model = Model()
    low = data.draw(st.integers(-2, 1))
    x = model.integers(3, low, low + data.draw(st.integers(2, 3)))
    b = model.booleans(2, "b")
    shifts = data.draw(st.lists(st.integers(-1, 1), min_size=3, max_size=3))
    if data.draw(st.booleans()):
        model.all_different(each + shift for each, shift in zip(x, shifts, strict=True))
    value = data.draw(st.integers(low - 1, low + 4))
    equal = [x[0] == x[1], x[1] != x[2] + shifts[0], x[2] == value, -x[0] == x[2]]
    chosen = data.draw(st.lists(st.sampled_from(equal), min_size=1, max_size=3))
    kind = data.draw(st.integers(0, 4))
    bound = data.draw(st.integers(0, 2))
    if kind == 0:
        model.add(sum(chosen) + b[0] <= bound)
    elif kind == 1:
        model.add(sum(chosen) - b[0] >= bound)
    elif kind == 2:
        model.add(sum(chosen) - sum(equal) == b[0] - b[1])
    elif kind == 3:
        model.when(chosen[0], b[0], x[0] != value)
    else:
        model.add((chosen[0] | b[0]) & (~chosen[0] | b[1]) | (equal[0] & ~b[0]))
    assert integers_by_value(model) == {0, 1, 2}
    encoder = Encoder(model, solving=True)
    assert all(isinstance(encoder.order.integers[i], Chosen) for i in range(3))
    domains = [*(range(each.low, each.high + 1) for each in x), (0, 1), (0, 1)]
    expected = {values for values in product(*domains) if model.holds(values)}
    assert projected(model) == expected
    assert {tuple(map(int, each.assignment)) for each in solutions(model, "sat")} == expected


def test_orders_of_choices_are_made_when_they_are_needed() -> None:
    model = Model()
    x = model.integers(2, 0, 4)
    model.all_different(x)
    encoder = Encoder(model, solving=True)
    assert encoder.order.orders == {}
    clauses = len(encoder.clauses)
    encoder.require(x[0] <= 2)
    assert list(encoder.order.orders) == [0]
    assert len(encoder.clauses) > clauses + 1
    ordered = Model()
    y = ordered.integers(2, 0, 4)
    ordered.all_different(y)
    ordered.add(y[0] <= 2)
    assert integers_by_value(ordered) == {1}
