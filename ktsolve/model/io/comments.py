"""Comments of exported files: the names of variables, and how to read the value of an integer."""

from __future__ import annotations

from ktsolve.base.errors import BadInput
from ktsolve.model.encode import Encoder
from ktsolve.model.model import Model
from ktsolve.model.statements import Objective
from ktsolve.model.variables import Integer

__all__ = ["on_one_line", "only_objective", "shown_variables", "variable_comments"]


def on_one_line(text: str) -> str:
    """Return a name on one line, for use in a comment."""
    return " ".join(text.split())


def only_objective(model: Model, form: str) -> Objective | None:
    """Return the objective of a model. Raises BadInput for several lexicographic ones."""
    if len(model.objectives) > 1:
        raise BadInput(
            f"{form} has one objective, but the model has {len(model.objectives)}: keep the first, or add "
            "them up with weights"
        )
    return model.objective


def variable_comments(model: Model, encoder: Encoder, x: str = "") -> list[str]:
    """Return a comment for each variable of the clauses that means something in the model.

    A Boolean has its name, a variable of an integer ``x >= 3``. A further comment for each integer says which
    true variables are to be counted: ``integer x = 1 + 4 + 7 + 8``. A name ``x5`` of variable 5 is left out.

    Parameters
    ----------
    x:
        Text before each number of a variable.
    """
    names = {i: on_one_line(name) for i, name in enumerate(model.names, 1)}
    values = []
    for number, ordered in encoder.order.integers.items():
        name = names.pop(number + 1)
        for value, literal in zip(ordered.values[1:], ordered.literals, strict=True):
            names[literal] = f"{name} >= {value}"
        if not ordered.literals:
            names[number + 1] = f"{name} >= {ordered.values[0] + 1}"
        counted = "".join(f" + {x}{literal}" for literal in ordered.literals)
        values.append(f"integer {name} = {ordered.values[0]}{counted}")
    return [*(f"{x}{i} {names[i]}" for i in sorted(names) if names[i] != f"x{i}"), *values]


def shown_variables(model: Model, encoder: Encoder) -> list[int]:
    """Return the variables of the clauses that distinguish solutions, ascending."""
    found: set[int] = set()
    for variable in model.shown:
        if isinstance(variable, Integer):
            found |= {variable.number + 1, *encoder.order.integers[variable.number].literals}
        else:
            found.add(variable.number + 1)
    return sorted(found)
