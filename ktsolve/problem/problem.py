"""The statement of a tour question, in the words of chess."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Integral
from typing import TYPE_CHECKING, Any

from ktsolve.errors import BadInput
from ktsolve.ground.board import Board, Move
from ktsolve.ground.figures import CORNERS, LINES, corner_moves, magic_lines
from ktsolve.ground.notation import Cell, shown
from ktsolve.ground.symmetry import Symmetry, named_symmetry, symmetry_group
from ktsolve.ground.tour import Fault, Tour
from ktsolve.problem.conditions import Condition

if TYPE_CHECKING:
    from ktsolve.problem.obstruction import Obstruction

__all__ = ["CONDITIONS", "FEATURES", "TourProblem"]

FEATURES: Mapping[str, str] = {
    "closed": "a closed tour",
    "open": "an open tour",
    "start": "a given start",
    "end": "a given end",
    "require": "required moves",
    "forbid": "forbidden moves",
    "holes": "removed cells",
    "leaper": "a leaper other than the knight",
    "wrap": "a wrapped board",
    "steps": "a cell at a given step",
    "symmetry": "symmetry of the tour",
    "structured": "structured corners",
    "magic": "equal sums of lines",
    "starts": "a set of starts",
    "ends": "a set of ends",
    "ranges": "a range of steps for a cell",
    "order": "an order of cells",
    "figures": "steps in a figure",
    "sums": "given sums of cells",
    "bounds": "bounds on angles, turns, crossings or moves",
}
"""What a problem may ask for, by name, in words. Engines declare which of these they take."""

CONDITIONS = frozenset({"starts", "ends", "ranges", "order", "figures", "sums", "bounds"})
"""The features that only the engines that solve models take by themselves."""


def _step_number(step: object) -> int:
    if isinstance(step, bool) or not isinstance(step, (int, Integral)):
        raise BadInput(f"step {shown(step)} is not a step number: write 5 for the fifth cell")
    return int(step)


@dataclass(frozen=True, kw_only=True, repr=False)
class TourProblem:
    """What is asked of a tour. Frozen and hashable; equal questions are equal.

    Parameters
    ----------
    board:
        A :class:`Board`, or its size such as ``"6x6"``.
    closed:
        Ask for a closed tour (a Hamiltonian cycle) or an open one (a Hamiltonian path; those whose ends are
        a move apart included).
    start, end:
        First and last cell. A closed tour may begin anywhere, so ``start`` only fixes the numbering, and
        ``end`` is the cell from which it returns.
    require, forbid:
        Moves that the tour must make, in either direction, or must not make.
    steps:
        Cells at given steps, counted from 1: ``{5: "c3"}``.
    symmetry:
        ``rot180``, ``rot90``, ``flip-h`` or ``flip-v``: the moves made, as a set, are invariant.
    corners:
        Corners that must be structured (see :func:`corner_moves`); ``True`` for all four.
    magic:
        Kinds of lines (``rows``, ``columns``, ``diagonals``) in each of which all lines have equal sums of
        step numbers; the diagonals' equal those of the rows, on square boards.
    starts, ends:
        Cells of which one must be the first, or the last; empty for any. A single one
        is ``start`` or ``end``.
    conditions:
        Further conditions: :class:`~ktsolve.problem.conditions.StepRange`, ``Order``, ``CellSum``, ``Bound``,
        and :class:`~ktsolve.problem.figured.Figure`.

    Raises
    ------
    BadInput
        For anything that makes no sense on this board, with what would.

    Examples
    --------
    >>> problem = TourProblem(board="3x10", closed=True, require=["a1-b3"])
    >>> problem
    TourProblem(board=Board.parse('3x10'), closed=True, require=['a1-b3'])
    >>> problem.obstruction() is None
    True
    >>> print(TourProblem(board="7x7", closed=True).obstruction().reason)
    a closed tour alternates between the two colours, but the board has 25 cells of one and 24 of the other
    """

    board: Board
    closed: bool
    start: Cell | None = None
    end: Cell | None = None
    require: frozenset[Move] = frozenset()
    forbid: frozenset[Move] = frozenset()
    steps: tuple[tuple[int, Cell], ...] = ()
    symmetry: str | None = None
    corners: frozenset[str] = frozenset()
    magic: frozenset[str] = frozenset()
    starts: frozenset[Cell] = frozenset()
    ends: frozenset[Cell] = frozenset()
    conditions: frozenset[Condition] = frozenset()

    def __init__(
        self,
        *,
        board: Board | str,
        closed: bool,
        start: Cell | str | None = None,
        end: Cell | str | None = None,
        require: Iterable[Move | str] = (),
        forbid: Iterable[Move | str] = (),
        steps: Mapping[int, Cell | str] | Iterable[tuple[int, Cell | str]] = (),
        symmetry: str | None = None,
        corners: bool | Iterable[str] = (),
        magic: Iterable[str] = (),
        starts: Iterable[Cell | str] = (),
        ends: Iterable[Cell | str] = (),
        conditions: Iterable[Condition] = (),
    ) -> None:
        board = Board.parse(board) if isinstance(board, str) else board
        if not isinstance(board, Board):
            raise BadInput(f'board must be a Board or a size such as "6x6", not {shown(board)}')
        for name, moves in (("require", require), ("forbid", forbid)):
            if isinstance(moves, str):
                raise BadInput(f"{name} must be a list of moves, such as [{shown(moves)}]")
        if not isinstance(closed, bool):
            raise BadInput(f"closed must be True or False, not {shown(closed)}")
        if isinstance(corners, bool):
            corners = CORNERS if corners else ()
        pairs = steps.items() if isinstance(steps, Mapping) else steps
        values: dict[str, Any] = {
            "board": board,
            "closed": closed,
            "start": None if start is None else board.cell(start),
            "end": None if end is None else board.cell(end),
            "require": frozenset(board.move(move) for move in require),
            "forbid": frozenset(board.move(move) for move in forbid),
            "steps": tuple(sorted({(_step_number(step), board.cell(cell)) for step, cell in pairs})),
            "symmetry": symmetry,
            "corners": frozenset(corners),
            "magic": frozenset(magic),
            "starts": frozenset(board.cell(cell) for cell in starts),
            "ends": frozenset(board.cell(cell) for cell in ends),
            "conditions": frozenset(conditions),
        }
        for one, several in (("start", "starts"), ("end", "ends")):
            if len(values[several]) == 1 and values[one] is None:
                (values[one],) = values[several]
                values[several] = frozenset()
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._validate()

    def _validate(self) -> None:
        board = self.board
        for move in sorted(self.required_moves & self.forbid):
            raise BadInput(f"move {board.move_name(move)} is both required and forbidden")
        if self.start is not None and self.start == self.end and len(board) > 1:
            raise BadInput(f"start and end are the same cell, {board.name(self.start)}")
        for one, several in (("start", "starts"), ("end", "ends")):
            if getattr(self, several) and getattr(self, one) is not None:
                raise BadInput(f"{one} is one cell, {several} are several: give either")
        for condition in self.conditions:
            if not isinstance(condition, Condition):
                raise BadInput(f"conditions are objects such as Order(...), not {shown(condition)}")
            condition.validate(board)
        at: dict[int, Cell] = {}
        of: dict[Cell, int] = {}
        for step, cell in self._numbered():
            if not 1 <= step <= len(board):
                raise BadInput(
                    f"step {shown(step)} is not among the {len(board)} steps of the tour (1 to {len(board)})"
                )
            if at.setdefault(step, cell) != cell:
                raise BadInput(f"step {step} cannot be both {board.name(at[step])} and {board.name(cell)}")
            if of.setdefault(cell, step) != step:
                raise BadInput(f"{board.name(cell)} cannot be at both step {of[cell]} and step {step}")
        if self.symmetry is not None:
            named_symmetry(board, self.symmetry)
        if unknown := sorted(self.corners - set(CORNERS)):
            raise BadInput(f"corner {shown(unknown[0])} is unknown: use {', '.join(CORNERS)}")
        if unknown := sorted(self.magic - set(LINES)):
            raise BadInput(f"lines {shown(unknown[0])} cannot be magic: use {', '.join(LINES)}")
        if "diagonals" in self.magic and board.rows != board.columns:
            raise BadInput(f"equal sums of diagonals need a square board, not {board.size}")
        if self.magic and board.removed:
            raise BadInput("equal sums of lines need a board without holes")

    def _numbered(self) -> Iterator[tuple[int, Cell]]:
        """Cells whose step is known: start, end and the given steps."""
        if self.start is not None:
            yield 1, self.start
        if self.end is not None:
            yield len(self.board), self.end
        yield from self.steps

    # -- what is asked ----------------------------------------------------------------------------------

    @cached_property
    def known_steps(self) -> tuple[tuple[int, Cell], ...]:
        """All cells with a known step number, start and end included, sorted by step."""
        return tuple(sorted(set(self._numbered())))

    @cached_property
    def required_moves(self) -> frozenset[Move]:
        """Required moves, those of structured corners included."""
        moves = set(self.require)
        for corner in sorted(self.corners & set(CORNERS)):
            moves |= corner_moves(self.board, corner)
        return frozenset(moves)

    @cached_property
    def features(self) -> frozenset[str]:
        """What this problem asks for, as names in :data:`FEATURES`."""
        board = self.board
        asked = {
            "closed": self.closed,
            "open": not self.closed,
            "start": self.start is not None,
            "end": self.end is not None,
            "require": bool(self.require),
            "forbid": bool(self.forbid),
            "holes": bool(board.removed),
            "leaper": board.leaper != (1, 2),
            "wrap": board.wrap != "none",
            "steps": bool(self.steps),
            "symmetry": self.symmetry is not None,
            "structured": bool(self.corners),
            "magic": bool(self.magic),
            "starts": bool(self.starts),
            "ends": bool(self.ends),
        }
        named = {name for name, present in asked.items() if present}
        return frozenset(named | {condition.feature for condition in self.conditions})

    @cached_property
    def numbered(self) -> bool:
        """Does a condition speak of step numbers other than those of the ends?"""
        return bool(self.steps or self.magic) or any(each.numbered for each in self.conditions)

    @cached_property
    def automorphisms(self) -> tuple[Symmetry, ...]:
        """The board symmetries that map this problem to itself, condition by condition."""
        index = self.board.index

        def numbers(moves: Iterable[Move]) -> frozenset[tuple[int, ...]]:
            return frozenset(tuple(sorted((index[a], index[b]))) for a, b in moves)

        fixed = [index[cell] for _, cell in self._numbered()]
        required, forbidden = numbers(self.required_moves), numbers(self.forbid)
        lines = {
            frozenset(index[cell] for cell in line)
            for kind in self.magic
            for line in magic_lines(self.board, kind)
        }

        sets = [frozenset(index[cell] for cell in cells) for cells in (self.starts, self.ends)]

        def keeps(symmetry: Symmetry) -> bool:
            if any(symmetry(i) != i for i in fixed):
                return False
            if any({symmetry(i) for i in cells} != cells for cells in sets):
                return False
            if {each.moved(self.board, symmetry) for each in self.conditions} != self.conditions:
                return False
            for moves in (required, forbidden):
                if {tuple(sorted((symmetry(a), symmetry(b)))) for a, b in moves} != moves:
                    return False
            if self.symmetry is not None:
                own = named_symmetry(self.board, self.symmetry)
                conjugate = symmetry.after(own).after(symmetry.inverse()).images
                if conjugate not in (own.images, own.inverse().images):
                    return False
            # Two names may belong to one permutation, so lines are compared, not names.
            return {frozenset(symmetry(i) for i in line) for line in lines} == lines

        return tuple(s for s in symmetry_group(self.board) if keeps(s))

    @property
    def directions(self) -> int:
        """In how many directions each undirected answer can be walked, if no inner steps or sums are given.

        Fixing an end of an open tour, or both ends of a closed one, leaves one direction.
        """
        if len(self.board) == 1:
            return 1
        if self.closed:
            return 1 if self.start is not None and self.end is not None else 2
        return 2 if self.start is None and self.end is None else 1

    def replace(self, **changes: Any) -> TourProblem:
        """The same question with some parts changed."""
        return replace(self, **changes)

    # -- judging ----------------------------------------------------------------------------------------

    def check(self, tour: Tour) -> Fault | None:
        """Judge a tour as numbered: None if it answers the question, else the first fault.

        Shares no code with any engine. A tour marked open answers a closed problem if it closes, and the
        other way round.
        """
        from ktsolve.problem.checker import judge

        return judge(self, tour)

    def obstruction(self) -> Obstruction | None:
        """Why arithmetic alone shows that there is no such tour, or None if it does not."""
        from ktsolve.problem.obstruction import find_obstruction

        return find_obstruction(self)

    def numberings(self, tour: Tour) -> Iterator[Tour]:
        """All numberings of an undirected tour that answer the question, one per direction at most.

        For a closed tour the first cell is free unless the problem fixes it; of several that fit in one
        direction the first found is given.
        """
        whole = tour.as_closed(self.closed)
        directions = [whole] if len(whole) == 1 else [whole, whole.reversed()]
        for direction in directions:
            for candidate in self._rotations(direction):
                if self.check(candidate) is None:
                    yield candidate
                    break

    def numbered_to_fit(self, tour: Tour) -> Tour:
        """An undirected tour numbered to answer the question, or as it is if no numbering does.

        A question that fixes no end and no step takes any numbering; then nothing is checked here.
        """
        fixed = self.numbered or self.starts or self.ends or {self.start, self.end} != {None}
        return next(self.numberings(tour), tour) if fixed else tour

    def _rotations(self, tour: Tour) -> Iterator[Tour]:
        if not self.closed:
            yield tour
        elif self.known_steps:
            step, cell = self.known_steps[0]
            if cell not in tour.step_of:
                return
            at = tour.step_of[cell] - step
            yield tour.starting_at(tour.squares[at % len(tour)])
        elif self.numbered or self.starts or self.ends:
            for cell in tour.squares:
                if not self.starts or cell in self.starts:
                    yield tour.starting_at(cell)
        else:
            yield tour

    # -- words ------------------------------------------------------------------------------------------

    def _parts(self) -> dict[str, Any]:
        """Conditions that are present, in printable form, in the order of the fields."""
        name, move_name = self.board.name, self.board.move_name
        parts: dict[str, Any] = {}
        if self.start is not None:
            parts["start"] = name(self.start)
        if self.end is not None:
            parts["end"] = name(self.end)
        for key, moves in (("require", self.require), ("forbid", self.forbid)):
            if moves:
                parts[key] = [move_name(move) for move in sorted(moves)]
        if self.steps:
            parts["steps"] = {step: name(cell) for step, cell in self.steps}
        if self.symmetry:
            parts["symmetry"] = self.symmetry
        if self.corners:
            parts["corners"] = [corner for corner in CORNERS if corner in self.corners]
        if self.magic:
            parts["magic"] = [line for line in LINES if line in self.magic]
        for key, cells in (("starts", self.starts), ("ends", self.ends)):
            if cells:
                parts[key] = [name(cell) for cell in sorted(cells)]
        for key, text in sorted((each.key, each.text(self.board)) for each in self.conditions):
            parts.setdefault(key, []).append(text)
        return parts

    def __repr__(self) -> str:
        stated = {each.key for each in self.conditions}
        parts = "".join(f", {key}={value!r}" for key, value in self._parts().items() if key not in stated)
        if self.conditions:
            parts += f", conditions=[{', '.join(sorted(map(repr, self.conditions)))}]"
        return f"TourProblem(board={self.board!r}, closed={self.closed}{parts})"

    def __str__(self) -> str:
        text = f"{'closed' if self.closed else 'open'} {self.board}"
        # Their own texts have commas.
        spoken = {each.key for each in self.conditions}
        for key, value in self._parts().items():
            if isinstance(value, dict):
                value = [f"{step}={cell}" for step, cell in value.items()]
            if isinstance(value, list):
                comma = "; " if key in spoken else ","
                shown = comma.join(value[:4]) + (f"{comma}... ({len(value)})" if len(value) > 4 else "")
                value = "" if key == "corners" and len(value) == 4 else shown
            text += f" {'structured' if key == 'corners' else key}{' ' + value if value else ''}"
        return text

    def to_json(self) -> dict[str, Any]:
        """The question in terms of JSON, with only the conditions that are present."""
        return {"board": self.board.to_json(), "closed": self.closed, **self._parts()}
