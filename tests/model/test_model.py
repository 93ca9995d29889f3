"""The language: what each constraint means, how models read, what they refuse; and the solvers of models."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_models import (
    KINDS,
    Parity,
    assignments,
    constraints,
    empty_model,
    meaning,
    models,
    solutions,
)
from strategies import examples

from ktsolve.base.errors import BadInput, LimitReached, Refused
from ktsolve.base.limits import Settings
from ktsolve.engines.auto import model_solver
from ktsolve.model.constraints import (
    Cardinality,
    Circuit,
    Constraint,
    Implication,
    Literal,
    Path,
)
from ktsolve.model.model import Model
from ktsolve.tasks.solve import solve

A, B, C, D, E, F = (Literal(i) for i in range(6))
ONE_THREAD = Settings(threads=1)


def pair() -> tuple[Model, Literal, Literal]:
    model = Model("pair")
    return model, model.boolean("a"), model.boolean("b")


# -- what constraints mean --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_constraint_holds_exactly_where_its_definition_does(kind: str) -> None:
    seen: set[bool] = set()

    @examples(150)
    @given(st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), constraints(kind, n))))
    def check(drawn: tuple[int, Constraint]) -> None:
        number, constraint = drawn
        assert constraint.kind == kind
        for assignment in assignments(number):
            expected = meaning(constraint, assignment)
            assert constraint.holds(assignment) is expected
            seen.add(expected)

    check()
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("nodes", "directed", "number"),
    [
        (1, False, 0),
        (2, False, 0),
        (3, False, 1),
        (4, False, 3),
        (5, False, 12),
        (1, True, 0),
        (2, True, 1),
        (3, True, 2),
        (4, True, 6),
    ],
)
def test_complete_graphs_have_the_known_number_of_circuits(nodes: int, directed: bool, number: int) -> None:
    pairs = [(u, v) for u in range(nodes) for v in range(nodes) if (u != v if directed else u < v)]
    circuit = Circuit(nodes, tuple((u, v, Literal(i)) for i, (u, v) in enumerate(pairs)), directed)
    assert sum(circuit.holds(a) for a in assignments(len(pairs))) == number


def test_two_triangles_are_no_circuit() -> None:
    edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]
    arcs = tuple((u, v, Literal(i)) for i, (u, v) in enumerate(edges))
    assert not Circuit(6, arcs).holds([True] * 6)


def test_two_directed_triangles_are_no_circuit() -> None:
    arcs = tuple((u, v, A) for u, v in [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)])
    assert not Circuit(6, arcs, directed=True).holds([True])


def test_a_path_beside_a_cycle_is_no_path() -> None:
    edges = [(0, 1), (2, 3), (3, 4), (2, 4)]
    ends = (A, A, ~A, ~A, ~A)
    assert not Path(5, tuple((u, v, A) for u, v in edges), ends).holds([True])


def test_a_path_through_one_node_has_both_ends_there() -> None:
    alone = Path(1, (), (A,))
    assert alone.holds([True])
    assert not alone.holds([False])


def test_a_path_through_two_nodes_is_one_edge_and_ends_at_both() -> None:
    path = Path(2, ((0, 1, A),), (B, C))
    assert [a for a in assignments(3) if path.holds(a)] == [(True, True, True)]


@pytest.mark.parametrize("nodes", [0, -1, True, 2.0, "3"])
def test_circuits_and_paths_go_through_some_number_of_nodes(nodes: Any) -> None:
    for make in (lambda: Circuit(nodes, ()), lambda: Path(nodes, (), ())):
        with pytest.raises(BadInput, match="the number of nodes must be a whole number from 1, not "):
            make()


def test_literals() -> None:
    assert ~~A == A
    assert ~A != A
    assert A.holds([True])
    assert (~A).holds([0])
    assert not A.holds([0])
    assert sorted([B, ~A, A], key=tuple) == [~A, A, B]
    assert list(Implication((A, ~B), C).literals()) == [A, ~B, C]
    assert list(Path(2, ((0, 1, A),), (B, ~C)).literals()) == [A, B, ~C]


# -- how models read --------------------------------------------------------------------------------------


def test_text_of_every_constraint() -> None:
    model = Model("everything")
    a, b, c, d = (model.boolean(name) for name in "abcd")
    model.clause(a, ~b)
    model.clause()
    model.fix(~d)
    model.implies(a, b)
    model.implies([a, ~b], ~c)
    model.implies([], a)
    model.equal(a, ~b)
    model.exactly(2, [a, b, c])
    model.at_least(1, [a, b])
    model.at_most(0, [])
    model.add(Cardinality((a, b), 1, 2))
    model.add(Cardinality((a,), None, None))
    model.linear({a: 2, b: -1, ~c: -3}, least=-1, most=4)
    model.linear({a: -1}, least=0, most=0)
    model.linear({a: 1}, least=1)
    model.linear({}, most=3)
    model.circuit(3, [(0, 1, a), (1, 2, b), (2, 0, ~c)])
    model.circuit(2, [(0, 1, a), (1, 0, b)], directed=True, labels=["here", "there"])
    model.path(2, [(0, 1, d)], [a, b], labels="uv")
    model.maximise({a: 1, d: -2})
    model.add_clauses([[1, -2], [], [3]])
    model.add_cardinalities([[1, -2, 3]], least=1, most=2)
    assert str(model).splitlines() == [
        "model everything: 4 Booleans, 22 constraints",
        "  maximise a - 2*d",
        "  a or not b",
        "  false",
        "  not d",
        "  a => b",
        "  a and not b => not c",
        "  true => a",
        "  a => not b",
        "  not b => a",
        "  exactly 2 of {a, b, c}",
        "  at least 1 of {a, b}",
        "  at most 0 of {}",
        "  1 to 2 of {a, b}",
        "  any number of {a}",
        "  -1 <= 2*a - b - 3*not c <= 4",
        "  -a = 0",
        "  1 <= a",
        "  0 <= 3",
        "  circuit through 3 nodes: 0-1 if a, 1-2 if b, 2-0 if not c",
        "  circuit through 2 nodes: here>there if a, there>here if b",
        "  path through 2 nodes: u-v if d; ends at u if a, v if b",
        "  3 clauses: a or not b; false; c",
        "  1 row: 1 to 2 of {a, not b, c}",
    ]
    assert repr(model) == "<Model everything: 4 Booleans, 22 constraints>"
    assert model.kinds == {*KINDS, "objective"}


def test_a_path_makes_booleans_for_its_ends() -> None:
    model = Model()
    edge = model.boolean("edge")
    model.path(2, [(0, 1, edge)], labels=["u", "v"])
    model.path(1, [])
    assert model.names == ["edge", "end[u]", "end[v]", "end[0]"]
    assert model["end[v]"] == Literal(2)
    assert solutions(model) == {(True, True, True, True)}


def test_names_of_literals() -> None:
    model, a, b = pair()
    assert (model.name_of(a), model.name_of(~b)) == ("a", "not b")
    assert (len(model), model["b"]) == (2, b)


def test_all_booleans_are_shown_by_default() -> None:
    model, a, b = pair()
    assert list(model.shown) == [a, b]
    model.show([~b])
    assert list(model.shown) == [b]


# -- judging ----------------------------------------------------------------------------------------------


@examples(150)
@given(models(most=5))
def test_broken_names_the_first_constraint_that_does_not_hold(model: Model) -> None:
    for assignment in assignments(len(model)):
        wrong = [c for c in model.constraints if not meaning(c, assignment)]
        assert model.holds(assignment) is (not wrong)
        assert model.broken(assignment) is (wrong[0] if wrong else None)


def test_broken_gives_the_first_of_several() -> None:
    model, a, b = pair()
    model.clause(a, b)
    model.exactly(1, [a, b])
    model.implies(a, b)
    first = model.broken([False, False])
    assert first is model.constraints[0]
    assert model.broken([True, True]) is model.constraints[1]
    assert model.broken([True, False]) is model.constraints[2]
    assert model.broken([False, True]) is None


@pytest.mark.parametrize("length", [0, 1, 3])
def test_an_assignment_of_another_length_is_refused(length: int) -> None:
    model, _, _ = pair()
    with pytest.raises(BadInput, match=f"{length} values.* 2 Booleans"):
        model.holds([True] * length)


# -- what models refuse -----------------------------------------------------------------------------------


def foreign(add: Any) -> str:
    model, a, _ = pair()
    with pytest.raises(BadInput) as caught:
        add(model, a)
    return str(caught.value)


STRANGE = Literal(2)


def test_booleans_that_are_not_there() -> None:
    why = "names Boolean number 2, but the model has 2 Booleans, numbered from 0"
    assert foreign(lambda m, a: m.clause(a, STRANGE)) == f"a clause {why}"
    assert foreign(lambda m, a: m.implies(a, ~STRANGE)) == f"an implication {why}"
    assert foreign(lambda m, a: m.implies(STRANGE, a)) == f"an implication {why}"
    assert foreign(lambda m, a: m.exactly(1, [a, STRANGE])) == f"a cardinality {why}"
    assert foreign(lambda m, a: m.linear({STRANGE: 1})) == f"a linear {why}"
    assert foreign(lambda m, a: m.circuit(2, [(0, 1, STRANGE)])) == f"a circuit {why}"
    assert foreign(lambda m, a: m.path(1, [], [STRANGE])) == f"a path {why}"
    assert foreign(lambda m, a: m.minimise({STRANGE: 1})) == f"an objective {why}"
    assert foreign(lambda m, a: m.show([STRANGE])) == f"a list of shown variables {why}"
    assert "number -1," in foreign(lambda m, a: m.fix(Literal(-1)))


def test_a_refused_constraint_leaves_the_model_as_it_was() -> None:
    model, a, _ = pair()
    with pytest.raises(BadInput):
        model.clause(a, STRANGE)
    with pytest.raises(BadInput):
        model.maximise({STRANGE: 1})
    assert (model.constraints, model.objective) == ([], None)


def test_names_are_unique() -> None:
    model, _, _ = pair()
    with pytest.raises(BadInput, match="Boolean named 'a'"):
        model.boolean("a")
    with pytest.raises(BadInput, match="the model has no variable named 'z'"):
        model["z"]


@pytest.mark.parametrize(
    ("arcs", "directed", "message"),
    [
        ([(0, 3, A)], False, "arc 0-3"),
        ([(-1, 1, A)], False, "arc -1-1"),
        ([(1, 1, A)], True, "arc 1-1"),
        ([(0, 1, A), (0, 1, B)], True, "arc 0-1 is given"),
        ([(0, 1, A), (1, 0, B)], False, "arc 1-0 is given"),
    ],
)
def test_arcs_that_make_no_graph(arcs: list[Any], directed: bool, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        Circuit(3, tuple(arcs), directed)
    assert str(caught.value).startswith(message)
    if not directed:
        with pytest.raises(BadInput):
            Path(3, tuple(arcs), (A, B, C))


def test_both_directions_are_two_arcs_of_a_directed_circuit() -> None:
    assert Circuit(2, ((0, 1, A), (1, 0, B)), directed=True).holds([True, True])


def test_ends_and_labels_must_be_as_many_as_nodes() -> None:
    with pytest.raises(BadInput, match=r"path.* 3 nodes.* not 2"):
        Path(3, (), (A, B))
    with pytest.raises(BadInput, match="3 nodes need as many labels or none, not 2"):
        Circuit(3, (), labels=("a", "b"))
    with pytest.raises(BadInput, match="2 nodes need as many labels or none, not 3"):
        Path(2, (), (A, B), ("a", "b", "c"))


@pytest.mark.parametrize("weight", [0.5, 2.0, "3", None])
def test_weights_are_whole_numbers(weight: Any) -> None:
    model, a, _ = pair()
    for take in (model.linear, model.minimise, model.maximise):
        with pytest.raises(BadInput, match=r"a weight is .* whole number"):
            take({a: weight})


# -- solvers of models ------------------------------------------------------------------------------------


@examples(60)
@given(models())
def test_both_solvers_find_all_solutions(model: Model) -> None:
    expected = solutions(model)
    for name in ("sat", "cpsat"):
        listed = [tuple(a) for a in model_solver(name, model).solutions(model, ONE_THREAD)]
        assert len(listed) == len(set(listed)), name
        assert set(listed) == expected, name
        found = solve(model, name, ONE_THREAD).assignment
        assert (tuple(found) in expected) if found is not None else not expected, name


@examples(40)
@given(models(most=3), st.data())
def test_shown_booleans_distinguish_solutions(model: Model, data: st.DataObject) -> None:
    shown = data.draw(st.sets(st.integers(0, len(model) - 1)))
    model.show(Literal(i) for i in sorted(shown))
    expected = {tuple(a[i] for i in sorted(shown)) for a in solutions(model)}
    for name in ("sat", "cpsat"):
        listed = [tuple(a) for a in model_solver(name, model).solutions(model, ONE_THREAD)]
        assert all(model.holds(a) for a in listed)
        cut = [tuple(a[i] for i in sorted(shown)) for a in listed]
        assert len(cut) == len(set(cut)), name
        assert set(cut) == expected, name


@examples(60)
@given(models(most=3), st.data())
def test_the_best_solution_is_best(model: Model, data: st.DataObject) -> None:
    weights = data.draw(
        st.dictionaries(st.builds(Literal, st.integers(0, len(model) - 1), st.booleans()), st.integers(-5, 5))
    )
    best = data.draw(st.sampled_from([min, max]))
    (model.minimise if best is min else model.maximise)(weights)
    values = {a: sum(w for literal, w in weights.items() if literal.holds(a)) for a in solutions(model)}
    for engine in ("sat", "cpsat"):
        solved = solve(model, engine, ONE_THREAD)
        if not values:
            assert (solved.assignment, solved.value) == (None, None), engine
            continue
        assert solved.assignment is not None, engine
        assert values[tuple(map(bool, solved.assignment))] == best(values.values()), engine
        assert solved.value == solved.bound == best(values.values()), engine


def test_a_solver_refuses_what_it_cannot_take_by_name() -> None:
    model, _, _ = pair()
    for name in ("search", "frontier"):
        with pytest.raises(Refused, match=f"engine {name} .* not models: use sat, cpsat"):
            solve(model, name)
    with pytest.raises(BadInput, match="engine 'nobody' is unknown: use auto, "):
        solve(model, "nobody")


def test_a_users_constraint_is_checked_but_not_solved() -> None:
    model, a, b = pair()
    model.add(Parity((a, b)))
    assert model.holds([True, False])
    assert not model.holds([True, True])
    assert str(model).splitlines()[1] == "  an odd number of {a, b}"
    for name in ("auto", "sat", "cpsat"):
        with pytest.raises(Refused, match="parity"):
            solve(model, name)


def pigeons(holes: int) -> Model:
    """One pigeon more than holes: too hard for both solvers within the time limit of the tests."""
    model = Model("pigeons")
    sits = [[model.boolean(f"{p}:{h}") for h in range(holes)] for p in range(holes + 1)]
    for pigeon in sits:
        model.clause(*pigeon)
    for hole in zip(*sits, strict=True):
        for i, first in enumerate(hole):
            for second in hole[:i]:
                model.clause(~first, ~second)
    return model


def test_a_time_limit_stops_the_sat_solver() -> None:
    with pytest.raises(LimitReached, match=r"stopped at the time limit of 0\.2 s"):
        solve(pigeons(30), "sat", Settings(timeout=0.2))


def test_a_model_without_booleans_or_constraints_has_one_solution() -> None:
    for model in (empty_model(0), empty_model(1)):
        for name in ("sat", "cpsat"):
            assert len(list(model_solver(name, model).solutions(model, ONE_THREAD))) == 2 ** len(model)
