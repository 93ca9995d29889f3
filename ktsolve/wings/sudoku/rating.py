"""How difficult a sudoku is: which steps of a person solve it."""

from __future__ import annotations

from functools import cache

from ktsolve.grids.box import Box
from ktsolve.wings.sudoku.puzzle import Puzzle

__all__ = ["LEVELS", "level_of"]

LEVELS = ("easy", "medium", "hard")
"""Easy: singles suffice, a cell with one digit left or a digit with one place left. Medium: with three
assumptions, each of which singles refute. Hard: needs more."""

_MEDIUM = 3  # refuted assumptions

_Digits = list[int]  # the digits left for each cell, as bits


def level_of(puzzle: Puzzle) -> str:
    """The level of a puzzle with one solution, one of :data:`LEVELS`.

    >>> level_of(Puzzle.read("1... ..2. .3.. ...4"))
    'easy'
    """
    box = puzzle.box
    left = [(1 << digit - 1) if digit else (1 << box.side) - 1 for digit in puzzle.clues]
    if not _settle(box, left):
        return LEVELS[2]
    refuted = 0
    while any(digits & (digits - 1) for digits in left):
        refuted += 1
        if refuted > _MEDIUM or not _assume(box, left):
            return LEVELS[2]
    return LEVELS[min(refuted, 1)]


def _assume(box: Box, left: _Digits) -> bool:
    """Exclude the first digit that leads to a conflict; whether there is one."""
    for cell, digits in enumerate(left):
        if not digits & (digits - 1):
            continue
        for digit in (1 << i for i in range(box.side) if digits >> i & 1):
            tried = left.copy()
            tried[cell] = digit
            if not _settle(box, tried):
                left[cell] ^= digit
                return _settle(box, left)
    return False


def _settle(box: Box, left: _Digits) -> bool:
    """Fill in singles until none is left; false at a conflict."""
    groups, beside = _groups(box)
    settled = [False] * len(left)
    while True:
        changed = False
        for cell, digits in enumerate(left):
            if digits and not digits & (digits - 1) and not settled[cell]:
                settled[cell] = changed = True
                for other in beside[cell]:
                    left[other] &= ~digits
        if not all(left):
            return False
        for group in groups:
            once = twice = 0
            for cell in group:
                twice |= once & left[cell]
                once |= left[cell]
            if once != (1 << box.side) - 1:
                return False
            single = once & ~twice
            for cell in group:
                found = left[cell] & single
                if found and left[cell] & (left[cell] - 1):
                    if found & (found - 1):
                        return False
                    left[cell] = found
                    changed = True
        if not changed:
            return True


@cache
def _groups(box: Box) -> tuple[tuple[tuple[int, ...], ...], tuple[frozenset[int], ...]]:
    """Rows, columns and boxes, and for each cell the others that share one of them."""
    groups = tuple(box.groups())
    beside = (
        frozenset(other for group in groups if cell in group for other in group if other != cell)
        for cell in range(box.cells)
    )
    return groups, tuple(beside)
