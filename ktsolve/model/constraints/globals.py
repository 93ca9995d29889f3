"""Constraints on lists of integers: all different, tables, orders, counts of values, automata, and tasks."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, combinations, pairwise
from typing import Any, ClassVar

from ktsolve.base.errors import BadInput
from ktsolve.model.expressions import (
    Assignment,
    Comparison,
    Conjunction,
    Disjunction,
    Namer,
    Sum,
    Variable,
    WithVariables,
    condition_of,
    variables_in,
)
from ktsolve.model.functions import sums_of

__all__ = [
    "AllDifferent",
    "Cumulative",
    "Decomposed",
    "GlobalCardinality",
    "Increasing",
    "Inverse",
    "LexLess",
    "NoOverlap",
    "Precedence",
    "Regular",
    "Table",
    "Xor",
]


class _OnLists(WithVariables):
    """A constraint on lists of sums."""

    kind: ClassVar[str]

    def __init__(self, *lists: Iterable[Any]) -> None:
        self.lists = tuple(sums_of(each, self.kind) for each in lists)

    def variables(self) -> list[Any]:
        return variables_in(chain(*self.lists))

    @cached_property
    def variable_numbers(self) -> tuple[list[int] | None, ...]:
        """Of each list the numbers of its variables, None if a member is anything else."""
        return tuple(map(_numbers_of, self.lists))

    def _values(self, assignment: Assignment) -> list[tuple[int, ...]]:
        return [
            tuple([member.value(assignment) for member in each])
            if numbers is None
            else tuple([assignment[number] for number in numbers])
            for numbers, each in zip(self.variable_numbers, self.lists, strict=True)
        ]

    def _texts(self, name: Namer) -> list[str]:
        return [", ".join(member.text(name) for member in each) for each in self.lists]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {', '.join(map(str, chain(*self.lists))):.60}>"


class Decomposed(_OnLists):
    """A constraint on lists that is a conjunction of conditions."""

    def decomposed(self) -> Iterator[Any]:
        """Yield the conditions."""
        raise NotImplementedError


class AllDifferent(_OnLists):
    """No two of the expressions have the same value.

    >>> from ktsolve.model.variables import Integer
    >>> pair = AllDifferent([Integer(0, "x", 1, 9), Integer(1, "y", 1, 9)])
    >>> pair.holds([1, 2]), pair.holds([2, 2])
    (True, False)
    """

    kind: ClassVar[str] = "all_different"

    def __init__(self, members: Iterable[Any]) -> None:
        super().__init__(members)
        [self.members] = self.lists

    def holds(self, assignment: Assignment) -> bool:
        [values] = self._values(assignment)
        return len(set(values)) == len(values)

    def text(self, name: Namer, /) -> str:
        """``all different: x, y, z``."""
        return f"all different: {self._texts(name)[0]}"


class Table(_OnLists):
    """The values of the expressions are one of the rows, or with ``allowed=False`` none of them."""

    kind: ClassVar[str] = "table"

    def __init__(
        self, members: Iterable[Any], rows: Iterable[Iterable[int]], *, allowed: bool = True
    ) -> None:
        super().__init__(members)
        [self.members] = self.lists
        self.allowed = allowed
        checked: dict[tuple[int, ...], None] = {}
        if not isinstance(rows, Iterable):
            raise BadInput(f"the rows of a table are a list of lists, not {rows!r:.40}")
        for row in rows.tolist() if hasattr(rows, "tolist") else rows:
            values = tuple(row) if isinstance(row, Iterable) else (row,)
            if len(values) != len(self.members) or not all(isinstance(value, int) for value in values):
                raise BadInput(
                    f"row {row!r:.40} of a table is invalid: give {len(self.members)} whole numbers, "
                    "one for each expression"
                )
            checked[values] = None
        self.rows = tuple(checked)
        self._set = frozenset(self.rows)

    def holds(self, assignment: Assignment) -> bool:
        return (self._values(assignment)[0] in self._set) is self.allowed

    def text(self, name: Namer, /) -> str:
        """``(x, y) in {(1, 2), (2, 4)}``."""
        rows = ", ".join(f"({', '.join(map(str, row))})" for row in self.rows)
        return f"({self._texts(name)[0]}) {'' if self.allowed else 'not '}in {{{rows}}}"


class Inverse(Decomposed):
    """Two lists are inverse permutations of 0 to n - 1: ``forward[i] == j`` just if ``backward[j] == i``."""

    kind: ClassVar[str] = "inverse"

    def __init__(self, forward: Iterable[Any], backward: Iterable[Any]) -> None:
        super().__init__(forward, backward)
        self.forward, self.backward = self.lists
        if len(self.forward) != len(self.backward):
            raise BadInput(
                f"inverse lists have equal lengths, not {len(self.forward)} and {len(self.backward)}"
            )

    def holds(self, assignment: Assignment) -> bool:
        forward, backward = self._values(assignment)
        # Then forward has n different values, and backward no others.
        return all(0 <= j < len(backward) and backward[j] == i for i, j in enumerate(forward))

    def decomposed(self) -> Iterator[Comparison]:
        """Yield the bounds of all members, and an equivalence for each i and j."""
        n = len(self.forward)
        for each in self.forward + self.backward:
            low, high = each.bounds
            if low < 0:
                yield Comparison(each, ">=", Sum([], 0))
            if high >= n:
                yield Comparison(each, "<", Sum([], n))
        for i, there in enumerate(self.forward):
            for j, back in enumerate(self.backward):
                one, other = Comparison(there, "==", Sum([], j)), Comparison(back, "==", Sum([], i))
                yield Comparison(one.sum(), "==", other.sum())

    def text(self, name: Namer, /) -> str:
        """``(f, g) inverse of (h, i)``."""
        forward, backward = self._texts(name)
        return f"({forward}) inverse of ({backward})"


class LexLess(Decomposed):
    """One list comes before another in lexicographic order, or with ``strict=False`` may be equal."""

    kind: ClassVar[str] = "lex_less"

    def __init__(self, first: Iterable[Any], second: Iterable[Any], *, strict: bool = True) -> None:
        super().__init__(first, second)
        self.first, self.second = self.lists
        self.strict = strict
        if len(self.first) != len(self.second):
            raise BadInput(
                f"lex_less compares lists of equal lengths, not {len(self.first)} and {len(self.second)}"
            )

    def holds(self, assignment: Assignment) -> bool:
        first, second = self._values(assignment)
        return first < second or (not self.strict and first == second)

    def decomposed(self) -> Iterator[Disjunction | Comparison]:
        """Yield for each place that a member is not greater where all members before it are equal.

        A member that is not less than its counterpart is equal to it here, so that the places before are
        named by ``>=``, of which an earlier place has made ``==``.
        """
        if not self.first and self.strict:
            yield Disjunction(())
        before: list[Comparison] = []
        last = len(self.first) - 1
        for place, (one, other) in enumerate(zip(self.first, self.second, strict=True)):
            here = Comparison(one, "<" if self.strict and place == last else "<=", other)
            yield Disjunction([*before, here])
            before.append(Comparison(one, "<", other))

    def text(self, name: Namer, /) -> str:
        """``(a, b) < (c, d) lexicographically``."""
        first, second = self._texts(name)
        return f"({first}) {'<' if self.strict else '<='} ({second}) lexicographically"


class Increasing(Decomposed):
    """Each expression is at most the next one, or with ``strict`` less."""

    kind: ClassVar[str] = "increasing"

    def __init__(self, members: Iterable[Any], *, strict: bool = False) -> None:
        super().__init__(members)
        [self.members] = self.lists
        self.sign = "<" if strict else "<="

    def holds(self, assignment: Assignment) -> bool:
        return all(each.holds(assignment) for each in self.decomposed())

    def decomposed(self) -> Iterator[Comparison]:
        """Yield the comparison of each two neighbours."""
        return (Comparison(one, self.sign, other) for one, other in pairwise(self.members))

    def text(self, name: Namer, /) -> str:
        """``a <= b <= c``."""
        return f" {self.sign} ".join(member.text(name) for member in self.members) or "true"


class Precedence(Decomposed):
    """Each of the values occurs among the expressions only after the value before it."""

    kind: ClassVar[str] = "precedence"

    def __init__(self, members: Iterable[Any], values: Iterable[int]) -> None:
        super().__init__(members)
        [self.members] = self.lists
        self.values = _whole(values, "the values of a precedence")

    def holds(self, assignment: Assignment) -> bool:
        [values] = self._values(assignment)
        return all(
            later not in values or earlier in values[: values.index(later)]
            for earlier, later in pairwise(self.values)
        )

    def decomposed(self) -> Iterator[Disjunction]:
        """Yield for each place and pair of values that the later one is not there, or the other before."""
        for earlier, later in pairwise(self.values):
            before: list[Comparison] = []
            for member in self.members:
                yield Disjunction([Comparison(member, "!=", Sum([], later)), *before])
                before.append(Comparison(member, "==", Sum([], earlier)))

    def text(self, name: Namer, /) -> str:
        """``1, 2, 3 in this order in x, y, z``."""
        return f"{', '.join(map(str, self.values))} in this order in {self._texts(name)[0]}"


class GlobalCardinality(Decomposed):
    """Each value occurs as often among the expressions as its count says; if ``closed``, no other occurs."""

    kind: ClassVar[str] = "global_cardinality"

    def __init__(
        self, members: Iterable[Any], values: Iterable[int], counts: Iterable[Any], *, closed: bool = False
    ) -> None:
        super().__init__(members, counts)
        self.members, self.counts = self.lists
        self.values, self.closed = _whole(values, "the values of a global cardinality"), closed
        if len(self.values) != len(self.counts):
            raise BadInput(f"{len(self.values)} values need as many counts, not {len(self.counts)}")

    def holds(self, assignment: Assignment) -> bool:
        members, counts = self._values(assignment)
        return all(map(lambda v, n: members.count(v) == n, self.values, counts)) and not (
            self.closed and set(members) - set(self.values)
        )

    def decomposed(self) -> Iterator[Any]:
        """Yield a comparison for each count, and the values of each member if closed."""
        for value, count in zip(self.values, self.counts, strict=True):
            equal = [(1, Comparison(each, "==", Sum([], value))) for each in self.members]
            yield Comparison(Sum([*equal]), "==", count)
        for each in self.members if self.closed else ():
            yield Disjunction([Comparison(each, "==", Sum([], value)) for value in self.values])

    def text(self, name: Namer, /) -> str:
        """``1 n times, 2 3 times among x, y, z``."""
        counts = [f"{value} {n.text(name)} times" for value, n in zip(self.values, self.counts, strict=True)]
        return f"{', '.join(counts)} {'alone ' if self.closed else ''}among {self._texts(name)[0]}"


class _OnTasks(Decomposed):
    """A constraint on tasks, each with a start and a duration, which is not negative."""

    def __init__(self, starts: Iterable[Any], durations: Iterable[Any], *others: Iterable[Any]) -> None:
        super().__init__(starts, durations, *others)
        self.starts, self.durations = self.lists[:2]
        for each in self.lists[1:]:
            if len(each) != len(self.starts):
                raise BadInput(
                    f"{self.kind} takes a number or an expression for each of {len(self.starts)} starts, "
                    f"not {len(each)}"
                )

    @property
    def ends(self) -> list[Sum]:
        """The ends of the tasks."""
        return [start.plus(duration) for start, duration in zip(self.starts, self.durations, strict=True)]

    def not_negative(self) -> Iterator[Comparison]:
        """Yield that the durations, and the demands, are not negative, where they may be."""
        for each in chain(*self.lists[1:]):
            if each.bounds[0] < 0:
                yield Comparison(each, ">=", Sum([], 0))

    def text(self, name: Namer, /) -> str:
        """``no overlap: x for 3, y for d``."""
        tasks = [
            f"{start.text(name)} for {' of '.join(each.text(name) for each in others)}"
            for start, *others in zip(*self.lists, strict=True)
        ]
        return f"{self.kind.replace('_', ' ')}: {', '.join(tasks) or 'nothing'}"


class NoOverlap(_OnTasks):
    """No two tasks overlap; one without a duration takes no time."""

    kind: ClassVar[str] = "no_overlap"

    def holds(self, assignment: Assignment) -> bool:
        starts, durations = self._values(assignment)
        tasks = sorted((s, s + d) for s, d in zip(starts, durations, strict=True) if d > 0)
        return min(durations, default=0) >= 0 and all(end <= s for (_, end), (s, _) in pairwise(tasks))

    def decomposed(self) -> Iterator[Any]:
        """Yield for each pair which of them is first, or that one takes no time."""
        yield from self.not_negative()
        tasks = zip(self.starts, self.durations, self.ends, strict=True)
        for one, other in combinations(tasks, 2):
            empty = [Comparison(d, "<=", Sum([], 0)) for _, d, _ in (one, other) if d.bounds[0] <= 0]
            orders = [Comparison(a[2], "<=", b[0]) for a, b in ((one, other), (other, one))]
            yield Disjunction([*empty, *orders])


class Cumulative(_OnTasks):
    """The demands of the tasks that run at a time are at most the capacity together."""

    kind: ClassVar[str] = "cumulative"

    def __init__(
        self, starts: Iterable[Any], durations: Iterable[Any], demands: Iterable[Any], capacity: Any
    ) -> None:
        super().__init__(starts, durations, demands)
        self.demands = self.lists[2]
        [self.capacity] = sums_of([capacity], "the capacity")

    def variables(self) -> list[Any]:
        return super().variables() + self.capacity.variables()

    def holds(self, assignment: Assignment) -> bool:
        starts, durations, demands = self._values(assignment)
        tasks = list(zip(starts, durations, demands, strict=True))
        capacity = self.capacity.value(assignment)
        loads = [sum(r for s, d, r in tasks if s <= time < s + d) for time in starts]
        return all(d >= 0 and r >= 0 for _, d, r in tasks) and max(loads, default=capacity) <= capacity

    def decomposed(self) -> Iterator[Any]:
        """Yield for each task that the capacity is enough when it starts."""
        yield from self.not_negative()
        for start in self.starts:
            load = Sum([])
            for begin, end, demand in zip(self.starts, self.ends, self.demands, strict=True):
                runs = Conjunction([Comparison(begin, "<=", start), Comparison(start, "<", end)])
                load = load.plus(runs * demand)
            yield Comparison(load, "<=", self.capacity)

    def text(self, name: Namer, /) -> str:
        """``cumulative: x for 3 of 2, y for d of 1; capacity 4``."""
        return f"{super().text(name)}; capacity {self.capacity.text(name)}"


class Regular(_OnLists):
    """A deterministic automaton accepts the values of the expressions, one after the other.

    A transition is a triple of a state, a value, and the next state. States are any hashable objects.
    """

    kind: ClassVar[str] = "regular"

    def __init__(
        self,
        members: Iterable[Any],
        transitions: Iterable[Sequence[Any]],
        start: Hashable,
        accepting: Iterable[Hashable],
    ) -> None:
        super().__init__(members)
        [self.members] = self.lists
        self.next: dict[tuple[Hashable, int], Hashable] = {}
        for each in transitions:
            if not isinstance(each, Sequence) or len(each) != 3 or not hasattr(each[1], "__index__"):
                raise BadInput(f"a transition is a state, a whole number and a state, not {each!r:.60}")
            state, value, following = each
            if self.next.setdefault((state, int(value)), following) != following:
                raise BadInput(f"state {state!r:.40} has two transitions for {value}: give one next state")
        self.start, self.accepting = start, frozenset(accepting)
        states = [start, *(state for (before, _), after in self.next.items() for state in (before, after))]
        self.states = {state: number for number, state in enumerate(dict.fromkeys(states))}

    def holds(self, assignment: Assignment) -> bool:
        state: Hashable = self.start
        for value in self._values(assignment)[0]:
            if (state, value) not in self.next:
                return False
            state = self.next[state, value]
        return state in self.accepting

    def numbered(self) -> tuple[list[tuple[int, int, int]], list[int]]:
        """Return transitions and accepting states, with numbers for states; the start is state 0."""
        number = self.states
        transitions = [(number[state], value, number[after]) for (state, value), after in self.next.items()]
        return transitions, [number[state] for state in self.accepting if state in number]

    def text(self, name: Namer, /) -> str:
        """``automaton of 3 states accepts x, y, z``."""
        return f"automaton of {len(self.states)} states accepts {self._texts(name)[0]}"


class Xor(WithVariables):
    """An odd number of the conditions is true."""

    kind: ClassVar[str] = "xor"

    def __init__(self, members: Iterable[Any]) -> None:
        self.members = tuple(condition_of(each, "xor") for each in members)

    def holds(self, assignment: Assignment) -> bool:
        return sum(bool(member.holds(assignment)) for member in self.members) % 2 == 1

    def variables(self) -> Iterator[Any]:
        return (variable for member in self.members for variable in member.variables())

    def text(self, name: Namer, /) -> str:
        """``odd number of: a, b, x = 3``."""
        return f"odd number of: {', '.join(member.text(name) for member in self.members)}"


def _numbers_of(members: Iterable[Sum]) -> list[int] | None:
    found = []
    for member in members:
        terms = member.terms
        if len(terms) != 1 or member.constant or terms[0][0] != 1:
            return None
        variable: Any = terms[0][1]
        if not isinstance(terms[0][1], Variable) or getattr(variable, "positive", True) is False:
            return None
        found.append(variable.number)
    return found


def _whole(values: Iterable[int], what: str) -> tuple[int, ...]:
    found = tuple(values)
    for value in found:
        if not hasattr(value, "__index__"):
            raise BadInput(f"{what} are whole numbers, not {value!r:.40}")
    return tuple(map(int, found))
