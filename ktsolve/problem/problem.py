"""Tour problems: questions about tours, the check of an answer, and the labelings of a tour that answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Self, TypeVar

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.base.text import as_tuple, shown
from ktsolve.graphs.board import Board, needs_board
from ktsolve.graphs.geometry import CORNERS
from ktsolve.graphs.graph import Graph, Move, Vertex
from ktsolve.graphs.symmetry import Symmetry, symmetry_group
from ktsolve.graphs.tour import Tour, Violation
from ktsolve.problem.conditions import (
    CONDITION_CLASSES,
    CONDITION_FEATURES,
    KEYS,
    At,
    Condition,
    Corner,
    End,
    EqualSums,
    Forbid,
    Require,
    Start,
    Symmetric,
    parse_value,
)
from ktsolve.problem.obstruction import Obstruction, find_obstruction
from ktsolve.problem.stated import end_cells, graph_of, step_number, texts_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.graphs.tour_arrays import IsMove

__all__ = ["CONDITIONS", "FEATURES", "TourProblem"]

FEATURES: Mapping[str, str] = {
    "closed": "a closed tour",
    "open": "an open tour",
    "holes": "removed cells",
    "leaper": "a leaper other than the knight",
    "wrap": "a wrapped board",
    "graph": "a graph that is not a board",
    "digraph": "a directed graph",
    **CONDITION_FEATURES,
}
"""The features of problems, by name, with descriptions. Engines declare which of these they take."""

CONDITIONS = frozenset(
    name for each in CONDITION_CLASSES for name in each.features if name not in each.graph_features
)
"""The features that need a model: no search over vertices and edges takes them."""

_Kind = TypeVar("_Kind", bound=Condition)

_LARGE = 900  # cells from which theorems on the sides of a full board replace arguments about its cells

_CHECKED_AT_ONCE = 1 << 20  # cells of tours that are checked together


class TourProblem:
    """A question about tours. Frozen and hashable; equal questions are equal.

    Everything asked of a tour is a condition; the keyword arguments from ``start`` to ``ends`` are a short
    way to state the most common ones.

    Parameters
    ----------
    board:
        A :class:`Board`, its size such as ``"6x6"``, a graph in any form that :meth:`Graph.of` takes, or its
        name such as ``"graph:petersen"`` (see :func:`~ktsolve.graphs.named_graphs.named_graph`). On a graph,
        cells are the user's nodes, here and in all answers.
    closed:
        Ask for a closed tour (a Hamiltonian cycle) or an open one (a Hamiltonian path; those whose ends are
        a move apart included).
    start, end:
        First and last cell, or a list of cells of which one is the first or the last. A closed tour may
        begin anywhere, so ``start`` only fixes the numbering, and ``end`` is the cell from which it returns.
    require, forbid:
        Moves that the tour must make, in either direction, or must not make.
    at:
        Cells at given steps, counted from 1: ``{5: "c3"}``.
    symmetry:
        ``rot180``, ``rot90``, ``flip-h`` or ``flip-v``: the moves made, as a set, are invariant.
    structured:
        Whether all four corners must be structured (see :func:`~ktsolve.graphs.geometry.corner_moves`).
    corners:
        Corners that must be structured, of ``tl``, ``tr``, ``bl``, ``br``.
    magic:
        Kinds of lines (``rows``, ``columns``, ``diagonals``) in each of which all lines have equal sums of
        step numbers; the diagonals' equal those of the rows, on square boards.
    starts, ends:
        Cells of which one must be the first, or the last; empty for any. A single one is ``start`` or
        ``end``.
    conditions:
        Conditions as objects (see :mod:`ktsolve.problem.conditions`).
    **texts:
        ``without``, ``leaper`` and ``wrap``, as for :meth:`Board.parse`, where the board is a size.
        Other conditions by the name that they have as options and in instance files, as text or a list of
        texts, or a dictionary for what has an equals sign: ``order="a1,f6"``, ``most={"obtuse": 9}``,
        ``range={"c3": (5, 10)}``. Cells may be given as such: ``order=[u, v]``, ``run={u, v, w}``,
        ``range={u: (5, 10)}``, ``sum={(u, v): 9}``, ``figure={"1,4": [u, v]}``, and moves of a statistic as
        ``most={("moves", ((u, v),)): 1}``.

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
    >>> TourProblem("6x6", order="a1,f6", most={"obtuse": 9}).listed_conditions[0]
    Order(cells=((5, 0), (0, 5)))
    >>> print(TourProblem(board="7x7", closed=True).obstruction().reason)
    a closed tour alternates between the two colours, but the board has 25 cells of one and 24 of the other
    """

    ground: Graph
    closed: bool
    conditions: frozenset[Condition]

    def __init__(
        self,
        board: Graph | str | tuple[int, int] | Any,
        *,
        closed: bool = True,
        start: Vertex | str | Iterable[Vertex | str] | None = None,
        end: Vertex | str | Iterable[Vertex | str] | None = None,
        require: Iterable[Move | str] = (),
        forbid: Iterable[Move | str] = (),
        at: Mapping[int, Vertex | str] | Iterable[tuple[int, Vertex | str]] = (),
        symmetry: str | None = None,
        structured: bool = False,
        corners: Iterable[str] = (),
        magic: Iterable[str] = (),
        starts: Iterable[Vertex | str] = (),
        ends: Iterable[Vertex | str] = (),
        conditions: Iterable[Condition] = (),
        **texts: Any,
    ) -> None:
        shape: dict[str, Any] = {
            name: texts.pop(name) for name in ("without", "leaper", "wrap") if name in texts
        }
        ground = graph_of(board, shape)
        several_of: tuple[tuple[str, Any, str], ...] = (
            ("require", require, ground.nouns.moves),
            ("forbid", forbid, ground.nouns.moves),
            ("starts", starts, ground.nouns.cells),
            ("ends", ends, ground.nouns.cells),
            ("corners", corners, "corners"),
            ("magic", magic, "lines"),
            ("conditions", conditions, "conditions"),
            ("at", at, "steps with cells, such as {5: 'c3'}"),
        )
        for name, listed, what in several_of:
            if isinstance(listed, str):
                raise BadInput(f"{name} must be a list of {what}, such as [{shown(listed)}]")
            if not isinstance(listed, Iterable):
                raise BadInput(f"{name} must be a list of {what}, not {shown(listed)}")
        if not isinstance(closed, bool):
            raise BadInput(f"closed must be True or False, not {shown(closed)}")
        stated = list(conditions)
        for kind, one, several in ((Start, start, starts), (End, end, ends)):
            name, names = kind.features
            cells = frozenset(map(ground.cell, several))
            if one is not None and len(cells) > 1:
                raise BadInput(f"{name} is one {ground.nouns.cell}, {names} are several: give either")
            cells |= end_cells(kind, one, ground)
            if cells:
                stated.append(kind(cells))
        stated += [Require(ground.move(move)) for move in require]
        stated += [Forbid(ground.move(move)) for move in forbid]
        steps = at.items() if isinstance(at, Mapping) else at
        for each in steps:
            if len(pair := as_tuple(each)) != 2:
                raise BadInput(f"at has steps with cells, such as {{5: 'c3'}}, not {shown(each)}")
            stated.append(At(step_number(pair[0]), ground.cell(pair[1])))
        stated += [] if symmetry is None else [Symmetric(symmetry)]
        stated += map(Corner, CORNERS if structured else corners)
        stated += map(EqualSums, magic)
        for key, value in texts.items():
            stated += parse_value(key, texts_of(key, value, ground), ground)
        for place, condition in enumerate(stated):
            if not isinstance(condition, Condition):
                raise BadInput(f"conditions are objects such as Order(...), not {shown(condition)}")
            stated[place] = condition.on(ground)
        for name, value in (("ground", ground), ("closed", closed), ("conditions", frozenset(stated))):
            object.__setattr__(self, name, value)
        self._check_together()

    @classmethod
    def of(cls, given: TourProblem | Graph | str | Any, **stated: Any) -> TourProblem:
        """The problem that a task is given: as one, or as its board with conditions.

        Parameters
        ----------
        given:
            A problem; or a board, its size such as ``"8x8"``, a graph, its name such as ``"graph:petersen"``,
            or a graph as :meth:`Graph.of` takes it, of networkx for example.
        **stated:
            Where no problem is given: ``closed``, by default true, and conditions, as for the constructor.

        Returns
        -------
        TourProblem
            The problem.

        Raises
        ------
        BadInput
            For anything else, with what would be right.

        Examples
        --------
        >>> TourProblem.of("6x6", start="a1")
        TourProblem(board=Board.parse('6x6'), closed=True, start='a1')
        """
        if isinstance(given, TourProblem):
            if stated:
                raise BadInput(
                    "a TourProblem states closed and all conditions: give them there, or use replace(...)"
                )
            return given
        if "board" in stated:
            raise BadInput(f"board is given twice, as {shown(given)} and {shown(stated['board'])}: give one")
        return cls(given, **stated)

    def _check_together(self) -> None:
        """Raise BadInput for conditions that contradict each other in their plain text."""
        ground = self.ground
        for move in ground.moves_in_order(self.required_moves & self.forbid):
            raise BadInput(f"{ground.nouns.move} {ground.move_name(move)} is both required and forbidden")
        for kind in (Start, End, Symmetric):
            if len(several := self.each(kind)) > 1:
                texts = " and ".join(each.text(ground) for each in several)
                raise BadInput(f"a tour has one {kind.keys[0].name}, not {texts}")
        if self.start is not None and self.start == self.end and len(ground) > 1:
            raise BadInput(f"start and end are the same {ground.nouns.cell}, {ground.name(self.start)}")
        at: dict[int, Vertex] = {}
        of: dict[Vertex, int] = {}
        for step, cell in self.known_steps:
            if at.setdefault(step, cell) != cell:
                raise BadInput(f"step {step} cannot be both {ground.name(at[step])} and {ground.name(cell)}")
            if of.setdefault(cell, step) != step:
                raise BadInput(f"{ground.name(cell)} cannot be at both step {of[cell]} and step {step}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a TourProblem does not change: use replace({name}=...)")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TourProblem) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[Graph, bool, frozenset[Condition]]:
        return self.ground, self.closed, self.conditions

    # -- what is asked ----------------------------------------------------------------------------------

    @property
    def board(self) -> Board:
        """The ground as a board. Raises Refused for a bare graph."""
        return needs_board(self.ground, "what is asked")

    @cached_property
    def is_large_rectangle(self) -> bool:
        """Whether the ground is a large full board for the knight, and at most single ends are given.

        Theorems on the sides decide whether it has a tour; nothing is computed for each cell.
        """
        return len(self.ground) >= _LARGE and self.features <= {"closed", "open", "start", "end"}

    @cached_property
    def _by_class(self) -> dict[type[Condition], list[Condition]]:
        found: dict[type[Condition], list[Condition]] = {}
        for each in self.conditions:
            found.setdefault(type(each), []).append(each)
        return found

    def each(self, kind: type[_Kind]) -> list[_Kind]:
        """The conditions of a class, sorted.

        Parameters
        ----------
        kind:
            A subclass of Condition.

        Returns
        -------
        list[_Kind]
            The conditions.
        """
        found: list[Any] = self._by_class.get(kind, [])
        return sorted(found, key=lambda each: each.sort_key(self.ground)) if len(found) > 1 else found

    @cached_property
    def listed_conditions(self) -> tuple[Condition, ...]:
        """All conditions, sorted, class by class."""
        return tuple(each for kind in CONDITION_CLASSES for each in self.each(kind))

    @cached_property
    def starts(self) -> frozenset[Vertex]:
        """The cells that may be first, if they are several."""
        return self.first if self.first and len(self.first) > 1 else frozenset()

    @cached_property
    def ends(self) -> frozenset[Vertex]:
        """The cells that may be last, if they are several."""
        return self.last if self.last and len(self.last) > 1 else frozenset()

    @cached_property
    def start(self) -> Vertex | None:
        """The first cell, if it is given."""
        return next(iter(self.first)) if self.first and len(self.first) == 1 else None

    @cached_property
    def end(self) -> Vertex | None:
        """The last cell, if it is given."""
        return next(iter(self.last)) if self.last and len(self.last) == 1 else None

    @cached_property
    def first(self) -> frozenset[Vertex] | None:
        """The cells that may be first; None for any."""
        return next((each.cells for each in self.each(Start)), None)

    @cached_property
    def last(self) -> frozenset[Vertex] | None:
        """The cells that may be last; None for any."""
        return next((each.cells for each in self.each(End)), None)

    @cached_property
    def require(self) -> frozenset[Move]:
        """The moves that are required by themselves."""
        return frozenset(each.move for each in self.each(Require))

    @cached_property
    def forbid(self) -> frozenset[Move]:
        """The forbidden moves."""
        return frozenset(each.move for each in self.each(Forbid))

    @cached_property
    def at(self) -> tuple[tuple[int, Vertex], ...]:
        """The cells at given steps, sorted by step; without start and end."""
        return tuple((each.step, each.cell) for each in self.each(At))

    @cached_property
    def symmetry(self) -> str | None:
        """Name of the symmetry that the tour must have."""
        return next((each.name for each in self.each(Symmetric)), None)

    @cached_property
    def corners(self) -> frozenset[str]:
        """The corners that must be structured."""
        return frozenset(each.name for each in self.each(Corner))

    @cached_property
    def magic(self) -> frozenset[str]:
        """The kinds of lines that must have equal sums."""
        return frozenset(each.kind for each in self.each(EqualSums))

    @cached_property
    def known_steps(self) -> tuple[tuple[int, Vertex], ...]:
        """All cells with a known step number, start and end included, sorted by step."""
        known = set(self.at)
        if self.start is not None:
            known.add((1, self.start))
        if self.end is not None:
            known.add((len(self.ground), self.end))
        return tuple(sorted(known, key=lambda each: (each[0], self.ground.place(each[1]))))

    @cached_property
    def required_moves(self) -> frozenset[Move]:
        """Required moves, those of structured corners included."""
        return self.require.union(*(each.moves(self.ground) for each in self.each(Corner)))

    @cached_property
    def allowed_edges(self) -> NDArray[np.int32]:
        """The edges of the ground that are not forbidden, as places of vertices."""
        import numpy as np

        ground = self.ground
        if not self.forbid:
            return ground.edges
        kept = np.ones(len(ground.edges), dtype=np.bool_)
        kept[ground.places_of([(ground.place(a), ground.place(b)) for a, b in self.forbid])] = False
        return ground.edges[kept]

    @cached_property
    def neighbours(self) -> Mapping[Vertex, Sequence[Vertex]]:
        """The vertices to which a move that is not forbidden leads from each vertex."""
        return self._without_forbidden(self.ground.neighbours)

    @cached_property
    def predecessors(self) -> Mapping[Vertex, Sequence[Vertex]]:
        """The vertices from which a move that is not forbidden leads to each vertex."""
        return self._without_forbidden(self.ground.predecessors, backwards=True)

    def _without_forbidden(
        self, around: Mapping[Vertex, Sequence[Vertex]], *, backwards: bool = False
    ) -> Mapping[Vertex, Sequence[Vertex]]:
        if not self.forbid:
            return around
        changed: dict[Vertex, list[Vertex]] = {}
        for move in self.forbid:
            both = [move, move[::-1]]
            for cell, other in both[backwards : backwards + 1] if self.ground.directed else both:
                changed.setdefault(cell, list(around[cell])).remove(other)
        return {**around, **changed}

    @cached_property
    def features(self) -> frozenset[str]:
        """The features of this problem, as names in :data:`FEATURES`."""
        kind = "closed" if self.closed else "open"
        return self.ground.features.union({kind}, (each.feature for each in self.conditions))

    @cached_property
    def step_indexed(self) -> bool:
        """Whether a condition depends on step numbers other than those of the ends."""
        return any(each.step_indexed for each in self._by_class)

    @cached_property
    def automorphisms(self) -> tuple[Symmetry, ...]:
        """The board symmetries that map this problem to itself; of a bare graph the identity only."""
        ground, conditions = self.ground, self.conditions
        if not isinstance(ground, Board):
            return (Symmetry("identity", tuple(range(len(ground)))),)
        return tuple(
            symmetry
            for symmetry in symmetry_group(ground)
            if all(each.image(ground, symmetry) in conditions for each in conditions)
        )

    @property
    def numbered(self) -> bool:
        """Whether it fixes an end or a step, so that not every labeling of an answer answers it."""
        fixed = self.starts or self.ends or {self.start, self.end} != {None}
        return self.step_indexed or bool(fixed)

    @property
    def directions(self) -> int:
        """In how many directions each undirected answer can be walked, if no inner steps or sums are given.

        Fixing an end of an open tour, or both ends of a closed one, leaves one direction.
        """
        if len(self.ground) == 1 or self.ground.directed:
            return 1
        if self.closed:
            return 1 if self.start is not None and self.end is not None else 2
        return 2 if self.start is None and self.end is None else 1

    def replace(self, **changes: Any) -> Self:
        """The same problem with some parts changed.

        Parameters
        ----------
        **changes:
            Arguments of the constructor. A keyword replaces the conditions that it states;
            ``conditions`` replaces those that have no keyword.

        Returns
        -------
        Self
            The new problem.
        """
        others = changes.pop("conditions", None)
        stated = {"corners" if name == "structured" else name for name in changes}
        kept = [
            each
            for each in self.conditions
            if each.key not in stated and (others is None or each.key in _KEYWORDS)
        ]
        changes.setdefault("board", self.ground)
        changes.setdefault("closed", self.closed)
        return type(self)(conditions=[*kept, *(others or ())], **changes)

    # -- checking ---------------------------------------------------------------------------------------

    def check(self, tour: Tour, settings: Settings | None = None) -> Violation | None:
        """Check a tour with its labeling, and return the first violation.

        Shares no code with any engine. A tour marked open answers a closed problem if it closes, and the
        other way round. Complexity: linear in cells and conditions.

        Parameters
        ----------
        tour:
            The tour.
        settings:
            Time and threads for the check of a tour that is an array.

        Returns
        -------
        Violation or None
            The first violation; None if the tour satisfies the problem.

        Raises
        ------
        LimitReached
            If time ran out.
        """
        if tour.ground != self.ground:
            return Violation(0, f"the tour is on {tour.ground}, the problem on {self.ground}")
        tour = tour.as_closed(self.closed)
        wrong = tour.violation if settings is None else tour.first_violation(settings)
        if wrong is not None:
            return wrong
        return next(filter(None, (each.violation(tour) for each in self.listed_conditions)), None)

    def check_rows(self, rows: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Check many tours, rows of cell numbers, with their labelings.

        As :meth:`check`, in whole arrays for the conditions that engines take without a model: 100,000 tours
        of 8x8 take a fraction of a second.

        Parameters
        ----------
        rows:
            A row for each tour.

        Returns
        -------
        NDArray[np.bool_]
            True for each row that satisfies the problem.
        """
        import numpy as np

        from ktsolve.graphs.tour_rows import TourRows

        answers = np.zeros(len(rows), dtype=np.bool_)
        at_once = max(1, _CHECKED_AT_ONCE // max(1, len(self.ground)))
        for first in range(0, len(rows), at_once):
            given = rows[first : first + at_once]
            tours = TourRows(self.ground, given, closed=self.closed, is_move=self._is_move)
            valid = tours.valid
            if self.conditions and not valid.all():
                tours = TourRows(self.ground, given[valid], closed=self.closed, is_move=self._is_move)
            held = np.ones(int(valid.sum()), dtype=np.bool_)
            for condition in self.listed_conditions:
                held &= condition.holds_in(tours)
            answers[first : first + at_once][valid] = held
        return answers

    @cached_property
    def _is_move(self) -> IsMove:
        from ktsolve.graphs.tour_arrays import move_test

        return move_test(self.ground)

    def obstruction(self) -> Obstruction | None:
        """The reason, by arithmetic alone, why no tour exists; None if arithmetic does not decide."""
        return find_obstruction(self)

    def labelings(self, tour: Tour) -> Iterator[Tour]:
        """All labelings of an undirected tour that satisfy the problem, one per direction at most.

        For a closed tour the first cell is free unless the problem fixes it; of several that fit in one
        direction the first found is given.

        Parameters
        ----------
        tour:
            The tour.

        Returns
        -------
        iterator of Tour
            The tour with each labeling.
        """
        whole = tour.as_closed(self.closed)
        one_way = len(whole) == 1 or self.ground.directed
        for direction in [whole] if one_way else [whole, whole.reversed()]:
            fitting = (each for each in self._rotations(direction) if self.check(each) is None)
            yield from islice(fitting, 1)

    def labeled_to_fit(self, tour: Tour) -> Tour:
        """An undirected tour with a labeling that satisfies the problem, or as it is if none does.

        A question that fixes no end and no step takes any numbering; then nothing is checked here.

        Parameters
        ----------
        tour:
            The tour.

        Returns
        -------
        Tour
            The labeled tour.
        """
        return next(self.labelings(tour), tour) if self.numbered else tour

    def _rotations(self, tour: Tour) -> Iterator[Tour]:
        if not self.closed:
            yield tour
        elif self.known_steps:
            step, cell = self.known_steps[0]
            if cell not in tour.step_of:
                return
            at = tour.step_of[cell] - step
            yield tour.starting_at(tour.squares[at % len(tour)])
        elif self.step_indexed or self.starts or self.ends:
            for cell in tour.squares:
                if not self.starts or cell in self.starts:
                    yield tour.starting_at(cell)
        else:
            yield tour

    # -- text -------------------------------------------------------------------------------------------

    def _parts(self) -> dict[str, Any]:
        """The values of the keys that state the conditions, as in an instance file."""
        parts: dict[str, Any] = {}
        for each in self.listed_conditions:
            values, kind = each.values(self.ground), KEYS[each.key][0].kind
            if kind is str:
                (parts[each.key],) = values
            elif kind is dict:
                pairs = (value.split("=", 1) for value in values)
                parts.setdefault(each.key, {}).update((int(left), right) for left, right in pairs)
            else:
                parts.setdefault(each.key, []).extend(values)
        return parts

    def __repr__(self) -> str:
        given = self._parts()
        if len(given.get("corners", ())) == len(CORNERS):
            given = {"structured" if key == "corners" else key: value for key, value in given.items()}
            given["structured"] = True
        parts = "".join(f", {key}={value!r}" for key, value in given.items() if key in _KEYWORDS)
        objects = sorted(repr(each) for each in self.conditions if each.key not in _KEYWORDS)
        parts += f", conditions=[{', '.join(objects)}]" if objects else ""
        return f"TourProblem(board={self.ground!r}, closed={self.closed}{parts})"

    def __str__(self) -> str:
        text = f"{'closed' if self.closed else 'open'} {self.ground}"
        for key, value in self._parts().items():
            if isinstance(value, dict):
                value = [f"{step}={cell}" for step, cell in value.items()]
            if isinstance(value, list):
                comma = "," if key in _KEYWORDS else "; "  # the other texts have commas
                shown = comma.join(value[:4]) + (f"{comma}... ({len(value)})" if len(value) > 4 else "")
                value = "" if key == "corners" and len(value) == 4 else shown
            text += f" {'structured' if key == 'corners' else key}{' ' + value if value else ''}"
        return text

    def to_json(self) -> dict[str, Any]:
        """The problem in terms of JSON, with only the conditions that are present."""
        return {"board": self.ground.to_json(), "closed": self.closed, **self._parts()}


_KEYWORDS = frozenset(TourProblem.__init__.__kwdefaults__ or {}) & KEYS.keys()
"""The keys that are keyword arguments."""
