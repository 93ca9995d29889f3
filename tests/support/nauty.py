"""Programs of nauty (Debian's package ``nauty``), where they are installed, for comparison."""

from __future__ import annotations

import shutil
import subprocess

import pytest

__all__ = ["cubic", "nauty", "needs_nauty"]

needs_nauty = pytest.mark.skipif(
    shutil.which("nauty-cubhamg") is None, reason="nauty is not installed (apt install nauty)"
)


def nauty(program: str, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program of nauty."""
    command = [f"nauty-{program}", *arguments]
    return subprocess.run(command, input=given, text=True, capture_output=True, check=True)


def cubic(order: int) -> str:
    """All connected cubic graphs of an order, in graph6."""
    return nauty("geng", "-qcd3D3", str(order)).stdout
