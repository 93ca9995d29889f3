"""The answer to a swap puzzle: the same shape from every engine, with its text and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ktsolve.base.text import plural
from ktsolve.graphs.card import Card, Carded
from ktsolve.tasks.answer import BaseAnswer
from ktsolve.wings.swap.puzzle import Position, SwapPuzzle
from ktsolve.wings.swap.solution import SwapSolution

__all__ = ["SwapAnswer"]


@dataclass(frozen=True)
class SwapAnswer(Carded, BaseAnswer):
    """A shortest solution or none, with a proof that nothing shorter is a solution.

    Attributes
    ----------
    puzzle:
        The question.
    solution:
        A shortest solution; None if there is none.
    count:
        Number of shortest solutions; None if they were not counted.
    proof:
        Why no shorter solution exists, or why none exists at all.
    reached, states:
        Positions reached, and positions of the puzzle, by engine bfs; where colours alternate a position
        counts once for each colour that may have moved last.
    layers:
        Number of positions at each distance from the start, by engine bfs.
    exhausted:
        Whether engine bfs reached every position that can be reached.
    on_shortest:
        The positions on shortest solutions by distance, if ``search`` was called with ``keep``.
    peak_bytes:
        Most memory that engine bfs held.
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
