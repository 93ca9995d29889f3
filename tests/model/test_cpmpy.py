"""Models to CPMpy and from it: the same solutions both ways."""

from __future__ import annotations

from typing import Any

import pytest
from integer_models import assignments, random_model

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.engines.auto import model_solver
from ktsolve.model.model import Model

cp = pytest.importorskip("cpmpy")


def theirs(source: Any, names: list[str]) -> set[tuple[int, ...]]:
    """The solutions that CPMpy finds with OR-Tools."""
    from cpmpy.transformations.get_variables import get_variables_model

    by_name = {variable.name: variable for variable in get_variables_model(source)}
    found = set()

    def keep() -> None:
        found.add(tuple(int(by_name[name].value()) for name in names))

    source.solveAll(solver="ortools", display=keep)
    return found


def ours(model: Model, names: list[str], engine: str = "sat") -> set[tuple[int, ...]]:
    """The solutions that we find, each once."""
    numbers = [model[name].number for name in names]
    listed = [
        tuple(int(each[number]) for number in numbers)
        for each in model_solver(engine, model).solutions(model, Settings(threads=1))
    ]
    assert len(listed) == len(set(listed))
    return set(listed)


def expected(model: Model) -> set[tuple[int, ...]]:
    return {tuple(map(int, each)) for each in assignments(model) if model.holds(each)}


def check(seed: int, *, solve: bool) -> bool:
    model, _ = random_model(seed)
    there = model.to_cpmpy()
    if solve:
        assert theirs(there, model.names) == expected(model), (seed, str(model), str(there))
    back = Model.from_cpmpy(there)
    assert ours(back, model.names) == expected(model), (seed, str(model), str(there), str(back))
    return bool(expected(model))


def test_random_models_there_and_back() -> None:
    assert sum(check(seed, solve=seed % 4 == 0) for seed in range(24)) > 5


@pytest.mark.slow
def test_many_random_models_there_and_back() -> None:
    for seed in range(24, 600):
        check(seed, solve=True)


def variables() -> tuple[Any, Any]:
    return cp.intvar(-1, 3, shape=3, name="x"), cp.boolvar(shape=2, name="b")


def stated(kind: str) -> list[Any]:
    """Constraints of CPMpy over three integers and two Booleans."""
    x, b = variables()
    pair = [x[0], x[1]]
    listed: dict[str, list[Any]] = {
        "globals": [cp.AllDifferent(x), cp.Table(pair, [[1, 2], [2, 3], [0, 1]]), b[0] == (x[2] > 1), b[1]],
        "circuit": [cp.Circuit(x), b[0].implies(x[0] == 1), ~b[1]],
        "conditional": [b[0].implies(cp.AllDifferent(x)), b[1].implies(cp.Circuit(x)), x[0] + x[1] >= 2],
        "inverse": [cp.Inverse(x, [x[0], x[2], x[1]]), cp.LexLess(b, [1, 0])],
        "functions": [cp.max(x) - cp.min(x) == 2, abs(x[0] - x[1]) <= 1, cp.Count(x, 2) == 1, b[0] | ~b[1]],
        "element": [cp.Element([3, x[1], 0], x[0]) == 3, cp.Xor([b[0], b[1], x[2] > 1])],
        "element under or": [(cp.Element([3, 1], x[0]) != 3) | b[0], x[1] == 0, ~b[1], x[2] == x[0]],
        "products": [x[0] * x[1] == x[2], x[0] // 2 == 1, b[0] == (x[1] % 2 == 1), ~b[1]],
        "powers": [x[0] ** 2 == x[1] + 1, (x[2] // -2) == x[0], b[0].implies(b[1])],
        "decomposed": [cp.AllEqual([x[0], x[1]]), cp.IncreasingStrict([x[1], x[2]]), cp.NValue(b) == 1],
        "forbidden": [cp.NegativeTable(pair, [[a, c] for a in range(-1, 4) for c in range(3)]), ~b[0], b[1],
                      cp.LexLessEq(pair, [x[2], x[0]])],
        "nothing": [x[0] == 1, cp.BoolVal(True), x[1] == x[2], (b[0] == b[1]) & (x[1] != 2)],
        "never": [x[0] == 1, False, cp.sum(x) + cp.sum(b) > 0],
    }  # fmt: skip
    return listed[kind]


@pytest.mark.parametrize(
    "kind",
    ["globals", "circuit", "conditional", "inverse", "functions", "element", "element under or", "products",
     "powers", "decomposed", "forbidden", "nothing", "never"],
)  # fmt: skip
def test_constraints_of_cpmpy_are_read(kind: str) -> None:
    source = cp.Model(stated(kind))
    x, b = variables()
    source += [each >= each.lb for each in (*x, *b)]
    names = [each.name for each in (*x, *b)]
    assert ours(Model.from_cpmpy(source), names) == theirs(source, names)


@pytest.mark.parametrize("maximise", [True, False])
def test_objectives(maximise: bool) -> None:
    model = Model()
    x, b = model.integers(2, 0, 5), model.boolean("b")
    model.add(x[0] + 2 * x[1] <= 7, abs(x[0] - x[1]) <= 2)
    total = 3 * x[0] - 2 * x[1] + 2 * b + 1
    (model.maximise if maximise else model.minimise)(total)
    there = model.to_cpmpy()
    assert there.solve(solver="ortools")
    values = [total.value(each) for each in expected(model)]
    best = max(values) if maximise else min(values)
    assert there.objective_value() == best
    back = Model.from_cpmpy(there)
    assert model_solver("cpsat", back).solve(back, Settings(threads=1)).value == best


def test_circuits_go_both_ways() -> None:
    model = Model()
    edges = [(u, v) for u in range(4) for v in range(u + 1, 4)]
    model.circuit(4, [(u, v, model.boolean(f"{u}-{v}")) for u, v in edges])
    path = Model()
    path.path(3, [(u, v, path.boolean(f"{u}-{v}")) for u, v in edges if v < 3])
    directed = Model()
    arcs = [(u, v) for u in range(3) for v in range(3) if u != v]
    directed.circuit(3, [(u, v, directed.boolean(f"{u}>{v}")) for u, v in arcs], directed=True)
    for stated, number in ((model, 3), (path, 3), (directed, 2)):
        there = stated.to_cpmpy()
        assert theirs(there, stated.names) == expected(stated)
        assert len(expected(stated)) == number
        assert ours(Model.from_cpmpy(there), stated.names) == expected(stated)


def test_global_constraints_stay_whole() -> None:
    x, b = cp.intvar(0, 3, shape=3, name="x"), cp.boolvar(name="b")
    stated = [
        cp.NoOverlap(x, [1, 2, 1], x + cp.cpm_array([1, 2, 1])),
        cp.Cumulative(x, [1, 2, 1], demand=[1, 1, 1], capacity=2),
        cp.Regular(x, [("p", 0, "p"), ("p", 2, "q"), ("q", 1, "q")], "p", ["q"]),
        cp.GlobalCardinalityCount(x, [0, 2], [1, 1]),
        cp.Increasing(x[::-1]),
        cp.Precedence(x, [0, 2]),
        cp.Xor([b, x[0] == 2, x[1] == 2]),
    ]
    kinds = {"no_overlap", "cumulative", "regular", "global_cardinality", "increasing", "precedence", "xor"}
    assert Model.from_cpmpy(cp.Model(stated)).kinds >= kinds
    assert Model.from_cpmpy(cp.Model(b.implies(stated[1]))).kinds == {"when", "cumulative"}


def test_what_cannot_be_is_refused() -> None:
    model = Model()
    x = model.booleans(3)
    model.subcircuit(3, [(0, 1, x[0]), (1, 2, x[1]), (0, 2, x[2])])
    with pytest.raises(BadInput, match="CPMpy has no subcircuit"):
        model.to_cpmpy()
    with pytest.raises(BadInput, match="takes a model of CPMpy"):
        Model.from_cpmpy(5)
    strange = cp.expressions.core.Expression("strange", (cp.intvar(0, 9),))
    with pytest.raises(BadInput, match="ktsolve has nothing for strange"):
        Model.from_cpmpy(cp.Model(strange == 3))
