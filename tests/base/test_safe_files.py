"""New files appear whole or not at all; temporary folders go with the process."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import names_in

from ktsolve.base.files import new_file, temporary_folder


@pytest.fixture(params=["without a name", "with a name"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "with a name":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    elif not hasattr(os, "O_TMPFILE"):
        pytest.skip("this system has no files without a name")
    return str(request.param)


@pytest.mark.parametrize("before", [None, b"old"])
def test_a_file_appears_whole(tmp_path: Path, before: bytes | None, way: str) -> None:
    path = tmp_path / "out"
    if before is not None:
        path.write_bytes(before)
        path.chmod(0o640)
    with new_file(path) as stream:
        stream.write(b"new ")
        stream.flush()
        names = names_in(tmp_path)
        assert before is None or path.read_bytes() == before
        stream.write(b"text")
        stream.seek(0)
        stream.write(b"N")
    assert len(names) == (before is not None) + (way == "with a name")
    assert path.read_bytes() == b"New text"
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == (0o666 & ~mask if before is None else 0o640)
    assert names_in(tmp_path) == ["out"]


@pytest.mark.parametrize("keep", [False, True])
def test_a_failure_leaves_the_old_file_or_what_was_written(tmp_path: Path, keep: bool) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")

    def write_half() -> None:
        with new_file(path, keep=keep) as stream:
            stream.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert path.read_bytes() == (b"half" if keep else b"old")
    with new_file(path):
        pass  # no answer
    assert path.read_bytes() == (b"half" if keep else b"old")
    assert names_in(tmp_path) == ["out"]


def test_a_link_stays_and_a_device_is_written(tmp_path: Path) -> None:
    link, real = tmp_path / "link", tmp_path / "real"
    link.symlink_to(real)
    with new_file(link) as stream:
        stream.write(b"text")
    assert link.is_symlink()
    assert real.read_bytes() == b"text"
    with new_file("/dev/null") as stream:
        stream.write(b"text")
    with pytest.raises(FileNotFoundError), new_file(tmp_path / "none" / "out"):
        pass


FOLDER = """
import pathlib, sys, time
from ktsolve.base.files import temporary_folder
with temporary_folder() as folder:
    (pathlib.Path(folder) / "table").write_text("x")
    print(folder, flush=True)
    time.sleep(600)
"""


@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX does it")
def test_a_folder_goes_with_a_process_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", FOLDER], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        folder = Path(running.stdout.readline().strip())
        assert (folder / "table").exists()
        running.send_signal(signal.SIGKILL)
    until = time.monotonic() + 30
    while folder.exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert not folder.exists()
    with temporary_folder() as name:
        Path(name, "table").write_text("x")
    assert not Path(name).exists()
