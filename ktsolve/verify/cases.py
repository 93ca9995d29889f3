"""The problems that all engines answer, by level.

A case without a list of engines goes to every engine of the registry that counts its problem. A list names
the engines that are fast enough for a large board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, starmap
from typing import Any

from ktsolve.engines.registry import engines_for
from ktsolve.graphs.board import Board
from ktsolve.problem.conditions import EXAMPLE_BOARD, KEYS, parse_condition
from ktsolve.problem.problem import TourProblem
from ktsolve.verify.jobs import LEVELS

NATIVE = ("search", "frontier", "join")
SWEEPS = ("frontier", "join")
FOLDS = ("frontier", "quotient")


@dataclass(frozen=True)
class Case:
    """A problem, its engines (empty for all that count it) and the first level with it."""

    problem: TourProblem
    listed: tuple[str, ...] = ()
    level: str = "quick"

    @property
    def engines(self) -> tuple[str, ...]:
        """The engines that answer the problem."""
        return self.listed or tuple(engines_for("count", self.problem))


_QUICK = (
    # Boards with tours.
    ((), "closed 3x10, closed 5x6, closed 5x8, closed 6x6"),
    ((), "open 3x4, open 3x7, open 4x5, open 4x6, open 5x5, open 5x6"),
    # Boards without: engines get no help from theorems.
    ((), "closed 3x4, closed 3x6, closed 3x8, closed 4x4, closed 4x5, closed 4x6, closed 5x5"),
    ((), "open 3x3, open 3x5, open 3x6, open 4x4"),
)

_LARGER = (
    ((), "closed 3x12, open 4x7, open 3x9", "standard"),
    (NATIVE, "closed 6x7, open 5x7, open 6x6", "standard"),
    ((*NATIVE, "sat"), "open 4x8", "standard"),
    (SWEEPS, "closed 6x8, closed 5x10", "standard"),
    (("search",), "closed 5x10", "full"),
    (NATIVE, "closed 3x16", "standard"),
    (("frontier", "strip"), "closed 3x40, open 3x40, open 4x20, closed 5x20, open 5x12", "standard"),
    (("join", "strip"), "closed 6x16", "full"),
    (SWEEPS, "open 5x8, open 6x7, closed 5x12, closed 6x10", "full"),
    (("join",), "closed 7x8, closed 8x8, open 7x7, open 7x8", "standard"),
    (("frontier",), "closed 7x8", "full"),
    (SWEEPS, "open 6x8", "full"),
    (("join",), "closed 7x10, closed 8x9, closed 8x10, open 8x8", "full"),
)
"""Plain boards for engines that are fast enough."""

_SYMMETRIC = (
    ((), "closed 6x6 rot180, closed 6x6 rot90, closed 6x6 flip-h"),
    ((), "closed 3x10 rot180, closed 3x10 flip-h, closed 3x10 flip-v, open 5x5 rot180, open 4x7 rot180"),
)

_FOLDED = (
    (("search", *FOLDS), "closed 3x18 flip-h, closed 5x8 rot180, open 4x11 rot180"),
    (
        FOLDS,
        "closed 3x30 flip-h, closed 3x58 flip-h, open 4x51 rot180, closed 10x10 rot90, closed 8x8 rot180",
    ),
    (("search", *FOLDS), "closed 8x8 rot180", "full"),
    (FOLDS, "open 7x9 rot180"),
    (FOLDS, "closed 8x9 rot180", "standard"),
    (FOLDS, "closed 7x10 rot180, open 8x9 rot180", "full"),
)
"""The folded board and the whole board, which share neither states nor transitions."""


def _stated(engines: tuple[str, ...], text: str, level: str = "quick") -> Iterator[Case]:
    """The cases of a text, each with its kind, its board and perhaps a symmetry."""
    for each in text.split(", "):
        kind, size, *symmetry = each.split()
        stated: dict[str, Any] = {"symmetry": symmetry[0]} if symmetry else {}
        yield Case(TourProblem(board=size, closed=kind == "closed", **stated), engines, level)


def _all_cases() -> Iterator[Case]:
    yield from chain.from_iterable(starmap(_stated, _QUICK))
    # Shapes.
    yield Case(TourProblem(board=Board.parse("3x3", without="b2"), closed=True))
    yield Case(TourProblem(board=Board.parse("3x3", without="b2"), closed=False))
    yield Case(TourProblem(board=Board.parse("4x4", without="a1 a4 d1 d4"), closed=True))
    yield Case(TourProblem(board=Board.parse("4x4", without="a1 a4 d1 d4"), closed=False))
    yield Case(TourProblem(board=Board.parse("5x6", without="c3 d3"), closed=False))
    without_two = TourProblem(board=Board.parse("6x6", without="first:2"), closed=True)
    yield Case(without_two, NATIVE)
    # Other leapers, wrapped boards.
    yield Case(TourProblem(board=Board.parse("4x4", leaper=(0, 1)), closed=True))
    yield Case(TourProblem(board=Board.parse("6x6", leaper=(0, 1)), closed=True))
    yield Case(TourProblem(board=Board.parse("5x6", leaper=(2, 3)), closed=False))
    yield Case(TourProblem(board=Board.parse("3x4", wrap="xy"), closed=True))
    yield Case(TourProblem(board=Board.parse("4x5", wrap="x"), closed=True))
    yield Case(TourProblem(board=Board.parse("4x4", wrap="y"), closed=False))
    # Ends and moves.
    for start in ("a1", "0,1", "1,1"):
        yield Case(TourProblem(board="5x5", closed=False, start=start))
    yield Case(TourProblem(board="6x6", closed=False, start="a1", end="a2"), NATIVE)
    yield Case(TourProblem(board="5x6", closed=False, start="a1", end="a2"))
    yield Case(TourProblem(board="6x6", closed=True, require=["c3-d5", "d4-f3"], forbid=["b2-d3"]))
    yield Case(TourProblem(board="6x6", closed=True, require=["c3-d5"], forbid=["a1-b3"]))
    yield Case(TourProblem(board="5x6", closed=False, require=["c3-d5"], forbid=["a2-b4", "b2-d1"]))
    # Corners, symmetry, steps.
    yield Case(TourProblem(board="6x6", closed=True, structured=True))
    yield from chain.from_iterable(starmap(_stated, _SYMMETRIC))
    yield Case(TourProblem(board=Board.parse("3x3", without="b2"), closed=True, symmetry="rot90"))
    yield from chain.from_iterable(starmap(_stated, _FOLDED))
    yield Case(TourProblem(board="5x5", closed=False, start="a1", at={13: "c3"}))
    yield Case(TourProblem(board="4x5", closed=False, at={6: "c3", 9: "d1"}))
    yield Case(TourProblem(board="5x6", closed=True, start="a1", at={5: "c1"}))
    cylinder = Board.parse("4x4", wrap="x")
    yield Case(TourProblem(board=cylinder, closed=False, magic=["columns"]))
    yield Case(TourProblem(board="5x5", closed=False, starts=["a1", "b2"], ends=["e5", "e1"]))
    yield from condition_cases()
    yield Case(without_two, ("sat", "cpsat"), "standard")
    yield from chain.from_iterable(starmap(_stated, _LARGER))


_CONDITIONS = (
    ("5x5", False, (("order", "a1,c3,e5"), ("range", "c3=11..13"))),
    ("5x6", True, (("least", "straight=2"),)),
    ("5x5", False, (("most", "obtuse=8"), ("figure", "1,13,25=a1,c3,e5"))),
    ("5x5", False, (("sum", "a1,e5=26"), ("exactly", "moves:c3-d5,c3-b5=1"))),
)


def condition_cases() -> Iterator[Case]:
    """The example of every condition, and several conditions together."""
    board = Board.parse(EXAMPLE_BOARD)
    for name, (key, _) in KEYS.items():
        conditions = parse_condition(name, key.example, board)
        yield Case(TourProblem(board=board, closed=False, conditions=conditions))
    for size, closed, stated in _CONDITIONS:
        board = Board.parse(size)
        several = [each for key, text in stated for each in parse_condition(key, text, board)]
        yield Case(TourProblem(board=board, closed=closed, conditions=several))


def cases(level: str) -> list[Case]:
    """The cases of a level and of those below it."""
    return [case for case in _all_cases() if LEVELS.index(case.level) <= LEVELS.index(level)]
