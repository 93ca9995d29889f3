"""The ranking of ``frontier``: bijections in full, the order by definition, numbers of any size, files."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import networkx
import numpy as np
import pytest
from command import answered
from hypothesis import given
from hypothesis import strategies as st
from marks import full
from random_graphs import random_graph
from ranking_checks import NOW, check_in_full, choices, tours_by_search
from strategies import examples, small_problems

from ktsolve import BadInput, LimitReached, TourProblem, tours
from ktsolve.base.errors import IndexOutOfRange, OutOfMemory, WrongAnswer
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.cycle_rows import cycles_of_rows
from ktsolve.engines.frontier.diagram import Diagram, FrontierRanking
from ktsolve.engines.frontier.engine import FrontierEngine
from ktsolve.engines.frontier.order import best_order, predicted
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.tasks.count import count

ENGINE = FrontierEngine()
WAZIR = (0, 1)


def board(size: str, **options: object) -> Board:
    return Board.parse(size, **options)  # type: ignore[arg-type]


# -- bijections ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "problem",
    [
        full(TourProblem(board="6x6", closed=True)),
        TourProblem(board="5x5", closed=False),
        TourProblem(board="3x10", closed=True),
        TourProblem(board="5x5", closed=False, start="a1"),
        TourProblem(board="5x5", closed=False, end="c3"),
        TourProblem(board="5x5", closed=False, start="a1", end="e5"),
        TourProblem(board="3x10", closed=True, start="c2"),
        TourProblem(board="3x10", closed=True, end="c2"),
        TourProblem(board="5x6", closed=True, start="a1", end="b3"),
        TourProblem(board="6x6", closed=True, require=["a1-b3", "c3-d5"], forbid=["f6-d5"]),
        TourProblem(board=board("4x5", without="a1"), closed=False),
        TourProblem(board=board("3x4", wrap="x"), closed=True),
        full(TourProblem(board=board("4x4", leaper=WAZIR, wrap="x"), closed=False)),
        TourProblem(board=board("5x4", leaper=WAZIR), closed=True),
        TourProblem(board="graph:petersen", closed=False),
        TourProblem(board="4x4", closed=True),
        TourProblem(board="1x1", closed=True),
        TourProblem(board="1x1", closed=False),
        TourProblem(board=board("1x2", leaper=WAZIR), closed=False),
        TourProblem(board=board("1x2", leaper=WAZIR), closed=True),
    ],
    ids=str,
)
def test_all_tours_in_full(problem: TourProblem) -> None:
    rows = check_in_full(ENGINE, problem)
    if len(problem.ground) == 1 or not rows:
        return
    # The order by its definition, which shares no code with the engine but the order of the vertices.
    graph = CycleGraph.of(problem)
    order = best_order(problem, graph).vertices.tolist()
    keys = [choices(graph, order, problem, row) for row in rows]
    assert keys == sorted(keys)


@examples(30)
@given(small_problems())
def test_random_problems_in_full(problem: TourProblem) -> None:
    if len(problem.ground) <= 20:
        check_in_full(ENGINE, problem)


@examples(60)
@given(st.integers(0, 2**32))
def test_random_graphs_in_full(seed: int) -> None:
    chance = random.Random(seed)
    graph = random_graph(chance, 7)
    closed = chance.random() < 0.5
    ends: dict[str, object] = {}
    if not closed and chance.random() < 0.5:
        ends["start"] = chance.choice(graph.cells)
    if not closed and chance.random() < 0.5:
        ends["end"] = chance.choice([v for v in graph.cells if v != ends.get("start")] or [None])
    moves = list(graph.moves)
    if moves and chance.random() < 0.4:
        ends[chance.choice(["require", "forbid"])] = [chance.choice(moves)]
    check_in_full(ENGINE, TourProblem(board=graph, closed=closed, **ends))  # type: ignore[arg-type]


@pytest.mark.full
def test_graphs_of_the_atlas_in_full() -> None:
    atlas = networkx.graph_atlas_g()
    for number in range(1, len(atlas), 7):
        if len(atlas[number]) == 0:
            continue
        for closed in (True, False):
            check_in_full(ENGINE, TourProblem(board=Graph.of(atlas[number]), closed=closed))


@pytest.mark.full
def test_digraphs_in_full() -> None:
    chance = random.Random(3)
    for _ in range(20):
        n = chance.randint(2, 7)
        arcs = [(a, b) for a in range(n) for b in range(n) if a != b and chance.random() < 0.6]
        graph = Graph(map(str, range(n)), arcs, directed=True)
        for options in (
            {"closed": True},
            {"closed": False},
            {"closed": True, "start": "1"},
            {"closed": False, "end": "0"},
        ):
            check_in_full(ENGINE, TourProblem(board=graph, **options))


# -- numbers of any size -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ground", "bits"),
    [
        ("6x7", 20),
        ("3x60", 64),
        (board("4x80", leaper=WAZIR), 64),
        (board("4x160", leaper=WAZIR), 128),
        (board("4x330", leaper=WAZIR), 256),
        ("graph:generalized-petersen:120,2", 20),
    ],
    ids=str,
)
def test_random_indices_round_trip(ground: Board | str, bits: int, tmp_path: Path) -> None:
    problem = TourProblem(board=ground, closed=True)
    ranking = ENGINE.ranking(problem, NOW)
    assert ranking.count == count(problem, engine="frontier").count
    assert ranking.count.bit_length() > bits
    chance = random.Random(5)
    edges = [0, 1, ranking.count - 1, ranking.count // 2]
    edges += [
        around + i
        for b in range(64, bits + 1, 64)
        for around in (1 << b,)
        for i in (-1, 0, 1)
        if around < ranking.count
    ]
    indices = edges + [chance.randrange(ranking.count) for _ in range(60)]
    rows = ranking.unrank(indices, NOW)
    assert problem.check_rows(rows).all()
    assert ranking.rank(rows, NOW) == indices
    ranking.save(tmp_path / "t")
    restored = ENGINE.restored(problem, tmp_path / "t", NOW)
    assert (restored.count, restored.order) == (ranking.count, ranking.order)
    assert np.array_equal(restored.unrank(indices, NOW), rows)
    assert restored.rank(rows, NOW) == indices
    # What was restored is saved again, the same.
    restored.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "t").read_bytes()


@pytest.mark.parametrize("ground", ["6x7", "3x60", board("4x80", leaper=WAZIR)], ids=str)
def test_identities_of_uses(ground: Board | str) -> None:
    problem = TourProblem(board=ground, closed=True)
    whole = count(problem, engine="frontier").count
    counts = ENGINE.move_counts(problem, NOW)
    n, edges = len(problem.ground), problem.ground.edges.tolist()
    assert sum(counts) == n * whole
    by_cell = [0] * n
    for (u, v), uses in zip(edges, counts, strict=True):
        by_cell[u] += uses
        by_cell[v] += uses
    assert by_cell == [2 * whole] * n
    # Symmetric moves are used equally often.
    for symmetry in problem.automorphisms:
        images = symmetry.images
        moved = problem.ground.places_of([sorted((images[u], images[v])) for u, v in edges])
        assert [counts[place] for place in moved.tolist()] == counts
    # A move is used by the tours that are left when it is required.
    for place in range(0, len(edges), 29):
        required = problem.replace(require=[problem.ground.moves[place]])
        assert count(required, engine="frontier").count == counts[place]
    places = [place for place, (u, v) in enumerate(edges) if (v - u) % 3 == 1]
    tally = ENGINE.tally(problem, places, NOW)
    assert sum(tally) == whole
    assert sum(j * number for j, number in enumerate(tally)) == sum(counts[place] for place in places)
    assert ENGINE.tally(problem, list(range(len(edges))), NOW) == [0] * n + [whole]
    assert ENGINE.tally(problem, [], NOW) == [whole]
    assert ENGINE.tally(problem, places[:1], NOW) == [whole - counts[places[0]], counts[places[0]]]


# -- the order -----------------------------------------------------------------------------------------------


@pytest.mark.full
def test_the_order_depends_on_nothing_else() -> None:
    problem = TourProblem(board="6x6", closed=True, require=["a1-b3", "f1-d2"], forbid=["c3-d5"])
    code = (
        "from ktsolve import TourProblem; from ktsolve.base.limits import Settings\n"
        "from ktsolve.engines.frontier.engine import FrontierEngine; import hashlib\n"
        "p = TourProblem(board='6x6', closed=True, forbid=['d5-c3'], require=['d2-f1', 'b3-a1'])\n"
        "r = FrontierEngine().ranking(p, Settings(threads=1, memory=1 << 26, seed=9))\n"
        "print(r.order, hashlib.sha256(r.unrank(range(r.count), Settings()).tobytes()).hexdigest())"
    )
    import hashlib

    ranking = ENGINE.ranking(problem, NOW)
    rows = ranking.unrank(range(ranking.count), NOW)
    expected = f"{ranking.order} {hashlib.sha256(rows.tobytes()).hexdigest()}\n"
    for seed in ("0", "1"):
        found = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        )
        assert found.stdout == expected


def test_names_of_orders() -> None:
    problems = [
        TourProblem(board="6x6", closed=True),
        TourProblem(board="6x6", closed=True, require=["a1-b3"]),
        TourProblem(board="6x6", closed=True, start="a1"),
        TourProblem(board="6x5", closed=True),
        TourProblem(board="5x6", closed=True),
    ]
    names = [ENGINE.ranking(problem, NOW).order for problem in problems]
    assert len(set(names)) == len(names)
    assert names[0] == "frontier:1:36-vertices:7b5b0243"
    # Another order of the vertices has another name and another order of the tours.
    problem = problems[0]
    graph = CycleGraph.of(problem)
    order = predicted(graph, range(36))
    diagram = Diagram(graph, order.vertices)
    diagram.build(problem, order, NOW, Clock(None))
    other = FrontierRanking(problem, graph, diagram)
    assert other.order != names[0]
    assert not np.array_equal(
        other.unrank(range(9862), NOW), ENGINE.ranking(problem, NOW).unrank(range(9862), NOW)
    )


def test_a_tour_that_is_none_has_no_number() -> None:
    problem = TourProblem(board="6x6", closed=True, forbid=["a1-b3"])
    ranking = ENGINE.ranking(problem, NOW)
    plain = TourProblem(board="6x6", closed=True)
    with_move = next(t for t in tours_by_search(plain) if problem.check(t) is not None)
    with pytest.raises(WrongAnswer, match="has no number"):
        ranking.rank(np.array([with_move.indices], dtype=np.int32), NOW)


def records_by_definition(problem: TourProblem, ranking: FrontierRanking) -> list[int]:
    """For each step the number of pairs of a state and a choice that a listed tour has."""
    diagram = ranking._diagram
    assert diagram is not None
    graph = diagram.graph
    place = {int(vertex): i for i, vertex in enumerate(diagram.vertices)}
    pairs: list[set[object]] = [set() for _ in place]
    rows = np.array([tour.indices for tour in tours_by_search(problem)], dtype=np.int32)
    for cycle in cycles_of_rows(graph, rows).tolist():
        made = sorted(
            tuple(sorted((place[u], place[v]))) for u, v in zip(cycle, cycle[1:] + cycle[:1], strict=True)
        )
        mates: dict[int, int] = {}
        for step in range(made[-1][0] + 1):
            state = frozenset((v, mate) for v, mate in mates.items() if v >= step)
            chosen = tuple(edge for edge in made if edge[0] == step)
            pairs[step].add((state, chosen))
            for u, v in chosen:
                # The other end of the path of a vertex: itself before its first edge, -1 after its second.
                a, b = mates.get(u, u), mates.get(v, v)
                mates[u] = mates[v] = -1
                mates[a], mates[b] = b, a
    return [len(each) for each in pairs]


@pytest.mark.parametrize(
    "problem",
    [
        full(TourProblem(board="6x6", closed=True)),
        TourProblem(board="5x5", closed=False),
        TourProblem(board="5x6", closed=True, require=["c3-d5"]),
        TourProblem(board=board("4x4", leaper=WAZIR, wrap="x"), closed=False),
    ],
    ids=str,
)
def test_a_diagram_keeps_the_states_of_tours_and_no_others(problem: TourProblem) -> None:
    ranking = ENGINE.ranking(problem, NOW)
    assert isinstance(ranking, FrontierRanking)
    assert ranking._diagram is not None
    shape = dict(ranking._diagram.blobs())["shape"]
    assert shape[:, 0].tolist() == records_by_definition(problem, ranking)


# -- files ---------------------------------------------------------------------------------------------------


def is_detected(problem: TourProblem, path: Path) -> bool:
    try:
        ENGINE.restored(problem, path, NOW).unrank(range(9862), NOW)
    except BadInput as error:
        return str(path) in str(error) and "\n" not in str(error)
    return False


def test_damaged_files(tmp_path: Path) -> None:
    problem = TourProblem(board="6x6", closed=True)
    path = tmp_path / "t"
    ENGINE.ranking(problem, NOW).save(path)
    whole = path.read_bytes()
    chance = random.Random(8)
    detected = 0
    for i in range(200):
        damaged = bytearray(whole)
        if i % 4 == 0:
            del damaged[chance.randrange(len(whole)) :]
        else:
            damaged[chance.randrange(len(whole))] ^= chance.randint(1, 255)
        path.write_bytes(damaged)
        detected += is_detected(problem, path)
    # What is not detected is padding between the layers.
    assert detected >= 150
    path.write_bytes(whole)
    for other, message in (
        (TourProblem(board="6x6", closed=False), "was prepared for closed 6x6, not for open 6x6"),
        (TourProblem(board="6x6", closed=True, require=["a1-b3"]), "not for closed 6x6 require"),
    ):
        with pytest.raises(BadInput, match=message):
            ENGINE.restored(other, path, NOW)


@pytest.mark.full
def test_blocks_of_a_layer_that_change_places_are_detected(tmp_path: Path) -> None:
    problem, path, block = TourProblem(board="6x8", closed=True), tmp_path / "t", 1 << 16
    ranking = ENGINE.ranking(problem, NOW)
    assert isinstance(ranking, FrontierRanking)
    assert ranking._diagram is not None
    layers = [data.tobytes() for name, data in ranking._diagram.blobs() if name.startswith("layer")]
    largest = max(layers, key=len)
    assert len(largest) > 2 * block
    ranking.save(path)
    whole = path.read_bytes()
    at = whole.index(largest)
    first, second = whole[at : at + block], whole[at + block : at + 2 * block]
    assert first != second
    path.write_bytes(whole[:at] + second + first + whole[at + 2 * block :])
    with pytest.raises(BadInput, match="damaged"):
        ENGINE.restored(problem, path, NOW).unrank([i * 55488142 // 2000 for i in range(2000)], NOW)


def test_files_of_problems_without_tables(tmp_path: Path) -> None:
    for problem in (
        TourProblem(board="1x1", closed=False),
        TourProblem(board="4x4", closed=True),
        TourProblem(board="3x3", closed=False, start="b2"),
    ):
        ranking = ENGINE.ranking(problem, NOW)
        ranking.save(tmp_path / "t")
        restored = ENGINE.restored(problem, tmp_path / "t", NOW)
        assert restored.count == ranking.count
        indices = range(ranking.count)
        assert np.array_equal(restored.unrank(indices, NOW), ranking.unrank(indices, NOW))
        assert restored.rank(ranking.unrank(indices, NOW), NOW) == list(indices)


# -- limits --------------------------------------------------------------------------------------------------


@pytest.mark.full
def test_limits() -> None:
    problem = TourProblem(board="6x8", closed=True)
    with pytest.raises(OutOfMemory, match="memory limit of 4 MiB"):
        ENGINE.ranking(problem, Settings(memory=4 << 20))
    with pytest.raises(LimitReached, match=r"time limit of 0.05 s"):
        ENGINE.ranking(problem, Settings(timeout=0.05))
    with pytest.raises(LimitReached, match="needs a frontier"):
        ENGINE.ranking(TourProblem(board="16x16", closed=True), Settings(memory=1 << 30))
    ranking = ENGINE.ranking(TourProblem(board="6x6", closed=True), NOW)
    with pytest.raises(LimitReached, match="time limit"):
        ranking.unrank(range(9862), Settings(timeout=1e-9))
    seen: list[float] = []
    settings = Settings(progress=lambda share, text: seen.append(share or 0))
    ENGINE.ranking(TourProblem(board="6x8", closed=True), settings)
    assert seen == sorted(seen)
    assert seen
    assert max(seen) <= 1


@pytest.fixture
def few_digits() -> Iterator[None]:
    """Python prints numbers of up to 640 digits, its least limit, in place of 4300."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    yield
    sys.set_int_max_str_digits(before)


@pytest.mark.full
@pytest.mark.usefixtures("few_digits")
def test_numbers_with_more_digits_than_python_prints(tmp_path: Path) -> None:
    number = 2_200
    diamonds = networkx.Graph()
    for i in range(number):
        a, b, c, d = range(4 * i, 4 * i + 4)
        diamonds.add_edges_from([(a, b), (a, c), (b, c), (b, d), (c, d), (d, (d + 1) % (4 * number))])
    path = tmp_path / "diamonds"
    made = tours(diamonds, engine="frontier", prepared=path)
    assert made.count == 2**number
    assert repr(made).startswith("<about 2^2200 tours of ")
    with pytest.raises(
        IndexOutOfRange, match=r"index about 2\^2200 is out of range: .* has 0 to about 2\^2199"
    ):
        made[made.count]
    read = tours(diamonds, engine="frontier", prepared=path)
    assert read.restored
    assert read.count == made.count
    assert read.index(made[-1]) == made.count - 1
    file = tmp_path / "diamonds.edges"
    file.write_text("".join(f"v{u} v{v}\n" for u, v in diamonds.edges))
    said = answered("unrank", str(file), "5", "--engine", "frontier", "--json", "-q")
    assert len(said.json["count"]) == 663
    assert said.json["indices"] == ["5"]
