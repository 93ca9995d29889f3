"""``ktsolve count --by-uses``, ``--by-moves`` and ``--by-steps``: tables of tours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ktsolve.base.text import plural
from ktsolve.cli.output import emit
from ktsolve.cli.tour_output import emit_picture, vertices_as_json
from ktsolve.graphs.board import needs_board
from ktsolve.render.text_table import Column, fitted, wrapped

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.cli.options import OutputOptions
    from ktsolve.problem.problem import TourProblem
    from ktsolve.tasks.answer import BaseAnswer
    from ktsolve.tasks.move_counts import MoveCounts
    from ktsolve.tasks.uses import UsesAnswer

__all__ = ["emit_by_moves", "emit_by_steps", "emit_by_uses", "emit_csv"]

Row = Sequence[str]


def emit_by_uses(
    problem: TourProblem,
    moves: str,
    question: dict[str, Any],
    engine: str,
    settings: Settings,
    out: OutputOptions,
    *,
    csv: bool,
) -> None:
    """Count by uses and print; the JSON begins with ``question``."""
    from ktsolve.tasks.uses import count_by_uses

    unknown = {**question, "count": None, "directed": problem.ground.directed, "engine": engine}
    with out.reporting(settings, str(problem), unknown) as watched:
        found = count_by_uses(problem, moves, engine, watched)
    names = [each.moves.name for each in found.sets]
    # Uses that no tour of any set has are left out at the beginning of the table.
    used = [j for each in found.sets for j, count in enumerate(each.counts) if count]
    rows = [
        (str(j), *(str(each.counts[j] if j < len(each.counts) else 0) for each in found.sets))
        for j in range(min(used, default=0), max(used, default=-1) + 1)
    ]
    if csv:
        emit_csv(("uses", *names), rows, out)
        return
    data = {**question, **_total(problem, found, found.count), "by_uses": _sets_as_json(problem, found)}
    head = ("uses", *(names if len(names) > 1 else ["tours"]))
    lines = [*_in_blocks(head, rows, out.width), ""] if rows else []
    for each in found.sets if rows else ():
        noun = problem.ground.nouns.moves if len(each.moves) > 1 else problem.ground.nouns.move
        mean = f"{each.moves.name}: {float(each.mean):.4f} of {len(each.moves)} {noun} in the mean"
        lines += wrapped(mean, out.width)
    lines += wrapped(_conclusion(problem, found, found.count), out.width)
    out.emit(data, "\n".join(lines), found.work_text)


def _in_blocks(head: Row, rows: Sequence[Row], width: int | None) -> list[str]:
    """The lines of a table of numbers; columns that do not fit follow in further blocks, after the first."""

    def lines_of(these: Sequence[int], width: int | None = None) -> list[str]:
        return fitted([Column(head[i], "r") for i in these], [[row[i] for i in these] for row in rows], width)

    blocks: list[list[int]] = []
    for i in range(1, len(head)):
        if blocks and (width is None or len(lines_of([0, *blocks[-1], i])[0]) <= width):
            blocks[-1].append(i)
        else:
            blocks.append([i])
    lines: list[str] = []
    for block in blocks:
        lines += [*([""] if lines else []), *lines_of([0, *block], width)]
    return lines


def _sets_as_json(problem: TourProblem, found: UsesAnswer) -> list[dict[str, Any]]:
    return [
        {
            "name": each.moves.name,
            "moves": [vertices_as_json(problem.ground, move) for move in sorted(each.moves.moves)],
            "counts": {str(j): str(count) for j, count in enumerate(each.counts) if count},
            "mean": float(each.mean),
        }
        for each in found.sets
    ]


def emit_by_moves(
    problem: TourProblem,
    question: dict[str, Any],
    engine: str,
    settings: Settings,
    out: OutputOptions,
    *,
    csv: bool,
) -> None:
    """Count the tours through each move and print, or draw if the output is a picture."""
    from ktsolve.render.subjects import counts_of_result
    from ktsolve.tasks.move_counts import move_counts

    drawn = out.form.holds == "picture" and not csv
    if drawn:
        needs_board(problem.ground, "a picture of the moves")
    unknown = {**question, "count": None, "directed": problem.ground.directed, "engine": engine}
    with out.reporting(settings, str(problem), unknown) as watched:
        found = move_counts(problem, engine, watched)
    ground = problem.ground
    if csv:
        listed = ((ground.move_name(move), str(count)) for move, count in found.moves.items())
        emit_csv(("move", "tours"), listed, out)
        return
    data = {**question, **_total(problem, found, found.count), "by_moves": _moves_as_json(problem, found)}
    if drawn:
        emit_picture(counts_of_result(data), out.form, out.output)
        out = replace(out, output=None)
    rows = [
        (
            ground.move_name(each.moves[0]),
            str(len(each.moves)),
            str(each.count),
            f"{100 * float(found.share(each.moves[0])):.2f} %",
        )
        for each in found.classes
    ]
    columns = [
        Column(ground.nouns.move, text=True),
        Column("class of", "r", dropped=2),
        Column("tours through each", "r"),
        Column("share", "r", dropped=1),
    ]
    conclusion = wrapped(_conclusion(problem, found, found.count), out.width)
    lines = [*fitted(columns, rows, out.width), "", *conclusion]
    out.emit(data, "\n".join(lines), found.work_text)


def _moves_as_json(problem: TourProblem, found: MoveCounts) -> list[dict[str, Any]]:
    return [
        {
            "moves": [vertices_as_json(problem.ground, move) for move in each.moves],
            "count": str(each.count),
            "share": float(found.share(each.moves[0])),
        }
        for each in found.classes
    ]


def emit_by_steps(
    problem: TourProblem,
    cell: str,
    question: dict[str, Any],
    engine: str,
    settings: Settings,
    out: OutputOptions,
    *,
    csv: bool,
) -> None:
    """Count by the step of a visit and print; the JSON begins with ``question``."""
    from ktsolve.tasks.step_counts import step_counts

    unknown = {**question, "count": None, "directed": True, "engine": engine}
    with out.reporting(settings, str(problem), unknown) as watched:
        found = step_counts(problem, cell, engine, watched)
    rows = [(str(k), str(count)) for k, count in enumerate(found.counts, 1) if count]
    if csv:
        emit_csv(("step", "tours"), rows, out)
        return
    by_steps = {"cell": vertices_as_json(problem.ground, [found.cell])[0], "counts": dict(rows)}
    data = {**question, **_total(problem, found, found.count), "directed": True}
    lines = []
    if rows:
        lines += [*fitted([Column("step", "r"), Column("tours", "r")], rows, out.width), ""]
        lines += wrapped(
            f"{problem.ground.name(found.cell)}: step {float(found.mean):.4f} in the mean", out.width
        )
    lines += wrapped(_conclusion(problem, found, found.count, "directed"), out.width)
    out.emit({**data, "by_steps": {**by_steps, "mean": float(found.mean)}}, "\n".join(lines), found.work_text)


def _total(problem: TourProblem, found: BaseAnswer, count: int) -> dict[str, Any]:
    data = {"count": str(count), "directed": problem.ground.directed, **found.work}
    return {**data, "reason": found.reason} if found.reason else data


def _conclusion(problem: TourProblem, found: BaseAnswer, count: int, way: str = "") -> str:
    way = way or ("directed" if problem.ground.directed else "undirected")
    line = f"{problem}: {count} {way} {plural(count, 'tour')}"
    return f"{line}: {found.reason}" if found.reason else line


def emit_csv(head: Row, rows: Iterable[Row], out: OutputOptions) -> None:
    """Print a table as CSV."""
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *rows])
    emit(text.getvalue(), out.output)
