"""Non-crossing walks: published lengths, native search against CP-SAT and against plain recursion."""

from __future__ import annotations

from itertools import pairwise

import pytest
from command import answered, ktsolve, refused
from hypothesis import given
from hypothesis import strategies as st
from segments import meet
from strategies import examples

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Settings
from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.tour import Tour
from ktsolve.model.constraints import Literal, Subcircuit
from ktsolve.model.model import Model
from ktsolve.problem.longest import LongestProblem
from ktsolve.tasks.longest import longest_walk
from ktsolve.tasks.solve import solve

# OEIS A003192 and A157416, for sides 3, 4, ...
PATHS = [2, 5, 10, 17]
CYCLES = [0, 4, 8, 12, 24]


@pytest.mark.parametrize(("side", "length"), list(enumerate(PATHS, 3)))
def test_published_paths(side: int, length: int) -> None:
    found = longest_walk(LongestProblem(Board(side, side), closed=False, non_crossing=True))
    assert (found.length, found.bound, found.optimal) == (length, length, True)


@pytest.mark.parametrize(("side", "length"), list(enumerate(CYCLES, 3)))
def test_published_cycles(side: int, length: int) -> None:
    found = longest_walk(LongestProblem(Board(side, side), closed=True, non_crossing=True))
    assert (found.length, found.optimal) == (length, True)
    assert (found.walk is None) == (length == 0)


@pytest.mark.slow
def test_the_published_path_of_7x7() -> None:
    assert longest_walk(LongestProblem(Board(7, 7), closed=False, non_crossing=True)).length == 24


def plainly(board: Board, closed: bool) -> int:
    """By plain recursion, with crossings worked out as they come."""
    best = 0

    def extend(walk: list[Cell]) -> None:
        nonlocal best
        drawn = list(pairwise(walk))
        if not closed:
            best = max(best, len(drawn))
        for cell in board.neighbours[walk[-1]]:
            line = (walk[-1], cell)
            if any(meet(line, other) for other in drawn):
                continue
            if closed and cell == walk[0] and len(walk) > 2:
                best = max(best, len(walk))
            elif cell not in walk:
                extend([*walk, cell])

    for cell in board.cells:
        extend([cell])
    return best


@st.composite
def flat_boards(draw: st.DrawFn) -> Board:
    rows, columns = draw(st.sampled_from([(2, 3), (3, 3), (3, 4), (4, 4), (2, 6)]))
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    removed = draw(st.sets(st.sampled_from(cells), max_size=3))
    return Board(
        rows, columns, frozenset(removed), draw(st.sampled_from([(1, 2), (0, 1), (1, 1), (0, 2), (1, 3)]))
    )


@given(flat_boards(), st.booleans())
@examples(25)
def test_any_small_board(board: Board, closed: bool) -> None:
    problem = LongestProblem(board, closed, non_crossing=True)
    if board.leaper == (0, 1) and len(board) > 9:
        return  # plain recursion has too many walks to try
    expected = plainly(board, closed)
    for engine in ("search", "cpsat"):
        found = longest_walk(problem, engine)
        assert (found.length, found.bound) == (expected, expected), engine
        assert found.walk is None or problem.check(found.walk) is None


def test_the_checker_finds_each_fault() -> None:
    problem = LongestProblem(Board(3, 3), closed=False, non_crossing=True)
    for names, said in (
        ("a1 b3 a1", "step 3: a1 was visited before, at step 1"),
        ("a1 b2", "step 2: a1 to b2 is not a move of the piece"),
        ("a1 b3 c1 a2 c3", "a1-b3 crosses a2-c3"),
    ):
        assert str(problem.check(Tour.from_names(problem.board, names))) == said
    assert problem.check(Tour.from_names(problem.board, "a1 b3 c1")) is None
    cycle = LongestProblem(problem.board, closed=True, non_crossing=True)
    assert "is not a move from" in str(cycle.check(Tour.from_names(problem.board, "a1 b3 c1")))
    with pytest.raises(BadInput, match="not wrapped"):
        LongestProblem(Board(3, 3, wrap="x"), closed=True, non_crossing=True)


def test_a_subcircuit_is_one_cycle_through_what_is_present() -> None:
    edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]
    arcs = tuple((u, v, Literal(at)) for at, (u, v) in enumerate(edges))
    circuit = Subcircuit(6, arcs, tuple(Literal(6 + v) for v in range(6)))
    used = [True] * 3 + [False] * 3
    assert circuit.holds([*used, *used])
    assert not circuit.holds([*used, *[True] * 6])
    assert not circuit.holds([True] * 12)
    assert not circuit.holds([False] * 12)
    model = Model()
    literals = [model.boolean(f"x{i}") for i in range(12)]
    model.subcircuit(6, [(u, v, literals[at]) for at, (u, v) in enumerate(edges)], literals[6:])
    solved = solve(model)
    assert solved.assignment is not None
    assert sum(solved.assignment) == 6
    from ktsolve.engines.cpsat import CpSatSolver

    assert len(list(CpSatSolver().solutions(model, Settings()))) == 2


def test_the_command() -> None:
    said = answered("non-crossing", "5x5", "--open", "--json").json
    assert (said["status"], said["moves"], said["bound"], len(said["squares"])) == ("optimal", 10, 10, 11)
    assert "there is no non-crossing cycle on 3x3" in answered("non-crossing", "3x3", status=1).out
    assert (
        "5 moves, proved longest; cpsat" in answered("non-crossing", "4x4", "--open", "--engine", "cpsat").err
    )
    assert "use auto, search, cpsat" in refused("non-crossing", "5x5", "--engine", "sat")
    for seconds in ("0.3", "3", "30"):  # the longer ones only where the machine is slow or busy
        stopped = ktsolve("non-crossing", "9x9", "--timeout", seconds, "--json")
        assert stopped.status == 3
        if stopped.json["status"] == "found":
            break
    assert stopped.json["status"] == "found"
    assert stopped.json["bound"] == 81  # no cycle has more moves than there are cells


@pytest.mark.full
def test_time_runs_out_with_the_longest_found() -> None:
    found = longest_walk(
        LongestProblem(Board(9, 9), closed=False, non_crossing=True), settings=Settings(timeout=0.5)
    )
    assert found.walk is not None
    assert found.bound == 80  # a path has one move less than there are cells
    assert not found.optimal
    with pytest.raises(LimitReached):
        longest_walk(
            LongestProblem(Board(30, 30), closed=True, non_crossing=True), "cpsat", Settings(timeout=0.1)
        )
