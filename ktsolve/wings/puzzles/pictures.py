"""Pictures of puzzles: those of kinds, and partly numbered boards; booklets with the solutions at the end."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.text import number_of, plural
from ktsolve.graphs.board import Board
from ktsolve.grids.puzzle import GridPuzzle, GridSolution
from ktsolve.problem.problem import TourProblem
from ktsolve.render.booklet import Booklet
from ktsolve.render.picture import ground_scene, tour_scene
from ktsolve.render.scene.shapes import Group, Scene, Shape
from ktsolve.render.scene.sheet import captioned
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.theme import named_theme
from ktsolve.render.subject import Source
from ktsolve.wings.puzzles.clues import CluePuzzle, read_puzzles
from ktsolve.wings.puzzles.drawing import Pen
from ktsolve.wings.puzzles.files import Named, is_address
from ktsolve.wings.puzzles.files import read_puzzles as read_grid_texts
from ktsolve.wings.puzzles.kind import LEVELS, Kind
from ktsolve.wings.puzzles.kinds import KINDS
from ktsolve.wings.puzzles.solving import solutions

__all__ = ["GridPuzzles", "Puzzles", "puzzle_scene", "read_clue_puzzles", "read_grid_puzzles"]


_EDGE, _BETWEEN = 14.0, 40.0  # around a picture, and between a puzzle and its solution

_HEADER = re.compile(r"\A\s*#\s*(closed|open)\b", re.IGNORECASE)
_GIVEN = re.compile(r"\d+|[._?#]")


@dataclass(frozen=True)
class GridPuzzles(Booklet):
    """Puzzles of kinds as the subject of a picture, with the solutions that are known.

    A solution may be drawn beside its puzzle.
    """

    puzzles: tuple[Named, ...]
    known: tuple[GridSolution | None, ...]
    beside: bool = False
    levels: tuple[str, ...] = ()  # the difficulty of each, where it is known

    def labels(self) -> list[str]:
        """Return kind, size and difficulty of each puzzle."""
        levels = [f", {level}" if level else "" for level in self.levels] or [""] * len(self.puzzles)
        return [
            f"{each.kind.title} {each.puzzle.size}{level}"
            for each, level in zip(self.puzzles, levels, strict=True)
        ]

    def rules(self) -> list[str]:
        """Return the rules of the kinds that occur."""
        return [f"{kind.title}: {kind.rules}" for kind in dict.fromkeys(each.kind for each in self.puzzles)]

    def heading(self) -> str:
        """Return the title of a sheet or booklet."""
        titles = {f"{each.kind.title} of {each.puzzle.size}" for each in self.puzzles}
        return titles.pop() if len(titles) == 1 else "Puzzles"

    def texts(self) -> list[str]:
        """Return each puzzle in characters, or its solution if that is shown."""
        return [
            str(each.puzzle)
            if known is None or not self.answered
            else each.kind.model.drawing(each.puzzle, known)
            for each, known in zip(self.puzzles, self.known, strict=True)
        ]

    def with_solutions(self, settings: Settings) -> GridPuzzles:
        """Return the puzzles with all solutions, found within the limits if they are not known."""
        clock, known = Clock(settings), list(self.known)
        for at, each in enumerate(self.puzzles):
            if known[at] is None:
                within = clock.within(settings, f"{at} of {len(known)} puzzles solved")
                known[at] = next(solutions(each.kind, each.puzzle, 1, settings=within), None)
            if known[at] is None:
                raise BadInput(f"puzzle {at + 1} has no solution to draw: leave out --solution")
        return replace(self, known=tuple(known))

    def puzzle_scenes(self, style: Style) -> list[Scene]:
        """Return the puzzles, each with its solution if that is drawn beside."""
        caption = style.caption if len(self.puzzles) == 1 else ""
        return [
            puzzle_scene(
                each.kind, each.puzzle, known if self.beside else None, theme=style.theme, caption=caption
            )
            for each, known in zip(self.puzzles, self.known, strict=True)
        ]

    def solution_scenes(self, style: Style) -> list[Scene | None]:
        """Return the scene of each solution, None where it is not known."""
        return [
            None
            if known is None
            else puzzle_scene(each.kind, each.puzzle, known, theme=style.theme, alone=True)
            for each, known in zip(self.puzzles, self.known, strict=True)
        ]


def puzzle_scene(
    kind: Kind,
    puzzle: GridPuzzle,
    solution: GridSolution | None = None,
    *,
    theme: str = "print",
    caption: str = "",
    alone: bool = False,
) -> Scene:
    r"""The picture of a puzzle; with a solution both side by side, or the solution ``alone``.

    >>> from ktsolve.wings.puzzles.kinds import KINDS
    >>> puzzle_scene(KINDS["slitherlink"], GridPuzzle.read("3 .\n. 0")).title
    'Slitherlink of 2x2'
    """
    colours = named_theme(theme)
    shapes: list[Shape] = []
    left = bottom = top = _EDGE
    for drawn in [solution] if alone or solution is None else [None, solution]:
        pen = Pen(puzzle, colours, left, top)
        kind.draw(pen, puzzle, drawn)
        shapes.append(Group("puzzle" if drawn is None else "solution", pen.shapes))
        left, bottom = left + pen.width + _BETWEEN, top + pen.height
    width, height = left - _BETWEEN + _EDGE, bottom + _EDGE
    title = f"{kind.title} of {puzzle.size}"
    description = f"{title} with {len(puzzle.clues)} clues. {kind.rules}"
    pixels = min(max(width, height), 1400.0)
    scene = Scene(width, height, title, description, colours.background, tuple(shapes), pixels)
    return captioned(scene, caption, theme)


@dataclass(frozen=True)
class Puzzles(Booklet):
    """Partly numbered boards, or their solutions."""

    puzzles: tuple[CluePuzzle, ...]

    def labels(self) -> list[str]:
        """Return board, kind of tour and difficulty of each puzzle."""
        return [
            f"{_piece(each)} puzzle {each.problem.board}, {'closed' if each.problem.closed else 'open'} tour"
            + (f", {each.rating.level}" if each.rating else "")
            for each in self.puzzles
        ]

    def rules(self) -> list[str]:
        """Return the rules, also of closed tours if there are any."""
        knights = all(each.problem.board.leaper == (1, 2) for each in self.puzzles)
        step = "a knight's move" if knights else "a move of the piece"
        returns = any(each.problem.closed for each in self.puzzles)
        closing = f" In a closed tour the last number is {step} from 1." if returns else ""
        name = "Knight puzzle" if knights else "Leaper puzzle"
        return [
            f"{name}: Fill in all numbers from 1, so that each is {step} from the one before it.{closing}"
        ]

    def heading(self) -> str:
        """Return the title of a sheet or booklet."""
        boards = {str(puzzle.problem.board) for puzzle in self.puzzles}
        where = f" on {boards.pop()}" if len(boards) == 1 else ""
        pieces = {_piece(puzzle) for puzzle in self.puzzles}
        piece = pieces.pop() if len(pieces) == 1 else "Leaper"
        return f"{piece} {plural(len(self.puzzles), 'puzzle')}{where}"

    def with_solutions(self, settings: Settings) -> Puzzles:
        """Return the puzzles with all solutions, found within the limits if they are not known."""
        from ktsolve.wings.puzzles.clue_tasks import solutions as tours

        clock, puzzles = Clock(settings), list(self.puzzles)
        for at, each in enumerate(puzzles):
            if each.solution is None:
                within = clock.within(settings, f"{at} of {len(puzzles)} puzzles solved")
                found = next(iter(tours(each.problem, "auto", within)), None)
                if found is None:
                    raise BadInput(f"puzzle {at + 1} has no solution to draw: leave out --solution")
                puzzles[at] = replace(each, solution=found)
        return replace(self, puzzles=tuple(puzzles))

    def puzzle_scenes(self, style: Style) -> list[Scene]:
        """Return the boards with their clues."""
        return self._scenes(style, solved=False)

    def solution_scenes(self, style: Style) -> list[Scene | None]:
        """Return the boards with their solutions, None where one is not known."""
        return self._scenes(style, solved=True)

    def _scenes(self, style: Style, *, solved: bool) -> list[Any]:
        style = replace(style, caption="") if len(self.puzzles) > 1 else style
        return [
            None if solved and puzzle.solution is None else _scene(puzzle, style, solved=solved)
            for puzzle in self.puzzles
        ]

    def texts(self) -> list[str]:
        """Return the grids of the puzzles, or their solutions if these are shown."""
        return [str(each.solution if self.answered else each) for each in self.puzzles]


def _piece(puzzle: CluePuzzle) -> str:
    return "Knight" if puzzle.problem.board.leaper == (1, 2) else "Leaper"


def _scene(puzzle: CluePuzzle, style: Style, *, solved: bool) -> Scene:
    """The board with its clues; with the solution all steps, the clues on coloured cells."""
    problem, board = puzzle.problem, puzzle.problem.board
    # Other conditions than the clues are not drawn.
    clues = TourProblem(board=board, closed=problem.closed, at=puzzle.clues)
    style = replace(style, problem=clues, numbers=True)
    kind = "closed" if problem.closed else "open"
    title = f"{_piece(puzzle)} puzzle on {board}: {kind} tour, {number_of(len(puzzle.clues), 'clue')}"
    if not solved:
        return replace(ground_scene(board, style), title=title)
    assert puzzle.solution is not None
    return replace(tour_scene(puzzle.solution, style), title=f"{title}: solution")


def read_grid_puzzles(source: Source) -> GridPuzzles | None:
    r"""Read puzzles of kinds, with the solutions and levels that JSON states; None for other texts.

    At first it takes JSON, texts that begin with the name of a kind, and addresses; of a text that was
    refused as tours it takes game ids, too. Raises BadInput for a solution that is wrong.

    >>> read_grid_puzzles(Source("slitherlink\n3 .\n. .", {})).labels()
    ['Slitherlink 2x2']
    """
    first = source.text.strip("\ufeff \t\r\n").partition("\n")[0].strip()
    data = source.data.get("list", source.data)
    entry = data[0] if isinstance(data, list) and data else data
    stated = isinstance(entry, dict) and {"kind", "puzzle"} <= {*entry}
    if not (stated or first.lower() in KINDS or "://" in first or (source.refused and is_address(first))):
        return None
    named = read_grid_texts(source.text)
    known = []
    for number, each in enumerate(named, 1):
        given = each.data.get("solution")
        known.append(None if given is None else GridSolution.from_json(given))
        solution = known[-1]
        if solution is not None and (violation := each.kind.violation(each.puzzle, solution)):
            raise BadInput(f"the solution of puzzle {number} in the JSON is wrong: {violation}")
    rated = (each.data.get("difficulty") for each in named)
    levels = (each.get("level") if isinstance(each, dict) else "" for each in rated)
    return GridPuzzles(
        tuple(named), tuple(known), levels=tuple(each if each in LEVELS else "" for each in levels)
    )


def read_clue_puzzles(source: Source) -> Puzzles | None:
    r"""Read clue puzzles; None if the text is something else.

    At first it takes only what cannot be a tour: JSON with clues, grids with a line that states the question,
    and marks for unknown steps. Of a text that was refused as tours it takes also grids whose step numbers
    have gaps.

    >>> read_clue_puzzles(Source("1 . . 10\n. . . .\n3 . 9 .", {}, refused=True)).heading()
    'Knight puzzle on 3x4'
    >>> read_clue_puzzles(Source("1 6 3\n4 . 8\n7 2 5", {}, refused=True)) is None
    True
    """
    text, data, board, closed = source.text, source.data, source.board, source.closed
    if data:
        several = data.get("puzzles")
        each = several[0] if isinstance(several, list) and several else data
        if not (isinstance(each, dict) and isinstance(each.get("clues"), dict)):
            return None
        return Puzzles(tuple(read_puzzles(text, closed=closed)))
    if _HEADER.match(text) is None:
        entries = text.replace("|", " ").split()
        if not entries or any(_GIVEN.fullmatch(entry) is None for entry in entries):
            return None
        marked = bool({"?", "_"}.intersection(entries))
        steps = {int(entry) for entry in entries if entry.isdigit() and len(entry) < 10}
        gaps = len(steps) < max(steps, default=0) and "." in entries
        if not (marked or (gaps and source.refused)):
            return None
    leaper, wrap = (board.leaper, board.wrap) if isinstance(board, Board) else (None, None)
    return Puzzles(tuple(read_puzzles(text, closed=closed, leaper=leaper, wrap=wrap)))
