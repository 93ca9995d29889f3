"""The visits of a large tour as pixels, for boards whose lines are too fine to be seen."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from ktsolve.errors import BadInput
from ktsolve.render.raster import MOST_PIXELS, SMALLEST, pillow
from ktsolve.render.theme import blend, named_theme

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.ground.arrays import Steps

__all__ = ["mean_steps", "visits_png"]

_USUAL_PIXELS = 1200


def visits_png(steps: Steps, *, theme: str = "light", pixels: int | None = None) -> bytes:
    """A PNG with a pixel for each cell, or for each square of so many cells that it fits.

    A pixel has the colour of its mean step, in the colours that the theme has for values. Linear in the
    cells; 10^8 take a second.

    Parameters
    ----------
    steps:
        Step numbers from 1, in rows and columns.
    pixels:
        Most of the longer side, by default 1200; boards of fewer cells are not drawn larger.

    Raises
    ------
    BadInput
        If Pillow is not installed, for an impossible size, or for another theme.

    Examples
    --------
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
    shares = mean_steps(steps, -(-max(steps.shape) // most)) / steps.size
    image = pillow("Image").fromarray(np.minimum(256 * shares, 255).astype(np.uint8), "L")
    image.putpalette(bytes.fromhex(table))
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def mean_steps(steps: Steps, side: int) -> NDArray[np.float64]:
    """The mean step in each square of that side; squares at the end may be cut.

    >>> import numpy as np
    >>> mean_steps(np.array([[1, 2, 3], [4, 5, 6]]), 2).tolist()
    [[3.0, 4.5]]
    """
    import numpy as np

    rows, columns = (np.arange(0, length, side) for length in steps.shape)
    sums = np.add.reduceat(np.add.reduceat(steps, rows, axis=0, dtype=np.int64), columns, axis=1)
    high, wide = (np.diff([*at, length]) for at, length in zip((rows, columns), steps.shape, strict=True))
    means: NDArray[np.float64] = sums / np.outer(high, wide)
    return means
