"""The tools that build the site, which stand outside the package."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def site_tool(name: str) -> Any:
    """A module of ``tools/site``."""
    folder = str(ROOT / "tools" / "site")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module(name)
