"""Statistics of a drawn tour: numbers that a problem may bound, make least or make greatest.

Each statistic is one entry of :data:`STATISTICS`: its values for many tours, a bound that holds for every
tour of a ground, and the Booleans of a model that count it.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown, unknown
from ktsolve.graphs.board import needs_board
from ktsolve.graphs.geometry import bends, crossing_pairs, needs_plane
from ktsolve.graphs.graph import Graph, Move, Vertex
from ktsolve.graphs.tour import Tour

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.graphs.tour_rows import TourRows
    from ktsolve.model.constraints import Literal
    from ktsolve.problem.conditions.condition import TourBooleans

__all__ = ["SENSES", "STATISTICS", "UNWEIGHTED", "Statistic", "TourObjective", "parse_objective"]

SENSES = ("minimise", "maximise")
"""Options, and keys of instance files, that state an objective."""

Terms = tuple[dict["Literal", int], int]
"""Weights of Booleans and a constant: for every tour, their sum is the statistic."""


class _Kind(NamedTuple):
    """The functions behind the methods of :class:`Statistic`, what it needs, and a phrase about it.

    That is the geometry, empty for none, and whether edges need weights.
    """

    values: Callable[[Statistic, TourRows], NDArray[np.int64]]
    greatest: Callable[[Statistic, Graph, bool], int | None]
    terms: Callable[[Statistic, TourBooleans], Terms]
    geometry: str = ""
    least: Callable[[Statistic, Graph, bool], int] = lambda *_: 0
    weighted: bool = False
    about: str = ""


@dataclass(frozen=True)
class Statistic:
    """A number that every tour has.

    Its name is one of :data:`STATISTICS`: angles of a kind, changes of direction, pairs of moves that cross,
    moves from a set, or the sum of the weights of edges. ``obtuse`` includes the straight angles, as
    published counts do.

    >>> from ktsolve.graphs.board import Board
    >>> board = Board.parse("3x4")
    >>> tour = Tour.from_names(board, "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> [Statistic.parse(name, board).of(tour) for name in ("acute", "turns", "crossings", "moves:a1-c2")]
    [8, 10, 20, 1]
    """

    name: str
    moves: frozenset[Move] = frozenset()

    @classmethod
    def parse(cls, text: str | tuple[Any, ...], ground: Graph) -> Statistic:
        """Read ``turns``, ``obtuse``, ``moves:a1-b3,c1-d3``, ``("moves", [(u, v)])`` and the like.

        Raises BadInput for an unknown name, an impossible move, or a wrapped board, which has no angles.
        """
        if isinstance(text, tuple) and len(text) == 2 and text[0] == "moves" and not isinstance(text[1], str):
            return cls.made("moves", ground, text[1])
        name, colon, listed = text.strip().partition(":") if isinstance(text, str) else ("", "", "")
        # Of no moves at all, as "moves:", a tour makes 0.
        if name not in STATISTICS or (colon != "") != (name == "moves"):
            names = (known for known in STATISTICS if known != "moves")
            raise unknown("", text, names, " or moves:a1-b3,c1-d3", "is not a statistic")
        return cls.made(name, ground, ground.split_list(listed))

    @classmethod
    def made(cls, name: str, ground: Graph, moves: Iterable[str | Move] = ()) -> Statistic:
        """The statistic of that name on a ground. Raises BadInput."""
        if name not in STATISTICS:
            raise unknown("", name, STATISTICS, wrong="is not a statistic")
        if what := STATISTICS[name].geometry:
            needs_plane(needs_board(ground, what))
        if STATISTICS[name].weighted and ground.weights is None:
            what = f": {ground.unusable}" if ground.unusable else f", not a {ground}"
            raise BadInput(f"the statistic {name} needs a graph whose edges have weights{what}")
        return cls(name, frozenset(ground.move(move) for move in moves))

    def of(self, tour: Tour) -> int:
        """Its value for a tour."""
        import numpy as np

        from ktsolve.graphs.tour_rows import TourRows

        rows = TourRows(tour.ground, np.array([tour.indices]), closed=tour.closed)
        return int(self.values(rows)[0])

    def values(self, tours: TourRows) -> NDArray[np.int64]:
        """Its values for many tours. A million tours of 8x8 take seconds."""
        return STATISTICS[self.name].values(self, tours)

    def greatest(self, ground: Graph, closed: bool) -> int | None:
        """A value that no tour exceeds, as the numbers of cells and moves show; or None.

        >>> from ktsolve.graphs.board import Board
        >>> board = Board.parse("3x4")
        >>> [Statistic.parse(each, board).greatest(board, closed=False) for each in ("turns", "moves:a1-c2")]
        [10, 1]
        """
        return STATISTICS[self.name].greatest(self, ground, closed)

    def least(self, ground: Graph, closed: bool) -> int:
        """A value that no tour falls below: 0, or what the least weights show.

        >>> triangle = Graph("abc", ["ab", "bc", "ca"], weights=[3, 4, 5])
        >>> Statistic("weight").least(triangle, closed=False)
        7
        """
        return STATISTICS[self.name].least(self, ground, closed)

    def terms(self, booleans: TourBooleans) -> Terms:
        """Weights of Booleans, and a constant, that add up to the statistic for every tour."""
        return STATISTICS[self.name].terms(self, booleans)

    def text(self, ground: Graph) -> str:
        """As :meth:`parse` reads it."""
        if self.name != "moves":
            return self.name
        return "moves:" + ",".join(ground.move_name(move) for move in ground.moves_in_order(self.moves))


def _inner(_: object, ground: Graph, closed: bool) -> int:
    """At how many cells a tour has a move before and one after."""
    return len(ground) if closed else max(len(ground) - 2, 0)


def _sum_of(tours: TourRows, kinds: Iterable[str]) -> NDArray[np.int64]:
    return functools.reduce(operator.add, (tours.angles[kind] for kind in kinds))


def _angle_kind(*kinds: str, about: str) -> _Kind:
    return _Kind(
        lambda _, tours: _sum_of(tours, kinds),
        _inner,
        lambda _, booleans: (dict.fromkeys(_angle_literals(booleans, kinds), 1), 0),
        "an angle",
        about=about,
    )


def _turn_terms(_: Statistic, booleans: TourBooleans) -> Terms:
    straight = _angle_literals(booleans, ("straight",))
    return dict.fromkeys(straight, -1), _inner(None, booleans.ground, booleans.closed)


def _chosen_terms(statistic: Statistic, booleans: TourBooleans) -> Terms:
    edges = (booleans.edge(move) for move in booleans.ground.moves_in_order(statistic.moves))
    return dict.fromkeys((edge for edge in edges if edge is not None), 1), 0


def _angle_literals(booleans: TourBooleans, kinds: tuple[str, ...]) -> list[Literal]:
    """For each cell a Boolean that is true exactly if the tour makes an angle of these kinds there.

    Every inner cell has one pair of moves: an implication for each pair decides the Boolean.
    """
    model, board = booleans.model, needs_board(booleans.ground, "an angle")
    found: dict[Vertex, Literal] = {}
    for before, here, after, kind in bends(board):
        first, second = booleans.edge((here, before)), booleans.edge((here, after))
        if first is None or second is None:
            continue
        if here not in found:
            found[here] = booleans.named(f"{'+'.join(kinds)}[{board.name(here)}]")
        model.implies((first, second), found[here] if kind in kinds else ~found[here])
    for cell, literal in found.items():
        for end in booleans.ends(cell):
            model.implies(end, ~literal)
    return list(found.values())


def _crossing_terms(_: Statistic, booleans: TourBooleans) -> Terms:
    """For each pair of moves that cross a Boolean that is true exactly if both are made."""
    model, board = booleans.model, needs_board(booleans.ground, "a crossing")
    found = []
    for first, second in crossing_pairs(board.moves):
        one, other = booleans.edge(first), booleans.edge(second)
        if one is None or other is None:
            continue
        both = booleans.named(f"cross[{board.move_name(first)},{board.move_name(second)}]")
        model.implies((one, other), both)
        model.implies(both, one)
        model.implies(both, other)
        found.append(both)
    return dict.fromkeys(found, 1), 0


def _lightest(ground: Graph, closed: bool, sign: int) -> int:
    """The sum of as many least weights as a tour has edges; with the sign -1, of the negated weights."""
    import numpy as np

    assert ground.weights is not None
    return int(np.sort(sign * ground.weights)[: len(ground) - (not closed)].sum())


def _weighted_terms(booleans: TourBooleans) -> dict[Literal, int]:
    ground = booleans.ground
    assert ground.weights is not None
    weighed = zip(ground.moves, ground.weights.tolist(), strict=True)
    return {literal: weight for move, weight in weighed for literal in booleans.made(move)}


STATISTICS = {
    "acute": _angle_kind("acute", about="angles below 90 degrees between successive moves"),
    "right": _angle_kind("right", about="right angles between successive moves"),
    "obtuse": _angle_kind("obtuse", "straight", about="angles above 90 degrees, straight ones included"),
    "straight": _angle_kind("straight", about="cells at which the direction stays the same"),
    "turns": _Kind(
        lambda _, tours: _sum_of(tours, ("acute", "right", "obtuse")),
        _inner,
        _turn_terms,
        "a turn",
        about="cells at which the direction changes",
    ),
    "crossings": _Kind(
        lambda _, tours: tours.crossings,
        lambda *_: None,
        _crossing_terms,
        "a crossing",
        about="pairs of moves that cross",
    ),
    "moves": _Kind(
        lambda statistic, tours: tours.uses(statistic.moves),
        lambda statistic, ground, closed: len(statistic.moves),
        _chosen_terms,
        about="moves of a set, as moves:a1-b3,c1-d3",
    ),
    "weight": _Kind(
        lambda _, tours: tours.weight(),
        lambda _, ground, closed: -_lightest(ground, closed, -1),
        lambda _, booleans: (_weighted_terms(booleans), 0),
        least=lambda _, ground, closed: _lightest(ground, closed, 1),
        weighted=True,
        about="sum of the weights of the edges of a graph",
    ),
}
"""The statistics by name."""

UNWEIGHTED = tuple(name for name, kind in STATISTICS.items() if not kind.weighted)
"""The names of the statistics that need no weights."""


@dataclass(frozen=True)
class TourObjective:
    """A statistic that is to be made least or greatest, as the sense says: one of :data:`SENSES`."""

    sense: str
    statistic: Statistic

    def __post_init__(self) -> None:
        if self.sense not in SENSES:
            raise BadInput(f"an objective is to minimise or to maximise, not to {shown(self.sense)}")

    def better(self, value: int, other: int) -> bool:
        """Whether a value is better than another one."""
        return value < other if self.sense == "minimise" else value > other

    def text(self, ground: Graph) -> str:
        """``minimise turns`` and the like."""
        return f"{self.sense} {self.statistic.text(ground)}"


def parse_objective(sense: str, text: str | tuple[Any, ...], ground: Graph) -> TourObjective:
    """The objective that an option or a key states. Raises BadInput.

    >>> from ktsolve.graphs.board import Board
    >>> parse_objective("minimise", "turns", Board.parse("6x6")).text(Board.parse("6x6"))
    'minimise turns'
    """
    try:
        return TourObjective(sense, Statistic.parse(text, ground))
    except BadInput as error:
        raise BadInput(f"{sense}: {error}") from None
