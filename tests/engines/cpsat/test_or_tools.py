"""What is used of OR-Tools besides its documented methods, and that it works without that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from integer_models import assignments, random_model
from interrupting import interrupted_calls
from ortools.sat.python import cp_model

from ktsolve.base.limits import Settings
from ktsolve.engines.auto import model_solver
from ktsolve.engines.cpsat import or_tools
from ktsolve.engines.cpsat.solver import _Run


def test_ctrl_c_at_any_moment_leaves_a_solver_that_can_be_stopped() -> None:
    model, _ = random_model(5)
    solver = model_solver("cpsat", model)

    def listed() -> set[tuple[int, ...]]:
        return {tuple(each) for each in solver.solutions(model, Settings(threads=1))}

    expected = listed()
    reached = interrupted_calls(listed, 150, 0.01)
    _Run.stop_all()
    assert (reached > 0, _Run._running) == (True, set())
    assert listed() == expected != set()


@pytest.fixture
def fresh() -> Iterator[None]:
    """Ask OR-Tools again before and after a test."""
    or_tools._bare_class.cache_clear()
    yield
    or_tools._bare_class.cache_clear()


def check_random_models() -> None:
    for seed in range(12):
        model, _ = random_model(seed)
        found = [tuple(each) for each in model_solver("cpsat", model).solutions(model, Settings(threads=1))]
        assert sorted(found) == sorted(filter(model.holds, assignments(model))), seed


def test_this_version_of_or_tools_works_inside_as_expected() -> None:
    assert type(or_tools.new_model()) is not cp_model.CpModel
    assert isinstance(or_tools.new_model(), cp_model.CpModel)


def test_both_ways_make_the_same_models(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def made() -> str:
        model = or_tools.new_model()
        maker = or_tools.boolean_maker(model)
        first, second = maker(), maker()
        model.add_bool_or([first, second.negated()])
        return str(model.proto)

    quick = made()
    monkeypatch.setattr(or_tools, "_bare_class", lambda: None)
    assert type(or_tools.new_model()) is cp_model.CpModel
    assert made() == quick
    check_random_models()


@pytest.mark.parametrize("wrong", [TypeError("no such constructor"), AttributeError("model_proto")])
def test_another_version_of_or_tools_is_used_by_its_public_methods(
    fresh: None, wrong: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changed(*_: Any) -> Any:
        raise wrong

    plain = cp_model.IntVar
    monkeypatch.setattr(cp_model, "IntVar", changed)
    assert or_tools._bare_class() is None
    monkeypatch.setattr(cp_model, "IntVar", plain)
    check_random_models()
