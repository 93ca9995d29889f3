"""Certificates that no shorter solution exists: clauses that it would satisfy, and a checked refutation.

The clauses are those of :mod:`ktsolve.models.knight_swap`, without hints from arithmetic. A SAT solver
refutes them and writes a proof (DRUP); ktsolve's own native code checks every step, as for the certificates
of :mod:`ktsolve.proof`. Other checkers of DRUP read the same files.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ktsolve.base.errors import BadInput, WrongAnswer
from ktsolve.base.limits import Clock, Settings
from ktsolve.model.encode import encode
from ktsolve.model.io import to_dimacs
from ktsolve.models.knight_swap import SwapModel
from ktsolve.proof.loop import Question, refute_within
from ktsolve.proof.refutation import check_lemmas
from ktsolve.wings.swap.puzzle import SwapPuzzle
from ktsolve.wings.swap.result import SwapAnswer

__all__ = ["Certificate", "certify", "steps_to_refute"]

_SOLVER = "glucose4"
"""Its proofs are shorter here: for eight knights and 11 moves 6,346 lemmas, cadical153's 15,160."""


@dataclass(frozen=True)
class Certificate:
    """A checked proof that there is no solution of at most ``steps`` steps.

    Attributes
    ----------
    clauses, proof:
        In the formats DIMACS CNF and DRUP.
    number_of_clauses, lemmas:
        The number of lines of each that are clauses.
    """

    steps: int
    clauses: str
    proof: str
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


def certify(puzzle: SwapPuzzle, steps: int, settings: Settings | None = None) -> Certificate:
    """Prove that no solution has at most ``steps`` jumps (moves), and check the proof.

    Raises
    ------
    BadInput
        If there is such a solution.
    LimitReached
        At the time limit.

    Examples
    --------
    >>> puzzle = SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W", objective="moves")
    >>> certificate = certify(puzzle, 6)
    >>> certificate.clauses.splitlines()[-1][-2:], certificate.proof.splitlines()[-1]
    (' 0', '0')
    """
    settings = settings or Settings()
    clock = Clock(settings)
    model = SwapModel(puzzle, steps).model
    clauses = encode(model).clauses
    with_solver = replace(settings, solver=settings.solver or _SOLVER)
    refuted = refute_within(Question(clauses), with_solver, clock)
    if refuted.chosen is not None:
        raise BadInput(f"a solution of at most {steps} {puzzle.objective} exists: nothing to certify")
    if (violation := check_lemmas(clauses, refuted.lemmas, clock.left)) is not None:
        raise WrongAnswer(f"the SAT solver's refutation fails: {violation}")
    proof = "".join(" ".join(map(str, [*lemma, 0])) + "\n" for lemma in refuted.lemmas)
    return Certificate(steps, to_dimacs(model), proof, len(clauses), len(refuted.lemmas))
