"""Conditions from words, the same on the command line and in instance files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from ktsolve.errors import BadInput
from ktsolve.ground.board import Board
from ktsolve.ground.figures import LINES, magic_lines
from ktsolve.ground.notation import Cell, parse_cells, shown
from ktsolve.problem.conditions import Bound, CellSum, Condition, Order, StepRange
from ktsolve.problem.figured import SHAPES, Figure, step_list
from ktsolve.problem.statistic import Objective, Quantity

__all__ = ["CONDITION_KEYS", "SENSES", "parse_condition", "parse_objective"]


def _split(text: str, example: str) -> tuple[str, str]:
    left, sign, right = text.rpartition("=")
    if not (sign and left.strip() and right.strip()):
        raise BadInput(f"{shown(text)} is not understood: write {example}")
    return left.strip(), right.strip()


def _number(text: str, whole: str, example: str) -> int:
    if not re.fullmatch(r"\d{1,12}", text.strip(), re.ASCII):
        raise BadInput(f"{shown(whole)} is not understood: write {example}")
    return int(text)


def _range(text: str, board: Board) -> Iterator[Condition]:
    example = "CELL=LEAST..MOST, such as c3=5..10"
    cell, steps = _split(text, example)
    ends = steps.split("..")
    if len(ends) != 2:
        raise BadInput(f"{shown(text)} is not understood: write {example}")
    least = _number(ends[0], text, example) if ends[0].strip() else 1
    most = _number(ends[1], text, example) if ends[1].strip() else len(board)
    yield StepRange(board.cell(cell), least, most)


def _cells_in_order(text: str, board: Board) -> tuple[Cell, ...]:
    # A comma stands between cells, and within a cell that is told by row and column.
    parts = re.split(r"[\s;<]+|,(?=\s*[a-zA-Z(])", text.strip())
    return tuple(board.cell(part) for part in parts if part)


def _order(text: str, board: Board) -> Iterator[Condition]:
    yield Order(_cells_in_order(text, board))


def _figure(text: str, board: Board) -> Iterator[Condition]:
    left, _, right = text.partition("=")
    if not (left.strip() and right.strip()):
        raise BadInput(f"{shown(text)} is not understood: write STEPS=row|column|path|circuit|CELLS")
    where = right.strip()
    steps = step_list(left, len(board))
    if where in SHAPES and where != "cells":
        yield Figure(steps, where)
    else:
        yield Figure(steps, "cells", parse_cells(where, board.rows, board.columns))


def _sum(text: str, board: Board) -> Iterator[Condition]:
    example = "CELLS=TOTAL such as a1:h1=260, or rows=260"
    cells, total = _split(text, example)
    value = _number(total, text, example)
    if cells in LINES:
        if cells == "diagonals" and board.rows != board.columns:
            raise BadInput(f"sums of diagonals need a square board, not {board.size}")
        for line in magic_lines(board, cells):
            yield CellSum(frozenset(line), value)
    else:
        yield CellSum(parse_cells(cells, board.rows, board.columns), value)


def _bound(key: str) -> Callable[[str, Board], Iterator[Condition]]:
    def parse(text: str, board: Board) -> Iterator[Condition]:
        example = "QUANTITY=NUMBER, such as turns=20"
        name, number = _split(text, example)
        value = _number(number, text, example)
        quantity = Quantity.parse(name, board)
        yield Bound(quantity, None if key == "most" else value, None if key == "least" else value)

    return parse


CONDITION_KEYS: Mapping[str, Callable[[str, Board], Iterator[Condition]]] = {
    "range": _range,
    "order": _order,
    "figure": _figure,
    "sum": _sum,
    "least": _bound("least"),
    "most": _bound("most"),
    "exactly": _bound("exactly"),
}
"""Options, and keys of instance files, that state conditions."""


SENSES = ("minimise", "maximise")
"""Options, and keys of instance files, that state an objective."""


def parse_condition(key: str, text: str, board: Board) -> tuple[Condition, ...]:
    """The conditions that an option or a key states with a text; ``rows=260`` states several.

    Raises
    ------
    BadInput
        Naming the option and what would be right.

    Examples
    --------
    >>> parse_condition("order", "a1,c3", Board.parse("6x6"))
    (Order(cells=((5, 0), (3, 2))),)
    """
    try:
        found = tuple(CONDITION_KEYS[key](text, board))
        for condition in found:
            condition.validate(board)
    except BadInput as error:
        raise BadInput(f"{key}: {error}") from None
    return found


def parse_objective(sense: str, text: str, board: Board) -> Objective:
    """What is to be made least or greatest. Raises BadInput.

    >>> parse_objective("minimise", "turns", Board.parse("6x6")).text(Board.parse("6x6"))
    'minimise turns'
    """
    try:
        return Objective(sense, Quantity.parse(text, board))
    except BadInput as error:
        raise BadInput(f"{sense}: {error}") from None
