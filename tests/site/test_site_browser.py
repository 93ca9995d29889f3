"""The built site in a real browser, over http and from a disk: search, sizes, themes, copying, accessibility.

Run by ``make test-browser`` where ``make docs`` has been run before. A page that asks another host fails.
"""

from __future__ import annotations

import http.server
import io
import re
import threading
import tomllib
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_findings import serious_findings
from PIL import Image, ImageStat
from site_tools import ROOT

SITE = ROOT / "build" / "site"
URLS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
FOLDER = urlsplit(URLS["Documentation"]).path
"""Where the site is on its host: the page for unknown addresses has absolute links."""

PHONE, TABLET, DESKTOP = 360, 768, 1280
PAGES = [
    *("index", "gallery", "commands", "values", "architecture", "census/open-8x9"),
    *("notebooks/tours", "python/find", "commands/count", "no/such/page"),
]

SMALL_CONTROLS = """() => [
        ...document.querySelectorAll('header :is(a, label), nav :is(a, label), footer a, button, .md-button')
    ].filter(each => each.checkVisibility({opacityProperty: true, visibilityProperty: true}))
    .map(each => [each.getBoundingClientRect(), each.outerHTML.slice(0, 120)])
    .filter(([box]) => box.width > 1 && (box.width < 24 || box.height < 24))
    .map(([box, text]) => `${box.width} x ${box.height}: ${text}`)"""
"""The visible controls with a side of less than 24 pixels."""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (SITE / "index.html").exists(), reason="there is no site: make docs"),
]


class _Host(http.server.SimpleHTTPRequestHandler):
    """Serves the site below its folder, and 404.html for what is not there."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, directory=str(SITE), **named)

    def translate_path(self, path: str) -> str:
        inside = path.removeprefix(FOLDER)
        return str(SITE / "none") if inside == path else super().translate_path("/" + inside)

    def send_error(self, code: int, *rest: Any) -> None:
        if code != http.HTTPStatus.NOT_FOUND:
            super().send_error(code, *rest)
            return
        body = (SITE / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the site is, on this machine alone."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Host) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{FOLDER}"
        server.shutdown()


Open = Callable[..., Any]


@pytest.fixture
def opened(browser: Any, address: str) -> Iterator[Open]:
    """A function that opens a page; in the end there must be no errors, and no requests of other hosts."""
    contexts: list[Any] = []
    elsewhere: list[str] = []
    errors: list[str] = []

    def opening(
        name: str, width: int = DESKTOP, scheme: str = "light", disk: bool = False, **how: Any
    ) -> Any:
        size = {"width": width, "height": 780 if width == PHONE else 900}
        contexts.append(browser.new_context(viewport=size, color_scheme=scheme, **how))
        page = contexts[-1].new_page()
        page.set_default_timeout(15_000)
        page.on("request", lambda request: elsewhere.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto((SITE.as_uri() + "/" if disk else address) + f"{name}.html")
        return page

    yield opening
    for context in contexts:
        context.close()
    assert errors == []
    own = (address, SITE.as_uri(), "data:", "blob:", "about:")
    assert [url for url in elsewhere if not url.startswith(own)] == []


# -- search and navigation --------------------------------------------------------------------------------


@pytest.mark.parametrize("disk", [False, True], ids=["http", "disk"])
def test_the_search_finds_without_a_network(opened: Open, disk: bool) -> None:
    page = opened("index", disk=disk)
    page.locator("input.md-search__input").click()
    page.keyboard.type("warnsdorff", delay=20)
    first = page.locator(".md-search-result__link").first
    first.wait_for()
    with page.expect_navigation():
        first.click()
    assert "arnsdorff" in page.locator("article").inner_text()


def test_pages_follow_each_other(opened: Open) -> None:
    page = opened("ten-minutes")
    page.locator(".md-footer__link--next").click()
    page.wait_for_url("**/recipes.html")
    page.locator(".md-footer__link--prev").click()
    page.wait_for_url("**/ten-minutes.html")


def test_the_navigation_of_a_page_is_short(opened: Open) -> None:
    page = opened("formats")
    assert 5 <= page.locator(".md-tabs__link:visible").count() <= 9
    assert page.locator(".md-nav--primary a.md-nav__link:visible").count() <= 15
    # On a phone the same entries are in a drawer.
    page = opened("formats", PHONE)
    page.locator('header label[for="__drawer"]').click()
    page.locator(".md-nav--primary .md-nav__item--active > .md-nav >> text=Pictures").first.wait_for()


def test_links_to_source_and_issues_are_those_of_the_project(opened: Open) -> None:
    page = opened("index")
    links = page.locator("a").evaluate_all("all => all.map(a => a.href)")
    for name in ("Source", "Issues"):
        # An address that does not exist yet is not shown.
        assert (URLS[name] in links) is not urlsplit(URLS[name]).netloc.endswith(".invalid")


def test_no_page_links_to_an_address_that_does_not_exist() -> None:
    for path in SITE.rglob("*.html"):
        assert not re.search(r'="https?://[^"/]*\.invalid\b', path.read_text("utf-8")), path


@pytest.mark.parametrize("path", ["no", "python/no/such"])
def test_an_unknown_address_has_a_page(opened: Open, address: str, path: str) -> None:
    page = opened(path)
    assert page.title() == "Page not found - ktsolve"
    assert page.locator("h1").all_inner_texts() == ["Page not found"]
    assert page.locator(".kt-lost img").evaluate("image => image.naturalWidth") > 100
    page.locator("input.md-search__input").click()
    page.keyboard.type("warnsdorff", delay=20)
    page.locator(".md-search-result__link").first.wait_for()
    page.keyboard.press("Escape")
    page.locator(".kt-lost a").first.click()
    page.wait_for_url(f"{address}index.html")


SEARCHED = {
    "slitherlink": "puzzles",
    "how many tours": "counting",
    "random tour": "sequence",
    "sudoku": "sudoku",
    "install": "install",
    "networkx": "graphs",
    "hamiltonian path": "graphs",
    "hamiltonian_cycle": "python/hamiltonian",
    "find_all": "python/find",
    "--up-to-symmetry": "symmetry",
    "--by-moves": "commands/count",
    "--rule": "warnsdorff",
    "warnsdorff": "warnsdorff",
    "impossible": "proofs",
    "certificate": "proofs",
    "minizinc": "exchange",
    "magic": "conditions",
    "graphillion": "comparison",
    "9x12": "results",
    "pdf": "pictures",
    "large board": "divide",
    "windows": "limitations",
}
"""What readers type, and the page that they look for."""


def test_the_search_leads_to_the_page_that_is_looked_for(opened: Open) -> None:
    page = opened("formats")
    wrong = {}
    for query, wanted in SEARCHED.items():
        field = page.locator("input.md-search__input")
        field.click()
        field.fill("")
        page.keyboard.type(query)
        page.wait_for_timeout(200)
        links = page.locator(".md-search-result__item > a.md-search-result__link:first-child")
        links.first.wait_for()
        first = urlsplit(links.first.get_attribute("href")).path.partition("#")[0]
        if not first.removesuffix(".html").endswith(f"/{wanted}"):
            wrong[query] = [
                each.rpartition("/site/")[2]
                for each in links.evaluate_all("all => all.slice(0, 4).map(a => a.href)")
            ]
    assert not wrong
    assert len(SEARCHED) >= 20
    assert (SITE / "search" / "search_index.js").stat().st_size < 500_000


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_is_light(opened: Open, scheme: str) -> None:
    page = opened("counting", scheme=scheme)
    page.emulate_media(media="print", color_scheme=scheme)
    page.add_style_tag(content="*, ::before, ::after { transition: none !important }")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for selector in ("body", "article h1", "article img", "article pre code"):
        assert brightness(page, selector) > 190, selector


def test_pages_have_descriptions_of_their_own() -> None:
    found = {}
    for path in [*SITE.glob("*.html"), *(SITE / "commands").glob("*.html")]:
        if path.name != "404.html":
            said = re.search(r'<meta name="description" content="([^"]+)"', path.read_text("utf-8"))
            assert said, path
            assert 20 < len(said[1]) < 260, path
            assert not re.search(r"[`\[\]]|\*\*", said[1]), (path, said[1])
            found[path] = said[1]
    assert len(set(found.values())) == len(found)


def test_the_text_is_wider_on_a_wide_screen(opened: Open) -> None:
    page = opened("formats")
    width = "document.querySelector('article').clientWidth"
    narrow = page.evaluate(width)
    page.set_viewport_size({"width": 1440, "height": 900})
    assert page.evaluate(width) > narrow + 60


def test_options_in_text_do_not_break(opened: Open) -> None:
    page = opened("counting", PHONE)
    lines = page.locator("article p code .kt-word").evaluate_all(
        "all => all.map(one => one.getClientRects().length)"
    )
    assert lines
    assert set(lines) == {1}


def test_wide_tables_keep_their_first_column(opened: Open) -> None:
    page = opened("benchmarks")
    table = page.locator(".md-typeset__scrollwrap.kt-wide").first
    assert page.locator(".kt-wide").count() > 5
    table.scroll_into_view_if_needed()
    assert "kt-on" in table.get_attribute("class")
    left = "frame => frame.querySelector('td').getBoundingClientRect().left"
    before = table.evaluate(left)
    table.evaluate("frame => frame.scrollTo(frame.scrollWidth, 0)")
    page.wait_for_timeout(200)
    assert abs(table.evaluate(left) - before) < 20
    assert "kt-on" not in table.get_attribute("class")


@pytest.mark.parametrize("width", [390, 768, 1280, 1440])
def test_results_are_cards_that_fit(opened: Open, width: int) -> None:
    page = opened("results", width)
    cards = page.locator(".kt-card")
    assert cards.count() >= 10
    wide = cards.evaluate_all("all => all.map(card => card.scrollWidth - card.clientWidth)")
    assert max(wide) <= 1
    assert not page.get_by_text("tables of 2.6e9 states").is_visible()
    cards.first.locator("summary").click()
    assert page.get_by_text("tables of 2.6e9 states").is_visible()


# -- the start page and the gallery ------------------------------------------------------------------------


def test_the_start_page_plays_any_tour_by_number(opened: Open) -> None:
    from playwright.sync_api import expect

    page = opened("index")
    inside = page.frame_locator("iframe.player")
    expect(inside.locator("#k")).to_have_value("6,633,682,205,265")
    # It plays by itself, and has prepared nothing.
    expect(inside.locator("#transport")).to_be_visible()
    before = inside.locator("#place").text_content()
    expect(inside.locator("#place")).not_to_have_text(before)
    expect(inside.locator("#running")).to_be_hidden()
    inside.locator("#slider").press("End")
    expect(inside.locator("#k")).to_have_value("13,267,364,410,531")
    expect(inside.locator("#message")).to_contain_text("Tour number 13,267,364,410,531", timeout=120_000)
    assert inside.locator("#place").text_content() == "65 / 65"
    inside.locator("#k").fill("10000000000000")
    inside.locator("#k").press("Enter")
    expect(inside.locator("#message")).to_contain_text("Tour number 10,000,000,000,000,")


def test_the_start_page_is_still_for_those_who_want_it(opened: Open) -> None:
    page = opened("index", reduced_motion="reduce")
    inside = page.frame_locator("iframe.player")
    inside.locator("html[data-ready]").wait_for()
    page.wait_for_timeout(1000)
    assert inside.locator("#place").text_content() == "65 / 65"
    page = opened("index", java_script_enabled=False)
    assert page.locator("iframe.player").count() == 0
    assert page.locator(".kt-poster").evaluate("image => image.naturalWidth") > 100
    assert (SITE / page.get_attribute(".kt-studio", "href").partition("#")[0]).exists()


@pytest.mark.parametrize("language", ["Shell", "Python", "networkx"])
def test_the_start_page_has_examples_to_copy(opened: Open, language: str) -> None:
    page = opened("index", permissions=["clipboard-read", "clipboard-write"])
    page.locator(".tabbed-labels label", has_text=language).click()
    block = page.locator(".tabbed-block:visible .highlight")
    assert block.count() == 1
    block.hover()
    block.locator("[data-md-type=copy]").click()
    page.wait_for_timeout(200)
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("ktsolve count" if language == "Shell" else "import ktsolve")


def test_the_start_page_has_buttons_and_pictures(opened: Open) -> None:
    page = opened("index")
    assert page.title().startswith("ktsolve: ")
    assert page.locator("h1").count() == 1
    buttons = page.locator(".kt-buttons a")
    assert buttons.all_inner_texts() == ["Install", "Studio", "Ten minutes", "Commands", "Python"]
    for href in buttons.evaluate_all("all => all.map(a => a.getAttribute('href'))"):
        assert (SITE / href.partition("#")[0]).exists(), href
    thumbnails = page.locator(".kt-thumbnails a")
    assert thumbnails.count() >= 6
    thumbnails.first.click()
    page.wait_for_url("**/gallery.html#*")
    assert page.evaluate("document.querySelector(location.hash) !== null")


@pytest.mark.parametrize(
    "name",
    ["index", "gallery", "proofs", "divide", "symmetry", "warnsdorff", "counting", "swap", "census/open-8x9"],
)
def test_pictures_are_there(opened: Open, name: str) -> None:
    page = opened(name)
    drawn = page.locator("article img")
    assert drawn.count() > 0
    for picture in drawn.all():
        picture.scroll_into_view_if_needed()
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
        assert picture.get_attribute("alt")


def test_the_player_plays_in_its_frame(opened: Open) -> None:
    page = opened("player")
    inside = page.frame_locator("iframe.player").first
    place = inside.locator("#place")
    before = int(place.text_content().split(" / ")[0])
    assert before > 1, "in a frame it opens in the middle of the walk"
    inside.locator("#forward").click()
    assert place.text_content().startswith(f"{before + 1} / ")


# -- themes --------------------------------------------------------------------------------


def brightness(page: Any, selector: str) -> float:
    """The mean brightness of an element as it is shown, from 0 to 255."""
    element = page.locator(selector).first
    element.scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    with Image.open(io.BytesIO(element.screenshot())) as shot:
        return float(ImageStat.Stat(shot.convert("L")).mean[0])


def toggle(page: Any) -> None:
    page.locator("form[data-md-component=palette] label:visible").click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_and_players_follow_the_theme_of_the_site(opened: Open, scheme: str) -> None:
    page = opened("index", scheme=scheme)
    shown = {"light": (200, 256), "dark": (0, 80)}
    other = "dark" if scheme == "light" else "light"
    for theme in (scheme, other):
        for selector in ("body", ".kt-thumbnails img", "iframe.player"):
            low, high = shown[theme]
            assert low <= brightness(page, selector) < high, (theme, selector)
        if theme == scheme:
            toggle(page)
    # The next page has the chosen theme, too, whatever the system has.
    page.locator(".kt-buttons a").nth(2).click()
    page.wait_for_url("**/ten-minutes.html")
    low, high = shown[other]
    assert low <= brightness(page, "article img") < high


# -- sessions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "block", "wanted"),
    [
        (
            "commands/count",
            ".language-console",
            "ktsolve count 6x6\nktsolve count 3x200\n",
        ),
        ("pictures", ".language-pycon", "import ktsolve\ntour = ktsolve.find("),
    ],
)
def test_the_copy_button_copies_input_alone(opened: Open, name: str, block: str, wanted: str) -> None:
    page = opened(name, permissions=["clipboard-read", "clipboard-write"])
    session = page.locator(f"{block}.highlight").first
    session.scroll_into_view_if_needed()
    session.hover()
    session.locator("[data-md-type=copy]").click()
    page.wait_for_timeout(200)
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(wanted)
    assert not any(sign in copied for sign in ("$ ", ">>> ", "GIF89a", "undirected"))


def test_long_commands_wrap(opened: Open) -> None:
    page = opened("gallery", PHONE)
    for code in page.locator(".kt-card pre > code").all():
        wide = code.evaluate(
            "code => [...code.querySelectorAll('.kt-input')].map(line => line.scrollWidth - line.clientWidth)"
        )
        assert max(wide) <= 1


# -- sizes and accessibility -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_its_window_and_is_accessible(opened: Open, name: str) -> None:
    # A player that plays, and colours that fade from one theme to the other, are other tests.
    page = opened(name, PHONE, reduced_motion="reduce")
    page.add_style_tag(content="*, ::before, ::after { transition: none !important }")
    for width in (PHONE, TABLET, DESKTOP):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.scrollingElement.scrollWidth") <= width
        if width != TABLET:
            assert page.evaluate(SMALL_CONTROLS) == []
            assert serious_findings(page) == [], width
            toggle(page)


def test_links_in_text_are_underlined(opened: Open) -> None:
    page = opened("ten-minutes")
    links = page.locator("article p a:not(.headerlink)")
    lines = links.evaluate_all("all => all.map(a => getComputedStyle(a).textDecorationLine)")
    assert len(lines) > 5
    assert set(lines) == {"underline"}
