"""Options that commands share, and what they are turned into."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from ktsolve.cli.limits import check_size
from ktsolve.cli.output import check_writable
from ktsolve.errors import BadInput

if TYPE_CHECKING:
    from ktsolve.engines.base import Settings
    from ktsolve.ground.board import Board
    from ktsolve.problem.problem import TourProblem

_PROBLEM = "What is asked"
_WORK = "How it is worked out"
_OUTPUT = "What is printed"

BoardArgument = Annotated[str, typer.Argument(metavar="BOARD", help="ROWSxCOLUMNS, such as 6x6 or 3x10.")]
ClosedOption = Annotated[
    bool, typer.Option("--closed/--open", help="Closed tours or open ones.", rich_help_panel=_PROBLEM)
]
MaybeClosedOption = Annotated[
    bool | None,
    typer.Option("--closed/--open", help="Must be closed, or may be open.", rich_help_panel=_PROBLEM),
]
StartOption = Annotated[
    str | None,
    typer.Option("--start", metavar="CELL", help="First cell: b3, or 2,1.", rich_help_panel=_PROBLEM),
]
EndOption = Annotated[
    str | None, typer.Option("--end", metavar="CELL", help="Last cell.", rich_help_panel=_PROBLEM)
]
RequireOption = Annotated[
    list[str] | None,
    typer.Option(
        "--require", metavar="MOVE", help="A move to make: a1-b3. Repeatable.", rich_help_panel=_PROBLEM
    ),
]
ForbidOption = Annotated[
    list[str] | None,
    typer.Option(
        "--forbid", metavar="MOVE", help="A move not to make. Repeatable.", rich_help_panel=_PROBLEM
    ),
]
WithoutOption = Annotated[
    list[str] | None,
    typer.Option(
        "--without",
        metavar="CELLS",
        help="Removed cells: a1, a1:b2, first:3 (column by column). Repeatable.",
        rich_help_panel=_PROBLEM,
    ),
]
LeaperOption = Annotated[
    str,
    typer.Option("--leaper", metavar="R,S", help="The piece: 1,2 is the knight.", rich_help_panel=_PROBLEM),
]
WrapOption = Annotated[
    str,
    typer.Option(
        "--wrap", metavar="none|x|y|xy", help="Join opposite edges of the board.", rich_help_panel=_PROBLEM
    ),
]
SymmetryOption = Annotated[
    str | None,
    typer.Option(
        "--symmetry",
        metavar="rot180|rot90|flip-h|flip-v",
        help="The tour is invariant under this.",
        rich_help_panel=_PROBLEM,
    ),
]
AtOption = Annotated[
    list[str] | None,
    typer.Option(
        "--at", metavar="STEP=CELL", help="A cell at a step: 5=c3. Repeatable.", rich_help_panel=_PROBLEM
    ),
]
StructuredOption = Annotated[
    bool,
    typer.Option("--structured", help="All four corners cut off by two moves.", rich_help_panel=_PROBLEM),
]
CornersOption = Annotated[
    str | None,
    typer.Option(
        "--corners", metavar="tl,tr,bl,br", help="Only these corners structured.", rich_help_panel=_PROBLEM
    ),
]
MagicOption = Annotated[
    str | None,
    typer.Option(
        "--magic",
        metavar="rows,columns,diagonals",
        help="Equal sums of these lines.",
        rich_help_panel=_PROBLEM,
    ),
]

BoxOption = Annotated[
    str,
    typer.Option("--box", metavar="RxC", help="Rows and columns of a sudoku box.", rich_help_panel=_PROBLEM),
]

EngineOption = Annotated[
    str,
    typer.Option(
        "--engine", metavar="NAME", help="auto, search, frontier, join, sat or cpsat.", rich_help_panel=_WORK
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
    bool, typer.Option("--verbose", help="Say how it is planned.", rich_help_panel=_WORK)
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


@dataclass(frozen=True)
class ProblemWords:
    """The problem options of a command, as typed."""

    board: str
    closed: bool
    start: str | None = None
    end: str | None = None
    require: list[str] | None = None
    forbid: list[str] | None = None
    without: list[str] | None = None
    leaper: str = "1,2"
    wrap: str = "none"
    symmetry: str | None = None
    at: list[str] | None = None
    structured: bool = False
    corners: str | None = None
    magic: str | None = None

    def make_board(self, settings: Settings) -> Board:
        """The board, if it fits into memory."""
        from ktsolve.ground.board import Board

        check_size(self.board, settings)
        return Board.parse(
            self.board, without=" ".join(self.without or []), leaper=self.leaper, wrap=self.wrap
        )

    def make(self, board: Board) -> TourProblem:
        """The problem on this board."""
        from ktsolve.problem.problem import TourProblem

        corners = _words(self.corners)
        return TourProblem(
            board=board,
            closed=self.closed,
            start=self.start,
            end=self.end,
            require=_moves(self.require),
            forbid=_moves(self.forbid),
            steps=[_step(part) for text in self.at or [] for part in _several_steps(text)],
            symmetry=self.symmetry,
            corners=True if self.structured else corners,
            magic=_words(self.magic),
        )


def _words(text: str | None) -> list[str]:
    return [word for word in re.split(r"[\s,]+", text) if word] if text else []


def _moves(texts: list[str] | None) -> list[str]:
    """Moves from repeated options; one option may hold several moves of named cells."""
    moves: list[str] = []
    for text in texts or []:
        several = re.split(r"[\s;]+|,(?=\s*[a-zA-Z(])", text.strip())
        moves.extend(part for part in several if part)
    return moves


def _several_steps(text: str) -> list[str]:
    """One option may hold several: ``1=a1,5=c3``."""
    return re.split(r"[\s;,]+(?=\d+\s*=)", text.strip())


def _step(text: str) -> tuple[int, str]:
    match = re.fullmatch(r"\s*(\d{1,9})\s*=\s*(.+?)\s*", text, re.ASCII)
    if match is None:
        raise BadInput(f"--at {text[:40]!r} is not understood: write STEP=CELL, such as 5=c3")
    return int(match[1]), match[2]


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
) -> Settings:
    """Settings of an engine from the options as typed."""
    from ktsolve.engines.base import Settings

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
    )
