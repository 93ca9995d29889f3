"""Refutations by counting hold, and find pigeonholes of any size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ktsolve import Model, solve
from ktsolve.engines.sat.counts import counts_refute


@given(st.data())
def test_what_counting_refutes_has_no_solution(data: st.DataObject) -> None:
    model = Model()
    x = model.booleans(6)
    for _ in range(data.draw(st.integers(1, 6))):
        chosen = [each if data.draw(st.booleans()) else ~each for each in data.draw(st.permutations(list(x)))]
        members, number = chosen[: data.draw(st.integers(1, 4))], data.draw(st.integers(0, 3))
        row = data.draw(st.sampled_from(["clause", "least", "most", "sum"]))
        if row == "clause":
            model.clause(*members)
        elif row == "least":
            model.at_least(number, members)
        elif row == "most":
            model.at_most(number, members)
        else:
            model.add(sum(members) == number)
    if counts_refute(model):
        assert not solve(model, "cpsat").found


@pytest.mark.parametrize(("pigeons", "holes", "each"), [(4, 3, 1), (40, 39, 1), (21, 10, 2), (12, 12, 1)])
def test_pigeons(pigeons: int, holes: int, each: int) -> None:
    model = Model()
    sits = model.booleans((pigeons, holes))
    model.add(sits.any(axis=1), sits.sum(axis=0) <= each)
    assert counts_refute(model) is (pigeons > each * holes)
    assert solve(model, "sat").found is (pigeons <= each * holes)


def test_circuits_on_two_colours_are_refuted_by_a_flow() -> None:
    """Two sides of 20 and 21 nodes with all edges between them: no clause is short, and no cycle exists."""
    model = Model()
    edges = [(a, 20 + b) for a in range(20) for b in range(21)]
    used = model.booleans(len(edges))
    model.circuit(41, [(*edge, each) for edge, each in zip(edges, used, strict=True)])
    assert not solve(model, "sat").found
    even = Model()
    edges = [(a, 20 + b) for a in range(20) for b in range(20)]
    used = even.booleans(len(edges))
    even.circuit(40, [(*edge, each) for edge, each in zip(edges, used, strict=True)])
    even.add(~used[0])
    assert solve(even, "sat").found
