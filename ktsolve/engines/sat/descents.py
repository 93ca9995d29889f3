"""Estimates of the number of solutions from random descents, where there are too many to list.

A descent gives the shown variables values, one after the other. The solver says which half of a range of
values some solution has; where both are possible, one is chosen at random, by its number of values. Each
descent ends at a solution, and one over its probability is on average the number of solutions (Knuth,
Estimating the efficiency of backtrack programs, 1975, with a solver so that no descent fails). It exceeds
``a`` times that number with probability at most 1/a (Markov), which gives a bound from below (Gomes et al.,
From sampling to model counting, 2007). Parities of random sets of variables would bound the error from both
sides, but SAT solvers take minutes for forty of them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from fractions import Fraction

from ktsolve.base.limits import Clock
from ktsolve.engines.sat.lazy import LazySolver
from ktsolve.engines.sat.python_sat import LISTING_SOLVER, BudgetExhausted, ConflictBudget
from ktsolve.model.constraints import Literal
from ktsolve.model.encode import Encoder, number
from ktsolve.model.model import Model
from ktsolve.model.variables import Integer

__all__ = ["Choice", "Descents", "choices", "descents", "literals_of"]

_DESCENTS = 200
_BUDGET = 200_000  # conflicts of all descents, where a call without conflicts counts for ten
_DOUBT = 1000  # the bound from below fails with a probability of at most 1 in 1000


@dataclass(frozen=True)
class Descents:
    """One over the probabilities of the solutions where random descents ended; there is at least one.

    >>> found = Descents([Fraction(8), Fraction(24)] * 100)
    >>> found.mean, found.least
    (16, 8)
    """

    weights: list[Fraction]

    @property
    def mean(self) -> int:
        """The estimate of the number of solutions."""
        return round(sum(self.weights) / len(self.weights))

    @property
    def least(self) -> int:
        """There are at least as many solutions but with a probability of 1 in 1000."""
        # Some k of n weights are at least a times the number with probability at most C(n, k) / a^k.
        falling, n = sorted(self.weights, reverse=True), len(self.weights)
        bounds = (
            weight / Fraction(math.exp((math.log(math.comb(n, k)) + math.log(_DOUBT * n)) / k))
            for k, weight in enumerate(falling, 1)
        )
        return math.ceil(max(bounds))


def descents(model: Model, clock: Clock, seed: int = 0) -> Descents | None:
    """The descents that a conflict budget allows, None if none ends. Raises LimitReached.

    >>> model = Model()
    >>> a, b, c = model.booleans("abc")
    >>> model.implies(a, b)
    >>> descents(model, Clock(None)).mean
    6
    """
    budget = ConflictBudget(_BUDGET, lambda _conflicts: clock.check(), _BUDGET)
    weights: list[Fraction] = []
    generator = random.Random(seed)
    with closing(LazySolver(model, LISTING_SOLVER)) as solver, suppress(BudgetExhausted):
        while len(weights) < _DESCENTS:
            weights.append(descent(solver, generator, budget))
    return Descents(weights) if weights else None


@dataclass(frozen=True)
class Choice:
    """A choice of a descent: that a literal of a variable is true, or false.

    - ``place``: Which of the literals that order an integer; 0 for a Boolean.
    - ``weight``: One over the probability of the choice.
    """

    variable: Literal | Integer
    place: int
    positive: bool
    weight: Fraction


def descent(solver: LazySolver, generator: random.Random, budget: ConflictBudget) -> Fraction:
    """One over the probability of a random solution of a model that has solutions. Raises BudgetExhausted."""
    return math.prod((each.weight for each in choices(solver, generator, budget)), start=Fraction(1))


def choices(solver: LazySolver, generator: random.Random, budget: ConflictBudget) -> Iterator[Choice]:
    """The choices that lead to a random solution of a model that has solutions. Raises BudgetExhausted."""
    ordered = [(each, literals_of(solver.encoder, each)) for each in solver.model.shown]
    generator.shuffle(ordered)
    assumed: list[int] = []
    true = _literals(solver, budget, assumed) or set()
    for variable, literals in ordered:
        low, high = 0, len(literals)  # so many of the literals are true at least and at most
        while low < high:
            middle = (low + high) // 2
            split = literals[middle]
            here = split if split in true else -split
            other = _literals(solver, budget, [*assumed, -here])
            if other is not None:
                total, above = high - low + 1, high - middle
                up = generator.randrange(total) < above
                yield Choice(variable, middle, up, Fraction(total, above if up else total - above))
                if up != (here == split):
                    here, true = -here, other
                assumed.append(here)
            low, high = (middle + 1, high) if here == split else (low, middle)


def literals_of(encoder: Encoder, variable: Literal | Integer) -> Sequence[int]:
    """The literals of a variable; of an integer as many are true as its value is above the least one."""
    if isinstance(variable, Literal):
        return [number(variable)]
    return encoder.order.integers[variable.number].literals


def _literals(solver: LazySolver, budget: ConflictBudget, assumed: list[int]) -> set[int] | None:
    found = solver.next_solution(budget, assumed)
    return None if found is None else set(solver.encoder.truth(found).nonzero()[0].tolist())
