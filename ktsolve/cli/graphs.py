"""``ktsolve graphs``: filter a list of graphs, or decide and count for each of its graphs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of, unknown
from ktsolve.cli import options as opt
from ktsolve.cli.input import name_of
from ktsolve.cli.output import JsonWithList, emit_json, remark, with_progress, writing
from ktsolve.cli.output_format import GRAPHS
from ktsolve.cli.problem_options import KeepGoingOption
from ktsolve.graphs.properties import COLUMNS, COUNTS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.tasks.graph_list import GraphBatch

_PROPERTIES = tuple(name for name in COLUMNS if name not in COUNTS)

_WIDTH = 10  # columns of a number in the table


@opt.takes_work("timeout", "threads", "memory")
@opt.takes_output("json", "output", "quiet", writes=GRAPHS)
def graphs(
    *,
    file: Annotated[
        str,
        typer.Argument(metavar="FILE|-", help="graph6, sparse6, digraph6 or planar code, also compressed."),
    ],
    where: Annotated[
        str | None,
        opt.problem_option("--where", f"Only graphs with all of these: {', '.join(_PROPERTIES)}.", "LIST"),
    ] = None,
    invert: Annotated[
        bool, opt.problem_option("--invert -v", "Only the graphs that --where leaves out.")
    ] = False,
    columns: Annotated[
        str | None,
        opt.problem_option(
            "--columns", "A table of these: properties as for --where, cycles, paths.", "LIST"
        ),
    ] = None,
    number: Annotated[bool, opt.output_option("--count -c", "Print only the number of graphs.")] = False,
    check: Annotated[
        bool, opt.engine_option("--check", "Confirm every no and every count, not only one of 64.")
    ] = False,
    keep_going: KeepGoingOption = False,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Filter a list of graphs, or decide and count for each of them.

    With --where the output is the graphs, a line each; with --columns it is a table, with neither a table of
    the Hamiltonian ones. Every cycle is checked before a graph counts as Hamiltonian.

    Examples
    --------
    ktsolve graphs list.g6 --where hypohamiltonian   # the graphs themselves
    ktsolve graphs list.g6 --where hamiltonian -v    # those without a cycle; - reads a pipe
    ktsolve graphs list.g6.gz --where traceable -c   # how many
    ktsolve graphs list.g6 --columns cycles,paths    # a table of counts
    """
    from ktsolve.formats.sources import graph_lines
    from ktsolve.tasks.graph_list import ListAnswers, ListTask

    wanted = named("--where", where, _PROPERTIES)
    shown = named("--columns", columns, COLUMNS)
    if invert and not wanted:
        raise BadInput("--invert is about the graphs of --where: give --where hamiltonian, for example")
    if number and (columns is not None or out.form.holds == "graph" or out.csv or out.json):
        raise BadInput("--count prints one number: leave out --columns and formats")
    if out.form.holds == "graph" and columns is not None:
        raise BadInput(f"{out.given_form} holds graphs without columns: leave out --columns, or use csv")
    if not wanted and not shown:
        shown = ("hamiltonian",)
    bad: list[str] = []

    def bad_line(message: str) -> None:
        bad.append(message)
        remark(f"ktsolve: {message}")

    task = ListTask(tuple(dict.fromkeys((*wanted, *shown))), check, bad_line if keep_going else None)
    lines = out.form.holds == "graph" or (out.form.name == "text" and columns is None and bool(wanted))
    writer = _nothing if number else _lines if lines else _json if out.json else _table
    started = time.perf_counter()
    settings = work.settings
    matching = 0
    with (
        with_progress(settings, name_of(file), quiet=out.quiet) as watched,
        writer(("graph", "vertices", "edges", *shown), out) as write,
    ):
        source = sys.stdin.buffer if file == "-" else Path(file)
        pieces = graph_lines(source, settings, name_of(file))
        answers = ListAnswers(pieces, task, settings, name_of(file))
        for batch in answers:
            chosen = batch["good"].copy()
            if wanted:
                chosen &= batch.all_of(wanted) ^ invert
            matching += int(chosen.sum())
            write(batch, chosen)
            if watched.progress is not None:
                watched.progress(None, f"{answers.graphs + len(batch):,} graphs, {matching:,} of them wanted")
    if number:
        with writing(out.output) as write_line:
            write_line(str(matching))
    note = (
        f"{answers.confirmed:,} answers confirmed by a second method, {time.perf_counter() - started:.3f} s"
    )
    which = (
        f"{matching:,} of {number_of(answers.graphs - len(bad), 'graph')}"
        if wanted
        else f"{matching:,} graphs"
    )
    failed = f", {number_of(len(bad), 'bad line')}" if bad else ""
    remark(f"{which}{failed}, {note}", quiet=out.quiet)
    return BadInput.exit_status if bad else 0


def named(option: str, given: str | None, known: Any) -> tuple[str, ...]:
    """The names of a list that is separated by commas, each once."""
    if given is None:
        return ()
    names = tuple(dict.fromkeys(name for each in given.split(",") if (name := each.strip())))
    if not names:
        raise BadInput(f"{option} has no names: use {', '.join(known)}")
    for name in names:
        if name not in known:
            raise unknown(option, name, known)
    return names


# -- output --------------------------------------------------------------------------------------------------

_Write = Callable[["GraphBatch", "NDArray[np.bool_]"], None]


@contextmanager
def _nothing(_heads: tuple[str, ...], _out: opt.OutputOptions) -> Iterator[_Write]:
    yield lambda _batch, _chosen: None


@contextmanager
def _lines(_heads: tuple[str, ...], out: opt.OutputOptions) -> Iterator[_Write]:
    """The chosen graphs as they were read."""
    with writing(out.output) as write:

        def each(batch: GraphBatch, chosen: NDArray[np.bool_]) -> None:
            if chosen.any():
                write("\n".join(batch.lines(chosen)))

        yield each


def _rows(batch: GraphBatch, chosen: NDArray[np.bool_], heads: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    columns = [batch[name][chosen].tolist() for name in heads]
    return zip(*columns, strict=True)


@contextmanager
def _table(heads: tuple[str, ...], out: opt.OutputOptions) -> Iterator[_Write]:
    """A row for each chosen graph, as CSV or in columns of fixed width."""
    widths = [max(len(name), _WIDTH) for name in heads]
    words = {True: "yes", False: "no"}

    def cells(row: tuple[Any, ...]) -> Iterator[str]:
        return (words[each] if isinstance(each, bool) else str(each) for each in row)

    def text(row: tuple[Any, ...]) -> str:
        return "  ".join(cell.rjust(width) for cell, width in zip(cells(row), widths, strict=True))

    with writing(out.output) as write:
        head = [",".join(heads) if out.csv else text(heads)]

        def each(batch: GraphBatch, chosen: NDArray[np.bool_]) -> None:
            rows = _rows(batch, chosen, heads)
            lines = [*head, *(",".join(cells(row)) if out.csv else text(row) for row in rows)]
            head.clear()
            if lines:
                write("\n".join(lines))

        yield each
        if head:  # a list without graphs
            write(head[0])


@contextmanager
def _json(heads: tuple[str, ...], out: opt.OutputOptions) -> Iterator[_Write]:
    """One object with a list of objects; counts are text, as everywhere."""
    with JsonWithList({"columns": list(heads)}, "graphs", out.output) as listed:

        def each(batch: GraphBatch, chosen: NDArray[np.bool_]) -> None:
            for row, line in zip(_rows(batch, chosen, heads), batch.lines(chosen), strict=True):
                entry = dict(zip(heads, row, strict=True))
                listed.add({**entry, **{k: str(entry[k]) for k in COUNTS if k in entry}, "line": line})

        yield each
        if listed.entries:
            listed.end({"complete": True})
        else:
            emit_json({"columns": list(heads), "graphs": [], "complete": True}, out.output)
