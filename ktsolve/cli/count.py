"""``ktsolve count``: the exact number of tours."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import plural
from ktsolve.cli import options as opt
from ktsolve.cli.classes import emit_classes
from ktsolve.cli.each_graph import answer_each
from ktsolve.cli.graph_input import is_board
from ktsolve.cli.move_tables import emit_by_moves, emit_by_steps, emit_by_uses, emit_csv
from ktsolve.cli.output import long_numbers, remark
from ktsolve.cli.output_format import COUNT
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_input import rectangle_problem
from ktsolve.cli.tour_output import emit_picture, vertices_as_json
from ktsolve.graphs.notation import LARGEST_SIDE, LONGEST_SIDE, parse_size
from ktsolve.render.text_table import Column, fitted, wrapped

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.engines.interface import Estimate
    from ktsolve.graphs.graph import Graph
    from ktsolve.problem.problem import TourProblem
    from ktsolve.tasks.count import ClassCount, CountAnswer
    from ktsolve.tasks.large import RectangleProblem


class By(str, Enum):
    """Classes of open tours."""

    start = "start"
    endpoints = "endpoints"


@takes_problem(without=("format",))
@opt.takes_work("solver", "timeout", "threads", "memory", "spill")
@opt.takes_output(writes=COUNT, graphs=True)
def count(
    *,
    spec: ProblemSpec,
    directed: Annotated[bool, opt.problem_option("--directed", "Count both directions of a tour.")] = False,
    by: Annotated[
        By | None, opt.problem_option("--by", "Count open tours by class of ends.", "start|endpoints")
    ] = None,
    classes: Annotated[
        bool, opt.problem_option("--up-to-symmetry", "Count tours up to symmetry as well.")
    ] = False,
    by_uses: Annotated[
        str | None,
        opt.problem_option("--by-uses", "Count by how many of these moves: slopes, a1-b3,c2-d4.", "MOVES"),
    ] = None,
    by_moves: Annotated[bool, opt.problem_option("--by-moves", "Count the tours through each move.")] = False,
    by_steps: Annotated[
        str | None,
        opt.problem_option("--by-steps", "Count by the step at which this cell is visited.", "CELL"),
    ] = None,
    engine: opt.EngineOption = "auto",
    work: opt.WorkOptions,
    only_estimate: opt.EstimateOption = False,
    verbose: Annotated[
        bool, opt.output_option("--verbose", "Print the plan; show the traceback of an internal error.")
    ] = False,
    csv: Annotated[
        bool, opt.output_option("--csv", "The table of --by, --by-uses, --by-moves or --by-steps as CSV.")
    ] = False,
    out: opt.OutputOptions,
) -> int:
    """Count the tours exactly.

    Undirected unless --directed; rotations and reflections count as different.

    Examples
    --------
    ktsolve count 8x8                        # 13267364410532 closed tours
    ktsolve count 6x6 --open --by endpoints  # open ones by their ends
    ktsolve count 6x6 --up-to-symmetry       # up to rotation and reflection
    ktsolve count 6x6 --by-moves             # the tours through each move
    ktsolve count 10x10 --symmetry rot90     # symmetric tours
    ktsolve count 8x10 --estimate            # the cost, before the count
    ktsolve count graph:hypercube:4          # Hamiltonian cycles
    """
    from ktsolve.tasks.count import count as count_tours

    settings, spec = work.settings, replace(spec, format=out.graph_format)
    if out.form.name == "csv" and not (by or by_uses or by_moves or by_steps):
        raise BadInput("csv holds a table of counts: give --by, --by-uses, --by-moves or --by-steps")
    csv = csv or out.form.name == "csv"
    if classes and (directed or by is not None):
        raise BadInput("--up-to-symmetry counts undirected tours of all ends: leave out --directed and --by")
    tables = {"--by-uses": by_uses is not None, "--by-moves": by_moves, "--by-steps": by_steps is not None}
    tables["--by"] = by is not None
    _check_tables(tables, {"--up-to-symmetry": classes}, csv=csv, json=out.json)
    if out.form.holds == "picture" and (only_estimate or not (by_moves or by)):
        drawn = "add --by-moves, --by start or --by endpoints"
        raise BadInput(f"{out.form.name} shows counts by moves or by ends: {drawn}")
    if any(given for option, given in tables.items() if option != "--by") and (directed or only_estimate):
        given = "--directed" if directed else "--estimate"
        raise BadInput(f"a table does not go together with {given}: leave it out")

    @long_numbers()
    def answer(problem: TourProblem, settings: Settings, out: opt.OutputOptions) -> int:
        if only_estimate or verbose:
            from ktsolve.tasks.estimate import estimate

            chosen, expected = estimate(problem, engine, settings, by and by.value)
            if only_estimate:
                _emit_estimate(problem, chosen, expected, settings, out)
                return 0
            remark(f"{chosen}{'' if expected is None else ': ' + expected.plan}", quiet=out.quiet)
        question = _question(problem)
        if by_uses is not None:
            emit_by_uses(problem, by_uses, question, engine, settings, out, csv=csv)
            return 0
        if by_moves:
            emit_by_moves(problem, question, engine, settings, out, csv=csv)
            return 0
        if by_steps is not None:
            emit_by_steps(problem, by_steps, question, engine, settings, out, csv=csv)
            return 0
        if classes:
            emit_classes(problem, question, engine, settings, out)
            return 0
        unknown = {**question, "count": None, "directed": directed, "engine": engine, "peak_bytes": None}
        with out.reporting(settings, str(problem), unknown) as watched:
            if by is None:
                counted = count_tours(problem, engine, watched)
            else:
                from ktsolve.tasks.endpoint_classes import count_classes

                counted = count_classes(problem, by.value, engine, watched)
        size = "" if counted.peak_bytes is None else f", {counted.peak_bytes / 1e6:.1f} MB of states"
        data = {**question, **_as_json(problem.ground, counted, directed, by)}
        if csv:
            _emit_classes_as_csv(problem, counted, directed, out)
            return 0
        if out.form.holds == "picture":
            from ktsolve.render.subjects import counts_of_result

            emit_picture(counts_of_result(data), out.form, out.output)
            remark(_as_text(problem, counted, directed, out.width), quiet=out.quiet)
            return 0
        out.emit(data, _as_text(problem, counted, directed, out.width), counted.work_text + size)
        return 0

    if not (classes or by or any(tables.values()) or only_estimate) and (long := _too_long(spec)) is not None:
        return _count_long(long, directed, engine, settings, out)
    return answer_each(spec, settings, out, answer)


def _check_tables(tables: dict[str, bool], others: dict[str, bool], *, csv: bool, json: bool) -> None:
    """Refuse two tables, and options about tables without one."""
    asked = [option for option, given in {**tables, **others}.items() if given]
    if len(asked) > 1 and any(tables.values()):
        raise BadInput(f"{asked[0]} and {asked[1]} are two tables: give one of them")
    if csv and not any(tables.values()):
        raise BadInput(f"--csv writes a table: give one of {', '.join(tables)}")
    if csv and json:
        raise BadInput("--json and --csv do not go together: give one of them")


def _too_long(spec: ProblemSpec) -> RectangleProblem | None:
    """The problem of a whole rectangle that is too long for a board, but not too wide for a strip."""
    from ktsolve.engines.strip.shape import MOST_WIDTH

    if spec.board is None or not is_board(spec.board):
        return None
    sides = parse_size(spec.board, LONGEST_SIDE)
    if max(sides) <= LARGEST_SIDE or min(sides) > MOST_WIDTH:
        return None
    return rectangle_problem(spec)


@long_numbers()
def _count_long(
    problem: RectangleProblem, directed: bool, engine: str, settings: Settings, out: opt.OutputOptions
) -> int:
    from ktsolve.tasks.strips import count_rectangle

    asked = {
        "board": str(problem.board),
        "kind": "closed" if problem.closed else "open",
        "problem": {"board": problem.board.to_json(), "closed": problem.closed},
    }
    unknown = {**asked, "count": None, "directed": directed, "engine": engine, "peak_bytes": None}
    with out.reporting(settings, str(problem), unknown) as watched:
        counted = count_rectangle(problem, engine, watched)
    total, way = _total(counted, directed), "directed" if directed else "undirected"
    text = f"{problem}: {total} {way} {plural(total, 'tour')}" + f": {counted.reason}" * bool(counted.reason)
    out.emit({**asked, **_total_as_json(counted, directed, directed)}, text, counted.work_text)
    return 0


def _emit_estimate(
    problem: TourProblem,
    engine: str,
    expected: Estimate | None,
    settings: Settings,
    out: opt.OutputOptions,
) -> None:
    from ktsolve.base.units import shown_bytes, shown_seconds

    data = {**_question(problem), "engine": engine, "estimate": None}
    if expected is None:
        out.emit(data, f"{problem}: engine {engine} makes no prediction")
        return
    data["estimate"] = {
        key: value if isinstance(value, str) else float(f"{value:.3g}")
        for key, value in vars(expected).items()
    }
    lines = [f"{problem}: engine {engine}", expected.plan]
    states = f"{expected.states:.1e} states at once, " if expected.states else ""
    lines.append(f"about {states}{shown_bytes(expected.bytes)} of memory")
    if expected.disk:
        lines[-1] += (
            f" (the limit is {shown_bytes(settings.memory_limit)}), {shown_bytes(expected.disk)} of disk"
        )
    lines.append(f"about {shown_seconds(expected.seconds)} with {settings.thread_budget} threads")
    out.emit(data, "\n".join(lines))


def _total(answer: CountAnswer, directed: bool) -> int:
    return answer.directed if directed else answer.count


def _directions(ground: Graph, directed: bool, each: ClassCount) -> int:
    """By what the count of a class is multiplied: tours between two ends have two directions."""
    return 2 if directed and not ground.directed and len(each.cells) == 2 else 1


def _question(problem: TourProblem) -> dict[str, Any]:
    kind = "closed" if problem.closed else "open"
    return {"board": str(problem.ground), "kind": kind, "problem": problem.to_json()}


def _total_as_json(answer: CountAnswer, directed: bool, one_way: bool) -> dict[str, Any]:
    data: dict[str, Any] = {
        "count": str(_total(answer, directed)),
        "directed": one_way,
        **answer.work,
        "peak_bytes": answer.peak_bytes,
    }
    if answer.reason:
        data["reason"] = answer.reason
    if answer.details:
        data["details"] = answer.details
    return data


def _as_json(ground: Graph, answer: CountAnswer, directed: bool, by: By | None) -> dict[str, Any]:
    data = _total_as_json(answer, directed, directed or ground.directed)
    if by is not None:
        data["classes"] = [
            {
                "cells": vertices_as_json(ground, each.cells),
                "multiplicity": each.multiplicity,
                "count": str(each.count * _directions(ground, directed, each)),
            }
            for each in answer.classes
        ]
    return data


def _emit_classes_as_csv(
    problem: TourProblem, answer: CountAnswer, directed: bool, out: opt.OutputOptions
) -> None:
    names = [[problem.ground.name(cell) for cell in each.cells] for each in answer.classes]
    ends = ("start", "end")[: len(names[0]) if names else 1]
    rows = [
        (*cells, str(each.multiplicity), str(each.count * _directions(problem.ground, directed, each)))
        for cells, each in zip(names, answer.classes, strict=True)
    ]
    emit_csv((*ends, "multiplicity", "tours"), rows, out)


def _as_text(problem: TourProblem, answer: CountAnswer, directed: bool, width: int | None) -> str:
    lines = []
    if answer.classes:
        by_ends = len(answer.classes[0].cells) == 2
        columns = [
            Column("ends" if by_ends else "start", text=True),
            Column("pairs" if by_ends else "cells", "r"),
            Column("tours each", "r"),
        ]
        rows = []
        for each in answer.classes:
            cells = " ".join(problem.ground.name(cell) for cell in each.cells)
            number = each.count * _directions(problem.ground, directed, each)
            rows.append((cells, str(each.multiplicity), str(number)))
        lines += fitted(columns, rows, width)
        lines.append("")
    one_way = directed or problem.ground.directed
    way = "directed" if one_way else "undirected"
    total = _total(answer, directed)
    conclusion = f"{problem}: {total} {way} {plural(total, 'tour')}"
    if answer.classes and len(answer.classes[0].cells) == 1 and not one_way and len(problem.ground) > 1:
        conclusion += ", each counted from both its ends above"
    if answer.reason:
        conclusion += f": {answer.reason}"
    return "\n".join([*lines, *wrapped(conclusion, width)])
