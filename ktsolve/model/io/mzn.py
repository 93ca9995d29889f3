"""Models in MiniZinc, with its global constraints; what MiniZinc has no constraint for is written as clauses.

A circuit becomes ``circuit`` on the successor of each node. An undirected cycle has two directions: the first
node's successor is before its predecessor, so that every solution of the model is one solution here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, count, pairwise
from typing import Any

from ktsolve.model import constraints
from ktsolve.model.encode import Encoder
from ktsolve.model.expressions import (
    Absolute,
    Comparison,
    Conjunction,
    Disjunction,
    Formula,
    Operation,
    Product,
    weighted_text,
)
from ktsolve.model.functions import Element, Extreme
from ktsolve.model.io.comments import on_one_line, only_objective
from ktsolve.model.model import Model
from ktsolve.model.variables import Integer, Literal

__all__ = ["identifiers", "to_minizinc"]

_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """
        abs all_different ann annotation any array array1d array2d assert bool bool2int card case
        circuit clause constraint count default diff div else elseif endif enum exists export false fix
        float forall function if iffall in include index_set infinity int intersect inverse let lex_less
        lex_lesseq list max maximize min minimize mod model not op opt output par predicate product
        record satisfy set show solve string subcircuit subset sum superset symdiff table test then true
        tuple type union var where xor xorall
        """,
    )
)
"""Words that are not identifiers of variables."""


def identifiers(names: Sequence[str]) -> list[str]:
    """Return a MiniZinc identifier for each name.

    >>> identifiers(["x", "x[0,1]", "x 0 1", "1", "var"])
    ['x', 'x_0_1', 'x_0_1_2', 'v_1', 'v_var']
    """
    found: dict[str, None] = {}
    for name in names:
        word = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_") or "v"
        if not word[0].isalpha() or word in _KEYWORDS:
            word = f"v_{word}"
        numbered = (f"{word}_{number}" for number in count(2))
        found[next(each for each in chain([word], numbered) if each not in found)] = None
    return list(found)


def to_minizinc(model: Model) -> str:
    """Return a model in MiniZinc; comments name the variables whose names are not identifiers.

    >>> model = Model("pair")
    >>> x, b = model.integers(2, 1, 9), model.boolean("b")
    >>> model.all_different(x)
    >>> model.when(b, x[0] + 2 * x[1] <= 7)
    >>> model.maximise(x[0] + b)
    >>> print(to_minizinc(model), end="")
    % pair
    include "all_different.mzn";
    var 1..9: x_0; % x[0]
    var 1..9: x_1; % x[1]
    var bool: b;
    constraint all_different([x_0, x_1]);
    constraint b -> (x_0 + 2*x_1 <= 7);
    solve maximize x_0 + bool2int(b);
    """
    return _Writer(model).text()


class _Writer:
    """The lines of a model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.names = identifiers(model.names)
        self.lines: list[str] = []
        self.included: set[str] = set()
        self.helpers = count(1)
        self._used = set(self.names)

    def text(self) -> str:
        model = self.model
        head = []
        for number, name in enumerate(model.names):
            integer = model.integers_by_number.get(number)
            domain = "bool" if integer is None else f"{integer.low}..{integer.high}"
            comment = f" % {on_one_line(name)}" if name != self.names[number] else ""
            head.append(f"var {domain}: {self.names[number]};{comment}")
        for constraint in model.constraints:
            self.constraint(constraint)
        goal = "satisfy"
        objective = only_objective(model, "MiniZinc")
        if objective is not None:
            goal = f"{objective.sense[:-3]}ize {self.sum(objective.total)}"
        # Not globals.mzn, whose parts do not fit together in all installations.
        included = [f'include "{name}.mzn";' for name in sorted(self.included)]
        title = f"% {on_one_line(model.name)}"
        return "\n".join([title, *included, *head, *self.lines, f"solve {goal};"]) + "\n"

    def globally(self, name: str, *arguments: str) -> str:
        """A global constraint, whose file is included."""
        self.included.add(name)
        return f"{name}({', '.join(arguments)})"

    def fresh(self, prefix: str) -> str:
        return next(name for i in self.helpers if (name := f"{prefix}_{i}") not in self._used)

    def state(self, text: str, given: str) -> None:
        """Write a constraint that holds where the condition ``given`` is true; always if it is empty."""
        self.lines.append(f"constraint {f'{given} -> ({text})' if given else text};")

    # -- expressions ------------------------------------------------------------------------------------

    def name(self, variable: Any) -> str:
        """The identifier of a variable; ``not`` precedes that of a negated Boolean."""
        name = self.names[variable.number]
        return f"not {name}" if isinstance(variable, Literal) and not variable.positive else name

    def sum(self, total: Any) -> str:
        return weighted_text(((weight, self.whole(atom)) for weight, atom in total.terms), total.constant)

    def sums(self, members: Iterable[Any]) -> str:
        return f"[{', '.join(map(self.sum, members))}]"

    def whole(self, atom: Any) -> str:
        """The value of an atom as a whole number."""
        match atom:
            case Integer():
                return self.name(atom)
            case Literal():
                return f"bool2int({self.name(atom)})"
            case Absolute():
                return f"abs({self.sum(atom.inner)})"
            case Product():
                return f"bool2int({self.condition(atom.condition)})*({self.sum(atom.inner)})"
            case Extreme():
                return f"{'max' if atom.greatest else 'min'}({self.sums(atom.members)})"
            case Element():
                return f"{self.sums(atom.members)}[{self.sum(atom.index + 1)}]"
            case Operation(name="*"):
                return f"({self.sum(atom.left)})*({self.sum(atom.right)})"
            case Operation():
                divisor, nonzero = atom.divisor()
                text = f"(({self.sum(atom.left)}) {atom.name} ({self.sum(divisor)}))"
                return text if nonzero is None else f"bool2int({self.condition(nonzero)})*{text}"
        return f"bool2int({self.condition(atom)})"

    def condition(self, given: Any) -> str:
        """A Boolean expression, in brackets where it needs them."""
        match given:
            case Literal():
                return self.name(given) if given.positive else f"({self.name(given)})"
            case Comparison():
                sign = "=" if given.sign == "==" else given.sign
                return f"({self.sum(given.left)} {sign} {self.sum(given.right)})"
            case Conjunction():
                joined = " /\\ ".join(map(self.condition, given.members))
                return f"({joined or 'true'})"
            case Disjunction():
                joined = " \\/ ".join(map(self.condition, given.members))
                return f"({joined or 'false'})"
        raise AssertionError(given)

    # -- constraints ------------------------------------------------------------------------------------

    def constraint(self, given: Any, when: str = "") -> None:
        """Write a constraint, that holds where ``when`` is true."""
        if when and isinstance(given, constraints.Inverse):  # Gecode in Debian has none under a condition
            texts: list[str] | None = list(map(self.condition, given.decomposed()))
        else:
            texts = self.plain(given)
        if texts is not None:
            for text in texts:
                self.state(text, when)
            return
        match given:
            case constraints.When():
                condition = self.condition(given.condition)
                self.constraint(given.constraint, f"({when} /\\ {condition})" if when else condition)
            case constraints.Circuit() | constraints.Subcircuit():
                self.loop(given, when)
            case constraints.Path() if (cycle := given.closed()) is not None:
                self.loop(cycle, when)
            case _:
                self.clauses(given, when)

    def plain(self, given: Any) -> list[str] | None:
        """The constraint as Boolean expressions without variables of their own; None if it needs them."""
        match given:
            case constraints.Clause():
                return [" \\/ ".join(map(self.name, given.members)) or "false"]
            case constraints.Implication():
                premises = " /\\ ".join(map(self.name, given.premises)) or "true"
                return [f"({premises}) -> ({self.name(given.conclusion)})"]
            case constraints.Cardinality() | constraints.Linear():
                total = self.sum(given)
                return [f"{total} {sign.replace('==', '=')} {bound}" for sign, bound in given.comparisons()]
            case constraints.Cardinalities():
                return [text for row in given.rows() for text in self.plain(row) or ()]
            case Formula():
                text = self.condition(given)
                return [text[1:-1] if isinstance(given, Comparison) else text]
            case constraints.AllDifferent():
                return [self.globally("all_different", self.sums(given.members))]
            case constraints.Table():
                return self.table(given)
            case constraints.Inverse():
                if not given.forward:
                    return []
                return [self.globally("inverse", *map(self.from_zero, (given.forward, given.backward)))]
            case constraints.LexLess():
                if not given.first:
                    return ["false"] if given.strict else []
                name = "lex_less" if given.strict else "lex_lesseq"
                return [self.globally(name, self.sums(given.first), self.sums(given.second))]
            case constraints.Decomposed():
                return list(map(self.condition, given.decomposed()))
            case constraints.Xor():
                return [f"xorall([{', '.join(map(self.condition, given.members))}])"]
        return None

    def from_zero(self, members: Sequence[Any]) -> str:
        """An array of sums whose indices begin at 0."""
        return f"array1d(0..{len(members) - 1}, {self.sums(members)})"

    def table(self, given: constraints.Table) -> list[str]:
        if not given.allowed:
            members = list(map(self.sum, given.members))
            return [
                " \\/ ".join(f"{member} != {value}" for member, value in zip(members, row, strict=True))
                or "false"
                for row in given.rows
            ]
        if not given.rows or not given.members:
            return [] if given.rows else ["false"]
        rows = " | ".join(", ".join(map(str, row)) for row in given.rows)
        return [self.globally("table", self.sums(given.members), f"[| {rows} |]")]

    def loop(self, given: constraints.Circuit | constraints.Subcircuit, when: str) -> None:
        """Write a cycle through all nodes, or through some of them, on the successors of the nodes.

        Where the condition ``when`` is false, the successors are those of one fixed cycle.
        """
        nodes, arcs, directed = given.nodes, given.arcs, given.directed
        some = given if isinstance(given, constraints.Subcircuit) else None
        if some is None and nodes < (2 if directed else 3):
            self.state("false", when)
            return
        after = self.fresh("successor")
        self.lines.append(f"array[1..{nodes}] of var 1..{nodes}: {after};")
        out: list[set[int]] = [set() if some is None else {v} for v in range(nodes)]
        edges = [(u, v) for u, v, _ in arcs]
        for u, v in edges if directed else [*edges, *((v, u) for u, v in edges)]:
            out[u].add(v)
        for v, reached in enumerate(out):
            values = ", ".join(str(w + 1) for w in sorted(reached))
            self.state(f"{after}[{v + 1}] in {{{values}}}" if values else "false", when)
        kind = "circuit" if some is None else "subcircuit"
        self.lines.append(f"constraint {self.globally(kind, after)};")
        if when:
            turned = range(1, nodes + 1) if some is not None else [*range(2, nodes + 1), 1]
            fixed = " /\\ ".join(f"{after}[{v}] = {w}" for v, w in enumerate(turned, 1))
            self.lines.append(f"constraint {when} \\/ ({fixed});")
        for u, v, literal in arcs:
            there, back = f"{after}[{u + 1}] = {v + 1}", f"{after}[{v + 1}] = {u + 1}"
            used = there if directed else f"({there} \\/ {back})"
            self.state(f"{self.condition(literal)} <-> {used}", when)
            if not directed and some is not None:
                self.state(f"not ({there} /\\ {back})", when)
        if some is not None:
            self.visits(some, after, when)
        if not directed:
            self.one_direction(after, nodes, edges, when, all_nodes=some is None)

    def visits(self, some: constraints.Subcircuit, after: str, when: str) -> None:
        marks = some.present or ()
        for v, mark in enumerate(marks, 1):
            there = f"{after}[{v}] != {v}"
            if isinstance(mark, bool):
                self.state(there if mark else f"{after}[{v}] = {v}", when)
            else:
                self.state(f"{self.condition(mark)} <-> {there}", when)
        if not some.empty:
            self.state(f"exists(v in 1..{some.nodes})({after}[v] != v)", when)

    def one_direction(
        self, after: str, nodes: int, edges: Sequence[tuple[int, int]], when: str, *, all_nodes: bool
    ) -> None:
        """Write that the successor of the first node of the cycle is smaller than its predecessor."""
        if all_nodes:
            self.state(f"forall(v in 2..{nodes})({after}[v] = 1 -> {after}[1] < v)", when)
            return
        later = self.fresh("later")
        skipped = f"forall(w in 1..v - 1)({after}[w] = w)"
        self.lines.append(f"array[1..{nodes}] of var bool: {later} = [{skipped} | v in 1..{nodes}];")
        for u, v in edges:
            first, other = min(u, v) + 1, max(u, v) + 1
            self.state(
                f"({later}[{first}] /\\ {after}[{other}] = {first}) -> {after}[{first}] < {other}", when
            )

    def clauses(self, given: Any, when: str) -> None:
        """Write any other constraint as its clauses, with new Booleans for their auxiliary variables."""
        encoder = Encoder(self.model)
        before = len(encoder.clauses)
        encoder.add(given)
        encoder.complete_loops("one-hot")
        text_of = self.literals(encoder)
        for clause in encoder.clauses[before:]:
            self.state(" \\/ ".join(map(text_of, clause)) or "false", when)

    def literals(self, encoder: Encoder) -> Callable[[int], str]:
        """A function that gives a literal of the clauses."""
        names = dict(enumerate(self.names, 1))
        for number, ordered in encoder.order.integers.items():
            for literal, (_, value) in zip(ordered.literals, pairwise(ordered.values), strict=True):
                names[literal] = f"({self.names[number]} >= {value})"

        def text(literal: int) -> str:
            variable = abs(literal)
            if variable not in names:
                names[variable] = self.fresh("clause")
                self.lines.append(f"var bool: {names[variable]};")
            return names[variable] if literal > 0 else f"not {names[variable]}"

        return text
