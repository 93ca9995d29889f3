"""Pictures of large tours: the step at which each cell is visited, as the colour of a pixel."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from ktsolve.base.errors import BadInput
from ktsolve.render.scene.raster import MOST_PIXELS, SMALLEST, pillow
from ktsolve.render.scene.theme import blend, named_theme

if TYPE_CHECKING:
    from ktsolve.graphs.tour_arrays import Steps

__all__ = ["visits_png"]

_USUAL_PIXELS = 1200


def visits_png(steps: Steps, *, theme: str = "light", pixels: int | None = None) -> bytes:
    """Return a PNG with a pixel for each cell, or for each square of cells on boards with too many.

    The colour of a pixel is that of its mean step, in the theme's colours of values. Linear in the cells:
    10^8 cells take a second.

    - ``steps``: step numbers from 1, in rows and columns
    - ``pixels``: largest length of the longer side, by default 1200; smaller boards are not enlarged

    Raises BadInput if Pillow is not installed, the size is out of range, or the theme is unknown.

    >>> from ktsolve.engines.divide.construct import tour_steps
    >>> visits_png(tour_steps(200, 300, closed=True))[1:4]
    b'PNG'
    """
    import numpy as np

    most = _USUAL_PIXELS if pixels is None else pixels
    if not SMALLEST <= most <= MOST_PIXELS:
        raise BadInput(f"an image has {SMALLEST} to {MOST_PIXELS:,} pixels on its longer side, not {most:,}")
    colours = named_theme(theme).heat
    table = "".join(blend(colours, i / 255)[1:] for i in range(256))
    means = np.asarray(pillow("Image").fromarray(steps).reduce(-(-max(steps.shape) // most)))
    image = pillow("Image").fromarray(np.minimum(256 * (means / steps.size), 255).astype(np.uint8), "L")
    image.putpalette(bytes.fromhex(table))
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
