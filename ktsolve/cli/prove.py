"""The command ``ktsolve prove``: make and check certificates that there is no tour."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from ktsolve.base.errors import BadInput
from ktsolve.cli import options as opt
from ktsolve.cli.input import name_of, read_text
from ktsolve.cli.output import check_writable, emit, emit_proof
from ktsolve.cli.output_format import CERTIFICATE, CLAUSES
from ktsolve.cli.problem_options import (
    BOARD_IS,
    ListLines,
    ProblemSpec,
    answer_each,
    takes_problem,
    tour_of_list,
)
from ktsolve.cli.tour_output import problem_fields, shown_tour

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.graphs.tour import Tour
    from ktsolve.problem.problem import TourProblem
    from ktsolve.proof.certificate import Certificate
    from ktsolve.tasks.graph_list import GraphBatch

_CHECK_SECONDS = 60.0
"""Time limit of a check, unless one is given: a forged certificate of few bytes may state a large problem."""

_CHECK_BYTES = 2 << 30  # memory limit of a check, for the same reason

_certificate = opt.panel("The certificate")
_BoardOption = Annotated[str, typer.Argument(metavar="[BOARD]", help=f"{BOARD_IS}; optional with --check.")]


@takes_problem(without=("format",), board=(_BoardOption, ""))
@opt.takes_work("solver", "timeout", "memory")
@opt.takes_output(graphs=True)
def prove(
    *,
    spec: ProblemSpec,
    certificate: Annotated[
        str | None,
        _certificate("--certificate", "Write the certificate to this file.", "FILE", callback=check_writable),
    ] = None,
    check: Annotated[
        str | None,
        _certificate(
            "--check", "Check a certificate, with BOARD also that it is about that problem.", "FILE|-"
        ),
    ] = None,
    argument: Annotated[
        str,
        _certificate(
            "--argument", "Kind of proof. Default: auto.", "auto|parts|degrees|symmetry|sums|order|clauses"
        ),
    ] = "auto",
    export: Annotated[
        str | None,
        _certificate(
            "--export",
            "Write the clauses as DIMACS, and the refutation as FILE.drup and FILE.lrat.",
            "FILE.cnf",
            callback=check_writable,
        ),
    ] = None,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Prove that there is no tour and write a certificate, or check one.

    A model or an instance file can stand for BOARD: then the proof is that it has no solution.

    Examples
    --------
    ktsolve prove 4x6                          # the reason
    ktsolve prove 4x6 --certificate none.json  # with a certificate
    ktsolve prove --check none.json            # checked without a solver
    ktsolve prove graph:tutte                  # no Hamiltonian cycle
    ktsolve prove none.cnf                     # no solution of a model
    """
    if export is not None:
        CLAUSES.form(export, option="--export")
    CERTIFICATE.form(certificate, option="--certificate")
    if out.json and certificate == "-":
        raise BadInput("--json and --certificate - both write to standard output: give a FILE")
    if check is not None and (certificate is not None or argument != "auto"):
        raise BadInput("--check cannot be used with --certificate or --argument")
    if check is None and not spec.board:
        raise BadInput("give a BOARD, such as 4x6, or --check FILE")
    if not spec.board and spec != ProblemSpec(""):
        raise BadInput("options of the problem need a BOARD: without, --check uses that of the certificate")
    settings = work.settings
    if check is not None and settings.timeout is None:
        settings = replace(settings, timeout=_CHECK_SECONDS)
    if check is not None and settings.memory is None:
        settings = replace(settings, memory=min(_CHECK_BYTES, settings.memory_limit))

    def answer(problem: TourProblem, settings: Settings, out: opt.OutputOptions) -> int:
        if out.one_line and (certificate is not None or export is not None):
            raise BadInput(f"{spec.board} holds several graphs: --certificate and --export are about one")
        started = time.perf_counter()
        with out.stopping({"status": "unknown", **problem_fields(problem)}):
            from ktsolve.proof.maker import prove as make

            wanted = "clauses" if export is not None and argument == "auto" else argument
            found = make(problem, settings, argument=wanted)
        return _made(problem, found, certificate, export, round(time.perf_counter() - started, 6), out)

    if check is not None:
        asked = None
        with opt.backstop(settings):
            if spec.board:
                asked = spec.problem(settings)
            return _check(check, asked, settings, export, out)
    from ktsolve.formats.models import is_model_file

    if is_model_file(spec.board) or spec.board.endswith(".toml"):
        if certificate is not None or argument != "auto" or spec != ProblemSpec(spec.board):
            raise BadInput(f"{spec.board} is a model: of the options about tours only --export is for models")
        return _prove_model(spec.board, export, settings, out)
    plain = argument == "auto" and certificate is None and export is None and not out.json
    column = "hamiltonian" if spec.closed else "traceable"

    def line(batch: GraphBatch, place: int) -> str:
        return f"there is a tour: {tour_of_list(batch, place)}"

    lines = ListLines(column, line, status=1) if plain else None
    return answer_each(spec, settings, out, answer, lines=lines)


def _prove_model(file: str, export: str | None, settings: Settings, out: opt.OutputOptions) -> int:
    from ktsolve.proof.clause_proof import refute_model
    from ktsolve.tasks.instance import load_instance

    started = time.perf_counter()
    instance = load_instance(file, settings)
    about = {"instance": instance.title}
    with out.reporting(settings, instance.title, {**about, "status": "unknown"}) as watched:
        found = refute_model(instance.built.model, watched)
    seconds = round(time.perf_counter() - started, 6)
    if found is None:
        out.emit({**about, "status": "found", "seconds": seconds}, "there is a solution")
        return 1
    proof = f"{len(found.clauses):,} clauses state the model, {len(found.lemmas):,} lemmas refute them"
    lines = [f"no solution: {proof}", *([] if export is None else [emit_proof(found, export)])]
    out.emit({**about, "status": "impossible", "proof": proof, "seconds": seconds}, "\n".join(lines))
    return 0


def _made(
    problem: TourProblem,
    found: Certificate | Tour,
    file: str | None,
    export: str | None,
    seconds: float,
    out: opt.OutputOptions,
) -> int:
    from ktsolve.graphs.board import Board
    from ktsolve.graphs.tour import Tour
    from ktsolve.proof.checker import summary

    if isinstance(found, Tour):
        squares = found.to_json()["squares"]
        data = {"status": "found", **problem_fields(problem), "squares": squares, "seconds": seconds}
        shown = f"\n{shown_tour(found, out)}" if isinstance(found.ground, Board) else f" {found}"
        out.emit(data, f"there is a tour:{shown}")
        return 1
    exported = _export(found, export)
    text, proof = found.to_text(), summary(found)
    reason, lines = proof, [f"no tour: {proof}"]
    obstruction = problem.obstruction()
    if obstruction is not None and obstruction.theorem == "colours":
        # Easier to follow than the components without many cells, which are the same argument.
        reason, lines = str(obstruction), [f"no tour: {obstruction}", f"proof: {proof}"]
    if file is not None:
        emit(text, file)
        if file == "-":
            return 0
        lines.append(f"certificate of {len(text):,} bytes, checked, in {file}")
    data = {"status": "impossible", **problem_fields(problem)}
    data |= {"argument": found.to_json()["certificate"]["argument"], "reason": reason, "proof": proof}
    data |= {"certificate": file, "seconds": seconds}
    out.emit(data, "\n".join(lines + exported), f"{problem}: {seconds:.3f} s")
    return 0


def _check(
    file: str, problem: TourProblem | None, settings: Settings, export: str | None, out: opt.OutputOptions
) -> int:
    from ktsolve.proof.certificate import read_certificate
    from ktsolve.proof.checker import check_certificate, summary

    started = time.perf_counter()
    text = read_text(file, "a certificate is a JSON object", settings)
    try:
        certificate = read_certificate(text)
    except BadInput as error:
        raise BadInput(f"{name_of(file)}: {error}") from None
    about = problem_fields(certificate.problem)
    with out.stopping({"status": "unknown", **about}):
        violation = check_certificate(certificate, settings)
    if violation is None and problem is not None and certificate.problem != problem:
        violation = f"it is about {certificate.problem}, not {problem}"
    if violation is None:
        status, reason = "valid", summary(certificate)
        lines = [f"valid: no tour of {certificate.problem}", reason, *_export(certificate, export)]
    else:
        status, reason, lines = "invalid", violation, [f"not valid: {violation}"]
    seconds = round(time.perf_counter() - started, 6)
    out.emit({"status": status, **about, "reason": reason, "seconds": seconds}, "\n".join(lines))
    return 0 if violation is None else 1


def _export(certificate: Certificate, export: str | None) -> list[str]:
    """Write clauses and refutation in the formats of other checkers; returns a line about the files."""
    from ktsolve.proof.clause_proof import of_certificate

    if export is None:
        return []
    return [emit_proof(of_certificate(certificate), export)]
