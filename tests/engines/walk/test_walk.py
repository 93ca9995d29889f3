"""Walks by Warnsdorff's rule: the rule itself, backtracking, repair, the command and its record."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from command import answered, process, refused
from hypothesis import assume, given
from hypothesis import strategies as st
from interrupting import interrupted
from marks import full
from strategies import examples

from ktsolve.base.errors import BadInput, LimitReached, Refused
from ktsolve.base.limits import Settings
from ktsolve.engines.registry import engine_named, engines_for
from ktsolve.engines.walk.rules import CLOCK, RULES, middle, move_orders
from ktsolve.engines.walk.walk import FEATURES_WALKED, repaired_walk, walk
from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import Cell
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.find import find, recorded_walk

NO_LUCK = ["walk", "50x50", "--rule", "random", "--seed", "1", "-q"]
"""A search that does not end."""


# -- the rule, implemented again ----------------------------------------------------------------------------


def preference(board: Board, rule: str, begin: Cell, path: list[Cell], cell: Cell) -> Any:
    """Return the key by which a rule chooses among cells; the rule makes no random choices."""
    row, column = cell
    if rule == "centre":
        here = middle(board)
        return -(abs(row - here[0]) + abs(column - here[1]))
    if rule == "roth":
        return -((row - (board.rows - 1) / 2) ** 2 + (column - (board.columns - 1) / 2) ** 2)
    if rule == "home":
        return -((row - begin[0]) ** 2 + (column - begin[1]) ** 2)
    if rule == "pohl":
        free = [other for other in board.neighbours[cell] if other not in path]
        return sum(sum(1 for last in board.neighbours[other] if last not in path) for other in free)
    if rule == "squirrel-cull":
        orders = move_orders(board.rows)
        stage = 0
        for visited in path:
            stage += stage + 1 < len(orders) and orders[stage][1] == visited
        return orders[stage][0][CLOCK.index((row - path[-1][0], column - path[-1][1]))]
    return 0


def walked_by_hand(board: Board, rule: str, begin: Cell) -> list[Cell]:
    """Return the walk of a rule, until there is no onward move."""
    path = [begin]
    while True:
        free = [cell for cell in board.neighbours[path[-1]] if cell not in path]
        if not free:
            return path
        ways = {cell: sum(1 for other in board.neighbours[cell] if other not in path) for cell in free}
        path.append(
            min(free, key=lambda cell: (ways[cell], preference(board, rule, begin, path, cell), cell))
        )


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule != "random"])
@pytest.mark.parametrize("size", ["6x6", "8x8", "9x9", "7x11", full("16x16")])
def test_the_first_walk_follows_the_rule(size: str, rule: str) -> None:
    board = Board.parse(size)
    if rule == "squirrel-cull" and board.rows != board.columns:
        pytest.skip("for square boards only")
    for begin in [(0, 0), middle(board), (1, 2)]:
        expected = walked_by_hand(board, rule, begin)
        found = walk(
            TourProblem(board=board, closed=False, start=begin), rule, most_nodes=len(board), most_events=1000
        )
        went = [board.cells[event] for event in found.events if event >= 0][: len(expected)]
        # While other cells are unvisited, a cell without onward moves is a dead end, and excluded.
        stuck = found.events.index(-1) if -1 in found.events else len(found.events)
        assert stuck >= len(expected) - 1
        assert went[: min(stuck, len(expected))] == expected[: min(stuck, len(expected))]
        assert found.first_stuck == stuck


@given(st.integers(0, 1000), st.sampled_from(["random", "home"]))
@examples(20)
def test_chance_decides_ties_only(seed: int, rule: str) -> None:
    board = Board.parse("8x8")
    found = walk(
        TourProblem(board=board, closed=False, start="d4"), rule, settings=Settings(seed=seed), most_events=64
    )
    path: list[Cell] = []
    for event in found.events:
        if event < 0:
            break
        if path:
            ways = {
                cell: sum(1 for other in board.neighbours[cell] if other not in path)
                for cell in board.neighbours[path[-1]]
                if cell not in path
            }
            assert ways[board.cells[event]] == min(ways.values())
        path.append(board.cells[event])
    assert len(path) > 20


@pytest.mark.parametrize("side", range(112, 128))
def test_squirrel_and_cull_take_nothing_back(side: int) -> None:
    """As they found for every square board from 112 on: the table of orders is theirs."""
    problem = TourProblem(board=f"{side}x{side}", closed=False, start=(0, 0))
    found = walk(problem, "squirrel-cull", most_nodes=side * side)
    assert found.tour is not None
    assert found.backtracks == 0


# -- answers ------------------------------------------------------------------------------------------------


@st.composite
def small_problems(draw: st.DrawFn) -> TourProblem:
    rows, columns = draw(st.sampled_from([(1, 1), (2, 2), (3, 3), (3, 4), (4, 4), (3, 5), (4, 5), (5, 4)]))
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    board = Board(
        rows,
        columns,
        frozenset(draw(st.sets(st.sampled_from(cells), max_size=min(3, len(cells) - 1)))),
        draw(st.sampled_from([(1, 2), (1, 2), (0, 1), (1, 1)])),
        draw(st.sampled_from(["none", "none", "x", "xy"])),
    )
    assume(len(board.moves) <= 40)
    start = draw(st.none() | st.sampled_from(board.cells))
    forbid = draw(st.sets(st.sampled_from(board.moves), max_size=2)) if board.moves else ()
    return TourProblem(board=board, closed=draw(st.booleans()), start=start, forbid=forbid)


@given(small_problems(), st.sampled_from([rule for rule in RULES if rule != "squirrel-cull"]))
@examples(150)
def test_walks_agree_with_the_exhaustive_search(problem: TourProblem, rule: str) -> None:
    exists = engine_named("search").construct(problem, Settings()) is not None
    found = walk(problem, rule)
    assert (found.tour is not None, found.exhausted) == (exists, not exists)
    repaired = repaired_walk(problem, rule, attempts=3)
    for tour in (found.tour, repaired.tour, engine_named("walk").construct(problem, Settings())):
        assert tour is None or problem.check(tour) is None
    assert exists or repaired.tour is None
    assert (engine_named("walk").construct(problem, Settings()) is not None) == exists


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("size", ["5x6", "3x10", "8x8", "3x50", "5x40", "30x31", "200x200"])
def test_repair_finds_tours(size: str, closed: bool) -> None:
    problem = TourProblem(board=size, closed=closed, start="a1")
    for rule in ("home", "random"):
        found = repaired_walk(problem, rule, settings=Settings(seed=1), attempts=200)
        assert found.tour is not None
        assert problem.check(found.tour) is None


@pytest.mark.slow
@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("rule", ["home", "random"])
def test_repair_on_a_million_cells(rule: str, closed: bool) -> None:
    problem = TourProblem(board="1000x1000", closed=closed)
    found = repaired_walk(problem, rule)
    assert found.tour is not None
    assert problem.check(found.tour) is None
    assert found.reversals > 0 or rule == "home"


def test_repair_joins_what_the_walk_leaves() -> None:
    found = repaired_walk(TourProblem(board="100x100", closed=True), "random", settings=Settings(seed=1))
    assert found.first_stuck < 10_000
    assert found.walks > 1
    assert found.reversals >= found.walks


def test_a_closed_tour_is_renumbered() -> None:
    problem = TourProblem(board="10x10", closed=True, start="a1")
    found = walk(problem, "centre", begin=(4, 4))
    assert found.tour is not None
    assert (found.begin, found.tour.squares[0]) == ((4, 4), (9, 0))
    assert problem.check(found.tour) is None
    from_the_middle = walk(TourProblem(board="10x10", closed=True), "centre", begin=(4, 4)).tour
    assert from_the_middle is not None
    assert from_the_middle.moves == found.tour.moves


def test_open_tours_begin_on_the_more_frequent_colour() -> None:
    for size in ("5x7", "7x9", "9x9"):
        problem = TourProblem(board=size, closed=False)
        found = walk(problem, most_nodes=100_000)
        assert found.tour is not None
        assert sum(found.begin) % 2 == 0


def test_the_walk_comes_home_wherever_home_is() -> None:
    """The finding of docs/warnsdorff.md: the place to end at decides, not the place to begin at."""
    rate = {
        (rule, start): sum(
            walk(
                TourProblem(board="20x20", closed=True),
                rule,
                begin=start,
                settings=Settings(seed=seed),
                most_nodes=4000,
            ).tour
            is not None
            for seed in range(1, 21)
        )
        for rule in ("centre", "home")
        for start in ((0, 0), (9, 9))
    }
    assert rate["centre", (9, 9)] >= 18
    assert rate["centre", (0, 0)] <= 4
    assert rate["home", (0, 0)] >= 18


def test_what_repair_does_not_find_is_not_called_impossible() -> None:
    # The colours exclude a closed tour; the engine does not use arithmetic.
    problem = TourProblem(board="7x7", closed=True)
    repaired = repaired_walk(problem, attempts=3)
    assert repaired.tour is None
    assert repaired.stopped.startswith("3 walks repaired without success")
    with pytest.raises(
        LimitReached, match=r"stopped at the time limit of 0\.3 s, ([\d,]+ steps forward|\d+ walks)"
    ):
        engine_named("walk").construct(problem, Settings(timeout=0.3))


def test_the_engine_takes_what_it_can_take() -> None:
    engine = engine_named("walk")
    assert engine.capabilities["construct"] > FEATURES_WALKED
    with pytest.raises(Refused, match="engine walk cannot construct with symmetry of the tour"):
        find(TourProblem(board="6x6", closed=True, symmetry="rot180"), "walk")
    with pytest.raises(Refused, match="engine walk cannot enumerate tours"):
        next(engine.enumerate(TourProblem(board="6x6", closed=True), Settings()))
    assert "walk" not in engines_for("count", TourProblem(board="6x6", closed=True))
    answer = find(TourProblem(board=Board.parse("8x8", without="a1 b1"), closed=True), "walk")
    assert answer.tour is not None
    assert answer.engine == "walk"


def test_seeds_vary_the_tour_and_nothing_else_does() -> None:
    problem = TourProblem(board="12x12", closed=True)
    tours = {seed: [find(problem, "walk", Settings(seed=seed)).tour for _ in range(2)] for seed in range(6)}
    assert all(first == second is not None for first, second in tours.values())
    assert len({first.squares for first, _ in tours.values() if first is not None}) > 1


def test_a_walk_refuses_conditions_by_name() -> None:
    with pytest.raises(Refused, match=r"a walk does not take a given end \(end\): use ktsolve tour"):
        recorded_walk(TourProblem(board="6x6", closed=True, end="a1"))
    with pytest.raises(BadInput, match="rule squirrel-cull is for knights on square boards, not for 6x8"):
        recorded_walk(TourProblem(board="6x8", closed=True), "squirrel-cull")
    assert recorded_walk(TourProblem(board="4x4", closed=True)).status == "impossible"


# -- the command --------------------------------------------------------------------------------------------


def test_json_of_a_walk() -> None:
    data = answered("walk", "8x8", "--start", "a1", "--rule", "centre", "--json", "-q").json
    assert (data["status"], data["rule"], data["repair"], data["closed"]) == ("found", "centre", False, True)
    assert data["squares"][0] == [7, 0]
    assert data["begin"] == [3, 3]
    assert data["nodes"] - data["backtracks"] == data["longest"] == 64
    repaired = answered("walk", "50x50", "--repair", "--rule", "random", "--json", "-q").json
    assert repaired["walks"] >= 1
    assert repaired["reversals"] > 0
    assert len(repaired["squares"]) == 2500
    none = answered("walk", "4x6", "--json", "-q", status=1).json
    assert none["status"] == "impossible"
    assert "Schwenk" in none["reason"]
    assert answered("walk", "4x4", "--open", status=1).out == "no tour: every walk was tried\n"


def test_a_walk_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "walk.json"
    said = answered("walk", "6x6", "--open", "--start", "b3", "--record", str(path), "--json")
    data = json.loads(path.read_text())
    assert data["schema"] == "ktsolve/1"
    trace = data["trace"]
    assert (trace["closed"], trace["rule"], trace["start"], trace["complete"]) == (
        False,
        "home",
        [3, 1],
        True,
    )
    board = Board.from_json(trace["board"])
    left: list[int] = []
    backtracks = 0
    for event in trace["events"]:
        if event < 0:
            left.pop()
            backtracks += 1
        else:
            assert event not in left
            left.append(event)
    assert [list(board.cells[number]) for number in left] == said.json["squares"]
    assert (backtracks, len(trace["events"]) - backtracks) == (said.json["backtracks"], said.json["nodes"])


def test_a_recorded_walk_is_played(tmp_path: Path) -> None:
    """A page with a recorded walk and a tour from an array."""
    walk, tour, page = (str(tmp_path / name) for name in ("walk.json", "tour.npy", "page.html"))
    found = answered("walk", "6x6", "--rule", "random", "--seed", "3", "--record", walk, "--json").json
    assert found["backtracks"] > 0
    answered("tour", "6x6", "-o", tour, "-q")
    answered("play", walk, tour, "-o", page)
    events = json.loads(Path(walk).read_text())["trace"]["events"]
    assert events.count(-1) == found["backtracks"]
    told = re.sub(r"\s", "", Path(page).read_text())
    assert ",".join(map(str, events)) in told


@pytest.mark.full
def test_a_walk_that_is_stopped_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ktsolve.cli.walk._MOST_RECORDED", 5000)
    path = tmp_path / "walk.json"
    said = answered(*NO_LUCK, "--timeout", "1.5", "--record", str(path), "--json", status=3)
    assert said.json["status"] == "unknown"
    assert said.json["reason"].startswith("stopped at the time limit of 1.5 s, ")
    assert said.complaint == said.json["reason"]
    trace = json.loads(path.read_text())["trace"]
    assert len(trace["events"]) == 5000
    assert trace["complete"] is False


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "6x6 --rule fast",
            "rule 'fast' is unknown: did you mean first? use centre, first, home, pohl, random, roth, squ",
        ),
        ("6x8 --rule squirrel-cull", "rule squirrel-cull is for knights on square boards, not for 6x8: use"),
        ("6x6 --from z9", "cell 'z9' is off the 6x6 board"),
        (
            "6x6 --open --start a1 --from b1",
            "the walk of an open tour begins at its start a1, not at b1:",
        ),
        (
            "6x6 --repair --record x.json",
            "--record and --repair do not go together",
        ),
        ("6x6 --record -", "--record needs the name of a file"),
        ("6x6 --record no/such/file", "cannot write no/such/file: No such file or directory"),
        ("6x6 --require a1-b3", "No such option: --require"),
        ("6y6", "'6y6' is not a board: write ROWSxCOLUMNS"),
    ],
)
def test_bad_input(arguments: str, message: str) -> None:
    assert message in refused("walk", *arguments.split())


def test_limits_of_a_walk() -> None:
    assert refused(*NO_LUCK, "--timeout", ".4", status=3).startswith("stopped at the time limit of 0.4 s, ")
    assert "the memory limit is" in refused("walk", "20000x20000", "--repair", status=3)


@pytest.mark.full
def test_ctrl_c_stops_a_walk() -> None:
    said, seconds = interrupted([*NO_LUCK, "--json"])
    assert (said.status, said.complaint) == (3, "interrupted")
    assert (said.json["status"], said.json["reason"]) == ("unknown", "interrupted")
    assert seconds < 15


def test_the_tour_goes_through_a_pipe() -> None:
    tour = process("walk", "20x20", "-q").out.encode()
    assert answered("check", "-", "--closed", given=tour).out == "valid closed tour of 20x20\n"
