"""``ktsolve solve``: solve an instance file, or a graph, and compare the answer with the expected one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.guard import stand_down
from ktsolve.base.text import number_of, plural
from ktsolve.cli import options as opt
from ktsolve.cli.output import JsonWithList, emit, emit_json, with_progress, writing
from ktsolve.cli.output_format import SOLUTION
from ktsolve.cli.tour_output import emit_picture, shown_tour
from ktsolve.graphs.tour import Tour

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.tasks.instance import Instance, InstanceAnswer, Wanted


@opt.takes_work("seed", "solver", "timeout", "threads", "memory")
@opt.takes_output(writes=SOLUTION)
def solve(
    *,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE.toml|FILE.cnf|GRAPH",
            help="An instance, its name, a model (cnf, wcnf, opb, fzn), a graph.",
        ),
    ],
    engine: opt.EngineOption = "auto",
    work: opt.WorkOptions,
    encoding: Annotated[
        str,
        opt.output_option(
            "--encoding",
            "Encoding of circuits, for cnf, wcnf and opb.",
            "one-hot|binary|remainder|elimination",
        ),
    ] = "one-hot",
    count: Annotated[bool, opt.output_option("--count", "Count the solutions, exactly.")] = False,
    number: Annotated[int | None, opt.NUMBER] = None,
    core: Annotated[
        bool, opt.output_option("--core", "Without a solution: constraints that conflict, as few as found.")
    ] = False,
    cores: Annotated[
        str | None,
        opt.output_option(
            "--cores", "Without a solution: a smallest conflict, or all, as they are found.", "smallest|all"
        ),
    ] = None,
    steps: Annotated[
        bool,
        opt.output_option("--steps", "What all solutions share, step by step, each with its reason."),
    ] = False,
    assume: Annotated[
        list[str] | None,
        opt.problem_option(
            "--assume", "Give a variable of the model a value: a, 'not a', x=3. Repeatable.", "NAME"
        ),
    ] = None,
    out: opt.OutputOptions,
) -> int:
    """Solve an instance file and compare the answer with the expected one.

    A graph stands for the question of a closed tour. A file in DIMACS CNF, WCNF, OPB or FlatZinc, perhaps
    compressed, is a model; --format sol writes its answer in the lines of the solver competitions. With a
    format of models, the model is written instead of an answer. --steps -o FILE.svg draws those of a puzzle.

    Examples
    --------
    ktsolve solve closed-6x6                   # a shipped instance
    ktsolve solve graph:dodecahedral           # a graph
    ktsolve solve clauses.cnf.xz --format sol  # s SATISFIABLE, v 1 -2 0
    ktsolve solve closed-6x6 -o tour.cnf       # clauses for other solvers
    ktsolve solve graph:dodecahedral --count   # an exact number of solutions
    ktsolve solve graph:dodecahedral -n 3      # three of them
    ktsolve solve masyu-6x6 --steps            # why its solution is the only one
    """
    from ktsolve.formats.models import is_model_file, model_file
    from ktsolve.tasks.instance import Wanted, load_instance, solve_instance

    settings = work.settings
    if out.form.name == "sol" and not (file == "-" or is_model_file(file)):
        raise BadInput(f"--format sol: {file} is not a model file: these lines number the variables of one")
    instance = load_instance(file, settings)
    if out.form.name == "sol" and instance.model_name == "fzn":
        raise BadInput(f"--format sol: FlatZinc has lines of its own: fzn-ktsolve {file} writes them")
    if out.form.holds == "model":
        emit(model_file(instance.built.model, out.form.name, encoding=encoding), out.output)
        return 0
    unknown = {**_instance_fields(instance), "status": "unknown", "agrees": None, "engine": engine}
    if cores not in (None, "smallest", "all"):
        raise BadInput(f"--cores {cores}: use smallest or all; --core is one conflict")
    if (cores or steps) and instance.built.problem is not None:
        option, other = ("--cores", ": use --core") if cores else ("--steps", "")
        raise BadInput(f"{option} is for models, but {Path(instance.path).name} asks for tours{other}")
    if steps and out.form.name == "sol":
        raise BadInput("--format sol has no lines for steps: leave out --steps")
    every, smallest = cores == "all" and out.form.name != "sol", cores == "smallest"
    if out.form.holds == "picture" and (assume or not steps):
        why = "steps from assumptions are not drawn" if assume else "only the steps to a solution are drawn"
        raise BadInput(f"{out.given_form}: {why}: {'leave out --assume' if assume else 'add --steps'}")
    wanted = Wanted(count, None if steps else number, core or smallest, smallest, tuple(assume or ()))
    with out.reporting(settings, instance.title, unknown) as watched:
        if out.form.name == "sol":
            answer = _compete(instance, engine, watched, wanted, out)
        else:
            answer = solve_instance(instance, engine, watched, wanted)
    if every and not answer.found:
        return _emit_conflicts(instance, engine, settings, wanted, out)
    if steps and answer.found:
        if out.form.holds == "picture":
            return _draw_steps(instance, settings, number, out)
        return _emit_steps(instance, settings, wanted, out)
    if out.json:
        out.emit(_as_json(instance, answer), "")
    elif out.form.name != "sol":
        out.emit({}, _as_text(instance, answer, out), answer.work_text)
    if answer.disagreement:
        return 1
    expected = instance.expect.status is not None
    return 0 if expected or answer.status == "found" else 1


def _compete(
    instance: Instance, engine: str, settings: Settings, wanted: Wanted, out: opt.OutputOptions
) -> InstanceAnswer:
    """The answer, written in the lines of the solver competitions; values of the objective at once."""
    from ktsolve.model.io.solution import competition_lines
    from ktsolve.tasks.instance import solve_instance

    with writing(out.output) as write:
        try:
            told = replace(wanted, on_value=lambda value: write(f"o {value}"))
            answer = solve_instance(instance, engine, settings, told)
        except LimitReached:
            write("s UNKNOWN")
            raise
        optimal = answer.value is not None and answer.value == answer.bound
        solution = answer.solution if answer.found else None
        write("\n".join(competition_lines(solution, optimal=optimal, count=answer.count)))
    return answer


def _emit_conflicts(
    instance: Instance, engine: str, settings: Settings, wanted: Wanted, out: opt.OutputOptions
) -> int:
    """Print all conflicts as they are found; returns the exit status."""
    from ktsolve.tasks.instance import conflicts

    def found(watched: Settings) -> Iterator[tuple[str, Any]]:
        for number, core in enumerate(conflicts(instance, engine, watched, wanted), 1):
            yield f"conflict {number}: {'; '.join(core.names) or core}", list(core.names)

    _emit_listed(instance, found, settings, ("impossible", "cores", "conflict"), out)
    return 0 if instance.expect.status == "impossible" else 1


def _emit_steps(instance: Instance, settings: Settings, wanted: Wanted, out: opt.OutputOptions) -> int:
    """Print the steps that lead to the solution as they are found; returns the exit status."""
    from ktsolve.tasks.instance import steps

    def found(watched: Settings) -> Iterator[tuple[str, Any]]:
        for number, step in enumerate(steps(instance, watched, wanted), 1):
            as_json = {"facts": step.texts(step.facts), "constraints": list(step.names)}
            yield f"{number}. {step}", {**as_json, "given": step.texts(step.given)}

    _emit_listed(instance, found, settings, ("found", "steps", "step"), out)
    return 0


def _draw_steps(instance: Instance, settings: Settings, number: int | None, out: opt.OutputOptions) -> int:
    """Draw the steps that lead to the solution of a puzzle, all or so many; returns the exit status."""
    from ktsolve.wings import loaded

    with out.reporting(settings, instance.title, {}) as watched:
        given = instance.model_name, instance.parameters, watched, number
        drawn = next(filter(None, (find(*given) for find in loaded("drawn_steps"))), None)
    if drawn is None:
        raise BadInput(
            f"{out.given_form}: steps are drawn for puzzles, not for the model {instance.model_name}"
        )
    if drawn.scenes(out.style()):
        emit_picture(drawn, out)
    else:
        out.emit({}, f"{instance.title}: found, but nothing follows")
    return 0


def _emit_listed(
    instance: Instance,
    found: Callable[[Settings], Iterator[tuple[str, Any]]],
    settings: Settings,
    names: tuple[str, str, str],
    out: opt.OutputOptions,
) -> None:
    """Print the entries of a list, as text or as JSON, as they are found, also at a limit."""
    started, number = time.perf_counter(), 0
    status, key, noun = names
    stopped: BaseException | None = None
    fields = {**_instance_fields(instance), "status": status}
    with ExitStack() as stack:
        listed = stack.enter_context(JsonWithList(fields, key, out.output))
        write: Callable[[str], object] = str if out.json else stack.enter_context(writing(out.output))
        watched = stack.enter_context(with_progress(settings, instance.title, quiet=out.quiet))
        try:
            for text, entry in found(watched):
                number += 1
                if out.json:
                    listed.add(entry)
                write(text)
        except (LimitReached, KeyboardInterrupt) as stop:
            stopped = stop
        stand_down()
        seconds = round(time.perf_counter() - started, 6)
        data: dict[str, Any] = {"complete": stopped is None, "seconds": seconds}
        if stopped is not None:
            data["reason"] = str(stopped) or "interrupted"
        if number and out.json:
            listed.end(data)
        all_found = "; these are all" if stopped is None else ""
        write(f"{instance.title}: {status}, {number_of(number, noun)}{all_found}")
    if out.json and not number:
        emit_json({**fields, key: [], **data}, out.output)
    if stopped is not None:
        raise stopped


def _instance_fields(instance: Instance) -> dict[str, Any]:
    return {"instance": instance.title, "model": instance.model_name}


def _shown(instance: Instance, solution: object) -> str:
    """The solution as text. A user's model may decode to any object, whose text may raise an error."""
    from ktsolve.tasks.instance import users_code

    file = Path(instance.path)
    with users_code(f"{file}: model {instance.model_name}: the solution", file.parent / instance.model_name):
        return str(solution)


def _as_json(instance: Instance, answer: InstanceAnswer) -> dict[str, Any]:
    from ktsolve.model.io.solution import FileSolution

    data: dict[str, Any] = {
        **_instance_fields(instance),
        "status": answer.status,
        "agrees": not answer.disagreement if instance.expect.status is not None else None,
    }
    if isinstance(answer.solution, Tour):
        data["closed"] = answer.solution.closed
    if answer.solution is not None:
        kinds: dict[type, str] = {Tour: "squares", FileSolution: "variables"}
        data[kinds.get(type(answer.solution), "solution")] = _one_as_json(instance, answer.solution)
    if answer.count is not None:
        data["count"] = str(answer.count)
    if answer.value is not None:
        data |= {"value": answer.value, "bound": answer.bound}
    if answer.values:
        data |= {"values": list(answer.values), "bounds": list(answer.bounds)}
    if answer.solutions:
        data["solutions"] = [_one_as_json(instance, each) for each in answer.solutions]
    if answer.core is not None:
        data["core"] = list(answer.core)
    data |= answer.work
    if answer.reason or answer.disagreement:
        data["reason"] = answer.disagreement or answer.reason
    return data


def _one_as_json(instance: Instance, solution: object) -> Any:
    from ktsolve.model.io.solution import FileSolution

    if isinstance(solution, Tour):
        return solution.squares
    return solution.values if isinstance(solution, FileSolution) else _shown(instance, solution)


def _known(value: float, bound: float | None) -> str:
    return "proved best" if value == bound else f"bound {bound}"


def _as_text(instance: Instance, answer: InstanceAnswer, out: opt.OutputOptions) -> str:
    parts: list[str] = [answer.status]
    if answer.count is not None:
        parts.append(f"{answer.count} {plural(answer.count, 'solution')}")
    if answer.value is not None:
        parts.append(f"value {answer.value}, {_known(answer.value, answer.bound)}")
    if answer.reason:
        parts.append(answer.reason)
    for place, value, bound in zip(range(2, 99), answer.values[1:], answer.bounds[1:], strict=False):
        parts.append(f"value {place}: {value}, {_known(value, bound)}")
    if answer.solutions and answer.count is None:
        parts.append(f"{number_of(len(answer.solutions), 'solution')} listed")
    if answer.core_text:
        parts.append(answer.core_text)
    lines: list[str] = []
    for each in answer.solutions or (answer.solution,):
        if isinstance(each, Tour):
            lines += [shown_tour(each, out), ""]
        elif each is not None:
            lines += [_shown(instance, each), ""]
    expected = "as expected" if instance.expect.status is not None else "nothing was expected"
    verdict = f"disagrees: {answer.disagreement}" if answer.disagreement else expected
    end = "" if instance.is_model_file else f"; {verdict}"
    lines.append(f"{instance.title}: {', '.join(parts)}{end}")
    return "\n".join(lines)
