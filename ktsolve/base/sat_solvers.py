"""The SAT solvers of python-sat that can be chosen by name."""

from __future__ import annotations

from functools import cache

from ktsolve.base.errors import BadInput
from ktsolve.base.text import unknown

__all__ = ["offered_solvers", "sat_solver", "solver_names"]

_ALARM = "sets an alarm of the system, which ends the program 2,500 s later"
_UNFIT = {
    "cryptosat": "takes no conflict budget",
    "kissat404": "takes no assumptions, and no clauses after its first answer",
    "maplechrono": _ALARM,
    "maplecm": _ALARM,
}
"""Solvers of python-sat that no task can use, and why."""


@cache
def solver_names() -> dict[str, str]:
    """The names of python-sat's solvers, also short ones, each with the name that lists show.

    >>> solver_names()["cd15"]
    'cadical153'
    """
    from pysat.solvers import SolverNames

    found: dict[str, str] = {}
    for key, spellings in vars(SolverNames).items():
        if not key.startswith("_"):
            shown = key if key in spellings or key in _UNFIT else spellings[-1]
            found |= dict.fromkeys((key, *spellings), shown)
    return found


def offered_solvers() -> list[str]:
    """The names of the solvers that can be chosen."""
    return [name for name in dict.fromkeys(solver_names().values()) if name not in _UNFIT]


def sat_solver(name: object) -> str:
    """The shown name of a solver. Raises BadInput if it is unknown, or no task can use it."""
    found = solver_names().get(name) if isinstance(name, str) else None
    if found is None:
        raise unknown("SAT solver", name, offered_solvers())
    if found in _UNFIT:
        raise BadInput(f"SAT solver {name} {_UNFIT[found]}: use {', '.join(offered_solvers())}")
    return found
