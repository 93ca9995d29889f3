"""Solutions of swap puzzles and answers to them: their text, their JSON and the checker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from ktsolve.base.text import plural
from ktsolve.graphs.card import Card, Carded
from ktsolve.tasks.answer import BaseAnswer
from ktsolve.wings.swap.puzzle import Position, SwapMove, SwapPuzzle, after

__all__ = ["SwapAnswer", "SwapSolution", "solutions_text", "violation"]


@dataclass(frozen=True)
class SwapSolution:
    """Moves claimed to solve a puzzle.

    >>> puzzle = SwapPuzzle(start="A./../..", goal="../../.A", objective="moves")
    >>> solution = SwapSolution(puzzle, ((0, 5),))
    >>> print(solution)
    1. A a3-b1
    >>> solution.positions
    ('A.....', '.....A')
    """

    puzzle: SwapPuzzle
    moves: tuple[SwapMove, ...]

    def __len__(self) -> int:
        return len(self.moves)

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """The positions before, between and after the moves."""
        found = [self.puzzle.first]
        for move in self.moves:
            found.append(after(found[-1], move))
        return tuple(found)

    @property
    def pieces(self) -> tuple[str, ...]:
        """The letter of the piece that makes each move."""
        return tuple(position[move[0]] for position, move in zip(self.positions, self.moves, strict=False))

    @property
    def jumps(self) -> int:
        """Number of jumps in all moves together."""
        return sum(len(move) - 1 for move in self.moves)

    def __str__(self) -> str:
        return self.puzzle.text(self.moves)

    def line(self) -> str:
        """All moves on one line: ``a1-b3 c2-a3``."""
        return " ".join(map(self.puzzle.move_name, self.moves))

    def to_json(self) -> list[dict[str, Any]]:
        """The moves as JSON objects: ``piece``, and ``path`` as cells ``[row, column]``."""
        cells = self.puzzle.board.cells
        return [
            {"piece": piece, "path": [list(cells[cell]) for cell in move]}
            for piece, move in zip(self.pieces, self.moves, strict=True)
        ]


@dataclass(frozen=True)
class SwapAnswer(Carded, BaseAnswer):
    """A shortest solution or none, with a proof that nothing shorter is a solution.

    - ``puzzle``: The question.
    - ``solution``: A shortest solution; None if the goal is out of reach, or beyond ``most``.
    - ``count``: Number of shortest solutions; None if they were not counted.
    - ``proof``: Why no shorter solution exists, or why none exists at all.
    - ``reached``, ``states``: Positions reached, and positions of the puzzle, by engine bfs; where colours
      alternate a position counts once for each colour that may have moved last.
    - ``layers``: Number of positions at each distance from the start, by engine bfs.
    - ``exhausted``: Whether engine bfs reached every position that can be reached.
    - ``on_shortest``: The positions on shortest solutions by distance, if ``search`` was called with
      ``keep``.
    - ``peak_bytes``: Most memory that engine bfs held.
    """

    puzzle: SwapPuzzle
    solution: SwapSolution | None
    count: int | None
    proof: str
    reached: int | None = None
    states: int | None = None
    layers: tuple[int, ...] = ()
    exhausted: bool = False
    on_shortest: tuple[frozenset[Position], ...] = ()
    peak_bytes: int | None = None

    @property
    def found(self) -> bool:
        """Whether there is a solution."""
        return self.solution is not None

    @property
    def length(self) -> int | None:
        """Jumps (moves) of the shortest solutions."""
        return None if self.solution is None else len(self.solution)

    def _card(self) -> Card:
        facts = [("proof", self.proof), *self._facts]
        if self.count is not None:
            facts.insert(0, ("shortest solutions", f"{self.count:,}"))
        if self.solution is None:
            return Card(f"No solution: {self.puzzle}", tuple(facts), (self.puzzle,))
        if self.length:
            facts.insert(0, ("solution", " ".join(str(self.solution).split())))
        return Card(f"{self.length} {self.puzzle.objective}: {self.puzzle}", tuple(facts), (self.puzzle,))

    def text(self, title: str) -> str:
        """The solution, its length, the proof and the number of solutions, in lines."""
        if self.solution is None:
            return f"{title}: no solution\n{self.proof}"
        lines = [str(self.solution), ""] if self.length else []
        lines += [f"{title}: {self.length} {self.puzzle.objective}", self.proof]
        if self.count is not None:
            walks = ", distinguished by the cells they visit" if self.puzzle.objective == "moves" else ""
            lines.append(f"{solutions_text(self.count)}: sequences of {self.puzzle.objective}{walks}")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The answer as a JSON object; numbers of solutions and positions are decimal strings."""
        data: dict[str, Any] = {"status": self.status}
        if self.solution is not None:
            data |= {"length": self.length, "moves": self.solution.to_json()}
        if self.count is not None:
            data["solutions"] = str(self.count)
        data["proof"] = self.proof
        if self.reached is not None:
            data |= {"reached": str(self.reached), "states": str(self.states)}
        return data | {"engine": self.engine, "seconds": round(self.seconds, 6)}


def solutions_text(number: int) -> str:
    """A number of shortest solutions as text.

    >>> solutions_text(1), solutions_text(8)
    ('1 shortest solution', '8 shortest solutions')
    """
    return f"{number} shortest {plural(number, 'solution')}"


def violation(puzzle: SwapPuzzle, moves: Sequence[Sequence[int]]) -> str | None:
    """The first violation in a sequence of moves, or None if it is a solution of any length.

    It has its own definition of a jump and of an attack. With the engines it shares the puzzle's start and
    goal, its leapers and its colours.

    Cost: linear in the jumps; if peaceful, times the pieces squared.

    >>> puzzle = SwapPuzzle(start="A./../..", goal="../../.A")
    >>> violation(puzzle, [(0, 5)]), violation(puzzle, [(0, 4)])
    (None, 'jump 1: a3-a1 is not a jump of A')
    """
    cells = puzzle.board.cells
    standing = {cell: mark for cell, mark in zip(cells, puzzle.first, strict=True) if mark != "."}
    before = None
    for number, move in enumerate(moves, 1):
        where = f"{puzzle.objective[:-1]} {number}"
        if len(move) < 2 or any(not 0 <= cell < len(cells) for cell in move):
            return f"{where}: {list(move)} is not a walk over the {len(cells)} cells"
        path = [cells[cell] for cell in move]
        if len(set(path)) < len(path):
            return f"{where}: {puzzle.move_name(tuple(move))} visits a cell twice"
        piece = standing.pop(path[0], None)
        if piece is None:
            return f"{where}: nothing stands on {puzzle.name(move[0])}"
        if len(move) - 1 > (1 if puzzle.objective == "jumps" else puzzle.longest or len(cells)):
            return f"{where}: {len(move) - 1} jumps are too many"
        r, s = puzzle.leaper_of[piece]
        for here, there in pairwise(path):
            if not _leaps(puzzle, here, there, r, s):
                named = f"{puzzle.board.name(here)}-{puzzle.board.name(there)}"
                return f"{where}: {named} is not a jump of {piece}"
            if there in standing:
                return f"{where}: {standing[there]} stands on {puzzle.board.name(there)}"
            if puzzle.peaceful and _attacked(puzzle, {**standing, there: piece}):
                return f"{where}: {piece} on {puzzle.board.name(there)} attacks a piece of another colour"
        standing[path[-1]] = piece
        colour = puzzle.colour_of[piece]
        if puzzle.alternate and colour == before:
            return f"{where}: {piece} moves, but it is not its turn"
        before = colour
    wanted = {cell: mark for cell, mark in zip(cells, puzzle.last, strict=True) if mark != "."}
    if standing != wanted:
        wrong = min(cell for cell in cells if standing.get(cell) != wanted.get(cell))
        return (
            f"in the end {standing.get(wrong, 'nothing')} stands on {puzzle.board.name(wrong)}, "
            f"not {wanted.get(wrong, 'nothing')}"
        )
    if puzzle.most is not None and len(moves) > puzzle.most:
        return f"{len(moves)} {puzzle.objective} are more than {puzzle.most}"
    return None


def _leaps(puzzle: SwapPuzzle, here: tuple[int, int], there: tuple[int, int], r: int, s: int) -> bool:
    board = puzzle.board
    down, right = abs(there[0] - here[0]), abs(there[1] - here[1])
    rows, columns = (range(-r - s, r + s + 1) if side in board.wrap else (0,) for side in "yx")
    return here != there and any(
        {(abs(down + i * board.rows), abs(right + j * board.columns))} <= {(r, s), (s, r)}
        for i in rows
        for j in columns
    )


def _attacked(puzzle: SwapPuzzle, standing: dict[tuple[int, int], str]) -> bool:
    return any(
        puzzle.colour_of[one] != puzzle.colour_of[other]
        and _leaps(puzzle, here, there, *puzzle.leaper_of[one])
        for here, one in standing.items()
        for there, other in standing.items()
    )
