"""The problems that all engines answer, by level.

A case without a list of engines goes to every engine of the registry that counts its problem. A list names
the engines that are fast enough for a large board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ktsolve.engines.registry import engines_for
from ktsolve.graphs.board import Board
from ktsolve.problem.conditions import EXAMPLE_BOARD, KEYS, parse_condition
from ktsolve.problem.problem import TourProblem
from ktsolve.verify.jobs import LEVELS

__all__ = ["Case", "cases", "condition_cases"]

NATIVE = ("search", "frontier", "join")
SWEEPS = ("frontier", "join")


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


def _plain(size: str, closed: bool, engines: tuple[str, ...] = (), level: str = "quick") -> Case:
    return Case(TourProblem(board=size, closed=closed), engines, level)


def _all_cases() -> Iterator[Case]:
    # Boards with tours.
    for size in ("3x10", "5x6", "5x8", "6x6"):
        yield _plain(size, closed=True)
    for size in ("3x4", "3x7", "4x5", "4x6", "5x5", "5x6"):
        yield _plain(size, closed=False)
    # Boards without: engines get no help from theorems.
    for size in ("3x4", "3x6", "3x8", "4x4", "4x5", "4x6", "5x5"):
        yield _plain(size, closed=True)
    for size in ("3x3", "3x5", "3x6", "4x4"):
        yield _plain(size, closed=False)
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
    yield from _symmetric_cases()
    yield Case(TourProblem(board="5x5", closed=False, start="a1", at={13: "c3"}))
    yield Case(TourProblem(board="4x5", closed=False, at={6: "c3", 9: "d1"}))
    yield Case(TourProblem(board="5x6", closed=True, start="a1", at={5: "c1"}))
    cylinder = Board.parse("4x4", wrap="x")
    yield Case(TourProblem(board=cylinder, closed=False, magic=["columns"]))
    yield Case(TourProblem(board="5x5", closed=False, starts=["a1", "b2"], ends=["e5", "e1"]))
    yield from condition_cases()
    yield Case(without_two, ("sat", "cpsat"), "standard")
    yield from _larger_cases()


def _larger_cases() -> Iterator[Case]:
    """Plain boards for engines that are fast enough."""
    three = ("search", "frontier", "join", "sat")
    yield _plain("3x12", closed=True, level="standard")
    yield _plain("4x7", closed=False, level="standard")
    yield _plain("3x9", closed=False, level="standard")
    yield _plain("6x7", True, NATIVE, "standard")
    yield _plain("5x7", False, NATIVE, "standard")
    yield _plain("6x6", False, NATIVE, "standard")
    yield _plain("4x8", False, three, "standard")
    yield _plain("6x8", True, SWEEPS, "standard")
    yield _plain("5x10", True, SWEEPS, "standard")
    yield _plain("5x10", True, ("search",), "full")
    yield _plain("3x16", True, NATIVE, "standard")
    for size, closed in (("3x40", True), ("3x40", False), ("4x20", False), ("5x20", True), ("5x12", False)):
        yield _plain(size, closed, ("frontier", "strip"), "standard")
    yield _plain("6x16", True, ("join", "strip"), "full")
    yield _plain("5x8", False, SWEEPS, "full")
    yield _plain("6x7", False, SWEEPS, "full")
    yield _plain("5x12", True, SWEEPS, "full")
    yield _plain("6x10", True, SWEEPS, "full")
    yield _plain("7x8", True, ("join",), "standard")
    yield _plain("8x8", True, ("join",), "standard")
    yield _plain("7x7", False, ("join",), "standard")
    yield _plain("7x8", False, ("join",), "standard")
    yield _plain("7x8", True, ("frontier",), "full")
    yield _plain("6x8", False, SWEEPS, "full")
    yield _plain("7x10", True, ("join",), "full")
    yield _plain("8x9", True, ("join",), "full")
    yield _plain("8x10", True, ("join",), "full")
    yield _plain("8x8", False, ("join",), "full")


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


def _symmetric_cases() -> Iterator[Case]:
    for name in ("rot180", "rot90", "flip-h"):
        yield Case(TourProblem(board="6x6", closed=True, symmetry=name))
    for name in ("rot180", "flip-h", "flip-v"):
        yield Case(TourProblem(board="3x10", closed=True, symmetry=name))
    yield Case(TourProblem(board="5x5", closed=False, symmetry="rot180"))
    yield Case(TourProblem(board="4x7", closed=False, symmetry="rot180"))
    octagon = Board.parse("3x3", without="b2")
    yield Case(TourProblem(board=octagon, closed=True, symmetry="rot90"))
    # The folded board and the whole board, which share neither states nor transitions.
    sweeps = ("frontier", "quotient")
    two = ("search", *sweeps)
    yield Case(TourProblem(board="3x18", closed=True, symmetry="flip-h"), two)
    yield Case(TourProblem(board="5x8", closed=True, symmetry="rot180"), two)
    yield Case(TourProblem(board="4x11", closed=False, symmetry="rot180"), two)
    for size in ("3x30", "3x58"):
        yield Case(TourProblem(board=size, closed=True, symmetry="flip-h"), sweeps)
    yield Case(TourProblem(board="4x51", closed=False, symmetry="rot180"), sweeps)
    yield Case(TourProblem(board="10x10", closed=True, symmetry="rot90"), sweeps)
    yield Case(TourProblem(board="8x8", closed=True, symmetry="rot180"), sweeps)
    yield Case(TourProblem(board="8x8", closed=True, symmetry="rot180"), two, "full")
    yield Case(TourProblem(board="7x9", closed=False, symmetry="rot180"), sweeps)
    yield Case(TourProblem(board="8x9", closed=True, symmetry="rot180"), sweeps, "standard")
    yield Case(TourProblem(board="7x10", closed=True, symmetry="rot180"), sweeps, "full")
    yield Case(TourProblem(board="8x9", closed=False, symmetry="rot180"), sweeps, "full")


def cases(level: str) -> list[Case]:
    """The cases of a level and of those below it."""
    return [case for case in _all_cases() if LEVELS.index(case.level) <= LEVELS.index(level)]
