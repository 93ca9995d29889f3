"""What the readers of models share: numbers of variables, names in comments, soft clauses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ktsolve.base.errors import BadInput
from ktsolve.base.text import separated
from ktsolve.model.constraints import Literal
from ktsolve.model.model import Model

__all__ = ["ANNOUNCED", "ReadModel", "add_soft", "check_announced", "last_named", "names_of", "title"]

ANNOUNCED = 100_000
"""Variables that a file may announce without any text for them."""

_NAME = re.compile(rb"^[c*][ \t]+x?(\d{1,9})[ \t]+(\S[^\n]*?)[ \t]*\r?$", re.MULTILINE)

_TITLE = re.compile(rb"\A(?:\*[ \t]*#[^\n]*\n)?[c*][ \t]+(\S[^\n]*?)[ \t]*\r?(?:\n|\Z)")


@dataclass(frozen=True)
class ReadModel:
    """A model of a file.

    Attributes
    ----------
    model:
        The model.
    variables:
        The number of variables of the file: the first Booleans of the model; others are added ones.
    """

    model: Model
    variables: int


def check_announced(variables: int, text: bytes) -> int:
    """The number of variables of a file, if the text is long enough for that number.

    A variable has a digit or more in the text, except those without a constraint. So a much larger number is
    a mistake, and no memory is spent on it.

    Raises
    ------
    BadInput
        If the text is too short.
    """
    if variables > max(ANNOUNCED, 10 * len(text)):
        raise BadInput(
            f"the file states {separated(variables)} variables, and its text of {separated(len(text))} "
            "characters is too short for so many"
        )
    return variables


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
    if found is None or _NAME.match(found[0]):
        return default
    return found[1].decode("utf-8", "replace")


def add_soft(model: Model, clauses: Sequence[tuple[list[int], int]]) -> None:
    """Minimise the weight of the violated clauses: as ``Model.soft``, for many clauses at once.

    A clause of one literal is violated if the literal is false. Each other clause gets a Boolean
    ``violated[i]`` that is true exactly if all its literals are false, so that solutions stay as many.
    """
    total: dict[Literal, int] = {}
    hard: list[list[int]] = []
    longer = [(i, clause) for i, (clause, _) in enumerate(clauses, 1) if len(clause) != 1]
    new = iter(model.add_booleans([f"violated[{i}]" for i, _ in longer]).tolist())
    for clause, weight in clauses:
        if len(clause) == 1:
            violated = -clause[0]
        else:
            violated = next(new)
            hard.append([violated, *clause])
            hard += [[-violated, -literal] for literal in clause]
        literal = Literal(abs(violated) - 1, violated > 0)
        total[literal] = total.get(literal, 0) + weight
    if hard:
        model.add_clauses(hard)
    if total:
        model.minimise(total)
