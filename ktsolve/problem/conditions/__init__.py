"""Conditions on a tour: a class each, a file for each family.

A module in this folder is imported by itself; a class in it needs no other entry anywhere.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.graphs.graph import Graph
from ktsolve.problem.conditions.bound import Bound
from ktsolve.problem.conditions.condition import CLASSES, EXAMPLE_BOARD, Condition, Key
from ktsolve.problem.conditions.figure import Figure
from ktsolve.problem.conditions.geometric import Corner, Symmetric
from ktsolve.problem.conditions.moves import End, Forbid, Require, Start
from ktsolve.problem.conditions.steps import At, CellSum, EqualSums, Order, StepRange

__all__ = [
    "CONDITION_CLASSES",
    "CONDITION_FEATURES",
    "EXAMPLE_BOARD",
    "KEYS",
    "At",
    "Bound",
    "CellSum",
    "Condition",
    "Corner",
    "End",
    "EqualSums",
    "Figure",
    "Forbid",
    "Key",
    "Order",
    "Require",
    "Start",
    "StepRange",
    "Symmetric",
    "parse_condition",
    "parse_value",
]

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

CONDITION_CLASSES: tuple[type[Condition], ...] = tuple(sorted(CLASSES, key=lambda each: each.place))
"""The classes of conditions, in the order in which conditions are listed."""

globals().update({each.__name__: each for each in CONDITION_CLASSES})

KEYS: Mapping[str, tuple[Key, type[Condition]]] = {
    key.name: (key, each) for each in CONDITION_CLASSES for key in each.keys
}
"""The keys that state conditions, each with its class."""

CONDITION_FEATURES: Mapping[str, str] = {
    name: words for each in CONDITION_CLASSES for name, words in each.features.items()
}
"""The features of conditions, with their descriptions."""


def parse_condition(key: str, text: str, ground: Graph) -> tuple[Condition, ...]:
    """The conditions that an option or a key states with a text; ``rows=260`` states several.

    Raises BadInput with what would be right.

    >>> from ktsolve.graphs.board import Board
    >>> parse_condition("order", "a1,c3", Board.parse("6x6"))
    (Order(cells=((5, 0), (3, 2))),)
    """
    return tuple(condition.on(ground) for condition in KEYS[key][1].parse(key, text, ground))


def parse_value(key: str, value: Any, ground: Graph) -> Iterator[Condition]:
    """The conditions that a key of an instance file states: text, list of texts, table, or true.

    >>> from ktsolve.graphs.board import Board
    >>> list(parse_value("at", {"5": "c3"}, Board.parse("6x6")))
    [At(step=5, cell=(3, 2))]
    """
    if value and key in ("starts", "ends"):  # one condition for all cells of the list
        value = " ".join(value)
    if isinstance(value, dict):
        for left, right in value.items():
            if not isinstance(right, str):
                raise BadInput(f'{shown(left, 20)} = {shown(right, 20)} is not understood: write 5 = "c3"')
            yield from parse_condition(key, f"{left}={right}", ground)
    elif isinstance(value, bool):
        if value:
            yield from parse_condition(key, "", ground)
    else:
        for text in [value] if isinstance(value, str) else value:
            yield from parse_condition(key, text, ground)
