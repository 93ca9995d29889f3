"""The engine bfs: native breadth-first search over positions (see ktsolve/swap/swap.hpp)."""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING

from ktsolve.base.errors import LimitReached, Refused
from ktsolve.base.limits import Clock, Settings, check_status, native_progress
from ktsolve.base.units import shown_bytes
from ktsolve.engines.registry import MODEL_ENGINES
from ktsolve.wings.swap.puzzle import EMPTY, Position, SwapPuzzle, after, walks
from ktsolve.wings.swap.solution import SwapAnswer, SwapSolution

if TYPE_CHECKING:
    from ktsolve import _native

__all__ = ["memory_needed", "search"]

_MOST_CELLS = 255

_OTHERS = ", ".join(MODEL_ENGINES)


def memory_needed(puzzle: SwapPuzzle) -> int:
    """Bytes of the table of distances: two for each position. The lists of a layer need more on top.

    >>> memory_needed(SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W"))
    840
    """
    return puzzle.positions * (4 if puzzle.alternate else 2)


def search(
    puzzle: SwapPuzzle,
    settings: Settings | None = None,
    *,
    count: bool = False,
    keep: bool = False,
    whole: bool = False,
) -> SwapAnswer:
    """A shortest solution, by a visit of every position that is not further away.

    - ``keep``: keep the positions on shortest solutions
    - ``whole``: continue past the goal until every reachable position is visited

    Raises Refused if the board has more than 255 cells; LimitReached at a limit, with the number of positions
    reached; before the search if the positions do not fit into memory.

    >>> found = search(SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W"), count=True)
    >>> len(found.solution), found.count, found.states, found.reached
    (16, 4726784, 420, 280)
    """
    from ktsolve import _native

    settings = settings or Settings()
    budget, needed = settings.memory_budget, memory_needed(puzzle)
    if len(puzzle.first) > _MOST_CELLS:
        raise Refused(f"engine bfs takes boards of at most {_MOST_CELLS} cells: use {_OTHERS}")
    if needed > budget or needed >= 2**62:
        raise LimitReached(
            f"{puzzle.positions:,} positions of the pieces take {shown_bytes(needed)} to search; "
            f"the memory limit is {shown_bytes(settings.memory_limit)}: use {_OTHERS}, or more memory"
        )
    clock = Clock(settings)
    positions_in_all = puzzle.positions

    def describe(layer: int, _total: int, reached: int) -> tuple[None, str]:
        return None, f"{layer} {puzzle.objective}, {reached:,} of {positions_in_all:,} positions"

    given, progress = _native_problem(puzzle), native_progress(settings, describe)
    try:
        report = _native.swap_search(given, whole, count, keep, clock.left, budget, progress)
    except OverflowError as error:
        raise LimitReached(f"engine bfs: {error}") from None
    reached = f"{report.reached:,} positions within {len(report.layers) - 1} {puzzle.objective} reached"
    if report.length >= 0:
        reached += f"; shortest is {report.length}"
    check_status(report.status, settings, reached)
    cells = len(puzzle.first)
    solution = None
    if report.length >= 0:
        positions = _positions(puzzle, report.line(cells).tolist())
        solution = SwapSolution(puzzle, tuple(_moves(puzzle, positions)))
    kept = iter(_positions(puzzle, report.kept(cells).tolist()) if keep and solution is not None else [])
    return SwapAnswer(
        puzzle,
        solution,
        count=(report.count if solution is not None else 0) if count else None,
        proof=_proof(puzzle, report),
        engine="bfs",
        reached=report.reached,
        states=report.states,
        layers=tuple(report.layers),
        exhausted=report.exhausted,
        on_shortest=tuple(frozenset(islice(kept, size)) for size in report.kept_layers),
        peak_bytes=report.peak_bytes,
    )


def _proof(puzzle: SwapPuzzle, report: _native.SwapReport) -> str:
    if report.length == 0:
        return "no solution is shorter than one of no steps"
    if report.length < 0 and report.exhausted:
        return (
            f"searched: {report.reached:,} of {report.states:,} positions can be reached, "
            "the goal is not among them"
        )
    within = puzzle.most if report.length < 0 else report.length - 1
    nearer = report.reached if report.length < 0 else sum(report.layers[: report.length])
    return f"searched: none of the {nearer:,} positions within {within} {puzzle.objective} is the goal"


def _native_problem(puzzle: SwapPuzzle) -> _native.SwapProblem:
    from ktsolve import _native

    colours = sorted(set(puzzle.colour_of.values()))
    problem = _native.SwapProblem()
    problem.cells = len(puzzle.first)
    problem.jumps = [[list(there) for there in puzzle.jumps[letter]] for letter in puzzle.letters]
    problem.colours = [colours.index(puzzle.colour_of[letter]) for letter in puzzle.letters]
    marks = (EMPTY, *puzzle.letters)
    problem.start = [marks.index(mark) for mark in puzzle.first]
    problem.goal = [marks.index(mark) for mark in puzzle.last]
    problem.longest = puzzle.reach
    problem.alternate = puzzle.alternate
    problem.peaceful = puzzle.peaceful
    problem.most = 2**64 - 1 if puzzle.most is None else puzzle.most
    return problem


def _positions(puzzle: SwapPuzzle, rows: list[list[int]]) -> list[Position]:
    marks = (EMPTY, *puzzle.letters)
    return ["".join(marks[kind] for kind in row) for row in rows]


def _moves(puzzle: SwapPuzzle, positions: list[Position]) -> list[tuple[int, ...]]:
    """The shortest walk from each position to the next."""
    moves = []
    for before, then in pairwise(positions):
        from_cell = next(c for c, mark in enumerate(before) if mark != EMPTY and then[c] == EMPTY)
        fitting = (walk for walk in walks(puzzle, before, from_cell) if after(before, walk) == then)
        moves.append(min(fitting, key=lambda walk: (len(walk), walk)))
    return moves
