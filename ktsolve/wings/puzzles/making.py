"""Make puzzles with one solution, of a given difficulty.

A random solution gives all clues that there can be. Clues are then left out in random order:

- for *easy* and *medium* puzzles as long as the rules of the level (:mod:`.deduction`) reach the solution,
- for *hard* ones as long as the solution is the only one. Each question is one call of an incremental SAT
  solver: every clue holds under an assumption, and the solver returns those that its proof needs.

Numbered boards are made as those of ``ktsolve clues`` (:mod:`.clue_tasks`). Kinds whose clues cannot be left
out change the solution, until it is the only one. The engine ``cpsat``, which is not used in the making,
proves of each puzzle once more that there is no other solution.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.text import unknown
from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.symmetry import Symmetry, symmetry_group
from ktsolve.grids.puzzle import GridPuzzle, GridSolution, check_size
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.questions import Solver
from ktsolve.wings.puzzles.clue_tasks import ClueWishes, make_puzzle, pattern_sets
from ktsolve.wings.puzzles.deduction import LEVELS, Deduction, Rating, rate
from ktsolve.wings.puzzles.kind import Design, Kind
from ktsolve.wings.puzzles.solving import checked, confirmed_by
from ktsolve.wings.puzzles.step_deduction import StepRating
from ktsolve.wings.puzzles.uniqueness import reduced

__all__ = ["Made", "PuzzleWishes", "confirm", "make"]

_REFINEMENTS = 400  # changes of a design before a new one is made
_ATTEMPTS = 100  # designs before the difficulty is taken for impossible


@dataclass(frozen=True)
class Made:
    """A puzzle with exactly one solution.

    ``confirmed_by`` is the engine that proved once more that there is no other; ``attempts`` are designs.
    """

    kind: Kind
    puzzle: GridPuzzle
    solution: GridSolution
    rating: Rating | StepRating
    seed: int
    attempts: int
    confirmed_by: str = ""

    def to_json(self) -> dict[str, Any]:
        """The facts about the puzzle as a JSON object."""
        return {
            "clues": len(self.puzzle.clues),
            "difficulty": self.rating.to_json(),
            "seed": self.seed,
            "attempts": self.attempts,
            "confirmed_by": self.confirmed_by,
        }


class PuzzleWishes(NamedTuple):
    """What a puzzle should be like."""

    difficulty: str = "medium"
    givens: int | None = None  # number of clues, by default as few as the difficulty needs
    pattern: str | None = None  # a symmetry that maps the set of cells with clues to itself


def make(
    kind: Kind,
    rows: int,
    columns: int,
    seed: int = 0,
    difficulty: str | PuzzleWishes = "medium",
    settings: Settings | None = None,
    *,
    confirmed: bool = True,
) -> Made:
    """A puzzle with one solution; the same seed makes the same puzzle.

    The difficulty may be given together with wishes about the clues.

    If ``confirmed``, engine ``cpsat`` proves once more that there is no other solution, in the time that is
    left. Raises BadInput if the size is too small, the difficulty unknown, or no puzzle of it is found;
    LimitReached.

    >>> from ktsolve.wings.puzzles.kinds import KINDS
    >>> made = make(KINDS["masyu"], 6, 6, seed=1, difficulty="easy", confirmed=False)
    >>> made.rating.level, kind.violation(made.puzzle, made.solution) if (kind := made.kind) else None
    ('easy', '')
    """
    asked = difficulty if isinstance(difficulty, PuzzleWishes) else PuzzleWishes(difficulty)
    difficulty, givens, pattern = asked
    if difficulty not in LEVELS:
        raise unknown("difficulty", difficulty, LEVELS)
    if difficulty not in kind.levels:
        raise BadInput(
            f"{difficulty} {kind.title} is not made, because rules that look at one place reach no solution: "
            f"give {' or '.join(kind.levels)}"
        )
    check_size(rows, columns)
    if min(rows, columns) < kind.least:
        raise BadInput(
            f"a {kind.title} of {rows}x{columns} is too small: give {kind.least}x{kind.least} or more"
        )
    settings = settings or Settings()
    clock = Clock(settings)
    if not kind.reducible and (givens is not None or pattern is not None):
        raise BadInput(
            f"the clues of {kind.title} are those of its solution: leave out --givens and --pattern"
        )
    wishes = ClueWishes(givens=givens, pattern=_symmetry(pattern, rows, columns), difficulty=difficulty)
    numbered = kind.tours(GridPuzzle(rows, columns)) if kind.reducible else None
    if numbered is not None:
        made = _numbered(kind, numbered, rows, columns, seed, wishes, settings)
        return _confirmed(made, clock, settings) if confirmed else made
    for attempt in range(_ATTEMPTS):
        chooser = random.Random(f"{kind.name} {rows}x{columns} {difficulty} {seed} {attempt}")
        if settings.progress is not None:
            settings.progress(None, f"design {attempt + 1}")
        design = kind.design(rows, columns, chooser)
        if kind.reducible:
            found = _reduced(kind, design, wishes, chooser, clock, settings)
        else:
            found = _eased(kind, design, difficulty, chooser, clock, settings)
        if found is None:
            continue
        design, rating = found
        checked(kind, design.puzzle, design.solution, Solver.engine)
        made = Made(kind, design.puzzle, design.solution, rating, seed, attempt + 1)
        return _confirmed(made, clock, settings) if confirmed else made
    raise BadInput(
        f"no {difficulty} {kind.title} of {rows}x{columns} in {_ATTEMPTS} attempts: give another difficulty, "
        f"another size, or another seed{', or other clues' if givens or pattern else ''}"
    )


def _symmetry(name: str | None, rows: int, columns: int) -> Symmetry | None:
    """The symmetry of that name of a rectangle. Raises BadInput if there is none."""
    if name is None:
        return None
    board = Board(rows, columns)
    able = {each.name: each for each in symmetry_group(board) if each.name != "identity"}
    if name not in able:
        raise unknown(f"--pattern of {board}", name, able)
    return able[name]


def _numbered(
    kind: Kind,
    numbered: TourProblem,
    rows: int,
    columns: int,
    seed: int,
    wishes: ClueWishes,
    settings: Settings,
) -> Made:
    """A numbered board with these clues."""
    found = make_puzzle(numbered, seed, wishes, settings=settings, confirmed=False)
    assert found.solution is not None
    cells = [GridPuzzle(rows, columns).cells[i] for i in found.solution.indices]
    puzzle = GridPuzzle.of(rows, columns, {cells[step - 1]: str(step) for step in found.clues})
    solution = GridSolution(numbers=tuple(sorted((cell, step) for step, cell in enumerate(cells, 1))))
    checked(kind, puzzle, solution, Solver.engine)
    return Made(kind, puzzle, solution, found.rating, seed, found.attempts)


def confirm(made: Made, settings: Settings | None = None) -> Made:
    """The puzzle, after a proof by the other solver of models that there is no other solution."""
    compiled = made.kind.compile(made.puzzle)
    return replace(made, confirmed_by=confirmed_by(compiled, made.solution, made.kind.title, settings))


def _confirmed(made: Made, clock: Clock, settings: Settings) -> Made:
    """The puzzle after the second proof, or without it if the time does not suffice."""
    try:
        return confirm(made, clock.within(settings))
    except LimitReached:
        return made


def _unique(
    kind: Kind, design: Design, chooser: random.Random, clock: Clock, settings: Settings
) -> Design | None:
    """A design near the given one that has one solution."""
    others: list[GridSolution] = []
    for _ in range(_REFINEMENTS):
        clock.check()
        compiled = kind.compile(design.puzzle)
        with Solver(compiled.model, clock.within(settings)) as questions:
            known = questions.solve(compiled.literals(design.solution))
            assert known.found
            other = questions.solve(other_than=known)
        if other.assignment is None:
            return design
        others.append(compiled.solution(other.assignment))
        refined = kind.refined(design, others, chooser)
        if refined is None:
            return None
        if refined.solution != design.solution:
            others = []
        design = refined
    return None


def _eased(
    kind: Kind, design: Design, difficulty: str, chooser: random.Random, clock: Clock, settings: Settings
) -> tuple[Design, Rating | StepRating] | None:
    """A design with one solution and of this difficulty, near the given one, which may be more difficult."""
    near: Design | None = design
    for _ in range(_REFINEMENTS):
        near = near and _unique(kind, near, chooser, clock, settings)
        if near is None:
            return None
        rating = rate(kind, near.puzzle, clock)
        if LEVELS.index(rating.level) <= LEVELS.index(difficulty):
            return (near, rating) if rating.level == difficulty else None
        near = kind.eased(near, chooser)
    return None


def _reduced(
    kind: Kind, design: Design, wishes: ClueWishes, chooser: random.Random, clock: Clock, settings: Settings
) -> tuple[Design, Rating | StepRating] | None:
    """A design near the given one, without the clues that its level does not need; None if it has another."""
    difficulty = wishes.difficulty or LEVELS[1]
    unique = _unique(kind, design, chooser, clock, settings)
    if unique is None:
        return None
    compiled = kind.compile(unique.puzzle, optional=True)
    orbits = _orbits(unique.puzzle, compiled.given, wishes.pattern)
    chooser.shuffle(orbits)
    with closing(Deduction(kind, compiled)) as deduction, Solver(compiled.model) as questions:
        known = questions.solve([*compiled.given.values(), *compiled.literals(unique.solution)])
        cell_of = {literal: cell for cell, literal in compiled.given.items()}

        def by_rules(level: str, orbits: Sequence[_Orbit]) -> Sequence[_Orbit] | None:
            clock.check()
            return None if deduction.rate([*chain(*orbits)], most=level, clock=clock).left else orbits

        def by_search(orbits: Sequence[_Orbit]) -> list[_Orbit] | None:
            cells = [*chain(*orbits)]
            questions.limit(clock.within(settings, f"{len(cells)} clues left"))
            answer = questions.solve([compiled.given[cell] for cell in cells], other_than=known)
            if answer.found:
                return None
            core = {cell_of[literal] for literal in answer.core}
            return [orbit for orbit in orbits if not core.isdisjoint(orbit)]

        levels = LEVELS[: LEVELS.index(difficulty) + 1]
        tests = [by_search] if difficulty == "hard" else [partial(by_rules, level) for level in levels]
        if wishes.pattern is not None and tests[-1](orbits) is None:
            return None  # clues without images are needed
        left, _ = reduced(orbits, tests)
    clock.check()
    kept = _filled(left, orbits, wishes.givens)
    if kept is None:
        return None
    puzzle = unique.puzzle.without(compiled.given.keys() - kept)
    rating = rate(kind, puzzle, clock)
    return (Design(puzzle, unique.solution), rating) if rating.level == difficulty else None


_Orbit = tuple[Cell, ...]  # cells whose clues are left out together


def _orbits(puzzle: GridPuzzle, given: Collection[Cell], pattern: Symmetry | None) -> list[_Orbit]:
    """The cells with clues, one by one, or as whole sets that a pattern maps to themselves."""
    if pattern is None:
        return [(cell,) for cell in given]
    sets = [
        tuple(puzzle.cells[number] for number in numbers)
        for numbers in pattern_sets(len(puzzle.cells), pattern)
    ]
    return [cells for cells in sets if set(cells) <= set(given)]


def _filled(left: Sequence[_Orbit], orbits: Sequence[_Orbit], givens: int | None) -> set[Cell] | None:
    """The cells of some orbits, and of others up to a number of clues; None if it is not reached."""
    kept = set(chain(*left))
    for orbit in orbits:
        if givens is not None and len(kept) + len(orbit) <= givens and kept.isdisjoint(orbit):
            kept.update(orbit)
    return kept if givens in (None, len(kept)) else None
