"""Base boards: small tours with the moves by which they are joined.

A closed base is structured at all four corners and has two more required moves, (1,1)-(3,0) and (1,1)-(0,3),
by which it joins the block to its left or above (:mod:`ktsolve.engines.divide.joining`). Closed bases exist
for all boards with sides from 5 to 11 and an even number of cells.

The engine ``search`` finds most bases in milliseconds; ``sat`` finds the others. Bases are cached for the
life of the process. A cache entry depends on the question and the seed, never on the caller's limits: a
search that a limit stops leaves no entry.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.divide.tiles import Tile, tile_of_tour
from ktsolve.engines.search.engine import SearchEngine
from ktsolve.engines.through_model import SatEngine
from ktsolve.graphs.board import Board, Move
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem

__all__ = ["JOINTS", "Bases"]

JOINTS: tuple[Move, ...] = (((1, 1), (3, 0)), ((0, 3), (1, 1)))
"""The moves by which a closed base joins the block to its left, and the block above."""

_SEARCH_SECONDS = 1.0
"""Seconds until ``sat`` replaces ``search``, which takes either milliseconds or very long."""

_made: dict[Hashable, Tile | None] = {}


class Bases:
    """Base boards for one construction, made within the caller's limits.

    The ``seed`` of the settings chooses the bases; ``memory`` and ``threads`` limit their search. The clock
    has the time limit of the whole construction.

    >>> Bases(Settings(), Clock(None)).closed(6, 7).shape
    (6, 7, 2)
    """

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self.seed = settings.seed or 0
        self._clock = clock
        self._limits = Settings(memory=settings.memory, threads=settings.threads)

    def closed(self, rows: int, columns: int) -> Tile:
        """Return a structured closed tour with the moves that join it. Do not change the tile: it is cached.

        Raises LimitReached.
        """
        tile = self._tile(rows, columns, closed=True, structured=True, require=JOINTS)
        assert tile is not None, f"there is a structured base {rows}x{columns}"
        return tile

    def open(
        self, rows: int, columns: int, start: Cell | None, end: Cell | None, require: frozenset[Move]
    ) -> Tile | None:
        """Return an open tour with given ends and moves; None if none exists. Do not change the tile.

        Raises LimitReached.
        """
        return self._tile(rows, columns, closed=False, start=start, end=end, require=require)

    def tours(self, problem: TourProblem, seed: int) -> Iterator[Tour]:
        """Yield the tours of a problem as ``search`` finds them. Raises LimitReached."""
        return SearchEngine().enumerate(problem, replace(self._remaining(), seed=seed))

    def _remaining(self) -> Settings:
        return self._clock.within(self._limits, "the base boards are not complete")

    def _tile(self, rows: int, columns: int, **conditions: Any) -> Tile | None:
        limits = self._remaining()
        key = rows, columns, self.seed, *conditions.items()
        if key not in _made:
            problem = TourProblem(board=Board(rows, columns), **conditions)
            tour = None if problem.obstruction() is not None else self._tour(problem, limits)
            _made[key] = (
                None if tour is None else tile_of_tour(rows, columns, tour.squares, closed=problem.closed)
            )
        return _made[key]

    def _tour(self, problem: TourProblem, limits: Settings) -> Tour | None:
        first = replace(limits, seed=self.seed, timeout=min(limits.timeout or math.inf, _SEARCH_SECONDS))
        try:
            return SearchEngine().construct(problem, first)
        except LimitReached:
            return SatEngine().construct(problem, replace(self._remaining(), seed=self.seed))
