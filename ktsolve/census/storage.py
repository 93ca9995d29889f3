"""SQLite files: opening, transactions, and SQLite's errors as errors of ktsolve."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any

from ktsolve.errors import BadInput, KtsolveError, LimitReached

__all__ = [
    "as_error",
    "connect",
    "file_identity",
    "is_frozen",
    "ktsolve_errors",
    "retry_while_locked",
    "transaction",
]

_LOCK_TIMEOUT = 30.0
"""Seconds to wait for another writer; each writes for milliseconds."""


def connect(path: str, mode: str) -> sqlite3.Connection:
    """Open a file in a mode of SQLite (``ro``, ``rw``, ``rwc``), without Python's implicit transactions.

    Raises
    ------
    BadInput
        If SQLite cannot open it.
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
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _disk_full(path)):
        return LimitReached(f"the disk is full: the ledger {path} cannot be written; {kept}")
    if code == sqlite3.SQLITE_BUSY:
        return LimitReached(
            f"another program has kept the ledger {path} locked for {_LOCK_TIMEOUT:g} s; {kept}"
        )
    if code == sqlite3.SQLITE_NOTADB:
        return BadInput(f"{path} is not a ledger of a census: not an SQLite file")
    if code == sqlite3.SQLITE_CORRUPT:
        return BadInput(f"the ledger {path} is damaged: {error}; restore it, or name another file")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return BadInput(f"the ledger {path} cannot be written: {error}")
    if code == sqlite3.SQLITE_CANTOPEN:
        return BadInput(f"the ledger {path} cannot be opened: {_why_not(path)}")
    return BadInput(f"the ledger {path} cannot be used: {error}")


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
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
