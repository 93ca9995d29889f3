"""The eager encodings of circuits in the SAT engine: the tours of the lazy loop, as sets."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations
from math import gcd, prod

import pytest
from command import ktsolve
from hypothesis import given
from hypothesis import strategies as st
from marks import quick
from strategies import examples, refusal, small_problems

from ktsolve import Board, Settings, TourProblem, find
from ktsolve.engines.registry import engine_named
from ktsolve.engines.sat.lazy import LazySolver
from ktsolve.model.cycle_encodings import moduli
from ktsolve.model.encode import EAGER
from ktsolve.model.model import Model


def tours(problem: TourProblem, encoding: str) -> set[frozenset[object]]:
    found = list(engine_named("sat").enumerate(problem, Settings(encoding=encoding)))
    assert all(problem.check(tour) is None for tour in found)
    assert len({tour.moves for tour in found}) == len(found)
    return {tour.moves for tour in found}


BOARDS = [
    TourProblem(board="5x6", closed=True),
    TourProblem(board="3x10", closed=True),
    TourProblem(board="4x5", closed=False),
    TourProblem(board="3x8", closed=True),
    TourProblem(board="5x5", closed=False, start="a1", end="e5", forbid=["c3-d5"]),
    TourProblem(board="4x4", closed=False, at={3: "b3"}),
    TourProblem(board=Board.parse("4x4", without="a1 a4 d1 d4"), closed=True),
    TourProblem(board=Board.parse("4x5", leaper="0,1"), closed=True),
    TourProblem(board=Board.parse("3x5", wrap="x"), closed=True, require=["a1-b3"]),
]


@pytest.mark.parametrize("encoding", EAGER)
@pytest.mark.parametrize("problem", quick(BOARDS, BOARDS[::3].__contains__), ids=str)
def test_every_encoding_lists_the_tours_of_the_lazy_loop(problem: TourProblem, encoding: str) -> None:
    assert tours(problem, encoding) == tours(problem, "lazy")


@pytest.mark.parametrize("encoding", EAGER)
@examples(25)
@given(problem=small_problems())
def test_random_problems(encoding: str, problem: TourProblem) -> None:
    if len(problem.board) <= 12:
        assert tours(problem, encoding) == tours(problem, "lazy")


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    """Graphs of up to seven nodes that are dense enough to have cycles."""
    nodes = draw(st.integers(3, 7))
    pairs = list(combinations(range(nodes), 2))
    absent = draw(st.sets(st.sampled_from(pairs), max_size=len(pairs) // 2))
    return nodes, [pair for pair in pairs if pair not in absent]


@pytest.mark.parametrize("encoding", ["lazy", *EAGER])
@examples(60)
@given(graph=graphs())
def test_cycles_of_random_graphs(encoding: str, graph: tuple[int, list[tuple[int, int]]]) -> None:
    nodes, edges = graph
    known = set()
    for rest in permutations(range(1, nodes)):
        walk = (0, *rest, 0)
        steps = frozenset((min(s), max(s)) for s in pairwise(walk))
        if steps <= set(edges):
            known.add(steps)
    model = Model()
    arcs = [(u, v, model.boolean(f"{u}-{v}")) for u, v in edges]
    model.circuit(nodes, arcs)
    solver = LazySolver(model, "cadical195", encoding=encoding)
    try:
        found = [frozenset(e for e, used in zip(edges, s, strict=True) if used) for s in solver.solutions()]
    finally:
        solver.close()
    assert len(found) == len(set(found))
    assert set(found) == known
    assert encoding == "lazy" or solver.cuts == 0


@examples(30)
@given(st.integers(1, 200))
def test_moduli_have_the_least_sum(product: int) -> None:
    chosen = moduli(product)
    assert prod(chosen) >= product
    assert all(gcd(a, b) == 1 for a, b in combinations(chosen, 2))
    least = min(
        sum(some)
        for size in range(5)
        for some in combinations(range(2, 18), size)
        if prod(some) >= product and all(gcd(a, b) == 1 for a, b in combinations(some, 2))
    )
    assert sum(chosen) == least


@pytest.mark.parametrize("encoding", ["one-hot", "binary", "remainder", "elimination"])
def test_on_the_command_line(encoding: str) -> None:
    said = ktsolve("tour", "6x6", "--engine", "sat", "--encoding", encoding, "--seed", "2", "--json")
    assert said.status == 0
    assert said.json["status"] == "found"


def test_limits_and_names() -> None:
    problem = TourProblem(board="6x6", closed=True)
    assert find(problem, "sat", Settings(encoding="remainder", timeout=60)).tour is not None
    message = refusal(find, problem, "sat", Settings(encoding="best"))
    assert message == (
        "circuit encoding 'best' is unknown: use one-hot, binary, remainder, elimination, or lazy"
    )
    said = ktsolve("tour", "6x6", "--encoding", "binary")
    assert (said.status, said.complaint) == (2, "--encoding binary is for engine sat: add --engine sat")
    said = ktsolve("tour", "6x6", "--encoding", "best")
    assert (said.status, said.complaint) == (2, message)
