"""Partly numbered boards as puzzles: read and written as text and as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.formats.tours.common import parse_json
from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour
from ktsolve.problem.parameters import clue_grid, read_clues
from ktsolve.problem.problem import TourProblem
from ktsolve.wings.puzzles.step_deduction import StepDeduction, StepRating

__all__ = ["CluePuzzle", "read_puzzles"]

_HEADER = re.compile(r"\s*#\s*(closed|open)\b(.*)", re.IGNORECASE)
_KIND = "knight"  # the kind of ``ktsolve puzzle`` whose puzzles are open boards of the knight

_STATED = re.compile(r"\b(leaper|wrap)\s+(\S+)", re.IGNORECASE)


@dataclass(frozen=True)
class CluePuzzle:
    r"""A partly numbered board, with its known properties.

    The steps of the problem are the clues. ``minimal``: it is proved that each is needed (None if unknown);
    ``fewest``: that no fewer leave this solution alone; ``confirmed``: the engine that found no other
    solution when the puzzle was made, after some ``attempts``.

    >>> puzzle = read_puzzles("# open\n1 . . 10\n. . . .\n3 . 9 .")[0]
    >>> print(puzzle)
    # open
     1  .  . 10
     .  .  .  .
     3  .  9  .
    >>> CluePuzzle.from_json(puzzle.to_json()) == puzzle, puzzle.rating.level
    (True, 'easy')
    """

    problem: TourProblem
    solution: Tour | None = None
    minimal: bool | None = None
    fewest: bool = False
    confirmed: str | None = None
    attempts: int = field(default=1, compare=False)

    @property
    def clues(self) -> dict[int, Cell]:
        """The cells of the clues by their steps."""
        return dict(self.problem.known_steps)

    @cached_property
    def rating(self) -> StepRating:
        """How far propagation fills the board."""
        return StepDeduction(self.problem).rating()

    def as_closed(self, closed: bool) -> CluePuzzle:
        """The clues with the question for closed tours, or for open ones."""
        return CluePuzzle(TourProblem(board=self.problem.board, closed=closed, at=self.clues))

    @property
    def header(self) -> str:
        """The line of what the grid does not show; empty for closed tours of the knight on a board."""
        board = self.problem.board
        stated = "" if self.problem.closed else " open"
        if board.leaper != (1, 2):
            stated += f" leaper {board.leaper[0]},{board.leaper[1]}"
        if board.wrap != "none":
            stated += f" wrap {board.wrap}"
        if stated and self.problem.closed:
            stated = f" closed{stated}"
        return f"#{stated}\n" if stated else ""

    def __str__(self) -> str:
        """The grid that :func:`read_puzzles` reads, below its header."""
        return self.header + clue_grid(self.problem.board, self.clues)

    def to_json(self) -> dict[str, Any]:
        """The puzzle as ``ktsolve clues make --json`` prints it."""
        data: dict[str, Any] = {
            "board": self.problem.board.to_json(),
            "closed": self.problem.closed,
            "clues": self.clues,
            "givens": len(self.clues),
        }
        if self.solution is not None:
            data["solution"] = self.solution.squares
            data |= {"minimal": self.minimal, "fewest": self.fewest, "confirmed": self.confirmed}
        data |= {"difficulty": self.rating.level, "propagated": self.rating.reached}
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CluePuzzle:
        """The puzzle of :meth:`to_json`, or of the kind ``knight`` as ``ktsolve puzzle`` prints it."""
        if data.get("kind") == _KIND and isinstance(data.get("puzzle"), list):
            return _of_grid("\n".join(map(str, [_KIND, *data["puzzle"]])), None, None, None)
        try:
            board = Board.from_json(data["board"])
            steps = {int(step): (int(r), int(c)) for step, (r, c) in data["clues"].items()}
            problem = TourProblem(board=board, closed=bool(data.get("closed", True)), at=steps)
            squares = data.get("solution")
            solution = None if squares is None else Tour(board, [(int(r), int(c)) for r, c in squares])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, BadInput):
                raise
            missing = f"it has no {error}" if isinstance(error, KeyError) else shown(str(error))
            raise BadInput(f"the JSON is not a puzzle of ktsolve clues make: {missing}") from None
        if solution is not None:
            solution = solution.as_closed(problem.closed)
            if (fault := problem.check(solution)) is not None:
                raise BadInput(f"the solution in the JSON does not fit the clues: {fault}")
        return cls(
            problem, solution, data.get("minimal"), bool(data.get("fewest", False)), data.get("confirmed")
        )


def read_puzzles(
    text: str,
    *,
    closed: bool | None = None,
    leaper: tuple[int, int] | str | None = None,
    wrap: str | None = None,
) -> list[CluePuzzle]:
    r"""The puzzles of a file: grids with empty lines between them, or what ``clues make --json`` printed.

    ``closed``, ``leaper`` and ``wrap`` replace what the file says; closed tours of the knight are the
    default.

    >>> print(*read_puzzles("knight\n1 . . 10\n. . . .\n3 . 9 ."))
    # open
     1  .  . 10
     .  .  .  .
     3  .  9  .
    """
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        data = parse_json(text.lstrip("\ufeff"), "the puzzle is not JSON that can be read")
        several = data.get("puzzles", data.get("list"))
        entries = several if isinstance(several, list) else [data]
        puzzles = [CluePuzzle.from_json(each if isinstance(each, dict) else {}) for each in entries]
        if not puzzles:
            raise BadInput("there are no clues in the input: its list of puzzles is empty")
        if closed is not None:
            return [each if each.problem.closed == closed else each.as_closed(closed) for each in puzzles]
        return puzzles
    blocks = [
        block for block in re.split(r"\n\s*\n", text.strip("\ufeff \r\n").replace("\r", "")) if block.strip()
    ]
    return [_of_grid(block, closed, leaper, wrap) for block in blocks or [""]]


def _of_grid(
    text: str, closed: bool | None, leaper: tuple[int, int] | str | None, wrap: str | None
) -> CluePuzzle:
    first, _, rest = text.partition("\n")
    stated: dict[str, str] = {}
    if (header := _HEADER.match(first)) is not None:
        text = rest
        stated = {key.lower(): value for key, value in _STATED.findall(header[2])}
        closed = header[1].lower() == "closed" if closed is None else closed
    elif first.strip().lower() == _KIND:
        text, closed = rest, bool(closed)
    drawn, clues = read_clues(text)
    board = Board.parse(
        drawn.size,
        leaper=stated.get("leaper", "1,2") if leaper is None else leaper,
        wrap=stated.get("wrap", "none") if wrap is None else wrap,
    )
    board = Board(drawn.rows, drawn.columns, drawn.removed, board.leaper, board.wrap)
    return CluePuzzle(TourProblem(board=board, closed=closed is not False, at=clues))
