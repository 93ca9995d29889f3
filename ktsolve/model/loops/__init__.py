"""Loop constraints as clauses: normal forms in DIMACS numbering, degree clauses, complete encodings.

A *loop constraint* is a circuit, subcircuit, path or subpath, or says that nodes are connected or that edges
form a tree. Its form has two encodings: ``relax`` adds clauses that every solution satisfies and that the SAT
engine completes by cuts; ``complete`` adds all clauses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ktsolve.model.clauses import ClauseWriter
from ktsolve.model.constraints import Circuit, Connected, Path, Subcircuit, Subpath, Tree
from ktsolve.model.loops.connection import ConnectionForm, connection_form
from ktsolve.model.loops.cycle import CycleForm, cycle_form

__all__ = ["LOOPS", "Form", "LoopConstraint", "loop_form"]

LoopConstraint: TypeAlias = Circuit | Path | Subcircuit | Subpath | Connected | Tree

LOOPS = (Circuit, Path, Subcircuit, Subpath, Connected, Tree)
"""The classes of loop constraints."""

Form: TypeAlias = CycleForm | ConnectionForm


def loop_form(constraint: LoopConstraint, out: ClauseWriter, unless: Sequence[int] = ()) -> Form:
    """Return the normal form of a loop constraint.

    Parameters
    ----------
    out:
        Clauses that get a variable that is always true, if the form needs one.
    unless:
        Literals in DIMACS numbering, each of which lifts the constraint.
    """
    if isinstance(constraint, Connected | Tree):
        return connection_form(constraint, out, unless)
    return cycle_form(constraint, out, unless)
