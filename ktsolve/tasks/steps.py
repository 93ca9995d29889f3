"""Explain the solution of a model in steps: the next consequence, and the constraints from which it follows.

A *fact* is that a Boolean is true or false, or that an integer has a value; or does not, where solutions
differ in its value. The facts that all solutions share are found first. Each step concludes some of them from
few constraints and from facts of earlier steps: first what follows from facts alone, then from one
constraint, then from two that have variables in common, and where that ends, from a set of constraints as
small as possible for one of the next facts. A constraint about many more variables than others, such as that
all lines are one loop, comes last. Smallest sets have a constraint of each correction set
(:mod:`ktsolve.tasks.cores`), with a bound: the size of the smallest one known. The facts that a step needs
are reduced one by one (Bogaerts, Gamba & Guns, A framework for step-wise explaining how to solve constraint
satisfaction problems, 2021).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Clock, Settings, takes_settings
from ktsolve.base.text import check_kind
from ktsolve.engines.sat.cuts import lazy_constraint
from ktsolve.engines.sat.python_sat import LISTING_SOLVER, Statistics, decide
from ktsolve.model.constraints import Literal, variables_of
from ktsolve.model.encode import Encoder, number
from ktsolve.model.expressions import Comparison, Sum
from ktsolve.model.model import Model
from ktsolve.tasks.cores import groups_of

__all__ = ["Consequence", "explain_steps"]


_WIDE = 4
"""A group about more than this multiple of the facts of the smallest one is *wide*, and used where no other
helps: one loop through everything, beside rules about one place."""

_NEAR, _MOST_NEAR = 8, 16
"""A group with its neighbours is about this multiple of its own facts at most, and is one of so many."""

_MOST_TRIED = 50  # facts of which one with a reason of fewest groups is looked for


@dataclass(frozen=True)
class Consequence:
    """Facts that follow from a few constraints and from facts of earlier steps.

    Attributes
    ----------
    facts:
        What follows: literals, and comparisons of an integer with a value.
    names:
        The names of the groups of constraints; the text of a constraint if the model has no names. It is
        empty where the facts follow from the domains of the variables.
    given:
        The facts of earlier steps that are needed.
    model:
        The model.
    """

    facts: tuple[Any, ...]
    names: tuple[str, ...]
    given: tuple[Any, ...]
    model: Model

    def texts(self, facts: Iterable[Any]) -> list[str]:
        """The texts of facts.

        Parameters
        ----------
        facts:
            Literals and comparisons.

        Returns
        -------
        list of str
            Their texts.
        """
        name = self.model.name_of
        return [name(each) if isinstance(each, Literal) else each.text(name) for each in facts]

    def __str__(self) -> str:
        unnamed = ["the constraints without a name"] if self.model.groups and not self.given else []
        by = f", by {'; '.join(self.names or unnamed)}" if self.names or unnamed else ""
        given = f", as {', '.join(self.texts(self.given))}" if self.given else ""
        return f"{', '.join(self.texts(self.facts))}{by}{given}"


@takes_settings
def explain_steps(
    model: Model, settings: Settings | None = None, *, known: Mapping[Any, int] | None = None
) -> Iterator[Consequence]:
    """Explain step by step what all solutions of a model have in common.

    If the solution is unique, the steps lead to it. Constraints have names as for
    :func:`ktsolve.unsat_core`; those without a name hold in any case. An objective is ignored.

    Parameters
    ----------
    model:
        The model.
    settings:
        Limits; the defaults if None.
    known:
        Values of variables that are known before the first step.

    Returns
    -------
    iterator of Consequence
        The steps, each as it is found.

    Raises
    ------
    BadInput
        If the model has no solution with the known values.
    LimitReached
        If time or memory ran out before all steps were found.

    Examples
    --------
    >>> model = Model()
    >>> x, y = model.integer("x", 1, 3), model.integer("y", 1, 3)
    >>> model.add(x + y == 5, name="sum"); model.add(x < y, name="order")
    >>> for step in explain_steps(model):
    ...     print(step)
    x = 2, y = 3, by sum; order
    """
    check_kind(model, Model, "a ktsolve.Model")
    return _Explainer(model, Settings.of(settings), known or {}).steps()


class _Reason(NamedTuple):
    """Groups and facts from which a fact follows."""

    names: tuple[str, ...]
    facts: tuple[int, ...]


def _joined(constraints: Iterable[Any]) -> dict[int, set[int]]:
    """For each variable those that constraints join to it."""
    joined: dict[int, set[int]] = {}
    for each in constraints:
        numbers = {variable.number for variable in variables_of(each)}
        whole = numbers.union(*(joined[one] for one in numbers if one in joined))
        joined |= dict.fromkeys(whole, whole)
    return joined


class _Explainer:
    """The clauses of a model, with a literal that demands each group, and the facts about its variables."""

    def __init__(self, model: Model, settings: Settings, known: Mapping[Any, int]) -> None:
        from pysat.solvers import Solver

        self.model, self.settings, self.clock = model, settings, Clock(settings)
        self.members, background = groups_of(model)
        encoder = Encoder(model)
        self.group = {name: encoder.fresh() for name in self.members}
        for name, members in self.members.items():
            for each in members:
                encoder.add(each, [-self.group[name]])
        for each in background:
            encoder.add(each)
        for form in encoder.loops:
            form.relax(encoder)
        self.atoms: dict[int, Any] = {}  # the fact that a literal is true
        self.of_variable: dict[int, list[int]] = {}
        for variable in model.shown:
            self.of_variable[variable.number] = self._facts(encoder, variable)
        joined = _joined(background)
        self.scope: dict[str, frozenset[int]] = {}
        for name, members in self.members.items():
            touched = {variable.number for each in members for variable in variables_of(each)}
            # What holds in any case joins variables.
            about = touched.union(*(joined[each] for each in touched if each in joined))
            self.scope[name] = frozenset(
                abs(fact) for v in sorted(about) for fact in self.of_variable.get(v, ())
            )
        least = min((len(scope) for scope in self.scope.values() if scope), default=0)
        self.wide = {name for name, scope in self.scope.items() if len(scope) > _WIDE * least}
        self.neighbours = self._neighbours()
        self.lazy = [lazy_constraint(form, encoder.clauses) for form in encoder.loops]
        self.variables, self.fresh = encoder.variables, encoder.fresh
        self.solver = Solver(LISTING_SOLVER, bootstrap_with=encoder.clauses)
        self.known = dict.fromkeys(self._fact(encoder, *pair) for pair in known.items())
        self.found: dict[int, _Reason] = {}  # by one group, or of the step that is being made
        self.broad: dict[int, _Reason] = {}  # by one wide group
        self.pairs: dict[int, _Reason] = {}  # by two groups
        self.seen: dict[str, int] = {}
        self.seen_near: dict[str, int] = {}
        self.true: frozenset[int] = frozenset()

    def _facts(self, encoder: Encoder, variable: Any) -> list[int]:
        """The literals of the facts about a variable that may be true or false."""
        if isinstance(variable, Literal):
            made: dict[int, Any] = {number(variable): variable}
        else:
            ordered = encoder.order.integers[variable.number]
            values = range(variable.low, variable.high + 1)
            made = {
                encoder.order.equals(ordered, value): Comparison(variable.sum(), "==", Sum([], value))
                for value in values
                if len(values) > 1
            }
        self.atoms |= {
            -literal: ~fact for literal, fact in made.items()
        } | made  # with two values each is one
        return list(dict.fromkeys(map(abs, made)))

    def _neighbours(self) -> dict[str, list[str]]:
        """Each group that is not wide with those that have facts in common with it, if they are few."""
        of_fact: dict[int, list[str]] = {}
        for name, scope in self.scope.items():
            for fact in () if name in self.wide else scope:
                of_fact.setdefault(fact, []).append(name)
        found = {}
        for name, scope in self.scope.items():
            near = list(dict.fromkeys(each for fact in sorted(scope) for each in of_fact.get(fact, ())))
            about: frozenset[int] = frozenset().union(*(self.scope[each] for each in near))
            few = 1 < len(near) <= _MOST_NEAR and len(about) <= _NEAR * len(scope)
            if few and name not in self.wide:
                found[name] = near
        return found

    def _fact(self, encoder: Encoder, variable: Any, value: int) -> int:
        """The fact that a shown variable has a value."""
        if getattr(variable, "number", None) not in self.of_variable:
            raise BadInput(f"{variable!r:.40} is not a shown variable of {self.model.name}")
        if isinstance(variable, Literal):
            return number(variable) if value else -number(variable)
        if not variable.low <= value <= variable.high:
            raise BadInput(f"{variable.name} is from {variable.low} to {variable.high}, not {value!r:.40}")
        return encoder.order.equals(encoder.order.integers[variable.number], value)

    # -- questions ---------------------------------------------------------------------------------------

    def possible(self, assumed: Iterable[int]) -> bool:
        """Whether there is a solution of the clauses that makes these literals true."""
        literals = list(assumed)
        while decide(self.solver, LISTING_SOLVER, literals, self._progress):
            values = self.solver.get_model()
            if not (cuts := self._cuts_of(values)):
                self.true = frozenset(values)
                return True
            self.solver.append_formula(cuts)
        return False

    def _cuts_of(self, values: Sequence[int]) -> list[list[int]]:
        """The cuts that an assignment violates."""
        if not self.lazy:
            return []
        true = np.zeros(self.variables + 1, dtype=np.bool_)
        true[[each for each in values if 0 < each <= self.variables]] = True
        return [cut for each in self.lazy for cut in each.violated(true)]

    def _progress(self, statistics: Statistics) -> None:
        done = f"{len(self.known)} facts explained{statistics.after}"
        self.clock.check(done)
        if self.settings.progress is not None:
            self.settings.progress(None, done)

    def implied(self, assumed: list[int], candidates: set[int]) -> set[int]:
        """Those of the candidates that follow, if the assumptions are possible."""
        while candidates:
            with self.switched([-each for each in candidates]) as switch:
                if not self.possible([*assumed, switch]):
                    return candidates
                candidates = candidates.intersection(self.true)
        return candidates

    @contextmanager
    def switched(self, clause: Sequence[int]) -> Iterator[int]:
        """A literal that demands one of these literals."""
        switch = self.fresh()
        self.solver.add_clause([-switch, *clause])
        yield switch
        self.solver.add_clause([-switch])

    def reduced(self, fixed: Sequence[int], others: Iterable[int]) -> list[int] | None:
        """Those of the other literals that are needed for a conflict with the fixed ones; None without it."""
        needed: list[int] = []
        kept = list(others)
        if self.possible([*fixed, *kept]):
            return None
        while True:
            core = set(self.solver.get_core() or ())
            kept = [each for each in kept if each in core]
            while kept:
                last = kept.pop()
                if not self.possible([*fixed, *needed, *kept]):
                    break
                needed.append(last)
            else:
                return needed

    def reason(self, fact: int, names: Sequence[str], facts: Iterable[int]) -> _Reason | None:
        """The groups with those of the facts that are needed for a conclusion; None if it does not follow."""
        needed = self.reduced([*(self.group[name] for name in names), -fact], facts)
        return (
            None
            if needed is None
            else _Reason(tuple(name for name in self.group if name in names), tuple(needed))
        )

    # -- steps -------------------------------------------------------------------------------------------

    def steps(self) -> Iterator[Consequence]:
        """The steps, each as it is found."""
        try:
            every = [*self.group.values(), *self.known]
            if not self.possible(every):
                raise BadInput(
                    f"{self.model.name} has no solution: unsat_core tells which constraints conflict"
                )
            common = self.implied(every, set(self.atoms).intersection(self.true))
            left = dict.fromkeys(fact for fact in self._told(common) if fact not in self.known)
            while left:
                reason = self.next_reason(left)
                concluded = [
                    fact
                    for fact in left
                    if (known := self.found.get(fact)) is not None
                    and known.names == reason.names
                    and set(known.facts) <= set(reason.facts)
                ]
                for fact in concluded:
                    self.known[fact] = None
                    del left[fact]
                    for each in (self.found, self.broad, self.pairs):
                        each.pop(fact, None)
                facts, given = (tuple(self.atoms[x] for x in each) for each in (concluded, reason.facts))
                yield Consequence(facts, reason.names, given, self.model)
        finally:
            self.solver.delete()

    def _told(self, common: set[int]) -> Iterator[int]:
        """The facts to explain: of an integer its value, or the values that it never has."""
        for facts in self.of_variable.values():
            mine = [sign * fact for fact in facts for sign in (1, -1) if sign * fact in common]
            fixed = [fact for fact in mine if getattr(self.atoms[fact], "sign", "==") == "=="]
            yield from fixed or mine

    def next_reason(self, left: Iterable[int]) -> _Reason:
        """The best reason of a fact that is left."""
        self.by_one_group(left, [name for name in self.scope if name not in self.wide], self.found)
        if not self.found:
            self.by_one_group(left, self.wide, self.broad)
            self.by_neighbours(left)
            others = [*self.pairs.items(), *self.broad.items()]
            best = min((reason for _, reason in others), key=self.size, default=None)
            self.found = {fact: each for fact, each in others if best and each.names == best.names}
        if self.found:
            return min(self.found.values(), key=self.size)
        narrow = [name for name in self.group if name not in self.wide]
        facts = self.implied([*(self.group[name] for name in narrow), *self.known], set(left))
        if facts:
            return self.by_several_groups([fact for fact in left if fact in facts], narrow)
        return self.by_several_groups(list(left), list(self.group))

    def size(self, reason: _Reason) -> tuple[int, int]:
        """The number of groups of a reason, in which a wide one counts as two, and of its facts."""
        return len(reason.names) + len(self.wide.intersection(reason.names)), len(reason.facts)

    def facts_about(self, scope: frozenset[int]) -> list[int]:
        """The known facts about some variables."""
        return [fact for fact in self.known if abs(fact) in scope]

    def by_one_group(self, left: Iterable[int], names: Iterable[str], found: dict[int, _Reason]) -> None:
        """Find what follows from one of these groups each, where a fact about its variables is new."""
        for name in names:
            scope = self.scope[name]
            facts = self.facts_about(scope)
            if self.seen.get(name) == len(facts):
                continue
            self.seen[name] = len(facts)
            new = {fact for fact in left if abs(fact) in scope and fact not in found}
            for fact in sorted(self.implied([self.group[name], *facts], new), key=abs):
                reason = self.reason(fact, [name], facts)
                assert reason is not None
                found[fact] = self.reason(fact, [], reason.facts) or reason

    def by_neighbours(self, left: Iterable[int]) -> None:
        """Find what follows from a group with one of those that have variables in common with it."""
        for name, near in self.neighbours.items():
            scope = frozenset().union(*(self.scope[each] for each in near))
            facts = self.facts_about(scope)
            if self.seen_near.get(name) == len(facts):
                continue
            self.seen_near[name] = len(facts)
            every = [self.group[each] for each in near]
            new = {fact for fact in left if abs(fact) in scope and fact not in self.pairs}
            for fact in sorted(self.implied([*every, *facts], new), key=abs):
                needed = self.reduced([*facts, -fact], every)
                assert needed is not None
                if len(needed) == 2:
                    names = [each for each in near if self.group[each] in needed]
                    reason = self.reason(fact, names, facts)
                    assert reason is not None
                    self.pairs[fact] = reason

    def by_several_groups(self, left: Sequence[int], groups: Sequence[str]) -> _Reason:
        """A smallest set of the groups from which one of the facts follows, where one group is not enough."""
        name_of = {self.group[name]: name for name in groups}
        sets = {}
        for fact in left[:_MOST_TRIED]:
            literals = self.reduced([*self.known, -fact], name_of)
            assert literals is not None
            sets[fact] = [name_of[each] for each in literals]
        least = min(map(len, sets.values()))
        for fact in sorted(sets, key=lambda each: len(sets[each])):
            if least > 2 and (smaller := self.smallest(fact, least)) is not None:
                sets[fact], least = smaller, len(smaller)
        for fact, names in sets.items():
            if len(names) == least and (reason := self.reason(fact, names, self.known)) is not None:
                self.found[fact] = reason
        best = min(self.found.values(), key=self.size)
        # Others may follow from less after this step.
        self.found = {fact: each for fact, each in self.found.items() if each.names == best.names}
        return best

    def smallest(self, fact: int, below: int) -> list[str] | None:
        """A smallest set of groups from which a fact follows; None if it has not fewer than ``below``."""
        from pysat.examples.hitman import Hitman

        facts = [*self.known, -fact]
        with Hitman(htype="sorted", solver="g4") as corrections:
            chosen: list[str] = []
            while len(chosen) < below:
                if not self.possible([*facts, *(self.group[name] for name in chosen)]):
                    return chosen
                corrections.hit(self.left_out(facts))
                chosen = corrections.get()
        return None

    def left_out(self, facts: Sequence[int]) -> list[str]:
        """The groups outside of a maximal set that is possible, which has those of the last solution."""
        while True:
            true = self.true
            kept = [literal for literal in self.group.values() if literal in true]
            out = [name for name, literal in self.group.items() if literal not in true]
            with self.switched([self.group[name] for name in out]) as switch:
                if not self.possible([*facts, *kept, switch]):
                    return out
