"""The lazy loop: solve, add the cuts of all subtours, solve again; blocking clauses to list solutions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsolve.engines.sat.cuts import LazyCircuit, LazyConstraint, lazy_constraint
from ktsolve.engines.sat.python_sat import (
    ConflictBudget,
    SolverProgress,
    decide,
    no_progress,
)
from ktsolve.model.clauses import free, suppress_sigint
from ktsolve.model.constraints import Cardinalities, Circuit, Literals, Path
from ktsolve.model.encode import Encoder
from ktsolve.model.loop_forms import CycleForm, Form
from ktsolve.model.model import Model
from ktsolve.model.variables import Literal

__all__ = ["LazySolver", "fixed_variables", "free_variables", "guesses", "never_nested"]

_SEARCHED = frozenset({8, 64, 512})
"""Rounds after which local search tries again, with another seed; it does not observe limits."""


class LazySolver:
    """A model on an incremental SAT solver.

    - ``join``: Begin with a union of cycles that is found without the solver, and join subtours before adding
      cuts. The result satisfies the model, but is not the SAT solver's own solution. This suits a few
      solutions, not complete lists.
    - ``encoding``: ``lazy``, or an encoding of circuits from :data:`ktsolve.model.encode.EAGER` that needs no
      cuts.
    - ``reserved``: Number of variables to keep for Booleans that are added to the model later
      (:meth:`extend`).
    - ``core``: After an answer of None: those of the assumptions, in DIMACS numbering, that no solution
      satisfies together. It is empty if there is no solution without assumptions either.
    - ``rounds``, ``cuts``: Number of calls of the SAT solver, and of subtour cuts added.
    - ``encoder``: Makes clauses, which the solver gets with the next call.
    - ``clauses``: Initial number of clauses; native cardinality bounds count too.
    """

    def __init__(
        self,
        model: Model,
        solver: str,
        seed: int | None = None,
        *,
        join: bool = False,
        encoding: str = "lazy",
        progress: SolverProgress = no_progress,
        reserved: int = 0,
    ) -> None:
        from pysat.solvers import Solver

        self._name = solver
        self._progress = progress
        self.rounds = 0
        self.cuts = 0
        self.core: list[int] = []
        self.encoder = encoder = Encoder(model, solving=True)
        encoder.variables += reserved
        self._room = encoder.variables
        self._stated = len(model.constraints)
        for constraint in model.constraints:
            encoder.add(constraint)
        forms, encoder.loops = encoder.loops, []
        circuits = [form for form in forms if isinstance(form, CycleForm) and form.everywhere]
        free = free_variables(model, circuits, encoder.variables) if join and circuits else None
        self._lazy: list[LazyConstraint] = []
        self._circuits: list[LazyCircuit] = []
        self.model = model
        self._joins = join
        self._loops = len(forms)
        self._blocked: set[bytes] = set()
        self._limits: list[tuple[list[int], int]] = []
        self._encoding = encoding
        self._solver: Any = Solver(name=solver)
        bounded = self._add_loops(forms, circuits, free)
        if encoding == "lazy":
            self._lazy += [lazy_constraint(form, encoder.clauses) for form in forms if form not in circuits]
        # A tautology with the last Boolean: solvers assign all variables up to the largest in a clause.
        if len(model) > 0:
            encoder.clauses.append([len(model), -len(model)])
        self.clauses = len(encoder.clauses) + sum(2 * lazy.nodes for lazy in bounded)
        self._refuted = not all(encoder.clauses) or any(lazy.least_degree < 2 for lazy in bounded)
        self._fixed = fixed_variables(encoder.clauses, self.variables)
        self._guesses: list[int] = []
        self._seed = 0
        self._cut_short = False
        self._block_true_only: bool | None = None
        self._shown_numbers: tuple[Sequence[Literal], NDArray[np.int64]] = (), np.empty(0, dtype=np.int64)
        if not self._refuted:
            self._solver.append_formula(encoder.clauses, no_return=True)
            add_at_most = self._solver.solver.add_atmost  # Solver.add_atmost only calls it
            for lazy in bounded:
                for members, most in lazy.degrees():
                    add_at_most(members, most)
            self.restart(seed)
        encoder.clauses = []

    def _add_loops(
        self, forms: Sequence[Form], circuits: Sequence[CycleForm], free: NDArray[np.bool_] | None
    ) -> list[LazyCircuit]:
        """Encode loops completely, or relaxed; return the circuits whose degrees the solver bounds itself."""
        bounded: list[LazyCircuit] = []
        for form in forms:
            if self._encoding != "lazy":
                form.complete(self.encoder, self._encoding)
            elif form not in circuits or form.nodes < 3:
                form.relax(self.encoder)
            else:
                assert isinstance(form, CycleForm)
                lazy = LazyCircuit(form, free)
                self._circuits.append(lazy)
                if not form.directed and self._solver.supports_atmost():
                    bounded.append(lazy)
                else:
                    form.relax(self.encoder)
        return bounded

    def close(self) -> None:
        """Free the solver's memory."""
        if self._solver is not None:
            solver, self._solver = self._solver, None
            free(solver)

    def restart(self, seed: int | None, cost: NDArray[np.int32] | None = None) -> None:
        """Start the search for the next solution from edges that vary with the seed, and have small costs."""
        if not self._joins or not self._circuits:
            self._guesses = guesses(self.model, seed)
            return
        self._seed = seed or 0
        if any(circuit.directed for circuit in self._circuits):
            if cost is not None or not self._search(self._seed):
                self._guesses = guesses(self.model, seed)
                self._cut_short_cycles()
            return
        true = np.zeros(self.variables + 1, dtype=np.bool_)
        for circuit in self._circuits:
            if not circuit.start(true, self._fixed, self._seed, cost):
                self._refuted = True
                return
            circuit.join(true)
        joined = all(circuit.connected(true) for circuit in self._circuits)
        if cost is None and not joined and (self._cut_short or not self._search(self._seed)):
            self._cut_short_cycles()
        elif joined or cost is not None:
            self._set_phases(true)

    def _cut_short_cycles(self) -> None:
        """Add the cuts of short cycles, once: no cycle through all nodes is found easily.

        From then on the solver chooses its phases itself. Those of a union of many cycles lead it astray.
        """
        if not self._cut_short:
            self._cut_short = True
            cuts = [cut for circuit in self._circuits for cut in circuit.short_cuts(self._fixed)]
            self.cuts += len(cuts)
            self.add_clauses(cuts)

    def _search(self, seed: int) -> bool:
        """Set the phases to cycles that local search finds; return whether it found them."""
        true = np.zeros(self.variables + 1, dtype=np.bool_)
        if not all(circuit.search(true, self._fixed, seed) for circuit in self._circuits):
            return False
        self._set_phases(true)
        return True

    def _set_phases(self, true: NDArray[np.bool_]) -> None:
        """Let the solver try the values that an assignment gives to the edges."""
        for circuit in self._circuits:
            for literals in circuit.phases(true):
                self.prefer(literals)

    @property
    def full(self) -> bool:
        """Whether the model has grown by more Booleans than were reserved."""
        return len(self.model) > self._room

    def extend(self) -> None:
        """Add the Booleans and constraints that the model got since the last call. It must not be full."""
        self.encoder.add_integers()
        for constraint in self.model.constraints[self._stated :]:
            self.encoder.add(constraint)
        forms, self.encoder.loops = self.encoder.loops, []
        self._add_loops(forms, [], None)
        if self._encoding == "lazy":
            self._lazy += map(lazy_constraint, forms)
        self._loops += len(forms)
        self._stated = len(self.model.constraints)
        self._block_true_only = None
        self.add_clauses([[len(self.model), -len(self.model)]] if len(self.model) else [])

    @property
    def variables(self) -> int:
        """The number of variables of the formula."""
        return self.encoder.variables

    def numbers_of(self, values: Mapping[Any, int]) -> list[int]:
        """Return the literals that say that variables have these values, in DIMACS numbering."""
        return [-each for pair in values.items() for each in self.encoder.other_value(*pair)]

    def refuted(self, assumptions: list[int], conflicts: int) -> list[int] | None:
        """Return those of the assumptions that the solver refutes within that many conflicts; None if not."""
        self.add_clauses()
        if self._refuted:
            return []
        self._solver.conf_budget(conflicts)
        with suppress_sigint():
            found = self._solver.solve_limited(assumptions=assumptions)
        return list(self._solver.get_core() or []) if found is False else None

    def add_clauses(self, clauses: Sequence[list[int]] = ()) -> None:
        """Add clauses, after those that the encoder holds."""
        added = [*self.encoder.clauses, *clauses]
        self.encoder.clauses = []
        for clause in added:
            if clause:
                self._solver.add_clause(clause)
            else:
                self._refuted = True

    def prefer(self, literals: list[int]) -> None:
        """Set the phases with which the solver begins, if it takes them."""
        with suppress(NotImplementedError):
            self._solver.set_phases(literals)

    def prefer_solution(self, assignment: Sequence[int]) -> None:
        """Set the phases to a solution."""
        true = self.encoder.truth(assignment)
        own = {*range(1, len(assignment) + 1), *self.encoder.literals_of_integers()}
        self.prefer([each if true[each] else -each for each in own])

    def limit(self, variables: list[int], most: int) -> None:
        """Add that at most ``most`` variables are true. The solver must support cardinality bounds."""
        self._solver.add_atmost(variables, most)
        self._limits.append((variables, most))

    def next_solution(
        self, budget: ConflictBudget | None = None, assumptions: Sequence[int] = ()
    ) -> list[int] | None:
        """Return a further solution with true assumptions; None if none exists. Raises BudgetExhausted."""
        self.core = []
        self.add_clauses()
        if self._refuted:
            return None
        while True:
            self.rounds += 1
            if not self._satisfiable(budget, [*assumptions, *self._guesses]):
                if not self._guesses:
                    self.core = list(self._solver.get_core() or []) if assumptions else []
                    return None
                self._guesses = self._guesses[: len(self._guesses) // 2]
                continue
            values = np.array(self._solver.get_model(), dtype=np.int64)
            true = np.zeros(self.variables + 1, dtype=np.bool_)
            true[values[(values > 0) & (values <= self.variables)]] = True
            cuts = self._cuts_of(true)
            if not cuts:
                self._guesses = []
                return self.encoder.assignment(true)
            if any(not cut for cut in cuts):  # a set of nodes that no arc leaves
                self._refuted = True
                return None
            self.cuts += len(cuts)
            for cut in cuts:
                self._solver.add_clause(cut)
            if self._joins and not self._limits and self.rounds in _SEARCHED:
                self._search(self._seed + self.rounds)

    def _cuts_of(self, true: NDArray[np.bool_]) -> list[list[int]]:
        """Join subtours of an assignment in place, and return the subtour cuts that it violates."""
        if self._joins and self._circuits:
            joined = true.copy()
            for circuit in self._circuits:
                circuit.join(joined)
            if self._allows(joined):
                true[:] = joined
        lazy: list[LazyConstraint] = [*self._circuits, *self._lazy]
        cuts = [cut for constraint in lazy for cut in constraint.violated(true)]
        if cuts and self._joins and not self._cut_short:
            self._set_phases(true)
        return cuts

    def _allows(self, true: NDArray[np.bool_]) -> bool:
        """Return whether an assignment changed by joining is not blocked and satisfies the limits."""
        if self._blocked and self._shown_values(true) in self._blocked:
            return False
        return all(int(true[variables].sum()) <= most for variables, most in self._limits)

    def _shown_values(self, true: NDArray[np.bool_]) -> bytes:
        if self.model.integers_by_number:
            values = self.encoder.assignment(true)
            return repr([values[variable.number] for variable in self.model.shown]).encode()
        return np.packbits(true[self._numbers_of(self.model.shown)]).tobytes()

    def _satisfiable(self, budget: ConflictBudget | None, assumptions: list[int]) -> bool:
        if budget is None:
            return decide(self._solver, self._name, assumptions, self._progress, self.cuts)
        while (found := budget.step(self._solver, assumptions)) is None:
            pass
        return found

    def block(self, assignment: Sequence[int], switch: int | None = None) -> None:
        """Exclude solutions with the same shown values as one; with a ``switch`` only where it is true."""
        if self._block_true_only is None:
            self._block_true_only = never_nested(self.model, self._loops)
        if self._joins:
            self._blocked.add(self._shown_values(self.encoder.truth(assignment)))
        shown = self.model.shown
        if isinstance(shown, Literals) or not self.model.integers_by_number:
            numbers = self._numbers_of(shown)
            true = np.asarray(assignment, dtype=np.bool_)[numbers - 1]
            others = np.where(true, -numbers, numbers)
            clause = (others[true] if self._block_true_only else others).tolist()
        else:
            clause = [
                literal
                for variable in shown
                if assignment[variable.number] or not self._block_true_only
                for literal in self.encoder.other_value(variable, assignment[variable.number])
            ]
        self.add_clauses([clause if switch is None else [*clause, -switch]])

    def _numbers_of(self, shown: Sequence[Literal]) -> NDArray[np.int64]:
        """The variables of the shown Booleans, none of which is negated."""
        if isinstance(shown, Literals):
            return shown.numbers
        if self._shown_numbers[0] is not shown:
            self._shown_numbers = shown, np.array([literal.number + 1 for literal in shown], dtype=np.int64)
        return self._shown_numbers[1]

    def solutions(self, assumptions: Sequence[int] = (), switch: int | None = None) -> Iterator[list[int]]:
        """Yield all solutions that make the assumptions true and differ in the shown Booleans.

        With a ``switch`` (see :meth:`block`), which must be an assumption, they remain solutions without it.
        """
        while (found := self.next_solution(assumptions=assumptions)) is not None:
            yield found
            self.block(found, switch)


def fixed_variables(clauses: list[list[int]], variables: int) -> NDArray[np.int8]:
    """Return for each variable 1 or -1 if a unit clause fixes it, 0 otherwise."""
    fixed = np.zeros(variables + 1, dtype=np.int8)
    for clause in clauses:
        if len(clause) == 1:
            fixed[abs(clause[0])] = 1 if clause[0] > 0 else -1
    return fixed


def free_variables(model: Model, circuits: list[CycleForm], variables: int) -> NDArray[np.bool_]:
    """Return for each DIMACS variable whether one circuit and no other constraint contains it."""
    constraints = np.zeros(variables + 1, dtype=np.int64)
    for circuit in circuits:
        constraints += np.bincount(np.abs(circuit.literals), minlength=variables + 1) > 0
    bound: list[int] = []
    for constraint in model.constraints:
        if isinstance(constraint, Cardinalities):
            constraints[constraint.booleans() + 1] += 2
        elif not isinstance(constraint, Circuit | Path):
            bound += [literal.number + 1 for literal in constraint.literals()]
    constraints[bound] += 2
    # The end of a path that is fixed has an auxiliary variable.
    constraints[len(model) + 1 :] += 2
    free: NDArray[np.bool_] = constraints == 1
    return free


def guesses(model: Model, seed: int | None) -> list[int]:
    """Return a few shown Booleans, chosen by the seed, that the first solution should make true.

    They vary the first solution where there is no initial union of cycles. To shuffle the edges instead makes
    lazy cuts much slower. While the Booleans cannot all be true, the caller drops half of them.
    """
    if not seed:
        return []
    # Where an integer is shown, its variable says that it is above its least value, or has it.
    shown = [variable.number + 1 for variable in model.shown]
    return random.Random(seed).sample(shown, min(len(shown), 4))


def never_nested(model: Model, loops: int) -> bool:
    """Return whether no solution's set of true shown Booleans contains that of another solution.

    Then the true Booleans alone make a blocking clause, which is less than half as long on knight boards. The
    condition holds if the shown Booleans are exactly those of the edges of the only circuit or path, and it
    is undirected: any two cycles (or paths) through the same nodes have equally many edges.
    """
    shown = set(model.shown)
    for constraint in model.constraints:
        if isinstance(constraint, Circuit | Path) and not constraint.directed:
            edges = {literal for _, _, literal in constraint.arcs}
            if edges == shown and all(edge.positive for edge in edges):
                return loops == 1
    return False
