"""Solve, reduce and make clue puzzles, which are partly numbered boards; give hints.

A solution is a numbered tour: if both directions of a tour fit the clues, these are two solutions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import islice

from ktsolve.base.errors import BadInput, LimitReached, WrongAnswer
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.text import number_of, unknown
from ktsolve.engines.auto import choose
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Vertex
from ktsolve.graphs.groups import generate, orbits
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.symmetry import Symmetry
from ktsolve.graphs.tour import Tour
from ktsolve.grids.puzzle import GridPuzzle, GridSolution
from ktsolve.models.hidato import HOLE, HidatoModel
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.explain import open_tour_exists
from ktsolve.tasks.find import find
from ktsolve.wings.puzzles.clues import CluePuzzle
from ktsolve.wings.puzzles.kind import LEVELS
from ktsolve.wings.puzzles.solving import confirmed_by
from ktsolve.wings.puzzles.step_deduction import Hint, StepDeduction
from ktsolve.wings.puzzles.uniqueness import (
    Unclear,
    Uniqueness,
    other_tour,
    reduced,
    smallest,
    solutions,
    takes_other_tour,
)

__all__ = [
    "FEWEST",
    "CluePuzzle",
    "ClueWishes",
    "differences",
    "hint",
    "make_puzzle",
    "random_tour",
    "reduce_clues",
    "solutions",
    "two_solutions",
]

FEWEST = -1
"""As a number of clues: as few as possible."""

_ATTEMPTS = 60  # tours that are tried for a puzzle with wishes; 10 of them where any tour can be reduced


@dataclass(frozen=True, kw_only=True)
class ClueWishes:
    """What a puzzle should be like.

    ``givens`` is a number of clues, :data:`FEWEST`, or None for as many as are needed; ``pattern`` a symmetry
    of the set of clues; ``on`` the only cells that may have clues; ``keep`` cells that have them in any case.
    """

    givens: int | None = None
    pattern: Symmetry | None = None
    on: frozenset[Cell] | None = None
    keep: frozenset[Cell] = field(default_factory=frozenset)
    difficulty: str | None = None

    def __post_init__(self) -> None:
        if self.givens is not None and self.givens != FEWEST and self.givens < 1:
            raise BadInput(f"a puzzle has at least 1 clue, not {self.givens}")
        if self.difficulty is not None and self.difficulty not in LEVELS:
            raise unknown("difficulty", self.difficulty, LEVELS)
        if self.givens == FEWEST and self.difficulty in LEVELS[:2]:
            raise BadInput(f"the fewest clues make no {self.difficulty} puzzle: leave out one of the two")


def reduce_clues(
    problem: TourProblem,
    seed: int = 0,
    engine: str = "auto",
    settings: Settings | None = None,
    keep: Callable[[Cell], bool] | None = None,
) -> CluePuzzle:
    """The problem without the clues that it does not need, tried in an order that depends on the seed.

    When time runs out, or at Ctrl-C, the clues left so far are returned: the solution is unique, but fewer
    might suffice.

    The clues of cells that fulfil ``keep`` stay.

    >>> tour = find(TourProblem(board="5x5", closed=False)).tour
    >>> whole = TourProblem(board="5x5", closed=False, at=dict(enumerate(tour.squares, 1)))
    >>> reduced = reduce_clues(whole, seed=1)
    >>> reduced.solution == tour, reduced.minimal, len(reduced.problem.at) < 6
    (True, True, True)
    """
    settings = settings or Settings()
    found = solutions(problem, engine, settings)
    solution = next(found, None)
    if solution is None:
        raise NoSolution("the clues have no solution")
    if next(found, None) is not None:
        raise BadInput("the clues have several solutions: none can be left out")
    always = frozenset(step for step, cell in problem.at if keep is not None and keep(cell))
    order = [step for step, _ in problem.at if step not in always]
    random.Random(seed).shuffle(order)
    asked = Uniqueness(problem.replace(at={}), solution, engine, settings)
    steps = [frozenset({step}) for step in order]
    stops = (LimitReached, KeyboardInterrupt)
    units, proved = reduced(steps, asked.tests(always), settings.progress, stops)
    return CluePuzzle(asked.stated(always.union(*units)), solution, proved)


def make_puzzle(
    problem: TourProblem,
    seed: int = 0,
    wishes: ClueWishes = ClueWishes(),
    engine: str = "auto",
    settings: Settings | None = None,
    *,
    confirmed: bool = True,
) -> CluePuzzle:
    """A puzzle with exactly one solution and the wished properties; another seed gives another puzzle.

    The problem may have ends, which are then clues. The engine finds tours, answers questions of uniqueness,
    and confirms the puzzle; for ``auto`` uniqueness is a matter of propagation and a SAT solver, and CP-SAT
    confirms.

    >>> wishes = ClueWishes(difficulty="easy", keep=frozenset({(0, 0)}))
    >>> puzzle = make_puzzle(TourProblem(board="5x6", closed=True), seed=2, wishes=wishes)
    >>> puzzle.rating.level, puzzle.confirmed, (0, 0) in puzzle.clues.values()
    ('easy', 'cpsat', True)
    """
    settings = settings or Settings()
    clock = Clock(settings)
    chooser = random.Random(seed)
    units = _units(problem, wishes)
    attempts = _Attempts(problem, wishes, units)
    for number in range(_ATTEMPTS):
        rest = clock.within(settings, attempts.text)
        tour = random_tour(problem, seed if number == 0 else chooser.randrange(2**31), chooser, engine, rest)
        rest = clock.within(settings, attempts.text)
        if rest.timeout is not None:  # the rest is for the confirmation
            rest = replace(rest, timeout=0.7 * rest.timeout)
        made = attempts.puzzle(tour, chooser, engine, rest)
        if made is None:
            continue
        made = replace(made, attempts=number + 1)
        try:
            return _confirmed(made, engine, clock.within(settings)) if confirmed else made
        except LimitReached:
            return made
    raise BadInput(f"no such puzzle was found: {attempts.text}; another --seed may help")


def _units(problem: TourProblem, wishes: ClueWishes) -> list[tuple[Cell, ...]]:
    """Cells whose clues are kept or dropped together, in sets without cells that have no clue."""
    allowed = frozenset(problem.ground.cells) if wishes.on is None else wishes.on | wishes.keep
    allowed |= frozenset(cell for _, cell in problem.known_steps)
    if wishes.pattern is None:
        return [(cell,) for cell in problem.ground.cells if cell in allowed]
    ground = problem.ground
    sets = [ground.cells_of(members) for members in pattern_sets(len(ground), wishes.pattern)]
    left = [members for members in sets if allowed.issuperset(members)]
    missing = sorted(wishes.keep.difference(*left)) if left else sorted(wishes.keep)
    if missing:
        raise BadInput(f"the images of {ground.name(missing[0])} may have no clue: allow them as well")
    return left


def pattern_sets(cells: int, pattern: Symmetry) -> list[tuple[int, ...]]:
    """The sets of cells, by their numbers, that a symmetry moves among themselves."""
    powers = generate([pattern.images])
    return [
        tuple(members) for members in orbits(range(cells), lambda cell: [power[cell] for power in powers])
    ]


class _Attempts:
    """Puzzles of tours, and the properties of those that were rejected."""

    def __init__(self, problem: TourProblem, wishes: ClueWishes, units: list[tuple[Cell, ...]]) -> None:
        self._problem, self._wishes, self._units = problem, wishes, units
        self._free = problem.replace(at={}, start=None, end=None, starts=(), ends=())
        self._tours = self._ambiguous = 0
        self._numbers: list[int] = []
        self._difficulties: list[str] = []

    @property
    def text(self) -> str:
        """What was tried."""
        parts = [f"{number_of(self._tours, 'tour')} tried"]
        if self._ambiguous:
            parts.append(f"{self._ambiguous} not determined by the cells that may have clues")
        if self._numbers:
            parts.append(f"puzzles with {min(self._numbers)} to {max(self._numbers)} clues")
        if self._difficulties:
            parts.append(f"puzzles that are {' or '.join(sorted(set(self._difficulties)))}")
        return ", ".join(parts)

    def puzzle(
        self, tour: Tour, chooser: random.Random, engine: str, settings: Settings
    ) -> CluePuzzle | None:
        """The puzzle of a tour; None if it lacks a wished property."""
        wishes, step_of = self._wishes, tour.step_of
        self._tours += 1
        rules = wishes.difficulty if wishes.difficulty in LEVELS[:2] else None
        asked = Uniqueness(self._free, tour, engine, settings, rules)
        units = [frozenset(step_of[cell] for cell in cells) for cells in self._units]
        every: frozenset[int] = frozenset().union(*units)
        try:
            if len(every) < len(tour) and not asked.holds(every):
                self._ambiguous += 1
                return None
        except Unclear:
            self._ambiguous += 1
            return None
        kept = wishes.keep | {cell for _, cell in self._problem.known_steps}
        always = frozenset().union(*(unit for unit in units if any(step_of[c] in unit for c in kept)))
        free = [unit for unit in units if not unit <= always]
        chooser.shuffle(free)
        givens = wishes.givens
        least = 0 if givens in (None, FEWEST) else givens or 0
        left, proved = reduced(free, asked.tests(always, least), settings.progress)
        steps = always.union(*left)
        fewest = False
        if givens == FEWEST:
            steps, fewest = smallest(asked, steps, free, always, settings.progress)
            proved = proved or fewest
        elif givens is not None and len(steps) != givens:
            self._numbers.append(len(steps))
            return None
        # Sets of clues that are there together, and clues that are there in any case, were not tried alone;
        # for an easy puzzle the question was another one.
        proved = proved and rules is None and not always and all(len(unit) == 1 for unit in free)
        made = CluePuzzle(asked.stated(steps), asked.tour, proved, fewest)
        if wishes.difficulty is not None and made.rating.level != wishes.difficulty:
            self._difficulties.append(made.rating.level)
            return None
        return made


def random_tour(
    problem: TourProblem,
    seed: int,
    chooser: random.Random,
    engine: str = "auto",
    settings: Settings | None = None,
) -> Tour:
    """A tour numbered from a random cell in a random direction."""
    # Not by search, whose tours for different seeds are images of one tour.
    name = choose("auto", "diversify", problem).name if engine == "auto" else engine
    answer = find(problem, name, replace(settings or Settings(), seed=seed, progress=None))
    if answer.tour is None:
        ground = problem.ground
        piece = "knight's " if isinstance(ground, Board) and ground.leaper == (1, 2) else ""
        kind = "closed" if problem.closed else "open"
        advice = "; open tours exist: give --open" if open_tour_exists(problem, settings) else ""
        raise BadInput(
            f"there is no puzzle: {answer.reason}; there is no {kind} {piece}tour of {ground}{advice}"
        )
    tour = answer.tour
    if not problem.known_steps:
        if problem.closed:
            tour = tour.starting_at(chooser.choice(tour.squares))
        if chooser.random() < 0.5:
            tour = tour.reversed()
    return tour


def _confirmed(puzzle: CluePuzzle, engine: str, settings: Settings) -> CluePuzzle:
    """The puzzle, with the engine that found no other solution. Raises LimitReached."""
    problem, tour = puzzle.problem, puzzle.solution
    assert tour is not None
    if engine == "auto":
        board = problem.board
        steps = {cell: str(step) for step, cell in puzzle.clues.items()}
        grid = GridPuzzle.of(board.rows, board.columns, dict.fromkeys(board.removed, HOLE) | steps)
        numbers = GridSolution(
            numbers=tuple(sorted((cell, step) for step, cell in enumerate(tour.squares, 1)))
        )
        model = HidatoModel(grid, steps=board, closed=problem.closed)
        # A seed: one worker refutes such a model in half the time of several.
        engine = confirmed_by(model, numbers, "puzzle", replace(settings, seed=1))
    elif other := next((each for each in solutions(problem, engine, settings) if each != tour), None):
        raise WrongAnswer(f"engine {engine} found a second solution of a puzzle: {other}")
    return replace(puzzle, confirmed=engine)


# -- hints ---------------------------------------------------------------------------------------------------


class NoSolution(BadInput):
    """The clues have no solution."""


def hint(problem: TourProblem, settings: Settings | None = None) -> Hint | None:
    """The next step that follows from the clues, with the reason; None if the board is complete.

    >>> problem = TourProblem(board="3x4", closed=False, at={1: "a3", 9: "c1"})
    >>> found = hint(problem)
    >>> found.step, problem.board.name(found.cell), found.rule
    (2, 'c2', 'moves')
    """
    deduction = StepDeduction(problem)
    if len(problem.known_steps) == len(problem.ground):
        return None
    if not deduction.copy().settle(moves=True):
        raise NoSolution("the clues have no solution: some step, or some cell, has nothing left")
    if (found := deduction.hint()) is not None:
        return found
    both = two_solutions(problem, settings=settings)
    if not both:
        raise NoSolution("the clues have no solution")
    if len(both) == 2:
        apart = number_of(len(differences(*both)), "step")
        raise BadInput(f"nothing follows: the clues have several solutions; two differ at {apart}")
    known = deduction.known()
    unknown = (step for step in range(1, len(problem.ground) + 1) if step not in known)
    step = min(unknown, key=lambda each: len(deduction.candidates(each)))
    reason = "no single deduction decides it: the search found no solution with another cell there"
    return Hint(step, both[0].squares[step - 1], reason, "search")


def two_solutions(problem: TourProblem, engine: str = "auto", settings: Settings | None = None) -> list[Tour]:
    """Up to two solutions, so that one is the only one."""
    found = solutions(problem, engine, settings)
    if engine != "auto" or not takes_other_tour(problem):
        return list(islice(found, 2))
    if (first := next(found, None)) is None:
        return []
    other = other_tour(problem, first, settings)
    return [first] if other is None else [first, other]


def differences(one: Tour, other: Tour) -> list[tuple[int, Vertex, Vertex]]:
    """The steps at which two tours differ, each with both cells.

    >>> one, other = (Tour(Board.parse("3x4"), []) for _ in range(2))
    >>> differences(one, other)
    []
    """
    both: Iterable[tuple[Vertex, Vertex]] = zip(one.squares, other.squares, strict=True)
    return [(step, a, b) for step, (a, b) in enumerate(both, 1) if a != b]
