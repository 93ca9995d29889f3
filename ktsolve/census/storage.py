"""An SQLite file: opening it, writing to it all or nothing, and saying in words what can go wrong with it."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any

from ktsolve.errors import BadInput, KtsolveError, LimitReached

__all__ = ["as_error", "connect", "file_identity", "is_frozen", "patiently", "told", "transaction"]

_PATIENCE = 30.0
"""Seconds to wait for another writer; each writes for milliseconds."""


def connect(path: str, mode: str) -> sqlite3.Connection:
    """Open a file in a mode of SQLite's (``ro``, ``rw``, ``rwc``), without transactions of Python's own.

    Raises
    ------
    BadInput
        If that cannot be.
    """
    uri = f"file:{urllib.parse.quote(os.path.abspath(path))}?mode={mode}"
    with told(path):
        return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_PATIENCE)


def patiently(action: Callable[[], Any]) -> Any:
    """What an action gives, tried again while the file is locked.

    SQLite waits by itself, but not where two might wait for each other: when the journal changes, for one.
    """
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            return action()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All that is written inside is committed at the end, or none of it; other writers wait."""
    patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
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
def told(path: str) -> Iterator[None]:
    """Errors of SQLite become errors of ktsolve, one clear line each."""
    try:
        yield
    except sqlite3.Error as error:
        raise as_error(path, error) from None


def as_error(path: str, error: sqlite3.Error) -> KtsolveError:
    """What an error of SQLite means for a ledger.

    >>> error = sqlite3.DatabaseError("file is not a database")
    >>> error.sqlite_errorcode = sqlite3.SQLITE_NOTADB
    >>> as_error("notes.txt", error)
    BadInput('notes.txt is no ledger of a census: not an SQLite file')
    """
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    kept = "what it holds stays"
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _disk_full(path)):
        return LimitReached(f"the disk is full: nothing more can be written to the ledger {path}; {kept}")
    if code == sqlite3.SQLITE_BUSY:
        return LimitReached(f"another program has kept the ledger {path} locked for {_PATIENCE:g} s; {kept}")
    if code == sqlite3.SQLITE_NOTADB:
        return BadInput(f"{path} is no ledger of a census: not an SQLite file")
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
        return "there is no such folder"
    if not os.access(folder, os.W_OK):
        return f"the folder {folder} cannot be written"
    if os.path.exists(path) and not os.access(path, os.R_OK | os.W_OK):
        return "no permission"
    return "the system does not let files be made there"


def _disk_full(path: str) -> bool:
    try:
        room = os.statvfs(os.path.dirname(os.path.abspath(path)))
    except OSError:
        return False
    return room.f_bavail * room.f_frsize < 1 << 16


def is_frozen(path: str) -> bool:
    """Can nothing be written beside this file, so that no journal of it can be at work?"""
    waiting = os.path.exists(f"{path}-wal") and os.path.getsize(f"{path}-wal") > 0
    return not waiting and not os.access(os.path.dirname(os.path.abspath(path)), os.W_OK)


def file_identity(path: str) -> tuple[int, int] | None:
    """Which file a name stands for; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
