"""Clauses with a refutation, in the formats that other checkers take: DIMACS, DRUP and LRAT."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ktsolve.base.errors import BadInput, WrongAnswer
from ktsolve.base.limits import Clock, Settings
from ktsolve.proof.certificate import Certificate, Clauses
from ktsolve.proof.checker import all_clauses, hints, trim
from ktsolve.proof.loop import ClauseProblem, refute_within
from ktsolve.proof.problem_graph import read_problem
from ktsolve.proof.statement import state_graph

if TYPE_CHECKING:
    from ktsolve.model.model import Model

__all__ = ["ClauseProof", "of_certificate", "refute_model"]


@dataclass(frozen=True)
class ClauseProof:
    """Clauses and lemmas that refute them, checked; literals are those of DIMACS, the last lemma is empty."""

    clauses: Sequence[Sequence[int]]
    lemmas: Sequence[Sequence[int]]
    dimacs: str
    """The clauses as a file, with comments that name the variables."""

    @property
    def drup(self) -> str:
        """The lemmas as DRUP."""
        return "\n".join(_lines(self.lemmas))

    def lrat(self) -> str:
        """The lemmas as LRAT: each with its number, and the clauses from which it follows.

        It takes about as long as their check, and has no time limit: what is proved can be written.
        """
        why, given = hints(self.clauses, self.lemmas), len(self.clauses)
        derived = [*self.lemmas[: len(why) - 1], ()]
        whole = zip(_lines(derived), _lines(why), strict=True)
        return "\n".join(f"{given + i} {lemma} {causes}" for i, (lemma, causes) in enumerate(whole, 1))


def of_certificate(certificate: Certificate) -> ClauseProof:
    """The clauses of a certificate that was checked, including those of cuts, and its lemmas.

    Comments say what each group of clauses states. Raises BadInput if the certificate has no argument by
    clauses.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.maker import prove
    >>> certificate = prove(TourProblem(board="3x3", closed=True), argument="clauses")
    >>> print(of_certificate(certificate).dimacs)
    c no tour: closed 3x3
    p cnf 0 1
    c each node has two moves or ends
    0
    """
    argument = certificate.argument
    if not isinstance(argument, Clauses):
        raise BadInput("only an argument by clauses can be exported: use --argument clauses")
    graph = read_problem(certificate.problem)
    clauses, groups = all_clauses(argument, graph), state_graph(graph).clauses
    most = max((abs(x) for clause in [*clauses, *argument.lemmas] for x in clause), default=0)
    lines = [f"c no tour: {certificate.problem}"]
    lines += [f"c {number} is {name}" for number, name in argument.variables]
    lines.append(f"p cnf {most} {len(clauses)}")
    known = None
    for place, (clause, line) in enumerate(zip(clauses, _lines(clauses), strict=True)):
        cut = place >= len(argument.stated)
        group = "some move leaves a set of cells" if cut else groups[tuple(sorted(set(clause)))]
        lines += [line] if group == known else [f"c {group}", line]
        known = group
    return ClauseProof(clauses, argument.lemmas, "\n".join(lines))


def refute_model(model: Model, settings: Settings, solver: str | None = None) -> ClauseProof | None:
    """A checked refutation of the clauses of a model, or None if it has a solution; objectives do not matter.

    ``solver`` is that of python-sat, unless the settings name one. Raises LimitReached at a limit.

    >>> from ktsolve.model.model import Model
    >>> model = Model()
    >>> x = model.booleans(3, "x")
    >>> for a, b in ((x[0], x[1]), (x[1], x[2]), (x[0], x[2])):
    ...     model.exactly(1, [a, b])
    >>> proof = refute_model(model, Settings())
    >>> len(proof.clauses), proof.lrat().splitlines()[-1].split()[:3]
    (6, ['8', '0', '7'])
    """
    from ktsolve.model.encode import encode
    from ktsolve.model.io import to_dimacs

    clock = Clock(settings)
    clauses = encode(model).clauses
    refuted = refute_within(
        ClauseProblem(clauses), replace(settings, solver=settings.solver or solver), clock
    )
    if refuted.chosen is not None:
        return None
    used = trim(clauses, refuted.lemmas, clock.left)
    if used is None:
        raise WrongAnswer("the SAT solver's refutation fails")
    return ClauseProof(clauses, [*(refuted.lemmas[i] for i in used[1]), ()], to_dimacs(model))


def _lines(clauses: Sequence[Sequence[int]]) -> list[str]:
    return [" ".join(map(str, [*clause, 0])) for clause in clauses]
