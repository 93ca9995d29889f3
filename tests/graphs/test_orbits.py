"""Orbits, groups and Burnside's lemma, compared with their definitions."""

from __future__ import annotations

from itertools import combinations

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ktsolve.base.errors import BadInput
from ktsolve.graphs.board import Board
from ktsolve.graphs.groups import (
    Permutation,
    burnside,
    compose,
    conjugacy_classes,
    cycle_lengths,
    exchange,
    generate,
    inverse,
    orbits,
    order_of,
)
from ktsolve.graphs.symmetry import pair_orbits, symmetry_group

SIZE = 6
PERMUTATIONS = st.permutations(range(SIZE)).map(tuple)
GENERATORS = st.lists(PERMUTATIONS, min_size=1, max_size=3)
EDGES = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda e: e[0] < e[1]))


# -- orbits -----------------------------------------------------------------------------------------------


@given(GENERATORS)
@examples(50)
def test_orbits_under_the_group_are_components(generators: list[Permutation]) -> None:
    graph = networkx.empty_graph(SIZE)
    graph.add_edges_from((i, generator[i]) for generator in generators for i in range(SIZE))
    group = generate(generators)
    found = orbits(range(SIZE), lambda i: [element[i] for element in group])
    assert {frozenset(each) for each in found} == set(map(frozenset, networkx.connected_components(graph)))
    assert all(each == sorted(each) for each in found)


def test_classes_of_ends_are_orbits_of_pairs() -> None:
    board = Board.parse("4x5")
    graph = networkx.empty_graph(frozenset(pair) for pair in combinations(range(20), 2))
    for symmetry in symmetry_group(board):
        graph.add_edges_from((pair, frozenset(map(symmetry, pair))) for pair in list(graph))
    found = networkx.connected_components(graph)
    assert sorted(map(len, found)) == sorted(orbit.multiplicity for orbit in pair_orbits(board))


# -- groups -----------------------------------------------------------------------------------------------


@given(GENERATORS)
@examples(30)
def test_conjugacy_classes_and_orders(generators: list[Permutation]) -> None:
    group = generate(generators)
    assert group[0] == tuple(range(SIZE))
    assert len(set(group)) == len(group)
    assert {compose(g, h) for g in group for h in generators} <= set(group)
    classes = conjugacy_classes(generators)
    assert sum(each.size for each in classes) == len(group)
    for each in classes:
        conjugate = {compose(compose(inverse(g), each.representative), g) for g in group}
        assert len(conjugate) == each.size
        assert min(conjugate) == each.representative
        assert len({cycle_lengths(g) for g in conjugate}) == 1


@given(PERMUTATIONS)
def test_order_and_inverse(permutation: Permutation) -> None:
    power = permutation
    for _ in range(order_of(permutation) - 1):
        assert power != tuple(range(SIZE))
        power = compose(power, permutation)
    assert power == tuple(range(SIZE))
    assert compose(permutation, inverse(permutation)) == power


@given(GENERATORS, st.integers(1, 3))
@examples(30)
def test_burnside_counts_colourings(generators: list[Permutation], colours: int) -> None:
    classes = conjugacy_classes(generators)
    found = burnside(classes, lambda g: colours ** len(cycle_lengths(g)))
    group = generate(generators)
    colourings = [
        tuple(number // colours**i % colours for i in range(SIZE)) for number in range(colours**SIZE)
    ]
    listed = orbits(colourings, lambda c: [tuple(c[i] for i in g) for g in group])
    assert found == len(listed)


def test_a_wrong_number_of_invariant_objects_is_an_error() -> None:
    classes = conjugacy_classes([(1, 2, 0), (0, 2, 1)])
    with pytest.raises(BadInput, match="not a multiple of the order 6"):
        burnside(classes, lambda g: 2 ** len(cycle_lengths(g)) + (order_of(g) == 3))


def test_groups_too_large_are_refused() -> None:
    with pytest.raises(BadInput, match="more than 100 elements"):
        generate([exchange(6, [(i, i + 1)]) for i in range(5)], most=100)
    with pytest.raises(BadInput, match="at least one generator"):
        generate([])
