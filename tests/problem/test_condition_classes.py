"""Every class of conditions, through everything that is derived from the classes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import ClassVar

import pytest
from command import ktsolve

from ktsolve.base.errors import BadInput, Refused
from ktsolve.engines.registry import engines_for
from ktsolve.graphs.board import Board
from ktsolve.graphs.symmetry import symmetry_group
from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import (
    CONDITION_CLASSES,
    EXAMPLE_BOARD,
    KEYS,
    Start,
    parse_condition,
    parse_value,
)
from ktsolve.problem.parameters import tour_problem
from ktsolve.problem.problem import FEATURES, TourProblem
from ktsolve.proof.problem_graph import STATABLE, read_problem
from ktsolve.tasks.count import count
from ktsolve.tasks.find import find_all
from ktsolve.verify.cases import cases

BOARD = Board.parse(EXAMPLE_BOARD)
TABLE = (Path(__file__).parents[2] / "docs" / "conditions.md").read_text("utf-8").split("\n## ")[0]


@cache
def all_tours() -> tuple[Tour, ...]:
    return tuple(find_all(TourProblem(board=BOARD, closed=False), "search"))


def stated(key: str) -> TourProblem:
    return TourProblem(
        board=BOARD, closed=False, conditions=parse_condition(key, KEYS[key][0].example, BOARD)
    )


def value_of(key: str) -> object:
    given = KEYS[key][0]
    if given.kind is dict:
        return dict([given.example.split("=")])
    return True if given.kind is bool else given.example if given.kind is str else [given.example]


def test_every_class_is_found_and_has_its_own_place() -> None:
    folder = Path(__file__).parents[2] / "ktsolve" / "problem" / "conditions"
    classes = sum(path.read_text("utf-8").count("    place = ") for path in folder.glob("*.py"))
    assert len(CONDITION_CLASSES) == classes == len({each.place for each in CONDITION_CLASSES})
    assert {name for each in CONDITION_CLASSES for name in each.features} <= set(FEATURES)


@pytest.mark.parametrize("key", KEYS)
def test_a_key_states_what_its_text_says(key: str) -> None:
    problem = stated(key)
    assert problem.conditions
    for each in problem.conditions:
        assert isinstance(each, KEYS[key][1])
        assert {each.feature} <= each.features.keys() <= set(FEATURES)
        assert tuple(each.parse(each.key, each.text(BOARD), BOARD)) == (each,)
        assert each.label(BOARD).endswith(each.text(BOARD)) or key in ("corners", "structured")
    data = json.loads(json.dumps(problem.to_json()))
    keys = data.keys() & KEYS.keys()
    again = [each for name in keys for each in parse_value(name, data[name], BOARD)]
    assert frozenset(again) == problem.conditions
    assert tour_problem({"board": EXAMPLE_BOARD, "closed": False, key: value_of(key)}) == problem


@pytest.mark.parametrize("key", KEYS)
def test_checker_models_and_images_agree_on_all_tours(key: str) -> None:
    problem = stated(key)
    right = {tour.normalised().squares for tour in all_tours() if any(problem.labelings(tour))}
    assert problem.obstruction() is None or not right
    for engine in engines_for("enumerate", problem):
        assert {tour.normalised().squares for tour in find_all(problem, engine)} == right, engine
    directed = [each for tour in all_tours() for each in (tour, tour.reversed())]
    for symmetry in symmetry_group(BOARD):
        for condition in problem.conditions:
            image = condition.image(BOARD, symmetry)
            assert image is not None
            image.validate(BOARD)
            moved = [each for each in directed if image.holds(each.transformed(symmetry))]
            assert moved == [each for each in directed if condition.holds(each)]


@pytest.mark.parametrize("key", [key for key, (given, _) in KEYS.items() if given.flag])
def test_commands_take_the_option(key: str) -> None:
    given = KEYS[key][0]
    words = [f"--{given.flag}", *([given.example] if given.kind is not bool else [])]
    for command in (["tour", EXAMPLE_BOARD, "--open"], ["count", EXAMPLE_BOARD, "--open"]):
        assert ktsolve(*command, *words).status in (0, 1)
    assert f"--{given.flag}" in ktsolve("tour", "--help").out
    grid = all_tours()[0].grid().encode()
    said = ktsolve("check", "-", "--open", *words, given=grid)
    assert (said.status == 0) == (stated(key).check(all_tours()[0]) is None)


@pytest.mark.parametrize("key", KEYS)
def test_the_docs_have_a_row_and_verify_a_case(key: str) -> None:
    given, kind = KEYS[key]
    assert f"`{key}`" in TABLE
    assert given.flag is None or f"`--{given.flag}" in TABLE
    assert f"{key}=" in TABLE or f"`{kind.__name__}`" in TABLE or given.kind is bool
    problem = stated(key)
    assert any(case.problem == problem for case in cases("quick"))


@pytest.mark.parametrize("key", KEYS)
def test_certificates_state_a_condition_or_refuse_it_by_name(key: str) -> None:
    problem = stated(key)
    if problem.features <= STATABLE:
        read_problem(problem)
    else:
        with pytest.raises(Refused, match=next(iter(problem.features - STATABLE))):
            read_problem(problem)


def test_a_condition_that_certificates_do_not_state_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stranger(Start):
        features: ClassVar = {"stranger": "a condition of nobody", "strangers": "several"}

    class Impostor(Start):
        """A class of its own under the name of a feature that certificates state."""

    monkeypatch.setitem(FEATURES, "stranger", "a condition of nobody")
    for kind in (Stranger, Impostor):
        problem = TourProblem(board="3x4", closed=False, conditions=[kind(frozenset({(0, 0)}))])
        with pytest.raises(Refused, match=r"stranger|Impostor \(start\)"):
            read_problem(problem)


def test_what_no_engine_takes_is_refused_by_name() -> None:
    with pytest.raises(BadInput, match="lines 'x' cannot be magic"):
        TourProblem(board="4x4", closed=False, magic=["x"])
    with pytest.raises(Refused, match="given sums of cells"):
        count(stated("sum"), "frontier")
