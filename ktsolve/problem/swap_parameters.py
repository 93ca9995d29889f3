"""Swap puzzles from the parameters of an instance file, each key checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.problem.parameters import check_keys
from ktsolve.problem.swap import SwapPuzzle

__all__ = ["longest_move", "swap_puzzle", "with_options"]


def longest_move(value: int | str) -> int | None:
    """Jumps of the longest move: a number, or None for ``any``.

    >>> longest_move("3"), longest_move("any")
    (3, None)
    """
    if value == "any":
        return None
    if isinstance(value, str):
        if not (value.isascii() and value.isdigit() and len(value) < 6):
            raise BadInput(f"longest {shown(value)} is no number of jumps: give 1, 2, 3, ..., or any")
        value = int(value)
    return value


def swap_puzzle(parameters: Mapping[str, Any]) -> SwapPuzzle:
    """The swap puzzle of an instance's parameters.

    Raises
    ------
    BadInput
        Naming the key and, in a picture, row and column.

    Examples
    --------
    >>> print(swap_puzzle({"start": "W.B", "goal": "B.W", "leaper": [0, 1]}))
    W.B to B.W in fewest jumps
    >>> swap_puzzle({"start": "W.B", "goal": "B.Q"})
    Traceback (most recent call last):
    ktsolve.base.errors.BadInput: parameters: goal, row 1, column 3: the start has no piece Q, only B, W
    """
    check_keys(
        parameters,
        {
            "start": str,
            "goal": str,
            "leaper": list,
            "leapers": dict,
            "wrap": str,
            "objective": str,
            "longest": (int, str),
            "different": bool,
            "colours": list,
            "alternate": bool,
            "peaceful": bool,
            "most": int,
        },
        "parameters",
    )
    for key in ("start", "goal"):
        if key not in parameters:
            raise BadInput(f'parameters.{key} is missing: draw it, such as {key} = "W.W/.x./B.B"')
    asked = dict(parameters)
    leaper = _pair(asked.pop("leaper", [1, 2]), "leaper")
    wrap = asked.pop("wrap", "none")
    leapers = {letter: _pair(pair, f"leapers.{letter}") for letter, pair in asked.pop("leapers", {}).items()}
    try:
        if "longest" in asked:
            asked["longest"] = longest_move(asked["longest"])
        drawn = SwapPuzzle(start=asked["start"], goal=asked["goal"]).board
        board = replace(drawn, leaper=leaper, wrap=wrap)
        return SwapPuzzle(**asked, board=board, leapers=leapers)
    except BadInput as error:
        raise BadInput(f"parameters: {error}") from None


def with_options(
    puzzle: SwapPuzzle, objective: str | None, longest: str | None, most: int | None
) -> SwapPuzzle:
    """The puzzle with another objective, longest move or number of steps, where one is given.

    The longest move of the puzzle is dropped if the objective changes.
    """
    kept = puzzle.longest if objective in (None, puzzle.objective) else None
    return replace(
        puzzle,
        objective=objective or puzzle.objective,
        longest=kept if longest is None else longest_move(longest),
        most=puzzle.most if most is None else most,
    )


def _pair(value: Any, key: str) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2 or any(type(x) is not int for x in value):
        raise BadInput(f"parameters.{key} must be two whole numbers, such as [1, 2], not {shown(value)}")
    return value[0], value[1]
