"""``ktsolve sudoku``: all grids and bands; the commands on single grids are in ``puzzle.py``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.cli import options as opt
from ktsolve.cli import puzzle
from ktsolve.cli.limits import backstop
from ktsolve.cli.output import emit, emit_json, json_when_stopped, remark, with_progress
from ktsolve.errors import BadInput, LimitReached
from ktsolve.render.text_table import aligned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ktsolve.ground.box import Box
    from ktsolve.settings import Settings
    from ktsolve.sudoku.grids import GridCount
    from ktsolve.sudoku.stages import BandClass, StageResult
    from ktsolve.sudoku.symmetries import Different

_ASKED = "What is asked"
_PRINTED = "What is printed"


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(help="Sudoku grids: count, classify bands, solve, compare.", no_args_is_help=True)
    group.command(name="count")(count)
    group.command(name="bands")(bands)
    puzzle.register(group)
    app.add_typer(group, name="sudoku")


def count(
    box: opt.BoxOption = "3x3",
    classes: Annotated[
        bool,
        typer.Option("--classes", help="Up to symmetry, by Burnside's lemma.", rich_help_panel=_ASKED),
    ] = False,
    only_estimate: opt.EstimateOption = False,
    timeout: opt.TimeoutOption = None,
    threads: opt.ThreadsOption = None,
    memory: opt.MemoryOption = None,
    json: opt.JsonOption = False,
    output: opt.OutputOption = None,
    quiet: opt.QuietOption = False,
) -> int:
    """Count all grids whose boxes have R rows and C columns, or the essentially different ones."""
    from ktsolve.ground.box import Box
    from ktsolve.sudoku.grids import count_grids, estimate_grids
    from ktsolve.sudoku.symmetries import essentially_different

    shape = Box.parse(box)
    settings = opt.make_settings(timeout, memory, threads, None, None)
    if only_estimate:
        expected = estimate_grids(shape)
        figures = {
            "tables": float(f"{expected.tables:.3g}"),
            "classes": float(f"{expected.classes:.3g}"),
            "seconds": float(f"{expected.seconds:.3g}"),
        }
        if json:
            emit_json({"box": str(shape), "estimate": figures}, output)
        else:
            emit(
                f"sudoku {shape}: about {figures['tables']:,.0f} tables of column sets in "
                f"{figures['classes']:,.0f} classes, {figures['seconds']:g} s",
                output,
            )
        return 0
    with (
        backstop(settings.timeout),
        json_when_stopped(json, {"box": str(shape), "count": None}, output),
        with_progress(settings, f"sudoku {shape}", quiet=quiet) as watched,
    ):
        found = essentially_different(shape, watched) if classes else count_grids(shape, watched)
    if json:
        emit_json(_count_as_json(found), output)
    else:
        emit(_count_as_text(found), output)
        remark(f"{found.seconds:.3f} s", quiet=quiet)
    return 0


def _count_as_json(found: GridCount | Different) -> dict[str, Any]:
    from ktsolve.sudoku.grids import GridCount

    data: dict[str, Any] = {"box": str(found.box)}
    if isinstance(found, GridCount):
        data |= {
            "count": str(found.total),
            "counted": str(found.counted),
            "bands": str(found.bands),
            "classes": len(found.classes),
            "steps": found.steps,
        }
    else:
        data |= {
            "count": str(found.grids),
            "different": str(found.count),
            "without_transposition": str(found.without_transposition),
            "order": found.order,
            "symmetries": [
                {
                    "rows": list(each.rows),
                    "columns": list(each.columns),
                    "transposed": each.transposed,
                    "size": each.size,
                    "invariant": str(each.invariant),
                }
                for each in found.classes
            ],
        }
    return data | {"seconds": round(found.seconds, 6)}


def _count_as_text(found: GridCount | Different) -> str:
    from ktsolve.sudoku.grids import GridCount

    if isinstance(found, GridCount):
        return f"sudoku {found.box}: {found.total} grids"
    rows = [(str(each), str(each.size), str(each.invariant)) for each in found.classes if each.invariant]
    lines = aligned(("cycles of", "size", "grids left as they are"), rows, "lrr")
    empty = len(found.classes) - len(rows)
    lines.append(f"{len(found.classes)} classes of {found.order} symmetries; {empty} leave no grid")
    lines.append("")
    lines.append(f"sudoku {found.box}: {found.count} essentially different grids")
    if found.count != found.without_transposition:
        lines[-1] += f", {found.without_transposition} without transposition"
    return "\n".join(lines)


def bands(
    box: opt.BoxOption = "3x3",
    stage: Annotated[
        str | None,
        typer.Option(
            "--stage",
            metavar="NAME",
            help="One stage alone: bands, reduced, permutations, rectangles, subsets, column-sets.",
            rich_help_panel=_ASKED,
        ),
    ] = None,
    timeout: opt.TimeoutOption = None,
    json: opt.JsonOption = False,
    csv: Annotated[bool, typer.Option("--csv", help="The classes as CSV.", rich_help_panel=_PRINTED)] = False,
    output: opt.OutputOption = None,
    quiet: opt.QuietOption = False,
) -> int:
    """Classify the top bands step by step, and count what each class can be completed to."""
    from ktsolve.ground.box import Box

    if json and csv:
        raise BadInput("--json and --csv do not go together: give one of them")
    shape = Box.parse(box)
    settings = opt.make_settings(timeout, None, None, None, None)
    done: list[StageResult] = []
    found: list[BandClass] = []
    with backstop(settings.timeout):
        try:
            with with_progress(settings, f"bands {shape}", quiet=quiet) as watched:
                seconds = _classify(shape, stage, watched, done, found)
        except (LimitReached, KeyboardInterrupt) as stop:
            if json:
                data = _bands_as_json(shape, done, found, None)
                emit_json({**data, "reason": str(stop) or "interrupted"}, output)
            raise
    if json:
        emit_json(_bands_as_json(shape, done, found, seconds), output)
    elif csv:
        lines = ["class,representative,bands,completions"]
        lines += [
            f"{number},{shape.line(each.representative)},{each.bands},"
            f"{'' if each.completions is None else each.completions}"
            for number, each in enumerate(found)
        ]
        emit("\n".join(lines), output)
    else:
        emit(_bands_as_text(shape, done, found, seconds), output)
    return 0


def _classify(
    shape: Box, name: str | None, settings: Settings, done: list[StageResult], found: list[BandClass]
) -> float:
    """Run the stages and complete the classes of the last one; returns the time that took."""
    from ktsolve.settings import Clock
    from ktsolve.sudoku.bands import can_complete
    from ktsolve.sudoku.stages import check_completions, run_chain, run_stage
    from ktsolve.sudoku.watched import time_left

    clock = Clock(settings.timeout)
    if name is None:
        done.extend(run_chain(shape, settings))
    else:
        done.append(run_stage(shape, name, settings))
    started = time.perf_counter()
    last = done[-1]
    if last.stage.name in ("bands", "reduced") or not can_complete(shape):
        found += last.classes()
        return 0.0
    # In a chain each class under permutations is completed by itself, so that whatever a later stage
    # claims to be alike is held against counts.
    finer = last if name is not None else done[2]
    with time_left(settings, clock) as left:
        found += last.classes(check_completions(finer, last, left))
    return time.perf_counter() - started


def _bands_as_json(
    box: Box, done: Sequence[StageResult], found: Sequence[BandClass], seconds: float | None
) -> dict[str, Any]:
    return {
        "box": str(box),
        "stages": [
            {"name": each.stage.name, "count": each.count, "seconds": round(each.seconds, 6)} for each in done
        ],
        "classes": [
            {
                "representative": box.line(each.representative),
                "bands": each.bands,
                "completions": None if each.completions is None else str(each.completions),
            }
            for each in found
        ],
        "completions_seconds": None if seconds is None else round(seconds, 6),
    }


def _bands_as_text(box: Box, done: Sequence[StageResult], found: Sequence[BandClass], seconds: float) -> str:
    from ktsolve.sudoku.stages import total_of

    rows = [(each.stage.name, str(each.count), f"{each.seconds:.3f}", each.stage.title) for each in done]
    lines = aligned(("stage", "count", "seconds", ""), rows, "lrrl")
    if found and found[0].completions is not None:
        total = total_of(found, box)
        lines += ["", f"completions of {len(found)} classes in {seconds:.3f} s: sudoku {box}: {total} grids"]
    return "\n".join(lines)
