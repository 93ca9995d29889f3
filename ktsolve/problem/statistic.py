"""Quantities of a drawn tour that a problem may bound or make as small or as large as can be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ktsolve.errors import BadInput
from ktsolve.ground.board import Board, Move
from ktsolve.ground.geometry import angles, crossings, needs_plane, turns
from ktsolve.ground.notation import shown
from ktsolve.ground.tour import Tour

__all__ = ["QUANTITIES", "Objective", "Quantity"]

QUANTITIES = ("acute", "right", "obtuse", "straight", "turns", "crossings", "moves")
"""Names of quantities. ``obtuse`` counts the straight angles too, as published counts do."""


@dataclass(frozen=True)
class Quantity:
    """A number that every tour has.

    Attributes
    ----------
    name:
        One of :data:`QUANTITIES`: angles of a kind, changes of direction, pairs of moves that cross, or moves
        from a given set.
    moves:
        That set.

    Examples
    --------
    >>> board = Board.parse("3x4")
    >>> tour = Tour.from_names(board, "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> [Quantity.parse(name, board).of(tour) for name in ("acute", "turns", "crossings", "moves:a1-c2")]
    [8, 10, 20, 1]
    """

    name: str
    moves: frozenset[Move] = frozenset()

    @classmethod
    def parse(cls, text: str, board: Board) -> Quantity:
        """Read ``turns``, ``obtuse``, ``moves:a1-b3,c1-d3`` and the like.

        Raises
        ------
        BadInput
            For an unknown name, a move that is none, or a wrapped board, which has no angles.
        """
        name, _, listed = text.strip().partition(":")
        if name not in QUANTITIES or (listed != "") != (name == "moves"):
            names = ", ".join(QUANTITIES[:-1])
            raise BadInput(f"{shown(text)} is no quantity: use {names} or moves:a1-b3,c1-d3")
        return cls.made(name, board, listed.replace(";", ",").split(",") if listed else ())

    @classmethod
    def made(cls, name: str, board: Board, moves: Iterable[str | Move] = ()) -> Quantity:
        """The quantity of that name on a board."""
        if name != "moves":
            needs_plane(board)
        return cls(name, frozenset(board.move(move) for move in moves))

    def of(self, tour: Tour) -> int:
        """Its value for a tour."""
        if self.name == "moves":
            return len(self.moves & tour.moves)
        if self.name == "crossings":
            return len(crossings(tour))
        if self.name == "turns":
            return turns(tour)
        found = angles(tour)
        return len(found[self.name]) + (len(found["straight"]) if self.name == "obtuse" else 0)

    def greatest(self, board: Board, closed: bool) -> int | None:
        """No tour of the board can have more, as the number of its cells and moves alone tells; or None.

        >>> board = Board.parse("3x4")
        >>> [Quantity.parse(name, board).greatest(board, closed=False) for name in ("turns", "moves:a1-c2")]
        [10, 1]
        """
        if self.name == "crossings":
            return None
        return len(self.moves) if self.name == "moves" else len(board) if closed else max(len(board) - 2, 0)

    def text(self, board: Board) -> str:
        """As :meth:`parse` reads it."""
        if self.name != "moves":
            return self.name
        return "moves:" + ",".join(board.move_name(move) for move in sorted(self.moves))


@dataclass(frozen=True)
class Objective:
    """What is to be made as small or as large as can be.

    Attributes
    ----------
    sense:
        ``minimise`` or ``maximise``.
    quantity:
        Of which quantity.
    """

    sense: str
    quantity: Quantity

    def __post_init__(self) -> None:
        if self.sense not in ("minimise", "maximise"):
            raise BadInput(f"an objective is to minimise or to maximise, not to {shown(self.sense)}")

    def text(self, board: Board) -> str:
        """``minimise turns`` and the like."""
        return f"{self.sense} {self.quantity.text(board)}"
