"""Names of SAT solvers and of encodings: the engine's own choices, and the check of names given by users."""

from __future__ import annotations

from ktsolve.base.errors import BadInput
from ktsolve.model.cycle_encodings import encoding_named

__all__ = [
    "LISTING_SOLVER",
    "MAIN_SOLVER",
    "TRIAL_SOLVER",
    "check_encoding_name",
    "check_solver_name",
    "check_takes_assumptions",
]

TRIAL_SOLVER = "minicard"
"""A solver with native cardinality bounds. Others need 64 clauses for a cell with eight moves: a board of
100x100 is loaded in 0.06 s instead of 0.8 s. Gluecard has such bounds too, but checks its conflict budget
only at restarts, once in 100,000 conflicts."""

MAIN_SOLVER = "cadical153"
"""The solver for models on which :data:`TRIAL_SOLVER` exhausts its conflict budget."""

LISTING_SOLVER = "cadical195"
"""Listing is thousands of short calls, each after one more clause, and this solver starts again where it was.
CPU seconds for the 9862 closed tours of 6x6 and the 18784 open ones of 5x6: cadical195 0.5 and 1.4, minisat22
0.5 and 2.3, glucose4 1.4 and 4.0, cadical153 1.4 and 5.6, lingeling 4.0 and 16.6."""


def check_solver_name(name: str) -> None:
    """Raise BadInput for a name that is not one of python-sat's solvers."""
    from pysat.solvers import SolverNames

    solvers = {key: names for key, names in vars(SolverNames).items() if not key.startswith("_")}
    if not any(name in names for names in solvers.values()):
        raise BadInput(f"SAT solver {name!r:.40} is unknown: use {', '.join(solvers)}")


def check_takes_assumptions(name: str) -> None:
    """Raise BadInput for a solver without conflict budgets or assumptions."""
    if name.startswith(("kissat", "lingeling", "cryptosat")):
        raise BadInput(f"SAT solver {name} takes no assumptions or no conflict budget: use {MAIN_SOLVER}")


def check_encoding_name(name: str) -> None:
    """Raise BadInput for a name that is neither ``lazy`` nor an eager encoding."""
    if name != "lazy":
        try:
            encoding_named(name)
        except BadInput as error:
            raise BadInput(f"{error}, or lazy") from None
