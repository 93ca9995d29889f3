"""What a base board is worth: is it a closed tour, and which of its corners are structured?"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import Any

from ktsolve.errors import BadInput
from ktsolve.formats.reading import NotATour, read_tour
from ktsolve.formats.several import Part, split_tours
from ktsolve.ground.board import Board
from ktsolve.ground.figures import CORNERS, corner_moves
from ktsolve.ground.tour import Tour

__all__ = ["QUARTERS", "Verdict", "shipped_bases", "validate_bases"]

QUARTERS = {"tl": "br", "tr": "bl", "bl": "tr", "br": "tl"}
"""For each quarter of a larger board the corner at which it meets the others."""


@dataclass(frozen=True)
class Verdict:
    """One board of a file.

    Attributes
    ----------
    line, title:
        Where it begins, and the comment before it.
    tour:
        The tour, None if what stands there cannot be read as one.
    fault:
        The first thing that is wrong with it as a closed tour, empty for nothing.
    corners:
        Its structured corners, of ``tl``, ``tr``, ``bl``, ``br``.
    lacks:
        The moves that its other corners lack, by corner.
    """

    line: int
    title: str
    tour: Tour | None
    fault: str
    corners: tuple[str, ...] = ()
    lacks: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def quarters(self) -> tuple[str, ...]:
        """The quarters of a larger board that it can be; none if it is no closed tour."""
        if self.fault:
            return ()
        return tuple(quarter for quarter, corner in QUARTERS.items() if corner in self.corners)

    @property
    def usable(self) -> bool:
        """Can it be any quarter, so that what is merged is structured again?"""
        return not self.fault and len(self.corners) == len(CORNERS)

    def to_json(self) -> dict[str, Any]:
        """The verdict in terms of JSON."""
        return {
            "line": self.line,
            "title": self.title,
            "board": None if self.tour is None else self.tour.board.to_json(),
            "fault": self.fault or None,
            "corners": list(self.corners),
            "lacks": {corner: list(moves) for corner, moves in self.lacks},
            "quarters": list(self.quarters),
            "usable": self.usable,
        }


def shipped_bases() -> dict[str, str]:
    """Names of the files of base boards that come with ktsolve, and their paths.

    >>> list(shipped_bases())
    ['nine-boards']
    """
    folder = resources.files("ktsolve.instances").joinpath("base")
    return {
        item.name.removesuffix(".txt"): str(item)
        for item in sorted(folder.iterdir(), key=lambda item: item.name)
        if item.name.endswith(".txt")
    }


def validate_bases(text: str) -> list[Verdict]:
    r"""Judge every board of a text. Linear.

    Parameters
    ----------
    text:
        One or many tours, as :func:`ktsolve.formats.several.split_tours` takes them.

    Raises
    ------
    BadInput
        If there is none.

    Examples
    --------
    >>> [verdict] = validate_bases("1 4 7 10\n8 11 2 5\n3 6 9 12")
    >>> verdict.fault, verdict.usable
    ('step 12: the last cell d1 is no move from the first a3', False)
    >>> verdict.corners, verdict.lacks[0]
    (('tl', 'br'), ('tr', ('c3-d1',)))
    """
    parts = split_tours(text)
    if not parts:
        raise BadInput("there is no board in the input: give grids of step numbers, with blank lines between")
    return [_verdict(part) for part in parts]


def _verdict(part: Part) -> Verdict:
    try:
        tour = read_tour(part.text, closed=True)
    except NotATour as error:
        return Verdict(part.line, part.title, None, str(error))
    except BadInput as error:
        raise BadInput(f"the board in line {part.line}: {error}") from None
    fault = _fault(tour)
    if min(tour.board.rows, tour.board.columns) < 3:
        return Verdict(part.line, part.title, tour, fault)
    has, lacks = [], []
    for corner in CORNERS:
        missing = sorted(corner_moves(Board(tour.board.rows, tour.board.columns), corner) - tour.moves)
        if missing:
            lacks.append((corner, tuple(tour.board.move_name(move) for move in missing)))
        else:
            has.append(corner)
    return Verdict(part.line, part.title, tour, fault, tuple(has), tuple(lacks))


def _fault(tour: Tour) -> str:
    if not tour.board.plain:
        return f"a base is a whole rectangle for the knight, not {tour.board}"
    return "" if tour.fault is None else tour.fault.reason
