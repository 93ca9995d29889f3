"""Certificates: every excluded board has a valid one, and no board with a tour has one."""

from __future__ import annotations

import functools
import itertools
import random
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from marks import full, quick
from proof_cases import CONSTRAINED, asked, excluded_closed, excluded_open
from strategies import TOUR_BOARDS, all_tours, boards, examples, problems, refusal, small_problems

import ktsolve
from ktsolve.engines.registry import engine_named
from ktsolve.graphs.board import Board
from ktsolve.graphs.symmetry import SYMMETRIES
from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import Bound, CellSum
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import UNWEIGHTED, Statistic
from ktsolve.proof.arguments import count_components, refuted_by_sums, symmetry_obstruction
from ktsolve.proof.certificate import (
    Certificate,
    Clauses,
    Invariance,
    Multiples,
    Removal,
    read_certificate,
)
from ktsolve.proof.checker import check_certificate, summary
from ktsolve.proof.maker import prove
from ktsolve.proof.problem_graph import STATABLE, ProblemGraph, read_problem
from ktsolve.proof.statement import cut_clause, state


@functools.cache
def certified(problem: TourProblem, argument: str = "auto") -> Certificate:
    found = prove(problem, argument=argument)
    assert isinstance(found, Certificate), problem
    return found


def assert_proved(problem: TourProblem, argument: str = "auto") -> Certificate:
    """There is a certificate, and it holds after it was written and read."""
    certificate = certified(problem, argument)
    assert certificate.problem == problem
    again = read_certificate(certificate.to_text())
    assert again == certificate
    assert check_certificate(again) is None
    return certificate


# -- boards without tours -----------------------------------------------------------------------------------


def test_lists_of_excluded_boards() -> None:
    closed, opened = excluded_closed(60), excluded_open(60)
    # One row, two rows, 4xn, both sides odd, and three more.
    assert len(closed) == 60 + 29 + 12 + (9 + 4 + 1) + 3
    assert len(opened) == 59 + 29 + 4
    for size in ("1x1", "2x30", "4x15", "3x8", "7x7", "3x19", "5x11"):
        assert size in closed
    for size in ("3x10", "5x6", "6x10"):
        assert size not in closed
    for size in closed:
        obstruction = TourProblem(board=size, closed=True).obstruction()
        assert obstruction is not None, size


@pytest.mark.parametrize("size", quick(excluded_closed(60), excluded_closed(28).__contains__))
def test_closed(size: str) -> None:
    assert_proved(TourProblem(board=size, closed=True))


@pytest.mark.parametrize("size", quick(excluded_open(60), excluded_open(20).__contains__))
def test_open(size: str) -> None:
    assert_proved(TourProblem(board=size, closed=False))


def test_turned_boards() -> None:
    for size in ("12x4", "8x3", "7x5", "30x2"):
        assert_proved(TourProblem(board=size, closed=True))
    assert_proved(TourProblem(board="6x3", closed=False))


@pytest.mark.parametrize(
    "size",
    quick(
        (size for size in excluded_closed(28) if size not in ("5x5", "3x9")),
        excluded_closed(15).__contains__,
    ),
)
def test_closed_by_clauses(size: str) -> None:
    certificate = assert_proved(TourProblem(board=size, closed=True), "clauses")
    assert isinstance(certificate.argument, Clauses)


@pytest.mark.parametrize("size", quick(excluded_open(20), excluded_open(12).__contains__))
def test_open_by_clauses(size: str) -> None:
    certificate = assert_proved(TourProblem(board=size, closed=False), "clauses")
    assert isinstance(certificate.argument, Clauses)


@pytest.mark.full
def test_theorems_are_arguments_by_components() -> None:
    """Of all closed boards only 1x1 and 3x8 need clauses; on four rows a quarter of the cells is removed."""
    for size in excluded_closed(60):
        problem = TourProblem(board=size, closed=True)
        argument = certified(problem).argument
        if size in ("1x1", "3x8"):
            assert isinstance(argument, Clauses)
            continue
        assert isinstance(argument, Removal), size
        if problem.board.rows == 4:
            assert len(argument.cells) <= problem.board.columns
    assert "without 15 cells the board has 16 components" in summary(
        certified(TourProblem(board="4x15", closed=True))
    )


def test_given_ends_count() -> None:
    """A given end of the smaller colour reduces the number of components that a tour allows by one."""
    problem = TourProblem(board="5x5", closed=False, start="b5")
    argument = assert_proved(problem, "parts").argument
    assert isinstance(argument, Removal)
    found = count_components(
        read_problem(problem), [*map(problem.board.index.__getitem__, argument.cells), 25]
    )
    assert (found.removed, found.inner, found.number, found.refutes) == (13, 1, 13, True)


def test_large_boards_need_no_clauses() -> None:
    for size in ("4x200", "31x33"):
        assert isinstance(assert_proved(TourProblem(board=size, closed=True)).argument, Removal)
    problem = TourProblem(board="40x40", closed=True, symmetry="rot90")
    assert assert_proved(problem).argument == Invariance()


# -- constrained problems -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", quick(CONSTRAINED, CONSTRAINED[::12].__contains__), ids=lambda words: str(asked(words))
)
def test_constrained(words: dict[str, Any]) -> None:
    assert_proved(asked(words))


def test_all_features_are_certified() -> None:
    stated = frozenset().union(*(asked(words).features for words in CONSTRAINED))
    assert stated | {"graph", "digraph"} == STATABLE  # these two are in test_proof_graphs.py


@pytest.mark.full
@pytest.mark.parametrize("words", CONSTRAINED, ids=lambda words: str(asked(words)))
def test_engines_find_no_tour_either(words: dict[str, Any]) -> None:
    problem = asked(words)
    if len(problem.board) > 36 or (problem.symmetry and not problem.closed):
        pytest.skip("takes an engine too long")
    takes = engine_named("search").capabilities["construct"]
    name = "search" if problem.features <= takes else "cpsat" if "sums" in problem.features else "sat"
    assert ktsolve.find(problem, name).tour is None


@pytest.mark.full
def test_few_obtuse_angles() -> None:
    """The show-piece: at least 4 obtuse angles in every closed tour of the chessboard (Knuth 2025)."""
    certificate = assert_proved(asked({"board": "8x8", "closed": True, "most": ["obtuse=3"]}))
    assert isinstance(certificate.argument, Clauses)
    found = prove(asked({"board": "8x8", "closed": True, "most": ["obtuse=4"]}))
    assert isinstance(found, Tour)
    assert asked({"board": "8x8", "closed": True, "exactly": ["obtuse=4"]}).check(found) is None


def test_problems_with_a_tour() -> None:
    for words in (
        {"board": "3x10", "closed": True},
        {"board": "1x1", "closed": False},
        {"board": "20x20", "closed": True},
        {"board": "5x5", "closed": False, "start": "a1", "at": {2: "b3", 25: "c3"}},
        {"board": "6x6", "closed": True, "symmetry": "rot90"},
    ):
        problem = asked(words)
        found = prove(problem)
        assert isinstance(found, Tour)
        assert problem.check(found) is None


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ktsolve.proof.problem_graph.STATABLE", STATABLE - {"magic"})
    magic = TourProblem(board="6x6", closed=True, magic=["rows"])
    assert refusal(prove, magic).startswith("no certificate can state equal sums of lines (magic); it can")
    assert "no argument by parts" in refusal(prove, TourProblem(board="3x8", closed=True), argument="parts")
    assert refusal(prove, TourProblem(board="3x8", closed=True), argument="colours").startswith(
        "argument 'colours' is unknown: use auto, parts, degrees, symmetry, sums, order, clauses"
    )


# -- nothing false is proved --------------------------------------------------------------------------------


def answer(problem: TourProblem) -> bool:
    """Whether an engine finds a tour."""
    return ktsolve.find(problem, "auto").tour is not None


@given(problems(largest=4))
@examples(60)
def test_certificates_and_engines_agree(problem: TourProblem) -> None:
    assume(problem.features <= STATABLE)
    found = prove(problem)
    if isinstance(found, Tour):
        assert problem.check(found) is None
    else:
        assert not answer(problem)


@given(small_problems())
@examples(60)
def test_certificates_and_search_agree(problem: TourProblem) -> None:
    if len(problem.board) > 20:
        return
    for argument in ("auto", "clauses"):
        found = prove(problem, argument=argument)
        assert isinstance(found, Tour) == (ktsolve.find(problem, "search").tour is not None)


@given(small_problems(), st.integers(0, 2**32))
@examples(80)
def test_components_refute_no_tour_that_exists(problem: TourProblem, seed: int) -> None:
    graph = read_problem(problem)
    chance = random.Random(seed)
    refutes = False
    for _ in range(30):
        size = chance.randint(0, graph.nodes)
        refutes = refutes or count_components(graph, chance.sample(range(graph.nodes), size)).refutes
    if refutes and len(problem.board) <= 20:
        assert ktsolve.find(problem, "search").tour is None


@pytest.mark.parametrize(
    "words",
    [
        {"board": "6x6", "closed": True, "magic": ["rows", "columns"]},
        {"board": "6x10", "closed": False, "magic": ["rows", "columns"]},
        {"board": "5x5", "closed": False, "magic": ["rows"]},
        {"board": "8x8", "closed": True, "sum": ["a1:h1=261"], "order": ["a1,c3"]},
    ],
)
def test_sums_of_a_wrong_remainder(words: dict[str, Any]) -> None:
    certificate = assert_proved(asked(words))
    assert isinstance(certificate.argument, Multiples)
    assert len(certificate.to_text()) < 400
    assert "the colours of" in summary(certificate)
    fewer = Certificate(certificate.problem, Multiples(certificate.argument.multiples[:-1]))
    assert check_certificate(fewer) == "these multiples of the sums do not contradict each other"


def _summed(tour: Tour, lines: list[list[Any]], off: int) -> ProblemGraph:
    """Lines of cells with required sums: those of a tour, plus ``off``."""
    sums = [CellSum(frozenset(line), sum(tour.step_of[cell] for cell in line) + off) for line in lines]
    return read_problem(TourProblem(board=tour.board, closed=tour.closed, conditions=sums))


@pytest.mark.parametrize("number", [40, full(200)])
def test_sums_of_tours_are_not_refuted(number: int) -> None:
    chance = random.Random(5)
    for size, closed in (("3x4", False), ("5x6", True), ("4x5", False), ("5x5", False)):
        board = Board.parse(size)
        tours = all_tours(board, closed)
        refuted = 0
        for _ in range(number):
            tour = chance.choice(tours)
            lines = [chance.sample(board.cells, chance.randint(1, len(board) - 1)) for _ in range(3)]
            lines.append([cell for cell in board.cells if cell not in lines[0]])  # with it, all cells
            right, wrong = _summed(tour, lines, 0), _summed(tour, lines, 1)
            for _ in range(20):
                multiples = [chance.choice((0, 0, 1, 2, 3)) for _ in right.conditions]
                assert not refuted_by_sums(right, multiples)
                refuted += refuted_by_sums(wrong, multiples)
        assert refuted > number // 10


@given(boards(largest=5), st.booleans(), st.sampled_from(SYMMETRIES))
@examples(80)
def test_symmetry_refutes_no_tour_that_exists(board: Board, closed: bool, symmetry: str) -> None:
    try:
        problem = TourProblem(board=board, closed=closed, symmetry=symmetry)
    except ktsolve.BadInput:
        return
    if len(board) <= 20 and symmetry_obstruction(read_problem(problem)) is not None:
        assert ktsolve.find(problem, "search").tour is None


def test_no_symmetric_tour_is_refuted() -> None:
    """No tour of some boards that has a symmetry is refuted by it."""
    seen: Counter[tuple[bool, str]] = Counter()
    for board, closed, _ in TOUR_BOARDS:
        for symmetry in SYMMETRIES:
            try:
                problem = TourProblem(board=board, closed=closed, symmetry=symmetry)
            except ktsolve.BadInput:
                continue
            if any(problem.check(tour) is None for tour in all_tours(board, closed)):
                assert symmetry_obstruction(read_problem(problem)) is None, problem
                seen[closed, symmetry] += 1
    assert all(seen[kind] for kind in ((True, "rot90"), (True, "rot180"), (False, "rot180")))
    assert sum(seen[True, flip] for flip in ("flip-h", "flip-v")) > 3
    assert sum(seen[False, flip] for flip in ("flip-h", "flip-v")) > 1


def stated_of(tour: Tour, problem: TourProblem, name: str) -> bool | None:
    """The value of a variable for a tour, by its name; None for counts, which clauses define."""
    board, moves = problem.board, tour.moves
    defined = any(mark in name for mark in (">=", " number ", " = "))
    if defined or (" at " in name and not name.split()[2].isdigit()):
        return None
    if " at " in name:
        cell, _, step = name.split()
        return tour.step_of[board.cell(cell)] == int(step)
    if name.startswith("end "):
        return board.cell(name[4:]) in (tour.squares[0], tour.squares[-1])
    if " crosses " in name:
        return all(board.move(each) in moves for each in name.split(" crosses "))
    return board.move(name) in moves


KINDS: tuple[dict[str, list[str]], ...] = (
    {},
    {"most": ["obtuse=2"]},
    {"most": ["turns=9"], "least": ["acute=3"]},
    {"least": ["crossings=5"], "most": ["right=4"]},
    {"figure": ["1+3=row"]},
    {"figure": ["1,2,4=path"], "order": ["a1,b1,a2"]},
    {"sum": ["a1,b1=9"]},
    {"sum": ["a1,b1,a2=15", "b2=7"]},
)


@pytest.mark.parametrize("number", quick(range(len(TOUR_BOARDS)), lambda number: number % 4 == 1))
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_clauses_hold_for_tours_and_for_nothing_else(number: int, kind: dict[str, list[str]]) -> None:
    """Every tour that answers satisfies all clauses and cuts; with any other the clauses contradict."""
    from pysat.solvers import Solver

    board, closed, _ = TOUR_BOARDS[number]
    if len(board) < 6 or (board.wrap != "none" and not {"figure", "sum"} & set(kind) and kind):
        return
    if kind and not {(board.rows - 1, 0), (board.rows - 1, 1), (board.rows - 2, 1)} <= set(board.cells):
        return
    words = {
        "board": board.size,
        "closed": closed,
        "without": " ".join(board.name(cell) for cell in board.removed),
        "leaper": board.leaper,
        "wrap": board.wrap,
    }
    problem = asked({**words, **kind})
    statement = state(problem)
    chance = random.Random(number)
    tours = all_tours(board, closed)
    seen: Counter[bool] = Counter()
    with Solver(name="cadical153", bootstrap_with=statement.clauses) as solver:
        for tour in chance.sample(tours, min(len(tours), 12)):
            whole = tour if not closed else tour.starting_at(chance.choice(board.cells))
            facts = []
            for variable, name in enumerate(statement.names, 1):
                true = stated_of(whole, problem, name)
                facts += [] if true is None else [variable if true else -variable]
            right = problem.check(whole) is None
            assert solver.solve(assumptions=facts) == right, whole
            seen[right] += 1
            if right:
                part = set(chance.sample(range(len(board)), chance.randint(1, len(board) - 1)))
                assert set(cut_clause(statement.graph, part)) & set(facts)
    assert seen
    assert kind or set(seen) == {True}


@pytest.mark.parametrize(("size", "closed"), [full("5x6", True), ("4x5", False)])
def test_statistics_are_what_the_tour_has(size: str, closed: bool) -> None:
    """With the right number the clauses hold, with one more or one less they contradict."""
    from pysat.solvers import Solver

    board = Board.parse(size)
    tours = sorted(all_tours(board, closed), key=lambda tour: -Statistic("straight").of(tour))
    assert Statistic("straight").of(tours[0]) > 0
    for tour, name in itertools.product((tours[0], tours[-1]), UNWEIGHTED):
        statistic = Statistic.made(name, board, board.moves[::2] if name == "moves" else ())
        for off in (-1, 0, 1):
            number = max(0, statistic.of(tour) + off)
            bound = Bound(statistic, least=number, most=number)
            problem = TourProblem(board=board, closed=closed, conditions=[bound])
            statement = state(problem)
            facts = [
                variable if stated_of(tour, problem, label) else -variable
                for variable, label in enumerate(statement.names[: len(statement.graph.edges)], 1)
            ]
            with Solver(name="cadical153", bootstrap_with=statement.clauses) as solver:
                assert solver.solve(assumptions=facts) == (number == statistic.of(tour)), (name, number)


@given(problems(largest=4))
@examples(60)
def test_the_graph_is_that_of_the_board(problem: TourProblem) -> None:
    assume(problem.features <= STATABLE)
    graph = read_problem(problem)
    board = problem.board
    assert graph.cells == board.cells
    cells = len(board)
    moves = {(graph.cells[u], graph.cells[v]) for u, v in graph.edges if v < cells}
    assert moves == set(board.moves) - problem.forbid
    near = {cell: {board.cells[v] for v in graph.near[u]} for u, cell in enumerate(board.cells)}
    assert near == {cell: set(others) for cell, others in board.neighbours.items()}


# -- what the checker imports -------------------------------------------------------------------------------

ALONE = """
import sys
from ktsolve.proof.certificate import read_certificate
from ktsolve.proof.checker import check_certificate
assert check_certificate(read_certificate(sys.stdin.read())) is None
packages = {name.split(".")[1] for name in sys.modules if name.startswith("ktsolve.")}
below = {"base", "graphs", "formats", "problem"}
assert packages <= below | {"proof", "_native"}, packages
assert not {"pysat", "ortools", "networkx"} & set(sys.modules)
print(sorted(name.split(".")[2] for name in sys.modules if name.startswith("ktsolve.proof.")))
"""


def test_the_checker_imports_no_solver() -> None:
    given = certified(TourProblem(board="3x8", closed=True)).to_text()
    command = [sys.executable, "-c", ALONE]
    said = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert said.stderr == ""
    assert "maker" not in said.stdout
    assert "checker" in said.stdout
