"""Exact distributions: tours by how many moves of a set they use, and tours through each move."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import full, quick
from strategies import examples

import ktsolve
from ktsolve import Board, Graph, Settings, TourProblem
from ktsolve.base.errors import BadInput, WrongAnswer
from ktsolve.base.limits import Clock
from ktsolve.engines.join import summing
from ktsolve.engines.join.calls import run_pass
from ktsolve.engines.join.passes import with_blocks
from ktsolve.engines.join.plan import JoinPlan
from ktsolve.engines.join.planning import best_plan
from ktsolve.engines.join.run import moves_along, tally_along
from ktsolve.engines.registry import ENGINES, engine_named, engines_for
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.move_sets import MOVE_SETS, read_move_sets
from ktsolve.tasks.count_answer import CountTable
from ktsolve.verify.sequence_jobs import chi_square_bound

HOLES = Board.parse("5x6", without="c3 d4")
RING = Graph("abcdefgh", ["ab", "bc", "cd", "da", "ae", "bf", "cg", "dh", "ef", "fg", "gh", "he"])
PROBLEMS = {
    "closed": TourProblem(board="5x6", closed=True),
    "open": TourProblem(board="4x5", closed=False),
    "open, odd": TourProblem(board="5x5", closed=False),
    "start": TourProblem(board="5x5", closed=False, start="a1"),
    "ends": TourProblem(board="5x5", closed=False, start="a1", end="e5"),
    "holes": TourProblem(board=HOLES, closed=True),
    "holes, open": TourProblem(board=Board.parse("4x5", without="a1 e4"), closed=False),
    "wrap": TourProblem(board=Board.parse("3x4", wrap="xy"), closed=True),
    "wrap, open": TourProblem(board=Board.parse("3x4", wrap="x"), closed=False),
    "leaper": TourProblem(board=Board.parse("4x4", leaper="0,1"), closed=True),
    "require": TourProblem(board="6x6", closed=True, require=["c3-d5"], forbid=["a3-c4"]),
    "graph": TourProblem(board=RING, closed=True),
    "graph, open": TourProblem(board=RING, closed=False),
    "complete": TourProblem(
        board=Graph("abcdef", [a + b for a in "abcdef" for b in "abcdef" if a < b]), closed=True
    ),
    "none": TourProblem(board="3x5", closed=False, start="a1", end="e3"),
    "one cell": TourProblem(board="1x1", closed=False),
}


@lru_cache(maxsize=1)
def listed(problem: TourProblem) -> list[frozenset[Any]]:
    """The moves of each tour."""
    return [tour.moves for tour in ktsolve.find_all(problem, engine="search")]


def by_definition(problem: TourProblem, moves: frozenset[object]) -> list[int]:
    """Tours by uses, one tour at a time and with no array."""
    found = Counter(len(made & moves) for made in listed(problem))
    return [found[j] for j in range(max(found, default=-1) + 1)]


def numbers(table: CountTable) -> list[int]:
    """The numbers of a table by uses of one set, from no use on."""
    return [row.count for row in table.rows]


def tallying(problem: TourProblem) -> list[str]:
    slow = {"sat", "cpsat"}
    return [name for name in engines_for("tally", problem) if name not in slow]


@pytest.mark.parametrize("name", quick(PROBLEMS, lambda name: name != "wrap"))
def test_tallies_are_those_of_the_list(name: str) -> None:
    problem = PROBLEMS[name]
    random = np.random.default_rng(len(name))
    edges = len(problem.ground.edges)
    for size in {0, 1, edges // 3, edges}:
        places = sorted(random.choice(edges, size=size, replace=False).tolist()) if edges else []
        moves = frozenset(problem.ground.moves[place] for place in places)
        expected = by_definition(problem, moves)
        for engine in tallying(problem):
            assert engine_named(engine).tally(problem, places, Settings()) == expected, (engine, places)


@pytest.mark.parametrize("name", quick(PROBLEMS, lambda name: name != "wrap"))
def test_move_counts_are_those_of_the_list(name: str) -> None:
    problem = PROBLEMS[name]
    counted = Counter(move for made in listed(problem) for move in made)
    expected = [counted[move] for move in problem.ground.moves]
    for engine in tallying(problem):
        assert engine_named(engine).move_counts(problem, Settings()) == expected, engine


@pytest.mark.parametrize("engine", ["sat", "cpsat"])
def test_engines_that_list_models_tally_any_condition(engine: str) -> None:
    problem = TourProblem(board="4x5", closed=False, start="a1", at={3: "b1"})
    expected = by_definition(problem, frozenset(problem.ground.moves[:9]))
    table = ktsolve.count(problem, engine, by=("uses", problem.ground.moves[:9]))
    assert numbers(table) == expected


def test_symmetric_tours_by_uses() -> None:
    problem = TourProblem(board="6x6", closed=True, symmetry="rot180")
    answer = ktsolve.count(problem, "quotient", by="uses:slope:1,2")
    assert answer.engine == "quotient"
    assert numbers(answer) == by_definition(problem, answer.sets[0].moves)


@examples(12)
@given(st.data())
def test_random_sets_on_random_boards(data: st.DataObject) -> None:
    removed = data.draw(st.sets(st.sampled_from(Board.parse("3x5").cells), max_size=4))
    board = Board(3, 5, frozenset(removed), wrap=data.draw(st.sampled_from(["none", "x"])))
    closed = data.draw(st.booleans())
    problem = TourProblem(board=board, closed=closed)
    moves = data.draw(st.sets(st.sampled_from(board.moves)) if board.moves else st.just(set()))
    places = sorted(board.moves.index(move) for move in moves)
    expected = by_definition(problem, frozenset(moves))
    counts = engine_named("search").move_counts(problem, Settings())
    for engine in tallying(problem):
        assert engine_named(engine).tally(problem, places, Settings()) == expected
        assert engine_named(engine).move_counts(problem, Settings()) == counts
    # The mean is the sum of the shares of the moves.
    assert sum(j * count for j, count in enumerate(expected)) == sum(counts[place] for place in places)


@pytest.mark.full
def test_slopes_of_a_square_have_equal_numbers() -> None:
    problem = TourProblem(board="6x6", closed=True)
    engines = tallying(problem)
    for engine in engines:
        tallies = {
            tuple(engine_named(engine).tally(problem, each.places(problem.ground), Settings()))
            for each in read_move_sets(problem.ground, "slopes")
        }
        assert tallies == {(0, 0, 0, 0, 8, 62, 618, 928, 2463, 1704, 2527, 832, 620, 90, 10)}
    answer = ktsolve.count(problem, by="uses:slopes")
    assert sum(answer.means.values()) == 36
    assert sum(map(len, answer.sets)) == len(problem.ground.edges)


def test_sets_of_starts_are_summed() -> None:
    problem = TourProblem(board="4x5", closed=False, starts=["a1", "b2"])
    tours = ktsolve.find_all(TourProblem(board="4x5", closed=False), engine="search")
    own = [tour for tour in tours if {tour.squares[0], tour.squares[-1]} & {(3, 0), (2, 1)}]
    moves = frozenset(problem.ground.moves[3:11])
    found = Counter(len(tour.moves & moves) for tour in own)
    answer = ktsolve.count(problem, by=("uses", moves))
    assert numbers(answer) == [found[j] for j in range(max(found) + 1)]
    counts = Counter(move for tour in own for move in tour.moves)
    assert ktsolve.count(problem, by="moves").counts == {move: counts[move] for move in problem.ground.moves}


def test_classes_of_moves_and_shares() -> None:
    answer = ktsolve.count(TourProblem(board="6x6", closed=True), by="moves")
    assert sum(row.multiplicity for row in answer.rows) == sum(len(row.members) for row in answer.rows) == 80
    assert sum(row.multiplicity * row.count for row in answer.rows) == 36 * 9862
    assert answer.counts[(0, 0), (1, 2)] == answer.count
    for row in answer.rows[:4]:
        forced = TourProblem(board="6x6", closed=True, require=[row.key])
        assert ktsolve.count(forced).count == row.count


# -- sets of moves -------------------------------------------------------------------------------------------


def test_named_sets() -> None:
    board = Board.parse("8x8")
    sizes = {
        name: [len(each) for each in read_move_sets(board, name)]
        for name in (*(name for name in MOVE_SETS if ":" not in name), "slope:2,1", "black-to-white:-1,2")
    }
    assert sizes == {
        "slopes": [42] * 4,
        "border": [8],
        "frame": [64],
        "corners": [8],
        "white-on-top": [84],
        "black-to-white": [21] * 8,
        "slope:2,1": [42],
        "black-to-white:-1,2": [21],
    }
    for name in ("slopes", "black-to-white"):
        joined = [move for each in read_move_sets(board, name) for move in each.moves]
        assert sorted(joined) == sorted(board.moves)
    (up,) = read_move_sets(board, "white-on-top")
    assert board.move("a1-b3") in up.moves  # a1 is black, b3 is white
    assert board.move("b1-c3") not in up.moves
    (listed,) = read_move_sets(board, "corners, c3-d5")
    assert len(listed) == 9


def test_slopes_of_wrapped_boards_may_coincide() -> None:
    board = Board.parse("4x4", wrap="xy")
    moves = set().union(*(each.moves for each in read_move_sets(board, "slopes")))
    assert moves == set(board.moves)


@pytest.mark.parametrize(
    ("ground", "text", "error"),
    [
        (Board.parse("5x5"), "", "names no moves: give moves such as"),
        (Board.parse("5x5"), "edges", "'edges' names no set of moves"),
        (Board.parse("5x5"), "slope:1", "write R,S after the colon"),
        (Board.parse("5x5"), "slope:3,1", "'slope:3,1' has no move on 5x5"),
        (Board.parse("5x5"), "a1-a2", "a1-a2 is not a move"),
        (Board.parse("5x5", without="a1 a5 e1 e5"), "corners", "'corners' has no move"),
        (RING, "corners", "the set of moves corners needs a board"),
        (RING, "a-c", "a-c is not an edge"),
    ],
)
def test_refused_sets(ground: Graph, text: str, error: str) -> None:
    with pytest.raises(BadInput, match=error):
        read_move_sets(ground, text)


# -- checks --------------------------------------------------------------------------------------------------


def test_wrong_tallies_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = TourProblem(board="5x6", closed=True)
    engine = next((name for name in ("join", "frontier") if name in engines_for("tally", problem)), None)
    if engine is None:
        pytest.skip("every engine lists")
    right = type(engine_named(engine)).tally
    monkeypatch.setattr(
        type(engine_named(engine)), "tally", lambda *given: [count + 1 for count in right(*given)]
    )
    with pytest.raises(WrongAnswer, match="the count is 8"):
        ktsolve.count(problem, engine, by="uses:slope:1,2")


@pytest.mark.parametrize("wrong", [[1], [1, -1], [40]])
def test_wrong_move_counts_are_noticed(monkeypatch: pytest.MonkeyPatch, wrong: list[int]) -> None:
    problem = TourProblem(board="5x6", closed=True)
    engine = engine_named("search")
    right = engine.move_counts(problem, Settings())
    changed = [count + more for count, more in zip(right, wrong + [0] * len(right), strict=False)]
    monkeypatch.setattr(type(engine), "move_counts", lambda *given: changed)
    with pytest.raises(WrongAnswer, match="through each move"):
        ktsolve.count(problem, "search", by="moves")


def test_mean_is_exact() -> None:
    answer = ktsolve.count(TourProblem(board="5x5", closed=False), by="uses:corners")
    assert answer.means["corners"] == Fraction(6 * 352 + 7 * 512, 864)


def test_engines_that_cannot_tally_are_refused() -> None:
    for name in set(ENGINES) - set(engines_for("tally", TourProblem(board="6x6", closed=True))):
        with pytest.raises(ktsolve.Refused, match="engine"):
            ktsolve.count(TourProblem(board="6x6", closed=True), name, by="uses:corners")


# -- engine join: passes, residues, limits -------------------------------------------------------------------


def _tallied_plan(problem: TourProblem, places: list[int]) -> JoinPlan:
    graph = CycleGraph.of(problem)
    chosen = {(u, v) for u, v in problem.ground.edges[places].tolist()}
    return best_plan(problem, graph, None, chosen)


@pytest.mark.parametrize(
    "problem", [TourProblem(board="6x6", closed=True), TourProblem(board="5x5", closed=False)], ids=str
)
@pytest.mark.parametrize("name", [full("slope:1,2"), "corners", full("white-on-top")])
def test_passes_and_residues_agree(problem: TourProblem, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (moves,) = read_move_sets(problem.ground, name)
    places = moves.places(problem.ground)
    expected = engine_named("search").tally(problem, places, Settings())
    plan = _tallied_plan(problem, places)
    assert tally_along(problem, plan, Settings(), Clock(60)) == expected
    passing = with_blocks(plan, 1)
    assert passing is not None
    assert tally_along(problem, passing, Settings(), Clock(60)) == expected
    run = run_pass

    def modulo(work: object, modulus: int, *more: object) -> object:
        report = run(work, modulus, *more)  # type: ignore[arg-type]
        return SimpleNamespace(overflow=True) if modulus == 0 else report

    monkeypatch.setattr(summing, "run_pass", modulo)
    assert tally_along(problem, plan, Settings(), Clock(60)) == expected


def test_symmetries_that_do_not_keep_the_set_are_not_used() -> None:
    problem = TourProblem(board="6x6", closed=True)
    (slope,) = read_move_sets(problem.ground, "slope:1,2")
    plan = _tallied_plan(problem, slope.places(problem.ground))
    assert plan.flip
    assert not plan.top_mirror
    (corners,) = read_move_sets(problem.ground, "corners")
    assert _tallied_plan(problem, corners.places(problem.ground)).mirror_joins


def test_forwards_and_backwards_modulo_primes() -> None:
    problem = TourProblem(board="6x6", closed=True)
    plan = best_plan(problem, CycleGraph.of(problem))
    counts = moves_along(plan, 9862, Settings(), Clock(60))
    listed = engine_named("search").move_counts(problem, Settings())
    assert [counts[u, v] for u, v in problem.ground.edges.tolist()] == listed
    with pytest.raises(WrongAnswer, match="has 9862 tours, the count 9863"):
        moves_along(plan, 9863, Settings(), Clock(60))
    with pytest.raises(WrongAnswer, match="has 9862 tours, the count 9223372036854775808"):
        moves_along(plan, 2**63, Settings(), Clock(60))


def test_limits_are_kept() -> None:
    problem = TourProblem(board="8x8", closed=True)
    (slope,) = read_move_sets(problem.ground, "slope:1,2")
    places = slope.places(problem.ground)
    for limits in (Settings(timeout=0.05), Settings(memory=4 << 20)):
        with pytest.raises(ktsolve.LimitReached):
            engine_named("join").tally(problem, places, limits)
        with pytest.raises(ktsolve.LimitReached):
            engine_named("join").move_counts(problem, limits)


@pytest.mark.slow
def test_slope_of_the_chessboard() -> None:
    problem = TourProblem(board="8x8", closed=True)
    answer = ktsolve.count(problem, by="uses:slopes")
    assert answer.count == 13267364410532
    counts = ktsolve.count(problem, by="moves")
    assert len(counts.rows) == 21
    through = counts.counts
    for each in answer.sets:
        assert answer.means[each.name] == 16
        assert sum(through[move] for move in each.moves) == 16 * answer.count


@pytest.mark.slow
def test_slopes_and_corners_of_uniform_tours_of_the_chessboard() -> None:
    # Samples come from the ranking, exact numbers from the tally: sweeps of different tables.
    chess = TourProblem(board="8x8", closed=True)
    drawn = 50_000
    rows = ktsolve.tours(chess).sample_arrays(drawn, seed=16)
    ahead = np.roll(rows, -1, axis=1)
    used = np.sort(np.stack([rows, ahead], axis=2), axis=2)
    # Every tour makes both moves of a corner; how it goes on from b3 and c2 differs.
    for moves in ("slope:1,2", "slope:2,-1", "border", "b3-a5,c2-e1", "b3-d4"):
        asked = ktsolve.count(chess, by=f"uses:{moves}")
        exact = numbers(asked)
        among = np.zeros((64, 64), dtype=bool)
        among[tuple(chess.ground.edges[asked.sets[0].places(chess.ground)].T)] = True
        found = np.bincount(among[used[:, :, 0], used[:, :, 1]].sum(axis=1), minlength=len(exact))
        assert len(found) == len(exact)
        expected = [drawn * Fraction(count, sum(exact)) for count in exact]
        # Rare numbers of uses together.
        many = [(int(a), b) for a, b in zip(found, expected, strict=True) if b >= 10]
        rest = (drawn - sum(a for a, _ in many), drawn - sum(b for _, b in many))
        terms = [*many, rest] if rest[1] >= 10 else many
        square = float(sum((a - b) ** 2 / b for a, b in terms))
        assert square < chi_square_bound(max(1, len(terms) - 1)), (moves, square, len(terms))
