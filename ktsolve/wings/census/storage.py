"""The SQLite file of a ledger: opening, tables, transactions, errors of ktsolve, processes with claims."""

from __future__ import annotations

import contextlib
import os
import platform
import sqlite3
import time
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ktsolve.base.errors import BadInput, KtsolveError, LimitReached
from ktsolve.base.text import shown
from ktsolve.wings.census.jobs import Census, checksum_of

__all__ = [
    "LEASE",
    "Claimant",
    "as_error",
    "begin",
    "check_kind",
    "connect",
    "file_identity",
    "is_blank",
    "is_frozen",
    "ktsolve_errors",
    "retry_while_locked",
    "stored_census",
    "transaction",
]

_LOCK_TIMEOUT = 30.0  # seconds to wait for another writer; each writes for milliseconds


def connect(path: str, mode: str) -> sqlite3.Connection:
    """Open a file in a mode of SQLite (``ro``, ``rw``, ``rwc``), without Python's implicit transactions.

    Raises BadInput if SQLite cannot open it.
    """
    uri = f"file:{urllib.parse.quote(os.path.abspath(path))}?mode={mode}"
    with ktsolve_errors(path):
        return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_LOCK_TIMEOUT)


def retry_while_locked(action: Callable[[], Any]) -> Any:
    """The result of an action, which is repeated while the file is locked.

    SQLite waits by itself, except where two connections might wait for each other, as when the journal mode
    changes.
    """
    until = time.monotonic() + _LOCK_TIMEOUT
    while True:
        try:
            return action()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction for writing: committed at the end, or rolled back. Other writers wait."""
    retry_while_locked(lambda: connection.execute("BEGIN IMMEDIATE"))
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # After a full disk SQLite may have rolled back by itself.
        with contextlib.suppress(sqlite3.Error):
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def ktsolve_errors(path: str) -> Iterator[None]:
    """Turn errors of SQLite inside into errors of ktsolve."""
    try:
        yield
    except sqlite3.Error as error:
        raise as_error(path, error) from None


def as_error(path: str, error: sqlite3.Error) -> KtsolveError:
    """The error of ktsolve for an error of SQLite.

    >>> error = sqlite3.DatabaseError("file is not a database")
    >>> error.sqlite_errorcode = sqlite3.SQLITE_NOTADB
    >>> as_error("notes.txt", error)
    BadInput('notes.txt is not a ledger of a census: not an SQLite file')
    """
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    kept = "recorded results stay"
    said = _one_line(error)
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _disk_full(path)):
        return LimitReached(f"the disk is full: the ledger {path} cannot be written; {kept}")
    if code == sqlite3.SQLITE_BUSY:
        return LimitReached(
            f"another program has kept the ledger {path} locked for {_LOCK_TIMEOUT:g} s; {kept}"
        )
    if code == sqlite3.SQLITE_NOTADB:
        return BadInput(f"{path} is not a ledger of a census: not an SQLite file")
    if code == sqlite3.SQLITE_CORRUPT:
        return BadInput(f"the ledger {path} is damaged: {said}; restore it, or name another file")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return BadInput(f"the ledger {path} cannot be written: {said}")
    if code == sqlite3.SQLITE_CANTOPEN:
        return BadInput(f"the ledger {path} cannot be opened: {_why_not(path)}")
    return BadInput(f"the ledger {path} cannot be used: {said}")


def _one_line(said: object) -> str:
    """What SQLite says, which may have several lines and bytes of a damaged file."""
    text = " ".join(str(said).split())
    return text if text.isprintable() else shown(text, 200)


def _why_not(path: str) -> str:
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        return "the folder does not exist"
    if not os.access(folder, os.W_OK):
        return f"the folder {folder} cannot be written"
    if os.path.exists(path) and not os.access(path, os.R_OK | os.W_OK):
        return "no permission"
    return "the system allows no new files there"


def _disk_full(path: str) -> bool:
    try:
        room = os.statvfs(os.path.dirname(os.path.abspath(path)))
    except OSError:
        return False
    return room.f_bavail * room.f_frsize < 1 << 16


def is_frozen(path: str) -> bool:
    """Is the folder of this file read-only, so that no journal of it can be in use?"""
    waiting = os.path.exists(f"{path}-wal") and os.path.getsize(f"{path}-wal") > 0
    return not waiting and not os.access(os.path.dirname(os.path.abspath(path)), os.W_OK)


def file_identity(path: str) -> tuple[int, int] | None:
    """Device and inode of a file; None if it does not exist."""
    with contextlib.suppress(OSError):
        found = os.stat(path)
        return found.st_dev, found.st_ino
    return None


_APPLICATION = 0x6B747363  # "ktsc"
_SCHEMA = 1
_TABLES = """
CREATE TABLE census (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    question TEXT NOT NULL,            -- canonical JSON, see Census.key
    created REAL NOT NULL,             -- seconds since 1970
    checksum TEXT NOT NULL
) STRICT;
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    place TEXT NOT NULL,
    pid INTEGER NOT NULL,
    born TEXT NOT NULL,
    workers INTEGER NOT NULL,          -- jobs at once
    began REAL NOT NULL,
    heartbeat REAL NOT NULL,
    ended REAL
) STRICT;
CREATE TABLE job (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    multiplicity INTEGER NOT NULL CHECK (multiplicity > 0),
    run INTEGER REFERENCES run (id),   -- the run that claims it, or counted it
    claimed REAL,
    count TEXT,                        -- decimal: counts pass 64 bits
    engine TEXT,
    version TEXT,
    plan TEXT,
    seconds REAL,
    peak_bytes INTEGER,
    finished REAL,
    checksum TEXT,
    CHECK ((count IS NULL) = (checksum IS NULL))
) STRICT;
"""


def check_kind(path: str, connection: sqlite3.Connection) -> None:
    """Raise BadInput unless this is an intact ledger with the schema of this version."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != _APPLICATION:
        raise BadInput(f"{path} is not a ledger of a census: an SQLite file of another program")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version != _SCHEMA:
        raise BadInput(
            f"the ledger {path} has schema {version}, this version of ktsolve reads schema {_SCHEMA}: "
            "use the version of ktsolve that made it"
        )
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise BadInput(
            f"the ledger {path} is damaged: {_one_line(verdict)}; restore it, or name another file"
        )


def is_blank(connection: sqlite3.Connection) -> bool:
    """Is the file without tables? Another run may be about to write them, in one transaction."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return not tables


def begin(connection: sqlite3.Connection, census: Census) -> None:
    """Write the census and its jobs in one transaction, unless another run has done so."""
    with transaction(connection):
        if not is_blank(connection):
            return
        for statement in _TABLES.split(";\n"):
            if statement.strip():
                connection.execute(statement)
        connection.execute(
            "INSERT INTO census (id, question, created, checksum) VALUES (1, ?, ?, ?)",
            (census.key, time.time(), checksum_of(census.key)),
        )
        connection.executemany(
            "INSERT INTO job (number, name, multiplicity) VALUES (?, ?, ?)",
            [(job.number, job.name, job.multiplicity) for job in census.jobs],
        )
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {_SCHEMA}")


def stored_census(path: str, connection: sqlite3.Connection) -> Census:
    """The census of a ledger."""
    found = connection.execute("SELECT question, checksum FROM census").fetchone()
    if found is None or checksum_of(found[0]) != found[1]:
        raise BadInput(f"the ledger {path} is damaged: the checksum of its question is wrong")
    try:
        return Census.from_key(found[0])
    except BadInput as error:
        raise BadInput(f"the ledger {path} is damaged: {error}") from None


LEASE = 60.0  # seconds without a heartbeat after which a run in another place counts as dead


@dataclass(frozen=True)
class Claimant:
    """A process that runs a census.

    A run that is killed cannot release its claims. On the same machine its death shows at once in the process
    table. From another place (a container that shares the folder) a run counts as dead when its last
    heartbeat is older than the lease.
    """

    place: str  # the scope of process numbers: host, boot and process namespace
    pid: int  # process number
    born: str
    """Start of the process in ticks since boot, since process numbers are used again. Empty if unknown."""

    @classmethod
    def this_process(cls) -> Claimant:
        """The process that runs this code."""
        return cls(_place(), os.getpid(), _born(os.getpid()) or "")

    def alive(self, silence: float) -> bool:
        """Is the process alive, if its last heartbeat has this age in seconds?

        >>> me = Claimant.this_process()
        >>> me.alive(silence=1e6), Claimant(me.place, me.pid, "0").alive(silence=0)
        (True, False)
        >>> Claimant("elsewhere", 1, "").alive(silence=30), Claimant("elsewhere", 1, "").alive(silence=300)
        (True, False)
        """
        if self.place != _place():
            return silence < LEASE
        if self.born:
            return _born(self.pid) == self.born
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


def _place() -> str:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        boot = space = ""
    return f"{platform.node()} {boot} {space}".strip()


def _born(pid: int) -> str | None:
    """Start of a process in ticks since boot; None if it has ended (a zombie too) or it is unknown."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]
