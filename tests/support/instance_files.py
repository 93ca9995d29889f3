"""Instance files that tests write."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from ktsolve.base.errors import BadInput
from ktsolve.tasks.instance import load_instance, shipped_instances

SHIPPED = {Path(path).stem: path for path in shipped_instances()}


def written(folder: Path, text: str, name: str = "asked.toml") -> Path:
    """An instance file with that text."""
    path = folder / name
    path.write_text(dedent(text), encoding="utf-8")
    return path


def complaint(path: Path | str) -> str:
    """What is wrong with a file, without the file's name, which must come first."""
    with pytest.raises(BadInput) as caught:
        load_instance(path)
    message = str(caught.value)
    assert message.isprintable()
    assert message.startswith(f"{path}: ")
    return message.removeprefix(f"{path}: ")


RING = """
model = "tour"
[parameters]
board = "3x3"
without = "b2"
closed = true
"""
