"""What notebooks show: each representation is well formed, escapes names, has a bounded size, and is true."""

from __future__ import annotations

import base64
import re
from typing import Any
from xml.etree import ElementTree

import networkx
import pytest
from marks import full

import ktsolve
from ktsolve.graphs.card import Card
from ktsolve.problem.problem import TourProblem
from ktsolve.render.values import card_html
from ktsolve.tasks.answer import Answer
from ktsolve.wings.swap.instance import load_swap_instance

HOSTILE = '</td></div><script>alert("1")</script>&<img src=x onerror=y>\x1b'
SVG = "{http://www.w3.org/2000/svg}"
MOST_BYTES = 300_000


def shown(value: Any) -> ElementTree.Element:
    """The representation that a notebook takes, read as XML: the card, or else the picture."""
    html, svg = getattr(value, "_repr_html_", lambda: None)(), getattr(value, "_repr_svg_", lambda: None)()
    text = html if html is not None else svg
    assert text is not None
    assert len(text.encode()) <= MOST_BYTES
    root = ElementTree.fromstring(text)
    assert not [each.tag for each in root.iter() if each.tag in ("script", f"{SVG}script")]
    for each in root.iter():
        assert not [name for name in each.attrib if name.startswith("on")]
    return root


def images(card: ElementTree.Element) -> list[ElementTree.Element]:
    """The pictures of a card, read as XML."""
    found = []
    for image in card.iter("img"):
        kind, _, content = image.attrib["src"].partition(";base64,")
        assert image.attrib["alt"]
        assert kind in ("data:image/svg+xml", "data:image/png")
        file = base64.b64decode(content, validate=True)
        if kind.endswith("png"):
            assert file.startswith(b"\x89PNG")
            found.append(ElementTree.Element("png"))
        else:
            found.append(ElementTree.fromstring(file))
    return found


def facts(card: ElementTree.Element) -> dict[str, str]:
    """The rows of a card by their names."""
    rows = [[cell.text or "" for cell in row] for row in card.iter("tr")]
    return {name: " | ".join(values) for name, *values in rows}


def title(card: ElementTree.Element) -> str:
    return next(card.iter("p")).text or ""


def test_an_answer_shows_its_tour() -> None:
    answer = ktsolve.find(TourProblem(board="6x6", closed=True), "frontier")
    card = shown(answer)
    assert title(card) == "Closed tour of 6x6"
    assert facts(card)["engine"] == "frontier"
    (picture,) = images(card)
    assert answer.tour is not None
    drawn = ElementTree.fromstring(answer.tour.svg(theme="auto"))
    assert ElementTree.tostring(picture) == ElementTree.tostring(drawn)


def test_an_answer_without_a_tour_shows_the_reason() -> None:
    answer = ktsolve.find(TourProblem(board="3x8", closed=True))
    card = shown(answer)
    assert title(card) == "No tour"
    assert facts(card)["reason"] == answer.reason
    assert not images(card)


@pytest.mark.parametrize("by", ["start", full("ends")])
def test_classes_are_a_heat_map_and_a_table(by: str) -> None:
    answer = ktsolve.count(TourProblem(board="5x6", closed=False), by=by)
    card = shown(answer)
    assert title(card) == "18,784 tours: open 5x6"
    told = facts(card)
    assert told["directed"] == "37,568"
    assert told["classes"] == str(len(answer.rows))
    board = TourProblem(board="5x6", closed=False).board
    for one in answer.rows[:12]:
        name = " ".join(map(board.name, one.key))
        assert told[name] == f"{one.multiplicity} | {one.count:,}"
    (picture,) = images(card)
    numbers = [each.text for each in picture.iter(f"{SVG}text")]
    assert "Open tours of 5x6 by their ends" in " ".join(filter(None, numbers))
    # Both counts give the same picture, since each tour has two ends.
    other = {"start": "ends", "ends": "start"}[by]
    (again,) = images(shown(ktsolve.count(TourProblem(board="5x6", closed=False), by=other)))
    assert ElementTree.tostring(again) == ElementTree.tostring(picture)
    more = [each.text for each in card.iter("p")][1:]
    assert more == ([] if len(answer.rows) <= 12 else [f"and {len(answer.rows) - 12} more"])


def test_counts_have_separated_thousands_and_any_size() -> None:
    assert title(shown(ktsolve.count(TourProblem(board="6x6", closed=True)))) == "9,862 tours: closed 6x6"
    assert title(shown(ktsolve.count(TourProblem(board="3x8", closed=True)))) == "0 tours: closed 3x8"
    long = ktsolve.count(TourProblem(board="3x9000", closed=True), "strip")
    assert re.match(r"about 10\^\d{4}: ", title(shown(long)).replace(" tours", ""))


def test_classes_of_a_graph_have_no_heat_map() -> None:
    graph = ktsolve.Graph.of(networkx.cycle_graph(5))
    card = shown(ktsolve.count(TourProblem(board=graph, closed=False), by="start"))
    assert not images(card)
    assert facts(card)["start"] == "cells | tours each"


def test_a_sequence_shows_its_first_middle_and_last_tour() -> None:
    tours = ktsolve.tours("6x6")
    card = shown(tours)
    assert title(card) == "9,862 tours: closed 6x6"
    assert facts(card)["order"] == tours.order
    assert facts(card)["drawn"] == "numbers 0, 4,931, 9,861"
    drawn = [ElementTree.tostring(each) for each in images(card)]
    plain = {"theme": "auto", "numbers": False, "coordinates": False}
    files = [tours[k].svg(**plain) for k in (0, 4931, 9861)]
    wanted = [ElementTree.tostring(ElementTree.fromstring(file)) for file in files]
    assert drawn == wanted
    assert title(shown(tours[5:6])) == "1 tour: closed 6x6"
    assert not images(shown(ktsolve.tours("3x8")))


def test_a_puzzle_is_drawn_with_its_start_and_goal() -> None:
    puzzle = load_swap_instance("guarini").puzzle
    assert puzzle._repr_html_() is None
    root = shown(puzzle)
    assert root.findtext(f"{SVG}desc") == f"Start: {puzzle.start}. Goal: {puzzle.goal}."
    for name, position in (("start", puzzle.first), ("goal", puzzle.last)):
        (group,) = (each for each in root.iter(f"{SVG}g") if each.get("class") == name)
        # A knight has three paths: edge, head, eye.
        assert len(list(group)) == 3 * sum(mark != "." for mark in position)
    answer = ktsolve.solve_swap(puzzle)
    card = shown(answer)
    assert title(card).startswith("16 jumps: ")
    assert images(card)


def test_a_certificate_shows_its_claim_and_argument() -> None:
    made = ktsolve.prove(TourProblem(board="8x8", closed=True, forbid=["a1-b3"]))
    card = shown(made)
    assert title(card) == "No tour: closed 8x8 forbid a1-b3"
    assert facts(card)["argument"] in ("degrees", "parts", "clauses")
    assert len(images(card)) == 1


def test_a_graph_with_an_answer() -> None:
    card = shown(ktsolve.is_hamiltonian(networkx.petersen_graph()))
    assert title(card) == "No Hamiltonian cycle in a graph of 10 vertices and 15 edges"
    card = shown(ktsolve.is_hamiltonian(networkx.dodecahedral_graph()))
    assert title(card).startswith("Hamiltonian cycle of a graph of 20 vertices")
    assert len(images(card)) == 1


def test_hostile_names_are_escaped() -> None:
    cycle = ktsolve.Graph.of(networkx.cycle_graph([HOSTILE, "b", "c"]))
    path = ktsolve.Graph.of([("a", "b"), ("b", "c"), ("c", "a"), ("a", HOSTILE)])
    asked = TourProblem(board=path, closed=True)
    values = [
        cycle,
        ktsolve.find(TourProblem(board=cycle, closed=True)),
        ktsolve.find(TourProblem(board=cycle, closed=True)).tour,
        ktsolve.find(asked),
        ktsolve.count(asked),
        ktsolve.count(TourProblem(board=cycle, closed=False), by="ends"),
        ktsolve.tours(cycle),
        ktsolve.prove(asked),
        ktsolve.is_hamiltonian(cycle),
        ktsolve.is_hamiltonian(path),
    ]
    for value in values:
        for each in images(shown(value)):
            assert not list(each.iter(f"{SVG}script"))
    assert "<script>alert(" in facts(shown(ktsolve.find(asked)))["reason"]


@pytest.mark.full
def test_huge_things_are_small_cards() -> None:
    large = ktsolve.Graph.of(networkx.path_graph(200_000))
    board = ktsolve.Board.parse("20000x20000")
    for value in (large, board, TourProblem(board=large, closed=True).ground):
        assert value._repr_svg_() is None
        assert not images(shown(value))
    rows, columns = 120, 130
    order = ktsolve.tour_steps(rows, columns, closed=True).ravel().argsort().tolist()
    cells = [divmod(cell, columns) for cell in order]
    tour = ktsolve.Tour(ktsolve.Board(rows, columns), cells, closed=True)
    card = shown(tour)
    assert tour._repr_svg_() is None
    assert title(card) == "Closed tour of 120x130"
    assert facts(card)["steps"] == "15,600"
    assert [each.tag for each in images(card)] == ["png"]
    assert [each.tag for each in images(shown(Answer(tour, engine="divide")))] == ["png"]
    broken = ktsolve.Tour(ktsolve.Board(rows, columns), cells[:-1] + cells[:1], closed=True)
    assert not images(shown(broken))


def test_many_facts_are_cut() -> None:
    card = ElementTree.fromstring(card_html(Card("x" * 10**6, (("y" * 10**6, "z" * 10**6),), more=1_000_000)))
    assert sum(map(len, card.itertext())) < 3000
    assert "and 1,000,000 more" in card.itertext()
