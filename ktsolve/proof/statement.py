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

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb

from ktsolve.base.errors import LimitReached, Refused
from ktsolve.base.limits import Limit
from ktsolve.base.units import shown_bytes
from ktsolve.graphs.geometry import angle, crossing_pairs
from ktsolve.problem.conditions import Bound, CellSum, Condition, Figure, Order, StepRange
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import Statistic
from ktsolve.proof.problem_graph import ProblemGraph, read_problem

__all__ = ["Clause", "ClauseList", "Statement", "cut_clause", "state", "state_graph"]

Clause = tuple[int, ...]  # literals as in DIMACS, sorted
_MOST_DIRECT = 600  # largest number of clauses that state a bound without further variables
_BYTES = 500  # memory for a clause: about 200 bytes here, and as much in the solver or the checker of lemmas
_BYTES_OF_A_VARIABLE = 200  # memory for the name of a variable and its places in tables


class ClauseList:
    """Clauses over named variables.

    - ``memory``: LimitReached is raised when the variables or the clauses do not fit into it

    >>> clauses = ClauseList()
    >>> three = [clauses.new(name) for name in "abc"]
    >>> clauses.at_most(1, three, "letters")
    >>> tuple(clauses.clauses)
    ((-2, -1), (-3, -1), (-3, -2))
    """

    def __init__(self, memory: Limit | None = None) -> None:
        self._memory = memory
        self._names: list[str] = []
        self._clauses: dict[Clause, str] = {}
        self.group = ""
        """What the clauses that are added next state."""
        self._defined: dict[str, int] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The name of variable i is ``names[i - 1]``."""
        return tuple(self._names)

    @property
    def clauses(self) -> dict[Clause, str]:
        """The clauses in the order of their statement, without repetition, and the group of each."""
        return dict(self._clauses)

    def new(self, name: str) -> int:
        """Return a new variable."""
        self._names.append(name)
        self._check_memory(len(self._names), _BYTES_OF_A_VARIABLE, "variables")
        return len(self._names)

    def add(self, literals: Iterable[int]) -> None:
        """State that one of these literals is true."""
        self._clauses.setdefault(tuple(sorted(set(literals))), self.group)
        self._check_memory(len(self._clauses), _BYTES, "clauses")

    def _check_memory(self, number: int, each: int, what: str) -> None:
        if self._memory is not None and number * each > self._memory.left:
            raise LimitReached(
                f"the problem has more than {number - 1:,} {what}, which do not fit into the "
                f"memory limit of {shown_bytes(self._memory.total)}"
            )

    def one_of(self, members: Sequence[int], what: str) -> None:
        """State that exactly one of the members is true."""
        self.add(members)
        self.at_most(1, members, what)

    def at_most(self, bound: int, members: Sequence[int], what: str) -> None:
        """State that at most ``bound`` of the members are true."""
        if len(members) <= bound:
            return
        if bound < 0:
            self.add([])
        elif comb(len(members), bound + 1) <= _MOST_DIRECT:
            for some in combinations(members, bound + 1):
                self.add([-member for member in some])
        else:
            self.add([-self._counter(members, bound + 1, what)])

    def at_least(self, bound: int, members: Sequence[int], what: str) -> None:
        """State that at least ``bound`` of the members are true."""
        if bound <= 0:
            return
        if len(members) < bound:
            self.add([])
        elif comb(len(members), bound - 1) <= _MOST_DIRECT:
            for some in combinations(members, len(members) - bound + 1):
                self.add(some)
        else:
            self.add([self._counter(members, bound, what)])

    def _counter(self, members: Sequence[int], bound: int, what: str) -> int:
        """A variable that is true if and only if at least ``bound`` of the members are.

        At least j of the first i are true if and only if j of the first i - 1 are, or j - 1 of them and
        member i (the sequential counter of Sinz 2005, in both directions).
        """
        before: list[int] = []  # the variable for "at least j" has index j - 1
        for number, member in enumerate(members, 1):
            now = []
            for j in range(1, min(bound, number) + 1):
                name = f"{what}>={j} of {number}"
                enough, short = before[j - 1 : j], before[j - 2 : j - 1] if j > 1 else []
                now.append(self._defined.get(name) or self._define(name, enough, short, member))
            before = now
        return before[bound - 1]

    def _define(self, name: str, enough: list[int], short: list[int], member: int) -> int:
        """A variable for "enough, or short and member"; no ``enough`` is false, no ``short`` is true."""
        count = self._defined[name] = self.new(name)
        for literal in enough:
            self.add([-literal, count])
        self.add([*(-literal for literal in short), -member, count])
        for literal in (*short, member):
            self.add([-count, *enough, literal])
        return count


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
    clauses: dict[Clause, str]  # in the order of their statement, each with what its group states


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
            end, cell = ("first", v) if v < len(cells) else ("last", u)
            clauses.new(f"{end} {ground.name(cells[cell])}")
        else:
            clauses.new(f"end {ground.name(cells[u])}")
    if graph.nodes >= 3:
        _state_cycle(graph, clauses)
    elif graph.closed:
        clauses.add([])  # a closed tour has three cells or more
    _state_symmetry(graph, clauses)
    if graph.step_indexed:
        _Numbers(graph, clauses).state()
    for bound in graph.conditions:
        clauses.group = bound.features[bound.feature]
        if isinstance(bound, Bound):
            members, what = _counted(graph, clauses, bound.statistic), bound.statistic.text(ground)
            if bound.least is not None:
                clauses.at_least(bound.least, members, what)
            if bound.most is not None:
                clauses.at_most(bound.most, members, what)
        elif not bound.step_indexed:  # _Numbers states the others
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
        clauses.group = "an arc leads to each node, and one from it"
        for ends, side, outside in ((0, "from", "last"), (1, "to", "first")):
            at: list[list[int]] = [[] for _ in range(graph.nodes)]
            for edge, number in variable.items():
                at[edge[ends]].append(number)
            for node, members in enumerate(at):
                clauses.one_of(members, f"moves {side} {names[node]}" if node < len(names) else outside)
    else:
        clauses.group = "each node has two moves or ends"
        for node, others in enumerate(graph.neighbours):
            what = f"moves of {names[node]}" if node < len(names) else "ends"
            members = [_between(graph, node, other) for other in others]
            clauses.at_least(2, members, what)
            clauses.at_most(2, members, what)
    clauses.group = "required moves and given ends"
    for edge in sorted(graph.needed):
        clauses.add([variable[edge]] if edge in variable else [])
    for some in graph.some:
        clauses.add(variable[edge] for edge in some if edge in variable)


def _state_symmetry(graph: ProblemGraph, clauses: ClauseList) -> None:
    """State that a move is made if and only if its image is."""
    if (images := graph.images) is None:
        return
    clauses.group = "a move is made if its image is"
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
        pairs = sorted((graph.node[a], graph.node[b]) for a, b in statistic.moves)
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


class _Numbers:
    """Variables ``at[v][t]``: cell number v is visited at step t."""

    def __init__(self, graph: ProblemGraph, clauses: ClauseList) -> None:
        self._graph = graph
        self._clauses = clauses
        self._n = len(graph.cells)
        self._steps = range(1, self._n + 1)
        self._names = [graph.ground.name(cell) for cell in graph.cells]
        self._at = [{t: clauses.new(f"{name} at {t}") for t in self._steps} for name in self._names]

    def state(self) -> None:
        """State that each cell has one step and each step one cell, that moves join steps, and conditions."""
        at = self._at
        self._clauses.group = "each cell has a step, and each step a cell"
        for v, name in enumerate(self._names):
            self._clauses.one_of([at[v][t] for t in self._steps], f"steps of {name}")
        for t in self._steps:
            self._clauses.one_of([at[v][t] for v in range(self._n)], f"cells at {t}")
        self._clauses.group = "moves join steps that follow each other"
        self._state_moves()
        self._clauses.group = "given steps"
        for step, nodes in self._graph.steps:
            self._clauses.add(at[v][step] for v in nodes)
        self._clauses.group = "sums of steps"
        for nodes, total in self._graph.sums:
            self._state_sum(nodes, total)
        for condition in self._graph.conditions:
            self._clauses.group = condition.features[condition.feature]
            self._state_condition(condition)

    def _state_condition(self, condition: Condition) -> None:
        at, add = self._at, self._clauses.add
        if isinstance(condition, CellSum):
            self._state_sum(tuple(sorted(self._graph.node[c] for c in condition.cells)), condition.total)
        elif isinstance(condition, StepRange):
            node = self._graph.node[condition.cell]
            add(at[node][t] for t in range(condition.least, condition.most + 1))
        elif isinstance(condition, Order):
            ordered = [self._graph.node[cell] for cell in condition.cells]
            for first, second in pairwise(ordered):
                for t in self._steps:
                    add([-at[second][t], *(at[first][s] for s in range(1, t))])
        elif isinstance(condition, Figure):
            self._state_figure(condition)
        elif not isinstance(condition, Bound):  # stated on moves
            raise Refused(f"no certificate can state {condition.feature}")

    def _state_moves(self) -> None:
        if self._graph.directed:
            self._state_arcs()
            return
        at, add, n = self._at, self._clauses.add, self._n
        around: list[list[tuple[int, int]]] = [[] for _ in range(n)]
        for (u, v), variable in self._graph.variable.items():
            if v < n:
                around[u].append((v, variable))
                around[v].append((u, variable))
            else:  # an end of an open tour
                add([-variable, at[u][1], at[u][n]])
                add([-at[u][1], variable])
                add([-at[u][n], variable])
        for u in range(n):
            for t in self._steps:
                beside = [s for s in (t - 1, t + 1) if 1 <= s <= n]
                if self._graph.closed and t in (1, n):
                    beside.append(n + 1 - t)
                for s in beside:
                    add([-at[u][t], *(at[v][s] for v, _ in around[u])])
                for v, variable in around[u]:
                    add([-variable, -at[u][t], *(at[v][s] for s in beside)])
                    for s in beside:
                        add([-at[u][t], -at[v][s], variable])

    def _state_arcs(self) -> None:
        at, add, n = self._at, self._clauses.add, self._n
        following: list[list[tuple[int, int]]] = [[] for _ in range(n)]
        preceding: list[list[int]] = [[] for _ in range(n)]
        for (u, v), variable in self._graph.variable.items():
            if u < n and v < n:
                following[u].append((v, variable))
                preceding[v].append(u)
            else:  # an end of an open tour
                end = at[v][1] if u == n else at[u][n]
                add([-variable, end])
                add([-end, variable])
        for u in range(n):
            for t in self._steps:
                after = t % n + 1
                if t == n and not self._graph.closed:
                    for _, variable in following[u]:
                        add([-variable, -at[u][t]])
                    continue
                add([-at[u][t], *(at[v][after] for v, _ in following[u])])
                add([-at[u][after], *(at[v][t] for v in preceding[u])])
                for v, variable in following[u]:
                    add([-variable, -at[u][t], at[v][after]])
                    add([-at[u][t], -at[v][after], variable])

    def _state_sum(self, nodes: tuple[int, ...], total: int | None) -> None:
        """State that the steps of some cells have a sum. Variables state the sums of the first few cells."""
        before: dict[int, list[int]] = {0: []}  # for each sum, the premises: its variable, or nothing
        for number, node in enumerate(nodes, 1):
            what = "+".join(self._names[v] for v in nodes[:number])
            left = len(nodes) - number
            now: dict[int, list[int]] = {}
            for so_far, premise in before.items():
                for step, at in self._at[node].items():
                    found = so_far + step
                    # The other cells have different steps: 1, 2, ... at least, n, n - 1, ... at most.
                    least, most = left * (left + 1) // 2, left * (2 * self._n - left + 1) // 2
                    possible = total is not None and least <= total - found <= most
                    if possible and left and found not in now:
                        now[found] = [self._clauses.new(f"{what} = {found}")]
                    if left or not possible:
                        conclusion = now[found] if possible else []
                        self._clauses.add([*(-each for each in premise), -at, *conclusion])
            before = now

    def _state_figure(self, figure: Figure) -> None:
        """State that the steps are on the cells, in one of the lines, or a move from each other."""
        at, add, cells = self._at, self._clauses.add, self._graph.cells
        if figure.shape in ("path", "circuit"):
            links = list(pairwise(figure.steps))
            if figure.shape == "circuit":
                links.append((figure.steps[-1], figure.steps[0]))
            for s, t in links:
                for u, near in enumerate(self._graph.near):
                    add([-at[u][s], *(at[v][t] for v in near)])
            return
        if figure.shape == "cells":
            for t in figure.steps:
                add(at[v][t] for v, cell in enumerate(cells) if cell in figure.cells)
            return
        which = {"row": 0, "column": 1}[figure.shape]
        chosen = {}
        for line in range(self._graph.board.rows if which == 0 else self._graph.board.columns):
            chosen[line] = self._clauses.new(f"{figure.text(self._graph.board)} number {line + 1}")
            for t in figure.steps:
                add([-chosen[line], *(at[v][t] for v, cell in enumerate(cells) if cell[which] == line)])
        add(chosen.values())
