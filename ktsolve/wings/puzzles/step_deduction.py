"""Deductions on a partly numbered board, as a person makes them: the next cell with its reason, a difficulty.

Two sets of rules narrow the table of the steps that each cell can have:

- *distances*: a step's cell is one move from cells of the steps before and after it, through free cells; a
  step that one cell alone can have is that cell's, and the other way round;
- *moves*: a cell inside the tour with two possible moves makes both; a cell with two moves made makes no
  others. A move made puts its cells at consecutive steps.

The *difficulty* is what completes the board: ``easy``: distances alone; ``medium``: moves as well; ``hard``:
cells remain that only trying or a search decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ktsolve.base.text import number_of
from ktsolve.graphs.graph import Vertex
from ktsolve.problem.problem import TourProblem
from ktsolve.wings.puzzles.kind import LEVELS

__all__ = ["Hint", "StepDeduction", "StepRating"]

_TRIED = 4  # most candidates of a step or a cell that are tried one by one


@dataclass(frozen=True)
class Hint:
    """A step whose cell follows.

    The reason is a sentence without its subject; the rule is ``distances``, ``moves`` or ``trying``.
    """

    step: int
    cell: Vertex
    reason: str
    rule: str


@dataclass(frozen=True)
class StepRating:
    """How far the rules go.

    ``reached`` counts the cells whose step the rules find, given ones included.
    """

    level: str
    reached: int
    cells: int

    def __str__(self) -> str:
        if self.level == "hard":
            return f"hard: propagation fills {self.reached} of {number_of(self.cells, 'cell')}"
        rules = "distances" if self.level == "easy" else "distances and forced moves"
        return f"{self.level}: {rules} fill the board"

    def to_json(self) -> dict[str, Any]:
        """The rating as a JSON object."""
        return dict(vars(self))


class StepDeduction:
    r"""The table of possible steps of a problem with clues on an undirected graph, narrowed by rules.

    Of the conditions the ends, the moves and the steps are used. For each vertex, ``steps`` are those that it
    can have, as a number whose bit t stands for step t + 1; ``around`` are those to which a move is left.

    >>> from ktsolve.problem.parameters import read_clues
    >>> board, clues = read_clues("1 . . 10\n. . . .\n3 . 9 .")
    >>> deduction = StepDeduction(TourProblem(board=board, closed=False, at=clues))
    >>> hint = deduction.hint()
    >>> hint.step, board.name(hint.cell)
    (2, 'c2')
    >>> hint.reason
    'of the free cells one move from a3 (step 1) and one move from a1 (step 3) there is only c2'
    >>> str(deduction.rating())
    'easy: distances fill the board'
    """

    def __init__(self, problem: TourProblem) -> None:
        self.problem = problem
        ground = self._ground = problem.ground
        n = self._n = len(ground)
        self._closed, self._all = problem.closed, (1 << n) - 1
        self.steps = [self._all] * n
        self.around: list[list[int]] = [[] for _ in range(n)]
        for u, v in problem.allowed_edges.tolist():
            self.around[u].append(v)
            self.around[v].append(u)
        index = ground.index
        self._required = [(index[u], index[v]) for u, v in problem.required_moves]
        for step, cell in problem.known_steps:
            self.only(step, [index[cell]])
        for cells, step in ((problem.first, 1), (problem.last, n)):
            if cells is not None:
                self.only(step, [index[cell] for cell in cells])
        self._given = len(problem.known_steps)

    def only(self, step: int, vertices: Iterable[int]) -> None:
        """Leave a step to some vertices; a single one has no other step."""
        bit, kept = 1 << (step - 1), set(vertices)
        for v in range(self._n):
            if v not in kept:
                self.steps[v] &= ~bit
            elif len(kept) == 1:
                self.steps[v] &= bit

    def copy(self) -> StepDeduction:
        """A table that is narrowed by itself."""
        other = object.__new__(StepDeduction)
        other.__dict__.update(self.__dict__)
        other.steps, other.around = self.steps.copy(), [each.copy() for each in self.around]
        return other

    def candidates(self, step: int) -> list[int]:
        """The vertices that can have a step."""
        bit = 1 << (step - 1)
        return [v for v, steps in enumerate(self.steps) if steps & bit]

    # -- rules ------------------------------------------------------------------------------------------

    def settle(self, *, moves: bool) -> bool:
        """Narrow the table until nothing changes; False if a step or a vertex has nothing left.

        A round takes O(n + m) operations on numbers of n bits; there are at most some n rounds.
        """
        while True:
            before = self.steps.copy()
            self._spread()
            if not self._singles():
                return False
            if self.steps == before and not (moves and self._follow_moves()):
                return True

    def _later(self, steps: int) -> int:
        """The steps that follow some steps."""
        later = steps << 1
        return (later | later >> self._n) & self._all if self._closed else later & self._all

    def _earlier(self, steps: int) -> int:
        """The steps that some steps follow."""
        return steps >> 1 | (steps & 1) << (self._n - 1) if self._closed else steps >> 1

    def _beside(self, steps: int) -> int:
        return self._later(steps) | self._earlier(steps)

    def _spread(self) -> None:
        """A step's vertex is a move from vertices of the step before, and of the step after."""
        steps = self.steps
        first, last = (0, 0) if self._closed else (1, 1 << (self._n - 1))
        for v, others in enumerate(self.around):
            reached = 0
            for w in others:
                reached |= steps[w]
            steps[v] &= (self._later(reached) | first) & (self._earlier(reached) | last)

    def _singles(self) -> bool:
        """Steps of one vertex alone are its own, and the other way round; False for a contradiction."""
        seen = twice = fixed = 0
        for steps in self.steps:
            if not steps:
                return False
            twice |= seen & steps
            seen |= steps
            if steps & (steps - 1) == 0:
                if fixed & steps:
                    return False
                fixed |= steps
        if seen != self._all:
            return False
        once = seen & ~twice
        for v, steps in enumerate(self.steps):
            if steps & (steps - 1):
                own = steps & once
                if own & (own - 1):
                    return False
                self.steps[v] = own or steps & ~fixed
        return True

    def _inner(self, vertex: int) -> bool:
        """Whether a vertex is neither the first nor the last."""
        return self._closed or not self.steps[vertex] & (1 | 1 << (self._n - 1))

    def _drop_moves(self) -> bool:
        """Drop the moves that no two consecutive steps can make; whether there were any."""
        steps, changed = self.steps, False
        for v, others in enumerate(self.around):
            beside = self._beside(steps[v])
            left = [w for w in others if steps[w] & beside]
            if len(left) < len(others):
                self.around[v], changed = left, True
        return changed

    def _follow_moves(self) -> bool:
        """Apply the rules about moves once; whether they change anything."""
        changed = self._drop_moves()
        around = self.around
        made = set(self._required)
        for v, others in enumerate(around):
            if self._inner(v) and self._n > 2:
                if len(others) < 2:
                    self.steps[v] = 0
                    return True
                if len(others) == 2:
                    made |= {(v, w) for w in others}
        made |= {(v, u) for u, v in made}
        number = Counter(u for u, _ in made)
        full = {v for v, count in number.items() if count == 2}
        for v, others in enumerate(around):
            left = [w for w in others if (v, w) in made or not (v in full or w in full)]
            if len(left) < len(others):
                around[v], changed = left, True
        for u, v in made:
            changed |= self.follow(u, v)
        return changed

    def follow(self, u: int, v: int) -> bool:
        """Leave to vertex u the steps beside those of vertex v; whether that changes anything."""
        before = self.steps[u]
        self.steps[u] &= self._beside(self.steps[v])
        return self.steps[u] != before

    # -- what follows -----------------------------------------------------------------------------------

    def known(self) -> dict[int, int]:
        """The steps of vertices that have one step left, each with the number of the vertex."""
        single = (
            (steps.bit_length(), v) for v, steps in enumerate(self.steps) if steps and not steps & (steps - 1)
        )
        return dict(sorted(single))

    def rating(self) -> StepRating:
        """The difficulty of the puzzle."""
        table = self.copy()
        for difficulty in LEVELS[:2]:
            if not table.settle(moves=difficulty == "medium"):
                return StepRating("hard", self._given, self._n)
            reached = len(table.known())
            if reached == self._n:
                return StepRating(difficulty, reached, self._n)
        return StepRating("hard", reached, self._n)

    def completes(self, difficulty: str) -> bool:
        """Whether the rules of ``easy`` or ``medium`` complete the board."""
        table = self.copy()
        return table.settle(moves=difficulty == "medium") and len(table.known()) == self._n

    def hint(self) -> Hint | None:
        """The next step that follows, by the simplest rule that gives one; None if none does.

        Nothing follows if the board is complete, or if the clues contradict each other (:meth:`settle`).
        """
        given = {step for step, _ in self.problem.known_steps}
        for step, cell in self.known().items():
            if step not in given:
                reason = "every other step, or every other cell, is taken"
                return Hint(step, self._ground.cells[cell], reason, "distances")
        for find in (self._by_gaps, self._by_distances, self._by_moves, self._by_trying):
            found = next((hint for hint in find() if hint.step not in given), None)
            if found is not None:
                return found
        return None

    def _name(self, vertex: int) -> str:
        return self._ground.name(self._ground.cells[vertex])

    def _by_gaps(self) -> Iterator[Hint]:
        """Steps that the distances from the nearest known steps leave to one cell."""
        known = self.known()
        free = set(range(self._n)) - set(known.values())
        gaps = sorted(
            (self._gap(step, known) for step in range(1, self._n + 1) if step not in known), key=_length
        )
        for step, before, after in gaps:
            cells = free & set(self.candidates(step))
            texts = []
            for number in (before, after):
                if number is not None:
                    other = abs(step - number)
                    start = known[(number - 1) % self._n + 1]
                    cells &= self._walk(start, other, free)
                    moves = "one move" if other == 1 else f"{other} moves"
                    texts.append(f"{moves} from {self._name(start)} (step {(number - 1) % self._n + 1})")
            if len(cells) == 1:
                (cell,) = cells
                reason = f"of the free cells {' and '.join(texts)} there is only {self._name(cell)}"
                yield Hint(step, self._ground.cells[cell], reason, "distances")

    def _gap(self, step: int, known: dict[int, int]) -> tuple[int, int | None, int | None]:
        """A step with the nearest known ones before and after it; in closed tours also beyond the ends."""
        before = max((each for each in known if each < step), default=None)
        after = min((each for each in known if each > step), default=None)
        if self._closed and known:
            before = max(known) - self._n if before is None else before
            after = min(known) + self._n if after is None else after
        return step, before, after

    def _walk(self, start: int, moves: int, free: set[int]) -> set[int]:
        """The free cells that a given number of moves through free cells reaches."""
        here = {start}
        for _ in range(moves):
            here = {w for v in here for w in self.around[v] if w in free}
        return here

    def _by_distances(self) -> Iterator[Hint]:
        table = self.copy()
        if table.settle(moves=False):
            yield from self._found(table, "", "distances")

    def _by_moves(self) -> Iterator[Hint]:
        """First by one cell with two moves left, then by all rules."""
        table = self.copy()
        if not table.settle(moves=False):
            return
        table._drop_moves()
        for cell in range(self._n):
            if len(table.around[cell]) != 2 or not table._inner(cell):
                continue
            one, other = table.around[cell]
            tried = table.copy()
            for u, v in ((cell, one), (one, cell), (cell, other), (other, cell)):
                tried.follow(u, v)
            if tried.settle(moves=False):
                names = f"{self._name(one)} and {self._name(other)}"
                why = f"{self._name(cell)} has only the moves to {names} left and makes both, so that "
                yield from self._found(tried, why, "moves")
        if table.settle(moves=True):
            yield from self._found(table, "cells with two moves left make both, so that ", "moves")

    def _found(self, table: StepDeduction, why: str, rule: str) -> Iterator[Hint]:
        """The steps that a narrowed table has found, those with fewest candidates before first."""
        known = self.known()
        found = [(step, cell) for step, cell in table.known().items() if step not in known]
        for step, cell in sorted(found, key=lambda each: len(self.candidates(each[0]))):
            reason = f"{why}the free cells and the distances leave step {step} to {self._name(cell)} alone"
            yield Hint(step, self._ground.cells[cell], reason, rule)

    def _by_trying(self) -> Iterator[Hint]:
        """Steps of which all candidates but one lead to a contradiction."""
        table = self.copy()
        if not table.settle(moves=True):
            return
        listed = [(step, table.candidates(step)) for step in range(1, self._n + 1)]
        for step, candidates in sorted(listed, key=lambda each: len(each[1])):
            if not 2 <= len(candidates) <= _TRIED:
                continue
            wrong = [cell for cell in candidates if not table._with(step, cell)]
            if len(wrong) == len(candidates) - 1:
                (cell,) = set(candidates) - set(wrong)
                names = " or ".join(map(self._name, wrong))
                reason = f"with {names} there, another step or another cell has nothing left"
                yield Hint(step, self._ground.cells[cell], reason, "trying")

    def _with(self, step: int, cell: int) -> bool:
        """Whether the rules find no contradiction when a cell has a step."""
        table = self.copy()
        table.only(step, [cell])
        return table.settle(moves=True)


def _length(gap: tuple[int, int | None, int | None]) -> tuple[int, int]:
    """Short gaps first, and in each gap the steps next to a known one."""
    step, before, after = gap
    far = 10**9
    sides = [step - before if before is not None else far, after - step if after is not None else far]
    return sum(sides), min(sides)
