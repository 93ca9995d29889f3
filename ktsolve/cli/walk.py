"""Walks by Warnsdorff's rule, recorded step by step, and walks that do not cross themselves."""

from __future__ import annotations

from typing import Annotated, Any

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.cli import options as opt
from ktsolve.cli.output import check_writable, emit_json, remark
from ktsolve.cli.output_format import TRACE, WALK
from ktsolve.cli.problem_options import SIZE, ProblemSpec, takes_problem
from ktsolve.cli.tour_output import check_drawn, emit_found, problem_fields, takes_tours

_MOST_RECORDED = 1_000_000  # most steps in a record; a walk that is stuck takes as many in a second


@takes_problem("board", "closed", "start", "forbid", "without", "leaper", "wrap", board=SIZE)
@opt.takes_work("seed", "timeout", "memory")
@takes_tours
def walk(
    *,
    spec: ProblemSpec,
    rule: Annotated[
        str,
        opt.engine_option(
            "--rule",
            "Rule that breaks ties: centre, first, home, pohl, random, roth or squirrel-cull.",
            "NAME",
        ),
    ] = "home",
    begin: Annotated[
        str | None,
        opt.engine_option(
            "--from", "First cell. Default: the start of an open tour, else the middle.", "CELL"
        ),
    ] = None,
    repair: Annotated[
        bool,
        opt.engine_option("--repair/--no-repair", "Join several walks by reversals, or take cells back."),
    ] = False,
    work: opt.WorkOptions,
    record: Annotated[
        str | None,
        opt.output_option(
            "--record",
            "Write each cell visited and taken back to this file, as JSON.",
            "FILE",
            callback=check_writable,
        ),
    ] = None,
    out: opt.OutputOptions,
) -> int:
    """Construct a tour by Warnsdorff's rule, with backtracking or repair.

    Examples
    --------
    ktsolve walk 20x20                              # a closed tour
    ktsolve walk 8x8 --open --start a1 --rule roth  # ties broken by another rule
    ktsolve walk 100x100 --repair -o tour.txt       # a large board
    ktsolve walk 8x8 --record walk.json             # each step, for ktsolve play
    """
    if record is not None and repair:
        raise BadInput(
            "--record and --repair do not go together (--repair takes no cell back): give one of them"
        )
    TRACE.form(record, option="--record")
    if record == "-":
        raise BadInput("--record needs the name of a file: the tour goes to standard output")
    settings = work.settings
    problem = spec.make(spec.make_board(settings), settings=settings)
    check_drawn(out.form, len(problem.ground))
    asked = {**problem_fields(problem), "rule": rule, "repair": repair}
    with out.reporting(settings, str(problem), {"status": "unknown", **asked}) as watched:
        # Late: Ctrl-C while it is imported is reported in JSON, too.
        from ktsolve.tasks.find import recorded_walk

        answer = recorded_walk(
            problem,
            rule,
            begin=begin,
            repair=repair,
            settings=watched,
            most_events=0 if record is None else _MOST_RECORDED,
        )
    if record is not None:
        emit_json({"trace": answer.trace(problem)}, record)
        if not answer.recorded:
            remark(f"only the first {_MOST_RECORDED:,} steps are recorded", quiet=out.quiet)
    data: dict[str, Any] = {"status": answer.status, **asked, **({"squares": []} if answer.tour else {})}
    note = ""
    if answer.begin is not None:
        data["begin"] = answer.begin
        listed = [f"{name.replace('_', ' ')} {value:,}" for name, value in answer.statistics.items()]
        began = f"{answer.rule} from {problem.board.name(answer.begin)}"
        note = f"{began}: {', '.join(listed)}, {answer.seconds:.3f} s"
    data |= {**answer.statistics, "seconds": round(answer.seconds, 6)}
    if answer.reason:
        data["reason"] = answer.reason
    none = f"no tour: {answer.reason}" if answer.status == "impossible" else ""
    if answer.status == "impossible" and not out.quiet:
        from ktsolve.tasks.explain import open_tour_exists

        note = "open tours exist: give --open" if open_tour_exists(problem, settings) else note
    emit_found(answer.tour, data, out, note, none=none)
    if answer.status == "unknown":
        raise LimitReached(answer.reason)
    return 0 if answer.tour is not None else 1


@takes_problem("board", "closed", "without", "leaper", board=SIZE)
@opt.takes_work("timeout", "threads", "memory")
@opt.takes_output(writes=WALK)
def non_crossing(
    *,
    spec: ProblemSpec,
    engine: Annotated[str, opt.engine_option("--engine", "Engine: auto, search or cpsat.", "NAME")] = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Find the longest cycle, or path, that does not cross itself.

    It need not visit all cells.

    Examples
    --------
    ktsolve non-crossing 6x6         # a cycle
    ktsolve non-crossing 5x5 --open  # a path
    """
    from ktsolve.problem.non_crossing import NonCrossingProblem
    from ktsolve.tasks.best import longest_non_crossing

    settings = work.settings
    problem = NonCrossingProblem(spec.make_board(settings), spec.closed)
    question: dict[str, Any] = {
        "walk": "non-crossing",
        "board": problem.board.to_json(),
        "closed": problem.closed,
    }
    unknown = {**question, "status": "unknown", "engine": engine}
    with out.reporting(settings, str(problem), unknown) as watched:
        found = longest_non_crossing(problem, engine, watched, keep=True)
    data = {**question, "status": found.status, "moves": found.length, "bound": found.bound}
    data |= {**({"squares": []} if found.walk else {}), **found.work}
    proved = "proved longest" if found.optimal else f"at most {found.bound}"
    note = f"{found.length} moves, {proved}; {found.work_text}" if found.walk else ""
    emit_found(found.walk, data, out, note, none=f"there is no {problem}", non_crossing=True)
    if found.status == "found":
        raise LimitReached("the longest walk found is not proved longest: give more time")
    return 0 if found.found else 1
