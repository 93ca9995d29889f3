"""Subjects of pictures: tours, visits of large tours, counts; and the reader of all subjects."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of, plural, shown
from ktsolve.formats.tours.common import json_object
from ktsolve.formats.tours.files import CHOOSE_ONE, Change, read_tours, read_walk
from ktsolve.graphs.board import Board, needs_board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.symmetry import Symmetry
from ktsolve.graphs.tour import Tour
from ktsolve.problem.longest import LongestProblem
from ktsolve.render.boards.composition import in_title
from ktsolve.render.boards.heat import Heat, counted_heat, moves_heat, named_heat
from ktsolve.render.boards.text import terminal_drawing, text_drawing
from ktsolve.render.booklet import Booklet, MixedBooklet
from ktsolve.render.graphs.picture import graph_positions
from ktsolve.render.picture import animation, ground_scene, tour_scene
from ktsolve.render.player import player_html
from ktsolve.render.scene.raster import visits_png
from ktsolve.render.scene.shapes import Scene
from ktsolve.render.scene.sheet import check_number
from ktsolve.render.scene.style import MOST_DETAILS, Style
from ktsolve.render.subject import PictureOptions, Reader, Source, Subject

if TYPE_CHECKING:
    from ktsolve.graphs.tour_arrays import Steps

__all__ = [
    "Counts",
    "DrawnTours",
    "Visits",
    "counts_of_result",
    "read_counts",
    "read_subject",
    "together",
    "valid_walk",
]

_MOST_ON_SHEET = 1_000_000  # cells of all tours of a sheet together


@dataclass(frozen=True)
class DrawnTours(Subject):
    """One tour or several, all valid; or one walk over some of the vertices."""

    tours: tuple[Tour, ...]  # those without steps are drawn as their boards or graphs
    walk: LongestProblem | None = None
    """Of one that leaves vertices out, what it is."""
    heat: str | None = None
    """Colour the cells by values of this name, one of ``ktsolve.render.boards.heat.HEATS``."""

    def heated(self, heat: str) -> DrawnTours:
        """Return the tours with cells coloured by values of a name. Raises BadInput for bare graphs."""
        for tour in self.tours:
            needs_board(tour.ground, f"heat {heat}")
        return replace(self, heat=heat)

    def up_to_symmetry(self) -> DrawnTours:
        """Return the least image of each class, in order: the same whatever found the tours."""
        for tour in self.tours:
            needs_board(tour.ground, "--up-to-symmetry in a picture")
        classes = {tour.canonical() for tour in self.tours}
        return replace(self, tours=tuple(sorted(classes, key=lambda tour: tour.squares)))

    def ground(self) -> Graph:
        """Return the board or graph of the first tour."""
        return self.tours[0].ground

    def heading(self) -> str:
        """Return the title of a sheet: number, kind and board; empty for one tour."""
        tours, number = self.tours, len(self.tours)
        if number == 1:
            return ""
        if not any(tour.squares for tour in tours):
            return number_of(number, "graph")
        kinds = {("closed" if tour.closed else "open", in_title(tour.ground)) for tour in tours}
        if len(kinds) > 1:
            return f"{number} {plural(number, 'tour')}"
        ((kind, board),) = kinds
        return f"{number} {kind} {plural(number, 'tour')} of {board}"

    def scenes(self, style: Style) -> list[Scene]:
        """Return a scene for each tour; those of one graph have the same positions."""
        styles = self._styles(style)
        if len(self.tours) > 1:
            bare = [tour for tour in self.tours if not isinstance(tour.ground, Board)]
            placed = {tour.ground: graph_positions(tour, style) for tour in reversed(bare)}
            styles = [
                replace(each, caption="", positions=placed.get(tour.ground))
                for tour, each in zip(self.tours, styles, strict=True)
            ]
        return [
            tour_scene(tour, each) if tour.squares else ground_scene(tour.ground, each)
            for tour, each in zip(self.tours, styles, strict=True)
        ]

    def file(self, style: Style, options: PictureOptions) -> bytes | None:
        """Return the player, the text, the animation or a picture of pixels; None for other formats."""
        tours, form = self.tours, options.form
        if self.heat == "visit" and form.name == "png" and self._pixels():
            return Visits(tours[0].steps).file(style, options)
        styles = self._styles(style)
        if form.name == "html":
            if not any(tour.squares for tour in tours):
                raise BadInput("the player plays a tour, and the input holds none: give a file with one")
            walks = [] if self.walk is None else [(tour, self.walk) for tour in tours]
            return player_html(() if walks else tours, walks=walks, title=style.title or None).encode()
        if form.name == "text":
            for tour in tours:
                needs_board(tour.ground, "a drawing in characters (give -o FILE.svg)")
            drawings = [_drawn(tour, each, options) for tour, each in zip(tours, styles, strict=True)]
            return ("\n\n".join(drawings) + "\n").encode()
        if "frames" in form.options:
            return self._animation(styles[0], options)
        cells = sum(len(tour.ground) for tour in tours)
        if form.name == "tikz" and cells > MOST_DETAILS:
            raise BadInput(
                f"TikZ files have at most {MOST_DETAILS:,} cells, and this has {cells:,}: draw it as .pdf"
            )
        if len(tours) != 1:
            check_number(len(tours))
            if cells > _MOST_ON_SHEET:
                raise BadInput(
                    f"a sheet shows at most {_MOST_ON_SHEET:,} cells, not {cells:,}: give fewer tours"
                )
        return None

    def _animation(self, style: Style, options: PictureOptions) -> bytes:
        if len(self.tours) != 1:
            raise BadInput(
                f"an animation shows one tour, and the input holds {len(self.tours)}: {CHOOSE_ONE}"
            )
        wanted: dict[str, Any] = {key: getattr(options, key) for key in ("frames", "speed", "pixels")}
        return animation(self.tours[0], style, ending=options.form.name, **wanted)

    def _pixels(self) -> bool:
        """Whether it is one whole tour of a board so large that each cell is a pixel."""
        (tour, *others) = self.tours
        large = not others and len(tour.ground) > MOST_DETAILS
        return large and len(tour) >= tour.board.rows * tour.board.columns

    def _styles(self, style: Style) -> list[Style]:
        return [style if heat is None else replace(style, heat=heat) for heat in self._heats]

    @cached_property
    def _heats(self) -> list[Heat | None]:
        return [None if self.heat is None else named_heat(self.heat, tour) for tour in self.tours]


@dataclass(frozen=True, eq=False)
class Visits(Subject):
    """A large tour as step numbers; the picture shows when each cell is visited."""

    steps: Steps

    def file(self, style: Style, options: PictureOptions) -> bytes:
        """Return the PNG of the visits. Raises BadInput for other formats and for details."""
        rows, columns = self.steps.shape
        if options.form.name != "png":
            raise BadInput(f"the visits of {rows}x{columns} are drawn as .png, not .{options.form.name}")
        style.check_size(rows * columns)
        if style.caption or style.coordinates or style.problem is not None or style.after is not None:
            raise BadInput(
                f"the visits of {rows}x{columns} are drawn without captions, marks and unfinished walks"
            )
        return visits_png(self.steps, theme=style.theme, pixels=options.pixels)

    def heated(self, heat: str) -> Visits:
        """Return the visits, whose cells have a colour already."""
        return self


@dataclass(frozen=True)
class Counts(Subject):
    """Numbers of tours that begin or end in each cell of a board, or that use each move."""

    board: Board
    heat: Heat
    title: str

    def heading(self) -> str:
        """Return the title."""
        return self.title

    def ground(self) -> Board:
        """Return the board."""
        return self.board

    def scenes(self, style: Style) -> list[Scene]:
        """Return the heat map, with the title as caption if the style has none."""
        shown = replace(style, heat=self.heat, caption=style.caption or self.title)
        return [ground_scene(self.board, shown)]

    def file(self, style: Style, options: PictureOptions) -> bytes | None:
        """Return the text; None for other formats that show counts."""
        if options.form.name != "text":
            return super().file(style, options)
        return (_drawn(Tour(self.board, ()), replace(style, heat=self.heat), options) + "\n").encode()


def together(subjects: Sequence[Subject]) -> Subject:
    """Several subjects as one: tours on a sheet, or puzzles of any kinds in a booklet.

    >>> both = together([DrawnTours((Tour(Board.parse(size), ()),)) for size in ("3x4", "5x5")])
    >>> [str(tour.ground) for tour in both.tours]
    ['3x4', '5x5']
    """
    if len(subjects) == 1:
        return subjects[0]
    tours = [each for each in subjects if isinstance(each, DrawnTours) and each.walk is None]
    booklets = [each for each in subjects if isinstance(each, Booklet)]
    if len(tours) == len(subjects):
        return DrawnTours(tuple(tour for each in tours for tour in each.tours))
    if len(booklets) == len(subjects):
        return MixedBooklet(tuple(booklets))
    raise BadInput("several files are drawn together if all hold tours, or if all hold puzzles")


def _drawn(tour: Tour, style: Style, options: PictureOptions) -> str:
    """A tour in characters, as wide as it is or as wide as the terminal."""
    if options.width is None:
        return text_drawing(tour, style)
    return terminal_drawing(tour, style, options.colours, options.width)


def read_subject(
    text: str,
    board: Graph | None = None,
    closed: bool | None = None,
    change: Change | None = None,
    readers: Iterable[Reader] = (),
) -> Subject:
    r"""Read the subject of a picture.

    - ``text``: one tour or several, as for ``ktsolve.formats.tours.files.read_tours``; or the JSON that
      ``count --by``, ``longest``, ``non-crossing`` and ``census report`` print; or what a reader reads
    - ``readers``: readers of the subjects of wings, called again if the text has no valid tour

    Raises BadInput if a tour is not valid, with its first violation, or there is nothing to draw.

    >>> subject = read_subject("1 6 3\n4 . 8\n7 2 5\n\n3 6 1\n8 . 4\n5 2 7\n")
    >>> [tour.names() for tour in subject.tours]
    ['a3 b1 c3 a2 c1 b3 a1 c2', 'c3 b1 a3 c2 a1 b3 c1 a2']
    """
    if (found := valid_walk(text, board, closed, change)) is not None:
        return DrawnTours((found[0],), found[1])
    source = Source(text, json_object(text), board, closed)
    every = (*readers, read_counts)
    if (subject := _read(every, source)) is not None:
        return subject
    try:
        return DrawnTours(tuple(read_tours(text, board, closed, change)))
    except BadInput:
        if (subject := _read(every, replace(source, refused=True))) is not None:
            return subject
        raise


def _read(readers: Iterable[Reader], source: Source) -> Subject | None:
    """The subject by the first reader that reads the source; None if no reader does."""
    try:
        return next((found for reader in readers if (found := reader(source)) is not None), None)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, BadInput) or not source.data:
            raise
        raise BadInput(
            f"the JSON is not what ktsolve prints: {type(error).__name__}: {shown(str(error))}"
        ) from None


def valid_walk(
    text: str, board: Graph | None = None, closed: bool | None = None, change: Change | None = None
) -> tuple[Tour, LongestProblem] | None:
    """As :func:`ktsolve.formats.tours.files.read_walk`.

    Raises BadInput if the text states such a walk and the walk is not valid, with the first violation.
    """
    found = read_walk(text, board, closed, change)
    if found is not None and (violation := found[1].check(found[0])) is not None:
        raise BadInput(f"not {found[1].noun}: {violation}")
    return found


def counts_of_result(data: dict[str, Any]) -> Counts:
    """The counts in the JSON of a command. Raises BadInput if it has none."""
    return _counts(json.loads(json.dumps(data)))


def read_counts(source: Source) -> Counts | None:
    """Read the counts in the JSON that a command printed; None for anything else."""
    data = source.data
    if data.get("tours") == [] and "squares" not in data:
        raise BadInput("the input holds no tour")
    if isinstance(data.get("problem"), dict) and "count" in data:
        return _counts(data)
    return None


def _counts(data: dict[str, Any]) -> Counts:
    if data.get("complete") is False:
        what, parts = ("count", "classes") if "classes" in data else ("census", "jobs")
        raise BadInput(f"the {what} is not done: {data['counted']} of {data['total']} {parts} are counted")
    if "by_moves" in data:
        return _move_counts(data)
    # A census has a job for each class of ends.
    listed = [each for each in data.get("classes", data.get("jobs", ())) if "cells" in each]
    if not listed:
        raise BadInput(
            "the input is one number, which has no picture: count with --by start or --by endpoints"
        )
    board, group = _board_and_group(data["problem"])
    classes = [(tuple(map(board.cell, each["cells"])), int(str(each["count"]))) for each in listed]
    heat = counted_heat(board, classes, group)
    return Counts(board, heat, f"Open tours of {board} by their ends")


def _move_counts(data: dict[str, Any]) -> Counts:
    board, _ = _board_and_group(data["problem"])
    listed = ((ends, str(each["count"])) for each in data["by_moves"] for ends in each["moves"])
    counts = {board.move(ends): int(count) for ends, count in listed}
    kind = "Closed" if data.get("kind") == "closed" else "Open"
    return Counts(board, moves_heat(counts), f"{kind} tours of {board} by their moves")


def _board_and_group(problem: dict[str, Any]) -> tuple[Board, tuple[Symmetry, ...]]:
    """The board of a problem in JSON, and the symmetries up to which its classes are counted."""
    from ktsolve.problem.problem import TourProblem

    conditions = dict(problem)
    board = Board.from_json(conditions.pop("board"))
    if isinstance(at := conditions.get("at"), dict):
        conditions["at"] = {int(step): cell for step, cell in at.items()}
    return board, TourProblem(board=board, **conditions).automorphisms
