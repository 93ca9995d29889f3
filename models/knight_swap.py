"""Leapers that change places in a number of steps: bounded planning, for any puzzle of this kind.

The Booleans are:

- ``at[c3,W,5]``: a W stands on c3 after five steps; ``at[c3,.,5]``: c3 is empty. Exactly one mark holds for
  each cell and time. ``at[c3,W,5]`` exists only if five steps can take some W of the start to c3, and the
  remaining steps can take it to some W of the goal.
- ``go[c3,1,5]``: in the step after time 5 the moving piece is on c3 after its first jump; ``go[c3,0,5]``: it
  started from c3. A walk that has ended stays on its last cell.
- ``idle[5]``: nothing moves in the step after time 5 or in any later one.
- ``mover[W,5]``: a W moves in the step after time 5.

Pieces have no names besides their letters, so no symmetry between alike pieces remains. The solutions of the
model are the solutions of the puzzle with at most that many steps, one each: a walk visits no cell twice.
Source: planning as satisfiability (Kautz & Selman 1992).

Parameters of an instance: those of a swap puzzle, see docs/swap.md; ``most``, the number of steps, is
required.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise, product
from math import inf
from typing import Any

from ktsolve.models import Built
from ktsolve.models._swap_statement import EMPTY, SwapMove, SwapStatement

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints import Assignment, Literal
from ktsolve.model.model import Model

__all__ = ["SwapModel", "build"]


def build(parameters: Mapping[str, Any]) -> Built:
    """The model of an instance whose ``[parameters]`` state a swap puzzle with ``most``."""
    puzzle = SwapStatement.of_parameters(parameters)
    if puzzle.most is None:
        raise BadInput("parameters.most is missing: give the number of steps to plan for, such as most = 16")
    stated = SwapModel(puzzle, puzzle.most)
    return Built(stated.model, lambda assignment: puzzle.text(stated.moves(assignment)))


class SwapModel:
    """The solutions of a swap puzzle of at most ``steps`` jumps (moves).

    There are about steps x cells x (letters + jumps of a move) Booleans. Those in ``at``, ``go``, ``idle``
    and ``mover`` are listed by time: of a cell and a mark, of a jump and a cell, of the step, of a letter.

    >>> SwapModel(SwapStatement(start="A./../..", goal="../../.A"), 1).model
    <Model A./../.. to ../../.A in fewest jumps, 1 step: 28 Booleans, 70 constraints>
    """

    def __init__(self, puzzle: SwapStatement, steps: int) -> None:
        self.puzzle, self.steps = puzzle, steps
        self.model = model = Model(f"{puzzle}, {steps} step{'' if steps == 1 else 's'}")
        names, times, jumps = puzzle.board.names, range(steps), range(puzzle.reach + 1)
        self._cells = range(len(names))
        self.at = [
            [
                {mark: model.boolean(f"at[{name},{mark},{time}]") for mark in marks}
                for name, marks in zip(names, possible, strict=True)
            ]
            for time, possible in enumerate(self._possible())
        ]
        self.idle = [model.boolean(f"idle[{time}]") for time in times]
        self.mover = [{w: model.boolean(f"mover[{w},{time}]") for w in puzzle.letters} for time in times]
        self.go = [
            [[model.boolean(f"go[{name},{jump},{time}]") for name in names] for jump in jumps]
            for time in times
        ]
        model.show(literal for walk in self.go for places in walk for literal in places)
        for standing, position in ((self.at[0], puzzle.first), (self.at[steps], puzzle.last)):
            for marks, mark in zip(standing, position, strict=True):
                self._rule((), [marks.get(mark)])
        for standing in self.at:
            for marks in standing:
                model.exactly(1, marks.values())
        for time in times:
            self._one_piece_walks(time)
            self._its_cells_change(time)
            self._colours_alternate(time)
            self._no_piece_attacks(time)
        for before, idle in pairwise(self.idle):
            model.implies(before, idle)

    def _possible(self) -> Iterator[list[list[str]]]:
        """For each time the marks that each cell may have."""
        puzzle, reach = self.puzzle, self.puzzle.reach
        from_start, from_goal = (
            {w: puzzle.away(w, [cell for cell in self._cells if position[cell] == w]) for w in puzzle.letters}
            for position in (puzzle.first, puzzle.last)
        )

        def may_stand(letter: str, cell: int, time: int) -> bool:
            before, left = reach * time, reach * (self.steps - time)
            return from_start[letter].get(cell, inf) <= before and from_goal[letter].get(cell, inf) <= left

        for time in range(self.steps + 1):
            yield [[EMPTY, *(w for w in puzzle.letters if may_stand(w, c, time))] for c in self._cells]

    def _rule(self, given: Iterable[Literal | None], then: Iterable[Literal | None] = ()) -> None:
        """State that if all of ``given`` hold, one of ``then`` holds; None stands for what never holds."""
        given = list(given)
        if None not in given:
            self.model.clause(*(~each for each in given if each), *(each for each in then if each))

    # -- the rules --------------------------------------------------------------------------------------

    def _one_piece_walks(self, time: int) -> None:
        """Exactly one piece moves, along a walk over empty cells, or the step is idle."""
        puzzle, at = self.puzzle, self.at[time]
        idle, mover, walk = self.idle[time], self.mover[time], self.go[time]
        self.model.exactly(1, [idle, *mover.values()])
        for places in walk:
            self.model.exactly(1, [idle, *places])
        for cell in self._cells:
            self._rule([walk[0][cell], at[cell][EMPTY]])
            for letter, moves in mover.items():
                self._rule([walk[0][cell], moves], [at[cell].get(letter)])
            for places in walk[1:]:
                self._rule([places[cell]], [at[cell][EMPTY]])
        alike = len(set(puzzle.jumps.values())) == 1
        for jump, (places, further) in enumerate(pairwise(walk)):
            for cell in self._cells:
                stay = [further[cell]] if jump > 0 else []
                for letter in puzzle.letters[:1] if alike else puzzle.letters:
                    who = [] if alike else [mover[letter]]
                    ends = [further[there] for there in puzzle.jumps[letter][cell]]
                    self._rule([places[cell], *who], [*stay, *ends])
                for number, later in enumerate(walk[jump + 2 :] if jump > 0 else ()):
                    # A cell occurs twice only if the walk has ended there.
                    self._rule([places[cell], later[cell]], [further[cell]])
                    if number == 0:
                        self._rule([places[cell], further[cell]], [later[cell]])

    def _its_cells_change(self, time: int) -> None:
        """The cell where the piece stood becomes empty, the last cell of its walk gets its letter."""
        at, then, walk, mover = self.at[time], self.at[time + 1], self.go[time], self.mover[time]
        for cell in self._cells:
            for mark, stands in at[cell].items():
                touched = walk[-1][cell] if mark == EMPTY else walk[0][cell]
                self._rule([stands], [touched, then[cell].get(mark)])
            self._rule([walk[0][cell]], [then[cell][EMPTY]])
            for letter, moves in mover.items():
                self._rule([walk[-1][cell], moves], [then[cell].get(letter)])

    def _colours_alternate(self, time: int) -> None:
        """If colours alternate, a piece of the other colour moves next."""
        colour_of = self.puzzle.colour_of
        if self.puzzle.alternate and time + 1 < self.steps:
            for (letter, moves), (other, later) in product(
                self.mover[time].items(), self.mover[time + 1].items()
            ):
                if colour_of[letter] == colour_of[other]:
                    self._rule([moves, later])

    def _no_piece_attacks(self, time: int) -> None:
        """If all are peaceful, no jump ends where a piece of another colour attacks or is attacked."""
        puzzle, at = self.puzzle, self.at[time]
        if not puzzle.peaceful:
            return
        for letter, moves in self.mover[time].items():
            enemies = [w for w in puzzle.letters if puzzle.colour_of[w] != puzzle.colour_of[letter]]
            for cell, enemy in product(self._cells, enemies):
                near = sorted({*puzzle.jumps[letter][cell], *puzzle.jumps[enemy][cell]})
                for places, there in product(self.go[time][1:], near):
                    self._rule([places[cell], moves, at[there].get(enemy)])

    # -- back -------------------------------------------------------------------------------------------

    def moves(self, assignment: Assignment) -> tuple[SwapMove, ...]:
        """The moves of a solution of the model."""
        walks = (
            [cell for places in walk for cell, here in enumerate(places) if here.holds(assignment)]
            for walk in self.go
        )
        return tuple(tuple(dict.fromkeys(walk)) for walk in walks if walk)
