"""Pictures of boards and of tours on boards: cells, coordinates, values, angles, crossings, symmetry.

A move across a wrapped edge is seen on the board as two stubs. Each stub goes on beside the board to a faint
copy of the cell at its other end, with the number or the name of that cell, so that both can be paired.
"""

from __future__ import annotations

from ktsolve.base.text import number_of, plural
from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.composition import Composition, caption_height
from ktsolve.render.boards.heat import accessibility, short_number
from ktsolve.render.boards.layout import BoardLayout, board_shapes, coordinate_shapes, edge_shapes, squares
from ktsolve.render.boards.marks import (
    Item,
    angle_shapes,
    axis_shapes,
    crossing_shapes,
    end_shapes,
    heat_move_shapes,
    symmetry_text,
)
from ktsolve.render.scene.knight import knight
from ktsolve.render.scene.lettering import fitting
from ktsolve.render.scene.shapes import Circle, Group, PathShape, Point, Shape, Strand, Text, grouped
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.theme import blend, legible

__all__ = ["BoardPicture"]

_CELLS, _LINES = 0.45, 0.6  # how much of their colours cells and lines keep beside the board
_COPY = 0.22  # radius of the disc behind a number or a name beside the board, in cells
_NODE = 0.26  # radius of the disc behind a number, in cells
_DIGIT = 0.58  # width of a digit as a share of the font size
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
        self.across, self.down = (reach if side in board.wrap else 0 for side in "xy")
        self.stubs = drawn
        left = margin
        self.below, self.beside = self.down, self.across
        if self.coordinates:
            digits = len(str(board.rows))
            left = 2 * round(self.font * max(1.15, 0.3 * digits + 0.5))
            self.below += 2 * round(self.font)
        width = board.columns * unit + 2 * self.across
        top = margin + self.down + caption_height(style.caption, self.font, width, margin)
        self.margin = margin
        self.layout = BoardLayout(board, unit, left + self.across, top)
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
            shapes.extend(coordinate_shapes(layout, theme, self.font, self.across, self.down))
        if self.across or self.down:
            shapes.extend(self._beyond())
        return shapes

    def _cell_at(self, x: float, y: float) -> Cell:
        layout = self.layout
        return int((y - layout.top) // layout.unit), int((x - layout.left) // layout.unit)

    def ground_colour(self, x: float, y: float) -> str:
        """The colour of the cell at a point, or of its mark."""
        cell = self._cell_at(x, y)
        if cell not in self.board:
            return self.theme.background
        return self.theme.clue if cell in self.given else self._fill(cell)

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
        style, layout, walk = self.style, self.layout, self.drawn.squares
        unit, knight_on, theme = layout.unit, self._knight_on, self.theme
        nodes: list[Shape] = []
        if self.numbers and not self._bare:
            nodes += [
                Circle(*layout.centre(cell), _NODE * unit, theme.node, ring, 0.045 * unit)
                for cell, ring in zip(walk, self.step_colours(), strict=True)
                if cell != knight_on
            ]
        elif layout.detailed and style.dots and not self._bare:
            dots = (layout.centre(cell) for cell in walk if cell != knight_on)
            nodes += [Circle(*dot, 0.09 * unit, theme.ink) for dot in dots]
        shapes = [*grouped("nodes", nodes), *self._end_marks()]
        if self.numbers:
            shapes += grouped("numbers", [*self._step_texts(), *self._value_texts()])
        if style.accessibility:
            shapes += grouped("accessibility", self._accessibility())
        if knight_on is not None:
            x, y = layout.centre(knight_on)
            shapes.append(Group("knight", knight(x, y, 0.9 * unit, theme.ink, self._fill(knight_on))))
        return shapes

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

    @property
    def _bare(self) -> bool:
        """Whether there is no path behind the numbers."""
        return self.style.path == "none" or not self.drawn.squares

    @property
    def _knight_on(self) -> Cell | None:
        """The cell of the knight, if it is drawn: nothing else is drawn there."""
        shown = not self.whole if self.style.knight is None else self.style.knight
        return self.drawn.squares[-1] if shown and self.drawn.squares else None

    def _end_marks(self) -> list[Shape]:
        if not self.style.ends:
            return []
        radius = (_NODE + 0.05 if self.numbers else 0.2) * self.layout.unit
        if not self.layout.detailed:
            radius = max(self.board.rows, self.board.columns) / 60
        # A walk drawn only in part shows no last cell.
        shown = self.drawn if self.whole else Tour(self.board, self.drawn.squares[:1])
        if self._knight_on is not None and not shown.closed and shown.squares[-1] == self._knight_on:
            shown = Tour(self.board, shown.squares[:-1][:1])
        return end_shapes(shown, self.layout, self.theme, radius)

    def _step_texts(self) -> list[Shape]:
        """Step numbers of the drawn steps, and given step numbers in other cells."""
        walk, theme, centre = self.drawn.squares, self.theme, self.layout.centre
        problem = self.style.problem
        given = {} if problem is None else {cell: step for step, cell in problem.known_steps}
        # Smaller where they stand in discs on the path.
        share = 0.84 if self._bare else 1.75 * _NODE
        most = 0.42 if self._bare else 0.27
        size = self.layout.unit * min(most, share / (_DIGIT * len(str(len(self.board)))))
        texts: list[Shape] = []
        for step, cell in enumerate(walk, 1):
            if cell == self._knight_on:
                continue
            ink = legible(self.end_colours.get(cell, self._fill(cell) if self._bare else theme.node))
            texts.append(Text(*centre(cell), str(step), size, ink, bold=cell in given))
        ink, others = legible(theme.clue), sorted(given.keys() - set(walk), key=given.__getitem__)
        return texts + [Text(*centre(cell), str(given[cell]), size, ink, bold=True) for cell in others]

    def _fill(self, cell: Cell) -> str:
        """The colour of a cell."""
        heat = self.style.heat
        if heat is not None and cell in heat.values:
            return heat.colour(cell, self.theme)
        return self.theme.dark if sum(cell) % 2 and heat is None else self.theme.light

    def _value_texts(self) -> list[Shape]:
        """Values as numbers, on a picture without a walk."""
        heat = self.style.heat
        if heat is None or self.drawn.squares:
            return []
        texts = {cell: short_number(value, heat.most) for cell, value in sorted(heat.values.items())}
        longest = max(map(len, texts.values()), default=1)
        size = self.layout.unit * min(0.36, 0.77 / (_DIGIT * longest))
        inks = {cell: legible(self._fill(cell)) for cell in texts}
        return [Text(*self.layout.centre(cell), text, size, inks[cell]) for cell, text in texts.items()]

    def _accessibility(self) -> list[Shape]:
        numbers = accessibility(self.board, frozenset(self.drawn.squares))
        size = 0.38 * self.layout.unit
        heat = {} if self.style.heat is None else self.style.heat.values
        shapes: list[Shape] = []
        for cell, number in numbers.items():
            # Faint text is not legible on the colours of values.
            ink = legible(self._fill(cell)) if cell in heat else self.theme.faint
            shapes.append(Text(*self.layout.centre(cell), str(number), size, ink))
        return shapes

    # -- beside wrapped edges -----------------------------------------------------------------------------

    def _beyond(self) -> list[Shape]:
        """Faint copies of cells beside wrapped edges, to which the moves across the edges go on.

        The copies at the ends of moves have the numbers of their steps, or their names.
        """
        layout, tour, theme = self.layout, self.tour, self.theme
        colours = self.step_colours()
        lines: list[Shape] = []
        copies: dict[Point, int] = {}
        for move in sorted(self.geometry.wrapped_moves):
            if move >= self.made:
                break
            (start, out), (into, stop) = self.geometry.across_edges(move)
            strands = tuple(Strand(a, (self._at_edge(a, b),)) for a, b in ((out, start), (into, stop)))
            faint = blend((theme.background, colours[move]), _LINES)
            lines.append(PathShape(strands, stroke=faint, stroke_width=0.06 * layout.unit))
            copies[out], copies[into] = (move + 1) % len(tour), move
        nodes: list[Shape] = []
        texts: list[Shape] = []
        for (x, y), step in sorted(copies.items()):
            text = str(step + 1) if self.numbers else self.board.name(tour.squares[step])
            nodes.append(Circle(x, y, _COPY * layout.unit, self._faint(self._cell_at(x, y))))
            size = fitting(text, 0.27 * layout.unit, 1.8 * _COPY * layout.unit)
            texts.append(Text(x, y, text, size, theme.faint))
        shapes = grouped("copies", self._copies())
        return shapes + grouped("beyond", lines) + grouped("beyond-nodes", [*nodes, *texts])

    def _at_edge(self, out: Point, inside: Point) -> Point:
        """The point at which a line from a point beside the board meets the first edge."""
        layout, (x, y), (u, v) = self.layout, out, inside
        share = 0.0
        for at, to, low, high in (
            (x, u, layout.left, layout.left + layout.width),
            (y, v, layout.top, layout.top + layout.height),
        ):
            if not low <= at <= high:
                edge = low if at < low else high
                share = max(share, (edge - at) / (to - at))
        return x + share * (u - x), y + share * (v - y)

    def _copied(self, cell: Cell) -> Cell:
        """The cell of the board that a cell beside it is a copy of."""
        return cell[0] % self.board.rows, cell[1] % self.board.columns

    def _faint(self, cell: Cell) -> str:
        """The colour of a cell beside the board."""
        kind = self.theme.dark if sum(self._copied(cell)) % 2 else self.theme.light
        return blend((self.theme.background, kind), _CELLS)

    def _copies(self) -> list[Shape]:
        """The copies of cells on all wrapped sides, in two colours."""
        board, unit = self.board, self.layout.unit
        down, across = self.down // unit, self.across // unit
        by_colour: dict[str, list[Cell]] = {}
        for r in range(-down, board.rows + down):
            for c in range(-across, board.columns + across):
                outside = not (0 <= r < board.rows and 0 <= c < board.columns)
                if outside and self._copied((r, c)) in board:
                    by_colour.setdefault(self._faint((r, c)), []).append((r, c))
        return [squares(self.layout, cells, colour) for colour, cells in by_colour.items()]
