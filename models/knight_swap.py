"""Leapers that change places, as bounded planning: the Model of a SwapPuzzle and a number of steps.

The Booleans are:

- ``at[c3,W,5]``: a W stands on c3 after five steps; ``at[c3,.,5]``: c3 is empty. Exactly one mark holds for
  each cell and time.
- ``go[c3,1,5]``: in the step after time 5 the moving piece is on c3 after its first jump; ``go[c3,0,5]``: it
  started from c3. A walk that has ended stays on its last cell.
- ``idle[5]``: nothing moves in the step after time 5 or in any later one.
- ``mover[W,5]``: a W moves in the step after time 5.

Pieces have no names besides their letters, so no symmetry between alike pieces remains. If no shorter
solution exists, each solution of the model is a solution of the puzzle, and each solution of the puzzle with
that many steps is one solution of the model: a walk visits no cell twice. ``at[c3,W,5]`` exists only if five
steps can take some W of the start to c3, and the remaining steps can take it to some W of the goal. Hints add
the bounds of :mod:`ktsolve.problem.swap_bounds`, and that no piece moves twice in a row where one move is
enough. Source: planning as satisfiability (Kautz & Selman 1992).

Parameters of an instance: those of a swap puzzle, see docs/swap.md; ``most``, the number of steps, is
required.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from math import ceil
from typing import Any

from ktsolve.models import Built

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints import Assignment, Literal
from ktsolve.model.model import Model
from ktsolve.problem.swap import EMPTY, SwapPuzzle
from ktsolve.problem.swap_bounds import distances, lower_bound, parity
from ktsolve.problem.swap_parameters import swap_puzzle
from ktsolve.problem.swap_solution import SwapSolution

__all__ = ["SwapModel", "build"]


def build(parameters: Mapping[str, Any]) -> Built:
    """The model of an instance whose ``[parameters]`` state a swap puzzle with ``most``."""
    puzzle = swap_puzzle(parameters)
    if puzzle.most is None:
        raise BadInput("parameters.most is missing: give the number of steps to plan for, such as most = 16")
    compiled = SwapModel(puzzle, puzzle.most)
    return Built(model=compiled.model, decode=compiled.decode)


class SwapModel:
    """A swap puzzle as a Model whose solutions are those of at most ``steps`` jumps (moves).

    Parameters
    ----------
    hints:
        Add bounds on the length from arithmetic, and exclude detours. Without hints the model is simpler and
        slower to refute.

    Attributes
    ----------
    puzzle, steps:
        The question.
    model:
        Its Booleans, about steps x cells x (letters + jumps of a move), and constraints.

    Examples
    --------
    >>> compiled = SwapModel(SwapPuzzle(start="A./../..", goal="../../.A"), 1)
    >>> compiled.model
    <Model A./../.. to ../../.A in fewest jumps, 1 step: 28 Booleans, 71 constraints>
    """

    def __init__(self, puzzle: SwapPuzzle, steps: int, *, hints: bool = True) -> None:
        self.puzzle = puzzle
        self.steps = steps
        self.model = Model(f"{puzzle}, {steps} step{'' if steps == 1 else 's'}")
        self._cells = range(len(puzzle.first))
        self._marks = (EMPTY, *puzzle.letters)
        self._at = [self._standing(time) for time in range(steps + 1)]
        self._idle = [self.model.boolean(f"idle[{time}]") for time in range(steps)]
        self._mover = [
            {letter: self.model.boolean(f"mover[{letter},{time}]") for letter in puzzle.letters}
            for time in range(steps)
        ]
        self._go = [
            [
                [self.model.boolean(f"go[{name},{jump},{time}]") for name in map(puzzle.name, self._cells)]
                for jump in range(puzzle.reach + 1)
            ]
            for time in range(steps)
        ]
        self.model.show(literal for walk in self._go for places in walk for literal in places)
        self._state_positions()
        for time in range(steps):
            self._state_walk(time)
            self._state_change(time)
            self._state_conditions(time)
        for before, idle in pairwise(self._idle):
            self.model.implies(before, idle)
        if hints:
            self._state_length()
            self._state_no_detours()

    # -- Booleans ---------------------------------------------------------------------------------------

    def _standing(self, time: int) -> list[dict[str, Literal]]:
        """For each cell the Booleans of the marks that it may have at a time."""
        puzzle, reach = self.puzzle, self.puzzle.reach
        early, late = self._away(puzzle.first), self._away(puzzle.last)
        found: list[dict[str, Literal]] = []
        for cell in self._cells:
            name = puzzle.name(cell)
            marks = [
                letter
                for letter in puzzle.letters
                if ceil(early[letter][cell] / reach) <= time
                and ceil(late[letter][cell] / reach) <= self.steps - time
            ]
            found.append({mark: self.model.boolean(f"at[{name},{mark},{time}]") for mark in (EMPTY, *marks)})
        return found

    def _away(self, position: str) -> dict[str, list[int]]:
        """For each letter and cell, the number of jumps from the nearest piece of that letter."""
        away = {}
        for letter in self.puzzle.letters:
            table = distances(self.puzzle, letter)
            from_each = [table[cell] for cell, mark in enumerate(position) if mark == letter]
            away[letter] = [min(column) for column in zip(*from_each, strict=True)]
        return away

    def _clause(self, given: Iterable[Literal | None], then: Iterable[Literal | None] = ()) -> None:
        """If all of ``given`` hold, one of ``then`` holds; None stands for a literal that is false."""
        given = list(given)
        if None in given:
            return
        literals = [literal for literal in then if literal is not None]
        self.model.clause(*(~literal for literal in given if literal is not None), *literals)

    # -- constraints ------------------------------------------------------------------------------------

    def _state_positions(self) -> None:
        for time, position in ((0, self.puzzle.first), (self.steps, self.puzzle.last)):
            for cell, mark in enumerate(position):
                self._clause((), [self._at[time][cell].get(mark)])
        for standing in self._at:
            for marks in standing:
                self.model.exactly(1, marks.values())

    def _state_walk(self, time: int) -> None:
        """Exactly one piece moves, along a walk over empty cells, or the step is idle."""
        model, puzzle, at = self.model, self.puzzle, self._at[time]
        idle, mover, walk = self._idle[time], self._mover[time], self._go[time]
        model.exactly(1, [idle, *mover.values()])
        for places in walk:
            model.exactly(1, [idle, *places])
        for cell in self._cells:
            self._clause([walk[0][cell], at[cell][EMPTY]])
            for letter, literal in mover.items():
                self._clause([walk[0][cell], literal], [at[cell].get(letter)])
            for places in walk[1:]:
                self._clause([places[cell]], [at[cell][EMPTY]])
        alike = len(set(puzzle.jumps.values())) == 1
        for jump, (places, further) in enumerate(pairwise(walk)):
            for cell in self._cells:
                stay = [further[cell]] if jump > 0 else []
                for letter in puzzle.letters[:1] if alike else puzzle.letters:
                    who = [] if alike else [mover[letter]]
                    ends = [further[there] for there in puzzle.jumps[letter][cell]]
                    self._clause([places[cell], *who], [*stay, *ends])
                for number, later in enumerate(walk[jump + 2 :] if jump > 0 else ()):
                    # A cell occurs twice only if the walk has ended there.
                    self._clause([places[cell], later[cell]], [further[cell]])
                    if number == 0:
                        self._clause([places[cell], further[cell]], [later[cell]])

    def _state_change(self, time: int) -> None:
        at, then, walk, mover = self._at[time], self._at[time + 1], self._go[time], self._mover[time]
        for cell in self._cells:
            for mark, literal in at[cell].items():
                touched = walk[-1][cell] if mark == EMPTY else walk[0][cell]
                self._clause([literal], [touched, then[cell].get(mark)])
            self._clause([walk[0][cell]], [then[cell][EMPTY]])
            for letter, literal in mover.items():
                self._clause([walk[-1][cell], literal], [then[cell].get(letter)])

    def _state_conditions(self, time: int) -> None:
        puzzle, mover = self.puzzle, self._mover[time]
        if puzzle.alternate and time + 1 < self.steps:
            for letter, literal in mover.items():
                for other, later in self._mover[time + 1].items():
                    if puzzle.colour_of[letter] == puzzle.colour_of[other]:
                        self._clause([literal, later])
        if not puzzle.peaceful:
            return
        for letter, literal in mover.items():
            enemies = [
                other for other in puzzle.letters if puzzle.colour_of[other] != puzzle.colour_of[letter]
            ]
            for cell in self._cells:
                for other in enemies:
                    near = {*puzzle.jumps[letter][cell], *puzzle.jumps[other][cell]}
                    for places in self._go[time][1:]:
                        for there in sorted(near):
                            self._clause([places[cell], literal, self._at[time][there].get(other)])

    def _state_length(self) -> None:
        """No solution has fewer steps than the lower bound, or a number of steps of the wrong parity."""
        bound, odd = lower_bound(self.puzzle), parity(self.puzzle)
        for steps in range(self.steps + 1):
            if bound is None or steps < bound or (odd is not None and steps % 2 != odd):
                before = self._idle[steps - 1 : steps] if steps else []
                after = [~idle for idle in self._idle[steps : steps + 1]]
                self._clause((), [*before, *after])

    def _state_no_detours(self) -> None:
        """No jump is undone by the next, or, with moves of any length, no piece moves twice in a row."""
        any_number = self.puzzle.objective == "moves" and self.puzzle.longest is None
        for walk, later in pairwise(self._go):
            for cell in self._cells:
                if any_number:
                    self._clause([walk[-1][cell], later[0][cell]])
                elif self.puzzle.reach == 1:
                    for there in self._cells:
                        if any(there in jumps[cell] for jumps in self.puzzle.jumps.values()):
                            self._clause([walk[0][there], walk[1][cell], later[0][cell], later[1][there]])

    # -- back -------------------------------------------------------------------------------------------

    def decode(self, assignment: Assignment) -> SwapSolution:
        """The moves of a solution of the model."""
        moves = []
        for walk in self._go:
            path = [
                cell for places in walk for cell, literal in enumerate(places) if literal.holds(assignment)
            ]
            if path:
                moves.append(tuple(dict.fromkeys(path)))
        return SwapSolution(self.puzzle, tuple(moves))
