"""Instance files: those shipped, what they expect and what parameters mean."""

from __future__ import annotations

from pathlib import Path

import pytest
from instance_files import RING, SHIPPED, written
from marks import quick

from ktsolve.base.limits import Settings
from ktsolve.graphs.geometry import CORNERS
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import FEATURES, TourProblem
from ktsolve.tasks.instance import Expectation, Instance, load_instance, shipped_models, solve_instance
from ktsolve.verify.published import published

# -- those that are shipped ----------------------------------------------------------------------------------


def test_there_are_enough_of_them() -> None:
    loaded = [load_instance(path) for path in SHIPPED.values()]
    assert len(loaded) >= 14
    assert {each.model_name for each in loaded} == set(shipped_models())
    files = (Path(__file__).parents[2] / "models").glob("[a-z]*.py")
    assert set(shipped_models()) == {path.stem for path in files}
    assert len(shipped_models()) >= 11
    assert len({each.title for each in loaded}) == len(loaded)
    assert {each.expect.status for each in loaded} == {"found", "impossible"}
    asked = set().union(*(problem_of(each).features for each in loaded if about_tours(each)))
    assert asked <= set(FEATURES)
    assert len(asked) >= 20


def about_tours(instance: Instance) -> bool:
    return instance.model_name in ("structured", "tour")


def problem_of(instance: Instance) -> TourProblem:
    assert instance.built.problem is not None
    return instance.built.problem


LONG = ("obtuse-8x8", "squares-in-a-row-6x6", "numbrix-empty-4x4", "no-three-obtuse-8x8")


@pytest.mark.parametrize("name", quick(SHIPPED, lambda name: name not in LONG))
@pytest.mark.usefixtures("thread_workers")
def test_a_shipped_instance_has_the_answer_it_expects(name: str) -> None:
    instance = load_instance(SHIPPED[name])
    assert instance.title
    assert instance.source
    assert instance.expect.status is not None
    answer = solve_instance(instance, settings=Settings(timeout=20))
    assert answer.disagreement == ""
    assert answer.status == instance.expect.status
    assert answer.count == instance.expect.count
    if answer.status != "found":
        assert answer.solution is None
        # What arithmetic refutes has a reason; a model is refuted by a solver.
        assert answer.reason or instance.built.problem is None
    elif instance.model_name in ("longest", "non_crossing"):
        assert isinstance(answer.solution, Tour)
        assert answer.value == answer.bound == instance.expect.value
    elif about_tours(instance):
        assert isinstance(answer.solution, Tour)
        assert answer.solution.valid
        assert problem_of(instance).check(answer.solution) is None
    else:
        assert instance.built.problem is None
        assert isinstance(answer.solution, str)


SECOND_OPINIONS = [
    (name, engine)
    for engine, names in {
        "search": (
            "closed-3x10",
            "closed-octagon",
            "ends-6x6",
            "open-4x4",
            "open-5x5",
            "torus-4x4",
            "wazir-6x6",
        ),
        "sat": (
            "centre-halfway-5x5",
            "guarini-ring",
            "half-turn-6x6",
            "magic-8x8",
            "structured-5x6-symmetric",
            "clues-6x6",
            "ends-among-5x5",
            "fewest-turns-6x6",
        ),
        "cpsat": (
            "guarini-7-moves",
            "open-4x4",
            "required-forbidden-6x6",
            "structured-8x10",
            "zebra-10x10",
            "schwenk-4x6",
            "beverley-thirds",
            "clues-6x6",
            "ends-among-5x5",
            "order-5x5",
        ),
        "frontier": ("closed-6x6", "structured-6x6", "schwenk-4x6", "open-4x4"),
    }.items()
    for name in names
]


@pytest.mark.full
@pytest.mark.parametrize(("name", "engine"), SECOND_OPINIONS)
@pytest.mark.usefixtures("thread_workers")
def test_another_engine_agrees(name: str, engine: str) -> None:
    answer = solve_instance(load_instance(name), engine, Settings(timeout=30))
    assert answer.disagreement == ""
    assert engine in answer.engine or answer.engine == "arithmetic"


def test_what_they_expect_is_what_is_published() -> None:
    known = {entry.problem: entry.count for entry in published()}
    compared = 0
    for path in SHIPPED.values():
        instance = load_instance(path)
        if about_tours(instance) and problem_of(instance) in known:
            number = known[problem_of(instance)]
            assert instance.expect.status == ("found" if number else "impossible"), path
            assert instance.expect.count in (None, number), path
            compared += 1
    assert compared >= 7


def test_a_shipped_instance_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    by_path = load_instance(SHIPPED["closed-6x6"])
    for name in ("closed-6x6", "closed-6x6.toml"):
        named = load_instance(name)
        assert (named.title, named.expect) == (by_path.title, by_path.expect)
    written(tmp_path, 'model = "tour"\n[parameters]\nboard = "3x4"\nclosed = false', "closed-6x6.toml")
    assert load_instance("closed-6x6.toml").title == "closed-6x6"
    assert load_instance("closed-6x6").expect.count == 9862


# -- expected answers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expect", "loaded", "disagreement"),
    [
        ("", Expectation(None, None), ""),
        ('status = "found"', Expectation("found", None), ""),
        ("count = 1", Expectation("found", 1), ""),
        ('count = "1"', Expectation("found", 1), ""),
        ('status = "found"\ncount = 1', Expectation("found", 1), ""),
        ('status = "impossible"', Expectation("impossible", None), "expected impossible, got found"),
        ("count = 2", Expectation("found", 2), "expected 2 solutions, got 1"),
        (f'count = "{10**30}"', Expectation("found", 10**30), f"expected {10**30} solutions, got 1"),
        (
            "count = 0",
            Expectation("impossible", 0),
            "expected impossible, got found; expected 0 solutions, got 1",
        ),
    ],
)
def test_expectations(tmp_path: Path, expect: str, loaded: Expectation, disagreement: str) -> None:
    instance = load_instance(written(tmp_path, f"{RING}[expect]\n{expect}"))
    assert instance.expect == loaded
    assert (instance.title, instance.source) == ("asked", "")
    for engine in ("auto", "search", "sat"):
        answer = solve_instance(instance, engine)
        assert answer.disagreement == disagreement
        assert answer.status == "found"


# -- what parameters mean ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ('board = "3x4"\nclosed = false', TourProblem(board="3x4", closed=False)),
        ('board = "6x6"\nclosed = true\nstart = "b3"', TourProblem(board="6x6", closed=True, start="b3")),
        (
            'board = "5x5"\nclosed = false\nstart = "0,0"\nend = "c3"\nat = { 7 = "e4", 2 = "2,1" }',
            TourProblem(board="5x5", closed=False, start="a5", end="c3", at={2: "b3", 7: "e4"}),
        ),
        (
            'board = "6x6"\nclosed = true\nrequire = ["a1-b3", "5,2-3,1"]\nforbid = ["c1-d3"]',
            TourProblem(board="6x6", closed=True, require=["a1-b3", "c1-b3"], forbid=["c1-d3"]),
        ),
        (
            'board = "6x6"\nclosed = true\nsymmetry = "rot90"\nstructured = true',
            TourProblem(board="6x6", closed=True, symmetry="rot90", corners=CORNERS),
        ),
        (
            'board = "6x6"\nclosed = true\nstructured = false\ncorners = ["tl"]',
            TourProblem(board="6x6", closed=True, corners=["tl"]),
        ),
        (
            'board = "6x6"\nclosed = true\nstructured = true\ncorners = ["tl"]',
            TourProblem(board="6x6", closed=True, corners=CORNERS),
        ),
        (
            'board = "4x4"\nclosed = false\nmagic = ["rows", "diagonals"]',
            TourProblem(board="4x4", closed=False, magic=["diagonals", "rows"]),
        ),
    ],
)
def test_parameters_of_tours(tmp_path: Path, parameters: str, problem: TourProblem) -> None:
    text = f'model = "tour"\n[parameters]\n{parameters}'
    assert problem_of(load_instance(written(tmp_path, text))) == problem


@pytest.mark.parametrize(
    ("parameters", "cells", "leaper", "wrap"),
    [
        ('shape = """\n.#.\n...\n"""', 5, (1, 2), "none"),
        ('shape = "..."\nleaper = [1, 0]\nwrap = "x"', 3, (0, 1), "x"),
        ('board = "3x3"\nwithout = ["a1", "b2:c3"]\nwrap = "xy"', 4, (1, 2), "xy"),
        ('board = "3x3"\nwithout = "first:2 c1"', 6, (1, 2), "none"),
        ('board = "3x3"\nwithout = []\nleaper = [2, 3]', 9, (2, 3), "none"),
    ],
)
def test_boards(tmp_path: Path, parameters: str, cells: int, leaper: tuple[int, int], wrap: str) -> None:
    path = written(tmp_path, f'model = "tour"\n[parameters]\nclosed = true\n{parameters}')
    board = problem_of(load_instance(path)).board
    assert (len(board), board.leaper, board.wrap) == (cells, leaper, wrap)


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ('board = "6x6"', TourProblem(board="6x6", closed=True, corners=CORNERS)),
        ('board = "5x6"\ncorners = []', TourProblem(board="5x6", closed=True)),
        (
            'board = "6x6"\ncorners = ["br", "tl"]\nsymmetry = "rot180"',
            TourProblem(board="6x6", closed=True, corners=["tl", "br"], symmetry="rot180"),
        ),
    ],
)
def test_parameters_of_structured_tours(tmp_path: Path, parameters: str, problem: TourProblem) -> None:
    text = f'model = "structured"\n[parameters]\n{parameters}'
    assert problem_of(load_instance(written(tmp_path, text))) == problem
