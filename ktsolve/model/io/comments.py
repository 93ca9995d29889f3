"""Comments of model files: names of the model and its variables, and how to read the value of an integer."""

from __future__ import annotations

import re
from itertools import pairwise

from ktsolve.base.errors import BadInput
from ktsolve.model.encode import Encoder
from ktsolve.model.model import Model
from ktsolve.model.statements import Objective
from ktsolve.model.variables import Integer

__all__ = [
    "last_named",
    "names_of",
    "on_one_line",
    "only_objective",
    "shown_variables",
    "title",
    "title_comment",
    "variable_comments",
]

_NAME = re.compile(rb"^[c*][ \t]+x?(\d{1,9})[ \t]+(\S[^\n]*?)[ \t]*\r?$", re.MULTILINE)

_TITLE = re.compile(rb"\A(?:\*[ \t]*#[^\n]*\n)?[c*][ \t]+(\S[^\n]*?)[ \t]*\r?(?:\n|\Z)")


def names_of(head: bytes, variables: int) -> list[str]:
    r"""The names of variables: those in comments such as ``c 1 a`` or ``* x1 a``, else ``x1``, ``x2``.

    Comments that name a number out of order, or two variables alike, are about something else.

    >>> names_of(b"c 1 a\nc 3 b\n", 3)
    ['a', 'x2', 'b']
    """
    names = [f"x{number}" for number in range(1, variables + 1)]
    changed = names.copy()
    for number, name in _given(head):
        if number > variables:
            return names
        changed[number - 1] = name
    return changed if len(set(changed)) == variables else names


def last_named(head: bytes) -> int:
    """The number of the last variable that the comments name; 0 if they name none."""
    return max((number for number, _ in _given(head)), default=0)


def _given(head: bytes) -> list[tuple[int, str]]:
    """The names in comments, with their variables; empty if these do not rise."""
    found = [(int(each[1]), each[2].decode("utf-8", "replace")) for each in _NAME.finditer(head)]
    rising = all(one < other for (one, _), (other, _) in pairwise([(0, ""), *found]))
    return found if rising else []


def title(head: bytes, default: str) -> str:
    """The first comment, if it names no variable: ktsolve writes the name of the model there."""
    found = _TITLE.match(head)
    if found is None or _NAME.match(b"c " + found[1]):
        return default
    return found[1].decode("utf-8", "replace")


def title_comment(name: str) -> str:
    """The text of the first comment, for the name of a model; ``3 coins`` alone would name variable 3.

    >>> title_comment("coins"), title_comment("3 coins")
    ('coins', 'model 3 coins')
    """
    line = on_one_line(name)
    return f"model {line}" if _NAME.match(f"c {line}".encode()) else line


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
    ``x`` precedes each number of a variable.
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
