"""The pictures of docs/pictures.md and docs/graphs.md are those that their commands make."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = "".join((DOCS / name).read_text("utf-8") for name in ("pictures.md", "graphs.md"))
SHOWN = re.findall(r"\(pictures/([\w-]+\.svg)\)", PAGE)


def test_there_are_pictures() -> None:
    assert len(SHOWN) == len(set(SHOWN)) == 6


@pytest.mark.full
@pytest.mark.parametrize("name", SHOWN)
def test_a_picture_is_up_to_date(name: str, tmp_path: Path, forked: str) -> None:
    (command,) = re.findall(rf"^\$ (.* -o {name})$", PAGE, re.MULTILINE)
    for file, body in re.findall(r"^```text\n# file (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        (tmp_path / file).write_text(body)
    path = os.pathsep.join([forked, os.environ["PATH"]])
    subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env={**os.environ, "PATH": path}, check=True, timeout=120
    )
    assert (tmp_path / name).read_text() == (DOCS / "pictures" / name).read_text()
