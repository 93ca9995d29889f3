"""``ktsolve count`` and ``ktsolve sequence``: exact numbers of tours, also of strips of all lengths."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from enum import Enum
from inspect import Parameter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.guard import stand_down
from ktsolve.base.limits import Clock
from ktsolve.base.text import plural
from ktsolve.cli import options as opt
from ktsolve.cli.output import check_writable, emit, emit_json, long_numbers, remark, with_progress, writing
from ktsolve.cli.output_format import CERTIFICATE, COUNT, SEQUENCE
from ktsolve.cli.problem_options import BATCH, ListLines, ProblemSpec, answer_each, takes_problem
from ktsolve.cli.tour_output import emit_picture
from ktsolve.graphs.board import needs_board
from ktsolve.render.text_table import Column, fitted, shortened, wrapped

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.engines.integer_sequences import GeneratingFunction
    from ktsolve.engines.interface import Estimate
    from ktsolve.engines.strip.joined import JoinedStrip
    from ktsolve.engines.strip.shape import StripShape
    from ktsolve.engines.strip.transfer import Transfer
    from ktsolve.problem.obstruction import Obstruction
    from ktsolve.problem.problem import TourProblem
    from ktsolve.tasks.count_answer import CountAnswer, CountTable
    from ktsolve.tasks.graph_list import GraphBatch


class By(str, Enum):
    """Classes of open tours."""

    start = "start"
    endpoints = "endpoints"


@takes_problem(without=("format",))
@opt.takes_work("solver", "timeout", "threads", "memory", "spill", "disk")
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
    by_length: Annotated[
        bool,
        opt.problem_option("--by-length", "Count all cycles, or paths, by length; not only tours."),
    ] = False,
    certificate: Annotated[
        str | None,
        opt.file_option(
            "--certificate",
            "Write a certificate of the count of a narrow graph.",
            "FILE",
            callback=check_writable,
        ),
    ] = None,
    engine: opt.EngineOption = "auto",
    work: opt.WorkOptions,
    only_estimate: opt.EstimateOption = False,
    verbose: Annotated[
        bool, opt.output_option("--verbose", "Print the plan; show the traceback of an internal error.")
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
    ktsolve count graph:grid:7x7 --by-length # all cycles
    """
    settings = work.settings
    if classes and (directed or by is not None):
        raise BadInput("--up-to-symmetry counts undirected tours of all ends: leave out --directed and --by")
    table = _table(
        {
            "--by-uses": None if by_uses is None else f"uses:{by_uses}",
            "--by-moves": "moves" if by_moves else None,
            "--by-steps": None if by_steps is None else f"steps:{by_steps}",
            "--by-length": "length" if by_length else None,
            "--by": "ends" if by is By.endpoints else by and by.value,
            "--up-to-symmetry": "symmetry" if classes else None,
        },
        {"--directed": directed, "--estimate": only_estimate},
        out,
    )

    CERTIFICATE.form(certificate, option="--certificate")
    if certificate is not None and (certificate == "-" or table is not None or only_estimate):
        raise BadInput("--certificate FILE is about one number: leave out tables, --estimate and -")

    @long_numbers()
    def answer(problem: TourProblem, settings: Settings, out: opt.OutputOptions) -> int:
        if only_estimate or verbose:
            from ktsolve.tasks.count import estimate

            chosen, expected = estimate(problem, engine, settings, table if by else None)
            if only_estimate:
                _emit_estimate(problem, chosen, expected, settings, out, whole=not by)
                return 0
            remark(f"{chosen}{'' if expected is None else ': ' + expected.plan}", quiet=out.quiet)
        clock = Clock(settings)
        if certificate is not None:
            from ktsolve.proof.maker import certify_count, check_countable

            check_countable(problem)
        counted = _counted(problem, table, directed, engine, settings, out)
        _emit(problem, counted, directed, out)
        if certificate is not None:
            text = certify_count(problem, counted.count, clock.within(settings)).to_text()
            write(text)
            remark(f"certificate of {len(text):,} bytes, checked, in {certificate}", quiet=out.quiet)
        return 0

    total = table is None and not (only_estimate or verbose)
    plain = total and not (directed or certificate) and engine == "auto" and out.form.name in ("text", "json")
    lines = ListLines("cycles" if spec.closed else "paths", _list_line, _list_json) if plain else None
    with writing(certificate) as write:
        return answer_each(spec, settings, out, answer, any_size=total, lines=lines)


def _list_total(batch: GraphBatch, place: int) -> int:
    return int(batch["cycles" if "cycles" in batch.arrays else "paths"][place])


def _list_line(batch: GraphBatch, place: int, stated: str, why: Obstruction | None) -> str:
    """The line about a graph of a list, as :func:`_conclusion` writes it."""
    vertices, edges = int(batch["vertices"][place]), int(batch["edges"][place])
    kind, total = "closed" if "cycles" in batch.arrays else "open", _list_total(batch, place)
    of, way, edge = (
        ("directed graph", "directed", "arc") if batch["directed"][place] else ("graph", "undirected", "edge")
    )
    ground = f"{of} of {vertices} {plural(vertices, 'vertex')} and {edges} {plural(edges, edge)}"
    reason = "" if why is None else f": {why}"
    return f"{kind} {ground}{stated}: {total} {way} {plural(total, 'tour')}{reason}"


def _list_json(
    problem: TourProblem, batch: GraphBatch, place: int, why: Obstruction | None
) -> dict[str, Any]:
    """The JSON about a graph of a list, as that of other counts."""
    from ktsolve.tasks.count_answer import CountAnswer

    total = _list_total(batch, place)
    work: dict[str, Any] = {"engine": BATCH, "seconds": batch.seconds / len(batch)}
    reason = "" if why is None else str(why)
    return CountAnswer(total, total * problem.directions, problem=problem, reason=reason, **work).to_json()


def _table(tables: dict[str, str | None], others: dict[str, bool], out: opt.OutputOptions) -> str | None:
    """The table of the given option, or None. Raises BadInput for options that do not go together."""
    given = {option: by for option, by in tables.items() if by is not None}
    if out.csv and not given:
        raise BadInput(f"csv holds a table of counts: give one of {', '.join(tables)}")
    if len(given) > 1:
        first, second = list(given)[:2]
        raise BadInput(f"{first} and {second} are two tables: give one of them")
    option, by = next(iter(given.items()), ("", None))
    drawn = out.form.holds == "picture"
    if drawn and (others["--estimate"] or option not in ("--by", "--by-moves")):
        add = "add --by-moves, --by start or --by endpoints"
        raise BadInput(f"{out.form.name} shows counts by moves or by ends: {add}")
    if option.startswith("--by-") and any(others.values()):
        wrong = next(other for other, is_given in others.items() if is_given)
        raise BadInput(f"a table does not go together with {wrong}: leave it out")
    return by


def _counted(
    problem: TourProblem,
    by: str | None,
    directed: bool,
    engine: str,
    settings: Settings,
    out: opt.OutputOptions,
) -> CountAnswer | CountTable:
    from ktsolve.tasks.count import count as count_tours
    from ktsolve.tasks.count_answer import CountRow, CountTable, problem_as_json
    from ktsolve.tasks.count_total import count_by_ends, endpoint_classes

    if out.form.holds == "picture":
        needs_board(problem.ground, "a picture of counts")
    one_way = directed or problem.ground.directed or (by is not None and by.startswith("steps:"))
    unknown = {**problem_as_json(problem), "count": None, "directed": one_way, "engine": engine}
    if by in (None, "start", "ends"):
        unknown["peak_bytes"] = None
    rows: list[CountRow] = []
    with out.reporting(settings, str(problem), unknown) as watched:
        try:
            if by is None:
                return count_tours(problem, engine, watched)
            if by in ("start", "ends"):
                return count_by_ends(problem, by, engine, watched, rows.append)
            return count_tours(problem, engine, watched, by=by)
        except (LimitReached, KeyboardInterrupt) as stop:
            if rows and by and out.form.holds != "picture":
                stand_down()
                partial = CountTable(0, by, tuple(rows), problem, 0, engine=engine)
                unknown |= _emit_partial(problem, partial, len(endpoint_classes(problem, by)), directed, out)
            elif by and type(stop) is LimitReached:
                raise type(stop)(f"{stop}; no row of the table is known yet") from None
            raise


def _emit_partial(
    problem: TourProblem, table: CountTable, every: int, directed: bool, out: opt.OutputOptions
) -> dict[str, Any]:
    """Write the classes that were counted before a limit, unless as JSON; what JSON says of them."""
    number = len(table.rows)
    if out.csv:
        emit(table.to_csv(directed), out.output)
    elif not out.json:
        end = f"{problem}: {number} of {every} classes counted, each exactly; the total is unknown"
        emit(_table_as_text(problem, table, directed, out.width, end), out.output)
    classes = table.to_json(directed)["classes"]
    return {"complete": False, "counted": number, "total": every, "classes": classes}


def _emit(
    problem: TourProblem, counted: CountAnswer | CountTable, directed: bool, out: opt.OutputOptions
) -> None:
    from ktsolve.tasks.count_answer import CountAnswer

    if isinstance(counted, CountAnswer):
        total = counted.directed if directed else counted.count
        text = _conclusion(problem, counted, total, directed)
    elif out.csv:
        emit(counted.to_csv(directed), out.output)
        return
    else:
        text = _table_as_text(problem, counted, directed, out.width)
    data = counted.to_json(directed)
    if out.form.holds == "picture":
        from ktsolve.render.subjects import counts_of_result

        emit_picture(counts_of_result(data), out)
        remark(text, quiet=out.quiet)
        return
    out.emit(data, text, _note(counted))


def _note(counted: CountAnswer | CountTable) -> str:
    """The engines, the time, and the memory where it is known."""
    from ktsolve.tasks.count_answer import CountAnswer

    rows = () if isinstance(counted, CountAnswer) else counted.rows
    names = dict.fromkeys((counted.engine, *(row.engine for row in rows if row.engine)))
    engines = ", ".join(name for name in names if name != "arithmetic") or "arithmetic"
    size = "" if counted.peak_bytes is None else f", {counted.peak_bytes / 1e6:.1f} MB of states"
    return f"{engines}, {counted.seconds:.3f} s{size}"


def _conclusion(problem: TourProblem, counted: CountAnswer | CountTable, total: int, one_way: bool) -> str:
    from ktsolve.tasks.count_answer import CountAnswer

    way = "directed" if one_way or problem.ground.directed else "undirected"
    reason = f": {counted.reason}" if counted.reason else ""
    what = "tours" if isinstance(counted, CountAnswer) else counted.noun
    return f"{problem}: {total} {way} {plural(total, what[:-1])}{reason}"


_DROPPED = {"class of": 2, "share": 1, "elements": 1}
"""Columns that are left out where a table is too wide, those of the greatest number first."""


def _table_as_text(
    problem: TourProblem, table: CountTable, directed: bool, width: int | None, conclusion: str = ""
) -> str:
    ground = problem.ground
    heads, numbers = table.table(directed)
    rows = [tuple(map(str, row)) for row in numbers]
    lines: list[str] = []
    means = []
    if table.by == "uses":
        lines += _in_blocks(heads, rows, width) if rows else []
        for each in table.sets if rows else ():
            noun = ground.nouns.moves if len(each) > 1 else ground.nouns.move
            means.append(f"{each.name}: {float(table.means[each.name]):.4f} of {len(each)} {noun} on average")
    elif rows:
        named = table.by not in ("steps", "length")
        columns = [
            Column(head, "l" if named and not place else "r", named and not place, _DROPPED.get(head, 0))
            for place, head in enumerate(heads)
        ]
        lines += fitted(columns, rows, width)
        if table.by == "steps":
            means += [f"{name}: step {float(mean):.4f} on average" for name, mean in table.means.items()]
    conclusion = conclusion or _conclusion(problem, table, table.total(directed), table.one_way(directed))
    if table.by == "start" and rows and not table.one_way(directed) and len(ground) > 1:
        conclusion += ", each counted from both its ends above"
    if table.classes is not None:
        total = sum(row.multiplicity * row.count for row in table.rows)
        conclusion += f", {table.classes} {plural(table.classes, 'class')} = {total} / {table.order}"
    if lines:
        lines.append("")
    return "\n".join([*lines, *(line for text in (*means, conclusion) for line in wrapped(text, width))])


def _in_blocks(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int | None) -> list[str]:
    """The lines of a table of numbers; columns that do not fit follow in further blocks, after the first."""

    def lines_of(these: Sequence[int], width: int | None = None) -> list[str]:
        return fitted(
            [Column(heads[i], "r") for i in these], [[row[i] for i in these] for row in rows], width
        )

    blocks: list[list[int]] = []
    for i in range(1, len(heads)):
        if blocks and (width is None or len(lines_of([0, *blocks[-1], i])[0]) <= width):
            blocks[-1].append(i)
        else:
            blocks.append([i])
    lines: list[str] = []
    for block in blocks:
        lines += [*([""] if lines else []), *lines_of([0, *block], width)]
    return lines


def _emit_estimate(
    problem: TourProblem,
    engine: str,
    expected: Estimate | None,
    settings: Settings,
    out: opt.OutputOptions,
    *,
    whole: bool,
) -> None:
    """Print what a count will cost; of a ``whole`` one the number as well, if it is known."""
    from ktsolve.base.units import shown_bytes, shown_seconds
    from ktsolve.tasks.count_answer import problem_as_json
    from ktsolve.verify.published import known_value

    data = {**problem_as_json(problem), "engine": engine, "estimate": None}
    known = known_value(problem) if whole else None
    lines = []
    if known is not None:
        data["known"] = {"count": str(known.count), "source": known.source}
        lines.append(f"known: {known.count} undirected tours ({known.source})")
    if expected is None:
        out.emit(data, "\n".join([f"{problem}: engine {engine} makes no prediction", *lines]))
        return
    data["estimate"] = {
        key: value if isinstance(value, str | bool) else float(f"{value:.3g}")
        for key, value in vars(expected).items()
    }
    lines = [f"{problem}: engine {engine}", *lines, expected.plan]
    states = f"{expected.states:.1e} states at once, " if expected.states else ""
    lines.append(f"about {states}{shown_bytes(expected.bytes)} of memory")
    if expected.disk:
        limit = shown_bytes(settings.memory_limit)
        lines[-1] += f" (the limit is {limit}), {shown_bytes(expected.disk)} of disk"
    lines.append(f"about {shown_seconds(expected.seconds)} with {settings.thread_budget} threads")
    out.emit(data, "\n".join(lines))


# -- strips of all lengths -----------------------------------------------------------------------------------

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

    The transfer of one column is compiled once; wide strips are counted by half tables, made in one sweep.
    Undirected; rotations and reflections count as different.

    Examples
    --------
    ktsolve sequence 3xN --upto 40              # closed tours of 3x1 to 3x40
    ktsolve sequence 3xN --generating-function  # for all lengths, proved
    ktsolve sequence 4xN --open --format bfile  # lines as OEIS has them
    """
    from ktsolve.engines.integer_sequences import derived
    from ktsolve.engines.join.engine import JoinEngine
    from ktsolve.engines.strip.engine import StripEngine
    from ktsolve.engines.strip.joined import are_joined
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
    joined = are_joined(shape) and not generating_function
    engine = JoinEngine.name if joined else StripEngine.name
    counts: list[str] = []
    data: dict[str, Any] = {
        "strip": str(shape),
        "kind": "closed" if shape.closed else "open",
        "width": shape.width,
        "leaper": list(shape.leaper),
        "wrapped": shape.wrapped,
        "engine": engine,
        "counts": counts,
    }
    started = time.perf_counter()
    clock = Clock(settings)
    with (
        out.stopping(data),
        with_progress(settings, str(shape), quiet=out.quiet) as shown,
        writing(None if out.json else out.output) as write,
    ):
        if most and form == "csv":
            write("length,tours")

        def add(length: int, count: int) -> None:
            counts.append(str(count) if out.json else "")
            if not out.json:
                write(_line(length, count, most, form, out.width or _COLUMNS))

        counter, note = _lengths_counted(shape, most, shown, add, data, compiled=generating_function)
        if generating_function and isinstance(counter, Transfer):
            function = derived(counter, clock.within(shown))
            data["generating_function"] = _as_json(function)
            if not out.json:
                write(_as_text(function, out.width))
    seconds = time.perf_counter() - started
    if out.json:
        emit_json({**data, "seconds": round(seconds, 6)}, out.output)
    else:
        remark(f"{engine}, {note}, {seconds:.3f} s", quiet=out.quiet)
    return 0


def _lengths_counted(
    shape: StripShape,
    most: int,
    settings: Settings,
    add: Callable[[int, int], None],
    data: dict[str, Any],
    *,
    compiled: bool,
) -> tuple[Transfer | JoinedStrip, str]:
    """What counted the lengths to ``most``, and a remark about it; its figures go to the data."""
    from ktsolve.base.units import shown_bytes
    from ktsolve.engines.strip.transfer import Transfer
    from ktsolve.tasks.count import strip_counter

    clock = Clock(settings)
    counter, early = strip_counter(shape, most, settings, add, compiled=compiled)
    if isinstance(counter, Transfer):
        data |= {name: getattr(counter, name) for name in ("dimension", "states", "peak_bytes")}
    for length, count in enumerate(counter.counts(most, clock.within(settings)), 1):
        if length > early:
            add(length, count)
    if isinstance(counter, Transfer):
        return counter, f"{counter.states:,} states, dimension {counter.dimension:,}"
    data["peak_bytes"] = counter.peak_bytes
    return counter, f"{shown_bytes(counter.peak_bytes)} of tables"


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
