"""Models of CPMpy as our models: its variables, and each of its constraints.

Global constraints that we have become ours; the others are decomposed by CPMpy. An element whose index is
out of its list makes the comparison around it false, as in CPMpy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints import AllDifferent, Inverse, LexLess, Table
from ktsolve.model.expressions import Comparison, Conjunction, Disjunction, Sum, sum_of
from ktsolve.model.functions import Element, Extreme
from ktsolve.model.io.to_cpmpy import imported_cpmpy

__all__ = ["state_cpmpy"]

_MOST_VALUES = 10_000
"""Most values of an operand of a product, a division, a remainder or a power of integers."""

_SIGNS = frozenset({"==", "!=", "<", "<=", ">", ">="})


def state_cpmpy(source: Any, model: Any) -> None:
    """Add the variables, the constraints and the objective of a model of CPMpy to a model."""
    imported_cpmpy()
    _Reading(source, model).state()


class _Reading:
    """A model of CPMpy on its way into ours."""

    def __init__(self, source: Any, model: Any) -> None:
        if not hasattr(source, "constraints") or not hasattr(source, "objective_"):
            raise BadInput(f"from_cpmpy takes a model of CPMpy, not {source!r:.40}")
        self.source, self.model = source, model
        self.variables: dict[str, Any] = {}
        self.guards: list[Any] = []
        self.arcs = 0

    def state(self) -> None:
        """Add everything."""
        from cpmpy.transformations.get_variables import get_variables, get_variables_model

        given = list(get_variables_model(self.source))
        if self.source.objective_ is not None:
            given += [each for each in get_variables(self.source.objective_) if each not in set(given)]
        for variable in given:
            self.variable(variable)
        shown = list(self.variables.values())
        for constraint in self.source.constraints:
            self.constraint(constraint)
        if self.source.objective_ is not None:
            with self.guarded() as guards:
                total = self.sum(self.source.objective_)
            self.model.add(*guards)
            (self.model.minimise if self.source.objective_is_min else self.model.maximise)(total)
        if len(self.model) > len(shown):
            self.model.show(shown)

    def variable(self, given: Any) -> Any:
        """Our variable for one of CPMpy."""
        if given.name not in self.variables:
            if given.is_bool():
                self.variables[given.name] = self.model.boolean(given.name)
            else:
                self.variables[given.name] = self.model.integer(given.name, int(given.lb), int(given.ub))
        return self.variables[given.name]

    @contextmanager
    def guarded(self) -> Iterator[list[Any]]:
        """Collect the conditions under which the expressions that are read are defined."""
        before, self.guards = self.guards, []
        found = self.guards
        try:
            yield found
        finally:
            self.guards = before

    # -- constraints ------------------------------------------------------------------------------------

    def constraint(self, given: Any) -> None:
        """Add a constraint, or a list of them."""
        if _is_list(given):
            for each in given:
                self.constraint(each)
            return
        name = getattr(given, "name", "")
        arguments: Any = getattr(given, "args", ())
        if name == "and":
            for each in arguments:
                self.constraint(each)
        elif name == "->":
            with self.model.when(self.condition(arguments[0])):
                self.constraint(arguments[1])
        elif name == "circuit":
            self.circuit(list(arguments))
        elif (ours := self.listed(given)) is not None:
            self.model.add(*ours)
        else:
            self.model.add(self.condition(given))

    def listed(self, given: Any) -> list[Any] | None:
        """Our constraints for one on lists; None for any other."""
        name, arguments = getattr(given, "name", ""), cast(Any, getattr(given, "args", ()))
        makers: dict[str, Callable[[], Any]] = {
            "alldifferent": lambda: AllDifferent(self.sums(arguments)),
            "table": lambda: Table(self.sums(arguments[0]), _rows(arguments[1])),
            "negative_table": lambda: Table(self.sums(arguments[0]), _rows(arguments[1]), allowed=False),
            "inverse": lambda: Inverse(self.sums(arguments[0]), self.sums(arguments[1])),
            "lex_less": lambda: LexLess(self.sums(arguments[0]), self.sums(arguments[1])),
            "lex_lesseq": lambda: LexLess(self.sums(arguments[0]), self.sums(arguments[1]), strict=False),
        }
        if name not in makers or not hasattr(given, "decompose"):
            return None
        with self.guarded() as guards:
            made = makers[name]()
        return [*guards, made]

    def circuit(self, successors: list[Any]) -> None:
        """Add a circuit: a Boolean for each arc, so that subtours are cut lazily."""
        n = len(successors)
        self.arcs += 1
        arcs = []
        with self.guarded() as guards:
            after = self.sums(successors)
        self.model.add(*guards)
        for u, successor in enumerate(after):
            low, high = successor.bounds
            for v in range(max(0, low), min(n - 1, high) + 1):
                if u != v:
                    arc = self.model.boolean(f"circuit {self.arcs}: {u}>{v}")
                    self.model.equal(arc, successor == v)
                    arcs.append((u, v, arc))
        self.model.circuit(n, arcs, directed=True)

    # -- conditions -------------------------------------------------------------------------------------

    def condition(self, given: Any) -> Any:
        """Our condition for a Boolean expression."""
        if isinstance(given, bool) or type(given).__name__ in ("bool_", "bool", "BoolVal"):
            return Conjunction(()) if bool(_constant(given)) else Disjunction(())
        if type(given).__name__ == "NegBoolView":
            return ~self.variable(given._bv)
        if type(given).__name__ == "_BoolVarImpl":
            return self.variable(given)
        name, arguments = given.name, given.args
        match name:
            case "and":
                return Conjunction([self.condition(each) for each in arguments])
            case "or":
                return Disjunction([self.condition(each) for each in arguments])
            case "not":
                return ~self.condition(arguments[0])
            case "->":
                return Disjunction([~self.condition(arguments[0]), self.condition(arguments[1])])
            case "xor":
                return self.parity([self.condition(each) for each in arguments])
        if name in _SIGNS:
            with self.guarded() as guards:
                compared = Comparison(self.sum(arguments[0]), name, self.sum(arguments[1]))
            return Conjunction([*guards, compared]) if guards else compared
        if hasattr(given, "decompose"):
            parts, defining = given.decompose()
            self.constraint(defining)
            return Conjunction([self.condition(each) for each in _flat(parts)])
        raise BadInput(f"ktsolve has nothing for {given!s:.60} of CPMpy")

    def parity(self, members: list[Any]) -> Any:
        """Whether an odd number of conditions is true."""
        odd: Any = Disjunction(())
        for member in members:
            odd = odd ^ member
        return odd

    # -- expressions ------------------------------------------------------------------------------------

    def sums(self, given: Iterable[Any]) -> list[Sum]:
        """Our expressions for a list."""
        return [self.sum(each) for each in given]

    def sum(self, given: Any) -> Sum:
        """Our expression for one of whole numbers, or of Booleans as 0 and 1."""
        number = _constant(given)
        if number is not None:
            return Sum([], number)
        if type(given).__name__ == "_IntVarImpl":
            return _as_sum(self.variable(given))
        if given.is_bool():
            return _as_sum(self.condition(given))
        name, arguments = given.name, given.args
        match name:
            case "sum":
                return _added(self.sums(arguments))
            case "wsum":
                weights, members = arguments
                return _added(
                    each.times(int(weight)) for weight, each in zip(weights, self.sums(members), strict=True)
                )
            case "sub":
                first, second = self.sums(arguments)
                return first.plus(second.times(-1))
            case "-":
                return self.sum(arguments[0]).times(-1)
            case "mul":
                return self.product(*self.sums(arguments))
            case "abs":
                return abs(self.sum(arguments[0]))
            case "min" | "max":
                return Extreme(name, tuple(self.sums(arguments))).sum()
            case "element":
                return self.element(self.sums(arguments[0]), self.sum(arguments[1]))
            case "count":
                wanted = self.sum(arguments[1])
                return _added(Comparison(each, "==", wanted).sum() for each in self.sums(arguments[0]))
            case "div" | "mod" | "pow":
                return self.power(name, *arguments)
        if hasattr(given, "decompose"):
            value, defining = given.decompose()
            self.constraint(defining)
            return self.sum(value)
        raise BadInput(f"ktsolve has nothing for {given!s:.60} of CPMpy")

    def product(self, first: Sum, second: Sum) -> Sum:
        """A product; of two integers as a sum over the values of the one with fewer."""
        try:
            return _as_sum(first * second)
        except BadInput:
            pass
        sizes = [high - low for low, high in (first.bounds, second.bounds)]
        one, other = (first, second) if sizes[0] <= sizes[1] else (second, first)
        low, high = one.bounds
        if high - low >= _MOST_VALUES:
            raise BadInput(
                f"a product of two integers with more than {_MOST_VALUES:,} values each: bound one"
            )
        return _added(
            _as_sum(Comparison(one, "==", Sum([], value)) * other.times(value))
            for value in range(low, high + 1)
            if value
        )

    def element(self, members: list[Sum], index: Sum) -> Sum:
        """The member at an index, which must be in the list."""
        low, high = index.merged().bounds
        if low < 0 or high >= len(members):
            self.guards += [
                Comparison(index, ">=", Sum([], 0)),
                Comparison(index, "<", Sum([], len(members))),
            ]
        inside = [members[i] if 0 <= i < len(members) else Sum([], 0) for i in range(low, high + 1)]
        return Element(tuple(inside), index.plus(Sum([], -low))).sum()

    def power(self, name: str, base: Any, exponent: Any) -> Sum:
        """A division, remainder or power by a number: the value for each value of the other operand."""
        number, total = _constant(exponent), self.sum(base)
        low, high = total.merged().bounds
        if number is None or (name == "pow" and number < 0) or high - low >= _MOST_VALUES:
            raise BadInput(f"{name} takes a number as its second operand, not {exponent!s:.40}")
        if name != "pow" and number == 0:
            self.guards.append(Disjunction(()))
            return Sum([], 0)
        values = [Sum([], _computed(name, value, number)) for value in range(low, high + 1)]
        return Element(tuple(values), total.plus(Sum([], -low))).sum()


def _computed(name: str, value: int, number: int) -> int:
    """A power, or a division towards 0 and its remainder."""
    if name == "pow":
        return int(value**number)
    quotient = abs(value) // abs(number) * (1 if (value < 0) == (number < 0) else -1)
    return quotient if name == "div" else value - quotient * number


def _as_sum(given: Any) -> Sum:
    total = sum_of(given)
    assert total is not None
    return total


def _added(members: Iterable[Sum]) -> Sum:
    total = Sum([], 0)
    for each in members:
        total = total.plus(each)
    return total


def _constant(given: Any) -> int | None:
    """The value of a number, also of numpy or of a Boolean constant; None for an expression."""
    if type(given).__name__ == "BoolVal":
        return int(bool(given.args[0]))
    if hasattr(given, "args") or hasattr(given, "is_bool"):
        return None
    return int(given)


def _rows(given: Any) -> list[tuple[int, ...]]:
    return [tuple(int(value) for value in row) for row in given]


def _is_list(given: Any) -> bool:
    return isinstance(given, list | tuple) or (hasattr(given, "shape") and hasattr(given, "ravel"))


def _flat(given: Any) -> Iterator[Any]:
    if _is_list(given):
        for each in given:
            yield from _flat(each)
    else:
        yield given
