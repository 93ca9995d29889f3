"""Properties of one graph: the answers as lists of graphs have them, and walks that prove them."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from math import inf
from pathlib import Path
from typing import Any

import networkx
import pytest
from command import answered, refused
from marks import full, slow
from nauty import cubic, nauty, needs_nauty
from random_graphs import orders, random_graph
from strategies import refusal

import ktsolve
from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Settings
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.properties import COLUMNS, PROPERTIES
from ktsolve.tasks.properties import GraphProperties, properties

LISTED = [name for name in PROPERTIES if name in COLUMNS]

TESTS = {"edges-in-no-cycle": "-i", "edges-in-every-cycle": "-o"}
"""The options of nauty's cubhamg that print the graphs with such edges."""


def check_walks(graph: Graph, found: GraphProperties) -> None:
    """Whether the walks of each property are cycles and paths of the graph, and those that it needs."""
    n = len(graph)
    pairs = n * (n - 1) // (1 if graph.directed else 2)
    walks = {name: each.walks for name, each in found.each.items()}
    for each in (walk for name in walks for walk in walks[name]):
        assert each.ground == graph or len(each.ground) == n - 1
        assert each.step_violation is None
        assert each.closes or not each.closed
    needed = {
        "hamiltonian": {n},
        "traceable": {n},
        "hypohamiltonian": {n - 1},
        "hypotraceable": {n - 1},
        "hamilton-connected": {n},
        "homogeneously-traceable": {n},
        "uniquely-hamiltonian": {n},
        "pancyclic": set(range(3, n + 1)),
    }
    for name, lengths in needed.items():
        if found[name]:
            assert {len(walk) for walk in walks[name]} == (lengths if walks[name] else set()), name
    if found["hamilton-connected"]:
        assert len({(walk[0], walk[-1]) for walk in walks["hamilton-connected"]}) == pairs
    if found["homogeneously-traceable"]:
        assert {walk[0] for walk in walks["homogeneously-traceable"]} == set(graph.cells)
    if found["hypohamiltonian"]:
        left_out = [set(graph.cells) - set(walk) for walk in walks["hypohamiltonian"]]
        assert sorted(left_out, key=repr) == sorted(({v} for v in graph.cells), key=repr)


def check_edges(graph: Graph, found: GraphProperties) -> None:
    """Whether the edges are those that the count by moves has."""
    table = ktsolve.count(graph, by="moves", closed=True)
    for name, number in (("edges-in-every-cycle", table.count), ("edges-in-no-cycle", 0)):
        edges = {move for move, uses in table.counts.items() if uses == number} if table.count else set()
        assert set(found[name].edges) == edges, name
        assert bool(found[name]) == bool(edges)


def fewest_paths(graph: Graph, left: frozenset[Any]) -> int:
    """The path cover number of the graph on these vertices: a path through one of them, and the rest."""
    if not left:
        return 0
    first = min(left, key=repr)
    others = sorted(left - {first}, key=repr)
    parts = [{first, *more} for size in range(len(left)) for more in combinations(others, size)]
    paths = (p for p in parts if any(graph.all_adjacent(each) for each in permutations(p)))
    return min(1 + fewest_paths(graph, left - path) for path in paths)


def check_cover(graph: Graph, found: GraphProperties) -> None:
    """Whether the paths cover the graph, without common vertices, and fewer do not."""
    each = found["path-cover-number"]
    assert each.number == len(each.walks) == fewest_paths(graph, frozenset(graph.cells))
    assert bool(each) == (each.number == 1) == bool(found["traceable"])
    covered = [v for walk in each.walks for v in walk]
    assert sorted(covered, key=repr) == sorted(graph.cells, key=repr)


def fewest_cycles(graph: Graph, left: frozenset[Any]) -> float:
    """The cycle cover number of the graph on these vertices; infinity without a cover."""
    if not left:
        return 0
    first = min(left, key=repr)
    others = sorted(left - {first}, key=repr)
    orders = (order for size in range(2, len(left)) for order in permutations(others, size))
    cycles = {frozenset(order) for order in orders if graph.all_adjacent([first, *order, first])}
    return min((1 + fewest_cycles(graph, left - cycle - {first}) for cycle in cycles), default=inf)


def most_disjoint(sets: list[frozenset[Any]]) -> int:
    """The most of these sets that are disjoint."""
    return max(
        (1 + most_disjoint([s for s in sets[i + 1 :] if not s & one]) for i, one in enumerate(sets)),
        default=0,
    )


def edge_sets(graph: Graph, closed: bool) -> list[frozenset[Any]]:
    """The edges of each Hamiltonian cycle or path."""
    found = set()
    for order in orders(graph, closed):
        steps = pairwise([*order, *order[:closed]])
        found.add(frozenset(step if graph.directed else frozenset(step) for step in steps))
    return sorted(found, key=repr)


def check_disjoint(graph: Graph, found: GraphProperties) -> None:
    """Whether cycles cover the vertices, whether walks have no common edges, and there are no better ones."""
    each = found["cycle-cover-number"]
    fewest = fewest_cycles(graph, frozenset(graph.cells))
    assert (inf if each.number is None else each.number) == fewest
    assert bool(each) == bool(found["hamiltonian"])
    if each.number is not None:
        covered = [v for walk in each.walks for v in walk]
        assert len(each.walks) == each.number
        assert sorted(covered, key=repr) == sorted(graph.cells, key=repr)
    for name, closed in (("edge-disjoint-cycles", True), ("edge-disjoint-paths", False)):
        each = found[name]
        sets = edge_sets(graph, closed)
        assert each.number == len(each.walks)
        if len(sets) <= 60:
            assert each.number == most_disjoint(sets), name
        used = [move for walk in each.walks for move in walk.moves]
        assert len(set(used)) == len(used)
        assert bool(each) == (bool(each.walks) and len(used) == len(graph.edges))


def check_toughness(graph: Graph, found: GraphProperties) -> None:
    """Whether the ratio is the least of all sets of vertices, and that of the set given."""
    each = found["toughness-bound"]
    made = graph.to_networkx()

    def ratio(removed: tuple[Any, ...]) -> Fraction | None:
        number = networkx.number_connected_components(made.subgraph(set(graph.cells) - set(removed)))
        return Fraction(len(removed), number) if number > 1 else None

    if graph.directed:
        assert each.number is None
        return
    sets = (removed for size in range(len(graph)) for removed in combinations(graph.cells, size))
    assert each.number == min((r for removed in sets if (r := ratio(removed)) is not None), default=None)
    if each.number is not None:
        assert ratio(each.vertices) == each.number
    assert bool(each) == (each.number is None or each.number >= 1)


@pytest.mark.parametrize(("seed", "number"), [(5, 12), full(6, 24), slow(7, 10_000)])
def test_random_graphs(seed: int, number: int) -> None:
    chance = random.Random(seed)
    graphs = [random_graph(chance) for _ in range(number)]
    table = ktsolve.graph_table(graphs, LISTED, check=True)
    for row, graph in zip(table, graphs, strict=True):
        found = properties(graph)
        assert {name: bool(found[name]) for name in LISTED} == {name: row[name].item() for name in LISTED}
        check_walks(graph, found)
        check_edges(graph, found)
        check_cover(graph, found)
        check_disjoint(graph, found)
        check_toughness(graph, found)


@pytest.mark.parametrize("every", [100, full(30), slow(1)])
def test_graphs_of_the_atlas(every: int) -> None:
    graphs = [Graph.of(each) for each in networkx.graph_atlas_g()[5::every]]
    table = ktsolve.graph_table(graphs, LISTED)
    for row, graph in zip(table, graphs, strict=True):
        found = properties(graph)
        assert {name: bool(found[name]) for name in LISTED} == {name: row[name].item() for name in LISTED}
        check_walks(graph, found)
        check_cover(graph, found)
        check_disjoint(graph, found)
        check_toughness(graph, found)


def test_tiny_graphs_have_the_invariants_of_the_page() -> None:
    text = (Path(__file__).parents[2] / "docs" / "graphs.md").read_text()
    lines = text.partition("| invariant |")[2].partition("\n\n")[0].splitlines()[2:]
    page = {name.strip("`"): values for name, *values in (line.strip("| ").split(" | ") for line in lines)}
    assert page.keys() >= set(PROPERTIES)
    tiny = [networkx.empty_graph(1), networkx.empty_graph(2), networkx.path_graph(2), networkx.cycle_graph(3)]
    for at, graph in enumerate(tiny):
        found = properties(graph)
        said = {
            name: each.number if each.number is not None else bool(each) for name, each in found.each.items()
        }
        words = {True: "yes", False: "no"}
        expected = {name: words[each] if isinstance(each, bool) else str(each) for name, each in said.items()}
        for name in ("cycles", "paths"):
            expected[f"{name}` of lists"] = str(ktsolve.graph_table([graph], name)[name][0])
        for name, closed in (("longest", True), ("longest --open", False)):
            expected[f"length of `{name}"] = str(ktsolve.longest(graph, closed=closed).length)
        assert {name: values[at] for name, values in page.items()} == expected
    assert "at least one vertex" in refusal(lambda: properties(networkx.empty_graph(0)))
    assert "has no vertices" in refusal(lambda: ktsolve.graph_table(["?"]))


@needs_nauty
@pytest.mark.parametrize("order", [6, full(10), full(12), slow(14), slow(16)])
def test_edges_in_cycles_beside_nauty(order: int) -> None:
    """The + and - properties of cubhamg: a cycle through each edge, a cycle that avoids each edge."""
    listed = cubic(order)
    some = {name: set(nauty("cubhamg", each, given=listed).stdout.split()) for name, each in TESTS.items()}
    for line in listed.split():
        found = properties(Graph.of(networkx.from_graph6_bytes(line.encode())), ["hamiltonian", *TESTS])
        for name in TESTS if found["hamiltonian"] else ():
            assert (line in some[name]) == bool(found[name]), (line, name)


def test_reasons_and_facts() -> None:
    ladder = networkx.ladder_graph(4)
    found = properties(ladder)
    assert found["hamilton-connected"].reason == "no Hamiltonian path leads from 0 to 2"
    assert len(found["edges-in-every-cycle"].edges) == 8
    assert found["edges-in-no-cycle"].edges == ((1, 5), (2, 6))
    assert found.found
    card = found._card()
    assert dict(card.facts)["pancyclic"] == "no: no cycle of length 3"
    cover = properties(networkx.complete_bipartite_graph(2, 6), "path-cover-number")["path-cover-number"]
    assert (cover.number, len(cover.walks)) == (4, 4)
    wheel = properties(networkx.wheel_graph(7), ["hamilton-connected", "pancyclic"])
    assert all(wheel.each.values())
    assert len(wheel["hamilton-connected"].walks) == len(list(combinations(range(7), 2)))


def test_bad_input_and_limits() -> None:
    with pytest.raises(BadInput, match="unknown"):
        properties("5x5", "planar")
    with pytest.raises(BadInput):
        properties(networkx.empty_graph(0))
    with pytest.raises(LimitReached, match=r"^hamilton-connected: "):
        properties("20x20", "hamilton-connected", Settings(timeout=0.01))


def test_the_command() -> None:
    lines = answered("properties", "graph:petersen").out.splitlines()
    assert [line.split()[0] for line in lines] == list(PROPERTIES)
    assert lines[2].split()[:4] == ["hypohamiltonian", "yes", "10", "cycles,"]
    assert " ".join(lines[-1].split()) == "toughness-bound 4/3 without 0 2 8 9 it has 3 components"
    said: dict[str, Any] = answered("properties", "3x10", "--of", "edges-in-no-cycle", "--json").json
    assert said["properties"]["edges-in-no-cycle"]["edges"][0] == "c3-d1"
    said = answered("properties", "graph:complete:5", "--of", "edge-disjoint-cycles", "--json").json
    both = said["properties"]["edge-disjoint-cycles"]
    assert (both["holds"], both["number"], len(both["walks"])) == (True, 2, 2)
    said = answered("properties", "graph:star:3", "--json").json
    assert said["properties"]["toughness-bound"] == {
        "holds": False,
        "number": "1/3",
        "vertices": ["0"],
        "walks": [],
    }
    assert said["properties"]["cycle-cover-number"]["reason"] == "no cycles cover it"
    torus = answered("properties", "6x6", "--wrap", "xy", "--of", "edge-disjoint-cycles").out
    assert torus.split()[:2] == ["edge-disjoint-cycles", "4"]
    each = answered("properties", "-", "--of", "pancyclic", given=b"C~\nDhc\n").out
    assert each == "pancyclic yes\npancyclic no\n"
    assert "--of 'planar' is unknown: use hamiltonian" in refused("properties", "5x5", "--of", "planar")
    assert answered("graphs", "-", "--where", "pancyclic", "-q", given=b"C~\nDhc\n").out == "C~\n"
