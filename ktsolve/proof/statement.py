"""What every answer to a tour problem satisfies, as clauses stated from the definition.

A certificate may start from these clauses and from cuts, and from nothing else. So each of them must hold for
every tour that answers the problem, with the variables meaning what their names say; that is all that a
reader has to convince himself of. None of it is shared with models or encodings that solvers use.

Variables, in the numbering of DIMACS:

- ``a1-b3``: the tour makes this move; ``end a1``: an open tour begins or ends here.
- ``a1 at 5``: this cell is the fifth; ``a1+b1 = 9``: their steps add up to that; ``squares=row number 2``:
  it is the second row in which these steps stand. Only where something is asked of steps.
- ``obtuse at a1``: the two moves at this cell make such an angle; ``a1-b3 crosses a2-c1``: both are made.
  Only where their number is bounded.
- ``ends>=2 of 7``: at least two of the first seven ends, in the order of their variables, are ends of the
  tour. Defined by clauses; there are some only where writing a count out would take too many clauses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from ktsolve.errors import Refused
from ktsolve.ground.board import Board
from ktsolve.ground.geometry import angle, crossing_pairs
from ktsolve.problem.conditions import Bound
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistic import Statistic
from ktsolve.proof.clauses import Clause, ClauseList
from ktsolve.proof.numbers import state_numbers
from ktsolve.proof.reading import Edge, Reading, read_problem

__all__ = ["Statement", "cut_clause", "state"]

_ANGLES = {
    "acute": {"acute"},
    "right": {"right"},
    "obtuse": {"obtuse", "straight"},
    "straight": {"straight"},
    "turns": {"acute", "right", "obtuse"},
}
"""The kinds of angles that a statistic counts."""


@dataclass(frozen=True)
class Statement:
    """A problem as clauses.

    Attributes
    ----------
    reading:
        The problem as a graph; variable i + 1 belongs to its edge number i.
    names:
        Variable i is called ``names[i - 1]``.
    clauses:
        As they are stated, without repetition.
    """

    reading: Reading
    names: tuple[str, ...]
    clauses: tuple[Clause, ...]


def state(problem: TourProblem, memory: int | None = None) -> Statement:
    """The clauses of a problem.

    Complexity: a few hundred clauses for a cell; with steps about cells x cells x moves from a cell.

    Raises
    ------
    Refused
        If the problem asks for something that certificates cannot speak of.
    LimitReached
        If the clauses take more than so many bytes of memory.

    Examples
    --------
    >>> statement = state(TourProblem(board="3x3", closed=True))
    >>> statement.names[:2], len(statement.clauses)
    (('a3-c2', 'a3-b1'), 9)
    >>> () in statement.clauses  # no move leads to the cell in the middle
    True
    """
    reading = read_problem(problem)
    clauses = ClauseList(memory)
    edges = {edge: clauses.new(_edge_name(problem.board, reading, edge)) for edge in reading.edges}
    if reading.nodes >= 3:
        _state_cycle(problem.board, reading, edges, clauses)
    elif reading.closed:
        clauses.add([])  # a closed tour has three cells or more
    _state_symmetry(reading, edges, clauses)
    if reading.numbered:
        state_numbers(problem.board, reading, edges, clauses)
    _state_bounds(problem.board, reading, edges, clauses)
    return Statement(reading, clauses.names, clauses.clauses)


def cut_clause(reading: Reading, cells: Iterable[int]) -> Clause:
    """The clause "some edge leaves these cells", true of every tour if they are some, but not all nodes.

    Source: Dantzig, Fulkerson & Johnson (1954).
    """
    inside = set(cells)
    return tuple(i for i, (u, v) in enumerate(reading.edges, 1) if (u in inside) != (v in inside))


def _edge_name(board: Board, reading: Reading, edge: Edge) -> str:
    cells = reading.cells
    u, v = edge
    return board.move_name((cells[u], cells[v])) if v < len(cells) else f"end {board.name(cells[u])}"


def _state_cycle(board: Board, reading: Reading, edges: dict[Edge, int], clauses: ClauseList) -> None:
    """Two edges at every node, and those that are asked for."""
    around: list[list[int]] = [[] for _ in range(reading.nodes)]
    for (u, v), variable in edges.items():
        around[u].append(variable)
        around[v].append(variable)
    for node, members in enumerate(around):
        what = f"moves of {board.name(reading.cells[node])}" if node < len(reading.cells) else "ends"
        clauses.at_least(2, members, what)
        clauses.at_most(2, members, what)
    for edge in sorted(reading.needed):
        clauses.add([edges[edge]] if edge in edges else [])
    for some in reading.some:
        clauses.add(edges[edge] for edge in some if edge in edges)


def _state_symmetry(reading: Reading, edges: dict[Edge, int], clauses: ClauseList) -> None:
    """A move is made if and only if its image is."""
    if (images := reading.images) is None:
        return
    for (u, v), variable in edges.items():
        image = min(images[u], images[v]), max(images[u], images[v])
        if image not in edges:
            clauses.add([-variable])
        elif edges[image] != variable:
            clauses.add([-variable, edges[image]])
            clauses.add([variable, -edges[image]])


def _state_bounds(board: Board, reading: Reading, edges: dict[Edge, int], clauses: ClauseList) -> None:
    for bound in reading.conditions:
        if isinstance(bound, Bound):
            members = _counted_things(board, reading, edges, clauses, bound.quantity)
            what = bound.quantity.text(board)
            if bound.least is not None:
                clauses.at_least(bound.least, members, what)
            if bound.most is not None:
                clauses.at_most(bound.most, members, what)


def _counted_things(
    board: Board, reading: Reading, edges: dict[Edge, int], clauses: ClauseList, quantity: Statistic
) -> list[int]:
    """Variables of which as many are true as the statistic is."""
    cells = reading.cells
    node = {cell: i for i, cell in enumerate(cells)}
    if quantity.name == "moves":
        pairs = [(node[a], node[b]) for a, b in sorted(quantity.moves)]
        return [edges[pair] for pair in pairs if pair in edges]
    if quantity.name == "crossings":
        return _crossings(board, reading, edges, clauses)
    if quantity.name not in _ANGLES:
        raise Refused(f"no certificate can state a bound on {quantity.name}")
    return _angles(board, reading, edges, clauses, quantity.name)


def _crossings(board: Board, reading: Reading, edges: dict[Edge, int], clauses: ClauseList) -> list[int]:
    cells = reading.cells
    moves = {(cells[u], cells[v]): variable for (u, v), variable in edges.items() if v < len(cells)}
    found = []
    for one, other in crossing_pairs(moves):
        both = clauses.new(f"{board.move_name(one)} crosses {board.move_name(other)}")
        clauses.add([-moves[one], -moves[other], both])
        clauses.add([-both, moves[one]])
        clauses.add([-both, moves[other]])
        found.append(both)
    return found


def _angles(
    board: Board, reading: Reading, edges: dict[Edge, int], clauses: ClauseList, kind: str
) -> list[int]:
    cells = reading.cells
    around: list[list[int]] = [[] for _ in cells]
    for u, v in reading.edges:
        if v < len(cells):
            around[u].append(v)
            around[v].append(u)
    found = []
    for here, others in enumerate(around):
        made = clauses.new(f"{kind} at {board.name(cells[here])}")
        found.append(made)
        partners: dict[int, list[int]] = {other: [] for other in others}
        for a, b in combinations(others, 2):
            if angle(cells[a], cells[here], cells[b]) in _ANGLES[kind]:
                clauses.add([-_between(edges, here, a), -_between(edges, here, b), made])
                partners[a].append(b)
                partners[b].append(a)
        # With a move that is made goes one that makes such an angle with it.
        for a, fitting in partners.items():
            clauses.add([-made, -_between(edges, here, a), *(_between(edges, here, b) for b in fitting)])
    return found


def _between(edges: dict[Edge, int], a: int, b: int) -> int:
    return edges[min(a, b), max(a, b)]
