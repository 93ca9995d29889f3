"""A target of the fuzzing: a reader, its valid inputs, and what must hold of whatever it accepts."""

from __future__ import annotations

import contextlib
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fuzz.mutation import mutated

__all__ = ["ROOT", "SECONDS", "Target", "file_of", "text_of"]

ROOT = Path(__file__).resolve().parents[3]

SECONDS = 2.0
"""Time limit of whatever works on an input that was read."""


@dataclass(frozen=True)
class Target:
    """A reader.

    Attributes
    ----------
    name:
        Its name.
    seeds:
        Valid inputs, made at the first use.
    run:
        Reads an input. It may raise errors of ktsolve; an AssertionError says that what it accepted is wrong.
    change:
        Makes an input from the seeds.
    weight:
        How often it is drawn; targets that write files and start engines are slower.
    """

    name: str
    seeds: Callable[[], Sequence[bytes]]
    run: Callable[[bytes], object]
    change: Callable[[random.Random, Sequence[bytes]], bytes] = mutated
    weight: int = 8


def text_of(data: bytes) -> str:
    """The text as the command has it after decoding, which it does strictly."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


@contextlib.contextmanager
def file_of(data: bytes, suffix: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="ktsolve-fuzz-") as folder:
        path = Path(folder) / f"input{suffix}"
        path.write_bytes(data)
        yield path
