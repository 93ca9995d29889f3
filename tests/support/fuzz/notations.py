"""Targets: conditions, boards, statistics, names of graphs, grids of clues."""

from __future__ import annotations

import contextlib
from typing import Any

from fuzz.target import Target, text_of
from ktsolve.base.errors import KtsolveError
from ktsolve.base.units import parse_bytes, parse_seconds
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.problem.conditions import KEYS, parse_condition, parse_value
from ktsolve.problem.parameters import clue_grid, read_clues
from ktsolve.problem.problem import TourProblem

__all__ = ["TARGETS"]

_CONDITIONS = (
    *("start a1", "starts a1 b2", "end 2,1", "ends a1:b2", "require a1-b3", "forbid a1-b3,c1-d3"),
    *("at 5=c3", "symmetry rot180", "corners tl,br", "magic rows,columns", "sum a1:d1=26", "sum rows=26"),
    *(
        "range c3=5..9",
        "range c3=..9",
        "order a1,c3,d4",
        "run a1,b3",
        "figure squares=row",
        "figure 1+4=path",
    ),
    *(
        "least turns=3",
        "most obtuse=2",
        "exactly moves:a1-b3,b3-c1=1",
        "figure 1,2=a1,b3",
        "least crossings=0",
    ),
)


def _conditions() -> list[bytes]:
    return [text.encode() for text in _CONDITIONS]


def _read_condition(data: bytes) -> None:
    """A condition of any key: its text is read as the same condition."""
    key, _, text = text_of(data).partition(" ")
    ground: Graph = Board(4, 4)
    for name in [key] if key in KEYS else KEYS:
        for condition in parse_condition(name, text, ground):
            problem = TourProblem(board=ground, closed=False, conditions=[condition])
            again = list(parse_value(condition.key, condition.values(ground), ground))
            assert again == [condition], f"{condition} is written as {condition.values(ground)}"
            assert isinstance(str(problem), str)


_BOARDS = (
    "6x6",
    "3x4 without a1",
    "3x4 without first:3",
    "4x4 without a1:b2 leaper 0,1",
    "2x5 wrap xy",
    "1x1",
)


def _read_board(data: bytes) -> None:
    words = text_of(data).split(" ")
    given = dict(zip(words[1::2], words[2::2], strict=False))
    known: dict[str, Any] = {key: given[key] for key in ("without", "leaper", "wrap") if key in given}
    board = Board.parse(words[0], **known)
    if len(board.removed) + len(board) <= 4096:
        assert Board.from_json(board.to_json()) == board
        assert all(board.cell(board.name(cell)) == cell for cell in board.cells[:50])


def _read_statistic(data: bytes) -> None:
    """Limits of time and memory, and names of graphs."""
    text = text_of(data)
    for read in (parse_seconds, parse_bytes, named_graph):
        with contextlib.suppress(KtsolveError):
            read(text)
    with contextlib.suppress(KtsolveError):
        board = Board.from_picture(text.split("\n"))
        assert len(board) >= 1


def _statistics() -> list[bytes]:
    names = "petersen complete:3,4 grid:3x4 circulant:10,1,5 random-regular:3,10,1 kneser:5,2 hypercube:3"
    texts = ["30", "0.5s", "5m", "2h", "500M", "4G", ".#.\n...", *names.split()]
    return [text.encode() for text in texts]


def _read_clue_grid(data: bytes) -> None:
    board, clues = read_clues(text_of(data))
    if len(board) <= 4096:
        assert read_clues(clue_grid(board, clues)) == (board, clues)


TARGETS: tuple[Target, ...] = (
    Target("condition", _conditions, _read_condition),
    Target("board", lambda: [text.encode() for text in _BOARDS], _read_board),
    Target("statistic", _statistics, _read_statistic),
    Target("clues", lambda: [b"1 . .\n. . 4\n. 2 .", b"1 . # 4\n. # . 7"], _read_clue_grid),
)
"""The targets of this file."""
