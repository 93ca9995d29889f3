"""The ledger of a census: one SQLite file, the one truth about what has been counted.

A row per job. A job is *waiting* (no run, no count), *claimed* (a run, no count) or *counted*. A count is
written once and never changed; with it goes a checksum over the whole row and the question, so that a count
that was edited, or a row that was moved from another ledger, shows. Claims are given back when a run ends,
and taken away from a run that died (see claimant.py). Only the coordinating process of a run writes.

Journal: WAL. Readers (``ktsolve census report`` in a second terminal) then never hold up the writer, and the
writer never holds up readers; with a rollback journal a reader's lock delays every commit. A commit waits for
the disk (``synchronous=FULL``), so that after a power failure a result that was announced is there. The price
of WAL is that runs on one ledger must be on one machine (the index of the log is shared memory); a cluster
needs no more, since its workers never touch the ledger. The last run to end turns the file back to a rollback
journal: a ledger at rest is a single file, readable from a read-only disk.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence

from ktsolve.census.claimant import Claimant
from ktsolve.census.jobs import Census
from ktsolve.census.rows import Result, Row, result_of, row_checksum
from ktsolve.census.schema import begin, check_kind, is_blank, question
from ktsolve.census.storage import as_error, connect, file_identity, is_frozen, patiently, told, transaction
from ktsolve.errors import BadInput, KtsolveError

__all__ = ["Disagreement", "Ledger"]


class Disagreement(KtsolveError):
    """Two counts of the same thing differ: one of them is wrong."""


class Ledger:
    """An open ledger. A context manager; :meth:`open` and :meth:`read` make one.

    Examples
    --------
    >>> import tempfile
    >>> from ktsolve.census.jobs import make_census
    >>> from ktsolve.problem.problem import TourProblem
    >>> census = make_census(TourProblem(board="6x6", closed=True))
    >>> with tempfile.TemporaryDirectory() as folder, Ledger.open(f"{folder}/closed.db", census) as ledger:
    ...     ledger.enter(workers=1)
    ...     claimed = ledger.claim([1])
    ...     ledger.record(1, Result(9862, "search", "0.1.0", "", 0.9, None))
    ...     [row.result.count for row in ledger.rows()]
    True
    [9862]
    """

    def __init__(
        self, path: str, connection: sqlite3.Connection, census: Census, *, writes: bool = False
    ) -> None:
        self.path = path
        self.census = census
        self._connection = connection
        self._writes = writes
        self._run: int | None = None
        self._identity = file_identity(path)

    # -- opening ----------------------------------------------------------------------------------------

    @classmethod
    def open(cls, path: str, census: Census) -> Ledger:
        """Open the ledger of this census to go on with it, or begin it.

        Raises
        ------
        BadInput
            If it cannot be read or written, is damaged, or belongs to another question.
        LimitReached
            If the disk is full, or another program keeps the file locked.
        """
        if not path.strip():
            raise BadInput(f"{path!r} is no name of a file for a ledger")
        if os.path.isdir(path):
            raise BadInput(f"{path} is a folder: name a file for the ledger")
        if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            raise BadInput(f"there is no folder {os.path.dirname(path)} to make a ledger in")
        existed = os.path.exists(path) and os.path.getsize(path) > 0
        if existed and not os.access(path, os.W_OK):
            raise BadInput(f"the ledger {path} cannot be written: no permission")
        connection = connect(path, "rwc")
        try:
            with told(path):
                kept = patiently(lambda: _prepare(path, connection, census))
            _same(kept, census, path)
            ledger = cls(path, connection, kept, writes=True)
            ledger.check_rows()
        except BaseException:
            connection.close()
            raise
        return ledger

    @classmethod
    def read(cls, path: str) -> Ledger:
        """Open a ledger to look at it, while others may write.

        Raises
        ------
        BadInput
            If there is none, or it is damaged so that SQLite cannot read it.
        """
        if not os.path.exists(path):
            raise BadInput(f"there is no ledger {path}")
        if os.path.isdir(path):
            raise BadInput(f"{path} is a folder and no ledger")
        if os.path.getsize(path) == 0:
            raise BadInput(f"{path} is empty: no ledger of a census")
        connection = connect(path, "ro")
        try:
            if is_frozen(path):
                # Perhaps left in WAL mode; where nothing can be written, nobody is writing.
                connection.close()
                connection = connect(path, "ro&immutable=1")
            return cls(path, connection, patiently(lambda: _look(path, connection)))
        except BaseException as error:
            connection.close()
            if isinstance(error, sqlite3.Error):
                raise as_error(path, error) from None
            raise

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Give claims back and close; the last one turns the file back to a rollback journal."""
        with contextlib.suppress(sqlite3.Error, KtsolveError):
            if self._run is not None:
                self._leave()
        with contextlib.suppress(sqlite3.Error):
            if self._writes:
                self._connection.execute("PRAGMA busy_timeout = 0")
                self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()

    # -- reading ----------------------------------------------------------------------------------------

    def rows(self) -> list[Row]:
        """All rows, in order; each knows whether its checksum is right."""
        with told(self.path):
            found = self._connection.execute(
                "SELECT number, name, multiplicity, run, claimed, count, engine, version, plan, seconds, "
                "peak_bytes, finished, checksum FROM job ORDER BY number"
            ).fetchall()
        key = self.census.key
        rows = []
        for number, name, multiplicity, run, claimed, *rest, finished, checksum in found:
            result = result_of(rest)
            sound = (
                checksum is None
                if rest[0] is None
                else result is not None
                and checksum == row_checksum(key, number, name, multiplicity, result, finished)
            )
            rows.append(Row(number, name, multiplicity, run, claimed, result, finished, sound))
        return rows

    def working(self) -> dict[int, int]:
        """Runs at work: id, and how many jobs each does at once."""
        with told(self.path):
            return {
                run: workers
                for run, claimant, heartbeat, workers in self._claimants("ended IS NULL")
                if claimant.alive(time.time() - heartbeat)
            }

    @contextlib.contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """All that is read inside is as it was at one moment."""
        with told(self.path):
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._connection.execute("COMMIT")

    def check_rows(self, rows: Sequence[Row] | None = None, *, sealed: bool = True) -> None:
        """Hold the table against the question: every job once, nothing else, and every checksum right.

        Raises
        ------
        BadInput
            Naming the first row that is missing, too many or (if ``sealed``) not as it was written.
        """
        expected = {job.number: job for job in self.census.jobs}
        damaged = f"the ledger {self.path} is damaged"
        for row in self.rows() if rows is None else rows:
            job = expected.pop(row.number, None)
            if job is None or (job.name, job.multiplicity) != (row.name, row.multiplicity):
                told = f"row {row.number} ({row.name}, multiplicity {row.multiplicity})"
                raise BadInput(f"{damaged}: {told} is no job of this census")
            if sealed and not row.sound:
                raise BadInput(
                    f"{damaged}: row {row.number} ({row.name}) does not agree with its checksum; "
                    "--recount clears such rows and counts them anew"
                )
        for number, job in expected.items():
            raise BadInput(f"{damaged}: row {number} ({job.name}) is missing")

    # -- writing ----------------------------------------------------------------------------------------

    def enter(self, workers: int) -> None:
        """Begin a run that does so many jobs at once."""
        me, now = Claimant.this_process(), time.time()
        with self._writing() as connection:
            cursor = connection.execute(
                "INSERT INTO run (place, pid, born, workers, began, heartbeat) VALUES (?, ?, ?, ?, ?, ?)",
                (me.place, me.pid, me.born, workers, now, now),
            )
            self._run = cursor.lastrowid

    def beat(self, workers: int) -> None:
        """Say that this run lives.

        Raises
        ------
        BadInput
            If the file was moved away or replaced: what would be written now, nobody would find.
        """
        if file_identity(self.path) != self._identity:
            raise BadInput(f"the ledger {self.path} was moved or replaced while it was in use")
        with self._writing() as connection:
            connection.execute(
                "UPDATE run SET heartbeat = ?, workers = ? WHERE id = ?", (time.time(), workers, self._run)
            )

    def free_dead(self) -> int:
        """Take the claims of dead runs away; returns how many jobs that sets free."""
        freed = 0
        with self._writing() as connection:
            connection.execute(
                "UPDATE job SET run = NULL, claimed = NULL "
                "WHERE count IS NULL AND run NOT IN (SELECT id FROM run)"
            )
            holding = "id IN (SELECT run FROM job WHERE count IS NULL AND run IS NOT NULL)"
            for run, claimant, heartbeat, _workers in self._claimants(holding):
                if run != self._run and not claimant.alive(time.time() - heartbeat):
                    cursor = connection.execute(
                        "UPDATE job SET run = NULL, claimed = NULL WHERE run = ? AND count IS NULL", (run,)
                    )
                    freed += cursor.rowcount
        return freed

    def waiting(self) -> list[int]:
        """Numbers of the jobs that nobody claims and nobody has counted."""
        with told(self.path):
            found = self._connection.execute(
                "SELECT number FROM job WHERE count IS NULL AND run IS NULL ORDER BY number"
            )
            return [number for (number,) in found]

    def left(self) -> int:
        """How many jobs are not counted yet."""
        with told(self.path):
            (number,) = self._connection.execute("SELECT count(*) FROM job WHERE count IS NULL").fetchone()
            return int(number)

    def claim(self, numbers: Sequence[int]) -> list[int]:
        """Claim those of the jobs that are still free; returns them."""
        assert self._run is not None
        got = []
        with self._writing() as connection:
            for number in numbers:
                cursor = connection.execute(
                    "UPDATE job SET run = ?, claimed = ? WHERE number = ? AND count IS NULL AND run IS NULL",
                    (self._run, time.time(), number),
                )
                if cursor.rowcount:
                    got.append(number)
        return got

    def release(self, numbers: Sequence[int]) -> None:
        """Give claims back."""
        with self._writing() as connection:
            connection.executemany(
                "UPDATE job SET run = NULL, claimed = NULL WHERE number = ? AND run = ? AND count IS NULL",
                [(number, self._run) for number in numbers],
            )

    def record(self, number: int, result: Result) -> bool:
        """Write a result down for good; when this returns it is on the disk.

        Returns whether it is new. A result that comes too late, after the claim was lost and another run
        counted the job, is compared with what is there.

        Raises
        ------
        Disagreement
            If another count is there already.
        """
        with self._writing() as connection:
            found = connection.execute(
                "SELECT name, multiplicity, count FROM job WHERE number = ?", (number,)
            ).fetchone()
            if found is None:
                raise BadInput(f"the ledger {self.path} is damaged: row {number} is missing")
            name, multiplicity, there = found
            if there is not None:
                if there != str(result.count):
                    raise Disagreement(
                        f"{name}: {result.engine} counts {result.count}, the ledger has {there}"
                    )
                return False
            finished = time.time()
            checksum = row_checksum(self.census.key, number, name, multiplicity, result, finished)
            connection.execute(
                "UPDATE job SET run = ?, count = ?, engine = ?, version = ?, plan = ?, seconds = ?, "
                "peak_bytes = ?, finished = ?, checksum = ? WHERE number = ?",
                (self._run, *result.fields(), finished, checksum, number),
            )
        return True

    @classmethod
    def clear_damaged(cls, path: str, census: Census) -> list[str]:
        """Clear the rows whose checksum is wrong, so that they are counted anew; returns their names.

        Raises
        ------
        BadInput
            If it is not the ledger of this census.
        """
        with cls.read(path) as ledger:
            _same(ledger.census, census, path)
            damaged = [row for row in ledger.rows() if not row.sound]
        if damaged:
            connection = connect(path, "rw")
            with contextlib.closing(connection), told(path), transaction(connection):
                connection.executemany(
                    "UPDATE job SET run = NULL, claimed = NULL, count = NULL, engine = NULL, version = NULL, "
                    "plan = NULL, seconds = NULL, peak_bytes = NULL, finished = NULL, checksum = NULL "
                    "WHERE number = ?",
                    [(row.number,) for row in damaged],
                )
        return [row.name for row in damaged]

    # -- inside -----------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with told(self.path), transaction(self._connection):
            yield self._connection

    def _claimants(self, which: str) -> list[tuple[int, Claimant, float, int]]:
        found = self._connection.execute(
            f"SELECT id, place, pid, born, heartbeat, workers FROM run WHERE {which}"
        )
        return [
            (run, Claimant(place, pid, born), heartbeat, workers)
            for run, place, pid, born, heartbeat, workers in found
        ]

    def _leave(self) -> None:
        with self._writing() as connection:
            connection.execute(
                "UPDATE job SET run = NULL, claimed = NULL WHERE run = ? AND count IS NULL", (self._run,)
            )
            connection.execute("UPDATE run SET ended = ? WHERE id = ?", (time.time(), self._run))


def _prepare(path: str, connection: sqlite3.Connection, census: Census) -> Census:
    """Make the file a ledger at work, of this census if it is none yet; returns the census it is of."""
    if not is_blank(connection):
        check_kind(path, connection)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    begin(connection, census)
    return _look(path, connection)


def _look(path: str, connection: sqlite3.Connection) -> Census:
    if is_blank(connection):
        raise BadInput(f"{path} is empty: no ledger of a census")
    check_kind(path, connection)
    return question(path, connection)


def _same(kept: Census, census: Census, path: str) -> None:
    if kept != census:
        raise BadInput(f"the ledger {path} is of {kept}, and not of {census}: name another file")
