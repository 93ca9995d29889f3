"""Puzzles in which leapers change places: the question, with nothing about how it is answered.

Pieces stand on a board and jump to empty cells until they stand as the goal shows; pieces of one letter are
alike. The oldest such puzzle is Guarini's (1512), that of seeds/003 has eight knights on eleven cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import factorial, prod
from typing import Any

from ktsolve.errors import BadInput
from ktsolve.ground.board import Board
from ktsolve.ground.notation import shown
from ktsolve.problem.swap_checker import fault_of
from ktsolve.problem.swap_picture import EMPTY, MISSING, read_picture

__all__ = ["OBJECTIVES", "Position", "SwapMove", "SwapPuzzle"]

OBJECTIVES = ("jumps", "moves")
"""What is to be as few as possible."""

Position = str
"""What stands on each cell, in the order of ``Board.cells``: a piece's letter, or ``.``."""

SwapMove = tuple[int, ...]
"""The cells, by index, that a piece goes through in one move: where it stood, and where each jump leads."""

_LONGEST_SOLUTION = 64_000


@dataclass(frozen=True, init=False)
class SwapPuzzle:
    """Pieces that are to change places.

    Parameters
    ----------
    start, goal:
        Pictures of the same board, see :func:`ktsolve.problem.swap_picture.read_picture`.
    board:
        The board and the leaper; None takes the board from the picture of the start, and knights.
    leapers:
        ``(r, s)`` of pieces that are not the board's leaper, by letter.
    objective:
        ``jumps`` or ``moves``. A *move* is a walk of one piece over empty cells, jump by jump, that visits no
        cell twice.
    longest:
        Most jumps in one move, None for any number.
    different:
        No two pieces are alike: every letter stands once.
    colours:
        Texts of letters of one colour; a letter in none of them is a colour of its own.
    alternate:
        The two colours move by turns, either first.
    peaceful:
        No piece ever stands where a piece of another colour can jump to, or the other way round, not even
        in the middle of a move.
    most:
        Only solutions of at most so many jumps (moves) are wanted; None for any number.

    Raises
    ------
    BadInput
        Naming the place or the letter that is wrong.

    Examples
    --------
    >>> puzzle = SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W")
    >>> print(puzzle)
    W.W/.x./B.B to B.B/.x./W.W in fewest jumps
    >>> puzzle.positions
    420
    >>> SwapPuzzle(start="W.W/.x./B.B", goal="W.B/.x./W.W")
    Traceback (most recent call last):
    ktsolve.errors.BadInput: the start has 2 B, the goal 1: the same pieces must stand in both
    """

    board: Board
    start: str
    goal: str
    leapers: tuple[tuple[str, tuple[int, int]], ...]
    objective: str
    longest: int | None
    different: bool
    colours: tuple[str, ...]
    alternate: bool
    peaceful: bool
    most: int | None

    def __init__(
        self,
        *,
        start: str,
        goal: str,
        board: Board | None = None,
        leapers: Mapping[str, tuple[int, int]] | Iterable[tuple[str, tuple[int, int]]] = (),
        objective: str = "jumps",
        longest: int | None = None,
        different: bool = False,
        colours: Sequence[str] = (),
        alternate: bool = False,
        peaceful: bool = False,
        most: int | None = None,
    ) -> None:
        rows = read_picture(start, "start")
        if board is None:
            holes = {(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == MISSING}
            board = Board(len(rows), len(rows[0]), frozenset(holes))
        if isinstance(colours, str) or not all(isinstance(group, str) for group in colours):
            raise BadInput(f'colours must be a list of texts, such as ["ABC", "DE"], not {shown(colours)}')
        values: dict[str, Any] = {
            "board": board,
            "start": _drawn(rows, board, "start"),
            "goal": _drawn(read_picture(goal, "goal"), board, "goal"),
            "objective": objective,
            "longest": longest,
            "different": different,
            "colours": tuple(colours),
            "alternate": alternate,
            "peaceful": peaceful,
            "most": most,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._check_pieces()
        pairs = leapers.items() if isinstance(leapers, Mapping) else leapers
        object.__setattr__(self, "leapers", tuple(sorted(self._leaper(*pair) for pair in pairs)))
        self._check_colours()
        self._check_measure()
        self._check_peace()

    # -- what may be asked ------------------------------------------------------------------------------

    def _check_pieces(self) -> None:
        before, after = Counter(self.first), Counter(self.last)
        if not self.letters:
            raise BadInput("the start has no pieces: draw some, such as W.W/.x./B.B")
        for cell, mark in enumerate(self.last):
            if mark not in self.letters and mark != EMPTY:
                raise BadInput(
                    f"goal, {self._place(cell)}: the start has no piece {mark}, "
                    f"only {', '.join(self.letters)}"
                )
        for letter in self.letters:
            if before[letter] != after[letter]:
                raise BadInput(
                    f"the start has {before[letter]} {letter}, the goal {after[letter]}: "
                    "the same pieces must stand in both"
                )
            if self.different and before[letter] > 1:
                second = [cell for cell, mark in enumerate(self.first) if mark == letter][1]
                raise BadInput(
                    f"start, {self._place(second)}: a second {letter}; "
                    "pieces that are all different need a letter each"
                )

    def _place(self, cell: int) -> str:
        row, column = self.board.cells[cell]
        return f"row {row + 1}, column {column + 1}"

    def _known(self, letter: str, where: str) -> str:
        if letter not in self.letters:
            raise BadInput(f"{where}: there is no piece {shown(letter)}, only {', '.join(self.letters)}")
        return letter

    def _leaper(self, letter: str, leaper: tuple[int, int]) -> tuple[str, tuple[int, int]]:
        self._known(letter, "leapers")
        try:
            return letter, replace(self.board, leaper=leaper).leaper
        except (BadInput, TypeError) as error:
            raise BadInput(f"leapers, {letter}: {error}") from None

    def _check_colours(self) -> None:
        for letter, times in Counter("".join(self.colours)).items():
            self._known(letter, "colours")
            if times > 1:
                raise BadInput(f"colours: {letter} is named twice; a piece has one colour")
        number = len(set(self.colour_of.values()))
        if self.alternate and number != 2:
            raise BadInput(
                f"two colours move by turns, but here {'is 1' if number == 1 else f'are {number}'}: "
                'say which letters are of one colour, such as colours = ["ABC", "DE"]'
            )

    def _check_measure(self) -> None:
        if self.objective not in OBJECTIVES:
            raise BadInput(f"objective {shown(self.objective)} is unknown: use {' or '.join(OBJECTIVES)}")
        if self.longest is not None and self.longest < 1:
            raise BadInput(f"a move has at most 1, 2, 3, ... jumps, or any number, not {self.longest}")
        if self.longest is not None and self.objective == "jumps":
            raise BadInput("the longest move goes with the objective moves: jumps are counted one by one")
        if self.most is not None and not 0 <= self.most <= _LONGEST_SOLUTION:
            raise BadInput(f"most is a number of {self.objective}, 0 to {_LONGEST_SOLUTION}, not {self.most}")

    def _check_peace(self) -> None:
        for where, position in (("start", self.first), ("goal", self.last)) if self.peaceful else ():
            if (pair := self.attack(position)) is not None:
                one, other = (f"{position[cell]} on {self.name(cell)}" for cell in pair)
                raise BadInput(f"{where}: {one} and {other} attack each other, which peaceful forbids")

    # -- what is asked ----------------------------------------------------------------------------------

    @cached_property
    def first(self) -> Position:
        """The position at the start."""
        return _position(self.start)

    @cached_property
    def last(self) -> Position:
        """The position at the goal."""
        return _position(self.goal)

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """The letters of the pieces, sorted."""
        return tuple(sorted(set(self.first) - {EMPTY}))

    @cached_property
    def colour_of(self) -> dict[str, str]:
        """The colour of each letter: the letters of that colour."""
        groups = {letter: group for group in self.colours for letter in group}
        return {letter: groups.get(letter, letter) for letter in self.letters}

    @cached_property
    def jumps(self) -> dict[str, tuple[tuple[int, ...], ...]]:
        """For each letter and cell, the cells that the piece could jump to on an empty board."""
        leapers = dict(self.leapers)
        boards = {
            letter: replace(self.board, leaper=leapers.get(letter, self.board.leaper))
            for letter in self.letters
        }
        index, cells = self.board.index, self.board.cells
        return {
            letter: tuple(tuple(index[cell] for cell in board.neighbours[here]) for here in cells)
            for letter, board in boards.items()
        }

    @property
    def reach(self) -> int:
        """Most jumps in one step of a solution; a move visits no cell twice, so empty cells bound it."""
        if self.objective == "jumps":
            return 1
        empty = max(1, self.first.count(EMPTY))
        return empty if self.longest is None else min(self.longest, empty)

    @property
    def positions(self) -> int:
        """In how many ways the pieces can stand on the board."""
        return factorial(len(self.first)) // prod(map(factorial, Counter(self.first).values()))

    def attack(self, position: Position) -> tuple[int, int] | None:
        """Two cells with pieces of different colours, one of which could jump to the other, or None."""
        for here, letter in enumerate(position):
            for there in self.jumps[letter][here] if letter != EMPTY else ():
                other = position[there]
                if other != EMPTY and self.colour_of[other] != self.colour_of[letter]:
                    return here, there
        return None

    # -- judging, words ---------------------------------------------------------------------------------

    def check(self, moves: Sequence[SwapMove]) -> str | None:
        """What is wrong with a solution, or None; see :mod:`ktsolve.problem.swap_checker`.

        >>> puzzle = SwapPuzzle(start="A./../..", goal="../../.A")
        >>> puzzle.check([(0, 5)]), puzzle.check([(0, 4)])
        (None, 'jump 1: a3-a1 is no jump of A')
        """
        return fault_of(self, moves)

    def name(self, cell: int) -> str:
        """Name of a cell by its index, as in chess."""
        return self.board.name(self.board.cells[cell])

    def move_name(self, move: SwapMove) -> str:
        """A move in words: ``a1-b3``, or ``a1-b3-c5``."""
        return "-".join(self.name(cell) for cell in move)

    def picture(self, position: Position) -> str:
        """A position as a picture, rows separated by ``/``."""
        marks = iter(position)
        rows = (
            [next(marks) if (r, c) in self.board else MISSING for c in range(self.board.columns)]
            for r in range(self.board.rows)
        )
        return "/".join("".join(row) for row in rows)

    def __str__(self) -> str:
        text = f"{self.start} to {self.goal} in fewest {self.objective}"
        conditions = []
        if self.longest is not None:
            conditions.append(f"of at most {self.longest} jumps" if self.longest > 1 else "of 1 jump")
        if self.most is not None:
            conditions.append(f"at most {self.most}")
        conditions += [word for word in ("different", "alternate", "peaceful") if getattr(self, word)]
        return ", ".join([text, *conditions])


def _position(picture: str) -> Position:
    return "".join(mark for mark in picture if mark not in "/" + MISSING)


def _drawn(rows: Sequence[str], board: Board, where: str) -> str:
    """The picture as one text, made sure that it is of that board."""
    if (len(rows), len(rows[0])) != (board.rows, board.columns):
        raise BadInput(f"{where} is a picture of {len(rows)}x{len(rows[0])} cells; the board is {board.size}")
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            if (mark == MISSING) == ((r, c) in board):
                says = "no cell" if mark == MISSING else f"{mark!r}"
                has = "has one" if mark == MISSING else "has no cell"
                raise BadInput(f"{where}, row {r + 1}, column {c + 1}: {says} where the board {has}")
    return "/".join(rows)
