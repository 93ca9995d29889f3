"""What is read off a model, or off its clauses, before it is solved."""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from ktsolve.model.constraints import Circuit, Literal, Path
from ktsolve.model.encode import number
from ktsolve.model.model import Model

__all__ = ["fixed_variables", "free_variables", "guesses", "never_nested", "two_of_each"]


def two_of_each(groups: list[list[int]]) -> list[tuple[list[int], int]]:
    """Of each group exactly two are true, as bounds from above on literals."""
    bounds: list[tuple[list[int], int]] = []
    for members in groups:
        bounds.append((members, 2))
        bounds.append(([-literal for literal in members], len(members) - 2))
    return bounds


def fixed_variables(clauses: list[list[int]], variables: int) -> NDArray[np.int8]:
    """For each variable 1 or -1 if a clause of one literal fixes it, else 0."""
    fixed = np.zeros(variables + 1, dtype=np.int8)
    for clause in clauses:
        if len(clause) == 1:
            fixed[abs(clause[0])] = 1 if clause[0] > 0 else -1
    return fixed


def free_variables(model: Model, circuits: list[Circuit], variables: int) -> NDArray[np.bool_]:
    """Which DIMACS variables only one of the circuits speaks of, and nothing else."""
    times = np.zeros(variables + 1, dtype=np.int64)
    for circuit in circuits:
        of_circuit = [literal.number + 1 for _, _, literal in circuit.arcs]
        times += np.bincount(of_circuit, minlength=variables + 1) > 0
    bound = [
        literal.number + 1
        for constraint in model.constraints
        if not isinstance(constraint, Circuit | Path)
        for literal in constraint.literals()
    ]
    times[bound] += 2
    free: NDArray[np.bool_] = times == 1
    return free


def guesses(model: Model, seed: int | None) -> list[int]:
    """A few shown Booleans, chosen by the seed, to try true for the first solution.

    For models that have no edges to start from. Shuffling them ruins the luck that lazy cuts have with edges
    in row-major order; a few given moves leave it alone. If they cannot all be true, half of them are
    dropped, and so on.
    """
    if not seed:
        return []
    shown = [number(literal) for literal in model.shown]
    return random.Random(seed).sample(shown, min(len(shown), 4))


def never_nested(model: Model, circuits: list[Circuit]) -> bool:
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
