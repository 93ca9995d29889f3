"""Options about work and output that commands share, and what they are turned into."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.cli.output import check_writable
from ktsolve.errors import BadInput

if TYPE_CHECKING:
    from ktsolve.settings import Settings

_PROBLEM = "What is asked"
_WORK = "How it is worked out"
_OUTPUT = "What is printed"

BoxOption = Annotated[
    str,
    typer.Option("--box", metavar="RxC", help="Rows and columns of a sudoku box.", rich_help_panel=_PROBLEM),
]

EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="auto, search, frontier, join, sat, cpsat, walk or divide.",
        rich_help_panel=_WORK,
    ),
]
ModelEngineOption = Annotated[
    str, typer.Option("--engine", metavar="NAME", help="auto, sat or cpsat.", rich_help_panel=_WORK)
]
SolverOption = Annotated[
    str | None,
    typer.Option(
        "--solver",
        metavar="NAME",
        help="SAT solver of engine sat. Default: cadical153; cadical195 to list.",
        rich_help_panel=_WORK,
    ),
]
EncodingOption = Annotated[
    str,
    typer.Option(
        "--encoding",
        metavar="NAME",
        help="How engine sat says that there is one cycle: lazy, one-hot, binary, remainder or elimination.",
        rich_help_panel=_WORK,
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", help="Another seed, another tour.", rich_help_panel=_WORK),
]
TimeoutOption = Annotated[
    str | None,
    typer.Option("--timeout", metavar="TIME", help="Stop after 30, 30s, 5m or 2h.", rich_help_panel=_WORK),
]
ThreadsOption = Annotated[
    int | None, typer.Option("--threads", metavar="N", help="Default: all cores.", rich_help_panel=_WORK)
]
MemoryOption = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        help="At most 500M or 4G. Default: 3/4 of what is free.",
        rich_help_panel=_WORK,
    ),
]
EstimateOption = Annotated[
    bool,
    typer.Option("--estimate", help="Say what counting would take, and stop.", rich_help_panel=_WORK),
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
        help="Keep half tables here, and find them again.",
        rich_help_panel=_WORK,
    ),
]

JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object.", rich_help_panel=_OUTPUT)]
OutputOption = Annotated[
    str | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Write here.",
        rich_help_panel=_OUTPUT,
        callback=check_writable,
    ),
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="No progress, no remarks.", rich_help_panel=_OUTPUT)
]


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
    from ktsolve.settings import Settings

    if solver is not None:
        from ktsolve.engines.sat.lazy import check_solver_name

        check_solver_name(solver)
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
