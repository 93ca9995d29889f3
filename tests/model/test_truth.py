"""The truth of constraints as a condition, against plain Python: equal to a Boolean, negated, and counted."""

from __future__ import annotations

from itertools import pairwise, permutations, product
from random import Random

import pytest
from integer_models import assignments, listed
from marks import full

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.engines.auto import model_solver
from ktsolve.model.constraints import (
    Cardinality,
    Clause,
    Implication,
    Linear,
    Precedence,
    Regular,
    When,
)
from ktsolve.model.model import Model
from ktsolve.tasks.solve import solve

ENGINES = ("sat", "cpsat")


def found(model: Model, engine: str) -> set[tuple[int, ...]]:
    """The solutions that an engine lists, each once."""
    each = [tuple(map(int, one)) for one in model_solver(engine, model).solutions(model, Settings(threads=1))]
    assert len(each) == len(set(each))
    return set(each)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("values", [*permutations((1, 2, 3), 3), (2, 1), (1,), (), (0, 1, 2), (1, 2, 1)])
def test_precedence_is_fully_reified(values: tuple[int, ...], engine: str) -> None:
    def holds(given: tuple[int, ...]) -> bool:
        return all(s in given[: given.index(t)] for s, t in pairwise(values) if t in given)

    domain = list(product(range(1, 4), repeat=3))
    equal, negated, counted = Model(), Model(), Model()
    for model in (equal, negated, counted):
        truth = model.truth(Precedence(model.integers(3, 1, 3), values))
        if model is equal:
            model.equal(model.boolean("b"), truth)
        elif model is negated:
            model.add(~truth)
        else:
            model.add(model.integer("n", 0, 9) == 3 * truth + 1)
    assert found(equal, engine) == {(*given, holds(given)) for given in domain}
    assert found(negated, engine) == {given for given in domain if not holds(given)}
    assert found(counted, engine) == {(*given, 3 * holds(given) + 1) for given in domain}


def check(seed: int, engine: str) -> int:
    """Compare the truth of a random constraint with a Boolean; return how many assignments satisfy it."""
    model = Model()
    for i in range(3):
        model.integer(f"x{i}", -1 if i else 0, 2)
    model.boolean("c")
    constraint = listed(Random(seed), [model.variable(i) for i in range(4)], model)
    if isinstance(constraint, Regular):
        with pytest.raises(BadInput, match=r"no condition says whether the constraint regular holds"):
            model.truth(constraint)
        return 0
    plain = Model()
    for i in range(3):
        plain.integer(f"x{i}", -1 if i else 0, 2)
    plain.boolean("c")
    everything = assignments(plain)
    true = {each: bool(listed(Random(seed), each, plain)) for each in everything}
    model.equal(model.boolean("b"), model.truth(constraint))
    assert found(model, engine) == {(*map(int, each), int(holds)) for each, holds in true.items()}, seed
    return sum(true.values())


@pytest.mark.parametrize(("first", "number"), [(0, 24), full(24, 200)])
def test_the_truth_of_random_constraints(first: int, number: int) -> None:
    numbers = [check(seed, ENGINES[seed % 2]) for seed in range(first, first + number)]
    assert sum(map(bool, numbers)) > number // 3


@pytest.mark.parametrize("engine", ENGINES)
def test_the_truth_of_constraints_on_literals(engine: str) -> None:
    for make in (
        lambda a, b, c: Clause((a, ~b)),
        lambda a, b, c: Implication((a, b), ~c),
        lambda a, b, c: Cardinality((a, ~b, c), 1, 2),
        lambda a, b, c: Linear(((3, a), (-2, b), (1, c)), 0, None),
        lambda a, b, c: When(a, Cardinality((b, c), 1, 1)),
        lambda a, b, c: a,
    ):
        model = Model()
        members = model.booleans("abc")
        constraint = make(*members)
        model.equal(model.boolean("t"), model.truth(constraint))
        assert found(model, engine) == {
            (*given, int(constraint.holds(given))) for given in product((0, 1), repeat=3)
        }
    rows = Model()
    numbers = rows.add_booleans(3)
    rows.add_cardinalities([numbers[:2].tolist(), numbers[1:].tolist()], least=1, most=1)
    [block] = rows.constraints
    rows.constraints.clear()
    rows.add(~rows.truth(block))
    assert len(found(rows, engine)) == 6


def test_what_has_no_truth_is_refused() -> None:
    model = Model()
    model.circuit(3, [(u, v, model.boolean(f"{u}{v}")) for u, v in ((0, 1), (1, 2), (0, 2))])
    with pytest.raises(BadInput, match=r"whether the constraint circuit holds: .* by when\(condition"):
        model.truth(model.constraints[0])
    with pytest.raises(BadInput, match="truth takes a constraint, not 3"):
        model.truth(3)
    other = Model().integers(2, 0, 1)
    with pytest.raises(BadInput, match="not of this model"):
        model.add(model.truth(Precedence(other, [0, 1])))
    small = Model()
    x = small.integers(3, 1, 3)
    small.maximise(1 - small.truth(Precedence(x, [1, 2])))
    assert solve(small).value == 1
