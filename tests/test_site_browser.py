"""The built site in a real browser, over http: its search finds, its pictures are there, it fetches nothing.

Run by ``make test-browser`` where ``make docs`` has been run before.
"""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from site_tools import ROOT

SITE = ROOT / "build" / "site"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (SITE / "index.html").exists(), reason="there is no site: make docs"),
]


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, directory=str(SITE), **named)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the site is, on this machine alone."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Quiet) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """A page that must ask nobody else."""
    opened, elsewhere = browser.new_page(viewport={"width": 1280, "height": 900}), []
    opened.set_default_timeout(15_000)
    opened.on("request", lambda request: elsewhere.append(request.url))
    yield opened
    opened.close()
    assert [url for url in elsewhere if not url.startswith((address, "data:", "blob:"))] == []


def test_the_search_finds_without_a_network(page: Any, address: str) -> None:
    page.goto(address)
    page.locator("input.md-search__input").click()
    page.keyboard.type("warnsdorff", delay=20)
    first = page.locator(".md-search-result__link").first
    first.wait_for()
    with page.expect_navigation():
        first.click()
    assert "arnsdorff" in page.locator("article").inner_text()


@pytest.mark.parametrize("name", ["index", "proofs", "divide", "symmetry", "warnsdorff", "counting", "swap"])
def test_pictures_are_there(page: Any, address: str, name: str) -> None:
    page.goto(f"{address}{name}.html")
    drawn = page.locator("article img")
    assert drawn.count() > 0
    for picture in drawn.all():
        picture.scroll_into_view_if_needed()
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
        assert picture.get_attribute("alt")


def test_the_player_plays_in_its_frame(page: Any, address: str) -> None:
    page.goto(f"{address}player.html")
    inside = page.frame_locator("iframe.player").first
    inside.locator("#forward").click()
    assert inside.locator("#place, .place").first.text_content().startswith("2 / ")
