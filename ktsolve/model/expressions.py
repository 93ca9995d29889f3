"""Arithmetic and logic with variables: sums, comparisons, conjunctions and disjunctions.

An *expression* is a variable, a condition (0 or 1), a function of them, or a :class:`Sum`: a weighted sum of
these and a constant. A *condition* is true or false: a literal, a comparison of two sums, or several
conditions joined by ``&`` and ``|``. An *assignment* is any sequence of values, indexed by variable.

Expressions state; they compute nothing. ``x <= 3`` is an object that a model takes as a constraint and that
another expression takes as 0 or 1.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any, ClassVar, Protocol, Self

from ktsolve.base.errors import BadInput

__all__ = [
    "Absolute",
    "Comparison",
    "Conjunction",
    "Disjunction",
    "Expression",
    "Formula",
    "Operation",
    "Product",
    "Sum",
]

Assignment = Sequence[int]
"""The value of each variable, by its number: a truth value or a whole number."""


_Operator = Callable[[Any, Any], Any]


Namer = Callable[[Any], str]
"""Returns the name of a variable or a negated Boolean, for the text of a constraint."""


def _adding(factor: int, sign: str) -> _Operator:
    """Return the operator ``one + factor * other``, also for each element of an array."""

    def operate(one: Any, other: Any) -> Any:
        left: Sum = one.sum()
        if type(other) is int:
            return Sum(left._terms, left.constant + factor * other, left._length)
        if isinstance(other, Sum):
            return left.plus(other if factor == 1 else other.times(factor))
        if isinstance(other, Expression):
            return left.joined([(factor, other)], 0)  # type: ignore[list-item]  # all others are atoms
        number = sum_of(other)
        return _each(lambda x: operate(one, x), other, sign) if number is None else operate(left, number)

    return operate


def _reflected(add: _Operator, sign: str) -> _Operator:
    """Return the operator for an expression on its right side."""

    def operate(one: Any, other: Any) -> Any:
        left = sum_of(other)
        return _each(lambda x: operate(one, x), other, sign) if left is None else add(left, one)

    return operate


def _arithmetic(sign: str, compute: Callable[[Sum, Sum], Sum]) -> _Operator:
    """Return an operator that computes with sums, also of each element of an array."""

    def operate(one: Any, other: Any) -> Any:
        total = sum_of(other)
        return _each(lambda x: operate(one, x), other, sign) if total is None else compute(one.sum(), total)

    return operate


def _comparing(sign: str, *, strict: bool = True) -> _Operator:
    """Return an operator that compares; without ``strict`` it leaves to Python what is not an expression."""

    def compare(one: Any, other: Any) -> Any:
        right = other.sum() if isinstance(other, Expression) else sum_of(other)
        if right is not None:
            return Comparison(one.sum(), sign, right)
        if not strict and not isinstance(other, float) and not hasattr(other, "dtype"):
            return NotImplemented
        return _each(lambda x: compare(one, x), other, sign)

    return compare


def _refused(sign: str) -> _Operator:
    def refuse(one: Any, other: Any) -> Any:
        raise BadInput(
            f"({one}) {sign} {other!r:.40}: expressions have no operator {sign}: write quotient() or "
            "remainder(), or give the values as a list to element()"
        )

    return refuse


class Expression:
    """Operators that all expressions have: ``+ - *``, ``abs`` and ``< <= > >=``."""

    __slots__ = ()
    __array_ufunc__ = None  # numpy leaves operators between arrays and expressions to this class

    def sum(self) -> Sum:
        """Return the expression as a sum."""
        return Sum([(1, self)])  # type: ignore[list-item]  # all expressions but sums are atoms

    @staticmethod
    def total(elements: Sequence[Any], weights: Sequence[int] | None = None) -> Any:
        """Return the sum of expressions and numbers, each times its weight, in linear time."""
        terms: list[Term] = []
        constant = 0
        for element, weight in zip(elements, weights or repeat(1), strict=False):
            if isinstance(element, Expression) and not isinstance(element, Sum):
                terms.append((weight, element))  # type: ignore[arg-type]
            else:
                given = sum_of(element)
                if given is None:
                    raise BadInput(f"a sum takes whole numbers and expressions, not {element!r:.40}")
                terms += given.terms if weight == 1 else given.times(weight).terms
                constant += weight * given.constant
        return Sum(terms, constant)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Any:
        """Return an array of no dimensions: ``numpy.array([a, b])`` is an array of two expressions."""
        from ktsolve.model.arrays import boxed

        return boxed(self)

    __add__ = _adding(1, "+")
    __radd__ = _reflected(__add__, "+")
    __sub__ = _adding(-1, "-")
    __rsub__ = _reflected(__sub__, "-")
    __mul__ = _arithmetic("*", lambda one, other: _product(one, other))
    __rmul__ = _arithmetic("*", lambda one, other: _product(other, one))
    __pow__ = _arithmetic("**", lambda one, other: _power(one, other))
    __floordiv__ = _refused("//")
    __truediv__ = _refused("/")
    __mod__ = _refused("%")
    __lt__ = _comparing("<")
    __le__ = _comparing("<=")
    __gt__ = _comparing(">")
    __ge__ = _comparing(">=")

    def __neg__(self) -> Sum:
        return self.sum().times(-1)

    def __pos__(self) -> Sum:
        return self.sum()

    def __abs__(self) -> Sum:
        return Absolute(self.sum()).sum()


class Variable(Expression):
    """A variable of a model."""

    __slots__ = ()

    def variables(self) -> tuple[Self]:
        """Return the variable."""
        return (self,)


class Equality:
    """``==`` and ``!=`` as comparisons, for all expressions but literals, and hashes that go with them."""

    __slots__ = ()

    @property
    def key(self) -> Hashable:
        """Plain data that is equal for two expressions exactly if they are the same."""
        raise NotImplementedError

    __eq__ = _comparing("==", strict=False)
    __ne__ = _comparing("!=", strict=False)

    def __hash__(self) -> int:
        return hash(self.key)


class Logic:
    """Values 0 and 1 of conditions and literals, and operators: ``&``, ``|`` and ``^`` (exclusive or)."""

    __slots__ = ()

    @property
    def bounds(self) -> tuple[int, int]:
        return 0, 1

    def holds(self, assignment: Assignment) -> bool:
        """Return whether the condition is true under an assignment."""
        raise NotImplementedError

    def value(self, assignment: Assignment) -> int:
        return int(self.holds(assignment))

    def __and__(self, other: Any) -> Any:
        return _joined(Conjunction, self, other, "&")

    def __or__(self, other: Any) -> Any:
        return _joined(Disjunction, self, other, "|")

    def __rand__(self, other: Any) -> Any:
        return _joined(Conjunction, other, self, "&")

    def __ror__(self, other: Any) -> Any:
        return _joined(Disjunction, other, self, "|")

    def __xor__(self, other: Any) -> Any:
        return Comparison(condition_of(self, "^").sum(), "!=", condition_of(other, "^").sum())


class Atom(Protocol):
    """What sums have as terms: variables, conditions, and functions of expressions."""

    @property
    def key(self) -> Hashable:
        """Plain data that is equal for two atoms exactly if they are the same expression."""

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest value that the domains of the variables allow."""

    def value(self, assignment: Assignment) -> int:
        """Return the value under an assignment."""

    def variables(self) -> Iterable[Any]:
        """Return the literals and integer variables."""

    def text(self, name: Namer, /) -> str:
        """Return the expression as text."""

    def sum(self) -> Sum:
        """Return the expression as a sum."""


Term = tuple[int, Atom]
"""A weight and what it multiplies."""


class Sum(Equality, Expression):
    """A weighted sum of atoms, and a constant.

    Sums are not changed once they are made. A sum that begins with the terms of an earlier one shares its
    list, so that ``sum(many)`` takes linear time.
    """

    __slots__ = ("_length", "_terms", "constant")

    def __init__(self, terms: list[Term], constant: int = 0, length: int | None = None) -> None:
        self._terms = terms
        self._length = len(terms) if length is None else length
        self.constant = constant

    @property
    def terms(self) -> list[Term]:
        """The weights and atoms, in the order in which they were added."""
        return self._terms if len(self._terms) == self._length else self._terms[: self._length]

    def sum(self) -> Sum:
        return self

    def plus(self, other: Sum) -> Sum:
        """Return the sum of two sums."""
        return self.joined(other.terms, other.constant)

    def joined(self, more: list[Term], constant: int) -> Sum:
        """Return the sum with further terms and a number."""
        terms, length = self._terms, self._length
        if not more:
            return Sum(terms, self.constant + constant, length)
        if len(terms) == length > 1 and more is not terms:
            # The lists are shared: the length says which terms belong to this sum. Those of variables stay.
            terms.extend(more)
        else:
            terms = terms[:length] + more
        return Sum(terms, self.constant + constant, length + len(more))

    def times(self, factor: int) -> Sum:
        """Return the product with a number."""
        return Sum([(weight * factor, atom) for weight, atom in self.terms], self.constant * factor)

    def merged(self) -> Sum:
        """Return an equal sum in which each atom occurs once, no literal is negated and no weight is 0."""
        given = self.terms
        if not given or (len(given) == 1 and given[0][0] and getattr(given[0][1], "positive", True)):
            return self
        terms: dict[Hashable, Term] = {}
        constant = self.constant
        for weight, atom in given:
            if getattr(atom, "positive", True) is False:  # w * (not x) = w - w * x
                constant += weight
                weight, atom = -weight, ~atom  # type: ignore[operator]
            key = atom.key
            terms[key] = (weight + terms[key][0], atom) if key in terms else (weight, atom)
        return Sum([term for term in terms.values() if term[0]], constant)

    @property
    def key(self) -> Hashable:
        """Plain data that is equal for equal sums with the same order of terms."""
        return ("sum", self.constant, *((weight, atom.key) for weight, atom in self.terms))

    @property
    def bounds(self) -> tuple[int, int]:
        low = high = self.constant
        for weight, atom in self.terms:
            ends = [weight * bound for bound in atom.bounds]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def value(self, assignment: Assignment) -> int:
        total = self.constant
        for weight, atom in self.terms:
            total += weight * atom.value(assignment)
        return total

    def variables(self) -> list[Any]:
        return variables_in((self,))

    def text(self, name: Namer, /) -> str:
        """``x + 2*y - 3``."""
        return weighted_text(((weight, _bracketed(atom, name)) for weight, atom in self.terms), self.constant)

    def __bool__(self) -> bool:
        raise BadInput(f"the sum {self} has no truth value: compare it, as in {self} >= 1")

    def __repr__(self) -> str:
        return self.text(plain_name)


def _flat(members: Iterable[Any]) -> list[Any]:
    """Return the variables of conditions, in linear time and without calls for those that are variables."""
    found: list[Any] = []
    for member in members:
        if isinstance(member, Variable):
            found.append(member)
        else:
            found += member.variables()
    return found


def variables_in(sums: Iterable[Sum]) -> list[Any]:
    """Return the literals and integer variables of several sums."""
    found: list[Any] = []
    for total in sums:
        terms = total._terms
        for _, atom in terms if len(terms) == total._length else total.terms:
            if isinstance(atom, Variable):
                found.append(atom)
            else:
                found += atom.variables()
    return found


def weighted_text(terms: Iterable[tuple[int, str]], constant: int) -> str:
    """``x + 2*y - 3``: the text of a sum."""
    text = ""
    for weight, atom in terms:
        sign = ("-" if weight < 0 else "") if not text else (" - " if weight < 0 else " + ")
        text += f"{sign}{'' if abs(weight) == 1 else f'{abs(weight)}*'}{atom}"
    if not text:
        return str(constant)
    return f"{text} {'-' if constant < 0 else '+'} {abs(constant)}" if constant else text


def sum_of(given: Any) -> Sum | None:
    """Return a number or an expression as a sum, and None for anything else."""
    if isinstance(given, Expression):
        return given.sum()
    try:
        number = given if type(given) is int else operator.index(given)
    except TypeError:
        return None
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else Sum([], number)


_NUMBERS = [Sum([], number) for number in range(256)]
"""Small numbers as sums."""


def _is_array(given: Any) -> bool:
    """Return whether something is a numpy array, and no single number."""
    return hasattr(given, "dtype") and bool(given.shape)


def _each(function: Callable[[Any], Any], given: Any, sign: str) -> Any:
    """Return the results for all elements of a numpy array, and refuse anything else."""
    if _is_array(given):
        from ktsolve.model.arrays import each

        return each(function, given)
    raise BadInput(f"{sign} takes whole numbers and expressions, not {given!r:.40}")


def _product(left: Sum, right: Sum) -> Sum:
    if not right.terms:
        return left.times(right.constant)
    if not left.terms:
        return right.times(left.constant)
    for one, other in ((left, right), (right, left)):
        if one.constant == 0 and len(one.terms) == 1 and one.terms[0][1].bounds in ((0, 1), (0, 0), (1, 1)):
            weight, atom = one.terms[0]
            if isinstance(atom, Logic):
                return Product(atom, other.times(weight)).sum()
    return Operation("*", left, right).sum()


def _power(base: Sum, exponent: Sum) -> Sum:
    if exponent.terms or exponent.constant < 0:
        raise BadInput(f"({base}) ** {exponent}: the exponent must be a whole number from 0")
    result = base if exponent.constant else Sum([], 1)
    for _ in range(exponent.constant - 1):
        result = _product(result, base)
    return result


def _bracketed(atom: Atom, name: Namer) -> str:
    text = atom.text(name)
    return f"({text})" if isinstance(atom, Formula) else text


def plain_name(variable: Any) -> str:
    """Return the name of an integer, and the number of a Boolean, whose name only its model has."""
    if hasattr(variable, "name"):
        return str(variable.name)
    return f"{'' if variable.positive else 'not '}#{variable.number}"


class WithVariables:
    """A constraint or condition on literals and integers."""

    __slots__ = ()

    def variables(self) -> Iterable[Any]:
        """Return the literals and integer variables."""
        raise NotImplementedError

    def literals(self) -> Iterator[Any]:
        """Return the literals."""
        return (each for each in self.variables() if hasattr(each, "positive"))


class Formula(WithVariables, Equality, Logic, Expression):
    """An expression that is true or false, and therefore a constraint."""

    __slots__ = ()
    kind: ClassVar[str]

    def text(self, name: Namer, /) -> str:
        raise NotImplementedError

    def __invert__(self) -> Formula:
        raise NotImplementedError

    def __bool__(self) -> bool:
        raise BadInput(
            f"the condition {self} has no truth value in Python: give it to add(); join conditions with "
            "& | ~ and brackets, not with and, or, not; write a <= x <= b as two"
        )

    def __repr__(self) -> str:
        return self.text(plain_name)


_NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

COMPARE: dict[str, _Operator] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""What each sign computes."""


class Comparison(Formula):
    """Two sums compared by ``==``, ``!=``, ``<``, ``<=``, ``>`` or ``>=``."""

    __slots__ = ("_normal", "left", "right", "sign")
    kind: ClassVar[str] = "comparison"
    _normal: tuple[list[Term], int | None, int | None, int | None]

    def __init__(self, left: Sum, sign: str, right: Sum) -> None:
        self.left, self.sign, self.right = left, sign, right

    def holds(self, assignment: Assignment) -> bool:
        return bool(COMPARE[self.sign](self.left.value(assignment), self.right.value(assignment)))

    def normal(self) -> tuple[list[Term], int | None, int | None, int | None]:
        """Return the terms of left - right, the least and greatest value allowed, and the value excluded."""
        try:
            return self._normal  # each engine asks several times
        except AttributeError:
            pass
        right = self.right
        difference = (self.left.plus(right.times(-1)) if right.terms else self.left).merged()
        bound = right.constant - difference.constant if not right.terms else -difference.constant
        least = most = excluded = None
        match self.sign:
            case "==":
                least = most = bound
            case "!=":
                excluded = bound
            case "<" | "<=":
                most = bound - (self.sign == "<")
            case _:
                least = bound + (self.sign == ">")
        self._normal = difference.terms, least, most, excluded
        return self._normal

    @property
    def key(self) -> tuple[Hashable, ...]:
        return (self.sign, self.left.key, self.right.key)

    @staticmethod
    def negated(key: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
        """Return the key of the negation of the comparison that has a key."""
        sign, *sides = key
        return _NEGATED[sign], *sides  # type: ignore[index]  # a text

    def variables(self) -> list[Any]:
        return variables_in((self.left, self.right))

    def text(self, name: Namer, /) -> str:
        """``x + 2*y <= z``."""
        return f"{self.left.text(name)} {'=' if self.sign == '==' else self.sign} {self.right.text(name)}"

    def __invert__(self) -> Comparison:
        return Comparison(self.left, _NEGATED[self.sign], self.right)

    def __bool__(self) -> bool:
        # Dictionaries and sets compare keys of equal hash: two variables are equal if they are the same.
        if self.sign in ("==", "!="):
            left, right = _only_atom(self.left), _only_atom(self.right)
            if left is not None and right is not None and type(left) is type(right):
                return (left.key == right.key) is (self.sign == "==")
        return super().__bool__()


def _only_atom(total: Sum) -> Atom | None:
    """Return the atom of a sum that is nothing else."""
    terms = total.terms
    return terms[0][1] if total.constant == 0 and len(terms) == 1 and terms[0][0] == 1 else None


class _Several(Formula):
    """Several conditions joined by one connective."""

    __slots__ = ("members",)
    word: ClassVar[str]
    negated: ClassVar[type[_Several]]

    def __init__(self, members: Iterable[Any]) -> None:
        self.members = tuple(members)

    def holds(self, assignment: Assignment) -> bool:
        every = self.word == "and"
        for member in self.members:
            if member.holds(assignment) != every:
                return not every
        return every

    def __invert__(self) -> _Several:
        return self.negated(~member for member in self.members)

    @property
    def key(self) -> Hashable:
        return (self.kind, *[member.key for member in self.members])

    def variables(self) -> list[Any]:
        return _flat(self.members)

    def joined_with(self, conditions: Iterable[Any]) -> Any:
        """Return the condition with further members, in time linear in their number."""
        sign = "&" if self.word == "and" else "|"
        return type(self)([*self.members, *_members(type(self), conditions, sign)])

    def text(self, name: Namer, /) -> str:
        """``x <= 3 or (y = 2 and z = 1)``."""
        parts = [f"({m.text(name)})" if isinstance(m, _Several) else m.text(name) for m in self.members]
        return f" {self.word} ".join(parts) or ("true" if self.word == "and" else "false")


class Conjunction(_Several):
    """All the conditions are true."""

    __slots__ = ()
    kind: ClassVar[str] = "conjunction"
    word: ClassVar[str] = "and"


class Disjunction(_Several):
    """At least one of the conditions is true."""

    __slots__ = ()
    kind: ClassVar[str] = "disjunction"
    word: ClassVar[str] = "or"
    negated: ClassVar[type[_Several]] = Conjunction


Conjunction.negated = Disjunction


def condition_of(given: Any, sign: str) -> Any:
    """Return a literal or a condition unchanged, and refuse anything else."""
    if not isinstance(given, Logic):
        raise BadInput(
            f"{sign} takes Booleans and comparisons, not {given!r:.40}: put brackets around both sides"
        )
    return given


def _joined(connective: type[_Several], left: Any, right: Any, sign: str) -> Any:
    if isinstance(left, Logic) and isinstance(right, Logic):
        one = left.members if type(left) is connective else (left,)
        other = right.members if type(right) is connective else (right,)
        joined = connective.__new__(connective)
        joined.members = one + other
        return joined
    for one, other in ((left, right), (right, left)):
        if _is_array(one):
            return _each(lambda x: _joined(connective, x, other, sign), one, sign)  # noqa: B023
    return connective(_members(connective, (left, right), sign))


def _members(connective: type[_Several], conditions: Iterable[Any], sign: str) -> list[Any]:
    """Return conditions; members of the same connective take the place of it."""
    return [part for each in conditions for part in _parts(connective, condition_of(each, sign))]


def _parts(connective: type[_Several], condition: Any) -> tuple[Any, ...]:
    return condition.members if isinstance(condition, connective) else (condition,)


class FunctionOf(Equality, Expression):
    """An atom that is a function of other expressions."""

    __slots__ = ("parts",)
    name: str

    def __init__(self, *parts: Any) -> None:
        self.parts = parts

    @property
    def key(self) -> Hashable:
        return (self.name, *(part.key for part in self.parts))

    def variables(self) -> Iterator[Any]:
        return (variable for part in self.parts for variable in part.variables())

    def text(self, name: Namer, /) -> str:
        return f"{self.name}({', '.join(part.text(name) for part in self.parts)})"

    def __repr__(self) -> str:
        return self.text(plain_name)


class Absolute(FunctionOf):
    """The absolute value of a sum."""

    __slots__ = ("inner",)
    name = "abs"

    def __init__(self, inner: Sum) -> None:
        super().__init__(inner)
        self.inner = inner

    @property
    def bounds(self) -> tuple[int, int]:
        low, high = self.inner.bounds
        return max(0, low, -high), max(abs(low), abs(high))

    def value(self, assignment: Assignment) -> int:
        return abs(self.inner.value(assignment))


class Product(FunctionOf):
    """A sum where a condition is true, and 0 elsewhere."""

    __slots__ = ("condition", "inner")
    name = "product"

    def __init__(self, condition: Any, inner: Sum) -> None:
        super().__init__(condition, inner)
        self.condition, self.inner = condition, inner

    @property
    def bounds(self) -> tuple[int, int]:
        low, high = self.inner.bounds
        return min(0, low), max(0, high)

    def value(self, assignment: Assignment) -> int:
        return self.inner.value(assignment) if self.condition.holds(assignment) else 0

    def text(self, name: Namer, /) -> str:
        """``b*(x + 1)``."""
        inner = self.inner.text(name)
        factor = inner if _only_atom(self.inner) is not None else f"({inner})"
        return f"{_bracketed(self.condition, name)}*{factor}"


class Operation(FunctionOf):
    """A product of two sums, or the quotient or remainder of a division.

    A quotient is rounded towards 0, and a remainder has the sign of the dividend. Both are 0 where the
    divisor is 0: who states a division excludes that.
    """

    __slots__ = ("left", "name", "right")

    def __init__(self, name: str, left: Sum, right: Sum) -> None:
        super().__init__(left, right)
        self.name, self.left, self.right = name, left, right

    @property
    def bounds(self) -> tuple[int, int]:
        (low, high), (least, most) = self.left.merged().bounds, self.right.merged().bounds
        values = [0] if self.name != "*" and least <= 0 <= most else []
        if self.name == "mod":
            largest = max(abs(least), abs(most), 1) - 1
            values += [min(0, max(low, -largest)), max(0, min(high, largest))]
        else:
            near = {least, most, *(one for one in (-1, 1) if least <= one <= most)}
            values += [self.computed(one, other) for one in (low, high) for other in near]
        return min(values), max(values)

    def computed(self, left: int, right: int) -> int:
        """Return the value for two numbers."""
        if self.name == "*":
            return left * right
        if not right:
            return 0
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if self.name == "div" else left - quotient * right

    def value(self, assignment: Assignment) -> int:
        return self.computed(self.left.value(assignment), self.right.value(assignment))

    def divisor(self) -> tuple[Sum, Comparison | None]:
        """Return the divisor, 1 in place of 0, and the condition that it is not 0 if it may be."""
        low, high = self.right.merged().bounds
        if not low <= 0 <= high:
            return self.right, None
        zero = Comparison(self.right, "==", Sum([], 0))
        return self.right.plus(zero.sum()), ~zero

    def text(self, name: Namer, /) -> str:
        """``(x + 1)*y``, ``x div y`` and ``x mod y``."""
        parts = [
            text if _only_atom(part) is not None or not part.terms else f"({text})"
            for part in (self.left, self.right)
            for text in [part.text(name)]
        ]
        return ("*" if self.name == "*" else f" {self.name} ").join(parts)
