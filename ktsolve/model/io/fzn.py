"""Models in FlatZinc, to which MiniZinc compiles models, and the text of their solutions.

A variable that is a Boolean as 0 or 1 becomes this Boolean. Constraints have the names of FlatZinc's built-in
ones, or of the files in ``ktsolve/data/minizinc``, which tell MiniZinc what not to decompose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, NoReturn

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.model import constraints
from ktsolve.model.constraints import Assignment
from ktsolve.model.expressions import Comparison, Conjunction, Disjunction, Sum, sum_of
from ktsolve.model.functions import (
    Extreme,
    division,
    guarded_element,
    guarded_power,
    successor_arcs,
)
from ktsolve.model.io.solution import ReadModel
from ktsolve.model.model import Model
from ktsolve.model.variables import Integer, Literal

__all__ = ["FlatZinc", "read_fzn"]


@dataclass(frozen=True)
class _Output:
    """A variable, or an array of them, whose value a solution shows."""

    name: str
    values: Any  # of the variable, or of all members
    sides: tuple[range, ...]  # the indices of an array

    def text(self, assignment: Assignment) -> str:
        if not self.sides:
            return f"{self.name} = {_shown(self.values, assignment)};"
        sides = ", ".join(f"{side.start}..{side.stop - 1}" for side in self.sides)
        members = ", ".join(_shown(each, assignment) for each in self.values)
        return f"{self.name} = array{len(self.sides)}d({sides}, [{members}]);"


def _shown(value: Any, assignment: Assignment) -> str:
    if isinstance(value, Literal):
        value = value.holds(assignment)
    return str(_valued(value, assignment)).lower()


def _valued(value: Any, assignment: Assignment) -> Any:
    return value.value(assignment) if isinstance(value, Integer | Sum) else value


@dataclass(frozen=True)
class FlatZinc(ReadModel):
    """A model of FlatZinc, and what its solutions show."""

    outputs: tuple[_Output, ...] = ()

    def text(self, assignment: Assignment) -> str:
        """Return the lines of a solution, up to the line of hyphens."""
        return "\n".join([*(each.text(assignment) for each in self.outputs), "-" * 10])


def read_fzn(text: str) -> FlatZinc:
    """Return the model of a text in FlatZinc. Raises BadInput with the line.

    >>> read = read_fzn("var 1..3: x:: output_var; constraint int_lin_le([2], [x], 5); solve maximize x;")
    >>> print(read.model)
    model flatzinc: 0 Booleans, 1 integer, 1 constraint
      maximise x
      1 <= x <= 3
      2*x <= 5
    >>> print(read.text([2]))
    x = 2;
    ----------
    """
    parsed = _FlatItems(text)
    try:
        parsed.items()
        return _FlatModel(parsed).made()
    except (BadInput, RecursionError, OverflowError, *_WRONG) as error:
        why = (
            str(error)
            if isinstance(error, BadInput)
            else "the text is not FlatZinc: its arguments do not fit"
        )
        short = re.sub(r"\w{60,}", lambda name: f"{name[0][:40]}...", why)
        raise BadInput(f"line {parsed.line}: {short}") from None


_LARGEST = 2**62  # the engines compute in 64 bits

_WRONG = (ValueError, TypeError, IndexError, KeyError, AttributeError)
"""What the functions raise for arguments of other kinds."""


# -- text --------------------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+(?:[eE][-+]?\d+)?|[eE][-+]?\d+)|-?\d+|[A-Za-z_]\w*|::|\.\.|[^\s%]'
    r"|%[^\n]*"
)


def _word(token: str) -> str:
    return shown(token) if token else "the end of the file"


class _Name(str):
    """The name of a variable or a parameter."""

    __slots__ = ()


@dataclass
class _Declared:
    """A declaration of a variable, or of an array."""

    type: Any  # bool, int, or the values
    annotations: list[tuple[str, list[Any]]]
    value: Any  # None without one
    place: int


class _FlatItems:
    """The items of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = [*(token for token in _TOKEN.findall(text) if token[0] != "%"), ""]
        self.at = 0
        self.variables: dict[str, _Declared] = {}
        self.arrays: dict[str, _Declared] = {}
        self.values: dict[str, Any] = {}
        self.stated: list[tuple[str, list[Any], int]] = []
        self.goal: tuple[str, Any] | None = None

    @property
    def line(self) -> int:
        """The line of the token that is read."""
        found = (each for each in _TOKEN.finditer(self.text) if each[0][0] != "%")
        start = next((each.start() for place, each in enumerate(found) if place == self.at), len(self.text))
        return self.text.count("\n", 0, start) + 1

    def take(self, *wanted: str) -> str:
        """Return the next token, which must be one of those."""
        token = self.tokens[self.at]
        if wanted and token not in wanted:
            raise BadInput(f"{_word(token)} is in the place of {' or '.join(wanted)}")
        self.at += 1
        return token

    def items(self) -> None:
        while self.tokens[self.at]:
            match self.take():
                case "predicate":
                    self.at = self.tokens.index(";", self.at)
                case "constraint":
                    place = self.at
                    name = self.take()
                    self.take("(")
                    self.stated.append((name, self.members(")"), place))
                    self.annotations()
                case "solve":
                    self.annotations()
                    sense = self.take("satisfy", "minimize", "maximize")
                    self.goal = (sense, None if sense == "satisfy" else self.value())
                case _:
                    self.at -= 1
                    self.declaration()
            self.take(";")
        if self.goal is None:
            raise BadInput("it has no item solve: end with solve satisfy;")

    def declaration(self) -> None:
        place = self.at
        is_array = self.tokens[self.at] == "array"
        if is_array:
            self.at = self.tokens.index("of", self.at) + 1
        is_variable = self.tokens[self.at] == "var"
        self.at += is_variable
        kind = self.type()
        self.take(":")
        name = self.take()
        if name in self.variables or name in self.arrays or name in self.values:
            raise BadInput(f"{name} is declared twice")
        annotations = self.annotations()
        value = self.value() if self.tokens[self.at] == "=" and self.take() else None
        if is_array:
            self.arrays[name] = _Declared(kind, annotations, value, place)
        elif is_variable:
            self.variables[name] = _Declared(kind, annotations, value, place)
        else:
            self.values[name] = value

    def type(self) -> Any:
        """Return ``bool``, ``int``, or the values of a type; sets and floats are refused."""
        token = self.tokens[self.at]
        if token in ("bool", "int"):
            self.at += 1
            return token
        if token == "set" and self.tokens[self.at - 1] != "var":  # a parameter
            self.at += 2
            return self.type()
        if token in ("set", "float") or "." in token[1:]:
            kind = "a set" if token == "set" else "a decimal"
            name = self.tokens[self.tokens.index(":", self.at) + 1]
            raise BadInput(f"{name} is {kind}: ktsolve has variables of whole numbers and Booleans")
        return self.value()

    def annotations(self) -> list[tuple[str, list[Any]]]:
        found = []
        while self.tokens[self.at] == "::":
            self.at += 1
            each = self.value()
            found.append(each if isinstance(each, tuple) else (each, []))
        return found

    def members(self, end: str) -> list[Any]:
        found = []
        while self.tokens[self.at] != end:
            found.append(self.value())
            if self.tokens[self.at] != end:
                self.take(",", end)
        self.at += 1
        return found

    def value(self) -> Any:
        """Return a number, a truth value, a range, a set, a list, a name, a text or an annotation."""
        token = self.take()
        following = self.tokens[self.at]
        if token == "[":
            return self.members("]")
        if token == "{":
            return frozenset(self.members("}"))
        if token in ("true", "false"):
            return token == "true"
        if token[:1].isalpha() or token[:1] == "_":
            if following == "(":
                self.at += 1
                return token, self.members(")")
            if following == "[":
                self.at += 1
                [place] = self.members("]")
                return self.values[token][place - 1]
            return _Name(token)
        if token[:1] == '"':
            return token
        if re.fullmatch(r"-?\d+", token):
            if following == "..":
                self.at += 1
                return range(int(token), int(self.take()) + 1)
            return int(token)
        if re.fullmatch(r"-?\d.*", token):
            raise BadInput(f"{token:.40} is a decimal: ktsolve takes whole numbers")
        self.at -= 1
        raise BadInput(f"{_word(token)} is in the place of a value")


# -- model -------------------------------------------------------------------------------------------------


class _FlatModel:
    """The model of the items."""

    def __init__(self, parsed: _FlatItems) -> None:
        self.parsed = parsed
        self.model = Model("flatzinc")
        self.values: dict[str, Any] = dict(parsed.values)
        self.circuits = 0

    def made(self) -> FlatZinc:
        parsed, model = self.parsed, self.model
        aliases = self.aliases()
        names = self.names()
        for name, declared in parsed.variables.items():
            parsed.at = declared.place
            if name not in aliases:
                self.values[name] = self.variable(names.get(name, name), declared)
        for name, original in aliases.items():
            self.values[name] = self.values[original].sum()
        outputs = []
        for name, declared in (parsed.variables | parsed.arrays).items():
            parsed.at = declared.place
            if name in parsed.arrays:
                self.values[name] = self.resolved(declared.value)
            elif declared.value is not None:
                self.equal(self.values[name], self.resolved(declared.value))
            for annotation, given in declared.annotations:
                if annotation in ("output_var", "output_array"):
                    outputs.append(_Output(name, self.values[name], tuple(given[0]) if given else ()))
        for name, given, place in parsed.stated:
            parsed.at = place
            try:
                self.state(name, [self.resolved(each) for each in given])
            except BadInput:
                raise
            except (OverflowError, *_WRONG):
                raise BadInput(f"the arguments of {name} do not fit: give those of FlatZinc") from None
        sense, total = parsed.goal or ("satisfy", None)
        if total is not None:
            (model.minimise if sense == "minimize" else model.maximise)(self.sum(self.resolved(total)))
        shown = [v for each in outputs for v in (each.values if each.sides else [each.values])]
        model.show(dict.fromkeys(v for each in shown for v in _variables(each)))
        return FlatZinc(model, len(model), tuple(outputs))

    def aliases(self) -> dict[str, str]:
        """The integers that are Booleans as numbers, with these; what states it is dropped."""
        found: dict[str, str] = {}
        kept = []
        for each in self.parsed.stated:
            name, given, _ = each
            if name == "bool2int" and all(isinstance(one, _Name) for one in given):
                boolean, integer = given
                declared = self.parsed.variables.get(integer)
                values = None if declared is None else declared.type
                free = values == "int" or (
                    isinstance(values, range | frozenset) and 0 in values and 1 in values
                )
                if free and integer not in found and declared is not None and declared.value is None:
                    found[integer] = boolean
                    continue
            kept.append(each)
        self.parsed.stated = kept
        return found

    def names(self) -> dict[str, str]:
        """Names for the members of arrays that are shown, in place of those that MiniZinc introduced."""
        found = {}
        for name, declared in self.parsed.arrays.items():
            for annotation, given in declared.annotations:
                if annotation == "output_array" and prod(map(len, given[0])) == len(declared.value):
                    for place, member in zip(product(*given[0]), declared.value, strict=True):
                        if isinstance(member, _Name) and member.startswith("X_INTRODUCED"):
                            found[str(member)] = f"{name}[{','.join(map(str, place))}]"
        return found

    def variable(self, name: str, declared: _Declared) -> Any:
        if declared.type == "bool":
            return self.model.boolean(name)
        if declared.type == "int":
            raise BadInput(f"{name} has no bounds: declare it with its least and greatest value, as in 1..9")
        values = declared.type
        if not values:
            raise BadInput(f"{name} has no values: its least value is greater than the greatest")
        low, high = (values[0], values[-1]) if isinstance(values, range) else (min(values), max(values))
        if max(abs(low), abs(high)) >= _LARGEST:
            raise BadInput(f"{name} has values of more than 62 bits: bound it by smaller numbers")
        made = self.model.integer(name, low, high)
        if isinstance(values, frozenset) and len(values) <= high - low:
            self.model.table([made], [[value] for value in sorted(values)])
        return made

    def resolved(self, given: Any) -> Any:
        """A value in which names are replaced by what they stand for."""
        if isinstance(given, list):
            return [self.resolved(each) for each in given]
        if not isinstance(given, _Name):
            return given
        if given not in self.values:
            raise BadInput(f"{given} is not declared")
        return self.values[given]

    # -- constraints ------------------------------------------------------------------------------------

    def state(self, name: str, given: list[Any]) -> None:
        """Add a constraint."""
        if name in _FUNCTIONS:
            result, operands = (given[0], given[1:]) if name.endswith("imum") else (given[-1], given[:-1])
            value, guards = _FUNCTIONS[name](self, *operands)
            self.model.add(*guards, Comparison(value, "==", self.sum(result)))
        elif name in _GLOBALS:
            _GLOBALS[name](self, *given)
        elif name in _CONDITIONS and not (name in _WITH_RESULT and len(given) == _WITH_RESULT[name]):
            self.model.add(_CONDITIONS[name](self, *given))
        else:
            base = name.removesuffix("_reif").removesuffix("_imp")
            if base not in _CONDITIONS:
                self.unknown(name)
            condition = self.condition(given[-1])
            self.model.when(condition, stated := _CONDITIONS[base](self, *given[:-1]))
            if not name.endswith("_imp"):
                self.model.when(~condition, ~stated)

    def unknown(self, name: str) -> NoReturn:
        kind = next((kind for prefix, kind in _UNSUPPORTED.items() if prefix in name), "")
        raise BadInput(f"ktsolve has no constraint {name if name.isidentifier() else shown(name)}{kind}")

    def equal(self, one: Any, other: Any) -> None:
        self.model.add(Comparison(self.sum(one), "==", self.sum(other)))

    def sum(self, given: Any) -> Sum:
        total = sum_of(int(given) if isinstance(given, bool) else given)
        if total is None:
            raise TypeError
        return total

    def sums(self, given: Iterable[Any]) -> list[Sum]:
        return [self.sum(each) for each in given]

    def condition(self, given: Any) -> Any:
        if isinstance(given, bool):
            return Conjunction(()) if given else Disjunction(())
        return given if isinstance(given, Literal) else Comparison(self.sum(given), ">=", Sum([], 1))

    def conditions(self, given: Iterable[Any]) -> list[Any]:
        return [self.condition(each) for each in given]

    def weighted(self, weights: list[int], members: list[Any]) -> Sum:
        if not all(type(weight) is int for weight in weights):
            raise TypeError
        parts = [self.sum(each).times(weight) for weight, each in zip(weights, members, strict=True)]
        return sum(parts, Sum([]))

    def member_of(self, given: Any, values: Any) -> Any:
        total = self.sum(given)
        if isinstance(values, range):
            ends = ((">=", values.start), ("<", values.stop))
            return Conjunction([Comparison(total, sign, Sum([], end)) for sign, end in ends])
        return Disjunction([Comparison(total, "==", Sum([], value)) for value in sorted(values)])

    def precedes(self, values: list[int], members: list[Any]) -> Any:
        return constraints.truth(constraints.Precedence(self.sums(members), values))

    def rows(self, members: list[Any], flat: list[Any]) -> None:
        width = max(len(members), 1)
        rows = [list(map(int, flat[at : at + width])) for at in range(0, len(flat), width)]
        self.model.table(self.sums(members), rows)

    def circuit(self, first: int, successors: list[Any], *, some: bool = False) -> None:
        after = [self.sum(each) - first for each in successors]
        self.circuits += 1
        arcs = successor_arcs(self.model, f"circuit {self.circuits}", after, loops=some)
        if some:
            self.model.subcircuit(len(after), arcs, directed=True, empty=True)
        elif len(after) > 1:
            self.model.circuit(len(after), arcs, directed=True)

    def regular(
        self, members: list[Any], states: int, values: int, flat: list[int], start: int, final: Iterable[int]
    ) -> None:
        places = product(range(1, states + 1), range(1, values + 1))
        transitions = [(*place, after) for place, after in zip(places, flat, strict=True) if after]
        self.model.regular(self.sums(members), transitions, start, final)

    def occurrences(self, members: Any, values: Any, counts: Any, *, closed: bool = False) -> None:
        given = self.sums(members), values, self.sums(counts)
        self.model.add(constraints.GlobalCardinality(*given, closed=closed))

    def inverse(self, first: int, forward: list[Any], start: int, backward: list[Any]) -> None:
        shifted = (
            [self.sum(each) - start for each in forward],
            [self.sum(each) - first for each in backward],
        )
        self.model.inverse(*shifted)


def _variables(given: Any) -> Iterator[Any]:
    """The variables of a value that is shown."""
    if isinstance(given, Sum):
        yield from given.variables()
    elif isinstance(given, Literal | Integer):
        yield given


def _compared(sign: str) -> Callable[..., Any]:
    return lambda builder, one, other: Comparison(builder.sum(one), sign, builder.sum(other))


def _linear(sign: str) -> Callable[..., Any]:
    return lambda builder, weights, members, bound: Comparison(
        builder.weighted(weights, members), sign, builder.sum(bound)
    )


def _extreme(name: str) -> Callable[..., Any]:
    return lambda builder, *given: (
        Extreme(name, tuple(builder.sums(given[0] if isinstance(given[0], list) else given))).sum(),
        [],
    )


def _element(builder: _FlatModel, index: Any, members: list[Any]) -> tuple[Sum, list[Any]]:
    return guarded_element(builder.sums(members), builder.sum(index) - 1)


_SIGNS = {"eq": "==", "ne": "!=", "le": "<=", "lt": "<", "ge": ">=", "gt": ">"}

_CONDITIONS: dict[str, Callable[..., Any]] = {
    **{f"{kind}_{name}": _compared(sign) for kind in ("int", "bool") for name, sign in _SIGNS.items()},
    **{f"{kind}_lin_{name}": _linear(sign) for kind in ("int", "bool") for name, sign in _SIGNS.items()},
    "bool_not": _compared("!="),
    "bool_xor": _compared("!="),
    "bool_and": lambda builder, *given: Conjunction(builder.conditions(given)),
    "bool_or": lambda builder, *given: Disjunction(builder.conditions(given)),
    "array_bool_and": lambda builder, given: Conjunction(builder.conditions(given)),
    "array_bool_or": lambda builder, given: Disjunction(builder.conditions(given)),
    "bool_clause": lambda builder, true, false: Disjunction(
        [*builder.conditions(true), *(~each for each in builder.conditions(false))]
    ),
    "set_in": lambda builder, given, values: builder.member_of(given, values),
    "fzn_value_precede_int": lambda builder, one, other, members: builder.precedes([one, other], members),
    "fzn_value_precede_chain_int": lambda builder, values, members: builder.precedes(values, members),
}
"""Constraints that are conditions; ``_reif`` adds a Boolean for their truth, ``_imp`` a premise."""

_WITH_RESULT = {"bool_and": 3, "bool_or": 3, "bool_xor": 3, "array_bool_and": 2, "array_bool_or": 2}
"""Conditions whose last argument is their truth, with the number of arguments."""

_FUNCTIONS: dict[str, Callable[..., tuple[Sum, Sequence[Any]]]] = {
    "int_plus": lambda builder, one, other: (builder.sum(one) + builder.sum(other), []),
    "int_minus": lambda builder, one, other: (builder.sum(one) - builder.sum(other), []),
    "int_times": lambda builder, one, other: (builder.sum(one) * builder.sum(other), []),
    "int_div": lambda builder, *given: division("div", *builder.sums(given)),
    "int_mod": lambda builder, *given: division("mod", *builder.sums(given)),
    "int_pow": lambda builder, *given: guarded_power(*builder.sums(given)),
    "int_abs": lambda builder, one: (abs(builder.sum(one)), []),
    "bool2int": lambda builder, one: (builder.sum(one), []),
    "int_max": _extreme("max"),
    "int_min": _extreme("min"),
    "array_int_maximum": _extreme("max"),
    "array_int_minimum": _extreme("min"),
    **{f"array_{var}{kind}_element": _element for var in ("", "var_") for kind in ("int", "bool")},
}
"""Functions; the result is the last argument, or the first one of a maximum or minimum of an array."""

_GLOBALS: dict[str, Callable[..., None]] = {
    "fzn_all_different_int": lambda builder, members: builder.model.all_different(builder.sums(members)),
    "fzn_table_int": lambda builder, members, flat: builder.rows(members, flat),
    "fzn_table_bool": lambda builder, members, flat: builder.rows(members, flat),
    "ktsolve_lex_less": lambda builder, strict, *lists: builder.model.lex_less(
        *map(builder.sums, lists), strict=strict
    ),
    "fzn_increasing_int": lambda builder, members: builder.model.increasing(builder.sums(members)),
    "fzn_strictly_increasing_int": lambda builder, members: builder.model.increasing(
        builder.sums(members), strict=True
    ),
    "fzn_global_cardinality": lambda builder, *given: builder.occurrences(*given),
    "fzn_global_cardinality_closed": lambda builder, *given: builder.occurrences(*given, closed=True),
    "fzn_regular": lambda builder, *given: builder.regular(*given),
    "fzn_disjunctive": lambda builder, *lists: builder.model.no_overlap(*map(builder.sums, lists)),
    "fzn_cumulative": lambda builder, *given: builder.model.cumulative(
        *map(builder.sums, given[:3]), builder.sum(given[3])
    ),
    "array_bool_xor": lambda builder, members: builder.model.xor(builder.conditions(members)),
    "ktsolve_circuit": lambda builder, first, members: builder.circuit(first, members),
    "ktsolve_subcircuit": lambda builder, first, members: builder.circuit(first, members, some=True),
    "ktsolve_inverse": lambda builder, *given: builder.inverse(*given),
}
"""Global constraints."""

_UNSUPPORTED = {"float": ": it has no decimals", "set_": ": it has no variables that are sets"}
