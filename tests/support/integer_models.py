"""Random models with integers, each stated twice: for the language, and in plain Python on plain numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise, product
from random import Random
from typing import Any

from ktsolve.model.constraints import (
    AllDifferent,
    Cumulative,
    GlobalCardinality,
    Increasing,
    Inverse,
    LexLess,
    NoOverlap,
    Precedence,
    Regular,
    Table,
    Xor,
)
from ktsolve.model.expressions import Expression, sum_of
from ktsolve.model.model import Model

COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)

Values = Sequence[Any]
"""Variables of a model, or their values: the functions here give expressions, or what these must equal."""


def _stated(given: Values) -> bool:
    return any(isinstance(each, Expression) for each in given)


def _not(condition: Any) -> Any:
    return ~condition if _stated([condition]) else not condition


def _extreme(members: list[Any], greatest: bool) -> Any:
    if _stated(members):
        return Model.max(members) if greatest else Model.min(*members)
    return max(members) if greatest else min(members)


def _count(members: list[Any], value: Any) -> Any:
    return Model.count(members, value) if _stated([*members, value]) else members.count(value)


def _element(members: list[Any], index: Any) -> Any:
    return Model.element(members, index) if isinstance(index, Expression) else members[index]


def _quotient(dividend: Any, divisor: Any) -> Any:
    if _stated([dividend, divisor]):
        return Model.quotient(dividend, divisor)
    return int(Fraction(int(dividend), int(divisor)))


def _remainder(dividend: Any, divisor: Any) -> Any:
    if _stated([dividend, divisor]):
        return Model.remainder(dividend, divisor)
    return dividend - _quotient(dividend, divisor) * divisor


def expression(random: Random, given: Values, model: Model, depth: int = 1) -> Any:
    """A random expression of the variables, or its value."""
    kind = random.randrange(11 if depth else 2)

    def inner() -> Any:
        return expression(random, given, model, 0)

    match kind:
        case 2:
            return abs(inner()) - 1
        case 3 | 4:
            return _extreme([inner() for _ in range(random.randint(1, 3))], kind == 3) + random.choice(given)
        case 5:
            if indices := [n for n, x in model.integers_by_number.items() if x.low >= 0]:
                number = random.choice(indices)
                size = model.integers_by_number[number].high + 1
                members = [random.choice([random.randint(-3, 3), random.choice(given)]) for _ in range(size)]
                return _element(members, given[number])
        case 6:
            return sum(condition(random, given, model, 0) for _ in range(random.randint(1, 3)))
        case 7:
            return _count([random.choice(given) for _ in range(3)], random.choice([1, random.choice(given)]))
        case 8:
            return condition(random, given, model, 0) * inner()
        case 9:
            return inner() * inner()
        case 10:
            divisor = random.choice([-3, -2, 2, 3, abs(inner()) + 1])
            return random.choice((_quotient, _remainder))(inner(), divisor)
    weights = [random.choice([-2, -1, 1, 1, 2, 3]) for _ in range(random.randint(1, 3))]
    return sum((weight * random.choice(given) for weight in weights), random.randint(-2, 2))


def condition(random: Random, given: Values, model: Model, depth: int = 1) -> Any:
    """A random condition on the variables, or whether it is true."""
    kind = random.randrange(6 if depth else 2)
    booleans = [n for n in range(len(model)) if n not in model.integers_by_number]
    if kind == 0 and booleans:
        literal = given[random.choice(booleans)]
        return literal if random.random() < 0.5 else _not(literal)
    if kind >= 3:
        join: Callable[[Any, Any], Any] = (operator.or_, operator.and_, operator.xor)[kind - 3]
        return join(condition(random, given, model, 0), condition(random, given, model, 0))
    compare = random.choice(COMPARISONS)
    left = expression(random, given, model, depth)
    right = random.choice([random.randint(-4, 6), expression(random, given, model, depth)])
    if _stated([left, right]):
        total: Any = sum_of(left)
        return compare(total, right)  # two literals compare as sums only
    return compare(int(left), int(right))


def listed(random: Random, given: Values, model: Model) -> Any:
    """A random constraint on a list of expressions, or whether it holds."""
    kind, strict = random.randrange(12), random.random() < 0.5
    size = random.randint(0, 3)
    if kind > 4:
        return _global(random, given, model, kind)
    if kind == 3:
        both = random.sample(range(len(given)), 2 * min(size, len(given) // 2))
        first = [given[i] for i in both[::2]]
        second = [given[i] for i in both[1::2]]
        if _stated(given):
            return Inverse(first, second)
        return set(first) == set(range(len(first))) and all(second[j] == i for i, j in enumerate(first))
    if kind == 4:
        first = [random.choice(given) for _ in range(size)]
        second = [random.choice(given) for _ in range(size)]
        if _stated(given):
            return LexLess(first, second, strict=strict)
        return first < second if strict else first <= second
    if strict:
        members = [expression(random, given, model, random.randint(0, 1)) for _ in range(size + 1)]
    else:
        members = random.sample(given, min(len(given), size + 1))
    if kind == 2:
        return AllDifferent(members) if _stated(given) else len(set(members)) == len(members)
    rows = [tuple(random.randint(-1, 4) for _ in members) for _ in range(random.randint(0, 5))]
    if _stated(given):
        return Table(members, rows, allowed=kind == 0)
    return (tuple(members) in rows) is (kind == 0)


def _global(random: Random, given: Values, model: Model, kind: int) -> Any:
    """A random global constraint, or whether it holds."""
    stated, strict = _stated(given), random.random() < 0.5
    members = [random.choice(given) for _ in range(random.randint(1, 3))]

    def numbers() -> list[Any]:
        return [random.choice([0, 1, 2, random.choice(given)]) for _ in members]

    values = random.sample(range(-1, 4), random.randint(1, 3))
    match kind:
        case 5:
            if stated:
                return Increasing(members, strict=strict)
            return members == sorted(members) and not (strict and len(set(members)) < len(members))
        case 6:
            if stated:
                return Precedence(members, values)
            return all(s in members[: members.index(t)] for s, t in pairwise(values) if t in members)
        case 7:
            counts = [random.choice([0, 1, random.choice(given)]) for _ in values]
            if stated:
                return GlobalCardinality(members, values, counts, closed=strict)
            return list(map(members.count, values)) == counts and not (strict and set(members) - set(values))
        case 8:
            parts = [condition(random, given, model) for _ in range(random.randint(1, 4))]
            return Xor(parts) if stated else sum(map(bool, parts)) % 2 == 1
        case 9:
            rows = [[random.randint(0, 2), random.randint(-1, 3), random.randint(0, 2)] for _ in range(9)]
            table = {(state, value): after for state, value, after in rows}
            accepting = random.sample(range(3), random.randint(0, 2))
            if stated:
                return Regular(members, [(*each, after) for each, after in table.items()], 0, accepting)
            # No state has the number -1.
            return reduce(lambda state, value: table.get((state, value), -1), members, 0) in accepting
        case 10:
            durations = numbers()
            if stated:
                return NoOverlap(members, durations)
            times = [time for s, d in zip(members, durations, strict=True) for time in range(s, s + d)]
            return min(durations) >= 0 and len(set(times)) == len(times)
    durations, demands, capacity = numbers(), numbers(), random.choice([1, 2, random.choice(given)])
    if stated:
        return Cumulative(members, durations, demands, capacity)
    tasks = list(zip(members, durations, demands, strict=True))
    loads = [sum(r for s, d, r in tasks if s <= time < s + d) for time in range(-9, 20)]
    return min(*durations, *demands) >= 0 and max(loads) <= capacity


def random_model(seed: int) -> tuple[Model, Callable[[Values], bool]]:
    """A small model, and the function that says in plain Python whether an assignment is a solution."""
    random = Random(seed)
    model = Model(f"random {seed}")
    for i in range(random.randint(1, 4)):
        if random.random() < 0.35:
            model.boolean(f"b{i}")
        else:
            low = random.choice([-2, -1, 0, 0, 0, 1])
            model.integer(f"x{i}", low, low + random.choice([0, 1, 2, 2, 3, 4]))
    makers = [random.choice((condition, condition, listed)) for _ in range(random.randint(1, 3))]
    conditional = [random.random() < 0.4 for _ in makers]
    seeds = [random.getrandbits(32) for _ in makers]

    def parts(given: Values) -> list[tuple[Any, Any]]:
        made = []
        for make, under, number in zip(makers, conditional, seeds, strict=True):
            again = Random(number)
            made.append((condition(again, given, model) if under else None, make(again, given, model)))
        return made

    for premise, constraint in parts([model.variable(i) for i in range(len(model))]):
        if premise is None:
            model.add(constraint)
        else:
            model.when(premise, constraint)
    return model, lambda values: all(
        premise is False or constraint for premise, constraint in parts(list(values))
    )


def domains(model: Model) -> list[Sequence[int]]:
    """The values of each variable."""
    integers = model.integers_by_number
    return [
        range(integers[i].low, integers[i].high + 1) if i in integers else (False, True)
        for i in range(len(model))
    ]


def assignments(model: Model) -> list[tuple[int, ...]]:
    """All assignments with values in the domains."""
    return list(product(*domains(model)))
