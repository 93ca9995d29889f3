"""For every run: Ctrl-C is heard, memory is bounded, and hypothesis draws the same examples each time."""

from __future__ import annotations

import resource
import signal

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
    if config.getoption("markexpr").startswith("not slow"):
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(
            resource.RLIMIT_DATA, (_MEMORY if hard == resource.RLIM_INFINITY else min(hard, _MEMORY), hard)
        )
