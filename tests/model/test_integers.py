"""Integers, expressions, conditions and constraints on lists: meaning on both engines, text and errors."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from math import factorial
from typing import Any

import numpy as np
import pytest
from integer_models import assignments, random_model
from marks import full
from pysat.solvers import Solver as PySat

import ktsolve
from ktsolve.base.errors import BadInput, Refused
from ktsolve.base.limits import Settings
from ktsolve.engines.auto import model_solver
from ktsolve.model.constraints import (
    AllDifferent,
    Cardinality,
    Clause,
    Implication,
    Inverse,
    LexLess,
    Linear,
    Literal,
    Table,
)
from ktsolve.model.encode import Encoder, encode
from ktsolve.model.model import Model

ENGINES = ("sat", "cpsat")
ONE_THREAD = Settings(threads=1)


def found(model: Model, engine: str) -> set[tuple[int, ...]]:
    """The solutions that an engine lists, each once."""
    listed = [tuple(each) for each in model_solver(engine, model).solutions(model, ONE_THREAD)]
    assert len(listed) == len(set(listed))
    return set(listed)


# -- meaning ----------------------------------------------------------------------------------------------


def check_random_model(seed: int, engines: tuple[str, ...] = ENGINES) -> int:
    model, meaning = random_model(seed)
    expected = set()
    for assignment in assignments(model):
        assert model.holds(assignment) is meaning(assignment), (seed, assignment, str(model))
        if model.holds(assignment):
            expected.add(assignment)
    for engine in engines:
        assert found(model, engine) == expected, (seed, engine, str(model))
    return len(expected)


@pytest.mark.parametrize("number", [30, full(120)])
def test_engines_find_what_plain_python_finds(number: int) -> None:
    numbers = [check_random_model(seed, ENGINES if seed % 3 == 0 else ("sat",)) for seed in range(number)]
    assert number // 3 < sum(map(bool, numbers)) < number


@pytest.mark.slow
def test_engines_find_what_plain_python_finds_in_many_models() -> None:
    for seed in range(120, 3000):
        check_random_model(seed)


def test_clauses_have_as_many_solutions_as_the_model() -> None:
    """Auxiliary variables are functions of the model's variables, so that exported counts are right."""
    for seed in range(60):
        model, _ = random_model(seed)
        encoder = encode(model)
        expected = sum(map(model.holds, assignments(model)))
        with PySat("glucose4", bootstrap_with=[clause for clause in encoder.clauses if clause]) as solver:
            refuted = any(not clause for clause in encoder.clauses)
            solver.append_formula([[v, -v] for v in range(1, encoder.variables + 1)])
            assert (0 if refuted else sum(1 for _ in solver.enum_models())) == expected, seed


CONDITIONAL: dict[str, Callable[[list[Any], list[Any]], Any]] = {
    "comparison": lambda _, x: x[0] + 2 * x[1] <= x[2] + 3,
    "unequal": lambda _, x: x[0] + x[1] != x[2],
    "equal": lambda _, x: x[0] + x[1] == x[2],
    "or": lambda b, x: (x[0] <= 1) | (b[0] & (x[1] == 2)),
    "and": lambda b, x: (x[0] <= 1) & (b[0] ^ (x[1] == 2)),
    "literal": lambda b, _: ~b[0],
    "clause": lambda b, _: Clause((b[0], ~b[1])),
    "implication": lambda b, _: Implication((b[0],), ~b[1]),
    "cardinality": lambda b, _: Cardinality((b[0], b[1], ~b[0]), 2, 2),
    "linear": lambda b, _: Linear(((3, b[0]), (-2, b[1])), -2, 2),
    "all different": lambda _, x: AllDifferent(x),
    "table": lambda _, x: Table(x[:2], [(0, 1), (2, 2), (3, 0)]),
    "forbidden": lambda _, x: Table(x[:2], [(0, 1), (2, 2), (3, 0)], allowed=False),
    "inverse": lambda _, x: Inverse(x[:2], x[:2]),
    "lex": lambda _, x: LexLess(x[:2], x[1:]),
    "lex or equal": lambda _, x: LexLess(x[:2], x[1:], strict=False),
}


@pytest.mark.parametrize("name", CONDITIONAL)
def test_conditional_constraints_hold_where_the_condition_does(name: str) -> None:
    """Both ways: with the condition true the solutions are those of the constraint, else all."""
    plain = Model()
    constraint = CONDITIONAL[name](list(plain.booleans(2)), list(plain.integers(3, 0, 2)))
    plain.add(constraint)
    model = Model()
    b, x = list(model.booleans(2)), list(model.integers(3, 0, 2))
    condition = model.boolean("condition")
    with model.when(condition):
        model.add(CONDITIONAL[name](b, x))
    everything = assignments(plain)
    solutions = {each for each in everything if plain.holds(each)}
    assert 0 < len(solutions) < len(everything)
    expected = {(*each, True) for each in solutions} | {(*each, False) for each in everything}
    for engine in ENGINES:
        assert found(model, engine) == expected


def test_reified_comparisons_are_equal_to_their_literal() -> None:
    model = Model()
    b, x, y = model.boolean("b"), model.integer("x", 0, 4), model.integer("y", 0, 4)
    model.add(b == (x + y <= 3))
    expected = {(x + y <= 3, x, y) for x in range(5) for y in range(5)}
    for engine in ENGINES:
        assert found(model, engine) == expected


def count(model: Model) -> int:
    """The number of solutions, which both engines find."""
    first, second = (found(model, engine) for engine in ENGINES)
    assert first == second
    return len(first)


def test_known_numbers() -> None:
    permutations = Model()
    permutations.all_different(permutations.integers(4, -1, 2))
    assert count(permutations) == factorial(4)

    inverse = Model()
    inverse.inverse(inverse.integers(4, 0, 3, "f"), inverse.integers(4, -2, 9, "g"))
    assert count(inverse) == factorial(4)

    ordered = Model()
    x = ordered.integers((2, 2), 0, 2)
    ordered.lex_less(x[0], x[1])
    assert count(ordered) == 9 * 8 // 2

    squares = Model("magic squares of order 3")
    x = squares.integers((3, 3), 1, 9)
    squares.all_different(x)
    squares.add(x.sum(axis=0) == 15, x.sum(axis=1) == 15, np.trace(x) == 15, np.trace(x[::-1]) == 15)
    assert count(squares) == 8

    queens = Model()
    x = queens.integers(6, 0, 5)
    for shift in (0, np.arange(6), -np.arange(6)):
        queens.all_different(x + shift)
    assert count(queens) == 4


def test_large_sums_and_sums_of_literals_agree_with_brute_force() -> None:
    """Binary adders, where an expression has too many values for the order encoding."""
    model = Model()
    b = model.booleans(9)
    weights = [3**i + 7 for i in range(9)]
    total = (b * weights).sum() + 5 * model.count(b, 1)
    model.add(total >= 4000, total != 6581)
    values = {a: sum(w + 5 for w, v in zip(weights, a, strict=True) if v) for a in assignments(model)}
    assert found(model, "sat") == {a for a, value in values.items() if value >= 4000 and value != 6581}


@pytest.mark.parametrize("limits", [["_MOST_DIRECT"], ["_MOST_DIRECT", "_MOST_MERGED"]], ids=len)
def test_sums_of_two_and_adders_for_small_sums_too(
    limits: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in limits:
        monkeypatch.setattr(f"ktsolve.model.order.{limit}", 0)
    for seed in range(60):
        check_random_model(seed, ("sat",))
    model = Model()
    x = model.integers(4, 0, 3)
    model.add(x @ [1, 2, -1, 3] <= 5, x.sum() >= 4, x @ [3, -1, 2, 1] != 7)
    assert found(model, "sat") == {each for each in assignments(model) if model.holds(each)}


# -- objectives -------------------------------------------------------------------------------------------


def test_objectives_are_expressions() -> None:
    model = Model()
    x, y = model.integers(2, 0, 9)
    model.add(3 * x + 2 * y <= 17)
    model.maximise(2 * x + 3 * y - abs(x - y) + 1)
    solved = model_solver("cpsat", model).solve(model, ONE_THREAD)
    best = max(2 * x + 3 * y - abs(x - y) + 1 for x in range(10) for y in range(10) if 3 * x + 2 * y <= 17)
    assert solved.assignment is not None
    assert (solved.value, solved.bound) == (best, best)
    weights, constant = Encoder(model).weights(model.objective.total)  # type: ignore[union-attr]
    assert constant + sum(max(0, weight) for weight, _ in weights) >= best


# -- values -----------------------------------------------------------------------------------------------


def test_values_out_of_the_domain_break_a_bound() -> None:
    model = Model()
    model.integer("x", 2, 5)
    assert [model.holds([value]) for value in (1, 2, 5, 6)] == [False, True, True, False]
    broken = model.broken([6])
    assert broken is not None
    assert broken.text(model.name_of) == "x <= 5"


def test_variables_as_keys() -> None:
    model = Model()
    x, y = model.integer("x", 0, 3), model.integer("y", 0, 3)
    a = model.boolean("a")
    keys = {x: 1, y: 2, a: 3, x <= 3: 4}
    assert (keys[x], keys[model["y"]], keys[a], keys[x <= 3]) == (1, 2, 3, 4)
    assert x in [y, x]
    assert model["x"] is x


def test_models_with_integers_are_pickled() -> None:
    model, _ = random_model(7)
    again = pickle.loads(pickle.dumps(model))
    assert str(again) == str(model)
    assert found(again, "sat") == found(model, "sat")
    again.add(again.variable(0) + 0 >= 0)


def test_shown_variables_tell_solutions_apart() -> None:
    model = Model()
    x, y = model.integers(2, 0, 3)
    model.add(x + y <= 3)
    model.show([x])
    for engine in ENGINES:
        assert sorted(each[0] for each in found(model, engine)) == [0, 1, 2, 3]


# -- text -------------------------------------------------------------------------------------------------


def test_text_of_expressions_and_constraints() -> None:
    model = Model("all")
    a, b = model.booleans(["a", "b"])
    x, y, z = (model.integer(name, 0, 9) for name in "xyz")
    model.add(x + 2 * y <= z, -x == 3 - y, 3 * a - b != x, a == (x < 4), (x > y) | (a & (z >= 1)), ~(x <= 3))
    model.add(abs(x - y) >= model.max(x, 3) - model.min([y, z]), model.element([4, x, y + 1], z - z) == 1)
    model.add(b * (x + 1) == y, a * x <= 2, a ^ b)
    model.when(a, x == 1)
    model.when((x == 1) & b, a)
    model.exactly(2, [x == 1, y == 1, z == 1])
    model.at_most_one([x == 1, b])
    model.implies([a, x == 2], y == 3)
    model.clause(x == 1, a)
    model.table([x, y], [(1, 2), (2, 3)])
    model.table([x, y], forbidden=[(1, 2)])
    model.inverse([x], [y])
    model.lex_less([x, y], [y, z])
    model.lex_less([x], [z], strict=False)
    model.all_different([x, y, 3])
    model.minimise(x + y)
    assert str(model).splitlines() == [
        "model all: 2 Booleans, 3 integers, 23 constraints",
        "  minimise x + y",
        "  0 <= x, y, z <= 9",
        "  x + 2*y <= z",
        "  -x = -y + 3",
        "  3*a - b != x",
        "  (x < 4) = a",
        "  x > y or (a and z >= 1)",
        "  x > 3",
        "  abs(x - y) >= max(x, 3) - min(y, z)",
        "  [4, x, y + 1][z - z] = 1",
        "  b*(x + 1) = y",
        "  a*x <= 2",
        "  a != b",
        "  when a: x = 1",
        "  when x = 1 and b: a",
        "  (x = 1) + (y = 1) + (z = 1) = 2",
        "  (x = 1) + b <= 1",
        "  when a and x = 2: y = 3",
        "  x = 1 or a",
        "  (x, y) in {(1, 2), (2, 3)}",
        "  (x, y) not in {(1, 2)}",
        "  (x) inverse of (y)",
        "  (x, y) < (y, z) lexicographically",
        "  (x) <= (z) lexicographically",
        "  all different: x, y, 3",
    ]


# -- arrays -----------------------------------------------------------------------------------------------


def test_arrays_read_as_in_numpy() -> None:
    model = Model()
    x, b = model.integers((2, 3), 0, 9), model.booleans((2, 2), "b")
    assert isinstance(x, np.ndarray)
    assert isinstance(b[0, 1], Literal)
    assert str(x[:, 1].sum()) == "x[0,1] + x[1,1]"
    assert [str(each) for each in x.sum(axis=1) <= 4] == [
        "x[0,0] + x[0,1] + x[0,2] <= 4",
        "x[1,0] + x[1,1] + x[1,2] <= 4",
    ]
    assert str(np.array([1, 2, 3]) @ x[0]) == "x[0,0] + 2*x[0,1] + 3*x[0,2]"
    assert str((x[0] == x[1]).all()) == "x[0,0] = x[1,0] and x[0,1] = x[1,1] and x[0,2] = x[1,2]"
    assert [str(each) for each in (x == 3).any(axis=1)] == [
        "x[0,0] = 3 or x[0,1] = 3 or x[0,2] = 3",
        "x[1,0] = 3 or x[1,1] = 3 or x[1,2] = 3",
    ]
    assert str(np.concatenate([x[0], x[1]])[3] < x[0, 0]) == "x[1,0] < x[0,0]"
    assert (b[0] == b[1]).shape == (2,)
    assert (x[0, 0] + x).shape == (x <= x[0, 0]).shape == (2, 3)
    assert (~b)[0, 0] == ~b[0, 0]
    assert np.array([b[0, 0], b[0, 1]]).shape == (2,)
    model.add(b[0] | b[1], x[0] != x[1])
    model.exactly(1, b)
    assert len(model.constraints) == 6


# -- errors -----------------------------------------------------------------------------------------------


def _endless() -> list[Any]:
    """A list that contains itself."""
    made: list[Any] = []
    made.append(made)
    return made


WRONG: dict[str, tuple[Callable[..., Any], str]] = {
    "chain": (lambda m, a, b, x, y: m.add(1 <= x <= 3), "no truth value in Python: give it to add()"),
    "and": (lambda m, a, b, x, y: m.add(x <= 3 and y <= 3), "join conditions with & | ~"),
    "in": (lambda m, a, b, x, y: 3 in [x, y], "the condition x = 3 has no truth value"),
    "if": (lambda m, a, b, x, y: bool(x), "the integer x has no truth value: compare it"),
    "sum": (lambda m, a, b, x, y: bool(x + y), "the sum x + y has no truth value"),
    "same": (lambda m, a, b, x, y: m.add(a == b), "same: use model.equal(a, b)"),
    "clause of a list": (lambda m, a, b, x, y: m.clause([a, b]), "write clause(*literals)"),
    "clause of a truth value": (lambda m, a, b, x, y: m.clause(a == b), "compared by equal(a, b)"),
    "clause of integers": (lambda m, a, b, x, y: m.clause(x), "Booleans and comparisons, not x"),
    "automaton": (lambda m, a, b, x, y: m.regular([x], [(0, 1, 0), (0, 1, 1)], 0, [1]), "state 0 has two"),
    "transition": (
        lambda m, a, b, x, y: m.regular([x], [(0, 1)], 0, [1]),
        "a transition is a state, a whole",
    ),
    "tasks": (lambda m, a, b, x, y: m.no_overlap([x, y], [1]), "an expression for each of 2 starts, not 1"),
    "precedence": (lambda m, a, b, x, y: m.precedence([x], [y]), "the values of a precedence are whole"),
    "xor": (lambda m, a, b, x, y: m.xor([x, a]), "xor takes Booleans and comparisons, not x"),
    "zero": (lambda m, a, b, x, y: m.quotient(x, y), "the divisor y has values 0 to 9: bound it away from 0"),
    "expression": (lambda m, a, b, x, y: m.add(x + y), "x + y is an expression: compare it"),
    "text": (lambda m, a, b, x, y: m.add("x <= 3"), "add() takes comparisons, literals and constraints"),
    "fraction": (lambda m, a, b, x, y: 0.5 * x, "whole numbers and expressions, not 0.5"),
    "equal to a fraction": (lambda m, a, b, x, y: x == 1.5, "not 1.5"),
    "name": (lambda m, a, b, x, y: x + "y", "+ takes whole numbers and expressions, not 'y'"),
    "none": (lambda m, a, b, x, y: x <= None, "<= takes whole numbers and expressions, not None"),
    "empty domain": (lambda m, a, b, x, y: m.integer("z", 3, 1), "'z' has no value from 3 to 1"),
    "bound": (lambda m, a, b, x, y: m.integer("z", 0, 1.5), "1.5, but must be a whole number"),
    "variable bound": (lambda m, a, b, x, y: m.integer("z", 0, x), "is x, but must be a whole number"),
    "twice": (lambda m, a, b, x, y: m.integer("a", 0, 1), "already has a Boolean named 'a'"),
    "name of a name": (lambda m, a, b, x, y: m.boolean(3), "the name of a variable is a text, not 3"),
    "shapes": (lambda m, a, b, x, y: m.integers(3, 0, 9) <= m.integers(2, 0, 9, "y"), "give equal shapes"),
    "cycle": (lambda m, a, b, x, y: m.add(_endless()), "a list of constraints contains itself"),
    "shape": (lambda m, a, b, x, y: m.integers((2, -1), 0, 1), "the shape (2, -1) is invalid"),
    "index": (lambda m, a, b, x, y: m.element([1, 2], x), "bound the index by 0 and 1"),
    "number": (lambda m, a, b, x, y: m.exactly("2", [a, b]), "a whole number, not '2'"),
    "one literal": (lambda m, a, b, x, y: m.exactly(1, a), "takes a list of literals"),
    "one integer": (lambda m, a, b, x, y: m.all_different(x), "takes a list of expressions, not x"),
    "rows": (lambda m, a, b, x, y: m.table([x, y], [(1, 2, 3)]), "give 2 whole numbers"),
    "tables": (lambda m, a, b, x, y: m.table([x, y]), "give one of the two"),
    "lists": (lambda m, a, b, x, y: m.inverse([x], [x, y]), "not 1 and 2"),
    "lexicographic": (lambda m, a, b, x, y: m.lex_less([x], [x, y]), "not 1 and 2"),
    "nothing": (lambda m, a, b, x, y: m.max([]), "the max of nothing is undefined"),
    "when": (lambda m, a, b, x, y: m.when(x, a), "when takes a Boolean or a comparison, not x"),
    "brackets": (lambda m, a, b, x, y: a & x, "put brackets around both sides"),
    "weights": (
        lambda m, a, b, x, y: m.linear({x: 2}, least=1),
        "weights of literals, not of x: write a sum",
    ),
    "foreign": (lambda m, a, b, x, y: Model().add(x <= 2), "'x', which is not of this model"),
    "integer as Boolean": (lambda m, a, b, x, y: m.clause(Literal(2)), "but it is an integer"),
    "objective": (lambda m, a, b, x, y: m.minimise("x"), "an objective is an expression"),
    "premise": (lambda m, a, b, x, y: m.implies(x, a), "an implication takes Booleans and comparisons"),
    "conclusion": (lambda m, a, b, x, y: m.implies(a, x), "an implication takes Booleans and comparisons"),
    "equal integers": (lambda m, a, b, x, y: m.equal(x, y), "compare integers"),
    "arc": (lambda m, a, b, x, y: m.circuit(3, [(0, 1, x)]), "a circuit takes Booleans, not x"),
    "one row": (lambda m, a, b, x, y: m.table([x, y], 3), "the rows of a table are a list of lists, not 3"),
    "power": (lambda m, a, b, x, y: x**y, "(x) ** y: the exponent must be a whole number from 0"),
    "quotient": (lambda m, a, b, x, y: x // 2, "expressions have no operator"),
    "remainder": (lambda m, a, b, x, y: (x + y) % 2, "expressions have no operator"),
    "shown": (lambda m, a, b, x, y: m.show(x), "show takes a list of variables, not x"),
    "no mapping": (lambda m, a, b, x, y: m.linear([a]), "linear takes {literal: weight}"),
    "suggestion": (lambda m, a, b, x, y: m.suggest({x: 99}), "99 is not a value of x: give a whole number"),
    "negated": (lambda m, a, b, x, y: ~x, "only Booleans and comparisons have a negation"),
}


@pytest.mark.parametrize("case", WRONG)
def test_mistakes_are_refused_in_one_line(case: str) -> None:
    model = Model()
    a, b = model.booleans(["a", "b"])
    x, y = model.integer("x", 0, 9), model.integer("y", 0, 9)
    mistake, message = WRONG[case]
    with pytest.raises(BadInput, match=re.escape(message)) as caught:
        mistake(model, a, b, x, y)
    assert "\n" not in str(caught.value)
    assert model.constraints == []


def test_large_domains_go_to_cpsat() -> None:
    model = Model()
    x, y = model.integers(2, 0, 10**9)
    model.add(x + 3 * y == 3 * 10**9 + 7)
    refusal = r"1,000,000 values together, and x\[0\] has 1,000,000,001: use closer bounds, or cpsat"
    with pytest.raises(Refused, match=refusal):
        model_solver("sat", model).solve(model, ONE_THREAD)
    chosen = model_solver("auto", model)
    solved = chosen.solve(model, ONE_THREAD)
    assert chosen.name == "cpsat"
    assert solved.assignment is not None
    assert model.holds(solved.assignment)


@pytest.mark.parametrize(
    "state",
    [
        lambda m: m.add(m.integers(3, 0, 2**61).sum() >= 2**62),
        lambda m: m.maximise(m.integers(3, 0, 2**61).sum()),
        lambda m: m.add(m.integer("x", 0, 2**70) >= 2**69),
        lambda m: m.add(m.integer("x", 0, 2**40) * m.integer("y", 0, 2**40) == 2**50),
    ],
)
def test_sums_beyond_64_bits_are_refused_with_what_would_be_right(state: Callable[[Model], Any]) -> None:
    model = Model()
    state(model)
    with pytest.raises(Refused, match=r"^engine sat .*: use closer bounds, or cpsat for .* at most 62 bits$"):
        ktsolve.solve(model)
    with pytest.raises(BadInput, match=r"^engine cpsat .* of (at most|more than) 62 bits"):
        ktsolve.solve(model, "cpsat")


def test_a_refused_premise_ends_with_its_context() -> None:
    model = Model()
    a, x = model.boolean("a"), model.integer("x", 0, 3)
    with pytest.raises(BadInput), model.when(a):
        model.add(x)
    model.add(x <= 2)
    assert [constraint.kind for constraint in model.constraints] == ["comparison"]
