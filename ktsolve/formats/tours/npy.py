"""Step numbers in NumPy's own format ``.npy``: 4 bytes a cell, 0 for holes, -1 for a single one.

The array states neither leaper nor wrap.
"""

from __future__ import annotations

import io
import math
import os
import warnings
from collections.abc import Iterator
from tokenize import TokenError
from typing import IO, Any, Literal

import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.graphs.tour import Tour
from ktsolve.graphs.tour_arrays import Steps

_LONGEST_HEADER = 10_000  # bytes of a header that is read; of an array of whole numbers it has some hundred


def write(tour: Tour) -> bytes:
    """The array of a tour. Raises BadInput if the walk visits a cell twice."""
    if len(set(tour.squares)) != len(tour.squares):
        raise BadInput("a .npy has one number for a cell, and the walk visits one twice: use cells or json")
    steps = tour.steps
    left_out = np.argwhere(steps == 0)
    if len(left_out) == 1:  # a single 0 may be taken as the first step
        steps = steps.copy()
        steps[tuple(left_out[0])] = -1
    return b"".join(_pieces(steps))


def write_array(tour: Tour) -> Iterator[bytes | memoryview]:
    r"""The header and the array itself, which is not copied.

    >>> b"".join(write_array(Tour.from_steps([[1, 2], [3, 4]])))[:6]
    b'\x93NUMPY'
    """
    return _pieces(tour.steps)


def _pieces(steps: Steps) -> Iterator[bytes | memoryview]:
    header = io.BytesIO()
    # Not np.save: it reads the position of the stream, which a pipe has not.
    np.lib.format.write_array_header_1_0(header, np.lib.format.header_data_from_array_1_0(steps))
    yield header.getvalue()
    yield steps.data.cast("B")


def read_array(source: bytes | str, closed: bool | None = None) -> Tour:
    """The tour of a ``.npy``, as bytes, or as the path of a file, which stays on disk where possible.

    Raises BadInput if it is not an array of whole numbers in rows and columns.
    """
    try:
        if isinstance(source, str):
            with open(source, "rb") as stream:
                shape, columns_first, dtype = _header(stream, os.fstat(stream.fileno()).st_size)
                start = stream.tell()
            order: Literal["C", "F"] = "F" if columns_first else "C"
            array: np.ndarray[Any, Any] = np.memmap(source, dtype, "r", start, shape, order)
        else:
            held = io.BytesIO(source)
            shape, columns_first, dtype = _header(held, len(source))
            flat = np.frombuffer(source, dtype, math.prod(shape), held.tell())
            array = flat.reshape(shape, order="F" if columns_first else "C")
    except OSError as error:
        raise BadInput(f"not an array in NumPy's format: {error.strerror or error}") from None
    return Tour.from_steps(array, closed)


def _header(stream: IO[bytes], size: int) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, order and type of an array, if the file of this size has all its numbers.

    No memory is taken for a shape before it is compared with the size.
    """
    try:
        version = np.lib.format.read_magic(stream)
        long = version > (1, 0)
        # NumPy takes memory for the length that the header states of itself.
        if int.from_bytes(stream.read(4 if long else 2), "little") > min(size, _LONGEST_HEADER):
            raise ValueError
        stream.seek(np.lib.format.MAGIC_LEN)
        read = np.lib.format.read_array_header_2_0 if long else np.lib.format.read_array_header_1_0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # headers that Python 2 wrote
            shape, columns_first, dtype = read(stream)
    # NumPy reads the header as Python.
    except (ValueError, EOFError, TypeError, SyntaxError, TokenError, RecursionError, MemoryError):
        raise BadInput("not an array in NumPy's format: its header is damaged or cut off") from None
    if len(shape) != 2 or min(shape) < 0:
        raise BadInput(f"a tour is an array of rows and columns, not of shape {shape}")
    if dtype.kind not in "iu":
        raise BadInput(f"a tour is an array of whole numbers, not of {dtype}")
    numbers = math.prod(shape)
    found = max(0, size - stream.tell()) // dtype.itemsize
    if found < numbers or not numbers:
        rows, columns = shape
        raise BadInput(
            f"not an array in NumPy's format: the header announces {rows:,} x {columns:,} numbers, and the "
            f"file has {found:,}"
        )
    if found > numbers:
        raise BadInput(f"the file goes on after the array of {numbers:,} numbers: an array is one tour")
    return shape, columns_first, dtype
