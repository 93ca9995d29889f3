"""The graphs of ``graphs.py``: families by name and size, the same on every machine, and the cases."""

from __future__ import annotations

import itertools
import random
import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

__all__ = [
    "CASES",
    "FAMILIES",
    "SMALL",
    "Case",
    "EdgeList",
    "GraphQuestion",
    "ListQuestion",
    "nauty",
    "write_list",
]

Edges = list[tuple[int, int]]


def numbered(pairs: Iterable[tuple[object, object]]) -> Edges:
    """Return edges between any objects as edges u < v between numbers, in the order of their appearance."""
    number: dict[object, int] = {}
    edges = {
        tuple(sorted((number.setdefault(a, len(number)), number.setdefault(b, len(number)))))
        for a, b in pairs
    }
    return sorted((u, v) for u, v in edges)


def named(name: str) -> Edges:
    """Return the edges of a graph that ``ktsolve count graph:NAME`` knows, in order."""
    from ktsolve.graphs.named_graphs import named_graph

    return [(u, v) for u, v in named_graph(name).edges.tolist()]


def random_graph(n: int, m: int) -> Edges:
    """Return m random edges on n vertices, with those of a random cycle among them."""
    import numpy as np

    dice = np.random.default_rng(1)
    ring = dice.permutation(n)
    pairs = np.concatenate([np.stack([ring, np.roll(ring, 1)], axis=1), dice.integers(0, n, (m - n, 2))])
    pairs = np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)
    return [(u, v) for u, v in pairs.tolist()]


def triangulated_grid(rows: int, columns: int) -> Edges:
    """Return a planar triangulation of a square: a grid with a random diagonal in each cell."""
    dice = random.Random(1)
    pairs: list[tuple[object, object]] = []
    for r, c in itertools.product(range(rows), range(columns)):
        pairs += [((r, c), (r + 1, c))] if r + 1 < rows else []
        pairs += [((r, c), (r, c + 1))] if c + 1 < columns else []
    for r, c in itertools.product(range(rows - 1), range(columns - 1)):
        falling = dice.random() < 0.5
        pairs.append(((r, c), (r + 1, c + 1)) if falling else ((r, c + 1), (r + 1, c)))
    return numbered(pairs)


def stacked_triangulation(n: int) -> Edges:
    """Return a random planar 3-tree: each new vertex is joined to the corners of a random face."""
    dice = random.Random(1)
    faces, pairs = [(0, 1, 2), (0, 1, 2)], [(0, 1), (1, 2), (0, 2)]
    for new in range(3, n):
        a, b, c = faces.pop(dice.randrange(len(faces)))
        faces += [(a, b, new), (b, c, new), (a, c, new)]
        pairs += [(a, new), (b, new), (c, new)]
    return numbered(pairs)


def halin(n: int) -> Edges:
    """Return a random Halin graph: a cubic plane tree, and a cycle through its leaves."""
    dice = random.Random(1)
    children: dict[int, list[int]] = {0: [1, 2, 3]}
    leaves, total = [1, 2, 3], 4
    while total < n:
        grown = leaves.pop(dice.randrange(len(leaves)))
        children[grown] = [total, total + 1]
        leaves += children[grown]
        total += 2
    around, waiting = [], [0]
    while waiting:
        vertex = waiting.pop()
        waiting += children.get(vertex, [])
        if vertex not in children:
            around.append(vertex)
    pairs = [(a, b) for a, below in children.items() for b in below]
    return numbered([*pairs, *zip(around, [*around[1:], around[0]], strict=True)])


def sierpinski(order: int) -> Edges:
    """Return the Sierpinski gasket graph of some order: three copies of the one before, joined at corners."""
    pairs = []
    triangles = [((0, 0), (2**order, 0), (0, 2**order))]
    for _ in range(order):
        finer = []
        for a, b, c in triangles:
            ab, bc, ca = (((p[0] + q[0]) // 2, (p[1] + q[1]) // 2) for p, q in ((a, b), (b, c), (c, a)))
            finer += [(a, ab, ca), (ab, b, bc), (ca, bc, c)]
        triangles = finer
    for a, b, c in triangles:
        pairs += [(a, b), (b, c), (c, a)]
    return numbered(pairs)


def line_graph(degree: int, n: int) -> Edges:
    """Return the line graph of a random regular graph: its edges, joined where they meet."""
    meeting: dict[int, list[int]] = {}
    for i, (u, v) in enumerate(named(f"random-regular:{degree},{n}")):
        meeting.setdefault(u, []).append(i)
        meeting.setdefault(v, []).append(i)
    return numbered(pair for at in meeting.values() for pair in itertools.combinations(at, 2))


FAMILIES: dict[str, Callable[..., Edges]] = {
    "random": random_graph,
    "triangulated-grid": triangulated_grid,
    "stacked-triangulation": stacked_triangulation,
    "halin": halin,
    "sierpinski": sierpinski,
    "line": line_graph,
}
"""Families that ktsolve has no name for."""


def nauty(program: str) -> str | None:
    """Return the path of a program of nauty, which Debian calls ``nauty-geng``; None if it is not there."""
    return shutil.which(f"nauty-{program}") or shutil.which(program)


@dataclass(frozen=True)
class GraphQuestion:
    """A graph by its family and the sizes in it: ``generalized-petersen:500,4``; or a list: ``cubic:18``."""

    family: str
    sizes: tuple[int, ...]

    @classmethod
    def parse(cls, text: str) -> GraphQuestion:
        """Read ``family:size,size``."""
        family, _, sizes = text.partition(":")
        return cls(family, tuple(map(int, sizes.split(","))))

    @property
    def listed(self) -> bool:
        """Whether it is a list: all connected cubic graphs of an order."""
        return self.family == "cubic"

    @property
    def size(self) -> tuple[int, int]:
        """The numbers of vertices and edges; of a list those of each graph."""
        return (self.sizes[0], 3 * self.sizes[0] // 2) if self.listed else (self.vertices, len(self.edges))

    def __str__(self) -> str:
        return f"{self.family}:{','.join(map(str, self.sizes))}"

    @cached_property
    def edges(self) -> Edges:
        """The edges u < v, sorted."""
        made = FAMILIES.get(self.family)
        return named(str(self)) if made is None else made(*self.sizes)

    @cached_property
    def vertices(self) -> int:
        """The number of vertices; none is isolated."""
        return 1 + max(v for _, v in self.edges)


@dataclass(frozen=True)
class EdgeList:
    """A graph of a list."""

    vertices: int
    edges: Edges


@dataclass(frozen=True)
class ListQuestion:
    """A list of graphs in a file of graph6."""

    file: Path

    @cached_property
    def graphs(self) -> list[EdgeList]:
        """The graphs, for programs that take them one by one."""
        import networkx

        decoded = map(networkx.from_graph6_bytes, self.file.read_bytes().split())
        return [EdgeList(len(graph), sorted(graph.edges)) for graph in decoded]


def write_list(question: GraphQuestion, file: str) -> str:
    """Write all connected cubic graphs of an order. Return why not; empty if it is done."""
    geng = nauty("geng")
    if geng is None:
        return "geng, which makes the list, is not installed (apt install nauty)"
    subprocess.run([geng, "-qcd3D3", str(question.sizes[0]), file], check=True)
    return ""


@dataclass(frozen=True)
class Case:
    """A task on a graph.

    Attributes
    ----------
    task:
        ``find`` a cycle, ``count`` all, ``refute`` (there is none); ``decide`` for each graph of a list
        whether it is Hamiltonian, or ``count-each``.
    graph:
        ``family:sizes``.
    known:
        The count, where a formula or publication gives it; for ``decide`` the number of Hamiltonian graphs.
    source:
        Where ``known`` comes from.
    """

    task: str
    graph: str
    known: int | None = None
    source: str = ""

    @property
    def name(self) -> str:
        """``task/graph``."""
        return f"{self.task}/{self.graph}"


def _fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def _petersen_2(n: int) -> Case:
    """The count of GP(n, 2) (Schwenk 1989)."""
    value = {1: n, 3: 3, 5: 0}.get(n % 6)
    if value is None:
        value = 2 * (_fibonacci(n // 2 + 1) + _fibonacci(n // 2 - 1) - 1) + (n if n % 6 == 4 else 0)
    return Case("count", f"generalized-petersen:{n},2", value, "Schwenk 1989")


_CUBIC = {8: 5, 10: 17, 14: 474, 16: 3841, 18: 39635}
"""Connected cubic graphs with a Hamiltonian cycle (OEIS A001186)."""


def _decided(n: int) -> Case:
    return Case("decide", f"cubic:{n}", _CUBIC[n], "OEIS A001186")


def _cases(task: str, graphs: Sequence[str]) -> list[Case]:
    return [Case(task, graph) for graph in graphs]


CASES: tuple[Case, ...] = (
    *_cases(
        "find",
        (
            "generalized-petersen:2500,2",
            "random-regular:3,100",
            "random-regular:3,1000",
            "random-regular:3,10000",
            "random-regular:6,5000",
            "random:10000,200000",
            "random:50000,1000000",
            "triangulated-grid:50,50",
            "halin:2000",
            "kneser:11,4",
            "sierpinski:7",
            "line:3,2000",
            "hypercube:12",
            "king:50,50",
            "grid:60,60",
            "knight:30,30",
            "knight:60,60",
            "flower-snark:501,1,1",
            "generalized-petersen:1001,2,1,1",
            "circulant:9527,97,512",
            "three-cycles:100,9,1",
            "three-cycles:17,279,1",
            "three-sat:20,40,1",
            "three-sat:40,160,1",
            "three-sat:100,200",
        ),
    ),
    _petersen_2(1000),
    _petersen_2(5000),
    *_cases("count", ("generalized-petersen:500,4", "random-regular:3,60", "random-regular:3,100")),
    *_cases("count", ("triangulated-grid:8,20", "halin:1000", "sierpinski:5", "line:3,30", "kneser:7,3")),
    Case("count", "hypercube:5", 906545760, "OEIS A066037"),
    Case("count", "complete:4,5,6"),
    Case("count", "king:8,8"),
    Case("count", "grid:10,10", 467260456608, "OEIS A003763"),
    Case("count", "knight:6,6", 9862, "OEIS A001230"),
    *_cases(
        "refute",
        (
            "flower-snark:25",
            "flower-snark:501",
            "generalized-petersen:101,2",
            "generalized-petersen:1001,2",
            "complete:40,41",
            "grid:21,21",
            "stacked-triangulation:200",
            "stacked-triangulation:2000",
        ),
    ),
    *map(_decided, (14, 16, 18)),
    *_cases("count-each", ("cubic:14", "cubic:16", "cubic:18")),
)
"""All cases, in the order of the tables."""

SMALL: tuple[Case, ...] = (
    *_cases("find", ("random-regular:3,20", "grid:6,6")),
    _petersen_2(10),
    _petersen_2(11),
    Case("count", "hypercube:3", 6, "OEIS A066037"),
    *_cases("refute", ("flower-snark:5", "grid:3,5")),
    _decided(10),
    Case("count-each", "cubic:8"),
)
"""The cases of ``--small``: seconds for all of them."""
