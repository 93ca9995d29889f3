"""Commands in a folder full of foreign modules run none of them."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from command import USERS_MODEL, users_instance
from marks import full

FOREIGN = (
    *(
        "click",
        "concurrent",
        "ctypes",
        "dask",
        "dataclasses",
        "importlib",
        "json",
        "multiprocessing",
        "numpy",
    ),
    *(
        "networkx",
        "numpy",
        "ortools",
        "pickle",
        "PIL",
        "pysat",
        "queue",
        "random",
        "resource",
        "rich",
        "secrets",
    ),
    *("selectors", "shutil", "socket", "sqlite3", "subprocess", "tempfile", "tomllib", "typer", "zipfile"),
)
"""Standard modules and those of dependencies, imported early or late, here or in worker processes."""

COMMANDS = {
    "tour in a worker": ("tour", "6x6", "--engine", "sat", "--memory", "2G"),
    "tour by cpsat": ("tour", "6x6", "--engine", "cpsat"),
    "count": ("count", "5x6"),
    "classes": ("count", "5x5", "--open", "--by", "endpoints"),
    "race": ("count", "graph:petersen"),
    "prove": ("prove", "4x4"),
    "solve": ("solve", "../own/own.toml"),
    "convert": ("convert", "5x6", "--format", "cnf"),
    "sudoku": ("sudoku", "random"),
    "swap": ("swap", "guarini", "--proof", "../own/proof.cnf"),
    "census": ("census", "run", "5x5", "--open", "--ledger", "../own/census.db", "--workers", "2"),
    "picture": ("draw", "5x6", "-o", "../own/board.png"),
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of modules that leave a mark when they are run, and an unbuilt ktsolve."""
    folder = tmp_path_factory.mktemp("hostile") / "folder"
    package = folder / "ktsolve"
    package.mkdir(parents=True)
    mark = f"open({str(folder / 'ran')!r}, 'a').write(__name__ + ' ')"
    for place in (*(folder / f"{name}.py" for name in FOREIGN), package / "__init__.py"):
        place.write_text(f"{mark}\nraise SystemExit(9)\n", encoding="utf-8")
    own = folder.parent / "own"
    own.mkdir()
    users_instance(own, USERS_MODEL, "n = 4\nk = 2")
    return folder


def run_there(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "arguments",
    [words if name == "solve" else full(words) for name, words in COMMANDS.items()],
    ids=COMMANDS,
)
def test_a_command_runs_nothing_from_the_current_folder(hostile: Path, arguments: tuple[str, ...]) -> None:
    ended = run_there(hostile, str(Path(sysconfig.get_path("scripts")) / "ktsolve"), *arguments)
    assert not (hostile / "ran").exists(), ((hostile / "ran").read_text("utf-8"), ended.stderr)
    assert ended.returncode in (0, 1), ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.full
def test_as_a_module_it_imports_nothing_from_the_current_folder(hostile: Path) -> None:
    # Python itself looks for the package in the current folder first, and for what it needs to find one.
    by_python = ("ktsolve", "importlib.py")
    for name in by_python:
        (hostile / name).rename(hostile / f"not-{name}")
    try:
        ended = run_there(hostile, sys.executable, "-m", "ktsolve", *COMMANDS["tour in a worker"])
    finally:
        for name in by_python:
            (hostile / f"not-{name}").rename(hostile / name)
    assert not (hostile / "ran").exists(), (hostile / "ran").read_text("utf-8")
    assert ended.returncode == 0, ended.stderr
