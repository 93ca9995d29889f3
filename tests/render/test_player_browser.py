"""The player in a browser: playing, stepping, scrubbing, and the position of the knight.

Run by ``make test-browser``, which installs Chromium and Playwright.
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx
import pytest
from player_pages import (
    DESKTOP,
    PHONE,
    Open,
    centre_of_knight,
    click,
    closed,
    facts,
    knight,
    place,
    saved_picture,
    scrub,
    slide,
    step_of,
    until,
)

import ktsolve
from ktsolve.graphs.board import Board
from ktsolve.graphs.geometry import ANGLES, angles, crossings, turns
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.longest import LongestProblem
from ktsolve.problem.problem import TourProblem
from ktsolve.render.player import Trace, read_trace
from ktsolve.render.scene.theme import THEMES
from ktsolve.tasks.find import find_all
from ktsolve.tasks.longest import longest_walk

pytestmark = pytest.mark.browser

SEARCH = Path(__file__).parents[1] / "data" / "search-5x5.json"


def walked(graph: networkx.Graph, **options: Any) -> Tour:
    """A tour of a bare graph."""
    tour = ktsolve.find(TourProblem(board=Graph.from_networkx(graph), closed=True, **options)).tour
    assert tour is not None
    return tour


def expected(tour: Tour, step: int) -> dict[str, str]:
    """The facts of a tour after ``step`` steps; one more than its cells is the return to the start."""
    board, home = tour.board, step > len(tour)
    path = tour if home else Tour(board, tour.squares[:step], False)
    visited = set(path.squares)
    here = path.squares[0] if home else path.squares[-1]

    def free(cell: Any) -> list[Any]:
        return [other for other in board.neighbours[cell] if other not in visited]

    ways = sorted(((len(free(cell)), cell) for cell in free(here)), key=lambda way: (way[0], way[1]))
    said = {
        "Knight on": board.name(here) + (", back at the start" if home else ""),
        "Visited": f"{len(visited)} of {len(board)}",
        "Possible moves": " ".join(f"{board.name(cell)} ({number})" for number, cell in ways) or "none",
    }
    if board.wrap == "none":
        said["Turns"] = f"{turns(path)} of {turns(tour)}"
        for kind in ANGLES:
            said[f"Angles, {kind}"] = f"{len(angles(path)[kind])} of {len(angles(tour)[kind])}"
        said["Crossings"] = f"{len(crossings(path))} of {len(crossings(tour))}"
    return said


@pytest.mark.parametrize(
    "tour",
    [
        closed("6x6"),
        closed("4x4", leaper=(0, 1)),
        closed("4x6", wrap="xy"),
        closed("5x6", wrap="x", leaper=(2, 3)),
        closed("3x3", without="b2"),
        Tour.from_names(Board.parse("3x4"), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1"),
    ],
    ids=lambda tour: str(tour.board),
)
def test_every_step_agrees_with_python(opened: Open, tour: Tour) -> None:
    page = opened(tour)
    last = len(tour) + tour.closed
    for step in range(1, last + 1):
        assert place(page) == f"{step} / {last}"
        assert facts(page) == expected(tour, step)
        page.keyboard.press("ArrowRight")
    assert place(page) == f"{last} / {last}"
    for step in range(last - 1, -1, -1):
        page.locator("#back").click()
        assert place(page) == f"{step} / {last}"
        assert knight(page) == ("" if step == 0 else tour.board.name(tour.squares[step - 1]))
        if step:
            assert facts(page) == expected(tour, step)
    assert not page.locator(".knight").is_visible()


def test_the_knight_is_drawn_on_its_cell(opened: Open) -> None:
    tour = closed("8x8")
    page = opened(tour, reduced_motion="reduce")
    seen = {}
    for step in (1, 17, 40, 64, 65, 2):
        scrub(page, step)
        cell = tour.squares[(step - 1) % 64]
        assert knight(page) == tour.board.name(cell)
        assert page.locator(".knight").is_visible()
        seen[cell] = centre_of_knight(page)
    side = (page.locator(".board").bounding_box()["width"] - 26) / 8
    for (row, column), (x, y) in seen.items():
        assert x == pytest.approx(20 + (column + 0.5) * side, abs=1.5)
        assert y == pytest.approx(4 + (row + 0.5) * side, abs=1.5)


def test_the_path_is_drawn_move_by_move(opened: Open) -> None:
    tour = closed("6x6")
    page = opened(tour)
    for name in ("numbers", "access", "candidates", "whole"):
        page.locator(f"#{name}").uncheck()

    def painted(first: Any, second: Any) -> bool:
        # A third of the way along a move, opaque on the canvas of the path.
        row, column = (a + (b - a) / 3 + 0.5 for a, b in zip(first, second, strict=True))
        script = """([row, column, columns]) => {
            const canvas = document.querySelectorAll('canvas')[1], ratio = canvas.width / canvas.clientWidth;
            const side = (canvas.clientWidth - 26) / columns;
            const [x, y] = [20 + column * side, 4 + row * side].map((v) => Math.round(v * ratio));
            return canvas.getContext('2d').getImageData(x, y, 1, 1).data[3] > 200;
        }"""
        return bool(page.evaluate(script, [row, column, tour.board.columns]))

    for step in (1, 5, 20, 36, 37, 12):
        scrub(page, step)
        walk = [*tour.squares, tour.squares[0]]
        made = list(itertools.pairwise(walk))
        assert all(painted(*move) for move in made[: step - 1])
        assert sum(painted(*move) for move in made[step - 1 :]) <= 3, "crossings at most"


def test_it_plays_and_stops(opened: Open) -> None:
    page = opened(closed("8x8"))
    assert page.locator("#play").get_attribute("aria-label") == "Play"
    page.keyboard.press("Space")
    assert page.locator("#play").get_attribute("aria-label") == "Pause"
    until(page, lambda: step_of(page) >= 4)
    page.keyboard.press("Space")
    stopped = place(page)
    page.wait_for_timeout(600)
    assert place(page) == stopped
    assert stopped != "65 / 65"
    slide(page, "speed", 70)
    assert "166 steps a second" in page.locator("#rate").text_content()
    page.locator("#play").click()
    until(page, lambda: place(page) == "65 / 65")
    assert page.locator("#play").get_attribute("aria-label") == "Play"
    assert "back at the start" in facts(page)["Knight on"]
    page.locator("#play").click()
    until(page, lambda: step_of(page) < 65)


def test_a_click_starts_a_closed_tour_there(opened: Open) -> None:
    tour = closed("6x6")
    page = opened(tour)
    scrub(page, 20)
    click(page, tour, "d4")
    assert place(page) == "1 / 37"
    turned = tour.starting_at("d4")
    assert "starts on d4" in page.locator("#status").text_content()
    for step in (1, 2, 3, 19, 35, 36, 37):
        scrub(page, step)
        assert facts(page) == expected(turned, step)
    page.locator("#cell").fill("B2")
    page.locator("#cell").press("Enter")
    scrub(page, 9)
    assert facts(page) == expected(tour.starting_at("b2"), 9)
    page.locator("#cell").fill("z9")
    page.locator("#cell").press("Enter")
    assert "no cell z9" in page.locator("#status").text_content()
    assert page.locator("#cell").get_attribute("aria-invalid") == "true"


def test_a_click_on_an_open_tour_goes_there(opened: Open) -> None:
    tour = ktsolve.find(TourProblem(board="5x5", closed=False)).tour
    assert tour is not None
    page = opened(tour)
    click(page, tour, "c3")
    assert place(page) == f"{tour.step_of[tour.board.cell('c3')]} / 25"
    assert knight(page) == "c3"


def test_a_recorded_search_is_replayed(opened: Open) -> None:
    trace = read_trace(SEARCH.read_text())
    assert trace is not None
    page = opened(trace)
    board, path = trace.board, list[int]()
    tried = back = 0
    for step, event in enumerate(trace.events, 1):
        left = "–"
        if event < 0:
            left = board.name(board.cells[path.pop()])
            back += 1
        else:
            path.append(event)
            tried += 1
        said = facts(page)
        assert knight(page) == (board.name(board.cells[path[-1]]) if path else "")
        assert said["Visited"] == f"{len(path)} of 25"
        assert said["Just left"] == left
        assert said["Moves tried"] == f"{tried} of {len(trace.events) - trace.events.count(-1)}"
        assert said["Taken back"] == f"{back} of {trace.events.count(-1)}"
        assert place(page) == f"{step} / {len(trace.events)}"
        page.keyboard.press("ArrowRight")
    forth = {}
    for step in (80, 40, 30, 5):
        scrub(page, step)
        forth[step] = facts(page)
    scrub(page, 0)
    for step in sorted(forth):
        scrub(page, step)
        assert facts(page) == forth[step]


def test_a_longest_cycle_of_a_graph_is_played(opened: Open) -> None:
    problem = LongestProblem(named_graph("petersen"), closed=True)
    found = longest_walk(problem).walk
    assert found is not None
    page = opened(walks=[(found, problem)])
    assert str(page.locator(".kind").text_content()).startswith("walk, closed, ")
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    assert facts(page)["Visited"] == "9 of 10"


@pytest.mark.parametrize("closed", [True, False])
def test_a_non_crossing_walk_is_played(opened: Open, closed: bool) -> None:
    problem = LongestProblem(Board.parse("5x5"), closed, non_crossing=True)
    found = longest_walk(problem).walk
    assert found is not None
    page = opened(walks=[(found, problem)])
    assert page.locator(".kind").text_content() == f"non-crossing walk, {'closed' if closed else 'open'}, 5×5"
    for step, cell in enumerate(found.squares, 1):
        assert (knight(page), place(page)) == (
            found.board.name(cell),
            f"{step} / {len(found) + closed}",
        )
        page.keyboard.press("ArrowRight")
    assert facts(page)["Visited"] == f"{len(found)} of 25"
    assert facts(page)["Crossings"] == "0 of 0"
    assert facts(page)["Knight on"].endswith("back at the start") == closed
    aside = next(cell for cell in found.board.cells if cell not in found.squares)
    page.locator("#cell").fill(found.board.name(aside))
    page.locator("#cell").press("Enter")
    assert page.locator("#status").text_content().endswith(f" {found.board.name(aside)} is never visited.")


def test_a_search_that_returns_has_tried_all_its_moves(opened: Open) -> None:
    tour = closed("5x6")
    page = opened(Trace(tour.board, tour.indices, closed=True))
    page.keyboard.press("End")
    assert facts(page)["Moves tried"] == "30 of 30"
    assert facts(page)["Knight on"].endswith("back at the start")


def test_two_tours_and_their_differences(opened: Open) -> None:
    one, other = closed("6x6", 1), closed("6x6", 7)
    assert one.moves != other.moves
    page = opened(one, other, names=("one", "other"))
    shared = len(one.moves & other.moves)
    agree = next(i for i in range(36) if one.squares[i] != other.squares[i])
    said = page.locator("#comparison").text_content()
    assert said == (
        f"{shared} moves in common (grey), {36 - shared} only in the first, {36 - shared} only in the "
        "second (red); "
        f"the first {agree} steps agree."
    )
    scrub(page, 37)
    assert facts(page, 0) == expected(one, 37)
    assert facts(page, 1) == expected(other, 37)
    with page.expect_download() as saved:
        page.locator(".save").first.click()
    strokes = strokes_of(saved.value.path())
    assert len(strokes) == 2, "what is shared, what differs"
    assert sorted(map(len, strokes.values())) == sorted([shared, 36 - shared])
    click(page, one, "c3", panel=1)
    assert (knight(page, 0), knight(page, 1)) == ("c3", "c3")
    page.keyboard.press("d")
    assert not page.locator("#differences").is_checked()


def test_boards_that_differ_are_not_compared(opened: Open) -> None:
    page = opened(closed("5x6"), closed("6x6"))
    assert "boards differ" in page.locator("#comparison").text_content()
    assert page.locator("#differences").is_disabled()
    scrub(page, 37)
    assert ["back at the start" in facts(page, i)["Knight on"] for i in (0, 1)] == [True, True]


def test_of_three_one_or_two_are_shown(opened: Open) -> None:
    page = opened(closed("5x6"), closed("6x6"), closed("5x6", 3), names=("a", "b", "c"))
    assert page.locator(".panel").count() == 1
    assert page.locator("select").first.locator("option").all_text_contents() == ["a", "b", "c"]
    page.keyboard.press(".")
    assert facts(page)["Visited"] == "1 of 36"
    page.keyboard.press(",")
    page.keyboard.press("b")
    assert page.locator(".panel").count() == 2
    assert "boards differ" in page.locator("#comparison").text_content()
    page.locator("select").nth(1).select_option("2")
    assert "moves in common" in page.locator("#comparison").text_content()
    assert facts(page, 1)["Visited"] == "1 of 30"
    page.locator("#beside").uncheck()
    assert page.locator(".panel").count() == 1
    assert not page.locator("#comparison").is_visible()


def test_a_file_of_many_tours(opened: Open) -> None:
    problem = TourProblem(board=Board.parse("6x6"), closed=True)
    tours = list(find_all(problem, number=300))
    page = opened(*tours)
    assert page.locator("h1").text_content() == "300 closed tours of 6x6"
    assert page.locator(".of").text_content() == "of 300"
    scrub(page, 9)
    for chosen, reached in ((300, 300), (17, 17), (301, 17), (0, 17)):
        page.locator(".number").fill(str(chosen))
        page.locator(".number").press("Enter")
        assert page.locator(".number").input_value() == str(reached)
        assert facts(page) == expected(tours[reached - 1], 9)
    page.locator(".next").click()
    assert facts(page) == expected(tours[17], 9)
    page.locator(".number").fill("1")
    page.locator(".number").press("Enter")
    page.locator(".previous").click()
    assert facts(page) == expected(tours[299], 9)


SVG = "{http://www.w3.org/2000/svg}"


def strokes_of(file: Path) -> dict[str, list[Any]]:
    """Moves of the path in a saved picture by colour, without halos."""
    strokes: dict[str, list[Any]] = {}
    (drawn,) = (group for group in ElementTree.parse(file).iter(f"{SVG}g") if group.get("id") == "path")
    for path in drawn.iter(f"{SVG}path"):
        colour = path.get("stroke")
        if (
            colour is not None
            and "a" not in (path.get("d") or "")
            and colour not in (THEMES["light"].light, THEMES["light"].background)
        ):
            pen = (0.0, 0.0)
            for letter, x, y in re.findall(r"([ML])(\S+?) ([^ML]+)", path.get("d") or ""):
                point = (float(x), float(y))
                if letter == "L":
                    strokes.setdefault(colour, []).append((pen, point))
                pen = point
    return strokes


def words_of(file: Path, group: str) -> list[str]:
    """The texts of a group of a saved picture."""
    (found,) = (each for each in ElementTree.parse(file).iter(f"{SVG}g") if each.get("id") == group)
    return [text.text or "" for text in found.iter(f"{SVG}text")]


def test_the_picture_is_saved(opened: Open) -> None:
    tour = closed("6x6")
    page = opened(tour, names=("my tour.txt",))
    scrub(page, 11)
    page.locator("#access").check()
    with page.expect_download() as saved:
        page.keyboard.press("s")
    assert saved.value.suggested_filename == "my-tour-11.svg"
    file = saved.value.path()
    svg = ElementTree.parse(file).getroot()
    assert svg.findtext(f"{SVG}title") == "my tour.txt, step 11"
    assert "11 of 36 cells visited" in (svg.findtext(f"{SVG}desc") or "")
    box = page.locator(".board").bounding_box()
    assert (float(svg.get("width", 0)), float(svg.get("height", 0))) == (box["width"], box["height"])
    side = (box["width"] - 26) / 6
    drawn = [line for lines in strokes_of(file).values() for line in lines]
    centres = [(20 + side * (c + 0.5), 4 + side * (r + 0.5)) for r, c in tour.squares[:11]]
    assert [xy for move in drawn for end in move for xy in end] == pytest.approx(
        [xy for move in itertools.pairwise(centres) for end in move for xy in end], abs=0.02
    )
    assert words_of(file, "board") == [*"abcdef", *"654321"]
    # The knight covers no number.
    assert sorted(map(int, words_of(file, "path"))) == list(range(1, 11))
    assert len(words_of(file, "marks")) == 36 - 11, "numbers of free neighbours"
    for shown in ("numbers", "access"):
        page.locator(f"#{shown}").uncheck()
    plain = saved_picture(page)
    assert words_of(plain, "path") == words_of(plain, "marks") == []


def test_the_magnified_part_is_saved_in_the_theme_that_is_seen(opened: Open) -> None:
    tour = closed("30x30")
    page = opened(tour, scheme="dark")
    scrub(page, 901)
    seen = page.locator(".board").bounding_box()
    page.mouse.move(seen["x"] + seen["width"] - 8, seen["y"] + 6)
    for _ in range(12):
        page.mouse.wheel(0, -200)
    assert page.locator(".board.zoomed").count() == 1
    file = saved_picture(page)
    words = words_of(file, "board")
    assert words[-1] != "1"
    assert "30" in words
    assert "ad" in words, "the last file"
    assert "a" not in words
    assert len(words_of(file, "path")) < 300
    assert f'fill="{THEMES["dark"].background}"' in file.read_text()
    assert THEMES["light"].light not in file.read_text()


def test_keys(opened: Open) -> None:
    page = opened(closed("6x6"))
    reached = {"End": 37, "Home": 1, "PageDown": 11, "ArrowLeft": 10, "PageUp": 0, "ArrowRight": 1}
    for key, expected in reached.items():
        page.keyboard.press(key)
        assert place(page) == f"{expected} / 37"
    # A stranger sees the path and its steps first.
    for key, box, first in (
        *(("n", "numbers", True), ("p", "whole", True)),
        *(("a", "access", False), ("c", "candidates", False)),
    ):
        assert page.locator(f"#{box}").is_checked() is first
        page.keyboard.press(key)
        assert page.locator(f"#{box}").is_checked() is not first
    page.keyboard.press("a")
    rate = page.locator("#rate").text_content()
    page.keyboard.press("ArrowUp")
    assert page.locator("#rate").text_content() != rate
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#help").is_visible()
    # A field keeps its letters, a focused button its space.
    page.locator("#cell").focus()
    page.keyboard.type("a1")
    assert page.locator("#cell").input_value() == "a1"
    assert not page.locator("#access").is_checked()
    page.locator("#forward").focus()
    page.keyboard.press("Space")
    assert place(page) == "2 / 37"
    assert page.locator("#play").get_attribute("aria-label") == "Play"


def test_a_large_board_stays_usable(opened: Open) -> None:
    tour = closed("100x100")
    page = opened(tour)
    scrub(page, 10_001)
    assert facts(page)["Turns"] == f"{turns(tour):,} of {turns(tour):,}"
    assert facts(page)["Crossings"].endswith(f" of {len(crossings(tour)):,}")
    scrub(page, 5_000)
    assert knight(page) == tour.board.name(tour.squares[4_999])
    steps = """() => { const button = document.getElementById('forward'), began = performance.now();
        for (let i = 0; i < 200; i += 1) button.click();
        return (performance.now() - began) / 200; }"""
    assert page.evaluate(steps) < 40, "milliseconds a step"
    assert place(page) == "5,200 / 10,001"


def test_the_page_may_not_use_the_network(opened: Open, messages: list[str]) -> None:
    page = opened(closed("5x6"))
    reached = page.evaluate(
        "fetch(location.href.replace('file', 'http')).then(() => 'reached', () => 'refused')"
    )
    assert reached == "refused"
    assert all("Content Security Policy" in words or "violates" in words for words in messages)
    assert messages
    messages.clear()


def test_a_name_is_no_markup(opened: Open) -> None:
    page = opened(closed("5x6"), names=("</script><b id=evil>&amp;",))
    assert page.locator("h2").first.text_content() == "</script><b id=evil>&amp;"
    assert page.locator("#evil").count() == 0


# -- graphs -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_tour_of_a_graph_is_played(opened: Open, size: tuple[int, int], scheme: str) -> None:
    tour = walked(networkx.dodecahedral_graph())
    page = opened(tour, size=size, scheme=scheme, reduced_motion="reduce")
    assert page.locator("h1").text_content() == "Closed tour of a graph of 20 vertices and 30 edges"
    assert page.locator(".kind").text_content() == "tour, closed, graph"
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    graph, places = tour.ground, dict[Any, tuple[float, float]]()
    for step in range(1, 22):
        assert place(page) == f"{step} / 21"
        home, visited = step == 21, set(tour.squares[:step])
        here = tour.squares[(step - 1) % 20]
        free = {
            other: len(set(graph.neighbours[other]) - visited)
            for other in set(graph.neighbours[here]) - visited
        }
        said = " ".join(f"{other} ({free[other]})" for other in sorted(free, key=lambda v: (free[v], v)))
        assert facts(page) == {
            "At vertex": f"{here}, back at the start" if home else str(here),
            "Visited": f"{min(step, 20)} of 20",
            "Possible moves": "none" if home else said or "none",
        }
        assert page.locator(".walker circle").is_visible()
        assert not page.locator(".walker .whole").is_visible()
        places.setdefault(here, centre_of_knight(page))
        assert places[here] == pytest.approx(centre_of_knight(page), abs=1)
        page.keyboard.press("ArrowRight")
    assert len(places) == 20
    # The marker is at the vertices: a click at its place starts the tour there.
    board = page.locator(".board")
    x, y = places[tour.squares[7]]
    board.click(position={"x": x, "y": y})
    assert place(page) == "1 / 21"
    assert f"starts on {tour.squares[7]}" in page.locator("#status").text_content()
    if page.locator("#more").is_visible():
        page.locator("#more").click()
    page.locator("#cell").fill("nowhere")
    page.locator("#cell").press("Enter")
    assert "The graph has no vertex nowhere." in page.locator("#status").text_content()


def test_a_directed_graph_follows_its_arcs(opened: Open) -> None:
    arcs = networkx.DiGraph()
    arcs.add_nodes_from(range(9))
    arcs.add_edges_from((i, (i + k) % 9) for i in range(9) for k in (1, 4))
    tour = walked(arcs)
    page = opened(tour)
    assert page.locator(".kind").text_content() == "tour, closed, directed graph"
    scrub(page, 3)
    here, visited = tour.squares[2], set(tour.squares[:3])
    free = [v for v in arcs.successors(here) if v not in visited]
    said = sorted((len(set(arcs.successors(v)) - visited), v) for v in free)
    assert facts(page)["Possible moves"] == (" ".join(f"{v} ({number})" for number, v in said) or "none")


def test_the_picture_of_a_graph_is_saved(opened: Open) -> None:
    tour = walked(networkx.petersen_graph().subgraph(range(9)))
    page = opened(tour, names=("nine",))
    scrub(page, 10)
    with page.expect_download() as saved:
        page.keyboard.press("s")
    assert saved.value.suggested_filename == "nine-10.svg"
    assert sorted(words_of(saved.value.path(), "board")) == sorted(map(str, tour.ground.names))
    strokes = strokes_of(saved.value.path())
    assert sum(map(len, strokes.values())) == 9
    made = {frozenset(line) for lines in strokes.values() for line in lines}
    assert len(made) == 9


def test_tours_of_two_graphs_side_by_side(opened: Open) -> None:
    one, other = walked(networkx.cubical_graph()), walked(networkx.hypercube_graph(3))
    page = opened(one, Tour(one.ground, one.squares[::-1], closed=True))
    assert "8 moves in common (grey), 0 only in the first" in page.locator("#comparison").text_content()
    assert "boards differ" in opened(one, other).locator("#comparison").text_content()
