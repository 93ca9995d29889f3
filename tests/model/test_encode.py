"""Clauses have exactly the solutions of the model, whichever encodings are chosen."""

from __future__ import annotations

import random
from itertools import combinations
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ktsolve.models.tour import TourModel
from random_models import PLAIN, Clauses, Parity, assignments, constraints, empty_model, models, solutions
from strategies import examples

from ktsolve.base.errors import BadInput
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour
from ktsolve.model.constraints import Cardinality, Linear, Literal, Path
from ktsolve.model.encode import CARDINALITIES, EAGER, Encoder, encode, number, numbers
from ktsolve.model.loop_forms import cycle_form
from ktsolve.model.model import Model
from ktsolve.problem.problem import TourProblem


@pytest.mark.parametrize("circuits", EAGER)
@examples(120)
@given(model=models(), cardinality=st.sampled_from(CARDINALITIES))
def test_clauses_have_exactly_the_solutions_of_the_model(
    circuits: str, model: Model, cardinality: str
) -> None:
    encoded = encode(model, circuits=circuits, cardinality=cardinality)
    assert encoded.variables >= len(model)
    assert all(1 <= abs(x) <= encoded.variables for clause in encoded.clauses for x in clause)
    with Clauses(encoded.clauses) as clauses:
        assert clauses.solutions(len(model)) == solutions(model)


@pytest.mark.parametrize("circuits", EAGER)
@examples(80)
@given(data=st.data())
def test_a_circuit_or_path_alone(circuits: str, data: st.DataObject) -> None:
    booleans = data.draw(st.integers(1, 10))
    model = empty_model(booleans)
    model.add(data.draw(constraints(data.draw(st.sampled_from(["circuit", "path"])), booleans)))
    with Clauses(encode(model, circuits=circuits).clauses) as clauses:
        assert clauses.solutions(booleans) == solutions(model)


# -- cardinalities ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("cardinality", CARDINALITIES)
@pytest.mark.parametrize(
    ("members", "least", "most"),
    [(12, 6, None), (12, None, 5), (12, 6, 6), (17, 3, 14), (17, 8, 9), (40, 20, None), (40, None, 2)],
)
def test_large_cardinalities_are_not_written_out(
    cardinality: str, members: int, least: int | None, most: int | None
) -> None:
    model = empty_model(members)
    signs = random.Random(members).choices([True, False], k=members)
    literals = tuple(Literal(i, sign) for i, sign in enumerate(signs))
    constraint = Cardinality(literals, least, most)
    model.add(constraint)
    encoded = encode(model, cardinality=cardinality)
    assert encoded.variables > members
    assert len(encoded.clauses) < 5000 < comb(members, members // 2) * 6
    chance = random.Random(repr(constraint))
    seen = set()
    with Clauses(encoded.clauses) as clauses:
        for total in {0, 1, members, *(x for b in (least, most) if b is not None for x in (b - 1, b, b + 1))}:
            for _ in range(4):
                chosen = set(chance.sample(range(members), total))
                assignment = [(i in chosen) == sign for i, sign in enumerate(signs)]
                assert sum(literal.holds(assignment) for literal in literals) == total
                assert clauses.allow(assignment) is constraint.holds(assignment)
                seen.add(constraint.holds(assignment))
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("members", "least", "most", "number_of_clauses"),
    [
        (3, 1, 1, 1 + 3),
        (5, 3, None, comb(5, 3)),
        (14, None, 1, comb(14, 2)),
        (500, 1, None, 1),
        (500, None, 499, 1),
        (30, 2, None, 30),
        (4, 0, 4, 0),
        (4, -1, 9, 0),
        (4, 5, None, 1),
        (4, None, -1, 1),
        (4, 4, None, 4),
        (4, None, 0, 4),
    ],
)
def test_small_cardinalities_are_written_out(
    members: int, least: int | None, most: int | None, number_of_clauses: int
) -> None:
    model = empty_model(members)
    model.add(Cardinality(tuple(Literal(i) for i in range(members)), least, most))
    encoded = encode(model)
    assert (encoded.variables, len(encoded.clauses)) == (members, number_of_clauses)


@examples(60)
@given(st.sampled_from(CARDINALITIES), st.data())
def test_cardinalities_of_repeated_and_opposite_literals(cardinality: str, data: st.DataObject) -> None:
    """Counted as often as they are given: ``a`` twice is two."""
    model = empty_model(5)
    members = tuple(
        data.draw(
            st.lists(
                st.builds(Literal, st.integers(0, 4), st.booleans()),
                min_size=10,
                max_size=14,
            )
        )
    )
    bound = st.integers(0, len(members))
    model.add(Cardinality(members, data.draw(bound), data.draw(bound)))
    with Clauses(encode(model, cardinality=cardinality).clauses) as clauses:
        assert clauses.solutions(5) == solutions(model)


# -- sums -------------------------------------------------------------------------------------------------


@examples(150)
@given(
    st.lists(
        st.tuples(st.integers(-1000, 1000), st.builds(Literal, st.integers(0, 6), st.booleans())),
        max_size=9,
    ),
    st.data(),
)
def test_the_adder(terms: list[tuple[int, Literal]], data: st.DataObject) -> None:
    """Bounds at sums that occur, next to them, and between; equal, from below, from above, both."""
    model = empty_model(7)
    values = sorted({Linear(tuple(terms), None, None).value(a) for a in assignments(7)})
    near = st.sampled_from(values).flatmap(lambda value: st.integers(value - 1, value + 1))
    low, high = data.draw(near), data.draw(near)
    least, most = data.draw(st.sampled_from([(low, low), (low, None), (None, high), (low, high)]))
    model.add(Linear(tuple(terms), least, most))
    with Clauses(encode(model).clauses) as clauses:
        assert clauses.solutions(7) == solutions(model)


@pytest.mark.full
def test_a_sum_of_a_hundred_terms() -> None:
    model = empty_model(100)
    weights = [random.Random(7).choice([-1, 1]) * (i + 1) for i in range(100)]
    total = Linear(tuple((w, Literal(i)) for i, w in enumerate(weights)), 40, 60)
    model.add(total)
    chance = random.Random(8)
    seen = {True: 0, False: 0}
    with Clauses(encode(model).clauses) as clauses:
        for _ in range(300):
            assignment = [chance.random() < 0.5 for _ in range(100)]
            for i in chance.sample(range(100), 100):  # walk towards the middle of the bounds
                better = assignment.copy()
                better[i] = not better[i]
                if abs(total.value(better) - 50) < abs(total.value(assignment) - 50):
                    assignment = better
                if chance.random() < 0.01:
                    break
            seen[total.holds(assignment)] += 1
            assert clauses.allow(assignment) is total.holds(assignment)
    assert min(seen.values()) > 20


# -- circuits and paths -----------------------------------------------------------------------------------


@pytest.mark.parametrize("circuits", EAGER)
@pytest.mark.parametrize("nodes", range(1, 7))
def test_complete_graphs(circuits: str, nodes: int) -> None:
    """``(n - 1)! / 2`` cycles and ``n! / 2`` paths."""
    cycles, paths = Model(), Model()
    edges = list(combinations(range(nodes), 2))
    for model in (cycles, paths):
        for u, v in edges:
            model.boolean(f"{u}-{v}")
    cycles.circuit(nodes, [(u, v, Literal(i)) for i, (u, v) in enumerate(edges)])
    paths.path(nodes, [(u, v, Literal(i)) for i, (u, v) in enumerate(edges)])
    for model, number_of_solutions in (
        (cycles, [0, 0, 1, 3, 12, 60][nodes - 1]),
        (paths, [1, 1, 3, 12, 60, 360][nodes - 1]),
    ):
        with Clauses(encode(model, circuits=circuits).clauses) as clauses:
            assert len(list(clauses.enumerate(len(model)))) == number_of_solutions


def test_a_path_is_a_circuit_through_the_outside() -> None:
    x, y, z = (Literal(i) for i in range(3))
    form = cycle_form(Path(2, ((0, 1, x),), (y, ~z), labels=("u", "v")), Encoder(empty_model(3)))
    assert (form.nodes, form.arcs, form.everywhere) == (3, [(0, 1, 1), (0, 2, 2), (1, 2, -3)], True)


KNIGHTS = [
    ("3x4", False, {}, 8),
    ("5x6", True, {}, 8),
    ("5x5", True, {"without": "c3"}, 0),
    ("3x3", True, {"without": "b2"}, 1),
]
"""Board, closed, holes, tours: OEIS A169696 and A175855 for the first two."""


@pytest.mark.parametrize("circuits", EAGER)
@pytest.mark.parametrize(("size", "closed", "holes", "expected"), KNIGHTS)
def test_the_known_number_of_tours(
    circuits: str, size: str, closed: bool, holes: dict[str, str], expected: int
) -> None:
    problem = TourProblem(board=Board.parse(size, **holes), closed=closed)
    found = listed(problem, circuits)
    assert len(found) == len({tour.normalised().indices for tour in found}) == expected


ALL_3X4 = TourProblem(board="3x4", closed=False)


@pytest.mark.parametrize("circuits", EAGER)
@pytest.mark.parametrize(
    "asked",
    [
        {"start": "a3"},
        {"start": "a3", "end": "a2"},
        {"require": ["a1-c2", "b1-d2"]},
        {"forbid": ["b1-c3"]},
        {"symmetry": "rot180"},
        {"at": {5: "d2"}},
        {"at": {1: "a3", 2: "c2"}},
        {"at": {3: "a1", 4: "b3"}},
    ],
    ids=str,
)
def test_conditions_pick_the_tours_that_keep_them(circuits: str, asked: dict[str, Any]) -> None:
    problem = TourProblem(board="3x4", closed=False, **asked)
    everything = [each for tour in walked_3x4() for each in (tour, tour.reversed())]
    expected = {tour.normalised().indices for tour in everything if problem.check(tour) is None}
    assert {tour.normalised().indices for tour in listed(problem, circuits)} == expected
    assert 0 < len(expected) < 8


def walked_3x4() -> list[Tour]:
    """All tours of 3x4, each in one direction, by plain trying."""
    board = ALL_3X4.board
    found, waiting = [], [[cell] for cell in board.cells]
    while waiting:
        walk = waiting.pop()
        if len(walk) == len(board) and walk[0] < walk[-1]:
            found.append(Tour(board, tuple(walk)))
        waiting.extend([*walk, cell] for cell in board.neighbours[walk[-1]] if cell not in walk)
    assert len(found) == 8
    return found


def listed(problem: TourProblem, circuits: str) -> list[Tour]:
    """The tours that the clauses of the problem's model allow, each checked."""
    compiled = TourModel(problem)
    shown = [literal.number + 1 for literal in compiled.model.shown]
    tours = []
    with Clauses(encode(compiled.model, circuits=circuits).clauses) as clauses:
        for assignment in clauses.enumerate(len(compiled.model), shown):
            assert compiled.model.holds(assignment)
            tours.append(compiled.decode(assignment))
            assert problem.check(tours[-1]) is None
    return tours


# -- refusals --------------------------------------------------------------------------------------------


def test_unknown_encodings_are_refused() -> None:
    model = empty_model(1)
    with pytest.raises(
        BadInput, match=r"cardinality encoding 'best' is unknown: use seqcounter, .*kmtotalizer"
    ):
        encode(model, cardinality="best")
    encode(model, circuits="best")  # there is no circuit to encode
    model.path(2, [(0, 1, Literal(0))])
    with pytest.raises(BadInput, match="circuit encoding 'best' is unknown: use one-hot, binary"):
        encode(model, circuits="best")


def test_constraints_without_an_encoding_are_named() -> None:
    model = empty_model(2)
    model.add(Parity((Literal(0), Literal(1))))
    with pytest.raises(BadInput, match="a parity has no plain encoding as clauses"):
        encode(model)


def test_numbering() -> None:
    x, y = Literal(0), Literal(41)
    assert (number(x), number(~y), numbers([~x, y])) == (1, -42, [-1, 42])
    encoder = Encoder(empty_model(3))
    assert (encoder.fresh(), encoder.true(), encoder.fresh(), encoder.true()) == (4, 5, 6, 5)
    assert encoder.clauses == [[5]]


@examples(40)
@given(models(PLAIN))
def test_plain_constraints_need_no_circuit_encoding(model: Model) -> None:
    by_name = [encode(model, circuits=name).clauses for name in EAGER]
    assert by_name[0] == by_name[1]
