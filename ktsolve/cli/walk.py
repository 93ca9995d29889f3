"""``ktsolve walk``: a walk by Warnsdorff's rule, with backtracking or repair, recorded step by step."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.cli import options as opt
from ktsolve.cli.output import check_writable, emit, emit_json, remark
from ktsolve.cli.output_format import TRACE
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_output import check_drawn, emit_tour, problem_fields, takes_tours

if TYPE_CHECKING:
    from ktsolve.problem.problem import TourProblem
    from ktsolve.tasks.find import WalkAnswer

_MOST_RECORDED = 1_000_000
"""Most steps in a record. A walk that is stuck takes as many in a second."""


@takes_problem("board", "closed", "start", "forbid", "without", "leaper", "wrap")
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
    settings, spec = work.settings, replace(spec, format=out.graph_format)
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
    if out.json:
        emit_json({"status": answer.status, **asked, **_as_json(answer)}, out.output)
    else:
        _print(problem, answer, out)
    if answer.status == "unknown":
        raise LimitReached(answer.reason)
    return 0 if answer.tour is not None else 1


def _as_json(answer: WalkAnswer) -> dict[str, object]:
    data: dict[str, object] = {}
    if answer.tour is not None:
        data["squares"] = answer.tour.squares
    if answer.begin is not None:
        data["begin"] = answer.begin
    data |= {**answer.statistics, "seconds": round(answer.seconds, 6)}
    if answer.reason:
        data["reason"] = answer.reason
    return data


def _print(problem: TourProblem, answer: WalkAnswer, out: opt.OutputOptions) -> None:
    if answer.tour is not None:
        emit_tour(answer.tour, out.form, out)
    elif answer.status == "impossible":
        emit(f"no tour: {answer.reason}", None)
    if answer.begin is not None:
        listed = [f"{name.replace('_', ' ')} {value:,}" for name, value in answer.statistics.items()]
        began = f"{answer.rule} from {problem.board.name(answer.begin)}"
        remark(f"{began}: {', '.join(listed)}, {answer.seconds:.3f} s", quiet=out.quiet)
