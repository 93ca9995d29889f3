"""The page of the player in a browser: sizes of windows, frames, magnified boards, themes, accessibility.

Run by ``make test-browser``, which installs Chromium and Playwright.
"""

from __future__ import annotations

import itertools
import re
from typing import Any

import networkx
import pytest
from axe_findings import serious_findings
from player_pages import (
    DESKTOP,
    PHONE,
    PHONE_ON_ITS_SIDE,
    Open,
    centre_of_knight,
    closed,
    facts,
    knight,
    place,
    scrub,
    until,
)

import ktsolve
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.render.scene.theme import THEMES, blend
from ktsolve.tasks.find import find_all

pytestmark = pytest.mark.browser

TOUCH = {"is_mobile": True, "has_touch": True, "device_scale_factor": 2}


def graph_tour() -> Tour:
    tour = ktsolve.find(
        TourProblem(board=Graph.from_networkx(networkx.dodecahedral_graph()), closed=True)
    ).tour
    assert tour is not None
    return tour


def background(page: Any) -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


def test_dark_by_preference_and_by_switch(opened: Open) -> None:
    tour = closed("6x6")
    light, dark = opened(tour), opened(tour, scheme="dark")
    assert background(light) != background(dark)
    brightness = [sum(map(int, re.findall(r"\d+", background(page)))) for page in (light, dark)]
    assert brightness[0] > 600
    assert brightness[1] < 150
    assert dark.locator("#theme").get_attribute("aria-pressed") == "true"
    light.locator("#theme").click()
    assert background(light) == background(dark)
    pixel = "document.querySelector('canvas').getContext('2d').getImageData(30, 30, 1, 1).data.join()"
    assert light.evaluate(pixel) == dark.evaluate(pixel)
    light.keyboard.press("t")
    assert background(light) != background(dark)


# -- sizes of windows ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2])
def test_a_phone(opened: Open, number: int) -> None:
    tours = [closed("8x8", seed) for seed in range(number)]
    page = opened(*tours, size=PHONE, **TOUCH)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    for button in page.locator(".transport button").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 44
    play = page.locator("#footer").bounding_box()
    assert play["y"] + play["height"] <= PHONE[1], "within reach"
    boards = [board.bounding_box() for board in page.locator(".board").all()]
    assert len(boards) == number
    for board in boards:
        assert board["width"] > (330 if number == 1 else 250)
        assert board["y"] >= 0
        assert board["y"] + board["height"] <= play["y"], "both are seen at once"
    page.locator("#forward").tap()
    assert place(page) == "2 / 65"


def test_a_phone_has_all_that_is_needed_above_the_fold(opened: Open) -> None:
    page = opened(closed("8x8"), size=PHONE, **TOUCH)
    assert page.evaluate("document.documentElement.scrollHeight") <= PHONE[1]
    page.locator("#more").tap()
    for control in ("#numbers", "#access", "#candidates", "#speed", "#cell", "#keys", "#theme"):
        box = page.locator(control).bounding_box()
        assert box["y"] >= 0, control
        assert box["y"] + box["height"] <= PHONE[1], control


@pytest.mark.parametrize("size", [(768, 1024), (800, 900)], ids=str)
def test_a_tablet_has_the_options_above_the_fold(opened: Open, size: tuple[int, int]) -> None:
    for tour in (closed("8x8"), graph_tour()):
        page = opened(tour, size=size)
        assert page.evaluate("document.documentElement.scrollHeight") <= size[1]
        for control in ("#numbers", "#access", "#candidates", "#speed", "#cell", "#status"):
            box = page.locator(control).bounding_box()
            assert box["y"] + box["height"] <= size[1], control


@pytest.mark.parametrize("size", [(1280, 800), (1440, 900)], ids=str)
def test_the_board_takes_the_height_that_there_is(opened: Open, size: tuple[int, int]) -> None:
    page = opened(closed("8x8"), size=size)
    board, footer = (page.locator(each).bounding_box() for each in (".board", "#footer"))
    assert page.evaluate("document.documentElement.scrollHeight") <= size[1]
    assert board["height"] > 0.68 * size[1]
    assert footer["y"] - (board["y"] + board["height"]) < 24


def test_the_page_around_a_frame_chooses_a_walk_and_plays_it(opened: Open) -> None:
    tours = [closed("6x6", seed) for seed in range(3)]
    page = opened(*tours, names=("one", "two", "three"), around=AROUND.format(height=420))
    frame = page.frame_locator("iframe")
    page.evaluate("frames[0].postMessage({ktsolve: {walk: 2}}, '*')")
    until(page, lambda: frame.locator("#place").text_content() == "37 / 37")
    assert frame.locator("h2").first.text_content() == "three"
    assert not frame.locator(".chooser").first.is_visible()
    for wrong in ("{walk: 3}", "{walk: -1}", "{walk: 'a'}", "{play: 1}", "{}"):
        page.evaluate(f"frames[0].postMessage({{ktsolve: {wrong}}}, '*')")
    page.wait_for_timeout(200)
    assert frame.locator("#place").text_content() == "37 / 37"
    assert frame.locator("h2").first.text_content() == "three"
    page.evaluate("frames[0].postMessage({ktsolve: {play: true}}, '*')")
    until(page, lambda: frame.locator("#place").text_content() in ("1 / 37", "2 / 37", "3 / 37"))


@pytest.mark.parametrize("number", [1, 2])
def test_a_phone_on_its_side(opened: Open, number: int) -> None:
    page = opened(*(closed("8x8", seed) for seed in range(number)), size=PHONE_ON_ITS_SIDE, **TOUCH)
    wide, high = PHONE_ON_ITS_SIDE
    assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
        wide,
        high,
    ]
    for board in page.locator(".board").all():
        box = board.bounding_box()
        assert box["height"] > 270
        assert box["y"] + box["height"] <= page.locator("#footer").bounding_box()["y"]
    for control in ("#play", "#forward", "#scrub", "#more", ".save"):
        box = page.locator(control).first.bounding_box()
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= wide
        assert box["y"] + box["height"] <= high
    assert not page.locator("#numbers").is_visible()
    page.locator("#more").tap()
    assert page.locator("#more").get_attribute("aria-expanded") == "true"
    page.locator("#numbers").tap()
    assert not page.locator("#numbers").is_checked()
    page.keyboard.press("Escape")
    assert not page.locator("#numbers").is_visible()


@pytest.mark.parametrize("width", [320, 560, 768, 1280])
def test_nothing_is_wider_than_the_window(opened: Open, width: int) -> None:
    one, other = closed("8x8"), closed("8x8", 3)
    for shown in ((one,), (one, other), (one, other, closed("30x30")), (graph_tour(),), (closed("3x30"),)):
        page = opened(*shown, size=(width, 900), names=("a long name of a file of tours.txt", "another.txt"))
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for one_control in page.locator("button:visible, select:visible, input:visible").all():
            box = one_control.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width


def test_controls_are_at_least_24_pixels_large(opened: Open) -> None:
    shown = (closed("6x6"), closed("6x6", 3), closed("5x6"))
    for size in (DESKTOP, PHONE, PHONE_ON_ITS_SIDE):
        page = opened(*shown, size=size)
        if page.locator("#more").is_visible():
            page.locator("#more").click()
        for control in page.locator("button:visible, select:visible, input:visible").all():
            box = control.bounding_box()
            assert min(box["width"], box["height"]) >= 24, control.get_attribute("id")


# -- frames -------------------------------------------------------------------------------------------------

AROUND = """<!doctype html><html lang="en"><title>Around</title><body style="background: white">
<iframe src="page.html" title="A tour" style="width: 100%; height: {height}px; border: 0" allowfullscreen>
</iframe>
<script>
const tell = (frame) => frame.postMessage({{ktsolve: {{theme: window.theme ?? "dark"}}}}, "*");
addEventListener("message", ({{data, source}}) => {{ if (data?.ktsolve === "theme?") tell(source); }});
</script>
"""


@pytest.mark.parametrize(("width", "height"), [(360, 420), (600, 400), (900, 360), (700, 700)])
def test_in_a_frame_it_fits_the_frame_and_is_under_way(opened: Open, width: int, height: int) -> None:
    page = opened(closed("8x8"), size=(width, 900), around=AROUND.format(height=height))
    frame = page.frame_locator("iframe")
    assert frame.locator("#place").text_content() == "26 / 65"
    (inside,) = page.main_frame.child_frames
    size = "[e.scrollWidth - innerWidth, e.scrollHeight - innerHeight]"
    assert inside.evaluate(f"(() => {{ const e = document.documentElement; return {size}; }})()") == [0, 0]
    outer = page.locator("iframe").bounding_box()
    board = frame.locator(".board").bounding_box()
    assert board["height"] > 0.6 * min(outer["width"], outer["height"])
    footer = frame.locator("#footer").bounding_box()
    assert board["y"] + board["height"] <= footer["y"]
    assert footer["y"] + footer["height"] <= outer["y"] + outer["height"]
    frame.locator("#forward").click()
    assert frame.locator("#place").text_content() == "27 / 65"
    # The wheel belongs to the page.
    frame.locator(".board").hover()
    page.mouse.wheel(0, -300)
    assert frame.locator(".board.zoomed").count() == 0


def test_a_frame_of_another_origin_is_told_the_theme(opened: Open) -> None:
    page = opened(closed("8x8"), around=AROUND.format(height=400))
    (inside,) = page.main_frame.child_frames
    until(page, lambda: inside.evaluate("document.documentElement.dataset.theme") == "dark")
    page.evaluate("window.theme = 'light'; tell(frames[0])")
    until(page, lambda: inside.evaluate("document.documentElement.dataset.theme") == "light")
    page.evaluate("frames[0].postMessage({ktsolve: {theme: 'pink'}}, '*'); frames[0].postMessage(null, '*')")
    page.wait_for_timeout(100)
    assert inside.evaluate("document.documentElement.dataset.theme") == "light"


def test_a_frame_of_a_notebook_follows_its_page(opened: Open) -> None:
    player = closed("8x8").play(title="A tour", step=12, height=430)
    around = (
        "<!doctype html><html lang=en><title>Notebook</title><style>body.night { background: #111 }</style>"
        f"<body style='margin: 0'><div>{player._repr_html_()}</div>"
    )
    page = opened(around=around, scheme="dark")
    (inside,) = page.main_frame.child_frames
    frame = page.frame_locator("iframe")
    assert page.locator("iframe").bounding_box()["height"] == 430
    assert frame.locator("#place").text_content() == "12 / 65"

    def theme() -> Any:
        return inside.evaluate("document.documentElement.dataset.theme")

    assert theme() == "dark", "nothing is behind the frame: the reader decides"
    page.evaluate("document.body.style.background = 'white'")
    until(page, lambda: theme() == "light")
    page.evaluate("document.body.style.background = ''; document.body.className = 'night'")
    until(page, lambda: theme() == "dark")
    frame.locator("#more").click()
    frame.locator("#keys").click()
    assert frame.locator("#help").is_visible()


def test_full_screen(opened: Open) -> None:
    page = opened(closed("8x8"))
    page.locator("#fullscreen").click()
    until(page, lambda: page.locator("#fullscreen").get_attribute("aria-pressed") == "true")
    assert page.evaluate("document.fullscreenElement !== null")
    page.keyboard.press("f")
    until(page, lambda: bool(page.evaluate("document.fullscreenElement === null")))


# -- magnified boards ---------------------------------------------------------------------------------------


def piece_side(page: Any) -> float:
    """The side of the piece, which is 0.82 of that of a cell where cells are large."""
    return float(
        re.sub("px", "", page.locator(".board").evaluate("b => b.style.getPropertyValue('--piece')"))
    )


def test_the_wheel_magnifies_and_dragging_moves(opened: Open) -> None:
    tour = closed("30x30")
    page = opened(tour, reduced_motion="reduce")
    scrub(page, 1)
    box = page.locator(".board").bounding_box()
    x, y = centre_of_knight(page)
    page.mouse.move(box["x"] + x, box["y"] + y)
    before = piece_side(page)
    for _ in range(8):
        page.mouse.wheel(0, -100)
    assert piece_side(page) > 2.5 * before
    # What is under the mouse stays there, except at the edge of the board.
    assert page.locator(".board").bounding_box() == box
    page.mouse.wheel(0, 5000)
    for _ in range(40):
        page.mouse.wheel(0, 300)
    assert piece_side(page) == before
    page.locator("#cell").fill("p15")
    page.locator("#cell").press("Enter")
    x, y = centre_of_knight(page)
    page.mouse.move(box["x"] + x, box["y"] + y)
    for _ in range(8):
        page.mouse.wheel(0, -100)
    magnified = centre_of_knight(page)
    assert magnified == pytest.approx((x, y), abs=6), "a mouse has whole pixels"
    page.mouse.down()
    page.mouse.move(box["x"] + x - 60, box["y"] + y + 40, steps=4)
    page.mouse.up()
    assert centre_of_knight(page) == pytest.approx((magnified[0] - 60, magnified[1] + 40), abs=1.5)
    assert place(page) == "1 / 901", "the end of a drag does not count as a click"
    # A click on the magnified board is one on the cell that is seen there.
    here = tour.starting_at("p15").squares
    x, y = centre_of_knight(page)
    side = piece_side(page) / 0.82
    (r0, c0), (r1, c1) = here[0], here[1]
    page.locator(".board").click(position={"x": x + (c1 - c0) * side, "y": y + (r1 - r0) * side})
    assert knight(page) == tour.board.name(here[1])


def test_keys_and_buttons_magnify(opened: Open) -> None:
    page = opened(closed("30x30"), reduced_motion="reduce")
    whole = piece_side(page)
    assert page.locator(".fit").is_disabled()
    page.keyboard.press("+")
    page.keyboard.press("=")
    assert piece_side(page) == pytest.approx(1.5 * 1.5 * whole, rel=0.01)
    assert page.locator(".fit").is_enabled()
    scrub(page, 100)
    before = centre_of_knight(page)
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowUp")
    moved = [abs(a - b) for a, b in zip(before, centre_of_knight(page), strict=True)]
    assert max(moved) <= 81
    assert place(page) == "100 / 901"
    page.keyboard.press("-")
    page.keyboard.press("0")
    assert piece_side(page) == whole
    page.locator(".in").click()
    assert piece_side(page) == pytest.approx(1.5 * whole, rel=0.01)
    page.locator(".out").click()
    assert piece_side(page) == pytest.approx(whole, rel=0.01)


def test_the_knight_stays_in_view(opened: Open) -> None:
    page = opened(closed("30x30"), reduced_motion="reduce")
    for _ in range(4):
        page.locator(".in").click()
    box = page.locator(".board").bounding_box()
    for step in (1, 2, 3, 300, 301, 899, 450, 77):
        scrub(page, step)
        x, y = centre_of_knight(page)
        assert 0 < x < box["width"]
        assert 0 < y < box["height"]


def test_two_fingers_magnify(opened: Open) -> None:
    page = opened(closed("30x30"), size=PHONE, **TOUCH)
    box = page.locator(".board").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = piece_side(page)
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *far: float) -> None:
        points = [{"x": x + side * each, "y": y, "id": i} for each in far for i, side in enumerate((-1, 1))]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 30)
    for far in range(35, 130, 5):
        touch("touchMove", far)
    touch("touchEnd")
    assert piece_side(page) > 2 * before
    assert place(page) == "1 / 901"
    assert page.evaluate("[scrollX, scrollY, visualViewport.scale]") == [0, 0, 1]


def test_a_million_cells(opened: Open) -> None:
    steps = ktsolve.tour_steps(1000, 1000)
    order = steps.ravel().argsort()
    tour = Tour.from_indices(ktsolve.Board.parse("1000x1000"), order.tolist(), True)
    page = opened(tour)
    page.set_default_timeout(60_000)
    last = len(tour) + 1
    seek = """(to) => {
        const slider = document.getElementById('scrub');
        slider.value = to;
        slider.dispatchEvent(new Event('input'));
    }"""
    for to in (last, 1, 500_000, 999_000, 250_000, 250_100):
        page.evaluate(seek, to)
    assert knight(page) == tour.board.name(tour.squares[250_099])
    assert facts(page)["Visited"] == "250,100 of 1,000,000"
    colour = """([row, column]) => {
        const canvas = document.querySelectorAll('canvas')[1], ratio = canvas.width / canvas.clientWidth;
        const side = (canvas.clientWidth - 36) / 1000;
        const at = [30 + (column + 0.5) * side, 4 + (row + 0.5) * side].map((v) => Math.round(v * ratio));
        return canvas.getContext('2d').getImageData(...at, 1, 1).data[3];
    }"""
    page.locator("#whole").uncheck()
    page.keyboard.press("End")
    assert page.evaluate(colour, [500, 500]) > 200
    page.keyboard.press("Home")
    assert page.evaluate(colour, [500, 500]) < 50
    # Magnified, the moves are lines again.
    page.locator("#cell").fill("sg500")
    page.locator("#cell").press("Enter")
    for _ in range(11):
        page.locator(".in").click()
    assert piece_side(page) > 30
    page.keyboard.press("ArrowRight")
    assert place(page) == f"2 / {last:,}"


# -- accessibility ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "scheme"),
    [(DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "dark"), (PHONE_ON_ITS_SIDE, "light")],
    ids=["desktop-light", "desktop-dark", "phone-dark", "side-light"],
)
def test_axe_core_finds_nothing_serious(opened: Open, size: tuple[int, int], scheme: str) -> None:
    one, other = closed("6x6"), closed("6x6", 3)
    many = list(find_all(TourProblem(board=ktsolve.Board.parse("6x6"), closed=True), number=120))
    for shown in ((one,), (one, other), (one, other, closed("5x6")), many, (graph_tour(),)):
        page = opened(*shown, size=size, scheme=scheme)
        scrub(page, 10)
        if page.locator("#more").is_visible():
            page.locator("#more").click()
        assert serious_findings(page) == []
        page.keyboard.press("?")
        assert serious_findings(page, "#help") == []


def test_axe_core_finds_nothing_serious_in_a_frame(opened: Open) -> None:
    page = opened(closed("6x6"), around=AROUND.format(height=400))
    assert serious_findings(page) == []


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """As WCAG 2 defines it."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [THEMES["light"], THEMES["dark"]], ids=["light", "dark"])
def test_texts_on_the_canvas_have_contrast(theme: Any) -> None:
    quiet = blend([theme.faint, theme.ink], 0.5)
    for below in (theme.light, theme.dark):
        assert contrast(quiet, below) >= 4.5, "numbers of free neighbours"
    for text, below in itertools.product((theme.ink, theme.faint), (theme.background, theme.node)):
        assert contrast(text, below) >= 4.5, "coordinates, steps, names of vertices"
    assert contrast(theme.end, theme.node) >= 4.5, "the number in the next cell, on its disc"


def test_space_presses_what_has_the_focus(opened: Open) -> None:
    page = opened(closed("6x6"))
    page.locator(".save").focus()
    with page.expect_download():
        page.keyboard.press("Space")
    assert page.locator("#play").get_attribute("aria-label") == "Play"
    page.locator("#theme").focus()
    page.keyboard.press("Space")
    assert page.locator("#theme").get_attribute("aria-pressed") == "true"


def test_everything_has_a_name(opened: Open) -> None:
    page = opened(closed("6x6"), closed("6x6", 3), closed("5x6"))
    unnamed = """() => [...document.querySelectorAll('button, input, select, a, [role=img]')].filter((one) =>
        !(one.getAttribute('aria-label') || one.textContent.trim() || (one.labels && one.labels.length)))
        .map((one) => one.outerHTML)"""
    assert page.evaluate(unnamed) == []
    assert page.locator("#status").get_attribute("aria-live") == "polite"
    # Tab goes through all controls and nothing holds it.
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.className"))
    assert {
        "play",
        "scrub",
        "speed",
        "theme",
        "numbers",
        "cell",
        "save",
        "in",
        "next",
        "fullscreen",
    } <= reached
