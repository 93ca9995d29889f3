"""The engines sat and cpsat for swap puzzles: a Boolean model for each number of steps, shortest first.

They start from arithmetic: a lower bound, the parity of the length, reasons for impossibility. The engine bfs
does not use it, so that search and arithmetic check each other.

A certificate that no shorter solution exists has the clauses of ``ktsolve.models.knight_swap``, without
hints from arithmetic. A SAT solver refutes them (:mod:`ktsolve.proof.clause_proof`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Clock, Settings, out_of_time
from ktsolve.engines.solver import ModelSolver
from ktsolve.graphs.groups import cycle_lengths
from ktsolve.models.knight_swap import SwapModel
from ktsolve.wings.swap.puzzle import EMPTY, Position, SwapPuzzle
from ktsolve.wings.swap.solution import SwapAnswer, SwapSolution

if TYPE_CHECKING:
    import networkx

    from ktsolve.proof.clause_proof import ClauseProof

__all__ = [
    "certify",
    "lower_bound",
    "obstruction",
    "parity",
    "plan",
    "planned_solutions",
    "shortest_model",
    "steps_to_refute",
]

_SOON = 0.1  # seconds left below which a solver that stopped is taken to have stopped for lack of time

_SOLVER = "glucose4"
"""Its proofs are shorter here: for eight knights and 11 moves 6,346 lemmas, cadical153's 15,160."""


def plan(
    puzzle: SwapPuzzle, solver: ModelSolver, settings: Settings | None = None, *, count: bool = False
) -> SwapAnswer:
    """A shortest solution: no model with fewer steps has one.

    Without ``most`` it does not end if the goal is out of reach and :func:`obstruction` gives no reason.

    Raises LimitReached with the number of steps that are refuted.

    >>> from ktsolve.engines.sat.solver import SatSolver
    >>> puzzle = SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W", objective="moves")
    >>> answer = plan(puzzle, SatSolver(), count=True)
    >>> answer.length, answer.count, answer.proof
    (7, 8, 'sat refuted solutions of at most 6 moves')
    """
    settings = settings or Settings()
    clock = Clock(settings)

    def answer(solution: SwapSolution | None, proof: str) -> SwapAnswer:
        number = 0 if count else None
        if count and solution is not None:
            left = clock.within(settings)
            number = sum(1 for _ in planned_solutions(puzzle, len(solution), solver, left))
        return SwapAnswer(puzzle, solution, number, proof, engine=solver.name)

    bound = lower_bound(puzzle)
    because = obstruction(puzzle)
    if bound is None or because is not None:
        reason = because or "some piece cannot reach its goal, even on an empty board"
        return answer(None, f"arithmetic: {reason}")
    interval = 1 if parity(puzzle) is None else 2
    refuted, steps = None, bound

    def proof_up_to(last: int) -> str:
        if refuted is None:
            return f"arithmetic: the pieces need {bound} {puzzle.objective}, even on an empty board"
        text = f"{solver.name} refuted solutions of at most {refuted} {puzzle.objective}"
        return text if refuted >= last else f"{text}; {last} has the wrong parity"

    while puzzle.most is None or steps <= puzzle.most:
        if settings.progress is not None:
            settings.progress(None, f"{solver.name}, {steps} {puzzle.objective}")
        stated = shortest_model(puzzle, steps)
        reached = f"no solution of fewer than {steps} {puzzle.objective}"
        try:
            found = solver.solve(stated.model, clock.within(settings)).assignment
        except LimitReached as limit:
            if clock.left is not None and clock.left < _SOON:
                raise out_of_time(settings, reached) from None
            raise LimitReached(f"{limit}, {reached}") from None
        if found is not None:
            return answer(SwapSolution(puzzle, stated.moves(found)), proof_up_to(steps - 1))
        refuted = steps
        steps += interval
    return answer(None, proof_up_to(puzzle.most))


def planned_solutions(
    puzzle: SwapPuzzle, steps: int, solver: ModelSolver, settings: Settings | None = None
) -> Iterator[SwapSolution]:
    """Yield all solutions of ``steps`` jumps (moves), if no solution is shorter."""
    stated = shortest_model(puzzle, steps)
    for found in solver.solutions(stated.model, settings or Settings()):
        yield SwapSolution(puzzle, stated.moves(found))


def shortest_model(puzzle: SwapPuzzle, steps: int) -> SwapModel:
    """The model with bounds on the length from arithmetic and without detours: solvers refute it faster.

    It has the same solutions as the plain model if no solution is shorter than ``steps``.
    """
    stated = SwapModel(puzzle, steps)
    model, cells = stated.model, range(len(puzzle.first))
    bound, odd = lower_bound(puzzle), parity(puzzle)
    for length in range(steps + 1):
        if bound is None or length < bound or (odd is not None and length % 2 != odd):
            ended = stated.idle[length : length + 1]
            model.clause(*(stated.idle[length - 1 : length] if length else ()), *(~idle for idle in ended))
    any_number = puzzle.objective == "moves" and puzzle.longest is None
    for walk, later in pairwise(stated.go):
        for cell in cells:
            if any_number:
                # No piece moves twice in a row.
                model.clause(~walk[-1][cell], ~later[0][cell])
            elif puzzle.reach == 1:
                # No jump is undone by the next.
                for there in cells:
                    if any(there in jumps[cell] for jumps in puzzle.jumps.values()):
                        undone = walk[0][there], walk[1][cell], later[0][cell], later[1][there]
                        model.clause(*(~each for each in undone))
    return stated


def steps_to_refute(answer: SwapAnswer) -> int:
    """The number of steps that a certificate for an answer refutes. Raises BadInput if there is none.

    >>> from ktsolve.wings.swap.answer import solve_swap
    >>> steps_to_refute(solve_swap(SwapPuzzle(start="W.B/.x./B.W", goal="B.W/.x./W.B")))
    7
    """
    puzzle = answer.puzzle
    if answer.solution is None:
        if puzzle.most is None:
            raise BadInput("the goal is out of reach: give most, the number of steps that the proof refutes")
        return puzzle.most
    if not len(answer.solution):
        raise BadInput("the solution has no steps: there is nothing shorter to refute")
    return len(answer.solution) - 1


def certify(puzzle: SwapPuzzle, steps: int, settings: Settings | None = None) -> ClauseProof:
    """Prove that no solution has at most ``steps`` jumps (moves), and check the proof.

    Raises BadInput if there is such a solution; LimitReached at the time limit.

    >>> puzzle = SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W", objective="moves")
    >>> certificate = certify(puzzle, 6)
    >>> certificate.dimacs.splitlines()[-1][-2:], certificate.drup.splitlines()[-1]
    (' 0', '0')
    """
    from ktsolve.proof.clause_proof import refute_model

    found = refute_model(SwapModel(puzzle, steps).model, settings or Settings(), _SOLVER)
    if found is None:
        raise BadInput(f"a solution of at most {steps} {puzzle.objective} exists: nothing to certify")
    return found


def lower_bound(puzzle: SwapPuzzle) -> int | None:
    """A lower bound on the jumps (moves) of every solution, or None if some piece cannot reach its goal.

    For each letter, the bound adds up the jumps on an empty board in a cheapest matching of pieces to goal
    cells; parity (see :func:`parity`) may add one.

    >>> lower_bound(SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W"))
    8
    """
    fewest = [_fewest(puzzle, letter) for letter in puzzle.letters]
    if None in fewest:
        return None
    total, odd = sum(number or 0 for number in fewest), parity(puzzle)
    return total + (odd is not None and total % 2 != odd)


def _fewest(puzzle: SwapPuzzle, letter: str) -> int | None:
    import networkx

    here = [cell for cell, mark in enumerate(puzzle.first) if mark == letter]
    there = [cell for cell, mark in enumerate(puzzle.last) if mark == letter]
    graph: networkx.Graph[tuple[int, int]] = networkx.Graph()
    for u in here:
        away = puzzle.away(letter, [u])
        for v in there:
            if v in away:
                # networkx maximises the weight.
                graph.add_edge((0, u), (1, v), weight=-ceil(away[v] / puzzle.reach))
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    if len(matching) < len(here):
        return None
    return -sum(int(graph.edges[pair]["weight"]) for pair in matching)


def parity(puzzle: SwapPuzzle) -> int | None:
    """The parity of the number of steps of every solution, 0 or 1, or None if the argument does not apply.

    The cells must have a colouring in which each jump leads to the other colour. Then the numbers of pieces
    on cells of one colour, at the start and at the goal, fix the parity. It does not apply to moves of more
    than one jump.

    >>> parity(SwapPuzzle(start="A./../..", goal="../../.A"))
    1
    """
    colour = _colouring(puzzle)
    if puzzle.reach > 1 or colour is None:
        return None

    def on_black(position: Position) -> int:
        return sum(c for c, mark in zip(colour, position, strict=True) if mark != EMPTY)

    return (on_black(puzzle.first) - on_black(puzzle.last)) % 2


@cache
def _jump_graph(puzzle: SwapPuzzle) -> networkx.Graph[int]:
    """The cells, joined where some piece can jump."""
    import networkx

    cells = range(len(puzzle.first))
    around = {
        here: sorted({there for jumps in puzzle.jumps.values() for there in jumps[here]}, reverse=True)
        for here in cells
    }
    return networkx.from_dict_of_lists(around)


@cache
def _colouring(puzzle: SwapPuzzle) -> list[int] | None:
    """Colours 0 and 1 of the cells such that every jump of every piece changes colour."""
    import networkx

    graph = _jump_graph(puzzle)
    if not networkx.is_bipartite(graph):
        return None
    colour: dict[int, int] = networkx.bipartite.color(graph)
    return [colour[cell] for cell in range(len(graph))]


def obstruction(puzzle: SwapPuzzle) -> str | None:
    """The reason why the goal cannot be reached, if one of three simple arguments applies, else None.

    - The pieces in a component of the graph of jumps stay there.
    - Pieces on a ring keep their order round it.
    - If a component has one empty cell and two colours, and all its pieces are different, jumps are
      transpositions: their number has the parity of the permutation, and of the path of the empty cell.

    >>> obstruction(SwapPuzzle(start="W.W/.x./B.B", goal="W.B/.x./B.W"))
    'pieces on the ring a3-b1-c3-a2-c1-b3-a1-c2 keep their order: WWBB cannot become WBWB'
    """
    import networkx

    graph = _jump_graph(puzzle)
    components = [
        list(networkx.dfs_preorder_nodes(graph, min(cells))) for cells in networkx.connected_components(graph)
    ]
    # The later arguments need the same pieces in each component before and after.
    for argue in (_counts, _order, _permutation):
        for component in components:
            if (because := argue(puzzle, component)) is not None:
                return because
    return None


def _pieces(position: Position, component: list[int]) -> str:
    return "".join(position[cell] for cell in component if position[cell] != EMPTY)


def _counts(puzzle: SwapPuzzle, component: list[int]) -> str | None:
    before, after = (Counter(_pieces(position, component)) for position in (puzzle.first, puzzle.last))
    for letter in puzzle.letters:
        # A component with too few pieces of a letter means another with too many.
        if before[letter] > after[letter]:
            named = ", ".join(puzzle.name(cell) for cell in sorted(component)[:4])
            return (
                f"no jump leaves the {len(component)} cells {named}{', ...' if len(component) > 4 else ''}: "
                f"they have {before[letter]} {letter} at the start, {after[letter]} at the goal"
            )
    return None


def _order(puzzle: SwapPuzzle, component: list[int]) -> str | None:
    graph = _jump_graph(puzzle)
    if len(component) < 3 or any(graph.degree[cell] != 2 for cell in component):
        return None
    before, after = _pieces(puzzle.first, component), _pieces(puzzle.last, component)
    if after in before + before:
        return None
    ring = "-".join(puzzle.name(cell) for cell in component)
    return f"pieces on the ring {ring} keep their order: {before} cannot become {after}"


def _permutation(puzzle: SwapPuzzle, component: list[int]) -> str | None:
    colour = _colouring(puzzle)
    before = [puzzle.first[cell] for cell in component]
    after = [puzzle.last[cell] for cell in component]
    if colour is None or before.count(EMPTY) != 1 or len(set(before)) < len(before):
        return None
    steps = colour[component[before.index(EMPTY)]] + colour[component[after.index(EMPTY)]]
    where = tuple(before.index(mark) for mark in after)
    swaps = len(where) - len(cycle_lengths(where))
    if (steps - swaps) % 2 == 0:
        return None
    return (
        f"the pieces form {'an odd' if swaps % 2 else 'an even'} permutation, but the empty cell makes "
        f"{'an odd' if steps % 2 else 'an even'} number of jumps"
    )
