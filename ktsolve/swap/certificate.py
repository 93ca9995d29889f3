"""Certificates: the clauses that a shorter solution would satisfy, and their refutation, checked.

The clauses are the plain model of :mod:`ktsolve.models.knight_swap`, without what arithmetic knows. A SAT
solver refutes them and writes down how (DRUP); native code of our own follows every step of that, see
native/include/ktsolve/refutation.hpp. Other checkers of that format read the same files.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from itertools import chain
from typing import Any

from ktsolve.dispatch import WrongAnswer
from ktsolve.engines.base import Clock, Settings, out_of_time
from ktsolve.engines.sat.lazy import check_solver_name
from ktsolve.errors import BadInput
from ktsolve.model.encode import encode
from ktsolve.model.export import to_dimacs
from ktsolve.models.knight_swap import SwapModel
from ktsolve.problem.swap import SwapPuzzle

__all__ = ["Certificate", "certify"]

_SOLVER = "glucose4"
"""Writes proofs, and can be interrupted from another thread, which CaDiCaL cannot."""


@dataclass(frozen=True)
class Certificate:
    """A checked proof that there is no solution of at most so many steps.

    Attributes
    ----------
    clauses, proof:
        In the formats DIMACS CNF and DRUP.
    number_of_clauses, lemmas:
        How long they are.
    """

    clauses: str
    proof: str
    number_of_clauses: int
    lemmas: int


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
    clock = Clock(settings.timeout)
    model = SwapModel(puzzle, steps, hints=False).model
    clauses = encode(model).clauses
    proof = _refuted(clauses, settings, clock)
    if proof is None:
        raise BadInput(f"there is a solution of at most {steps} {puzzle.objective}: nothing to certify")
    # Deletions only help a checker to be fast.
    lemmas = [[int(word) for word in line.split()] for line in proof if not line.startswith("d")]
    _check(clauses, lemmas, clock, settings)
    return Certificate(to_dimacs(model), "\n".join(proof) + "\n", len(clauses), len(lemmas))


def _refuted(clauses: list[list[int]], settings: Settings, clock: Clock) -> list[str] | None:
    """The lines of a proof that the clauses have no solution, or None if they have one."""
    from pysat.solvers import Solver

    if any(not clause for clause in clauses):
        return ["0"]
    check_solver_name(settings.solver or _SOLVER)
    with Solver(name=settings.solver or _SOLVER, bootstrap_with=clauses, with_proof=True) as solver:
        found: list[Any] = []
        run = threading.Thread(
            target=lambda: found.append(solver.solve_limited(expect_interrupt=True)), daemon=True
        )
        run.start()
        try:
            while run.is_alive():
                run.join(0.05)
                clock.check("the refutation is not complete")
        finally:
            if run.is_alive():
                solver.interrupt()
                run.join()
        if found == [None]:
            raise out_of_time(settings.timeout, "the refutation is not complete")
        return None if found[0] else [str(line) for line in solver.get_proof()]


def _check(clauses: list[list[int]], lemmas: list[list[int]], clock: Clock, settings: Settings) -> None:
    import numpy as np

    from ktsolve import _native

    given = np.fromiter(chain.from_iterable([*clause, 0] for clause in clauses), np.int32)
    claimed = np.fromiter(chain.from_iterable(lemmas), np.int32)
    report = _native.refutation_check(given, claimed, clock.left)
    if report.status != "done":
        raise out_of_time(settings.timeout, f"{report.checked:,} of {len(lemmas):,} lemmas checked")
    if not report.refuted:
        raise WrongAnswer(f"the SAT solver's refutation fails at lemma {report.checked + 1}")
