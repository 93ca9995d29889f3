"""``ktsolve unrank``: the tours with given indices."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from ktsolve.cli import options as opt
from ktsolve.cli.input import read_text
from ktsolve.cli.limits import backstop
from ktsolve.cli.numbered import OrderOptions, emit_numbered, one_problem, opened, takes_order
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_output import TourOutput, graph_of_format, takes_tour_output, tour_format
from ktsolve.errors import BadInput, IndexOutOfRange
from ktsolve.ground.notation import shown

if TYPE_CHECKING:
    from ktsolve.tasks.tours import Tours

_AN_INDEX = "an index is a whole number such as 5, or a range such as 0:10"

_Bounds = tuple[str, str | None]
"""Digits of an index; or of the first of a range, and of the one after its last."""


@takes_problem(without=("format",))
@takes_order
@opt.takes_work("timeout", "threads", "memory", "spill")
@takes_tour_output
def unrank(
    *,
    spec: ProblemSpec,
    indices: Annotated[
        list[str],
        typer.Argument(metavar="INDEX...|-", help="Numbers from 0, ranges such as 0:10, or - to read them."),
    ],
    how: OrderOptions,
    work: opt.WorkOptions,
    out: TourOutput,
) -> int:
    """Print the tours with given indices among all tours of the problem."""
    settings = work.settings
    spec, out = graph_of_format(spec, out)
    wanted = list(map(_bounds, _texts(indices, spec)))
    several = len(wanted) > 1 or any(end is not None for _, end in wanted)
    form = tour_format(out.format, out.output, json=out.json, several=several, instead="give one index")
    out = replace(out, json=form.name == "json")
    with backstop(settings.timeout):
        problem = one_problem(spec, settings)
        with opened(problem, how, settings, out) as found:
            ranges = [_range(each, found) for each in wanted] if found else []
            number = sum(each.stop - each.start for each in ranges)
            return emit_numbered(found, chain.from_iterable(ranges), number, form, settings, out)


unrank.context_settings = {"ignore_unknown_options": True}  # type: ignore[attr-defined]  # such as -1


def _texts(given: Sequence[str], spec: ProblemSpec) -> Iterator[str]:
    """The indices as typed, or those of standard input."""
    for text in given:
        if re.match(r"--?[^\W\d]", text):
            raise BadInput(f"No such option: {text}")
    if "-" not in given:
        yield from given
        return
    if len(given) > 1:
        raise BadInput("- reads all indices from standard input: leave out the others")
    if spec.board == "-":
        raise BadInput("standard input (-) can be read once: name a file for the graph")
    read = read_text("-", _AN_INDEX).split()
    if not read:
        raise BadInput(f"there is no index in the input: it is empty; {_AN_INDEX}")
    yield from read


def _bounds(text: str) -> _Bounds:
    match = re.fullmatch(r"(-?[0-9]+)(?::([0-9]+))?", text)
    if match is None:
        raise BadInput(f"{shown(text)} is not a whole number: {_AN_INDEX}")
    return match[1], match[2]


def _range(bounds: _Bounds, found: Tours) -> range:
    """The indices. Raises IndexOutOfRange."""
    first, end = bounds
    start = _number(first, found.count - 1, first, found)
    if end is None:
        return range(start, start + 1)
    stop = _number(end, found.count, f"{first}:{end}", found)
    if stop < start:
        raise BadInput(f"{shown(f'{first}:{end}')} is no range: its first index is past its last")
    return range(start, stop)


def _number(digits: str, most: int, text: str, found: Tours) -> int:
    plain = digits.lstrip("0") or "0"
    # A number with more digits is not converted: that takes time quadratic in their number.
    number = most + 1 if len(plain) > len(str(most)) else int(plain)
    if not 0 <= number <= most:
        raise IndexOutOfRange(
            f"index {shown(text)} is out of range: {found.problem} has 0 to {found.count - 1}"
        )
    return number
