"""What the tests draw from: boards, tours, problems, groups of permutations, and hostile text."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import ktsolve
from ktsolve.base.errors import BadInput
from ktsolve.graphs.board import WRAPS, Board, Move
from ktsolve.graphs.geometry import CORNERS, LINES
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.symmetry import SYMMETRIES
from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import Bound, CellSum, Condition, Order, StepRange
from ktsolve.problem.conditions.figure import SHAPES, Figure
from ktsolve.problem.conditions.moves import Run
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import UNWEIGHTED, Statistic

Result = TypeVar("Result")

KNIGHT = (1, 2)
LEAPERS = (KNIGHT, (0, 1), (1, 1), (2, 3), (1, 3), (0, 2), (2, 2), (3, 4), (0, 9), (1, 8), (5, 11))
"""Short ones and ones that leap further than any board drawn here."""


def examples(number: int) -> settings:
    """That many examples of the 100 that a whole run takes by default, however slow the machine is."""
    slow = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    drawn = max(number * settings().max_examples // 100, 1)
    return settings(max_examples=drawn, deadline=None, suppress_health_check=slow)


# -- bad input --------------------------------------------------------------------------------------------


def one_line(error: BaseException) -> str:
    """The message of an error, which must be one readable line, not a wall of text."""
    message = str(error)
    assert message
    assert message.isprintable(), message
    assert len(message) <= 400, message
    return message


def refusal(call: Callable[..., object], *given: Any, **named: Any) -> str:
    """The message with which a call refuses its input."""
    with pytest.raises(BadInput) as caught:
        call(*given, **named)
    return one_line(caught.value)


def answer_or_refusal(call: Callable[..., Result], *given: Any, **named: Any) -> Result | None:
    """What a call returns, None if it refuses; any other exception escapes and fails the test."""
    try:
        return call(*given, **named)
    except BadInput as error:
        one_line(error)
        return None


_NOTATION = "abcdhxyzXAF0123456789,;:()[]{}<>-–×. \t\n#|\"'_+first²³٣３ſK\u2028\x00\ud800"


def hostile_text() -> st.SearchStrategy[str]:
    """Any text, text that is almost notation, bytes read as text, and monstrous numbers."""
    digits = st.integers(1, 6000).map(lambda n: "9" * n)
    words = st.sampled_from(
        ["a1", "b3", "0,1", "(2,0)", "first:3", "a1:c2", "3x4", "a1-b3", "first:", "1", "."]
    )
    glue = st.sampled_from(["", " ", ",", ", ", "-", "->", ":", ";", "\n", "x", "|"])
    pieces = st.lists(st.tuples(st.one_of(words, digits), glue), max_size=6)
    return st.one_of(
        st.text(max_size=60),
        st.text(alphabet=_NOTATION, max_size=40),
        st.binary(max_size=60).map(lambda raw: raw.decode("latin-1")),
        st.binary(max_size=60).map(lambda raw: raw.decode("utf-8", "surrogateescape")),
        pieces.map(lambda found: "".join(a + b for a, b in found)),
    )


def json_values() -> st.SearchStrategy[Any]:
    """What a JSON file can hold, numbers that are none included."""
    leaves = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 12),
        st.integers(),
        st.floats(),
        st.text(max_size=8),
        st.sampled_from(["3x4", "a1", "b3", "x", "xy", "none", "0,1"]),
    )
    keys = st.sampled_from(
        ["rows", "columns", "without", "leaper", "wrap", "board", "closed", "squares", "?"]
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=6)),
        max_leaves=12,
    )


# -- boards -----------------------------------------------------------------------------------------------


@st.composite
def boards(
    draw: st.DrawFn,
    largest: int = 7,
    leapers: tuple[tuple[int, int], ...] = LEAPERS,
    wraps: tuple[str, ...] = WRAPS,
    holes: bool = True,
) -> Board:
    """Boards of all kinds; every other one has a knight."""
    rows, columns = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    leaper = draw(st.one_of(st.just(leapers[0]), st.sampled_from(leapers)))
    wrap = draw(st.sampled_from(wraps))
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    removed: set[Cell] = set()
    if holes and draw(st.booleans()):
        removed = draw(st.sets(st.sampled_from(cells), max_size=len(cells) - 1))
    return Board(rows, columns, frozenset(removed), leaper, wrap)


# -- tours ------------------------------------------------------------------------------------------------

WAZIR = (0, 1)

TOUR_BOARDS: tuple[tuple[Board, bool, int], ...] = (
    (Board(1, 1), False, 1),
    (Board(1, 2, leaper=WAZIR), False, 1),
    (Board(3, 4), False, 8),
    (Board(3, 7), False, 52),
    (Board(4, 5), False, 82),
    (Board(5, 5), False, 864),
    (Board(5, 6), True, 8),
    (Board(3, 10), True, 16),
    (Board.parse("3x3", without="b2"), True, 1),
    (Board.parse("3x3", without="b2"), False, 8),
    (Board.parse("4x4", without="a1 a4 d1 d4"), True, 2),
    (Board.parse("4x4", without="a1 a4"), True, 4),
    (Board.parse("4x4", without="a1 a4"), False, 176),
    (Board(4, 4, leaper=WAZIR), True, 6),
    (Board(4, 4, leaper=WAZIR), False, 276),
    (Board.parse("3x4", wrap="x"), True, 2),
    (Board.parse("3x4", wrap="x"), False, 48),
    (Board.parse("2x5", wrap="x"), True, 1),
    (Board.parse("3x4", leaper=(1, 1), wrap="y"), False, 24),
    (Board.parse("2x4", wrap="xy"), True, 6),
    (Board.parse("2x4", wrap="xy"), False, 72),
    (Board.parse("3x3", wrap="xy"), True, 48),
    (Board.parse("3x3", without="a1", wrap="xy"), False, 148),
)
"""Boards, whether closed tours are meant, and how many undirected tours there are."""


@cache
def all_tours(board: Graph, closed: bool) -> tuple[Tour, ...]:
    """Every undirected tour of a board, listed once per session."""
    found = ktsolve.find_all(TourProblem(board=board, closed=closed), "search")
    return tuple(found)


@cache
def all_rows(ground: Graph, closed: bool) -> NDArray[np.int64]:
    """All tours in all labelings, as rows of places of cells; found without conditions."""
    rows = []
    for tour in all_tours(ground, closed):
        ways = [list(tour.indices)] + ([] if ground.directed else [list(tour.indices)[::-1]])
        for way in ways:
            turns = len(way) if closed else 1
            rows += [way[at:] + way[:at] for at in range(turns)]
    return np.unique(np.array(rows, dtype=np.int64).reshape(-1, len(ground)), axis=0)


@st.composite
def real_tours(draw: st.DrawFn, closed: bool | None = None) -> Tour:
    """Tours, closed or not, numbered from any cell where that is possible, in either direction."""
    kinds = [(b, c) for b, c, number in TOUR_BOARDS if number and closed in (None, c)]
    board, is_closed = draw(st.sampled_from(kinds))
    tour = draw(st.sampled_from(all_tours(board, is_closed)))
    if draw(st.booleans()):
        tour = tour.reversed()
    return tour.starting_at(draw(st.sampled_from(board.cells))) if is_closed else tour


@st.composite
def walks(draw: st.DrawFn, largest: int = 5) -> Tour:
    """Any sequence of cells: permutations of the board, or cells at random, most of them no tours."""
    board = draw(boards(largest))
    any_cells = st.lists(st.sampled_from(board.cells), max_size=len(board) + 2)
    squares = draw(st.one_of(any_cells, st.permutations(board.cells)))
    return Tour(board, tuple(squares), draw(st.booleans()))


# -- groups -----------------------------------------------------------------------------------------------


def permutations_of(size: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Permutations of 0 ... size-1."""
    return st.permutations(range(size)).map(tuple)


def closure(generators: list[tuple[int, ...]], size: int) -> set[tuple[int, ...]]:
    """The group that permutations generate."""
    identity = tuple(range(size))
    found, waiting = {identity}, [identity]
    while waiting:
        one = waiting.pop()
        for other in generators:
            product = tuple(other[i] for i in one)
            if product not in found:
                found.add(product)
                waiting.append(product)
    return found


# -- problems ---------------------------------------------------------------------------------------------


def random_condition(chance: random.Random, board: Board, closed: bool, model: Tour | None) -> Condition:
    """A condition of any kind, mostly one that the model satisfies."""
    size = len(board)
    if model is None or chance.random() < 0.3:
        cells = tuple(chance.sample(board.cells, size))
    else:
        cells = model.squares
    step_of = {cell: step for step, cell in enumerate(cells, 1)}
    some = chance.sample(cells, min(size, chance.randint(1, 4)))
    kind = chance.choice(["range", "order", "figure", "sum", "bound", "run"])
    if kind == "run" and size > 1:
        at = chance.randrange(size)
        return Run(frozenset((cells * 2)[at : at + max(2, len(some))]))
    if kind == "order" and len(some) > 1:
        return Order(tuple(sorted(some, key=step_of.__getitem__)))
    if kind == "figure":
        steps = tuple(sorted(step_of[cell] for cell in some))
        shape = chance.choice(SHAPES)
        return Figure(steps, shape, frozenset(some) if shape == "cells" else frozenset())
    if kind == "sum":
        return CellSum(frozenset(some), sum(step_of[cell] for cell in some))
    names = UNWEIGHTED if board.wrap == "none" else ("moves",)
    if not board.moves:
        names = tuple(name for name in names if name != "moves")
    if kind == "bound" and names:
        name = chance.choice(names)
        moves = frozenset(chance.sample(board.moves, min(3, len(board.moves)))) if name == "moves" else ()
        statistic = Statistic(name, frozenset(moves))
        value = statistic.of(model.as_closed(closed)) if model is not None else chance.randint(0, size)
        value += chance.choice([0, 0, 0, 1])
        return chance.choice(
            [Bound(statistic, least=value), Bound(statistic, most=value), Bound(statistic, value, value)]
        )
    step = step_of[some[0]]
    return StepRange(some[0], max(1, step - chance.randint(0, 3)), min(size, step + chance.randint(0, 3)))


def random_problem(
    chance: random.Random, board: Board, closed: bool, model: Tour | None
) -> TourProblem | None:
    """A problem with a few conditions, None if they contradict each other.

    With a ``model`` most conditions are taken from that tour, so that many problems have an answer and others
    only just have none.
    """

    def likely(share: float) -> bool:
        return chance.random() < share

    def cell_at(step: int) -> Cell:
        return model.squares[step - 1] if model is not None and likely(0.8) else chance.choice(board.cells)

    conditions: dict[str, Any] = {}
    size = len(board)
    if likely(0.3):
        conditions["start"] = cell_at(1)
    if likely(0.3):
        conditions["end"] = cell_at(size)
    if likely(0.3):
        steps = chance.sample(range(1, size + 1), min(size, chance.randint(1, 3)))
        conditions["at"] = {step: cell_at(step) for step in steps}
    moves = board.moves
    if moves and likely(0.3):
        made = sorted(model.moves) if model is not None and model.moves and likely(0.7) else moves
        conditions["require"] = chance.sample(made, min(len(made), chance.randint(1, 4)))
    if moves and likely(0.3):
        most = len(moves) // 3 if likely(0.2) else 4
        conditions["forbid"] = chance.sample(moves, min(len(moves), chance.randint(1, max(1, most))))
    if likely(0.25):
        conditions["symmetry"] = chance.choice(SYMMETRIES)
    if likely(0.15):
        conditions["corners"] = chance.sample(CORNERS, chance.randint(1, 4))
    if likely(0.15):
        conditions["magic"] = chance.sample(LINES, chance.randint(1, 3))
    for ends, step in (("starts", 1), ("ends", size)):
        if ends[:-1] not in conditions and likely(0.15):
            conditions[ends] = {cell_at(step), *chance.sample(board.cells, min(size, 2))}
    if likely(0.4):
        conditions["conditions"] = [
            random_condition(chance, board, closed, model) for _ in range(chance.randint(1, 3))
        ]
    try:
        return TourProblem(board=board, closed=closed, **conditions)
    except BadInput as error:
        one_line(error)
        return None


@st.composite
def problems(draw: st.DrawFn, largest: int = 4) -> TourProblem:
    """Tour problems with any conditions on small boards of any kind."""
    chance = random.Random(draw(st.integers(0, 2**32)))
    problem = random_problem(chance, draw(boards(largest)), draw(st.booleans()), None)
    assume(problem is not None)
    assert problem is not None
    return problem


def ordered(first: Cell, second: Cell) -> Move:
    """A move as boards write it."""
    return (first, second) if first < second else (second, first)


LETTERS = string.ascii_lowercase


@st.composite
def small_problems(draw: st.DrawFn, *, free_ends: bool = False) -> TourProblem:
    """Problems that all counting engines take; with ``free_ends`` open ones without given ends."""
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(2, 6))
    leaper = draw(st.sampled_from([(1, 2)] * 5 + [(0, 1), (1, 1), (1, 3), (2, 3), (0, 2)]))
    wrap = draw(st.sampled_from(["none"] * 4 + ["x", "y", "xy"]))
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    removed = draw(st.lists(st.sampled_from(cells), max_size=3, unique=True))
    try:
        board = Board(rows, columns, removed=frozenset(removed), leaper=leaper, wrap=wrap)
        closed = not free_ends and draw(st.booleans())
        words: dict[str, object] = {}
        moves = list(board.moves)
        if closed and len(moves) > 0 and draw(st.sampled_from([True, False, False, False])):
            words["start"], words["end"] = draw(st.sampled_from(moves))
        if not closed and not free_ends:
            ends = draw(st.lists(st.sampled_from(board.cells), max_size=2, unique=True))
            words.update(zip(("start", "end"), ends, strict=False))
        if len(moves) > 0 and draw(st.booleans()):
            key = draw(st.sampled_from(["require", "forbid"]))
            picked = draw(st.lists(st.sampled_from(moves), max_size=3, unique=True))
            words[key] = frozenset(picked)
        problem = TourProblem(board=board, closed=closed, **words)  # type: ignore[arg-type]
    except BadInput:
        assume(False)
        raise
    assume(len(moves) <= 90)
    return problem
