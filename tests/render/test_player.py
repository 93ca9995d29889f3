"""The page of the player: its data, and refused input. test_player_browser.py tests it in a browser."""

from __future__ import annotations

import json
import pickle
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import networkx
import pytest
from command import answered, refused
from hypothesis import given
from strategies import examples, one_line, real_tours, refusal

import ktsolve
from ktsolve import named_graph
from ktsolve.base.errors import BadInput
from ktsolve.formats.tours.files import read_tour, read_tours
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.render.picture import ground_scene, tour_scene
from ktsolve.render.player import Trace, player_html, read_trace
from ktsolve.render.player import page as player_page
from ktsolve.tasks.find import find_all

SEARCH = Path(__file__).parents[1] / "data" / "search-5x5.json"
OPEN = Tour.from_names(Board.parse("3x4"), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")


class _Page(HTMLParser):
    """The elements of a page, and the contents of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.scripts[-1] += data


def data_of(page: str) -> dict[str, Any]:
    data = json.loads(_Page(page).scripts[0])
    assert isinstance(data, dict)
    return data


@given(real_tours())
@examples(60)
def test_the_page_holds_the_tour(tour: Tour) -> None:
    page = player_html([tour])
    assert page == player_html([tour])
    (walk,) = data_of(page)["walks"]
    board = Board.from_json(walk["board"])
    assert Tour.from_indices(board, walk["cells"], walk["closed"]) == tour


def test_the_page_needs_nothing_else() -> None:
    page = player_html([OPEN, OPEN.reversed()], [Trace.from_json(json.loads(SEARCH.read_text())["trace"])])
    parsed = _Page(page)
    for tag, attributes in parsed.elements:
        assert tag not in {"link", "img", "iframe", "object", "embed"}
        assert "src" not in attributes
        assert attributes.get("href", "#") == "#"
    policy = next(
        a["content"] for t, a in parsed.elements if a.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert not re.search(r"@import|url\(\s*['\"]?(?!#clip-)|import\s*\(|\bfetch\b|XMLHttp|WebSocket", page)
    assert "@" not in page.replace("@media", "")


@pytest.mark.parametrize("name", ["</script><b>", "<!--<script>", 'a"b&c', "@DATA@ @SCRIPT@", "\u2028 é", ""])
def test_names_stay_what_they_are(name: str) -> None:
    page = player_html([OPEN], names=[name], title=name)
    data = data_of(page)
    assert data["walks"][0]["name"] == name
    assert data["title"] == (name or f"Open tour of {OPEN.board}")
    assert len(_Page(page).scripts) == 2


def test_a_trace_is_checked() -> None:
    board = Board.parse("3x4")
    for events, words in [
        ((0, 6, 12), "event 3 of the trace is 12: it must be the number of a cell, 0 to 11, or -1"),
        ((0, True), "event 2 of the trace is True"),
        ((0, "6"), "event 2 of the trace is '6'"),
        ((0, -1, -1), "event 3 of the trace takes back a cell"),
        ((0, 6, 0), "event 3 of the trace goes to a3"),
        ((0, 6, 1), "event 3 of the trace, c2 to b3, is not a move of the piece"),
    ]:
        assert refusal(Trace, board, events).startswith(words)
    assert Trace(board, (0, 6, -1, 9, -1, -1, 5)).path == (5,)


@pytest.mark.parametrize(
    ("board", "name"),
    [
        (Board.parse("6x6"), "6x6"),
        (Board.parse("6x6", wrap="xy"), "Torus 6x6"),
        (Board.parse("6x6", wrap="x", without="a1 b1"), "Cylinder 6x6 without a1 b1"),
        (named_graph("dodecahedral"), "Dodecahedron"),
        (Graph("abc", ["ab", "bc", "ca"]), "Graph of 3 vertices and 3 edges"),
    ],
    ids=str,
)
def test_boards_have_names_in_words(board: Board, name: str) -> None:
    tour = ktsolve.find(board).tour
    assert tour is not None
    page = player_html([tour])
    assert f'"name":"{name}"' in page
    assert "<title>Closed tour of the torus 6x6</title>" in page or not name.startswith("Torus")


@pytest.mark.parametrize(
    ("name", "words"),
    [("dodecahedral", "Dodecahedron"), ("petersen", "Petersen graph"), ("king:3x4", "King graph 3x4")],
)
def test_graphs_by_name_keep_it_in_files_and_titles(name: str, words: str) -> None:
    graph = named_graph(f"graph:{name}")
    for kept in (
        graph,
        Graph.from_json(json.loads(json.dumps(graph.to_json()))),
        pickle.loads(pickle.dumps(graph)),
    ):
        assert kept == graph
        assert kept.known_as == name
        assert kept.to_json()["name"] == name
        assert ground_scene(kept).title == words
    tour = ktsolve.find(graph).tour
    if tour is None:  # the Petersen graph has none
        return
    assert tour_scene(tour).title == f"Closed tour of the {words}"
    assert f"<title>Closed tour of the {words}</title>" in player_html([tour])
    assert "name" not in Graph(graph.names, graph.edges.tolist()).to_json()
    odd = {**graph.to_json(), "name": "a\nb"}
    assert Graph.from_json(odd).known_as == ""


def test_traces_and_tours_are_distinguished() -> None:
    trace = read_trace(SEARCH.read_text())
    assert trace is not None
    assert trace.events.count(-1) > 20
    assert Tour.from_indices(trace.board, trace.path).valid
    assert Trace.from_json(json.loads(json.dumps(trace.to_json()))) == trace
    for text in ("", "a1 b3", "[[0, 0]]", '{"squares": [[0, 0]]}', "{", OPEN.grid()):
        assert read_trace(text) is None
    for text in (
        '{"trace": 5}',
        '{"trace": {"board": {"rows": 3, "columns": 4}}}',
        '{"trace": {"board": 3, "events": []}}',
        '{"trace": {"board": {"rows": 3, "columns": 4}, "events": [], "rule": 3}}',
        '{"trace": {"board": {"rows": 3, "columns": 4}, "events": [], "closed": "yes"}}',
    ):
        refusal(read_trace, text)


def test_refused_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "nothing to play" in refusal(player_html)
    wrong = Tour.from_names(OPEN.board, "a3 c2 a3")
    assert refusal(player_html, [wrong]) == "3x4: not a tour: step 3: a3 was visited before, at step 1"
    assert "has no events" in refusal(player_html, [], [Trace(OPEN.board, ())])
    monkeypatch.setattr(player_page, "LONGEST", 11)
    assert "at most 11 cells, not 12" in refusal(player_html, [OPEN])
    with pytest.raises(BadInput) as caught:
        player_html([], [Trace(OPEN.board, (0, 6, -1) * 1 + (9, -1) * 5)])
    assert "at most 11 events, not 13" in one_line(caught.value)
    monkeypatch.setattr(player_page, "LONGEST", 23)
    assert "at most 23 cells together, not 24" in refusal(player_html, [OPEN, OPEN])
    assert "opens at step 0 or later, not -1" in refusal(player_html, [OPEN], step=-1)
    assert "not javascript:" in refusal(player_html, [OPEN], studio="javascript:alert(1)")


# -- the command ------------------------------------------------------------------------------------------


def test_play_writes_what_python_writes(tmp_path: Path) -> None:
    tour, page = tmp_path / "tour.txt", tmp_path / "tour.html"
    tour.write_text(OPEN.grid())
    assert answered("play", str(tour), "-o", str(page)).out == ""
    assert page.read_text() == player_html([OPEN], names=["tour.txt"])
    assert answered("play", str(tour)).out == page.read_text()
    # What comes through a pipe has the name of its board.
    assert answered("play", "-", given=OPEN.grid().encode()).out == player_html([OPEN])
    both = answered("play", str(tour), str(SEARCH), "--title", "Two").out
    assert [walk["kind"] for walk in data_of(both)["walks"]] == ["tour", "trace"]
    assert data_of(both)["title"] == "Two"


def test_play_takes_a_file_of_many_tours(tmp_path: Path) -> None:
    listed = tmp_path / "five.txt"
    listed.write_text(answered("tour", "5x6", "--number", "5", "-q").out)
    data = data_of(answered("play", str(listed), "--step", "7", "--studio", "s.html").out)
    assert data["studio"] == "s.html"
    assert data["title"] == "5 closed tours of 5x6"
    assert data["step"] == 7
    assert [walk["name"] for walk in data["walks"]] == [f"five.txt, {k}" for k in range(1, 6)]
    assert [walk["cells"] for walk in data["walks"]] == [
        list(tour.indices) for tour in read_tours(listed.read_text())
    ]
    wrapped = answered("tour", "4x4", "--wrap", "xy", "--number", "2", "-q").out
    walks = data_of(answered("play", "-", "--wrap", "xy", given=wrapped.encode()).out)["walks"]
    assert [walk["board"]["wrap"] for walk in walks] == ["xy", "xy"]
    spoilt = listed.read_text().replace("30", "29", 1)
    assert "five.txt: tour 1, line 5, entry 1: step 29 occurs twice" in refused(
        "play", str(_written(listed, spoilt))
    )


def _written(file: Path, text: str) -> Path:
    file.write_text(text)
    return file


def test_graphs_are_in_the_page_once() -> None:
    tours = list(find_all(TourProblem(board=Graph.from_networkx(networkx.cubical_graph()), closed=True)))
    data = data_of(player_html(tours))
    assert len(data["graphs"]) == 1
    assert [walk["graph"] for walk in data["walks"]] == [0] * len(tours)
    assert len(data["walks"]) == 6


def test_a_tour_plays_in_a_notebook() -> None:
    player = OPEN.play(title='One "tour"', step=3, height=300)
    (frame,) = _Page(player._repr_html_()).elements
    assert frame[0] == "iframe"
    assert frame[1]["srcdoc"] == player.page == player_html([OPEN], title='One "tour"', step=3)
    assert (frame[1]["title"], frame[1]["height"]) == ('One "tour"', "300")
    assert "allowfullscreen" in frame[1]
    assert "src" not in frame[1]


def test_play_takes_boards_as_check_does(tmp_path: Path) -> None:
    wrapped, ring = tmp_path / "wrapped", tmp_path / "ring"
    answered("tour", "4x4", "--wrap", "xy", "-q", "-o", str(wrapped))
    answered("tour", "3x3", "--without", "b2", "-q", "--format", "cells", "-o", str(ring))
    (walk,) = data_of(answered("play", str(wrapped), "--wrap", "xy").out)["walks"]
    assert walk["board"]["wrap"] == "xy"
    assert data_of(answered("play", str(wrapped)).out)["walks"][0]["board"]["wrap"] == "xy"
    wrapped.write_text("".join(wrapped.open().readlines()[1:]))  # without its comment
    assert "not a move of the piece" in refused("play", str(wrapped))
    page = answered("play", str(ring), "--board", "3x3", "--without", "b2").out
    assert len(data_of(page)["walks"][0]["cells"]) == 8
    assert read_tour(ring.read_text(), Board.parse("3x3", without="b2")).valid


@pytest.mark.parametrize(
    ("given", "arguments", "words"),
    [
        ("", "-", "standard input: there is no tour in the input: it is empty"),
        ("1 2\n3 4", "-", "standard input: not a tour: step 2: a2 to b2 is not a move of the piece"),
        ("1 4 7 10\n8 11 2 5\n3 6 9 9", "-", "standard input: line 3, entry 4: step 9 occurs twice"),
        ("a1 b3 c1", "-", "standard input: not a tour: a3 and 5 more never visited"),
        ('{"trace": {"events": [0]}}', "-", "standard input: a trace must be a JSON object with a board"),
        ("a1", "- -", "standard input (-) can be read once"),
        ("a1", "- --without a1", "every cell of the board is removed"),
        ("a1", "- --board 0x3", "a board needs at least one row and one column"),
        ("a1", "nothing-here.txt", "nothing-here.txt: cannot be read: No such file or directory"),
        ("a1", "- -o no/such/folder/x.html", "cannot write no/such/folder/x.html: No such file"),
        ("a1", "", "Missing argument"),
    ],
)
def test_play_refuses(given: str, arguments: str, words: str, tmp_path: Path) -> None:
    assert words in refused("play", *arguments.split(), given=given.encode())


def test_nothing_is_written_for_an_invalid_tour(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    refused("play", "-", "-o", str(page), given=b"1 2\n3 4")
    assert list(tmp_path.iterdir()) == []
