"""Generated pages in a real browser, on desktop and phone: census, values, Python reference, notebooks.

Run by ``make test-browser`` where ``make docs`` has been run before. What holds for all pages of the site is
tested in ``test_site_browser.py``.
"""

from __future__ import annotations

from typing import Any

import pytest
from site_tools import ROOT

SITE = ROOT / "build" / "site"

# The greatest height in screens of a phone or desktop: a page that is longer is not read.
PAGES = {
    "census/open-8x9": 4,
    "values": 20,
    "python/index": 14,
    "python/find": 14,
    "python/tours": 22,
    "python/inside/tasks": 12,
    "commands/count": 12,
    "notebooks/tours": 14,
    "notebooks/graphs": 8,
}

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (SITE / "index.html").exists(), reason="there is no site: make docs"),
]


@pytest.fixture(params=[(390, "dark"), (1280, "light")], ids=str)
def opened(browser: Any, request: pytest.FixtureRequest) -> Any:
    """A page of that width, in a context of that colour scheme."""
    width, scheme = request.param
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_pages_fit_and_are_not_too_long(opened: Any, name: str) -> None:
    opened.goto((SITE / f"{name}.html").as_uri())
    width = opened.viewport_size["width"]
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    assert opened.evaluate("document.documentElement.scrollHeight") <= PAGES[name] * 900


def test_no_role_of_sphinx_is_shown(opened: Any) -> None:
    for name in ("python/tours", "python/problem", "python/inside/engines/protocols"):
        opened.goto((SITE / f"{name}.html").as_uri())
        text = opened.locator("article").inner_text()
        assert not [each for each in (":class:", ":func:", ":meth:", ":attr:", ":mod:") if each in text]


def test_signatures_wrap(opened: Any) -> None:
    opened.goto((SITE / "python/tours.html").as_uri())
    codes = opened.locator("article .doc-signature code")
    assert codes.count() > 5
    wide = codes.evaluate_all("all => all.filter(code => code.scrollWidth > code.clientWidth + 1).length")
    assert wide == 0


def test_a_notebook_can_be_downloaded(opened: Any) -> None:
    opened.goto((SITE / "notebooks/tours.html").as_uri())
    link = opened.get_by_role("link", name="Download this notebook")
    assert (SITE / "notebooks" / link.get_attribute("href")).read_bytes() == (
        ROOT / "docs/notebooks/tours.ipynb"
    ).read_bytes()
    colours = "element => getComputedStyle(element).borderLeftColor"
    first, second = (
        opened.locator(f".notebook-{kind}").first.evaluate(colours) for kind in ("input", "output")
    )
    assert first != second
    # The classes of a count are a picture.
    assert opened.locator(".ktsolve-card img[alt*='by their ends']").count() == 1


def test_the_jobs_of_a_census_are_opened_by_the_reader(opened: Any) -> None:
    opened.goto((SITE / "census/open-8x9.html").as_uri())
    row = opened.get_by_role("cell", name="29,682,561,908,734,755")
    assert not row.is_visible()
    opened.locator("article summary").click()
    assert row.is_visible()
    assert opened.locator("article img").first.evaluate("image => image.naturalWidth") > 100
