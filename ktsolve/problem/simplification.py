"""Simplification of problems before any engine runs: implied conditions are stated, redundant ones dropped.

Propagation repeats until nothing changes:

- the moves that every tour makes or none does, by degrees, closed cycles and small separators
  (:mod:`ktsolve.problem.reduction`), with their images if a symmetry is asked for;
- the steps that each vertex can have (:mod:`ktsolve.problem.step_table`), on boards up to some size;
- each condition by itself, given these (:meth:`Condition.simplified`).

A condition is dropped only if the other conditions imply it. Moves that every tour makes without any
condition are not stated: a plain problem stays plain. Known steps that follow each other are stated as
required moves with as few steps as fix the labeling, so that engines that take no steps can answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING

from ktsolve.base.errors import BadInput
from ktsolve.graphs.graph import Move, Vertex
from ktsolve.graphs.symmetry import named_symmetry
from ktsolve.problem.conditions import At, Condition, Corner, End, Forbid, Require, Start, Symmetric
from ktsolve.problem.conditions.condition import Contradiction, Known
from ktsolve.problem.problem import TourProblem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.problem.cycle_graph import CycleGraph
    from ktsolve.problem.step_table import StepTable

__all__ = ["Simplified", "simplified"]

_TABLED = 400  # vertices up to which possible steps are tabled: the time grows with their square, 0.1 s here
_PROPAGATED = 40_000  # vertices up to which moves are propagated, some 0.3 s

_WORK = 100_000
"""Edges visited in the search for separators: a tenth of what the reduction of a bare graph may."""


@dataclass(frozen=True)
class Simplified:
    """A problem with the same answers, as sequences of cells.

    With the conditions that it does not have and those that the given problem does not have, as text; and why
    there is no tour, None if propagation does not show that.
    """

    problem: TourProblem
    dropped: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    refutation: str | None = None


def simplified(problem: TourProblem) -> Simplified:
    """The problem with what its conditions imply, and without redundant ones.

    The result is simplified: applied again, nothing changes. Polynomial: milliseconds on 8x8, a tenth of a
    second on 100x100; larger problems keep their conditions on moves.

    >>> from ktsolve.problem.conditions import parse_condition
    >>> board = TourProblem(board="6x6", closed=False).board
    >>> given = TourProblem(board=board, closed=False, at={1: "a1", 2: "b3", 3: "c5"})
    >>> print(simplified(given).problem)
    open 6x6 start a1 require b3-c5,a1-b3 forbid a5-b3,b3-d4,b3-d2,b3-c1,... (5)
    >>> vacuous = parse_condition("order", "a1,f6", board)
    >>> simplified(TourProblem(board=board, closed=False, start="a1", conditions=vacuous)).dropped
    ('order a1,f6',)
    """
    now = problem
    small = len(problem.ground) < 2 or (problem.closed and len(problem.ground) < 3)
    if small or problem.is_large_rectangle:
        return Simplified(problem)
    seen = {now}
    try:
        while (after := _once(now)) not in seen:
            seen.add(after)
            now = after
    except Contradiction as contradiction:
        return Simplified(problem, refutation=str(contradiction))
    if now == problem:
        return Simplified(problem)
    obstruction = now.obstruction()
    if obstruction is not None:
        return Simplified(problem, refutation=str(obstruction))
    dropped = _texts(problem, problem.conditions - now.conditions)
    return Simplified(now, dropped, _texts(problem, now.conditions - problem.conditions))


def _texts(problem: TourProblem, conditions: Iterable[Condition]) -> tuple[str, ...]:
    """The conditions as text; more than three of a class by number."""
    ground = problem.ground
    kinds: dict[type[Condition], list[Condition]] = {}
    for each in conditions:
        kinds.setdefault(type(each), []).append(each)
    texts: list[str] = []
    for kind, found in sorted(kinds.items(), key=lambda pair: pair[0].place):
        if len(found) > 3:
            texts.append(f"{kind.keys[0].flag} ({len(found)} times)")
        else:
            texts += [each.label(ground) for each in sorted(found, key=lambda each: each.sort_key(ground))]
    return tuple(texts)


def _once(problem: TourProblem) -> TourProblem:
    """The problem after one round. Raises Contradiction."""
    conditions = problem.listed_conditions
    plain = all(isinstance(each, Start | End | Symmetric) for each in conditions)
    if plain:
        known = _nothing(problem)
        return _restated(problem, {kept for each in conditions for kept in each.simplified(known)})
    known = _nothing(problem) if len(problem.ground) > _PROPAGATED else _known(problem)
    known.steps.update((cell, step) for step, cell in problem.known_steps)
    stated = [kept for each in conditions for kept in each.simplified(known)]
    return _restated(problem, {*stated, *_stated_steps(known), *_stated_moves(known, stated)})


def _restated(problem: TourProblem, conditions: set[Condition]) -> TourProblem:
    if conditions == problem.conditions:
        return problem
    try:
        return type(problem)(board=problem.ground, closed=problem.closed, conditions=conditions)
    except BadInput as contradiction:
        raise Contradiction(str(contradiction)) from None


# -- what is known -------------------------------------------------------------------------------------------


def _nothing(problem: TourProblem) -> Known:
    """What is known without propagation: the ends that the problem states."""
    import numpy as np

    none = np.zeros(len(problem.ground.edges), dtype=np.bool_)
    return Known(
        problem.ground, problem.closed, none, none, none, none, {}, None, problem.first, problem.last
    )


def _known(problem: TourProblem) -> Known:
    """What propagation finds. Raises Contradiction."""
    ground = problem.ground
    ends = [*problem.each(Start), *problem.each(End)]
    base = _moves(TourProblem(board=ground, closed=problem.closed, conditions=ends))
    found = _moves(problem)
    required, excluded = found.required, found.excluded
    if problem.symmetry is not None:
        required, excluded = (_with_images(problem, flags) for flags in (required, excluded))
    first, last = _ends(problem, found, base)
    steps: dict[Vertex, int] = {}
    for step, cells in ((1, first), (len(ground), last)):
        if cells is not None and len(cells) == 1:
            steps[next(iter(cells))] = step
    table = None
    if problem.step_indexed and len(ground) <= _TABLED:
        table, narrowed = _tables(problem, required, excluded)
        excluded = excluded | narrowed.unused()
        steps |= {ground.cells[place]: step for step, place in narrowed.singles().items()}
    return Known(
        ground, problem.closed, required, excluded, base.required, base.excluded, steps, table, first, last
    )


@dataclass(frozen=True)
class _Moves:
    """What the reduction finds: for each edge whether every tour makes it, and whether none does.

    Beside these the vertices where every open tour has an end, and those where none has, each with whether
    the last one is meant; it is in directed graphs only.
    """

    required: NDArray[np.bool_]
    excluded: NDArray[np.bool_]
    ends: frozenset[tuple[Vertex, bool]]
    no_ends: frozenset[tuple[Vertex, bool]]


@lru_cache(maxsize=2)  # the problem with its ends alone, and the last round
def _moves(problem: TourProblem) -> _Moves:
    import numpy as np

    from ktsolve.problem.cycle_graph import CycleGraph
    from ktsolve.problem.reduction import reduce

    ground = problem.ground
    graph = CycleGraph.of(problem)
    if graph.impossible:
        raise Contradiction("a required move is forbidden, or the piece cannot make it")
    reduction = reduce(graph, work=_WORK)
    if reduction.refutation is not None:
        raise Contradiction(reduction.refutation.reason(partial(graph.vertex_name, problem)))
    places = graph.moves(problem)
    required = np.zeros(len(ground.edges), dtype=np.bool_)
    excluded = np.ones(len(ground.edges), dtype=np.bool_)
    inner = places >= 0
    required[places[inner]] = reduction.fixed[inner] != 0
    excluded[places[inner]] = reduction.deleted[inner] != 0
    ends, no_ends = (
        frozenset(_at_ends(problem, graph, flags != 0)) for flags in (reduction.fixed, reduction.deleted)
    )
    return _Moves(required, excluded, ends, no_ends)


def _at_ends(
    problem: TourProblem, graph: CycleGraph, flags: NDArray[np.bool_]
) -> Iterator[tuple[Vertex, bool]]:
    """The vertices of flagged edges to the extra vertex."""
    if graph.extra is not None:
        outer = (graph.edges == graph.extra).any(axis=1) & flags
        for vertex in graph.edges[outer].min(axis=1).tolist():
            place = vertex // 2 if graph.doubled else vertex
            yield problem.ground.cells[place], graph.doubled and vertex % 2 == 1


def _ends(
    problem: TourProblem, found: _Moves, base: _Moves
) -> tuple[frozenset[Vertex] | None, frozenset[Vertex] | None]:
    """The vertices that may be first and last, None for any; what holds without conditions is left out."""
    if problem.closed:
        return problem.first, problem.last
    new, one_way = not found.ends <= base.ends, problem.ground.directed
    allowed = [problem.first, problem.last]
    for last in (False, True):
        own, other = allowed[last], allowed[not last]
        fixed = frozenset(cell for cell, which in found.ends if which == last or not one_way)
        if len(fixed) == (1 if one_way else 2):
            if own is not None:
                own &= fixed
            elif new and one_way:
                own = fixed
            elif new and other is not None and len(other) == 1:
                own = fixed - other
        if own is not None:
            own -= {cell for cell, which in found.no_ends if which == last or not one_way}
        allowed[last] = own
    return allowed[0], allowed[1]


def _with_images(problem: TourProblem, flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Flags of edges, set for their images under the symmetry too."""
    import numpy as np

    board, name = problem.board, problem.symmetry
    assert name is not None
    images = np.array(named_symmetry(board, name).images, dtype=np.int64)
    place = board.places_of(images[board.edges])
    while True:
        more = flags.copy()
        more[place[flags]] = True
        if (more == flags).all():
            return flags
        flags = more


def _tables(
    problem: TourProblem, required: NDArray[np.bool_], excluded: NDArray[np.bool_]
) -> tuple[StepTable, StepTable]:
    """The possible steps by ends, given steps and moves alone, and by all conditions."""
    from ktsolve.problem.step_table import StepTable

    contradiction = Contradiction(f"steps and moves leave a {problem.ground.nouns.cell} without a step")
    table = StepTable(problem.ground, closed=problem.closed, excluded=excluded, required=required)
    for each in problem.listed_conditions:
        if isinstance(each, Start | End | At):
            each.narrow(table)
    if not table.settle():
        raise contradiction
    narrowed = table.copy()
    while True:
        before = int(narrowed.possible.sum())
        for each in problem.listed_conditions:
            each.narrow(narrowed)
        if int(narrowed.possible.sum()) == before:
            return table, narrowed
        if not narrowed.settle():
            raise contradiction


# -- what is stated ------------------------------------------------------------------------------------------


def _stated_moves(known: Known, others: Iterable[Condition]) -> Iterator[Condition]:
    """The moves that every tour makes or none does, without those that need no statement."""
    ground = known.ground
    cells = ground.cells

    def moves(flags: NDArray[np.bool_]) -> list[Move]:  # of large boards few of many
        return [(cells[u], cells[v]) for u, v in ground.edges[flags].tolist()]

    corners = frozenset[Move]().union(*(each.moves(ground) for each in others if isinstance(each, Corner)))
    for move in moves(known.required & ~known.always):
        if move not in corners:
            yield Require(move)
    for move in moves(known.excluded & ~known.never):
        yield Forbid(move)


def _stated_steps(known: Known) -> Iterator[Condition]:
    """The known steps, as moves between consecutive ones and the steps that fix the labeling."""
    ground, closed, n = known.ground, known.closed, len(known.ground)
    at = {step: cell for cell, step in known.steps.items()}
    if len(at) < len(known.steps):
        raise Contradiction(f"two {ground.nouns.cells} have the same step")
    for run in _runs(sorted(at), n, closed=closed):
        for step in _kept_of(run, n, closed=closed, directed=ground.directed):
            cells = frozenset({at[step]})
            yield Start(cells) if step == 1 else End(cells) if step == n else At(step, at[step])
        for step, after in pairwise(run):
            if not ground.adjacent(at[step], at[after]):
                names = " to ".join(map(ground.name, (at[step], at[after])))
                raise Contradiction(
                    f"no {ground.nouns.move} leads from {names}, as steps {step} and {after} need"
                )
            move = ground.move((at[step], at[after]))
            if not known.always[known.place(move)]:
                yield Require(move)


def _runs(steps: Sequence[int], n: int, *, closed: bool) -> Iterator[list[int]]:
    """Sorted steps in runs of consecutive ones; that of a closed tour may pass from the last to the first."""
    runs: list[list[int]] = []
    for step in steps:
        if runs and runs[-1][-1] == step - 1:
            runs[-1].append(step)
        else:
            runs.append([step])
    if closed and runs and runs[0][0] == 1 and runs[-1][-1] == n:
        if len(runs) == 1:
            runs = [[*runs[0], 1]]
        else:
            runs[0] = runs.pop() + runs[0]
    yield from runs


def _kept_of(run: Sequence[int], n: int, *, closed: bool, directed: bool) -> Sequence[int]:
    """The steps of a run that fix the others, given the moves between them.

    A path from the first step of an open tour, or to its last, has one direction; given ends are kept.
    Elsewhere two steps fix it, at best the first and the last: engines without step numbers take these.
    """
    if not closed and (1 in run or n in run):
        return [step for step in (1, n) if step in run]
    if directed or len(run) == 1:
        return [next((step for step in (1, n) if step in run), run[0])]
    if 1 in run:
        return [1, n if n in run else 2]
    return [n - 1, n] if n in run else run[:2]
