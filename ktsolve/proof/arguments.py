"""Arguments that a problem has no tour, by components, degrees, symmetry and sums, checked by counting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ktsolve.base.text import number_of
from ktsolve.graphs.groups import cycle_lengths
from ktsolve.problem.conditions import CellSum
from ktsolve.proof.problem_graph import Edge, ProblemGraph

__all__ = [
    "Components",
    "Shortage",
    "count_components",
    "count_degrees",
    "find_degrees",
    "find_multiples",
    "refuted_by_sums",
    "sums_of",
    "symmetry_obstruction",
]


@dataclass(frozen=True)
class Components:
    """The components that the removal of some nodes leaves."""

    removed: int  # number of removed nodes
    inner: int  # number of required edges between removed nodes
    number: int  # number of components of the rest

    @property
    def most(self) -> int:
        """The largest number of components that a cycle allows."""
        return self.removed - self.inner if self.removed else 1

    @property
    def refutes(self) -> bool:
        """Whether there are more components than a cycle allows. With all nodes removed, nothing follows."""
        return self.number > 0 and self.number > self.most


def count_components(graph: ProblemGraph, removed: Iterable[int]) -> Components:
    """Count the components that the removal of some nodes leaves. Linear in nodes and edges.

    A cycle without k of its nodes has at most k components, and at most k - m if m of its edges join two of
    these nodes. Each component of the rest of the graph contains at least one of them. This is Chvátal's
    condition (Tough graphs and Hamiltonian circuits, 1973), extended to required edges. Most theorems on
    boards without tours are cases of it: on a board with more white cells than black ones remove the black
    ones; on a board of four rows remove the white cells of the two inner rows (L. Pósa).

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.problem_graph import read_problem
    >>> four_rows = read_problem(TourProblem(board="4x3", closed=True))
    >>> count_components(four_rows, [4, 6, 8])  # b3, a2, c2: of one colour, in the two inner rows
    Components(removed=3, inner=0, number=4)
    """
    gone = set(removed)
    seen = set(gone)
    number = 0
    for root in range(graph.nodes):
        if root in seen:
            continue
        number += 1
        seen.add(root)
        stack = [root]
        while stack:
            for other in graph.neighbours[stack.pop()]:
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
    inner = sum(1 for u, v in graph.needed if u in gone and v in gone)
    return Components(len(gone), inner, number)


_MOST_EDGES = 2_000_000  # largest number of edges for which sets are looked for


@dataclass(frozen=True)
class Shortage:
    """The edges that some nodes need, and those that they can get, apart from needed edges of the problem."""

    needed: int
    available: int

    @property
    def refutes(self) -> bool:
        """Whether there are too few edges."""
        return self.needed > self.available


def count_degrees(graph: ProblemGraph, needing: Iterable[int], giving: Iterable[int]) -> Shortage:
    """Count the edges that nodes need, and those that they can get. Linear in nodes and edges.

    Every node of a cycle has two edges, every node of a directed cycle an arc from it and an arc to it. Take
    a set of nodes that *need* edges and a set of nodes that *give* them. The first need two each; they get at
    most two from each node of the second set, and one from each edge to a node outside of it. If that is
    less, no cycle exists. In a directed graph one arc leads from each node that needs it, and one to each
    node that gives. Needed edges are taken first: they leave their nodes with fewer edges to need or to give.
    Degrees below two, three needed edges at a node, and three neighbours of degree two are cases of it.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.problem_graph import read_problem
    >>> small = read_problem(TourProblem(board="2x3", closed=True))
    >>> count_degrees(small, [1], [])  # no knight's move leads from b2
    Shortage(needed=2, available=0)
    """
    if graph.nodes < 3:
        return Shortage(0, 0)
    needs, gives = frozenset(needing), frozenset(giving)
    lacking, spare = _open_degrees(graph)
    available = sum(spare[v] for v in gives)
    available += sum(1 for u, v in _choices(graph) if u in needs and v not in gives)
    return Shortage(sum(lacking[v] for v in needs), available)


def find_degrees(graph: ProblemGraph) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return nodes that need and nodes that give too few edges, or None if none exist.

    There are such sets if and only if no weights from 0 to 1 of the edges sum to two at each node (Ford &
    Fulkerson, Flows in Networks, 1962): a minimum cut between the nodes as givers and as receivers finds
    them.

    Complexity: that of a maximum flow through twice the nodes and edges.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.problem_graph import read_problem
    >>> find_degrees(read_problem(TourProblem(board="3x3", closed=True)))
    ((4,), ())
    """
    if graph.nodes < 3 or len(graph.edges) > _MOST_EDGES:
        return None
    lacking, spare = _open_degrees(graph)
    for v in range(graph.nodes):
        if spare[v] < 0:
            return (), (v,)
        if lacking[v] < 0:
            return tuple(other for other in range(graph.nodes) if other != v), tuple(range(graph.nodes))
    from ortools.graph.python import max_flow

    n = graph.nodes
    source, sink = 2 * n, 2 * n + 1
    flow = max_flow.SimpleMaxFlow()
    for v in range(n):
        flow.add_arc_with_capacity(source, v, lacking[v])
        flow.add_arc_with_capacity(n + v, sink, spare[v])
    for u, v in _choices(graph):
        flow.add_arc_with_capacity(u, n + v, 1)
    flow.solve(source, sink)
    if flow.optimal_flow() == sum(lacking):
        return None
    reached = set(flow.get_source_side_min_cut())
    needing, giving = (tuple(v for v in range(n) if v + shift in reached) for shift in (0, n))
    return needing, giving


def _open_degrees(graph: ProblemGraph) -> tuple[list[int], list[int]]:
    """For each node the number of edges that it needs, and that it gives, besides needed edges."""
    each = 1 if graph.directed else 2
    lacking, spare = [each] * graph.nodes, [each] * graph.nodes
    for u, v in graph.needed:
        lacking[u] -= 1
        spare[v] -= 1
        if not graph.directed:
            lacking[v] -= 1
            spare[u] -= 1
    return lacking, spare


def _choices(graph: ProblemGraph) -> Iterator[Edge]:
    """The edges that are not needed: in both directions, or as arcs."""
    for u, v in graph.edges:
        if (u, v) not in graph.needed:
            yield u, v
            if not graph.directed:
                yield v, u


def symmetry_obstruction(graph: ProblemGraph) -> str | None:
    """Return why no tour has the required symmetry, or None if this argument does not apply.

    A symmetry other than the identity maps a path to itself only as its *reversal*: it has order 2 and fixes
    the middle cell or the middle move, and no other. It maps a cycle to itself as a *reflection* (order 2; it
    fixes two cells, or two moves, or one cell and one move) or as a *rotation*, which fixes no cell. A
    rotation of order m takes every cell k n / m steps further, with k prime to m. If moves alternate between
    two colours, it exchanges the colours if and only if that number of steps is odd. The case of the quarter
    turn on squares of side 4k is due to G. P. Jelliss, Symmetry in knight's tours.

    Linear in nodes and edges.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.problem_graph import read_problem
    >>> symmetry_obstruction(read_problem(TourProblem(board="8x8", closed=True, symmetry="rot90")))
    'the symmetry rotates a tour by 16 or 48 steps, an even number, but it exchanges the colours'
    >>> symmetry_obstruction(read_problem(TourProblem(board="6x6", closed=True, symmetry="rot90")))
    """
    n = len(graph.cells)
    if graph.images is None or graph.images[:n] == tuple(range(n)):
        return None
    images = graph.images[:n]
    lengths = cycle_lengths(images)
    order, fixed = max(lengths), lengths.count(1)
    # Moves whose ends the symmetry exchanges.
    swapped = sum(1 for u, v in graph.edges if v < n and images[u] == v and images[v] == u)
    what = f"the symmetry fixes {number_of(fixed, 'cell')} and {number_of(swapped, 'move')}"
    if not graph.closed:
        if order > 2:
            return f"the symmetry of a path is its reversal, of order 2, and this symmetry has order {order}"
        if fixed == 1 if n % 2 else (fixed == 0 and swapped > 0):
            return None
        middle = "cell" if n % 2 else "move"
        return f"the reversal of a path of {n} cells fixes only its middle {middle}; {what}"
    if order == 2:
        if (fixed == 1 and swapped > 0) if n % 2 else (fixed == 2 or (fixed == 0 and swapped > 1)):
            return None  # it may be a reflection of the tour
        if fixed or n % 2:
            return f"{what}, which no reflection or rotation of a cycle of {n} cells does"
    elif set(lengths) != {order}:
        return f"a rotation of order {order} has no orbit of length {min(lengths)}, as the symmetry has"
    return _rotation_obstruction(graph, order, images)


def _rotation_obstruction(graph: ProblemGraph, order: int, images: tuple[int, ...]) -> str | None:
    """Why a symmetry all of whose orbits have length ``order`` is not a rotation of a cycle, or None."""
    step = len(graph.cells) // order
    colour = graph.colours
    if order % 2 or colour is None:
        return None
    # All k prime to an even order m are odd: k n / m has the same parity for all of them.
    if (step % 2 == 1) == (colour[0] != colour[images[0]]):
        return None
    steps = f"{step}" if order == 2 else f"{step} or {(order - 1) * step}"
    return (
        f"the symmetry rotates a tour by {steps} steps, an {'odd' if step % 2 else 'even'} number, "
        f"but it {'preserves' if step % 2 else 'exchanges'} the colours"
    )


Sum = tuple[tuple[int, ...], int]  # nodes, and the required sum of their steps


def sums_of(graph: ProblemGraph) -> list[Sum] | None:
    """Return the required sums in a fixed order; None if one of them is not an integer."""
    found: list[Sum] = []
    for nodes, total in graph.sums:
        if total is None:
            return None
        found.append((nodes, total))
    given = [each for each in graph.conditions if isinstance(each, CellSum)]
    return found + [(tuple(sorted(graph.node[cell] for cell in each.cells)), each.total) for each in given]


def refuted_by_sums(graph: ProblemGraph, multiples: Sequence[int]) -> bool:
    """Return whether these multiples, one for each of :func:`sums_of`, contradict each other.

    Moves alternate between two colours, so the odd steps are on one colour. Take integer multiples of the
    required sums and add them: the total contains the step of each cell with a coefficient. If the
    coefficients of all cells of a colour are even, or all are odd, the total is known modulo 4: 2 x even is
    0, 2 x odd is 2, and the sum of all odd steps, and that of all even steps, is known. If it differs from
    the required total whichever colour the odd steps have, there is no tour. A single sum of a wrong parity
    is the case of one multiple, 2. That 6x6 is not magic is the case of every second row and column with
    multiple 1.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.problem_graph import read_problem
    >>> graph = read_problem(TourProblem(board="6x6", closed=True, magic=["rows", "columns"]))
    >>> refuted_by_sums(graph, [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0])
    True
    >>> refuted_by_sums(graph, [1] * 6 + [0] * 6)
    False
    """
    sums, colour = sums_of(graph), graph.colours
    if sums is None or colour is None or len(sums) != len(multiples):
        return False
    n = len(graph.cells)
    coefficient, required = [0] * n, 0
    for times, (nodes, total) in zip(multiples, sums, strict=True):
        required += times * total
        for node in nodes:
            coefficient[node] += times
    halves = []
    for which in (0, 1):
        cells = [coefficient[i] for i in range(n) if colour[i] == which]
        parities = {times % 2 for times in cells}
        if len(parities) > 1:
            return False
        # Each coefficient is odd + 2 t: the number of cells, odd, and the sum of the t.
        odd = parities == {1}
        halves.append((len(cells), odd, sum((times - odd) // 2 for times in cells)))
    return all(
        (_share(halves[first], 1) + _share(halves[1 - first], 2) - required) % 4
        for first in (0, 1)
        if halves[first][0] == (n + 1) // 2
    )


def _share(half: tuple[int, bool, int], first: int) -> int:
    """The share of a colour in the total, modulo 4, if its steps are first, first + 2, ..."""
    number, odd, twos = half
    steps = number * (first + number - 1)
    return odd * steps + 2 * twos * (first % 2)


def find_multiples(graph: ProblemGraph) -> tuple[int, ...] | None:
    """Return multiples that contradict each other, or None if none of a few candidates do."""
    sums = sums_of(graph)
    if not sums or graph.colours is None:
        return None
    return next((each for each in _candidates(graph, len(sums)) if refuted_by_sums(graph, each)), None)


def _candidates(graph: ProblemGraph, number: int) -> Iterator[tuple[int, ...]]:
    for which in range(number):
        yield tuple(2 * (i == which) for i in range(number))
    # Every second one of the magic lines: rows and columns are in order.
    yield tuple((i + 1) % 2 if i < len(graph.sums) else 0 for i in range(number))
