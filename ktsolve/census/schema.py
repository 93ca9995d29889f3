"""The tables of a ledger, and the check that a file is a ledger."""

from __future__ import annotations

import sqlite3
import time

from ktsolve.census.jobs import Census
from ktsolve.census.rows import checksum_of
from ktsolve.census.storage import transaction
from ktsolve.errors import BadInput

__all__ = ["begin", "check_kind", "is_blank", "question"]

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
        raise BadInput(f"the ledger {path} is damaged: {verdict}; restore it, or name another file")


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


def question(path: str, connection: sqlite3.Connection) -> Census:
    """The census of a ledger."""
    found = connection.execute("SELECT question, checksum FROM census").fetchone()
    if found is None or checksum_of(found[0]) != found[1]:
        raise BadInput(f"the ledger {path} is damaged: the checksum of its question is wrong")
    try:
        return Census.from_key(found[0])
    except BadInput as error:
        raise BadInput(f"the ledger {path} is damaged: {error}") from None
