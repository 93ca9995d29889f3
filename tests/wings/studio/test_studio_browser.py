"""The studio in a browser: each screen, links, cancelling, sizes, accessibility.

Run by ``make test-browser``, which installs Chromium and Playwright.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from axe_findings import serious_findings
from player_pages import DESKTOP, PHONE, Open, until

import ktsolve
from ktsolve.formats.tours.files import read_tours
from ktsolve.graphs.board import Board
from ktsolve.problem.problem import TourProblem
from ktsolve.render.player import player_html
from ktsolve.wings.studio.page import studio_html

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def html() -> str:
    return studio_html()


@pytest.fixture
def started(opened: Open, html: str) -> Open:
    """A function that opens the studio, or the page ``around``; it has started when it is returned."""

    def opening(around: str = html, **how: Any) -> Any:
        page = opened(around=around, **how)
        page.locator("html[data-ready]").wait_for()
        return page

    return opening


def text(page: Any, name: str) -> str:
    return str(page.locator(f"#{name}").text_content())


def fill(page: Any, name: str, value: str) -> None:
    page.fill(f"#f-{name}", value)
    page.press(f"#f-{name}", "Tab")


def follow(page: Any, link: str) -> None:
    page.evaluate("(link) => { location.hash = link; }", link)


def shows(page: Any, name: str, words: str) -> None:
    until(page, lambda: words in text(page, name))


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_screen_is_accessible_and_fits(started: Open, size: tuple[int, int], scheme: str) -> None:
    page = started(size=size, scheme=scheme)
    shows(page, "found", "A closed tour of 64 cells.")
    assert page.get_attribute("#theme", "aria-pressed") == str(scheme == "dark").lower()
    for screen in ("find", "number", "count", "puzzle"):
        page.click(f"#show-{screen}")
        if screen == "puzzle":
            shows(page, "puzzle-about", "there is one solution")
        assert serious_findings(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_conditions_by_fields_clicks_and_drags(started: Open) -> None:
    page = started()
    fill(page, "board", "6x6")
    shows(page, "found", "36 cells")
    side = (page.locator("#board").bounding_box()["width"] - 26) / 6

    def centre(column: int, row: int) -> dict[str, float]:
        return {"x": 20 + (column + 0.5) * side, "y": 4 + (row + 0.5) * side}

    page.locator("#board").click(position=centre(0, 5))
    assert page.input_value("#f-without") == "a1"
    shows(
        page,
        "found",
        "35 cells" if page.input_value("#f-tours") == "open" else "Every move changes the colour",
    )
    assert page.locator("#overlay .hole").count() == 1
    assert page.locator("#overlay .why").count() == 17
    page.locator("#board").click(position=centre(0, 5))
    shows(page, "found", "36 cells")
    for expected in (("a1-b3", ""), ("", "a1-b3"), ("", "")):
        page.locator("#board").drag_to(
            page.locator("#board"), source_position=centre(0, 5), target_position=centre(1, 3)
        )
        assert (page.input_value("#f-require"), page.input_value("#f-forbid")) == expected
        shows(page, "found", "a1 has fewer" if expected[1] else "36 cells")
    fill(page, "require", "a1-b4")
    assert text(page, "message") == "The piece does not move from a1 to b4."


def test_tours_by_number_links_and_pasting(started: Open) -> None:
    page = started()
    follow(page, "show=number&board=5x6&tours=open&k=100")
    shows(page, "message", "Tour number 100")
    ranked = ktsolve.tours(TourProblem(board="5x6", closed=False), engine="join")
    assert f"{ranked.count:,} open tours" in text(page, "prepared")
    assert ranked.order in text(page, "prepared")
    assert text(page, "command") == "ktsolve unrank 5x6 --open 100 --engine join"
    assert page.get_attribute("#link", "href") == "#show=number&board=5x6&tours=open&k=100"
    with page.expect_download() as saved:
        page.click("#save-json")
    (tour,) = read_tours(Path(saved.value.path()).read_text("utf-8"))
    assert tour == ranked[100]
    page.click("#next")
    shows(page, "message", "Tour number 101")
    page.evaluate("() => { slider.value = slider.max; slider.dispatchEvent(new Event('input')); }")
    shows(page, "message", f"Tour number {ranked.count - 1:,}")
    page.fill("#pasted", ranked[77].names())
    page.click("#rank")
    shows(page, "message", "Tour number 77,")
    page.fill("#pasted", "a1 a2")
    page.click("#rank")
    assert text(page, "message") == "The tour has 2 cells, the board 30."
    for number in ("-1", str(ranked.count), "x"):
        page.fill("#k", number)
        page.press("#k", "Enter")
        shows(page, "message", f"is not a number from 0 to {ranked.count - 1:,}.")
    page.click("#random")
    shows(page, "message", "Tour number")


def test_a_tour_that_is_drawn_has_a_number(started: Open) -> None:
    page = started()
    follow(page, "show=number&board=3x4&tours=open")
    shows(page, "found", "12 cells")
    ranked = ktsolve.tours(TourProblem(board="3x4", closed=False), engine="join")
    side = (page.locator("#board").bounding_box()["width"] - 26) / 4

    def click(cell: tuple[int, int]) -> None:
        row, column = cell
        page.locator("#board").click(position={"x": 20 + (column + 0.5) * side, "y": 4 + (row + 0.5) * side})

    first, *others = ranked[5].squares
    click(first)
    click((0, 0) if first != (0, 0) else (0, 1))
    shows(page, "message", "The piece does not move from")
    for cell in others:
        click(cell)
    shows(page, "message", "Tour number 5,")
    link = page.get_attribute("#link", "href")
    assert link == "#show=number&board=3x4&tours=open&k=5"


def test_a_frame_shows_a_given_tour_and_then_any_by_number(started: Open) -> None:
    ranked = ktsolve.tours("6x6", engine="join")
    page = started(reduced_motion="reduce")
    follow(page, f"view=tour&show=number&board=6x6&tour={ranked[3].names().replace(' ', '-')}")
    until(page, lambda: page.get_attribute("#board", "aria-label").startswith("6x6: "))
    assert page.locator("#pasted").is_hidden()
    assert page.locator("#problem").is_hidden()
    assert serious_findings(page) == []
    assert text(page, "place") == "37 / 37"
    assert page.get_attribute("#whole", "href") == "#show=number&board=6x6"
    follow(page, "board=6x6&tour=a1-b3")
    shows(page, "message", "The tour has 2 cells")


def test_a_page_that_plays_tours_opens_them_here(opened: Open, started: Open, html: str) -> None:
    board = Board.parse("5x6", without="a1,f5")
    tour = ktsolve.find(board, closed=False).tour
    assert tour is not None
    page = opened(around=player_html([tour], studio="studio.html"))
    link = page.get_attribute(".studio", "href")
    address, _, fragment = link.partition("#")
    assert address == "studio.html"
    page = started()
    follow(page, fragment)
    shows(page, "found", "An open tour of 28 cells, from the link.")
    with page.expect_download() as saved:
        page.click("#save-json")
    assert read_tours(Path(saved.value.path()).read_text("utf-8")) == [tour]


def test_symmetric_and_smoother_tours(started: Open) -> None:
    page = started()
    fill(page, "board", "6x6")
    shows(page, "found", "36 cells")
    page.click("#symmetric")
    shows(page, "found", "A tour equal to its images under rot90: the search has shown that no larger group")
    page.click("#smoother")
    shows(page, "found", "crossings of moves")


def test_a_puzzle_is_solved_with_hints(started: Open) -> None:
    page = started()
    clues = "1=c3 7=d4 19=a1 24=d3"
    follow(page, f"show=puzzle&board=5x5&tours=open&at={clues.replace(' ', '+')}")
    shows(page, "puzzle-about", "there is one solution")
    given = {int(step): cell for step, cell in (each.split("=") for each in clues.split())}
    problem = TourProblem(board="5x5", closed=False, at=given)
    tour = ktsolve.find(problem).tour
    assert tour is not None
    assert page.locator("#overlay .clue").count() == 4
    assert "1 on c3, 7 on d4" in page.get_attribute("#board", "aria-label")
    with page.expect_download() as saved:
        page.click("#save-svg")
    drawn = ElementTree.parse(saved.value.path()).getroot()
    assert {"1", "7", "19", "24"} <= {each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")}
    page.click("#puzzle-hint")
    shows(page, "puzzle-said", "Step ")
    page.click("#puzzle-clear")
    for step, cell in enumerate(tour.squares, 1):
        if step not in given:
            assert page.input_value("#puzzle-step") == str(step)
            page.fill("#puzzle-cell", problem.board.name(cell))
            page.press("#puzzle-cell", "Enter")
    shows(page, "puzzle-said", "Solved in 0:")
    assert page.locator("#overlay .placed").count() == 21
    assert page.get_attribute("#link", "href").startswith("#show=puzzle&board=5x5&tours=open&at=1%3Dc3")
    fill(page, "board", "5x6")
    until(page, lambda: page.locator("#overlay .placed").count() == 0)
    shows(page, "puzzle-about", "there is one solution")
    assert page.input_value("#f-at") != clues


@pytest.mark.parametrize(
    ("crash", "broken"),
    [
        ("find({ fields, seed }) {", "if (seed === 2) throw new Error('broken');"),
        # Outside of every task: the page hears of it by the worker's onerror.
        (
            "onmessage = async ({ data }) => {",
            "if (data.seed === 2) { setTimeout(() => { throw new Error('broken'); }); return; }",
        ),
    ],
    ids=["in a task", "by an error"],
)
def test_a_crashed_worker_is_replaced(started: Open, html: str, crash: str, broken: str) -> None:
    assert html.count(crash) == 1
    page = started(around=html.replace(crash, f"{crash} {broken}"))
    shows(page, "found", "64 cells")
    page.click("#another")
    shows(page, "message", "was replaced: try again")
    page.click("#another")
    shows(page, "found", "64 cells")


def test_counts_with_conditions(started: Open) -> None:
    page = started()
    follow(page, "show=count&board=5x6&tours=open&start=a1&forbid=b3-d4")
    page.click("#start-count")
    number = ktsolve.count(TourProblem(board="5x6", closed=False, start="a1", forbid=["b3-d4"])).count
    shows(page, "counted", f"{number:,} open tours.")
    follow(page, "show=count&board=30x30")
    page.click("#start-count")
    shows(page, "message", "more than the page tries: run the command below.")
    assert text(page, "command") == "ktsolve count 30x30"


def test_a_bare_graph(started: Open) -> None:
    page = started()
    page.locator("#bare summary").click()
    page.select_option("#named", "petersen")
    shows(page, "found", "There is no tour")
    assert text(page, "command") == "ktsolve tour graph:petersen"
    page.select_option("#f-tours", "open")
    shows(page, "found", "A Hamiltonian path of 10 vertices.")
    assert serious_findings(page) == []
    page.click("#show-count")
    page.click("#start-count")
    shows(page, "counted", "120 paths.")
    link = page.get_attribute("#link", "href")
    fill(page, "graph", "a a")
    assert text(page, "message") == "The edge “a a” is a loop: leave it out."
    follow(page, link.removeprefix("#") + "&start=")
    shows(page, "found", "A Hamiltonian path of 10 vertices.")
    fill(page, "graph", "a b\nb 'c")
    shows(page, "found", "A Hamiltonian path of 3 vertices.")
    assert text(page, "command") == r"printf '%s %s\n' a b  b ''\''c' | ktsolve count - --open"


def test_a_long_task_is_cancelled_and_the_page_goes_on(started: Open) -> None:
    page = started()
    follow(page, "show=number&board=8x8&tours=open")
    page.click("#prepare")
    page.wait_for_selector("#progress[value]")
    page.click("#cancel", timeout=1000)
    assert text(page, "message") == "Cancelled."
    assert page.locator("#running").is_hidden()
    fill(page, "board", "5x5")
    page.click("#prepare")
    shows(page, "prepared", "864 open tours")


@pytest.mark.parametrize(
    "link", ["nonsense", "show=everything", "board=8by8", "show=number&k=1e9", "require=a1-b9"]
)
def test_damaged_links_are_named(started: Open, link: str) -> None:
    page = started()
    follow(page, link)
    shows(page, "message", "The link is damaged")
    shows(page, "found", "A closed tour of 64 cells.")


def test_playing_and_saving(started: Open) -> None:
    page = started()
    shows(page, "found", "64 cells")
    assert text(page, "place") == "65 / 65"
    page.click("#back")
    assert text(page, "place") == "64 / 65"
    page.click("#play")
    until(page, lambda: text(page, "place") == "65 / 65")
    for button, opening in (("svg", b"<svg"), ("png", b"\x89PNG"), ("json", b'{"board"')):
        with page.expect_download() as saved:
            page.click(f"#save-{button}")
        assert Path(saved.value.path()).read_bytes().startswith(opening)
    assert json.loads(Path(saved.value.path()).read_text("utf-8"))["closed"] is True


def test_a_device_without_enough_memory_gets_a_sentence(started: Open, html: str) -> None:
    memory = "(navigator.deviceMemory ?? 8)"
    assert html.count(memory) == 1
    page = started(around=html.replace(memory, "0.05"))
    follow(page, "show=count&board=7x7&tours=open")
    page.click("#start-count")
    shows(page, "message", "has not enough memory for it: run the command below.")
    assert text(page, "command") == "ktsolve count 7x7 --open"


def test_a_browser_without_webassembly_gets_a_sentence(opened: Open, html: str) -> None:
    page = opened(around=html.replace("<script>\n", "<script>\ndelete window.WebAssembly;\n", 1))
    shows(page, "message", "does not run WebAssembly")


def test_nothing_is_entered_before_the_studio_has_started(opened: Open, html: str) -> None:
    core = 'await unpacked("core").arrayBuffer()'
    assert html.count(core) == 1
    waiting = f"(await new Promise((done) => addEventListener('go', done)), {core})"
    page = opened(around=html.replace(core, waiting))
    controls = "main :is(input, select, button, textarea, a), header button"
    reached = f"""[...document.querySelectorAll("{controls}")].filter((each) => {{
        each.focus();
        return document.activeElement === each;
    }}).length"""
    assert page.evaluate(reached) == 0
    page.evaluate("dispatchEvent(new Event('go'))")
    page.locator("html[data-ready]").wait_for()
    assert page.evaluate(reached) > 20
    fill(page, "board", "6x6")
    shows(page, "found", "36 cells")
