"""Results as aligned Markdown tables."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence

from cases import TABLES, TARGETS, Case
from measure import Limits, Measured, Sample

__all__ = ["Results", "table_texts"]

Results = Mapping[tuple[str, str], Measured]
"""Measurements, by path of the case and name of the contender."""

_Figure = Callable[[Sample], float | None]


def _wall(sample: Sample) -> float | None:
    return sample.wall


def _cpu(sample: Sample) -> float | None:
    return sample.cpu


def _work(sample: Sample) -> float | None:
    return sample.work


def _work_cpu(sample: Sample) -> float | None:
    return sample.work_cpu


def _megabytes(sample: Sample) -> float | None:
    return sample.peak_bytes / 1e6


def _phase(name: str) -> _Figure:
    return lambda sample: sample.phases.get(name)


def _detail(name: str) -> _Figure:
    return lambda sample: sample.details.get(name)


# -- cells ----------------------------------------------------------------------------------------------


def seconds(value: float | None) -> str:
    """Return seconds with at most three digits."""
    if value is None:
        return ""
    if value >= 100:
        return f"{value:.0f}"
    if value >= 10:
        return f"{value:.1f}"
    if value >= 1:
        return f"{value:.2f}"
    return f"{value:.3f}" if value >= 0.01 else f"{value:.4f}"


def _whole_number(value: float | None) -> str:
    return "" if value is None else f"{round(value):,}"


def _median_and_least(measured: Measured, figure: _Figure) -> str:
    values = measured.values(figure)
    if not values or measured.failure is not None:
        return ""
    median, least = seconds(statistics.median(values)), seconds(min(values))
    return f"{median} ({least})" if len(values) > 1 else median


def _median(measured: Measured, figure: _Figure) -> str:
    return seconds(measured.median(figure))


def _most(measured: Measured, figure: _Figure) -> str:
    values = measured.values(figure)
    return f"{max(values):.0f}" if values and measured.failure is None else ""


def _number(measured: Measured, figure: _Figure) -> str:
    return _whole_number(measured.median(figure))


def ratio(measured: Measured, first: Measured, figure: _Figure, limits: Limits) -> str:
    """Return the ratio to the first contender: the median over pairs of consecutive runs."""
    base = first.median(figure)
    if base is None or not base:
        return ""
    failure = measured.failure
    if failure is not None:
        beyond = failure.status == "time limit" and figure is _work
        return f"> {_times(limits.seconds / base)}" if beyond else ""
    pairs = zip(measured.samples, first.samples, strict=False)
    ratios = [a / b for x, y in pairs if (a := figure(x)) is not None and (b := figure(y))]
    return _times(statistics.median(ratios)) if ratios else ""


def _times(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.2g}"


def _failure(measured: Measured) -> str:
    failure = measured.failure
    if failure is None:
        return ""
    return f"**{failure.status}**: {failure.verdict or failure.reason}"


def _answer(measured: Measured) -> str:
    if measured.failure is not None:
        return _failure(measured)
    if not measured.samples:
        return "not run"
    sample = measured.samples[0]
    if sample.verdict is None:
        return "not checked"
    if sample.verdict.startswith("as published"):
        return _whole_number(sample.tours)
    if "published" in sample.verdict:
        return f"{_whole_number(sample.tours)} ({sample.verdict})"
    return sample.verdict


# -- tables ---------------------------------------------------------------------------------------------


def grid(head: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> str:
    """Return a Markdown table; the first ``left`` columns are left-aligned, the others right-aligned."""
    escaped = [[cell.replace("|", "\\|") for cell in row] for row in (head, *rows)]
    widths = [max(len(row[i]) for row in escaped) for i in range(len(head))]

    def line(row: Sequence[str]) -> str:
        cells = (
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        return f"| {' | '.join(cells)} |"

    rule = ["-" * width if i < left else "-" * (width - 1) + ":" for i, width in enumerate(widths)]
    return "\n".join([line(escaped[0]), line(rule), *(line(row) for row in escaped[1:])])


_Chosen = Sequence[tuple[Case, list[str]]]


def _each(chosen: _Chosen, table: str, results: Results) -> Iterator[tuple[Case, str, Measured, Measured]]:
    for case, contenders in chosen:
        if case.table == table:
            first = results.get((case.path, contenders[0]), Measured())
            for contender in contenders:
                yield case, contender, results.get((case.path, contender), Measured()), first


_COST = ("runs", "whole s", "CPU s", "RSS MB", "work s", "ratio", "work CPU s", "CPU ratio")


def _cost(measured: Measured, first: Measured, limits: Limits) -> list[str]:
    """Return the columns of _COST: first of the whole process, then of the work alone."""
    return [
        str(len(measured.samples)),
        _median_and_least(measured, _wall),
        _median(measured, _cpu),
        _most(measured, _megabytes),
        _median_and_least(measured, _work),
        ratio(measured, first, _work, limits),
        _median(measured, _work_cpu),
        ratio(measured, first, _work_cpu, limits),
    ]


def _counting(chosen: _Chosen, results: Results, limits: Limits) -> str:
    head = ["tours", "engine", "answer", *_COST, "states", "steps", "states MB"]
    rows = []
    for case, contender, measured, first in _each(chosen, "counting", results):
        peak = measured.median(_detail("peak_bytes"))
        steps = _number(measured, _detail("transitions")) or _number(measured, _detail("nodes"))
        rows.append(
            [
                case.title,
                contender,
                _answer(measured),
                *_cost(measured, first, limits),
                _number(measured, _detail("peak_states")),
                steps,
                "" if peak is None else f"{peak / 1e6:.2f}",
            ]
        )
    return grid(head, rows, 3) + (
        "\n\n*states*: most states at once; *steps*: transitions of the sweep, nodes of the search; *states "
        "MB*: memory of the states, as reported by the engine. *graphillion* uses every core, "
        "*graphillion-1* one."
    )


def _census(chosen: _Chosen, results: Results, limits: Limits) -> str:
    head = ["tours", "engine", "answer", *_COST, "states", "groups", "bytes/state", "steps"]
    head += ["patterns", "extended", "halves s", "join s", "states MB", "expected s", "expected MB"]
    rows = []
    for case, contender, measured, first in _each(chosen, "census", results):
        detail = {
            name: measured.median(_detail(name))
            for name in (
                *("states", "table_bytes", "halves_ms", "join_ms", "peak_bytes"),
                *("expected_ms", "expected_bytes"),
            )
        }
        states, table = detail["states"], detail["table_bytes"]
        halves, join, peak = detail["halves_ms"], detail["join_ms"], detail["peak_bytes"]
        rows.append(
            [
                case.title,
                contender,
                _answer(measured),
                *_cost(measured, first, limits),
                _number(measured, _detail("states")),
                _number(measured, _detail("groups")),
                "" if not states or table is None else f"{table / states:.1f}",
                _number(measured, _detail("transitions")),
                _number(measured, _detail("patterns")),
                _number(measured, _detail("extended")),
                "" if halves is None else f"{halves / 1000:.2f}",
                "" if join is None else f"{join / 1000:.2f}",
                "" if peak is None else f"{peak / 1e6:.0f}",
                "" if detail["expected_ms"] is None else f"{detail['expected_ms'] / 1000:.2g}",
                "" if detail["expected_bytes"] is None else f"{detail['expected_bytes'] / 1e6:.0f}",
            ]
        )
    return grid(head, rows, 3) + (
        "\n\n*states*, *groups*, *bytes/state*: size of the half tables, folded under the mirror image; "
        "*steps*: table entries processed to build them; *patterns*: joined patterns, one of every orbit; "
        "*extended*: table entries processed by the join; *expected*: the output of `--estimate`, to compare "
        "with *work s* and *states MB*."
    )


def _enumeration(chosen: _Chosen, results: Results, limits: Limits) -> str:
    head = ["tours", "engine", "listed", *_COST, "tours/s"]
    rows = []
    for case, contender, measured, first in _each(chosen, "enumeration", results):
        tours = (measured.good[0].tours or 0) if measured.good else 0
        work = measured.median(_work)
        rows.append(
            [
                case.title,
                contender,
                _answer(measured),
                *_cost(measured, first, limits),
                _whole_number(tours / work) if work else "",
            ]
        )
    return grid(head, rows, 3) + (
        "\n\n*ortools* lists every tour twice, once in each direction; *listed* and *tours/s* count "
        "undirected tours."
    )


def _construction(chosen: _Chosen, results: Results, limits: Limits) -> str:
    head = ["tour", "engine", "answer", *_COST, "state s", "solve s", "decode s"]
    rows = [
        [
            case.title,
            contender,
            _answer(measured),
            *_cost(measured, first, limits),
            *(_median(measured, _phase(name)) for name in ("state", "solve", "decode")),
        ]
        for case, contender, measured, first in _each(chosen, "construction", results)
    ]
    return grid(head, rows, 3) + (
        "\n\n*work* = *state* (from the question to a model) + *solve* (compiling the model for the solver, "
        "solving, cuts) + *decode* (from the solution to a tour)."
    )


def _startup(chosen: _Chosen, results: Results, limits: Limits) -> str:
    head = ["command", "answer", "runs", "whole s", "CPU s", "ratio", "RSS MB"]
    rows = [
        [
            f"`{contender}`" if contender.startswith(("ktsolve", "python")) else contender,
            _answer(measured),
            str(len(measured.samples)),
            _median_and_least(measured, _wall),
            _median(measured, _cpu),
            ratio(measured, first, _wall, limits),
            _most(measured, _megabytes),
        ]
        for _, contender, measured, first in _each(chosen, "startup", results)
    ]
    return grid(head, rows, 2)


def _orders(chosen: _Chosen, results: Results, limits: Limits) -> str:
    head = ["tours", "order", "answer", "width", "order s", "sweep s", "ratio of both"]
    head += ["states", "ratio", "steps", "estimate", "estimate / states"]
    rows = []
    for case, contender, measured, first in _each(chosen, "orders", results):
        states, estimate = measured.median(_detail("peak_states")), measured.median(_detail("estimate"))
        rows.append(
            [
                case.title,
                contender,
                _answer(measured),
                _number(measured, _detail("widest")),
                _median(measured, _phase("order")),
                _median(measured, _phase("sweep")),
                ratio(measured, first, _work, limits),
                _whole_number(states),
                ratio(measured, first, _detail("peak_states"), limits),
                _number(measured, _detail("transitions")),
                _whole_number(estimate),
                f"{estimate / states:.2g}" if states and estimate is not None else "",
            ]
        )
    text = grid(head, rows, 3)
    for which in dict.fromkeys(row[1] for row in rows):
        factors = sorted((float(row[-1]), row[0]) for row in rows if row[1] == which and row[-1])
        if factors:
            (least, easiest), (most, hardest) = factors[0], factors[-1]
            middle = statistics.median(factor for factor, _ in factors)
            text += (
                f"\n\nEstimate / states, {which}, {len(factors)} boards: from {least:.2g} ({easiest}) to "
                f"{most:.2g} ({hardest}), median {middle:.2g}."
            )
    return text


_FIGURES: dict[str, tuple[str, _Figure]] = {
    "work": ("s of work", _work),
    "solve": ("s of solving", _phase("solve")),
    "whole": ("s of the process", _wall),
    "memory": ("MB", _megabytes),
}


def _targets(chosen: _Chosen, results: Results, limits: Limits) -> str:
    head = ["target", "bound", "measured", "met", "work s", "work CPU s", "whole s", "CPU s", "RSS MB"]
    rows = []
    for target in TARGETS:
        measured = results.get((target.case, target.contender), Measured())
        promised, shown, met = "compared", "not in this run", "?"
        if target.figure is not None:
            unit, figure = _FIGURES[target.figure]
            promised = f"under {target.most:g} {unit}"
            memory = target.figure == "memory"
            value = measured.median(figure)
            if value is not None:
                value = max(measured.values(figure)) if memory else value
                shown = f"{value:.0f}" if memory else _median_and_least(measured, figure)
                met = "yes" if value < target.most else "**no**"
                if value >= target.most > min(measured.values(figure)):
                    met += "; yes in the best run"
                used = measured.median(_cpu if target.figure == "whole" else _work_cpu)
                if value >= target.most and not memory and used is not None and used < target.most:
                    met += f", for {seconds(used)} s of CPU time: the machine was busy"
        elif measured.good:
            shown, met = _median_and_least(measured, _work), "yes"
        if measured.failure is not None:
            shown, met = _failure(measured), "**no**"
        row = [target.text, promised, shown, met]
        row += [_median(measured, figure) for figure in (_work, _work_cpu, _wall, _cpu)]
        row.append(_most(measured, _megabytes))
        rows.append(row)
    return grid(head, rows, 4) + (
        "\n\n*measured* is the median of the runs above (for memory the maximum) and decides *met*; the "
        "other columns are for comparison."
    )


_MAKERS: dict[str, Callable[[_Chosen, Results, Limits], str]] = {
    "counting": _counting,
    "census": _census,
    "enumeration": _enumeration,
    "construction": _construction,
    "startup": _startup,
    "orders": _orders,
    "targets": _targets,
}


def table_texts(
    chosen: _Chosen, results: Results, limits: Limits, with_targets: bool
) -> Iterator[tuple[str, str]]:
    """Yield title and text of every table with a case."""
    tables = {case.table for case, _ in chosen} | ({"targets"} if with_targets else set())
    for table, title in TABLES.items():
        if table in tables:
            yield title, _MAKERS[table](chosen, results, limits)
