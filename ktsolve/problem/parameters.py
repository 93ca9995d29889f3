"""Tour problems from the parameters of an instance file, checked key by key; grids of steps with gaps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from ktsolve.base.errors import BadInput
from ktsolve.base.text import entries, shown
from ktsolve.graphs.board import Board, without_vertices
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.notation import Cell
from ktsolve.problem.conditions import KEYS, At, Condition, parse_value
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import SENSES, TourObjective, parse_objective

__all__ = ["MOST_CELLS", "check_keys", "clue_grid", "read_clues", "tour_objective", "tour_problem"]

_TYPE_NAMES = {str: "text", bool: "true or false", int: "a whole number", list: "a list", dict: "a table"}

MOST_CELLS = 10**6
"""Cells of the largest board of an instance: a model takes some 20 kB for each."""

_Value = TypeVar("_Value")


def check_keys(table: Mapping[str, Any], allowed: Mapping[str, type | tuple[type, ...]], where: str) -> None:
    """Make sure that a table has only known keys, with values of the right types.

    ``where`` is the table's name, empty for the whole file. Raises BadInput naming the key, and what was
    expected.
    """
    for key, value in table.items():
        # In quotes a key may hold anything.
        name = key if key.isprintable() and len(key) <= 20 else shown(key, 20)
        name = f"{where}.{name}" if where else name
        if key not in allowed:
            raise BadInput(f"{name} is unknown: expected one of {', '.join(sorted(allowed))}")
        kind = allowed[key]
        kinds = kind if isinstance(kind, tuple) else (kind,)
        # In Python true is a number; in an instance file it is not.
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            wanted = " or ".join(_TYPE_NAMES[kind] for kind in kinds if kind in _TYPE_NAMES)
            raise BadInput(f"{name} must be {wanted}, not {shown(value)}")


def tour_problem(parameters: Mapping[str, Any]) -> TourProblem:
    """The tour problem that an instance's parameters state.

    Raises BadInput naming the key, and what was expected, or the conditions that contradict each other.

    >>> print(tour_problem({"board": "3x4", "closed": False, "start": "a1"}))
    open 3x4 start a1
    >>> tour_problem({"board": "8+8", "closed": False})
    Traceback (most recent call last):
    ktsolve.base.errors.BadInput: parameters.board: '8+8' is not a board: write ROWSxCOLUMNS, such as 3x10
    """
    check_keys(
        parameters,
        {
            "board": (str, dict, Graph),
            "shape": str,
            "without": (str, list),
            "leaper": list,
            "wrap": str,
            "closed": bool,
            "clues": str,
            **{name: key.kind for name, (key, _) in KEYS.items()},
            **dict.fromkeys(SENSES, str),
        },
        "parameters",
    )
    if "closed" not in parameters:
        raise BadInput("parameters.closed is missing: write closed = true or closed = false")
    for key, value in parameters.items():
        if key != "leaper" and isinstance(value, list) and not all(isinstance(item, str) for item in value):
            raise BadInput(f"parameters.{key} must be a list of texts, not {shown(value)}")
    board, clues = _board(parameters)
    conditions: list[Condition] = [At(step, cell) for step, cell in clues.items()]
    for key in KEYS:
        if key in parameters:
            conditions += _under(key, partial(list, parse_value(key, parameters[key], board)))
    closed = parameters["closed"]
    return _under("", lambda: TourProblem(board=board, closed=closed, conditions=conditions))


def tour_objective(parameters: Mapping[str, Any], problem: TourProblem) -> TourObjective | None:
    """The objective that an instance's parameters state, or None.

    >>> parameters = {"board": "3x4", "closed": False, "minimise": "turns"}
    >>> tour_objective(parameters, tour_problem(parameters)).sense
    'minimise'
    """
    stated = [(sense, parameters[sense]) for sense in SENSES if sense in parameters]
    if len(stated) > 1:
        raise BadInput("parameters: minimise and maximise do not go together: give one of them")
    return _under("", lambda: parse_objective(*stated[0], problem.ground)) if stated else None


def _under(key: str, make: Callable[[], _Value]) -> _Value:
    """Return the result of ``make``; the message of its BadInput gets the name of the key."""
    try:
        return make()
    except BadInput as error:
        raise BadInput(f"parameters{'.' if key else ''}{key}: {error}") from None


def _graph(parameters: Mapping[str, Any]) -> Graph:
    """The graph in place of the board, without the vertices removed."""
    for key in ("shape", "clues", "leaper", "wrap"):
        if key in parameters:
            raise BadInput(f"parameters.{key} is about boards: leave it out, the board is a graph")
    given = parameters["board"]
    graph = given if isinstance(given, Graph) else _under("board", lambda: Graph.from_json(given))
    return _under("without", lambda: without_vertices(graph, graph.read_cells(_without(parameters))))


def _without(parameters: Mapping[str, Any]) -> str:
    given = parameters.get("without", "")
    return " ".join(given) if isinstance(given, list) else given


def _board(parameters: Mapping[str, Any]) -> tuple[Graph, dict[int, Cell]]:
    """The board or the graph, and the clues if a grid of them draws it."""
    given = parameters.get("board")
    if isinstance(given, str) and given.startswith("graph:"):
        raise BadInput(f"parameters.board: {shown(given)} is a graph: write graph instead of board")
    if isinstance(given, dict | Graph):
        return _graph(parameters), {}
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
        if len(board) > MOST_CELLS:
            raise BadInput(f"parameters.board: an instance has at most {MOST_CELLS} cells, not {len(board)}")
    else:
        raise BadInput('parameters.board is missing: write board = "8x8", or graph, or draw one with shape')
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
        board = _under("without", lambda: replace(board, removed=board.read_cells(_without(parameters))))
    return board, clues


# -- grids of step numbers with gaps ------------------------------------------------------------------------

_UNKNOWN = frozenset({".", "_", "0", "?"})
_HOLE = "#"


def read_clues(
    text: str, *, leaper: tuple[int, int] = (1, 2), wrap: str = "none"
) -> tuple[Board, dict[int, Cell]]:
    r"""The board of a partly numbered grid, and its clues.

    The text has a line per row, entries separated by spaces: a step number, ``.`` for a cell whose step is to
    be found (``_``, ``?`` and ``0`` as well), ``#`` for a hole; ``|`` may stand between entries. Raises
    BadInput naming line and entry.

    >>> board, clues = read_clues("1 . . 10\n. . # .\n3 . 9 .")
    >>> str(board), clues[9]
    ('3x4 without c2', (2, 2))
    """
    if not (rows := entries(text, "clues")):
        raise BadInput("there are no clues in the input: it is empty")
    holes: set[Cell] = set()
    clues: dict[int, Cell] = {}
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            if mark == _HOLE:
                holes.add((r, c))
            elif mark not in _UNKNOWN and mark.strip("0"):
                if not (mark.isascii() and mark.isdigit() and len(mark) < 10):
                    raise BadInput(
                        f"line {r + 1}, entry {c + 1} of the clues: {shown(mark, 20)} is neither a step "
                        "number, nor . for a cell to be found, nor # for a hole"
                    )
                if int(mark) in clues:
                    raise BadInput(f"line {r + 1}, entry {c + 1} of the clues: step {int(mark)} occurs twice")
                clues[int(mark)] = (r, c)
    return Board(len(rows), len(rows[0]), frozenset(holes), leaper, wrap), clues


def clue_grid(board: Board, clues: Mapping[int, Cell]) -> str:
    """The grid that :func:`read_clues` reads.

    >>> print(clue_grid(Board.parse("2x3", without="c1"), {1: (0, 0), 5: (1, 1)}))
    1 . .
    . 5 #
    """
    width = len(str(len(board)))
    marks = {cell: str(step) for step, cell in clues.items()}
    return "\n".join(
        " ".join(
            (_HOLE if (r, c) in board.removed else marks.get((r, c), ".")).rjust(width)
            for c in range(board.columns)
        )
        for r in range(board.rows)
    )
