"""``ktsolve solve``: solve an instance file and check what it expects."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.limits import backstop
from ktsolve.cli.output import emit, emit_json, json_when_stopped, remark, with_progress
from ktsolve.ground.tour import Tour

if TYPE_CHECKING:
    from ktsolve.tasks.instance import Instance
    from ktsolve.tasks.solve import InstanceAnswer


class Export(str, Enum):
    """What a model can be written as."""

    listing = "listing"
    cnf = "cnf"
    opb = "opb"
    hcp = "hcp"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="solve")(solve)


def solve(
    file: Annotated[
        str, typer.Argument(metavar="FILE.toml", help="An instance file, or the name of a shipped one.")
    ],
    engine: opt.EngineOption = "auto",
    solver: opt.SolverOption = None,
    seed: opt.SeedOption = None,
    timeout: opt.TimeoutOption = None,
    threads: opt.ThreadsOption = None,
    memory: opt.MemoryOption = None,
    export: Annotated[
        Export | None,
        typer.Option(
            "--export", help="Write the model instead of solving it.", rich_help_panel="What is printed"
        ),
    ] = None,
    encoding: Annotated[
        str,
        typer.Option(
            "--encoding",
            metavar="onehot|binary|remainder|elimination",
            help="Of circuits, for --export cnf and opb.",
            rich_help_panel="What is printed",
        ),
    ] = "onehot",
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    quiet: opt.QuietOption = False,
) -> int:
    """Solve an instance file; if it says what to expect, hold the answer against that."""
    from ktsolve.tasks.instance import load_instance
    from ktsolve.tasks.solve import solve_instance

    settings = opt.make_settings(timeout, memory, threads, seed, solver)
    with backstop(settings.timeout):
        instance = load_instance(file)
        if export is not None:
            emit(_exported(instance, export, encoding), output)
            return 0
        unknown = {**_question(instance), "status": "unknown", "agrees": None, "engine": engine}
        with (
            json_when_stopped(json, unknown, output),
            with_progress(settings, instance.title, quiet=quiet) as watched,
        ):
            answer = solve_instance(instance, engine, watched)
    if json:
        emit_json(_as_json(instance, answer), output)
    else:
        emit(_as_text(instance, answer), output)
        remark(f"{answer.engine}, {answer.seconds:.3f} s", quiet=quiet)
    if answer.disagreement:
        return 1
    expected = instance.expect.status is not None
    return 0 if expected or answer.status == "found" else 1


def _exported(instance: Instance, export: Export, encoding: str) -> str:
    from ktsolve.model.export import to_dimacs, to_opb, to_tsplib

    model = instance.built.model
    match export:
        case Export.cnf:
            return to_dimacs(model, circuits=encoding)
        case Export.opb:
            return to_opb(model, circuits=encoding)
        case Export.hcp:
            return to_tsplib(model)
        case _:
            return str(model)


def _verdict(instance: Instance, answer: InstanceAnswer) -> str:
    if answer.disagreement:
        return f"disagrees: {answer.disagreement}"
    return "as expected" if instance.expect.status is not None else "nothing was expected"


def _question(instance: Instance) -> dict[str, Any]:
    return {"instance": instance.title, "model": instance.model_name}


def _shown(instance: Instance, solution: object) -> str:
    """The solution in words; a user's model may decode to anything, and that may fail to show itself."""
    from ktsolve.tasks.instance import users_code

    file = Path(instance.path)
    with users_code(f"{file}: model {instance.model_name}: the solution", file.parent / instance.model_name):
        return str(solution)


def _as_json(instance: Instance, answer: InstanceAnswer) -> dict[str, Any]:
    data: dict[str, Any] = {
        **_question(instance),
        "status": answer.status,
        "agrees": not answer.disagreement if instance.expect.status is not None else None,
    }
    if isinstance(answer.solution, Tour):
        data["closed"] = answer.solution.closed
        data["squares"] = [list(cell) for cell in answer.solution.squares]
    elif answer.solution is not None:
        data["solution"] = _shown(instance, answer.solution)
    if answer.count is not None:
        data["count"] = str(answer.count)
    if answer.value is not None:
        data |= {"value": answer.value, "bound": answer.bound}
    data |= {"engine": answer.engine, "seconds": round(answer.seconds, 6)}
    if answer.reason or answer.disagreement:
        data["reason"] = answer.disagreement or answer.reason
    return data


def _as_text(instance: Instance, answer: InstanceAnswer) -> str:
    parts = [answer.status]
    if answer.count is not None:
        parts.append(f"{answer.count} {'solution' if answer.count == 1 else 'solutions'}")
    if answer.value is not None:
        best = "proved best" if answer.value == answer.bound else f"bound {answer.bound}"
        parts.append(f"value {answer.value}, {best}")
    if answer.reason:
        parts.append(answer.reason)
    lines = [] if answer.solution is None else [_shown(instance, answer.solution), ""]
    lines.append(f"{instance.title}: {', '.join(parts)}; {_verdict(instance, answer)}")
    return "\n".join(lines)
