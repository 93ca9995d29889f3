"""Tests of random descents: their weights average to the number of solutions, whatever the model."""

from __future__ import annotations

import importlib.util
import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from integer_models import assignments, random_model
from marks import full
from random_models import models, solutions
from strategies import examples

import ktsolve
from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.sat.descents import descent, descents
from ktsolve.engines.sat.lazy import LazySolver
from ktsolve.engines.sat.python_sat import ConflictBudget
from ktsolve.model.model import Model


class _Script(random.Random):
    """Draws the numbers of a script, then zeros; ``drawn`` has each number with how many there are."""

    def __init__(self, script: list[int]) -> None:
        self._script = script
        self.drawn: list[tuple[int, int]] = []
        super().__init__(0)

    def randrange(self, start: int, *_: Any) -> int:
        place = len(self.drawn)
        number = self._script[place] if place < len(self._script) else 0
        self.drawn.append((number, start))
        return number

    def shuffle(self, x: Any) -> None:
        pass


def _expected(model: Model) -> Fraction:
    """The mean weight over all that a descent can draw: 0 where there is no solution."""
    total, script = Fraction(0), [0]
    solver = LazySolver(model, "cadical195")
    while script:
        drawing = _Script(script)
        weight = descent(solver, drawing, ConflictBudget(10**9))
        chance = Fraction(1)
        for _, several in drawing.drawn:
            chance /= several
        total += chance * weight
        drawn = list(drawing.drawn)
        while drawn and drawn[-1][0] == drawn[-1][1] - 1:
            drawn.pop()
        script = [number for number, _ in drawn]
        if script:
            script[-1] += 1
    solver.close()
    return total


@examples(30)
@given(models(), st.data())
def test_weights_of_descents_average_to_the_count(model: Model, data: st.DataObject) -> None:
    shown = data.draw(st.sets(st.integers(0, len(model) - 1), max_size=6))
    model.show(map(model.variable, sorted(shown)))
    expected = len({tuple(each[i] for i in sorted(shown)) for each in solutions(model)})
    if expected:
        assert _expected(model) == expected


@examples(30)
@given(st.integers(0, 2**20))
def test_weights_of_descents_through_integers_average_to_the_count(seed: int) -> None:
    model, holds = random_model(seed)
    model.forget_objectives()
    expected = sum(map(holds, assignments(model)))
    if 0 < expected <= 300:
        assert _expected(model) == expected


def test_bounds_from_below_hold_and_estimates_are_near() -> None:
    queens = Model("queens")
    rows = queens.integers(8, 1, 8)
    for slope in (-1, 0, 1):
        queens.all_different([row + slope * place for place, row in enumerate(rows)])
    found = [descents(queens, Clock(None), seed) for seed in range(3)]
    for each in found:
        assert each is not None
        assert 10 <= each.least <= 92
        assert 46 <= each.mean <= 184


@pytest.mark.parametrize("engine", ["sat", full("auto"), full("cpsat")])
def test_a_count_that_would_take_years_is_refused_with_an_estimate(engine: str) -> None:
    model = Model("all but one")
    model.at_least(1, model.booleans(60))
    if engine == "auto" and importlib.util.find_spec("pyganak"):
        assert ktsolve.count(model).count == 2**60 - 1
        return
    with pytest.raises(
        LimitReached, match=r"^stopped at 2,001 solutions: there are about 1.2e\+18, the.* years;"
    ):
        ktsolve.count(model, engine, Settings(threads=1))
