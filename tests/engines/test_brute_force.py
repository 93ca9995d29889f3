"""Every engine and the checker against tours counted from the definition (``brute_force.py``)."""

from __future__ import annotations

import ast
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import brute_force
import pytest
from brute_force import Condition, answers
from marks import full
from plain_problems import Network, Shape, all_walks, drawn, kinds_on, moves_of, problem_of

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.engines.registry import engine_named, engines_for
from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import CONDITION_CLASSES
from ktsolve.problem.conditions.figure import SHAPES
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import STATISTICS

WAZIR = (0, 1)

RECTANGLES = [Shape(rows, columns) for rows in range(1, 21) for columns in range(1, 20 // rows + 1)]
"""All boards of up to 20 cells."""

OTHERS = [
    Shape(3, 3, holes=((1, 1),)),
    Shape(4, 4, holes=((0, 0), (0, 3), (3, 0), (3, 3))),
    Shape(4, 4, holes=((0, 0), (0, 3))),
    Shape(4, 5, holes=((0, 0), (0, 4), (3, 0), (3, 4))),
    Shape(4, 5, holes=((0, 0), (2, 2), (3, 1))),
    Shape(5, 4, holes=((0, 0), (0, 3), (4, 0), (4, 3))),
    Shape(3, 3, wrap="xy"),
    Shape(3, 4, wrap="x"),
    Shape(4, 3, wrap="y"),
    Shape(2, 4, wrap="xy"),
    Shape(3, 5, wrap="x"),
    Shape(2, 5, wrap="x"),
    Shape(1, 5, (0, 2), wrap="x"),
    Shape(3, 4, (1, 1), wrap="y"),
    Shape(4, 4, (1, 3), wrap="x"),
    Shape(1, 2, WAZIR),
    Shape(2, 2, WAZIR),
    Shape(1, 7, WAZIR),
    Shape(2, 6, WAZIR),
    Shape(3, 4, WAZIR, wrap="x"),
    Shape(4, 4, WAZIR, wrap="x"),
    Shape(3, 4, WAZIR),
    Shape(4, 4, WAZIR),
    Shape(3, 6, WAZIR),
    Shape(3, 5, WAZIR, holes=((1, 1),)),
]
"""Boards with holes, wraps and other leapers."""

NATIVE = ("search", "frontier", "join", "quotient", "strip")
MODELS = ("sat", "cpsat")
MOST_TOURS = 400
"""Conditions are compared on boards with up to that many tours."""

MOST_LISTED = 30
"""Answers with more tours are not listed by the engines of models."""


def test_brute_force_imports_nothing_of_ktsolve() -> None:
    tree = ast.parse(Path(brute_force.__file__).read_text("utf-8"))
    imported = {
        name
        for node in ast.walk(tree)
        for name in (
            [each.name for each in node.names]
            if isinstance(node, ast.Import)
            else [node.module or "."]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    allowed = {
        "__future__",
        "collections.abc",
        "dataclasses",
        "fractions",
        "functools",
        "itertools",
        "typing",
    }
    assert imported <= allowed


def test_every_condition_and_statistic_has_a_reading_from_the_definition() -> None:
    assert {each.__name__ for each in CONDITION_CLASSES} == set(brute_force.CONDITIONS)
    assert set(STATISTICS) == set(brute_force.STATISTICS)
    flat, weighed = Shape(3, 3).plain(), Network(("a", "b"), (("a", "b", 1),), directed=False).plain()
    kinds = {*kinds_on(flat), *kinds_on(weighed)}
    assert {kind[0] for kind in kinds} == set(brute_force.CONDITIONS)
    assert {kind[1] for kind in kinds if kind[0] == "Bound"} == set(STATISTICS)
    assert {kind[1] for kind in kinds if kind[0] == "Figure"} == set(SHAPES)


def compared(
    shape: Shape | Network,
    closed: bool,
    conditions: list[Condition],
    problem: TourProblem,
    engines: Sequence[str],
) -> int:
    """The number of tours, after engines and checker gave the same ones."""
    right = answers(all_walks(shape, closed), conditions)
    for name in engines:
        engine = engine_named(name)
        if engine.unsupported_feature("count", problem) is None and name not in MODELS:
            counted = engine.count(problem, Settings())
            assert (name, counted.count, counted.directed) == (name, right.count, right.directed), problem
        if engine.unsupported_feature("enumerate", problem) is None:
            listed = list(engine.enumerate(problem, Settings()))
            assert len(listed) == right.count, (name, problem)
            assert {moves_of(tour) for tour in listed} == right.tours, (name, problem)
            assert all(problem.check(tour) is None for tour in listed), (name, problem)
    if problem.obstruction() is not None:
        assert not right.tours, (problem, problem.obstruction())
    return right.count


def check_labelings(
    chance: random.Random,
    shape: Shape | Network,
    closed: bool,
    conditions: list[Condition],
    problem: TourProblem,
) -> None:
    """The checker and the definition on every numbering of some tours."""
    walks = all_walks(shape, closed)
    place = {cell: problem.ground.place(problem.ground.cell(cell)) for cell in shape.plain().cells}
    for walk in chance.sample(walks, min(len(walks), 6)):
        for direction in walk.directions():
            for numbered in direction.labelings():
                right = all(brute_force.holds(numbered, each) for each in conditions)
                tour = Tour.from_indices(problem.ground, map(place.__getitem__, numbered.cells), closed)
                assert (problem.check(tour) is None) == right, (problem, tour)


def question(
    chance: random.Random, shape: Shape | Network, closed: bool, kinds: list[tuple[str, ...]]
) -> tuple[list[Condition], TourProblem] | None:
    """A question with conditions of these kinds, satisfied by one tour if there is one; None if refused."""
    walks = all_walks(shape, closed)
    model = None
    if walks and chance.random() < 0.9:
        walk = chance.choice(walks)
        model = chance.choice(chance.choice(walk.directions()).labelings())
    plain = shape.plain()
    if not any(plain.after.values()):
        kinds = [kind for kind in kinds if kind[0] not in ("Require", "Forbid", "Figure")]
    conditions = [drawn(chance, plain, model, closed, kind) for kind in kinds]
    try:
        return conditions, problem_of(shape, closed, conditions)
    except BadInput:
        return None


@pytest.mark.full
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_all_boards_of_up_to_twenty_cells(closed: bool) -> None:
    chance = random.Random(20)
    for shape in RECTANGLES:
        problem = problem_of(shape, closed, [])
        compared(shape, closed, [], problem, NATIVE)
        if not all_walks(shape, closed):
            for kind in chance.sample(kinds_on(shape.plain()), 3):
                asked = question(chance, shape, closed, [kind])
                if asked is not None:
                    engines = engines_for("count", asked[1])
                    assert compared(shape, closed, *asked, [engines[0], chance.choice(engines)]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_every_condition_on_all_boards(closed: bool) -> None:
    chance = random.Random(7)
    telling = Counter[tuple[str, ...]]()
    modelled = Counter[tuple[str, ...]]()
    for shape in (*RECTANGLES, *OTHERS):
        walks = all_walks(shape, closed)
        if not 0 < len(walks) <= MOST_TOURS:
            continue
        for kind in kinds_on(shape.plain()):
            # One step of a closed tour says nothing by itself.
            kinds = [kind, ("At",)] if closed and kind[0] in brute_force.OF_NUMBERINGS else [kind]
            # A few tries for a question that some tours answer and others do not.
            for _ in range(8):
                asked = question(chance, shape, closed, kinds)
                number = 0 if asked is None else answers(walks, asked[0]).count
                if 0 < number < len(walks):
                    telling[kind] += 1
                    break
            if asked is None:
                continue
            # Models take longer than all the rest: each is built for a quarter of the questions of a kind.
            models = (MODELS[:1], (), MODELS[1:], ())[modelled[kind] % 4] if number <= MOST_LISTED else ()
            modelled[kind] += number <= MOST_LISTED
            compared(shape, closed, *asked, [*NATIVE, *models])
            check_labelings(chance, shape, closed, *asked)
    # Equal sums of both diagonals are too rare on boards so small.
    assert all(modelled[kind] > 2 for kind in telling if kind != ("EqualSums", "diagonals"))
    assert {kind for kind in kinds_on(Shape(4, 4).plain()) if not telling[kind]} <= {
        ("EqualSums", "diagonals")
    }


# -- many random questions -----------------------------------------------------------------------------------


def random_network(chance: random.Random) -> Network:
    """A graph of up to seven vertices, directed or not, with weights."""
    names = tuple("abcdefg"[: chance.randint(1, 7)])
    directed = chance.random() < 0.6
    pairs = [(a, b) for a in names for b in names if a != b and (directed or a < b)]
    share = chance.choice((0.5, 0.7, 0.9))
    edges = [(a, b, chance.randint(-2, 6)) for a, b in pairs if chance.random() < share]
    return Network(names, tuple(edges), directed)


def random_shape(chance: random.Random) -> Shape:
    """A board of up to 20 cells, of any kind."""
    rows, columns = chance.choice([(shape.rows, shape.columns) for shape in RECTANGLES])
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    holes = chance.sample(cells, chance.choice((0, 0, 0, 1, 2, 4)) % len(cells))
    leaper = chance.choice(((1, 2), (1, 2), (1, 2), WAZIR, (1, 1), (1, 3), (0, 2), (2, 3)))
    return Shape(rows, columns, leaper, chance.choice(("none", "none", "x", "y", "xy")), tuple(sorted(holes)))


def random_questions(chance: random.Random, number: int, networks: bool) -> None:
    """Compare that many questions with up to four conditions of any kinds."""
    asked_of = Counter[tuple[str, ...]]()
    while number:
        if networks:
            shape: Shape | Network = random_network(chance)
        else:
            shape = chance.choice(OTHERS) if chance.random() < 0.5 else random_shape(chance)
        closed = chance.random() < 0.5
        plain = shape.plain()
        if sum(map(len, plain.after.values())) > 56:  # too many sequences for the plain search
            continue
        walks = all_walks(shape, closed)
        if not 0 < len(walks) <= MOST_TOURS and chance.random() < 0.8:
            continue
        kinds = chance.sample(kinds_on(plain), chance.choice((1, 1, 2, 2, 3, 4)))
        asked = question(chance, shape, closed, kinds)
        if asked is None:
            continue
        number -= 1
        asked_of.update(kinds)
        right = answers(walks, asked[0])
        models = [chance.choice(MODELS)] if right.count <= MOST_LISTED else []
        compared(shape, closed, *asked, [*NATIVE, *models])
        check_labelings(chance, shape, closed, *asked)
    assert number == 0


@pytest.mark.parametrize("networks", [False, True], ids=["boards", "graphs"])
@pytest.mark.parametrize("number", [15, full(60)])
def test_random_questions(networks: bool, number: int) -> None:
    random_questions(random.Random(18), number, networks)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_thousands_of_random_questions(seed: int) -> None:
    random_questions(random.Random(seed), 400, networks=seed % 3 == 2)
