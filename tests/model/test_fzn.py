"""FlatZinc: each built-in constraint has the solutions that its meaning in plain Python has."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from ktsolve.model.io.fzn import read_fzn
from ktsolve.tasks.solve import solutions

DOMAINS = {"x": range(-2, 4), "y": range(-1, 3), "b": (False, True), "c": (False, True)}

DECLARED = (
    "var -2..3: x:: output_var; var -1..2: y:: output_var; var bool: b:: output_var; "
    "var bool: c:: output_var; array [1..2] of int: w = [2, -1]; array [1..3] of var int: l = [y, 3, x];"
)


def towards_zero(one: int, other: int) -> int:
    return abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)


MEANINGS: dict[str, Callable[..., Any]] = {
    "int_eq(x, y)": lambda x, y, b, c: x == y,
    "int_ne(x, 1)": lambda x, y, b, c: x != 1,
    "int_le(x, y)": lambda x, y, b, c: x <= y,
    "int_lt_reif(x, y, b)": lambda x, y, b, c: (x < y) == b,
    "int_le_imp(x, y, b)": lambda x, y, b, c: x <= y or not b,
    "int_ne_reif(x, y, true)": lambda x, y, b, c: x != y,
    "int_eq_reif(x, y, false)": lambda x, y, b, c: x != y,
    "int_lin_eq(w, [x, y], 3)": lambda x, y, b, c: 2 * x - y == 3,
    "int_lin_le_reif(w, [x, y], 1, b)": lambda x, y, b, c: (2 * x - y <= 1) == b,
    "int_lin_ne_imp(w, [x, y], 1, b)": lambda x, y, b, c: 2 * x - y != 1 or not b,
    "bool_lin_eq(w, [b, c], x)": lambda x, y, b, c: 2 * b - c == x,
    "int_plus(x, y, 2)": lambda x, y, b, c: x + y == 2,
    "int_minus(x, 2, y)": lambda x, y, b, c: x - 2 == y,
    "int_times(x, y, 2)": lambda x, y, b, c: x * y == 2,
    "int_div(x, y, -1)": lambda x, y, b, c: y != 0 and towards_zero(x, y) == -1,
    "int_mod(x, y, 1)": lambda x, y, b, c: y != 0 and x - y * towards_zero(x, y) == 1,
    "int_pow(x, y, 0)": lambda x, y, b, c: (x or y >= 0) and int(float(x) ** y) == 0,
    "int_pow(x, 3, 8)": lambda x, y, b, c: x == 2,
    "int_abs(x, y)": lambda x, y, b, c: abs(x) == y,
    "int_max(x, y, 2)": lambda x, y, b, c: max(x, y) == 2,
    "int_min(x, 1, y)": lambda x, y, b, c: min(x, 1) == y,
    "array_int_maximum(2, [x, y, 1])": lambda x, y, b, c: max(x, y, 1) == 2,
    "array_int_minimum(y, [x, 1])": lambda x, y, b, c: min(x, 1) == y,
    "array_int_element(x, [4, 1, 2], y)": lambda x, y, b, c: 1 <= x <= 3 and [4, 1, 2][x - 1] == y,
    "array_var_int_element(x, l, y)": lambda x, y, b, c: 1 <= x <= 3 and [y, 3, x][x - 1] == y,
    "array_var_bool_element(y, [c, true], b)": lambda x, y, b, c: 1 <= y <= 2 and (c, True)[y - 1] == b,
    "bool2int(b, x)": lambda x, y, b, c: b == x,
    "bool_not(b, c)": lambda x, y, b, c: b != c,
    "bool_eq_reif(b, true, c)": lambda x, y, b, c: b == c,
    "bool_le(b, c)": lambda x, y, b, c: b <= c,
    "bool_lt_reif(b, c, true)": lambda x, y, b, c: b < c,
    "bool_and(b, c, true)": lambda x, y, b, c: b and c,
    "bool_or(b, true, c)": lambda x, y, b, c: c,
    "bool_xor(b, c, true)": lambda x, y, b, c: b != c,
    "bool_xor(b, c)": lambda x, y, b, c: b != c,
    "array_bool_and([b, c], false)": lambda x, y, b, c: not (b and c),
    "array_bool_or([], b)": lambda x, y, b, c: not b,
    "array_bool_xor([b, c, true])": lambda x, y, b, c: b == c,
    "bool_clause([b], [c])": lambda x, y, b, c: b or not c,
    "bool_clause_reif([b], [c], false)": lambda x, y, b, c: not b and c,
    "set_in(x, {-1, 2, 9})": lambda x, y, b, c: x in (-1, 2),
    "set_in_reif(x, 0..9, b)": lambda x, y, b, c: (x >= 0) == b,
    "fzn_all_different_int(l)": lambda x, y, b, c: len({y, 3, x}) == 3,
    "fzn_table_int([x, y], [1, 2, -1, 0])": lambda x, y, b, c: (x, y) in ((1, 2), (-1, 0)),
    "fzn_increasing_int(l)": lambda x, y, b, c: y <= 3 <= x,
    "fzn_regular([x, y], 2, 2, [1, 2, 0, 1], 1, {2})": lambda x, y, b, c: (x, y) == (1, 2),
    "fzn_global_cardinality([x, y], [2, 0], [1, x])": lambda x, y, b, c: (
        [x, y].count(2) == 1 and [x, y].count(0) == x
    ),
    "fzn_value_precede_int(2, 1, [x, y])": lambda x, y, b, c: x != 1 and (y != 1 or x == 2),
    "fzn_disjunctive([x, 0], [2, y])": lambda x, y, b, c: y == 0 or (y > 0 and (x >= y or x <= -2)),
    "fzn_cumulative([x, 0], [1, 1], [y, 1], 2)": lambda x, y, b, c: y >= 0 and (x != 0 or y <= 1),
    "ktsolve_circuit(0, [1, x, y])": lambda x, y, b, c: (x, y) == (2, 0),
    "ktsolve_subcircuit(0, [x, y])": lambda x, y, b, c: (x, y) in ((0, 1), (1, 0)),
    "ktsolve_inverse(1, [x, y], 1, [2, 1])": lambda x, y, b, c: (x, y) == (2, 1),
    "ktsolve_lex_less(true, [x, y], [0, 0])": lambda x, y, b, c: (x, y) < (0, 0),
}


@pytest.mark.parametrize("stated", MEANINGS)
def test_constraints_have_their_meaning(stated: str) -> None:
    read = read_fzn(f"{DECLARED} constraint {stated}; solve satisfy;")
    meaning = MEANINGS[stated]
    expected = {values for values in product(*DOMAINS.values()) if meaning(*values)}
    for engine in ("sat", "cpsat"):
        found = [
            tuple(output.values.value(each.assignment) for output in read.outputs)
            for each in solutions(read.model, engine)
        ]
        assert len(found) == len(expected), engine
        assert set(found) == expected, engine
