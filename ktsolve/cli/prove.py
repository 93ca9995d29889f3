"""The command ``ktsolve prove``: make and check certificates that there is no tour."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Clock
from ktsolve.cli import options as opt
from ktsolve.cli.input import name_of, read_text
from ktsolve.cli.output import check_writable, emit_proof, writing, writing_stdout_to
from ktsolve.cli.output_format import CERTIFICATE, CLAUSES
from ktsolve.cli.problem_options import (
    BOARD_IS,
    ListLines,
    ProblemSpec,
    answer_each,
    batch_work,
    takes_problem,
    tour_of_list,
)
from ktsolve.cli.tour_output import problem_fields, shown_tour
from ktsolve.formats.table import JSON_HEAD

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
        _certificate(
            "--certificate",
            "Write the certificate to this file; of a list a line for each graph.",
            "FILE",
            callback=check_writable,
        ),
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
        if out.one_line and export is not None:
            raise BadInput(f"{spec.board} holds several graphs: --export is about one")
        started = time.perf_counter()
        with out.stopping({"status": "unknown", **problem_fields(problem)}):
            from ktsolve.proof.maker import prove as make

            wanted = "clauses" if export is not None and argument == "auto" else argument
            found = make(problem, settings, argument=wanted)
        seconds = round(time.perf_counter() - started, 6)
        return _made(problem, found, certificate, write, export, seconds, out)

    if check is not None:
        with opt.backstop(settings):
            return _check(check, spec, settings, export, out)
    from ktsolve.formats.models import is_model_file

    if is_model_file(spec.board) or spec.board.endswith(".toml"):
        if certificate is not None or argument != "auto" or spec != ProblemSpec(spec.board):
            raise BadInput(f"{spec.board} is a model: of the options about tours only --export is for models")
        return _prove_model(spec.board, export, settings, out)
    plain = argument == "auto" and certificate is None and export is None
    column = "hamiltonian" if spec.closed else "traceable"

    def line(batch: GraphBatch, place: int, _stated: str, _why: object) -> str:
        return f"there is a tour: {' '.join(tour_of_list(batch, place))}"

    def as_json(problem: TourProblem, batch: GraphBatch, place: int, _why: object) -> dict[str, Any]:
        seconds = batch_work(batch)["seconds"]
        squares = tour_of_list(batch, place)
        return {"status": "found", **problem_fields(problem), "squares": squares, "seconds": seconds}

    lines = ListLines(column, line, as_json, (1, None)) if plain else None
    with writing(certificate) as write:
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
    refute = "lemma refutes" if len(found.lemmas) == 1 else "lemmas refute"
    proof = f"{len(found.clauses):,} clauses state the model, {len(found.lemmas):,} {refute} them"
    lines = [f"no solution: {proof}", *([] if export is None else [emit_proof(found, export)])]
    out.emit({**about, "status": "impossible", "proof": proof, "seconds": seconds}, "\n".join(lines))
    return 0


def _made(
    problem: TourProblem,
    found: Certificate | Tour,
    file: str | None,
    write: Callable[[str], None],
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
        if out.one_line and file is not None:
            write(json.dumps({**JSON_HEAD, **data}))
            if file == "-":
                return 1
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
        write(text)
        if file == "-":
            return 0
        if not out.one_line:
            lines.append(f"certificate of {len(text):,} bytes, checked, in {file}")
    data = {"status": "impossible", **problem_fields(problem)}
    data |= {"argument": found.to_json()["certificate"]["argument"], "reason": reason, "proof": proof}
    data |= {"certificate": file, "seconds": seconds}
    out.emit(data, "\n".join(lines + exported), f"{problem}: {seconds:.3f} s")
    return 0


def _check(
    file: str, spec: ProblemSpec, settings: Settings, export: str | None, out: opt.OutputOptions
) -> int:
    """Check a certificate, or a file with a line for each graph of a list; the worst exit status."""
    text = read_text(file, "a certificate is a JSON object", settings)
    lines = [line for line in text.splitlines() if line.strip()]
    several = len(lines) > 1 and all(line.startswith("{") and line.endswith("}") for line in lines)
    if not several:
        problem = spec.problem(settings) if spec.board else None
        return _check_one(text, name_of(file), problem, settings, export, out)
    if export is not None:
        raise BadInput(f"{name_of(file)} holds several certificates: --export is about one")
    graphs = spec.graphs(settings, quiet=True) if spec.board else None
    here, clock, status = replace(out, output=None, quiet=True, one_line=True), Clock(settings), 0
    with writing_stdout_to(out.output):
        for number, line in enumerate(lines, 1):
            problem = None
            if graphs is not None and (each := next(graphs, None)) is not None:
                problem = spec.make(each.ground, each.required, settings)
            elif graphs is not None:
                raise BadInput(f"{spec.board} has {number - 1} graphs, and {name_of(file)} more certificates")
            where = f"{name_of(file)}: line {number}"
            status = max(status, _check_one(line, where, problem, clock.within(settings), None, here))
    if graphs is not None and next(graphs, None) is not None:
        raise BadInput(f"{spec.board} has more graphs than {name_of(file)} certificates, {len(lines)}")
    return status


def _check_one(
    text: str,
    where: str,
    problem: TourProblem | None,
    settings: Settings,
    export: str | None,
    out: opt.OutputOptions,
) -> int:
    from ktsolve.proof.certificate import read_certificate
    from ktsolve.proof.checker import check_certificate, summary

    started = time.perf_counter()
    try:
        if out.one_line and '"certificate"' not in text:
            return _check_tour(text, problem, out)
        certificate = read_certificate(text)
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None
    about = problem_fields(certificate.problem)
    with out.stopping({"status": "unknown", **about}):
        violation = check_certificate(certificate, settings)
    if violation is None and problem is not None and certificate.problem != problem:
        violation = f"it is about {certificate.problem}, not {problem}"
    if violation is None:
        status, reason = "valid", summary(certificate)
        lines = [
            f"valid: {certificate.claim.replace(': ', ' of ', 1)}",
            reason,
            *_export(certificate, export),
        ]
    else:
        status, reason, lines = "invalid", violation, [f"not valid: {violation}"]
    seconds = round(time.perf_counter() - started, 6)
    text = lines[0] if out.one_line else "\n".join(lines)
    out.emit({"status": status, **about, "reason": reason, "seconds": seconds}, text)
    return 0 if violation is None else 1


def _check_tour(text: str, problem: TourProblem | None, out: opt.OutputOptions) -> int:
    """Check the tour of a graph in a file with a line for each graph."""
    from ktsolve.formats.tours.files import read_tour
    from ktsolve.problem.problem import TourProblem

    tour = read_tour(text)
    problem = TourProblem(tour.ground, closed=tour.closed) if problem is None else problem
    violation = problem.check(tour)
    reason = "" if violation is None else str(violation)
    line = f"not valid: {violation}" if violation else f"valid: a tour of {problem}"
    status = "valid" if violation is None else "invalid"
    out.emit({"status": status, **problem_fields(problem), "reason": reason}, line)
    return 0 if violation is None else 1


def _export(certificate: Certificate, export: str | None) -> list[str]:
    """Write clauses and refutation in the formats of other checkers; returns a line about the files."""
    from ktsolve.proof.clause_proof import of_certificate

    if export is None:
        return []
    return [emit_proof(of_certificate(certificate), export)]
