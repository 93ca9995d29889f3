"""Tasks of the studio's worker, run in Node: its answers without a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import ktsolve
from ktsolve.wings.studio.page import WORK

__all__ = ["answers", "needs_node"]

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")

_PACKAGE = Path(ktsolve.__file__).parent
_PROGRAM = Path(__file__).with_name("studio_core.js")


def answers(*tasks: dict[str, Any], memory: float = 1.8e9) -> list[dict[str, Any]]:
    """The answers of tasks such as ``{"task": "count", "fields": {"board": "6x6"}}``, one after the other."""
    studio = _PACKAGE / "wings" / "studio"
    scripts = [_PACKAGE / "render" / name if "/" in name else studio / name for name in WORK]
    done = subprocess.run(
        ["node", str(_PROGRAM), str(studio), *map(str, scripts)],
        input=json.dumps({"tasks": tasks, "bytes": memory}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found
