"""The command line as tests use it: in this process or as one of its own, and what several tests ask it."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

# Imported here, where nothing stops it half way: a time limit that strikes during an import in one test
# leaves a broken module to the next.
import networkx  # noqa: F401
import ortools.sat.python.cp_model  # noqa: F401
import pysat.solvers  # noqa: F401

from ktsolve import __version__
from ktsolve.cli.app import root, run
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour

COMMAND = [sys.executable, "-m", "ktsolve"]


def commands() -> dict[str, Any]:
    """Every command and group by the words that name it."""

    def within(words: str, command: Any) -> Iterator[tuple[str, Any]]:
        yield words, command
        for name, each in getattr(command, "commands", {}).items():
            yield from within(f"{words} {name}".strip(), each)

    return dict(within("", root()))


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object on standard output."""
        lines = self.out.splitlines()
        assert len(lines) == 1, self
        data = json.loads(lines[0])
        assert isinstance(data, dict)
        assert list(data)[:2] == ["schema", "version"]
        assert data["schema"] == "ktsolve/1"
        assert data.pop("version") == __version__
        return data

    @property
    def complaint(self) -> str:
        """The one line on standard error, without the ``ktsolve:`` that must begin it."""
        assert self.err.startswith("ktsolve: "), self
        assert self.err.endswith("\n"), self
        line = self.err.removeprefix("ktsolve: ").removesuffix("\n")
        assert line, self
        assert line.isprintable(), self
        assert "Traceback" not in line, self
        assert "internal error" not in line, self
        return line


def ktsolve(*arguments: str, given: bytes = b"") -> Said:
    """Run the command in this process."""
    out, err = io.StringIO(), io.StringIO()
    stdin = io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), patch.object(sys, "stdin", stdin):
        status = run(list(arguments))
    return Said(status, out.getvalue(), err.getvalue())


def answered(*arguments: str, status: int = 0, given: bytes = b"") -> Said:
    """Run a command that must end with this status."""
    said = ktsolve(*arguments, given=given)
    assert said.status == status, said
    return said


def refused(*arguments: str, status: int = 2, given: bytes = b"") -> str:
    """Run a command that must fail with one line, which is returned, and print nothing else."""
    said = answered(*arguments, status=status, given=given)
    assert said.out == "", said
    return said.complaint


def process(*arguments: str, timeout: float = 30, **how: Any) -> Said:
    """Run the command as a process of its own."""
    ended = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, timeout=timeout, check=False, **how
    )
    return Said(ended.returncode, ended.stdout, ended.stderr)


OPEN_3X4 = ["a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1", "3x4"]


def tours_in(text: str, size: str, *, closed: bool, **words: str) -> list[Tour]:
    """Tours written as lists of cells, one to a line; each must be one."""
    board = Board.parse(size, **words)
    tours = [Tour.from_names(board, line.split(), closed) for line in text.splitlines()]
    assert all(tour.valid for tour in tours)
    return tours


SOLVE_KEYS = {
    "schema": str,
    "instance": str,
    "model": str,
    "status": str,
    "agrees": bool,
    "engine": str,
    "seconds": float,
}


def keys_of(data: dict[str, Any]) -> dict[str, type]:
    return {key: type(value) for key, value in data.items()}


USERS_MODEL = """
from ktsolve import Model
from ktsolve.models import Built

def build(parameters):
    model = Model("odd ones out")
    x = [model.boolean(f"x{i}") for i in range(parameters["n"])]
    model.exactly(parameters["k"], x)
    return Built(model, lambda assignment: [i for i, literal in enumerate(x) if literal.holds(assignment)])
"""


def users_instance(folder: Path, model: str, parameters: str, more: str = "") -> str:
    (folder / "own.py").write_text(model, encoding="utf-8")
    path = folder / "own.toml"
    path.write_text(f'model = "own.py"\n[parameters]\n{parameters}\n{more}', encoding="utf-8")
    return str(path)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())
