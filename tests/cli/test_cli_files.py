"""Output to files: what is replaced, kept, followed and refused."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from command import Said, answered, names_in, process, refused, tours_in


def test_output_goes_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "out"
    for arguments in (
        ["tour", "5x6"],
        ["tour", "5x6", "--all"],
        ["tour", "5x6", "--json"],
        ["tour", "5x6", "--all", "--json"],
        ["count", "5x6"],
        ["count", "5x6", "--json"],
        ["solve", "guarini-ring", "--json"],
    ):
        said = answered(*arguments, "-q", "-o", str(path))
        assert said == Said(0, "", ""), arguments
        printed = answered(*arguments, "-q").out
        erased = [re.sub(r'"(seconds|\w+_ms)": [\d.e-]+', "", text) for text in (path.read_text(), printed)]
        assert erased[0] == erased[1], arguments
    assert names_in(tmp_path) == ["out"]
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.touch(0o600)
    answered("count", "5x6", "-q", "-o", str(path))
    assert path.read_text() == "closed 5x6: 8 undirected tours\n"
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_dash_is_standard_output() -> None:
    assert answered("count", "5x6", "-q", "-o", "-").out == "closed 5x6: 8 undirected tours\n"


def test_no_tour_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "out"
    for arguments in (["4x4"], ["4x4", "--all"], ["4x4", "--open", "--all"]):
        assert answered("tour", *arguments, "-o", str(path), status=1).out.startswith("no tour: ")
    assert names_in(tmp_path) == []


def test_a_failure_leaves_an_old_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("old\n")
    assert "TiB" in refused("tour", "1000000x1000000", "--memory", "1G", "-o", str(path), status=3)
    assert path.read_text() == "old\n"
    assert names_in(tmp_path) == ["out"]


@pytest.mark.full
def test_a_list_that_is_cut_short_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "out"
    arguments = ["tour", "8x8", "--all", "--format=cells", "--timeout", "0.5"]
    message = refused(*arguments, "-o", str(path), status=3)
    assert message.startswith("stopped at the time limit of 0.5 s")
    tours = tours_in(path.read_text(), "8x8", closed=True)
    assert len({tour.normalised() for tour in tours}) == len(tours) > 10
    assert names_in(tmp_path) == ["out"]


@pytest.mark.full
def test_a_link_is_followed_and_a_pipe_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    answered("count", "5x6", "-q", "-o", str(tmp_path / "link"))
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "closed 5x6: 8 undirected tours\n"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as reader:
        try:
            assert process("count", "5x6", "-q", "-o", str(pipe)) == Said(0, "", "")
            assert reader.communicate(timeout=20)[0] == "closed 5x6: 8 undirected tours\n"
        finally:
            reader.kill()
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("nowhere/out", "No such file or directory"),
        ("", "Is a directory"),
        (".", "Is a directory"),
        ("new/", "Is a directory"),
        ("x" * 300, "File name too long"),
        ("a\0b", "embedded null byte"),
        ("file/out", "Not a directory"),
    ],
)
@pytest.mark.parametrize(
    "command", [["tour", "5x6"], ["count", "20x20"], ["solve", "closed-6x6"], ["check", "-"]]
)
def test_a_file_that_cannot_be_written_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str, why: str, command: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    assert refused(*command, "-o", output) == f"cannot write {output}: {why}".replace("\0", "\\x00")
    assert names_in(tmp_path) == ["file"]


def test_a_locked_folder(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o555)
    if os.access(locked, os.W_OK):
        pytest.skip("nothing is locked for the superuser")
    path = locked / "out"
    assert refused("count", "5x6", "-o", str(path)) == f"cannot write {path}: Permission denied"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("clues make 6x6 --on hearth.png", "--on hearth.png: there is no such file"),
        ("clues make 6x6 --keep ./hearth", "--keep ./hearth: there is no such file"),
        ("clues make hearth.txt", "hearth.txt: there is no such file"),
        ("walk hearth.txt", "hearth.txt: there is no such file"),
        ("count hearth.txt", "hearth.txt: cannot be read: No such file or directory"),
        ("tour 3x4 --clues hearth", "hearth: cannot be read: No such file or directory"),
        ("check tour.txt --board hearth.xyz", "hearth.xyz: cannot be read: No such file or directory"),
        ("rank hearth.txt tour.txt", "hearth.txt: cannot be read: No such file or directory"),
        ("sudoku solve hearth.sdk", "there is no file hearth.sdk"),
        ("tour 3x4 --open --clues bad.txt", "bad.txt: line 1, entry 4 of the clues: '1O'"),
        ("rank 3x4 bad.txt --open", "bad.txt: line 1, entry 4: '1O' is not a step number"),
        ("play tour.txt bad.txt", "bad.txt: line 1, entry 4: '1O' is not a step number"),
    ],
)
def test_a_missing_file_is_one_and_the_file_with_the_fault_is_named(
    line: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tour.txt").write_text("1 4 7 10\n8 11 2 5\n3 6 9 12\n", encoding="utf-8")
    Path("bad.txt").write_text("1 4 7 1O\n8 11 2 5\n3 6 9 12\n", encoding="utf-8")
    assert refused(*line.split()).startswith(message)
