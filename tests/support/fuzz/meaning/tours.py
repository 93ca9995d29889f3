"""Tours of boards and of graphs: written by ktsolve, by numpy, and after the descriptions of the formats."""

from __future__ import annotations

import csv
import functools
import io
import json
import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from command import ktsolve as command

from fuzz.meaning.plain_graphs import graph_of, random_graph
from fuzz.meaning.writers import Kind, Writer, Written
from fuzz.target import file_of
from ktsolve.base.errors import BadInput, KtsolveError
from ktsolve.formats.sources import read_tours
from ktsolve.formats.tours.files import tour_file
from ktsolve.formats.tours.recognition import TOUR_FORMATS
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.find import find_all

__all__ = ["GRAPH_TOURS", "TOURS"]

Plain = dict[str, Any]
"""``board`` as JSON, ``closed``, and ``squares`` in their order."""

_BOARDS: tuple[tuple[dict[str, Any], bool], ...] = (
    ({"size": "3x4"}, False),
    ({"size": "5x5"}, False),
    ({"size": "5x6"}, True),
    ({"size": "6x6"}, True),
    ({"size": "6x6"}, False),
    ({"size": "3x3", "without": "b2"}, True),
    ({"size": "5x5", "without": "b1"}, True),
    ({"size": "4x5", "without": "a1,e4"}, False),
    ({"size": "3x4", "leaper": "0,1"}, True),
    ({"size": "2x3", "leaper": "0,1"}, False),
    ({"size": "4x4", "wrap": "xy"}, True),
    ({"size": "2x5", "leaper": "0,1", "wrap": "x"}, True),
    ({"size": "1x1"}, False),
)


@functools.cache
def _known() -> tuple[tuple[Tour, ...], ...]:
    """Up to three tours of each of these boards."""
    found = []
    for words, closed in _BOARDS:
        others = {key: value for key, value in words.items() if key != "size"}
        problem = TourProblem(board=Board.parse(words["size"], **others), closed=closed)
        tours = []
        for tour in find_all(problem):
            tours.append(tour)
            if len(tours) == 3:
                break
        if tours:
            found.append(tuple(tours))
    return tuple(found)


def _draw(chance: random.Random) -> list[Plain]:
    """One tour or several of a board, each from any of its cells if it is closed, and in any direction."""
    known = chance.choice(_known())
    chosen = []
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        tour = chance.choice(known)
        squares = [list(square) for square in tour.squares]
        if tour.closed:
            at = chance.randrange(len(squares))
            squares = squares[at:] + squares[:at]
        if chance.random() < 0.5:
            squares.reverse()
        each = {"board": tour.board.to_json(), "closed": tour.closed, "squares": squares}
        if each not in chosen:
            chosen.append(each)
    return chosen


def _tour(tour: Plain) -> Tour:
    return Tour(Board.from_json(tour["board"]), tuple(map(tuple, tour["squares"])), tour["closed"])


def _meant(tours: Sequence[Plain], board: dict[str, Any] | None = None, *, order: bool = True) -> Any:
    return {"tours": list(tours), "board": board, "order": order}


def _same(found: Any, meant: Any) -> bool:
    if meant["order"]:
        return bool(found == meant["tours"])
    (left,), (right,) = found, meant["tours"]

    def edges(tour: Plain) -> set[frozenset[Any]]:
        ends = list(map(tuple, tour["squares"]))
        return set(map(frozenset, zip(ends, ends[1:] + ends[: 1 if tour["closed"] else 0], strict=False)))

    same = left["board"] == right["board"] and left["closed"] == right["closed"]
    return same and edges(left) == edges(right) and len(left["squares"]) == len(right["squares"])


def _read(data: bytes, form: str, way: str, packed: str, meant: Any) -> list[Plain]:
    suffix = next(each.suffixes[0] for each in TOUR_FORMATS if each.name == form)
    board = None if meant["board"] is None else Board.from_json(meant["board"])
    if way == "text" and form != "npy" and not packed:
        found = read_tours(io.StringIO(data.decode()), board)
    elif way == "standard input" and (board is None or board.plain):
        said = command(
            "convert", "-", "--format", "json", *(["--board", str(board)] if board else []), given=data
        )
        if said.status:
            raise BadInput(said.complaint)
        value = json.loads(said.out)
        return [
            {"board": value["board"], "closed": value["closed"], "squares": squares}
            for squares in value.get("tours") or [value["squares"]]
        ]  # fmt: skip
    else:
        with file_of(data, f".{suffix if way == 'suffix' else 'dat'}{packed}") as path:
            found = read_tours(path, board)
            return [_plain(tour) for tour in found]
    return [_plain(tour) for tour in found]


def _plain(tour: Tour) -> Plain:
    return {
        "board": tour.board.to_json(),
        "closed": tour.closed,
        "squares": [list(map(int, square)) for square in tour.squares],
    }


def _ours(form: str) -> Writer:
    the_form = next(each for each in TOUR_FORMATS if each.name == form)

    def write(_: random.Random, tours: list[Plain]) -> Written | None:
        chosen = tours if the_form.several else tours[:1]
        board = None
        if form == "npy":
            board = tours[0]["board"]
            if not Board.from_json({**board, "without": []}).plain:
                return None
            if _tour(tours[0]).closes != tours[0]["closed"]:
                return None
            board = None
        try:
            data = tour_file([_tour(tour) for tour in chosen], the_form)
        except KtsolveError:
            return None
        return data if the_form.binary else data.decode(), _meant(chosen, board)

    return Writer(form, "ktsolve", write)


# -- by the descriptions ----------------------------------------------------------------------------------


def _is_plain(tour: Plain) -> bool:
    return bool(tour["board"]["leaper"] == [1, 2] and tour["board"]["wrap"] == "none")


def _unstated(tour: Plain) -> Plain | None:
    """The tour as a file without a statement has it: a knight's, and closed if its ends are a move apart."""
    if not _is_plain(tour):
        return None
    return {**tour, "closed": _tour(tour).closes}


def _names(tour: Plain) -> list[str]:
    return [f"{chr(97 + column)}{tour['board']['rows'] - row}" for row, column in tour["squares"]]


def _filled(tour: Plain, first: int = 1, hole: Any = 0) -> list[list[Any]]:
    rows = [[hole] * tour["board"]["columns"] for _ in range(tour["board"]["rows"])]
    for step, (row, column) in enumerate(tour["squares"], first):
        rows[row][column] = step
    return rows


def _grid(chance: random.Random, tours: list[Plain]) -> Written | None:
    """Rows of numbers with blanks, commas, semicolons or tabs, aligned or not; or counted from zero."""
    tour = _unstated(tours[0])
    if tour is None or len(tour["squares"]) < 3:
        return None
    holes = len(tour["board"]["without"])
    first = 0 if not holes and chance.random() < 0.3 else 1
    # A single hole is written as a dot: as 0 it might be the first step.
    rows = _filled(tour, first, "." if holes == 1 else chance.choice((".", "0")))
    mark = chance.choice((" ", "  ", ",", ";", "\t", ", "))
    width = chance.choice((1, 3)) if mark == " " else 1
    return "".join(mark.join(f"{value:>{width}}" for value in row) + "\n" for row in rows), _meant([tour])


def _cells(mark: str) -> Writer:
    def write(chance: random.Random, tours: list[Plain]) -> Written | None:
        tour = _unstated(tours[0])
        if tour is None or (mark != " " and len(tour["squares"]) < 2):
            return None
        names = _names(tour)
        if chance.random() < 0.2:
            names = [name.upper() for name in names]
        return mark.join(names) + "\n", _meant([tour], tour["board"])

    return Writer("cells", f"names with {mark!r}", write, sure=mark == " ")


def _csv(chance: random.Random, tours: list[Plain]) -> Written | None:
    """Columns and lines in any order, further columns, other separators."""
    tour = _unstated(tours[0])
    if tour is None:
        return None
    names = _names(tour)
    by_cell = chance.random() < 0.4
    columns = ["step", "cell"] if by_cell else ["step", "row", "column"]
    columns += ["note"] * chance.randint(0, 1)
    chance.shuffle(columns)
    first = chance.choice((0, 1, 1))
    lines = [
        {"step": step + first, "row": row, "column": column, "cell": name, "note": "x y"}
        for step, ((row, column), name) in enumerate(zip(tour["squares"], names, strict=True))
    ]
    if chance.random() < 0.5:
        chance.shuffle(lines)
    file = io.StringIO()
    out = csv.writer(
        file,
        delimiter=chance.choice(",;\t"),
        lineterminator="\n",
        quoting=chance.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL)),
    )
    out.writerow([chance.choice((name, name.capitalize())) for name in columns])
    out.writerows([line[name] for name in columns] for line in lines)
    return file.getvalue(), _meant([tour], tour["board"])


def _lists(chance: random.Random, tours: list[Plain]) -> Written | None:
    """Lists of Python: rows of steps, pairs, or names."""
    tour = _unstated(tours[0])
    if tour is None or len(tour["squares"]) < 3:
        return None
    holes = bool(tour["board"]["without"])
    values: list[Any] = [tour["squares"], _names(tour), *([] if holes else [_filled(tour)])]
    indent = chance.choice((None, None, 1))
    return json.dumps(chance.choice(values), indent=indent) + "\n", _meant([tour], tour["board"])


def _object(chance: random.Random, tours: list[Plain]) -> Written | None:
    """The JSON of ktsolve with its keys in another order."""
    keys = ["squares", "board", "closed", "schema"]
    chance.shuffle(keys)
    value = {**tours[0], "schema": "ktsolve/1"}
    return json.dumps({key: value[key] for key in keys}, indent=chance.choice((None, 2))), _meant(tours[:1])


def _tsplib(chance: random.Random, tours: list[Plain]) -> Written | None:
    """As LKH and Concorde write: cells by number, a line each or several; an open tour has a node more."""
    tour = tours[0]
    holes = {tuple(cell) for cell in tour["board"]["without"]}
    size = (range(tour["board"]["rows"]), range(tour["board"]["columns"]))
    cells = [(row, column) for row in size[0] for column in size[1] if (row, column) not in holes]
    numbers = [cells.index(tuple(square)) + 1 for square in tour["squares"]]
    if len(numbers) < 3:
        return None
    if not tour["closed"]:
        numbers = _with_joint(chance, numbers, len(cells) + 1)
    head = ["NAME : some", "COMMENT : Length = 30", "TYPE : TOUR", f"DIMENSION : {len(numbers)}"]
    mark = chance.choice(("\n", " ", "\n"))
    lines = [*chance.sample(head, len(head)), "TOUR_SECTION", mark.join(map(str, numbers)), "-1"]
    return "\n".join([*lines, *["EOF"] * chance.randint(0, 1)]) + "\n", _meant([tour], tour["board"])


def _with_joint(chance: random.Random, numbers: list[int], joint: int) -> list[int]:
    """A path as a cycle with one node more, which joins its ends; it begins anywhere."""
    at = chance.randint(0, len(numbers))
    return [*numbers[at:], joint, *numbers[:at]]


def _edges(chance: random.Random, tours: list[Plain]) -> Written | None:
    """The edges in any order and direction."""
    tour = tours[0]
    names = _names(tour)
    if len(names) < 3:
        return None
    edges = list(zip(names, names[1:] + names[: int(tour["closed"])], strict=False))
    edges = [edge if chance.random() < 0.5 else edge[::-1] for edge in edges]
    chance.shuffle(edges)
    board = Board.from_json(tour["board"])
    statement = f"# ktsolve {json.dumps({**board.to_json(), 'closed': tour['closed']})}\n"
    text = statement + "".join(f"{one} {other}\n" for one, other in edges)
    return text, _meant([tour], tour["board"], order=False)


_TURNS = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))
"""Moves by their digits: clockwise from one right and two up."""


def _moves(_: random.Random, tours: list[Plain]) -> Written | None:
    tour = tours[0]
    if not _is_plain(tour) or tour["board"]["without"] or len(tour["squares"]) < 2:
        return None
    squares = tour["squares"] + tour["squares"][: int(tour["closed"])]
    digits = "".join(
        str(_TURNS.index((other[0] - one[0], other[1] - one[1]))) for one, other in pairwise(squares)
    )
    size = f"{tour['board']['rows']}x{tour['board']['columns']}"
    row, column = squares[0]
    kind = "closed" if tour["closed"] else "open"
    return f"moves {size} {kind} {row},{column} {digits}\n", _meant([tour])


def _array(chance: random.Random, tours: list[Plain]) -> Written | None:
    tour = _unstated(tours[0])
    if tour is None or len(tour["squares"]) < 3:
        return None
    holes = len(tour["board"]["without"])
    first = 0 if not holes and chance.random() < 0.3 else 1
    rows = np.array(
        _filled(tour, first, -1 if holes == 1 else 0), dtype=chance.choice(("<i8", "<i4", ">i4", "<i2", "i1"))
    )
    if chance.random() < 0.3:
        rows = np.asfortranarray(rows)
    file = io.BytesIO()
    np.save(file, rows)
    return file.getvalue(), _meant([tour])


_FORMS = tuple(form.name for form in TOUR_FORMATS if form.can("read") or form.can("read_array"))

_COMMENTS: dict[str, tuple[str, ...]] = {
    "grid": ("# {}",),
    "cells": ("# {}",),
    "csv": ("# {}",),
    "edges": ("# {}",),
    "tsplib": ("COMMENT : {}",),
}

_VARIANTS: dict[str, tuple[tuple[str, str], ...]] = {
    "tsplib": ((r"TYPE : TOUR", "TYPE: TOUR"), (r"\nEOF\n", "\n"), (r"NAME : .*\n", ""), (r" : ", " :")),
    "csv": (("step", "Step"), ("(?m)$", ","), (",", ";")),
    "grid": ((r"(?m)(?<=\d)$", " "), (r"(?m)(?<=\d) +(?=\d)", "\t")),
    "json": ((", ", ","), (r"\A", "\n")),
}

TOURS = Kind(
    name="tour",
    formats=_FORMS,
    draw=_draw,
    writers=(
        *(_ours(form) for form in _FORMS),
        Writer("grid", "rows of numbers", _grid),
        _cells(" "),
        _cells(","),
        _cells("-"),
        _cells("\n"),
        Writer("csv", "csv of Python", _csv),
        Writer("json", "lists", _lists),
        Writer("json", "object", _object),
        Writer("tsplib", "TSPLIB", _tsplib),
        Writer("edges", "edges", _edges),
        Writer("moves", "moves", _moves),
        Writer("npy", "numpy.save", _array),
    ),
    ways=("suffix", "text", "other suffix", "standard input"),
    read=_read,
    same=_same,
    comments=_COMMENTS,
    variants=_VARIANTS,
)
"""Tours of boards, one or several."""


# -- of graphs --------------------------------------------------------------------------------------------


def _draw_on_graph(chance: random.Random) -> Plain:
    """A graph with a tour in it."""
    graph = random_graph(chance)
    graph["edges"] = [[u, v, None] for u, v, _ in graph["edges"]]
    n = len(graph["names"])
    order = chance.sample(range(n), n)
    pair = tuple if graph["directed"] else frozenset
    closed = chance.random() < 0.5 and n > 2
    present = {pair(edge[:2]) for edge in graph["edges"]}
    for u, v in zip(order, order[1:] + order[: int(closed)], strict=False):
        if pair((u, v)) not in present:
            present.add(pair((u, v)))
            graph["edges"].append([u, v, None])
    return {"graph": graph, "closed": closed, "order": [graph["names"][i] for i in order]}


def _closes(tour: Plain) -> bool:
    graph, order = tour["graph"], tour["order"]
    ends = [graph["names"].index(order[-1]), graph["names"].index(order[0])]
    edges = [edge[:2] for edge in graph["edges"]]
    return len(order) > 2 and (ends in edges or (not graph["directed"] and ends[::-1] in edges))


def _ours_on_graph(form: str) -> Writer:
    the_form = next(each for each in TOUR_FORMATS if each.name == form)

    def write(_: random.Random, tour: Plain) -> Written | None:
        graph = graph_of(tour["graph"])
        places = [graph.names.index(name) for name in tour["order"]]
        try:
            text = tour_file([Tour.from_indices(graph, places, tour["closed"])], the_form).decode()
        except KtsolveError:
            return None
        if form == "cells" and _closes(tour):  # a list of names states nothing
            tour = {**tour, "closed": True}
        return text, tour

    return Writer(form, "ktsolve", write)


def _words(tour: Plain) -> bool:
    return all(name.isascii() and name.isalnum() for name in tour["order"])


def _stated_by_edge(tour: Plain) -> Plain:
    return {**tour, "closed": _closes(tour)}


def _names_of(chance: random.Random, tour: Plain) -> Written | None:
    if not _words(tour):
        return None
    return chance.choice((" ", ",", ", ")).join(tour["order"]) + "\n", _stated_by_edge(tour)


def _csv_of(chance: random.Random, tour: Plain) -> Written | None:
    file = io.StringIO()
    out = csv.writer(file, lineterminator="\n", quoting=chance.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL)))
    rows: list[Any] = list(enumerate(tour["order"], 1))
    chance.shuffle(rows)
    out.writerow(["step", "vertex"])
    out.writerows(rows)
    return file.getvalue(), _stated_by_edge(tour)


def _tsplib_of(chance: random.Random, tour: Plain) -> Written | None:
    numbers = [tour["graph"]["names"].index(name) + 1 for name in tour["order"]]
    if len(numbers) < 3:
        return None
    if not tour["closed"]:
        numbers = _with_joint(chance, numbers, len(numbers) + 1)
    lines = ["TYPE : TOUR", f"DIMENSION : {len(numbers)}", "TOUR_SECTION", *map(str, numbers), "-1", "EOF"]
    return "\n".join(lines) + "\n", tour


def _edges_of(chance: random.Random, tour: Plain) -> Written | None:
    """Edges in order: those of a cycle begin and end at its first vertex."""
    if not _words(tour) or len(tour["order"]) < 4:
        return None
    names = tour["order"] + tour["order"][: int(tour["closed"])]
    arrow = " -> " if tour["graph"]["directed"] else chance.choice((" ", "\t"))
    return "".join(f"{u}{arrow}{v}\n" for u, v in pairwise(names)), tour


def _list_of(_: random.Random, tour: Plain) -> Written | None:
    return json.dumps(tour["order"]) + "\n", _stated_by_edge(tour)


def _read_on_graph(data: bytes, form: str, way: str, packed: str, meant: Any) -> Plain:
    graph: Graph = graph_of(meant["graph"])
    suffix = next(each.suffixes[0] for each in TOUR_FORMATS if each.name == form)
    if way == "text" and not packed:
        (tour,) = read_tours(io.StringIO(data.decode()), graph)
    else:
        with file_of(data, f".{suffix}{packed}") as path:
            (tour,) = read_tours(path, graph)
    order = [graph.names[i] for i in tour.indices]
    return {"graph": meant["graph"], "closed": tour.closed, "order": order}


GRAPH_TOURS = Kind(
    name="graph-tour",
    formats=tuple(form.name for form in TOUR_FORMATS if form.bare),
    draw=_draw_on_graph,
    writers=(
        *(_ours_on_graph(form.name) for form in TOUR_FORMATS if form.bare),
        Writer("cells", "names", _names_of),
        Writer("csv", "csv of Python", _csv_of),
        Writer("tsplib", "TSPLIB", _tsplib_of),
        Writer("edges", "edges", _edges_of),
        Writer("json", "list", _list_of, sure=False),
    ),
    ways=("suffix", "text"),
    read=_read_on_graph,
    same=lambda found, meant: bool(found == meant),
    comments=_COMMENTS,
    variants={key: value for key, value in _VARIANTS.items() if key not in ("grid", "csv")},
)
"""Tours of bare graphs, whose graph is given to the reader."""
