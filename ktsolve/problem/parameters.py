"""Tour problems from the parameters of an instance file, checked key by key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from ktsolve.errors import BadInput
from ktsolve.ground.board import Board, Move
from ktsolve.ground.figures import CORNERS, LINES, corner_moves
from ktsolve.ground.notation import Cell, parse_cells, shown
from ktsolve.ground.symmetry import named_symmetry
from ktsolve.problem.clues import read_clues
from ktsolve.problem.condition_words import CONDITION_KEYS, SENSES, parse_condition, parse_objective
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistic import Objective

__all__ = ["check_keys", "tour_objective", "tour_problem"]

_TYPE_NAMES = {str: "text", bool: "true or false", int: "a whole number", list: "a list", dict: "a table"}

_MOST_CELLS = 10**6
"""A model takes some 20 kB for a cell."""

_Value = TypeVar("_Value")


def check_keys(table: Mapping[str, Any], allowed: Mapping[str, type | tuple[type, ...]], where: str) -> None:
    """Make sure that a table has only known keys, with values of the right types.

    ``where`` is the table's name, empty for the whole file.

    Raises
    ------
    BadInput
        Naming the key, and what was expected.
    """
    for key, value in table.items():
        name = f"{where}.{_key(key)}" if where else _key(key)
        if key not in allowed:
            raise BadInput(f"{name} is unknown: expected one of {', '.join(sorted(allowed))}")
        kind = allowed[key]
        kinds = kind if isinstance(kind, tuple) else (kind,)
        # In Python true is a number; in an instance file it is not.
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            wanted = " or ".join(_TYPE_NAMES[kind] for kind in kinds)
            raise BadInput(f"{name} must be {wanted}, not {shown(value)}")


def _key(key: str) -> str:
    # In quotes a key may hold anything.
    return key if key.isprintable() and len(key) <= 20 else shown(key, 20)


def tour_problem(parameters: Mapping[str, Any]) -> TourProblem:
    """The tour problem that an instance's parameters state.

    Raises
    ------
    BadInput
        Naming the key, and what was expected; for conditions that contradict each other, naming those.

    Examples
    --------
    >>> print(tour_problem({"board": "3x4", "closed": False, "start": "a1"}))
    open 3x4 start a1
    >>> tour_problem({"board": "8*8", "closed": False})
    Traceback (most recent call last):
    ktsolve.errors.BadInput: parameters.board: '8*8' is not a board: write ROWSxCOLUMNS, such as 3x10
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
            "starts": list,
            "ends": list,
            "require": list,
            "forbid": list,
            "steps": dict,
            "symmetry": str,
            "corners": list,
            "structured": bool,
            "magic": list,
            "clues": str,
            **dict.fromkeys(CONDITION_KEYS, list),
            **dict.fromkeys(SENSES, str),
        },
        "parameters",
    )
    if "closed" not in parameters:
        raise BadInput("parameters.closed is missing: write closed = true or closed = false")
    for key in ("without", "require", "forbid", "corners", "magic", "starts", "ends", *CONDITION_KEYS):
        value = parameters.get(key, [])
        if isinstance(value, list) and not all(isinstance(item, str) for item in value):
            raise BadInput(f"parameters.{key} must be a list of texts, not {shown(value)}")
    board, clues = _board(parameters)
    corners = _words(parameters, "corners", CORNERS)
    magic = _words(parameters, "magic", LINES)
    if parameters.get("structured", False):
        corners = CORNERS
    asked_by = "corners" if "corners" in parameters else "structured"
    _under(asked_by, lambda: [corner_moves(board, corner) for corner in corners])
    symmetry = parameters.get("symmetry")
    if symmetry is not None:
        _under("symmetry", lambda: named_symmetry(board, symmetry))
    start, end = _cell(parameters, "start", board), _cell(parameters, "end", board)
    require, forbid = _moves(parameters, "require", board), _moves(parameters, "forbid", board)
    starts, ends = _cells(parameters, "starts", board), _cells(parameters, "ends", board)
    steps = [*clues.items(), *_steps(parameters.get("steps", {}), board)]
    conditions = [
        condition
        for key in CONDITION_KEYS
        for text in parameters.get(key, [])
        for condition in _under("", partial(parse_condition, key, text, board))
    ]
    return _under(
        "",
        lambda: TourProblem(
            board=board,
            closed=parameters["closed"],
            start=start,
            end=end,
            require=require,
            forbid=forbid,
            steps=steps,
            symmetry=symmetry,
            corners=corners,
            magic=magic,
            starts=starts,
            ends=ends,
            conditions=conditions,
        ),
    )


def tour_objective(parameters: Mapping[str, Any], problem: TourProblem) -> Objective | None:
    """What an instance's parameters ask to make least or greatest, if anything.

    >>> parameters = {"board": "3x4", "closed": False, "minimise": "turns"}
    >>> tour_objective(parameters, tour_problem(parameters)).sense
    'minimise'
    """
    asked = [sense for sense in SENSES if sense in parameters]
    if len(asked) > 1:
        raise BadInput("parameters: minimise and maximise do not go together: give one of them")
    if not asked:
        return None
    return _under("", lambda: parse_objective(asked[0], parameters[asked[0]], problem.board))


def _under(key: str, make: Callable[[], _Value]) -> _Value:
    """What ``make`` gives; what it finds wrong is said to be wrong with this key."""
    try:
        return make()
    except BadInput as error:
        raise BadInput(f"parameters{'.' if key else ''}{key}: {error}") from None


def _board(parameters: Mapping[str, Any]) -> tuple[Board, dict[int, Cell]]:
    """The board, and the clues if a grid of them draws it."""
    clues: dict[int, Cell] = {}
    for key in ("clues", "shape"):
        if key in parameters and len({"board", "without", "shape", "clues"} & parameters.keys()) > 1:
            raise BadInput(
                f"parameters.{key} draws the whole board: leave out board, without and other drawings"
            )
    if "clues" in parameters:
        board, clues = _under("clues", lambda: read_clues(parameters["clues"]))
    elif "shape" in parameters:
        lines = parameters["shape"].strip().splitlines()
        board = _under("shape", lambda: Board.from_picture(lines))
    elif "board" in parameters:
        board = _under("board", lambda: Board.parse(parameters["board"]))
        if len(board) > _MOST_CELLS:
            raise BadInput(f"parameters.board: an instance has at most {_MOST_CELLS} cells, not {len(board)}")
    else:
        raise BadInput('parameters.board is missing: write board = "8x8", or draw one with shape')
    if "leaper" in parameters:
        leaper = parameters["leaper"]
        if len(leaper) != 2 or not all(isinstance(x, int) and not isinstance(x, bool) for x in leaper):
            raise BadInput(
                f"parameters.leaper must be two whole numbers, such as [1, 2], not {shown(leaper)}"
            )
        board = _under("leaper", lambda: replace(board, leaper=(leaper[0], leaper[1])))
    if "wrap" in parameters:
        board = _under("wrap", lambda: replace(board, wrap=parameters["wrap"]))
    if "without" in parameters:
        without = parameters["without"]
        text = " ".join(without) if isinstance(without, list) else without
        board = _under(
            "without", lambda: replace(board, removed=parse_cells(text, board.rows, board.columns))
        )
    return board, clues


def _words(parameters: Mapping[str, Any], key: str, known: tuple[str, ...]) -> tuple[str, ...]:
    words = tuple(parameters.get(key, ()))
    for word in words:
        if word not in known:
            raise BadInput(f"parameters.{key}: {shown(word)} is unknown: use {', '.join(known)}")
    return words


def _cell(parameters: Mapping[str, Any], key: str, board: Board) -> Cell | None:
    return _under(key, lambda: board.cell(parameters[key])) if key in parameters else None


def _cells(parameters: Mapping[str, Any], key: str, board: Board) -> list[Cell]:
    return _under(key, lambda: [board.cell(cell) for cell in parameters.get(key, [])])


def _moves(parameters: Mapping[str, Any], key: str, board: Board) -> list[Move]:
    return _under(key, lambda: [board.move(move) for move in parameters.get(key, [])])


def _steps(table: Mapping[str, Any], board: Board) -> list[tuple[int, Cell]]:
    steps = []
    for key, cell in table.items():
        if not (key.isascii() and key.isdigit() and len(key) < 10) or not isinstance(cell, str):
            raise BadInput(
                f"parameters.steps: {_key(key)} = {shown(cell, 20)} is not understood: "
                'write 5 = "c3" for c3 at step 5'
            )
        steps.append((int(key), _under(f"steps.{key}", partial(board.cell, cell))))
    return steps
