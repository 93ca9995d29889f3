"""Integers and sums as clauses: the order encoding.

An expression e with the possible values v0 < v1 < ... has a literal for each value but the least: the literal
of v is true exactly if e >= v (Tamura et al. 2009). Sums of two expressions get literals of their own; sums
whose values are too many become binary numbers, added by a network of adders (Eén & Sörensson 2006). A
literal for e = v is made where a constraint needs one.

Every auxiliary variable is a function of the model's variables, so that clauses and model have equally many
solutions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import reduce
from heapq import heapify, heappop, heappush
from itertools import chain, pairwise, product
from math import gcd, prod

from ktsolve.base.errors import Refused
from ktsolve.model.clauses import TRUE, ClauseWriter
from ktsolve.model.variables import Integer

__all__ = ["MOST_VALUES", "Chosen", "OrderEncoding", "Ordered", "weights_of"]

MOST_VALUES = 1_000_000
"""Most values of all integers of a model together."""

_MOST_DIRECT = 3000  # most clauses of a bound on a sum without auxiliary variables
_MOST_MERGED = 60_000  # most clauses of a sum with literals of its own; larger sums become binary numbers


@dataclass(frozen=True)
class Ordered:
    """An expression in the order encoding: its possible values, ascending.

    Each but the first has a literal that is true exactly if the expression is at least that value.
    """

    values: Sequence[int]
    literals: Sequence[int]

    def place(self, place: int) -> int:
        """Return the literal of ``expression >= values[place]``, also one place after the last."""
        if place <= 0:
            return TRUE
        return -TRUE if place >= len(self.values) else self.literals[place - 1]

    def at_least(self, bound: int) -> int:
        """Return the literal of ``expression >= bound``."""
        return self.place(bisect_left(self.values, bound))

    def at_most(self, bound: int) -> int:
        """Return the literal of ``expression <= bound``."""
        return -self.at_least(bound + 1)

    def scaled(self, weight: int) -> Ordered:
        """Return the product with a number that is not 0."""
        if weight == 1:
            return self
        if weight > 0:
            return Ordered([weight * value for value in self.values], self.literals)
        return Ordered([weight * v for v in reversed(self.values)], [-x for x in reversed(self.literals)])

    def shifted(self, constant: int) -> Ordered:
        """Return the sum with a number."""
        return Ordered([value + constant for value in self.values], self.literals) if constant else self


class Chosen(Ordered):
    """An integer, or a multiple of it with a number added, that has a literal for each of its values.

    The literals of the order are made by ``order`` when they are first needed.
    """

    taken: Sequence[int]
    _order: Callable[[], Sequence[int]]

    def __init__(
        self, values: Sequence[int], taken: Sequence[int], order: Callable[[], Sequence[int]]
    ) -> None:
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "taken", taken)
        object.__setattr__(self, "_order", order)

    @property
    def literals(self) -> Sequence[int]:
        """The literals of the order."""
        return self._order()

    def scaled(self, weight: int) -> Ordered:
        """Return the product with a number that is not 0."""
        if weight > 0:
            return Chosen([weight * value for value in self.values], self.taken, self._order)
        values = [weight * value for value in reversed(self.values)]
        return Chosen(values, self.taken[::-1], lambda: [-x for x in reversed(self._order())])

    def shifted(self, constant: int) -> Ordered:
        """Return the sum with a number."""
        return Chosen([value + constant for value in self.values], self.taken, self._order)


class OrderEncoding:
    """Ordered expressions, and the clauses that define them and bound their sums.

    The methods that add a constraint take ``unless``: literals, each of which lifts the constraint. The
    integer variables that have literals are in ``integers``, by their numbers. The literals of the order of
    those with a literal for each value are in ``orders``, if they are made.
    """

    def __init__(self, out: ClauseWriter) -> None:
        self.out = out
        self.integers: dict[int, Ordered] = {}
        self.orders: dict[int, list[int]] = {}
        self._values: dict[tuple[int, int], int] = {}
        self._sums: dict[Hashable, Ordered] = {}
        self._sizes = 0

    # -- integers and values -----------------------------------------------------------------------------

    def add_integer(self, integer: Integer) -> Ordered:
        """Give an integer its literals: the first is the variable of its number, the others are new."""
        low, high = integer.bounds
        self._count(integer)
        first = integer.number + 1
        literals = [first, *(self.out.fresh() for _ in range(high - low - 1))] if high > low else []
        if not literals:
            self.out.clauses.append([-first])
        self.out.clauses.extend([-b, a] for a, b in pairwise(literals))
        self.integers[integer.number] = Ordered(range(low, high + 1), literals)
        return self.integers[integer.number]

    def add_choice(self, integer: Integer) -> None:
        """Give an integer a literal for each value; the variable of its number is that of the least one."""
        self._count(integer)
        values = range(integer.low, integer.high + 1)
        taken = [self.out.fresh() if i else integer.number + 1 for i in range(len(values))]
        number = integer.number

        def order() -> list[int]:
            if number not in self.orders:
                above = [taken[-1]]
                for each in taken[-2:0:-1]:
                    above.append(self.out.any_of([each, above[-1]]))
                self.orders[number] = above[::-1]
            return self.orders[number]

        self.integers[number] = Chosen(values, taken, order)

    def _count(self, integer: Integer) -> None:
        low, high = integer.bounds
        self._sizes += high - low
        if self._sizes > MOST_VALUES:
            raise Refused(
                f"engine sat takes integers of {MOST_VALUES:,} values together, and {integer.name} has "
                f"{high - low + 1:,}: use closer bounds, or cpsat for numbers and sums of at most 62 bits"
            )

    def is_value(self, ordered: Ordered, place: int) -> int:
        """Return the literal of ``expression == values[place]``."""
        if isinstance(ordered, Chosen):
            return ordered.taken[place]
        low, high = ordered.place(place), ordered.place(place + 1)
        if low == TRUE:
            return -high
        if high == -TRUE:
            return low
        key = (low, high)
        if key not in self._values:
            # The same literal for -expression.
            mirrored = self._values.get((-high, -low))
            self._values[key] = self.out.all_of([low, -high]) if mirrored is None else mirrored
        return self._values[key]

    def equals(self, ordered: Ordered, value: int) -> int:
        """Return the literal of ``expression == value``."""
        place = bisect_left(ordered.values, value)
        found = place < len(ordered.values) and ordered.values[place] == value
        return self.is_value(ordered, place) if found else -TRUE

    def differs(self, ordered: Ordered, value: int) -> list[int]:
        """Return literals of which one is true exactly if the expression differs from the value."""
        place = bisect_left(ordered.values, value)
        if place == len(ordered.values) or ordered.values[place] != value:
            return [TRUE]
        if isinstance(ordered, Chosen):
            return [-ordered.taken[place]]
        low, high = ordered.place(place), ordered.place(place + 1)
        made = self._values.get((low, high)) or self._values.get((-high, -low))
        return [-made] if made else [-low, high]

    # -- sums --------------------------------------------------------------------------------------------

    def plus(self, one: Ordered, other: Ordered, low: int | None = None, high: int | None = None) -> Ordered:
        """Return the sum of two expressions, or the nearest of ``low`` and ``high`` where it is outside."""

        def clipped(value: int) -> int:
            value = value if low is None or value > low else low
            return value if high is None or value < high else high

        values = sorted({clipped(a + b) for a in one.values for b in other.values})
        literals = [self.out.fresh() for _ in values[1:]]
        result = Ordered(values, literals)
        self.out.clauses.extend([-b, a] for a, b in pairwise(literals))
        where = {value: place for place, value in enumerate(values)}
        emit = self.out.emit
        for i, a in enumerate(one.values):
            above, below = -one.place(i), one.place(i + 1)
            for j, b in enumerate(other.values):
                place = where[clipped(a + b)]
                if place > 0:
                    emit(above, -other.place(j), literals[place - 1])
                if place < len(literals):
                    emit(below, other.place(j + 1), -literals[place])
        return result

    def total(self, parts: Sequence[Ordered]) -> Ordered:
        """Return the sum of expressions, whose values must be few."""
        constant = sum(part.values[0] for part in parts if len(part.values) == 1)
        parts = [part for part in parts if len(part.values) > 1]
        key = tuple((tuple(part.values), tuple(part.literals)) for part in parts)
        if key not in self._sums:
            queue = [(len(part.values), i, part) for i, part in enumerate(parts)]
            heapify(queue)
            while len(queue) > 1:
                (_, i, one), (_, _, other) = heappop(queue), heappop(queue)
                added = self.plus(one, other)
                heappush(queue, (len(added.values), i, added))
            self._sums[key] = queue[0][2] if queue else Ordered([0], [])
        return self._sums[key].shifted(constant)

    def bounded(
        self, parts: Sequence[Ordered], least: int | None, most: int | None, unless: Sequence[int] = ()
    ) -> None:
        """Add that the sum of expressions lies between two bounds."""
        if least == most and least is not None and self._chosen(parts, least, unless):
            return
        constant = sum(part.values[0] for part in parts if len(part.values) == 1)
        parts = [part for part in parts if len(part.values) > 1]
        low = sum((part.values[0] for part in parts), constant)
        high = sum((part.values[-1] for part in parts), constant)
        crossed = least is not None and most is not None and least > most
        if crossed or (least is not None and least > high) or (most is not None and most < low):
            self.out.emit(*unless)
            return
        least = None if least is None or least <= low else least - constant
        most = None if most is None or most >= high else most - constant
        if least is None and most is None:
            return
        start, steps = low - constant, {part.values[1] - part.values[0] for part in parts}
        if len(steps) == 1 and all(len(part.values) == 2 for part in parts):
            (step,) = steps
            members = [part.literals[0] for part in parts]
            fewest = None if least is None else -((start - least) // step)
            greatest = None if most is None else (most - start) // step
            self.out.between(members, fewest, greatest, unless)
        elif len(parts) <= 2 or prod(sorted(len(part.values) for part in parts)[:-1]) <= _MOST_DIRECT:
            if least is not None:
                self._at_least(parts, least, unless)
            if most is not None:
                self._at_least([part.scaled(-1) for part in parts], -most, unless)
        elif _cost(parts, least, most) <= _MOST_MERGED:
            self._merged(parts, least, most, unless)
        else:
            weights, start = weights_of(parts)
            self.out.weighted(
                weights,
                None if least is None else least - start,
                None if most is None else most - start,
                unless,
            )

    def _chosen(self, parts: Sequence[Ordered], value: int, unless: Sequence[int]) -> bool:
        """Add the sum of one or two choices of values; return False for other parts."""
        if not all(isinstance(part, Chosen) for part in parts) or not 1 <= len(parts) <= 2:
            return False
        first, last = parts[0], parts[-1]
        if len(parts) == 1:
            self.out.emit(*unless, self.equals(first, value))
            return True
        for one, other in ((first, last), (last, first)):
            for place, taken in enumerate(one.values):
                self.out.emit(*unless, -self.is_value(one, place), self.equals(other, value - taken))
        return True

    def _at_least(self, parts: Sequence[Ordered], least: int, unless: Sequence[int]) -> None:
        """Add a bound on a sum without auxiliary variables: a clause for each value of all parts but one."""
        parts = sorted(parts, key=lambda part: len(part.values))
        *others, last = parts
        most_of_last = last.values[-1]
        # Where others are at most (a, b, ...), the last is at least the rest.
        for places in product(*(range(len(part.values)) for part in others)):
            rest = least - sum(part.values[i] for part, i in zip(others, places, strict=True))
            if rest <= last.values[0]:
                continue
            if others:
                # Weaker than the clause of the next value, if that one asks for the same.
                part, place = others[-1], places[-1] + 1
                if place < len(part.values):
                    further = rest - (part.values[place] - part.values[place - 1])
                    same = bisect_left(last.values, rest) == bisect_left(last.values, further)
                    if same or further > most_of_last:
                        continue
            above = [part.place(i + 1) for part, i in zip(others, places, strict=True)]
            self.out.emit(*unless, *above, last.at_least(rest))

    def _merged(
        self, parts: Sequence[Ordered], least: int | None, most: int | None, unless: Sequence[int]
    ) -> None:
        """Add bounds on a sum by adding the expressions, two at a time, without values out of the bounds."""
        low = sum(part.values[0] for part in parts)
        high = sum(part.values[-1] for part in parts)
        queue = [(len(part.values), i, part) for i, part in enumerate(parts)]
        heapify(queue)
        while len(queue) > 2:
            (_, i, one), (_, _, other) = heappop(queue), heappop(queue)
            down, up = one.values[0] + other.values[0], one.values[-1] + other.values[-1]
            # The others add at least low - down, at most high - up.
            lowest, highest = most if least is None else least - 1, least if most is None else most + 1
            floor = None if lowest is None else lowest - (high - up)
            ceiling = None if highest is None else highest - (low - down)
            added = self.plus(one, other, floor, ceiling)
            low, high = low - down + added.values[0], high - up + added.values[-1]
            heappush(queue, (len(added.values), i, added))
        self.bounded([part for _, _, part in queue], least, most, unless)

    def excluded(self, parts: Sequence[Ordered], value: int, unless: Sequence[int] = ()) -> None:
        """Add that the sum of expressions differs from a value."""
        if len(parts) == 2 and isinstance(parts[0], Chosen) and isinstance(parts[1], Chosen):
            place_of = {each: place for place, each in enumerate(parts[1].values)}
            for taken, each in zip(parts[0].taken, parts[0].values, strict=True):
                if (place := place_of.get(value - each)) is not None:
                    self.out.emit(*unless, -taken, -parts[1].taken[place])
            return
        value -= sum(part.values[0] for part in parts if len(part.values) == 1)
        parts = sorted((p for p in parts if len(p.values) > 1), key=lambda part: len(part.values))
        if not parts:
            self.out.emit(*unless, -TRUE if value == 0 else TRUE)
        elif prod(len(part.values) for part in parts[:-1]) <= _MOST_DIRECT:
            *others, last = parts
            for places in product(*(range(len(part.values)) for part in others)):
                values = [part.values[i] for part, i in zip(others, places, strict=True)]
                rest = self.differs(last, value - sum(values))
                if TRUE not in rest:
                    self.out.emit(*unless, *chain(*map(self.differs, others, values)), *rest)
        elif _cost(parts, None, None) <= _MOST_MERGED:
            self.out.emit(*unless, *self.differs(self.total(parts), value))
        else:
            weights, start = weights_of(parts)
            self.out.emit(*unless, *self.out.weighted_differs(weights, value - start))


def weights_of(parts: Sequence[Ordered]) -> tuple[list[tuple[int, int]], int]:
    """Return the literals with weights whose sum, added to a constant, is the sum of the parts."""
    weights = [
        (after - before, literal)
        for part in parts
        for before, after, literal in zip(part.values, part.values[1:], part.literals, strict=False)
    ]
    return weights, sum(part.values[0] for part in parts)


def _cost(parts: Sequence[Ordered], least: int | None, most: int | None) -> int:
    """Return about how many clauses it takes to add the parts, two at a time."""
    sizes = [len(part.values) for part in parts]
    step = reduce(
        gcd, (b - a for part in parts for a, b in zip(part.values, part.values[1:], strict=False)), 0
    )
    spans = [(part.values[-1] - part.values[0]) // max(step, 1) + 1 for part in parts]
    low, high = sum(part.values[0] for part in parts), sum(part.values[-1] for part in parts)
    window = (high - low) // max(step, 1) + 1
    if least is not None and most is not None:
        window = min(window, (max(high - least, most - low) + 2) // max(step, 1) + 1)
    queue = sorted(zip(sizes, spans, strict=True))
    heapify(queue)
    cost = 0
    while len(queue) > 2 and cost <= _MOST_MERGED:
        (size, span), (other_size, other_span) = heappop(queue), heappop(queue)
        cost += 2 * size * other_size
        both = span + other_span - 1
        heappush(queue, (min(size * other_size, both, window), both))
    return cost
