"""Pictures: paths, marks, values and symmetry are drawn correctly; the same input gives the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from itertools import pairwise
from math import dist, hypot

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import boards, examples, real_tours, refusal, walks
from svg_reading import SVG, group, lines_of, parsed, strands, walk_of

import ktsolve
from ktsolve.graphs.board import Board, Move
from ktsolve.graphs.geometry import angles, crossings
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.symmetry import named_symmetry, symmetry_group
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.render.boards.heat import (
    HEATS,
    PUBLISHED_STARTS,
    Heat,
    accessibility,
    accessibility_on_arrival,
    counted_heat,
    named_heat,
    published_starts,
)
from ktsolve.render.boards.layout import BoardLayout
from ktsolve.render.picture import ground_scene, tour_scene
from ktsolve.render.scene.shapes import Placed
from ktsolve.render.scene.sheet import sheet_scene
from ktsolve.render.scene.style import LINES, Style
from ktsolve.render.scene.svg import scene_svg
from ktsolve.render.scene.theme import THEMES, blend, legible

Place = tuple[float, float]


def cells_at(svg: str, board: Board) -> dict[Place, Cell]:
    """The cells by their centres, from the rectangle of the board alone."""
    rect = group(parsed(svg), "board")[0]
    left, top = float(rect.get("x", "0")), float(rect.get("y", "0"))
    unit = float(rect.get("width", "0")) / board.columns
    assert unit * board.rows == float(rect.get("height", "0"))
    return {(left + (c + 0.5) * unit, top + (r + 0.5) * unit): (r, c) for r, c in board.cells}


# -- the path -----------------------------------------------------------------------------------------------


@given(walks(), st.sampled_from(["straight", "smooth"]), st.booleans(), st.sampled_from(sorted(THEMES)))
@examples(50)
def test_the_path_goes_from_cell_to_cell(walk: Tour, path: str, gradient: bool, theme: str) -> None:
    assume(walk.board.wrap == "none")
    svg = walk.svg(path=path, gradient=gradient, theme=theme)
    places = cells_at(svg, walk.board)
    drawn = [[places[point] for point in strand] for strand in walk_of(parsed(svg))]
    squares = list(walk.squares)
    if walk.closed and len(squares) > 2:
        squares.append(squares[0])
    # A cell visited twice in a row is a point, which a path may leave out.
    assert drawn == ([squares] if len(squares) > 1 else [])


@given(real_tours())
@examples(50)
def test_moves_across_edges_are_drawn_in_pieces_on_the_board(tour: Tour) -> None:
    board = tour.board
    assume(board.wrap != "none")
    svg = tour.svg(gradient=False)
    rect = group(parsed(svg), "board")[0]
    left, top = float(rect.get("x", "0")), float(rect.get("y", "0"))
    unit = float(rect.get("width", "0")) / board.columns
    right, bottom = left + board.columns * unit, top + board.rows * unit
    long = hypot(*board.leaper) * unit
    whole = 0.0
    ends: Counter[Place] = Counter()
    places = cells_at(svg, board)
    for path in lines_of(parsed(svg)):
        for strand in strands(path.get("d", "")):
            for (x0, y0), (x1, y1) in pairwise(strand):
                assert left <= min(x0, x1) <= max(x0, x1) <= right
                assert top <= min(y0, y1) <= max(y0, y1) <= bottom
                length = dist((x0, y0), (x1, y1))
                slope = ((y1 - y0) / length * long / unit, (x1 - x0) / length * long / unit)
                assert any(dist(slope, offset) < 0.05 for offset in board.offsets)
                whole += length
                ends.update(point for point in ((x0, y0), (x1, y1)) if point in places)
    # Beside the board each move across an edge goes on at both of its ends, to copies of the other end.
    walk = [*tour.squares, *(tour.squares[:1] if tour.closed else ())]
    across = [(a, b) for a, b in pairwise(walk) if (b[0] - a[0], b[1] - a[1]) not in set(board.offsets)]
    outside = 0.0
    texts = Counter(each.text for each in group(parsed(svg), "beyond-nodes") if each.tag == f"{SVG}text")
    copies = set()
    for path in group(parsed(svg), "beyond"):
        for (x0, y0), (x1, y1) in strands(path.get("d", "")):
            assert not (left < x0 < right and top < y0 < bottom)
            outside += dist((x0, y0), (x1, y1))
            copies.add((x0, y0))
    assert whole + outside == pytest.approx((len(tour.moves) + len(across)) * long, rel=1e-3)
    step = {cell: str(i) for i, cell in enumerate(tour.squares, 1)}
    cells = [((y - top) // unit % board.rows, (x - left) // unit % board.columns) for x, y in copies]
    assert texts == Counter(step[int(r), int(c)] for r, c in cells)
    assert set(texts) == {step[cell] for move in across for cell in move}
    # Every cell has as many moves as the tour makes there.
    assert {places[point]: number for point, number in ends.items()} == Counter(
        cell for move in tour.moves for cell in move
    )


def test_colours_run_along_the_path_without_a_gap() -> None:
    tour = ktsolve.find(TourProblem(board="8x8", closed=True)).tour
    assert tour is not None
    for theme in THEMES.values():
        svg = scene_svg(tour_scene(tour, Style(theme=next(n for n, t in THEMES.items() if t is theme))))
        paths = lines_of(parsed(svg))
        assert len(paths) == 64
        assert paths[0].get("stroke") == blend((*theme.cycle, theme.cycle[0]), 0.5 / 64)
        assert len({path.get("stroke") for path in paths}) > 30
        for before, after in pairwise(strands(path.get("d", ""))[0] for path in paths):
            assert before[-1] == after[0]


@given(real_tours(), st.data())
@examples(40)
def test_a_walk_is_drawn_up_to_a_step(tour: Tour, data: st.DataObject) -> None:
    assume(tour.board.wrap == "none")
    steps = data.draw(st.integers(0, len(tour)))
    svg = tour.svg(after=steps, accessibility=True)
    root, places = parsed(svg), cells_at(svg, tour.board)
    drawn = [[places[point] for point in strand] for strand in walk_of(root)]
    wanted = list(tour.squares[:steps])
    if steps == len(tour) and tour.closed:
        wanted.append(wanted[0])
    assert drawn == ([wanted] if len(wanted) > 1 else [])
    assert bool(group(root, "knight")) == (0 < steps < len(tour))
    numbers = group(root, "accessibility")
    free = accessibility(tour.board, tour.squares[:steps])
    assert Counter(text.text for text in numbers) == Counter(str(number) for number in free.values())


# -- marks --------------------------------------------------------------------------------------------------


@given(real_tours())
@examples(40)
def test_crossings_and_angles_are_those_of_the_geometry(tour: Tour) -> None:
    if tour.board.wrap != "none":
        for asked in ({"crossings": True}, {"angles": True}):
            assert "not wrapped" in refusal(tour.svg, **asked)
        return
    root = parsed(tour.svg(crossings=True, angles=True))
    kinds = angles(tour)
    words = [text.text for text in group(root, "legend") if text.tag == f"{SVG}text"]
    number = len(crossings(tour))
    assert words == [
        *(f"{len(cells)} {kind}" for kind, cells in kinds.items()),
        f"{number} crossing{'' if number == 1 else 's'}",
    ]
    sectors = sum(path.get("d", "").count("M") for path in group(root, "angles"))
    assert sectors == sum(map(len, kinds.values()))
    rings = group(root, "crossings")
    assert len(rings) <= number
    assert bool(rings) == bool(number)


def test_each_crossing_is_marked_where_the_lines_meet() -> None:
    tour = Tour.from_names(Board(3, 4), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    root = parsed(tour.svg(crossings=True, coordinates=False))
    unit, margin = 40, 14
    marked = {
        ((float(c.get("cy", "")) - margin) / unit - 0.5, (float(c.get("cx", "")) - margin) / unit - 0.5)
        for c in group(root, "crossings")
    }

    def on(move: Move, r: float, c: float) -> bool:
        (a, b), (p, q) = move
        inside: bool = min(a, p) < r + 0.01 < max(a, p) + 0.02 and min(b, q) < c + 0.01 < max(b, q) + 0.02
        return inside and abs((p - a) * (c - b) - (q - b) * (r - a)) < 0.01

    pairs = crossings(tour)
    for first, second in pairs:
        assert any(on(first, r, c) and on(second, r, c) for r, c in marked)
    for r, c in marked:
        assert any(on(first, r, c) and on(second, r, c) for first, second in pairs)
    assert len(marked) <= len(pairs)


@pytest.mark.parametrize(("name", "order"), [("rot180", 2), ("rot90", 4)])
def test_the_symmetry_permutes_the_colours(name: str, order: int) -> None:
    board = Board(6, 6)
    turn = named_symmetry(board, name)
    for tour in ktsolve.find_all(TourProblem(board=board, closed=True, symmetry=name), number=12):
        svg = tour.svg(symmetry=True)
        places = cells_at(svg, board)
        colour: dict[frozenset[int], str] = {}
        for path in lines_of(parsed(svg)):
            for strand in strands(path.get("d", "")):
                for a, b in pairwise(board.index[places[point]] for point in strand):
                    colour[frozenset((a, b))] = str(path.get("stroke"))
        assert len(colour) == 36
        size = len(tour.stabiliser())
        assert size % order == 0
        assert sorted(Counter(colour.values()).values()) == [36 // size] * size
        exchanged = {(c, colour[frozenset(turn(i) for i in move)]) for move, c in colour.items()}
        assert len(exchanged) == size
        assert all(a != b for a, b in exchanged)


def test_given_cells_and_moves_are_marked() -> None:
    problem = TourProblem(
        board="6x6", closed=True, at={1: "a1", 5: "c5"}, require=["b1-d2"], forbid=["c3-d5"]
    )
    tour = ktsolve.find(problem).tour
    assert tour is not None
    for scene in (
        tour_scene(tour, Style(problem=problem)),
        ground_scene(problem.board, Style(problem=problem)),
    ):
        svg = scene_svg(scene)
        root, places = parsed(svg), cells_at(svg, problem.board)
        corners = {strand[0] for path in group(root, "clues") for strand in strands(path.get("d", ""))}
        assert {(y // 40, x // 40) for x, y in ((x - 30, y - 14) for x, y in corners)} == {(5, 0), (1, 2)}
        (band,) = group(root, "required")
        assert [[places[p] for p in strand] for strand in strands(band.get("d", ""))] == [[(4, 3), (5, 1)]]
        broken, cross = group(root, "forbidden")
        assert [[places[p] for p in strand] for strand in strands(broken.get("d", ""))] == [[(1, 3), (3, 2)]]
        assert broken.get("stroke-dasharray")
        assert len(strands(cross.get("d", ""))) == 2
        bold = {text.text for text in group(root, "numbers") if text.get("font-weight") == "bold"}
        assert bold == {"1", "5"}
    several = TourProblem(board="6x6", closed=False, starts=["a1", "b1"], ends=["f6", "e6"])
    (path,) = group(parsed(scene_svg(ground_scene(several.board, Style(problem=several)))), "clues")
    assert len(strands(path.get("d", ""))) == 4


@given(boards(largest=6))
@examples(40)
def test_the_edge_separates_cells_from_everything_else(board: Board) -> None:
    svg = scene_svg(ground_scene(board, Style(coordinates=False)))
    found: set[tuple[Place, Place]] = set()
    for path in group(parsed(svg), "edge"):
        joined = path.get("stroke-dasharray") is not None
        for strand in strands(path.get("d", "")):
            for (x0, y0), (x1, y1) in pairwise(strand):
                on_side = (x0 == x1 and x0 in (14, 14 + 40 * board.columns)) and "x" in board.wrap
                on_top = (y0 == y1 and y0 in (14, 14 + 40 * board.rows)) and "y" in board.wrap
                assert joined == (on_side or on_top)
                steps = round(dist((x0, y0), (x1, y1)) / 40)
                for i in range(steps):
                    piece = [(x0 + (x1 - x0) * j / steps, y0 + (y1 - y0) * j / steps) for j in (i, i + 1)]
                    found.add((min(piece), max(piece)))
    wanted = set()
    for r in range(-1, board.rows + 1):
        for c in range(-1, board.columns + 1):
            x, y = 14 + 40 * c, 14 + 40 * r
            if ((r, c) in board) != ((r, c + 1) in board):
                wanted.add(((x + 40.0, y + 0.0), (x + 40.0, y + 40.0)))
            if ((r, c) in board) != ((r + 1, c) in board):
                wanted.add(((x + 0.0, y + 40.0), (x + 40.0, y + 40.0)))
    assert found == wanted


# -- values -------------------------------------------------------------------------------------------------


@given(boards(largest=6), st.data())
@examples(50)
def test_accessibility_counts_free_cells_in_reach(board: Board, data: st.DataObject) -> None:
    walk = data.draw(st.lists(st.sampled_from(board.cells), unique=True))
    free = [cell for cell in board.cells if cell not in walk]
    assert accessibility(board, walk) == {
        cell: sum(board.adjacent(cell, other) for other in free) for cell in free
    }
    numbers = accessibility_on_arrival(Tour(board, tuple(walk)))
    for step, (cell, number) in enumerate(zip(walk, numbers, strict=True), 1):
        left = [other for other in board.cells if other not in walk[:step]]
        assert number == sum(board.adjacent(cell, other) for other in left)


def test_the_empty_chessboard_has_the_numbers_of_seeds_004() -> None:
    numbers = accessibility(Board(8, 8))
    assert Counter(numbers.values()) == {2: 4, 3: 8, 4: 20, 6: 16, 8: 16}


@pytest.mark.full
def test_shipped_starts_agree_with_a_count() -> None:
    assert PUBLISHED_STARTS == ("6x6", "7x7", "8x8")
    totals = {"6x6": 3318960, "7x7": 82787609160, "8x8": 9795914085489952}
    for size, total in totals.items():
        heat = published_starts(Board.parse(size))
        assert sum(heat.values.values()) == 2 * total
        board = Board.parse(size)
        for symmetry in symmetry_group(board):
            for cell, value in heat.values.items():
                image = board.cells[symmetry(board.index[cell])]
                assert heat.values[image] == value
    problem = TourProblem(board="6x6", closed=False)
    classes = ktsolve.count(problem, by="start")
    counted = counted_heat(problem.board, [(row.key, row.count) for row in classes.rows])
    assert counted.values == published_starts(problem.board).values


def test_values_are_coloured_from_the_least_to_the_greatest() -> None:
    theme = THEMES["light"]
    heat = Heat({(0, 0): 1, (0, 1): 2, (1, 0): 3}, "things")
    assert [heat.colour(cell, theme) for cell in heat.values] == [
        theme.heat[0],
        blend(theme.heat, 32 / 63),
        theme.heat[-1],
    ]
    svg = scene_svg(ground_scene(Board(2, 2), Style(heat=heat)))
    texts = [text.text for text in group(parsed(svg), "numbers")]
    assert texts == ["1", "2", "3"]
    assert "Colours: things, from 1 to 3." in svg


@given(real_tours(), st.sampled_from(HEATS))
@examples(40)
def test_values_by_name(tour: Tour, name: str) -> None:
    if name == "starts":
        assert "are shipped for 6x6, 7x7, 8x8" in refusal(named_heat, name, tour)
        return
    heat = named_heat(name, tour)
    assert set(heat.values) == set(tour.squares)
    svg = tour.svg(heat=heat)
    filled = group(parsed(svg), "heat")
    assert sum(path.get("d", "").count("M") for path in filled) == len(tour)
    assert f"heat {name} needs a tour" in refusal(named_heat, name, Tour(tour.board, ()))


@given(st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))
@examples(50)
def test_ink_can_be_read_on_any_colour(red: int, green: int, blue: int) -> None:
    ink = legible(f"#{red:02x}{green:02x}{blue:02x}")

    def luminance(channels: tuple[int, int, int]) -> float:
        shares = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in channels]
        return sum(w * s for w, s in zip((0.2126, 0.7152, 0.0722), shares, strict=True))

    two = sorted((luminance((red, green, blue)), luminance((28, 28, 28) if ink == "#1c1c1c" else (255,) * 3)))
    # WCAG asks for 3 in large text; the better of two inks always has more than 4.
    assert (two[1] + 0.05) / (two[0] + 0.05) > 4


# -- sheets, sizes, bytes -----------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=12), st.integers(1, 6))
@examples(40)
def test_pictures_on_a_sheet_do_not_overlap(sizes: list[tuple[int, int]], columns: int) -> None:
    scenes = [ground_scene(Board(*size)) for size in sizes]
    page = sheet_scene(scenes, "Boards", columns=columns)
    svg = scene_svg(page)
    assert [g[0].text for g in parsed(svg).iter(f"{SVG}g") if g.get("transform")] == [
        f"Board {rows}x{cols}" for rows, cols in sizes
    ]
    boxes = [
        (s.x, s.y, s.x + s.scene.width * s.scale, s.y + s.scene.height * s.scale)
        for s in page.shapes
        if isinstance(s, Placed)
    ]
    assert len(boxes) == len(sizes)
    for i, (x0, y0, x1, y1) in enumerate(boxes):
        assert 0 <= x0 < x1 <= page.width
        assert 0 <= y0 < y1 <= page.height
        assert all(x1 <= a or c <= x0 or y1 <= b or d <= y0 for a, b, c, d in boxes[:i])


def snake(side: int) -> Tour:
    """A wazir's tour of a square board, row by row."""
    board = Board(side, side, leaper=(0, 1))
    cells = ((r, c if r % 2 == 0 else side - 1 - c) for r in range(side) for c in range(side))
    return Tour._trusted(board, tuple(cells), False)


def test_a_large_board_is_a_small_file() -> None:
    tour = snake(300)
    started = time.process_time()
    svg = tour.svg()
    assert time.process_time() - started < 2
    assert len(svg) < 5 * len(tour) + 20_000
    places = cells_at(svg, tour.board)
    (drawn,) = walk_of(parsed(svg))
    assert [places[point] for point in drawn] == list(tour.squares)
    assert not group(parsed(svg), "numbers")
    for asked in ({"numbers": True}, {"path": "smooth"}, {"angles": True}, {"accessibility": True}):
        assert "at most 10,000 cells, and this board has 90,000" in refusal(tour.svg, **asked)


@pytest.mark.slow
def test_a_thousand_by_a_thousand_in_two_seconds() -> None:
    tour = snake(1000)
    started = time.process_time()
    svg = tour.svg()
    assert time.process_time() - started < 2
    assert len(svg) < 5_000_000


@pytest.mark.full
def test_the_same_tour_gives_the_same_bytes_whatever_the_hash() -> None:
    code = (
        "import hashlib, ktsolve\n"
        "from ktsolve.formats.graphs.files import graph_file\n"
        "from ktsolve.render.subject import PictureOptions, picture_file, picture_format\n"
        "from ktsolve.render.scene.style import Style\n"
        "from ktsolve.render.subjects import DrawnTours\n"
        "tour = ktsolve.read_tour('1 6 3\\n4 . 8\\n7 2 5')\n"
        "style = Style(crossings=True, angles=True, symmetry=True)\n"
        "options = lambda e, **more: PictureOptions(form=picture_format('x.' + e), **more)\n"
        "files = [picture_file(DrawnTours((tour, tour)), style, options(e), heat='visit') for e in "
        "('svg', 'png', 'txt')]\n"
        "files += [picture_file(DrawnTours((tour,)), style, options(e, pixels=90))"
        " for e in ('gif', 'apng')]\n"
        "files += [graph_file(tour.board, e).encode() for e in ('hcp', 'col', 'g6', 'graphml', 'net')]\n"
        "print(*(hashlib.sha256(part).hexdigest() for part in files))\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
    assert len(set(said.pop().split())) == 10


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"theme": "blue"}, "theme 'blue' is unknown: use light, dark, print, safe"),
        ({"path": "curly"}, f"path 'curly' is unknown: use {', '.join(LINES)}"),
        ({"path": "smooth", "angles": True}, "use path straight"),
        ({"after": -1}, "must be 0 or more, not -1"),
    ],
)
def test_bad_styles_are_refused(asked: dict[str, object], said: str) -> None:
    assert said in refusal(Style, **asked)


def test_layouts_have_whole_numbers() -> None:
    # Paths of a million moves are written as whole numbers.
    for size in ((1, 1), (8, 8), (61, 3), (1000, 1000)):
        for unit in (2, 40):
            layout = BoardLayout(Board(*size), unit, 30, 14)
            assert all(isinstance(value, int) for value in layout.centre((size[0] - 1, size[1] - 1)))
