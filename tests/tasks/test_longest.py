"""Longest cycles and paths: published lengths, and every engine against the lists of networkx."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import networkx
import pytest
from command import answered, refused
from hypothesis import given
from hypothesis import strategies as st
from ktsolve.models.longest import build
from lrat import lrat_fault
from strategies import examples

import ktsolve
from ktsolve.base.errors import BadInput, LimitReached, Refused
from ktsolve.base.limits import Settings
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.longest import LongestProblem
from ktsolve.proof.clause_proof import refute_model
from ktsolve.tasks.longest import longest, longest_walk
from ktsolve.tasks.solve import solve

# OEIS A357264 from 5x5, A165143 from 3x3, A357501 from 2x2.
GIRAFFES = [16, 28, 46, 62, 80, 100, 118, 144]
KNIGHTS = [8, 10, 16, 20, 22, 32, 40]
KINGS = [3, 4, 8, 12, 16, 24, 31, 38, 47]


def slow_from(numbers: list[int], first: int, full: int, slow: int) -> list[Any]:
    marks = {side: [pytest.mark.full] for side in range(full, slow)}
    rows = enumerate(numbers, first)
    return [pytest.param(n, x, marks=marks.get(n, [pytest.mark.slow] if n >= slow else [])) for n, x in rows]


@pytest.mark.parametrize(("side", "length"), slow_from(GIRAFFES, 5, 9, 11))
def test_the_circumference_of_giraffes(side: int, length: int) -> None:
    found = longest(Board(side, side, leaper=(1, 4)))
    assert (found.length, found.bound, found.optimal) == (length, length, True)


@pytest.mark.parametrize("side", [13, 14, 20, pytest.param(31, marks=pytest.mark.full)])
def test_the_circumference_of_large_giraffes(side: int) -> None:
    """New terms: a tour, or one without a cell, as the colours alternate."""
    found = longest(Board(side, side, leaper=(1, 4)))
    assert (found.length, found.optimal) == (side * side - side % 2, True)


@pytest.mark.parametrize(("side", "length"), slow_from(KNIGHTS, 3, 7, 8))
def test_induced_cycles_of_knights(side: int, length: int) -> None:
    assert longest(f"{side}x{side}", induced=True).length == length


@pytest.mark.parametrize(("side", "length"), slow_from(KINGS, 2, 9, 11))
def test_induced_cycles_of_kings(side: int, length: int) -> None:
    assert longest(named_graph(f"king:{side}x{side}"), induced=True).length == length


def walks(graph: Any, closed: bool, induced: bool) -> list[list[Any]]:
    """All cycles or paths of a graph of networkx, vertices included, by the lists of networkx."""
    found = [list(each) for each in networkx.simple_cycles(graph) if len(each) > 2]
    if not closed:
        pairs = permutations(graph, 2)
        found = [[v] for v in graph]
        found += [path for u, v in pairs for path in networkx.all_simple_paths(graph, u, v)]
    return [w for w in found if not induced or graph.subgraph(w).number_of_edges() == len(w) - (not closed)]


@st.composite
def any_graphs(draw: st.DrawFn, *, directed: bool) -> Any:
    n = draw(st.integers(1, 6))
    pairs = [(u, v) for u in range(n) for v in range(n) if u < v or (directed and u > v)]
    graph = networkx.DiGraph() if directed else networkx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(draw(st.sets(st.sampled_from(pairs))) if pairs else [])
    return graph


@given(st.data(), st.booleans(), st.booleans(), st.booleans())
@examples(30)
def test_any_small_graph(data: st.DataObject, directed: bool, closed: bool, induced: bool) -> None:
    graph = data.draw(any_graphs(directed=directed))
    source, target = data.draw(st.lists(st.sampled_from([None, *graph]), min_size=2, max_size=2))
    if closed or source == target:
        source = target = None
    ends = [(0, source), (-1, target)]
    of = [w for w in walks(graph, closed, induced) if all(v in (None, w[at]) for at, v in ends)]
    most = max((len(w) if closed else len(w) - 1 for w in of), default=None)
    engine = data.draw(st.sampled_from(["auto", "sat", "cpsat", *["frontier"] * (not directed)]))
    found = longest(graph, engine, closed=closed, source=source, target=target, induced=induced)
    assert (found.walk is None) == (most is None)
    assert (found.length, found.bound) == (most or 0, most or 0), engine
    if found.walk is not None:
        assert found.problem is not None
        assert found.problem.check(found.walk) is None
        assert max(found.problem.most[0], 0) >= found.length


@given(any_graphs(directed=False), st.booleans(), st.data())
@examples(25)
def test_all_cycles_and_paths_by_length(graph: Any, closed: bool, data: st.DataObject) -> None:
    start, end = data.draw(st.lists(st.sampled_from([None, *graph]), min_size=2, max_size=2))
    if closed or start == end:
        start = end = None
    ends = {what: v for what, v in (("start", start), ("end", end)) if v is not None}
    lengths = Counter(
        len(w) if closed else len(w) - 1
        for w in walks(graph, closed, False)
        if (closed or len(w) > 1) and all(w[-(what == "end")] == v for what, v in ends.items())
    )
    both = 1 if closed or ends else 2  # networkx lists the paths of both directions
    table = ktsolve.count(graph, by="length", closed=closed, **ends)
    assert table.counts == {length: lengths[length] // both for length in sorted(lengths)}
    assert table.count == sum(table.counts.values())
    assert [each["length"] for each in table.records()] == sorted(lengths)


def test_a_count_by_length_takes_undirected_graphs() -> None:
    with pytest.raises(Refused, match="undirected graphs"):
        ktsolve.count(networkx.DiGraph([(0, 1), (1, 2), (2, 0)]), by="length")
    assert ktsolve.count(networkx.empty_graph(1), by="length", closed=False).count == 0


@given(st.data(), st.booleans())
@examples(12)
def test_any_weights(data: st.DataObject, closed: bool) -> None:
    graph = data.draw(any_graphs(directed=False))
    for u, v in graph.edges:
        graph[u][v]["weight"] = data.draw(st.integers(-3, 5))
    if not graph.edges:
        return
    heaviest = max(
        (networkx.path_weight(graph, [*w, *w[:closed]], "weight") for w in walks(graph, closed, False)),
        default=None,
    )
    for engine in ("auto", "cpsat", "sat"):
        found = longest(graph, engine, closed=closed, weighted=True)
        assert (found.length if found.walk else None) == heaviest, engine


def test_all_vertices_but_one() -> None:
    found = longest("9x9")
    assert (found.length, found.optimal) == (80, True)
    assert "40 cells (colours)" in found.bound_reason
    found = longest(networkx.petersen_graph(), closed=False, source=3)
    assert (found.length, found.bound_reason) == (9, "")
    found = longest(networkx.petersen_graph())
    assert (found.length, found.bound_reason) == (9, "a longer one would visit all vertices")


def test_bounds_have_reasons() -> None:
    def reason(graph: Any, *, closed: bool = True) -> tuple[int, str]:
        return LongestProblem(Graph.of(graph), closed).most

    assert reason(networkx.complete_bipartite_graph(3, 5)) == (
        6,
        "colours alternate, and of one there are 3 vertices (colours)",
    )
    assert reason(networkx.complete_bipartite_graph(3, 5), closed=False)[0] == 6
    two = networkx.barbell_graph(5, 1)
    assert reason(two) == (5, "the largest part without cut vertices has 5 vertices (connectivity)")
    assert reason(networkx.path_graph(4)) == (0, "without cycles")
    assert reason(networkx.star_graph(4), closed=False)[0] == 2
    assert longest(two).bound_reason.endswith("(connectivity)")


def test_the_checker_finds_each_fault() -> None:
    square = Graph.of(networkx.complete_graph(4))
    problem = LongestProblem(square, closed=False, start=0, induced=True)
    assert str(problem.check(Tour(square, [1, 2]))) == "the start is 1"
    assert str(problem.check(Tour(square, [0, 1, 2]))) == "0-2 joins two vertices of the walk"
    assert problem.check(Tour(square, [0, 3])) is None
    with pytest.raises(BadInput, match="neither start nor end"):
        LongestProblem(square, closed=True, start=0)


def test_time_runs_out_with_the_longest_found() -> None:
    with pytest.raises(LimitReached):
        longest("40x40", "sat", Settings(timeout=0.05), induced=True)
    with pytest.raises(Refused, match="undirected graphs"):
        longest(networkx.DiGraph([(0, 1), (1, 2), (2, 0)]), "frontier")
    with pytest.raises(BadInput, match="has no weights"):
        longest("5x5", weighted=True)
    card = longest_walk(LongestProblem(Board(3, 3), closed=True))._card()
    assert card.title == "Longest cycle"


@pytest.mark.parametrize(
    ("board", "closed", "induced"),
    [
        ("4x4", True, False),
        ("4x5", False, True),
        ("5x5", True, True),
        (networkx.petersen_graph(), True, False),
        (networkx.complete_bipartite_graph(2, 4), False, False),
    ],
)
def test_a_refutation_certifies_the_longest(board: Any, closed: bool, induced: bool) -> None:
    """A walk of the length found exists, and clauses refute one move more: an LRAT checker agrees."""
    length = longest(board, closed=closed, induced=induced).length
    ground = {"board": board} if isinstance(board, str) else {"board": Graph.of(board)}
    asked = {**ground, "closed": closed, "induced": induced}
    shorter = build({**asked, "least": length})
    solved = solve(shorter.model, "sat", Settings())
    assert solved.assignment is not None
    walk = shorter.decode(solved.assignment)
    assert isinstance(walk, Tour)
    assert len(walk) - (not closed) >= length
    proof = refute_model(build({**asked, "least": length + 1}).model, Settings())
    assert proof is not None
    assert lrat_fault(proof.dimacs, proof.lrat()) is None


def test_the_command() -> None:
    said = answered("longest", "graph:petersen", "--json").json
    assert (said["status"], said["moves"], said["bound"], len(said["squares"])) == ("optimal", 9, 9, 9)
    assert answered("longest", "graph:path:4", "--open", "--start", "1").out == "1 2 3\n"
    assert answered("longest", "graph:path:4", status=1).out.startswith("there is no cycle on")
    lines = answered("longest", "-", "--open", given=b"C~\nDhc\n").out.splitlines()
    assert [len(line.split()) for line in lines] == [4, 5]
    heavy = answered("longest", "-", "--open", "--weighted", given=b"a b 3\nb c 4\nc a 1\nc d 9\n")
    assert heavy.out == "d c b a\n"
    assert "weight 16, proved longest" in heavy.err
    assert "24 moves, proved longest: colours alternate" in answered("longest", "5x5").err
    assert "neither start nor end" in refused("longest", "5x5", "--start", "a1")
    assert "use auto, frontier, sat, cpsat" in refused("longest", "5x5", "--engine", "join")
    assert answered("longest", "3x3", "--format", "svg").out.startswith("<svg")
