"""For every run: Ctrl-C is heard, memory is bounded, hypothesis draws the same examples. And a browser."""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from player_pages import Open

    from ktsolve.graphs.tour import Tour
    from ktsolve.problem.longest import LongestProblem
    from ktsolve.render.player import Trace

settings.register_profile("full", derandomize=True, database=None, max_examples=20)
settings.register_profile("quick", settings.get_profile("full"), max_examples=10)
settings.load_profile("quick")
"""A run that passed passes again; ``make test-random`` looks for what these examples miss.

``make test-all`` takes two of ten examples, ``make test`` one in ten, and ``make test-random`` all.
"""

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


def pytest_collection_finish() -> None:
    """Leave thousands of tests and modules out of every search for garbage: a tenth of all the work.

    Hypothesis before 6.137 asks who refers to NumPy's generator, hears of nobody that is frozen, and warns.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def forked() -> Iterator[str]:
    """A folder with a program ``ktsolve`` that starts in hundredths of a second (:mod:`fork_server`)."""
    from fork_server import fork_server

    with fork_server() as folder:
        yield folder


@pytest.fixture
def thread_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are threads, which start at once (:mod:`thread_workers`)."""
    from thread_workers import ThreadWorker

    monkeypatch.setattr("ktsolve.base.workers._Worker", ThreadWorker)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium."""
    from browsers import chromium

    with chromium() as started:
        yield started


@pytest.fixture
def messages() -> list[str]:
    """Errors and console messages of the pages."""
    return []


@pytest.fixture
def opened(browser: Any, tmp_path: Path, messages: list[str]) -> Iterator[Open]:
    """A function that opens a page; at the end there must be no messages and no requests."""
    from ktsolve.graphs.tour import Tour
    from ktsolve.render.player import player_html

    contexts: list[Any] = []
    requests: list[str] = []

    def opening(
        *shown: Tour | Trace,
        size: tuple[int, int] = (1280, 820),
        scheme: str = "light",
        names: tuple[str, ...] = (),
        walks: Sequence[tuple[Tour, LongestProblem]] = (),
        around: str | None = None,
        **how: Any,
    ) -> Any:
        """Open a page of the player; or the page ``around``, which may show it, ``page.html``, in a frame."""
        file = tmp_path / "page.html"
        if shown or walks:
            tours = [one for one in shown if isinstance(one, Tour)]
            traces = [one for one in shown if not isinstance(one, Tour)]
            page_text = player_html(tours, traces, walks=walks, names=names)
            file.write_text(page_text, encoding="utf-8")
        if around is not None:
            file = tmp_path / "around.html"
            file.write_text(around, encoding="utf-8")
        width, height = size
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, **how)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(file.as_uri())
        return page

    yield opening
    for context in contexts:
        context.close()
    # Only tests read the canvas.
    assert [words for words in messages if "willReadFrequently" not in words] == []
    assert [url for url in requests if not url.startswith(("file:", "blob:", "data:"))] == []
