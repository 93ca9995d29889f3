"""Pieces of swap puzzles: knights in white and black, or discs with letters."""

from __future__ import annotations

from ktsolve.problem.swap import SwapPuzzle
from ktsolve.render.scene.knight import knight
from ktsolve.render.scene.shapes import Circle, Shape, Text
from ktsolve.render.scene.theme import Theme, legible

__all__ = ["BLACK", "WHITE", "Pieces"]

WHITE, BLACK = "#ffffff", "#1c1c1c"
"""White and black pieces, in all themes."""


class Pieces:
    """The pieces of a puzzle. Pieces W are white and pieces B black.

    Knights are drawn as knights, unless pieces of one colour differ; these, and other leapers, are discs with
    their letters.

    Attributes
    ----------
    fills:
        The colour of each letter.
    knights:
        Whether the pieces are drawn as knights.

    Examples
    --------
    >>> from ktsolve.render.scene.theme import THEMES
    >>> Pieces(SwapPuzzle(start="B.C/.x./C.B", goal="C.B/.x./B.C"), THEMES["light"]).fills
    {'B': '#1c1c1c', 'C': '#ffffff'}
    """

    def __init__(self, puzzle: SwapPuzzle, theme: Theme) -> None:
        self.fills = _fills(puzzle, theme)
        leapers = dict(puzzle.leapers)
        moves_as_knight = all(leapers.get(each, puzzle.board.leaper) == (1, 2) for each in puzzle.letters)
        self.knights = moves_as_knight and len(set(self.fills.values())) == len(self.fills)

    def shapes(self, letter: str, x: float, y: float, unit: float) -> list[Shape]:
        """A piece around a point, for cells of side ``unit``."""
        fill = self.fills[letter]
        edge = legible(fill, BLACK, WHITE)
        if self.knights:
            return knight(x, y, 0.92 * unit, fill, edge)
        return [Circle(x, y, 0.38 * unit, fill, edge, 1.5), Text(x, y, letter, 0.42 * unit, edge)]


def _fills(puzzle: SwapPuzzle, theme: Theme) -> dict[str, str]:
    """The colour of each letter: white for W, black for B, for the others what these leave."""
    groups = sorted(set(puzzle.colour_of.values()))
    given = {group: WHITE for group in groups if set(group) & set("Ww0")}
    given |= {group: BLACK for group in groups if group not in given and set(group) & set("Bb1")}
    left = [each for each in (WHITE, BLACK, *theme.categories) if each not in given.values()]
    for group in groups:
        if group not in given:
            given[group] = left.pop(0) if len(left) > 1 else left[0]
    return {letter: given[group] for letter, group in sorted(puzzle.colour_of.items())}
