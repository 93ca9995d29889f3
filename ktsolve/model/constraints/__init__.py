"""Constraints. Each class checks an assignment and returns its own text."""

from ktsolve.model.constraints.basic import (
    Cardinalities,
    Cardinality,
    Clause,
    Constraint,
    Implication,
    Linear,
    When,
    variables_of,
)
from ktsolve.model.constraints.deferred import Arcs, Deferred, Literals
from ktsolve.model.constraints.globals import (
    AllDifferent,
    Cumulative,
    Decomposed,
    GlobalCardinality,
    Increasing,
    Inverse,
    LexLess,
    NoOverlap,
    Precedence,
    Regular,
    Table,
    Xor,
)
from ktsolve.model.constraints.graphs import (
    Arc,
    Circuit,
    Connected,
    Edge,
    Mark,
    Path,
    Subcircuit,
    Subpath,
    Tree,
    subcircuit,
)
from ktsolve.model.constraints.truth import truth
from ktsolve.model.expressions import Assignment
from ktsolve.model.variables import Literal

PLAIN_KINDS = frozenset(
    {
        *("clause", "implication", "cardinality", "cardinalities", "linear"),
        *("comparison", "conjunction", "disjunction", "when"),
        *("all_different", "inverse", "lex_less", "table", "increasing", "precedence", "global_cardinality"),
        *("no_overlap", "cumulative", "regular", "xor"),
    }
)
"""The kinds of all constraints but those on graphs."""

LOOP_KINDS = frozenset({"circuit", "path", "subcircuit", "subpath", "connected", "tree"})
"""The kinds of constraints on graphs."""

__all__ = [
    "LOOP_KINDS",
    "PLAIN_KINDS",
    "AllDifferent",
    "Arc",
    "Arcs",
    "Assignment",
    "Cardinalities",
    "Cardinality",
    "Circuit",
    "Clause",
    "Connected",
    "Constraint",
    "Cumulative",
    "Decomposed",
    "Deferred",
    "Edge",
    "GlobalCardinality",
    "Implication",
    "Increasing",
    "Inverse",
    "LexLess",
    "Linear",
    "Literal",
    "Literals",
    "Mark",
    "NoOverlap",
    "Path",
    "Precedence",
    "Regular",
    "Subcircuit",
    "Subpath",
    "Table",
    "Tree",
    "When",
    "Xor",
    "subcircuit",
    "truth",
    "variables_of",
]
