"""Solve, reduce and make clue puzzles, which are partly numbered boards.

A solution is a numbered tour: if both directions of a tour fit the clues, these are two solutions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ktsolve.engines.registry import choose
from ktsolve.errors import BadInput, LimitReached
from ktsolve.ground.board import Board
from ktsolve.ground.notation import Cell
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Clock, Settings
from ktsolve.tasks.enumerate import find_all
from ktsolve.tasks.find import find

__all__ = ["Reduced", "make_clues", "reduce_clues", "solutions"]


@dataclass(frozen=True)
class Reduced:
    """A problem with clues left out.

    Attributes
    ----------
    problem:
        The problem with the clues that are left.
    solution:
        Its only solution.
    minimal:
        Whether it is proved that the solution is not unique without any one of the clues.
    """

    problem: TourProblem
    solution: Tour
    minimal: bool


def solutions(problem: TourProblem, engine: str = "auto", settings: Settings | None = None) -> Iterator[Tour]:
    """The numbered tours that fit a problem with clues, one by one.

    Raises
    ------
    BadInput
        If the tour is closed and no step is given: then its solutions are not numbered.
    LimitReached
        While iterating.

    Examples
    --------
    >>> problem = TourProblem(board="3x4", closed=False, steps={1: "a3", 9: "c1"})
    >>> [tour.names() for tour in solutions(problem)]
    ['a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1']
    """
    if not problem.known_steps and problem.closed:
        raise BadInput("a closed tour without clues may begin anywhere: give at least one step")
    for tour in find_all(problem, engine, settings):
        yield from problem.numberings(tour)


def reduce_clues(
    problem: TourProblem,
    seed: int = 0,
    engine: str = "auto",
    settings: Settings | None = None,
    keep: Callable[[Cell], bool] | None = None,
) -> Reduced:
    """The problem without the clues that it does not need, tried in an order that depends on the seed.

    When time runs out, the clues left so far are returned: the solution is unique, but fewer might suffice.

    Parameters
    ----------
    problem:
        A problem with given steps and exactly one solution.
    keep:
        Whether the clue of a cell is kept in any case.

    Raises
    ------
    BadInput
        If the problem has no solution or several.

    Examples
    --------
    >>> tour = find(TourProblem(board="5x5", closed=False)).tour
    >>> whole = TourProblem(board="5x5", closed=False, steps=dict(enumerate(tour.squares, 1)))
    >>> reduced = reduce_clues(whole, seed=1)
    >>> reduced.solution == tour, reduced.minimal, len(reduced.problem.steps) < 6
    (True, True, True)
    """
    settings = settings or Settings()
    clock = Clock(settings.timeout)
    found = solutions(problem, engine, settings)
    solution = next(found, None)
    if solution is None:
        raise BadInput("the clues have no solution")
    if next(found, None) is not None:
        raise BadInput("the clues have several solutions: none can be left out")
    kept = dict(problem.steps)
    order = [step for step, cell in problem.steps if keep is None or not keep(cell)]
    random.Random(seed).shuffle(order)
    minimal = True
    for number, step in enumerate(order):
        fewer = problem.replace(steps={s: cell for s, cell in kept.items() if s != step})
        if not fewer.known_steps and fewer.closed:
            continue
        if settings.progress is not None:
            settings.progress(number / len(order), f"{len(kept)} clues")
        try:
            rest = clock.within(settings)
        except LimitReached:
            minimal = False
            break
        # A clue whose check takes long is kept; the others may still be easy.
        limit = None if rest.timeout is None else max(rest.timeout / 4, min(1.0, rest.timeout))
        try:
            if all(tour == solution for tour in solutions(fewer, engine, replace(rest, timeout=limit))):
                del kept[step]
        except LimitReached:
            minimal = False
    return Reduced(problem.replace(steps=kept), solution, minimal)


def make_clues(
    board: Board | str, closed: bool, seed: int, engine: str = "auto", settings: Settings | None = None
) -> Reduced:
    """A puzzle with exactly one solution in which every clue is needed; another seed gives another puzzle.

    Raises
    ------
    BadInput
        If the board has no such tour.
    """
    settings = settings or Settings(seed=seed)
    free = TourProblem(board=board, closed=closed)
    # Not by search, whose tours for different seeds are images of one tour.
    answer = find(free, choose("auto", "diversify", free).name, settings)
    if answer.tour is None:
        raise BadInput(f"there is no puzzle: {answer.reason}")
    chooser = random.Random(seed)
    tour = answer.tour
    if closed:
        tour = tour.starting_at(chooser.choice(tour.squares))
    if chooser.random() < 0.5:
        tour = tour.reversed()
    whole = free.replace(steps=dict(enumerate(tour.squares, 1)))
    return reduce_clues(whole, seed, engine, settings)
