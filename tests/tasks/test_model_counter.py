"""The model counter's time is predicted from parts: their numbers are right, and long counts are refused."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import factorial
from typing import Any

import pytest

import ktsolve
from ktsolve import Model, Settings
from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Clock
from ktsolve.engines.sat.descents import Choice, choices
from ktsolve.engines.sat.lazy import LazySolver
from ktsolve.engines.sat.python_sat import ConflictBudget
from ktsolve.model.variables import Integer
from ktsolve.tasks import count_models, model_counter
from ktsolve.tasks.model_counter import extrapolated, predicted


class _InOrder(random.Random):
    """Leaves lists in their order, so that all descents take the variables in one order."""

    def shuffle(self, x: Any) -> None:
        pass


def small() -> Model:
    """A model with Booleans and integers."""
    model = Model("small")
    a, b, c = model.booleans("abc")
    x, y = model.integers(2, 0, 3)
    model.add(x + a <= y + 1, b | (y >= 2), ~b | ~c)
    return model


def values(model: Model) -> list[dict[int, int]]:
    """All solutions, by plain enumeration."""
    domains = [range(each.bounds[0], each.bounds[1] + 1) for each in map(model.variable, range(len(model)))]
    return [dict(enumerate(each)) for each in product(*domains) if model.holds(each)]


def agrees(solution: dict[int, int], made: Sequence[Choice]) -> bool:
    """Whether a solution makes some choices: for an integer, that it is above its least value by more."""
    for each in made:
        value = solution[each.variable.number]
        low = each.variable.low if isinstance(each.variable, Integer) else 0
        if (value - low > each.place) is not each.positive:
            return False
    return True


def test_choices_lead_to_one_solution_and_their_chances_add_up() -> None:
    """At any place the choices that can be made divide the solutions, and their chances are 1 together."""
    model = small()
    everything = values(model)
    solver = LazySolver(model, "cadical195")
    for place in range(5):
        parts: dict[tuple[Any, ...], tuple[int, Fraction]] = {}
        for seed in range(200):
            made = list(choices(solver, _InOrder(seed), ConflictBudget(10**9)))
            assert sum(agrees(each, made) for each in everything) == 1
            prefix = tuple((each.variable.number, each.place, each.positive) for each in made[:place])
            chance = 1 / math.prod((each.weight for each in made[:place]), start=Fraction(1))
            parts[prefix] = sum(agrees(each, made[:place]) for each in everything), chance
        assert sum(number for number, _ in parts.values()) == len(everything)
        assert sum(chance for _, chance in parts.values()) == 1
    solver.close()


def test_times_are_extrapolated_through_those_that_are_long() -> None:
    exact = [(share / 8, math.exp(2 + 6 * share / 8)) for share in range(1, 4)]
    assert extrapolated(exact) == pytest.approx(math.exp(8))
    assert extrapolated([(0.1, 0.001), *exact]) == pytest.approx(math.exp(8))
    assert extrapolated(exact[:1]) is None
    assert extrapolated([(0.1, 0.01), (0.2, 0.02)]) is None


@pytest.mark.full
def test_a_count_that_would_take_years_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyganak")
    monkeypatch.setattr(model_counter, "_FIRST", 0.3)
    monkeypatch.setattr(model_counter, "_PART", 1.0)
    monkeypatch.setattr(model_counter, "_FOREVER", 3600.0)
    seating = Model("seating")
    seating.all_different(seating.integers(20, 1, 20, "guest"))
    with pytest.raises(LimitReached, match=r"^stopped after .*: there are about \d\.\de\+1\d solutions, and"):
        ktsolve.count(seating)
    with pytest.raises(LimitReached, match=r"no count"):
        ktsolve.count(seating, "sharpsat", Settings(timeout=0.5))
    monkeypatch.setattr(count_models, "_LISTED_FIRST", 1)
    monkeypatch.setattr(model_counter, "_FIRST", 60.0)
    with pytest.raises(LimitReached, match=r"no count"):
        ktsolve.count(seating, settings=Settings(timeout=1))


@pytest.mark.full
def test_a_count_that_takes_longer_than_the_first_time_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyganak")
    monkeypatch.setattr(model_counter, "_FIRST", 0.01)
    monkeypatch.setattr(model_counter, "_PLACES", 4)
    monkeypatch.setattr(count_models, "_LISTED_FIRST", 10)
    seating = Model("seating")
    seating.all_different(seating.integers(7, 1, 7, "guest"))
    answer = ktsolve.count(seating)
    assert (answer.count, answer.engine) == (factorial(7), "sharpsat")
    found = predicted(seating, Settings(), Clock(None))
    assert found is None or 7 * 6 <= found.number <= 7**7
