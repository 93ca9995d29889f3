"""Options about work and output that several commands share, and the settings made from them."""

from __future__ import annotations

import contextlib
import inspect
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer

from ktsolve.cli.limits import backstop
from ktsolve.cli.output import check_writable, emit, emit_json, json_when_stopped, remark, with_progress
from ktsolve.engines.registry import ENGINES, MODEL_ENGINES
from ktsolve.engines.sat.names import (
    LISTING_SOLVER,
    MAIN_SOLVER,
    TRIAL_SOLVER,
    check_encoding_name,
    check_solver_name,
)
from ktsolve.errors import BadInput
from ktsolve.model.hamiltonian import ENCODINGS
from ktsolve.settings import Settings

_PROBLEM = "What is asked"
_WORK = "How it is worked out"
_OUTPUT = "What is printed"


def one_of(names: Iterable[str]) -> str:
    """The names as a choice.

    >>> one_of(["a", "b", "c"])
    'a, b or c'
    """
    *others, last = names
    return f"{', '.join(others)} or {last}"


BoxOption = Annotated[
    str,
    typer.Option("--box", metavar="RxC", help="Rows and columns of a sudoku box.", rich_help_panel=_PROBLEM),
]

EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="NAME",
        help=f"auto, {one_of(ENGINES)}.",
        rich_help_panel=_WORK,
    ),
]
ModelEngineOption = Annotated[
    str,
    typer.Option("--engine", metavar="NAME", help=f"auto, {one_of(MODEL_ENGINES)}.", rich_help_panel=_WORK),
]
SolverOption = Annotated[
    str | None,
    typer.Option(
        "--solver",
        metavar="NAME",
        help=f"SAT solver. Default: {TRIAL_SOLVER}, then {MAIN_SOLVER}; to list {LISTING_SOLVER}.",
        rich_help_panel=_WORK,
    ),
]
EncodingOption = Annotated[
    str,
    typer.Option(
        "--encoding",
        metavar="NAME",
        help=f"Statement of one cycle in engine sat: lazy, {one_of(ENCODINGS)}.",
        rich_help_panel=_WORK,
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", help="Another seed gives another tour: 7.", rich_help_panel=_WORK),
]
TimeoutOption = Annotated[
    str | None,
    typer.Option("--timeout", metavar="TIME", help="Time limit: 30, 30s, 5m or 2h.", rich_help_panel=_WORK),
]
ThreadsOption = Annotated[
    int | None, typer.Option("--threads", metavar="N", help="Default: all cores.", rich_help_panel=_WORK)
]
MemoryOption = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        help="Limit, such as 4G. Default: 3/4 of the available memory.",
        rich_help_panel=_WORK,
    ),
]
EstimateOption = Annotated[
    bool,
    typer.Option("--estimate", help="Predict the cost of the count, and stop.", rich_help_panel=_WORK),
]
VerboseOption = Annotated[
    bool,
    typer.Option(
        "--verbose", help="Plan of a count; traceback of an internal error.", rich_help_panel=_OUTPUT
    ),
]
SpillOption = Annotated[
    str | None,
    typer.Option(
        "--spill",
        metavar="DIR",
        help="Folder of half tables; a later run reuses them.",
        rich_help_panel=_WORK,
    ),
]

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.", rich_help_panel=_OUTPUT)]
OutputOption = Annotated[
    str | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Write to this file.",
        rich_help_panel=_OUTPUT,
        callback=check_writable,
    ),
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print neither progress nor remarks.", rich_help_panel=_OUTPUT)
]


def options_of(
    group: type,
    taken: Collection[str],
    without: Collection[str] = (),
    changed: Mapping[str, tuple[Any, Any]] | None = None,
) -> list[inspect.Parameter]:
    """The fields of a dataclass of options as parameters of a command.

    Parameters
    ----------
    taken, without:
        Names of fields: only those in ``taken``, all if it is empty; none of those in ``without``.
    changed:
        Another type and default for some of the fields.
    """
    hints = get_type_hints(group, include_extras=True)
    stated = {
        each.name: (hints[each.name], inspect.Parameter.empty if each.default is MISSING else each.default)
        for each in fields(group)
        if each.name not in without and (not taken or each.name in taken)
    }
    stated |= {name: each for name, each in (changed or {}).items() if name in stated}
    return [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in stated.items()
    ]


def in_place_of(
    name: str, options: list[inspect.Parameter], make: Callable[..., Any]
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """A decorator that replaces a command's parameter ``name`` by options, from which ``make`` makes it."""

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command)
        def wrapped(**given: Any) -> int:
            values = {each.name: given.pop(each.name) for each in options}
            return command(**{name: make(**values)}, **given)

        own = inspect.signature(command, eval_str=True)
        listed: list[inspect.Parameter] = []
        for parameter in own.parameters.values():
            keyword = parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            listed += options if parameter.name == name else [keyword]
        wrapped.__signature__ = own.replace(parameters=listed)  # type: ignore[attr-defined]
        wrapped.__annotations__ = {each.name: each.annotation for each in listed}
        return wrapped

    return decorate


@dataclass(frozen=True)
class WorkOptions:
    """The options that become settings, as typed."""

    seed: SeedOption = None
    solver: SolverOption = None
    timeout: TimeoutOption = None
    threads: ThreadsOption = None
    memory: MemoryOption = None
    spill: SpillOption = None

    @property
    def settings(self) -> Settings:
        """The settings of an engine."""
        return make_settings(self.timeout, self.memory, self.threads, self.seed, self.solver, self.spill)


@dataclass(frozen=True)
class OutputOptions:
    """The options about output, as typed."""

    json: JsonOption = False
    output: OutputOption = None
    quiet: QuietOption = False

    @contextlib.contextmanager
    def reporting(self, settings: Settings, title: str, unknown: Mapping[str, Any]) -> Iterator[Settings]:
        """Settings with a progress bar; ``unknown`` is the JSON if a limit stops the work."""
        with (
            json_when_stopped(self.json, unknown, self.output),
            with_progress(settings, title, quiet=self.quiet) as shown,
        ):
            yield shown

    @contextlib.contextmanager
    def working(self, settings: Settings, title: str, unknown: Mapping[str, Any]) -> Iterator[Settings]:
        """The same under the time limit."""
        with backstop(settings.timeout), self.reporting(settings, title, unknown) as shown:
            yield shown

    def emit(self, data: Mapping[str, Any], text: str, note: str = "") -> None:
        """Print the answer as JSON, or as text with a note on standard error."""
        if self.json:
            emit_json(dict(data), self.output)
            return
        emit(text, self.output)
        if note:
            remark(note, quiet=self.quiet)


def takes_work(*taken: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command the named options of :class:`WorkOptions` in place of its parameter ``work``."""
    return in_place_of("work", options_of(WorkOptions, taken), WorkOptions)


def takes_output(*taken: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command options of :class:`OutputOptions`, all if none is named, in place of ``out``."""
    return in_place_of("out", options_of(OutputOptions, taken), OutputOptions)


def takes_verbose(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the option ``--verbose``, which :func:`ktsolve.cli.app.run` reads for all commands."""
    signature = inspect.signature(command, eval_str=True)
    if "verbose" in signature.parameters:
        return command

    @wraps(command)
    def wrapped(*, verbose: bool, **given: Any) -> Any:
        return command(**given)

    option = inspect.Parameter(
        "verbose", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=VerboseOption
    )
    listed = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in signature.parameters.values()]
    wrapped.__signature__ = signature.replace(parameters=[*listed, option])  # type: ignore[attr-defined]
    wrapped.__annotations__ = {each.name: each.annotation for each in (*listed, option)}
    return wrapped


def seconds(text: str | None) -> float | None:
    """Seconds of ``30``, ``30s``, ``5m`` or ``2h``."""
    if text is None:
        return None
    match = re.fullmatch(r"\s*(\d{1,9}(?:\.\d*)?|\.\d+)\s*([smh]?)\s*", text, re.ASCII)
    if match is None:
        raise BadInput(
            f"--timeout {text[:40]!r} is not a time: write seconds such as 30 or 0.5, or 5m, or 2h"
        )
    return float(match[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[match[2]]


def number_of_bytes(text: str | None) -> int | None:
    """Bytes of ``500M``, ``4G``, ``2GiB`` (powers of 1024)."""
    if text is None:
        return None
    match = re.fullmatch(r"\s*(\d{1,9}(?:\.\d*)?)\s*([KMGT])(?:i?B)?\s*", text, re.ASCII | re.IGNORECASE)
    if match is None:
        raise BadInput(f"--memory {text[:40]!r} is not a size: write 500M or 4G")
    return int(float(match[1]) * 1024 ** ("KMGT".index(match[2].upper()) + 1))


def make_settings(
    timeout: str | None,
    memory: str | None,
    threads: int | None,
    seed: int | None,
    solver: str | None,
    spill: str | None = None,
    encoding: str = "lazy",
) -> Settings:
    """Settings of an engine from the options as typed."""
    if solver is not None:
        check_solver_name(solver)
    check_encoding_name(encoding)
    if spill is not None and not os.path.isdir(spill):
        raise BadInput(f"--spill {spill}: no such folder")
    return Settings(
        timeout=seconds(timeout),
        memory=number_of_bytes(memory),
        threads=threads,
        seed=seed,
        solver=solver,
        spill=spill,
        encoding=encoding,
    )
