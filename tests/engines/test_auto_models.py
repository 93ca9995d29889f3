"""Which solver ``auto`` gives a model to: limits of numbers, and optima that one solver does not prove."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from ktsolve import BadInput, LimitReached, Model, Settings, solutions, solve
from ktsolve.engines import race
from ktsolve.tasks.count_models import count_solutions
from ktsolve.tasks.solve import ModelAnswer


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
    assert answer.engine in ("sat", "cpsat")
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


def pairs(people: int) -> Model:
    """People in pairs. An odd number leaves one over: clauses alone take very long to show it."""
    model = Model("pairs")
    pair = {two: model.boolean(str(two)) for two in combinations(range(people), 2)}
    for one in range(people):
        model.exactly_one(each for two, each in pair.items() if one in two)
    return model


def test_another_solver_has_a_trial_between_the_steps_of_the_first() -> None:
    answer = solve(pairs(15))
    assert (answer.status, answer.engine) == ("impossible", "cpsat")
    told: list[str] = []
    again = solve(pairs(15), settings=Settings(progress=lambda _, text: told.append(text)))
    assert again.engine == "cpsat"
    assert any(text.startswith("cadical153 after ") for text in told)


@pytest.mark.full
def test_another_solver_joins_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "_TRIED_AFTER", 1e9)
    said: list[str] = []
    answer = solve(pairs(15), settings=Settings(remark=said.append))
    assert (answer.status, answer.engine) == ("impossible", "cpsat")
    assert said[0].startswith("race of cpsat ")
    assert said[-1].startswith("cpsat was first")
    # At a limit of the first one the other goes on; both keep to the limit of time.
    with pytest.raises(LimitReached):
        solve(pairs(15), "sat", Settings(timeout=1.5))


def test_what_another_solver_finds_ends_the_first_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A callback that is content with a solution of the other solver stops both."""
    monkeypatch.setattr(race, "_TRIED_AFTER", 0.05)
    model = longest_path(60, seed=2)
    seen: list[tuple[str, int | None]] = []

    def content(answer: ModelAnswer) -> bool:
        seen.append((answer.engine, answer.value))
        return len(seen) == 2

    answer = solve(model, on_solution=content)
    assert len(seen) == 2
    assert answer.value == seen[1][1]
    assert seen[0][1] is not None
    assert answer.value is not None
    assert answer.value > seen[0][1]
