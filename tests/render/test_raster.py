"""PNG, GIF, APNG and plots show the same as the SVG; animations have the requested frames and times."""

from __future__ import annotations

import io
import sys
from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from strategies import examples, real_tours, refusal
from test_pictures import snake

from ktsolve.formats.tours.files import read_tour
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.heat import named_heat
from ktsolve.render.picture import animation, frame_steps, ground_scene, tour_scene
from ktsolve.render.scene.raster import MOST_PIXELS, png, rasterise
from ktsolve.render.scene.shapes import Placed, Rect, Scene
from ktsolve.render.scene.sheet import sheet_scene
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.svg import scene_svg
from ktsolve.render.scene.theme import THEMES

RING = read_tour("1 6 3\n4 . 8\n7 2 5")


def colour(picture: Image.Image, x: float, y: float) -> str:
    """The colour of a pixel."""
    found = (picture if picture.mode == "RGB" else picture.convert("RGB")).getpixel((int(x), int(y)))
    assert isinstance(found, tuple)
    return "#{:02x}{:02x}{:02x}".format(*found)


@given(real_tours(), st.sampled_from(sorted(THEMES)), st.integers(150, 400))
@examples(12)
def test_cells_have_their_colours(tour: Tour, theme: str, pixels: int) -> None:
    heat = named_heat("visit", tour)
    scene = tour_scene(tour, Style(theme=theme, heat=heat, path="none", numbers=False, ends=False))
    picture = Image.open(io.BytesIO(png(scene, pixels)))
    assert max(picture.size) == pixels
    assert picture.width / picture.height == pytest.approx(scene.width / scene.height, abs=0.02)
    scale = pixels / max(scene.width, scene.height)
    for r, c in tour.board.cells:
        x, y = (30 + 40 * (c + 0.5)) * scale, (14 + 40 * (r + 0.5)) * scale
        assert colour(picture, x, y) == heat.colour((r, c), THEMES[theme])


def test_the_path_is_where_it_belongs() -> None:
    tour = snake(100)
    for pixels in (900, 1600):
        style = Style(theme="print", gradient=False, ends=False)
        scene = tour_scene(tour, style)
        picture = rasterise(scene, pixels)
        scale = pixels / scene.width
        # Line drawings have two units to a cell and a margin of two cells.
        for r in range(0, 100, 7):
            for c in range(99):
                x, y = (4 + 2 * c + 2) * scale, (4 + 2 * r + 1) * scale
                assert colour(picture, x, y) < "#606060", (r, c)
                # A line between two rows: nothing but the turns at the ends.
                if c > 0:
                    assert colour(picture, x - scale, y + scale) > "#e0e0e0", (r, c)


def test_a_sheet_is_drawn_at_its_places() -> None:
    blue = Scene(100, 100, "blue", "", "#0000ff", (), 100)
    red = Scene(100, 100, "red", "", "#ffffff", (Rect(0, 0, 100, 100, "#ff0000"),), 100)
    page = sheet_scene([blue, red, blue], "three", columns=2)
    picture = rasterise(page, round(max(page.width, page.height)))
    for shape, wanted in zip(page.shapes, ("#0000ff", "#ff0000", "#0000ff"), strict=False):
        assert isinstance(shape, Placed)
        assert colour(picture, shape.x + 130, shape.y + 130) == wanted
    assert colour(picture, 5, 5) == "#ffffff"


@pytest.mark.parametrize("ending", ["gif", "apng"])
def test_an_animation_has_a_frame_for_each_step(ending: str) -> None:
    data = animation(RING, Style(numbers=False), ending=ending, speed=4, pixels=120)
    moving = Image.open(io.BytesIO(data))
    assert getattr(moving, "n_frames") == len(RING) + 1  # noqa: B009 (not in the type)
    assert moving.info["loop"] == 0
    scale = 120 / tour_scene(RING, Style()).height
    ink = THEMES["light"].ink
    durations = []
    for frame in range(len(RING) + 1):
        moving.seek(frame)
        durations.append(moving.info["duration"])
        knights = {
            (r, c)
            for r, c in RING.board.cells
            # The chest of the knight's head, away from the path and dots.
            if _near(
                colour(moving, (30 + 40 * (c + 0.5) + 2) * scale, (14 + 40 * (r + 0.5) + 9) * scale), ink
            )
        }
        assert knights == ({RING.squares[frame]} if frame < len(RING) else set()), frame
    assert durations == [250] * len(RING) + [1500]


def _near(found: str, wanted: str) -> bool:
    return all(abs(int(found[i : i + 2], 16) - int(wanted[i : i + 2], 16)) < 24 for i in (1, 3, 5))


@given(st.integers(1, 3000), st.one_of(st.none(), st.integers(2, 600)))
def test_frames_go_from_the_first_step_to_the_last(steps: int, frames: int | None) -> None:
    shown = frame_steps(steps, frames)
    assert len(shown) == min(steps, frames or 120)
    assert shown == sorted(set(shown))
    assert shown[-1] == steps
    assert shown[0] == 1 or len(shown) == 1
    gaps = {b - a for a, b in pairwise(shown)}
    assert len(gaps) <= 2


@pytest.mark.parametrize(
    ("tour", "asked", "said"),
    [
        (snake(65), {}, "an animation shows boards up to 64x64, and this is 65x65"),
        (Tour(Board(1000, 1000), ()), {}, "this is 1000x1000: draw it as .svg or .png"),
        (Tour(Board(3, 3), ()), {}, "an animation needs a tour"),
        (RING, {"frames": 1}, "2 to 600 frames, not 1"),
        (RING, {"frames": 601}, "2 to 600 frames, not 601"),
        (RING, {"speed": 0.0}, "0.05 to 1000 steps a second, not 0"),
        (RING, {"pixels": 1201}, "at most 1200 pixels on its longer side, not 1,201"),
        (RING, {"pixels": 3}, "16 to 10,000 pixels on its longer side, not 3"),
        (snake(30), {"frames": 600, "pixels": 1200}, "600 frames of 1200 pixels"),
    ],
)
def test_impossible_animations_are_refused(tour: Tour, asked: dict[str, float], said: str) -> None:
    assert said in refusal(animation, tour, **asked)


def test_impossible_sizes_are_refused() -> None:
    scene = ground_scene(Board(3, 3))
    for pixels in (0, 15, MOST_PIXELS + 1):
        assert f"not {pixels:,}" in refusal(rasterise, scene, pixels)
    assert rasterise(scene, 16).size == (16, 16)


def test_without_pillow_or_matplotlib_the_error_names_the_package() -> None:
    scene = ground_scene(Board(3, 3))
    with patch.dict(sys.modules, {"PIL": None, "PIL.Image": None}):
        assert "pip install pillow" in refusal(png, scene)
    with patch.dict(sys.modules, {"matplotlib": None}):
        assert "pip install matplotlib" in refusal(RING.plot)


@pytest.mark.full
def test_a_plot_has_what_the_svg_has() -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="the extra pictures is not installed")

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.lines import Line2D

    axes = RING.plot(crossings=True, numbers=True)
    assert [text.get_text() for text in axes.texts if text.get_text().isdigit()][-8:] == list("12345678")
    lines = [line for line in axes.lines if isinstance(line, Line2D)]
    assert len(lines) == len(RING.moves)
    board = next(p for p in axes.patches if p.get_width() == 120)
    for line, (here, there) in zip(lines, pairwise((*RING.squares, RING.squares[0])), strict=True):
        xs, ys = (np.asarray(values, dtype=float).tolist() for values in line.get_data())
        for x, y, (r, c) in zip(xs, ys, (here, there), strict=True):
            assert (x, y) == (board.get_x() + 40 * (c + 0.5), board.get_y() + 40 * (r + 0.5))
    # On given axes.
    figure, own = pyplot.subplots()
    assert RING.plot(own, theme="dark", path="smooth") is own
    assert own.patches
    pyplot.close("all")
    assert figure is own.figure


@pytest.mark.full
def test_png_and_svg_are_of_the_same_scene() -> None:
    scene = tour_scene(RING)
    assert f'viewBox="0 0 {scene.width:g} {scene.height:g}"' in scene_svg(scene)
    picture = Image.open(io.BytesIO(png(scene)))
    assert max(picture.size) == 800
    large = ground_scene(Board(30, 30))
    assert Image.open(io.BytesIO(png(large))).width == round(2 * large.width)


@pytest.mark.full
def test_few_colours_of_a_large_image_cannot_be_told_from_all() -> None:
    scene = tour_scene(snake(100))
    few = Image.open(io.BytesIO(png(scene, 3200)))
    assert (few.mode, few.size) == ("P", rasterise(scene, 3200).size)
    apart = np.abs(np.asarray(few.convert("RGB"), dtype=int) - np.asarray(rasterise(scene, 3200), dtype=int))
    assert apart.max() < 32
    assert apart.mean() < 2
