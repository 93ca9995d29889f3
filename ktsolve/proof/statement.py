"""What every answer to a tour problem satisfies, as clauses stated from the definition.

A certificate may start from these clauses and from cuts, and from nothing else. So each of them must hold for
every tour that answers the problem, with the variables meaning what their names say; that is all that a
reader has to convince himself of. None of it is shared with models or encodings that solvers use.

Variables, in the numbering of DIMACS:

- ``a1-b3``: the tour makes this move; ``end a1``: an open tour begins or ends here.
- ``a1 at 5``: this cell is the fifth. Only where cells at given steps are asked for.
- ``ends>=2 of 7``: at least two of the first seven ends, in the order of their variables, are ends of the
  tour. Defined by clauses; there are some only where writing a count out would take too many clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from ktsolve.problem.problem import TourProblem
from ktsolve.proof.reading import Reading, read_problem

__all__ = ["Statement", "cut_clause", "state"]

_WRITTEN_OUT = 600
"""Most clauses for which a count is written out; longer ones are counted by variables of their own."""

Clause = tuple[int, ...]
"""Literals in the numbering of DIMACS, sorted."""


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


def state(problem: TourProblem) -> Statement:
    """The clauses of a problem.

    Complexity: a few hundred clauses for a cell; with given steps about cells x cells x moves from a cell.

    Raises
    ------
    Refused
        If the problem asks for something that certificates cannot speak of.

    Examples
    --------
    >>> statement = state(TourProblem(board="3x3", closed=True))
    >>> statement.names[:2], len(statement.clauses)
    (('a3-b1', 'a3-c2'), 9)
    >>> () in statement.clauses  # no move leads to the cell in the middle
    True
    """
    return _Stating(problem).stated()


def cut_clause(reading: Reading, cells: Iterable[int]) -> Clause:
    """The clause "some edge leaves these cells", true of every tour if they are some, but not all nodes.

    Source: Dantzig, Fulkerson & Johnson (1954).
    """
    inside = set(cells)
    return tuple(i for i, (u, v) in enumerate(reading.edges, 1) if (u in inside) != (v in inside))


class _Stating:
    def __init__(self, problem: TourProblem) -> None:
        self._board = problem.board
        self._reading = read_problem(problem)
        self._names: list[str] = []
        self._clauses: dict[Clause, None] = {}
        self._defined: dict[str, int] = {}

    def stated(self) -> Statement:
        reading = self._reading
        self._name_edges()
        if reading.nodes >= 3:
            self._state_degrees()
            for pair in sorted(reading.needed):
                self._add([self._edge[pair]] if pair in self._edge else [])
            self._state_symmetry()
            if reading.steps:
                self._state_steps()
        elif reading.closed:
            self._add([])  # a closed tour has three cells or more
        return Statement(reading, tuple(self._names), tuple(self._clauses))

    def _add(self, literals: Iterable[int]) -> None:
        self._clauses[tuple(sorted(set(literals)))] = None

    def _new(self, name: str) -> int:
        self._names.append(name)
        return len(self._names)

    def _cell(self, node: int) -> str:
        return self._board.name(self._reading.cells[node])

    def _name_edges(self) -> None:
        cells = self._reading.cells
        self._edge: dict[tuple[int, int], int] = {}
        for u, v in self._reading.edges:
            if v < len(cells):
                self._edge[u, v] = self._new(self._board.move_name((cells[u], cells[v])))
            else:
                self._edge[u, v] = self._new(f"end {self._cell(u)}")

    # -- a cycle ------------------------------------------------------------------------------------------

    def _state_degrees(self) -> None:
        """Two edges at every node."""
        around: list[list[int]] = [[] for _ in range(self._reading.nodes)]
        for (u, v), variable in self._edge.items():
            around[u].append(variable)
            around[v].append(variable)
        for node, edges in enumerate(around):
            what = "ends" if node == len(self._reading.cells) else f"moves of {self._cell(node)}"
            self._at_least(2, edges, what)
            self._at_most(2, edges, what)

    def _state_symmetry(self) -> None:
        """A move is made if and only if its image is."""
        if (images := self._reading.images) is None:
            return
        for (u, v), variable in self._edge.items():
            image = min(images[u], images[v]), max(images[u], images[v])
            if image not in self._edge:
                self._add([-variable])
            elif self._edge[image] != variable:
                self._add([-variable, self._edge[image]])
                self._add([variable, -self._edge[image]])

    # -- steps --------------------------------------------------------------------------------------------

    def _state_steps(self) -> None:
        """Every cell has one step, every step one cell, and a move joins steps that follow each other."""
        n = len(self._reading.cells)
        at = [{t: self._new(f"{self._cell(v)} at {t}") for t in range(1, n + 1)} for v in range(n)]
        for step, node in self._reading.steps:
            self._add([at[node][step]])
        for v in range(n):
            self._one_of([at[v][t] for t in range(1, n + 1)], f"steps of {self._cell(v)}")
        for t in range(1, n + 1):
            self._one_of([at[v][t] for v in range(n)], f"cells at {t}")
        around: list[list[tuple[int, int]]] = [[] for _ in range(n)]
        for (u, v), variable in self._edge.items():
            if v < n:
                around[u].append((v, variable))
                around[v].append((u, variable))
            else:  # an end of an open tour
                self._add([-variable, at[u][1], at[u][n]])
                self._add([-at[u][1], variable])
                self._add([-at[u][n], variable])
        for u in range(n):
            for t in range(1, n + 1):
                beside = [s for s in (t - 1, t + 1) if 1 <= s <= n]
                if self._reading.closed and t in (1, n):
                    beside.append(n + 1 - t)
                for s in beside:
                    self._add([-at[u][t], *(at[v][s] for v, _ in around[u])])
                for v, variable in around[u]:
                    self._add([-variable, -at[u][t], *(at[v][s] for s in beside)])
                    for s in beside:
                        self._add([-at[u][t], -at[v][s], variable])

    # -- counts -------------------------------------------------------------------------------------------

    def _one_of(self, members: Sequence[int], what: str) -> None:
        self._add(members)
        self._at_most(1, members, what)

    def _at_most(self, bound: int, members: Sequence[int], what: str) -> None:
        """At most so many of the members are true: of any one more, one is false."""
        if len(members) <= bound:
            return
        if comb(len(members), bound + 1) <= _WRITTEN_OUT:
            for some in combinations(members, bound + 1):
                self._add([-member for member in some])
        else:
            self._add([-self._counted(members, bound + 1, what)])

    def _at_least(self, bound: int, members: Sequence[int], what: str) -> None:
        """At least so many of the members are true: of all but one less, one is."""
        if len(members) < bound:
            self._add([])
        elif comb(len(members), bound - 1) <= _WRITTEN_OUT:
            for some in combinations(members, len(members) - bound + 1):
                self._add(some)
        else:
            self._add([self._counted(members, bound, what)])

    def _counted(self, members: Sequence[int], bound: int, what: str) -> int:
        """A variable that tells whether at least ``bound`` of the members are true.

        At least j of the first i are, if and only if j of those before are, or j - 1 of them and this one.
        """
        before: list[int] = []  # number j - 1 tells of at least j
        for number, member in enumerate(members, 1):
            now = []
            for j in range(1, min(bound, number) + 1):
                name = f"{what}>={j} of {number}"
                enough, short = before[j - 1 : j], before[j - 2 : j - 1] if j > 1 else []
                now.append(self._defined.get(name) or self._define(name, enough, short, member))
            before = now
        return before[bound - 1]

    def _define(self, name: str, enough: list[int], short: list[int], member: int) -> int:
        """A variable for "enough, or short and this member"; what is missing is never, or always, so."""
        count = self._defined[name] = self._new(name)
        for literal in enough:
            self._add([-literal, count])
        self._add([*(-literal for literal in short), -member, count])
        for literal in (*short, member):
            self._add([-count, *enough, literal])
        return count
