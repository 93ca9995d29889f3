"""A row of a ledger: a result and its checksum."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["JobResult", "LedgerRow", "checksum_of", "result_of", "row_checksum"]

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
