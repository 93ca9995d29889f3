"""Prepared files: the tables of a :class:`~ktsolve.engines.protocols.Ranking` on disk.

A file has a preamble, blobs, a checksum for each block of 64 KiB of the blobs, and a header in JSON. The
header says for which problem, by which engine and in which order the tables were made, and where each blob
lies. Reading maps the file into memory: an answer reads only the blocks that it needs, and checks each before
its first use (ktsolve/common/checked_bytes.hpp).
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsolve import _native
from ktsolve.base.errors import BadInput
from ktsolve.base.files import new_file
from ktsolve.base.text import shown
from ktsolve.problem.problem import TourProblem

__all__ = ["Blob", "PreparedFile", "damaged", "prepared_by", "problem_key", "read_prepared", "write_prepared"]

_MAGIC = b"ktsolve prepared"
_FRAME = 1  # version of the frame. The version of what the blobs hold is the engine's

_PREAMBLE = struct.Struct("<16sIIQQQ")
"""Magic, version of the frame, zero, place and length of the header, checksum of the header."""

_ALIGNED = 64  # blobs begin at multiples of this, so that they can be read as arrays of any type

_MOST_HEADER = 1 << 30
"""Longest header: a diagram of a graph of a million vertices lists a blob for each in 70 MB."""


@dataclass(frozen=True)
class Blob:
    """Bytes of a prepared file, mapped into memory, and the checksums of their blocks.

    Native code takes both as a ``CheckedBytes``, which checks each block before its first use. Python code
    uses :meth:`checked`.
    """

    name: str
    path: Path
    data: NDArray[np.uint8]
    sums: NDArray[np.uint64]

    def checked(self) -> NDArray[np.uint8]:
        """The bytes, after all of them are checked. Raises BadInput if they are damaged."""
        if not np.array_equal(_native.block_checksums(self.data), self.sums):
            raise damaged(self.path)
        return self.data


@dataclass(frozen=True)
class PreparedFile:
    """A prepared file that was opened: its header, and its blobs by name."""

    path: Path
    header: Mapping[str, Any]
    blobs: Mapping[str, Blob]


def problem_key(problem: TourProblem) -> str:
    """A digest of a problem: equal for equal problems, on any machine.

    >>> problem_key(TourProblem(board="6x6", closed=True, require=["a1-b3", "a1-c2"]))
    'ea3adf7a3a5b76c2'
    """
    data = problem.to_json()
    data["board"].pop("positions", None)  # two graphs that differ in their positions only are equal
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def write_prepared(
    path: Path,
    engine: str,
    version: int,
    problem: TourProblem,
    header: Mapping[str, Any],
    blobs: Iterable[tuple[str, NDArray[Any]]],
) -> None:
    """Write a prepared file. It is written beside its place and moved there when it is complete.

    Reading refuses another engine, problem, or version of the order and of what the blobs hold. Raises
    BadInput if the file cannot be written.

    - ``header``: What else the engine needs, in terms of JSON. Counts are strings; those of any size are
      hexadecimal, since Python limits the digits of decimal ones.
    - ``blobs``: Names and contiguous arrays, which are written one after the other.
    """
    try:
        with new_file(path) as stream:
            stream.write(bytes(_PREAMBLE.size))
            table, sums = [], []
            for name, array in blobs:
                data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
                start = stream.seek(-(-stream.tell() // _ALIGNED) * _ALIGNED)
                stream.write(data.data)
                table.append({"name": name, "start": start, "bytes": len(data)})
                sums.append(_native.block_checksums(data))
            checks = np.concatenate([np.empty(0, np.uint64), *sums])
            sums_start = stream.seek(-(-stream.tell() // _ALIGNED) * _ALIGNED)
            stream.write(checks.view(np.uint8).data)
            whole = {
                "engine": engine,
                "version": version,
                "problem": str(problem),
                "problem_key": problem_key(problem),
                **header,
                "blobs": table,
                "sums": {"start": sums_start, "check": _checksum(checks.view(np.uint8))},
            }
            text = json.dumps(whole).encode()
            start = stream.tell()
            stream.write(text)
            stream.seek(0)
            check = _checksum(np.frombuffer(text, dtype=np.uint8))
            stream.write(_PREAMBLE.pack(_MAGIC, _FRAME, 0, start, len(text), check))
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror or error}") from None


def read_prepared(path: Path, engine: str, version: int, problem: TourProblem) -> PreparedFile:
    """Open a prepared file. The blobs are mapped into memory and not read yet.

    Raises BadInput if it cannot be read or is damaged, or was made by another engine or version or for
    another problem.
    """
    whole, header, start = _opened(path)
    try:
        if header["engine"] != engine:
            raise BadInput(f"{path} was prepared by engine {shown(header['engine'])}, not by {engine}")
        if header["version"] != version:
            raise _other_version(path)
        if header["problem_key"] != problem_key(problem):
            raise BadInput(f"{path} was prepared for {header['problem']}, not for {problem}")
        return PreparedFile(path, header, _blobs(path, whole, header, start))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, BadInput):
            raise
        raise damaged(path) from None


def prepared_by(path: Path) -> str:
    """The name of the engine that made a prepared file. Raises BadInput."""
    _, header, _ = _opened(path)
    engine = header.get("engine")
    if not isinstance(engine, str):
        raise damaged(path)
    return engine


def _opened(path: Path) -> tuple[NDArray[np.uint8], dict[str, Any], int]:
    """The bytes of a file, mapped into memory, its header, and where this begins. Raises BadInput."""
    try:
        with open(path, "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            preamble = stream.read(_PREAMBLE.size)
            if not preamble.startswith(_MAGIC):
                raise BadInput(f"{path} is not a prepared file of ktsolve")
            if len(preamble) < _PREAMBLE.size:
                raise damaged(path)
            _, frame, _, start, length, check = _PREAMBLE.unpack(preamble)
            if frame != _FRAME:
                raise _other_version(path)
            if start < _PREAMBLE.size or start + length != size or length > _MOST_HEADER:
                raise damaged(path)
            whole = np.frombuffer(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ), dtype=np.uint8)
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror or error}") from None
    text = whole[start:]
    if _checksum(text) != check:
        raise damaged(path)
    try:
        header = json.loads(text.tobytes())
    except (ValueError, RecursionError):
        raise damaged(path) from None
    if not isinstance(header, dict):
        raise damaged(path)
    return whole, header, start


def _blobs(path: Path, whole: NDArray[np.uint8], header: dict[str, Any], end: int) -> dict[str, Blob]:
    """The blobs of a file, whose sizes are checked. Raises ValueError and the like if they are wrong."""
    block, sums_start = _native.CHECKED_BLOCK, header["sums"]["start"]
    if not 0 <= sums_start <= end or (end - sums_start) % 8:
        raise ValueError
    checks = whole[sums_start:end]
    if _checksum(checks) != header["sums"]["check"]:
        raise ValueError
    sums, blobs, used = checks.view(np.uint64), {}, 0
    for each in header["blobs"]:
        name, start, length = each["name"], each["start"], each["bytes"]
        number = -(-length // block)
        outside = start < 0 or start % _ALIGNED or not 0 <= length <= sums_start - start
        if outside or used + number > len(sums):
            raise ValueError
        blobs[name] = Blob(name, path, whole[start : start + length], sums[used : used + number])
        used += number
    return blobs


def damaged(path: Path) -> BadInput:
    """The error for a file whose content is wrong."""
    return BadInput(f"{path} is damaged or cut off: {_remedy(path)}")


def _other_version(path: Path) -> BadInput:
    return BadInput(f"{path} was prepared by another version of ktsolve: {_remedy(path)}")


def _remedy(path: Path) -> str:
    """What to do about a file; one of several pairs of ends, such as FILE.1, belongs to FILE."""
    whole = path.with_suffix("")
    if path.suffix[1:].isdecimal() and whole.exists():
        return f"remove {whole}, {whole}.1, {whole}.2, ..., so that they are prepared again"
    return "remove it, so that it is prepared again"


def _checksum(data: NDArray[np.uint8]) -> int:
    return int(hashlib.sha256(data.tobytes()).hexdigest()[:16], 16)
