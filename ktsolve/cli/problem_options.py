"""Options that state a tour problem: the same on every command that takes one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.cli import graph_input
from ktsolve.cli.limits import check_size
from ktsolve.cli.options import LEAPER, WRAP, in_place_of, options_of, problem_option
from ktsolve.formats.table import formats_of, listed
from ktsolve.problem.conditions import KEYS, At, Condition, Key, Require, parse_condition

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.formats.graphs.files import ReadGraph
    from ktsolve.graphs.board import Board
    from ktsolve.graphs.graph import Graph, Move
    from ktsolve.problem.problem import TourProblem

CLUES_ARE = "clues are a grid of steps, with . for steps to be found"

CLUES_EXPAND = 150
"""Bytes of memory for a byte of clues: a hole is a cell in a set."""

BOARD_IS = "ROWSxCOLUMNS such as 6x6, a graph or instance file, -, or graph:NAME"

BoardArgument = Annotated[str, typer.Argument(metavar="BOARD", help=f"{BOARD_IS}.")]
ClosedOption = Annotated[bool, problem_option("--closed/--open", "Closed tours or open ones.")]


@dataclass(frozen=True)
class ProblemSpec:
    """The problem options of a command, as typed; ``conditions`` holds the texts for each key."""

    board: BoardArgument
    closed: ClosedOption = True
    without: Annotated[
        list[str] | None,
        problem_option(
            "--without", "Removed cells: a1, a1:b2, first:3 (column by column). Repeatable.", "CELLS"
        ),
    ] = None
    leaper: Annotated[str, LEAPER] = "1,2"
    wrap: Annotated[str, WRAP] = "none"
    clues: Annotated[
        str | None, problem_option("--clues", "A grid of steps, . for steps to be found.", "FILE")
    ] = None
    format: Annotated[
        str | None,
        problem_option(
            "--format", f"Of a graph file: {listed(formats_of('graph'))}. Default: recognised.", "NAME"
        ),
    ] = None
    strict: Annotated[bool, problem_option("--strict", "Refuse loops and parallel edges of a graph.")] = False
    conditions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def start(self) -> str | None:
        """The text of ``--start``."""
        return next(iter(self.conditions.get("start", ())), None)

    @property
    def end(self) -> str | None:
        """The text of ``--end``."""
        return next(iter(self.conditions.get("end", ())), None)

    @property
    def is_rectangle(self) -> bool:
        """Whether this is a knight on a full board, with at most one start and one end given."""
        bare = replace(self, leaper=self.leaper or "1,2", wrap=self.wrap or "none", conditions={})
        ends = [text for text in (self.start, self.end) if text is not None]
        return (
            bare == ProblemSpec(self.board, self.closed)
            and self.conditions.keys() <= {"start", "end"}
            and not any(len(text.split()) > 1 or ":" in text or ";" in text for text in ends)
        )

    @property
    def is_graph(self) -> bool:
        """Whether a graph is given in place of the board: a file, a name, or standard input."""
        return graph_input.is_graph(self.board)

    @property
    def is_instance(self) -> bool:
        """Whether an instance file is given in place of the board: it states conditions as well."""
        return bool(self.board) and graph_input.is_instance(self.board)

    def _instance_ground(self) -> Graph:
        for option, given, usual in (
            ("--without", self.without or None, None),
            ("--leaper", self.leaper, "1,2"),
            ("--wrap", self.wrap, "none"),
        ):
            if given not in (None, usual):
                raise BadInput(
                    f"{option} is stated by the instance file {shown(self.board)}: change it there"
                )
        return graph_input.instance_problem(self.board).ground

    def make_board(self, settings: Settings, *, any_size: bool = False) -> Board:
        """The board, if it fits into memory.

        Parameters
        ----------
        any_size:
            Whether a full rectangle for a knight may be larger: a task then compares it with memory.

        Raises
        ------
        BadInput
            For a graph in its place, by name.
        """
        from ktsolve.graphs.board import Board

        if self.is_instance:
            raise BadInput(
                f"{shown(self.board)} is an instance file: this command needs a board, such as 6x6"
            )
        if self.is_graph:
            raise BadInput(f"{shown(self.board)} is a graph: this needs a board, such as 6x6")
        for option, given in (("--format", self.format), ("--strict", self.strict)):
            if given:
                raise BadInput(f"{option} is about a graph file, and {shown(self.board)} is a board")
        if not graph_input.is_board(self.board):
            raise BadInput(
                f"{shown(self.board)} is not a board: write ROWSxCOLUMNS, such as 3x10, the name of a graph "
                "file, or graph:petersen"
            )
        return Board.parse(
            self.board if any_size and self.is_rectangle else check_size(self.board, settings),
            without=" ".join(self.without or []),
            leaper=self.leaper,
            wrap=self.wrap,
        )

    def graphs(
        self, settings: Settings, *, quiet: bool = False, any_size: bool = False
    ) -> Iterator[ReadGraph]:
        """The board, or the graphs given in its place, without the vertices of ``--without``."""
        from ktsolve.formats.graphs.files import ReadGraph

        if self.is_instance:
            yield ReadGraph(self._instance_ground())
            return
        if not self.is_graph:
            yield ReadGraph(self.make_board(settings, any_size=any_size))
            return
        for each in graph_input.read_graphs(
            self.board, self.format, settings, strict=self.strict, quiet=quiet
        ):
            yield ReadGraph(self.changed(each.ground, each.required), each.required)

    def changed(self, ground: Graph, required: tuple[Move, ...]) -> Graph:
        """The graph of a file without the vertices of ``--without``.

        Raises
        ------
        BadInput
            For options of boards.
        """
        from ktsolve.graphs.board import without_vertices

        for option, given, usual in (("--leaper", self.leaper, "1,2"), ("--wrap", self.wrap, "none")):
            if given not in (None, usual):
                raise BadInput(f"{option} is about boards, and {shown(self.board)} is a graph: leave it out")
        removed = ground.read_cells(" ".join(self.without or []))
        if not removed:
            return ground
        if required:
            raise BadInput("--without does not go with a file that has fixed edges: remove these there")
        return without_vertices(ground, removed)

    def graph(self, settings: Settings) -> ReadGraph:
        """The board, or the one graph in its place.

        Raises
        ------
        BadInput
            If the file holds several graphs.
        """
        graphs = self.graphs(settings)
        found = next(graphs)
        if next(graphs, None) is not None:
            raise BadInput(f"{self.board} holds several graphs: give a file with one of them")
        return found

    def problems(
        self, settings: Settings, *, quiet: bool = False, any_size: bool = False
    ) -> Iterator[TourProblem]:
        """The problem on the board, on the graph in its place, or on each of several graphs."""
        for each in self.graphs(settings, quiet=quiet, any_size=any_size):
            yield self.make(each.ground, each.required, settings)

    def make(
        self, ground: Graph, required: Iterable[Move] = (), settings: Settings | None = None
    ) -> TourProblem:
        """The problem on this board or graph; the memory limit of the settings holds for a file of clues."""
        from ktsolve.problem.problem import TourProblem

        conditions = [*self._clues(ground, settings), *self._conditions(ground), *map(Require, required)]
        closed = self.closed
        if self.is_instance:
            stated = graph_input.instance_problem(self.board)
            closed = stated.closed and self.closed is not False
            conditions = [*stated.conditions, *conditions]
        return TourProblem(board=ground, closed=closed, conditions=conditions)

    def _conditions(self, board: Graph) -> Iterator[Condition]:
        for key, texts in self.conditions.items():
            for text in texts:
                try:
                    yield from parse_condition(key, text, board)
                except BadInput as error:
                    raise BadInput(f"--{KEYS[key][0].flag}: {error}") from None

    def _clues(self, ground: Graph, settings: Settings | None) -> Iterator[Condition]:
        if self.clues is None:
            return
        from ktsolve.graphs.board import needs_board

        board = needs_board(ground, "--clues")
        from ktsolve.base.limits import Settings
        from ktsolve.cli.input import read_text
        from ktsolve.problem.parameters import read_clues

        drawn, clues = read_clues(read_text(self.clues, CLUES_ARE, settings or Settings(), CLUES_EXPAND))
        if drawn.size != board.size:
            raise BadInput(f"the clues are a grid of {drawn.size}, the board is {board.size}")
        for cell in sorted(drawn.removed - board.removed):
            raise BadInput(f"the clues have a hole at {board.name(cell)}: give --without {board.name(cell)}")
        for step, cell in clues.items():
            yield At(step, cell)


_CONDITION_OPTIONS = {key.flag: key for key, _ in KEYS.values() if key.flag is not None}


def _parameter(key: Key) -> inspect.Parameter:
    """The option of a key: a flag, one text, or texts that are repeated."""
    kind: Any = key.kind if key.kind is bool else str | None if key.kind is str else list[str] | None
    several = "" if key.kind in (bool, str) else " Repeatable."
    metavar = None if key.kind is bool else key.metavar
    return inspect.Parameter(
        str(key.flag),
        inspect.Parameter.KEYWORD_ONLY,
        default=False if key.kind is bool else None,
        annotation=Annotated[kind, problem_option(f"--{key.flag}", key.help + several, metavar)],
    )


def _texts(given: Any) -> tuple[str, ...]:
    """The texts of an option: of one that is given once, repeated, or a flag."""
    if given is None or given is False:
        return ()
    return ("",) if given is True else (given,) if isinstance(given, str) else tuple(given)


def takes_problem(
    *taken: str, without: Collection[str] = (), **changed: Any
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command all options that state a problem, in place of its parameter ``spec``.

    Parameters
    ----------
    taken, without:
        The options that this command takes, all if none is named, but these.
    changed:
        Other types for some of the options of the board, each with its default.
    """
    options = options_of(ProblemSpec, taken, {*without, "conditions"}, changed)
    options += [
        _parameter(key)
        for flag, key in _CONDITION_OPTIONS.items()
        if flag not in without and (not taken or flag in taken)
    ]
    return in_place_of("spec", options, _spec)


def _spec(board: str = "", **given: Any) -> ProblemSpec:
    conditions = {
        key.name: texts
        for flag, key in _CONDITION_OPTIONS.items()
        if (texts := _texts(given.pop(flag, None)))
    }
    return ProblemSpec(board, **given, conditions=conditions)
