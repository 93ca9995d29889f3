"""The command ``ktsolve prove``: make and check certificates that there is no tour."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.limits import backstop
from ktsolve.cli.output import check_writable, emit, emit_json, json_when_stopped, remark
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.errors import BadInput

if TYPE_CHECKING:
    from ktsolve.ground.tour import Tour
    from ktsolve.problem.problem import TourProblem
    from ktsolve.proof.certificate import Certificate
    from ktsolve.settings import Settings

_PROOF = "The certificate"
_BoardOption = Annotated[
    str,
    typer.Argument(metavar="[BOARD]", help="ROWSxCOLUMNS, such as 4x6; optional with --check."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="prove")(prove)


@takes_problem(board=(_BoardOption, ""))
def prove(
    spec: ProblemSpec,
    certificate: Annotated[
        str | None,
        typer.Option(
            "--certificate",
            metavar="FILE",
            help="Write the certificate to this file.",
            rich_help_panel=_PROOF,
            callback=check_writable,
        ),
    ] = None,
    check: Annotated[
        str | None,
        typer.Option(
            "--check",
            metavar="FILE|-",
            help="Check a certificate, with BOARD also that it is about that problem.",
            rich_help_panel=_PROOF,
        ),
    ] = None,
    argument: Annotated[
        str,
        typer.Option(
            "--argument",
            metavar="auto|parts|symmetry|sums|clauses",
            help="Kind of proof. Default: auto.",
            rich_help_panel=_PROOF,
        ),
    ] = "auto",
    export: Annotated[
        str | None,
        typer.Option(
            "--export",
            metavar="FILE.cnf",
            help="Write the clauses as DIMACS, and the refutation as FILE.drup.",
            rich_help_panel=_PROOF,
            callback=check_writable,
        ),
    ] = None,
    solver: opt.SolverOption = None,
    timeout: opt.TimeoutOption = None,
    memory: opt.MemoryOption = None,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    quiet: opt.QuietOption = False,
) -> int:
    """Prove that there is no tour and write a certificate, or check a certificate."""
    if export is not None and not export.endswith(".cnf"):
        raise BadInput(f"--export {export}: the file name must end with .cnf")
    if json and certificate == "-":
        raise BadInput("--json and --certificate - both write to standard output: give a FILE")
    if check is not None and (certificate is not None or argument != "auto"):
        raise BadInput("--check cannot be used with --certificate or --argument")
    if check is None and not spec.board:
        raise BadInput("give a BOARD, such as 4x6, or --check FILE")
    if not spec.board and spec != ProblemSpec(""):
        raise BadInput("options of the problem need a BOARD: without, --check uses that of the certificate")
    settings = opt.make_settings(timeout, memory, None, None, solver)
    with backstop(settings.timeout):
        problem = spec.make(spec.make_board(settings)) if spec.board else None
        if check is not None:
            return _check(check, problem, settings, export, json, output)
        assert problem is not None
        started = time.perf_counter()
        unknown = {"status": "unknown", **_question(problem)}
        with json_when_stopped(json, unknown, output):
            from ktsolve.proof.maker import prove as make

            wanted = "clauses" if export is not None and argument == "auto" else argument
            found = make(problem, settings, argument=wanted)
        seconds = round(time.perf_counter() - started, 6)
        return _made(problem, found, certificate, export, seconds, json, output, quiet)


def _made(
    problem: TourProblem,
    found: Certificate | Tour,
    file: str | None,
    export: str | None,
    seconds: float,
    json: bool,
    output: str | None,
    quiet: bool,
) -> int:
    from ktsolve.ground.tour import Tour

    data: dict[str, Any] = {"status": "found" if isinstance(found, Tour) else "impossible"}
    data |= _question(problem)
    if isinstance(found, Tour):
        if json:
            squares = [list(cell) for cell in found.squares]
            emit_json({**data, "squares": squares, "seconds": seconds}, output)
        else:
            emit(f"there is a tour:\n{found.grid()}", output)
        return 1
    from ktsolve.proof.checker import summary

    exported = None if export is None else _export(found, export)
    text = found.to_text()
    if file is not None:
        emit(text, file)
        if file == "-":
            return 0
    reason = summary(found)
    if json:
        data |= {"argument": found.to_json()["certificate"]["argument"], "reason": reason}
        data |= {"certificate": file, "seconds": seconds}
        emit_json(data, output)
    else:
        lines = [f"no tour: {reason}"]
        if file is not None:
            lines.append(f"certificate of {len(text):,} bytes, checked, in {file}")
        emit("\n".join([*lines, *([exported] if exported else [])]), output)
        remark(f"{problem}: {seconds:.3f} s", quiet=quiet)
    return 0


def _check(
    file: str,
    problem: TourProblem | None,
    settings: Settings,
    export: str | None,
    json: bool,
    output: str | None,
) -> int:
    from ktsolve.cli.input import read_text
    from ktsolve.proof.certificate import read_certificate
    from ktsolve.proof.checker import check_certificate, summary

    started = time.perf_counter()
    text = read_text(file, "a certificate is a JSON object")
    try:
        certificate = read_certificate(text)
    except BadInput as error:
        raise BadInput(f"{'standard input' if file == '-' else file}: {error}") from None
    with json_when_stopped(json, {"status": "unknown", **_question(certificate.problem)}, output):
        violation = check_certificate(certificate, settings.timeout, settings.memory_budget)
    if violation is None and problem is not None and certificate.problem != problem:
        violation = f"it is about {certificate.problem}, not {problem}"
    exported = _export(certificate, export) if export is not None and violation is None else None
    if json:
        data = {"status": "valid" if violation is None else "invalid", **_question(certificate.problem)}
        data["reason"] = summary(certificate) if violation is None else violation
        emit_json({**data, "seconds": round(time.perf_counter() - started, 6)}, output)
    elif violation is None:
        lines = [f"valid: no tour of {certificate.problem}", summary(certificate)]
        emit("\n".join([*lines, *([exported] if exported else [])]), output)
    else:
        emit(f"not valid: {violation}", output)
    return 0 if violation is None else 1


def _question(problem: TourProblem) -> dict[str, Any]:
    return {"board": problem.board.to_json(), "problem": str(problem), "closed": problem.closed}


def _export(certificate: Certificate, export: str) -> str:
    """Write clauses and refutation in the formats of other checkers, and return the names of the files."""
    from ktsolve.proof.export import to_dimacs, to_drup

    beside = str(Path(export).with_suffix(".drup"))
    clauses, lemmas = to_dimacs(certificate), to_drup(certificate)
    check_writable(beside)
    emit(clauses, export)
    emit(lemmas, beside)
    return f"clauses in {export}, their refutation in {beside}"
