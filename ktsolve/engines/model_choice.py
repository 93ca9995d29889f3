"""The choice of the solver of a model."""

from __future__ import annotations

from ktsolve.base.errors import Refused
from ktsolve.engines.registry import MODEL_ENGINES, solver_named, use_instead
from ktsolve.engines.solver import ModelSolver
from ktsolve.model.constraints import PLAIN_KINDS, Comparison, Constraint, Linear, Literal
from ktsolve.model.model import Model

__all__ = ["model_solver"]

_HEAVY = 1000
"""Least total of the weights of a sum that ``auto`` sends to CP-SAT. A subset of 30 numbers of five digits
with a given sum takes 0.32 CPU seconds on SAT and 0.13 on CP-SAT."""


def model_solver(name: str, model: Model) -> ModelSolver:
    """The solver of models of that name; for ``auto`` the first that takes the model.

    For ``auto`` a model with an objective, or with integers or large weights and without loops, goes to
    CP-SAT first: sums are long as clauses. Loops are faster on SAT, whose cuts are made where they are
    needed; so are Booleans of which as many or as few as possible are to be true, by unsatisfiable cores
    (dominating queens of 8x8 in 0.7 s instead of 18 s, with one thread).

    Raises
    ------
    Refused
        If the engine solves no models, or not this one.
    """
    loops = model.kinds - PLAIN_KINDS - {"objective"}
    sums = model.integers_by_number or any(map(_heavy, model.constraints))
    weighed = model.objective is not None and not _counts(model)
    to_cpsat = weighed or (sums and not loops)
    preferred = MODEL_ENGINES[::-1] if to_cpsat else MODEL_ENGINES
    names = preferred if name == "auto" else (name,)
    for solver in map(solver_named, names):
        unsupported = solver.unsupported_kind(model)
        if unsupported is None:
            return solver
    if name == "auto":
        raise Refused(f"no engine takes all of {', '.join(sorted(model.kinds))}")
    able = [each for each in MODEL_ENGINES if solver_named(each).unsupported_kind(model) is None]
    raise Refused(f"engine {name} takes no {unsupported}: {use_instead(able)}")


def _counts(model: Model) -> bool:
    """Return whether the only objective is a number of true literals, up to a factor and a constant."""
    (objective, *more) = model.objectives
    terms = objective.total.terms
    equal = len({abs(weight) for weight, _ in terms}) <= 1
    return not more and equal and all(isinstance(variable, Literal) for _, variable in terms)


def _heavy(constraint: Constraint) -> bool:
    """Return whether a constraint is a sum with large weights: its adders are many clauses."""
    if isinstance(constraint, Linear):
        weights = [weight for weight, _ in constraint.terms]
    elif isinstance(constraint, Comparison):
        weights = [weight for weight, _ in constraint.normal()[0]]
    else:
        return False
    return sum(map(abs, weights)) > _HEAVY and max(map(abs, weights)) > 1
