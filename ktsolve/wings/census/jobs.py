"""A count split into jobs, which can be done anywhere and in any order; their results as rows of a ledger.

A census of open tours is split by *endpoint classes*: one job for each orbit of unordered pairs of cells
under the symmetries of the problem. It counts the tours with two given ends; its multiplicity is the size of
the orbit. A census of closed tours, or of open tours with ``--parts``, is a sum of n parts, which the engine
defines. The jobs depend on the problem alone, so that all machines split it in the same way.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import Cell, parse_move
from ktsolve.graphs.symmetry import Orbit, pair_orbits
from ktsolve.problem.problem import TourProblem

__all__ = [
    "MOST_PARTS",
    "Census",
    "CensusJob",
    "JobResult",
    "LedgerRow",
    "checksum_of",
    "make_census",
    "result_of",
    "row_checksum",
]

MOST_PARTS = 10_000  # largest number of parts; smaller parts are not worth a row of the ledger each
_MOST_CELLS = 1_000  # largest board: half a million pairs of cells are sorted into classes one by one

_FEATURES = frozenset({"closed", "open", "require", "forbid", "holes", "leaper", "wrap"})
"""Features that a problem of a census may have (see :data:`ktsolve.problem.problem.FEATURES`)."""


@dataclass(frozen=True)
class CensusJob:
    """One piece of a census."""

    number: int  # from 1, in the order of the ledger
    name: str  # ``a6-b6``, or ``part 3 of 16``
    # Number of pairs of ends in the class, 1 for a part. The total is the sum of multiplicity times count.
    multiplicity: int
    ends: tuple[Cell, Cell] | None = None  # the two ends, for a job of an endpoint class
    part: tuple[int, int] | None = None  # (i, n) with i from 0 to n-1, for a part

    def problem_of(self, problem: TourProblem) -> TourProblem:
        """The problem that this job counts, or counts a part of."""
        return problem if self.ends is None else problem.replace(start=self.ends[0], end=self.ends[1])


@dataclass(frozen=True)
class Census:
    """A problem and its split into jobs. Equal censuses have equal keys and the same jobs."""

    problem: TourProblem  # the problem, both ends free
    split: str  # ``endpoints`` or ``parts``
    parts: int = 0  # number of parts; 0 for a split by ends
    selection: tuple[str, ...] = ()  # names of the classes that are counted; empty for all

    @cached_property
    def _orbits(self) -> tuple[tuple[Orbit, bool], ...]:
        """Endpoint classes, each with whether colours rule it out."""
        found = []
        for orbit in pair_orbits(self.problem.board, self.problem.automorphisms):
            start, end = orbit.representative
            obstruction = self.problem.replace(start=start, end=end).obstruction()
            found.append((orbit, obstruction is not None and obstruction.theorem == "colours"))
        return tuple(found)

    @cached_property
    def jobs(self) -> tuple[CensusJob, ...]:
        """All jobs, numbered from 1. Classes that colours rule out have no job."""
        if self.split == "parts":
            parts = range(self.parts)
            return tuple(
                CensusJob(i + 1, f"part {i + 1} of {self.parts}", 1, part=(i, self.parts)) for i in parts
            )
        kept = [orbit for orbit, ruled_out in self._orbits if not ruled_out]
        if self.selection:
            kept = [orbit for orbit in kept if self._name(orbit) in self.selection]
        return tuple(
            CensusJob(
                number, self._name(orbit), orbit.multiplicity, (orbit.members[0][0], orbit.members[0][1])
            )
            for number, orbit in enumerate(kept, 1)
        )

    @cached_property
    def ruled_out(self) -> int:
        """Number of pairs of cells that colours rule out as ends."""
        return sum(orbit.multiplicity for orbit, ruled_out in self._orbits if ruled_out)

    @property
    def whole(self) -> bool:
        """Does the census count all tours of the problem?"""
        return not self.selection

    def members(self, job: CensusJob) -> tuple[tuple[Cell, Cell], ...]:
        """All pairs of ends in the class of a job."""
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
        """The census as canonical JSON, as the ledger stores and compares it.

        >>> census = make_census(TourProblem(board="5x5", closed=False), classes="a1-c1")
        >>> Census.from_key(census.key) == census
        True
        """
        data = {"split": self.split, "parts": self.parts, "selection": list(self.selection)}
        data["problem"] = self.problem.to_json()
        return json.dumps(data, sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_key(cls, key: str) -> Census:
        """The census that has this key. Raises BadInput if the key is malformed."""
        try:
            data = json.loads(key)
            asked: dict[str, Any] = data["problem"]
            moves = {key: asked.get(key, ()) for key in ("require", "forbid")}
            problem = TourProblem(board=Board.from_json(asked["board"]), closed=asked["closed"], **moves)
            return cls(problem, data["split"], data["parts"], tuple(data["selection"]))
        except (BadInput, KeyError, TypeError, ValueError) as error:
            raise BadInput(f"not the key of a census: {error}") from None

    def __str__(self) -> str:
        text = str(self.problem)
        if self.split == "parts":
            return text if self.parts == 1 else f"{text} in {self.parts} parts"
        shown = ",".join(self.selection[:4]) + (",..." if len(self.selection) > 4 else "")
        return f"{text} by ends" + (f", classes {shown}" if self.selection else "")


def make_census(problem: TourProblem, *, classes: str | None = None, parts: int | None = None) -> Census:
    """Split a problem: open tours by endpoint classes unless ``parts`` is given, closed tours into parts.

    - ``classes``: pairs of ends such as ``a1-b3,a1-c2``; only their classes are counted

    Raises BadInput for conditions that a census does not take, and for invalid classes.

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
        raise BadInput("--ends are classes of ends of open tours: leave out --parts, and give --open")
    if problem.closed or parts is not None or len(problem.board) == 1:
        return Census(problem, "parts", parts or 1)
    if len(problem.board) > _MOST_CELLS:
        raise BadInput(f"a census by ends takes boards of at most {_MOST_CELLS} cells: give --parts")
    census = Census(problem, "endpoints")
    return census if classes is None else _restricted(census, classes)


def _restricted(census: Census, classes: str) -> Census:
    board = census.problem.board
    wanted = []
    # A cell may contain a comma: 7,0-5,1.
    texts = re.split(r"[\s;]+|,(?=\s*[a-zA-Z(])", classes.strip())
    for text in (part for part in texts if part.strip(",")):
        first, second = (board.cell(cell) for cell in parse_move(text, board.rows, board.columns))
        if first == second:
            raise BadInput(f"{text} is not a pair of ends: the two cells are the same")
        pair = tuple(sorted((first, second)))
        wanted.append((text, pair))
    if not wanted:
        raise BadInput("--ends names no class: write pairs of ends, such as a1-b3,a1-c2")
    named = {job.name: set(census.members(job)) for job in census.jobs}
    selection = set()
    for text, pair in wanted:
        name = next((name for name, members in named.items() if pair in members), None)
        if name is None:
            raise BadInput(f"no tour of {census.problem} has the ends {text}: colours rule them out")
        selection.add(name)
    in_order = tuple(job.name for job in census.jobs if job.name in selection)
    return Census(census.problem, "endpoints", 0, in_order)


_COUNT = re.compile(r"0|[1-9][0-9]{0,4000}")
"""Python reads at most 4300 digits, far more than the counts of a census have."""


@dataclass(frozen=True)
class JobResult:
    """The result of a job."""

    count: int  # undirected tours of the job, before multiplicity
    engine: str  # ``arithmetic`` if no engine was needed
    version: str
    plan: str  # figures of the engine: states, widths, nodes
    seconds: float  # wall-clock time
    peak_bytes: int | None  # most memory held for states, None if unknown

    def fields(self) -> tuple[str, str, str, str, float, int | None]:
        """The columns of the ledger; the count is decimal text, since counts exceed 64 bits."""
        return str(self.count), self.engine, self.version, self.plan, self.seconds, self.peak_bytes


@dataclass(frozen=True)
class LedgerRow:
    """A row of a ledger."""

    number: int  # the job
    name: str
    multiplicity: int
    run: int | None  # the run that claims it or counted it
    claimed: float | None  # in seconds since 1970
    result: JobResult | None  # None if the job is not counted
    finished: float | None  # in seconds since 1970
    sound: bool  # is the checksum right?

    @property
    def state(self) -> str:
        """``waiting``, ``claimed``, ``counted`` or ``damaged``."""
        if not self.sound:
            return "damaged"
        if self.result is not None:
            return "counted"
        return "waiting" if self.run is None else "claimed"


def result_of(fields: Sequence[Any]) -> JobResult | None:
    """The result that :meth:`JobResult.fields` wrote; None if none exists or it is malformed.

    >>> result_of(JobResult(10**30, "join", "1.0", "", 1.5, None).fields()).count == 10**30
    True
    >>> result_of(["007", "join", "1.0", "", 1.5, None]) is None
    True
    """
    count, engine, version, plan, seconds, peak_bytes = fields
    if not isinstance(count, str) or not _COUNT.fullmatch(count):
        return None
    if any(value is None for value in (engine, version, plan, seconds)):
        return None
    return JobResult(int(count), engine, version, plan, seconds, peak_bytes)


def row_checksum(
    question: str, number: int, name: str, multiplicity: int, result: JobResult, finished: float
) -> str:
    """The checksum of a row; it covers the census too, so that a row is valid in one ledger only."""
    return checksum_of([question, number, name, multiplicity, *result.fields(), finished])


def checksum_of(data: Any) -> str:
    """SHA-256 of data as JSON, in hexadecimal.

    >>> checksum_of(["a", 1])[:16]
    '135f17a475a61afd'
    """
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
