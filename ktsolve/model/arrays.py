"""Arrays of variables and expressions: numpy arrays whose comparisons are element by element."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Any

import numpy as np

from ktsolve.base.errors import BadInput

__all__ = ["Array", "array_of", "each", "element_names", "is_shape", "shape_of"]


def _comparing(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return an operator that compares arrays element by element."""

    def one(left: Any, right: Any) -> Any:
        # A literal is a tuple, and two of them compare as tuples: their sums compare as expressions.
        expression: Any = left
        return compare(expression.sum() if isinstance(left, tuple) else left, right)

    def compared(array: Any, other: Any) -> Any:
        # A literal is a tuple, but one operand.
        right = np.asarray(other if isinstance(other, np.ndarray | list) else boxed(other))
        try:
            np.broadcast_shapes(array.shape, right.shape)
        except ValueError:
            raise BadInput(
                f"arrays of shapes {array.shape} and {right.shape} cannot be compared: give equal shapes"
            ) from None
        return np.asarray(np.frompyfunc(one, 2, 1)(np.asarray(array), right)).view(Array)

    return compared


class Array(np.ndarray[Any, np.dtype[np.object_]]):
    """A numpy array of variables or expressions.

    Everything that numpy does with objects works: slices, ``.T``, ``.sum(axis=0)``, ``weights @ x``.
    Comparisons give arrays of comparisons, where plain arrays of objects would need truth values.

    >>> from ktsolve.model.model import Model
    >>> x = Model().integers((2, 2), 0, 9)
    >>> x.sum(axis=1) == 5
    Array([x[0,0] + x[0,1] = 5, x[1,0] + x[1,1] = 5], dtype=object)
    >>> (x[0] == 3).any()
    x[0,0] = 3 or x[0,1] = 3
    """

    __eq__ = _comparing(operator.eq)
    __ne__ = _comparing(operator.ne)
    __lt__ = _comparing(operator.lt)
    __le__ = _comparing(operator.le)
    __gt__ = _comparing(operator.gt)
    __ge__ = _comparing(operator.ge)
    __hash__ = None
    __array_priority__ = 10.0  # the results of numpy.concatenate and the like are such arrays

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """Return the element of a result of no dimensions, and other results as arrays."""
        return array[()] if array.ndim == 0 else array.view(Array)

    def sum(self, axis: Any = None, *given: Any, **options: Any) -> Any:
        """Return the sum of all elements, in linear time, or the sums along an axis."""
        known = axis is None or (isinstance(axis, int) and -self.ndim <= axis < self.ndim)
        if given or options or not known:
            return super().sum(axis, *given, **options)
        turned: Any = self.ravel() if axis is None else np.moveaxis(self, axis, -1)
        return turned.view(Array)._rows(None)

    def __matmul__(self, other: Any) -> Any:
        weights = np.asarray(other)
        if weights.dtype.kind in "iu" and weights.ndim == 1 and self.shape[-1:] == weights.shape:
            return self._rows(weights.tolist())
        return super().__matmul__(other)

    def __rmatmul__(self, other: Any) -> Any:
        weights = np.asarray(other)
        if weights.dtype.kind in "iu" and 1 <= self.ndim <= 2 and weights.shape[-1:] == self.shape[:1]:
            if weights.ndim == 1:
                return self.T.view(Array)._rows(weights.tolist())
            if weights.ndim == 2 and self.ndim == 1:
                members = self.tolist()
                return array_of([total(members, row) for row in weights.tolist()], weights.shape[:1])
        return super().__rmatmul__(other)

    def _rows(self, weights: list[int] | None) -> Any:
        """Return the sums along the last axis, with weights."""
        if self.ndim == 1:
            return total(self.tolist(), weights)
        rows = self.reshape(-1, self.shape[-1]).tolist() if self.size else [[]] * prod(self.shape[:-1])
        return array_of([total(row, weights) for row in rows], self.shape[:-1])

    def any(self, axis: Any = None, *_: Any, **__: Any) -> Any:
        """Return the condition that some element is true, for all elements or along an axis."""
        return self._joined(operator.or_, axis)

    def all(self, axis: Any = None, *_: Any, **__: Any) -> Any:
        """Return the condition that all elements are true, for all elements or along an axis."""
        return self._joined(operator.and_, axis)

    def _joined(self, join: Callable[[Any, Any], Any], axis: Any) -> Any:
        if axis is not None:
            return np.apply_along_axis(lambda row: boxed(row.view(Array)._joined(join, None)), axis, self)
        if self.size == 0:
            raise BadInput("an array without elements has no any() and all()")
        members = self.ravel().tolist()
        return members[0] if self.size == 1 else join(members[0], members[1]).joined_with(members[2:])


def total(elements: Sequence[Any], weights: Sequence[int] | None = None) -> Any:
    """Return the sum of the elements, each times its weight; of expressions in linear time."""
    if elements and hasattr(elements[0], "total"):
        return elements[0].total(elements, weights)
    return sum(elements if weights is None else map(operator.mul, weights, elements))


def boxed(element: Any) -> Any:
    """Return an array of no dimensions that holds an object."""
    box = np.empty((), dtype=object)
    box[()] = element
    return box


def each(function: Callable[[Any], Any], given: Any) -> Array:
    """Return the results of a function for all elements of an array."""
    return np.asarray(np.frompyfunc(function, 1, 1)(np.asarray(given))).view(Array)


def shape_of(given: Any) -> tuple[int, ...]:
    """Return a shape that is given as a number or a sequence of numbers."""
    sides = given if isinstance(given, tuple | list) else (given,)
    if not all(isinstance(side, int | np.integer) and side >= 0 for side in sides):
        raise BadInput(f"the shape {given!r:.40} is invalid: give whole numbers, as in (9, 9)")
    return tuple(int(side) for side in sides)


def array_of(elements: Iterable[Any], shape: tuple[int, ...]) -> Array:
    """Return the elements as an array of that shape."""
    return np.fromiter(elements, dtype=object, count=prod(shape)).reshape(shape).view(Array)


def is_shape(given: Any) -> bool:
    """Return whether a value is a shape: a number, or a tuple of numbers."""
    if isinstance(given, tuple) and given:
        return all(hasattr(side, "__index__") for side in given)
    return hasattr(given, "__index__")


def element_names(name: str, shape: tuple[int, ...]) -> list[str]:
    """Return a name for each element of an array, row by row.

    >>> element_names("x", (2, 2))
    ['x[0,0]', 'x[0,1]', 'x[1,0]', 'x[1,1]']
    """
    names = [f"{name}["]
    for side in shape[:-1]:
        names = [f"{each}{place}," for each in names for place in range(side)]
    return [f"{each}{place}]" for each in names for place in range(shape[-1])] if shape else [f"{name}[]"]
