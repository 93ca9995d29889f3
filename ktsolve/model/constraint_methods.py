"""The methods of models that add constraints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ktsolve.model import statements
from ktsolve.model.constraints import (
    AllDifferent,
    Arc,
    Circuit,
    Clause,
    Connected,
    Constraint,
    Cumulative,
    Edge,
    GlobalCardinality,
    Increasing,
    Inverse,
    LexLess,
    Mark,
    NoOverlap,
    Path,
    Precedence,
    Regular,
    Subpath,
    Tree,
    Xor,
    subcircuit,
)
from ktsolve.model.constraints.basic import Rows
from ktsolve.model.expressions import Disjunction
from ktsolve.model.variables import Literal

__all__ = ["ConstraintMethods"]


class ConstraintMethods:
    """Methods of :class:`~ktsolve.model.model.Model`: one for each kind of constraint."""

    def boolean(self, name: str) -> Literal:
        """Add a Boolean and return its literal."""
        raise NotImplementedError

    def _state(self, constraint: Constraint) -> None:
        """Add a constraint."""
        raise NotImplementedError

    # -- Booleans ---------------------------------------------------------------------------------------

    def clause(self, *literals: Any) -> None:
        """Add that at least one of the literals or conditions is true.

        Parameters
        ----------
        *literals:
            Literals or conditions.

        Examples
        --------
        >>> from ktsolve import Model
        >>> model = Model()
        >>> a, b = model.booleans("ab")
        >>> model.clause(a, ~b)
        >>> model.holds([0, 0]), model.holds([0, 1])
        (True, False)
        """
        members, plain = statements.conditions_of(literals, "clause", "*literals")
        self._state(Clause(members) if plain else Disjunction(members))

    def fix(self, literal: Any) -> None:
        """Add that the literal is true.

        Parameters
        ----------
        literal:
            A literal or condition.
        """
        self.clause(literal)

    def implies(self, premises: Any, conclusion: Any) -> None:
        """Add that the conclusion is true if all premises are true: literals, or conditions.

        Parameters
        ----------
        premises, conclusion:
            A literal or condition each, or a list of premises.
        """
        self._state(statements.implication(premises, conclusion))

    def equal(self, first: Any, second: Any) -> None:
        """Add that both literals or conditions have the same value.

        Parameters
        ----------
        first, second:
            Two literals or conditions.
        """
        self.implies(first, second)
        self.implies(second, first)

    def exactly(self, number: int, literals: Iterable[Any]) -> None:
        """Add that exactly ``number`` of the literals or conditions are true.

        Parameters
        ----------
        number, literals:
            The number, and literals or conditions.
        """
        self._count(literals, number, number)

    def at_least(self, number: int, literals: Iterable[Any]) -> None:
        """Add that at least ``number`` of the literals or conditions are true.

        Parameters
        ----------
        number, literals:
            The least number, and literals or conditions.
        """
        self._count(literals, number, None)

    def at_most(self, number: int, literals: Iterable[Any]) -> None:
        """Add that at most ``number`` of the literals or conditions are true.

        Parameters
        ----------
        number, literals:
            The greatest number, and literals or conditions.
        """
        self._count(literals, None, number)

    def exactly_one(self, literals: Iterable[Any]) -> None:
        """Add that exactly one of the literals or conditions is true.

        Parameters
        ----------
        literals:
            Literals or conditions.
        """
        self._count(literals, 1, 1)

    def at_most_one(self, literals: Iterable[Any]) -> None:
        """Add that at most one of the literals or conditions is true.

        Parameters
        ----------
        literals:
            Literals or conditions.
        """
        self._count(literals, None, 1)

    def _count(self, literals: Iterable[Any], least: int | None, most: int | None) -> None:
        for constraint in statements.cardinality(literals, least, most):
            self._state(constraint)

    def add_clauses(self, rows: Rows) -> None:
        """Add many clauses, given as arrays of numbers: Boolean i is i + 1, its negation -(i + 1).

        Parameters
        ----------
        rows:
            A matrix in which 0 is not a literal, one array in which 0 ends each clause, a pair of arrays
            ``(numbers, offsets)``, or lists; see :func:`~ktsolve.model.constraints.basic.as_rows`.

        Examples
        --------
        >>> from ktsolve import Model
        >>> import numpy as np
        >>> model = Model()
        >>> x = model.add_booleans(4)
        >>> model.add_clauses(np.column_stack([-x[:-1], x[1:]]))
        >>> print(model)
        model model: 4 Booleans, 1 constraint
          3 clauses: not x1 or x2; not x2 or x3; not x3 or x4
        """
        self.add_cardinalities(rows, least=1)

    def add_cardinalities(self, rows: Rows, *, least: int | None = None, most: int | None = None) -> None:
        """Add that in each row the number of true literals lies between ``least`` and ``most``.

        Parameters
        ----------
        rows:
            As for :meth:`add_clauses`.
        least, most:
            The bounds; None for no bound.

        Examples
        --------
        >>> from ktsolve import Model
        >>> model = Model()
        >>> square = model.add_booleans(9).reshape(3, 3)
        >>> model.add_cardinalities(square, least=1, most=1)
        >>> model.add_cardinalities(square.T, least=1, most=1)
        >>> model.constraints[1].text(model.name_of)
        '3 rows: exactly 1 of {x1, x4, x7}; exactly 1 of {x2, x5, x8}; exactly 1 of {x3, x6, x9}'
        """
        self._state(statements.cardinalities(rows, least, most))

    # -- graphs, with nodes 0 .. nodes - 1 and arcs (u, v, literal) --------------------------------------

    def circuit(
        self, nodes: int, arcs: Iterable[Arc], *, directed: bool = False, labels: Sequence[str] = ()
    ) -> None:
        """Add that the true arcs form one cycle through all nodes; see :class:`Circuit`.

        Parameters
        ----------
        nodes, arcs:
            Number of nodes, and triples ``(from, to, literal)``.
        directed:
            Whether the arcs have a direction.
        labels:
            Names of the nodes in texts.
        """
        self._state(Circuit(nodes, statements.kept(arcs), directed, statements.kept(labels)))

    def subcircuit(
        self,
        nodes: int,
        arcs: Iterable[Arc],
        present: Sequence[Mark] | None = None,
        *,
        directed: bool = False,
        empty: bool = False,
        labels: Sequence[str] = (),
    ) -> None:
        """Add that the true arcs form one cycle through some of the nodes; see :class:`Subcircuit`.

        The nodes that are not visited can be given in two ways: by ``present``, or by loops ``(v, v, x)``
        among the arcs, where x is true exactly if node v is not visited. Nodes without a loop are then
        visited.

        Parameters
        ----------
        nodes, arcs, directed, labels:
            As for :meth:`circuit`.
        present:
            For each node a literal that is true if the cycle visits it.
        empty:
            Whether the cycle may be empty.
        """
        self._state(subcircuit(nodes, arcs, present, directed=directed, empty=empty, labels=labels))

    def path(
        self,
        nodes: int,
        arcs: Iterable[Arc],
        ends: Sequence[Mark] | None = None,
        *,
        start: int | Sequence[Mark] | None = None,
        end: int | Sequence[Mark] | None = None,
        directed: bool = False,
        labels: Sequence[str] = (),
    ) -> None:
        """Add that the true arcs form one path through all nodes; see :class:`Path`.

        The ends are given by ``ends``, literals of an undirected path; or by ``start`` and ``end``, which are
        nodes, or literals for each node of a directed path. For an end that is not given the model gets new
        Booleans ``end[label]``, or ``start[label]``.

        Parameters
        ----------
        nodes, arcs, directed, labels:
            As for :meth:`circuit`.
        ends:
            For each node a literal that is true at an end of an undirected path.
        start, end:
            A node, or for each node a literal, of a directed path.
        """
        starts, marked = statements.path_marks(nodes, labels, (ends, start, end), directed, self.boolean)
        self._state(Path(nodes, statements.kept(arcs), marked, statements.kept(labels), starts))

    def subpath(
        self,
        nodes: int,
        arcs: Iterable[Arc],
        ends: Sequence[Mark] | None = None,
        *,
        start: int | Sequence[Mark] | None = None,
        end: int | Sequence[Mark] | None = None,
        present: Sequence[Mark] | None = None,
        directed: bool = False,
        labels: Sequence[str] = (),
    ) -> None:
        """Add that the true arcs form one path through some of the nodes; see :class:`Subpath`.

        Parameters
        ----------
        nodes, arcs, ends, start, end, directed, labels:
            As for :meth:`path`.
        present:
            As for :meth:`subcircuit`.
        """
        starts, marked = statements.path_marks(nodes, labels, (ends, start, end), directed, self.boolean)
        visited = None if present is None else tuple(present)
        self._state(Subpath(nodes, tuple(arcs), marked, visited, starts, tuple(labels)))

    def connected(
        self,
        nodes: int,
        edges: Iterable[tuple[int, int] | Edge],
        present: Sequence[Mark] | None = None,
        *,
        labels: Sequence[str] = (),
    ) -> None:
        """Add that the present nodes are connected by edges between them; see :class:`Connected`.

        An edge ``(u, v)`` can always be used, and ``(u, v, x)`` if the literal x is true.

        Parameters
        ----------
        nodes, labels:
            As for :meth:`circuit`.
        edges:
            Pairs of nodes, or triples of two nodes and a literal.
        present:
            For each node a literal that is true if the node is present; all are if None.
        """
        chosen = None if present is None else tuple(present)
        self._state(Connected(nodes, statements.edges_of(edges), chosen, tuple(labels)))

    def tree(
        self,
        nodes: int,
        edges: Iterable[tuple[int, int] | Edge],
        present: Sequence[Mark] | None = None,
        *,
        labels: Sequence[str] = (),
    ) -> None:
        """Add that the true edges form a tree of the present nodes, by default all; see :class:`Tree`.

        Parameters
        ----------
        nodes, edges, present, labels:
            As for :meth:`connected`.
        """
        chosen = None if present is None else tuple(present)
        self._state(Tree(nodes, statements.edges_of(edges), chosen, tuple(labels)))

    # -- integers ---------------------------------------------------------------------------------------

    def linear(self, terms: Mapping[Any, int], *, least: int | None = None, most: int | None = None) -> None:
        """Add that the sum of the weights of true literals lies between ``least`` and ``most``.

        Parameters
        ----------
        terms:
            The weight of each literal.
        least, most:
            The bounds; None for no bound.

        Examples
        --------
        >>> from ktsolve import Model
        >>> model = Model()
        >>> a, b = model.booleans("ab")
        >>> model.linear({a: 3, b: 2}, most=4)
        >>> model.holds([0, 1]), model.holds([1, 1])
        (True, False)
        """
        self._state(statements.linear(terms, least, most))

    def all_different(self, expressions: Iterable[Any]) -> None:
        """Add that no two of the expressions have the same value; see :class:`AllDifferent`.

        Parameters
        ----------
        expressions:
            Integers or sums.

        Examples
        --------
        >>> from ktsolve import Model
        >>> model = Model()
        >>> model.all_different(model.integers(3, 1, 3))
        >>> model.holds([1, 2, 3]), model.holds([1, 2, 1])
        (True, False)
        """
        self._state(AllDifferent(expressions))

    def table(
        self,
        expressions: Iterable[Any],
        allowed: Iterable[Iterable[int]] | None = None,
        *,
        forbidden: Iterable[Iterable[int]] | None = None,
    ) -> None:
        """Add that the values of the expressions are an allowed row, or no forbidden one; see :class:`Table`.

        Parameters
        ----------
        expressions:
            Integers or sums.
        allowed, forbidden:
            The allowed rows of values, or the forbidden ones.

        Examples
        --------
        >>> from ktsolve import Model
        >>> model = Model()
        >>> x, y = model.integers(2, 0, 9)
        >>> model.table([x, y], [(1, 2), (2, 4)])
        >>> model.table([x, y], forbidden=[(1, 2)])
        >>> model.holds([2, 4]), model.holds([1, 2])
        (True, False)
        """
        self._state(statements.table(expressions, allowed, forbidden))

    def inverse(self, forward: Iterable[Any], backward: Iterable[Any]) -> None:
        """Add that two lists of integers are inverse permutations of 0 to n - 1; see :class:`Inverse`.

        Parameters
        ----------
        forward, backward:
            Lists of n integers.
        """
        self._state(Inverse(forward, backward))

    def lex_less(self, first: Iterable[Any], second: Iterable[Any], *, strict: bool = True) -> None:
        """Add that the first list comes before the second in lexicographic order; see :class:`LexLess`.

        With ``strict=False`` the lists may be equal.

        Parameters
        ----------
        first, second, strict:
            Two lists of expressions, and whether they must differ.
        """
        self._state(LexLess(first, second, strict=strict))

    def increasing(self, expressions: Iterable[Any], *, strict: bool = False) -> None:
        """Add that each expression is at most the next one, or with ``strict`` less; see :class:`Increasing`.

        Parameters
        ----------
        expressions, strict:
            Integers or sums, and whether neighbours differ.
        """
        self._state(Increasing(expressions, strict=strict))

    def precedence(self, expressions: Iterable[Any], values: Iterable[int]) -> None:
        """Add that each value occurs only after the value before it; see :class:`Precedence`.

        It leaves one of many solutions that differ by an exchange of these values.

        Parameters
        ----------
        expressions, values:
            Integers or sums, and the values in their order.
        """
        self._state(Precedence(expressions, values))

    def global_cardinality(
        self, expressions: Iterable[Any], counts: Mapping[int, Any], *, closed: bool = False
    ) -> None:
        """Add how often values occur among the expressions; see :class:`GlobalCardinality`.

        Parameters
        ----------
        expressions, counts:
            Integers or sums, and for each value how often it occurs, a number or an expression.
        closed:
            Whether no other values occur.

        Examples
        --------
        >>> from ktsolve import Model
        >>> model = Model()
        >>> x, n = model.integers(3, 1, 3), model.integer("n", 0, 3)
        >>> model.global_cardinality(x, {1: n, 2: 1})
        >>> model.holds([2, 1, 1, 2]), model.holds([2, 1, 2, 1])
        (True, False)
        """
        self._state(GlobalCardinality(expressions, counts, counts.values(), closed=closed))

    def no_overlap(self, starts: Iterable[Any], durations: Iterable[Any]) -> None:
        """Add that tasks do not overlap; one without a duration takes no time. See :class:`NoOverlap`.

        Parameters
        ----------
        starts, durations:
            The start and the duration of each task, which is not negative.

        Examples
        --------
        >>> from ktsolve import Model
        >>> model = Model()
        >>> x = model.integers(2, 0, 4)
        >>> model.no_overlap(x, [3, 2])
        >>> model.holds([0, 3]), model.holds([0, 2])
        (True, False)
        """
        self._state(NoOverlap(starts, durations))

    def cumulative(
        self, starts: Iterable[Any], durations: Iterable[Any], demands: Iterable[Any], capacity: Any
    ) -> None:
        """Add a capacity for the demands of the tasks that run at a time; see :class:`Cumulative`.

        Parameters
        ----------
        starts, durations, demands:
            The start, the duration and the demand of each task; the last two are not negative.
        capacity:
            A number or an expression.
        """
        self._state(Cumulative(starts, durations, demands, capacity))

    def regular(
        self,
        expressions: Iterable[Any],
        transitions: Iterable[Sequence[Any]],
        start: Any,
        accepting: Iterable[Any],
    ) -> None:
        """Add that an automaton accepts the values of the expressions in their order; see :class:`Regular`.

        Parameters
        ----------
        expressions:
            Integers or sums.
        transitions:
            Triples of a state, a value and the next state. A state accepts no value without a transition.
        start, accepting:
            The first state, and the states that are accepted at the end.

        Examples
        --------
        No two neighbours are 1.

        >>> from ktsolve import Model
        >>> model = Model()
        >>> x = model.integers(3, 0, 1)
        >>> model.regular(x, [("any", 0, "any"), ("any", 1, "one"), ("one", 0, "any")], "any", ["any", "one"])
        >>> model.holds([1, 0, 1]), model.holds([0, 1, 1])
        (True, False)
        """
        self._state(Regular(expressions, transitions, start, accepting))

    def xor(self, conditions: Iterable[Any]) -> None:
        """Add that an odd number of the literals or conditions is true; see :class:`Xor`.

        Parameters
        ----------
        conditions:
            Literals or conditions.
        """
        self._state(Xor(conditions))
