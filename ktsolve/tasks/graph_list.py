"""Properties and counts of every graph of a list, by one native call for many graphs.

The native core decodes and answers graphs of up to 64 vertices (``native/include/ktsolve/lists``). It leaves
larger graphs, and those that take long, to the engines. Lines that are not graphs are read once more by
:func:`~ktsolve.formats.graphs.graph6.read_g6`, for the message.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput, LimitReached, WrongAnswer
from ktsolve.base.limits import Clock, Settings, limit_reached, takes_settings
from ktsolve.base.text import unknown
from ktsolve.formats.graphs.graph6 import read_g6
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.properties import COLUMNS, COUNTS
from ktsolve.problem.obstruction import Obstruction, few_moves, many_ends, not_connected, unequal_colours
from ktsolve.problem.problem import TourProblem

if TYPE_CHECKING:
    from ktsolve.formats.sources import Source

__all__ = ["UNKNOWN", "GraphBatch", "ListConditions", "ListTask", "graph_table"]

UNKNOWN = 2**64 - 1  # the native answer for a graph that is left to the engines

_OF_REPORT = ("vertices", "edges", "begin", "end", "line", "simple", "directed", "why")


@dataclass(frozen=True)
class ListConditions:
    """Conditions on the cycle or path of every graph, by numbers of its vertices.

    The native core leaves a graph that lacks one of these vertices or edges.
    """

    required: tuple[tuple[int, int], ...] = ()  # of directed graphs arcs
    forbidden: tuple[tuple[int, int], ...] = ()
    starts: int = 0  # of a path, a bit for each vertex; 0: any
    ends: int = 0


@dataclass(frozen=True)
class ListTask:
    """What is asked about the graphs of a list."""

    columns: tuple[str, ...]
    check: bool = False  # whether every answer is confirmed by a second method, not only a sample
    bad_line: Callable[[str], None] | None = None
    """What takes the message about a line that is not a graph, so that the list goes on; None: the error."""
    cycles: bool = False  # whether the batches have a cycle or path of each graph
    engines: bool = True  # whether engines answer what the native core leaves, and lines are checked
    conditions: ListConditions = ListConditions()  # without engines only

    def __post_init__(self) -> None:
        if not self.columns:
            raise BadInput(f"the list of columns is empty: use {', '.join(COLUMNS)}")
        for each in self.columns:
            if each not in COLUMNS:
                raise unknown("column", each, COLUMNS)


@dataclass
class GraphBatch:
    """The answers about some graphs of a list, an entry of each array for a graph."""

    text: bytes
    arrays: dict[str, NDArray[Any]]
    """``graph``, its number in the list from 1; ``vertices`` and ``edges``; booleans or counts for each
    column. Besides, ``begin`` and ``end`` of its line in the text, the number of the line in the text as
    ``line``, ``good`` unless it is not a graph, ``simple`` without loops and parallel edges, ``directed``,
    ``why`` it has no cycle or path."""
    cycles: NDArray[np.uint8] | None = None  # 64 entries for each graph, if asked for
    seconds: float = 0.0  # of the native call
    evidence: NDArray[np.int32] | None = None  # four numbers for each graph, of the reason in ``why``

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.arrays[name]

    def __len__(self) -> int:
        return len(self["graph"])

    def lines(self, chosen: NDArray[np.bool_] | slice) -> list[str]:
        """The lines of the chosen graphs, without headers."""
        text = self.text.decode("latin-1")
        ends = zip(self["begin"][chosen].tolist(), self["end"][chosen].tolist(), strict=True)
        return [text[begin:end] for begin, end in ends]

    def obstruction(self, place: int, *, closed: bool) -> Obstruction | None:
        """The reason of arithmetic why a graph has no cycle or path, as :func:`find_obstruction` gives it."""
        assert self.evidence is not None
        why, numbers = int(self["why"][place]), self.evidence[4 * place : 4 * place + 4].tolist()
        title = f"vertex {numbers[0]}"
        match why:
            case 1:
                return Obstruction("connectivity", not_connected(_NOUNS, "vertex 0", title))
            case 2:
                reason = unequal_colours(_NOUNS, numbers[0], numbers[1], closed=closed)
                return Obstruction("colours", reason)
            case 3 | 4:
                return Obstruction("degrees", few_moves(_NOUNS, title, why - 3))
            case 5:
                return Obstruction("degrees", many_ends(_NOUNS, numbers[0], list(map(str, numbers[1:]))))
        return None

    def all_of(self, properties: Iterable[str]) -> NDArray[np.bool_]:
        """For each graph whether it has all these properties."""
        found = np.ones(len(self), dtype=np.bool_)
        for name in properties:
            found &= self[name]
        return found

    def cut(self, size: int) -> GraphBatch:
        """The first graphs of these."""
        arrays = {name: values[:size] for name, values in self.arrays.items()}
        return replace(self, arrays=arrays)


_NOUNS = Graph(("0",), ()).nouns


class ListAnswers(Iterator[GraphBatch]):
    """The batches of a list, in order; :attr:`confirmed` answers so far were found by two methods.

    At a limit, or at a line that is not a graph, the batch of the graphs before comes first, then the error.
    """

    def __init__(self, pieces: Iterable[bytes], task: ListTask, settings: Settings, name: str = "") -> None:
        self._task, self._settings, self._name = task, settings, name
        self._clock = Clock(settings)
        self._batches = self._answered(pieces)
        self.graphs = 0
        self.confirmed = 0
        self._lines = 0

    def __next__(self) -> GraphBatch:
        return next(self._batches)

    def _answered(self, pieces: Iterable[bytes]) -> Iterator[GraphBatch]:
        for text in pieces:
            batch, error = self._native(text)
            known = np.stack([batch[name] != UNKNOWN for name in self._task.columns]).all(axis=0)
            for place in np.flatnonzero(~known).tolist() if self._task.engines else ():
                try:
                    self._by_engines(batch, place)
                except (BadInput, LimitReached, KeyboardInterrupt) as stop:
                    batch, error = batch.cut(place), stop
                    break
            if self._task.engines:
                for name in set(self._task.columns).difference(COUNTS):
                    batch.arrays[name] = batch[name] == 1
            yield batch
            self.graphs += len(batch)
            if error is not None:
                raise error
            self._lines += text.count(b"\n")

    def _native(self, text: bytes) -> tuple[GraphBatch, BaseException | None]:
        """The answers of the native core, and the error if it stopped before the end."""
        from ktsolve import _native

        names, started = list(COLUMNS), time.perf_counter()
        try:
            report = _native.answer_list(
                text,
                [names.index(each) for each in self._task.columns],
                first=self.graphs,
                threads=self._settings.thread_budget,
                check=self._task.check,
                cycles=self._task.cycles,
                **asdict(self._task.conditions),
                seconds=self._clock.left,
            )
        except RuntimeError as error:
            raise WrongAnswer(f"{self._name}, after graph {self.graphs:,}: {error}") from None
        self.confirmed += report.confirmed
        size = len(report.begin)
        answers = report.answers.reshape(size, len(self._task.columns))
        arrays: dict[str, NDArray[Any]] = {
            "graph": np.arange(self.graphs + 1, self.graphs + size + 1, dtype=np.int64),
            **{name: getattr(report, name) for name in _OF_REPORT},
            "good": np.ones(size, dtype=np.bool_),
            **{name: answers[:, place] for place, name in enumerate(self._task.columns)},
        }
        cycles = report.cycles if self._task.cycles else None
        batch = GraphBatch(text, arrays, cycles, time.perf_counter() - started, report.evidence)
        done = f"{self.graphs + report.answered:,} graphs done"
        stopped = limit_reached(report.status, self._clock, done)
        return (batch if stopped is None else batch.cut(report.answered)), stopped

    def _by_engines(self, batch: GraphBatch, place: int) -> None:
        """Complete the answers about a graph. Raises BadInput for a bad line, unless the list goes on."""
        try:
            data = read_g6(batch.lines(slice(place, place + 1))[0])
            if not data.vertices:
                raise BadInput("the graph has no vertices: a graph needs one or more")
        except BadInput as error:
            where = f"line {self._lines + int(batch['line'][place]) + 1}, graph {batch['graph'][place]}"
            message = f"{self._name}: {where}: {error}" if self._name else f"{where}: {error}"
            if self._task.bad_line is None:
                raise BadInput(message) from None
            self._task.bad_line(message)
            batch["good"][place] = False
            return
        graph = data.graph()
        batch["vertices"][place], batch["edges"][place] = len(graph), len(graph.edges)
        for name in self._task.columns:
            if batch[name][place] == UNKNOWN:
                reached = f"{batch['graph'][place] - 1:,} graphs done"
                answer = int(_answer(name, graph, self._clock.within(self._settings, reached)))
                if answer >= UNKNOWN:
                    batch.arrays[name] = batch[name].astype(object)
                batch[name][place] = answer


def _answer(column: str, graph: Graph, settings: Settings) -> bool | int:
    """The answer about one graph by the engines."""
    from ktsolve.tasks.count import count
    from ktsolve.tasks.properties import property_of

    if column in COUNTS:
        return count(TourProblem(graph, closed=column == "cycles"), settings=settings).count
    return property_of(column, graph, settings).holds


@takes_settings
def graph_table(
    source: Source | Iterable[Any],
    columns: str | Sequence[str] = "hamiltonian",
    settings: Settings | None = None,
    *,
    check: bool = False,
    keep_going: bool = False,
) -> NDArray[np.void]:
    r"""Decide or count for every graph of a list.

    Graphs of up to 64 vertices are answered without a Python object for each, on all threads.

    Parameters
    ----------
    source:
        A list in graph6, sparse6, digraph6 or planar code: the path of a file, also compressed, or an open
        file. Or an iterable of lines or of graphs, as :meth:`Graph.of` takes them.
    columns:
        One or several of :data:`ktsolve.graphs.properties.COLUMNS`: properties such as ``"hamiltonian"``,
        ``"traceable"`` or ``"hypohamiltonian"``; the numbers ``"cycles"`` and ``"paths"``.
    settings:
        Limits and threads; the defaults if None.
    check:
        Confirm every count and every "no" by a second method, not only those of one graph in 64.
    keep_going:
        Leave out lines that are not graphs, in place of an error.

    Returns
    -------
    numpy.ndarray
        A structured array with an entry for each graph: fields ``graph`` (its number in the list, from 1),
        ``vertices``, ``edges``, and one for each column: booleans for properties, whole numbers for counts,
        of type ``object`` if one is 2^63 or more.

    Raises
    ------
    BadInput
        For an unknown column, and a line that is not a graph; the message has its number.
    LimitReached
        If time or memory ran out first.
    WrongAnswer
        If two methods differ.

    Notes
    -----
    Every cycle is checked before the answer is yes. One vertex has a path and no cycle, two vertices have no
    cycle. A graph without vertices is refused.

    Examples
    --------
    >>> table = graph_table(["Bw", "C~", "DQo"], ["hamiltonian", "cycles"])
    >>> table["hamiltonian"].tolist(), table["cycles"].tolist()
    ([True, True, False], [1, 3, 0])
    >>> int(table["vertices"].max())
    5
    """
    from ktsolve.formats.sources import graph_lines

    settings = Settings.of(settings)
    named = (columns,) if isinstance(columns, str) else tuple(columns)
    task = ListTask(named, check, (lambda _message: None) if keep_going else None)
    batches = list(ListAnswers(graph_lines(source, settings), task, settings))
    joined = {
        name: _joined(name, [each[name][each["good"]] for each in batches])
        for name in ("graph", "vertices", "edges", *task.columns)
    }
    table = np.empty(len(joined["graph"]), dtype=[(name, values.dtype) for name, values in joined.items()])
    for name, values in joined.items():
        table[name] = values
    return table


def _joined(name: str, parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """The parts of a column as one array: counts as signed numbers where they fit."""
    whole = np.concatenate(parts) if parts else np.empty(0, dtype=np.bool_ if name in COLUMNS else np.int64)
    if name not in COUNTS:
        return whole
    fits = not len(whole) or int(whole.max()) < 2**63
    return whole.astype(np.int64 if fits else object)
