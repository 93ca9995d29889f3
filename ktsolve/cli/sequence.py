"""``ktsolve sequence``: the numbers of tours of strips of all lengths."""

from __future__ import annotations

import time
from inspect import Parameter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.base.errors import BadInput
from ktsolve.cli import options as opt
from ktsolve.cli.output import emit_json, long_numbers, remark, with_progress, writing
from ktsolve.cli.output_format import SEQUENCE
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.render.text_table import shortened, wrapped

if TYPE_CHECKING:
    from ktsolve.engines.integer_sequences import GeneratingFunction

_COLUMNS = 80  # columns of a table that does not go to a terminal
_WIDE = 60  # digits up to which the table shows a number in full

StripArgument = Annotated[
    str, typer.Argument(metavar="STRIP", help="Width and N, such as 5xN or Nx5, or graph:king:5xN.")
]


@takes_problem("board", "closed", "leaper", "wrap", board=(StripArgument, Parameter.empty))
@opt.takes_work("timeout", "threads", "memory")
@opt.takes_output(writes=SEQUENCE)
@long_numbers()
def sequence(
    *,
    spec: ProblemSpec,
    upto: Annotated[
        int | None,
        opt.problem_option(
            "--upto", "Greatest length. Default: 20, or none with a generating function.", "N"
        ),
    ] = None,
    generating_function: Annotated[
        bool,
        opt.problem_option("--generating-function", "The recurrence, proved; no numbers without --upto."),
    ] = False,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Count the tours of strips of all lengths: of 5xN for each N.

    The transfer of one column is compiled once. Undirected; rotations and reflections count as different.

    Examples
    --------
    ktsolve sequence 3xN --upto 40              # closed tours of 3x1 to 3x40
    ktsolve sequence 3xN --generating-function  # for all lengths, proved
    ktsolve sequence 4xN --open --format bfile  # lines as OEIS has them
    """
    from ktsolve.base.limits import Clock
    from ktsolve.engines.integer_sequences import derived
    from ktsolve.engines.strip.engine import StripEngine
    from ktsolve.engines.strip.shape import StripShape
    from ktsolve.engines.strip.transfer import Transfer
    from ktsolve.tasks.count import check_upto

    settings = work.settings
    form = out.form.name
    if generating_function and form in ("bfile", "csv"):
        raise BadInput(f"--format {form} has no place for a generating function: use --json")
    shape = StripShape.parse(spec.board, closed=spec.closed, leaper=spec.leaper, wrap=spec.wrap)
    most = upto if upto is not None else 0 if generating_function else 20
    if upto is not None:
        check_upto(upto)
    counts: list[str] = []
    data: dict[str, Any] = {
        "strip": str(shape),
        "kind": "closed" if shape.closed else "open",
        "width": shape.width,
        "leaper": list(shape.leaper),
        "wrapped": shape.wrapped,
        "engine": StripEngine.name,
        "counts": counts,
    }
    started = time.perf_counter()
    clock = Clock(settings)
    with (
        out.stopping(data),
        with_progress(settings, str(shape), quiet=out.quiet) as shown,
        writing(None if out.json else out.output) as write,
    ):
        transfer = Transfer(shape, shown)
        data |= {name: getattr(transfer, name) for name in ("dimension", "states", "peak_bytes")}
        if most and form == "csv":
            write("length,tours")
        for length, count in enumerate(transfer.counts(most, clock.within(shown)), 1):
            if out.json:
                counts.append(str(count))
            else:
                write(_line(length, count, most, form, out.width or _COLUMNS))
        if generating_function:
            function = derived(transfer, clock.within(shown))
            data["generating_function"] = _as_json(function)
            if not out.json:
                write(_as_text(function, out.width))
    seconds = time.perf_counter() - started
    if out.json:
        emit_json({**data, "seconds": round(seconds, 6)}, out.output)
    else:
        note = f"{transfer.states:,} states, dimension {transfer.dimension:,}, {seconds:.3f} s"
        remark(f"{StripEngine.name}, {note}", quiet=out.quiet)
    return 0


def _line(length: int, count: int, most: int, form: str, width: int) -> str:
    if form == "bfile":
        return f"{length} {count}"
    if form == "csv":
        return f"{length},{count}"
    before = f"{length:>{len(str(most))}}  "
    return before + shortened(str(count), min(_WIDE, width - len(before)))


def _as_json(function: GeneratingFunction) -> dict[str, Any]:
    return {
        "numerator": [str(each) for each in function.numerator],
        "denominator": [str(each) for each in function.denominator],
        "order": function.order,
        "step": function.step,
        "proved": True,
        "dimension": function.dimension,
        "terms": function.checked,
    }


def _as_text(function: GeneratingFunction, width: int | None) -> str:
    return "\n".join([*wrapped(function.proof, width), *wrapped(function.text(), width or _COLUMNS, "  ")])
