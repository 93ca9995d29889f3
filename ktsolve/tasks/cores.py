"""Conflicts of constraints: minimal unsatisfiable subsets (MUS) of the named groups of a model.

Each group is stated under a literal of its own, and all these literals are assumed. The solver gives those
that a proof needs. Then one group after the other is left out (deletion): it stays out if the rest is
impossible; otherwise it is needed.

All conflicts, and all maximal satisfiable subsets, come from a map of the sets about which nothing is known:
clauses over a variable for each group. A set from there is shrunk to a conflict, or grown to a maximal one,
and the map gets a clause against all that this settles (MARCO: Liffiton, Previti, Malik & Marques-Silva,
Fast, flexible MUS enumeration, 2016). A smallest conflict has a group of each correction set, which is what
some maximal subset leaves out: smallest sets with this property are tried until one is a conflict (Ignatiev,
Previti, Liffiton & Marques-Silva, Smallest MUS extraction with minimal hitting set dualization, 2015).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Clock, Settings, takes_settings
from ktsolve.base.text import check_kind
from ktsolve.graphs.card import Card, Carded
from ktsolve.model.constraints import PLAIN_KINDS, Assignment, Cardinalities, Constraint, Literal, When
from ktsolve.model.model import Model
from ktsolve.tasks.questions import Solver
from ktsolve.tasks.solve import Solution, checked_assumptions, solve

__all__ = ["Core", "MaximalSubset", "maximal_subsets", "unsat_core", "unsat_cores"]

_MOST_SHOWN = 20  # groups that a notebook shows

_MOST_ROWS = 10_000  # most rows of blocks that count by themselves


@dataclass(frozen=True)
class Core(Carded):
    """Constraints that no assignment satisfies together.

    Attributes
    ----------
    names:
        The names of the groups of constraints; the text of a constraint if the model has no names.
    constraints:
        The constraints of these groups.
    minimal:
        Whether it is proved that without any one of the groups there is a solution (a MUS).
    model:
        The model. If it has names, its constraints without a name hold besides the core.
    smallest:
        Whether it is proved that no conflict has fewer groups.
    """

    names: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    minimal: bool
    model: Model
    smallest: bool = False

    def __len__(self) -> int:
        return len(self.names)

    def __str__(self) -> str:
        if not self.names:
            what = "the constraints without a name" if self.model.groups else "the domains of the variables"
            return f"no solution, by {what} alone"
        how = "none of them can be left out" if self.minimal else "some may be superfluous"
        return f"these conflict ({how}): {'; '.join(self.names)}"

    def __repr__(self) -> str:
        return f"<Core of {len(self.names)}: {self!s:.200}>"

    def _card(self) -> Card:
        shown = tuple((name,) for name in self.names[:_MOST_SHOWN])
        facts = (("groups", str(len(self.names))), ("minimal", "yes" if self.minimal else "not proved"))
        more = len(self.names) - len(shown)
        return Card(f"Conflict in {self.model.name}", facts, (), ("constraint",), shown, more)


@dataclass(frozen=True)
class MaximalSubset:
    """Groups of constraints that hold together, and would not with any further one.

    Attributes
    ----------
    names:
        The names of the groups that hold; the text of a constraint if the model has no names.
    left_out:
        The names of all others: without them there is a solution, and without fewer of them there is none.
    solution:
        A solution of these groups and the constraints without a name, checked.
    """

    names: tuple[str, ...]
    left_out: tuple[str, ...]
    solution: Solution

    def __len__(self) -> int:
        return len(self.names)

    def __str__(self) -> str:
        return f"possible without {'; '.join(self.left_out) or 'any change'}"


@takes_settings
def unsat_core(
    model: Model,
    engine: str = "auto",
    settings: Settings | None = None,
    *,
    assumptions: Iterable[Literal] = (),
    smallest: bool = False,
) -> Core | None:
    """Find named constraints that no solution satisfies together, none of which can be left out.

    Constraints get names by ``model.add(..., name=)`` or in a context ``model.named(...)``; those without a
    name hold in any case. If no constraint has a name, each one counts by itself.

    Parameters
    ----------
    model:
        The model.
    engine:
        ``sat`` or ``cpsat``; ``auto`` is ``sat``, which keeps what it learns.
    settings:
        Limits and threads; the defaults if None.
    assumptions:
        Literals that hold in any case.
    smallest:
        Find a conflict of as few groups as possible. That takes longer: up to as many questions as there are
        maximal subsets.

    Returns
    -------
    Core or None
        None if there is a solution. When time runs out during the reduction, a core that may not be minimal,
        or not the smallest.

    Raises
    ------
    LimitReached
        If time or memory ran out before any core was found.

    Examples
    --------
    >>> model = Model()
    >>> a, b, c = model.booleans("abc")
    >>> model.add(a | b, name="one of a and b")
    >>> model.add(~a, name="no a"); model.add(~b, name="no b"); model.add(c, name="c")
    >>> print(unsat_core(model))
    these conflict (none of them can be left out): one of a and b; no a; no b
    """
    with closing(_Groups(model, engine, settings, assumptions)) as groups:
        found = groups.conflict(groups.every)
        if found is None:
            return None
        core = groups.shrunk(found, keep=True)
        if not smallest or not core.minimal:
            return core
        try:
            return groups.smallest(core)
        except LimitReached:
            return core


@takes_settings
def unsat_cores(
    model: Model,
    engine: str = "auto",
    settings: Settings | None = None,
    *,
    assumptions: Iterable[Literal] = (),
) -> Iterator[Core]:
    """All minimal conflicts of named constraints, each as it is found.

    There can be exponentially many. The groups are as in :func:`unsat_core`.

    Parameters
    ----------
    model:
        The model.
    engine:
        ``sat`` or ``cpsat``; ``auto`` is ``sat``.
    settings:
        Limits and threads; the defaults if None.
    assumptions:
        Literals that hold in any case.

    Returns
    -------
    iterator of Core
        Each conflict once; nothing if there is a solution. At the end these are all.

    Raises
    ------
    LimitReached
        If time or memory ran out before all were found.

    Examples
    --------
    >>> model = Model()
    >>> x = model.integer("x", 0, 9)
    >>> for text, constraint in [("low", x <= 3), ("high", x >= 7), ("middle", x == 5)]:
    ...     model.add(constraint, name=text)
    >>> sorted(core.names for core in unsat_cores(model))
    [('high', 'middle'), ('low', 'high'), ('low', 'middle')]
    """
    explored = _explored(_Groups(model, engine, settings, assumptions))
    return (each for each in explored if isinstance(each, Core))


@takes_settings
def maximal_subsets(
    model: Model,
    engine: str = "auto",
    settings: Settings | None = None,
    *,
    assumptions: Iterable[Literal] = (),
) -> Iterator[MaximalSubset]:
    """All maximal sets of named constraints that hold together, each as it is found, with a solution.

    What such a set leaves out is a minimal correction: without these groups the model has a solution. There
    can be exponentially many. The groups are as in :func:`unsat_core`.

    Parameters
    ----------
    model:
        The model.
    engine:
        ``sat`` or ``cpsat``; ``auto`` is ``sat``.
    settings:
        Limits and threads; the defaults if None.
    assumptions:
        Literals that hold in any case.

    Returns
    -------
    iterator of MaximalSubset
        Each set once; nothing if the constraints without a name have no solution. At the end these are all.

    Raises
    ------
    LimitReached
        If time or memory ran out before all were found.

    Examples
    --------
    >>> model = Model()
    >>> x = model.integer("x", 0, 9)
    >>> for text, constraint in [("low", x <= 3), ("high", x >= 7), ("not 8", x != 8)]:
    ...     model.add(constraint, name=text)
    >>> sorted(subset.left_out for subset in maximal_subsets(model))
    [('high',), ('low',)]
    """
    explored = _explored(_Groups(model, engine, settings, assumptions))
    return (each for each in explored if isinstance(each, MaximalSubset))


def _explored(groups: _Groups) -> Iterator[Core | MaximalSubset]:
    """All minimal conflicts and all maximal subsets, in the order in which they are found."""
    from pysat.solvers import Minisat22

    variable = {name: number for number, name in enumerate(groups.members, 1)}
    with closing(groups), Minisat22() as unknown:
        unknown.set_phases(list(variable.values()))  # large sets first
        while unknown.solve():
            false = {-each for each in unknown.get_model() or ()}
            chosen = [name for name, number in variable.items() if number not in false]
            conflict = groups.conflict(chosen)
            if conflict is None:
                subset = groups.grown()
                unknown.add_clause([variable[name] for name in subset.left_out])
                yield subset
                continue
            core = groups.shrunk(conflict)
            unknown.add_clause([-variable[name] for name in core.names])
            yield core


def _is_plain(constraint: Constraint) -> bool:
    """Whether a solver can lift the constraint by a literal."""
    while isinstance(constraint, When):
        constraint = constraint.constraint
    return constraint.kind in PLAIN_KINDS


def groups_of(model: Model) -> tuple[dict[str, list[Constraint]], list[Constraint]]:
    """The groups by name, or each constraint if none has a name, and what holds in any case."""
    groups = model.groups
    if not groups:
        return _one_by_one(model), []
    grouped = {id(each) for members in groups.values() for each in members}
    return groups, [each for each in model.constraints if id(each) not in grouped]


def _one_by_one(model: Model) -> dict[str, list[Constraint]]:
    """Each constraint as a group of its own, under its text; also each row of blocks with few rows."""
    groups: dict[str, list[Constraint]] = {}
    blocks = [each for each in model.constraints if isinstance(each, Cardinalities)]
    split = sum(map(len, blocks)) <= _MOST_ROWS
    each_alone = (
        each.rows() if split and isinstance(each, Cardinalities) else (each,) for each in model.constraints
    )
    for number, each in enumerate(chain.from_iterable(each_alone), 1):
        text = each.text(model.name_of)
        groups[f"{text} (constraint {number})" if text in groups else text] = [each]
    return groups


class _Groups:
    """The groups of constraints of a model, by name, and which of them conflict.

    Groups with loops are stated without a literal, since their cuts hold in any case: a set of such groups
    has a solver of its own. All other groups are assumed.
    """

    def __init__(
        self, model: Model, engine: str, settings: Settings | None, assumptions: Iterable[Literal]
    ) -> None:
        check_kind(model, Model, "a ktsolve.Model")
        self.model, self.engine, self.settings = model, engine, Settings.of(settings)
        self.given = checked_assumptions(model, assumptions)
        self.members, self.background = groups_of(model)
        self.every = list(self.members)
        self.clock = Clock(self.settings)
        self.loops = {name for name, members in self.members.items() if not all(map(_is_plain, members))}
        self.made: tuple[frozenset[str], Model, dict[str, Literal], Solver | None] | None = None
        self.solution: Assignment = ()

    def close(self) -> None:
        """Free the solver."""
        if self.made is not None and self.made[3] is not None:
            self.made[3].close()
        self.made = None

    def conflict(self, chosen: Sequence[str]) -> list[str] | None:
        """Those of the chosen groups that suffice for a conflict; None if there is a ``solution``."""
        loops = frozenset(self.loops.intersection(chosen))
        if self.made is None or self.made[0] != loops:
            self.close()
            self.made = self._stated(loops)
        _, model, literal_of, solver = self.made
        assumed = [literal_of[each] for each in chosen if each in literal_of]
        limited = self.clock.within(self.settings)
        if solver is not None:
            solver.limit(limited)
            answer = solver.solve([*self.given, *assumed])
        else:
            answer = solve(model, self.engine, limited, assumptions=[*self.given, *assumed])
        if answer.assignment is not None:
            self.solution = answer.assignment[: len(self.model)]
            return None
        core = set(answer.core)
        return [each for each in chosen if each in loops or literal_of[each] in core]

    def shrunk(self, conflict: Sequence[str], *, keep: bool = False) -> Core:
        """A minimal part of a conflict. At a limit, with ``keep``, one that is not proved to be minimal."""
        needed: list[str] = []
        kept = list(conflict)
        while kept:
            rest = kept[:-1]
            try:
                smaller = self.conflict([*needed, *rest])
            except LimitReached:
                if not keep:
                    raise
                return self._core([*needed, *kept], minimal=False)
            if smaller is None:
                needed.append(kept[-1])
                kept = rest
            else:
                kept = [each for each in smaller if each not in needed]
        return self._core(needed)

    def grown(self) -> MaximalSubset:
        """A maximal set with all groups that the last solution satisfies."""
        kept = self._kept()
        solution = self.solution
        for name in self.every:
            if name not in kept and self.conflict([*kept, name]) is None:
                kept, solution = self._kept(), self.solution
        left_out = tuple(name for name in self.every if name not in kept)
        return MaximalSubset(
            tuple(name for name in self.every if name in kept), left_out, Solution(solution, self.model)
        )

    def smallest(self, known: Core) -> Core:
        """A conflict of as few groups as possible; ``known`` if none is smaller."""
        from pysat.examples.hitman import Hitman

        with Hitman(htype="sorted", solver="g4") as corrections:
            chosen: list[str] = []
            while len(chosen) < len(known):
                if self.conflict(chosen) is not None:
                    return replace(self._core(chosen), smallest=True)
                corrections.hit(self.grown().left_out)
                chosen = corrections.get()
        return replace(known, smallest=True)

    def _kept(self) -> set[str]:
        """The groups that the last solution satisfies, which was checked when it was found."""
        return {
            name
            for name, members in self.members.items()
            if all(each.holds(self.solution) for each in members)
        }

    def _core(self, names: Iterable[str], minimal: bool = True) -> Core:
        chosen = set(names)
        ordered = tuple(name for name in self.every if name in chosen)
        constraints = tuple(each for name in ordered for each in self.members[name])
        return Core(ordered, constraints, minimal, self.model)

    def _stated(
        self, loops: frozenset[str]
    ) -> tuple[frozenset[str], Model, dict[str, Literal], Solver | None]:
        """The model with these groups of loops, the literals of all other groups, and a solver."""
        model = self.model.copy()
        model.constraints[:] = self.background
        model.forget_objectives()
        literal_of: dict[str, Literal] = {}
        for number, (name, members) in enumerate(self.members.items()):
            if name in self.loops:
                if name in loops:
                    model.constraints += members
                continue
            label = f"group {number}"
            while model.has(label):
                label += "'"
            literal_of[name] = model.boolean(label)
            model.constraints += [When(literal_of[name], each) for each in members]
        alone = self.engine in ("auto", Solver.engine)
        return loops, model, literal_of, Solver(model, self.settings) if alone else None
