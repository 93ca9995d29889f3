"""``ktsolve sudoku count`` and ``bands``: the number of all grids, and classes of bands."""

from __future__ import annotations

from typing import Annotated

from ktsolve.base.errors import LimitReached
from ktsolve.base.text import csv_text
from ktsolve.cli import options as opt
from ktsolve.cli.output import emit, emit_json, with_progress
from ktsolve.cli.output_format import COUNT, TABLE, Writes
from ktsolve.cli.tour_output import emit_picture
from ktsolve.grids.box import Box

BoxOption = Annotated[str, opt.problem_option("--box", "Rows and columns of a sudoku box.", "RxC")]

COUNTED = Writes("a count", TABLE.formats)
"""What ``sudoku count`` writes."""

BANDS = Writes("a table of bands", COUNT.formats)
"""What ``sudoku bands`` writes."""


@opt.takes_work("timeout", "threads", "memory")
@opt.takes_output(writes=COUNTED)
def count(
    *,
    box: BoxOption = "3x3",
    classes: Annotated[
        bool, opt.problem_option("--up-to-symmetry", "Up to symmetry, by Burnside's lemma.")
    ] = False,
    only_estimate: opt.EstimateOption = False,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Count all grids, or the essentially different ones.

    The boxes have R rows and C columns.

    Examples
    --------
    ktsolve sudoku count                             # 6670903752021072936960 grids
    ktsolve sudoku count --box 2x3 --up-to-symmetry  # essentially different ones
    ktsolve sudoku count --box 3x4 --estimate        # the cost
    """
    from ktsolve.wings.sudoku.grids import GridCount, count_grids, estimate_grids
    from ktsolve.wings.sudoku.symmetries import essentially_different

    shape = Box.parse(box)
    settings = work.settings
    if only_estimate:
        expected = estimate_grids(shape)
        out.emit({"box": str(shape), "estimate": expected.to_json()}, f"sudoku {shape}: {expected}")
        return 0
    with out.reporting(settings, f"sudoku {shape}", {"box": str(shape), "count": None}) as settings:
        found = essentially_different(shape, settings) if classes else count_grids(shape, settings)
    text = str(found) if isinstance(found, GridCount) else found.text(out.width)
    if out.csv:
        if isinstance(found, GridCount):
            emit(csv_text(("box", "grids"), [(shape, found.total)]), out.output)
        else:
            emit(found.csv(), out.output)
        return 0
    out.emit({"box": str(shape), **found.to_json()}, text, f"{found.seconds:.3f} s")
    return 0


@opt.takes_work("timeout")
@opt.takes_output(writes=BANDS)
def bands(
    *,
    box: BoxOption = "3x3",
    stage: Annotated[
        str | None,
        opt.problem_option(
            "--stage", "Only bands, reduced, permutations, rectangles, subsets or column-sets.", "NAME"
        ),
    ] = None,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Classify the top bands in stages, and count their completions.

    Examples
    --------
    ktsolve sudoku bands --box 2x3        # all stages
    ktsolve sudoku bands --box 2x3 --csv  # the classes
    """
    from ktsolve.wings.sudoku.picture import digits_of
    from ktsolve.wings.sudoku.stages import Classification

    found = Classification(Box.parse(box))
    settings = work.settings
    try:
        with with_progress(settings, f"bands {found.box}", quiet=out.quiet) as shown:
            found.run(stage, shown)
    except (LimitReached, KeyboardInterrupt) as stop:
        if out.json:
            emit_json({**found.to_json(), "reason": str(stop) or "interrupted"}, out.output)
        raise
    if out.csv:
        emit(found.csv(), out.output)
    elif out.form.holds == "picture":
        emit_picture(digits_of(found.to_json()), out)
    else:
        out.emit(found.to_json(), found.text(out.width))
    return 0
