"""Splitting a count into jobs that can be done one by one, anywhere, in any order.

An open census goes by *classes of ends*: for each orbit of unordered pairs of cells under the symmetries of
the problem one job, which counts the tours with exactly those two ends and stands for as many as the orbit
has members. A closed census, or an open one that is asked for in parts, is a sum of n parts; what part i is,
the engine decides. The jobs follow from the question alone, so that two machines, or the same one a month
later, split it in the same way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ktsolve.errors import BadInput
from ktsolve.ground.board import Board
from ktsolve.ground.notation import Cell, parse_move
from ktsolve.ground.symmetry import Orbit, pair_orbits
from ktsolve.problem.problem import TourProblem

__all__ = ["MOST_PARTS", "Census", "Job", "make_census"]

MOST_PARTS = 10_000
"""A ledger has a row per part; with more of them the parts are too small to be worth their rows."""

_MOST_CELLS = 1_000
"""The pairs of cells, half a million of these, are sorted into classes one by one."""

_FEATURES = frozenset({"closed", "open", "require", "forbid", "holes", "leaper", "wrap"})
"""What a problem of a census may have (see :data:`ktsolve.problem.problem.FEATURES`)."""


@dataclass(frozen=True)
class Job:
    """One piece of a census.

    Attributes
    ----------
    number:
        From 1, in the order of the ledger.
    name:
        For people: ``a6-b6``, or ``part 3 of 16``.
    multiplicity:
        How many pairs of ends have as many tours: the total is the sum of multiplicity times count. A part
        has 1.
    ends:
        The two ends, for a job of an endpoint class.
    part:
        (i, n) with i from 0 to n-1, for a part.
    """

    number: int
    name: str
    multiplicity: int
    ends: tuple[Cell, Cell] | None = None
    part: tuple[int, int] | None = None

    def asked(self, problem: TourProblem) -> TourProblem:
        """The question that this job answers, or answers a part of."""
        return problem if self.ends is None else problem.replace(start=self.ends[0], end=self.ends[1])


@dataclass(frozen=True)
class Census:
    """A question and how it is split. Equal censuses have equal keys, and the same jobs.

    Attributes
    ----------
    problem:
        The whole question, both ends free.
    split:
        ``endpoints`` or ``parts``.
    parts:
        Number of parts; 0 if it is split by ends.
    selection:
        Names of the classes it is restricted to; empty for all of them.
    """

    problem: TourProblem
    split: str
    parts: int = 0
    selection: tuple[str, ...] = ()

    @cached_property
    def _orbits(self) -> tuple[tuple[Orbit, bool], ...]:
        """Classes of ends, each with whether colours rule it out."""
        found = []
        for orbit in pair_orbits(self.problem.board, self.problem.automorphisms):
            start, end = orbit.representative
            obstruction = self.problem.replace(start=start, end=end).obstruction()
            found.append((orbit, obstruction is not None and obstruction.theorem == "colours"))
        return tuple(found)

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        """All jobs, numbered from 1. Classes that colours rule out have none."""
        if self.split == "parts":
            parts = range(self.parts)
            return tuple(Job(i + 1, f"part {i + 1} of {self.parts}", 1, part=(i, self.parts)) for i in parts)
        kept = [orbit for orbit, ruled_out in self._orbits if not ruled_out]
        if self.selection:
            kept = [orbit for orbit in kept if self._name(orbit) in self.selection]
        return tuple(
            Job(number, self._name(orbit), orbit.multiplicity, (orbit.members[0][0], orbit.members[0][1]))
            for number, orbit in enumerate(kept, 1)
        )

    @cached_property
    def ruled_out(self) -> int:
        """Number of pairs of cells that colours rule out as ends."""
        return sum(orbit.multiplicity for orbit, ruled_out in self._orbits if ruled_out)

    @property
    def whole(self) -> bool:
        """Do the jobs add up to all tours of the problem?"""
        return not self.selection

    def members(self, job: Job) -> tuple[tuple[Cell, Cell], ...]:
        """All pairs of ends that the job of a class stands for."""
        return self._members[job.ends] if job.ends is not None else ()

    @cached_property
    def _members(self) -> dict[tuple[Cell, ...], tuple[tuple[Cell, Cell], ...]]:
        return {
            orbit.representative: tuple((pair[0], pair[1]) for pair in orbit.members)
            for orbit, _ in self._orbits
        }

    def _name(self, orbit: Orbit) -> str:
        return "-".join(self.problem.board.name(cell) for cell in orbit.representative)

    @property
    def key(self) -> str:
        """The census as canonical JSON: what a ledger remembers, and compares.

        >>> census = make_census(TourProblem(board="5x5", closed=False), classes="a1-c1")
        >>> Census.from_key(census.key) == census
        True
        """
        data = {
            "problem": self.problem.to_json(),
            "split": self.split,
            "parts": self.parts,
            "selection": list(self.selection),
        }
        return json.dumps(data, sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_key(cls, key: str) -> Census:
        """The census that has this key.

        Raises
        ------
        BadInput
            If it is no such key.
        """
        try:
            data = json.loads(key)
            asked: dict[str, Any] = data["problem"]
            problem = TourProblem(
                board=Board.from_json(asked["board"]),
                closed=asked["closed"],
                require=asked.get("require", ()),
                forbid=asked.get("forbid", ()),
            )
            return cls(problem, data["split"], data["parts"], tuple(data["selection"]))
        except (BadInput, KeyError, TypeError, ValueError) as error:
            raise BadInput(f"not the question of a census: {error}") from None

    def __str__(self) -> str:
        text = str(self.problem)
        if self.split == "parts":
            return text if self.parts == 1 else f"{text} in {self.parts} parts"
        shown = ",".join(self.selection[:4]) + (",..." if len(self.selection) > 4 else "")
        return f"{text} by ends" + (f", classes {shown}" if self.selection else "")


def make_census(problem: TourProblem, *, classes: str | None = None, parts: int | None = None) -> Census:
    """Split a question: an open one by classes of ends unless ``parts`` is given, a closed one into parts.

    Parameters
    ----------
    classes:
        Pairs of ends such as ``a1-b3,a1-c2``; only their classes are counted. Any member names its class.
    parts:
        How many parts; 1 by default for closed tours.

    Raises
    ------
    BadInput
        For conditions a census does not take, and for classes that are none.

    Examples
    --------
    >>> census = make_census(TourProblem(board="5x5", closed=False))
    >>> len(census.jobs), sum(job.multiplicity for job in census.jobs) + census.ruled_out
    (16, 300)
    >>> [job.name for job in make_census(TourProblem(board="5x5", closed=False), classes="e1-e5").jobs]
    ['a5-e5']
    >>> [job.name for job in make_census(TourProblem(board="6x6", closed=True), parts=2).jobs]
    ['part 1 of 2', 'part 2 of 2']
    """
    if extra := sorted(problem.features - _FEATURES):
        raise BadInput(f"a census takes no {extra[0]}: leave it out")
    if parts is not None and not 1 <= parts <= MOST_PARTS:
        raise BadInput(f"the number of parts must be from 1 to {MOST_PARTS}, not {parts}")
    if classes is not None and (problem.closed or parts is not None):
        raise BadInput("--classes are classes of ends of open tours: leave out --parts, and give --open")
    if problem.closed or parts is not None or len(problem.board) == 1:
        return Census(problem, "parts", parts or 1)
    if len(problem.board) > _MOST_CELLS:
        raise BadInput(f"a census by ends takes boards of at most {_MOST_CELLS} cells: give --parts")
    census = Census(problem, "endpoints")
    return census if classes is None else _restricted(census, classes)


def _restricted(census: Census, classes: str) -> Census:
    board = census.problem.board
    wanted = []
    for text in _pairs(classes):
        first, second = (board.cell(cell) for cell in parse_move(text, board.rows, board.columns))
        if first == second:
            raise BadInput(f"{text} is no pair of ends: the two cells are the same")
        pair = tuple(sorted((first, second)))
        wanted.append((text, pair))
    if not wanted:
        raise BadInput("--classes names no class: write pairs of ends, such as a1-b3,a1-c2")
    named = {job.name: set(census.members(job)) for job in census.jobs}
    selection = []
    for text, pair in wanted:
        name = next((name for name, members in named.items() if pair in members), None)
        if name is None:
            raise BadInput(f"no tour of {census.problem} has the ends {text}: colours rule them out")
        selection.append(name)
    return Census(census.problem, "endpoints", 0, _in_order(census.jobs, selection))


def _pairs(classes: str) -> list[str]:
    # A comma also stands inside a cell: 7,0-5,1.
    return [part for part in re.split(r"[\s;]+|,(?=\s*[a-zA-Z(])", classes.strip()) if part.strip(",")]


def _in_order(jobs: Sequence[Job], selection: list[str]) -> tuple[str, ...]:
    return tuple(job.name for job in jobs if job.name in selection)
