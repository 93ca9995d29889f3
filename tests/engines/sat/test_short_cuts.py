"""Cuts of subtours and short cycles: true of every cycle, and violated by unions of cycles."""

from __future__ import annotations

import random
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from marks import full, slow
from numpy.typing import NDArray

import ktsolve
from ktsolve.base.limits import Settings
from ktsolve.engines.sat.cuts import LazyCircuit
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.model.loop_forms import CycleForm

Arc = tuple[int, int]


def drawn(chance: random.Random, *, directed: bool) -> tuple[int, list[Arc]]:
    """A graph; every other one is of two colours."""
    coloured, share = chance.random() < 0.5, chance.uniform(0.5, 0.9) * (0.7 if directed else 1)
    n = 8 if coloured and not directed else chance.randrange(6, 8)
    pairs = permutations(range(n), 2) if directed else combinations(range(n), 2)
    arcs = [(u, v) for u, v in pairs if not (coloured and (u - v) % 2 == 0)]
    return n, [each for each in arcs if chance.random() < share]


def unions(n: int, arcs: list[Arc], *, directed: bool) -> list[tuple[set[Arc], int]]:
    """All sets of arcs that are disjoint cycles through all nodes, with the number of cycles."""
    given = set(arcs) if directed else {*arcs, *((v, u) for u, v in arcs)}
    found = {}
    for after in permutations(range(n)):
        if not all(pair in given for pair in enumerate(after)):
            continue
        used = {pair if directed else (min(pair), max(pair)) for pair in enumerate(after)}
        if len(used) < n:  # there and back
            continue
        seen: set[int] = set()
        cycles = 0
        for v in range(n):
            cycles += v not in seen
            while v not in seen:
                seen.add(v)
                v = after[v]
        found[frozenset(used)] = cycles
    return [(set(used), cycles) for used, cycles in found.items()]


def values(arcs: list[Arc], used: set[Arc]) -> NDArray[np.bool_]:
    return np.array([False, *(arc in used for arc in arcs)])


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("number", [10, full(60)])
def test_cuts_hold_for_cycles_and_exclude_what_they_are_made_of(directed: bool, number: int) -> None:
    chance, seen = random.Random(number), {1: 0, 2: 0}
    for _ in range(number):
        n, arcs = drawn(chance, directed=directed)
        covers = unions(n, arcs, directed=directed)
        form = CycleForm(
            n, np.array(arcs, dtype=np.int32).reshape(-1, 2), np.arange(1, len(arcs) + 1), directed, [0] * n
        )
        circuit = LazyCircuit(form)
        # Some arcs are required where a cover has them.
        fixed = np.zeros(len(arcs) + 1, dtype=np.int8)
        if covers and chance.random() < 0.5:
            for arc in chance.sample(sorted(chance.choice(covers)[0]), 2):
                fixed[arcs.index(arc) + 1] = 1
        needed = {arc for arc, value in zip(arcs, fixed[1:].tolist(), strict=True) if value}
        covers = [each for each in covers if needed <= each[0]]
        tours = [used for used, cycles in covers if cycles == 1]
        short = circuit.short_cuts(fixed)
        for used, cycles in covers:
            true = values(arcs, used)
            satisfied = [any(true[abs(each)] == (each > 0) for each in cut) for cut in short]
            assert all(satisfied) == (cycles == 1)
            violated = circuit.violated(true)
            seen[min(cycles, 2)] += 1
            assert bool(violated) == (cycles > 1)
            assert not any(true[each] for cut in violated for each in cut)
            for tour in tours if violated else ():
                assert all(any(arcs[each - 1] in tour for each in cut) for cut in violated)
    assert min(seen.values()) > number // 5


def test_a_graph_of_two_colours_has_a_cut_for_each_colour() -> None:
    ring = [(i, (i + 1) % 4) for i in range(4)]
    arcs = [*ring, *((u + 4, v + 4) for u, v in ring), *((v, v + 4) for v in range(4))]
    form = CycleForm(8, np.array(arcs, dtype=np.int32), np.arange(1, 13), False, [0] * 8)
    cuts = LazyCircuit(form).violated(values(arcs, set(arcs[:8])))
    assert sorted(cuts) == [[9, 11], [10, 12]]


@pytest.mark.parametrize("numbers", ["20,40,1", full("100,200"), slow("40,160")])
def test_formulas_as_graphs_have_cycles(numbers: str) -> None:
    found = ktsolve.find(named_graph(f"three-sat:{numbers}"), engine="sat", settings=Settings(timeout=240))
    assert found.tour is not None
    order = found.tour.places.tolist()
    edges = {frozenset(edge) for edge in found.tour.ground.edges.tolist()}
    assert sorted(order) == list(range(len(order)))
    assert all(frozenset(pair) in edges for pair in pairwise([*order, order[0]]))
