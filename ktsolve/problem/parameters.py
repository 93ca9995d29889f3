"""Tour problems from the parameters of an instance file, checked key by key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ktsolve.errors import BadInput
from ktsolve.ground.board import Board
from ktsolve.problem.problem import TourProblem

__all__ = ["check_keys", "tour_problem"]

_TYPE_NAMES = {str: "text", bool: "true or false", int: "a whole number", list: "a list", dict: "a table"}


def check_keys(
    table: Mapping[str, Any], allowed: Mapping[str, type | tuple[type, ...]], where: str
) -> None:
    """Make sure that a table has only known keys, with values of the right types.

    ``where`` is the table's name, empty for the whole file.

    Raises
    ------
    BadInput
        Naming the key, and what was expected.
    """
    for key, value in table.items():
        name = f"{where}.{key}" if where else key
        if key not in allowed:
            raise BadInput(f"{name} is unknown: expected one of {', '.join(sorted(allowed))}")
        kinds = allowed[key] if isinstance(allowed[key], tuple) else (allowed[key],)
        # In Python true is a number; in an instance file it is not.
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):  # type: ignore[arg-type]
            wanted = " or ".join(_TYPE_NAMES[kind] for kind in kinds)  # type: ignore[index]
            raise BadInput(f"{name} must be {wanted}, not {value!r:.40}")


def tour_problem(parameters: Mapping[str, Any]) -> TourProblem:
    """The tour problem that an instance's parameters state.

    >>> print(tour_problem({"board": "3x4", "closed": False, "start": "a1"}))
    open 3x4 start a1
    """
    check_keys(
        parameters,
        {
            "board": str,
            "shape": str,
            "without": (str, list),
            "leaper": list,
            "wrap": str,
            "closed": bool,
            "start": str,
            "end": str,
            "require": list,
            "forbid": list,
            "steps": dict,
            "symmetry": str,
            "corners": list,
            "structured": bool,
            "magic": list,
        },
        "parameters",
    )
    if "closed" not in parameters:
        raise BadInput("parameters.closed is missing: write closed = true or closed = false")
    for key in ("without", "require", "forbid", "corners", "magic"):
        value = parameters.get(key, [])
        if isinstance(value, list) and not all(isinstance(item, str) for item in value):
            raise BadInput(f"parameters.{key} must be a list of texts")
    corners = parameters.get("corners", parameters.get("structured", ()))
    return _naming(
        "parameters",
        lambda: TourProblem(
            board=_board(parameters),
            closed=parameters["closed"],
            start=parameters.get("start"),
            end=parameters.get("end"),
            require=parameters.get("require", ()),
            forbid=parameters.get("forbid", ()),
            steps=_steps(parameters.get("steps", {})),
            symmetry=parameters.get("symmetry"),
            corners=corners,
            magic=parameters.get("magic", ()),
        ),
    )


def _naming(where: str, make: Callable[[], TourProblem]) -> TourProblem:
    try:
        return make()
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None


def _board(parameters: Mapping[str, Any]) -> Board:
    leaper = parameters.get("leaper", [1, 2])
    if len(leaper) != 2 or not all(isinstance(x, int) and not isinstance(x, bool) for x in leaper):
        raise BadInput(f"leaper must be two whole numbers, such as [1, 2], not {leaper!r:.40}")
    wrap = parameters.get("wrap", "none")
    if "shape" in parameters:
        if "board" in parameters or "without" in parameters:
            raise BadInput("shape draws the whole board: leave out board and without")
        lines = parameters["shape"].strip().splitlines()
        return Board.from_picture(lines, leaper=(leaper[0], leaper[1]), wrap=wrap)
    if "board" not in parameters:
        raise BadInput('board is missing: write board = "8x8", or draw one with shape')
    without = parameters.get("without", "")
    if isinstance(without, list):
        without = " ".join(without)
    return Board.parse(parameters["board"], without=without, leaper=(leaper[0], leaper[1]), wrap=wrap)


def _steps(table: Mapping[str, Any]) -> dict[int, str]:
    steps: dict[int, str] = {}
    for key, cell in table.items():
        if not (key.isascii() and key.isdigit() and len(key) < 10) or not isinstance(cell, str):
            raise BadInput(f'steps: {key} = {cell!r:.20} is not understood: write 5 = "c3" for c3 at step 5')
        steps[int(key)] = cell
    return steps
