"""Positions of the vertices of a bare graph in a picture: planar, by distances, on rings or a circle."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.graphs.graph import components
from ktsolve.render.graphs.planar import planar_positions
from ktsolve.render.graphs.rotation import rotated_positions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.graphs.graph import Graph

    Points = NDArray[np.float64]
    Pairs = NDArray[np.int32] | NDArray[np.int64]

__all__ = ["LAYOUTS", "crossing_free", "distances", "positions"]

LAYOUTS = ("auto", "planar", "distance", "circle", "tour")
"""Names of layouts (:func:`positions`)."""

_STRESSED = 1500
"""Vertices up to which all distances are approximated, and not those from some pivots only."""

_RINGED = 30
"""Vertices up to which a symmetric graph is drawn on rings; there is a circle for more."""

_PIVOTS = 60
_ITERATIONS = 120
_LONG = 6.0
"""Mean length of an edge times the root of the number of vertices, over the mean distance from the centre,
above which a circle is clearer: kings have 3, knights 5.6, a random cubic graph of 2000 vertices 16."""


def positions(graph: Graph, layout: str = "auto", tour: Sequence[int] = ()) -> Points:
    """Return the positions of the vertices: an array of shape (vertices, 2), y downwards.

    - ``layout``: ``planar`` without crossings (Tutte 1963, with weights that even out the edges);
      ``distance`` by distances in the graph, as Kamada and Kawai (1989), by majorisation (Gansner, Koren,
      North 2004); ``circle`` in the order of the graph; ``tour`` on a circle in the order of the tour. By
      default the first of these that is clear: by distances if that is without crossings; planar; on rings
      with a rotation (:mod:`ktsolve.render.graphs.rotation`) if all vertices are alike, up to 30; on a circle
      if all are alike, edges would be long, or there are very many; else by distances. A circle is in the
      order of the tour if there is one
    - ``tour``: numbers of the vertices in the order of the tour, for the order on a circle

    Raises BadInput for an unknown layout, or a planar one of a graph that is not planar.

    >>> from ktsolve.graphs.graph import Graph
    >>> ring = Graph("abcd", ["ab", "bc", "cd", "da"])
    >>> positions(ring, "circle").round(3).astype(int).tolist()
    [[0, -1], [1, 0], [0, 1], [-1, 0]]
    """
    if layout not in LAYOUTS:
        raise BadInput(f"layout {shown(layout)} is unknown: use {', '.join(LAYOUTS)}")
    if layout in ("circle", "tour"):
        return circle(len(graph), tour if layout == "tour" else ())
    found = _settled(graph, layout)
    return circle(len(graph), tour) if found is None else found


def circle(number: int, order: Sequence[int] = ()) -> Points:
    """Return points of the unit circle, clockwise from the top, in an order; the others follow."""
    import numpy as np

    first = list(order) if len(set(order)) == len(order) else []
    rest = sorted(set(range(number)) - set(first))
    angles = np.arange(number) * (2 * np.pi / max(number, 1))
    points = np.empty((number, 2))
    points[[*first, *rest]] = np.stack([np.sin(angles), -np.cos(angles)], axis=1)
    return points


@lru_cache(maxsize=4)
def _settled(graph: Graph, layout: str) -> Points | None:
    """The positions that do not depend on a tour; None where a circle is clearer."""
    import numpy as np

    parts = sorted(components(_around(graph)), key=lambda part: (-len(part), min(part)))
    placed: list[Points | None] = []
    for part in parts:
        members = np.array(sorted(part))
        place = np.full(len(graph), -1)
        place[members] = np.arange(len(members))
        edges = place[graph.edges]
        pairs = np.unique(np.sort(edges[(edges >= 0).all(axis=1)], axis=1), axis=0)
        placed.append(_connected(len(members), pairs, layout))
    if placed[0] is None and (len(parts) == 1 or len(parts[0]) > len(graph) / 2):
        return None
    points = np.empty((len(graph), 2))
    across = left = top = high = 0.0
    # Components in rows, each with an area in proportion to its vertices.
    for part, found in zip(parts, placed, strict=True):
        own = circle(len(part)) if found is None else found
        own = own - own.min(axis=0)
        side = len(part) ** 0.5
        own = own * (side / max(float(own.max()), 1e-9)) if len(part) > 1 else own
        across = across or max(len(graph) ** 0.5 * 1.3, side)
        wide, tall = own.max(axis=0)
        if left > 0 and left + wide > across:
            left, top, high = 0.0, top + high + 1, 0.0
        points[sorted(part)] = own + np.array([left, top])
        left, high = left + wide + 1, max(high, tall)
    return points


def _around(graph: Graph) -> dict[int, list[int]]:
    around: dict[int, list[int]] = {vertex: [] for vertex in range(len(graph))}
    for u, v in graph.edges.tolist():
        around[u].append(v)
        around[v].append(u)
    return around


def _connected(number: int, pairs: NDArray[np.int64], layout: str) -> Points | None:
    """Positions of a connected graph; None where a circle is clearer."""
    import numpy as np

    if number < 3:
        line: Points = np.arange(number)[:, None] * np.array([[1.0, 0.0]])
        return line
    embedded = planar_positions(number, pairs) if layout in ("auto", "planar") else None
    if layout == "planar":
        if embedded is None:
            raise BadInput("the graph is not planar: use the layout distance, circle or tour")
        return embedded
    if layout == "auto" and embedded is None and (len(pairs) > 20 * number or len(pairs) > number**2 / 5):
        return None
    full = number <= _STRESSED
    far = distances(number, pairs, range(number) if full else _pivots(number, pairs))
    alike = full and (np.sort(far, axis=1) == np.sort(far[0])).all()
    if layout == "auto" and alike and embedded is None:
        return rotated_positions(number, pairs) if number <= _RINGED else None
    points = _by_pivots(far if not full else far[:: max(1, number // _PIVOTS)])
    points = _upright(_majorised(points, far) if full else points)
    if layout == "distance":
        return points
    if embedded is not None:
        return points if crossing_free(points, pairs) else embedded
    long = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1).mean()
    radius = ((points - points.mean(axis=0)) ** 2).sum(axis=1).mean() ** 0.5
    return None if long * number**0.5 > _LONG * radius else points


def distances(number: int, pairs: Pairs, sources: Sequence[int]) -> NDArray[np.float64]:
    """Return the distances from some vertices to all: breadth first, all sources at once, a bit for each.

    Sources times edges times the largest distance, divided by 8.

    >>> import numpy as np
    >>> distances(4, np.array([[0, 1], [1, 2], [2, 3]]), [0, 2]).tolist()
    [[0.0, 1.0, 2.0, 3.0], [2.0, 1.0, 0.0, 1.0]]
    """
    import numpy as np

    both = np.concatenate([pairs, pairs[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    heads = both[:, 1]
    joined, starts = np.unique(both[:, 0], return_index=True)
    found = np.full((number, len(sources)), np.inf)
    reached = np.zeros((number, len(sources)), dtype=bool)
    reached[list(sources), np.arange(len(sources))] = True
    found[reached] = 0
    bits = np.packbits(reached, axis=1)
    for far in range(1, number):
        wider = bits.copy()
        if len(joined):
            wider[joined] |= np.bitwise_or.reduceat(bits[heads], starts, axis=0)
        new = np.unpackbits(wider & ~bits, axis=1, count=len(sources)).astype(bool)
        if not new.any():
            break
        found[new] = far
        bits = wider
    return found.T


def _pivots(number: int, pairs: NDArray[np.int64]) -> list[int]:
    """Vertices far from each other, each the farthest from those before."""
    import numpy as np

    chosen = [0]
    nearest = distances(number, pairs, [0])[0]
    while len(chosen) < min(_PIVOTS, number):
        chosen.append(int(np.argmax(nearest)))
        nearest = np.minimum(nearest, distances(number, pairs, chosen[-1:])[0])
    return chosen


def _by_pivots(far: NDArray[np.float64]) -> Points:
    """Classical scaling of distances to some pivots (Brandes & Pich 2006)."""
    import numpy as np

    squares = far.T**2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    _, vectors = np.linalg.eigh(centred.T @ centred)
    points: Points = centred @ vectors[:, [-1, -2]]
    points *= np.where(points[np.abs(points).argmax(axis=0), [0, 1]] < 0, -1, 1)
    scale = np.abs(points).max(axis=0)
    points = points / max(float(scale.max()), 1e-9) * far.max() / 2
    # Vertices with equal distances to all pivots are moved apart, each in its own direction.
    turn = np.arange(len(points)) * 2.399963
    return points + 1e-3 * np.stack([np.cos(turn), np.sin(turn)], axis=1)


def _majorised(points: Points, far: NDArray[np.float64]) -> Points:
    """Positions whose distances approximate those in the graph: weighted least squares."""
    import numpy as np

    number = len(points)
    ideal = far + np.eye(number)
    weights = ideal**-2.0
    np.fill_diagonal(weights, 0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.inv(laplacian + 1 / number) - 1 / number
    wanted = weights * far
    for _ in range(_ITERATIONS if number <= 500 else 40):
        squares = (points**2).sum(axis=1)
        apart = np.sqrt(np.maximum(squares[:, None] + squares - 2 * points @ points.T, 1e-12))
        pull = wanted / apart
        moved = inverse @ (pull.sum(axis=1)[:, None] * points - pull @ points)
        change = np.abs(moved - points).max()
        points = moved
        if change < 1e-3:
            break
    return points


def _upright(points: Points) -> Points:
    """The points, turned so that their main axis is horizontal; squares stand on a side."""
    import numpy as np

    points = points - points.mean(axis=0)
    best, least = points, np.inf
    for angle in np.arange(0, 180, 1.5) * (np.pi / 180):
        cosine, sine = np.cos(angle), np.sin(angle)
        turned = points @ np.array([[cosine, sine], [-sine, cosine]])
        wide, high = np.ptp(turned, axis=0)
        if wide >= high - 1e-6 and wide * high < least * (1 - 1e-6):
            best, least = turned, wide * high
    return best


def crossing_free(points: Points, pairs: Pairs) -> bool:
    """Whether no two edges without a common end cross or touch, and no two vertices coincide."""
    import numpy as np

    starts, ends = points[pairs[:, 0]], points[pairs[:, 1]]
    low, high = np.minimum(starts, ends), np.maximum(starts, ends)
    if len(np.unique(points.round(6), axis=0)) < len(points):
        return False
    scale = float(np.ptp(points)) or 1.0

    def side(a: Points, b: Points, c: Points) -> NDArray[np.float64]:
        found: NDArray[np.float64] = (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (
            b[..., 1] - a[..., 1]
        ) * (c[..., 0] - a[..., 0])
        return found

    for i in range(len(pairs)):
        near = ((low[i + 1 :] <= high[i]) & (high[i + 1 :] >= low[i])).all(axis=1)
        others = i + 1 + np.flatnonzero(near & ~np.isin(pairs[i + 1 :], pairs[i]).any(axis=1))
        first, second = starts[others], ends[others]
        tolerance = 1e-9 * scale**2
        one = side(starts[i], ends[i], first) * side(starts[i], ends[i], second)
        two = side(first, second, starts[i][None]) * side(first, second, ends[i][None])
        if ((one <= tolerance**2) & (two <= tolerance**2)).any():
            return False
    return True
