"""The clauses of a certificate and their refutation, in the formats that other checkers read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ktsolve.errors import BadInput
from ktsolve.proof.certificate import Certificate, Clauses
from ktsolve.proof.checker import all_clauses
from ktsolve.proof.reading import read_problem

__all__ = ["to_dimacs", "to_drup"]


def to_dimacs(certificate: Certificate) -> str:
    """The clauses, those of cuts written out, as DIMACS CNF; what variables mean is said in comments.

    Raises
    ------
    BadInput
        If the argument is another.

    Examples
    --------
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
    """The lemmas, in the format DRUP.

    Raises
    ------
    BadInput
        If the argument is another.
    """
    return "\n".join(_lines(_clauses(certificate).lemmas))


def _clauses(certificate: Certificate) -> Clauses:
    if not isinstance(certificate.argument, Clauses):
        raise BadInput("only an argument by clauses can be exported: prove with --argument clauses")
    return certificate.argument


def _lines(clauses: Iterable[Sequence[int]]) -> list[str]:
    return [" ".join(map(str, [*clause, 0])) for clause in clauses]
