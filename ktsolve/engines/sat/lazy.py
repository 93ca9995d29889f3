"""The loop: solve, look for subtours, add their cuts, solve again; and blocking clauses to list solutions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from ktsolve.engines.sat.cuts import LazyCircuit
from ktsolve.errors import BadInput
from ktsolve.model.constraints import Circuit, Literal, Path
from ktsolve.model.encode import Encoder, as_circuit, number
from ktsolve.model.model import Model

__all__ = ["LazySolver", "check_solver_name"]


def check_solver_name(name: str) -> None:
    """Raise BadInput for a solver that python-sat does not have."""
    from pysat.solvers import SolverNames

    if not any(name in aliases for key, aliases in vars(SolverNames).items() if not key.startswith("_")):
        raise BadInput(
            f"SAT solver {name!r} is unknown: use cadical153, glucose4, minisat22 or another of python-sat"
        )


class LazySolver:
    """A model on an incremental SAT solver.

    Parameters
    ----------
    join:
        Join subtours before cutting them off. What comes out solves the model, but the SAT solver does not
        know it: good for one solution, not to list them.

    Attributes
    ----------
    rounds:
        Calls of the SAT solver so far.
    cuts:
        Cut clauses added so far.
    """

    def __init__(self, model: Model, solver: str, seed: int | None = None, *, join: bool = False) -> None:
        from pysat.solvers import Solver

        check_solver_name(solver)
        self.rounds = 0
        self.cuts = 0
        encoder = Encoder(model)
        circuits: list[Circuit] = []
        for constraint in model.constraints:
            if isinstance(constraint, Path) and constraint.nodes == 1:
                encoder.clauses.append([number(constraint.ends[0])])
            elif isinstance(constraint, Circuit | Path):
                circuit = as_circuit(constraint)
                circuits.append(circuit)
                encoder.degrees(circuit)
            else:
                encoder.add(constraint)
        free = _free(model, circuits) if join else frozenset[int]()
        self._circuits = [LazyCircuit(circuit, free) for circuit in circuits if circuit.nodes >= 3]
        # Every Boolean gets a value, also one that no clause mentions: solvers know all up to the last.
        if len(model) > 0:
            encoder.clauses.append([len(model), -len(model)])
        self._model = model
        self._variables = encoder.variables
        self._refuted = any(not clause for clause in encoder.clauses)
        self._guesses = _guesses(model, seed)
        self._block_true_only = _never_nested(model, circuits)
        self._solver: Any = None if self._refuted else Solver(name=solver, bootstrap_with=encoder.clauses)

    def close(self) -> None:
        """Give the solver's memory back."""
        if self._solver is not None:
            self._solver.delete()
            self._solver = None

    def next_solution(self) -> list[bool] | None:
        """A solution, or None if it is proved that there is no (further) one."""
        if self._refuted:
            return None
        while True:
            self.rounds += 1
            if not self._satisfiable():
                if not self._guesses:
                    return None
                self._guesses = self._guesses[: len(self._guesses) // 2]
                continue
            values = np.array(self._solver.get_model(), dtype=np.int64)
            true = np.zeros(self._variables + 1, dtype=np.bool_)
            true[values[(values > 0) & (values <= self._variables)]] = True
            for circuit in self._circuits:
                circuit.join(true)
            cuts = [cut for circuit in self._circuits for cut in circuit.violated(true)]
            if not cuts:
                self._guesses = []
                return list(true[1 : len(self._model) + 1].tolist())
            if any(not cut for cut in cuts):  # a part that no arc leaves
                self._refuted = True
                return None
            self.cuts += len(cuts)
            for cut in cuts:
                self._solver.add_clause(cut)

    def _satisfiable(self) -> bool:
        try:
            return bool(self._solver.solve(assumptions=self._guesses))
        except Exception as error:
            # python-sat hears Ctrl-C itself and says so with an error of its own.
            if "keyboard interrupt" in str(error).lower():
                raise KeyboardInterrupt from None
            raise

    def block(self, assignment: list[bool]) -> None:
        """Rule out this solution, as far as the model's shown Booleans tell."""
        clause = [
            -number(literal) if assignment[literal.number] else number(literal)
            for literal in self._model.shown
            if assignment[literal.number] or not self._block_true_only
        ]
        if clause:
            self._solver.add_clause(clause)
        else:
            self._refuted = True

    def solutions(self) -> Iterator[list[bool]]:
        """All solutions that differ in the shown Booleans."""
        while (found := self.next_solution()) is not None:
            yield found
            self.block(found)


def _free(model: Model, circuits: list[Circuit]) -> frozenset[int]:
    """DIMACS variables that only one of the circuits speaks of."""
    of_circuits = [{abs(number(literal)) for _, _, literal in circuit.arcs} for circuit in circuits]
    bound = {
        abs(number(literal))
        for constraint in model.constraints
        if not isinstance(constraint, Circuit | Path)
        for literal in constraint.literals()
    }
    for i, variables in enumerate(of_circuits):
        for others in of_circuits[:i]:
            bound |= variables & others
    return frozenset().union(*of_circuits) - bound


def _guesses(model: Model, seed: int | None) -> list[int]:
    """A few shown Booleans, chosen by the seed, to try true for the first solution.

    Shuffling edges or setting random phases ruins the luck that lazy cuts have with edges in row-major order;
    a few given moves leave it alone. If they cannot all be true, half of them are dropped, and so on.
    """
    if not seed:
        return []
    shown = [number(literal) for literal in model.shown]
    return random.Random(seed).sample(shown, min(len(shown), 4))


def _never_nested(model: Model, circuits: list[Circuit]) -> bool:
    """Is no solution's set of true shown Booleans contained in another's?

    Then the true ones alone make a blocking clause, less than half as long on knight boards. It is so when
    the shown Booleans are exactly those of the edges of one undirected circuit, its extra node aside: two
    cycles through the same nodes, or two paths, have equally many edges.
    """
    shown = set(model.shown)
    for constraint in model.constraints:
        if isinstance(constraint, Circuit | Path) and not constraint.directed:
            edges = {literal for _, _, literal in constraint.arcs}
            if edges == shown and all(isinstance(x, Literal) and x.positive for x in edges):
                return len(circuits) == 1
    return False
