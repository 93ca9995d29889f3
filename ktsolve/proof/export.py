"""DIMACS and DRUP files of a certificate, for other checkers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ktsolve.base.errors import BadInput
from ktsolve.proof.certificate import Certificate, Clauses
from ktsolve.proof.checker import all_clauses
from ktsolve.proof.problem_graph import read_problem

__all__ = ["to_dimacs", "to_drup"]


def to_dimacs(certificate: Certificate) -> str:
    """Return the clauses, including those of cuts, as DIMACS CNF; comments name the variables.

    Raises BadInput if the certificate has no argument by clauses.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.maker import prove
    >>> certificate = prove(TourProblem(board="3x3", closed=True), argument="clauses")
    >>> print(to_dimacs(certificate))
    c no tour: closed 3x3
    p cnf 0 1
    0
    """
    argument = _clauses(certificate)
    clauses = all_clauses(argument, read_problem(certificate.problem))
    most = max((abs(x) for clause in [*clauses, *argument.lemmas] for x in clause), default=0)
    lines = [f"c no tour: {certificate.problem}"]
    lines += [f"c {number} is {name}" for number, name in argument.variables]
    return "\n".join([*lines, f"p cnf {most} {len(clauses)}", *_lines(clauses)])


def to_drup(certificate: Certificate) -> str:
    """Return the lemmas as DRUP.

    Raises BadInput if the certificate has no argument by clauses.
    """
    return "\n".join(_lines(_clauses(certificate).lemmas))


def _clauses(certificate: Certificate) -> Clauses:
    if not isinstance(certificate.argument, Clauses):
        raise BadInput("only an argument by clauses can be exported: use --argument clauses")
    return certificate.argument


def _lines(clauses: Iterable[Sequence[int]]) -> list[str]:
    return [" ".join(map(str, [*clause, 0])) for clause in clauses]
