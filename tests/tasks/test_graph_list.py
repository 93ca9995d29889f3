"""Lists of graphs: every column against the definition and the engines, sources, bad lines."""

from __future__ import annotations

import bz2
import gzip
import io
import random
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import full, slow
from nauty import cubic, nauty, needs_nauty
from random_graphs import orders, random_graph
from strategies import refusal

import ktsolve
from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Settings
from ktsolve.formats.graphs.lists import graph_line, whole_lines
from ktsolve.graphs.board import without_vertices
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.properties import COLUMNS
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.graph_list import UNKNOWN, ListAnswers, ListConditions, ListTask, _answer

K4_PLANAR = b"\4\2\3\4\0\1\4\3\0\1\2\4\0\1\3\2\0"


def by_definition(graph: Graph) -> dict[str, bool | int]:
    """Every column, from all orders of the vertices."""

    ways = 1 if graph.directed else 2

    def cycles(graph: Graph) -> int:
        return len(list(orders(graph, closed=True))) // (len(graph) * ways) if len(graph) > 2 else 0

    def ends(graph: Graph) -> set[tuple[Any, Any]]:
        found = {(each[0], each[-1]) for each in orders(graph, closed=False)} if len(graph) else set()
        return found if graph.directed else found | {(v, u) for u, v in found}

    smaller = [without_vertices(graph, {v}) for v in graph.cells] if len(graph) > 1 else []
    number, both = cycles(graph), ends(graph)
    pairs = permutations(graph.cells, 2)
    return {
        "hamiltonian": number > 0,
        "traceable": bool(both),
        "hypohamiltonian": number == 0 and bool(smaller) and all(map(cycles, smaller)),
        "hypotraceable": len(graph) > 2 and not both and all(map(ends, smaller)),
        "hamilton-connected": all(pair in both for pair in pairs),
        "homogeneously-traceable": len(graph) == 1 or {u for u, _ in both} == set(graph.cells),
        "uniquely-hamiltonian": number == 1,
        "pancyclic": len(graph) > 2
        and all(
            any(cycles(without_vertices(graph, removed)) for removed in combinations(graph.cells, fewer))
            for fewer in range(len(graph) - 2)
        ),
        "cycles": number,
        "paths": len(list(orders(graph, closed=False))) // (ways if len(graph) > 1 else 1),
    }


@pytest.mark.parametrize(("seed", "number"), [(0, 60), full(1, 600), slow(2, 10_000)])
def test_every_column_is_as_defined_and_as_the_engines_answer(seed: int, number: int) -> None:
    chance = random.Random(seed)
    graphs = [random_graph(chance) for _ in range(number)]
    table = ktsolve.graph_table(graphs, tuple(COLUMNS), check=True)
    assert table["graph"].tolist() == list(range(1, number + 1))
    for row, graph in zip(table, graphs, strict=True):
        assert (row["vertices"], row["edges"]) == (len(graph), len(graph.edges))
        expected = by_definition(graph)
        assert {name: row[name].item() for name in COLUMNS} == expected
        if chance.random() < 0.1:
            assert {name: _answer(name, graph, Settings()) for name in COLUMNS} == expected


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_every_column_of_the_atlas(part: int) -> None:
    atlas = [Graph.of(each) for each in networkx.graph_atlas_g()[1:][part::8]]
    table = ktsolve.graph_table(atlas, tuple(COLUMNS), check=True)
    for row, graph in zip(table, atlas, strict=True):
        assert {name: row[name].item() for name in COLUMNS} == by_definition(graph)


@pytest.mark.parametrize("most", [6, full(7)])
def test_all_graphs_of_few_vertices(most: int) -> None:
    atlas = [each for each in networkx.graph_atlas_g()[1:] if len(each) <= most]
    table = ktsolve.graph_table(map(graph_line, map(Graph.of, atlas)), ("hamiltonian", "traceable"))
    # A003216 and A057864 of OEIS; there one vertex has a cycle.
    for column, numbers in (
        ("hamiltonian", [0, 0, 1, 3, 8, 48, 383]),
        ("traceable", [1, 1, 2, 5, 18, 91, 734]),
    ):
        assert (
            np.bincount(table["vertices"][table[column]], minlength=most + 1)[1:].tolist() == numbers[:most]
        )


@pytest.mark.parametrize(("degree", "vertices", "number"), [(3, 14, 4), full(3, 20, 20), full(4, 16, 10)])
def test_counts_are_those_of_the_engines(degree: int, vertices: int, number: int) -> None:
    graphs = [networkx.random_regular_graph(degree, vertices, seed) for seed in range(number)]
    table = ktsolve.graph_table(graphs, ("cycles", "paths", "hamiltonian", "uniquely-hamiltonian"))
    for row, graph in zip(table, graphs, strict=True):
        assert row["cycles"] == ktsolve.count(TourProblem(Graph.of(graph), closed=True)).count
        assert row["paths"] == ktsolve.count(TourProblem(Graph.of(graph), closed=False)).count
        assert (row["hamiltonian"], row["uniquely-hamiltonian"]) == (row["cycles"] > 0, row["cycles"] == 1)


@pytest.mark.parametrize("number", [15, full(250)])
def test_conditions_on_the_cycle_or_path_of_each_graph(number: int) -> None:
    chance, answered = random.Random(number), 0
    for _ in range(number):
        n, directed = chance.choice([3, 4, 5, 5, 6, 6, 7]), chance.random() < 0.4
        share, seed = chance.uniform(0.4, 1), chance.randrange(10**6)
        graph = Graph.of(networkx.gnp_random_graph(n, share, seed, directed=directed))
        edges = [(u, v) for u, v in graph.moves if chance.random() < 0.9]
        chance.shuffle(edges)
        required, forbidden = edges[: chance.randrange(3)], edges[3 : 3 + chance.randrange(3)]
        starts, ends = (
            sum(1 << v for v in chance.sample(range(n), chance.choice([0, 1, 1, 2]))) for _ in range(2)
        )
        for column in ("hamiltonian", "cycles", "traceable", "paths"):
            closed = column in ("hamiltonian", "cycles")
            both = (0, 0) if closed else (starts, ends)
            given = ListConditions(tuple(required), tuple(forbidden), *both)
            task = ListTask(
                (column,),
                check=True,
                cycles=column in ("hamiltonian", "traceable"),
                engines=False,
                conditions=given,
            )
            (batch,) = ListAnswers([graph_line(graph).encode()], task, Settings())
            fitting = [
                each
                for each in orders(graph, closed=closed)
                if fits(each, given, closed=closed, directed=directed)
            ]
            answer = int(batch[column][0])
            if answer == UNKNOWN:  # two arcs at one vertex, or paths that fit in both directions
                every = (1 << n) - 1
                in_both = ((starts or every) & (ends or every)).bit_count()
                assert (directed and len(required) > 1) or (column == "paths" and in_both > 1)
                continue
            answered += 1
            # An order of an undirected graph and its reverse are one; that of a cycle begins anywhere.
            paths = {tuple(each) if directed else min(tuple(each), tuple(each[::-1])) for each in fitting}
            right = len(fitting) // (n if directed else 2 * n) if closed else len(paths)
            assert answer == (right if column in ("cycles", "paths") else right > 0)
            if batch.cycles is not None and answer:
                found = batch.cycles[:n].tolist()
                assert found in [list(each) for each in fitting]
    assert answered > 3 * number


def fits(order: Sequence[int], given: ListConditions, *, closed: bool, directed: bool) -> bool:
    used = set(pairwise([*order, *order[:1]] if closed else order))
    if not directed:
        used |= {(v, u) for u, v in used}
    return (
        used.issuperset(given.required)
        and used.isdisjoint(given.forbidden)
        and (not given.starts or given.starts >> order[0] & 1 == 1)
        and (not given.ends or given.ends >> order[-1] & 1 == 1)
    )


@pytest.mark.parametrize("most", [5, full(7)])
def test_reasons_are_those_of_arithmetic(most: int) -> None:
    graphs = [Graph.of(each) for each in networkx.graph_atlas_g() if 3 <= len(each) <= most]
    found = set()
    for column, closed in (("hamiltonian", True), ("paths", False)):
        task = ListTask((column,), engines=False)
        (batch,) = ListAnswers(["".join(map(graph_line, graphs)).encode()], task, Settings())
        for place, graph in enumerate(graphs):
            reason = TourProblem(graph, closed=closed).obstruction()
            assert batch.obstruction(place, closed=closed) == reason
            found |= {reason.theorem} if reason else set()
    assert found == {"colours", "degrees", "connectivity"}


def test_graphs_that_conditions_do_not_fit_are_left() -> None:
    lines = b"".join(
        graph_line(Graph.of(each)).encode()
        for each in (networkx.path_graph(4), networkx.complete_graph(3), networkx.cycle_graph(4))
    )
    for one in (ListConditions(required=((0, 3),)), ListConditions(forbidden=((0, 3),))):
        task = ListTask(("cycles",), engines=False, conditions=one)
        (batch,) = ListAnswers([lines], task, Settings())
        assert [int(each) for each in batch["cycles"]] == [UNKNOWN, UNKNOWN, int(not one.forbidden)]
    both = ListConditions(required=((0, 1),), forbidden=((0, 1),))
    (batch,) = ListAnswers([lines], ListTask(("paths",), engines=False, conditions=both), Settings())
    assert set(batch["paths"].tolist()) == {UNKNOWN}


def test_graphs_that_are_left_to_the_engines() -> None:
    """More vertices than bits, and counts that are dense or long."""
    star = networkx.star_graph(70)
    given = [
        networkx.cycle_graph(70),
        networkx.path_graph(70),
        star,
        networkx.DiGraph(networkx.cycle_graph(30)),
    ]
    table = ktsolve.graph_table([*given, "Bw"], ("hamiltonian", "traceable", "cycles"))
    assert table["hamiltonian"].tolist() == [True, False, False, True, True]
    assert table["traceable"].tolist() == [True, True, False, True, True]
    assert table["cycles"].tolist() == [1, 0, 0, 2, 1]
    assert table["vertices"].tolist() == [70, 70, 71, 30, 3]


@pytest.mark.parametrize("length", [full(30)])
def test_counts_of_more_than_63_bits(length: int) -> None:
    kings = Graph.of(networkx.strong_product(networkx.path_graph(3), networkx.path_graph(length)))
    table = ktsolve.graph_table([kings, "Bw"], "cycles")
    assert table["cycles"].tolist() == [ktsolve.count(kings).count, 1]
    assert table["cycles"].dtype == object
    assert table["cycles"][0] > 2**63


def test_the_time_limit_is_that_of_the_list() -> None:
    with pytest.raises(LimitReached, match="stopped at the time limit of"):
        ktsolve.graph_table([networkx.complete_graph(40)], "cycles", Settings(timeout=0.1))


def test_petersen_and_its_like() -> None:
    petersen, tutte = networkx.petersen_graph(), networkx.tutte_graph()
    table = ktsolve.graph_table(
        [petersen, networkx.dodecahedral_graph(), tutte], tuple(COLUMNS)[:3], check=True
    )
    assert table["hypohamiltonian"].tolist() == [True, False, False]
    assert table["hamiltonian"].tolist() == [False, True, False]
    assert table["traceable"].all()


def test_sources(tmp_path: Path) -> None:
    text = b">>graph6<<Bw\n\nC~\r\n:Bc\n&BP_\n"
    (tmp_path / "list.g6").write_bytes(text)
    (tmp_path / "list.g6.gz").write_bytes(gzip.compress(text))
    (tmp_path / "list.g6.bz2").write_bytes(bz2.compress(text))
    (tmp_path / "planar").write_bytes(b">>planar_code<<" + K4_PLANAR * 3)
    for source in (
        str(tmp_path / "list.g6"),
        tmp_path / "list.g6.gz",
        tmp_path / "list.g6.bz2",
        text,
        text.decode(),
        io.BytesIO(text),
        io.StringIO(text.decode()),
        ["Bw", "C~", ":Bc", b"&BP_"],
        iter(
            [
                networkx.cycle_graph(3),
                "C~",
                networkx.path_graph(3),
                networkx.DiGraph([(0, 1), (1, 2), (2, 0)]),
            ]
        ),
    ):
        table = ktsolve.graph_table(source, ["hamiltonian", "cycles"])
        assert table["hamiltonian"].tolist() == [True, True, False, True], source
        assert table["cycles"].tolist() == [1, 3, 0, 1]
    assert ktsolve.graph_table(tmp_path / "planar", "cycles")["cycles"].tolist() == [3, 3, 3]
    assert len(ktsolve.graph_table([], "cycles")) == len(ktsolve.graph_table(b"", "traceable")) == 0


def test_bad_lines_are_named_or_left_out(tmp_path: Path) -> None:
    (tmp_path / "bad.g6").write_bytes(b"Bw\n\nC\nB w\nC~\n?\n")
    said = refusal(lambda: ktsolve.graph_table(tmp_path / "bad.g6"))
    assert said.startswith("line 3, graph 2: a graph6 line of 4 vertices has 1 character after")
    assert ktsolve.graph_table(tmp_path / "bad.g6", keep_going=True)["graph"].tolist() == [1, 4]
    assert "column 'hamilton' is unknown: did you mean" in refusal(
        lambda: ktsolve.graph_table([], "hamilton")
    )
    assert "there is no such file" in refusal(lambda: ktsolve.graph_table("none.g6"))
    assert "several" in refusal(lambda: ktsolve.graph_table(["Bw\nBw"]))
    assert "a path, an open file or an iterable, not 5" in refusal(lambda: ktsolve.graph_table(5))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b">>planar_code", "the header of planar code is"),
        (b">>planar_code xx<<", "the header of planar code is"),
        (b">>planar_code<<\3\2", "does not end: it is cut off"),
        (b">>planar_code<<\2\3\0\0", "vertex 1 of a graph of 2 vertices has neighbour 3"),
        (b">>planar_code le<<\0\0\0\0", "0 vertices: 1 to 4,096"),
        ("Bw\n".encode("utf-16"), "it is UTF-16"),
        (b"\x1f\x8b\x08broken", "cannot be decompressed"),
    ],
)
def test_streams_that_are_not_lists(data: bytes, said: str) -> None:
    assert said in refusal(lambda: ktsolve.graph_table(io.BytesIO(data)))


@given(st.binary(max_size=200), st.lists(st.integers(1, 60), max_size=20))
def test_a_stream_may_come_in_any_pieces(data: bytes, sizes: list[int]) -> None:
    def pieces() -> Iterator[bytes]:
        rest = b"Bw\n" + data
        for size in [*sizes, 300]:
            if rest:
                yield rest[:size]
            rest = rest[size:]

    try:
        found = b"".join(whole_lines(pieces(), "list", Settings()))
    except BadInput:
        assert b"\0" in data
        return
    assert found == b"Bw\n" + data


def test_the_order_of_the_list_is_kept_on_all_threads() -> None:
    graphs = [networkx.complete_graph(3 + i % 6) for i in range(40)]
    lines = [graph_line(Graph.of(each)) for each in graphs] * 60
    table = ktsolve.graph_table(lines, "cycles", Settings(threads=4))
    expected = [[1, 3, 12, 60, 360, 2520][i % 40 % 6] for i in range(2400)]
    assert table["cycles"].tolist() == expected


@needs_nauty
@pytest.mark.parametrize("order", [10, full(14), full(16)])
def test_cubic_graphs_beside_nauty(order: int) -> None:
    listed = cubic(order)
    table = ktsolve.graph_table(listed.split(), ["hamiltonian", "cycles"], check=order < 16)
    without = [line for line, each in zip(listed.split(), table["hamiltonian"], strict=True) if not each]
    assert without == nauty("cubhamg", given=listed).stdout.split()
    counted = nauty("cubhamg", "-c", "-V", given=listed).stderr
    assert [int(each) for each in re.findall(r"has (\d+) cycles", counted)] == table["cycles"].tolist()
