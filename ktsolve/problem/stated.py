"""What a user states of a problem in Python, as a graph, cells and texts of conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from numbers import Integral
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.base.text import quoted, shown
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph, Vertex
from ktsolve.graphs.named_graphs import PREFIX, named_graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import KEYS, End, Start
from ktsolve.problem.statistics import Statistic

__all__ = ["end_cells", "graph_of", "step_number", "texts_of"]

_RIGHT = "give a TourProblem, a board such as '8x8', or a graph"


def graph_of(given: Any, shape: Mapping[str, Any]) -> Graph:
    """The board of a size, the graph of a name after ``graph:``, or the graph that a user has in Python.

    ``shape`` has what is said of a board beside its size. Raises BadInput for anything else.
    """
    if isinstance(given, str) and given.startswith(PREFIX):
        if shape:
            raise BadInput(
                f"{next(iter(shape))} is about boards, and {shown(given)} is a graph: leave it out"
            )
        return named_graph(given)
    if isinstance(given, str) or (
        isinstance(given, tuple) and len(given) == 2 and all(type(side) is int for side in given)
    ):
        return Board.parse(given, **shape)
    ground = given if isinstance(given, Graph) else _graph(given)
    if shape:
        name = next(iter(shape))
        if isinstance(ground, Board):
            stated = ", ".join(f"{name}={shown(value)}" for name, value in shape.items())
            raise BadInput(f"{name} belongs to the board: Board.parse({ground.size!r}, {stated})")
        instead = "remove these nodes from the graph" if name == "without" else "leave it out"
        raise BadInput(f"{name} is about boards, and a graph is given: {instead}")
    return ground


def _graph(given: Any) -> Graph:
    from ktsolve.graphs.edge_arrays import is_graph  # with NumPy

    if isinstance(given, Tour):
        raise BadInput("a tour is not a problem: give its board, or TourProblem(tour.board).check(tour)")
    if not is_graph(given):
        right = "ktsolve.solve(model) solves it" if type(given).__name__ == "Model" else _RIGHT
        raise BadInput(f"{_kind(given)} is not a problem: {right}")
    return Graph.of(given)


def step_number(step: object) -> int:
    """The number of a step. Raises BadInput for anything else, such as True."""
    if isinstance(step, bool) or not isinstance(step, (int, Integral)):
        raise BadInput(f"step {shown(step)} is not a step number: write 5 for the fifth cell")
    return int(step)


def end_cells(kind: type[Start | End], given: Any, ground: Graph) -> frozenset[Vertex]:
    """The cells of an end: none, one, several in a list, or the text of the option."""
    if given is None:
        return frozenset()
    if given in ground:
        return frozenset({ground.cell(given)})
    if isinstance(given, (list, set, frozenset)):
        return frozenset(map(ground.cell, given))
    if isinstance(given, str):
        return frozenset(cell for each in kind.parse("", given, ground) for cell in each.cells)
    return frozenset({ground.cell(given)})


def texts_of(key: str, value: Any, ground: Graph) -> list[str]:
    """The texts of a keyword that has them in an instance file: ``order``, ``most`` and the like.

    Raises BadInput for a keyword that does not exist, or a value of another kind.
    """
    if key not in KEYS:
        if key in {each.name for each in fields(Settings)}:
            raise BadInput(f"{key} is a setting: give settings=Settings({key}={value!r:.40})")
        if key == "open":
            raise BadInput("condition 'open' is unknown: use closed=False")
        known = ("board", "closed", "without", "leaper", "wrap", "conditions", *KEYS)
        near = get_close_matches(key, known, 1)
        raise BadInput(f"condition {shown(key)} is unknown: use {near[0] if near else ', '.join(known)}")
    form = KEYS[key][0]
    if isinstance(value, Mapping):
        sides = (form.cells == "left", form.cells == "right")
        return [
            "=".join(_side(*each, ground) for each in zip(pair, sides, strict=True)) for pair in value.items()
        ]
    if isinstance(value, str) or not isinstance(value, Iterable):
        listed = [value]
    elif form.cells != "all":
        listed = list(value)
    elif key == "order" and isinstance(value, set | frozenset):
        raise BadInput(f"an order of cells is a list, not the set {shown(value)}")
    else:
        listed = list(value)
        several = not all(_is_cell(each, ground) for each in listed)
        listed = [_side(each, True, ground) for each in listed] if several else [_side(listed, True, ground)]
    if not all(isinstance(text, str) for text in listed):
        raise BadInput(
            f"{key} takes a text such as {form.example!r}, or several in a list, not {shown(value)}"
        )
    return listed


def _is_cell(given: Any, ground: Graph) -> bool:
    try:
        ground.cell(given)
    except (BadInput, TypeError):
        return False
    return True


def _side(given: Any, cells: bool, ground: Graph) -> str:
    """One side of a condition as text: cells, a range of steps, a statistic with its moves, or a number."""
    if cells and not isinstance(given, str | bool) and isinstance(given, Iterable) and given not in ground:
        return ",".join(_side(ground.cell(each), True, ground) for each in given)
    if cells and (not isinstance(given, str) or given in ground):
        cell = ground.cell(given)
        return ground.name(cell) if isinstance(ground, Board) else quoted(ground.names[ground.place(cell)])
    if isinstance(given, tuple | list):
        if tuple(given[:1]) == ("moves",):
            return Statistic.parse(tuple(given), ground).text(ground)
        return "..".join("" if each is None else str(each) for each in given)
    return str(given)


def _kind(given: object) -> str:
    """What a value is, in a message: numbers as they are, other values by their type."""
    if isinstance(given, int | float) or given is None:
        return shown(given)
    return f"a value of type {type(given).__name__}"
