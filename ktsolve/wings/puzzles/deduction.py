"""Difficulty of a puzzle: how far rules that look at one place lead, without search.

Three levels, each with what it allows:

- *easy*: unit propagation on the clauses of the rules, those of :meth:`Kind.local_clauses` among them; and
  the rule that a line may not close a loop while other lines lie elsewhere.
- *medium*: in addition one assumption at a time: a mark is assumed, the rules of *easy* lead to a
  contradiction, so it is false (failed literals; Freeman 1995).
- *hard*: these do not reach the solution.

A puzzle that these rules solve has one solution, since they follow from the puzzle. The converse holds for
no level.

Numbered boards have the rules of :mod:`.step_deduction`. Their *easy* rules, distances, are unit propagation
on ``models/hidato.py``. *Medium* puzzles need forced moves and no assumptions: each of these deductions has a
reason in words (``ktsolve clues hint``), and they take milliseconds on large boards.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from typing import Any

from ktsolve.base.limits import Clock
from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import GridPuzzle
from ktsolve.model.clauses import free
from ktsolve.model.encode import Encoder, number
from ktsolve.model.loop_forms import CycleForm
from ktsolve.models._grid import GridModel
from ktsolve.wings.puzzles.kind import LEVELS, Kind
from ktsolve.wings.puzzles.step_deduction import StepDeduction, StepRating

__all__ = ["LEVELS", "Deduction", "Rating", "rate"]

_SOLVER = "minisat22"
"""Propagates from given literals without search."""


@dataclass(frozen=True)
class Rating:
    """How a puzzle can be solved without search.

    Marks are lines, no lines, shades and numbers. The rules of one place decide some (``by_rules``); others
    follow, in the end, from assumptions that are ``contradicted`` (``by_assumptions``).
    """

    by_rules: int
    by_assumptions: int
    left: int
    contradicted: int

    @property
    def level(self) -> str:
        """One of :data:`LEVELS`."""
        if self.left:
            return "hard"
        return "medium" if self.by_assumptions else "easy"

    def __str__(self) -> str:
        total = self.by_rules + self.by_assumptions + self.left
        if self.level == "easy":
            return f"easy: rules decide all {total} marks"
        text = f"{self.level}: of {total} marks rules decide {self.by_rules}, {self.contradicted} assumptions"
        text += f" {self.by_assumptions} more"
        return text if self.level == "medium" else f"{text}, {self.left} are left"

    def to_json(self) -> dict[str, Any]:
        """The rating as a JSON object."""
        return {"level": self.level, **vars(self)}


class Deduction:
    """The rules of a puzzle, applied without search.

    A model with optional clues serves all puzzles with some of them.
    """

    def __init__(self, kind: Kind, model: GridModel) -> None:
        from pysat.solvers import Solver

        encoder = Encoder(model.model)
        self._loops: list[_Lines] = []
        self._failed: list[int] = []
        self._reached = 0
        for constraint in model.model.constraints:
            encoder.add(constraint)
        for form in encoder.loops:
            assert isinstance(form, CycleForm)
            form.relax(encoder)
            self._loops.append(_Lines(form))
        self._given = {cell: number(literal) for cell, literal in model.given.items()}
        self._marks = [number(literal) for literal in model.marks.values()]
        # Everything holds under one more literal: the solver does not report what holds without assumptions.
        self._rules = encoder.fresh()
        self._solver: Any = Solver(name=_SOLVER)
        for clause in chain(encoder.clauses, kind.local_clauses(model)):
            self._solver.add_clause([*clause, -self._rules])

    def close(self) -> None:
        """Free the memory of the solver."""
        free(self._solver)

    def rate(
        self, cells: Iterable[Cell] | None = None, *, most: str = "medium", clock: Clock | None = None
    ) -> Rating:
        """How far the rules lead.

        ``cells`` are those whose clues are given, of a model with optional clues; all by default.
        """
        chosen = self._given if cells is None else cells
        given = [self._rules, *(self._given[cell] for cell in chosen if cell in self._given)]
        known = self._close(given)
        by_rules = self._decided(known)
        contradicted: list[int] = []
        # Assumptions that failed for other clues come first: they often fail for these as well.
        waiting = deque([*self._failed, *self._marks, *(-mark for mark in self._marks)])
        passed = 0
        while known is not None and most != "easy" and passed < len(waiting):
            if clock is not None:
                clock.check("difficulty not rated")
            assumed = waiting.popleft()
            waiting.append(assumed)
            passed += 1
            if assumed in known or -assumed in known:
                continue
            # It fails by a contradiction or by a second loop.
            consistent, found = self._solver.propagate(assumptions=[*given, assumed])
            if not consistent or any(loop.closes(found[self._reached :]) for loop in self._loops):
                contradicted.append(assumed)
                given.append(-assumed)
                known = self._close(given)
                passed = 0
        if cells is not None:
            self._failed = contradicted
        left = len(self._marks) - self._decided(known)
        return Rating(by_rules, len(self._marks) - left - by_rules, left, len(contradicted))

    def _decided(self, known: set[int] | None) -> int:
        """The number of marks that are decided; 0 if the rules contradict each other."""
        return 0 if known is None else sum(x in known or -x in known for x in self._marks)

    def _close(self, given: list[int]) -> set[int] | None:
        """What the rules decide; None for a contradiction. Lines that would close a loop join ``given``."""
        while True:
            consistent, found = self._solver.propagate(assumptions=given)
            if not consistent:
                return None
            known = set(found)
            self._reached = len(found)
            for loop in self._loops:
                loop.join(known)
            closing = [x for loop in self._loops for x in loop.closing(known)]
            if not closing:
                return known
            given += closing


class _Lines:
    """The connected pieces of the lines that are known, for one loop."""

    def __init__(self, form: CycleForm) -> None:
        self.form = form
        self._ends = {literal: (u, v) for u, v, literal in form.arcs}
        self._piece: dict[int, int] = {}
        self._pieces = 0

    def join(self, known: set[int]) -> None:
        """Find the pieces of the known lines."""
        parent: dict[int, int] = {}
        for u, v, literal in self.form.arcs:
            if literal in known:
                parent[_root(parent, u)] = _root(parent, v)
        self._piece = {v: _root(parent, v) for v in list(parent)}
        self._pieces = len(set(self._piece.values()))

    def closing(self, known: set[int]) -> list[int]:
        """Lines that would close a loop while other lines lie elsewhere, negated."""
        if self._pieces < 2:
            return []
        piece = self._piece
        return [
            -literal
            for u, v, literal in self.form.arcs
            if literal not in known and -literal not in known and u in piece and piece.get(v) == piece[u]
        ]

    def closes(self, found: Iterable[int]) -> bool:
        """Whether further lines close a loop while other lines lie elsewhere."""
        parent: dict[int, int] = {}
        pieces, closed = self._pieces, 0
        for literal in found:
            if literal not in self._ends:
                continue
            # A place without lines so far is a piece of its own, named apart from the others.
            u, v = (self._piece.get(place, -1 - place) for place in self._ends[literal])
            pieces += (u < 0 and u not in parent) + (v < 0 and v not in parent)
            first, second = _root(parent, u), _root(parent, v)
            if first == second:
                closed += 1
            else:
                parent[first] = second
                pieces -= 1
        return closed > 0 and pieces > 1


def _root(parent: dict[int, int], v: int) -> int:
    while parent.setdefault(v, v) != v:
        parent[v] = parent[parent[v]]
        v = parent[v]
    return v


def rate(kind: Kind, puzzle: GridPuzzle, clock: Clock | None = None) -> Rating | StepRating:
    r"""The difficulty of a puzzle.

    >>> from ktsolve.wings.puzzles.kinds import KINDS
    >>> text = "2..1.\n.2..1\n..2..\n3..3.\n.0..3"
    >>> print(rate(KINDS["slitherlink"], GridPuzzle.read(text)))
    medium: of 60 marks rules decide 17, 3 assumptions 43 more
    """
    if (numbered := kind.tours(puzzle)) is not None:
        return StepDeduction(numbered).rating()
    with closing(Deduction(kind, kind.compile(puzzle))) as deduction:
        return deduction.rate(clock=clock)
