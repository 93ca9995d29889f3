"""The engines sat and cpsat for swap puzzles: a Boolean model for each number of steps, shortest first.

A certificate that no shorter solution exists has the clauses of :mod:`ktsolve.models.knight_swap`, without
hints from arithmetic. A SAT solver refutes them and writes a proof (DRUP); ktsolve's own native code checks
every step, as for the certificates of :mod:`ktsolve.proof`. Other checkers of DRUP read the same files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from ktsolve.base.errors import BadInput, LimitReached, WrongAnswer
from ktsolve.base.limits import Clock, Settings, out_of_time
from ktsolve.engines.solver import ModelSolver
from ktsolve.models.knight_swap import SwapModel
from ktsolve.wings.swap.bounds import lower_bound, obstruction, parity
from ktsolve.wings.swap.puzzle import SwapPuzzle
from ktsolve.wings.swap.solution import SwapAnswer, SwapSolution

__all__ = ["SwapCertificate", "certify", "plan", "planned_solutions", "shortest_model", "steps_to_refute"]

_SOON = 0.1
"""Seconds left below which a solver that stopped is taken to have stopped for lack of time."""

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
                        model.clause(
                            *(
                                ~each
                                for each in (walk[0][there], walk[1][cell], later[0][cell], later[1][there])
                            )
                        )
    return stated


@dataclass(frozen=True)
class SwapCertificate:
    """A checked proof that no solution has at most ``steps`` steps."""

    steps: int
    clauses: str  # in DIMACS CNF
    proof: str  # in DRUP
    number_of_clauses: int
    lemmas: int


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


def certify(puzzle: SwapPuzzle, steps: int, settings: Settings | None = None) -> SwapCertificate:
    """Prove that no solution has at most ``steps`` jumps (moves), and check the proof.

    Raises BadInput if there is such a solution; LimitReached at the time limit.

    >>> puzzle = SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W", objective="moves")
    >>> certificate = certify(puzzle, 6)
    >>> certificate.clauses.splitlines()[-1][-2:], certificate.proof.splitlines()[-1]
    (' 0', '0')
    """
    from ktsolve.model.encode import encode
    from ktsolve.model.io import to_dimacs
    from ktsolve.proof.loop import ClauseProblem, refute_within
    from ktsolve.proof.refutation import check_lemmas

    settings = settings or Settings()
    clock = Clock(settings)
    model = SwapModel(puzzle, steps).model
    clauses = encode(model).clauses
    with_solver = replace(settings, solver=settings.solver or _SOLVER)
    refuted = refute_within(ClauseProblem(clauses), with_solver, clock)
    if refuted.chosen is not None:
        raise BadInput(f"a solution of at most {steps} {puzzle.objective} exists: nothing to certify")
    if (violation := check_lemmas(clauses, refuted.lemmas, clock.left)) is not None:
        raise WrongAnswer(f"the SAT solver's refutation fails: {violation}")
    proof = "".join(" ".join(map(str, [*lemma, 0])) + "\n" for lemma in refuted.lemmas)
    return SwapCertificate(steps, to_dimacs(model), proof, len(clauses), len(refuted.lemmas))
