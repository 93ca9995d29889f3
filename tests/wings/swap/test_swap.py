"""Answers to swap puzzles: every engine, every shipped puzzle, random puzzles, limits."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ktsolve.models.knight_swap import SwapModel
from marks import full, quick
from strategies import examples

from ktsolve.base.errors import BadInput, LimitReached, Refused, WrongAnswer
from ktsolve.base.limits import Settings
from ktsolve.graphs.board import Board
from ktsolve.model.io import to_dimacs
from ktsolve.wings.swap import search as search_module
from ktsolve.wings.swap.answer import SWAP_ENGINES, all_shortest, solve_swap
from ktsolve.wings.swap.instance import ExpectedAnswer, load_swap_instance, shipped_swap_instances
from ktsolve.wings.swap.planning import certify, lower_bound, obstruction, parity, shortest_model
from ktsolve.wings.swap.puzzle import SwapPuzzle, count_by_layers
from ktsolve.wings.swap.search import memory_needed, search
from ktsolve.wings.swap.solution import violation

EIGHT = SwapPuzzle(start="..BB/.xBB/xCCx/xCCx", goal="..CC/.xCC/xBBx/xBBx")
GUARINI = SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W")

# -- published and shipped -----------------------------------------------------------------------------------

KNOWN: list[Any] = [
    (EIGHT, {}, 18, 1162562),
    (EIGHT, {"objective": "moves", "longest": 2}, 12, 2),
    full(EIGHT, {"objective": "moves", "longest": 3}, 12, 214),
    (GUARINI, {}, 16, 4726784),
    (GUARINI, {"objective": "moves"}, 7, 8),
    (replace(GUARINI, start="W.B/.x./B.W", goal="B.W/.x./W.B"), {}, 8, 2176),
    (replace(GUARINI, start="W.B/.x./B.W", goal="B.W/.x./W.B"), {"objective": "moves"}, 5, 8),
    full(SwapPuzzle(start="BBB/.../.../WWW", goal="WWW/.../.../BBB"), {}, 16, 98496),
    full(SwapPuzzle(start="BBB/.../.../WWW", goal="WWW/.../.../BBB"), {"objective": "moves"}, 8, 408),
    (SwapPuzzle(start="WWWW/..../BBBB", goal="BBBB/..../WWWW"), {}, 10, 500),
]


@pytest.mark.parametrize(("puzzle", "changed", "length", "number"), KNOWN)
def test_known_numbers(puzzle: SwapPuzzle, changed: dict[str, Any], length: int, number: int) -> None:
    asked = replace(puzzle, **changed)
    answer = solve_swap(asked, count=True)
    assert (answer.length, answer.count) == (length, number)
    layered = count_by_layers(asked)
    assert (layered.length, layered.count) == (length, number)


def test_all_positions_of_the_eight_knights_are_one_component() -> None:
    started = time.perf_counter()
    whole = search(EIGHT, whole=True)
    assert time.perf_counter() - started < 15
    assert (whole.states, whole.reached, whole.exhausted) == (11550, 11550, True)


ANSWERS = [
    (Path(path).stem, answer)
    for path in shipped_swap_instances()
    for answer in load_swap_instance(path).answers
]
SLOW_TO_PLAN = {"six-knights-4x3-turns", "six-knights-5x3", "six-knights-4x3", "six-knights-4x4"}


def test_shipped_puzzles_cover_all_conditions() -> None:
    loaded = [load_swap_instance(path) for path in shipped_swap_instances()]
    assert len(loaded) >= 15
    assert len({each.title for each in loaded}) == len(loaded)
    assert all(each.source and each.answers for each in loaded)
    assert sum(answer.length is None for _, answer in ANSWERS) >= 5
    puzzles = [each.puzzle for each in loaded]
    for condition in ("different", "alternate", "peaceful", "most"):
        assert any(getattr(puzzle, condition) for puzzle in puzzles), condition


@pytest.mark.parametrize(
    ("name", "expected"),
    quick(ANSWERS, lambda case: not case[0].startswith("six-knights")),
    ids=[f"{n}-{a.puzzle.objective}" for n, a in ANSWERS],
)
def test_search_finds_what_a_shipped_puzzle_expects(name: str, expected: ExpectedAnswer) -> None:
    answer = solve_swap(expected.puzzle, count=True)
    assert answer.length == expected.length
    if expected.solutions is not None:
        assert answer.count == expected.solutions
    if answer.solution is None:
        assert answer.count == 0
        assert answer.proof.startswith("searched: ")
    if obstruction(expected.puzzle) is not None:
        assert answer.length is None


@pytest.mark.parametrize("engine", ["sat", "cpsat"])
@pytest.mark.parametrize(
    ("name", "expected"),
    quick(
        ((name, answer) for name, answer in ANSWERS if name not in SLOW_TO_PLAN | {"single-file"}),
        lambda case: case[0] == "guarini" and case[1].puzzle.objective == "moves",
        lambda number: number % 4 == 0,
    ),
    ids=lambda value: value if isinstance(value, str) else value.puzzle.objective,
)
def test_planning_agrees(name: str, expected: ExpectedAnswer, engine: str) -> None:
    answer = solve_swap(expected.puzzle, engine, Settings(threads=1))
    assert answer.length == expected.length
    assert answer.proof.startswith((f"{engine} refuted", "arithmetic"))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["sat", "cpsat"])
@pytest.mark.parametrize(
    ("name", "expected"), [(name, answer) for name, answer in ANSWERS if name in SLOW_TO_PLAN]
)
def test_planning_agrees_on_larger_puzzles(name: str, expected: ExpectedAnswer, engine: str) -> None:
    assert solve_swap(expected.puzzle, engine).length == expected.length


@pytest.mark.full
@pytest.mark.parametrize("engine", ["sat", "cpsat"])
def test_twelve_moves_are_proved_in_time(engine: str) -> None:
    puzzle = replace(EIGHT, objective="moves", longest=2)
    started = time.perf_counter()
    answer = solve_swap(puzzle, engine, Settings(threads=1))
    assert time.perf_counter() - started < 30
    assert (answer.length, answer.proof) == (12, f"{engine} refuted solutions of at most 11 moves")


@pytest.mark.slow
def test_ten_million_positions() -> None:
    puzzle = SwapPuzzle(start="01011/110.1/01110/01010/00100", goal="11111/01111/00.11/00001/00000")
    assert memory_needed(puzzle) == 2 * 67603900
    found = search(puzzle, count=True)
    assert found.solution is not None
    assert (len(found.solution), found.count, found.reached) == (18, 21, 7137421)
    assert found.peak_bytes is not None
    assert found.peak_bytes < 1 << 28


@pytest.mark.parametrize(
    "puzzle",
    [
        full(replace(EIGHT, objective="moves", longest=2)),
        pytest.param(replace(EIGHT, objective="moves", longest=3), marks=pytest.mark.slow),
        replace(GUARINI, objective="moves"),
        full(replace(GUARINI, objective="moves", longest=3)),
        full(replace(GUARINI, alternate=True, peaceful=True)),
        full(replace(GUARINI, objective="moves", longest=2, alternate=True)),
        full(SwapPuzzle(start="WWWW/..../BBBB", goal="BBBB/..../WWWW", objective="moves")),
        SwapPuzzle(start="A..", goal="A.."),
    ],
    ids=str,
)
def test_all_engines_list_the_same_solutions(puzzle: SwapPuzzle) -> None:
    lists = [list(all_shortest(puzzle, engine, Settings(threads=1))) for engine in SWAP_ENGINES]
    number = solve_swap(puzzle, count=True).count
    assert [len(each) for each in lists] == [number] * 3
    assert set(lists[0]) == set(lists[1]) == set(lists[2])
    assert len(set(lists[0])) == number


def test_walks_and_not_their_ends_are_counted() -> None:
    # Round a ring of four cells there are two ways from a corner to the opposite one.
    board = Board.parse("2x2", leaper=(0, 1))
    puzzle = SwapPuzzle(start="A./..", goal="../.A", board=board, objective="moves")
    assert [solution.moves for solution in all_shortest(puzzle)] == [((0, 1, 3),), ((0, 2, 3),)]
    assert {solve_swap(puzzle, engine, count=True).count for engine in SWAP_ENGINES} == {2}


# -- random puzzles ------------------------------------------------------------------------------------------


@st.composite
def puzzles(draw: st.DrawFn) -> SwapPuzzle:
    """Small puzzles of every kind; many have no solution."""
    rows, columns = draw(st.integers(1, 3)), draw(st.integers(2, 3))
    cells = rows * columns
    hole = draw(st.one_of(st.none(), st.integers(0, cells - 1))) if cells > 3 else None
    there = cells - (hole is not None)
    letters = draw(st.lists(st.sampled_from("AB"), min_size=1, max_size=min(4, there)))
    marks = letters + ["."] * (there - len(letters))

    def picture() -> str:
        order = draw(st.permutations(marks))
        if hole is not None:
            order = [*order[:hole], "x", *order[hole:]]
        return "/".join("".join(order[i * columns : (i + 1) * columns]) for i in range(rows))

    removed = frozenset() if hole is None else frozenset({divmod(hole, columns)})
    board = Board(
        rows,
        columns,
        removed,
        draw(st.sampled_from([(0, 1), (1, 2), (1, 1)])),
        draw(st.sampled_from(["none", "x"])),
    )
    objective = draw(st.sampled_from(["jumps", "moves"]))
    leapers = {letters[0]: draw(st.sampled_from([(0, 1), (1, 2)]))} if draw(st.booleans()) else {}
    rules: dict[str, Any] = {
        "objective": objective,
        "longest": draw(st.sampled_from([None, 1, 2, 3])) if objective == "moves" else None,
        "alternate": len(set(letters)) == 2 and draw(st.booleans()),
        "peaceful": draw(st.booleans()),
        "leapers": leapers,
    }
    try:
        return SwapPuzzle(start=picture(), goal=picture(), board=board, **rules)
    except BadInput:  # enemies that face each other
        return SwapPuzzle(start=picture(), goal=picture(), board=board, **{**rules, "peaceful": False})


@given(puzzles())
@examples(200)
def test_search_layers_and_arithmetic_agree(puzzle: SwapPuzzle) -> None:
    found = search(puzzle, count=True)
    layered = count_by_layers(puzzle)
    assert found.layers == layered.layers
    if found.solution is None:
        assert layered.length is None
        return
    assert (len(found.solution), found.count) == (layered.length, layered.count)
    assert violation(puzzle, found.solution.moves) is None
    assert obstruction(puzzle) is None
    bound = lower_bound(puzzle)
    assert bound is not None
    assert bound <= len(found.solution)
    assert parity(puzzle) in (None, len(found.solution) % 2)


@given(puzzles(), st.sampled_from(["sat", "cpsat"]))
@examples(60)
def test_planning_and_search_agree(puzzle: SwapPuzzle, engine: str) -> None:
    found = search(puzzle, count=True, whole=True)
    asked = replace(puzzle, most=len(found.layers))
    answer = solve_swap(asked, engine, Settings(threads=1))
    assert answer.length == (None if found.solution is None else len(found.solution))
    if found.solution is not None and found.count is not None and found.count <= 60:
        listed = list(all_shortest(puzzle, engine, Settings(threads=1)))
        assert len(listed) == found.count
        assert set(listed) == set(all_shortest(puzzle))


@given(puzzles())
@examples(100)
def test_reversed_and_mirrored_puzzles_have_the_same_answer(puzzle: SwapPuzzle) -> None:
    def mirrored(picture: str) -> str:
        return "/".join(row[::-1] for row in picture.split("/"))

    last = puzzle.board.columns - 1
    board = replace(puzzle.board, removed=frozenset((r, last - c) for r, c in puzzle.board.removed))
    variants = [
        puzzle,
        replace(puzzle, start=puzzle.goal, goal=puzzle.start),
        replace(puzzle, board=board, start=mirrored(puzzle.start), goal=mirrored(puzzle.goal)),
    ]
    found = [search(each, count=True) for each in variants]
    assert len({None if each.solution is None else len(each.solution) for each in found}) == 1
    if found[0].solution is not None:
        assert len({each.count for each in found}) == 1


# -- proofs --------------------------------------------------------------------------------------------------


def test_a_certificate_is_read_back_and_checked() -> None:
    import numpy as np

    from ktsolve import _native

    certificate = certify(replace(EIGHT, objective="moves"), 11)
    clauses, lemmas = (
        [
            [int(word) for word in line.split()]
            for line in text.splitlines()
            if not line.startswith(("c", "p", "d"))
        ]
        for text in (certificate.dimacs, certificate.drup)
    )
    assert (len(clauses), len(lemmas)) == (len(certificate.clauses), len(certificate.lemmas))

    def refuted(given: list[list[int]], claimed: list[list[int]]) -> bool:
        first, second = (
            np.array([x for line in lines for x in line], np.int32) for lines in (given, claimed)
        )
        return _native.refutation_check(first, second).refuted

    assert refuted(clauses, lemmas)
    # The check fails without most of the lemmas, and for other clauses.
    assert not refuted(clauses, lemmas[-3:])
    without_goal = [clause for clause in clauses if len(clause) > 2]
    assert not refuted(without_goal, lemmas)


@pytest.mark.full
def test_a_number_of_steps_with_a_solution_is_not_certified() -> None:
    with pytest.raises(BadInput, match="solution of at most 16 jumps"):
        certify(GUARINI, 16)
    assert len(certify(GUARINI, 0).lemmas) >= 1


def test_planning_adds_arithmetic_to_the_model_and_certificates_do_not() -> None:
    plain, hinted = SwapModel(GUARINI, 15).model, shortest_model(GUARINI, 15).model
    assert len(plain.constraints) < len(hinted.constraints)
    assert certify(GUARINI, 7).dimacs == to_dimacs(SwapModel(GUARINI, 7).model)


# -- limits, wrong answers -----------------------------------------------------------------------------------

LARGE = SwapPuzzle(
    start="AAAAAA/....../....../....../....../BBBBBB", goal="BBBBBB/....../....../....../....../AAAAAA"
)
LONG = SwapPuzzle(start="01011/110.1/01110/01010/00100", goal="11111/01111/00.11/00001/00000")


@pytest.mark.full
def test_memory_is_checked_before_the_search() -> None:
    with pytest.raises(
        LimitReached, match=r"\d[\d,]+ positions of the pieces take .* TiB to search; the memory limit"
    ):
        search(LARGE, Settings(memory=1 << 30))
    with pytest.raises(
        LimitReached, match=r"stopped at the memory limit of 132 MiB, [\d,]+ positions within "
    ):
        search(LONG, Settings(memory=132 << 20))
    with pytest.raises(Refused, match="at most 255 cells: use sat, cpsat"):
        search(SwapPuzzle(start="A" + "." * 255, goal="." * 255 + "A"))


@pytest.mark.parametrize("engine", SWAP_ENGINES)
def test_the_time_limit(engine: str) -> None:
    started = time.perf_counter()
    with pytest.raises(LimitReached, match=r"stopped at the time limit of 0\.2 s, "):
        solve_swap(LONG, engine, Settings(timeout=0.2, threads=1))
    assert time.perf_counter() - started < 15


def test_the_time_limit_of_a_count_and_of_a_list() -> None:
    many = replace(GUARINI, objective="jumps")
    with pytest.raises(LimitReached):
        solve_swap(many, "sat", Settings(timeout=0.4, threads=1), count=True)
    with pytest.raises(LimitReached):
        list(all_shortest(many, "bfs", Settings(timeout=0.3)))


@pytest.mark.full
def test_no_engine_goes_beyond_most() -> None:
    for engine in SWAP_ENGINES:
        moves = replace(GUARINI, objective="moves")
        answer = solve_swap(replace(moves, most=6), engine, Settings(threads=1))
        assert (answer.status, answer.length) == ("impossible", None)
        assert solve_swap(replace(moves, most=7), engine, Settings(threads=1)).length == 7
    corridor = SwapPuzzle(start="AB..", goal="BA..", board=Board.parse("1x4", leaper=(0, 1)), most=20)
    assert [solve_swap(corridor, engine).proof for engine in SWAP_ENGINES] == [
        "searched: 6 of 12 positions can be reached, the goal is not among them",
        "sat refuted solutions of at most 20 jumps",
        "cpsat refuted solutions of at most 20 jumps",
    ]


def test_a_goal_equal_to_the_start() -> None:
    for engine in SWAP_ENGINES:
        for turns in (False, True):
            asked = replace(GUARINI, goal=GUARINI.start, alternate=turns)
            answer = solve_swap(asked, engine, count=True)
            assert (answer.length, answer.count) == (0, 1)


def test_a_wrong_engine_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "_moves", lambda *_: [(0, 1)])
    with pytest.raises(WrongAnswer, match="engine bfs gave a wrong solution"):
        solve_swap(GUARINI)
    with pytest.raises(BadInput, match=r"engine 'dfs' .*: use bfs, sat, cpsat"):
        solve_swap(GUARINI, "dfs")
