"""Hints: what follows next in a puzzle and from what, step by step, as text and as pictures.

The steps of numbered boards are those of :mod:`.step_deduction`. For other kinds the rules get names: each
clue, each place of a line, and that all lines are one loop. The steps then explain the model
(:func:`ktsolve.explain_steps`): each follows from rules about few places and from marks of earlier steps.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import chain, islice
from typing import Any, NamedTuple

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Clock, Settings
from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import GridPuzzle, GridSolution
from ktsolve.model.constraints import Clause, Literal, Subcircuit, variables_of
from ktsolve.models.hidato import HOLE
from ktsolve.problem.problem import TourProblem
from ktsolve.render.scene.shapes import Group, Scene, Shape
from ktsolve.render.scene.sheet import captioned
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.theme import named_theme
from ktsolve.render.subject import Subject
from ktsolve.tasks.steps import explain_steps
from ktsolve.wings.puzzles.clue_tasks import NoSolution, hint
from ktsolve.wings.puzzles.drawing import Mark, Pen
from ktsolve.wings.puzzles.kind import Kind
from ktsolve.wings.puzzles.kinds import KINDS
from ktsolve.wings.puzzles.step_deduction import Hint

__all__ = ["ClueHint", "GridHint", "GridHints", "clue_hints", "drawn_steps", "hints"]

_EDGE = 14.0  # around a picture

Marks = Mapping[Mark, bool]
"""Marks, each with whether it is made: a line that is not made is known to be absent."""


@dataclass(frozen=True)
class GridHint:
    """Marks that follow in a puzzle.

    - ``marks``: What follows.
    - ``reason``: The rules from which it follows, or a sentence.
    - ``places``: The places of the rules, as a pen has them.
    - ``given``: The marks of earlier steps from which it follows.
    - ``earlier``: All marks of earlier steps.
    - ``names``: The names of cells in the reason, where they are others than r1c1.
    - ``title``: What the puzzle is, where it is not of this kind.
    """

    kind: Kind
    puzzle: GridPuzzle
    marks: Marks
    reason: str
    places: frozenset[tuple[Cell, bool]] = frozenset()
    given: Marks = field(default_factory=dict)
    earlier: Marks = field(default_factory=dict)
    names: Mapping[Cell, str] = field(default_factory=dict)
    title: str = ""

    def texts(self, marks: Marks) -> list[str]:
        """The texts of marks."""
        return [self._text(*mark, made=made) for mark, made in marks.items()]

    def _text(self, what: str, *where: Any, made: bool) -> str:
        no = "" if made else "no "
        if what == "line" and self.kind.corners:
            return f"{no}line {_side(self.puzzle, *where)}"
        if what == "line":
            return f"{no}line {_name(where[0])}-{_name(where[1])}"
        if what == "shaded":
            return f"{_name(where[0])} is {'' if made else 'not '}shaded"
        return f"{self.names.get(where[0], _name(where[0]))} is {'' if made else 'not '}{where[1]}"

    def __str__(self) -> str:
        given = f", as {', '.join(self.texts(self.given))}" if self.given else ""
        return f"{', '.join(self.texts(self.marks))}: {self.reason}{given}"

    def to_json(self) -> dict[str, Any]:
        """Marks, reason and the marks of earlier steps as JSON."""

        def split(marks: Marks) -> dict[str, Any]:
            made, absent = (
                GridSolution.of(m for m, yes in marks.items() if yes is each) for each in (True, False)
            )
            return {**made.to_json(), **{f"no_{name}": each for name, each in absent.to_json().items()}}

        return {
            "marks": split(self.marks),
            "reason": self.reason,
            "given": split(self.given),
            "text": str(self),
        }

    def scene(self, style: Style) -> Scene:
        """The puzzle with the marks so far, the places of the reason, and what follows."""
        colours, corners = named_theme(style.theme), self.kind.corners
        pen = Pen(self.puzzle, colours, _EDGE, _EDGE)
        pen.fill([place for place, corner in self.places if not corner], colours.clue)
        self.kind.draw(pen, self.puzzle, GridSolution.of(_those(self.earlier, True)))
        pen.crosses(_those(self.earlier, False), colours.faint, corners=corners)
        for place in sorted(place for place, corner in self.places if corner):
            pen.ring(place, colours.require)
        for marks, colour in ((self.given, colours.require), (self.marks, colours.end)):
            pen.marks(_those(marks, True), colour, corners=corners)
            pen.crosses(_those(marks, False), colour, corners=corners)
        width, height = pen.width + 2 * _EDGE, pen.height + 2 * _EDGE
        title = f"{self.title or f'{self.kind.title} of {self.puzzle.size}'}: a hint"
        pixels = min(max(width, height), 1400.0)
        shapes: tuple[Shape, ...] = (Group("hint", pen.shapes),)
        scene = Scene(width, height, title, str(self), colours.background, shapes, pixels)
        return captioned(scene, style.caption or str(self), style.theme)


@dataclass(frozen=True)
class GridHints(Subject):
    """Hints as pictures, each below its text."""

    hints: tuple[GridHint, ...]

    def scenes(self, style: Style) -> list[Scene]:
        """Return a scene for each hint."""
        return [each.scene(style) for each in self.hints]


def hints(kind: Kind, puzzle: GridPuzzle, settings: Settings | None = None) -> Iterator[GridHint]:
    r"""The steps that solve a puzzle, each as it is found; they end where nothing more follows.

    Raises NoSolution if the puzzle has no solution, and LimitReached.

    >>> from ktsolve.wings.puzzles.kinds import KINDS
    >>> print(next(hints(KINDS["slitherlink"], GridPuzzle.read("3..\n...\n..0"))))
    no line above r3c3, no line left of r3c3, no line right of r3c3, no line below r3c3: the 0 in r3c3
    """
    settings = Settings.of(settings)
    if (numbered := kind.tours(puzzle)) is not None:
        yield from _numbered(kind, puzzle, numbered, settings)
        return
    statement = _NamedRules(kind, puzzle)
    earlier: dict[Mark, bool] = dict(statement.known)
    known = {statement.literals[mark]: made for mark, made in earlier.items()}
    try:
        for step in explain_steps(statement.model, settings, known=known):
            marks, given = (statement.marks_of(each) for each in (step.facts, step.given))
            places = frozenset(chain.from_iterable(statement.places[name] for name in step.names))
            reason = ", ".join(step.names) or "the marks so far"
            yield GridHint(kind, puzzle, marks, reason, places, given, dict(earlier))
            earlier |= marks
    except BadInput as error:
        raise NoSolution("the puzzle has no solution") from error


class ClueHint(NamedTuple):
    """A step that follows in a tour problem with some steps known, those of earlier hints among them."""

    found: Hint
    problem: TourProblem

    def __str__(self) -> str:
        cell = self.problem.ground.name(self.found.cell)
        return f"step {self.found.step} must be {cell}: {self.found.reason}"

    def to_json(self) -> dict[str, Any]:
        """Step, cell, rule and reason."""
        return asdict(self.found)

    @property
    def near(self) -> tuple[Any, ...]:
        """The vertices of the nearest numbers that are known, before and after; the reason is about these."""
        known = sorted(self.problem.known_steps)
        place = bisect([step for step, _ in known], self.found.step)
        return tuple(vertex for _, vertex in known[max(place - 1, 0) : place + 1])

    def drawn(self, clues: TourProblem) -> GridHint:
        """The hint with its picture, on the board with the given steps."""
        board = self.problem.board
        holes = dict.fromkeys(board.removed, HOLE)
        given = {cell: str(step) for step, cell in clues.known_steps}
        puzzle = GridPuzzle.of(board.rows, board.columns, holes | given)
        piece = "Knight" if board.leaper == (1, 2) else "Leaper"
        return GridHint(
            KINDS["knight"],
            puzzle,
            {("number", self.found.cell, self.found.step): True},
            self.found.reason,
            frozenset((cell, False) for cell in self.near),
            earlier={("number", cell, step): True for step, cell in self.problem.known_steps},
            names={cell: board.name(cell) for cell in board.cells},
            title=f"{piece} puzzle on {board}",
        )


def clue_hints(problem: TourProblem, settings: Settings | None = None) -> Iterator[ClueHint]:
    """The steps that complete a numbered board, each as it is found. Raises NoSolution, and LimitReached.

    >>> problem = TourProblem(board="3x4", closed=False, at={1: "a3", 3: "a1", 9: "c1", 10: "d3"})
    >>> print(next(clue_hints(problem)))  # doctest: +ELLIPSIS
    step 2 must be c2: of the free cells one move from a3 (step 1) and one move from a1 ...
    """
    settings = Settings.of(settings)
    clock = Clock(settings)
    while (found := hint(problem, clock.within(settings))) is not None:
        yield ClueHint(found, problem)
        problem = problem.replace(at=[*problem.at, (found.step, found.cell)])


def _numbered(kind: Kind, puzzle: GridPuzzle, problem: TourProblem, settings: Settings) -> Iterator[GridHint]:
    """The steps of a numbered board."""
    holes = {mark for cell, mark in puzzle.clues if not mark.isdigit()}
    cells = [cell for cell in puzzle.cells if puzzle.clue.get(cell) not in holes]
    cell_of = dict(zip(problem.ground.cells, cells, strict=True))
    names = {cell: problem.ground.name(vertex) for vertex, cell in cell_of.items()}
    earlier: dict[Mark, bool] = {}
    for each in clue_hints(problem, settings):
        mark = "number", cell_of[each.found.cell], each.found.step
        places = frozenset((cell_of[vertex], False) for vertex in each.near)
        yield GridHint(kind, puzzle, {mark: True}, each.found.reason, places, {}, dict(earlier), names)
        earlier[mark] = True


def drawn_steps(
    model: str, parameters: Mapping[str, Any], settings: Settings, number: int | None
) -> GridHints | None:
    """The steps that solve an instance of a model of puzzles, as pictures; None for another model."""
    piece = parameters.get("piece", "king")
    of_model = (each for each in KINDS.values() if each.model.kind == model)
    kind = next((each for each in of_model if getattr(each, "piece", piece) == piece), None)
    if kind is None:
        return None
    return GridHints(tuple(islice(hints(kind, GridPuzzle.read(parameters["clues"]), settings), number)))


class _NamedRules:
    """The model of a puzzle whose rules have names."""

    def __init__(self, kind: Kind, puzzle: GridPuzzle) -> None:
        self.kind, self.puzzle = kind, puzzle
        compiled = kind.compile(puzzle)
        self.literals = {**compiled.marks, **compiled.notes}
        self._mark_of = {literal.number: mark for mark, literal in self.literals.items()}
        self.places: dict[str, frozenset[tuple[Cell, bool]]] = {}
        self.known: dict[Mark, bool] = {}
        self.model = compiled.model.copy()
        self.model.constraints = []
        stated: set[int] = set()
        for cell, rules in compiled.rules.items():
            stated.update(map(id, rules))
            for rule in rules:
                self._add(rule, f"the {puzzle.clue[cell]} in {_name(cell)}", [(cell, False)])
        for constraint in compiled.model.constraints:
            if id(constraint) not in stated:
                self._add_rule(constraint)
        # A cell with a number has no other.
        numbers = {mark[1]: mark for mark, made in self.known.items() if made and mark[0] == "number"}
        for mark in compiled.notes:
            if mark[1] in numbers:
                self.known[mark] = mark == numbers[mark[1]]
        self.model.show(self.literals.values())

    def _add(self, constraint: Any, name: str, places: Iterable[tuple[Cell, bool]]) -> None:
        self.model.add(constraint, name=name)
        self.places[name] = frozenset(places)

    def _add_rule(self, constraint: Any) -> None:
        """Add a constraint that is not about one clue."""
        if isinstance(constraint, Subcircuit):
            self._add_places(constraint)
            self._add(constraint, "one loop", [])
            return
        numbers = {variable.number for variable in variables_of(constraint)}
        marks = [mark for number, mark in self._mark_of.items() if number in numbers]
        if isinstance(constraint, Clause) and len(numbers) == 1:
            self.known |= self.marks_of(constraint.members) if marks else {}
            self.model.add(constraint)
            return
        cells = sorted({cell for mark in marks for cell in _cells(mark)})
        name = " and ".join(map(_name, cells))
        self._add(constraint, f"the rules of {name}", [(cell, False) for cell in cells])

    def _add_places(self, loop: Subcircuit) -> None:
        """State for each place that the line goes through, or past; this follows from the loop."""
        place_of: dict[int, Cell] = {}
        at: dict[int, list[Literal]] = {}
        for u, v, literal in loop.arcs:
            at.setdefault(u, []).append(literal)
            at.setdefault(v, []).append(literal)
            if (mark := self._mark_of.get(literal.number)) is not None:
                place_of[u], place_of[v] = mark[1:]
        present = loop.present or (None,) * loop.nodes
        for node, place in place_of.items():
            visited = present[node]
            passes = self.model.boolean(f"passes {place}") if visited is None else visited
            corners = self.kind.corners
            name = f"the dot {_corner(self.puzzle, place)}" if corners else f"the line at {_name(place)}"
            self._add(sum(at[node]) == 2 * passes, name, [(place, corners)])

    def marks_of(self, facts: Iterable[Any]) -> dict[Mark, bool]:
        """The marks that literals say."""
        return {self._mark_of[fact.number]: fact.positive for fact in facts}


def _those(marks: Marks, made: bool) -> list[Mark]:
    """The marks that are made, or those that are absent."""
    return [mark for mark, each in marks.items() if each is made]


def _cells(mark: Mark) -> tuple[Cell, ...]:
    return mark[1:] if mark[0] == "line" else mark[1:2]


def _name(cell: Cell) -> str:
    return f"r{cell[0] + 1}c{cell[1] + 1}"


def _corner(puzzle: GridPuzzle, dot: Cell) -> str:
    """Where a dot is, by a cell that it is at a corner of."""
    r, c = min(dot[0], puzzle.rows - 1), min(dot[1], puzzle.columns - 1)
    return f"{'lower' if dot[0] > r else 'upper'} {'right' if dot[1] > c else 'left'} of {_name((r, c))}"


def _side(puzzle: GridPuzzle, first: Cell, last: Cell) -> str:
    """Where a line between dots is, by a cell that it is a side of."""
    level = first[0] == last[0]
    r, c = min(first[0], puzzle.rows - 1), min(first[1], puzzle.columns - 1)
    if level:
        return f"{'below' if first[0] > r else 'above'} {_name((r, c))}"
    return f"{'right' if first[1] > c else 'left'} of {_name((r, c))}"
