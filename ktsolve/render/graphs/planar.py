"""Straight lines without crossings: barycentric drawings of planar graphs (Tutte 1963)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["planar_positions"]

_ROUNDS = 40
_EVENNESS = 0.6
"""Exponent with which the weight of an edge grows with its length and the areas beside it."""


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
    return _settled(points, np.array(edges), fixed, np.array(triangles))[:number]


def _faces(embedding: Any) -> list[list[int]]:
    """The faces of a combinatorial embedding, each as its vertices in order."""
    seen: set[tuple[int, int]] = set()
    return [
        embedding.traverse_face(u, v, mark_half_edges=seen) for u, v in embedding.edges if (u, v) not in seen
    ]


def _settled(
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
