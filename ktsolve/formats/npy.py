"""Step numbers in NumPy's own format ``.npy``: 4 bytes a cell, 0 for holes; neither leaper nor wrap."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np

from ktsolve.errors import BadInput
from ktsolve.ground.arrays import ArrayTour, array_of_tour, as_steps
from ktsolve.ground.tour import Tour

__all__ = ["read_array", "write", "write_array"]


def write(tour: Tour) -> bytes:
    """The array of a tour.

    Raises
    ------
    BadInput
        If the walk visits a cell twice.
    """
    if len(set(tour.squares)) != len(tour.squares):
        raise BadInput("a .npy has one number for a cell, and the walk visits one twice: use cells or json")
    return b"".join(write_array(array_of_tour(tour)))


def write_array(tour: ArrayTour) -> Iterator[bytes | memoryview]:
    r"""The header and the array itself, which is not copied.

    >>> b"".join(write_array(ArrayTour(np.array([[1, 2], [3, 4]], dtype=np.int32))))[:6]
    b'\x93NUMPY'
    """
    whole = np.ascontiguousarray(tour.steps)
    header = io.BytesIO()
    # Not np.save: it reads the position of the stream, which a pipe has not.
    np.lib.format.write_array_header_1_0(header, np.lib.format.header_data_from_array_1_0(whole))
    yield header.getvalue()
    yield whole.data.cast("B")


def read_array(source: bytes | str) -> ArrayTour:
    """The tour of a ``.npy``, as bytes, or as the path of a file, which stays on disk where possible.

    Raises
    ------
    BadInput
        If it is none, or not one of whole numbers in rows and columns.
    """
    try:
        array = np.load(source, "r") if isinstance(source, str) else np.load(io.BytesIO(source))
    except (ValueError, EOFError, OSError) as error:
        raise BadInput(f"not an array in NumPy's format: {' '.join(str(error).split())[:100]}") from None
    if not isinstance(array, np.ndarray):
        raise BadInput("not an array in NumPy's format, but a collection of several")
    return ArrayTour(as_steps(array))
