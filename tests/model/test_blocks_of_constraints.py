"""Blocks of clauses and cardinality constraints, given as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints import Cardinalities, Literal
from ktsolve.model.constraints.basic import as_rows
from ktsolve.model.encode import encode
from ktsolve.model.model import Model
from ktsolve.tasks.solve import solve

CLAUSES = [[1, -2], [3], [], [-1, 2, -3]]


@pytest.mark.parametrize(
    "rows",
    [
        CLAUSES,
        np.array([[1, -2, 0], [0, 3, 0], [0, 0, 0], [-1, 2, -3]]),
        np.array([1, -2, 0, 3, 0, 0, -1, 2, -3, 0], dtype=np.int8),
        (np.array([1, -2, 3, -1, 2, -3]), np.array([0, 2, 3, 3, 6])),
        [[Literal(abs(x) - 1, x > 0) for x in clause] for clause in CLAUSES],
        (tuple(clause) for clause in CLAUSES),
    ],
    ids=["lists", "matrix", "zeros", "offsets", "literals", "iterator"],
)
def test_all_forms_of_rows_are_the_same(rows: Any) -> None:
    numbers, offsets = as_rows(rows)
    block = Cardinalities(numbers, offsets, 1, None)
    assert list(block.lists()) == CLAUSES
    assert len(block) == 4
    assert block.booleans().tolist() == [0, 1, 2]
    assert list(block.literals())[:2] == [Literal(0), ~Literal(1)]


def test_an_object_array_of_literals_is_a_matrix() -> None:
    square = np.empty((2, 2), dtype=object)
    for i in range(4):
        square[i // 2, i % 2] = Literal(i, i != 3)
    assert [array.tolist() for array in as_rows(square.T)] == [[1, 3, 2, -4], [0, 2, 4]]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[1, 0]], "0 is not a literal"),
        (np.array([1.5]), "array of float64 holds no literals"),
        (np.array([1, 2]), "must end each row in 0"),
        (np.array([[[1]]]), "array of 3 dimensions"),
        ((np.array([1, 2]), np.array([0, 1])), "must rise from 0 to 2"),
        ((np.array([1, 2]), np.array([0, 2, 1, 2])), "must rise from 0 to 2"),
        ((np.array([1, 0]), np.array([0, 2])), "0 is not a literal"),
        ([["a"]], "'a' is not a literal"),
        ([[True]], "True is not a literal"),
        ([1, 2], "not rows of literals"),
        (5, "5 is not rows of literals"),
        ([[1 << 40]], "1099511627776 is not a literal"),
        ([[1 << 80]], "is not a literal"),
    ],
    ids=str,
)
def test_what_is_no_rows_is_refused(rows: Any, message: str) -> None:
    model = Model()
    model.add_booleans(3)
    with pytest.raises(BadInput, match=message) as refused:
        model.add_clauses(rows)
    assert "\n" not in str(refused.value)
    assert not model.constraints


def test_literals_must_be_known() -> None:
    model = Model()
    model.add_booleans(3)
    with pytest.raises(BadInput, match="literal of number 4, but the model has 3 Booleans"):
        model.add_clauses(np.array([[1, -4]]))
    model.boolean("x5")
    with pytest.raises(BadInput, match="already has a Boolean named 'x5'"):
        model.add_booleans(1)
    with pytest.raises(BadInput, match="bounds are whole numbers"):
        model.add_cardinalities([[1, 2]], least=0.5)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="at least 3 and at most 2"):
        model.add_cardinalities([[1, 2]], least=3, most=2)
    with pytest.raises(BadInput, match="-1 Booleans"):
        model.add_booleans(-1)


@pytest.mark.parametrize("engine", ["sat", "cpsat"])
def test_latin_square_by_arrays(engine: str) -> None:
    n = 4
    model = Model()
    cube = model.add_booleans(n**3, "v").reshape(n, n, n)
    for axes in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        model.add_cardinalities(cube.transpose(axes).reshape(-1, n), least=1, most=1)
    model.add_clauses(cube[0, np.arange(n), np.arange(n)].reshape(-1, 1))
    assignment = solve(model, engine).assignment
    assert assignment is not None
    square = np.array(assignment).reshape(n, n, n).argmax(axis=2)
    assert all(sorted(line) == list(range(n)) for line in [*square.tolist(), *square.T.tolist()])
    assert square[0].tolist() == list(range(n))
    assert len(encode(model).clauses) == 3 * 16 * 7 + 4
