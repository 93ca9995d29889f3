"""Jobs of the cross-check about pictures and files: pictures drawn and files written are read back.

The position of the board, the path and the numbers are read from the SVG without ``ktsolve.render``.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np

from ktsolve.base.limits import Settings
from ktsolve.formats.graphs.files import GRAPH_FORMATS, graph_file, read_graph
from ktsolve.formats.tours.files import load, read_tour, tour_file
from ktsolve.formats.tours.recognition import TOUR_FORMATS
from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.find import find
from ktsolve.verify.jobs import Context, Job, Sides

_SVG = "{http://www.w3.org/2000/svg}"
_NUMBER = r"-?(?:\d+\.?\d*|\.\d+)"

_QUESTIONS = (
    TourProblem(board="6x6", closed=True),
    TourProblem(board="5x5", closed=False),
    TourProblem(board=Board.parse("8x8", without="d4:e5"), closed=True),
    TourProblem(board="70x70", closed=True),
    TourProblem(board=Board.parse("10x10", leaper=(2, 3)), closed=False),
)
"""Tours of several kinds: holes, another piece, and one so large that it is drawn as a line."""

_BOARDS = (
    Board.parse("6x6"),
    Board.parse("3x4", without="a1"),
    Board.parse("5x6", wrap="x"),
    Board.parse("4x4", wrap="xy"),
    Board.parse("8x8", leaper="1,3"),
)


def cells_of_path(svg: str, board: Board) -> list[Cell]:
    """The cells on the path of a picture, from its lines and the position of its board."""
    root = ElementTree.fromstring(svg)
    walk: list[Cell] = []
    for path in _group(root, "path"):
        if path.get("stroke") is None:
            continue  # what sets a line off from one above it
        cells = [_cell(root, board, point) for point in _points(path.get("d", ""))]
        walk += cells[1:] if walk and walk[-1] == cells[0] else cells
    return walk


def cells_of_numbers(svg: str, board: Board) -> list[Cell]:
    """The cells with the step numbers of a picture, in the order of the steps."""
    root = ElementTree.fromstring(svg)
    steps = {}
    sizes = [g.get("font-size", "0") for g in root.iter(f"{_SVG}g") if g.get("class") == "numbers"]
    for text in _group(root, "numbers"):
        # The point is on the baseline; the middle of a number is higher by a third of its size.
        size = float(text.get("font-size") or sizes[0])
        point = float(text.get("x", "0")), float(text.get("y", "0")) - size / 3
        steps[int(text.text or "0")] = _cell(root, board, point)
    return [steps.get(step, (-1, -1)) for step in range(1, len(steps) + 1)]


def _group(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [each for group in root.iter(f"{_SVG}g") if group.get("class") == name for each in group]


def _cell(root: ElementTree.Element, board: Board, point: tuple[float, float]) -> Cell:
    place = _group(root, "board")[0]
    left, top = float(place.get("x", "0")), float(place.get("y", "0"))
    unit = float(place.get("width", "0")) / board.columns
    return int((point[1] - top) // unit), int((point[0] - left) // unit)


def _points(data: str) -> list[tuple[float, float]]:
    """The end points of the lines and curves of a path, whose coordinates are relative."""
    x = y = 0.0
    found = []
    for command, rest in re.findall(r"([Mlchv])([^Mlchv]*)", data):
        numbers = [float(each) for each in re.findall(_NUMBER, rest)]
        taken = {"M": 2, "l": 2, "c": 6, "h": 1, "v": 1}[command]
        for at in range(0, len(numbers), taken):
            step = numbers[at : at + taken]
            if command == "M":
                x, y = step
            else:
                x += step[0] if command == "h" else 0.0 if command == "v" else step[-2]
                y += step[0] if command == "v" else 0.0 if command == "h" else step[-1]
            found.append((x, y))
    return found


def _pictures(context: Context) -> Sides:
    """Tours drawn straight, smooth and numbered: pictures read back, and pictures drawn."""
    drawn = 0
    wrong = []
    for tour in _tours(context.settings):
        whole = [*tour.squares, *tour.squares[: 1 if tour.closed else 0]]
        small = len(tour) <= 400
        lines = ("straight", "smooth") if small else ("straight",)
        for theme, line in itertools.product(("light", "print"), lines):
            svg = tour.svg(theme=theme, path=line)
            read = cells_of_path(svg, tour.board) == whole
            if small:
                read = read and cells_of_numbers(svg, tour.board) == list(tour.squares)
            drawn += 1
            if not read:
                wrong.append(f"{tour.board} {theme} {line}")
    return Sides.unless(wrong, f"{drawn} pictures read back")


def _files(context: Context) -> Sides:
    """Tours and boards written in every format: files read back, and files written; graph6 by networkx."""
    written = 0
    wrong = []
    for tour in _tours(context.settings):
        for form in TOUR_FORMATS:
            if form.name == "moves" and not tour.board.plain:
                continue
            written += 1
            text = load(tour_file([tour], form))
            if not isinstance(text, str) or read_tour(text, tour.board, tour.closed) != tour:
                wrong.append(f"{tour.board} {form.name}")
    for board in _BOARDS:
        for form in GRAPH_FORMATS:
            if form.name in ("dot", "d6"):  # parsers of the one are optional, the other holds arcs
                continue
            written += 1
            read = read_graph(graph_file(board, form.name), form.name)
            unstated = form.name in ("g6", "s6", "d6", "matrix")
            if not (np.array_equal(read.edges, board.edges) if unstated else read == board):
                wrong.append(f"{board} {form.name}")
    return Sides.unless(wrong, f"{written} files read back")


def _tours(settings: Settings) -> Iterator[Tour]:
    for problem in _QUESTIONS:
        tour = find(problem, settings=settings).tour
        assert tour is not None, problem
        yield tour


def picture_jobs(_level: str) -> Iterator[Job]:
    """Jobs of pictures and files."""
    yield Job("pictures read back (svg)", _pictures)
    yield Job(f"files read back ({len(TOUR_FORMATS) + len(GRAPH_FORMATS)} formats)", _files)
