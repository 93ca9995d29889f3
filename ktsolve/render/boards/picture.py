"""Pictures of boards and of tours on boards: cells, coordinates, values, angles, crossings, symmetry.

A move across a wrapped edge is seen on the board as two stubs. Each stub goes on beside the board to a faint
copy of the cell at its other end, with the number or the name of that cell, so that both can be paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ktsolve.base.text import number_of, plural
from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.composition import Composition, caption_height
from ktsolve.render.boards.heat import accessibility, short_number
from ktsolve.render.boards.layout import (
    Around,
    BoardLayout,
    board_shapes,
    coordinate_shapes,
    edge_shapes,
    squares,
)
from ktsolve.render.boards.marks import (
    Item,
    angle_shapes,
    axis_shapes,
    crossing_shapes,
    end_shapes,
    heat_move_shapes,
    symmetry_text,
)
from ktsolve.render.boards.path_geometry import PathGeometry
from ktsolve.render.scene.knight import knight
from ktsolve.render.scene.lettering import fitting
from ktsolve.render.scene.shapes import Circle, Group, PathShape, Point, Shape, Strand, Text, grouped
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.theme import Theme, blend, legible

__all__ = ["BoardPicture", "Contents", "beyond_shapes"]

_NUMBERED = 20  # longest side of a board whose steps are numbered by default


class BoardPicture(Composition):
    """A picture of a tour on a board, or of the board alone."""

    layout: BoardLayout

    def __init__(self, tour: Tour, style: Style) -> None:
        self.board: Board = tour.board
        style.check_size(self.board.rows * self.board.columns)
        super().__init__(tour, style)

    def place(self) -> None:
        """Set layout and sizes."""
        style, board = self.style, self.board
        longest = max(board.rows, board.columns)
        detailed = BoardLayout(board, 2, 0, 0).detailed
        unit = 40 if detailed else 2
        # Text must be legible at any size: in line drawings it grows with the board.
        self.font = 13.0 if detailed else longest / 25
        margin = 14 if detailed else 2 * max(1, longest // 50)
        self.coordinates = detailed if style.coordinates is None else style.coordinates
        # Moves over wrapped edges go on beside the board, to copies of their cells.
        drawn = bool(self.tour.squares) and style.path != "none" and longest <= _NUMBERED
        reach = max(board.leaper) * unit if drawn else 0
        self.around = Around(reach if "x" in board.wrap else 0, reach if "y" in board.wrap else 0)
        self.stubs = drawn
        left = margin
        self.below, self.beside = self.around.down, self.around.across
        if self.coordinates:
            digits = len(str(board.rows))
            left = 2 * round(self.font * max(1.15, 0.3 * digits + 0.5))
            self.below += 2 * round(self.font)
        width = board.columns * unit + 2 * self.around.across
        top = margin + self.around.down + caption_height(style.caption, self.font, width, margin)
        self.margin = margin
        self.layout = BoardLayout(board, unit, left + self.around.across, top)
        self.numbers = longest <= _NUMBERED if style.numbers is None else style.numbers
        self.line = unit * (0.085 if detailed else 0.22)
        self.scale = 1 if detailed else 4

    def ground_text(self) -> str:
        """The board in words."""
        board = self.board
        where = f"a board of {board.rows} {plural(board.rows, 'row')} and {board.columns} "
        where += plural(board.columns, "column")
        missing = len(board.removed)
        return where + (f" without {missing} {plural(missing, 'cell')}" if missing else "")

    def underground(self, sentences: list[str]) -> list[Shape]:
        """Cells, values, coordinates."""
        style, layout, theme = self.style, self.layout, self.theme
        shapes = board_shapes(layout, theme, plain=style.heat is not None)
        if style.heat is not None:
            shapes.extend(self._heat())
            sentences.append(f"Colours: {style.heat.caption}, from {style.heat.least} to {style.heat.most}.")
        if self.coordinates:
            shapes.extend(coordinate_shapes(layout, theme, self.font, self.around))
        if self.around.across or self.around.down:
            shapes.extend(
                beyond_shapes(self.geometry, self.around, self.made, self.step_colours(), self.numbers, theme)
            )
        return shapes

    def ground_colour(self, x: float, y: float) -> str:
        """The colour of the cell at a point, or of its mark."""
        layout, theme = self.layout, self.theme
        cell = int((y - layout.top) // layout.unit), int((x - layout.left) // layout.unit)
        if cell not in self.board:
            return theme.background
        if cell in self._given:
            return theme.clue
        if self.style.heat is not None:
            return self.style.heat.colour(cell, theme) if cell in self.style.heat.values else theme.light
        return theme.dark if sum(cell) % 2 else theme.light

    @cached_property
    def _given(self) -> frozenset[Cell]:
        """The given cells of the problem."""
        problem = self.style.problem
        if problem is None:
            return frozenset()
        return frozenset({cell for _, cell in problem.known_steps} | problem.starts | problem.ends)

    def rim(self) -> list[Shape]:
        """The edge of the board, and the moves of a heat map."""
        shapes = edge_shapes(self.layout, self.theme)
        if self.style.heat is not None and self.style.heat.moves:
            shapes += heat_move_shapes(self.style.heat, self.layout, self.theme, self.line)
        return shapes

    def marks(self, items: list[Item], sentences: list[str]) -> list[Shape]:
        """Angles and crossings."""
        theme, shapes = self.theme, list[Shape]()
        if self.style.angles:
            marks, kinds = angle_shapes(self.drawn, self.layout, theme)
            shapes.extend(marks)
            items += [
                (colour, f"{n} {kind}") for colour, (kind, n) in zip(theme.angles, kinds.items(), strict=True)
            ]
            sentences.append("Angles: " + ", ".join(f"{n} {kind}" for kind, n in kinds.items()) + ".")
        if self.style.crossings:
            marks, number = crossing_shapes(self.drawn, self.layout, theme)
            shapes.extend(marks)
            count = number_of(number, "crossing")
            items.append((theme.crossing, count))
            sentences.append(f"{count}.")
        return shapes

    def contents(self) -> list[Shape]:
        """Numbers, dots, ends, values and the knight."""
        colours = self.step_colours() if self.numbers else []
        return Contents(self.drawn, self.whole, self.style, self.layout, self.numbers, colours).shapes()

    def finish(self, items: list[Item], sentences: list[str]) -> list[Shape]:
        """The axes and the centre of the symmetries."""
        if not self.style.symmetry:
            return []
        items.append(("", symmetry_text(self.group)))
        sentences.append(f"{symmetry_text(self.group).capitalize()}.")
        return axis_shapes(self.group, self.layout, self.theme)

    def _heat(self) -> list[Shape]:
        """One path for the cells of each colour."""
        assert self.style.heat is not None
        heat, cells = self.style.heat, set(self.board.cells)
        by_colour: dict[str, list[Cell]] = {}
        for cell in heat.values:
            if cell in cells:
                by_colour.setdefault(heat.colour(cell, self.theme), []).append(cell)
        return grouped("heat", [squares(self.layout, sorted(by_colour[c]), c) for c in sorted(by_colour)])


_NODE = 0.26  # radius of the disc behind a number, in cells
_DIGIT = 0.58  # width of a digit as a share of the font size


@dataclass(frozen=True)
class Contents:
    """The contents of the cells of a picture."""

    walk: Tour  # the steps that are drawn
    whole: bool  # whether these are all steps of the tour
    style: Style
    layout: BoardLayout
    numbers: bool  # whether the steps are numbered
    colours: Sequence[str]  # for each step the colour of the path at its cell

    @property
    def _bare(self) -> bool:
        """Whether there is no path behind the numbers."""
        return self.style.path == "none" or not self.walk.squares

    def shapes(self) -> list[Shape]:
        """All shapes, in painting order."""
        style, layout, walk = self.style, self.layout, self.walk.squares
        unit, knight_on = layout.unit, self._knight_on
        nodes: list[Shape] = []
        if self.numbers and not self._bare:
            nodes += [
                Circle(*layout.centre(cell), _NODE * unit, self.style.colours.node, ring, 0.045 * unit)
                for cell, ring in zip(walk, self.colours, strict=True)
                if cell != knight_on
            ]
        elif layout.detailed and style.dots and not self._bare:
            nodes += [
                Circle(*layout.centre(cell), 0.09 * unit, self.style.colours.ink)
                for cell in walk
                if cell != knight_on
            ]
        shapes = [*grouped("nodes", nodes), *self._ends()]
        if self.numbers:
            shapes += grouped("numbers", [*self._steps(), *self._values()])
        if style.accessibility:
            shapes += grouped("accessibility", self._accessibility())
        if knight_on is not None:
            x, y = layout.centre(knight_on)
            shapes.append(
                Group("knight", knight(x, y, 0.9 * unit, self.style.colours.ink, self._fill(knight_on)))
            )
        return shapes

    @property
    def _knight_on(self) -> Cell | None:
        """The cell of the knight, if it is drawn: nothing else is drawn there."""
        shown = not self.whole if self.style.knight is None else self.style.knight
        return self.walk.squares[-1] if shown and self.walk.squares else None

    def _ends(self) -> list[Shape]:
        if not self.style.ends:
            return []
        board, layout = self.layout.board, self.layout
        radius = (_NODE + 0.05 if self.numbers else 0.2) * layout.unit
        if not layout.detailed:
            radius = max(board.rows, board.columns) / 60
        # A walk drawn only in part shows no last cell.
        shown = self.walk if self.whole else Tour(board, self.walk.squares[:1])
        if self._knight_on is not None and not shown.closed and shown.squares[-1] == self._knight_on:
            shown = Tour(board, shown.squares[:-1][:1])
        return end_shapes(shown, layout, self.style.colours, radius)

    def _steps(self) -> list[Shape]:
        """Step numbers of the drawn steps, and given step numbers in other cells."""
        walk, theme, centre = self.walk.squares, self.style.colours, self.layout.centre
        problem = self.style.problem
        given = {} if problem is None else {cell: step for step, cell in problem.known_steps}
        ends = {}
        if self.style.ends and walk:
            if self.whole and not self.walk.closed:
                ends[len(walk)] = theme.end
            ends[1] = theme.start
        texts: list[Shape] = []
        for step, cell in enumerate(walk, 1):
            if cell == self._knight_on:
                continue
            ink = legible(ends.get(step, self._fill(cell) if self._bare else theme.node))
            texts.append(Text(*centre(cell), str(step), self._size(), ink, bold=cell in given))
        for cell in sorted(given.keys() - set(walk), key=given.__getitem__):
            ink = legible(theme.clue)
            texts.append(Text(*centre(cell), str(given[cell]), self._size(), ink, bold=True))
        return texts

    def _size(self) -> float:
        """The font size of step numbers."""
        digits = len(str(len(self.layout.board)))
        if self._bare:
            return self.layout.unit * min(0.42, 0.84 / (_DIGIT * digits))
        return self.layout.unit * min(0.27, 1.75 * _NODE / (_DIGIT * digits))

    def _fill(self, cell: Cell) -> str:
        """The colour of a cell."""
        heat = self.style.heat
        if heat is not None and cell in heat.values:
            return heat.colour(cell, self.style.colours)
        return self.style.colours.dark if sum(cell) % 2 and heat is None else self.style.colours.light

    def _values(self) -> list[Shape]:
        """Values as numbers, on a picture without a walk."""
        heat = self.style.heat
        if heat is None or self.walk.squares:
            return []
        texts = {cell: short_number(value, heat.most) for cell, value in sorted(heat.values.items())}
        longest = max((len(text) for text in texts.values()), default=1)
        size = self.layout.unit * min(0.36, 0.77 / (_DIGIT * longest))
        return [
            Text(*self.layout.centre(cell), text, size, legible(self._fill(cell)))
            for cell, text in texts.items()
        ]

    def _accessibility(self) -> list[Shape]:
        numbers = accessibility(self.layout.board, frozenset(self.walk.squares))
        size = 0.38 * self.layout.unit
        heat = {} if self.style.heat is None else self.style.heat.values
        shapes: list[Shape] = []
        for cell, number in numbers.items():
            # Faint text is not legible on the colours of values.
            ink = legible(self._fill(cell)) if cell in heat else self.style.colours.faint
            shapes.append(Text(*self.layout.centre(cell), str(number), size, ink))
        return shapes


_CELLS, _LINES = 0.45, 0.6  # how much of their colours cells and lines keep beside the board
_COPY = 0.22  # radius of the disc behind a number or a name, in cells


def beyond_shapes(
    geometry: PathGeometry, around: Around, made: int, colours: Sequence[str], numbers: bool, theme: Theme
) -> list[Shape]:
    """Return copies of cells beside the board, and the parts of moves that lie there.

    - ``made``: number of drawn moves
    - ``colours``: the colour of each drawn move
    - ``numbers``: whether the copies at the ends of moves have the numbers of their steps, and not their
      names
    """
    layout, tour = geometry.layout, geometry.tour
    assert isinstance(layout, BoardLayout)
    lines: list[Shape] = []
    copies: dict[Point, int] = {}
    for move in sorted(geometry.wrapped_moves):
        if move >= made:
            break
        (start, out), (into, stop) = geometry.across_edges(move)
        strands = [_outside(layout, out, start), _outside(layout, into, stop)]
        faint = blend((theme.background, colours[move]), _LINES)
        lines.append(
            PathShape(
                tuple(Strand(a, (b,)) for a, b in strands),
                stroke=faint,
                stroke_width=0.06 * layout.unit,
            )
        )
        copies[out], copies[into] = (move + 1) % len(tour), move
    nodes: list[Shape] = []
    texts: list[Shape] = []
    for (x, y), step in sorted(copies.items()):
        text = str(step + 1) if numbers else tour.ground.name(tour.squares[step])
        nodes.append(Circle(x, y, _COPY * layout.unit, _faint(layout, (x, y), theme)))
        size = fitting(text, 0.27 * layout.unit, 1.8 * _COPY * layout.unit)
        texts.append(Text(x, y, text, size, theme.faint))
    shapes = grouped("copies", _cells(layout, around, theme))
    return shapes + grouped("beyond", lines) + grouped("beyond-nodes", [*nodes, *texts])


def _outside(layout: BoardLayout, out: Point, inside: Point) -> tuple[Point, Point]:
    """The part of a line from a point beside the board to the edge that it meets first."""
    (x, y), (u, v) = out, inside
    share = 0.0
    for at, to, low, high in (
        (x, u, layout.left, layout.left + layout.width),
        (y, v, layout.top, layout.top + layout.height),
    ):
        if not low <= at <= high:
            edge = low if at < low else high
            share = max(share, (edge - at) / (to - at))
    return out, (x + share * (u - x), y + share * (v - y))


def _copied(layout: BoardLayout, cell: Cell) -> Cell:
    """The cell of the board that a cell beside it is a copy of."""
    return cell[0] % layout.board.rows, cell[1] % layout.board.columns


def _faint(layout: BoardLayout, point: Point, theme: Theme) -> str:
    """The colour of the cell at a point beside the board."""
    cell = int((point[1] - layout.top) // layout.unit), int((point[0] - layout.left) // layout.unit)
    kind = theme.dark if sum(_copied(layout, cell)) % 2 else theme.light
    return blend((theme.background, kind), _CELLS)


def _cells(layout: BoardLayout, around: Around, theme: Theme) -> list[Shape]:
    """The copies of cells on all wrapped sides, in two colours."""
    board, unit = layout.board, layout.unit
    down, across = around.down // unit, around.across // unit
    strands: dict[str, list[Strand]] = {}
    for r in range(-down, board.rows + down):
        for c in range(-across, board.columns + across):
            if 0 <= r < board.rows and 0 <= c < board.columns:
                continue
            if _copied(layout, (r, c)) in board:
                x, y = layout.corner((r, c))
                square = Strand((x, y), ((x + unit, y), (x + unit, y + unit), (x, y + unit)), closed=True)
                strands.setdefault(_faint(layout, (x, y), theme), []).append(square)
    return [PathShape(tuple(each), fill=colour) for colour, each in strands.items()]
