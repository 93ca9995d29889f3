"""Details of pictures: halos, colours of closed tours, captions, the knight, text on sheets, two palettes."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from math import dist
from xml.etree.ElementTree import Element

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from marks import full
from PIL import Image, ImageFont
from strategies import examples, real_tours, refusal
from svg_reading import SVG, group, parsed

import ktsolve
from ktsolve.formats.tours.files import read_tour
from ktsolve.graphs.board import Board
from ktsolve.graphs.geometry import crossings
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.render.boards.halos import drawn_crossings
from ktsolve.render.boards.heat import named_heat
from ktsolve.render.boards.layout import BoardLayout
from ktsolve.render.boards.path_geometry import PathGeometry
from ktsolve.render.picture import ground_scene, tour_scene
from ktsolve.render.scene.lettering import caption_lines, helvetica_width, text_width
from ktsolve.render.scene.raster import rasterise
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.svg import scene_svg
from ktsolve.render.scene.theme import THEMES, TwoColours, blend, css_variables, legible
from ktsolve.render.subject import PictureOptions, picture_file, picture_format
from ktsolve.render.subjects import DrawnTours

RING = read_tour("1 6 3\n4 . 8\n7 2 5")


def tour_of(**problem: object) -> Tour:
    tour = ktsolve.find(TourProblem(**problem)).tour  # type: ignore[arg-type]
    assert tour is not None
    return tour


CHESSBOARD = tour_of(board="8x8", closed=True, symmetry="rot180")


def channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def pixel(picture: Image.Image, x: float, y: float) -> tuple[int, ...]:
    found = picture.getpixel((round(x), round(y)))
    assert isinstance(found, tuple)
    return found


# -- halos --------------------------------------------------------------------------------------------------


@given(real_tours())
@examples(40)
def test_the_crossings_that_are_drawn_are_those_of_the_geometry(tour: Tour) -> None:
    assume(tour.board.wrap == "none")
    geometry = PathGeometry(tour, BoardLayout(tour.board, 40, 0, 0))
    walk = [*tour.squares, *tour.squares[:1]]
    moves = [tuple(sorted(pair)) for pair in pairwise(walk)]
    found = drawn_crossings(geometry, geometry.moves)
    drawn = {frozenset((moves[each.lower], moves[each.upper])) for each in found}
    assert all(each.lower < each.upper for each in found)
    # Moves on one line have no point in which they cross.
    wanted = {
        frozenset((a, b))
        for a, b in crossings(tour)
        if (a[1][0] - a[0][0]) * (b[1][1] - b[0][1]) != (a[1][1] - a[0][1]) * (b[1][0] - b[0][0])
    }
    assert drawn == wanted


def test_squares_have_two_colours_as_those_of_a_chessboard() -> None:
    board, theme = Board(5, 4), THEMES["light"]
    scene = ground_scene(board, Style(coordinates=False))
    picture = rasterise(scene, round(max(scene.width, scene.height)))
    for r, c in board.cells:
        colour = theme.dark if (r + c) % 2 else theme.light
        assert dist(pixel(picture, 40 * c + 34, 40 * r + 34), channels(colour)) < 2, (r, c)


@pytest.mark.parametrize("path", ["straight", "smooth"])
@pytest.mark.parametrize("gradient", [True, full(False)])
@pytest.mark.parametrize("theme", ["light", full("dark")])
def test_the_upper_move_is_whole_and_the_lower_one_stops_beside_it(
    path: str, gradient: bool, theme: str
) -> None:
    tour = CHESSBOARD
    style = Style(path=path, numbers=False, coordinates=False, ends=False, dots=False, theme=theme)
    style = Style(**{**vars(style), "gradient": gradient})
    colours, scale = THEMES[theme], 4
    scene = tour_scene(tour, style)
    picture = rasterise(scene, round(scene.width * scale))
    geometry = PathGeometry(tour, BoardLayout(tour.board, 40, 14, 14), path == "smooth")
    found = drawn_crossings(geometry, 64)
    alone = [
        each
        for each in found
        if each.sine > 0.5
        and all(other is each or dist(other.point, each.point) > 14 for other in found)
        and all(dist(geometry.layout.centre(cell), each.point) > 10 for cell in tour.squares)
    ]
    assert len(alone) > 10
    shades = [blend((*colours.cycle, colours.cycle[0]), (k + 0.5) / 64) for k in range(64)]
    for each in alone:
        (x, y), (u, v) = each.point, each.along
        line = shades[each.upper] if gradient else colours.line
        assert dist(pixel(picture, x * scale, y * scale), channels(line)) < 12
        for side in (-1, 1):
            # The line is 3.4 wide, the halo beside it 1.87.
            away = side * (1.7 + 0.9) / each.sine
            a, b = x + away * u, y + away * v
            cell = int((b - 14) // 40), int((a - 14) // 40)
            ground = colours.dark if sum(cell) % 2 else colours.light
            near = max(abs((value - 14) / 40 % 1 - 0.5) for value in (a, b))
            if near < 0.47:
                assert dist(pixel(picture, a * scale, b * scale), channels(ground)) < 40, each
            # A little further the lower move goes on.
            away = side * 7.5 / each.sine
            lower = shades[each.lower] if gradient else colours.line
            if path == "straight":
                assert (
                    dist(pixel(picture, (x + away * u) * scale, (y + away * v) * scale), channels(lower)) < 40
                )


def test_halos_have_the_colours_of_given_cells_bands_and_values() -> None:
    tour = CHESSBOARD
    problem = TourProblem(board="8x8", closed=True, require=[tour.squares[:2]], at={1: tour.squares[0]})
    theme = THEMES["light"]
    plain = {theme.light, theme.dark}

    def halos(style: Style) -> set[str | None]:
        root = parsed(scene_svg(tour_scene(tour, style)))
        return {each.get("fill") for each in group(root, "path") if each.get("stroke") is None}

    assert halos(Style()) == plain
    assert theme.require in halos(Style(problem=problem))
    heat = named_heat("visit", tour)
    assert halos(Style(heat=heat)) <= {heat.colour(cell, theme) for cell in tour.squares}


# -- colours ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_the_colours_of_a_closed_tour_have_no_first_and_last(theme: str) -> None:
    svg = tour_scene(CHESSBOARD, Style(theme=theme, numbers=False))
    lines = [each.get("stroke") for each in group(parsed(scene_svg(svg)), "path") if each.get("stroke")]
    assert len(lines) >= 64
    strokes = [channels(str(colour)) for colour in lines]
    steps = [dist(a, b) for a, b in pairwise(strokes)]
    assert dist(strokes[-1], strokes[0]) <= max(steps) + 1
    opened = Tour(CHESSBOARD.board, CHESSBOARD.squares)
    strokes = [
        channels(str(each.get("stroke")))
        for each in group(parsed(opened.svg(theme=theme)), "path")
        if each.get("stroke")
    ]
    assert dist(strokes[0], strokes[-1]) > 80


def test_custom_properties_are_the_colours_of_the_themes() -> None:
    light, dark = THEMES["light"], THEMES["dark"]
    blocks = re.findall(r"([^{}]+)\{([^{}]*)\}", css_variables(light, dark).replace("@media", "\n@media"))
    rules = [dict(re.findall(r"--kt-([\w-]+): (#\w{6});", body)) for _, body in blocks]
    assert len(rules) == 3
    for theme, rule in zip((light, dark, dark), rules, strict=True):
        assert rule["background"] == theme.background
        assert [rule[f"cycle-{i}"] for i in range(1, len(theme.cycle) + 1)] == list(theme.cycle)
    assert "prefers-color-scheme" not in css_variables(light, dark, automatic=None)


def painted(root: Element) -> list[tuple[str, str | None, str | None]]:
    """Tag, fill and stroke of every shape, with what they inherit."""
    found: list[tuple[str, str | None, str | None]] = []

    def visit(element: Element, fill: str | None, stroke: str | None) -> None:
        fill, stroke = element.get("fill", fill), element.get("stroke", stroke)
        tag = element.tag.removeprefix(SVG)
        if tag in ("rect", "circle", "path", "text"):
            found.append((tag, fill, stroke))
        for child in element:
            visit(child, fill, stroke)

    visit(root, None, None)
    return found


@given(real_tours(), st.sampled_from(["visit", "accessibility", None]), st.booleans())
@examples(30)
def test_a_picture_for_two_schemes_has_both_palettes(tour: Tour, heat: str | None, symmetry: bool) -> None:
    style = {
        "heat": None if heat is None else named_heat(heat, tour),
        "symmetry": symmetry,
        "accessibility": True,
        "after": len(tour) // 2,
    }
    light, dark, auto = (parsed(tour.svg(theme=theme, **style)) for theme in ("light", "dark", "auto"))
    (sheet,) = auto.iter(f"{SVG}style")
    assert (sheet.text or "").startswith("@media (prefers-color-scheme:dark){.")
    rules = re.findall(
        r"\.([\w-]+) \[(fill|stroke)=\"(#\w{6})\"\]\{(fill|stroke):(#\w{6})\}", sheet.text or ""
    )
    assert {name for name, *_ in rules} == {auto.get("class")}
    change = {(kind, colour): other for _, kind, colour, same, other in rules if kind == same}
    assert len(change) == len(rules)
    drawn = painted(auto)

    def in_dark(kind: str, colour: str | None) -> str | None:
        return colour if colour is None else change.get((kind, colour), colour)

    # Cells of one colour are one shape; these shapes are ordered by their colours.
    assert Counter((tag, in_dark("fill", a), in_dark("stroke", b)) for tag, a, b in drawn) == Counter(
        painted(dark)
    )
    for (tag, *colours), (same, *wanted) in zip(drawn, painted(light), strict=True):
        assert tag == same
        for colour, other in zip(colours, wanted, strict=True):
            if colour != other:
                assert colour is not None
                assert other is not None
                # One light colour with two dark ones: changed by the least step.
                assert channels(colour)[:2] == channels(other)[:2]
                assert abs(channels(colour)[2] - channels(other)[2]) <= 4


def test_two_colours_stay_two_when_they_are_mixed() -> None:
    pair, other = TwoColours("#000000", "#ffffff"), TwoColours("#ff0000", "#0000ff")
    mixed = blend([pair, other], 0.5)
    assert isinstance(mixed, TwoColours)
    assert (str(mixed), mixed.dark) == (
        blend(["#000000", "#ff0000"], 0.5),
        blend(["#ffffff", "#0000ff"], 0.5),
    )
    ink = legible(pair)
    assert isinstance(ink, TwoColours)
    assert (str(ink), ink.dark) == (legible("#000000"), legible("#ffffff"))
    assert pair != TwoColours("#000000", "#fffffe")
    assert pair != "#ffffff"


@pytest.mark.parametrize("suffix", ["png", "gif", "apng", "pdf", "tikz"])
def test_two_schemes_are_for_files_that_adapt(suffix: str) -> None:
    options = PictureOptions(form=picture_format(f"x.{suffix}"))
    assert "theme auto is for .svg" in refusal(
        picture_file, DrawnTours((RING,)), Style(theme="auto"), options
    )


# -- captions -----------------------------------------------------------------------------------------------


@given(
    st.lists(
        st.text(st.characters(codec="ascii", categories=["L", "N", "P"]), min_size=1, max_size=24),
        max_size=30,
    ),
    st.integers(3, 12),
    st.integers(3, 12),
)
@examples(60)
def test_a_caption_is_never_cut(words: list[str], rows: int, columns: int) -> None:
    caption = " ".join(words)
    scene = ground_scene(Board(rows, columns), Style(caption=caption))
    root = parsed(scene_svg(scene))
    texts = [each for each in root if each.tag == f"{SVG}text"]
    assert " ".join(text.text or "" for text in texts) == caption
    top = float(group(root, "board")[0].get("y", "0"))
    before = 0.0
    for text in texts:
        size, x, y = (float(text.get(key, "")) for key in ("font-size", "x", "y"))
        # The width in the font of Pillow, which is none of those that the estimate is made of.
        wide = ImageFont.load_default(200).getlength(text.text or "") * size / 200
        assert x - wide / 2 >= 0
        assert x + wide / 2 <= scene.width
        assert before < y - 0.7 * size
        assert y + 0.25 * size < top
        before = y


def test_lines_of_a_caption_are_as_large_as_possible() -> None:
    assert caption_lines("one two", 10, 1000) == (["one two"], 10)
    lines, size = caption_lines("word " * 12, 10, 120)
    assert len(lines) == 3
    assert 7 <= size < 10
    lines, size = caption_lines("x" * 100, 10, 100)
    assert lines == ["x" * 100]
    assert size * text_width("x" * 100, bold=True) == pytest.approx(100)
    assert helvetica_width("iii") < helvetica_width("aaa") < helvetica_width("WWW")


# -- the knight, and text on sheets -------------------------------------------------------------------------


@given(real_tours(), st.booleans(), st.data())
@examples(30)
def test_nothing_lies_under_the_knight(tour: Tour, numbers: bool, data: st.DataObject) -> None:
    step = data.draw(st.integers(1, len(tour)))
    style = Style(after=step, numbers=numbers, knight=True)
    root = parsed(scene_svg(tour_scene(tour, style)))
    assert len(group(root, "knight")) == 3
    rect = group(root, "board")[0]
    left, top = float(rect.get("x", "0")), float(rect.get("y", "0"))
    row, column = tour.squares[step - 1]
    here = left + 40 * (column + 0.5), top + 40 * (row + 0.5)
    marks = [*group(root, "nodes"), *group(root, "ends")]
    places = [
        (
            float(each.get("cx") or float(each.get("x", "0")) + float(each.get("width", "0")) / 2),
            float(each.get("cy") or float(each.get("y", "0")) + float(each.get("height", "0")) / 2),
        )
        for each in marks
    ]
    assert all(dist(place, here) > 20 for place in places)
    texts = [each.text for each in group(root, "numbers")]
    assert texts == ([str(k) for k in range(1, step)] if numbers else [])


@pytest.mark.full
def test_numbers_on_a_sheet_are_left_out_where_they_cannot_be_read() -> None:
    def names(number: int, size: int, **asked: object) -> set[str | None]:
        tours = DrawnTours((tour_of(board=f"{size}x{size}", closed=True),) * number)
        file = picture_file(tours, Style(**asked), PictureOptions(form=picture_format("x.svg")))  # type: ignore[arg-type]
        return {each.get("class") for each in parsed(file.decode()).iter(f"{SVG}g")}

    assert {"numbers", "coordinates"} <= names(2, 6)
    assert not {"numbers", "coordinates"} & names(100, 6)
    assert "numbers" not in names(2, 14)
    # Two large boards are drawn in a tenth of the time of a hundred small ones.
    assert not {"numbers", "coordinates"} & names(2, 12)
    assert "numbers" in names(2, 12, numbers=True)
    assert "coordinates" in names(2, 12, coordinates=True)


def contrast(first: str, second: str) -> float:
    """The contrast of two colours as WCAG defines it."""

    def luminance(colour: str) -> float:
        shares = [
            c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in channels(colour)
        ]
        return sum(w * s for w, s in zip((0.2126, 0.7152, 0.0722), shares, strict=True))

    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", ["light", "dark", "print", "safe"])
def test_lines_and_text_have_enough_contrast(name: str) -> None:
    theme = THEMES[name]
    for around in (theme.background, theme.light):
        assert contrast(theme.ink, around) >= 7
        assert contrast(theme.faint, around) >= 4.5
        for colours in (theme.path, (*theme.cycle, theme.cycle[0]), (theme.line,)):
            for k in range(101):
                assert contrast(blend(colours, k / 100), around) >= 3, (k, colours)
