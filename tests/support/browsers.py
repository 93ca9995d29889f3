"""Headless Chromium, for tests and measurements of pages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["chromium"]


@contextmanager
def chromium() -> Iterator[Any]:
    """The Chromium that ``KTSOLVE_CHROMIUM`` names, or Debian's, as an object of Playwright."""
    from playwright.sync_api import sync_playwright

    named = os.environ.get("KTSOLVE_CHROMIUM")
    path = named or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert path, "no Chromium: apt install chromium-headless-shell, or name one in KTSOLVE_CHROMIUM"
    with sync_playwright() as playwright:
        # Root has no sandbox of Chromium's; the pages are our own.
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()
