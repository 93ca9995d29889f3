"""Answers of counts: a number, or a table of numbers by ends, moves, uses, steps or symmetries."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ktsolve.base.text import csv_text, separated
from ktsolve.base.units import shown_bytes
from ktsolve.graphs.board import Board
from ktsolve.graphs.card import Card, Carded
from ktsolve.graphs.graph import Graph, Move, Vertex
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import BaseAnswer

if TYPE_CHECKING:
    from ktsolve.problem.move_sets import MoveSet

__all__ = ["CountAnswer", "CountRow", "CountTable"]

_ROWS_SHOWN = 12  # rows of the table that a notebook shows
_ENDS = ("start", "ends")  # tables whose keys are ends of open tours

_KEYS = {
    "start": ("start",),
    "ends": ("start", "end"),
    "moves": ("move",),
    "uses": ("moves", "uses"),
    "steps": ("step",),
    "length": ("length",),
    "symmetry": ("symmetry",),
}
"""For each table what its keys are, as records name them."""

_MEMBERS = {"start": "multiplicity", "ends": "multiplicity", "symmetry": "elements"}
"""For each table with classes the name of their number of members in records."""


@dataclass(frozen=True)
class ExactCount(Carded, BaseAnswer):
    """The part that all counts share: the number, which is not 0 if something is found."""

    count: int

    @property
    def found(self) -> bool:
        """Whether the number is not 0."""
        return self.count > 0


@dataclass(frozen=True)
class CountAnswer(ExactCount):
    """An exact number of tours.

    Attributes
    ----------
    count:
        Undirected tours; on a directed graph, directed ones.
    directed:
        Directed ones.
    peak_bytes:
        Most memory held for states, None if unknown.
    details:
        Statistics of the engine.
    problem:
        The problem.
    """

    directed: int
    peak_bytes: int | None = None
    details: dict[str, int] = field(default_factory=dict)
    problem: TourProblem | None = field(default=None, repr=False, compare=False)

    def records(self) -> list[dict[str, Any]]:
        """Return one row with the number, for tables such as ``pandas.DataFrame``.

        >>> from ktsolve.tasks.count import count
        >>> count("6x6").records()
        [{'problem': 'closed 6x6', 'count': 9862, 'directed': 19724}]
        """
        named = {} if self.problem is None else {"problem": str(self.problem)}
        return [{**named, "count": self.count, "directed": self.directed}]

    def to_json(self, directed: bool = False) -> dict[str, Any]:
        """Return the answer as ``ktsolve count --json`` prints it.

        Parameters
        ----------
        directed:
            Whether both directions of a tour count.

        Returns
        -------
        dict
            The problem, the number as a decimal string, engine, seconds and memory.

        Examples
        --------
        >>> from ktsolve.tasks.count import count
        >>> count("6x6").to_json(directed=True)["count"]
        '19724'
        """
        problem = self.problem
        one_way = directed or (problem is not None and problem.ground.directed)
        number = self.directed if directed else self.count
        return {
            **({} if problem is None else problem_as_json(problem)),
            **_number_as_json(self, number, one_way),
            "peak_bytes": self.peak_bytes,
            **_reason(self),
            **({"details": self.details} if self.details else {}),
        }

    def _card(self) -> Card:
        return Card(_title(self.count, self.problem), (*_facts(self), *self._facts))


@dataclass(frozen=True)
class CountRow:
    """A row of a :class:`CountTable`.

    Attributes
    ----------
    key:
        What is counted: the start; both ends; the two ends of a move; the name of a set of moves and the
        number of its moves that a tour uses; the step; the name of a symmetry. Vertices of a bare graph are
        numbers, places in its names.
    count:
        The number of tours, for each member of the class that the key represents.
    multiplicity:
        Number of members: starts, pairs of ends, moves or symmetries.
    members:
        The moves of a class of moves, the smallest first; otherwise empty.
    engine:
        The engine of this row, where rows have different ones.
    """

    key: tuple[Any, ...]
    count: int
    multiplicity: int = 1
    members: tuple[Move, ...] = ()
    engine: str = ""


@dataclass(frozen=True)
class CountTable(ExactCount):
    """Exact numbers of tours by something, from :func:`ktsolve.count` with ``by``.

    Attributes
    ----------
    count:
        Undirected tours in all; on a directed graph, directed ones.
    by:
        ``start``, ``ends``, ``moves``, ``uses``, ``steps``, ``length`` or ``symmetry``.
    rows:
        The rows. By start and ends, a row for each class of ends under the symmetries of the problem, without
        those that colours rule out; by moves for each class of moves; by uses for each set and number of
        uses, up to the largest that occurs; by steps for each step, in directed tours; by length for each
        number of edges that occurs, in cycles or paths; by symmetry for each conjugacy class of symmetries,
        the identity first, in tours that such a symmetry leaves as they are.
    problem:
        The problem.
    directed:
        Directed tours in all; None by moves, uses and symmetry.
    peak_bytes:
        Most memory held for states, None if unknown.
    sets:
        By uses, the sets of moves.
    cell:
        By steps, the cell.
    classes:
        By symmetry, the number of tours up to symmetry.
    """

    by: str
    rows: tuple[CountRow, ...]
    problem: TourProblem = field(repr=False, compare=False)
    directed: int | None = None
    peak_bytes: int | None = None
    sets: tuple[MoveSet, ...] = ()
    cell: Vertex | None = None
    classes: int | None = None

    @property
    def counts(self) -> dict[Any, int]:
        """The number of tours by key: a start, a pair of ends, a move (all of them), a step, a symmetry.

        By uses the key is the name of the set and the number of uses.

        >>> from ktsolve.tasks.count import count
        >>> count("6x6", by="moves").counts[(2, 2), (3, 4)]
        620
        """
        keys = ((key, row.count) for row in self.rows for key in row.members or (row.key,))
        return {key if len(key) > 1 else key[0]: count for key, count in keys}

    @property
    def noun(self) -> str:
        """What is counted: ``tours``; by length ``cycles`` or ``paths``."""
        return "tours" if self.by != "length" else "cycles" if self.problem.closed else "paths"

    @property
    def order(self) -> int:
        """By symmetry, the number of symmetries; otherwise of members of all classes."""
        return sum(row.multiplicity for row in self.rows)

    @property
    def means(self) -> dict[str, Fraction]:
        """By uses, the mean number of used moves for each set; by steps, the mean step. 0 without a tour."""
        if self.by == "steps":
            return {self.problem.ground.name(self.cell): _mean(self.rows)}
        return {each.name: _mean(row for row in self.rows if row.key[0] == each.name) for each in self.sets}

    def records(self) -> list[dict[str, Any]]:
        """Return the rows, for tables such as ``pandas.DataFrame``; by moves, a row for each move.

        Cells and moves of a board have their names; vertices of a bare graph are the nodes themselves.

        >>> from ktsolve.tasks.count import count
        >>> count("5x5", by="start", closed=False).records()[0]
        {'start': 'a5', 'multiplicity': 4, 'count': 304}
        >>> count("6x6", by="uses:c3-d5").records()
        [{'moves': 'c3-d5', 'uses': 0, 'count': 9242}, {'moves': 'c3-d5', 'uses': 1, 'count': 620}]
        >>> count("6x6", by="symmetry").records()[1]
        {'symmetry': 'rot90', 'elements': 2, 'count': 10, 'engine': 'quotient'}
        """
        return self._records(named=isinstance(self.problem.ground, Board))

    def _records(self, *, named: bool) -> list[dict[str, Any]]:
        ground, heads = self.problem.ground, _KEYS[self.by]
        if self.by == "moves":
            numbers, moves = self.counts, ground.moves
            shown = ground.move_names if named else moves
            return [{"move": each, "count": numbers[move]} for each, move in zip(shown, moves, strict=True)]
        records = []
        for row in self.rows:
            key = map(ground.name, row.key) if named and self.by in _ENDS else row.key
            members = {_MEMBERS[self.by]: row.multiplicity} if self.by in _MEMBERS else {}
            engine = {"engine": row.engine} if self.by == "symmetry" else {}
            records.append({**dict(zip(heads, key, strict=True)), **members, "count": row.count, **engine})
        return records

    def to_json(self, directed: bool = False) -> dict[str, Any]:
        """Return the table as ``ktsolve count --json`` prints it.

        Parameters
        ----------
        directed:
            Whether both directions of a tour count, by start and by ends.

        Returns
        -------
        dict
            The problem, the number, engine and seconds, and the rows; numbers are decimal strings.

        Examples
        --------
        >>> from ktsolve.tasks.count import count
        >>> count("5x5", by="start", closed=False).to_json()["classes"][0]
        {'cells': [(0, 0)], 'multiplicity': 4, 'count': '304'}
        """
        number = _number_as_json(self, self.total(directed), self.one_way(directed))
        memory = {"peak_bytes": self.peak_bytes} if self.by in _ENDS else {}
        return problem_as_json(self.problem) | number | memory | _reason(self) | self._rows_as_json(directed)

    def _rows_as_json(self, directed: bool) -> dict[str, Any]:
        ground, times = self.problem.ground, self._directions(directed)
        if self.by in _ENDS:
            classes = [
                {
                    "cells": _vertices(ground, row.key),
                    "multiplicity": row.multiplicity,
                    "count": str(row.count * times),
                }
                for row in self.rows
            ]
            return {"classes": classes}
        if self.by == "moves":
            moves = [
                {
                    "moves": [_vertices(ground, move) for move in row.members],
                    "count": str(row.count),
                    "share": self._share(row),
                }
                for row in self.rows
            ]
            return {"by_moves": moves}
        if self.by == "uses":
            return {"by_uses": [self._set_as_json(each) for each in self.sets]}
        if self.by == "steps":
            (mean,) = self.means.values()
            counts = {str(row.key[0]): str(row.count) for row in self.rows if row.count}
            return {
                "by_steps": {"cell": _vertices(ground, [self.cell])[0], "counts": counts, "mean": float(mean)}
            }
        if self.by == "length":
            return {"by_length": {str(row.key[0]): str(row.count) for row in self.rows}}
        invariant = [record | {"count": str(record["count"])} for record in self.records()]
        return {"up_to_symmetry": {"classes": str(self.classes), "group": self.order, "invariant": invariant}}

    def _set_as_json(self, moves: MoveSet) -> dict[str, Any]:
        rows = (row for row in self.rows if row.key[0] == moves.name)
        return {
            "name": moves.name,
            "moves": [
                _vertices(self.problem.ground, move)
                for move in self.problem.ground.moves_in_order(moves.moves)
            ],
            "counts": {str(row.key[1]): str(row.count) for row in rows if row.count},
            "mean": float(self.means[moves.name]),
        }

    def to_csv(self, directed: bool = False) -> str:
        r"""Return the table as CSV with a line of titles.

        By uses, a column for each set of moves. Steps at which no tour visits the cell are left out.

        Parameters
        ----------
        directed:
            Whether both directions of a tour count, by start and by ends.

        Returns
        -------
        str
            The lines.

        Examples
        --------
        >>> from ktsolve.tasks.count import count
        >>> count("5x5", by="uses:corners", closed=False).to_csv()
        'uses,corners\n6,352\n7,512\n'
        """
        if self.by == "uses":
            return csv_text(("uses", *(each.name for each in self.sets)), self._uses())
        records = [each for each in self._records(named=True) if self.by != "steps" or each["count"]]
        members = [_MEMBERS[self.by]] if self.by in _MEMBERS else []
        heads = (*_KEYS[self.by], *members, self.noun, *["engine"] * (self.by == "symmetry"))
        times = self._directions(directed)
        return csv_text(heads, [(each | {"count": each["count"] * times}).values() for each in records])

    def table(self, directed: bool = False) -> tuple[tuple[str, ...], list[tuple[str | int, ...]]]:
        """Return the titles and rows of the table that commands print and notebooks show.

        Parameters
        ----------
        directed:
            Whether both directions of a tour count, by start and by ends.

        Returns
        -------
        heads : tuple of str
            The titles.
        rows : list of tuple
            Names and numbers. Uses and steps that do not occur are left out.

        Examples
        --------
        >>> from ktsolve.tasks.count import count
        >>> count("5x5", by="ends", closed=False).table()[0]
        ('ends', 'pairs', 'tours each')
        """
        ground, times = self.problem.ground, self._directions(directed)
        if self.by == "moves":
            return (ground.nouns.move, "class of", "tours through each", "share"), [
                (ground.move_name(row.key), row.multiplicity, row.count, f"{100 * self._share(row):.2f} %")
                for row in self.rows
            ]
        if self.by == "uses":
            names = [each.name for each in self.sets]
            return ("uses", *(names if len(names) > 1 else ["tours"])), self._uses()
        if self.by == "steps":
            return ("step", "tours"), [(row.key[0], row.count) for row in self.rows if row.count]
        if self.by == "length":
            return ("length", self.noun), [(row.key[0], row.count) for row in self.rows]
        heads = {
            "start": ("start", "cells", "tours each"),
            "ends": ("ends", "pairs", "tours each"),
            "symmetry": ("symmetry", "elements", "invariant tours"),
        }
        name: Callable[[Any], str] = ground.name if self.by in _ENDS else str
        return heads[self.by], [
            (" ".join(map(name, row.key)), row.multiplicity, row.count * times) for row in self.rows
        ]

    def total(self, directed: bool = False) -> int:
        """Return the number of tours that the table shows; by steps always of directed ones."""
        if (directed or self.by == "steps") and self.directed is not None:
            return self.directed
        return self.count

    def one_way(self, directed: bool = False) -> bool:
        """Return whether :meth:`total` is a number of directed tours."""
        return directed or self.by == "steps" or self.problem.ground.directed

    def _directions(self, directed: bool) -> int:
        """By what the count of a class is multiplied: tours between two ends have two directions."""
        return 2 if directed and not self.problem.ground.directed and self.by == "ends" else 1

    def _share(self, row: CountRow) -> float:
        """The share of tours that use a move; 0 without a tour."""
        return float(Fraction(row.count, max(1, self.count)))

    def _uses(self) -> list[tuple[str | int, ...]]:
        """For each number of uses that occurs, and those between, the tours of each set."""
        counts = {row.key: row.count for row in self.rows}
        used = [uses for (_, uses), number in counts.items() if number]
        between = range(min(used, default=0), max(used, default=-1) + 1)
        return [(uses, *(counts.get((each.name, uses), 0) for each in self.sets)) for uses in between]

    def _card(self) -> Card:
        heads, rows = self.table()
        facts = [*_facts(self), *self._facts]
        if self.by in _ENDS:
            facts.append(("classes", f"{len(self.rows):,}"))
        if self.classes is not None:
            facts.append(("up to symmetry", separated(self.classes)))
        shown = tuple(
            tuple(each if isinstance(each, str) else separated(each) for each in row)
            for row in rows[:_ROWS_SHOWN]
        )
        more = len(rows) - len(shown)
        return Card(_title(self.count, self.problem), tuple(facts), self._heat_map(), heads, shown, more)

    def _heat_map(self) -> tuple[object, ...]:
        """The tours by their ends or by their moves on the board."""
        from ktsolve.render.subjects import counts_of_result

        drawn = self.by in (*_ENDS, "moves") and isinstance(self.problem.ground, Board) and bool(self.rows)
        return (counts_of_result(self.to_json()),) if drawn else ()


def problem_as_json(problem: TourProblem) -> dict[str, Any]:
    """The problem as the JSON of counts begins."""
    kind = "closed" if problem.closed else "open"
    return {"board": str(problem.ground), "kind": kind, "problem": problem.to_json()}


def _number_as_json(answer: BaseAnswer, number: int, one_way: bool) -> dict[str, Any]:
    return {"count": str(number), "directed": one_way, **answer.work}


def _reason(answer: BaseAnswer) -> dict[str, Any]:
    return {"reason": answer.reason} if answer.reason else {}


def _vertices(ground: Graph, vertices: Iterable[Vertex]) -> list[Any]:
    """Cells of a board as they are, vertices of a bare graph by name."""
    return (
        list(vertices)
        if isinstance(ground, Board)
        else [ground.names[ground.place(vertex)] for vertex in vertices]
    )


def _mean(rows: Iterable[CountRow]) -> Fraction:
    listed = list(rows)
    total = sum(row.key[-1] * row.count for row in listed)
    return Fraction(total, max(1, sum(row.count for row in listed)))


def _title(count: int, problem: TourProblem | None) -> str:
    where = "" if problem is None else f": {problem}"
    return f"{separated(count)} {'tour' if count == 1 else 'tours'}{where}"


def _facts(answer: CountAnswer | CountTable) -> list[tuple[str, str]]:
    facts = []
    if answer.directed is not None and answer.directed != answer.count:
        facts.append(("directed", separated(answer.directed)))
    if answer.peak_bytes:
        facts.append(("memory", shown_bytes(answer.peak_bytes)))
    return facts
