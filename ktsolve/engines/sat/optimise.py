"""The best solution of a model with an objective, by a SAT solver.

A *penalty* is a literal that costs its weight where it is true; the objective is a constant plus the sum of
the penalties. Two methods take turns, each for a number of conflicts that doubles:

- From below. Assume that no penalty is paid. Where this is impossible, the solver gives a core: penalties of
  which one must be paid. This raises the lower bound by the least of their weights. Their sum then replaces
  them, as outputs of a totalizer, of which the second and all further ones are new penalties (OLL, as in RC2:
  Ignatiev, Morgado & Marques-Silva, RC2: an efficient MaxSAT solver, 2019). Large weights come first, so that
  there are solutions on the way (stratification).
- From above. Demand a solution that is better than the best one, first one that halves the gap. The sum is
  encoded as a binary number.

Each gives the other its bound: a penalty that costs at least the gap is forbidden. So the bounds proved from
then on holds for the solutions that are better than the best one. Subtour cuts are added in every call of the
solver that finds a solution which violates one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import accumulate, pairwise

from ktsolve.engines.sat.distinct_solutions import different, has_initial_edges
from ktsolve.engines.sat.lazy import LazySolver
from ktsolve.engines.sat.python_sat import (
    BudgetExhausted,
    ConflictBudget,
    SolverProgress,
    Statistics,
    no_progress,
)
from ktsolve.model.clauses import TRUE, suppress_sigint
from ktsolve.model.constraints import Literal
from ktsolve.model.encode import number, numbers
from ktsolve.model.model import Model, Objective

__all__ = ["Step", "improving"]

_FIRST_BUDGET = 5000  # conflicts of the first turn of each method
_SUGGESTION_BUDGET = 2000  # conflicts for a solution with all values that are suggested

_REDUCTION_BUDGET = 30
"""Conflicts for leaving one penalty out of a core, and for raising the bound of a core once more."""

_MOST_REDUCED = 60  # penalties of a core up to which each is tried to be left out


@dataclass(frozen=True)
class Step:
    """News of an optimisation.

    The assignment is a solution that is better than all before; None if only the bound is new, or if no
    solution exists. No solution has a better value than the bound. The core has those of the assumptions
    that no solution satisfies together. The last step is done: the last solution is best, or none exists.
    """

    assignment: list[int] | None
    bound: int | None = None
    core: tuple[Literal, ...] = ()
    done: bool = False


def improving(
    model: Model,
    name: str,
    seed: int | None,
    encoding: str,
    assumptions: Sequence[Literal],
    progress: SolverProgress = no_progress,
) -> Iterator[Step]:
    """Yield better and better solutions, with true assumptions, and bounds; the last step says that it is."""
    assert model.objective is not None
    with closing(LazySolver(model, name, seed, encoding=encoding, progress=progress)) as lazy:
        given = numbers(assumptions)
        costs = _Costs(model.objective, lazy)
        found = _suggested(lazy, model, given)
        if found is None and encoding == "lazy" and not assumptions and has_initial_edges(model):
            found = next(different(model, seed, 1, progress), None)
        elif found is None:
            found = lazy.next_solution(assumptions=given)
        if found is None:
            core = set(lazy.core)
            yield Step(None, core=tuple(x for x in assumptions if number(x) in core), done=True)
            return
        lazy.add_clauses([[each] for each in given])
        search = _Search(lazy, costs, found, progress)
        yield Step(found, costs.bound(search.low))
        for better in search.steps():
            yield Step(better, costs.bound(min(search.low, search.high)))
        yield Step(None, costs.bound(search.high), done=True)


def _suggested(lazy: LazySolver, model: Model, given: list[int]) -> list[int] | None:
    """Return a solution with the values that the model suggests, if it is found soon; else prefer these."""
    if not model.suggested:
        return None
    wanted = lazy.numbers_of(model.suggested)
    lazy.prefer(wanted)
    with suppress(BudgetExhausted):
        return lazy.next_solution(ConflictBudget(_SUGGESTION_BUDGET), [*given, *wanted])
    return None


class _Costs:
    """An objective as a sum of penalties with positive weights, which is to be minimised.

    An integer of the objective has a chain of penalties, one for each value but the least: the literal that
    it is at least that value. Each implies the one before. The chains have literals and weights.
    """

    def __init__(self, objective: Objective, lazy: LazySolver) -> None:
        self._objective = objective
        self._sign = 1 if objective.sense == "minimise" else -1
        total = objective.total.merged()
        self._constant = self._sign * total.constant
        self.chains: list[list[tuple[int, int]]] = []
        for weight, atom in total.terms:
            ordered = lazy.encoder.scaled((self._sign * weight, atom))
            self._constant += ordered.values[0]
            steps = [upper - lower for lower, upper in pairwise(ordered.values)]
            chain = []
            for literal, step in zip(ordered.literals, steps, strict=True):
                if literal == TRUE:
                    self._constant += step
                elif literal != -TRUE:
                    chain.append((literal, step))
            self.chains.append(chain)

    def of(self, assignment: Sequence[int]) -> int:
        """The sum of the penalties of an assignment."""
        return self._sign * self._objective.total.value(assignment) - self._constant

    def bound(self, cost: int) -> int:
        """The value of the objective where the penalties have this sum."""
        return self._sign * (self._constant + cost)


class _Search:
    """The state of an optimisation.

    ``high`` is the sum of penalties of the best solution; no better solution has a smaller sum than ``low``.
    """

    def __init__(
        self, lazy: LazySolver, costs: _Costs, found: Sequence[int], progress: SolverProgress
    ) -> None:
        self._lazy = lazy
        self._costs = costs
        self._progress = progress
        self._active: dict[int, int] = {}
        self._next: dict[int, tuple[Sequence[tuple[int, int]], int]] = {}
        for chain in costs.chains:
            self._start(chain, 0)
        self._sums: dict[int, tuple[_Totalizer, int]] = {}
        self._digits: list[int] | None = None
        self._halving = True
        self._paid = 0
        self.low = 0
        self.high = costs.of(found)
        self._best = found
        self._forbid_dear()

    def _forbid_dear(self) -> None:
        """Forbid the values of integers that no better solution has."""
        for chain in self._costs.chains:
            sums = accumulate(weight for _, weight in chain)
            dear = next((p for (p, _), total in zip(chain, sums, strict=True) if total >= self.high), None)
            if dear is not None:
                self._lazy.add_clauses([[-dear]])

    def steps(self) -> Iterator[list[int] | None]:
        """Yield better solutions, or None for a better bound, until ``low`` reaches ``high``."""
        conflicts = _FIRST_BUDGET
        while self.low < self.high:
            for method in (self._from_below, self._from_above):
                budget = ConflictBudget(conflicts, self._report)
                try:
                    yield from method(budget)
                except BudgetExhausted:
                    continue
                return
            conflicts *= 2

    def _report(self, conflicts: int) -> None:
        self._progress(Statistics(conflicts, self._lazy.cuts))

    # -- from below --------------------------------------------------------------------------------------

    def _from_below(self, budget: ConflictBudget) -> Iterator[list[int] | None]:
        """Raise the lower bound core by core. Raises BudgetExhausted."""
        least = max(self._active.values(), default=0)
        while self.low < self.high:
            self._forbid()
            chosen = [-p for p, weight in self._active.items() if weight >= least]
            found = self._lazy.next_solution(budget, chosen)
            if found is None:
                if not self._lazy.core:  # no better solution
                    self.low = self.high
                    return
                self._relax(self._reduced(self._lazy.core))
                yield None
                continue
            if self._improve(found):
                yield found
            if least == 1 or len(chosen) == len(self._active):
                # No penalty that is left is paid: the sum is the bound.
                self.low = self.high
                return
            # At least half of the weights left out so far.
            rest = max((weight for weight in self._active.values() if weight < least), default=0)
            least = max(1, min(rest, least // 2))

    def _forbid(self) -> None:
        """Forbid the penalties that no better solution pays."""
        dear = [p for p, weight in self._active.items() if self._paid + weight >= self.high]
        for penalty in dear:
            del self._active[penalty]
            self._sums.pop(penalty, None)
            self._next.pop(penalty, None)
        self._lazy.add_clauses([[-penalty] for penalty in dear])

    def _reduced(self, core: list[int]) -> list[int]:
        """A core that is perhaps smaller: solved again with itself, then with one penalty less each time."""
        while (smaller := self._lazy.refuted(core, _REDUCTION_BUDGET)) and len(smaller) < len(core):
            core = smaller
        if len(core) > _MOST_REDUCED:
            return core
        for each in sorted(core, key=lambda x: self._active[-x]):
            if each not in core or len(core) == 1:
                continue
            smaller = self._lazy.refuted([x for x in core if x != each], _REDUCTION_BUDGET)
            if smaller is not None:
                core = smaller
        return core

    def _relax(self, core: list[int]) -> None:
        """Raise the bound by a core, and replace its penalties by those of their sum."""
        if not core:
            self.low = self.high
            return
        paid = [-x for x in core]
        weight = min(self._active[p] for p in paid)
        self._raise(weight)
        self._lazy.add_clauses([paid])
        for penalty in paid:
            self._active[penalty] -= weight
            if not self._active[penalty]:
                del self._active[penalty]
            if penalty in self._sums:
                self._activate(*self._sums[penalty], weight)
                if penalty not in self._active:
                    del self._sums[penalty]
            if penalty in self._next:
                self._start(*self._next.pop(penalty), alone=len(paid) == 1)
        if len(paid) == 1:
            return
        total, more = _Totalizer(self._lazy, paid), 1
        # As many of them as can be proved at once.
        while more < len(paid) and self._must_pay(total.output(more)):
            self._raise(weight)
            more += 1
        self._activate(total, more - 1, weight)

    def _must_pay(self, penalty: int) -> bool:
        """Return whether the solver proves soon that a penalty must be paid."""
        if self._lazy.refuted([-penalty], _REDUCTION_BUDGET) is None:
            return False
        self._lazy.add_clauses([[penalty]])
        return True

    def _start(self, chain: Sequence[tuple[int, int]], place: int, *, alone: bool = False) -> None:
        """Make a penalty of a chain active; the next one follows when this one is in a core.

        If the one before had to be paid ``alone``, more may have to be paid: steps that double, then halve.
        """
        step = 1 if alone else 0
        while step and place < len(chain):
            last = min(place + step, len(chain)) - 1
            if self._must_pay(chain[last][0]):
                self._raise(sum(weight for _, weight in chain[place : last + 1]))
                place, step = last + 1, 2 * step
            else:
                step //= 2
        if place < len(chain):
            penalty, weight = chain[place]
            self._active[penalty] = self._active.get(penalty, 0) + weight
            if penalty in self._next:  # two terms with one literal
                self._start(*self._next.pop(penalty))
            self._next[penalty] = chain, place + 1

    def _raise(self, weight: int) -> None:
        self._paid += weight
        self.low = max(self.low, self._paid)

    def _activate(self, total: _Totalizer, index: int, weight: int) -> None:
        """Make the output after that of an index a penalty."""
        if index + 1 < total.size:
            output = total.output(index + 1)
            self._active[output] = self._active.get(output, 0) + weight
            self._sums[output] = total, index + 1

    # -- from above --------------------------------------------------------------------------------------

    def _from_above(self, budget: ConflictBudget) -> Iterator[list[int] | None]:
        """Find better solutions. Raises BudgetExhausted."""
        if self._digits is None:
            terms = [(weight, penalty) for chain in self._costs.chains for penalty, weight in chain]
            self._digits = self._lazy.encoder.digits_of(terms)
        while self.low < self.high:
            self._lazy.prefer_solution(self._best)
            if self._halving and self.high - self.low > 2:
                half = (self.low + self.high) // 2
                switch = self._lazy.encoder.fresh()
                self._lazy.encoder.compare(self._digits, half, [-switch], larger=False)
                try:
                    found = self._lazy.next_solution(budget.part(4), [switch])
                except BudgetExhausted:
                    self._halving = False
                    continue
                finally:
                    self._lazy.add_clauses([[-switch]])
                if found is None:
                    self.low = half + 1
                    yield None
                    continue
            else:
                self._lazy.encoder.compare(self._digits, self.high - 1, [], larger=False)
                found = self._lazy.next_solution(budget)
                if found is None:
                    self.low = self.high
                    return
                self._halving = True
            if self._improve(found):
                yield found

    def _improve(self, found: Sequence[int]) -> bool:
        """Keep a solution if it is better than the best one; return whether it is."""
        cost = self._costs.of(found)
        if cost >= self.high:
            return False
        self._best, self.high = found, cost
        self._forbid_dear()
        return True


class _Totalizer:
    """The number of true literals among some, by python-sat's ITotalizer."""

    def __init__(self, lazy: LazySolver, literals: Sequence[int]) -> None:
        from pysat.card import ITotalizer

        self._lazy = lazy
        self.size = len(literals)
        with suppress_sigint():
            self._total = ITotalizer(lits=list(literals), ubound=1, top_id=lazy.variables)
        self._take(self._total.cnf.clauses)

    def __del__(self) -> None:
        self._total.delete()

    def _take(self, clauses: Sequence[list[int]]) -> None:
        encoder = self._lazy.encoder
        encoder.variables = max(encoder.variables, self._total.top_id)
        self._lazy.add_clauses(clauses)

    def output(self, index: int) -> int:
        """The literal that is true if more than ``index`` of the literals are."""
        if index > self._total.ubound:
            with suppress_sigint():
                self._total.increase(ubound=index, top_id=self._lazy.variables)
            new = self._total.nof_new
            self._take(self._total.cnf.clauses[-new:] if new else [])
        return int(self._total.rhs[index])
