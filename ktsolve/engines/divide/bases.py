"""Base boards, made when they are needed: small tours with the moves along which they are joined.

The native search finds each in a few milliseconds. A closed base is structured at all four corners and has
two moves more, (1,1)-(3,0) and (1,1)-(0,3), by which it is joined to what lies left of it or above
(:mod:`ktsolve.engines.divide.joining`). Every closed base from 5x6 to 11x10 exists.
"""

from __future__ import annotations

from functools import cache

from ktsolve.engines.divide.tiles import Tile, tile_of_tour
from ktsolve.errors import LimitReached
from ktsolve.ground.board import Board, Move
from ktsolve.ground.notation import Cell
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Settings

__all__ = ["JOINTS", "closed_base", "open_base"]

JOINTS: tuple[Move, ...] = (((1, 1), (3, 0)), ((0, 3), (1, 1)))
"""The moves by which a closed base joins what lies to its left, and what lies above it."""

_PATIENCE = 1.0
"""Seconds after which a search is left to SAT: it takes milliseconds, or very long."""


@cache
def closed_base(rows: int, columns: int, seed: int) -> Tile:
    """A structured closed tour with the moves that join it, as a tile. Do not change it: it is kept.

    >>> closed_base(6, 7, 0).shape
    (6, 7, 2)
    """
    board = Board(rows, columns)
    problem = TourProblem(board=board, closed=True, corners=True, require=JOINTS)
    tile = _tile(problem, seed)
    assert tile is not None, f"there is a structured base {board}"
    return tile


@cache
def open_base(
    rows: int, columns: int, start: Cell | None, end: Cell | None, require: frozenset[Move], seed: int
) -> Tile | None:
    """An open tour with given ends and moves, as a tile; None if there is none. Do not change it."""
    board = Board(rows, columns)
    problem = TourProblem(board=board, closed=False, start=start, end=end, require=require)
    if problem.obstruction() is not None:
        return None
    return _tile(problem, seed)


def _tile(problem: TourProblem, seed: int) -> Tile | None:
    from ktsolve.engines.registry import engine_named

    try:
        tour = engine_named("search").construct(problem, Settings(timeout=_PATIENCE, seed=seed))
    except LimitReached:
        tour = engine_named("sat").construct(problem, Settings(seed=seed))
    if tour is None:
        return None
    board = problem.board
    return tile_of_tour(board.rows, board.columns, tour.squares, closed=problem.closed)
