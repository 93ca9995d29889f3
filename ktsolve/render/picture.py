"""Scenes of tours, of boards with values, of bare graphs; GIF and APNG files in which the knight walks."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from ktsolve.base.errors import BadInput
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.composition import in_words
from ktsolve.render.boards.picture import BoardPicture
from ktsolve.render.graphs.picture import GraphPicture, graph_positions
from ktsolve.render.scene.raster import pillow, rasterise
from ktsolve.render.scene.shapes import Scene
from ktsolve.render.scene.style import Style

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["MOST_FRAMES", "animation", "frame_steps", "ground_scene", "tour_scene"]


def tour_scene(tour: Tour, style: Style | None = None) -> Scene:
    """Return the picture of a tour, or of any walk; invalid moves are drawn straight.

    Raises BadInput if the style needs something that this board or graph does not have or is too large for.

    >>> tour = Tour.from_names(Board.parse("3x4"), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> scene = tour_scene(tour, Style(theme="dark", crossings=True))
    >>> scene.title
    'Open tour of 3x4'
    >>> scene.description
    '12 steps from a3 to d1 on a board of 3 rows and 4 columns. 20 crossings.'
    >>> tour_scene(Tour(Graph("abcd", ["ab", "bc", "cd", "ad", "ac"]), "abcd", closed=True)).description
    '4 steps from a through d back to a on a graph of 4 vertices and 5 edges.'
    """
    style = style or Style()
    return (BoardPicture if isinstance(tour.ground, Board) else GraphPicture)(tour, style).scene()


def ground_scene(ground: Graph, style: Style | None = None) -> Scene:
    """Return the picture of a graph, or of a board without a tour: cells, given cells and moves, values."""
    style = style or Style()
    if isinstance(ground, Board):
        return BoardPicture(Tour(ground, ()), style).scene(f"Board {ground}")
    return GraphPicture(Tour(ground, ()), style).scene(in_words(ground))


MOST_FRAMES = 600  # largest number of frames
_LARGEST_SIDE = 64  # longest side of a board on which the knight is large enough to be seen

_DEFAULT_FRAMES = 120
_DEFAULT_PIXELS = 560
_MOST_PIXELS = 1200
_MOST_TOTAL_PIXELS = 200_000_000
"""Pixels of all frames together: Pillow keeps them in memory until the file is written."""

_SECONDS = 16.0  # length of an animation of default speed, as far as that is between 2 and 12 steps a second
_LAST_FRAME = 1500  # milliseconds for which the finished tour is shown before the animation repeats


def frame_steps(steps: int, frames: int | None) -> list[int]:
    """The number of steps that each frame shows of a walk of ``steps`` steps, evenly spread.

    >>> frame_steps(5, None), frame_steps(10, 4)
    ([1, 2, 3, 4, 5], [1, 4, 7, 10])
    """
    number = min(steps, _DEFAULT_FRAMES if frames is None else frames)
    if number == 1:
        return [steps]
    return [1 + round(i * (steps - 1) / (number - 1)) for i in range(number)]


def animation(
    tour: Tour,
    style: Style | None = None,
    *,
    ending: str = "gif",
    frames: int | None = None,
    speed: float | None = None,
    pixels: int | None = None,
) -> bytes:
    """Return the file of an animation: one frame for each step, or ``frames`` of them, then the whole tour.

    - ``ending``: ``gif`` (256 colours, supported by every viewer) or ``apng`` (all colours)
    - ``frames``: 2 to ``MOST_FRAMES``; by default one for each step, at most 120
    - ``pixels``: length of the longer side, by default 560

    Raises BadInput if Pillow is not installed, a number is out of range, or the board is larger than 64x64.
    """
    ground, style = tour.ground, style or Style()
    if isinstance(ground, Board) and max(ground.rows, ground.columns) > _LARGEST_SIDE:
        raise BadInput(
            f"an animation shows boards up to {_LARGEST_SIDE}x{_LARGEST_SIDE}, and this is {ground.size}: "
            "draw it as .svg or .png"
        )
    if not isinstance(ground, Board):
        if len(ground) > _LARGEST_SIDE**2:
            raise BadInput(
                f"an animation shows graphs up to {_LARGEST_SIDE**2:,} vertices, and this is a {ground}: "
                "draw it as .svg or .png"
            )
        style = replace(style, positions=graph_positions(tour, style))
    if not tour.squares:
        raise BadInput("an animation needs a tour, and the input has none: give a tour")
    if frames is not None and not 2 <= frames <= MOST_FRAMES:
        raise BadInput(f"an animation has 2 to {MOST_FRAMES} frames, not {frames:,}")
    if speed is not None and not 0.05 <= speed <= 1000:
        raise BadInput(f"the speed must be 0.05 to 1000 steps a second, not {speed:g}")
    size = _DEFAULT_PIXELS if pixels is None else pixels
    if size > _MOST_PIXELS:
        raise BadInput(f"an animation has at most {_MOST_PIXELS} pixels on its longer side, not {size:,}")
    shown = frame_steps(len(tour), frames)
    if len(shown) * size * size > _MOST_TOTAL_PIXELS:
        raise BadInput(
            f"{len(shown)} frames of {size} pixels are too large: give fewer frames or fewer pixels"
        )
    pace = min(max(len(tour) / _SECONDS, 2.0), 12.0) if speed is None else speed
    each = max(round(1000 * len(tour) / len(shown) / pace), 20)

    def frame(step: int) -> Image.Image:
        return rasterise(tour_scene(tour, replace(style, after=step, knight=True)), size)

    images: Iterator[Image.Image] = chain(map(frame, shown), [rasterise(tour_scene(tour, style), size)])
    if ending == "gif":
        # All colours of the animation occur in the last step.
        palette = frame(len(tour)).quantize(256, pillow("Image").Quantize.MEDIANCUT)
        images = (image.quantize(palette=palette, dither=pillow("Image").Dither.NONE) for image in images)
    first = next(images)
    # Pillow writes the frames of a GIF one by one; for an APNG it needs a list.
    rest, form = (images, "GIF") if ending == "gif" else (list(images), "PNG")
    file = io.BytesIO()
    times = [*[each] * len(shown), _LAST_FRAME]
    first.save(file, form, save_all=True, append_images=rest, duration=times, loop=0, optimize=False)
    return file.getvalue()
