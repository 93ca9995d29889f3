"""Conflicts of named constraints, and what holds without them, compared with all subsets."""

from __future__ import annotations

import collections
from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_models import assignments, empty_model, meaning, models, solutions
from strategies import examples

import ktsolve
from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Settings
from ktsolve.model.model import Model
from ktsolve.tasks.cores import Core

ONE_THREAD = Settings(threads=1)


@examples(40)
@given(models(most=5), st.data())
def test_cores_are_cores_and_minimal(model: Model, data: st.DataObject) -> None:
    names = [data.draw(st.sampled_from("ABCD")) for _ in model.constraints]
    named = empty_model(len(model))
    for name, constraint in zip(names, model.constraints, strict=True):
        named.add(constraint, name=name)

    def possible(without: str | None, core: Core) -> bool:
        left = [name for name in core.names if name != without]
        return any(
            all(meaning(c, a) for n, c in zip(names, model.constraints, strict=True) if n in left)
            for a in assignments(len(model))
        )

    for engine in ("sat", "cpsat"):
        for asked in (model, named):
            core = ktsolve.unsat_core(asked, engine, ONE_THREAD)
            assert (core is None) == bool(solutions(model)), engine
            if core is None:
                continue
            assert core.minimal
            if asked is named:
                assert not possible(None, core), engine
                assert all(possible(name, core) for name in core.names), engine
            else:
                left = list(core.constraints)
                for dropped in (None, *left):
                    kept = [each for each in left if each is not dropped]
                    some = any(all(meaning(c, a) for c in kept) for a in assignments(len(model)))
                    assert some == (dropped is not None), engine


def test_a_core_reads_well() -> None:
    model = Model("clash")
    x = model.integer("x", 0, 9)
    for bound in (7, 3, 5):
        model.add(x <= bound, name=f"at most {bound}")
    model.add(x >= 4)
    core = ktsolve.unsat_core(model)
    assert core is not None
    assert (core.names, len(core), core.minimal) == (("at most 3",), 1, True)
    assert str(core) == "these conflict (none of them can be left out): at most 3"
    assert "Conflict in clash" in core._repr_html_()
    model.add(x >= 10)
    core = ktsolve.unsat_core(model)
    assert str(core) == "no solution, by the constraints without a name alone"
    assert ktsolve.unsat_core(Model()) is None
    with pytest.raises(BadInput, match="the name of a constraint is a text, not 3"):
        model.add(x >= 1, name=3)  # type: ignore[arg-type]


@st.composite
def grouped(draw: st.DrawFn) -> tuple[Model, Callable[[frozenset[str]], bool]]:
    """A model of few groups, some constraints without a name, and whether a set of groups is possible."""
    plain = draw(models(most=6))
    model = empty_model(len(plain))
    stated = [(draw(st.sampled_from(["", *"ABCDE"])), each) for each in plain.constraints]
    for name, constraint in stated:
        model.add(constraint, name=name) if name else model.add(constraint)

    def possible(names: frozenset[str]) -> bool:
        held = [each for name, each in stated if not name or name in names]
        return any(all(meaning(each, a) for each in held) for a in assignments(len(model)))

    return model, possible


@examples(40)
@given(grouped())
def test_all_conflicts_and_all_maximal_subsets(asked: tuple[Model, Callable[[frozenset[str]], bool]]) -> None:
    model, possible = asked
    if not model.groups:
        return
    every = [frozenset(few) for n in range(len(model.groups) + 1) for few in combinations(model.groups, n)]
    good = {each for each in every if possible(each)}
    maximal = {each for each in good if not any(each < other for other in good)}
    minimal = {each for each in every if each not in good and all(each - {one} in good for one in each)}
    for engine in ("sat", "cpsat"):
        cores = list(ktsolve.unsat_cores(model, engine, ONE_THREAD))
        subsets = list(ktsolve.maximal_subsets(model, engine, ONE_THREAD))
        assert sorted(sorted(each.names) for each in cores) == sorted(map(sorted, minimal)), engine
        assert sorted(sorted(each.names) for each in subsets) == sorted(map(sorted, maximal)), engine
        for subset in subsets:
            assert {*subset.names} | {*subset.left_out} == set(model.groups)
            kept = [each for name in subset.names for each in model.groups[name]]
            assert all(meaning(each, tuple(map(bool, subset.solution.assignment))) for each in kept), engine
        smallest = ktsolve.unsat_core(model, engine, ONE_THREAD, smallest=True)
        assert (smallest is None) == (not minimal), engine
        if smallest is not None:
            assert smallest.smallest
            assert frozenset(smallest.names) in minimal
            assert len(smallest) == min(map(len, minimal)), engine


def test_constraints_of_the_same_text_are_groups_of_their_own() -> None:
    model = Model()
    x = model.booleans("abc")
    for _ in range(2):
        model.clause(x[0])
        model.clause(~x[0])
    assert len(list(ktsolve.unsat_cores(model))) == 4
    assert sorted(len(each) for each in ktsolve.maximal_subsets(model)) == [2, 2]


def test_pigeons_by_name() -> None:
    """Of 5 pigeons in 3 holes any 4 conflict, together with a rule for each hole."""
    model = Model("pigeons")
    sits = [model.booleans(f"{pigeon}:{hole}" for hole in range(3)) for pigeon in range(5)]
    for pigeon, row in enumerate(sits):
        with model.named(f"pigeon {pigeon}"):
            model.clause(*row)
    for hole, column in enumerate(zip(*sits, strict=True)):
        with model.named(f"hole {hole}"):
            model.at_most(1, column)
    cores = list(ktsolve.unsat_cores(model))
    assert {len(each) for each in cores} == {7}
    assert len(cores) == 5
    said = {str(each) for each in ktsolve.maximal_subsets(model)}
    assert "possible without pigeon 1; pigeon 4" in said
    assert "possible without hole 2" in said
    assert len(said) == 13


def test_a_time_limit_gives_what_is_found() -> None:
    model = Model()
    x = model.booleans(map(str, range(40)))
    for number, each in enumerate(x):
        model.add(each, name=f"{number} true")
        model.add(~each, name=f"{number} false")
    subsets = ktsolve.maximal_subsets(model, settings=Settings(timeout=0.5))
    assert len(next(subsets)) == 40
    with pytest.raises(LimitReached, match=r"stopped at the time limit of 0\.5 s"):
        collections.deque(subsets, 0)


def test_what_is_not_a_model() -> None:
    for ask in (ktsolve.unsat_cores, ktsolve.maximal_subsets):
        with pytest.raises(BadInput, match=r"a ktsolve\.Model"):
            ask("6x6")  # type: ignore[arg-type]
