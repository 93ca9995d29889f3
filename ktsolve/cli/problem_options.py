"""Options that state a tour problem, the same on every command that takes one; graphs in place of a board.

A graph is a file, a name such as ``graph:petersen``, or standard input (``-``).
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.text import number_of, shown
from ktsolve.cli.input import name_of, names_file, read_bytes, read_text
from ktsolve.cli.options import LEAPER, WRAP, in_place_of, options_of, problem_option
from ktsolve.cli.output import emit, remark, writing_stdout_to
from ktsolve.formats.files import as_text, check_is_text, check_length
from ktsolve.formats.table import JSON_HEAD, Format, format_named, formats_of, listed
from ktsolve.graphs.board import BYTES_PER_CELL, Board, check_cells, needs_board, without_vertices
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.named_graphs import PREFIX, named_graph
from ktsolve.graphs.notation import is_size, parse_size
from ktsolve.problem.conditions import KEYS, At, Condition, Key, Require, parse_condition

if TYPE_CHECKING:
    from ktsolve.cli.options import OutputOptions
    from ktsolve.formats.graphs.given import ReadGraph
    from ktsolve.graphs.graph import Move
    from ktsolve.problem.obstruction import Obstruction
    from ktsolve.problem.problem import TourProblem
    from ktsolve.tasks.graph_list import GraphBatch, ListConditions

CLUES_ARE = "clues are a grid of steps, with . for steps to be found"

CLUES_EXPAND = 150  # bytes of memory for a byte of clues: a hole is a cell in a set

BOARD_IS = "ROWSxCOLUMNS such as 6x6, a graph or instance file, -, or graph:NAME"

_FORMATS = formats_of("graph")

_WHAT = f"a graph is {listed(_FORMATS)}"

_PART = 1 << 16  # characters of a list that are answered together


def is_instance(text: str) -> bool:
    """Whether a text is the name of an instance file."""
    return text.endswith(".toml")


@cache
def instance_problem(file: str) -> TourProblem:
    """The tour problem that an instance file states."""
    from ktsolve.problem.problem import TourProblem
    from ktsolve.tasks.instance import load_instance

    instance = load_instance(file)
    problem = instance.built.problem
    if not isinstance(problem, TourProblem):
        raise BadInput(f"{file} states a model {instance.model_name}, and no tours: use ktsolve solve {file}")
    return problem


def is_graph(text: str) -> bool:
    """Whether a text names a graph, not a board: by ``graph:``, ``-``, or as a file.

    A file that does not exist is one if its name has a folder or a suffix in it.
    """
    if is_size(text) or is_instance(text) or not text.strip():
        return False
    return text == "-" or text.startswith(PREFIX) or names_file(text)


def read_graphs(
    text: str, form: str | None, settings: Settings, *, strict: bool, quiet: bool = False
) -> Iterator[ReadGraph]:
    """The graphs that a text names; of a file by default in the format of its suffix or its contents.

    ``strict`` refuses loops and parallel edges, which are dropped with a remark otherwise.
    """
    from ktsolve.formats.graphs.given import ReadGraph

    if text.startswith(PREFIX):
        if form is not None:
            raise BadInput(f"--format {form} is about a file, and {shown(text)} is a name: leave it out")
        yield ReadGraph(_simple(named_graph(text), text, strict=False, quiet=True))
        return
    contents, found = _contents(text, form, settings)
    yield from graphs_of_text(contents, found, name_of(text), strict=strict, quiet=quiet)


def _contents(text: str, form: str | None, settings: Settings) -> tuple[str, Format]:
    """The text of a file of graphs and its format; of planar code its graphs as lines of graph6."""
    from ktsolve.formats.graphs.files import format_of_start, graph_format
    from ktsolve.formats.graphs.lists import PLANAR, whole_lines

    name, named = name_of(text), None if form is None else format_named(form, _FORMATS)
    refusal = f"{name} is not text: {_WHAT}"

    def expansion(head: bytes) -> int:
        if head.startswith(PLANAR):
            return format_named("g6", _FORMATS).read_expansion
        check_is_text(head, refusal)
        return (named or format_of_start(head.decode("utf-8", "replace"), text)).read_expansion

    data = read_bytes(text, settings, expansion)
    if data.startswith(PLANAR):
        return b"".join(whole_lines([data], name, settings)).decode(), format_named("g6", _FORMATS)
    contents = as_text(data, refusal)
    try:
        found = named or graph_format(contents, text, guess=True)
    except BadInput as error:
        raise BadInput(f"{name}: {error}") from None
    assert found is not None
    check_lines(contents, found, name, settings)
    return contents, found


def check_lines(contents: str | bytes, form: Format, name: str, settings: Settings) -> None:
    """Raise OutOfMemory if one of several graphs is too long for the memory limit."""
    if form.several:
        lines = contents.splitlines() if isinstance(contents, bytes) else contents.split("\n")
        check_length(max(map(len, lines), default=0), form.expansion, f"a line of {name}", settings)


def graphs_of_text(
    contents: str,
    form: Format,
    where: str,
    *,
    strict: bool,
    quiet: bool = False,
    line: int = 0,
    first: int = 1,
) -> Iterator[ReadGraph]:
    """The graphs of the contents of a file; ``where`` is its name in messages.

    - ``line``, ``first``: where this is one line of a list, its number and that of its graph
    """
    from ktsolve.formats.graphs.files import graphs_in
    from ktsolve.formats.graphs.given import ReadGraph

    try:
        for number, each in enumerate(graphs_in(contents, form, line), first):
            name = f"{where}, graph {number}" if number > 1 else where
            yield ReadGraph(_simple(each.ground, name, strict=strict, quiet=quiet), each.required)
    except BadInput as error:
        raise BadInput(str(error) if str(error).startswith(where) else f"{where}: {error}") from None


def _simple(graph: Graph, where: str, *, strict: bool, quiet: bool) -> Graph:
    """The graph, after a remark about dropped edges; refused under ``--strict``."""
    counts = ((graph.dropped["loops"], "loop"), (graph.dropped["parallel"], "parallel edge"))
    parts = [number_of(number, what) for number, what in counts if number]
    if parts:
        found = " and ".join(parts)
        if strict:
            raise BadInput(f"{where}: the graph has {found}: --strict takes simple graphs only")
        remark(f"{where}: {found} dropped", quiet=quiet)
    return graph


def check_size(size: str, settings: Settings) -> tuple[int, int]:
    """Rows and columns of a board, if it fits into memory."""
    rows, columns = parse_size(size)
    check_cells(rows * columns, BYTES_PER_CELL, settings)
    return rows, columns


BoardArgument = Annotated[str, typer.Argument(metavar="BOARD", help=f"{BOARD_IS}.")]
SizeArgument = Annotated[str, typer.Argument(metavar="BOARD", help="ROWSxCOLUMNS, such as 6x6.")]
SIZE = (SizeArgument, inspect.Parameter.empty)
"""The type of the board of a command that takes no graphs, and no default."""
ClosedOption = Annotated[bool, problem_option("--closed/--open", "Closed tours or open ones.")]


KeepGoingOption = Annotated[
    bool, problem_option("--keep-going", "Report bad lines of a list and go on; exit status 2 at the end.")
]


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
    keep_going: KeepGoingOption = False
    conditions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def as_usual(self) -> ProblemSpec:
        """The same for the knight on an unwrapped board where both are left to a file."""
        return replace(self, leaper=self.leaper or "1,2", wrap=self.wrap or "none")

    @property
    def is_rectangle(self) -> bool:
        """Whether this is a knight on a full board, with at most one start and one end given."""
        ends = [text for texts in self.conditions.values() for text in texts]
        return (
            replace(self.as_usual, conditions={}) == ProblemSpec(self.board, self.closed)
            and self.conditions.keys() <= {"start", "end"}
            and not any(len(text.split()) > 1 or ":" in text or ";" in text for text in ends)
        )

    @property
    def is_graph(self) -> bool:
        """Whether a graph is given in place of the board: a file, a name, or standard input."""
        return is_graph(self.board)

    @property
    def is_instance(self) -> bool:
        """Whether an instance file is given in place of the board: it states conditions as well."""
        return bool(self.board) and is_instance(self.board)

    def _stated(self, *names: str) -> str | None:
        """The first of these options that is given."""
        given = (name for name in names if getattr(self, name) not in (None, [], getattr(ProblemSpec, name)))
        return next((f"--{name}" for name in given), None)

    def make_board(self, settings: Settings, *, any_size: bool = False) -> Board:
        """The board, if it fits into memory; a graph in its place is refused.

        With ``any_size`` a full rectangle for a knight may be larger: a task then compares it with memory.
        """
        if self.is_instance:
            raise BadInput(
                f"{shown(self.board)} is an instance file: this command needs a board, such as 6x6"
            )
        if self.is_graph:
            if self.board != "-" and not self.board.startswith(PREFIX) and not Path(self.board).exists():
                raise BadInput(f"{self.board}: there is no such file, and this needs a board, such as 6x6")
            raise BadInput(f"{shown(self.board)} is a graph: this needs a board, such as 6x6")
        if option := self._stated("format", "strict"):
            raise BadInput(f"{option} is about a graph file, and {shown(self.board)} is a board")
        if not is_size(self.board):
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
        from ktsolve.formats.graphs.given import ReadGraph

        if self.is_instance:
            if option := self._stated("without", "leaper", "wrap"):
                given = shown(self.board)
                raise BadInput(f"{option} is stated by the instance file {given}: change it there")
            yield ReadGraph(instance_problem(self.board).ground)
            return
        if not self.is_graph:
            yield ReadGraph(self.make_board(settings, any_size=any_size))
            return
        for each in read_graphs(self.board, self.format, settings, strict=self.strict, quiet=quiet):
            yield ReadGraph(self.changed(each.ground, each.required), each.required)

    def changed(self, ground: Graph, required: tuple[Move, ...]) -> Graph:
        """The graph of a file without the vertices of ``--without``; options of boards are refused."""
        if option := self._stated("leaper", "wrap"):
            raise BadInput(f"{option} is about boards, and {shown(self.board)} is a graph: leave it out")
        removed = ground.read_cells(" ".join(self.without or []))
        if not removed:
            return ground
        if required:
            raise BadInput("--without does not go with a file that has fixed edges: remove these there")
        return without_vertices(ground, removed)

    def graph(self, settings: Settings) -> ReadGraph:
        """The board, or the one graph in its place."""
        graphs = self.graphs(settings)
        found = next(graphs)
        if next(graphs, None) is not None:
            raise BadInput(f"{self.board} holds several graphs: give a file with one of them")
        return found

    def problem(self, settings: Settings) -> TourProblem:
        """The problem on the board, or on the one graph in its place."""
        read = self.graph(settings)
        return self.make(read.ground, read.required, settings)

    def make(
        self, ground: Graph, required: Iterable[Move] = (), settings: Settings | None = None
    ) -> TourProblem:
        """The problem on this board or graph; the memory limit of the settings holds for a file of clues."""
        from ktsolve.problem.problem import TourProblem

        conditions = [*self._clues(ground, settings), *self._conditions(ground), *map(Require, required)]
        closed = self.closed
        if self.is_instance:
            stated = instance_problem(self.board)
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
        from ktsolve.problem.parameters import read_clues

        board = needs_board(ground, "--clues")
        text = read_text(self.clues, CLUES_ARE, settings or Settings(), CLUES_EXPAND)
        try:
            drawn, clues = read_clues(text)
        except BadInput as error:
            raise BadInput(f"{name_of(self.clues)}: {error}") from None
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
    """Give a command the options that state a problem, or those named, in place of its parameter ``spec``.

    ``changed`` has other types for some of the options of the board, each with its default.
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


_Out = TypeVar("_Out", bound="OutputOptions")


@dataclass(frozen=True)
class ListLines:
    """The lines about the graphs of a list that the native core answers."""

    column: str  # of :data:`ktsolve.graphs.properties.COLUMNS`
    text: Callable[[GraphBatch, int, str, Obstruction | None], str]
    """The line about a graph of a batch: the text of the conditions, and why there is no cycle or path."""
    json: Callable[[TourProblem, GraphBatch, int, Obstruction | None], dict[str, Any]]  # the same as JSON
    statuses: tuple[int, int | None] = (0, 0)
    """The exit status of an answer, and of one without cycle or path; None: these are answered one by one."""


def tour_of_list(batch: GraphBatch, place: int) -> list[str]:
    """The cycle or path of a graph of a list, by names of its vertices."""
    assert batch.cycles is not None
    return list(map(str, batch.cycles[64 * place : 64 * place + int(batch["vertices"][place])].tolist()))


BATCH = "lists"
"""The engine in the JSON of answers that the native core gives about many graphs at once."""


def batch_work(batch: GraphBatch) -> dict[str, str | float]:
    """Engine and seconds in the JSON of an answer about a graph of a batch."""
    return {"engine": BATCH, "seconds": round(batch.seconds / len(batch), 6)}


def answer_each(
    spec: ProblemSpec,
    settings: Settings,
    out: _Out,
    answer: Callable[[TourProblem, Settings, _Out], int],
    *,
    any_size: bool = False,
    lines: ListLines | None = None,
) -> int:
    """Answer the problem on its board or graph, or on each graph of a file of several; the worst exit status.

    Several answers are lines of text, or of JSON, in the order of the graphs. The time limit is that of all
    together. ``answer`` writes one answer and returns its exit status; ``lines`` has lines for the graphs of
    a list, which are then answered without an object for each.
    """
    if spec.is_graph and not spec.board.startswith(PREFIX):
        contents, form = _contents(spec.board, spec.format, settings)
        if form.several and "\n" in contents.strip():
            return _answer_list(contents, form, spec, settings, out, answer, lines)
        graphs = graphs_of_text(contents, form, name_of(spec.board), strict=spec.strict, quiet=out.quiet)
        graphs = (replace(each, ground=spec.changed(each.ground, each.required)) for each in graphs)
    else:
        graphs = spec.graphs(settings, quiet=out.quiet, any_size=any_size)
    (each,) = graphs
    return answer(spec.make(each.ground, each.required, settings), settings, out)


def _answer_list(
    contents: str,
    form: Format,
    spec: ProblemSpec,
    settings: Settings,
    out: _Out,
    answer: Callable[[TourProblem, Settings, _Out], int],
    lines: ListLines | None,
) -> int:
    """Answer each graph of a list; a bad one is reported, and with ``--keep-going`` the others are answered.

    Those with the answer no but for colours, degrees and connectivity, or left by the native core, are
    answered one by one: they need a reason, or a remark about what was dropped. So are all where ``lines`` is
    None, and with conditions that the core does not take.
    """
    name, clock = name_of(spec.board), Clock(settings)
    here = replace(out, output=None, quiet=True, one_line=True)
    native = None if lines is None else _native_conditions(spec)
    status = 0
    with writing_stdout_to(out.output):
        for each in (
            _lines(contents)
            if lines is None or native is None
            else _answered(contents, lines, spec, native, settings, as_json=out.json)
        ):
            if len(each) == 2:
                emit(each[0], None)
                status = max(status, each[1])
                continue
            at, number, line = each
            try:
                read = next(
                    graphs_of_text(
                        line, form, name, strict=spec.strict, quiet=out.quiet, line=at, first=number
                    )
                )
                problem = spec.make(spec.changed(read.ground, read.required), read.required, settings)
                status = max(status, answer(problem, clock.within(settings), here))
            except BadInput as error:
                text = str(error).removeprefix(f"{name}: ").removeprefix(f"line {at}: ")
                message = f"{name}: line {at}, graph {number}: {text}"
                if not spec.keep_going:
                    raise type(error)(message) from None
                remark(f"ktsolve: {message}")
                status = max(status, BadInput.exit_status)
    return status


def _lines(contents: str) -> Iterator[tuple[int, int, str]]:
    """The graphs of a list: the numbers of the line and of the graph, and the line."""
    from ktsolve.formats.graphs.graph6 import HEADER

    graphs = 0
    for at, line in enumerate(contents.split("\n"), 1):
        if HEADER.sub("", line).strip():
            graphs += 1
            yield at, graphs, line


def _native_conditions(spec: ProblemSpec) -> tuple[ListConditions, tuple[str, str]] | None:
    """The conditions for the native core, and the texts that they add to undirected and directed problems.

    None for other options than ends and moves, and for those that no graph fits.
    """
    from ktsolve.problem.conditions.moves import Forbid
    from ktsolve.problem.problem import TourProblem
    from ktsolve.tasks.graph_list import ListConditions

    given = spec.conditions
    plain = ProblemSpec(spec.board, spec.closed, format=spec.format, keep_going=spec.keep_going)
    known = ("require", "forbid") if spec.closed else ("require", "forbid", "start", "end")
    if replace(spec, conditions={}) != plain or not given.keys() <= set(known):
        return None
    if not given:
        return ListConditions(), ("", "")
    complete = named_graph("complete:64")  # which has all vertices and edges that the core knows
    directed = Graph(complete.names, [*complete.moves, *((v, u) for u, v in complete.moves)], directed=True)
    texts = []
    for ground in (complete, directed):
        try:
            problem = spec.make(ground)
        except BadInput:
            return None
        texts.append(str(problem).removeprefix(str(TourProblem(ground, closed=problem.closed))))
    # Of directed graphs the moves have their direction, which does not matter for undirected ones.
    moves = {
        kind: tuple((ground.index[each.move[0]], ground.index[each.move[1]]) for each in problem.each(kind))
        for kind in (Require, Forbid)
    }
    first, last = (sum(1 << ground.index[v] for v in cells or ()) for cells in (problem.first, problem.last))
    return ListConditions(moves[Require], moves[Forbid], first, last), (texts[0], texts[1])


def _answered(
    contents: str,
    lines: ListLines,
    spec: ProblemSpec,
    native: tuple[ListConditions, tuple[str, str]],
    settings: Settings,
    *,
    as_json: bool,
) -> Iterator[tuple[str, int] | tuple[int, int, str]]:
    """Answers of the native core to graphs of a list: text and exit status; others as :func:`_lines`."""
    from ktsolve.formats.graphs.graph6 import read_g6
    from ktsolve.graphs.properties import COUNTS
    from ktsolve.tasks.graph_list import UNKNOWN, ListAnswers, ListTask

    conditions, stated = native
    task = ListTask((lines.column,), cycles=lines.column not in COUNTS, engines=False, conditions=conditions)
    pieces = (part.encode() for part in _parts(contents))
    before = 0
    for batch in ListAnswers(pieces, task, settings, name_of(spec.board)):
        found = (batch[lines.column] > 0) & (batch[lines.column] != UNKNOWN) & (batch["simple"] == 1)
        none = (batch["why"] > 0) & (batch["simple"] == 1) & (lines.statuses[1] is not None)
        waiting: list[str] = []
        status = 0
        for place, line in enumerate(batch.lines(slice(None))):
            if found[place] or none[place]:
                why = batch.obstruction(place, closed=spec.closed) if none[place] else None
                if as_json:
                    data = lines.json(spec.make(read_g6(line).graph()), batch, place, why)
                    waiting.append(json.dumps({**JSON_HEAD, **data}))
                else:
                    waiting.append(lines.text(batch, place, stated[batch["directed"][place]], why))
                status = max(status, lines.statuses[int(none[place])] or 0)
                continue
            if waiting:
                yield "\n".join(waiting), status
                waiting.clear()
            yield before + int(batch["line"][place]) + 1, int(batch["graph"][place]), line
        if waiting:
            yield "\n".join(waiting), status
        before += batch.text.count(b"\n")


def _parts(contents: str) -> Iterator[str]:
    """The contents in parts of whole lines: answers come soon, and Ctrl-C keeps what is printed."""
    start = 0
    while start < len(contents):
        end = contents.find("\n", start + _PART)
        end = len(contents) if end < 0 else end + 1
        yield contents[start:end]
        start = end
