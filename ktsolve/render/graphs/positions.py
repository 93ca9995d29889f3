"""Positions of the vertices of a bare graph in a picture: planar, by distances, on rings or a circle.

Planar graphs are drawn barycentrically (Tutte 1963), symmetric ones on rings that a rotation maps to
themselves, as Petersen's graph is.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from math import gcd
from typing import TYPE_CHECKING, Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import unknown
from ktsolve.graphs.components import components
from ktsolve.graphs.groups import Permutation, automorphism_group

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.graphs.graph import Graph

    Points = NDArray[np.float64]
    Pairs = NDArray[np.int32] | NDArray[np.int64]

__all__ = ["LAYOUTS", "crossing_free", "distances", "planar_positions", "positions", "rotated_positions"]

LAYOUTS = ("auto", "planar", "distance", "circle", "tour")  # names of layouts (:func:`positions`)

_STRESSED = 1500  # vertices up to which all distances are approximated, and not those from some pivots only
_RINGED = 30  # vertices up to which a symmetric graph is drawn on rings; there is a circle for more

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
      with a rotation (:func:`rotated_positions`) if all vertices are alike, up to 30; on a circle if all are
      alike, edges would be long, or there are very many; else by distances. A circle is in the order of the
      tour if there is one
    - ``tour``: numbers of the vertices in the order of the tour, for the order on a circle

    Raises BadInput for an unknown layout, or a planar one of a graph that is not planar.

    >>> from ktsolve.graphs.graph import Graph
    >>> ring = Graph("abcd", ["ab", "bc", "cd", "da"])
    >>> positions(ring, "circle").round(3).astype(int).tolist()
    [[0, -1], [1, 0], [0, 1], [-1, 0]]
    """
    if layout not in LAYOUTS:
        raise unknown("layout", layout, LAYOUTS)
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


_ROUNDS = 40
_EVENNESS = 0.6  # exponent with which the weight of an edge grows with its length and the areas beside it


def planar_positions(number: int, pairs: NDArray[np.int64]) -> NDArray[np.float64] | None:
    """Return positions without crossings of a connected graph, None if no face is a cycle or there are none.

    The longest face becomes a regular polygon, and each other vertex the weighted mean of its neighbours. A
    vertex in each other face, which is not drawn, makes the graph a triangulation, so that the drawing is
    without crossings for all weights (Tutte 1963, Floater 1997). The weight of an edge grows from round to
    round with its length and with the areas of the faces beside it, which evens out both.

    >>> import numpy as np
    >>> planar_positions(4, np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])).shape
    (4, 2)
    """
    import networkx
    import numpy as np

    if len(pairs) > 3 * number - 6:
        return None
    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(range(number))
    graph.add_edges_from(pairs.tolist())
    planar, embedding = networkx.check_planarity(graph)
    if not planar:
        return None
    faces = _faces(embedding)
    cycles = [face for face in faces if len(set(face)) == len(face) > 2]
    if not cycles:
        return None
    degree = dict(graph.degree)
    outer = max(cycles, key=lambda face: (len(face), sum(map(degree.__getitem__, face)), [-v for v in face]))
    edges = pairs.tolist()
    total = number
    triangles = []
    for face in faces:
        if face is outer:
            continue
        if len(face) == 3:
            triangles.append(face)
            continue
        edges += [(total, vertex) for vertex in dict.fromkeys(face)]
        triangles += [[total, u, v] for u, v in zip(face, [*face[1:], face[0]], strict=True)]
        total += 1
    angles = (np.arange(len(outer)) + 0.5) * (2 * np.pi / len(outer)) + np.pi / 2
    points = np.zeros((total, 2))
    points[outer] = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    fixed = np.zeros(total, dtype=bool)
    fixed[outer] = True
    return _evened(points, np.array(edges), fixed, np.array(triangles))[:number]


def _faces(embedding: Any) -> list[list[int]]:
    """The faces of a combinatorial embedding, each as its vertices in order."""
    seen: set[tuple[int, int]] = set()
    return [
        embedding.traverse_face(u, v, mark_half_edges=seen) for u, v in embedding.edges if (u, v) not in seen
    ]


def _evened(
    points: NDArray[np.float64],
    edges: NDArray[np.int64],
    fixed: NDArray[np.bool_],
    triangles: NDArray[np.int64],
) -> NDArray[np.float64]:
    """The points, with those that are not fixed in the weighted means of their neighbours."""
    import numpy as np

    one, other = edges.T
    inside = ~fixed
    weights = np.ones(len(edges))
    number = len(points)
    keys = np.sort(edges, axis=1) @ (number, 1)
    order = np.argsort(keys)
    sides = np.sort(np.stack([triangles, np.roll(triangles, 1, axis=1)], axis=2), axis=2) @ (number, 1)
    at = order[np.searchsorted(keys[order], sides)]
    for _ in range(_ROUNDS):
        points = _means(points, one, other, weights, inside)
        a, b, c = points[triangles].transpose(1, 0, 2)
        areas = np.abs((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])
        around = np.bincount(at.ravel(), np.repeat(areas, 3), len(edges))
        lengths = np.linalg.norm(points[one] - points[other], axis=1)
        ratio = np.sqrt(around / around.mean()) * (lengths / lengths.mean())
        weights = np.clip(weights * np.clip(ratio, 0.2, 5) ** _EVENNESS, 1e-4, 1e4)
    return _means(points, one, other, weights, inside)


def _means(
    points: NDArray[np.float64],
    one: NDArray[np.int64],
    other: NDArray[np.int64],
    weights: NDArray[np.float64],
    inside: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Solve for the weighted means by conjugate gradients, from the points as they are."""
    import numpy as np

    number = len(points)
    degrees = np.bincount(one, weights, number) + np.bincount(other, weights, number)

    def residual(at: NDArray[np.float64]) -> NDArray[np.float64]:
        """The weighted sum of the vectors to the neighbours, 0 where a point is fixed."""
        found = -degrees[:, None] * at
        for axis in (0, 1):
            found[:, axis] += np.bincount(one, weights * at[other, axis], number)
            found[:, axis] += np.bincount(other, weights * at[one, axis], number)
        return found * inside[:, None]

    points = points.copy()
    left = residual(points)
    scaled = left / degrees[:, None]
    direction, energy = scaled, float((left * scaled).sum())
    for _ in range(4 * number):
        if energy < 1e-18:
            break
        image = -residual(direction)
        step = energy / float((direction * image).sum())
        points += step * direction
        left = left - step * image
        scaled = left / degrees[:, None]
        before, energy = energy, float((left * scaled).sum())
        direction = scaled + energy / before * direction
    return points


_RINGS = 4
_TRIES = 400  # products of generators that are tried
_KEPT = 6  # rotations of each order that are compared

Ring = list[int]


def rotated_positions(number: int, pairs: NDArray[np.int64]) -> NDArray[np.float64] | None:
    """Return positions with a rotation of the largest order, or None if no automorphism gives one.

    The cycles of an automorphism are all of one length, at least 3, but for one fixed vertex in the centre.
    They become at most four rings; the order of rings, their starts and the angle of the rotation are those
    with the least sum of lengths of edges.

    >>> import numpy as np
    >>> square = np.array([[0, 1], [1, 2], [2, 3], [0, 3]])
    >>> np.linalg.norm(rotated_positions(4, square), axis=1).round(6).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    generators = automorphism_group(number, [(int(u), int(v)) for u, v in pairs]).generators
    rotations = _rotations(number, generators)
    found = [
        placed
        for rings in rotations
        for step in range(1, len(rings[0]) // 2 + 1)
        if gcd(step, len(rings[0])) == 1
        for placed in _placed(number, pairs, rings, step)
    ]
    return min(found, key=lambda each: each[0])[1] if found else None


def _rotations(number: int, generators: Sequence[Permutation]) -> list[list[Ring]]:
    """The cycles of some automorphisms that are rotations, of the largest order that is found."""
    dice = random.Random(1)
    element = tuple(range(number))
    found: dict[int, list[list[Ring]]] = {}
    for _ in range(_TRIES if generators else 0):
        generator = dice.choice(generators)
        element = tuple(generator[image] for image in element)
        rings = _cycles(element)
        fixed = [ring for ring in rings if len(ring) == 1]
        rings = [ring for ring in rings if len(ring) > 1]
        order = len(rings[0]) if rings else 1
        if order < 3 or len(fixed) > 1 or len(rings) > _RINGS or any(len(ring) != order for ring in rings):
            continue
        kept = found.setdefault(order, [])
        if len(kept) < _KEPT:
            kept.append(rings)
    return found[max(found)] if found else []


def _cycles(element: Permutation) -> list[Ring]:
    seen: set[int] = set()
    cycles = []
    for first in range(len(element)):
        cycle, here = [], first
        while here not in seen:
            seen.add(here)
            cycle.append(here)
            here = element[here]
        if cycle:
            cycles.append(cycle)
    return cycles


def _placed(
    number: int, pairs: NDArray[np.int64], rings: Sequence[Ring], step: int
) -> list[tuple[float, NDArray[np.float64]]]:
    """The sum of lengths of edges, and the positions, for each order of the rings from outside to inside."""
    import numpy as np

    order = len(rings[0])
    # The angle of the i-th image: the rotation turns by this number of steps.
    turns = np.arange(order) * step % order * (2 * np.pi / order)
    found = []
    for chosen in permutations(rings):
        points = np.zeros((number, 2))
        there = np.zeros(number, dtype=bool)
        for place, ring in enumerate(chosen):
            radius = 1 - place / len(rings) * (0.96 if len(rings) > 2 else 1.0)
            inside = np.isin(pairs, ring)
            joined = pairs[inside.any(axis=1) & there[pairs].any(axis=1)]
            best = None
            for shift in range(order if place else 1):
                trial = points.copy()
                angles = turns + turns[1] * shift
                trial[ring] = radius * np.stack([np.sin(angles), -np.cos(angles)], axis=1)
                long = float(np.linalg.norm(trial[joined[:, 0]] - trial[joined[:, 1]], axis=1).sum())
                if best is None or long < best[0] - 1e-9:
                    best = long, trial
            assert best is not None
            points = best[1]
            there[ring] = True
        ends = points[pairs[:, 0]] - points[pairs[:, 1]]
        found.append((round(float(np.linalg.norm(ends, axis=1).sum()), 6), points))
    return found
