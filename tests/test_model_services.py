"""What is done with models: one solution, all, under assumptions, one question after the other."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_models import literals, models, solutions
from strategies import examples

import ktsolve
from ktsolve.errors import BadInput, LimitReached
from ktsolve.model.constraints import Literal
from ktsolve.model.model import Model
from ktsolve.settings import Settings

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
