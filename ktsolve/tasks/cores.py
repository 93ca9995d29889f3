"""Conflicts of constraints: minimal unsatisfiable subsets (MUS) of the named groups of a model.

Each group is stated under a literal of its own, and all these literals are assumed. The solver gives those
that a proof needs. Then one group after the other is left out (deletion): it stays out if the rest is
impossible; otherwise it is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Clock, Settings, takes_settings
from ktsolve.base.text import check_kind
from ktsolve.graphs.card import Card, Carded
from ktsolve.model.constraints import PLAIN_KINDS, Constraint, Literal, When
from ktsolve.model.model import Model
from ktsolve.tasks.solve import Solver, checked_assumptions, solve

__all__ = ["Core", "unsat_core"]

_MOST_SHOWN = 20  # groups that a notebook shows


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
    """

    names: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    minimal: bool
    model: Model

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


@takes_settings
def unsat_core(
    model: Model,
    engine: str = "auto",
    settings: Settings | None = None,
    *,
    assumptions: Iterable[Literal] = (),
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

    Returns
    -------
    Core or None
        None if there is a solution. When time runs out during the reduction, a core that may not be minimal.

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
    check_kind(model, Model, "a ktsolve.Model")
    settings = Settings.of(settings)
    given = checked_assumptions(model, assumptions)
    # Without names each constraint is a group of its own.
    groups = list(model.groups.items()) or [(each.text(model.name_of), [each]) for each in model.constraints]
    with ExitStack() as stack:
        tests = _Tests(model, groups, engine, settings, given, stack)
        kept = tests.conflict(range(len(groups)))
        if kept is None:
            return None
        needed: list[int] = []
        minimal = True
        while kept:
            rest = kept[:-1]
            try:
                conflict = tests.conflict([*needed, *rest])
            except LimitReached:
                needed, minimal = [*needed, *kept], False
                break
            if conflict is None:
                needed.append(kept[-1])
                kept = rest
            else:
                known = set(needed)
                kept = [each for each in conflict if each not in known]
    chosen = [groups[each] for each in sorted(needed)]
    constraints = tuple(each for _, members in chosen for each in members)
    return Core(tuple(name for name, _ in chosen), constraints, minimal, model)


def _is_plain(constraint: Constraint) -> bool:
    """Whether a solver can lift the constraint by a literal."""
    while isinstance(constraint, When):
        constraint = constraint.constraint
    return constraint.kind in PLAIN_KINDS


@dataclass
class _Tests:
    """Tells whether some groups of a model conflict.

    Groups with loops are stated without a literal, since their cuts hold in any case: a set of such groups
    has a solver of its own. All other groups are assumed.
    """

    model: Model
    groups: Sequence[tuple[str, list[Constraint]]]
    engine: str
    settings: Settings
    given: tuple[Literal, ...]
    stack: ExitStack

    def __post_init__(self) -> None:
        self.clock = Clock(self.settings)
        self.loops = {i for i, (_, members) in enumerate(self.groups) if not all(map(_is_plain, members))}
        grouped = {id(each) for _, members in self.groups for each in members}
        self.background = [each for each in self.model.constraints if id(each) not in grouped]
        self.made: tuple[frozenset[int], Model, dict[Literal, int], Solver | None] | None = None

    def conflict(self, chosen: Iterable[int]) -> list[int] | None:
        """Those of the chosen groups that suffice for a conflict; None if there is a solution."""
        wanted = list(chosen)
        loops = frozenset(self.loops.intersection(wanted))
        if self.made is None or self.made[0] != loops:
            self.made = loops, *self._stated(loops)
        _, model, group_of, solver = self.made
        literal_of = {group: literal for literal, group in group_of.items()}
        assumed = [literal_of[each] for each in wanted if each in literal_of]
        limited = self.clock.within(self.settings)
        if solver is not None:
            solver.limit(limited)
            answer = solver.solve([*self.given, *assumed])
        else:
            answer = solve(model, self.engine, limited, assumptions=[*self.given, *assumed])
        if answer.found:
            return None
        core = {group_of[each] for each in answer.core if each in group_of}
        return [each for each in wanted if each in core or each in loops]

    def _stated(self, loops: frozenset[int]) -> tuple[Model, dict[Literal, int], Solver | None]:
        """The model with these groups of loops, the literals of all other groups, and a solver."""
        model = self.model.copy()
        model.constraints[:] = self.background
        model.forget_objectives()
        group_of: dict[Literal, int] = {}
        for number, (_, members) in enumerate(self.groups):
            if number in self.loops:
                if number in loops:
                    model.constraints += members
                continue
            name = f"group {number}"
            while model.has(name):
                name += "'"
            literal = model.boolean(name)
            group_of[literal] = number
            model.constraints += [When(literal, each) for each in members]
        if self.engine not in ("auto", Solver.engine):
            return model, group_of, None
        self.stack.close()
        return model, group_of, self.stack.enter_context(Solver(model, self.settings))
