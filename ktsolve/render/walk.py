"""The walk as a moving picture: GIF or APNG, by Pillow."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ktsolve.errors import BadInput
from ktsolve.ground.tour import Tour
from ktsolve.render.picture import tour_scene
from ktsolve.render.raster import pillow, rasterise
from ktsolve.render.style import Look

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["MOST_FRAMES", "WALKS", "frame_steps", "moving_picture"]

WALKS = ("gif", "apng")
"""Formats of moving pictures."""

MOST_FRAMES = 600
"""Frames of a moving picture."""

_WIDEST = 64
"""Longest side of a board whose knight can be seen."""

_USUAL_FRAMES = 120
_USUAL_PIXELS = 560
_MOST_PIXELS = 1200
_MOST_DOTS = 200_000_000
"""Pixels of all frames together: Pillow keeps them until the file is written."""

_SECONDS = 16.0
"""Length of a walk whose speed is not given, if that is between 2 and 12 steps a second."""

_REST = 1500
"""Milliseconds for which the whole tour is shown before the walk begins again."""


def frame_steps(steps: int, frames: int | None) -> list[int]:
    """After how many steps the frames show a walk of so many: one each, or evenly spread.

    >>> frame_steps(5, None), frame_steps(10, 4)
    ([1, 2, 3, 4, 5], [1, 4, 7, 10])
    """
    number = min(steps, _USUAL_FRAMES if frames is None else frames)
    if number == 1:
        return [steps]
    return [1 + round(i * (steps - 1) / (number - 1)) for i in range(number)]


def moving_picture(
    tour: Tour,
    look: Look | None = None,
    *,
    ending: str = "gif",
    frames: int | None = None,
    speed: float | None = None,
    pixels: int | None = None,
) -> bytes:
    """The walk of a tour as a file: a frame for each step, or ``frames`` of them, then the whole for a while.

    Parameters
    ----------
    ending:
        ``gif`` (256 colours, shown everywhere) or ``apng`` (all colours).
    frames:
        2 to :data:`MOST_FRAMES`; by default one for each step, at most 120.
    speed:
        Steps in a second.
    pixels:
        Length of the longer side, by default 560.

    Raises
    ------
    BadInput
        If Pillow is not installed, for numbers out of range, and for boards so large that no knight is seen.
    """
    board, look = tour.board, look or Look()
    longest = max(board.rows, board.columns)
    if longest > _WIDEST:
        raise BadInput(
            f"a moving picture shows boards up to {_WIDEST}x{_WIDEST}, and this is {board.size}: "
            "draw it as .svg or .png"
        )
    if not tour.squares:
        raise BadInput("there is no walk to show: give a tour")
    if frames is not None and not 2 <= frames <= MOST_FRAMES:
        raise BadInput(f"a moving picture has 2 to {MOST_FRAMES} frames, not {frames:,}")
    if speed is not None and not 0.05 <= speed <= 1000:
        raise BadInput(f"a speed is 0.05 to 1000 steps a second, not {speed:g}")
    size = _USUAL_PIXELS if pixels is None else pixels
    if size > _MOST_PIXELS:
        raise BadInput(f"a moving picture has at most {_MOST_PIXELS} pixels on its longer side, not {size:,}")
    shown = frame_steps(len(tour), frames)
    if len(shown) * size * size > _MOST_DOTS:
        raise BadInput(
            f"{len(shown)} frames of {size} pixels are too much: give fewer frames, or fewer pixels"
        )
    pace = min(max(len(tour) / _SECONDS, 2.0), 12.0) if speed is None else speed
    each = max(round(1000 * len(tour) / len(shown) / pace), 20)
    pictures = _frames(tour, look, shown, size)
    file = io.BytesIO()
    times = [*[each] * len(shown), _REST]
    if ending == "gif":
        # All colours are there at the end; one table for all frames keeps what does not change alike.
        pictures = _few_colours(tour, look, pictures, size)
        first = next(pictures)
        first.save(file, "GIF", save_all=True, append_images=pictures, duration=times, loop=0, optimize=False)
    else:
        first, *rest = pictures
        first.save(file, "PNG", save_all=True, append_images=rest, duration=times, loop=0)
    return file.getvalue()


def _frames(tour: Tour, look: Look, shown: list[int], pixels: int) -> Iterator[Image.Image]:
    for step in shown:
        yield rasterise(tour_scene(tour, replace(look, after=step, knight=True)), pixels)
    yield rasterise(tour_scene(tour, look), pixels)


def _few_colours(
    tour: Tour, look: Look, pictures: Iterator[Image.Image], pixels: int
) -> Iterator[Image.Image]:
    method = pillow("Image").Quantize.MEDIANCUT
    palette = rasterise(tour_scene(tour, replace(look, after=len(tour), knight=True)), pixels).quantize(
        256, method
    )
    for picture in pictures:
        yield picture.quantize(palette=palette, dither=pillow("Image").Dither.NONE)
