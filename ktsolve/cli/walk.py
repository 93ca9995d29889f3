"""Walks by Warnsdorff's rule, recorded step by step; longest cycles and paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.cli import options as opt
from ktsolve.cli.output import check_writable, emit_json, remark
from ktsolve.cli.output_format import LONGEST, TRACE, WALK
from ktsolve.cli.problem_options import SIZE, ProblemSpec, answer_each, takes_problem
from ktsolve.cli.tour_output import check_drawn, emit_found, emit_tours_drawn, problem_fields, takes_tours

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.problem.longest import LongestProblem
    from ktsolve.problem.problem import TourProblem

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


@takes_problem("board", "closed", "start", "end", "without", "leaper", "wrap", "strict", "keep_going")
@opt.takes_work("timeout", "threads", "memory")
@opt.takes_output(writes=LONGEST, graphs=True)
def longest(
    *,
    spec: ProblemSpec,
    induced: Annotated[
        bool, opt.problem_option("--induced", "No edge may join two vertices of it but its own.")
    ] = False,
    weighted: Annotated[
        bool, opt.problem_option("--weighted", "By the sum of weights, not the number of edges.")
    ] = False,
    engine: Annotated[
        str, opt.engine_option("--engine", "Engine: auto, frontier, sat or cpsat.", "NAME")
    ] = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Find a longest cycle, or path, and prove that none is longer.

    It need not visit all vertices.

    Examples
    --------
    ktsolve longest graph:petersen        # the circumference of a graph
    ktsolve longest 3x3 --open --end b2   # a path to a cell
    ktsolve longest 8x8 --leaper giraffe  # a giraffe's cycle
    ktsolve longest 6x6 --induced         # a cycle without chords
    """
    from ktsolve.problem.longest import LongestProblem

    def answer(asked: TourProblem, settings: Settings, out: opt.OutputOptions) -> int:
        start, end = asked.start, asked.end
        problem = LongestProblem(asked.ground, asked.closed, start, end, induced, weighted=weighted)
        if asked != problem.spanning:
            raise BadInput(f"{asked} has conditions, and longest takes ends only: leave the others out")
        ends = (("start", start), ("end", end))
        names = {what: asked.ground.name(v) for what, v in ends if v is not None}
        question = {"walk": "longest", "board": asked.ground.to_json(), "closed": asked.closed}
        question |= {**names, "induced": induced, "weighted": weighted}
        return _emit_longest(problem, engine, question, settings, out)

    return answer_each(spec, work.settings, out, answer)


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
    from ktsolve.problem.longest import LongestProblem

    problem = LongestProblem(spec.make_board(work.settings), spec.closed, non_crossing=True)
    question = {"walk": "non-crossing", "board": problem.ground.to_json(), "closed": problem.closed}
    return _emit_longest(problem, engine, question, work.settings, out)


def _emit_longest(
    problem: LongestProblem, engine: str, question: dict[str, Any], settings: Settings, out: opt.OutputOptions
) -> int:
    """Find a longest walk, and print it; the exit status."""
    from ktsolve.tasks.longest import longest_walk

    unknown = {**question, "status": "unknown", "engine": engine}
    with out.reporting(settings, str(problem), unknown) as watched:
        found = longest_walk(problem, engine, watched, keep=True)
    data = {**question, "status": found.status, "moves": found.length, "bound": found.bound}
    if problem.weighted and found.walk is not None:
        data |= {"moves": len(found.walk.as_closed(problem.closed).moves), "weight": found.length}
    if found.bound_reason:
        data["bound_reason"] = found.bound_reason
    data |= {**({"squares": []} if found.walk else {}), **found.work}
    bound = "unbounded" if found.bound is None else f"at most {found.bound}"
    because = f": {found.bound_reason}" if found.bound_reason else ""
    proved = f"{'proved longest' if found.optimal else bound}{because}"
    noun = problem.ground.nouns.moves
    length = f"weight {found.length}" if problem.weighted else f"{found.length} {noun}"
    note = f"{length}, {proved}; {found.work_text}" if found.walk else ""
    none = f"there is no {problem}"
    if problem.non_crossing:
        emit_found(found.walk, data, out, note, none=none, walk=problem)
    elif found.walk is not None and out.form.holds == "picture":
        emit_tours_drawn([found.walk], out, problem)
        remark(note, quiet=out.quiet)
    else:
        if found.walk is not None:
            data["squares"] = found.walk.to_json()["squares"]
        out.emit(data, none if found.walk is None else found.walk.names(), note)
    if found.status == "found":
        raise LimitReached("the longest walk found is not proved longest: give more time")
    return 0 if found.found else 1
