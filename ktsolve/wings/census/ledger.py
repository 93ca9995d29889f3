"""The ledger of a census: one SQLite file with a row per job.

A job is *waiting* (no run, no count), *claimed* (a run, no count) or *counted*. A count is written once and
never changed. It is written with a checksum over the whole row and the problem, which reveals an edited count
or a row from another ledger. A run releases its claims when it ends; the claims of a run that died are
removed (see :class:`Claimant`). Only the coordinating process of a run writes.

The journal mode is WAL: readers (``ktsolve census report`` in a second terminal) and the writer do not block
each other, while with a rollback journal a reader's lock delays every commit. A commit waits for the disk
(``synchronous=FULL``), so that an announced result survives a power failure. With WAL all runs on one ledger
must be on one machine, since the index of the log is shared memory. That is enough for a cluster, whose
workers do not open the ledger. The last run to end restores the rollback journal: a ledger at rest is a
single file, readable from a read-only disk.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence

from ktsolve.base.errors import BadInput, KtsolveError
from ktsolve.base.text import shown
from ktsolve.wings.census.jobs import Census, JobResult, LedgerRow, result_of, row_checksum
from ktsolve.wings.census.storage import (
    Claimant,
    as_error,
    begin,
    check_kind,
    connect,
    file_identity,
    is_blank,
    is_frozen,
    ktsolve_errors,
    retry_while_locked,
    stored_census,
    transaction,
)

__all__ = ["Disagreement", "Ledger"]


class Disagreement(KtsolveError):
    """Two counts of the same job differ: one of them is wrong."""


class Ledger:
    """An open ledger. A context manager; :meth:`open` and :meth:`read` make one.

    >>> import tempfile
    >>> from ktsolve.wings.census.jobs import make_census
    >>> from ktsolve.problem.problem import TourProblem
    >>> census = make_census(TourProblem(board="6x6", closed=True))
    >>> with tempfile.TemporaryDirectory() as folder, Ledger.open(f"{folder}/closed.db", census) as ledger:
    ...     ledger.enter(workers=1)
    ...     claimed = ledger.claim([1])
    ...     ledger.record(1, JobResult(9862, "search", "0.1.0", "", 0.9, None))
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
        """Open the ledger of this census, or create it.

        Raises BadInput if it cannot be read or written, is damaged, or belongs to another census;
        LimitReached if the disk is full, or another program keeps the file locked.
        """
        if not path.strip():
            raise BadInput(f"{path!r} is not a file name: name a file for the ledger")
        if os.path.isdir(path):
            raise BadInput(f"{path} is a folder: name a file for the ledger")
        if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            raise BadInput(f"the folder {os.path.dirname(path)} of the ledger does not exist")
        existed = os.path.exists(path) and os.path.getsize(path) > 0
        if existed and not os.access(path, os.W_OK):
            raise BadInput(f"the ledger {path} cannot be written: no permission")
        connection = connect(path, "rwc")
        try:
            with ktsolve_errors(path):
                kept = retry_while_locked(lambda: _prepare(path, connection, census))
            _same(kept, census, path)
            ledger = cls(path, connection, kept, writes=True)
            ledger.check_rows()
        except BaseException:
            connection.close()
            raise
        return ledger

    @classmethod
    def read(cls, path: str) -> Ledger:
        """Open a ledger for reading only; runs may write to it meanwhile.

        Raises BadInput if the file does not exist, or SQLite cannot read it.
        """
        if not os.path.exists(path):
            raise BadInput(f"the ledger {path} does not exist")
        if os.path.isdir(path):
            raise BadInput(f"{path} is a folder, not a ledger")
        if os.path.getsize(path) == 0:
            raise BadInput(f"{path} is empty, not a ledger of a census")
        connection = connect(path, "ro")
        try:
            if is_frozen(path):
                # The file may be in WAL mode. In a folder that is read-only no run is writing.
                connection.close()
                connection = connect(path, "ro&immutable=1")
            return cls(path, connection, retry_while_locked(lambda: _look(path, connection)))
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
        """Release the claims and close; the last run restores the rollback journal."""
        with contextlib.suppress(sqlite3.Error, KtsolveError):
            if self._run is not None:
                self._leave()
        with contextlib.suppress(sqlite3.Error):
            if self._writes:
                self._connection.execute("PRAGMA busy_timeout = 0")
                self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()

    # -- reading ----------------------------------------------------------------------------------------

    def rows(self) -> list[LedgerRow]:
        """All rows in order, each with whether its checksum is right."""
        with ktsolve_errors(self.path):
            found = self._connection.execute(
                "SELECT number, name, multiplicity, run, claimed, count, engine, version, plan, seconds, "
                "peak_bytes, finished, checksum FROM job ORDER BY number"
            ).fetchall()
        key = self.census.key
        rows = []
        for number, name, multiplicity, run, claimed, *rest, finished, checksum in found:
            result, expected = result_of(rest), None
            if result is not None:
                expected = row_checksum(key, number, name, multiplicity, result, finished)
            sound = checksum == expected and (result is None) == (rest[0] is None)
            rows.append(LedgerRow(number, name, multiplicity, run, claimed, result, finished, sound))
        return rows

    def working(self) -> dict[int, int]:
        """The active runs: number of workers by run id."""
        with ktsolve_errors(self.path):
            return {
                run: workers
                for run, claimant, heartbeat, workers in self._claimants("ended IS NULL")
                if claimant.alive(time.time() - heartbeat)
            }

    @contextlib.contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """A transaction for reading: all reads inside see the ledger at one moment."""
        with ktsolve_errors(self.path):
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._connection.execute("COMMIT")

    def check_rows(self, rows: Sequence[LedgerRow] | None = None, *, sealed: bool = True) -> None:
        """Check that the table has every job of the census once, nothing else, and right checksums.

        Raises BadInput naming the first row that is missing, surplus or (if ``sealed``) has a wrong checksum.
        """
        expected = {job.number: job for job in self.census.jobs}
        damaged = f"the ledger {self.path} is damaged"
        for row in self.rows() if rows is None else rows:
            job = expected.pop(row.number, None)
            if job is None or (job.name, job.multiplicity) != (row.name, row.multiplicity):
                found = f"row {row.number} ({shown(row.name)}, multiplicity {shown(row.multiplicity)})"
                raise BadInput(f"{damaged}: {found} is not a job of this census")
            if sealed and not row.sound:
                raise BadInput(
                    f"{damaged}: row {row.number} ({row.name}) has a wrong checksum; "
                    "--recount clears such rows and counts them again"
                )
        for number, job in expected.items():
            raise BadInput(f"{damaged}: row {number} ({job.name}) is missing")

    # -- writing ----------------------------------------------------------------------------------------

    def enter(self, workers: int) -> None:
        """Begin a run with a given number of workers."""
        me, now = Claimant.this_process(), time.time()
        with self._writing() as connection:
            cursor = connection.execute(
                "INSERT INTO run (place, pid, born, workers, began, heartbeat) VALUES (?, ?, ?, ?, ?, ?)",
                (me.place, me.pid, me.born, workers, now, now),
            )
            self._run = cursor.lastrowid

    def heartbeat(self, workers: int) -> None:
        """Record that this run is alive.

        Raises BadInput if the file was moved or replaced: further results would be lost.
        """
        if file_identity(self.path) != self._identity:
            raise BadInput(f"the ledger {self.path} was moved or replaced while it was in use")
        with self._writing() as connection:
            connection.execute(
                "UPDATE run SET heartbeat = ?, workers = ? WHERE id = ?", (time.time(), workers, self._run)
            )

    def free_dead(self) -> int:
        """Remove the claims of dead runs; returns the number of jobs that are waiting again."""
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
        """Numbers of the jobs that are neither claimed nor counted."""
        with ktsolve_errors(self.path):
            found = self._connection.execute(
                "SELECT number FROM job WHERE count IS NULL AND run IS NULL ORDER BY number"
            )
            return [number for (number,) in found]

    def left(self) -> int:
        """Number of jobs that are not counted."""
        with ktsolve_errors(self.path):
            (number,) = self._connection.execute("SELECT count(*) FROM job WHERE count IS NULL").fetchone()
            return int(number)

    def claim(self, numbers: Sequence[int]) -> list[int]:
        """Claim those of the jobs that are still waiting; returns their numbers."""
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
        """Release the claims of this run on these jobs."""
        with self._writing() as connection:
            connection.executemany(
                "UPDATE job SET run = NULL, claimed = NULL WHERE number = ? AND run = ? AND count IS NULL",
                [(number, self._run) for number in numbers],
            )

    def record(self, number: int, result: JobResult) -> bool:
        """Record a result; it is on the disk when this returns. Returns whether it is new.

        A late result, of a job that another run has counted after this run lost its claim, is compared.
        Raises Disagreement if the job has another count.
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
        """Clear the rows with a wrong checksum, so that they are counted again; returns their names.

        Raises BadInput if it is the ledger of another census.
        """
        with cls.read(path) as ledger:
            _same(ledger.census, census, path)
            damaged = [row for row in ledger.rows() if not row.sound]
        if damaged:
            connection = connect(path, "rw")
            with contextlib.closing(connection), ktsolve_errors(path), transaction(connection):
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
        with ktsolve_errors(self.path), transaction(self._connection):
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
    """Open the file for a run, created for this census if it is blank; returns the census of the file."""
    if not is_blank(connection):
        check_kind(path, connection)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    begin(connection, census)
    return _look(path, connection)


def _look(path: str, connection: sqlite3.Connection) -> Census:
    if is_blank(connection):
        raise BadInput(f"{path} is empty, not a ledger of a census")
    check_kind(path, connection)
    return stored_census(path, connection)


def _same(kept: Census, census: Census, path: str) -> None:
    if kept != census:
        raise BadInput(f"the ledger {path} is of {kept}, not of {census}: name another file")
