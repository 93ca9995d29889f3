"""Tours as lists of edges: a line of two names for each move, in the order of the tour.

The lines may come in any order and direction. They are put together again, so that a file of another program
which lists the edges of a Hamiltonian cycle or path is read as a tour.
"""

from __future__ import annotations

from itertools import pairwise

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of, shown
from ktsolve.formats.graphs.data import quoted, words
from ktsolve.formats.tours.common import board_comment, read_board_comment, tour_read
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph, Vertex
from ktsolve.graphs.tour import Tour


def write(tour: Tour) -> str:
    r"""The moves of the tour, the last one of a closed tour back to its first vertex.

    >>> print(write(Tour(Graph("abc", ["ab", "bc", "ca"]), "abc", closed=True)), end="")
    a b
    b c
    c a
    """
    ground = tour.ground
    names = [quoted(ground.names[i]) for i in tour.indices]
    if tour.closed and len(names) > 2:
        names.append(names[0])
    arrow = " -> " if ground.directed else " "
    lines = [f"{one}{arrow}{other}" for one, other in pairwise(names)] or names
    if isinstance(ground, Board):
        lines.insert(0, f"# {board_comment(ground, tour.closed)}")
    return "\n".join(lines) + "\n"


def read(text: str, board: Graph | None = None, closed: bool | None = None) -> Tour:
    """Read a list of edges, which must form a path or a cycle.

    Raises BadInput if the graph is not known, or the edges form no path and no cycle.
    """
    stated, stated_closed = read_board_comment(text)
    ground = board or stated
    if ground is None:
        raise BadInput("a tour as a list of edges needs its graph: give --board (for commands), or board=")
    pairs: list[tuple[Vertex, Vertex]] = []
    for at, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = words(line, at)
        if len(found) == 3 and found[1] == "->":
            del found[1]
        if len(found) == 1 and not pairs:
            return tour_read(
                ground, [_cell(ground, found[0], at)], stated_closed if closed is None else closed
            )
        if len(found) != 2:
            raise BadInput(f"line {at}: {shown(line.strip(), 30)} is not an edge: write two vertices")
        pairs.append((_cell(ground, found[0], at), _cell(ground, found[1], at)))
    if not pairs:
        raise BadInput("there are no edges in the input")
    if all(one[1] == other[0] for one, other in pairwise(pairs)):
        order, returns = [pairs[0][0], *(v for _, v in pairs)], False
        if len(order) > 3 and order[0] == order[-1] and stated_closed is not False:
            order, returns = order[:-1], True
    else:
        order, returns = _joined(ground, pairs)
    if closed is None:
        closed = returns if stated_closed is None else stated_closed
    return tour_read(ground, order, closed)


def _joined(ground: Graph, pairs: list[tuple[Vertex, Vertex]]) -> tuple[list[Vertex], bool]:
    """The vertices along the path or cycle that edges in any order and direction form; is it a cycle?"""
    after: dict[Vertex, list[Vertex]] = {}
    for u, v in pairs:
        after.setdefault(u, []).append(v)
        after.setdefault(v, []).append(u)
    for vertex, others in after.items():
        if len(others) > 2:
            name = ground.name(vertex)
            raise BadInput(
                f"{name} has {number_of(len(others), 'edge')}: those of a tour form a path or a cycle"
            )
    ends = [vertex for vertex, others in after.items() if len(others) == 1]
    tails = {u for u, _ in pairs}
    first = next((end for end in ends if end in tails), ends[0]) if ends else pairs[0][0]
    order = [first]
    before, here = None, first
    # From the first vertex of a cycle on, the tail of the first edge, its head comes next.
    onward = pairs[0][1] if not ends else after[first][0]
    while onward is not None and onward != first and len(order) < len(after):
        order.append(onward)
        before, here = here, onward
        onward = next((other for other in after[here] if other != before), None)
    if len(order) != len(after):
        raise BadInput(
            f"the edges form several parts: that of {ground.name(first)} has "
            f"{number_of(len(order), 'vertex')}"
        )
    return order, not ends


def _cell(ground: Graph, name: str, at: int) -> Vertex:
    try:
        return ground.cell(quoted(name) if not isinstance(ground, Board) else name)
    except BadInput as error:
        raise BadInput(f"line {at}: {error}") from None
