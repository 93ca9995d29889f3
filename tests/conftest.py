"""For every run: Ctrl-C is heard, memory is bounded, hypothesis draws the same examples; and a browser."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("same", derandomize=True, database=None)
settings.load_profile("same")
"""A run that passed passes again; ``make test-random`` looks for what these examples miss."""

_MEMORY = 6 << 30
"""Bytes of data for a process: one that goes astray fails by itself, and does not take the machine along."""


def pytest_configure(config: pytest.Config) -> None:
    # A shell script's job in the background ignores Ctrl-C, and so would all processes that the tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.platform != "win32" and config.getoption("markexpr").startswith("not slow"):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(
            resource.RLIMIT_DATA, (_MEMORY if hard == resource.RLIM_INFINITY else min(hard, _MEMORY), hard)
        )


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium."""
    from playwright.sync_api import sync_playwright

    path = os.environ.get("KTSOLVE_CHROMIUM") or shutil.which("chromium")
    assert path, "no Chromium: apt install chromium, or name one in KTSOLVE_CHROMIUM"
    with sync_playwright() as playwright:
        # Root has no sandbox of Chromium's; the pages are our own.
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()
