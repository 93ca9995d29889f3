"""ktsolve as a solver of CPMpy: every kind of constraint by CPMpy's own values, and what solvers must do."""

from __future__ import annotations

import operator
from itertools import combinations, product
from typing import Any

import pytest
from marks import quick

cp = pytest.importorskip("cpmpy")

from cpmpy.exceptions import NotSupportedError  # noqa: E402
from cpmpy.expressions import globalconstraints, globalfunctions  # noqa: E402
from cpmpy.expressions.core import Expression  # noqa: E402
from cpmpy.expressions.utils import argval  # noqa: E402
from cpmpy.solvers.solver_interface import ExitStatus  # noqa: E402

import ktsolve.cpmpy  # noqa: E402
from ktsolve.base.errors import Refused  # noqa: E402

ktsolve.cpmpy.register()

X = cp.intvar(-1, 2, shape=3, name="x")
B = cp.boolvar(shape=2, name="b")
VARIABLES = [*X, *B]

NUMBERS: dict[str, Any] = {
    "constant": lambda: 2,
    "variable": lambda: X[0],
    "Boolean": lambda: B[0] + 0,
    "sum": lambda: X[0] + X[1] + B[1],
    "weighted sum": lambda: 3 * X[0] - 2 * X[1] + 1,
    "difference": lambda: X[0] - X[2],
    "negative": lambda: -X[1],
    "product": lambda: X[0] * X[1],
    "product with a Boolean": lambda: B[0] * X[2],
    "quotient": lambda: X[0] // X[1],
    "quotient by a number": lambda: X[0] // -2,
    "quotient of a number": lambda: 7 // X[2],
    "remainder": lambda: X[0] % X[1],
    "remainder by a sum": lambda: 5 % (X[1] + X[2]),
    "power": lambda: X[0] ** 3,
    "abs": lambda: abs(X[0] - 1),
    "min": lambda: cp.min(X),
    "max": lambda: cp.max([X[0], 1, X[2]]),
    "element": lambda: cp.Element([3, X[1], -1], X[0]),
    "element of numbers": lambda: cp.cpm_array([4, 2, 0])[X[2]],
    "nested element": lambda: cp.Element([2, 0, 1], X[0] + X[1]),
    "table element": lambda: cp.cpm_array([[1, 2], [3, 4]])[X[0], X[1]],
    "count": lambda: cp.Count(X, X[0]),
    "among": lambda: cp.Among(X, [0, 2]),
    "values": lambda: cp.NValue(X),
    "values except": lambda: cp.NValueExcept(X, 0),
}

CONDITIONS: dict[str, Any] = {
    "and": lambda: cp.all([B[0], X[0] > 0]),
    "or": lambda: cp.any([B[0], X[0] > 0, X[1] == 2]),
    "not": lambda: ~(B[0] & (X[1] != 0)),
    "implies": lambda: (X[0] > 0).implies(B[0] | (X[2] < 1)),
    "equal": lambda: B[0] == (X[0] <= X[1]),
    "different": lambda: B[0] != B[1],
    "Xor": lambda: cp.Xor([B[0], B[1], X[0] > 0]),
    "IfThenElse": lambda: cp.IfThenElse(B[0], X[0] > 0, X[1] < 0),
    "undefined under or": lambda: B[0] | (X[0] // X[1] == 1),
    "undefined under not": lambda: ~(cp.Element([1, 2], X[0]) == 2),
    "AllDifferent": lambda: cp.AllDifferent(X),
    "AllDifferentExceptN": lambda: cp.AllDifferentExceptN(X, 0),
    "AllDifferentExcept0": lambda: cp.AllDifferentExcept0(X),
    "AllEqual": lambda: cp.AllEqual(X),
    "AllEqualExceptN": lambda: cp.AllEqualExceptN(X, [1]),
    "Circuit": lambda: cp.Circuit(X),
    "Inverse": lambda: cp.Inverse(X, [X[1], X[2], X[0]]),
    "Table": lambda: cp.Table([X[0], X[1]], [[0, 1], [2, 2], [-1, 0]]),
    "NegativeTable": lambda: cp.NegativeTable([X[0], X[1]], [[0, 1], [2, 2]]),
    "ShortTable": lambda: cp.ShortTable(list(X), [[0, "*", 1], ["*", 2, "*"]]),
    "Regular": lambda: cp.Regular(
        list(X), [("a", 0, "a"), ("a", 1, "b"), ("b", 1, "b"), ("b", 2, "c")], "a", ["b", "c"]
    ),
    "MDD": lambda: cp.MDD([X[0], X[1]], [("r", 0, "u"), ("r", 1, "v"), ("u", 2, "t"), ("v", 0, "t")]),
    "InDomain": lambda: cp.InDomain(X[0], [-1, 1]),
    "Cumulative": lambda: cp.Cumulative(list(X), [2, 1, 1], None, [1, 2, 1], 2),
    "CumulativeOptional": lambda: cp.CumulativeOptional(list(X[:2]), [2, 1], None, [1, 2], 2, [B[0], B[1]]),
    "NoOverlap": lambda: cp.NoOverlap(list(X), [1, 1, 2]),
    "NoOverlapOptional": lambda: cp.NoOverlapOptional(list(X[:2]), [1, 2], None, [B[0], B[1]]),
    "Precedence": lambda: cp.Precedence(X, [2, 0]),
    "GlobalCardinalityCount": lambda: cp.GlobalCardinalityCount(X, [0, 1], [1, X[2]]),
    "Increasing": lambda: cp.Increasing(X),
    "Decreasing": lambda: cp.Decreasing(X),
    "IncreasingStrict": lambda: cp.IncreasingStrict(X),
    "DecreasingStrict": lambda: cp.DecreasingStrict(X),
    "LexLess": lambda: cp.LexLess(list(X[:2]), [X[2], 0]),
    "LexLessEq": lambda: cp.LexLessEq(list(X[:2]), [X[2], 0]),
    "LexChainLess": lambda: cp.LexChainLess([[X[0], X[1]], [X[1], X[2]]]),
    "LexChainLessEq": lambda: cp.LexChainLessEq([[X[0], X[1]], [X[1], X[2]]]),
    "Reservoir": lambda: globalconstraints.Reservoir(list(X), [1, -1, 1], 0, 2),
    "ReservoirOptional": lambda: globalconstraints.ReservoirOptional(
        list(X[:2]), [1, -1], 0, 2, [B[0], B[1]]
    ),
}
"""Conditions and global constraints; those that are named as a class of CPMpy are that class."""

NOT_HERE = {"GlobalConstraint", "DirectConstraint", "alldifferent", "allequal", "circuit"}

SIGNS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
         ">=": operator.ge}  # fmt: skip


def comparisons() -> list[tuple[str, Any]]:
    """Every number with every sign against another, alone, reified and under a condition."""
    made: list[tuple[str, Any]] = []
    for place, (name, number) in enumerate(NUMBERS.items()):
        for step, (sign, compare) in enumerate(SIGNS.items()):
            right = list(NUMBERS.values())[(place + step) % 4]
            made.append((f"{name} {sign}", lambda n=number, c=compare, r=right: c(n(), r())))
    return made


def stated() -> dict[str, Any]:
    """All constraints by name, and each under a condition, as a condition, and negated."""
    found: dict[str, Any] = {}
    for name, make in [*comparisons(), *CONDITIONS.items()]:
        if isinstance(make(), bool):
            continue
        found[name] = make
        found[f"b -> {name}"] = lambda m=make: B[1].implies(m())
        found[f"b == {name}"] = lambda m=make: B[1] == m()
        found[f"not {name}"] = lambda m=make: ~m()
    return found


STATED = stated()


def expected(constraint: Any) -> set[tuple[int, ...]]:
    """The values that satisfy a constraint, by CPMpy's own evaluation of each."""
    found = set()
    for values in product(*([range(-1, 3)] * 3), *([(False, True)] * 2)):
        for variable, value in zip(VARIABLES, values, strict=True):
            variable._value = value
        if argval(constraint):
            found.add(tuple(map(int, values)))
    return found


@pytest.mark.parametrize(
    ("name", "engine"),
    quick(
        [(name, ("sat", "cpsat")[number % 2]) for number, name in enumerate(STATED)],
        lambda case: sum(map(ord, case[0])) % 16 == 0,
        lambda number: number % 3 == 0,
    ),
)
def test_every_constraint_means_what_it_means_in_cpmpy(name: str, engine: str) -> None:
    constraint = STATED[name]()
    known = expected(constraint)
    found = set()
    model = cp.Model(constraint)
    model += [each >= each.lb for each in VARIABLES]
    number = model.solveAll(
        solver=f"ktsolve:{engine}", display=lambda: found.add(tuple(int(each.value()) for each in VARIABLES))
    )
    assert (found, number) == (known, len(known))
    assert ktsolve.cpmpy.count(model) == len(known)


def test_every_global_constraint_and_function_of_cpmpy_is_here() -> None:
    names = {
        name
        for name, each in vars(globalconstraints).items()
        if isinstance(each, type) and issubclass(each, globalconstraints.GlobalConstraint)
    }
    assert names - set(CONDITIONS) - NOT_HERE == set()
    functions = {
        each.name for make in NUMBERS.values() if isinstance(each := make(), globalfunctions.GlobalFunction)
    }
    assert {"mul", "div", "mod", "pow", "abs", "min", "max", "element", "count", "nvalue"} <= functions


def test_a_model_with_an_objective() -> None:
    x = cp.intvar(0, 9, shape=3)
    model = cp.Model(cp.AllDifferent(x), x[0] + x[1] <= x[2], maximize=x[0] + 2 * x[1])
    for name in ("ktsolve", "ktsolve:sat", "ktsolve:cpsat"):
        assert model.solve(solver=name)
        assert (model.objective_value(), model.status().exitstatus) == (17, ExitStatus.OPTIMAL)
        assert x.value()[0] + 2 * x.value()[1] == 17
    with pytest.raises(NotSupportedError, match="without an objective"):
        model.solveAll(solver="ktsolve")


def test_an_option_that_ktsolve_does_not_have_is_refused() -> None:
    model = cp.Model(X[0] > 0)
    assert model.solve(solver="ktsolve", seed=1, threads=1)
    for call in (model.solve, model.solveAll):
        with pytest.raises(NotSupportedError, match=r"^ktsolve has no option workers: use time_limit,"):
            call(solver="ktsolve", workers=3)


def test_a_solver_is_asked_again() -> None:
    a, b, c = cp.boolvar(shape=3)
    x = cp.intvar(0, 3)
    solver = cp.SolverLookup.get("ktsolve", cp.Model(a.implies(b), b.implies(~c)))
    assert solver.solve(assumptions=[a, ~c])
    assert (a.value(), b.value(), c.value()) == (True, True, False)
    assert not solver.solve(assumptions=[a, c])
    assert (a.value(), solver.status().exitstatus) == (None, ExitStatus.UNSATISFIABLE)
    assert {str(each) for each in solver.get_core()} == {str(a), str(c)}
    solver += x > 1
    solver.solution_hint([x], [3])
    solver.maximize(x)
    assert solver.solve()
    assert solver.objective_value() == 3
    solver.minimize(x)
    assert solver.solve()
    assert solver.objective_value() == 2


def test_what_is_refused_under_a_condition_leaves_no_condition() -> None:
    b, x, y = cp.boolvar(), cp.intvar(0, 999), cp.intvar(1, 999)
    solver = cp.SolverLookup.get("ktsolve")
    with pytest.raises(NotSupportedError, match="ktsolve has nothing for strange"):
        solver += b.implies(Expression("strange", (x, y)) == 2)
    solver += x == 5
    solver += ~b
    solver += x != 5
    assert not solver.solve()


def test_limits_and_what_cannot_be() -> None:
    x = cp.intvar(0, 9, shape=2)
    model = cp.Model(x[0] < x[1])
    assert model.solveAll(solver="ktsolve", solution_limit=5) == 5
    assert model.status().exitstatus == ExitStatus.FEASIBLE
    assert model.solveAll(solver="ktsolve") == 45
    assert model.status().exitstatus == ExitStatus.OPTIMAL
    model += x[1] == 0
    assert not model.solve(solver="ktsolve")
    assert x.value().tolist() == [None, None]
    assert model.solveAll(solver="ktsolve") == 0
    assert model.status().exitstatus == ExitStatus.UNSATISFIABLE
    # Pairs of 31 people: nobody is left only if their number is even.
    pairs = {pair: cp.boolvar() for pair in combinations(range(31), 2)}
    paired = cp.Model([cp.sum(x for pair, x in pairs.items() if one in pair) == 1 for one in range(31)])
    assert not paired.solve(solver="ktsolve:sat", time_limit=0.2)
    assert paired.status().exitstatus == ExitStatus.UNKNOWN
    with pytest.raises(ValueError, match="use sat, cpsat"):
        paired.solve(solver="ktsolve:gecode")
    with pytest.raises(NotSupportedError):
        cp.Model(cp.DirectConstraint("AddNoOverlap2D", ([],))).solve(solver="ktsolve")
    y = cp.intvar(0, 30_000, shape=2)
    wide = cp.Model(y[0] % (y[1] + 1) == 20_000, y[0] * y[1] >= 500_000_000)
    assert wide.solve(solver="ktsolve:cpsat")
    with pytest.raises(Refused, match="engine sat takes products and divisions of 1,000,000 pairs"):
        wide.solve(solver="ktsolve:sat")
    z = cp.intvar(-20_000, 20_000)
    for constraint, solutions in (
        (z // -7 == -5, 7),
        (z // 7 == 0, 13),
        (z % 1000 == -7, 20),
        (z % -3000 == 7, 7),
    ):
        assert cp.Model(constraint).solveAll(solver="ktsolve:cpsat") == solutions
