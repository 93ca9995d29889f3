"""Targets: files that commands keep: ledgers of a census, prepared tables."""

from __future__ import annotations

import contextlib
import functools
import json
import random
import sqlite3
from collections.abc import Sequence
from typing import Any

from command import ktsolve as command

from fuzz.mutation import changed_json, mutated
from fuzz.target import SECONDS, Target, file_of
from ktsolve.base.errors import KtsolveError
from ktsolve.base.limits import Settings
from ktsolve.engines.prepared import problem_key
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.tours import tours
from ktsolve.wings.census import jobs, report
from ktsolve.wings.census.ledger import Ledger

__all__ = ["TARGETS"]


@functools.cache
def _ledgers() -> tuple[bytes, ...]:
    found = []
    for line in ("3x4 --open", "5x5 --open --ends a1-c3", "5x6 --parts 3"):
        with file_of(b"", ".sqlite") as path:
            path.unlink()
            command("census", "run", *line.split(), "--ledger", str(path), "--threads", "1", "--quiet")
            found.append(path.read_bytes())
    return tuple(found)


def _change_ledger(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """A value of a row of some table changed, or bytes."""
    if chance.random() < 0.4:
        return mutated(chance, seeds)
    with file_of(chance.choice(seeds), ".sqlite") as path:
        connection = sqlite3.connect(path)
        with contextlib.suppress(sqlite3.Error, OverflowError, UnicodeEncodeError), connection:
            tables = [
                name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            ]
            table = chance.choice(tables)
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            column = chance.choice(columns)
            rows = list(connection.execute(f"SELECT rowid, {column} FROM {table}"))
            rowid, old = chance.choice(rows)
            if isinstance(old, str) and old[:1] in ("{", "["):
                new: Any = json.dumps(changed_json(chance, json.loads(old)))
            else:
                new = changed_json(chance, old)
            if isinstance(new, dict | list):
                new = json.dumps(new)
            if chance.random() < 0.15:
                connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (rowid,))
            else:
                connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (new, rowid))
        connection.close()
        return path.read_bytes()


def _read_ledger(data: bytes) -> None:
    with file_of(data, ".sqlite") as path:
        with Ledger.read(str(path)) as ledger:
            found = report.report(ledger)
            for write in (report.as_text, report.as_markdown, report.as_csv, report.as_json):
                write(found)
        with contextlib.suppress(KtsolveError):  # of another census
            Ledger.open(str(path), jobs.make_census(TourProblem(board="3x4", closed=False))).close()


_PREPARED = (
    ("frontier", TourProblem(board="3x4", closed=False)),
    ("join", TourProblem(board="5x6", closed=True)),
    ("quotient", TourProblem(board="5x6", closed=True, symmetry="rot180")),
)


@functools.cache
def _tables() -> tuple[bytes, ...]:
    found = []
    for engine, problem in _PREPARED:
        with file_of(b"", ".tables") as path:
            path.unlink()
            tours(problem, engine=engine, prepared=path)
            found.append(path.read_bytes())
    return tuple(found)


def _change_tables(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Bytes changed; or the header or a blob with its checksums made right, as a forger would do."""
    data = chance.choice(seeds)
    if chance.random() < 0.3 or data not in _tables():
        return mutated(chance, seeds)
    return forged(chance, data)


def forged(chance: random.Random, data: bytes) -> bytes:
    """A prepared file with a change, and with checksums that are right."""
    import hashlib
    import struct

    import numpy as np

    from ktsolve import _native

    preamble = struct.Struct("<16sIIQQQ")
    magic, frame, zero, start, _, _ = preamble.unpack(data[: preamble.size])
    header = json.loads(data[start:])
    whole = bytearray(data[:start])
    if chance.random() < 0.5:
        blob = chance.choice([each for each in header["blobs"] if each["bytes"]])
        place, length = blob["start"], blob["bytes"]
        for _ in range(chance.choice((1, 1, 2, 8))):
            whole[place + chance.randrange(length)] = chance.choice(
                (0, 1, 2, 127, 128, 255, chance.randrange(256))
            )
        at = header["sums"]["start"]
        for each in header["blobs"]:
            bytes_of = np.frombuffer(bytes(whole[each["start"] : each["start"] + each["bytes"]]), np.uint8)
            sums = _native.block_checksums(bytes_of)
            whole[at : at + 8 * len(sums)] = sums.view(np.uint8).tobytes()
            at += 8 * len(sums)
        checks = bytes(whole[header["sums"]["start"] : start])
        header["sums"]["check"] = int(hashlib.sha256(checks).hexdigest()[:16], 16)
    else:
        header = changed_json(chance, header)
    try:
        text = json.dumps(header).encode("utf-8", "replace")
    except ValueError:
        return data
    check = int(hashlib.sha256(text).hexdigest()[:16], 16)
    whole[: preamble.size] = preamble.pack(magic, frame, zero, start, len(text), check)
    return bytes(whole) + text


def _read_tables(data: bytes) -> None:
    """What forged tables number is still checked: a tour that is given out is one."""
    for engine, problem in _PREPARED:
        if problem_key(problem).encode() not in data:
            continue
        with file_of(data, ".tables") as path:
            found = tours(
                problem, engine=engine, prepared=path, settings=Settings(timeout=SECONDS, threads=1)
            )
            for index in (0, found.count // 2, found.count - 1):
                if 0 <= index < found.count:
                    assert problem.check(found[index]) is None


TARGETS: tuple[Target, ...] = (
    Target("ledger", _ledgers, _read_ledger, _change_ledger, 3),
    Target("tables", _tables, _read_tables, _change_tables, 3),
)
"""The targets of this file."""
