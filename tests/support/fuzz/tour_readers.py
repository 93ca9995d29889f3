"""Targets: the readers of tours."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence

from fuzz.target import Target, text_of
from ktsolve.base.errors import KtsolveError
from ktsolve.formats.table import Format
from ktsolve.formats.tours.files import load, read_tour, read_tours, tour_file
from ktsolve.formats.tours.recognition import TOUR_FORMATS
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour

__all__ = ["TARGETS"]


@functools.cache
def _tours() -> tuple[Tour, ...]:
    ring = read_tour("1 6 3\n4 . 8\n7 2 5")
    small = Tour.from_names(Board(3, 4), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    wazir = Tour.from_names(Board(2, 2, leaper=(0, 1), wrap="x"), "a1 a2 b2 b1", closed=True)
    one = Tour(Board(1, 1), ((0, 0),))
    return ring, small, small.reversed(), wazir, one


@functools.cache
def _graph_tour() -> Tour:
    graph = Graph(("a", "b c", '"', "1"), [("a", "b c"), ("b c", '"'), ('"', "1"), ("1", "a")])
    return Tour(graph, graph.cells, closed=True)


def _same_tour(tour: Tour, form: Format) -> None:
    """A tour survives being written and read; a format that cannot hold it says so."""
    if form.name in ("grid", "edges") and len(set(tour.squares)) < len(tour.squares):
        return  # a grid has one number in a cell, and a list of edges an end that is not an inner vertex
    try:
        written = load(tour_file([tour], form))
    except KtsolveError:
        return
    again = read_tour(written, tour.ground, tour.closed) if isinstance(written, str) else written
    assert again.squares == tour.squares, f"{form.name}: {again.squares} after {tour.squares}"
    if form.can("comment") and isinstance(written, str) and isinstance(tour.ground, Board):
        assert read_tour(written) == tour, f"{form.name} does not state what it does not show: {written}"


def _read_tour(data: bytes) -> None:
    read = load(data)
    if not isinstance(read, str):
        return
    try:
        tour = read_tour(read)
    except KtsolveError:
        assert read_tours(read)  # a file of several
        return
    assert all(cell in tour.ground for cell in tour.squares)
    assert (tour.violation is None) == tour.valid
    if tour.squares and len(tour.ground) <= 4096:
        for form in TOUR_FORMATS:
            _same_tour(tour, form)
    with contextlib.suppress(KtsolveError):
        assert read_tours(read)


def _tour_seeds(form: Format) -> Callable[[], Sequence[bytes]]:
    def seeds() -> list[bytes]:
        found = [tour_file([tour], form) for tour in _tours() if form.name != "moves" or tour.board.plain]
        if form.several:
            found.append(tour_file([_tours()[1], _tours()[2]], form))
        return found

    return seeds


def _other_seeds() -> list[bytes]:
    """Tours as spreadsheets, Python and NumPy write them."""
    rows = [[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]
    commas, semicolons = ("".join(mark.join(map(str, row)) + mark + "\r\n" for row in rows) for mark in ",;")
    printed = "[" + "\n ".join("[" + " ".join(map(str, row)) + "]" for row in rows) + "]"
    from_zero = "\n".join("\t".join(str(step - 1) for step in row) for row in rows)
    step_cell = "step;cell\n" + "\n".join(
        f"{step};{name}" for step, name in enumerate(_tours()[1].names().split(), 1)
    )
    walk = tour_file([_tours()[1]], TOUR_FORMATS[-1], non_crossing=True)
    several = f"{commas}\n{semicolons}"
    texts = (commas, semicolons, printed, f"array({rows})", str(rows), from_zero, step_cell, several)
    return [walk, *(text.encode() for text in texts)]


def _read_graph_tour(data: bytes) -> None:
    ground = _graph_tour().ground
    tour = read_tour(text_of(data), ground)
    if tour.squares:
        for form in TOUR_FORMATS:
            if form.bare:
                _same_tour(tour, form)


def _graph_tour_seeds() -> list[bytes]:
    return [tour_file([_graph_tour()], form) for form in TOUR_FORMATS if form.bare]


TARGETS: tuple[Target, ...] = (
    *(
        Target(f"tour-{form.name}", _tour_seeds(form), _read_tour)
        for form in TOUR_FORMATS
        if form.can("read") or form.can("read_array")
    ),
    Target("tour-of-others", _other_seeds, _read_tour),
    Target("tour-of-graph", _graph_tour_seeds, _read_graph_tour),
)
"""The targets of this file."""
