"""Which engine ``auto`` chooses, by predicted cost; nothing here measures time."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import assume, given
from marks import full
from strategies import examples, small_problems

from ktsolve import Board, Settings, TourProblem, count, find, find_all
from ktsolve.engines import race
from ktsolve.engines.auto import choose, contenders, predicted, ranked
from ktsolve.engines.interface import TASKS
from ktsolve.engines.prediction import predictions, rivals
from ktsolve.engines.registry import AUTO, engine_named
from ktsolve.engines.search.tree import tree_of
from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import parse_condition
from ktsolve.problem.statistics import Statistic, TourObjective
from ktsolve.tasks.answer import simplified_for
from ktsolve.tasks.best import best

QUIET = Settings()


def favourite(task: str, problem: TourProblem) -> str:
    """The engine that runs first, after simplification."""
    return predicted(task, simplified_for(task, problem, "auto", QUIET)[0])[0].engine.name


def tour_of(size: str, *, closed: bool) -> Tour:
    found = find(TourProblem(board=size, closed=closed), "sat", Settings(seed=1)).tour
    assert found is not None
    return found


# -- the tree of the search ----------------------------------------------------------------------------------


@examples(80)
@given(small_problems())
def test_a_small_tree_is_known_exactly(problem: TourProblem) -> None:
    assume(engine_named("search").unsupported_feature("count", problem) is None)
    tree = tree_of(problem)
    assert tree is not None
    if tree.exact and not problem.step_indexed:
        assert tree.tours == count(problem, "search").count
        if len(problem.ground) > 1:
            assert (tree.first is not None) == (tree.tours > 0)


@pytest.mark.parametrize(
    ("problem", "nodes", "tours"),
    [
        (TourProblem(board="6x6", closed=True), 22_501, 9862),
        (TourProblem(board="5x8", closed=True), 94_129, 44_202),
    ],
    ids=str,
)
def test_dives_estimate_a_large_tree(problem: TourProblem, nodes: int, tours: int) -> None:
    tree = tree_of(problem)
    assert tree is not None
    assert not tree.exact
    assert nodes / 3 < tree.nodes < 3 * nodes
    assert tours / 4 < tree.tours < 4 * tours


# -- measured cases ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["5x6", "6x6"])
def test_a_wrapped_board_is_counted_by_join(size: str) -> None:
    torus = Board.parse(size, wrap="xy")
    assert favourite("count", TourProblem(board=torus, closed=True)) == "join"


def test_many_required_moves_leave_a_small_search() -> None:
    tour = tour_of("12x12", closed=True)
    moves = list(zip(tour.squares, tour.squares[1:], strict=False))
    random.Random(1).shuffle(moves)
    problem = TourProblem(board="12x12", closed=True, require=moves[:120])
    assert favourite("count", problem) == "search"
    answer = count(problem)
    assert answer.engine in ("search", "reduction")
    assert answer.count >= 1


@pytest.mark.full
@pytest.mark.parametrize("closed", [False, True])
def test_many_given_steps_are_counted_by_sat(closed: bool) -> None:
    tour = tour_of("8x8", closed=closed)
    steps = {step: tour.squares[step - 1] for step in range(1, 61, 5)}
    problem = TourProblem(board="8x8", closed=closed, at=steps)
    assert favourite("count", problem) == "sat"
    assert contenders("count", problem, Settings(threads=2), raced=True) == ["sat", "cpsat"]
    assert count(problem).count >= 1


def test_an_order_that_says_nothing_is_dropped() -> None:
    board = Board.parse("5x6")
    order = list(parse_condition("order", "a1,b3", board))
    plain = TourProblem(board=board, closed=True, start="a1")
    problem = TourProblem(board=board, closed=True, start="a1", conditions=order)
    question, refutation = simplified_for("count", problem, "auto", QUIET)
    assert refutation is None
    assert question == plain
    assert count(problem).engine == count(plain).engine
    assert count(problem).count == 8
    # A named engine gets what is stated.
    assert simplified_for("count", problem, "sat", QUIET)[0] == problem


@pytest.mark.parametrize("statistic", ["turns", "straight", "obtuse", "crossings"])
def test_objectives_begin_with_sat_beside_cpsat(statistic: str) -> None:
    from ktsolve.problem.conditions import Bound

    problem = TourProblem(board="8x8", closed=True, conditions=[Bound(Statistic(statistic), least=0)])
    names = contenders("optimise", problem, QUIET, raced=True)
    assert names[:2] == ["sat", "cpsat"]


def test_weights_begin_with_cpsat() -> None:
    from ktsolve.graphs.graph import Graph
    from ktsolve.problem.conditions import Bound

    pairs = [(u, v) for u in range(30) for v in range(u)]
    graph = Graph(map(str, range(30)), pairs, weights=[(u * v) % 17 for u, v in pairs])
    problem = TourProblem(board=graph, closed=True)
    bounded = problem.replace(conditions=[Bound(Statistic("weight"), least=0)])
    assert contenders("optimise", bounded, QUIET, raced=True)[0] == "cpsat"


@pytest.mark.parametrize(
    ("task", "options", "name"),
    [
        ("count", {"board": "5x6"}, "search"),
        ("count", {"board": "8x8"}, "join"),
        ("count", {"board": "3x100"}, "strip"),
        full("count", {"board": "10x10", "symmetry": "rot180"}, "quotient"),
        ("construct", {"board": "8x8"}, "search"),
        ("construct", {"board": "60x60"}, "divide"),
        ("construct", {"board": "6x6", "symmetry": "rot180"}, "quotient"),
        ("enumerate", {"board": "8x8"}, "search"),
        ("diversify", {"board": "8x8"}, "sat"),
        ("tally", {"board": "8x8"}, "join"),
    ],
)
def test_favourites(task: str, options: dict[str, Any], name: str) -> None:
    assert favourite(task, TourProblem(closed=True, **options)) == name


# -- predictions ---------------------------------------------------------------------------------------------


@examples(40)
@given(small_problems())
def test_predictions_are_the_same_each_time(problem: TourProblem) -> None:
    for task in TASKS:
        found = predicted(task, problem)
        tree_of.cache_clear()
        assert [str(each) for each in predicted(task, problem)] == [str(each) for each in found]
        for each in found:
            assert each.seconds > 0
            assert each.least <= each.seconds <= each.most
        if found:
            assert rivals(found)[0] is found[0]


def test_what_needs_too_much_memory_comes_last() -> None:
    problem = TourProblem(board="8x9", closed=True)
    engines = [engine_named("frontier"), engine_named("join")]
    assert predictions("count", problem, engines, Settings(memory=64 << 20))[-1].engine.name == "frontier"
    # Where nothing answers within a year, the engine that refuses at once.
    assert choose("auto", "count", TourProblem(board="20x20", closed=True)).name == "frontier"


def test_the_order_of_tours_depends_on_no_prediction(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("predicted")

    for name in AUTO:
        monkeypatch.setattr(type(engine_named(name)), "estimate", refuse)
        monkeypatch.setattr(type(engine_named(name)), "rough_estimate", refuse)
    questions: tuple[tuple[dict[str, Any], str], ...] = (
        ({"board": "6x6"}, "frontier"),
        ({"board": "4x30"}, "frontier"),
        ({"board": "6x8"}, "join"),
        ({"board": "8x8"}, "join"),
        ({"board": "6x8", "symmetry": "rot180"}, "quotient"),
    )
    for options, name in questions:
        assert next(ranked("rank", TourProblem(closed=True, **options))) == name


def test_with_a_seed_nothing_races(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a race")

    monkeypatch.setattr(race, "side_by_side", refuse)
    problem = TourProblem(board="6x6", closed=False, magic=["rows"])
    assert len(contenders("construct", problem, QUIET, raced=True)) > 1
    settings = Settings(seed=3)
    tours = [find(problem.replace(magic=()), settings=settings).tour for _ in range(2)]
    assert tours[0] == tours[1]
    listed = [list(find_all(problem.replace(magic=()), settings=settings, number=5)) for _ in range(2)]
    assert listed[0] == listed[1]


# -- objectives side by side ---------------------------------------------------------------------------------


def test_an_optimum_by_a_race(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ktsolve.engines.race._MOMENT_FOR_BEST", 1e-3)
    problem = TourProblem(board="5x6", closed=True)
    for sense, value in (("minimise", 49), ("maximise", 65)):
        said: list[str] = []
        found = best(
            problem, TourObjective(sense, Statistic("crossings")), settings=Settings(remark=said.append)
        )
        alone = best(problem, TourObjective(sense, Statistic("crossings")), "cpsat")
        assert found.value == found.bound == alone.value
        assert found.tour is not None
        assert sense == "maximise" or found.value == value


@pytest.mark.full
def test_the_best_of_all_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ktsolve.engines.race._MOMENT_FOR_BEST", 0.2)
    problem = TourProblem(board="8x8", closed=True)
    found = best(problem, TourObjective("minimise", Statistic("crossings")), settings=Settings(timeout=4))
    assert found.tour is not None
    assert problem.check(found.tour) is None
    assert found.bound is None or found.value is None or found.bound <= found.value
    assert not found.optimal
