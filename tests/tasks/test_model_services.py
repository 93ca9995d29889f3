"""What is done with models: one solution, all, under assumptions, one question after the other."""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import command
import pytest
from command import Said
from hypothesis import given
from hypothesis import strategies as st
from random_models import PLAIN, assignments, constraints, literals, meaning, models, solutions
from strategies import examples

import ktsolve
from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Settings
from ktsolve.engines.sat.optimise import Step
from ktsolve.engines.sat.solver import SatSolver
from ktsolve.engines.solver import Solved
from ktsolve.model.constraints import LOOP_KINDS, PLAIN_KINDS, Literal
from ktsolve.model.model import Model
from ktsolve.tasks import count_models as model_count
from ktsolve.tasks.solve import ModelAnswer
from ktsolve.verify.jobs import Context
from ktsolve.verify.model_jobs import conflicts_are_minimal, optima_agree, random_model, solutions_agree

ONE_THREAD = Settings(threads=1)


# -- assumptions ------------------------------------------------------------------------------------------


@examples(40)
@given(models(), st.data())
def test_assumptions_select_solutions_and_cores_select_assumptions(model: Model, data: st.DataObject) -> None:
    every = solutions(model)
    assumed = data.draw(st.lists(literals(len(model)), max_size=4))
    expected = {a for a in every if all(x.holds(a) for x in assumed)}
    for engine in ("sat", "cpsat"):
        answer = ktsolve.solve(model, engine, ONE_THREAD, assumptions=assumed)
        listed = [
            tuple(s.assignment) for s in ktsolve.solutions(model, engine, ONE_THREAD, assumptions=assumed)
        ]
        assert len(listed) == len(expected), engine
        assert set(listed) == expected, engine
        if answer.assignment is not None:
            assert tuple(answer.assignment) in expected, engine
            assert [answer[x] for x in assumed] == [True] * len(assumed)
        else:
            assert not expected, engine
            assert set(answer.core) <= set(assumed), engine
            assert not any(all(x.holds(a) for x in answer.core) for a in every), engine


def test_assumptions_that_make_no_sense() -> None:
    model = Model()
    a = model.boolean("a")
    with pytest.raises(BadInput, match="an assumption is 'a', but must be a Boolean"):
        ktsolve.solve(model, assumptions="a")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="an assumption is Boolean number 7, but the model has 1"):
        ktsolve.solve(model, assumptions=[Literal(7)])
    assert set(ktsolve.solve(model, assumptions=[a, ~a]).core) == {a, ~a}


# -- objectives -------------------------------------------------------------------------------------------


@st.composite
def sums(draw: st.DrawFn, booleans: int) -> dict[Literal, int]:
    return draw(st.dictionaries(literals(booleans), st.integers(-3, 3), min_size=1, max_size=4))


def value_of(weights: dict[Literal, int], assignment: Sequence[Any]) -> int:
    return sum(weight for literal, weight in weights.items() if literal.holds(assignment))


@examples(25)
@given(models(kinds=PLAIN, most=2, booleans=5), st.data())
def test_lexicographic_objectives_and_soft_constraints(model: Model, data: st.DataObject) -> None:
    every = solutions(model)
    first, second = data.draw(sums(5)), data.draw(sums(5))
    soft = [
        (data.draw(constraints(kind, 5)), data.draw(st.integers(1, 4)))
        for kind in data.draw(st.lists(st.sampled_from(PLAIN), max_size=2))
    ]
    senses = data.draw(st.tuples(st.booleans(), st.booleans()))
    signs = [-1 if most else 1 for most in senses]
    (model.maximise if senses[0] else model.minimise)(first)
    (model.then_maximise if senses[1] else model.then_minimise)(second)
    kept = [model.soft(constraint, weight) for constraint, weight in soft]

    def worth(assignment: Sequence[Any]) -> tuple[int, int]:
        violated = sum(weight for constraint, weight in soft if not meaning(constraint, assignment))
        return signs[0] * value_of(first, assignment) + violated, signs[1] * value_of(second, assignment)

    for engine in ("sat", "cpsat"):
        heard: list[ModelAnswer] = []
        proved: list[int] = []
        answer = ktsolve.solve(model, engine, ONE_THREAD, on_solution=heard.append, on_bound=proved.append)
        if not every:
            assert (answer.found, answer.values, heard) == (False, (), [])
            continue
        assert answer.assignment is not None
        assert tuple(answer.assignment[:5]) in every
        best = min(map(worth, every))
        assert worth(answer.assignment) == best, engine
        assert answer.values == answer.bounds == (signs[0] * best[0], signs[1] * best[1]), engine
        assert answer.status == "optimal"
        worse_first = [(signs[0] * each.values[0], signs[1] * each.values[1]) for each in heard]
        assert worse_first == sorted(set(worse_first), reverse=True), engine
        assert heard[-1].values == answer.values
        assert proved[-1] == answer.values[1]
        stopped = ktsolve.solve(model, engine, ONE_THREAD, on_solution=lambda better: better.found)
        assert stopped.values == heard[0].values
        for literal, (constraint, _) in zip(kept, soft, strict=True):
            assert answer[literal] == meaning(constraint, list(map(bool, answer.assignment)))


def test_sums_of_penalties_by_sat() -> None:
    """Large cores, whose totalizers have many outputs; budgets so small that the methods take turns."""
    for budget in (1, 5000):
        for least in range(1, 9):
            model = Model()
            x = model.booleans(f"x{i}" for i in range(9))
            for shift in range(0, 9, 3):
                model.at_least((least + 2) // 3, x[shift:] + x[:shift][:2])
            model.at_least(least, x)
            model.minimise({each: 1 + i % 2 for i, each in enumerate(x)})
            expected = min(
                sum(1 + i % 2 for i, value in enumerate(a) if value) for a in assignments(9) if model.holds(a)
            )
            with patch("ktsolve.engines.sat.optimise._FIRST_BUDGET", budget):
                answer = ktsolve.solve(model, "sat", ONE_THREAD)
            assert (answer.value, answer.bound) == (expected, expected)


def test_objectives_of_integers_by_sat() -> None:
    """A long chain, several terms, functions: each against CP-SAT."""
    for wide, weights in ((90, (1, 0, 0)), (9, (3, -2, 1)), (7, (-1, -1, 5))):
        model = Model()
        x = model.integers(3, -5, wide)
        model.add(2 * x[0] + x[1] >= 3 * x[2] + wide // 2, x[1] <= x[2] + 3)
        model.minimise(sum(w * each for w, each in zip(weights, x, strict=True)) + 2 * abs(x[0] - 7))
        model.suggest({x[2]: 3})
        sat, cpsat = (ktsolve.solve(model, engine, ONE_THREAD) for engine in ("sat", "cpsat"))
        assert sat.optimal
        assert (sat.value, sat.bound) == (cpsat.value, cpsat.bound)


def test_misuse_of_objectives() -> None:
    model = Model()
    a = model.boolean("a")
    with pytest.raises(BadInput, match="then_minimise follows another objective: call minimise"):
        model.then_minimise(a)
    for weight in (0, -1, True, 1.5):
        with pytest.raises(BadInput, match=r"the weight of a soft constraint is .* whole number from 1"):
            model.soft(a, weight)  # type: ignore[arg-type]
    model.minimise(a)
    with pytest.raises(BadInput, match="SAT solver kissat404 takes no assumptions"):
        ktsolve.solve(model, "sat", Settings(solver="kissat404"))


def test_a_limit_gives_the_best_so_far_and_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()
    x = model.booleans("abc")
    model.at_least(1, x)
    model.minimise(dict.fromkeys(x, 1))
    steps = [Step([True, True, True], 0), Step([True, True, False], 0), Step(None, 1)]

    def limited(*_: object) -> Iterator[Step]:
        yield from steps
        raise LimitReached("stopped at the time limit")

    monkeypatch.setattr("ktsolve.engines.sat.solver._within_limits", limited)
    answer = ktsolve.solve(model, "sat")
    assert (answer.status, answer.value, answer.bound, answer.gap) == ("found", 2, 1, 1)
    steps.clear()
    with pytest.raises(LimitReached):
        ktsolve.solve(model, "sat")


def test_ctrl_c_keeps_the_best_solution_if_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()
    x = model.booleans("abc")
    model.at_least(1, x)
    model.minimise(dict.fromkeys(x, 1))

    def interrupted(*_: object) -> Iterator[Solved]:
        yield Solved([True, True, False], 2, 1)
        raise KeyboardInterrupt

    monkeypatch.setattr(SatSolver, "improving", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ktsolve.solve(model, "sat")
    answer = ktsolve.solve(model, "sat", keep=True)
    assert (answer.status, answer.value, answer.bound, answer.gap) == ("found", 2, 1, 1)


# -- counts -----------------------------------------------------------------------------------------------


@examples(40)
@given(models(), st.data())
def test_counts_of_models(model: Model, data: st.DataObject) -> None:
    shown = data.draw(st.sets(st.integers(0, len(model) - 1)))
    if data.draw(st.booleans()):
        model.show(Literal(i) for i in sorted(shown))
    else:
        shown = set(range(len(model)))
    expected = len({tuple(a[i] for i in sorted(shown)) for a in solutions(model)})
    for engine in ("sat", "cpsat", *["sharpsat"] * (importlib.util.find_spec("pyganak") is not None)):
        assert ktsolve.count(model, engine, ONE_THREAD).count == expected, engine


@pytest.mark.full
def test_parts_of_models_are_counted_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model("parts")
    for place in range(30):
        x, y = model.integers(2, 0, 9, f"x{place}")
        model.add(x < y)
    free = model.integer("free", 1, 1000)
    a = model.boolean("a")
    counted = ktsolve.count(model)
    assert counted.count == 45**30 * 1000 * 2
    assert repr(counted).startswith("<78,959,")
    assert ktsolve.count(model, assumptions=[a]).count == 45**30 * 1000
    model.show([free])
    assert ktsolve.count(model).count == 1000
    model.clause()
    assert (ktsolve.count(model).count, ktsolve.count(model).status) == (0, "impossible")
    many = Model()
    many.at_least(1, many.booleans(12))
    monkeypatch.setattr(model_count, "MOST_LISTED", 100)
    with pytest.raises(LimitReached, match=r"stopped at 101 solutions: .*pip install 'ktsolve\[sharpsat\]'"):
        ktsolve.count(many, "sat")


def test_a_copy_grows_by_itself() -> None:
    model = Model("one")
    a, b = model.booleans("ab")
    model.add(a | b, name="some")
    model.minimise(a + b)
    other = model.copy()
    other.add(~a, ~b, name="none")
    other.boolean("c")
    other.then_minimise(a)
    assert (len(model), len(model.constraints), len(model.objectives)) == (2, 1, 1)
    assert (list(model.groups), list(other.groups)) == (["some"], ["some", "none"])
    assert ktsolve.solve(model).value == 1
    assert not ktsolve.solve(other).found


# -- answers ----------------------------------------------------------------------------------------------


def test_an_answer_gives_values_by_variable_array_and_name() -> None:
    model = Model("pair")
    a, b = model.booleans("ab")
    model.exactly(1, [a, b])
    answer = ktsolve.solve(model, assumptions=[b])
    assert (answer[a], answer[b], answer[~a], answer["b"]) == (False, True, True, True)
    assert answer[[a, (b, ~b)]] == [False, (True, False)]
    assert answer[{"x": b}] == {"x": True}
    assert str(answer) == "b"
    assert repr(answer).startswith("<found: b; sat, ")
    assert "Solution of pair" in answer._repr_html_()
    with pytest.raises(BadInput, match="has no value: give a variable of the model"):
        answer[1.5]
    with pytest.raises(BadInput, match="Boolean number 9 is not one of the model's 2 variables"):
        answer[Literal(9)]


def test_an_answer_without_a_solution() -> None:
    model = Model("pair")
    a, b = model.booleans("ab")
    model.exactly(1, [a, b])
    answer = ktsolve.solve(model, assumptions=[a, b])
    assert (answer.found, answer.status, set(answer.core)) == (False, "impossible", {a, b})
    assert str(answer) == "no solution with a and b"
    assert "<td" in answer._repr_html_()
    with pytest.raises(BadInput, match="there is no solution"):
        answer[a]
    model.clause()
    assert (ktsolve.solve(model).core, str(ktsolve.solve(model))) == ((), "no solution")


def test_a_number_of_solutions() -> None:
    model = Model()
    model.booleans("abc")
    assert len(list(ktsolve.solutions(model, number=3))) == 3
    with pytest.raises(BadInput, match="the number of solutions must be at least 1, not 0"):
        ktsolve.solutions(model, number=0)


# -- one question after the other -------------------------------------------------------------------------


@examples(40)
@given(models(most=3), st.data())
def test_a_solver_answers_as_often_as_asked_and_grows_with_its_model(
    model: Model, data: st.DataObject
) -> None:
    more = data.draw(models(most=2, booleans=len(model)))
    with ktsolve.Solver(model) as solver:
        for growth in ([], more.constraints):
            for each in growth:
                model.add(each)
            every = solutions(model)
            listed = [tuple(s.assignment) for s in solver.solutions()]
            assert sorted(listed) == sorted(every)
            for _ in range(3):
                assumed = data.draw(st.lists(literals(len(model)), max_size=3))
                expected = {a for a in every if all(x.holds(a) for x in assumed)}
                answer = solver.solve(assumed)
                assert answer.found == bool(expected)
                if answer.assignment is None:
                    assert not any(all(x.holds(a) for x in answer.core) for a in every)
                    continue
                assert tuple(answer.assignment) in expected
                other = solver.solve(assumed, other_than=answer)
                assert other.found == (len(expected) > 1)
                if other.assignment is not None:
                    assert tuple(other.assignment) in expected - {tuple(answer.assignment)}


def test_a_solver_takes_booleans_added_later() -> None:
    """More than are reserved: the solver starts anew."""
    model = Model()
    a = model.boolean("a")
    model.at_most(7, [a, *model.booleans(f"b{i}" for i in range(20))])  # with auxiliary variables
    with ktsolve.Solver(model) as solver:
        assert solver.solve([a]).found
        for size in (3, 1500):
            added = model.booleans(f"{size}:{i}" for i in range(size))
            for first, second in itertools.pairwise([~a, *added]):
                model.implies(first, second)
            assert solver.solve([a, added[0]])[added[-1]]
            assert set(solver.solve([~a, ~added[-1]]).core) == {~a, ~added[-1]}


def test_a_solver_cuts_loops_and_refuses_what_sat_does_not_take() -> None:
    problem = ktsolve.TourProblem(board="6x6", closed=True)
    from ktsolve.models.tour import TourModel

    tours = TourModel(problem)
    with ktsolve.Solver(tours.model) as solver:
        first = solver.solve()
        second = solver.solve(other_than=first)
        assert first.assignment is not None
        assert second.assignment is not None
        assert tours.decode(first.assignment) != tours.decode(second.assignment)
        assert len(list(solver.solutions(number=5))) == 5
    with pytest.raises(BadInput, match="other_than has 3 values, but the model has 80 variables"):
        solver.solve(other_than=[True] * 3)
    with pytest.raises(BadInput, match="SAT solver 'nobody' is unknown"):
        ktsolve.Solver(tours.model, Settings(solver="nobody"))


def test_a_solver_keeps_a_time_limit_for_each_question() -> None:
    model = Model("pigeons")
    sits = [[model.boolean(f"{p}:{h}") for h in range(11)] for p in range(12)]
    for row in sits:
        model.clause(*row)
    for hole in zip(*sits, strict=True):
        model.at_most(1, hole)
    with ktsolve.Solver(model, Settings(timeout=0.05)) as solver:
        for _ in range(2):
            with pytest.raises(LimitReached, match=r"time limit of 0\.05 s, no answer"):
                solver.solve()


# -- instance files ---------------------------------------------------------------------------------------

PLAN = """
from ktsolve import Model
from ktsolve.models import Built

def build(parameters):
    model = Model("plan")
    a, b = model.booleans(["a", "b"])
    x = model.integer("x", 0, 9)
    model.add(a | b, name="a or b")
    model.add(x >= 4, name="large")
    model.when(a, x <= 2)
    if parameters.get("best"):
        model.minimise(x)
        model.then_maximise(a + b)
    return Built(model=model, decode=lambda values: " ".join(map(str, map(int, values))))
"""


def test_instances_are_counted_listed_explained_and_assumed(tmp_path: Path) -> None:
    (tmp_path / "plan.py").write_text(PLAN)
    plan, best = tmp_path / "plan.toml", tmp_path / "best.toml"
    plan.write_text('model = "plan.py"\n[parameters]\n')
    best.write_text('model = "plan.py"\n[parameters]\nbest = true\n[expect]\nstatus = "found"\nvalue = 4\n')

    def run(file: Path | str, *arguments: str) -> Said:
        return command.ktsolve("solve", str(file), *arguments, "--json", "--engine", "sat")

    listed = run(plan, "--count", "-n", "2").json
    assert (listed["count"], len(listed["solutions"])) == ("6", 2)
    explained = run(plan, "--assume", "a", "--core")
    assert (explained.status, explained.json["core"]) == (1, ["large", "assume a"])
    assert run(plan, "--assume", "not a", "--assume", "x=7").json["solution"] == "0 1 7"
    optimal = run(best).json
    assert (optimal["agrees"], optimal["values"], optimal["bounds"]) == (True, [4, 1], [4, 1])
    for file, options, message in (
        (plan, ["--assume", "y"], "--assume y: the model has no variable 'y'"),
        (plan, ["--assume", "x"], "--assume x: x is an integer: give x=VALUE, such as x=0"),
        (plan, ["--assume", "a=2"], "--assume a=2: a is a Boolean: give a, or not a"),
        ("closed-6x6", ["--assume", "a1"], "--assume is for models, but "),
        (best, ["-n", "2"], "--number makes no sense for a model with an objective"),
    ):
        refused = run(file, *options)
        assert (refused.status, message in refused.complaint) == (2, True), refused


# -- the cross-check --------------------------------------------------------------------------------------


@examples(4)
@given(st.integers(1000, 10**6))
def test_random_models_of_all_kinds(seed: int) -> None:
    context = Context(ONE_THREAD)
    for engine in ("sat", "cpsat"):
        for check in (solutions_agree, optima_agree, conflicts_are_minimal):
            assert check(context, engine, [seed]).disagreement == ""


def test_the_random_models_have_every_kind() -> None:
    kinds = frozenset[str]().union(*(random_model(seed).kinds for seed in range(60)))
    assert kinds >= PLAIN_KINDS | LOOP_KINDS, PLAIN_KINDS | LOOP_KINDS - kinds
