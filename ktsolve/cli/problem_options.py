"""Options that state a tour problem: the same on every command that takes one."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.cli.limits import check_size
from ktsolve.cli.options import in_place_of, options_of
from ktsolve.errors import BadInput

if TYPE_CHECKING:
    from ktsolve.ground.board import Board
    from ktsolve.ground.notation import Cell
    from ktsolve.problem.conditions import Condition
    from ktsolve.problem.problem import TourProblem
    from ktsolve.settings import Settings

_PROBLEM = "What is asked"

BoardArgument = Annotated[str, typer.Argument(metavar="BOARD", help="ROWSxCOLUMNS, such as 6x6 or 3x10.")]
ClosedOption = Annotated[
    bool, typer.Option("--closed/--open", help="Closed tours or open ones.", rich_help_panel=_PROBLEM)
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


def _several(option: str, metavar: str, help: str) -> Any:  # noqa: A002 (typer's name for it)
    return typer.Option(option, metavar=metavar, help=f"{help} Repeatable.", rich_help_panel=_PROBLEM)


CLUES_ARE = "clues are a grid of steps, with . where they are to be found"

CluesOption = Annotated[
    str | None,
    typer.Option(
        "--clues", metavar="FILE", help="A grid of steps, . where to be found.", rich_help_panel=_PROBLEM
    ),
]
RangeOption = Annotated[list[str] | None, _several("--range", "CELL=A..B", "A cell's step is in a range.")]
OrderOption = Annotated[list[str] | None, _several("--order", "A,B", "Cells come in this order.")]
FigureOption = Annotated[
    list[str] | None,
    _several("--figure", "STEPS=SHAPE", "squares=row, 1+8=path, 1,4,9=a1:c1."),
]
SumOption = Annotated[
    list[str] | None, _several("--sum", "CELLS=N", "Steps add up to N: a1:h1=260, rows=260.")
]
LeastOption = Annotated[
    list[str] | None, _several("--least", "WHAT=N", "At least N turns, crossings, acute, moves:a1-b3 ...")
]
MostOption = Annotated[list[str] | None, _several("--most", "WHAT=N", "At most N, as --least.")]
ExactlyOption = Annotated[list[str] | None, _several("--exactly", "WHAT=N", "Exactly N, as --least.")]


@dataclass(frozen=True)
class ProblemWords:
    """The problem options of a command, as typed."""

    board: BoardArgument
    closed: ClosedOption = True
    start: StartOption = None
    end: EndOption = None
    require: RequireOption = None
    forbid: ForbidOption = None
    without: WithoutOption = None
    leaper: LeaperOption = "1,2"
    wrap: WrapOption = "none"
    symmetry: SymmetryOption = None
    at: AtOption = None
    structured: StructuredOption = False
    corners: CornersOption = None
    magic: MagicOption = None
    clues: CluesOption = None
    range: RangeOption = None
    order: OrderOption = None
    figure: FigureOption = None
    sum: SumOption = None
    least: LeastOption = None
    most: MostOption = None
    exactly: ExactlyOption = None

    def make_board(self, settings: Settings) -> Board:
        """The board, if it fits into memory."""
        from ktsolve.ground.board import Board

        return Board.parse(
            check_size(self.board, settings),
            without=" ".join(self.without or []),
            leaper=self.leaper,
            wrap=self.wrap,
        )

    def make(self, board: Board) -> TourProblem:
        """The problem on this board."""
        from ktsolve.problem.problem import TourProblem

        corners = _words(self.corners)
        clues = self._clues(board)
        return TourProblem(
            board=board,
            closed=self.closed,
            starts=_cells(self.start, board),
            ends=_cells(self.end, board),
            require=_moves(self.require),
            forbid=_moves(self.forbid),
            steps=[*clues, *(_step(part) for text in self.at or [] for part in _several_steps(text))],
            symmetry=self.symmetry,
            corners=True if self.structured else corners,
            magic=_words(self.magic),
            conditions=self._conditions(board),
        )

    def _conditions(self, board: Board) -> Iterator[Condition]:
        from ktsolve.problem.condition_words import CONDITION_KEYS, parse_condition

        for key in CONDITION_KEYS:
            for text in getattr(self, key) or []:
                yield from parse_condition(key, text, board)

    def _clues(self, board: Board) -> list[tuple[int, Cell]]:
        if self.clues is None:
            return []
        from ktsolve.cli.input import read_text
        from ktsolve.problem.clues import read_clues

        drawn, clues = read_clues(read_text(self.clues, CLUES_ARE))
        if drawn.size != board.size:
            raise BadInput(f"the clues are a grid of {drawn.size}, the board is {board.size}")
        for cell in sorted(drawn.removed - board.removed):
            raise BadInput(f"the clues have a hole at {board.name(cell)}: say --without {board.name(cell)}")
        return list(clues.items())


def _cells(text: str | None, board: Board) -> list[Cell]:
    """One cell, or several as for --without."""
    from ktsolve.ground.notation import parse_cells

    if text is None:
        return []
    if re.search(r"[\s;:]|,\s*[a-zA-Z(]", text.strip()):
        return sorted(parse_cells(text, board.rows, board.columns))
    return [board.cell(text)]


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


def takes_problem(
    *taken: str, without: Collection[str] = (), **changed: Any
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command all options that state a problem, in place of its parameter ``words``.

    Parameters
    ----------
    taken, without:
        Fields of :class:`ProblemWords` that this command takes, all if none is named, but these.
    changed:
        Other types for some of the fields, each with its default: a field may mean more to one command.
    """
    options = options_of(ProblemWords, taken, without, changed)
    return in_place_of("words", options, lambda **stated: ProblemWords(**{"board": "", **stated}))
