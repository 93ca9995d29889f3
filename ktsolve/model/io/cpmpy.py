"""Models of CPMpy from ours, so that its solvers can be used; and ours from those of CPMpy.

Global constraints that we have become ours; the others are decomposed by CPMpy. An element whose index is
out of its list makes the comparison around it false, as in CPMpy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import repeat
from typing import Any, cast

from ktsolve.base.errors import BadInput
from ktsolve.model import constraints
from ktsolve.model.expressions import (
    COMPARE,
    Absolute,
    Comparison,
    Conjunction,
    Disjunction,
    Formula,
    Operation,
    Product,
    Sum,
)
from ktsolve.model.functions import (
    Element,
    Extreme,
    division,
    guarded_element,
    guarded_power,
    successor_arcs,
)
from ktsolve.model.variables import Integer, Literal

__all__ = ["CpmpyReader", "cpmpy_model", "state_cpmpy"]


def _imported_cpmpy() -> Any:
    """Return the package cpmpy. Raises BadInput if it is not installed."""
    try:
        import cpmpy
    except ImportError:
        raise BadInput("CPMpy is not installed: pip install 'ktsolve[cpmpy]'") from None
    return cpmpy


def cpmpy_model(model: Any) -> Any:
    """Return the model of CPMpy. Its variables have the names of the model's; see ``Model.to_cpmpy``."""
    return _Translation(model).made()


class _Translation:
    """The constraints of CPMpy for a model."""

    def __init__(self, model: Any) -> None:
        self.cp = _imported_cpmpy()
        self.model = model
        self.variables = []
        for number, name in enumerate(model.names):
            integer = model.integers_by_number.get(number)
            if integer is None:
                self.variables.append(self.cp.boolvar(name=name))
            else:
                self.variables.append(self.cp.intvar(integer.low, integer.high, name=name))
        self.constraints: list[Any] = []

    def made(self) -> Any:
        if len(self.model.objectives) > 1:
            raise BadInput("CPMpy has one objective, but the model has several: add them up with weights")
        for constraint in self.model.constraints:
            self.constraints += self.constraint(constraint)
        # CPMpy leaves out variables without a constraint.
        self.constraints += [variable >= variable.lb for variable in self.variables]
        made = self.cp.Model(self.constraints)
        objective = self.model.objective
        if objective is not None:
            total = self.sum(objective.total)
            (made.minimize if objective.sense == "minimise" else made.maximize)(total)
        return made

    # -- expressions ------------------------------------------------------------------------------------

    def sum(self, total: Any) -> Any:
        atoms = [(weight, self.atom(atom)) for weight, atom in total.terms]
        parts = [atom if weight == 1 else weight * atom for weight, atom in atoms]
        if total.constant or not parts:
            parts.append(total.constant)
        return parts[0] if len(parts) == 1 else self.cp.sum(parts)

    def sums(self, members: Iterable[Any]) -> list[Any]:
        return [self.sum(each) for each in members]

    def atom(self, atom: Any) -> Any:
        match atom:
            case Integer():
                return self.variables[atom.number]
            case Absolute():
                return abs(self.sum(atom.inner))
            case Product():
                return self.condition(atom.condition) * self.sum(atom.inner)
            case Extreme():
                return (self.cp.max if atom.greatest else self.cp.min)(self.sums(atom.members))
            case Element():
                index = self.sum(atom.index)
                members = self.sums(atom.members)
                return members[index] if isinstance(index, int) else self.cp.Element(members, index)
            case Operation(name="*"):
                return self.sum(atom.left) * self.sum(atom.right)
            case Operation():
                given, nonzero = atom.divisor()
                left, divisor = self.sum(atom.left), self.sum(given)
                value = left // divisor if atom.name == "div" else left % divisor
                return value if nonzero is None else self.condition(nonzero) * value
        return self.condition(atom)

    def condition(self, given: Any) -> Any:
        match given:
            case Literal():
                variable = self.variables[given.number]
                return variable if given.positive else ~variable
            case Comparison():
                return self.compared(self.sum(given.left), given.sign, self.sum(given.right))
            case Conjunction():
                return self.all([self.condition(each) for each in given.members])
            case Disjunction():
                return self.any([self.condition(each) for each in given.members])
        raise AssertionError(given)

    def compared(self, left: Any, sign: str, right: Any) -> Any:
        found = COMPARE[sign](left, right)
        return self.cp.BoolVal(found) if isinstance(found, bool) else found

    def all(self, members: Sequence[Any]) -> Any:
        return self.cp.all(members) if members else self.cp.BoolVal(True)

    def any(self, members: Sequence[Any]) -> Any:
        return self.cp.any(members) if members else self.cp.BoolVal(False)

    # -- constraints ------------------------------------------------------------------------------------

    def constraint(self, given: Any) -> list[Any]:
        cp = self.cp
        match given:
            case constraints.Clause():
                return [self.any([self.condition(each) for each in given.members])]
            case constraints.Implication():
                premises = self.all([self.condition(each) for each in given.premises])
                return [premises.implies(self.condition(given.conclusion))]
            case constraints.Cardinality() | constraints.Linear():
                total = self.sum(given)
                return [self.compared(total, sign, bound) for sign, bound in given.comparisons()]
            case constraints.Cardinalities():
                return [made for row in given.rows() for made in self.constraint(row)]
            case Formula():
                return [self.condition(given)]
            case constraints.AllDifferent():
                members = self.sums(given.members)
                return [cp.AllDifferent(members)] if len(members) > 1 else []
            case constraints.Table():
                if not given.rows or not given.members:
                    return [] if bool(given.rows) is given.allowed else [cp.BoolVal(False)]
                table = cp.Table if given.allowed else cp.NegativeTable
                return [table(self.sums(given.members), [list(row) for row in given.rows])]
            case constraints.LexLess():
                if not given.first:
                    return [cp.BoolVal(False)] if given.strict else []
                less = cp.LexLess if given.strict else cp.LexLessEq
                return [less(self.sums(given.first), self.sums(given.second))]
            case constraints.Decomposed():
                return [self.all([self.condition(each) for each in given.decomposed()])]
            case constraints.Regular():
                return [self.regular(given)]
            case constraints.Xor():
                return [cp.Xor(list(map(self.condition, given.members)))]
            case constraints.When():
                premise = self.condition(given.condition)
                return [premise.implies(each) for each in self.constraint(given.constraint)]
            case constraints.Circuit():
                return self.circuit(given)
            case constraints.Path() if (cycle := given.closed()) is not None:
                return self.circuit(cycle)
        raise BadInput(f"CPMpy has no {given.kind}: use an engine of ktsolve, or MiniZinc")

    def regular(self, given: constraints.Regular) -> Any:
        """An automaton, which CPMpy takes with transitions, final states and two expressions or more."""
        transitions, accepting = given.numbered()
        if len(given.members) < 2 or not transitions or not accepting:
            values = [
                value for before, value, after in transitions if (before, after in accepting) == (0, True)
            ]
            accepts = [Comparison(each, "==", Sum([], value)) for each in given.members for value in values]
            return (
                self.any(list(map(self.condition, accepts)))
                if given.members
                else self.cp.BoolVal(0 in accepting)
            )
        return self.cp.Regular(self.sums(given.members), transitions, 0, accepting)

    def circuit(self, given: constraints.Circuit) -> list[Any]:
        """A cycle on new integers, the successors of the nodes.

        The bounds of its constraints hold in any case, so that under a condition only the literals are free.
        """
        cp, nodes, directed = self.cp, given.nodes, given.directed
        if nodes < (2 if directed else 3):
            return [cp.BoolVal(False)]
        after = [cp.intvar(0, nodes - 1) for _ in range(nodes)]
        used: dict[tuple[int, int], Any] = {}
        made = []
        for u, v, literal in given.arcs:
            there, back = after[u] == v, after[v] == u
            used[u, v] = there
            if not directed:
                used[v, u] = back
            made.append(self.condition(literal) == (there if directed else there | back))
        self.constraints.append(cp.Circuit(after))
        made += [after[u] != v for u in range(nodes) for v in range(nodes) if u != v and (u, v) not in used]
        if not directed:
            made += [(after[v] == 0).implies(after[0] < v) for v in range(1, nodes)]
        return made


def state_cpmpy(source: Any, model: Any) -> None:
    """Add the variables, the constraints and the objective of a model of CPMpy to a model."""
    from cpmpy.transformations.get_variables import get_variables, get_variables_model

    _imported_cpmpy()
    if not hasattr(source, "constraints") or not hasattr(source, "objective_"):
        raise BadInput(f"from_cpmpy takes a model of CPMpy, not {source!r:.40}")
    reader = CpmpyReader(model)
    given = list(get_variables_model(source))
    if source.objective_ is not None:
        given += [each for each in get_variables(source.objective_) if each not in set(given)]
    shown = [reader.variable(each) for each in given]
    for constraint in source.constraints:
        reader.constraint(constraint)
    if source.objective_ is not None:
        reader.objective(source.objective_, minimise=source.objective_is_min)
    if len(model) > len(shown):
        model.show(shown)


class CpmpyReader:
    """Expressions of CPMpy on their way into a model of ours."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.variables: dict[str, Any] = {}
        self.guards: list[Any] = []
        self.premises: list[Any] = []
        self.arcs = 0

    def objective(self, given: Any, *, minimise: bool) -> None:
        """State an objective in place of the one before."""
        with self.guarded() as guards:
            total = self.sum(given)
        self.model.add(*guards)
        (self.model.minimise if minimise else self.model.maximise)(total)

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
        """Add a constraint, or each of a list."""
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
            with self.under([*self.premises, self.condition(arguments[0])]):
                self.constraint(arguments[1])
        elif name == "circuit":
            self.circuit(list(arguments))
        else:
            made = self.listed(given) or [self.condition(given)]
            with self.conditional():
                self.model.add(*made)

    @contextmanager
    def conditional(self) -> Iterator[None]:
        """State constraints under the premises of implications."""
        with ExitStack() as entered:
            for each in self.premises:
                entered.enter_context(self.model.when(each))
            yield

    def define(self, given: Any) -> None:
        """Add what defines new variables, which holds also where the premises are false."""
        with self.under([]):
            self.constraint(given)

    @contextmanager
    def under(self, premises: list[Any]) -> Iterator[None]:
        """Read constraints under these premises; those before hold again, also after a refusal."""
        before, self.premises = self.premises, premises
        try:
            yield
        finally:
            self.premises = before

    def listed(self, given: Any) -> list[Any] | None:
        """Our constraints for one on lists; None for any other."""
        name, arguments = getattr(given, "name", ""), cast(Any, getattr(given, "args", ()))

        def table(*, allowed: bool) -> constraints.Table:
            rows = [[int(value) for value in row] for row in arguments[1]]
            return constraints.Table(self.sums(arguments[0]), rows, allowed=allowed)

        makers: dict[str, Callable[[], Any]] = {
            "alldifferent": lambda: constraints.AllDifferent(self.sums(arguments)),
            "table": lambda: table(allowed=True),
            "negative_table": lambda: table(allowed=False),
            "inverse": lambda: constraints.Inverse(*map(self.sums, arguments)),
            "lex_less": lambda: constraints.LexLess(*map(self.sums, arguments)),
            "lex_lesseq": lambda: constraints.LexLess(*map(self.sums, arguments), strict=False),
            "increasing": lambda: constraints.Increasing(self.sums(arguments)),
            "strictly_increasing": lambda: constraints.Increasing(self.sums(arguments), strict=True),
            "precedence": lambda: constraints.Precedence(self.sums(arguments[0]), map(int, arguments[1])),
            "gcc": lambda: constraints.GlobalCardinality(
                self.sums(arguments[0]), map(int, arguments[1]), self.sums(arguments[2]), closed=given.closed
            ),
            "no_overlap": lambda: constraints.NoOverlap(*map(self.sums, arguments[:2])),
            "cumulative": lambda: constraints.Cumulative(
                self.sums(arguments[0]),
                self.sums(arguments[1]),
                self.sums(arguments[-2]),
                self.sum(arguments[-1]),
            ),
            "regular": lambda: constraints.Regular(
                self.sums(arguments[0]),
                [(*each, after) for each, after in given.trans_dict.items()],
                *arguments[2:],
            ),
            "xor": lambda: constraints.Xor(map(self.condition, arguments)),
        }
        if name not in makers or not hasattr(given, "decompose"):
            return None
        with self.guarded() as guards:
            made = makers[name]()
            ends = arguments[2] if (name, len(arguments)) in (("no_overlap", 3), ("cumulative", 5)) else ()
            ended = map(Comparison, getattr(made, "ends", ()), repeat("=="), self.sums(ends))
            return [*ended, *guards, made]

    def circuit(self, successors: list[Any]) -> None:
        """Add a circuit: a Boolean for each arc, so that subtours are cut lazily."""
        self.arcs += 1
        with self.guarded() as guards:
            after = self.sums(successors)
        arcs = successor_arcs(self.model, f"circuit {self.arcs}", after)
        with self.conditional():
            self.model.add(*guards)
            self.model.circuit(len(after), arcs, directed=True)

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
        if name in COMPARE:
            with self.guarded() as guards:
                compared = Comparison(self.sum(arguments[0]), name, self.sum(arguments[1]))
            return Conjunction([*guards, compared]) if guards else compared
        if name != "regular" and (made := self.listed(given)) is not None:
            return Conjunction(map(constraints.truth, made))
        if hasattr(given, "decompose"):
            parts, defining = given.decompose()
            self.define(defining)
            return Conjunction([self.condition(each) for each in _flat(parts)])
        raise BadInput(f"ktsolve has nothing for {given!s:.60} of CPMpy")

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
            return _summed([self.variable(given)])
        if given.is_bool():
            return _summed([self.condition(given)])
        name, arguments = given.name, given.args
        match name:
            case "sum":
                return _summed(self.sums(arguments))
            case "wsum":
                weights, members = arguments
                scaled = zip(map(int, weights), self.sums(members), strict=True)
                return _summed(each.times(weight) for weight, each in scaled)
            case "sub":
                first, second = self.sums(arguments)
                return first.plus(second.times(-1))
            case "-":
                return self.sum(arguments[0]).times(-1)
            case "mul":
                first, second = self.sums(arguments)
                return _summed([first * second])
            case "abs":
                return abs(self.sum(arguments[0]))
            case "min" | "max":
                return Extreme(name, tuple(self.sums(arguments))).sum()
            case "element":
                return self.defined(guarded_element(self.sums(arguments[0]), self.sum(arguments[1])))
            case "nd_element":
                array, *indices = arguments
                place = Sum([], 0)
                for index, size in zip(self.sums(indices), array.shape, strict=True):
                    self.within(index, size)
                    place = place.times(size).plus(index)
                return self.defined(guarded_element(self.sums(array.flat), place))
            case "count":
                wanted = self.sum(arguments[1])
                return _summed(Comparison(each, "==", wanted) for each in self.sums(arguments[0]))
            case "div" | "mod":
                return self.defined(division(name, *self.sums(arguments)))
            case "pow":
                return self.defined(guarded_power(*self.sums(arguments)))
        if hasattr(given, "decompose"):
            value, defining = given.decompose()
            self.define(defining)
            return self.sum(value)
        raise BadInput(f"ktsolve has nothing for {given!s:.60} of CPMpy")

    def within(self, index: Sum, size: int) -> None:
        """Guard an index that may be out of its list."""
        low, high = index.merged().bounds
        if low < 0 or high >= size:
            self.guards += [Comparison(index, ">=", Sum([], 0)), Comparison(index, "<", Sum([], size))]

    def defined(self, given: tuple[Sum, list[Any]]) -> Sum:
        """A value, whose conditions are kept as guards."""
        value, guards = given
        self.guards += guards
        return value


def _summed(members: Iterable[Any]) -> Sum:
    total: Sum = sum(members, Sum([]))
    return total


def _constant(given: Any) -> int | None:
    """The value of a number, also of numpy or of a Boolean constant; None for an expression."""
    if type(given).__name__ == "BoolVal":
        return int(bool(given.args[0]))
    if hasattr(given, "args") or hasattr(given, "is_bool"):
        return None
    return int(given)


def _is_list(given: Any) -> bool:
    return isinstance(given, list | tuple) or (hasattr(given, "shape") and hasattr(given, "ravel"))


def _flat(given: Any) -> Iterator[Any]:
    if _is_list(given):
        for each in given:
            yield from _flat(each)
    else:
        yield given
