"""Constraints. Each class checks an assignment and returns its own text."""

from ktsolve.model.constraints.basic import Cardinality, Clause, Implication, Linear
from ktsolve.model.constraints.block import Cardinalities
from ktsolve.model.constraints.literal import Assignment, Constraint, Literal, Namer
from ktsolve.model.constraints.loops import Arc, Circuit, Path, Subcircuit, subcircuit

__all__ = [
    "Arc",
    "Assignment",
    "Cardinalities",
    "Cardinality",
    "Circuit",
    "Clause",
    "Constraint",
    "Implication",
    "Linear",
    "Literal",
    "Namer",
    "Path",
    "Subcircuit",
    "subcircuit",
]
