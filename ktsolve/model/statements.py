"""Constraints from what the methods of a model are given, with an error for anything else."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints import (
    Cardinalities,
    Cardinality,
    Clause,
    Constraint,
    Deferred,
    Edge,
    Implication,
    Linear,
    Mark,
    Table,
    When,
)
from ktsolve.model.constraints.basic import Rows, as_rows
from ktsolve.model.expressions import Comparison, Conjunction, Expression, Logic, Sum, plain_name, sum_of
from ktsolve.model.functions import division, sums_of
from ktsolve.model.variables import Integer, Literal, all_literals

__all__ = ["NO_OBJECTIVE", "Objective"]

T = TypeVar("T", bound=Hashable)


def implication(premises: Any, conclusion: Any) -> Constraint:
    """Return that the conclusion is true if all premises are: literals or conditions."""
    alone = type(premises) is Literal or not isinstance(premises, Iterable)
    given = (premises,) if alone else tuple(premises)
    members, plain = conditions_of((*given, conclusion), "implication")
    if plain:
        return Implication(members[:-1], members[-1])
    stated = Clause((conclusion,)) if isinstance(conclusion, Literal) else conclusion
    return When(Conjunction(members[:-1]), stated)


def cardinality(literals: Iterable[Any], least: int | None, most: int | None) -> Iterator[Constraint]:
    """Yield constraints that bound the number of true literals or conditions."""
    for bound in (least, most):
        if type(bound) is not int and bound is not None and not hasattr(bound, "__index__"):
            raise BadInput(f"a number of literals is a whole number, not {bound!r:.40}")
    if isinstance(literals, Literal) or not isinstance(literals, Iterable):
        raise BadInput(f"a cardinality takes a list of literals, not {literals!r:.40}")
    flat = literals.ravel().tolist() if hasattr(literals, "ravel") else literals
    members, plain = conditions_of(flat, "cardinality")
    if plain:
        yield Cardinality(members, least, most)
        return
    total = Sum([(1, member) for member in members])
    if least is not None:
        yield Comparison(total, "==" if least == most else ">=", Sum([], least))
    if most is not None and least != most:
        yield Comparison(total, "<=", Sum([], most))


def cardinalities(rows: Rows, least: int | None, most: int | None) -> Cardinalities:
    """Return bounds on the number of true literals in each row of a block."""
    for bound in (least, most):
        if bound is not None and (isinstance(bound, bool) or not isinstance(bound, int)):
            raise BadInput(f"the bounds are whole numbers or None, not {bound!r:.40}")
    if least is not None and most is not None and least > most:
        raise BadInput(f"at least {least} and at most {most} of the literals cannot be: exchange them")
    numbers, offsets = as_rows(rows)
    return Cardinalities(numbers, offsets, least, most)


def table(
    expressions: Iterable[Any],
    allowed: Iterable[Iterable[int]] | None,
    forbidden: Iterable[Iterable[int]] | None,
) -> Table:
    """Return that the values of the expressions are an allowed row, or no forbidden one."""
    if allowed is not None and forbidden is None:
        return Table(expressions, allowed)
    if forbidden is not None and allowed is None:
        return Table(expressions, forbidden, allowed=False)
    raise BadInput("a table takes its allowed rows or its forbidden rows: give one of the two")


def divided(name: str, dividend: Any, divisor: Any) -> Sum:
    """Return a quotient or a remainder. Raises BadInput if the divisor may be 0."""
    first, second = sums_of([dividend, divisor], "a division")
    value, guards = division(name, first, second)
    if guards:
        low, high = second.merged().bounds
        raise BadInput(f"the divisor {second} has values {low} to {high}: bound it away from 0")
    return value


def linear(terms: Mapping[Any, int], least: int | None, most: int | None) -> Linear:
    """Return a weighted sum of literals, and its bounds, as a constraint. Raises BadInput for other terms."""
    if not isinstance(terms, Mapping):
        raise BadInput(f"linear takes {{literal: weight}}, not {terms!r:.40}")
    for weight in (*terms.values(), *(bound for bound in (least, most) if bound is not None)):
        if not isinstance(weight, int):
            raise BadInput(f"a weight is {weight!r:.40}, but must be a whole number: scale all weights")
    for literal in terms:
        if type(literal) is not Literal:
            raise BadInput(
                f"{{literal: weight}} has weights of literals, not of {literal!r:.40}: write a sum, 2*x + y"
            )
    return Linear(tuple((weight, literal) for literal, weight in terms.items()), least, most)


def conditions_of(given: Iterable[Any], what: str, how: str = "") -> tuple[tuple[Any, ...], bool]:
    """Return literals and conditions as a tuple, and whether all are literals."""
    members = tuple(given)
    if all_literals(members):
        return members, True
    for member in members:
        if not isinstance(member, Logic):
            advice = (
                f"write {what}({how})" if how and isinstance(member, list | tuple) else "compare integers"
            )
            if isinstance(member, bool):
                advice = "two Booleans are compared by equal(a, b)"
            article = "an" if what[0] in "aeiou" else "a"
            raise BadInput(f"{article} {what} takes Booleans and comparisons, not {member!r:.40}: {advice}")
    return members, False


_End = int | Sequence[Mark] | None  # a node, or whether each node is the end; None for new Booleans


def path_marks(
    nodes: int,
    labels: Sequence[str],
    given: tuple[Sequence[Mark] | None, _End, _End],
    directed: bool,
    boolean: Callable[[str], Literal],
) -> tuple[Sequence[Mark] | None, Sequence[Mark]]:
    """Return the marks of the starts, if the path is directed, and those of the ends.

    The ends are given as marks of both, or as start and end. ``boolean`` makes a Boolean of a name, for an
    end that is not given.
    """
    ends, start, end = given
    labels = tuple(labels) or tuple(map(str, range(nodes)))
    if ends is not None and (directed or start is not None or end is not None):
        what = "a directed path has start= and end=" if directed else "give ends=, or start= and end="
        raise BadInput(f"ends= marks both ends of an undirected path: {what}")
    for node in (start, end):
        if isinstance(node, int) and (isinstance(node, bool) or not 0 <= node < nodes):
            raise BadInput(f"{node!r} is not a node of the path: give a node from 0 to {nodes - 1}")
    if directed:
        return _marked("start", start, labels, boolean), _marked("end", end, labels, boolean)
    if ends is not None:
        return None, kept(ends)
    for marks in (start, end):
        if marks is not None and not isinstance(marks, int):
            raise BadInput("the ends of an undirected path are marked together: use ends=")
    known = [node for node in (start, end) if isinstance(node, int)]
    if len(known) == 2:
        if start == end and nodes > 1:
            raise BadInput(f"the path starts and ends at node {start}: give two different nodes")
        return None, tuple(v in known for v in range(nodes))
    if nodes == 1 and known:
        return None, (True,)
    return None, tuple(True if v in known else boolean(f"end[{labels[v]}]") for v in range(nodes))


def _marked(
    name: str, given: _End, labels: Sequence[str], boolean: Callable[[str], Literal]
) -> tuple[Mark, ...]:
    if given is None:
        return tuple(boolean(f"{name}[{label}]") for label in labels)
    if isinstance(given, int):
        return tuple(v == given for v in range(len(labels)))
    return tuple(given)


def kept(members: Iterable[T]) -> Sequence[T]:
    """Return a tuple of the members, and a deferred one as it is."""
    return members if isinstance(members, Deferred) else tuple(members)


def edges_of(edges: Iterable[tuple[int, int] | Edge]) -> tuple[Edge, ...]:
    """Return edges with a literal each, True for those without a literal."""
    return tuple((each[0], each[1], each[2] if len(each) == 3 else True) for each in edges)


def no_constraint(given: Any) -> BadInput:
    """Return the error for a value that ``add`` does not take."""
    if isinstance(given, bool | np.bool_):
        return BadInput(
            f"add(): the constraint is {given}, without variables: comparing two Booleans with == only tells "
            "whether they are the same: use model.equal(a, b), or a ^ b for different values"
        )
    if isinstance(given, Expression):
        return BadInput(f"add(): {given!r:.40} is an expression: compare it, as in {given!r:.40} >= 1")
    return BadInput(f"add() takes comparisons, literals and constraints, not {given!r:.40}")


@dataclass(frozen=True)
class Objective:
    """A sum that is to be minimised or maximised."""

    sense: str
    total: Sum


NO_OBJECTIVE = Objective("minimise", Sum([]))
"""The objective of a model that has soft constraints only."""


def objective_of(sense: str, given: Any) -> Objective:
    """Return the objective of an expression, or of weights of literals. Raises BadInput for other values."""
    total = Sum([*linear(given, None, None).terms]) if isinstance(given, Mapping) else sum_of(given)
    if total is None:
        raise BadInput(f"an objective is an expression or {{literal: weight}}, not {given!r:.40}")
    return Objective(sense, total)


def suggestion(values: Mapping[Any, int]) -> dict[Literal | Integer, int]:
    """Return suggested values by positive variables. Raises BadInput for a value out of the domain."""
    suggested: dict[Literal | Integer, int] = {}
    for variable, value in values.items():
        low, high = variable.bounds
        whole = hasattr(value, "__index__") or hasattr(value, "dtype")  # a truth value of numpy
        if not whole or not low <= value <= high:
            raise BadInput(
                f"the suggestion {value!r:.40} is not a value of {plain_name(variable)}: "
                f"give a whole number from {low} to {high}"
            )
        positive = getattr(variable, "positive", True)
        suggested[variable if positive else ~variable] = int(value) if positive else int(not value)
    return suggested
