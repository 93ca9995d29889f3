"""Models as models of CPMpy, whose solvers can then be used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints import (
    AllDifferent,
    Arc,
    Cardinalities,
    Cardinality,
    Circuit,
    Clause,
    Implication,
    Inverse,
    LexLess,
    Linear,
    Literal,
    Path,
    Table,
    When,
)
from ktsolve.model.expressions import Absolute, Comparison, Conjunction, Disjunction, Formula, Product
from ktsolve.model.functions import Element, Extreme
from ktsolve.model.variables import Integer

__all__ = ["cpmpy_model", "imported_cpmpy"]


def imported_cpmpy() -> Any:
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
        self.cp = imported_cpmpy()
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
        """Return the model of CPMpy."""
        if len(self.model.objectives) > 1:
            raise BadInput("CPMpy has one objective, but the model has several: add them up with weights")
        for constraint in self.model.constraints:
            self.constraints += self.constraint(constraint)
        # CPMpy leaves out variables without a constraint.
        self.constraints += [variable >= variable.lb for variable in self.variables]
        made = self.cp.Model(self.constraints)
        objective = self.model.objective
        if objective is not None:
            total = self.sum(objective.total.terms, objective.total.constant)
            (made.minimize if objective.sense == "minimise" else made.maximize)(total)
        return made

    # -- expressions ------------------------------------------------------------------------------------

    def sum(self, terms: Iterable[tuple[int, Any]], constant: int = 0) -> Any:
        """A weighted sum."""
        parts = [atom if weight == 1 else weight * atom for weight, atom in self._atoms(terms)]
        if constant or not parts:
            parts.append(constant)
        return parts[0] if len(parts) == 1 else self.cp.sum(parts)

    def _atoms(self, terms: Iterable[tuple[int, Any]]) -> list[tuple[int, Any]]:
        return [(weight, self.atom(atom)) for weight, atom in terms]

    def sums(self, members: Iterable[Any]) -> list[Any]:
        """A list of sums."""
        return [self.sum(each.terms, each.constant) for each in members]

    def atom(self, atom: Any) -> Any:
        """The value of an atom."""
        match atom:
            case Integer():
                return self.variables[atom.number]
            case Absolute():
                return abs(self.sum(atom.inner.terms, atom.inner.constant))
            case Product():
                return self.condition(atom.condition) * self.sum(atom.inner.terms, atom.inner.constant)
            case Extreme():
                return (self.cp.max if atom.greatest else self.cp.min)(self.sums(atom.members))
            case Element():
                index = self.sum(atom.index.terms, atom.index.constant)
                members = self.sums(atom.members)
                return members[index] if isinstance(index, int) else self.cp.Element(members, index)
        return self.condition(atom)

    def condition(self, given: Any) -> Any:
        """A Boolean expression."""
        match given:
            case Literal():
                variable = self.variables[given.number]
                return variable if given.positive else ~variable
            case Comparison():
                return self.compared(self.sums([given.left])[0], given.sign, self.sums([given.right])[0])
            case Conjunction():
                return self.all([self.condition(each) for each in given.members])
            case Disjunction():
                return self.any([self.condition(each) for each in given.members])
        raise AssertionError(given)

    def compared(self, left: Any, sign: str, right: Any) -> Any:
        """A comparison, also of two numbers."""
        match sign:
            case "==":
                found = left == right
            case "!=":
                found = left != right
            case "<":
                found = left < right
            case "<=":
                found = left <= right
            case ">":
                found = left > right
            case _:
                found = left >= right
        return self.cp.BoolVal(found) if isinstance(found, bool) else found

    def all(self, members: Sequence[Any]) -> Any:
        """A conjunction."""
        return self.cp.all(members) if members else self.cp.BoolVal(True)

    def any(self, members: Sequence[Any]) -> Any:
        """A disjunction."""
        return self.cp.any(members) if members else self.cp.BoolVal(False)

    # -- constraints ------------------------------------------------------------------------------------

    def constraint(self, given: Any) -> list[Any]:
        """The constraints that state one of ours."""
        cp = self.cp
        match given:
            case Clause():
                return [self.any([self.condition(each) for each in given.members])]
            case Implication():
                premises = self.all([self.condition(each) for each in given.premises])
                return [premises.implies(self.condition(given.conclusion))]
            case Cardinality():
                return self.between([(1, each) for each in given.members], given.least, given.most)
            case Linear():
                return self.between(given.terms, given.least, given.most)
            case Cardinalities():
                return [made for row in given.rows() for made in self.constraint(row)]
            case Formula():
                return [self.condition(given)]
            case AllDifferent():
                members = self.sums(given.members)
                return [cp.AllDifferent(members)] if len(members) > 1 else []
            case Table():
                if not given.rows or not given.members:
                    return [] if bool(given.rows) is given.allowed else [cp.BoolVal(False)]
                table = cp.Table if given.allowed else cp.NegativeTable
                return [table(self.sums(given.members), [list(row) for row in given.rows])]
            case Inverse():
                if not given.forward:
                    return []
                return [self.all([self.condition(each) for each in given.decomposed()])]
            case LexLess():
                if not given.first:
                    return [cp.BoolVal(False)] if given.strict else []
                less = cp.LexLess if given.strict else cp.LexLessEq
                return [less(self.sums(given.first), self.sums(given.second))]
            case When():
                premise = self.condition(given.condition)
                return [premise.implies(each) for each in self.constraint(given.constraint)]
            case Circuit():
                return self.circuit(given.nodes, given.arcs, given.directed)
            case Path(directed=False) if given.nodes > 1 and not any(isinstance(e, bool) for e in given.ends):
                back = [(v, given.nodes, end) for v, end in enumerate(given.ends) if isinstance(end, Literal)]
                return self.circuit(given.nodes + 1, [*given.arcs, *back], directed=False)
        raise BadInput(f"CPMpy has no {given.kind}: use an engine of ktsolve, or MiniZinc")

    def between(self, terms: Iterable[tuple[int, Any]], least: int | None, most: int | None) -> list[Any]:
        """Bounds on a sum."""
        total = self.sum(terms)
        if least is not None and least == most:
            return [self.compared(total, "==", least)]
        low = [] if least is None else [self.compared(total, ">=", least)]
        return low + ([] if most is None else [self.compared(total, "<=", most)])

    def circuit(self, nodes: int, arcs: Sequence[Arc], directed: bool) -> list[Any]:
        """A cycle on new integers, the successors of the nodes.

        The bounds of its constraints hold in any case, so that under a condition only the literals are free.
        """
        cp = self.cp
        if nodes < (2 if directed else 3):
            return [cp.BoolVal(False)]
        after = [cp.intvar(0, nodes - 1) for _ in range(nodes)]
        used: dict[tuple[int, int], Any] = {}
        made = []
        for u, v, literal in arcs:
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
