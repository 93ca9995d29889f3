"""A problem as clauses that every tour satisfies, stated from the definitions of the conditions.

A certificate may start from these clauses and from cuts only. They are not shared with the models and
encodings of solvers. Variables, in the numbering of DIMACS:

- ``a1-b3``: the tour makes this move; ``end a1``: an open tour begins or ends at this cell; in a directed
  graph ``first a``: it begins there, ``last a``: it ends there.
- ``a1 at 5``: the cell is visited at step 5; ``a1+b1 = 9``: the sum of the steps of these cells;
  ``squares=row number 2``: the steps of the condition lie in the second row. Only if a condition depends on
  steps.
- ``obtuse at a1``: the two moves at the cell make such an angle; ``a1-b3 crosses a2-c1``: the tour makes both
  moves. Only if their number is bounded.
- ``ends>=2 of 7``: at least two of the first seven ``end`` variables are true. Only if a bound without such
  variables needs too many clauses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from ktsolve.base.errors import Refused
from ktsolve.base.limits import Limit
from ktsolve.graphs.geometry import angle, crossing_pairs
from ktsolve.problem.conditions import Bound
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import Statistic
from ktsolve.proof.clauses import Clause, ClauseList
from ktsolve.proof.numbers import state_numbers
from ktsolve.proof.problem_graph import ProblemGraph, read_problem

__all__ = ["Statement", "cut_clause", "state", "state_graph"]

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
    """A problem as clauses."""

    graph: ProblemGraph  # the problem as a graph; variable i + 1 belongs to its edge number i
    names: tuple[str, ...]  # the name of variable i is ``names[i - 1]``
    clauses: tuple[Clause, ...]  # the clauses in the order of their statement, without repetition

    @cached_property
    def stated(self) -> frozenset[Clause]:
        """The clauses as a set."""
        return frozenset(self.clauses)


def state(problem: TourProblem, memory: Limit | None = None) -> Statement:
    """Return the clauses of a problem.

    Complexity: a few hundred clauses for a cell; with steps about cells x cells x moves from a cell. Raises
    Refused if the problem has a condition that certificates do not support; LimitReached if the clauses do
    not fit into ``memory``.

    >>> statement = state(TourProblem(board="3x3", closed=True))
    >>> statement.names[:2], len(statement.clauses)
    (('a3-c2', 'a3-b1'), 9)
    >>> () in statement.clauses  # no move leads to the cell in the middle
    True
    """
    return state_graph(read_problem(problem), memory)


def state_graph(graph: ProblemGraph, memory: Limit | None = None) -> Statement:
    """Return the clauses of a problem that was read, as :func:`state` does."""
    clauses = ClauseList(memory)
    ground, cells = graph.ground, graph.cells
    for u, v in graph.edges:
        if u < len(cells) and v < len(cells):
            clauses.new(ground.move_name((cells[u], cells[v])))
        elif graph.directed:
            clauses.new(
                f"first {ground.name(cells[v])}" if v < len(cells) else f"last {ground.name(cells[u])}"
            )
        else:
            clauses.new(f"end {ground.name(cells[u])}")
    if graph.nodes >= 3:
        _state_cycle(graph, clauses)
    elif graph.closed:
        clauses.add([])  # a closed tour has three cells or more
    _state_symmetry(graph, clauses)
    if graph.step_indexed:
        state_numbers(graph, clauses)
    for bound in graph.conditions:
        if isinstance(bound, Bound):
            members, what = _counted(graph, clauses, bound.statistic), bound.statistic.text(ground)
            if bound.least is not None:
                clauses.at_least(bound.least, members, what)
            if bound.most is not None:
                clauses.at_most(bound.most, members, what)
        elif not bound.step_indexed:  # the others are stated by state_numbers
            raise Refused(f"no certificate can state {bound.feature}")
    return Statement(graph, clauses.names, clauses.clauses)


def cut_clause(graph: ProblemGraph, cells: Iterable[int]) -> Clause:
    """Return the clause "some edge leaves these nodes", which holds for any proper non-empty set of nodes.

    In a directed graph: some arc leads from a node of the set to another one.

    Source: Dantzig, Fulkerson & Johnson (1954).
    """
    inside = set(cells)
    leaving = ((i, u in inside, v in inside) for i, (u, v) in enumerate(graph.edges, 1))
    return tuple(i for i, u, v in leaving if u != v and (u or not graph.directed))


def _state_cycle(graph: ProblemGraph, clauses: ClauseList) -> None:
    """State two edges at every node, or an arc to it and an arc from it, and the needed edges."""
    names = [graph.ground.name(cell) for cell in graph.cells]
    variable = graph.variable
    if graph.directed:
        for ends, side, outside in ((0, "from", "last"), (1, "to", "first")):
            at: list[list[int]] = [[] for _ in range(graph.nodes)]
            for edge, number in variable.items():
                at[edge[ends]].append(number)
            for node, members in enumerate(at):
                clauses.one_of(members, f"moves {side} {names[node]}" if node < len(names) else outside)
    else:
        for node, others in enumerate(graph.neighbours):
            what = f"moves of {names[node]}" if node < len(names) else "ends"
            members = [_between(graph, node, other) for other in others]
            clauses.at_least(2, members, what)
            clauses.at_most(2, members, what)
    for edge in sorted(graph.needed):
        clauses.add([variable[edge]] if edge in variable else [])
    for some in graph.some:
        clauses.add(variable[edge] for edge in some if edge in variable)


def _state_symmetry(graph: ProblemGraph, clauses: ClauseList) -> None:
    """State that a move is made if and only if its image is."""
    if (images := graph.images) is None:
        return
    for (u, v), variable in graph.variable.items():
        image = graph.variable.get((min(images[u], images[v]), max(images[u], images[v])))
        if image is None:
            clauses.add([-variable])
        elif image != variable:
            clauses.add([-variable, image])
            clauses.add([variable, -image])


def _counted(graph: ProblemGraph, clauses: ClauseList, statistic: Statistic) -> list[int]:
    """Variables of which as many are true as the statistic is."""
    if statistic.name == "moves":
        pairs = [(graph.node[a], graph.node[b]) for a, b in sorted(statistic.moves)]
        return [graph.variable[pair] for pair in pairs if pair in graph.variable]
    if statistic.name == "crossings":
        return _crossings(graph, clauses)
    if statistic.name not in _ANGLES:
        raise Refused(f"no certificate can state a bound on {statistic.name}")
    return _angles(graph, clauses, statistic.name)


def _crossings(graph: ProblemGraph, clauses: ClauseList) -> list[int]:
    cells, name = graph.cells, graph.board.move_name
    moves = {(cells[u], cells[v]): i for (u, v), i in graph.variable.items() if v < len(cells)}
    found = []
    for one, other in crossing_pairs(moves):
        both = clauses.new(f"{name(one)} crosses {name(other)}")
        clauses.add([-moves[one], -moves[other], both])
        clauses.add([-both, moves[one]])
        clauses.add([-both, moves[other]])
        found.append(both)
    return found


def _angles(graph: ProblemGraph, clauses: ClauseList, kind: str) -> list[int]:
    cells = graph.cells
    found = []
    for here, cell in enumerate(cells):
        others = [other for other in graph.neighbours[here] if other < len(cells)]
        made = clauses.new(f"{kind} at {graph.board.name(cell)}")
        found.append(made)
        partners: dict[int, list[int]] = {_between(graph, here, other): [] for other in others}
        for a, b in combinations(others, 2):
            if angle(cells[a], cell, cells[b]) in _ANGLES[kind]:
                first, second = _between(graph, here, a), _between(graph, here, b)
                clauses.add([-first, -second, made])
                partners[first].append(second)
                partners[second].append(first)
        # Some move is made there, and each made move has a partner that makes such an angle with it.
        clauses.add([-made, *partners])
        for move, fitting in partners.items():
            clauses.add([-made, -move, *fitting])
    return found


def _between(graph: ProblemGraph, a: int, b: int) -> int:
    return graph.variable[min(a, b), max(a, b)]
