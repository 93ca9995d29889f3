"""Targets: command lines, and what commands read of the JSON that others print."""

from __future__ import annotations

import contextlib
import functools
import os
import shlex
import tempfile
from dataclasses import replace
from itertools import pairwise

from command import ktsolve as command

from fuzz.mutation import mutated
from fuzz.target import ROOT, Target, text_of
from ktsolve.base.errors import KtsolveError
from ktsolve.formats.tours.files import read_tours
from ktsolve.render.player import read_trace
from ktsolve.render.subjects import valid_walk
from ktsolve.tasks.base_boards import validate_bases

__all__ = ["TARGETS"]

_PRINTING = (
    *("tour 3x4 --open --json", "tour 3x4 --open --all --json", "tour 4x4 --json", "walk 3x4 --open --json"),
    *("non-crossing 4x4 --json", "non-crossing 3x5 --open --json", "count 3x4 --open --by endpoints --json"),
    *(
        "count 3x4 --open --by-moves --json",
        "count 3x4 --open --by-steps a1 --json",
        "sample 3x4 --open --json",
    ),
    *("count 3x4 --open --by-uses slopes --json", "survey 3x4 --open --of turns --samples 9 --json"),
    *(
        "tour graph:petersen --open --json",
        "unrank 3x4 0 --open --json",
        "convert graph:complete:4 --format json",
    ),
)


@functools.cache
def _printed() -> tuple[bytes, ...]:
    found = [command(*line.split()).out.encode() for line in _PRINTING]
    return (*found, (ROOT / "tests" / "data" / "search-5x5.json").read_bytes()[:2000])


def _read_printed(data: bytes) -> None:
    """What commands print as JSON, by everything that reads such files."""
    text = text_of(data)
    for read in (read_trace, valid_walk, validate_bases, read_tours):
        with contextlib.suppress(KtsolveError):
            read(text)
    for line in ("draw - -o /dev/null --format svg", "play -", "convert - --format csv", "check -"):
        _said(line.split(), data)


_LINES = (
    *("tour 3x4 --open --start a1", "tour 3x4 --open --at 5=c3", "count 3x4 --open --without first:3"),
    *("count 3x3 --leaper 0,1 --wrap xy", "prove 3x4 --argument parts", "prove 3x3 --open --least obtuse=1"),
    *(
        "tour 3x4 --open --range a1=1..3 --order a1,b3",
        "tour 3x4 --open --figure squares=row",
        "walk 3x4 --open",
    ),
    *(
        "tour 1x1 --open --most turns=0",
        "count 3x4 --open --by endpoints",
        "count 3x4 --open --by-uses a1-b3",
    ),
    *(
        "sample 3x4 --open --number 2 --seed 7",
        "unrank 3x4 0 3 --open",
        "sequence 3xN --upto 9",
        "swap guarini",
    ),
    *("survey 3x4 --open --of turns,visit:a1 --samples 9", "draw 3x4 --without a1", "non-crossing 3x3"),
    *(
        "convert 3x4 --format g6",
        "count graph:cycle:5",
        "tour 2x2 --leaper 0,1 --require a1-a2 --forbid b1-b2",
    ),
    *("sudoku count 2x2", "tour 3x4 --open --magic rows --sum a1,b1=9 --run a1,b3 --symmetry rot180"),
)


def _lines() -> list[bytes]:
    return [f"{line} --quiet --timeout 2 --memory 400M".encode() for line in _LINES]


def _said(words: list[str], given: bytes = b"") -> None:
    said = command(*words, given=given)
    assert said.status in (0, 1, 2, 3), said
    assert "Traceback" not in said.err
    assert "internal error" not in said.err
    if said.status == 2:  # remarks on what was read may stand above the line of the error
        complaint = replace(said, err=said.err.splitlines(keepends=True)[-1]).complaint
        assert len(complaint) < 2000, complaint


def _run_line(data: bytes) -> None:
    """A command line. Options that name files or folders are left out."""
    try:
        words = shlex.split(text_of(data).replace("\x00", ""))
    except ValueError:
        return
    banned = (
        "-o",
        "--output",
        "--ledger",
        "--prepared",
        "--certificate",
        "--export",
        "--record",
        "--spill",
        "--dask",
    )
    if any("/" in word or word.startswith(banned) for word in words):
        return
    limits = [value for word, value in pairwise(words) if word == "--timeout"]
    if words[:1] not in (["census"], ["verify"], ["base"], ["play"]) and limits == ["2"]:
        here = os.getcwd()
        with tempfile.TemporaryDirectory(prefix="ktsolve-fuzz-") as folder:
            os.chdir(folder)
            try:
                _said(words)
            finally:
                os.chdir(here)


TARGETS: tuple[Target, ...] = (
    Target("printed", _printed, _read_printed, mutated, 2),
    Target("line", _lines, _run_line, mutated, 1),
)
"""The targets of this file."""
