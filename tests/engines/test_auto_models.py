"""Which solver ``auto`` gives a model to: limits of numbers, and optima that one solver does not prove."""

from __future__ import annotations

import random

import pytest

from ktsolve import BadInput, Model, Settings, solutions, solve
from ktsolve.engines import race
from ktsolve.tasks.count_models import count_solutions


def longest_path(nodes: int, seed: int) -> Model:
    """The longest directed path in a random graph with three arcs from each node."""
    chance = random.Random(seed)
    arcs = sorted({(u, v) for u in range(nodes) for v in chance.sample(range(nodes), 3) if u != v})
    model = Model("longest path")
    used = model.booleans(f"{u}-{v}" for u, v in arcs)
    model.subpath(nodes, [(u, v, each) for (u, v), each in zip(arcs, used, strict=True)], directed=True)
    model.maximise(sum(used))
    return model


def test_numbers_beyond_the_limits_of_one_solver_go_to_the_other() -> None:
    weights = (10**20, 3 * 10**19, 7 * 10**19, 10**19 + 1)
    model = Model()
    x = model.booleans("abcd")
    total = sum(weight * each for weight, each in zip(weights, x, strict=True))
    model.add(total == 10**20)
    assert {str(each) for each in solutions(model)} == {"a", "b, c"}
    assert count_solutions(model).count == 2
    model.maximise(total - 10**19 * x[0])
    answer = solve(model)
    assert (str(answer), answer.optimal) == ("b, c", True)
    with pytest.raises(BadInput, match="engine cpsat cannot take sums of more than 62 bits"):
        solve(model, "cpsat")


@pytest.mark.full
def test_an_optimum_that_one_solver_does_not_prove_is_proved_by_another() -> None:
    model = longest_path(120, seed=1)
    answer = solve(model, settings=Settings(timeout=100))
    assert (answer.value, answer.bound) == (114, 114)
    # With a seed the solution depends on no race: the favourite alone, which is far from a proof.
    with_seed = solve(model, settings=Settings(seed=1, timeout=2))
    assert with_seed.engine == solve(longest_path(6, seed=1)).engine
    assert not with_seed.optimal


@pytest.mark.full
def test_optima_of_models_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "_MOMENT_FOR_BEST", 1e-3)
    said: list[str] = []
    answer = solve(longest_path(30, seed=3), settings=Settings(remark=said.append))
    assert said[0].startswith("race of ")
    assert said[-1].startswith(f"{answer.engine} proved it first")
    assert answer.value == answer.bound == solve(longest_path(30, seed=3), "cpsat").value
    none = Model()
    a, b = none.booleans("ab")
    none.clause(a, b)
    none.minimise(a + b)
    assert solve(none, assumptions=[~a, ~b]).core


@pytest.mark.full
def test_objectives_in_turn_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "_MOMENT_FOR_BEST", 1e-3)
    model = longest_path(16, seed=5)
    longest = solve(model, "cpsat").value
    model.then_maximise(sum(model.shown[:9]))
    answer = solve(model)
    assert answer.optimal
    assert answer.values[0] == longest
    assert answer.values == solve(model, "cpsat").values
