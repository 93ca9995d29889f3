"""Analysis of a model and its clauses before they are solved."""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from ktsolve.model.constraints import Cardinalities, Circuit, Path
from ktsolve.model.loops.cycle import CycleForm
from ktsolve.model.model import Model

__all__ = ["fixed_variables", "free_variables", "guesses", "never_nested"]


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
    bound = [
        literal.number + 1
        for constraint in model.constraints
        if not isinstance(constraint, Circuit | Path | Cardinalities)
        for literal in constraint.literals()
    ]
    for constraint in model.constraints:
        if isinstance(constraint, Cardinalities):
            constraints[constraint.booleans() + 1] += 2
    constraints[bound] += 2
    # The end of a path that is fixed has an auxiliary variable.
    constraints[len(model) + 1 :] += 2
    free: NDArray[np.bool_] = constraints == 1
    return free


def guesses(model: Model, seed: int | None) -> list[int]:
    """Return a few shown Booleans, chosen by the seed, that the first solution should make true.

    They vary the first solution where there is no initial union of cycles. The alternative, to shuffle the
    edges, makes lazy cuts much slower than the row-major order. While the Booleans cannot all be true, the
    caller drops half of them.
    """
    if not seed:
        return []
    # Where an integer is shown, its variable says that it is above its least value.
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
