"""Swap puzzles as parameters: pictures of the start and the goal, and the rules of the moves, all checked.

Pieces jump to empty cells until they stand as the goal shows; pieces of one letter are alike. The oldest such
puzzle is Guarini's (1512); the puzzle of V. Batagelj (2012) has eight knights on eleven cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.graphs.board import Board
from ktsolve.problem.parameters import check_keys

__all__ = ["EMPTY", "Position", "SwapMove", "SwapStatement", "after"]

EMPTY, _MISSING = ".", "x"
"""Marks of a picture: an empty cell, and none."""

_OBJECTIVES = ("jumps", "moves")
"""What a shortest solution minimises."""

Position = str
"""A mark for each cell, in the order of ``Board.cells``: the letter of a piece, or ``.``."""

SwapMove = tuple[int, ...]
"""The cells of one move, by index: the cell where the piece stood, then the cell after each jump."""

_LONGEST_SOLUTION = 64_000

_CELLS_ONLY = {ord("/"): None, ord(_MISSING): None}

_KEYS: dict[str, type | tuple[type, ...]] = {
    "start": str,
    "goal": str,
    "leaper": list,
    "leapers": dict,
    "wrap": str,
    "objective": str,
    "longest": (int, str),
    "different": bool,
    "colours": list,
    "alternate": bool,
    "peaceful": bool,
    "most": int,
}
"""The parameters of an instance file, with their types."""


@dataclass(frozen=True, init=False)
class SwapStatement:
    """The statement of a swap puzzle, checked; docs/swap.md describes its parameters.

    >>> print(SwapStatement(start="W.W/.x./B.B", goal="B.B/.x./W.W"))
    W.W/.x./B.B to B.B/.x./W.W in fewest jumps
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
        longest: int | str | None = None,
        different: bool = False,
        colours: Sequence[str] = (),
        alternate: bool = False,
        peaceful: bool = False,
        most: int | None = None,
    ) -> None:
        rows = _rows(start, "start")
        if board is None:
            holes = {(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == _MISSING}
            board = Board(len(rows), len(rows[0]), frozenset(holes))
        if isinstance(colours, str) or not all(isinstance(group, str) for group in colours):
            raise BadInput(f'colours must be a list of texts, such as ["ABC", "DE"], not {shown(colours)}')
        start, goal = _fitted(rows, board, "start"), _fitted(_rows(goal, "goal"), board, "goal")
        # Without the setter that a frozen class refuses.
        fields = vars(self)
        fields.update(board=board, start=start, goal=goal, objective=objective, most=most)
        fields.update(longest=_number_of_jumps(longest), different=different, colours=tuple(colours))
        fields.update(alternate=alternate, peaceful=peaceful)
        self._check_pieces()
        pairs = leapers.items() if isinstance(leapers, Mapping) else leapers
        fields["leapers"] = tuple(sorted(self._leaper(*pair) for pair in pairs))
        self._check_colours()
        self._check_objective()
        self._check_peace()

    @classmethod
    def of_parameters(cls, parameters: Mapping[str, Any]) -> Self:
        """The swap puzzle of an instance's parameters.

        >>> print(SwapStatement.of_parameters({"start": "W.B", "goal": "B.W", "leaper": [0, 1]}))
        W.B to B.W in fewest jumps
        >>> SwapStatement.of_parameters({"start": "W.B", "goal": "B.Q"})
        Traceback (most recent call last):
        ktsolve.base.errors.BadInput: parameters: goal, row 1, column 3: the start has no piece Q, only B, W
        """
        check_keys(parameters, _KEYS, "parameters")
        for key in ("start", "goal"):
            if key not in parameters:
                raise BadInput(f'parameters.{key} is missing: draw it, such as {key} = "W.W/.x./B.B"')
        given = dict(parameters)
        leaper, wrap = _pair(given.pop("leaper", [1, 2]), "leaper"), given.pop("wrap", "none")
        leapers = given.pop("leapers", {})
        leapers = {letter: _pair(pair, f"leapers.{letter}") for letter, pair in leapers.items()}
        try:
            drawn = cls(start=given["start"], goal=given["goal"]).board
            return cls(**given, board=replace(drawn, leaper=leaper, wrap=wrap), leapers=leapers)
        except BadInput as error:
            raise BadInput(f"parameters: {error}") from None

    # -- validation -------------------------------------------------------------------------------------

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
                    "both must have the same pieces"
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
            raise BadInput(f"{where}: there is not a piece {shown(letter)}, only {', '.join(self.letters)}")
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
                f"alternate needs two colours, not {number}: "
                'name the letters of each, such as colours = ["ABC", "DE"]'
            )

    def _check_objective(self) -> None:
        if self.objective not in _OBJECTIVES:
            raise BadInput(f"objective {shown(self.objective)} is unknown: use {' or '.join(_OBJECTIVES)}")
        if self.longest is not None and self.longest < 1:
            raise BadInput(f"longest {self.longest} is not a number of jumps: give 1, 2, 3, ..., or any")
        if self.longest is not None and self.objective == "jumps":
            raise BadInput(f"longest {self.longest} limits moves: give it with objective moves, not jumps")
        if self.most is not None and not 0 <= self.most <= _LONGEST_SOLUTION:
            raise BadInput(
                f"most {self.most} is out of range: give 0 to {_LONGEST_SOLUTION} {self.objective}"
            )

    def _check_peace(self) -> None:
        for where, position in (("start", self.first), ("goal", self.last)) if self.peaceful else ():
            if (pair := self.attack(position)) is not None:
                one, other = (f"{position[cell]} on {self.name(cell)}" for cell in pair)
                raise BadInput(f"{where}: {one} and {other} attack each other, which peaceful forbids")

    # -- properties -------------------------------------------------------------------------------------

    @cached_property
    def first(self) -> Position:
        """The position at the start."""
        return self.start.translate(_CELLS_ONLY)

    @cached_property
    def last(self) -> Position:
        """The position at the goal."""
        return self.goal.translate(_CELLS_ONLY)

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
    def leaper_of(self) -> dict[str, tuple[int, int]]:
        """The leaper of each letter."""
        return {**dict.fromkeys(self.letters, self.board.leaper), **dict(self.leapers)}

    @cached_property
    def jumps(self) -> dict[str, tuple[tuple[int, ...], ...]]:
        """For each letter and cell, the cells that the piece can jump to on an empty board."""
        boards = {letter: replace(self.board, leaper=leaper) for letter, leaper in self.leaper_of.items()}
        index, cells = self.board.index, self.board.cells
        return {
            letter: tuple(tuple(index[cell] for cell in board.neighbours[here]) for here in cells)
            for letter, board in boards.items()
        }

    @property
    def reach(self) -> int:
        """Most jumps in one step of a solution; no move has more jumps than there are empty cells."""
        if self.objective == "jumps":
            return 1
        empty = max(1, self.first.count(EMPTY))
        return empty if self.longest is None else min(self.longest, empty)

    def attack(self, position: Position) -> tuple[int, int] | None:
        """Two cells with pieces of different colours, one of which can jump to the other, or None."""
        for here, letter in enumerate(position):
            for there in self.jumps[letter][here] if letter != EMPTY else ():
                other = position[there]
                if other != EMPTY and self.colour_of[other] != self.colour_of[letter]:
                    return here, there
        return None

    def away(self, letter: str, cells: Iterable[int]) -> dict[int, int]:
        """The fewest jumps of a piece from the nearest of some cells to each cell, on an empty board.

        Cells that it cannot reach are left out.
        """
        found = dict.fromkeys(cells, 0)
        queue = list(found)
        for here in queue:
            for there in self.jumps[letter][here]:
                if there not in found:
                    found[there] = found[here] + 1
                    queue.append(there)
        return found

    # -- text -------------------------------------------------------------------------------------------

    def name(self, cell: int) -> str:
        """Name of a cell, given by its index, as in chess."""
        return self.board.names[cell]

    def move_name(self, move: SwapMove) -> str:
        """A move as text: ``a1-b3``, or ``a1-b3-c5``."""
        return "-".join(self.name(cell) for cell in move)

    def text(self, moves: Sequence[SwapMove]) -> str:
        """Moves as text, one to a line: number, piece and cells."""
        position, lines, width = self.first, [], len(str(len(moves)))
        for number, move in enumerate(moves, 1):
            lines.append(f"{number:{width}}. {position[move[0]]} {self.move_name(move)}")
            position = after(position, move)
        return "\n".join(lines)

    def __str__(self) -> str:
        text = f"{self.start} to {self.goal} in fewest {self.objective}"
        conditions = []
        if self.longest is not None:
            conditions.append(f"of at most {self.longest} jumps" if self.longest > 1 else "of 1 jump")
        if self.most is not None:
            conditions.append(f"at most {self.most}")
        conditions += [word for word in ("different", "alternate", "peaceful") if getattr(self, word)]
        return ", ".join([text, *conditions])


def after(position: Position, move: SwapMove) -> Position:
    """The position after a move.

    >>> after("W..B", (0, 2))
    '..WB'
    """
    marks = list(position)
    marks[move[-1]], marks[move[0]] = marks[move[0]], EMPTY
    return "".join(marks)


def _rows(picture: str, where: str) -> tuple[str, ...]:
    """The rows of a picture. Raises BadInput, naming the row and column of the error."""
    rows = tuple(row.strip() for row in picture.strip().replace("/", "\n").splitlines())
    if not rows or not rows[0]:
        raise BadInput(f"{where} is empty: draw the board, such as W.W/.x./B.B")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise BadInput(
                f"{where}, row {number}: {len(row)} cells, but row 1 has {len(rows[0])}: "
                f"make rows equally long, with {_MISSING} where there is no cell"
            )
        for column, mark in enumerate(row, 1):
            if mark not in (EMPTY, _MISSING) and not (mark.isascii() and mark.isalnum()):
                raise BadInput(
                    f"{where}, row {number}, column {column}: {mark!r} is not a piece: write a letter or a "
                    f"digit, {EMPTY} for an empty cell, {_MISSING} for none"
                )
    return rows


def _fitted(rows: Sequence[str], board: Board, where: str) -> str:
    """The rows joined by ``/``. Raises BadInput unless they show exactly the cells of the board."""
    if (len(rows), len(rows[0])) != (board.rows, board.columns):
        raise BadInput(f"{where} is a picture of {len(rows)}x{len(rows[0])} cells; the board is {board.size}")
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            if (mark == _MISSING) == ((r, c) in board):
                drawn = "no cell" if mark == _MISSING else f"{mark!r}"
                has = "has one" if mark == _MISSING else "has no cell"
                raise BadInput(f"{where}, row {r + 1}, column {c + 1}: {drawn} where the board {has}")
    return "/".join(rows)


def _number_of_jumps(longest: int | str | None) -> int | None:
    """The jumps of the longest move, None for any number."""
    if longest in (None, "any"):
        return None
    if isinstance(longest, str) and not (longest.isascii() and longest.isdigit() and len(longest) < 6):
        raise BadInput(f"longest {shown(longest)} is not a number of jumps: give 1, 2, 3, ..., or any")
    return int(longest)


def _pair(value: Any, key: str) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2 or any(type(x) is not int for x in value):
        raise BadInput(f"parameters.{key} must be two whole numbers, such as [1, 2], not {shown(value)}")
    return value[0], value[1]
